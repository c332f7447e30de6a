# SPDX-License-Identifier: MIT
"""Parallel text for training: reading, mixing, the variants people type, batches.

A pair is (source, target); TSV files hold one pair a line. Long text comes with an
`.origin` file, one tag a line, by which sources are left out or weighted.
"""
import os
import random
import re
import string
import sys

import sentencepiece
import torch

from network import BOS, EOS, PAD, UNK

# Tags whose licence (GPL, MPL, terms of each package) could bind the weights, and one
# whose licence is not certain.
LEAVE_OUT = "ddtp,dinst,dedu,lohelp,mozilla,odh"
END_MARKS = ".!?…"
LETTERS = string.ascii_letters + string.digits + (  # in every vocabulary, however rare
    "àâäæçéèêëîïôöœùûüÿñáíóúßåøłãõÀÂÄÆÇÉÈÊËÎÏÔÖŒÙÛÜŸÑÁÍÓÚÅØŁ")
SYLLABLES = [a + b for a in "b d f g h k l m n p r s t v z br kr st th sh".split()
             for b in "a e i o u an en in on ar el is ov ai".split()]


def read_pairs(path, swap=False):
    """Of what lines hold more than two columns only the first two."""
    pairs = []
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            first, tab, rest = line.rstrip("\n").partition("\t")
            if not tab:
                sys.exit(f"{path}: line {number}: no tab, expected a source, a tab and a "
                         "target")
            second = rest.partition("\t")[0]
            pairs.append((second, first) if swap else (first, second))
    return pairs


def read_tagged(path, leave_out, swap=False):
    """Pairs of PATH.tsv and their tags of PATH.origin, without the tags left out."""
    beside = re.sub(r"\.tsv$", ".origin", path)
    if beside == path or not os.path.exists(beside):
        sys.exit(f"{path}: has no tags beside it, expected {path[:-4]}.origin, one a line")
    with open(beside, encoding="utf-8") as file:
        tags = file.read().split()
    pairs = read_pairs(path, swap)
    if len(pairs) != len(tags):
        sys.exit(f"{beside}: has {len(tags)} tags, expected {len(pairs)}, one a pair")
    kept = [(pair, tag) for pair, tag in zip(pairs, tags) if tag not in leave_out]
    return [pair for pair, _ in kept], [tag for _, tag in kept]


def lower_first(text):
    return text if text[:2] in ("I ", "I'") else text[:1].lower() + text[1:]


def plain(pair, rng):
    """As typed in a hurry: no full stop, no capital; half of them all lower case."""
    source, target = (text[:-1].rstrip() if text and text[-1] in END_MARKS else text
                      for text in pair)
    source = source.lower() if rng.random() < 0.5 else lower_first(source)
    return source, lower_first(target)


def unfinished(pair, rng):
    """The pair cut at the same comma, where both sides have the same commas; or None."""
    source, target = (re.split(r"(?<=,) ", text) for text in pair)
    if len(source) != len(target) or len(source) < 2:
        return None
    keep = rng.randint(1, len(source) - 1)
    source, target = " ".join(source[:keep]), " ".join(target[:keep])
    words = sorted((len(source.split()), len(target.split())))
    if words[1] > 2 * words[0]:
        return None
    return source.rstrip(","), target.rstrip(",")


def renamed(pair, rng):
    """Another name for Tom or Mary, another number for a number of both sides; or None.

    The new ones are unlikely strings, so the model must learn to copy, piece by piece.
    """
    source, target = pair
    for name in re.findall(r"\b(?:Tom|Mary|\d{2,6})\b", source):
        if source.count(name) != target.count(name):
            continue
        if name.isdigit():
            new = str(rng.randint(10 ** (len(name) - 1), 10 ** len(name) - 1))
        else:
            new = "".join(rng.choices(SYLLABLES, k=rng.choice([1, 2, 2, 3]))).capitalize()
        source, target = source.replace(name, new), target.replace(name, new)
    return (source, target) if source != pair[0] else None


def add_variants(pairs, shares, seed):
    """pairs and, for {variant: share}, that share of them once more in that form."""
    rng = random.Random(seed)
    extra = []
    for variant, share in shares.items():
        for pair in rng.sample(pairs, int(share * len(pairs))):
            changed = variant(pair, rng)
            if changed:
                extra.append(changed)
    return pairs + extra


