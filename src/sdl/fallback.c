// SPDX-License-Identifier: MIT
// System fonts by fontconfig. FcFontSort gives the installed fonts in the order in which
// the user's settings like them, with the characters that each has; a look-up is a walk
// along that list. The configuration is our own copy, so that nothing global is touched
// and everything goes with fallback_destroy.
#include "sdl/fallback.h"

#include <fontconfig/fontconfig.h>
#include <stdlib.h>

struct fallback {
    bool loaded;
    FcConfig *config;
    FcFontSet *plain; // sans-serif first
    FcFontSet *emoji; // colour first
};

struct fallback *fallback_create(void)
{
    return calloc(1, sizeof(struct fallback));
}

void fallback_destroy(struct fallback *fallback)
{
    if (!fallback)
        return;
    if (fallback->plain)
        FcFontSetDestroy(fallback->plain);
    if (fallback->emoji)
        FcFontSetDestroy(fallback->emoji);
    if (fallback->config)
        FcConfigDestroy(fallback->config);
    free(fallback);
}

static FcFontSet *sort_fonts(FcConfig *config, const char *family)
{
    FcPattern *pattern = FcPatternCreate();
    if (!pattern)
        return NULL;
    FcPatternAddString(pattern, FC_FAMILY, (const FcChar8 *)family);
    FcConfigSubstitute(config, pattern, FcMatchPattern);
    FcDefaultSubstitute(pattern);
    FcResult result = FcResultMatch;
    FcFontSet *set = FcFontSort(config, pattern, FcFalse, NULL, &result);
    FcPatternDestroy(pattern);
    return set;
}

static void load(struct fallback *fallback)
{
    if (fallback->loaded)
        return;
    fallback->loaded = true;
    fallback->config = FcInitLoadConfigAndFonts();
    if (!fallback->config)
        return;
    fallback->plain = sort_fonts(fallback->config, "sans-serif");
    fallback->emoji = sort_fonts(fallback->config, "emoji");
}

static bool has_all(const FcPattern *font, const int32_t *points, int count)
{
    FcCharSet *set = NULL;
    if (FcPatternGetCharSet(font, FC_CHARSET, 0, &set) != FcResultMatch)
        return false;
    for (int i = 0; i < count; i++)
        if (!FcCharSetHasChar(set, (FcChar32)points[i]))
            return false;
    return true;
}

static bool flag(const FcPattern *font, const char *object)
{
    FcBool value = FcFalse;
    return FcPatternGetBool(font, object, 0, &value) == FcResultMatch && value;
}

static bool describe(const FcPattern *font, struct fallback_font *out)
{
    FcChar8 *file = NULL;
    if (FcPatternGetString(font, FC_FILE, 0, &file) != FcResultMatch)
        return false;
    int index = 0;
    if (FcPatternGetInteger(font, FC_INDEX, 0, &index) != FcResultMatch)
        index = 0;
    out->path = (const char *)file;
    out->index = index & 0xffff; // the upper half names a variable font's instance
    out->bitmap = !flag(font, FC_OUTLINE);
    return true;
}

// SDL_ttf scales outlines, and colour bitmaps are scaled on copy; other bitmap fonts
// have sizes that nobody asked for.
static bool suits(const FcPattern *font, bool colour)
{
    return flag(font, FC_COLOR) == colour && (colour || flag(font, FC_OUTLINE));
}

static bool find_in(const FcFontSet *set, const int32_t *points, int count, bool colour,
                    struct fallback_font *out)
{
    for (int i = 0; set && i < set->nfont; i++) {
        const FcPattern *font = set->fonts[i];
        if (suits(font, colour) && has_all(font, points, count) && describe(font, out))
            return true;
    }
    return false;
}

bool fallback_find(struct fallback *fallback, const int32_t *points, int count,
                   bool emoji, struct fallback_font *out)
{
    load(fallback);
    if (emoji)
        return find_in(fallback->emoji, points, count, true, out);
    return find_in(fallback->plain, points, count, false, out) ||
           find_in(fallback->emoji, points, count, true, out);
}
