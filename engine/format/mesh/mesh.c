/* SPDX-License-Identifier: MIT */
#include "format/mesh/mesh.h"

#include "base/memory/byte_order.h"
#include "format/mesh/simplifier.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE_MIN = 2 }; /* a square of cells is two triangles */
static const float HOLE = 0.5f;

const struct tw_format_part tw_mesh_parts[] = {
    {"color", TW_TYPE_BIT(TW_IMAGE), false, "a picture of the ground"},
    {"normal", TW_TYPE_BIT(TW_IMAGE), false,
     "a picture by render.normals; the mesh's own normals then point up"},
    {"splat", TW_TYPE_BIT(TW_IMAGE), false, "a second picture, such as the shares of materials"},
    {"holes", TW_TYPE_BIT(TW_MASK), true,
     "a mask: squares of vertices with a cell of 0.5 or more are left out"},
    {.name = NULL},
};

/* ---- the grid ---- */

static int32_t count_of(int32_t cells, int32_t step) { return (cells - 2) / step + 2; }

/* Returns the cell of column or row i: every step-th one, and the last. */
static int32_t cell_of(int32_t i, int32_t step, int32_t cells)
{
    int64_t cell = (int64_t)i * step;
    return cell < cells ? (int32_t)cell : cells - 1;
}

static size_t grid_of(const struct tw_mesh *mesh)
{
    return (size_t)mesh->columns * (size_t)mesh->rows;
}

static size_t squares_of(const struct tw_mesh *mesh)
{
    return ((size_t)mesh->columns - 1) * ((size_t)mesh->rows - 1);
}

struct tw_mesh tw_mesh_lay_out(int32_t width, int32_t height, const struct tw_mesh_options *o)
{
    struct tw_mesh mesh = {.step = o->step,
                           .columns = count_of(width, o->step),
                           .rows = count_of(height, o->step),
                           .level_count = 1};
    if (o->skirt > 0)
        mesh.rim = 2 * ((size_t)mesh.columns + (size_t)mesh.rows) - 4;
    mesh.vertices = grid_of(&mesh) + mesh.rim;
    mesh.levels[0].triangles = 2 * squares_of(&mesh) + 2 * mesh.rim;
    return mesh;
}

static bool is_simplified(const struct tw_mesh_options *o)
{
    return o->error > 0 || o->triangles > 0 || o->levels > 1;
}

bool tw_mesh_holds(int32_t width, int32_t height, const void *options, struct tw_error *err)
{
    const struct tw_mesh_options *o = options;
    if (width < SIDE_MIN || height < SIDE_MIN) {
        tw_error_set(err, TW_NODE, "the map has %d x %d cells; a mesh expects at least %d x %d",
                     (int)width, (int)height, SIDE_MIN, SIDE_MIN);
        return false;
    }
    if (is_simplified(o) && !tw_simplifier_load())
        return tw_simplifier_missing(err) == TW_OK;
    if (tw_mesh_lay_out(width, height, o).vertices <= UINT32_MAX)
        return true;
    tw_error_set(err, TW_NODE,
                 "the map has %d x %d cells; a mesh, of 4294967295 vertices at most, expects a "
                 "greater step",
                 (int)width, (int)height);
    return false;
}

/* ---- vertices ---- */

static double height_at(const struct tw_mesh *mesh, int32_t x, int32_t y)
{
    return mesh->rise *
           (double)tw_floats(mesh->heights)[(size_t)y * (size_t)mesh->heights->width + (size_t)x];
}

/* One-sided difference at the borders. */
static double slope(double before, double after, int32_t cells, double cell)
{
    return (after - before) / (cells * cell);
}

/* Sets the normal from central differences of the heights, so that a thinned mesh is lit like the
 * full one, and the tangent, which is at right angles to it. */
