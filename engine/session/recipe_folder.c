/* SPDX-License-Identifier: MIT */
#include "session/recipe_folder.h"

#include "base/os/file.h"
#include "base/os/file_name.h"
#include "console/diagnostic.h"
#include "console/standard_input.h"
#include "graph/graph.h"
#include "project/project.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

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

/* What the placeholders of one recipe stand for. */
struct words {
    char stem[PATH_MAX], place[PATH_MAX];
    const char *folder; /* of the recipe, below the project's; NULL: it belongs to none */
};

static void find_words(const struct tw_settings *settings, const char *operand, struct words *words)
{
    find_stem(operand, words->stem, sizeof words->stem);
    words->folder = tw_settings_member(settings, operand, words->place);
    char *slash = words->folder ? strrchr(words->place, '/') : NULL;
    if (!slash)
        return;
    if (slash + 1 == words->folder)
        words->folder = ""; /* beside the project file */
    else
        *slash = 0;
}

/* Appends text and drops what does not fit, which the caller sees by the length. */
static void append(char *path, size_t *used, const char *text, size_t length)
{
    if (*used + length < PATH_MAX)
        memcpy(path + *used, text, length);
    *used += length;
    if (*used < PATH_MAX)
        path[*used] = 0;
}

/* Replaces {recipe} and {folder}; {output} stays. False with errno if the result is too long. */
static bool expand(const char *pattern, const struct words *words, char *path)
{
    size_t used = 0;
    path[0] = 0;
    while (*pattern) {
        const bool recipe = strncmp(pattern, TW_PROJECT_RECIPE, strlen(TW_PROJECT_RECIPE)) == 0;
        const bool folder =
            words->folder && strncmp(pattern, TW_PROJECT_FOLDER, strlen(TW_PROJECT_FOLDER)) == 0;
        const char *word = recipe ? words->stem : folder ? words->folder : pattern;
        append(path, &used, word, recipe || folder ? strlen(word) : 1);
        pattern += recipe ? strlen(TW_PROJECT_RECIPE) : folder ? strlen(TW_PROJECT_FOLDER) : 1;
        bool empty = folder && !words->folder[0] && *pattern == '/' &&
                     (used == 0 || (used < PATH_MAX && path[used - 1] == '/'));
        pattern += empty; /* so that a path does not begin with a slash or have two of them */
    }
    if (used > 1 && used < PATH_MAX && path[used - 1] == '/')
        path[--used] = 0;
    if (used == 0)
        append(path, &used, ".", 1);
    errno = used < PATH_MAX ? errno : ENAMETOOLONG;
    return used < PATH_MAX;
}

/* Returns where the part of the path that contains `at` begins. */
static size_t begin_of_part(const char *path, const char *at)
{
    while (at > path && at[-1] != '/')
        at--;
    return (size_t)(at - path);
}

