/* SPDX-License-Identifier: MIT */
#include "path/kernels/joins.h"

#include <thalweg/kernel.h>

static double square_of(double x, double y) { return x * x + y * y; }

/* Whether the last point of the line before `end` lies in the bed of an earlier line, as they were
 * given: within half a width and a cell. */
static bool joins_another(const struct tw_stems *stems, const struct tw_value *lines, int32_t first,
                          int32_t end)
{
    const struct tw_line_point *points = tw_line_points(lines), *mouth = points + end - 1;
    const double width = stems->width, height = stems->height;
    for (int32_t i = 0; i + 1 < first; i++) {
        const struct tw_line_point *a = points + i, *b = a + 1;
        if (a->line != b->line)
            continue;
        double x = ((double)mouth->x - (double)a->x) * width;
        double y = ((double)mouth->y - (double)a->y) * height;
        if (stems->wrap) {
            x -= width * tw_floor((float)(x / width + 0.5));
            y -= height * tw_floor((float)(y / height + 0.5));
        }
        double ux = ((double)b->x - (double)a->x) * width;
        double uy = ((double)b->y - (double)a->y) * height;
        double t = square_of(ux, uy) > 0 ? (x * ux + y * uy) / square_of(ux, uy) : 0;
        t = t < 0 ? 0 : t > 1 ? 1 : t;
        double reach = 0.5 * (double)a->width * width + 1;
        if (square_of(x - t * ux, y - t * uy) <= reach * reach)
            return true;
    }
    return false;
}

/* Ends the river after point i, at a place of an earlier one, and lifts it to its water. The way
 * there has points as near to each other as those of the river. */
static void end_at(struct tw_course *course, int32_t i, const struct tw_stem_place *place)
{
    const struct tw_course_point from = course->at[i];
    const double way = sqrt(square_of(place->dx, place->dy));
    const double mean = course->along[course->count - 1] / (course->count - 1);
    const double step = mean > 0.5 ? mean : 0.5;
    const double wanted = way / step + 1;
    const int32_t steps = wanted < course->capacity - i - 1 ? (int32_t)wanted : 1;
    course->count = i + 1;
    for (int32_t k = 1; k <= steps && way > 0 && course->count < course->capacity; k++) {
        struct tw_course_point *to = &course->at[course->count++];
        *to = from;
        to->x += place->dx * ((double)k / (double)steps);
        to->y += place->dy * ((double)k / (double)steps);
        to->z = k == steps ? place->z : from.z;
    }
    for (int32_t k = 0; k < course->count; k++)
        if (course->at[k].z < place->z)
            course->at[k].z = place->z;
}

void tw_stems_join(const struct tw_stems *stems, const struct tw_value *lines, int32_t first,
                   int32_t end, struct tw_course *course)
{
    const bool joins = joins_another(stems, lines, first, end);
    const double all = stems->width + stems->height;
    tw_course_measure(course);
    for (int32_t i = 0; i < course->count && stems->count > 0; i++) {
        const struct tw_course_point *p = &course->at[i];
        struct tw_stem_place place = tw_stems_nearest(stems, p->x, p->y, 0);
        bool last = i + 1 == course->count;
        if (place.gap >= 0) {
            if (last ? !joins : !tw_stems_cross(stems, p, p + 1))
                continue;
            place = tw_stems_nearest(stems, p->x, p->y, all);
        }
        if (place.gap < all)
            end_at(course, i, &place);
        return;
    }
}
