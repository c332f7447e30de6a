// SPDX-License-Identifier: MIT
// Score, softmax and blend of one row (Bahdanau, Cho, Bengio 2015; Luong, Pham, Manning
// 2015), in the order of the stable softmax: mask, divide by τ, subtract the maximum,
// exp, divide by the sum. Every number comes from the row; none is made up. See
// specimen.h.
#include "view/specimen.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "view/tau.h"

static bool is_edited(const struct specimen *row)
{
    const double rounding = 1e-4;
    bool edited = false, may_be = row->now->edited || row->now->dropout > 0;
    for (int s = 0; may_be && s < row->n; s++) {
        double made = softmax_power(&row->parts, row->e, s) / row->parts.sum;
        edited = edited || fabs(made - (double)row->alpha[s]) > rounding;
    }
    return edited;
}

const char *specimen_deed(const struct specimen *row)
{
    return row->now->edited ? "edited" : "dropout";
}

bool specimen_take(struct specimen *out, const struct scene *scene,
                   const struct scope_words *words, float tau)
{
    const struct alignment *now = scene->now;
    int t = scene->selected;
    if (!now || t < 0 || t >= scene->rows)
        return false;
    *out = (struct specimen){.now = now,
                             .words = *words,
                             .t = t,
                             .n = now->n_src,
                             .rows = scene->rows,
                             .tau = tau,
                             .reread = scene->alpha != now->alpha,
                             .map = scene->map};
    if (!now->has_attention)
        return true;
    out->e = now->score + (size_t)t * (size_t)out->n;
    out->all = scene->alpha;
    out->alpha = scene->alpha + (size_t)t * (size_t)out->n;
    if (now->blocked)
        out->blocked = now->blocked + (size_t)t * (size_t)out->n;
    out->parts = softmax_take_apart(out->e, out->blocked, out->n, tau);
    out->edited = is_edited(out);
    return true;
}

// The largest below the last threshold again and again would be slow for hundreds of
// positions, so a small sorted list is kept.
int specimen_heaviest(const struct specimen *row, int k, int *out)
{
    int count = 0;
    for (int s = 0; row->alpha && s < row->n; s++) {
        int place = count;
        while (place > 0 && row->alpha[out[place - 1]] < row->alpha[s])
            place--;
        if (place >= k)
            continue;
        int last = count < k ? count++ : k - 1;
        memmove(out + place + 1, out + place, sizeof *out * (size_t)(last - place));
        out[place] = s;
    }
    return count;
}

const char *step_name(const struct specimen *row, enum scope_step step)
{
    static const char *const names[SCOPE_STEPS] = {
        "overview", "score", "mask", "÷ τ", "− max", "exp", "÷ Σ", "blend", "next word"};
    return step == SCOPE_WORD && row->now->blends ? "output" : names[step];
}

bool specimen_pooled(const struct specimen *row)
{
    return row->now->maps && !map_single(row->now->attention);
}

bool specimen_reads_nothing(const struct specimen *row)
{
    return row->now->has_attention && row->parts.best < 0 && !specimen_pooled(row);
}

bool specimen_is_blocked(const struct specimen *row, int s)
{
    return row->blocked && row->blocked[s];
}

const char *step_digit(enum scope_step step)
{
    static const char *const digits[SCOPE_STEPS] = {"",   "1",  "2a", "2b", "2c",
                                                    "2d", "2e", "3a", "3b"};
    return digits[step];
}

static void format_signed(char *out, size_t size, double value)
{
    const char *sign = signbit(value) ? "−" : "+";
    double amount = fabs(value);
    if (isinf(value))
        snprintf(out, size, "%s∞", sign);
    else if (amount < 0.005) // no "−0.00"
        snprintf(out, size, "0.00");
    else
        snprintf(out, size, amount < 1e5 ? "%s%.2f" : "%s%.2e", sign, amount);
}

static void format_power(char *out, size_t size, double value)
{
    if (value > 0 && value < 0.00005)
        snprintf(out, size, "<0.0001");
    else
        snprintf(out, size, value > 0 && value < 0.0005 ? "%.4f" : "%.3f", value);
}

const char *specimen_value(const struct specimen *row)
{
    return row->now->blends || row->now->maps ? "v" : "h";
}

void specimen_value_name(const struct specimen *row, int s, char *out, size_t size)
{
    static const char *const digits[] = {"₀", "₁", "₂", "₃", "₄",
                                         "₅", "₆", "₇", "₈", "₉"};
    int n = s + 1, hundreds = n / 100 % 10, tens = n / 10 % 10;
    snprintf(out, size, "%s%s%s%s", specimen_value(row), n >= 100 ? digits[hundreds] : "",
             n >= 10 ? digits[tens] : "", digits[n % 10]);
}

