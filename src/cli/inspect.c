// SPDX-License-Identifier: MIT
// `alphascope inspect`: what a file or a model directory holds, and what it was taken
// for.
//
// What can be read is always printed, even of a file that is then refused: somebody who
// asks wants to know how far it got. The listing of a refused safetensors header goes
// through cJSON, which is lax; nothing but printing is done with it.
#include "cli/cli.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

#include "cli/inspect_transformer.h"
#include "cli/magic.h"
#include "cli/options.h"
#include "cli/pick.h"
#include "cli/print.h"
#include "cli/print_options.h"
#include "cli/show.h"
#include "cli/sink.h"
#include "engine/cells.h"
#include "engine/naming.h"

enum { INSPECT_OUT_BYTES = 64 << 20, INSPECT_JSON_BYTES = 16 << 20 };
enum { HEAD_BYTES = 8 + INSPECT_JSON_BYTES };

static void heading(struct buf *out, const char *path, const char *kind)
{
    show_text(out, path, 0);
    buf_printf(out, ": %s", kind);
}

// ---- tensors

static void tensor_head(struct buf *out, int name_columns)
{
    show_text(out, "tensor", name_columns);
    buf_add(out, "  dtype  shape                   bytes\n");
}

static void tensor_row_of(struct buf *out, const struct safetensors_entry *entry,
                          int name_columns)
{
    char shape[160] = "scalar";
    size_t used = 0;
    for (int i = 0; i < entry->rank; i++) {
        int n = snprintf(shape + used, sizeof shape - used, "%s%llu", i ? " x " : "",
                         (unsigned long long)entry->shape[i]);
        used += n > 0 ? (size_t)n : 0;
    }
    show_text(out, entry->name, name_columns);
    buf_add(out, "  ");
    show_text(out, entry->dtype, 5);
    buf_add(out, "  ");
    show_text(out, shape, 14);
    show_number(out, entry->bytes, 15);
    buf_add(out, "\n");
}

static int longest_name(const struct safetensors *file)
{
    size_t longest = strlen("tensor");
    for (int i = 0; i < file->count; i++) {
        size_t n = strlen(file->entries[i].name);
        longest = n > longest ? n : longest;
    }
    return (int)(longest < 60 ? longest : 60);
}

static uint64_t parameters(const struct safetensors *file)
{
    uint64_t total = 0;
    for (int i = 0; i < file->count; i++) {
        uint64_t count = 1;
        for (int d = 0; d < file->entries[i].rank; d++)
            count *= file->entries[i].shape[d];
        total += count;
    }
    return total;
}

static void totals(struct buf *out, const struct safetensors *file)
{
    show_number(out, parameters(file), 0);
    buf_printf(out, " parameters in %d tensors, ", file->count);
    show_number(out, file->bytes.size, 0);
    buf_add(out, " bytes");
}

static void list_tensors(struct buf *out, const struct safetensors *file)
{
    int columns = longest_name(file);
    buf_add(out, "\n");
    tensor_head(out, columns);
    for (int i = 0; i < file->count; i++)
        tensor_row_of(out, &file->entries[i], columns);
}

struct head { // of a file that may be of any size
    struct buf bytes;
    size_t size; // of the whole file
};

static bool head_read(struct head *head, const char *path, struct error *err)
{
    head->size = 0;
    buf_init(&head->bytes, HEAD_BYTES);
    return file_head(path, HEAD_BYTES, &head->bytes, &head->size, err);
}

// What a refused header says of itself.
static void list_claims(struct buf *out, const struct head *head)
{
    uint64_t length = 0;
    size_t known = head->bytes.length;
    for (int i = 7; known >= 8 && i >= 0; i--)
        length = length << 8 | (unsigned char)head->bytes.data[i];
    show_number(out, head->size, 0);
    buf_add(out, " bytes; the header claims ");
    show_number(out, length, 0);
    buf_add(out, "\n");
    if (known < 8 || length > known - 8)
        return;
    cJSON *header = cJSON_ParseWithLength(head->bytes.data + 8, (size_t)length);
    if (cJSON_IsObject(header)) {
        buf_add(out, "\nas the header has it, unchecked:\n");
        show_fields(out, header, "  ");
    }
    cJSON_Delete(header);
}

