/* SPDX-License-Identifier: MIT */
/* Numbers that processes add to: sums, damage, and what is no file. */
#include "base/memory/tally.h"

#include "base/os/dir.h"
#include "support/command.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static void numbers_add_up(void **state)
{
    static const uint64_t first[3] = {1, 2, UINT64_C(1) << 40}, second[3] = {10, 0, 5};
    uint64_t sums[3] = {7, 7, 7};
    int dir = tw_dir_open(".", true);
    (void)state;
    assert_false(tw_tally_read(dir, "t", sums, 3));
    assert_int_equal(sums[0], 0);
    assert_true(tw_tally_add(dir, "t", first, 3));
    assert_true(tw_tally_add(dir, "t", second, 3));
    assert_true(tw_tally_read(dir, "t", sums, 3));
    assert_int_equal(sums[0], 11);
    assert_int_equal(sums[1], 2);
    assert_true(sums[2] == (UINT64_C(1) << 40) + 5);
    assert_true(tw_tally_set(dir, "t", second, 3));
    assert_true(tw_tally_read(dir, "t", sums, 3));
    assert_memory_equal(sums, second, sizeof sums);
    close(dir);
}

static void damage_counts_from_zero(void **state)
{
    static const uint64_t ones[2] = {1, 1};
    uint64_t sums[2];
    int dir = tw_dir_open(".", true);
    (void)state;
    for (int bit = 0; bit < 24 * 8; bit++) {
        unsigned char byte;
        assert_true(tw_tally_add(dir, "t", ones, 2));
        int file = openat(dir, "t", O_RDWR);
        assert_int_equal(pread(file, &byte, 1, bit / 8), 1);
        byte ^= (unsigned char)(1 << bit % 8);
        assert_int_equal(pwrite(file, &byte, 1, bit / 8), 1);
        close(file);
        assert_false(tw_tally_read(dir, "t", sums, 2));
        assert_true(tw_tally_add(dir, "t", ones, 2));
        assert_true(tw_tally_read(dir, "t", sums, 2));
        assert_int_equal(sums[0], 1);
        unlinkat(dir, "t", 0);
    }
    close(dir);
}

static void what_is_held_or_no_file_is_left(void **state)
{
    static const uint64_t one[1] = {1};
    int dir = tw_dir_open(".", true);
    (void)state;
    assert_true(tw_tally_add(dir, "t", one, 1));
    int file = openat(dir, "t", O_RDWR);
    assert_int_equal(flock(file, LOCK_EX), 0);
    assert_false(tw_tally_add(dir, "t", one, 1));
    assert_false(tw_tally_set(dir, "t", one, 1));
    close(file);
    assert_true(tw_tally_add(dir, "t", one, 1));
    assert_int_equal(mkdirat(dir, "folder", 0777), 0);
    assert_int_equal(symlinkat("t", dir, "link"), 0);
    assert_int_equal(mkfifoat(dir, "pipe", 0666), 0);
    assert_false(tw_tally_add(dir, "folder", one, 1));
    assert_false(tw_tally_add(dir, "link", one, 1));
    assert_false(tw_tally_add(dir, "pipe", one, 1));
    close(dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(test) cmocka_unit_test_setup_teardown(test, command_set_up, command_tear_down)
        TEST(numbers_add_up),
        TEST(damage_counts_from_zero),
        TEST(what_is_held_or_no_file_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
