// SPDX-License-Identifier: MIT
// The table of text formats: what `alphascope trace` writes and the window saves.
#include "formats/write.h"

const struct write_format write_formats[WRITE_FORMATS] = {
    [WRITE_JSON] = {"json", ".json", false, false, write_json},
    [WRITE_TSV] = {"tsv", ".tsv", true, false, write_tsv},
    [WRITE_TEXT] = {"text", ".txt", true, false, write_text},
    [WRITE_PHARAOH] = {"pharaoh", ".pharaoh", false, true, write_pharaoh},
    [WRITE_SOFT] = {"soft", ".soft", false, true, write_soft},
};
