#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Writes what the bundled sheets come to: tests/golden/sheets/NAME.txt.

usage: sheets.py  (needs nothing)

Computed here from the published equations, in Python's own doubles (IEEE 754 binary64)
with exact sums (math.fsum), and without a line of the program: attention as in Vaswani et
al. 2017, equation 1; SplitMix64 as in Steele, Lea, Flood 2014; normal numbers as in Box,
Muller 1958. A dump has a line for each matrix: its name, rows, columns, numbers."""
import json
import math
import pathlib

HERE = pathlib.Path(__file__).resolve().parent
SHEETS = HERE.parent.parent / "assets" / "sheets"
BITS = (1 << 64) - 1


def matmul(a, b):
    return [[math.fsum(x * y for x, y in zip(row, column)) for column in zip(*b)]
            for row in a]


def softmax(scores, tau):
    """Of (score, allowed) pairs, exactly as the quotient of two sums; τ = 0 is the limit."""
    allowed = [e for e, may in scores if may]
    if not allowed:
        return [0.0] * len(scores)
    if tau == 0:
        first = next(i for i, (e, may) in enumerate(scores) if may and e == max(allowed))
        return [1.0 if i == first else 0.0 for i in range(len(scores))]
    powers = [math.exp((e - max(allowed)) / tau) if may else 0.0 for e, may in scores]
    return [power / math.fsum(powers) for power in powers]


def entropy_bits(alpha):
    return -math.fsum(a * math.log2(a) for a in alpha if a > 0)


def slope(alpha):
    """The Frobenius norm of the Jacobian of the softmax, written out."""
    jacobian = [a * ((i == j) - b) for i, a in enumerate(alpha) for j, b in enumerate(alpha)]
    return math.sqrt(math.fsum(x * x for x in jacobian))


def inputs(sheet):
    q, k, v = sheet["Q"], sheet.get("K"), sheet.get("V")
    itself = k is None
    k = q if itself else k
    order = sheet.get("order") or range(1, len(k) + 1)
    k = [k[i - 1] for i in order]
    if "positions" in sheet:
        k = [[a + b for a, b in zip(row, place)] for row, place in zip(k, sheet["positions"])]
    q = k if itself else q
    v = k if v is None else [v[i - 1] for i in order]
    weights = [sheet.get(name) for name in ("W_Q", "W_K", "W_V")]
    return [matmul(x, w) if w else x for x, w in zip((q, k, v), weights)]


def attend(sheet):
    q, k, v = inputs(sheet)
    assert sheet["score"] in ("dot", "scaled-dot") and not sheet.get("normalise")
    scale = math.sqrt(len(q[0])) if sheet["score"] == "scaled-dot" else 1
    scores = [[math.fsum(a * b for a, b in zip(x, y)) / scale for y in k] for x in q]
    causal = sheet["mask"] == "causal"
    alpha = [softmax([(e, not causal or s <= t) for s, e in enumerate(row)], sheet["tau"])
             for t, row in enumerate(scores)]
    return {"scores": scores, "weights": alpha, "output": matmul(alpha, v),
            "entropy": [[entropy_bits(row) for row in alpha]],
            "slope": [[slope(row) for row in alpha]]}


def normals(seed):
    state = seed

    def bits():
        nonlocal state
        state = (state + 0x9e3779b97f4a7c15) & BITS
        z = state
        z = ((z ^ (z >> 30)) * 0xbf58476d1ce4e5b9) & BITS
        z = ((z ^ (z >> 27)) * 0x94d049bb133111eb) & BITS
        return z ^ (z >> 31)

    while True:
        u, w = (((bits() >> 12) + 0.5) / 2 ** 52 for _ in range(2))
        length = math.sqrt(-2 * math.log(u))
        yield length * math.cos(2 * math.pi * w)
        yield length * math.sin(2 * math.pi * w)


def reading(rows):
    alphas = [softmax([(e, True) for e in row], 1) for row in rows]
    every = [e for row in rows for e in row]
    mean = math.fsum(every) / len(every)
    return [math.fsum((e - mean) ** 2 for e in every) / len(every),
            math.fsum(map(entropy_bits, alphas)) / len(rows),
            math.fsum(map(slope, alphas)) / len(rows)]


def scaling(experiment):
    numbers, out = normals(experiment["seed"]), []
    for d in (4, 8, 16, 32, 64, 128, 256, 512, 1024):
        rows = []
        for _ in range(experiment["queries"]):
            q = [next(numbers) for _ in range(d)]
            rows.append([math.fsum(a * next(numbers) for a in q)
                         for _ in range(experiment["keys"])])
        scaled = [[e / math.sqrt(d) for e in row] for row in rows]
        out.append([d] + reading(rows) + reading(scaled))
    return {"points": out}


def results(sheet):
    if "scaling" in sheet:
        return scaling(sheet["scaling"])
    out = attend(sheet)
    if sheet.get("beside") in ("hard", "in-order"):
        other = dict(sheet, **({"tau": 0} if sheet["beside"] == "hard" else {"order": None}))
        out.update({"beside-" + name: value for name, value in attend(other).items()
                    if name in ("weights", "output")})
    return out


def main():
    (HERE / "sheets").mkdir(exist_ok=True)
    for path in sorted(SHEETS.glob("*.json")):
        with open(HERE / "sheets" / (path.stem + ".txt"), "w") as out:
            for name, rows in results(json.loads(path.read_text())).items():
                numbers = " ".join(repr(x) for row in rows for x in row)
                print(name, len(rows), len(rows[0]), numbers, file=out)


if __name__ == "__main__":
    main()
