/* SPDX-License-Identifier: MIT */
/* The sidecar of a mesh says how many triangles it has and how exact they are, as the file does. */
#include "support/command.h"
#include "support/harness.h"

#include "base/memory/byte_order.h"
#include "base/os/file.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct command_result result;

static void write_recipe(const char *exports)
{
    char text[1000];
    snprintf(text, sizeof text,
             "thalweg: 1\nsize: [65, 33]\nseed: 5\nworld: {side_m: 650, height_m: 300}\n"
             "nodes: {h: {type: noise.midpoint, smoothed: true}}\nexport:\n%s",
             exports);
    command_write("mesh.yaml", text, strlen(text));
}

/* The member `mesh` of a sidecar. */
static json_t *read_mesh(const char *file)
{
    json_t *root = json_load_file(file, 0, NULL);
    json_t *mesh = json_incref(json_object_get(root, "mesh"));
    if (!mesh)
        fail_msg("%s has no mesh", file);
    json_decref(root);
    return mesh;
}

static const json_t *level(const json_t *mesh, size_t i)
{
    return json_array_get(json_object_get(mesh, "levels"), i);
}

static int triangles(const json_t *mesh, size_t i)
{
    const json_t *count = json_object_get(level(mesh, i), "triangles");
    assert_true(json_is_integer(count));
    return (int)json_integer_value(count);
}

static double error_of(const json_t *mesh, size_t i)
{
    const json_t *error = json_object_get(level(mesh, i), "error_m");
    assert_true(json_is_real(error));
    return json_real_value(error);
}

/* The JSON of a .glb: after a head of 12 bytes, its length and its kind. */
static json_t *read_glb(const char *name)
{
    unsigned char *data = NULL;
    size_t length = 0;
    assert_int_equal(tw_file_read(name, 1 << 24, &data, &length, NULL), TW_OK);
    assert_true(length > 20);
    json_t *head = json_loadb((const char *)data + 20, tw_get_u32(data + 12), 0, NULL);
    assert_non_null(head);
    free(data);
    return head;
}

static int index_count(const json_t *head, size_t mesh)
{
    const json_t *object = json_array_get(json_object_get(head, "meshes"), mesh);
    const json_t *primitive = json_array_get(json_object_get(object, "primitives"), 0);
    const size_t accessor = (size_t)json_integer_value(json_object_get(primitive, "indices"));
    const json_t *of = json_array_get(json_object_get(head, "accessors"), accessor);
    return (int)json_integer_value(json_object_get(of, "count"));
}

static void a_whole_mesh_has_no_error(void **state)
{
    (void)state;
    write_recipe("  m.glb: {from: h, sidecar: true}\n  m.obj: {from: h, sidecar: true, step: 2}\n");
    command_expect("run mesh.yaml -o out", 0, &result);
    json_t *glb = read_mesh("out/m.glb.json"), *obj = read_mesh("out/m.obj.json");
    assert_int_equal(json_array_size(json_object_get(glb, "levels")), 1);
    assert_int_equal(triangles(glb, 0), 2 * 64 * 32);
    assert_int_equal(json_integer_value(json_object_get(glb, "vertices")), 65 * 33);
    assert_int_equal(triangles(obj, 0), 2 * 32 * 16);
    assert_true(error_of(glb, 0) == 0 && error_of(obj, 0) == 0);
    json_decref(glb);
    json_decref(obj);
}

static void a_simplified_mesh_says_what_it_reached(void **state)
{
    (void)state;
    write_recipe("  m.glb: {from: h, sidecar: true, error: 2 m, levels: 3}\n"
                 "  m.obj: {from: h, sidecar: true, triangles: 900, skirt: 0.01}\n");
    command_run("run mesh.yaml -o out", &result);
    if (strstr(result.err, "libmeshoptimizer"))
        skip();
    assert_int_equal(result.code, 0);
    json_t *mesh = read_mesh("out/m.glb.json"), *head = read_glb("out/m.glb");
    assert_int_equal(json_array_size(json_object_get(mesh, "levels")), 3);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(3 * triangles(mesh, i), index_count(head, i));
    assert_true(triangles(mesh, 0) < 2 * 64 * 32 && triangles(mesh, 1) < triangles(mesh, 0));
    assert_true(error_of(mesh, 0) > 0 && error_of(mesh, 0) <= 2);
    assert_true(error_of(mesh, 1) >= error_of(mesh, 0) && error_of(mesh, 2) >= error_of(mesh, 1));
    json_decref(mesh);
    json_decref(head);
    mesh = read_mesh("out/m.obj.json");
    unsigned char *text = NULL;
    char line[100];
    size_t length = 0;
    assert_int_equal(tw_file_read("out/m.obj", 1 << 24, &text, &length, NULL), TW_OK);
    snprintf(line, sizeof line, "\n# %d triangles, error ", triangles(mesh, 0));
    const char *said = strstr((const char *)text, line);
    assert_non_null(said);
    assert_true(strtod(said + strlen(line), NULL) == error_of(mesh, 0));
    free(text);
    json_decref(mesh);
    command_expect("run mesh.yaml -o out", 0, &result);
    assert_non_null(strstr(result.out, "0 exports written, 4 unchanged"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_whole_mesh_has_no_error, command_set_up,
                                        command_tear_down),
        cmocka_unit_test_setup_teardown(a_simplified_mesh_says_what_it_reached, command_set_up,
                                        command_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
