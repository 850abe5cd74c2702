/* SPDX-License-Identifier: MIT */
/* Values to files: the extension picks the format, and a file appears whole or not at all. */
#include "base/file.h"
#include "field/codec.h"
#include "run/json.h"
#include "run/state.h"

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

/* ---- points: a row each, under the names that their node gives the columns ---- */

enum { POINT_COLUMNS = 5 };

static void split_columns(const char *columns, char names[POINT_COLUMNS][24])
{
    columns = columns ? columns : "x|y|cost|feature|profile";
    for (int i = 0; i < POINT_COLUMNS; i++) {
        int length = (int)strcspn(columns, "|");
        snprintf(names[i], sizeof names[i], "%.*s", length, columns);
        columns += length + (columns[length] == '|');
    }
}

static json_t *points_json(const struct tw_value *value, const char *columns)
{
    char names[POINT_COLUMNS][24];
    json_t *list = json_array();
    split_columns(columns, names);
    for (int32_t i = 0; list && i < value->width; i++) {
        const struct tw_point *p = &tw_points(value)[i];
        json_t *row = json_pack("{s:f, s:f, s:f, s:i, s:i}", names[0], (double)p->x, names[1],
                                (double)p->y, names[2], (double)p->cost, names[3], (int)p->feature,
                                names[4], (int)p->profile);
        if (json_array_append_new(list, row) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

/* A record is a table of one row. */
static enum tw_status encode_csv(const struct tw_goal *goal, const struct tw_value *value,
                                 struct tw_bytes *out, struct tw_error *err)
{
    char names[POINT_COLUMNS][24], line[200];
    enum tw_status status = TW_OK;
    if (value->type == TW_RECORD) {
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
    split_columns(goal->columns, names);
    int length = snprintf(line, sizeof line, "%s,%s,%s,%s,%s\n", names[0], names[1], names[2],
                          names[3], names[4]);
    status = tw_bytes_append(out, line, (size_t)length, err);
    for (int32_t i = 0; status == TW_OK && i < value->width; i++) {
        const struct tw_point *p = &tw_points(value)[i];
        length = snprintf(line, sizeof line, "%.9g,%.9g,%.9g,%d,%d\n", (double)p->x, (double)p->y,
                          (double)p->cost, (int)p->feature, (int)p->profile);
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
                   : values[0]->type == TW_POINTS ? points_json(values[0], goal->columns)
                                                  : record_object(values[0]);
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
        return encode_csv(goal, values[0], out, err);
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
        report->digest = tw_digest_of(bytes.at, bytes.length);
    }
    free(bytes.at);
    return status;
}

bool tw_export_key(const struct tw_goal *goal, const struct tw_stamp *const *stamps,
                   struct tw_sha256 *key)
{
    const struct tw_export *item = goal->item;
    char text[160], hex[2 * sizeof stamps[0]->digest.at + 1];
    struct tw_bytes all = {0};
    int length =
        snprintf(text, sizeof text, "export 1\nas %s\nrange %.17g %.17g %d %d %d\n",
                 ending_of(item), item->low, item->high, item->fit, item->clip, item->bits);
    bool good = tw_bytes_append(&all, text, (size_t)length, NULL) == TW_OK;
    for (const struct tw_output *o = goal->sources; good && o; o = o->next) {
        const char *name = item->several ? o->name : "value";
        tw_hex((*stamps)->digest.at, sizeof(*stamps)->digest.at, hex);
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
    unsigned char *data = NULL;
    size_t length = 0;
    if (!join(folder, report->item->file, path) ||
        tw_file_read(path, (size_t)1 << 36, &data, &length, NULL) != TW_OK)
        return false;
    struct tw_digest digest = tw_digest_of(data, length);
    report->bytes = length;
    free(data);
    return memcmp(&digest, &report->digest, sizeof digest) == 0;
}
