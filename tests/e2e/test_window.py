# SPDX-License-Identifier: MIT
"""The window as a person meets it: typed at, resized, given bad input, closed.

usage: test_window.py ALPHASCOPE"""
import os
import subprocess
import sys
import time

from drive import PATIENCE, Program, run_cases, wait_until

ALPHASCOPE = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else ""
SENTENCE = "The black cat sleeps."
MODEL = "en-fr-bahdanau"
FRENCH = ("chat", "noir", "dor")  # dort, or est en train de dormir
ACCENT = b"\xff\xb4\x54"  # of the dark theme


def start(screen, *arguments):
    program = Program(screen, [ALPHASCOPE, "--report", *arguments])
    program.wait_event("ready")
    return program


def decoded(program, text, **also):
    """The report of a finished decoding of this text, with these other facts."""
    return program.wait(f"decoding of {text!r} with {also}", lambda r: r.get("text") == text
                        and all(r.get(name) == value for name, value in also.items()))


def honest(report):
    """Every row of α has a weight for each source token, and sums to 1."""
    assert len(report["alpha"]) == len(report["target"]) > 0, report
    for row in report["alpha"]:
        assert len(row) == len(report["source"]) and abs(sum(row) - 1) < 1e-4, row


def one_sentence(complaint, word):
    lines = [line for line in complaint.splitlines() if line.strip()]
    assert len(lines) == 1 and lines[0].startswith("alphascope: "), complaint
    assert word in lines[0], complaint


def opens(screen):
    """It opens with a finished picture: a model, a sentence, its translation"""
    with Program(screen, [ALPHASCOPE, "--report"]) as program:
        report = program.wait("first decoding", lambda r: "translation" in r)
        wait_until("painted frame", lambda: {"event": "ready"} in program.reports)
        assert report["model"] == MODEL, report["model"]
        assert report["text"] and report["translation"], report
        honest(report)
        wait_until("picture", lambda: screen.colors() > 100)


def types(screen):
    """"The black cat sleeps." typed gives chat, noir, dormir, with honest rows"""
    with start(screen, MODEL) as program:
        program.key("ctrl+a", "BackSpace")
        program.type(SENTENCE)
        report = decoded(program, SENTENCE)
        words = report["translation"].lower()
        assert all(word in words for word in FRENCH), report["translation"]
        honest(report)


def replaces(screen):
    """Ctrl+A and typing replace the sentence"""
    with start(screen, MODEL, "--text", "A long sentence about nothing.") as program:
        program.key("ctrl+a")
        program.type("I am here.")
        honest(decoded(program, "I am here."))


def types_accents(screen):
    """A typed é arrives, and its bytes are counted"""
    with start(screen, MODEL, "--text", "I like the ") as program:
        program.key("End")
        program.type("café.")
        report = decoded(program, "I like the café.")
        ends = [end for _, end in report["source_spans"]]
        assert max(ends) == len("I like the café.".encode()), report["source_spans"]


def switches(screen):
    """F6 runs the same text under the next scorer, Shift+F6 goes back"""
    with start(screen, MODEL, "--text", SENTENCE) as program:
        program.key("F6")
        model = program.wait("another model", lambda r: r.get("event") == "model"
                             and r["id"] != MODEL)["id"]
        decoded(program, SENTENCE, model=model)
        program.key("shift+F6")
        decoded(program, SENTENCE, model=MODEL)


def no_attention(screen):
    """A model without attention still speaks, and has no α"""
    with start(screen, "en-fr-rnnencdec", "--text", SENTENCE) as program:
        program.key("End", "BackSpace")
        report = decoded(program, SENTENCE[:-1], model="en-fr-rnnencdec")
        assert report["alpha"] is None and report["entropy_bits"] is None, report
        assert report["translation"] and len(report["p"]) == len(report["target"])


def temperature(screen):
    """τ in the loop: Alt+0 makes rows one-hot, Alt+9 uniform, Alt+1 as trained"""
    with start(screen, MODEL, "--text", SENTENCE, "--mode", "re-decode") as program:
        program.key("alt+0")
        hard = decoded(program, SENTENCE, tau=0, mode="re-decode")
        for row in hard["alpha"]:
            assert sorted(row)[-1] == 1 and sum(row) == 1, row
        program.key("alt+9")
        even = decoded(program, SENTENCE, tau="inf")
        for row in even["alpha"]:
            assert max(row) == min(row), row
        program.key("alt+1")
        honest(decoded(program, SENTENCE, tau=1))


def resizes(screen):
    """Small, large and back again, it goes on and fills the window"""
    with start(screen, MODEL, "--text", SENTENCE, "--size", "1200x800") as program:
        program.place(0, 0)
        wait_until("picture", lambda: screen.pixel(2, 2) != (0, 0, 0))
        for width, height in ((1024, 768), (1590, 990), (320, 240), (1200, 800)):
            program.resize(width, height)
            ground = screen.pixel(2, 2)
            wait_until("ground in the far corner",
                       lambda: screen.pixel(width - 2, height - 2) == ground)
        program.key("End")
        program.type("!")
        decoded(program, SENTENCE + "!")
        wait_until("picture", lambda: screen.colors() > 100)


