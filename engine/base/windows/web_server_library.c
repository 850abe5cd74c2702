/* SPDX-License-Identifier: MIT */
/* The library is inside the program, which is a single file there. */
#include "base/net/web_server_private.h"

#ifdef TW_WITH_MICROHTTPD

struct tw_web_library tw_mhd = {
#define TAKE(name) .name = MHD_##name,
    TW_WEB_FUNCTIONS(TAKE)
#undef TAKE
};

bool tw_web_load_library(void) { return true; }

const char *tw_web_server_lacks(void) { return NULL; }

const char *tw_web_server_version(void) { return tw_mhd.get_version(); }

#else

const char *tw_web_server_lacks(void) { return "libmicrohttpd, which it was built without"; }

const char *tw_web_server_version(void) { return NULL; }

#endif
