/* SPDX-License-Identifier: MIT */
/* Our buffer remembers that a piece did not fit, whatever jansson does then. */
#include "base/json.h"

#include <stdbool.h>

struct text {
    struct tw_bytes *out;
    bool whole;
};

static int append(const char *piece, size_t length, void *context)
{
    struct text *text = context;
    text->whole = text->whole && tw_bytes_append(text->out, piece, length, NULL) == TW_OK;
    return text->whole ? 0 : -1;
}

enum tw_status tw_json_print(json_t *root, size_t flags, struct tw_bytes *out, struct tw_error *err)
{
    struct text text = {out, root != NULL};
    if (root && json_dump_callback(root, append, &text, flags) != 0)
        text.whole = false;
    json_decref(root);
    return text.whole ? TW_OK : tw_error_set(err, TW_MEMORY, "out of memory");
}
