/* SPDX-License-Identifier: MIT */
/* ISA-L packs parts at the fastest level, four times as fast as zlib; zlib packs the other levels,
 * and all of them in builds without ISA-L. Both start each part afresh and end it by a flush, on a
 * byte boundary. */
#define ZLIB_CONST /* zlib's input is const */
#include "base/memory/deflate.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
    RAW = -15,       /* zlib's number for streams without a header and with the largest window */
    ZLIB_MEMORY = 8, /* zlib's own choice */
    STORED_MAX = 65535,
    STORED_HEAD = 5
};

/* ---- stored ---- */

/* Writes blocks without codes, which need no flush: each ends on a byte boundary. */
static size_t store(const unsigned char *from, size_t length, unsigned char *to)
{
    unsigned char *end = to;
    do {
        const size_t count = length < STORED_MAX ? length : STORED_MAX;
        *end = 0; /* not last, no codes; skip to the next byte */
        for (int i = 0; i < 2; i++) {
            end[1 + i] = (unsigned char)(count >> 8 * i);
            end[3 + i] = (unsigned char)~end[1 + i];
        }
        memcpy(end + STORED_HEAD, from, count);
        end += STORED_HEAD + count;
        from += count;
        length -= count;
    } while (length > 0);
    return (size_t)(end - to);
}

/* ---- zlib ---- */

/* Packs a part and returns its length, or 0. */
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

/* ---- ISA-L ---- */

#ifdef TW_WITH_ISAL
#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>

/* Level 2 makes smaller files than level 1 in equal time. */
enum { HAVE_FAST = 1, FAST_LEVEL = 2 };

struct fast {
    struct isal_zstream stream;
    unsigned char tables[ISAL_DEF_LVL2_DEFAULT];
};

static struct fast *create_fast(void)
{
    struct fast *fast = calloc(1, sizeof *fast);
    if (!fast)
        return NULL;
    isal_deflate_init(&fast->stream);
    fast->stream.level = FAST_LEVEL;
    fast->stream.level_buf = fast->tables;
    fast->stream.level_buf_size = sizeof fast->tables;
    fast->stream.flush = FULL_FLUSH;
    return fast;
}

/* Packs a part and returns its length, or 0 if it does not fit. Stores the first byte and gives it
 * to the library as preceding data: without any, libisal 2.30 to 2.32 for x86-64 hash the stream's
 * address instead of the third byte (igzip_icf_body_h1_gr_bt.asm, .write_first_byte reads tmp2,
 * which is not set), so that one part in some hundreds to thousands was packed differently from run
 * to run. */
static size_t pack_fast(struct fast *fast, const unsigned char *from, size_t length,
                        unsigned char *to, size_t capacity)
{
    struct isal_zstream *stream = &fast->stream;
    if (length < 2)
        return 0;
    size_t stored = store(from, 1, to);
    isal_deflate_reset(stream);
    stream->next_in = (unsigned char *)from + 1; /* read only, as is the preceding data */
    stream->avail_in = (uint32_t)length - 1;
    stream->next_out = to + stored;
    stream->avail_out = (uint32_t)(capacity - stored);
    bool ok = isal_deflate_set_dict(stream, (unsigned char *)from, 1) == COMP_OK &&
              isal_deflate(stream) == COMP_OK && stream->avail_in == 0 && stream->avail_out > 0 &&
              stream->internal_state.state == ZSTATE_NEW_HDR;
    return ok ? stored + stream->total_out : 0;
}

/* Vectorised; zlib's works on bytes and words. */
uint32_t tw_adler32(const void *data, size_t length) { return isal_adler32(1, data, length); }
uint32_t tw_crc32(const void *data, size_t length) { return crc32_gzip_refl(0, data, length); }

#else

enum { HAVE_FAST = 0 };
struct fast;
static struct fast *create_fast(void) { return NULL; }
static size_t pack_fast(struct fast *fast, const unsigned char *from, size_t length,
                        unsigned char *to, size_t capacity)
{
    (void)fast, (void)from, (void)length, (void)to, (void)capacity;
    return 0;
}

uint32_t tw_adler32(const void *data, size_t length)
{
    return (uint32_t)adler32_z(adler32_z(0, NULL, 0), data, length);
}

uint32_t tw_crc32(const void *data, size_t length) { return (uint32_t)crc32_z(0, data, length); }

#endif

/* ---- either library ---- */

struct tw_deflate {
    struct fast *fast;
    z_stream packer; /* used if `fast` is NULL */
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
    free(deflate->fast);
    (void)deflateEnd(&deflate->packer);
    free(deflate);
}

size_t tw_deflate_bound(size_t length)
{
    const size_t stored = length + STORED_HEAD * (length / STORED_MAX + 1);
    const size_t packed =
        compressBound((uLong)length) + 2 * STORED_HEAD; /* the stored first byte, and the flush */
    return stored > packed ? stored : packed;
}

size_t tw_deflate_part(struct tw_deflate *deflate, const unsigned char *from, size_t length,
                       unsigned char *to)
{
    const size_t bound = tw_deflate_bound(length);
    size_t packed = !deflate        ? 0
                    : deflate->fast ? pack_fast(deflate->fast, from, length, to, bound)
                                    : pack(&deflate->packer, from, length, to, bound);
    return packed > 0 ? packed : store(from, length, to);
}
