// SPDX-License-Identifier: MIT
// τ on a slider: τ = 10^((p - 0.5) / 0.32), a decade every 0.32 of the length, so
// that 0.1, 1 and 10 stand evenly; the ends are the limits themselves. See tau.h.
#include "view/tau.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const float decade = 0.32f; // slider length of a factor of ten
static const float snap = 0.012f;

static const struct tau_tick ticks[TAU_TICKS] = {
    {0, "0 hard"},  {0.18f, "0.1"}, {0.3327f, "0.3"}, {0.5f, "1"},
    {0.6527f, "3"}, {0.82f, "10"},  {1, "∞ uniform"},
};

const struct tau_tick *tau_ticks(void)
{
    return ticks;
}

float tau_of_position(float position)
{
    if (!(position > snap))
        return 0;
    if (position >= 1 - snap)
        return INFINITY;
    if (fabsf(position - 0.5f) < snap)
        return 1;
    return powf(10, (position - 0.5f) / decade);
}

float tau_to_position(float tau)
{
    if (!(tau > 0))
        return 0;
    if (isinf(tau))
        return 1;
    float position = 0.5f + decade * log10f(tau);
    return fminf(fmaxf(position, snap * 1.5f), 1 - snap * 1.5f);
}

void tau_format(char *out, size_t size, float tau)
{
    if (isinf(tau))
        snprintf(out, size, "∞");
    else if (tau == 0)
        snprintf(out, size, "0");
    else
        snprintf(out, size,
                 tau < 0.1f ? "%.3f"
                 : tau < 10 ? "%.2f"
                            : "%.1f",
                 (double)tau);
}

// A float has the number of these digits, with all of its own.
static bool is_held(const char *digits, float value)
{
    size_t mantissa = strcspn(digits, "eE");
    bool is_zero = strcspn(digits, "123456789") >= mantissa;
    return is_zero ? value == 0 : isnormal(value);
}

bool tau_parse(const char *text, float *tau)
{
    char copy[64];
    if (snprintf(copy, sizeof copy, "%s", text) >= (int)sizeof copy)
        return false;
    char *begin = copy + strspn(copy, " \t");
    size_t length = strlen(begin);
    while (length && strchr(" \t", begin[length - 1]))
        begin[--length] = '\0';
    if (!strcmp(begin, "∞") || !strcmp(begin, "inf") || !strcmp(begin, "infinity")) {
        *tau = INFINITY;
        return true;
    }
    if (!length || strspn(begin, "0123456789.,eE+-") != length)
        return false;
    for (char *comma = strchr(begin, ','); comma; comma = strchr(comma, ','))
        *comma = '.';
    char *end = NULL;
    float value = strtof(begin, &end);
    if (*end || signbit(value) || !is_held(begin, value))
        return false;
    *tau = value;
    return true;
}
