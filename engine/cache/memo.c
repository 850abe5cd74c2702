/* SPDX-License-Identifier: MIT */
/* Invariant: `bytes` is the sum over all values held, and a value being copied out (readers > 0) is
 * not dropped. Memory is never allocated or counted while the lock is held, since that may call
 * reclaim(). */
#include "cache/memo.h"

#include <stdlib.h>
#include <string.h>
#include <uv.h>

enum { BUCKETS = 1024, SHARE = 4 /* SHARE: by default 1 / SHARE of the machine's memory */ };

/* Common head of the entries of a table. */
struct entry {
    struct entry *next;
    struct tw_sha256 name; /* key of an action, content of a value */
    uint64_t reached;      /* last run whose graph contained it */
};

struct kept_action {
    struct entry entry;
    struct tw_action action;
};

struct kept_value {
    struct entry entry;
    struct tw_value value;
    uint64_t bytes;
    uint64_t used;  /* last run that computed or loaded it */
    double seconds; /* cost of computing it */
    int readers;
};

struct table {
    struct entry *buckets[BUCKETS];
    uint64_t count;
};

struct tw_memo {
    uv_mutex_t lock;
    struct tw_secret secret;
    struct tw_memory *memory; /* of the current run, else NULL */
    uint64_t run;             /* counts runs from 1, without those that stopped */
    uint64_t max_bytes, bytes;
    struct table actions, values;
};

/* ---- tables ---- */

/* Names are digests: any bits select a bucket evenly. */
static struct entry **bucket(struct table *table, const struct tw_sha256 *name)
{
    return &table->buckets[(name->at[0] | name->at[1] << 8) % BUCKETS];
}

static struct entry **find(struct table *table, const struct tw_sha256 *name)
{
    struct entry **at = bucket(table, name);
    while (*at && memcmp((*at)->name.at, name->at, sizeof name->at) != 0)
        at = &(*at)->next;
    return at;
}

static void insert(struct table *table, struct entry *entry)
{
    struct entry **at = bucket(table, &entry->name);
    entry->next = *at;
    *at = entry;
    table->count++;
}

/* Unlinks an entry; *at then leads to its successor. */
static struct entry *take_out(struct table *table, struct entry **at)
{
    struct entry *entry = *at;
    *at = entry->next;
    table->count--;
    return entry;
}

static bool is_of(const struct kept_value *kept, const struct tw_stamp *stamp)
{
    const struct tw_value *value = &kept->value;
    return value->type == stamp->type && value->width == stamp->width &&
           value->height == stamp->height;
}

static struct kept_value *find_value(struct tw_memo *memo, const struct tw_stamp *stamp)
{
    struct kept_value *kept = (struct kept_value *)*find(&memo->values, &stamp->content);
    return kept && is_of(kept, stamp) ? kept : NULL;
}

/* ---- dropping ---- */

static void drop_value(struct tw_memo *memo, struct entry **at)
{
    struct kept_value *kept = (struct kept_value *)take_out(&memo->values, at);
    memo->bytes -= kept->bytes;
    if (memo->memory)
        tw_memory_return(memo->memory, kept->bytes);
    tw_field_clear(&kept->value);
    free(kept);
}

static void drop_action(struct tw_memo *memo, struct entry **at)
{
    free((struct kept_action *)take_out(&memo->actions, at));
}

/* Drops entries that were last part of a graph before run `since`. */
static void sweep(struct tw_memo *memo, struct table *table, uint64_t since,
                  void (*drop)(struct tw_memo *memo, struct entry **at))
{
    for (int i = 0; i < BUCKETS; i++)
        for (struct entry **at = &table->buckets[i]; *at;)
            if ((*at)->reached < since)
                drop(memo, at);
            else
                at = &(*at)->next;
}

/* Returns whether a is dropped before b when memory is short. */
static bool is_dropped_before(const struct kept_value *a, const struct kept_value *b)
{
    if (a->used != b->used)
        return a->used < b->used;
    return a->seconds * (double)b->bytes < b->seconds * (double)a->bytes;
}

/* Returns the value to drop first or, with `limit`, only one that goes before it; NULL for none. */
static struct entry **find_victim(struct tw_memo *memo, const struct kept_value *limit)
{
    struct entry **first = NULL;
    for (int i = 0; i < BUCKETS; i++)
        for (struct entry **at = &memo->values.buckets[i]; *at; at = &(*at)->next) {
            const struct kept_value *kept = (const struct kept_value *)*at;
            if (kept->readers > 0 || (limit && !is_dropped_before(kept, limit)))
                continue;
            if (!first || is_dropped_before(kept, (const struct kept_value *)*first))
                first = at;
        }
    return first;
}

