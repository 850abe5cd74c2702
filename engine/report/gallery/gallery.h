/* SPDX-License-Identifier: MIT */
/* Pictures of variants at some seeds, all with one light, camera and scale of heights, so that what
 * looks different is different. Runs the variants again; the cache answers what it has. */
#ifndef TW_ENGINE_REPORT_GALLERY_GALLERY_H
#define TW_ENGINE_REPORT_GALLERY_GALLERY_H

#include "base/memory/bytes.h"
#include "report/verdict/choice.h"
#include "value/field.h"

enum {
    TW_GALLERY_VARIANTS = 6, /* tw_choose_variants() picks among more */
    TW_GALLERY_SEEDS = 100,
    TW_GALLERY_SIDE = 512,      /* pixels at most */
    TW_GALLERY_SMALL = 112,     /* of small pictures */
    TW_GALLERY_SMALL_MAX = 120, /* small pictures of a comparison */
    TW_GALLERY_BINS = 48
};

/* A variant at one seed. Pictures that the variant's output does not allow stay empty. */
struct tw_plate {
    struct tw_bytes shade;      /* PNG of the map from above: a hillshade, or the image itself */
    struct tw_bytes view;       /* PNG in three dimensions */
    struct tw_bytes difference; /* PNG of heights minus the baseline's */
    struct tw_value seen;       /* the view, or the map from above, if the run keeps them */
    struct tw_value heights; /* reduced to TW_GALLERY_SIDE; empty for an image, or without shades */
};

struct tw_gallery {
    struct tw_choice variants;
    uint64_t seeds[TW_GALLERY_SEEDS];
    /* "best", or without a goal "highest"; NULL: chosen by the user. */
    const char *why[TW_GALLERY_SEEDS];
    bool small[TW_GALLERY_SEEDS]; /* only small pictures from above */
    int32_t seed_count;
    bool failed[TW_GALLERY_SEEDS]; /* a seed without pictures */
    int32_t failed_count;
    struct tw_plate *plates; /* [seed][variant of the choice] */
    bool has_heights;
    double low, high;    /* of all maps */
    double exaggeration; /* height of 1, in map sides */
    double difference;   /* the greatest, at the ends of the colour scale; 0 without a baseline */
    /* Shares of cells, by chosen variant, over all its seeds. */
    double heights[TW_GALLERY_VARIANTS][TW_GALLERY_BINS];
    double slopes[TW_GALLERY_VARIANTS][TW_GALLERY_BINS];
    double steepest; /* end of the slopes' bins, in rise per map side: few cells are steeper */
};

static inline struct tw_plate *tw_plate_of(const struct tw_gallery *g, int32_t seed, int32_t k)
{
    return &g->plates[seed * g->variants.count + k];
}

/* Returns the first plate with a picture; NULL: none. */
static inline const struct tw_plate *tw_gallery_first(const struct tw_gallery *g)
{
    for (int32_t i = 0; g->plates && i < g->seed_count * g->variants.count; i++)
        if (g->plates[i].shade.at)
            return &g->plates[i];
    return NULL;
}

/* Request of a gallery. */
struct tw_gallery_run {
    const struct tw_experiment *experiment;
    const struct tw_load_options *load;
    const struct tw_run_options *run;
    int32_t view_width; /* pixels of a view; 0: no views */
    bool shades;        /* draws maps from above, and differences; images are shown in any case */
    bool keeps_seen;    /* fills plates' `seen` */
    void (*failed)(void *context, uint64_t seed, const struct tw_error *error);
    void *context;
};

/* Fills in the pictures of the seeds and variants that `g` names; call tw_gallery_release() in any
 * case. A seed on which a node fails goes to `failed` and is left out; if all fail, returns the
 * last one's error. */
enum tw_status tw_gallery_fill(const struct tw_gallery_run *run, struct tw_gallery *g,
                               struct tw_error *err);
/* Chooses variants and seeds of a comparison: best, median and worst, and one more seed; then
 * others for small pictures, up to `small` of them. */
enum tw_status tw_gallery_choose(const struct tw_comparison *c, const uint64_t *further,
                                 int32_t small, struct tw_gallery *g, struct tw_error *err);
void tw_gallery_release(struct tw_gallery *g);

#endif
