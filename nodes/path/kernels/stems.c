/* SPDX-License-Identifier: MIT */
#include "path/kernels/stems.h"

#include <thalweg/kernel.h>

enum { BIN_CELLS = 4, BINS_MAX = 128, SPARE_FACTOR = 8 };

static int32_t bins_along(int32_t cells)
{
    int32_t bins = cells / BIN_CELLS;
    return bins < 1 ? 1 : bins > BINS_MAX ? BINS_MAX : bins;
}

bool tw_stems_lay_out(struct tw_scratch *s, int64_t expected, struct tw_stems *stems)
{
    const uint64_t likely = (uint64_t)expected;
    const uint64_t most = likely < INT32_MAX / SPARE_FACTOR ? likely * SPARE_FACTOR : INT32_MAX;
    stems->capacity = (int32_t)most;
    stems->columns = bins_along(tw_scratch_width(s));
    stems->rows = bins_along(tw_scratch_height(s));
    stems->at = tw_scratch_reserve(s, most, sizeof *stems->at, likely);
    stems->line = tw_scratch_reserve(s, most, sizeof *stems->line, likely);
    stems->next = tw_scratch_reserve(s, most, sizeof *stems->next, likely);
    stems->heads =
        tw_scratch_take(s, (uint64_t)stems->columns * (uint64_t)stems->rows, sizeof *stems->heads);
    stems->reach =
        tw_scratch_take(s, (uint64_t)stems->columns * (uint64_t)stems->rows, sizeof *stems->reach);
    return tw_scratch_is_laid(s);
}

void tw_stems_begin(struct tw_stems *stems, double width, double height, bool wrap)
{
    stems->count = stems->stems = 0;
    stems->width = width;
    stems->height = height;
    stems->farthest = 0;
    stems->wrap = wrap;
    for (int32_t i = 0; i < stems->columns * stems->rows; i++) {
        stems->heads[i] = -1;
        stems->reach[i] = 0;
    }
}

/* The bin of a place along one axis, before it is brought onto the map. */
static int32_t bin_at(double at, double size, int32_t bins)
{
    return tw_floor((float)(at / size * bins));
}

static int32_t on_map(const struct tw_stems *s, int32_t bin, int32_t bins)
{
    return s->wrap ? tw_wrap(bin, bins) : tw_clamp_index(bin, bins);
}

static int32_t bin_of(const struct tw_stems *s, const struct tw_course_point *p)
{
    int32_t x = on_map(s, bin_at(p->x, s->width, s->columns), s->columns);
    return on_map(s, bin_at(p->y, s->height, s->rows), s->rows) * s->columns + x;
}

/* Notes how far the segment from p to the next point reaches. */
static void note_reach(struct tw_stems *s, const struct tw_course_point *p)
{
    double dx = p[1].x - p->x, dy = p[1].y - p->y;
    double width = p->width > p[1].width ? p->width : p[1].width;
    double reach = sqrt(dx * dx + dy * dy) + width / 2, *of_bin = &s->reach[bin_of(s, p)];
    *of_bin = reach > *of_bin ? reach : *of_bin;
    s->farthest = reach > s->farthest ? reach : s->farthest;
}

bool tw_stems_add(struct tw_stems *stems, const struct tw_course *course, int32_t line)
{
    if (course->count > stems->capacity - stems->count)
        return false;
    for (int32_t i = 0; i < course->count; i++) {
        int32_t *head = &stems->heads[bin_of(stems, &course->at[i])];
        if (i + 1 < course->count)
            note_reach(stems, &course->at[i]);
        stems->at[stems->count] = course->at[i];
        stems->line[stems->count] = line;
        stems->next[stems->count] = *head;
        *head = stems->count++;
    }
    stems->stems++;
    return true;
}

/* Called with a segment's first point; (dx, dy) leads there. */
typedef void visit_fn(void *context, const struct tw_course_point *from, double dx, double dy);

static double nearest_image(double d, double size)
{
    double turns = d / size;
    return d - size * (double)(int64_t)(turns + (turns < 0 ? -0.5 : 0.5));
}

static void visit_bin(const struct tw_stems *s, int32_t bin, const double place[2], visit_fn *fn,
                      void *context)
{
    for (int32_t i = s->heads[bin]; i >= 0; i = s->next[i]) {
        double dx = s->at[i].x - place[0], dy = s->at[i].y - place[1];
        if (i + 1 == s->count || s->line[i + 1] != s->line[i])
            continue;
        fn(context, &s->at[i], s->wrap ? nearest_image(dx, s->width) : dx,
           s->wrap ? nearest_image(dy, s->height) : dy);
    }
}

