/* SPDX-License-Identifier: MIT */
/* The rays through a rectangle of the picture lie within a pyramid with its tip at the eye: between
 * two depths they are within the box around its eight corners. A box whose lowest height is above
 * all squares of the ground below it is free. Steps grow while boxes are free and shrink where they
 * are not, as in cone marching of distance fields. */
#include "render/kernels/free_sight.h"

enum { ACROSS = 4, STEPS_MAX = 64 }; /* squares of the pyramid looked at along a side of a box */
#define LEAST_STEP 2.0               /* cells */
#define ROUNDING 0x1p-40             /* of heights; and a hundredth of a cell */
#define FARTHEST 0x1p36              /* cells, up to which places are exact to 2^-16 of one */

struct box {
    double low[3], high[3]; /* of z only low is of use */
};

static void widen(struct box *box, const double *eye, const double *along, double depth)
{
    for (int axis = 0; axis < 3; axis++) {
        double at = eye[axis] + depth * along[axis];
        box->low[axis] = at < box->low[axis] ? at : box->low[axis];
        box->high[axis] = at > box->high[axis] ? at : box->high[axis];
    }
}

static struct box box_of(const struct tw_camera *c, double along[4][3], double begin, double end)
{
    struct box box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int k = 0; k < 4; k++) {
        widen(&box, c->eye, along[k], begin);
        widen(&box, c->eye, along[k], end);
    }
    return box;
}

/* The first and last of `count` squares of level 0 that low..high touches, with a cell to spare;
 * false when it lies beside the map. */
static bool squares_of(double low, double high, int32_t count, int32_t *first, int32_t *last)
{
    if (high < -1 || low > count + 1.0)
        return false;
    low = low > 1 ? low - 1 : 0;
    high = high + 1 < count - 1 ? high + 1 : count - 1;
    *first = (int32_t)(low < high ? low : high);
    *last = (int32_t)(high > 0 ? high : 0);
    return true;
}

static bool is_free(const struct tw_pyramid *p, const struct box *box)
{
    int32_t left, right, top, bottom, level = 0;
    if (!squares_of(box->low[0], box->high[0], p->width - 1, &left, &right) ||
        !squares_of(box->low[1], box->high[1], p->height - 1, &top, &bottom))
        return true;
    while (level < p->levels - 1 && ((right >> level) - (left >> level) >= ACROSS ||
                                     (bottom >> level) - (top >> level) >= ACROSS))
        level++;
    double low = box->low[2] - fabs(box->low[2]) * ROUNDING - 0.01;
    for (int32_t y = top >> level; y <= bottom >> level; y++)
        for (int32_t x = left >> level; x <= right >> level; x++) {
            double height = (double)p->at[level][(size_t)y * (size_t)p->across[level] + (size_t)x];
            if (!(low > height + fabs(height) * ROUNDING))
                return false;
        }
    return true;
}

double tw_free_sight(const struct tw_pyramid *p, const struct tw_camera *c, const double u[2],
                     const double v[2])
{
    double along[4][3], depth = 0, step = p->width + p->height;
    double end = 4 * step + fabs(c->eye[0]) + fabs(c->eye[1]) + fabs(c->eye[2]);
    for (int k = 0; k < 4; k++)
        for (int axis = 0; axis < 3; axis++)
            along[k][axis] = c->forward[axis] + u[k & 1] * c->right[axis] + v[k >> 1] * c->up[axis];
    if (end > FARTHEST)
        return 0;
    for (int count = 0; count < STEPS_MAX && step >= LEAST_STEP && depth < end; count++) {
        struct box box = box_of(c, along, depth, depth + step);
        if (is_free(p, &box)) {
            depth += step;
            step *= 2;
        } else {
            step /= 2;
        }
    }
    return depth;
}
