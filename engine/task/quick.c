/* SPDX-License-Identifier: MIT */
#include "task/quick.h"

#include <stddef.h>

#define QUICK_SECONDS 20e-6 /* cost of using a worker: two threads wake, one sleeps */
#define SLOW_SECONDS 0.2e-3 /* more than a quick node takes, even with a page fault or two */

enum { NEEDED = 2, NEEDED_MAX = 1 << 20, PENALTY = 16 };

/* Finds or adds the row of a type; NULL if the table is full. */
static struct tw_quick_type *find(struct tw_quick *quick, const struct tw_node_type *type)
{
    size_t start = ((uintptr_t)type >> 5) % TW_QUICK_TYPES;
    for (size_t i = 0; i < TW_QUICK_TYPES; i++) {
        struct tw_quick_type *row = &quick->types[(start + i) % TW_QUICK_TYPES];
        if (!row->type)
            *row = (struct tw_quick_type){.type = type, .needed = NEEDED};
        if (row->type == type)
            return row;
    }
    return NULL;
}

bool tw_quick_expects(struct tw_quick *quick, const struct tw_node_type *type)
{
    const struct tw_quick_type *row = find(quick, type);
    return row && row->streak >= row->needed;
}

void tw_quick_note(struct tw_quick *quick, const struct tw_node_type *type, double seconds,
                   bool here)
{
    struct tw_quick_type *row = find(quick, type);
    if (!row)
        return;
    row->streak = seconds < QUICK_SECONDS ? row->streak + 1 : 0;
    if (seconds > SLOW_SECONDS && here && row->needed < NEEDED_MAX)
        row->needed *= PENALTY;
}
