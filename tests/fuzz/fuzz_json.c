// SPDX-License-Identifier: MIT
// Any bytes as report.json and as the index.json of a training's history. What is
// accepted must be in range and in order.
#include "fuzz.h"

#include <string.h>

#include "formats/history.h"
#include "formats/report.h"

static void as_report(const char *text, size_t size)
{
    struct report report;
    struct error err = {0};
    bool ok = report_parse(&report, text, size, "report.json", &err);
    must(ok || (report.count == 0 && err.code != OK && err.text[0]));
    must(report.count >= 0 && report.count <= REPORT_MAX_POINTS);
    for (int i = 0; i < report.count; i++) {
        const struct report_point *point = &report.by_length[i];
        must(point->words > 0 && point->bleu >= 0 && point->bleu <= 100);
        must(i == 0 || point[-1].words <= point->words);
    }
}

static void as_history(const char *text, size_t size)
{
    static struct history history;
    struct error err = {0};
    bool ok = history_parse(&history, text, size, "index.json", &err);
    must(ok || (history.count == 0 && err.code != OK && err.text[0]));
    must(history.count >= 0 && history.count <= HISTORY_MAX);
    for (int i = 0; i < history.count; i++) {
        const struct history_entry *entry = &history.entries[i];
        must(entry->step >= 0 && (i == 0 || entry[-1].step <= entry->step));
        must(entry->file[0] && entry->file[0] != '.' && !strchr(entry->file, '/'));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    as_report((const char *)data, size);
    as_history((const char *)data, size);
    return 0;
}
