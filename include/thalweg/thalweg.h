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
 * Ownership: what a function writes through a `struct ... **` belongs to the caller, who releases
 * it; releasing NULL does nothing. Strings and options are borrowed for the call, unless a comment
 * says more. Results are written on success only, `error`, which may be NULL, on failure.
 *
 * Threads: a recipe or result may be used by one thread at a time; different recipes by different
 * threads at once. tw_recipe_run() blocks its caller and computes on libuv's thread pool. */
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

/* Bounds on what a recipe may ask for, tighter than the engine's own; 0: no tighter. */
struct tw_limits {
    int32_t nodes;  /* after recipes used as nodes are expanded */
    int32_t side;   /* cells along the longer side */
    uint64_t cells; /* more than 2^28, the engine's own bound, can be loaded but not run by
                       tw_recipe_run(): such maps are for files that the command writes in bands */
};

/* What a recipe is loaded with; zero means the default. All strings are borrowed for the call. */
struct tw_load_options {
    const char *const *set; /* "name=value" pairs, NULL-terminated: the recipe's parameters */
    int32_t width, height;  /* instead of the recipe's size; 0 and 0 keep it, a height of 0 makes a
                             * square */
    bool has_seed;          /* use `seed` instead of the recipe's */
    uint64_t seed;
    bool feeds; /* the program feeds the recipe's `inputs:`; else a use of one is a fault */
    struct tw_limits limits;
    const char *const *allow; /* folders that files may be read from besides the recipe's own */
    /* For recipes from elsewhere: one that is a link out of its folder is refused with TW_PATH, and
     * errors quote nothing of files that any link leads to. */
    bool suspects_links;
    /* Further node types, NULL-terminated; the types must outlive the recipe. One with the name of
     * a type of ours replaces it, and needs another version: caches know types by these two. */
    const struct tw_node_type *const *types;
    /* Called for every fault and warning, in file order; the first fault is also returned. */
    void (*diagnostic)(void *context, bool fault, const struct tw_error *error,
                       const char *source_line);
    /* Called with the path of every file before it is read, and of those that would be if they
     * were there (recipes used as nodes, files of nodes, their sidecars), so that a program can
     * watch them; a path may come more than once. May be NULL. */
    void (*reads)(void *context, const char *path);
    void *context; /* of both */
};

/* Loads and checks a recipe from a file, or from memory: `length` bytes of `text`, which are copied
 * and need no zero at their end (`name` stands for the file in messages and relative paths). On
 * success `*recipe` is owned by the caller. Status: TW_RECIPE, TW_LIMIT, TW_INPUT when it cannot be
 * read, TW_PATH, TW_MEMORY; `error`, unless NULL, holds the first fault. */
TW_API enum tw_status tw_recipe_load(const char *path, const struct tw_load_options *options,
                                     struct tw_recipe **recipe, struct tw_error *error);
TW_API enum tw_status tw_recipe_parse(const char *text, size_t length, const char *name,
                                      const struct tw_load_options *options,
                                      struct tw_recipe **recipe, struct tw_error *error);
TW_API void tw_recipe_release(struct tw_recipe *recipe);

/* ---- what a recipe takes and gives ---- */

/* An input or output. A grid has width x height cells; of a list, whose length is not known before
 * it is there, both are 0. */
struct tw_recipe_port {
    const char *name;
    enum tw_type type; /* tw_type_name() in words */
    int32_t width, height;
};

/* A parameter: a number, where its default is one or bounds are declared, else a word. A default
 * of auto or none in spite of bounds may be set again instead of a number. */
struct tw_recipe_param {
    const char *name;
    const char *about;   /* "" for none */
    const char *initial; /* the default, as the recipe has it */
    const char *value;   /* the same, or what tw_load_options.set says */
    bool is_number;
    bool has_min, has_max;
    double min, max; /* where there are bounds */
};

/* Number i of the recipe's inputs (as loaded with tw_load_options.feeds, else there are none),
 * outputs or parameters, in the order of its file; false, and nothing written, when there are no
 * more. Names are borrowed: they live as long as the recipe. */
TW_API bool tw_recipe_input(const struct tw_recipe *recipe, int32_t i,
                            struct tw_recipe_port *input);
TW_API bool tw_recipe_output(const struct tw_recipe *recipe, int32_t i,
                             struct tw_recipe_port *output);
TW_API bool tw_recipe_param(const struct tw_recipe *recipe, int32_t i,
                            struct tw_recipe_param *param);

