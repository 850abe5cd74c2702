/* SPDX-License-Identifier: MIT */
/* Chooses the channels of an OpenEXR file to read, and refuses files that the library decodes
 * wrongly, or that claim more than their length can hold. */
#include "format/exr/exr_picture.h"

#include <inttypes.h>
#include <string.h>

enum { CHANNELS_MAX = 4096 };

static enum tw_status refuse(struct tw_error *err, const char *found)
{
    return tw_error_set(err, TW_INPUT,
                        "%s; expected one part of scan lines or tiles with one channel, or one "
                        "named Y, height, Z or R, or R, G and B",
                        found);
}

static int find_channel(const exr_attr_chlist_t *list, const char *name)
{
    for (int i = 0; i < list->num_channels; i++)
        if (strcmp(list->entries[i].name.str, name) == 0)
            return i;
    return -1;
}

static bool take_channel(struct tw_exr_picture *picture, int channel)
{
    if (channel >= 0)
        picture->channels[picture->wanted++] = channel;
    return channel >= 0;
}

/* Chooses the first that exists: a channel named as heights, the only channel, red, green and blue,
 * or red alone. With `colours`, tries red, green and blue first. */
static bool choose_channels(struct tw_exr_picture *picture, const exr_attr_chlist_t *list,
                            bool colours)
{
    static const char *const names[] = {"Y", "height", "Z"};
    const int red = find_channel(list, "R"), green = find_channel(list, "G");
    const int blue = find_channel(list, "B");
    const bool coloured = red >= 0 && green >= 0 && blue >= 0;
    for (size_t n = 0; !(coloured && colours) && n < sizeof names / sizeof *names; n++)
        if (take_channel(picture, find_channel(list, names[n])))
            return true;
    if (list->num_channels == 1)
        return take_channel(picture, 0);
    if (coloured)
        return take_channel(picture, red) && take_channel(picture, green) &&
               take_channel(picture, blue);
    return green < 0 && blue < 0 && take_channel(picture, red);
}

/* Refuses subsampled channels, even unread ones: they shift all later channels. */
static enum tw_status check_channels(struct tw_exr_picture *picture, const exr_attr_chlist_t *list,
                                     struct tw_error *err)
{
    if (list->num_channels > CHANNELS_MAX)
        return tw_error_set(err, TW_INPUT, "an .exr of %d channels; expected %d at most",
                            list->num_channels, CHANNELS_MAX);
    for (int i = 0; i < list->num_channels; i++) {
        const exr_attr_chlist_entry_t *entry = &list->entries[i];
        if (entry->x_sampling != 1 || entry->y_sampling != 1)
            return refuse(err, "an .exr with a subsampled channel");
        picture->pixel_bytes += entry->pixel_type == EXR_PIXEL_HALF ? 2 : 4;
    }
    return TW_OK;
}

/* Returns whether blocks of 4 x 4 halves in 14 bytes make a chunk smaller. */
static bool is_packed(int32_t wide, int32_t high)
{
    const int64_t blocks = ((int64_t)wide + 3) / 4 * (((int64_t)high + 3) / 4);
    return 14 * blocks < 2 * (int64_t)wide * high;
}

/* Returns whether such blocks make every chunk smaller, including those at the east and south
 * borders. */
static bool all_packed(const struct tw_exr_picture *picture)
{
    const int32_t wide = picture->wide, high = picture->high;
    const int32_t last_wide = picture->width % wide ? picture->width % wide : wide;
    const int32_t last_high = picture->height % high ? picture->height % high : high;
    return is_packed(wide, high) && is_packed(last_wide, high) && is_packed(wide, last_high) &&
           is_packed(last_wide, last_high);
}

static enum tw_status refuse_b44(struct tw_error *err, const char *found)
{
    return tw_error_set(err, TW_INPUT,
                        "an .exr compressed by B44 %s, which is not supported; expected another "
                        "compression, as ZIP",
                        found);
}

/* OpenEXRCore 3.1 decodes B44 wrongly if one of several channels is not of halves, or a chunk is
 * too small for it. DWA is lossy, by sums whose order depends on the processor, and is missing from
 * some versions of the library. */