static void set_frame(const struct tw_mesh *mesh, int32_t x, int32_t y,
                      struct tw_mesh_vertex *vertex)
{
    int32_t width = mesh->heights->width, height = mesh->heights->height;
    int32_t west = x > 0 ? x - 1 : x, east = x < width - 1 ? x + 1 : x;
    int32_t north = y > 0 ? y - 1 : y, south = y < height - 1 ? y + 1 : y;
    double dx = slope(height_at(mesh, west, y), height_at(mesh, east, y), east - west, mesh->cell);
    double dz =
        slope(height_at(mesh, x, north), height_at(mesh, x, south), south - north, mesh->cell);
    if (mesh->level_up)
        dx = dz = 0;
    double length = sqrt(dx * dx + 1 + dz * dz), along = sqrt(1 + dx * dx);
    vertex->normal[0] = (float)(-dx / length);
    vertex->normal[1] = (float)(1 / length);
    vertex->normal[2] = (float)(-dz / length);
    vertex->tangent[0] = (float)(1 / along);
    vertex->tangent[1] = (float)(dx / along);
    vertex->tangent[2] = 0;
    vertex->tangent[3] = 1;
}

static struct tw_mesh_vertex grid_vertex(const struct tw_mesh *mesh, int32_t column, int32_t row)
{
    int32_t width = mesh->heights->width, height = mesh->heights->height;
    int32_t x = cell_of(column, mesh->step, width), y = cell_of(row, mesh->step, height);
    struct tw_mesh_vertex vertex = {
        .position = {(float)((x - (width - 1) / 2.0) * mesh->cell), (float)height_at(mesh, x, y),
                     (float)((y - (height - 1) / 2.0) * mesh->cell)},
        .uv = {(float)((x + 0.5) / width), (float)((y + 0.5) / height)}};
    set_frame(mesh, x, y, &vertex);
    return vertex;
}

/* Finds vertex i of the border, clockwise from the north-west. */
static void rim_at(const struct tw_mesh *mesh, size_t i, int32_t *column, int32_t *row)
{
    int32_t last_column = mesh->columns - 1, last_row = mesh->rows - 1;
    int64_t at = (int64_t)i;
    if (at < last_column)
        *column = (int32_t)at, *row = 0;
    else if ((at -= last_column) < last_row)
        *column = last_column, *row = (int32_t)at;
    else if ((at -= last_row) < last_column)
        *column = last_column - (int32_t)at, *row = last_row;
    else
        *column = 0, *row = last_row - (int32_t)(at - last_column);
}

struct tw_mesh_vertex tw_mesh_vertex_at(const struct tw_mesh *mesh, size_t i)
{
    const size_t grid = grid_of(mesh);
    int32_t column, row;
    if (mesh->kept)
        i = mesh->kept[i];
    if (i < grid)
        return grid_vertex(mesh, (int32_t)(i % (size_t)mesh->columns),
                           (int32_t)(i / (size_t)mesh->columns));
    rim_at(mesh, i - grid, &column, &row);
    struct tw_mesh_vertex vertex = grid_vertex(mesh, column, row);
    vertex.position[1] = (float)((double)vertex.position[1] - mesh->skirt);
    return vertex;
}

/* ---- triangles ---- */

/* Returns whether no cell of the square, its corners included, is a hole. */
static bool is_open(const struct tw_mesh *mesh, int32_t column, int32_t row)
{
    const struct tw_value *holes = mesh->holes;
    if (!holes)
        return true;
    const int32_t west = cell_of(column, mesh->step, holes->width),
                  east = cell_of(column + 1, mesh->step, holes->width),
                  north = cell_of(row, mesh->step, holes->height),
                  south = cell_of(row + 1, mesh->step, holes->height);
    for (int32_t y = north; y <= south; y++)
        for (int32_t x = west; x <= east; x++)
            if (tw_floats(holes)[(size_t)y * (size_t)holes->width + (size_t)x] >= HOLE)
                return false;
    return true;
}

/* Finds the corners of a square of the grid: north-west, north-east, south-west, south-east. */
static bool find_square(const struct tw_mesh *mesh, size_t square, size_t corners[4])
{
    const size_t columns = (size_t)mesh->columns, column = square % (columns - 1),
                 row = square / (columns - 1), nw = row * columns + column;
    const size_t all[] = {nw, nw + 1, nw + columns, nw + columns + 1};
    memcpy(corners, all, sizeof all);
    return is_open(mesh, (int32_t)column, (int32_t)row);
}

/* Finds the corners of a square of the skirt, seen from outside: the upper left vertex is the one
 * further clockwise. It hangs from an edge of a square that may be left out. */
