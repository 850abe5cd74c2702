/* SPDX-License-Identifier: MIT */
/* A state is a coarse cell and the step that led there, or none at the start. A step of length l
 * and slope g costs l (1 + 30 (g / g_max)^2 + 20 cost), a turn of angle a between steps of mean
 * length m costs w_c a^2 / m: m times the square of the curvature a / m. */
#include "path/kernels/road_search.h"

#include <thalweg/kernel.h>

#include <string.h>

enum { SIDE_MAX = 256, RIM = 4, NO_STEP = TW_ROAD_STEPS, STATES = TW_ROAD_STEPS + 1 };
enum { POLL = 1 << 12 };
#define SLOPE_WEIGHT 30.0
#define COST_WEIGHT 20.0

static const int8_t steps[TW_ROAD_STEPS][2] = {
    {-2, -3}, {-1, -3}, {1, -3},  {2, -3}, {-3, -2}, {-1, -2}, {1, -2}, {3, -2},
    {-3, -1}, {-2, -1}, {-1, -1}, {0, -1}, {1, -1},  {2, -1},  {3, -1}, {-1, 0},
    {1, 0},   {-3, 1},  {-2, 1},  {-1, 1}, {0, 1},   {1, 1},   {2, 1},  {3, 1},
    {-3, 2},  {-1, 2},  {1, 2},   {3, 2},  {-2, 3},  {-1, 3},  {1, 3},  {2, 3},
};

static int32_t factor_of(int32_t width, int32_t height)
{
    int32_t side = width > height ? width : height;
    return (side - 1) / SIDE_MAX + 1;
}

bool tw_road_search_lay_out(struct tw_scratch *s, struct tw_road_search *r)
{
    r->factor = factor_of(tw_scratch_width(s), tw_scratch_height(s));
    r->width = (tw_scratch_width(s) - 1) / r->factor + 1;
    r->height = (tw_scratch_height(s) - 1) / r->factor + 1;
    const uint64_t cells = (uint64_t)r->width * (uint64_t)r->height;
    r->level = tw_scratch_take(s, cells, sizeof *r->level);
    r->extra = tw_scratch_take(s, cells, sizeof *r->extra);
    r->closed = tw_scratch_take(s, cells, sizeof *r->closed);
    r->step = tw_scratch_take(s, cells * TW_ROAD_STEPS, sizeof *r->step);
    r->before = tw_scratch_take(s, cells * STATES, sizeof *r->before);
    r->back = tw_scratch_reserve(s, TW_ROAD_VERTICES_MAX, sizeof *r->back, 1024);
    return tw_cost_heap_lay_out(s, r->width * r->height * STATES, &r->heap);
}

/* ---- the coarse map ---- */

static float mean_of(const struct tw_road_search *r, const float *cells, int32_t x, int32_t y)
{
    const int32_t width = r->map->width, height = r->map->height, f = r->factor;
    double sum = 0;
    int32_t count = 0;
    for (int32_t j = y * f; j < y * f + f && j < height; j++)
        for (int32_t i = x * f; i < x * f + f && i < width; i++, count++)
            sum += (double)cells[(size_t)j * (size_t)width + (size_t)i];
    return (float)(sum / count);
}

static bool is_forbidden(const struct tw_road_search *r, int32_t x, int32_t y)
{
    const int32_t width = r->map->width, height = r->map->height, f = r->factor;
    for (int32_t j = y * f; r->map->forbid && j < y * f + f && j < height; j++)
        for (int32_t i = x * f; i < x * f + f && i < width; i++)
            if (r->map->forbid[(size_t)j * (size_t)width + (size_t)i] >= 0.5f)
                return true;
    return false;
}

static void average_rows(void *context, int32_t begin, int32_t end)
{
    const struct tw_road_search *r = context;
    for (int32_t y = begin; y < end && !tw_task_cancelled(r->task); y++)
        for (int32_t x = 0; x < r->width; x++) {
            const int32_t cell = y * r->width + x;
            r->level[cell] = mean_of(r, r->map->heights, x, y);
            r->extra[cell] = r->map->cost ? mean_of(r, r->map->cost, x, y) : 0;
            r->closed[cell] = is_forbidden(r, x, y);
        }
}

