// SPDX-License-Identifier: MIT
// Sentences decoded together while memory fails: what has none beside the others waits
// until they have left, and is then what it would have been alone.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "faults.h"
#include "formats/model_dir.h"
#include "translate/crew.h"

enum { SENTENCES = 5, MOST_CALLS = 5000 };

static const char *const texts[SENTENCES] = {"a b c", "c", "b a b a b a", "", "a a"};

static struct list {
    int next, failed, done;
    char words[SENTENCES][512];
} list;

static bool next(void *context, struct task *task, bool wait)
{
    (void)context;
    (void)wait;
    if (list.next == SENTENCES)
        return false;
    task->owner = list.words[list.next];
    task->text = texts[list.next++];
    task->length = strlen(task->text);
    return true;
}

static void done(void *context, struct task *task)
{
    bool keeps = *(bool *)context;
    list.done++;
    list.failed += task->failed;
    if (!task->failed) {
        const char *words = task->nbest.at[0].alignment->translation;
        char *kept = task->owner;
        if (keeps)
            strncpy(kept, words, sizeof list.words[0] - 1);
        else if (strcmp(kept, words) != 0)
            fail_msg("'%s' became '%s'", kept, words);
    }
    nbest_finish(&task->nbest);
}

// False: the crew itself could not be made.
static bool run(const struct translator *translator, struct beam beam, bool keeps)
{
    const struct crew_orders orders = {.options = run_at(1), .beam = beam, .most = 1};
    const struct crew_work work = {next, done, &keeps};
    struct error err = {0};
    struct crew *crew = crew_create(translator, &orders, &err);
    list.next = list.failed = list.done = 0;
    if (crew)
        crew_run(crew, &work);
    assert_true(crew ? list.done == SENTENCES : err.text[0] != '\0');
    crew_destroy(crew);
    return crew != NULL;
}

// most: sentences that one failure may cost.
static void under_every_failure(const struct translator *translator, struct beam beam,
                                int most)
{
    int waited = 0;
    assert_true(run(translator, beam, true));
    assert_int_equal(list.failed, 0);
    bool happened = true;
    for (int n = 0; happened; n++) {
        assert_true(n < MOST_CALLS);
        faults_arm(FAULT_MEMORY, n, false);
        bool made = run(translator, beam, false);
        happened = faults_disarm();
        assert_true(!made || list.failed <= most);
        waited += made && happened && !list.failed;
    }
    assert_true(waited > 0);
}

static void a_sentence_without_memory_waits_for_the_others(void **state)
{
    under_every_failure(*state, (struct beam){0}, 0);
}

static void so_does_one_of_a_beam(void **state)
{
    under_every_failure(*state, (struct beam){3, 0.6f},
                        1); // its results need memory at the end
}

int main(void)
{
    struct error err = {0};
    struct model_dir *dir =
        model_dir_open(ALPHASCOPE_TESTS "/golden/models/tiny-additive-f32", &err);
    if (!dir)
        return 1;
    struct translator translator = {dir->id, &dir->network, dir->source, dir->target};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(a_sentence_without_memory_waits_for_the_others,
                                  &translator),
        cmocka_unit_test_prestate(so_does_one_of_a_beam, &translator),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    model_dir_close(dir);
    return failed;
}
