/* SPDX-License-Identifier: MIT */
#include "path/kernels/road_line.h"

#include <thalweg/sample.h>

#include <math.h>
#include <string.h>

/* ---- smoothing ---- */

static struct tw_vertex between(const struct tw_vertex *a, const struct tw_vertex *b, double share)
{
    return (struct tw_vertex){.x = a->x + share * (b->x - a->x), .y = a->y + share * (b->y - a->y)};
}

static bool is_forbidden(const struct tw_road_map *map, const struct tw_vertex *at)
{
    int32_t x = tw_clamp_index((int32_t)at->x, map->width);
    int32_t y = tw_clamp_index((int32_t)at->y, map->height);
    return map->forbid[(size_t)y * (size_t)map->width + (size_t)x] >= 0.5f;
}

/* In steps of an eighth of a cell. */
static bool is_free(const struct tw_road_map *map, const struct tw_vertex *a,
                    const struct tw_vertex *b)
{
    const int32_t parts = map->forbid ? (int32_t)(tw_vertex_distance(a, b) * 8) + 1 : 0;
    for (int32_t i = 1; i < parts; i++) {
        struct tw_vertex at = between(a, b, (double)i / parts);
        if (is_forbidden(map, &at))
            return false;
    }
    return true;
}

static int32_t cut_corners(const struct tw_road_map *map, const struct tw_vertex *way,
                           int32_t count, struct tw_vertex *out)
{
    int32_t made = 0;
    out[made++] = way[0];
    for (int32_t i = 1; i + 1 < count; i++) {
        struct tw_vertex q = between(way + i, way + i - 1, 0.25);
        struct tw_vertex r = between(way + i, way + i + 1, 0.25);
        out[made++] = q;
        if (way[i].keep || !is_free(map, &q, &r))
            out[made++] = way[i];
        out[made++] = r;
    }
    out[made++] = way[count - 1];
    return made;
}

int32_t tw_road_smooth(const struct tw_road_map *map, struct tw_vertex *way,
                       struct tw_vertex *spare, int32_t count)
{
    for (int k = 0; k < TW_ROAD_ROUNDS; k++) {
        count = cut_corners(map, way, count, spare);
        memcpy(way, spare, (size_t)count * sizeof *way);
    }
    return count;
}

/* ---- points ---- */

double tw_road_length(const struct tw_vertex *way, int32_t count)
{
    double length = 0;
    for (int32_t i = 1; i < count; i++)
        length += tw_vertex_distance(way + i - 1, way + i);
    return length;
}

void tw_road_resample(const struct tw_road_map *map, const struct tw_vertex *way, int32_t count,
                      struct tw_line_point *line, int32_t points)
{
    const double step = tw_road_length(way, count) / (points - 1);
    double passed = 0; /* length up to vertex k */
    for (int32_t i = 0, k = 0; i < points; i++) {
        double length = 0;
        while (k + 2 < count &&
               passed + (length = tw_vertex_distance(way + k, way + k + 1)) < i * step) {
            passed += length;
            k++;
        }
        length = tw_vertex_distance(way + k, way + k + 1);
        double share = length > 0 ? (i * step - passed) / length : 0;
        struct tw_vertex at =
            i + 1 == points ? way[count - 1] : between(way + k, way + k + 1, share);
        line[i].x = (float)(at.x / map->width);
        line[i].y = (float)(at.y / map->height);
    }
}

/* ---- heights ---- */

bool tw_road_profile_lay_out(struct tw_scratch *s, uint64_t points, struct tw_road_profile *p)
{
    double **const rows[] = {&p->ground, &p->rise, &p->upper, &p->lower};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        *rows[i] = tw_scratch_take(s, points, sizeof **rows[i]);
    return tw_scratch_is_laid(s);
}

/* Distance of two points of the result in cells. */
static double distance_of(const struct tw_road_map *map, const struct tw_line_point *a,
                          const struct tw_line_point *b)
{
    double dx = ((double)a->x - (double)b->x) * map->width;
    double dy = ((double)a->y - (double)b->y) * map->height;
    return sqrt(dx * dx + dy * dy);
}

/* Heights are rounded to floats, by which no rise may become too great. */
static void find_ground(const struct tw_road_map *map, double grade,
                        const struct tw_line_point *line, int32_t points, struct tw_road_profile *p)
{
    double greatest = 0;
    for (int32_t i = 0; i < points; i++) {
        p->ground[i] = (double)tw_sample(map->heights, map->width, map->height,
                                         line[i].x * (float)map->width - 0.5f,
                                         line[i].y * (float)map->height - 0.5f, false);
        greatest = fabs(p->ground[i]) > greatest ? fabs(p->ground[i]) : greatest;
    }
    p->rise[0] = 0;
    for (int32_t i = 1; i < points; i++) {
        p->rise[i] =
            distance_of(map, line + i - 1, line + i) * grade / map->slope - greatest * 0x1p-23;
        p->rise[i] = p->rise[i] > 0 ? p->rise[i] : 0;
    }
}

static double least(double a, double b) { return a < b ? a : b; }
static double most(double a, double b) { return a > b ? a : b; }

static void find_bounds(struct tw_road_profile *p, int32_t points)
{
    p->upper[0] = p->lower[0] = p->ground[0];
    for (int32_t i = 1; i < points; i++) {
        p->upper[i] = most(p->ground[i], p->upper[i - 1] - p->rise[i]);
        p->lower[i] = least(p->ground[i], p->lower[i - 1] + p->rise[i]);
    }
    for (int32_t i = points - 1; i > 0; i--) {
        p->upper[i - 1] = most(p->upper[i - 1], p->upper[i] - p->rise[i]);
        p->lower[i - 1] = least(p->lower[i - 1], p->lower[i] + p->rise[i]);
    }
}

/* Writes their mean, within what both ends can be reached from. */
static void write_heights(const struct tw_road_profile *p, double all, struct tw_line_point *line,
                          int32_t points)
{
    const double first = p->ground[0], last = p->ground[points - 1];
    double passed = 0;
    for (int32_t i = 0; i < points; i++) {
        passed += p->rise[i];
        double z = 0.5 * (p->upper[i] + p->lower[i]), left = most(all - passed, 0);
        z = most(least(z, least(first + passed, last + left)), most(first - passed, last - left));
        line[i].z = (float)(i + 1 == points ? last : z);
    }
}

static void measure(const struct tw_road_map *map, const struct tw_line_point *line, int32_t points,
                    struct tw_road_profile *p)
{
    p->grade = p->cut = p->fill = 0;
    for (int32_t i = 0; i < points; i++) {
        const double above = (double)line[i].z - p->ground[i];
        p->fill = most(p->fill, above);
        p->cut = most(p->cut, -above);
        const double way = i > 0 ? distance_of(map, line + i - 1, line + i) : 0;
        if (way > 0)
            p->grade =
                most(p->grade, fabs((double)line[i].z - (double)line[i - 1].z) * map->slope / way);
    }
}

bool tw_road_level(const struct tw_road_map *map, double grade, struct tw_line_point *line,
                   int32_t points, struct tw_road_profile *p)
{
    double all = 0;
    find_ground(map, grade, line, points, p);
    for (int32_t i = 0; i < points; i++)
        all += p->rise[i];
    if (fabs(p->ground[points - 1] - p->ground[0]) > all)
        return false;
    find_bounds(p, points);
    write_heights(p, all, line, points);
    measure(map, line, points, p);
    return true;
}
