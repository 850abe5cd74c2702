/* SPDX-License-Identifier: MIT */
/* The cache on disk: what was stored comes back, and whatever is missing, cut or changed by a
 * single bit is a miss. Each test has a fresh folder below $TMPDIR, removed afterwards. */
#include "support/folder.h"

#include "base/memory/tally.h"
#include "base/os/dir.h"
#include "cache/store_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

struct setting {
    char folder[512];
    struct tw_store *store;
};

/* ---- helpers ---- */

static int set_up(void **state)
{
    const char *base = getenv("TMPDIR");
    struct setting *s = calloc(1, sizeof *s);
    if (s == NULL)
        return -1;
    snprintf(s->folder, sizeof s->folder, "%.400s/tw-store-XXXXXX", base != NULL ? base : "/tmp");
    if (mkdtemp(s->folder) == NULL || tw_store_open(s->folder, 0, &s->store, NULL) != TW_OK) {
        free(s);
        return -1;
    }
    *state = s;
    return 0;
}

static int tear_down(void **state)
{
    struct setting *s = *state;
    tw_store_close(s->store);
    int failed = folder_remove(s->folder);
    free(s);
    return failed;
}

static void path_of(const struct setting *s, const char *kind, const unsigned char *at, size_t size,
                    char path[1024])
{
    int n = snprintf(path, 1024, "%s/v1/%s/%02x/", s->folder, kind, at[0]);
    for (size_t i = 0; i < size; i++)
        n += snprintf(path + n, 1024 - (size_t)n, "%02x", at[i]);
}

static void write_file(const char *path, const void *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static size_t read_file(const char *path, unsigned char *data, size_t room)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = fread(data, 1, room, file);
    assert_int_equal(fclose(file), 0);
    assert_true(size < room);
    return size;
}

