/* SPDX-License-Identifier: MIT */
/* The command line as values, and the options that it implies for loading and running recipes. */
#ifndef TW_ENGINE_CONSOLE_SETTINGS_H
#define TW_ENGINE_CONSOLE_SETTINGS_H

#include <thalweg/thalweg.h>

#define TW_OPTION_REPEATS_MAX 64
#define TW_OPTIONS_FORWARDED_MAX 128

/* Commands as bits of a set. */
enum tw_command_bits {
    TW_FOR_RUN = 1,
    TW_FOR_CHECK = 2,
    TW_FOR_GRAPH = 4,
    TW_FOR_NODES = 8,
    TW_FOR_COMPARE = 16,
    TW_FOR_CACHE = 32,
    TW_FOR_MAN = 64,
    TW_FOR_LOCK = 128,
    TW_FOR_VERIFY = 256,
    TW_FOR_DIFF = 512,
    TW_FOR_JUDGE = 1024,
    TW_FOR_INSPECT = 2048,
    TW_FOR_DOCTOR = 4096,
    TW_FOR_SCHEMA = 8192,
    TW_FOR_SERVE = 16384,
    TW_FOR_MCP = 32768,
    TW_FOR_LIST = 65536,
    TW_FOR_ALL = ~0
};

enum tw_place_to_run { TW_ON_HERE, TW_ON_SLURM };
enum tw_cache_mode { TW_CACHE_READWRITE, TW_CACHE_READ, TW_CACHE_OFF };

/* The values of a repeatable option, NULL-terminated. */
struct tw_option_list {
    const char *at[TW_OPTION_REPEATS_MAX + 1];
    int32_t count;
};
struct tw_option_seed {
    bool given;
    uint64_t value;
};
struct tw_option_range {
    bool given;
    double low, high; /* low < high */
};
struct tw_option_cells { /* 0 x 0 when not given */
    int32_t width, height;
};
struct tw_option_shard { /* 0 of 0 when not given */
    int32_t at, of;
};

/* The values of the command line. A command reads only the fields that its options set. */
struct tw_settings {
    const char *out, *only, *trace, *cache_dir, *csv, *csv_long, *csv_front, *json_lines,
        *html; /* NULL when not given */
    const char *update, *picture, *events, *bands, *batch, *report_as, *variants, *earlier;
    const char *preset, *since, *depfile, *checkout, *before; /* NULL when not given */
    double tolerance;
    struct tw_option_list set, allow_path, answers, against;
    struct tw_option_seed seed, picture_seed, draw;
    struct tw_option_cells size;
    struct tw_option_range range;
    struct tw_option_shard shard;
    struct tw_option_list sbatch;
    int32_t on;         /* enum tw_place_to_run */
    double poll, probe; /* seconds; poll: 0 when not given */
    /* Options that tasks on other machines also get, with the values that the user gave. */
    struct {
        const char *name;  /* without the dashes */
        const char *value; /* NULL for a flag */
        int commands;      /* that accept the option: TW_FOR_* */
    } forwarded[TW_OPTIONS_FORWARDED_MAX];
    int32_t forwarded_count;
    int32_t threads, seeds, times, pairs, level, tasks, port, band; /* 0 when not given */
    int32_t format, message_format, endian; /* indices into the option's labels */
    uint64_t max_memory, cache_size, max_size;
    int32_t max_time; /* seconds; 0 when not given */
    bool untrusted, read_only, is_signed;
    bool yes, json, markdown, sidecar, explain, dry_run, watch, no_cache, no_exports, gather, ask,
        tell, quiet, help;
    const char *cache_url, *cache_secret_file, *cache_token_file; /* NULL when not given */
    double cache_wait;
    int32_t cache_mode;       /* enum tw_cache_mode */
    struct tw_remote *remote; /* the open cache while the command runs; NULL: none */
    int operand_count;
    bool inputs, upgrade, embed;
    bool out_given, cache_size_given; /* on the command line, not by default; --max-size, too */
    bool cache_of_project;            /* its file names the cache folder */
    /* The project whose settings its recipes among the operands take; NULL: none. */
    struct tw_project *project;
};

/* Builds the options for loading a recipe. */
struct tw_load_options tw_console_load_options(const struct tw_settings *settings);
/* Builds the options for loading one of the operands, with what its project says. */
struct tw_load_options tw_console_recipe_options(const struct tw_settings *settings,
                                                 const char *path);
/* Returns an operand's path below the folder of the call's project, or NULL if it is none of its
 * recipes. `place` holds 4096 bytes, and the result points into it. */
const char *tw_settings_member(const struct tw_settings *settings, const char *operand,
                               char *place);
/* Returns where the project puts exports, with --preset. */
const char *tw_settings_project_out(const struct tw_settings *settings);
/* Builds the options for running a recipe and sets the size of the thread pool. */
struct tw_run_options tw_console_run_options(const struct tw_settings *settings);
/* Loads a recipe and reports all its faults; returns the exit code. `error` is the first fault. */
int tw_console_load(const struct tw_settings *settings, const char *path, struct tw_recipe **recipe,
                    struct tw_error *error);
/* Loads a recipe as tw_console_load() does, with changes, and adds every file that it reads to
 * `watch`; both may be NULL. */
struct tw_watch;
struct tw_load_changes;
int tw_console_load_watched(const struct tw_settings *settings, const char *path,
                            const struct tw_load_changes *changes, struct tw_watch *watch,
                            struct tw_recipe **recipe, struct tw_error *error);
/* Returns --cache-dir, else $XDG_CACHE_HOME/thalweg, else ~/.cache/thalweg; NULL if neither
 * variable is set. */
const char *tw_console_cache_dir(const char *option);

#endif
