// SPDX-License-Identifier: MIT
// Any bytes as a list of examples.
#include "fuzz.h"

#include <string.h>

#include "app/examples.h"
#include "text/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct examples examples;
    char *text = malloc(size + 1);
    must(text != NULL);
    memcpy(text, data, size);
    text[size] = '\0';
    examples_parse(&examples, text);
    free(text);
    must(examples.count >= 0 && examples.count <= EXAMPLES_MAX);
    for (int i = 0; i < examples.count; i++) {
        const struct example *example = &examples.list[i];
        must(example->text[0] && utf8_valid(example->text, strlen(example->text)));
        must(utf8_valid(example->note, strlen(example->note)));
        int at = examples_at(&examples, example->text);
        must(at >= 0 && at <= i);
    }
    return 0;
}
