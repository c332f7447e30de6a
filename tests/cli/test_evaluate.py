# SPDX-License-Identifier: MIT
"""alphascope evaluate: its numbers on small files, and every line that cannot be scored."""
import os
import sys

from harness import (ADDITIVE, CAT, DATA, DOT, NONE, TINY, case, equal, main, near, peak_kb,
                     run, sentence, trace, write)

DATES = [("3 May 1979", "1979-05-03"), ("tuesday, march 4, 2014", "2014-03-04"),
         ("12 January 2001", "2001-01-12"), ("august 30, 1995", "1995-08-30")]
PAIRS = [(CAT, "Le chat noir dort."), ("I am cold.", "J'ai froid."),
         ("Where is the station?", "Où est la gare ?"), ("He is very tired.", "Faux.")]
GOLD = ["The black cat sleeps .\tLe chat noir dort .\t0-0 1-2 2-1 3-3 4-4",
        "I am cold .\tJ' ai froid .\t0-0 1-1 2-2 3-3 0?1",
        "Where is the station ?\tOù est la gare ?\t0-0 1-1 2-2 3-3 4-4"]


def table(pairs):
    return "".join("\t".join(pair) + "\n" for pair in pairs).encode()


def evaluate(*args, code=0, **more):
    result = run("evaluate", *args, **more)
    equal(result.code, code, result.err)
    return result


def found(*args, **more):
    """The objects without what the clock says, and what was said on stderr."""
    result = evaluate(*args, "--format", "json", **more)
    objects = result.objects()
    for each in objects:
        if "test" in each:
            assert each.pop("tokens_per_second") > 0
    return objects, result.said()


@case
def dates_are_exact(folder):
    test = write(folder, "dates.tsv", table(DATES))
    objects, said = found("--model", "dates", "--test", test, "--exact")
    equal(said, [])
    equal((objects[0]["model"], objects[0]["lines"], objects[0]["unscored"]),
          ("dates", 4, 0))
    equal(objects[0]["exact"], 1)
    equal(objects[0]["at_length_limit"], 0)
    equal(objects[0]["tokens"], sum(len(iso) + 1 for _, iso in DATES))
    half = write(folder, "half.tsv", table([(d, i if n % 2 else "1900-01-01")
                                            for n, (d, i) in enumerate(DATES)]))
    equal(found("--model", "dates", "--test", half, "--exact")[0][0]["exact"], 0.5)
    assert "exact" not in found("--model", "dates", "--test", half)[0][0]


@case
def bleu_is_that_of_the_translations(folder):
    said = [trace("--text", source).objects()[0]["translation"] for source, _ in PAIRS]
    test = write(folder, "own.tsv", table([(s, t) for (s, _), t in zip(PAIRS, said)]))
    objects, _ = found("--test", test)
    near(objects[0]["bleu"], 100, 1e-3)
    equal(objects[0]["bleu_brevity"], 1)
    assert "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp" in objects[0]["bleu_signature"]
    other = write(folder, "other.tsv", table([(s, "Xyz") for s, _ in PAIRS]))
    equal(found("--test", other)[0][0]["bleu"], 0)


@case
def lengths_fall_into_their_buckets(folder):
    pairs = [(" ".join(["yes"] * n) + " .", "oui .") for n in (1, 9, 10, 19, 20, 55)]
    test = write(folder, "lengths.tsv", table(pairs))
    objects, _ = found("--test", test)
    equal([(row["words"], row["n"]) for row in objects[0]["bleu_by_length"]],
          [("1-10", 2), ("11-20", 2), ("21-30", 1), ("31-40", 0), ("41-50", 0),
           ("51+", 1)])
    equal([row["bleu"] is None for row in objects[0]["bleu_by_length"]],
          [False, False, False, True, True, False])


@case
def readouts_are_those_of_trace(folder):
    rows, columns = [], []
    for source, _ in PAIRS:
        one = trace("--text", source).objects()[0]
        rows += list(zip(one["entropy_bits"], one["alpha"]))[:-1]
        columns += one["coverage"][:-1]
    test = write(folder, "pairs.tsv", table(PAIRS))
    objects, _ = found("--test", test)
    near(objects[0]["entropy_bits"], sum(bits for bits, _ in rows) / len(rows), 1e-4)
    near(objects[0]["max_alpha"], sum(max(row) for _, row in rows) / len(rows), 1e-4)
    near(objects[0]["coverage_gap"], sum(abs(c - 1) for c in columns) / len(columns), 1e-4)
    near(objects[0]["coverage_under_0.2"], sum(c < 0.2 for c in columns) / len(columns),
         1e-4)


