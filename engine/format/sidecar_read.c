/* SPDX-License-Identifier: MIT */
/* Sidecars are untrusted input: any member may be missing, of another type or out of range. */
#include "base/os/file.h"
#include "base/os/links.h"
#include "base/text/json.h"
#include "format/sidecar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDECAR_BYTES_MAX = 1 << 20 };
#define SCHEMA_OF_ANY_VERSION "thalweg.sidecar/"

static bool contains(const unsigned char *data, size_t length, const char *word)
{
    size_t size = strlen(word);
    for (size_t i = 0; i + size <= length; i++)
        if (memcmp(data + i, word, size) == 0)
            return true;
    return false;
}

/* *root is NULL unless TW_OK. Sets *meant if the bytes identify a sidecar, valid JSON or not. */
static enum tw_status load(const char *path, json_t **root, bool *meant, struct tw_error *err)
{
    unsigned char *data = NULL;
    size_t length = 0;
    json_error_t why = {.text = ""};
    *root = NULL;
    enum tw_status status = tw_file_read(path, SIDECAR_BYTES_MAX, &data, &length, err);
    if (status != TW_OK)
        return status;
    *meant = contains(data, length, SCHEMA_OF_ANY_VERSION);
    status = tw_json_load(data, length, JSON_REJECT_DUPLICATES, root, &why);
    char *quoted = strstr(why.text, " near '");
    if (status == TW_MEMORY) {
        tw_error_set(err, status, "no memory to read %s", path);
    } else if (status != TW_OK) {
        if (quoted)
            *quoted = 0;
        tw_error_set(err, status, "%s:%d:%d: %s; expected JSON", path, why.line, why.column,
                     why.text);
    }
    free(data);
    return status;
}

static bool is_sidecar(const json_t *root)
{
    const char *schema = json_string_value(json_object_get(root, "schema"));
    return schema && strncmp(schema, SCHEMA_OF_ANY_VERSION, strlen(SCHEMA_OF_ANY_VERSION)) == 0;
}

/* Files without a header may have been renamed: .raw and .r16 hold identical bytes. */
static bool describes(const json_t *root, const char *file)
{
    const char *format = json_string_value(json_object_get(root, "format"));
    const char *ending = tw_format_ending(file);
    if (!format || tw_format_bare(file) || !ending[0])
        return true;
    size_t at = 0;
    while (ending[at + 1] && (ending[at + 1] | 0x20) == (format[at] | 0x20))
        at++;
    bool longer = strcmp(format, "tif") == 0 && strcmp(ending + 1 + at, "f") == 0; /* .tiff */
    return !format[at] && (!ending[at + 1] || longer);
}

enum tw_status tw_sidecar_is_of(const char *path, const char *file, bool named, bool *is,
                                struct tw_error *err)
{
    const bool bare = tw_format_bare(file) != NULL;
    struct tw_error why;
    struct tw_file_id id;
    bool meant = false;
    json_t *root = NULL;
    enum tw_status status = tw_file_identify(path, true, &id, &why);
    const bool exists = status == TW_OK && id.exists;
    if (exists)
        status = load(path, &root, &meant, &why);
    if (root && is_sidecar(root))
        *is = describes(root, file);
    else if (status == TW_INPUT)
        *is = named || bare || meant;
    else
        *is = exists && named && bare;
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
        status = tw_sidecar_is_of(path, file, true, found, err);
    if (status != TW_OK || *found)
        return status;
    if (snprintf(path, 4096, "%.*s.json", (int)stem, file) < 4096 && strcmp(path, file) != 0)
        status = tw_sidecar_is_of(path, file, false, found, err);
    return status;
}

/* ---- members ---- */

static void copy_text(const json_t *root, const char *name, char *to, size_t size)
{
    const char *text = json_string_value(json_object_get(root, name));
    snprintf(to, size, "%s", text ? text : "");
}

static double number_of(const json_t *root, const char *name)
{
    return json_number_value(json_object_get(root, name));
}

