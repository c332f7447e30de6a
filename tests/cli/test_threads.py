# SPDX-License-Identifier: MIT
"""alphascope evaluate and trace in several threads: the same results, in the same order,
whatever their number; an end that comes while they work; an answer to each line while the
next is not there yet. Small models, so that ThreadSanitizer has time to look."""
import os
import subprocess
import sys

from harness import PROGRAM, case, equal, main, peak_kb, run, trace, write

DATES = [("3 May 1979", "1979-05-03"), ("tuesday, march 4, 2014", "2014-03-04"),
         ("12 January 2001", "2001-01-12"), ("august 30, 1995", "1995-08-30")]
GOLD = "3 May\t1 9 7\t0-0 1-1 1?2\n"


def results(folder, threads, *more):
    test = write(folder, "test.tsv", b"".join(
        b"no tab\n" if n % 7 == 3 else "\t".join(DATES[n % 4]).encode() + b"\n"
        for n in range(14)))
    gold = write(folder, "gold.tsv", (GOLD * 2 + "a\tb\t7-7\n" + GOLD).encode())
    done = run("evaluate", "-m", "dates", "-m", "reverse", "--test", test, "--gold", gold,
               "--exact", "--joined", "--format", "json", "--threads", str(threads), *more)
    objects = done.objects()
    for each in objects:
        assert each.pop("tokens_per_second") > 0
    return done.code, objects, done.said()


@case
def the_number_of_threads_changes_nothing(folder):
    one = results(folder, 1)
    equal(one[0], 0)
    equal((one[1][0]["lines"], one[1][0]["unscored"], one[1][0]["exact"]), (14, 2, 1))
    equal(len(one[2]), 4, one[2])
    for threads in (2, 5):
        equal(results(folder, threads), one)


@case
def a_file_that_is_missing_ends_the_work(folder):
    code, objects, said = results(folder, 3, "--gold", os.path.join(folder, "missing"))
    equal((code, objects), (1, []))
    assert "missing" in said[-1], said


def dates(count):
    return b"".join(DATES[n % 4][0].encode() * (1 + n % 3) + b"\n" for n in range(count))


@case
def threads_write_what_one_writes():
    stdin = dates(20) + b"\n\xff\n" + b"x" * 5000 + b"\n" + dates(5)
    for options in ((), ("--format", "text"), ("--format", "pharaoh"),
                    ("--beam", "3", "--nbest", "2", "--format", "soft")):
        one = trace("-m", "dates", "--threads", "1", *options, stdin=stdin)
        for threads in (2, 5):
            many = trace("-m", "dates", "--threads", str(threads), *options, stdin=stdin)
            equal(many.out, one.out)
            equal(many.said(), one.said())


@case
def a_line_that_fails_ends_the_output_where_it_stands():
    stdin = b"".join(b"3 May\t3\n" for _ in range(30)) + b"no tab\n" + b"a\tb\n" * 30
    done = trace("-m", "dates", "--force", "-", "--threads", "4", stdin=stdin, code=1)
    equal(len(done.lines()), 30)
    equal(len(done.said()), 1)
    assert "line 31: there is no tab" in done.said()[0], done.err


@case
def each_line_is_answered_before_the_next_comes():
    with subprocess.Popen([PROGRAM, "trace", "-m", "dates", "--threads", "3", "--format",
                           "pharaoh"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          bufsize=0) as child:
        for date, _ in DATES:
            child.stdin.write(date.encode() + b"\n" + b"1 Ja")  # and half of another
            first = child.stdout.readline()
            child.stdin.write(b"nuary 2001\n")
            second = child.stdout.readline()
            assert first.endswith(b"\n") and b"|||" in first, first
            assert second.endswith(b"\n") and b"|||" in second, second
        child.stdin.close()
        equal(child.stdout.read(), b"")
        equal(child.wait(60), 0)


@case
def lines_that_come_one_by_one_are_those_that_come_together():
    lines = dates(24).splitlines(True)
    for options in (("--format", "pharaoh"), ("--format", "json"),
                    ("--beam", "2", "--format", "soft")):
        args = ["-m", "dates", "--threads", "1", *options]
        together = trace(*args, stdin=b"".join(lines)).out
        with subprocess.Popen([PROGRAM, "trace", *args], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, bufsize=0) as child:
            for line, answer in zip(lines, together.splitlines(True)):
                child.stdin.write(line)
                equal(child.stdout.readline(), answer)
            child.stdin.close()
            equal(child.wait(60), 0)


@case
def memory_does_not_grow_with_the_lines(folder):
    def peak(lines):
        with open(write(folder, "lines", dates(lines)), "rb") as file:
            return peak_kb("trace", "-m", "dates", "--threads", "2", stdin=file)
    small = peak(150)  # all places of all threads are in use
    large = peak(450)
    assert large < small * 1.25 + 4096, (small, large)


if __name__ == "__main__":
    sys.exit(main())