def refuses_models(screen):
    """A model that cannot be opened: exit 1 and one sentence that names it"""
    with Program(screen, [ALPHASCOPE, "no/such/model"]) as program:
        assert program.exit_code() == 1
        one_sentence(program.stderr(), "no/such/model")


def ticks(program):
    """Processor time the program has used, in clock ticks."""
    with open(f"/proc/{program.process.pid}/stat", encoding="ascii") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return int(fields[11]) + int(fields[12])


def idles(screen):
    """When nothing changes it uses no processor time and paints nothing"""
    with start(screen, MODEL, "--text", SENTENCE) as program:
        decoded(program, SENTENCE)
        time.sleep(1)  # rows have faded in
        before, picture = ticks(program), screen.pixels()
        time.sleep(2)
        assert ticks(program) - before <= 1, ticks(program) - before
        assert screen.pixels() == picture


def drags_tau(screen):
    """The slider dragged to its ends reads the stored scores again: ∞ and 0"""
    with start(screen, MODEL, "--text", SENTENCE, "--size", "1440x900") as program:
        program.place(0, 0)
        decoded(program, SENTENCE)
        width, _, rgb = screen.pixels()
        column = [rgb[3 * (y * width + 210):][:3] for y in range(900)]
        track = max(y for y in range(800, 900) if column[y] == ACCENT)
        pictures = [rgb]
        for x in (752, 195):
            program.drag(474, track, x, track)
            wait_until("another picture", lambda: screen.pixels()[2] not in pictures)
            time.sleep(0.5)
            pictures.append(screen.pixels()[2])
        program.key("alt+1")
        wait_until("a third picture", lambda: screen.pixels()[2] not in pictures)


def zooms(screen):
    """Ctrl+plus lays the window out anew: nothing is cut off, Ctrl+0 brings it back"""
    with start(screen, MODEL, "--text", SENTENCE, "--size", "1200x800") as program:
        program.place(0, 0)
        decoded(program, SENTENCE)
        time.sleep(0.5)
        plain = screen.pixels()

        def framed():
            """The sentence's frame has its right end inside the window."""
            width, _, rgb = screen.pixels()
            line = rgb[3 * (115 * width + 1100):3 * (115 * width + 1199)]
            return any(line[i:i + 3] == ACCENT for i in range(0, len(line), 3))
        program.key("ctrl+plus", "ctrl+plus", "ctrl+plus")
        wait_until("a larger picture", lambda: screen.pixels() != plain)
        wait_until("the whole frame", framed)
        program.key("ctrl+0")
        wait_until("the same picture", lambda: screen.pixels() == plain)


def shows_banners(screen):
    """A model that fails later is one sentence in a banner; the picture stays"""
    script = os.path.join(screen.folder, "bad-model.txt")
    with open(script, "w", encoding="utf-8") as lines:
        lines.write("wait\nmodel no/such/model\nwait\n")
    with start(screen, MODEL, "--text", SENTENCE, "--script", script) as program:
        banner = program.wait_event("banner")
        assert "no/such/model" in banner["text"], banner
        program.key("ctrl+a")
        program.type("No.")
        honest(decoded(program, "No."))


def closes(screen):
    """SIGTERM closes it with exit 0 and no complaint"""
    with start(screen) as program:
        program.terminate()
        assert program.exit_code() == 0
        assert program.stderr() == "", program.stderr()


def needs_display(screen):
    """Without a display: exit 1 and one sentence that says so, no hang"""
    env = {k: v for k, v in screen.env.items()
           if k not in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER")}
    bare = {k: v for k, v in env.items() if k != "XDG_RUNTIME_DIR"}
    empty = {**bare, "DISPLAY": "", "WAYLAND_DISPLAY": ""}
    for env in (env, bare, empty, {**bare, "DISPLAY": ":9999"},
                {**bare, "WAYLAND_DISPLAY": "wayland-0"},
                {**bare, "XDG_RUNTIME_DIR": screen.folder}):
        run = subprocess.run([ALPHASCOPE], env=env, cwd=screen.folder, text=True,
                             capture_output=True, timeout=PATIENCE,
                             stdin=subprocess.DEVNULL)
        assert run.returncode == 1 and run.stdout == "", run
        one_sentence(run.stderr, "display")
        assert run.stderr.count("\n") == 1, run.stderr


if __name__ == "__main__":
    run_cases([opens, types, replaces, types_accents, switches, no_attention, temperature,
               resizes, idles, drags_tau, zooms, shows_banners, refuses_models, closes, needs_display], characters="é")
