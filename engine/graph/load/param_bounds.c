/* SPDX-License-Identifier: MIT */
#include "graph/load/param_bounds.h"

#include "base/text/number.h"
#include "base/text/suggest.h"

#include <string.h>

/* Units that `unit:` of a declaration may name: those that take metres or degrees. */
static const char *const units[] = {
    TW_UNIT_HEIGHT,      TW_UNIT_RISE_PER_SIDE, TW_UNIT_SIDE, TW_UNIT_SIDE_SOUTH,
    TW_UNIT_SIDE_LONGER, TW_UNIT_TRUE_SLOPE,    NULL};

/* Checks `unit:` of a declaration; NULL in *unit without one. False after a fault. */
static bool read_unit(struct tw_loader *loader, const struct tw_yaml *declared, const char **unit)
{
    const struct tw_yaml *row = tw_yaml_find(declared, "unit");
    struct tw_suggestion suggestion = {.unknown = row && row->text ? row->text : ""};
    *unit = NULL;
    for (const char *const *known = units; row && *known; known++) {
        if (strcmp(*known, suggestion.unknown) == 0)
            *unit = *known;
        tw_suggest_offer(&suggestion, *known);
    }
    if (!row || *unit)
        return true;
    tw_fault_log_add(loader->log, TW_RECIPE, row->place,
                     tw_suggest_hint(&suggestion, &loader->recipe->arena),
                     "unit is %s; expected one of height, rise per map side, map sides, "
                     "north-south sides, longer sides, rise over run",
                     TW_YAML_FOUND(row));
    return false;
}

/* A recipe of the library takes an author's quantity only with `world:`, since the size that it
 * takes otherwise is not the author's. */
const char *tw_param_convert(struct tw_loader *loader, const struct tw_scope *scope,
                             const char *name, const char *unit, const char *text,
                             const struct tw_place *place)
{
    double number;
    enum tw_quantity quantity;
    if (unit)
        return tw_load_world_unit(loader, scope->shown, name, unit, text, place);
    if (!scope->library || place->user || loader->recipe->world.given ||
        !tw_load_quantity(text, &number, &quantity) || quantity == TW_QUANTITY_NUMBER)
        return text;
    return tw_load_world_unit(loader, scope->shown, name,
                              quantity == TW_QUANTITY_METRES ? TW_UNIT_SIDE : TW_UNIT_RISE_PER_SIDE,
                              text, place);
}

/* Reads a bound of a declaration; *text is NULL without one. False after a fault. */
static bool read_bound(struct tw_loader *loader, const struct tw_scope *scope,
                       const struct tw_yaml *declared, const char *key,
                       struct tw_param_bounds *bounds, double *bound, const char **text)
{
    const struct tw_yaml *row = tw_yaml_find(declared, key);
    *text = row && row->kind == TW_YAML_SCALAR ? row->text : NULL;
    const char *converted =
        *text ? tw_param_convert(loader, scope, key, bounds->unit, *text, &row->place) : NULL;
    if (*text && !converted)
        return false;
    if (!row || (converted && tw_load_quantity(converted, bound, &bounds->quantity)))
        return true;
    tw_fault_log_add(loader->log, TW_RECIPE, row->place, NULL, "%s is %s; expected a number", key,
                     TW_YAML_FOUND(row));
    return false;
}

/* Recognises the words that node types accept for numbers: TW_PARAM_F32_OR. */
static bool is_number_word(const char *text)
{
    return strcmp(text, "auto") == 0 || strcmp(text, "none") == 0;
}

static bool check_order(struct tw_loader *loader, const struct tw_yaml *declared,
                        const struct tw_param_bounds *bounds, enum tw_quantity of_min)
{
    if (!bounds->min || !bounds->max)
        return true;
    if (bounds->quantity != of_min) {
        tw_fault_log_add(loader->log, TW_RECIPE, tw_yaml_find(declared, "max")->place, NULL,
                         "max is %.30s and min is %.30s; expected both in one unit", bounds->max,
                         bounds->min);
        return false;
    }
    if (bounds->low <= bounds->high)
        return true;
    tw_fault_log_add(loader->log, TW_RECIPE, tw_yaml_find(declared, "max")->place, NULL,
                     "max is %.30s; expected at least min, %.30s", bounds->max, bounds->min);
    return false;
}

/* Reads an end of `usual:`, in the unit of the default. False after a fault. */
static bool read_end(struct tw_loader *loader, const struct tw_scope *scope,
                     const struct tw_yaml *end, const struct tw_param_bounds *bounds,
                     double *number, enum tw_quantity *quantity)
{
    const char *text =
        end->kind == TW_YAML_SCALAR
            ? tw_param_convert(loader, scope, "usual", bounds->unit, end->text, &end->place)
            : "";
    if (text && tw_load_quantity(text, number, quantity))
        return true;
    if (text)
        tw_fault_log_add(loader->log, TW_RECIPE, end->place, NULL,
                         "usual has %s; expected a number", TW_YAML_FOUND(end));
    return false;
}

