// SPDX-License-Identifier: MIT
// Dropout on α, a switch to teach with: what training does to a row, and why it is off
// when the row is read. See command.h.
#include "app/command.h"

#include <stdio.h>
#include <string.h>

#include "app/state.h"
#include "engine/dropout.h"

enum { SEEDS = 1000000 }; // as many as six digits say

// What a key turns on: enough to be seen, and of the size that people train with.
#define USUAL 0.2f

static bool dropout_set(struct app *app, float rate, unsigned seed)
{
    app->dropout = rate;
    app->seed = seed % SEEDS;
    app_request(app);
    app->dirty = true;
    return true;
}

bool command_dropout(struct app *app, const char *argument, struct error *err)
{
    float rate = 0;
    unsigned seed = 0;
    char more;
    if (strcmp(argument, "off") == 0)
        return dropout_set(app, 0, 0);
    if (strcmp(argument, "toggle") == 0)
        return dropout_set(app, app->dropout > 0 ? 0 : USUAL, app->seed);
    if (strcmp(argument, "again") == 0)
        return dropout_set(app, app->dropout > 0 ? app->dropout : USUAL, app->seed + 1);
    int found = sscanf(argument, "%f %6u %c", &rate, &seed, &more);
    if (found < 1 || found > 2 || !dropout_valid(rate))
        return fail_with(err, ERR_USAGE,
                         "dropout: found '%.100s', expected a number from 0 to below 1 "
                         "and a seed, or toggle, again, off",
                         argument);
    return dropout_set(app, rate, seed);
}
