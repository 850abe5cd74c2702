/* SPDX-License-Identifier: MIT */
#include "report/pictures/pair_picture.h"

#include "report/gallery/private.h"

#include <string.h>

enum { GAP = 8 }; /* pixels of white between the two */

bool tw_pair_choose(const struct tw_comparison *c, struct tw_pair_shown *shown)
{
    const struct tw_choice two = tw_choose_variants(c, 2);
    struct tw_seed_choice seeds;
    if (two.count < 2 || c->count == 0 || !tw_choose_seeds(c, &seeds))
        return false;
    bool turned = two.at[1] == c->experiment->baseline;
    *shown = (struct tw_pair_shown){two.at[turned], two.at[!turned], seeds.median};
    return true;
}

static void put(const struct tw_value *from, const struct tw_value *image, int32_t left)
{
    for (int32_t y = 0; y < from->height; y++)
        memcpy((uint8_t *)image->data + 3 * ((size_t)y * (size_t)image->width + (size_t)left),
               tw_pixels(from) + 3 * (size_t)y * (size_t)from->width, 3 * (size_t)from->width);
}

static enum tw_status join(const struct tw_value *left, const struct tw_value *right,
                           struct tw_bytes *png, struct tw_error *err)
{
    struct tw_value image = {0};
    int32_t height = left->height > right->height ? left->height : right->height;
    enum tw_status status =
        tw_field_alloc(&image, TW_IMAGE, left->width + GAP + right->width, height, err);
    if (status != TW_OK)
        return status;
    memset(image.data, 255, 3 * tw_value_count(&image));
    put(left, &image, 0);
    put(right, &image, left->width + GAP);
    status = tw_gallery_encode(&image, png, err);
    tw_field_clear(&image);
    return status;
}

static void on_failed(void *context, uint64_t seed, const struct tw_error *error)
{
    (void)context;
    (void)seed;
    (void)error;
}

enum tw_status tw_pair_draw(const struct tw_gallery_run *run, const struct tw_pair_shown *shown,
                            struct tw_bytes *png, struct tw_error *err)
{
    struct tw_gallery_run own = *run;
    struct tw_gallery g = {
        .variants = {{shown->left, shown->right}, 2}, .seeds = {shown->seed}, .seed_count = 1};
    own.keeps_seen = true;
    own.shades = false;
    own.failed = on_failed;
    enum tw_status status = tw_gallery_fill(&own, &g, err);
    if (status == TW_OK && (!g.plates[0].seen.data || !g.plates[1].seen.data))
        status = tw_error_set(err, TW_RECIPE,
                              "there is nothing to look at: expected an output that is a height "
                              "map, or picture: in the experiment");
    if (status == TW_OK)
        status = join(&g.plates[0].seen, &g.plates[1].seen, png, err);
    tw_gallery_release(&g);
    return status;
}