static bool inspect_safetensors(struct buf *out, const char *path,
                                const struct head *head, struct error *err)
{
    struct safetensors file = {0};
    bool ok = safetensors_open(&file, path, err);
    heading(out, path, ok ? "safetensors, " : "not valid safetensors, ");
    if (ok) {
        totals(out, &file);
        buf_add(out, "\n");
        list_tensors(out, &file);
    } else {
        list_claims(out, head);
    }
    safetensors_close(&file);
    return ok;
}

// ---- JSON

// The object in a file; NULL with *err when there is none. cJSON_Delete it.
static cJSON *read_object(const char *path, struct error *err)
{
    struct buf text;
    buf_init(&text, INSPECT_JSON_BYTES);
    cJSON *object = NULL;
    if (file_read(path, &text, err)) {
        object = cJSON_ParseWithLength(buf_text(&text), text.length);
        if (!cJSON_IsObject(object)) {
            bool pointer = file_is_lfs_pointer(buf_text(&text), text.length);
            fail_with(err, ERR_FORMAT, "%s: is %s", path,
                      pointer ? "a git-lfs pointer, not the file itself (fetch it with "
                                "'git lfs pull')"
                              : "not a JSON object");
            cJSON_Delete(object);
            object = NULL;
        }
    }
    buf_finish(&text);
    return object;
}

static bool inspect_object(struct buf *out, const char *path, const char *indent,
                           struct error *err)
{
    cJSON *object = read_object(path, err);
    if (!object)
        return false;
    show_fields(out, object, indent);
    cJSON_Delete(object);
    return true;
}

// ---- a model directory

static void fact(struct buf *out, const char *name)
{
    show_text(out, name, 14);
}

static void cell_line(struct buf *out, const char *name, enum cell_kind kind)
{
    const struct cell_facts *facts = cell_facts(kind);
    fact(out, name);
    buf_printf(out, "%s: %s (%s)\n", fact_word(FACT_CELL, (int)kind), facts->equations,
               facts->source);
}

static void cell_facts_of(struct buf *out, const struct model_config *config)
{
    bool alike = config->encoder_cell == config->decoder_cell;
    cell_line(out, alike ? "cells" : "encoder cell", config->encoder_cell);
    if (!alike)
        cell_line(out, "decoder cell", config->decoder_cell);
    if (config->second_cell != CELL_NONE)
        cell_line(out, "second cell", config->second_cell);
}

static void parts_line(struct buf *out, const struct parts *parts)
{
    for (int i = 0; i < parts->count; i++)
        buf_printf(out, "%s%s", i ? " ; " : "[", fact_word(FACT_PART, (int)parts->at[i]));
    buf_add(out, "]");
}

static void layer_facts(struct buf *out, const struct model_config *config)
{
    fact(out, "bridge");
    buf_printf(out, "%s of %s\n", fact_word(FACT_BRIDGE, (int)config->bridge),
               fact_word(FACT_SUMMARY, (int)config->summary));
    fact(out, "decoder reads");
    parts_line(out, &config->decoder_input);
    buf_add(out, "\n");
    fact(out, "readout");
    buf_printf(out, "%s of ", fact_word(FACT_READOUT, (int)config->readout));
    parts_line(out, &config->readout_input);
    buf_add(out, config->tied ? ", output tied to the target embedding\n" : "\n");
    if (config->coverage == COVERAGE_NONE)
        return;
    fact(out, "coverage");
    buf_printf(out, "%s\n", fact_word(FACT_COVERAGE, (int)config->coverage));
}

static void layers(struct buf *out, const char *name, int count, const char *directions,
                   int hidden)
{
    buf_printf(out, ", %s ", name);
    if (count > 1)
        buf_printf(out, "%d layers of ", count);
    buf_printf(out, "%s%d", directions, hidden);
}

