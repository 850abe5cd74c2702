/* SPDX-License-Identifier: MIT */
#include "experiment/map_measure.h"

#include "base/number.h"

#include <stdio.h>
#include <string.h>

const char tw_map_measure_expected[] =
    "mean, deviation, min, max, volume, share(LOW, HIGH), slope.share(LOW, HIGH), difference.mean, "
    "difference.rms, difference.max, or TYPE.FIELD of a node measure.TYPE";

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

/* "LOW, HIGH)" */
static bool read_band(const char *text, struct tw_map_measure *measure)
{
    char copy[100];
    size_t length = strlen(text);
    if (length < 2 || length > sizeof copy || text[length - 1] != ')')
        return false;
    memcpy(copy, text, length - 1);
    copy[length - 1] = 0;
    char *comma = strchr(copy, ',');
    if (!comma)
        return false;
    *comma++ = 0;
    comma += strspn(comma, " ");
    measure->kind = TW_MAP_SHARE;
    measure->field = "mean";
    return tw_number_parse(copy, &measure->low) && tw_number_parse(comma, &measure->high) &&
           measure->low <= measure->high;
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

/* Takes one map and nothing else, and has a record. */
static bool suits(const struct tw_node_type *type)
{
    return type && tw_node_count_ports(type->inputs) == 1 && type->inputs[0].type == TW_HEIGHTMAP &&
           !tw_node_file_param(type) && find_record_port(type) >= 0;
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
    if (!suits(measure->type))
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
    rest = after(field, "difference.");
    return rest ? find_difference(rest, measure) : find_record(field, measure);
}

bool tw_map_measure_shares(const struct tw_map_measure *a, const struct tw_map_measure *b)
{
    return a->kind == b->kind && a->type == b->type && a->low == b->low && a->high == b->high;
}
