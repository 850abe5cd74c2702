/* SPDX-License-Identifier: MIT */
#include "gate/inspect.h"

#include "base/os/file.h"
#include "format/place.h"
#include "format/raw_layout.h"

#include <thalweg/earth.h>

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const size_t bytes_max = (size_t)1 << 31;

void tw_inspect_say(struct tw_inspection *inspection, const char *name, const char *format, ...)
{
    char text[200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (!tw_facts_add(&inspection->arena, &inspection->facts, name, text))
        inspection->arena.failed = true;
}

void tw_inspection_release(struct tw_inspection *inspection)
{
    tw_field_clear(&inspection->value);
    tw_arena_release(&inspection->arena);
}

/* Gives cells without a height the least one, and says how many there are. */
static void fill_gaps(struct tw_inspection *inspection)
{
    struct tw_value *value = &inspection->value;
    float least = INFINITY;
    size_t gaps = 0;
    if (value->type != TW_HEIGHTMAP)
        return;
    const size_t count = tw_value_count(value);
    float *cells = tw_floats(value);
    for (size_t i = 0; i < count; i++) {
        gaps += isnan(cells[i]) ? 1 : 0;
        least = cells[i] < least ? cells[i] : least;
    }
    for (size_t i = 0; gaps > 0 && i < count; i++)
        cells[i] = isnan(cells[i]) ? (gaps < count ? least : 0) : cells[i];
    if (gaps > 0)
        tw_inspect_say(inspection, "gaps", "%zu cells without a height, here the least one", gaps);
}

/* Says how large the map is in metres, and how much its rows differ in length. */
static void say_extent(const struct tw_file_facts *facts, struct tw_inspection *inspection)
{
    const struct tw_file_place *place = &facts->place;
    double x, y;
    if (!place->known)
        return;
    tw_earth_cell(place, facts->height, &x, &y);
    tw_inspect_say(inspection, "metres a cell", "%.9g x %.9g", x, y);
    tw_inspect_say(inspection, "extent", "%.6g x %.6g m", x * facts->width, y * facts->height);
    if (place->metres > 0)
        return;
    const double north = tw_earth_longitude(place->north);
    const double south = tw_earth_longitude(place->north - place->cell_y * facts->height);
    const double middle = tw_earth_longitude(tw_earth_middle(place, facts->height));
    tw_inspect_say(inspection, "rows",
                   "%.4g %% in the north and %.4g %% in the south of the middle",
                   100 * north / middle, 100 * south / middle);
    tw_inspect_say(inspection, "sinusoidal", "at its borders meridians lean by up to %.3g degrees",
                   tw_earth_lean(place, facts->width, facts->height));
    if (fabs(tw_earth_middle(place, facts->height)) < TW_UTM_LATITUDE_MAX)
        tw_inspect_say(inspection, "utm", "zone %d", (int)tw_earth_utm(facts, 0, 1, 1).zone);
}

static void take_place(const struct tw_format *format, const struct tw_codec_head *head,
                       struct tw_inspection *inspection)
{
    struct tw_file_facts facts = {.width = inspection->value.width,
                                  .height = inspection->value.height};
    inspection->has_place = format->read_place && format->read_place(head, &inspection->place);
    if (inspection->has_place && inspection->place.turned) {
        inspection->has_place = false;
        tw_inspect_say(inspection, "georeference", "turned against north, which is ignored%s%s",
                       inspection->place.system[0] ? "; in " : "", inspection->place.system);
    }
    if (!inspection->has_place)
        return;
    facts.place = tw_place_of(&inspection->place);
    say_extent(&facts, inspection);
}

/* Finds the layout of a file that its name, its length or a header file beside it describes. */
static enum tw_status find_layout(const struct tw_format *format, const char *path,
                                  const struct tw_raw_given *given, size_t length,
                                  struct tw_raw_layout *layout, struct tw_error *err)
{
    char header[4096] = "", upper[16] = "";
    struct tw_file_id id = {.exists = false};
    const int stem = (int)(strlen(path) - strlen(format->ending));
    for (size_t i = 0; format->header_ending && format->header_ending[i] && i < sizeof upper - 1;
         i++)
        upper[i] = (char)toupper((unsigned char)format->header_ending[i]);
    const char *const endings[] = {format->header_ending, upper};
    for (int i = 0; i < 2 && format->header_ending && !id.exists; i++) {
        snprintf(header, sizeof header, "%.*s%s", stem, path, endings[i]);
        if (tw_file_identify(header, true, &id, NULL) != TW_OK)
            id.exists = false;
    }
    return tw_raw_layout_describe(format, path, given, id.exists ? header : "", length, layout,
                                  err);
}

/* The bytes are the values, so their digest is the file's, as in a lock. */
static enum tw_status decode_bare(const struct tw_format *format, const char *path,
                                  const struct tw_inspect_request *request,
                                  const unsigned char *data, size_t length,
                                  struct tw_inspection *inspection, struct tw_error *err)
{
    const struct tw_raw_given given = {.layout = {.width = request->width,
                                                  .height = request->height,
                                                  .big_endian = request->big_endian,
                                                  .is_signed = request->is_signed,
                                                  .band = request->band},
                                       .how = request->how};
    const struct tw_sidecar_facts *sidecar = inspection->has_sidecar ? &inspection->sidecar : NULL;
    const struct tw_file_wish wish = {.gaps = true};
    struct tw_raw_layout layout;
    enum tw_status status =
        format->describe
            ? find_layout(format, path, &given, length, &layout, err)
            : tw_raw_layout_settle(format, path, &given, sidecar, length, &layout, err);
    if (status == TW_OK)
        status = tw_raw_decode(data, length, &layout, wish, &inspection->value, err);
    if (status != TW_OK)
        return status;
    inspection->height_of_1 = layout.bits == 32 && layout.ranged ? (double)layout.high : 1;
    struct tw_sha256 digest = tw_sha256_of(data, length);
    fill_gaps(inspection);
    tw_result_describe(&inspection->value, &inspection->result);
    tw_hex(digest.at, sizeof digest.at, inspection->result.sha256);
    const struct tw_codec_head head = {.file_length = length, .layout = &layout};
    take_place(format, &head, inspection);
    return TW_OK;
}

/* A digest in the file or its sidecar must match the file's content. */
static void check_digests(struct tw_inspection *inspection)
{
    const struct tw_sidecar_facts *sidecar = &inspection->sidecar;
    const char *found = inspection->result.sha256;
    if (inspection->has_sidecar && inspection->value.data &&
        (sidecar->width != inspection->value.width || sidecar->height != inspection->value.height))
        inspection->mismatch = tw_arena_print(&inspection->arena, "the sidecar says %d x %d cells",
                                              (int)sidecar->width, (int)sidecar->height);
    else if (inspection->has_sidecar && strcmp(sidecar->sha256, found) != 0)
        inspection->mismatch =
            tw_arena_print(&inspection->arena, "the sidecar says sha256 %s", sidecar->sha256);
    for (int i = 0; !inspection->mismatch && i < inspection->notes.count; i++) {
        const struct tw_note *note = &inspection->notes.at[i];
        if (strcmp(note->name, TW_NOTES_PREFIX "sha256") == 0 && strcmp(note->text, found) != 0)
            inspection->mismatch =
                tw_arena_print(&inspection->arena, "the file says sha256 %s", note->text);
    }
}

static enum tw_status decode_file(const char *path, const struct tw_inspect_request *request,
                                  const unsigned char *data, size_t length,
                                  struct tw_inspection *inspection, struct tw_error *err)
{
    const struct tw_format *format = tw_format_recognise(tw_formats, data, length, path);
    inspection->bytes = length;
    if (!format)
        return tw_inspect_text(path, data, length, inspection, err);
    inspection->format = format->ending + 1;
    if (format->bare_bits > 0)
        return decode_bare(format, path, request, data, length, inspection, err);
    const struct tw_file_wish wish = {.gaps = true, .band = request->band};
    const struct tw_codec_head head = {
        .at = data, .length = length, .file_length = length, .wish = wish};
    uint64_t held;
    struct tw_file_facts facts;
    enum tw_status status = tw_format_check(format, err);
    if (status == TW_OK)
        status = format->probe(&head, &facts, err);
    if (status == TW_OK)
        status = tw_format_has_rows(format, &head, &held)
                     ? tw_codec_decode(format->read_rows, data, length, NULL, wish,
                                       &inspection->value, err)
                     : tw_format_decode(data, length, path, &inspection->value, err);
    if (status != TW_OK)
        return status;
    fill_gaps(inspection);
    tw_result_describe(&inspection->value, &inspection->result);
    tw_notes_read(format, data, length, &inspection->notes);
    take_place(format, &head, inspection);
    return TW_OK;
}

static void settle_range(const struct tw_inspect_request *request, struct tw_inspection *inspection)
{
    const struct tw_sidecar_facts *sidecar = &inspection->sidecar;
    inspection->ranged = request->ranged || (inspection->has_sidecar && sidecar->ranged);
    inspection->low = request->ranged ? request->low : sidecar->low;
    inspection->high = request->ranged ? request->high : sidecar->high;
}

enum tw_status tw_inspect(const char *path, const struct tw_inspect_request *request,
                          struct tw_inspection *inspection, struct tw_error *err)
{
    unsigned char *data = NULL;
    size_t length = 0;
    char sidecar[4096];
    *inspection = (struct tw_inspection){.value = {.type = TW_HEIGHTMAP}, .height_of_1 = 1};
    enum tw_status status = tw_file_read(path, bytes_max, &data, &length, err);
    bool found = false;
    if (status == TW_OK)
        status = tw_sidecar_find(path, sidecar, &found, err);
    if (status == TW_OK && found) {
        status = tw_sidecar_read(sidecar, &inspection->sidecar, err);
        inspection->has_sidecar = status == TW_OK;
    }
    if (status == TW_OK)
        status = decode_file(path, request, data, length, inspection, err);
    free(data);
    if (status == TW_OK)
        settle_range(request, inspection);
    if (status == TW_OK)
        check_digests(inspection);
    if (status == TW_OK && inspection->arena.failed)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    return status;
}
