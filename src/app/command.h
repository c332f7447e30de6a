// SPDX-License-Identifier: MIT
// The command table: everything a user can do, as lines of text. Keys, the command line,
// scripts and tests all go through it; a new feature is one row and one function.
#pragma once

#include "base/error.h"

struct app;

struct command {
    const char *name;
    const char *arguments; // "TEXT", "X | up | down", "" for none
    const char *help;
    bool (*run)(struct app *app, const char *argument, struct error *err);
};

// command_view.c: how the alignment is looked at, and what is selected
bool command_view(struct app *app, const char *argument, struct error *err);
bool command_beside(struct app *app, const char *argument, struct error *err);
bool command_difference(struct app *app, const char *argument, struct error *err);
bool command_matrix(struct app *app, const char *argument, struct error *err);
bool command_select(struct app *app, const char *argument, struct error *err);
bool command_column(struct app *app, const char *argument, struct error *err);
bool command_readings(struct app *app, const char *argument, struct error *err);
bool command_word_list(struct app *app, const char *argument, struct error *err);
bool command_model1(struct app *app, const char *argument, struct error *err);
bool command_cells(struct app *app, const char *size, struct error *err);
// command_edit.c: what if
bool command_what_if(struct app *app, const char *argument, struct error *err);
// beam.c
bool command_beam(struct app *app, const char *argument, struct error *err);
// heads_command.c
bool command_attention(struct app *app, const char *argument, struct error *err);
// block.c
bool command_block(struct app *app, const char *argument, struct error *err);
// command_dropout.c
bool command_dropout(struct app *app, const char *argument, struct error *err);
// equation_command.c
bool command_equation(struct app *app, const char *argument, struct error *err);
bool command_sheet(struct app *app, const char *argument, struct error *err);
// command_file.c: saving, copying, opening
bool command_save(struct app *app, const char *path, struct error *err);
bool command_copy(struct app *app, const char *what, struct error *err);
bool command_open(struct app *app, const char *path, struct error *err);

// top.c
bool command_more(struct app *app, const char *argument, struct error *err);

// command_teach.c
bool command_microscope(struct app *app, const char *argument, struct error *err);
bool command_reveal(struct app *app, const char *argument, struct error *err);
bool command_step(struct app *app, const char *argument, struct error *err);
