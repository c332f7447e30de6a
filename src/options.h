// SPDX-License-Identifier: MIT
// The window's command line.
#pragma once

#include "base/error.h"
#include "ui/style.h"

struct options {
    const char *model, *text, *script;
    float tau; // negative: not given
    bool redecode, report, help, version, commands;
    enum theme theme;
    float scale;
    int width, height; // 0: a good part of the display
};

// False after a sentence on stderr: wrong usage.
MUST_CHECK bool options_parse(struct options *options, int argc, char **argv);