static void set_time(const char *path, time_t seconds)
{
    struct timespec times[2] = {{.tv_sec = seconds}, {.tv_sec = seconds}};
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static struct tw_sha256 key_of(unsigned char seed)
{
    struct tw_sha256 key;
    for (size_t i = 0; i < sizeof key.at; i++)
        key.at[i] = (unsigned char)(seed + 7 * i);
    return key;
}

static void stamp_of(const struct tw_store *store, const struct tw_value *value,
                     struct tw_stamp *stamp)
{
    *stamp =
        (struct tw_stamp){tw_field_digest(value), value->type, value->width, value->height, {{0}}};
    assert_true(tw_field_content(value, tw_store_secret(store), &stamp->content));
}

static struct tw_value make_value(const struct tw_store *store, float seed, struct tw_stamp *stamp)
{
    struct tw_value value = {0};
    assert_int_equal(tw_field_alloc(&value, TW_HEIGHTMAP, 5, 3, NULL), TW_OK);
    for (size_t i = 0; i < tw_value_count(&value); i++)
        tw_floats(&value)[i] = seed + (float)i;
    stamp_of(store, &value, stamp);
    return value;
}

/* Puts a value made from `seed` and returns its stamp. */
static struct tw_stamp put(struct tw_store *store, float seed)
{
    struct tw_stamp stamp;
    struct tw_value value = make_value(store, seed, &stamp);
    tw_store_put(store, &stamp, &value);
    tw_field_clear(&value);
    return stamp;
}

static bool loads(struct tw_store *store, const struct tw_stamp *stamp, bool *damaged)
{
    struct tw_value value;
    bool hit = tw_store_load(store, stamp, &value, damaged);
    if (hit)
        tw_field_clear(&value);
    else
        assert_null(value.data);
    return hit;
}

static struct tw_action action_of(struct tw_stamp stamp)
{
    struct tw_action action = {.count = 1, .held = 1, .outputs = {stamp}, .seconds = 1.25};
    return action;
}

/* ---- tests ---- */

static void round_trip(void **state)
{
    struct setting *s = *state;
    struct tw_sha256 key = key_of(1);
    struct tw_stamp stamp;
    struct tw_value value = make_value(s->store, 2, &stamp), back;
    struct tw_action action = action_of(stamp), found;
    bool damaged = true;
    assert_false(tw_store_has(s->store, &stamp));
    tw_store_put(s->store, &stamp, &value);
    tw_store_save(s->store, &key, &action);
    assert_null(tw_store_trouble(s->store));
    assert_true(tw_store_has(s->store, &stamp));
    assert_true(tw_store_find(s->store, &key, &found, NULL));
    assert_int_equal(found.count, 1);
    assert_true(found.seconds == 1.25);
    assert_memory_equal(found.outputs[0].digest.at, stamp.digest.at, 16);
    assert_memory_equal(found.outputs[0].content.at, stamp.content.at, 32);
    assert_int_equal(found.outputs[0].type, TW_HEIGHTMAP);
    assert_int_equal(found.outputs[0].width, 5);
    assert_int_equal(found.outputs[0].height, 3);
    assert_true(tw_store_load(s->store, &stamp, &back, &damaged));
    assert_false(damaged);
    assert_memory_equal(back.data, value.data, 5 * 3 * sizeof(float));
    tw_field_clear(&back);
    tw_field_clear(&value);
}

static void largest_action(void **state)
{
    struct setting *s = *state;
    struct tw_sha256 key = key_of(9);
    struct tw_action action = action_of(put(s->store, 1)), found;
    action.count = TW_PORTS_MAX;
    action.held = 0xFFFF;
    for (int i = 1; i < TW_PORTS_MAX; i++)
        action.outputs[i] = action.outputs[0];
    tw_store_save(s->store, &key, &action);
    assert_true(tw_store_find(s->store, &key, &found, NULL));
    assert_int_equal(found.count, TW_PORTS_MAX);
    assert_int_equal(found.outputs[TW_PORTS_MAX - 1].width, 5);
}

static void an_entry_grows_and_never_shrinks(void **state)
{
    struct setting *s = *state;
    struct tw_sha256 key = key_of(10);
    struct tw_action first = {.count = 3, .held = 1}, later = {.count = 3, .held = 4}, found;
    first.outputs[0] = put(s->store, 1);
    later.outputs[2] = put(s->store, 2);
    tw_store_save(s->store, &key, &first);
    assert_true(tw_store_find(s->store, &key, &found, NULL));
    assert_int_equal(found.held, 1);
    tw_store_save(s->store, &key, &later);
    assert_true(tw_store_find(s->store, &key, &found, NULL));
    assert_int_equal(found.count, 3);
    assert_int_equal(found.held, 5);
    assert_memory_equal(&found.outputs[0], &first.outputs[0], sizeof first.outputs[0]);
    assert_memory_equal(&found.outputs[2], &later.outputs[2], sizeof later.outputs[2]);
    tw_store_save(s->store, &key, &first);
    assert_true(tw_store_find(s->store, &key, &found, NULL));
    assert_int_equal(found.held, 5);
    later.count = 4; /* of a type with another number of outputs: not added to */
    tw_store_save(s->store, &key, &later);
    assert_true(tw_store_find(s->store, &key, &found, NULL));
    assert_int_equal(found.held, 4);
}

static void unknown_key_is_a_miss(void **state)
{
    struct setting *s = *state;
    struct tw_sha256 key = key_of(1);
    struct tw_action found;
    assert_false(tw_store_find(s->store, &key, &found, NULL));
    assert_int_equal(found.count, 0);
    assert_null(tw_store_trouble(s->store));
}

static void every_damaged_action_is_a_miss(void **state)
{
    struct setting *s = *state;
    struct tw_sha256 key = key_of(1);
    struct tw_action action = action_of(put(s->store, 1)), found;
    unsigned char bytes[1024];
    char path[1024];
    tw_store_save(s->store, &key, &action);
    struct tw_sha256 name = tw_store_action_name(tw_store_secret(s->store), &key);
    path_of(s, "ac", name.at, 32, path);
    size_t size = read_file(path, bytes, sizeof bytes);
    for (size_t bit = 0; bit < 8 * size; bit++) {
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        write_file(path, bytes, size);
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        assert_false(tw_store_find(s->store, &key, &found, NULL));
    }
    for (size_t cut = 0; cut < size; cut++) {
        write_file(path, bytes, cut);
        assert_false(tw_store_find(s->store, &key, &found, NULL));
    }
    print_message("actions: %zu bits flipped, %zu truncations\n", 8 * size, size);
    bytes[size] = 0;
    write_file(path, bytes, size + 1);
    assert_false(tw_store_find(s->store, &key, &found, NULL));
    assert_int_not_equal(access(path, F_OK), 0);
    write_file(path, bytes, size);
    assert_true(tw_store_find(s->store, &key, &found, NULL));
}

static void a_file_longer_than_any_action_is_a_miss(void **state)
{
    static const unsigned char zeros[1 << 12];
    struct setting *s = *state;
    struct tw_sha256 key = key_of(1);
    struct tw_action action = action_of(put(s->store, 1)), found;
    char path[1024];
    tw_store_save(s->store, &key, &action);
    struct tw_sha256 name = tw_store_action_name(tw_store_secret(s->store), &key);
    path_of(s, "ac", name.at, 32, path);
    write_file(path, zeros, sizeof zeros);
    assert_false(tw_store_find(s->store, &key, &found, NULL));
    assert_int_not_equal(access(path, F_OK), 0);
}

static void action_of_another_key_is_a_miss(void **state)
{
    struct setting *s = *state;
    struct tw_sha256 key = key_of(1), other = key_of(1);
    struct tw_action action = action_of(put(s->store, 1)), found;
    char from[1024], to[1024], folder[1024];
    other.at[31] ^= 1;
    tw_store_save(s->store, &key, &action);
    struct tw_sha256 one = tw_store_action_name(tw_store_secret(s->store), &key);
    struct tw_sha256 two = tw_store_action_name(tw_store_secret(s->store), &other);
    path_of(s, "ac", one.at, 32, from);
    path_of(s, "ac", two.at, 32, to);
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(to, '/') - to), to);
    assert_true(mkdir(folder, 0777) == 0 || errno == EEXIST);
    assert_int_equal(rename(from, to), 0);
    assert_false(tw_store_find(s->store, &other, &found, NULL));
}

