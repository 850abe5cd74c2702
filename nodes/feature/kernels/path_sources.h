/* SPDX-License-Identifier: MIT */
/* Where least-cost paths start (least_cost.h), and the orders that searches need them in. */
#ifndef TW_NODES_FEATURE_KERNELS_PATH_SOURCES_H
#define TW_NODES_FEATURE_KERNELS_PATH_SOURCES_H

#include <stdbool.h>
#include <stdint.h>

struct tw_path_source {
    double cost; /* c_g */
    int32_t cell, feature;
    int32_t profile; /* into slopes; -1: none */
    int32_t domain;  /* label of the cells that its paths may enter; -1: all */
    bool yields;     /* its cell takes a lower cost from elsewhere; the cells of others do not */
};

enum tw_source_order { TW_BY_COST, TW_BY_FEATURE };

/* Sorts by (cost, feature, cell) or by (feature, cost, cell); `scratch` holds as many. */
void tw_sources_sort(struct tw_path_source *sources, struct tw_path_source *scratch, int32_t count,
                     enum tw_source_order order);

#endif
