// SPDX-License-Identifier: MIT
// Memory and files that fail on demand. See faults.h. SQLite tests this way: fail the
// n-th call for n = 0, 1, 2, ... until an operation succeeds, once and then for good.
#include "faults.h"

#undef _FILE_OFFSET_BITS // both names are given here: where long has 64 bits they are one
#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct {
    enum fault fault;
    int left; // calls that still succeed; negative: not armed
    bool sticky, happened;
} plan = {.left = -1};

void faults_arm(enum fault fault, int n, bool sticky)
{
    pthread_mutex_lock(&mutex);
    plan.fault = fault;
    plan.left = n;
    plan.sticky = sticky;
    plan.happened = false;
    pthread_mutex_unlock(&mutex);
}

bool faults_disarm(void)
{
    pthread_mutex_lock(&mutex);
    plan.left = -1;
    bool happened = plan.happened;
    pthread_mutex_unlock(&mutex);
    return happened;
}

static bool strikes(enum fault fault, int error)
{
    pthread_mutex_lock(&mutex);
    bool due = plan.left == 0 && plan.fault == fault;
    if (due)
        plan.happened = true;
    if (plan.fault == fault && (plan.left > 0 || (due && !plan.sticky)))
        plan.left--;
    pthread_mutex_unlock(&mutex);
    if (due)
        errno = error;
    return due;
}

static bool no_memory(void)
{
    return strikes(FAULT_MEMORY, ENOMEM);
}

static bool no_file(void)
{
    return strikes(FAULT_FILES, EIO);
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
int __real_open(const char *path, int flags, ...);
int __real_fstat(int fd, struct stat *st);
void *__real_mmap(void *at, size_t size, int protection, int flags, int fd, off_t from);
ssize_t __real_read(int fd, void *out, size_t size);
ssize_t __real_write(int fd, const void *data, size_t size);
int __real_rename(const char *from, const char *to);
int __real_mkstemp(char *path);
int __real_close(int fd);
DIR *__real_opendir(const char *path);
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*run)(void *), void *argument);

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
int __wrap_open(const char *path, int flags, ...);
int __wrap_fstat(int fd, struct stat *st);
void *__wrap_mmap(void *at, size_t size, int protection, int flags, int fd, off_t from);
ssize_t __wrap_read(int fd, void *out, size_t size);
ssize_t __wrap_write(int fd, const void *data, size_t size);
int __wrap_rename(const char *from, const char *to);
int __wrap_mkstemp(char *path);
int __wrap_close(int fd);
DIR *__wrap_opendir(const char *path);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*run)(void *), void *argument);

void *__wrap_malloc(size_t size)
{
    return no_memory() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return no_memory() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
    return no_memory() ? NULL : __real_realloc(memory, size);
}

int __wrap_open(const char *path, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    unsigned mode = va_arg(args, unsigned); // as open(2) does; unused without O_CREAT
    va_end(args);
    return no_file() ? -1 : __real_open(path, flags, mode);
}

int __wrap_fstat(int fd, struct stat *st)
{
    return no_file() ? -1 : __real_fstat(fd, st);
}

void *__wrap_mmap(void *at, size_t size, int protection, int flags, int fd, off_t from)
{
    return no_file() ? MAP_FAILED : __real_mmap(at, size, protection, flags, fd, from);
}

ssize_t __wrap_read(int fd, void *out, size_t size)
{
    if (strikes(FAULT_INTERRUPT, EINTR) || no_file())
        return -1;
    if (size && strikes(FAULT_SHORT, 0))
        size = 1;
    return __real_read(fd, out, size);
}

ssize_t __wrap_write(int fd, const void *data, size_t size)
{
    if (strikes(FAULT_INTERRUPT, EINTR) || no_file())
        return -1;
    if (size && strikes(FAULT_SHORT, 0))
        size = 1;
    return __real_write(fd, data, size);
}

int __wrap_rename(const char *from, const char *to)
{
    return no_file() ? -1 : __real_rename(from, to);
}

int __wrap_mkstemp(char *path)
{
    return no_file() ? -1 : __real_mkstemp(path);
}

int __wrap_close(int fd)
{
    int result = __real_close(fd);
    return strikes(FAULT_CLOSE, EIO) ? -1 : result;
}

DIR *__wrap_opendir(const char *path)
{
    return no_file() ? NULL : __real_opendir(path);
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*run)(void *), void *argument)
{
    return no_memory() ? EAGAIN
                       : __real_pthread_create(thread, attributes, run, argument);
}

#define ALSO_AS(name) __attribute__((alias(name)))
int __wrap_open64(const char *path, int flags, ...) ALSO_AS("__wrap_open");
int __wrap_fstat64(int fd, struct stat *st) ALSO_AS("__wrap_fstat");
void *__wrap_mmap64(void *at, size_t size, int protection, int flags, int fd, off_t from)
    ALSO_AS("__wrap_mmap");
int __wrap_mkstemp64(char *path) ALSO_AS("__wrap_mkstemp");
