/* SPDX-License-Identifier: MIT */
/* Predicts which nodes the loop thread should run itself: those that take less time than waking a
 * worker. The last nodes of the type in this run decide; after each wrong guess the type needs a
 * longer quick streak. Loop thread only. */
#ifndef TW_ENGINE_TASK_QUICK_H
#define TW_ENGINE_TASK_QUICK_H

#include <stdbool.h>
#include <stdint.h>

struct tw_node_type;

enum { TW_QUICK_TYPES = 256 }; /* further types always go to workers */

struct tw_quick {
    struct tw_quick_type {
        const struct tw_node_type *type;
        uint32_t streak,
            needed; /* quick nodes since the last slow one; streak that it takes to run one here */
    } types[TW_QUICK_TYPES];
};

/* Whether the next node of the type is likely to be quick. */
bool tw_quick_expects(struct tw_quick *quick, const struct tw_node_type *type);
/* Records the processor time of a node; `here`: it ran on the loop thread. */
void tw_quick_note(struct tw_quick *quick, const struct tw_node_type *type, double seconds,
                   bool here);

#endif
