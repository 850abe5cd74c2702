/* SPDX-License-Identifier: MIT */
/* How `verify` and `lock` end: the time of each recipe, and the answer in one line. */
#include "base/text/text.h"
#include "cli/gate/gate.h"
#include "console/findings.h"
#include "console/last_line.h"

#include <stdlib.h>

void tw_gate_print_times(const struct tw_settings *settings, const struct tw_gate_item *items,
                         int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        const struct tw_snapshot *now = items[i].after;
        if (!now)
            continue;
        tw_case_time(items[i].file, now->seconds);
        if (settings->quiet || settings->json || count == 1)
            continue;
        (void)fflush(stdout);
        tw_text_write(stderr, items[i].file, TW_TEXT_TERMINAL);
        fprintf(stderr, ": %d of %d nodes computed, %.3f s\n", (int)now->computed,
                (int)now->node_count, now->seconds);
    }
}

static bool has_failed(const struct tw_gate_item *item)
{
    return item->verdict == TW_GATE_NO_LOCK || item->verdict == TW_GATE_FAILED;
}

static int32_t count_verdict(const struct tw_gate_item *items, int32_t count,
                             enum tw_gate_verdict verdict)
{
    int32_t found = 0;
    for (int32_t i = 0; i < count; i++)
        found += items[i].verdict == verdict;
    return found;
}

static const char *differing(const void *context, int32_t i)
{
    const struct tw_gate_item *item = (const struct tw_gate_item *)context + i;
    return item->verdict == TW_GATE_DIFFERS ? item->file : NULL;
}

static void put_counts(struct tw_last_line *line, const struct tw_gate_item *items, int32_t count,
                       bool whole)
{
    int32_t same = count_verdict(items, count, TW_GATE_SAME),
            differs = count_verdict(items, count, TW_GATE_DIFFERS);
    if (whole)
        fprintf(line->out, "%d recipe%s: ", (int)count, count == 1 ? "" : "s");
    int32_t within = count_verdict(items, count, TW_GATE_WITHIN);
    fprintf(line->out, "%d as locked, ", (int)same);
    if (within > 0)
        fprintf(line->out, "%d within tolerances, ", (int)within);
    fprintf(line->out, "%d differ%s", (int)differs, differs == 1 ? "s" : "");
    tw_last_line_names(line, items, count, differing);
    int32_t written = 0;
    for (int32_t i = 0; i < count; i++)
        written += items[i].written;
    if (written > 0)
        fprintf(line->out, "; %d lock%s written", (int)written, written == 1 ? "" : "s");
}

void tw_gate_print_ending(const struct tw_settings *settings, const struct tw_gate_item *items,
                          int32_t count, int code)
{
    struct tw_last_line line;
    struct tw_failed_recipe *failed = calloc((size_t)count + 1, sizeof *failed);
    int32_t failures = 0;
    for (int32_t i = 0; failed && i < count; i++)
        if (has_failed(&items[i]))
            failed[failures++] = (struct tw_failed_recipe){items[i].file, &items[i].fault};
    tw_last_line_begin(&line, settings);
    if (line.out) {
        tw_last_line_fail(&line, failed, failures, count);
        if (code >= 128)
            fputs("stopped; ", line.out);
        else if (code > 1 && failures == 0)
            fputs("failed; ", line.out);
        put_counts(&line, items, count, failures == 0 && code <= 1);
        tw_last_line_end(&line);
    }
    free(failed);
}

void tw_gate_print_lock_ending(const struct tw_settings *settings, const struct tw_gate_item *items,
                               int32_t count)
{
    struct tw_last_line line;
    struct tw_failed_recipe *failed = calloc((size_t)count + 1, sizeof *failed);
    int32_t failures = 0, written = 0, good = 0;
    for (int32_t i = 0; failed && i < count; i++) {
        written += items[i].written;
        good += items[i].code == 0;
        if (items[i].code != 0)
            failed[failures++] = (struct tw_failed_recipe){items[i].file, &items[i].fault};
    }
    tw_last_line_begin(&line, settings);
    if (line.out && failed) {
        tw_last_line_fail(&line, failed, failures, count);
        if (failures == 0)
            fprintf(line.out, "%d recipes: ", (int)count);
        fprintf(line.out, "%d lock%s written, %d unchanged", (int)written, written == 1 ? "" : "s",
                (int)(good - written));
        tw_last_line_end(&line);
    }
    free(failed);
}
