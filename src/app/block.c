// SPDX-License-Identifier: MIT
// The page of the encoder's block: what each step says. See block.h.
#include "app/block.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "app/command.h"
#include "app/state.h"
#include "view/block.h"
#include "view/short.h"

enum block_step {
    TOKEN,
    POSITION,
    QKV,
    SCORES,
    SOFTMAX,
    BLEND,
    HEADS,
    NORM,
    FEED,
    STEPS
};
enum { HEAVIEST = 3 };

static const char *const step_names[STEPS] = {
    "token", "position",     "Q, K, V",        "scores",      "softmax",
    "blend", "heads joined", "residual, norm", "feed-forward"};

struct telling {
    const struct block *b;
    struct block_page *page;
    const struct transformer_config *config;
    int head;
    float *powers; // (n) for exp(e - max e)
    char title[200], formula[160], reason[400];
};

static void say(char *out, size_t size, const char *format, ...) PRINTF_LIKE(3, 4);

static void say(char *out, size_t size, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(out, size, format, args);
    va_end(args);
}

static struct block_strip *strip(struct telling *t, const char *name, const float *values,
                                 int n)
{
    struct block_strip *out = &t->page->strips[t->page->n_strips++];
    *out = (struct block_strip){.values = values, .n = n, .weight = 1};
    snprintf(out->name, sizeof out->name, "%s", name);
    return out;
}

static void row(struct telling *t, const char *name, const float *values, bool weights)
{
    t->page->rows[t->page->n_rows++] = (struct block_row){name, values, weights};
}

static const char *token_of(const struct telling *t)
{
    return t->page->tokens[t->b->position];
}

static bool pre_norm(const struct telling *t)
{
    return t->config->norm == NORM_PRE;
}

static void tell_token(struct telling *t)
{
    bool scaled = t->config->embedding_scaled;
    const char *word = short_of(token_of(t)).text;
    say(t->formula, sizeof t->formula, scaled ? "√d · E[%.60s]" : "E[%.60s]", word);
    say(t->reason, sizeof t->reason,
        scaled ? "A row of the embedding table for this piece, d = %d numbers, times √d "
                 "= %.1f."
               : "A row of the embedding table for this piece, d = %d numbers. √d would "
                 "be %.1f; this model does not scale.",
        t->b->d, sqrt((double)t->b->d));
    strip(t, "E", t->b->embedding, t->b->d);
    if (scaled)
        strip(t, "√d · E", t->b->scaled, t->b->d);
}

static void tell_position(struct telling *t)
{
    const struct block *b = t->b;
    bool learned = t->config->positions == POSITIONS_LEARNED;
    say(t->formula, sizeof t->formula, "x = %s + P(%d)",
        t->config->embedding_scaled ? "√d · E" : "E",
        b->position + t->config->position_offset);
    say(t->reason, sizeof t->reason, "%s%s",
        learned
            ? "Attention does not know order: a row of a learned table says where the "
              "piece stands."
            : "Attention does not know order: waves of many lengths say where the "
              "piece stands.",
        b->layer ? " Below: x after the layers before this one." : "");
    strip(t, t->config->embedding_scaled ? "√d · E" : "E", b->scaled, b->d);
    strip(t, "P", b->place, b->d);
    strip(t, "x", b->bottom, b->d);
    if (b->layer)
        strip(t, "x, this layer", b->x, b->d);
}

static void tell_qkv(struct telling *t)
{
    const struct block *b = t->b;
    size_t own = (size_t)b->position * (size_t)b->d,
           part = (size_t)t->head * (size_t)b->d_k;
    bool pre = pre_norm(t);
    say(t->formula, sizeof t->formula,
        pre ? "q = W_Q x̂,   k = W_K x̂,   v = W_V x̂"
            : "q = W_Q x,   k = W_K x,   v = W_V x");
    say(t->reason, sizeof t->reason,
        "%sq asks, k is what it is compared with, v is what is passed on. Every head has "
        "its own d/H = %d / %d = %d numbers of each.",
        pre ? "x̂ is x normed. " : "", b->d, b->heads, b->d_k);
    strip(t, pre ? "x̂ = LN(x)" : "x", b->read, b->d);
    strip(t, "q", b->q + part, b->d_k);
    strip(t, "k", b->k + own + part, b->d_k);
    strip(t, "v", b->v + own + part, b->d_k);
}

static void tell_scores(struct telling *t)
{
    const struct block *b = t->b;
    size_t at = (size_t)t->head * (size_t)b->n;
    say(t->formula, sizeof t->formula, "eⱼ = q · kⱼ / √dₖ,   √%d = %.2f", b->d_k,
        sqrt((double)b->d_k));
    say(t->reason, sizeof t->reason,
        "q of “%s” against k of every token. Divided by √dₖ, so that scores do not grow "
        "with the width and the softmax stays soft.",
        short_of(token_of(t)).text);
    row(t, "q · kⱼ", b->dots + at, false);
    row(t, "eⱼ", b->e + at, false);
    strip(t, "q", b->q + (size_t)t->head * (size_t)b->d_k, b->d_k);
    strip(t, "its own k",
          b->k + (size_t)b->position * (size_t)b->d + (size_t)t->head * (size_t)b->d_k,
          b->d_k);
}

