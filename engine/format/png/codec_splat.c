/* SPDX-License-Identifier: MIT */
/* Packs up to four masks into the channels of one colour PNG: how much of each material a game
 * paints. The weights of a cell are scaled to the sum 255 and rounded by largest remainder, so that
 * every pixel sums to exactly 255; if all masks are 0 the first material gets everything. Colours
 * are never premultiplied by alpha. */
#include "format/notes.h"
#include "format/png/png_private.h"

#include <string.h>

enum { CHANNELS = 4, FULL = 255 };

static void quantise(const double *weights, int count, unsigned char *levels)
{
    double sum = 0, rest[CHANNELS];
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

static int channels_of(const struct tw_encoding *encoding)
{
    return encoding->count < 3 ? 3 : encoding->count;
}

static void levels_at(const struct tw_encoding *encoding, size_t cell, unsigned char *levels)
{
    double weights[CHANNELS] = {0};
    for (int i = 0; i < encoding->count; i++) {
        const float share = tw_floats(encoding->values[i])[cell];
        weights[i] = share > 0 ? (double)share : 0;
    }
    quantise(weights, channels_of(encoding), levels);
}

static bool fill_row(void *context, int32_t y, unsigned char *row)
{
    const struct tw_encoding *encoding = context;
    const int32_t width = encoding->values[0]->width;
    for (int32_t x = 0; x < width; x++, row += channels_of(encoding))
        levels_at(encoding, (size_t)y * (size_t)width + (size_t)x, row);
    return true;
}

/* Readers of pictures drop the fourth level. */
static bool reread(const struct tw_encoding *encoding, int32_t y, void *row)
{
    const int32_t width = encoding->values[0]->width;
    unsigned char *pixel = row, levels[CHANNELS];
    for (int32_t x = 0; x < width; x++, pixel += 3) {
        levels_at(encoding, (size_t)y * (size_t)width + (size_t)x, levels);
        memcpy(pixel, levels, 3);
    }
    return true;
}

static struct tw_png_rows rows_of(const struct tw_encoding *encoding)
{
    return (struct tw_png_rows){.width = encoding->values[0]->width,
                                .height = encoding->values[0]->height,
                                .channels = channels_of(encoding),
                                .bits = 8,
                                .fill = fill_row,
                                .context = (void *)encoding,
                                .workers = encoding->workers};
}

static uint64_t bytes(const struct tw_encoding *encoding, int32_t threads)
{
    const struct tw_png_rows rows = rows_of(encoding);
    return tw_png_encode_bytes(&rows, threads);
}

extern const struct tw_format tw_format_splat;
static enum tw_status encode(const struct tw_encoding *encoding, struct tw_bytes *out,
                             struct tw_error *err)
{
    struct tw_notes notes;
    enum tw_status status = tw_notes_make(&tw_format_splat, encoding, &notes, err);
    if (status != TW_OK)
        return status;
    struct tw_png_rows rows = rows_of(encoding);
    tw_notes_to_png(&notes, &rows);
    return tw_png_encode_rows(&rows, out, err);
}

const struct tw_format tw_format_splat = {
    .ending = ".png",
    .help = "several masks in `from`: a splat map, a mask a channel; every pixel sums to 255",
    .several = TW_TYPE_BIT(TW_MASK),
    .several_max = CHANNELS,
    .noted = true,
    .encode = encode,
    .bytes = bytes,
    .reread = reread,
    .rereads_colour = true,
    /* For locks: colours, which imply the fourth weight. Files are recognised as .png. */
    .magic = "\x89PNG\r\n\x1a\n",
    .magic_length = 8,
    .decode = tw_png_decode,
};
