// SPDX-License-Identifier: MIT
// Keys are names for command lines. A widget with the focus gets a key first; what it
// does not understand ends here. Rows marked `free` act only while nobody edits text, so
// that a presenter's remote (page keys, space, b) works and a sentence can contain a b.
#include <stdio.h>
#include <string.h>

#include "app/state.h"
#include "text/utf8.h"
#include "view/edits.h"
#include "view/overlay.h"
#include "view/tau.h"

struct binding {
    enum key key;
    char ch;
    unsigned mods;
    bool free; // only without text focus
    const char *line;
    const char *shown; // for the help page; NULL: a second key for the same
    const char *help;
};

static const struct binding bindings[] = {
    {KEY_DOWN, 0, 0, false, "select next", "↓  ↑", "next row, back"},
    {KEY_UP, 0, 0, false, "select back", NULL, NULL},
    {KEY_PAGE_DOWN, 0, 0, false, "step next", "PageDown  PageUp",
     "a step on, back, by remote control"},
    {KEY_PAGE_UP, 0, 0, false, "step back", NULL, NULL},
    {KEY_DOWN, 0, MOD_SHIFT, false, "select extend next", "Shift+↓  ↑",
     "several rows: their mean"},
    {KEY_UP, 0, MOD_SHIFT, false, "select extend back", NULL, NULL},
    {KEY_RIGHT, 0, MOD_SHIFT, true, "column extend next", "Shift+→  ←",
     "several columns: their sum (after Esc)"},
    {KEY_LEFT, 0, MOD_SHIFT, true, "column extend back", NULL, NULL},
    {KEY_PAGE_UP, 0, MOD_CTRL, false, "select first", "Ctrl+PageUp  PageDown",
     "first row, last row"},
    {KEY_PAGE_DOWN, 0, MOD_CTRL, false, "select last", NULL, NULL},
    {KEY_ESCAPE, 0, 0, false, "dismiss", "Esc", "let go: page, banner, text, row"},
    {KEY_RIGHT, 0, 0, true, "step next", "Space  →  ←", "a step on, back (after Esc)"},
    {KEY_LEFT, 0, 0, true, "step back", NULL, NULL},
    {KEY_SPACE, 0, 0, true, "step next", NULL, NULL},
    {KEY_BACKSPACE, 0, 0, true, "step back", NULL, NULL},
    {KEY_HOME, 0, 0, true, "select first", NULL, NULL},
    {KEY_END, 0, 0, true, "select last", NULL, NULL},
    {KEY_CHAR, 'r', MOD_CTRL, false, "reveal toggle", "Ctrl+R",
     "reveal rows one at a time, or not"},
    {KEY_F8, 0, MOD_SHIFT, false, "reveal play", "Shift+F8",
     "reveal by itself, or pause"},
    {KEY_CHAR, '.', MOD_CTRL, false, "reveal speed faster", "Ctrl+.  Ctrl+,",
     "reveal faster, slower"},
    {KEY_CHAR, ',', MOD_CTRL, false, "reveal speed slower", NULL, NULL},
    {KEY_DOWN, 0, MOD_ALT, false, "microscope next", "Alt+↓  Alt+↑",
     "microscope: next step, back"},
    {KEY_UP, 0, MOD_ALT, false, "microscope back", NULL, NULL},
    {KEY_CHAR, 'm', MOD_CTRL, false, "microscope open", "Ctrl+M",
     "large microscope, or small"},
    {KEY_DOWN, 0, MOD_CTRL, false, "microscope down", "Ctrl+↓  Ctrl+↑",
     "scroll its source positions"},
    {KEY_UP, 0, MOD_CTRL, false, "microscope up", NULL, NULL},
    {KEY_CHAR, 'b', 0, true, "blank", "b  .", "blank the screen (after Esc)"},
    {KEY_CHAR, '.', 0, true, "blank", NULL, NULL},
    {KEY_ENTER, 0, 0, true, "edit", "Enter", "back into the sentence"},
    {KEY_RIGHT, 0, MOD_ALT, false, "tau up", "Alt+→  Alt+←", "τ up, down"},
    {KEY_LEFT, 0, MOD_ALT, false, "tau down", NULL, NULL},
    {KEY_CHAR, '1', MOD_ALT, false, "tau 1", "Alt+1  Alt+0  Alt+9", "τ = 1, 0, ∞"},
    {KEY_CHAR, '0', MOD_ALT, false, "tau 0", NULL, NULL},
    {KEY_CHAR, '9', MOD_ALT, false, "tau inf", NULL, NULL},
    {KEY_CHAR, 't', MOD_CTRL, false, "type-tau", "Ctrl+T", "type a τ"},
    {KEY_F5, 0, 0, false, "mode toggle", "F5", "re-read or re-decode"},
    {KEY_F6, 0, 0, false, "scorer next", "F6  Shift+F6", "next scorer, back"},
    {KEY_F6, 0, MOD_SHIFT, false, "scorer back", NULL, NULL},
    {KEY_CHAR, '1', MOD_CTRL, false, "button 1", "Ctrl+1 … 9", "choose a scorer"},
    {KEY_CHAR, '2', MOD_CTRL, false, "button 2", NULL, NULL},
    {KEY_CHAR, '3', MOD_CTRL, false, "button 3", NULL, NULL},
    {KEY_CHAR, '4', MOD_CTRL, false, "button 4", NULL, NULL},
    {KEY_CHAR, '5', MOD_CTRL, false, "button 5", NULL, NULL},
    {KEY_CHAR, '6', MOD_CTRL, false, "button 6", NULL, NULL},
    {KEY_CHAR, '7', MOD_CTRL, false, "button 7", NULL, NULL},
    {KEY_CHAR, '8', MOD_CTRL, false, "button 8", NULL, NULL},
    {KEY_CHAR, '9', MOD_CTRL, false, "button 9", NULL, NULL},
    {KEY_CHAR, '1', MOD_CTRL | MOD_SHIFT, false, "beside button 1", "Ctrl+Shift+1 … 9",
     "put that scorer beside, or take it away"},
    {KEY_CHAR, '2', MOD_CTRL | MOD_SHIFT, false, "beside button 2", NULL, NULL},
    {KEY_CHAR, '3', MOD_CTRL | MOD_SHIFT, false, "beside button 3", NULL, NULL},
    {KEY_CHAR, '4', MOD_CTRL | MOD_SHIFT, false, "beside button 4", NULL, NULL},
    {KEY_CHAR, '5', MOD_CTRL | MOD_SHIFT, false, "beside button 5", NULL, NULL},
    {KEY_CHAR, '6', MOD_CTRL | MOD_SHIFT, false, "beside button 6", NULL, NULL},
    {KEY_CHAR, '7', MOD_CTRL | MOD_SHIFT, false, "beside button 7", NULL, NULL},
    {KEY_CHAR, '8', MOD_CTRL | MOD_SHIFT, false, "beside button 8", NULL, NULL},
    {KEY_CHAR, '9', MOD_CTRL | MOD_SHIFT, false, "beside button 9", NULL, NULL},
    {KEY_CHAR, 'a', MOD_ALT, false, "beside toggle", "Alt+A  Alt+D",
     "all scorers side by side; difference of two"},
    {KEY_CHAR, 'd', MOD_ALT, false, "difference toggle", NULL, NULL},
    {KEY_F7, 0, 0, false, "languages", "F7", "next group of models"},
    {KEY_F12, 0, 0, false, "example next", "F12  Shift+F12", "next example, back"},
    {KEY_F12, 0, MOD_SHIFT, false, "example back", NULL, NULL},
    {KEY_F8, 0, 0, false, "play", "F8", "watch the training, or pause"},
    {KEY_PAGE_DOWN, 0, MOD_ALT, false, "checkpoint next", "Alt+PageDown  PageUp",
     "next checkpoint, back"},
    {KEY_PAGE_UP, 0, MOD_ALT, false, "checkpoint back", NULL, NULL},
    {KEY_CHAR, 'b', MOD_CTRL, false, "beam tree toggle", "Ctrl+B  Ctrl+Shift+B",
     "beam search and its tree; greedy again"},
    {KEY_CHAR, 'b', MOD_CTRL | MOD_SHIFT, false, "beam off", NULL, NULL},
    {KEY_PAGE_UP, 0, MOD_CTRL | MOD_SHIFT, false, "beam wider", "Ctrl+Shift+Page↑  ↓",
     "a wider beam, a narrower one"},
    {KEY_PAGE_DOWN, 0, MOD_CTRL | MOD_SHIFT, false, "beam narrower", NULL, NULL},
    {KEY_CHAR, 'j', MOD_ALT, false, "beam show next", "Alt+J  Alt+Shift+J",
     "next hypothesis on the heatmap, back"},
    {KEY_CHAR, 'j', MOD_ALT | MOD_SHIFT, false, "beam show back", NULL, NULL},
    {KEY_CHAR, 'd', MOD_CTRL, false, "dropout toggle", "Ctrl+D  Ctrl+Shift+D",
     "dropout on α, or none; another seed"},
    {KEY_CHAR, 'd', MOD_CTRL | MOD_SHIFT, false, "dropout again", NULL, NULL},
    {KEY_CHAR, 'h', MOD_CTRL, false, "attention page toggle", "Ctrl+H  Ctrl+K",
     "Transformer: all heads; cross or self"},
    {KEY_CHAR, 'k', MOD_CTRL, false, "attention kind", NULL, NULL},
    {KEY_CHAR, 'q', MOD_ALT, false, "attention next", "Alt+Q  Alt+Shift+Q",
     "next head on the heatmap, back"},
    {KEY_CHAR, 'q', MOD_ALT | MOD_SHIFT, false, "attention back", NULL, NULL},
    {KEY_CHAR, 'l', MOD_CTRL, false, "attention sort next", "Ctrl+L  Ctrl+P",
     "sort all heads; pool by mean or max"},
    {KEY_CHAR, 'p', MOD_CTRL, false, "attention pool toggle", NULL, NULL},
    {KEY_CHAR, 'i', MOD_CTRL, false, "block toggle", "Ctrl+I",
     "Transformer: inside a block, step by step"},
    {KEY_F9, 0, 0, false, "bottleneck", "F9", "bottleneck: BLEU by length"},
    {KEY_F9, 0, MOD_SHIFT, false, "equation", "Shift+F9",
     "Attention(Q, K, V): type the matrices"},
    {KEY_F10, 0, 0, false, "measure", "F10", "measure it here, on a sample"},
    {KEY_F2, 0, 0, false, "theme toggle", "F2", "dark or light"},
    {KEY_F3, 0, 0, false, "map next", "F3", "next colour map"},
    {KEY_F4, 0, 0, false, "shade next", "F4", "next meaning of full colour"},
    {KEY_CHAR, '+', MOD_CTRL, false, "zoom in", "Ctrl +  −  0", "larger, smaller, 100 %"},
    {KEY_CHAR, '=', MOD_CTRL, false, "zoom in", NULL, NULL},
    {KEY_CHAR, '+', MOD_CTRL | MOD_SHIFT, false, "zoom in", NULL, NULL},
    {KEY_CHAR, '=', MOD_CTRL | MOD_SHIFT, false, "zoom in", NULL, NULL},
    {KEY_CHAR, '-', MOD_CTRL, false, "zoom out", NULL, NULL},
    {KEY_CHAR, '0', MOD_CTRL, false, "zoom 1", NULL, NULL},
    {KEY_CHAR, 'v', MOD_ALT, false, "view menu", "Alt+V",
     "how it is shown: all switches"},
    {KEY_CHAR, 'r', MOD_ALT, false, "view ribbon toggle", "Alt+R", "matrix or ribbons"},
    {KEY_CHAR, 'w', MOD_ALT, false, "view merge next", "Alt+W",
     "sub-words to words: sum, max, off"},
    {KEY_CHAR, 'e', MOD_ALT, false, "view special toggle", "Alt+E",
     "hide the sentence end ⏎, or show it"},
    {KEY_CHAR, 'k', MOD_ALT, false, "view top next", "Alt+K",
     "only the largest 1, 3, 5 of a row"},
    {KEY_CHAR, 'h', MOD_ALT, false, "view hard toggle", "Alt+H",
     "outline the largest of each row"},
    {KEY_CHAR, 'x', MOD_ALT, false, "view transpose toggle", "Alt+X",
     "exchange rows and columns"},
    {KEY_CHAR, '+', MOD_ALT, false, "matrix zoom in", "Alt +  −  F",
     "larger cells, smaller, all of them"},
    {KEY_CHAR, '=', MOD_ALT, false, "matrix zoom in", NULL, NULL},
    {KEY_CHAR, '+', MOD_ALT | MOD_SHIFT, false, "matrix zoom in", NULL, NULL},
    {KEY_CHAR, '=', MOD_ALT | MOD_SHIFT, false, "matrix zoom in", NULL, NULL},
    {KEY_CHAR, '-', MOD_ALT, false, "matrix zoom out", NULL, NULL},
    {KEY_CHAR, 'f', MOD_ALT, false, "matrix zoom fit", NULL, NULL},
    {KEY_RIGHT, 0, MOD_ALT | MOD_SHIFT, false, "matrix pan 4 0", "Alt+Shift+→ ← ↓ ↑",
     "move a zoomed matrix"},
    {KEY_LEFT, 0, MOD_ALT | MOD_SHIFT, false, "matrix pan -4 0", NULL, NULL},
    {KEY_DOWN, 0, MOD_ALT | MOD_SHIFT, false, "matrix pan 0 4", NULL, NULL},
    {KEY_UP, 0, MOD_ALT | MOD_SHIFT, false, "matrix pan 0 -4", NULL, NULL},
    {KEY_CHAR, 'n', MOD_ALT, false, "readings toggle", "Alt+N",
     "numbers of the matrix and its rows"},
    {KEY_CHAR, 'g', MOD_ALT, false, "word-list toggle", "Alt+G  O",
     "word list; IBM Model 1 laid over"},
    {KEY_CHAR, 'o', MOD_ALT, false, "model1 toggle", NULL, NULL},
    {KEY_CHAR, 'i', MOD_ALT, false, "what-if mode", "Alt+I",
     "what if: drag cells to edit α"},
    {KEY_UP, 0, MOD_CTRL | MOD_SHIFT, false, "what-if cell here here +0.1",
     "Ctrl+Shift+↑  ↓", "α of the chosen cell, more or less"},
    {KEY_DOWN, 0, MOD_CTRL | MOD_SHIFT, false, "what-if cell here here -0.1", NULL, NULL},
    {KEY_CHAR, 'p', MOD_ALT, false, "what-if toggle pin", "Alt+P  M  U",
     "pin the row; mute, boost the column"},
    {KEY_CHAR, 'm', MOD_ALT, false, "what-if toggle mute", NULL, NULL},
    {KEY_CHAR, 'u', MOD_ALT, false, "what-if toggle boost", NULL, NULL},
    {KEY_CHAR, 'h', MOD_ALT | MOD_SHIFT, false, "what-if toggle hard all", "Alt+Shift+H",
     "hard attention in all rows"},
    {KEY_CHAR, 's', MOD_ALT, false, "what-if toggle shuffle", "Alt+S  Alt+Shift+S",
     "shuffle memory, shuffle words"},
    {KEY_CHAR, 's', MOD_ALT | MOD_SHIFT, false, "what-if toggle shuffle-words", NULL,
     NULL},
    {KEY_CHAR, '1', MOD_ALT | MOD_SHIFT, false, "what-if word here 1", "Alt+Shift+1 … 5",
     "another word in the chosen row"},
    {KEY_CHAR, '2', MOD_ALT | MOD_SHIFT, false, "what-if word here 2", NULL, NULL},
    {KEY_CHAR, '3', MOD_ALT | MOD_SHIFT, false, "what-if word here 3", NULL, NULL},
    {KEY_CHAR, '4', MOD_ALT | MOD_SHIFT, false, "what-if word here 4", NULL, NULL},
    {KEY_CHAR, '5', MOD_ALT | MOD_SHIFT, false, "what-if word here 5", NULL, NULL},
    {KEY_CHAR, 't', MOD_ALT, false, "what-if type", "Alt+T",
     "type how the translation begins"},
    {KEY_CHAR, 'z', MOD_ALT, false, "what-if undo", "Alt+Z  Y  C",
     "undo an edit, redo it, clear all"},
    {KEY_CHAR, 'y', MOD_ALT, false, "what-if redo", NULL, NULL},
    {KEY_CHAR, 'z', MOD_ALT | MOD_SHIFT, false, "what-if redo", NULL, NULL},
    {KEY_CHAR, 'c', MOD_ALT, false, "what-if clear", NULL, NULL},
    {KEY_CHAR, 'b', MOD_ALT, false, "what-if before", "Alt+B  L",
     "before the edits, or after; their list"},
    {KEY_CHAR, 'l', MOD_ALT, false, "what-if list", NULL, NULL},
    {KEY_CHAR, 's', MOD_CTRL, false, "save", "Ctrl+S", "save: picture, data, session"},
    {KEY_CHAR, 'c', MOD_CTRL | MOD_SHIFT, false, "copy matrix", "Ctrl+Shift+C",
     "copy the matrix"},
    {KEY_F11, 0, 0, false, "fullscreen", "F11", "fill the screen"},
    {KEY_F1, 0, 0, false, "help", "F1  ?", "this page"},
    {KEY_CHAR, '?', 0, true, "help", NULL, NULL},
    {KEY_CHAR, 'q', MOD_CTRL, false, "quit", "Ctrl+Q", "quit"},
};