/* A value whose bytes are all that `type` needs: numbers finite, names ended. */
static struct tw_stamp put_small(struct tw_store *store, enum tw_type type)
{
    struct tw_value value = {0};
    struct tw_stamp stamp;
    assert_int_equal(tw_field_alloc(&value, type, 3, 1, NULL), TW_OK);
    memset(value.data, 0, 3 * tw_type_size(type));
    for (size_t i = 0; i < 3; i++)
        ((unsigned char *)value.data)[i * tw_type_size(type)] = (unsigned char)(i + 1);
    stamp_of(store, &value, &stamp);
    tw_store_put(store, &stamp, &value);
    tw_field_clear(&value);
    return stamp;
}

/* Each bit changed, each length below the right one. Adds to the counts. */
static void damage_blob(struct setting *s, const struct tw_stamp *stamp, long *flips, long *cuts)
{
    unsigned char bytes[1024];
    char path[1024];
    bool damaged;
    path_of(s, "cas", stamp->content.at, 32, path);
    size_t size = read_file(path, bytes, sizeof bytes);
    for (size_t bit = 0; bit < 8 * size; bit++, ++*flips) {
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        write_file(path, bytes, size);
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        assert_false(loads(s->store, stamp, &damaged));
        assert_true(damaged);
        assert_int_not_equal(access(path, F_OK), 0);
    }
    for (size_t cut = 0; cut < size; cut++, ++*cuts) {
        write_file(path, bytes, cut);
        assert_false(loads(s->store, stamp, &damaged));
        assert_true(damaged);
    }
    write_file(path, bytes, size);
    assert_true(loads(s->store, stamp, &damaged));
}

static void every_damaged_blob_is_deleted(void **state)
{
    struct setting *s = *state;
    long flips = 0, cuts = 0;
    struct tw_stamp stamp = put(s->store, 1);
    damage_blob(s, &stamp, &flips, &cuts);
    for (int type = 0; type < TW_TYPE_COUNT; type++) {
        stamp = put_small(s->store, (enum tw_type)type);
        damage_blob(s, &stamp, &flips, &cuts);
    }
    print_message("blobs: %ld bits flipped, %ld truncations\n", flips, cuts);
}

static void vanished_blob_is_a_miss(void **state)
{
    struct setting *s = *state;
    struct tw_stamp stamp = put(s->store, 1);
    char path[1024];
    bool damaged = true;
    path_of(s, "cas", stamp.content.at, 32, path);
    assert_int_equal(unlink(path), 0);
    assert_false(loads(s->store, &stamp, &damaged));
    assert_false(damaged);
    assert_false(tw_store_has(s->store, &stamp));
}

static void gc_keeps_the_newest(void **state)
{
    struct setting *s = *state;
    struct tw_stamp stamps[4];
    struct tw_store_stats stats;
    uint64_t freed = 0;
    bool damaged;
    char path[1024];
    for (int i = 0; i < 4; i++) {
        stamps[i] = put(s->store, (float)(100 * i));
        path_of(s, "cas", stamps[i].content.at, 32, path);
        set_time(path, 1000000 + i);
    }
    assert_true(loads(s->store, &stamps[0], &damaged)); /* now the most recently used */
    assert_int_equal(tw_store_stats(s->store, &stats, NULL), TW_OK);
    assert_int_equal(stats.blobs, 4);
    assert_int_equal(tw_store_gc(s->store, stats.bytes / 2, &freed, NULL), TW_OK);
    assert_int_equal(freed, stats.bytes / 2);
    assert_true(tw_store_has(s->store, &stamps[0]));
    assert_false(tw_store_has(s->store, &stamps[1]));
    assert_false(tw_store_has(s->store, &stamps[2]));
    assert_true(tw_store_has(s->store, &stamps[3]));
}

