/* SPDX-License-Identifier: MIT */
#include "format/mesh/simplifier.h"

#include "base/os/library.h"

#include <uv.h>

static struct tw_simplifier simplifier;
static bool loaded;

/* The name has the version of the interface; Debian numbers it. */
static void load(void)
{
    void *library = tw_library_load("libmeshoptimizer.so.2d");
    loaded = library &&
             tw_library_find(library, "meshopt_simplify", &simplifier.meshopt_simplify) &&
             tw_library_find(library, "meshopt_simplifyScale", &simplifier.meshopt_simplifyScale);
}

const struct tw_simplifier *tw_simplifier_load(void)
{
    static uv_once_t once = UV_ONCE_INIT;
    uv_once(&once, load);
    return loaded ? &simplifier : NULL;
}

enum tw_status tw_simplifier_missing(struct tw_error *err)
{
    return tw_error_set(err, TW_LIMIT,
                        "error:, triangles: and levels: need meshoptimizer, which is not installed "
                        "(libmeshoptimizer2d in Debian)");
}
