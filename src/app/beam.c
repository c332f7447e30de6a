// SPDX-License-Identifier: MIT
// See beam.h. Choosing another hypothesis decodes nothing: all of them were made by the
// search, and one is exchanged for another.
#include "app/beam.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/command.h"
#include "app/state.h"
#include "formats/write.h"
#include "view/beam.h"

static bool is(const char *a, const char *b)
{
    return !strcmp(a, b);
}

static const struct beam_tree *tree_of(const struct app *app)
{
    const struct beam_tree *tree = app->beaming.found.tree;
    return tree && tree->n_nodes ? tree : NULL;
}

static int shown_end(const struct app *app)
{
    const struct beam_tree *tree = tree_of(app);
    int shown = app->beaming.shown;
    return tree && shown < tree->n_results ? tree->results[shown] : NOWHERE;
}

// The node of the selected row, or the last.
static void follow_row(struct app *app)
{
    struct beaming *beaming = &app->beaming;
    const struct beam_tree *tree = tree_of(app);
    int end = shown_end(app);
    beaming->node = end;
    if (end >= 0 && app->selected >= 0 && app->selected < tree->nodes[end].step)
        beaming->node = beam_tree_at(tree, end, app->selected);
}

// The row of a node that is on the heatmap.
static void choose_node(struct app *app, int node)
{
    const struct beam_tree *tree = tree_of(app);
    app->beaming.node = node;
    if (beam_tree_on_path(tree, shown_end(app), node))
        app->selected = tree->nodes[node].step;
    app->dirty = true;
}

void beam_finish(struct beaming *beaming)
{
    beam_found_finish(&beaming->found);
}

void beam_take(struct app *app, const struct beam_found *found)
{
    beam_finish(&app->beaming);
    app->beaming.found = *found;
    app->beaming.shown = 0;
    app->beaming.seen = NOWHERE;
    follow_row(app);
}

static bool show(struct app *app, int result, struct error *err)
{
    struct beaming *beaming = &app->beaming;
    if (!beaming->found.nbest.n)
        return fail_with(err, ERR_USAGE,
                         "beam show: there is no beam: 'beam %d' searches with one",
                         BEAM_USUAL);
    struct nbest *nbest = &beaming->found.nbest;
    if (result < 0 || result >= nbest->n)
        return fail_with(err, ERR_USAGE, "beam show: there is no hypothesis %d of %d",
                         result + 1, nbest->n);
    if (result == beaming->shown)
        return true;
    nbest->at[beaming->shown].alignment =
        show_exchange(&app->show, nbest->at[result].alignment);
    nbest->at[result].alignment = NULL;
    beaming->shown = result;
    follow_row(app);
    return true;
}

static bool show_line(struct app *app, const char *argument, struct error *err)
{
    const struct beaming *beaming = &app->beaming;
    int n = 0, count = beaming->found.nbest.n;
    char more;
    count = count ? count : 1;
    if (is(argument, "next"))
        return show(app, (beaming->shown + 1) % count, err);
    if (is(argument, "back"))
        return show(app, (beaming->shown + count - 1) % count, err);
    if (sscanf(argument, "%6d%c", &n, &more) != 1)
        return fail_with(err, ERR_USAGE,
                         "beam show: found '%.100s', expected the number of a "
                         "hypothesis, next or back",
                         argument);
    return show(app, n - 1, err);
}

// Moves in the tree; false: no such word.
static bool move(struct app *app, const char *word)
{
    const struct beam_tree *tree = tree_of(app);
    int node = app->beaming.node, to = NOWHERE;
    if (is(word, "child"))
        to = beam_tree_child(tree, node, shown_end(app));
    else if (is(word, "parent"))
        to = tree->nodes[node].parent;
    else if (is(word, "first") || is(word, "last"))
        to = is(word, "last") ? shown_end(app) : beam_tree_at(tree, shown_end(app), 0);
    else if (is(word, "down") || is(word, "up"))
        to = beam_tree_beside(tree, node, is(word, "down") ? 1 : -1);
    else
        return false;
    if (to >= 0)
        choose_node(app, to);
    return true;
}

static bool node_line(struct app *app, const char *argument, struct error *err)
{
    const struct beam_tree *tree = tree_of(app);
    int n = 0;
    char more;
    if (!tree || app->beaming.node < 0)
        return fail_with(err, ERR_USAGE, "beam node: there is no tree to choose from");
    if (move(app, argument))
        return true;
    if (sscanf(argument, "%6d%c", &n, &more) != 1 || n < 1 || n > tree->n_nodes)
        return fail_with(err, ERR_USAGE,
                         "beam node: found '%.100s', expected a number from 1 to %d, "
                         "child, parent, first, last, up or down",
                         argument, tree->n_nodes);
    choose_node(app, n - 1);
    return true;
}

