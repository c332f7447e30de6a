# SPDX-License-Identifier: MIT
"""alphascope inspect, models and --help; pictures; the man page."""
import json
import os
import pty
import re
import resource
import shutil
import signal
import struct
import subprocess
import xml.etree.ElementTree
import zlib

from harness import (ADDITIVE, CAT, DATA, DOT, MODELS, NONE, PROGRAM, SMALL, TINY, case,
                     copy_model, equal, main, one, run, sentence, shell, trace, write)

MAN = os.path.join(DATA, "assets", "man", "alphascope.1")


def inspect(path, code=0):
    result = run("inspect", path)
    equal(result.code, code, result.err)
    return result


def refused(path, *words):
    result = inspect(path, 1)
    equal(len(result.said()), 1, result.err)
    for word in words:
        assert word in result.said()[0], (word, result.err)
    return result.text()


def safetensors(header, data=b""):
    return struct.pack("<Q", len(header)) + header + data


@case
def inspect_lists_the_tensors_of_a_file():
    path = os.path.join(MODELS, ADDITIVE, "model.safetensors")
    with open(path, "rb") as file:
        size = struct.unpack("<Q", file.read(8))[0]
        header = json.loads(file.read(size))
    header.pop("__metadata__", None)
    text = inspect(path).text()
    listed = re.findall(r"^(\S+) +(\S+) +(\d+(?: x \d+)*) +([\d,]+)$", text, re.M)
    equal([row[0] for row in listed], sorted(header))
    total = 0
    for name, dtype, shape, size in listed:
        begin, end = header[name]["data_offsets"]
        dims = [int(d) for d in shape.split(" x ")]
        equal((dtype, dims, int(size.replace(",", ""))),
              (header[name]["dtype"], header[name]["shape"], end - begin))
        total += (end - begin) // 2
    assert f"{total:,} parameters in {len(header)} tensors" in text
    assert f"{os.path.getsize(path):,} bytes" in text


@case
def inspect_tells_the_facts_of_a_model():
    for name, words in ((ADDITIVE, ["RNNsearch", "Bahdanau", "additive", "tanh", "English"]),
                        (DOT, ["Luong dot", "sᵀ h"]), (NONE, ["RNNencdec", "no attention"])):
        path = os.path.join(MODELS, name)
        text = inspect(path).text()
        with open(os.path.join(path, "config.json"), encoding="utf-8") as file:
            config = json.load(file)
        numbers = [config[k] for k in ("embedding", "encoder_hidden", "decoder_hidden",
                                       "source_vocab", "target_vocab")]
        for word in words + [str(n) for n in numbers]:
            assert word in text, (name, word)
        with open(os.path.join(path, "report.json"), encoding="utf-8") as file:
            assert str(json.load(file)["test_bleu_greedy"]) in text
        equal(inspect(os.path.join(path, "config.json")).text(), text)


