// SPDX-License-Identifier: MIT
// Any bytes as a session. What is accepted is written again, and then read as the same.
#include "fuzz.h"

#include <string.h>

#include "formats/saved.h"

static void same(const char *a, const char *b)
{
    must(strcmp(a, b) == 0);
}

static void check(const struct saved *session)
{
    static struct saved again;
    struct buf one, two;
    struct error err;
    buf_init(&one, 16 << 20);
    buf_init(&two, 16 << 20);
    must(session->tau >= 0);
    must(saved_write(&one, session, &err));
    must(saved_parse(&again, one.data, one.length, "again", &err));
    same(again.text, session->text);
    same(again.id, session->id);
    same(again.kept, session->kept);
    must(again.n_view == session->n_view && again.n_edits == session->n_edits);
    must(again.n_equation == session->n_equation);
    must(saved_write(&two, &again, &err));
    same(one.data, two.data);
    saved_finish(&again);
    buf_finish(&one);
    buf_finish(&two);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct saved session;
    struct error err = {0};
    if (saved_parse(&session, (const char *)data, size, "s.alphascope", &err))
        check(&session);
    else
        must(err.code != OK && err.text[0]);
    saved_finish(&session);
    return 0;
}
