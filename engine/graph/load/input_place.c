/* SPDX-License-Identifier: MIT */
/* Compares the place that a node's file gives with `world:`. Only warns: the file may be wrong, and
 * the map may differ by intention. */
#include "graph/load/load_private.h"
#include "graph/load/world_from.h"

#include "format/epsg.h"
#include "format/place.h"
#include "graph/node_file.h"
#include "node/param.h"

#include <math.h>
#include <string.h>

struct input {
    struct tw_loader *loader;
    const char *name;
    const struct tw_file_facts *facts;
    const struct tw_georeference *at;
    struct tw_place place;
    bool crops;
};

static bool has_choice(const struct tw_node *node, const char *name, const char *choice)
{
    const struct tw_param *row = tw_param_find(node->type->params, name);
    char text[40] = "";
    if (row)
        tw_param_print(row, node->params, text, sizeof text);
    return strcmp(text, choice) == 0;
}

static bool crops(const struct tw_node *node) { return has_choice(node, "fit", "crop"); }

/* Whether the node itself makes squares of metres of the file's cells. */
static bool projects(const struct tw_node *node)
{
    return has_choice(node, "projection", "sinusoidal") || has_choice(node, "projection", "utm");
}

static bool is_near(double a, double b) { return fabs(a - b) <= 0.01 * fabs(b); }

static void check_unit(const struct input *input)
{
    const struct tw_georeference *at = input->at;
    const bool degrees = at->unit && strcmp(at->unit, TW_EPSG_UNPROJECTED) == 0 &&
                         fabs(at->west) <= 180 && fabs(at->north) <= 90;
    if (degrees)
        tw_fault_log_warn(input->loader->log, input->place,
                          "the cells of %s are %.9g degrees, and lengths of world: are metres: "
                          "gdalwarp -t_srs EPSG:%d converts them",
                          input->name, at->cell_x, (int)tw_epsg_utm(at->west, at->north));
    else if (at->unit)
        tw_fault_log_warn(input->loader->log, input->place,
                          "the cells of %s are %.9g in %s, and lengths of world: are metres: "
                          "gdalwarp -t_srs converts them",
                          input->name, at->cell_x, at->unit);
}

static void check_cells(const struct input *input)
{
    const struct tw_recipe *recipe = input->loader->recipe;
    const double metres = tw_place_metres(input->at->unit);
    const double cell = input->at->cell_x * metres;
    const double side = cell * (input->crops ? recipe->width : input->facts->width);
    if (metres > 0 && !is_near(input->at->cell_y, input->at->cell_x))
        tw_fault_log_warn(input->loader->log, input->place,
                          "the cells of %s are %.9g m from west to east and %.9g m from north to "
                          "south; expected squares: gdalwarp -tr makes them",
                          input->name, cell, input->at->cell_y * metres);
    else if (metres > 0 && !is_near(recipe->world.side_m, side))
        tw_fault_log_warn(
            input->loader->log, input->place,
            "by the cells of %s, of %.9g m, the map's side is %.9g m; world.side_m is "
            "%.9g",
            input->name, cell, side, recipe->world.side_m);
}

static void check_corner(const struct input *input)
{
    const struct tw_world *world = &input->loader->recipe->world;
    const struct tw_georeference *at = input->at;
    if (world->epsg == 0 || at->epsg == 0)
        return;
    if (at->epsg != (int32_t)world->epsg)
        tw_fault_log_warn(input->loader->log, input->place, "%s is in EPSG:%d; world.epsg is %d",
                          input->name, (int)at->epsg, (int)world->epsg);
    else if (fabs(at->west - world->west) > at->cell_x ||
             fabs(at->north - world->north) > at->cell_y)
        tw_fault_log_warn(input->loader->log, input->place,
                          "the north-west corner of %s is west %.9g, north %.9g; world: has west "
                          "%.9g, north %.9g",
                          input->name, at->west, at->north, world->west, world->north);
}

void tw_load_check_georeference(struct tw_loader *loader, const struct tw_node *node,
                                const struct tw_georeference *at, const struct tw_file_facts *facts,
                                struct tw_place place)
{
    const struct input input = {loader, tw_node_file_name(node), facts, at, place, crops(node)};
    if (at->turned) {
        tw_fault_log_warn(loader->log, place,
                          "%s is turned against north, which is ignored: gdalwarp turns it back",
                          input.name);
        return;
    }
    if (!loader->recipe->world.given || tw_world_is_from(loader, node) || projects(node))
        return;
    check_unit(&input);
    check_cells(&input);
    check_corner(&input);
}
