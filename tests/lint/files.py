# SPDX-License-Identifier: MIT
"""What every file of the project keeps to: a licence line and a head comment, a bounded
size, no path of anybody's machine in text or in the bundled models, a licence beside
each font, no mark of unfinished work.

usage: files.py SOURCE_ROOT"""
import os
import re
import sys

from tap import Tap, read, tracked

MAX_LINES = 600
MODELS_BYTES = {"the recurrent models": 90_000_000, "all models": 96_000_000}
# Home directories and workplaces; pieces make sure that this file is clean itself.
MACHINE = re.compile(rb"(?<![\w./:-])/(?:wo" rb"rk|ro" rb"ot|ho" rb"me)/[\w.]")
IN_MODEL = re.compile(rb"/(?:wo" rb"rk|ro" rb"ot|ho" rb"me|tm" rb"p)/")
UNFINISHED = re.compile("TO" "DO|FIX" "ME|\\bXX" "X\\b")
CODE = (".c", ".h", ".cc", ".py")


def check_head(path, text):
    marks = ("# ",) if path.endswith(".py") else ("// ", "/* ")
    lines = text.split("\n")
    if lines and lines[0].startswith("#!"):
        lines = lines[1:]
    problems = []
    if not any(lines[0].startswith(m + "SPDX-License-Identifier: MIT") for m in marks):
        problems.append(f"{path}: does not open with its SPDX line")
    second = lines[1] if len(lines) > 1 else ""
    if not (second.startswith(("// ", "/* ", '"""')) and len(second) > 8):
        problems.append(f"{path}: has no head comment that says what it is")
    return problems


def check_size(path, text):
    lines = text.count("\n")
    return [f"{path}: {lines} lines, the limit is {MAX_LINES}"] if lines > MAX_LINES \
        else []


def check_machine(path, data):
    return [f"{path}:{data.count(b'%c' % 10, 0, m.start()) + 1}: names a path of one "
            "machine" for m in MACHINE.finditer(data)]


def check_unfinished(path, text):
    return [f"{path}:{text.count(chr(10), 0, m.start()) + 1}: {m.group()}"
            for m in UNFINISHED.finditer(text)]


def check_fonts(paths):
    """A font needs a licence text beside it that carries its family's name."""
    problems = []
    for path in paths:
        folder, name = os.path.split(path)
        if not name.lower().endswith((".ttf", ".otf", ".ttc")):
            continue
        family = re.split(r"[-.]", name)[0].lower()
        licences = [re.split(r"[-_.]", os.path.basename(p).lower()) for p in paths
                    if os.path.dirname(p) == folder
                    and re.search("licen[cs]e|ofl|copying", p.lower())]
        if not any(len(word) > 3 and family.startswith(word)
                   for words in licences for word in words):
            problems.append(f"{path}: no LICENSE-{family} beside it")
    return problems


def check_models(sizes):
    """{path: bytes} of weights and vocabularies: a clone must stay small."""
    sums = {"the recurrent models": sum(n for path, n in sizes.items()
                                        if "transformer" not in path),
            "all models": sum(sizes.values())}
    return [f"{name}: {sums[name]} bytes, the limit is {limit}"
            for name, limit in MODELS_BYTES.items() if sums[name] > limit]


def self_test(tap):
    spdx = "// SPDX-License-Identifier: MIT\n"
    tap.catches("a missing SPDX line", check_head("a.c", "// This.\n// It is so.\n"), 1)
    tap.catches("a missing head comment", check_head("a.c", spdx + "int a;\n"), 1)
    tap.accepts("a good head", check_head("a.c", spdx + "// About this.\n"))
    tap.catches("a file of 601 lines", check_size("a.c", "\n" * 601), 1)
    tap.accepts("a file of 600 lines", check_size("a.c", "\n" * 600))
    place = b"see /ho" + b"me/someone/x and '/wo" + b"rk/main'\n"
    tap.catches("machine paths", check_machine("a.md", place), 2)
    tap.accepts("no machine path in an address or a word",
                check_machine("a.md", b"https://x.org/work/a src/work/b /work\n"))
    tap.catches("unfinished work", check_unfinished("a.c", "// TO" "DO: more\n"), 1)
    tap.catches("a font without its licence",
                check_fonts(["f/Inter-Bold.otf", "f/LICENSE-DejaVu.txt"]), 1)
    tap.catches("models that grow", check_models({"models/a/b.spm": 90_000_001}), 1)
    tap.accepts("models within their bounds",
                check_models({"models/a/b.spm": 90_000_000,
                              "models/x-transformer/b.spm": 6_000_000}))
    tap.accepts("a font with its licence",
                check_fonts(["f/DejaVuSans.ttf", "f/LICENSE-DejaVu.txt"]))


def is_text(data):
    return b"\0" not in data[:4096]


def main():
    root = sys.argv[1]
    tap = Tap()
    self_test(tap)
    paths = tracked(root)
    heads, sizes, machine, unfinished, models, weights = [], [], [], [], [], {}
    for path in paths:
        with open(os.path.join(root, path), "rb") as file:
            data = file.read()
        if path.endswith(CODE):
            text = read(root, path)
            heads += check_head(path, text)
            sizes += check_size(path, text)
            unfinished += check_unfinished(path, text)
        if is_text(data):
            machine += check_machine(path, data)
        if path.endswith((".spm", ".safetensors")):
            models += [f"{path}: holds a path" for _ in IN_MODEL.finditer(data)]
        if path.startswith("models/") and path.endswith((".spm", ".safetensors")):
            weights[path] = len(data)
    tap.case("every source opens with its licence and what it is", heads)
    tap.case(f"no source is longer than {MAX_LINES} lines", sizes)
    tap.case("no file names a path of one machine", machine)
    tap.case("nothing is marked unfinished", unfinished)
    tap.case("the bundled models hold no path", models)
    tap.case("the bundled models are not too large", check_models(weights))
    tap.case("every font has its licence beside it", check_fonts(paths))
    tap.done()


if __name__ == "__main__":
    main()
