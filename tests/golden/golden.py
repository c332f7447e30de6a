#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Writes PyTorch's numbers for every model: tests/golden/dumps/NAME.txt.

usage: golden.py [NAME...]  (needs torch and sentencepiece; without names: all)

A dump is a text file: for each sentence and temperature a line "sentence TAU TEXT", a line
"source ID...", and for each step "step ID", "e X...", "alpha X...", "top ID:LOGP...";
"end" closes a sentence. Models without attention have no e and alpha. Those of family.py
have more digits, and in addition, rows and layers counted from 0:

- before the steps the encoder's memory: "memory ROW X...", all rows;
- before e, where the query is between two cells, the state that asks: "between X...", and
  of an LSTM its cell: "between-cell X...";
- before top "state LAYER X..." of every layer, of an LSTM "cell LAYER X...",
  "logits X..." of all ids, and "log-sum X", the logarithm of the sum of their
  exponentials.

Where the two best tokens lie closer than MARGIN, two correct programs may differ: a decode
ends before such a step, and where that is among the first ones the sentence is refused, for
it proves little and another must be chosen."""
import itertools
import pathlib
import sys

import sentencepiece

import reference

HERE = pathlib.Path(__file__).resolve().parent
BUNDLED = HERE.parent.parent / "models"
TAUS = (0.3, 1.0, 3.0)
MARGIN = 1e-4
LONGEST = 60
LEAST_STEPS = 8
SENTENCES = [
    "",
    "Hello!",
    "The black cat sleeps.",
    "i would like a cup of coffee, please",
    "She doesn't know where her brother lives, and the dog doesn't either.",
    "Zoë paid 3,50 € at the café — naïve 猫!",
    "When I was a child, I used to play with my brother in the garden behind the old "
    "house every day.",
    "Tom bought a new red car yesterday. The train was late, so we walked home in the rain "
    "and nobody said a word. I think that the book you gave me is the best one I have read "
    "this year, and my sister wants to read it too, when she has finished her own, long "
    "before the end of the summer.",
]
# The family's: tokens of the source, with </s> where the model has it, τ, and steps. One
# is as long as the longest source: coverage, fed vectors and cells add up on the way.
LETTERS = "we jump over the lazy dogs and pack their boxes of quick vans too"
LENGTHS = ((1, 1.0, 8), (2, 1.0, 8), (7, 0.5, 8), (7, 1.0, LONGEST), (60, 1.0, 8))


def source_ids(tokenizer, text, eos):
    """Ids of text and </s>, at most LONGEST; the text is cut by words to fit."""
    ids = tokenizer.encode(text)
    while len(ids) >= LONGEST:
        text = text.rsplit(" ", 1)[0]
        ids = tokenizer.encode(text)
    return text, ids + [eos]


def is_family(directory):
    return directory.name.startswith("family-")


def steps_of(directory, model, ids):
    limit = 10 if directory.parent.parent == HERE else 80
    if model.c["target_vocab"] < 1000:  # one of characters: rows without end
        limit = min(limit, 30)
    return min(limit, 3 * len(ids) + 10)


def sentences(directory, model):
    """(text, source ids, τ, most steps) of every sentence of a dump."""
    tokenizer = sentencepiece.SentencePieceProcessor(
        model_file=str(directory / "source.spm"))
    if not is_family(directory):
        for sentence in SENTENCES:
            text, ids = source_ids(tokenizer, sentence, model.c["eos"])
            yield from ((text, ids, tau, steps_of(directory, model, ids)) for tau in TAUS)
        return
    end = [model.c["eos"]] if model.c["source_eos"] else []
    for length, tau, steps in LENGTHS:
        text = LETTERS[:length - len(end)]
        ids = tokenizer.encode(text) + end
        if len(ids) != length:
            raise SystemExit(f"{directory.name}: {text} has {len(ids)} tokens")
        yield text, ids, tau, steps


def numbers(values, digits=6, decimals=12):
    return " ".join(f"{round(value, decimals):.{digits}g}" for value in values)


def write_rows(out, names, rows):
    for name, values in zip(names, rows):
        out.write(f"{name} {numbers(values, 9, 9)}\n")


def numbered(name):
    return (f"{name} {i}" for i in itertools.count())


def write_step(out, step, family):
    digits = 9 if family else 6
    out.write(f"step {step['id']}\n")
    if family:
        write_rows(out, ["between", "between-cell"], step["between"])
    if step["e"]:
        out.write(f"e {numbers(step['e'], digits)}\n"
                  f"alpha {numbers(step['alpha'], digits, 9 if family else 7)}\n")
    if family:
        write_rows(out, numbered("state"), step["states"])
        write_rows(out, numbered("cell"), step["cells"])
        out.write(f"logits {numbers(step['logits'], 8)}\n"
                  f"log-sum {numbers([step['log_sum']], 8)}\n")
    top = " ".join(f"{token}:{log_p:.{digits}g}" for token, log_p in step["top"])
    out.write(f"top {top}\n")


def margin(step):
    return step["top"][0][1] - step["top"][1][1]


def smallest_margin(steps):
    return min(map(margin, steps))


def without_ties(steps):
    """A long decode ends before its first near tie, if much is left of it."""
    clear = list(itertools.takewhile(lambda step: margin(step) >= MARGIN, steps))
    return clear if len(clear) >= LEAST_STEPS else steps


def decoded(directory):
    """(text, ids, τ, memory, steps) of every sentence."""
    model = reference.load(directory)
    for text, ids, tau, limit in sentences(directory, model):
        memory, steps = reference.decode(model, ids, tau, limit)
        if limit > LEAST_STEPS:
            steps = without_ties(steps)
        yield text, ids, tau, memory, steps


def worth(directory):
    """Over all sentences: the smallest margin, the number of steps, and the largest score
    of the row where it is smallest; None without attention."""
    runs = [steps for *_, steps in decoded(directory)]
    largest = [max(map(abs, step["e"])) for steps in runs for step in steps if step["e"]]
    return min(map(smallest_margin, runs)), sum(map(len, runs)), min(largest, default=None)


def dump(directory):
    margins = []
    path = HERE / "dumps" / (directory.name + ".txt")
    with open(path, "w", encoding="utf-8") as out:
        for text, ids, tau, memory, steps in decoded(directory):
            margins.append(smallest_margin(steps))
            if margins[-1] < MARGIN:
                raise SystemExit(f"{directory.name}: near tie, {margins[-1]:.2g}, at "
                                 f"tau {tau:g}: {text}")
            out.write(f"sentence {tau:g} {text}\n")
            out.write("source " + " ".join(map(str, ids)) + "\n")
            if is_family(directory):
                write_rows(out, numbered("memory"), memory)
            for step in steps:
                write_step(out, step, is_family(directory))
            out.write("end\n")
    print(f"{directory.name}: smallest margin {min(margins):.2g}, "
          f"{path.stat().st_size} bytes")


def main():
    wanted = sys.argv[1:]
    (HERE / "dumps").mkdir(exist_ok=True)
    for root in (BUNDLED, HERE / "models"):
        for config in sorted(root.glob("*/config.json")):
            if '"alphascope-seq2seq"' not in config.read_text():
                continue  # vaswani_dumps.py
            if not wanted or config.parent.name in wanted:
                dump(config.parent)


if __name__ == "__main__":
    main()
