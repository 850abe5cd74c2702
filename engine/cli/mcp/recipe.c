/* SPDX-License-Identifier: MIT */
#include "cli/mcp/mcp.h"

#include "base/memory/arena.h"
#include "base/os/file.h"
#include "base/text/number.h"
#include "console/findings.h"
#include "format/format.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { SETTINGS_MAX = 1000 };

/* ---- faults ---- */

bool tw_mcp_fault(enum tw_status status, const char *hint, const char *format, ...)
{
    struct tw_error error;
    char text[sizeof error.message];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    tw_error_set(&error, status, "%s", text);
    snprintf(error.hint, sizeof error.hint, "%s", hint ? hint : "");
    tw_findings_add(true, &error);
    return false;
}

/* No option of a client leads out of the folder. */
static struct tw_error shown_error(const struct tw_error *error)
{
    struct tw_error shown = *error;
    if (strncmp(error->hint, "--allow-path", strlen("--allow-path")) == 0)
        snprintf(shown.hint, sizeof shown.hint, "files below the server's folder can be read");
    return shown;
}

void tw_mcp_fault_of(const struct tw_error *error)
{
    const struct tw_error shown = shown_error(error);
    tw_findings_add(true, &shown);
}

static void on_diagnostic(void *context, bool fault, const struct tw_error *error,
                          const char *source_line)
{
    (void)context;
    (void)source_line;
    const struct tw_error shown = shown_error(error);
    tw_findings_add(fault, &shown);
}

/* ---- arguments ---- */

bool tw_mcp_number(const json_t *arguments, const char *key, int32_t low, int32_t high,
                   int32_t otherwise, int32_t *number)
{
    const json_t *given = json_object_get(arguments, key);
    const json_int_t value = json_integer_value(given);
    *number = given ? (int32_t)(value < low ? low : value > high ? high : value) : otherwise;
    return !given || (json_is_integer(given) && *number == value) ||
           tw_mcp_fault(TW_USAGE, NULL, "%s: expected a whole number from %d to %d", key, (int)low,
                        (int)high);
}

static bool is_side(const json_t *side)
{
    return json_is_integer(side) && json_integer_value(side) >= 1 &&
           json_integer_value(side) <= INT32_MAX;
}

static bool read_size(const json_t *arguments, struct tw_load_options *options)
{
    const json_t *size = json_object_get(arguments, "size");
    const json_t *width = json_is_array(size) ? json_array_get(size, 0) : size;
    const json_t *height = json_is_array(size) ? json_array_get(size, 1) : size;
    if (!size)
        return true;
    if (!is_side(width) || !is_side(height) || json_array_size(size) > 2)
        return tw_mcp_fault(TW_USAGE, NULL, "size: expected cells a side, or [width, height]");
    options->width = (int32_t)json_integer_value(width);
    options->height = (int32_t)json_integer_value(height);
    return true;
}

/* A seed has 64 bits, of which JSON's numbers have 53 in most clients: a text will do. */
static bool read_seed(const json_t *arguments, struct tw_load_options *options)
{
    const json_t *seed = json_object_get(arguments, "seed");
    options->has_seed = seed != NULL;
    if (json_is_integer(seed) && json_integer_value(seed) >= 0)
        options->seed = (uint64_t)json_integer_value(seed);
    else if (seed && !(json_is_string(seed) &&
                       tw_number_parse_whole(json_string_value(seed), &options->seed)))
        return tw_mcp_fault(TW_USAGE, NULL, "seed: expected a whole number from 0 to 2^64 - 1");
    return true;
}

/* Returns "name=value" of a text, number or boolean; NULL for anything else. */
static const char *print_setting(struct tw_arena *arena, const char *name, const json_t *value)
{
    char number[40];
    if (json_is_string(value))
        return tw_arena_print(arena, "%s=%s", name, json_string_value(value));
    if (json_is_boolean(value))
        return tw_arena_print(arena, "%s=%s", name, json_is_true(value) ? "true" : "false");
    if (json_is_integer(value))
        return tw_arena_print(arena, "%s=%" JSON_INTEGER_FORMAT, name, json_integer_value(value));
    if (!json_is_real(value))
        return NULL;
    tw_number_print(number, sizeof number, json_real_value(value));
    return tw_arena_print(arena, "%s=%s", name, number);
}

