/* SPDX-License-Identifier: MIT */
#include "common/polymap/polymap.h"

#include <float.h>
#include <string.h>

enum { HEAD_WORDS = 6, CELL_WORDS = 8, CORNER_WORDS = 9 };

int32_t tw_polymap_words(uint32_t cells, uint32_t corners, uint32_t edges, uint32_t sides)
{
    uint64_t words = HEAD_WORDS + (uint64_t)CELL_WORDS * cells + 1 +
                     (uint64_t)CORNER_WORDS * corners + 1 + 7 * (uint64_t)edges +
                     2 * (uint64_t)sides;
    return words > INT32_MAX ? 0 : (int32_t)words;
}

/* Takes the next words of the block. */
static void *take(uint32_t **at, int32_t words)
{
    uint32_t *block = *at;
    *at += words;
    return block;
}

void tw_polymap_lay_out(uint32_t *block, struct tw_polymap *m)
{
    m->head = (struct tw_polymap_header *)(void *)take(&block, HEAD_WORDS);
    m->cells = (int32_t)m->head->cells;
    m->corners = (int32_t)m->head->corners;
    m->edges = (int32_t)m->head->edges;
    m->sides = (int32_t)m->head->sides;
    m->cell_start = take(&block, m->cells + 1);
    m->cell_at = take(&block, 2 * m->cells);
    m->cell_flags = take(&block, m->cells);
    m->cell_elevation = take(&block, m->cells);
    m->cell_temperature = take(&block, m->cells);
    m->cell_moisture = take(&block, m->cells);
    m->cell_biome = take(&block, m->cells);
    m->corner_start = take(&block, m->corners + 1);
    m->corner_at = take(&block, 2 * m->corners);
    m->corner_flags = take(&block, m->corners);
    m->corner_elevation = take(&block, m->corners);
    m->corner_temperature = take(&block, m->corners);
    m->corner_moisture = take(&block, m->corners);
    m->corner_river = take(&block, m->corners);
    m->corner_rank = take(&block, m->corners);
    m->edge = take(&block, 4 * m->edges);
    m->edge_river = take(&block, m->edges);
    m->side_corner = take(&block, m->sides);
    m->side_edge = take(&block, m->sides);
    m->spoke = take(&block, 2 * m->edges);
}

/* One of the parts in which a map is checked, a range of each kind of element. */
struct range {
    int32_t begin, end;
};

enum { PARTS = 16, FEW_CELLS = 4096 };

static struct range range_of(int32_t count, int32_t part)
{
    return (struct range){(int32_t)((int64_t)count * part / PARTS),
                          (int32_t)((int64_t)count * (part + 1) / PARTS)};
}

static bool all_in(const int32_t *at, struct range r, int32_t low, int32_t end)
{
    bool ok = true;
    for (int32_t i = r.begin; i < r.end; i++)
        ok &= (at[i] >= low) & (at[i] < end);
    return ok;
}

static bool rising(const int32_t *start, struct range r)
{
    bool ok = true;
    for (int32_t i = r.begin; i < r.end; i++)
        ok &= start[i] <= start[i + 1];
    return ok;
}

/* Returns false for NaN, too. */
static bool all_within(const float *at, struct range r, float low, float high)
{
    bool ok = true;
    for (int32_t i = r.begin; i < r.end; i++)
        ok &= (at[i] >= low) & (at[i] <= high);
    return ok;
}

static bool all_finite(const float *at, struct range r)
{
    return all_within(at, r, -FLT_MAX, FLT_MAX);
}

/* Rounding may move a place out of the square by a little; drawing does not rely on more. */
static bool places_valid(const struct tw_polymap_place *at, struct range r)
{
    const float limit = 1.001f;
    return all_within(&at->x, (struct range){2 * r.begin, 2 * r.end}, -limit, limit);
}

static bool cells_valid(const struct tw_polymap *m, struct range r)
{
    return rising(m->cell_start, r) && places_valid(m->cell_at, r) &&
           all_in(m->cell_biome, r, 0, 16) && all_finite(m->cell_elevation, r) &&
           all_finite(m->cell_temperature, r) && all_finite(m->cell_moisture, r);
}

static bool corners_valid(const struct tw_polymap *m, struct range r)
{
    return rising(m->corner_start, r) && places_valid(m->corner_at, r) &&
           all_in(m->corner_rank, r, -1, m->corners) && all_finite(m->corner_elevation, r) &&
           all_finite(m->corner_temperature, r) && all_finite(m->corner_moisture, r) &&
           all_within(m->corner_river, r, 0, FLT_MAX);
}

