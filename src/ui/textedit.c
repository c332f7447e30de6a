// SPDX-License-Identifier: MIT
// The text field's model. A sentence is tiny, so undo keeps whole texts in a ring:
// nothing to invert, nothing to get wrong, and no allocation after create. Caret and
// anchor are always on boundaries of grapheme clusters; because an edit can join what
// stands on its two sides into one cluster, every edit ends by moving the caret past that
// cluster.
#include "ui/textedit.h"

#include <stdlib.h>
#include <string.h>

#include "text/utf8.h"

enum { PAUSE_MS = 1000 };

struct state {
    size_t length, caret, anchor;
    char text[TEXTEDIT_MAX_BYTES + 1];
};

// What the newest undo step is still open for.
enum run { RUN_NONE, RUN_TYPE, RUN_BACKSPACE, RUN_DELETE };

struct textedit {
    struct state now;
    // From `first`: n_undo states before the steps taken, then n_redo states after the
    // steps undone. Undo and redo swap `now` with the slot between the two.
    struct state history[TEXTEDIT_UNDO];
    int first, n_undo, n_redo;
    enum run run;
    uint64_t now_ms, edit_ms, revision;
    size_t cut;
    int replaced;
};

struct textedit *textedit_create(void)
{
    return calloc(1, sizeof(struct textedit));
}

void textedit_destroy(struct textedit *edit)
{
    free(edit);
}

const char *textedit_text(const struct textedit *edit)
{
    return edit->now.text;
}

size_t textedit_length(const struct textedit *edit)
{
    return edit->now.length;
}

size_t textedit_caret(const struct textedit *edit)
{
    return edit->now.caret;
}

size_t textedit_anchor(const struct textedit *edit)
{
    return edit->now.anchor;
}

size_t textedit_cut(const struct textedit *edit)
{
    return edit->cut;
}

int textedit_replaced(const struct textedit *edit)
{
    return edit->replaced;
}

uint64_t textedit_revision(const struct textedit *edit)
{
    return edit->revision;
}

