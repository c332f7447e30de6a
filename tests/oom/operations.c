// SPDX-License-Identifier: MIT
// See operations.h.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "operations.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "align/compare.h"
#include "align/difference.h"
#include "align/lens.h"
#include "base/file.h"
#include "formats/lexicon.h"
#include "formats/model_dir.h"
#include "formats/saved.h"
#include "formats/write.h"
#include "translate/beam.h"
#include "ui/draw.h"
#include "ui/textedit.h"

const char sentence[] = "The black cat sleeps.";
char folder[] = "/tmp/alphascope-oom-XXXXXX";
char scratch_path[4096];
static char model_path[4096];
struct model_dir *model;
static struct model_dir *small;     // for what is tried often
static struct alignment *alignment; // of the sentence

static bool read_file(struct error *err)
{
    struct buf text;
    char path[4200];
    buf_init(&text, 1 << 20);
    bool ok = file_join(path, sizeof path, model_path, "config.json") &&
              file_read(path, &text, err);
    buf_finish(&text);
    return ok;
}

static bool write_file(struct error *err)
{
    return file_write(scratch_path, sentence, sizeof sentence, err);
}

static bool open_model(struct error *err)
{
    struct model_dir *dir = model_dir_open(model_path, err);
    model_dir_close(dir);
    return dir != NULL;
}

static bool open_weights(struct error *err)
{
    struct safetensors file;
    char path[4200];
    if (!file_join(path, sizeof path, model_path, "model.safetensors") ||
        !safetensors_open(&file, path, err))
        return false;
    safetensors_close(&file);
    return true;
}

struct session *session_on(const struct model_dir *dir, struct error *err)
{
    struct translator translator = {dir->id, &dir->network, dir->source, dir->target};
    return session_create(&translator, err);
}

static bool translate(struct error *err)
{
    struct session *session = session_on(model, err);
    if (!session)
        return false;
    struct alignment *made =
        session_run(session, sentence, sizeof sentence - 1, run_at(1), err);
    bool ok = made && alignment_ended(made) == ENDED_EOS &&
              (!alignment || !strcmp(made->translation, alignment->translation));
    alignment_destroy(made);
    session_destroy(session);
    return ok;
}

// One text again and again, which asks for more rows; what failed is tried once more, and
// finds nothing half made.
static bool force_again(struct error *err)
{
    static const char *const targets[] = {
        "a",
        "a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a"};
    struct session *session = session_on(small, err);
    bool ok = session != NULL;
    if (ok)
        session_want_posterior(session, true);
    for (int i = 0; i < 2 && ok; i++) {
        struct alignment *made = NULL;
        for (int tries = 0; tries < 2 && !made; tries++)
            made = session_force(session, sentence, sizeof sentence - 1, targets[i],
                                 strlen(targets[i]), run_at(1), err);
        ok = made && alignment_ended(made) == ENDED_EOS && made->posterior;
        alignment_destroy(made);
    }
    session_destroy(session);
    return ok;
}

static bool translate_beam(struct error *err)
{
    const struct beam beam = {4, BEAM_LENGTH};
    struct session *session = session_on(small, err);
    struct nbest nbest = {0};
    if (!session)
        return false;
    bool made = session_beam(session, sentence, sizeof sentence - 1, run_at(1), &beam, 4,
                             &nbest, err);
    bool ok = made && nbest.n == 4;
    nbest_finish(&nbest);
    session_destroy(session);
    return ok;
}

// A MarianMT directory is opened, a sentence translated, one head looked at.
static bool translate_marian(struct error *err)
{
    const struct map_choice choice = {MAP_DECODER, 1, 1};
    struct model_dir *dir =
        model_dir_open(ALPHASCOPE_TESTS "/golden/transformers/marian-opus", err);
    if (!dir)
        return false;
    struct session *session = session_on(dir, err);
    struct alignment *made =
        session ? session_run(session, "we", 2, run_at(1), err) : NULL;
    struct alignment *view = made ? map_view(made, choice, err) : NULL;
    bool ok = view && view->n_src == alignment_rows(made);
    alignment_destroy(view);
    alignment_destroy(made);
    session_destroy(session);
    model_dir_close(dir);
    return ok;
}

// Edits with arrays of their own, words and memory in another order.
static bool translate_edited(struct error *err)
{
    static const int tokens[] = {7, 8};
    struct edits list = {0};
    struct edit word = edit_make(EDIT_WORD, 0, EDIT_ALL, 0);
    struct edit shuffle = edit_make(EDIT_SHUFFLE, EDIT_ALL, EDIT_ALL, 0);
    word.tokens = tokens;
    word.n_tokens = 2;
    shuffle.seed = 3;
    bool added = edits_add(&list, &word, err) && edits_add(&list, &shuffle, err);
    struct edits *edits = added ? edits_create(&list, err) : NULL;
    struct session *session = edits ? session_on(model, err) : NULL;
    struct alignment *made = NULL;
    if (session) {
        session_edit(session, edits);
        made = session_run(session, sentence, sizeof sentence - 1, run_at(1), err);
    }
    bool ok = made && made->order && made->target[1].id == 8;
    alignment_destroy(made);
    session_destroy(session);
    edits_destroy(edits);
    edits_finish(&list);
    return ok;
}

static bool write_with(bool (*write)(struct buf *, const struct reading *,
                                     struct error *),
                       struct error *err)
{
    struct buf out;
    struct reading reading = {
        .alignment = alignment,
        .alpha = alignment->alpha,
        .tau = 1,
        .mode = "re-decode",
        .name = "RNNsearch",
    };
    buf_init(&out, 1 << 20);
    bool ok = write(&out, &reading, err);
    buf_finish(&out);
    return ok;
}

static bool export_json(struct error *err)
{
    return write_with(write_json, err);
}