static enum tw_status check_compression(const struct tw_exr_picture *picture,
                                        exr_compression_t compression,
                                        const exr_attr_chlist_t *list, struct tw_error *err)
{
    const bool b44 = compression == EXR_COMPRESSION_B44 || compression == EXR_COMPRESSION_B44A;
    const bool halves = picture->pixel_bytes == 2 * (uint64_t)list->num_channels;
    if (b44 && !halves && list->num_channels > 1)
        return refuse_b44(err, "with several channels, not all of half floats");
    if (b44 && halves && !all_packed(picture))
        return refuse_b44(err, "in chunks of few cells");
    if ((int)compression >= EXR_COMPRESSION_NONE && compression <= EXR_COMPRESSION_B44A)
        return TW_OK;
    return tw_error_set(
        err, TW_INPUT,
        "an .exr compressed by %s (%d), which is not supported; expected none, RLE, "
        "ZIPS, ZIP, PIZ, PXR24, B44 or B44A",
        compression == EXR_COMPRESSION_DWAA   ? "DWAA"
        : compression == EXR_COMPRESSION_DWAB ? "DWAB"
                                              : "another method",
        (int)compression);
}

/* Returns how many bytes a byte of the file can expand to at most: runs of 128 by 2 bytes; deflate
 * as in PNG, of 3 bytes a float with PXR24; runs of Huffman codes. */
static uint64_t ratio_of(exr_compression_t compression)
{
    switch (compression) {
    case EXR_COMPRESSION_NONE:
        return 1;
    case EXR_COMPRESSION_RLE:
        return 64;
    case EXR_COMPRESSION_B44:
    case EXR_COMPRESSION_B44A:
        return 16;
    default:
        return 2064;
    }
}

/* Refuses a small file that claims a large map, before anything is allocated for it. */
static enum tw_status check_length(const struct tw_exr_picture *picture,
                                   exr_compression_t compression, uint64_t length,
                                   struct tw_error *err)
{
    const uint64_t cells = (uint64_t)picture->width * (uint64_t)picture->height;
    if (cells * picture->pixel_bytes / ratio_of(compression) <= length)
        return TW_OK;
    return tw_error_set(err, TW_INPUT, "damaged .exr: %" PRIu64 " bytes cannot hold %d x %d cells",
                        length, (int)picture->width, (int)picture->height);
}

static enum tw_status read_sides(struct tw_exr_picture *picture, struct tw_error *err)
{
    const exr_attr_box2i_t *window = &picture->window;
    const int64_t width = (int64_t)window->max.x - window->min.x + 1;
    const int64_t height = (int64_t)window->max.y - window->min.y + 1;
    if (width < 1 || height < 1 || width > TW_SIDE_MAX || height > TW_SIDE_MAX)
        return tw_error_set(err, TW_INPUT, "the .exr has sides beyond 1 to %d", TW_SIDE_MAX);
    picture->width = (int32_t)width;
    picture->height = (int32_t)height;
    return TW_OK;
}

/* Reads the sides of a chunk. */
static exr_result_t read_chunk_sides(struct tw_exr_picture *picture)
{
    exr_tile_level_mode_t levels;
    exr_tile_round_mode_t rounding;
    uint32_t wide = (uint32_t)picture->width, high = 0;
    int32_t lines = 0;
    exr_result_t code;
    if (picture->storage == EXR_STORAGE_TILED) {
        code = exr_get_tile_descriptor(picture->file, 0, &wide, &high, &levels, &rounding);
    } else {
        code = exr_get_scanlines_per_chunk(picture->file, 0, &lines);
        high = lines > 0 ? (uint32_t)lines : 0;
    }
    if (code == EXR_ERR_SUCCESS && (wide < 1 || high < 1))
        return EXR_ERR_INVALID_ATTR;
    picture->wide = wide < (uint32_t)picture->width ? (int32_t)wide : picture->width;
    picture->high = high < (uint32_t)picture->height ? (int32_t)high : picture->height;
    return code;
}

static exr_result_t read_header(struct tw_exr_picture *picture, int *parts,
                                exr_compression_t *compression, const exr_attr_chlist_t **list)
{
    exr_result_t code = exr_get_count(picture->file, parts);
    if (code == EXR_ERR_SUCCESS)
        code = exr_get_storage(picture->file, 0, &picture->storage);
    if (code == EXR_ERR_SUCCESS)
        code = exr_get_data_window(picture->file, 0, &picture->window);
    if (code == EXR_ERR_SUCCESS)
        code = exr_get_compression(picture->file, 0, compression);
    return code == EXR_ERR_SUCCESS ? exr_get_channels(picture->file, 0, list) : code;
}

