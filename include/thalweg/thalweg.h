/* SPDX-License-Identifier: MIT */
/* The embedder's interface: load a recipe, set parameters, run it, read results.
 *
 *     struct tw_recipe *recipe = NULL;
 *     struct tw_result *result = NULL;
 *     struct tw_error error;
 *     if (tw_recipe_load("hills.yaml", NULL, &recipe, &error) == TW_OK &&
 *         tw_recipe_run(recipe, NULL, &result, &error) == TW_OK)
 *         use(tw_result_output(result, "height"));
 *     tw_result_release(result);
 *     tw_recipe_release(recipe);
 *
 * Ownership: the caller owns and releases what a function writes through a `struct ... **`;
 * releasing NULL does nothing. Functions borrow strings and options for the call, unless a comment
 * says more. They write results on success only, and `error`, which may be NULL, on failure.
 *
 * Threads: one thread at a time may use a recipe or result; different threads may use different
 * recipes at once. tw_recipe_run() blocks its caller and computes on libuv's thread pool. */
#ifndef THALWEG_THALWEG_H
#define THALWEG_THALWEG_H

#include <thalweg/field.h>
#include <thalweg/status.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TW_VERSION "0.1.0"

struct tw_recipe;
struct tw_result;
struct tw_node_type;

/* Bounds on a recipe, tighter than the engine's own; 0 adds no bound. */
struct tw_limits {
    int32_t nodes;  /* after recipes used as nodes are expanded */
    int32_t side;   /* cells along the longer side */
    uint64_t cells; /* more than 2^28, the engine's own bound for tw_recipe_run(), can be loaded but
                       only the command runs it, writing files in row bands */
};

/* How to load a recipe; zero means the default. All strings are borrowed for the call. */
struct tw_load_options {
    const char *const *set; /* "name=value" pairs, NULL-terminated: the recipe's parameters */
    int32_t width, height;  /* replaces the recipe's size; 0 and 0 keep it, a height of 0: square */
    bool has_seed;          /* use `seed` instead of the recipe's */
    uint64_t seed;
    bool feeds; /* the program feeds the recipe's `inputs:`; otherwise using one is a fault */
    struct tw_limits limits;
    const char *const *allow; /* further folders that files may be read from */
    /* For recipes from elsewhere: refuses a recipe that is a link out of its folder with TW_PATH,
     * and quotes nothing in errors from files that were reached through a link. */
    bool suspects_links;
    /* Further node types, NULL-terminated; the types must outlive the recipe. A type named like one
     * of ours replaces it and needs another version: caches identify types by name and version. */
    const struct tw_node_type *const *types;
    /* Called for every fault and warning, in file order; the first fault is also returned. */
    void (*diagnostic)(void *context, bool fault, const struct tw_error *error,
                       const char *source_line);
    /* Called with the path of every file before it is read, and of files that would be read if they
     * existed (recipes used as nodes, files of nodes, their sidecars), so that a program can watch
     * them; may repeat a path. May be NULL. */
    void (*reads)(void *context, const char *path);
    void *context; /* passed to diagnostic() and reads() */
};

/* Loads and checks a recipe from a file, or from memory: `length` bytes of `text`, which are copied
 * and need no terminating zero (`name` replaces the file's path in messages and for relative
 * paths). On success the caller owns `*recipe`. Status: TW_RECIPE, TW_LIMIT, TW_INPUT when it
 * cannot be read, TW_PATH, TW_MEMORY; `error`, unless NULL, holds the first fault. */
TW_API enum tw_status tw_recipe_load(const char *path, const struct tw_load_options *options,
                                     struct tw_recipe **recipe, struct tw_error *error);
TW_API enum tw_status tw_recipe_parse(const char *text, size_t length, const char *name,
                                      const struct tw_load_options *options,
                                      struct tw_recipe **recipe, struct tw_error *error);
TW_API void tw_recipe_release(struct tw_recipe *recipe);

/* ---- inputs, outputs and parameters of a recipe ---- */

/* An input or output. A grid has width x height cells; a list, whose length is unknown in advance,
 * has 0 x 0. */
struct tw_recipe_port {
    const char *name;
    enum tw_type type; /* tw_type_name() names it */
    int32_t width, height;
};

/* A parameter: a number if its default is one or bounds are declared, else a word. A default of
 * auto or none may be set again in place of a number, in spite of bounds. */
struct tw_recipe_param {
    const char *name;
    const char *about;   /* "" for none */
    const char *initial; /* the recipe's default */
    const char *value;   /* the recipe's default, or the value in tw_load_options.set */
    bool is_number;
    bool has_min, has_max;
    double min, max; /* only if bounds are declared */
    bool has_usual;
    double usual_min, usual_max; /* what authors try: only if `usual:` is declared */
};

/* Get number i of the recipe's inputs (only if loaded with tw_load_options.feeds), outputs or
 * parameters, in the order of its file. Return false and write nothing past the last. Names are
 * borrowed: they live as long as the recipe. */
