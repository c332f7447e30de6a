// SPDX-License-Identifier: MIT
// formats/model_dir: good models open, and each way in which a directory can be wrong is
// one sentence that names the file and what is wrong in it. Every case starts from a copy
// of a tiny model and spoils one thing.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <limits.h>

#include "formats/config.h"
#include "spoilt_model.h"
#include "translate/translator.h"

static void every_tiny_model_opens(void **state)
{
    static const struct {
        const char *id, *name;
        enum dtype type;
    } rows[] = {
        {"tiny-additive-f32", "RNNsearch", DTYPE_F32},
        {"tiny-concat-f16", "Luong concat", DTYPE_F16},
        {"tiny-general-bf16", "Luong general", DTYPE_BF16},
        {"tiny-dot-f32", "Luong dot", DTYPE_F32},
        {"tiny-none-bf16", "RNNencdec", DTYPE_BF16},
    };
    char path[4200], languages[64];
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct error err = {0};
        snprintf(path, sizeof path, "%s/golden/models/%s", ALPHASCOPE_TESTS, rows[i].id);
        struct model_dir *dir = model_dir_open(path, &err);
        if (!dir)
            fail_msg("%s", err.text);
        assert_string_equal(dir->id, rows[i].id);
        assert_string_equal(dir->path, path);
        assert_string_equal(model_dir_name(dir), rows[i].name);
        assert_int_equal(dir->network.out_bias.type, rows[i].type);
        // In place: the weights are read from the snapshot.
        const unsigned char *data = dir->network.out_bias.data;
        assert_true(data > dir->weights.bytes.data &&
                    data < dir->weights.bytes.data + dir->weights.bytes.size);
        model_dir_languages(dir, languages, sizeof languages);
        assert_string_equal(languages, "English → French");
        model_dir_close(dir);
    }
    model_dir_close(NULL);
}

static void a_model_opens_by_any_of_its_paths(void **state)
{
    struct model model;
    char path[256], here[PATH_MAX];
    (void)state;
    model_read(&model, "tiny-dot-f32");
    model_write(&model);
    check_opens(model.path, "spoilt");
    snprintf(path, sizeof path, "%s///", model.path);
    check_opens(path, "spoilt");
    snprintf(path, sizeof path, "%s/config.json", model.path);
    check_opens(path, "spoilt");
    snprintf(path, sizeof path, "%s/model.safetensors", model.path);
    check_opens(path, "spoilt");
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(chdir(model.path), 0);
    check_opens(".", "spoilt");
    check_opens("config.json", "spoilt");
    check_opens("./model.safetensors", "spoilt");
    assert_int_equal(chdir(here), 0);
    model_free(&model);
}

static void a_weight_file_of_another_name_is_taken(void **state)
{
    struct model model;
    char from[256], to[256];
    (void)state;
    model_read(&model, "tiny-dot-f32");
    model_write(&model);
    snprintf(from, sizeof from, "%s/model.safetensors", model.path);
    snprintf(to, sizeof to, "%s/epoch7.safetensors", model.path);
    assert_int_equal(rename(from, to), 0);
    check_opens(to, "spoilt");
    must_say(model.path, "model.safetensors", "cannot be opened");
    unlink(to);
    model_free(&model);
}

static void what_is_no_model_is_said(void **state)
{
    char path[5000], other[256];
    struct error err;
    (void)state;
    snprintf(other, sizeof other, "%s/nowhere", root);
    must_say(other, "nowhere", "no such file or directory");
    must_say("", "", "no such file or directory");
    must_say(root, "config.json", "cannot be opened");
    snprintf(other, sizeof other, "%s/picture.png", root);
    assert_true(file_write(other, "x", 1, &err));
    must_say(other, "picture.png", "is not a model");
    unlink(other);
    memset(path, 'a', sizeof path);
    path[4999] = '\0';
    must_say(path, "aaa", "too long");
}

