// SPDX-License-Identifier: MIT
// SDL events to struct input. What is held down is remembered here, from events only:
// pushed events never reach SDL's own state.
#pragma once

#include "ui/input.h"

#include <SDL_events.h>

struct events {
    struct input now; // what lasts from frame to frame; its per-frame fields are clear
    uint32_t wake_type;
    float zoom;   // logical units are window units divided by this
    char *drop;   // SDL's memory, of the last drop
    bool swallow; // the text of a shortcut's key follows on some systems
    bool swallow_any;
    char swallow_ch;
    bool took_press, took_release, took_drop; // in this frame
};

void events_init(struct events *events, uint32_t wake_type);
void events_finish(struct events *events);
// Starts a frame: *input keeps what lasts.
void events_begin(struct events *events, struct input *input);
// Whether the event can still go into this frame's input; otherwise leave it queued.
bool events_fits(const struct events *events, const struct input *input,
                 const SDL_Event *event);
// Takes the event, freeing what SDL allocated for it. True when *input changed.
bool events_take(struct events *events, struct input *input, const SDL_Event *event);
// Ends a frame: remembers what lasts.
void events_end(struct events *events, const struct input *input);
