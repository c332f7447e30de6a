// SPDX-License-Identifier: MIT
// Errors as values. See error.h.
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

bool fail_with(struct error *err, enum status code, const char *format, ...)
{
    if (!err)
        return false;
    va_list args;
    va_start(args, format);
    vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    err->code = code;
    for (char *c = err->text; *c; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            *c = '?';
    return false;
}

bool fail_nomem(struct error *err, const char *what)
{
    return fail_with(err, ERR_NOMEM, "out of memory for %s", what);
}