static void missing_and_damaged_files_are_named(void **state)
{
    static const char lfs[] = "version https://git-lfs.github.com/spec/v1\noid sha256:0a";
    struct model model;
    (void)state;
    for (int part = 0; part < PARTS; part++) {
        model_read(&model, "tiny-concat-f16");
        buf_finish(&model.files[part]);
        model_must_say(&model, part, "cannot be opened");
        model_read(&model, "tiny-concat-f16");
        set_text(&model.files[part], "", 0);
        model_must_say(&model, part, "is empty");
        model_read(&model, "tiny-concat-f16");
        model.files[part].length /= 2;
        model_must_say(&model, part, "");
        model_read(&model, "tiny-concat-f16");
        set_text(&model.files[part], "\0\x01\xfftrash", 8);
        model_must_say(&model, part, "");
        model_read(&model, "tiny-concat-f16");
        set_text(&model.files[part], lfs, sizeof lfs - 1);
        model_must_say(&model, part, "git-lfs");
    }
}

static void weights_that_are_cut_or_too_long_are_refused(void **state)
{
    struct model model;
    (void)state;
    model_read(&model, "tiny-concat-f16");
    model.files[WEIGHTS].length -= 2;
    model_must_say(&model, WEIGHTS, "do not lie in");
    model_read(&model, "tiny-concat-f16");
    buf_append(&model.files[WEIGHTS], "\0\0", 2);
    model_must_say(&model, WEIGHTS, "2 bytes follow the last tensor");
    model_read(&model, "tiny-concat-f16");
    set_text(&model.files[WEIGHTS], "\x17\0\0\0\0\0\0\0{\"__metadata__\":{\"a\":\"\"}}",
             33);
    model.files[WEIGHTS].data[0] = 25;
    model_must_say(&model, WEIGHTS, "holds no tensors, only a header");
}

// The header's text of one tensor, with its shape as the tiny concat model has it.
static void tensors_must_be_what_the_config_says(void **state)
{
    static const struct {
        const char *old, *new, *expected;
    } rows[] = {
        {"\"bridge.bias\"", "\"bridge.bios\"", "tensor 'bridge.bias' is missing"},
        {"\"attention.v.weight\"", "\"attention.V.weight\"",
         "tensor 'attention.v.weight' is missing, config.json expects it as 1x13"},
        {"\"shape\":[1,13]", "\"shape\":[13]",
         "tensor 'attention.v.weight' is 13, config.json expects 1x13"},
        {"\"shape\":[1,13]", "\"shape\":[13,1]",
         "tensor 'attention.v.weight' is 13x1, config.json expects 1x13"},
        {"\"shape\":[1,13]", "\"shape\":[1,1,13]",
         "tensor 'attention.v.weight' is 1x1x13, config.json expects 1x13"},
        {"\"shape\":[13,20]", "\"shape\":[20,13]",
         "tensor 'attention.query.weight' is 20x13, config.json expects 13x20"},
        {"{\"dtype\":\"F16\",\"shape\":[1,13]", "{\"dtype\":\"I16\",\"shape\":[1,13]",
         "tensor 'attention.v.weight' has the dtype I16, expected F32, F16 or BF16"},
        {"{\"dtype\":\"F16\",\"shape\":[13]", "{\"dtype\":\"U16\",\"shape\":[13]",
         "tensor 'attention.key.bias' has the dtype U16"},
        {"{\"dtype\":\"F16\",\"shape\":[1,13]", "{\"dtype\":\"F33\",\"shape\":[1,13]",
         "tensor 'attention.v.weight': its dtype is 'F33'"},
        {"{\"dtype\":\"F16\",\"shape\":[1,13]", "{\"dtype\":\"I64\",\"shape\":[1,13]",
         "tensor 'attention.v.weight': its shape and dtype need 104 bytes"},
        {"{\"attention",
         "{\"extra\":{\"dtype\":\"F16\",\"shape\":[0],\"data_offsets\":[0,"
         "0]},\"attention",
         "tensor 'extra' is left over, config.json has no use for it"},
    };
    struct model model;
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        model_read(&model, "tiny-concat-f16");
        replace(&model, WEIGHTS, rows[i].old, rows[i].new);
        model_must_say(&model, WEIGHTS, rows[i].expected);
    }
}

