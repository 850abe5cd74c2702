/* SPDX-License-Identifier: MIT */
/* Who writes which file, so that no two write one: also not on systems that see one name in A.png
 * and a.png. */
#ifndef TW_ENGINE_GRAPH_FILE_CLAIMS_H
#define TW_ENGINE_GRAPH_FILE_CLAIMS_H

#include "base/memory/arena.h"
#include "graph/names.h"

/* Starts as {0}. */
struct tw_file_claims {
    struct tw_names names;
    struct tw_arena arena;
};

enum tw_clash {
    TW_CLASH_NONE,
    TW_CLASH_TWICE,  /* another writes the same file */
    TW_CLASH_CASE,   /* the file or a folder of it differs from another's in case only */
    TW_CLASH_FOLDER, /* it lies in a folder that has the name of another file */
    TW_CLASH_FILE,   /* it has the name of a folder in which another file lies */
    TW_CLASH_MEMORY,
};

/* Claims a file for `owner`; *other is who claimed it, or its folder, before. The path must outlive
 * the claims. Without `folders` only the file itself: those in which it lies have been claimed. */
enum tw_clash tw_file_claim(struct tw_file_claims *claims, const char *path, bool folders,
                            const void *owner, const void **other);
void tw_file_claims_release(struct tw_file_claims *claims);

#endif
