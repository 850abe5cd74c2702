/* SPDX-License-Identifier: MIT */
/* The command line: one row per option, from which parsing, --help, completions, the man page and
 * the tables of docs/cli.md are made. To add an option, add a field to tw_settings
 * (console/settings.h) and a row to options.c. */
#ifndef TW_ENGINE_CLI_OPTIONS_H
#define TW_ENGINE_CLI_OPTIONS_H

#include "console/answer.h"
#include "console/settings.h"

#include <thalweg/thalweg.h>

#define TW_OPTION_ROWS_MAX 96

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

/* What else an option says in the field that has the bits of its commands (TW_FOR_*). */
enum tw_option_bits {
    TW_FROM_ENVIRONMENT = 1 << 16, /* THALWEG_NAME stands for it where it is not given */
    TW_FORWARDED = 1 << 17,        /* with --on, tasks get it, too */
    /* The heading of --help that it stands under; without one before all headings. */
    TW_ABOUT_REPORTS = 1 << 18,
    TW_ABOUT_LIMITS = 1 << 19,
    TW_ABOUT_CACHE = 1 << 20,
    TW_ABOUT_MACHINES = 1 << 21,
    TW_ABOUT = TW_ABOUT_REPORTS | TW_ABOUT_LIMITS | TW_ABOUT_CACHE | TW_ABOUT_MACHINES
};

struct tw_option {
    char letter; /* 0 for none */
    const char *name;
    const char *argument; /* FILE, DIR, ... or labels separated by '|'; NULL for a flag */
    enum tw_option_kind kind;
    size_t offset;       /* into tw_settings */
    const char *initial; /* default, as it would be written; NULL for none */
    int32_t max;         /* of numbers */
    int commands;        /* TW_FOR_* and enum tw_option_bits */
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
/* False, after a complaint, when an operand is "-" and the command needs a name beside which it
 * writes, or when two are. */
bool tw_stdin_check(const char *command, const struct tw_settings *settings, char **operands,
                    bool allowed);
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
