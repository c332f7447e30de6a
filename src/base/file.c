// SPDX-License-Identifier: MIT
// Files from outside. See file.h.
//
// A file is read into pages of our own and not mapped: whoever truncates a mapped file
// ends the program with SIGBUS, and whoever rewrites it changes what was already checked.
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINKS_MAX = 40 };

static int open_regular(const char *path, size_t max_bytes, size_t *size,
                        struct error *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat st;
    if (fd < 0 || fstat(fd, &st) != 0) {
        fail_with(err, ERR_IO, "%s: cannot be opened: %s", path, strerror(errno));
    } else if (!S_ISREG(st.st_mode)) {
        fail_with(err, ERR_IO, "%s: is %s, expected a regular file", path,
                  S_ISDIR(st.st_mode) ? "a directory" : "not a regular file");
    } else if ((unsigned long long)st.st_size > max_bytes) {
        fail_with(err, ERR_LIMIT, "%s: is %lld bytes, the limit is %zu", path,
                  (long long)st.st_size, max_bytes);
    } else {
        *size = (size_t)st.st_size;
        return fd;
    }
    if (fd >= 0)
        close(fd);
    return -1;
}

// Fewer bytes than size only when the file ends before; -1 with errno.
static ssize_t read_all(int fd, void *out, size_t size)
{
    size_t done = 0;
    while (done < size) {
        ssize_t n = read(fd, (char *)out + done, size - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -1;
        if (n == 0)
            break;
        done += (size_t)n;
    }
    return (ssize_t)done;
}

static void *take_pages(size_t size, const char *path, struct error *err)
{
    void *pages =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages != MAP_FAILED) {
#ifdef MADV_HUGEPAGE
        madvise(pages, size, MADV_HUGEPAGE); // zeroing small pages takes twice as long
#endif
        return pages;
    }
    if (errno == ENOMEM)
        fail_nomem(err, path);
    else
        fail_with(err, ERR_IO, "%s: cannot be read: %s", path, strerror(errno));
    return NULL;
}

// The file's bytes into pages of its size, if that is still its size afterwards.
static bool fill_pages(void *pages, size_t size, int fd, const char *path,
                       struct error *err)
{
    struct stat st;
    ssize_t n = read_all(fd, pages, size);
    if (n < 0 || fstat(fd, &st) != 0 || mprotect(pages, size, PROT_READ) != 0)
        return fail_with(err, ERR_IO, "%s: cannot be read: %s", path, strerror(errno));
    if ((size_t)n != size || (size_t)st.st_size != size)
        return fail_with(err, ERR_IO, "%s: changed while it was read", path);
    return true;
}

bool file_snapshot(struct file_snapshot *snapshot, const char *path, size_t max_bytes,
                   struct error *err)
{
    size_t size = 0;
    *snapshot = (struct file_snapshot){0};
    int fd = open_regular(path, max_bytes, &size, err);
    if (fd < 0)
        return false;
    void *pages = size ? take_pages(size, path, err) : NULL;
    bool ok = !size || (pages && fill_pages(pages, size, fd, path, err));
    close(fd);
    if (ok)
        *snapshot = (struct file_snapshot){.data = pages, .size = size};
    else if (pages)
        munmap(pages, size);
    return ok;
}

void file_release(struct file_snapshot *snapshot)
{
    // munmap wants the pointer that mmap gave, which was not const.
    union {
        const void *kept;
        void *plain;
    } data = {.kept = snapshot->data};
    if (snapshot->data)
        munmap(data.plain, snapshot->size);
    *snapshot = (struct file_snapshot){0};
}

bool file_head(const char *path, size_t most, struct buf *out, size_t *size,
               struct error *err)
{
    int fd = open_regular(path, SIZE_MAX / 2, size, err);
    if (fd < 0)
        return false;
    char chunk[16384];
    ssize_t n = 0;
    size_t left = most < *size ? most : *size;
    while (left &&
           (n = read_all(fd, chunk, left < sizeof chunk ? left : sizeof chunk)) > 0 &&
           buf_append(out, chunk, (size_t)n))
        left -= (size_t)n;
    int why = errno;
    close(fd);
    if (n < 0)
        return fail_with(err, ERR_IO, "%s: cannot be read: %s", path, strerror(why));
    return !out->failed || fail_nomem(err, path);
}

