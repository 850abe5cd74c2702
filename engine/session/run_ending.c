/* SPDX-License-Identifier: MIT */
#include "session/run_ending.h"

#include "base/text/text.h"
#include "console/findings.h"
#include "console/last_line.h"
#include "session/run_report.h"

#include <stdlib.h>

void tw_run_print_times(const struct tw_settings *settings, const struct tw_recipe_set *parts)
{
    for (int32_t p = 0; p < parts->count; p++) {
        const struct tw_recipe_entry *part = &parts->at[p];
        int32_t computed;
        double seconds = tw_run_recipe_seconds(part, &computed);
        tw_case_time(part->file, seconds);
        if (settings->quiet || settings->json || settings->dry_run || parts->count == 1)
            continue;
        tw_text_write(stderr, part->file, TW_TEXT_TERMINAL);
        fprintf(stderr, ": %d of %d nodes computed, %.3f s\n", (int)computed,
                (int)part->report.needed, seconds);
    }
}

static int32_t list_failed(const struct tw_recipe_set *parts, struct tw_failed_recipe *failed)
{
    int32_t count = 0;
    for (int32_t p = 0; p < parts->count; p++)
        if (parts->at[p].fault.status != TW_OK)
            failed[count++] = (struct tw_failed_recipe){parts->at[p].file, &parts->at[p].fault};
    return count;
}

static void put_counts(FILE *out, const struct tw_settings *settings,
                       const struct tw_recipe_set *parts, bool whole)
{
    struct tw_run_sums sums = tw_run_sum(parts);
    int32_t there = 0;
    for (int32_t p = 0; p < parts->count; p++)
        for (int32_t i = 0; i < parts->at[p].report.export_count; i++)
            there += parts->at[p].report.exports[i].there;
    if (whole)
        fprintf(out, "%d recipe%s: ", (int)parts->count, parts->count == 1 ? "" : "s");
    if (settings->dry_run)
        fprintf(out, "%d of %d nodes are in the cache; nothing was run", (int)sums.hits,
                (int)sums.needed);
    else
        fprintf(out, "%d export%s written, %d unchanged", (int)sums.written,
                sums.written == 1 ? "" : "s", (int)(there - sums.written));
}

void tw_run_print_ending(const struct tw_settings *settings, const struct tw_recipe_set *parts,
                         const struct tw_error *error)
{
    struct tw_last_line line;
    struct tw_failed_recipe *failed = calloc((size_t)parts->count + 1, sizeof *failed);
    int32_t count = failed ? list_failed(parts, failed) : 0;
    tw_last_line_begin(&line, settings);
    if (!line.out) {
        free(failed);
        return;
    }
    tw_last_line_fail(&line, failed, count, parts->count);
    if (error->status == TW_CANCELLED)
        fputs("stopped; ", line.out);
    else if (error->status != TW_OK && count == 0) {
        fputs("failed: ", line.out);
        tw_text_write(line.out, error->message, TW_TEXT_TERMINAL);
        fputs("; ", line.out);
    }
    put_counts(line.out, settings, parts, count == 0 && error->status == TW_OK);
    tw_last_line_end(&line);
    free(failed);
}
