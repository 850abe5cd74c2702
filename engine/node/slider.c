/* SPDX-License-Identifier: MIT */
#include "node/slider.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { FOLD = 8, LOGARITHMIC_FOLD = 30, NARROW_FOLD = 100, NARROW_WIDTH = 2, NARROW_COUNT = 128 };

static bool is_default_a_word(const struct tw_param *row)
{
    return row->word && row->initial == row->stands_for;
}

bool tw_param_is_narrow(const struct tw_param *row)
{
    const double width = row->max - row->min;
    const bool angle = row->unit && strcmp(row->unit, TW_UNIT_DEGREES) == 0;
    const double initial =
        row->kind == TW_KIND_LIST || is_default_a_word(row) ? 0 : fabs(row->initial);
    return width <= NARROW_WIDTH || width <= NARROW_FOLD * initial ||
           (row->kind == TW_KIND_I32 && width <= NARROW_COUNT) || (angle && width <= 720);
}

static double within(double number, double low, double high)
{
    return number < low ? low : number > high ? high : number;
}

/* Spans an eighth to eight times the value, on its side of 0 and in the hard range. */
static bool span_around(const struct tw_param *row, double value, struct tw_slider *slider)
{
    double near = value / FOLD, far = value * FOLD;
    if (!isfinite(value) || fabs(value) < DBL_MIN * FOLD)
        return false;
    if (row->kind == TW_KIND_I32) {
        near = trunc(near);
        far = trunc(far);
    }
    slider->low = within(fmin(near, far), row->min, row->max);
    slider->high = within(fmax(near, far), row->min, row->max);
    return slider->low < slider->high;
}

bool tw_slider_of(const struct tw_param *row, double value, struct tw_slider *slider)
{
    if (row->kind != TW_KIND_F32 && row->kind != TW_KIND_I32 && row->kind != TW_KIND_LIST)
        return false;
    if (row->usual_min < row->usual_max)
        *slider = (struct tw_slider){.low = row->usual_min, .high = row->usual_max};
    else if (tw_param_is_narrow(row) && row->min < row->max)
        *slider = (struct tw_slider){.low = row->min, .high = row->max};
    else if (!span_around(row, value, slider))
        return false;
    if (isfinite(value)) {
        slider->low = fmin(slider->low, value);
        slider->high = fmax(slider->high, value);
    }
    slider->logarithmic = (slider->low > 0 && slider->high >= LOGARITHMIC_FOLD * slider->low) ||
                          (slider->high < 0 && slider->low <= LOGARITHMIC_FOLD * slider->high);
    return true;
}