static size_t find_mark(const char *pattern, const char *mark)
{
    const char *at = strstr(pattern, mark);
    return at ? begin_of_part(pattern, at) : strlen(pattern);
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* Returns where the part with the first placeholder of a folder begins; the pattern's end if there
 * is none. */
static size_t find_inside(const char *pattern)
{
    return least(find_mark(pattern, TW_PROJECT_RECIPE), find_mark(pattern, TW_PROJECT_FOLDER));
}

/* ---- the pattern ---- */

static bool is_of_project(const struct tw_settings *settings, const struct words *words)
{
    return words->folder && !settings->out_given;
}

/* Writes the pattern that holds for a recipe; false with errno if it is too long. */
static bool find_pattern(const struct tw_settings *settings, const struct words *words,
                         char *pattern)
{
    int length = is_of_project(settings, words)
                     ? snprintf(pattern, PATH_MAX, "%s%s", settings->project->prefix,
                                tw_settings_project_out(settings))
                     : snprintf(pattern, PATH_MAX, "%s", settings->out);
    errno = length < PATH_MAX ? errno : ENAMETOOLONG;
    return length < PATH_MAX;
}

/* Copies the first `length` bytes without the final slash, which joining adds again. */
static char *base_of(const char *pattern, size_t length)
{
    if (pattern[length] == 0)
        return strdup(pattern);
    return length == 0 ? strdup(".") : strndup(pattern, length > 1 ? length - 1 : length);
}

static enum tw_status fail(const char *pattern, struct tw_error *err)
{
    return errno == ENAMETOOLONG
               ? tw_error_set(err, TW_IO, "cannot write to %.80s...: the name is too long", pattern)
               : tw_error_set(err, TW_MEMORY, "out of memory");
}

enum tw_status tw_recipe_folder_find(const struct tw_settings *settings, const char *operand,
                                     struct tw_recipe_folder *folder, struct tw_error *err)
{
    struct words words;
    char pattern[PATH_MAX], path[PATH_MAX];
    errno = 0;
    find_words(settings, operand, &words);
    if (!find_pattern(settings, &words, pattern) || !expand(pattern, &words, path))
        return fail(settings->out, err);
    size_t outputs = find_mark(path, TW_PROJECT_OUTPUT);
    size_t inside = least(find_inside(pattern), find_mark(pattern, TW_PROJECT_OUTPUT));
    bool splits = path[outputs] != 0;
    folder->member = words.folder != NULL;
    folder->outputs = splits ? strdup(path + outputs) : NULL;
    if (splits)
        path[outputs > 1 ? outputs - 1 : outputs] = 0;
    if (splits && outputs == 0)
        snprintf(path, sizeof path, ".");
    folder->path = strdup(path);
    folder->base = base_of(pattern, inside);
    folder->inside = strdup(strlen(path) > inside ? path + inside : "");
    bool ok = folder->path && folder->base && folder->inside && (!splits || folder->outputs);
    if (!ok)
        tw_recipe_folder_release(folder);
    return ok ? TW_OK : fail(settings->out, err);
}

void tw_recipe_folder_release(struct tw_recipe_folder *folder)
{
    free(folder->path);
    free(folder->base);
    free(folder->inside);
    free(folder->outputs);
    *folder = (struct tw_recipe_folder){0};
}

/* ---- checks ---- */

/* Rejects unknown placeholders of --out; those of a project were checked when it was read. A '{'
 * without its '}', or an empty pair, is an ordinary character. */
static bool check_placeholders(const char *pattern, bool has_folder)
{
    static const char *const marks[] = {TW_PROJECT_RECIPE, TW_PROJECT_OUTPUT, TW_PROJECT_FOLDER};
    for (const char *at = pattern; (at = strchr(at, '{')); at++) {
        const size_t length = strcspn(at + 1, "{}/") + 2;
        bool known = at[length - 1] != '}' || length == 2;
        for (int i = 0; i < 2 + has_folder; i++)
            known |= strncmp(at, marks[i], strlen(marks[i])) == 0;
        if (!known && strncmp(at, TW_PROJECT_FOLDER, length) == 0)
            return tw_console_usage("--out has the placeholder " TW_PROJECT_FOLDER
                                    ", which only recipes of a project have"),
                   false;
        if (!known)
            return tw_console_usage("--out has the placeholder '%.*s'; expected " TW_PROJECT_RECIPE
                                    " or " TW_PROJECT_OUTPUT "%s",
                                    (int)length, at, has_folder ? " or " TW_PROJECT_FOLDER : ""),
                   false;
    }
    return true;
}

static bool check_names(const struct words *words, const char *pattern, const char *operand,
                        bool of_project)
{
    struct tw_file_name_fault fault = {.message = "which is no folder of its own"};
    char folder[PATH_MAX];
    if (!expand(pattern + find_inside(pattern), words, folder))
        return true; /* reported later */
    bool ok = strcmp(words->stem, ".") != 0 && strcmp(words->stem, "..") != 0;
    if (ok && strcmp(folder, ".") != 0)
        ok = tw_file_name_check(folder, &fault);
    if (!ok)
        tw_console_usage("%s becomes '%s' for %s, %s", of_project ? "the project's out" : "--out",
                         folder, operand, fault.message);
    return ok;
}

/* A project of somebody else's may have put a link where its exports go. */
static int check_inside(const struct tw_settings *settings, const struct words *words,
                        const char *pattern)
{
    struct tw_error error;
    char path[PATH_MAX], place[PATH_MAX];
    const struct tw_project *project = settings->project;
    size_t length = expand(pattern, words, path) ? strlen(path) : sizeof path;
    if (length + 3 > sizeof path)
        return 0;                                        /* reported later */
    snprintf(path + length, sizeof path - length, "/x"); /* a file's folder is resolved */
    if (tw_project_below(project, path, place))
        return 0;
    path[length] = 0;
    tw_error_set(&error, TW_PATH, "%.200s lies outside of the project's folder", path);
    snprintf(error.file, sizeof error.file, "%s", project->file);
    snprintf(error.hint, sizeof error.hint, "-o names another folder for exports");
    return tw_console_error(&error);
}

int tw_recipe_folders_check(const struct tw_settings *settings, char **operands)
{
    struct words words;
    char pattern[PATH_MAX];
    for (int32_t i = 0; i < settings->operand_count; i++) {
        find_words(settings, operands[i], &words);
        bool of_project = is_of_project(settings, &words);
        if (!find_pattern(settings, &words, pattern))
            continue; /* reported later */
        bool ok = of_project || check_placeholders(pattern, words.folder != NULL);
        bool varies = pattern[find_inside(pattern)] != 0;
        if (!ok || (varies && !check_names(&words, pattern, operands[i], of_project)))
            return tw_status_exit_code(TW_USAGE);
        int code = of_project ? check_inside(settings, &words, pattern) : 0;
        if (code != 0)
            return code;
    }
    return 0;
}

/* ---- exports ---- */

/* Returns the output that an export shows, or the export's own name without its ending. */
static const char *output_of(struct tw_recipe *recipe, const struct tw_export *item)
{
    const struct tw_source source = item->sources->source;
    for (const struct tw_output *o = recipe->outputs; o; o = o->next)
        if (!item->several && o->source.node == source.node && o->source.port == source.port)
            return o->name;
    const char *slash = strrchr(item->entry, '/'), *name = slash ? slash + 1 : item->entry;
    return tw_arena_copy(&recipe->arena, name, (size_t)(tw_format_ending(name) - name));
}

static const char *replace_output(struct tw_arena *arena, const char *pattern, const char *output)
{
    const char *path = "";
    for (const char *mark; path && (mark = strstr(pattern, TW_PROJECT_OUTPUT));
         pattern = mark + strlen(TW_PROJECT_OUTPUT))
        path = tw_arena_print(arena, "%s%.*s%s", path, (int)(mark - pattern), pattern, output);
    return path ? tw_arena_print(arena, "%s%s", path, pattern) : NULL;
}

/* Returns whether each part of the path is a folder's name, not "", "." or "..". */
static bool has_folders_only(const char *path)
{
    for (size_t length = strcspn(path, "/");; length = strcspn(path, "/")) {
        if (length == 0 || (path[0] == '.' && length <= 2 && path[length - 1] == '.'))
            return false;
        if (!path[length])
            return true;
        path += length + 1;
    }
}

static enum tw_status check_output(const char *folder, const struct tw_export *item,
                                   struct tw_error *err)
{
    struct tw_file_name_fault fault = {.message = "which is no folder of its own"};
    if (has_folders_only(folder) && tw_file_name_check(folder, &fault))
        return TW_OK;
    tw_error_set(err, TW_USAGE, "the folder with " TW_PROJECT_OUTPUT " becomes '%.200s', %s",
                 folder, fault.message);
    snprintf(err->file, sizeof err->file, "%s", item->place.file);
    err->line = item->place.line;
    err->column = item->place.column;
    return TW_USAGE;
}

enum tw_status tw_recipe_folder_move_exports(const struct tw_recipe_folder *folder,
                                             struct tw_recipe *recipe, struct tw_error *err)
{
    enum tw_status status = TW_OK;
    for (struct tw_export *item = recipe->exports; folder->outputs && status == TW_OK && item;
         item = item->next) {
        const char *output = output_of(recipe, item->describes ? item->describes : item);
        const char *path = output ? replace_output(&recipe->arena, folder->outputs, output) : NULL;
        status = path ? check_output(path, item, err) : TW_OK;
        item->file = path ? tw_arena_print(&recipe->arena, "%s/%s", path, item->file) : NULL;
        if (!item->file)
            status = tw_error_set(err, TW_MEMORY, "out of memory");
    }
    return status;
}
