/* SPDX-License-Identifier: MIT */
/* zlib ends a part by itself. libdeflate, which packs 2 to 3 times as fast, makes whole streams
 * only: its last block becomes one of many, and an empty block without codes fills the last byte.
 * deflate_end.c finds the end of a one-block part; for longer parts zlib decompresses the output to
 * find it, and the result is compared with the input. */
#define ZLIB_CONST /* what it reads is const */
#include "base/deflate.h"

#include "base/deflate_end.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
    RAW = -15,      /* zlib's number for streams without a header and with the largest window */
    ZLIB_MEMORY = 8 /* zlib's own choice */
};

/* In the order of the stream, byte after byte, from the lowest bit: not last, no codes; up to the
 * next byte; a length of 0 and its complement. */
static const unsigned char empty_block[] = {0, 0, 0xFF, 0xFF};
enum { EMPTY_HEAD_BITS = 3, EMPTY_BYTES = sizeof empty_block + 1 };

/* ---- zlib ---- */

/* Returns what the part became, or 0. */
static size_t pack(z_stream *stream, const unsigned char *from, size_t length, unsigned char *to,
                   size_t capacity)
{
    stream->next_in = from;
    stream->avail_in = (uInt)length;
    stream->next_out = to;
    stream->avail_out = (uInt)capacity;
    bool ok = deflateReset(stream) == Z_OK && deflate(stream, Z_SYNC_FLUSH) == Z_OK &&
              stream->avail_in == 0 && stream->avail_out > 0;
    return ok ? stream->total_out : 0;
}

static bool start_packing(z_stream *stream, int level)
{
    return deflateInit2(stream, level, Z_DEFLATED, RAW, ZLIB_MEMORY, Z_FILTERED) == Z_OK;
}

/* ---- libdeflate ---- */

#ifdef TW_WITH_LIBDEFLATE
#include <libdeflate.h>

enum { HAVE_FAST = 1 };

struct fast {
    struct libdeflate_compressor *packer;
    z_stream reader;
    unsigned char back[1 << 16];
};

/* The stream's last block begins at bit `last` and ends before bit `end`. */
struct ends {
    size_t last, end;
};

/* False when the stream is not whole or not `from`. */
static bool read_back(struct fast *fast, const unsigned char *packed, size_t packed_length,
                      const unsigned char *from, size_t length, struct ends *ends)
{
    enum { UNUSED_BITS = 63, IN_LAST = 64, AT_END = 128 }; /* of data_type */
    z_stream *reader = &fast->reader;
    size_t at = 0;
    *ends = (struct ends){0, 0};
    if (inflateReset(reader) != Z_OK)
        return false;
    reader->next_in = packed;
    reader->avail_in = (uInt)packed_length;
    while (ends->end == 0) {
        reader->next_out = fast->back;
        reader->avail_out = sizeof fast->back;
        if (inflate(reader, Z_BLOCK) != Z_OK)
            return false;
        size_t count = sizeof fast->back - reader->avail_out;
        if (count > length - at || memcmp(fast->back, from + at, count) != 0)
            return false;
        at += count;
        size_t bit = 8 * (size_t)reader->total_in - (size_t)(reader->data_type & UNUSED_BITS);
        if (reader->data_type & AT_END)
            *(reader->data_type & IN_LAST ? &ends->end : &ends->last) = bit;
    }
    return at == length && reader->avail_in == 0;
}

/* Makes a whole stream one of many parts; its new length. */
static size_t open_end(unsigned char *packed, size_t length, struct ends ends)
{
    const size_t left = 8 * length - ends.end; /* bits of the last byte */
    packed[ends.last / 8] &= (unsigned char)~(1u << ends.last % 8);
    packed[length - 1] &= (unsigned char)(0xFFu >> left);
    if (left < EMPTY_HEAD_BITS)
        packed[length++] = 0;
    memcpy(packed + length, empty_block, sizeof empty_block);
    return length + sizeof empty_block;
}

static size_t fast_bound(size_t length) { return libdeflate_deflate_compress_bound(NULL, length); }

static size_t pack_fast(struct fast *fast, const unsigned char *from, size_t length,
                        unsigned char *to, size_t capacity)
{
    size_t packed = libdeflate_deflate_compress(fast->packer, from, length, to, capacity);
    struct ends ends = {0, packed > 0 ? tw_deflate_find_end(to, packed) : 0};
    bool known = ends.end > 0 || (packed > 0 && read_back(fast, to, packed, from, length, &ends));
    return known ? open_end(to, packed, ends) : 0;
}

static void release_fast(struct fast *fast)
{
    if (!fast)
        return;
    libdeflate_free_compressor(fast->packer);
    (void)inflateEnd(&fast->reader);
    free(fast);
}

static struct fast *create_fast(void)
{
    struct fast *fast = calloc(1, sizeof *fast);
    if (fast && inflateInit2(&fast->reader, RAW) == Z_OK &&
        (fast->packer = libdeflate_alloc_compressor(TW_DEFLATE_FASTEST)))
        return fast;
    release_fast(fast);
    return NULL;
}

/* As vectors, where zlib's go by bytes and words. */
uint32_t tw_adler32(const void *data, size_t length) { return libdeflate_adler32(1, data, length); }
uint32_t tw_crc32(const void *data, size_t length) { return libdeflate_crc32(0, data, length); }

#else

enum { HAVE_FAST = 0 };
struct fast;
static size_t fast_bound(size_t length) { return length; }
static size_t pack_fast(struct fast *fast, const unsigned char *from, size_t length,
                        unsigned char *to, size_t capacity)
{
    (void)fast, (void)from, (void)length, (void)to, (void)capacity;
    return 0;
}
static void release_fast(struct fast *fast) { (void)fast; }
static struct fast *create_fast(void) { return NULL; }

uint32_t tw_adler32(const void *data, size_t length)
{
    return (uint32_t)adler32_z(adler32_z(0, NULL, 0), data, length);
}

uint32_t tw_crc32(const void *data, size_t length) { return (uint32_t)crc32_z(0, data, length); }

#endif

/* ---- either ---- */

struct tw_deflate {
    struct fast *fast;
    z_stream packer; /* where `fast` is NULL */
};

struct tw_deflate *tw_deflate_create(int level)
{
    struct tw_deflate *deflate = calloc(1, sizeof *deflate);
    bool fast = HAVE_FAST && level == TW_DEFLATE_FASTEST;
    if (deflate &&
        (fast ? (deflate->fast = create_fast()) != NULL : start_packing(&deflate->packer, level)))
        return deflate;
    free(deflate);
    return NULL;
}

void tw_deflate_release(struct tw_deflate *deflate)
{
    if (!deflate)
        return;
    release_fast(deflate->fast);
    (void)deflateEnd(&deflate->packer);
    free(deflate);
}

static size_t capacity_of(size_t length)
{
    size_t fast = fast_bound(length), other = compressBound((uLong)length);
    return fast > other ? fast : other;
}

size_t tw_deflate_bound(size_t length) { return capacity_of(length) + EMPTY_BYTES; }

size_t tw_deflate_part(struct tw_deflate *deflate, const unsigned char *from, size_t length,
                       unsigned char *to)
{
    return deflate->fast ? pack_fast(deflate->fast, from, length, to, capacity_of(length))
                         : pack(&deflate->packer, from, length, to, tw_deflate_bound(length));
}
