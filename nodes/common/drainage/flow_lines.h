/* SPDX-License-Identifier: MIT */
/* Water that runs straight downhill at any angle: D-infinity, Tarboton 1997. Around a cell lie
 * eight triangles, each with two neighbours, a cardinal one and a corner; water follows the
 * steepest descent on the steepest of them and meets its outer side between both neighbours.
 * Deviation: the share of a neighbour is that of the side where the line crosses it, not that of
 * the angle, so the mean step of the water points exactly downhill.
 * Depressions are filled first, and level ground is left along the receivers of drainage.h. Every
 * step then leads to a lower surface, or along a tree on a level one, so water never runs in
 * circles. */
#ifndef TW_NODES_COMMON_DRAINAGE_FLOW_LINES_H
#define TW_NODES_COMMON_DRAINAGE_FLOW_LINES_H

#include "common/drainage/drainage.h"

#include <thalweg/scratch.h>

enum { TW_FLOW_LINES_RIM = 8, TW_FLOW_LINES_NONE = 16, TW_FLOW_LINES_STRIPS = 8 };

struct tw_flow_lines {
    const struct tw_drainage *d;
    float *filled;   /* heights without depressions */
    uint8_t *facet;  /* 0..7 of the triangles, on the border RIM more; or NONE at outlets */
    float *corner;   /* share of the corner neighbour, 0..1; the other gets the rest */
    uint8_t *gives;  /* bit k: water runs to the neighbour in direction k */
    uint8_t *donors; /* neighbours that have not given yet */
    int32_t *order;  /* all cells, as flow_areas.h has them; the drainage's block */
    int32_t strips, own_end[TW_FLOW_LINES_STRIPS]; /* of that order */
    void (*descend)(const struct tw_flow_lines *, int32_t);
    void (*receive)(const struct tw_flow_lines *, int32_t);
    void (*count)(const struct tw_flow_lines *, int32_t);
};

/* Index distance from an inner cell to the cells that its water meets, by facet. */
struct tw_flow_lines_steps {
    int32_t cardinal[8], corner[8];
};
struct tw_flow_lines_steps tw_flow_lines_steps(const struct tw_drainage *d);

/* Directions, as in drainage.h, of a triangle's two neighbours. */
static inline int tw_flow_lines_cardinal(int facet) { return "\1\1\3\3\4\4\6\6"[facet]; }
static inline int tw_flow_lines_corner(int facet) { return "\0\2\0\5\2\7\5\7"[facet]; }

/* The cells that a cell's water meets; one that gets no share may be -1. */
struct tw_receivers {
    int32_t cardinal, corner;
};

static inline struct tw_receivers tw_flow_lines_receivers(const struct tw_flow_lines *f,
                                                          const struct tw_flow_lines_steps *steps,
                                                          int32_t cell, int facet)
{
    if (facet < TW_FLOW_LINES_RIM)
        return (struct tw_receivers){cell + steps->cardinal[facet], cell + steps->corner[facet]};
    facet -= TW_FLOW_LINES_RIM;
    return (struct tw_receivers){
        tw_drainage_rim_neighbour(f->d, cell, tw_flow_lines_cardinal(facet)),
        tw_drainage_rim_neighbour(f->d, cell, tw_flow_lines_corner(facet))};
}

/* Allocates about 11 bytes per cell. */
enum tw_status tw_flow_lines_init(struct tw_task *task, struct tw_flow_lines *f,
                                  const struct tw_drainage *d);
/* Routes the water of these heights. `area` gets the cells upstream of each cell, itself included.
 * The drainage's own order is overwritten. */
enum tw_status tw_flow_lines_route(struct tw_task *task, struct tw_flow_lines *f,
                                   struct tw_drainage *d, const float *heights, float *area);

/* Counts the `donors` of every cell, by `gives`. */
void tw_flow_lines_count(struct tw_task *task, struct tw_flow_lines *f);

/* Takes the blocks of tw_flow_lines_init(), which calls this, or counts them. */
bool tw_flow_lines_lay_out(struct tw_scratch *s, struct tw_flow_lines *f);

#endif
