// SPDX-License-Identifier: MIT
// The bare equation: Attention(Q, K, V) of matrices that are typed or pasted, on a page
// of its own. What is typed becomes a sheet (formats/attend_sheet.h) at every key; while
// it is unfinished the last result stays, with one sentence that says what is wrong
// where. The result is drawn as an alignment, by the same views as any other.
#pragma once

#include "align/alignment.h"
#include "formats/attend_sheet.h"
#include "ui/widgets.h"
#include "view/scope.h"

enum {
    EQUATION_NAMES =
        ATTEND_PARTS, // fields: the parts, then names of queries, keys, values
    EQUATION_FIELDS = ATTEND_PARTS + NAMED_COUNT,
    EQUATION_BYTES = 1 << 16, // of the text of a matrix
    EQUATION_GROUPS = 5,
    EQUATION_VIEWS = 4, // in a small window: fields, weights, scores, output
};

struct equation_result { // what a sheet comes to; everything lives until the next one
    struct attend_sheet sheet;
    struct arena arena;
    struct attend_result now, beside; // beside.queries 0: none
    struct attend other;              // the input of beside
    struct alignment *alignment;      // NULL: of a sheet of random numbers
    struct scaling_point points[SCALING_SIZES];
    double apart; // largest difference of the outputs of both
};

struct equation {
    bool open;
    bool waits; // more lines of a session come: what they type is not computed yet
    struct text_area fields[EQUATION_FIELDS]; // edit NULL until the page was first open
    int group;                                // of fields, that is shown
    struct attend_sheet choices; // all but the matrices and names: what is chosen
    int bundled;    // which of the sheets that come with the program; NOWHERE
    char name[256]; // of the sheet's file
    uint64_t given; // stamp of the sheet as it was opened
    bool edited;    // it is another one now
    struct equation_result *result; // the last good one; NULL: none yet
    int wrong;                      // the field that is wrong; NOWHERE
    struct error error;             // .text "": all is well
    int selected;                   // row; NOWHERE
    struct scope scope;
    int seen; // row that the microscope showed last
    int view; // in a small window, which one has it
};

struct app;

MUST_CHECK bool equation_open(struct app *app, struct error *err);
void equation_close(struct app *app);
void equation_leave(struct app *app); // closes it if it is open, for another picture
void equation_finish(struct equation *equation);
// A sheet from a file, or one of ours by its number. The page opens, or nothing changes.
MUST_CHECK bool equation_load(struct app *app, const char *path, struct error *err);
MUST_CHECK bool equation_load_bundled(struct app *app, int index, struct error *err);
// An empty sheet of one's own. The page opens; until enough is typed, the picture is that
// of the sheet before.
MUST_CHECK bool equation_new(struct app *app, const char *name, struct error *err);
// After a field or a choice changed.
void equation_changed(struct app *app);
// The sheet as it is now is the one that was given: what is typed from now on edits it.
void equation_given(struct equation *equation);
// The text of a field of a sheet, as it is shown before anything is typed.
void equation_text(struct buf *out, const struct attend_sheet *sheet, int field);
// The sheet that is on the page: as JSON, or what it comes to as text.
MUST_CHECK bool equation_write(struct app *app, bool text, struct buf *out,
                               struct error *err);
const char *equation_field_name(int field);
// The word for it in a line: "Q", "queries".
const char *equation_field_word(int field);
int equation_field_of(const char *word); // NOWHERE: it is none
// The id of the field's widget.
void equation_field_id(int field, char out[32]);
bool equation_has_focus(const struct app *app); // some field of it
// Fields that a group shows; returns how many.
int equation_group(int group, int out[3]);
const char *equation_group_name(int group);

// equation_result.c: of the sheet that is in it already, into its arena.
MUST_CHECK bool equation_result_compute(struct equation_result *result,
                                        struct error *err);
void equation_result_destroy(struct equation_result *result); // NULL is fine

// equation_command.c: while the page is open, lines mean what they mean on it. False: not
// for the page; *ok: whether it was carried out.
bool equation_takes(struct app *app, const char *name, const char *argument, bool *ok,
                    struct error *err);
// A key acts on the page.
bool equation_knows(const char *line);
// Whether a word after "sheet" says what is done to the sheet that is open.
bool equation_acts(const char *word, size_t length);

// equation_session.c: the lines that bring the page back, when it is on the screen; and
// whether one begins as such a line may, after "sheet".
struct saved;
void equation_say(const struct app *app, struct saved *session);
bool equation_may_hold(const char *argument);
// The page that a session's lines lead to, beside the one of the window, which stays as
// it is; no lines: none. False with the sentence of the first line that fails. In the end
// it is shown, or equation_finish frees it.
MUST_CHECK bool equation_make(struct app *app, const struct saved *session,
                              struct equation *page, struct error *err);
void equation_show(struct app *app, struct equation *page); // takes it
// The lines for it: the rest of "sheet type Q 1 0", …
bool equation_type(struct app *app, const char *rest, struct error *err);
bool equation_clear(struct app *app, const char *rest, struct error *err);
bool equation_done(struct app *app, const char *rest, struct error *err);
bool equation_title(struct app *app, const char *rest, struct error *err);
bool equation_note(struct app *app, const char *rest, struct error *err);
bool equation_random(struct app *app, const char *rest, struct error *err);
bool equation_keep(struct app *app, const char *rest, struct error *err);

// equation_page.c: in the place of the whole window
void equation_draw(struct app *app, struct rect at);
