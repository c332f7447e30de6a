// SPDX-License-Identifier: MIT
// Drives the text editor with operations read from bytes, beside a model that is written
// as plainly as possible: whole strings, boundaries listed anew each time, undo and redo
// as two arrays of whole states. They must agree after every operation.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/utf8.h"
#include "ui/textedit.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct snap {
    char text[TEXTEDIT_MAX_BYTES + 1];
    size_t caret, anchor;
};

enum run { RUN_NONE, RUN_TYPE, RUN_BACKSPACE, RUN_DELETE };

struct model {
    struct snap now;
    struct snap undo[TEXTEDIT_UNDO], redo[TEXTEDIT_UNDO];
    int n_undo, n_redo;
    enum run run;
    uint64_t now_ms, edit_ms;
};

struct bytes {
    const uint8_t *at;
    size_t left;
};

static void expect(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "fuzz_textedit: %s\n", what);
    abort();
}

static unsigned take(struct bytes *in)
{
    if (in->left == 0)
        return 0;
    in->left--;
    return *in->at++;
}

// The boundary at or after (up) or at or before (down) an offset, from a list of all.
static size_t snap_to(const char *text, size_t at, bool up)
{
    size_t length = strlen(text), best = 0, b = 0;
    for (;;) {
        if (b <= at)
            best = b;
        if (b >= at || b == length)
            return up ? b : best;
        b = utf8_next(text, length, b);
    }
}

static size_t low(const struct snap *s)
{
    return s->caret < s->anchor ? s->caret : s->anchor;
}

static size_t high(const struct snap *s)
{
    return s->caret > s->anchor ? s->caret : s->anchor;
}

static void model_step(struct model *m, enum run run, bool goes_on)
{
    bool pause = m->now_ms - m->edit_ms > 1000;
    if (!(goes_on && run == m->run && run != RUN_NONE && !pause)) {
        if (m->n_undo == TEXTEDIT_UNDO)
            memmove(&m->undo[0], &m->undo[1], sizeof(m->undo[0]) * (size_t)--m->n_undo);
        m->undo[m->n_undo++] = m->now;
        m->n_redo = 0;
    }
    m->run = run;
    m->edit_ms = m->now_ms;
}

static void model_splice(struct model *m, size_t begin, size_t end, const char *put)
{
    char joined[2 * TEXTEDIT_MAX_BYTES + 1];
    snprintf(joined, sizeof(joined), "%.*s%s%s", (int)begin, m->now.text, put,
             m->now.text + end);
    expect(strlen(joined) <= TEXTEDIT_MAX_BYTES, "the model outgrew the limit");
    strncpy(m->now.text, joined, TEXTEDIT_MAX_BYTES);
    m->now.caret = m->now.anchor = snap_to(m->now.text, begin + strlen(put), true);
}

static void both_insert(struct textedit *edit, struct model *m, const char *bytes,
                        size_t length)
{
    char clean[TEXTEDIT_MAX_BYTES + 1];
    size_t begin = low(&m->now), end = high(&m->now);
    size_t room = TEXTEDIT_MAX_BYTES - (strlen(m->now.text) - (end - begin));
    struct utf8_report report;
    size_t count = utf8_clean(clean, room + 1, bytes, length, &report);
    textedit_insert(edit, bytes, length);
    expect(textedit_replaced(edit) == report.invalid, "replaced differs");
    expect((textedit_cut(edit) > 0) == report.cut, "cut differs");
    if (count == 0 && begin == end)
        return;
    bool typed = count > 0 && utf8_next(clean, count, 0) == count;
    bool goes_on = begin == end && !(typed && utf8_blank(clean, count));
    model_step(m, typed ? RUN_TYPE : RUN_NONE, goes_on);
    model_splice(m, begin, end, clean);
}

static void both_set(struct textedit *edit, struct model *m, const char *bytes,
                     size_t length)
{
    char clean[TEXTEDIT_MAX_BYTES + 1];
    utf8_clean(clean, sizeof(clean), bytes, length, NULL);
    textedit_set(edit, bytes, length);
    m->run = RUN_NONE;
    if (strcmp(clean, m->now.text) != 0) {
        model_step(m, RUN_NONE, false);
        model_splice(m, 0, strlen(m->now.text), clean);
    }
    m->now.caret = m->now.anchor = strlen(clean);
}