/* More than a list begins with. */
static void any_number_of_entries_is_collected(void **state)
{
    enum { MANY = 300 };
    struct setting *s = *state;
    struct tw_store_stats stats;
    uint64_t freed = 0;
    for (int i = 0; i < MANY; i++)
        put(s->store, (float)i);
    assert_int_equal(tw_store_stats(s->store, &stats, NULL), TW_OK);
    assert_int_equal(stats.blobs, MANY);
    assert_int_equal(tw_store_gc(s->store, 0, &freed, NULL), TW_OK);
    assert_int_equal(freed, stats.bytes);
    assert_int_equal(tw_store_stats(s->store, &stats, NULL), TW_OK);
    assert_int_equal(stats.blobs, 0);
}

static void bound_is_kept(void **state)
{
    struct setting *s = *state;
    struct tw_store *bounded;
    struct tw_store_stats stats;
    assert_int_equal(tw_store_open(s->folder, 300, &bounded, NULL), TW_OK);
    for (int i = 0; i < 20; i++)
        put(bounded, (float)(100 * i));
    assert_null(tw_store_trouble(bounded));
    tw_store_close(bounded);
    assert_int_equal(tw_store_stats(s->store, &stats, NULL), TW_OK);
    assert_true(stats.bytes <= 300);
    assert_true(stats.blobs > 0);
}

static void run_short(const struct setting *s, uint64_t max_bytes, float value)
{
    struct tw_store *store;
    assert_int_equal(tw_store_open(s->folder, max_bytes, &store, NULL), TW_OK);
    put(store, value);
    tw_store_close(store);
}

/* As a killed process did long ago. */
static void leave_file(const struct setting *s, char path[1024])
{
    snprintf(path, 1024, "%s/v1/tmp/12-0-ab.tmp", s->folder);
    write_file(path, "x", 1);
    set_time(path, 1000000);
}

/* Whether a short run lists the folder: then that file goes. */
static bool lists(const struct setting *s, float value)
{
    char left[1024];
    leave_file(s, left);
    run_short(s, 1 << 20, value);
    return access(left, F_OK) != 0;
}

static void a_run_that_writes_nothing_does_not_list(void **state)
{
    const struct setting *s = *state;
    struct tw_store *store;
    char left[1024];
    leave_file(s, left);
    assert_int_equal(tw_store_open(s->folder, 1 << 20, &store, NULL), TW_OK);
    tw_store_close(store);
    assert_int_equal(access(left, F_OK), 0);
}

static void short_runs_list_the_folder_once_an_hour(void **state)
{
    const struct setting *s = *state;
    const uint64_t now = (uint64_t)time(NULL);
    char folder[1024];
    snprintf(folder, sizeof folder, "%s/v1", s->folder);
    assert_true(lists(s, 1)); /* nobody has yet */
    assert_false(lists(s, 2));
    int dir = tw_dir_open(folder, false);
    assert_true(tw_tally_set(dir, "size", (uint64_t[]){0, now - 4000}, 2));
    assert_true(lists(s, 3));
    assert_true(tw_tally_set(dir, "size", (uint64_t[]){0, now + 4000}, 2)); /* a wrong clock */
    assert_true(lists(s, 4));
    assert_true(tw_tally_set(dir, "size", (uint64_t[]){(1 << 20) - 8, now}, 2));
    assert_true(lists(s, 5)); /* with what this one wrote it may be full */
    int file = openat(dir, "size", O_RDWR);
    assert_int_equal(flock(file, LOCK_EX), 0); /* cannot be counted */
    assert_true(lists(s, 6));
    close(file);
    close(dir);
}

static void short_runs_keep_the_bound_together(void **state)
{
    const struct setting *s = *state;
    struct tw_store_stats stats;
    for (int i = 0; i < 40; i++) {
        run_short(s, 3000, (float)(100 * i));
        assert_int_equal(tw_store_stats(s->store, &stats, NULL), TW_OK);
        assert_in_range(stats.bytes, 1, 3000);
    }
}

static void clear_leaves_foreign_files(void **state)
{
    struct setting *s = *state;
    struct tw_stamp stamp = put(s->store, 1);
    struct tw_sha256 key = key_of(3);
    struct tw_action action = action_of(stamp), found;
    char own[1024], foreign[3][1100];
    tw_store_save(s->store, &key, &action);
    path_of(s, "cas", stamp.content.at, 32, own);
    snprintf(foreign[0], sizeof foreign[0], "%s.txt", own);
    snprintf(foreign[1], sizeof foreign[1], "%s/v1/notes", s->folder);
    snprintf(foreign[2], sizeof foreign[2], "%s/v1/tmp/notes.txt", s->folder);
    for (int i = 0; i < 3; i++)
        write_file(foreign[i], "x", 1);
    assert_int_equal(tw_store_clear(s->store, NULL), TW_OK);
    for (int i = 0; i < 3; i++)
        assert_int_equal(access(foreign[i], F_OK), 0);
    assert_false(tw_store_has(s->store, &stamp));
    assert_false(tw_store_find(s->store, &key, &found, NULL));
}

