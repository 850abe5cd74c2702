/* SPDX-License-Identifier: MIT */
/* What can be measured of a map without a node of the recipe: which node finds it. */
#ifndef TW_ENGINE_STUDY_MAP_MEASURE_H
#define TW_ENGINE_STUDY_MAP_MEASURE_H

#include "node/registry.h"

enum tw_map_measure_kind {
    TW_MAP_RECORD,     /* a field of measure.<type>'s record */
    TW_MAP_SHARE,      /* of cells whose height or slope lies in a band: the mean of a mask */
    TW_MAP_DIFFERENCE, /* to the baseline's map: a field of measure.difference's record */
    TW_MAP_RMS,        /* the root of the mean square of that difference */
    TW_MAP_QUANTILE,   /* the height that a share of the cells lies below */
};

struct tw_map_measure {
    enum tw_map_measure_kind kind;
    const struct tw_node_type *type; /* measures; of a share, makes the mask */
    int32_t port;                    /* its output that is the record */
    const char *field;               /* of the record */
    double low, high;                /* of a share; of a quantile `low` */
};

/* "mean", "slope.share(4, 8)", "quantile(0.9)", "difference.rms", "landforms.valley": of any node
 * measure.<type> that takes one map and gives a record. `field` is borrowed. False when it is none
 * of these. */
bool tw_map_measure_find(const char *field, struct tw_map_measure *measure);
/* Why the field of the measure `name` is none of these: what is expected, the nearest name. */
void tw_map_measure_explain(const char *name, const char *field, struct tw_error *err);
/* "histogram(LOW, HIGH, BINS)" or the same of slopes, which stands for a share of each bin. */
struct tw_map_bins {
    const char *share; /* "share" or "slope.share" */
    double low, high;
    int32_t count;
};
enum { TW_MAP_BINS_MAX = 100 };
/* 1: it is one; 0: it is something else; -1: its numbers are none. */
int tw_map_bins_read(const char *field, struct tw_map_bins *bins);
/* Whether two of them read the same record of the same map. */
bool tw_map_measure_shares(const struct tw_map_measure *a, const struct tw_map_measure *b);

#endif