double step_value(const struct specimen *row, enum scope_step step, int s)
{
    if (specimen_is_blocked(row, s) && step != SCOPE_SCORE)
        return step == SCOPE_SCALE || step == SCOPE_SHIFT ? -(double)INFINITY : 0;
    switch (step) {
    case SCOPE_SCORE:
        return (double)row->e[s];
    case SCOPE_SCALE:
        return softmax_scaled(&row->parts, row->e[s]);
    case SCOPE_SHIFT:
        return softmax_shifted(&row->parts, row->e[s]);
    case SCOPE_EXP:
        return softmax_power(&row->parts, row->e, s);
    case SCOPE_ALPHA:
    case SCOPE_BLEND:
        return (double)row->alpha[s];
    default:
        return 0;
    }
}

void step_text(const struct specimen *row, enum scope_step step, int s, char *out,
               size_t size)
{
    double value = step_value(row, step, s);
    char name[32];
    if (isnan(value)) { // masked, and never made
        snprintf(out, size, "–");
        return;
    }
    switch (step) {
    case SCOPE_MASK:
        snprintf(out, size, specimen_is_blocked(row, s) ? "−∞" : "+0");
        break;
    case SCOPE_EXP:
        format_power(out, size, value);
        break;
    case SCOPE_ALPHA:
        snprintf(out, size, "%.3f", value);
        break;
    case SCOPE_BLEND:
        specimen_value_name(row, s, name, sizeof name);
        snprintf(out, size, "%.3f %s", (double)row->alpha[s], name);
        break;
    default:
        format_signed(out, size, value);
    }
}

void step_total(const struct specimen *row, enum scope_step step, char *out, size_t size)
{
    char number[32];
    double sum = 0;
    out[0] = '\0';
    if (step == SCOPE_SCORE || step == SCOPE_SCALE) {
        format_signed(number, sizeof number,
                      step == SCOPE_SCORE ? (double)row->parts.best_e : row->parts.most);
        snprintf(out, size, "max %s", number);
    } else if (step == SCOPE_EXP) {
        snprintf(out, size, "Σ %.3f", row->parts.sum);
    } else if (step == SCOPE_ALPHA) {
        for (int s = 0; s < row->n; s++)
            sum += (double)row->alpha[s];
        snprintf(out, size, "Σ %.3f", sum);
    } else if (step == SCOPE_BLEND) {
        snprintf(out, size, "Σ = c");
    }
}

void step_formula(const struct specimen *row, enum scope_step step, char *out,
                  size_t size)
{
    char tau[32], most[32];
    tau_format(tau, sizeof tau, row->tau);
    format_signed(most, sizeof most, row->parts.most);
    switch (step) {
    case SCOPE_SCORE:
        snprintf(out, size, "%s", row->words.formula);
        break;
    case SCOPE_MASK:
        snprintf(out, size, "e + mask");
        break;
    case SCOPE_SCALE:
        snprintf(out, size, "a = e / τ,   τ = %s", tau);
        break;
    case SCOPE_SHIFT:
        snprintf(out, size, row->tau > 0 ? "a − max a,   max a = %s" : "a − max a", most);
        break;
    case SCOPE_EXP:
        snprintf(out, size, "exp(a − max a)");
        break;
    case SCOPE_ALPHA:
        snprintf(out, size, "α = exp(a − max a) / %.3f%s%s", row->parts.sum,
                 row->edited ? ", then " : "", row->edited ? specimen_deed(row) : "");
        break;
    case SCOPE_BLEND:
        snprintf(out, size, "c = Σ α %s", specimen_value(row));
        break;
    default:
        snprintf(out, size,
                 row->now->blends ? "c, row by row the output" : "p(next word)");
    }
}

static const char *scale_reason(float tau)
{
    if (!(tau > 0))
        return "τ = 0 is the limit: every gap becomes endless, the first maximum takes "
               "all.";
    if (isinf(tau))
        return "τ = ∞ is the limit: every gap closes, all positions are alike.";
    if (tau < 1)
        return "τ below 1 widens the gaps between the scores.";
    if (tau > 1)
        return "τ above 1 narrows the gaps between the scores.";
    return "τ = 1 leaves the scores as they are.";
}

// The query and the key by name, and how long the query is.
static void score_reason(const struct specimen *row, char *out, size_t size)
{
    char length[48] = "";
    if (row->now->query_norm[row->t] > 0)
        snprintf(length, sizeof length, ", length %.2f",
                 (double)row->now->query_norm[row->t]);
    snprintf(out, size,
             "How well the query fits the key of each position. Query: %s%s. Key: %s.",
             row->words.query, length, row->words.key);
}

// Re-reading makes another c than the one that was decoded: its length is not known.
bool specimen_knows_context(const struct specimen *row)
{
    return !row->reread && row->now->context_norm[row->t] > 0;
}

