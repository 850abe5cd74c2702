/* SPDX-License-Identifier: MIT */
#include "erosion/kernels/coats.h"

#include <thalweg/simd.h>

#include <string.h>

/* A band keeps the outflow of three rows at a time: for each of 8 neighbours in reading order the
 * water and the sediment that go there, and what stays. Maps have a border of one cell, so high
 * that nothing flows there: altitude WALL. */
enum { BAND = 32, WATER_TO = 0, SEDIMENT_TO = 8, STAYS = 16, PLANES = 19, RING = 3, LANES_MAX = 8 };
#define WALL 1e30f

struct flow {
    struct tw_coats_maps now, next; /* with their border */
    float *rings;
    double *fallen; /* rain on a row */
    int32_t width, height;
    size_t stride;
    float capacity, deposition, softness;
    bool shares;
    float staying; /* share of the water that does not evaporate */
    enum tw_simd simd;
};

#define LANES 4
#include "erosion/kernels/coats_lanes.h"
#define LANES 8
#include "erosion/kernels/coats_lanes.h"

/* The width of the vectors is part of the code, since compilers split wider ones badly; with
 * AVX-512, 8 cells and its masks took two thirds of the time of 16. */
#if defined(__x86_64__)
__attribute__((target("avx2,bmi2"))) static void flow_row_avx2(const struct flow *f, int32_t y,
                                                               float *ring)
{
    flow_row_8(f, y, ring);
}
TW_TARGET_AVX512 static void flow_row_avx512(const struct flow *f, int32_t y, float *ring)
{
    flow_row_8(f, y, ring);
}
#endif

static void flow_row(const struct flow *f, int32_t y, float *ring)
{
#if defined(__x86_64__)
    if (f->simd == TW_SIMD_AVX512)
        flow_row_avx512(f, y, ring);
    else if (f->simd == TW_SIMD_AVX2)
        flow_row_avx2(f, y, ring);
    else
#endif
        flow_row_4(f, y, ring);
}

/* Writes the row's new state: what stayed, then what came from the neighbours in reading order. */
static TW_INLINE void gather_row_body(const struct flow *f, int32_t y, float *const rings[RING])
{
    const size_t stride = f->stride, row = (size_t)(y + 1) * stride;
    const float *restrict upper = rings[0], *restrict own = rings[1], *restrict lower = rings[2];
    float *restrict altitude = f->next.altitude + row, *restrict water = f->next.water + row;
    float *restrict sediment = f->next.sediment + row;
    for (int kind = 0; kind < 2; kind++) {
        float *restrict to = kind == 0 ? water : sediment;
        const float share = kind == 0 ? f->staying : 1.0f;
        const float *restrict stays = own + (STAYS + 1 + (size_t)kind) * stride;
        const size_t first = (kind == 0 ? WATER_TO : SEDIMENT_TO) * stride;
        const float *from[8] = {upper + first + 7 * stride - 1, upper + first + 6 * stride,
                                upper + first + 5 * stride + 1, own + first + 4 * stride - 1,
                                own + first + 3 * stride + 1,   lower + first + 2 * stride - 1,
                                lower + first + 1 * stride,     lower + first + 1};
        for (size_t x = 1; x < stride - 1; x++)
            to[x] = (stays[x] + from[0][x] + from[1][x] + from[2][x] + from[3][x] + from[4][x] +
                     from[5][x] + from[6][x] + from[7][x]) *
                    share;
    }
    memcpy(altitude + 1, own + STAYS * stride + 1, (stride - 2) * sizeof *altitude);
}
TW_SIMD_KERNEL(gather_row, (const struct flow *f, int32_t y, float *const rings[RING]),
               (f, y, rings))

static void flow_or_none(const struct flow *f, int32_t y, float *ring)
{
    if (y >= 0 && y < f->height)
        flow_row(f, y, ring);
    else
        memset(ring, 0, STAYS * f->stride * sizeof *ring);
}

static void step_bands(void *context, int32_t begin, int32_t end)
{
    const struct flow *f = context;
    const size_t size = PLANES * f->stride;
    for (int32_t band = begin; band < end; band++) {
        float *base = f->rings + (size_t)band * RING * size;
        float *rings[RING] = {base, base + size, base + 2 * size};
        int32_t first = band * BAND, last = first + BAND < f->height ? first + BAND : f->height;
        flow_or_none(f, first - 1, rings[0]);
        flow_or_none(f, first, rings[1]);
        for (int32_t y = first; y < last; y++) {
            flow_or_none(f, y + 1, rings[2]);
            gather_row(f->simd)(f, y, rings);
            float *oldest = rings[0];
            rings[0] = rings[1];
            rings[1] = rings[2];
            rings[2] = oldest;
        }
    }
}

struct rain {
    const struct flow *flow;
    const struct tw_coats *k;
};

static void rain_rows(void *context, int32_t begin, int32_t end)
{
    const struct rain *rain = context;
    const struct flow *f = rain->flow;
    for (int32_t y = begin; y < end; y++) {
        double sum = 0;
        for (int32_t x = 0; x < f->width; x++) {
            size_t cell = (size_t)(y + 1) * f->stride + (size_t)x + 1;
            float fall = (float)tw_coats_rain(rain->k, (double)f->now.altitude[cell]);
            f->now.water[cell] += fall;
            sum += (double)fall;
        }
        f->fallen[y] += sum;
    }
}

