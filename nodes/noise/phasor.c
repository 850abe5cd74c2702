/* SPDX-License-Identifier: MIT */
/* Directional noise: ridges of one wave length that follow a direction, as dunes, ripples and beds
 * of rock do. Tricard and others 2019, "Procedural phasor noise": the phase of a sum of random
 * waves goes through a profile, so crests keep their height where waves of a plain sum would
 * cancel. Our kernels have the window (1 - d^2)^3 within one cell of a grid in place of a Gaussian,
 * and where the sum is small the profile fades to 1/2: crests would end in loops there. */
#include "noise/kernels/phasor_field.h"

#include <thalweg/kernel.h>

enum { SINE, TRIANGLE, SAW, RIPPLE };

struct params {
    float frequency; /* f */
    float azimuth;
    float spread;
    int32_t profile;
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, frequency, 16, 0.25, 1024, "waves", "along the map's longer side",
                 TW_USUAL(2, 100)),
    TW_PARAM_F32(struct params, azimuth, 90, -360, 360, TW_UNIT_DEGREES,
                 "where the waves travel, clockwise from north; crests lie across"),
    TW_PARAM_F32(struct params, spread, 15, 0, 180, TW_UNIT_DEGREES,
                 "by how much single waves turn away, either way"),
    TW_PARAM_ENUM(struct params, profile, SINE, "sine|triangle|saw|ripple",
                  "of a wave; a ripple rises over seven tenths and falls over three"),
    TW_PARAM_END,
};

enum { VECTORS };
static const struct tw_port inputs[] = {
    {"vectors", TW_VECTORS, TW_OPTIONAL,
     "where waves travel at every place, of any length; `azimuth` where they are 0"},
    TW_PORT_END,
};

enum { OUT };
static const struct tw_port outputs[] = {
    {"out", TW_HEIGHTMAP, 0, "the noise, about 1/2, within 0..1"},
    TW_PORT_END,
};

/* The height of a wave at a phase; a sine needs its cosine alone. */
static double height_of(int32_t profile, double real, double imaginary, double size)
{
    if (profile == SINE)
        return 0.5 + 0.5 * real / size;
    double t = tw_atan2(imaginary, real) * 0.15915494309189535 + 0.5; /* 0 to 1 */
    if (profile == TRIANGLE)
        return t < 0.5 ? 2 * t : 2 - 2 * t;
    if (profile == SAW)
        return t;
    return t < 0.7 ? t / 0.7 : (1 - t) / 0.3;
}

struct job {
    const float *real, *imaginary;
    float *out;
    double *sums; /* of the field's size, by row */
    double full;  /* size from which on a wave is whole */
    int32_t width, profile;
};

static double size_at(const struct job *job, size_t i)
{
    double real = (double)job->real[i], imaginary = (double)job->imaginary[i];
    return sqrt(real * real + imaginary * imaginary);
}

static void sum_rows(void *context, int32_t begin, int32_t end)
{
    const struct job *job = context;
    for (int32_t y = begin; y < end; y++) {
        size_t first = (size_t)y * (size_t)job->width;
        job->sums[y] = 0;
        for (size_t i = first; i < first + (size_t)job->width; i++)
            job->sums[y] += size_at(job, i);
    }
}

static void profile_rows(void *context, int32_t begin, int32_t end)
{
    const struct job *job = context;
    size_t last = (size_t)end * (size_t)job->width;
    for (size_t i = (size_t)begin * (size_t)job->width; i < last; i++) {
        double size = size_at(job, i), height = 0.5;
        if (size > 0) {
            double t = size < job->full ? size / job->full : 1;
            double wave =
                height_of(job->profile, (double)job->real[i], (double)job->imaginary[i], size);
            height += t * t * (3 - 2 * t) * (wave - 0.5);
        }
        job->out[i] = (float)height;
    }
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    const struct tw_value *vectors = tw_task_input(task, VECTORS);
    const struct tw_value *out = tw_task_output(task, OUT);
    const struct tw_phasor phasor = {(double)p->frequency, (double)p->azimuth, (double)p->spread,
                                     vectors ? tw_vectors(vectors) : NULL};
    float *real = tw_task_scratch(task, tw_value_count(out), sizeof *real);
    float *imaginary = tw_task_scratch(task, tw_value_count(out), sizeof *imaginary);
    double *sums = tw_task_scratch(task, (size_t)out->height, sizeof *sums);
    if (!real || !imaginary || !sums)
        return tw_task_no_memory(task);
    enum tw_status status = tw_phasor_field(task, &phasor, real, imaginary);
    if (status != TW_OK)
        return status;
    struct job job = {real, imaginary, tw_floats(out), sums, 0, out->width, p->profile};
    tw_rows(task, out->height, 16, sum_rows, &job);
    for (int32_t y = 0; y < out->height; y++)
        job.full += sums[y];
    job.full *= 0.5 / (double)tw_value_count(out);
    tw_rows(task, out->height, 16, profile_rows, &job);
    return TW_OK;
}

static void forecast(struct tw_forecast *f)
{
    const struct params *p = f->params;
    tw_forecast_maps(f, 2, sizeof(float));
    tw_forecast_scratch(f, (uint64_t)f->height, sizeof(double));
    tw_phasor_forecast(f, (double)p->frequency);
}

extern const struct tw_node_type tw_node_noise_phasor;
const struct tw_node_type tw_node_noise_phasor = {
    .name = "noise.phasor",
    .version = 1,
    .summary = "waves that follow a direction, as dunes and ripples do",
    .keywords = "dunes, sand, desert, ripples, waves, stripes, Gabor noise, wind",
    .elsewhere = "DuneSea (Gaea), Gabor (Gaea), WaveDune (Hesiod), Wave Texture (Blender)",
    .detail =
        "Makes waves that follow a direction, such as dunes and ripples. Choose noise.perlin for "
        "noise without a direction.\n"
        "The sum takes 8 random kernels in each cell of a grid with f / 4 cells a side. u is the "
        "direction at the kernel's place and w = (1 - d^2)^3:\n"
        "    P = sum w(d) exp(i (2 pi f d.u + phase)).\n"
        "out is the profile of the phase of P, faded to 1/2 where |P| is below half its mean. "
        "Borders meet.",
    .cite = "tricard2019",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "land: {type: noise.perlin, octaves: 1, frequency: 2}\n"
               "slope: {type: shape.gradient, in: land}\n"
               "dunes: {type: noise.phasor, vectors: slope, profile: ripple}",
    .random = true,
    .reach = TW_REACH_ALL,
    .run = run,
    .forecast = forecast,
};
