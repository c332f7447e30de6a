# SPDX-License-Identifier: MIT
"""alphascope trace: what it says of one sentence, in every format, and its options."""
import math
import os
import re
import struct

from harness import (ADDITIVE, CAT, DATA, DOT, MODELS, NONE, TINY, case, equal, main, near,
                     one, run, sentence, trace, write)

FIELDS = ["text", "model", "tau", "mode", "source", "target", "source_spans",
          "translation", "scores", "alpha", "entropy_bits", "coverage", "p", "readings",
          "ended"]


def shown(pieces):
    """How a table labels the pieces of plain words."""
    return [{"</s>": "⏎", "▁": "␣"}.get(piece, piece.removeprefix("▁")) for piece in pieces]


def softmax(row, tau):
    top = max(row)
    powers = [math.exp((e - top) / tau) for e in row]
    return [p / sum(powers) for p in powers]


def check_shape(found):
    size, rows = len(found["source"]), len(found["target"])
    equal(len(found["source_spans"]), size)
    equal(len(found["p"]), rows)
    equal(len(found["coverage"]), size)
    for name in ("scores", "alpha", "entropy_bits"):
        equal(len(found[name]), rows, name)
    for row in found["scores"] + found["alpha"]:
        equal(len(row), size)


@case
def json_has_the_fields_and_their_shapes():
    found = one("--text", CAT)
    equal(sorted(found), sorted(FIELDS))
    equal((found["text"], found["model"], found["tau"], found["mode"], found["ended"]),
          (CAT, ADDITIVE, 1, "re-decode", "eos"))
    assert found["translation"].startswith("Le chat noir"), found["translation"]
    for side, text in (("source", CAT), ("target", found["translation"])):
        *pieces, end = found[side]
        equal(("".join(pieces).replace("▁", " ").strip(), end), (text, "</s>"))
    check_shape(found)


@case
def rows_sum_to_one_and_readouts_follow_from_them():
    found = one("--text", "I have seen that the old man reads a book in the garden.")
    size = len(found["source"])
    for row, bits in zip(found["alpha"], found["entropy_bits"]):
        near(sum(row), 1)
        assert min(row) >= 0
        near(bits, -sum(a * math.log2(a) for a in row if a > 0), 1e-4)
        assert 0 <= bits <= math.log2(size) + 1e-5
    for s, total in enumerate(found["coverage"]):
        near(total, sum(row[s] for row in found["alpha"]), 1e-4)
    assert all(0 < p <= 1 for p in found["p"])


@case
def readings_follow_from_alpha():
    found = one("--text", "Where is the station?")
    alpha, readings = found["alpha"], found["readings"]
    matrix, rows, columns = readings["matrix"], readings["rows"], readings["columns"]
    equal((len(rows), len(columns)), (len(alpha), len(found["source"])))
    for weights, row, bits, p in zip(alpha, rows, found["entropy_bits"], found["p"]):
        equal((row["entropy_bits"], row["peak"], row["p"]), (bits, max(weights), p))
        near(row["entropy_nats"], bits * math.log(2))
        near(row["effective_words"], 2 ** bits, 1e-4)
        equal((weights[row["peak_column"]], row["flags"]), (max(weights), []))
    totals = [sum(column) for column in zip(*alpha)]
    for total, column in zip(totals, columns):
        near(column["coverage"], total)
        near(column["coverage_deviation"], total - 1)
    for name, exponent in (("rikters_paper", 2), ("rikters_tool", 6)):
        equal(matrix[name]["exponent"], exponent)
        near(matrix[name]["coverage_deviation_penalty"],
             -sum(math.log(1 + abs(1 - c) ** exponent) for c in totals) / len(totals))
        near(matrix[name]["absentmindedness_out"],
             -sum(row["entropy_nats"] for row in rows) / len(rows))
        near(matrix[name]["confidence"],
             sum(matrix[name][part] for part in ("coverage_deviation_penalty",
                                                 "absentmindedness_out", "absentmindedness_in")))
    equal(found["source"][-2:], ["?", "</s>"])
    near(matrix["share_special"], totals[-1] / len(alpha))
    near(matrix["share_punctuation"], totals[-2] / len(alpha))
    near(matrix["share_last"], totals[-2] / len(alpha))