TW_API bool tw_recipe_input(const struct tw_recipe *recipe, int32_t i,
                            struct tw_recipe_port *input);
TW_API bool tw_recipe_output(const struct tw_recipe *recipe, int32_t i,
                             struct tw_recipe_port *output);
TW_API bool tw_recipe_param(const struct tw_recipe *recipe, int32_t i,
                            struct tw_recipe_param *param);

/* Gives an input of the recipe a value for the next runs: a map of the recipe's size, or a list of
 * height 1; any type but polymap can be fed. The value is copied, so the caller keeps it and may
 * change it afterwards. The copy, which max_memory does not count, lives until the input is fed
 * again or the recipe is released. Its content is part of the cache keys that depend on it. Status:
 * TW_USAGE (no such input, another type or size), TW_INPUT (a number that is not finite, a share
 * beyond 0..1), TW_MEMORY; after a failure the earlier value remains. */
TW_API enum tw_status tw_recipe_feed(struct tw_recipe *recipe, const char *name,
                                     const struct tw_value *value, struct tw_error *error);

/* ---- running a recipe ---- */

/* A cache on a web server that a team shares: docs/cache.md. Serves one run at a time. */
struct tw_remote;

struct tw_remote_options {
    const char *url;            /* http:// or https://; /ac/NAME and /cas/NAME below it are used */
    bool read_only;             /* fetch results, send none */
    const char *secret_file;    /* the team's 128 hexadecimal digits; private to the owner */
    const char *token_file;     /* value of Authorization that the server requires; NULL: none */
    double wait;                /* seconds by which it may lengthen a run; 0: 2 */
    bool patient;               /* no such bound: a request may last as long as bytes move */
    const volatile int *cancel; /* non-zero ends pending requests; NULL, or outlives the remote */
};

/* Opens a remote cache without connecting: an absent server costs a run some time, no more. Status:
 * TW_USAGE, TW_PATH (a file that others may read), TW_INPUT, TW_IO, TW_MEMORY. */
TW_API enum tw_status tw_remote_open(const struct tw_remote_options *options,
                                     struct tw_remote **remote, struct tw_error *error);
TW_API void tw_remote_release(struct tw_remote *remote);

struct tw_run_options {
    int32_t threads;     /* 0: one per processor */
    uint64_t max_memory; /* bytes that values may take at a time; 0: no bound */
    bool in_memory;     /* spill no value to cache_dir to stay within max_memory: fail with TW_LIMIT
                           instead */
    double max_seconds; /* fail with TW_LIMIT if the run takes longer; 0: no bound */
    const char *cache_dir; /* NULL: no cache */
    uint64_t cache_bytes;  /* size bound of the cache; 0: none */
    /* Queried for results that the cache lacks, and sent those that are computed; NULL: none. Needs
     * cache_dir, whose entries are then authenticated by the team's secret; libuv's pool needs 3
     * more threads. */
    struct tw_remote *remote;
    const char *only; /* compute only this output; NULL: all outputs and exports */
    /* Called on the running thread as nodes end and advance. `node` is a path as in hills/noise,
     * which lives as long as the recipe; `done` is the fraction of the run completed, 0..1. */
    void (*progress)(void *context, const char *node, double done);
    void (*warning)(void *context, const struct tw_error *warning); /* borrowed for the call */
    void *context;
    /* Set to non-zero from any thread or signal handler to stop the run within a quarter second. */
    const volatile int *cancel;
};

/* Computes the recipe's outputs, any number of times, with identical bytes for identical inputs. On
 * success the caller owns `*result`, which holds values of its own and outlives the recipe. Status:
 * TW_USAGE (`only` names no output, an input was not fed, `cache_dir` is ""), TW_LIMIT, TW_INPUT,
 * TW_PATH, TW_NODE, TW_IO (values cannot be spilled to cache_dir), TW_MEMORY, TW_CANCELLED. */
TW_API enum tw_status tw_recipe_run(struct tw_recipe *recipe, const struct tw_run_options *options,
                                    struct tw_result **result, struct tw_error *error);
/* Returns the value of an output by name, or NULL if there is none. Borrowed: it lives as long as
 * the result and must not be written. Its `type` selects the view of field.h: tw_floats() of maps,
 * tw_labels(), tw_points(), tw_entries() and tw_record_find() of records. */
TW_API const struct tw_value *tw_result_output(const struct tw_result *result, const char *name);
TW_API void tw_result_release(struct tw_result *result);

/* For editors and tools: return as JSON the JSON Schema of recipes, and all node types or the one
 * called `name`. `types` are further node types, as in tw_load_options; NULL for none. The caller
 * frees the text with free(). NULL when memory runs out or no type has the name. */
TW_API char *tw_schema_json(const struct tw_node_type *const *types);
TW_API char *tw_catalogue_json(const struct tw_node_type *const *types, const char *name);

#ifdef __cplusplus
}
#endif
#endif