_Static_assert(sizeof bindings / sizeof *bindings < KEYS_HELP_MAX, "none is left out");

int keys_help(struct overlay_line *out, int max)
{
    int count = 0;
    for (size_t i = 0; i < sizeof bindings / sizeof *bindings && count < max; i++)
        if (bindings[i].shown && out)
            out[count++] = (struct overlay_line){bindings[i].shown, bindings[i].help};
        else if (bindings[i].shown)
            count++;
    if (count < max && out)
        out[count] = (struct overlay_line){"Tab", "next control; arrows move it"};
    return count + (count < max);
}

// A printable key without Ctrl or Alt comes as text: one character counts as its key.
static struct key_event key_of(const struct edit_event *edit)
{
    if (edit->key.key != KEY_NONE || !edit->text[0] || edit->text[1])
        return edit->key;
    if (edit->text[0] == ' ')
        return (struct key_event){.key = KEY_SPACE};
    return (struct key_event){.key = KEY_CHAR, .ch = edit->text[0]};
}

// The sentence has the keyboard again.
void app_end_typing(struct app *app)
{
    app->typing_tau = false;
    ui_set_focus(&app->ui, ui_hash("sentence"));
}

// Digits go into the τ that is being typed until Enter or Escape.
// What one types is a value; a script's line may be more.
static void take_tau(struct app *app)
{
    float tau;
    char line[120];
    if (tau_parse(app->typed_tau, &tau)) {
        snprintf(line, sizeof line, "tau %s", app->typed_tau);
        app_run(app, line);
    } else if (*app->typed_tau) {
        snprintf(line, sizeof line, "tau: found '%s', expected " TAU_EXPECTED " or inf",
                 app->typed_tau);
        app_say(app, line);
        app->banner_passes = true;
    }
}

