/* SPDX-License-Identifier: MIT */
/* The pictures of a comparison's page: of its variants at each level, and of trials of a tuning. */
#ifndef TW_ENGINE_CLI_COMPARE_PICTURES_H
#define TW_ENGINE_CLI_COMPARE_PICTURES_H

#include "cli/compare/compare.h"
#include "report/gallery/gallery.h"

struct tw_compare_pictures {
    struct tw_gallery *levels; /* [level]; those without seeds were not drawn */
    int32_t level_count;
    struct tw_gallery tried;               /* of the first seed */
    int32_t tried_at[TW_GALLERY_VARIANTS]; /* trials: the best, the knee, others of the front */
};

/* Draws them. A seed that fails is reported, sets `seeds` to its status and has no pictures; the
 * others continue. Release the pictures even after a failure. */
enum tw_status tw_compare_draw(const struct tw_comparison *comparison,
                               const struct tw_compare_report *report,
                               struct tw_compare_pictures *pictures, enum tw_status *seeds,
                               struct tw_error *err);
void tw_compare_pictures_release(struct tw_compare_pictures *pictures);

#endif
