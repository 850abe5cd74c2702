/* SPDX-License-Identifier: MIT */
/* One picture of two variants, for a pull request: the baseline and the best other variant of a
 * comparison, at the seed in the middle. Without a baseline the best and the worst. */
#ifndef TW_ENGINE_REPORT_PICTURES_PAIR_PICTURE_H
#define TW_ENGINE_REPORT_PICTURES_PAIR_PICTURE_H

#include "report/gallery/gallery.h"

struct tw_pair_shown {
    int32_t left, right; /* variants */
    uint64_t seed;
};

/* Chooses what is shown; false if there are no two variants, or if memory runs out. */
bool tw_pair_choose(const struct tw_comparison *comparison, struct tw_pair_shown *shown);

/* Draws it as PNG. `run` is of the comparison's experiment; its last four fields are ignored. */
enum tw_status tw_pair_draw(const struct tw_gallery_run *run, const struct tw_pair_shown *shown,
                            struct tw_bytes *png, struct tw_error *err);

#endif
