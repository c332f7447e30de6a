// SPDX-License-Identifier: MIT
// The worker: newest wins, rows are read while they are written, nothing is lost or
// leaked when it is stopped in the middle. Run under ThreadSanitizer too.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#include "app/worker.h"

static const char model[] = ALPHASCOPE_TESTS "/../models/en-fr-bahdanau";
static const char *const sentences[] = {
    "The black cat sleeps.",
    ("When the old man who lives next to the station came back, he told the children "
     "that "
     "he had seen a house so beautiful that nobody would ever want to leave it."),
    "No.",
    "I would like a cup of coffee, please.",
};

enum { PATIENCE = 100000 }; // ms; only a failing test waits this long

static struct model_dir *dir;
static struct translator translator;

static int open_model(void **state)
{
    (void)state;
    struct error err;
    dir = model_dir_open(model, &err);
    if (!dir)
        return -1;
    translator = (struct translator){dir->id, &dir->network, dir->source, dir->target};
    return 0;
}

static int close_model(void **state)
{
    (void)state;
    model_dir_close(dir);
    return 0;
}

static void count_wake(void *context)
{
    atomic_fetch_add((_Atomic int *)context, 1);
}

static uint64_t post(struct worker *worker, const char *text, float tau, bool baseline)
{
    struct decode_job job = {.target = {&translator, 0},
                             .text = text,
                             .length = strlen(text),
                             .tau = tau,
                             .baseline = baseline,
                             .baseline_tau = 1};
    return worker_decode(worker, &job);
}

static void the_newest_job_wins(void **state)
{
    (void)state;
    _Atomic int wakes = 0;
    struct worker *worker = worker_create(count_wake, &wakes, NULL);
    assert_non_null(worker);
    uint64_t last = 0;
    struct alignment *newest = NULL, *held[64];
    int n_held = 0;
    for (int i = 0; i < 40; i++) {
        last = post(worker, sentences[i % 4], 1, false);
        struct worker_event event;
        while (worker_take(worker, &event)) {
            assert_int_equal(event.kind, EVENT_BEGAN);
            held[n_held++] = event.alignment;
        }
    }
    struct worker_event event = {0};
    while (event.generation != last) {
        worker_wait(worker, PATIENCE);
        while (worker_take(worker, &event)) {
            held[n_held++] = event.alignment;
            newest = event.alignment;
        }
    }
    assert_true(worker_wait(worker, PATIENCE));
    assert_int_equal(alignment_ended(newest), ENDED_EOS);
    assert_string_equal(newest->text, sentences[3]);
    assert_true(atomic_load(&wakes) > 0);
    worker_destroy(worker);
    for (int i = 0; i < n_held; i++) {
        assert_int_not_equal(alignment_ended(held[i]), ENDED_NOT);
        alignment_destroy(held[i]);
    }
}

static void rows_can_be_read_while_they_are_written(void **state)
{
    (void)state;
    _Atomic int wakes = 0;
    struct worker *worker = worker_create(count_wake, &wakes, NULL);
    post(worker, sentences[1], 1, false);
    struct worker_event event;
    while (!worker_take(worker, &event))
        sched_yield();
    const struct alignment *alignment = event.alignment;
    int rows = 0;
    while (alignment_ended(alignment) == ENDED_NOT) {
        for (; rows < alignment_rows(alignment); rows++) {
            float sum = 0;
            for (int s = 0; s < alignment->n_src; s++)
                sum += alignment->alpha[rows * alignment->n_src + s];
            assert_true(sum > 0.999f && sum < 1.001f);
            assert_non_null(alignment->target[rows].text);
        }
        sched_yield();
    }
    assert_true(alignment_rows(alignment) >= rows);
    worker_destroy(worker);
    alignment_destroy(event.alignment);
}

// Another τ, the same without the edits, and an own target, which has no edits either.
static void rivals_follow_in_order(void **state)
{
    (void)state;
    struct error err;
    _Atomic int wakes = 0;
    struct worker *worker = worker_create(count_wake, &wakes, NULL);
    struct edits edits = {0};
    struct edit hard = edit_make(EDIT_HARD, EDIT_ALL, EDIT_ALL, 1);
    assert_true(edits_add(&edits, &hard, &err));
    struct decode_job job = {
        .target = {&translator, 0},
        .rivals = {{.id = 7, .tau = 0.5f, .edited = true},
                   {.id = 5, .tau = 1},
                   {.id = 9, .tau = 1, .target = {&translator, 1}, .edited = true}},
        .n_rivals = 3,
        .text = sentences[3],
        .length = strlen(sentences[3]),
        .tau = 1,
        .edits = edits_create(&edits, &err)};
    edits_finish(&edits);
    worker_decode(worker, &job);
    assert_true(worker_wait(worker, PATIENCE));
    static const struct {
        enum worker_event_kind kind;
        unsigned id;
        float tau;
        bool edited;
    } wanted[] = {{EVENT_BEGAN, 0, 1, true},
                  {EVENT_RIVAL, 7, 0.5f, true},
                  {EVENT_RIVAL, 5, 1, false},
                  {EVENT_RIVAL, 9, 1, false}};
    for (int i = 0; i < 4; i++) {
        struct worker_event event;
        assert_true(worker_take(worker, &event));
        assert_int_equal(event.kind, wanted[i].kind);
        assert_int_equal(event.rival, wanted[i].id);
        assert_true(event.alignment->tau == wanted[i].tau);
        assert_int_equal(event.alignment->edited, wanted[i].edited);
        assert_int_equal(alignment_ended(event.alignment), ENDED_EOS);
        alignment_destroy(event.alignment);
    }
    worker_destroy(worker);
}

