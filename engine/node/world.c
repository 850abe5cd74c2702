/* SPDX-License-Identifier: MIT */
#include "node/world.h"

#include "base/text/number.h"

#include <stdio.h>
#include <string.h>

#define NUMBER(field, initial, min, max, whole, help)                                              \
    {                                                                                              \
#field, offsetof(struct tw_world, field), initial, min, max, whole, help                   \
    }

const struct tw_world_row tw_world_rows[] = {
    NUMBER(side_m, 4096, 0.001, 1e9, false, "metres along the map's side"),
    NUMBER(height_m, 600, 0.001, 1e9, false, "metres of height 1"),
    NUMBER(sea_level, 0, -1e6, 1e6, false, "height of the sea"),
    NUMBER(epsg, 0, 0, 32766, true, "EPSG code of the projection in which the map lies; 0: none"),
    NUMBER(west, 0, -1e9, 1e9, false, "easting of the map's western border there"),
    NUMBER(north, 0, -1e9, 1e9, false, "northing of the map's northern border there"),
    {NULL, 0, 0, 0, 0, false, NULL},
};

double *tw_world_number(struct tw_world *world, const struct tw_world_row *row)
{
    return (double *)((unsigned char *)world + row->offset);
}

double tw_world_value(const struct tw_world *world, const struct tw_world_row *row)
{
    return *(const double *)((const unsigned char *)world + row->offset);
}

struct tw_world tw_world_initial(void)
{
    struct tw_world world = {.given = 0};
    for (const struct tw_world_row *row = tw_world_rows; row->name; row++)
        *tw_world_number(&world, row) = row->initial;
    return world;
}

bool tw_world_equal(const struct tw_world *a, const struct tw_world *b)
{
    for (const struct tw_world_row *row = tw_world_rows; row->name; row++)
        if (tw_world_value(a, row) != tw_world_value(b, row))
            return false;
    return a->given == b->given;
}

bool tw_world_gives_default_side(const struct tw_world *world)
{
    return (world->given & TW_WORLD_SIDE_M) && world->side_m == tw_world_initial().side_m;
}

void tw_world_print(const struct tw_world *world, char text[TW_WORLD_TEXT_MAX])
{
    text[0] = 0;
    for (const struct tw_world_row *row = tw_world_rows; row->name; row++) {
        size_t used = strlen(text);
        if (used > 0)
            text[used++] = ' ';
        tw_number_print(text + used, TW_WORLD_TEXT_MAX - used, tw_world_value(world, row));
    }
    const size_t used = strlen(text);
    if (world->given)
        snprintf(text + used, TW_WORLD_TEXT_MAX - used, " given");
}

bool tw_world_is_initial(const struct tw_world *world)
{
    for (const struct tw_world_row *row = tw_world_rows; row->name; row++)
        if (tw_world_value(world, row) != row->initial)
            return false;
    return true;
}
