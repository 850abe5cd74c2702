/* SPDX-License-Identifier: MIT */
/* Packs of actions: what was saved comes back, whoever else writes, merges and deletes meanwhile,
 * and a pack with a changed bit is none. */
#include "support/folder.h"

#include "cache/store_private.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { LOOSE = 32 }; /* cheap actions with files of their own */

static char folder[64];

static int set_up(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/thalweg-pack-XXXXXX");
    return !mkdtemp(folder);
}

static int tear_down(void **state)
{
    (void)state;
    return folder_remove(folder);
}

static struct tw_store *open_store(void)
{
    struct tw_store *store;
    assert_int_equal(tw_store_open(folder, 0, &store, NULL), TW_OK);
    return store;
}

static struct tw_sha256 key_of(int number) { return tw_sha256_of(&number, sizeof number); }

/* All that an action says follows from its number. */
static struct tw_action action_of(int number, double seconds)
{
    struct tw_sha256 content = tw_sha256_of(&seconds, sizeof seconds);
    content.at[0] = (unsigned char)number;
    return (struct tw_action){
        .count = 3,
        .held = 1,
        .outputs = {{.type = TW_HEIGHTMAP, .width = number + 1, .height = 1, .content = content}},
        .seconds = seconds};
}

static void save(struct tw_store *store, int first, int end)
{
    for (int i = first; i < end; i++) {
        struct tw_sha256 key = key_of(i);
        struct tw_action action = action_of(i, 1e-5);
        tw_store_save(store, &key, &action);
    }
    assert_null(tw_store_trouble(store));
}

/* How many there are of them; they are what was saved. */
static int count_found(struct tw_store *store, int first, int end)
{
    int found = 0;
    for (int i = first; i < end; i++) {
        struct tw_sha256 key = key_of(i);
        struct tw_action action;
        if (!tw_store_find(store, &key, &action, NULL))
            continue;
        assert_int_equal(action.held & 1, 1);
        assert_int_equal(action.outputs[0].width, i + 1);
        assert_true(action.seconds == 1e-5);
        found++;
    }
    return found;
}

static int count_found_anew(int first, int end)
{
    struct tw_store *store = open_store();
    int found = count_found(store, first, end);
    tw_store_close(store);
    return found;
}

/* Packs on disk; the path of one of them. */
static int count_packs(char path[600])
{
    char name[100];
    int count = 0;
    snprintf(name, sizeof name, "%s/v1/pk", folder);
    DIR *list = opendir(name);
    for (struct dirent *at; list && (at = readdir(list));)
        if (strlen(at->d_name) == TW_PACK_NAME) {
            snprintf(path, 600, "%s/%s", name, at->d_name);
            count++;
        }
    if (list)
        closedir(list);
    return count;
}

static void save_in_a_run(int first, int end)
{
    struct tw_store *store = open_store();
    save(store, first, end);
    tw_store_close(store);
}

static void many_cheap_actions_share_a_file(void **state)
{
    struct tw_store *store = open_store();
    struct tw_store_stats stats;
    char path[600];
    (void)state;
    save(store, 0, 500);
    assert_int_equal(count_found(store, 0, 500), 500); /* before they are written, too */
    tw_store_flush(store);
    assert_int_equal(count_packs(path), 1);
    assert_int_equal(tw_store_stats(store, &stats, NULL), TW_OK);
    assert_int_equal(stats.actions, 500);
    tw_store_close(store);
    assert_int_equal(count_found_anew(0, 501), 500);
}

static void what_took_long_has_a_file_of_its_own(void **state)
{
    struct tw_store *store = open_store();
    char path[600];
    (void)state;
    for (int i = 0; i < 100; i++) {
        struct tw_sha256 key = key_of(i);
        struct tw_action action = action_of(i, 1e-2);
        tw_store_save(store, &key, &action);
    }
    tw_store_close(store);
    assert_int_equal(count_packs(path), 0);
}

static size_t read_all(const char *path, unsigned char *bytes, size_t room)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = fread(bytes, 1, room, file);
    assert_true(fclose(file) == 0 && size < room);
    return size;
}