static bool find_wall(const struct tw_mesh *mesh, size_t i, size_t corners[4])
{
    const size_t columns = (size_t)mesh->columns, next = (i + 1) % mesh->rim;
    int32_t column[2], row[2];
    rim_at(mesh, i, &column[0], &row[0]);
    rim_at(mesh, next, &column[1], &row[1]);
    const size_t all[] = {(size_t)row[1] * columns + (size_t)column[1],
                          (size_t)row[0] * columns + (size_t)column[0], grid_of(mesh) + next,
                          grid_of(mesh) + i};
    memcpy(corners, all, sizeof all);
    const int32_t west = column[0] < column[1] ? column[0] : column[1],
                  north = row[0] < row[1] ? row[0] : row[1];
    return is_open(mesh, west < mesh->columns - 1 ? west : mesh->columns - 2,
                   north < mesh->rows - 1 ? north : mesh->rows - 2);
}

static enum tw_status each_of_grid(const struct tw_mesh *mesh, tw_mesh_triangle_fn *triangle,
                                   void *context, struct tw_error *err)
{
    const size_t squares = squares_of(mesh);
    enum tw_status status = TW_OK;
    for (size_t i = 0; status == TW_OK && i < squares + mesh->rim; i++) {
        size_t at[4];
        if (!(i < squares ? find_square(mesh, i, at) : find_wall(mesh, i - squares, at)))
            continue;
        const size_t first[] = {at[0], at[2], at[1]}, second[] = {at[1], at[2], at[3]};
        status = triangle(context, first, err);
        if (status == TW_OK)
            status = triangle(context, second, err);
    }
    return status;
}

enum tw_status tw_mesh_each_triangle(const struct tw_mesh *mesh, int32_t level,
                                     tw_mesh_triangle_fn *triangle, void *context,
                                     struct tw_error *err)
{
    const struct tw_mesh_level *of = &mesh->levels[level];
    enum tw_status status = TW_OK;
    if (!of->corners)
        return each_of_grid(mesh, triangle, context, err);
    for (size_t i = 0; status == TW_OK && i < of->triangles; i++) {
        const uint32_t *at = of->corners + 3 * i;
        const size_t corners[] = {at[0], at[1], at[2]};
        status = triangle(context, corners, err);
    }
    return status;
}

/* ---- preparing ---- */

static void count_open(struct tw_mesh *mesh)
{
    size_t corners[4], open = 0;
    const size_t squares = squares_of(mesh);
    if (!mesh->holes)
        return;
    for (size_t i = 0; i < squares; i++)
        open += find_square(mesh, i, corners);
    for (size_t i = 0; i < mesh->rim; i++)
        open += find_wall(mesh, i, corners);
    mesh->levels[0].triangles = 2 * open;
}

enum tw_status tw_mesh_prepare_whole(const struct tw_encoding *encoding, struct tw_mesh *mesh,
                                     struct tw_error *err)
{
    const struct tw_mesh_options *o = encoding->options;
    const struct tw_value *heights = encoding->values[0];
    double side = encoding->world ? encoding->world->side_m : 1;
    *mesh = tw_mesh_lay_out(heights->width, heights->height, o);
    mesh->heights = heights;
    mesh->holes = tw_encoding_part(encoding, TW_MESH_HOLES);
    mesh->level_up = tw_encoding_part(encoding, TW_MESH_NORMAL) != NULL;
    mesh->cell = side / heights->width;
    mesh->rise = encoding->world ? encoding->world->height_m : 1;
    mesh->skirt = (double)o->skirt * side;
    count_open(mesh);
    if (mesh->levels[0].triangles == 0)
        return tw_error_set(err, TW_NODE,
                            "holes: leaves no triangle; expected squares of cells below 0.5");
    return tw_codec_check_scaled(encoding, mesh->rise, mesh->skirt, err);
}

enum tw_status tw_mesh_prepare(const struct tw_encoding *encoding, struct tw_mesh *mesh,
                               struct tw_error *err)
{
    const struct tw_mesh_options *o = encoding->options;
    enum tw_status status = tw_mesh_prepare_whole(encoding, mesh, err);
    return status == TW_OK && is_simplified(o) ? tw_mesh_simplify(mesh, o, err) : status;
}

