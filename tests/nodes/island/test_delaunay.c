/* SPDX-License-Identifier: MIT */
/* Triangulations of points anywhere: every side is shared, every triangle turns the same way, and
 * no circle holds the neighbours' points, which makes them Delaunay's (1934). */
#include "island/kernels/delaunay.h"
#include "support/probe.h"

#include <thalweg/kernel.h>

enum { MOST = 600, SIDE = 1 << 12 };
enum kind { INSIDE, AROUND, BORDER, GRID, LINE, RING, KINDS };

static struct {
    enum kind kind;
    int32_t count;
} given;

static int32_t below(uint32_t number, int word, int32_t end)
{
    return (int32_t)(tw_random(17, (uint32_t)given.kind, number, 0, 0).at[word] % (uint32_t)end);
}

static void draw(uint32_t i, int32_t *at)
{
    int32_t x = below(i, 0, SIDE + 1), y = below(i, 1, SIDE + 1);
    switch (given.kind) {
    case AROUND: /* as far as points may lie */
        x = below(i, 0, 3 * SIDE + 1) - SIDE;
        y = below(i, 1, 3 * SIDE + 1) - SIDE;
        break;
    case BORDER:
        *(i % 2 ? &x : &y) = i % 4 < 2 ? 0 : SIDE;
        break;
    case GRID:
        x = (int32_t)(i % 24) * 170;
        y = (int32_t)(i / 24) * 170;
        break;
    case LINE:
        y = x;
        break;
    case RING: /* all 65 from its middle */
        x = (int32_t[]){63, 16, 33, 56, 25, 60, 39, 52}[i % 8] * (i % 16 < 8 ? 1 : -1) + 100;
        y = (int32_t[]){16, 63, 56, 33, 60, 25, 52, 39}[i % 8] * (i % 32 < 16 ? 1 : -1) + 100;
        break;
    default:
        break;
    }
    at[0] = x;
    at[1] = y;
}

static bool is_same(const struct tw_delaunay *d, int32_t a, int32_t b)
{
    return d->point[a][0] == d->point[b][0] && d->point[a][1] == d->point[b][1];
}

/* Without those that coincide with an earlier one. */
static void draw_points(struct tw_delaunay *d)
{
    for (int32_t i = 0; i < given.count; i++) {
        bool is_new = true;
        draw((uint32_t)i, d->point[d->points]);
        for (int32_t k = 0; k < d->points; k++)
            is_new &= !is_same(d, k, d->points);
        d->points += is_new;
    }
}

static tw_wide cross(const int32_t *o, const int32_t *a, const int32_t *b)
{
    return (tw_wide)(a[0] - o[0]) * (b[1] - o[1]) - (tw_wide)(a[1] - o[1]) * (b[0] - o[0]);
}

static tw_wide square(const int32_t *o, const int32_t *a)
{
    return (tw_wide)(a[0] - o[0]) * (a[0] - o[0]) + (tw_wide)(a[1] - o[1]) * (a[1] - o[1]);
}

/* Positive inside of the circle through a, b and c. */
static tw_wide in_circle(const int32_t *a, const int32_t *b, const int32_t *c, const int32_t *p)
{
    return square(p, a) * cross(p, b, c) + square(p, b) * cross(p, c, a) +
           square(p, c) * cross(p, a, b);
}

static enum tw_status check_triangle(struct tw_task *task, const struct tw_delaunay *d, int32_t t)
{
    const struct tw_triangle *at = &d->triangle[t];
    const int32_t *p[3];
    for (int k = 0; k < 3; k++) {
        probe_require(at->corner[k] >= 0 && at->corner[k] < d->points + 4);
        p[k] = d->point[at->corner[k]];
    }
    probe_require(cross(p[0], p[1], p[2]) > 0);
    for (int k = 0; k < 3; k++) {
        int32_t from = at->corner[(k + 1) % 3], to = at->corner[(k + 2) % 3], m = 0;
        if (at->across[k] < 0) {
            probe_require(from >= d->points && to >= d->points); /* the frame's border */
            continue;
        }
        const struct tw_triangle *next = &d->triangle[at->across[k]];
        while (m < 3 && next->across[m] != t)
            m++;
        probe_require(m < 3 && next->corner[(m + 1) % 3] == to &&
                      next->corner[(m + 2) % 3] == from);
        probe_require(in_circle(p[0], p[1], p[2], d->point[next->corner[m]]) <= 0);
    }
    return TW_OK;
}

static enum tw_status triangulate(struct tw_task *task)
{
    struct tw_delaunay d;
    bool used[MOST + 4] = {false};
    probe_require(tw_delaunay_reserve(task, &d, MOST, SIDE) == TW_OK);
    draw_points(&d);
    probe_require(tw_delaunay_build(&d) == -1);
    probe_require(d.triangles == 2 * d.points + 2);
    for (int32_t t = 0; t < d.triangles; t++) {
        enum tw_status status = check_triangle(task, &d, t);
        if (status != TW_OK)
            return status;
        for (int k = 0; k < 3; k++)
            used[d.triangle[t].corner[k]] = true;
    }
    for (int32_t i = 0; i < d.points + 4; i++)
        probe_require(used[i]);
    return TW_OK;
}

static void any_points_are_triangulated(void **state)
{
    static const int32_t counts[] = {1, 2, 3, 7, 63, 64, 65, 200, MOST};
    (void)state;
    for (int kind = 0; kind < KINDS; kind++)
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
            given.kind = (enum kind)kind;
            given.count = counts[i];
            probe_run(triangulate, 4, 4, 1);
        }
}

static enum tw_status find_twins(struct tw_task *task)
{
    struct tw_delaunay d;
    probe_require(tw_delaunay_reserve(task, &d, MOST, SIDE) == TW_OK);
    given.kind = INSIDE;
    given.count = 300;
    draw_points(&d);
    for (int32_t twin = 1; twin < d.points; twin += 37) {
        int32_t kept[2] = {d.point[twin][0], d.point[twin][1]};
        memcpy(d.point[twin], d.point[twin / 2], sizeof kept);
        int32_t found = tw_delaunay_build(&d);
        probe_require(found == twin || found == twin / 2);
        memcpy(d.point[twin], kept, sizeof kept);
    }
    probe_require(tw_delaunay_build(&d) == -1);
    return TW_OK;
}

static void points_that_coincide_are_found(void **state)
{
    (void)state;
    probe_run(find_twins, 4, 4, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(any_points_are_triangulated),
                                       cmocka_unit_test(points_that_coincide_are_found)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
