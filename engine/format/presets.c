/* SPDX-License-Identifier: MIT */
/* Engines, one row each: sizes, formats, ranges, flips, tiles, and the numbers to type in. To add
 * one, add its row and its name at the end. Sources: the engines' manuals as quoted in
 * docs/engines; for Unreal's levels and sidecar also its LandscapeFileFormatRaw.cpp. */
#include "format/preset.h"

#include "base/text/number.h"

#include <stdio.h>

/* For a tile, `side_m` is the tile's own side. */
static double cell_of(const struct tw_encoding *encoding)
{
    return encoding->world->side_m / encoding->values[0]->width;
}

static double metres(const struct tw_encoding *encoding, double height)
{
    return height * encoding->world->height_m;
}

static void add_text(struct tw_advice *advice, const char *name, const char *text)
{
    advice->at[advice->count].name = name;
    advice->at[advice->count].number_count = 0;
    snprintf(advice->at[advice->count].text, sizeof advice->at[0].text, "%s", text);
    advice->count++;
}

static void keep_number(struct tw_advice *advice, const char *printed)
{
    const int last = advice->count - 1;
    double number = 0;
    (void)tw_number_parse(printed, &number);
    advice->at[last].numbers[advice->at[last].number_count++] = number;
}

static void add_number(struct tw_advice *advice, const char *name, double number)
{
    char text[32];
    tw_number_print_digits(text, sizeof text, 9, number);
    add_text(advice, name, text);
    keep_number(advice, text);
}

static void add_pair(struct tw_advice *advice, const char *name, double a, const char *between,
                     double b)
{
    char left[32], right[32], text[64];
    tw_number_print_digits(left, sizeof left, 9, a);
    tw_number_print_digits(right, sizeof right, 9, b);
    snprintf(text, sizeof text, "%s%s%s", left, between, right);
    add_text(advice, name, text);
    keep_number(advice, left);
    keep_number(advice, right);
}

/* ---- Unreal: level 32768 is the actor's own height, 128 levels a metre at scale 100 ---- */

/* Covers all of 0..1 exactly, with level 32768 at the sea: 32768 levels lie below it, 32767
 * above. */
static struct tw_range range_around_sea(const struct tw_world *world)
{
    const double sea = world->sea_level, below = (1 - sea) * 32768 / 32767;
    if (below > sea)
        return (struct tw_range){.low = sea - below, .high = 1};
    return (struct tw_range){.low = 0, .high = sea + sea * 32767 / 32768};
}

/* Scale 100 is 512 m over 65536 levels: metres of all levels x 100 x 0.001953125. The actor is
 * placed so that the sea has Z 0. */
static void advise_unreal(const struct tw_format *format, const struct tw_encoding *encoding,
                          struct tw_advice *advice)
{
    (void)format;
    const double level_m = metres(encoding, encoding->range.high - encoding->range.low) / 65535;
    add_number(advice, "Scale X", 100 * cell_of(encoding));
    add_number(advice, "Scale Y", 100 * cell_of(encoding));
    if (encoding->values[0]->type == TW_MASK)
        return;
    double centre =
        metres(encoding, encoding->range.low - encoding->world->sea_level) + 32768 * level_m;
    double offset = 100 * centre;
    add_number(advice, "Scale Z", level_m * 65536 * 100 * 0.001953125);
    add_number(advice, "Location Z", offset < 1e-6 && offset > -1e-6 ? 0 : offset);
}

static const int32_t unreal_sizes[] = {127, 253, 505, 1009, 2017, 4033, 8129, 0};
static const struct tw_preset_setting unreal_settings[] = {{".png", "bits", "16"},
                                                           {".r16", "flip", "false"},
                                                           {".raw", "flip", "false"},
                                                           {NULL, NULL, NULL}};

static const struct tw_preset unreal = {
    .name = "unreal",
    .help = "landscapes: sides of 127, 253, 505, 1009, 2017, 4033 or 8129; level 32768 at the "
            "sea; the sidecar of `name.r16` is `name.json`, which its importer reads. Masks "
            "become layers: 8-bit `.png`, and of a list a file each, whose weights sum to 255",
    .endings = ".png .r16 .raw",
    .mask_endings = ".png",
    .sizes = unreal_sizes,
    .settings = unreal_settings,
    .range = range_around_sea,
    .tiling = {.share_edge = true, .pattern = "_x%x%_y%y%"},
    .stem_sidecar = true,
    .advise = advise_unreal,
};

/* ---- Unity: a square of 2^n + 1, whose first row is the south ---- */

static void advise_unity(const struct tw_format *format, const struct tw_encoding *encoding,
                         struct tw_advice *advice)
{
    (void)format;
    const double extent = cell_of(encoding) * (encoding->values[0]->width - 1);
    add_text(advice, "Depth", "Bit 16");
    add_number(advice, "Resolution", encoding->values[0]->width);
    add_text(advice, "Byte Order", "Windows");
    add_text(advice, "Flip Vertically", "off");
    add_pair(advice, "Terrain Width, Length", extent, ", ", extent);
    add_number(advice, "Terrain Height",
               metres(encoding, encoding->range.high - encoding->range.low));
    add_number(advice, "Position Y",
               metres(encoding, encoding->range.low - encoding->world->sea_level));
}

static const int32_t unity_sizes[] = {33, 65, 129, 257, 513, 1025, 2049, 4097, 0};
static const struct tw_preset_setting unity_settings[] = {
    {".raw", "flip", "true"}, {".r16", "flip", "true"}, {NULL, NULL, NULL}};

