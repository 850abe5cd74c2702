/* SPDX-License-Identifier: MIT */
/* Private to the gallery: its graphs, and the conversion of maps to pictures. */
#ifndef TW_ENGINE_REPORT_GALLERY_PRIVATE_H
#define TW_ENGINE_REPORT_GALLERY_PRIVATE_H

#include "report/gallery/gallery.h"

#include <thalweg/thalweg.h>

/* gallery_graph.c: the variants of one seed as one graph. Its outputs are "K map", "K view" and "K
 * shade", where K numbers the chosen variants. */
struct tw_gallery_graph {
    struct tw_recipe *parts[TW_GALLERY_VARIANTS];
    struct tw_recipe *merged;
    int32_t count;
};
/* `looks`: add the nodes that draw, which need the gallery's range of heights. */
enum tw_status tw_gallery_graph_build(const struct tw_gallery_run *run, const struct tw_gallery *g,
                                      uint64_t seed, bool looks, struct tw_gallery_graph *graph,
                                      struct tw_error *err);
void tw_gallery_graph_release(struct tw_gallery_graph *graph);
const struct tw_value *tw_gallery_output(const struct tw_result *result, int32_t k,
                                         const char *what);

/* gallery_maps.c */
/* Encodes a PNG with 64 levels per channel, which halves its size; greys take one channel. */
enum tw_status tw_gallery_encode(const struct tw_value *image, struct tw_bytes *png,
                                 struct tw_error *err);
/* Adds the cells of a map to the variant's histograms; `weight` is one cell's share. */
void tw_gallery_count(const struct tw_value *map, struct tw_gallery *g, int32_t k, double weight);
/* The slope, in rise per map side, that one cell in two hundred exceeds. */
double tw_gallery_steepest(const struct tw_value *map);

#endif
