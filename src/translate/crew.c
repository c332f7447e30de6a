// SPDX-License-Identifier: MIT
// Sentences decoded together. See crew.h. Each has a session of its own; they share the
// workspace of the steps. New ones come in when half of the places are free, so that
// they, too, are encoded together. A sentence that waits for nobody else is not held up
// for company: what there is goes.
#include "translate/crew.h"

#include <stdlib.h>

#include "translate/session.h"

enum {
    CREW_HYPOTHESES = 32,  // of all sentences
    CREW_BYTES = 8 * 1024, // of all texts; one may be longer
    // A Transformer's session, and what it keeps of its heads, grow with the square of
    // the sentence.
    CREW_TRANSFORMERS = 8,
    CREW_TRANSFORMER_BYTES = 512,
    CREW_KEPT_SHARE = 8, // the session of a text of more than this share is given back
};

struct place {
    struct session *session; // NULL: not made yet
    struct task task;
    struct alignment *running; // of greedy and forced decoding
    struct decoder *decoder;   // whose step is next
    bool waits;                // there was no memory for it beside the others
};

struct crew {
    struct translator model;
    struct crew_orders orders;
    const struct crew_work *work;
    struct arena arena, scratch;
    struct workspace workspace;
    size_t bytes, most_bytes; // of the texts in work; where no more are taken
    int waiting;              // of those in work
    int n, max;               // places: in work, the first ones; all
    struct place places[CREW_HYPOTHESES];
};

struct crew *crew_create(const struct translator *translator,
                         const struct crew_orders *orders, struct error *err)
{
    struct crew *crew = calloc(1, sizeof *crew);
    bool large = translator->network->config.family == FAMILY_TRANSFORMER;
    int rows = large ? CREW_TRANSFORMERS : CREW_HYPOTHESES, width = orders->beam.width;
    if (!crew) {
        fail_nomem(err, "a session");
        return NULL;
    }
    width = width ? width : 1;
    crew->model = *translator;
    crew->orders = *orders;
    crew->max = width < rows ? rows / width : 1;
    crew->most_bytes = large ? CREW_TRANSFORMER_BYTES : CREW_BYTES;
    arena_init(&crew->arena, SESSION_MAX_BYTES);
    arena_init(&crew->scratch, SESSION_MAX_BYTES);
    crew->places[0].session = session_create(translator, err);
    if (crew->places[0].session &&
        workspace_init(&crew->workspace, &crew->arena, translator->network,
                       crew->max * width, err))
        return crew;
    crew_destroy(crew);
    return NULL;
}

void crew_destroy(struct crew *crew)
{
    if (!crew)
        return;
    for (int i = 0; i < crew->max; i++)
        session_destroy(crew->places[i].session);
    arena_finish(&crew->scratch);
    arena_finish(&crew->arena);
    free(crew);
}

static bool has_room(struct crew *crew)
{
    struct place *place = &crew->places[crew->n];
    if (crew->waiting || crew->n == crew->max ||
        (crew->n && crew->bytes >= crew->most_bytes))
        return false;
    if (!place->session)
        place->session = session_create(&crew->model, NULL);
    return place->session || !crew->n;
}

// The place of a sentence that is done: the last one moves there.
static void leave(struct crew *crew, int at)
{
    struct place *place = &crew->places[at], *last = &crew->places[--crew->n];
    crew->bytes -= place->task.length;
    if (place->task.length > crew->most_bytes / CREW_KEPT_SHARE) {
        session_destroy(place->session);
        place->session = NULL;
    }
    crew->work->done(crew->work->context, &place->task);
    const struct place swap = *place;
    *place = *last;
    *last = swap;
}

static bool begin(const struct crew *crew, struct place *place)
{
    const struct crew_orders *orders = &crew->orders;
    struct task *task = &place->task;
    struct error *err = &task->why;
    *err = (struct error){0};
    place->running = NULL;
    if (!place->session && !(place->session = session_create(&crew->model, err)))
        return false;
    session_want_posterior(place->session, orders->posterior);
    if (orders->beam.width)
        return session_beam_begin(place->session, task->text, task->length,
                                  orders->options, &orders->beam, err);
    place->running =
        task->target
            ? session_force_begin(place->session, task->text, task->length, task->target,
                                  task->target_length, orders->options, err)
            : session_begin(place->session, task->text, task->length, orders->options,
                            err);
    return place->running != NULL;
}