// The worker looks at nothing that has ended: here it is freed at once.
static void what_has_ended_is_the_takers_alone(void **state)
{
    (void)state;
    _Atomic int wakes = 0;
    struct worker *worker = worker_create(count_wake, &wakes, NULL);
    for (int i = 0; i < 60; i++) {
        struct worker_event event;
        post(worker, i % 3 ? "" : sentences[2], 1, false);
        while (!worker_take(worker, &event))
            sched_yield();
        while (alignment_ended(event.alignment) == ENDED_NOT)
            sched_yield();
        alignment_destroy(event.alignment);
    }
    worker_destroy(worker);
}

static void a_baseline_comes_first(void **state)
{
    (void)state;
    _Atomic int wakes = 0;
    struct worker *worker = worker_create(count_wake, &wakes, NULL);
    post(worker, sentences[3], 3, true);
    assert_true(worker_wait(worker, PATIENCE));
    struct worker_event first, second;
    assert_true(worker_take(worker, &first));
    assert_true(worker_take(worker, &second));
    assert_int_equal(first.kind, EVENT_BASELINE);
    assert_true(first.alignment->tau == 1);
    assert_int_equal(second.kind, EVENT_BEGAN);
    assert_true(second.alignment->tau == 3);
    worker_destroy(worker);
    alignment_destroy(first.alignment);
    alignment_destroy(second.alignment);
}

static void models_open_or_say_why_not(void **state)
{
    (void)state;
    _Atomic int wakes = 0;
    struct worker *worker = worker_create(count_wake, &wakes, NULL);
    assert_true(worker_open(worker, "/nowhere/at-all"));
    assert_true(worker_open(worker, model));
    assert_true(worker_wait(worker, PATIENCE));
    struct worker_event event;
    assert_true(worker_take(worker, &event));
    assert_int_equal(event.kind, EVENT_OPENED);
    assert_null(event.model);
    assert_non_null(strstr(event.error.text, "/nowhere/at-all"));
    assert_true(worker_take(worker, &event));
    assert_non_null(event.model);
    model_dir_close(event.model);
    worker_destroy(worker);
}

static void stopping_in_the_middle_leaves_nothing(void **state)
{
    (void)state;
    _Atomic int wakes = 0;
    for (int i = 0; i < 12; i++) {
        struct worker *worker = worker_create(count_wake, &wakes, NULL);
        assert_non_null(worker);
        worker_open(worker, model);
        post(worker, sentences[i % 4], 1, i % 2);
        worker_wait(worker, i);
        worker_destroy(worker);
    }
    worker_destroy(NULL);
}

struct taken { // to be freed when the worker is gone
    struct alignment *at[32];
    int count;
};

// Begins a sentence in a slot, with a rival that may use another, and says whether the
// session there had to encode it.
static bool encodes(struct worker *worker, const char *text, int slot, int rival,
                    struct taken *taken)
{
    struct decode_job job = {.target = {&translator, slot},
                             .rivals = {{.tau = 1, .target = {&translator, rival}}},
                             .n_rivals = rival >= 0,
                             .text = text,
                             .length = strlen(text),
                             .tau = 1};
    struct worker_event event = {0};
    uint64_t generation = worker_decode(worker, &job);
    while (event.generation != generation) { // else it is a rival of the job before
        while (!worker_take(worker, &event))
            worker_wait(worker, 1);
        taken->at[taken->count++] = event.alignment;
    }
    assert_int_equal(event.kind, EVENT_BEGAN);
    return event.alignment->encode_us > 0;
}

// It keeps its last sentence, to be there at once, unless that takes much memory.
static void a_model_that_is_not_shown_keeps_little(void **state)
{
    (void)state;
    enum { NOBODY = -1, STEPS = 9 };
    static char much[TEXT_MAX_BYTES];
    static const struct {
        const char *text;
        int slot, rival;
        bool encoded;
    } steps[STEPS] = {
        {"No.", 0, NOBODY, true}, {"No.", 1, NOBODY, true}, {"No.", 0, NOBODY, false},
        {much, 0, NOBODY, true},  {much, 0, NOBODY, false}, {much, 1, 0, true},
        {much, 0, 1, false},      {"No.", 1, NOBODY, true}, {much, 0, NOBODY, true},
    };
    for (int i = 0; i < 90; i++)
        strcat(much, "The black cat sleeps. ");
    _Atomic int wakes = 0;
    struct taken taken = {.count = 0};
    struct worker *worker = worker_create(count_wake, &wakes, NULL);
    assert_non_null(worker);
    for (int i = 0; i < STEPS; i++)
        assert_int_equal(
            encodes(worker, steps[i].text, steps[i].slot, steps[i].rival, &taken),
            steps[i].encoded);
    worker_destroy(worker);
    while (taken.count > 0)
        alignment_destroy(taken.at[--taken.count]);
}

