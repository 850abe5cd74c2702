/* SPDX-License-Identifier: MIT */
/* Writes PNG files. Rows are filtered by the row above (UP) and packed in independent strips, one
 * chunk each, so that workers can share them. The division into strips, and hence the bytes, depend
 * on the image only. */
#include "format/png/png_private.h"

#include "base/memory/block.h"
#include "base/memory/deflate.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
    STRIP_BYTES = 128 << 10, /* rows of a strip at most; a quarter makes files 1 to 2 % larger */
    SMALL_STRIP_BYTES = 8 << 20, /* for files that should be small */
    WAVE = 24,                   /* strips in memory at a time */
    ZLIB_HEAD = 2,
    SUM_BYTES = 4,
    FILTER_UP = 2
};

struct strip {
    unsigned char *chunk; /* capacity: chunk_bound() */
    size_t length;        /* length of the chunk */
    size_t raw_length;    /* length of its unpacked data */
    uLong sum;            /* Adler-32 of the unpacked data */
    enum tw_status status;
};

/* Buffers of one thread: a strip's filtered rows, two unfiltered rows, the compressor. Kept for all
 * waves, since a compressor takes half a MiB. */
struct packer {
    atomic_bool taken;
    unsigned char *raw, *above, *row;
    struct tw_deflate *deflate;
};

struct tw_png_image {
    struct tw_png_rows rows;
    const atomic_bool *stop;
    size_t row_bytes;
    int32_t strip_rows, strip_count;
    int32_t first; /* first strip of this wave */
    int32_t end;   /* row after the last of this wave, while it is packed */
    bool passed;   /* what pass() returned for these rows */
    uLong sum;     /* checksum of earlier strips */
    unsigned char *chunks;
    struct strip strips[WAVE];
    struct packer packers[WAVE]; /* one per range of strips */
};

static void put_big_endian(unsigned char *at, uint32_t number)
{
    for (int i = 0; i < 4; i++)
        at[i] = (unsigned char)(number >> (24 - 8 * i));
}

/* Adds head and sum to `length` bytes of data. Returns the chunk's length. */
static size_t close_chunk(unsigned char *chunk, const char type[4], size_t length)
{
    put_big_endian(chunk, (uint32_t)length);
    memcpy(chunk + 4, type, 4);
    put_big_endian(chunk + TW_PNG_CHUNK_HEAD + length, tw_crc32(chunk + 4, 4 + length));
    return TW_PNG_CHUNK_HEAD + length + TW_PNG_CHUNK_SUM;
}

/* ---- strips ---- */

static int32_t rows_of(const struct tw_png_image *image, int32_t strip)
{
    int32_t left = image->rows.height - strip * image->strip_rows;
    return left < image->strip_rows ? left : image->strip_rows;
}

static size_t raw_bound(const struct tw_png_image *image)
{
    return (size_t)image->strip_rows * (image->row_bytes + 1);
}

static size_t chunk_bound(const struct tw_png_image *image)
{
    return TW_PNG_CHUNK_HEAD + ZLIB_HEAD + tw_deflate_bound(raw_bound(image)) + TW_PNG_CHUNK_SUM;
}

static void filter_up(const unsigned char *row, const unsigned char *above, size_t length,
                      unsigned char *to)
{
    *to++ = FILTER_UP;
    for (size_t i = 0; i < length; i++)
        to[i] = (unsigned char)(row[i] - above[i]);
}

/* False if fill() refuses a row. */
static bool fill_strip(const struct tw_png_image *image, int32_t strip, struct packer *packer)
{
    const struct tw_png_rows *rows = &image->rows;
    int32_t begin = strip * image->strip_rows;
    if (begin == 0)
        memset(packer->above, 0, image->row_bytes);
    else if (!rows->fill(rows->context, begin - 1, packer->above))
        return false;
    for (int32_t y = 0; y < rows_of(image, strip); y++) {
        if (!rows->fill(rows->context, begin + y, packer->row))
            return false;
        filter_up(packer->row, packer->above, image->row_bytes,
                  packer->raw + (size_t)y * (image->row_bytes + 1));
        unsigned char *above = packer->above;
        packer->above = packer->row;
        packer->row = above;
    }
    return true;
}

static enum tw_status pack_strip(struct tw_png_image *image, int32_t index, struct packer *packer)
{
    struct strip *strip = &image->strips[index - image->first];
    if (image->stop && atomic_load(image->stop))
        return TW_CANCELLED;
    if (!fill_strip(image, index, packer))
        return TW_NODE;
    strip->raw_length = (size_t)rows_of(image, index) * (image->row_bytes + 1);
    strip->sum = tw_adler32(packer->raw, strip->raw_length);
    unsigned char *to = strip->chunk + TW_PNG_CHUNK_HEAD;
    if (index == 0) {
        memcpy(to, "\x78\x01", ZLIB_HEAD); /* deflate, window of 32 KiB, fast */
        to += ZLIB_HEAD;
    }
    to += tw_deflate_part(packer->deflate, packer->raw, strip->raw_length, to);
    const size_t length = (size_t)(to - strip->chunk) - TW_PNG_CHUNK_HEAD;
    strip->length = close_chunk(strip->chunk, "IDAT", length);
    return TW_OK;
}