/* The bins from `from` to `to` that are needed: on a torus each only once. */
static void limit(const struct tw_stems *s, int32_t *from, int32_t *to, int32_t bins)
{
    if (!s->wrap) {
        *from = tw_clamp_index(*from, bins);
        *to = tw_clamp_index(*to, bins);
    } else if (*to - *from >= bins) {
        *from = 0;
        *to = bins - 1;
    }
}

/* The distance along one axis to bin `bin`, which on a closed map goes on beyond the border. */
static double to_bin(const struct tw_stems *s, int32_t bin, double at, double size, int32_t bins)
{
    const double low = size * bin / bins - at, high = size * (bin + 1) / bins - at;
    if (!s->wrap && (bin == 0 || bin == bins - 1))
        return bin == 0 ? (high < 0 && bins > 1 ? -high : 0) : (low > 0 ? low : 0);
    return low > 0 ? low : high < 0 ? -high : 0;
}

/* Visits at least the segments that come within `most` of a place, measured from their banks. */
static void visit_near(const struct tw_stems *s, double x, double y, double most, visit_fn *fn,
                       void *context)
{
    const double place[] = {x, y}, radius = most + s->farthest;
    int32_t left = bin_at(x - radius, s->width, s->columns);
    int32_t right = bin_at(x + radius, s->width, s->columns);
    int32_t top = bin_at(y - radius, s->height, s->rows);
    int32_t bottom = bin_at(y + radius, s->height, s->rows);
    const bool all = right - left >= s->columns || bottom - top >= s->rows;
    limit(s, &left, &right, s->columns);
    limit(s, &top, &bottom, s->rows);
    for (int32_t v = top; v <= bottom && s->count > 0; v++)
        for (int32_t u = left; u <= right; u++) {
            int32_t bin = on_map(s, v, s->rows) * s->columns + on_map(s, u, s->columns);
            double near = most + s->reach[bin], dx = to_bin(s, u, x, s->width, s->columns);
            double dy = to_bin(s, v, y, s->height, s->rows);
            if (s->heads[bin] >= 0 && (all || dx * dx + dy * dy <= near * near))
                visit_bin(s, bin, place, fn, context);
        }
}

static void keep_nearest(void *context, const struct tw_course_point *from, double dx, double dy)
{
    struct tw_stem_place *best = context;
    const struct tw_course_point *to = from + 1;
    const double ux = to->x - from->x, uy = to->y - from->y, length = ux * ux + uy * uy;
    double t = length > 0 ? -(dx * ux + dy * uy) / length : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    const double x = dx + t * ux, y = dy + t * uy;
    const double gap = sqrt(x * x + y * y) - 0.5 * (from->width + t * (to->width - from->width));
    if (gap < best->gap)
        *best = (struct tw_stem_place){gap, x, y, from->z + t * (to->z - from->z)};
}

struct tw_stem_place tw_stems_nearest(const struct tw_stems *stems, double x, double y, double most)
{
    struct tw_stem_place best = {.gap = most};
    visit_near(stems, x, y, most, keep_nearest, &best);
    return best;
}

struct crossing {
    double bx, by; /* from a to b */
    bool found;
};

static double cross(double ax, double ay, double bx, double by) { return ax * by - ay * bx; }

/* A segment that begins at d from a. */
static void find_crossing(void *context, const struct tw_course_point *from, double dx, double dy)
{
    struct crossing *c = context;
    const double ux = from[1].x - from->x, uy = from[1].y - from->y;
    const double of_from = cross(c->bx, c->by, dx, dy);
    const double of_to = cross(c->bx, c->by, dx + ux, dy + uy);
    const double of_a = cross(ux, uy, -dx, -dy), of_b = cross(ux, uy, c->bx - dx, c->by - dy);
    c->found |= ((of_from <= 0) != (of_to <= 0)) && ((of_a <= 0) != (of_b <= 0));
}

bool tw_stems_cross(const struct tw_stems *stems, const struct tw_course_point *a,
                    const struct tw_course_point *b)
{
    struct crossing c = {.bx = b->x - a->x, .by = b->y - a->y};
    visit_near(stems, a->x, a->y, sqrt(c.bx * c.bx + c.by * c.by), find_crossing, &c);
    return c.found;
}