static void tell_softmax(struct telling *t)
{
    const struct block *b = t->b;
    size_t at = (size_t)t->head * (size_t)b->n;
    say(t->formula, sizeof t->formula, "αⱼ = exp(eⱼ) / Σ exp(e)");
    say(t->reason, sizeof t->reason,
        "Positive, and together 1. The encoder masks nothing: a token reads those before "
        "it and those after it. τ does not act here.");
    float most = -INFINITY;
    for (int j = 0; j < b->n; j++)
        most = fmaxf(most, b->e[at + (size_t)j]);
    for (int j = 0; j < b->n; j++)
        t->powers[j] = expf(b->e[at + (size_t)j] - most);
    row(t, "eⱼ", b->e + at, false);
    row(t, "exp(eⱼ − max)", t->powers, false);
    row(t, "αⱼ", b->alpha + at, true);
}

static int heaviest(const float *alpha, int n, const int *taken, int count)
{
    int best = -1;
    for (int j = 0; j < n; j++) {
        bool free = true;
        for (int i = 0; i < count; i++)
            free = free && taken[i] != j;
        if (free && (best < 0 || alpha[j] > alpha[best]))
            best = j;
    }
    return best;
}

static void tell_blend(struct telling *t)
{
    const struct block *b = t->b;
    const float *alpha = b->alpha + (size_t)t->head * (size_t)b->n;
    size_t part = (size_t)t->head * (size_t)b->d_k;
    int taken[HEAVIEST];
    say(t->formula, sizeof t->formula, "z = Σ αⱼ vⱼ");
    say(t->reason, sizeof t->reason,
        "The values of all tokens, each as much as its weight; the heaviest are below, "
        "on one scale.");
    t->page->one_scale = true;
    row(t, "αⱼ", alpha, true);
    for (int i = 0; i < HEAVIEST && i < b->n; i++) {
        char name[48];
        int j = taken[i] = heaviest(alpha, b->n, taken, i);
        snprintf(name, sizeof name, "%.2f v(%.24s)", (double)alpha[j],
                 short_of(t->page->tokens[j]).text);
        strip(t, name, b->v + (size_t)j * (size_t)b->d + part, b->d_k)->weight = alpha[j];
    }
    strip(t, "z", b->joined + part, b->d_k);
}

static void tell_heads(struct telling *t)
{
    const struct block *b = t->b;
    struct block_strip *joined;
    say(t->formula, sizeof t->formula, "y = W_O [z₁ ; … ; z_H] + b");
    say(t->reason, sizeof t->reason,
        "The blends of all %d heads side by side, head %d framed, and one product that "
        "mixes them: %d numbers again.",
        b->heads, t->head + 1, b->d);
    joined = strip(t, "[z₁ ; … ; z_H]", b->joined, b->d);
    joined->parts = b->heads;
    joined->part = t->head;
    strip(t, "y", b->attended, b->d);
}

static void spread(const float *x, int n, double *mean, double *deviation)
{
    *mean = *deviation = 0;
    for (int i = 0; i < n; i++)
        *mean += (double)x[i] / n;
    for (int i = 0; i < n; i++)
        *deviation += ((double)x[i] - *mean) * ((double)x[i] - *mean) / n;
    *deviation = sqrt(*deviation);
}

static void tell_norm(struct telling *t)
{
    const struct block *b = t->b;
    bool pre = pre_norm(t);
    const float *normed = pre ? b->fed_with : b->middle;
    double mean, deviation;
    spread(b->sum, b->d, &mean, &deviation);
    say(t->formula, sizeof t->formula,
        pre ? "x′ = x + y,   x̂′ = LN(x′)" : "x′ = LN(x + y)");
    say(t->reason, sizeof t->reason,
        "The sum keeps what was there. LN brings mean %s and standard deviation %.2f to "
        "0 "
        "and 1, then scales and shifts by learned numbers.",
        number_text(mean, 2).text, deviation);
    strip(t, "x", b->x, b->d);
    strip(t, "y", b->attended, b->d);
    strip(t, "x + y", b->sum, b->d);
    strip(t, pre ? "LN(x′)" : "x′ = LN", normed, b->d);
}

