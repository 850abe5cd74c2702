/* SPDX-License-Identifier: MIT */
/* Filling a record output. */
#ifndef TW_NODES_COMMON_RECORD_H
#define TW_NODES_COMMON_RECORD_H

#include <thalweg/node.h>

#include <string.h>

/* The output's list must be there already and zeroed, as tw_task_list() leaves it. */
static inline void tw_record_set(struct tw_value *record, int32_t i, const char *name,
                                 double number)
{
    struct tw_entry *entry = tw_entries(record) + i;
    size_t length = strlen(name);
    memcpy(entry->name, name, length < sizeof entry->name ? length : sizeof entry->name - 1);
    entry->number = number;
}

#endif
