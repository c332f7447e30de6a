// SPDX-License-Identifier: MIT
// The shim over SentencePiece 0.1.97 and later. See spm_shim.h.
//
// Every entry that can throw runs inside `guarded`: bad_alloc becomes SPM_NOMEM and
// anything else SPM_BAD. That alone is not enough: protocol buffer messages do not
// survive a bad_alloc (one that is half added is destroyed as if it were whole), so each
// entry first proves that there is room, by taking as much as the work may need, in
// blocks of the heap that it will use, and giving it back.
//
// The library likes to explain itself on stderr; its minimum log
// level is raised for good at the first open, but not above FATAL, because a FATAL that
// is not logged does not stop either. The symbol that does so is exported by the library
// without a header, hence the weak declaration.
#include "text/spm_shim.h"

#include <sentencepiece_processor.h>

#include <new>
#include <string>
#include <string_view>
#include <vector>

namespace sentencepiece
{
namespace logging
{
__attribute__((weak)) void SetMinLogLevel(int level);
}
} // namespace sentencepiece

struct spm {
    sentencepiece::SentencePieceProcessor processor;
};

namespace
{

constexpr int log_fatal = 3;

template <class Work> spm_result guarded(Work work) noexcept
{
    try {
        return work();
    } catch (const std::bad_alloc &) {
        return SPM_NOMEM;
    } catch (...) {
        return SPM_BAD;
    }
}

// Room for the work, in bytes: some for any, and so much per byte or token of input.
constexpr size_t room_base = 64 * 1024;
constexpr size_t room_per_model_byte = 32, room_per_byte = 1024, room_per_token = 1024;

struct block {
    block *next;
    char rest[32 * 1024 - sizeof(block *)];
};

bool has_room(size_t bytes) noexcept
{
    block *blocks = nullptr;
    size_t taken = 0;
    while (taken < bytes) {
        // A plain `new block` that is deleted unused may be left out by a compiler.
        void *memory = ::operator new(sizeof(block), std::nothrow);
        if (!memory)
            break;
        block *added = static_cast<block *>(memory);
        added->next = blocks;
        blocks = added;
        taken += sizeof(block);
    }
    while (blocks) {
        block *next = blocks->next;
        ::operator delete(blocks);
        blocks = next;
    }
    return taken >= bytes;
}

void hush()
{
    static const bool done = [] {
        if (sentencepiece::logging::SetMinLogLevel)
            sentencepiece::logging::SetMinLogLevel(log_fatal);
        return true;
    }();
    (void)done;
}

} // namespace

spm *spm_open(const void *data, size_t size, spm_result *result)
{
    spm *opened = nullptr;
    *result = guarded([&] {
        hush();
        if (!has_room(room_base + room_per_model_byte * size))
            return SPM_NOMEM;
        opened = new spm;
        std::string_view bytes(static_cast<const char *>(data), size);
        return opened->processor.LoadFromSerializedProto(bytes).ok() ? SPM_OK : SPM_BAD;
    });
    if (*result == SPM_OK)
        return opened;
    delete opened;
    return nullptr;
}

void spm_close(spm *spm)
{
    delete spm;
}

int spm_size(const spm *spm)
{
    return spm->processor.GetPieceSize();
}

const char *spm_piece(const spm *spm, int id, size_t *length)
{
    const std::string &piece = spm->processor.IdToPiece(id);
    *length = piece.size();
    return piece.c_str();
}

bool spm_is_control(const spm *spm, int id)
{
    return spm->processor.IsControl(id);
}

bool spm_is_unknown(const spm *spm, int id)
{
    return spm->processor.IsUnknown(id);
}

bool spm_is_byte(const spm *spm, int id)
{
    return spm->processor.IsByte(id);
}

int spm_pad(const spm *spm)
{
    return spm->processor.pad_id();
}

int spm_bos(const spm *spm)
{
    return spm->processor.bos_id();
}

int spm_eos(const spm *spm)
{
    return spm->processor.eos_id();
}

int spm_unk(const spm *spm)
{
    return spm->processor.unk_id();
}

spm_result spm_encode(const spm *spm, const char *text, size_t length, int max,
                      void (*take)(void *context, int at, const struct spm_piece *piece),
                      void *context, int *total)
{
    return guarded([&] {
        if (!has_room(room_base + room_per_byte * length))
            return SPM_NOMEM;
        // The handy EncodeAsImmutableProto would drop the status.
        sentencepiece::ImmutableSentencePieceText pieces;
        std::string_view typed(text, length);
        if (!spm->processor.Encode(typed, pieces.mutable_proto()).ok())
            return SPM_BAD;
        *total = static_cast<int>(pieces.pieces_size());
        for (int i = 0; i < *total && i < max; i++) {
            const auto piece = pieces.pieces(i);
            const std::string &name = piece.piece();
            const struct spm_piece taken = {
                static_cast<int>(piece.id()), static_cast<int>(piece.begin()),
                static_cast<int>(piece.end()), name.c_str(), name.size()};
            take(context, i, &taken);
        }
        return SPM_OK;
    });
}

spm_result spm_decode(const spm *spm, const int *ids, int count,
                      bool (*put)(void *context, const char *bytes, size_t length),
                      void *context)
{
    return guarded([&] {
        if (!has_room(room_base + room_per_token * static_cast<size_t>(count)))
            return SPM_NOMEM;
        std::string text;
        if (!spm->processor.Decode(std::vector<int>(ids, ids + count), &text).ok())
            return SPM_BAD;
        return put(context, text.data(), text.size()) ? SPM_OK : SPM_NOMEM;
    });
}

spm_result spm_join(const spm *spm, const char *const *pieces, int count,
                    bool (*put)(void *context, const char *bytes, size_t length),
                    void *context)
{
    return guarded([&] {
        if (!has_room(room_base + 2 * room_per_token * static_cast<size_t>(count)))
            return SPM_NOMEM;
        std::string text;
        std::vector<std::string> names(pieces, pieces + count);
        if (!spm->processor.Decode(names, &text).ok())
            return SPM_BAD;
        return put(context, text.data(), text.size()) ? SPM_OK : SPM_NOMEM;
    });
}
