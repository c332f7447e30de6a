// SPDX-License-Identifier: MIT
// What the worker does while nobody waits for it: sentences translated and judged, one at
// a time; one that a job interrupts is begun again.
#include <stdio.h>
#include <string.h>

#include "app/worker_state.h"

// The sums for one finished translation; none when memory is short.
static void judge(struct worker *worker, const struct alignment *alignment,
                  const char *reference, struct bleu *bleu)
{
    const char *words = alignment->translation ? alignment->translation : "";
    struct bleu_text hypothesis = {words, strlen(words)};
    struct bleu_text right = {reference, strlen(reference)};
    if (!bleu_add(bleu, &worker->scratch, hypothesis, &right, 1, NULL))
        *bleu = (struct bleu){0};
}

// Translates one unit; true when it was finished, false when a job came in between.
static bool run_unit(struct worker *worker, const struct measure_unit *unit,
                     struct worker_event *event)
{
    struct decode_job job = {.target = unit->target};
    uint64_t generation = atomic_load(&worker->newest);
    struct session *session = worker_session(worker, &job, &job.target, NULL);
    struct alignment *alignment = NULL;
    if (session) {
        session_edit(session, NULL);
        alignment =
            session_begin(session, unit->text, strlen(unit->text), run_at(1), NULL);
    }
    if (!alignment)
        return true; // it cannot be translated: no use trying again
    bool whole = true;
    while (whole && session_step(session, alignment))
        whole = atomic_load(&worker->newest) == generation;
    if (!whole)
        session_cancel(session, alignment);
    else
        judge(worker, alignment, unit->reference, &event->bleu);
    alignment_destroy(alignment);
    return whole;
}

void worker_measure_one(struct worker *worker)
{
    struct measure_unit unit = worker->units[worker->next_unit];
    struct worker_event event = {
        .kind = EVENT_MEASURED, .run = worker->measure_run, .tag = unit.tag};
    snprintf(worker->unit_text, sizeof worker->unit_text, "%s", unit.text);
    snprintf(worker->unit_reference, sizeof worker->unit_reference, "%s", unit.reference);
    unit.text = worker->unit_text;
    unit.reference = worker->unit_reference;
    pthread_mutex_unlock(&worker->mutex);
    bool done = run_unit(worker, &unit, &event);
    if (done && worker_push(worker, &event)) {
        worker->wake(worker->context);
    }
    pthread_mutex_lock(&worker->mutex);
    if (done && event.run == worker->measure_run)
        worker->next_unit++;
}