def train_vocabulary(texts, directory, name, size, kind):
    """SentencePiece (Kudo and Richardson 2018) model DIRECTORY/NAME.spm.

    kind "char": one piece a character, as typed. kind "unigram": pieces, single digits,
    and bytes for characters that are too rare, so that nothing is lost. The trainer runs
    inside the directory: its model keeps the prefix it was given, and that is then a
    bare name.
    """
    common = dict(model_prefix=name, pad_id=PAD, bos_id=BOS, eos_id=EOS, unk_id=UNK,
                  num_threads=1, minloglevel=2)
    if kind == "char":
        special = dict(model_type="char", character_coverage=1.0, use_all_vocab=True,
                       normalization_rule_name="identity", add_dummy_prefix=False)
    else:
        special = dict(model_type="unigram", vocab_size=size, character_coverage=0.9999,
                       required_chars=LETTERS, byte_fallback=True, split_digits=True,
                       normalization_rule_name="nfkc", input_sentence_size=300000,
                       shuffle_input_sentence=True)
    here = os.getcwd()
    os.chdir(directory)
    try:
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(texts), **common, **special)
        os.replace(name + ".model", name + ".spm")
        os.remove(name + ".vocab")
    finally:
        os.chdir(here)


def open_vocabulary(path):
    return sentencepiece.SentencePieceProcessor(model_file=path)


def encode_pairs(pairs, vocabularies, longest=None):
    """[(source ids, target ids)], each ended by EOS, none longer than `longest`."""
    sides = [vocabulary.encode([pair[side] for pair in pairs])
             for side, vocabulary in enumerate(vocabularies)]
    encoded = [(source + [EOS], target + [EOS]) for source, target in zip(*sides)]
    return [pair for pair in encoded
            if longest is None or max(map(len, pair)) <= longest]


def joined(items, share, longest, rng):
    """Several sentences as one, so that long inputs are known: share of len(items)."""
    extra = []
    for _ in range(int(len(items) * share)):
        parts = rng.choices(items, k=rng.choice([2, 2, 3, 3, 4, 5, 6]))
        pair = tuple([token for part in parts for token in part[side][:-1]] + [EOS]
                     for side in (0, 1))
        if max(map(len, pair)) <= longest:
            extra.append(pair)
    return extra


def weighted_sample(items, weights, tokens, rng):
    """Without replacement, by weight (Efraimidis and Spirakis 2006), up to `tokens`."""
    keys = [rng.random() ** (1 / weight) if weight > 0 else -1 for weight in weights]
    order = sorted(range(len(items)), key=keys.__getitem__, reverse=True)
    chosen = []
    for index in order:
        if tokens <= 0 or keys[index] < 0:
            break
        chosen.append(items[index])
        tokens -= len(items[index][1])
    return chosen


def make_batches(items, tokens, rng=None):
    """Batches of like length, at most `tokens` padded tokens a side; shuffled by rng."""
    noise = rng.random if rng else lambda: 0.0
    items = sorted(items, key=lambda pair: (len(pair[1]) + 2 * noise(), len(pair[0])))
    batches, batch, longest = [], [], 0
    for pair in items:
        longest = max(longest, len(pair[0]), len(pair[1]))
        if batch and longest * (len(batch) + 1) > tokens:
            batches.append(batch)
            batch, longest = [], max(len(pair[0]), len(pair[1]))
        batch.append(pair)
    batches.append(batch)
    if rng:
        rng.shuffle(batches)
    return batches


def to_tensors(batch, device):
    """(source, source lengths, target shifted right, target)."""
    def fill(rows):
        table = torch.zeros(len(rows), max(map(len, rows)), dtype=torch.long)
        for index, row in enumerate(rows):
            table[index, :len(row)] = torch.tensor(row)
        return table.to(device)
    source, target = [pair[0] for pair in batch], [pair[1] for pair in batch]
    shifted = [[BOS] + row[:-1] for row in target]
    lengths = torch.tensor([len(row) for row in source])
    return fill(source), lengths, fill(shifted), fill(target)


class Mixture:
    """An epoch: all of `short`, some of them joined, a fresh sample of `long`."""

    def __init__(self, short, long, weights, long_share, join, join_longest, tokens):
        self.short, self.long, self.weights = short, long, weights
        self.join, self.join_longest, self.tokens = join, join_longest, tokens
        self.ratio = long_share / (1 - long_share)  # target tokens, long to the others

    def epoch(self, rng):
        items = self.short + joined(self.short, self.join, self.join_longest, rng)
        if self.long:
            wanted = self.ratio * sum(len(pair[1]) for pair in items)
            items += weighted_sample(self.long, self.weights, wanted, rng)
        return make_batches(items, self.tokens, rng)
