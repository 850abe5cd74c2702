/* SPDX-License-Identifier: MIT */
/* thalweg lock: writes RECIPE.lock next to each recipe. */
#include "base/text/text.h"
#include "cli/commands/gate.h"
#include "cli/options.h"
#include "console/findings.h"
#include "console/output_file.h"
#include "console/stop.h"

static void print_items(const struct tw_gate_item *items, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        tw_text_write(stdout, items[i].lock_file, TW_TEXT_TERMINAL);
        const struct tw_snapshot *now = items[i].after;
        printf(": %s (%d output%s, %d export%s, %d node%s)\n",
               items[i].written ? "written" : "unchanged", (int)now->output_count,
               now->output_count == 1 ? "" : "s", (int)now->export_count,
               now->export_count == 1 ? "" : "s", (int)now->node_count,
               now->node_count == 1 ? "" : "s");
    }
}

static int lock(const struct tw_settings *settings, struct tw_gate_item *items, int32_t count)
{
    int code = 0;
    int32_t computed = 0;
    for (int32_t i = 0; i < count; i++) { /* loads all, to report every fault of every recipe */
        struct tw_error error;
        int found = tw_gate_load(settings, items[i].file, NULL, &items[i].recipe, &error);
        code = found > code ? found : code;
    }
    tw_case_end();
    if (code == 0)
        code = tw_gate_check_locks(items, count);
    if (code == 0)
        code = tw_gate_take(settings, items, count, false, &computed);
    if (code == 0)
        code = tw_gate_worst(items, count);
    for (int32_t i = 0; code == 0 && i < count; i++)
        code =
            tw_gate_add_given(settings, items[i].file, items[i].after) ? 0 : tw_console_no_memory();
    if (code == 0)
        code = tw_gate_write_locks(settings, items, count);
    if (code == 0 && settings->json)
        tw_gate_json(items, count, computed, NULL);
    else if (code == 0 && !settings->quiet && !tw_console_is_stdout(settings->events))
        print_items(items, count);
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
