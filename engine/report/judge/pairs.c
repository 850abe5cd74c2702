/* SPDX-License-Identifier: MIT */
#include "report/judge/pairs.h"

#include "base/memory/digest.h"
#include "base/text/stream.h"
#include "study/levels.h"

#include <thalweg/kernel.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum purpose { ORDER, SIDES, PICTURES };

static int32_t draw_below(uint64_t key, enum purpose purpose, int32_t i, int32_t limit)
{
    uint32_t word = tw_random(key, (uint32_t)purpose, (uint32_t)i, 0, 0).at[0];
    return (int32_t)((uint64_t)word * (uint64_t)limit >> 32);
}

static void swap_pairs(struct tw_judge_pair *a, struct tw_judge_pair *b)
{
    struct tw_judge_pair kept = *a;
    *a = *b;
    *b = kept;
}

/* Fisher-Yates shuffle; then draws each pair's sides. */
static void shuffle(struct tw_judge_pair *at, int32_t count, uint64_t draw)
{
    for (int32_t i = count - 1; i > 0; i--)
        swap_pairs(&at[i], &at[draw_below(draw, ORDER, i, i + 1)]);
    for (int32_t i = 0; i < count; i++)
        if (draw_below(draw, SIDES, i, 2)) {
            int32_t left = at[i].left;
            at[i].left = at[i].right;
            at[i].right = left;
        }
}

static void shuffle_pictures(int32_t *at, int32_t count, uint64_t draw)
{
    for (int32_t i = 0; i < count; i++)
        at[i] = i;
    for (int32_t i = count - 1; i > 0; i--) {
        int32_t other = draw_below(draw, PICTURES, i, i + 1), kept = at[i];
        at[i] = at[other];
        at[other] = kept;
    }
}

static bool identify(const struct tw_experiment *e, int32_t count, uint64_t draw,
                     struct tw_judge_pairs *pairs)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = tw_stream_open(&text, &length);
    if (!out)
        return false;
    fprintf(out, "judge 1 %d %" PRIu64, (int)count, draw);
    for (int32_t i = 0; i < pairs->seeds; i++)
        fprintf(out, " %" PRIu64, tw_experiment_seed(e, i));
    for (int32_t v = 0; v < e->variant_count; v++)
        fprintf(out, "\n%s", e->variants[v].name);
    if (e->levels && (e->levels->side > 0 || e->levels->setting_count > 0)) {
        fputs("\nlevel ", out);
        tw_level_write(out, e->levels, TW_TEXT_TERMINAL);
    }
    bool ok = tw_stream_close(out) == 0;
    if (ok) {
        struct tw_sha256 digest = tw_sha256_of(text, length);
        tw_hex(digest.at, (sizeof pairs->identity - 1) / 2, pairs->identity);
    }
    free(text);
    return ok;
}

static int32_t fill(struct tw_judge_pair *at, int32_t seeds, int32_t variants)
{
    int32_t count = 0;
    for (int32_t s = 0; s < seeds; s++)
        for (int32_t a = 0; a < variants; a++)
            for (int32_t b = a + 1; b < variants; b++)
                at[count++] = (struct tw_judge_pair){s, a, b};
    return count;
}

enum tw_status tw_judge_pairs_draw(const struct tw_experiment *e, int32_t count, uint64_t draw,
                                   struct tw_judge_pairs *pairs, struct tw_error *err)
{
    int32_t variants = e->variant_count, each = variants * (variants - 1) / 2;
    int32_t seeds = (count + each - 1) / each;
    seeds = seeds < e->seed_count ? seeds : e->seed_count;
    pairs->seeds = seeds < TW_JUDGE_SEEDS_MAX ? seeds : TW_JUDGE_SEEDS_MAX;
    pairs->at = calloc((size_t)pairs->seeds * (size_t)each, sizeof *pairs->at);
    pairs->picture = calloc((size_t)pairs->seeds * (size_t)variants, sizeof *pairs->picture);
    if (!pairs->at || !pairs->picture || !identify(e, count, draw, pairs))
        return tw_error_set(err, TW_MEMORY, "out of memory");
    pairs->count = fill(pairs->at, pairs->seeds, variants);
    shuffle(pairs->at, pairs->count, draw);
    shuffle_pictures(pairs->picture, pairs->seeds * variants, draw);
    pairs->count = pairs->count < count ? pairs->count : count;
    return TW_OK;
}

void tw_judge_pairs_release(struct tw_judge_pairs *pairs)
{
    free(pairs->at);
    free(pairs->picture);
}
