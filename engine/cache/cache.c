/* SPDX-License-Identifier: MIT */
#include "cache/cache.h"

bool tw_cache_is_on(const struct tw_cache *cache) { return cache->memo || cache->store; }

const struct tw_secret *tw_cache_secret(const struct tw_cache *cache)
{
    if (cache->memo)
        return tw_memo_secret(cache->memo);
    return cache->store ? tw_store_secret(cache->store) : NULL;
}

/* With `counts`, adds the outcome to the folder's counts. */
static bool find(const struct tw_cache *cache, const struct tw_sha256 *key,
                 struct tw_action *action, bool *damaged, bool counts)
{
    if (cache->memo && tw_memo_find(cache->memo, key, action))
        return true;
    bool found = cache->store && tw_store_find(cache->store, key, action, damaged);
    if (cache->store && counts)
        tw_store_note(cache->store, found ? TW_STORE_HIT : TW_STORE_MISS, 1);
    if (found && cache->memo)
        tw_memo_save(cache->memo, key, action);
    return found;
}

bool tw_cache_find(const struct tw_cache *cache, const struct tw_sha256 *key,
                   struct tw_action *action, bool *damaged)
{
    *damaged = false;
    return find(cache, key, action, damaged, true);
}

bool tw_cache_asks(const struct tw_cache *cache)
{
    return cache->remote && tw_remote_answers(cache->remote);
}

bool tw_cache_ask(const struct tw_cache *cache, const struct tw_sha256 *key,
                  struct tw_action *action)
{
    if (!tw_remote_find(cache->remote, key, action))
        return false;
    tw_store_save(cache->store, key, action);
    if (cache->memo)
        tw_memo_save(cache->memo, key, action);
    struct tw_action both; /* `action` merged with the outputs stored earlier */
    if (find(cache, key, &both, NULL, false))
        *action = both;
    return true;
}

static bool fetch(const struct tw_cache *cache, const struct tw_action *action,
                  const struct tw_stamp *stamp, struct tw_value *value, struct tw_cache_note *note)
{
    bool lost = false;
    bool ok = cache->remote && tw_remote_load(cache->remote, stamp, action->seconds, value, &lost);
    note->lost |= lost;
    note->fetched |= ok;
    if (ok)
        tw_store_put(cache->store, stamp, value);
    return ok;
}

bool tw_cache_load(const struct tw_cache *cache, const struct tw_action *action, int port,
                   struct tw_value *value, struct tw_cache_note *note)
{
    const struct tw_stamp *stamp = &action->outputs[port];
    size_t bytes;
    bool damaged = false;
    if (cache->memo && tw_memo_load(cache->memo, stamp, value))
        return true;
    if (!cache->store || !tw_field_bytes(stamp->type, stamp->width, stamp->height, &bytes))
        return false;
    tw_memory_reclaim(cache->memory, bytes);
    bool ok = tw_store_load(cache->store, stamp, value, &damaged);
    note->damaged |= damaged;
    if (ok)
        tw_store_note(cache->store, TW_STORE_READ, bytes);
    if (!ok && !fetch(cache, action, stamp, value, note))
        return false;
    tw_memory_add(cache->memory, bytes);
    if (cache->memo)
        tw_memo_put(cache->memo, stamp, action->seconds, value);
    return true;
}

void tw_cache_save(const struct tw_cache *cache, const struct tw_sha256 *key,
                   const struct tw_action *action, const struct tw_value *values, bool to_disk)
{
    for (int port = 0; values && port < action->count; port++) {
        if (!values[port].data)
            continue;
        if (cache->memo)
            tw_memo_put(cache->memo, &action->outputs[port], action->seconds, &values[port]);
        if (cache->store && to_disk)
            tw_store_put(cache->store, &action->outputs[port], &values[port]);
    }
    if (cache->memo)
        tw_memo_save(cache->memo, key, action);
    if (cache->store)
        tw_store_save(cache->store, key, action);
}