@case
def alpha_is_the_softmax_of_the_scores_over_tau():
    for tau in ("0.3", "1", "3"):
        for mode in ("re-read", "re-decode"):
            found = one("--text", CAT, "--tau", tau, "--mode", mode)
            for scores, alpha in zip(found["scores"], found["alpha"]):
                for a, b in zip(alpha, softmax(scores, float(tau))):
                    near(a, b)


@case
def spans_slice_what_was_typed():
    typed = "The  café's naïve cat, 42 years old, sleeps!"
    found = one("--text", typed)
    raw, last, whole = typed.encode(), 0, 0
    for piece, (begin, end) in list(zip(found["source"], found["source_spans"]))[:-1]:
        assert last <= begin <= end <= len(raw)
        last = begin
        sliced = raw[begin:end].decode().strip()
        if re.fullmatch("<0x[0-9A-F]{2}>", piece): # the last of a character's has its bytes
            assert sliced in ("", "é", "ï"), (piece, sliced)
            continue
        equal(sliced, piece.replace("▁", ""))
        whole += 1
    assert whole >= 10, found["source"]
    equal(found["source_spans"][-1], [len(raw), len(raw)])


@case
def numbers_come_back_as_the_same_float32():
    text = trace("--text", CAT).text()
    found = one("--text", CAT)
    for value in found["p"] + sum(found["alpha"], []) + sum(found["scores"], []):
        single = struct.unpack("f", struct.pack("f", value))[0]
        assert "%.9g" % single in text, value
        near(single, value, abs(value) * 1e-8)


@case
def rereading_at_one_is_the_plain_decoding():
    plain = one("--text", CAT)
    again = one("--text", CAT, "--tau", "1", "--mode", "re-read")
    equal(again.pop("mode"), "re-read")
    plain.pop("mode")
    equal(again, plain)


@case
def rereading_keeps_words_and_scores_and_decoding_again_may_not():
    plain = one("--text", CAT)
    again = one("--text", CAT, "--tau", "4", "--mode", "re-read")
    for name in ("target", "scores", "p", "translation"):
        equal(again[name], plain[name])
    assert again["alpha"] != plain["alpha"]
    inside = one("--text", CAT, "--tau", "4")
    equal(inside["mode"], "re-decode")
    assert inside["scores"] != plain["scores"]


@case
def tau_zero_is_one_hot():
    for mode in ("re-read", "re-decode"):
        found = one("--text", CAT, "--tau", "0", "--mode", mode)
        equal(found["tau"], 0)
        for scores, alpha in zip(found["scores"], found["alpha"]):
            equal(alpha, [float(s == scores.index(max(scores)))
                          for s in range(len(scores))])
        equal(set(found["entropy_bits"]), {0})


@case
def tau_infinite_is_uniform():
    for word in ("inf", "∞", "infinity"):
        for mode in ("re-read", "re-decode"):
            found = one("--text", CAT, "--tau", word, "--mode", mode)
            equal(found["tau"], "inf")
            for row in found["alpha"]:
                equal(len(set(row)), 1)
                near(row[0], 1 / len(row))


@case
def a_model_without_attention_has_nulls():
    found = one("--text", CAT, "--model", NONE)
    for name in ("scores", "alpha", "entropy_bits", "coverage"):
        equal(found[name], None)
    equal(len(found["p"]), len(found["target"]))
    again = trace("--text", CAT, "--model", NONE, "--tau", "3")
    sentence(again, "no attention")
    equal(again.objects()[0]["target"], found["target"])


@case
def every_bundled_model_traces():
    names = sorted(n for n in os.listdir(MODELS)
                   if os.path.exists(os.path.join(MODELS, n, "config.json")))
    assert len(names) >= 4, names
    for name in names:
        found = one("--text", CAT, "--model", name)
        equal((found["model"], found["tau"]), (name, 1))
        assert found["ended"] in ("eos", "limit") and found["target"]


@case
def a_model_is_an_id_a_directory_a_config_or_weights():
    wanted = one("--text", CAT, "--model", DOT)
    path = os.path.join(MODELS, DOT)
    for name in (path, path + "/", os.path.join(path, "config.json"),
                 os.path.join(path, "model.safetensors")):
        equal(one("--text", CAT, "-m", name), wanted, name)


