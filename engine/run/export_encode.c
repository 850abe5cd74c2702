/* SPDX-License-Identifier: MIT */
/* Encodes an export's bytes by its format: the map, or one tile with the map around it. */
#include "run/export.h"

#include "format/sidecar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* World of a tile: its side, and the position of its north-west corner. */
static struct tw_world world_of(const struct tw_export *item, const struct tw_value *map)
{
    struct tw_world world = *item->world;
    const double cell = world.side_m / map->width;
    world.west += item->tile.x * cell;
    world.north -= item->tile.y * cell;
    world.side_m = item->tile.width * cell;
    return world;
}

static enum tw_status cut(const struct tw_export_tile *tile, const struct tw_value *map,
                          struct tw_value *part, struct tw_error *err)
{
    const size_t size = tw_type_size(map->type), row = (size_t)tile->width * size;
    enum tw_status status = tw_field_alloc(part, map->type, tile->width, tile->height, err);
    for (int32_t y = 0; status == TW_OK && y < tile->height; y++)
        memcpy((unsigned char *)part->data + (size_t)y * row,
               (const unsigned char *)map->data +
                   ((size_t)(tile->y + y) * (size_t)map->width + (size_t)tile->x) * size,
               row);
    return status;
}

const char *tw_export_name(const struct tw_export *item)
{
    const char *slash = strrchr(item->file, '/');
    return slash ? slash + 1 : item->file;
}

const char *tw_export_described(const struct tw_export *item)
{
    return tw_export_name(item->describes);
}

static struct tw_sidecar sidecar_of(const struct tw_export *item,
                                    const struct tw_encoding *encoding, const struct tw_value *map)
{
    const struct tw_export_tile *tile = &item->tile;
    return (struct tw_sidecar){.file = tw_export_described(item),
                               .format = item->describes->format,
                               .encoding = encoding,
                               .preset = item->preset,
                               .tile = {tile->x, tile->y, tile->column, tile->row, tile->columns,
                                        tile->rows, map->width, map->height}};
}

/* Encodes the file or its sidecar. `map` is the whole map that a tile is cut from. */
static enum tw_status encode(const struct tw_export *item, struct tw_encoding *encoding,
                             const struct tw_value *map, struct tw_bytes *out, struct tw_error *err)
{
    if (!tw_export_is_sidecar(item))
        return tw_format_encode(item->format, *encoding, out, err);
    tw_format_settle_range(encoding);
    const struct tw_sidecar sidecar = sidecar_of(item, encoding, map);
    return tw_sidecar_print(&sidecar, out, err);
}

enum tw_status tw_export_describe(const struct tw_export *item, const struct tw_encoding *encoding,
                                  const struct tw_sha256 *content, struct tw_bytes *out,
                                  struct tw_error *err)
{
    const struct tw_sidecar sidecar = sidecar_of(item, encoding, encoding->values[0]);
    return tw_sidecar_print_known(&sidecar, content, out, err);
}

struct tw_encoding tw_export_encoding(const struct tw_export *item,
                                      const struct tw_value *const *values)
{
    struct tw_encoding encoding = {.values = values,
                                   .several = item->several,
                                   .first = item->first,
                                   .taken = item->taken,
                                   .file = tw_export_is_sidecar(item) ? tw_export_described(item)
                                                                      : tw_export_name(item),
                                   .range = item->range,
                                   .options = item->options,
                                   .world = item->world,
                                   .provenance = item->provenance};
    for (const struct tw_output *o = item->sources; o; o = o->next) {
        if (o->part > 0)
            encoding.part_at[o->part - 1] = encoding.count;
        encoding.count++;
    }
    return encoding;
}

/* Encodes the tile of each value. */
static enum tw_status encode_parts(const struct tw_export *item, struct tw_encoding encoding,
                                   struct tw_value *parts, const struct tw_value **values,
                                   struct tw_bytes *out, struct tw_error *err)
{
    const struct tw_value *map = encoding.values[0];
    const struct tw_world world = world_of(item, map);
    enum tw_status status = TW_OK;
    for (int32_t i = 0; status == TW_OK && i < encoding.count; i++) {
        status = cut(&item->tile, encoding.values[i], &parts[i], err);
        values[i] = &parts[i];
    }
    encoding.values = values;
    encoding.world = &world;
    return status == TW_OK ? encode(item, &encoding, map, out, err) : status;
}

