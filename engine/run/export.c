/* SPDX-License-Identifier: MIT */
/* Results to files: the extension picks the format, and a file appears whole or not at all. */
#include "base/file.h"
#include "field/codec.h"
#include "run/runner.h"

#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum tw_status encode_record(const struct tw_value *value, struct tw_bytes *out,
                                    struct tw_error *err)
{
    json_t *object = json_object();
    const struct tw_entry *entries = tw_entries(value);
    bool good = object != NULL;
    for (int32_t i = 0; good && i < value->width; i++)
        good = json_object_set_new(object, entries[i].name, json_real(entries[i].number)) == 0;
    char *text = good ? json_dumps(object, JSON_INDENT(2)) : NULL;
    json_decref(object);
    if (!text)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    enum tw_status status = tw_bytes_append(out, text, strlen(text), err);
    free(text);
    return status == TW_OK ? tw_bytes_append(out, "\n", 1, err) : status;
}

/* The map's own range, for `range: fit`. A flat map gets a range of 1 around it. */
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

static enum tw_status encode(const struct tw_export *item, const struct tw_value *value,
                             struct tw_bytes *out, struct tw_error *err)
{
    const char *ending = strrchr(item->file, '.');
    struct tw_export_range range = {item->low, item->high, item->clip, item->bits};
    if (strcmp(ending, ".json") == 0)
        return encode_record(value, out, err);
    if (strcmp(ending, ".npy") == 0)
        return tw_npy_encode(value, out, err);
    if (item->fit && value->type != TW_IMAGE)
        fit_range(value, &range);
    return tw_png_encode(value, &range, out, err);
}

static enum tw_status make_folder_of(char *path, struct tw_error *err)
{
    char *slash = strrchr(path, '/');
    *slash = 0;
    enum tw_status status = tw_file_make_folder(path[0] ? path : "/", err);
    *slash = '/';
    return status;
}

static enum tw_status write_one(const struct tw_export *item, const struct tw_value *value,
                                const char *folder, struct tw_error *err)
{
    char path[PATH_MAX];
    struct tw_bytes bytes = {0};
    enum tw_status status = encode(item, value, &bytes, err);
    if (status == TW_NODE && err) {
        snprintf(err->file, sizeof err->file, "%s", item->place.file);
        err->line = item->place.line;
        err->column = item->place.column;
    }
    if (status == TW_OK &&
        snprintf(path, sizeof path, "%s/%s", folder, item->file) >= (int)sizeof path)
        status = tw_error_set(err, TW_IO, "the output path is too long");
    if (status == TW_OK)
        status = make_folder_of(path, err);
    if (status == TW_OK)
        status = tw_file_write(path, bytes.at, bytes.length, err);
    free(bytes.at);
    return status;
}

enum tw_status tw_export_all(const struct tw_recipe *recipe, const struct tw_result *result,
                             const char *folder, const char *only, struct tw_error *err)
{
    for (const struct tw_export *item = recipe->exports; item; item = item->next) {
        if (only && strcmp(only, item->from) != 0)
            continue;
        enum tw_status status = write_one(item, tw_result_value(result, item->source), folder, err);
        if (status != TW_OK)
            return status;
    }
    return TW_OK;
}