static bool type_into_tau(struct app *app, const struct edit_event *edit)
{
    size_t length = strlen(app->typed_tau);
    if (edit->key.key == KEY_NONE) {
        utf8_clean(app->typed_tau + length, sizeof app->typed_tau - length, edit->text,
                   strlen(edit->text), NULL);
    } else if (edit->key.key == KEY_BACKSPACE) {
        while (length && (app->typed_tau[length - 1] & 0xc0) == 0x80)
            length--;
        if (length)
            app->typed_tau[length - 1] = '\0';
    } else if (edit->key.key == KEY_ENTER) {
        take_tau(app);
        app_end_typing(app);
    } else if (edit->key.key == KEY_ESCAPE || edit->key.key == KEY_TAB) {
        app_end_typing(app);
    } else {
        return false;
    }
    app->dirty = true;
    return true;
}

static void run_binding(struct app *app, struct key_event key, bool editing)
{
    for (size_t i = 0; i < sizeof bindings / sizeof *bindings; i++) {
        const struct binding *b = &bindings[i];
        if (b->key != key.key || b->ch != key.ch || b->mods != key.mods ||
            (b->free && editing))
            continue;
        if (app->equation.open && !equation_knows(b->line))
            continue; // it would change what is not on the screen
        app_run(app, b->line);
        return;
    }
}

void keys_handle(struct app *app)
{
    bool editing = ui_has_focus(&app->ui, ui_hash("sentence")) ||
                   ui_has_focus(&app->ui, ui_hash(edits_field)) ||
                   equation_has_focus(app);
    for (int i = 0; i < app->ui.input->n_edits; i++) {
        const struct edit_event *edit = &app->ui.input->edits[i];
        if (app->ui.consumed[i])
            continue;
        if (app->typing_tau && type_into_tau(app, edit)) {
            app->ui.consumed[i] = true;
            continue;
        }
        struct key_event key = key_of(edit);
        if (key.key == KEY_NONE || key.key == KEY_TAB)
            continue;
        app->ui.consumed[i] = true;
        run_binding(app, key, editing);
    }
}
