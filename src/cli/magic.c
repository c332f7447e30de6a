// SPDX-License-Identifier: MIT
// File kinds by magic bytes. See magic.h. A zip is told apart by the name of its first
// member, which the local header at the start of the file carries.
#include "cli/magic.h"

#include <stdint.h>
#include <string.h>

#include "base/file.h"

static const struct magic_row rows[MAGIC_COUNT] = {
    [MAGIC_UNKNOWN] = {"unknown", "is of no kind that alphascope knows"},
    [MAGIC_EMPTY] = {"an empty file", "is empty"},
    [MAGIC_SAFETENSORS] = {"safetensors", NULL},
    [MAGIC_SENTENCEPIECE] = {"a SentencePiece model", NULL},
    [MAGIC_JSON] = {"JSON", NULL},
    [MAGIC_LFS] = {"a git-lfs pointer", "is a git-lfs pointer, a note where the weights "
                                        "are, not the weights: run git lfs pull"},
    [MAGIC_NPZ] = {"a NumPy archive (.npz)", "is a NumPy archive, which alphascope does "
                                             "not read: export it to safetensors"},
    [MAGIC_NPY] = {"a NumPy array (.npy)", "is a NumPy array, which alphascope does not "
                                           "read: export it to safetensors"},
    [MAGIC_PYTORCH_ZIP] = {"a PyTorch checkpoint (zip with a pickle)",
                           "is a PyTorch checkpoint; a pickle can run any code, so it is "
                           "never unpickled: export it to safetensors"},
    [MAGIC_PYTORCH_PICKLE] = {"a Python pickle (old PyTorch checkpoints are)",
                              "is a Python pickle; it can run any code, so it is never "
                              "unpickled: export it to safetensors"},
    [MAGIC_KERAS] = {"a Keras archive", "is a Keras archive, which alphascope does not "
                                        "read: export it to safetensors"},
    [MAGIC_ZIP] = {"a zip archive", "is a zip archive, which alphascope does not read: "
                                    "unpack it first"},
    [MAGIC_HDF5] = {"an HDF5 file", "is an HDF5 file, which alphascope does not read: "
                                    "export it to safetensors"},
    [MAGIC_GGUF] = {"a GGUF file", "is a GGUF file, which alphascope does not read: "
                                   "export it to safetensors"},
};

const struct magic_row *magic_row_of(enum magic magic)
{
    return &rows[magic];
}

static bool starts(const unsigned char *bytes, size_t n, const char *with, size_t length)
{
    return n >= length && memcmp(bytes, with, length) == 0;
}

static bool ends(const char *name, size_t n, const char *with)
{
    size_t length = strlen(with);
    return n >= length && memcmp(name + n - length, with, length) == 0;
}

static enum magic zip_kind(const unsigned char *bytes, size_t n)
{
    size_t length = n >= 30 ? (size_t)bytes[26] | (size_t)bytes[27] << 8 : 0;
    if (n < 30 || length > n - 30)
        return MAGIC_ZIP;
    const char *name = (const char *)bytes + 30;
    if (ends(name, length, ".npy"))
        return MAGIC_NPZ;
    if (ends(name, length, "data.pkl"))
        return MAGIC_PYTORCH_ZIP;
    if (ends(name, length, ".weights.h5") || ends(name, length, "metadata.json"))
        return MAGIC_KERAS;
    return MAGIC_ZIP;
}

// ModelProto.pieces (field 1) holding SentencePiece.piece (field 1), then its score
// (field 2, a float).
static bool is_sentencepiece(const unsigned char *bytes, size_t n)
{
    if (n < 4 || bytes[0] != 0x0a || bytes[2] != 0x0a)
        return false;
    size_t after = 4 + (size_t)bytes[3];
    return bytes[1] >= bytes[3] + 2 && after < n &&
           (bytes[after] == 0x15 || bytes[after] == 0x18);
}

static bool is_space(unsigned char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

// The first byte that is not white space, from at on; 0 when there is none.
static unsigned char first_mark(const unsigned char *bytes, size_t n, size_t at)
{
    while (at < n && is_space(bytes[at]))
        at++;
    return at < n ? bytes[at] : 0;
}

// A header length below 2^32, then JSON. Text has no zeros in its first eight bytes.
static bool is_safetensors(const unsigned char *bytes, size_t n)
{
    static const unsigned char zeros[4] = {0};
    return n >= 9 && memcmp(bytes + 4, zeros, 4) == 0 && first_mark(bytes, n, 8) == '{';
}

enum magic magic_of(const unsigned char *bytes, size_t n)
{
    if (!n)
        return MAGIC_EMPTY;
    if (file_is_lfs_pointer(bytes, n))
        return MAGIC_LFS;
    if (starts(bytes, n, "PK\3\4", 4))
        return zip_kind(bytes, n);
    if (starts(bytes, n, "\x89HDF\r\n\x1a\n", 8))
        return MAGIC_HDF5;
    if (starts(bytes, n, "\x93NUMPY", 6))
        return MAGIC_NPY;
    if (starts(bytes, n, "GGUF", 4))
        return MAGIC_GGUF;
    if (n >= 2 && bytes[0] == 0x80 && bytes[1] >= 2 && bytes[1] <= 5 &&
        (n < 9 || !is_safetensors(bytes, n)))
        return MAGIC_PYTORCH_PICKLE;
    if (is_safetensors(bytes, n))
        return MAGIC_SAFETENSORS;
    if (is_sentencepiece(bytes, n))
        return MAGIC_SENTENCEPIECE;
    unsigned char mark = first_mark(bytes, n, 0);
    return mark == '{' || mark == '[' ? MAGIC_JSON : MAGIC_UNKNOWN;
}
