/* SPDX-License-Identifier: MIT */
/* Sidecars are untrusted input: every member may be missing, of another type or beyond all limits.
 */
#include "base/file.h"
#include "base/json.h"
#include "base/links.h"
#include "field/sidecar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDECAR_BYTES_MAX = 1 << 20 };

/* *root is NULL unless TW_OK. */
static enum tw_status load(const char *path, json_t **root, struct tw_error *err)
{
    unsigned char *data = NULL;
    size_t length = 0;
    json_error_t why;
    *root = NULL;
    enum tw_status status = tw_file_read(path, SIDECAR_BYTES_MAX, &data, &length, err);
    if (status != TW_OK)
        return status;
    status = tw_json_load(data, length, JSON_REJECT_DUPLICATES, root, &why);
    if (status == TW_MEMORY)
        tw_error_set(err, status, "no memory to read %s", path);
    else if (status != TW_OK)
        tw_error_set(err, status, "%s:%d:%d: %s; expected JSON", path, why.line, why.column,
                     why.text);
    free(data);
    return status;
}

static bool is_sidecar(const json_t *root)
{
    const char *schema = json_string_value(json_object_get(root, "schema"));
    return schema && strcmp(schema, TW_SIDECAR_SCHEMA) == 0;
}

enum tw_status tw_sidecar_is_one(const char *path, bool *is, struct tw_error *err)
{
    struct tw_error why;
    struct tw_file_id id;
    json_t *root = NULL;
    enum tw_status status = tw_file_identify(path, true, &id, &why);
    if (status == TW_OK && id.exists)
        status = load(path, &root, &why);
    *is = is_sidecar(root);
    json_decref(root);
    if (status != TW_MEMORY && status != TW_IO)
        return TW_OK;
    if (err)
        *err = why;
    return status;
}

enum tw_status tw_sidecar_check_links(const char *file, bool *linked, struct tw_error *err)
{
    const char *ending = tw_format_ending(file);
    const size_t lengths[] = {strlen(file), strlen(file) - strlen(ending)};
    enum tw_status status = tw_links_check(file, err);
    *linked = tw_links_lead_to(file);
    for (int i = 0; status == TW_OK && i < 2; i++) {
        char path[4096];
        if (snprintf(path, sizeof path, "%.*s.json", (int)lengths[i], file) >= (int)sizeof path ||
            !tw_links_lead_to(path))
            continue;
        *linked = true;
        status = tw_links_check(path, err);
    }
    return status;
}

enum tw_status tw_sidecar_find(const char *file, char path[4096], bool *found, struct tw_error *err)
{
    const char *ending = tw_format_ending(file);
    size_t stem = (size_t)(ending[0] ? ending - file : (ptrdiff_t)strlen(file));
    enum tw_status status = TW_OK;
    *found = false;
    if (snprintf(path, 4096, "%s.json", file) < 4096)
        status = tw_sidecar_is_one(path, found, err);
    if (status != TW_OK || *found)
        return status;
    if (snprintf(path, 4096, "%.*s.json", (int)stem, file) < 4096 && strcmp(path, file) != 0)
        status = tw_sidecar_is_one(path, found, err);
    return status;
}

static void copy_text(const json_t *root, const char *name, char *to, size_t size)
{
    const char *text = json_string_value(json_object_get(root, name));
    snprintf(to, size, "%s", text ? text : "");
}

static double number_of(const json_t *root, const char *name)
{
    return json_number_value(json_object_get(root, name));
}

/* 0 for anything but a side of a map. */
static int32_t side_of(const json_t *root, const char *name)
{
    json_int_t side = json_integer_value(json_object_get(root, name));
    return side >= 1 && side <= TW_SIDE_MAX ? (int32_t)side : 0;
}

static void read_range(const json_t *range, struct tw_sidecar_facts *facts)
{
    facts->low = number_of(range, "low");
    facts->high = number_of(range, "high");
    facts->ranged = facts->low < facts->high;
}

static void read_facts(const json_t *root, struct tw_sidecar_facts *facts)
{
    const json_t *metres = json_object_get(root, "metres");
    const char *rows = json_string_value(json_object_get(root, "rows"));
    const char *type = json_string_value(json_object_get(root, "type"));
    json_int_t bits = json_integer_value(json_object_get(root, "bpp"));
    facts->width = side_of(root, "width");
    facts->height = side_of(root, "height");
    facts->bits = bits == 16 || bits == 32 ? (int)bits : 0;
    facts->flipped = rows && strcmp(rows, "south to north") == 0;
    facts->mask = type && strcmp(type, tw_type_name(TW_MASK)) == 0;
    facts->cell_m = number_of(metres, "cell");
    facts->height_m = number_of(metres, "height_of_1");
    facts->sea_m = number_of(metres, "sea");
    facts->metres_of_1 = number_of(root, "metres_of_1");
    read_range(json_object_get(root, "range"), facts);
    copy_text(root, "sha256", facts->sha256, sizeof facts->sha256);
    copy_text(root, "engine", facts->engine, sizeof facts->engine);
    copy_text(root, "for", facts->preset, sizeof facts->preset);
    copy_text(json_object_get(root, "recipe"), "name", facts->recipe, sizeof facts->recipe);
}

enum tw_status tw_sidecar_read(const char *path, struct tw_sidecar_facts *facts,
                               struct tw_error *err)
{
    *facts = (struct tw_sidecar_facts){.width = 0};
    snprintf(facts->path, sizeof facts->path, "%s", path);
    json_t *root;
    enum tw_status status = load(path, &root, err);
    if (status == TW_OK && is_sidecar(root))
        read_facts(root, facts);
    else if (status == TW_OK)
        status = tw_error_set(err, TW_INPUT,
                              "%s is not a sidecar; expected schema " TW_SIDECAR_SCHEMA, path);
    json_decref(root);
    return status;
}
