/* SPDX-License-Identifier: MIT */
/* The control map of Terrain3D: 32 bits a cell that name two textures and how they blend, held in a
 * float32 OpenEXR bit for bit. Some patterns are those of a NaN or a subnormal number, so cells go
 * through no float arithmetic and no check for finite numbers.
 * Source: Terrain3D's page "Control map format". */
#include "format/notes.h"

enum {
    TEXTURES = 32,
    BASE_SHIFT = 27,
    OVERLAY_SHIFT = 22,
    BLEND_SHIFT = 14, /* then the UV's angle and scale, four reserved bits */
    HOLE_SHIFT = 2    /* then navigation and the automatic shader */
};

#ifdef TW_WITH_EXR
#include "format/exr/exr_stream.h"

static float weight_at(const struct tw_encoding *encoding, int32_t mask, size_t cell)
{
    const float weight = tw_floats(encoding->values[mask])[cell];
    return weight > 0 ? weight : 0;
}

/* Names the two strongest masks; of equal ones the first. The blend is the second's share of
 * both. */
static uint32_t textures_at(const struct tw_encoding *encoding, int32_t count, size_t cell)
{
    int32_t base = 0, overlay = count > 1 ? 1 : 0;
    float most = weight_at(encoding, 0, cell), second = -1;
    for (int32_t i = 1; i < count; i++) {
        const float weight = weight_at(encoding, i, cell);
        if (weight > most) {
            overlay = base;
            second = most;
            base = i;
            most = weight;
        } else if (weight > second) {
            overlay = i;
            second = weight;
        }
    }
    const double share = second > 0 ? (double)second / ((double)most + (double)second) : 0;
    return (uint32_t)base << BASE_SHIFT | (uint32_t)overlay << OVERLAY_SHIFT |
           (uint32_t)(share * 255 + 0.5) << BLEND_SHIFT;
}

static void fill(const struct tw_encoding *encoding, int32_t y, void *row)
{
    const int32_t width = encoding->values[0]->width, count = tw_encoding_listed(encoding);
    const struct tw_value *holes = tw_encoding_part(encoding, 0);
    uint32_t *bits = row;
    for (int32_t x = 0; x < width; x++) {
        const size_t cell = (size_t)y * (size_t)width + (size_t)x;
        const bool hole = holes && tw_floats(holes)[cell] >= 0.5f;
        bits[x] = textures_at(encoding, count, cell) | (uint32_t)hole << HOLE_SHIFT;
    }
}

static bool reread(const struct tw_encoding *encoding, int32_t y, void *row)
{
    fill(encoding, y, row);
    return true;
}

extern const struct tw_format tw_format_control;
static enum tw_status encode(const struct tw_encoding *encoding, struct tw_bytes *out,
                             struct tw_error *err)
{
    const struct tw_exr_rows rows = {.part = TW_EXR_CONTROL_PART,
                                     .channel = "R",
                                     .width = encoding->values[0]->width,
                                     .height = encoding->values[0]->height,
                                     .fill = fill,
                                     .encoding = encoding};
    struct tw_notes notes;
    enum tw_status status = tw_notes_make(&tw_format_control, encoding, &notes, err);
    return status == TW_OK ? tw_exr_write(&rows, &notes, out, err) : status;
}
#endif

static const struct tw_format_part parts[] = {
    {"holes", TW_TYPE_BIT(TW_MASK), true, "a mask: cells of 0.5 or more are holes"},
    {.name = NULL},
};

extern const struct tw_format tw_format_control;
const struct tw_format tw_format_control = {
    .ending = ".exr",
    .help = "several masks with `for: terrain3d`: its control map, of up to 32 textures and a mask "
            "of `holes`",
    .several = TW_TYPE_BIT(TW_MASK),
    .several_max = TEXTURES,
    .parts = parts,
    .samples = "uint32 in the bits of a float32",
    .only_for = "terrain3d",
    .noted = true,
    /* For locks. Files are recognised as .exr, whose reader knows them by their part. */
    .magic = "\x76\x2f\x31\x01",
    .magic_length = 4,
#ifdef TW_WITH_EXR
    .encode = encode,
    .reread = reread,
    .rereads = TW_LABELS,
    .decode = tw_exr_decode,
#else
    .lacks = "OpenEXRCore (libopenexr-dev in Debian)",
#endif
};
