#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Writes the numbers of vaswani.py for every Transformer of tests/golden/transformers and
of models: tests/golden/transformers/NAME.txt.

usage: vaswani_dumps.py [NAME...]        (needs torch and sentencepiece; without: all)

A dump is a text file: for each sentence and temperature (of the attention to the source)
a line "sentence TAU TEXT" and a line "source ID..."; for some rows of the encoder, in
every layer and head, "encoder LAYER HEAD ROW" and then "e X..." and "alpha X...";
"memory ROW X..."; for each step "step ID", then for each layer and head "self LAYER HEAD"
and "cross LAYER HEAD", each with its e and alpha, "state X...", "logits LOGSUM X..." of
every fourth id (of the first 256) and "top ID:LOGP..."; "end" closes a sentence. Layers
and heads count from 0. Before anything is written, models/transformer.py, in float64, must
give the same numbers within 1e-9."""
import json
import pathlib
import sys

import numpy as np
import sentencepiece

import golden
import marian
import vaswani

HERE = pathlib.Path(__file__).resolve().parent
MARGIN = golden.MARGIN
SHORT, LONG = 4, 2  # steps
AGREEMENT = 1e-9


def is_transformer(config):
    return config.get("format") == "alphascope-transformer"


def load(directory):
    """(Network, function from text to ids)."""
    config = json.loads((directory / "config.json").read_text())
    if not is_transformer(config):
        return marian.load(directory)
    tokenizer = sentencepiece.SentencePieceProcessor(
        model_file=str(directory / "source.spm"))
    end = [config["eos"]] if config["source_eos"] else []
    return (vaswani.Network(config, vaswani.read_safetensors(
        directory / "model.safetensors")), lambda text: tokenizer.encode(text) + end)


def is_bundled(directory):
    return directory.parent == golden.BUNDLED


def sentences(directory, encode):
    """(text, ids, τ) of every sentence of a dump."""
    if is_bundled(directory):
        for text in golden.SENTENCES[:6]:
            yield text, encode(text), 1.0
        return
    for length, tau, _ in golden.LENGTHS:
        text = golden.LETTERS + " " + golden.LETTERS
        while len(encode(text)) > length:
            text = text[:-1]
        if len(encode(text)) != length:
            raise SystemExit(f"{directory.name}: no text of {length} tokens")
        yield text, encode(text), tau
    if directory.name.startswith("marian-"):
        coded = ">>fra<<" in (directory / "vocab.json").read_text()
        text = ">>fra<< z" if coded else "a z"
        yield text, encode(text), 1.0


def decoded(directory):
    """(text, ids, τ, memory, the encoder's looks, steps) of every sentence."""
    network, encode = load(directory)
    for text, ids, tau in sentences(directory, encode):
        yield text, ids, tau, *network.greedy(ids, tau, LONG if len(ids) > 20 else SHORT)


def rows_kept(ids):
    """All rows of a short sentence, two of a long one."""
    return range(len(ids)) if len(ids) < 5 else [1, len(ids) - 1]


def looks_of_encoder(ids, looks):
    """(what, scores, alphas) of the rows that are written."""
    for layer, (scores, alphas) in enumerate(looks):
        for row in rows_kept(ids):
            for head, both in enumerate(zip(scores[row], alphas[row])):
                yield f"encoder {layer} {head} {row}", *both


def looks_of(step):
    for layer, sides in enumerate(step["looks"]):
        for name, (scores, alphas) in zip(("self", "cross"), sides):
            for head, both in enumerate(zip(scores, alphas)):
                yield f"{name} {layer} {head}", *both


def worth(directory):
    """Over all sentences: the smallest margin and the number of steps."""
    runs = [steps for *_, steps in decoded(directory)]
    return min(map(golden.smallest_margin, runs)), sum(map(len, runs))


def write_look(out, name, scores, alphas):
    out.write(f"{name}\ne {golden.numbers(scores, 7)}\n"
              f"alpha {golden.numbers(alphas, 7, 7)}\n")


def write_step(out, step):
    out.write(f"step {step['id']}\n")
    for look in looks_of(step):
        write_look(out, *look)
    some = step["logits"][::4][:64]
    out.write(f"state {golden.numbers(step['state'], 7)}\n"
              f"logits {golden.numbers([step['log_sum'], *some], 7)}\n")
    out.write("top " + " ".join(f"{i}:{p:.7g}" for i, p in step["top"]) + "\n")


def write_sentence(out, text, ids, tau, memory, looks, steps):
    out.write(f"sentence {tau:g} {text}\nsource {' '.join(map(str, ids))}\n")
    for look in looks_of_encoder(ids, looks):
        write_look(out, *look)
    for row in rows_kept(ids):
        out.write(f"memory {row} {golden.numbers(memory[row], 7)}\n")
    for step in steps:
        write_step(out, step)
    out.write("end\n")


class Module:
    """models/transformer.py with the same weights, in float64."""

    def __init__(self, network):
        sys.path.insert(0, str(golden.BUNDLED))
        import torch
        import transformer
        self.torch, facts = torch, network.c
        self.model = transformer.Transformer(facts).double().eval()
        own = self.model.state_dict()
        for name, values in network.t.items():
            own[name] = torch.from_numpy(values).reshape(own[name].shape)
        self.model.load_state_dict(own)

    def difference(self, ids, tau, memory, looks, steps):
        """The largest between its numbers and those given; it knows no τ but 1."""
        torch = self.torch
        fed = [self.model.config["start"]] + [step["id"] for step in steps[:-1]]
        with torch.no_grad():
            encoded, blocked, alphas = self.model.encode(torch.tensor([ids]),
                                                         torch.tensor([len(ids)]))
            state, both = self.model.decode(torch.tensor([fed]), encoded, blocked)
            logits = self.model.logits(state)[0].numpy()
        worst = np.abs(encoded[0].numpy() - np.array(memory)).max()
        for layer, (_, rows) in enumerate(looks):
            worst = max(worst, np.abs(alphas[layer][0].numpy().transpose(1, 0, 2)
                                      - np.array(rows)).max())
        if tau != 1:
            return worst
        for t, step in enumerate(steps):
            shown = np.isfinite(step["logits"])
            worst = max(worst, np.abs(logits[t][shown] - step["logits"][shown]).max())
            for layer, (own, cross) in enumerate(step["looks"]):
                mine = [alpha[0, :, t].numpy() for alpha in both[layer]]
                worst = max(worst, np.abs(mine[0][:, :t + 1] - np.array(own[1])).max(),
                            np.abs(mine[1] - np.array(cross[1])).max())
        return worst

    def words(self, ids, limit):
        torch = self.torch
        return self.model.greedy(torch.tensor([ids]), torch.tensor([len(ids)]),
                                 limit)[0].tolist()


def dump(directory):
    module, worst, margins = Module(load(directory)[0]), 0, []
    path = HERE / "transformers" / (directory.name + ".txt")
    with open(path, "w", encoding="utf-8") as out:
        for text, ids, tau, memory, looks, steps in decoded(directory):
            margins.append(golden.smallest_margin(steps))
            worst = max(worst, module.difference(ids, tau, memory, looks, steps))
            chosen = [step["id"] for step in steps]
            if tau == 1 and module.words(ids, len(steps)) != chosen:
                raise SystemExit(f"{directory.name}: other words with a cache: {text}")
            write_sentence(out, text, ids, tau, memory, looks, steps)
    if worst > AGREEMENT or min(margins) < MARGIN:
        raise SystemExit(f"{directory.name}: {worst:.2g} from PyTorch, smallest margin "
                         f"{min(margins):.2g}")
    print(f"{directory.name}: {worst:.1e} from PyTorch, smallest margin "
          f"{min(margins):.2g}, {path.stat().st_size} bytes")


def main():
    wanted = sys.argv[1:]
    for config in sorted([*(HERE / "transformers").glob("*/config.json"),
                          *golden.BUNDLED.glob("*/config.json")]):
        if is_bundled(config.parent) and not is_transformer(
                json.loads(config.read_text())):
            continue
        if not wanted or config.parent.name in wanted:
            dump(config.parent)


if __name__ == "__main__":
    main()
