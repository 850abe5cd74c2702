/* SPDX-License-Identifier: MIT */
/* Numbers in units of the world: `talus: 35 deg`, `radius: 120 m`. A parameter keeps its own unit,
 * rise per map side or over run, sides or heights; `world:` gives its size. The recipe stores the
 * converted number, so keys, locks and bytes do not depend on how it was written. `auto` of an
 * exaggeration also becomes a number here. */
#include "base/text/number.h"
#include "graph/load/load_private.h"
#include "node/param.h"

#include <thalweg/kernel.h>

#include <string.h>

/* Finds the unit behind a number, with or without a blank between; returns its length, 0 for
 * anything else. */
static size_t split(const char *text, const char *unit, char number[40])
{
    size_t length = strlen(text), tail = strlen(unit);
    if (length <= tail || strcmp(text + length - tail, unit) != 0)
        return 0;
    length -= tail;
    while (length > 0 && text[length - 1] == ' ')
        length--;
    if (length == 0 || length >= 40)
        return 0;
    memcpy(number, text, length);
    number[length] = 0;
    return length;
}

struct tw_world tw_load_world_of(const struct tw_recipe *recipe, bool in_library)
{
    struct tw_world world = recipe->world;
    if (in_library && !world.given) {
        world.side_m = TW_LIBRARY_SIDE_M;
        world.height_m = TW_LIBRARY_HEIGHT_M;
        world.given = TW_WORLD_PRESENT;
    }
    return world;
}

bool tw_load_quantity(const char *text, double *number, enum tw_quantity *unit)
{
    char digits[40];
    *unit = split(text, "deg", digits) ? TW_QUANTITY_DEGREES
            : split(text, "m", digits) ? TW_QUANTITY_METRES
                                       : TW_QUANTITY_NUMBER;
    return tw_number_parse(*unit == TW_QUANTITY_NUMBER ? text : digits, number);
}

const char *tw_load_quantity_suffix(enum tw_quantity unit)
{
    static const char *const suffixes[] = {"", " m", " deg"};
    return suffixes[unit];
}

/* Returns what 1 of a unit of lengths or heights measures; 0 for any other unit. */
static double metres_of(const struct tw_recipe *recipe, const struct tw_world *world,
                        const char *unit)
{
    const double south = world->side_m * ((double)recipe->height / recipe->width);
    if (strcmp(unit, TW_UNIT_SIDE) == 0)
        return world->side_m;
    if (strcmp(unit, TW_UNIT_SIDE_SOUTH) == 0)
        return south;
    if (strcmp(unit, TW_UNIT_SIDE_LONGER) == 0)
        return recipe->height > recipe->width ? south : world->side_m;
    return strcmp(unit, TW_UNIT_HEIGHT) == 0 ? world->height_m : 0;
}

/* Converts to the parameter's own unit; false if it does not take the unit. */
static bool convert(const struct tw_recipe *recipe, const struct tw_world *world, const char *unit,
                    const char *text, double *number)
{
    char digits[40];
    bool slope = tw_unit_takes_degrees(unit);
    const double metres = metres_of(recipe, world, unit);
    if (slope ? !split(text, "deg", digits) : metres == 0 || !split(text, "m", digits))
        return false;
    if (!tw_number_parse(digits, number))
        return false;
    if (!slope) {
        *number /= metres;
        return true;
    }
    if (*number <= -90 || *number >= 90)
        return false;
    *number = tw_sin_degrees(*number) / tw_cos_degrees(*number);
    if (strcmp(unit, TW_UNIT_RISE_PER_SIDE) == 0)
        *number = *number * world->side_m / world->height_m;
    return true;
}

const char *tw_load_world_unit(struct tw_loader *loader, const char *owner, const char *name,
                               const char *unit, const char *text, const struct tw_place *place)
{
    double number;
    char converted[40];
    const struct tw_world world = tw_load_world_of(loader->recipe, place->user);
    if (!convert(loader->recipe, &world, unit, text, &number))
        return text;
    if (!world.given) {
        const char *root = loader->recipe->file;
        bool own = strcmp(place->file, root) == 0; /* not of another file */
        tw_fault_log_add(loader->log, TW_RECIPE, *place, NULL,
                         "%s.%s is given in %s; expected 'world: {side_m: ..., height_m: ...}' in "
                         "%s%s, to convert it",
                         owner, name, tw_unit_takes_degrees(unit) ? "degrees" : "metres",
                         own ? "this recipe" : root, own ? "" : ", the recipe that is run");
        return NULL;
    }
    tw_number_print(converted, sizeof converted, number);
    return tw_arena_copy(&loader->recipe->arena, converted, strlen(converted));
}

static void set_true_scale(struct tw_loader *loader, const struct tw_node *node,
                           const struct tw_param *row)
{
    const struct tw_recipe *recipe = loader->recipe;
    char number[40], message[300];
    tw_number_print(number, sizeof number,
                    recipe->world.height_m / metres_of(recipe, &recipe->world, row->unit));
    if (!tw_param_set(row, node->params, number, message, sizeof message))
        tw_fault_log_add(loader->log, TW_RECIPE, node->place,
                         "give a number: the true scale of this world cannot be drawn", "%s.%s",
                         node->type->name, message);
}

void tw_load_true_scale(struct tw_loader *loader, struct tw_node *node)
{
    for (const struct tw_param *row = node->type->params; row && row->name; row++) {
        bool scales = row->kind == TW_KIND_F32 && row->text && !strcmp(row->text, TW_TRUE_SCALE);
        const float *field = (const float *)((const unsigned char *)node->params + row->offset);
        if (loader->recipe->world.given && scales && *field == (float)row->stands_for)
            set_true_scale(loader, node, row);
    }
}
