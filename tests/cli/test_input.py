# SPDX-License-Identifier: MIT
"""alphascope trace: streams, and everything that input and output can do wrong."""
import json
import os
import pty
import re
import signal
import subprocess
import time

from harness import (CAT, PROGRAM, TINY, TINY_NONE, case, copy_model, equal, huge_model, main, one, peak_kb,
                     run, sentence, shell, trace, write)

WORD = "abba" # for the small model that copies
LINES = ["The black cat sleeps.", "I am tired.", "", "Where is the station?", "He reads.",
         "ሰላም 你好", "She has two dogs and a cat.", "  ", "It is raining."]


@case
def a_stream_is_its_sentences_in_order():
    found = trace(stdin="\n".join(LINES).encode()).objects()
    equal([f["text"] for f in found], LINES)
    for line, answer in zip(LINES, found):
        equal(answer, one("--text", line))


@case
def each_line_is_answered_before_the_next_is_sent():
    with subprocess.Popen([PROGRAM, "trace"], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE) as child:
        for text in ("Hello.", "", "Yes."):
            child.stdin.write(text.encode() + b"\n")
            child.stdin.flush()
            equal(json.loads(child.stdout.readline())["text"], text)
        child.stdin.close()
        equal(child.stdout.read(), b"")
    equal(child.returncode, 0)


@case
def line_ends_of_every_kind():
    for raw, wanted in ((b"Hi.\r\nYes.\r\n", ["Hi.", "Yes."]), (b"Hi.", ["Hi."]),
                        (b"Hi.\r", ["Hi."]), (b"", []), (b"\n", [""]), (b"\r\n", [""]),
                        (b"Hi.\n\n", ["Hi.", ""]), (b"\xef\xbb\xbfHi.\n", ["Hi."])):
        result = trace("-m", TINY, stdin=raw)
        equal([f["text"] for f in result.objects()], wanted, raw)
        equal(result.err, b"")


@case
def empty_and_blank_text_decode_nothing():
    for text in ("", " ", "\t\n", "\u3000\u00a0"):
        found = one("--text", text, "-m", TINY)
        equal((found["ended"], found["translation"]), ("empty", ""))
        for name in ("source", "target", "alpha", "scores", "p", "coverage"):
            equal(found[name], [])
    equal(trace("--text", "", "-f", "text").text(), "(empty: nothing to translate)\n")


@case
def a_hundred_thousand_characters_are_cut_and_said():
    result = trace("--text", ("all work and no play " * 5000)[:100000], "-m",
                   TINY_NONE)
    found = result.objects()[0]
    kept = len(found["text"].encode())
    assert kept <= 4096
    equal(found["cut_bytes"], 100000 - kept)
    assert str(100000 - kept) in result.said()[0], result.err
    assert len(found["source"]) <= 513


@case
def more_tokens_than_fit_are_cut_and_said():
    result = trace("-m", TINY_NONE, stdin=b"Yes.\n" + b"1 " * 600 + b"\nNo.\n")
    found = result.objects()
    equal([len(f["source"]) > 500 for f in found], [False, True, False])
    assert found[1]["cut_tokens"] > 0 and "cut_bytes" not in found[1]
    sentence(result, "line 2", "tokens")
    equal(found[2], one("--text", "No.", "-m", TINY_NONE))


