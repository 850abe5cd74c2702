/* SPDX-License-Identifier: MIT */
#include "cli/compare/against.h"

#include "base/os/file.h"
#include "base/text/json.h"
#include "base/text/number.h"
#include "base/text/text.h"
#include "study/levels.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES_MAX = 1 << 28 };

static const char *text_of(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    return text ? text : "";
}

enum tw_status tw_against_read(const char *path, struct tw_against *against, struct tw_error *err)
{
    unsigned char *data = NULL;
    size_t length = 0;
    *against = (struct tw_against){.path = path};
    enum tw_status status = tw_file_read(path, BYTES_MAX, &data, &length, err);
    if (status == TW_OK)
        status = tw_json_load(data, length, JSON_REJECT_DUPLICATES, &against->root, NULL);
    free(data);
    if (status == TW_MEMORY)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    if (status == TW_IO)
        return tw_file_as_input(status, err);
    if (status == TW_OK && strncmp(text_of(against->root, "format"), "thalweg.compare/", 16) == 0 &&
        json_is_array(json_object_get(against->root, "seeds")))
        return TW_OK;
    if (!against->root && status != TW_INPUT)
        return status;
    return tw_error_set(err, TW_INPUT,
                        "%s: has no samples of an experiment; expected what compare --json printed",
                        path);
}

void tw_against_release(struct tw_against *against)
{
    json_decref(against->root);
    free(against->rows);
    *against = (struct tw_against){0};
}

/* ---- finding what corresponds ---- */

static bool has_size(const json_t *old, const struct tw_comparison *c, int32_t variant)
{
    int32_t side = tw_side_of(c, variant);
    char text[32];
    json_t *size = json_object_get(old, "size");
    if (side > 0)
        return json_integer_value(size) == side;
    snprintf(text, sizeof text, "%dx%d", (int)c->width, (int)c->height);
    return strcmp(text_of(old, "size"), text) == 0;
}

/* The variant of that name, size and crossed values; NULL: none. */
static const json_t *find_variant(const struct tw_against *a, const struct tw_comparison *c,
                                  int32_t variant)
{
    const struct tw_experiment *e = c->experiment;
    const struct tw_factor_level *level = &e->levels[tw_level_of(e, variant)];
    const json_t *list = json_object_get(a->root, "variants");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *old = json_array_get(list, i);
        bool same = strcmp(text_of(old, "name"), e->variants[variant].name) == 0 &&
                    has_size(old, c, variant);
        for (int32_t k = 0; same && k < level->setting_count; k++)
            same = strcmp(text_of(json_object_get(old, "params"), level->settings[k].name),
                          level->settings[k].text) == 0;
        if (same)
            return old;
    }
    return NULL;
}

/* Where the seed is in the earlier list, looked for from `from` on; -1: nowhere. */
static int64_t find_seed(const json_t *seeds, uint64_t seed, size_t from)
{
    size_t count = json_array_size(seeds);
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, seed);
    for (size_t i = 0; i < count; i++) {
        size_t at = (from + i) % count;
        const char *old = json_string_value(json_array_get(seeds, at));
        if (old && strcmp(old, text) == 0)
            return (int64_t)at;
    }
    return -1;
}

/* As a document has it. */
static double as_printed(double sample)
{
    char text[40];
    double printed = sample;
    tw_number_print_digits(text, sizeof text, 9, sample);
    (void)tw_number_parse(text, &printed);
    return printed;
}

/* Lists the samples of common seeds in `now` and `then`; returns their number. */
static int32_t pair_samples(const struct tw_against *a, const struct tw_comparison *c,
                            const json_t *samples, const struct tw_against_row *row, double *now,
                            double *then)
{
    const json_t *seeds = json_object_get(a->root, "seeds");
    int32_t count = 0;
    size_t from = 0;
    for (int32_t i = 0; i < c->count; i++) {
        int64_t at = find_seed(seeds, c->seeds[i], from);
        const json_t *sample = at >= 0 ? json_array_get(samples, (size_t)at) : NULL;
        if (!json_is_number(sample))
            continue;
        from = (size_t)at + 1;
        then[count] = as_printed(json_number_value(sample));
        now[count++] = as_printed(tw_samples(c, row->variant, row->measure)[i]);
    }
    return count;
}

/* ---- statistics ---- */

static double mean_of(const double *values, int32_t count)
{
    double sum = 0;
    for (int32_t i = 0; i < count; i++)
        sum += values[i];
    return sum / count;
}

/* Digests are of what runs with the first seed: those of another one say nothing. */
static bool is_first_seed(const struct tw_against *a, const struct tw_experiment *e)
{
    const char *old = json_string_value(json_array_get(json_object_get(a->root, "seeds"), 0));
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, tw_experiment_seed(e, 0));
    return old && strcmp(old, text) == 0;
}

