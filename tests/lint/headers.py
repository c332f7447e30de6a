# SPDX-License-Identifier: MIT
"""Every header stands alone, in any order, and twice. Only sdl/ is shown SDL's headers.

usage: headers.py SOURCE_ROOT COMPILER..."""
import subprocess
import sys

from tap import Tap, sources

FLAGS = ["-std=c17", "-x", "c", "-fsyntax-only", "-D_GNU_SOURCE", "-Wall", "-Wextra",
         "-Wpedantic", "-Wstrict-prototypes", "-Werror"]


def compile_alone(compiler, include, header, text=None):
    program = text or f'#include "{header}"\n#include "{header}"\nint main(void);\n'
    run = subprocess.run(compiler + FLAGS + ["-I" + include, "-"], input=program,
                         capture_output=True, text=True)
    return [] if run.returncode == 0 else run.stderr.strip().split("\n")[:12]


def sdl_flags():
    return subprocess.run(["pkg-config", "--cflags", "sdl2", "SDL2_ttf"],
                          capture_output=True, text=True, check=True).stdout.split()


def main():
    root, compiler = sys.argv[1], sys.argv[2:]
    for_sdl = compiler + sdl_flags()
    tap = Tap()
    bad = "#pragma once\nsize_t thing_size(const struct thing *thing);\n"
    tap.catches("a header that forgets an include does not compile",
                compile_alone(compiler, root + "/src", "", bad))
    for path in sources(root, ("src",), (".h",)):
        header = path[len("src/"):]
        tap.case(f"{header} stands alone",
                 compile_alone(for_sdl if header.startswith("sdl/") else compiler,
                               root + "/src", header))
    tap.done()


if __name__ == "__main__":
    main()
