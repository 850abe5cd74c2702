/* SPDX-License-Identifier: MIT */
#include "serve/body_store.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

enum { PATH_BYTES = 40 };

struct body {
    char path[PATH_BYTES];
    struct tw_shared *shared;
    uint64_t used;  /* the store's clock when it was last used */
    int64_t pinned; /* the last turn in which it was pinned; 0: none */
};

struct tw_body_store {
    uv_mutex_t lock; /* guards all */
    struct body *at;
    size_t count, capacity, bytes, max_bytes;
    uint64_t clock;
    int64_t turn;
};

struct tw_body_store *tw_body_store_create(size_t max_bytes)
{
    struct tw_body_store *store = calloc(1, sizeof *store);
    if (!store || uv_mutex_init(&store->lock) != 0) {
        free(store);
        return NULL;
    }
    store->max_bytes = max_bytes;
    store->turn = 2; /* nothing was pinned in the turn before */
    return store;
}

void tw_body_store_release(struct tw_body_store *store)
{
    if (!store)
        return;
    for (size_t i = 0; i < store->count; i++)
        tw_shared_release(store->at[i].shared);
    free(store->at);
    uv_mutex_destroy(&store->lock);
    free(store);
}

/* ---- under the lock ---- */

static struct body *find(struct tw_body_store *store, const char *path)
{
    for (size_t i = 0; i < store->count; i++)
        if (strcmp(store->at[i].path, path) == 0) {
            store->at[i].used = ++store->clock;
            return &store->at[i];
        }
    return NULL;
}

static bool reserve(struct tw_body_store *store)
{
    if (store->count < store->capacity)
        return true;
    const size_t wider = store->capacity ? 2 * store->capacity : 64;
    struct body *moved = realloc(store->at, wider * sizeof *moved);
    if (!moved)
        return false;
    store->at = moved;
    store->capacity = wider;
    return true;
}

/* Removes the body unused for longest; false if all are pinned. */
static bool remove_oldest(struct tw_body_store *store)
{
    struct body *oldest = NULL;
    for (size_t i = 0; i < store->count; i++) {
        struct body *body = &store->at[i];
        if (body->pinned < store->turn - 1 && (!oldest || body->used < oldest->used))
            oldest = body;
    }
    if (!oldest)
        return false;
    store->bytes -= oldest->shared->bytes.length;
    tw_shared_release(oldest->shared);
    *oldest = store->at[--store->count];
    return true;
}

static bool add(struct tw_body_store *store, const char *path, struct tw_bytes *bytes)
{
    const size_t length = bytes->length;
    while (store->bytes + length > store->max_bytes && remove_oldest(store))
        ;
    if (strlen(path) >= PATH_BYTES || !reserve(store))
        return false;
    struct body *body = &store->at[store->count];
    *body = (struct body){.shared = tw_shared_create(bytes), .used = ++store->clock};
    if (!body->shared)
        return false;
    memcpy(body->path, path, strlen(path) + 1);
    store->bytes += length;
    store->count++;
    return true;
}

/* ---- for all threads ---- */

bool tw_body_store_add(struct tw_body_store *store, const char *path, struct tw_bytes *bytes)
{
    uv_mutex_lock(&store->lock);
    const bool ok = find(store, path) || add(store, path, bytes);
    uv_mutex_unlock(&store->lock);
    free(bytes->at);
    *bytes = (struct tw_bytes){0};
    return ok;
}

struct tw_shared *tw_body_store_find(struct tw_body_store *store, const char *path)
{
    uv_mutex_lock(&store->lock);
    const struct body *body = find(store, path);
    struct tw_shared *shared = body ? tw_shared_keep(body->shared) : NULL;
    uv_mutex_unlock(&store->lock);
    return shared;
}

bool tw_body_store_has(struct tw_body_store *store, const char *path)
{
    uv_mutex_lock(&store->lock);
    const bool has = find(store, path) != NULL;
    uv_mutex_unlock(&store->lock);
    return has;
}

void tw_body_store_turn(struct tw_body_store *store)
{
    uv_mutex_lock(&store->lock);
    store->turn++;
    uv_mutex_unlock(&store->lock);
}

void tw_body_store_pin(struct tw_body_store *store, const char *path)
{
    uv_mutex_lock(&store->lock);
    struct body *body = find(store, path);
    if (body)
        body->pinned = store->turn;
    uv_mutex_unlock(&store->lock);
}
