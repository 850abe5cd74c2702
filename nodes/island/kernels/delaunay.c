/* SPDX-License-Identifier: MIT */
#include "island/kernels/delaunay.h"

#include <math.h>
#include <string.h>

/* Points are added in rounds, each of three quarters of those that are left when the later rounds
 * have theirs; the first has about as many as this. */
enum { FIRST_ROUND = 64, LEVELS = 12 };
/* Bands are so high that few of their points lie near their ends: this many mean distances of the
 * points that are there already, for up to FEW_BANDS and for more. A hole with more than BAND_SIDES
 * sides is left to the builder of the whole. */
enum { BAND_SPACINGS = 14, MANY_BAND_SPACINGS = 28, FEW_BANDS = 4, BANDS = 64, BAND_SIDES = 128 };
enum { LOOK_EVERY = 4096 }; /* points, about a millisecond */

/* Of the rim, or between two triangles of the hole, as seen from within. */
struct tw_hole_side {
    int32_t from;    /* a point */
    int32_t outside; /* the triangle beyond, or -1 */
    int32_t back;    /* the side of that which this is */
};

bool tw_delaunay_lay_out(struct tw_scratch *s, struct tw_delaunay *d, int32_t capacity,
                         int32_t side)
{
    uint64_t points = (uint64_t)capacity + 4, triangles = 2 * points;
    *d = (struct tw_delaunay){.capacity = capacity, .side = side};
    d->point = tw_scratch_take(s, points, sizeof *d->point);
    d->order = tw_scratch_take(s, points, sizeof *d->order);
    d->at = tw_scratch_take(s, points, sizeof *d->at);
    d->triangle = tw_scratch_take(s, triangles, sizeof *d->triangle);
    d->dug = tw_scratch_take(s, triangles, sizeof *d->dug);
    d->rim = tw_scratch_take(s, triangles, sizeof *d->rim);
    d->inner = tw_scratch_take(s, triangles, sizeof *d->inner);
    return tw_scratch_is_laid(s);
}

/* Twice the area of (a, b, c), positive when they turn as x to y. Below 2^59. */
static int64_t turn(const struct tw_delaunay *d, int32_t a, int32_t b, int32_t c)
{
    const int32_t *o = d->point[a], *u = d->point[b], *v = d->point[c];
    int64_t ux = u[0] - o[0], uy = u[1] - o[1], vx = v[0] - o[0], vy = v[1] - o[1];
    return ux * vy - uy * vx;
}

/* A point as seen from the one that is being added: coordinates below 2^28, `lift`, the square of
 * the distance, below 2^58. */
struct seen {
    int32_t point;
    int64_t x, y, lift;
};

static struct seen see(const struct tw_delaunay *d, int32_t point, const int32_t *from)
{
    int64_t x = d->point[point][0] - from[0], y = d->point[point][1] - from[1];
    return (struct seen){point, x, y, x * x + y * y};
}

static int64_t cross(const struct seen *a, const struct seen *b)
{
    return a->x * b->y - a->y * b->x;
}

static bool is_beyond(const int32_t *a, const int32_t *b)
{
    return a[1] != b[1] ? a[1] > b[1] : a[0] > b[0];
}

/* Returns true if p, which lies on the circle through a triangle, counts as inside. Of the four
 * points, of which no three are in line, the one with the greatest y, then x, is lifted a little;
 * the sign of what that adds to the determinant decides (after Edelsbrunner, Muecke 1990). */
static bool is_chosen(const struct tw_delaunay *d, const int32_t *corner, int32_t p)
{
    int most = 0;
    for (int k = 1; k < 3; k++)
        most = is_beyond(d->point[corner[k]], d->point[corner[most]]) ? k : most;
    return !is_beyond(d->point[p], d->point[corner[most]]) &&
           turn(d, p, corner[(most + 1) % 3], corner[(most + 2) % 3]) > 0;
}

/* A builder adds points: to the whole triangulation, or to the triangles of a band while others
 * work on other bands. Triangles of a band have their corners in it, but for one of the frame at
 * most. So a triangle next to them belongs to the same band or to none, and if to none it is not
 * changed meanwhile. */
struct builder {
    const struct tw_task *task;
    struct tw_delaunay *d;
    bool is_whole;
    int64_t low, high;                /* the band: low <= y < high */
    int32_t *dug;                     /* triangles of the hole */
    struct tw_hole_side *rim, *inner; /* inner: still to be looked beyond, the next one last */
    int32_t capacity;                 /* of each */
    int32_t twin;                     /* a point that is there already, or -1 */
};

static bool in_band(const struct builder *b, int32_t p)
{
    int32_t y = b->d->point[p][1];
    return y >= b->low && y < b->high;
}