/* In each folder what nearly has a name of ours, and in that of blobs what former versions left. */
static void only_own_names_are_taken(void **state)
{
    static const struct {
        const char *name;
        bool own;
    } files[] = {
        {"tmp/12-0-ab.tmp", true},
        {"tmp/0123456789abcdef0123456789abcdef0123456789abcdef0123456789ab.tmp", true},
        {"tmp/0123456789abcdef0123456789abcdef0123456789abcdef0123456789abc.tmp", false},
        {"tmp/.tmp", false},
        {"tmp/12-0-ab.tmp~", false},
        {"ac/0a/0a23456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", true},
        {"ac/0a/0b23456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", false},
        {"ac/0a/0a23456789abcdef0123456789abcdef0123456789abcdef0123456789abcde", false},
        {"ac/0a/0a23456789abcdef0123456789abcdef0123456789abcdef0123456789abcdeg", false},
        {"ac/0a/0a23456789abcdef0123456789abcdef", false},
        {"cas/0a/0a23456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", true},
        {"cas/0a/0b23456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", false},
        {"cas/0a/0a23456789abcdef0123456789abcdef", true},
        {"cas/0a/0a23456789abcdef0123456789abcde", false},
        {"pk/0a23456789abcdef0123456789abcdef", true},
        {"pk/0a23456789abcdef0123456789abcde", false},
        {"pk/0a23456789abcdef0123456789abcdeg", false},
    };
    struct setting *s = *state;
    struct tw_store_stats stats;
    char path[1024];
    for (int i = 0; i < 3; i++) {
        static const char *const folders[] = {"ac/0a", "cas/0a", "pk"};
        snprintf(path, sizeof path, "%s/v1/%s", s->folder, folders[i]);
        assert_true(mkdir(path, 0777) == 0 || errno == EEXIST);
    }
    for (int all = 0; all < 2; all++) {
        for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
            snprintf(path, sizeof path, "%s/v1/%s", s->folder, files[i].name);
            write_file(path, "x", 1);
            set_time(path, 1000000);
        }
        assert_int_equal(tw_store_stats(s->store, &stats, NULL), TW_OK);
        assert_true(stats.actions == 1 && stats.blobs == 2 && stats.stale == 2);
        assert_int_equal(
            all ? tw_store_clear(s->store, NULL) : tw_store_gc(s->store, 0, NULL, NULL), TW_OK);
        for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
            snprintf(path, sizeof path, "%s/v1/%s", s->folder, files[i].name);
            if ((access(path, F_OK) != 0) != files[i].own)
                fail_msg("%s", files[i].name);
        }
    }
}

static void clear_takes_empty_files(void **state)
{
    struct setting *s = *state;
    struct tw_stamp stamp = put(s->store, 1);
    struct tw_store_stats stats;
    char path[1024];
    path_of(s, "cas", stamp.content.at, 32, path);
    write_file(path, "", 0);
    assert_int_equal(tw_store_clear(s->store, NULL), TW_OK);
    assert_int_equal(tw_store_stats(s->store, &stats, NULL), TW_OK);
    assert_int_equal(stats.blobs, 0);
}

static void two_stores_share_a_folder(void **state)
{
    struct setting *s = *state;
    struct tw_store *second;
    bool damaged;
    assert_int_equal(tw_store_open(s->folder, 0, &second, NULL), TW_OK);
    struct tw_stamp one = put(s->store, 1), two = put(second, 2);
    put(second, 1);
    assert_true(loads(second, &one, &damaged));
    assert_true(loads(s->store, &two, &damaged));
    assert_null(tw_store_trouble(second));
    tw_store_close(second);
}

static void stale_temp_files(void **state)
{
    struct setting *s = *state;
    struct tw_store_stats stats;
    uint64_t freed;
    char old[1024], young[1024], future[1024];
    snprintf(old, sizeof old, "%s/v1/tmp/12-0-ab.tmp", s->folder);
    snprintf(young, sizeof young, "%s/v1/tmp/12-1-ab.tmp", s->folder);
    snprintf(future, sizeof future, "%s/v1/tmp/12-2-ab.tmp", s->folder);
    write_file(old, "x", 1);
    write_file(young, "x", 1);
    write_file(future, "x", 1);
    set_time(old, 1000000);
    set_time(future, time(NULL) + 400000); /* of a clock that was wrong */
    assert_int_equal(tw_store_stats(s->store, &stats, NULL), TW_OK);
    assert_int_equal(stats.stale, 3);
    assert_int_equal(stats.bytes, 0);
    assert_int_equal(tw_store_gc(s->store, 1 << 20, &freed, NULL), TW_OK);
    assert_int_not_equal(access(old, F_OK), 0);
    assert_int_not_equal(access(future, F_OK), 0);
    assert_int_equal(access(young, F_OK), 0);
    assert_int_equal(tw_store_clear(s->store, NULL), TW_OK);
    assert_int_not_equal(access(young, F_OK), 0);
}

