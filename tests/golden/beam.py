#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Writes what a beam search in PyTorch's float64 finds: tests/golden/beams/NAME.txt.

usage: beam.py              (needs torch and sentencepiece)

For each search "search WIDTH A LIMIT", "source ID...", then the results, best first,
"result complete|cut LOGP SCORE ID...", and "end". A search in which two hypotheses come
closer than MARGIN where one of them is taken, or two results where they are ordered, is
left out: two correct programs may differ there."""
import copy
import pathlib

import sentencepiece
import torch

import reference

HERE = pathlib.Path(__file__).resolve().parent
MODELS = [(HERE.parent.parent / "models" / "en-fr-bahdanau", 40),
          (HERE / "models" / "tiny-additive-f32", 12),
          (HERE / "models" / "family-coverage-concat", 12),
          (HERE / "models" / "family-marian-lstm", 12)]
SENTENCES = ["we go", "the dog is big", "a quick vans", "Tom does not know the house.",
             "She reads a book in the old garden.", "When it rains, we walk home."]
BEAMS = [(1, 0.6), (2, 1.0), (5, 0.6), (5, 0.0), (12, 0.6)]
MARGIN = 2e-4


class Tie(Exception):
    pass


def apart(values):
    for a, b in zip(values, values[1:]):
        if abs(a - b) < MARGIN:
            raise Tie


def score(hypothesis, a):
    return hypothesis["sum"] / ((5 + len(hypothesis["ids"])) / 6) ** a


def grow(model, memory, hypothesis):
    """All words after a hypothesis: (sum, id), and what it carries on."""
    carried = copy.copy(hypothesis["carried"])
    carried["states"] = list(carried["states"])
    c = model.c
    first = {"bos": c["bos"], "eos": c["eos"], "zero": None}[c["first_input"]]
    y = hypothesis["ids"][-1] if hypothesis["ids"] else first
    logits = model.step(y, memory, 1.0, carried)["logits"]
    return hypothesis["sum"] + torch.log_softmax(logits, 0), carried


@torch.no_grad()
def search(model, ids, width, a, limit):
    memory, ends = model.encode(ids)
    growing = [{"ids": [], "sum": 0.0, "carried": model.start(memory, ends)}]
    complete = []
    while growing and len(growing[0]["ids"]) < limit:
        rows = [grow(model, memory, hypothesis) for hypothesis in growing]
        flat = torch.cat([sums for sums, _ in rows])
        places = width - len(complete)
        sums, order = flat.topk(min(places + 1, len(flat)))
        apart(sums.tolist())
        chosen = []
        for total, at in zip(sums.tolist()[:places], order.tolist()):
            parent, token = divmod(at, model.c["target_vocab"])
            chosen.append({"ids": growing[parent]["ids"] + [token], "sum": total,
                           "carried": rows[parent][1]})
        complete += [h for h in chosen if h["ids"][-1] == model.c["eos"]]
        growing = [h for h in chosen if h["ids"][-1] != model.c["eos"]]
    results = []
    for kind, hypotheses in (("complete", complete), ("cut", growing)):
        hypotheses.sort(key=lambda h: -score(h, a))
        apart([score(h, a) for h in hypotheses])
        results += [(kind, h) for h in hypotheses]
    return results


def dump(directory, most):
    model = reference.load(directory)
    tokenizer = sentencepiece.SentencePieceProcessor(
        model_file=str(directory / "source.spm"))
    kept = 0
    path = HERE / "beams" / (directory.name + ".txt")
    with open(path, "w", encoding="utf-8") as out:
        for sentence in SENTENCES:
            ids = tokenizer.encode(sentence)
            ids += [model.c["eos"]] if model.c["source_eos"] else []
            limit = min(most, 3 * len(ids) + 10)
            for width, a in BEAMS:
                try:
                    results = search(model, ids, width, a, limit)
                except Tie:
                    continue
                kept += 1
                out.write(f"search {width} {a:g} {limit}\n")
                out.write("source " + " ".join(map(str, ids)) + "\n")
                for kind, h in results:
                    out.write(f"result {kind} {h['sum']:.9g} {score(h, a):.9g} "
                              + " ".join(map(str, h["ids"])) + "\n")
                out.write("end\n")
    print(f"{directory.name}: {kept} searches, {path.stat().st_size} bytes")


def main():
    (HERE / "beams").mkdir(exist_ok=True)
    for directory, most in MODELS:
        dump(directory, most)


if __name__ == "__main__":
    main()
