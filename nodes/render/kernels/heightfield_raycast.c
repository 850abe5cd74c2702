/* SPDX-License-Identifier: MIT */
/* Rays skip what lies below them as a whole: Tevs, Ihrke and Seidel 2008, "Maximum mipmaps for
 * fast, accurate, and scalable dynamic height field rendering". Within a square of four cells the
 * surface is bilinear; we look for a change of sign between the square's borders and take the zero
 * of the parabola between them. */
#include "render/kernels/heightfield_raycast.h"

#include <thalweg/kernel.h>

struct level {
    const float *from;
    float *to;
    int32_t from_across, from_down, across;
    bool base; /* `from` is the map itself: squares overlap by one cell */
};

static void build_rows(void *context, int32_t begin, int32_t end)
{
    const struct level *l = context;
    int32_t step = l->base ? 1 : 2;
    for (int32_t y = begin; y < end; y++) {
        int32_t next = y * step + 1 < l->from_down ? y * step + 1 : y * step;
        const float *upper = l->from + (size_t)(y * step) * (size_t)l->from_across;
        const float *lower = l->from + (size_t)next * (size_t)l->from_across;
        for (int32_t x = 0; x < l->across; x++) {
            int32_t left = x * step, right = left + 1 < l->from_across ? left + 1 : left;
            l->to[(size_t)y * (size_t)l->across + (size_t)x] =
                tw_max(tw_max(upper[left], upper[right]), tw_max(lower[left], lower[right]));
        }
    }
}

enum tw_status tw_pyramid_build(struct tw_task *task, const float *cells, int32_t width,
                                int32_t height, struct tw_pyramid *pyramid)
{
    struct tw_pyramid p = {.cells = cells, .width = width, .height = height};
    struct level level = {p.cells, NULL, p.width, p.height, p.width - 1, true};
    for (int32_t across = p.width - 1, down = p.height - 1;;
         across = (across + 1) / 2, down = (down + 1) / 2) {
        level.to = tw_task_scratch(task, (size_t)across * (size_t)down, sizeof(float));
        if (!level.to)
            return tw_task_no_memory(task);
        level.across = across;
        tw_rows(task, down, 64, build_rows, &level);
        p.at[p.levels] = level.to;
        p.across[p.levels] = across;
        p.down[p.levels++] = down;
        level = (struct level){level.to, NULL, across, down, 0, false};
        if (across == 1 && down == 1)
            break;
    }
    *pyramid = p;
    return TW_OK;
}

double tw_pyramid_height(const struct tw_pyramid *p, double x, double y)
{
    x = !(x > 0) ? 0 : x > p->width - 1 ? p->width - 1 : x; /* 0 where it is no number */
    y = !(y > 0) ? 0 : y > p->height - 1 ? p->height - 1 : y;
    int32_t left = (int32_t)x, top = (int32_t)y;
    left = left < p->width - 2 ? left : p->width - 2;
    top = top < p->height - 2 ? top : p->height - 2;
    const float *upper = p->cells + (size_t)top * (size_t)p->width + left;
    const float *lower = upper + p->width;
    double fx = x - left, fy = y - top;
    double above = (double)upper[0] * (1 - fx) + (double)upper[1] * fx;
    double below = (double)lower[0] * (1 - fx) + (double)lower[1] * fx;
    return (above * (1 - fy) + below * fy);
}

static double place(const struct tw_ray *ray, int axis, double t)
{
    return ray->from[axis] + t * ray->along[axis];
}

/* How far the ray is above the surface. */
static double clearance(const struct tw_pyramid *p, const struct tw_ray *ray, double t)
{
    return place(ray, 2, t) - tw_pyramid_height(p, place(ray, 0, t), place(ray, 1, t));
}

