/* SPDX-License-Identifier: MIT */
/* Height maps as triangle meshes, `.glb` (binary glTF 2.0) and `.obj`: y is up, x points east, z
 * south, and the origin is the map's centre. Lengths are those of the recipe's `world:`, in metres
 * if it gives them. Vertices lie at cell centres; normals come from central differences of the
 * heights, so that a thinned mesh is lit like the full one. */
#include "base/memory/byte_order.h"
#include "base/text/json.h"
#include "base/text/number.h"
#include "format/format.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE_MIN = 2 };                            /* a square of cells is two triangles */
static const size_t GLB_MAX = UINT32_MAX - 65536; /* bytes of buffers, whose lengths have 32 bits */

struct options {
    int32_t step;
    float skirt;
};
static const struct tw_param options[] = {
    TW_PARAM_I32(struct options, step, 1, 1, 4096, TW_UNIT_CELLS,
                 "every so many cells there is a vertex, and at all borders"),
    TW_PARAM_F32(struct options, skirt, 0, 0, 1, TW_UNIT_SIDE,
                 "how far a wall hangs down all around, which hides the gaps between tiles"),
    TW_PARAM_END,
};

struct vertex {
    float position[3], normal[3];
};

/* The grid of vertices, followed by those of the skirt's lower edge, clockwise from the
 * north-west. */
struct mesh {
    const struct tw_value *heights;
    double cell, rise; /* metres per cell, and metres of height 1 */
    int32_t step, columns, rows;
    double skirt; /* in metres; 0: none */
    size_t rim;   /* number of skirt vertices */
};

static int32_t count_of(int32_t cells, int32_t step) { return (cells - 2) / step + 2; }

/* Returns the cell of column or row i: every step-th one, and the last. */
static int32_t cell_of(int32_t i, int32_t step, int32_t cells)
{
    int64_t cell = (int64_t)i * step;
    return cell < cells ? (int32_t)cell : cells - 1;
}

static struct mesh lay_out(int32_t width, int32_t height, const struct options *o)
{
    struct mesh mesh = {
        .step = o->step, .columns = count_of(width, o->step), .rows = count_of(height, o->step)};
    if (o->skirt > 0)
        mesh.rim = 2 * ((size_t)mesh.columns + (size_t)mesh.rows) - 4;
    return mesh;
}

static size_t vertices_of(const struct mesh *mesh)
{
    return (size_t)mesh->columns * (size_t)mesh->rows + mesh->rim;
}

static size_t triangles_of(const struct mesh *mesh)
{
    return 2 * ((size_t)mesh->columns - 1) * ((size_t)mesh->rows - 1) + 2 * mesh->rim;
}

static size_t vertex_bytes(const struct mesh *mesh)
{
    return vertices_of(mesh) * sizeof(struct vertex);
}

static size_t index_bytes(const struct mesh *mesh)
{
    return triangles_of(mesh) * 3 * sizeof(uint32_t);
}

static size_t buffer_bytes(const struct mesh *mesh)
{
    return vertex_bytes(mesh) + index_bytes(mesh);
}

static bool holds_mesh(int32_t width, int32_t height, const void *unused, struct tw_error *err)
{
    (void)unused;
    if (width >= SIDE_MIN && height >= SIDE_MIN)
        return true;
    tw_error_set(err, TW_NODE, "the map has %d x %d cells; a mesh expects at least %d x %d",
                 (int)width, (int)height, SIDE_MIN, SIDE_MIN);
    return false;
}

static bool fits_glb(int32_t width, int32_t height, const struct options *o)
{
    const struct mesh mesh = lay_out(width, height, o);
    return buffer_bytes(&mesh) <= GLB_MAX;
}

static bool holds_glb(int32_t width, int32_t height, const void *given, struct tw_error *err)
{
    struct options o = *(const struct options *)given;
    if (!holds_mesh(width, height, given, err))
        return false;
    if (fits_glb(width, height, &o))
        return true;
    do
        o.step++;
    while (!fits_glb(width, height, &o)); /* few: each takes a quarter of the size */
    tw_error_set(err, TW_NODE,
                 "the map has %d x %d cells; a .glb, of 4 GiB at most, expects a step of at least "
                 "%d",
                 (int)width, (int)height, (int)o.step);
    return false;
}

