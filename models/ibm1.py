# SPDX-License-Identifier: MIT
"""IBM Model 1 (Brown, Della Pietra, Della Pietra, Mercer 1993): the translation
probabilities t(f|e) of words, by expectation maximisation over sentence pairs, written as
the small table that alphascope lays over an attention matrix.

    p(f, a | e) ∝ Π_j t(f_j | e_{a_j}),   e_0 = NULL
    E: c(f|e) += t(f|e) / Σ_i t(f|e_i)    M: t(f|e) = c(f|e) / Σ_f c(f|e)

The table is what its header says (formats/lexicon.h reads it): words in the order of their
bytes, and for each source word the targets of at least MINIMUM, as 2^(-q/16).

usage: ibm1.py PAIRS.tsv TABLE.ibm1 [--iterations 5] [--seen 3] [--minimum 0.005] [--most 16]
"""
import argparse
import array
import collections
import math
import struct
import unicodedata

MAGIC = b"IBM1 v1\n"
NULL = ""


def words(text):
    """Runs of letters, digits and marks, and runs of anything else but white space, in
    lower case: what utf8_word_next walks."""
    found, last = [], None
    for character in text:
        kind = None if character.isspace() else unicodedata.category(character)[0] in "LNM"
        if kind is not None and kind == last:
            found[-1] += character
        elif kind is not None:
            found.append(character)
        last = kind
    return [word.lower() for word in found]


def read(path):
    with open(path, encoding="utf-8") as file:
        for line in file:
            source, target = line.rstrip("\n").split("\t")[:2]
            yield [NULL] + words(source), words(target)


def numbered(sentences):
    ids = {}
    return [array.array("i", [ids.setdefault(w, len(ids)) for w in s])
            for s in sentences], list(ids)


def train(pairs, iterations):
    """{(e, f): t(f|e)} as a list of dictionaries by e, from uniform."""
    table = collections.defaultdict(dict)
    for source, target in pairs:
        for e in set(source):
            row = table[e]
            for f in target:
                row[f] = 1.0
    for _ in range(iterations):
        counts = {e: dict.fromkeys(row, 0.0) for e, row in table.items()}
        for source, target in pairs:
            rows = [(table[e], counts[e]) for e in source]
            for f in target:
                share = 1 / sum(row[f] for row, _ in rows)
                for row, count in rows:
                    count[f] += row[f] * share
        for e, count in counts.items():
            total = sum(count.values())
            table[e] = {f: c / total for f, c in count.items()}
    return table


def prune(table, sources, targets, minimum, most):
    """[(word, [(target, t)])] of the words in both sets."""
    kept = []
    for e, row in table.items():
        if e in sources:
            best = sorted(((t, f) for f, t in row.items() if f in targets and t >= minimum),
                          reverse=True)[:most]
            kept.append((sources[e], [(targets[f], t) for t, f in best]))
    return kept


def pack(kept):
    order = sorted(((word.encode(), row) for word, row in kept), key=lambda item: item[0])
    vocabulary = sorted({f.encode() for _, row in order for f, _ in row})
    ids = {word: number for number, word in enumerate(vocabulary)}
    counts, targets, powers = array.array("H"), array.array("H"), bytearray()
    for _, row in order:
        counts.append(len(row))
        for f, t in sorted((ids[f.encode()], t) for f, t in row):
            targets.append(f)
            powers.append(min(255, round(-16 * math.log2(t))))
    names = [b"".join(w + b"\0" for w in side)
             for side in ([word for word, _ in order], vocabulary)]
    return (MAGIC + struct.pack("<5I", len(order), len(vocabulary), len(targets),
                                len(names[0]), len(names[1])) + names[0] + names[1] +
            struct.pack(f"<{len(counts)}H", *counts) +
            struct.pack(f"<{len(targets)}H", *targets) + bytes(powers))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("pairs")
    parser.add_argument("table")
    parser.add_argument("--iterations", type=int, default=5)
    parser.add_argument("--seen", type=int, default=3, help="times, or it is left out")
    parser.add_argument("--minimum", type=float, default=0.005, help="of t(f|e)")
    parser.add_argument("--most", type=int, default=16, help="targets of one source word")
    args = parser.parse_args()
    sides = list(zip(*read(args.pairs)))
    (source, source_words), (target, target_words) = (numbered(side) for side in sides)
    often = [{number: names[number] for number, times in
              collections.Counter(w for s in side for w in s).items() if times >= args.seen}
             for side, names in ((source, source_words), (target, target_words))]
    table = train(list(zip(source, target)), args.iterations)
    kept = prune(table, *often, args.minimum, args.most)
    data = pack(kept)
    with open(args.table, "wb") as file:
        file.write(data)
    print(f"{args.table}: {len(kept)} words, {sum(len(row) for _, row in kept)} pairs, "
          f"{len(data)} bytes")


if __name__ == "__main__":
    main()
