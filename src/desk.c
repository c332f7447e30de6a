// SPDX-License-Identifier: MIT
// Saving for the window. See desk.h.
#include "desk.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "formats/model_dir.h"
#include "paper/paper.h"

static bool write_picture(void *context, enum sheet_kind kind, const struct sheet *sheet,
                          struct buf *out, struct error *err)
{
    struct desk *desk = context;
    char assets[4096], fonts[4200];
    if (!data_path("assets", assets, sizeof assets) ||
        !file_join(fonts, sizeof fonts, assets, "fonts"))
        return fail_with(err, ERR_IO, "the fonts were not found: nothing was saved");
    if (!desk->paper)
        desk->paper = paper_create(fonts, true, err);
    return desk->paper && paper_write(desk->paper, kind, sheet, out, err);
}

// Whoever starts the program from a menu stands nowhere in particular.
static bool from_a_terminal(void)
{
    return isatty(STDIN_FILENO) || isatty(STDERR_FILENO);
}

static const char *find_directory(struct desk *desk)
{
    const char *home = getenv("HOME");
    if (from_a_terminal() || !home || !*home)
        return NULL;
    if (file_join(desk->directory, sizeof desk->directory, home, "Pictures") &&
        file_is_directory(desk->directory))
        return desk->directory;
    return home;
}

struct app_files desk_files(struct desk *desk)
{
    return (struct app_files){find_directory(desk), write_picture, desk};
}

void desk_finish(struct desk *desk)
{
    paper_destroy(desk->paper);
    *desk = (struct desk){0};
}