@case
def options_may_be_written_in_several_ways():
    wanted = trace("--text", CAT, "--tau", "0.5", "--format", "tsv").out
    for args in (["--text=" + CAT, "--tau=0.5", "--format=tsv"],
                 ["-t", CAT, "--tau", "5e-1", "-ftsv"],
                 ["-t" + CAT, "--tau", "9", "--tau", ".5", "-f", "tsv", "--"]):
        equal(trace(*args).out, wanted)


@case
def tsv_is_the_matrix_with_its_labels():
    found = one("--text", CAT)
    lines = trace("--text", CAT, "--format", "tsv").lines()
    equal(lines[0].split("\t"), ["target"] + shown(found["source"]))
    equal([line.split("\t")[0] for line in lines[1:]], shown(found["target"]))
    for line, row in zip(lines[1:], found["alpha"]):
        equal([float(v) for v in line.split("\t")[1:]], row)
    lines = trace("--text", CAT, "-f", "tsv", "-m", NONE).lines()
    equal(lines[0], "target\tp")
    equal(len(lines[1].split("\t")), 2)


@case
def text_is_an_aligned_table_with_its_maxima_marked():
    found = one("--text", CAT)
    lines = trace("--text", CAT, "--format", "text").lines()
    equal(lines[0].split(), shown(found["source"]) + ["bits", "p(y)"])
    equal([line.split()[0] for line in lines[1:-2]], shown(found["target"]))
    equal(len({len(line) for line in lines[:-2]}), 1)
    for line, row, bits, p in zip(lines[1:], found["alpha"], found["entropy_bits"],
                                  found["p"]):
        cells = line.split()[1:]
        equal([c.endswith("*") for c in cells[:-2]],
              [s == row.index(max(row)) for s in range(len(row))])
        for text, value in zip(cells, row + [bits, p]):
            near(float(text.rstrip("*")), value, 0.00501)
    equal(lines[-2].split()[0], "coverage")
    matrix = found["readings"]["matrix"]
    assert f"entropy {matrix['entropy_bits']:.2f} bits" in lines[-1], lines[-1]
    assert f"confidence {matrix['rikters_paper']['percent']:.0f} %" in lines[-1], lines[-1]
    equal(len(lines), len(found["target"]) + 3)


@case
def text_without_attention_says_so():
    lines = trace("--text", CAT, "--format", "text", "--model", NONE).lines()
    assert "p(y)" in lines[0]
    assert "one fixed vector" in lines[-1] and "RNNencdec" in lines[-1]
    assert "*" not in "".join(lines)


@case
def a_blank_line_stands_between_sentences():
    for form in ("tsv", "text"):
        one_alone = trace("--text", "Hello.", "-f", form).text()
        other = trace("--text", "Yes.", "-f", form).text()
        both = trace("-f", form, stdin=b"Hello.\nYes.\n").text()
        equal(both, one_alone + "\n" + other)


@case
def output_goes_to_a_file(folder):
    for name, form in (("a.json", "json"), ("a.tsv", "tsv"), ("a.txt", "text"),
                       ("a.pharaoh", "pharaoh"), ("a.soft", "soft"), ("a.svg", "svg"),
                       ("a.pdf", "pdf"), ("a.PNG", "png")):
        path = os.path.join(folder, name)
        equal(trace("-m", TINY, "--text", CAT, "-o", path).out, b"")
        with open(path, "rb") as file:
            equal(file.read(), trace("-m", TINY, "--text", CAT, "--format", form).out)
        equal(os.stat(path).st_mode & 0o777, 0o666 & ~umask())
    equal(len(os.listdir(folder)), 8)
    equal(trace("--text", CAT, "-o", "/dev/stdout").out, trace("--text", CAT).out)


def umask():
    mask = os.umask(0)
    os.umask(mask)
    return mask


@case
def aligners_lines_are_those_of_the_matrix():
    text = b"The black cat sleeps.\n\nI would like a cup of coffee, please.\n"
    objects = trace(stdin=text).objects()
    hard = trace("-f", "pharaoh", stdin=text).lines()
    soft = trace("-f", "soft", stdin=text).lines()
    equal((len(hard), len(soft)), (3, 3))
    equal((hard[1], soft[1]), ("|||", "|||"))
    for found, pairs, groups in zip(objects, hard, soft):
        words = [piece for piece in found["target"] if piece != "</s>"]
        best = sorted((row.index(max(row)), t) for t, row in enumerate(found["alpha"]))
        wanted = [f"{s}-{t}" for s, t in best]
        equal(pairs.split(), words + ["|||"] + wanted)
        left, _, right = groups.partition("|||")
        equal(left.split(), words)
        equal([[float(x) for x in group.split(",")] for group in right.split()],
              found["alpha"])
    assert objects[0]["target"][-1] == "</s>" and re.search(
        r" \d+-%d( |$)" % (len(objects[0]["target"]) - 1), hard[0]), hard[0]