@case
def inspect_does_without_a_report(folder):
    path = copy_model(folder)
    os.remove(os.path.join(path, "report.json"))
    assert "report" not in inspect(path).text()
    write(path, "report.json", b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n")
    refused(path, "report.json", "git-lfs")
    write(path, "report.json", b"[1, 2")
    assert "Luong dot" in refused(path, "report.json")


@case
def inspect_knows_a_kind_by_its_bytes(folder):
    def zipped(name):
        return b"PK\3\4" + b"\0" * 22 + struct.pack("<HH", len(name), 0) + name
    kinds = (
        ("a.safetensors", b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n",
         "git-lfs"),
        ("b.npz", zipped(b"arr_0.npy"), "NumPy"), ("c.pt", zipped(b"m/data.pkl"), "PyTorch"),
        ("d.zip", zipped(b"x.txt"), "zip"), ("e.zip", b"PK\3\4", "zip"),
        ("f.keras", zipped(b"metadata.json"), "Keras"), ("g.pt", b"\x80\2\x8a\nl", "pickle"),
        ("h.h5", b"\x89HDF\r\n\x1a\nxx", "HDF5"), ("i.npy", b"\x93NUMPY\1\0", "NumPy"),
        ("j.gguf", b"GGUF\3\0\0\0", "GGUF"), ("k", b"", "empty"), ("l", b"hello\n", "no kind"))
    for name, data, word in kinds:
        text = refused(write(folder, name, data), name, word)
        assert name in text, (name, text)
    for name in ("c.pt", "g.pt"):
        refused(os.path.join(folder, name), "never unpickled")
    text = inspect(os.path.join(MODELS, ADDITIVE, "source.spm")).text()
    with open(os.path.join(MODELS, ADDITIVE, "config.json"), encoding="utf-8") as file:
        count = json.load(file)["source_vocab"]
    assert f"a SentencePiece model, {count} pieces" in text, text
    assert "answer" in inspect(write(folder, "m.json", b'{"answer": 42}')).text()
    refused(write(folder, "n.json", b"[1]"), "object")


@case
def inspect_shows_what_it_can_of_a_refused_file(folder):
    tensor = b'{"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}'
    cases = ((safetensors(tensor, b"\0" * 7), "w"), (safetensors(tensor, b"\0" * 9), "w"),
             (safetensors(tensor)[:20], "header claims"), (safetensors(b"{"), "header claims"),
             (safetensors(tensor.replace(b"F32", b"F99"), b"\0" * 8), "F99"),
             (struct.pack("<Q", 1 << 31) + b"{}", "2,147,483,648"))
    for number, (data, word) in enumerate(cases):
        path = write(folder, f"{number}.safetensors", data)
        assert word in refused(path, f"{number}.safetensors"), number
    path = copy_model(folder)
    with open(os.path.join(path, "config.json"), "r+", encoding="utf-8") as file:
        text = file.read().replace('"dot"', '"cosine"')
        file.seek(0)
        file.write(text)
    text = refused(path, "score", "cosine")
    assert "encoder_hidden" in text and "parameters" in text, text
    os.remove(os.path.join(path, "config.json"))
    refused(path, "config.json")


@case
def a_file_of_any_size_is_inspected(folder):
    for name, data, word in (("a.safetensors", safetensors(b"{}"), "limit"),
                             ("b.zip", b"PK\3\4", "zip"), ("c", b"hello", "no kind")):
        path = write(folder, name, data)
        os.truncate(path, 1 << 38)
        assert "274,877,906,944 bytes" in refused(path, name, word)


@case
def inspect_keeps_the_terminal_clean(folder):
    name = '"\\u001b[31mred\\u0007"'
    tensor = b'{%s:{"dtype":"F32","shape":[1],"data_offsets":[0,9]}}' % name.encode()
    result = run("inspect", write(folder, "e.safetensors", safetensors(tensor, b"\0" * 9)))
    equal(result.code, 1)
    assert b"\x1b" not in result.out + result.err and b"\x07" not in result.out + result.err


@case
def inspect_refuses_what_is_not_there(folder):
    sentence(inspect(os.path.join(folder, "no"), 1), "no", command="inspect")
    refused(folder, "config.json")
    equal(inspect("/dev/null", 1).out, b"")
    for args in ([], ["a", "b"], ["--wrong"]):
        result = run("inspect", *args)
        equal((result.code, result.out), (2, b""))
        sentence(result, "--help", command="inspect")


@case
def models_lists_what_is_bundled():
    table = run("models")
    rows = [json.loads(line) for line in run("models", "--format", "json").lines()]
    equal(rows[0]["score"], "additive")
    assert {ADDITIVE, DOT, NONE} <= {row["id"] for row in rows}
    equal(len(table.lines()), len(rows) + 1)
    for row, line in zip(rows, table.lines()[1:]):
        for word in (row["id"], row["name"], row["score"], row["languages"],
                     f"{row['parameters']:,}", row["path"]):
            assert word in line, (word, line)
        assert f"{row['parameters']:,} parameters" in inspect(row["path"]).text()


@case
def models_counts_what_it_cannot_read(folder):
    os.mkdir(os.path.join(folder, "models"))
    env = {"ALPHASCOPE_DATA": folder}
    result = run("models", env=env)
    equal(result.code, 1)
    sentence(result, "no model", command="models")
    copy_model(os.path.join(folder, "models"))
    broken = copy_model(os.path.join(folder, "models"), NONE)
    write(broken, "config.json", b"{")
    result = run("models", env=env)
    equal((result.code, len(result.lines())), (0, 2))
    assert "1 directory" in result.said()[0], result.err


@case
def a_folder_that_is_no_model_hides_none_in_silence(folder):
    os.mkdir(os.path.join(folder, "dates"))
    result = run("trace", "-m", "dates", "--text", "3 May 1979", cwd=folder)
    equal(result.code, 1)
    sentence(result, "dates/config.json", "the bundled model of this name is")


@case
def an_installed_program_uses_its_own_data(folder):
    def where(program, data=""):
        rows = run("models", "--format", "json", program=program,
                   env={"ALPHASCOPE_DATA": data}).lines()
        return {os.path.dirname(json.loads(row)["path"]) for row in rows}
    folder = os.path.realpath(folder)
    program = os.path.join(folder, "usr", "bin", "alphascope")
    share = os.path.join(folder, "usr", "share", "alphascope")
    os.makedirs(os.path.dirname(program))
    shutil.copy(PROGRAM, program)
    assert where(program) == where(PROGRAM) != set() # where it was built
    os.makedirs(os.path.join(share, "models"))
    copy_model(os.path.join(share, "models"))
    link = os.path.join(folder, "link")
    os.symlink(program, link)
    for name in (program, link):
        equal(where(name), {os.path.join(share, "models")})
    assert os.path.join(share, "models") not in where(program, DATA)


@case
def nothing_is_written_into_a_full_device():
    for args in ("models", "inspect " + os.path.join(MODELS, DOT)):
        result = shell(f'"$0" {args} > /dev/full')
        equal(result.code, 1)
        sentence(result, "space", command=args.split()[0])
    result = shell('"$0" --help > /dev/full')
    assert b"space" in result.err


@case
def bench_takes_a_model_as_the_others_do(folder):
    path = copy_model(folder)
    write(path, "config.json", b'{"format": 1}')
    for model in (path, os.path.join(path, "config.json")):
        result = run("bench", model)
        equal(result.code, 1)
        assert "config.json: field 'format' is 1" in result.said()[0], result.err
    result = run("bench", "no-such-model")
    equal(result.code, 1)
    assert "no model 'no-such-model'" in result.said()[0], result.err


@case
def bench_measures_all_of_a_model():
    """Every line is there, and its numbers agree with each other and with --times."""
    model = os.path.join(SMALL, "tiny-additive-f32")
    for bad in ("0", "201", "x"):
        equal(run("bench", model, "--times", bad).code, 2)
    text = run("bench", model, "--times", "4", env={"SDL_VIDEODRIVER": "dummy"}).text()
    lines = [line.strip() for line in text.split("\n")]

    def numbers(begin, pattern):
        found = [re.search(pattern, line) for line in lines if line.startswith(begin)]
        assert len(found) == 1 and found[0], (begin, text)
        values = [float(value) for value in found[0].groups()]
        assert all(value > 0 for value in values), (begin, text)
        return values

    assert re.fullmatch(r"model tiny-additive-f32, kernels \S+, \d+ cores?", lines[0]), lines[0]
    roof = numbers("read, nothing else", r"([\d.]+) us .* 100 %")[0]
    assert numbers("all products", r"([\d.]+) us")[0] >= roof
    for begin in ("scores", "softmax", "context", "gates", "sum of exp"):
        numbers(begin, r"([\d.]+) us$")
    for begin in ("target token: the words", "target token: words, e", "source token: the encoder"):
        numbers(begin, r"([\d.]+) us")
    for count in ("20", "100", "500"):
        _, token, attention = numbers(count + " ", r"([\d.]+) +([\d.]+) +([\d.]+)$")
        assert token >= attention
    for what in ("words and alpha", "and p"):
        numbers("1 thread:  " + what, r"([\d.]+) sentences/s +([\d.]+) target tokens/s +([\d.]+) us")
    for begin in ("start to", "key to pixels, about 20", "frame, nothing new", "slider dragged",
                  "key to pixels, about 60"):
        p50, p99, times = numbers(begin, r"p50 +([\d.]+) ms +p99 +([\d.]+) ms.*\((\d+) times\)$")
        assert p50 <= p99 and times == 4, text
    numbers("memory, with one model open", r"([\d.]+) MB resident$")


@case
def help_tells_of_every_option():
    text = run("--help").text()
    for args in (["trace", "--help"], ["evaluate", "--help"], ["inspect", "-h"],
                 ["models", "--help"], ["bench", "--help"]):
        equal(run(*args).text(), text)
    for word in ("trace", "evaluate", "--gold", "inspect", "models", "bench", "--text",
                 "--tau", "--mode", "--model", "--format", "--output", "--scale", "--size",
                 "--theme", "--report", "--script", "--commands", "--version",
                 "json", "tsv", "pharaoh", "soft",
                 "png", "svg", "pdf", "ALPHASCOPE_DATA"):
        assert word in text, word
    assert max(len(line) for line in text.split("\n")) <= 80
    assert re.fullmatch(r"alphascope \d+\.\d+\.\d+\n", run("--version").text())


@case
def every_command_is_listed():
    lines = run("--commands").text().splitlines()
    for usage in ("wait", "sleep MS", "shot FILE", "set-text TEXT", "save [PATH]", "quit"):
        help = lines[lines.index(usage) + 1]
        assert re.fullmatch(r"    \S.*", help), usage
    assert len(lines) > 80 and len(lines) % 2 == 0


@case
def the_man_page_is_clean_and_complete():
    with open(MAN, encoding="utf-8") as file:
        page = file.read().replace("\\-", "-")
    options = set(re.findall(r"--[a-z]+", run("--help").text()))
    equal({o for o in options if o not in page}, set())
    for name in one("--text", CAT):
        assert name in page, name
    if shutil.which("groff"):
        done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-z", MAN],
                              capture_output=True, check=True)
        equal(done.stderr, b"")


