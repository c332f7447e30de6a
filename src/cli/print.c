// SPDX-License-Identifier: MIT
// See print.h.
#include "cli/print.h"

#include "cli/cli.h"
#include "cli/sink.h"

bool print_begin(struct command *command, int argc, char **argv, int *code)
{
    sink_guard();
    *code = EXIT_USAGE;
    if (!options_read(command, argc, argv))
        return false;
    *code = EXIT_DONE;
    if (command->help)
        cli_help();
    return !command->help;
}

int print_end(const char *command, const char *path, struct buf *out, bool made,
              struct error *err)
{
    bool ok = made && sink_put(path, out, err);
    buf_finish(out);
    return ok ? EXIT_DONE : say_error(command, err);
}
