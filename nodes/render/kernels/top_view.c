/* SPDX-License-Identifier: MIT */
/* Each pixel reads the level whose cells are as large as it is. */
#include "render/kernels/top_view.h"

#include "render/kernels/surface_mips.h"
#include "render/kernels/tone.h"

#define AIR 0.06f /* share of the haze between the ground and who looks from above */

struct painting {
    const struct tw_top_view *view;
    struct tw_value *image;
    struct tw_surface_mips mips;
    struct tw_tone_tables tones;
    float lod;
};

static void paint_rows(void *context, int32_t begin, int32_t end)
{
    const struct painting *p = context;
    const struct tw_top_view *view = p->view;
    int32_t width = p->image->width;
    float across = (float)view->width / (float)width;
    float down = (float)view->height / (float)p->image->height;
    for (int32_t y = begin; y < end; y++)
        for (int32_t x = 0; x < width; x++) {
            struct tw_surface_sample sample =
                tw_surface_mips_read(&p->mips, ((float)x + 0.5f) * across - 0.5f,
                                     ((float)y + 0.5f) * down - 0.5f, p->lod);
            struct tw_rgb c = sample.light;
            if (view->exposure > 0)
                c = tw_tone_map(tw_rgb_mix(c, view->air, AIR), view->exposure);
            tw_tone_store(&p->tones, c,
                          tw_pixels(p->image) + 3 * ((size_t)y * (size_t)width + (size_t)x));
        }
}

enum tw_status tw_top_view_paint(struct tw_task *task, const struct tw_top_view *view,
                                 struct tw_value *image)
{
    struct painting p = {.view = view, .image = image};
    enum tw_status status =
        tw_surface_mips_build(task, view->cells, view->width, view->height, &p.mips);
    if (status != TW_OK)
        return status;
    float pixel = tw_max((float)view->width / (float)image->width,
                         (float)view->height / (float)image->height);
    p.lod = tw_max(tw_fast_log2(pixel), 0.0f);
    tw_tone_tables_fill(&p.tones);
    tw_rows(task, image->height, 8, paint_rows, &p);
    return tw_task_cancelled(task) ? TW_CANCELLED : TW_OK;
}

void tw_top_view_forecast(struct tw_forecast *f, int32_t width, int32_t height)
{
    tw_surface_mips_forecast(f, width, height);
}
