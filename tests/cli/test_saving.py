# SPDX-License-Identifier: MIT
"""The window saves and opens, driven by scripts without a display."""
import json
import os
import re
import resource
import shutil
import signal
import struct
import xml.etree.ElementTree

from harness import CAT, DOT, MODELS, TINY, case, equal, main, run, trace, write

PICTURES = ("png", "svg", "pdf")


def window(folder, lines, *args, code=0, **more):
    script = write(folder, "script.txt", "\n".join(["wait", *lines, "quit"]).encode())
    result = run("--size", "1200x800", "--script", script, *args, cwd=folder, **more)
    equal(result.code, code, result.err)
    return result


def read(folder, name):
    with open(os.path.join(folder, name), "rb") as file:
        return file.read()


@case
def a_session_opens_to_the_same_bytes(folder):
    window(folder, ["theme light", "tau 0.4", "select 2", "view merge sum",
                    "save a.alphascope", *(f"save a.{form}" for form in PICTURES),
                    "save a.tsv"], "-t", "I would like a cup of coffee, please.", DOT)
    window(folder, [*(f"save b.{form}" for form in PICTURES), "save b.tsv",
                    "save b.alphascope"], "a.alphascope")
    window(folder, ["open a.alphascope", "wait", *(f"save c.{form}" for form in PICTURES)])
    for form in (*PICTURES, "tsv", "alphascope"):
        equal(read(folder, "b." + form), read(folder, "a." + form), form)
    for form in PICTURES:
        equal(read(folder, "c." + form), read(folder, "a." + form), form)
    session = json.loads(read(folder, "a.alphascope"))
    equal((session["format"], session["version"], session["model"]["id"]),
          ("alphascope-session", 1, DOT))
    tau = session["tau"]
    assert abs(tau - 0.4) < 1e-6 and "select 2" in session["view"]


@case
def the_window_saves_what_trace_writes(folder):
    forms = ("tsv", "txt", "pharaoh", "soft")
    window(folder, ["mode re-decode", "wait", *(f"save a.{form}" for form in forms)], "-t", CAT)
    for form in forms:
        equal(read(folder, "a." + form),
              trace("-t", CAT, "-f", "text" if form == "txt" else form).out, form)


@case
def the_window_saves_what_trace_writes_through_a_lens(folder):
    forms = {"tsv": "tsv", "txt": "text", "json": "json", "soft": "soft"}
    for lines, options in ((["view merge sum", "view special hide"],
                            ["--merge", "sum", "--special", "hide"]),
                           (["view merge max", "view top 2"],
                            ["--merge", "max", "--top", "2"])):
        window(folder, ["mode re-decode", *lines, "wait",
                        *(f"save a.{form}" for form in forms)], "-t", CAT, TINY)
        for ending, form in forms.items():
            equal(read(folder, "a." + ending),
                  trace("-m", TINY, "-t", CAT, "-f", form, *options).out, form)
    window(folder, ["mode re-decode", "view transpose on", "wait", "save a.tsv"],
           "-t", CAT, TINY)
    equal(read(folder, "a.tsv"),
          trace("-m", TINY, "-t", CAT, "-f", "tsv", "--transpose").out)
    assert read(folder, "a.tsv").startswith(b"source\t")


@case
def a_lens_says_what_it_left_out(folder):
    plain = trace("-m", TINY, "-t", CAT).objects()[0]
    seen = trace("-m", TINY, "-t", CAT, "--top", "1").objects()[0]
    assert seen["lens"].startswith("the largest 1 of each row"), seen["lens"]
    for whole, row, reading in zip(plain["alpha"], seen["alpha"], seen["readings"]["rows"]):
        equal(row, [a if a == max(whole) else 0 for a in whole])
        names = [flag["name"] for flag in reading["flags"]]
        equal(names, [] if max(whole) > 0.98 else ["cropped"])
    equal("lens" in plain, False)


@case
def a_picture_is_drawn_as_it_is_asked_for(folder):
    args = ("-m", DOT, "-t", "I unlearn.", "-f", "png")
    plain, seen = trace(*args).out, set()
    for option in (["--hard"], ["--ribbon"], ["--transpose"], ["--shade", "row maximum"],
                   ["--map", "grey"], ["--special", "hide"], ["--merge", "sum"]):
        out = trace(*args, *option).out
        assert out != plain and out not in seen, option
        seen.add(out)


@case
def a_ribbon_is_one_curve_in_a_drawing(folder):
    out = trace("-m", TINY, "-t", "The black cat sleeps.", "-f", "svg", "--ribbon").out
    curves = re.findall(rb"fill-opacity:0[^>]*?d=\"M [^>]*? C [^>]*? L [^>]*? C ", out)
    assert len(curves) > 20, len(curves)
    assert len(out) < 1 << 20, len(out)


