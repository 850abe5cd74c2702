/* SPDX-License-Identifier: MIT */
/* Snippets for editors, in the format of Visual Studio Code, which others read as well: one for
 * each node type and recipe of the library. */
#ifndef TW_ENGINE_GRAPH_SNIPPETS_H
#define TW_ENGINE_GRAPH_SNIPPETS_H

#include <jansson.h>

/* NULL when out of memory. */
json_t *tw_snippets_json(void);

#endif
