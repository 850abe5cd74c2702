/* SPDX-License-Identifier: MIT */
#include "run/cache.h"

bool tw_cache_is_on(const struct tw_cache *cache) { return cache->memo || cache->store; }

const struct tw_secret *tw_cache_secret(const struct tw_cache *cache)
{
    if (cache->memo)
        return tw_memo_secret(cache->memo);
    return cache->store ? tw_store_secret(cache->store) : NULL;
}

bool tw_cache_find(const struct tw_cache *cache, const struct tw_sha256 *key,
                   struct tw_action *action)
{
    if (cache->memo && tw_memo_find(cache->memo, key, action))
        return true;
    if (!cache->store || !tw_store_find(cache->store, key, action))
        return false;
    if (cache->memo)
        tw_memo_save(cache->memo, key, action);
    return true;
}

bool tw_cache_load(const struct tw_cache *cache, const struct tw_action *action, int port,
                   struct tw_value *value, bool *damaged)
{
    const struct tw_stamp *stamp = &action->outputs[port];
    size_t bytes;
    *damaged = false;
    if (cache->memo && tw_memo_load(cache->memo, stamp, value))
        return true;
    if (!cache->store || !tw_field_bytes(stamp->type, stamp->width, stamp->height, &bytes))
        return false;
    tw_memory_reclaim(cache->memory, bytes);
    if (!tw_store_load(cache->store, stamp, value, damaged))
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