static void write_all(const char *path, const unsigned char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    if (size > 0)
        assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

/* The file counts for `actions` of them, until somebody reads it. */
static void expect_counted(const char *path, const unsigned char *bytes, size_t size,
                           uint64_t actions)
{
    struct tw_store_stats stats;
    struct tw_store *store = open_store();
    write_all(path, bytes, size);
    assert_int_equal(tw_store_stats(store, &stats, NULL), TW_OK);
    assert_int_equal(stats.actions, actions);
    tw_store_close(store);
}

/* By its head, since that is all that is read. */
static void what_is_no_pack_counts_for_nothing(void **state)
{
    static unsigned char bytes[1 << 12];
    char path[600];
    (void)state;
    save_in_a_run(0, LOOSE + 4);
    assert_int_equal(count_packs(path), 1);
    size_t size = read_all(path, bytes, sizeof bytes);
    expect_counted(path, bytes, size, LOOSE + 4);
    expect_counted(path, bytes, 7, LOOSE);
    for (int i = 0; i < 4; i++) {
        bytes[i]++;
        expect_counted(path, bytes, size, LOOSE);
        bytes[i]--;
    }
}

/* None of its actions is found, and it is deleted. */
static void expect_damaged(const char *path, const unsigned char *bytes, size_t size)
{
    write_all(path, bytes, size);
    struct tw_store *store = open_store();
    assert_int_equal(tw_store_damaged_packs(store), 0); /* none is read before one is asked for */
    assert_int_equal(count_found(store, LOOSE, LOOSE + 4), 0);
    assert_int_equal(tw_store_damaged_packs(store), 1);
    tw_store_close(store);
    assert_int_not_equal(access(path, F_OK), 0);
}

static void every_damaged_pack_is_deleted(void **state)
{
    static unsigned char bytes[1 << 12];
    char path[600];
    (void)state;
    save_in_a_run(0, LOOSE + 4);
    assert_int_equal(count_packs(path), 1);
    size_t size = read_all(path, bytes, sizeof bytes);
    for (size_t bit = 0; bit < 8 * size; bit += 11) {
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        expect_damaged(path, bytes, size);
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
    for (size_t cut = 0; cut < size; cut += 7)
        expect_damaged(path, bytes, cut);
    expect_damaged(path, bytes, size + 1);
    write_all(path, bytes, size);
    assert_int_equal(count_found_anew(0, LOOSE + 4), LOOSE + 4);
}

/* Lengths that lead out of the file, under a right checksum. */
static void poisoned_lengths_are_not_believed(void **state)
{
    static const uint32_t lengths[] = {0, 1, 59, 300, 5000, 0x7FFFFFFF, 0xFFFFFFFF};
    static unsigned char bytes[1 << 12];
    char path[600];
    (void)state;
    save_in_a_run(0, LOOSE + 4);
    assert_int_equal(count_packs(path), 1);
    size_t size = read_all(path, bytes, sizeof bytes);
    for (size_t at = 4; at <= 8; at += 4) /* the number of records, the first one's length */
        for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
            unsigned char poisoned[1 << 12];
            memcpy(poisoned, bytes, size);
            for (int k = 0; k < 4; k++)
                poisoned[at + (size_t)k] = (unsigned char)(lengths[i] >> 8 * k);
            uint64_t check = tw_hash64(poisoned, size - 8, 0);
            for (size_t k = 0; k < 8; k++)
                poisoned[size - 8 + k] = (unsigned char)(check >> 8 * k);
            expect_damaged(path, poisoned, size);
        }
}

static void an_action_that_grew_is_found_grown(void **state)
{
    struct tw_store *store = open_store();
    struct tw_sha256 packed = key_of(LOOSE), filed = key_of(0);
    struct tw_action more = {.count = 3, .held = 4, .seconds = 1e-5}, found;
    (void)state;
    more.outputs[2] = action_of(7, 1).outputs[0];
    save(store, 0, LOOSE + 4);
    tw_store_close(store);
    for (int i = 0; i < 2; i++) { /* from a pack to a file, and from a file to a pack */
        store = open_store();
        save(store, 1000, i == 0 ? 1000 : 1000 + LOOSE);
        tw_store_save(store, i == 0 ? &packed : &filed, &more);
        tw_store_close(store);
    }
    store = open_store();
    for (int i = 0; i < 2; i++) {
        assert_true(tw_store_find(store, &packed, &found, NULL));
        assert_int_equal(found.held, 5);
        assert_true(tw_store_find(store, &filed, &found, NULL));
        assert_int_equal(found.held, 5);
        assert_int_equal(count_found(store, LOOSE + 1, LOOSE + 2), 1); /* then packs are read */
    }
    tw_store_close(store);
}

/* Another run that knew other outputs left a file of the same action; it may know all, or less than
 * what waits here to be written. */
static void of_a_pack_and_a_file_the_fuller_is_found(void **state)
{
    static const struct {
        uint32_t packed, filed, found;
    } held[] = {{3, 4, 3}, {3, 1, 3}, {3, 7, 7}, {1, 3, 3}, {7, 3, 7}};
    (void)state;
    for (int i = 0; i < (int)(sizeof held / sizeof *held); i++) {
        struct tw_store *store = open_store(), *other = open_store();
        struct tw_sha256 key = key_of(i);
        struct tw_action action = action_of(i, 1e-5), found;
        action.outputs[1] = action.outputs[2] = action.outputs[0];
        atomic_store(&store->packs.loose, LOOSE);
        action.held = held[i].packed;
        tw_store_save(store, &key, &action);
        action.held = held[i].filed;
        tw_store_save(other, &key, &action);
        assert_true(tw_store_find(store, &key, &found, NULL));
        assert_int_equal(found.held, held[i].found);
        tw_store_close(store);
        tw_store_close(other);
    }
}

/* Two runs at the same time that know different outputs of the same actions: the pack that is read
 * first holds more of the one, less of the other. */
static void of_equal_actions_the_fuller_is_found(void **state)
{
    struct tw_store *stores[2] = {open_store(), NULL};
    struct tw_sha256 keys[2] = {key_of(500), key_of(501)};
    struct tw_action found;
    (void)state;
    save(stores[0], 0, LOOSE);
    stores[1] = open_store();
    atomic_store(&stores[1]->packs.loose, LOOSE);
    for (int s = 0; s < 2; s++)
        for (int k = 0; k < 2; k++) {
            struct tw_action action = action_of(7, 1e-5);
            action.outputs[1] = action.outputs[0];
            action.held = s == k ? 3 : 1;
            tw_store_save(stores[s], &keys[k], &action);
        }
    tw_store_close(stores[0]);
    tw_store_close(stores[1]);
    for (int run = 0; run < 20; run++) { /* before and after they are merged */
        struct tw_store *store = open_store();
        for (int k = 0; k < 2; k++) {
            assert_true(tw_store_find(store, &keys[k], &found, NULL));
            assert_int_equal(found.held, 3);
        }
        save(store, 1000 + 100 * run, 1000 + 100 * run + LOOSE + 1);
        tw_store_close(store);
    }
}

/* A pack is written as soon as it is full, or holds what took a quarter of a second. */
static void packs_are_written_during_a_run(void **state)
{
    enum { MANY = 9000, SLOW = 300 };
    char path[600];
    (void)state;
    struct tw_store *store = open_store();
    save(store, 0, LOOSE + 100);
    assert_int_equal(count_packs(path), 0);
    save(store, LOOSE + 100, LOOSE + MANY);
    assert_int_equal(count_packs(path), 1);
    for (int i = 0; i < SLOW; i++) {
        struct tw_sha256 key = key_of(100000 + i);
        struct tw_action action = action_of(7, 9e-4);
        tw_store_save(store, &key, &action);
    }
    assert_int_equal(count_packs(path), 2);
    assert_int_equal(count_found(store, 0, LOOSE + MANY), LOOSE + MANY);
    tw_store_close(store);
    assert_int_equal(count_found_anew(0, LOOSE + MANY), LOOSE + MANY);
}

static void what_is_no_pack_is_left_alone(void **state)
{
    static const char *const names[] = {"notes", "0123456789abcdef0123456789abcdeg",
                                        "ffffffffffffffffffffffffffffffff"};
    char path[600];
    (void)state;
    save_in_a_run(0, LOOSE + 4);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/v1/pk/%s", folder, names[i]);
        write_all(path, NULL, 0);
        assert_int_equal(truncate(path, (32 << 20) + 1), 0);
    }
    assert_int_equal(count_found_anew(0, LOOSE + 4), LOOSE + 4);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/v1/pk/%s", folder, names[i]);
        assert_int_equal(access(path, F_OK), 0);
    }
}

