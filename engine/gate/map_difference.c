/* SPDX-License-Identifier: MIT */
#include "gate/map_difference.h"

#include <math.h>

bool tw_map_is_comparable(const struct tw_value *a, const struct tw_value *b)
{
    return a->type == b->type && a->width == b->width && a->height == b->height &&
           tw_type_is_grid(a->type) && tw_type_numbers(a->type) > 0 && tw_value_count(a) > 0;
}

/* Sums row by row, so that large maps lose no digits. */
struct tw_map_difference tw_map_difference_find(const struct tw_value *a, const struct tw_value *b)
{
    struct tw_map_difference d = {0};
    size_t per_cell = tw_type_numbers(a->type), wide = (size_t)a->width * per_cell;
    double squares = 0;
    for (size_t y = 0; y < (size_t)a->height; y++) {
        double row_sum = 0, row_squares = 0;
        size_t last = wide; /* the last cell counted as differing */
        for (size_t x = 0; x < wide; x++) {
            double v = fabs(tw_field_number(b, y * wide + x) - tw_field_number(a, y * wide + x));
            row_sum += v;
            row_squares += v * v;
            if (v > 0 && x / per_cell != last) {
                last = x / per_cell;
                d.differing++;
            }
            if (v > d.greatest) {
                d.greatest = v;
                d.x = (int32_t)(x / per_cell);
                d.y = (int32_t)y;
            }
        }
        d.mean += row_sum;
        squares += row_squares;
    }
    d.cells = (int64_t)tw_value_count(a);
    d.mean /= (double)d.cells * (double)per_cell;
    d.rms = sqrt(squares / ((double)d.cells * (double)per_cell));
    d.percent = 100 * d.mean;
    return d;
}

/* Blends from white to the ends of ColorBrewer's RdBu (Harrower and Brewer 2003), which stays
 * readable for colour-blind readers and in grey. */
static void colour(double share, uint8_t *pixel)
{
    static const uint8_t red[] = {103, 0, 31}, blue[] = {5, 48, 97};
    const uint8_t *end = share > 0 ? red : blue;
    double amount = sqrt(fabs(share) > 1 ? 1 : fabs(share)); /* so that small differences show */
    for (int c = 0; c < 3; c++)
        pixel[c] = (uint8_t)(255 + (end[c] - 255) * amount + 0.5);
}

enum tw_status tw_map_difference_draw(const struct tw_value *a, const struct tw_value *b,
                                      double scale, struct tw_value *image, struct tw_error *err)
{
    size_t per_cell = tw_type_numbers(a->type), cells = tw_value_count(a);
    enum tw_status status = tw_field_alloc(image, TW_IMAGE, a->width, a->height, err);
    if (status != TW_OK)
        return status;
    for (size_t i = 0; i < cells; i++) {
        double sum = 0;
        for (size_t c = 0; c < per_cell; c++)
            sum += tw_field_number(b, i * per_cell + c) - tw_field_number(a, i * per_cell + c);
        colour(scale > 0 ? sum / (double)per_cell / scale : 0, tw_pixels(image) + 3 * i);
    }
    return TW_OK;
}
