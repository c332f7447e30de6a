# SPDX-License-Identifier: MIT
"""The README's table of keys is the program's: every key that the help page shows is in
it, and it has no other. No key has two commands.

usage: readme.py SOURCE_ROOT"""
import re
import sys

from tap import Tap, read


def shown_keys(source):
    """The `shown` column of the table of bindings, spaces made one."""
    keys = []
    for row in re.findall(r"\{KEY_[^{}]*\}", source):
        words = re.findall(r'"((?:[^"\\]|\\.)*)"', row)
        if len(words) == 3:  # command, shown, help
            keys.append(re.sub(r" +", " ", words[1]))
    return keys


def double_keys(source):
    """Keys that a second row binds again: it would never act."""
    keys = re.findall(r"\{(KEY_\w+, [^,]+, [^,]+), (?:true|false),", source)
    return sorted({key for key in keys if keys.count(key) > 1})


def told_keys(page):
    part = page.partition("## Keys")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (.*?) \|", part, re.MULTILINE)
    return [row for row in rows if row != "key"]


def check(source, page):
    shown, told = shown_keys(source), told_keys(page)
    return [f"not in the README: {key}" for key in shown if key not in told] + \
        [f"only in the README: {key}" for key in told if key not in shown]


def main():
    root = sys.argv[1]
    tap = Tap()
    source = ('{KEY_F5, 0, 0, false, "mode toggle", "F5", "re-read"},\n'
              '{KEY_F6, 0, 0, false, "scorer next", "F6  Shift+F6", "next"},\n'
              '{KEY_F6, 0, MOD_SHIFT, false, "scorer back", NULL, NULL},\n')
    page = "## Keys\n\n| key | what |\n|---|---|\n| F5 | re-read |\n%s\n## Next\n| F9 |\n"
    tap.accepts("the same keys", check(source, page % "| F6 Shift+F6 | next |\n"))
    tap.catches("a missing and an extra key", check(source, page % "| F7 | none |\n"), 2)
    tap.accepts("keys of their own", double_keys(source))
    tap.catches("a key with two commands", double_keys(
        source + '{KEY_F6, 0, MOD_SHIFT, false, "help", NULL, NULL},\n'))
    source = read(root, "src/app/keys.c")
    tap.case("no key has two commands", double_keys(source))
    tap.case("there are keys", [] if len(shown_keys(source)) > 5 else ["none found"])
    tap.case("the README tells the program's keys", check(source, read(root, "README.md")))
    tap.done()


if __name__ == "__main__":
    main()