static void widths(struct buf *out, const struct model_config *config)
{
    fact(out, "widths");
    buf_printf(out, "embedding %d", config->source_embedding);
    if (config->target_embedding != config->source_embedding)
        buf_printf(out, " and %d", config->target_embedding);
    layers(out, "encoder", config->encoder_layers, config->bidirectional ? "2 x " : "",
           config->encoder_hidden);
    layers(out, "decoder", config->decoder_layers, "", config->decoder_hidden);
    if (config->attention_hidden)
        buf_printf(out, ", attention %d", config->attention_hidden);
    buf_add(out, "\n");
}

static void recurrent_facts(struct buf *out, const struct model_config *config)
{
    static const char *const queries[QUERY_COUNT] = {
        [QUERY_PREVIOUS] = "previous state, s_{t-1}",
        [QUERY_BETWEEN] = "state between the two cells, s'_t",
        [QUERY_CURRENT] = "current state, s_t",
        [QUERY_NONE] = "none",
    };
    fact(out, "query");
    buf_printf(out, "%s\n", queries[config->query]);
    cell_facts_of(out, config);
    layer_facts(out, config);
    widths(out, config);
}

static void model_facts(struct buf *out, const struct model_dir *dir)
{
    const struct model_config *config = &dir->network.config;
    const struct naming naming = model_naming(config);
    char languages[128];
    model_dir_languages(dir, languages, sizeof languages);
    fact(out, "model");
    buf_printf(out, "%s (%s)\n", naming.name, naming.paper);
    fact(out, "languages");
    show_text(out, languages, 0);
    buf_add(out, "\n");
    fact(out, "score");
    buf_printf(out, "%s: %s\n", fact_word(FACT_SCORE, (int)config->score),
               naming.formula);
    if (config->family == FAMILY_TRANSFORMER)
        inspect_transformer(out, dir);
    else
        recurrent_facts(out, config);
    fact(out, "vocabulary");
    buf_printf(out, "source %d, target %d pieces\n", config->source_vocab,
               config->target_vocab);
    fact(out, "special ids");
    buf_printf(out, "pad %d, ", config->pad);
    if (config->bos >= 0)
        buf_printf(out, "bos %d, ", config->bos);
    buf_printf(out, "eos %d, unk %d\n", config->eos, config->unk);
}

static void model_files(struct buf *out, const struct model_dir *dir)
{
    const struct safetensors *weights = &dir->weights;
    fact(out, "weights");
    totals(out, weights);
    buf_printf(out, ", %s\n", weights->count ? weights->entries[0].dtype : "none");
    fact(out, "tokenizers");
    buf_printf(out, "SentencePiece, source %d, target %d pieces\n",
               tokenizer_size(dir->source), tokenizer_size(dir->target));
}

static bool file_of(char *out, size_t size, const char *directory, const char *name,
                    struct error *err)
{
    return file_join(out, size, directory, name) ||
           fail_with(err, ERR_LIMIT, "%s: the path is too long", directory);
}

// A model that does not open: the raw config, and how far the weights go.
static void broken_model(struct buf *out, const char *directory)
{
    char path[4096];
    struct safetensors weights = {0};
    struct head head;
    if (file_join(path, sizeof path, directory, "config.json") && file_exists(path)) {
        buf_add(out, "config.json\n");
        if (!inspect_object(out, path, "  ", NULL))
            buf_add(out, "  not a JSON object\n");
    }
    if (!file_join(path, sizeof path, directory, "model.safetensors"))
        return;
    if (head_read(&head, path, NULL)) {
        buf_add(out, "model.safetensors\n  ");
        if (safetensors_open(&weights, path, NULL)) {
            totals(out, &weights);
            buf_add(out, "\n");
        } else {
            list_claims(out, &head);
        }
        safetensors_close(&weights);
    }
    buf_finish(&head.bytes);
}

static bool inspect_report(struct buf *out, const char *directory, struct error *err)
{
    char path[4096];
    if (!file_of(path, sizeof path, directory, "report.json", err))
        return false;
    if (!file_exists(path))
        return true;
    buf_add(out, "report.json\n");
    return inspect_object(out, path, "  ", err);
}

