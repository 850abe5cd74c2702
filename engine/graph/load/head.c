/* SPDX-License-Identifier: MIT */
/* The head of a recipe: size, seed and world, which options may override. */
#include "base/text/number.h"
#include "graph/load/expect.h"
#include "graph/load/load_private.h"

#include "format/epsg.h"
#include "node/world.h"
#include "value/field.h"

#include <inttypes.h>
#include <string.h>

/* Hints at the recipe's form for "64x64", the command line's. */
static const char *size_hint(struct tw_loader *loader, const char *text)
{
    size_t width = text ? strspn(text, "0123456789") : 0;
    if (width == 0 || text[width] != 'x' || !text[width + 1])
        return NULL;
    const char *height = text + width + 1;
    size_t digits = strspn(height, "0123456789");
    if (height[digits])
        return NULL;
    return tw_arena_print(&loader->recipe->arena, "did you mean '[%.*s, %.*s]'?",
                          (int)(width < 20 ? width : 20), text, (int)(digits < 20 ? digits : 20),
                          height);
}

/* Returns the engine's bound, or a tighter one of the caller. */
static int32_t side_max(const struct tw_loader *loader)
{
    int32_t side = loader->options->limits.side;
    return side > 0 && side < TW_SIDE_MAX ? side : TW_SIDE_MAX;
}

static bool read_side(struct tw_loader *loader, const struct tw_yaml *value, int32_t *side)
{
    double number = 0;
    if (value->kind == TW_YAML_SCALAR && tw_number_parse(value->text, &number) && number >= 1 &&
        number <= side_max(loader) && number == (double)(int32_t)number) {
        *side = (int32_t)number;
        return true;
    }
    tw_fault_log_add(loader->log, TW_LIMIT, value->place, size_hint(loader, value->text),
                     "size is %s; expected a whole number of cells from 1 to %d, or "
                     "[width, height]",
                     TW_YAML_FOUND(value), (int)side_max(loader));
    return false;
}

static void read_size(struct tw_loader *loader, const struct tw_yaml *value)
{
    struct tw_recipe *recipe = loader->recipe;
    const struct tw_yaml_item *width = value->items, *height = width ? width->next : NULL;
    if (value->kind == TW_YAML_SEQUENCE && height && !height->next) {
        if (!read_side(loader, width->value, &recipe->width) ||
            !read_side(loader, height->value, &recipe->height))
            return;
    } else if (value->kind == TW_YAML_SCALAR) {
        if (!read_side(loader, value, &recipe->width))
            return;
        recipe->height = recipe->width;
    } else {
        tw_fault_log_add(loader->log, TW_RECIPE, value->place, NULL,
                         "size is %s; expected cells per side, or [width, height]",
                         TW_YAML_FOUND(value));
        return;
    }
}

void tw_load_check_cells(struct tw_loader *loader, struct tw_place place)
{
    const struct tw_recipe *recipe = loader->recipe;
    if (loader->options->width > 0)
        place = (struct tw_place){.file = "command line"};
    uint64_t cells = loader->options->limits.cells;
    cells = cells > 0 ? cells : TW_CELLS_MAX;
    int32_t longest = recipe->width > recipe->height ? recipe->width : recipe->height;
    if (longest > side_max(loader))
        tw_fault_log_add(loader->log, TW_LIMIT, place, NULL,
                         "size has a side of %d cells; expected at most %d", (int)longest,
                         (int)side_max(loader));
    else if ((uint64_t)recipe->width * (uint64_t)recipe->height > cells)
        tw_fault_log_add(loader->log, TW_LIMIT, place, NULL,
                         "size is %d x %d cells; expected at most %" PRIu64 " cells",
                         (int)recipe->width, (int)recipe->height, cells);
}

static void read_world_number(struct tw_loader *loader, const struct tw_world_row *row,
                              const struct tw_yaml *value)
{
    double number = 0;
    if (value->kind == TW_YAML_SCALAR && tw_number_parse(value->text, &number) &&
        number >= row->min && number <= row->max && !(row->whole && number != (double)(int)number))
        *tw_world_number(&loader->recipe->world, row) = number;
    else
        tw_fault_log_add(loader->log, TW_RECIPE, value->place, NULL,
                         "world.%s is %s; expected a %s from %.9g to %.9g", row->name,
                         TW_YAML_FOUND(value), row->whole ? "whole number" : "number", row->min,
                         row->max);
}

