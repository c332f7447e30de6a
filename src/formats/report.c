// SPDX-License-Identifier: MIT
// Reading report.json. "bleu_by_joined" is {"k": [mean source words, BLEU], ...}: test
// sentences joined k at a time to reach longer sources. See report.h.
#include "formats/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "formats/json.h"

enum { REPORT_MAX_BYTES = 1 << 20 };

// [words, BLEU]
static bool read_point(struct json *json, struct report_point *point, const char *path,
                       struct error *err)
{
    double numbers[2] = {-1, -1};
    struct json_value value;
    bool more;
    int n = 0;
    if (!json_open(json, '[') || !json_more(json, &more))
        return false;
    while (more) {
        if (!json_value(json, &value))
            return false;
        if (n < 2 && !json_number(&value, &numbers[n]))
            numbers[n] = -1;
        n++;
        if (!json_more(json, &more))
            return false;
    }
    bool good = n == 2 && numbers[0] > 0 && numbers[0] < 1e6 && numbers[1] >= 0 &&
                numbers[1] <= 100;
    if (!good)
        return fail_with(err, ERR_FORMAT,
                         "%s: field 'bleu_by_joined' holds an entry that is not [words, "
                         "BLEU from 0 to 100]",
                         path);
    *point = (struct report_point){(float)numbers[0], (float)numbers[1]};
    return true;
}

static bool read_curve(struct report *report, struct json *json, const char *path,
                       struct error *err)
{
    struct json_value key;
    bool more;
    if (!json_open(json, '{') || !json_more(json, &more))
        return false;
    while (more) {
        if (report->count == REPORT_MAX_POINTS)
            return fail_with(err, ERR_LIMIT, "%s: more than %d lengths", path,
                             REPORT_MAX_POINTS);
        if (!json_key(json, &key) ||
            !read_point(json, &report->by_length[report->count++], path, err) ||
            !json_more(json, &more))
            return false;
    }
    return true;
}

// One of the counts that add up to the steps of the training.
static bool read_steps(struct report *report, struct json *json, const char *name,
                       const char *path, struct error *err)
{
    enum { MOST = 1000000000 };
    struct json_value value;
    uint64_t steps;
    if (!json_value(json, &value))
        return false;
    if (!json_integer(&value, MOST, &steps))
        return fail_with(err, ERR_FORMAT,
                         "%s: field '%s' is not a whole number from 0 to %d", path, name,
                         MOST);
    report->steps += steps;
    return true;
}

static bool read_field(struct report *report, struct json *json, const char *path,
                       struct error *err)
{
    struct json_value key, value;
    char name[32];
    if (!json_key(json, &key))
        return false;
    if (!json_text(&key, name, sizeof name, NULL))
        return json_value(json, &value);
    if (!strcmp(name, "bleu_by_joined") && json_at(json, '{'))
        return read_curve(report, json, path, err);
    if (!strcmp(name, "steps") || !strcmp(name, "steps_before"))
        return read_steps(report, json, name, path, err);
    return json_value(json, &value);
}

static bool read_fields(struct report *report, struct json *json, const char *path,
                        struct error *err)
{
    bool more;
    if (!json_open(json, '{') || !json_more(json, &more))
        return false;
    while (more)
        if (!read_field(report, json, path, err) || !json_more(json, &more))
            return false;
    return json_finish(json);
}

static int by_words(const void *a, const void *b)
{
    float x = ((const struct report_point *)a)->words;
    float y = ((const struct report_point *)b)->words;
    return (x > y) - (x < y);
}

bool report_parse(struct report *report, const char *text, size_t size, const char *path,
                  struct error *err)
{
    struct json json;
    *report = (struct report){0};
    bool ok =
        json_init(&json, text, size, path, err) && read_fields(report, &json, path, err);
    if (!ok)
        *report = (struct report){0};
    qsort(report->by_length, (size_t)report->count, sizeof *report->by_length, by_words);
    return ok;
}

bool report_read(struct report *report, const char *model_path, struct error *err)
{
    char path[4096];
    *report = (struct report){0};
    if (!file_join(path, sizeof path, model_path, "report.json") || !file_exists(path))
        return true;
    struct buf text;
    buf_init(&text, REPORT_MAX_BYTES);
    bool ok = file_read(path, &text, err) &&
              report_parse(report, buf_text(&text), text.length, path, err);
    buf_finish(&text);
    return ok;
}
