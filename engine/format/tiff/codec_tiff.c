/* SPDX-License-Identifier: MIT */
/* TIFF by libtiff: float32 heights in strips or tiles, with the tags of GeoTIFF 1.1 (OGC 19-008r4)
 * if the world gives the map's place; tiff_write.c writes and tiff_read.c reads. In a build without
 * the library the row remains and reports what is missing. */
#include "format/format.h"

struct options {
    bool metres;
    bool tiled;
};
static const struct tw_param options[] = {
    TW_METRES_OPTION(struct options),
    TW_PARAM_BOOL(
        struct options, tiled, false,
        "tiles of 256 x 256 cells instead of strips; not for Blender, which misreads them"),
    TW_PARAM_END,
};

#ifdef TW_WITH_TIFF
#include "format/notes.h"
#include "format/tiff/tiff_stream.h"

#include <string.h>

float tw_tiff_unit(const struct tw_encoding *encoding)
{
    const struct options *o = encoding->options;
    return tw_codec_unit(encoding, o->metres);
}

bool tw_tiff_is_tiled(const struct tw_encoding *encoding)
{
    const struct options *o = encoding->options;
    return o->tiled;
}

static void read_notes(const unsigned char *data, size_t length, struct tw_notes *notes)
{
    const struct tw_codec_head head = {.at = data, .length = length, .file_length = length};
    struct tw_error ignored;
    struct tw_tiff_stream stream = {.in = &head, .err = &ignored};
    TIFF *tiff = tw_tiff_open(&stream, "rm");
    const char *text = NULL;
    if (tiff && TIFFGetField(tiff, TIFFTAG_IMAGEDESCRIPTION, &text) == 1 && text)
        while (*text) {
            size_t line = strcspn(text, "\n"), name = strcspn(text, ":");
            if (name + 2 <= line)
                tw_notes_keep(notes, text, name, text + name + 2, line - name - 2);
            text += line;
            text += *text == '\n';
        }
    if (tiff)
        TIFFClose(tiff);
}

static bool reread(const struct tw_encoding *encoding, int32_t y, void *row)
{
    tw_codec_scale_row(encoding->values[0], y, tw_tiff_unit(encoding), row);
    return true;
}
#endif

extern const struct tw_format tw_format_tiff;
const struct tw_format tw_format_tiff = {
    .ending = ".tif",
    .also = ".tiff",
    .help = "float32 TIFF in strips; with `epsg` in `world:` a GeoTIFF",
    .types = TW_HEIGHTS,
    .physical = true,
    .noted = true,
    .options = options,
    .options_size = sizeof(struct options),
    .magic = "II*\0MM\0*II+\0MM\0+", /* either byte order, classic and BigTIFF */
    .magic_length = 4,
    .magic_count = 4,
#ifdef TW_WITH_TIFF
    .encode = tw_tiff_encode,
    .row_writer = &tw_tiff_row_writer,
    .reread = reread,
    .read_notes = read_notes,
    .decode = tw_tiff_decode,
    .read_rows = tw_tiff_read,
    .has_rows = tw_tiff_has_rows,
    .probe = tw_tiff_probe,
    .read_place = tw_tiff_read_place,
#else
    .lacks = "libtiff (libtiff-dev in Debian)",
#endif
};
