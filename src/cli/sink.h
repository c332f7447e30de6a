// SPDX-License-Identifier: MIT
// Where results go: standard output, or a file that appears whole or not at all. Every
// write is checked. A reader that has gone away (EPIPE) is ERR_CANCELLED: nothing to say.
#pragma once

#include "base/buf.h"
#include "base/error.h"

#include <stddef.h>

struct sink {
    int fd;
    const char *path;     // NULL: standard output; borrowed
    char target[4096];    // path, or the file that it is a symbolic link to
    char temporary[4096]; // "": path is written in place, being a device or a pipe
};

// Takes the place of closed standard descriptors, so that no file opened later becomes
// one of them: reading or writing such a one then fails with EBADF, as it should. Also
// turns SIGPIPE into EPIPE. Call it first.
void sink_guard(void);
// path NULL: standard output. One file at a time: what SIGHUP, SIGINT and SIGTERM remove,
// before they end the program as they always do, is its unfinished content.
MUST_CHECK bool sink_open(struct sink *sink, const char *path, struct error *err);
MUST_CHECK bool sink_write(struct sink *sink, const char *data, size_t size,
                           struct error *err);
// keep false: the file is left as it was before.
MUST_CHECK bool sink_close(struct sink *sink, bool keep, struct error *err);
// All of it at once: opened, written, closed. A file is left as it was after a failure.
MUST_CHECK bool sink_put(const char *path, const struct buf *out, struct error *err);