static bool export_tsv(struct error *err)
{
    return write_with(write_tsv, err);
}

static bool export_text(struct error *err)
{
    return write_with(write_text, err);
}

// These two say failure without words: the sentence is the caller's.
static bool without_words(bool ok, struct error *err)
{
    if (!ok)
        *err = (struct error){ERR_NOMEM, "out of memory"};
    return ok;
}

static bool export_pairs(struct error *err)
{
    return write_with(write_pharaoh, err) && write_with(write_soft, err);
}

// A session read, written over itself, and read again.
static bool save_session(struct error *err)
{
    static const char text[] =
        "{\"format\": \"alphascope-session\", \"version\": 1, \"text\": \"a\", "
        "\"model\": {\"id\": \"m\", \"size\": 7}, \"view\": [\"theme dark\"], "
        "\"more\": [1]}";
    static struct saved saved;
    struct buf out;
    buf_init(&out, 1 << 16);
    bool ok = saved_parse(&saved, text, sizeof text - 1, "s.alphascope", err) &&
              saved_write(&out, &saved, err) &&
              file_write(scratch_path, out.data, out.length, err);
    saved_finish(&saved);
    ok = ok && saved_read(&saved, scratch_path, err);
    if (ok)
        ok = saved.n_view == 1 && !strcmp(saved.kept, "\"more\": [1]");
    saved_finish(&saved);
    buf_finish(&out);
    return ok;
}

static bool make_list(struct error *err)
{
    struct draw_list list = {0};
    bool ok = draw_init(&list, 100, 1000);
    draw_finish(&list);
    return without_words(ok, err);
}

static bool make_editor(struct error *err)
{
    struct textedit *edit = textedit_create();
    textedit_destroy(edit);
    return without_words(edit != NULL, err);
}

static bool compare(struct error *err)
{
    bool changed[ALIGNMENT_MAX_TGT];
    struct alignment *other = alignment_create(1, 3, true, err);
    if (!other)
        return false;
    for (int t = 0; t < 3; t++)
        other->target[t].id = t + 1000;
    alignment_publish(other, 3);
    bool ok = compare_words(other, alignment, changed);
    alignment_destroy(other);
    return without_words(ok, err);
}

static bool look_through_a_lens(struct error *err)
{
    struct lens_options options = {LENS_SUM, true, 2, true};
    struct lens *lens = lens_create(alignment, alignment->alpha,
                                    alignment_rows(alignment), &options, err);
    lens_destroy(lens);
    return lens != NULL;
}

static bool subtract(struct error *err)
{
    struct lens_options options = {.merge = LENS_SUM};
    struct difference_side side = {alignment, alignment->alpha,
                                   alignment_rows(alignment)};
    struct difference *made = difference_create(&side, &side, &options, err);
    bool ok = made && made->rows.count == alignment_rows(made->shown);
    difference_destroy(made);
    return ok;
}

// The word list that fits the model, over its sentence.
static bool lay_a_lexicon(struct error *err)
{
    char path[4200];
    struct lexicon_over over;
    struct arena arena;
    struct lexicon *lexicon =
        lexicon_path("en-fr", path, sizeof path) ? lexicon_open(path, err) : NULL;
    arena_init(&arena, 1 << 20);
    bool ok = lexicon && lexicon_lay(lexicon, alignment, alignment->alpha,
                                     alignment_rows(alignment), &arena, &over, err);
    ok = ok && over.best[1] == 2; // chat: cat
    arena_finish(&arena);
    lexicon_close(lexicon);
    return ok;
}

const struct named_operation operations[OPERATIONS] = {
    {"read a file", read_file, true, true, false},
    {"write a file", write_file, false, true, false},
    {"open weights", open_weights, true, true, false},
    {"open a model", open_model, true, true, true},
    {"translate", translate, true, false, true},
    {"force one text again", force_again, true, false, true},
    {"translate with a beam", translate_beam, true, false, true},
    {"open a MarianMT and translate", translate_marian, true, false, true},
    {"translate with edits", translate_edited, true, false, true},
    {"export json", export_json, true, false, false},
    {"export tsv", export_tsv, true, false, false},
    {"export text", export_text, true, false, false},
    {"export pairs", export_pairs, true, false, false},
    {"save a session", save_session, true, true, false},
    {"make a draw list", make_list, true, false, false},
    {"make an editor", make_editor, true, false, false},
    {"compare words", compare, true, false, false},
    {"look through a lens", look_through_a_lens, true, false, false},
    {"subtract one alignment from another", subtract, true, false, false},
    {"lay a lexicon", lay_a_lexicon, true, true, false},
};
int operations_begin(void **state)
{
    (void)state;
    struct error err = {0};
    char models[4000];
    cJSON_Hooks hooks = {malloc, free};
    cJSON_InitHooks(&hooks);
    if (!data_path("models", models, sizeof models) ||
        !file_join(model_path, sizeof model_path, models, "en-fr-bahdanau") ||
        !mkdtemp(folder) || !file_join(scratch_path, sizeof scratch_path, folder, "file"))
        return -1;
    model = model_dir_open(model_path, &err);
    if (model)
        small = model_dir_open(ALPHASCOPE_TESTS "/golden/models/tiny-additive-f32", &err);
    if (!small) {
        print_error("%s\n", err.text);
        return -1;
    }
    struct session *session = session_on(model, &err);
    if (session)
        alignment = session_run(session, sentence, sizeof sentence - 1, run_at(1), &err);
    session_destroy(session);
    return alignment ? 0 : -1;
}

int operations_end(void **state)
{
    (void)state;
    alignment_destroy(alignment);
    model_dir_close(model);
    model_dir_close(small);
    unlink(scratch_path);
    return rmdir(folder);
}