static void every_missing_tensor_is_named(void **state)
{
    struct model model;
    struct network network = {0};
    struct tensor_slot slots[MODEL_MAX_TENSORS];
    char old[64], new[64], expected[96];
    struct error err;
    (void)state;
    model_read(&model, "tiny-concat-f16");
    assert_true(config_parse(&network.config, model.files[CONFIG].data,
                             model.files[CONFIG].length, "x", &err));
    model_free(&model);
    int count = network_slots(&network, slots);
    assert_int_equal(count, 23);
    for (int i = 0; i < count; i++) {
        snprintf(old, sizeof old, "\"%.39s\"", slots[i].name);
        snprintf(new, sizeof new, "\"?%.38s\"", slots[i].name + 1);
        snprintf(expected, sizeof expected, "tensor '%.39s' is missing", slots[i].name);
        model_read(&model, "tiny-concat-f16");
        replace(&model, WEIGHTS, old, new);
        model_must_say(&model, WEIGHTS, expected);
    }
}

static void weights_of_another_scorer_are_left_over(void **state)
{
    struct model model;
    (void)state;
    model_read(&model, "tiny-concat-f16");
    replace(&model, CONFIG, "\"concat\"", "\"dot\"");
    replace(&model, CONFIG, "\"decoder_hidden\": 20", "\"decoder_hidden\": 24");
    model_must_say(&model, WEIGHTS, "expects 24x24");
    model_read(&model, "tiny-dot-f32");
    replace(&model, CONFIG, "\"dot\"", "\"general\"");
    model_must_say(&model, WEIGHTS, "tensor 'attention.key.weight' is missing");
}

// Infinities and NaNs of each format as the last value of the file, which belongs to
// tgt_embed.weight.
static void weights_that_are_no_numbers_are_refused(void **state)
{
    static const struct {
        const char *model, *bytes;
        size_t size;
    } rows[] = {
        {"tiny-concat-f16", "\x00\x7c", 2},       {"tiny-concat-f16", "\x01\xfe", 2},
        {"tiny-general-bf16", "\x80\x7f", 2},     {"tiny-general-bf16", "\xc0\xff", 2},
        {"tiny-dot-f32", "\0\0\x80\xff", 4},      {"tiny-dot-f32", "\1\0\x80\x7f", 4},
        {"tiny-additive-f32", "\0\0\xc0\x7f", 4},
    };
    struct model model;
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        model_read(&model, rows[i].model);
        struct buf *weights = &model.files[WEIGHTS];
        memcpy(weights->data + weights->length - rows[i].size, rows[i].bytes,
               rows[i].size);
        model_must_say(&model, WEIGHTS,
                       "tensor 'tgt_embed.weight' holds a value that is not a finite "
                       "number, at index");
    }
}

static void tokenizers_must_fit_the_config(void **state)
{
    struct model model;
    (void)state;
    model_read(&model, "tiny-concat-f16");
    replace(&model, CONFIG, "\"source_vocab\": 101", "\"source_vocab\": 99");
    model_must_say(&model, SOURCE,
                   "has 101 pieces, config.json's field 'source_vocab' is 99");
    model_read(&model, "tiny-concat-f16");
    replace(&model, CONFIG, "\"target_vocab\": 1", "\"target_vocab\": 2");
    model_must_say(&model, TARGET, "config.json's field 'target_vocab' is 2");
    model_read(&model, "tiny-concat-f16");
    replace(&model, CONFIG, "\"pad\": 0", "\"pad\": 5");
    model_must_say(&model, SOURCE, "pad id is 0, config.json's field 'pad' is 5");
    model_read(&model, "tiny-concat-f16");
    replace(&model, CONFIG, "\"eos\": 2", "\"eos\": 7");
    model_must_say(&model, SOURCE, "eos id is 2, config.json's field 'eos' is 7");
}

