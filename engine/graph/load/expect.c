/* SPDX-License-Identifier: MIT */
#include "graph/load/expect.h"

#include "base/text/suggest.h"

#include <string.h>

bool tw_expect_kind(struct tw_fault_log *log, const struct tw_yaml *value, enum tw_yaml_kind kind,
                    const char *what)
{
    static const char *const names[] = {"one value", "a list", "a mapping"};
    if (value->kind == kind)
        return true;
    tw_fault_log_add(log, TW_RECIPE, value->place, NULL, "%s is %s; expected %s", what,
                     tw_yaml_kind_name(value), names[kind]);
    return false;
}

bool tw_expect_key(struct tw_fault_log *log, struct tw_arena *arena, const struct tw_yaml *key,
                   const char *what, const char *const *known)
{
    struct tw_suggestion suggestion = {.unknown = key->text};
    for (; *known; known++) {
        if (strcmp(key->text, *known) == 0)
            return true;
        if (tw_fault_log_has_room(log))
            tw_suggest_offer(&suggestion, *known);
    }
    tw_fault_log_add(log, TW_RECIPE, key->place, tw_suggest_hint(&suggestion, arena),
                     "%s has no key '%s'", what, key->text);
    return false;
}

void tw_expect_keys(struct tw_fault_log *log, struct tw_arena *arena, const struct tw_yaml *mapping,
                    const char *what, const char *const *known)
{
    for (const struct tw_yaml_item *item = mapping->items; item; item = item->next)
        tw_expect_key(log, arena, item->key, what, known);
}
