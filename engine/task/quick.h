/* SPDX-License-Identifier: MIT */
/* Which nodes the loop thread runs itself: those that take less time than waking a worker does.
 * What a node will take is not known, so the last nodes of its type in this run decide, and a type
 * that proved them wrong needs more of them. Loop thread only. */
#ifndef TW_ENGINE_TASK_QUICK_H
#define TW_ENGINE_TASK_QUICK_H

#include <stdbool.h>
#include <stdint.h>

struct tw_node_type;

enum { TW_QUICK_TYPES = 256 }; /* other types are left to workers */

struct tw_quick {
    struct tw_quick_type {
        const struct tw_node_type *type;
        uint32_t streak, needed; /* quick nodes since the last slow one; before one runs here */
    } types[TW_QUICK_TYPES];
};

/* Whether the next node of the type is expected to be quick. */
bool tw_quick_expects(struct tw_quick *quick, const struct tw_node_type *type);
/* A node took so much processor time; `here`: on the loop thread. */
void tw_quick_note(struct tw_quick *quick, const struct tw_node_type *type, double seconds,
                   bool here);

#endif
