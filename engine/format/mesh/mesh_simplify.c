/* SPDX-License-Identifier: MIT */
/* Simplification by meshoptimizer (docs/decisions/simplified-meshes.md), loaded when a mesh first
 * needs it. It chooses among the grid's vertices and moves none, so heights stay as they are. The
 * skirt is added afterwards: it hangs from borders, whose vertices all stay. */
#include "format/mesh/mesh.h"
#include "format/mesh/simplifier.h"

#include <stdlib.h>
#include <string.h>

enum { UNUSED = 0, LEVEL_SHARE = 4 }; /* each level has a quarter of the triangles */

/* The grid's part of a mesh. */
struct work {
    float *places; /* three per vertex of the grid */
    uint32_t *corners;
    size_t count, vertices; /* of corners, and of the grid */
    size_t skirt;           /* triangles after the grid's */
};

static enum tw_status keep_corners(void *context, const size_t corners[3], struct tw_error *err)
{
    uint32_t **at = context;
    (void)err;
    for (int i = 0; i < 3; i++)
        *(*at)++ = (uint32_t)corners[i];
    return TW_OK;
}

static bool begin(struct work *work, const struct tw_mesh *mesh)
{
    const size_t all = mesh->levels[0].triangles;
    work->vertices = mesh->vertices - mesh->rim;
    work->places = malloc(work->vertices * 3 * sizeof *work->places);
    work->corners = malloc(all * 3 * sizeof *work->corners);
    if (!work->places || !work->corners)
        return false;
    for (size_t i = 0; i < work->vertices; i++) {
        const struct tw_mesh_vertex vertex = tw_mesh_vertex_at(mesh, i);
        memcpy(work->places + 3 * i, vertex.position, sizeof vertex.position);
    }
    uint32_t *end = work->corners;
    (void)tw_mesh_each_triangle(mesh, 0, keep_corners, &end, NULL); /* cannot fail */
    for (size_t i = all; i > 0; i--) { /* the skirt's triangles have its lower vertices */
        const uint32_t *c = work->corners + 3 * (i - 1);
        if (c[0] < work->vertices && c[1] < work->vertices && c[2] < work->vertices)
            break;
        work->skirt++;
    }
    work->count = 3 * (all - work->skirt);
    return true;
}

/* Simplifies the corners in `from` to those of a level, and appends the skirt. */
static bool simplify(const struct work *work, const struct tw_simplifier *library,
                     const uint32_t *from, size_t count, size_t target, float error,
                     struct tw_mesh_level *level)
{
    const size_t stride = 3 * sizeof *work->places, skirt = 3 * work->skirt;
    uint32_t *corners = malloc((count + skirt) * sizeof *corners);
    float reached = 0;
    if (!corners)
        return false;
    const float scale = library->meshopt_simplifyScale(work->places, work->vertices, stride);
    count = library->meshopt_simplify(corners, from, count, work->places, work->vertices, stride,
                                      target, error > 0 ? error / scale : 1,
                                      TW_SIMPLIFY_LOCK_BORDER, &reached);
    memcpy(corners + count, work->corners + work->count, skirt * sizeof *corners);
    *level = (struct tw_mesh_level){corners, count / 3 + work->skirt, (double)(reached * scale)};
    return true;
}

static bool simplify_levels(const struct work *work, const struct tw_simplifier *library,
                            struct tw_mesh *mesh, const struct tw_mesh_options *o)
{
    const uint32_t *from = work->corners;
    size_t count = work->count, target = 3 * (size_t)o->triangles;
    const float error = (float)((double)o->error * mesh->rise);
    const int32_t levels = o->levels > 1 ? o->levels : 1;
    if (o->error == 0 && o->triangles == 0)
        target = count; /* the first level keeps all */
    for (int32_t i = 0; i < levels; i++) {
        struct tw_mesh_level *level = &mesh->levels[i];
        if (!simplify(work, library, from, count, target < count ? target : count,
                      i == 0 ? error : 0, level))
            return false;
        if (i > 0) /* meshoptimizer measures from the level before */
            level->error += mesh->levels[i - 1].error;
        mesh->level_count = i + 1;
        from = level->corners;
        count = 3 * (level->triangles - work->skirt);
        target = count / 3 / LEVEL_SHARE * 3;
    }
    return true;
}

/* Drops vertices that no level uses; coarser levels use those of the first. */
static bool compact(struct tw_mesh *mesh)
{
    uint32_t *number = calloc(mesh->vertices, sizeof *number); /* from 1, in order of first use */
    uint32_t *kept = malloc(mesh->vertices * sizeof *kept), used = 0;
    for (int32_t l = 0; number && kept && l < mesh->level_count; l++)
        for (size_t i = 0; i < 3 * mesh->levels[l].triangles; i++) {
            uint32_t *corner = &mesh->levels[l].corners[i];
            if (number[*corner] == UNUSED) {
                kept[used++] = *corner;
                number[*corner] = used;
            }
            *corner = number[*corner] - 1;
        }
    const bool ok = number && kept;
    free(number);
    if (!ok) {
        free(kept);
        return false;
    }
    mesh->kept = kept;
    mesh->vertices = used;
    return true;
}

enum tw_status tw_mesh_simplify(struct tw_mesh *mesh, const struct tw_mesh_options *o,
                                struct tw_error *err)
{
    const struct tw_simplifier *library = tw_simplifier_load();
    struct work work = {0};
    if (!library)
        return tw_simplifier_missing(err);
    const bool ok = begin(&work, mesh) && simplify_levels(&work, library, mesh, o) && compact(mesh);
    free(work.places);
    free(work.corners);
    return ok ? TW_OK : tw_error_set(err, TW_MEMORY, "out of memory");
}
