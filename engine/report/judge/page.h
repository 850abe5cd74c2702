/* SPDX-License-Identifier: MIT */
/* The page on which a judge chooses between two pictures without knowing the variants, and
 * evaluates the answers. */
#ifndef TW_ENGINE_REPORT_JUDGE_PAGE_H
#define TW_ENGINE_REPORT_JUDGE_PAGE_H

#include "report/gallery/gallery.h"
#include "report/judge/pairs.h"

#include <stdio.h>

struct tw_judge_page {
    const struct tw_judge_pairs *pairs;
    const struct tw_gallery *gallery; /* the first pairs->seeds of the experiment, all variants */
    uint64_t draw;
    int32_t asked; /* pairs requested; there may be fewer */
};

/* The page shows no names, and orders pictures at random. */
void tw_judge_page(FILE *out, const struct tw_judge_page *page);

#endif