struct counted { // a task that counts what becomes of it
    struct worker_task task;
    _Atomic int *ran, *gone;
};

static void run_counted(struct worker_task *task)
{
    atomic_fetch_add(((struct counted *)task)->ran, 1);
}

static void destroy_counted(struct worker_task *task)
{
    atomic_fetch_add(((struct counted *)task)->gone, 1);
}

static void of_many_tasks_the_newest_runs(void **state)
{
    (void)state;
    enum { TASKS = 20 };
    _Atomic int wakes = 0, ran = 0, gone = 0;
    struct counted tasks[TASKS + 1];
    struct worker *worker = worker_create(count_wake, &wakes, NULL);
    assert_non_null(worker);
    for (int i = 0; i <= TASKS; i++)
        tasks[i] = (struct counted){{run_counted, destroy_counted}, &ran, &gone};
    for (int i = 0; i < TASKS; i++)
        worker_compute(worker, &tasks[i].task);
    const struct worker_task *last = NULL;
    int taken = 0;
    while (last != &tasks[TASKS - 1].task) {
        struct worker_event event;
        worker_wait(worker, PATIENCE);
        for (; worker_take(worker, &event); taken++) {
            assert_int_equal(event.kind, EVENT_TASK);
            last = event.task;
        }
    }
    assert_int_equal(atomic_load(&ran), taken);
    assert_int_equal(atomic_load(&gone), TASKS - taken); // the taker's are not
    worker_compute(worker, &tasks[TASKS].task);
    worker_destroy(worker);
    assert_int_equal(atomic_load(&gone), TASKS - taken + 1);
}

struct asking { // at the first wake, which is in the middle of a decoding
    struct worker *_Atomic worker;
    struct counted counted;
};

static void ask(void *context)
{
    struct asking *asking = context;
    struct worker *worker = atomic_exchange(&asking->worker, NULL);
    if (worker)
        worker_compute(worker, &asking->counted.task);
}

// The rival behind the long sentence would come first, if the task waited for its end.
static void a_task_does_not_wait_for_a_decoding(void **state)
{
    (void)state;
    static char much[TEXT_MAX_BYTES];
    _Atomic int ran = 0, gone = 0;
    struct asking asking = {NULL, {{run_counted, destroy_counted}, &ran, &gone}};
    struct worker *worker = worker_create(ask, &asking, NULL);
    struct worker_event event = {0};
    struct taken taken = {.count = 0};
    assert_non_null(worker);
    atomic_store(&asking.worker, worker);
    for (int i = 0; i < 6; i++)
        strcat(much, sentences[1]);
    struct decode_job job = {.target = {&translator, 0},
                             .rivals = {{.tau = 1}},
                             .n_rivals = 1,
                             .text = much,
                             .length = strlen(much),
                             .tau = 1};
    worker_decode(worker, &job);
    while (event.kind != EVENT_TASK) {
        while (!worker_take(worker, &event))
            worker_wait(worker, 1);
        if (event.kind != EVENT_TASK)
            taken.at[taken.count++] = event.alignment;
    }
    assert_int_equal(taken.count, 1);
    assert_int_equal(atomic_load(&ran), 1);
    worker_destroy(worker);
    while (taken.count > 0)
        alignment_destroy(taken.at[--taken.count]);
}

static void a_full_ring_waits_for_the_taker(void **state)
{
    (void)state;
    _Atomic int wakes = 0;
    struct worker *worker = worker_create(count_wake, &wakes, NULL);
    for (int i = 0; i < 8; i++)
        assert_true(worker_open(worker, "/nowhere"));
    int opened = 0, refused = 0;
    for (int i = 0; i < 40; i++) {
        if (!worker_open(worker, "/nowhere"))
            refused++;
        worker_wait(worker, 5);
    }
    struct worker_event event;
    while (!worker_wait(worker, 5) || worker_take(worker, &event))
        while (worker_take(worker, &event))
            opened++;
    assert_true(refused > 0);
    assert_true(opened >= 16);
    worker_destroy(worker);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_newest_job_wins),
        cmocka_unit_test(rows_can_be_read_while_they_are_written),
        cmocka_unit_test(rivals_follow_in_order),
        cmocka_unit_test(what_has_ended_is_the_takers_alone),
        cmocka_unit_test(a_baseline_comes_first),
        cmocka_unit_test(models_open_or_say_why_not),
        cmocka_unit_test(stopping_in_the_middle_leaves_nothing),
        cmocka_unit_test(a_model_that_is_not_shown_keeps_little),
        cmocka_unit_test(of_many_tasks_the_newest_runs),
        cmocka_unit_test(a_task_does_not_wait_for_a_decoding),
        cmocka_unit_test(a_full_ring_waits_for_the_taker),
    };
    return cmocka_run_group_tests_name("worker", tests, open_model, close_model);
}
