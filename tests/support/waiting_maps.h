/* SPDX-License-Identifier: MIT */
/* A recipe whose maps must all be kept until the last of them is used: more than fits in memory. */
#ifndef TW_TESTS_SUPPORT_WAITING_MAPS_H
#define TW_TESTS_SUPPORT_WAITING_MAPS_H

#include "support/command.h"

#include <stdio.h>

/* Square maps, exported as h.npy. */
static inline void waiting_maps_write(const char *path, int side, int maps)
{
    char text[16000];
    int used = sprintf(text, "thalweg: 1\nsize: %d\nnodes:\n  s0: {type: noise.midpoint}\n", side);
    for (int i = 1; i < maps; i++)
        used += sprintf(text + used,
                        "  m%d: {type: noise.midpoint, seed: %d}\n"
                        "  s%d: {type: combine.add, a: s%d, b: m%d}\n",
                        i, i, i, i - 1, i);
    used += sprintf(text + used, "  t%d: {type: shape.normalize, in: s%d}\n", maps, maps - 1);
    for (int i = maps - 1; i > 0; i--)
        used += sprintf(text + used, "  t%d: {type: combine.add, a: t%d, b: m%d}\n", i, i + 1, i);
    used += sprintf(text + used, "export: {h.npy: t1}\n");
    command_write(path, text, (size_t)used);
}

#endif
