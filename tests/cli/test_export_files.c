/* SPDX-License-Identifier: MIT */
/* Tiles and sidecars on disk: tiles are cut from the map that the lock describes, neighbours share
 * their edge, a sidecar has the lock's digest, and what is there already is left alone. */
#include "support/command.h"
#include "support/harness.h"

#include "base/os/file.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char recipe[] =
    "thalweg: 1\nsize: 253\nseed: 5\nworld: {side_m: 506, height_m: 300, sea_level: 0.25}\n"
    "nodes:\n  h: {type: noise.midpoint}\noutputs: {height: h}\nexport:\n"
    "  whole.r16: {from: h, for: unreal}\n"
    "  part.r16: {from: h, for: unreal, tiles: 127}\n"
    "  maps/south.raw: {from: h, tiles: {cells: 127, share_edge: true, flip_y: true}, flip: true}\n"
    "  h.png: {from: h, sidecar: true}\n"
    "  fit.png: {from: h, range: fit, tiles: {cells: 127, share_edge: true}}\n";

enum { SIDE = 253, TILE = 127 };

static uint16_t *read_levels(const char *file, size_t count)
{
    unsigned char *data = NULL;
    size_t length = 0;
    struct tw_error error;
    if (tw_file_read(file, 1 << 20, &data, &length, &error) != TW_OK)
        fail_msg("%s", error.message);
    assert_int_equal(length, 2 * count);
    return (uint16_t *)(void *)data;
}

static json_t *read_json(const char *file)
{
    json_error_t error;
    json_t *root = json_load_file(file, JSON_REJECT_DUPLICATES, &error);
    if (!root)
        fail_msg("%s: %s", file, error.text);
    assert_string_equal(json_string_value(json_object_get(root, "schema")), "thalweg.sidecar/1");
    return root;
}

static void run(const char *arguments, struct command_result *result)
{
    command_run(arguments, result);
    if (result->code != 0)
        fail_msg("%s: %s", arguments, result->err);
}

static int set_up(void **state)
{
    static struct command_result result;
    command_set_up(state);
    command_write("tiles.yaml", recipe, strlen(recipe));
    run("run tiles.yaml -o out", &result);
    return 0;
}

static void tiles_are_cut_from_the_map(void **state)
{
    uint16_t *whole = read_levels("out/whole.r16", (size_t)SIDE * SIDE);
    char name[64];
    (void)state;
    for (int row = 0; row < 2; row++)
        for (int column = 0; column < 2; column++) {
            snprintf(name, sizeof name, "out/part_x%d_y%d.r16", column, row);
            uint16_t *tile = read_levels(name, (size_t)TILE * TILE);
            for (int y = 0; y < TILE; y++)
                assert_memory_equal(tile + y * TILE,
                                    whole + (row * (TILE - 1) + y) * SIDE + column * (TILE - 1),
                                    2 * TILE);
            free(tile);
        }
    free(whole);
}

/* y counts from the south, and so do the rows. */
static void flipped_tiles_begin_in_the_south(void **state)
{
    uint16_t *low = read_levels("out/maps/south_x0_y0.raw", (size_t)TILE * TILE);
    uint16_t *high = read_levels("out/maps/south_x0_y1.raw", (size_t)TILE * TILE);
    (void)state;
    assert_memory_equal(low + (TILE - 1) * TILE, high, 2 * TILE);
    free(low);
    free(high);
}

static void sidecars_have_the_digests_of_the_lock(void **state)
{
    static struct command_result result;
    unsigned char *lock = NULL;
    size_t length = 0;
    (void)state;
    run("lock tiles.yaml", &result);
    assert_int_equal(tw_file_read("tiles.yaml.lock", 1 << 20, &lock, &length, NULL), TW_OK);
    static const char *const files[] = {"out/whole.json", "out/h.png.json"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        json_t *root = read_json(files[i]);
        const char *digest = json_string_value(json_object_get(root, "sha256"));
        if (!strstr((const char *)lock, digest))
            fail_msg("%s: the lock has another digest", files[i]);
        json_decref(root);
    }
    assert_non_null(strstr((const char *)lock, "  \"part.r16\":\n"));
    assert_null(strstr((const char *)lock, "part_x"));
    assert_null(strstr((const char *)lock, ".json"));
    free(lock);
    run("verify tiles.yaml", &result);
}

static double number(const json_t *root, const char *group, const char *name)
{
    const json_t *object = group[0] ? json_object_get(root, group) : root;
    return json_number_value(json_object_get(object, name));
}

static void sidecars_say_what_the_numbers_mean(void **state)
{
    json_t *root = read_json("out/part_x1_y0.json");
    (void)state;
    assert_true(number(root, "", "width") == TILE && number(root, "", "bpp") == 16);
    assert_true(number(root, "metres", "cell") == 2 && number(root, "metres", "width") == 254);
    assert_true(number(root, "range", "high_m") == 300);
    const json_t *first = json_object_get(json_object_get(root, "tile"), "first_cell");
    assert_int_equal(json_integer_value(json_array_get(first, 0)), TILE - 1);
    const json_t *lines = json_object_get(root, "type_in");
    assert_true(json_number_value(json_object_get(lines, "Scale X")) == 200);
    json_decref(root);
}

static void nothing_is_written_twice(void **state)
{
    static struct command_result result;
    (void)state;
    run("run tiles.yaml -o out", &result);
    assert_non_null(strstr(result.out, "\n1 recipe: 0 exports written, "));
    for (char *line = strtok(result.out, "\n"); line; line = strtok(NULL, "\n"))
        if (strncmp(line, "1 recipe: ", 10) != 0 && !strstr(line, "(unchanged)"))
            fail_msg("%s was written again", line);
    assert_non_null(strstr(result.err, "whole.r16 for unreal: Scale X 200; "));
    run("run tiles.yaml -o again --no-cache -j 1 -q", &result);
    static const char *const files[] = {"h.png", "h.png.json", "part_x1_y1.json", "fit_x0_y1.png"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char name[2][64];
        struct tw_sha256 digest[2];
        uint64_t length;
        snprintf(name[0], sizeof name[0], "out/%s", files[i]);
        snprintf(name[1], sizeof name[1], "again/%s", files[i]);
        for (int side = 0; side < 2; side++)
            assert_int_equal(tw_file_sha256(name[side], 1 << 24, &digest[side], &length, NULL),
                             TW_OK);
        assert_memory_equal(digest, digest + 1, sizeof *digest);
    }
}

static void a_sidecar_is_no_way_over_the_recipe(void **state)
{
    static struct command_result result;
    static const char text[] = "thalweg: 1\nsize: 8\nnodes:\n  h: {type: noise.midpoint}\n"
                               "export: {own.raw: h}\n";
    (void)state;
    command_write("own.raw.json", text, strlen(text));
    command_run("run own.raw.json -o .", &result);
    assert_int_equal(result.code, 3);
    assert_non_null(strstr(result.err, "would overwrite"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tiles_are_cut_from_the_map),
                                       cmocka_unit_test(flipped_tiles_begin_in_the_south),
                                       cmocka_unit_test(sidecars_have_the_digests_of_the_lock),
                                       cmocka_unit_test(sidecars_say_what_the_numbers_mean),
                                       cmocka_unit_test(nothing_is_written_twice),
                                       cmocka_unit_test(a_sidecar_is_no_way_over_the_recipe)};
    return cmocka_run_group_tests(tests, set_up, command_tear_down);
}
