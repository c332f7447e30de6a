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

static bool read_fields(struct report *report, struct json *json, const char *path,
                        struct error *err)
{
    struct json_value key, value;
    bool more;
    if (!json_open(json, '{') || !json_more(json, &more))
        return false;
    while (more) {
        char name[32];
        if (!json_key(json, &key))
            return false;
        bool curve = json_text(&key, name, sizeof name, NULL) &&
                     !strcmp(name, "bleu_by_joined") && json_at(json, '{');
        bool ok = curve ? read_curve(report, json, path, err) : json_value(json, &value);
        if (!ok || !json_more(json, &more))
            return false;
    }
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
    report->count = 0;
    bool ok =
        json_init(&json, text, size, path, err) && read_fields(report, &json, path, err);
    if (!ok)
        report->count = 0;
    qsort(report->by_length, (size_t)report->count, sizeof *report->by_length, by_words);
    return ok;
}

bool report_read(struct report *report, const char *model_path, struct error *err)
{
    char path[4096];
    report->count = 0;
    if (!file_join(path, sizeof path, model_path, "report.json") || !file_exists(path))
        return true;
    struct buf text;
    buf_init(&text, REPORT_MAX_BYTES);
    bool ok = file_read(path, &text, err) &&
              report_parse(report, buf_text(&text), text.length, path, err);
    buf_finish(&text);
    return ok;
}
