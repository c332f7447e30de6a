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

static int open_temporary(struct sink *sink)
{
    size_t size = sizeof sink->temporary;
    int n = snprintf(sink->temporary, size, "%s.XXXXXX", sink->path);
    if (n < 0 || (size_t)n >= size) {
        errno = ENAMETOOLONG;
        sink->temporary[0] = '\0';
        return -1;
    }
    int fd = mkstemp(sink->temporary);
    if (fd < 0)
        sink->temporary[0] = '\0';
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
static bool publish(const struct sink *sink)
{
    mode_t mask = umask(0);
    umask(mask);
    return fchmod(sink->fd, 0666 & ~mask) == 0 &&
           rename(sink->temporary, sink->path) == 0;
}

bool sink_close(struct sink *sink, bool keep, struct error *err)
{
    if (!sink->path || sink->fd < 0)
        return true;
    bool ok = !keep || !sink->temporary[0] || publish(sink);
    int why = errno;
    if (sink->temporary[0] && (!keep || !ok))
        unlink(sink->temporary);
    if (close(sink->fd) != 0 && ok) {
        ok = false;
        why = errno;
    }
    sink->fd = -1;
    return ok || failed(sink, why, err);
}