/* Narrows begin..end to the part where from + t along is within low..high on an axis. */
static void clip(double from, double along, double low, double high, double *begin, double *end)
{
    if (along == 0) {
        *end = from < low || from > high ? -1 : *end;
        return;
    }
    double a = (low - from) / along, b = (high - from) / along;
    double first = a < b ? a : b, last = a < b ? b : a;
    *begin = first > *begin ? first : *begin;
    *end = last < *end ? last : *end;
}

/* Where the ray leaves the level's cell; `outward` when that is on the border of the cell around,
 * too. */
static double leave(const struct tw_ray *ray, int level, int32_t column, int32_t row, bool *outward)
{
    double size = (double)((int64_t)1 << level), out[2] = {1e30, 1e30};
    const int32_t border[2] = {column + (ray->along[0] > 0), row + (ray->along[1] > 0)};
    for (int axis = 0; axis < 2; axis++)
        if (ray->along[axis] != 0)
            out[axis] = ((double)border[axis] * size - ray->from[axis]) / ray->along[axis];
    int first = out[0] <= out[1] ? 0 : 1;
    *outward = border[first] % 2 == 0;
    return out[first];
}

/* Where the ray meets the surface between t, above it, and out, below it. */
static double meet(const struct tw_pyramid *p, const struct tw_ray *ray, double t, double out)
{
    double above = clearance(p, ray, t), middle = clearance(p, ray, 0.5 * (t + out));
    return t + (out - t) * tw_ray_crossing(above, middle, clearance(p, ray, out));
}

static void set_hit(const struct tw_ray *ray, double t, bool wall, struct tw_hit *hit)
{
    hit->wall = wall;
    hit->t = t;
    for (int axis = 0; axis < 3; axis++)
        hit->at[axis] = place(ray, axis, t);
}

/* Walks from square to square, up a level where the ray leaves the square around, down a level into
 * each square that may reach up to it. */
static bool walk(const struct tw_pyramid *p, const struct tw_ray *ray, double t, double end,
                 struct tw_hit *hit)
{
    int level = p->levels - 1;
    while (t < end) {
        int32_t column = (int32_t)place(ray, 0, t) >> level,
                row = (int32_t)place(ray, 1, t) >> level;
        column = tw_clamp_index(column, p->across[level]);
        row = tw_clamp_index(row, p->down[level]);
        bool outward;
        double out = leave(ray, level, column, row, &outward);
        out = out < end ? out : end;
        out = out > t ? out : t;
        double lowest = place(ray, 2, ray->along[2] < 0 ? out : t);
        double top = (double)p->at[level][(size_t)row * (size_t)p->across[level] + (size_t)column];
        bool near = lowest <= top;
        if (near && level > 0) {
            level--;
            continue;
        }
        double after = near ? clearance(p, ray, out) : 1;
        if (after < 0) {
            set_hit(ray, meet(p, ray, t, out), false, hit);
            return true;
        }
        t = tw_ray_past(out);
        level += outward && level < p->levels - 1;
    }
    return false;
}

bool tw_raycast(const struct tw_pyramid *p, double bottom, const struct tw_ray *ray,
                struct tw_hit *hit)
{
    double begin = 0, end = 1e30;
    clip(ray->from[0], ray->along[0], 0, p->width - 1, &begin, &end);
    clip(ray->from[1], ray->along[1], 0, p->height - 1, &begin, &end);
    clip(ray->from[2], ray->along[2], bottom, 1e30, &begin, &end);
    if (begin >= end)
        return false;
    if (clearance(p, ray, begin) < 0) {
        set_hit(ray, begin, true, hit);
        return true;
    }
    return walk(p, ray, begin, end, hit);
}

void tw_pyramid_forecast(struct tw_forecast *f, int32_t width, int32_t height)
{
    uint64_t across = (uint64_t)width - 1, down = (uint64_t)height - 1;
    for (; across > 0 && down > 0; across = (across + 1) / 2, down = (down + 1) / 2) {
        tw_forecast_scratch(f, across * down, sizeof(float));
        if (across == 1 && down == 1)
            break;
    }
}
