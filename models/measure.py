# SPDX-License-Identifier: MIT
"""What is measured of a model at the end of a run, and at each kept checkpoint."""
import collections
import contextlib
import math
import random
import re

import torch

from corpus import make_batches, to_tensors
from network import EOS, PAD


@contextlib.contextmanager
def evaluating(model):
    was_training = model.training
    model.eval()
    with torch.no_grad():
        yield
    model.train(was_training)


def device_of(model):
    return next(model.parameters()).device


def loss_per_token(model, pairs, tokens):
    """Mean cross entropy (nats) of encoded pairs."""
    total = count = 0
    with evaluating(model):
        for batch in make_batches(pairs, tokens):
            source, lengths, shifted, target = to_tensors(batch, device_of(model))
            tokens_here = (target != PAD).sum().item()
            total += model.loss(source, lengths, shifted, target).item() * tokens_here
            count += tokens_here
    return total / count


def translate(model, vocabularies, texts, limit=80, batch=128):
    """Greedy translations, in order."""
    ids = [row + [EOS] for row in vocabularies[0].encode(texts)]
    order = sorted(range(len(ids)), key=lambda index: len(ids[index]))
    results = [""] * len(ids)
    with evaluating(model):
        for begin in range(0, len(order), batch):
            chosen = order[begin:begin + batch]
            source, lengths, _, _ = to_tensors(
                [(ids[index], [EOS]) for index in chosen], device_of(model))
            for index, row in zip(chosen, model.greedy(source, lengths, limit).tolist()):
                row = row[:row.index(EOS)] if EOS in row else row
                results[index] = vocabularies[1].decode([t for t in row if t != PAD])
    return results


def words_13a(text):
    """What mteval-v13a.pl splits, in the form that sacreBLEU gives it."""
    for entity, character in ("quot", '"'), ("amp", "&"), ("lt", "<"), ("gt", ">"):
        text = text.replace(f"&{entity};", character)
    text = f" {text} "
    for found, spaced in ((r"([{-~[-` -&(-+:-@/])", r" \1 "),
                          (r"([^0-9])([.,])", r"\1 \2 "),
                          (r"([.,])([^0-9])", r" \1 \2"),
                          (r"([0-9])(-)", r"\1 \2 ")):
        text = re.sub(found, spaced, text)
    return text.split()


def precisions(matched, total):
    """Of n = 1 to 4; one that has no match counts as 1/2, the next as 1/4 (sacreBLEU)."""
    share = 1.0
    for hits, all_of_them in zip(matched, total):
        share /= 1 if hits else 2
        yield (hits or share) / all_of_them


def bleu(hypotheses, references):
    """Corpus BLEU (Papineni et al. 2002) with one reference, as sacreBLEU computes it:
    13a words, exponential smoothing."""
    matched, total, lengths = [0] * 4, [0] * 4, [0, 0]
    for pair in zip(hypotheses, references):
        words = [words_13a(text) for text in pair]
        lengths = [old + len(new) for old, new in zip(lengths, words)]
        for n in range(4):
            grams = [collections.Counter(tuple(side[i:i + n + 1])
                                         for i in range(len(side) - n)) for side in words]
            matched[n] += sum((grams[0] & grams[1]).values())
            total[n] += max(0, len(words[0]) - n)
    if not matched[0] or not total[3]:
        return 0.0
    brevity = min(1.0, math.exp(1 - lengths[1] / lengths[0]))
    return 100 * brevity * math.prod(precisions(matched, total)) ** 0.25


def bleu_by_joined(model, vocabularies, test):
    """{k: [mean source words, BLEU]}: k test sentences joined, 200 times; fixed draw."""
    rng, table = random.Random(7), {}
    for k in range(1, 7):
        drawn = [rng.sample(test, k) for _ in range(200)]
        sources, references = ([" ".join(pair[side] for pair in pairs) for pairs in drawn]
                               for side in (0, 1))
        words = sum(len(text.split()) for text in sources) / len(sources)
        score = bleu(translate(model, vocabularies, sources, 160), references)
        table[k] = [round(words, 1), round(score, 2)]
    return table


def exact_share(model, vocabularies, test):
    results = translate(model, vocabularies, [pair[0] for pair in test])
    return sum(got == pair[1] for got, pair in zip(results, test)) / len(test)


def attention_facts(model, pairs, tokens, diagonal=None):
    """Means over the rows of forced alignments, EOS rows left out.

    entropy_bits; with diagonal "forward" or "backward" (source and target of equal
    length) also the share of rows whose largest weight is where a hand would put it.
    """
    entropy = hits = rows = 0
    with evaluating(model):
        for batch in make_batches(pairs, tokens):
            source, lengths, shifted, target = to_tensors(batch, device_of(model))
            _, alpha = model.forced(source, lengths, shifted)
            real = (target != PAD) & (target != EOS)
            bits = -(alpha * torch.log2(alpha.clamp_min(1e-12))).sum(2)
            entropy += bits[real].sum().item()
            rows += real.sum().item()
            place = torch.arange(target.shape[1], device=target.device).unsqueeze(0)
            if diagonal == "backward":
                place = (lengths.to(target.device).unsqueeze(1) - 2) - place
            hits += (alpha.argmax(2) == place)[real].sum().item()
    facts = {"entropy_bits": round(entropy / rows, 4)}
    if diagonal:
        facts["on_diagonal"] = round(hits / rows, 4)
    return facts
