# SPDX-License-Identifier: MIT
"""Functions that are not used, and where the others may be.

- Never: those that cannot bound what they write, hide an error, or need a global.
- Memory: malloc and its family only in base/, ui/draw.c, ui/textedit.c, and elsewhere in
  functions that make a heap object or cache entry that has its own destroy: their names
  end in create, open or new. Everything else comes from an arena. free is free.
- Below app/, nobody prints: no printf, puts, perror, no stdout, no stderr. cli/ may.
- Only main.c and bench.c end the program.

usage: banned.py SOURCE_ROOT"""
import re
import sys

from tap import Tap, blank, functions, read, sources

NEVER = {"sprintf", "vsprintf", "strcpy", "strcat", "strncpy", "strncat", "gets",
         "atoi", "atol", "atof", "alloca", "strtok", "rand", "srand", "tmpnam", "mktemp",
         "system", "popen", "setjmp", "longjmp", "thrd_create", "mtx_init"}
MEMORY = {"malloc", "calloc", "realloc", "reallocarray", "strdup", "strndup",
          "aligned_alloc", "posix_memalign", "asprintf", "vasprintf"}
PRINTS = {"printf", "vprintf", "puts", "putchar", "perror", "fprintf", "vfprintf",
          "fputs", "fputc"}
STREAMS = {"stdout", "stderr"}
ENDS = {"exit", "_exit", "_Exit", "quick_exit", "abort"}
BELOW_APP = {"base", "text", "align", "engine", "formats", "translate", "ui", "view",
             "sdl", "paper"}
# Files that may allocate anywhere in them, with the reason.
MAY_ALLOCATE = {
    "src/ui/draw.c": "the draw list grows by its own rule",
    "src/ui/textedit.c": "the text and its undo ring",
    "src/sdl/png.c": "png_read hands its pixels to the caller",
    "src/main.c": "above the rooms",
    "src/bench.c": "above the rooms",
}
# libpng reports errors by longjmp and in no other way.
MAY_JUMP = {"src/sdl/png.c"}
MAKES = re.compile(r"(create|open|new)$")


def may_allocate(path, function):
    return path.startswith("src/base/") or path in MAY_ALLOCATE or \
        bool(MAKES.search(function))


def wrong(path, word, called, function):
    """Why a word may not stand here; None where it may."""
    room = path.split("/")[1]
    jumps = word in ("setjmp", "longjmp") and path in MAY_JUMP
    if called and word in NEVER and not jumps:
        return "is not used here"
    if called and word in MEMORY and not may_allocate(path, function):
        return f"allocates in {function or 'no function'}: take it from an arena"
    if (word in STREAMS or called and word in PRINTS) and room in BELOW_APP:
        return "prints below app/"
    if called and word in ENDS and path not in ("src/main.c", "src/bench.c"):
        return "ends the program"
    return None


def check(path, text):
    source = blank(text)
    spans = functions(text)
    problems = []
    for match in re.finditer(r"(?<![\w.>])([A-Za-z_]\w*)(\s*\()?", source):
        word, called = match.group(1), bool(match.group(2))
        line = source.count("\n", 0, match.start()) + 1
        function = next((n for n, a, b in spans if a <= line <= b), "")
        why = wrong(path, word, called, function)
        if why:
            problems.append(f"{path}:{line}: {word} {why}")
    return problems


def self_test(tap):
    def body(line, name="thing_do"):
        return f"void {name}(void)\n{{\n    {line}\n}}\n"
    bad = [("src/view/x.c", body("sprintf(a, b);")),
           ("src/app/x.c", body("int i = atoi(s);")),
           ("src/engine/x.c", body("float *p = malloc(4);")),
           ("src/formats/x.c", body('fprintf(stderr, "no");')),
           ("src/app/x.c", body("exit(1);")),
           ("src/sdl/x.c", body("FILE *f = stdout;"))]
    for path, text in bad:
        tap.catches(f"{path}: {text.split(chr(10))[2].strip()}", check(path, text))
    good = [("src/base/x.c", body("float *p = malloc(4);")),
            ("src/engine/x.c", body("float *p = malloc(4);", "thing_create")),
            ("src/cli/x.c", body('fprintf(stderr, "no");')),
            ("src/main.c", body("exit(1);")),
            ("src/ui/x.c", body('say("sprintf(x)"); // not strcpy(a, b)')),
            ("src/ui/x.c", body("host->puts(a); system_name(b);"))]
    for path, text in good:
        tap.accepts(f"{path}: {text.split(chr(10))[2].strip()} is fine",
                    check(path, text))


def main():
    root = sys.argv[1]
    tap = Tap()
    self_test(tap)
    problems = []
    for path in sources(root, ("src",)):
        problems += check(path, read(root, path))
    tap.case("no banned function is used", problems)
    tap.done()


if __name__ == "__main__":
    main()
