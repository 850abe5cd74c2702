/* SPDX-License-Identifier: MIT */
/* The command line: one row per option drives parsing, --help, completions, the man page and the
 * tables of docs/cli.md. To add an option, add a field to tw_settings (console/settings.h) and a
 * row to options.c. */
#ifndef TW_ENGINE_CLI_OPTIONS_H
#define TW_ENGINE_CLI_OPTIONS_H

#include "console/answer.h"
#include "console/settings.h"

#include <thalweg/thalweg.h>

#define TW_OPTION_ROWS_MAX 96

enum tw_option_kind {
    TW_OPTION_FLAG,   /* bool */
    TW_OPTION_TEXT,   /* const char *, not empty */
    TW_OPTION_WORDS,  /* const char *, a program and its words, one of which has {file} */
    TW_OPTION_MAYBE,  /* const char *, "" if its value is left out: --update[=NODE] */
    TW_OPTION_NUMBER, /* double, not negative */
    TW_OPTION_LIST,   /* struct tw_option_list */
    TW_OPTION_PAIRS,  /* struct tw_option_list of NAME=VALUE texts */
    TW_OPTION_COUNT,  /* int32_t, 1 to max */
    TW_OPTION_BYTES,  /* uint64_t; accepts a suffix K, M or G */
    TW_OPTION_SEED,   /* struct tw_option_seed */
    TW_OPTION_RANGE,  /* struct tw_option_range: LOW:HIGH */
    TW_OPTION_CELLS,  /* struct tw_option_cells, each 1 to max */
    TW_OPTION_SHARD,  /* struct tw_option_shard, I/N, N at most max */
    TW_OPTION_CHOICE, /* int32_t: index into the labels that `argument` names */
};

/* Further bits of tw_option.commands, above those of the commands (TW_FOR_*). */
enum tw_option_bits {
    TW_FROM_ENVIRONMENT = 1 << 17, /* the variable THALWEG_NAME supplies the default */
    TW_FORWARDED = 1 << 18,        /* --on passes it to tasks on other machines */
    /* Select the heading in --help; options without one precede all headings. */
    TW_ABOUT_REPORTS = 1 << 19,
    TW_ABOUT_LIMITS = 1 << 20,
    TW_ABOUT_CACHE = 1 << 21,
    TW_ABOUT_MACHINES = 1 << 22,
    TW_ABOUT = TW_ABOUT_REPORTS | TW_ABOUT_LIMITS | TW_ABOUT_CACHE | TW_ABOUT_MACHINES
};

struct tw_option {
    char letter; /* 0 for none */
    const char *name;
    const char *argument; /* FILE, DIR, ... or labels separated by '|'; NULL for a flag */
    enum tw_option_kind kind;
    size_t offset;       /* of the field in tw_settings */
    const char *initial; /* default, as a user would type it; NULL for none */
    int32_t max;         /* upper limit of numbers */
    int commands;        /* TW_FOR_* and enum tw_option_bits */
    const char *help;
};

/* A sub-command. The table in main.c ends with a row without a name. */
struct tw_command {
    const char *name;
    int (*run)(const struct tw_settings *settings, char **operands);
    int bit; /* TW_FOR_*, 0 if it takes no option but --help */
    /* Pattern of operands: "RECIPE", "RECIPE..." (one or more), "[TYPE...]" (any number),
     * "bash|zsh" (one of these), "[a|b]" (one or none), or "" for none. */
    const char *operand;
    const char *summary;
    const char *notes; /* paragraphs after the options in --help; NULL for none */
};
extern const struct tw_command tw_commands[];

struct tw_exit_code {
    const char *code, *meaning;
};
extern const struct tw_exit_code tw_exit_codes[]; /* ends with a row without a code */

/* All options; the last row has no name. */
extern const struct tw_option tw_options[TW_OPTION_ROWS_MAX];
bool tw_option_applies(const struct tw_option *option, const struct tw_command *command);

const struct tw_command *tw_command_find(const char *name);
/* Finds the answer form that --json or --format requests, even if the command line has errors. A
 * NULL `command` accepts every option. */
enum tw_answer_form tw_options_form(const struct tw_command *command, int argc, char **argv);
/* Fills `settings`, defaults included, and finds the operands. Reports the first error and returns
 * false. With --help, checks neither operands nor conflicts on standard output. */
bool tw_options_read(const struct tw_command *command, int argc, char **argv,
                     struct tw_settings *settings, char ***operands);

/* Returns word `i` of labels separated by '|', ignoring brackets, and sets its length; NULL past
 * the last word. */
const char *tw_option_label(const char *labels, int i, int *length);

/* Writes the name of an option's environment variable: THALWEG_CACHE_URL for --cache-url. */
void tw_option_variable(const struct tw_option *option, char *text, size_t size);

/* Parses a value into the option's field; reports an invalid one and returns false. */
bool tw_option_set(const struct tw_option *option, const char *value, struct tw_settings *settings);

/* Records a TW_FORWARDED option for tasks on other machines; reports too many and returns false. */
bool tw_option_forward(const struct tw_option *option, const char *value,
                       struct tw_settings *settings);
/* Reports an operand "-" and returns false unless it is `allowed` and given only once. Commands
 * that need a file name do not allow it. */
bool tw_stdin_check(const char *command, const struct tw_settings *settings, char **operands,
                    bool allowed);
/* Applies --shard I/N to recipes: keeps every N-th operand, starting with the I-th. */
void tw_options_take_shard(struct tw_settings *settings, char **operands);

/* ---- text generated from the rows ---- */

void tw_usage_print(const struct tw_command *command);
/* Wraps text at 100 bytes: lines start at `indent`, and the current one has reached `column`. */
struct tw_cli_line {
    int indent, column;
};
/* Prints text, breaking lines at spaces and at the text's own line ends. */
void tw_cli_put_words(struct tw_cli_line *line, const char *text);
/* Writes "-o, --out DIR". Without a letter, `aligned` indents "--seed N" by four spaces. */
void tw_option_spelling(const struct tw_option *option, bool aligned, char *text, size_t size);
/* Writes the usage line of a command: "thalweg run RECIPE [options]". */
void tw_command_synopsis(const struct tw_command *command, char *text, size_t size);

#endif
