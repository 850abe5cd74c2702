/* SPDX-License-Identifier: MIT */
/* Reads a project file from YAML. */
#include "project/project.h"

#include "base/os/file.h"
#include "base/os/file_name.h"
#include "base/os/links.h"
#include "base/text/number.h"
#include "base/text/suggest.h"
#include "graph/load/expect.h"
#include "value/field.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    struct tw_project *project;
    struct tw_fault_log *log;
};

#define FAULT(r, yaml, ...) tw_fault_log_add((r)->log, TW_RECIPE, (yaml)->place, NULL, __VA_ARGS__)

static const char *text_of(struct reader *r, const struct tw_yaml *yaml, const char *what)
{
    if (!tw_expect_kind(r->log, yaml, TW_YAML_SCALAR, what))
        return NULL;
    if (yaml->text[0])
        return yaml->text;
    FAULT(r, yaml, "%s is empty", what);
    return NULL;
}

/* ---- paths ---- */

/* Returns whether a path stays below the folder that it counts from. */
static bool stays_below(const char *path)
{
    if (tw_file_is_absolute(path))
        return false;
    for (const char *at = path; *at; at += strcspn(at, "/"), at += *at == '/')
        if (strcspn(at, "/") == 2 && strncmp(at, "..", 2) == 0)
            return false;
    return true;
}

static void read_globs(struct reader *r, const struct tw_yaml *list, const char *what,
                       struct tw_project_globs *globs)
{
    if (!tw_expect_kind(r->log, list, TW_YAML_SEQUENCE, what))
        return;
    globs->at = tw_arena_alloc(&r->project->arena, (size_t)list->count + 1, sizeof *globs->at);
    for (const struct tw_yaml_item *item = list->items; globs->at && item; item = item->next) {
        const char *text = text_of(r, item->value, what);
        while (text && strncmp(text, "./", 2) == 0)
            text += 2;
        if (text && !stays_below(text))
            FAULT(r, item->value,
                  "%s is %s; expected a path below the project's folder, without ..", what,
                  TW_YAML_FOUND(item->value));
        else if (text)
            globs->at[globs->count++] = (struct tw_project_glob){text, item->value->place};
    }
}

/* Placeholders count as ordinary letters. */
static bool check_names(struct reader *r, const struct tw_yaml *yaml, const char *what)
{
    struct tw_file_name_fault fault;
    if (!stays_below(yaml->text)) {
        tw_fault_log_add(r->log, TW_RECIPE, yaml->place,
                         "another folder is named on the command line, which wins",
                         "%s is %s; expected a folder below the project's, without ..", what,
                         TW_YAML_FOUND(yaml));
        return false;
    }
    if (tw_file_name_check(yaml->text, &fault))
        return true;
    FAULT(r, yaml, "%s is %s, %s", what, TW_YAML_FOUND(yaml), fault.message);
    return false;
}

static void read_out(struct reader *r, const struct tw_yaml *yaml, const char **out)
{
    static const char *const marks[] = {TW_PROJECT_FOLDER, TW_PROJECT_RECIPE, TW_PROJECT_OUTPUT};
    const char *text = text_of(r, yaml, "out");
    if (!text || !check_names(r, yaml, "out"))
        return;
    for (const char *at = text; (at = strchr(at, '{')); at++) {
        size_t length = strcspn(at + 1, "{}/") + 2;
        bool known = at[length - 1] != '}' || length == 2;
        struct tw_suggestion suggestion = {
            .unknown = tw_arena_copy(&r->project->arena, at, known ? 0 : length)};
        for (int i = 0; i < 3; i++) {
            known |= strncmp(at, marks[i], strlen(marks[i])) == 0;
            if (suggestion.unknown)
                tw_suggest_offer(&suggestion, marks[i]);
        }
        if (known)
            continue;
        tw_fault_log_add(r->log, TW_RECIPE, tw_yaml_place_within(yaml, (size_t)(at - text)),
                         tw_suggest_hint(&suggestion, &r->project->arena),
                         "out has the placeholder '%.*s'", (int)length, at);
        return;
    }
    *out = text;
}

/* ---- numbers ---- */

static bool parse_size(const char *text, int32_t *width, int32_t *height)
{
    char first[16];
    uint64_t w = 0, h = 0;
    size_t length = strcspn(text, "x");
    if (length >= sizeof first)
        return false;
    snprintf(first, sizeof first, "%.*s", (int)length, text);
    bool ok = tw_number_parse_whole(first, &w);
    h = w;
    if (ok && text[length])
        ok = tw_number_parse_whole(text + length + 1, &h);
    if (!ok || w < 1 || w > TW_SIDE_MAX || h < 1 || h > TW_SIDE_MAX)
        return false;
    *width = (int32_t)w;
    *height = (int32_t)h;
    return true;
}

