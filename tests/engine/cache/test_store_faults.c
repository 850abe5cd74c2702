/* SPDX-License-Identifier: MIT */
/* The store when one system call of its own fails, at the places that test.disk, which breaks whole
 * runs, meets by chance only. */
#include "support/faulty_disk.h"
#include "support/folder.h"

#include "cache/store_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static char folder[64];
static struct tw_store *store;
static bool without_digests, without_random;

/* The linker puts these before the engine's own (tests/CMakeLists.txt). */
bool __real_tw_keyed_digest(const struct tw_secret *secret, struct tw_tweak tweak, const void *data,
                            size_t length, struct tw_sha256 *digest);
bool __wrap_tw_keyed_digest(const struct tw_secret *secret, struct tw_tweak tweak, const void *data,
                            size_t length, struct tw_sha256 *digest);
bool __real_tw_secret_create(struct tw_secret *secret);
bool __wrap_tw_secret_create(struct tw_secret *secret);

bool __wrap_tw_keyed_digest(const struct tw_secret *secret, struct tw_tweak tweak, const void *data,
                            size_t length, struct tw_sha256 *digest)
{
    return !without_digests && __real_tw_keyed_digest(secret, tweak, data, length, digest);
}

bool __wrap_tw_secret_create(struct tw_secret *secret)
{
    return !without_random && __real_tw_secret_create(secret);
}

static int set_up(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/thalweg-store-XXXXXX");
    return !mkdtemp(folder) || tw_store_open(folder, 0, &store, NULL) != TW_OK;
}

static int tear_down(void **state)
{
    struct disk_failure none;
    (void)state;
    (void)disk_end(&none);
    without_digests = without_random = false;
    tw_store_close(store);
    return folder_remove(folder);
}

static struct tw_stamp put(struct tw_store *to, float height)
{
    struct tw_value value = {0};
    struct tw_stamp stamp = {.type = TW_HEIGHTMAP, .width = 2, .height = 1};
    assert_int_equal(tw_field_alloc(&value, TW_HEIGHTMAP, 2, 1, NULL), TW_OK);
    tw_floats(&value)[0] = tw_floats(&value)[1] = height;
    stamp.digest = tw_field_digest(&value);
    assert_true(tw_field_content(&value, tw_store_secret(to), &stamp.content));
    tw_store_put(to, &stamp, &value);
    tw_field_clear(&value);
    return stamp;
}

static bool loads(const struct tw_stamp *stamp, bool *damaged)
{
    struct tw_value value;
    bool hit = tw_store_load(store, stamp, &value, damaged);
    tw_field_clear(&value);
    return hit;
}

static int count_temporary(void)
{
    char command[200];
    int count = -1;
    snprintf(command, sizeof command, "ls %s/v1/tmp | wc -l", folder);
    FILE *list = popen(command, "r");
    assert_true(list && fscanf(list, "%d", &count) == 1);
    (void)pclose(list);
    return count;
}

static void an_action_that_cannot_be_read_is_a_miss(void **state)
{
    static const struct tw_sha256 key = {{7}};
    struct tw_action action = {.count = 1, .held = 1, .outputs = {put(store, 1)}}, found;
    struct disk_failure failure;
    (void)state;
    tw_store_save(store, &key, &action);
    disk_begin(&(struct disk_fault){.which = 1, .error = EIO, .only = "read"});
    assert_false(tw_store_find(store, &key, &found, NULL));
    assert_true(disk_end(&failure));
    assert_int_equal(found.count, 0);
    assert_null(tw_store_trouble(store)); /* other entries may be fine */
    tw_store_save(store, &key, &action);
    assert_true(tw_store_find(store, &key, &found, NULL));
}

/* A value that cannot be checked is not damaged: it is a hit as soon as there is memory. */
static void a_value_that_cannot_be_checked_is_a_miss(void **state)
{
    struct tw_stamp stamp = put(store, 1);
    bool damaged = true;
    (void)state;
    without_digests = true;
    assert_false(loads(&stamp, &damaged));
    assert_false(damaged);
    without_digests = false;
    assert_true(loads(&stamp, &damaged));
}

