/* SPDX-License-Identifier: MIT */
/* What `thalweg inspect` shows of a file. */
#ifndef TW_ENGINE_CLI_COMMANDS_INSPECT_H
#define TW_ENGINE_CLI_COMMANDS_INSPECT_H

#include "gate/inspect.h"

#include <jansson.h>
#include <stdio.h>

void tw_inspect_print(FILE *out, const char *file, const struct tw_inspection *inspection);
/* NULL without memory. */
json_t *tw_inspect_json(const char *file, const struct tw_inspection *inspection);
/* A PNG of a map, stretched to 0..1, in the light of render.hillshade; of a picture as it is. */
enum tw_status tw_inspect_draw(const struct tw_value *value, struct tw_bytes *png,
                               struct tw_error *err);

#endif
