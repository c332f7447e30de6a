// SPDX-License-Identifier: MIT
// Lines to pairs, checked. See pairs.h.
//
// Joining takes no second look at the file: a joiner for each k gathers the good lines as
// they come and gives out a pair whenever it has k of them, so that a stream will do.
// What is left in a joiner at the end is too short to be a pair of k.
#include "cli/pairs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "text/utf8.h"

struct pairs *pairs_create(struct error *err)
{
    struct pairs *pairs = calloc(1, sizeof *pairs);
    if (!pairs) {
        fail_nomem(err, "the reader");
        return NULL;
    }
    pairs->lines.fd = pairs->reference_lines.fd = -1;
    return pairs;
}

static void close_lines(struct lines *lines)
{
    if (lines->fd > STDERR_FILENO)
        close(lines->fd);
    lines->fd = -1;
}

void pairs_destroy(struct pairs *pairs)
{
    if (!pairs)
        return;
    close_lines(&pairs->lines);
    close_lines(&pairs->reference_lines);
    free(pairs);
}

static bool is_standard_input(const char *path)
{
    return strcmp(path, "-") == 0;
}

static void measure(struct pairs *pairs, const char *path, bool *known)
{
    struct stat st;
    if (!path)
        return;
    if (is_standard_input(path) || stat(path, &st) != 0 || !S_ISREG(st.st_mode))
        *known = false;
    else
        pairs->total += st.st_size;
}

void pairs_measure(struct pairs *pairs)
{
    bool known = true;
    measure(pairs, pairs->test, &known);
    for (int i = 0; i < pairs->n_gold; i++)
        measure(pairs, pairs->gold[i], &known);
    if (!known)
        pairs->total = 0;
}

double pairs_share(const struct pairs *pairs)
{
    const struct lines *lines = &pairs->lines;
    long long used = lines->taken - (long long)(lines->end - lines->begin);
    double done = (double)(pairs->before + (pairs->opened ? used : 0));
    double share = pairs->total > 0 ? done / (double)pairs->total : -1;
    return share > 1 ? 1 : share;
}

static bool open_lines(struct lines *lines, const char *path, struct error *err)
{
    if (is_standard_input(path)) {
        lines_init(lines, STDIN_FILENO, "standard input");
        return true;
    }
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return fail_with(err, ERR_IO, "%s: cannot be opened: %s", path, strerror(errno));
    lines_init(lines, fd, path);
    return true;
}

static bool begin_file(struct pairs *pairs, const char *path, struct error *err)
{
    if (!open_lines(&pairs->lines, path, err) ||
        (pairs->at == 0 && pairs->references &&
         !open_lines(&pairs->reference_lines, pairs->references, err)))
        return false;
    pairs->opened = true;
    return true;
}

static bool spoil(struct pair *pair)
{
    pair->failed = true;
    return false;
}

// The next line, a file's first without its byte-order mark.
static enum lines_result read_line(struct lines *lines, struct line *line,
                                   struct error *err)
{
    static const char mark[] = "\xef\xbb\xbf";
    enum lines_result result = lines_next_raw(lines, line, err);
    if (result == LINES_ONE && lines->count == 1 && line->length >= 3 &&
        memcmp(line->bytes, mark, 3) == 0) {
        line->bytes += 3;
        line->length -= 3;
    }
    return result;
}

// The line into the pair, when it is text and whole.
static bool take_line(struct pair *pair, const struct line *line)
{
    memcpy(pair->text, line->bytes, line->length);
    pair->text[line->length] = '\0';
    pair->length = line->length;
    if (line->dropped)
        fail_with(&pair->why, ERR_LIMIT, "the line has %zu bytes, the limit is %d",
                  line->length + line->dropped, LINE_KEPT_BYTES);
    else if (!utf8_valid(pair->text, pair->length))
        fail_with(&pair->why, ERR_FORMAT, "not valid UTF-8");
    else if (memchr(pair->text, '\0', pair->length))
        fail_with(&pair->why, ERR_FORMAT, "contains a NUL byte");
    else
        return true;
    return spoil(pair);
}

static struct bleu_text next_column(const char **at, const char *end)
{
    const char *tab = memchr(*at, '\t', (size_t)(end - *at));
    const char *stop = tab ? tab : end;
    struct bleu_text column = {*at, (size_t)(stop - *at)};
    *at = tab ? tab + 1 : NULL;
    return column;
}

static bool check_column(struct pair *pair, struct bleu_text column, const char *what)
{
    if (utf8_blank(column.text, column.length))
        fail_with(&pair->why, ERR_FORMAT, "the %s is empty", what);
    else if (column.length > TEXT_MAX_BYTES)
        fail_with(&pair->why, ERR_LIMIT, "the %s has %zu bytes, the limit is %d", what,
                  column.length, TEXT_MAX_BYTES);
    else
        return true;
    return spoil(pair);
}

static bool split_test(struct pair *pair)
{
    const char *at = pair->text, *end = at + pair->length;
    pair->source = next_column(&at, end);
    if (!at) {
        fail_with(&pair->why, ERR_FORMAT,
                  "no tab, expected a source, a tab and a reference");
        return spoil(pair);
    }
    if (!check_column(pair, pair->source, "source"))
        return false;
    while (at) {
        struct bleu_text column = next_column(&at, end);
        if (!check_column(pair, column, "reference"))
            return false;
        if (pair->n_references == BLEU_MAX_REFERENCES) {
            fail_with(&pair->why, ERR_LIMIT, "more than %d references",
                      BLEU_MAX_REFERENCES);
            return spoil(pair);
        }
        pair->references[pair->n_references++] = column;
    }
    return true;
}