bool file_read(const char *path, struct buf *out, struct error *err)
{
    size_t size = 0;
    int fd = open_regular(path, out->max_bytes - out->length, &size, err);
    if (fd < 0)
        return false;
    char chunk[16384];
    ssize_t n;
    while ((n = read(fd, chunk, sizeof chunk)) != 0) {
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 || !buf_append(out, chunk, (size_t)n))
            break;
    }
    int why = errno;
    close(fd);
    if (n < 0)
        return fail_with(err, ERR_IO, "%s: cannot be read: %s", path, strerror(why));
    if (out->failed && (size_t)n > out->max_bytes - out->length) // it grew meanwhile
        return fail_with(err, ERR_LIMIT, "%s: does not fit into %zu bytes", path,
                         out->max_bytes);
    return !out->failed || fail_nomem(err, path);
}

static bool write_all(int fd, const char *data, size_t size)
{
    while (size) {
        ssize_t n = write(fd, data, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        data += n;
        size -= (size_t)n;
    }
    return true;
}

// A device or a pipe (/dev/stdout) is written in place: there is nothing to rename over.
static bool write_in_place(const char *path, const void *data, size_t size)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    bool ok = fd >= 0 && write_all(fd, data, size);
    if (fd >= 0 && close(fd) != 0)
        ok = false;
    return ok;
}

static bool copy_path(char *out, size_t out_size, const char *path)
{
    if (strlen(path) < out_size) {
        memcpy(out, path, strlen(path) + 1);
        return true;
    }
    errno = ENAMETOOLONG;
    return false;
}

bool file_follow(char *out, size_t out_size, const char *path)
{
    char link[4096];
    if (!copy_path(out, out_size, path))
        return false;
    for (int hops = 0; hops < LINKS_MAX; hops++) {
        ssize_t n = readlink(out, link, sizeof link - 1);
        size_t length, base = (size_t)(file_basename(out, &length) - out);
        if (n < 0)
            return true; // not a link: a file, or nothing yet
        link[n] = '\0';
        base = link[0] == '/' ? 0 : base; // or from the link's own directory
        if (!copy_path(out + base, out_size - base, link))
            return false;
    }
    errno = ELOOP;
    return false;
}

static bool write_and_rename(const char *path, const void *data, size_t size)
{
    char target[4096], temporary[4096];
    if (!file_follow(target, sizeof target, path))
        return false;
    int n = snprintf(temporary, sizeof temporary, "%s.XXXXXX", target);
    if (n < 0 || (size_t)n >= sizeof temporary) {
        errno = ENAMETOOLONG;
        return false;
    }
    int fd = mkstemp(temporary);
    if (fd < 0)
        return false;
    mode_t mask = umask(0);
    umask(mask);
    bool ok = write_all(fd, data, size) && fchmod(fd, 0666 & ~mask) == 0;
    ok = close(fd) == 0 && ok;
    if (ok && rename(temporary, target) == 0)
        return true;
    int why = errno;
    unlink(temporary);
    errno = why;
    return false;
}

bool file_write(const char *path, const void *data, size_t size, struct error *err)
{
    struct stat st;
    sigset_t ends, before;
    bool special = stat(path, &st) == 0 && !S_ISREG(st.st_mode);
    sigemptyset(&ends);
    sigaddset(&ends, SIGHUP);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    if (!special)
        sigprocmask(SIG_BLOCK, &ends, &before);
    bool ok =
        special ? write_in_place(path, data, size) : write_and_rename(path, data, size);
    int why = errno;
    if (!special)
        sigprocmask(SIG_SETMASK, &before, NULL);
    return ok || fail_with(err, ERR_IO, "%s: cannot be written: %s", path, strerror(why));
}

bool file_is_lfs_pointer(const void *bytes, size_t size)
{
    static const char mark[] = "version https://git-lfs";
    return size >= sizeof mark - 1 && memcmp(bytes, mark, sizeof mark - 1) == 0;
}

bool file_exists(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0;
}

bool file_is_directory(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool file_join(char *out, size_t out_size, const char *directory, const char *name)
{
    size_t n = strlen(directory);
    const char *slash = n && directory[n - 1] == '/' ? "" : "/";
    int length = snprintf(out, out_size, "%s%s%s", directory, slash, name);
    return length >= 0 && (size_t)length < out_size;
}

const char *file_basename(const char *path, size_t *length)
{
    size_t end = strlen(path);
    while (end > 1 && path[end - 1] == '/')
        end--;
    size_t begin = end;
    while (begin > 0 && path[begin - 1] != '/')
        begin--;
    *length = end - begin;
    return path + begin;
}

bool file_program_directory(char *out, size_t out_size)
{
    char real[PATH_MAX];
    size_t length;
    if (!realpath("/proc/self/exe", real)) // Linux
        return false;
    size_t n = (size_t)(file_basename(real, &length) - real);
    int written = snprintf(out, out_size, "%.*s", (int)(n > 1 ? n - 1 : n), real);
    return n > 0 && written >= 0 && (size_t)written < out_size;
}
