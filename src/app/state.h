// SPDX-License-Identifier: MIT
// The application's state, for the files of this room alone.
#pragma once

#include "app/app.h"
#include "app/beam.h"
#include "app/block.h"
#include "app/bottleneck.h"
#include "app/equation.h"
#include "app/examples.h"
#include "app/heads.h"
#include "app/library.h"
#include "app/look.h"
#include "app/remarks.h"
#include "app/reveal.h"
#include "app/rivals.h"
#include "app/saving.h"
#include "app/show.h"
#include "app/what_if.h"
#include "app/worker.h"
#include "ui/textedit.h"
#include "view/controls.h"
#include "view/scope.h"
#include "view/scene.h"

enum { APP_MAX_CMDS = 24000, APP_MAX_BYTES = 32 << 20, TAU_TYPED_MAX = 15 };

struct app {
    struct worker *worker;
    struct library library;
    struct show show;
    struct rivals rivals; // the same sentence in another way, beside it
    struct textedit *edit;
    struct examples examples;
    bool own_text;  // the start text was given: no example replaces it
    float scroll_x; // of the text field

    // knobs
    float tau;
    bool reread;
    float dropout;          // of α inside the loop; 0: none
    unsigned seed;          // of the dropout
    int model;              // library entry in use; NOWHERE until one is open
    int wanted;             // entry that is being opened to be used; NOWHERE
    char wanted_path[4096]; // dropped path that is being opened to be used; "" none
    int selected;           // a token of the target; NOWHERE
    struct look look;
    enum theme theme;
    float zoom;
    enum colormap map;
    enum shade shade;
    struct {
        bool open;
        struct topbar_left left; // of the bar, in this frame
    } more;
    int help; // page of the help; 0: none
    bool blank, quit, fullscreen, typing_tau;
    char typed_tau[TAU_TYPED_MAX + 1];

    struct what_if what_if;
    struct remarking remarking;
    struct saving saving;
    struct reopening reopening;
    struct app_files files; // what the outside does for us
    struct scope scope;
    const struct alignment *scope_seen_at; // whose row the microscope saw last; not read
    int scope_seen_row;
    bool scope_has_room; // the window has room for the panel
    struct reveal reveal;

    struct beaming beaming;
    struct heading heading;
    struct blocking blocking;
    struct bottleneck bottleneck;
    struct equation equation;
    struct history history; // of the model in use; count 0: none
    int checkpoint;         // index into it; the last one is the model itself
    int shown_checkpoint;   // that of the picture
    bool playing;
    uint64_t played_ms; // when the checkpoint on the screen came there

    // what was last asked of the worker, and what of it has begun to show
    uint64_t generation, shown;
    uint64_t failed; // the last that has no picture: the one before it stands
    int posted_model, posted_checkpoint;
    unsigned posted_rivals;
    unsigned posted_edits; // what_if_stamp
    float posted_tau, posted_dropout;
    unsigned posted_seed;
    struct beam posted_beam;
    char posted_text[TEXT_MAX_BYTES + 1];

    struct cell_size kept_cells; // of the matrix, in this room at this scale
    struct rect kept_room;       // .w < 0: any
    char kept_languages[32];     // of what is in it: others begin anew
    float kept_scale;
    char banner[640], title[256];
    bool banner_done;   // it says that something was done; else that something cannot be
    bool banner_passes; // with the next thing that the user does
    unsigned banner_said; // how often there was something to say
    bool report, hide_times;
    struct buf reports;
    uint64_t now_ms; // of the frame that is being made

    struct ui ui;
    struct input still; // of the last frame, without its events: for what comes between
    struct draw_list list;
    bool dirty; // something changed after it was drawn
    bool animating;
};

// requests.c: from knobs to jobs, from worker events to the screen
void app_request(struct app *app); // decode if anything that matters has changed
void app_open(struct app *app, int entry);
void app_open_path(struct app *app, const char *path);
// Asks for a model that is not open yet; false, with a sentence, when too many wait.
bool app_ask_for(struct app *app, int entry);
void app_update(struct app *app, bool fade); // takes the worker's events
// The picture is complete, though a session may still want another one.
bool app_picture_stands(const struct app *app);
bool app_picture_failed(const struct app *app); // there is none of what was last asked
void app_say(struct app *app, const char *sentence);      // the banner; "" clears it
void app_say_done(struct app *app, const char *sentence); // what was asked for was done
// Some step of the training is chosen, not its end.
bool app_is_forming(const struct app *app);
// Which one the picture is of, for what is saved; false at the end.
bool app_stage(const struct app *app, struct stage *stage);
// Chooses a checkpoint, within bounds, and decodes with it.
void app_use_checkpoint(struct app *app, int index);
void app_text_changed(struct app *app); // after the editor changed: what was cut is said

// command.c: a line that the user asked for. Why it could not be is said, until the next.
bool app_run(struct app *app, const char *line);

// scope.c: the microscope, small and large
void scope_panel(struct app *app, struct rect at, const struct scene *scene);
void scope_pages(struct app *app, struct rect at, const struct scene *scene);

// top.c
void top_draw(struct app *app, struct rect at);
void top_draw_more(struct app *app); // the menu of what the bar has no room for

// frame.c
void app_scene(const struct app *app, struct scene *scene);
// The same window and pointer, but nothing happens any more.
struct input app_still(const struct input *input);

// picture.c
// Draws what stands between the sentence and the lower bar, as it is on the screen but
// for the pointer, into the list of the sheet, under a line that says model and τ.
void app_draw_sheet(struct app *app, struct draw_list *list, struct sheet *sheet);

// report.c
void report_event(struct app *app, const char *event, const char *key, const char *value);
void report_decoding(struct app *app);

// keys.c
void keys_handle(struct app *app); // takes what widgets left over
struct overlay_line;
enum { KEYS_HELP_MAX = 160 };
int keys_help(struct overlay_line *out, int max); // out NULL: how many there are
void app_end_typing(struct app *app);             // of a τ