static int32_t cell_of(const struct tw_road_search *r, const struct tw_vertex *point)
{
    int32_t x = (int32_t)(point->x / r->factor), y = (int32_t)(point->y / r->factor);
    return tw_clamp_index(y, r->height) * r->width + tw_clamp_index(x, r->width);
}

static int32_t distance_to_border(const struct tw_road_search *r, int32_t x, int32_t y)
{
    int32_t across = x < r->width - 1 - x ? x : r->width - 1 - x;
    int32_t along = y < r->height - 1 - y ? y : r->height - 1 - y;
    return across < along ? across : along;
}

static bool is_near(const struct tw_road_search *r, int32_t x, int32_t y,
                    const struct tw_vertex *points, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        int32_t cell = cell_of(r, points + i);
        int32_t dx = cell % r->width - x, dy = cell / r->width - y;
        if (dx * dx + dy * dy <= 4 * RIM * RIM)
            return true;
    }
    return false;
}

/* Roads would follow the border, where half of the ground is missing. */
static void close_rim(const struct tw_road_search *r, const struct tw_vertex *points, int32_t count)
{
    const int32_t side = r->width < r->height ? r->width : r->height;
    const int32_t rim = side / 8 < RIM ? side / 8 : RIM;
    for (int32_t y = 0; y < r->height; y++)
        for (int32_t x = 0; x < r->width; x++)
            if (distance_to_border(r, x, y) < rim && !is_near(r, x, y, points, count))
                r->closed[y * r->width + x] = 1;
}

static double length_of(int step)
{
    return sqrt((double)(steps[step][0] * steps[step][0] + steps[step][1] * steps[step][1]));
}

static void find_turns(struct tw_road_search *r)
{
    for (int a = 0; a < TW_ROAD_STEPS; a++)
        for (int b = 0; b < TW_ROAD_STEPS; b++) {
            const double ax = steps[a][0], ay = steps[a][1], bx = steps[b][0], by = steps[b][1];
            const double turn = fabs(tw_atan2(ax * by - ay * bx, ax * bx + ay * by));
            const double mean = 0.5 * (length_of(a) + length_of(b)) * r->factor;
            bool allowed = turn * 57.29577951308232 <= r->map->turn + 1e-9;
            r->turns[a][b] = allowed ? r->map->curvature * turn * turn / mean : (double)INFINITY;
        }
}

void tw_road_search_start(struct tw_task *task, const struct tw_road_map *map,
                          const struct tw_vertex *points, int32_t count, struct tw_road_search *r)
{
    r->task = task;
    r->map = map;
    tw_rows(task, r->height, 16, average_rows, r);
    close_rim(r, points, count);
    find_turns(r);
}

/* ---- costs of steps ---- */

/* Returns whether a straight line between the middles of two coarse cells crosses a closed one.
 * The cell that it leaves may be closed, as that of a point can be. */
static bool crosses_closed(const struct tw_road_search *r, int32_t x, int32_t y, int step)
{
    enum { PARTS = 24 };
    for (int32_t k = 1; k <= PARTS; k++) {
        int32_t i = x * 2 * PARTS + PARTS + 2 * k * steps[step][0];
        int32_t j = y * 2 * PARTS + PARTS + 2 * k * steps[step][1];
        int32_t cell = j / (2 * PARTS) * r->width + i / (2 * PARTS);
        if (r->closed[cell] && cell != y * r->width + x)
            return true;
    }
    return false;
}

static double cost_of_step(const struct tw_road_search *r, int32_t x, int32_t y, int step)
{
    const int32_t to_x = x + steps[step][0], to_y = y + steps[step][1];
    if (to_x < 0 || to_y < 0 || to_x >= r->width || to_y >= r->height ||
        crosses_closed(r, x, y, step))
        return (double)INFINITY;
    const int32_t from = y * r->width + x, to = to_y * r->width + to_x;
    const double length = length_of(step) * r->factor;
    const double rise = fabs((double)r->level[to] - (double)r->level[from]);
    const double steepness = rise * r->map->slope / length / r->grade;
    if (steepness > r->excess)
        return (double)INFINITY;
    const double extra = 0.5 * COST_WEIGHT * ((double)r->extra[from] + (double)r->extra[to]);
    return length * (1 + SLOPE_WEIGHT * steepness * steepness + extra);
}

