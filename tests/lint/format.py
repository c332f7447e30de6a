# SPDX-License-Identifier: MIT
"""All C is as clang-format leaves it.

usage: format.py SOURCE_ROOT"""
import os
import shutil
import subprocess
import sys

from tap import Tap, sources


def check(root, arguments, text=None):
    """Findings of clang-format on the files named, or on text as if it were a file."""
    run = subprocess.run(["clang-format", "--dry-run", "-Werror", *arguments], cwd=root,
                         input=text, capture_output=True, text=True)
    return [] if run.returncode == 0 else run.stderr.strip().split("\n")[:30]


def main():
    root = sys.argv[1]
    tap = Tap()
    if not shutil.which("clang-format"):
        tap.skip("clang-format", "clang-format is not installed")
        tap.done()
    sample = ["--assume-filename=" + os.path.join(root, "src", "x.c")]
    tap.catches("bad layout is found", check(root, sample, "int  f( void ){return 1;}\n"))
    tap.accepts("good layout is fine",
                check(root, sample, "int f(void)\n{\n    return 1;\n}\n"))
    tap.case("src and tests are formatted", check(root, sources(root)))
    tap.done()


if __name__ == "__main__":
    main()
