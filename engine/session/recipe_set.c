/* SPDX-License-Identifier: MIT */
#include "session/recipe_set.h"

#include "base/os/file_name.h"
#include "console/diagnostic.h"
#include "console/findings.h"
#include "console/standard_input.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define MARK "{recipe}"

/* ---- folders ---- */

/* Copies the file's name without folder and ending: "hills" of "maps/hills.yaml". */
static void find_stem(const char *file, char *stem, size_t size)
{
    const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
    if (tw_stdin_is_one(file))
        name = "stdin";
    snprintf(stem, size, "%s", name);
    char *ending = (char *)tw_format_ending(stem);
    if (strcmp(ending, ".yaml") == 0 || strcmp(ending, ".yml") == 0)
        *ending = 0;
}

/* Returns where the path component that contains the placeholder begins; the pattern's end if there
 * is none. */
static size_t find_inside(const char *pattern)
{
    const char *mark = strstr(pattern, MARK);
    size_t at = mark ? (size_t)(mark - pattern) : strlen(pattern);
    while (mark && at > 0 && pattern[at - 1] != '/')
        at--;
    return at;
}

/* Replaces each placeholder by the stem. Returns NULL and sets errno if memory runs out or the path
 * is too long. */
static char *expand(const char *pattern, const char *stem)
{
    char path[PATH_MAX] = "";
    size_t used = 0;
    for (const char *mark; (mark = strstr(pattern, MARK)) && used < sizeof path;
         pattern = mark + strlen(MARK))
        used += (size_t)snprintf(path + used, sizeof path - used, "%.*s%s", (int)(mark - pattern),
                                 pattern, stem);
    if (used < sizeof path)
        used += (size_t)snprintf(path + used, sizeof path - used, "%s", pattern);
    if (used > 1 && used < sizeof path && path[used - 1] == '/')
        path[used - 1] = 0;
    if (used < sizeof path)
        return strdup(path);
    errno = ENAMETOOLONG;
    return NULL;
}

/* Copies the first `length` bytes without the final slash, which joining adds again. */
static char *base_of(const char *pattern, size_t length)
{
    if (pattern[length] == 0)
        return strdup(pattern);
    return length == 0 ? strdup(".") : strndup(pattern, length > 1 ? length - 1 : length);
}

/* Rejects placeholders other than {recipe}. A '{' without its '}', or an empty pair, is an ordinary
 * character. */
static bool check_placeholders(const char *pattern)
{
    for (const char *at = pattern; (at = strchr(at, '{')); at++) {
        const size_t length = strcspn(at + 1, "{}/") + 2;
        if (at[length - 1] == '}' && length > 2 && strncmp(at, MARK, strlen(MARK)) != 0)
            return tw_console_usage("--out has the placeholder '%.*s'; expected " MARK, (int)length,
                                    at),
                   false;
    }
    return true;
}

static bool check_folder(const char *pattern, const char *operand)
{
    struct tw_file_name_fault fault = {.message = "which is no folder of its own"};
    char stem[PATH_MAX];
    find_stem(operand, stem, sizeof stem);
    char *folder = expand(pattern + find_inside(pattern), stem);
    bool ok = !folder || (strcmp(stem, ".") != 0 && strcmp(stem, "..") != 0 &&
                          tw_file_name_check(folder, &fault));
    if (!ok)
        tw_console_usage("--out becomes '%s' for %s, %s", folder, operand, fault.message);
    free(folder);
    return ok;
}

bool tw_recipe_set_check_out(const struct tw_settings *settings, char **operands)
{
    const char *pattern = settings->out;
    bool ok = check_placeholders(pattern);
    for (int32_t i = 0; ok && strstr(pattern, MARK) && i < settings->operand_count; i++)
        ok = check_folder(pattern, operands[i]);
    return ok;
}

enum tw_status tw_recipe_set_create(struct tw_recipe_set *parts, const struct tw_settings *settings,
                                    char **operands, struct tw_error *err)
{
    size_t inside = find_inside(settings->out);
    char stem[PATH_MAX];
    errno = 0;
    parts->count = settings->operand_count;
    parts->only = settings->only;
    parts->at = calloc((size_t)parts->count + 1, sizeof *parts->at);
    parts->graphs = calloc((size_t)parts->count + 1, sizeof *parts->graphs);
    parts->base = base_of(settings->out, inside);
    bool ok = parts->at && parts->graphs && parts->base;
    for (int32_t p = 0; ok && p < parts->count; p++) {
        struct tw_recipe_entry *part = &parts->at[p];
        find_stem(operands[p], stem, sizeof stem);
        *part = (struct tw_recipe_entry){.operand = operands[p],
                                         .file = tw_stdin_name(operands[p]),
                                         .folder = expand(settings->out, stem),
                                         .graph = -1};
        ok = part->folder != NULL;
        if (ok)
            part->inside = strlen(part->folder) > inside ? part->folder + inside : "";
    }
    if (ok)
        return TW_OK;
    bool is_long = errno == ENAMETOOLONG;
    tw_recipe_set_release(parts);
    return is_long ? tw_error_set(err, TW_IO, "cannot write to %.80s...: the name is too long",
                                  settings->out)
                   : tw_error_set(err, TW_MEMORY, "out of memory");
}

int tw_recipe_set_load(struct tw_recipe_set *parts, const struct tw_settings *settings,
                       const struct tw_load_changes *changes, struct tw_watch *watch,
                       struct tw_error *err)
{
    int code = 0;
    for (int32_t p = 0; p < parts->count; p++) {
        struct tw_recipe_entry *part = &parts->at[p];
        int found = tw_console_load_watched(settings, part->operand, changes ? &changes[p] : NULL,
                                            watch, &part->recipe, err);
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
        free(part->folder);
    }
    free(parts->at);
    free(parts->graphs);
    free(parts->base);
    *parts = (struct tw_recipe_set){0};
}