/* Whether the triangle over a side of one of the builder's is the builder's, too. */
static bool owns(const struct builder *b, int32_t apex, int32_t from, int32_t to)
{
    int32_t n = b->d->points;
    return apex < n ? in_band(b, apex) : b->is_whole || (from < n && to < n);
}

/* Two triangles over a square so wide that its corners disturb no circle inside 0..side. */
static void start_with_frame(struct tw_delaunay *d)
{
    int32_t low = -3 * d->side, high = 4 * d->side, n = d->points;
    const int32_t corners[4][2] = {{low, low}, {high, low}, {high, high}, {low, high}};
    memcpy(d->point[n], corners, sizeof corners);
    d->triangle[0] = (struct tw_triangle){{n, n + 1, n + 2}, {-1, 1, -1}};
    d->triangle[1] = (struct tw_triangle){{n, n + 2, n + 3}, {-1, -1, 0}};
    d->triangles = 2 * n + 2;
    for (int32_t p = 0; p < n; p++)
        d->at[p] = -1;
}

/* The side of a triangle beyond which another one lies. */
static int side_towards(const struct tw_triangle *t, int32_t other)
{
    return (t->across[1] == other) + 2 * (t->across[2] == other);
}

static const uint8_t after[] = {1, 2, 0, 1, 2}; /* the next one around a triangle */

/* The side of t that p is beyond, -1 for none. */
static int side_before(const struct tw_delaunay *d, const struct tw_triangle *t, int32_t p)
{
    for (int k = 0; k < 3; k++)
        if (turn(d, t->corner[after[k]], t->corner[after[k + 1]], p) < 0)
            return k;
    return -1;
}

/* Walks from t towards p; in a Delaunay triangulation this never runs in circles. -1 when it would
 * leave the band. */
static int32_t locate(const struct builder *b, int32_t t, int32_t p)
{
    const struct tw_delaunay *d = b->d;
    int side = side_before(d, &d->triangle[t], p);
    while (side >= 0) {
        int32_t from = t;
        t = d->triangle[t].across[side];
        const struct tw_triangle *at = &d->triangle[t];
        int k = side_towards(at, from), left = after[k], right = after[k + 1];
        if (!owns(b, at->corner[k], at->corner[left], at->corner[right]))
            return -1;
        bool beyond_left = turn(d, at->corner[right], at->corner[k], p) < 0;
        bool beyond_right = turn(d, at->corner[k], at->corner[left], p) < 0;
        side = beyond_left ? left : right;
        side = (beyond_left | beyond_right) ? side : -1;
    }
    return t;
}

static bool coincides(const struct tw_delaunay *d, int32_t t, int32_t p)
{
    bool same = false;
    for (int k = 0; k < 3; k++) {
        const int32_t *q = d->point[d->triangle[t].corner[k]];
        same = same || (q[0] == d->point[p][0] && q[1] == d->point[p][1]);
    }
    return same;
}

static struct tw_hole_side side_of(const struct tw_delaunay *d, int32_t t, int k)
{
    const struct tw_triangle *at = &d->triangle[t];
    int32_t outside = at->across[k];
    int back = outside < 0 ? 0 : side_towards(&d->triangle[outside], t);
    return (struct tw_hole_side){at->corner[after[k]], outside, back};
}

/* Whether the triangle beyond a side of the hole, which has this apex, is part of it: the sign of
 * the determinant of the lifted points, with p as the origin and minors below 2^58. */
static bool goes_on(const struct tw_delaunay *d, const struct seen *from, const struct seen *to,
                    int32_t apex, int32_t p)
{
    struct seen a = see(d, apex, d->point[p]);
    tw_wide sign = (tw_wide)from->lift * cross(&a, to) + (tw_wide)to->lift * cross(from, &a) -
                   (tw_wide)a.lift * cross(from, to);
    return sign > 0 || (sign == 0 && is_chosen(d, (int32_t[]){apex, to->point, from->point}, p));
}

/* Finds the triangles whose circles hold p, a connected patch around t, which holds it, and the
 * rim of the patch, side after side. All corners are on the rim, so no triangle is met twice.
 * Returns the number of triangles, which are in `dug`, two less than the sides; 0 when the hole is
 * not for the builder. */
