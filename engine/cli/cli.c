/* SPDX-License-Identifier: MIT */
/* Words for people: diagnostics with the place, the line and a caret. */
#include "cli/cli.h"

#include "base/number.h"
#include "base/suggest.h"
#include "base/text.h"
#include "field/field.h"
#include "node/param.h"
#include "run/runner.h"

#include <getopt.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void print_place(const struct tw_error *error)
{
    if (error->file[0] && error->line > 0)
        fprintf(stderr, "%s:%d:%d: ", error->file, (int)error->line, (int)error->column);
    else if (error->file[0])
        fprintf(stderr, "%s: ", error->file);
}

void tw_cli_diagnostic(void *context, bool fault, const struct tw_error *error,
                       const char *source_line)
{
    (void)context;
    bool colours = tw_cli_colours(stderr);
    print_place(error);
    fprintf(stderr, "%s%s:%s %s%s%s\n",
            !colours ? ""
            : fault  ? "\033[31m"
                     : "\033[33m",
            fault ? "error" : "warning", colours ? "\033[0m" : "", error->path,
            error->path[0] ? ": " : "", error->message);
    if (source_line && source_line[0] && error->column > 0 &&
        (size_t)error->column <= strlen(source_line) + 1) /* the line may be cut */
        fprintf(stderr, "    %s\n    %*s^\n", source_line, (int)error->column - 1, "");
    if (error->hint[0])
        fprintf(stderr, "    %s\n", error->hint);
}

int tw_cli_error(const struct tw_error *error)
{
    tw_cli_diagnostic(NULL, true, error, NULL);
    return tw_status_exit_code(error->status);
}

int tw_cli_usage(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("thalweg: ", stderr);
    vfprintf(stderr, format, arguments);
    fputs("\n", stderr);
    va_end(arguments);
    return 2;
}

/* getopt_long() leaves in optopt an unknown letter, the value of a long option that takes none, or
 * 0 for an unknown long option, which stands before what it will read next. */
static void refuse_option(char **argv, const struct option *options)
{
    const char *word = argv[optind - 1], *command = argv[0], *name = word + strspn(word, "-");
    char bare[64]; /* of --name=value */
    struct tw_suggestion suggestion = {.wanted = bare};
    snprintf(bare, sizeof bare, "%.*s", (int)strcspn(name, "="), name);
    for (; options->name; options++) {
        tw_suggest_offer(&suggestion, options->name);
        if (optopt != 0 && options->val == optopt) {
            tw_cli_usage("'--%s' takes no value", options->name);
            return;
        }
    }
    if (optopt > 0 && optopt < 128)
        tw_cli_usage("%s has no option '-%c'; see thalweg %s --help", command, optopt, command);
    else if (suggestion.best)
        tw_cli_usage("%s has no option '%s'; did you mean '--%s'?", command, word, suggestion.best);
    else
        tw_cli_usage("%s has no option '%s'; see thalweg %s --help", command, word, command);
}

int tw_cli_option(int argc, char **argv, const char *letters, const struct option *options)
{
    char quiet[32]; /* a colon in front: the missing value is told from the unknown option */
    snprintf(quiet, sizeof quiet, ":%s", letters);
    opterr = 0;
    int option = getopt_long(argc, argv, quiet, options, NULL);
    if (option == ':')
        tw_cli_usage("'%s' needs a value; see thalweg %s --help", argv[optind - 1], argv[0]);
    if (option == '?')
        refuse_option(argv, options);
    return option == ':' ? '?' : option;
}

bool tw_cli_text(const char *option, const char *value)
{
    if (!value[0])
        tw_cli_usage("%s is empty; wanted is a name", option);
    return value[0] != 0;
}

json_t *tw_cli_json(const char *text)
{
    char clean[4096];
    snprintf(clean, sizeof clean, "%s", text);
    tw_text_clean(clean);
    return json_string(clean);
}

