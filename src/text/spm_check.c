// SPDX-License-Identifier: MIT
// SentencePiece keeps its normalisation rules as a double-array trie (Aoe 1989, in the
// layout of Darts-clone), stored as bytes and walked without bounds: a broken file would
// make it read anywhere. A file has, little-endian,
//
//   ModelProto { 3, 5: NormalizerSpec { 2: bytes table } }
//   table = size of trie in bytes (4), trie of 4-byte units, NUL-terminated strings
//
// A walk at unit i goes to i ^ offset(i) ^ byte, and at a leaf reads a position in the
// strings. If every unit's 256 successors lie in the trie, every leaf's position in the
// strings, and the strings end with NUL, then no walk can leave the table.
#include "text/spm_check.h"

#include <stdint.h>

enum { WIRE_VARINT = 0, WIRE_64 = 1, WIRE_BYTES = 2, WIRE_32 = 5 };
enum { NORMALIZER = 3, DENORMALIZER = 5, TABLE = 2 };

struct reader {
    const unsigned char *at;
    size_t left;
};

struct field {
    uint64_t number;
    unsigned wire;
    struct reader bytes; // WIRE_BYTES
};

static bool take(struct reader *reader, uint64_t size, struct reader *taken)
{
    if (size > reader->left)
        return false;
    *taken = (struct reader){reader->at, (size_t)size};
    reader->at += size;
    reader->left -= (size_t)size;
    return true;
}

static bool read_varint(struct reader *reader, uint64_t *value)
{
    *value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        struct reader byte;
        if (!take(reader, 1, &byte))
            return false;
        *value |= (uint64_t)(*byte.at & 0x7f) << shift;
        if (*byte.at < 0x80)
            return true;
    }
    return false;
}

static bool read_field(struct reader *reader, struct field *field)
{
    uint64_t tag, value;
    struct reader skipped;
    if (!read_varint(reader, &tag))
        return false;
    field->number = tag >> 3;
    field->wire = (unsigned)(tag & 7);
    switch (field->wire) {
    case WIRE_VARINT:
        return read_varint(reader, &value);
    case WIRE_64:
        return take(reader, 8, &skipped);
    case WIRE_32:
        return take(reader, 4, &skipped);
    case WIRE_BYTES:
        return read_varint(reader, &value) && take(reader, value, &field->bytes);
    default:
        return false;
    }
}

static uint32_t unit_at(const unsigned char *bytes, size_t i)
{
    const unsigned char *b = bytes + 4 * i;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 |
           (uint32_t)b[3] << 24;
}

static bool trie_ok(const unsigned char *trie, size_t units, size_t strings)
{
    for (size_t i = 0; i < units; i++) {
        uint32_t unit = unit_at(trie, i);
        // No walk goes on from a leaf, except from the root.
        if (i > 0 && unit >> 31)
            continue;
        size_t next = i ^ (unit >> 10 << ((unit & 1u << 9) >> 6));
        if ((next | 0xff) >= units)
            return false;
        bool has_leaf = unit >> 8 & 1;
        if (has_leaf && (unit_at(trie, next) & 0x7fffffffu) >= strings)
            return false;
    }
    return units > 0;
}

static bool table_ok(struct reader table)
{
    struct reader head, trie;
    if (table.left == 0)
        return true;
    if (!take(&table, 4, &head))
        return false;
    uint32_t size = unit_at(head.at, 0);
    return size % 4 == 0 && take(&table, size, &trie) && table.left > 0 &&
           table.at[table.left - 1] == '\0' && trie_ok(trie.at, size / 4, table.left);
}

static bool normalizer_ok(struct reader spec)
{
    struct field field;
    while (spec.left) {
        if (!read_field(&spec, &field))
            return false;
        if (field.number == TABLE && field.wire == WIRE_BYTES && !table_ok(field.bytes))
            return false;
    }
    return true;
}

bool spm_check(const unsigned char *data, size_t size)
{
    struct reader model = {data, size};
    struct field field;
    while (model.left) {
        if (!read_field(&model, &field))
            return false;
        bool normalizer = field.number == NORMALIZER || field.number == DENORMALIZER;
        if (normalizer && field.wire == WIRE_BYTES && !normalizer_ok(field.bytes))
            return false;
    }
    return true;
}