static enum tw_status plan_mesh(const struct tw_encoding *encoding, struct mesh *mesh,
                                struct tw_error *err)
{
    const struct options *o = encoding->options;
    const struct tw_value *heights = encoding->values[0];
    double side = encoding->world ? encoding->world->side_m : 1;
    *mesh = lay_out(heights->width, heights->height, o);
    mesh->heights = heights;
    mesh->cell = side / heights->width;
    mesh->rise = encoding->world ? encoding->world->height_m : 1;
    mesh->skirt = (double)o->skirt * side;
    return tw_codec_check_scaled(encoding, mesh->rise, mesh->skirt, err);
}

static double height_at(const struct mesh *mesh, int32_t x, int32_t y)
{
    return mesh->rise *
           (double)tw_floats(mesh->heights)[(size_t)y * (size_t)mesh->heights->width + (size_t)x];
}

/* One-sided difference at the borders. */
static double slope(double before, double after, int32_t cells, double cell)
{
    return (after - before) / (cells * cell);
}

static struct vertex vertex_at(const struct mesh *mesh, int32_t column, int32_t row)
{
    int32_t width = mesh->heights->width, height = mesh->heights->height;
    int32_t x = cell_of(column, mesh->step, width), y = cell_of(row, mesh->step, height);
    int32_t west = x > 0 ? x - 1 : x, east = x < width - 1 ? x + 1 : x;
    int32_t north = y > 0 ? y - 1 : y, south = y < height - 1 ? y + 1 : y;
    double dx = slope(height_at(mesh, west, y), height_at(mesh, east, y), east - west, mesh->cell);
    double dz =
        slope(height_at(mesh, x, north), height_at(mesh, x, south), south - north, mesh->cell);
    double length = sqrt(dx * dx + 1 + dz * dz);
    return (struct vertex){{(float)((x - (width - 1) / 2.0) * mesh->cell),
                            (float)height_at(mesh, x, y),
                            (float)((y - (height - 1) / 2.0) * mesh->cell)},
                           {(float)(-dx / length), (float)(1 / length), (float)(-dz / length)}};
}

/* Finds vertex i of the border, clockwise from the north-west. */
static void rim_at(const struct mesh *mesh, size_t i, int32_t *column, int32_t *row)
{
    int32_t last_column = mesh->columns - 1, last_row = mesh->rows - 1, at = (int32_t)i;
    if (at < last_column)
        *column = at, *row = 0;
    else if ((at -= last_column) < last_row)
        *column = last_column, *row = at;
    else if ((at -= last_row) < last_column)
        *column = last_column - at, *row = last_row;
    else
        *column = 0, *row = last_row - (at - last_column);
}

static struct vertex skirt_at(const struct mesh *mesh, size_t i)
{
    int32_t column, row;
    rim_at(mesh, i, &column, &row);
    struct vertex vertex = vertex_at(mesh, column, row);
    vertex.position[1] = (float)((double)vertex.position[1] - mesh->skirt);
    return vertex;
}

static struct vertex vertex_of(const struct mesh *mesh, size_t i)
{
    size_t grid = (size_t)mesh->columns * (size_t)mesh->rows;
    if (i >= grid)
        return skirt_at(mesh, i - grid);
    return vertex_at(mesh, (int32_t)(i % (size_t)mesh->columns),
                     (int32_t)(i / (size_t)mesh->columns));
}

/* Finds triangles 2 q and 2 q + 1 of square q, counter-clockwise seen from outside. */
static void square_at(const struct mesh *mesh, size_t square, size_t corners[6])
{
    size_t columns = (size_t)mesh->columns, squares = (columns - 1) * ((size_t)mesh->rows - 1);
    size_t nw, ne, sw, se;
    if (square < squares || mesh->rim == 0) {
        nw = square / (columns - 1) * columns + square % (columns - 1);
        ne = nw + 1;
        sw = nw + columns;
        se = sw + 1;
    } else { /* the skirt, seen from outside: the upper left vertex is the one further clockwise */
        size_t i = square - squares, next = (i + 1) % mesh->rim;
        int32_t column, row;
        rim_at(mesh, next, &column, &row);
        nw = (size_t)row * columns + (size_t)column;
        rim_at(mesh, i, &column, &row);
        ne = (size_t)row * columns + (size_t)column;
        sw = columns * (size_t)mesh->rows + next;
        se = columns * (size_t)mesh->rows + i;
    }
    const size_t all[] = {nw, sw, ne, ne, sw, se};
    memcpy(corners, all, sizeof all);
}

