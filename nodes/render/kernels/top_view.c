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
    enum tw_simd simd;
};

/* TW_MIPS_SAMPLES pixels from x on, some of them behind the border. */
static TW_INLINE void look_body(const struct painting *p, int32_t x, int32_t y, struct tw_rgb *to)
{
    const struct tw_top_view *view = p->view;
    float across = (float)view->width / (float)p->image->width;
    float down = (float)view->height / (float)p->image->height;
    float at_x[TW_MIPS_SAMPLES], at_y[TW_MIPS_SAMPLES], lod[TW_MIPS_SAMPLES];
    struct tw_mips_samples samples;
    for (int i = 0; i < TW_MIPS_SAMPLES; i++) {
        at_x[i] = ((float)(x + i) + 0.5f) * across - 0.5f;
        at_y[i] = ((float)y + 0.5f) * down - 0.5f;
        lod[i] = p->lod;
    }
    tw_surface_mips_read(&p->mips, at_x, at_y, lod, &samples);
    for (int i = 0; i < TW_MIPS_SAMPLES; i++) {
        struct tw_rgb c = {samples.red[i], samples.green[i], samples.blue[i]};
        struct tw_rgb shown = tw_tone_map(tw_rgb_mix(c, view->air, AIR), view->exposure);
        to[i] = view->exposure > 0 ? shown : c;
    }
}
TW_SIMD_KERNEL(look, (const struct painting *p, int32_t x, int32_t y, struct tw_rgb *to),
               (p, x, y, to))

static void paint_rows(void *context, int32_t begin, int32_t end)
{
    const struct painting *p = context;
    int32_t width = p->image->width;
    for (int32_t y = begin; y < end; y++)
        for (int32_t x = 0; x < width; x += TW_MIPS_SAMPLES) {
            struct tw_rgb shown[TW_MIPS_SAMPLES];
            look(p->simd)(p, x, y, shown);
            uint8_t *to = tw_pixels(p->image) + 3 * ((size_t)y * (size_t)width + (size_t)x);
            for (int32_t i = 0; i < TW_MIPS_SAMPLES && x + i < width; i++)
                tw_tone_store(&p->tones, shown[i], to + 3 * (size_t)i);
        }
}

enum tw_status tw_top_view_paint(struct tw_task *task, const struct tw_top_view *view,
                                 struct tw_value *image)
{
    struct painting p = {.view = view, .image = image, .simd = tw_task_simd(task)};
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