static void impossible_folder_is_no_error(void **state)
{
    struct setting *s = *state;
    struct tw_store *store;
    struct tw_store_stats stats;
    char file[1024], below[1100];
    bool damaged;
    snprintf(file, sizeof file, "%s/file", s->folder);
    write_file(file, "x", 1);
    snprintf(below, sizeof below, "%s/cache", file);
    assert_int_equal(tw_store_open(below, 0, &store, NULL), TW_OK);
    assert_non_null(tw_store_trouble(store));
    struct tw_stamp stamp = put(store, 1);
    assert_false(loads(store, &stamp, &damaged));
    assert_int_equal(tw_store_stats(store, &stats, NULL), TW_IO);
    tw_store_close(store);
}

static void read_only_folder_answers(void **state)
{
    struct setting *s = *state;
    struct tw_stamp one = put(s->store, 1);
    struct tw_store *store;
    char path[1024];
    bool damaged;
    if (geteuid() == 0)
        skip(); /* root writes anyway */
    snprintf(path, sizeof path, "%s/v1/tmp", s->folder);
    assert_int_equal(chmod(path, 0500), 0);
    assert_int_equal(tw_store_open(s->folder, 0, &store, NULL), TW_OK);
    struct tw_stamp two = put(store, 2);
    assert_non_null(tw_store_trouble(store));
    assert_true(loads(store, &one, &damaged));
    assert_false(tw_store_has(store, &two));
    tw_store_close(store);
    assert_int_equal(chmod(path, 0700), 0);
}

static void the_secret_is_its_owners(void **state)
{
    struct setting *s = *state;
    struct tw_store *second;
    struct stat info;
    char path[1024];
    snprintf(path, sizeof path, "%s/v1/secret", s->folder);
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    assert_int_equal(info.st_size, sizeof(struct tw_secret));
    assert_int_equal(tw_store_open(s->folder, 0, &second, NULL), TW_OK);
    assert_memory_equal(tw_store_secret(second), tw_store_secret(s->store),
                        sizeof(struct tw_secret));
    tw_store_close(second);
    assert_int_equal(tw_store_clear(s->store, NULL), TW_OK);
    assert_int_equal(stat(path, &info), 0);
}

/* Opens a new cache once the other end of the pipe is closed, and hands over its secret. */
static void open_in_child(const char *folder, int starts, int secrets)
{
    struct tw_store *store;
    char none;
    bool ok = read(starts, &none, 1) == 0 && tw_store_open(folder, 0, &store, NULL) == TW_OK &&
              write(secrets, tw_store_secret(store), sizeof(struct tw_secret)) ==
                  (ssize_t)sizeof(struct tw_secret);
    _exit(ok ? 0 : 1);
}

static void processes_that_start_together_share_a_secret(void **state)
{
    enum { PROCESSES = 8 };
    struct setting *s = *state;
    struct tw_secret first, next;
    int starts[2], secrets[2];
    char folder[600];
    snprintf(folder, sizeof folder, "%s/new", s->folder);
    assert_int_equal(pipe(starts), 0);
    assert_int_equal(pipe(secrets), 0);
    for (int i = 0; i < PROCESSES; i++)
        if (fork() == 0) {
            close(starts[1]);
            open_in_child(folder, starts[0], secrets[1]);
        }
    close(starts[1]);
    for (int i = 0; i < PROCESSES; i++) {
        int code = 1;
        assert_true(wait(&code) > 0);
        assert_int_equal(code, 0);
        assert_int_equal(read(secrets[0], i ? &next : &first, sizeof first), sizeof first);
        assert_true(i == 0 || memcmp(&first, &next, sizeof first) == 0);
    }
    close(starts[0]);
    close(secrets[0]);
    close(secrets[1]);
}