/* Gives an input of the recipe a value, which the next runs use: a map has the recipe's size, a
 * list height 1, and any type but polymap can be fed. The value is copied, so it stays the
 * caller's and may change after the call; the copy, which max_memory does not count, lives until
 * the input is fed again or the recipe is released. Its content is part of the cache key of what
 * depends on it. Status: TW_USAGE (no such input, another type or size), TW_INPUT (a number that is
 * not finite, a share beyond 0..1), TW_MEMORY; what was fed before then stays. */
TW_API enum tw_status tw_recipe_feed(struct tw_recipe *recipe, const char *name,
                                     const struct tw_value *value, struct tw_error *error);

/* ---- running it ---- */

/* A cache on a web server that a team shares: docs/cache.md. One run at a time uses it. */
struct tw_remote;

struct tw_remote_options {
    const char *url;            /* http:// or https://; /ac/NAME and /cas/NAME below it are used */
    bool read_only;             /* take results, send none */
    const char *secret_file;    /* 128 hexadecimal digits, the team's; only the owner may read it */
    const char *token_file;     /* what the server asks for (Authorization); NULL: nothing */
    double wait;                /* seconds by which it may make a run longer; 0: 2 */
    bool patient;               /* no such bound: a request may last as long as bytes move */
    const volatile int *cancel; /* set to non-zero to end what is under way; may be NULL, else it
                                   must outlive the remote */
};

/* Connects to nothing yet: a server that is not there costs runs some time, no more. Status:
 * TW_USAGE, TW_PATH (a file that others may read), TW_INPUT, TW_IO, TW_MEMORY. */
TW_API enum tw_status tw_remote_open(const struct tw_remote_options *options,
                                     struct tw_remote **remote, struct tw_error *error);
TW_API void tw_remote_release(struct tw_remote *remote);

struct tw_run_options {
    int32_t threads;       /* 0: one per processor */
    uint64_t max_memory;   /* bytes that values may take at once; 0: no bound */
    bool in_memory;        /* no value waits in cache_dir to stay within max_memory; such a run
                            * fails with TW_LIMIT */
    double max_seconds;    /* the run fails with TW_LIMIT when it takes longer; 0: no bound */
    const char *cache_dir; /* NULL: no cache */
    uint64_t cache_bytes;  /* size bound of the cache; 0: none */
    /* Asked for what the cache does not have, and sent what was computed; NULL: none. Needs
     * cache_dir, which then goes by the team's secret; libuv's pool needs 3 more threads. */
    struct tw_remote *remote;
    const char *only; /* compute only this output; NULL: all outputs and exports */
    /* Called on the thread that runs, as nodes end and advance. `node` is a path as in hills/noise,
     * which lives as long as the recipe; `done` is the fraction of the run completed, 0..1. */
    void (*progress)(void *context, const char *node, double done);
    void (*warning)(void *context, const struct tw_error *warning); /* borrowed for the call */
    void *context;
    /* Set to non-zero from any thread or signal handler to stop the run within a quarter second. */
    const volatile int *cancel;
};

/* Computes the recipe's outputs; any number of times, and the same bytes each time with the same
 * inputs. On success `*result` is owned by the caller; it holds values of its own and outlives the
 * recipe. Status: TW_USAGE (`only` names no output, an input was not fed, `cache_dir` is ""),
 * TW_LIMIT, TW_INPUT, TW_PATH, TW_NODE, TW_IO (values that have to wait in cache_dir cannot),
 * TW_MEMORY, TW_CANCELLED. */
TW_API enum tw_status tw_recipe_run(struct tw_recipe *recipe, const struct tw_run_options *options,
                                    struct tw_result **result, struct tw_error *error);
/* The value of an output by name; NULL when there is none. Borrowed: lives as long as the result,
 * never written. Its `type` says which view of field.h it has: tw_floats() of maps, tw_labels(),
 * tw_points(), tw_entries() and tw_record_find() of records. */
TW_API const struct tw_value *tw_result_output(const struct tw_result *result, const char *name);
TW_API void tw_result_release(struct tw_result *result);

/* For editors and tools: the JSON Schema of recipes, and all node types, or the one of that name,
 * as JSON. `types` are further node types, as in tw_load_options; NULL for none. The caller frees
 * the text with free(). NULL when memory runs out or no type has the name. */
TW_API char *tw_schema_json(const struct tw_node_type *const *types);
TW_API char *tw_catalogue_json(const struct tw_node_type *const *types, const char *name);

#ifdef __cplusplus
}
#endif
#endif
