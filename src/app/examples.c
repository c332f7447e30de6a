// SPDX-License-Identifier: MIT
// A sentence for each group of models. See examples.h.
#include "app/examples.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "formats/model_dir.h"

static struct kept_text *kept_of(struct examples *examples, const char *languages)
{
    for (int i = 0; i < examples->count; i++)
        if (!strcmp(examples->kept[i].languages, languages))
            return &examples->kept[i];
    int last = examples->count < EXAMPLES_MAX ? examples->count++ : EXAMPLES_MAX - 1;
    return &examples->kept[last];
}

void examples_keep(struct examples *examples, const char *languages, const char *text)
{
    struct kept_text *kept = kept_of(examples, languages);
    snprintf(kept->languages, sizeof kept->languages, "%s", languages);
    snprintf(kept->text, sizeof kept->text, "%s", text);
}

// Languages come from a file's config: only plain names become part of a path.
static bool read_first_line(const char *languages, char *out)
{
    char assets[4096], path[4400];
    size_t plain = strspn(languages, "abcdefghijklmnopqrstuvwxyz-");
    if (languages[plain] || !*languages || !data_path("assets", assets, sizeof assets))
        return false;
    snprintf(path, sizeof path, "%s/examples/%s.txt", assets, languages);
    struct buf file;
    buf_init(&file, 1 << 20);
    bool found = file_read(path, &file, NULL);
    const char *line = buf_text(&file);
    size_t length = strcspn(line, "\n");
    if (found)
        snprintf(out, TEXT_MAX_BYTES + 1, "%.*s",
                 (int)(length < TEXT_MAX_BYTES ? length : TEXT_MAX_BYTES), line);
    buf_finish(&file);
    return found;
}

bool examples_find(const struct examples *examples, const char *languages, char *out)
{
    for (int i = 0; i < examples->count; i++)
        if (!strcmp(examples->kept[i].languages, languages)) {
            memcpy(out, examples->kept[i].text, TEXT_MAX_BYTES + 1);
            return true;
        }
    return read_first_line(languages, out);
}
