/* SPDX-License-Identifier: MIT */
/* Parses option values into tw_settings; the only place that validates them. */
#include "base/os/checkout.h"
#include "base/text/number.h"
#include "cli/cli.h"
#include "cli/options.h"

#include <stdlib.h>
#include <string.h>

static bool set_text(const struct tw_option *option, const char *value, const char **text)
{
    /* an unset shell variable gives "", which as a folder would name the root */
    if (!value[0]) {
        tw_console_usage("--%s is empty; expected %s", option->name, option->argument);
        return false;
    }
    *text = value;
    return true;
}

static bool set_words(const struct tw_option *option, const char *value, const char **text)
{
    const char *program = value + strspn(value, " \t\n");
    const char *words = program + strcspn(program, " \t\n");
    if (!strstr(words, TW_CHECKOUT_FILE)) {
        tw_console_usage(
            "--%s is '%s'; expected a program and its words, one of them with " TW_CHECKOUT_FILE
            ", as in 'p4 edit " TW_CHECKOUT_FILE "'",
            option->name, value);
        return false;
    }
    *text = value;
    return true;
}

static bool append(const struct tw_option *option, const char *value, struct tw_option_list *list)
{
    if (option->kind == TW_OPTION_PAIRS && !strchr(value, '=')) {
        tw_console_usage("--%s is '%s'; expected %s", option->name, value, option->argument);
        return false;
    }
    if (list->count == TW_OPTION_REPEATS_MAX) {
        tw_console_usage("more than %d of --%s", TW_OPTION_REPEATS_MAX, option->name);
        return false;
    }
    return set_text(option, value, &list->at[list->count++]);
}

static bool set_count(const struct tw_option *option, const char *value, int32_t *count)
{
    char *end = NULL;
    long number = strtol(value, &end, 10);
    if (end == value || *end || number < 1 || number > option->max) {
        tw_console_usage("--%s is '%s'; expected a whole number from 1 to %d", option->name, value,
                         (int)option->max);
        return false;
    }
    *count = (int32_t)number;
    return true;
}

static bool set_bytes(const struct tw_option *option, const char *value, uint64_t *bytes)
{
    static const char units[] = "KMG"; /* powers of 1024 */
    uint64_t number = 0;
    size_t digits = strspn(value, "0123456789");
    const char *unit = value[digits] ? strchr(units, value[digits]) : NULL;
    int shift = unit ? 10 * (int)(unit - units + 1) : 0;
    bool ok = digits > 0 && digits < 12 && (!value[digits] || (unit && !value[digits + 1]));
    for (size_t i = 0; ok && i < digits; i++)
        number = 10 * number + (uint64_t)(value[i] - '0');
    if (!ok || number == 0 || number > UINT64_MAX >> shift) {
        tw_console_usage("--%s is '%s'; expected a number of bytes such as 800M or 4G",
                         option->name, value);
        return false;
    }
    *bytes = number << shift;
    return true;
}

static bool set_seed(const struct tw_option *option, const char *value, struct tw_option_seed *seed)
{
    seed->given = tw_number_parse_whole(value, &seed->value);
    if (!seed->given)
        tw_console_usage("--%s is '%s'; expected a whole number from 0 to 2^64 - 1", option->name,
                         value);
    return seed->given;
}

static bool set_cells(const struct tw_option *option, const char *value,
                      struct tw_option_cells *cells)
{
    char *end = NULL;
    long width = strtol(value, &end, 10);
    long height = *end == 'x' ? strtol(end + 1, &end, 10) : width;
    if (*end || width < 1 || height < 1 || width > option->max || height > option->max) {
        tw_console_usage("--%s is '%s'; expected N or WxH, each 1 to %d", option->name, value,
                         (int)option->max);
        return false;
    }
    *cells = (struct tw_option_cells){(int32_t)width, (int32_t)height};
    return true;
}