@case
def more_references_come_from_columns_or_a_second_file(folder):
    three = [(s, "Rien.", t, "Autre chose.") for s, t in PAIRS]
    wide = write(folder, "wide.tsv", table(three))
    narrow = write(folder, "narrow.tsv", table([row[:2] for row in three]))
    columns, _ = found("--test", wide)
    files, _ = found("--test", narrow, "--refs", wide)
    assert columns[0].pop("test") != files[0].pop("test")
    equal(columns, files)
    assert "nrefs:3|" in columns[0]["bleu_signature"]
    assert columns[0]["bleu"] > columns[0]["bleu_first_reference"] + 10
    single, _ = found("--test", narrow)
    equal(single[0]["bleu"], columns[0]["bleu_first_reference"])
    varied = write(folder, "varied.tsv", table([three[0], three[1][:2]]))
    assert "nrefs:var|" in found("--test", varied)[0][0]["bleu_signature"]


@case
def references_of_another_file_are_named(folder):
    test = write(folder, "test.tsv", table(PAIRS))
    refs = write(folder, "refs.tsv", table([PAIRS[0], PAIRS[2], PAIRS[1]]))
    objects, said = found("--test", test, "--refs", refs)
    equal((objects[0]["lines"], objects[0]["unscored"]), (4, 3))
    equal(len(said), 4, said)
    assert "line 2: " in said[0] and "another source" in said[0], said
    assert "line 4: " in said[2] and "no such line" in said[2], said
    refs = write(folder, "more.tsv", table(PAIRS + PAIRS[:2]))
    objects, said = found("--test", test, "--refs", refs)
    equal(objects[0]["unscored"], 0)
    equal(len(said), 1)
    assert "2 lines more" in said[0], said


BAD = [(b"no tab here", "no tab"), (b"\tune source vide", "source is empty"),
       (b"an empty reference\t", "reference is empty"), (b"  \tblanc", "source is empty"),
       (b"a second one\tdeux\t\ttrois", "reference is empty"),
       (b"bad \xff bytes\tici", "UTF-8"), (b"a NUL \0 byte\tici", "NUL"),
       (b"x" * 5000 + b"\tlong", "5000 bytes"), (b"y " * 900 + b"\tlong", "tokens"),
       (b"", "no tab"), (b"z\t" + b"w" * 20000, "20002 bytes"),
       (b"many\t" + b"\t".join([b"ref"] * 65), "references")]


@case
def every_line_that_cannot_be_scored_is_named(folder):
    good = table(PAIRS[:1])
    lines = good + b"".join(line + b"\n" + good for line, _ in BAD)
    test = write(folder, "bad.tsv", lines)
    objects, said = found("-m", TINY, "--test", test)
    equal((objects[0]["lines"], objects[0]["unscored"]), (2 * len(BAD) + 1, len(BAD)))
    equal(len(said), len(BAD) + 1, said)
    for number, ((_, words), line) in enumerate(zip(BAD, said)):
        assert f"{test}: line {2 * number + 2}: " in line and words in line, line
    assert f"{len(BAD)} of {2 * len(BAD) + 1} lines" in said[-1], said[-1]
    clean, _ = found("-m", TINY, "--test", write(folder, "good.tsv", good * (len(BAD) + 1)))
    for name in ("bleu", "entropy_bits", "tokens"):
        equal(objects[0][name], clean[0][name], name)


@case
def every_gold_line_that_cannot_be_scored_is_named(folder):
    bad = [("one column", "1 columns"), ("a b\tc\t2-0", "leads outside"),
           ("a b\tc\t0-1", "leads outside"), ("a  b\tc\t0-0", "empty token"),
           ("a\tb\tx-y", "no link"), ("\tb\t0-0", "source is empty")]
    lines = [GOLD[0]] + [line for line, _ in bad] + [GOLD[1]]
    gold = write(folder, "gold.tsv", "\n".join(lines).encode())
    objects, said = found("--gold", gold)
    equal((objects[0]["gold"][0]["lines"], objects[0]["gold"][0]["unscored"],
           objects[0]["gold"][0]["pairs"]), (8, 6, 2))
    equal(len(said), len(bad) + 1)
    for number, ((_, words), line) in enumerate(zip(bad, said)):
        assert f"line {number + 2}: " in line and words in line, line


