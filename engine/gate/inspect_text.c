/* SPDX-License-Identifier: MIT */
/* Files that hold no map: counts what is in them. Each is untrusted input. */
#include "base/text/json.h"
#include "gate/inspect.h"
#include "gate/lock.h"

#include <stdlib.h>
#include <string.h>

/* As locks describe a text file: the digest is that of its bytes. */
static void describe(struct tw_inspection *inspection, const char *format,
                     const unsigned char *data, size_t length)
{
    struct tw_sha256 digest = tw_sha256_of(data, length);
    inspection->format = format;
    inspection->result.type = format;
    tw_hex(digest.at, sizeof digest.at, inspection->result.sha256);
}

static void say_sidecar(struct tw_inspection *inspection, const json_t *root)
{
    const char *file = json_string_value(json_object_get(root, "file"));
    tw_inspect_say(inspection, "describes", "%s", file ? file : "");
    inspection->format = "sidecar";
}

static enum tw_status inspect_json(const char *path, const unsigned char *data, size_t length,
                                   struct tw_inspection *inspection, struct tw_error *err)
{
    json_error_t why;
    json_t *root;
    enum tw_status status = tw_json_load(data, length, 0, &root, &why);
    if (status == TW_MEMORY)
        return tw_error_set(err, status, "out of memory");
    if (status != TW_OK)
        return tw_error_set(err, status, "%s:%d:%d: %s; expected JSON", path, why.line, why.column,
                            why.text);
    const char *schema = json_string_value(json_object_get(root, "schema"));
    if (!schema)
        schema = json_string_value(json_object_get(root, "format"));
    describe(inspection, "json", data, length);
    tw_inspect_say(inspection, "holds", "%s", json_is_object(root) ? "an object" : "a list");
    tw_inspect_say(inspection, json_is_object(root) ? "members" : "elements", "%zu",
                   json_is_object(root) ? json_object_size(root) : json_array_size(root));
    if (schema)
        tw_inspect_say(inspection, "schema", "%s", schema);
    if (schema && strcmp(schema, TW_SIDECAR_SCHEMA) == 0)
        say_sidecar(inspection, root);
    json_decref(root);
    return TW_OK;
}

static void inspect_csv(const unsigned char *data, size_t length, struct tw_inspection *inspection)
{
    size_t lines = 0, columns = 1;
    describe(inspection, "csv", data, length);
    for (size_t i = 0; i < length; i++) {
        columns += lines == 0 && data[i] == ',';
        lines += data[i] == '\n';
    }
    lines += length > 0 && data[length - 1] != '\n';
    tw_inspect_say(inspection, "columns", "%zu", columns);
    tw_inspect_say(inspection, "rows", "%zu", lines > 0 ? lines - 1 : 0);
}

static void inspect_obj(const unsigned char *data, size_t length, struct tw_inspection *inspection)
{
    size_t vertices = 0, faces = 0;
    describe(inspection, "obj", data, length);
    for (size_t i = 0; i + 1 < length; i++) {
        bool begins = i == 0 || data[i - 1] == '\n';
        vertices += begins && data[i] == 'v' && data[i + 1] == ' ';
        faces += begins && data[i] == 'f' && data[i + 1] == ' ';
    }
    tw_inspect_say(inspection, "vertices", "%zu", vertices);
    tw_inspect_say(inspection, "faces", "%zu", faces);
}

static size_t word_at(const unsigned char *at)
{
    return (size_t)at[0] | (size_t)at[1] << 8 | (size_t)at[2] << 16 | (size_t)at[3] << 24;
}

/* Returns the number of elements of accessor `i`. */
static long long count_of(const json_t *root, const json_t *i)
{
    const json_t *accessor = json_is_integer(i) ? json_array_get(json_object_get(root, "accessors"),
                                                                 (size_t)json_integer_value(i))
                                                : NULL;
    return (long long)json_integer_value(json_object_get(accessor, "count"));
}

/* A header of twelve bytes, then chunks: length, type, data; the first chunk is JSON. */
static enum tw_status inspect_glb(const char *path, const unsigned char *data, size_t length,
                                  struct tw_inspection *inspection, struct tw_error *err)
{
    enum { HEAD = 12, CHUNK = 8 };
    json_error_t why;
    json_t *root = NULL;
    size_t json = length >= HEAD + CHUNK ? word_at(data + HEAD) : 0;
    if (length < HEAD + CHUNK || word_at(data + 8) != length || json > length - HEAD - CHUNK ||
        memcmp(data + HEAD + 4, "JSON", 4) != 0)
        return tw_error_set(err, TW_INPUT,
                            "damaged .glb: %s has %zu bytes, which its header does not say", path,
                            length);
    enum tw_status status = tw_json_load(data + HEAD + CHUNK, json, 0, &root, &why);
    if (status == TW_MEMORY)
        return tw_error_set(err, status, "out of memory");
    if (status != TW_OK)
        return tw_error_set(err, status, "damaged .glb: %s: %s", path, why.text);
    const json_t *mesh = json_array_get(json_object_get(root, "meshes"), 0);
    const json_t *part = json_array_get(json_object_get(mesh, "primitives"), 0);
    describe(inspection, "glb", data, length);
    tw_inspect_say(
        inspection, "vertices", "%lld",
        count_of(root, json_object_get(json_object_get(part, "attributes"), "POSITION")));
    tw_inspect_say(inspection, "triangles", "%lld",
                   count_of(root, json_object_get(part, "indices")) / 3);
    json_decref(root);
    return TW_OK;
}

static enum tw_status inspect_lock(const char *path, const unsigned char *data, size_t length,
                                   struct tw_inspection *inspection, struct tw_error *err)
{
    const struct tw_load_options options = {.allow = NULL};
    struct tw_snapshot *snapshot = NULL;
    enum tw_status status = tw_lock_read(path, &options, &snapshot, err);
    if (status != TW_OK)
        return status;
    describe(inspection, "lock", data, length);
    tw_inspect_say(inspection, "engine", "thalweg %s", snapshot->engine);
    tw_inspect_say(inspection, "nodes", "%d", (int)snapshot->node_count);
    tw_inspect_say(inspection, "outputs", "%d", (int)snapshot->output_count);
    tw_inspect_say(inspection, "exports", "%d", (int)snapshot->export_count);
    tw_snapshot_release(snapshot);
    return TW_OK;
}

enum tw_status tw_inspect_text(const char *path, const unsigned char *data, size_t length,
                               struct tw_inspection *inspection, struct tw_error *err)
{
    const char *ending = tw_format_ending(path);
    if (length >= 4 && memcmp(data, "glTF", 4) == 0)
        return inspect_glb(path, data, length, inspection, err);
    if (length >= 13 && memcmp(data, "thalweg-lock:", 13) == 0)
        return inspect_lock(path, data, length, inspection, err);
    if (strcmp(ending, ".json") == 0)
        return inspect_json(path, data, length, inspection, err);
    if (strcmp(ending, ".csv") == 0)
        inspect_csv(data, length, inspection);
    else if (strcmp(ending, ".obj") == 0)
        inspect_obj(data, length, inspection);
    else
        return tw_error_set(err, TW_INPUT,
                            "%s is of an unknown format; expected a map, a picture, a mesh, a "
                            "list, a sidecar or a lock",
                            path);
    return TW_OK;
}