static enum tw_status add_row(struct tw_against *a, const struct tw_comparison *c, int32_t variant,
                              int32_t measure, double *now, struct tw_error *err)
{
    const json_t *old = find_variant(a, c, variant);
    const json_t *fields =
        json_object_get(json_object_get(old, "measures"), c->experiment->measures[measure].name);
    const char *digest = text_of(old, "digest");
    struct tw_against_row *row = &a->rows[a->count];
    double *then = now + c->count;
    *row = (struct tw_against_row){.variant = variant, .measure = measure};
    int32_t count = pair_samples(a, c, json_object_get(fields, "samples"), row, now, then);
    if (count == 0) {
        a->missing++;
        return TW_OK;
    }
    if (digest[0] && c->digests && is_first_seed(a, c->experiment))
        row->recipe = strcmp(digest, c->digests[variant]) == 0 ? 1 : -1;
    row->after = mean_of(now, count);
    row->before = mean_of(then, count);
    a->count++;
    return tw_paired_find(now, then, count, &row->paired, err);
}

/* Corrects all rows together, and sets their words. */
static enum tw_status correct(struct tw_against *a, const struct tw_experiment *e,
                              struct tw_error *err)
{
    struct tw_paired **all = calloc((size_t)a->count + 1, sizeof *all);
    if (!all)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    for (int32_t i = 0; i < a->count; i++)
        all[i] = &a->rows[i].paired;
    enum tw_status status = tw_paired_holm(all, a->count, err);
    for (int32_t i = 0; status == TW_OK && i < a->count; i++)
        tw_paired_judge(all[i], a->count, e->measures[a->rows[i].measure].goal);
    free(all);
    return status;
}

enum tw_status tw_against_judge(struct tw_against *a, const struct tw_comparison *c,
                                struct tw_error *err)
{
    const struct tw_experiment *e = c->experiment;
    size_t most = (size_t)e->variant_count * (size_t)e->measure_count;
    double *samples = calloc(2 * (size_t)c->count + 1, sizeof *samples);
    enum tw_status status = TW_OK;
    a->rows = calloc(most + 1, sizeof *a->rows);
    if (!samples || !a->rows)
        status = tw_error_set(err, TW_MEMORY, "out of memory");
    for (int32_t v = 0; status == TW_OK && v < e->variant_count; v++)
        for (int32_t m = 0; status == TW_OK && m < e->measure_count; m++)
            if (!tw_measure_is_seconds(&e->measures[m]))
                status = add_row(a, c, v, m, samples, err);
    free(samples);
    return status == TW_OK ? correct(a, e, err) : status;
}

bool tw_against_differs(const struct tw_against *a)
{
    for (int32_t i = 0; i < a->count; i++) {
        enum tw_verdict verdict = a->rows[i].paired.verdict;
        if (verdict == TW_WORSE || verdict == TW_HIGHER || verdict == TW_LOWER)
            return true;
    }
    return false;
}

/* ---- output ---- */

static const char *const recipe_names[] = {"changed", "unknown", "same"};

void tw_against_text(FILE *out, const struct tw_against *a, const struct tw_comparison *c)
{
    const struct tw_experiment *e = c->experiment;
    fputs("\nagainst ", out);
    tw_text_write(out, a->path, TW_TEXT_TERMINAL);
    fprintf(out, ": %d mean%s over seeds that both have, all corrected together\n", (int)a->count,
            a->count == 1 ? "" : "s");
    for (int32_t i = 0; i < a->count; i++) {
        const struct tw_against_row *row = &a->rows[i];
        fputs("  ", out);
        tw_level_write_variant(out, e, &e->variants[row->variant], TW_TEXT_TERMINAL);
        fputs(", ", out);
        tw_text_write(out, e->measures[row->measure].name, TW_TEXT_TERMINAL);
        fprintf(out, ": %.6g, was %.6g, %+.3g", row->after, row->before, row->paired.difference);
        if (row->paired.low == row->paired.low)
            fprintf(out, " [%+.3g, %+.3g]", row->paired.low, row->paired.high);
        fprintf(out, " over %d seed%s, recipe %s: %s\n", (int)row->paired.count,
                row->paired.count == 1 ? "" : "s", recipe_names[row->recipe + 1],
                tw_verdict_names[row->paired.verdict]);
    }
    if (a->missing > 0)
        fprintf(out, "  %d not in it, or without a seed in common\n", (int)a->missing);
}

static json_t *row_json(const struct tw_comparison *c, const struct tw_against_row *row)
{
    const struct tw_experiment *e = c->experiment;
    const struct tw_paired *p = &row->paired;
    json_t *interval = p->low == p->low ? json_pack("[f, f]", p->low, p->high) : NULL;
    return json_pack("{s:s, s:i, s:s, s:i, s:f, s:f, s:f, s:o?, s:f, s:f, s:s, s:s}", "variant",
                     e->variants[row->variant].name, "level", (int)tw_level_of(e, row->variant) + 1,
                     "measure", e->measures[row->measure].name, "count", (int)p->count, "before",
                     row->before, "after", row->after, "difference", p->difference, "interval",
                     interval, "wilcoxon_p", p->wilcoxon_p, "holm_p", p->holm_p, "verdict",
                     tw_verdict_names[p->verdict], "recipe", recipe_names[row->recipe + 1]);
}

json_t *tw_against_json(const struct tw_against *a, const struct tw_comparison *c)
{
    json_t *rows = json_array();
    for (int32_t i = 0; i < a->count; i++)
        json_array_append_new(rows, row_json(c, &a->rows[i]));
    return json_pack("{s:s, s:o, s:i, s:b}", "file", a->path, "means", rows, "missing",
                     (int)a->missing, "differs", (int)tw_against_differs(a));
}
