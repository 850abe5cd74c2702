/* SPDX-License-Identifier: MIT */
/* Cache entries that whoever knows the secret may have written: the first byte chooses an action or
 * a blob, the rest is the file. Checksums are put right, as nearly all mutations would stop at a
 * wrong one; after that any bytes are a miss, or an entry that the store itself could have
 * written. */
#include "fuzz.h"

#include "actions.h"
#include "folder.h"

#include <sys/stat.h>

enum { KEY_AT = 4, STAMP = 12, HEAD = 16 };

static struct tw_store *store;

/* The file of an entry; its folder is created. */
static void entry_path(const char *kind, const struct tw_sha256 *name, char path[200])
{
    char hex[2 * sizeof name->at + 1], folder[120];
    tw_hex(name->at, sizeof name->at, hex);
    snprintf(folder, sizeof folder, "%s/v1/%s/%.2s", fuzz_folder(), kind, hex);
    (void)mkdir(folder, 0777);
    snprintf(path, 200, "%s/%s", folder, hex);
}

static void try_action(uint8_t *file, size_t size)
{
    static const struct tw_sha256 key = {{1, 2, 3}};
    const struct tw_sha256 name = tw_store_action_name(tw_store_secret(store), &key);
    struct tw_action action, again;
    char path[200];
    if (size >= KEY_AT + sizeof name + 8) {
        memcpy(file + KEY_AT, &name, sizeof name);
        fuzz_put_check(file, size);
    }
    entry_path("ac", &name, path);
    fuzz_write(path, file, size);
    if (!tw_store_find(store, &key, &action, NULL))
        return;
    fuzz_check_action(store, &action);
    tw_store_save(store, &key, &action);
    if (!tw_store_find(store, &key, &again, NULL) || !fuzz_same_action(&action, &again))
        abort();
}

/* First what an action says of the blob (type, width, height), then the file. */
static void try_blob(const uint8_t *data, size_t size)
{
    struct tw_stamp stamp = {.type = (enum tw_type)(size ? data[0] % TW_TYPE_COUNT : 0)};
    struct tw_value value;
    char path[200];
    bool damaged;
    size_t bytes;
    if (size < STAMP + HEAD)
        return;
    stamp.width = (int32_t)(fuzz_get_u32(data + 4) & INT32_MAX);
    stamp.height = (int32_t)(fuzz_get_u32(data + 8) & INT32_MAX);
    data += STAMP;
    size -= STAMP;
    if (!tw_field_bytes(stamp.type, stamp.width, stamp.height, &bytes))
        return;
    if (bytes == size - HEAD) {
        value = (struct tw_value){stamp.type, stamp.width, stamp.height, (void *)(data + HEAD)};
        if (!tw_field_content(&value, tw_store_secret(store), &stamp.content))
            return;
    }
    entry_path("cas", &stamp.content, path);
    fuzz_write(path, data, size);
    if (tw_store_load(store, &stamp, &value, &damaged)) {
        if (value.type != stamp.type || value.width != stamp.width ||
            value.height != stamp.height || !tw_field_is_valid(&value))
            abort();
        tw_field_clear(&value);
    } else if (value.data) {
        abort();
    }
    (void)unlink(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!store && tw_store_open(fuzz_folder(), 0, &store, NULL) != TW_OK)
        abort();
    if (size == 0)
        return 0;
    uint8_t *file = malloc(size); /* aligned as values are */
    if (!file)
        return 0;
    memcpy(file, data + 1, size - 1);
    if (data[0] & 1)
        try_action(file, size - 1);
    else
        try_blob(file, size - 1);
    free(file);
    return 0;
}
