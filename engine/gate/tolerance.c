/* SPDX-License-Identifier: MIT */
#include "gate/tolerance.h"

#include "base/text/number.h"
#include "graph/load/expect.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct tw_tolerance_limit none = {INFINITY, false};

static bool parse_limit(const char *text, struct tw_tolerance_limit *limit)
{
    char number[40];
    size_t length = strlen(text);
    *limit = (struct tw_tolerance_limit){0, length > 1 && text[length - 1] == 'm'};
    length -= limit->metres;
    while (length > 0 && text[length - 1] == ' ')
        length--;
    if (length >= sizeof number)
        return false;
    memcpy(number, text, length);
    number[length] = 0;
    return tw_number_parse(number, &limit->at) && limit->at >= 0 && isfinite(limit->at);
}

static bool read_limit(struct tw_fault_log *log, const struct tw_yaml *yaml, const char *key,
                       struct tw_tolerance_limit *limit)
{
    const struct tw_yaml *value = tw_yaml_find(yaml, key);
    *limit = none;
    if (!value || (value->kind == TW_YAML_SCALAR && parse_limit(value->text, limit)))
        return true;
    tw_fault_log_add(log, TW_RECIPE, value->place, NULL,
                     "%s is %s; expected a difference that is not negative, in metres as in 0.5 m, "
                     "or in the map's own values",
                     key, TW_YAML_FOUND(value));
    *limit = none;
    return false;
}

bool tw_tolerance_has(struct tw_tolerance_limit limit) { return isfinite(limit.at); }

bool tw_tolerance_read(struct tw_arena *arena, struct tw_fault_log *log, const struct tw_yaml *yaml,
                       const char *what, struct tw_tolerance *tolerance)
{
    static const char *const known[] = {"most", "mean", NULL};
    int32_t faults = log->faults;
    if (!tw_expect_kind(log, yaml, TW_YAML_MAPPING, what))
        return false;
    tw_expect_keys(log, arena, yaml, what, known);
    bool ok = read_limit(log, yaml, "most", &tolerance->most);
    ok = read_limit(log, yaml, "mean", &tolerance->mean) && ok;
    if (log->faults == faults && !tw_tolerance_has(tolerance->most) &&
        !tw_tolerance_has(tolerance->mean)) {
        tw_fault_log_add(log, TW_RECIPE, yaml->place, NULL,
                         "%s has no limit; expected most, mean or both, as in {most: 0.5 m}", what);
        return false;
    }
    return ok && log->faults == faults;
}

void tw_tolerance_print_limit(char *text, size_t size, struct tw_tolerance_limit limit)
{
    char number[32];
    tw_number_print(number, sizeof number, limit.at);
    snprintf(text, size, "%s%s", number, limit.metres ? " m" : "");
}

static bool within(struct tw_tolerance_limit limit, double difference, double metres)
{
    return difference * (limit.metres ? metres : 1) <= limit.at;
}

bool tw_tolerance_holds(const struct tw_tolerance *tolerance, const struct tw_map_difference *d,
                        double metres)
{
    return within(tolerance->most, d->greatest, metres) && within(tolerance->mean, d->mean, metres);
}
