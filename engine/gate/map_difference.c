/* SPDX-License-Identifier: MIT */
#include "gate/map_difference.h"

#include <math.h>

bool tw_map_is_comparable(const struct tw_value *a, const struct tw_value *b)
{
    return a->type == b->type && a->width == b->width && a->height == b->height &&
           tw_type_is_grid(a->type) && tw_type_numbers(a->type) > 0 && tw_value_count(a) > 0;
}

/* Numbers of a stretch of both maps, in whole cells. */
enum { STRETCH = 768 };
struct stretch {
    double a[STRETCH], b[STRETCH];
    size_t first, count;
};

/* Reads from number `first` up to `end` at most. Returns false at the end. */
static bool read_stretch(const struct tw_value *a, const struct tw_value *b, size_t first,
                         size_t end, struct stretch *s)
{
    const size_t most = STRETCH - STRETCH % tw_type_numbers(a->type), left = end - first;
    s->first = first;
    s->count = left < most ? left : most;
    tw_field_numbers(a, s->first, s->count, s->a);
    tw_field_numbers(b, s->first, s->count, s->b);
    return s->count > 0;
}

/* What a row adds to the sums; `d` has its counts and its greatest difference added. */
struct row_sums {
    double all, squares;
};

static struct row_sums add_row(const struct tw_value *a, const struct tw_value *b, int32_t y,
                               struct tw_map_difference *d)
{
    const size_t per_cell = tw_type_numbers(a->type), wide = (size_t)a->width * per_cell;
    const size_t begin = (size_t)y * wide;
    struct row_sums sums = {0};
    struct stretch s;
    size_t last = wide; /* the last cell counted as differing */
    for (size_t at = begin; read_stretch(a, b, at, begin + wide, &s); at += s.count)
        for (size_t i = 0; i < s.count; i++) {
            const size_t cell = (at - begin + i) / per_cell;
            const double v = fabs(s.b[i] - s.a[i]);
            sums.all += v;
            sums.squares += v * v;
            if (v > 0 && cell != last) {
                last = cell;
                d->differing++;
            }
            if (v > d->greatest) {
                d->greatest = v;
                d->x = (int32_t)cell;
                d->y = y;
            }
        }
    return sums;
}

/* Sums row by row, so that large maps lose no digits. */
struct tw_map_difference tw_map_difference_find(const struct tw_value *a, const struct tw_value *b)
{
    struct tw_map_difference d = {0};
    const size_t per_cell = tw_type_numbers(a->type);
    double squares = 0;
    for (int32_t y = 0; y < a->height; y++) {
        const struct row_sums sums = add_row(a, b, y, &d);
        d.mean += sums.all;
        squares += sums.squares;
    }
    d.cells = (int64_t)tw_value_count(a);
    d.mean /= (double)d.cells * (double)per_cell;
    d.rms = sqrt(squares / ((double)d.cells * (double)per_cell));
    d.percent = 100 * d.mean;
    return d;
}

/* Blends from white to the ends of ColorBrewer's RdBu (Harrower and Brewer 2003), which stays
 * readable for colour-blind readers and in grey. Chooses the end without a branch, which noise
 * would mispredict every other time. */
static void colour(double share, double amount, uint8_t *pixel)
{
    static const double ways[2][3] = {{5 - 255, 48 - 255, 97 - 255},
                                      {103 - 255, 0 - 255, 31 - 255}};
    const double *way = ways[share > 0];
    for (int c = 0; c < 3; c++)
        pixel[c] = (uint8_t)(int)(255 + way[c] * amount + 0.5);
}

/* Replaces the numbers of `a` by the mean difference of each cell as a share of `scale`, and those
 * of `b` by how far that is from white: the root, so that small differences show. */
static size_t find_shares(struct stretch *s, size_t per_cell, double scale)
{
    const size_t cells = s->count / per_cell;
    for (size_t i = 0; i < cells; i++) {
        double sum = 0;
        for (size_t c = i * per_cell; c < (i + 1) * per_cell; c++)
            sum += s->b[c] - s->a[c];
        s->a[i] = sum / (double)per_cell / scale;
    }
    for (size_t i = 0; i < cells; i++) {
        const double far = fabs(s->a[i]);
        s->b[i] = sqrt(far > 1 ? 1 : far);
    }
    return cells;
}

enum tw_status tw_map_difference_draw(const struct tw_value *a, const struct tw_value *b,
                                      double scale, struct tw_value *image, struct tw_error *err)
{
    const size_t per_cell = tw_type_numbers(a->type), numbers = tw_value_count(a) * per_cell;
    enum tw_status status = tw_field_alloc(image, TW_IMAGE, a->width, a->height, err);
    if (status != TW_OK)
        return status;
    struct stretch s;
    uint8_t *pixel = tw_pixels(image);
    for (size_t at = 0; read_stretch(a, b, at, numbers, &s); at += s.count) {
        const size_t cells = find_shares(&s, per_cell, scale > 0 ? scale : INFINITY);
        for (size_t i = 0; i < cells; i++, pixel += 3)
            colour(s.a[i], s.b[i], pixel);
    }
    return TW_OK;
}
