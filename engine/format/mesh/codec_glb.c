/* SPDX-License-Identifier: MIT */
/* Height maps as binary glTF 2.0: one buffer of vertices, triangles by level of detail, and the
 * pictures of the material as PNG. */
#include "base/memory/byte_order.h"
#include "base/text/json.h"
#include "format/mesh/glb_head.h"

#include <stdlib.h>
#include <string.h>

static const struct tw_param options[] = {
    TW_MESH_OPTIONS,
    TW_PARAM_I32(struct tw_mesh_options, levels, 1, 1, TW_MESH_LEVELS_MAX, TW_UNIT_NONE,
                 "levels of detail (MSFT_lod), each with a quarter of the triangles before it"),
    TW_PARAM_END,
};

/* Bytes of a file without pictures and tangents, if it is not simplified. */
static size_t plain_bytes(int32_t width, int32_t height, const struct tw_mesh_options *o)
{
    const struct tw_mesh mesh = tw_mesh_lay_out(width, height, o);
    return mesh.vertices * TW_GLB_VERTEX_BYTES + mesh.levels[0].triangles * TW_GLB_TRIANGLE_BYTES;
}

static bool holds(int32_t width, int32_t height, const void *given, struct tw_error *err)
{
    struct tw_mesh_options o = *(const struct tw_mesh_options *)given;
    if (!tw_mesh_holds(width, height, given, err))
        return false;
    if (o.error > 0 || o.triangles > 0 || plain_bytes(width, height, &o) <= TW_GLB_BYTES_MAX)
        return true;
    do
        o.step++;
    while (plain_bytes(width, height, &o) > TW_GLB_BYTES_MAX); /* each takes much of the size */
    tw_error_set(err, TW_NODE,
                 "the map has %d x %d cells; a .glb, of 4 GiB at most, expects a step of at least "
                 "%d",
                 (int)width, (int)height, (int)o.step);
    return false;
}

static enum tw_status append_u32(struct tw_bytes *out, size_t number, struct tw_error *err)
{
    unsigned char at[4];
    tw_put_u32(at, (uint32_t)number);
    return tw_bytes_append(out, at, sizeof at, err);
}

static enum tw_status append_chunk_head(struct tw_bytes *out, size_t length, const char *kind,
                                        struct tw_error *err)
{
    enum tw_status status = append_u32(out, length, err);
    return status == TW_OK ? tw_bytes_append(out, kind, 4, err) : status;
}

static enum tw_status append_vertex(struct tw_bytes *out, const struct tw_glb *glb, size_t i,
                                    struct tw_error *err)
{
    const struct tw_mesh_vertex vertex = tw_mesh_vertex_at(&glb->mesh, i);
    unsigned char at[TW_GLB_VERTEX_BYTES + TW_GLB_TANGENT_BYTES];
    for (size_t axis = 0; axis < 3; axis++) {
        tw_put_f32(at + 4 * axis, vertex.position[axis]);
        tw_put_f32(at + 12 + 4 * axis, vertex.normal[axis]);
    }
    for (size_t axis = 0; axis < 2; axis++)
        tw_put_f32(at + 24 + 4 * axis, vertex.uv[axis]);
    for (size_t axis = 0; axis < 4; axis++)
        tw_put_f32(at + TW_GLB_VERTEX_BYTES + 4 * axis, vertex.tangent[axis]);
    return tw_bytes_append(out, at, tw_glb_stride(glb), err);
}

static enum tw_status append_triangle(void *context, const size_t corners[3], struct tw_error *err)
{
    unsigned char at[TW_GLB_TRIANGLE_BYTES];
    for (int i = 0; i < 3; i++)
        tw_put_u32(at + 4 * i, (uint32_t)corners[i]);
    return tw_bytes_append(context, at, sizeof at, err);
}

static enum tw_status append_buffers(struct tw_bytes *out, const struct tw_glb *glb,
                                     struct tw_error *err)
{
    enum tw_status status = TW_OK;
    for (size_t i = 0; status == TW_OK && i < glb->mesh.vertices; i++)
        status = append_vertex(out, glb, i, err);
    for (int32_t i = 0; status == TW_OK && i < glb->mesh.level_count; i++)
        status = tw_mesh_each_triangle(&glb->mesh, i, append_triangle, out, err);
    for (int i = 0; status == TW_OK && i < TW_MESH_PICTURES; i++)
        if (glb->pictures[i].length > 0)
            status = tw_bytes_append(out, glb->pictures[i].at, glb->pictures[i].length, err);
    return status;
}

