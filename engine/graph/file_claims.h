/* SPDX-License-Identifier: MIT */
/* Detects exports that would write one file, also on systems that treat A.png and a.png as one. */
#ifndef TW_ENGINE_GRAPH_FILE_CLAIMS_H
#define TW_ENGINE_GRAPH_FILE_CLAIMS_H

#include "base/memory/arena.h"
#include "graph/names.h"

/* Initialise with {0}. */
struct tw_file_claims {
    struct tw_names names;
    struct tw_arena arena;
};

enum tw_clash {
    TW_CLASH_NONE,
    TW_CLASH_TWICE,  /* another owner writes this file */
    TW_CLASH_CASE,   /* the file or a folder of it differs only in case from another's */
    TW_CLASH_FOLDER, /* the name of one of its folders is another file */
    TW_CLASH_FILE,   /* its name is the folder of another file */
    TW_CLASH_MEMORY,
};

/* Claims a file for `owner`; *other becomes the earlier owner of it, or of its folder. The path
 * must outlive the claims. Without `folders` claims only the file, whose folders are claimed
 * already. */
enum tw_clash tw_file_claim(struct tw_file_claims *claims, const char *path, bool folders,
                            const void *owner, const void **other);
void tw_file_claims_release(struct tw_file_claims *claims);

#endif