// What has no memory beside others waits until they have left.
static void come_in(struct crew *crew, int at)
{
    struct place *place = &crew->places[at];
    struct task *task = &place->task;
    if (begin(crew, place))
        return;
    if (task->why.code == ERR_NOMEM && crew->n > 1) {
        session_destroy(place->session);
        place->session = NULL;
        place->waits = true;
        crew->waiting++;
        return;
    }
    task->failed = true;
    leave(crew, at);
}

// Only such sentences are left: the last one now has all the memory.
static void come_in_alone(struct crew *crew)
{
    struct place *place = &crew->places[crew->n - 1];
    for (int i = 0; i < crew->max; i++) {
        session_destroy(crew->places[i].session);
        crew->places[i].session = NULL;
    }
    place->waits = false;
    crew->waiting--;
    place->task.failed = !begin(crew, place);
    if (place->task.failed)
        leave(crew, crew->n - 1);
}

// False: there is nothing in work, and there will be nothing.
static bool take_sentences(struct crew *crew)
{
    struct session *sessions[CREW_HYPOTHESES];
    struct session_text texts[CREW_HYPOTHESES];
    int first = crew->n, n = 0;
    while (has_room(crew)) {
        struct place *place = &crew->places[crew->n];
        struct task *task = &place->task;
        *task = (struct task){.owner = NULL};
        if (!crew->work->next(crew->work->context, task, !crew->n)) {
            if (!crew->n)
                return false;
            break;
        }
        crew->bytes += task->length;
        crew->n++;
        if (!place->session)
            continue;
        sessions[n] = place->session;
        texts[n++] = (struct session_text){task->text, task->length};
    }
    arena_reset(&crew->scratch);
    if (n > 1)
        sessions_load(sessions, texts, n, &crew->scratch);
    for (int i = crew->n - 1; i >= first; i--)
        come_in(crew, i);
    return true;
}

static struct decoder *ahead(struct place *place)
{
    if (place->running)
        return session_ahead(place->session, place->running);
    return session_beam_ahead(place->session);
}

static bool behind(struct place *place, double us)
{
    if (place->running)
        return session_behind(place->session, place->running, us);
    return session_beam_behind(place->session, us);
}

static void finish(struct crew *crew, int at)
{
    struct place *place = &crew->places[at];
    struct task *task = &place->task;
    if (place->running) {
        task->nbest = (struct nbest){.n = 1, .at = {{.alignment = place->running}}};
    } else {
        task->failed = !session_beam_end(place->session, crew->orders.most, &task->nbest,
                                         &task->why);
        session_beam_forget(place->session);
    }
    leave(crew, at);
}

// One token for each.
static void step(struct crew *crew)
{
    struct decoder *decoders[CREW_HYPOTHESES];
    int n = 0;
    for (int i = crew->n - 1; i >= 0; i--) {
        struct place *place = &crew->places[i];
        place->decoder = place->waits ? NULL : ahead(place);
        if (!place->waits && !place->decoder)
            finish(crew, i);
    }
    for (int i = 0; i < crew->n; i++)
        if (!crew->places[i].waits)
            decoders[n++] = crew->places[i].decoder;
    if (!n) {
        if (crew->n)
            come_in_alone(crew);
        return;
    }
    double start = session_now_us();
    decoders_step(decoders, n, &crew->workspace);
    double us = (session_now_us() - start) / n;
    for (int i = crew->n - 1; i >= 0; i--)
        if (!crew->places[i].waits && !behind(&crew->places[i], us))
            finish(crew, i);
}

void crew_run(struct crew *crew, const struct crew_work *work)
{
    crew->work = work;
    while (2 * crew->n > crew->max || take_sentences(crew))
        step(crew);
}