/* Called when the run is about to be refused memory. */
static bool reclaim(void *context, uint64_t bytes)
{
    struct tw_memo *memo = context;
    struct entry **at;
    uv_mutex_lock(&memo->lock);
    uint64_t before = memo->bytes;
    while (before - memo->bytes < bytes && (at = find_victim(memo, NULL)))
        drop_value(memo, at);
    bool freed = memo->bytes < before;
    uv_mutex_unlock(&memo->lock);
    return freed;
}

/* ---- life ---- */

static uint64_t share_of_machine(void)
{
    uint64_t total = uv_get_total_memory(), allowed = uv_get_constrained_memory();
    return (allowed > 0 && allowed < total ? allowed : total) / SHARE;
}

enum tw_status tw_memo_create(uint64_t max_bytes, struct tw_memo **memo, struct tw_error *err)
{
    struct tw_memo *created = calloc(1, sizeof *created);
    if (!created || uv_mutex_init(&created->lock) != 0) {
        free(created);
        return tw_error_set(err, TW_MEMORY, "out of memory");
    }
    created->max_bytes = max_bytes > 0 ? max_bytes : share_of_machine();
    if (!tw_secret_create(&created->secret)) {
        tw_memo_release(created);
        return tw_error_set(err, TW_IO, "the system gives no random bytes");
    }
    *memo = created;
    return TW_OK;
}

void tw_memo_release(struct tw_memo *memo)
{
    if (!memo)
        return;
    sweep(memo, &memo->values, UINT64_MAX, drop_value);
    sweep(memo, &memo->actions, UINT64_MAX, drop_action);
    uv_mutex_destroy(&memo->lock);
    free(memo);
}

const struct tw_secret *tw_memo_secret(const struct tw_memo *memo) { return &memo->secret; }

void tw_memo_begin(struct tw_memo *memo, const struct tw_secret *secret, struct tw_memory *memory)
{
    if (secret && memcmp(secret->at, memo->secret.at, sizeof secret->at) != 0) {
        sweep(memo, &memo->values, UINT64_MAX, drop_value);
        sweep(memo, &memo->actions, UINT64_MAX, drop_action);
        memo->secret = *secret;
    }
    memo->run++;
    memo->memory = memory;
    memory->reclaim = reclaim;
    memory->context = memo;
    tw_memory_add(memory, memo->bytes);
}

void tw_memo_end(struct tw_memo *memo, bool complete)
{
    if (complete) {
        sweep(memo, &memo->values, memo->run - 1, drop_value);
        sweep(memo, &memo->actions, memo->run - 1, drop_action);
    } else {
        memo->run--; /* the run reached only a part of the graph */
    }
    tw_memory_return(memo->memory, memo->bytes);
    memo->memory->reclaim = NULL;
    memo->memory = NULL;
}

struct tw_memo_stats tw_memo_stats(struct tw_memo *memo)
{
    uv_mutex_lock(&memo->lock);
    struct tw_memo_stats stats = {memo->actions.count, memo->values.count, memo->bytes};
    uv_mutex_unlock(&memo->lock);
    return stats;
}

/* ---- actions ---- */

static bool is_held(const struct tw_action *action, int port) { return action->held >> port & 1; }

static void mark_reached(struct tw_memo *memo, struct kept_action *kept)
{
    kept->entry.reached = memo->run;
    for (int port = 0; port < kept->action.count; port++) {
        struct kept_value *value =
            is_held(&kept->action, port) ? find_value(memo, &kept->action.outputs[port]) : NULL;
        if (value)
            value->entry.reached = memo->run;
    }
}

bool tw_memo_find(struct tw_memo *memo, const struct tw_sha256 *key, struct tw_action *action)
{
    uv_mutex_lock(&memo->lock);
    struct kept_action *kept = (struct kept_action *)*find(&memo->actions, key);
    *action = kept ? kept->action : (struct tw_action){0};
    if (kept)
        mark_reached(memo, kept);
    uv_mutex_unlock(&memo->lock);
    return kept != NULL;
}

/* Adds the outputs that only an existing entry of this key holds. */
static void add_held(struct tw_action *action, const struct tw_action *before)
{
    for (int port = 0; port < action->count; port++)
        if (is_held(before, port) && !is_held(action, port))
            action->outputs[port] = before->outputs[port];
    action->held |= before->held;
}