static int32_t dig(const struct builder *b, int32_t t, int32_t p)
{
    const struct tw_delaunay *d = b->d;
    int32_t dug = 0, sides = 0, inner = 0, start = d->triangle[t].corner[1];
    struct seen from = see(d, start, d->point[p]);
    b->dug[dug++] = t;
    for (int k = 2; k >= 0; k--)
        b->inner[inner++] = side_of(d, t, k);
    while (inner > 0) {
        struct tw_hole_side side = b->inner[--inner];
        struct seen to = see(d, inner > 0 ? b->inner[inner - 1].from : start, d->point[p]);
        int32_t apex = side.outside < 0 ? -1 : d->triangle[side.outside].corner[side.back];
        if (apex >= 0 && (dug + 3 > b->capacity || !owns(b, apex, from.point, to.point)))
            return 0;
        if (apex >= 0 && goes_on(d, &from, &to, apex, p)) {
            b->dug[dug++] = side.outside;
            b->inner[inner++] = side_of(d, side.outside, after[side.back + 1]);
            b->inner[inner++] = side_of(d, side.outside, after[side.back]);
        } else {
            b->rim[sides++] = side;
            from = to;
        }
    }
    return dug;
}

/* Fills the hole with a fan around p: two triangles more than it had, p's own. */
static void fill(const struct builder *b, int32_t p, int32_t dug)
{
    struct tw_delaunay *d = b->d;
    int32_t sides = dug + 2, first = b->dug[0], left = 3 + 2 * p, t = first;
    for (int32_t i = 0; i < sides; i++) {
        const struct tw_hole_side *side = &b->rim[i];
        bool is_last = i + 1 == sides;
        int32_t right = is_last ? first : i + 1 < dug ? b->dug[i + 1] : 2 + 2 * p + (i + 1 - dug);
        int32_t to = is_last ? b->rim[0].from : b->rim[i + 1].from;
        d->triangle[t] = (struct tw_triangle){{p, side->from, to}, {side->outside, right, left}};
        if (side->from < d->points)
            d->at[side->from] = t;
        if (side->outside >= 0)
            d->triangle[side->outside].across[side->back] = t;
        left = t;
        t = right;
    }
    d->at[p] = first;
}

/* A triangle at a point that is there already, the nearest before p in the list of all; -1 when it
 * is not the builder's. */
static int32_t triangle_near(const struct builder *b, int32_t p)
{
    const struct tw_delaunay *d = b->d;
    while (p >= 0 && in_band(b, p) && d->at[p] < 0)
        p--;
    if (p < 0)
        return b->is_whole ? 0 : -1;
    if (!in_band(b, p))
        return -1;
    const struct tw_triangle *t = &d->triangle[d->at[p]];
    int k = tw_triangle_corner(t, p);
    int32_t one = t->corner[after[k]], two = t->corner[after[k + 1]];
    return owns(b, one, p, two) && owns(b, two, p, one) ? d->at[p] : -1;
}

/* False when p is not for this builder. */
static bool add(struct builder *b, int32_t p)
{
    int32_t start = in_band(b, p) ? triangle_near(b, p) : -1;
    int32_t t = start < 0 ? -1 : locate(b, start, p), dug;
    if (t < 0)
        return false;
    if (coincides(b->d, t, p)) {
        b->twin = p;
        return true;
    }
    dug = dig(b, t, p);
    if (dug > 0)
        fill(b, p, dug);
    return dug > 0;
}

/* Adds points of a list and keeps those that it cannot add, at its front. Returns their number.
 * Stops anywhere when the task is cancelled. */
static int32_t add_list(struct builder *b, int32_t *list, int32_t count)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < count && b->twin < 0; i++) {
        if (i % LOOK_EVERY == 0 && tw_task_cancelled(b->task))
            break;
        if (!add(b, list[i]))
            list[kept++] = list[i];
    }
    return kept;
}

struct bands {
    const struct tw_task *task;
    struct tw_delaunay *d;
    int32_t *list;
    int32_t begin[BANDS + 2], kept[BANDS + 1], twin[BANDS + 1];
    int64_t limit[BANDS + 2]; /* band i: limit[i] <= y < limit[i + 1] */
};

static void add_band(void *context, int32_t first, int32_t end)
{
    struct bands *w = context;
    for (int32_t i = first; i < end; i++) {
        int32_t dug[BAND_SIDES];
        struct tw_hole_side rim[BAND_SIDES], inner[BAND_SIDES];
        struct builder b = {.task = w->task,
                            .d = w->d,
                            .low = w->limit[i],
                            .high = w->limit[i + 1],
                            .dug = dug,
                            .rim = rim,
                            .inner = inner,
                            .capacity = BAND_SIDES,
                            .twin = -1};
        w->kept[i] = add_list(&b, w->list + w->begin[i], w->begin[i + 1] - w->begin[i]);
        w->twin[i] = b.twin;
    }
}

/* Divides a list that is about sorted by y where the limits say. */
static void divide(struct bands *w, int32_t bands, int32_t count)
{
    int32_t at = 0;
    for (int32_t i = 0; i < bands; i++) {
        w->begin[i] = at;
        while (at < count && (i + 1 == bands || w->d->point[w->list[at]][1] < w->limit[i + 1]))
            at++;
    }
    w->begin[bands] = count;
}

