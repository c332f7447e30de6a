// SPDX-License-Identifier: MIT
// Outside data for a terminal. See show.h.
#include "cli/show.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

#include "text/utf8.h"

enum { SHOW_MAX_BYTES = 1024 };

static void pad(struct buf *out, int columns)
{
    for (int i = 0; i < columns; i++)
        buf_add(out, " ");
}

void show_text(struct buf *out, const char *text, int columns)
{
    char clean[SHOW_MAX_BYTES];
    struct utf8_report report = {0};
    const char *bytes = text ? text : "";
    size_t n = utf8_clean(clean, sizeof clean, bytes, strlen(bytes), &report);
    buf_append(out, clean, n);
    buf_add(out, report.cut ? "…" : "");
    pad(out, columns - utf8_columns(clean, n));
}

void show_number(struct buf *out, uint64_t number, int columns)
{
    char digits[32], text[48];
    int n = snprintf(digits, sizeof digits, "%llu", (unsigned long long)number);
    int used = 0;
    for (int i = 0; i < n; i++) {
        if (i && (n - i) % 3 == 0)
            text[used++] = ',';
        text[used++] = digits[i];
    }
    pad(out, columns - used);
    buf_append(out, text, (size_t)used);
}

void show_json(struct buf *out, const struct cJSON *value)
{
    if (cJSON_IsString(value)) {
        show_text(out, value->valuestring, 0);
        return;
    }
    char *text = cJSON_PrintUnformatted(value);
    show_text(out, text ? text : "(no memory to show it)", 0);
    cJSON_free(text);
}

void show_fields(struct buf *out, const struct cJSON *object, const char *indent)
{
    int columns = 0;
    const cJSON *field = NULL;
    cJSON_ArrayForEach(field, object)
    {
        int n = field->string ? (int)strnlen(field->string, 40) : 0;
        columns = n > columns ? n : columns;
    }
    cJSON_ArrayForEach(field, object)
    {
        buf_add(out, indent);
        show_text(out, field->string, columns);
        buf_add(out, "  ");
        show_json(out, field);
        buf_add(out, "\n");
    }
}