/* What `usual:` does wrong; NULL if nothing. */
static const char *usual_fault(const struct tw_param_bounds *bounds, enum tw_quantity low,
                               enum tw_quantity high)
{
    const bool bounded = bounds->min || bounds->max;
    if (low != high || (bounded && low != bounds->quantity))
        return "expected both ends in the unit of min and max";
    if (bounds->usual_low >= bounds->usual_high)
        return "expected [low, high]";
    if ((bounds->min && bounds->usual_low < bounds->low) ||
        (bounds->max && bounds->usual_high > bounds->high))
        return "expected both ends within min and max";
    return NULL;
}

/* Whether the default lies outside of `usual:`, as both are written in one unit. */
static bool lies_outside(const struct tw_yaml *usual, const char *initial)
{
    double number, low, high;
    enum tw_quantity unit, low_unit, high_unit;
    return tw_load_quantity(initial, &number, &unit) &&
           tw_load_quantity(usual->items->value->text, &low, &low_unit) &&
           tw_load_quantity(usual->last->value->text, &high, &high_unit) && unit == low_unit &&
           unit == high_unit && (number < low || number > high);
}

/* Reads `usual: [low, high]`. False after a fault. */
static bool read_usual(struct tw_loader *loader, const struct tw_scope *scope,
                       const struct tw_yaml *declared, const struct tw_yaml *initial,
                       struct tw_param_bounds *bounds)
{
    const struct tw_yaml *row = tw_yaml_find(declared, "usual");
    enum tw_quantity low, high;
    if (!row)
        return true;
    const bool pair = row->kind == TW_YAML_SEQUENCE && row->count == 2;
    const char *fault = "expected [low, high]";
    if (pair) {
        if (!read_end(loader, scope, row->items->value, bounds, &bounds->usual_low, &low) ||
            !read_end(loader, scope, row->last->value, bounds, &bounds->usual_high, &high))
            return false;
        fault = usual_fault(bounds, low, high);
        if (!fault && lies_outside(row, initial->text))
            fault = "expected a range that holds the default";
    }
    if (fault)
        tw_fault_log_add(loader->log, TW_RECIPE, row->place, NULL, "usual is %s; %s",
                         TW_YAML_FOUND(row), fault);
    return !fault;
}

bool tw_param_bounds_read(struct tw_loader *loader, const struct tw_scope *scope,
                          const struct tw_yaml *declared, const struct tw_yaml *initial,
                          struct tw_param_bounds *bounds)
{
    double standard;
    bool numeric = tw_number_parse(initial->text, &standard);
    *bounds = (struct tw_param_bounds){.is_number = false};
    if (!read_unit(loader, declared, &bounds->unit) ||
        !read_bound(loader, scope, declared, "min", bounds, &bounds->low, &bounds->min))
        return false;
    enum tw_quantity of_min = bounds->quantity;
    if (!read_bound(loader, scope, declared, "max", bounds, &bounds->high, &bounds->max) ||
        !check_order(loader, declared, bounds, of_min))
        return false;
    bool bounded = bounds->min || bounds->max || bounds->unit;
    bounds->is_number = bounded || (!initial->quoted && numeric);
    bounds->word = bounded && is_number_word(initial->text) ? initial->text : NULL;
    return read_usual(loader, scope, declared, initial, bounds);
}

bool tw_param_bounds_check(struct tw_loader *loader, const struct tw_param_bounds *bounds,
                           const char *name, const char *text, struct tw_place place)
{
    const char *min = bounds->min, *max = bounds->max;
    double number = 0;
    enum tw_quantity quantity;
    if (!bounds->is_number || (bounds->word && strcmp(text, bounds->word) == 0))
        return true;
    if (tw_load_quantity(text, &number, &quantity) && quantity == bounds->quantity &&
        !(min && number < bounds->low) && !(max && number > bounds->high))
        return true;
    tw_fault_log_add(loader->log, TW_RECIPE, place, NULL,
                     "parameter %.100s is '%.60s'; expected %.60s%sa number%s%.30s%s%.30s", name,
                     text, bounds->word ? bounds->word : "", bounds->word ? " or " : "",
                     !min  ? ""
                     : max ? " from "
                           : " not below ",
                     min ? min : "",
                     !max  ? ""
                     : min ? " to "
                           : " not above ",
                     max ? max : "");
    return false;
}
