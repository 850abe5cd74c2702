/* SPDX-License-Identifier: MIT */
/* `tiles:` of an export splits a map into several files. Each tile becomes an export of its own, so
 * it is written, compared, guarded and reported like any other file. Names come from a pattern
 * without separators, so a tile lies in the folder of the entry's file. */
#include "graph/load/expect.h"
#include "graph/load/load_private.h"
#include "node/param.h"

#include <stdlib.h>
#include <string.h>

enum { TILES_MAX = 4096, DIGITS_MAX = 6 };

/* ---- patterns ---- */

/* Parses "%x%" or "%03x%" at `at` and returns its length, letter and digits; 0 for anything
 * else. */
static size_t read_place(const char *at, char *letter, int *digits)
{
    const char *from = at + 1;
    *digits = 0;
    if (*at != '%')
        return 0;
    if (from[0] == '0' && from[1] >= '1' && from[1] <= '0' + DIGITS_MAX) {
        *digits = from[1] - '0';
        from += 2;
    }
    if ((from[0] != 'x' && from[0] != 'y') || from[1] != '%')
        return 0;
    *letter = from[0];
    return (size_t)(from + 2 - at);
}

static bool is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.';
}

/* Requires both numbers in the pattern, and no way into another folder. */
static bool is_pattern(const char *pattern)
{
    bool x = false, y = false;
    char letter = 0;
    int digits;
    while (*pattern) {
        size_t length = read_place(pattern, &letter, &digits);
        if (length > 0) {
            x |= letter == 'x';
            y |= letter == 'y';
        } else if (!is_plain(*pattern)) {
            return false;
        }
        pattern += length ? length : 1;
    }
    return x && y;
}

/* Joins "maps/height.png" and "_x%x%_y%y%" to "maps/height_x3_y0.png". */
static const char *tile_name(struct tw_loader *loader, const char *file, const char *pattern, int x,
                             int y)
{
    struct tw_arena *arena = &loader->recipe->arena;
    const char *ending = tw_format_ending(file);
    char *name = tw_arena_copy(arena, file, (size_t)(ending - file));
    char letter = 0;
    int digits;
    while (name && *pattern) {
        size_t length = read_place(pattern, &letter, &digits);
        if (length > 0)
            name = tw_arena_print(arena, "%s%0*d", name, digits, letter == 'x' ? x : y);
        else
            name = tw_arena_print(arena, "%s%c", name, *pattern);
        pattern += length ? length : 1;
    }
    return name ? tw_arena_print(arena, "%s%s", name, ending) : NULL;
}

/* ---- reading ---- */

static bool read_pattern(struct tw_loader *loader, struct tw_scope *scope,
                         const struct tw_yaml *value, struct tw_tiling *tiling)
{
    char known[60];
    const char *text = value->kind == TW_YAML_SCALAR ? tw_substitute(loader, scope, value)
                                                     : tw_yaml_kind_name(value);
    if (!text)
        return false;
    tiling->pattern = tw_tiling_pattern(text) ? tw_tiling_pattern(text) : text;
    if (is_pattern(tiling->pattern) && strlen(text) < 60)
        return true;
    tw_tiling_list(known, sizeof known);
    tw_fault_log_add(loader->log, TW_RECIPE, value->place, NULL,
                     "pattern is '%.60s'; expected letters, digits, '_', '-' and '.' around %%x%% "
                     "and %%y%% (%%03x%% for 007), or %s",
                     text, known);
    return false;
}

/* Reads {cells: 2017, share_edge: true, ...}, or cells alone. */
static bool read_tiling(struct tw_loader *loader, struct tw_scope *scope,
                        const struct tw_yaml *value, struct tw_tiling *tiling)
{
    static const char *const known[] = {"cells", "share_edge", "origin", "flip_y", "pattern", NULL};
    int32_t faults = loader->log->faults;
    if (value->kind == TW_YAML_SCALAR)
        tw_load_param(loader, scope, "tiles", tw_tiling_options, tiling, value);
    else if (!tw_expect_kind(loader->log, value, TW_YAML_MAPPING, "tiles"))
        return false;
    for (const struct tw_yaml_item *item = value->items; item; item = item->next) {
        const struct tw_param *row = tw_param_find(tw_tiling_options, item->key->text);
        if (row)
            tw_load_param(loader, scope, "tiles", row, tiling, item->value);
        else if (strcmp(item->key->text, "pattern") == 0)
            read_pattern(loader, scope, item->value, tiling);
        else
            tw_expect_key(loader->log, &loader->recipe->arena, item->key, "tiles", known);
    }
    if (loader->log->faults == faults && tiling->cells < 2)
        tw_fault_log_add(loader->log, TW_RECIPE, value->place, NULL,
                         "tiles.cells is %d; expected a tile's side, 2 to %d", (int)tiling->cells,
                         TW_SIDE_MAX);
    return loader->log->faults == faults;
}

