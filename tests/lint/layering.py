# SPDX-License-Identifier: MIT
"""The arrows between the rooms, proved twice: by the symbols of each room's static
library (nm) and by its #include lines.

usage: layering.py SOURCE_ROOT NM ROOM=LIBRARY..."""
import os
import re
import subprocess
import sys

from tap import Tap, blank, read, sources

# Which rooms a room may know. ui, view and sdl see only the utf8_* part of text.
ARROWS = {
    "base": [],
    "text": ["base"],
    "align": ["base"],
    "engine": ["base"],
    "formats": ["base", "engine", "align", "text"],
    "translate": ["base", "engine", "text", "align"],
    "evaluate": ["base", "text"],
    "ui": ["base", "utf8"],
    "view": ["base", "utf8", "ui", "align"],
    "sdl": ["base", "utf8", "ui"],
    "paper": ["base", "utf8", "ui", "sdl"],
    "app": ["base", "text", "align", "engine", "formats", "translate", "evaluate", "ui",
            "view"],
    "cli": ["base", "text", "align", "engine", "formats", "translate", "evaluate", "ui",
            "view", "sdl", "paper"],
}
# Libraries from outside: how their symbols look, how their headers look, who may.
OUTSIDE = {
    "SDL": (r"(SDL|TTF)_", r"SDL", ["sdl"]),
    "cJSON": (r"cJSON_", r"(cjson/|cJSON)", ["formats", "cli", "app"]),
    "SentencePiece": (r"_Z.*sentencepiece", r"sentencepiece", ["text"]),
    "utf8proc": (r"utf8proc_", r"utf8proc", ["text", "sdl"]),
    "libpng": (r"png_", r"png\.h", ["sdl"]),
    "cairo": (r"cairo_", r"cairo", ["paper"]),
    "FreeType": (r"FT_", r"(ft2build|freetype)", ["paper"]),
    "HarfBuzz": (r"hb_", r"hb", ["paper"]),
    "xxHash": (r"XXH", r"xxhash", ["formats"]),
    "fontconfig": (r"Fc[A-Z]", r"fontconfig/", ["sdl"]),
    "pthread": (r"pthread_(?!mutex_destroy_)", r"pthread\.h", ["app", "cli"]),
    "the C++ library": (r"_Z", r"(string|vector|memory|new)$", ["text"]),
}
BANNED_HEADERS = {"threads.h": "pthreads are used instead", "alloca.h": "no alloca"}


def owner(symbol, defined):
    """The room that defines a symbol; text's utf8_* counts as the room utf8."""
    room = defined.get(symbol)
    return "utf8" if room == "text" and symbol.startswith("utf8_") else room


def allowed(room, other):
    return other == room or other in ARROWS[room] or \
        (other == "utf8" and "text" in ARROWS[room] + [room])


def outsider(symbol):
    for name, (pattern, _, _) in OUTSIDE.items():
        if re.match(pattern, symbol):
            return name
    return None


def check_symbols(room, wanted, defined):
    """Undefined symbols of a room that its arrows do not lead to."""
    problems = []
    for symbol in sorted(wanted):
        other = owner(symbol, defined)
        if other and not allowed(room, other):
            problems.append(f"{room} uses {symbol} of {other}")
        name = None if other else outsider(symbol)
        if name and room not in OUTSIDE[name][2]:
            problems.append(f"{room} uses {symbol} of {name}")
    return problems


def check_includes(room, path, text):
    problems = []
    source = blank(text, strings=False)
    for number, line in enumerate(source.split("\n"), 1):
        match = re.match(r'\s*#\s*include\s*([<"])([^>"]+)', line)
        if not match:
            continue
        quote, header = match.groups()
        where = f"{path}:{number}: {room} includes {header}"
        if header in BANNED_HEADERS:
            problems.append(f"{where} ({BANNED_HEADERS[header]})")
        elif quote == '"':
            other = header.split("/")[0]
            other = "utf8" if header == "text/utf8.h" else other
            if other not in ARROWS and other != "utf8":
                problems.append(f"{where}, which is not written ROOM/FILE")
            elif not allowed(room, other):
                problems.append(where)
        else:
            problems += [f"{where} ({name})" for name, (_, pattern, who)
                         in OUTSIDE.items() if re.match(pattern, header)
                         and room not in who]
    return problems


def nm(tool, library):
    """(defined, undefined) global symbols of a static library."""
    out = subprocess.run([tool, "-g", "-P", library], capture_output=True, text=True,
                         check=True).stdout
    defined, wanted = set(), set()
    for line in out.split("\n"):
        parts = line.split()
        if len(parts) >= 2 and len(parts[1]) == 1:
            (wanted if parts[1] in "Uwv" else defined).add(parts[0])
    return defined, wanted - defined


def self_test(tap):
    defined = {"tokenizer_open": "text", "utf8_next": "text", "ui_begin": "ui",
               "buf_add": "base", "app_run": "app", "fonts_width": "sdl"}
    bad = {"ui": ["tokenizer_open", "fonts_width", "SDL_Init", "utf8proc_map"],
           "base": ["ui_begin", "cJSON_Parse"], "cli": ["app_run"],
           "align": ["utf8_next"], "view": ["png_create_write_struct"],
           "translate": ["pthread_create"],
           "formats": ["_ZN13sentencepiece22SentencePieceProcessorC1Ev"]}
    for room, symbols in bad.items():
        tap.catches(f"{room} may not use {', '.join(symbols)}",
                    check_symbols(room, symbols, defined), len(symbols))
    good = {"ui": ["utf8_next", "buf_add", "memcpy"], "sdl": ["SDL_Init", "ui_begin"],
            "text": ["_ZdlPv", "utf8proc_map"], "app": ["pthread_create", "ui_begin"]}
    for room, symbols in good.items():
        tap.accepts(f"{room} may use {', '.join(symbols)}",
                    check_symbols(room, symbols, defined))
    text = ('#include <SDL.h>\n#include "sdl/fonts.h"\n// #include "app/app.h"\n'
            '#include <threads.h>\n#include "draw.h"\n#include <string.h>\n')
    tap.catches("upward, banned and bare includes are found",
                check_includes("ui", "ui/x.c", text), 4)


def main():
    root, tool = sys.argv[1:3]
    libraries = dict(arg.split("=", 1) for arg in sys.argv[3:])
    tap = Tap()
    self_test(tap)
    symbols = {room: nm(tool, path) for room, path in libraries.items()}
    defined = {s: room for room, (names, _) in symbols.items() for s in names}
    rooms = sorted({p.split("/")[1] for p in sources(root, ("src",))
                    if p.count("/") > 1})
    tap.case("every room has its library and its arrows",
             [f"{r}: no arrows in ARROWS" for r in rooms if r not in ARROWS] +
             [f"{r}: no library was given" for r in rooms if r not in symbols] +
             [f"{r}: nm finds nothing in it" for r, (d, _) in symbols.items() if not d])
    for room in [r for r in rooms if r in ARROWS and r in symbols]:
        problems = check_symbols(room, symbols[room][1], defined)
        for path in sources(root, ("src",)):
            if path.startswith(f"src/{room}/"):
                problems += check_includes(room, path, read(root, path))
        tap.case(f"{room} knows only {', '.join(ARROWS[room]) or 'the C library'}",
                 problems)
    tap.done()


if __name__ == "__main__":
    main()
