// SPDX-License-Identifier: MIT
// `alphascope trace`: sentences in, what the decoder attended to out.
//
// A filter: one sentence a line, in order, one write per sentence. Memory does not grow
// with the stream: a line is cut at a limit that is said, and everything that belongs to
// a sentence is given back before the next one is read. τ inside the loop (re-decode) is
// the honest default; re-read decodes at τ = 1 and applies τ to the stored scores, as the
// window does while a knob is dragged.
#include "cli/cli.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/lines.h"
#include "cli/options.h"
#include "cli/pick.h"
#include "cli/picture_file.h"
#include "cli/progress.h"
#include "cli/sink.h"
#include "cli/trace_options.h"
#include "formats/write.h"
#include "translate/translator.h"

enum { SCRATCH_BYTES = 64 << 20, OUT_BYTES = 256 << 20 };

struct trace {
    struct trace_options options;
    struct model_dir *dir;
    struct session *session;
    struct sink sink;
    struct buf out;
    struct arena scratch; // of one sentence
    struct progress progress;
    struct lines lines;
    struct sentence sentence;
    long written, broken;
};

static bool open_model(struct trace *trace, struct error *err)
{
    trace->dir = pick_model(trace->options.model, err);
    if (!trace->dir)
        return false;
    struct translator translator = {.id = trace->dir->id,
                                    .network = &trace->dir->network,
                                    .source = trace->dir->source,
                                    .target = trace->dir->target};
    trace->session = session_create(&translator, err);
    if (trace->session && trace->dir->network.config.score == SCORE_NONE &&
        trace->options.tau != 1)
        say("trace", "%s has no attention: τ changes nothing",
            model_dir_name(trace->dir));
    return trace->session != NULL;
}

// Where the sentence came from.
static void place_of(const struct trace *trace, char *out, size_t size)
{
    if (trace->options.text)
        snprintf(out, size, "--text");
    else
        snprintf(out, size, "line %ld", trace->lines.count);
}

static void say_changes(struct trace *trace, int cut_tokens)
{
    const struct sentence *sentence = &trace->sentence;
    size_t cut_bytes = sentence->cut_bytes;
    char place[32];
    if (!sentence->invalid && !cut_bytes && !cut_tokens)
        return;
    place_of(trace, place, sizeof place);
    progress_clear(&trace->progress);
    if (sentence->invalid)
        say("trace", "%s: not valid UTF-8, %d bad sequence%s became U+FFFD", place,
            sentence->invalid, sentence->invalid == 1 ? "" : "s");
    if (cut_bytes)
        say("trace", "%s: too long, the last %zu bytes were cut off (the limit is %d)",
            place, cut_bytes, TEXT_MAX_BYTES);
    if (cut_tokens)
        say("trace", "%s: too long, the last %d tokens were cut off (the limit is %d)",
            place, cut_tokens, SENTENCE_MAX_TOKENS);
}

static void say_broken(struct trace *trace, const struct alignment *alignment)
{
    struct error why;
    char place[32];
    if (alignment_check(alignment, &why))
        return;
    trace->broken++;
    place_of(trace, place, sizeof place);
    progress_clear(&trace->progress);
    say("trace", "%s: %s", place, why.text);
}

// α as it is shown: that of the loop, or the stored scores read again.
static const float *shown_alpha(struct trace *trace, const struct alignment *alignment,
                                struct error *err)
{
    int rows = alignment_rows(alignment);
    if (!trace->options.reread || !alignment->has_attention || !rows)
        return alignment->alpha;
    size_t count = (size_t)rows * (size_t)alignment->n_src;
    float *alpha = arena_alloc(&trace->scratch, count, sizeof *alpha);
    if (alpha)
        translate_reread(alignment, trace->options.tau, 0, rows, alpha);
    else
        fail_nomem(err, "the matrix of a sentence");
    return alpha;
}

static bool write_picture(struct trace *trace, const struct reading *reading,
                          struct error *err)
{
    const struct trace_options *options = &trace->options;
    struct picture_look look = {(enum sheet_kind)(options->format - WRITE_FORMATS),
                                options->theme, options->scale};
    char title[256];
    // A picture that stops half-way would not say so. The sentence was said already.
    if (!alignment_check(reading->alignment, err))
        return fail_with(err, ERR_CANCELLED, "not finite");
    model_title(trace->dir, title, sizeof title);
    return picture_file(&trace->out, reading, title, &look, err);
}

static bool write_reading(struct trace *trace, const struct reading *reading,
                          struct error *err)
{
    if (trace_is_picture(trace->options.format))
        return write_picture(trace, reading, err);
    const struct write_format *format = &write_formats[trace->options.format];
    if (trace->written && format->apart)
        buf_add(&trace->out, "\n");
    return format->write(&trace->out, reading, err);
}