void tw_mesh_release(struct tw_mesh *mesh)
{
    for (int32_t i = 0; i < mesh->level_count; i++)
        free(mesh->levels[i].corners);
    free(mesh->kept);
    *mesh = (struct tw_mesh){.level_count = 0};
}

uint64_t tw_mesh_bytes(const struct tw_encoding *encoding, int32_t threads)
{
    /* Per vertex: 12 bytes of its place, 6 corners thrice, and what meshoptimizer 0.18 allocates:
     * 28 bytes per corner and 96 per vertex. */
    enum { SIMPLIFYING = 12 + 6 * 4 * 3 + 6 * 28 + 96 };
    const struct tw_mesh_options *o = encoding->options;
    const struct tw_value *map = encoding->values[0];
    const struct tw_mesh mesh = tw_mesh_lay_out(map->width, map->height, o);
    uint64_t bytes = is_simplified(o) ? (uint64_t)mesh.vertices * SIMPLIFYING : 0;
    (void)threads;
    for (int i = 0; i < TW_MESH_PICTURES; i++)
        if (encoding->part_at[i] > 0)
            bytes += 4 * tw_value_count(map);
    return bytes;
}

/* ---- the digest ---- */

static enum tw_status add_triangle(void *context, const size_t corners[3], struct tw_error *err)
{
    unsigned char at[12];
    (void)err;
    for (int i = 0; i < 3; i++)
        tw_put_u32(at + 4 * i, (uint32_t)corners[i]);
    tw_sha256_add(context, at, sizeof at);
    return TW_OK;
}

static void add_vertex(struct tw_sha256_state *state, const struct tw_mesh_vertex *vertex)
{
    unsigned char at[32];
    for (int i = 0; i < 3; i++) {
        tw_put_f32(at + 4 * i, vertex->position[i]);
        tw_put_f32(at + 12 + 4 * i, vertex->normal[i]);
    }
    for (int i = 0; i < 2; i++)
        tw_put_f32(at + 24 + 4 * i, vertex->uv[i]);
    tw_sha256_add(state, at, sizeof at);
}

static void add_pictures(struct tw_sha256_state *state, const struct tw_encoding *encoding)
{
    for (int i = 0; i < TW_MESH_PICTURES; i++) {
        const struct tw_value *picture = tw_encoding_part(encoding, i);
        if (!picture)
            continue;
        const struct tw_sha256 digest = tw_field_sha256(picture);
        tw_sha256_add(state, tw_mesh_parts[i].name, strlen(tw_mesh_parts[i].name));
        tw_sha256_add(state, digest.at, sizeof digest.at);
    }
}

bool tw_mesh_varies(const struct tw_encoding *encoding)
{
    bool varies = is_simplified(encoding->options);
    for (int i = 0; i < TW_MESH_PICTURES; i++)
        varies |= encoding->part_at[i] > 0;
    return varies;
}

enum tw_status tw_mesh_sha256(const struct tw_encoding *encoding, struct tw_sha256 *digest,
                              struct tw_error *err)
{
    const struct tw_mesh_options *o = encoding->options;
    struct tw_sha256_state state;
    struct tw_mesh mesh;
    unsigned char wish[12];
    enum tw_status status = tw_mesh_prepare_whole(encoding, &mesh, err);
    tw_put_f32(wish, o->error);
    tw_put_u32(wish + 4, (uint32_t)o->triangles);
    tw_put_u32(wish + 8, (uint32_t)(o->levels > 1 ? o->levels : 1));
    tw_sha256_begin(&state);
    tw_sha256_add(&state, wish, sizeof wish);
    for (size_t i = 0; status == TW_OK && i < mesh.vertices; i++) {
        const struct tw_mesh_vertex vertex = tw_mesh_vertex_at(&mesh, i);
        add_vertex(&state, &vertex);
        status = tw_codec_poll(encoding, err);
    }
    if (status == TW_OK)
        status = tw_mesh_each_triangle(&mesh, 0, add_triangle, &state, err);
    add_pictures(&state, encoding);
    *digest = tw_sha256_end(&state);
    tw_mesh_release(&mesh);
    return status;
}
