/* SPDX-License-Identifier: MIT */
/* A map bent by vectors: out(p) = in(p + strength v(p)), bilinear. */
#include "shape/kernels/vector_field.h"

#include <thalweg/masks.h>

struct params {
    float strength;
    int32_t border;
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, strength, 0.02, -100, 100, TW_UNIT_SIDE,
                 "how far a vector of length 1 looks", TW_USUAL(-0.2, 0.2)),
    TW_PARAM_BORDER(struct params, border),
    TW_PARAM_END,
};

enum { IN, VECTORS, MASK };
static const struct tw_port inputs[] = {
    {"in", TW_HEIGHTMAP, TW_KEEPS_TYPE, "the map to bend"},
    {"vectors", TW_VECTORS, 0, "where each cell looks, to the east and to the south"},
    TW_STRENGTH_PORT,
    TW_PORT_END,
};

enum { OUT };
static const struct tw_port outputs[] = {
    {"out", TW_HEIGHTMAP, TW_KEEPS_TYPE, "the bent map"},
    TW_PORT_END,
};

struct job {
    const float *in;
    const struct tw_vector *vectors;
    float *out;
    int32_t width, height;
    float cells; /* displacement of a vector of length 1 */
    bool wrap;
};

static void warp_rows(void *context, int32_t begin, int32_t end)
{
    const struct job *job = context;
    size_t at = (size_t)begin * (size_t)job->width;
    for (int32_t y = begin; y < end; y++)
        for (int32_t x = 0; x < job->width; x++, at++) {
            struct tw_vector v = job->vectors[at];
            struct tw_beside beside = tw_beside_cell(job->width, job->height, x, y,
                                                     job->cells * v.x, job->cells * v.y, job->wrap);
            job->out[at] = tw_height_beside(job->in, &beside);
        }
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    struct job job = {tw_floats(tw_task_input(task, IN)),
                      tw_vectors(tw_task_input(task, VECTORS)),
                      tw_floats(tw_task_output(task, OUT)),
                      tw_task_width(task),
                      tw_task_height(task),
                      p->strength * (float)tw_task_width(task),
                      tw_task_wraps(task, p->border)};
    tw_rows(task, job.height, 16, warp_rows, &job);
    tw_strength_apply(task, job.in, job.out, tw_task_input(task, MASK), job.out);
    tw_keep_mask(task);
    return TW_OK;
}

extern const struct tw_node_type tw_node_shape_warp;
const struct tw_node_type tw_node_shape_warp = {
    .name = "shape.warp",
    .version = 1,
    .summary = "bend a map by vectors",
    .keywords = "distort, displace by a map, bend, domain warping, swirl",
    .elsewhere =
        "Warp (Gaea), DirectionalWarp (Gaea), Simple Displacement (World Machine), HeightField "
        "Distort by Layer (Houdini), Warp (Hesiod)",
    .detail =
        "Bends a map by vectors, such as those of shape.gradient. Choose shape.perturb to bend "
        "it by noise.\n"
        "Bilinear, with vectors v of any length:\n"
        "    out(p) = in(p + strength v(p)).\n"
        "Where strength |dv/dp| passes 1, the map folds over itself.\n"
        "Border: the other side, or the cell at the border again.",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "land: {type: noise.ridged}\n"
               "soft: {type: noise.perlin, octaves: 1}\n"
               "flow: {type: shape.gradient, in: soft, direction: left}\n"
               "bent: {type: shape.warp, in: land, vectors: flow, strength: 0.03}",
    .bordered = true,
    .reach = TW_REACH_ALL,
    .run = run,
};
