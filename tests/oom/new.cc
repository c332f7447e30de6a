// SPDX-License-Identifier: MIT
// The program's operator new, which shared libraries use too. See new.h. Each block
// carries its size in front.
#include "new.h"

#include <cstddef>
#include <cstdlib>
#include <new>

namespace
{

constexpr std::size_t front = alignof(std::max_align_t);

struct {
    std::size_t held = 0, most = 0;
    bool limited = false, met = false;
} heap;

bool allowed(std::size_t size)
{
    if (!heap.limited || (heap.held <= heap.most && size <= heap.most - heap.held))
        return true;
    heap.met = true;
    return false;
}

void *take(std::size_t size) noexcept
{
    void *memory = allowed(size) ? std::malloc(front + size) : nullptr;
    if (!memory)
        return nullptr;
    *static_cast<std::size_t *>(memory) = size;
    heap.held += size;
    return static_cast<char *>(memory) + front;
}

} // namespace

void new_limit(std::size_t bytes)
{
    heap.most = heap.held + bytes;
    heap.limited = true;
    heap.met = false;
}

bool new_unlimit()
{
    heap.limited = false;
    return heap.met;
}

void *operator new(std::size_t size)
{
    void *memory = take(size);
    if (!memory)
        throw std::bad_alloc();
    return memory;
}

void *operator new(std::size_t size, const std::nothrow_t &) noexcept
{
    return take(size);
}

void operator delete(void *memory) noexcept
{
    if (!memory)
        return;
    char *start = static_cast<char *>(memory) - front;
    heap.held -= *reinterpret_cast<std::size_t *>(start);
    std::free(start);
}

void operator delete(void *memory, std::size_t) noexcept
{
    operator delete(memory);
}