/* Returns whether it is a control map as codec_control.c writes it. */
static bool is_control(const struct tw_exr_picture *picture, const exr_attr_chlist_t *list)
{
    const char *part = NULL;
    return picture->wanted == 1 && list->num_channels == 1 &&
           list->entries[0].pixel_type == EXR_PIXEL_FLOAT &&
           exr_get_name(picture->file, 0, &part) == EXR_ERR_SUCCESS && part &&
           strcmp(part, TW_EXR_CONTROL_PART) == 0;
}

static enum tw_status read_layout(struct tw_exr_picture *picture,
                                  const struct tw_exr_stream *stream, bool colours)
{
    struct tw_error *err = stream->err;
    const exr_attr_chlist_t *list = NULL;
    exr_compression_t compression = EXR_COMPRESSION_NONE;
    int parts = 0;
    exr_result_t code = read_header(picture, &parts, &compression, &list);
    if (code != EXR_ERR_SUCCESS)
        return tw_exr_end(stream, code, err);
    if (parts != 1)
        return refuse(err, "an .exr of several parts");
    if (picture->storage != EXR_STORAGE_SCANLINE && picture->storage != EXR_STORAGE_TILED)
        return refuse(err, "a deep .exr");
    if (!choose_channels(picture, list, colours))
        return refuse(err, "an .exr of several channels, none of which is known");
    picture->control = is_control(picture, list);
    enum tw_status status = check_channels(picture, list, err);
    if (status == TW_OK)
        status = read_sides(picture, err);
    if (status == TW_OK)
        status = tw_exr_end(stream, read_chunk_sides(picture), err);
    if (status == TW_OK)
        status = check_compression(picture, compression, list, err);
    return status == TW_OK ? check_length(picture, compression, tw_exr_length(stream), err)
                           : status;
}

enum tw_status tw_exr_open(struct tw_exr_picture *picture, struct tw_exr_stream *stream,
                           bool colours)
{
    exr_context_initializer_t set = tw_exr_set_up(stream);
    set.flags = EXR_CONTEXT_FLAG_DISABLE_CHUNK_RECONSTRUCTION;
    *picture = (struct tw_exr_picture){0};
    exr_result_t code = exr_start_read(&picture->file, "input.exr", &set);
    enum tw_status status = tw_exr_end(stream, code, stream->err);
    stream->exact = true;
    return status == TW_OK ? read_layout(picture, stream, colours) : status;
}

struct tw_file_facts tw_exr_facts(const struct tw_exr_picture *picture)
{
    const bool coloured = picture->wanted == 3;
    return (struct tw_file_facts){.type = coloured           ? TW_IMAGE
                                          : picture->control ? TW_LABELS
                                                             : TW_HEIGHTMAP,
                                  .width = picture->width,
                                  .height = picture->height,
                                  .deep = coloured,
                                  .may_be_grey = coloured};
}

void tw_exr_read_notes(const unsigned char *data, size_t length, struct tw_notes *notes)
{
    const struct tw_codec_head head = {.at = data, .length = length, .file_length = length};
    struct tw_error ignored;
    struct tw_exr_stream stream = {.in = &head, .err = &ignored};
    struct tw_exr_picture picture;
    int count = 0;
    if (tw_exr_open(&picture, &stream, false) == TW_OK &&
        exr_get_attribute_count(picture.file, 0, &count) == EXR_ERR_SUCCESS)
        for (int i = 0; i < count; i++) {
            const exr_attribute_t *attribute = NULL;
            if (exr_get_attribute_by_index(picture.file, 0, EXR_ATTR_LIST_FILE_ORDER, i,
                                           &attribute) == EXR_ERR_SUCCESS &&
                attribute->type == EXR_ATTR_STRING && attribute->string->length >= 0)
                tw_notes_keep(notes, attribute->name, strlen(attribute->name),
                              attribute->string->str, (size_t)attribute->string->length);
        }
    if (picture.file)
        exr_finish(&picture.file);
}
