/* SPDX-License-Identifier: MIT */
/* The range of a slider for a number: its usual range, or what stands in for one. */
#ifndef TW_ENGINE_NODE_SLIDER_H
#define TW_ENGINE_NODE_SLIDER_H

#include <thalweg/node.h>

struct tw_slider {
    double low, high;
    bool logarithmic; /* the ends are 30-fold apart, on one side of 0 */
};

/* Whether the hard range of a number, or of a list's numbers, is a good range of a slider: at most
 * 100 times as wide as the default, at most 2 wide, some 100 whole numbers, or angles. */
bool tw_param_is_narrow(const struct tw_param *row);

/* Gives a number that has `value` a slider: over the usual range, else over a narrow hard range,
 * else from an eighth of the value to eight times as much. It always reaches the value. NAN stands
 * for the value of a row that holds its word. False if there is none: the number needs a field. */
bool tw_slider_of(const struct tw_param *row, double value, struct tw_slider *slider);

#endif