static void a_value_whose_size_is_not_known_is_not_sent(void **state)
{
    struct tw_stamp stamp = put(store, 1);
    struct disk_failure failure;
    uint64_t size = 0;
    int files[2];
    (void)state;
    for (int i = 0; i < 2; i++) {
        disk_begin(&(struct disk_fault){.which = 1, .error = EIO, .only = "fstat"});
        assert_int_equal(tw_store_open_blob(store, &stamp, &size), -1);
        assert_true(disk_end(&failure));
        files[i] = tw_store_open_blob(store, &stamp, &size);
        assert_true(files[i] >= 0 && close(files[i]) == 0);
        assert_int_equal(size, TW_BLOB_HEAD + 2 * sizeof(float));
    }
    assert_int_equal(files[0], files[1]); /* the one that failed is closed */
}

/* The header is written, the cells are not. */
static void a_disk_that_fills_up_ends_the_storing(void **state)
{
    struct tw_stamp first = put(store, 1);
    struct disk_failure failure;
    bool damaged;
    (void)state;
    disk_begin(&(struct disk_fault){.which = 2, .error = ENOSPC, .only = "write"});
    struct tw_stamp second = put(store, 2);
    assert_true(disk_end(&failure));
    assert_non_null(strstr(tw_store_trouble(store), "cannot write to the cache: No space left"));
    assert_int_equal(count_temporary(), 0);
    struct tw_stamp third = put(store, 3);
    assert_false(loads(&second, &damaged));
    assert_false(loads(&third, &damaged));
    assert_true(loads(&first, &damaged));
}

static void an_interrupted_creation_is_tried_again(void **state)
{
    struct disk_failure failure;
    bool damaged;
    (void)state;
    for (int i = 0; i < 2; i++) {
        disk_begin(&(struct disk_fault){.which = 1, .error = i ? EEXIST : EINTR, .only = "openat"});
        struct tw_stamp stamp = put(store, (float)i);
        assert_true(disk_end(&failure));
        assert_null(tw_store_trouble(store));
        assert_true(loads(&stamp, &damaged));
    }
}

static void a_folder_without_a_free_name_is_given_up(void **state)
{
    struct disk_failure failure;
    (void)state;
    disk_begin(&(struct disk_fault){.which = 1, .ever = true, .error = EEXIST, .only = "openat"});
    (void)put(store, 1);
    assert_int_equal(disk_calls(), 100);
    assert_true(disk_end(&failure));
    assert_non_null(strstr(tw_store_trouble(store), "cannot write to the cache: File exists"));
}

/* A new cache, while another process gives it its secret; `ever`: and takes it away again. */
static struct tw_store *open_meanwhile(bool ever)
{
    struct disk_failure failure;
    struct tw_store *other = NULL;
    char below[80];
    snprintf(below, sizeof below, "%s/%s", folder, ever ? "always" : "once");
    disk_begin(&(struct disk_fault){.which = 1, .ever = ever, .error = EEXIST, .only = "linkat"});
    assert_int_equal(tw_store_open(below, 0, &other, NULL), TW_OK);
    assert_true(disk_end(&failure));
    return other;
}

static void a_secret_that_appears_meanwhile_is_looked_for_again(void **state)
{
    (void)state;
    struct tw_store *other = open_meanwhile(false);
    assert_null(tw_store_trouble(other));
    struct tw_stamp stamp = put(other, 1);
    assert_true(tw_store_has(other, &stamp));
    tw_store_close(other);
    other = open_meanwhile(true);
    assert_non_null(strstr(tw_store_trouble(other), "cannot read or create the cache's secret"));
    assert_false(tw_store_storing(other));
    tw_store_close(other);
}

