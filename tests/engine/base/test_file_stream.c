/* SPDX-License-Identifier: MIT */
/* A file read in pieces smaller and greater than what is read ahead: the same bytes, all of them in
 * the digest. */
#include "base/os/file.h"
#include "base/os/file_stream.h"

#include "support/command.h"
#include "support/harness.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <unistd.h>

enum { LENGTH = 5000, AHEAD = 64 };

static bool broken; /* the disk */

/* Reads at most 100 bytes at once, and is interrupted before every other piece. */
ssize_t __real_pread(int file, void *to, size_t length, off_t offset);
ssize_t __wrap_pread(int file, void *to, size_t length, off_t offset);
ssize_t __wrap_pread(int file, void *to, size_t length, off_t offset)
{
    static bool interrupted;
    interrupted = !interrupted;
    errno = broken ? EIO : EINTR;
    if (broken)
        return -1;
    return interrupted ? -1 : __real_pread(file, to, length < 100 ? length : 100, offset);
}

static unsigned char bytes[LENGTH];

static struct tw_file_stream open_stream(void)
{
    struct tw_file_stream stream;
    assert_int_equal(tw_file_stream_open(&stream, "file", LENGTH, AHEAD, true, NULL), TW_OK);
    return stream;
}

static void expect_digest(struct tw_file_stream *stream)
{
    const struct tw_sha256 all = tw_sha256_of(bytes, LENGTH);
    struct tw_sha256 digest;
    assert_true(tw_file_stream_finish(stream, &digest));
    assert_memory_equal(&digest, &all, sizeof all);
    tw_file_stream_close(stream);
}

static void pieces_of_any_length_are_read(void **state)
{
    static const size_t pieces[] = {1, 10, AHEAD - 1, AHEAD, AHEAD + 1, 1000, LENGTH};
    (void)state;
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++)
        for (int peeked = 0; peeked < 2; peeked++) {
            struct tw_file_stream stream = open_stream();
            const unsigned char *first;
            unsigned char back[LENGTH + 1];
            if (peeked)
                assert_int_equal(tw_file_stream_peek(&stream, &first), AHEAD);
            for (size_t at = 0; at < LENGTH; at += pieces[i]) {
                size_t length = LENGTH - at < pieces[i] ? LENGTH - at : pieces[i];
                assert_true(tw_file_stream_read(&stream, back + at, length));
            }
            assert_memory_equal(back, bytes, LENGTH);
            assert_false(tw_file_stream_read(&stream, back, 1));
            expect_digest(&stream);
        }
}

static void what_is_not_read_is_in_the_digest(void **state)
{
    (void)state;
    struct tw_file_stream stream = open_stream();
    unsigned char back[1000];
    assert_true(tw_file_stream_read(&stream, back, 7));
    assert_true(tw_file_stream_read(&stream, back, sizeof back));
    assert_memory_equal(back, bytes + 7, sizeof back);
    expect_digest(&stream);
}

static void a_piece_beyond_the_end_is_refused(void **state)
{
    static unsigned char back[LENGTH + 1];
    (void)state;
    struct tw_file_stream stream = open_stream();
    assert_false(tw_file_stream_read(&stream, back, LENGTH + 1));
    tw_file_stream_close(&stream);
}

static void bytes_anywhere_may_come_in_pieces(void **state)
{
    static unsigned char back[LENGTH + 100];
    (void)state;
    struct tw_file_stream stream = open_stream();
    assert_true(tw_file_stream_read_at(&stream, 30, back, 1050));
    assert_memory_equal(back, bytes + 30, 1050);
    for (size_t i = 1050; i < sizeof back; i++)
        assert_int_equal(back[i], 0);
    assert_true(tw_file_stream_read_at(&stream, LENGTH, back, 0));
    assert_false(tw_file_stream_read_at(&stream, LENGTH - 9, back, 10));
    assert_false(tw_file_stream_read_at(&stream, UINT64_MAX, back, 10));
    expect_digest(&stream);
}