static void weigh_rows(void *context, int32_t begin, int32_t end)
{
    const struct tw_road_search *r = context;
    for (int32_t y = begin; y < end && !tw_task_cancelled(r->task); y++)
        for (int32_t x = 0; x < r->width; x++)
            for (int k = 0; k < TW_ROAD_STEPS; k++)
                r->step[(y * r->width + x) * TW_ROAD_STEPS + k] = cost_of_step(r, x, y, k);
}

/* ---- legs ---- */

static void go_on(struct tw_road_search *r, int32_t state)
{
    const int32_t cell = state / STATES, in = state % STATES;
    for (int k = 0; k < TW_ROAD_STEPS; k++) {
        double cost = r->step[cell * TW_ROAD_STEPS + k];
        cost += in == NO_STEP ? 0 : r->turns[in][k];
        if (cost == (double)INFINITY)
            continue;
        int32_t to = (cell + steps[k][1] * r->width + steps[k][0]) * STATES + k;
        cost += r->heap.cost[state];
        if (cost < r->heap.cost[to]) {
            r->before[to] = (uint8_t)in;
            tw_cost_heap_lower(&r->heap, to, cost);
        }
    }
}

/* Returns through `end` the state in which the cheapest way from `start` comes to that cell; -1
 * where none does. */
static enum tw_status find_leg(struct tw_task *task, struct tw_road_search *r, int32_t start,
                               int32_t cell, int32_t *end)
{
    *end = -1;
    tw_cost_heap_clear(&r->heap);
    tw_cost_heap_lower(&r->heap, start, 0);
    for (int32_t state, taken = 0; (state = tw_cost_heap_pop(&r->heap)) >= 0; taken++) {
        if (taken % POLL == 0 && tw_task_cancelled(task))
            return TW_CANCELLED;
        if (state / STATES == cell) {
            *end = state;
            return TW_OK;
        }
        go_on(r, state);
    }
    return TW_OK;
}

static struct tw_vertex middle_of(const struct tw_road_search *r, int32_t cell)
{
    return (struct tw_vertex){.x = (cell % r->width + 0.5) * r->factor,
                              .y = (cell / r->width + 0.5) * r->factor};
}

/* Appends the vertices of a leg between its ends; returns their number then, or 0 if there are too
 * many. */
static int32_t append_leg(struct tw_road_search *r, int32_t start, int32_t end,
                          struct tw_vertex *way, int32_t vertices)
{
    int32_t count = 0;
    for (int32_t state = end; state != start; count++) {
        if (count + vertices + 2 > TW_ROAD_VERTICES_MAX)
            return 0;
        const int32_t in = state % STATES;
        const int32_t from = state / STATES - steps[in][1] * r->width - steps[in][0];
        r->back[count] = (int16_t)in;
        state = from * STATES + r->before[state];
    }
    int32_t cell = start / STATES;
    while (count > 1) {
        const int in = r->back[--count];
        cell += steps[in][1] * r->width + steps[in][0];
        way[vertices++] = middle_of(r, cell);
    }
    return vertices;
}

enum tw_status tw_road_search_run(struct tw_task *task, struct tw_road_search *r, double grade,
                                  double excess, const struct tw_vertex *points, int32_t count,
                                  struct tw_vertex *way, int32_t *vertices, int32_t *leg)
{
    int32_t state = cell_of(r, points) * STATES + NO_STEP;
    r->grade = grade;
    r->excess = excess;
    tw_rows(task, r->height, 16, weigh_rows, r);
    way[0] = points[0];
    *vertices = 1;
    for (*leg = 1; *leg < count; ++*leg) {
        int32_t end;
        enum tw_status status = find_leg(task, r, state, cell_of(r, points + *leg), &end);
        if (status != TW_OK)
            return status;
        *vertices = end < 0 ? 0 : append_leg(r, state, end, way, *vertices);
        if (*vertices == 0)
            return TW_OK;
        way[(*vertices)++] = points[*leg];
        state = end;
    }
    return TW_OK;
}