/* ---- dividing ---- */

/* Returns the number of tiles along a side of the map, or 0 with the nearest sides that divide. */
static int32_t divide(int32_t side, const struct tw_tiling *tiling, int32_t *below, int32_t *above)
{
    int32_t edge = tiling->share_edge ? 1 : 0,
            step = tiling->cells - edge; /* cells is at least 2 */
    int32_t count = (side - edge) / step;
    *below = count > 0 ? count * step + edge : 0;
    *above = (count + 1) * step + edge;
    return side == *below ? count : 0;
}

static bool check_side(struct tw_loader *loader, int32_t side, const struct tw_tiling *tiling,
                       struct tw_place place, int32_t *count)
{
    int32_t below, above;
    *count = divide(side, tiling, &below, &above);
    if (*count > 0)
        return true;
    const char *sharing = tiling->share_edge ? " that share edges" : "";
    if (below > 0)
        tw_fault_log_add(loader->log, TW_RECIPE, place, NULL,
                         "a side of %d cells does not divide into tiles of %d%s; expected %d or %d",
                         (int)side, (int)tiling->cells, sharing, (int)below, (int)above);
    else
        tw_fault_log_add(loader->log, TW_RECIPE, place, NULL,
                         "a side of %d cells does not divide into tiles of %d%s; expected %d",
                         (int)side, (int)tiling->cells, sharing, (int)above);
    return false;
}

/* Sorting renumbers sources, so every export needs its own copy. */
static struct tw_output *copy_sources(struct tw_arena *arena, const struct tw_output *from)
{
    struct tw_output *first = NULL, **tail = &first;
    for (; from; from = from->next) {
        *tail = tw_arena_alloc(arena, 1, sizeof **tail);
        if (!*tail)
            return NULL;
        **tail = (struct tw_output){from->name, from->source, NULL, from->part};
        tail = &(*tail)->next;
    }
    return first;
}

struct tw_export *tw_export_copy(struct tw_loader *loader, const struct tw_export *item,
                                 struct tw_export ***tail)
{
    struct tw_arena *arena = &loader->recipe->arena;
    struct tw_export *copy = tw_arena_alloc(arena, 1, sizeof *copy);
    if (!copy)
        return NULL;
    *copy = *item;
    copy->next = NULL;
    copy->sources = copy_sources(arena, item->sources);
    if (!copy->sources)
        return NULL;
    **tail = copy;
    *tail = &copy->next;
    return copy;
}

/* Turns the entry into its first tile and appends the others. */
static bool add_tiles(struct tw_loader *loader, struct tw_export *item,
                      const struct tw_tiling *tiling, int32_t columns, int32_t rows,
                      struct tw_export ***tail)
{
    int32_t step = tiling->cells - (tiling->share_edge ? 1 : 0);
    struct tw_export *tile = item;
    for (int32_t i = 0; i < columns * rows; i++) {
        int32_t column = i % columns, row = i / columns;
        tile = i == 0 ? item : tw_export_copy(loader, item, tail);
        if (!tile)
            return false;
        tile->file = tile_name(loader, item->entry, tiling->pattern, tiling->origin + column,
                               tiling->origin + (tiling->flip_y ? rows - 1 - row : row));
        if (!tile->file)
            return false;
        tile->tile = (struct tw_export_tile){
            column * step, row * step, tiling->cells, tiling->cells, column, row, columns, rows};
    }
    return true;
}

bool tw_export_load_tiles(struct tw_loader *loader, struct tw_scope *scope, struct tw_export *item,
                          const struct tw_yaml *value, struct tw_export ***tail)
{
    struct tw_tiling tiling = {.pattern = "_x%x%_y%y%"};
    int32_t width, height, columns, rows;
    struct tw_source source = item->sources->source;
    if (!tw_type_is_grid(tw_source_type(loader->recipe, source))) {
        tw_fault_log_add(loader->log, TW_RECIPE, value->place, NULL,
                         "'%s' is %s; tiles: expects a map", item->sources->name,
                         tw_type_name(tw_source_type(loader->recipe, source)));
        return false;
    }
    if (item->preset)
        tiling = item->preset->tiling;
    tw_node_output_size(loader->recipe, &loader->recipe->nodes[source.node], &width, &height);
    if (!read_tiling(loader, scope, value, &tiling) ||
        !tw_export_check_sides(loader, item, tiling.cells, tiling.cells, value->place) ||
        !check_side(loader, width, &tiling, value->place, &columns) ||
        !check_side(loader, height, &tiling, value->place, &rows))
        return false;
    if ((int64_t)columns * rows > TILES_MAX) {
        tw_fault_log_add(loader->log, TW_LIMIT, value->place, NULL,
                         "%d x %d tiles; expected at most %d", (int)columns, (int)rows, TILES_MAX);
        return false;
    }
    return add_tiles(loader, item, &tiling, columns, rows, tail);
}
