// SPDX-License-Identifier: MIT
// A session of a bundled model and one of a tiny model, for all tests of a program.
// Include after cmocka.h.
#pragma once

#include <string.h>

#include "bundled.h"
#include "tiny_model.h"

struct fixture {
    struct model_dir *dir;
    struct session *session;
    struct tiny tiny;
    struct session *tiny_session;
};

static inline int set_up(void **state)
{
    static struct fixture fixture;
    fixture.dir = open_bundled("en-fr-bahdanau");
    if (!fixture.dir || !tiny_open(&fixture.tiny, SCORE_ADDITIVE))
        return -1;
    fixture.session = open_session(fixture.dir);
    fixture.tiny_session = session_create(&fixture.tiny.translator, NULL);
    *state = &fixture;
    return fixture.session && fixture.tiny_session ? 0 : -1;
}

static inline int tear_down(void **state)
{
    struct fixture *fixture = *state;
    session_destroy(fixture->session);
    session_destroy(fixture->tiny_session);
    session_destroy(NULL);
    model_dir_close(fixture->dir);
    tiny_close(&fixture->tiny);
    return 0;
}

static inline struct alignment *run(struct session *session, const char *text, float tau)
{
    struct error err = {0};
    struct alignment *alignment =
        session_run(session, text, strlen(text), run_at(tau), &err);
    if (!alignment)
        print_error("%s\n", err.text);
    assert_non_null(alignment);
    return alignment;
}