static bool inspect_directory(struct buf *out, const char *directory, struct error *err)
{
    struct model_dir *dir = model_dir_open(directory, err);
    heading(out, directory,
            dir ? "a model directory\n\n" : "not a usable model directory\n\n");
    if (dir) {
        model_facts(out, dir);
        model_files(out, dir);
    } else {
        broken_model(out, directory);
    }
    bool ok = inspect_report(out, directory, dir ? err : NULL) && dir;
    model_dir_close(dir);
    return ok;
}

// ---- any file

static bool inspect_sentencepiece(struct buf *out, const char *path, struct error *err)
{
    struct tokenizer *tokenizer = tokenizer_open(path, err);
    heading(out, path, "a SentencePiece model");
    if (tokenizer) {
        struct tokenizer_specials ids = tokenizer_specials(tokenizer);
        buf_printf(out, ", %d pieces (pad %d, bos %d, eos %d, unk %d; -1 is none)",
                   tokenizer_size(tokenizer), ids.pad, ids.bos, ids.eos, ids.unk);
    }
    buf_add(out, "\n");
    tokenizer_close(tokenizer);
    return tokenizer != NULL;
}

// config.json stands for its directory.
static bool inspect_json(struct buf *out, const char *path, struct error *err)
{
    size_t n = 0;
    const char *base = file_basename(path, &n);
    if (n == strlen("config.json") && strncmp(base, "config.json", n) == 0) {
        char directory[4096];
        size_t length = (size_t)(base - path);
        while (length > 1 && path[length - 1] == '/')
            length--;
        snprintf(directory, sizeof directory, "%.*s", length ? (int)length : 1,
                 length ? path : ".");
        return inspect_directory(out, directory, err);
    }
    heading(out, path, "JSON\n\n");
    return inspect_object(out, path, "", err);
}

static bool inspect_file(struct buf *out, const char *path, const struct head *head,
                         struct error *err)
{
    size_t known = head->bytes.length < 512 ? head->bytes.length : 512;
    enum magic magic = magic_of((const unsigned char *)buf_text(&head->bytes), known);
    const struct magic_row *row = magic_row_of(magic);
    size_t n = strlen(path);
    bool named = n > 12 && strcmp(path + n - 12, ".safetensors") == 0;
    if (magic == MAGIC_SAFETENSORS || (named && magic == MAGIC_UNKNOWN))
        return inspect_safetensors(out, path, head, err);
    if (magic == MAGIC_SENTENCEPIECE)
        return inspect_sentencepiece(out, path, err);
    if (magic == MAGIC_JSON)
        return inspect_json(out, path, err);
    heading(out, path, row->name);
    buf_add(out, ", ");
    show_number(out, head->size, 0);
    buf_add(out, " bytes\n");
    return fail_with(err, ERR_FORMAT, "%s: %s", path, row->refuse);
}

static bool inspect_path(struct buf *out, const char *path, struct error *err)
{
    struct head head;
    if (file_is_directory(path))
        return inspect_directory(out, path, err);
    bool ok = head_read(&head, path, err) && inspect_file(out, path, &head, err);
    buf_finish(&head.bytes);
    return ok;
}

int cli_inspect(int argc, char **argv)
{
    char bundled[4096];
    struct inspect_options options;
    struct error err = {0}, write_err = {0};
    struct buf out;
    int code;
    bool read = inspect_options_read(&options, argc, argv);
    if (!print_begin(read, options.help, &code))
        return code;
    const char *path = options.path;
    // A bundled id stands for its directory; anything else is looked for as it is
    // written.
    if (!file_exists(path) && pick_path(path, bundled, sizeof bundled, NULL))
        path = bundled;
    buf_init(&out, INSPECT_OUT_BYTES);
    bool ok = inspect_path(&out, path, &err);
    bool written = sink_put(NULL, &out, &write_err);
    if (ok && out.failed)
        ok = fail_with(&err, ERR_LIMIT, "%s: there is too much to list", path);
    buf_finish(&out);
    if (!written)
        return say_error("inspect", &write_err);
    return ok ? EXIT_DONE : say_error("inspect", &err);
}
