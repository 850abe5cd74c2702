/* SPDX-License-Identifier: MIT */
/* What travels along a polymap edge: the graph of an island's polygons and the layers that nodes
 * add to it (Weiss 2015, chapter IV; Patel 2010). One block of 32-bit words: a header, then the
 * arrays of struct tw_polymap in that order. Places are in the square -1..1, x east, y south. */
#ifndef TW_NODES_COMMON_POLYMAP_POLYMAP_H
#define TW_NODES_COMMON_POLYMAP_POLYMAP_H

#include <thalweg/node.h>

enum tw_polymap_layer {
    TW_LAYER_SHAPE = 1,
    TW_LAYER_ELEVATION = 2, /* and temperature, and rank */
    TW_LAYER_RIVERS = 4,
    TW_LAYER_MOISTURE = 8,
    TW_LAYER_BIOMES = 16
};

/* Flags of cells and corners. A cell is ocean, lake or land; a corner ocean, coast or land. */
enum tw_polymap_flag {
    TW_WATER = 1, /* a cell: ocean or lake; a corner: under water by the noise */
    TW_OCEAN = 2,
    TW_BORDER = 4, /* touches the border of the map */
    TW_COAST = 8,  /* a corner between ocean and land; a land cell with such a corner */
    TW_SHORE = 16  /* a corner of a lake */
};

enum { TW_POLYMAP_MAGIC = 0x31504D54 };

struct tw_polymap_header {
    uint32_t magic, cells, corners, edges, sides, layers;
};

struct tw_polymap_edge {
    int32_t d0, d1; /* cells on both sides, d0 < d1; d1 is -1 on the border of the map */
    int32_t v0, v1; /* corners at its ends */
};

struct tw_polymap_place {
    float x, y;
};

/* Elevation is 0 at the coast and 1 on the highest corner; 0..1 are temperature and moisture. */
struct tw_polymap {
    struct tw_polymap_header *head;
    int32_t cells, corners, edges, sides;

    int32_t *cell_start; /* cells + 1: sides of a cell, in turn around it */
    struct tw_polymap_place *cell_at;
    uint32_t *cell_flags;
    float *cell_elevation, *cell_temperature, *cell_moisture;
    int32_t *cell_biome; /* enum tw_biome */

    int32_t *corner_start; /* corners + 1: places in `spoke` */
    struct tw_polymap_place *corner_at;
    uint32_t *corner_flags;
    float *corner_elevation, *corner_temperature, *corner_moisture;
    float *corner_river;  /* volume of the rivers through it; 0 for none */
    int32_t *corner_rank; /* order of the search from the coast: falls towards the sea; -1 ocean */

    struct tw_polymap_edge *edge;
    float *edge_river; /* volume */

    int32_t *side_corner, *side_edge; /* where a cell's side begins, and the edge it is */
    int32_t *spoke;                   /* 2 edges: the edges at each corner */
};

/* Size of a block in words; 0 when it exceeds the limits. */
int32_t tw_polymap_words(uint32_t cells, uint32_t corners, uint32_t edges, uint32_t sides);
/* Points `map` to the arrays of a block whose header is valid. */
void tw_polymap_lay_out(uint32_t *block, struct tw_polymap *map);
/* The view of a block that holds at least the header; checks every count, index and number, as the
 * block may come from a cache that others write to. False when it is not a valid polygon map. */
bool tw_polymap_view(const struct tw_value *value, struct tw_polymap *map);

/* Input i, which must have `layers`; `needs` names the nodes that add them. */
enum tw_status tw_polymap_open(struct tw_task *task, int i, uint32_t layers, const char *needs,
                               struct tw_polymap *map);
/* Returns the most words that a map of so many cells has, which is what its edge carries. */
int64_t tw_polymap_words_at_most(int32_t cells);
/* Returns the most cells and corners of the map at input 0. */
struct tw_polymap_counts {
    uint64_t cells, corners, edges;
};
struct tw_polymap_counts tw_polymap_forecast(const struct tw_forecast *f);

#endif
