# SPDX-License-Identifier: MIT
"""Prints what ninja has to build for the tests of one suite.

usage: targets.py BUILD_DIRECTORY SUITE"""
import json
import os
import sys


def read(directory, what):
    path = os.path.join(directory, "meson-info", f"intro-{what}.json")
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def main():
    directory, suite = os.path.realpath(sys.argv[1]), sys.argv[2]
    needed = {target for test in read(directory, "tests") for target in test["depends"]
              if suite in (name.split(":")[-1] for name in test["suite"])}
    print(*(os.path.relpath(os.path.realpath(path), directory)
            for target in read(directory, "targets") if target["id"] in needed
            for path in target["filename"]))


if __name__ == "__main__":
    main()
