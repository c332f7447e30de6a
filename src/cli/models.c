// SPDX-License-Identifier: MIT
// `alphascope models`: what is bundled, under the names of the papers.
#include "cli/cli.h"

#include "cli/options.h"
#include "cli/pick.h"
#include "cli/print.h"
#include "cli/print_options.h"
#include "cli/show.h"
#include "engine/naming.h"
#include "formats/write.h"

enum { MODELS_OUT_BYTES = 4 << 20 };

// Weights alone, from the config: no file is opened.
static uint64_t parameters(const struct model_config *config)
{
    struct network network = {.config = *config};
    struct tensor_slot slots[MODEL_MAX_TENSORS];
    int n = network_slots(&network, slots);
    uint64_t total = 0;
    for (int i = 0; i < n; i++)
        total += (uint64_t)slots[i].rows * (uint64_t)slots[i].cols;
    return total;
}

// Paper's name and languages as the window shows them.
static void names(const struct model_listing *model, const char **name, char *languages,
                  size_t size)
{
    struct model_dir dir = {0};
    dir.network.config = model->config;
    *name = model_dir_name(&dir);
    model_dir_languages(&dir, languages, size);
}

static void table_row(struct buf *out, const struct model_listing *model)
{
    char languages[128];
    const char *name = NULL;
    names(model, &name, languages, sizeof languages);
    show_text(out, model->id, 20);
    buf_add(out, "  ");
    show_text(out, name, 19);
    buf_add(out, "  ");
    show_text(out, fact_word(FACT_SCORE, (int)model->config.score), 10);
    buf_add(out, "  ");
    show_text(out, languages, 18);
    show_number(out, parameters(&model->config), 10);
    buf_add(out, "  ");
    show_text(out, model->path, 0);
    buf_add(out, "\n");
}

static void table(struct buf *out, const struct bundle *bundle)
{
    buf_add(out,
            "id                    model                score       languages         "
            "parameters  path\n");
    for (int i = 0; i < bundle->count; i++)
        table_row(out, &bundle->models[i]);
}

static void object(struct buf *out, const struct model_listing *model)
{
    char languages[128];
    const char *name = NULL;
    names(model, &name, languages, sizeof languages);
    buf_add(out, "{\"id\":");
    write_string(out, model->id);
    buf_add(out, ",\"name\":");
    write_string(out, name);
    buf_add(out, ",\"score\":");
    write_string(out, fact_word(FACT_SCORE, (int)model->config.score));
    buf_add(out, ",\"paper\":");
    write_string(out, model_naming(&model->config).paper);
    buf_add(out, ",\"languages\":");
    write_string(out, languages);
    buf_printf(out, ",\"parameters\":%llu,\"path\":",
               (unsigned long long)parameters(&model->config));
    write_string(out, model->path);
    buf_add(out, "}\n");
}

static int print(const struct bundle *bundle, bool json)
{
    struct error err = {0};
    struct buf out;
    buf_init(&out, MODELS_OUT_BYTES);
    if (!json)
        table(&out, bundle);
    for (int i = 0; json && i < bundle->count; i++)
        object(&out, &bundle->models[i]);
    bool made = !out.failed || fail_nomem(&err, "the list of models");
    return print_end("models", NULL, &out, made, &err);
}

static int list(bool json)
{
    struct error err = {0};
    struct arena arena;
    struct bundle bundle = {0};
    arena_init(&arena, 1 << 20);
    bool ok = bundle_read(&bundle, &arena, &err);
    if (ok && !bundle.count)
        ok = fail_with(&err, ERR_IO, "%s: holds no model", bundle.root);
    int code = ok ? print(&bundle, json) : say_error("models", &err);
    if (bundle.broken)
        say("models", "%s: %d %s no readable config.json", bundle.root, bundle.broken,
            bundle.broken == 1 ? "directory has" : "directories have");
    arena_finish(&arena);
    return code;
}

int cli_models(int argc, char **argv)
{
    struct models_options options;
    int code;
    bool read = models_options_read(&options, argc, argv);
    return print_begin(read, options.help, &code) ? list(options.json) : code;
}
