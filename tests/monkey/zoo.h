// SPDX-License-Identifier: MIT
// Paths that somebody may drop on the window: models that open, things that are none,
// and one model that changes on disk all the time.
#pragma once

#include <stdbool.h>

#include "random.h"

// Makes the folder of what is broken, where what is saved goes, too. False when it
// cannot.
bool zoo_open(void);
void zoo_close(void); // with all that is in it
const char *zoo_folder(void);
// The path of a session there, saved or not yet.
const char *zoo_session(void);
// A path that opens; now and then the one that changes, which may be in any state.
const char *zoo_good(struct random *random);
// A path that never opens.
const char *zoo_bad(struct random *random);
// The changing model becomes another one, or half of one.
void zoo_change(struct random *random);