static size_t model_target(const struct snap *s, enum key key, bool word)
{
    size_t length = strlen(s->text);
    switch (key) {
    case KEY_HOME:
        return 0;
    case KEY_END:
        return length;
    case KEY_LEFT:
    case KEY_BACKSPACE:
        if (word)
            return snap_to(s->text, utf8_word_previous(s->text, length, s->caret), false);
        return s->caret == 0 ? 0 : snap_to(s->text, s->caret - 1, false);
    default:
        if (word)
            return snap_to(s->text, utf8_word_next(s->text, length, s->caret), true);
        return s->caret == length ? length : snap_to(s->text, s->caret + 1, true);
    }
}

static void model_move(struct model *m, struct key_event key)
{
    bool shift = key.mods & MOD_SHIFT, word = key.mods & MOD_CTRL;
    bool selected = m->now.caret != m->now.anchor, arrow = false;
    arrow = key.key == KEY_LEFT || key.key == KEY_RIGHT;
    size_t to = model_target(&m->now, key.key, word);
    if (arrow && selected && !shift && !word)
        to = key.key == KEY_LEFT ? low(&m->now) : high(&m->now);
    m->now.caret = to;
    if (!shift)
        m->now.anchor = to;
    m->run = RUN_NONE;
}

static void model_erase(struct model *m, struct key_event key)
{
    bool word = key.mods & MOD_CTRL, selected = m->now.caret != m->now.anchor;
    size_t begin = low(&m->now), end = high(&m->now);
    size_t to = model_target(&m->now, key.key, word);
    if (!selected) {
        begin = to < begin ? to : begin;
        end = to > end ? to : end;
    }
    if (begin == end)
        return;
    enum run run = key.key == KEY_BACKSPACE ? RUN_BACKSPACE : RUN_DELETE;
    model_step(m, selected || word ? RUN_NONE : run, true);
    model_splice(m, begin, end, "");
}

static void model_undo(struct model *m)
{
    if (m->n_undo == 0)
        return;
    m->redo[m->n_redo++] = m->now;
    m->now = m->undo[--m->n_undo];
    m->run = RUN_NONE;
}

static void model_redo(struct model *m)
{
    if (m->n_redo == 0)
        return;
    m->undo[m->n_undo++] = m->now;
    m->now = m->redo[--m->n_redo];
    m->run = RUN_NONE;
}

static void both_key(struct textedit *edit, struct model *m, unsigned byte)
{
    static const enum key keys[] = {KEY_LEFT, KEY_RIGHT,     KEY_HOME,
                                    KEY_END,  KEY_BACKSPACE, KEY_DELETE};
    struct key_event key = {.key = keys[byte % 6], .mods = byte / 6 % 4};
    expect(textedit_key(edit, key), "a key was not understood");
    if (key.key == KEY_BACKSPACE || key.key == KEY_DELETE)
        model_erase(m, key);
    else
        model_move(m, key);
}

static void both_select(struct textedit *edit, struct model *m, unsigned a, unsigned b)
{
    size_t length = strlen(m->now.text);
    size_t anchor = a * (length + 3) / 255, caret = b * (length + 3) / 255;
    textedit_select(edit, anchor, caret);
    m->now.anchor = snap_to(m->now.text, anchor, false);
    m->now.caret = snap_to(m->now.text, caret, false);
    m->run = RUN_NONE;
}

// What a word is belongs to utf8; here: it holds the offset and is of one kind.
static void both_select_word(struct textedit *edit, struct model *m, unsigned a)
{
    size_t length = strlen(m->now.text), at = a * length / 255;
    textedit_select_word(edit, at);
    size_t begin = textedit_anchor(edit), end = textedit_caret(edit);
    expect(begin <= at && (at < end || at == length), "the word is elsewhere");
    expect(length == 0 || begin < end, "the word is empty");
    m->now.anchor = begin;
    m->now.caret = end;
    m->run = RUN_NONE;
}