static void read_size(struct reader *r, const struct tw_yaml *yaml,
                      struct tw_project_values *values)
{
    if (yaml->kind != TW_YAML_SCALAR || !parse_size(yaml->text, &values->width, &values->height))
        FAULT(r, yaml, "size is %s; expected cells from 1 to %d, as in 1024 or 1024x512",
              TW_YAML_FOUND(yaml), TW_SIDE_MAX);
}

static bool parse_bytes(const char *text, uint64_t *bytes)
{
    static const char units[] = "KMG";
    char number[24];
    size_t length = strlen(text);
    const char *unit = length > 0 ? strchr(units, text[length - 1]) : NULL;
    length -= unit != NULL;
    if (length == 0 || length >= sizeof number)
        return false;
    snprintf(number, sizeof number, "%.*s", (int)length, text);
    int shift = unit ? 10 * (int)(unit - units + 1) : 0;
    if (!tw_number_parse_whole(number, bytes) || *bytes == 0 || *bytes > (UINT64_MAX >> shift))
        return false;
    *bytes <<= shift;
    return true;
}

/* ---- parts ---- */

static void read_cache(struct reader *r, const struct tw_yaml *yaml)
{
    static const char *const known[] = {"dir", "size", "url", NULL};
    struct tw_project *project = r->project;
    const struct tw_yaml *value;
    if (!tw_expect_kind(r->log, yaml, TW_YAML_MAPPING, "cache"))
        return;
    tw_expect_keys(r->log, &project->arena, yaml, "cache", known);
    if ((value = tw_yaml_find(yaml, "dir")) && text_of(r, value, "cache.dir") &&
        check_names(r, value, "cache.dir"))
        project->cache_dir = value->text;
    if ((value = tw_yaml_find(yaml, "url")))
        project->cache_url = text_of(r, value, "cache.url");
    if ((value = tw_yaml_find(yaml, "size")) &&
        (value->kind != TW_YAML_SCALAR || !parse_bytes(value->text, &project->cache_size)))
        FAULT(r, value, "cache.size is %s; expected bytes, as in 800M or 8G", TW_YAML_FOUND(value));
}

static void read_tolerances(struct reader *r, const struct tw_yaml *yaml)
{
    struct tw_project *project = r->project;
    char what[160];
    if (!tw_expect_kind(r->log, yaml, TW_YAML_MAPPING, "tolerances"))
        return;
    project->tolerances =
        tw_arena_alloc(&project->arena, (size_t)yaml->count + 1, sizeof *project->tolerances);
    for (const struct tw_yaml_item *item = yaml->items; project->tolerances && item;
         item = item->next) {
        struct tw_tolerance *to = &project->tolerances[project->tolerance_count];
        to->output = item->key->text;
        snprintf(what, sizeof what, "the tolerance of %.120s", item->key->text);
        project->tolerance_count +=
            tw_tolerance_read(&project->arena, r->log, item->value, what, to);
    }
}

static void read_values(struct reader *r, const struct tw_yaml *yaml,
                        struct tw_project_values *values)
{
    const struct tw_yaml *value;
    if ((value = tw_yaml_find(yaml, "size")))
        read_size(r, value, values);
    if ((value = tw_yaml_find(yaml, "out")))
        read_out(r, value, &values->out);
}

static void read_presets(struct reader *r, const struct tw_yaml *yaml)
{
    static const char *const known[] = {"size", "out", NULL};
    struct tw_project *project = r->project;
    if (!tw_expect_kind(r->log, yaml, TW_YAML_MAPPING, "presets"))
        return;
    project->presets =
        tw_arena_alloc(&project->arena, (size_t)yaml->count + 1, sizeof *project->presets);
    for (const struct tw_yaml_item *item = yaml->items; project->presets && item;
         item = item->next) {
        struct tw_project_preset *preset = &project->presets[project->preset_count++];
        preset->name = item->key->text;
        if (!tw_expect_kind(r->log, item->value, TW_YAML_MAPPING, "a preset"))
            continue;
        tw_expect_keys(r->log, &project->arena, item->value, "a preset", known);
        read_values(r, item->value, &preset->values);
    }
}

/* ---- the file ---- */

static bool check_version(struct reader *r, const struct tw_yaml *root)
{
    const struct tw_yaml_item *first = root->kind == TW_YAML_MAPPING ? root->items : NULL;
    if (!first || strcmp(first->key->text, "thalweg-project") != 0) {
        tw_fault_log_add(r->log, TW_RECIPE, root->place, "begin the file with 'thalweg-project: 1'",
                         "this is not a project file: the first key is not 'thalweg-project'");
        return false;
    }
    if (first->value->kind == TW_YAML_SCALAR && strcmp(first->value->text, "1") == 0)
        return true;
    FAULT(r, first->value, "the project file has version %s; this engine reads version 1",
          TW_YAML_FOUND(first->value));
    return false;
}

