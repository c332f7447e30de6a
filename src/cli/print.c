// SPDX-License-Identifier: MIT
// See print.h.
#include "cli/print.h"

#include "cli/cli.h"
#include "cli/options.h"
#include "cli/sink.h"

bool print_begin(bool read, bool help, int *code)
{
    sink_guard();
    *code = read ? EXIT_DONE : EXIT_USAGE;
    if (read && help)
        cli_help();
    return read && !help;
}

int print_end(const char *command, const char *path, struct buf *out, bool made,
              struct error *err)
{
    bool ok = made && sink_put(path, out, err);
    buf_finish(out);
    return ok ? EXIT_DONE : say_error(command, err);
}
