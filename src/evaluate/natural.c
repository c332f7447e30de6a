// SPDX-License-Identifier: MIT
// Where spaces stand round marks. See natural.h. Rules and no table of words: marks that
// close stick to what is before them, those that open to what follows, quotation marks
// do the one and the other in turn, hyphens both. French keeps its space before ? ! : ;
// and elides at the end of a token (l'), English at its beginning ('s, n't).
#include "evaluate/natural.h"

#include <stdbool.h>
#include <string.h>

struct token {
    const char *text;
    size_t length;
};

static bool is(struct token token, const char *text)
{
    return token.length == strlen(text) && memcmp(token.text, text, token.length) == 0;
}

static bool is_one_of(struct token token, const char *marks)
{
    return token.length == 1 && strchr(marks, token.text[0]);
}

static bool french(const char *language)
{
    return strncmp(language, "fr", 2) == 0;
}

static bool sticks_to_left(struct token token, const char *language)
{
    if (is_one_of(token, ".,)]-") || is(token, "..."))
        return true;
    if (french(language))
        return false;
    return is_one_of(token, "?!:;%") || is(token, "n't") ||
           (token.length > 1 && token.length < 4 && token.text[0] == '\'');
}

static bool sticks_to_right(struct token token, const char *language)
{
    if (is_one_of(token, "([-"))
        return true;
    return french(language) && token.length > 1 && token.text[token.length - 1] == '\'';
}

int natural_join(const char *tokens, size_t length, const char *language, char *out,
                 size_t *out_length, struct natural_word *words, int max)
{
    bool glued = true, quoted = false;
    size_t used = 0;
    int n = 0;
    for (size_t at = 0; at < length; n++) {
        const char *space = memchr(tokens + at, ' ', length - at);
        size_t end = space ? (size_t)(space - tokens) : length;
        struct token token = {tokens + at, end - at};
        bool quote = is(token, "\"");
        if (!glued && !(quote && quoted) && !sticks_to_left(token, language))
            out[used++] = ' ';
        if (n < max)
            words[n] = (struct natural_word){(int)used, (int)(used + token.length)};
        memcpy(out + used, token.text, token.length);
        used += token.length;
        quoted = quoted != quote;
        glued = (quote && quoted) || sticks_to_right(token, language);
        at = end + 1;
    }
    out[used] = '\0';
    *out_length = used;
    return n;
}
