/* SPDX-License-Identifier: MIT */
#ifndef TW_ENGINE_SERVE_SHIPPED_H
#define TW_ENGINE_SERVE_SHIPPED_H

#include <jansson.h>

/* Lists the recipes of the library, each with lines of a recipe's `nodes:` that use it; NULL
 * without memory. */
json_t *tw_serve_library(void);

#endif
