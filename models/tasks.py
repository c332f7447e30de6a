#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Make the three character tasks: dates to ISO, strings reversed, strings copied.

    tasks.py dates|reverse|copy OUT [--train N] [--test N] [--seed N]

writes OUT/train.tsv, OUT/dev.tsv and OUT/test.tsv (source TAB target). The same seed
gives the same bytes. Nothing is read, so no licence follows the text.

What is held out is held out whole: a date of dev or test occurs in train in none of its
spellings, and a string of dev or test is not in train. Which part an answer belongs to
is decided by its CRC, so it does not depend on the seed or on the sizes.
"""
import argparse
import datetime
import os
import random
import zlib

MONTHS = ("January February March April May June July August September October "
          "November December").split()
WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()

# Spellings of one date and how often each is drawn. Numbers alone are read day first
# with "." or "/", and year first when the year stands first.
DATE_FORMS = [
    ("{d} {month} {y}", 6), ("{dd} {month} {y}", 2), ("{d} {month}, {y}", 2),
    ("{d}{th} {month} {y}", 3), ("{d}{th} of {month} {y}", 3),
    ("the {d}{th} of {month} {y}", 2), ("the {d}{th} of {month}, {y}", 2),
    ("{month} {d}, {y}", 6), ("{month} {d} {y}", 3), ("{month} {d}{th}, {y}", 3),
    ("{month} {d}{th} {y}", 1), ("{month} the {d}{th}, {y}", 1),
    ("{weekday}, {month} {d}, {y}", 6), ("{weekday} {month} {d} {y}", 2),
    ("{weekday}, {d} {month} {y}", 4), ("{weekday} {d} {month} {y}", 4),
    ("{weekday}, {month} {d}{th}, {y}", 2), ("{weekday} {d}{th} {month} {y}", 2),
    ("{weekday} the {d}{th} of {month} {y}", 2), ("on {weekday}, {d} {month} {y}", 1),
    ("on {month} {d}, {y}", 1), ("on {d} {month} {y}", 1),
    ("{d} {mon} {y}", 4), ("{dd} {mon} {y}", 2), ("{mon} {d}, {y}", 4),
    ("{mon} {d} {y}", 2), ("{mon}. {d}, {y}", 2), ("{d} {mon}. {y}", 2),
    ("{wd} {d} {mon} {y}", 3), ("{wd}, {d} {mon} {y}", 3), ("{wd} {mon} {d} {y}", 3),
    ("{wd}, {mon} {d}, {y}", 2), ("{d}-{mon}-{y}", 2), ("{dd}-{mon}-{y}", 2),
    ("{y} {month} {d}", 2), ("{y} {mon} {dd}", 1), ("{y}, {month} {d}", 1),
    ("{d}.{m}.{y}", 3), ("{dd}.{mm}.{y}", 3), ("{d}/{m}/{y}", 2), ("{dd}/{mm}/{y}", 3),
    ("{y}/{mm}/{dd}", 2), ("{y}-{mm}-{dd}", 2), ("{y}.{mm}.{dd}", 1),
]

LOWER = "abcdefghijklmnopqrstuvwxyz"
ACCENTS = "àâäçèéêëîïñôöùûü"
DIGITS = "0123456789"
SIGNS = ".,;:!?'-"
LONGEST_STRING = 20


def part_of(answer):
    """Which part an answer belongs to: 2 % dev, 4 % test, the rest train."""
    slot = zlib.crc32(answer.encode("utf-8")) % 50
    return "dev" if slot == 0 else "test" if slot <= 2 else "train"


def ordinal(day):
    if day in (11, 12, 13):
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")


def draw_date(rng):
    """A day of the years 1000 to 2199; most from 1900 to 2050."""
    first, last = (1900, 2050) if rng.random() < 0.6 else (1000, 2199)
    begin = datetime.date(first, 1, 1).toordinal()
    end = datetime.date(last, 12, 31).toordinal()
    return datetime.date.fromordinal(rng.randint(begin, end))


def spell_date(day, rng):
    forms, weights = zip(*DATE_FORMS)
    form = rng.choices(forms, weights)[0]
    month, weekday = MONTHS[day.month - 1], WEEKDAYS[day.weekday()]
    text = form.format(d=day.day, dd=f"{day.day:02}", m=day.month, mm=f"{day.month:02}",
                       y=day.year, th=ordinal(day.day), month=month, mon=month[:3],
                       weekday=weekday, wd=weekday[:3])
    text += "." if rng.random() < 0.05 else ""
    case = rng.random()
    return text if case < 0.55 else text.lower() if case < 0.92 else text.upper()


def draw_dates(rng):
    day = draw_date(rng)
    return spell_date(day, rng), day.isoformat()


def draw_word(rng):
    """Something pronounceable, so that typed words look like what was trained."""
    vowels = ("aeiou", "aeiou", "aeiouéèü")
    word = "".join(rng.choice("bcdfghjklmnprstvwz") + rng.choice(vowels[k])
                   for k in range(rng.randint(1, 3)))
    word += rng.choice(["", "", "n", "s", "t", "r", "ll"])
    case = rng.random()
    return word if case < 0.7 else word.capitalize() if case < 0.95 else word.upper()


def draw_string(rng):
    """Words, or letters without any order; 1 to 20 characters."""
    kind, longest = rng.random(), rng.randint(1, LONGEST_STRING)
    if kind < 0.45:
        text = " ".join(draw_word(rng) for _ in range(rng.randint(1, 5)))
        text += rng.choice(SIGNS) if rng.random() < 0.15 else ""
    elif kind < 0.75:
        text = "".join(rng.choices(LOWER, k=longest))
    elif kind < 0.9:
        few = rng.sample(LOWER, rng.randint(1, 4))  # only order tells repeats apart
        text = "".join(rng.choices(few, k=longest))
    else:
        every = LOWER * 2 + LOWER.upper() + DIGITS * 2 + SIGNS + ACCENTS + "   "
        text = "".join(rng.choices(every, k=longest))
    return " ".join(text[:longest].split()) or "a"


def draw_copy(rng):
    text = draw_string(rng)
    return text, text


def draw_reverse(rng):
    text = draw_string(rng)
    return text, text[::-1]


DRAW = {"dates": draw_dates, "reverse": draw_reverse, "copy": draw_copy}


def make_task(task, sizes, seed):
    """{part: [(source, target)]} with sizes[part] pairs each; held-out ones distinct."""
    rng = random.Random(seed)
    parts = {part: [] for part in sizes}
    seen = set()
    while any(len(parts[part]) < sizes[part] for part in sizes):
        pair = DRAW[task](rng)
        # One-letter strings are too few to hold any of them out.
        part = "train" if len(pair[1]) < 3 else part_of(pair[1])
        if len(parts[part]) >= sizes[part] or (part != "train" and pair in seen):
            continue
        seen.add(pair)
        parts[part].append(pair)
    return parts


def main():
    cli = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    cli.add_argument("task", choices=sorted(DRAW))
    cli.add_argument("out")
    cli.add_argument("--train", type=int, default=120000)
    cli.add_argument("--test", type=int, default=2000)
    cli.add_argument("--seed", type=int, default=1)
    options = cli.parse_args()
    os.makedirs(options.out, exist_ok=True)
    sizes = {"train": options.train, "dev": 1000, "test": options.test}
    for part, pairs in make_task(options.task, sizes, options.seed).items():
        with open(f"{options.out}/{part}.tsv", "w", encoding="utf-8") as file:
            file.writelines(f"{source}\t{target}\n" for source, target in pairs)


if __name__ == "__main__":
    main()
