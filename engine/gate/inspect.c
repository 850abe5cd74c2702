/* SPDX-License-Identifier: MIT */
#include "gate/inspect.h"

#include "base/file.h"

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

static const struct tw_format *bare_format(const char *path)
{
    for (const struct tw_format *const *format = tw_formats; *format; format++)
        if ((*format)->bare_bits > 0 && strcmp((*format)->ending, tw_format_ending(path)) == 0)
            return *format;
    return NULL;
}

/* The bytes are the values: their digest is the file's, as in a lock. */
static enum tw_status decode_bare(const struct tw_format *format, const char *path,
                                  const struct tw_inspect_request *request,
                                  const unsigned char *data, size_t length,
                                  struct tw_inspection *inspection, struct tw_error *err)
{
    const struct tw_sidecar_facts *sidecar = &inspection->sidecar;
    struct tw_raw_layout layout = {request->width, request->height, format->bare_bits, false};
    if (layout.width == 0 && inspection->has_sidecar) {
        layout.width = sidecar->width;
        layout.height = sidecar->height;
    }
    layout.flip = inspection->has_sidecar && sidecar->flipped;
    if (layout.width < 1 || layout.height < 1) {
        tw_error_set(err, TW_INPUT,
                     "%s has %zu bytes and no head; expected a sidecar that says its size, or "
                     "--size WxH",
                     path, length);
        return TW_INPUT;
    }
    enum tw_status status = tw_raw_decode(data, length, &layout, &inspection->value, err);
    if (status != TW_OK)
        return status;
    struct tw_sha256 digest = tw_sha256_of(data, length);
    tw_result_describe(&inspection->value, &inspection->result);
    tw_hex(digest.at, sizeof digest.at, inspection->result.sha256);
    return TW_OK;
}

/* A digest that the file itself or its sidecar gives has to be that of what is in the file. */
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

static enum tw_status look_at(const char *path, const struct tw_inspect_request *request,
                              const unsigned char *data, size_t length,
                              struct tw_inspection *inspection, struct tw_error *err)
{
    const struct tw_format *format = tw_format_recognise(tw_formats, data, length, path);
    const struct tw_format *bare = bare_format(path);
    inspection->bytes = length;
    if (!format && bare) {
        inspection->format = bare->ending + 1;
        return decode_bare(bare, path, request, data, length, inspection, err);
    }
    if (!format)
        return tw_inspect_text(path, data, length, inspection, err);
    inspection->format = format->ending + 1;
    enum tw_status status = tw_format_decode(data, length, path, &inspection->value, err);
    if (status != TW_OK)
        return status;
    tw_result_describe(&inspection->value, &inspection->result);
    tw_notes_read(format, data, length, &inspection->notes);
    return TW_OK;
}

enum tw_status tw_inspect(const char *path, const struct tw_inspect_request *request,
                          struct tw_inspection *inspection, struct tw_error *err)
{
    unsigned char *data = NULL;
    size_t length = 0;
    char sidecar[4096];
    *inspection = (struct tw_inspection){.value = {.type = TW_HEIGHTMAP}};
    enum tw_status status = tw_file_read(path, bytes_max, &data, &length, err);
    if (status == TW_OK && tw_sidecar_find(path, sidecar)) {
        status = tw_sidecar_read(sidecar, &inspection->sidecar, err);
        inspection->has_sidecar = status == TW_OK;
    }
    if (status == TW_OK)
        status = look_at(path, request, data, length, inspection, err);
    free(data);
    if (status == TW_OK)
        check_digests(inspection);
    if (status == TW_OK && inspection->arena.failed)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    return status;
}
