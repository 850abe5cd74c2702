/* SPDX-License-Identifier: MIT */
/* Finds, loads, saves and puts cache entries: their formats. Invariant: nothing that is read is
 * trusted before its size, header and checksum were compared. There is no fsync: after a power cut
 * torn entries are found that way and computed again. */
#include "run/store_private.h"

#include "base/byte_order.h"
#include "base/dir.h"
#include "base/file.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#define BLOB_HEAD 16                        /* magic, type, width, height */
#define ACTION_HEAD (4 + 32 + 2 + 2 + 8)    /* magic, key, count, held, seconds */
#define ACTION_OUTPUT (16 + 4 + 4 + 4 + 32) /* digest, type, width, height, content; if held */
#define ACTION_CHECK 8                      /* XXH3-64 of all before it */
#define ACTION_MAX (ACTION_HEAD + TW_PORTS_MAX * ACTION_OUTPUT + ACTION_CHECK)

#define SECONDS_MAX 1e9 /* 30 years: sums stay finite */

/* ---- names ---- */

/* "FOLDER/XX/<hex>", XX being the first two digits. */
static void entry_path(char path[TW_STORE_PATH], const char *folder, const struct tw_sha256 *name)
{
    char hex[2 * sizeof name->at + 1];
    tw_hex(name->at, sizeof name->at, hex);
    snprintf(path, TW_STORE_PATH, "%s/%.2s/%s", folder, hex, hex);
}

/* ---- actions ---- */

static bool is_held(const struct tw_action *action, int32_t i) { return action->held >> i & 1; }

static size_t encode_action(unsigned char *to, const struct tw_sha256 *key,
                            const struct tw_action *action)
{
    uint64_t seconds;
    unsigned char *at = to + ACTION_HEAD;
    memcpy(&seconds, &action->seconds, sizeof seconds);
    memcpy(to, "TWA3", 4);
    memcpy(to + 4, key->at, 32);
    tw_put_u32(to + 36, (uint32_t)action->count | action->held << 16);
    tw_put_u64(to + 40, seconds);
    for (int32_t i = 0; i < action->count; i++) {
        const struct tw_stamp *stamp = &action->outputs[i];
        if (!is_held(action, i))
            continue;
        memcpy(at, stamp->digest.at, 16);
        tw_put_u32(at + 16, (uint32_t)stamp->type);
        tw_put_u32(at + 20, (uint32_t)stamp->width);
        tw_put_u32(at + 24, (uint32_t)stamp->height);
        memcpy(at + 28, stamp->content.at, sizeof stamp->content.at);
        at += ACTION_OUTPUT;
    }
    tw_put_u64(at, tw_hash64(to, (size_t)(at - to), 0));
    return (size_t)(at - to) + ACTION_CHECK;
}

static bool decode_stamp(const unsigned char *at, struct tw_stamp *stamp)
{
    uint32_t type = tw_get_u32(at + 16), width = tw_get_u32(at + 20), height = tw_get_u32(at + 24);
    size_t bytes;
    if (type >= TW_TYPE_COUNT || width > INT32_MAX || height > INT32_MAX)
        return false;
    memcpy(stamp->digest.at, at, 16);
    memcpy(stamp->content.at, at + 28, sizeof stamp->content.at);
    stamp->type = (enum tw_type)type;
    stamp->width = (int32_t)width;
    stamp->height = (int32_t)height;
    return tw_field_bytes(stamp->type, stamp->width, stamp->height, &bytes);
}

/* Count and held outputs, and whether the file's size is theirs. */
static bool decode_held(const unsigned char *from, size_t size, struct tw_action *action)
{
    uint32_t word = tw_get_u32(from + 36), count = word & 0xFFFF, outputs = 0;
    action->count = (int32_t)count;
    action->held = word >> 16;
    if (count > TW_PORTS_MAX || action->held >> count != 0)
        return false;
    for (uint32_t bits = action->held; bits > 0; bits &= bits - 1)
        outputs++;
    return size == ACTION_HEAD + outputs * ACTION_OUTPUT + ACTION_CHECK;
}

static bool decode_action(const unsigned char *from, size_t size, const struct tw_sha256 *key,
                          struct tw_action *action)
{
    if (size < ACTION_HEAD + ACTION_CHECK || memcmp(from, "TWA3", 4) != 0 ||
        memcmp(from + 4, key->at, 32) != 0 || !decode_held(from, size, action))
        return false;
    if (tw_get_u64(from + size - ACTION_CHECK) != tw_hash64(from, size - ACTION_CHECK, 0))
        return false;
    uint64_t seconds = tw_get_u64(from + 40);
    memcpy(&action->seconds, &seconds, sizeof seconds);
    if (!(action->seconds >= 0 && action->seconds < SECONDS_MAX))
        return false;
    const unsigned char *at = from + ACTION_HEAD;
    for (int32_t i = 0; i < action->count; i++) {
        if (!is_held(action, i))
            continue;
        if (!decode_stamp(at, &action->outputs[i]))
            return false;
        at += ACTION_OUTPUT;
    }
    return true;
}

struct tw_sha256 tw_store_action_name(const struct tw_store *store, const struct tw_sha256 *key)
{
    unsigned char both[sizeof store->secret.at + sizeof key->at];
    memcpy(both, store->secret.at, sizeof store->secret.at);
    memcpy(both + sizeof store->secret.at, key->at, sizeof key->at);
    return tw_sha256_of(both, sizeof both);
}