static bool read_set(const json_t *arguments, struct tw_arena *arena,
                     struct tw_load_options *options)
{
    json_t *set = json_object_get(arguments, "set"), *value;
    const size_t count = json_object_size(set);
    const char **pairs, *name;
    size_t i = 0;
    if (set && (!json_is_object(set) || count > SETTINGS_MAX))
        return tw_mcp_fault(TW_USAGE, NULL,
                            "set: expected an object of parameters, as in "
                            "{\"talus\": 12}");
    pairs = tw_arena_alloc(arena, count + 1, sizeof *pairs);
    options->set = pairs;
    json_object_foreach(set, name, value)
    {
        if (strchr(name, '=') || !pairs || !(pairs[i++] = print_setting(arena, name, value)))
            return tw_mcp_fault(TW_USAGE, NULL, "set: %.100s: expected a number or a word", name);
    }
    return true;
}

/* ---- the recipe ---- */

struct tw_load_options tw_mcp_load_options(const struct tw_mcp *mcp, const char **allow)
{
    struct tw_load_options options = tw_console_load_options(&mcp->settings);
    allow[0] = ".";
    allow[1] = NULL;
    options.allow = allow;
    options.diagnostic = on_diagnostic;
    return options;
}

static bool is_path(const char *text)
{
    const char *ending = tw_format_ending(text);
    return !strchr(text, '\n') && (strcmp(ending, ".yaml") == 0 || strcmp(ending, ".yml") == 0);
}

/* Accepts a file whose path, with all links followed, lies below the folder. */
static bool find_file(const char *name, struct tw_mcp_source *source)
{
    struct tw_error error;
    char resolved[4096];
    snprintf(source->path, sizeof source->path, "%s", name);
    if (!tw_file_is_absolute(name) && strlen(name) < 2048 &&
        tw_file_resolve(".", name, NULL, resolved, &error) == TW_OK)
        return true;
    return tw_mcp_fault(TW_INPUT,
                        "a recipe is YAML text, or the path of a file below the folder "
                        "of the server",
                        "there is no file '%.200s' below the folder", name);
}

bool tw_mcp_source_of(const json_t *arguments, const char *key, const char *name,
                      struct tw_mcp_source *source)
{
    const char *given = json_string_value(json_object_get(arguments, key));
    *source = (struct tw_mcp_source){.text = given};
    if (!given)
        return tw_mcp_fault(TW_USAGE, NULL, "%s: expected YAML text or a path below the folder",
                            key);
    if (is_path(given)) {
        source->text = NULL;
        return find_file(given, source);
    }
    snprintf(source->path, sizeof source->path, "%s", name);
    return true;
}

bool tw_mcp_load(const struct tw_mcp *mcp, const json_t *arguments, const char *key,
                 const char *name, struct tw_recipe **recipe)
{
    const char *allow[2];
    struct tw_load_options options = tw_mcp_load_options(mcp, allow);
    struct tw_arena arena = {.failed = false};
    struct tw_error error = {.status = TW_OK};
    struct tw_mcp_source source;
    enum tw_status status = TW_USAGE;
    *recipe = NULL;
    if (tw_mcp_source_of(arguments, key, name, &source) && read_size(arguments, &options) &&
        read_seed(arguments, &options) && read_set(arguments, &arena, &options)) {
        status = source.text ? tw_recipe_parse(source.text, strlen(source.text), source.path,
                                               &options, recipe, &error)
                             : tw_recipe_load(source.path, &options, recipe, &error);
        if (status != TW_OK && !error.file[0]) /* outside of the file, not reported yet */
            tw_mcp_fault_of(&error);
    }
    tw_arena_release(&arena);
    return status == TW_OK;
}
