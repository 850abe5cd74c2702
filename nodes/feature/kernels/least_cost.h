/* SPDX-License-Identifier: MIT */
/* Least-cost paths on a grid from weighted sources, Rusnell, Mould and Eramian 2009, section 3:
 *
 *     c(n) = c(m) + w(m, n) w_s(c_m),  c_m = (c(m) - c_g) / (c_s - c_g) c_s     (eq 1)
 *
 * with c_g the cost of the source where the path starts and w_s its profile's slope. Increments are
 * positive, so Dijkstra's label setting gives one result: cells settle in the order of (cost,
 * feature, cell). A bucket queue as wide as the least increment gives the same bytes, since no cell
 * of a bucket can improve another of it, and ties are decided by what would have settled first. */
#ifndef TW_NODES_FEATURE_KERNELS_LEAST_COST_H
#define TW_NODES_FEATURE_KERNELS_LEAST_COST_H

#include "feature/kernels/weighted_grid.h"

/* w_s by cost: scale[i] holds on knot[i] <= c < knot[i + 1], the last one beyond. */
struct tw_cost_profile {
    int32_t count; /* 0: w_s = 1 */
    double *knot, *scale;
};

struct tw_path_source {
    double cost; /* c_g */
    int32_t cell, feature;
    int32_t profile; /* into slopes; -1: none */
    int32_t domain;  /* label of the cells that its paths may enter; -1: all */
    bool yields;     /* its cell takes a lower cost from elsewhere; others keep theirs */
};

enum tw_source_order { TW_BY_COST, TW_BY_FEATURE };

/* Sorts by (cost, feature, cell) or by (feature, cost, cell); `room` holds as many. */
void tw_sources_sort(struct tw_path_source *sources, struct tw_path_source *room, int32_t count,
                     enum tw_source_order order);

/* Slopes of a profile given as pairs (x, p): p is stretched to costs 0..sea, level pieces vanish.
 * The arrays hold as many entries as the profile has. */
void tw_cost_profile_fill(const struct tw_value *profile, double sea, double mean,
                          struct tw_cost_profile *slopes);

/* What searches share. */
struct tw_paths {
    const struct tw_task *task; /* asked whether to stop */
    const struct tw_weighted_grid *grid;
    const struct tw_path_source *sources;
    const struct tw_cost_profile *slopes;
    const int32_t *domains; /* label of every cell; NULL for none */
    double sea;             /* c_s */
    double least, most;     /* bounds of the increments w w_s */
};

void tw_paths_bound(struct tw_paths *paths, int32_t profiles);

/* Costs of cells that are not numbers of paths. */
#define TW_COST_BORDER (-1e308)
#define TW_COST_DROPPED (-1e307)
#define TW_COST_NONE 1e308 /* not reached */

enum { TW_AT_SOURCE = 8, TW_BLOCK = 64 };

/* The state of one search, over the whole grid; clean when every cell is border or not reached.
 * A bucket is a chain of chunks of cells. An improved cell goes to another bucket and its old entry
 * stays behind, to be passed over; so a cell is entered 8 times at most, which bounds the pool. */
struct tw_search {
    double *cost;
    int32_t *from;        /* of reached cells: source * 16 + direction from the cell before */
    uint8_t *touched;     /* per TW_BLOCK cells: some are not clean */
    uint32_t *tails;      /* ring of buckets: where the next entry goes; 0: empty */
    uint32_t *pool;       /* chunks; the first entry of each is the next chunk of its chain */
    uint32_t free, fresh; /* chain of free chunks; first chunk never used */
    int32_t buckets;      /* a power of two */
    double width;         /* of a bucket */
};

size_t tw_search_blocks(const struct tw_weighted_grid *grid);
/* Gives `count` clean searches. */
enum tw_status tw_search_make(struct tw_task *task, const struct tw_paths *paths,
                              struct tw_search *searches, int32_t count);

struct tw_bounds {
    double limit;        /* cells of this cost or more are not reached */
    const double *field; /* C_a; a cell is dropped when c_s - c < share (c_s - C_a); may be NULL */
    double share;
};

/* Searches from sources[begin..end), which lie in rising cost. */
void tw_search_run(const struct tw_paths *paths, const struct tw_bounds *bounds,
                   struct tw_search *search, int32_t begin, int32_t end);

/* The cell before on the path to a reached cell; the cell itself at its source. */
int32_t tw_search_before(const struct tw_weighted_grid *grid, const struct tw_search *search,
                         int32_t cell);

#endif
