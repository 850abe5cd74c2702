/* SPDX-License-Identifier: MIT */
/* `world: {from: dem}`: the size of a recipe's world as the file of one of its nodes gives it. That
 * node is loaded before all others, which may need the world. Numbers that world: itself gives take
 * precedence. */
#include "graph/load/world_from.h"

#include "base/os/file.h"
#include "base/os/file_stream.h"
#include "base/text/suggest.h"
#include "graph/node_file.h"
#include "node/param.h"
#include "node/world.h"
#include "value/field.h"

#include <thalweg/earth.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SOURCE "source.heightmap"
static const char *const source = SOURCE;

bool tw_world_is_from(const struct tw_loader *loader, const struct tw_node *node)
{
    return loader->world_from && strcmp(node->path, loader->world_from->text) == 0;
}

static bool gives(const struct tw_loader *loader, const char *name)
{
    return tw_yaml_find(loader->world, name) != NULL;
}

static void text_of(const struct tw_node *node, const char *name, char text[40])
{
    const struct tw_param *row = tw_param_find(node->type->params, name);
    text[0] = 0;
    if (row)
        tw_param_print(row, node->params, text, 40);
}

static void set(const struct tw_node *node, const char *name, const char *value)
{
    char message[300];
    (void)tw_param_set(tw_param_find(node->type->params, name), node->params, value, message,
                       sizeof message);
}

void tw_world_take_unit(struct tw_loader *loader, struct tw_node *node)
{
    char text[40];
    if (!tw_world_is_from(loader, node) || strcmp(node->type->name, source) != 0)
        return;
    text_of(node, "unit", text);
    if (strcmp(text, "auto") == 0)
        set(node, "unit", "metres");
}

const struct tw_yaml_item *tw_world_find_source(struct tw_loader *loader,
                                                const struct tw_yaml *nodes)
{
    const struct tw_yaml *from = loader->world_from;
    struct tw_suggestion suggestion = {.unknown = from->text};
    for (const struct tw_yaml_item *item = nodes->items; item; item = item->next) {
        const struct tw_yaml *type = tw_yaml_find(item->value, "type");
        const bool fits = type && type->kind == TW_YAML_SCALAR && strcmp(type->text, source) == 0;
        if (fits && strcmp(item->key->text, from->text) == 0)
            return item;
        if (fits)
            tw_suggest_offer(&suggestion, item->key->text);
    }
    tw_fault_log_add(loader->log, TW_RECIPE, from->place,
                     tw_suggest_hint(&suggestion, &loader->recipe->arena),
                     "world.from is '%.60s'; expected a node of type " SOURCE, from->text);
    return NULL;
}

/* ---- the heights of the file ---- */

struct heights {
    const struct tw_file_facts *facts;
    float no_data;
    double least, greatest;
};

static enum tw_status begin(void *context, const struct tw_file_facts *facts, struct tw_error *err)
{
    const struct heights *heights = context;
    if (facts->type == heights->facts->type && facts->width == heights->facts->width &&
        facts->height == heights->facts->height)
        return TW_OK;
    return tw_error_set(err, TW_INPUT, "the file changed while it was read");
}

static enum tw_status take_row(void *context, int32_t y, const void *row, struct tw_error *err)
{
    struct heights *heights = context;
    const float *cells = row;
    (void)y, (void)err;
    for (int32_t x = 0; x < heights->facts->width; x++) {
        if (isnan(cells[x]) || cells[x] == heights->no_data)
            continue;
        heights->least = (double)cells[x] < heights->least ? (double)cells[x] : heights->least;
        heights->greatest =
            (double)cells[x] > heights->greatest ? (double)cells[x] : heights->greatest;
    }
    return TW_OK;
}

static bool read_stream(void *context, void *to, size_t length)
{
    return tw_file_stream_read(context, to, length);
}

static bool read_stream_at(void *context, uint64_t offset, void *to, size_t length)
{
    return tw_file_stream_read_at(context, offset, to, length);
}

static enum tw_status read_rows(const char *path, const struct tw_format *format,
                                const struct tw_codec_head *head, struct heights *heights,
                                struct tw_error *err)
{
    struct tw_file_stream stream = {.descriptor = -1};
    enum tw_status status =
        tw_file_stream_open(&stream, path, UINT64_MAX, TW_CODEC_HEAD_BYTES, false, err);
    const struct tw_byte_source bytes = {.read = read_stream,
                                         .read_at = read_stream_at,
                                         .context = &stream,
                                         .length = stream.length,
                                         .layout = head->layout,
                                         .wish = head->wish};
    const struct tw_row_sink sink = {.begin = begin, .row = take_row, .context = heights};
    if (status == TW_OK)
        status = format->read_rows(&bytes, &sink, err);
    tw_file_stream_close(&stream);
    return status;
}

