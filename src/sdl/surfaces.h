// SPDX-License-Identifier: MIT
// Small pictures of letters on their way to becoming one of a text: ARGB8888, white or
// coloured on transparent. Each is freed with SDL_FreeSurface; NULL: memory is short.
#pragma once

struct SDL_Surface;

struct SDL_Surface *surface_make(int w, int h); // transparent, a pixel at least
// Hollow boxes in a row: "somebody typed a character here that no font has".
struct SDL_Surface *surface_boxes(int count, int box_width, int px);
// Frees the one that it is made of.
struct SDL_Surface *surface_shrink(struct SDL_Surface *from, float scale);
// Where both have a pixel the stronger one stays. What falls outside is left out.
void surface_copy(struct SDL_Surface *to, const struct SDL_Surface *from, int left,
                  int top);
