/* SPDX-License-Identifier: MIT */
#include "study/statistics/front.h"

#include <stdlib.h>

static int order_of(double a, double b) { return (a > b) - (a < b); }

/* By falling x, then falling y, so that a point comes after all that are better than it. */
static int by_falling_x(const void *a, const void *b)
{
    const struct tw_front_point *p = a, *q = b;
    int order = order_of(q->x, p->x);
    order = order ? order : order_of(q->y, p->y);
    return order ? order : (p->at > q->at) - (p->at < q->at);
}

static int by_rising_x(const void *a, const void *b)
{
    const struct tw_front_point *p = a, *q = b;
    int order = order_of(p->x, q->x);
    return order ? order : (p->at > q->at) - (p->at < q->at);
}

int32_t tw_front_find(struct tw_front_point *points, int32_t count)
{
    int32_t found = 0;
    if (count > 0)
        qsort(points, (size_t)count, sizeof *points, by_falling_x);
    for (int32_t i = 0; i < count; i++) {
        const struct tw_front_point p = points[i];
        const struct tw_front_point *last = &points[found > 0 ? found - 1 : 0];
        if (found > 0 && !(p.y > last->y) && !(p.x == last->x && p.y == last->y))
            continue;
        points[i] = points[found];
        points[found++] = p;
    }
    if (found > 0)
        qsort(points, (size_t)found, sizeof *points, by_rising_x);
    return found;
}

int32_t tw_front_knee(const struct tw_front_point *front, int32_t count)
{
    double most = 1 + 1e-9; /* on the line the shares add up to 1, but for rounding */
    int32_t knee = -1;
    for (int32_t i = 1; i + 1 < count; i++) {
        double x = (front[i].x - front[0].x) / (front[count - 1].x - front[0].x);
        double y = (front[i].y - front[count - 1].y) / (front[0].y - front[count - 1].y);
        if (x + y > most) {
            most = x + y;
            knee = i;
        }
    }
    return knee;
}
