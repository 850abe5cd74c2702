/* SPDX-License-Identifier: MIT */
#include "serve/shown_value.h"

#include "console/documents.h"
#include "format/codec.h"
#include "report/pictures/value_picture.h"
#include "serve/thumbnail.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BODY_SIDE = 1024, STEPS = 65535 };

const char *tw_shown_kind(enum tw_type type)
{
    switch (type) {
    case TW_HEIGHTMAP:
    case TW_MASK:
    case TW_LABELS:
    case TW_IMAGE:
    case TW_RECORD:
        return tw_type_name(type);
    default:
        return "other";
    }
}

static enum tw_status no_memory(struct tw_error *err)
{
    return tw_error_set(err, TW_MEMORY, "out of memory");
}

static const char *path_of(char kind, const char *digest, char path[40])
{
    snprintf(path, 40, "%c/%.32s", kind, digest);
    return path;
}

static enum tw_status put(struct tw_body_store *store, char kind, const char *digest,
                          struct tw_bytes *body, struct tw_error *err)
{
    char path[40];
    return tw_body_store_add(store, path_of(kind, digest, path), body) ? TW_OK : no_memory(err);
}

/* ---- grids ---- */

/* How a body's numbers become the map's: number * step + least. */
struct encoding {
    const char *name;
    int bytes;
    double least, step;
};

static json_t *encoding_json(const struct encoding *encoding)
{
    return json_pack("[s, f, f]", encoding->name, encoding->least, encoding->step);
}

static struct encoding encoding_of(const struct tw_value *map, float low, float high)
{
    if (map->type == TW_MASK && low >= 0 && high <= 1)
        return (struct encoding){"u8", 1, 0, 1.0 / 255};
    const double range = (double)high - (double)low;
    return (struct encoding){"u16", 2, (double)low, range > 0 ? range / STEPS : 1};
}

static bool encode_floats(const struct tw_value *map, const struct encoding *encoding,
                          struct tw_bytes *body)
{
    const size_t count = (size_t)map->width * (size_t)map->height;
    const float *from = tw_floats(map);
    unsigned char *to = body->at = malloc(count * (size_t)encoding->bytes + 1);
    if (!to)
        return false;
    for (size_t i = 0; i < count; i++) {
        const double level = ((double)from[i] - encoding->least) / encoding->step + 0.5;
        const unsigned number = level < 0 ? 0 : level > STEPS ? STEPS : (unsigned)level;
        *to++ = (unsigned char)number;
        if (encoding->bytes == 2)
            *to++ = (unsigned char)(number >> 8);
    }
    body->length = count * (size_t)encoding->bytes;
    return true;
}

static enum tw_status show_floats(const struct tw_value *value, const char *digest,
                                  struct tw_body_store *store, json_t **facts, struct tw_error *err)
{
    struct tw_value reduced = {.type = TW_HEIGHTMAP};
    struct tw_bytes body = {0};
    float low, high;
    tw_value_range(value, &low, &high);
    const struct encoding encoding = encoding_of(value, low, high);
    const bool large = value->width > BODY_SIDE || value->height > BODY_SIDE;
    struct tw_value map = *value;
    map.type = TW_HEIGHTMAP;
    enum tw_status status = large ? tw_value_reduce(&map, BODY_SIDE, &reduced, err) : TW_OK;
    const struct tw_value *shown = large ? &reduced : value;
    if (status == TW_OK && !encode_floats(shown, &encoding, &body))
        status = no_memory(err);
    if (status == TW_OK)
        status = put(store, 'v', digest, &body, err);
    if (status == TW_OK)
        *facts = TW_DOCUMENT(serve_facts, .size = tw_document_size(shown->width, shown->height),
                             .map = tw_document_size(value->width, value->height),
                             .encoding = encoding_json(&encoding), .least = json_real((double)low),
                             .greatest = json_real((double)high), .thumb = json_string(digest));
    tw_field_clear(&reduced);
    return status;
}

