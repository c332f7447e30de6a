// SPDX-License-Identifier: MIT
// Open font faces, one per (face, pixel size), and which face has a cluster.
#pragma once

#include "base/error.h"
#include "sdl/fonts.h"
#include "sdl/runs.h"

#include <SDL_ttf.h>
#include <stdint.h>

// A face is a small number: enum font first, then DejaVu Sans, then the system's in the
// order in which they were needed.
enum { FACE_SYMBOLS = FONT_COUNT, FACE_SYSTEM, FACE_MAX = 40 };
enum { FACES_MAX_PX = 512 };

struct faces;

struct faces *faces_create(const char *directory, bool system_fallback,
                           struct error *err);
void faces_destroy(struct faces *faces);
// The face at px, opened when need be; valid until the next call. NULL: it cannot be.
TTF_Font *faces_open(struct faces *faces, int face, int px);
// Where its outlines are.
struct font_file faces_file(const struct faces *faces, int face);
// The face has one size only; what it draws must be scaled.
bool faces_is_bitmap(const struct faces *faces, int face);
// The face that draws the cluster, FACE_BOX when nobody has it.
int faces_choose(struct faces *faces, enum font font, int px, const char *cluster,
                 size_t length);
