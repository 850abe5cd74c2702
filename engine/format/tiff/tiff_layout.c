/* SPDX-License-Identifier: MIT */
/* Chooses the samples of a TIFF to read, and checks what a reader must not ignore: gaps, masks,
 * scales. */
#include "format/tiff/tiff_layout.h"

#include "base/text/number.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { TAG_NO_DATA = 42113 }; /* GDAL's: a number as text */

/* Returns the samples of a pixel, excluding transparency. */
static int count_opaque(TIFF *tiff, const struct tw_tiff_layout *layout)
{
    uint16_t count = 0, *kinds = NULL;
    int opaque = layout->samples;
    if (TIFFGetField(tiff, TIFFTAG_EXTRASAMPLES, &count, &kinds) == 1 && kinds)
        for (int i = 0; i < count; i++)
            opaque -= kinds[i] == EXTRASAMPLE_ASSOCALPHA || kinds[i] == EXTRASAMPLE_UNASSALPHA;
    return opaque;
}

/* libtiff converts a JPEG's brightness and differences to red, green and blue. */
static bool is_rgb(TIFF *tiff, uint16_t photometric)
{
    uint16_t compression = COMPRESSION_NONE;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_COMPRESSION, &compression);
    return photometric == PHOTOMETRIC_RGB ||
           (photometric == PHOTOMETRIC_YCBCR && compression == COMPRESSION_JPEG &&
            TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB) == 1);
}

static enum tw_status choose_band(struct tw_tiff_layout *layout, int32_t band, struct tw_error *err)
{
    layout->wanted = 1;
    layout->first = band - 1;
    if (band <= layout->samples)
        return TW_OK;
    return tw_error_set(err, TW_INPUT, "the .tif has %d band%s; there is no band %d",
                        (int)layout->samples, layout->samples == 1 ? "" : "s", (int)band);
}

static enum tw_status choose_samples(TIFF *tiff, int32_t band, struct tw_tiff_layout *layout,
                                     struct tw_error *err)
{
    uint16_t photometric = PHOTOMETRIC_MINISBLACK, planes = PLANARCONFIG_CONTIG;
    TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &photometric);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_PLANARCONFIG, &planes);
    layout->separate = planes == PLANARCONFIG_SEPARATE && layout->samples > 1;
    layout->wanted = layout->samples >= 3 && is_rgb(tiff, photometric) ? 3 : 1;
    if (photometric == PHOTOMETRIC_MINISWHITE)
        return tw_error_set(err, TW_INPUT,
                            "the .tif has 0 for white; expected 0 to be the lowest height");
    if (band > 0)
        return choose_band(layout, band, err);
    if (layout->wanted == 1 && count_opaque(tiff, layout) != 1) {
        tw_error_set(err, TW_INPUT,
                     "the .tif has %d channels; expected one, or red, green and blue",
                     (int)layout->samples);
        if (err)
            snprintf(err->hint, sizeof err->hint, "band: of source.heightmap chooses one");
        return TW_INPUT;
    }
    if (photometric != PHOTOMETRIC_PALETTE)
        return TW_OK;
    uint16_t **palette = layout->palette;
    if (layout->format != SAMPLEFORMAT_UINT || layout->bits > 16 ||
        TIFFGetField(tiff, TIFFTAG_COLORMAP, &palette[0], &palette[1], &palette[2]) != 1)
        return tw_error_set(err, TW_INPUT, "damaged .tif: a palette without colours");
    return TW_OK;
}

static enum tw_status check_orientation(TIFF *tiff, struct tw_error *err)
{
    uint16_t orientation = ORIENTATION_TOPLEFT;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_ORIENTATION, &orientation);
    if (orientation == ORIENTATION_TOPLEFT)
        return TW_OK;
    return tw_error_set(err, TW_INPUT,
                        "the .tif has orientation %d; expected 1, rows from north to south",
                        (int)orientation);
}

/* Refuses a file with a mask of valid cells, which is a separate picture anywhere behind the
 * heights. */
static enum tw_status check_mask(TIFF *tiff, const struct tw_tiff_stream *stream)
{
    const int pictures_max = 64; /* more than the reduced copies of any map, each with a mask */
    uint32_t kind = 0;
    for (int i = 0; i < pictures_max && !(kind & FILETYPE_MASK) && TIFFReadDirectory(tiff); i++)
        TIFFGetFieldDefaulted(tiff, TIFFTAG_SUBFILETYPE, &kind);
    if (kind & FILETYPE_MASK)
        return tw_error_set(stream->err, TW_INPUT,
                            "the .tif has a mask of cells that count; expected heights everywhere: "
                            "gdal_fillnodata.py fills gaps, gdal_translate -mask none leaves the "
                            "mask out");
    return tw_tiff_end(stream, TIFFSetDirectory(tiff, 0), stream->err);
}

static enum tw_status check_numbers(const struct tw_tiff_layout *layout, struct tw_error *err)
{
    const int bits = layout->bits;
    const bool is_float = layout->format == SAMPLEFORMAT_IEEEFP;
    if (is_float ? bits == 16 || bits == 32 || bits == 64
                 : layout->format <= SAMPLEFORMAT_INT && (bits == 8 || bits == 16 || bits == 32))
        return TW_OK;
    return tw_error_set(err, TW_INPUT,
                        "a .tif of %d bits, sample format %d; expected floats of 16, 32 or 64 "
                        "bits and integers of 8, 16 or 32",
                        bits, (int)layout->format);
}

