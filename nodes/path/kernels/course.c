/* SPDX-License-Identifier: MIT */
#include "path/kernels/course.h"

#include <thalweg/kernel.h>

/* Few courses grow beyond what is expected; those that would go further stay as they are. */
enum { SPARE_FACTOR = 8 };

bool tw_course_lay_out(struct tw_scratch *s, int64_t expected, struct tw_course *course)
{
    const uint64_t likely = (uint64_t)expected;
    const uint64_t most = likely < INT32_MAX / SPARE_FACTOR ? likely * SPARE_FACTOR : INT32_MAX;
    course->capacity = (int32_t)most;
    course->at = tw_scratch_reserve(s, most, sizeof *course->at, likely);
    course->spare = tw_scratch_reserve(s, most, sizeof *course->spare, likely);
    course->along = tw_scratch_reserve(s, most, sizeof *course->along, likely);
    course->bend = tw_scratch_reserve(s, most, sizeof *course->bend, likely);
    course->move = tw_scratch_reserve(s, most, sizeof *course->move, likely);
    return tw_scratch_is_laid(s);
}

void tw_course_read(struct tw_course *course, const struct tw_line_point *points, int32_t count,
                    double width, double height)
{
    course->count = 0;
    for (int32_t i = 0; i < count; i++) {
        const struct tw_line_point *p = &points[i];
        if (i && p->x == points[i - 1].x && p->y == points[i - 1].y)
            continue;
        course->at[course->count++] = (struct tw_course_point){.x = (double)p->x * width,
                                                               .y = (double)p->y * height,
                                                               .z = (double)p->z,
                                                               .width = (double)p->width * width,
                                                               .depth = (double)p->depth,
                                                               .flow = (double)p->flow};
    }
}

double tw_course_measure(struct tw_course *course)
{
    double length = 0;
    for (int32_t i = 0; i < course->count; i++) {
        if (i) {
            double dx = course->at[i].x - course->at[i - 1].x;
            double dy = course->at[i].y - course->at[i - 1].y;
            length += sqrt(dx * dx + dy * dy);
        }
        course->along[i] = length;
    }
    return length;
}

double tw_course_median_width(struct tw_course *course)
{
    double *sorted = course->bend;
    const int32_t count = course->count;
    for (int32_t i = 0; i < count; i++)
        sorted[i] = course->at[i].width;
    for (int32_t gap = count / 2; gap > 0; gap /= 2) /* Shell's sort */
        for (int32_t i = gap; i < count; i++) {
            double here = sorted[i];
            int32_t k = i;
            for (; k >= gap && sorted[k - gap] > here; k -= gap)
                sorted[k] = sorted[k - gap];
            sorted[k] = here;
        }
    return sorted[count / 2];
}

/* Catmull and Rom's cubic between b and c, whose points lie about evenly. */
static double cubic(double a, double b, double c, double d, double t)
{
    double m = 0.5 * (c - a), n = 0.5 * (d - b), step = c - b;
    return b + t * (m + t * (3 * step - 2 * m - n + t * (m + n - 2 * step)));
}

static double linear(double a, double b, double t) { return a + (b - a) * t; }

/* The point at a share t of the way from point i to the next. */
static struct tw_course_point between(const struct tw_course *course, int32_t i, double t)
{
    const struct tw_course_point *b = course->at + i, *c = b + 1;
    const bool first = i == 0, last = i + 2 == course->count; /* beyond the ends it goes straight */
    const double ax = first ? 2 * b->x - c->x : b[-1].x, dx = last ? 2 * c->x - b->x : c[1].x;
    const double ay = first ? 2 * b->y - c->y : b[-1].y, dy = last ? 2 * c->y - b->y : c[1].y;
    return (struct tw_course_point){.x = cubic(ax, b->x, c->x, dx, t),
                                    .y = cubic(ay, b->y, c->y, dy, t),
                                    .z = linear(b->z, c->z, t),
                                    .width = linear(b->width, c->width, t),
                                    .depth = linear(b->depth, c->depth, t),
                                    .flow = linear(b->flow, c->flow, t)};
}

bool tw_course_resample(struct tw_course *course, double step)
{
    const double length = tw_course_measure(course), wanted = length / step + 0.5;
    const int32_t last = course->count - 1;
    if (course->count < 2 || wanted >= (double)course->capacity - 1)
        return course->count < 2;
    const int32_t steps = wanted < 2 ? 2 : (int32_t)wanted;
    int32_t from = 0;
    course->spare[0] = course->at[0];
    for (int32_t i = 1; i < steps; i++) {
        double way = length * ((double)i / (double)steps);
        while (from + 1 < last && course->along[from + 1] <= way)
            from++;
        double span = course->along[from + 1] - course->along[from];
        double t = span > 0 ? (way - course->along[from]) / span : 0;
        course->spare[i] = between(course, from, t < 0 ? 0 : t > 1 ? 1 : t);
    }
    course->spare[steps] = course->at[last];
    struct tw_course_point *swap = course->at;
    course->at = course->spare;
    course->spare = swap;
    course->count = steps + 1;
    return true;
}