static void small_packs_are_merged(void **state)
{
    enum { RUNS = 24 };
    char path[600];
    (void)state;
    for (int run = 0; run < RUNS; run++) {
        save_in_a_run(100 * run, 100 * run + LOOSE + 3);
        assert_in_range(count_packs(path), 1, 16);
    }
    for (int run = 0; run < RUNS; run++)
        assert_int_equal(count_found_anew(100 * run, 100 * run + LOOSE + 3), LOOSE + 3);
}

/* ---- the bounds of what is read ---- */

/* A pack of four actions. */
static size_t save_one_pack(char path[600])
{
    struct stat info;
    save_in_a_run(0, LOOSE + 4);
    assert_int_equal(count_packs(path), 1);
    assert_int_equal(stat(path, &info), 0);
    return (size_t)info.st_size;
}

/* Files with names of packs, which are none. */
static void write_zeros(int count, size_t size)
{
    char path[600];
    for (int i = 0; i < count; i++) {
        snprintf(path, sizeof path, "%s/v1/pk/%032x", folder, (unsigned)i);
        write_all(path, NULL, 0);
        assert_int_equal(truncate(path, (off_t)size), 0);
    }
}

/* Of the pack's actions, when it was used before all other files; what is no pack goes. */
static void expect_found(const char *pack, int actions)
{
    const struct timespec times[2] = {{.tv_sec = 1000000}, {.tv_sec = 1000000}};
    char path[600];
    assert_int_equal(utimensat(AT_FDCWD, pack, times, 0), 0);
    assert_int_equal(count_found_anew(LOOSE, LOOSE + 4), actions);
    assert_int_equal(count_packs(path), actions > 0);
}

