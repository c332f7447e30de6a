// SPDX-License-Identifier: MIT
// Cutting labels. See short.h.
#include "view/short.h"

#include <stdio.h>
#include <string.h>

#include "text/utf8.h"

struct short_text short_of(const char *text)
{
    struct short_text out = {""};
    struct utf8_report report = {0};
    size_t mark = strlen("…");
    if (text)
        utf8_clean(out.text, sizeof out.text - mark, text, strlen(text), &report);
    if (report.cut)
        memcpy(out.text + strlen(out.text), "…", mark + 1);
    return out;
}

struct short_text number_text(double value, int decimals)
{
    struct short_text out = {""};
    snprintf(out.text, sizeof out.text, "%s%.*f", value < 0 ? "−" : "", decimals,
             value < 0 ? -value : value);
    return out;
}

struct short_text signed_text(double value, int decimals)
{
    struct short_text out = number_text(value, decimals);
    if (!strpbrk(out.text, "123456789"))
        return number_text(0, decimals);
    if (value > 0)
        snprintf(out.text, sizeof out.text, "+%.*f", decimals, value);
    return out;
}
