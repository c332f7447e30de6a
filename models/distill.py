#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Text to learn from, in a trained model's own words (Kim and Rush 2016).

    distill.py MODEL[,MODEL...] PAIRS.tsv OUT.tsv [--beam 5] [--least 0.3] [--threads 1]
               [--program alphascope]

For each pair the beam searches of the models give a few translations; line i of OUT is
the source of line i with the one nearest to its target (the paper's sequence-level
interpolation), or its own target where even that one is too far from it. A line without
a target gets the one that is nearest to all the others, each by its count (minimum Bayes
risk, Kumar and Byrne 2004). Such text is simpler than what people wrote, so a model that
learns from it has with the greedy choice nearly what a beam finds. The models share a
target vocabulary. Needs the program on PATH.
"""
import argparse
import collections
import itertools
import math
import pathlib
import re
import subprocess
import sys
import threading

import corpus


def ngrams(words, order):
    return collections.Counter(zip(*[words[k:] for k in range(order)]))


def nearness(words, wanted):
    """Sentence BLEU with one added to the counts of n > 1 (Lin and Och 2004)."""
    if not words:
        return -math.inf
    total = min(0.0, 1 - len(wanted) / len(words))
    for order in range(1, 5):
        mine, theirs = ngrams(words, order), ngrams(wanted, order)
        hits, extra = sum((mine & theirs).values()), int(order > 1)
        count = max(len(words) - order + 1, 0)
        total += math.log(max(hits + extra, 1e-3) / max(count + extra, 1)) / 4
    return total


def same_words(text, wanted):
    """Their nearness as words and marks, from 0 to 1."""
    return math.exp(nearness(*(re.findall(r"\w+|[^\w\s]", side)
                               for side in (text, wanted))))


def search(options, model, sources):
    """[[translation as pieces]] of each source, the best first."""
    command = [options.program, "trace", "--model", model, "--format", "pharaoh",
               "--beam", str(options.beam), "--nbest", str(options.beam),
               "--threads", str(options.threads)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          encoding="utf-8") as program:
        def feed():
            with program.stdin as pipe:
                pipe.writelines(source + "\n" for source in sources)
        threading.Thread(target=feed, daemon=True).start()
        lines = (line.split(" ||| ") for line in program.stdout)
        found = {int(number): [fields[1].split(" ") for fields in group]
                 for number, group in itertools.groupby(lines, key=lambda f: f[0])}
    if program.returncode != 0 or len(found) != len(sources):
        sys.exit(f"distill.py: {model}: {len(found)} of {len(sources)} sources were translated")
    return [found[number] for number in range(len(sources))]


def most_agreed(translations):
    """The one nearest to the others; equal ones count as often as they were found."""
    counts = collections.Counter(map(tuple, translations))
    return max(counts, key=lambda mine: sum(
        count * math.exp(nearness(mine, other)) for other, count in counts.items()))


def rewritten(translations, target, vocabulary, least):
    if not target:
        return vocabulary.decode(list(most_agreed(translations)))
    wanted = vocabulary.encode(target, out_type=str)
    best = vocabulary.decode(max(translations, key=lambda pieces: nearness(pieces, wanted)))
    return best if same_words(best, target) >= least else target


def shared_vocabulary(models):
    first, *others = (pathlib.Path(model, "target.spm") for model in models)
    for path in others:
        if path.read_bytes() != first.read_bytes():
            sys.exit(f"distill.py: {path} is not the same target vocabulary as {first}")
    return corpus.open_vocabulary(str(first))


def main():
    cli = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    cli.add_argument("model", type=lambda text: text.split(","))
    cli.add_argument("pairs")
    cli.add_argument("out")
    cli.add_argument("--beam", type=int, default=5)
    cli.add_argument("--least", type=float, default=0.3)
    cli.add_argument("--threads", type=int, default=1)
    cli.add_argument("--program", default="alphascope")
    options = cli.parse_args()
    pairs = corpus.read_pairs(options.pairs)
    vocabulary = shared_vocabulary(options.model)
    sources = list(dict.fromkeys(source for source, _ in pairs))
    found = zip(*(search(options, model, sources) for model in options.model))
    found = {source: sum(lists, []) for source, lists in zip(sources, found)}
    with open(options.out, "w", encoding="utf-8") as file:
        for source, target in pairs:
            file.write(f"{source}\t{rewritten(found[source], target, vocabulary, options.least)}\n")


if __name__ == "__main__":
    main()
