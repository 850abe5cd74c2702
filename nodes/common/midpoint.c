/* SPDX-License-Identifier: MIT */
/* Diamond-square on a torus, level by level. A cell's random offset is addressed by its position
 * in units of its level, so a larger torus shows the same terrain in more detail. */
#include "common/midpoint.h"

#include <thalweg/kernel.h>

struct level {
    const struct tw_midpoint *noise;
    uint64_t seed;
    float *cells;
    int32_t side, step; /* step: distance of the values known before this level */
    float amplitude;
    uint32_t index;
    bool square; /* the second half-step */
};

int32_t tw_midpoint_side(const struct tw_task *task, int32_t frequency)
{
    int32_t longest =
        tw_task_width(task) > tw_task_height(task) ? tw_task_width(task) : tw_task_height(task);
    int32_t side = frequency;
    while (side < longest)
        side *= 2;
    return side;
}

/* Offset in -1/2..1/2. Gaussian: the sum of twelve uniforms has deviation 1; 1/6 of it, cut to the
 * range, which a normal draw leaves at three deviations. */
static float draw(const struct level *level, int32_t x, int32_t y)
{
    uint32_t kind = level->index * 2 + level->square;
    struct tw_random4 words = tw_random(level->seed, (uint32_t)x, (uint32_t)y, kind, 0);
    if (!level->noise->gaussian)
        return tw_uniform(words.at[0]) - 0.5f;
    float sum = 0;
    for (uint32_t i = 0; i < 3; i++) {
        words = tw_random(level->seed, (uint32_t)x, (uint32_t)y, kind, i);
        for (int k = 0; k < 4; k++)
            sum += tw_uniform(words.at[k]);
    }
    return tw_clamp((sum - 6.0f) / 6.0f, -0.5f, 0.5f);
}

static float displace(const struct level *level, float average, int32_t x, int32_t y)
{
    int32_t half = level->step / 2;
    float offset = draw(level, x / half, y / half) * level->amplitude;
    return level->noise->smoothed ? average * (1.0f + offset) : average + offset;
}

static float cell_at(const struct level *level, int32_t x, int32_t y)
{
    int32_t mask = level->side - 1;
    return level->cells[(size_t)(y & mask) * (size_t)level->side + (size_t)(x & mask)];
}

/* Diamond step: centres of squares, from their four corners. */
static void diamond_row(const struct level *level, int32_t y)
{
    int32_t half = level->step / 2;
    float *row = level->cells + (size_t)y * (size_t)level->side;
    for (int32_t x = half; x < level->side; x += level->step) {
        float sum = cell_at(level, x - half, y - half) + cell_at(level, x + half, y - half);
        sum = sum + cell_at(level, x - half, y + half) + cell_at(level, x + half, y + half);
        row[x] = displace(level, sum * 0.25f, x, y);
    }
}

/* Square step: edge midpoints, from the four lateral neighbours. */
static void square_row(const struct level *level, int32_t y)
{
    int32_t half = level->step / 2;
    float *row = level->cells + (size_t)y * (size_t)level->side;
    for (int32_t x = (y / half) % 2 ? 0 : half; x < level->side; x += level->step) {
        float sum = cell_at(level, x, y - half) + cell_at(level, x - half, y);
        sum = sum + cell_at(level, x + half, y) + cell_at(level, x, y + half);
        row[x] = displace(level, sum * 0.25f, x, y);
    }
}

static void fill_rows(void *context, int32_t begin, int32_t end)
{
    const struct level *level = context;
    int32_t half = level->step / 2;
    for (int32_t i = begin; i < end; i++) {
        if (level->square)
            square_row(level, i * half);
        else
            diamond_row(level, half + i * level->step);
    }
}

static void start_values(const struct level *level, int32_t frequency)
{
    int32_t step = level->side / frequency;
    for (int32_t y = 0; y < frequency; y++)
        for (int32_t x = 0; x < frequency; x++) {
            struct tw_random4 words = tw_random(level->seed, (uint32_t)x, (uint32_t)y, 0, 0);
            level->cells[(size_t)(y * step) * (size_t)level->side + (size_t)(x * step)] =
                frequency == 1 ? 0.5f : tw_uniform(words.at[0]);
        }
}

static void rescale(float *cells, size_t count)
{
    float low = cells[0], high = cells[0];
    for (size_t i = 1; i < count; i++) {
        low = tw_min(low, cells[i]);
        high = tw_max(high, cells[i]);
    }
    float span = high > low ? high - low : 1.0f;
    for (size_t i = 0; i < count; i++)
        cells[i] = (cells[i] - low) / span;
}

enum tw_status tw_midpoint_fill(struct tw_task *task, const struct tw_midpoint *noise, int32_t side,
                                float *cells)
{
    struct level level = {.noise = noise, .seed = tw_task_seed(task), .cells = cells};
    level.side = side;
    level.amplitude = 1;
    start_values(&level, noise->frequency);
    for (level.step = side / noise->frequency; level.step > 1; level.step /= 2) {
        if (tw_task_cancelled(task))
            return TW_CANCELLED;
        level.index++;
        level.square = false;
        tw_rows(task, side / level.step, 16, fill_rows, &level);
        level.square = true;
        tw_rows(task, side / level.step * 2, 16, fill_rows, &level);
        level.amplitude *= noise->persistence;
    }
    rescale(cells, (size_t)side * (size_t)side);
    return TW_OK;
}
