/* SPDX-License-Identifier: MIT */
/* Prints and draws the files that `thalweg inspect` reads. */
#ifndef TW_ENGINE_CLI_COMMANDS_INSPECT_H
#define TW_ENGINE_CLI_COMMANDS_INSPECT_H

#include "gate/inspect.h"

#include <jansson.h>
#include <stdio.h>

void tw_inspect_print(FILE *out, const char *file, const struct tw_inspection *inspection);
/* Returns NULL if memory runs out. */
json_t *tw_inspect_json(const char *file, const struct tw_inspection *inspection);
/* Encodes a PNG: a map stretched to 0..1 and lit by render.hillshade, or an image unchanged. */
enum tw_status tw_inspect_draw(const struct tw_value *value, struct tw_bytes *png,
                               struct tw_error *err);

#endif