/* Returns 0 for anything but a valid map side. */
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

/* Lists may be wider than maps. */
static bool is_of_a_list(const json_t *root)
{
    const char *type = json_string_value(json_object_get(root, "type"));
    for (int i = 0; type && i < TW_TYPE_COUNT; i++)
        if (strcmp(type, tw_type_name((enum tw_type)i)) == 0)
            return !tw_type_is_grid((enum tw_type)i);
    return false;
}

static bool is_height(const json_t *number) { return !number || json_number_value(number) > 0; }

static bool is_order_of_rows(const json_t *rows)
{
    const char *text = json_string_value(rows);
    return !rows ||
           (text && (strcmp(text, "north to south") == 0 || strcmp(text, "south to north") == 0));
}

static bool is_range(const json_t *range)
{
    return !range || (json_is_number(json_object_get(range, "low")) &&
                      json_is_number(json_object_get(range, "high")) &&
                      number_of(range, "low") < number_of(range, "high"));
}

/* Returns what an invalid member is expected to be, with its name in *name; NULL: all are valid. */
static const char *find_fault(const json_t *root, const char **name)
{
    const json_t *metres = json_object_get(root, "metres");
    const bool sized = !is_of_a_list(root);
    const struct {
        const char *name, *expected;
        bool ok;
    } members[] = {
        {"width", "a whole number from 1 to 65536",
         !sized || !json_object_get(root, "width") || side_of(root, "width") > 0},
        {"height", "a whole number from 1 to 65536",
         !sized || !json_object_get(root, "height") || side_of(root, "height") > 0},
        {"bpp", "16 or 32",
         !json_object_get(root, "bpp") || json_is_integer(json_object_get(root, "bpp"))},
        {"rows", "north to south or south to north",
         is_order_of_rows(json_object_get(root, "rows"))},
        {"range", "low and high, one below the other", is_range(json_object_get(root, "range"))},
        {"metres_of_1", "a number above 0", is_height(json_object_get(root, "metres_of_1"))},
        {"height_of_1", "a number above 0", is_height(json_object_get(metres, "height_of_1"))},
    };
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        *name = members[i].name;
        if (!members[i].ok)
            return members[i].expected;
    }
    return NULL;
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

/* Refuses a sidecar of another version, or another kind of file. */
static enum tw_status refuse_schema(const char *path, const json_t *root, struct tw_error *err)
{
    return tw_error_set(err, TW_INPUT,
                        is_sidecar(root)
                            ? "%s is a sidecar of another version; expected " TW_SIDECAR_SCHEMA
                            : "%s is not a sidecar; expected schema " TW_SIDECAR_SCHEMA,
                        path);
}

enum tw_status tw_sidecar_read(const char *path, struct tw_sidecar_facts *facts,
                               struct tw_error *err)
{
    const char *name, *expected;
    bool meant;
    json_t *root;
    *facts = (struct tw_sidecar_facts){.width = 0};
    snprintf(facts->path, sizeof facts->path, "%s", path);
    enum tw_status status = load(path, &root, &meant, err);
    const char *schema = json_string_value(json_object_get(root, "schema"));
    if (status == TW_OK && (!schema || strcmp(schema, TW_SIDECAR_SCHEMA) != 0))
        status = refuse_schema(path, root, err);
    else if (status == TW_OK && (expected = find_fault(root, &name)))
        status =
            tw_error_set(err, TW_INPUT, "%s: its %s is not one; expected %s", path, name, expected);
    if (status == TW_OK)
        read_facts(root, facts);
    json_decref(root);
    return status;
}

float tw_sidecar_height_of_1(const struct tw_sidecar_facts *facts)
{
    const double most = 1e9; /* as `range:` allows */
    double height = facts->height_m > 0 && facts->metres_of_1 != facts->height_m
                        ? facts->metres_of_1 / facts->height_m
                        : 1;
    return height > 0 && height <= most && (float)height > 0 ? (float)height : 1;
}
