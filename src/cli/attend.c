// SPDX-License-Identifier: MIT
// `alphascope attend`: a sheet of the calculator, computed and printed.
#include "cli/cli.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/print_options.h"
#include "formats/attend_write.h"
#include "formats/model_dir.h"

enum { OUT_BYTES = 256 << 20, BLOCK_BYTES = 1 << 16 };

static bool read_all(struct buf *bytes, struct error *err)
{
    char block[BLOCK_BYTES];
    for (;;) {
        ssize_t n = read(STDIN_FILENO, block, sizeof block);
        if (n == 0)
            return true;
        if (n < 0 && errno != EINTR)
            return fail_with(err, ERR_IO, "standard input: cannot be read: %s",
                             strerror(errno));
        if (n > 0 && !buf_append(bytes, block, (size_t)n))
            return fail_with(err, ERR_LIMIT,
                             "standard input: has more than the %d bytes of a sheet",
                             ATTEND_SHEET_BYTES);
    }
}

static bool read_stdin(struct attend_sheet *sheet, struct error *err)
{
    struct buf bytes;
    buf_init(&bytes, ATTEND_SHEET_BYTES);
    bool ok =
        read_all(&bytes, err) &&
        attend_sheet_parse(sheet, buf_text(&bytes), bytes.length, "standard input", err);
    buf_finish(&bytes);
    return ok;
}

static bool unknown(const char *word, struct error *err)
{
    struct buf names;
    buf_init(&names, 400);
    for (int i = 0; i < attend_sheet_bundled_count; i++)
        buf_printf(&names, "%s%s", i ? ", " : "", attend_sheet_bundled[i]);
    fail_with(err, ERR_IO, "no sheet '%.100s': not a path, and not bundled (%s)", word,
              buf_text(&names));
    buf_finish(&names);
    return false;
}

// A file; or else one of ours by its name.
static bool read_sheet(struct attend_sheet *sheet, const char *word, struct error *err)
{
    char assets[4096], path[4400];
    if (!word || !strcmp(word, "-"))
        return read_stdin(sheet, err);
    if (file_exists(word) || strchr(word, '/') ||
        !data_path("assets", assets, sizeof assets))
        return attend_sheet_read(sheet, word, err);
    snprintf(path, sizeof path, "%s/sheets/%.200s.json", assets, word);
    return file_exists(path) ? attend_sheet_read(sheet, path, err) : unknown(word, err);
}

static int print(const struct attend_sheet *sheet, bool json, const char *path)
{
    struct error err = {0};
    struct buf out;
    buf_init(&out, OUT_BYTES);
    bool made = (json ? attend_write_json : attend_write_text)(&out, sheet, &err);
    return print_end("attend", path, &out, made, &err);
}

int cli_attend(int argc, char **argv)
{
    struct attend_options options;
    struct attend_sheet sheet = {0};
    struct error err = {0};
    int code;
    bool read = attend_options_read(&options, argc, argv);
    if (!print_begin(read, options.help, &code))
        return code;
    code = read_sheet(&sheet, options.sheet, &err)
               ? print(&sheet, options.json, options.output)
               : say_error("attend", &err);
    attend_sheet_finish(&sheet);
    return code;
}
