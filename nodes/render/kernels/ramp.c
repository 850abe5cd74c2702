/* SPDX-License-Identifier: MIT */
/* Rows become evenly spaced steps. Colours are mixed as bytes, as the makers of ramps see them. */
#include "render/kernels/ramp.h"

#include "render/kernels/tone.h"

#include <thalweg/rescale.h>

enum { VALUE, RED, GREEN, BLUE, COLUMNS };

const struct tw_column tw_ramp_columns[] = {
    {"value", 0, -1e9, 1e9, true, "", "height, slope or share of the mask"},
    {"red", 0, 0, 255, true, "", "0 to 255"},
    {"green", 0, 0, 255, true, "", "0 to 255"},
    {"blue", 0, 0, 255, true, "", "0 to 255"},
    TW_COLUMN_END,
};

static const float *row_of(const struct tw_table *rows, int32_t i)
{
    return rows->at + COLUMNS * i;
}

struct tw_rule tw_ramp_check(const struct tw_table *rows)
{
    if (rows->rows == 1)
        return TW_RULE("ramp", "at least two rows");
    for (int32_t i = 1; i < rows->rows; i++)
        if (row_of(rows, i)[VALUE] < row_of(rows, i - 1)[VALUE])
            return TW_RULE_OF_ROW("ramp", i + 1, "value", "at least the value in the row before");
    if (rows->rows > 0 && row_of(rows, 0)[VALUE] == row_of(rows, rows->rows - 1)[VALUE])
        return TW_RULE("ramp", "two different values");
    return TW_RULES_HOLD;
}

/* The first row from 1 on whose value is greater, or the last. */
static int32_t row_above(const struct tw_table *rows, float value)
{
    int32_t first = 1, last = rows->rows - 1;
    while (first < last) {
        int32_t middle = first + (last - first) / 2;
        if (value >= row_of(rows, middle)[VALUE])
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

/* Two rows of one value make a step; at the ends, the outer is what lies beyond. */
void tw_ramp_colour(const struct tw_table *rows, float value, float *colour)
{
    int32_t i = row_above(rows, value), last = rows->rows - 1;
    bool flag = last > 1 && row_of(rows, last)[VALUE] == row_of(rows, last - 1)[VALUE];
    if (flag && value == row_of(rows, last)[VALUE])
        i = last - 1;
    const float *low = row_of(rows, i - 1), *high = row_of(rows, i);
    float wide = high[VALUE] - low[VALUE];
    float share = wide > 0               ? tw_share_of((value - low[VALUE]) / wide)
                  : value >= high[VALUE] ? 1.0f
                                         : 0.0f;
    for (int k = 0; k < 3; k++)
        colour[k] = tw_mix(low[RED + k], high[RED + k], share);
}

float tw_ramp_stretch(const struct tw_table *rows, float v, float low, float high, float hinge)
{
    float first = row_of(rows, 0)[VALUE], last = row_of(rows, rows->rows - 1)[VALUE];
    bool around = first < 0 && last > 0 && hinge > low && hinge < high;
    float value = first + (last - first) * (v - low) / tw_max(high - low, 1e-20f);
    if (around)
        value =
            v < hinge ? first * (hinge - v) / (hinge - low) : last * (v - hinge) / (high - hinge);
    return tw_clamp(value, first, last);
}

/* What the map has of what the ramp colours, of heights more than rounding. Slopes beyond 2 in a
 * cell are cliffs. */
static enum tw_status find_span(struct tw_task *task, const struct tw_surface_job *job,
                                const struct tw_ramp_choice *choice, struct tw_span *span)
{
    *span = (struct tw_span){0, choice->by == TW_RAMP_MASK ? 1.0f : 2.0f};
    if (choice->by != TW_RAMP_HEIGHT)
        return TW_OK;
    enum tw_status status = tw_span_find(task, job->heights, job->width, job->height, span);
    float scale = tw_surface_scale(job), least = tw_rounding_of(span->low, span->high, scale);
    span->high = tw_max(span->high, span->low + least / scale);
    return status;
}

enum tw_status tw_ramp_fill(struct tw_task *task, const struct tw_surface_job *job,
                            const struct tw_ramp_choice *choice, struct tw_surface_ramp *ramp)
{
    const struct tw_table *rows = choice->rows;
    struct tw_span span = {row_of(rows, 0)[VALUE], row_of(rows, rows->rows - 1)[VALUE]};
    if (choice->by == TW_RAMP_MASK && !job->mask)
        return tw_task_fail(task, "ramp_by: mask needs the input 'mask'");
    enum tw_status status = choice->fit ? find_span(task, job, choice, &span) : TW_OK;
    float scale = job->scene.exaggeration, datum = 0;
    for (int32_t i = 0; status == TW_OK && i <= TW_RAMP_STEPS; i++) {
        float colour[3], v = tw_mix(span.low, span.high, (float)i / TW_RAMP_STEPS);
        float value = choice->fit ? tw_ramp_stretch(rows, v, span.low, span.high, choice->sea) : v;
        tw_ramp_colour(rows, value, colour);
        ramp->at[i] = tw_rgb_from_srgb(colour[0], colour[1], colour[2]);
    }
    const float *below = row_of(rows, 0), *above = row_of(rows, rows->rows - 1);
    ramp->below = tw_rgb_from_srgb(below[RED], below[GREEN], below[BLUE]);
    ramp->above = tw_rgb_from_srgb(above[RED], above[GREEN], above[BLUE]);
    if (choice->fit) {
        ramp->below = ramp->at[0];
        ramp->above = ramp->at[TW_RAMP_STEPS];
    }
    /* The surface knows heights in cells of its grid. */
    if (choice->by == TW_RAMP_HEIGHT) {
        scale = tw_surface_scale(job);
        datum = tw_surface_datum(job);
    } else if (choice->by == TW_RAMP_MASK || choice->fit) {
        scale = 1;
    }
    ramp->low = (span.low - datum) * scale;
    ramp->high = (span.high - datum) * scale;
    ramp->by = choice->by;
    return status;
}
