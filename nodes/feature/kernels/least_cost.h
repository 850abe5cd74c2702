/* SPDX-License-Identifier: MIT */
/* Least-cost paths on a grid from weighted sources, Rusnell, Mould and Eramian 2009, section 3:
 *
 *     c(n) = c(m) + w(m, n) w_s(c_m),  c_m = (c(m) - c_g) / (c_s - c_g) c_s     (eq 1)
 *
 * with c_g the cost of the source where the path starts and w_s its profile's slope. Increments are
 * positive, so Dijkstra's label setting gives one result: cells settle in the order of (cost,
 * feature, cell). A bucket queue as wide as the least increment gives the same bytes, since no cell
 * of a bucket can improve another of it, and ties are decided by what would have settled first.
 * Where an increment is lost in rounding it is one unit in the last place: costs along a path
 * always rise, so that nothing can improve a settled cell. */
#ifndef TW_NODES_FEATURE_KERNELS_LEAST_COST_H
#define TW_NODES_FEATURE_KERNELS_LEAST_COST_H

#include "feature/kernels/bucket_queue.h"
#include "feature/kernels/cost_profile.h"
#include "feature/kernels/weighted_grid.h"

#include <thalweg/scratch.h>

/* What searches share. */
struct tw_paths {
    const struct tw_task *task; /* polled for cancellation */
    const struct tw_weighted_grid *grid;
    const struct tw_path_source *sources;
    const struct tw_cost_profile *slopes;
    const int32_t *domains; /* label of every cell; NULL for none */
    double sea;             /* c_s */
    double least, most;     /* bounds of the increments w w_s */
    double highest;         /* no cell that is reached costs more */
};

/* Where a path may start. */
struct tw_path_source {
    double cost; /* c_g */
    int32_t cell, feature;
    int32_t profile; /* into slopes; -1: none */
    int32_t domain;  /* label of the cells that its paths may enter; -1: all */
    bool yields;     /* its cell takes a lower cost from elsewhere; the cells of others do not */
};

/* Sorts by (cost, feature, cell) or by (feature, cost, cell); `scratch` holds as many. */
enum tw_source_order { TW_BY_COST, TW_BY_FEATURE };
void tw_sources_sort(struct tw_path_source *sources, struct tw_path_source *scratch, int32_t count,
                     enum tw_source_order order);

/* Finds the bounds for sources of which none costs more than `highest`, and some have no profile:
 * `plain`. */
void tw_paths_bound(struct tw_paths *paths, int32_t profiles, bool plain, double highest);

/* Costs of cells that no path has. */
#define TW_COST_BORDER (-1e308)
#define TW_COST_DROPPED (-1e307)
#define TW_COST_NONE 1e308 /* not reached */

enum { TW_CHUNK = 64 };

/* How a search reached a cell: the source of its path, and the direction of the last step. */
enum { TW_REACHED_AT_SOURCE = 8, TW_REACHED_BITS = 4 };

static inline int32_t tw_reached_pack(int32_t source, int32_t direction)
{
    return source << TW_REACHED_BITS | direction;
}

static inline int32_t tw_reached_source(int32_t reached) { return reached >> TW_REACHED_BITS; }

static inline int32_t tw_reached_direction(int32_t reached)
{
    return reached & ((1 << TW_REACHED_BITS) - 1);
}

/* The state of one search, over the whole grid; clean when every cell is border or not reached. It
 * becomes so with the first search: memory is taken for those that are used.
 * A cell is entered 8 times at most, since it is improved once by each neighbour. */
struct tw_search {
    double *cost;
    int32_t *reached; /* of reached cells: tw_reached_pack() */
    uint8_t *touched; /* per TW_CHUNK cells: some are not clean */
    struct tw_bucket_queue queue;
    bool used; /* has been cleaned once */
};

size_t tw_search_chunks(const struct tw_weighted_grid *grid);
/* Takes the memory of `count` searches, or counts it by the grid's dimensions and the bounds of
 * increments alone; false when there is none. */
bool tw_search_lay_out(struct tw_scratch *s, const struct tw_paths *paths,
                       struct tw_search *searches, int32_t count);

struct tw_bounds {
    double limit;        /* cells of this cost or more are not reached */
    const double *field; /* C_a; a cell is dropped when c_s - c < share (c_s - C_a); may be NULL */
    double share;
    bool costs_only; /* the caller needs costs only, so how cells were reached is not stored */
};

/* Searches from sources[begin..end), which lie in rising cost. The state is clean or unused. */
void tw_search_run(const struct tw_paths *paths, const struct tw_bounds *bounds,
                   struct tw_search *search, int32_t begin, int32_t end);

static inline bool tw_search_reached(const struct tw_search *search, int32_t cell)
{
    return search->cost[cell] < TW_COST_NONE;
}

/* Of a reached cell: the number of the source where its path starts. */
static inline int32_t tw_search_source(const struct tw_search *search, int32_t cell)
{
    return tw_reached_source(search->reached[cell]);
}

/* The cell before on the path to a reached cell; the cell itself at its source. */
int32_t tw_search_predecessor(const struct tw_weighted_grid *grid, const struct tw_search *search,
                              int32_t cell);

#endif
