/* SPDX-License-Identifier: MIT */
/* What is packed is what zlib unpacks, for data of every kind, in parts that join, within the
 * bound; blocks are of exact size, so that a sanitizer sees a byte too far. */
#include "base/memory/deflate.h"

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
    struct tw_deflate *deflate = level > 0 ? tw_deflate_create(level) : NULL;
    assert_true(packed && back && (deflate || level == 0));
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

/* Stored and by both libraries; the length of the fastest. */
static size_t expect_same(const unsigned char *data, size_t length, size_t part)
{
    expect_same_at(0, data, length, part);
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

/* One of a few dozen packers gave other bytes by where it lay in memory: short parts have small
 * tables. */
static void bytes_do_not_depend_on_addresses(void **state)
{
    enum { PACKERS = 100, SHORT = 60 };
    struct tw_deflate *packers[PACKERS];
    unsigned char data[SHORT], packed[2][400];
    size_t length[2] = {0};
    (void)state;
    for (int i = 0; i < SHORT; i++)
        data[i] = (unsigned char)(i % 20 * 7);
    for (int i = 0; i < PACKERS; i++) {
        packers[i] = tw_deflate_create(TW_DEFLATE_FASTEST);
        assert_non_null(packers[i]);
        length[i > 0] = tw_deflate_part(packers[i], data, SHORT, packed[i > 0]);
        assert_int_equal(length[i > 0], length[0]);
        assert_memory_equal(packed[i > 0], packed[0], length[0]);
    }
    for (int i = 0; i < PACKERS; i++)
        tw_deflate_release(packers[i]);
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

/* A compressor is used for many parts, in an order that threads decide. */
static void what_was_packed_before_does_not_matter(void **state)
{
    static unsigned char data[LENGTH];
    enum { PARTS = 4, PART = LENGTH / PARTS };
    unsigned char *to[2] = {malloc(tw_deflate_bound(PART)), malloc(tw_deflate_bound(PART))};
    (void)state;
    assert_true(to[0] && to[1]);
    for (int part = 0; part < PARTS; part++)
        fill(data + part * PART, PART, part == 1 ? 256 : 4, part == 3 ? 0 : (uint32_t)part);
    for (int level = TW_DEFLATE_FASTEST; level <= 4; level += 3) {
        struct tw_deflate *used = tw_deflate_create(level);
        for (int i = 0; i < 3 * PARTS; i++) {
            const unsigned char *from = data + i * 7 % PARTS * PART;
            const size_t length = PART - (size_t)(i / PARTS);
            struct tw_deflate *new = tw_deflate_create(level);
            assert_true(used && new);
            size_t packed = tw_deflate_part(used, from, length, to[0]);
            assert_int_equal(tw_deflate_part(new, from, length, to[1]), packed);
            assert_memory_equal(to[0], to[1], packed);
            tw_deflate_release(new);
        }
        tw_deflate_release(used);
    }
    free(to[0]);
    free(to[1]);
}

static void sums_are_those_of_zlib(void **state)
{
    static unsigned char data[6000];
    (void)state;
    fill(data, sizeof data, 256, 3);
    for (size_t length = 0; length <= sizeof data; length = length * 5 / 4 + 1)
        for (size_t at = 0; at < 5 && at + length <= sizeof data; at++) {
            assert_int_equal(tw_adler32(data + at, length), adler32_z(1, data + at, length));
            assert_int_equal(tw_crc32(data + at, length), crc32_z(0, data + at, length));
        }
    memset(data, 255, sizeof data); /* the greatest sums */
    assert_int_equal(tw_adler32(data, sizeof data), adler32_z(1, data, sizeof data));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zlib_unpacks_data_of_every_kind),
        cmocka_unit_test(short_parts_join),
        cmocka_unit_test(bytes_do_not_depend_on_addresses),
        cmocka_unit_test(matches_reach_their_limits),
        cmocka_unit_test(noise_grows_by_little_and_runs_shrink),
        cmocka_unit_test(what_was_packed_before_does_not_matter),
        cmocka_unit_test(sums_are_those_of_zlib),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