static void a_system_without_random_bytes_has_no_cache(void **state)
{
    struct tw_store *other = NULL;
    char below[80];
    (void)state;
    snprintf(below, sizeof below, "%s/new", folder);
    without_random = true;
    assert_int_equal(tw_store_open(below, 0, &other, NULL), TW_OK);
    assert_non_null(strstr(tw_store_trouble(other), "cannot read or create the cache's secret"));
    assert_false(tw_store_storing(other));
    tw_store_close(other);
}

/* ---- packs ---- */

enum { LOOSE = 32, PACKED = 4 }; /* actions with files of their own, and in a pack */

static struct tw_sha256 key_of(int number) { return tw_sha256_of(&number, sizeof number); }

static void save_cheap(int first, int end)
{
    const struct tw_action cheap = {.count = 1, .seconds = 1e-5};
    for (int i = first; i < end; i++) {
        struct tw_sha256 key = key_of(i);
        tw_store_save(store, &key, &cheap);
    }
}

static void reopen(void)
{
    tw_store_close(store);
    assert_int_equal(tw_store_open(folder, 0, &store, NULL), TW_OK);
}

static int count_packed(void)
{
    int found = 0;
    for (int i = 0; i < PACKED; i++) {
        struct tw_sha256 key = key_of(LOOSE + i);
        struct tw_action action;
        found += tw_store_find(store, &key, &action, NULL);
    }
    return found;
}

/* Another process may have more luck. */
static void a_pack_that_cannot_be_read_is_left_alone(void **state)
{
    static const char *const calls[] = {"openat", "fstat", "read", "readdir"};
    (void)state;
    save_cheap(0, LOOSE + PACKED);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        struct disk_failure failure;
        reopen();
        disk_begin(&(struct disk_fault){.which = 1, .ever = true, .error = EIO, .only = calls[i]});
        assert_int_equal(count_packed(), 0);
        assert_true(disk_end(&failure));
        reopen();
        assert_int_equal(count_packed(), PACKED);
    }
}

/* Any one call of those that list and read packs, or count what they hold. */
static void a_call_that_fails_costs_a_miss(void **state)
{
    static const char *const calls[] = {"openat", "fstat", "read"};
    struct disk_failure failure;
    (void)state;
    save_cheap(0, LOOSE + PACKED);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        for (int which = 1;; which++) {
            struct tw_store_stats stats = {0};
            reopen();
            disk_begin(&(struct disk_fault){.which = which, .error = EIO, .only = calls[i]});
            int found = count_packed();
            bool failed = disk_end(&failure);
            assert_true(found == 0 || found == PACKED);
            disk_begin(&(struct disk_fault){.which = which, .error = EIO, .only = calls[i]});
            (void)tw_store_stats(store, &stats, NULL);
            failed |= disk_end(&failure);
            assert_true(stats.actions <= LOOSE + PACKED);
            reopen();
            assert_int_equal(count_packed(), PACKED);
            if (!failed)
                break;
        }
}

/* After a failed write the store still examines at most READ packs, and deletes only files that are
 * not valid packs. */
static void after_trouble_few_packs_are_looked_at(void **state)
{
    enum { MANY = 70, READ = 64 };
    struct disk_failure failure;
    char path[200];
    (void)state;
    save_cheap(0, LOOSE + PACKED);
    reopen();
    for (int i = 0; i < MANY; i++) {
        snprintf(path, sizeof path, "%s/v1/pk/%032x", folder, (unsigned)i);
        FILE *file = fopen(path, "w");
        assert_true(file && fclose(file) == 0);
    }
    disk_begin(&(struct disk_fault){.which = 1, .error = ENOSPC, .only = "write"});
    (void)put(store, 1);
    assert_true(disk_end(&failure));
    (void)count_packed();
    int deleted = 0;
    for (int i = 0; i < MANY; i++) {
        snprintf(path, sizeof path, "%s/v1/pk/%032x", folder, (unsigned)i);
        deleted += access(path, F_OK) != 0;
    }
    assert_true(deleted > 0 && deleted <= READ); /* none is valid */
}

