# SPDX-License-Identifier: MIT
"""Adds up what meson's test runs say, case by case, and prints the last line of ./check.

A test program that crashes, times out or breaks off counts as one failed case more when
none of its own cases failed. So does a build directory without a result.

usage: count.py [--extra-failures N] BUILD_DIRECTORY..."""
import argparse
import json
import os
import sys
import xml.etree.ElementTree as xml


def case_failed(case):
    return case.find("failure") is not None or case.find("error") is not None


def cases(path):
    """{program: [passed, failed, skipped]} of a testlog.junit.xml. A program with cases
    of its own is a suite PROJECT.PROGRAM; one without is a case of the suite PROJECT."""
    with open(path, "rb") as log:  # what a test printed may hold controls XML forbids
        clean = log.read().translate(None, bytes(set(range(32)) - {9, 10, 13}))
    counts = {}
    for suite in xml.fromstring(clean).iter("testsuite"):
        for case in suite.iter("testcase"):
            own = "." in suite.get("name")
            name = suite.get("name").split(".", 1)[1] if own else case.get("name")
            count = counts.setdefault(name, [0, 0, 0])
            at = 2 if case.find("skipped") is not None else int(case_failed(case))
            count[at] += 1
    return counts


def programs(path):
    """(name, result, TAP output) of each program in a testlog.json, one object a line."""
    with open(path, encoding="utf-8") as log:
        for line in log:
            run = json.loads(line)
            yield run["name"], run["result"], run.get("stdout", "")


def failed_lines(tap):
    """What failed and why: meson's own summary leaves the comments of TAP out."""
    lines, failed = [], False
    for line in tap.split("\n"):
        failed = line.startswith("not ok") or failed and line.startswith("#")
        if failed:
            lines.append("  " + line)
    return lines[:40]


def count(directory):
    logs = os.path.join(directory, "meson-logs")
    try:
        counts = cases(os.path.join(logs, "testlog.junit.xml"))
        results = list(programs(os.path.join(logs, "testlog.json")))
    except (OSError, xml.ParseError, ValueError, KeyError) as why:
        return 0, 1, 0, [f"{directory}: no test results ({why})"]
    failures = []
    for name, result, tap in results:
        tally = counts.setdefault(name, [0, 0, 0])
        if result not in ("OK", "SKIP", "EXPECTEDFAIL") and not tally[1]:
            tally[1] += 1
        if tally[1]:
            failures.append(f"{directory}: {name}: {tally[1]} failed ({result})")
            failures += failed_lines(tap)
    passed, failed, skipped = (sum(c[i] for c in counts.values()) for i in range(3))
    return passed, failed, skipped, failures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--extra-failures", type=int, default=0)
    parser.add_argument("directories", nargs="*")
    args = parser.parse_args()
    passed, failed, skipped = 0, args.extra_failures, 0
    for directory in args.directories:
        p, f, s, failures = count(directory)
        passed, failed, skipped = passed + p, failed + f, skipped + s
        for line in failures:
            print(line)
    if skipped:
        print(f"{skipped} skipped")
    print(f"{passed} passed, {failed} failed")
    sys.exit(0 if passed and not failed else 1)


if __name__ == "__main__":
    main()