/* Adds the points of a list that lie well inside the bands, on all workers, unless there are twins.
 * Moves the others to its front, in their order. Returns their number, and the lowest band's twins.
 */
static int32_t add_bands(struct tw_task *task, struct bands *w, int32_t bands, int32_t count,
                         int32_t *twin)
{
    int32_t left = 0;
    if (*twin >= 0)
        return count;
    divide(w, bands, count);
    tw_rows(task, bands, 1, add_band, w);
    for (int32_t i = 0; i < bands; i++) {
        *twin = *twin < 0 ? w->twin[i] : *twin;
        memmove(w->list + left, w->list + w->begin[i], (size_t)w->kept[i] * sizeof *w->list);
        left += w->kept[i];
    }
    return left;
}

/* Limits between bands of about as many points of a sorted list; with a shift of 1 they begin half
 * a band lower, and there is one more. Limits rise even where the list does not. Returns the
 * number. */
static int32_t set_limits(struct bands *w, int32_t bands, int32_t count, int32_t shift)
{
    w->limit[0] = INT64_MIN;
    for (int32_t i = 1; i < bands + shift; i++) {
        int64_t part = 2 * i - shift, y = w->d->point[w->list[count * part / (2 * bands)]][1];
        w->limit[i] = y > w->limit[i - 1] ? y : w->limit[i - 1];
    }
    w->limit[bands + shift] = INT64_MAX;
    return bands + shift;
}

static int32_t bands_for(int32_t points)
{
    int32_t spacings = (int32_t)sqrt((double)points);
    int32_t few = spacings / BAND_SPACINGS, many = spacings / MANY_BAND_SPACINGS;
    few = few < FEW_BANDS ? few : FEW_BANDS;
    many = many < BANDS ? many : BANDS;
    return many > few ? many : few;
}

/* Adds a round: in bands, then what lay near their ends in bands around these, then what is left.
 * `before` points are there already. */
static int32_t add_round(struct tw_task *task, struct tw_delaunay *d, int32_t *list, int32_t count,
                         int32_t before)
{
    struct bands straight = {.task = task, .d = d, .list = list}, shifted = straight;
    int32_t bands = bands_for(before), twin = -1;
    if (bands > 1 && count > 0) {
        int32_t more = set_limits(&shifted, bands, count, 1);
        set_limits(&straight, bands, count, 0);
        count = add_bands(task, &straight, bands, count, &twin);
        count = add_bands(task, &shifted, more, count, &twin);
    }
    struct builder whole = {.task = task,
                            .d = d,
                            .is_whole = true,
                            .low = INT64_MIN,
                            .high = INT64_MAX,
                            .dug = d->dug,
                            .rim = d->rim,
                            .inner = d->inner,
                            .capacity = 2 * (d->capacity + 4),
                            .twin = twin};
    add_list(&whole, list, count);
    return whole.twin;
}

/* The round of a point, counted from the last one, each with three quarters of what the later ones
 * leave: as by chance, but the same always. */
static int32_t level_of(int32_t p, int32_t highest)
{
    uint32_t hash = (uint32_t)p * 0x9E3779B1u;
    hash = (hash ^ hash >> 15) * 0x85EBCA77u;
    return __builtin_ctz((hash ^ hash >> 13) | 1u << 2 * highest) / 2;
}

/* Points by round, each in their order; begin[r] is where round r begins. Returns the rounds. */
static int32_t order_rounds(struct tw_delaunay *d, int32_t *begin)
{
    int32_t highest = 0, next[LEVELS] = {0};
    while (highest + 1 < LEVELS && d->points >> 2 * (highest + 1) >= FIRST_ROUND)
        highest++;
    for (int32_t p = 0; p < d->points; p++)
        next[highest - level_of(p, highest)]++;
    begin[0] = 0;
    for (int32_t r = 0; r <= highest; r++) {
        begin[r + 1] = begin[r] + next[r];
        next[r] = begin[r];
    }
    for (int32_t p = 0; p < d->points; p++)
        d->order[next[highest - level_of(p, highest)]++] = p;
    return highest + 1;
}

/* Rounds that grow, each in the order of the points (Amenta, Choi, Rote 2003): short searches,
 * small holes. */
int32_t tw_delaunay_build(struct tw_task *task, struct tw_delaunay *d)
{
    int32_t begin[LEVELS + 1], rounds = order_rounds(d, begin), twin = -1;
    start_with_frame(d);
    for (int32_t r = 0; r < rounds && twin < 0 && !tw_task_cancelled(task); r++)
        twin = add_round(task, d, d->order + begin[r], begin[r + 1] - begin[r], begin[r]);
    return twin;
}