static int level_of(const struct tw_png_rows *rows)
{
    return rows->level > 1 ? rows->level : TW_DEFLATE_FASTEST;
}

static bool set_packer(const struct tw_png_image *image, struct packer *packer)
{
    if (!packer->raw)
        packer->raw = malloc(raw_bound(image));
    if (!packer->above)
        packer->above = malloc(image->row_bytes);
    if (!packer->row)
        packer->row = malloc(image->row_bytes);
    if (!packer->deflate)
        packer->deflate = tw_deflate_create(level_of(&image->rows));
    return packer->raw && packer->above && packer->row && packer->deflate;
}

static void clear_packer(struct packer *packer)
{
    free(packer->raw);
    free(packer->above);
    free(packer->row);
    tw_deflate_release(packer->deflate);
}

static struct packer *take_packer(struct tw_png_image *image)
{
    struct packer *packer = image->packers;
    while (atomic_exchange(&packer->taken, true))
        packer++;
    return packer;
}

static void pack_range(void *context, int32_t begin, int32_t end)
{
    struct tw_png_image *image = context;
    struct packer *packer = take_packer(image);
    bool ok = set_packer(image, packer);
    for (int32_t i = begin; i < end; i++)
        image->strips[i].status = ok ? pack_strip(image, image->first + i, packer) : TW_MEMORY;
    atomic_store(&packer->taken, false);
}

/* Task 0 passes the rows, which takes longer than packing a strip; each other task packs one. */
static void pass_and_pack(void *context, int32_t begin, int32_t end)
{
    struct tw_png_image *image = context;
    const struct tw_png_rows *rows = &image->rows;
    if (begin == 0)
        image->passed = rows->pass(rows->context, tw_png_next(image), image->end);
    if (end > 1)
        pack_range(image, begin == 0 ? 0 : begin - 1, end - 1);
}

static void pack_wave(struct tw_png_image *image, int32_t count)
{
    const struct tw_png_rows *rows = &image->rows;
    const int32_t end = (image->first + count) * image->strip_rows;
    image->end = end < rows->height ? end : rows->height;
    image->passed = true;
    if (rows->pass)
        tw_workers_rows(rows->workers, count + 1, 1, pass_and_pack, image);
    else
        tw_workers_rows(rows->workers, count, 1, pack_range, image);
}

/* ---- the file ---- */

static enum tw_status append_chunk(struct tw_bytes *out, const char type[4], const void *data,
                                   size_t length, struct tw_error *err)
{
    unsigned char chunk[TW_PNG_CHUNK_HEAD + sizeof(struct tw_png_text) + TW_PNG_CHUNK_SUM];
    if (length > 0)
        memcpy(chunk + TW_PNG_CHUNK_HEAD, data, length);
    return tw_bytes_append(out, chunk, close_chunk(chunk, type, length), err);
}

enum tw_status tw_png_head(const struct tw_png_rows *rows, struct tw_bytes *out,
                           struct tw_error *err)
{
    enum { GREY = 0, RGB = 2, RGB_ALPHA = 6 };
    unsigned char head[13] = {0}; /* compression, filter and interlace are 0, too */
    put_big_endian(head, (uint32_t)rows->width);
    put_big_endian(head + 4, (uint32_t)rows->height);
    head[8] = (unsigned char)rows->bits;
    head[9] = rows->channels == 1 ? GREY : rows->channels == 3 ? RGB : RGB_ALPHA;
    enum tw_status status = tw_bytes_append(out, "\x89PNG\r\n\x1a\n", 8, err);
    if (status == TW_OK)
        status = append_chunk(out, "IHDR", head, sizeof head, err);
    for (int i = 0; status == TW_OK && i < rows->text_count; i++) {
        const struct tw_png_text *text = &rows->texts[i];
        unsigned char both[sizeof *text];
        size_t name = strlen(text->name) + 1, length = strlen(text->text);
        memcpy(both, text->name, name);
        memcpy(both + name, text->text, length);
        status = append_chunk(out, "tEXt", both, name + length, err);
    }
    return status;
}

/* Reports the first failure in the order of strips. */
static enum tw_status append_strips(struct tw_png_image *image, int32_t count, struct tw_bytes *out,
                                    struct tw_error *err)
{
    enum tw_status status = image->passed ? TW_OK : TW_NODE;
    for (int32_t i = 0; status == TW_OK && i < count; i++) {
        const struct strip *strip = &image->strips[i];
        status = strip->status;
        if (status == TW_CANCELLED)
            tw_error_set(err, status, "stopped");
        else if (status == TW_MEMORY)
            tw_error_set(err, status, "out of memory");
        else if (status == TW_OK)
            status = tw_bytes_append(out, strip->chunk, strip->length, err);
        image->sum = adler32_combine(image->sum, strip->sum, (z_off_t)strip->raw_length);
    }
    return status;
}

