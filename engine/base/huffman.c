/* SPDX-License-Identifier: MIT */
/* Symbols sorted by count, merged by two queues (van Leeuwen 1976), so that depths come without
 * pointers; depths beyond the limit are cut, and Kraft's sum is mended by lengthening the rarest
 * codes that still can be. */
#include "base/huffman.h"

#include <stdlib.h>

enum { LENGTH_MAX = 15 };

/* A symbol in the low bits, so that equal counts have an order. */
static int compare(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

static int sort_symbols(const uint32_t *counts, int count, uint64_t *sorted)
{
    int used = 0;
    for (int symbol = 0; symbol < count; symbol++)
        if (counts[symbol] > 0)
            sorted[used++] = (uint64_t)counts[symbol] << 16 | (uint64_t)symbol;
    qsort(sorted, (size_t)used, sizeof *sorted, compare);
    return used;
}

/* Parents of 2 n - 1 nodes, leaves first in the order of their counts, the root last. */
static void merge(const uint64_t *sorted, int n, int *parents)
{
    uint64_t weights[TW_HUFFMAN_SYMBOLS_MAX];
    int leaf = 0, inner = 0;
    for (int made = 0; made < n - 1; made++) {
        weights[made] = 0;
        for (int side = 0; side < 2; side++) {
            if (leaf < n && (inner == made || sorted[leaf] >> 16 <= weights[inner])) {
                weights[made] += sorted[leaf] >> 16;
                parents[leaf++] = n + made;
            } else {
                weights[made] += weights[inner];
                parents[n + inner++] = n + made;
            }
        }
    }
}

/* How many leaves have each depth, at most `limit`. */
static void count_depths(const int *parents, int n, int limit, int *depths)
{
    int depth[2 * TW_HUFFMAN_SYMBOLS_MAX];
    depth[2 * n - 2] = 0;
    for (int node = 2 * n - 3; node >= 0; node--) {
        depth[node] = depth[parents[node]] + 1;
        if (node < n)
            depths[depth[node] < limit ? depth[node] : limit]++;
    }
}

/* Kraft's sum in units of 2^-limit must be 2^limit. A leaf of length `limit` is moved beside one
 * of the longest length below, which becomes one longer: that takes one unit off the sum. */
static void mend(int *depths, int limit)
{
    int64_t sum = 0;
    for (int length = 1; length <= limit; length++)
        sum += (int64_t)depths[length] << (limit - length);
    for (; sum > (int64_t)1 << limit; sum--) {
        int length = limit - 1;
        while (depths[length] == 0)
            length--;
        depths[length]--;
        depths[length + 1] += 2;
        depths[limit]--;
    }
}

void tw_huffman_lengths(const uint32_t *counts, int count, int limit, unsigned char *lengths)
{
    uint64_t sorted[TW_HUFFMAN_SYMBOLS_MAX];
    int parents[2 * TW_HUFFMAN_SYMBOLS_MAX], depths[LENGTH_MAX + 1] = {0};
    int used = sort_symbols(counts, count, sorted);
    for (int symbol = 0; symbol < count; symbol++)
        lengths[symbol] = 0;
    if (used == 1)
        depths[1] = 1;
    if (used > 1) {
        merge(sorted, used, parents);
        count_depths(parents, used, limit, depths);
        mend(depths, limit);
    }
    int at = 0;
    for (int length = limit; length > 0; length--) /* the rarest symbols are the longest */
        for (int i = 0; i < depths[length]; i++)
            lengths[sorted[at++] & 0xFFFF] = (unsigned char)length;
}

static uint16_t reverse(unsigned code, int length)
{
    unsigned reversed = 0;
    for (int bit = 0; bit < length; bit++)
        reversed |= (code >> bit & 1) << (length - 1 - bit);
    return (uint16_t)reversed;
}

void tw_huffman_codes(const unsigned char *lengths, int count, uint16_t *codes)
{
    unsigned used[LENGTH_MAX + 1] = {0}, next[LENGTH_MAX + 1] = {0};
    for (int symbol = 0; symbol < count; symbol++)
        used[lengths[symbol]] += lengths[symbol] > 0;
    for (int length = 2; length <= LENGTH_MAX; length++)
        next[length] = (next[length - 1] + used[length - 1]) << 1;
    for (int symbol = 0; symbol < count; symbol++)
        codes[symbol] = lengths[symbol] > 0 ? reverse(next[lengths[symbol]]++, lengths[symbol]) : 0;
}
