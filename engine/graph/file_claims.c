/* SPDX-License-Identifier: MIT */
/* Every file, and every folder on the way to it, has an entry under its case-folded name. */
#include "graph/file_claims.h"

#include "base/os/file_name.h"

#include <string.h>

struct claim {
    const char *path; /* its first `length` bytes name the file or folder */
    size_t length;
    const void *owner;
    bool is_file;
};

static enum tw_clash compare(const struct claim *claim, const struct claim *before)
{
    if (claim->is_file != before->is_file)
        return claim->is_file ? TW_CLASH_FILE : TW_CLASH_FOLDER;
    if (memcmp(claim->path, before->path, claim->length) != 0) /* folding keeps the length */
        return TW_CLASH_CASE;
    return claim->is_file ? TW_CLASH_TWICE : TW_CLASH_NONE;
}

static enum tw_clash claim_name(struct tw_file_claims *claims, const char *folded,
                                const struct claim *claim, const void **other)
{
    const struct claim *before = tw_names_find(&claims->names, claims, folded);
    if (before) {
        *other = before->owner;
        return compare(claim, before);
    }
    struct claim *kept = tw_arena_alloc(&claims->arena, 1, sizeof *kept);
    const char *text = tw_arena_copy(&claims->arena, folded, strlen(folded));
    struct tw_name *name = kept && text ? tw_names_entry(&claims->names, claims, text) : NULL;
    if (!name)
        return TW_CLASH_MEMORY;
    *kept = *claim;
    name->thing = kept;
    return TW_CLASH_NONE;
}

enum tw_clash tw_file_claim(struct tw_file_claims *claims, const char *path, bool folders,
                            const void *owner, const void **other)
{
    char *folded = tw_arena_copy(&claims->arena, path, strlen(path));
    enum tw_clash clash = TW_CLASH_NONE;
    if (!folded)
        return TW_CLASH_MEMORY;
    tw_file_name_fold(folded);
    for (char *at = folded; folders && clash == TW_CLASH_NONE && (at = strchr(at, '/')); at++) {
        const struct claim folder = {path, (size_t)(at - folded), owner, false};
        *at = 0;
        if (at > folded)
            clash = claim_name(claims, folded, &folder, other);
        *at = '/';
    }
    const struct claim file = {path, strlen(path), owner, true};
    return clash == TW_CLASH_NONE ? claim_name(claims, folded, &file, other) : clash;
}

void tw_file_claims_release(struct tw_file_claims *claims)
{
    tw_names_release(&claims->names);
    tw_arena_release(&claims->arena);
}
