// SPDX-License-Identifier: MIT
// The whole of --help: one page, ordered by what somebody wants to do.
#include "cli/cli.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const char help_text[] =
    "alphascope: watch an attentional encoder-decoder look back at a sentence\n"
    "\n"
    "alphascope [MODEL|SESSION] [OPTION...]   the window\n"
    "alphascope trace [OPTION...]             sentences to alignments, no window\n"
    "alphascope evaluate [OPTION...]          BLEU, entropy, alignment error on files\n"
    "alphascope inspect FILE|DIR              what a weight file or a model holds\n"
    "alphascope models [--format text|json]   what is bundled\n"
    "alphascope attend [SHEET]                Attention(Q, K, V) of typed matrices\n"
    "alphascope bench [MODEL]                 kernels, decoding, window: their times\n"
    "alphascope --help | --version\n"
    "\n"
    "MODEL is the id of a bundled model, a model directory, its config.json or its\n"
    ".safetensors file. Without it the bundled English to French one opens\n"
    "(en-fr-bahdanau, RNNsearch). SESSION is a file that the window has\n"
    "saved, .alphascope: it opens to the same picture.\n"
    "\n"
    "The window\n"
    "  --text S              the sentence it opens with\n"
    "  --tau X               temperature of the softmax: 0 (hard) to inf (uniform)\n"
    "  --mode M              re-read: tau on stored scores; re-decode: in the loop\n"
    "  --theme dark|light    colours\n"
    "  --scale X             size of everything, 0.5 to 4\n"
    "  --size WxH            of the window in pixels, like 1440x900\n"
    "  --report              say on standard output what is shown, a line each time\n"
    "  --script FILE         commands to carry out, one a line\n"
    "\n"
    "trace: reads one sentence a line from standard input, writes in the same order\n"
    "  -t, --text S          this sentence instead of standard input\n"
    "  -m, --model MODEL     as above\n"
    "  --tau X               0 to inf; 1 is the model as it was trained\n"
    "  --mode re-decode      tau inside the loop: words may change (the default)\n"
    "  --mode re-read        decode at 1, then apply tau to the stored scores\n"
    "  --beam K              beam search, 1 to 16 wide, instead of greedy decoding\n"
    "  --length A            its results by log p / ((5 + tokens) / 6)^A (0.6)\n"
    "  --nbest N             the N best of it, not the best alone: JSON \"hypotheses\",\n"
    "                        else i ||| words ||| 0-0 2-1 ||| F0= log p ||| score\n"
    "  --force TARGET        the alignment of this translation of --text; - takes\n"
    "                        lines of source TAB target\n"
    "  --alpha-dropout P     drop weights of alpha, as training does (0 to 0.99)\n"
    "  --seed N              of the dropout (0)\n"
    "  --threads N           1 to 64; without it, all processors\n"
    "  -f, --format json     one object a line (the default)\n"
    "  -f, --format tsv      the matrix with its labels\n"
    "  -f, --format text     an aligned table, * on each row's maximum\n"
    "  -f, --format pharaoh  words ||| 0-0 2-1 ..., as aligners write it\n"
    "  -f, --format soft     words ||| every weight, a group for each target\n"
    "  -f, --format png      the picture; one sentence, no display needed\n"
    "  -f, --format svg|pdf  the same picture as vectors\n"
    "  -o, --output FILE     instead of standard output; without --format its ending\n"
    "                        (.json, .tsv, .txt, .pharaoh, .soft, .png, .svg, .pdf)\n"
    "                        chooses the format\n"
    "  --scale X             pictures: pixels per unit, 0.5 to 4\n"
    "  --theme dark|light    pictures: colours\n"
    "\n";

// A string may have 4095 bytes.
static const char more_text[] =
    "evaluate: scores models on files; a line that cannot be scored is named\n"
    "  -m, --model MODEL     as above; several times: side by side\n"
    "  --test FILE           source TAB reference [TAB reference...]; - is stdin\n"
    "  --refs FILE           the same sources, line by line, with more references\n"
    "  --exact               also the share of translations that are a reference\n"
    "  --joined              also BLEU of 2 to 6 lines joined\n"
    "  --gold FILE           source TAB target TAB links (i-j sure, i?j possible);\n"
    "                        error rate of arg-max links under forced decoding;\n"
    "                        several times\n"
    "  --natural             gold text without the spaces people do not write\n"
    "  --threshold X         a link needs more than X of a row (0.2)\n"
    "  --max-tokens N        AER also on pairs of at most N source tokens (12)\n"
    "  --tau X               temperature inside the loop\n"
    "  --beam K, --length A  as above, for --test\n"
    "  --threads N           1 to 64; without it, all processors\n"
    "  -f, --format text     a table, a column for each model (the default)\n"
    "  -f, --format json     one object a line for each model\n"
    "  -o, --output FILE     instead of standard output\n"
    "\n"
    "attend: SHEET is a file of JSON, or the name of a bundled one: three-keys,\n"
    "three-keys-causal, soft-lookup, self-attention, self-attention-weights,\n"
    "scaling, order, order-positions, large-scores; without it, standard input\n"
    "  -f, --format text     tables (the default)\n"
    "  -f, --format json     one object\n"
    "  -o, --output FILE     instead of standard output\n"
    "\n"
    "A sentence may have 4096 bytes and 512 tokens; more is cut off, and said.\n"
    "Exit status: 0 done, 1 the input could not be used, 2 wrong usage.\n"
    "ALPHASCOPE_DATA names the directory that holds models/ and assets/.\n"
    "\n"
    "Examples\n"
    "  alphascope --text \"The black cat sleeps.\"\n"
    "  alphascope trace --text \"The black cat sleeps.\" --format text\n"
    "  alphascope trace --tau 0.5 < sentences.txt > alignments.json\n"
    "  alphascope trace --text \"The black cat sleeps.\" --scale 2 -o cat.png\n"
    "  alphascope evaluate --model dates --test dates.tsv --exact\n"
    "  alphascope inspect models/en-fr-bahdanau/model.safetensors\n"
    "  alphascope attend three-keys-causal\n";

void cli_help(void)
{
    bool ok = fputs(help_text, stdout) >= 0 && fputs(more_text, stdout) >= 0;
    ok = fflush(stdout) == 0 && ok;
    if (!ok && errno != EPIPE)
        fprintf(stderr, "alphascope: standard output: cannot be written: %s\n",
                strerror(errno));
}
