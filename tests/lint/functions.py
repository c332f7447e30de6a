# SPDX-License-Identifier: MIT
"""No function is longer than 70 lines, from its first line to its closing brace. The
median and the 90th percentile are printed: about a dozen and under 40 are the aim.

usage: functions.py SOURCE_ROOT"""
import sys

from tap import Tap, functions, read, sources

LIMIT = 70


def too_long(path, text):
    return [f"{path}:{first}: {name} is {last - first + 1} lines, the limit is {LIMIT}"
            for name, first, last in functions(text) if last - first + 1 > LIMIT]


def sample(lines):
    return ("struct s {\n    int a;\n};\n\nstatic const int t[] = {\n    1,\n};\n\n"
            "// a comment (with parentheses)\n"
            "static int\nf(int a,\n  int b)\n{\n" + "    a++;\n" * (lines - 5) + "}\n")


def self_test(tap):
    tap.catches("a function of 71 lines is found", too_long("x.c", sample(71)), 1)
    tap.accepts("a function of 70 lines is fine", too_long("x.c", sample(70)))
    found = functions(sample(20) + "\n" + sample(10).replace("f(", "g("))
    sizes = [(name, last - first + 1) for name, first, last in found]
    tap.accepts("names and sizes are right",
                [] if sizes == [("f", 20), ("g", 10)] else [str(sizes)])


def main():
    root = sys.argv[1]
    tap = Tap()
    self_test(tap)
    for folder in ("src", "tests"):
        problems, sizes = [], []
        for path in sources(root, (folder,)):
            text = read(root, path)
            problems += too_long(path, text)
            sizes += [last - first + 1 for _, first, last in functions(text)]
        sizes.sort()
        note = "no functions" if not sizes else (
            f"{len(sizes)} functions, median {sizes[len(sizes) // 2]} lines, "
            f"p90 {sizes[len(sizes) * 9 // 10]}, longest {sizes[-1]}")
        tap.case(f"functions of {folder} are at most {LIMIT} lines", problems, note)
    tap.done()


if __name__ == "__main__":
    main()