/* The least float takes 48 characters in full. */
static bool read_no_data(TIFF *tiff, double *number)
{
    char text[64] = "";
    uint32_t count = 1;
    const char *at = tw_tiff_values(tiff, TAG_NO_DATA, TIFF_ASCII, &count);
    if (!at || count >= sizeof text)
        return false;
    memcpy(text, at, count);
    for (size_t length = strlen(text); length > 0 && text[length - 1] == ' ';)
        text[--length] = '\0'; /* some programs pad it */
    if (strcasecmp(text, "nan") == 0)
        *number = NAN;
    return isnan(*number) || tw_number_parse(text, number);
}

/* Returns how many bytes a byte of the file can expand to at most: runs of 128 by 2 bytes, strings
 * of 4096 by 12 bits, deflate as in PNG. Other methods have no bound worth checking. */
static uint64_t ratio_of(uint16_t compression)
{
    switch (compression) {
    case COMPRESSION_NONE:
        return 1;
    case COMPRESSION_PACKBITS:
        return 64;
    case COMPRESSION_DEFLATE:
    case COMPRESSION_ADOBE_DEFLATE:
        return 1032;
    case COMPRESSION_LZW:
        return 2731;
    default:
        return UINT32_MAX;
    }
}

/* libtiff notices this late, and would call the file damaged. */
static enum tw_status check_compression(TIFF *tiff, struct tw_error *err)
{
    uint16_t compression = COMPRESSION_NONE;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_COMPRESSION, &compression);
    if (TIFFIsCODECConfigured(compression))
        return TW_OK;
    const TIFFCodec *codec = TIFFFindCODEC(compression);
    return tw_error_set(err, TW_INPUT,
                        "a .tif compressed by %s (%d), which is not supported; expected another "
                        "compression, as Deflate",
                        codec ? codec->name : "another method", (int)compression);
}

/* Refuses a small file that claims a large map, before anything is allocated for it. */
static enum tw_status check_length(TIFF *tiff, const struct tw_tiff_layout *layout, uint64_t length,
                                   struct tw_error *err)
{
    uint16_t compression = COMPRESSION_NONE;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_COMPRESSION, &compression);
    uint64_t bytes =
        (uint64_t)layout->width * (uint64_t)layout->height * (layout->bits / 8u) * layout->samples;
    if (bytes / ratio_of(compression) <= length)
        return TW_OK;
    return tw_error_set(err, TW_INPUT, "damaged .tif: %" PRIu64 " bytes cannot hold %d x %d cells",
                        length, (int)layout->width, (int)layout->height);
}

/* Gaps and masks decide which heights count, transparency which colours. */
static enum tw_status check_heights(TIFF *tiff, const struct tw_tiff_stream *stream,
                                    struct tw_tiff_layout *layout)
{
    if (tw_tiff_facts(layout).type == TW_IMAGE)
        return TW_OK;
    layout->has_no_data = read_no_data(tiff, &layout->no_data);
    layout->metres = tw_tiff_height_unit(tiff);
    enum tw_status status =
        tw_tiff_read_scale(tiff, layout->first, &layout->scale, &layout->offset, stream->err);
    return status == TW_OK ? check_mask(tiff, stream) : status;
}

enum tw_status tw_tiff_read_layout(TIFF *tiff, const struct tw_tiff_stream *stream, uint64_t length,
                                   struct tw_tiff_layout *layout)
{
    struct tw_error *err = stream->err;
    uint32_t width = 0, height = 0;
    const struct tw_file_wish wish = stream->source ? stream->source->wish : stream->in->wish;
    *layout = (struct tw_tiff_layout){.samples = 1,
                                      .format = SAMPLEFORMAT_UINT,
                                      .gaps = wish.gaps,
                                      .counts = wish.counts,
                                      .scale = 1};
    TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &width);
    TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &height);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_BITSPERSAMPLE, &layout->bits);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLEFORMAT, &layout->format);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLESPERPIXEL, &layout->samples);
    if (width < 1 || height < 1 || width > TW_SIDE_MAX || height > TW_SIDE_MAX)
        return tw_error_set(err, TW_INPUT, "the .tif has sides beyond 1 to %d", TW_SIDE_MAX);
    layout->width = (int32_t)width;
    layout->height = (int32_t)height;
    layout->tiled = TIFFIsTiled(tiff);
    enum tw_status status = check_compression(tiff, err);
    if (status == TW_OK)
        status = check_numbers(layout, err);
    if (status == TW_OK)
        status = choose_samples(tiff, wish.band, layout, err);
    if (status == TW_OK)
        status = check_orientation(tiff, err);
    if (status == TW_OK)
        status = tw_tiff_check_mirrored(tiff, err);
    if (status == TW_OK)
        status = check_length(tiff, layout, length, err);
    return status == TW_OK ? check_heights(tiff, stream, layout) : status;
}

struct tw_file_facts tw_tiff_facts(const struct tw_tiff_layout *layout)
{
    const bool image = layout->wanted == 3 || layout->palette[0];
    const bool bytes = layout->bits == 8 && layout->format == SAMPLEFORMAT_UINT;
    return (struct tw_file_facts){.type = image ? TW_IMAGE : TW_HEIGHTMAP,
                                  .width = layout->width,
                                  .height = layout->height,
                                  .deep = layout->wanted == 3 && !bytes,
                                  .may_have_gaps = layout->has_no_data,
                                  .metres = layout->metres};
}
