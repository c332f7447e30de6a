// SPDX-License-Identifier: MIT
// The lines of the command table that bring back what is on the screen. See session.c.
#pragma once

#include <stdbool.h>

struct app;
struct saved;

enum session_list { SESSION_VIEW, SESSION_EDITS, SESSION_EQUATION }; // of struct saved

// Adds the lines to the lists. What has no room is left out.
void session_say(const struct app *app, struct saved *session);
// Nothing else than looking at a picture, or editing it, may stand in a session.
bool session_may_hold(const char *line, enum session_list list);
