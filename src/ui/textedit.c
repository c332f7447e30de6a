// SPDX-License-Identifier: MIT
// The text field's model. Its texts are small, so undo keeps whole ones in a ring:
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
    char *text; // (max_bytes + 1)
};

// What the newest undo step is still open for.
enum run { RUN_NONE, RUN_TYPE, RUN_BACKSPACE, RUN_DELETE };

struct textedit {
    struct state now;
    // From `first`: n_undo states before the steps taken, then n_redo states after the
    // steps undone. Undo and redo swap `now` with the slot between the two.
    struct state history[TEXTEDIT_UNDO]; // (steps)
    int steps, first, n_undo, n_redo;
    size_t max_bytes;
    bool lines;
    char *fresh; // (max_bytes + 1) what is put in, cleaned
    enum run run;
    uint64_t now_ms, edit_ms, revision;
    size_t cut;
    int replaced;
    char memory[]; // of all texts; zeroed, so that the system gives it when it is used
};

static struct textedit *create(size_t max_bytes, int steps, bool lines)
{
    size_t each = max_bytes + 1;
    struct textedit *edit = calloc(1, sizeof *edit + (size_t)(steps + 2) * each);
    if (edit == NULL)
        return NULL;
    edit->steps = steps;
    edit->max_bytes = max_bytes;
    edit->lines = lines;
    edit->now.text = edit->memory;
    edit->fresh = edit->memory + each;
    for (int i = 0; i < steps; i++)
        edit->history[i].text = edit->memory + (size_t)(i + 2) * each;
    return edit;
}

struct textedit *textedit_create(void)
{
    return create(TEXTEDIT_MAX_BYTES, TEXTEDIT_UNDO, false);
}

struct textedit *textedit_create_lines(size_t max_bytes)
{
    return create(max_bytes, TEXTEDIT_UNDO_LINES, true);
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
    return &edit->history[(edit->first + index) % edit->steps];
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
    struct state kept = *a;
    *a = *b;
    *b = kept;
}

static void push_step(struct textedit *edit)
{
    if (edit->n_undo == edit->steps) {
        edit->first = (edit->first + 1) % edit->steps;
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

// Bytes of the first line, without its end.
static size_t first_line(const char *bytes, size_t length)
{
    const char *end = memchr(bytes, '\n', length);
    size_t n = end ? (size_t)(end - bytes) : length;
    return end && n > 0 && bytes[n - 1] == '\r' ? n - 1 : n;
}

// Into `fresh`, at most `room` bytes. Where there are lines, each is cleaned by itself.
static size_t clean(struct textedit *edit, size_t room, const char *bytes, size_t length)
{
    struct utf8_report report = {0};
    size_t count = 0, at = 0;
    edit->cut = 0;
    edit->replaced = 0;
    for (;;) {
        size_t line = edit->lines ? first_line(bytes + at, length - at) : length;
        count +=
            utf8_clean(edit->fresh + count, room - count + 1, bytes + at, line, &report);
        edit->replaced += report.invalid;
        at += report.cut ? report.in_used : line;
        if (at == length)
            return count;
        if (report.cut || count == room)
            break;
        at += bytes[at] == '\r' ? 2 : 1;
        edit->fresh[count++] = '\n';
    }
    edit->fresh[count] = '\0';
    edit->cut = length - at;
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
    struct state *now = &edit->now;
    size_t count = clean(edit, edit->max_bytes, bytes, length);
    if (count == now->length && memcmp(edit->fresh, now->text, count) == 0) {
        place(edit, count, count);
        return;
    }
    open_step(edit, RUN_NONE, false);
    replace(edit, 0, now->length, edit->fresh, count);
}

void textedit_insert(struct textedit *edit, const char *bytes, size_t length)
{
    const char *fresh = edit->fresh;
    struct state *now = &edit->now;
    size_t begin = selection_begin(now), end = selection_end(now);
    size_t room = edit->max_bytes - (now->length - (end - begin));
    size_t count = clean(edit, room, bytes, length);
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

size_t textedit_line_begin(const struct textedit *edit, size_t at)
{
    while (at > 0 && edit->now.text[at - 1] != '\n')
        at--;
    return at;
}

size_t textedit_line_end(const struct textedit *edit, size_t at)
{
    return at + strcspn(edit->now.text + at, "\n");
}

// Home and End: of the line; of the text with Ctrl, and where there is but one line.
static size_t end_of(const struct textedit *edit, bool home, bool all)
{
    if (edit->lines && !all)
        return home ? textedit_line_begin(edit, edit->now.caret)
                    : textedit_line_end(edit, edit->now.caret);
    return home ? 0 : edit->now.length;
}

static void move(struct textedit *edit, struct key_event key)
{
    const struct state *now = &edit->now;
    bool extend = (key.mods & MOD_SHIFT) != 0, word = (key.mods & MOD_CTRL) != 0;
    bool collapse = !extend && !word && now->caret != now->anchor;
    size_t to = now->caret;
    if (key.key == KEY_HOME || key.key == KEY_END)
        to = end_of(edit, key.key == KEY_HOME, word);
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