@case
def a_cut_falls_between_clusters():
    flag, family = "🇫🇷", "👩‍👩‍👧‍👦"
    for cluster in ("é", "e\u0301", "你", flag, family):
        found = trace("-m", TINY_NONE, stdin=("x" + cluster * 4000).encode()).objects()[0]
        kept = found["text"]
        equal(kept, "x" + cluster * ((len(kept) - 1) // len(cluster)))
        equal(found["cut_bytes"], len(("x" + cluster * 4000).encode()) -
              len(kept.encode()))


@case
def invalid_utf8_is_repaired_and_said():
    result = trace("--text", b"caf\xe9 \xff\xfe cat")
    equal(result.objects()[0]["text"], "caf\ufffd \ufffd\ufffd cat")
    sentence(result, "--text", "UTF-8", "3")
    result = trace(stdin=b"fine\n\xc3\x28 \xe2\x82\nfine\n\xed\xa0\x80\n")
    equal([f["text"] for f in result.objects()][1], "\ufffd( \ufffd")
    equal([line.split(": ")[1] for line in result.said()], ["line 2", "line 4"])


@case
def unknown_words_keep_what_was_typed():
    found = one("--text", "ሰላም 你好", "-m", TINY)
    assert "ሰላም" in found["source"] and "你好" in found["source"], found["source"]
    raw = "ሰላም 你好".encode()
    equal([found["source"][index] for index in found["source_unknown"]], ["ሰላም", "你好"])
    for index in found["source_unknown"]:
        begin, end = found["source_spans"][index]
        equal(raw[begin:end].decode().strip(), found["source"][index])
    for form in ("text", "tsv"):
        head = trace("--text", "ሰላም 你好", "-f", form, "-m", TINY).lines()[0]
        assert "ሰላም" in head and "你好" in head, head


@case
def what_is_not_a_word_is_there_whole_or_in_bytes():
    """Whatever the vocabulary of the bundled model does with it, nothing gets lost."""
    text = "ሰላም 你好 \u202e"
    source = one("--text", text)["source"]
    equal(source.pop(), "</s>")
    pieces = [bytes.fromhex(piece[3:5]) if re.fullmatch("<0x[0-9A-F]{2}>", piece)
              else piece.encode() for piece in source]
    equal(b"".join(pieces).replace("▁".encode(), b" ").strip().decode(), text)


@case
def odd_characters_go_through_every_format():
    texts = ["a\tb", "a\nb", "مرحبا بالعالم", "👩‍👩‍👧‍👦 sleeps", "e\u0301te\u0301", "\u202eabc",
             "\"quoted\" \\ back", "½ ﷺ ﬁ", "a\u0000b".replace("\0", "\x01"), "<s> </s> <unk>"]
    for text in texts:
        found = one("--text", text, "-m", TINY)
        assert found["ended"] in ("eos", "limit")
        equal(found["text"], re.sub("[\t\n\x01]", " ", text))
        head, *rows = trace("--text", text, "-m", TINY, "-f", "tsv").lines()
        equal(len(head.split("\t")), len(found["source"]) + 1)
        equal(len(rows), len(found["target"]))
        table = trace("--text", text, "-m", TINY, "-f", "text").text()
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f]", table)
    found = trace("-m", TINY, stdin=b"a\0b\n\0\0\nc\td\n").objects()
    equal([f["text"] for f in found], ["a b", " ", "c d"])


@case
def a_missing_or_broken_model_is_one_sentence(folder):
    broken = copy_model(folder)
    weights = os.path.join(broken, "model.safetensors")
    with open(weights, "rb") as file:
        data = file.read()
    for bad, word in ((data[:-100], "safetensors"), (data + b"x", "safetensors"),
                      (b"version https://git-lfs.github.com/spec/v1\noid x\n", "git-lfs"),
                      (b"", "safetensors")):
        write(broken, "model.safetensors", bad)
        result = trace("--text", CAT, "--model", broken, code=1)
        sentence(result, word)
        equal(result.out, b"")
    os.remove(weights)
    for path in (broken, weights, os.path.join(folder, "nowhere"), "no-such-id", folder, ""):
        result = trace("--text", CAT, "--model", path, code=1)
        sentence(result)
        equal(result.out, b"")


@case
def output_that_cannot_be_written_is_said(folder):
    for path in (os.path.join(folder, "no", "where.json"), folder, "/dev/full"):
        result = trace("-m", TINY, "--text", CAT, "-o", path, code=1)
        sentence(result, path)
    equal(os.listdir(folder), [])
    for form in ("json", "tsv", "text"):
        with open("/dev/full", "wb") as full:
            result = trace("-f", form, "-m", TINY, stdin=b"Hello.\nYes.\n", stdout=full, code=1)
            sentence(result, "standard output", "space")


@case
def closed_descriptors_are_said(folder):
    result = shell('"$0" trace <&-')
    equal((result.code, result.out), (1, b""))
    sentence(result, "standard input is closed")
    result = shell('"$0" trace --text hello >&-')
    equal(result.code, 1)
    sentence(result, "standard output")
    path = os.path.join(folder, "a.json")
    equal(shell('"$0" trace --text hello -o "$1" <&- >&- 2>&-', path).code, 0)
    with open(path, "rb") as file:
        equal(file.read(), trace("--text", "hello").out)
    equal(shell('"$0" trace --text hello --tau 2 -m en-fr-rnnencdec 2>&-').code, 0)


@case
def a_reader_that_leaves_ends_it_quietly():
    with subprocess.Popen([PROGRAM, "trace", "-m", TINY], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        child.stdin.write(b"Hello.\n")
        child.stdin.flush()
        json.loads(child.stdout.readline())
        child.stdout.close()
        try:
            child.stdin.write(b"Hello.\n" * 100)
            child.stdin.close()
        except BrokenPipeError:
            pass
        equal(child.stderr.read(), b"")
    equal(child.returncode, 1)
    result = shell('yes Hello. | "$0" trace -m "$1" | head -1', TINY)
    equal((len(result.lines()), result.err), (1, b""))


@case
def a_non_blocking_pipe_is_waited_for():
    read_end, write_end = os.pipe()
    os.set_blocking(write_end, False)
    child = subprocess.Popen([PROGRAM, "trace", "-m", TINY, "--text", "1 " * 60],
                             stdout=write_end)
    os.close(write_end)
    time.sleep(0.5)
    with os.fdopen(read_end, "rb") as file:
        found = json.loads(file.read())
    equal(child.wait(), 0)
    assert len(json.dumps(found["alpha"])) > 1 << 17 # more than a pipe holds
    equal(len(found["alpha"]), len(found["target"]))


def stream_of(folder, count):
    return open(write(folder, f"{count}.txt", (WORD + "\n").encode() * count), "rb")


@case
def memory_does_not_grow_with_the_stream(folder):
    answers = os.path.join(folder, "out.json")
    with stream_of(folder, 100) as short, stream_of(folder, 2000) as long, \
            open(answers, "wb") as out:
        few = peak_kb("trace", "-m", "copy", stdin=short)
        many = peak_kb("trace", "-m", "copy", stdin=long, stdout=out)
    with open(answers, "rb") as out:
        lines = out.read().split(b"\n")
    equal((len(lines), set(lines)),
          (2001, {trace("-m", "copy", "--text", WORD).out[:-1], b""}))
    assert many < few + 16 * 1024, f"{few} kB for 100 lines, {many} kB for 2000"


@case
def memory_does_not_grow_with_the_line(folder):
    path = write(folder, "line.txt", b"\0" * (64 << 20) + b"\nYes.\n")
    with open(path, "rb") as file, stream_of(folder, 2) as short:
        few = peak_kb("trace", "-m", TINY, stdin=short)
        many = peak_kb("trace", "-m", TINY, stdin=file)
    assert many < few + 16 * 1024, f"{few} kB for a short line, {many} kB for a long one"
    with open(path, "rb") as file:
        found = trace("-m", TINY, stdin=file)
    equal([f["text"].strip() for f in found.objects()], ["", "Yes."])
    sentence(found, "line 1", "bytes")


@case
def progress_is_for_a_terminal_and_a_long_stream():
    leader, follower = pty.openpty()
    with subprocess.Popen([PROGRAM, "trace"], stdin=subprocess.PIPE, stderr=follower,
                          stdout=subprocess.PIPE) as child:
        child.stdin.write(b"Hello.\n")
        child.stdin.flush()
        child.stdout.readline()
        time.sleep(1.2)
        child.stdin.write(b"Hello.\n")
        child.stdin.close()
        child.stdout.read()
    os.close(follower)
    shown = os.read(leader, 4096).decode()
    os.close(leader)
    assert re.search(r"\r2 lines, [0-9.]+ lines/s", shown), shown
    equal(trace(stdin=b"Hello.\nYes.\n").err, b"")


@case
def unknown_pieces_are_the_very_bytes_typed():
    for text in ("a \u202e b", "\u202eabc", "e\u0301te\u0301 \u0301x", "a\u3000b"):
        raw = text.encode()
        for model, least in (("en-fr-bahdanau", 0), ("dates", 1), (TINY, 1)):
            found = one("--text", text, "-m", model)
            unknown = found.get("source_unknown", [])
            assert len(unknown) >= least, found
            for index in unknown:
                begin, end = found["source_spans"][index]
                piece = raw[begin:end].decode()
                equal(found["source"][index], piece.strip() or piece)
    equal(one("--text", "a\u3000b", "-m", "dates")["source"], ["a", "\u3000", "b", "</s>"])
    assert "\u202e" in one("--text", "a \u202e b", "-m", TINY)["source"]


@case
def numbers_that_are_not_finite_are_said(folder):
    for tensor, word in (("attention.key.weight", "memory"), ("tgt_embed.weight", "row 1 "),
                         ("attention.v.weight", "row 1 ")):
        path = huge_model(folder, tensor)
        result = trace("-m", path, stdin=b"ab\n\nba\n", code=1)
        for found, text in zip(result.objects(), ("ab", "", "ba")):
            equal(found["text"], text)
            equal(found["ended"], "not-finite" if text else "empty")
            equal((found["alpha"], found["scores"], found["p"], found["target"]),
                  ([], [], [], []))
            readings = found.pop("readings")
            equal((readings["rows"], readings["matrix"]["entropy_bits"]), ([], None))
            assert "null" not in json.dumps(found), found
        equal(len(result.said()), 2)
        for line, said in zip((1, 3), result.said()):
            assert said.startswith(f"alphascope trace: line {line}: huge-"), said
            assert word in said and "not finite" in said, said
        for form in ("tsv", "text", "pharaoh", "soft", "png", "svg", "pdf"):
            result = trace("-m", path, "-f", form, "--text", "ab", code=1)
            sentence(result, "--text", os.path.basename(path), "not finite")
            assert b"nan" not in result.out and b"inf " not in result.out
        test = write(folder, "pairs.tsv", b"ab\tba\nb\ta\n")
        result = run("evaluate", "-m", path, "--test", test)
        equal((result.code, result.out), (1, b""))
        said = result.said()
        assert "line 1: huge-" in said[0] and "line 2: huge-" in said[1], said
        assert word in said[0], said


@case
def a_signal_leaves_the_file_as_it_was(folder):
    path = write(folder, "out.json", b"old")
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        # Whoever runs the tests may ignore a signal, and that is inherited.
        with subprocess.Popen([PROGRAM, "trace", "-o", path], stdin=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, preexec_fn=lambda n=number:
                              signal.signal(n, signal.SIG_DFL)) as child:
            while len(os.listdir(folder)) < 2:
                assert child.poll() is None
                time.sleep(0.01)
            child.send_signal(number)
            equal(child.wait(60), -number)
        equal(os.listdir(folder), ["out.json"])
        with open(path, "rb") as file:
            equal(file.read(), b"old")


@case
def an_ignored_signal_stays_ignored(folder):
    path = os.path.join(folder, "out.json")
    with subprocess.Popen([PROGRAM, "trace", "-o", path], stdin=subprocess.PIPE,
                          preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)
                          ) as child:
        while not os.listdir(folder):
            assert child.poll() is None
            time.sleep(0.01)
        child.send_signal(signal.SIGHUP)
        child.stdin.close()
        equal(child.wait(60), 0)
    equal(os.listdir(folder), ["out.json"])


@case
def a_link_is_written_through(folder):
    os.mkdir(os.path.join(folder, "there"))
    target = os.path.join(folder, "there", "out.json")
    link = os.path.join(folder, "link")
    os.symlink("there/out.json", link)
    for _ in range(2): # to nothing yet, then to a file
        trace("-m", TINY, "--text", CAT, "-o", link)
        equal(os.readlink(link), "there/out.json")
        assert not os.path.islink(target)
        with open(target, "rb") as file:
            equal(file.read(), trace("-m", TINY, "--text", CAT).out)
    equal(os.listdir(os.path.dirname(target)), ["out.json"])
    loop = os.path.join(folder, "loop")
    os.symlink(loop, loop)
    sentence(trace("-m", TINY, "--text", CAT, "-o", loop, code=1), "loop")


@case
def what_is_finite_is_answered_all_the_same(folder):
    unknown = 3 # its row is read for characters that the model does not know
    path = huge_model(folder, "src_embed.weight", unknown)
    result = trace("-m", path, stdin="ab\n你\nba\n".encode(), code=1)
    ends = [found["ended"] == "not-finite" for found in result.objects()]
    equal(ends, [False, True, False])
    sentence(result, "line 2: huge-", "not finite")
    test = write(folder, "pairs.tsv", "ab\tba\n你\tb\nba\tab\n".encode())
    result = run("evaluate", "-m", path, "--test", test, "--format", "json")
    equal(result.code, 1)
    assert "line 2: huge-" in result.said()[0], result.err
    found = result.objects()[0]
    equal((found["lines"], found["unscored"]), (3, 1))


main()
