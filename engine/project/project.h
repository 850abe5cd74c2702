/* SPDX-License-Identifier: MIT */
/* A project file, thalweg-project.yaml: which recipes belong together, where their exports go, and
 * what holds for all of them. Project files are untrusted, as recipes are: what they name lies
 * below their own folder. docs/project.md shows one. */
#ifndef TW_ENGINE_PROJECT_PROJECT_H
#define TW_ENGINE_PROJECT_PROJECT_H

#include "gate/tolerance.h"

#include <thalweg/thalweg.h>

#define TW_PROJECT_FILE "thalweg-project.yaml"
/* Placeholders of `out`. */
#define TW_PROJECT_FOLDER "{folder}"
#define TW_PROJECT_RECIPE "{recipe}"
#define TW_PROJECT_OUTPUT "{output}"
/* Where exports go if the project does not say it. */
#define TW_PROJECT_OUT "out/" TW_PROJECT_FOLDER "/" TW_PROJECT_RECIPE

struct tw_project_glob {
    const char *text;
    struct tw_place place;
};

struct tw_project_globs {
    struct tw_project_glob *at;
    int32_t count;
};

/* What `size` and `out` say, of the project or of one of its presets; 0 and NULL: nothing. */
struct tw_project_values {
    int32_t width, height;
    const char *out;
};

struct tw_project_preset {
    const char *name;
    struct tw_project_values values;
};

struct tw_project {
    struct tw_arena arena;
    const char *file;   /* as messages show it */
    const char *prefix; /* from the working folder to the project's: "" or "../levels/" */
    char *real;         /* the folder without symbolic links, with a final slash */
    struct tw_place place;
    struct tw_project_globs recipes, exclude;
    struct tw_project_globs locked; /* has_locked false: every recipe that has a lock */
    bool has_locked;
    struct tw_project_values values;
    struct tw_project_preset *presets;
    int32_t preset_count;
    const char *cache_dir; /* relative to the project's folder; NULL: none given */
    const char *cache_url;
    uint64_t cache_size; /* bytes; 0: not given */
    struct tw_tolerance *tolerances;
    int32_t tolerance_count;
};

/* Finds the nearest project file in a folder or above it and returns its path without symbolic
 * links; false if there is none. `path` holds 4096 bytes. */
bool tw_project_find(const char *folder, char *path);
/* Finds the nearest folder, this one or above it, that has a project file or is a repository's, and
 * returns its path without symbolic links; false if there is none. `path` holds 4096 bytes. */
bool tw_project_find_root(const char *folder, char *path);
/* Reads a project file, whose path has no symbolic links, and reports every fault to the options'
 * diagnostic. NULL for a faulty one. tw_project_release(). */
struct tw_project *tw_project_read(const char *path, const struct tw_load_options *options,
                                   struct tw_error *err);
void tw_project_release(struct tw_project *project);

/* Returns a file's path below the project's folder, or NULL if it lies elsewhere; `place` holds
 * 4096 bytes and the result points into it. */
const char *tw_project_below(const struct tw_project *project, const char *file, char *place);
/* Returns whether a path below the project's folder is one of its recipes. */
bool tw_project_has(const struct tw_project *project, const char *below);
/* Returns whether such a recipe is to be locked. */
bool tw_project_locks(const struct tw_project *project, const char *below);

/* What a file is whose name could be a recipe's. */
enum tw_project_kind {
    TW_PROJECT_RECIPE_FILE,
    TW_PROJECT_EXPERIMENT,
    TW_PROJECT_LOCK,
    TW_PROJECT_ITSELF, /* a project file */
    TW_PROJECT_UNFED,  /* a recipe with inputs that only another recipe gives it */
};
/* Reads no more of the file than this needs; a damaged one counts as a recipe. `input` is the first
 * that is not fed, in the arena's memory; may be NULL. */
enum tw_project_kind tw_project_kind_of(struct tw_arena *arena, const char *path,
                                        const char **input);

/* A file that a glob matches, relative to the working folder, and where it is skipped why. */
struct tw_project_file {
    const char *path;
    const char *unfed; /* its first input that nothing feeds; NULL: it is a recipe to run */
};
/* Lists the files of the project's globs, sorted, without experiments, locks and project files.
 * `unmatched` is called with each glob that matches nothing; may be NULL. TW_RECIPE, at its place,
 * for a file that is named without a wildcard and does not exist. */
enum tw_status tw_project_list(struct tw_project *project,
                               void (*unmatched)(void *context, const struct tw_project_glob *glob),
                               void *context, struct tw_project_file **files, int32_t *count,
                               struct tw_error *err);

/* schema.c: the JSON Schema of project files. */
struct json_t *tw_project_schema(void);

#endif
