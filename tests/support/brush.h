/* SPDX-License-Identifier: MIT */
/* Brushes on polygon maps: the equation of the nodes island.edit_*, and what a brush must not
 * change. */
#ifndef TW_TESTS_SUPPORT_BRUSH_H
#define TW_TESTS_SUPPORT_BRUSH_H

#include "support/island.h"

#include <stdlib.h>

struct brush {
    double x, y, radius, by;
};

/* Returns (1 - d^2 / radius^2)^2 within the radius, else 0. */
static inline double brush_adds(struct brush brush, struct tw_polymap_place at)
{
    double dx = ((double)at.x + 1) / 2 - brush.x, dy = ((double)at.y + 1) / 2 - brush.y;
    double share = 1 - (dx * dx + dy * dy) / (brush.radius * brush.radius);
    return share > 0 ? brush.by * share * share : 0;
}

static inline void brush_view(const struct tw_result *result, const char *id,
                              struct tw_polymap *map)
{
    assert_true(tw_polymap_view(tw_result_output(result, id), map));
}

/* ---- elevation ---- */

/* Lowers every corner of a lake to its lowest, cell by cell until nothing changes. */
static inline void brush_level_lakes(const struct tw_polymap *map, double *height)
{
    for (bool changes = true; changes;) {
        changes = false;
        for (int32_t i = 0; i < map->cells; i++) {
            double lowest = INFINITY;
            for (int32_t s = map->cell_start[i]; s < map->cell_start[i + 1]; s++)
                lowest = fmin(lowest, height[map->side_corner[s]]);
            for (int32_t s = map->cell_start[i]; s < map->cell_start[i + 1]; s++)
                if (is_lake_cell(map, i) && height[map->side_corner[s]] > lowest) {
                    height[map->side_corner[s]] = lowest;
                    changes = true;
                }
        }
    }
}

/* Checks that `after` is `before` with `sign` times the brush added to its elevation, with equal
 * bits beyond the brush and beyond lakes; temperature falls as land rises. */
static inline void brush_check_elevation(const struct tw_polymap *before,
                                         const struct tw_polymap *after, struct brush brush,
                                         double sign)
{
    double *expected = calloc((size_t)before->corners, sizeof *expected);
    assert_non_null(expected);
    for (int32_t c = 0; c < before->corners; c++)
        expected[c] =
            (double)before->corner_elevation[c] + sign * brush_adds(brush, before->corner_at[c]);
    brush_level_lakes(after, expected);
    for (int32_t c = 0; c < before->corners; c++) {
        double was = (double)before->corner_elevation[c], is = (double)after->corner_elevation[c];
        double warmth = (double)before->corner_temperature[c] - fmax(is, 0) + fmax(was, 0);
        assert_true(fabs(is - expected[c]) < 1e-5);
        if (expected[c] == was)
            assert_memory_equal(&after->corner_elevation[c], &before->corner_elevation[c], 4);
        assert_true(fabs((double)after->corner_temperature[c] - fmin(fmax(warmth, 0), 1)) < 1e-5);
    }
    check_means(after, after->corner_elevation, after->cell_elevation);
    check_means(after, after->corner_temperature, after->cell_temperature);
    assert_int_equal(after->head->layers, TW_LAYER_SHAPE | TW_LAYER_ELEVATION);
    free(expected);
}

/* Counts the cells that are neither ocean nor lake. */
static inline int32_t brush_land(const struct tw_polymap *map)
{
    int32_t land = 0;
    for (int32_t i = 0; i < map->cells; i++)
        land += !(map->cell_flags[i] & TW_WATER);
    return land;
}

/* ---- layers in 0..1 ---- */

/* A node type, and the arrays of the layer that it edits. */
struct brush_layer {
    const char *type;
    float *(*corners)(const struct tw_polymap *map);
    float *(*cells)(const struct tw_polymap *map);
};

/* Compares all words except the layer and the header's list of layers; of the layer, the part
 * beyond the brush. */
static inline void brush_check_rest(const struct tw_polymap *before, const struct tw_polymap *after,
                                    const struct brush_layer *layer, struct brush brush)
{
    const struct tw_polymap_header *head = before->head;
    const uint32_t *from = (const uint32_t *)head, *to = (const uint32_t *)after->head;
    const uint32_t *corners = (const uint32_t *)layer->corners(before);
    const uint32_t *cells = (const uint32_t *)layer->cells(before);
    const int32_t words = tw_polymap_words(head->cells, head->corners, head->edges, head->sides);
    for (int32_t i = 0; i < words; i++) {
        bool corner = from + i >= corners && from + i < corners + before->corners;
        bool cell = from + i >= cells && from + i < cells + before->cells;
        if (corner && brush_adds(brush, before->corner_at[from + i - corners]) > 0)
            continue;
        if (!cell && from + i != &head->layers)
            assert_int_equal(from[i], to[i]);
    }
}

/* Checks that the layer follows the equation, clamped to 0..1, that cells have the mean of their
 * corners, and that every other layer but the biomes is unchanged. Returns how many corners were
 * clamped. */
static inline int32_t brush_check(const struct brush_layer *layer, const char *brush_text,
                                  struct brush brush)
{
    struct tw_polymap before, after;
    char more[200];
    int32_t cut = 0;
    snprintf(more, sizeof more, "out: {type: %s, in: b, at: [%s]}\n", layer->type, brush_text);
    struct tw_result *result = island_run(11, 'b', more, &before);
    brush_view(result, "out", &after);
    for (int32_t c = 0; c < before.corners; c++) {
        double value = (double)layer->corners(&before)[c] + brush_adds(brush, before.corner_at[c]);
        cut += value > 1;
        assert_true(fabs((double)layer->corners(&after)[c] - fmin(value, 1)) < 1e-5);
    }
    check_means(&after, layer->corners(&after), layer->cells(&after));
    brush_check_rest(&before, &after, layer, brush);
    assert_int_equal(after.head->layers, before.head->layers & ~(uint32_t)TW_LAYER_BIOMES);
    tw_result_release(result);
    return cut;
}

/* Checks the smallest brush, on a corner: that corner becomes 1, no other changes. */
static inline void brush_check_one_corner(const struct brush_layer *layer)
{
    struct tw_polymap before, after;
    char more[200];
    struct tw_result *result = island_run(11, 'b', NULL, &before);
    int32_t at = before.corners / 2;
    while (at > 0 && layer->corners(&before)[at] > 0.9f)
        at--;
    const float x = (before.corner_at[at].x + 1) * 0.5f, y = (before.corner_at[at].y + 1) * 0.5f;
    tw_result_release(result);
    snprintf(more, sizeof more, "out: {type: %s, in: b, at: [[%.9g, %.9g, 1e-6, 10]]}\n",
             layer->type, (double)x, (double)y);
    result = island_run(11, 'b', more, &before);
    brush_view(result, "out", &after);
    assert_true(layer->corners(&before)[at] <= 0.9f);
    for (int32_t c = 0; c < before.corners; c++)
        assert_true(layer->corners(&after)[c] == (c == at ? 1 : layer->corners(&before)[c]));
    tw_result_release(result);
}

#endif
