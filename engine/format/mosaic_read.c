/* SPDX-License-Identifier: MIT */
/* The rows of all files as one map. A window of rows moves south: before a file is read, the rows
 * north of it are complete and given on. */
#include "format/mosaic.h"

#include "base/os/file_stream.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    const struct tw_mosaic *mosaic;
    const struct tw_mosaic_tile *tile;
    const struct tw_row_sink *sink;
    float *cells;     /* rows of the window, row y in place y % window */
    int32_t top, end; /* rows of the map that are in the window */
};

static float *row_at(const struct reader *r, int32_t y)
{
    return r->cells + (size_t)(y % r->mosaic->window) * (size_t)r->mosaic->facts.width;
}

/* ---- one file ---- */

static enum tw_status begin_tile(void *context, const struct tw_file_facts *facts,
                                 struct tw_error *err)
{
    const struct reader *r = context;
    const struct tw_file_facts *known = &r->tile->facts;
    if (facts->type == known->type && facts->width == known->width &&
        facts->height == known->height)
        return TW_OK;
    return tw_error_set(err, TW_INPUT, "the file changed while it was read");
}

static enum tw_status take_row(void *context, int32_t y, const void *row, struct tw_error *err)
{
    const struct reader *r = context;
    const float *from = row;
    float *to = row_at(r, r->tile->y + y) + r->tile->x;
    for (int32_t x = 0; x < r->tile->facts.width; x++) {
        if (isnan(to[x]))
            to[x] = from[x];
        else if (r->mosaic->must_agree && !isnan(from[x]) && to[x] != from[x])
            return tw_error_set(err, TW_INPUT,
                                "its cell x %d, y %d is not that of the tile beside it, which it "
                                "would share; expected overlap: 0",
                                (int)x, (int)y);
    }
    return TW_OK;
}

static bool read_stream(void *context, void *to, size_t length)
{
    return tw_file_stream_read(context, to, length);
}

static bool read_stream_at(void *context, uint64_t offset, void *to, size_t length)
{
    return tw_file_stream_read_at(context, offset, to, length);
}

static enum tw_status decode_rows(struct reader *r, struct tw_file_stream *stream,
                                  struct tw_error *err)
{
    const struct tw_mosaic_tile *tile = r->tile;
    const struct tw_byte_source source = {.read = read_stream,
                                          .read_at = read_stream_at,
                                          .context = stream,
                                          .length = stream->length,
                                          .layout = &tile->layout,
                                          .wish = r->mosaic->wish};
    const struct tw_row_sink sink = {.begin = begin_tile, .row = take_row, .context = r};
    return tile->format->read_rows(&source, &sink, err);
}

static enum tw_status decode_whole(struct reader *r, struct tw_file_stream *stream,
                                   struct tw_error *err)
{
    const size_t length = (size_t)stream->length;
    struct tw_value value = {0};
    unsigned char *data = malloc(length + 1);
    enum tw_status status = TW_OK;
    if (!data)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    if (!tw_file_stream_read(stream, data, length))
        status = tw_error_set(err, TW_INPUT, "it changed or failed while read");
    if (status == TW_OK)
        status = tw_format_decode(data, length, r->tile->name, &value, err);
    const struct tw_file_facts facts = {
        .type = value.type, .width = value.width, .height = value.height};
    if (status == TW_OK)
        status = begin_tile(r, &facts, err);
    for (int32_t y = 0; status == TW_OK && y < value.height; y++)
        status = take_row(r, y, tw_floats(&value) + (size_t)y * (size_t)value.width, err);
    tw_field_clear(&value);
    free(data);
    return status;
}

void tw_mosaic_add_digest(struct tw_sha256_state *state, const struct tw_mosaic_tile *tile,
                          const struct tw_sha256 *bytes)
{
    char layout[TW_RAW_LAYOUT_TEXT];
    const char *slash = strrchr(tile->name, '/');
    const char *name = slash ? slash + 1 : tile->name;
    tw_raw_layout_print(&tile->layout, layout);
    tw_sha256_add(state, name, strlen(name) + 1);
    tw_sha256_add(state, layout, strlen(layout) + 1);
    tw_sha256_add(state, bytes->at, sizeof bytes->at);
}

