// SPDX-License-Identifier: MIT
// What is Hugging Face's own in a directory of a MarianMT model. Inside formats/ only.
#pragma once

#include "formats/model_dir.h"

// Source and target tokenizers: pieces from source.spm and target.spm, ids from
// vocab.json and, where it is there, target_vocab.json. dir->path and the config are set;
// it learns the ids of </s> and <unk>, and the languages, if tokenizer_config.json or the
// directory's name says them.
MUST_CHECK bool marian_open(struct model_dir *dir, const char *source_spm,
                            const char *target_spm, struct error *err);