void textedit_clock(struct textedit *edit, uint64_t now_ms)
{
    edit->now_ms = now_ms;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t selection_begin(const struct state *now)
{
    return smaller(now->caret, now->anchor);
}

static size_t selection_end(const struct state *now)
{
    return now->caret > now->anchor ? now->caret : now->anchor;
}

// The nearest cluster boundary at or after `at`, and at or before it.
static size_t boundary_after(const struct state *now, size_t at)
{
    size_t boundary = 0;
    while (boundary < at && boundary < now->length)
        boundary = utf8_next(now->text, now->length, boundary);
    return boundary;
}

static size_t boundary_before(const struct state *now, size_t at)
{
    size_t boundary = 0, next = 0;
    while (next <= at && boundary < now->length) {
        boundary = next;
        next = utf8_next(now->text, now->length, boundary);
    }
    return boundary;
}

static struct state *history_slot(struct textedit *edit, int index)
{
    return &edit->history[(edit->first + index) % TEXTEDIT_UNDO];
}

static void state_copy(struct state *to, const struct state *from)
{
    to->length = from->length;
    to->caret = from->caret;
    to->anchor = from->anchor;
    memcpy(to->text, from->text, from->length + 1);
}

static void state_swap(struct state *a, struct state *b)
{
    struct state kept;
    state_copy(&kept, a);
    state_copy(a, b);
    state_copy(b, &kept);
}

static void push_step(struct textedit *edit)
{
    if (edit->n_undo == TEXTEDIT_UNDO) {
        edit->first = (edit->first + 1) % TEXTEDIT_UNDO;
        edit->n_undo--;
    }
    state_copy(history_slot(edit, edit->n_undo++), &edit->now);
    edit->n_redo = 0;
}

// Before an edit: a new undo step, unless the edit goes on with an open run.
static void open_step(struct textedit *edit, enum run run, bool goes_on)
{
    bool paused = edit->now_ms > edit->edit_ms + PAUSE_MS;
    if (!goes_on || run == RUN_NONE || run != edit->run || paused)
        push_step(edit);
    edit->run = run;
    edit->edit_ms = edit->now_ms;
}

// The caller has made sure that it fits.
static void replace(struct textedit *edit, size_t begin, size_t end, const char *bytes,
                    size_t count)
{
    struct state *now = &edit->now;
    memmove(now->text + begin + count, now->text + end, now->length - end + 1);
    memcpy(now->text + begin, bytes, count);
    now->length = now->length - (end - begin) + count;
    now->caret = now->anchor = boundary_after(now, begin + count);
    edit->revision++;
}

static size_t clean(struct textedit *edit, char *out, size_t room, const char *bytes,
                    size_t length)
{
    struct utf8_report report = {0};
    size_t count = utf8_clean(out, room + 1, bytes, length, &report);
    edit->cut = report.cut ? length - report.in_used : 0;
    edit->replaced = report.invalid;
    return count;
}

static void place(struct textedit *edit, size_t anchor, size_t caret)
{
    edit->now.anchor = anchor;
    edit->now.caret = caret;
    edit->run = RUN_NONE;
}

void textedit_set(struct textedit *edit, const char *bytes, size_t length)
{
    char fresh[TEXTEDIT_MAX_BYTES + 1];
    struct state *now = &edit->now;
    size_t count = clean(edit, fresh, TEXTEDIT_MAX_BYTES, bytes, length);
    if (count == now->length && memcmp(fresh, now->text, count) == 0) {
        place(edit, count, count);
        return;
    }
    open_step(edit, RUN_NONE, false);
    replace(edit, 0, now->length, fresh, count);
}

void textedit_insert(struct textedit *edit, const char *bytes, size_t length)
{
    char fresh[TEXTEDIT_MAX_BYTES + 1];
    struct state *now = &edit->now;
    size_t begin = selection_begin(now), end = selection_end(now);
    size_t room = TEXTEDIT_MAX_BYTES - (now->length - (end - begin));
    size_t count = clean(edit, fresh, room, bytes, length);
    if (count == 0 && begin == end)
        return;
    bool typed = count > 0 && utf8_next(fresh, count, 0) == count;
    bool space = typed && utf8_blank(fresh, count);
    open_step(edit, typed ? RUN_TYPE : RUN_NONE, begin == end && !space);
    replace(edit, begin, end, fresh, count);
}

void textedit_select(struct textedit *edit, size_t anchor, size_t caret)
{
    place(edit, boundary_before(&edit->now, anchor), boundary_before(&edit->now, caret));
}

void textedit_select_all(struct textedit *edit)
{
    place(edit, 0, edit->now.length);
}

// Like utf8's words, by the cluster's first character: a space with an accent is a space.
static bool blank_at(const struct state *now, size_t at)
{
    size_t end = at;
    return utf8_decode(now->text, now->length, &end) >= 0 &&
           utf8_blank(now->text + at, end - at);
}

static void select_blank(struct textedit *edit, size_t at)
{
    const struct state *now = &edit->now;
    size_t begin = at, end = at;
    while (blank_at(now, end))
        end = utf8_next(now->text, now->length, end);
    while (begin > 0) {
        size_t before = utf8_previous(now->text, now->length, begin);
        if (!blank_at(now, before))
            break;
        begin = before;
    }
    place(edit, begin, end);
}

void textedit_select_word(struct textedit *edit, size_t at)
{
    const struct state *now = &edit->now;
    size_t begin = boundary_before(now, at);
    if (begin == now->length)
        begin = utf8_previous(now->text, now->length, begin);
    if (blank_at(now, begin)) {
        select_blank(edit, begin);
        return;
    }
    size_t end = boundary_after(now, utf8_word_next(now->text, now->length, begin));
    begin = boundary_before(now, utf8_word_previous(now->text, now->length, end));
    place(edit, begin, end);
}

static size_t step_left(const struct state *now, bool word)
{
    if (!word)
        return utf8_previous(now->text, now->length, now->caret);
    size_t at = utf8_word_previous(now->text, now->length, now->caret);
    return boundary_before(now, at);
}

static size_t step_right(const struct state *now, bool word)
{
    if (!word)
        return utf8_next(now->text, now->length, now->caret);
    return boundary_after(now, utf8_word_next(now->text, now->length, now->caret));
}

static void move(struct textedit *edit, struct key_event key)
{
    const struct state *now = &edit->now;
    bool extend = (key.mods & MOD_SHIFT) != 0, word = (key.mods & MOD_CTRL) != 0;
    bool collapse = !extend && !word && now->caret != now->anchor;
    size_t to = now->caret;
    if (key.key == KEY_HOME)
        to = 0;
    else if (key.key == KEY_END)
        to = now->length;
    else if (key.key == KEY_LEFT)
        to = collapse ? selection_begin(now) : step_left(now, word);
    else
        to = collapse ? selection_end(now) : step_right(now, word);
    place(edit, extend ? now->anchor : to, to);
}

static void erase(struct textedit *edit, bool back, bool word)
{
    const struct state *now = &edit->now;
    size_t begin = selection_begin(now), end = selection_end(now);
    bool selected = begin != end;
    if (!selected && back)
        begin = step_left(now, word);
    else if (!selected)
        end = step_right(now, word);
    if (begin == end)
        return;
    enum run run = back ? RUN_BACKSPACE : RUN_DELETE;
    open_step(edit, selected || word ? RUN_NONE : run, true);
    replace(edit, begin, end, "", 0);
}

static bool command(struct textedit *edit, char ch, bool shift)
{
    if (ch == 'a' && !shift)
        textedit_select_all(edit);
    else if (ch == 'z' && !shift)
        textedit_undo(edit);
    else if ((ch == 'z' && shift) || (ch == 'y' && !shift))
        textedit_redo(edit);
    else
        return false;
    return true;
}

bool textedit_key(struct textedit *edit, struct key_event key)
{
    bool ctrl = (key.mods & MOD_CTRL) != 0, shift = (key.mods & MOD_SHIFT) != 0;
    if ((key.mods & MOD_ALT) != 0)
        return false;
    switch (key.key) {
    case KEY_LEFT:
    case KEY_RIGHT:
    case KEY_HOME:
    case KEY_END:
        move(edit, key);
        return true;
    case KEY_BACKSPACE:
    case KEY_DELETE:
        erase(edit, key.key == KEY_BACKSPACE, ctrl);
        return true;
    case KEY_CHAR:
        return ctrl && command(edit, key.ch, shift);
    default:
        return false;
    }
}

static void after_swap(struct textedit *edit)
{
    edit->run = RUN_NONE;
    edit->revision++;
    edit->cut = 0;
    edit->replaced = 0;
}

bool textedit_undo(struct textedit *edit)
{
    if (edit->n_undo == 0)
        return false;
    edit->n_undo--;
    edit->n_redo++;
    state_swap(&edit->now, history_slot(edit, edit->n_undo));
    after_swap(edit);
    return true;
}

bool textedit_redo(struct textedit *edit)
{
    if (edit->n_redo == 0)
        return false;
    state_swap(&edit->now, history_slot(edit, edit->n_undo));
    edit->n_undo++;
    edit->n_redo--;
    after_swap(edit);
    return true;
}
