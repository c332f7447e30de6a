// SPDX-License-Identifier: MIT
// Growable buffer with a maximum. See buf.h.
#include "base/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void buf_init(struct buf *buf, size_t max_bytes)
{
    *buf = (struct buf){.max_bytes = max_bytes};
}

void buf_finish(struct buf *buf)
{
    free(buf->data);
    *buf = (struct buf){0};
}

void buf_clear(struct buf *buf)
{
    buf->length = 0;
    buf->failed = false;
    if (buf->data)
        buf->data[0] = '\0';
}

static bool reserve(struct buf *buf, size_t more)
{
    if (buf->failed || more > buf->max_bytes - buf->length) {
        buf->failed = true;
        return false;
    }
    size_t need = buf->length + more + 1;
    if (need <= buf->capacity)
        return true;
    size_t capacity = buf->capacity ? buf->capacity : 256;
    while (capacity < need)
        capacity *= 2;
    char *data = realloc(buf->data, capacity);
    if (!data) {
        buf->failed = true;
        return false;
    }
    buf->data = data;
    buf->capacity = capacity;
    return true;
}

bool buf_append(struct buf *buf, const char *bytes, size_t length)
{
    if (!reserve(buf, length))
        return false;
    if (length)
        memcpy(buf->data + buf->length, bytes, length);
    buf->length += length;
    buf->data[buf->length] = '\0';
    return true;
}

bool buf_add(struct buf *buf, const char *text)
{
    return buf_append(buf, text, strlen(text));
}

bool buf_printf(struct buf *buf, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    bool ok = length >= 0 && reserve(buf, (size_t)length);
    if (ok) {
        vsnprintf(buf->data + buf->length, (size_t)length + 1, format, again);
        buf->length += (size_t)length;
    }
    va_end(again);
    va_end(args);
    return ok;
}

const char *buf_text(const struct buf *buf)
{
    return buf->data ? buf->data : "";
}
