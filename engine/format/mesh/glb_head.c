/* SPDX-License-Identifier: MIT */
#include "format/mesh/glb_head.h"

/* Constants of glTF 2.0: component types, purposes of a buffer view, filters, and how a picture
 * ends at its borders. */
enum { FLOAT = 5126, UNSIGNED_INT = 5125, ARRAY_BUFFER = 34962, ELEMENT_ARRAY_BUFFER = 34963 };
enum { LINEAR = 9729, LINEAR_MIPMAP_LINEAR = 9987, CLAMP_TO_EDGE = 33071 };

static bool has(const struct tw_glb *glb, int picture) { return glb->pictures[picture].length > 0; }

size_t tw_glb_stride(const struct tw_glb *glb)
{
    return TW_GLB_VERTEX_BYTES + (has(glb, TW_MESH_NORMAL) ? TW_GLB_TANGENT_BYTES : 0);
}

size_t tw_glb_buffer_bytes(const struct tw_glb *glb)
{
    size_t bytes = glb->mesh.vertices * tw_glb_stride(glb);
    for (int32_t i = 0; i < glb->mesh.level_count; i++)
        bytes += glb->mesh.levels[i].triangles * TW_GLB_TRIANGLE_BYTES;
    for (int i = 0; i < TW_MESH_PICTURES; i++)
        bytes += glb->pictures[i].length;
    return bytes;
}

/* put() and append() notice a value that is NULL because memory was short. */
static void put(struct tw_glb *glb, json_t *object, const char *key, json_t *value)
{
    glb->whole &= json_object_set_new(object, key, value) == 0;
}

static void append(struct tw_glb *glb, json_t *array, json_t *value)
{
    glb->whole &= json_array_append_new(array, value) == 0;
}

static json_t *corner(const float *at)
{
    return json_pack("[f, f, f]", (double)at[0], (double)at[1], (double)at[2]);
}

static json_t *vertex_accessor(const struct tw_glb *glb, int offset, const char *type)
{
    return json_pack("{s:i, s:i, s:i, s:I, s:s}", "bufferView", 0, "byteOffset", offset,
                     "componentType", FLOAT, "count", (json_int_t)glb->mesh.vertices, "type", type);
}

/* Accessors of the vertices, then one for the triangles of each level. */
static json_t *accessors(struct tw_glb *glb, json_t *attributes)
{
    json_t *all = json_array(), *position = vertex_accessor(glb, 0, "VEC3");
    put(glb, position, "min", corner(glb->low));
    put(glb, position, "max", corner(glb->high));
    append(glb, all, position);
    append(glb, all, vertex_accessor(glb, 12, "VEC3"));
    append(glb, all, vertex_accessor(glb, 24, "VEC2"));
    put(glb, attributes, "POSITION", json_integer(0));
    put(glb, attributes, "NORMAL", json_integer(1));
    put(glb, attributes, "TEXCOORD_0", json_integer(2));
    if (has(glb, TW_MESH_NORMAL)) {
        append(glb, all, vertex_accessor(glb, TW_GLB_VERTEX_BYTES, "VEC4"));
        put(glb, attributes, "TANGENT", json_integer(3));
    }
    for (int32_t i = 0; i < glb->mesh.level_count; i++)
        append(glb, all,
               json_pack("{s:i, s:i, s:I, s:s}", "bufferView", (int)i + 1, "componentType",
                         UNSIGNED_INT, "count", (json_int_t)(3 * glb->mesh.levels[i].triangles),
                         "type", "SCALAR"));
    return all;
}

static json_t *view(size_t *offset, size_t length)
{
    json_t *object = json_pack("{s:i, s:I, s:I}", "buffer", 0, "byteOffset", (json_int_t)*offset,
                               "byteLength", (json_int_t)length);
    *offset += length;
    return object;
}

/* Buffer views in the order of the buffer's content. */
static json_t *views(struct tw_glb *glb)
{
    json_t *all = json_array();
    size_t offset = 0;
    json_t *vertices = view(&offset, glb->mesh.vertices * tw_glb_stride(glb));
    put(glb, vertices, "byteStride", json_integer((json_int_t)tw_glb_stride(glb)));
    put(glb, vertices, "target", json_integer(ARRAY_BUFFER));
    append(glb, all, vertices);
    for (int32_t i = 0; i < glb->mesh.level_count; i++) {
        json_t *corners =
            view(&offset, glb->mesh.levels[i].triangles * (size_t)TW_GLB_TRIANGLE_BYTES);
        put(glb, corners, "target", json_integer(ELEMENT_ARRAY_BUFFER));
        append(glb, all, corners);
    }
    for (int i = 0; i < TW_MESH_PICTURES; i++)
        if (has(glb, i)) {
            append(glb, all, view(&offset, glb->picture_bytes[i]));
            offset += glb->pictures[i].length - glb->picture_bytes[i];
        }
    return all;
}

