/* SPDX-License-Identifier: MIT */
/* The settings of a node changed one at a time. */
#ifndef TW_TESTS_SUPPORT_SETTINGS_H
#define TW_TESTS_SUPPORT_SETTINGS_H

#include "graph/graph.h"
#include "node/param.h"

/* The last of a type. */
static inline struct tw_node *settings_node(struct tw_recipe *recipe,
                                            const struct tw_node_type *type)
{
    for (int32_t i = recipe->count; i-- > 0;)
        if (recipe->nodes[i].type == type)
            return &recipe->nodes[i];
    return NULL;
}

/* Twice as much, or something where there was nothing; half where that is no more. */
static inline double settings_other(const struct tw_param *row, double now)
{
    double other = now != 0 ? 2 * now : row->kind == TW_KIND_I32 ? 29 : 0.375;
    other = other < row->min ? row->min : other > row->max ? row->max : other;
    if (other == now)
        other = now / 2 < row->min ? row->min : now / 2;
    return row->kind == TW_KIND_I32 ? (double)(int32_t)other : other;
}

/* Sets the parameter to its ith other value; false when there are no more. */
static inline bool settings_change(const struct tw_param *row, void *params, int i)
{
    unsigned char *field = (unsigned char *)params + row->offset;
    int length;
    switch (row->kind) {
    case TW_KIND_F32:
        *(float *)(void *)field = (float)settings_other(row, (double)*(float *)(void *)field);
        return i < 1;
    case TW_KIND_I32:
        *(int32_t *)(void *)field = (int32_t)settings_other(row, (double)*(int32_t *)(void *)field);
        return i < 1;
    case TW_KIND_BOOL:
        *(bool *)(void *)field = !*(bool *)(void *)field;
        return i < 1;
    case TW_KIND_ENUM:
        *(int32_t *)(void *)field = i;
        return tw_param_label(row, i, &length) != NULL;
    default:
        return false; /* lists and files: what belongs together is for the node's own test */
    }
}

#endif