/* No edge has more water than the corner it comes from or the one it goes to: widths of rivers are
 * shares of the largest corner's. */
static bool edges_valid(const struct tw_polymap *m, struct range r)
{
    bool ok = true;
    for (int32_t e = r.begin; e < r.end; e++) {
        const struct tw_polymap_edge *edge = &m->edge[e];
        ok &= (edge->d0 >= 0) & (edge->d0 < m->cells) & (edge->d1 >= -1) & (edge->d1 < m->cells) &
              (edge->v0 >= 0) & (edge->v0 < m->corners) & (edge->v1 >= 0) & (edge->v1 < m->corners);
    }
    for (int32_t e = r.begin; ok && e < r.end; e++)
        ok = (m->edge_river[e] >= 0) & (m->edge_river[e] <= m->corner_river[m->edge[e].v0]) &
             (m->edge_river[e] <= m->corner_river[m->edge[e].v1]);
    return ok;
}

static bool part_valid(const struct tw_polymap *m, int32_t part)
{
    struct range sides = range_of(m->sides, part);
    return cells_valid(m, range_of(m->cells, part)) &&
           corners_valid(m, range_of(m->corners, part)) &&
           edges_valid(m, range_of(m->edges, part)) &&
           all_in(m->side_corner, sides, 0, m->corners) &&
           all_in(m->side_edge, sides, 0, m->edges) &&
           all_in(m->spoke, range_of(2 * m->edges, part), 0, m->edges);
}

/* Lays out a block whose counts fit it; the rest is up to part_valid(). */
static bool head_valid(const struct tw_value *value, struct tw_polymap *map)
{
    struct tw_polymap_header head;
    if (!value->data || value->height != 1 || value->width < HEAD_WORDS)
        return false;
    memcpy(&head, value->data, sizeof head);
    if (head.magic != TW_POLYMAP_MAGIC || head.cells < 1 || head.corners < 1 || head.edges < 1 ||
        tw_polymap_words(head.cells, head.corners, head.edges, head.sides) != value->width)
        return false;
    tw_polymap_lay_out(value->data, map);
    return map->cell_start[0] == 0 && map->cell_start[map->cells] == map->sides &&
           map->corner_start[0] == 0 && map->corner_start[map->corners] == 2 * map->edges;
}

bool tw_polymap_view(const struct tw_value *value, struct tw_polymap *map)
{
    bool ok = head_valid(value, map);
    for (int32_t part = 0; ok && part < PARTS; part++)
        ok = part_valid(map, part);
    return ok;
}

struct check {
    const struct tw_polymap *map;
    bool valid[PARTS];
};

static void check_parts(void *context, int32_t begin, int32_t end)
{
    struct check *check = context;
    for (int32_t part = begin; part < end; part++)
        check->valid[part] = part_valid(check->map, part);
}

enum tw_status tw_polymap_open(struct tw_task *task, int i, uint32_t layers, const char *needs,
                               struct tw_polymap *map)
{
    struct check check = {.map = map};
    bool ok = head_valid(tw_task_input(task, i), map);
    if (ok)
        tw_rows(task, PARTS, map->cells < FEW_CELLS ? PARTS : 1, check_parts, &check);
    for (int32_t part = 0; ok && part < PARTS; part++)
        ok = check.valid[part];
    if (!ok)
        return tw_task_fail(task, "the input is not a valid polygon map");
    if ((map->head->layers & layers) != layers)
        return tw_task_fail(task, "the polygon map lacks a layer; it must come through %s", needs);
    return TW_OK;
}

/* Euler: a plane graph of n cells whose corners join three edges has fewer than 2 n corners and 3 n
 * edges inside, and a few on the border. */
int64_t tw_polymap_words_at_most(int32_t cells)
{
    uint32_t n = (uint32_t)cells;
    return tw_polymap_words(n, 2 * n + 2, 3 * n + 1, 6 * n + 2);
}

struct tw_polymap_counts tw_polymap_forecast(const struct tw_forecast *f)
{
    int64_t words_per_cell = tw_polymap_words_at_most(1001) - tw_polymap_words_at_most(1000);
    uint64_t n = (uint64_t)(f->inputs[0] / words_per_cell);
    return (struct tw_polymap_counts){n, 2 * n + 2, 3 * n + 1};
}
