/* SPDX-License-Identifier: MIT */
/* Values to files: the extension picks the format, and a file appears whole or not at all. */
#include "base/file.h"
#include "field/codec.h"
#include "run/json.h"
#include "run/state_private.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static json_t *record_object(const struct tw_value *value)
{
    json_t *object = json_object();
    for (int32_t i = 0; object && i < value->width; i++)
        if (json_object_set_new(object, tw_entries(value)[i].name,
                                json_real(tw_entries(value)[i].number)) != 0) {
            json_decref(object);
            return NULL;
        }
    return object;
}

/* ---- lists: a row per element, a column per member ---- */

static json_t *member_json(const struct tw_element_member *member, const unsigned char *element)
{
    const void *at = element + member->offset;
    switch (member->kind) {
    case TW_MEMBER_F32:
        return json_real((double)*(const float *)at);
    case TW_MEMBER_F64:
        return json_real(*(const double *)at);
    case TW_MEMBER_I32:
        return json_integer(*(const int32_t *)at);
    case TW_MEMBER_U32:
        return json_integer(*(const uint32_t *)at);
    case TW_MEMBER_U8:
        return json_integer(*(const uint8_t *)at);
    case TW_MEMBER_TEXT:
        return json_string(at);
    }
    return NULL;
}

static json_t *list_json(const struct tw_value *value)
{
    const struct tw_type_row *type = tw_type(value->type);
    json_t *list = json_array();
    bool ok = list != NULL;
    for (int32_t i = 0; ok && i < value->width; i++) {
        const unsigned char *element = (const unsigned char *)value->data + (size_t)i * type->size;
        json_t *row = json_object();
        for (const struct tw_element_member *m = type->members; row && ok && m->name; m++)
            ok = json_object_set_new(row, m->name, member_json(m, element)) == 0;
        ok &= json_array_append_new(list, row) == 0;
    }
    if (!ok) {
        json_decref(list);
        return NULL;
    }
    return list;
}

static int print_member(const struct tw_element_member *member, const unsigned char *element,
                        char *text, size_t size)
{
    const void *at = element + member->offset;
    switch (member->kind) {
    case TW_MEMBER_F32:
        return snprintf(text, size, "%.9g", (double)*(const float *)at);
    case TW_MEMBER_F64:
        return snprintf(text, size, "%.17g", *(const double *)at);
    case TW_MEMBER_I32:
        return snprintf(text, size, "%d", (int)*(const int32_t *)at);
    case TW_MEMBER_U32:
        return snprintf(text, size, "%u", (unsigned)*(const uint32_t *)at);
    case TW_MEMBER_U8:
        return snprintf(text, size, "%d", (int)*(const uint8_t *)at);
    case TW_MEMBER_TEXT:
        return snprintf(text, size, "%s", (const char *)at);
    }
    return 0;
}

static enum tw_status list_csv(const struct tw_value *value, struct tw_bytes *out,
                               struct tw_error *err)
{
    const struct tw_type_row *type = tw_type(value->type);
    enum tw_status status = TW_OK;
    for (int32_t i = -1; status == TW_OK && i < value->width; i++)
        for (const struct tw_element_member *m = type->members; status == TW_OK && m->name; m++) {
            const unsigned char *element = (const unsigned char *)value->data;
            char cell[40];
            int length =
                i < 0 ? snprintf(cell, sizeof cell, "%s", m->name)
                      : print_member(m, element + (size_t)i * type->size, cell, sizeof cell - 1);
            cell[length++] = m[1].name ? ',' : '\n';
            status = tw_bytes_append(out, cell, (size_t)length, err);
        }
    return status;
}

/* A record is a table of one row. */
static enum tw_status record_csv(const struct tw_value *value, struct tw_bytes *out,
                                 struct tw_error *err)
{
    enum tw_status status = TW_OK;
    char line[64];
    for (int row = 0; row < 2; row++)
        for (int32_t i = 0; status == TW_OK && i < value->width; i++) {
            const struct tw_entry *entry = &tw_entries(value)[i];
            char number[32];
            snprintf(number, sizeof number, "%.17g", entry->number);
            int length = snprintf(line, sizeof line, "%s%s", row ? number : entry->name,
                                  i + 1 < value->width ? "," : "\n");
            status = tw_bytes_append(out, line, (size_t)length, err);
        }
    return status;
}

/* ---- JSON ---- */

/* One record is a flat object; several are objects by name. */
static enum tw_status encode_json(const struct tw_goal *goal, const struct tw_value *const *values,
                                  struct tw_bytes *out, struct tw_error *err)
{
    json_t *root = goal->item->several            ? json_object()
                   : values[0]->type == TW_RECORD ? record_object(values[0])
                                                  : list_json(values[0]);
    bool good = root != NULL;
    for (const struct tw_output *o = goal->item->several ? goal->sources : NULL; good && o;
         o = o->next)
        good = json_object_set_new(root, o->name, record_object(*values++)) == 0;
    if (!good) {
        json_decref(root);
        root = NULL;
    }
    enum tw_status status = tw_json_print(root, JSON_INDENT(2) | JSON_REAL_PRECISION(17), out, err);
    return status == TW_OK ? tw_bytes_append(out, "\n", 1, err) : status;
}

