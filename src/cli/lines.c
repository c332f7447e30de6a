// SPDX-License-Identifier: MIT
// Lines of any length, in constant memory. See lines.h. read(2) rather than getline: a
// line of a gigabyte costs a gigabyte there, and a NUL inside a line is nothing special.
#include "cli/lines.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "text/utf8.h"

void sentence_take(struct sentence *sentence, const char *bytes, size_t length,
                   size_t dropped)
{
    struct utf8_report report = {0};
    sentence->length =
        utf8_clean(sentence->text, sizeof sentence->text, bytes, length, &report);
    sentence->cut_bytes = dropped + (report.cut ? length - report.in_used : 0);
    sentence->invalid = report.invalid;
}

void lines_init(struct lines *lines, int fd, const char *name)
{
    lines->fd = fd;
    lines->name = name;
    lines->at_end = false;
    lines->begin = lines->end = 0;
    lines->count = 0;
    lines->taken = 0;
    lines->total = 0;
    lines->last = '\0';
}

static bool fill(struct lines *lines, struct error *err)
{
    ssize_t n;
    while ((n = read(lines->fd, lines->chunk, sizeof lines->chunk)) < 0) {
        if (errno == EAGAIN)
            poll(&(struct pollfd){.fd = lines->fd, .events = POLLIN}, 1, -1);
        else if (errno == EBADF)
            return fail_with(err, ERR_IO, "%s is closed", lines->name);
        else if (errno != EINTR)
            return fail_with(err, ERR_IO, "%s cannot be read: %s", lines->name,
                             strerror(errno));
    }
    lines->begin = 0;
    lines->end = (size_t)n;
    lines->taken += n;
    lines->at_end = n == 0;
    return true;
}

// A character that was cut in two by the end of what is kept is left out whole.
static size_t whole_characters(const char *bytes, size_t length)
{
    size_t back = 0;
    while (back < 3 && back < length &&
           ((unsigned char)bytes[length - 1 - back] & 0xc0) == 0x80)
        back++;
    if (back < length && ((unsigned char)bytes[length - 1 - back] & 0xc0) == 0xc0)
        return utf8_valid(bytes + length - 1 - back, back + 1) ? length
                                                               : length - 1 - back;
    return length;
}

// The line that has come to its end.
static void finish(struct lines *lines, struct line *line)
{
    size_t total = lines->total;
    bool carriage_return = lines->last == '\r';
    lines->total = 0;
    lines->last = '\0';
    size_t kept = total < LINE_KEPT_BYTES ? total : LINE_KEPT_BYTES;
    if (carriage_return && total <= LINE_KEPT_BYTES)
        kept--;
    if (carriage_return)
        total--;
    if (total > kept)
        kept = whole_characters(lines->kept, kept);
    lines->count++;
    *line = (struct line){lines->kept, kept, total - kept};
}

static void keep(struct lines *lines, const char *bytes, size_t n)
{
    size_t total = lines->total;
    lines->total += n;
    lines->begin += n;
    if (n)
        lines->last = bytes[n - 1];
    if (total >= LINE_KEPT_BYTES)
        return;
    size_t room = LINE_KEPT_BYTES - total;
    memcpy(lines->kept + total, bytes, n < room ? n : room);
}

static const char *find_end(const struct lines *lines)
{
    return memchr(lines->chunk + lines->begin, '\n', lines->end - lines->begin);
}

enum lines_result lines_next_raw(struct lines *lines, struct line *line,
                                 struct error *err)
{
    for (;;) {
        if (lines->begin == lines->end && !lines->at_end && !fill(lines, err))
            return LINES_FAILED;
        if (lines->at_end)
            break;
        const char *bytes = lines->chunk + lines->begin, *newline = find_end(lines);
        keep(lines, bytes,
             newline ? (size_t)(newline - bytes) : lines->end - lines->begin);
        if (newline) {
            lines->begin++;
            finish(lines, line);
            return LINES_ONE;
        }
    }
    if (!lines->total)
        return LINES_END;
    finish(lines, line);
    return LINES_ONE;
}

static bool readable(const struct lines *lines)
{
    return poll(&(struct pollfd){.fd = lines->fd, .events = POLLIN}, 1, 0) > 0;
}

bool lines_ready(struct lines *lines)
{
    while (!lines->at_end && !find_end(lines)) {
        keep(lines, lines->chunk + lines->begin, lines->end - lines->begin);
        // What cannot be read is said by lines_next.
        if (!readable(lines))
            return false;
        if (!fill(lines, NULL))
            return true;
    }
    return true;
}

enum lines_result lines_next(struct lines *lines, struct sentence *sentence,
                             struct error *err)
{
    struct line line;
    enum lines_result result = lines_next_raw(lines, &line, err);
    if (result == LINES_ONE)
        sentence_take(sentence, line.bytes, line.length, line.dropped);
    return result;
}