static void a_cut_secret_is_replaced(void **state)
{
    struct setting *s = *state;
    struct tw_sha256 key = key_of(1);
    struct tw_action action = action_of(put(s->store, 1)), found;
    struct tw_store *second;
    char path[1024];
    bool damaged;
    snprintf(path, sizeof path, "%s/v1/secret", s->folder);
    tw_store_save(s->store, &key, &action);
    for (size_t size = 0; size < sizeof(struct tw_secret); size++) {
        write_file(path, tw_store_secret(s->store), size);
        assert_int_equal(tw_store_open(s->folder, 0, &second, NULL), TW_OK);
        assert_null(tw_store_trouble(second));
        assert_memory_not_equal(tw_store_secret(second), tw_store_secret(s->store),
                                sizeof(struct tw_secret));
        assert_false(
            tw_store_find(second, &key, &found, NULL)); /* what was keyed otherwise is a miss */
        struct tw_stamp stamp = put(second, 1);
        assert_true(loads(second, &stamp, &damaged));
        tw_store_close(second);
    }
    assert_true(tw_store_find(s->store, &key, &found, NULL));
}

/* What was stored under the secret is a miss under any other, and comes back with it. (A content
 * may stay the same: Poly1305 ignores 22 bits of its point.) */
static void every_flipped_secret_is_another(void **state)
{
    struct setting *s = *state;
    struct tw_secret secret = *tw_store_secret(s->store);
    struct tw_sha256 key = key_of(1);
    struct tw_action action = action_of(put(s->store, 1)), found;
    char path[1024];
    bool damaged;
    snprintf(path, sizeof path, "%s/v1/secret", s->folder);
    tw_store_save(s->store, &key, &action);
    for (size_t bit = 0; bit < 8 * sizeof secret.at; bit++) {
        struct tw_store *second;
        secret.at[bit / 8] ^= (unsigned char)(1u << bit % 8);
        write_file(path, secret.at, sizeof secret.at);
        secret.at[bit / 8] ^= (unsigned char)(1u << bit % 8);
        assert_int_equal(tw_store_open(s->folder, 0, &second, NULL), TW_OK);
        assert_false(tw_store_find(second, &key, &found, NULL));
        struct tw_stamp stamp = put(second, 1);
        assert_true(loads(second, &stamp, &damaged));
        tw_store_close(second);
    }
    assert_true(tw_store_find(s->store, &key, &found, NULL));
    assert_true(loads(s->store, &found.outputs[0], &damaged));
}

static void a_secret_that_cannot_be_read_is_no_hit(void **state)
{
    struct setting *s = *state;
    struct tw_stamp one = put(s->store, 1);
    struct tw_store *second;
    char path[1024];
    bool damaged;
    snprintf(path, sizeof path, "%s/v1/secret", s->folder);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkdir(path, 0777), 0); /* neither read nor replaced, by root either */
    assert_int_equal(tw_store_open(s->folder, 0, &second, NULL), TW_OK);
    assert_non_null(strstr(tw_store_trouble(second), "secret"));
    assert_false(loads(second, &one, &damaged));
    assert_false(damaged);
    tw_store_close(second);
}

/* Puts a value of `type` whose bytes are `bytes`, under its right content; true when it loads. */
static bool is_believed(struct setting *s, enum tw_type type, const void *bytes, int32_t width)
{
    struct tw_value value = {0};
    struct tw_stamp stamp;
    bool damaged;
    assert_int_equal(tw_field_alloc(&value, type, width, 1, NULL), TW_OK);
    memcpy(value.data, bytes, (size_t)width * tw_type_size(type));
    stamp_of(s->store, &value, &stamp);
    tw_store_put(s->store, &stamp, &value);
    tw_field_clear(&value);
    bool believed = loads(s->store, &stamp, &damaged);
    assert_true(believed != damaged);
    return believed;
}

static void poisoned_values_are_not_believed(void **state)
{
    struct setting *s = *state;
    float floats[64];
    struct tw_entry entry = {"name", 1}, unnamed = {"", 1}, nameless = {"name", 1.0 / 0.0};
    memset(unnamed.name, 'n', sizeof unnamed.name);
    assert_true(is_believed(s, TW_RECORD, &entry, 1));
    assert_false(is_believed(s, TW_RECORD, &unnamed, 1)); /* would be read beyond its end */
    assert_false(is_believed(s, TW_RECORD, &nameless, 1));
    for (int type = 0; type < TW_TYPE_COUNT; type++) {
        const struct tw_type_row *row = tw_type((enum tw_type)type);
        for (int i = 0; i < 64; i++)
            floats[i] = 0.5f;
        if (row->members[0].kind != TW_MEMBER_F32)
            continue;
        assert_true(is_believed(s, (enum tw_type)type, floats, 1));
        floats[0] = (float)(0.0 / 0.0);
        assert_false(is_believed(s, (enum tw_type)type, floats, 1));
        floats[0] = -1.0f / 0.0f;
        assert_false(is_believed(s, (enum tw_type)type, floats, 1));
    }
}

