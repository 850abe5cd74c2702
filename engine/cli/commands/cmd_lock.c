/* SPDX-License-Identifier: MIT */
/* thalweg lock: writes RECIPE.lock next to each recipe. */
#include "base/text/text.h"
#include "cli/gate/gate.h"
#include "cli/options.h"
#include "console/findings.h"
#include "console/output_file.h"
#include "console/stop.h"
#include "gate/within.h"

static void print_items(const struct tw_gate_item *items, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        if (items[i].code != 0)
            continue; /* reported, and not written */
        tw_text_write(stdout, items[i].lock_file, TW_TEXT_TERMINAL);
        const struct tw_snapshot *now = items[i].after;
        printf(": %s (%d output%s, %d export%s, %d node%s)\n",
               items[i].written ? "written" : "unchanged", (int)now->output_count,
               now->output_count == 1 ? "" : "s", (int)now->export_count,
               now->export_count == 1 ? "" : "s", (int)now->node_count,
               now->node_count == 1 ? "" : "s");
    }
}

/* Reads the lock that is there, which may be damaged, for the tolerances in it. */
static void keep_tolerances(const struct tw_settings *settings, struct tw_gate_item *item)
{
    struct tw_load_options options = tw_console_load_options(settings);
    struct tw_error error;
    options.diagnostic = NULL;
    if (!item->before && tw_lock_read(item->lock_file, &options, &item->before, &error) != TW_OK)
        item->before = NULL;
    if (item->before)
        tw_within_keep(item);
}

/* Loads all, to report every fault of every recipe. */
static int load(const struct tw_settings *settings, struct tw_gate_item *items, int32_t count)
{
    int code = 0;
    for (int32_t i = 0; i < count; i++) {
        struct tw_error error = {.status = TW_OK};
        int found = settings->upgrade ? tw_gate_read_lock(settings, &items[i], &error) : 0;
        if (found == 0)
            found = tw_gate_load(settings, items[i].file, settings->upgrade ? &items[i] : NULL,
                                 &items[i].recipe, &error);
        code = found > code ? found : code;
    }
    tw_case_end();
    return code;
}

static int write_all(const struct tw_settings *settings, struct tw_gate_item *items, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        keep_tolerances(settings, &items[i]);
        if (!settings->upgrade && !tw_gate_add_given(settings, items[i].file, items[i].after))
            return tw_console_no_memory();
    }
    return settings->upgrade ? tw_gate_upgrade(settings, items, count)
                             : tw_gate_write_locks(settings, items, count);
}

static int lock(const struct tw_settings *settings, struct tw_gate_item *items, int32_t count)
{
    int32_t computed = 0;
    int code = load(settings, items, count);
    if (code == 0)
        code = tw_gate_check_locks(items, count);
    if (code == 0)
        code = tw_gate_take(settings, items, count, false, &computed);
    if (code == 0)
        code = tw_gate_worst(items, count);
    bool answers = code == 0;
    if (answers) {
        code = write_all(settings, items, count);
        answers = code == 0 || tw_gate_worst(items, count) == code; /* some locks are read-only */
    }
    if (settings->json && answers)
        tw_gate_json(items, count, computed, NULL);
    else if (answers && !settings->upgrade && !settings->quiet &&
             !tw_console_is_stdout(settings->events))
        print_items(items, count);
    if (answers && count > 1)
        tw_gate_print_lock_ending(settings, items, count);
    return code;
}

int tw_cmd_lock(const struct tw_settings *settings, char **operands)
{
    int32_t count = settings->operand_count;
    if (!tw_stdin_check("lock", settings, operands, false))
        return tw_status_exit_code(TW_USAGE);
    struct tw_gate_item *items = tw_gate_items_create(operands, count);
    tw_stop_catch();
    int code = items ? lock(settings, items, count) : tw_console_no_memory();
    if (items)
        tw_gate_release(items, count);
    return code;
}