/* Takes a cell of each block: labels have no averages. */
static enum tw_status show_labels(const struct tw_value *value, const char *digest,
                                  struct tw_body_store *store, json_t **facts, struct tw_error *err)
{
    const int32_t longer = value->width > value->height ? value->width : value->height;
    const int32_t block = (longer + BODY_SIDE - 1) / BODY_SIDE;
    const int32_t width = (value->width + block - 1) / block;
    const int32_t height = (value->height + block - 1) / block;
    const struct encoding encoding = {"u16", 2, 0, 1};
    struct tw_bytes body = {.at = malloc((size_t)width * (size_t)height * 2 + 1)};
    unsigned char *to = body.at;
    if (!to)
        return no_memory(err);
    for (int32_t y = 0; y < height; y++)
        for (int32_t x = 0; x < width; x++) {
            const size_t cell =
                (size_t)y * (size_t)block * (size_t)value->width + (size_t)x * (size_t)block;
            const unsigned label = (unsigned)tw_field_number(value, cell);
            *to++ = (unsigned char)label;
            *to++ = (unsigned char)(label >> 8);
        }
    body.length = (size_t)(to - body.at);
    *facts = TW_DOCUMENT(serve_facts, .size = tw_document_size(width, height),
                         .map = tw_document_size(value->width, value->height),
                         .encoding = encoding_json(&encoding), .thumb = json_string(digest));
    return put(store, 'v', digest, &body, err);
}

/* ---- pictures and the rest ---- */

static enum tw_status show_image(const struct tw_value *value, const char *digest,
                                 struct tw_body_store *store, json_t **facts, struct tw_error *err)
{
    const struct tw_export_range any = {0, 1, true, 8};
    struct tw_bytes body = {0};
    enum tw_status status = tw_png_encode(value, &any, &body, err);
    if (status == TW_OK)
        status = put(store, 'p', digest, &body, err);
    free(body.at);
    if (status == TW_OK)
        *facts = TW_DOCUMENT(serve_facts, .size = tw_document_size(value->width, value->height),
                             .map = tw_document_size(value->width, value->height),
                             .thumb = json_string(digest));
    return status;
}

json_t *tw_shown_entries(const struct tw_value *record)
{
    json_t *entries = json_object();
    for (int32_t i = 0; i < record->width; i++) {
        const struct tw_entry *entry = &tw_entries(record)[i];
        json_object_setn_new(entries, entry->name, strnlen(entry->name, sizeof entry->name),
                             json_real((double)entry->number));
    }
    return entries;
}

static enum tw_status show(const struct tw_value *value, const char *digest,
                           struct tw_body_store *store, json_t **facts, struct tw_error *err)
{
    switch (value->type) {
    case TW_HEIGHTMAP:
    case TW_MASK:
        return show_floats(value, digest, store, facts, err);
    case TW_LABELS:
        return show_labels(value, digest, store, facts, err);
    case TW_IMAGE:
        return show_image(value, digest, store, facts, err);
    default:
        break;
    }
    *facts = value->type == TW_RECORD
                 ? TW_DOCUMENT(serve_facts, .entries = tw_shown_entries(value))
                 : TW_DOCUMENT(serve_facts, .count = json_integer(value->width));
    return TW_OK;
}

enum tw_status tw_shown_value(const struct tw_value *value, const char *digest,
                              struct tw_body_store *store, json_t **facts, struct tw_error *err)
{
    struct tw_bytes thumb = {0};
    *facts = NULL;
    enum tw_status status = show(value, digest, store, facts, err);
    if (status == TW_OK && !*facts)
        status = no_memory(err);
    if (status == TW_OK && tw_value_is_drawable(value->type))
        status = tw_thumbnail_encode(value, &thumb, err);
    if (status == TW_OK && thumb.at)
        status = put(store, 't', digest, &thumb, err);
    free(thumb.at);
    if (status != TW_OK) {
        json_decref(*facts);
        *facts = NULL;
    }
    return status;
}

bool tw_shown_is_there(const char *digest, const json_t *facts, struct tw_body_store *store)
{
    char body[40], thumb[40];
    if (!json_object_get(facts, "thumb"))
        return true;
    path_of(json_object_get(facts, "encoding") ? 'v' : 'p', digest, body);
    path_of('t', digest, thumb);
    const bool there = tw_body_store_has(store, body) && tw_body_store_has(store, thumb);
    if (there) {
        tw_body_store_pin(store, body);
        tw_body_store_pin(store, thumb);
    }
    return there;
}