/* Adds the pictures as images and textures; texture[i] is the texture of picture i, or -1. */
static void add_pictures(struct tw_glb *glb, json_t *root, int texture[TW_MESH_PICTURES])
{
    json_t *images = json_array(), *textures = json_array();
    int count = 0;
    for (int i = 0; i < TW_MESH_PICTURES; i++) {
        texture[i] = has(glb, i) ? count : -1;
        if (!has(glb, i))
            continue;
        append(glb, images,
               json_pack("{s:s, s:i, s:s}", "name", tw_mesh_parts[i].name, "bufferView",
                         (int)glb->mesh.level_count + 1 + count, "mimeType", "image/png"));
        append(glb, textures, json_pack("{s:i, s:i}", "source", count, "sampler", 0));
        count++;
    }
    put(glb, root, "images", images);
    put(glb, root, "textures", textures);
    put(glb, root, "samplers",
        json_pack("[{s:i, s:i, s:i, s:i}]", "magFilter", LINEAR, "minFilter", LINEAR_MIPMAP_LINEAR,
                  "wrapS", CLAMP_TO_EDGE, "wrapT", CLAMP_TO_EDGE));
}

static json_t *material(struct tw_glb *glb, const char *name, int colour, int normal)
{
    json_t *surface = json_pack("{s:i, s:i}", "metallicFactor", 0, "roughnessFactor", 1);
    if (colour >= 0)
        put(glb, surface, "baseColorTexture", json_pack("{s:i}", "index", colour));
    json_t *object = json_pack("{s:s, s:o}", "name", name, "pbrMetallicRoughness", surface);
    if (normal >= 0)
        put(glb, object, "normalTexture", json_pack("{s:i}", "index", normal));
    return object;
}

/* Adds the material with colours and normals, and a variant that shows the splat picture
 * (KHR_materials_variants): glTF has no place for such a picture. */
static void add_materials(struct tw_glb *glb, json_t *root)
{
    int texture[TW_MESH_PICTURES];
    add_pictures(glb, root, texture);
    json_t *all =
        json_pack("[o]", material(glb, "terrain", texture[TW_MESH_COLOR], texture[TW_MESH_NORMAL]));
    if (has(glb, TW_MESH_SPLAT)) {
        append(glb, all, material(glb, "splat", texture[TW_MESH_SPLAT], texture[TW_MESH_NORMAL]));
        put(glb, root, "extensions",
            json_pack("{s:{s:[{s:s}, {s:s}]}}", "KHR_materials_variants", "variants", "name",
                      "terrain", "name", "splat"));
        append(glb, json_object_get(root, "extensionsUsed"), json_string("KHR_materials_variants"));
    }
    put(glb, root, "materials", all);
}

static json_t *mesh_of(struct tw_glb *glb, int32_t level, bool has_material, json_t *attributes)
{
    const struct tw_mesh_level *of = &glb->mesh.levels[level];
    const int first = has(glb, TW_MESH_NORMAL) ? 4 : 3; /* accessor of the first triangles */
    json_t *primitive =
        json_pack("{s:O, s:i}", "attributes", attributes, "indices", first + (int)level);
    if (has_material)
        put(glb, primitive, "material", json_integer(0));
    if (has(glb, TW_MESH_SPLAT))
        put(glb, primitive, "extensions",
            json_pack("{s:{s:[{s:i, s:[i]}, {s:i, s:[i]}]}}", "KHR_materials_variants", "mappings",
                      "material", 0, "variants", 0, "material", 1, "variants", 1));
    json_t *object = json_pack("{s:[o]}", "primitives", primitive);
    if (of->corners) /* simplified */
        put(glb, object, "extras",
            json_pack("{s:I, s:f}", "triangles", (json_int_t)of->triangles, "error_m", of->error));
    return object;
}

/* Adds a mesh and a node per level; the first node names the others. */
static void add_levels(struct tw_glb *glb, json_t *root, bool has_material, json_t *attributes)
{
    json_t *meshes = json_array(), *nodes = json_array(), *coarser = json_array();
    for (int32_t i = 0; i < glb->mesh.level_count; i++) {
        append(glb, meshes, mesh_of(glb, i, has_material, attributes));
        append(glb, nodes, json_pack("{s:i}", "mesh", (int)i));
        if (i > 0)
            append(glb, coarser, json_integer(i));
    }
    if (glb->mesh.level_count > 1) {
        put(glb, json_array_get(nodes, 0), "extensions",
            json_pack("{s:{s:O}}", "MSFT_lod", "ids", coarser));
        append(glb, json_object_get(root, "extensionsUsed"), json_string("MSFT_lod"));
    }
    json_decref(coarser);
    put(glb, root, "nodes", nodes);
    put(glb, root, "meshes", meshes);
}

json_t *tw_glb_head(struct tw_glb *glb)
{
    glb->whole = true;
    json_t *root =
        json_pack("{s:{s:s, s:s}, s:[], s:i, s:[{s:[i]}]}", "asset", "version", "2.0", "generator",
                  "thalweg", "extensionsUsed", "scene", 0, "scenes", "nodes", 0);
    json_t *attributes = json_object();
    const bool has_material =
        has(glb, TW_MESH_COLOR) || has(glb, TW_MESH_NORMAL) || has(glb, TW_MESH_SPLAT);
    put(glb, root, "accessors", accessors(glb, attributes));
    put(glb, root, "bufferViews", views(glb));
    put(glb, root, "buffers",
        json_pack("[{s:I}]", "byteLength", (json_int_t)tw_glb_buffer_bytes(glb)));
    if (has_material)
        add_materials(glb, root);
    add_levels(glb, root, has_material, attributes);
    json_decref(attributes);
    if (json_array_size(json_object_get(root, "extensionsUsed")) == 0)
        json_object_del(root, "extensionsUsed");
    if (glb->whole)
        return root;
    json_decref(root);
    return NULL;
}
