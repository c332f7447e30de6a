# SPDX-License-Identifier: MIT
"""All C is as clang-format leaves it.

usage: format.py SOURCE_ROOT"""
import os
import shutil
import subprocess
import sys

from tap import Tap, sources


def check(root, path, text=None):
    """Findings of clang-format; text stands in for the file's content."""
    command = ["clang-format", "--dry-run", "-Werror"]
    if text is None:
        run = subprocess.run(command + [path], cwd=root, capture_output=True, text=True)
    else:
        run = subprocess.run(command + ["--assume-filename=" + os.path.join(root, path)],
                             cwd=root, input=text, capture_output=True, text=True)
    return [] if run.returncode == 0 else run.stderr.strip().split("\n")[:3]


def main():
    root = sys.argv[1]
    tap = Tap()
    if not shutil.which("clang-format"):
        tap.skip("clang-format", "clang-format is not installed")
        tap.done()
    tap.catches("bad layout is found", check(root, "src/x.c", "int  f( void ){return 1;}\n"))
    tap.accepts("good layout is fine",
                check(root, "src/x.c", "int f(void)\n{\n    return 1;\n}\n"))
    problems = []
    for path in sources(root):
        problems += check(root, path)
    tap.case("src and tests are formatted", problems)
    tap.done()


if __name__ == "__main__":
    main()
