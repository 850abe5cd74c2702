/* SPDX-License-Identifier: MIT */
/* What a sidecar says of a mesh: how far an engine may rely on it, which the options only ask for.
 */
#include "base/text/json.h"
#include "base/text/number.h"
#include "format/mesh/mesh.h"

/* A float as the shortest number that reads as it, not with the digits of a double. */
static json_t *metres(double number)
{
    char text[32];
    tw_number_print_float(text, sizeof text, (float)number);
    (void)tw_number_parse(text, &number); /* reads what is printed */
    return json_real(number);
}

static json_t *describe(const struct tw_mesh *mesh)
{
    json_t *levels = json_array();
    bool whole = true;
    for (int32_t i = 0; i < mesh->level_count; i++) {
        const struct tw_mesh_level *level = &mesh->levels[i];
        whole &= json_array_append_new(levels, json_pack("{s:I, s:o}", "triangles",
                                                         (json_int_t)level->triangles, "error_m",
                                                         metres(level->error))) == 0;
    }
    json_t *text =
        json_pack("{s:I, s:o}", "vertices", (json_int_t)mesh->vertices, "levels", levels);
    if (whole)
        return text;
    json_decref(text);
    return NULL;
}

enum tw_status tw_mesh_describe(const struct tw_encoding *encoding, struct json_t *members,
                                struct tw_error *err)
{
    struct tw_mesh mesh = {.level_count = 0};
    enum tw_status status = tw_mesh_prepare(encoding, &mesh, err);
    if (status == TW_OK && json_object_set_new(members, "mesh", describe(&mesh)) != 0)
        status = tw_error_set(err, TW_MEMORY, "out of memory");
    tw_mesh_release(&mesh);
    return status;
}
