/* SPDX-License-Identifier: MIT */
/* Height maps as Wavefront OBJ, the mesh of a .glb as text, and the .mtl that names its pictures:
 * NAME.mtl, NAME_color.png, NAME_normal.png and NAME_splat.png lie beside NAME.obj. */
#include "base/text/number.h"
#include "format/mesh/companions.h"
#include "format/mesh/mesh.h"

#include <string.h>

static const struct tw_param options[] = {TW_MESH_OPTIONS, TW_PARAM_END};

static bool has_picture(const struct tw_encoding *encoding)
{
    bool any = false;
    for (int i = 0; i < TW_MESH_PICTURES; i++)
        any |= encoding->part_at[i] > 0;
    return any;
}

static int stem_length(const char *file) { return (int)(tw_format_ending(file) - file); }

static enum tw_status append_floats(struct tw_bytes *out, const char *kind, const float *numbers,
                                    int count, struct tw_error *err)
{
    char text[32];
    enum tw_status status = tw_bytes_append(out, kind, strlen(kind), err);
    for (int i = 0; status == TW_OK && i < count; i++) {
        tw_number_print_float(text, sizeof text, numbers[i]);
        status = tw_bytes_print(out, err, " %s", text);
    }
    return status == TW_OK ? tw_bytes_append(out, "\n", 1, err) : status;
}

/* v of OBJ grows upwards, from the south. */
static enum tw_status append_vertex(struct tw_bytes *out, const struct tw_mesh *mesh, size_t i,
                                    struct tw_error *err)
{
    const struct tw_mesh_vertex vertex = tw_mesh_vertex_at(mesh, i);
    const float uv[] = {vertex.uv[0], 1 - vertex.uv[1]};
    enum tw_status status = append_floats(out, "v", vertex.position, 3, err);
    if (status == TW_OK)
        status = append_floats(out, "vt", uv, 2, err);
    return status == TW_OK ? append_floats(out, "vn", vertex.normal, 3, err) : status;
}

static enum tw_status append_triangle(void *out, const size_t corners[3], struct tw_error *err)
{
    const size_t a = corners[0] + 1, b = corners[1] + 1, c = corners[2] + 1;
    return tw_bytes_print(out, err, "f %zu/%zu/%zu %zu/%zu/%zu %zu/%zu/%zu\n", a, a, a, b, b, b, c,
                          c, c);
}

static enum tw_status append_head(const struct tw_encoding *encoding, const struct tw_mesh *mesh,
                                  struct tw_bytes *out, struct tw_error *err)
{
    const struct tw_mesh_level *level = &mesh->levels[0];
    enum tw_status status = tw_bytes_print(out, err, "# thalweg: y up, x east, z south\n");
    if (status == TW_OK && level->corners) {
        char error[32];
        tw_number_print_float(error, sizeof error, (float)level->error);
        status = tw_bytes_print(out, err, "# %zu triangles, error %s m\n", level->triangles, error);
    }
    if (status == TW_OK && has_picture(encoding) && encoding->file)
        status = tw_bytes_print(out, err, "mtllib %.*s.mtl\nusemtl terrain\n",
                                stem_length(encoding->file), encoding->file);
    return status;
}

static enum tw_status encode_obj(const struct tw_encoding *encoding, struct tw_bytes *out,
                                 struct tw_error *err)
{
    struct tw_mesh mesh;
    enum tw_status status = tw_mesh_prepare(encoding, &mesh, err);
    if (status == TW_OK)
        status = append_head(encoding, &mesh, out, err);
    for (size_t i = 0; status == TW_OK && i < mesh.vertices; i++)
        status = append_vertex(out, &mesh, i, err);
    if (status == TW_OK)
        status = tw_mesh_each_triangle(&mesh, 0, append_triangle, out, err);
    tw_mesh_release(&mesh);
    return status;
}

extern const struct tw_format tw_format_obj;
const struct tw_format tw_format_obj = {
    .ending = ".obj",
    .help = "the same mesh as text, with a `.mtl` and its pictures beside it",
    .types = TW_HEIGHTS,
    .parts = tw_mesh_parts,
    .companions = true,
    .named = true,
    .holds = tw_mesh_holds,
    .physical = true,
    .options = options,
    .options_size = sizeof(struct tw_mesh_options),
    .encode = encode_obj,
    .bytes = tw_mesh_bytes,
    .varies = tw_mesh_varies,
    .sha256 = tw_mesh_sha256,
    .describe_contents = tw_mesh_describe,
};

/* ---- .mtl ---- */

static enum tw_status encode_mtl(const struct tw_encoding *encoding, struct tw_bytes *out,
                                 struct tw_error *err)
{
    static const char *const statements[TW_MESH_PICTURES] = {
        [TW_MESH_COLOR] = "map_Kd", [TW_MESH_NORMAL] = "norm", [TW_MESH_SPLAT] = "# splat:"};
    enum tw_status status = tw_bytes_print(
        out, err, "# thalweg\nnewmtl terrain\nKa 1 1 1\nKd 1 1 1\nKs 0 0 0\nillum 1\n");
    for (int i = 0; status == TW_OK && i < TW_MESH_PICTURES; i++)
        if (encoding->part_at[i] > 0)
            status =
                tw_bytes_print(out, err, "%s %.*s_%s.png\n", statements[i],
                               stem_length(encoding->file), encoding->file, tw_mesh_parts[i].name);
    return status;
}

const struct tw_format tw_format_mtl = {
    .ending = ".mtl", .help = "the material of an .obj", .named = true, .encode = encode_mtl};
