// SPDX-License-Identifier: MIT
// A saved session: what was on the screen, as a file that a person can read and mend.
//
//   {"format": "alphascope-session", "version": 1,
//    "text": "The black cat sleeps.",
//    "model": {"id": "en-fr-bahdanau", "hash": "xxh3:0123456789abcdef"},
//    "tau": 1, "mode": "re-read",
//    "view": ["theme dark", "select 4"], "edits": [],
//    "equation": ["sheet three-keys"]}
//
// A model that is not bundled has its "path" too, relative to the session when it lies
// beside or below it. The lines of edits, then those of view and of equation, are
// commands, carried out in order; which ones may stand there the application says.
// equation is there only when the page of the equation was on the screen. Keys that this
// program does not know are kept as they are written.
#pragma once

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"

enum { SAVED_VERSION = 1, SAVED_MAX_BYTES = 4 << 20, SAVED_MAX_LINES = 4096 };

struct saved {
    int version; // as far as it was read; newer than ours when that is what failed
    const char *text;
    const char *id, *path, *hash; // of the model; path, hash: "" when not given
    float tau;
    bool reread;
    const char *view[SAVED_MAX_LINES], *edits[SAVED_MAX_LINES];
    const char *equation[SAVED_MAX_LINES];
    int n_view, n_edits, n_equation;
    const char *kept, *kept_in_model; // members that are not known: "\"a\": 1, \"b\": []"
    struct arena arena;               // holds what was read
};

// what: for errors, the file's name. A newer version is ERR_FORMAT too, and said to be
// one. End with saved_finish, also after a failure.
MUST_CHECK bool saved_parse(struct saved *session, const char *bytes, size_t size,
                            const char *what, struct error *err);
MUST_CHECK bool saved_read(struct saved *session, const char *path, struct error *err);
void saved_finish(struct saved *session); // a zeroed one is fine
MUST_CHECK bool saved_write(struct buf *out, const struct saved *session,
                            struct error *err);
// By its name or its first bytes.
bool saved_is(const char *path);
