/* SPDX-License-Identifier: MIT */
/* The weighted graph of Rusnell, Mould and Eramian 2009: cells of a map as nodes, joined to their
 * eight neighbours by undirected edges. Cells carry a border of one cell around the map, so that
 * every cell has eight neighbours; searches never enter the border. */
#ifndef TW_NODES_FEATURE_KERNELS_WEIGHTED_GRID_H
#define TW_NODES_FEATURE_KERNELS_WEIGHTED_GRID_H

#include <thalweg/node.h>

/* Edges that a cell stores: to the east, south-east, south, south-west. */
enum { TW_WEIGHTED_GRID_EDGES = 4 };

struct tw_edge_weights {
    int32_t width, height;        /* of the grid, and the image; 0: the task's map */
    float mean, deviation;        /* mu_w and r */
    float diagonal;               /* factor of diagonal edges */
    float step;                   /* factor of all edges */
    const struct tw_value *image; /* instead of mu_w and r: brightness g; may be NULL */
    float low, high;              /* g of brightness 0 and 1 */
};

struct tw_weighted_grid {
    int32_t width, height, stride, cells; /* stride = width + 2; cells with the border */
    float *edges;       /* TW_WEIGHTED_GRID_EDGES a cell; 8 cells more may be read */
    double least, most; /* bounds of all edges */
    double mean;        /* mu_w before the step factor, or the image's mean */
};

/* A grid without edges: its dimensions. */
static inline struct tw_weighted_grid tw_weighted_grid_sized(int32_t width, int32_t height)
{
    return (struct tw_weighted_grid){
        .width = width, .height = height, .stride = width + 2, .cells = (width + 2) * (height + 2)};
}

/* Draws the weights w = mu_w + r v, one v in [-1, 1) an edge by its place, or w = (g_p + g_q) / 2.
 * Fails with a message when a weight is not positive. */
enum tw_status tw_weighted_grid_build(struct tw_task *task, const struct tw_edge_weights *weights,
                                      struct tw_weighted_grid *grid);

static inline int32_t tw_weighted_grid_cell(const struct tw_weighted_grid *grid, int32_t x,
                                            int32_t y)
{
    return (y + 1) * grid->stride + x + 1;
}

/* The cell that holds a point given in map sides. */
int32_t tw_weighted_grid_cell_of(const struct tw_weighted_grid *grid, const struct tw_point *point);

/* The scratch of a grid of width x height cells, from an image or drawn. */
void tw_weighted_grid_forecast(struct tw_forecast *f, int32_t width, int32_t height, bool image);

#endif
