/* SPDX-License-Identifier: MIT */
/* Finds, loads, saves and puts cache entries in their formats (packs: store_pack.h). Invariant:
 * nothing read is trusted before its size, header and checksum match. There is no fsync: torn
 * entries after a power cut fail these checks and are computed again. */
#include "cache/store_private.h"

#include "base/memory/byte_order.h"
#include "base/os/dir.h"
#include "base/os/file.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#define SECONDS_MAX 1e9    /* 30 years: sums stay finite */
#define CHEAP_SECONDS 1e-3 /* ten times the cost of creating a file */

/* ---- names ---- */

/* Prints "FOLDER/XX/<hex>", where XX are the first two digits. */
static void entry_path(char path[TW_STORE_PATH], const char *folder, const struct tw_sha256 *name)
{
    char hex[2 * sizeof name->at + 1];
    tw_hex(name->at, sizeof name->at, hex);
    snprintf(path, TW_STORE_PATH, "%s/%.2s/%s", folder, hex, hex);
}

/* ---- actions ---- */

static bool is_held(const struct tw_action *action, int32_t i) { return action->held >> i & 1; }

size_t tw_store_encode_action(unsigned char *to, const struct tw_sha256 *key,
                              const struct tw_action *action)
{
    uint64_t seconds;
    unsigned char *at = to + TW_ACTION_HEAD;
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
        at += TW_ACTION_OUTPUT;
    }
    tw_put_u64(at, tw_hash64(to, (size_t)(at - to), 0));
    return (size_t)(at - to) + TW_ACTION_CHECK;
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

/* Decodes the count and held outputs; false unless the file's size matches them. */
static bool decode_held(const unsigned char *from, size_t size, struct tw_action *action)
{
    uint32_t word = tw_get_u32(from + 36), count = word & 0xFFFF, outputs = 0;
    action->count = (int32_t)count;
    action->held = word >> 16;
    if (count > TW_PORTS_MAX || action->held >> count != 0)
        return false;
    for (uint32_t bits = action->held; bits > 0; bits &= bits - 1)
        outputs++;
    return size == TW_ACTION_HEAD + outputs * TW_ACTION_OUTPUT + TW_ACTION_CHECK;
}

bool tw_store_decode_action(const unsigned char *from, size_t size, const struct tw_sha256 *key,
                            struct tw_action *action)
{
    if (size < TW_ACTION_HEAD + TW_ACTION_CHECK || memcmp(from, "TWA3", 4) != 0 ||
        memcmp(from + 4, key->at, 32) != 0 || !decode_held(from, size, action))
        return false;
    if (tw_get_u64(from + size - TW_ACTION_CHECK) != tw_hash64(from, size - TW_ACTION_CHECK, 0))
        return false;
    uint64_t seconds = tw_get_u64(from + 40);
    memcpy(&action->seconds, &seconds, sizeof seconds);
    if (!(action->seconds >= 0 && action->seconds < SECONDS_MAX))
        return false;
    const unsigned char *at = from + TW_ACTION_HEAD;
    for (int32_t i = 0; i < action->count; i++) {
        if (!is_held(action, i))
            continue;
        if (!decode_stamp(at, &action->outputs[i]))
            return false;
        at += TW_ACTION_OUTPUT;
    }
    return true;
}

struct tw_sha256 tw_store_action_name(const struct tw_secret *secret, const struct tw_sha256 *key)
{
    unsigned char both[sizeof secret->at + sizeof key->at];
    memcpy(both, secret->at, sizeof secret->at);
    memcpy(both + sizeof secret->at, key->at, sizeof key->at);
    return tw_sha256_of(both, sizeof both);
}

static enum tw_entry_state find_file(struct tw_store *store, const struct tw_sha256 *name,
                                     struct tw_action *action)
{
    char path[TW_STORE_PATH];
    unsigned char bytes[TW_ACTION_MAX];
    uint64_t size;
    enum tw_entry_state state = TW_DAMAGED;
    entry_path(path, "ac", name);
    int fd = tw_dir_read_file(store->root, path);
    if (fd < 0)
        return TW_MISS;
    if (tw_file_size(fd, &size) && size <= TW_ACTION_MAX &&
        tw_file_read_all(fd, bytes, (size_t)size) &&
        tw_store_decode_action(bytes, (size_t)size, name, action))
        state = TW_HIT;
    tw_store_settle(store, path, fd, state);
    return state;
}

/* Reads the packs on disk only with `load`. */
static bool find_packed(struct tw_store *store, const struct tw_sha256 *name, bool load,
                        struct tw_action *action)
{
    unsigned char bytes[TW_ACTION_MAX];
    size_t size = tw_packs_find(store, name, load, bytes);
    return size > 0 && tw_store_decode_action(bytes, size, name, action);
}