@case
def links_are_also_of_the_posterior():
    text = "The black cat sleeps.\tLe chat noir dort.\nIt is cold.\tIl fait froid.\n".encode()
    soft = trace("-f", "soft", "--force", "-", stdin=text).lines()
    after = trace("-f", "soft", "--force", "-", "--posterior", stdin=text).lines()
    hard = trace("-f", "pharaoh", "--force", "-", "--posterior", stdin=text).lines()
    equal((len(soft), len(after), len(hard)), (2, 2, 2))
    for before, now, pairs in zip(soft, after, hard):
        rows = [[float(x) for x in group.split(",")]
                for group in now.partition("|||")[2].split()]
        assert all(abs(sum(row) - 1) < 1e-5 for row in rows), rows
        equal(before.partition("|||")[0], now.partition("|||")[0])
        assert before != now
        equal(pairs.partition(" ||| ")[2].split(),
              [f"{s}-{t}" for s, t in
               sorted((row.index(max(row)), t) for t, row in enumerate(rows))])
    sentence(trace("-f", "soft", "--posterior", "-m", "en-fr-transformer", "--text", CAT,
                   code=2), "en-fr-transformer", "Transformer")


@case
def without_attention_nothing_is_aligned():
    for form in ("pharaoh", "soft"):
        result = trace("-f", form, "-m", NONE, "--text", CAT, code=2)
        sentence(result, "RNNencdec", "no attention")
        equal(result.out, b"")


@case
def a_failed_run_leaves_the_old_file(folder):
    path = write(folder, "a.png", b"old")
    result = run("trace", "-o", path, stdin=b"One.\nTwo.\n")
    equal(result.code, 2)
    with open(path, "rb") as file:
        equal(file.read(), b"old")
    equal(os.listdir(folder), ["a.png"])


@case
def wrong_usage_is_refused_with_a_hint():
    for args, word in (
            (["--posterior"], "--format pharaoh"),
            (["--posterior", "-f", "soft", "--beam", "2"], "--beam"),
            (["--posterior", "-f", "soft", "--mode", "re-read"], "--mode"),
            (["--tau", "-1"], "--tau"), (["--tau", "1e400"], "3.4e+38"),
            (["--tau", "1e-50"], "1.2e-38"), (["--tau", "nan"], "--tau"), (["--tau", ""], "--tau"),
            (["--tau", "1x"], "--tau"), (["--tau", "0x1"], "--tau"), (["--tau", "1 2"], "--tau"),
            (["--tau", "-inf"], "--tau"), (["--tau", "-0"], "--tau"),
            (["--tau"], "--tau"), (["--mode", "reread"], "re-read"),
            (["--format", "xml"], "tsv"), (["--format", ""], "tsv"),
            (["--scale", "9", "-f", "png"], "--scale"),
            (["--scale", "0.1", "-f", "png"], "--scale"),
            (["--scale", "nan", "-f", "png"], "--scale"),
            (["--scale", "2"], "png"), (["--theme", "light"], "png"),
            (["--theme", "blue", "-f", "png"], "dark"), (["-x"], "-x"),
            (["--nonsense"], "--nonsense"), (["word"], "word"), (["-o", ""], "-o"),
            (["-o", "a.gif"], "'.gif' is no ending of a format"),
            (["a", "b"], "'b'")):
        result = run("trace", *args)
        equal((result.code, result.out), (2, b""), args)
        sentence(result, word, "alphascope --help")


@case
def a_decimal_point_is_one_in_every_locale():
    wanted = trace("--text", CAT, "--tau", "0.5").out
    equal(trace("--text", CAT, "--tau", "0.5", env={"LC_ALL": "de_DE.UTF-8"}).out, wanted)


@case
def another_data_directory_is_found(folder):
    os.symlink(MODELS, os.path.join(folder, "models"))
    equal(trace("--text", CAT, env={"ALPHASCOPE_DATA": folder}).out,
          trace("--text", CAT, env={"ALPHASCOPE_DATA": DATA}).out)