static bool set_range(const struct tw_option *option, const char *value,
                      struct tw_option_range *range)
{
    char low[32];
    size_t length = strcspn(value, ":");
    if (length < sizeof low && value[length] == ':') {
        snprintf(low, sizeof low, "%.*s", (int)length, value);
        range->given = tw_number_parse(low, &range->low) &&
                       tw_number_parse(value + length + 1, &range->high) &&
                       range->low < range->high;
    }
    if (!range->given)
        tw_console_usage("--%s is '%s'; expected LOW:HIGH, as in -50:400", option->name, value);
    return range->given;
}

static bool set_shard(const struct tw_option *option, const char *value,
                      struct tw_option_shard *shard)
{
    char *end = NULL;
    long at = strtol(value, &end, 10);
    long of = *end == '/' ? strtol(end + 1, &end, 10) : 0;
    if (*end || at < 1 || of < at || of > option->max) {
        tw_console_usage("--%s is '%s'; expected I/N, as in 1/8 to 8/8", option->name, value);
        return false;
    }
    *shard = (struct tw_option_shard){(int32_t)at, (int32_t)of};
    return true;
}

static bool set_number(const struct tw_option *option, const char *value, double *number)
{
    if (tw_number_parse(value, number) && *number >= 0)
        return true;
    tw_console_usage("--%s is '%s'; expected a number, at least 0", option->name, value);
    return false;
}

static bool set_choice(const struct tw_option *option, const char *value, int32_t *choice)
{
    int length = 0;
    const char *label;
    for (int32_t i = 0; (label = tw_option_label(option->argument, i, &length)); i++)
        if (strlen(value) == (size_t)length && strncmp(value, label, (size_t)length) == 0) {
            *choice = i;
            return true;
        }
    tw_console_usage("--%s is '%s'; expected one of %s", option->name, value, option->argument);
    return false;
}

bool tw_option_set(const struct tw_option *option, const char *value, struct tw_settings *settings)
{
    void *field = (unsigned char *)settings + option->offset;
    switch (option->kind) {
    case TW_OPTION_FLAG:
        *(bool *)field = true;
        return true;
    case TW_OPTION_TEXT:
        return set_text(option, value, field);
    case TW_OPTION_WORDS:
        return set_words(option, value, field);
    case TW_OPTION_MAYBE:
        *(const char **)field = value ? value : "";
        return true;
    case TW_OPTION_NUMBER:
        return set_number(option, value, field);
    case TW_OPTION_LIST:
    case TW_OPTION_PAIRS:
        return append(option, value, field);
    case TW_OPTION_COUNT:
        return set_count(option, value, field);
    case TW_OPTION_BYTES:
        return set_bytes(option, value, field);
    case TW_OPTION_SEED:
        return set_seed(option, value, field);
    case TW_OPTION_RANGE:
        return set_range(option, value, field);
    case TW_OPTION_CELLS:
        return set_cells(option, value, field);
    case TW_OPTION_SHARD:
        return set_shard(option, value, field);
    case TW_OPTION_CHOICE:
        return set_choice(option, value, field);
    }
    return false;
}

bool tw_option_forward(const struct tw_option *row, const char *value, struct tw_settings *settings)
{
    int32_t at = settings->forwarded_count;
    if (row->commands == TW_FOR_ALL || !(row->commands & TW_FORWARDED))
        return true;
    if (at == TW_OPTIONS_FORWARDED_MAX)
        return tw_console_usage("more than %d options", TW_OPTIONS_FORWARDED_MAX), false;
    settings->forwarded[at].name = row->name;
    settings->forwarded[at].commands = row->commands;
    settings->forwarded[at].value = row->argument ? value : NULL;
    settings->forwarded_count++;
    return true;
}

void tw_options_take_shard(struct tw_settings *settings, char **operands)
{
    int kept = 0;
    if (settings->shard.of == 0)
        return;
    for (int i = settings->shard.at - 1; i < settings->operand_count; i += settings->shard.of)
        operands[kept++] = operands[i];
    settings->operand_count = kept;
}
