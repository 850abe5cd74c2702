/* SPDX-License-Identifier: MIT */
/* The end of a stream as zlib finds it by reading all of it; blocks are of exact size, so that a
 * sanitizer sees a byte too far. */
#include "base/deflate_end.h"

#include "support/harness.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { LENGTH = 3000, RAW = -15, STRATEGIES = 5 };

/* A raw stream in a block of its own length. */
static unsigned char *pack(const unsigned char *data, size_t length, int strategy,
                           size_t *packed_length)
{
    static unsigned char room[2 * LENGTH + 100];
    z_stream stream = {.next_in = (unsigned char *)data,
                       .avail_in = (uInt)length,
                       .next_out = room,
                       .avail_out = sizeof room};
    assert_int_equal(deflateInit2(&stream, 6, Z_DEFLATED, RAW, 9, strategy), Z_OK);
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    *packed_length = stream.total_out;
    deflateEnd(&stream);
    unsigned char *packed = malloc(*packed_length);
    assert_non_null(packed);
    return memcpy(packed, room, *packed_length);
}

static size_t end_by_zlib(unsigned char *packed, size_t packed_length)
{
    enum { UNUSED_BITS = 7 };
    static unsigned char back[LENGTH + 1];
    z_stream stream = {.next_in = packed,
                       .avail_in = (uInt)packed_length,
                       .next_out = back,
                       .avail_out = sizeof back};
    size_t end;
    assert_int_equal(inflateInit2(&stream, RAW), Z_OK);
    do {
        assert_int_equal(inflate(&stream, Z_BLOCK), Z_OK);
        end = 8 * stream.total_in - (size_t)(stream.data_type & UNUSED_BITS);
    } while ((stream.data_type & 192) != 192); /* at the end of a block, which is the last */
    inflateEnd(&stream);
    return end;
}

static uint32_t next(uint32_t *seed) { return (*seed = *seed * 1664525u + 1013904223u) >> 8; }

/* Bytes of about `kinds` kinds, of which the low ones are many. */
static void fill(unsigned char *data, size_t length, uint32_t kinds, uint32_t *seed)
{
    for (size_t i = 0; i < length; i++)
        data[i] = (unsigned char)(next(seed) % (1 + next(seed) % kinds));
}

static void the_end_is_where_zlib_finds_it(void **state)
{
    uint32_t seed = 1;
    int found = 0, all = 0;
    (void)state;
    for (int turn = 0; turn < 600; turn++)
        for (int strategy = 0; strategy < STRATEGIES; strategy++) {
            unsigned char data[LENGTH];
            size_t length = 40 + next(&seed) % (LENGTH - 40), packed_length;
            fill(data, length, 2 + next(&seed) % 254, &seed);
            unsigned char *packed = pack(data, length, strategy, &packed_length);
            size_t end = tw_deflate_find_end(packed, packed_length);
            if (end > 0)
                assert_int_equal(end, end_by_zlib(packed, packed_length));
            found += end > 0;
            all++;
            free(packed);
        }
    assert_true(found > all / 2); /* one strategy has fixed codes, and some data are stored */
}

static void other_streams_are_left_to_zlib(void **state)
{
    static const unsigned char noise[] = {3, 141, 59, 26, 53};
    size_t length;
    unsigned char many[LENGTH] = {0};
    (void)state;
    unsigned char *packed = pack(noise, sizeof noise, Z_FIXED, &length);
    assert_int_equal(tw_deflate_find_end(packed, length), 0);
    free(packed);
    for (size_t i = 0; i < LENGTH; i++)
        many[i] = (unsigned char)(i * i >> 3 & 63);
    packed = pack(many, LENGTH, Z_HUFFMAN_ONLY, &length);
    assert_true(tw_deflate_find_end(packed, length) > 0);
    packed[0] &= 0xFE; /* not the last block */
    assert_int_equal(tw_deflate_find_end(packed, length), 0);
    free(packed);
}

/* No byte beyond a stream that was cut, changed or is none. */
static void damaged_streams_are_not_read_beyond(void **state)
{
    uint32_t seed = 9;
    (void)state;
    for (int turn = 0; turn < 3000; turn++) {
        size_t length = 1 + next(&seed) % 90;
        unsigned char *packed = malloc(length);
        assert_non_null(packed);
        for (size_t i = 0; i < length; i++)
            packed[i] = (unsigned char)next(&seed);
        packed[0] = (unsigned char)((packed[0] & 0xF8) | 5);
        assert_true(tw_deflate_find_end(packed, length) <= 8 * length);
        free(packed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_end_is_where_zlib_finds_it),
        cmocka_unit_test(other_streams_are_left_to_zlib),
        cmocka_unit_test(damaged_streams_are_not_read_beyond),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
