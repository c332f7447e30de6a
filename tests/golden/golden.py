#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Writes PyTorch's numbers for every model: tests/golden/dumps/NAME.txt.

usage: golden.py [NAME...]  (needs torch and sentencepiece; without names: all)

A dump is a text file: for each sentence and temperature a line "sentence TAU TEXT", a line
"source ID...", and for each step "step ID", "e X...", "alpha X...", "top ID:LOGP...",
with six significant digits, alpha to seven decimals; "end" closes a sentence. Models without attention have no
e and alpha. A step whose two best tokens lie closer than MARGIN is refused: two correct
programs may differ there, so such a sentence proves nothing and another must be chosen."""
import pathlib
import sys

import sentencepiece

import reference

HERE = pathlib.Path(__file__).resolve().parent
BUNDLED = HERE.parent.parent / "models"
TAUS = (0.3, 1.0, 3.0)
MARGIN = 1e-4
LONGEST = 60
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


def source_ids(tokenizer, text, eos):
    """Ids of text and </s>, at most LONGEST; the text is cut by words to fit."""
    ids = tokenizer.encode(text)
    while len(ids) >= LONGEST:
        text = text.rsplit(" ", 1)[0]
        ids = tokenizer.encode(text)
    return text, ids + [eos]


def numbers(values, decimals=12):
    return " ".join(f"{round(value, decimals):.6g}" for value in values)


def write_sentence(out, text, ids, tau, steps):
    out.write(f"sentence {tau:g} {text}\n")
    out.write("source " + " ".join(map(str, ids)) + "\n")
    for step in steps:
        out.write(f"step {step['id']}\n")
        if step["e"]:
            out.write(f"e {numbers(step['e'])}\nalpha {numbers(step['alpha'], 7)}\n")
        top = " ".join(f"{token}:{log_p:.6g}" for token, log_p in step["top"])
        out.write(f"top {top}\n")
    out.write("end\n")


def smallest_margin(steps):
    return min(step["top"][0][1] - step["top"][1][1] for step in steps)


def dump(directory, limit):
    model = reference.load(directory)
    if model.config["target_vocab"] < 1000:  # one of characters: rows without end
        limit = min(limit, 30)
    tokenizer = sentencepiece.SentencePieceProcessor(
        model_file=str(directory / "source.spm"))
    lengths, margins = [], []
    path = HERE / "dumps" / (directory.name + ".txt")
    with open(path, "w", encoding="utf-8") as out:
        for sentence in SENTENCES:
            text, ids = source_ids(tokenizer, sentence, model.config["eos"])
            lengths.append(len(ids))
            for tau in TAUS:
                steps = reference.decode(model, ids, tau, min(limit, 3 * len(ids) + 10))
                margins.append(smallest_margin(steps))
                if margins[-1] < MARGIN:
                    raise SystemExit(f"{directory.name}: near tie, {margins[-1]:.2g}, at "
                                     f"tau {tau:g}: {text}")
                write_sentence(out, text, ids, tau, steps)
    print(f"{directory.name}: lengths {lengths}, smallest margin {min(margins):.2g}, "
          f"{path.stat().st_size} bytes")


def main():
    wanted = sys.argv[1:]
    (HERE / "dumps").mkdir(exist_ok=True)
    for root, limit in ((BUNDLED, 80), (HERE / "models", 10)):
        for config in sorted(root.glob("*/config.json")):
            if not wanted or config.parent.name in wanted:
                dump(config.parent, limit)


if __name__ == "__main__":
    main()
