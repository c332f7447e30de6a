// SPDX-License-Identifier: MIT
// Lines done and lines a second. See progress.h. Nothing appears in the first second:
// short work needs no report.
#include "cli/progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { FIRST_MS = 1000, EVERY_MS = 200, BAR = 24 };

static uint64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000u + (uint64_t)now.tv_nsec / 1000000u;
}

static void begin(struct progress *progress, bool wanted)
{
    *progress = (struct progress){.wanted = wanted, .start_ms = now_ms()};
    progress->next_ms = progress->start_ms + FIRST_MS;
}

void progress_init(struct progress *progress, int in_fd, int out_fd)
{
    begin(progress, isatty(STDERR_FILENO) && !isatty(in_fd) && !isatty(out_fd));
}

void progress_init_bar(struct progress *progress)
{
    begin(progress, isatty(STDERR_FILENO));
}

void progress_step(struct progress *progress, long lines)
{
    progress_bar(progress, lines, -1);
}

void progress_bar(struct progress *progress, long lines, double share)
{
    char bar[BAR + 1];
    uint64_t now = progress->wanted ? now_ms() : 0;
    if (!progress->wanted || now < progress->next_ms)
        return;
    double seconds = (double)(now - progress->start_ms) / 1000.0;
    fputs("\r", stderr);
    if (share >= 0) {
        for (int i = 0; i < BAR; i++)
            bar[i] = (double)i < share * BAR ? '#' : '.';
        bar[BAR] = '\0';
        fprintf(stderr, "%s %3.0f %%  ", bar, 100 * share);
    }
    fprintf(stderr, "%ld lines, %.1f lines/s\x1b[K", lines, (double)lines / seconds);
    fflush(stderr);
    progress->next_ms = now + EVERY_MS;
    progress->shown = true;
}

void progress_clear(struct progress *progress)
{
    if (progress->shown)
        fprintf(stderr, "\r\x1b[K");
    progress->shown = false;
}
