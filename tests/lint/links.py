# SPDX-License-Identifier: MIT
"""Every link of every Markdown file that stays inside the project leads somewhere.

usage: links.py SOURCE_ROOT"""
import os
import re
import sys

from tap import Tap, read, tracked

LINK = re.compile(r"(?<!`)\[[^\]\n]*\]\(([^)\s]+)(?:\s+\"[^\"]*\")?\)")
REFERENCE = re.compile(r"^\[[^\]]+\]:\s*(\S+)", re.MULTILINE)
IMAGE = re.compile(r"<(?:img|a)\b[^>]*?(?:src|href)=\"([^\"]+)\"")


def anchors(text):
    """Anchors as code hosts make them: lower case, marks dropped, spaces to dashes."""
    text = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    names = set()
    for title in re.findall(r"^#+\s+(.*?)\s*$", text, re.MULTILINE):
        names.add(re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-"))
    return names


def targets(text):
    plain = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    return LINK.findall(plain) + REFERENCE.findall(plain) + IMAGE.findall(plain)


def check(path, text, exists, load):
    problems = []
    for target in targets(text):
        if re.match(r"[a-z]+:", target):
            continue
        file, _, anchor = target.partition("#")
        place = os.path.normpath(os.path.join(os.path.dirname(path), file)) \
            if file else path
        if not exists(place):
            problems.append(f"{path}: {target} leads nowhere")
        elif anchor and place.endswith(".md") and anchor not in anchors(load(place)):
            problems.append(f"{path}: {target}: no such heading")
    return problems


def main():
    root = sys.argv[1]
    tap = Tap()
    text = "# A thing\n[a](gone.md) [b](#nothing) ![c](here.png) [d](https://x.org)\n"
    sample = {"doc/x.md": text, "doc/here.png": ""}
    tap.catches("dead links are found",
                check("doc/x.md", text, sample.__contains__, sample.get), 2)
    good = "# A thing: it\n[a](#a-thing-it) `[i](j)`\n```\n[no](where)\n```\n"
    tap.accepts("good links are fine",
                check("x.md", good, {"x.md"}.__contains__, lambda _: good))
    pages = [p for p in tracked(root) if p.endswith(".md")]
    tap.case("there is a README", [] if "README.md" in pages else ["README.md"])
    for path in pages:
        tap.case(f"links of {path}",
                 check(path, read(root, path),
                       lambda p: os.path.exists(os.path.join(root, p)),
                       lambda p: read(root, p)))
    tap.done()


if __name__ == "__main__":
    main()
