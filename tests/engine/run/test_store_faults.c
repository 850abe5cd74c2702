/* SPDX-License-Identifier: MIT */
/* The store when one system call of its own fails, at the places that test.disk, which breaks whole
 * runs, meets by chance only. */
#include "support/faulty_disk.h"
#include "support/folder.h"

#include "run/store_private.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
    assert_false(tw_store_find(store, &key, &found));
    assert_true(disk_end(&failure));
    assert_int_equal(found.count, 0);
    assert_null(tw_store_trouble(store)); /* other entries may be fine */
    tw_store_save(store, &key, &action);
    assert_true(tw_store_find(store, &key, &found));
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

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(an_action_that_cannot_be_read_is_a_miss),
        TEST(a_value_that_cannot_be_checked_is_a_miss),
        TEST(a_disk_that_fills_up_ends_the_storing),
        TEST(an_interrupted_creation_is_tried_again),
        TEST(a_folder_without_a_free_name_is_given_up),
        TEST(a_secret_that_appears_meanwhile_is_looked_for_again),
        TEST(a_system_without_random_bytes_has_no_cache),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