def png_size(data):
    equal(data[:8], b"\x89PNG\r\n\x1a\n")
    equal(data[12:16], b"IHDR")
    equal(zlib.crc32(data[12:29]), struct.unpack(">I", data[29:33])[0])
    equal(data[-8:-4], b"IEND")
    return struct.unpack(">II", data[16:24])


@case
def a_picture_needs_no_display(folder):
    path = os.path.join(folder, "cat.png")
    env = {"SDL_VIDEODRIVER": "", "DISPLAY": "", "WAYLAND_DISPLAY": ""}
    equal(trace("--text", CAT, "-o", path, env=env).out, b"")
    with open(path, "rb") as file:
        data = file.read()
    width, height = png_size(data)
    assert width >= 400 and height >= 300
    equal(trace("--format", "png", stdin=CAT.encode()).out, data)
    light = trace("--text", CAT, "-f", "png", "--theme", "light").out
    equal(png_size(light), (width, height))
    assert light != data
    for scale in (0.5, 3):
        found = png_size(trace("--text", CAT, "-f", "png", "--scale", str(scale)).out)
        assert abs(found[0] - width * scale) <= 2 and abs(found[1] - height * scale) <= 2
    assert trace("--text", CAT, "-f", "png", "--tau", "3").out != data


@case
def vectors_are_the_same_picture(folder):
    """Same size, real text in PDF, the same bytes from every run."""
    width, height = png_size(trace("--text", CAT, "-f", "png").out)
    svg = trace("--text", CAT, "-f", "svg").out
    tree = xml.etree.ElementTree.fromstring(svg)
    equal((tree.get("width"), tree.get("height")), (f"{width}px", f"{height}px"))
    kinds = {element.tag.split("}")[1] for element in tree.iter()}
    assert {"path", "symbol", "use"} <= kinds and "image" not in kinds, kinds
    pdf = trace("--text", CAT, "-f", "pdf").out
    equal(pdf[:5], b"%PDF-")
    assert b"/MediaBox [ 0 0 %g %g ]" % (width * 0.75, height * 0.75) in pdf
    assert b"/ToUnicode" in pdf and b"Inter-Regular" in pdf
    for form, data in (("svg", svg), ("pdf", pdf)):
        equal(trace("--text", CAT, "-f", form).out, data)
        assert trace("--text", CAT, "-f", form, "--theme", "light").out != data
        big = trace("--text", CAT, "-f", form, "--scale", "2", "-o", "/dev/stdout").out
        assert b"%g" % (width * (2 if form == "svg" else 1.5)) in big
    if shutil.which("pdftotext"):
        path = write(folder, "cat.pdf", pdf)
        found = subprocess.run(["pdftotext", path, "-"], capture_output=True, check=True)
        said = one("--text", CAT)["translation"].strip(".").split()
        assert len(said) >= 3, said
        for word in ["RNNsearch", "coverage", "black", "cat"] + said[:3]:
            assert word in found.stdout.decode(), word


