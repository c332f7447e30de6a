// SPDX-License-Identifier: MIT
// What `alphascope trace` was asked for, checked.
#pragma once

#include <stdbool.h>

#include "cli/heads_option.h"
#include "engine/search.h"
#include "formats/write.h"
#include "view/colormap.h"
#include "ui/sheet.h"
#include "ui/style.h"

// Those of formats/write.h, then the kinds of a sheet: pictures.
enum { TRACE_FORMATS = WRITE_FORMATS + SHEET_KINDS };

enum { TRACE_MAX_THREADS = 64 };

struct trace_options {
    const char *model, *text, *output; // NULL: not given
    const char *force;                 // the target; "-": each line has its own
    int format;                        // below TRACE_FORMATS
    float tau;                         // 0..∞
    struct beam beam;                  // width 0: greedy
    int nbest;                         // 0: the best, not as a list
    float dropout;                     // of α
    int seed, threads;
    bool reread;    // τ on the stored scores rather than inside the loop
    bool posterior; // links from α once the word is known
    struct heads_option heads;
    struct lens_options lens;
    bool hard, ribbon; // pictures
    enum shade shade;
    enum colormap map;
    enum theme theme;
    float scale; // pixels per logical unit
    bool help;
};

bool trace_is_picture(int format);
bool trace_is_bare(int format); // words and α: no p, no place for words about it
const char *trace_format_name(int format); // "png"
// False after a sentence on stderr: wrong usage.
bool trace_options_read(struct trace_options *options, int argc, char **argv);
