/* SPDX-License-Identifier: MIT */
/* Our buffer and our allocator record that a piece did not fit, however jansson proceeds. */
#include "base/text/json.h"

#include "base/text/text.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- from text ---- */

static _Thread_local unsigned long failures;

/* jansson 2.14 aborts the process if the text of a number or string cannot grow (an assertion in
 * lex_unget_unsave()). In that case it grows into this reserve. All other blocks of a power of two
 * may lie here, too; since numbers are none of them, the parse ends soon. */
static _Thread_local struct {
    unsigned char *at;
    size_t size, used;
} reserve;

static void *take_reserve(size_t size)
{
    const size_t least = 32; /* what 16 bytes grow to; keeps blocks aligned */
    if (size < least || (size & (size - 1)) != 0 || size > reserve.size - reserve.used)
        return NULL;
    reserve.used += size;
    return reserve.at + reserve.used - size;
}

static void *allocate(size_t size)
{
    void *block = malloc(size);
    failures += !block;
    return block ? block : take_reserve(size);
}

static void release(void *block)
{
    uintptr_t at = (uintptr_t)block, begin = (uintptr_t)reserve.at;
    if (at < begin || at - begin >= reserve.size)
        free(block);
}

void tw_json_watch_memory(void) { json_set_alloc_funcs(allocate, release); }

unsigned long tw_json_failures(void) { return failures; }

/* A text of n bytes grows to less than 2 n, in steps totalling 4 n; strings and their lists need no
 * more than that again. */
static bool create_reserve(size_t length)
{
    const size_t size = length < SIZE_MAX / 16 ? 8 * length + 1024 : 0;
    reserve.used = 0;
    reserve.at = size > 0 ? malloc(size) : NULL;
    reserve.size = reserve.at ? size : 0;
    return reserve.at != NULL;
}

static void release_reserve(void)
{
    free(reserve.at);
    reserve.at = NULL;
    reserve.size = 0;
}

enum tw_status tw_json_load(const void *text, size_t length, size_t flags, json_t **root,
                            json_error_t *why)
{
    unsigned long before = failures;
    *root = NULL;
    if (!create_reserve(length))
        return TW_MEMORY;
    *root = json_loadb(text, length, flags, why);
    if (failures != before) {
        json_decref(*root);
        *root = NULL;
    }
    release_reserve();
    if (failures != before)
        return TW_MEMORY;
    return *root ? TW_OK : TW_INPUT;
}

/* ---- to text ---- */

struct text {
    struct tw_bytes *out;
    struct tw_error *err;
    enum tw_status status;
};

static int append(const char *piece, size_t length, void *context)
{
    struct text *text = context;
    if (text->status == TW_OK)
        text->status = tw_bytes_append(text->out, piece, length, text->err);
    return text->status == TW_OK ? 0 : -1;
}

enum tw_status tw_json_print(json_t *root, size_t flags, struct tw_bytes *out, struct tw_error *err)
{
    struct text text = {out, err, TW_OK};
    bool whole = root && json_dump_callback(root, append, &text, flags) == 0;
    json_decref(root);
    return whole || text.status != TW_OK ? text.status
                                         : tw_error_set(err, TW_MEMORY, "out of memory");
}

json_t *tw_json_text(const char *text)
{
    char clean[4096];
    snprintf(clean, sizeof clean, "%s", text);
    tw_text_clean(clean);
    return json_string(clean);
}