static enum tw_status read_whole(const char *path, const char *name, struct heights *heights,
                                 struct tw_error *err)
{
    const size_t bytes_max = (size_t)1 << 31;
    unsigned char *data = NULL;
    size_t length = 0;
    struct tw_value value = {.type = TW_HEIGHTMAP};
    enum tw_status status = tw_file_read(path, bytes_max, &data, &length, err);
    if (status == TW_OK)
        status = tw_format_decode(data, length, name, &value, err);
    for (int32_t y = 0; status == TW_OK && y < value.height; y++)
        status = take_row(heights, y, tw_floats(&value) + (size_t)y * (size_t)value.width, err);
    tw_field_clear(&value);
    free(data);
    return status;
}

/* Prepares the search for heights; false if they are not needed. */
static bool needs_heights(const struct tw_loader *loader, const struct tw_node *node,
                          const struct tw_file_facts *facts, struct heights *heights)
{
    const struct tw_param *row = tw_param_find(node->type->params, "no_data");
    *heights = (struct heights){.facts = facts, .least = INFINITY, .greatest = -INFINITY};
    if (!tw_world_is_from(loader, node) || gives(loader, "height_m") ||
        facts->type != TW_HEIGHTMAP || !row)
        return false;
    heights->no_data = *(const float *)((const unsigned char *)node->params + row->offset);
    return true;
}

static double greatest_of(const struct heights *heights)
{
    const bool below = heights->least < 0; /* all of it lies below the sea */
    return heights->greatest > 0 ? heights->greatest : below ? -heights->least : 0;
}

enum tw_status tw_world_read_heights(const struct tw_loader *loader, const struct tw_node *node,
                                     const char *path, const struct tw_format *format,
                                     const struct tw_codec_head *head,
                                     const struct tw_file_facts *facts, double *greatest,
                                     struct tw_error *err)
{
    struct heights heights;
    uint64_t held;
    *greatest = 0;
    if (!needs_heights(loader, node, facts, &heights))
        return TW_OK;
    enum tw_status status = tw_format_has_rows(format, head, &held)
                                ? read_rows(path, format, head, &heights, err)
                                : read_whole(path, tw_node_file_name(node), &heights, err);
    if (status == TW_OK)
        *greatest = greatest_of(&heights);
    return status;
}

enum tw_status tw_world_read_tiles(const struct tw_loader *loader, const struct tw_node *node,
                                   const struct tw_mosaic *tiles, double *greatest,
                                   struct tw_error *err)
{
    struct heights heights;
    const struct tw_row_sink sink = {.begin = begin, .row = take_row, .context = &heights};
    *greatest = 0;
    if (!needs_heights(loader, node, &tiles->facts, &heights))
        return TW_OK;
    enum tw_status status = tw_mosaic_read_rows(tiles, &sink, NULL, err);
    if (status == TW_OK)
        *greatest = greatest_of(&heights);
    return status;
}

/* ---- the world ---- */

/* Metres of a height of 1 of the file. */
static double unit_of(const struct tw_node *node, const struct tw_file_facts *facts)
{
    char text[40];
    text_of(node, "unit", text);
    if (strcmp(text, "feet") == 0)
        return 0.3048;
    if (strcmp(text, "us_feet") == 0)
        return 1200.0 / 3937.0;
    return facts->metres > 0 ? facts->metres : 1;
}

static void take_height(struct tw_loader *loader, const struct tw_node *node,
                        const struct tw_file_facts *facts, double greatest)
{
    const struct tw_param *row = tw_param_find(node->type->params, "range");
    const struct tw_list *range =
        (const struct tw_list *)((const unsigned char *)node->params + row->offset);
    char text[40];
    text_of(node, "unit", text);
    if (gives(loader, "height_m"))
        return;
    if (range->count == 2)
        greatest = range->at[0] + greatest * (range->at[1] - range->at[0]);
    if (strcmp(text, "as_is") == 0)
        greatest = 1;
    loader->recipe->world.height_m = greatest > 0 ? greatest * unit_of(node, facts) : 1;
}

static bool is_square(const struct tw_file_facts *facts)
{
    double x, y;
    tw_earth_cell(&facts->place, facts->height, &x, &y);
    return facts->place.metres > 0 && fabs(x - y) <= 1e-9 * x;
}