static void read_world(struct tw_loader *loader, const struct tw_yaml *value)
{
    const char *known[16] = {NULL};
    if (!tw_expect_kind(loader->log, value, TW_YAML_MAPPING, "world"))
        return;
    int count = 0;
    for (; tw_world_rows[count].name; count++)
        known[count] = tw_world_rows[count].name;
    known[count] = "from";
    loader->world = value;
    for (const struct tw_yaml_item *item = value->items; item; item = item->next) {
        tw_expect_key(loader->log, &loader->recipe->arena, item->key, "world", known);
        for (const struct tw_world_row *row = tw_world_rows; row->name; row++)
            if (strcmp(item->key->text, row->name) == 0)
                read_world_number(loader, row, item->value);
        if (strcmp(item->key->text, "from") == 0 &&
            tw_expect_kind(loader->log, item->value, TW_YAML_SCALAR, "world.from"))
            loader->world_from = item->value;
        if (strcmp(item->key->text, "side_m") == 0)
            loader->recipe->world.given |= TW_WORLD_SIDE_M;
    }
}

/* Degrees are small numbers, while a map's corner hardly ever lies so near to the origin of a
 * projection. */
static bool looks_like_degrees(const struct tw_world *world)
{
    return (world->west != 0 || world->north != 0) && world->west >= -180 && world->west <= 180 &&
           world->north >= -90 && world->north <= 90;
}

static const char *name_zone(struct tw_arena *arena, int epsg)
{
    const int zone = epsg % 100;
    const char half = epsg < 32700 ? 'N' : 'S';
    return zone > 60 ? tw_arena_print(arena,
                                      "west and north look like degrees: in metres that is UPS %c, "
                                      "epsg: %d",
                                      half, epsg)
                     : tw_arena_print(arena,
                                      "west and north look like degrees: in metres that is UTM "
                                      "zone %d%c, epsg: %d",
                                      zone, half, epsg);
}

/* A world's lengths are metres, so its projection must use metres too. */
static void check_projection(struct tw_loader *loader, const struct tw_yaml *world)
{
    const struct tw_world *at = &loader->recipe->world;
    const struct tw_yaml *epsg = tw_yaml_find(world, "epsg");
    const char *unit = tw_epsg_unit((int32_t)at->epsg), *hint = NULL;
    if (!epsg || at->epsg == 0)
        return;
    if (looks_like_degrees(at))
        hint = name_zone(&loader->recipe->arena, (int)tw_epsg_utm(at->west, at->north));
    else if (unit)
        hint = "UTM has a code for each zone: 32601 to 32660, in the south 32701 to 32760";
    if (unit)
        tw_fault_log_add(loader->log, TW_RECIPE, epsg->place, hint,
                         "world.epsg is %d, whose coordinates are %s%s; expected a projection in "
                         "metres",
                         (int)at->epsg, strcmp(unit, TW_EPSG_UNPROJECTED) == 0 ? "" : "in ", unit);
    else if (looks_like_degrees(at) && at->west != 0 && at->north != 0)
        tw_fault_log_warn(loader->log, epsg->place,
                          "west %.9g and north %.9g look like degrees; expected metres in EPSG:%d",
                          at->west, at->north, (int)at->epsg);
}

void tw_load_head(struct tw_loader *loader, const struct tw_yaml *root)
{
    struct tw_recipe *recipe = loader->recipe;
    const struct tw_load_options *options = loader->options;
    const struct tw_yaml *size = tw_yaml_find(root, "size"), *seed = tw_yaml_find(root, "seed");
    const struct tw_yaml *world = tw_yaml_find(root, "world"), *about = tw_yaml_find(root, "about");
    recipe->width = recipe->height = 512;
    recipe->world = tw_world_initial();
    if (size)
        read_size(loader, size);
    loader->own_width = recipe->width;
    loader->own_height = recipe->height;
    if (options->width < 0 || options->height < 0 || (options->width == 0 && options->height > 0))
        tw_fault_log_add(loader->log, TW_RECIPE, (struct tw_place){.file = "command line"}, NULL,
                         "size is %d x %d cells; expected both to be at least 1",
                         (int)options->width, (int)options->height);
    if (options->width > 0) {
        recipe->width = options->width;
        recipe->height = options->height > 0 ? options->height : options->width;
    }
    loader->has_size = size || options->width > 0;
    tw_load_check_cells(loader, size ? size->place : root->place);
    if (seed && (seed->kind != TW_YAML_SCALAR || !tw_number_parse_whole(seed->text, &recipe->seed)))
        tw_fault_log_add(loader->log, TW_RECIPE, seed->place, NULL,
                         "seed is %s; expected a whole number from 0 to 2^64 - 1",
                         TW_YAML_FOUND(seed));
    if (options->has_seed)
        recipe->seed = options->seed;
    recipe->world.given = world ? TW_WORLD_PRESENT : 0;
    if (world)
        read_world(loader, world);
    if (loader->world_from) /* until its node is loaded */
        recipe->world.given = 0;
    check_projection(loader, world);
    const char *slash = strrchr(recipe->file, '/');
    recipe->provenance =
        (struct tw_provenance){.recipe = slash ? slash + 1 : recipe->file, .seed = recipe->seed};
    recipe->about =
        about && tw_expect_kind(loader->log, about, TW_YAML_SCALAR, "about") ? about->text : "";
}
