/* SPDX-License-Identifier: MIT */
/* Levels of the factors that variants are crossed with: a size, and values of parameters. An
 * experiment lists its variants once per level, level after level, so that one level's variants are
 * an experiment of their own: one size, one baseline. */
#ifndef TW_ENGINE_STUDY_LEVELS_H
#define TW_ENGINE_STUDY_LEVELS_H

#include "base/text/text.h"
#include "study/comparison.h"

#include <stdio.h>

/* Number of parts that run as one graph each: the levels, and the sensitivity plan if there are
 * several sizes or values. */
int32_t tw_experiment_parts(const struct tw_experiment *experiment);
/* A part as an experiment that borrows from `experiment`; *first receives the index of its first
 * run. The only part of an experiment without factors is the experiment itself. */
struct tw_experiment tw_experiment_part(const struct tw_experiment *experiment, int32_t part,
                                        int32_t *first);

/* A level of a comparison, as a comparison of `level`, which receives that level's experiment. It
 * borrows from `comparison`: do not release it. */
struct tw_comparison tw_comparison_level(const struct tw_comparison *comparison, int32_t number,
                                         struct tw_experiment *level);

/* The level of a variant: of any run of the sensitivity plan, the first. */
static inline int32_t tw_level_of(const struct tw_experiment *e, int32_t variant)
{
    return e->level_count > 1 && variant < e->variant_count ? variant / e->level_variants : 0;
}

/* Side of a variant's maps in a comparison whose maps are square; else 0. */
static inline int32_t tw_side_of(const struct tw_comparison *c, int32_t variant)
{
    int32_t side = c->experiment->variants[variant].side;
    return side > 0 ? side : c->width == c->height ? c->width : 0;
}

/* Writes "size 32, talus 8"; nothing without factors. */
void tw_level_write(FILE *out, const struct tw_factor_level *level, enum tw_text_form form);

/* The name of a variant, with its level if there are several: "olsen (size 32)". */
void tw_level_write_variant(FILE *out, const struct tw_experiment *e,
                            const struct tw_variant *variant, enum tw_text_form form);

#endif
