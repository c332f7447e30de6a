// SPDX-License-Identifier: MIT
// Dropout on α, a switch to teach with: what training does to a row, and why it is off
// when the row is read. See command.h.
#include "app/command.h"

#include <stdio.h>
#include <string.h>

#include "app/state.h"
#include "engine/dropout.h"

bool command_dropout(struct app *app, const char *argument, struct error *err)
{
    float rate = 0;
    unsigned seed = 0;
    char more;
    bool off = strcmp(argument, "off") == 0;
    int found = sscanf(argument, "%f %6u %c", &rate, &seed, &more);
    if (!off && (found < 1 || found > 2 || !dropout_valid(rate)))
        return fail_with(err, ERR_USAGE,
                         "dropout: found '%.100s', expected a number from 0 to below 1 "
                         "and a seed, or off",
                         argument);
    app->dropout = off ? 0 : rate;
    app->seed = seed;
    app_request(app);
    app->dirty = true;
    return true;
}
