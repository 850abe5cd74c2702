/* SPDX-License-Identifier: MIT */
#include "water/kernels/lake_balance.h"

static const int64_t ENDLESS = (int64_t)1 << 62; /* more than all rain */

struct balance {
    struct tw_depressions *d;
    struct tw_depression *at;
    int64_t loss; /* of a cell under water, in units of rain */
    int64_t to_sea;
};

static int64_t loss_of(double evaporation, double unit)
{
    double units = evaporation * unit;
    if (units >= 0x1p62)
        return ENDLESS;
    int64_t loss = (int64_t)(units + 0.5);
    return loss == 0 && evaporation > 0 ? 1 : loss;
}

/* What the full depression loses. */
static int64_t capacity(const struct balance *b, int32_t node)
{
    int64_t cells = b->at[node].cells;
    return cells > 0 && b->loss > ENDLESS / cells ? ENDLESS : cells * b->loss;
}

static bool is_full(const struct balance *b, int32_t node) { return b->at[node].link != node; }

/* Both parts of an active depression are full: it holds the water of both. */
static bool is_active(const struct balance *b, int32_t node)
{
    const int32_t *child = b->at[node].child;
    return child[0] == TW_OCEAN || (is_full(b, child[0]) && is_full(b, child[1]));
}

/* From now on water that comes to this full depression goes on: to its whole if the other part is
 * full too, else over the saddle into that. */
static void send_on(struct balance *b, int32_t node)
{
    struct tw_depression *full = &b->at[node];
    const struct tw_depression *whole = &b->at[full->parent];
    full->link = full->beyond;
    if (full->parent == TW_OCEAN)
        return;
    int32_t other = whole->child[whole->child[0] == node];
    if (!is_full(b, other))
        return;
    full->link = b->at[other].link = full->parent;
    b->at[full->parent].water = full->water + b->at[other].water;
}

/* Pours water on a leaf. It passes over what is full, fills what it meets, and ends in the first
 * depression that can hold it, or in the sea. */
static void pour(struct balance *b, int32_t leaf, int64_t water)
{
    for (int32_t node = leaf;;) {
        node = tw_depressions_end(b->d, node);
        if (node == TW_OCEAN) {
            b->to_sea += water;
            return;
        }
        int64_t room = capacity(b, node) - b->at[node].water;
        if (water < room) {
            b->at[node].water += water;
            return;
        }
        water -= room;
        b->at[node].water += room;
        send_on(b, node);
    }
}

/* ---- levels ---- */

/* The depression whose lake each takes part in. `cells` of one that is not full becomes the number
 * of cells that its lake covers; returns whether there is any. */
static bool find_tops(struct balance *b)
{
    bool partial = false;
    for (int32_t node = b->d->count - 1; node > TW_OCEAN; node--) {
        struct tw_depression *at = &b->at[node];
        if (at->parent != TW_OCEAN && b->at[at->parent].top != TW_OCEAN) {
            at->top = b->at[at->parent].top;
            continue;
        }
        at->top = is_active(b, node) ? node : TW_OCEAN;
        at->level = at->top && is_full(b, node) ? at->spill : -FLT_MAX;
        if (at->top && !is_full(b, node) && b->loss > 0) { /* without loss all are full */
            at->cells = (int32_t)(at->water / b->loss);
            partial = true;
        }
    }
    return partial;
}

/* A lake that covers so many cells rises to the next. */
static void find_partial_levels(struct balance *b)
{
    const struct tw_depressions *d = b->d;
    for (int32_t i = 0; i < d->width * d->height; i++) {
        int32_t cell = d->order[i], node = b->at[d->home[cell]].top;
        if (node != TW_OCEAN && !is_full(b, node) && b->at[node].cells-- == 0)
            b->at[node].level = d->heights[cell];
    }
}

/* Parts that meet only at the level of their saddle have lakes of their own. */
static void find_lakes(struct balance *b)
{
    for (int32_t node = b->d->count - 1; node > TW_OCEAN; node--) {
        struct tw_depression *at = &b->at[node];
        at->lake = node;
        if (at->top == node || at->top == TW_OCEAN)
            continue;
        at->level = b->at[at->parent].level;
        if (at->spill < at->level)
            at->lake = b->at[at->parent].lake;
    }
}

struct tw_water_budget tw_lake_balance(struct tw_depressions *d, double evaporation)
{
    struct balance b = {.d = d, .at = d->at, .loss = loss_of(evaporation, d->rain.unit)};
    struct tw_water_budget budget = {0};
    for (int32_t node = 1; node < d->count; node++)
        d->at[node].link = node;
    b.to_sea = d->at[TW_OCEAN].rain;
    for (int32_t node = 1; node < d->count; node++)
        if (d->at[node].child[0] == TW_OCEAN)
            pour(&b, node, d->at[node].rain);
    if (find_tops(&b))
        find_partial_levels(&b);
    find_lakes(&b);
    for (int32_t node = 1; node < d->count; node++)
        if (d->at[node].top == node)
            budget.evaporated += d->at[node].water;
    budget.to_sea = b.to_sea;
    return budget;
}