static void both_type(struct textedit *edit, struct model *m, unsigned byte)
{
    static const char *const pieces[] = {"a",
                                         "b",
                                         " ",
                                         "e",
                                         "\xcc\x81",
                                         "\xc3\xa9",
                                         "\xe2\x80\x8d",
                                         "\xf0\x9f\x91\xa9",
                                         "\xf0\x9f\x87\xab",
                                         "\xf0\x9f\x87\xb7",
                                         "\xe1\x84\x92",
                                         "\xe1\x85\xa1",
                                         "\xef\xb8\x8f",
                                         "\n",
                                         "\t",
                                         "\xff",
                                         ",",
                                         "\xd7\xa9",
                                         "\xe6\xb3\xa8",
                                         "two words",
                                         "\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x94\xac",
                                         "\xe2\x80\xa8",
                                         "\xef\xbb\xbf",
                                         "",
                                         "\xc2\xa0",
                                         "1",
                                         "\xed\xa0\x80",
                                         "\xe0\xa4\x95\xe0\xa5\x8d\xe0\xa4\xb7"};
    const char *piece = pieces[byte % (sizeof(pieces) / sizeof(pieces[0]))];
    both_insert(edit, m, piece, strlen(piece));
}

static void both_paste(struct textedit *edit, struct model *m, struct bytes *in,
                       unsigned kind)
{
    size_t count = take(in), times = 1 + kind % 40, used = 0;
    static const char filler[] = "abc \xc3\xa9\xcc\x81 \xf0\x9f\x87\xab";
    char text[256 * 40 + sizeof(filler)];
    count = count < in->left ? count : in->left;
    for (size_t i = 0; i < times; i++, used += count)
        memcpy(text + used, in->at, count);
    in->at += count;
    in->left -= count;
    memcpy(text + used, filler, sizeof(filler) - 1);
    used += kind & 64 ? sizeof(filler) - 1 : 0;
    if (kind & 128)
        both_set(edit, m, text, used);
    else
        both_insert(edit, m, text, used);
}

static void do_op(struct textedit *edit, struct model *m, struct bytes *in)
{
    unsigned op = take(in) % 16, a = take(in);
    if (op < 6) {
        both_type(edit, m, a);
    } else if (op < 10) {
        both_key(edit, m, a);
    } else if (op == 10) {
        both_select(edit, m, a, take(in));
    } else if (op == 11) {
        both_select_word(edit, m, a);
    } else if (op == 12) {
        both_paste(edit, m, in, a);
    } else if (op == 13) {
        expect(textedit_undo(edit) == (m->n_undo > 0), "undo differs");
        model_undo(m);
    } else if (op == 14) {
        expect(textedit_redo(edit) == (m->n_redo > 0), "redo differs");
        model_redo(m);
    } else {
        m->now_ms += a * 16;
        textedit_clock(edit, m->now_ms);
    }
}

static void compare(const struct textedit *edit, const struct model *m)
{
    const char *text = textedit_text(edit);
    size_t length = textedit_length(edit);
    size_t caret = textedit_caret(edit), anchor = textedit_anchor(edit);
    expect(strlen(text) == length && length <= TEXTEDIT_MAX_BYTES, "length is wrong");
    expect(utf8_valid(text, length), "text is not valid UTF-8");
    expect(strcmp(text, m->now.text) == 0, "text differs");
    expect(caret == m->now.caret && anchor == m->now.anchor, "caret or anchor differs");
    expect(snap_to(text, caret, true) == caret, "caret stands inside a cluster");
    expect(snap_to(text, anchor, true) == anchor, "anchor stands inside a cluster");
}

// Everything undone is the oldest state, everything redone the last one.
static void run_through_history(struct textedit *edit, struct model *m)
{
    while (m->n_redo > 0) {
        expect(textedit_redo(edit), "redo ends early");
        model_redo(m);
    }
    struct snap *last = malloc(sizeof(*last));
    expect(last != NULL, "no memory");
    *last = m->now;
    int steps = 0;
    for (; textedit_undo(edit); steps++) {
        expect(m->n_undo > 0, "undo goes on for too long");
        model_undo(m);
        compare(edit, m);
    }
    expect(m->n_undo == 0, "undo ends early");
    for (int i = 0; i < steps; i++)
        expect(textedit_redo(edit), "redo ends early");
    expect(!textedit_redo(edit), "redo goes on for too long");
    expect(strcmp(textedit_text(edit), last->text) == 0, "redo lost the last text");
    free(last);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct bytes in = {data, size};
    struct textedit *edit = textedit_create();
    struct model *m = calloc(1, sizeof(*m));
    if (edit != NULL && m != NULL) {
        while (in.left > 0) {
            do_op(edit, m, &in);
            compare(edit, m);
        }
        run_through_history(edit, m);
    }
    free(m);
    textedit_destroy(edit);
    return 0;
}
