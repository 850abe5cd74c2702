/* SPDX-License-Identifier: MIT */
#include "path/kernels/necks.h"

#include <thalweg/kernel.h>

enum { SPARE_FACTOR = 8 };
static const double NECK_WIDTHS = 1.2, LOOP_WIDTHS = 5;

bool tw_oxbows_lay_out(struct tw_scratch *s, int64_t expected, struct tw_oxbows *oxbows)
{
    const uint64_t likely = (uint64_t)expected;
    const uint64_t most = likely < INT32_MAX / SPARE_FACTOR ? likely * SPARE_FACTOR : INT32_MAX;
    oxbows->capacity = (int32_t)most;
    oxbows->at = tw_scratch_reserve(s, most, sizeof *oxbows->at, likely);
    return tw_scratch_is_laid(s);
}

struct tw_line_point tw_course_point_of_line(const struct tw_course_point *p, int32_t line,
                                             double width, double height)
{
    return (struct tw_line_point){.line = line,
                                  .x = (float)(p->x / width),
                                  .y = (float)(p->y / height),
                                  .z = (float)p->z,
                                  .width = (float)(p->width / width),
                                  .depth = (float)p->depth,
                                  .flow = (float)p->flow};
}

static double longest_step(const struct tw_course *course)
{
    double longest = 0;
    for (int32_t i = 1; i < course->count; i++) {
        double step = course->along[i] - course->along[i - 1];
        longest = step > longest ? step : longest;
    }
    return longest;
}

/* The last point that makes a neck with point i; -1 without one. Points in a row are no further
 * apart than the longest step, so that most need no look. */
static int32_t neck_of(const struct tw_course *course, int32_t i, double longest)
{
    const struct tw_course_point *p = &course->at[i];
    const double near = NECK_WIDTHS * p->width, far = LOOP_WIDTHS * p->width;
    for (int32_t k = course->count - 1; k > i && course->along[k] - course->along[i] > far;) {
        double dx = course->at[k].x - p->x, dy = course->at[k].y - p->y;
        double over = sqrt(dx * dx + dy * dy) - near;
        if (over < 0)
            return k;
        double skip = over / longest;
        k -= skip < 1 ? 1 : skip < course->count ? (int32_t)skip : course->count;
    }
    return -1;
}

static void keep_loop(struct tw_oxbows *oxbows, const struct tw_course_point *from, int32_t count)
{
    if (count > oxbows->capacity - oxbows->count)
        return;
    for (int32_t i = 0; i < count; i++)
        oxbows->at[oxbows->count++] =
            tw_course_point_of_line(from + i, oxbows->lines, oxbows->width, oxbows->height);
    oxbows->lines++;
}

int32_t tw_necks_cut(struct tw_course *course, struct tw_oxbows *oxbows)
{
    int32_t kept = 0, loops = 0;
    tw_course_measure(course);
    const double longest = longest_step(course);
    for (int32_t i = 0; i < course->count; i++) {
        course->spare[kept++] = course->at[i];
        int32_t to = neck_of(course, i, longest);
        if (to < 0)
            continue;
        keep_loop(oxbows, course->at + i, to - i + 1);
        loops++;
        i = to - 1;
    }
    if (loops == 0)
        return 0;
    memcpy(course->at, course->spare, (size_t)kept * sizeof *course->at);
    course->count = kept;
    return loops;
}