int32_t tw_png_next(const struct tw_png_image *image) { return image->first * image->strip_rows; }

int32_t tw_png_wave(const struct tw_png_image *image) { return WAVE * image->strip_rows; }

enum tw_status tw_png_pack(struct tw_png_image *image, int32_t ready, struct tw_bytes *out,
                           struct tw_error *err)
{
    const bool all = ready >= image->rows.height;
    const int32_t end = all ? image->strip_count : ready / image->strip_rows;
    enum tw_status status = TW_OK;
    while (status == TW_OK && image->first < end) {
        const int32_t left = end - image->first, count = left < WAVE ? left : WAVE;
        pack_wave(image, count);
        status = append_strips(image, count, out, err);
        image->first += count;
    }
    return status;
}

enum tw_status tw_png_end(const struct tw_png_image *image, struct tw_bytes *out,
                          struct tw_error *err)
{
    unsigned char end[TW_DEFLATE_END_BYTES + SUM_BYTES];
    memcpy(end, TW_DEFLATE_END, TW_DEFLATE_END_BYTES);
    put_big_endian(end + TW_DEFLATE_END_BYTES, (uint32_t)image->sum);
    enum tw_status status = append_chunk(out, "IDAT", end, sizeof end, err);
    return status == TW_OK ? append_chunk(out, "IEND", NULL, 0, err) : status;
}

/* Both sides are at most TW_SIDE_MAX, so nothing here overflows. */
static void divide(struct tw_png_image *image)
{
    const struct tw_png_rows *rows = &image->rows;
    image->row_bytes = (size_t)rows->width * (size_t)rows->channels * (size_t)(rows->bits / 8);
    size_t target = rows->level > 1 ? SMALL_STRIP_BYTES : STRIP_BYTES;
    size_t most = target / (image->row_bytes + 1);
    image->strip_rows = most < 1 ? 1 : most > (size_t)rows->height ? rows->height : (int32_t)most;
    image->strip_count = (rows->height - 1) / image->strip_rows + 1;
}

static size_t wave_bytes(const struct tw_png_image *image)
{
    const int32_t count = image->strip_count < WAVE ? image->strip_count : WAVE;
    return (size_t)count * chunk_bound(image);
}

uint64_t tw_png_bytes(const struct tw_png_rows *rows)
{
    struct tw_png_image image = {.rows = *rows};
    divide(&image);
    return 2 * (uint64_t)wave_bytes(&image) + raw_bound(&image) + 3 * image.row_bytes;
}

uint64_t tw_png_encode_bytes(const struct tw_png_rows *rows, int32_t threads)
{
    enum { DEFLATE_BYTES = 512 << 10 };
    struct tw_png_image image = {.rows = *rows};
    divide(&image);
    int32_t packers = image.strip_count < WAVE ? image.strip_count : WAVE;
    packers = threads < packers ? threads : packers;
    const uint64_t packer = raw_bound(&image) + 2 * image.row_bytes;
    return wave_bytes(&image) + (uint64_t)packers * packer +
           (uint64_t)(packers - 1) * DEFLATE_BYTES;
}

struct tw_png_image *tw_png_create(const struct tw_png_rows *rows, const atomic_bool *stop)
{
    struct tw_png_image *image = calloc(1, sizeof *image);
    if (!image)
        return NULL;
    image->rows = *rows;
    image->stop = stop;
    image->sum = adler32(0, NULL, 0);
    divide(image);
    image->chunks = tw_block_alloc(wave_bytes(image));
    for (int32_t i = 0; i < WAVE && image->chunks; i++)
        image->strips[i].chunk =
            i < image->strip_count ? image->chunks + (size_t)i * chunk_bound(image) : NULL;
    if (image->chunks)
        return image;
    free(image);
    return NULL;
}

void tw_png_release(struct tw_png_image *image)
{
    if (!image)
        return;
    for (int i = 0; i < WAVE; i++)
        clear_packer(&image->packers[i]);
    tw_block_free(image->chunks);
    free(image);
}

enum tw_status tw_png_encode_rows(const struct tw_png_rows *rows, struct tw_bytes *out,
                                  struct tw_error *err)
{
    struct tw_png_image *image = tw_png_create(rows, out->stop);
    if (!image)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    enum tw_status status = tw_png_head(rows, out, err);
    if (status == TW_OK)
        status = tw_png_pack(image, rows->height, out, err);
    if (status == TW_OK)
        status = tw_png_end(image, out, err);
    tw_png_release(image);
    return status;
}
