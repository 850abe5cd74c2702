/* SPDX-License-Identifier: MIT */
/* A block with its own codes begins with their lengths, runs of them shortened, in a code of its
 * own whose lengths come first. */
#include "base/deflate_private.h"

#include <string.h>

enum { LENGTH_CODES = 19, LENGTH_BITS = 7, REPEAT = 16, ZEROS = 17, MANY_ZEROS = 18 };

static const unsigned char extra_bits[LENGTH_CODES] = {[REPEAT] = 2, [ZEROS] = 3, [MANY_ZEROS] = 7};
static const unsigned char order[LENGTH_CODES] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                  11, 4,  12, 3, 13, 2, 14, 1, 15};

static void add_symbol(struct tw_deflate_head *head, unsigned symbol, unsigned extra)
{
    head->symbols[head->count] = (unsigned char)symbol;
    head->extras[head->count++] = (unsigned char)extra;
    head->code.counts[symbol]++;
}

/* `run` codes of one length. */
static void add_run(struct tw_deflate_head *head, unsigned length, unsigned run)
{
    if (length > 0) {
        add_symbol(head, length, 0);
        run--;
    }
    while (run >= 3) {
        const unsigned most = length > 0 ? 6 : 138, part = run < most ? run : most;
        if (length > 0)
            add_symbol(head, REPEAT, part - 3);
        else
            add_symbol(head, part > 10 ? MANY_ZEROS : ZEROS, part > 10 ? part - 11 : part - 3);
        run -= part;
    }
    for (; run > 0; run--)
        add_symbol(head, length, 0);
}

static int count_used(const unsigned char *lengths, int count, int least)
{
    while (count > least && lengths[count - 1] == 0)
        count--;
    return count;
}

void tw_deflate_make_head(const struct tw_deflate *deflate, struct tw_deflate_head *head)
{
    unsigned char all[TW_DEFLATE_LITERALS + TW_DEFLATE_DISTANCES];
    memset(head, 0, sizeof *head);
    head->literals = count_used(deflate->literals.lengths, TW_DEFLATE_LITERALS, 257);
    head->distances = count_used(deflate->distances.lengths, TW_DEFLATE_DISTANCES, 1);
    int count = head->literals + head->distances;
    memcpy(all, deflate->literals.lengths, (size_t)head->literals);
    memcpy(all + head->literals, deflate->distances.lengths, (size_t)head->distances);
    for (int i = 0, run = 1; i < count; i += run, run = 1) {
        while (i + run < count && all[i + run] == all[i])
            run++;
        add_run(head, all[i], (unsigned)run);
    }
    tw_huffman_lengths(head->code.counts, LENGTH_CODES, LENGTH_BITS, head->code.lengths);
    tw_huffman_codes(head->code.lengths, LENGTH_CODES, head->code.codes);
    head->length_codes = LENGTH_CODES;
    while (head->length_codes > 4 && head->code.lengths[order[head->length_codes - 1]] == 0)
        head->length_codes--;
}

uint64_t tw_deflate_head_bits(const struct tw_deflate_head *head)
{
    uint64_t sum = 14 + 3 * (uint64_t)head->length_codes;
    for (int i = 0; i < head->count; i++)
        sum += head->code.lengths[head->symbols[i]] + (uint64_t)extra_bits[head->symbols[i]];
    return sum;
}

void tw_deflate_put_head(struct tw_deflate_bits *bits, const struct tw_deflate_head *head)
{
    tw_deflate_put(bits, (unsigned)head->literals - 257, 5);
    tw_deflate_put(bits, (unsigned)head->distances - 1, 5);
    tw_deflate_put(bits, (unsigned)head->length_codes - 4, 4);
    for (int i = 0; i < head->length_codes; i++) {
        tw_deflate_put(bits, head->code.lengths[order[i]], 3);
        tw_deflate_flush(bits);
    }
    for (int i = 0; i < head->count; i++) {
        tw_deflate_put_symbol(bits, &head->code, head->symbols[i]);
        tw_deflate_put(bits, head->extras[i], extra_bits[head->symbols[i]]);
        tw_deflate_flush(bits);
    }
}
