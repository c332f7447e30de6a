// SPDX-License-Identifier: MIT
// Any bytes as a config.json and, after a NUL, as the weights that go with it: a
// safetensors file, or else numbers made of those bytes, so that any network that can be
// described is run. What binds is all finite, so it must translate, each row must be a
// distribution, or it must say which number was not finite.
#include "../unit/make_spm.h"
#include "fuzz.h"

#include <math.h>
#include <string.h>

#include "formats/bind.h"
#include "formats/config.h"
#include "formats/safetensors.h"
#include "translate/translator.h"

enum { VOCAB = 12, ROWS_MAX = 8, WEIGHTS_MAX = 1 << 15, LAYERS_MAX = 4 };

static struct tokenizer *tokenizer;

static void close_tokenizer(void)
{
    tokenizer_close(tokenizer);
}

static void open_tokenizer(void)
{
    static struct made_spm spm;
    struct fuzz_file file;
    static const char *const pieces[] = {"\xe2\x96\x81",
                                         "\xe2\x96\x81"
                                         "a",
                                         "a",
                                         "b",
                                         "ab",
                                         "\xc3\xa9",
                                         "c",
                                         "d"};
    made_specials(&spm);
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
        made_piece(&spm, pieces[i], strlen(pieces[i]), -1, SPM_NORMAL);
    fuzz_file_make(&file);
    made_write(spm.bytes, spm.size, file.path);
    tokenizer = tokenizer_open(file.path, NULL);
    must(tokenizer && unlink(file.path) == 0 && tokenizer_size(tokenizer) == VOCAB);
    atexit(close_tokenizer);
}

static void check_rows(const struct alignment *alignment)
{
    for (int t = 0; t < alignment_rows(alignment); t++) {
        double sum = 0;
        must(alignment->target[t].id >= 0 && alignment->target[t].id < VOCAB);
        must(alignment->p[t] >= 0 && alignment->p[t] <= 1.0001f);
        if (!alignment->has_attention)
            continue;
        for (int s = 0; s < alignment->n_src; s++) {
            must(alignment->maps || isfinite(alignment->score[t * alignment->n_src + s]));
            sum += (double)alignment->alpha[t * alignment->n_src + s];
        }
        must(fabs(sum - 1) < 1e-3);
    }
}

static void translate(const struct network *network, float tau)
{
    static const char text[] = "ab a \xc3\xa9x";
    struct translator translator = {"tiny", network, tokenizer, tokenizer};
    struct session *session = session_create(&translator, NULL);
    must(session != NULL);
    struct error refused = {0};
    struct alignment *alignment =
        session_begin(session, text, sizeof text - 1, run_at(tau), &refused);
    if (!alignment) { // too few positions
        must(refused.code == ERR_LIMIT && network->config.transformer.position_count > 0);
        session_destroy(session);
        return;
    }
    int rows = 0;
    while (rows < ROWS_MAX && session_step(session, alignment))
        rows++;
    if (alignment_ended(alignment) == ENDED_NOT)
        session_cancel(session, alignment);
    struct error err = {0};
    must(alignment_check(alignment, &err) || err.text[0]);
    check_rows(alignment);
    alignment_destroy(alignment);
    session_destroy(session);
}

// Numbers from the bytes, up to as large as the first of them says. False: too many.
static bool make_weights(struct network *network, const uint8_t *data, size_t size)
{
    static const float largest[] = {0.1f, 1, 10, 1e3f, 1e20f, 3e38f, 1e-40f, 0};
    static float weights[WEIGHTS_MAX];
    struct tensor_slot slots[MODEL_MAX_TENSORS];
    int count = network_slots(network, slots), used = 0;
    float most = largest[size ? data[0] % 8 : 1];
    uint32_t bits = 2166136261u;
    for (int i = 0; i < count; i++) {
        int64_t numbers = (int64_t)slots[i].rows * slots[i].cols;
        if (numbers > WEIGHTS_MAX - used)
            return false;
        *slots[i].tensor =
            (struct tensor){weights + used, DTYPE_F32, slots[i].rows, slots[i].cols, 0};
        if (slots[i].flat)
            *slots[i].tensor =
                (struct tensor){weights + used, DTYPE_F32, slots[i].cols, 1, 0};
        for (int64_t k = 0; k < numbers; k++, used++) {
            bits = (bits ^ (size ? data[(size_t)used % size] : 0u)) * 16777619u;
            weights[used] = most * ((float)(bits >> 8) / (float)(1 << 23) - 1);
        }
    }
    if (network->config.transformer.shared_embedding)
        network->tgt_embed = network->src_embed;
    return true;
}

static bool fits(const struct model_config *config)
{
    const struct transformer_config *t = &config->transformer;
    return config->source_vocab == VOCAB && config->target_vocab == VOCAB &&
           config->encoder_layers <= LAYERS_MAX && config->decoder_layers <= LAYERS_MAX &&
           t->encoder.layers <= LAYERS_MAX && t->decoder.layers <= LAYERS_MAX;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint8_t nothing[1];
    struct safetensors file;
    struct error err = {0};
    struct network network = {0};
    const uint8_t *end = memchr(data, '\0', size);
    size_t facts = end ? (size_t)(end - data) : size;
    const uint8_t *rest = end ? end + 1 : nothing;
    size_t left = end ? size - facts - 1 : 0;
    if (!tokenizer)
        open_tokenizer();
    if (!config_parse(&network.config, (const char *)data, facts, "config.json", &err) ||
        !fits(&network.config))
        return 0;
    bool parsed = safetensors_parse(&file, rest, left, "file", &err);
    bool bound = parsed ? bind_network(&network, &file, "file", &err)
                        : make_weights(&network, rest, left);
    must(bound || (err.code != OK && err.text[0]));
    if (bound) {
        translate(&network, 1);
        translate(&network, 0);
    }
    safetensors_close(&file);
    return 0;
}
