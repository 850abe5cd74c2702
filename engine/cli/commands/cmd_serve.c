/* SPDX-License-Identifier: MIT */
/* thalweg serve: works like run --watch, but for a page in the browser instead of files, which
 * sets values as well. */
#include "base/os/process.h"
#include "base/text/suggest.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "console/diagnostic.h"
#include "console/experiment_file.h"
#include "console/stop.h"
#include "serve/preview.h"
#include "study/experiment.h"

#include <stdio.h>
#include <string.h>

enum { USUAL_PORT = 8425 /* spells THAL on a telephone keypad */ };

static enum tw_status start_server(struct tw_preview *preview, struct tw_web_server *server,
                                   struct tw_error *err)
{
    const struct tw_web_site site = tw_preview_site(preview);
    enum tw_status status = tw_web_server_start(server, &site, err);
    if (status != TW_OK)
        return status;
    tw_preview_tell(preview, server);
    printf("http://127.0.0.1:%d/?k=%s\n", (int)tw_web_server_port(server), site.key);
    if (fflush(stdout) == 0)
        return TW_OK;
    tw_process_end_unread();
    return tw_error_set(err, TW_IO, "cannot write to standard output");
}

/* Serves until a signal. */
static int serve(const struct tw_preview_recipes *recipes)
{
    const struct tw_settings *settings = recipes->settings;
    struct tw_preview *preview = NULL;
    struct tw_web_server *server = NULL;
    struct tw_error error = {.status = TW_OK};
    const int32_t port = settings->port > 0 ? settings->port : USUAL_PORT;
    tw_stop_catch(); /* a signal may arrive as soon as the address is printed */
    enum tw_status status = tw_web_server_open(port, settings->port == 0, &server, &error);
    if (status == TW_OK)
        status = tw_preview_create(recipes, tw_web_server_port(server), &preview, &error);
    if (status == TW_OK)
        status = start_server(preview, server, &error);
    int code = 0;
    if (status == TW_OK) {
        const struct tw_run_call call = {.settings = settings,
                                         .viewer = tw_preview_viewer(preview)};
        code = tw_run_on_changes(&call, recipes->operands);
    } else {
        code = tw_console_error(&error);
    }
    tw_web_server_stop(server);
    tw_preview_release(preview);
    return code;
}

/* Two variants of an experiment, with its first seed. */
struct variants {
    struct tw_experiment *experiment;
    char *operands[2];
    struct tw_load_changes changes[2];
};

static int32_t find_variant(const struct tw_experiment *experiment, const char *name, size_t length)
{
    for (int32_t v = 0; v < experiment->variant_count; v++)
        if (strncmp(experiment->variants[v].name, name, length) == 0 &&
            !experiment->variants[v].name[length])
            return v;
    return -1;
}

static int unknown_variant(const struct tw_experiment *experiment, const char *name, size_t length)
{
    struct tw_suggestion suggestion = {.unknown = name};
    for (int32_t v = 0; v < experiment->variant_count; v++)
        tw_suggest_offer(&suggestion, experiment->variants[v].name);
    return tw_console_usage("%s has no variant '%.*s'; expected two of %s, as in --variants %s,%s",
                            experiment->file, (int)length, name, suggestion.known,
                            experiment->variants[0].name,
                            experiment->variants[experiment->variant_count > 1].name);
}

/* Takes the variants that `names` lists; returns the exit code. */
static int choose_variants(struct variants *variants, const char *names,
                           struct tw_preview_recipes *recipes)
{
    const struct tw_experiment *experiment = variants->experiment;
    const char *at = names;
    for (int i = 0; i < 2; i++) {
        const size_t length = strcspn(at, ",");
        const int32_t found = find_variant(experiment, at, length);
        if (found < 0 || (i == 0) != (at[length] == ','))
            return unknown_variant(experiment, at, length);
        const struct tw_variant *variant = &experiment->variants[found];
        variants->operands[i] = (char *)variant->recipe;
        variants->changes[i] = (struct tw_load_changes){.nodes = variant->nodes,
                                                        .settings = variant->settings,
                                                        .setting_count = variant->setting_count};
        recipes->labels[i] = variant->name;
        at += length + 1;
    }
    return 0;
}

static int serve_variants(struct tw_settings *settings, char *file)
{
    struct variants variants = {.experiment = NULL};
    struct tw_load_options options = tw_console_load_options(settings);
    struct tw_error error = {.status = TW_OK};
    struct tw_preview_recipes recipes = {.settings = settings,
                                         .operands = variants.operands,
                                         .changes = variants.changes,
                                         .read_only = settings->read_only || settings->untrusted};
    options.set = NULL;
    if (tw_console_experiment_load(settings, file, &options, &variants.experiment, &error) != TW_OK)
        return error.file[0] ? tw_status_exit_code(error.status)
                             : tw_console_file_error(file, &error);
    const struct tw_experiment *experiment = variants.experiment;
    int code = experiment->match.seeds > 0
                   ? tw_console_usage("%s matches variants, which takes runs; expected an "
                                      "experiment without match:, with the values that compare "
                                      "finds under params:",
                                      file)
                   : choose_variants(&variants, settings->variants, &recipes);
    settings->operand_count = 2;
    if (!settings->seed.given)
        settings->seed = (struct tw_option_seed){true, experiment->first_seed};
    if (settings->size.width == 0)
        settings->size = (struct tw_option_cells){experiment->width, experiment->height};
    if (code == 0)
        code = serve(&recipes);
    tw_experiment_release(variants.experiment);
    return code;
}

/* One recipe, two, or one beside itself with other parameters. */
static int serve_recipes(struct tw_settings *settings, char **operands)
{
    char *both[2] = {operands[0], operands[settings->operand_count - 1]};
    char label[200] = "";
    struct tw_preview_recipes recipes = {.settings = settings,
                                         .operands = both,
                                         .labels = {both[0], both[1]},
                                         .read_only = settings->read_only || settings->untrusted};
    for (int32_t i = 0; i < settings->against.count; i++) {
        const size_t used = strlen(label);
        snprintf(label + used, sizeof label - used, "%s%s", i ? ", " : "", settings->against.at[i]);
    }
    if (settings->against.count > 0) {
        recipes.against = settings->against.at;
        recipes.labels[1] = label;
        settings->operand_count = 2;
    }
    return serve(&recipes);
}

int tw_cmd_serve(const struct tw_settings *settings, char **operands)
{
    struct tw_settings own = *settings;
    const int32_t ways = (own.operand_count > 1) + (own.against.count > 0) + (own.variants != NULL);
    if (!tw_stdin_check("serve", settings, operands, false))
        return tw_status_exit_code(TW_USAGE);
    if (ways > 1)
        return tw_console_usage("serve: expected one of a second recipe, --against and --variants");
    own.out = ".";   /* serve writes nothing there */
    own.json = true; /* the page receives what a run would print */
    own.watch = true;
    return own.variants ? serve_variants(&own, operands[0]) : serve_recipes(&own, operands);
}
