/* SPDX-License-Identifier: MIT */
#include "console/standard_input.h"

#include "base/memory/bytes.h"
#include "graph/load/yaml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tw_bytes text; /* kept until the process ends, since errors of a run quote it */

bool tw_stdin_is_one(const char *operand) { return strcmp(operand, "-") == 0; }

const char *tw_stdin_name(const char *operand)
{
    return tw_stdin_is_one(operand) ? TW_STDIN_NAME : operand;
}

static enum tw_status read_all(struct tw_error *err)
{
    char block[4096];
    size_t length;
    enum tw_status status = TW_OK;
    text.length = 0;
    while (status == TW_OK && (length = fread(block, 1, sizeof block, stdin)) > 0) {
        if (text.length + length > TW_YAML_BYTES_MAX)
            return tw_error_set(err, TW_LIMIT, "standard input is longer than %zu bytes",
                                (size_t)TW_YAML_BYTES_MAX);
        status = tw_bytes_append(&text, block, length, err);
    }
    if (status == TW_OK && ferror(stdin))
        return tw_error_set(err, TW_INPUT, "cannot read standard input");
    return status;
}

enum tw_status tw_stdin_load(const struct tw_load_options *options, struct tw_recipe **recipe,
                             struct tw_error *err)
{
    enum tw_status status = read_all(err);
    return status == TW_OK ? tw_recipe_parse(text.at ? (const char *)text.at : "", text.length,
                                             TW_STDIN_NAME, options, recipe, err)
                           : status;
}

const char *tw_stdin_text(size_t *length)
{
    *length = text.length;
    return (const char *)text.at;
}
