/* SPDX-License-Identifier: MIT */
/* SentencePiece's C++ as C. No exception crosses this line: each becomes a result.
   Nothing here is checked twice: ids must be in range, text must be valid UTF-8. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct spm;

enum spm_result { SPM_OK, SPM_NOMEM, SPM_BAD };

/* data is a model file's content; it is copied. NULL with *result set. */
struct spm *spm_open(const void *data, size_t size, enum spm_result *result);
void spm_close(struct spm *spm); /* NULL is fine */

int spm_size(const struct spm *spm);
/* The piece and its length; it may hold NUL bytes when the file is hostile. */
const char *spm_piece(const struct spm *spm, int id, size_t *length);
bool spm_is_control(const struct spm *spm, int id);
bool spm_is_unknown(const struct spm *spm, int id);
bool spm_is_byte(const struct spm *spm, int id);
/* -1 where the model has none. */
int spm_pad(const struct spm *spm);
int spm_bos(const struct spm *spm);
int spm_eos(const struct spm *spm);
int spm_unk(const struct spm *spm);

struct spm_piece {
    int id;
    int begin, end;    /* bytes of the text */
    const char *piece; /* its text, normalised where the model does not know it */
    size_t length;
};
/* Each of the first max pieces goes to take. *total counts all pieces. */
enum spm_result
spm_encode(const struct spm *spm, const char *text, size_t length, int max,
           void (*take)(void *context, int at, const struct spm_piece *piece),
           void *context, int *total);
/* The text of ids goes to put, in one call; false from put ends it with SPM_NOMEM. */
enum spm_result spm_decode(const struct spm *spm, const int *ids, int count,
                           bool (*put)(void *context, const char *bytes, size_t length),
                           void *context);
/* The same of pieces by their text; one that the model does not know stays as it is. */
enum spm_result spm_join(const struct spm *spm, const char *const *pieces, int count,
                         bool (*put)(void *context, const char *bytes, size_t length),
                         void *context);

#ifdef __cplusplus
}
#endif