/* The map's own range, for `range: fit`. A flat map gets a range of 1 above it. */
static void fit_range(const struct tw_value *value, struct tw_export_range *range)
{
    const float *cells = tw_floats(value);
    range->low = range->high = (double)cells[0];
    for (size_t i = 1; i < tw_value_count(value); i++) {
        range->low = (double)cells[i] < range->low ? (double)cells[i] : range->low;
        range->high = (double)cells[i] > range->high ? (double)cells[i] : range->high;
    }
    if (range->low == range->high)
        range->high = range->low + 1;
}

static const char *ending_of(const struct tw_export *item) { return strrchr(item->file, '.'); }

static enum tw_status encode(const struct tw_goal *goal, const struct tw_value *const *values,
                             struct tw_bytes *out, struct tw_error *err)
{
    const struct tw_export *item = goal->item;
    struct tw_export_range range = {item->low, item->high, item->clip, item->bits};
    if (strcmp(ending_of(item), ".json") == 0)
        return encode_json(goal, values, out, err);
    if (strcmp(ending_of(item), ".csv") == 0)
        return values[0]->type == TW_RECORD ? record_csv(values[0], out, err)
                                            : list_csv(values[0], out, err);
    if (strcmp(ending_of(item), ".npy") == 0)
        return tw_npy_encode(values[0], out, err);
    if (item->fit && values[0]->type != TW_IMAGE)
        fit_range(values[0], &range);
    if (strcmp(ending_of(item), ".bmp") == 0)
        return tw_bmp_encode(values[0], &range, out, err);
    return tw_png_encode(values[0], &range, out, err);
}

static bool join(const char *folder, const char *file, char path[PATH_MAX])
{
    return snprintf(path, PATH_MAX, "%s/%s", folder, file) < PATH_MAX;
}

static enum tw_status write_bytes(const char *folder, const char *file,
                                  const struct tw_bytes *bytes, struct tw_error *err)
{
    char path[PATH_MAX];
    enum tw_status status = tw_file_make_place(folder, file, path, err);
    return status == TW_OK ? tw_file_write(path, bytes->at, bytes->length, err) : status;
}

enum tw_status tw_export_write(const struct tw_goal *goal, const struct tw_value *const *values,
                               const char *folder, const atomic_bool *stop,
                               struct tw_export_report *report, struct tw_error *err)
{
    const struct tw_export *item = goal->item;
    struct tw_bytes bytes = {.stop = stop};
    enum tw_status status = encode(goal, values, &bytes, err);
    if (status == TW_NODE) { /* out of range: the fault is in the export's line */
        snprintf(err->file, sizeof err->file, "%s", item->place.file);
        err->line = item->place.line;
        err->column = item->place.column;
    }
    if (status == TW_OK && atomic_load(stop))
        status = tw_error_set(err, TW_CANCELLED, "stopped");
    if (status == TW_OK)
        status = write_bytes(folder, item->file, &bytes, err);
    if (status == TW_OK) {
        report->written = true;
        report->bytes = bytes.length;
        report->digest = tw_sha256_of(bytes.at, bytes.length);
    }
    free(bytes.at);
    return status;
}

bool tw_export_key(const struct tw_goal *goal, const struct tw_stamp *const *stamps,
                   struct tw_sha256 *key)
{
    const struct tw_export *item = goal->item;
    char text[160], hex[2 * sizeof stamps[0]->content.at + 1];
    struct tw_bytes all = {0};
    int length =
        snprintf(text, sizeof text, "export 1\nas %s\nrange %.17g %.17g %d %d %d\n",
                 ending_of(item), item->low, item->high, item->fit, item->clip, item->bits);
    bool good = tw_bytes_append(&all, text, (size_t)length, NULL) == TW_OK;
    for (const struct tw_output *o = goal->sources; good && o; o = o->next) {
        const char *name = item->several ? o->name : "value";
        tw_hex((*stamps)->content.at, sizeof(*stamps)->content.at, hex);
        stamps++;
        good = tw_bytes_append(&all, name, strlen(name), NULL) == TW_OK &&
               tw_bytes_append(&all, " ", 1, NULL) == TW_OK &&
               tw_bytes_append(&all, hex, strlen(hex), NULL) == TW_OK &&
               tw_bytes_append(&all, "\n", 1, NULL) == TW_OK;
    }
    if (good)
        *key = tw_sha256_of((const char *)all.at, all.length);
    free(all.at);
    return good;
}

bool tw_export_is_fresh(const char *folder, struct tw_export_report *report)
{
    char path[PATH_MAX];
    struct tw_sha256 digest;
    return join(folder, report->item->file, path) &&
           tw_file_sha256(path, (uint64_t)1 << 36, &digest, &report->bytes, NULL) == TW_OK &&
           memcmp(&digest, &report->digest, sizeof digest) == 0;
}