@case
def a_picture_of_anything():
    for args in (["--text", ""], ["--text", " "], ["--text", CAT, "-m", NONE],
                 ["--text", "ሰላም 你好 مرحبا 👩‍👩‍👧‍👦 e\u0301"],
                 ["--text", "a cat and " * 12], ["--text", CAT, "--tau", "inf"],
                 ["--text", CAT, "--tau", "0", "--mode", "re-read"]):
        png_size(trace("-f", "png", *args).out)
        xml.etree.ElementTree.fromstring(trace("-f", "svg", *args).out)
        assert trace("-f", "pdf", *args).out.rstrip().endswith(b"%%EOF")


@case
def a_picture_takes_one_sentence():
    result = trace("-f", "png", stdin=b"One.\nTwo.\n", code=2)
    sentence(result, "one sentence")
    equal(result.out, b"")
    png_size(trace("-f", "png", stdin=b"One.\n").out)
    leader, follower = pty.openpty()
    sentence(trace("-f", "png", "--text", CAT, stdout=follower, code=2), "terminal", "-o")
    os.close(follower)
    os.close(leader)
    sentence(trace("-f", "png", stdin=b"", code=1), "no sentence")
    with open("/dev/full", "wb") as full:
        sentence(trace("-f", "png", "--text", CAT, stdout=full, code=1), "space")


@case
def an_export_that_fails_keeps_the_old_file(folder):
    """A disk that fills up (here: a limit on the size of files), a place where nothing
    can be made, a directory in the way."""
    def tiny():
        resource.setrlimit(resource.RLIMIT_FSIZE, (16, 16))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    os.mkdir(os.path.join(folder, "in the way.pdf"))
    for form in ("json", "tsv", "pharaoh", "soft", "png", "svg", "pdf"):
        path = write(folder, "cat." + form, b"old")
        result = trace("-m", TINY, "--text", CAT, "-o", path, preexec_fn=tiny, code=1)
        sentence(result, path, "cannot be written", "large")
        with open(path, "rb") as file:
            equal(file.read(), b"old")
        sentence(trace("-m", TINY, "--text", CAT, "-o", "/proc/cat." + form, code=1), "/proc/cat")
        place = os.path.join(folder, "none", "cat." + form)
        sentence(trace("-m", TINY, "--text", CAT, "-o", place, code=1), place, "No such file")
    sentence(trace("-m", TINY, "--text", CAT, "-o", os.path.join(folder, "in the way.pdf"), code=1),
             "in the way.pdf", "directory")
    equal(len(os.listdir(folder)), 8)


main()