static void a_name_that_is_no_text_is_cleaned(void **state)
{
    char id[128];
    (void)state;
    model_dir_id("models/caf\xe9\n/", id, sizeof id);
    assert_string_equal(id, "caf\xef\xbf\xbd ");
    model_dir_id("/", id, sizeof id);
    assert_string_equal(id, "/");
}

static void models_are_listed_in_order(void **state)
{
    static struct model_listing out[MODEL_LISTING_MAX];
    static const char *const order[] = {"tiny-additive-f32", "tiny-dot-f32",
                                        "tiny-general-bf16", "tiny-concat-f16",
                                        "tiny-none-bf16"};
    char path[4200];
    int broken = -1, at = 0;
    (void)state;
    snprintf(path, sizeof path, "%s/golden/models", ALPHASCOPE_TESTS);
    int count = model_dir_list(path, out, &broken);
    assert_int_equal(broken, 0);
    for (int i = 0; i < count; i++) {
        if (at < 5 && !strcmp(out[i].id, order[at]))
            at++;
        if (i == 0)
            continue;
        enum score one = out[i - 1].config.score, next = out[i].config.score;
        assert_true(one < next || (one == next && strcmp(out[i - 1].id, out[i].id) < 0));
    }
    assert_int_equal(at, 5);
    assert_int_equal(model_dir_list("/nowhere/at/all", out, &broken), 0);
    assert_int_equal(model_dir_list(path, out, NULL), count);
}

static void broken_models_are_counted(void **state)
{
    static struct model_listing out[MODEL_LISTING_MAX];
    struct model model;
    int broken;
    (void)state;
    model_read(&model, "tiny-concat-f16");
    model_write(&model);
    assert_int_equal(model_dir_list(root, out, &broken), 1);
    assert_int_equal(broken, 0);
    assert_string_equal(out[0].path, model.path);
    set_text(&model.files[CONFIG], "{}", 2);
    model_write(&model);
    assert_int_equal(model_dir_list(root, out, &broken), 0);
    assert_int_equal(broken, 1);
    model_free(&model);
}

static void data_are_found(void **state)
{
    const char *was = getenv("ALPHASCOPE_DATA");
    char out[4096], kept[4096], expected[4096];
    (void)state;
    snprintf(kept, sizeof kept, "%s", was ? was : "");
    snprintf(expected, sizeof expected, "%s/models", root);
    assert_int_equal(setenv("ALPHASCOPE_DATA", root, 1), 0);
    // Not there: the source tree has it.
    assert_true(data_path("models", out, sizeof out));
    assert_string_not_equal(out, expected);
    assert_true(file_is_directory(out));
    mkdir(expected, 0755);
    assert_true(data_path("models", out, sizeof out));
    assert_string_equal(out, expected);
    rmdir(expected);
    assert_false(data_path("no such thing", out, sizeof out));
    assert_false(data_path("models", out, 4));
    if (was)
        setenv("ALPHASCOPE_DATA", kept, 1);
    else
        unsetenv("ALPHASCOPE_DATA");
}

static struct alignment *translated(struct session *session, const char *text)
{
    struct error err = {0};
    struct alignment *alignment =
        session_run(session, text, strlen(text), run_at(1), &err);
    if (!alignment)
        fail_msg("%s", err.text);
    return alignment;
}

static struct session *session_of(const struct model_dir *dir)
{
    const struct translator translator = {dir->id, &dir->network, dir->source,
                                          dir->target};
    struct session *session = session_create(&translator, NULL);
    assert_non_null(session);
    return session;
}

