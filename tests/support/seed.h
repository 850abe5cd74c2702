/* SPDX-License-Identifier: MIT */
/* The value of tw_task_seed() for a node with `seed: own` in a recipe of seed 0. */
#ifndef TW_TESTS_SUPPORT_SEED_H
#define TW_TESTS_SUPPORT_SEED_H

#include <stdint.h>

static inline uint64_t seed_mix(uint64_t v)
{
    v = (v ^ (v >> 30)) * 0xBF58476D1CE4E5B9u;
    v = (v ^ (v >> 27)) * 0x94D049BB133111EBu;
    return v ^ (v >> 31);
}

static inline uint64_t seed_of(uint64_t own)
{
    return seed_mix(seed_mix(0) ^ seed_mix(own + 0x9E3779B97F4A7C15u));
}

#endif
