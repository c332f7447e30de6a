// SPDX-License-Identifier: MIT
// Any bytes as a safetensors file. What is accepted must be what the header promised: the
// entries are sorted, each is found by its name, and together they tile the data.
#include "fuzz.h"

#include <string.h>

#include "formats/safetensors.h"

static void check(const struct safetensors *file, const uint8_t *data, size_t size)
{
    uint64_t total = 0, touched = 0;
    for (int i = 0; i < file->count; i++) {
        const struct safetensors_entry *entry = &file->entries[i];
        must(i == 0 || strcmp(file->entries[i - 1].name, entry->name) < 0);
        must(safetensors_find(file, entry->name) == entry);
        must(entry->rank >= 0 && entry->rank <= SAFETENSORS_MAX_RANK);
        must(entry->data >= data + 8 && entry->bytes <= size);
        must(entry->data + entry->bytes <= data + size);
        for (uint64_t at = 0; at < entry->bytes; at++)
            touched += entry->data[at];
        total += entry->bytes;
    }
    must(touched <= 255 * total && total <= size - 8);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct safetensors file;
    struct error err = {0};
    if (safetensors_parse(&file, data, size, "file", &err))
        check(&file, data, size);
    else
        must(err.code != OK && err.text[0] && file.count == 0);
    safetensors_close(&file);
    return 0;
}