static void tell_feed(struct telling *t)
{
    static const char *const names[] = {[ACTIVATION_RELU] = "max(0, ·)",
                                        [ACTIVATION_GELU] = "GELU",
                                        [ACTIVATION_GELU_TANH] = "GELU",
                                        [ACTIVATION_SILU] = "SiLU"};
    const struct block *b = t->b;
    bool pre = pre_norm(t);
    int positive = 0;
    for (int i = 0; i < b->ffn; i++)
        positive += b->hidden[i] > 0;
    say(t->formula, sizeof t->formula,
        pre ? "x″ = x′ + W₂ f(W₁ x̂′ + b₁) + b₂" : "x″ = LN(x′ + W₂ f(W₁ x′ + b₁) + b₂)");
    say(t->reason, sizeof t->reason,
        "Each position by itself: %d numbers, f = %s, of which %d are above 0, and back "
        "to %d. x″ is what %s.",
        b->ffn, names[t->config->activation], positive, b->d,
        b->layer + 1 < t->config->encoder.layers ? "the next layer reads"
        : t->config->top_norm ? "the decoder reads, after one more norm"
                              : "the decoder reads");
    strip(t, pre ? "x̂′" : "x′", b->fed_with, b->d);
    strip(t, "h = f(W₁ · + b₁)", b->hidden, b->ffn);
    strip(t, "W₂ h + b₂", b->fed, b->d);
    strip(t, "x″", b->out, b->d);
}

static void tell(struct telling *t)
{
    static void (*const steps[STEPS])(struct telling * t) = {
        tell_token, tell_position, tell_qkv,  tell_scores, tell_softmax,
        tell_blend, tell_heads,    tell_norm, tell_feed};
    const struct block *b = t->b;
    say(t->title, sizeof t->title,
        "“%s”, position %d of %d   ·   encoder layer %d of %d, head %d of %d",
        short_of(token_of(t)).text, b->position + 1, b->n, b->layer + 1,
        t->config->encoder.layers, t->head + 1, b->heads);
    steps[t->page->step](t);
    t->page->title = t->title;
    t->page->formula = t->formula;
    t->page->reason = t->reason;
}

// All that stands there is of the numbers: the model in use may be another one by now.
static struct block_page page_of(struct app *app, struct telling *t)
{
    struct block_numbers *numbers = app->blocking.shown;
    struct block_page page = {.steps = step_names,
                              .n_steps = STEPS,
                              .step = app->blocking.step,
                              .map = app->map};
    if (!numbers) {
        page.empty = app->blocking.why.text;
        return page;
    }
    if (block_current(app))
        numbers->head = app->heading.choice.head;
    const struct block *b = &numbers->block;
    page.tokens = numbers->tokens;
    page.n = b->n;
    page.position = b->position;
    page.alpha = b->alpha + (size_t)numbers->head * (size_t)b->n;
    *t = (struct telling){.b = b,
                          .page = &page,
                          .config = &numbers->config,
                          .head = numbers->head,
                          .powers = numbers->powers};
    tell(t);
    return page;
}

bool block_draw(struct app *app, struct rect at)
{
    struct blocking *blocking = &app->blocking;
    if (!blocking->shown && !*blocking->why.text)
        return false;
    struct telling t;
    struct block_page page = page_of(app, &t);
    struct block_result result = block_page_draw(&app->ui, at, &page);
    if (result.step != blocking->step) {
        blocking->step = result.step;
        app->dirty = true;
    }
    if (result.close)
        app_run(app, "block off");
    return true;
}

void block_follow(struct app *app)
{
    struct map_choice choice = app->heading.choice;
    if (choice.kind != MAP_ENCODER || !map_single(choice))
        app->blocking.open = false;
}

bool block_takes(struct app *app, const char *step)
{
    struct blocking *blocking = &app->blocking;
    if (!blocking->open)
        return false;
    int to = blocking->step + (strcmp(step, "next") == 0 ? 1 : -1);
    blocking->step = to < 0 ? 0 : to >= STEPS ? STEPS - 1 : to;
    return true;
}

// A head of the encoder is chosen: the one that is, or the first.
static bool open_page(struct app *app, struct error *err)
{
    struct map_choice choice = app->heading.choice;
    bool chosen = choice.kind == MAP_ENCODER && map_single(choice);
    if (!chosen && !app_command(app, "attention encoder 1 1", err))
        return false;
    if (app->selected < 0)
        look_select(app, 0, false);
    if (app->bottleneck.open)
        bottleneck_close(app);
    app->beaming.open = app->heading.open = false;
    app->scope.page = SCOPE_PANEL;
    app->blocking.open = true;
    return true;
}

bool command_block(struct app *app, const char *argument, struct error *err)
{
    struct blocking *blocking = &app->blocking;
    int n = 0;
    char more;
    bool toggle = strcmp(argument, "toggle") == 0;
    if (!heads_there(app))
        return fail_with(err, ERR_USAGE,
                         "block: this model is recurrent, it has no encoder block");
    if (strcmp(argument, "off") == 0 || (toggle && blocking->open)) {
        blocking->open = false;
        return true;
    }
    if (strcmp(argument, "on") == 0 || toggle)
        return open_page(app, err);
    if (strcmp(argument, "next") == 0 || strcmp(argument, "back") == 0)
        return block_takes(app, argument) || open_page(app, err);
    if (sscanf(argument, "%6d%c", &n, &more) != 1 || n < 1 || n > STEPS)
        return fail_with(
            err, ERR_USAGE,
            "block: found '%.60s', expected on, off, toggle, next, back or a "
            "step from 1 to %d",
            argument, STEPS);
    blocking->step = n - 1;
    return blocking->open || open_page(app, err);
}
