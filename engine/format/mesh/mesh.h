/* SPDX-License-Identifier: MIT */
/* A height map as triangles: y is up, x points east, z south, and the origin is the map's centre.
 * Lengths are those of the recipe's `world:`, in metres if it gives them. Vertices lie at cell
 * centres. Without simplification vertices and triangles are computed one by one, so that a mesh
 * needs no memory; the same bytes come from every compiler and processor. */
#ifndef TW_ENGINE_FORMAT_MESH_MESH_H
#define TW_ENGINE_FORMAT_MESH_MESH_H

#include "format/format.h"

enum { TW_MESH_LEVELS_MAX = 8 };

/* Options of .glb and .obj, which has no `levels`. */
struct tw_mesh_options {
    int32_t step;
    float skirt; /* in map sides */
    float error; /* in heights; 0: no bound */
    int32_t triangles;
    int32_t levels;
};

#define TW_MESH_OPTIONS                                                                            \
    TW_PARAM_I32(struct tw_mesh_options, step, 1, 1, 4096, TW_UNIT_CELLS,                          \
                 "every so many cells there is a vertex, and at all borders"),                     \
        TW_PARAM_F32(struct tw_mesh_options, skirt, 0, 0, 1, TW_UNIT_SIDE,                         \
                     "how far a wall hangs down all around, which hides the gaps between tiles"),  \
        TW_PARAM_F32(struct tw_mesh_options, error, 0, 0, 1000, TW_UNIT_HEIGHT,                    \
                     "simplify as long as the surface moves by less, such as `0.5 m`"),            \
        TW_PARAM_I32(struct tw_mesh_options, triangles, 0, 0, INT32_MAX, TW_UNIT_NONE,             \
                     "simplify to about so many triangles, without those of the skirt")

/* Further outputs that an entry names, in the order of tw_mesh_parts. */
enum { TW_MESH_COLOR, TW_MESH_NORMAL, TW_MESH_SPLAT, TW_MESH_HOLES, TW_MESH_PARTS };
enum { TW_MESH_PICTURES = TW_MESH_HOLES }; /* those before it are pictures */
extern const struct tw_format_part tw_mesh_parts[];

struct tw_mesh_vertex {
    float position[3], normal[3];
    float uv[2];      /* 0, 0 is the north-west corner of the map */
    float tangent[4]; /* east along the surface, and the side of the bitangent: north */
};

/* Triangles of a simplified mesh; the first level is the finest. */
struct tw_mesh_level {
    uint32_t *corners; /* owned; NULL: all open squares of the grid */
    size_t triangles;  /* including the skirt's */
    double error;      /* how far simplification moved the surface at most, in metres */
};

/* The grid of vertices, followed by those of the skirt's lower edge, clockwise from the
 * north-west. */
struct tw_mesh {
    const struct tw_value *heights, *holes; /* holes: NULL without */
    double cell, rise;                      /* metres per cell, and metres of height 1 */
    int32_t step, columns, rows;
    double skirt;   /* in metres; 0: none */
    size_t rim;     /* number of skirt vertices */
    bool level_up;  /* normals point up, since a picture has the slopes */
    uint32_t *kept; /* vertices that a simplified mesh keeps, owned; NULL: all */
    size_t vertices;
    struct tw_mesh_level levels[TW_MESH_LEVELS_MAX];
    int32_t level_count;
};

/* Returns the vertices and triangles of an unsimplified mesh without holes. */
struct tw_mesh tw_mesh_lay_out(int32_t width, int32_t height, const struct tw_mesh_options *o);
/* Formats' holds(): a square of cells is needed, and 32 bits count the vertices. */
bool tw_mesh_holds(int32_t width, int32_t height, const void *options, struct tw_error *err);
/* Prepares the mesh, simplified if its options say so; release it in any case. TW_NODE if heights
 * do not fit floats or nothing but holes is left; TW_LIMIT without the library that simplifies;
 * TW_MEMORY, TW_CANCELLED. */
enum tw_status tw_mesh_prepare(const struct tw_encoding *encoding, struct tw_mesh *mesh,
                               struct tw_error *err);
/* Likewise, but never simplified. */
enum tw_status tw_mesh_prepare_whole(const struct tw_encoding *encoding, struct tw_mesh *mesh,
                                     struct tw_error *err);
void tw_mesh_release(struct tw_mesh *mesh);
/* Formats' bytes(). */
uint64_t tw_mesh_bytes(const struct tw_encoding *encoding, int32_t threads);
/* Formats' varies(): a mesh that a library simplifies, or has pictures that one packs. */
bool tw_mesh_varies(const struct tw_encoding *encoding);
/* Formats' sha256(): of the unsimplified mesh, the options and the pictures' cells, so that it does
 * not depend on the library that simplifies or packs. */
enum tw_status tw_mesh_sha256(const struct tw_encoding *encoding, struct tw_sha256 *digest,
                              struct tw_error *err);

/* Formats' describe_contents(): adds `mesh`, the vertices, and of each level its triangles and how
 * far simplification moved the surface. Simplifies the mesh again. */
enum tw_status tw_mesh_describe(const struct tw_encoding *encoding, struct json_t *members,
                                struct tw_error *err);

/* Returns vertex i of the prepared mesh. */
struct tw_mesh_vertex tw_mesh_vertex_at(const struct tw_mesh *mesh, size_t i);
/* Calls back with the corners of each triangle of a level, counter-clockwise seen from outside. */
typedef enum tw_status tw_mesh_triangle_fn(void *context, const size_t corners[3],
                                           struct tw_error *err);
enum tw_status tw_mesh_each_triangle(const struct tw_mesh *mesh, int32_t level,
                                     tw_mesh_triangle_fn *triangle, void *context,
                                     struct tw_error *err);

/* mesh_simplify.c: replaces the levels of a whole mesh by simplified ones and drops vertices that
 * they do not use. The borders of the map and of holes stay. */
enum tw_status tw_mesh_simplify(struct tw_mesh *mesh, const struct tw_mesh_options *o,
                                struct tw_error *err);

#endif