/* ---- .glb ---- */

struct box {
    float low[3], high[3];
};

static enum tw_status find_box(const struct tw_encoding *encoding, const struct mesh *mesh,
                               struct box *box, struct tw_error *err)
{
    const size_t count = vertices_of(mesh);
    enum tw_status status = TW_OK;
    for (size_t i = 0; status == TW_OK && i < count; i++) {
        const struct vertex vertex = vertex_of(mesh, i);
        for (int axis = 0; axis < 3; axis++) {
            const float at = vertex.position[axis];
            box->low[axis] = i == 0 || at < box->low[axis] ? at : box->low[axis];
            box->high[axis] = i == 0 || at > box->high[axis] ? at : box->high[axis];
        }
        status = tw_codec_poll(encoding, err);
    }
    return status;
}

static json_t *corner_json(const float *at)
{
    return json_pack("[f, f, f]", (double)at[0], (double)at[1], (double)at[2]);
}

/* Constants of glTF 2.0: component types, and the purpose of a buffer view. */
enum { FLOAT = 5126, UNSIGNED_INT = 5125, ARRAY_BUFFER = 34962, ELEMENT_ARRAY_BUFFER = 34963 };

static json_t *head_json(const struct mesh *mesh, const struct box *box)
{
    json_int_t vertices = (json_int_t)vertices_of(mesh);
    json_t *accessors = json_pack(
        "[{s:i, s:i, s:i, s:I, s:s, s:o, s:o}, {s:i, s:i, s:i, s:I, s:s}, {s:i, s:i, s:I, s:s}]",
        "bufferView", 0, "byteOffset", 0, "componentType", FLOAT, "count", vertices, "type", "VEC3",
        "min", corner_json(box->low), "max", corner_json(box->high), "bufferView", 0, "byteOffset",
        12, "componentType", FLOAT, "count", vertices, "type", "VEC3", "bufferView", 1,
        "componentType", UNSIGNED_INT, "count", (json_int_t)(3 * triangles_of(mesh)), "type",
        "SCALAR");
    json_t *views = json_pack(
        "[{s:i, s:i, s:I, s:i, s:i}, {s:i, s:I, s:I, s:i}]", "buffer", 0, "byteOffset", 0,
        "byteLength", (json_int_t)vertex_bytes(mesh), "byteStride", (int)sizeof(struct vertex),
        "target", ARRAY_BUFFER, "buffer", 0, "byteOffset", (json_int_t)vertex_bytes(mesh),
        "byteLength", (json_int_t)index_bytes(mesh), "target", ELEMENT_ARRAY_BUFFER);
    return json_pack(
        "{s:{s:s, s:s}, s:i, s:[{s:[i]}], s:[{s:i}], s:[{s:[{s:{s:i, s:i}, s:i}]}], s:o, s:o, "
        "s:[{s:I}]}",
        "asset", "version", "2.0", "generator", "thalweg", "scene", 0, "scenes", "nodes", 0,
        "nodes", "mesh", 0, "meshes", "primitives", "attributes", "POSITION", 0, "NORMAL", 1,
        "indices", 2, "accessors", accessors, "bufferViews", views, "buffers", "byteLength",
        (json_int_t)buffer_bytes(mesh));
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

static enum tw_status append_vertex(struct tw_bytes *out, const struct vertex *vertex,
                                    struct tw_error *err)
{
    unsigned char at[sizeof *vertex];
    for (size_t axis = 0; axis < 3; axis++) {
        tw_put_f32(at + 4 * axis, vertex->position[axis]);
        tw_put_f32(at + 12 + 4 * axis, vertex->normal[axis]);
    }
    return tw_bytes_append(out, at, sizeof at, err);
}

static enum tw_status append_buffers(struct tw_bytes *out, const struct mesh *mesh,
                                     struct tw_error *err)
{
    enum tw_status status = TW_OK;
    size_t count = vertices_of(mesh), corners[6];
    for (size_t i = 0; status == TW_OK && i < count; i++) {
        struct vertex vertex = vertex_of(mesh, i);
        status = append_vertex(out, &vertex, err);
    }
    count = triangles_of(mesh) / 2;
    for (size_t i = 0; status == TW_OK && i < count; i++) {
        square_at(mesh, i, corners);
        for (int corner = 0; status == TW_OK && corner < 6; corner++)
            status = append_u32(out, corners[corner], err);
    }
    return status;
}

static enum tw_status encode_glb(const struct tw_encoding *encoding, struct tw_bytes *out,
                                 struct tw_error *err)
{
    struct mesh mesh;
    struct box box = {{0}, {0}};
    struct tw_bytes text = {0};
    enum tw_status status = plan_mesh(encoding, &mesh, err);
    if (status == TW_OK)
        status = find_box(encoding, &mesh, &box, err);
    if (status == TW_OK)
        status = tw_json_print(head_json(&mesh, &box), JSON_COMPACT | JSON_REAL_PRECISION(9), &text,
                               err);
    size_t padded = (text.length + 3) / 4 * 4;
    if (status == TW_OK)
        status = tw_bytes_append(out, "glTF\2\0\0\0", 8, err);
    if (status == TW_OK)
        status = append_u32(out, 12 + 8 + padded + 8 + buffer_bytes(&mesh), err);
    if (status == TW_OK)
        status = append_chunk_head(out, padded, "JSON", err);
    if (status == TW_OK)
        status = tw_bytes_append(out, text.at, text.length, err);
    if (status == TW_OK)
        status = tw_bytes_append(out, "   ", padded - text.length, err);
    if (status == TW_OK)
        status = append_chunk_head(out, buffer_bytes(&mesh), "BIN\0", err);
    free(text.at);
    return status == TW_OK ? append_buffers(out, &mesh, err) : status;
}

/* ---- .obj ---- */

static enum tw_status append_floats(struct tw_bytes *out, const char *kind, const float *numbers,
                                    struct tw_error *err)
{
    char text[3][32];
    for (int i = 0; i < 3; i++)
        tw_number_print_float(text[i], sizeof text[i], numbers[i]);
    return tw_bytes_print(out, err, "%s %s %s %s\n", kind, text[0], text[1], text[2]);
}

static enum tw_status encode_obj(const struct tw_encoding *encoding, struct tw_bytes *out,
                                 struct tw_error *err)
{
    struct mesh mesh;
    size_t corners[6];
    enum tw_status status = plan_mesh(encoding, &mesh, err);
    if (status == TW_OK)
        status = tw_bytes_print(out, err, "# thalweg: y up, x east, z south\n");
    for (size_t i = 0; status == TW_OK && i < vertices_of(&mesh); i++) {
        struct vertex vertex = vertex_of(&mesh, i);
        status = append_floats(out, "v", vertex.position, err);
        if (status == TW_OK)
            status = append_floats(out, "vn", vertex.normal, err);
    }
    for (size_t i = 0; status == TW_OK && i < triangles_of(&mesh); i++) {
        square_at(&mesh, i / 2, corners);
        const size_t *c = corners + 3 * (i % 2);
        status = tw_bytes_print(out, err, "f %zu//%zu %zu//%zu %zu//%zu\n", c[0] + 1, c[0] + 1,
                                c[1] + 1, c[1] + 1, c[2] + 1, c[2] + 1);
    }
    return status;
}

extern const struct tw_format tw_format_glb;
const struct tw_format tw_format_glb = {
    .ending = ".glb",
    .help = "a triangle mesh as binary glTF, y up, in metres of `world:`; of 2 x 2 cells at least, "
            "4 GiB at most",
    .types = TW_HEIGHTS,
    .holds = holds_glb,
    .physical = true,
    .options = options,
    .options_size = sizeof(struct options),
    .encode = encode_glb,
};

extern const struct tw_format tw_format_obj;
const struct tw_format tw_format_obj = {
    .ending = ".obj",
    .help = "the same mesh as text",
    .types = TW_HEIGHTS,
    .holds = holds_mesh,
    .physical = true,
    .options = options,
    .options_size = sizeof(struct options),
    .encode = encode_obj,
};