/* The shape of the file's map in square cells as wide as the file's, if the recipe has no size. */
static void take_size(struct tw_loader *loader, const struct tw_file_facts *facts,
                      struct tw_place place)
{
    struct tw_recipe *recipe = loader->recipe;
    double x, y;
    if (loader->has_size)
        return;
    tw_earth_cell(&facts->place, facts->height, &x, &y);
    const double rows = floor(facts->height * (y / x) + 0.5);
    recipe->width = facts->width;
    recipe->height = rows < 1 ? 1 : rows > TW_SIDE_MAX ? TW_SIDE_MAX : (int32_t)rows;
    loader->own_width = recipe->width;
    loader->own_height = recipe->height;
    loader->has_size = true;
    tw_load_check_cells(loader, place);
}

/* The corner of the map in a zone of UTM. */
static void take_zone(struct tw_world *world, const struct tw_node *node,
                      const struct tw_file_facts *facts, int32_t width, int32_t height)
{
    const struct tw_param *row = tw_param_find(node->type->params, "zone");
    const int32_t zone = *(const int32_t *)((const unsigned char *)node->params + row->offset);
    const struct tw_utm_map map = tw_earth_utm(facts, zone, width, height);
    world->epsg = (map.south ? 32700 : 32600) + map.zone;
    world->west = map.west;
    world->north = map.north;
}

/* The side of the map, and its corner if the file is in metres of a known system. */
static void take_side(struct tw_loader *loader, const struct tw_node *node,
                      const struct tw_file_facts *facts, const struct tw_georeference *at)
{
    struct tw_recipe *recipe = loader->recipe;
    struct tw_world *world = &recipe->world;
    char fit[40];
    double x, y;
    text_of(node, "fit", fit);
    tw_earth_cell(&facts->place, facts->height, &x, &y);
    const bool crops = strcmp(fit, "crop") == 0 && is_square(facts);
    const bool same = facts->width == recipe->width && facts->height == recipe->height;
    const double side =
        crops ? x * recipe->width : tw_earth_side(facts, recipe->width, recipe->height);
    const double south = side * ((double)recipe->height / recipe->width);
    char projection[40];
    text_of(node, "projection", projection);
    if (strcmp(projection, "auto") == 0)
        set(node, "projection", crops || (same && is_square(facts)) ? "none" : "sinusoidal");
    if (!gives(loader, "side_m")) {
        world->side_m = side;
        world->given |= TW_WORLD_SIDE_M;
    }
    text_of(node, "projection", projection);
    if (strcmp(projection, "utm") == 0 && facts->place.metres == 0 && !gives(loader, "epsg")) {
        take_zone(world, node, facts, recipe->width, recipe->height);
        return;
    }
    if (at->epsg == 0 || facts->place.metres != 1 || gives(loader, "epsg"))
        return;
    world->epsg = at->epsg;
    world->west = at->west + (crops ? 0 : (x * facts->width - side) / 2);
    world->north = at->north - (crops ? 0 : (y * facts->height - south) / 2);
}

static void check_numbers(struct tw_loader *loader)
{
    struct tw_world *world = &loader->recipe->world;
    for (const struct tw_world_row *row = tw_world_rows; row->name; row++) {
        const double number = tw_world_value(world, row);
        if (number >= row->min && number <= row->max)
            continue;
        tw_fault_log_add(loader->log, TW_RECIPE, loader->world_from->place, NULL,
                         "the file of '%.60s' gives world.%s %.9g; expected %.9g to %.9g",
                         loader->world_from->text, row->name, number, row->min, row->max);
        *tw_world_number(world, row) = row->initial;
    }
}

void tw_world_settle(struct tw_loader *loader, struct tw_node *node,
                     const struct tw_file_facts *facts, const struct tw_georeference *at,
                     double greatest)
{
    const struct tw_yaml *from = loader->world_from;
    if (!tw_world_is_from(loader, node))
        return;
    loader->recipe->world.given |= TW_WORLD_PRESENT;
    take_height(loader, node, facts, greatest);
    if (facts->place.known) {
        take_size(loader, facts, from->place);
        take_side(loader, node, facts, at);
    } else if (!gives(loader, "side_m")) {
        tw_fault_log_add(loader->log, TW_RECIPE, from->place, NULL,
                         "%s does not say how large its cells are; expected side_m: in world:, or "
                         "a GeoTIFF or another file with a place",
                         tw_node_file_name(node));
    }
    check_numbers(loader);
}
