# SPDX-License-Identifier: MIT
"""alphascope attend: sheets from files, by name and from standard input; both formats."""
import json
import math
import os
import sys

from harness import DATA, case, equal, main, near, run, sentence, shell, write

HEAD = {"format": "alphascope-sheet", "version": 1}
SHEETS = os.path.join(DATA, "assets", "sheets")
Q, K, V = [[1, 0, 1], [0, 1, 0]], [[1, 1, 0], [0, 1, 1], [1, 0, 1]], [[1, 2], [3, 0], [0, 1]]


def attend(*args, code=0, **more):
    result = run("attend", *args, **more)
    equal(result.code, code, result.err)
    return result


def computed(**fields):
    sheet = json.dumps({**HEAD, **fields}).encode()
    (found,) = attend("-f", "json", stdin=sheet).objects()
    return found


@case
def the_three_keys_come_to_what_they_are_by_hand():
    found = computed(Q=Q, K=K, V=V)
    for t, products in enumerate(([1, 1, 2], [1, 1, 0])):
        powers = [math.exp(e / math.sqrt(3)) for e in products]
        alpha = [power / sum(powers) for power in powers]
        for s in range(3):
            near(found["scores"][t][s], products[s] / math.sqrt(3), 1e-15)
            near(found["weights"][t][s], alpha[s], 1e-15)
        for j in range(2):
            near(found["output"][t][j], sum(a * v[j] for a, v in zip(alpha, V)), 1e-15)
        near(found["entropy_bits"][t], -sum(a * math.log2(a) for a in alpha), 1e-15)
    equal(found["masked"], [[False] * 3] * 2)


@case
def a_masked_row_has_no_weights_and_no_nan():
    found = computed(Q=Q, K=K, V=V, mask=[[0, 0, 0], [0, 1, 0]])
    equal(found["weights"], [[0, 0, 0], [0, 1, 0]])
    equal(found["output"], [[0, 0], [3, 0]])
    equal(found["entropy_bits"], [0, 0])
    text = attend(stdin=json.dumps(
        {**HEAD, "Q": Q, "K": K, "mask": [[0, 0, 0], [0, 1, 0]]}).encode()).text()
    assert "every key is masked" in text and "nan" not in text.lower(), text


@case
def every_bundled_sheet_prints(folder):
    names = [name[:-5] for name in sorted(os.listdir(SHEETS))]
    assert len(names) >= 9, names
    for name in names:
        text = attend(name).text()
        equal(text, attend(os.path.join(SHEETS, name + ".json")).text())
        assert "nan" not in text.lower(), text
        path = os.path.join(folder, name + ".out")
        equal(attend(name, "-f", "json", "-o", path).out, b"")
        with open(path, encoding="utf-8") as file:
            equal(json.load(file)["title"], text.split("\n")[0])


@case
def what_stands_beside_is_printed():
    (hard,) = attend("soft-lookup", "-f", "json").objects()
    equal(hard["beside"]["output"], [[0, 1, 0, 0]])
    (naive,) = attend("large-scores", "-f", "json").objects()
    equal([row["overflow"] for row in naive["naive"]], [False, True])
    equal(naive["naive"][1]["weights"], [None] * 3)
    near(sum(naive["weights"][1]), 1, 1e-15)
    assert "∞/∞" in attend("large-scores").text()
    (shuffled,) = attend("order", "-f", "json").objects()
    for row, before in zip(shuffled["output"], shuffled["beside"]["output"]):
        for a, b in zip(row, before):
            near(a, b, 1e-15)


@case
def what_is_wrong_is_one_sentence(folder):
    for bad, words in ((b"", ["standard input", "sheet"]), (b"\xff", ["UTF-8"]),
                       (b'{"format":"alphascope-sheet","version":1}', ["Q is empty"]),
                       (b'{"format":"alphascope-sheet","version":1,"Q":[[1],[1,2]]}',
                        ["row 2 has 2 numbers, row 1 has 1"]),
                       (b'{"format":"alphascope-sheet","version":1,"Q":[[1,NaN]]}',
                        ["not strict JSON"])):
        result = attend(stdin=bad, code=1)
        equal(result.out, b"")
        sentence(result, *words, command="attend")
    sentence(attend("no-such-sheet", code=1), "no-such-sheet", "three-keys-causal",
             command="attend")
    sentence(attend(folder, code=1), command="attend")
    sentence(attend("a", "b", code=2), "--help", command="attend")
    sentence(attend("order", "-f", "png", code=2), "text, json", command="attend")
    sentence(attend("order", "-o", "", code=2), "name of a file", command="attend")
    many = json.dumps({**HEAD, "Q": [[1]] * 513}).encode()
    sentence(attend(write(folder, "many.json", many), code=1), "more than 512 rows",
             command="attend")


@case
def a_full_disk_and_a_reader_that_leaves_are_no_riddles():
    result = shell('"$0" attend order > /dev/full')
    equal(result.code, 1)
    sentence(result, "written", command="attend")
    equal(shell('"$0" attend order | true').code, 0)


if __name__ == "__main__":
    sys.exit(main())
