// SPDX-License-Identifier: MIT
// What `alphascope trace` was asked for, checked.
#pragma once

#include <stdbool.h>

#include "ui/style.h"

enum trace_format {
    TRACE_JSON,
    TRACE_TSV,
    TRACE_TEXT,
    TRACE_PHARAOH,
    TRACE_SOFT,
    TRACE_PNG, // pictures from here on
    TRACE_SVG,
    TRACE_PDF,
    TRACE_FORMATS
};

struct trace_options {
    const char *model, *text, *output; // NULL: not given
    enum trace_format format;
    float tau;   // 0..∞
    bool reread; // τ on the stored scores rather than inside the loop
    enum theme theme;
    float scale; // pixels per logical unit
    bool help;
};

bool trace_is_picture(enum trace_format format);
const char *trace_format_name(enum trace_format format); // "png"
// False after a sentence on stderr: wrong usage.
bool trace_options_read(struct trace_options *options, int argc, char **argv);
