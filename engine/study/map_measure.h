/* SPDX-License-Identifier: MIT */
/* Measures of a map that need no node in the recipe: which node computes them. */
#ifndef TW_ENGINE_STUDY_MAP_MEASURE_H
#define TW_ENGINE_STUDY_MAP_MEASURE_H

#include "node/registry.h"

enum tw_map_measure_kind {
    TW_MAP_RECORD,     /* a field of measure.<type>'s record */
    TW_MAP_SHARE,      /* share of cells whose height or slope lies in a band: the mean of a mask */
    TW_MAP_DIFFERENCE, /* from the baseline's map: a field of measure.difference's record */
    TW_MAP_RMS,        /* root mean square of that difference */
    TW_MAP_QUANTILE,   /* the height below which a share of the cells lies */
};

struct tw_map_measure {
    enum tw_map_measure_kind kind;
    const struct tw_node_type
        *type;         /* the measuring node; for a share, the node that makes the mask */
    int32_t port;      /* the output that holds the record */
    const char *field; /* of the record */
    double low, high;  /* of a share; a quantile uses `low` */
};

/* Parses "mean", "slope.share(4, 8)", "quantile(0.9)", "difference.rms", "landforms.valley": any
 * node measure.<type> that takes one map and outputs a record will do. Borrows `field`. False for
 * anything else. */
bool tw_map_measure_find(const char *field, struct tw_map_measure *measure);
/* Explains why the field of the measure `name` is invalid, with what is expected and the nearest
 * name. */
void tw_map_measure_explain(const char *name, const char *field, struct tw_error *err);
/* "histogram(LOW, HIGH, BINS)" of heights, or of slopes with a prefix: short for a share of each
 * bin. */
struct tw_map_bins {
    const char *share; /* "share" or "slope.share" */
    double low, high;
    int32_t count;
};
enum { TW_MAP_BINS_MAX = 100 };
/* 1: a histogram; 0: anything else; -1: a histogram with invalid numbers. */
int tw_map_bins_read(const char *field, struct tw_map_bins *bins);
/* Whether two measures read one record of one map. */
bool tw_map_measure_shares(const struct tw_map_measure *a, const struct tw_map_measure *b);

#endif