static bool set_beam(struct app *app, struct beam beam, struct error *err)
{
    if (!beam_check(&beam, err))
        return false;
    app->beaming.beam = beam;
    app_request(app);
    return true;
}

static struct beam usual(const struct app *app)
{
    struct beam beam = app->beaming.beam;
    return beam.width ? beam : (struct beam){BEAM_USUAL, BEAM_LENGTH};
}

static void open_page(struct app *app)
{
    if (app->bottleneck.open)
        bottleneck_close(app);
    app->heading.open = app->blocking.open = false;
    app->scope.page = SCOPE_PANEL;
    app->beaming.open = true;
    app->beaming.seen = NOWHERE;
    follow_row(app);
}

static bool tree_line(struct app *app, const char *argument, struct error *err)
{
    bool on = is(argument, "on") || (is(argument, "toggle") && !app->beaming.open);
    if (!on && !is(argument, "off") && !is(argument, "toggle"))
        return fail_with(err, ERR_USAGE,
                         "beam tree: found '%.100s', expected on, off or toggle",
                         argument);
    app->beaming.open = false;
    if (!on)
        return true;
    if (!app->beaming.beam.width && !set_beam(app, usual(app), err))
        return false;
    open_page(app);
    return true;
}

static bool turn_off(struct app *app)
{
    app->beaming.open = false;
    app->beaming.beam.width = 0;
    app_request(app);
    return true;
}

static bool width_line(struct app *app, const char *argument, struct error *err)
{
    struct beam beam = {0, BEAM_LENGTH};
    char more;
    int found = sscanf(argument, "%6d %f %c", &beam.width, &beam.length, &more);
    if (found < 1 || found > 2)
        return fail_with(err, ERR_USAGE,
                         "beam: found '%.100s', expected a width from 1 to %d, wider, "
                         "narrower, off, tree, show or node",
                         argument, SEARCH_MAX_WIDTH);
    return set_beam(app, beam, err);
}

bool command_beam(struct app *app, const char *argument, struct error *err)
{
    struct beam beam = usual(app);
    if (is(argument, "off"))
        return turn_off(app);
    if (!strncmp(argument, "tree ", 5))
        return tree_line(app, argument + 5, err);
    if (!strncmp(argument, "show ", 5))
        return show_line(app, argument + 5, err);
    if (!strncmp(argument, "node ", 5))
        return node_line(app, argument + 5, err);
    if (!is(argument, "wider") && !is(argument, "narrower"))
        return width_line(app, argument, err);
    beam.width += is(argument, "wider") ? 1 : -1;
    return set_beam(app, beam, err);
}

bool beam_takes(struct app *app, const char *word, bool along)
{
    bool next = is(word, "next");
    if (!app->beaming.open || !tree_of(app))
        return false;
    if (next || is(word, "back"))
        word = along ? (next ? "child" : "parent") : next ? "down" : "up";
    else if (!is(word, "first") && !is(word, "last"))
        return false;
    return move(app, word);
}

void beam_say(const struct app *app, char *out, size_t size)
{
    const struct beaming *beaming = &app->beaming;
    out[0] = '\0';
    if (beaming->found.nbest.n)
        snprintf(out, size, "beam %d: %d of %d", beaming->beam.width, beaming->shown + 1,
                 beaming->found.nbest.n);
}

bool beam_rank(const struct app *app, struct rank *rank)
{
    const struct beaming *beaming = &app->beaming;
    if (!tree_of(app))
        return false;
    const struct hypothesis *shown = &beaming->found.nbest.at[beaming->shown];
    *rank = (struct rank){beaming->found.tree->width, beaming->found.tree->length,
                          shown->log_p, shown->score};
    return true;
}

void beam_draw(struct app *app, struct rect at)
{
    struct beaming *beaming = &app->beaming;
    const struct nbest *nbest = &beaming->found.nbest;
    struct beam_page page = {.tree = tree_of(app),
                             .now = app->show.now,
                             .width = beaming->beam.width,
                             .length = beaming->beam.length,
                             .node = beaming->node,
                             .shown = tree_of(app) ? beaming->shown : NOWHERE,
                             .reveal = beaming->node != beaming->seen,
                             .first = beaming->first,
                             .top = beaming->top,
                             .map = app->map};
    for (int i = 0; i < nbest->n; i++) {
        const struct alignment *alignment = nbest->at[i].alignment;
        alignment = alignment ? alignment : app->show.now;
        page.words[i] = alignment->translation;
    }
    struct beam_page_result result = beam_page_draw(&app->ui, at, &page);
    beaming->seen = beaming->node;
    app->dirty =
        app->dirty || result.first != beaming->first || result.top != beaming->top;
    beaming->first = result.first;
    beaming->top = result.top;
    if (result.line[0])
        app_run(app, result.line);
}
