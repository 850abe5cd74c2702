/* SPDX-License-Identifier: MIT */
/* thalweg run: rejects options that exclude each other, then starts the run. */
#include "base/text/number.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "cluster/recipes_cluster.h"
#include "session/recipe_folder.h"
#include "session/run_session.h"
#include "value/field.h"

/* Returns the rows of --bands: -1 for a suitable number, 0 without the option or if its value is
 * invalid, which check_operands() reports. */
static int32_t bands_of(const struct tw_settings *settings)
{
    uint64_t rows = 0;
    if (!settings->bands || !settings->bands[0])
        return settings->bands ? -1 : 0;
    return tw_number_parse_whole(settings->bands, &rows) && rows >= 1 && rows <= TW_SIDE_MAX
               ? (int32_t)rows
               : 0;
}

/* Returns the first given option that --on excludes; NULL if none. */
static const char *find_excluded(const struct tw_settings *settings)
{
    return settings->dry_run ? "--dry-run"
           : settings->watch ? "--watch"
           : settings->bands ? "--bands"
                             : NULL;
}

static bool check_operands(const struct tw_settings *settings, char **operands)
{
    bool here = settings->on == TW_ON_HERE;
    if (!tw_stdin_check("run", settings, operands, here && !settings->watch) ||
        tw_recipes_check_cluster(settings, find_excluded(settings)) != 0)
        return false;
    if (settings->no_exports && (settings->no_cache || settings->bands))
        return tw_console_usage("--no-exports and %s exclude each other",
                                settings->bands ? "--bands" : "--no-cache"),
               false;
    if (settings->watch && settings->operand_count > 1)
        return tw_console_usage("--watch takes one recipe; there are %d", settings->operand_count),
               false;
    if (settings->bands && bands_of(settings) == 0)
        return tw_console_usage("--bands is '%s'; expected a number of rows from 1 to %d",
                                settings->bands, TW_SIDE_MAX),
               false;
    if (settings->watch && settings->events)
        return tw_console_usage("--watch and --events exclude each other"), false;
    return true;
}

int tw_cmd_run(const struct tw_settings *settings, char **operands)
{
    if (!check_operands(settings, operands))
        return tw_status_exit_code(TW_USAGE);
    int refused = tw_recipe_folders_check(settings, operands);
    if (refused != 0)
        return refused;
    const struct tw_run_call call = {.settings = settings, .bands = bands_of(settings)};
    return settings->watch ? tw_run_on_changes(&call, operands) : tw_run_once(&call, operands);
}