static void no_more_files_are_read_than_others_may_have_left(void **state)
{
    char path[600];
    (void)state;
    (void)save_one_pack(path);
    write_zeros(63, 100);
    expect_found(path, 4);
    write_zeros(64, 100);
    expect_found(path, 0);
}

static void no_more_bytes_are_read_than_packs_may_have(void **state)
{
    char path[600];
    (void)state;
    size_t rest = ((size_t)32 << 20) - save_one_pack(path);
    write_zeros(1, rest);
    expect_found(path, 4);
    write_zeros(1, rest + 1);
    expect_found(path, 0);
}

/* A pack that another process merges between its listing and its reading is missed this once, so
 * that at the same time only what has a file of its own is sure to be found; afterwards all is. */
static void processes_share_packs(void **state)
{
    enum { PROCESSES = 4, RUNS = 6, EACH = 40 };
    pid_t children[PROCESSES];
    int codes[PROCESSES];
    (void)state;
    tw_store_close(open_store());
    for (int p = 0; p < PROCESSES; p++) {
        children[p] = fork();
        if (children[p] == 0) {
            for (int run = 0; run < RUNS; run++) {
                int first = 10000 * p + 100 * run;
                save_in_a_run(first, first + EACH);
                if (count_found_anew(first, first + EACH) < LOOSE)
                    _exit(1);
            }
            _exit(0);
        }
        assert_true(children[p] > 0);
    }
    for (int p = 0; p < PROCESSES; p++) /* all, before the folder goes */
        assert_int_equal(waitpid(children[p], &codes[p], 0), children[p]);
    for (int p = 0; p < PROCESSES; p++) {
        assert_int_equal(codes[p], 0);
        for (int run = 0; run < RUNS; run++) {
            int first = 10000 * p + 100 * run;
            assert_int_equal(count_found_anew(first, first + EACH), EACH);
        }
    }
}

static void collectors_take_packs(void **state)
{
    struct tw_store *store;
    char path[600];
    (void)state;
    for (int i = 0; i < 2; i++) {
        save_in_a_run(0, 100);
        store = open_store();
        assert_int_equal(count_found(store, 0, 100), 100);
        if (i == 0)
            assert_int_equal(tw_store_gc(store, 0, NULL, NULL), TW_OK);
        else
            assert_int_equal(tw_store_clear(store, NULL), TW_OK);
        assert_int_equal(count_packs(path), 0);
        tw_store_close(store);
        assert_int_equal(count_found_anew(0, 100), 0);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(many_cheap_actions_share_a_file),
        TEST(what_took_long_has_a_file_of_its_own),
        TEST(what_is_no_pack_counts_for_nothing),
        TEST(every_damaged_pack_is_deleted),
        TEST(poisoned_lengths_are_not_believed),
        TEST(an_action_that_grew_is_found_grown),
        TEST(of_a_pack_and_a_file_the_fuller_is_found),
        TEST(of_equal_actions_the_fuller_is_found),
        TEST(packs_are_written_during_a_run),
        TEST(what_is_no_pack_is_left_alone),
        TEST(small_packs_are_merged),
        TEST(no_more_files_are_read_than_others_may_have_left),
        TEST(no_more_bytes_are_read_than_packs_may_have),
        TEST(processes_share_packs),
        TEST(collectors_take_packs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
