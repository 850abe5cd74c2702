/* SPDX-License-Identifier: MIT */
/* The JSON of a .glb, which says where in the buffer everything is. */
#ifndef TW_ENGINE_FORMAT_MESH_GLB_HEAD_H
#define TW_ENGINE_FORMAT_MESH_GLB_HEAD_H

#include "format/mesh/mesh.h"

#include <jansson.h>

enum { TW_GLB_VERTEX_BYTES = 32, TW_GLB_TANGENT_BYTES = 16, TW_GLB_TRIANGLE_BYTES = 12 };
#define TW_GLB_BYTES_MAX ((size_t)UINT32_MAX - 65536) /* of the buffer: lengths have 32 bits */

/* The buffer has the vertices, the triangles of each level, and the pictures. */
struct tw_glb {
    struct tw_mesh mesh;
    float low[3], high[3];                      /* of all vertices */
    struct tw_bytes pictures[TW_MESH_PICTURES]; /* empty: without; a multiple of 4 bytes */
    size_t picture_bytes[TW_MESH_PICTURES];     /* without the last, that fill up */
    bool whole;                                 /* no part of the JSON is missing */
};

/* Returns the bytes of a vertex, with a tangent if a picture has normals. */
size_t tw_glb_stride(const struct tw_glb *glb);
size_t tw_glb_buffer_bytes(const struct tw_glb *glb);
/* Returns the JSON; NULL when out of memory. */
json_t *tw_glb_head(struct tw_glb *glb);

#endif