static void read_root(struct reader *r, const struct tw_yaml *root)
{
    static const char *const known[] = {
        "thalweg-project", "about", "recipes",    "exclude", "out", "size",
        "presets",         "cache", "tolerances", "locked",  NULL};
    struct tw_project *project = r->project;
    const struct tw_yaml *value;
    tw_expect_keys(r->log, &project->arena, root, "a project", known);
    if ((value = tw_yaml_find(root, "recipes")))
        read_globs(r, value, "recipes", &project->recipes);
    else
        FAULT(r, root, "a project needs recipes:, as in [levels/**/terrain.yaml]");
    if ((value = tw_yaml_find(root, "exclude")))
        read_globs(r, value, "exclude", &project->exclude);
    if ((value = tw_yaml_find(root, "locked"))) {
        read_globs(r, value, "locked", &project->locked);
        project->has_locked = true;
    }
    read_values(r, root, &project->values);
    if ((value = tw_yaml_find(root, "presets")))
        read_presets(r, value);
    if ((value = tw_yaml_find(root, "cache")))
        read_cache(r, value);
    if ((value = tw_yaml_find(root, "tolerances")))
        read_tolerances(r, value);
}

/* Returns the way from the working folder to another, both with a final slash: "../levels/". */
static const char *way_to(struct tw_arena *arena, const char *from, const char *to)
{
    size_t common = 0;
    for (size_t i = 0; from[i] && from[i] == to[i]; i++)
        if (from[i] == '/')
            common = i + 1;
    size_t ups = 0;
    for (const char *at = from + common; *at; at++)
        ups += *at == '/';
    char *way = tw_arena_alloc(arena, 3 * ups + strlen(to + common) + 1, 1);
    for (size_t i = 0; way && i < ups; i++)
        memcpy(way + 3 * i, "../", 3);
    if (way)
        memcpy(way + 3 * ups, to + common, strlen(to + common));
    return way;
}

static bool locate(struct tw_project *project, const char *path)
{
    char here[PATH_MAX];
    const char *name = strrchr(path, '/') + 1;
    project->real = tw_arena_copy(&project->arena, path, (size_t)(name - path));
    if (!project->real)
        return false;
    bool known = tw_file_real_path(".", here) && strlen(here) + 1 < sizeof here;
    if (known && strcmp(here, "/") != 0)
        snprintf(here + strlen(here), sizeof here - strlen(here), "/");
    project->prefix = known ? way_to(&project->arena, here, project->real) : project->real;
    project->file =
        project->prefix ? tw_arena_print(&project->arena, "%s%s", project->prefix, name) : NULL;
    return project->file != NULL;
}

static enum tw_status read_file(struct reader *r, const char *path,
                                const struct tw_load_options *options, struct tw_error *err)
{
    unsigned char *data = NULL;
    size_t length = 0;
    struct tw_project *project = r->project;
    enum tw_status status = options->suspects_links ? tw_links_check(project->file, err) : TW_OK;
    if (status == TW_OK)
        status = tw_file_as_input(tw_file_read(path, TW_YAML_BYTES_MAX, &data, &length, err), err);
    if (status != TW_OK)
        return status;
    const char *text = tw_arena_copy(&project->arena, (const char *)data, length);
    free(data);
    if (!text)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    const struct tw_yaml *root =
        tw_yaml_parse(&project->arena, r->log, project->file, text, length);
    if (root) {
        project->place = root->place;
        if (check_version(r, root))
            read_root(r, root);
    }
    if (r->log->faults > 0) {
        *err = r->log->first;
        return err->status;
    }
    return project->arena.failed ? tw_error_set(err, TW_MEMORY, "out of memory") : TW_OK;
}

struct tw_project *tw_project_read(const char *path, const struct tw_load_options *options,
                                   struct tw_error *err)
{
    struct tw_fault_log log = {.sink = options->diagnostic, .context = options->context};
    struct tw_project *project = calloc(1, sizeof *project);
    struct reader r = {.project = project, .log = &log};
    if (!project || !locate(project, path)) {
        tw_project_release(project);
        tw_error_set(err, TW_MEMORY, "out of memory");
        return NULL;
    }
    log.hides = options->suspects_links && tw_links_lead_to(project->file);
    if (read_file(&r, path, options, err) == TW_OK)
        return project;
    tw_project_release(project);
    return NULL;
}

void tw_project_release(struct tw_project *project)
{
    if (project)
        tw_arena_release(&project->arena);
    free(project);
}
