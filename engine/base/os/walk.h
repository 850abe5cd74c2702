/* SPDX-License-Identifier: MIT */
/* Lists the files below a folder. */
#ifndef TW_ENGINE_BASE_OS_WALK_H
#define TW_ENGINE_BASE_OS_WALK_H

#include "base/memory/arena.h"

#include <stdint.h>

#define TW_WALK_DEPTH_MAX 64
#define TW_WALK_FILES_MAX 1000000

struct tw_walk {
    struct tw_arena *arena; /* receives the names */
    const char *root;       /* "" for the working folder, else it ends with a slash */
    int depth;              /* how many folders below `start` are entered */
    /* Called for each file with its path below `root`, in no order; false ends the walk. */
    bool (*each)(void *context, const char *path);
    void *context;
    int64_t seen;
};

/* Visits the files below the folder `start` of `root` ("" or with a final slash). Enters neither
 * symbolic links nor folders whose name begins with a dot. A folder that does not exist is empty.
 * TW_IO for one that cannot be read, TW_LIMIT, TW_MEMORY. */
enum tw_status tw_walk_files(struct tw_walk *walk, const char *start, struct tw_error *err);

#endif