/* Every tile is scaled to the range of the whole map. */
static enum tw_status encode_tile(const struct tw_export *item, struct tw_encoding encoding,
                                  struct tw_bytes *out, struct tw_error *err)
{
    struct tw_value *parts = calloc((size_t)encoding.count + 1, sizeof *parts);
    const struct tw_value **values = calloc((size_t)encoding.count + 1, sizeof *values);
    enum tw_status status = TW_MEMORY;
    if (parts && values) {
        tw_format_settle_range(&encoding);
        status = encode_parts(item, encoding, parts, values, out, err);
    } else {
        tw_error_set(err, TW_MEMORY, "out of memory");
    }
    for (int32_t i = 0; parts && i < encoding.count; i++)
        tw_field_clear(&parts[i]);
    free(parts);
    free(values);
    return status;
}

enum tw_status tw_export_encode(const struct tw_export *item, const struct tw_value *const *values,
                                const struct tw_workers *workers, struct tw_bytes *out,
                                struct tw_error *err)
{
    struct tw_encoding encoding = tw_export_encoding(item, values);
    encoding.workers = workers;
    encoding.stop = out->stop;
    const char **names = calloc((size_t)encoding.count + 1, sizeof *names);
    if (!names)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    int32_t i = 0;
    for (const struct tw_output *o = item->sources; o; o = o->next)
        names[i++] = o->name;
    encoding.names = names;
    enum tw_status status = item->tile.width > 0 ? encode_tile(item, encoding, out, err)
                                                 : encode(item, &encoding, values[0], out, err);
    free(names);
    if (status == TW_NODE && err)
        tw_export_locate(item, err); /* a height is out of range: blame the export's line */
    return status;
}

uint64_t tw_export_bytes(const struct tw_recipe *recipe, const struct tw_export *item,
                         int32_t threads)
{
    const struct tw_source source = item->sources->source;
    const bool sidecar = tw_export_is_sidecar(item);
    const struct tw_format *format = sidecar ? item->describes->format : item->format;
    struct tw_value map = {.type = tw_source_type(recipe, source)};
    const struct tw_value *values[] = {&map};
    struct tw_encoding encoding = tw_export_encoding(item, values);
    uint64_t parts = 0;
    tw_node_output_size(recipe, &recipe->nodes[source.node], &map.width, &map.height);
    if (item->tile.width > 0) {
        map.width = item->tile.width;
        map.height = item->tile.height;
        parts = (uint64_t)encoding.count * tw_value_count(&map) * tw_type_size(map.type);
    }
    return parts + (sidecar ? tw_format_sha256_bytes(format, &encoding, threads)
                            : tw_format_bytes(format, &encoding, threads));
}

const struct tw_value *tw_export_rest(const struct tw_export *item,
                                      const struct tw_value *const *values)
{
    const bool plain = !item->describes && item->tile.width == 0 && item->format->head;
    return plain ? values[0] : NULL;
}

enum tw_status tw_export_head(const struct tw_export *item, const struct tw_value *const *values,
                              struct tw_bytes *out, struct tw_error *err)
{
    const struct tw_encoding encoding = tw_export_encoding(item, values);
    enum tw_status status = tw_format_check(item->format, err);
    return status == TW_OK ? item->format->head(&encoding, out, err) : status;
}

void tw_export_locate(const struct tw_export *item, struct tw_error *err)
{
    snprintf(err->file, sizeof err->file, "%s", item->place.file);
    err->line = item->place.line;
    err->column = item->place.column;
}

bool tw_export_advise(const struct tw_recipe *recipe, const struct tw_export *item,
                      struct tw_advice *advice)
{
    const struct tw_source source = item->sources->source;
    struct tw_value map = {.type = tw_source_type(recipe, source)};
    const struct tw_value *values[] = {&map};
    struct tw_world world = *item->world;
    if (!item->preset || item->describes || item->range.fit)
        return false;
    tw_node_output_size(recipe, &recipe->nodes[source.node], &map.width, &map.height);
    if (item->tile.width > 0) {
        world = world_of(item, &map);
        map.width = item->tile.width;
        map.height = item->tile.height;
    }
    const struct tw_encoding encoding = {
        .values = values, .count = 1, .range = item->range, .world = &world};
    advice->count = 0;
    item->preset->advise(item->format, &encoding, advice);
    return true;
}