bool tw_cli_colours(FILE *stream)
{
    const char *no = getenv("NO_COLOR");
    return isatty(fileno(stream)) && !(no && no[0]);
}

uint64_t tw_cli_bytes(const char *option, const char *value)
{
    static const char units[] = "KMG";
    uint64_t number = 0;
    size_t digits = strspn(value, "0123456789");
    const char *unit = value[digits] ? strchr(units, value[digits]) : NULL;
    int shift = unit ? 10 * (int)(unit - units + 1) : 0;
    bool good = digits > 0 && digits < 12 && (!value[digits] || (unit && !value[digits + 1]));
    for (size_t i = 0; good && i < digits; i++)
        number = 10 * number + (uint64_t)(value[i] - '0');
    if (!good || number == 0 || number > UINT64_MAX >> shift) {
        tw_cli_usage("%s is '%s'; wanted is a number of bytes such as 800M or 4G", option, value);
        return 0;
    }
    return number << shift;
}

const char *tw_cli_cache_dir(const char *option)
{
    static char path[4096];
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int length;
    if (option)
        return option;
    if (base && base[0] == '/')
        length = snprintf(path, sizeof path, "%s/thalweg", base);
    else if (home && home[0])
        length = snprintf(path, sizeof path, "%s/.cache/thalweg", home);
    else
        return NULL;
    return length < (int)sizeof path ? path : NULL;
}

void tw_cli_size_pool(const struct tw_run_options *options)
{
    char text[16];
    snprintf(text, sizeof text, "%d", (int)tw_run_threads(options) + 2);
    setenv("UV_THREADPOOL_SIZE", text, 1);
}

static int read_size(struct tw_load_options *load, const char *value)
{
    char *end = NULL;
    long width = strtol(value, &end, 10);
    long height = *end == 'x' ? strtol(end + 1, &end, 10) : width;
    if (*end || width < 1 || height < 1 || width > TW_SIDE_MAX || height > TW_SIDE_MAX) {
        tw_cli_usage("--size is '%s'; wanted is N or WxH, each 1 to %d", value, TW_SIDE_MAX);
        return -1;
    }
    load->width = (int32_t)width;
    load->height = (int32_t)height;
    return 1;
}

static int add(const char **list, int *count, const char *value)
{
    if (*count == TW_CLI_SETS_MAX) {
        tw_cli_usage("more than %d of one option", TW_CLI_SETS_MAX);
        return -1;
    }
    list[(*count)++] = value;
    return 1;
}

int tw_cli_recipe_option(struct tw_cli_recipe *recipe, int option, const char *value)
{
    switch (option) {
    case 's':
        if (!strchr(value, '=')) {
            tw_cli_usage("-s takes NAME=VALUE, not '%s'", value);
            return -1;
        }
        return add(recipe->set, &recipe->sets, value);
    case TW_OPT_ALLOW:
        return add(recipe->allow, &recipe->allows, value);
    case TW_OPT_SIZE:
        return read_size(&recipe->load, value);
    case TW_OPT_SEED:
        recipe->load.has_seed = true;
        if (tw_number_parse_whole(value, &recipe->load.seed))
            return 1;
        tw_cli_usage("--seed is '%s'; wanted is a whole number from 0 to 2^64 - 1", value);
        return -1;
    default:
        return 0;
    }
}

int tw_cli_load(struct tw_cli_recipe *options, const char *path, struct tw_recipe **recipe)
{
    struct tw_error error = {.status = TW_OK};
    bool told = false;
    options->load.set = options->set;
    options->load.allow = options->allow;
    options->load.diagnostic = tw_cli_diagnostic;
    options->load.context = &told;
    enum tw_status status = tw_recipe_load(path, &options->load, recipe, &error);
    if (status != TW_OK && !error.file[0]) /* not a fault in the file: nothing was told yet */
        tw_cli_error(&error);
    return tw_status_exit_code(status);
}
