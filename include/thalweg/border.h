/* SPDX-License-Identifier: MIT */
/* Borders for nodes that differentiate: beyond a border that ends the map the ground continues
 * straight on, z(-k) = 2 z(0) - z(k), so that a plane stays a plane up to its border, after a
 * Gaussian too. Stencils (stencil.h), padded maps (padded.h) and gradients (gradient.h) apply this
 * rule. Nodes that follow rays stop at the border, and nodes that move mass keep it inside. */
#ifndef THALWEG_BORDER_H
#define THALWEG_BORDER_H

#include <thalweg/simd.h>

/* Returns the height one cell beyond the border from the border's cell and the one before it. */
static TW_INLINE float tw_straight_on(float border, float before)
{
    return border + (border - before);
}

/* Cell i of a line, which may lie beyond either end, as a sum over cells of the line: sign z(cell)
 * + crossings z(near) - returns z(far). Further than one whole line out, the rule is applied again
 * at the opposite border. */
struct tw_straight {
    int32_t cell, near, far;
    double sign, crossings, returns;
};

static inline struct tw_straight tw_straight_of(int32_t i, int32_t count)
{
    const int32_t last = count - 1;
    if ((i >= 0 && i <= last) || last == 0)
        return (struct tw_straight){last == 0 ? 0 : i, 0, 0, 1, 0, 0};
    const int32_t near = i < 0 ? 0 : last, beyond = i < 0 ? -i : i - last;
    const int32_t turns = beyond / (2 * last), rest = beyond % (2 * last);
    const int32_t inward = rest <= last ? rest : 2 * last - rest;
    return (struct tw_straight){.cell = i < 0 ? inward : last - inward,
                                .near = near,
                                .far = last - near,
                                .sign = rest <= last ? -1 : 1,
                                .crossings = 2 * (turns + 1),
                                .returns = 2 * (turns + (rest > last))};
}

static TW_INLINE double tw_straight_height(const struct tw_straight *s, double cell, double near,
                                           double far)
{
    return s->sign * cell + (s->crossings * near - s->returns * far);
}

#endif
