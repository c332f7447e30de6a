# SPDX-License-Identifier: MIT
"""Makes the bundled faces from Debian's fonts-inter and fonts-dejavu-core.

Inter is cut down to the scripts and signs the program shows, and four things change:
- digits are the tabular ones, all of one width, so that live numbers do not jitter
  (SDL_ttf cannot ask for the OpenType feature tnum);
- only the features kern, mark, mkmk, ccmp and locl stay: contextual alternates would
  turn typed "->" into an arrow and "2x4" into a product;
- pairs with a digit or a space are not kerned: numbers for the same reason, and a
  sentence measures the same in one piece and in several;
- the player signs that neither face has are drawn from Inter's own triangle.
DejaVu Sans is copied whole.

usage: make.py [DIRECTORY]     (needs fontTools; writes beside itself by default)
"""
import pathlib
import shutil
import sys

from fontTools import subset
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.ttLib import TTFont

INTER = "/usr/share/fonts/opentype/inter/Inter-%s.otf"
DEJAVU = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
WEIGHTS = ("Regular", "Medium", "SemiBold")
RANGES = (
    (0x20, 0x24F), (0x250, 0x2FF), (0x300, 0x36F), (0x370, 0x3FF), (0x1D00, 0x1DBF),
    (0x1E00, 0x1EFF), (0x2000, 0x206F), (0x2070, 0x209F), (0x20A0, 0x20CF),
    (0x2100, 0x218F), (0x2190, 0x21FF), (0x2200, 0x22FF), (0x2300, 0x23FF),
    (0x2420, 0x2426), (0x25A0, 0x25FF), (0x2600, 0x27BF), (0x2C60, 0x2C7F),
)
DIGITS = range(0x30, 0x3A)
# Signs that change places in a readout must not move it either.
EQUAL = ("0123456789\u2007", "+\u2212\u00b1")


def tabular(font):
    for record in font["GSUB"].table.FeatureList.FeatureRecord:
        if record.FeatureTag != "tnum":
            continue
        for index in record.Feature.LookupListIndex:
            for table in font["GSUB"].table.LookupList.Lookup[index].SubTable:
                table = getattr(table, "ExtSubTable", table)
                return table.mapping
    raise SystemExit("no tnum in " + font["name"].getDebugName(4))


def set_digits(font):
    mapping, metrics = tabular(font), font["hmtx"]
    names = {code: mapping[font.getBestCmap()[code]] for code in DIGITS}
    width = metrics[names[0x30]][0]
    for name in names.values():
        assert abs(metrics[name][0] - width) <= 4, name
        metrics[name] = (width, metrics[name][1])
    for table in font["cmap"].tables:
        for code in DIGITS:
            if code in table.cmap:
                table.cmap[code] = names[code]
        if 0x2007 in table.cmap:
            space = table.cmap[0x2007]
            metrics[space] = (width, metrics[space][1])
    return set(names.values())


def unkern(font, glyphs):
    """Takes the glyphs out of every pair adjustment."""
    for lookup in font["GPOS"].table.LookupList.Lookup:
        for table in lookup.SubTable:
            table = getattr(table, "ExtSubTable", table)
            if type(table).__name__ != "PairPos":
                continue
            drop_first(table, glyphs)
            if table.Format == 1:
                for pairs in table.PairSet:
                    pairs.PairValueRecord = [
                        r for r in pairs.PairValueRecord if r.SecondGlyph not in glyphs]
                    pairs.PairValueCount = len(pairs.PairValueRecord)
            else:
                for name in glyphs:
                    table.ClassDef1.classDefs.pop(name, None)
                    table.ClassDef2.classDefs.pop(name, None)


def drop_first(table, glyphs):
    keep = [i for i, g in enumerate(table.Coverage.glyphs) if g not in glyphs]
    if table.Format == 1:
        table.PairSet = [table.PairSet[i] for i in keep]
        table.PairSetCount = len(keep)
    table.Coverage.glyphs = [table.Coverage.glyphs[i] for i in keep]


def draw_player_signs(font):
    """U+23EE, U+23ED (to the ends), U+23F8 (pause), on Inter's line."""
    cap = font["OS/2"].sCapHeight
    low, high, mid, wide, bar = 0, cap, cap / 2, cap * 0.55, cap * 0.17
    def box(x):
        return [(x, low), (x + bar, low), (x + bar, high), (x, high)]
    def right(x):
        return [(x, low), (x + wide, mid), (x, high)]
    def left(x):
        return [(x + wide, low), (x + wide, high), (x, mid)]
    side = cap * 0.12
    signs = {
        0x23ED: [right(side), right(side + wide), box(side + 2 * wide)],
        0x23EE: [box(side), left(side + bar), left(side + bar + wide)],
        0x23F8: [box(side + wide * 0.45), box(side + wide * 0.45 + 2.2 * bar)],
    }
    width = round(2 * side + 2 * wide + bar)
    for code, shapes in signs.items():
        add_glyph(font, code, shapes, width)


def add_glyph(font, code, shapes, width):
    top = font["CFF "].cff.topDictIndex[0]
    private = top.Private
    pen = T2CharStringPen(width - private.nominalWidthX, None)
    for shape in shapes:
        pen.moveTo(shape[0])
        for point in shape[1:]:
            pen.lineTo(point)
        pen.closePath()
    name = "uni%04X" % code
    charstring = pen.getCharString(private, top.CharStrings.globalSubrs)
    top.CharStrings.charStringsIndex.append(charstring)
    top.CharStrings.charStrings[name] = len(top.CharStrings.charStringsIndex) - 1
    if name not in top.charset:
        top.charset.append(name)
    font.setGlyphOrder(top.charset)
    font["hmtx"][name] = (width, round(min(p[0] for s in shapes for p in s)))
    for table in font["cmap"].tables:
        if table.isUnicode():
            table.cmap[code] = name


def cut(font):
    options = subset.Options()
    options.layout_features = ["kern", "mark", "mkmk", "ccmp", "locl"]
    options.hinting = True
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14, 16, 17]
    options.notdef_outline = True
    options.drop_tables += ["DSIG"]
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=[c for low, high in RANGES for c in range(low, high + 1)])
    cutter.subset(font)


def check(font):
    cmap, metrics = font.getBestCmap(), font["hmtx"]
    for signs in EQUAL:
        widths = {metrics[cmap[ord(c)]][0] for c in signs if ord(c) in cmap}
        assert len(widths) == 1, (signs, widths)


def main():
    here = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else __file__).resolve()
    out = here if here.is_dir() else here.parent
    for weight in WEIGHTS:
        font = TTFont(INTER % weight, recalcTimestamp=False)
        digits = set_digits(font)
        spaces = {font.getBestCmap()[code] for code in (0x20, 0xA0, 0x2007)}
        unkern(font, digits | spaces)
        cut(font)
        draw_player_signs(font)
        check(font)
        font.save(out / ("Inter-%s.otf" % weight))
    shutil.copyfile(DEJAVU, out / "DejaVuSans.ttf")


if __name__ == "__main__":
    main()
