/* SPDX-License-Identifier: MIT */
#include "format/gdal/gdal_library.h"

#include "base/os/library.h"
#include "format/format.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

static struct tw_gdal_library gdal;
static bool loaded;
static atomic_bool forbidden;

/* GDAL's version 3 numbers its library anew with every release. */
static void *find_library(void)
{
    static const char *const names[] = {
        "libgdal.so",    "libgdal.so.39", "libgdal.so.38", "libgdal.so.37", "libgdal.so.36",
        "libgdal.so.35", "libgdal.so.34", "libgdal.so.33", "libgdal.so.32", "libgdal.so.31",
        "libgdal.so.30", "libgdal.so.29", "libgdal.so.28", "libgdal.so.27", "libgdal.so.26"};
    void *library = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && !library; i++)
        library = tw_library_load(names[i]);
    return library;
}

static void load(void)
{
    void *library = find_library();
    loaded = library != NULL;
#define FIND(result, name, arguments)                                                              \
    loaded = loaded && tw_library_find(library, #name, &gdal.name);
    TW_GDAL_FUNCTIONS(FIND)
#undef FIND
    if (!loaded)
        return;
    gdal.CPLSetConfigOption("GDAL_CACHEMAX", "64");
    gdal.CPLSetConfigOption("GDAL_DISABLE_READDIR_ON_OPEN", "EMPTY_DIR");
    gdal.CPLSetConfigOption("GDAL_PAM_ENABLED", "NO"); /* nothing is read or written beside */
    gdal.GDALAllRegister();
}

const struct tw_gdal_library *tw_gdal_load(void)
{
    static uv_once_t once = UV_ONCE_INIT;
    const char *asked = getenv("THALWEG_GDAL");
    if (atomic_load(&forbidden) || (asked && strcmp(asked, "off") == 0))
        return NULL;
    uv_once(&once, load);
    return loaded ? &gdal : NULL;
}

void tw_format_forbid_gdal(void) { atomic_store(&forbidden, true); }

const char *tw_format_gdal_version(void)
{
    const struct tw_gdal_library *library = tw_gdal_load();
    return library ? library->GDALVersionInfo("RELEASE_NAME") : NULL;
}
