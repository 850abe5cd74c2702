/* SPDX-License-Identifier: MIT */
#include "session/depfile.h"

#include "console/inputs.h"
#include "console/standard_input.h"

#include <stdlib.h>
#include <string.h>

/* Appends a name as GNU Make, Ninja and others read it back. A line break cannot be written. */
static enum tw_status put_name(struct tw_bytes *text, const char *name, struct tw_error *err)
{
    enum tw_status status = TW_OK;
    for (const char *at = name; status == TW_OK && *at; at++) {
        size_t slashes = strspn(at, "\\");
        bool before = at[slashes] == ' ' || at[slashes] == '#' || at[slashes] == ':';
        if (*at == '\n' || *at == '\r')
            return tw_error_set(err, TW_PATH,
                                "%.200s has a line break, which --depfile cannot hold", name);
        const char *escape = *at == ' ' || *at == '#' || *at == ':' ? "\\"
                             : *at == '$'                           ? "$"
                             : *at == '\\' && before                ? "\\"
                                                                    : "";
        status = tw_bytes_print(text, err, "%s%c", escape, *at);
    }
    return status;
}

static enum tw_status put_targets(const struct tw_recipe_set *parts,
                                  const struct tw_recipe_entry *part, struct tw_bytes *text,
                                  struct tw_error *err)
{
    enum tw_status status = TW_OK;
    int32_t count = 0;
    for (const struct tw_export *e = part->recipe->exports; status == TW_OK && e; e = e->next) {
        if (!tw_run_selects(e, parts->only))
            continue;
        struct tw_bytes path = {0};
        status = tw_bytes_print(&path, err, "%s/%s", part->folder, e->file);
        if (status == TW_OK && count++ > 0)
            status = tw_bytes_append(text, " \\\n ", 4, err);
        if (status == TW_OK)
            status = put_name(text, (const char *)path.at, err);
        free(path.at);
    }
    return status == TW_OK ? tw_bytes_append(text, ":", 1, err) : status;
}

static enum tw_status put_part(const struct tw_recipe_set *parts,
                               const struct tw_recipe_entry *part, const struct tw_inputs *inputs,
                               struct tw_bytes *text, struct tw_error *err)
{
    enum tw_status status = put_targets(parts, part, text, err);
    for (int32_t i = 0; status == TW_OK && i < inputs->count; i++) {
        if (!tw_inputs_exist(inputs->at[i]))
            continue;
        status = tw_bytes_append(text, " \\\n  ", 5, err);
        if (status == TW_OK)
            status = put_name(text, inputs->at[i], err);
    }
    if (status == TW_OK)
        status = tw_bytes_append(text, "\n", 1, err);
    for (int32_t i = 0; status == TW_OK && i < inputs->count; i++) {
        if (!tw_inputs_exist(inputs->at[i]))
            continue;
        status = put_name(text, inputs->at[i], err);
        if (status == TW_OK)
            status = tw_bytes_append(text, ":\n", 2, err);
    }
    return status;
}

enum tw_status tw_depfile_print(const struct tw_settings *settings,
                                const struct tw_recipe_set *parts, struct tw_bytes *text,
                                struct tw_error *err)
{
    enum tw_status status = TW_OK;
    for (int32_t p = 0; status == TW_OK && p < parts->count; p++) {
        const struct tw_recipe_entry *part = &parts->at[p];
        struct tw_inputs inputs = {.count = 0};
        if (!part->recipe || !part->recipe->exports)
            continue;
        if (!tw_stdin_is_one(part->operand))
            tw_inputs_find(settings, part->operand, &inputs);
        status = inputs.failed ? tw_error_set(err, TW_MEMORY, "out of memory")
                               : put_part(parts, part, &inputs, text, err);
        tw_inputs_release(&inputs);
    }
    return status;
}
