# SPDX-License-Identifier: MIT
"""Makes bleu_values.h: BLEU of strange segments by an independent implementation, short
because it leans on regular expressions and counters where src/evaluate has loops.

usage: bleu_values.py > bleu_values.h"""
import math
import random
import re
from collections import Counter

RULES = [(r"([{-~\[-` -&(-+:-@/])", r" \1 "), (r"([^0-9])([.,])", r"\1 \2 "),
         (r"([.,])([^0-9])", r" \1 \2"), (r"([0-9])(-)", r"\1 \2 ")]
LITERAL = [("<skipped>", ""), ("-\n", ""), ("\n", " "), ("&quot;", '"'), ("&amp;", "&"),
           ("&lt;", "<"), ("&gt;", ">")]
SCRAPS = ["the", "the", "dog", "a", "1", "23", ".", ",", "-", "'", " ", " ", " ", " ", "é",
          "ſ", "…", "«", "\u00a0", "\u202f", "\u3000", "&amp;", "&quot;", "&lt;", "(", "/",
          "~", "@", "1,000", "3.14", "日本", "\U0001f600", "\u200b", "%", "x-y", "&",
          "\u0085", "\u2028", "<skipped>"]


def tokens(text):
    text = text.rstrip()
    for old, new in LITERAL:
        text = text.replace(old, new)
    text = f" {text} "
    for pattern, by in RULES:
        text = re.sub(pattern, by, text)
    return text.split()


def grams(words, n):
    return Counter(tuple(words[i:i + n]) for i in range(len(words) - n + 1))


def bleu(segments):
    right, total, length, wanted = [0] * 4, [0] * 4, 0, 0
    for hypothesis, references in segments:
        words, others = tokens(hypothesis), [tokens(text) for text in references]
        length += len(words)
        wanted += min((abs(len(o) - len(words)), len(o)) for o in others)[1]
        for n in range(4):
            most = Counter()
            for other in others:
                most |= grams(other, n + 1)
            right[n] += sum((grams(words, n + 1) & most).values())
            total[n] += max(0, len(words) - n)
    if not any(right) or not all(total):
        return 0.0
    logs, halves = 0.0, 1.0
    for r, t in zip(right, total):
        halves *= 1 if r else 2
        logs += math.log(100 * r / t if r else 100 / (halves * t)) / 4
    return min(1.0, math.exp(1 - wanted / length)) * math.exp(logs)


def make(rng):
    scraps = [rng.choice(SCRAPS) for _ in range(rng.randint(0, 40))]
    def vary():
        return "".join(rng.choice(SCRAPS) if rng.random() < 0.15 else scrap
                       for scrap in scraps if rng.random() < 0.95)
    return "".join(scraps), [vary() for _ in range(rng.randint(1, 4))]


def literal(text):
    return '"' + "".join(f"\\{byte:03o}" if byte < 32 or byte > 126 or byte in b'"\\?'
                         else chr(byte) for byte in text.encode()) + '"'


def main():
    rng, segments = random.Random(5), []
    print("// SPDX-License-Identifier: MIT\n"
          "// Made by bleu_values.py: strange segments, the BLEU of each, and of all so far."
          "\n// clang-format off\n#pragma once\n\nstatic const struct {\n"
          "    const char *hypothesis, *references[5];\n    double score, so_far;\n"
          "} values[] = {")
    for _ in range(60):
        segments.append(make(rng))
        hypothesis, references = segments[-1]
        print(f"    {{{literal(hypothesis)},\n     {{"
              + ",\n      ".join(map(literal, references)) +
              f"}},\n     {bleu(segments[-1:])!r}, {bleu(segments)!r}}},")
    print("};\n// clang-format on")


if __name__ == "__main__":
    main()
