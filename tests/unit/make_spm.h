// SPDX-License-Identifier: MIT
// A SentencePiece model file, written byte by byte (it is a protocol buffer), so that a
// test can have vocabularies that no trainer would make.
#pragma once

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum spm_type { SPM_NORMAL = 1, SPM_UNKNOWN = 2, SPM_CONTROL = 3, SPM_BYTE = 6 };

struct made_spm {
    unsigned char bytes[65536];
    size_t size;
};

static inline void made_put(struct made_spm *spm, const void *bytes, size_t size)
{
    memcpy(spm->bytes + spm->size, bytes, size);
    spm->size += size;
}

static inline void made_varint(struct made_spm *spm, unsigned value)
{
    for (; value >= 128; value >>= 7)
        made_put(spm, &(unsigned char){(unsigned char)(value | 128)}, 1);
    made_put(spm, &(unsigned char){(unsigned char)value}, 1);
}

static inline unsigned made_varint_size(unsigned value)
{
    return value < 128 ? 1 : value < 16384 ? 2 : 3;
}

static inline void made_piece(struct made_spm *spm, const char *piece, size_t length,
                              float score, enum spm_type type)
{
    unsigned n = (unsigned)length;
    made_varint(spm, 1 << 3 | 2); // ModelProto.pieces
    made_varint(spm, 1 + made_varint_size(n) + n + 5 + 2);
    made_varint(spm, 1 << 3 | 2); // piece
    made_varint(spm, n);
    made_put(spm, piece, length);
    made_varint(spm, 2 << 3 | 5); // score
    made_put(spm, &score, sizeof score);
    made_varint(spm, 3 << 3 | 0); // type
    made_varint(spm, type);
}

// pad, <s>, </s>, <unk>: the ids of the bundled models.
static inline void made_specials(struct made_spm *spm)
{
    made_piece(spm, "<pad>", 5, 0, SPM_CONTROL);
    made_piece(spm, "<s>", 3, 0, SPM_CONTROL);
    made_piece(spm, "</s>", 4, 0, SPM_CONTROL);
    made_piece(spm, "<unk>", 5, 0, SPM_UNKNOWN);
}

// The 256 byte pieces, and the trainer's flag that says they are meant.
static inline void made_byte_pieces(struct made_spm *spm)
{
    for (unsigned byte = 0; byte < 256; byte++) {
        char piece[8];
        snprintf(piece, sizeof piece, "<0x%02X>", byte);
        made_piece(spm, piece, strlen(piece), 0, SPM_BYTE);
    }
    made_varint(spm, 2 << 3 | 2); // ModelProto.trainer_spec
    made_varint(spm, 3);
    made_varint(spm, 35 << 3 | 0); // byte_fallback
    made_varint(spm, 1);
}

// A normalisation table: what it says of its trie's size, then the trie and the strings.
static inline void made_normalizer(struct made_spm *spm, unsigned trie_bytes,
                                   const unsigned char *table, unsigned size)
{
    made_varint(spm, 3 << 3 | 2); // ModelProto.normalizer_spec
    made_varint(spm, 1 + made_varint_size(size + 4) + size + 4);
    made_varint(spm, 2 << 3 | 2); // precompiled_charsmap
    made_varint(spm, size + 4);
    for (unsigned shift = 0; shift < 32; shift += 8)
        made_put(spm, &(unsigned char){(unsigned char)(trie_bytes >> shift)}, 1);
    made_put(spm, table, size);
}

static inline void made_write(const void *bytes, size_t size, const char *path)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
        abort();
}
