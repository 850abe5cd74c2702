/* SPDX-License-Identifier: MIT */
#include "base/memory/options.h"

#include <stdbool.h>
#include <string.h>

static size_t size_of(const void *given)
{
    size_t size;
    memcpy(&size, given, sizeof size);
    return size;
}

static bool is_zero(const unsigned char *at, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (at[i] != 0)
            return false;
    return true;
}

enum tw_status tw_options_take(const void *given, void *own, size_t bytes, const char *name,
                               struct tw_error *err)
{
    size_t known = given ? size_of(given) : 0;
    known = known > 0 ? known : bytes;
    memset(own, 0, bytes);
    if (!given)
        return TW_OK;
    if (known < sizeof(size_t))
        return tw_error_set(err, TW_USAGE, "%s has size %zu; expected that of the struct, or 0",
                            name, known);
    if (known > bytes && !is_zero((const unsigned char *)given + bytes, known - bytes))
        return tw_error_set(
            err, TW_USAGE, "%s sets a member that this version of the library does not know", name);
    memcpy(own, given, known < bytes ? known : bytes);
    memcpy(own, &bytes, sizeof bytes);
    return TW_OK;
}

void tw_options_give(void *to, const void *own, size_t bytes)
{
    const size_t room = size_of(to);
    const size_t shared = room < bytes ? room : bytes;
    unsigned char *at = to;
    if (room < sizeof(size_t))
        return;
    memcpy(at + sizeof(size_t), (const unsigned char *)own + sizeof(size_t),
           shared - sizeof(size_t));
    memset(at + shared, 0, room - shared);
}