bool tw_store_find(struct tw_store *store, const struct tw_sha256 *key, struct tw_action *action)
{
    char path[TW_STORE_PATH];
    unsigned char bytes[ACTION_MAX];
    uint64_t size;
    enum tw_entry_state state = TW_DAMAGED;
    struct tw_sha256 name = tw_store_action_name(store, key);
    *action = (struct tw_action){0};
    entry_path(path, "ac", &name);
    int fd = tw_dir_read_file(store->root, path);
    if (fd < 0)
        return false;
    if (tw_file_size(fd, &size) && size <= ACTION_MAX &&
        tw_file_read_all(fd, bytes, (size_t)size) &&
        decode_action(bytes, (size_t)size, &name, action))
        state = TW_HIT;
    else
        *action = (struct tw_action){0};
    tw_store_settle(store, path, fd, state);
    return state == TW_HIT;
}

/* Adds the outputs that only the entry on disk holds. Of two processes that do this at the same
 * moment one may overwrite what the other adds: that is computed again when it is asked for. */
static void add_held(struct tw_store *store, const struct tw_sha256 *key, struct tw_action *action)
{
    struct tw_action before;
    if (action->held + 1 == (uint32_t)1 << action->count || !tw_store_find(store, key, &before) ||
        before.count != action->count)
        return;
    for (int32_t i = 0; i < action->count; i++)
        if (is_held(&before, i) && !is_held(action, i))
            action->outputs[i] = before.outputs[i];
    action->held |= before.held;
}

void tw_store_save(struct tw_store *store, const struct tw_sha256 *key,
                   const struct tw_action *action)
{
    char path[TW_STORE_PATH];
    unsigned char bytes[ACTION_MAX];
    struct tw_action all = *action;
    assert(action->count >= 0 && action->count <= TW_PORTS_MAX);
    if (!tw_store_storing(store))
        return;
    add_held(store, key, &all);
    struct tw_sha256 name = tw_store_action_name(store, key);
    entry_path(path, "ac", &name);
    tw_store_publish(store, path, bytes, encode_action(bytes, &name, &all), NULL);
}

/* ---- blobs ---- */

static void encode_head(unsigned char head[BLOB_HEAD], const struct tw_stamp *stamp)
{
    memcpy(head, "TWB1", 4);
    tw_put_u32(head + 4, (uint32_t)stamp->type);
    tw_put_u32(head + 8, (uint32_t)stamp->width);
    tw_put_u32(head + 12, (uint32_t)stamp->height);
}

bool tw_store_has(struct tw_store *store, const struct tw_stamp *stamp)
{
    char path[TW_STORE_PATH];
    struct tw_file_info info;
    size_t bytes;
    if (!tw_field_bytes(stamp->type, stamp->width, stamp->height, &bytes))
        return false;
    entry_path(path, "cas", &stamp->content);
    return tw_dir_stat(store->root, path, &info) && info.size == (uint64_t)bytes + BLOB_HEAD;
}

/* Compares sizes and header before memory is taken; having no memory is no damage. */
static enum tw_entry_state read_blob(const struct tw_store *store, int fd,
                                     const struct tw_stamp *stamp, size_t bytes,
                                     struct tw_value *value)
{
    struct tw_sha256 content;
    enum tw_entry_state state = TW_DAMAGED;
    unsigned char head[BLOB_HEAD], expected[BLOB_HEAD];
    uint64_t size;
    encode_head(expected, stamp);
    if (!tw_file_size(fd, &size) || size != (uint64_t)bytes + BLOB_HEAD ||
        !tw_file_read_all(fd, head, sizeof head) || memcmp(head, expected, sizeof head) != 0)
        return TW_DAMAGED;
    if (tw_field_alloc(value, stamp->type, stamp->width, stamp->height, NULL) != TW_OK)
        return TW_MISS;
    if (tw_file_read_all(fd, value->data, bytes)) {
        tw_field_take_bytes(value);
        if (!tw_field_content(value, &store->secret, &content))
            state = TW_MISS;
        else if (memcmp(content.at, stamp->content.at, sizeof content.at) == 0 &&
                 tw_field_is_valid(value))
            return TW_HIT;
    }
    tw_field_clear(value);
    return state;
}

bool tw_store_load(struct tw_store *store, const struct tw_stamp *stamp, struct tw_value *value,
                   bool *damaged)
{
    char path[TW_STORE_PATH];
    size_t bytes;
    *damaged = false;
    *value = (struct tw_value){0};
    if (!tw_field_bytes(stamp->type, stamp->width, stamp->height, &bytes))
        return false;
    entry_path(path, "cas", &stamp->content);
    int fd = tw_dir_read_file(store->root, path);
    if (fd < 0)
        return false;
    enum tw_entry_state state = read_blob(store, fd, stamp, bytes, value);
    tw_store_settle(store, path, fd, state);
    if (state != TW_HIT)
        *value = (struct tw_value){0};
    *damaged = state == TW_DAMAGED;
    return state == TW_HIT;
}

void tw_store_put(struct tw_store *store, const struct tw_stamp *stamp,
                  const struct tw_value *value)
{
    char path[TW_STORE_PATH];
    unsigned char head[BLOB_HEAD];
    size_t bytes;
    assert(stamp->type == value->type && stamp->width == value->width &&
           stamp->height == value->height);
    if (!tw_store_storing(store) || tw_store_has(store, stamp) ||
        !tw_field_bytes(stamp->type, stamp->width, stamp->height, &bytes))
        return;
    entry_path(path, "cas", &stamp->content);
    encode_head(head, stamp);
    tw_store_publish(store, path, head, sizeof head, value);
}