// Of another text first, so that all is computed anew.
static void translated_again(struct session *session, const struct alignment *before)
{
    alignment_destroy(translated(session, "b"));
    struct alignment *after = translated(session, before->text);
    int rows = alignment_rows(before);
    size_t cells = (size_t)rows * (size_t)before->n_src;
    assert_int_equal(alignment_rows(after), rows);
    assert_int_equal(after->n_src, before->n_src);
    assert_memory_equal(after->score, before->score, cells * sizeof(float));
    assert_memory_equal(after->p, before->p, (size_t)rows * sizeof(float));
    assert_string_equal(after->translation, before->translation);
    alignment_destroy(after);
}

// Overwrites in place, as cp does: the file stays the same one.
static void overwrite(const char *path, const char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void an_open_model_is_not_its_files_any_more(void **state)
{
    static const struct {
        size_t size;
        char byte;
    } rewrites[] = {{0, 0}, {5000, 'x'}, {1 << 20, 0}};
    static char bytes[1 << 20];
    struct model model;
    char path[512];
    struct error err = {0};
    (void)state;
    model_read(&model, "tiny-additive-f32");
    model_write(&model);
    struct model_dir *dir = model_dir_open(model.path, &err);
    assert_non_null(dir);
    struct session *session = session_of(dir);
    struct alignment *before = translated(session, "ab");
    for (size_t i = 0; i < sizeof rewrites / sizeof *rewrites; i++) {
        memset(bytes, rewrites[i].byte, sizeof bytes);
        for (int part = 0; part < PARTS; part++) {
            assert_true(file_join(path, sizeof path, model.path, parts[part]));
            overwrite(path, bytes, rewrites[i].size);
        }
        translated_again(session, before);
    }
    alignment_destroy(before);
    session_destroy(session);
    model_dir_close(dir);
    model_free(&model);
}

// What the network was trained to read is what it reads.
static void a_source_has_its_end_where_the_model_has_it(void **state)
{
    static const char *const models[] = {"family-opennmt", "family-joeynmt"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        char path[4200];
        struct error err = {0};
        snprintf(path, sizeof path, "%s/golden/models/%s", ALPHASCOPE_TESTS, models[i]);
        struct model_dir *dir = model_dir_open(path, &err);
        if (!dir)
            fail_msg("%s", err.text);
        assert_int_equal(dir->network.config.source_eos, i);
        struct session *session = session_of(dir);
        struct alignment *alignment = translated(session, "we jump");
        assert_int_equal(alignment->n_src, 7 + i);
        assert_string_equal(alignment->source[6].text, "p");
        assert_int_equal(alignment->source[6 + i].special, i);
        alignment_destroy(alignment);
        alignment = translated(session, "");
        assert_int_equal(alignment->n_src, 0);
        alignment_destroy(alignment);
        session_destroy(session);
        model_dir_close(dir);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_open_model_is_not_its_files_any_more),
        cmocka_unit_test(every_tiny_model_opens),
        cmocka_unit_test(a_model_opens_by_any_of_its_paths),
        cmocka_unit_test(a_weight_file_of_another_name_is_taken),
        cmocka_unit_test(what_is_no_model_is_said),
        cmocka_unit_test(missing_and_damaged_files_are_named),
        cmocka_unit_test(weights_that_are_cut_or_too_long_are_refused),
        cmocka_unit_test(tensors_must_be_what_the_config_says),
        cmocka_unit_test(every_missing_tensor_is_named),
        cmocka_unit_test(weights_of_another_scorer_are_left_over),
        cmocka_unit_test(weights_that_are_no_numbers_are_refused),
        cmocka_unit_test(tokenizers_must_fit_the_config),
        cmocka_unit_test(a_name_that_is_no_text_is_cleaned),
        cmocka_unit_test(models_are_listed_in_order),
        cmocka_unit_test(a_source_has_its_end_where_the_model_has_it),
        cmocka_unit_test(broken_models_are_counted),
        cmocka_unit_test(data_are_found),
    };
    return cmocka_run_group_tests_name("model_dir", tests, make_root, remove_root);
}
