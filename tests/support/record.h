/* SPDX-License-Identifier: MIT */
/* Reads a record output by name. */
#ifndef TW_TESTS_SUPPORT_RECORD_H
#define TW_TESTS_SUPPORT_RECORD_H

#include "support/harness.h"

#include <string.h>

static inline double record_number(const struct tw_value *record, const char *name)
{
    for (int32_t i = 0; i < record->width; i++)
        if (strcmp(tw_entries(record)[i].name, name) == 0)
            return tw_entries(record)[i].number;
    fail_msg("the record has no '%s'", name);
    return 0;
}

#endif
