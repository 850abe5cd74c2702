/* SPDX-License-Identifier: MIT */
/* Radix sort by eleven bits at a time, of integers in the order of the floats. */
#include "measure/kernels/sorted.h"

#include <thalweg/kernel.h>

#include <string.h>

enum { BITS = 11, BUCKETS = 1 << BITS };

static uint32_t read_bits(const float *at)
{
    uint32_t bits;
    memcpy(&bits, at, sizeof bits);
    return bits;
}

static void pass(const float *from, float *to, size_t count, int shift)
{
    size_t starts[BUCKETS + 1] = {0};
    for (size_t i = 0; i < count; i++)
        starts[(read_bits(from + i) >> shift & (BUCKETS - 1)) + 1]++;
    for (int k = 0; k < BUCKETS; k++)
        starts[k + 1] += starts[k];
    for (size_t i = 0; i < count; i++) {
        uint32_t bits = read_bits(from + i);
        memcpy(to + starts[bits >> shift & (BUCKETS - 1)]++, &bits, sizeof bits);
    }
}

void tw_sort_floats(float *numbers, float *work, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t key = tw_float_key(numbers[i]);
        memcpy(numbers + i, &key, sizeof key);
    }
    pass(numbers, work, count, 0);
    pass(work, numbers, count, BITS);
    pass(numbers, work, count, 2 * BITS);
    for (size_t i = 0; i < count; i++)
        numbers[i] = tw_key_float(read_bits(work + i));
}

double tw_sorted_quantile(const float *sorted, size_t count, double p)
{
    double at = p * (double)(count - 1);
    size_t low = (size_t)at, high = low + 1 < count ? low + 1 : low;
    double share = at - (double)low;
    return (double)sorted[low] + ((double)sorted[high] - (double)sorted[low]) * share;
}

double tw_sorted_gap(const float *a, const float *b, size_t count)
{
    size_t i = 0, j = 0, gap = 0;
    while (i < count && j < count) {
        float next = a[i] < b[j] ? a[i] : b[j];
        while (i < count && a[i] <= next)
            i++;
        while (j < count && b[j] <= next)
            j++;
        size_t here = i > j ? i - j : j - i;
        gap = here > gap ? here : gap;
    }
    return (double)gap / (double)count;
}
