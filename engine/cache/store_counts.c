/* SPDX-License-Identifier: MIT */
/* Counts the requests of all runs with a folder to the tiers of its cache; for people only, nothing
 * depends on them. */
#include "cache/store_private.h"

#include "base/memory/tally.h"
#include "base/os/dir.h"

#define COUNTS "counts"
enum { TIER = 5, ALL = 2 * TIER };

void tw_store_note(struct tw_store *store, enum tw_store_event event, uint64_t number)
{
    atomic_fetch_add(&store->events[event], number);
}

void tw_store_note_server(struct tw_store *store, const struct tw_tier_counts *counts)
{
    struct tw_tier_counts *sum = &store->server;
    sum->requests += counts->requests;
    sum->hits += counts->hits;
    sum->misses += counts->misses;
    sum->bytes_in += counts->bytes_in;
    sum->bytes_out += counts->bytes_out;
}

static void pack(const struct tw_tier_counts *tier, uint64_t numbers[TIER])
{
    numbers[0] = tier->requests;
    numbers[1] = tier->hits;
    numbers[2] = tier->misses;
    numbers[3] = tier->bytes_in;
    numbers[4] = tier->bytes_out;
}

static struct tw_tier_counts unpack(const uint64_t numbers[TIER])
{
    return (struct tw_tier_counts){numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]};
}

void tw_store_save_counts(struct tw_store *store)
{
    uint64_t numbers[ALL];
    const struct tw_tier_counts home = {.hits = atomic_load(&store->events[TW_STORE_HIT]),
                                        .misses = atomic_load(&store->events[TW_STORE_MISS]),
                                        .bytes_in = atomic_load(&store->events[TW_STORE_READ]),
                                        .bytes_out = atomic_load(&store->events[TW_STORE_WRITTEN]),
                                        .requests = atomic_load(&store->events[TW_STORE_HIT]) +
                                                    atomic_load(&store->events[TW_STORE_MISS])};
    if (store->root < 0 || home.requests + store->server.requests == 0)
        return;
    pack(&home, numbers);
    pack(&store->server, numbers + TIER);
    (void)tw_tally_add(store->root, COUNTS, numbers, ALL);
}

void tw_store_read_counts(const struct tw_store *store, struct tw_tier_counts *home,
                          struct tw_tier_counts *server)
{
    uint64_t numbers[ALL] = {0};
    if (store->root >= 0)
        (void)tw_tally_read(store->root, COUNTS, numbers, ALL);
    *home = unpack(numbers);
    *server = unpack(numbers + TIER);
}

void tw_store_clear_counts(struct tw_store *store)
{
    if (store->root >= 0)
        (void)tw_dir_remove(store->root, COUNTS);
}
