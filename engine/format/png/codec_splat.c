/* SPDX-License-Identifier: MIT */
/* Packs masks into the channels of colour PNGs, four a file, or into a grey PNG each: how much of
 * each material a game paints. The weights of a cell are scaled to the sum 255 over all masks and
 * rounded by largest remainder, so that they sum to exactly 255; if all masks are 0 the first
 * material gets everything. Colours are never premultiplied by alpha. */
#include "format/notes.h"
#include "format/png/png_private.h"

#include <string.h>

enum { CHANNELS = 4, FULL = 255, MASKS_MAX = 64 };

static void quantise(const double *weights, int count, unsigned char *levels)
{
    double sum = 0, rest[MASKS_MAX];
    int left = FULL;
    for (int i = 0; i < count; i++)
        sum += weights[i];
    for (int i = 0; i < count; i++) {
        double share = sum > 0 ? weights[i] / sum * FULL : i == 0 ? FULL : 0;
        levels[i] = (unsigned char)share;
        rest[i] = share - levels[i];
        left -= levels[i];
    }
    while (left-- > 0) { /* fewer than `count` levels remain; ties go to the first */
        int most = 0;
        for (int i = 1; i < count; i++)
            most = rest[i] > rest[most] ? i : most;
        levels[most]++;
        rest[most] = -1;
    }
}

/* Returns how many masks a colour file holds. */
static int masks_of(const struct tw_encoding *encoding)
{
    const int masks = encoding->taken > 0 ? encoding->taken : encoding->count;
    return masks < CHANNELS ? masks : CHANNELS;
}

/* Returns the channels of a colour file. */
static int channels_of(const struct tw_encoding *encoding)
{
    const int masks = masks_of(encoding);
    return masks < 3 ? 3 : masks;
}

/* Gets the levels of the first masks of this file in a cell. */
static void levels_at(const struct tw_encoding *encoding, size_t cell, int masks,
                      unsigned char *levels)
{
    double weights[MASKS_MAX];
    unsigned char all[MASKS_MAX];
    for (int i = 0; i < encoding->count; i++) {
        const float share = tw_floats(encoding->values[i])[cell];
        weights[i] = share > 0 ? (double)share : 0;
    }
    quantise(weights, encoding->count, all);
    memcpy(levels, all + encoding->first, (size_t)masks);
}

static bool fill_row(void *context, int32_t y, unsigned char *row)
{
    const struct tw_encoding *encoding = context;
    const int32_t width = encoding->values[0]->width;
    const int channels = channels_of(encoding);
    memset(row, 0, (size_t)width * (size_t)channels);
    for (int32_t x = 0; x < width; x++, row += channels)
        levels_at(encoding, (size_t)y * (size_t)width + (size_t)x, masks_of(encoding), row);
    return true;
}

static bool fill_layer(void *context, int32_t y, unsigned char *row)
{
    const struct tw_encoding *encoding = context;
    const int32_t width = encoding->values[0]->width;
    for (int32_t x = 0; x < width; x++)
        levels_at(encoding, (size_t)y * (size_t)width + (size_t)x, 1, row + x);
    return true;
}

/* Readers of pictures drop the fourth level. */
static bool reread(const struct tw_encoding *encoding, int32_t y, void *row)
{
    const int32_t width = encoding->values[0]->width;
    unsigned char *pixel = row;
    for (int32_t x = 0; x < width; x++, pixel += 3) {
        unsigned char levels[CHANNELS] = {0};
        levels_at(encoding, (size_t)y * (size_t)width + (size_t)x, masks_of(encoding), levels);
        memcpy(pixel, levels, 3);
    }
    return true;
}

static bool reread_layer(const struct tw_encoding *encoding, int32_t y, void *row)
{
    const int32_t width = encoding->values[0]->width;
    float *cells = row;
    for (int32_t x = 0; x < width; x++) {
        unsigned char level;
        levels_at(encoding, (size_t)y * (size_t)width + (size_t)x, 1, &level);
        cells[x] = (float)level / FULL;
    }
    return true;
}

static struct tw_png_rows rows_of(const struct tw_encoding *encoding, bool is_layer)
{
    return (struct tw_png_rows){.width = encoding->values[0]->width,
                                .height = encoding->values[0]->height,
                                .channels = is_layer ? 1 : channels_of(encoding),
                                .bits = 8,
                                .fill = is_layer ? fill_layer : fill_row,
                                .context = (void *)encoding,
                                .workers = encoding->workers};
}

static uint64_t bytes(const struct tw_encoding *encoding, int32_t threads)
{
    const struct tw_png_rows rows = rows_of(encoding, false);
    return tw_png_encode_bytes(&rows, threads);
}

static uint64_t layer_bytes(const struct tw_encoding *encoding, int32_t threads)
{
    const struct tw_png_rows rows = rows_of(encoding, true);
    return tw_png_encode_bytes(&rows, threads);
}

extern const struct tw_format tw_format_splat, tw_format_layer;
static enum tw_status encode_as(const struct tw_format *format, const struct tw_encoding *encoding,
                                struct tw_bytes *out, struct tw_error *err)
{
    struct tw_notes notes;
    enum tw_status status = tw_notes_make(format, encoding, &notes, err);
    if (status != TW_OK)
        return status;
    struct tw_png_rows rows = rows_of(encoding, format == &tw_format_layer);
    tw_notes_to_png(&notes, &rows);
    return tw_png_encode_rows(&rows, out, err);
}

static enum tw_status encode(const struct tw_encoding *encoding, struct tw_bytes *out,
                             struct tw_error *err)
{
    return encode_as(&tw_format_splat, encoding, out, err);
}

static enum tw_status encode_layer(const struct tw_encoding *encoding, struct tw_bytes *out,
                                   struct tw_error *err)
{
    return encode_as(&tw_format_layer, encoding, out, err);
}

const struct tw_format tw_format_splat = {
    .ending = ".png",
    .help =
        "several masks in `from`: a splat map, a mask a channel and four a file; the weights of "
        "a pixel sum to 255 over all",
    .several = TW_TYPE_BIT(TW_MASK),
    .several_max = MASKS_MAX,
    .file_max = CHANNELS,
    .channels = "R G B A",
    .noted = true,
    .encode = encode,
    .bytes = bytes,
    .reread = reread,
    .rereads = TW_IMAGE,
    /* For locks: colours, which imply the fourth weight. Files are recognised as .png. */
    .magic = "\x89PNG\r\n\x1a\n",
    .magic_length = 8,
    .decode = tw_png_decode,
};

const struct tw_format tw_format_layer = {
    .ending = ".png",
    .help = "several masks with `for: unreal`: a grey file of 8 bits a mask, the weights of its "
            "layer; they sum to 255 over all",
    .several = TW_TYPE_BIT(TW_MASK),
    .several_max = MASKS_MAX,
    .file_max = 1,
    .by_name = true,
    .only_for = "unreal",
    .noted = true,
    .encode = encode_layer,
    .bytes = layer_bytes,
    .reread = reread_layer,
    .magic = "\x89PNG\r\n\x1a\n",
    .magic_length = 8,
    .decode = tw_png_decode,
};
