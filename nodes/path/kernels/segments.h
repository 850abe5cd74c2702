/* SPDX-License-Identifier: MIT */
/* The segments of lines, and which of them reach a part of the map. Boxes around 8, 64, 512 ...
 * segments in a row form a tree; since lines run from place to place, a search skips most of it.
 * Where borders meet, a search finds the images of a segment that lies beyond them. */
#ifndef TW_NODES_PATH_KERNELS_SEGMENTS_H
#define TW_NODES_PATH_KERNELS_SEGMENTS_H

#include <thalweg/scratch.h>

/* In cells, where the centre of cell (0, 0) is at 0.5; heights in heights. A line of one point is a
 * segment without length. */
struct tw_segment {
    double x, y;          /* where it begins */
    double along[2];      /* to its end */
    float z[2], depth[2]; /* at its ends */
    float width[2];       /* in cells, one at least */
    float reach;          /* how far it changes the ground */
    int32_t line, point;  /* the line's number; the first point's index within the line */
};

struct tw_segment_box {
    double low[2], high[2]; /* x, y */
};

enum { TW_SEGMENT_LEVELS = 11 };
struct tw_segments {
    struct tw_segment *at;
    int64_t count;
    struct tw_segment_box *boxes; /* level after level, of one segment each at first */
    int64_t first[TW_SEGMENT_LEVELS];
    int levels;
    int32_t width, height;
    bool wrap;
    const struct tw_task *task;
};

/* What becomes of the lines: a segment reaches `per_width` widths far. */
struct tw_segment_rule {
    double per_width;
    bool falls; /* water and beds never rise downstream: z and z - depth are running minima */
};

/* Fails if a point lies absurdly far away or is wider than the map: images of it would be many. */
enum tw_status tw_line_point_check(struct tw_task *task, const struct tw_line_point *p);

/* Takes scratch for `points` points in all. */
bool tw_segments_lay_out(struct tw_scratch *s, int64_t points, struct tw_segments *segments);

/* Fills it from the inputs from `port` on, whose points it checks. */
enum tw_status tw_segments_gather(struct tw_task *task, int port,
                                  const struct tw_segment_rule *rule, struct tw_segments *segments);

/* Calls fn with each segment that may reach the cells of the box, moved to the image that does;
 * ends early when the task is cancelled. */
typedef void tw_segment_fn(void *context, const struct tw_segment *segment);
void tw_segments_each(const struct tw_segments *segments, const struct tw_segment_box *box,
                      tw_segment_fn *fn, void *context);

#endif
