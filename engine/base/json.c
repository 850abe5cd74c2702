/* SPDX-License-Identifier: MIT */
/* Our buffer and our allocation remember that a piece did not fit, whatever jansson does then. */
#include "base/json.h"

#include <stdbool.h>
#include <stdlib.h>

/* ---- from text ---- */

static _Thread_local unsigned long failures;

static void *allocate(size_t size)
{
    void *block = malloc(size);
    failures += !block;
    return block;
}

void tw_json_watch_memory(void) { json_set_alloc_funcs(allocate, free); }

unsigned long tw_json_failures(void) { return failures; }

enum tw_status tw_json_load(const void *text, size_t length, size_t flags, json_t **root,
                            json_error_t *why)
{
    unsigned long before = failures;
    *root = json_loadb(text, length, flags, why);
    if (failures == before)
        return *root ? TW_OK : TW_INPUT;
    json_decref(*root);
    *root = NULL;
    return TW_MEMORY;
}

/* ---- as text ---- */

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
