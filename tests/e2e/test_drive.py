# SPDX-License-Identifier: MIT
"""The driver against a window that echoes what reaches it.

usage: test_drive.py ECHO_PROGRAM"""
import os
import sys

from drive import Failed, Program, run_cases, wait_until


def start(screen):
    program = Program(screen, [sys.argv[1]])
    program.wait_event("ready")
    program.window()
    return program


def typing(screen):
    """Typed text arrives whole and in order, é included"""
    with start(screen) as program:
        want, got = "The cat {sleeps} é, É!", ""
        program.type(want)
        while got != want:
            got += program.wait_event("text")["text"]
            assert want.startswith(got), f"{got!r} arrived"


def keys(screen):
    """Keys arrive with their modifiers"""
    with start(screen) as program:
        program.key("ctrl+a", "Left")
        program.wait("ctrl+a", lambda r: r.get("key") == "A" and r["ctrl"] == 1)
        program.wait("Left", lambda r: r.get("key") == "Left" and r["ctrl"] == 0)


def mouse(screen):
    """Clicks and drags arrive where they were made"""
    with start(screen) as program:
        program.click(30, 40)
        down = program.wait_event("down")
        assert (down["x"], down["y"]) == (30, 40), down
        program.wait_event("up")
        program.drag(10, 20, 200, 150)
        program.wait("press at 10, 20", lambda r: r.get("event") == "down"
                     and (r["x"], r["y"]) == (10, 20))
        program.wait("release at 200, 150", lambda r: r.get("event") == "up"
                     and (r["x"], r["y"]) == (200, 150))


def size(screen):
    """A new size arrives"""
    with start(screen) as program:
        program.resize(640, 480)
        program.wait("640x480", lambda r: r.get("event") == "size"
                     and (r["width"], r["height"]) == (640, 480))


def picture(screen):
    """The picture shows the window's colour, and is saved as PNG"""
    with start(screen):
        wait_until("window's colour", lambda: screen.pixel(200, 150) == (200, 30, 60))
        assert screen.pixels()[:2] == (1600, 1000)
        path = os.path.join(screen.folder, "shot.png")
        screen.save(path)
        with open(path, "rb") as file:
            assert file.read(8) == b"\x89PNG\r\n\x1a\n"


def ending(screen):
    """SIGTERM ends it and the code is passed on"""
    with start(screen) as program:
        program.terminate()
        assert program.exit_code() == 0
    with Program(screen, ["false"]) as program:
        assert program.exit_code() == 1


def impatience(screen):
    """A report that never comes is a failure, and so is an early end"""
    for argv in ([sys.argv[1]], ["true"]):
        try:
            with Program(screen, argv) as program:
                program.wait("thing", lambda r: r.get("event") == "no such", 0.3)
        except Failed:
            continue
        raise AssertionError(f"{argv}: the wait returned")


if __name__ == "__main__":
    run_cases([typing, keys, mouse, size, picture, ending, impatience],
              characters="éÉ")