@case
def gold_alignments_are_scored_on_words(folder):
    gold = write(folder, "gold.tsv", "\n".join(GOLD).encode())
    objects, said = found("-m", DOT, "-m", NONE, "--gold", gold, "--max-tokens", "4")
    equal(len(said), 1)
    assert "rnnencdec has no attention" in said[0], said
    refused = evaluate("-m", NONE, "--gold", gold, code=1)
    assert "no links to score" in refused.said()[0] and not refused.out, refused.err
    scored = objects[0]["gold"][0]
    equal((scored["pairs"], scored["short"]["pairs"]), (3, 1))
    assert scored["links"] <= 14 and 0 <= scored["aer"] < 0.5, scored
    equal(objects[1]["gold"][0]["aer"], None)  # no attention
    without = objects[1]["gold"][0]
    equal((without["unscored"], without["pairs"]), (without["lines"], 0))
    natural, _ = found("-m", DOT, "--gold", gold, "--natural")
    assert natural[0]["natural"] and not objects[0]["natural"]
    assert natural[0]["gold"][0]["aer"] <= scored["aer"], (natural, scored)
    assert "posterior" not in scored
    known, _ = found("-m", DOT, "-m", NONE, "--gold", gold, "--posterior")
    after = known[0]["gold"][0].pop("posterior")
    equal(known[0]["gold"][0]["aer"], scored["aer"])
    equal(after["pairs"], 3)
    assert after["aer"] <= scored["aer"], (after, scored)
    assert "posterior" not in known[1]["gold"][0]
    strict, _ = found("-m", DOT, "--gold", gold, "--threshold", "1")
    equal((strict[0]["gold"][0]["links"], strict[0]["gold"][0]["aer"]), (0, 1))
    assert "test" not in strict[0]


@case
def gold_of_what_trace_shows_has_no_errors(folder):
    """Links made from trace's own matrix of words that are one piece each."""
    one = trace("--text", "The cat", "-m", DOT).objects()[0]
    target = "".join(one["target"][:-1]).replace("▁", " ").split()
    if len(target) == len(one["target"]) - 1:
        links = [f"{row.index(max(row[:-1]))}-{t}"
                 for t, row in enumerate(one["alpha"][:-1]) if max(row[:-1]) > 0.2]
        line = f"The cat\t{' '.join(target)}\t{' '.join(links)}\n"
        objects, _ = found("-m", DOT, "--gold", write(folder, "own.tsv", line.encode()))
        equal((objects[0]["gold"][0]["aer"], objects[0]["gold"][0]["links"]),
              (0, len(links)))
    else:
        raise AssertionError(f"the words are no longer one piece each: {one['target']}")


@case
def the_number_of_threads_changes_nothing(folder):
    test = write(folder, "test.tsv", table(PAIRS) + b"no tab\n" + table(DATES))
    gold = write(folder, "gold.tsv", "\n".join(GOLD + ["a\tb\t7-7"]).encode())
    args = ["-m", ADDITIVE, "-m", NONE, "--test", test, "--gold", gold, "--exact",
            "--joined"]
    one = found(*args, "--threads", "1")
    equal(found(*args, "--threads", "2"), one)
    equal(found(*args, "--threads", "7"), one)
    equal(len(one[0]), 2)
    equal(len(one[1]), 4, one[1])


@case
def joined_lines_are_longer_sentences(folder):
    test = write(folder, "test.tsv", table(PAIRS * 2 + [PAIRS[0]]))
    objects, _ = found("--test", test, "--joined")
    joined = objects[0]["bleu_by_joined"]
    equal(sorted(joined), ["1", "2", "3", "4", "5", "6"])
    equal(joined["1"][1], objects[0]["bleu"])
    words = [joined[k][0] for k in sorted(joined)]
    equal(words, sorted(words))
    pair = [" ".join(side) for side in zip(*PAIRS[:2])], [" ".join(side)
                                                        for side in zip(*PAIRS[2:])]
    by_hand = write(folder, "two.tsv", table(pair * 2))
    near(joined["2"][1], found("--test", by_hand)[0][0]["bleu"], 1e-3)
    long = write(folder, "long.tsv", table([("word " * 200, "mot")] * 2))
    objects, said = found("-m", TINY, "--test", long, "--joined")
    equal((objects[0]["unscored"], objects[0]["joined_unscored"]), (0, 1))
    assert "lines 1 to 2 joined" in said[0], said


