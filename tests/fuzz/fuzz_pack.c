/* SPDX-License-Identifier: MIT */
/* Packs of actions that whoever knows the secret may have written. The first byte says how many
 * files there are, enough of them to be merged; the rest is each one's bytes. Checksums and names
 * are put right, as nearly all mutations would stop there. After that every action that is found is
 * one that the store itself could have written, and stays what it is when packs are written and
 * merged. */
#include "fuzz.h"

#include "actions.h"
#include "folder.h"

#include "cache/store_pack_private.h"

#include <dirent.h>
#include <sys/stat.h>

enum { FILES = 18, KEYS = 4, SAVED = KEYS, LOOSE = 32 };

struct found {
    bool hit;
    struct tw_action action;
};

static struct tw_store *open_store(void)
{
    struct tw_store *store;
    if (tw_store_open(fuzz_folder(), 0, &store, NULL) != TW_OK)
        abort();
    return store;
}

static const char *packs_folder(void)
{
    static char folder[100];
    snprintf(folder, sizeof folder, "%s/v1/" TW_PACK_FOLDER, fuzz_folder());
    return folder;
}

static void remove_packs(void)
{
    char path[400];
    DIR *list = opendir(packs_folder());
    for (const struct dirent *at; list && (at = readdir(list));) {
        snprintf(path, sizeof path, "%s/%s", packs_folder(), at->d_name);
        (void)unlink(path);
    }
    if (list)
        (void)closedir(list);
    (void)mkdir(packs_folder(), 0777);
}

static struct tw_sha256 key_of(int i) { return tw_sha256_of(&(uint8_t){(uint8_t)i}, 1); }

/* The actions become those of KEYS keys, as far as their lengths lead. */
static void put_right(const struct tw_store *store, uint8_t *file, size_t size)
{
    size_t at = TW_PACK_HEAD;
    if (size < TW_PACK_HEAD + TW_PACK_CHECK)
        return;
    while (size - TW_PACK_CHECK - at > TW_RECORD_HEAD + TW_ACTION_HEAD + TW_ACTION_CHECK) {
        size_t length = fuzz_get_u32(file + at);
        uint8_t *action = file + at + TW_RECORD_HEAD;
        if (length < TW_ACTION_HEAD + TW_ACTION_CHECK ||
            length > size - TW_PACK_CHECK - at - TW_RECORD_HEAD)
            break;
        struct tw_sha256 key = key_of(action[TW_ACTION_NAME_AT] % KEYS);
        struct tw_sha256 name = tw_store_action_name(tw_store_secret(store), &key);
        memcpy(action + TW_ACTION_NAME_AT, &name, sizeof name);
        fuzz_put_check(action, length);
        at += TW_RECORD_HEAD + length;
    }
    fuzz_put_check(file, size);
}

static void find_all(struct tw_store *store, struct found found[KEYS])
{
    for (int i = 0; i < KEYS; i++) {
        struct tw_sha256 key = key_of(i);
        found[i].hit = tw_store_find(store, &key, &found[i].action, NULL);
        if (found[i].hit)
            fuzz_check_action(store, &found[i].action);
    }
}

static void expect_same(struct tw_store *store, const struct found before[KEYS])
{
    struct found after[KEYS];
    find_all(store, after);
    for (int i = 0; i < KEYS; i++)
        if (before[i].hit != after[i].hit ||
            (before[i].hit && !fuzz_same_action(&before[i].action, &after[i].action)))
            abort();
}

static void try_packs(void)
{
    const struct tw_sha256 key = key_of(SAVED);
    const struct tw_action saved = {.count = 1, .seconds = 1e-6};
    struct tw_store_stats stats;
    struct tw_action again;
    struct found found[KEYS];
    struct tw_store *store = open_store();
    atomic_store(&store->packs.loose, LOOSE);
    (void)tw_store_stats(store, &stats, NULL);
    find_all(store, found);
    tw_store_save(store, &key, &saved);
    tw_store_flush(store);
    expect_same(store, found);
    tw_store_close(store);
    store = open_store();
    expect_same(store, found);
    if (!tw_store_find(store, &key, &again, NULL) || !fuzz_same_action(&saved, &again))
        abort();
    tw_store_close(store);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[200];
    uint8_t *file = size > 1 ? malloc(size - 1) : NULL;
    if (!file)
        return 0;
    memcpy(file, data + 1, size - 1);
    struct tw_store *store = open_store();
    put_right(store, file, size - 1);
    tw_store_close(store);
    remove_packs();
    for (int i = 0; i <= data[0] % FILES; i++) {
        snprintf(path, sizeof path, "%s/%032d", packs_folder(), i);
        fuzz_write(path, file, size - 1);
    }
    free(file);
    try_packs();
    return 0;
}
