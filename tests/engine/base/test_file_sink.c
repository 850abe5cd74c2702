/* SPDX-License-Identifier: MIT */
/* A file that is written from front to back has its name when it is whole, with the digest of what
 * it holds; whichever call fails, there is a message, no file and nothing beside it. */
#include "base/os/file.h"
#include "base/os/file_sink.h"

#include "support/command.h"
#include "support/faulty_disk.h"
#include "support/harness.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LENGTH = (1 << 20) + 50, PIECES = 3, AT = 100 }; /* enough for a worker of its own */

static unsigned char bytes[LENGTH];

/* One thread that does what two may, the later task first. */
static void lend(void *context, int32_t count, int32_t grain, tw_rows_fn *fn, void *fn_context)
{
    (void)context;
    assert_true(grain == 1);
    for (int32_t i = count; i-- > 0;)
        fn(fn_context, i, i + 1);
}
static const struct tw_workers workers = {lend, NULL};

/* What is done before the file is finished, one more each. */
enum stage { OPENED, WRITTEN, PATCHED, FINISHED };

static enum tw_status make(enum stage last, bool patched, struct tw_sha256 *digest,
                           struct tw_error *error)
{
    struct tw_file_sink sink = {.open = false};
    static const size_t ends[PIECES + 1] = {0, 10, LENGTH - 1, LENGTH};
    enum tw_status status = tw_file_sink_open(&sink, "file", true, &workers, error);
    for (int i = 0; status == TW_OK && last >= WRITTEN && i < PIECES; i++)
        status = tw_file_sink_write(&sink, bytes + ends[i], ends[i + 1] - ends[i], error);
    if (status == TW_OK && last >= PATCHED && patched)
        status = tw_file_sink_patch(&sink, AT, "patch", 5, error);
    if (status == TW_OK && last >= FINISHED)
        status = tw_file_sink_finish(&sink, digest, error);
    tw_file_sink_abandon(&sink);
    return status;
}

static void expect_no_file(void) { assert_int_equal(system("test -z \"$(ls -A)\""), 0); }

static void expect_file(const struct tw_sha256 *digest)
{
    unsigned char *data = NULL;
    size_t length = 0;
    assert_int_equal(tw_file_read("file", LENGTH, &data, &length, NULL), TW_OK);
    assert_int_equal(length, LENGTH);
    assert_memory_equal(data, bytes, LENGTH);
    const struct tw_sha256 all = tw_sha256_of(data, length);
    assert_memory_equal(digest, &all, sizeof all);
    free(data);
    assert_int_equal(unlink("file"), 0);
    expect_no_file();
}

static void what_is_written_is_there(void **state)
{
    struct tw_sha256 digest;
    (void)state;
    assert_int_equal(make(FINISHED, false, &digest, NULL), TW_OK);
    expect_file(&digest);
    assert_int_equal(make(FINISHED, true, &digest, NULL), TW_OK);
    unsigned char kept[5];
    memcpy(kept, bytes + AT, sizeof kept);
    memcpy(bytes + AT, "patch", sizeof kept);
    expect_file(&digest);
    memcpy(bytes + AT, kept, sizeof kept);
}

static void what_is_not_hashed_is_there_all_the_same(void **state)
{
    struct tw_file_sink sink = {.open = false};
    struct tw_sha256 digest, all = tw_sha256_of(bytes, LENGTH);
    (void)state;
    assert_int_equal(tw_file_sink_open(&sink, "file", false, &workers, NULL), TW_OK);
    assert_int_equal(tw_file_sink_write(&sink, bytes, LENGTH, NULL), TW_OK);
    assert_int_equal(tw_file_sink_finish(&sink, &digest, NULL), TW_OK);
    assert_memory_not_equal(&digest, &all, sizeof all);
    expect_file(&all);
}

static void what_is_abandoned_is_not_there(void **state)
{
    struct tw_sha256 digest;
    (void)state;
    for (enum stage last = OPENED; last < FINISHED; last++) {
        assert_int_equal(make(last, true, &digest, NULL), TW_OK);
        expect_no_file();
    }
}

/* Each call that a file of three pieces and a patch needs; fsync() is of the end. */
static void whichever_call_fails_nothing_is_left(void **state)
{
    static const struct {
        const char *call;
        int first, last; /* before, fstat() is about locks, and another name is tried */
    } rows[] = {{"open", 1, 2}, {"write", 1, 4}, {"fsync", 1, 1},
                {"read", 1, 1}, {"fstat", 2, 3}, {"rename", 1, 1}};
    struct disk_failure failure;
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int which = rows[i].first; which <= rows[i].last; which++) {
            struct tw_error error = {.status = TW_OK};
            struct tw_sha256 digest;
            disk_begin(&(struct disk_fault){.which = which, .error = EIO, .only = rows[i].call});
            enum tw_status status = make(FINISHED, true, &digest, &error);
            if (!disk_end(&failure))
                fail_msg("%s is called less than %d times", rows[i].call, which);
            if (status != TW_IO || !strstr(error.message, " file"))
                fail_msg("%s %d: status %d: %s", rows[i].call, which, (int)status, error.message);
            expect_no_file();
        }
}

static void impossible_places_are_refused(void **state)
{
    static char name[5000];
    struct tw_file_sink sink = {.open = false};
    struct tw_error error;
    struct tw_sha256 digest;
    (void)state;
    memset(name, 'n', sizeof name - 1);
    assert_int_equal(tw_file_sink_open(&sink, name, true, NULL, &error), TW_IO);
    assert_non_null(strstr(error.message, "nnn...: the name is too long"));
    assert_int_equal(tw_file_sink_open(&sink, "none/file", true, NULL, &error), TW_IO);
    assert_string_equal(error.message, "cannot write none/file: No such file or directory");
    tw_file_sink_abandon(&sink); /* was never open */
    assert_int_equal(tw_file_sink_open(&sink, "file", true, NULL, &error), TW_OK);
    assert_int_equal(tw_file_sink_patch(&sink, UINT64_MAX, "a", 1, &error), TW_IO);
    assert_string_equal(error.message, "cannot write file: Invalid argument");
    tw_file_sink_abandon(&sink);
    assert_int_equal(tw_file_sink_open(&sink, "file", true, NULL, &error), TW_OK);
    assert_int_equal(mkdir("file", 0777), 0); /* meanwhile, by somebody else */
    assert_int_equal(tw_file_sink_finish(&sink, &digest, &error), TW_IO);
    assert_string_equal(error.message, "cannot write file: Is a directory");
    assert_int_equal(rmdir("file"), 0);
    expect_no_file();
}

static int setup(void **state)
{
    for (size_t i = 0; i < LENGTH; i++)
        bytes[i] = (unsigned char)(i * i >> 7);
    return command_set_up(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_there),
        cmocka_unit_test(what_is_not_hashed_is_there_all_the_same),
        cmocka_unit_test(what_is_abandoned_is_not_there),
        cmocka_unit_test(whichever_call_fails_nothing_is_left),
        cmocka_unit_test(impossible_places_are_refused),
    };
    return cmocka_run_group_tests(tests, setup, command_tear_down);
}
