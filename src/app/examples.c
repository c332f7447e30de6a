// SPDX-License-Identifier: MIT
// Sentences worth looking at. See examples.h.
#include "app/examples.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "formats/model_dir.h"
#include "text/utf8.h"

enum { EXAMPLES_MAX_BYTES = 1 << 20 };

static void add_line(struct examples *examples, const char *line, size_t length)
{
    const char *tab = memchr(line, '\t', length);
    size_t text = tab ? (size_t)(tab - line) : length;
    if (!length || line[0] == '#' || examples->count == EXAMPLES_MAX)
        return;
    struct example *example = &examples->list[examples->count];
    example->note[0] = '\0';
    utf8_clean(example->text, sizeof example->text, line, text, NULL);
    if (tab)
        utf8_clean(example->note, sizeof example->note, tab + 1, length - text - 1, NULL);
    examples->count += example->text[0] != '\0';
}

void examples_parse(struct examples *examples, const char *text)
{
    examples->count = 0;
    while (*text) {
        size_t length = strcspn(text, "\n");
        add_line(examples, text, length);
        text += length + (text[length] != '\0');
    }
}

// Languages come from a file's config: only plain names become part of a path.
void examples_load(struct examples *examples, const char *languages)
{
    char assets[4096], path[4400];
    size_t plain = strspn(languages, "abcdefghijklmnopqrstuvwxyz-");
    examples->count = 0;
    if (languages[plain] || !*languages || !data_path("assets", assets, sizeof assets))
        return;
    snprintf(path, sizeof path, "%s/examples/%s.txt", assets, languages);
    struct buf file;
    buf_init(&file, EXAMPLES_MAX_BYTES);
    if (file_read(path, &file, NULL))
        examples_parse(examples, buf_text(&file));
    buf_finish(&file);
}

int examples_at(const struct examples *examples, const char *text)
{
    for (int i = 0; i < examples->count; i++)
        if (!strcmp(examples->list[i].text, text))
            return i;
    return -1;
}

void examples_keep(struct examples *examples, const char *languages, const char *text)
{
    int at = 0;
    while (at < examples->n_kept && strcmp(examples->kept[at].languages, languages) != 0)
        at++;
    if (at == EXAMPLES_GROUPS)
        at--; // the last place is the one that changes hands
    if (at == examples->n_kept)
        examples->n_kept++;
    struct kept_text *kept = &examples->kept[at];
    snprintf(kept->languages, sizeof kept->languages, "%s", languages);
    snprintf(kept->text, sizeof kept->text, "%s", text);
}

const char *examples_kept(const struct examples *examples, const char *languages)
{
    for (int i = 0; i < examples->n_kept; i++)
        if (!strcmp(examples->kept[i].languages, languages))
            return examples->kept[i].text;
    return NULL;
}
