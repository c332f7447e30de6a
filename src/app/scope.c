// SPDX-License-Identifier: MIT
// The microscope's row: which one, at which τ its α stand, and what the model in use
// calls query and key.
#include <string.h>

#include "app/state.h"
#include "engine/naming.h"
#include "view/candidates.h"
#include "view/microscope.h"

// What is compared with the query, for one h.
static const char *key_name(const struct model_config *config)
{
    static const char *const names[SCORE_COUNT] = {
        [SCORE_ADDITIVE] = "U h", [SCORE_DOT] = "h",      [SCORE_SCALED_DOT] = "h",
        [SCORE_GENERAL] = "W h",  [SCORE_CONCAT] = "W h", [SCORE_COSINE] = "h",
        [SCORE_NONE] = ""};
    return names[config->score];
}

static const char *query_name_of(const struct model_config *config)
{
    static const char *const names[QUERY_COUNT] = {
        [QUERY_PREVIOUS] = "s₍ₜ₋₁₎, the state before this word",
        [QUERY_BETWEEN] = "s′, the state between the two cells",
        [QUERY_CURRENT] = "sₜ, the state of this row",
        [QUERY_NONE] = ""};
    return names[config->query];
}

static struct scope_words words_of(const struct app *app)
{
    if (app->model < 0)
        return (struct scope_words){"", "", ""};
    const struct model_config *config = &app->library.entries[app->model].listing.config;
    if (config->family == FAMILY_TRANSFORMER)
        return (struct scope_words){"e = q · k / √dₖ", "q, made by W_Q of this row's x",
                                    "k, made by W_K"};
    return (struct scope_words){model_naming(config).formula, query_name_of(config),
                                key_name(config)};
}

static bool take_specimen(struct app *app, const struct scene *scene,
                          struct specimen *row)
{
    const struct scope_words words = words_of(app);
    float tau = app->show.uses_reread ? app->show.reread_tau
                : scene->now          ? scene->now->tau
                                      : 1;
    if (!specimen_take(row, scene, &words, tau))
        return false;
    if (app->scope_seen_at != row->now ||
        app->scope_seen_row != row->t) // another row: its best
        app->scope.first = row->parts.best - 3;
    app->scope_seen_at = row->now;
    app->scope_seen_row = row->t;
    return true;
}

static void keep(struct app *app, struct scope scope)
{
    app->dirty = app->dirty || memcmp(&scope, &app->scope, sizeof scope) != 0;
    app->scope = scope;
}

// A click on another next word says it in this row, and the decoder carries on.
static void take_click(struct app *app)
{
    int chosen = candidates_clicked(&app->ui);
    if (chosen >= 0)
        what_if_choose(app, chosen);
}

void scope_panel(struct app *app, struct rect at, const struct scene *scene)
{
    struct specimen row;
    bool any = take_specimen(app, scene, &row);
    keep(app, microscope_draw(&app->ui, any ? &row : NULL, scene->rows > 0, at,
                              app->scope, scene->hover_s));
    take_click(app);
}

void scope_pages(struct app *app, struct rect at, const struct scene *scene)
{
    struct specimen row;
    bool any = take_specimen(app, scene, &row);
    keep(app, scope_draw(&app->ui, any ? &row : NULL, at, app->scope));
    take_click(app);
}