@case
def standard_input_and_line_ends_and_a_byte_order_mark():
    wanted, _ = found("--test", "-", stdin=table(PAIRS))
    equal(wanted[0]["test"], "-")
    for data in (table(PAIRS)[:-1], table(PAIRS).replace(b"\n", b"\r\n"),
                 b"\xef\xbb\xbf" + table(PAIRS)):
        equal(found("--test", "-", stdin=data)[0], wanted)


@case
def a_table_for_people(folder):
    test = write(folder, "test.tsv", table(PAIRS))
    gold = write(folder, "gold.tsv", "\n".join(GOLD).encode())
    text = evaluate("-m", ADDITIVE, "-m", NONE, "--test", test, "--gold", gold).text()
    for words in ("test.tsv: 4 of 4 lines scored", "gold.tsv: 3 of 3 lines scored",
                  ADDITIVE, NONE, "1-10 words (4)", "AER, 1-12 tokens (3)",
                  "as sacreBLEU 2"):
        assert words in text, (words, text)
    out = os.path.join(folder, "out.txt")
    equal(evaluate("--gold", gold, "-o", out).out, b"")
    assert "AER" in open(out, encoding="utf-8").read()


@case
def what_cannot_be_read_or_scored_is_an_error(folder):
    test = write(folder, "test.tsv", table(PAIRS))
    missing = os.path.join(folder, "missing.tsv")
    sentence(evaluate("--test", missing, code=1), missing, command="evaluate")
    sentence(evaluate("--test", folder, code=1), folder, command="evaluate")
    sentence(evaluate("--test", test, "--gold", missing, code=1), missing,
             command="evaluate")
    sentence(evaluate("--test", test, "--refs", missing, code=1), missing,
             command="evaluate")
    sentence(evaluate("--test", test, "-m", "nonsense", code=1), "nonsense",
             command="evaluate")
    empty = write(folder, "empty.tsv", b"")
    sentence(evaluate("--test", empty, code=1), "nothing could be scored",
             command="evaluate")
    none = evaluate("--test", write(folder, "none.tsv", b"no tab\n"), code=1)
    equal(none.out, b"")
    equal(len(none.said()), 3, none.err)


@case
def wrong_usage_is_refused():
    for args in ([], ["--test"], ["--test", "a", "--threads", "0"],
                 ["--test", "a", "--threads", "65"], ["--test", "a", "--threads", "2x"],
                 ["--test", "a", "--threshold", "1.5"], ["--gold", "a", "--exact"],
                 ["--gold", "a", "--joined"], ["--gold", "a", "--refs", "b"],
                 ["--test", "a", "--threshold", "0.3"], ["--gold", "-", "--test", "-"],
                 ["--test", "a", "--max-tokens", "5"], ["--test", "a", "--natural"],
                 ["--test", "a", "--posterior"], ["--gold", "a", "--max-tokens", "0"],
                 ["--test", "a", "--format", "xml"], ["--test", "a", "b"],
                 ["--test", "a", "--tau", "-1"], ["--gold=a"] * 9,
                 ["--test", "a"] + ["--model=dates"] * 17):
        sentence(evaluate(*args, code=2), command="evaluate")
    assert "alphascope evaluate" in evaluate("--help").text()


@case
def a_long_stream_takes_no_more_memory(folder):
    peaks = []
    for count in (50, 200):  # all places are in use, and again
        name = write(folder, "stream.tsv", table(DATES * count))
        with open(name, "rb") as file:
            peaks.append(peak_kb("evaluate", "--model", "dates", "--test", "-",
                                 "--threads", "1", stdin=file))
    assert peaks[1] < peaks[0] + 3000, peaks


if __name__ == "__main__":
    assert DATA, "ALPHASCOPE_DATA is not set"
    sys.exit(main())