PAPER = os.path.join(os.path.dirname(__file__), "..", "golden", "transformers", "paper")


def one_of_paper(*args):
    return one("--model", PAPER, "--text", "we ju", *args)


@case
def a_transformer_shows_the_mean_of_its_heads():
    found = one_of_paper()
    equal(found["attention"], {"kind": "cross", "layer": "mean", "head": "mean"})
    heads = [one_of_paper("--layer", str(layer), "--head", str(head))["alpha"]
             for layer in (1, 2) for head in (1, 2, 3, 4)]
    for t, row in enumerate(found["alpha"]):
        for s, mean in enumerate(row):
            near(mean, sum(alpha[t][s] for alpha in heads) / 8)
    equal(one_of_paper("--beam", "1")["alpha"], found["alpha"])


@case
def one_head_has_scores_and_is_read_again():
    found = one_of_paper("--layer", "2", "--head", "3", "--tau", "0.5", "--mode", "re-read")
    for e, alpha in zip(found["scores"], found["alpha"]):
        for a, b in zip(alpha, softmax(e, 0.5)):
            near(a, b)


@case
def the_mask_of_the_decoder_is_no_number():
    found = one_of_paper("--attention", "decoder", "--layer", "1", "--head", "max")
    equal(found["attention"],
          {"kind": "decoder", "layer": 1, "head": "max", "mask": "causal"})
    equal(found["source"], ["<s>"] + found["target"][:-1])
    for t, row in enumerate(found["alpha"]):
        assert None not in row[:t + 1] and set(row[t + 1:]) <= {None}
    found = one_of_paper("--attention", "encoder", "--head", "1")
    equal(found["source"], found["target"])


@case
def attention_there_is_not_is_said():
    for args, said in (
            (["--layer", "3"], "--layer is 3, the model's cross attention has 2"),
            (["--head", "0"], "--head is '0', expected a number from 1, mean or max"),
            (["--attention", "both"], "--attention"),
            (["--attention", "encoder", "--format", "pharaoh"], "links no source"),
            (["--attention", "encoder", "--mode", "re-read"], "in no other")):
        result = run("trace", "--model", PAPER, "--text", "we ju", *args)
        assert result.code and said in result.err.decode(), result.err
    result = run("trace", "--text", "we ju", "--head", "1")
    assert result.code and "RNNsearch has one attention" in result.err.decode()


@case
def a_transposed_table_has_the_numbers_of_its_own_axes():
    row = trace("--text", CAT).objects()[0]
    table = trace("--text", CAT, "--format", "text", "--transpose").lines()
    size = len(row["source"])
    assert table[0].split()[-2:] == ["Σ", "α"], table[0]
    for line, sum_of in zip(table[1:], row["coverage"]):
        near(float(line.split()[-1]), sum_of, 0.006)
    equal(table[size + 1].split()[0], "bits")
    for bits, wanted in zip(table[size + 1].split()[1:], row["entropy_bits"]):
        near(float(bits), wanted, 0.006)
    assert not any("Mean entropy" in line for line in table), table


@case
def rows_that_a_lens_cuts_have_the_entropy_of_what_is_left():
    for lens in (["--merge", "max"], ["--top", "2"]):
        row = trace("--text", CAT, *lens).objects()[0]
        for alpha, bits, read in zip(row["alpha"], row["entropy_bits"],
                                     row["readings"]["rows"]):
            p = [a / sum(alpha) for a in alpha if a > 0]
            near(bits, -sum(a * math.log2(a) for a in p), 1e-4)
            near(read["entropy_bits"], bits, 1e-6)
        assert row["readings"]["matrix"]["entropy_bits"] is None
        text = trace("--text", CAT, "--format", "text", *lens).text()
        assert "Mean entropy" not in text


@case
def a_table_says_which_weights_it_has():
    text = trace("--text", CAT, "-f", "text", "--tau", "0.5").text()
    assert "At τ = 0.5, re-decode." in text, text
    text = trace("--text", CAT, "-f", "text", "--tau", "inf", "--mode", "re-read").text()
    assert "At τ = ∞, re-read." in text, text
    assert "τ" not in trace("--text", CAT, "-f", "text").text()


main()