static bool write_alignment(struct trace *trace, const struct alignment *alignment,
                            struct error *err)
{
    bool reread = trace->options.reread;
    struct reading reading = {.alignment = alignment,
                              .alpha = shown_alpha(trace, alignment, err),
                              .tau = trace->options.tau,
                              .mode = reread ? "re-read" : "re-decode",
                              .name = model_dir_name(trace->dir),
                              .cut_bytes = trace->sentence.cut_bytes};
    bool needs_alpha = alignment->has_attention && alignment_rows(alignment);
    if (needs_alpha && !reading.alpha)
        return false;
    buf_clear(&trace->out);
    bool ok = write_reading(trace, &reading, err) &&
              sink_write(&trace->sink, trace->out.data, trace->out.length, err);
    trace->written++;
    return ok;
}

static bool trace_sentence(struct trace *trace, struct error *err)
{
    const struct sentence *sentence = &trace->sentence;
    float inside = trace->options.reread ? 1 : trace->options.tau;
    arena_reset(&trace->scratch);
    struct alignment *alignment = session_run(trace->session, sentence->text,
                                              sentence->length, run_at(inside), err);
    if (!alignment) {
        struct error why = *err;
        char place[32];
        place_of(trace, place, sizeof place);
        return fail_with(err, why.code, "%s: %s", place, why.text);
    }
    say_changes(trace, alignment->tokens_cut);
    say_broken(trace, alignment);
    bool ok = write_alignment(trace, alignment, err);
    alignment_destroy(alignment);
    return ok;
}

static bool trace_stream(struct trace *trace, struct error *err)
{
    enum lines_result result;
    while ((result = lines_next(&trace->lines, &trace->sentence, err)) == LINES_ONE) {
        if (!trace_sentence(trace, err))
            return false;
        progress_step(&trace->progress, trace->lines.count);
    }
    return result == LINES_END;
}

// A picture is of one sentence: the first line, which must be the only one.
static bool trace_one_line(struct trace *trace, struct error *err)
{
    struct sentence second;
    enum lines_result result = lines_next(&trace->lines, &trace->sentence, err);
    if (result == LINES_END)
        return fail_with(err, ERR_IO, "standard input holds no sentence to picture");
    if (result == LINES_ONE)
        result = lines_next(&trace->lines, &second, err);
    if (result == LINES_ONE)
        return fail_with(err, ERR_USAGE,
                         "--format %s takes one sentence, standard input "
                         "holds more",
                         trace_format_name(trace->options.format));
    trace->lines.count = 1;
    return result == LINES_END && trace_sentence(trace, err);
}

static bool trace_input(struct trace *trace, struct error *err)
{
    const char *text = trace->options.text;
    if (text) {
        sentence_take(&trace->sentence, text, strlen(text), 0);
        return trace_sentence(trace, err);
    }
    if (isatty(STDIN_FILENO))
        say("trace", "one sentence a line, Ctrl-D ends");
    return trace_is_picture(trace->options.format) ? trace_one_line(trace, err)
                                                   : trace_stream(trace, err);
}

static int run(struct trace *trace)
{
    struct error err = {0};
    lines_init(&trace->lines, STDIN_FILENO, "standard input");
    arena_init(&trace->scratch, SCRATCH_BYTES);
    buf_init(&trace->out, OUT_BYTES);
    trace->sink.fd = -1;
    bool ok =
        open_model(trace, &err) && sink_open(&trace->sink, trace->options.output, &err);
    progress_init(&trace->progress, STDIN_FILENO, trace->sink.fd);
    ok = ok && trace_input(trace, &err);
    progress_clear(&trace->progress);
    ok = sink_close(&trace->sink, ok, ok ? &err : NULL) && ok;
    session_destroy(trace->session);
    model_dir_close(trace->dir);
    buf_finish(&trace->out);
    arena_finish(&trace->scratch);
    if (ok)
        return trace->broken ? EXIT_INPUT : EXIT_DONE;
    return err.code == ERR_USAGE ? say_usage("trace", "%s", err.text)
                                 : say_error("trace", &err);
}

int cli_trace(int argc, char **argv)
{
    struct trace trace = {0};
    sink_guard();
    if (!trace_options_read(&trace.options, argc, argv))
        return EXIT_USAGE;
    if (trace.options.help) {
        cli_help();
        return EXIT_DONE;
    }
    if (trace_is_picture(trace.options.format) && !trace.options.output &&
        isatty(STDOUT_FILENO))
        return say_usage("trace",
                         "a picture on a terminal is noise: name a file with -o");
    return run(&trace);
}
