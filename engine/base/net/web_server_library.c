/* SPDX-License-Identifier: MIT */
/* Loads the library when the server first starts: linking it and its dependencies would slow the
 * startup of every command, as libcurl would. */
#include "base/net/web_server_private.h"

#ifdef TW_WITH_MICROHTTPD

#include "base/os/library.h"

struct tw_web_library tw_mhd;
static bool loaded;

static void load_library(void)
{
    void *library = tw_library_load("libmicrohttpd.so.12");
    loaded = library != NULL;
#define FIND(name) loaded = loaded && tw_library_find(library, "MHD_" #name, &tw_mhd.name);
    TW_WEB_FUNCTIONS(FIND)
#undef FIND
}

bool tw_web_load_library(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, load_library);
    return loaded;
}

const char *tw_web_server_lacks(void)
{
    return tw_web_load_library() ? NULL : "libmicrohttpd (libmicrohttpd12 in Debian)";
}

const char *tw_web_server_version(void)
{
    return tw_web_load_library() ? tw_mhd.get_version() : NULL;
}

#else

const char *tw_web_server_lacks(void) { return "libmicrohttpd (libmicrohttpd-dev in Debian)"; }

const char *tw_web_server_version(void) { return NULL; }

#endif