// The line of the references file that stands beside a line of the test file takes its
// place, when both have the same source.
static bool take_references(struct pairs *pairs, struct pair *pair, struct error *err)
{
    struct line line;
    enum lines_result result = LINES_END;
    if (!pairs->references_end)
        result = read_line(&pairs->reference_lines, &line, err);
    if (result == LINES_FAILED)
        return false;
    pairs->references_end = result == LINES_END;
    if (pair->failed)
        return true;
    size_t length = pair->source.length;
    if (result == LINES_END)
        fail_with(&pair->why, ERR_FORMAT, "%s has no such line", pairs->references);
    else if (line.length <= length || line.bytes[length] != '\t' ||
             memcmp(line.bytes, pair->source.text, length) != 0)
        fail_with(&pair->why, ERR_FORMAT, "%s has another source in this line",
                  pairs->references);
    pair->failed = pair->why.code != OK;
    if (pair->failed)
        return true;
    pair->n_references = 0;
    if (take_line(pair, &line))
        split_test(pair);
    return true;
}

static void join(struct joiner *joiner, const struct pair *pair)
{
    struct bleu_text source = pair->source, reference = pair->references[0];
    if (!joiner->count)
        *joiner = (struct joiner){.first_line = pair->line};
    joiner->count++;
    joiner->too_long =
        joiner->too_long ||
        joiner->source_length + source.length + 1 > sizeof joiner->source ||
        joiner->reference_length + reference.length + 1 > sizeof joiner->reference;
    if (joiner->too_long)
        return;
    if (joiner->count > 1) {
        joiner->source[joiner->source_length++] = ' ';
        joiner->reference[joiner->reference_length++] = ' ';
    }
    memcpy(joiner->source + joiner->source_length, source.text, source.length);
    memcpy(joiner->reference + joiner->reference_length, reference.text,
           reference.length);
    joiner->source_length += source.length;
    joiner->reference_length += reference.length;
}

// A full joiner becomes a pair and is empty again.
static void give_joined(struct pairs *pairs, struct pair *pair, int k)
{
    struct joiner *joiner = &pairs->joiners[k];
    pair->joined = k;
    pair->line = joiner->first_line;
    pair->last_line = pairs->lines.count;
    size_t at = joiner->source_length;
    memcpy(pair->text, joiner->source, at);
    memcpy(pair->text + at, joiner->reference, joiner->reference_length);
    pair->length = at + joiner->reference_length;
    pair->text[pair->length] = '\0';
    pair->source = (struct bleu_text){pair->text, at};
    pair->references[0] = (struct bleu_text){pair->text + at, joiner->reference_length};
    pair->n_references = 1;
    if (joiner->too_long) {
        fail_with(&pair->why, ERR_LIMIT, "joined, the source has more than %d bytes",
                  TEXT_MAX_BYTES);
        spoil(pair);
    }
    joiner->count = 0;
}

static bool next_joined(struct pairs *pairs, struct pair *pair)
{
    for (; pairs->due > 1; pairs->due--)
        if (pairs->joiners[pairs->due].count == pairs->due) {
            give_joined(pairs, pair, pairs->due);
            return true;
        }
    return false;
}

static void join_all(struct pairs *pairs, const struct pair *pair)
{
    for (int k = 2; k <= PAIRS_JOINED; k++)
        join(&pairs->joiners[k], pair);
    pairs->due = PAIRS_JOINED;
}

// Lines of the references file that are left over.
static bool end_references(struct pairs *pairs, struct error *err)
{
    struct line line;
    while (pairs->at == 0 && pairs->references && !pairs->references_end) {
        enum lines_result result = lines_next_raw(&pairs->reference_lines, &line, err);
        if (result == LINES_FAILED)
            return false;
        pairs->references_end = result == LINES_END;
        pairs->extra += result == LINES_ONE;
    }
    return true;
}

static enum lines_result next_line(struct pairs *pairs, struct pair *pair,
                                   struct error *err)
{
    struct line line;
    enum lines_result result = read_line(&pairs->lines, &line, err);
    if (result != LINES_ONE)
        return result;
    pair->line = pair->last_line = pairs->lines.count;
    pair->kind = pairs->at == 0 ? PAIR_TEST : PAIR_GOLD;
    pair->file = pairs->at - 1;
    bool good = take_line(pair, &line);
    if (pair->kind == PAIR_GOLD)
        return LINES_ONE;
    good = good && split_test(pair);
    if (pairs->references && !take_references(pairs, pair, err))
        return LINES_FAILED;
    if (good && !pair->failed && pairs->joined)
        join_all(pairs, pair);
    return LINES_ONE;
}

static void clear(struct pair *pair)
{
    pair->kind = PAIR_TEST;
    pair->file = -1;
    pair->joined = pair->n_references = 0;
    pair->failed = false;
    pair->why = (struct error){0};
}

enum lines_result pairs_next(struct pairs *pairs, struct pair *pair, struct error *err)
{
    clear(pair);
    if (next_joined(pairs, pair))
        return LINES_ONE;
    for (; pairs->at <= pairs->n_gold; pairs->at++) {
        const char *path = pairs->at ? pairs->gold[pairs->at - 1] : pairs->test;
        if (!path)
            continue;
        if (!pairs->opened && !begin_file(pairs, path, err))
            return LINES_FAILED;
        enum lines_result result = next_line(pairs, pair, err);
        if (result != LINES_END)
            return result;
        if (!end_references(pairs, err))
            return LINES_FAILED;
        pairs->before += pairs->lines.taken;
        pairs->opened = false;
        close_lines(&pairs->lines);
    }
    return LINES_END;
}

const char *pair_path(const struct pairs *pairs, const struct pair *pair)
{
    const char *path = pair->kind == PAIR_GOLD ? pairs->gold[pair->file] : pairs->test;
    return is_standard_input(path) ? "standard input" : path;
}
