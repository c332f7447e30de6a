// SPDX-License-Identifier: MIT
// What `alphascope trace` was asked for, checked.
#pragma once

#include <stdbool.h>

#include "formats/write.h"
#include "ui/sheet.h"
#include "ui/style.h"

// Those of formats/write.h, then the kinds of a sheet: pictures.
enum { TRACE_FORMATS = WRITE_FORMATS + SHEET_KINDS };

struct trace_options {
    const char *model, *text, *output; // NULL: not given
    int format;                        // below TRACE_FORMATS
    float tau;                         // 0..∞
    bool reread; // τ on the stored scores rather than inside the loop
    enum theme theme;
    float scale; // pixels per logical unit
    bool help;
};

bool trace_is_picture(int format);
const char *trace_format_name(int format); // "png"
// False after a sentence on stderr: wrong usage.
bool trace_options_read(struct trace_options *options, int argc, char **argv);