static void blend_reason(const struct specimen *row, char *out, size_t size)
{
    double sum = 0;
    for (int s = 0; s < row->n; s++)
        sum += (double)row->alpha[s] * (double)row->now->memory_norm[s];
    size_t used = (size_t)snprintf(
        out, size,
        row->now->blends || row->now->maps
            ? "One vector for the whole memory, made for this query."
            : "One vector for the whole sentence, made anew for this word.");
    if (specimen_knows_context(row) && sum > 0 && used < size)
        snprintf(out + used, size - used,
                 " Its length is %.2f; those of its terms sum to %.2f.",
                 (double)row->now->context_norm[row->t], sum);
}

static void mask_reason(const struct specimen *row, char *out, size_t size)
{
    int blocked = 0;
    for (int s = 0; s < row->n; s++)
        blocked += specimen_is_blocked(row, s);
    if (blocked)
        snprintf(out, size,
                 "%d of %d may not be read: −∞ here, so exp gives 0 and α = 0. They have "
                 "no part in the sum.",
                 blocked, row->n);
    else
        snprintf(out, size,
                 row->now->blends
                     ? "Nothing is masked in this row. A mask puts −∞ here, and so α = 0."
                     : "Nothing is masked: a single sentence has no padding. Padding "
                       "would get −∞ here, and so α = 0.");
}

void step_reason(const struct specimen *row, enum scope_step step, char *out, size_t size)
{
    static const char *const reasons[SCOPE_STEPS] = {
        [SCOPE_SHIFT] =
            "α stays the same, for the maximum cancels, and exp cannot overflow: "
            "no exponent is above 0.",
        [SCOPE_EXP] =
            "Gaps become ratios: a score that is 1 less weighs 2.72 times less.",
        [SCOPE_ALPHA] = "Divided by their sum, the weights of a row sum to 1.",
    };
    if (step == SCOPE_SCORE)
        score_reason(row, out, size);
    else if (step == SCOPE_MASK)
        mask_reason(row, out, size);
    else if (step == SCOPE_BLEND)
        blend_reason(row, out, size);
    else if (step == SCOPE_ALPHA && row->edited)
        snprintf(out, size, "%s: what the softmax gives → what the decoder read.",
                 row->now->edited ? "Edited" : "Dropout");
    else if (step == SCOPE_SCALE)
        snprintf(out, size, "%s", scale_reason(row->tau));
    else if (step == SCOPE_WORD)
        snprintf(out, size, "%s",
                 row->now->blends ? "The blend is the output: a number for each column "
                                    "of V."
                 : row->now->maps
                     ? "Joined with what the other heads read; more layers follow before "
                       "the next word."
                 : !row->now->has_attention
                     ? "The decoder reads c = m, its state and the word before."
                 : row->reread ? "As decoded at τ = 1: re-reading keeps the words."
                               : "The decoder reads c, its state and the word before.");
    else
        snprintf(out, size, "%s", reasons[step] ? reasons[step] : "");
}

// Without its plus, and a negative one in brackets where it follows a sign.
static const char *bare(const char *number)
{
    return number + (number[0] == '+');
}

void step_work(const struct specimen *row, enum scope_step step, int s, char *out,
               size_t size)
{
    char value[32], e[32], scaled[32], shifted[32], power[32], most[32], tau[32];
    tau_format(tau, sizeof tau, row->tau);
    step_text(row, step, s, value, sizeof value);
    step_text(row, SCOPE_SCORE, s, e, sizeof e);
    if (specimen_is_blocked(row, s) && step != SCOPE_MASK)
        snprintf(e, sizeof e, "−∞");
    step_text(row, SCOPE_SCALE, s, scaled, sizeof scaled);
    step_text(row, SCOPE_SHIFT, s, shifted, sizeof shifted);
    step_text(row, SCOPE_EXP, s, power, sizeof power);
    format_signed(most, sizeof most, row->parts.most);
    bool limit = !(row->tau > 0);
    char best[32];
    format_signed(best, sizeof best, (double)row->parts.best_e);
    switch (step) {
    case SCOPE_MASK:
        if (specimen_is_blocked(row, s))
            snprintf(out, size, "%s − ∞ = −∞", bare(e));
        else
            snprintf(out, size, "%s + 0 = %s", bare(e), bare(e));
        break;
    case SCOPE_SCALE:
        snprintf(out, size, "%s / %s %s %s", bare(e), tau, limit ? "→" : "=",
                 bare(value));
        break;
    case SCOPE_SHIFT:
        if (limit)
            snprintf(out, size, "(%s − %s) / 0 → %s", bare(e), bare(best), value);
        else
            snprintf(out, size, row->parts.most < 0 ? "%s − (%s) = %s" : "%s − %s = %s",
                     bare(scaled), bare(most), value);
        break;
    case SCOPE_EXP:
        snprintf(out, size, "exp(%s) = %s", shifted, value);
        break;
    case SCOPE_ALPHA:
        if (row->edited)
            snprintf(out, size, "%.3f → %s",
                     softmax_power(&row->parts, row->e, s) / row->parts.sum, value);
        else
            snprintf(out, size, "%s / %.3f = %s", power, row->parts.sum, value);
        break;
    default:
        snprintf(out, size, "%s", value);
    }
}
