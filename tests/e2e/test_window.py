# SPDX-License-Identifier: MIT
"""The window as a person meets it: typed at, resized, given bad input, closed.

usage: test_window.py ALPHASCOPE"""
import os
import subprocess
import sys

from drive import PATIENCE, Program, run_cases, wait_until

SENTENCE = "The black cat sleeps."
FRENCH = ("chat", "noir", "dort")
NEXT_MODEL, TAU_UP, TAU_DOWN, TAU_ONE = "F6", "F8", "F7", "F9"


def start(screen, *arguments):
    program = Program(screen, [sys.argv[1], "--report", *arguments])
    program.wait_event("ready")
    return program


def decoded(program, text, **also):
    """The report of a finished decode of this text, and of these other facts."""
    return program.wait(f"decode of {text!r}", lambda r: r.get("text") == text and all(
        r.get(name) == value for name, value in also.items()))


def opens(screen):
    """It opens with a finished picture: a model and a sentence"""
    with start(screen) as program:
        report = program.wait("first decode", lambda r: "translation" in r)
        assert report["model"] == "en-fr-bahdanau", report["model"]
        assert report["text"] and report["translation"], report
        wait_until("picture", lambda: screen.colors() > 100)


def types(screen):
    """"The black cat sleeps." typed gives chat, noir, dort, with honest rows"""
    with start(screen) as program:
        program.key("ctrl+a", "BackSpace")
        program.type(SENTENCE)
        report = decoded(program, SENTENCE)
        words = report["translation"].lower()
        assert all(word in words for word in FRENCH), report["translation"]
        assert len(report["alpha"]) == len(report["target"])
        for row in report["alpha"]:
            assert len(row) == len(report["source"]) and abs(sum(row) - 1) < 1e-3, row


if __name__ == "__main__":
    run_cases([opens, types], characters="é")
