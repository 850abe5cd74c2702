/* SPDX-License-Identifier: MIT */
#include "session/recipe_set.h"

#include "console/diagnostic.h"
#include "console/findings.h"
#include "console/standard_input.h"

#include <stdlib.h>

enum tw_status tw_recipe_set_create(struct tw_recipe_set *parts, const struct tw_settings *settings,
                                    char **operands, struct tw_error *err)
{
    enum tw_status status = TW_OK;
    parts->count = settings->operand_count;
    parts->only = settings->only;
    parts->at = calloc((size_t)parts->count + 1, sizeof *parts->at);
    parts->graphs = calloc((size_t)parts->count + 1, sizeof *parts->graphs);
    if (!parts->at || !parts->graphs) {
        tw_recipe_set_release(parts);
        return tw_error_set(err, TW_MEMORY, "out of memory");
    }
    for (int32_t p = 0; status == TW_OK && p < parts->count; p++) {
        struct tw_recipe_entry *part = &parts->at[p];
        *part = (struct tw_recipe_entry){
            .operand = operands[p], .file = tw_stdin_name(operands[p]), .graph = -1};
        status = tw_recipe_folder_find(settings, operands[p], &part->place, err);
        part->folder = part->place.path;
        part->inside = part->place.inside;
    }
    if (status != TW_OK)
        tw_recipe_set_release(parts);
    return status;
}

int tw_recipe_set_load(struct tw_recipe_set *parts, const struct tw_settings *settings,
                       const struct tw_load_changes *changes, struct tw_watch *watch,
                       struct tw_error *err)
{
    int code = 0;
    for (int32_t p = 0; p < parts->count; p++) {
        struct tw_recipe_entry *part = &parts->at[p];
        struct tw_error error = {.status = TW_OK};
        int found = tw_console_load_watched(settings, part->operand, changes ? &changes[p] : NULL,
                                            watch, &part->recipe, &error);
        if (found == 0 &&
            tw_recipe_folder_move_exports(&part->place, part->recipe, &error) != TW_OK)
            found = tw_console_error(&error);
        if (found != 0) {
            part->fault = error;
            part->fault.status = error.status == TW_OK ? TW_MEMORY : error.status;
            if (err)
                *err = part->fault;
        }
        code = found > code ? found : code;
    }
    tw_case_end();
    return code;
}

void tw_recipe_set_release(struct tw_recipe_set *parts)
{
    for (int32_t g = 0; parts->graphs && g < parts->graph_count; g++) {
        tw_run_summary_release(&parts->graphs[g].report);
        tw_merged_release(&parts->graphs[g].merged);
        free(parts->graphs[g].expected);
    }
    for (int32_t p = 0; parts->at && p < parts->count; p++) {
        struct tw_recipe_entry *part = &parts->at[p];
        free(part->report.nodes); /* the graph's report owns their key texts */
        free(part->report.exports);
        tw_history_release(part->history);
        tw_recipe_release(part->recipe);
        tw_recipe_folder_release(&part->place);
    }
    free(parts->at);
    free(parts->graphs);
    *parts = (struct tw_recipe_set){0};
}