@case
def a_look_that_would_do_nothing_is_refused(folder):
    for options, word in ((["--hard"], "--hard is for pictures"),
                          (["--map", "grey"], "--map is for pictures"),
                          (["--transpose"], "--transpose is for pictures and tables"),
                          (["--top", "0"], "top"), (["--merge", "mean"], "merge"),
                          (["--special", "gone"], "special"), (["--shade", "x"], "shade")):
        result = run("trace", "-m", TINY, "-t", CAT, *options)
        equal(result.code, 2, options)
        assert word in result.said()[0], result.err


@case
def pictures_have_one_size_and_shape(folder):
    window(folder, [f"save a.{form}" for form in PICTURES], "-t", CAT, "--scale", "2")
    width, height = struct.unpack(">II", read(folder, "a.png")[16:24])
    tree = xml.etree.ElementTree.fromstring(read(folder, "a.svg"))
    equal((tree.get("width"), tree.get("height")), (f"{width}px", f"{height}px"))
    assert b"/MediaBox [ 0 0 %g %g ]" % (width * 0.75, height * 0.75) in \
        read(folder, "a.pdf")


@case
def wait_is_until_the_picture_rests(folder):
    again = ["theme light", "theme dark"] # takes time, and changes nothing
    window(folder, ["set-text I am here.", "wait", "shot a.png", *again, "shot b.png",
                    "reveal speed 10", "reveal play", "wait", "shot c.png", *again,
                    "shot d.png"], "-t", CAT, DOT)
    pictures = [read(folder, name + ".png") for name in "abcd"]
    assert pictures[0] == pictures[1] and pictures[2] == pictures[3]
    assert pictures[0] != pictures[2] # its bar


@case
def a_line_of_a_script_has_a_limit(folder):
    words = "set-text " + "a " * 4100
    window(folder, ["# " + "-" * 9000, words[:8191]], TINY)
    result = window(folder, ["tau 1", words[:8191] + "a"], TINY, code=1)
    equal(result.said(), ["alphascope: " + os.path.join(folder, "script.txt") +
                          ": line 3 is 8192 bytes long, the limit is 8191"])


@case
def a_bad_line_of_a_script_names_its_place(folder):
    script = write(folder, "bad.txt", b"wait\n# nothing\n\nfrobnicate it\n")
    result = run("--script", script, cwd=folder)
    equal(result.said(), [f"alphascope: {script}: line 4: unknown command 'frobnicate'"])


@case
def a_session_that_cannot_be_opened_ends_with_a_sentence(folder):
    head = '{"format": "alphascope-session", "version": 1, "text": "a", '
    model = '"model": {"id": "%s"}' % DOT
    for text, word in ((head + '"model": {"id": "gone"}}', "'gone'"),
                       (head + model + ', "edits": ["edit 9 9 9"]}', "'edit 9 9 9'"),
                       ('{"format": "alphascope-session", "version": 2}', "newer"),
                       ("{", "a.alphascope")):
        path = write(folder, "a.alphascope", text.encode())
        result = run(path)
        equal(result.code, 1)
        equal(len(result.said()), 1, result.err)
        assert word in result.said()[0] and path in result.said()[0], result.err
    path = write(folder, "a.alphascope", (head + model + "}").encode())
    for option in (["--text", "b"], ["--tau", "2"], ["--mode", "re-read"],
                   ["--theme", "dark"]):
        result = run(path, *option)
        equal(result.code, 2)
        assert option[0] in result.said()[0] and "session" in result.said()[0]


@case
def other_weights_open_and_are_said(folder):
    window(folder, ["save a.alphascope"], "-t", CAT, DOT)
    text = read(folder, "a.alphascope").replace(b"xxh3:", b"xxh3:x")
    write(folder, "a.alphascope", text)
    result = window(folder, ["save b.tsv"], "a.alphascope", "--report")
    said = [json.loads(line)["text"] for line in result.lines() if '"banner"' in line]
    assert any("other weights" in line for line in said), said
    assert read(folder, "b.tsv").startswith(b"target\tThe")


@case
def a_full_disk_keeps_the_old_file(folder):
    def tiny():
        resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    for form in (*PICTURES, "json", "alphascope"):
        write(folder, "a." + form, b"old")
        result = window(folder, ["save a." + form], "-t", CAT, code=1, preexec_fn=tiny)
        equal(len(result.said()), 1, result.err)
        said = result.said()[0]
        assert "a." + form in said and "cannot be written" in said, said
        equal(read(folder, "a." + form), b"old")
    equal(len(os.listdir(folder)), 6)


@case
def a_model_beside_its_session_moves_with_it(folder):
    here, there = os.path.join(folder, "here"), os.path.join(folder, "there")
    os.mkdir(here)
    shutil.copytree(os.path.join(MODELS, "copy"), os.path.join(here, "mine"))
    window(here, ["set-text abc", "wait", "save a.alphascope", "save a.tsv"], "mine")
    equal(json.loads(read(here, "a.alphascope"))["model"]["path"], "mine")
    os.rename(here, there)
    window(folder, ["save b.tsv"], os.path.join("there", "a.alphascope"))
    equal(read(folder, "b.tsv"), read(there, "a.tsv"))


main()
