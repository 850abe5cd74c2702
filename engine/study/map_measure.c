/* SPDX-License-Identifier: MIT */
#include "study/map_measure.h"

#include "base/text/number.h"
#include "base/text/suggest.h"

#include <stdio.h>
#include <string.h>

/* Forms that messages list as expected; `rule`: what the numbers must satisfy. */
static const struct form {
    const char *name, *numbers, *rule;
} forms[] = {{"mean", "", NULL},
             {"deviation", "", NULL},
             {"min", "", NULL},
             {"max", "", NULL},
             {"volume", "", NULL},
             {"quantile", "(SHARE)", "SHARE from 0 to 1"},
             {"share", "(LOW, HIGH)", "LOW at most HIGH"},
             {"histogram", "(LOW, HIGH, BINS)", "no name of its own"},
             {"slope.share", "(LOW, HIGH)", "LOW at most HIGH"},
             {"slope.histogram", "(LOW, HIGH, BINS)", "no name of its own"},
             {"difference.mean", "", NULL},
             {"difference.rms", "", NULL},
             {"difference.max", "", NULL}};
enum { FORMS = sizeof forms / sizeof *forms };

static const struct tw_node_type *find_type(const char *name)
{
    const struct tw_registry registry = {NULL};
    return tw_registry_find(&registry, name);
}

static const char *after(const char *text, const char *prefix)
{
    size_t length = strlen(prefix);
    return strncmp(text, prefix, length) == 0 ? text + length : NULL;
}

/* Reads "LOW, HIGH)", with as many numbers as expected. */
static bool read_numbers(const char *text, double *numbers, int count)
{
    char copy[100];
    size_t length = strlen(text);
    if (length < 2 || length > sizeof copy || text[length - 1] != ')')
        return false;
    memcpy(copy, text, length - 1);
    copy[length - 1] = 0;
    for (char *at = copy; count > 0; count--, numbers++) {
        char *comma = strchr(at, ',');
        if ((comma != NULL) != (count > 1))
            return false;
        if (comma)
            *comma++ = 0;
        if (!tw_number_parse(at + strspn(at, " "), numbers))
            return false;
        at = comma;
    }
    return true;
}

static bool read_band(const char *text, struct tw_map_measure *measure)
{
    double band[2];
    if (!read_numbers(text, band, 2) || band[0] > band[1])
        return false;
    measure->kind = TW_MAP_SHARE;
    measure->field = "mean";
    measure->low = band[0];
    measure->high = band[1];
    return true;
}

static bool read_quantile(const char *text, struct tw_map_measure *measure)
{
    measure->kind = TW_MAP_QUANTILE;
    measure->field = "quantile";
    return read_numbers(text, &measure->low, 1) && measure->low >= 0 && measure->low <= 1;
}

int tw_map_bins_read(const char *field, struct tw_map_bins *bins)
{
    const char *slopes = after(field, "slope.histogram("), *heights = after(field, "histogram(");
    double numbers[3] = {0};
    if (!slopes && !heights)
        return 0;
    bool ok = read_numbers(slopes ? slopes : heights, numbers, 3) && numbers[0] < numbers[1] &&
              numbers[2] >= 1 && numbers[2] <= TW_MAP_BINS_MAX &&
              numbers[2] == (double)(int32_t)numbers[2];
    if (!ok)
        return -1;
    *bins = (struct tw_map_bins){slopes ? "slope.share" : "share", numbers[0], numbers[1],
                                 (int32_t)numbers[2]};
    return 1;
}

static bool find_difference(const char *field, struct tw_map_measure *measure)
{
    bool rms = strcmp(field, "rms") == 0;
    measure->kind = rms ? TW_MAP_RMS : TW_MAP_DIFFERENCE;
    measure->type = find_type("measure.difference");
    measure->field = field;
    return rms || strcmp(field, "mean") == 0 || strcmp(field, "max") == 0;
}

static int find_record_port(const struct tw_node_type *type)
{
    for (int port = 0; type->outputs[port].name; port++)
        if (type->outputs[port].type == TW_RECORD)
            return port;
    return -1;
}

/* Whether the type needs one map, its first input, and nothing else, and has a record. */
static bool is_measure(const struct tw_node_type *type)
{
    if (!type || !type->inputs || type->inputs[0].type != TW_HEIGHTMAP)
        return false;
    for (const struct tw_port *port = type->inputs; port->name; port++)
        if ((port == type->inputs) != (port->flags == TW_REQUIRED))
            return false;
    return !tw_node_file_param(type) && find_record_port(type) >= 0;
}

static bool find_record(const char *field, struct tw_map_measure *measure)
{
    static const char *const statistics[] = {"mean", "deviation", "min", "max", "volume", NULL};
    char name[100];
    const char *dot = strchr(field, '.');
    if (!dot) {
        measure->type = find_type("measure.statistics");
        measure->field = field;
        for (const char *const *known = statistics; *known; known++)
            if (strcmp(*known, field) == 0)
                return true;
        return false;
    }
    snprintf(name, sizeof name, "measure.%.*s", (int)(dot - field), field);
    measure->type = find_type(name);
    measure->field = dot + 1;
    if (!is_measure(measure->type))
        return false;
    measure->port = find_record_port(measure->type);
    return true;
}

bool tw_map_measure_find(const char *field, struct tw_map_measure *measure)
{
    *measure = (struct tw_map_measure){.kind = TW_MAP_RECORD};
    const char *rest = after(field, "share(");
    if (rest) {
        measure->type = find_type("mask.height");
        return read_band(rest, measure);
    }
    if ((rest = after(field, "slope.share("))) {
        measure->type = find_type("mask.slope");
        return read_band(rest, measure);
    }
    if ((rest = after(field, "quantile("))) {
        measure->type = find_type("measure.quantile");
        return read_quantile(rest, measure);
    }
    rest = after(field, "difference.");
    return rest ? find_difference(rest, measure) : find_record(field, measure);
}

/* Prints "mean, deviation, ..."; the text must have room for all. */
static void list_forms(char *text, size_t size)
{
    size_t used = 0;
    for (int i = 0; i < FORMS; i++)
        used +=
            (size_t)snprintf(text + used, size - used, "%s%s, ", forms[i].name, forms[i].numbers);
    snprintf(text + used, size - used, "or TYPE.FIELD of a node measure.TYPE");
}

void tw_map_measure_explain(const char *name, const char *field, struct tw_error *err)
{
    char word[100], expected[400];
    struct tw_suggestion suggestion = {.unknown = word};
    const struct form *known = NULL;
    snprintf(word, sizeof word, "%.*s", (int)strcspn(field, "("), field);
    for (int i = 0; i < FORMS; i++) {
        tw_suggest_offer(&suggestion, forms[i].name);
        if (forms[i].rule && strcmp(forms[i].name, word) == 0)
            known = &forms[i];
    }
    if (known)
        snprintf(expected, sizeof expected, "%s%s with %s", word, known->numbers, known->rule);
    else
        list_forms(expected, sizeof expected);
    tw_error_set(err, TW_RECIPE, "%s: '%s' cannot be measured of a map; expected %s", name, field,
                 expected);
    if (suggestion.best && !known)
        tw_suggest_to(&suggestion, err);
}

bool tw_map_measure_shares(const struct tw_map_measure *a, const struct tw_map_measure *b)
{
    return a->kind == b->kind && a->type == b->type && a->low == b->low && a->high == b->high;
}
