// SPDX-License-Identifier: MIT
// What the application asks of the outside when something is to be saved: where files go,
// and pictures as files.
#pragma once

#include "app/app.h"

struct paper;

struct desk {
    struct paper *paper; // made when the first picture is saved
    char directory[4096];
};

// Desk must outlive the application.
struct app_files desk_files(struct desk *desk);
void desk_finish(struct desk *desk); // a zeroed one is fine