static void what_is_no_file_is_not_opened(void **state)
{
    struct tw_file_stream stream = {.descriptor = -1};
    struct tw_error error;
    (void)state;
    assert_int_equal(tw_file_stream_open(&stream, "none", LENGTH, AHEAD, true, &error), TW_IO);
    assert_string_equal(error.message, "cannot read none: No such file or directory");
    assert_int_not_equal(tw_file_stream_open(&stream, "file", LENGTH - 1, AHEAD, true, NULL),
                         TW_OK);
    tw_file_stream_close(&stream);
}

/* Which exit code a run has depends on it: elsewhere the same file may be read. */
static void too_few_descriptors_are_no_fault_of_the_file(void **state)
{
    struct rlimit before, few;
    struct tw_error error;
    unsigned char *data = NULL;
    size_t length = 0;
    (void)state;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    few = before;
    few.rlim_cur = 0;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
    enum tw_status status = tw_file_read("file", LENGTH, &data, &length, &error);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_int_equal(status, TW_MEMORY);
    assert_string_equal(error.message, "cannot read file: Too many open files");
}

/* A stream without a digest has the same bytes. */
static void a_stream_may_go_without_a_digest(void **state)
{
    struct tw_file_stream stream;
    struct tw_sha256 digest = {{7}};
    const unsigned char *first;
    unsigned char back[LENGTH];
    (void)state;
    assert_int_equal(tw_file_stream_open(&stream, "file", LENGTH, AHEAD, false, NULL), TW_OK);
    assert_int_equal(tw_file_stream_peek(&stream, &first), AHEAD);
    assert_int_equal(tw_file_stream_peek(&stream, &first), AHEAD); /* the same ones */
    assert_true(tw_file_stream_read(&stream, back, LENGTH));
    assert_memory_equal(back, bytes, LENGTH);
    assert_true(tw_file_stream_finish(&stream, &digest));
    assert_int_equal(digest.at[0], 7);
    tw_file_stream_close(&stream);
    tw_file_stream_close(&stream); /* nothing is left of it */
}

/* By somebody else, after it was opened: nothing is read beyond what is there. */
static void a_file_that_shrinks_is_a_failure(void **state)
{
    enum { SHORT = 100 };
    unsigned char back[LENGTH];
    struct tw_sha256 digest;
    (void)state;
    for (int i = 0; i < 4; i++) {
        struct tw_file_stream stream = open_stream();
        assert_int_equal(truncate("file", SHORT), 0);
        if (i == 0)
            assert_false(tw_file_stream_read(&stream, back, LENGTH)); /* past the buffer */
        else if (i == 1)
            assert_false(tw_file_stream_read(&stream, back, AHEAD - 1) &&
                         tw_file_stream_read(&stream, back, AHEAD - 1));
        else if (i == 2)
            assert_false(tw_file_stream_finish(&stream, &digest));
        else
            assert_false(tw_file_stream_read_at(&stream, SHORT - 10, back, 11));
        tw_file_stream_close(&stream);
        assert_int_equal(tw_file_write("file", bytes, LENGTH, NULL), TW_OK);
    }
    struct tw_file_stream stream = open_stream();
    broken = true;
    assert_false(tw_file_stream_read_at(&stream, 0, back, 1));
    broken = false;
    tw_file_stream_close(&stream);
}

static int setup(void **state)
{
    for (size_t i = 0; i < LENGTH; i++)
        bytes[i] = (unsigned char)(i * i >> 5);
    const int status = command_set_up(state);
    return status == 0 && tw_file_write("file", bytes, LENGTH, NULL) == TW_OK ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_of_any_length_are_read),
        cmocka_unit_test(what_is_not_read_is_in_the_digest),
        cmocka_unit_test(a_piece_beyond_the_end_is_refused),
        cmocka_unit_test(bytes_anywhere_may_come_in_pieces),
        cmocka_unit_test(what_is_no_file_is_not_opened),
        cmocka_unit_test(too_few_descriptors_are_no_fault_of_the_file),
        cmocka_unit_test(a_stream_may_go_without_a_digest),
        cmocka_unit_test(a_file_that_shrinks_is_a_failure),
    };
    return cmocka_run_group_tests(tests, setup, command_tear_down);
}
