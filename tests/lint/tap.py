# SPDX-License-Identifier: MIT
"""What the lint scripts share: TAP output, the list of files, and a view of C source with
comments and strings blanked, so that a rule never fires on words in prose."""
import os
import re
import subprocess
import sys


class Tap:
    """Collects cases and prints them; a case is a name and the list of what is wrong."""

    def __init__(self):
        self.count = 0
        self.failed = 0

    def case(self, name, problems, note=""):
        self.count += 1
        self.failed += bool(problems)
        print(("not ok " if problems else "ok ") + f"{self.count} - {name}")
        for line in ([note] if note else []) + list(problems):
            print("# " + line.replace("\n", "\n# "))
        sys.stdout.flush()

    def catches(self, name, problems, want=None):
        """Self-test: the checker was fed a bad sample and must have said so."""
        wrong = [] if problems else ["the checker let a bad sample pass"]
        if problems and want is not None and len(problems) != want:
            wrong = [f"{len(problems)} findings, {want} expected:"] + list(problems)
        self.case("self-test: " + name, wrong)

    def accepts(self, name, problems):
        """Self-test: the checker was fed a good sample and must stay quiet."""
        self.case("self-test: " + name, problems)

    def skip(self, name, why):
        self.count += 1
        print(f"ok {self.count} - {name} # SKIP {why}")

    def done(self):
        print(f"1..{self.count}")
        sys.exit(1 if self.failed else 0)


def tracked(root):
    """Paths below root that belong to the project: what git knows or would add; without
    git everything but build directories."""
    try:
        out = subprocess.run(
            ["git", "-C", root, "ls-files", "-z", "--cached", "--others",
             "--exclude-standard"],
            capture_output=True, check=True).stdout.decode().split("\0")
        paths = [p for p in out if p and os.path.isfile(os.path.join(root, p))]
        if paths:
            return sorted(set(paths))
    except (OSError, subprocess.CalledProcessError):
        pass
    paths = []
    for folder, names, files in os.walk(root):
        names[:] = [n for n in names if n not in (".git", "__pycache__")
                    and not (folder == root and n.startswith("build"))]
        paths += [os.path.relpath(os.path.join(folder, f), root) for f in files]
    return sorted(paths)


def sources(root, folders=("src", "tests"), endings=(".c", ".h", ".cc")):
    return [p for p in tracked(root)
            if p.split("/")[0] in folders and p.endswith(endings)]


def read(root, path):
    with open(os.path.join(root, path), encoding="utf-8", errors="replace") as file:
        return file.read()


_BLANKS = re.compile(
    r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)


def blank(text, strings=True):
    """Comments (and strings) become spaces; every newline and column stays."""
    def hide(match):
        piece = match.group()
        if not strings and piece[0] in "\"'":
            return piece
        return "".join(c if c == "\n" else " " for c in piece)
    return _BLANKS.sub(hide, text)


def functions(text):
    """(name, first line, last line) of each function of clang-formatted C: its body
    opens with a lone brace in column 0 and closes with one."""
    lines = blank(text).split("\n")
    found, start = [], None
    for number, line in enumerate(lines):
        if line == "{":
            first = number
            while first > 0 and re.match(r"\s*[\w*(]", lines[first - 1]) \
                    and not lines[first - 1].rstrip().endswith((";", "}")):
                first -= 1
            head = " ".join(lines[first:number])
            name = re.search(r"(\w+)\s*\(", re.sub(r"__attribute__\s*\(\(.*?\)\)", "",
                                                  head))
            start = (name.group(1), first + 1) if name else None
        elif line == "}" and start:
            found.append((start[0], start[1], number + 1))
            start = None
    return found
