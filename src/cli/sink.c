// SPDX-License-Identifier: MIT
// Checked output. See sink.h. Plain descriptors rather than stdio: a line is one write,
// and its failure is known at once.
#include "cli/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

void sink_guard(void)
{
    // The wrong way round on purpose: a closed input must not read as an empty one.
    static const int flags[] = {O_WRONLY, O_RDONLY, O_WRONLY};
    for (int fd = 0; fd < 3; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", flags[fd]) < 0)
            break;
    signal(SIGPIPE, SIG_IGN);
}

static bool failed(const struct sink *sink, int why, struct error *err)
{
    if (why == EPIPE)
        return fail_with(err, ERR_CANCELLED, "nobody reads the output");
    return fail_with(err, ERR_IO, "%s: cannot be written: %s",
                     sink->path ? sink->path : "standard output", strerror(why));
}

static bool is_special(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && !S_ISREG(st.st_mode);
}

// A handler of signals has no other way to know a name. Only read while `unfinished`.
static char unfinished_path[4096];
static volatile sig_atomic_t unfinished;

static void remove_unfinished(int number)
{
    if (unfinished)
        unlink(unfinished_path);
    raise(number); // the default again, by SA_RESETHAND
}

// Signals that somebody ignores (nohup) stay ignored.
static void remove_on_signal(const char *path)
{
    static const int numbers[] = {SIGHUP, SIGINT, SIGTERM};
    snprintf(unfinished_path, sizeof unfinished_path, "%s", path);
    unfinished = true;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction now,
            handler = {.sa_handler = remove_unfinished, .sa_flags = (int)SA_RESETHAND};
        sigemptyset(&handler.sa_mask);
        if (sigaction(numbers[i], NULL, &now) == 0 && now.sa_handler == SIG_DFL)
            sigaction(numbers[i], &handler, NULL);
    }
}

static int make_temporary(struct sink *sink)
{
    size_t size = sizeof sink->temporary;
    if (!file_follow(sink->target, sizeof sink->target, sink->path))
        return -1;
    int n = snprintf(sink->temporary, size, "%s.XXXXXX", sink->target);
    if (n < 0 || (size_t)n >= size) {
        errno = ENAMETOOLONG;
        return -1;
    }
    return mkstemp(sink->temporary);
}

// No signal comes between the file and the knowledge of it.
static int open_temporary(struct sink *sink)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    int fd = make_temporary(sink), why = errno;
    if (fd < 0)
        sink->temporary[0] = '\0';
    else
        remove_on_signal(sink->temporary);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = why;
    return fd;
}

bool sink_open(struct sink *sink, const char *path, struct error *err)
{
    *sink = (struct sink){.fd = STDOUT_FILENO, .path = path};
    if (!path)
        return true;
    if (is_special(path))
        sink->fd = open(path, O_WRONLY | O_CLOEXEC);
    else
        sink->fd = open_temporary(sink);
    return sink->fd >= 0 || failed(sink, errno, err);
}

bool sink_write(struct sink *sink, const char *data, size_t size, struct error *err)
{
    while (size) {
        ssize_t n = write(sink->fd, data, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno == EAGAIN) { // somebody made the pipe non-blocking
            poll(&(struct pollfd){.fd = sink->fd, .events = POLLOUT}, 1, -1);
            continue;
        }
        if (n < 0)
            return failed(sink, errno, err);
        data += n;
        size -= (size_t)n;
    }
    return true;
}

// The permissions that a file made by the shell's > would have.
static bool set_permissions(const struct sink *sink)
{
    mode_t mask = umask(0);
    umask(mask);
    return fchmod(sink->fd, 0666 & ~mask) == 0;
}

bool sink_close(struct sink *sink, bool keep, struct error *err)
{
    if (!sink->path || sink->fd < 0)
        return true;
    bool publish = keep && sink->temporary[0];
    bool ok = !publish || set_permissions(sink);
    int why = errno;
    if (close(sink->fd) != 0 && ok) { // some file systems write only now
        ok = false;
        why = errno;
    }
    if (ok && publish && rename(sink->temporary, sink->target) != 0) {
        ok = false;
        why = errno;
    }
    if (sink->temporary[0] && (!keep || !ok))
        unlink(sink->temporary);
    unfinished = false;
    sink->fd = -1;
    return ok || failed(sink, why, err);
}

bool sink_put(const char *path, const struct buf *out, struct error *err)
{
    struct sink sink;
    if (!sink_open(&sink, path, err))
        return false;
    bool written = sink_write(&sink, out->data, out->length, err);
    return sink_close(&sink, written, written ? err : NULL) && written;
}
