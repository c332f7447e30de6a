# SPDX-License-Identifier: MIT
"""alphascope trace and evaluate with a beam, with a translation that is given, and with
dropout on α."""
import json
import math
import sys

from harness import (ADDITIVE, CAT, DOT, NONE, case, equal, main, near, one, run, sentence,
                     trace, write)

OWN = ("log_p", "score", "beam", "hypotheses")


def without(found, *names):
    return {name: value for name, value in found.items() if name not in names}


def score(hypothesis, length=0.6):
    return hypothesis["log_p"] / ((5 + len(hypothesis["target"])) / 6) ** length


@case
def a_beam_of_one_is_greedy():
    for model in (ADDITIVE, DOT, NONE, "dates"):
        greedy = one("-m", model, "--text", CAT)
        assert not set(OWN) & set(greedy), greedy
        beam = one("-m", model, "--text", CAT, "--beam", "1")
        equal(without(beam, *OWN), greedy)
        equal(beam["beam"], {"width": 1, "length": 0.6})
        near(beam["log_p"], sum(map(math.log, beam["p"])), 1e-4)


@case
def hypotheses_are_in_the_order_of_their_scores():
    found = one("--text", CAT, "--beam", "5", "--nbest", "4", "--length", "0.9")
    hypotheses = found["hypotheses"]
    equal(len(hypotheses), 4)
    equal(found["beam"], {"width": 5, "length": 0.9})
    for hypothesis in hypotheses:
        equal(hypothesis["ended"], "eos")
        near(hypothesis["score"], score(hypothesis, 0.9))
        near(hypothesis["log_p"], sum(map(math.log, hypothesis["p"])), 1e-4)
        for rows in (hypothesis["alpha"], hypothesis["scores"]):
            equal(len(rows), len(hypothesis["target"]))
    scores = [hypothesis["score"] for hypothesis in hypotheses]
    equal(scores, sorted(scores, reverse=True))
    equal(len({tuple(hypothesis["target"]) for hypothesis in hypotheses}), 4)
    for name, value in hypotheses[0].items():
        equal(found[name], value, name)


@case
def more_than_the_best_is_not_written_unasked():
    found = one("--text", CAT, "--beam", "5")
    assert "hypotheses" not in found
    equal(without(one("--text", CAT, "--beam", "5", "--nbest", "5"), "hypotheses"), found)


@case
def lines_are_those_of_an_nbest_list():
    texts = (CAT + "\n\nI see.\n").encode()
    beam = ("--beam", "3", "--nbest", "2")
    objects = trace(*beam, stdin=texts).objects()
    for format in ("pharaoh", "soft"):
        plain = trace("--format", format, "--beam", "3", stdin=texts).lines()
        lines = trace("--format", format, *beam, stdin=texts).lines()
        equal([line.split(" ||| ")[0] for line in lines], ["0", "0", "1", "2", "2"])
        for at, number in ((0, 0), (3, 2)):
            best = objects[number]["hypotheses"][0]
            _, words, links, features, total = lines[at].split(" ||| ")
            equal(f"{words} ||| {links}", plain[number])
            near(float(features.removeprefix("F0= ")), best["log_p"])
            near(float(total), best["score"])


@case
def tables_begin_with_their_line():
    hypotheses = one("--beam", "3", "--nbest", "2", "--text", CAT)["hypotheses"]
    for format in ("text", "tsv"):
        best = trace("--format", format, "--beam", "3", "--text", CAT).text()
        blocks = trace("--format", format, "--beam", "3", "--nbest", "2", "--text",
                       CAT).text().split("\n\n")
        equal(len(blocks), 2)
        equal(blocks[0].partition("\n")[2], best.removesuffix("\n"))
        for block, hypothesis in zip(blocks, hypotheses):
            number, words, features, total = block.split("\n")[0].split(" ||| ")
            equal((number, words.split()), ("0", hypothesis["target"][:-1]))
            near(float(features.removeprefix("F0= ")), hypothesis["log_p"])
            near(float(total), hypothesis["score"])


@case
def what_the_beam_says_can_be_forced():
    """Where the words are cut into the pieces that the model said."""
    found, same = one("--text", CAT, "--beam", "5", "--nbest", "5"), 0
    for hypothesis in found["hypotheses"]:
        forced = one("--text", CAT, "--force", hypothesis["translation"])
        equal(forced["translation"], hypothesis["translation"])
        if forced["target"] == hypothesis["target"]:
            same += 1
            for name in ("alpha", "scores", "p"):
                equal(forced[name], hypothesis[name], name)
    assert same, found["hypotheses"]


