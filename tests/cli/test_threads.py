# SPDX-License-Identifier: MIT
"""alphascope evaluate in several threads: the same results, in the same order, whatever
their number; an end that comes while they work. Small models, so that ThreadSanitizer has
time to look."""
import os
import sys

from harness import case, equal, main, run, write

DATES = [("3 May 1979", "1979-05-03"), ("tuesday, march 4, 2014", "2014-03-04"),
         ("12 January 2001", "2001-01-12"), ("august 30, 1995", "1995-08-30")]
GOLD = "3 May\t1 9 7\t0-0 1-1 1?2\n"


def results(folder, threads, *more):
    test = write(folder, "test.tsv", b"".join(
        b"no tab\n" if n % 7 == 3 else "\t".join(DATES[n % 4]).encode() + b"\n"
        for n in range(60)))
    gold = write(folder, "gold.tsv", (GOLD * 5 + "a\tb\t7-7\n" + GOLD).encode())
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
    equal((one[1][0]["lines"], one[1][0]["unscored"], one[1][0]["exact"]), (60, 9, 1))
    equal(len(one[2]), 11, one[2])
    for threads in (2, 5):
        equal(results(folder, threads), one)


@case
def a_file_that_is_missing_ends_the_work(folder):
    code, objects, said = results(folder, 3, "--gold", os.path.join(folder, "missing"))
    equal((code, objects), (1, []))
    assert "missing" in said[-1], said


if __name__ == "__main__":
    sys.exit(main())
