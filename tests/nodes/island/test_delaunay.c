/* SPDX-License-Identifier: MIT */
/* Triangulations of points anywhere: every side is shared, every triangle turns the same way, and
 * no circle holds the neighbours' points, which makes them Delaunay's (1934). */
#include "island/kernels/delaunay.h"
#include "support/probe.h"

#include <thalweg/kernel.h>

#include <stdlib.h>
#include <string.h>

/* MANY are enough for bands. */
enum { MOST = 600, MANY = 6000, SIDE = 1 << 12 };
enum kind { INSIDE, AROUND, BORDER, GRID, LINE, RING, KINDS };
enum order { AS_DRAWN, BACKWARDS, IN_ROWS, ORDERS };

static struct {
    enum kind kind;
    int32_t count;
    enum order order;
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
        x = (int32_t)(i % 78) * 52;
        y = (int32_t)(i / 78) * 52;
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

static int compare_rows(const void *a, const void *b)
{
    const int32_t *u = a, *v = b;
    int32_t rows = u[1] / 64 - v[1] / 64;
    return rows != 0 ? rows : u[0] != v[0] ? u[0] - v[0] : u[1] - v[1];
}

static void arrange(struct tw_delaunay *d)
{
    for (int32_t i = 0; given.order == BACKWARDS && i < d->points / 2; i++) {
        int32_t *a = d->point[i], *b = d->point[d->points - 1 - i], kept[2] = {a[0], a[1]};
        memcpy(a, b, sizeof kept);
        memcpy(b, kept, sizeof kept);
    }
    if (given.order == IN_ROWS)
        qsort(d->point, (size_t)d->points, sizeof *d->point, compare_rows);
}

static enum tw_status triangulate(struct tw_task *task)
{
    struct tw_delaunay d;
    bool used[MANY + 4] = {false};
    probe_require(tw_delaunay_lay_out(&(struct tw_scratch){.task = task}, &d, MANY, SIDE));
    draw_points(&d);
    arrange(&d);
    probe_require(tw_delaunay_build(task, &d) == -1);
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
    for (int32_t i = 0; i < d.points; i++) {
        const int32_t *corner = d.triangle[d.at[i]].corner;
        probe_require(corner[0] == i || corner[1] == i || corner[2] == i);
    }
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
    given.order = IN_ROWS;
    for (int kind = 0; kind <= GRID; kind++) {
        given.kind = (enum kind)kind;
        given.count = MANY;
        probe_run(triangulate, 4, 4, 3);
    }
    given.order = AS_DRAWN;
}

/* A triangle by its places, whatever its points and corners are numbered. */
struct places {
    int32_t at[3][2];
};

static int compare_places(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(struct places));
}

static struct places places_of(const struct tw_delaunay *d, int32_t t)
{
    struct places places;
    int first = 0;
    for (int k = 1; k < 3; k++)
        first = memcmp(d->point[d->triangle[t].corner[k]], d->point[d->triangle[t].corner[first]],
                       sizeof *d->point) < 0
                    ? k
                    : first;
    for (int k = 0; k < 3; k++)
        memcpy(places.at[k], d->point[d->triangle[t].corner[(first + k) % 3]], sizeof *d->point);
    return places;
}

static struct {
    struct places at[2 * MANY + 2];
    int32_t count;
} found[2];

static enum tw_status list_triangles(struct tw_task *task)
{
    struct tw_delaunay d;
    int into = given.order == AS_DRAWN ? 0 : 1;
    probe_require(tw_delaunay_lay_out(&(struct tw_scratch){.task = task}, &d, MANY, SIDE));
    draw_points(&d);
    arrange(&d);
    probe_require(tw_delaunay_build(task, &d) == -1);
    found[into].count = d.triangles;
    for (int32_t t = 0; t < d.triangles; t++)
        found[into].at[t] = places_of(&d, t);
    qsort(found[into].at, (size_t)d.triangles, sizeof *found[into].at, compare_places);
    return TW_OK;
}

/* Also where four points lie on a circle, as those of a grid do, and whether bands of points are
 * added side by side, as they are in rows, or one point after the other. */
static void any_order_gives_the_same_triangles(void **state)
{
    static const enum kind kinds[] = {INSIDE, GRID, RING, BORDER};
    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        given.kind = kinds[i];
        given.count = given.kind == INSIDE || given.kind == GRID ? MANY : MOST;
        for (given.order = AS_DRAWN; given.order < ORDERS; given.order++) {
            probe_run(list_triangles, 4, 4, given.order == IN_ROWS ? 3 : 1);
            if (given.order == AS_DRAWN)
                continue;
            assert_int_equal(found[0].count, found[1].count);
            assert_memory_equal(found[0].at, found[1].at,
                                (size_t)found[0].count * sizeof *found[0].at);
        }
    }
    given.order = AS_DRAWN;
}

static enum tw_status find_twins(struct tw_task *task)
{
    struct tw_delaunay d;
    probe_require(tw_delaunay_lay_out(&(struct tw_scratch){.task = task}, &d, MANY, SIDE));
    given.kind = INSIDE;
    draw_points(&d);
    arrange(&d);
    for (int32_t twin = 1; twin < d.points; twin += d.points / 8) {
        int32_t kept[2] = {d.point[twin][0], d.point[twin][1]};
        memcpy(d.point[twin], d.point[twin / 2], sizeof kept);
        int32_t one = tw_delaunay_build(task, &d);
        probe_require(one == twin || one == twin / 2);
        memcpy(d.point[twin], d.point[twin - 1], sizeof kept); /* in the same band */
        one = tw_delaunay_build(task, &d);
        probe_require(one == twin || one == twin - 1);
        memcpy(d.point[twin], kept, sizeof kept);
    }
    probe_require(tw_delaunay_build(task, &d) == -1);
    return TW_OK;
}

static void points_that_coincide_are_found(void **state)
{
    (void)state;
    given.count = 300;
    probe_run(find_twins, 4, 4, 1);
    given.count = MANY;
    given.order = IN_ROWS;
    probe_run(find_twins, 4, 4, 3);
    given.order = AS_DRAWN;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(any_points_are_triangulated),
                                       cmocka_unit_test(any_order_gives_the_same_triangles),
                                       cmocka_unit_test(points_that_coincide_are_found)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
