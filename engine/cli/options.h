/* SPDX-License-Identifier: MIT */
/* The command line: one row per option, from which parsing, --help, completions, the man page and
 * the tables of docs/cli.md are made. To add an option, add a field to tw_settings and a row to
 * options.c. */
#ifndef TW_ENGINE_CLI_OPTIONS_H
#define TW_ENGINE_CLI_OPTIONS_H

#include "cli/answers/answer.h"

#include <thalweg/thalweg.h>

#define TW_OPTION_REPEATS_MAX 64
#define TW_OPTIONS_FORWARDED_MAX 128
#define TW_OPTION_ROWS_MAX 96

/* The values of an option that may be given several times, NULL-terminated. */
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

/* What the command line says. A command reads the fields that its options set. */
struct tw_settings {
    const char *out, *only, *trace, *cache_dir, *csv, *html; /* NULL when not given */
    const char *update, *picture, *events, *bands, *batch, *report_as;
    double tolerance;
    struct tw_option_list set, allow_path, answers;
    struct tw_option_seed seed, picture_seed, draw;
    struct tw_option_cells size;
    struct tw_option_range range;
    struct tw_option_shard shard;
    struct tw_option_list sbatch;
    int32_t on;         /* enum tw_place_to_run */
    double poll, probe; /* seconds; poll: 0 when not given */
    /* As they were given: what tasks on other machines are to be told, too. */
    struct {
        const struct tw_option *option;
        const char *value; /* NULL for a flag */
    } forwarded[TW_OPTIONS_FORWARDED_MAX];
    int32_t forwarded_count;
    int32_t threads, seeds, times, pairs, tasks, port; /* 0 when not given */
    int32_t format, message_format, endian;            /* index into the row's labels */
    uint64_t max_memory, cache_size, max_size;
    int32_t max_time; /* seconds; 0 when not given */
    bool untrusted;
    bool yes, json, markdown, explain, dry_run, watch, no_cache, no_exports, gather, quiet, help;
    const char *cache_url, *cache_secret_file, *cache_token_file; /* NULL when not given */
    double cache_wait;
    int32_t cache_mode;       /* enum tw_cache_mode */
    struct tw_remote *remote; /* what these lead to, while the command runs; NULL: none */
    int operand_count;
};

enum tw_option_kind {
    TW_OPTION_FLAG,   /* bool */
    TW_OPTION_TEXT,   /* const char *, not empty */
    TW_OPTION_MAYBE,  /* const char *, "" when it is given without a value: --update[=NODE] */
    TW_OPTION_NUMBER, /* double, not negative */
    TW_OPTION_LIST,   /* struct tw_option_list */
    TW_OPTION_PAIRS,  /* the same; every value has a '=' */
    TW_OPTION_COUNT,  /* int32_t, 1 to max */
    TW_OPTION_BYTES,  /* uint64_t, with K, M or G */
    TW_OPTION_SEED,   /* struct tw_option_seed */
    TW_OPTION_RANGE,  /* struct tw_option_range: LOW:HIGH */
    TW_OPTION_CELLS,  /* struct tw_option_cells, each 1 to max */
    TW_OPTION_SHARD,  /* struct tw_option_shard, I/N, N at most max */
    TW_OPTION_CHOICE, /* int32_t: index into the labels that `argument` names */
};

/* Commands that take an option, as bits. */
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
    TW_FROM_ENVIRONMENT = 1 << 16, /* THALWEG_NAME stands for it where it is not given */
    TW_FORWARDED = 1 << 17,        /* with --on, tasks get it, too */
    /* The heading of --help that it stands under; without one before all headings. */
    TW_ABOUT_REPORTS = 1 << 18,
    TW_ABOUT_LIMITS = 1 << 19,
    TW_ABOUT_CACHE = 1 << 20,
    TW_ABOUT_MACHINES = 1 << 21,
    TW_ABOUT = TW_ABOUT_REPORTS | TW_ABOUT_LIMITS | TW_ABOUT_CACHE | TW_ABOUT_MACHINES,
    TW_FOR_ALL = ~0
};

enum tw_place_to_run { TW_ON_HERE, TW_ON_SLURM };
enum tw_cache_mode { TW_CACHE_READWRITE, TW_CACHE_READ, TW_CACHE_OFF };

struct tw_option {
    char letter; /* 0 for none */
    const char *name;
    const char *argument; /* FILE, DIR, ... or labels separated by '|'; NULL for a flag */
    enum tw_option_kind kind;
    size_t offset;       /* into tw_settings */
    const char *initial; /* default, as it would be written; NULL for none */
    int32_t max;         /* of numbers */
    int commands;        /* TW_FOR_* */
    const char *help;
};

/* One row per sub-command; the table is in main.c and ends with a row without a name. */
struct tw_command {
    const char *name;
    int (*run)(const struct tw_settings *settings, char **operands);
    int bit; /* TW_FOR_*, 0 when it takes no option but --help */
    /* As "RECIPE", "RECIPE..." (one or more), "[TYPE...]" (any number), "bash|zsh" (one of
     * these), "[a|b]" (one or none), or "" for none. */
    const char *operand;
    const char *summary;
    const char *notes; /* paragraphs that follow the options; NULL for none */
};
extern const struct tw_command tw_commands[];

struct tw_exit_code {
    const char *code, *meaning;
};
extern const struct tw_exit_code tw_exit_codes[]; /* ends with a row without a code */

/* The rows; the last has no name. */
extern const struct tw_option tw_options[TW_OPTION_ROWS_MAX];
bool tw_option_applies(const struct tw_option *option, const struct tw_command *command);

const struct tw_command *tw_command_find(const char *name);
/* The form of answer that a command line asks for, whatever mistakes it has. A `command` of NULL
 * has every option. */
enum tw_answer_form tw_options_form(const struct tw_command *command, int argc, char **argv);
/* Fills `settings`, defaults included, and finds the operands. False after a mistake that was
 * reported. With --help nothing else is checked. */
bool tw_options_read(const struct tw_command *command, int argc, char **argv,
                     struct tw_settings *settings, char ***operands);

/* Word `i` of labels separated by '|', in brackets or not, and its length; NULL past the last. */
const char *tw_option_label(const char *labels, int i, int *length);

/* "THALWEG_CACHE_URL" for --cache-url. */
void tw_option_variable(const struct tw_option *option, char *text, size_t size);

/* The value of an option into its field; false after a mistake that was reported. */
bool tw_option_set(const struct tw_option *option, const char *value, struct tw_settings *settings);

/* Notes an option that tasks on other machines get, too; false after a mistake that was reported.
 */
bool tw_option_forward(const struct tw_option *option, const char *value,
                       struct tw_settings *settings);
/* --shard of recipes: keeps every N-th operand from the I-th on. */
void tw_options_take_shard(struct tw_settings *settings, char **operands);

/* ---- texts made from the rows ---- */

void tw_usage_print(const struct tw_command *command);
/* Text in lines of 100 bytes that begin at `indent`; the one being printed has `column`. */
struct tw_cli_line {
    int indent, column;
};
/* Breaks lines at spaces, and where the text has line ends. */
void tw_cli_put_words(struct tw_cli_line *line, const char *text);
/* "-o, --out DIR"; without a letter "    --seed N" when `aligned`, else "--seed N". */
void tw_option_spelling(const struct tw_option *option, bool aligned, char *text, size_t size);
/* "usage" of a command: "thalweg run RECIPE [options]". */
void tw_command_synopsis(const struct tw_command *command, char *text, size_t size);

#endif
