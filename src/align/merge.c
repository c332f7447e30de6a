// SPDX-License-Identifier: MIT
// Sub-words to words, by bytes. See merge.h. Bytes and not pieces decide, because the two
// sides split a word differently, and a word that was typed with spaces round its marks
// ("l' heure ,") has its own pieces again.
#include "align/merge.h"

#include <string.h>

int merge_split(const char *text, size_t length, struct merge_span *out, int max)
{
    int n = 0;
    for (size_t at = 0; at < length;) {
        const char *space = memchr(text + at, ' ', length - at);
        size_t end = space ? (size_t)(space - text) : length;
        if (end > at && n < max)
            out[n] = (struct merge_span){(int)at, (int)end};
        n += end > at;
        at = end + 1;
    }
    return n;
}

static int word_at(const struct label *label, const struct merge_span *words, int n_words)
{
    for (int w = 0; w < n_words; w++)
        if (words[w].end > label->begin)
            return w;
    return n_words - 1; // behind the last one
}

void merge_map(const struct label *labels, int n, const struct merge_span *words,
               int n_words, int *out)
{
    for (int i = 0; i < n; i++)
        out[i] = labels[i].special ? -1 : word_at(&labels[i], words, n_words);
}

int merge_joined(const struct label *labels, int n, int *out)
{
    int words = 0;
    for (int i = 0; i < n; i++) {
        bool whole =
            i == 0 || !labels[i].joined || labels[i].special || labels[i - 1].special;
        words += whole;
        out[i] = words - 1;
    }
    return words;
}

static void add_row(float *merged, const float *alpha, int columns,
                    const int *column_word)
{
    for (int s = 0; s < columns; s++)
        if (column_word[s] >= 0)
            merged[column_word[s]] += alpha[s];
}

void merge_alpha(const float *alpha, int rows, int columns, const int *row_word,
                 const int *column_word, float *merged, int n_tgt, int n_src)
{
    memset(merged, 0, (size_t)n_tgt * (size_t)n_src * sizeof *merged);
    for (int w = 0; w < n_tgt; w++) {
        float *row = merged + (size_t)w * (size_t)n_src;
        int tokens = 0;
        for (int t = 0; t < rows; t++) {
            if (row_word[t] != w)
                continue;
            add_row(row, alpha + (size_t)t * (size_t)columns, columns, column_word);
            tokens++;
        }
        for (int s = 0; s < n_src && tokens; s++)
            row[s] /= (float)tokens;
    }
}

void merge_largest(const float *alpha, int rows, int columns, const int *row_word,
                   const int *column_word, float *merged, int n_tgt, int n_src)
{
    memset(merged, 0, (size_t)n_tgt * (size_t)n_src * sizeof *merged);
    for (int t = 0; t < rows; t++) {
        if (row_word[t] < 0)
            continue;
        float *row = merged + (size_t)row_word[t] * (size_t)n_src;
        for (int s = 0; s < columns; s++) {
            float *cell = column_word[s] >= 0 ? &row[column_word[s]] : NULL;
            float a = alpha[(size_t)t * (size_t)columns + (size_t)s];
            if (cell && a > *cell)
                *cell = a;
        }
    }
}
