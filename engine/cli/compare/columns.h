/* SPDX-License-Identifier: MIT */
/* The columns of an experiment's samples that say what ran: a size, and every parameter of the
 * recipes. */
#ifndef TW_ENGINE_CLI_COMPARE_COLUMNS_H
#define TW_ENGINE_CLI_COMPARE_COLUMNS_H

#include "study/identity.h"

struct tw_compare_columns {
    struct tw_arena arena;
    const char **names; /* of parameters; "params.seed" for one named like another column */
    int32_t count;
    const char **values;             /* [run][parameter]; NULL: the run's recipe lacks it */
    const char **sizes;              /* [run]: "64", or "64x32" */
    char (*digests)[TW_DIGEST_TEXT]; /* [run], with the first seed; NULL in a wide table */
};

/* `wide`: measures have columns of their own. Starts as {0}; release it even after a failure. */
enum tw_status tw_compare_columns_find(const struct tw_experiment *e,
                                       const struct tw_compare_rounds *rounds, bool wide,
                                       struct tw_compare_columns *columns, struct tw_error *err);
void tw_compare_columns_release(struct tw_compare_columns *columns);

#endif
