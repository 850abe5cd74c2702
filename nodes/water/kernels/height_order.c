/* SPDX-License-Identifier: MIT */
/* Radix sort by eleven bits at a time, of integers in the order of the floats. */
#include "water/kernels/height_order.h"

#include <thalweg/kernel.h>

enum { BITS = 11, BUCKETS = 1 << BITS, PASSES = 3 };

struct places {
    uint32_t next[PASSES][BUCKETS]; /* where the next cell of a bucket goes */
};

static uint32_t key_of(float height) { return tw_float_key(height + 0.0f); /* -0 becomes 0 */ }

static uint32_t bucket(uint32_t key, int pass) { return key >> (pass * BITS) & (BUCKETS - 1); }

static void count_buckets(const float *heights, size_t cells, struct places *places)
{
    *places = (struct places){0};
    for (size_t i = 0; i < cells; i++)
        for (int pass = 0; pass < PASSES; pass++)
            places->next[pass][bucket(key_of(heights[i]), pass)]++;
    for (int pass = 0; pass < PASSES; pass++)
        for (uint32_t k = 0, sum = 0; k < BUCKETS; k++) {
            uint32_t count = places->next[pass][k];
            places->next[pass][k] = sum;
            sum += count;
        }
}

const int32_t *tw_height_order(const float *heights, size_t cells, uint64_t *work, uint64_t *other)
{
    struct places places;
    int32_t *order = (int32_t *)(void *)work;
    count_buckets(heights, cells, &places);
    for (size_t i = 0; i < cells; i++) {
        uint32_t key = key_of(heights[i]);
        work[places.next[0][bucket(key, 0)]++] = (uint64_t)key << 32 | i;
    }
    for (size_t i = 0; i < cells; i++)
        other[places.next[1][bucket((uint32_t)(work[i] >> 32), 1)]++] = work[i];
    for (size_t i = 0; i < cells; i++)
        order[places.next[2][bucket((uint32_t)(other[i] >> 32), 2)]++] =
            (int32_t)(uint32_t)other[i];
    return order;
}