/* The run that could not write it goes on finding what it took. */
static void a_pack_that_cannot_be_written_is_not_there(void **state)
{
    static const char *const calls[] = {"write", "close", "renameat"};
    (void)state;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        struct disk_failure failure;
        save_cheap(0, LOOSE + PACKED);
        disk_begin(&(struct disk_fault){.which = 1, .error = ENOSPC, .only = calls[i]});
        tw_store_flush(store);
        assert_true(disk_end(&failure));
        assert_non_null(strstr(tw_store_trouble(store), "No space left"));
        assert_int_equal(count_packed(), PACKED);
        reopen();
        assert_int_equal(count_packed(), 0);
        assert_int_equal(count_temporary(), 0);
    }
}

static void after_trouble_no_pack_is_written(void **state)
{
    struct disk_failure failure;
    (void)state;
    save_cheap(0, LOOSE + PACKED);
    disk_begin(&(struct disk_fault){.which = 1, .error = ENOSPC, .only = "write"});
    (void)put(store, 1);
    assert_true(disk_end(&failure));
    assert_int_equal(count_packed(), PACKED);
    reopen();
    assert_int_equal(count_packed(), 0);
}

static void without_a_folder_all_is_missed(void **state)
{
    struct tw_store *none = NULL;
    struct tw_error error;
    struct tw_store_stats stats;
    struct tw_tier_counts home, server;
    struct tw_action action;
    const struct tw_sha256 key = key_of(1);
    uint64_t freed = 7;
    (void)state;
    assert_int_equal(tw_store_open("/dev/null/cache", 1, &none, NULL), TW_OK);
    assert_false(tw_store_find(none, &key, &action, NULL));
    assert_int_equal(tw_store_stats(none, &stats, &error), TW_IO);
    assert_non_null(strstr(error.message, "cannot open the cache folder /dev/null/cache"));
    assert_int_equal(tw_store_gc(none, 0, &freed, &error), TW_IO);
    assert_int_equal(freed, 0);
    assert_int_equal(tw_store_clear(none, &error), TW_IO);
    tw_store_read_counts(none, &home, &server);
    assert_int_equal(home.requests + server.requests, 0);
    tw_store_close(none);
}

/* ---- collecting ---- */

static void a_folder_that_cannot_be_listed_is_reported(void **state)
{
    struct tw_store_stats stats;
    (void)state;
    (void)put(store, 1);
    for (int call = 1; call < 3; call++) { /* tmp, and the one below cas */
        struct disk_failure failure;
        struct tw_error error = {.status = TW_OK};
        disk_begin(
            &(struct disk_fault){.which = call, .ever = true, .error = EIO, .only = "fdopendir"});
        assert_int_equal(tw_store_stats(store, &stats, &error), TW_IO);
        assert_int_equal(tw_store_gc(store, 0, NULL, &error), TW_IO);
        (void)disk_end(&failure);
    }
}

/* Those that were listed before it are neither counted nor deleted. */
static void a_list_that_breaks_off_is_of_no_use(void **state)
{
    enum { VALUES = 8 };
    struct tw_stamp stamps[VALUES];
    struct tw_store_stats stats;
    struct disk_failure failure;
    bool damaged;
    (void)state;
    for (int i = 0; i < VALUES; i++)
        stamps[i] = put(store, (float)i);
    disk_begin(&(struct disk_fault){.which = 1000, .error = EIO, .only = "fdopendir"});
    assert_int_equal(tw_store_stats(store, &stats, NULL), TW_OK);
    long folders = disk_calls();
    assert_false(disk_end(&failure));
    assert_int_equal(stats.blobs, VALUES);
    assert_true(folders > 2); /* of temp files, and at least two of values */
    for (int collects = 0; collects < 2; collects++) {
        disk_begin(&(struct disk_fault){.which = folders, .error = EIO, .only = "fdopendir"});
        assert_int_equal(collects ? tw_store_gc(store, 0, NULL, NULL)
                                  : tw_store_stats(store, &stats, NULL),
                         TW_IO);
        assert_true(disk_end(&failure));
        assert_int_equal(stats.blobs, 0);
    }
    for (int i = 0; i < VALUES; i++)
        assert_true(loads(&stamps[i], &damaged));
}