static void poisoned_seconds_are_not_believed(void **state)
{
    static const double seconds[] = {-1, 1e300, 1.0 / 0.0, 0.0 / 0.0};
    struct setting *s = *state;
    struct tw_sha256 key = key_of(1);
    struct tw_action action = action_of(put(s->store, 1)), found;
    for (size_t i = 0; i < sizeof seconds / sizeof *seconds; i++) {
        action.seconds = seconds[i];
        tw_store_save(s->store, &key, &action);
        assert_false(tw_store_find(s->store, &key, &found, NULL));
    }
}

/* Their sums are right: whoever has the secret can write them. */
static void poisoned_stamps_are_not_believed(void **state)
{
    static const struct {
        enum tw_type type;
        int32_t width, height;
    } stamps[] = {{TW_TYPE_COUNT, 3, 2},        {(enum tw_type) - 1, 3, 2},
                  {TW_HEIGHTMAP, -3, 2},        {TW_HEIGHTMAP, 3, -2},
                  {TW_HEIGHTMAP, 0, 2},         {TW_HEIGHTMAP, 65537, 1},
                  {TW_HEIGHTMAP, 65536, 65536}, {TW_POINTS, INT32_MAX, 1}};
    struct setting *s = *state;
    struct tw_sha256 key = key_of(1);
    struct tw_action action = action_of(put(s->store, 1)), found;
    tw_store_save(s->store, &key, &action);
    assert_true(tw_store_find(s->store, &key, &found, NULL));
    for (size_t i = 0; i < sizeof stamps / sizeof *stamps; i++) {
        struct tw_stamp *stamp = &action.outputs[0];
        stamp->type = stamps[i].type;
        stamp->width = stamps[i].width;
        stamp->height = stamps[i].height;
        tw_store_save(s->store, &key, &action);
        assert_false(tw_store_find(s->store, &key, &found, NULL));
    }
}

/* What no value can be is neither there, nor read, nor written. */
static void impossible_values_have_no_entry(void **state)
{
    static float cell;
    struct setting *s = *state;
    struct tw_stamp stamp = put(s->store, 1);
    struct tw_value value = {TW_HEIGHTMAP, 65536, 65536, &cell};
    bool damaged = true;
    assert_true(tw_store_has(s->store, &stamp));
    stamp.width = stamp.height = 65536; /* 2^32 cells: beyond the limit of a map */
    assert_false(tw_store_has(s->store, &stamp));
    assert_false(tw_store_load(s->store, &stamp, &value, &damaged));
    assert_false(damaged);
    value = (struct tw_value){TW_HEIGHTMAP, 65536, 65536, &cell};
    tw_store_put(s->store, &stamp, &value);
    assert_false(tw_store_has(s->store, &stamp));
    assert_null(tw_store_trouble(s->store));
}

/* An entry of another size, as of a value with the same digest, is none of this value. */
static void an_entry_of_another_size_is_not_there(void **state)
{
    struct setting *s = *state;
    struct tw_stamp stamp = put(s->store, 1);
    stamp.width++;
    assert_false(tw_store_has(s->store, &stamp));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(round_trip),
        TEST(largest_action),
        TEST(an_entry_grows_and_never_shrinks),
        TEST(unknown_key_is_a_miss),
        TEST(every_damaged_action_is_a_miss),
        TEST(a_file_longer_than_any_action_is_a_miss),
        TEST(action_of_another_key_is_a_miss),
        TEST(every_damaged_blob_is_deleted),
        TEST(vanished_blob_is_a_miss),
        TEST(gc_keeps_the_newest),
        TEST(any_number_of_entries_is_collected),
        TEST(bound_is_kept),
        TEST(a_run_that_writes_nothing_does_not_list),
        TEST(short_runs_list_the_folder_once_an_hour),
        TEST(short_runs_keep_the_bound_together),
        TEST(clear_leaves_foreign_files),
        TEST(only_own_names_are_taken),
        TEST(clear_takes_empty_files),
        TEST(two_stores_share_a_folder),
        TEST(stale_temp_files),
        TEST(impossible_folder_is_no_error),
        TEST(read_only_folder_answers),
        TEST(the_secret_is_its_owners),
        TEST(processes_that_start_together_share_a_secret),
        TEST(a_cut_secret_is_replaced),
        TEST(every_flipped_secret_is_another),
        TEST(a_secret_that_cannot_be_read_is_no_hit),
        TEST(poisoned_stamps_are_not_believed),
        TEST(impossible_values_have_no_entry),
        TEST(an_entry_of_another_size_is_not_there),
        TEST(poisoned_values_are_not_believed),
        TEST(poisoned_seconds_are_not_believed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
