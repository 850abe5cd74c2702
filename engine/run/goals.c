/* SPDX-License-Identifier: MIT */
/* Goals of a run: the requested outputs and exports. */
#include "base/os/cpu.h"
#include "base/text/suggest.h"
#include "graph/assertion.h"
#include "run/state.h"

#include <stdlib.h>
#include <string.h>

bool tw_run_selects(const struct tw_export *item, const char *only)
{
    for (const struct tw_output *o = item->sources; o; o = o->next)
        if (!only || strcmp(only, o->name) == 0)
            return true;
    return false;
}

/* Returns the goal that writes the file that `item` lies beside; -1 if there is none. */
static int32_t file_of(const struct tw_run *run, const struct tw_export *item)
{
    int32_t g = item && item->describes ? run->goal_count - 1 : -1;
    while (g >= 0 && run->goals[g].item != item->describes)
        g--;
    return g;
}

static void add_goal(struct tw_run *run, struct tw_goal goal)
{
    goal.report.item = goal.item;
    goal.file = file_of(run, goal.item);
    goal.beside = goal.sibling = -1;
    if (goal.file >= 0) {
        goal.sibling = run->goals[goal.file].beside;
        run->goals[goal.file].beside = run->goal_count;
    }
    run->goals[run->goal_count++] = goal;
}

static void add_output_goal(struct tw_run *run, const struct tw_output *output,
                            enum tw_goal_kind kind)
{
    struct tw_output *source = &run->goal_sources[run->goal_count];
    *source = (struct tw_output){output->name, output->source, NULL, 0};
    add_goal(run, (struct tw_goal){.kind = kind, .name = output->name, .sources = source});
}

enum { THREADS_MAX = 1024 }; /* libuv's pool never has more */

int32_t tw_run_threads(const struct tw_run_options *options)
{
    if (options->threads > 0)
        return options->threads < THREADS_MAX ? options->threads : THREADS_MAX;
    int32_t processors = tw_cpu_count();
    return processors > 64 ? 64 : processors;
}

/* Returns one more than all goals that the recipe may have. */
static size_t count_goals(const struct tw_recipe *recipe)
{
    size_t count = 1;
    for (const struct tw_output *o = recipe->outputs; o; o = o->next)
        count++;
    for (const struct tw_output *o = recipe->assertions; o; o = o->next)
        count++;
    for (const struct tw_export *e = recipe->exports; e; e = e->next)
        count++;
    return count;
}

bool tw_goals_list(struct tw_run *run)
{
    const struct tw_recipe *recipe = run->recipe;
    const char *only = run->options->only;
    const size_t count = count_goals(recipe);
    run->goals = calloc(count, sizeof *run->goals);
    run->goal_sources = calloc(count, sizeof *run->goal_sources);
    if (!run->goals || !run->goal_sources)
        return false;
    bool exports = run->request->export_folder != NULL;
    bool keeps = !exports && !run->request->cache_only;
    const enum tw_goal_kind kind = !keeps                  ? TW_GOAL_STAMP
                                   : run->request->display ? TW_GOAL_SHOWN
                                                           : TW_GOAL_VALUE;
    for (const struct tw_output *o = recipe->outputs; o; o = o->next)
        if (!only || strcmp(only, o->name) == 0)
            add_output_goal(run, o, kind);
    for (const struct tw_output *o = run->request->judges ? recipe->assertions : NULL; o;
         o = o->next)
        if (tw_assertion_is_of(o, only))
            add_output_goal(run, o, TW_GOAL_STAMP);
    for (const struct tw_export *e = keeps ? NULL : recipe->exports; e; e = e->next)
        if (tw_run_selects(e, only))
            add_goal(run, (struct tw_goal){.kind = exports ? TW_GOAL_EXPORT : TW_GOAL_STAMP,
                                           .name = e->file,
                                           .item = exports ? e : NULL,
                                           .sources = e->sources});
    return true;
}

enum tw_status tw_run_check_only(const struct tw_recipe *recipe, const char *only,
                                 struct tw_error *err)
{
    struct tw_suggestion suggestion = {.unknown = only};
    for (const struct tw_output *o = recipe->outputs; only && o; o = o->next) {
        if (strcmp(o->name, only) == 0)
            return TW_OK;
        tw_suggest_offer(&suggestion, o->name);
    }
    for (const struct tw_export *e = recipe->exports; e; e = e->next)
        if (tw_run_selects(e, only))
            return TW_OK;
    if (!only)
        return TW_OK;
    tw_error_set(err, TW_USAGE, "the recipe has no output '%s'", only);
    tw_suggest_to(&suggestion, err);
    return TW_USAGE;
}