@case
def a_given_translation_has_its_own_alignment():
    given = "Le chien mange."
    forced = one("--text", CAT, "--force", given)
    equal(forced["translation"], given)
    equal(forced["target"][-1], "</s>")
    for row in forced["alpha"]:
        near(sum(row), 1, 1e-5)
    lines = trace("--force", "-", "--format", "pharaoh",
                  stdin=f"{CAT}\t{given}\nI see.\tJe\tvois.\n".encode()).lines()
    equal(len(lines), 2)
    equal(lines[0], trace("--text", CAT, "--force", given, "--format",
                          "pharaoh").lines()[0])
    result = trace("--force", "-", stdin=f"{CAT}\t{given}\nno tab\n{CAT}\ta\n".encode(),
                   code=1)
    equal(len(result.objects()), 1)
    sentence(result, "line 2: there is no tab")
    sentence(trace("--text", CAT, "--force", "z" * 4096, code=1), "--text: ", "4095")


@case
def dropout_is_seeded_and_said():
    off = one("--text", CAT)
    equal(one("--text", CAT, "--alpha-dropout", "0"), off)
    on = one("--text", CAT, "--alpha-dropout", "0.3", "--seed", "7")
    equal(on["alpha_dropout"], {"rate": 0.3, "seed": 7})
    equal(one("--text", CAT, "--alpha-dropout", "0.3", "--seed", "7"), on)
    assert one("--text", CAT, "--alpha-dropout", "0.3", "--seed", "8")["alpha"] != on["alpha"]
    # The first row of RNNsearch has the same scores: what did not fall is larger by 1/0.7.
    for dropped, weight in zip(on["alpha"][0], off["alpha"][0]):
        if dropped:
            near(dropped, weight / 0.7, 1e-6)
    fell = [weight for row in on["alpha"] for weight in row if weight == 0]
    assert fell
    flags = [flag["name"] for row in on["readings"]["rows"] for flag in row["flags"]]
    assert "row-sum" in flags, flags
    equal(one("--text", CAT, "--alpha-dropout", "0.3", "--seed", "7", "--mode",
              "re-read")["alpha"], on["alpha"])
    table = trace("--text", CAT, "--alpha-dropout", "0.3", "--format", "text").text()
    assert "Dropout 0.3 on α, seed 0: rows need not sum to 1." in table, table
    for bare in ("tsv", "pharaoh", "soft"):
        sentence(trace("--text", CAT, "--alpha-dropout", "0.3", "--format", bare),
                 "dropout 0.3 on α, seed 0")


@case
def evaluate_takes_a_beam(folder):
    test = write(folder, "test.tsv", "".join(
        f"{text}\tLe chat noir dort.\n" for text in (CAT, "I see.")).encode())
    greedy, beam, wide = (run("evaluate", "--test", test, "--format", "json", *more)
                          for more in ((), ("--beam", "1"), ("--beam", "4")))
    equal((greedy.code, beam.code, wide.code), (0, 0, 0), wide.err)
    first, second = greedy.objects()[0], beam.objects()[0]
    equal(second.pop("beam"), {"width": 1, "length": 0.6})
    for found in (first, second):
        found.pop("tokens_per_second")
    equal(first, second)
    equal(wide.objects()[0]["beam"]["width"], 4)


@case
def options_that_do_nothing_are_refused():
    for args, words in [
            (("--nbest", "2"), "--nbest does nothing without --beam"),
            (("--length", "1"), "--length does nothing without --beam"),
            (("--beam", "2", "--nbest", "3"), "a beam of 2"),
            (("--beam", "17"), "from 1 to 16"),
            (("--beam", "0"), "from 1 to 16"),
            (("--beam", "2", "--length", "9"), "from 0 to 5"),
            (("--beam", "2", "--force", "a"), "--force"),
            (("--beam", "2", "--nbest", "2", "--format", "png"), "not for pictures"),
            (("--seed", "2"), "--seed does nothing without --alpha-dropout"),
            (("--alpha-dropout", "1"), "from 0 to 0.99"),
            (("--force", "-"), "not --text"),
            (("--threads", "2"), "standard input")]:
        sentence(trace("--text", CAT, *args, code=2), words)
    sentence(trace("--force", "a", code=2), "--force is for --text")
    sentence(run("evaluate", "--test", "x", "--length", "1"), "without --beam",
             command="evaluate")
    sentence(run("evaluate", "--gold", "x", "--beam", "2"), "--beam does nothing",
             command="evaluate")


@case
def nothing_is_aligned_without_attention():
    sentence(trace("-m", NONE, "--text", CAT, "--beam", "2", "--nbest", "2", "--format",
                   "pharaoh", code=2), "has no attention")
    found = json.loads(trace("-m", NONE, "--text", CAT, "--beam", "2", "--nbest",
                             "2").text())
    equal([hypothesis["alpha"] for hypothesis in found["hypotheses"]], [None, None])


if __name__ == "__main__":
    sys.exit(main())