/* Copies between the map `cells` and the map with a border. */
static void copy_map(const struct flow *f, float *cells, float *wide, bool in)
{
    for (int32_t y = 0; y < f->height; y++) {
        float *row = cells + (size_t)y * (size_t)f->width;
        float *wide_row = wide + (size_t)(y + 1) * f->stride + 1;
        memcpy(in ? wide_row : row, in ? row : wide_row, (size_t)f->width * sizeof *row);
    }
}

/* Both states, the rings and the rain of rows are one block. */
static void lay_out(struct flow *f, void *memory)
{
    size_t count = f->stride * (size_t)(f->height + 2);
    struct tw_coats_maps *states[2] = {&f->now, &f->next};
    float *at = (float *)((double *)memory + f->height);
    f->fallen = memory;
    memset(f->fallen, 0, (size_t)f->height * sizeof *f->fallen);
    for (int i = 0; i < 2; i++, at += 3 * count) {
        *states[i] = (struct tw_coats_maps){at, at + count, at + 2 * count};
        for (size_t cell = 0; cell < count; cell++)
            states[i]->altitude[cell] = WALL;
        memset(states[i]->water, 0, 2 * count * sizeof *at);
    }
    f->rings = at;
}

static size_t stride_of(int32_t width)
{
    return ((size_t)width + LANES_MAX - 1) / LANES_MAX * LANES_MAX + 2;
}

static size_t ring_floats(int32_t height, size_t stride)
{
    size_t bands = ((size_t)height - 1) / BAND + 1;
    return bands * RING * PLANES * stride;
}

/* Row sums, two states of three maps each, and rings. */
static size_t bytes_of(int32_t height, size_t stride)
{
    size_t states = 6 * stride * (size_t)(height + 2);
    return (size_t)height * sizeof(double) + (states + ring_floats(height, stride)) * sizeof(float);
}

static void copy_maps(const struct flow *f, const struct tw_coats_maps *maps, bool in)
{
    copy_map(f, maps->altitude, f->now.altitude, in);
    copy_map(f, maps->water, f->now.water, in);
    copy_map(f, maps->sediment, f->now.sediment, in);
}

static struct tw_coats_range range_of(const struct flow *f, bool with_water)
{
    const struct tw_coats_maps *s = &f->now;
    double first = (double)s->altitude[f->stride + 1];
    struct tw_coats_range range = {first, first};
    for (int32_t y = 0; y < f->height; y++)
        for (int32_t x = 0; x < f->width; x++) {
            size_t i = (size_t)(y + 1) * f->stride + (size_t)x + 1;
            tw_coats_widen(&range, (double)s->altitude[i]);
            if (with_water)
                tw_coats_widen(&range, (double)s->altitude[i] + (double)s->water[i] +
                                           (double)s->sediment[i]);
        }
    return range;
}

/* Runs all steps, or those until heights run away. */
static enum tw_status advance(struct tw_task *task, struct flow *f, const struct tw_coats *k,
                              struct tw_coats_end *end)
{
    for (int32_t step = 0; step < k->steps && !end->unstable; step++) {
        if (tw_task_cancelled(task))
            return TW_CANCELLED;
        if (step % k->rain_period == 0)
            tw_rows(task, f->height, 64, rain_rows, &(struct rain){f, k});
        tw_rows(task, (f->height - 1) / BAND + 1, 1, step_bands, f);
        struct tw_coats_maps old = f->now;
        f->now = f->next;
        f->next = old;
        end->steps = step + 1;
        if (tw_coats_looks(k, step)) {
            end->now = range_of(f, false);
            tw_coats_judge(end, k);
        }
        tw_task_progress(task, (double)(step + 1) / k->steps);
    }
    return TW_OK;
}

enum tw_status tw_coats_synchronous(struct tw_task *task, const struct tw_coats *k,
                                    const struct tw_coats_maps *maps, bool store, void *memory,
                                    struct tw_coats_end *end)
{
    struct flow f = {.width = tw_task_width(task),
                     .height = tw_task_height(task),
                     .capacity = k->capacity,
                     .deposition = k->deposition,
                     .softness = k->softness,
                     .shares = k->shares,
                     .staying = 1.0f - k->evaporation,
                     .simd = tw_task_simd(task)};
    f.stride = stride_of(f.width);
    lay_out(&f, memory);
    memset(f.rings, 0, ring_floats(f.height, f.stride) * sizeof *f.rings);
    copy_maps(&f, maps, true);
    *end = (struct tw_coats_end){.terrain = range_of(&f, true)};
    enum tw_status status = advance(task, &f, k, end);
    for (int32_t y = 0; y < f.height; y++)
        end->rained += f.fallen[y];
    if (status == TW_OK && store && !end->unstable)
        copy_maps(&f, maps, false);
    return status;
}

void *tw_coats_synchronous_lay_out(struct tw_scratch *s)
{
    size_t stride = stride_of(tw_scratch_width(s));
    return tw_scratch_take(s, bytes_of(tw_scratch_height(s), stride), 1);
}
