/* SPDX-License-Identifier: MIT */
#include "cli/gate/gate.h"

#include "base/text/number.h"
#include "console/findings.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool tw_gate_add_given(const struct tw_settings *settings, const char *file,
                       struct tw_snapshot *snapshot)
{
    const struct tw_load_options load = tw_console_recipe_options(settings, file);
    char text[64];
    bool ok = true;
    for (int32_t i = 0; ok && i < settings->set.count; i++) {
        const char *pair = settings->set.at[i], *value = strchr(pair, '=') + 1;
        const char *name =
            tw_arena_print(&snapshot->arena, "set.%.*s", (int)(value - pair - 1), pair);
        ok = name && tw_facts_add(&snapshot->arena, &snapshot->given, name, value);
    }
    snprintf(text, sizeof text, "%" PRIu64, settings->seed.value);
    if (settings->seed.given)
        ok = ok && tw_facts_add(&snapshot->arena, &snapshot->given, "seed", text);
    snprintf(text, sizeof text, "%dx%d", (int)load.width, (int)load.height);
    if (load.width > 0)
        ok = ok && tw_facts_add(&snapshot->arena, &snapshot->given, "size", text);
    tw_facts_sort(&snapshot->given);
    return ok;
}

/* Restores the load options that a lock records; tw_lock_read() has validated sizes and seeds. */
static void read_given(const struct tw_facts *given, struct tw_load_options *options, char **pairs)
{
    const char *seed = tw_facts_find(given, "seed"), *size = tw_facts_find(given, "size");
    int32_t count = 0;
    options->has_seed = seed && tw_number_parse_whole(seed, &options->seed);
    options->width = options->height = 0;
    (void)tw_lock_parse_size(size ? size : "", &options->width, &options->height);
    for (int32_t i = 0; i < given->count; i++) {
        const struct tw_fact *fact = &given->at[i];
        if (strncmp(fact->name, "set.", 4) != 0 || count == TW_OPTION_REPEATS_MAX)
            continue;
        size_t room = strlen(fact->name) + strlen(fact->value) + 2;
        pairs[count] = malloc(room);
        if (pairs[count])
            snprintf(pairs[count++], room, "%s=%s", fact->name + 4, fact->value);
    }
    options->set = (const char *const *)pairs;
}

/* Reports a fault of a recorded setting at its line in the lock instead of at the command line. */
static void on_given(void *context, bool fault, const struct tw_error *error,
                     const char *source_line)
{
    const struct tw_gate_item *locked = context;
    struct tw_error shown = *error;
    if (strcmp(error->file, "command line") == 0) {
        snprintf(shown.file, sizeof shown.file, "%s", locked->lock_file);
        shown.line = locked->before->given_line;
        shown.column = locked->before->given_column;
    }
    tw_console_diagnostic(NULL, fault, &shown, source_line);
}

int tw_gate_load(const struct tw_settings *settings, const char *file,
                 const struct tw_gate_item *locked, struct tw_recipe **recipe,
                 struct tw_error *error)
{
    char *pairs[TW_OPTION_REPEATS_MAX + 1] = {NULL};
    struct tw_load_options options = tw_console_recipe_options(settings, file);
    *error = (struct tw_error){.status = TW_OK};
    if (locked) {
        read_given(&locked->before->given, &options, pairs);
        options.diagnostic = on_given;
        options.context = (void *)locked;
    }
    tw_case_begin(file, "recipe");
    enum tw_status status = tw_recipe_load(file, &options, recipe, error);
    if (status != TW_OK && !error->file[0])
        tw_console_file_error(file, error);
    for (int i = 0; pairs[i]; i++)
        free(pairs[i]);
    return tw_status_exit_code(status);
}