void tw_memo_save(struct tw_memo *memo, const struct tw_sha256 *key, const struct tw_action *action)
{
    struct kept_action *created = calloc(1, sizeof *created);
    if (!created)
        return;
    created->entry.name = *key;
    created->action = *action;
    uv_mutex_lock(&memo->lock);
    struct entry **at = find(&memo->actions, key);
    if (*at) {
        const struct tw_action *before = &((struct kept_action *)*at)->action;
        if (before->count == action->count)
            add_held(&created->action, before);
        drop_action(memo, at);
    }
    insert(&memo->actions, &created->entry);
    mark_reached(memo, created);
    uv_mutex_unlock(&memo->lock);
}

/* ---- values ---- */

/* Gives the run the block itself if there is no memory for a copy. */
static bool hand_over(struct tw_memo *memo, struct kept_value *kept, struct tw_value *value)
{
    if (kept->readers > 0)
        return false;
    *value = kept->value;
    memo->bytes -= kept->bytes; /* the bytes stay counted, now as the run's */
    free(take_out(&memo->values, find(&memo->values, &kept->entry.name)));
    return true;
}

bool tw_memo_load(struct tw_memo *memo, const struct tw_stamp *stamp, struct tw_value *value)
{
    *value = (struct tw_value){0};
    uv_mutex_lock(&memo->lock);
    struct kept_value *kept = find_value(memo, stamp);
    if (kept) {
        kept->readers++;
        kept->used = memo->run;
    }
    uv_mutex_unlock(&memo->lock);
    if (!kept)
        return false;
    bool ok = tw_memory_alloc(memo->memory, value, stamp->type, stamp->width, stamp->height,
                              NULL) == TW_OK;
    if (ok)
        memcpy(value->data, kept->value.data, (size_t)kept->bytes);
    uv_mutex_lock(&memo->lock);
    kept->readers--;
    ok = ok || hand_over(memo, kept, value);
    uv_mutex_unlock(&memo->lock);
    return ok;
}

/* Requires the lock. False if the value would be the first to drop, or exceeds the bound by
 * itself. */
static bool make_room(struct tw_memo *memo, const struct kept_value *kept)
{
    struct entry **at;
    if (kept->bytes > memo->max_bytes)
        return false;
    while (memo->bytes > memo->max_bytes - kept->bytes ||
           !tw_memory_take_spare(memo->memory, kept->bytes)) {
        if (!(at = find_victim(memo, kept)))
            return false;
        drop_value(memo, at);
    }
    return true;
}

static struct kept_value *create_value(const struct tw_stamp *stamp, double seconds, uint64_t run)
{
    size_t bytes;
    struct kept_value *created = calloc(1, sizeof *created);
    if (!created || !tw_field_bytes(stamp->type, stamp->width, stamp->height, &bytes)) {
        free(created);
        return NULL;
    }
    created->entry.name = stamp->content;
    created->entry.reached = created->used = run;
    created->bytes = bytes;
    created->seconds = seconds;
    return created;
}

/* Inserts a counted value, so that its space stays reserved, but hides it until it is copied. */
static bool reserve(struct tw_memo *memo, const struct tw_stamp *stamp,
                    const struct kept_value *created)
{
    uv_mutex_lock(&memo->lock);
    bool fits = !*find(&memo->values, &stamp->content) && make_room(memo, created);
    memo->bytes += fits ? created->bytes : 0;
    uv_mutex_unlock(&memo->lock);
    return fits;
}

void tw_memo_put(struct tw_memo *memo, const struct tw_stamp *stamp, double seconds,
                 const struct tw_value *value)
{
    struct kept_value *created = create_value(stamp, seconds, memo->run);
    if (!created || !reserve(memo, stamp, created)) {
        free(created);
        return;
    }
    /* reserve() has counted the bytes */
    bool ok = tw_field_copy(&created->value, value, NULL) == TW_OK;
    uv_mutex_lock(&memo->lock);
    if (ok && !*find(&memo->values, &stamp->content)) {
        insert(&memo->values, &created->entry);
        created = NULL;
    } else {
        memo->bytes -= created->bytes;
        tw_memory_return(memo->memory, created->bytes);
    }
    uv_mutex_unlock(&memo->lock);
    if (created)
        tw_field_clear(&created->value);
    free(created);
}
