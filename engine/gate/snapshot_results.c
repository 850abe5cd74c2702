/* SPDX-License-Identifier: MIT */
/* Describes a value in a few numbers and a digest. */
#include "gate/snapshot.h"

#include "run/export.h"

#include <stdlib.h>
#include <string.h>

/* Sums by rows, so that the mean of a large map loses no digits. */
static void find_range(const struct tw_value *value, struct tw_result_facts *facts)
{
    size_t wide = (size_t)value->width * tw_type_numbers(value->type);
    facts->least = facts->greatest = tw_field_number(value, 0);
    for (size_t y = 0; y < (size_t)value->height; y++) {
        double sum = 0;
        for (size_t x = 0; x < wide; x++) {
            double v = tw_field_number(value, y * wide + x);
            facts->least = v < facts->least ? v : facts->least;
            facts->greatest = v > facts->greatest ? v : facts->greatest;
            sum += v;
        }
        facts->mean += sum / (double)wide / value->height;
    }
}

static void find_digest(const struct tw_value *value, char *hex)
{
    struct tw_sha256 digest = tw_field_sha256(value);
    tw_hex(digest.at, sizeof digest.at, hex);
}

void tw_result_describe(const struct tw_value *value, struct tw_result_facts *facts)
{
    facts->type = tw_type_name(value->type);
    facts->width = value->width;
    facts->height = value->height;
    facts->ranged = tw_type_is_grid(value->type) && tw_type_numbers(value->type) > 0 &&
                    tw_value_count(value) > 0;
    if (facts->ranged)
        find_range(value, facts);
    find_digest(value, facts->sha256);
}

static struct tw_result_facts *append(struct tw_snapshot *snapshot, struct tw_result_facts **list,
                                      int32_t *count, const char *name)
{
    struct tw_result_facts *grown =
        tw_arena_alloc(&snapshot->arena, (size_t)*count + 1, sizeof *grown);
    if (!grown)
        return NULL;
    if (*count > 0)
        memcpy(grown, *list, (size_t)*count * sizeof *grown);
    *list = grown;
    grown += (*count)++;
    grown->name = tw_arena_copy(&snapshot->arena, name, strlen(name));
    return grown->name ? grown : NULL;
}

bool tw_snapshot_add_output(struct tw_snapshot *snapshot, const char *name,
                            const struct tw_value *value)
{
    struct tw_result_facts *facts =
        append(snapshot, &snapshot->outputs, &snapshot->output_count, name);
    if (facts)
        tw_result_describe(value, facts);
    return facts != NULL;
}

/* Describes the file as its readers see it. */
static enum tw_status describe_file(const struct tw_format *format, const struct tw_bytes *bytes,
                                    struct tw_result_facts *facts, struct tw_error *err)
{
    struct tw_value value = {0};
    if (!format->decode) {
        struct tw_sha256 digest = tw_sha256_of(bytes->at, bytes->length);
        tw_hex(digest.at, sizeof digest.at, facts->sha256);
        facts->type = format->ending + 1;
        facts->width = (int32_t)bytes->length;
        facts->height = 1;
        return TW_OK;
    }
    enum tw_status status = format->decode(bytes->at, bytes->length, &value, err);
    if (status == TW_OK)
        tw_result_describe(&value, facts);
    tw_field_clear(&value);
    return status;
}

/* Describes a file whose bytes may differ between builds by what it was made from. */
static enum tw_status describe_source(const struct tw_format *format,
                                      const struct tw_encoding *encoding,
                                      struct tw_result_facts *facts, struct tw_error *err)
{
    struct tw_sha256 digest;
    enum tw_status status = format->sha256(encoding, &digest, err);
    if (status != TW_OK)
        return status;
    tw_hex(digest.at, sizeof digest.at, facts->sha256);
    facts->type = format->ending + 1;
    facts->width = encoding->values[0]->width;
    facts->height = encoding->values[0]->height;
    return TW_OK;
}

enum tw_status tw_snapshot_add_export(struct tw_snapshot *snapshot, const struct tw_export *item,
                                      const struct tw_value *const *values, struct tw_error *err)
{
    struct tw_bytes bytes = {0};
    struct tw_export whole = *item;
    whole.tile = (struct tw_export_tile){0};
    whole.provenance = NULL;
    struct tw_result_facts *facts =
        append(snapshot, &snapshot->exports, &snapshot->export_count, item->entry);
    if (!facts)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    const struct tw_encoding encoding = tw_export_encoding(&whole, values);
    if (item->format->varies && item->format->varies(&encoding))
        return describe_source(item->format, &encoding, facts, err);
    enum tw_status status = tw_export_encode(&whole, values, NULL, &bytes, err);
    if (status == TW_OK)
        status = describe_file(item->format, &bytes, facts, err);
    free(bytes.at);
    return status;
}