static enum tw_status read_tile(struct reader *r, struct tw_sha256 *digest, struct tw_error *err)
{
    struct tw_file_stream stream = {.descriptor = -1};
    enum tw_status status = tw_file_stream_open(&stream, r->tile->path, TW_MOSAIC_BYTES_MAX,
                                                TW_CODEC_HEAD_BYTES, true, err);
    if (status == TW_OK)
        status = r->tile->by_rows ? decode_rows(r, &stream, err) : decode_whole(r, &stream, err);
    if (status == TW_OK && !tw_file_stream_finish(&stream, digest))
        status = tw_error_set(err, TW_INPUT, "it changed or failed while read");
    tw_file_stream_close(&stream);
    return tw_mosaic_blame(r->tile, status, err);
}

/* ---- the window ---- */

/* Gives the rows north of `y` to the sink. */
static enum tw_status give_until(struct reader *r, int32_t y, struct tw_error *err)
{
    enum tw_status status = TW_OK;
    for (; status == TW_OK && r->top < y; r->top++)
        status = r->sink->row(r->sink->context, r->top, row_at(r, r->top), err);
    return status;
}

static void extend_to(struct reader *r, int32_t end)
{
    for (; r->end < end; r->end++)
        for (int32_t x = 0; x < r->mosaic->facts.width; x++)
            row_at(r, r->end)[x] = NAN;
}

/* The digest goes by name; the files were read by place. */
static struct tw_sha256 digest_all(const struct tw_mosaic *mosaic, const struct tw_sha256 *bytes,
                                   const struct tw_mosaic_tile **by_name)
{
    struct tw_sha256_state state;
    for (int32_t i = 0; i < mosaic->count; i++)
        by_name[mosaic->tiles[i].number] = &mosaic->tiles[i];
    tw_sha256_begin(&state);
    for (int32_t i = 0; i < mosaic->count; i++)
        tw_mosaic_add_digest(&state, by_name[i], &bytes[i]);
    return tw_sha256_end(&state);
}

static enum tw_status read_all(struct reader *r, struct tw_sha256 *digests, struct tw_error *err)
{
    const struct tw_mosaic *mosaic = r->mosaic;
    enum tw_status status = r->sink->begin(r->sink->context, &mosaic->facts, err);
    for (int32_t i = 0; status == TW_OK && i < mosaic->count; i++) {
        r->tile = &mosaic->tiles[i];
        status = give_until(r, r->tile->y, err);
        extend_to(r, r->tile->y + r->tile->facts.height);
        if (status == TW_OK)
            status = read_tile(r, &digests[r->tile->number], err);
    }
    return status == TW_OK ? give_until(r, mosaic->facts.height, err) : status;
}

enum tw_status tw_mosaic_read_rows(const struct tw_mosaic *mosaic, const struct tw_row_sink *sink,
                                   struct tw_sha256 *digest, struct tw_error *err)
{
    const size_t row = (size_t)mosaic->facts.width * sizeof(float);
    struct reader reader = {.mosaic = mosaic, .sink = sink};
    struct tw_sha256 *digests = calloc((size_t)mosaic->count, sizeof *digests);
    const struct tw_mosaic_tile **order = calloc((size_t)mosaic->count, sizeof *order);
    reader.cells = malloc((size_t)mosaic->window * row);
    enum tw_status status = digests && order && reader.cells
                                ? read_all(&reader, digests, err)
                                : tw_error_set(err, TW_MEMORY, "out of memory");
    if (status == TW_OK && digest)
        *digest = digest_all(mosaic, digests, order);
    free(reader.cells);
    free(digests);
    free(order);
    return status;
}
