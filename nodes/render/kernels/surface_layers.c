/* SPDX-License-Identifier: MIT */
/* Masks as materials over the ground. Noise frays the borders, where a mask is between 0 and 1,
 * and varies the colour; what is wholly in or outside a mask keeps to it. */
#include "render/kernels/enlarge.h"
#include "render/kernels/surface_paint.h"

static TW_INLINE void lay_body(struct tw_paint_piece *c, const float *mask,
                               const struct tw_material *material)
{
    const struct tw_material m = *material;
    TW_INDEPENDENT
    for (int32_t i = 0; i < c->count; i++) {
        float in = tw_share_of(mask[i]), n1 = c->n1[i], n2 = c->n2[i];
        float frayed = in + 4.0f * in * (1.0f - in) * m.ragged * (0.30f * n1 + 0.35f * n2);
        float share = tw_smoothstep(0.15f, 0.85f, frayed), rest = 1.0f - share;
        float tone = share * (1.0f + m.grain * (0.10f * n1 + 0.14f * n2));
        c->over_red[i] = c->over_red[i] * rest + m.colour.r * tone;
        c->over_green[i] = c->over_green[i] * rest + m.colour.g * tone;
        c->over_blue[i] = c->over_blue[i] * rest + m.colour.b * tone;
        c->bare[i] *= rest;
        c->bump[i] = c->bump[i] * rest + m.bump * share;
    }
}
TW_SIMD_KERNEL(lay,
               (struct tw_paint_piece * c, const float *mask, const struct tw_material *material),
               (c, mask, material))

void tw_paint_layers(enum tw_simd simd, const struct tw_paint *paint, struct tw_paint_piece *piece)
{
    float mask[TW_PAINT_CELLS];
    const struct tw_layers *layers = paint->layers;
    const int32_t enlarge = paint->enlarge;
    const int32_t width = paint->width / enlarge, height = paint->height / enlarge;
    for (int32_t i = 0; i < piece->count; i++) {
        piece->over_red[i] = piece->over_green[i] = piece->over_blue[i] = 0;
        piece->bare[i] = 1;
    }
    for (int32_t i = 0; i < layers->count; i++) {
        tw_enlarge_read(layers->masks[i], width, height, enlarge, piece->y, piece->x, piece->count,
                        mask);
        lay(simd)(piece, mask, &layers->materials[i]);
    }
}
