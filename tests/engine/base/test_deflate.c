/* SPDX-License-Identifier: MIT */
/* What is packed is what zlib unpacks, for data of every kind, in parts that join, within the
 * bound; blocks are of exact size, so that a sanitizer sees a byte too far. */
#include "base/deflate.h"

#include "support/harness.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { LENGTH = 200 * 1000 };

/* Packs `length` bytes in parts of `part`, unpacks them by zlib, and returns the packed length. */
static size_t expect_same_at(int level, const unsigned char *data, size_t length, size_t part)
{
    size_t parts = length / part + 1, used = 0;
    unsigned char *packed = malloc(parts * tw_deflate_bound(part) + TW_DEFLATE_END_BYTES);
    unsigned char *back = malloc(length + 1);
    struct tw_deflate *deflate = tw_deflate_create(level);
    assert_true(packed && back && deflate);
    for (size_t at = 0; at < length || at == 0; at += part) {
        size_t n = length - at < part ? length - at : part;
        unsigned char *exact = malloc(n + (n == 0)), *to = malloc(tw_deflate_bound(n));
        assert_true(exact && to);
        memcpy(exact, data + at, n);
        size_t written = tw_deflate_part(deflate, exact, n, to);
        assert_true(written > 0 && written <= tw_deflate_bound(n));
        memcpy(packed + used, to, written);
        used += written;
        free(exact);
        free(to);
    }
    memcpy(packed + used, TW_DEFLATE_END, TW_DEFLATE_END_BYTES);
    used += TW_DEFLATE_END_BYTES;
    z_stream stream = {
        .next_in = packed, .avail_in = (uInt)used, .next_out = back, .avail_out = (uInt)length + 1};
    assert_int_equal(inflateInit2(&stream, -15), Z_OK);
    assert_int_equal(inflate(&stream, Z_FINISH), Z_STREAM_END);
    assert_int_equal(stream.total_out, length);
    assert_int_equal(stream.avail_in, 0);
    assert_memory_equal(back, data, length);
    inflateEnd(&stream);
    tw_deflate_release(deflate);
    free(packed);
    free(back);
    return used;
}

/* By both libraries; the length of the fastest. */
static size_t expect_same(const unsigned char *data, size_t length, size_t part)
{
    expect_same_at(4, data, length, part);
    return expect_same_at(TW_DEFLATE_FASTEST, data, length, part);
}

static uint32_t next(uint32_t *seed) { return (*seed = *seed * 1664525u + 1013904223u) >> 8; }

/* Bytes of which `kinds` differ, with runs and repetitions of what lies up to 60,000 bytes back. */
static void fill(unsigned char *data, size_t length, uint32_t kinds, uint32_t seed)
{
    for (size_t at = 0; at < length;) {
        uint32_t choice = next(&seed) % 64, count = 1 + next(&seed) % 400;
        size_t back = 1 + next(&seed) % 60000;
        if (choice > 1 || at < back)
            data[at++] = (unsigned char)(next(&seed) % kinds);
        else
            for (; count > 0 && at < length; count--, at++)
                data[at] = data[at - back];
    }
}

static void zlib_unpacks_data_of_every_kind(void **state)
{
    static const uint32_t kinds[] = {1, 2, 3, 17, 200, 256};
    static unsigned char data[LENGTH];
    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        fill(data, LENGTH, kinds[i], (uint32_t)i);
        expect_same(data, LENGTH, LENGTH);
        expect_same(data, LENGTH, 70001);
    }
}

static void short_parts_join(void **state)
{
    unsigned char data[300];
    (void)state;
    fill(data, sizeof data, 4, 7);
    for (size_t length = 0; length <= sizeof data; length++)
        expect_same(data, length, 1 + length % 41);
}

/* The least and the greatest lengths and distances, and those beyond. */
static void matches_reach_their_limits(void **state)
{
    static const size_t lengths[] = {3, 4, 5, 10, 11, 257, 258, 259, 600};
    static const size_t distances[] = {1, 2, 3, 4, 5, 1024, 8192, 8193, 32767, 32768, 32769};
    static unsigned char data[40000];
    (void)state;
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++)
        for (size_t k = 0; k < sizeof distances / sizeof distances[0]; k++) {
            uint32_t seed = 5;
            size_t end = distances[k] + lengths[i];
            for (size_t at = 0; at < end; at++)
                data[at] = at < distances[k] ? (unsigned char)next(&seed) : data[at - distances[k]];
            expect_same(data, end, end);
        }
}

static void noise_grows_by_little_and_runs_shrink(void **state)
{
    static unsigned char data[LENGTH];
    uint32_t seed = 1;
    (void)state;
    assert_true(expect_same(data, LENGTH, LENGTH) < LENGTH / 200);
    for (size_t i = 0; i < LENGTH; i++)
        data[i] = (unsigned char)next(&seed);
    assert_true(expect_same(data, LENGTH, LENGTH) < LENGTH + LENGTH / 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zlib_unpacks_data_of_every_kind),
        cmocka_unit_test(short_parts_join),
        cmocka_unit_test(matches_reach_their_limits),
        cmocka_unit_test(noise_grows_by_little_and_runs_shrink),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
