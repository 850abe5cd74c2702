/* SPDX-License-Identifier: MIT */
/* Written for people, for importers (Unreal reads its width, height and bpp) and for our own
 * reading of files without a header. Contains no times or folders: one recipe gives identical bytes
 * anywhere. */
#include "format/sidecar.h"

#include "base/text/json.h"
#include "base/text/text.h"

#include <thalweg/thalweg.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

const struct tw_format tw_format_sidecar = {.ending = ".json", .help = "a sidecar"};

/* The text so far; incomplete if memory was short. */
struct draft {
    const struct tw_sidecar *sidecar;
    json_t *root;
    bool whole;
};

static void put(struct draft *draft, json_t *to, const char *name, json_t *value)
{
    draft->whole &= json_object_set_new(to, name, value) == 0;
}

static const struct tw_value *value_of(const struct tw_sidecar *sidecar)
{
    return sidecar->encoding->values[0];
}

static bool has_option(const struct tw_sidecar *sidecar, const char *name)
{
    return tw_format_option(sidecar->format, sidecar->encoding->options, name);
}

static void add_samples(struct draft *draft)
{
    const struct tw_sidecar *sidecar = draft->sidecar;
    int bits = sidecar->format->bare_bits;
    bool flipped = has_option(sidecar, "flip");
    if (bits > 0) {
        put(draft, draft->root, "bpp", json_integer(bits));
        put(draft, draft->root, "samples",
            json_string(bits == 16 ? "uint16 little-endian" : "float32 little-endian"));
    }
    if (sidecar->format->samples)
        put(draft, draft->root, "samples", json_string(sidecar->format->samples));
    put(draft, draft->root, "rows", json_string(flipped ? "south to north" : "north to south"));
}

/* Adds the meaning of the file's numbers: for integers their range, for floats what 1 measures. */
static void add_heights(struct draft *draft)
{
    const struct tw_sidecar *sidecar = draft->sidecar;
    const struct tw_range *range = &sidecar->encoding->range;
    const struct tw_world *world = sidecar->encoding->world;
    bool heights = value_of(sidecar)->type == TW_HEIGHTMAP;
    if (sidecar->format->ranged) {
        json_t *scale = json_pack("{s:f, s:f, s:b}", "low", range->low, "high", range->high, "clip",
                                  range->clip);
        if (heights) {
            put(draft, scale, "low_m", json_real(range->low * world->height_m));
            put(draft, scale, "high_m", json_real(range->high * world->height_m));
        }
        put(draft, draft->root, "range", scale);
    } else if (heights) {
        put(draft, draft->root, "metres_of_1",
            json_real(has_option(sidecar, "metres") ? 1 : world->height_m));
    }
    if (heights)
        put(draft, draft->root, "sea_level", json_real(world->sea_level));
}

static void add_metres(struct draft *draft)
{
    const struct tw_sidecar *sidecar = draft->sidecar;
    const struct tw_world *world = sidecar->encoding->world;
    const struct tw_value *value = value_of(sidecar);
    const double cell = world->side_m / value->width;
    put(draft, draft->root, "metres",
        json_pack("{s:f, s:f, s:f, s:f, s:f}", "cell", cell, "width", world->side_m, "height",
                  cell * value->height, "height_of_1", world->height_m, "sea",
                  world->sea_level * world->height_m));
    if (world->epsg != 0)
        put(draft, draft->root, "place",
            json_pack("{s:i, s:f, s:f}", "epsg", (int)world->epsg, "west", world->west, "north",
                      world->north));
}

static void add_tile(struct draft *draft)
{
    const struct tw_sidecar_tile *tile = &draft->sidecar->tile;
    if (tile->columns > 0)
        put(draft, draft->root, "tile",
            json_pack("{s:[i, i], s:[i, i], s:[i, i], s:[i, i]}", "place", (int)tile->column,
                      (int)tile->row, "of", (int)tile->columns, (int)tile->rows, "first_cell",
                      (int)tile->x, (int)tile->y, "map", (int)tile->map_width,
                      (int)tile->map_height));
}

/* A name may not be UTF-8; NULL when out of memory. */
static json_t *name_text(const char *name)
{
    char clean[4096];
    snprintf(clean, sizeof clean, "%s", name);
    tw_text_clean(clean);
    return json_string(clean);
}