/* Packs the pictures, each filled up to four bytes with what follows a PNG's end. */
static enum tw_status pack_pictures(const struct tw_encoding *encoding, struct tw_glb *glb,
                                    struct tw_error *err)
{
    enum tw_status status = TW_OK;
    for (int i = 0; status == TW_OK && i < TW_MESH_PICTURES; i++) {
        const struct tw_value *picture = tw_encoding_part(encoding, i);
        struct tw_bytes *png = &glb->pictures[i];
        if (!picture)
            continue;
        png->stop = encoding->stop;
        status = tw_png_encode(picture, NULL, png, err);
        glb->picture_bytes[i] = png->length;
        if (status == TW_OK)
            status = tw_bytes_append(png, "\0\0\0", (4 - png->length % 4) % 4, err);
    }
    return status;
}

static enum tw_status find_box(const struct tw_encoding *encoding, struct tw_glb *glb,
                               struct tw_error *err)
{
    enum tw_status status = TW_OK;
    for (size_t i = 0; status == TW_OK && i < glb->mesh.vertices; i++) {
        const struct tw_mesh_vertex vertex = tw_mesh_vertex_at(&glb->mesh, i);
        for (int axis = 0; axis < 3; axis++) {
            const float at = vertex.position[axis];
            glb->low[axis] = i == 0 || at < glb->low[axis] ? at : glb->low[axis];
            glb->high[axis] = i == 0 || at > glb->high[axis] ? at : glb->high[axis];
        }
        status = tw_codec_poll(encoding, err);
    }
    return status;
}

static enum tw_status append_file(const struct tw_glb *glb, const struct tw_bytes *text,
                                  struct tw_bytes *out, struct tw_error *err)
{
    const size_t padded = (text->length + 3) / 4 * 4, rest = tw_glb_buffer_bytes(glb);
    if (rest > TW_GLB_BYTES_MAX)
        return tw_error_set(err, TW_NODE,
                            "the mesh and its pictures have %zu bytes; expected 4 GiB at most, by "
                            "a greater step or smaller pictures",
                            rest);
    enum tw_status status = tw_bytes_append(out, "glTF\2\0\0\0", 8, err);
    if (status == TW_OK)
        status = append_u32(out, 12 + 8 + padded + 8 + rest, err);
    if (status == TW_OK)
        status = append_chunk_head(out, padded, "JSON", err);
    if (status == TW_OK)
        status = tw_bytes_append(out, text->at, text->length, err);
    if (status == TW_OK)
        status = tw_bytes_append(out, "   ", padded - text->length, err);
    if (status == TW_OK)
        status = append_chunk_head(out, rest, "BIN\0", err);
    return status == TW_OK ? append_buffers(out, glb, err) : status;
}

static enum tw_status encode(const struct tw_encoding *encoding, struct tw_bytes *out,
                             struct tw_error *err)
{
    struct tw_glb glb = {.low = {0}};
    struct tw_bytes text = {0};
    enum tw_status status = tw_mesh_prepare(encoding, &glb.mesh, err);
    if (status == TW_OK)
        status = find_box(encoding, &glb, err);
    if (status == TW_OK)
        status = pack_pictures(encoding, &glb, err);
    if (status == TW_OK)
        status =
            tw_json_print(tw_glb_head(&glb), JSON_COMPACT | JSON_REAL_PRECISION(9), &text, err);
    if (status == TW_OK)
        status = append_file(&glb, &text, out, err);
    for (int i = 0; i < TW_MESH_PICTURES; i++)
        free(glb.pictures[i].at);
    tw_mesh_release(&glb.mesh);
    free(text.at);
    return status;
}

extern const struct tw_format tw_format_glb;
const struct tw_format tw_format_glb = {
    .ending = ".glb",
    .help = "a triangle mesh as binary glTF, y up, in metres of `world:`; of 2 x 2 cells at least, "
            "4 GiB at most",
    .types = TW_HEIGHTS,
    .parts = tw_mesh_parts,
    .holds = holds,
    .physical = true,
    .options = options,
    .options_size = sizeof(struct tw_mesh_options),
    .encode = encode,
    .bytes = tw_mesh_bytes,
    .varies = tw_mesh_varies,
    .sha256 = tw_mesh_sha256,
    .describe_contents = tw_mesh_describe,
};