static const struct tw_preset unity = {
    .name = "unity",
    .help = "terrains: squares of 33, 65, 129, 257, 513, 1025, 2049 or 4097; 16-bit levels, "
            "little-endian, rows from south to north",
    .endings = ".raw .r16",
    .sizes = unity_sizes,
    .square = true,
    .settings = unity_settings,
    .tiling = {.share_edge = true, .flip_y = true, .pattern = "_%x%_%y%"},
    .advise = advise_unity,
};

/* ---- Godot: a pixel is a metre, heights are metres. Godot 3 reads .exr as halves ---- */

static void advise_godot(const struct tw_format *format, const struct tw_encoding *encoding,
                         struct tw_advice *advice)
{
    add_number(advice, "Vertex Spacing", cell_of(encoding));
    if (format->ranged) {
        add_pair(advice, "R16 Range", metres(encoding, encoding->range.low), ", ",
                 metres(encoding, encoding->range.high));
        add_pair(advice, "R16 Size", encoding->values[0]->width, ", ", encoding->values[0]->height);
    }
    if (format->bare_bits == 32)
        add_pair(advice, "Size", encoding->values[0]->width, ", ", encoding->values[0]->height);
    add_number(advice, "Sea", metres(encoding, encoding->world->sea_level));
}

static const struct tw_preset_setting godot_settings[] = {
    {".exr", "metres", "true"}, {".r16", "flip", "false"},  {".raw", "flip", "false"},
    {".r32", "flip", "false"},  {".r32", "metres", "true"}, {NULL, NULL, NULL}};

static const struct tw_preset godot = {
    .name = "godot",
    .help = "Terrain3D and HTerrain: `.exr` in metres, or `.r16`. Godot 3 reads `.exr` as 16-bit "
            "floats; `.r32` in metres, and the levels of `.r16` and `.raw`, are exact in both",
    .endings = ".exr .r16 .raw .r32",
    .refuses = ".png",
    .reason = "Godot loads a .png with 8 bits a level",
    .settings = godot_settings,
    .tiling = {.share_edge = false, .pattern = "_x%x%_y%y%"},
    .advise = advise_godot,
};

/* ---- Terrain3D, of Godot: heights in metres, and a control map of masks ---- */

static void advise_terrain3d(const struct tw_format *format, const struct tw_encoding *encoding,
                             struct tw_advice *advice)
{
    add_number(advice, "Vertex Spacing", cell_of(encoding));
    if (format->only_for) /* the control map */
        return;
    add_number(advice, "Import Scale", 1);
    add_number(advice, "Height Offset", 0);
    add_number(advice, "Sea", metres(encoding, encoding->world->sea_level));
}

static const struct tw_preset_setting terrain3d_settings[] = {
    {".exr", "metres", "true"}, {".exr", "half", "false"}, {NULL, NULL, NULL}};

static const struct tw_preset terrain3d = {
    .name = "terrain3d",
    .help = "Terrain3D in Godot 4: heights in metres, `.exr` of float32; of a list of up to 32 "
            "masks the control map, with a mask of `holes`",
    .endings = ".exr",
    .refuses = ".png",
    .reason = "Godot loads a .png with 8 bits a level",
    .settings = terrain3d_settings,
    .tiling = {.share_edge = false, .pattern = "_x%x%_y%y%"},
    .advise = advise_terrain3d,
};

/* ---- SimCity 4: 3 m a level, the sea at 250 m: level 84 is the first on land ---- */

static struct tw_range range_of_simcity4(const struct tw_world *world)
{
    const double sea = world->sea_level, shore = 84.0 / 255;
    if (sea <= shore)
        return (struct tw_range){.low = (sea - shore) / (1 - shore), .high = 1};
    return (struct tw_range){.low = 0, .high = sea / shore};
}

static void advise_simcity4(const struct tw_format *format, const struct tw_encoding *encoding,
                            struct tw_advice *advice)
{
    (void)format;
    add_text(advice, "In the region view", "Ctrl + Alt + Shift + R");
    add_pair(advice, "config.bmp", (encoding->values[0]->width - 1) / 64, " x ",
             (encoding->values[0]->height - 1) / 64);
}

static const struct tw_preset_setting simcity4_settings[] = {
    {".png", "bits", "8"}, {".bmp", "bits", "8"}, {NULL, NULL, NULL}};

static const struct tw_preset simcity4 = {
    .name = "simcity4",
    .help = "regions: sides of 64 k + 1 for k km; 8-bit grey, the sea of `world:` at its own",
    .endings = ".bmp .png",
    .step = 64,
    .settings = simcity4_settings,
    .range = range_of_simcity4,
    .tiling = {.share_edge = true, .pattern = "_x%x%_y%y%"},
    .advise = advise_simcity4,
};

/* ---- WorldPainter: a pixel is a block, of 1 m ---- */

static void advise_worldpainter(const struct tw_format *format, const struct tw_encoding *encoding,
                                struct tw_advice *advice)
{
    (void)format;
    add_number(advice, "Scale in %", 100 * cell_of(encoding));
    add_pair(advice, "From image, low to high", 0, " to ", 65535);
    add_pair(advice, "To Minecraft, low to high", metres(encoding, encoding->range.low), " to ",
             metres(encoding, encoding->range.high));
    add_number(advice, "Water level", metres(encoding, encoding->world->sea_level));
}

static const struct tw_preset_setting worldpainter_settings[] = {{".png", "bits", "16"},
                                                                 {NULL, NULL, NULL}};

static const struct tw_preset worldpainter = {
    .name = "worldpainter",
    .help = "Minecraft by WorldPainter: 16-bit grey, a block a pixel",
    .endings = ".png",
    .settings = worldpainter_settings,
    .tiling = {.share_edge = false, .pattern = "_x%x%_y%y%"},
    .advise = advise_worldpainter,
};

const struct tw_preset *const tw_presets[] = {&unreal,   &unity,        &godot, &terrain3d,
                                              &simcity4, &worldpainter, NULL};