/* A bounded run lists the folder where it can neither add to its size nor read it: then what a
 * killed process left goes. */
static void a_size_that_is_not_known_may_be_too_much(void **state)
{
    static const struct timespec old[2] = {{.tv_sec = 1000000}, {.tv_sec = 1000000}};
    static const struct {
        long failing; /* of the calls that open it; 0: none */
        bool lists;
    } runs[] = {{0, true /* the first */}, {0, false}, {1, true}, {2, true}, {0, false}};
    struct disk_failure failure;
    char left[100];
    (void)state;
    snprintf(left, sizeof left, "%s/v1/tmp/12-0-ab.tmp", folder);
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        struct tw_store *bounded = NULL;
        assert_int_equal(tw_store_open(folder, 1 << 20, &bounded, NULL), TW_OK);
        (void)put(bounded, (float)i);
        FILE *file = fopen(left, "w");
        assert_true(file && fclose(file) == 0 && utimensat(AT_FDCWD, left, old, 0) == 0);
        disk_begin(&(struct disk_fault){.which = runs[i].failing, .error = EIO, .only = "openat"});
        tw_store_close(bounded);
        assert_int_equal(disk_end(&failure), runs[i].failing > 0);
        assert_true(runs[i].failing == 0 || strstr(failure.path, "/v1/size"));
        assert_int_equal(access(left, F_OK) != 0, runs[i].lists);
    }
}

/* What another process deleted first is gone; what cannot be deleted is reported. */
static void an_entry_that_cannot_be_deleted_is_reported(void **state)
{
    struct disk_failure failure;
    struct tw_error error = {.status = TW_OK};
    uint64_t freed = 0;
    bool damaged;
    (void)state;
    struct tw_stamp stamp = put(store, 1), later = put(store, 2);
    disk_begin(&(struct disk_fault){.which = 1, .error = EACCES, .only = "unlinkat"});
    assert_int_equal(tw_store_gc(store, 0, &freed, &error), TW_IO);
    assert_true(disk_end(&failure));
    assert_non_null(strstr(error.message, "from the cache: Permission denied"));
    assert_int_equal(freed, 0); /* it ends there */
    disk_begin(&(struct disk_fault){.which = 1, .ever = true, .error = ENOENT, .only = "unlinkat"});
    assert_int_equal(tw_store_gc(store, 0, &freed, &error), TW_OK);
    assert_true(disk_end(&failure));
    assert_int_equal(freed, 0);
    assert_true(loads(&stamp, &damaged) && loads(&later, &damaged));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(an_action_that_cannot_be_read_is_a_miss),
        TEST(a_value_that_cannot_be_checked_is_a_miss),
        TEST(a_value_whose_size_is_not_known_is_not_sent),
        TEST(a_disk_that_fills_up_ends_the_storing),
        TEST(an_interrupted_creation_is_tried_again),
        TEST(a_folder_without_a_free_name_is_given_up),
        TEST(a_secret_that_appears_meanwhile_is_looked_for_again),
        TEST(a_system_without_random_bytes_has_no_cache),
        TEST(a_pack_that_cannot_be_read_is_left_alone),
        TEST(a_call_that_fails_costs_a_miss),
        TEST(after_trouble_few_packs_are_looked_at),
        TEST(a_pack_that_cannot_be_written_is_not_there),
        TEST(after_trouble_no_pack_is_written),
        TEST(without_a_folder_all_is_missed),
        TEST(a_folder_that_cannot_be_listed_is_reported),
        TEST(a_list_that_breaks_off_is_of_no_use),
        TEST(a_size_that_is_not_known_may_be_too_much),
        TEST(an_entry_that_cannot_be_deleted_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