/* Names the mask of each channel, of a layer's file, or of each texture of a control map. */
static void add_masks(struct draft *draft)
{
    const struct tw_encoding *encoding = draft->sidecar->encoding;
    const struct tw_format *format = draft->sidecar->format;
    const int32_t all = tw_encoding_listed(encoding);
    const int32_t count = encoding->taken > 0 ? encoding->taken : all;
    const char *channel = format->channels;
    if (!encoding->several || !encoding->names || value_of(draft->sidecar)->type != TW_MASK)
        return;
    json_t *list = json_array();
    for (int32_t i = encoding->first; i < encoding->first + count; i++) {
        json_t *mask = json_pack("{s:i, s:o}", "id", (int)i, "mask", name_text(encoding->names[i]));
        if (channel) {
            put(draft, mask, "channel", json_stringn(channel, 1));
            channel += channel[1] ? 2 : 1;
        }
        draft->whole &= json_array_append_new(list, mask) == 0;
    }
    put(draft, draft->root, "masks", list);
    put(draft, draft->root, "masks_in_all", json_integer(all));
    for (int32_t i = 0; format->parts && format->parts[i].name; i++)
        if (tw_encoding_part(encoding, i))
            put(draft, draft->root, format->parts[i].name,
                name_text(encoding->names[encoding->part_at[i]]));
}

static json_t *number_json(double number)
{
    const bool whole = number == floor(number) && fabs(number) < 1e15;
    return whole ? json_integer((json_int_t)number) : json_real(number);
}

/* Numbers as numbers, pairs of them as lists. */
static json_t *advice_json(const struct tw_advice *advice, int i)
{
    const double *numbers = advice->at[i].numbers;
    if (advice->at[i].number_count == 2)
        return json_pack("[o, o]", number_json(numbers[0]), number_json(numbers[1]));
    return advice->at[i].number_count == 1 ? number_json(numbers[0])
                                           : json_string(advice->at[i].text);
}

static void add_advice(struct draft *draft)
{
    const struct tw_sidecar *sidecar = draft->sidecar;
    struct tw_advice advice = {.count = 0};
    if (!sidecar->preset)
        return;
    json_t *lines = json_object();
    sidecar->preset->advise(sidecar->format, sidecar->encoding, &advice);
    for (int i = 0; i < advice.count; i++)
        put(draft, lines, advice.at[i].name, advice_json(&advice, i));
    put(draft, draft->root, "for", json_string(sidecar->preset->name));
    put(draft, draft->root, "type_in", lines);
}

static json_t *build(const struct tw_sidecar *sidecar, const char *sha256, json_t *contents)
{
    const struct tw_value *value = value_of(sidecar);
    const struct tw_provenance *from = sidecar->encoding->provenance;
    char seed[32];
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)from->seed);
    struct draft draft = {.sidecar = sidecar};
    draft.root = json_pack("{s:s, s:o, s:s, s:s, s:i, s:i}", "schema", TW_SIDECAR_SCHEMA, "file",
                           name_text(sidecar->file), "format", sidecar->format->ending + 1, "type",
                           tw_type_name(value->type), "width", (int)value->width, "height",
                           (int)value->height);
    draft.whole = draft.root != NULL;
    if (tw_type_is_grid(value->type)) {
        add_samples(&draft);
        add_masks(&draft);
        add_heights(&draft);
        add_metres(&draft);
        add_tile(&draft);
    }
    if (contents)
        draft.whole &= json_object_update(draft.root, contents) == 0;
    put(&draft, draft.root, "sha256", json_string(sha256));
    put(&draft, draft.root, "recipe",
        json_pack("{s:o, s:s}", "name", name_text(from->recipe), "seed", seed));
    put(&draft, draft.root, "engine", json_string("thalweg " TW_VERSION));
    add_advice(&draft);
    if (draft.whole)
        return draft.root;
    json_decref(draft.root);
    return NULL;
}

static enum tw_status print(const struct tw_sidecar *sidecar, const struct tw_sha256 *content,
                            json_t *contents, struct tw_bytes *out, struct tw_error *err)
{
    char hex[2 * sizeof content->at + 1];
    tw_hex(content->at, sizeof content->at, hex);
    json_t *text = build(sidecar, hex, contents);
    enum tw_status status = tw_json_print(text, JSON_INDENT(2) | JSON_REAL_PRECISION(15), out, err);
    return status == TW_OK ? tw_bytes_append(out, "\n", 1, err) : status;
}

enum tw_status tw_sidecar_print(const struct tw_sidecar *sidecar, struct tw_bytes *out,
                                struct tw_error *err)
{
    const struct tw_format *format = sidecar->format;
    struct tw_sha256 digest;
    json_t *contents = NULL;
    enum tw_status status = tw_format_sha256(format, sidecar->encoding, &digest, err);
    if (status == TW_OK && format->describe_contents) {
        contents = json_object();
        status = format->describe_contents(sidecar->encoding, contents, err);
    }
    if (status == TW_OK)
        status = print(sidecar, &digest, contents, out, err);
    json_decref(contents);
    return status;
}

enum tw_status tw_sidecar_print_known(const struct tw_sidecar *sidecar,
                                      const struct tw_sha256 *content, struct tw_bytes *out,
                                      struct tw_error *err)
{
    return print(sidecar, content, NULL, out, err);
}
