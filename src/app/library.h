// SPDX-License-Identifier: MIT
// The models at hand: those below the models folder, and those dropped on the window.
#pragma once

#include "formats/model_dir.h"
#include "translate/translator.h"

enum { LIBRARY_MAX = 96 }; // also the number of worker slots

struct library_entry {
    struct model_listing listing;
    struct model_dir *dir;        // NULL until opened; owned
    struct translator translator; // valid with dir
    bool opening;
    bool replaced; // the same place was opened again: no button any more
    bool leaving;  // and nothing shows it: the worker was asked to forget it
};

struct library {
    struct library_entry entries[LIBRARY_MAX];
    int count;
    char root[4096]; // the models folder; "": none
    int first;       // what opens when nobody says which; -1: nothing
};

// Lists the folder; nothing is opened. root may be NULL.
void library_init(struct library *library, const char *root);
void library_finish(struct library *library);
// By id ("en-fr-luong-dot") or path; -1 when unknown.
int library_find(const struct library *library, const char *name);
// The model of the models folder with this id; -1: there is none.
int library_bundled(const struct library *library, const char *id);
bool library_is_bundled(const struct library *library, int entry);
// Takes an opened model in: into its entry, or a new one beside the others. The same
// place opened twice has one button, the newer's; the old one lives on unseen, for it may
// still be on screen and in the worker's hands. Returns the entry; -1 when the library is
// full (dir is then closed).
int library_take(struct library *library, struct model_dir *dir);
// Closes a replaced model that nobody uses any more; its entry is free.
void library_release(struct library *library, int entry);
// What its button says: "Additive", and "Additive · name" for a second one of its kind,
// with the folder above where two have one name.
void library_label(const struct library *library, int entry, char *out, size_t size);
// "RNNsearch · Bahdanau, Cho, Bengio 2015 · en-fr-bahdanau"
void library_line(const struct library *library, int entry, char *out, size_t size);
// The entries with the same languages as `entry`, in order; returns how many.
int library_group(const struct library *library, int entry, int *out, int max);
// The first entry of the next group of languages; entry itself when there is one group.
int library_next_group(const struct library *library, int entry);