static bool is_complete(const struct tw_action *action)
{
    return action->held + 1 == (uint32_t)1 << action->count;
}

/* Looks for files before reading packs, so that small runs read files only; once loaded, packs come
 * first as they are faster. An entry that grew has a file of its own, which overrides any pack. */
bool tw_store_find(struct tw_store *store, const struct tw_sha256 *key, struct tw_action *action,
                   bool *damaged)
{
    struct tw_sha256 name = tw_store_action_name(&store->secret, key);
    struct tw_action packed = {0}, filed = {0};
    bool hit = find_packed(store, &name, false, &packed);
    enum tw_entry_state file =
        hit && is_complete(&packed) ? TW_MISS : find_file(store, &name, &filed);
    bool has_file = file == TW_HIT;
    if (damaged)
        *damaged = file == TW_DAMAGED;
    if (!hit && !has_file)
        hit = find_packed(store, &name, true, &packed);
    *action = (struct tw_action){0};
    if (hit || has_file)
        *action = has_file && (!hit || (packed.held & ~filed.held) == 0) ? filed : packed;
    return hit || has_file;
}

/* Adds the outputs that only the entry on disk holds; false if there is no entry. If two processes
 * do this at once, one may overwrite what the other adds, which is then computed again when
 * needed. */
static bool add_held(struct tw_store *store, const struct tw_sha256 *key, struct tw_action *action)
{
    struct tw_action before;
    if (action->count == 1 || !tw_store_find(store, key, &before, NULL))
        return false;
    for (int32_t i = 0; i < action->count && before.count == action->count; i++)
        if (is_held(&before, i) && !is_held(action, i)) {
            action->outputs[i] = before.outputs[i];
            action->held |= (uint32_t)1 << i;
        }
    return true;
}

void tw_store_save(struct tw_store *store, const struct tw_sha256 *key,
                   const struct tw_action *action)
{
    char path[TW_STORE_PATH];
    unsigned char bytes[TW_ACTION_MAX];
    struct tw_action all = *action;
    assert(action->count >= 0 && action->count <= TW_PORTS_MAX);
    if (!tw_store_storing(store))
        return;
    bool grows = add_held(store, key, &all);
    struct tw_sha256 name = tw_store_action_name(&store->secret, key);
    size_t size = tw_store_encode_action(bytes, &name, &all);
    if (!grows && tw_store_is_cheap(all.seconds) && tw_packs_take(store, bytes, size, all.seconds))
        return;
    entry_path(path, "ac", &name);
    (void)tw_store_publish(store, path, bytes, size, NULL);
}

bool tw_store_is_cheap(double seconds) { return seconds < CHEAP_SECONDS; }
void tw_store_flush(struct tw_store *store) { tw_packs_flush(store); }

/* ---- blobs ---- */

void tw_store_encode_head(unsigned char head[TW_BLOB_HEAD], const struct tw_stamp *stamp)
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
    return tw_dir_stat(store->root, path, &info) && info.size == (uint64_t)bytes + TW_BLOB_HEAD;
}

/* Compares sizes and header before allocating; running out of memory does not count as damage. */
enum tw_entry_state tw_store_read_blob(const struct tw_store *store, int fd,
                                       const struct tw_stamp *stamp, size_t bytes,
                                       struct tw_value *value)
{
    struct tw_sha256 content;
    enum tw_entry_state state = TW_DAMAGED;
    unsigned char head[TW_BLOB_HEAD], expected[TW_BLOB_HEAD];
    uint64_t size;
    tw_store_encode_head(expected, stamp);
    if (!tw_file_size(fd, &size) || size != (uint64_t)bytes + TW_BLOB_HEAD ||
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
    enum tw_entry_state state = tw_store_read_blob(store, fd, stamp, bytes, value);
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
    unsigned char head[TW_BLOB_HEAD];
    size_t bytes;
    assert(stamp->type == value->type && stamp->width == value->width &&
           stamp->height == value->height);
    if (!tw_store_storing(store) || tw_store_has(store, stamp) ||
        !tw_field_bytes(stamp->type, stamp->width, stamp->height, &bytes))
        return;
    entry_path(path, "cas", &stamp->content);
    tw_store_encode_head(head, stamp);
    (void)tw_store_publish(store, path, head, sizeof head, value);
}

int tw_store_open_blob(struct tw_store *store, const struct tw_stamp *stamp, uint64_t *size)
{
    char path[TW_STORE_PATH];
    entry_path(path, "cas", &stamp->content);
    int fd = tw_dir_read_file(store->root, path);
    if (fd >= 0 && tw_file_size(fd, size))
        return fd;
    if (fd >= 0)
        (void)tw_file_close(fd);
    return -1;
}
