/* SPDX-License-Identifier: MIT */
/* What engines take, read back byte by byte: levels and floats without a header, meshes, splat
 * maps. tests/formats/read_back.sh does the same with programs of others. */
#include "support/harness.h"
#include "support/little_endian.h"

#include "format/format.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 7, HEIGHT = 5 };

static float heights[WIDTH * HEIGHT], masks[4][WIDTH * HEIGHT];
static const struct tw_world world = {.side_m = 700, .height_m = 100};

/* A slope that rises by 0.01 a cell to the east and 0.02 to the south. */
static int set_up(void **state)
{
    (void)state;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        heights[i] = 0.01f * (float)(i % WIDTH) + 0.02f * (float)(i / WIDTH);
        for (int m = 0; m < 4; m++)
            masks[m][i] = (float)((i * (m + 3)) % 11) / 10;
    }
    return 0;
}

static _Alignas(8) unsigned char options[64];

static enum tw_status encode(const struct tw_format *format, const struct tw_value *values,
                             int count, struct tw_bytes *out, struct tw_error *err)
{
    const struct tw_value *list[4] = {NULL};
    for (int i = 0; i < count; i++)
        list[i] = values + i;
    const struct tw_encoding encoding = {.values = list,
                                         .count = count,
                                         .several = count > 1,
                                         .range = {.high = 1},
                                         .options = options,
                                         .world = &world};
    *out = (struct tw_bytes){0};
    return tw_format_encode(format, encoding, out, err);
}

static struct tw_bytes encode_heights(const char *ending)
{
    const struct tw_value value = {TW_HEIGHTMAP, WIDTH, HEIGHT, heights};
    struct tw_bytes out;
    struct tw_error err;
    if (encode(tw_format_find(ending, TW_HEIGHTMAP, false), &value, 1, &out, &err) != TW_OK)
        fail_msg("%s", err.message);
    return out;
}

static void set_option(const char *ending, const char *name, const char *text)
{
    const struct tw_format *format = tw_format_find(ending, TW_HEIGHTMAP, false);
    memset(options, 0, sizeof options);
    for (const struct tw_param *row = format->options; row->name; row++) {
        if (row->kind == TW_KIND_I32)
            *(int32_t *)(options + row->offset) = (int32_t)row->initial;
        if (!name || strcmp(row->name, name) != 0)
            continue;
        if (row->kind == TW_KIND_I32)
            *(int32_t *)(options + row->offset) = atoi(text);
        else if (row->kind == TW_KIND_F32)
            *(float *)(options + row->offset) = strtof(text, NULL);
        else
            *(bool *)(options + row->offset) = true;
    }
}

static unsigned u16(const struct tw_bytes *bytes, size_t i)
{
    return (unsigned)(bytes->at[2 * i] | bytes->at[2 * i + 1] << 8);
}

static void levels_are_little_endian_and_flip(void **state)
{
    static const char *const endings[] = {".r16", ".raw"};
    (void)state;
    for (int e = 0; e < 2; e++)
        for (int flip = 0; flip < 2; flip++) {
            set_option(endings[e], flip ? "flip" : NULL, "");
            struct tw_bytes bytes = encode_heights(endings[e]);
            assert_int_equal(bytes.length, 2 * WIDTH * HEIGHT);
            for (int y = 0; y < HEIGHT; y++)
                for (int x = 0; x < WIDTH; x++) {
                    int from = (flip ? HEIGHT - 1 - y : y) * WIDTH + x;
                    unsigned level = (unsigned)((double)heights[from] * 65535 + 0.5);
                    assert_int_equal(u16(&bytes, (size_t)(y * WIDTH + x)), level);
                }
            free(bytes.at);
        }
}

static void floats_are_the_heights(void **state)
{
    (void)state;
    set_option(".r32", NULL, "");
    struct tw_bytes bytes = encode_heights(".r32");
    assert_int_equal(bytes.length, sizeof heights);
    to_little_endian(bytes.at, WIDTH * HEIGHT, sizeof *heights);
    assert_memory_equal(bytes.at, heights, sizeof heights);
    free(bytes.at);
}

static void heights_outside_the_range_are_refused(void **state)
{
    const struct tw_value value = {TW_HEIGHTMAP, WIDTH, HEIGHT, heights};
    struct tw_bytes out;
    struct tw_error err;
    (void)state;
    float kept = heights[9];
    heights[9] = 1.5f;
    set_option(".r16", NULL, "");
    assert_int_equal(encode(tw_format_find(".r16", TW_HEIGHTMAP, false), &value, 1, &out, &err),
                     TW_NODE);
    assert_non_null(strstr(err.message, "heights run from 0 to 1.5"));
    free(out.at);
    heights[9] = kept;
}

/* In metres, which files of floats hold. */
static void heights_beyond_floats_are_refused(void **state)
{
    static const char *const endings[] = {".r32", ".tif", ".exr", ".glb", ".obj"};
    const struct tw_value value = {TW_HEIGHTMAP, WIDTH, HEIGHT, heights};
    struct tw_bytes out;
    struct tw_error err;
    (void)state;
    float kept = heights[9];
    heights[9] = -3e38f;
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        const struct tw_format *format = tw_format_find(endings[i], TW_HEIGHTMAP, false);
        if (tw_format_check(format, NULL) != TW_OK)
            continue;
        set_option(endings[i], "metres", "true");
        assert_int_equal(encode(format, &value, 1, &out, &err), TW_NODE);
        assert_non_null(strstr(err.message, "does not fit into the file's floats"));
        free(out.at);
    }
    heights[9] = kept;
}

/* ---- meshes ---- */

struct glb {
    struct tw_bytes bytes;
    json_t *head;
    const float *vertices; /* 6 each */
    const unsigned char *indices;
    uint32_t vertex_count, index_count;
};

static json_int_t accessor(const struct glb *glb, size_t i, const char *key)
{
    return json_integer_value(
        json_object_get(json_array_get(json_object_get(glb->head, "accessors"), i), key));
}

static struct glb read_glb(void)
{
    struct glb glb = {.bytes = encode_heights(".glb")};
    unsigned char *at = glb.bytes.at;
    assert_memory_equal(at, "glTF\2\0\0\0", 8);
    assert_int_equal(tw_get_u32(at + 8), glb.bytes.length);
    uint32_t head = tw_get_u32(at + 12);
    assert_int_equal(head % 4, 0);
    assert_memory_equal(at + 16, "JSON", 4);
    glb.head = json_loadb((const char *)at + 20, head, 0, NULL);
    assert_non_null(glb.head);
    assert_memory_equal(at + 24 + head, "BIN\0", 4);
    glb.vertex_count = (uint32_t)accessor(&glb, 0, "count");
    glb.index_count = (uint32_t)accessor(&glb, 3, "count");
    to_little_endian(at + 28 + head, 8 * (size_t)glb.vertex_count, sizeof(float));
    glb.vertices = (const float *)(const void *)(at + 28 + head);
    glb.indices = at + 28 + head + 32 * (size_t)glb.vertex_count;
    assert_int_equal(tw_get_u32(at + 20 + head), 32 * glb.vertex_count + 4 * glb.index_count);
    return glb;
}

static void release(struct glb *glb)
{
    json_decref(glb->head);
    free(glb->bytes.at);
}

/* All faces together, as seen along the axes: from above the map's area, from the side nothing. */
static void check_triangles(const struct glb *glb, bool closed)
{
    double area[3] = {0};
    for (uint32_t i = 0; i < glb->index_count; i += 3) {
        const float *p[3];
        double u[3], v[3];
        for (int c = 0; c < 3; c++) {
            uint32_t index = tw_get_u32(glb->indices + 4 * (size_t)(i + (uint32_t)c));
            assert_true(index < glb->vertex_count);
            p[c] = glb->vertices + 8 * (size_t)index;
        }
        for (int axis = 0; axis < 3; axis++) {
            u[axis] = (double)(p[1][axis] - p[0][axis]);
            v[axis] = (double)(p[2][axis] - p[0][axis]);
        }
        area[0] += u[1] * v[2] - u[2] * v[1];
        area[1] += u[2] * v[0] - u[0] * v[2];
        area[2] += u[0] * v[1] - u[1] * v[0];
    }
    /* twice the area seen from above: the cells' centres span (width - 1) x (height - 1) cells */
    assert_true(fabs((double)area[1] - (2.0 * (WIDTH - 1) * (HEIGHT - 1) * 100 * 100)) < 1);
    if (closed) /* a wall on every side: what faces east also faces west */
        assert_true(fabs(area[0]) < 0.5 * 100 * 100);
}

static void a_mesh_has_metres_normals_and_outward_faces(void **state)
{
    (void)state;
    set_option(".glb", NULL, "");
    struct glb glb = read_glb();
    assert_int_equal(glb.vertex_count, WIDTH * HEIGHT);
    assert_int_equal(glb.index_count, 6 * (WIDTH - 1) * (HEIGHT - 1));
    for (uint32_t i = 0; i < glb.vertex_count; i++) {
        const float *v = glb.vertices + 8 * (size_t)i;
        double x = (double)(i % WIDTH), y = (double)(i / WIDTH);
        assert_true(fabs((double)v[0] - ((x - 3) * 100)) < 1e-3);
        assert_true(fabs((double)v[1] - (100 * (double)heights[i])) < 1e-4);
        assert_true(fabs((double)v[2] - ((y - 2) * 100)) < 1e-3);
        /* slopes 1 m and 2 m in 100 m */
        double length = sqrt(0.01 * 0.01 + 1 + 0.02 * 0.02);
        assert_true(fabs((double)v[3] - (-0.01 / length)) < 1e-5);
        assert_true(fabs((double)v[4] - (1 / length)) < 1e-5);
        assert_true(fabs((double)v[5] - (-0.02 / length)) < 1e-5);
        /* 0, 0 is the corner in the north-west, whose cell has its centre half a cell inside */
        assert_true(fabs((double)v[6] - (x + 0.5) / WIDTH) < 1e-6);
        assert_true(fabs((double)v[7] - (y + 0.5) / HEIGHT) < 1e-6);
    }
    check_triangles(&glb, false);
    release(&glb);
}

static void a_thinned_mesh_keeps_the_borders(void **state)
{
    (void)state;
    set_option(".glb", "step", "4");
    struct glb glb = read_glb();
    assert_int_equal(glb.vertex_count, 3 * 2); /* columns 0, 4, 6; rows 0, 4 */
    assert_true(fabs((double)glb.vertices[8 * 2] - (300)) < 1e-3);
    check_triangles(&glb, false);
    release(&glb);
}

static void a_skirt_hangs_down_all_around(void **state)
{
    (void)state;
    set_option(".glb", "skirt", "0.1");
    struct glb glb = read_glb();
    uint32_t grid = WIDTH * HEIGHT, rim = 2 * (WIDTH + HEIGHT) - 4;
    assert_int_equal(glb.vertex_count, grid + rim);
    assert_int_equal(glb.index_count, 6 * (WIDTH - 1) * (HEIGHT - 1) + 6 * rim);
    for (uint32_t i = grid; i < glb.vertex_count; i++)
        assert_true(glb.vertices[8 * (size_t)i + 1] < -50); /* 70 m below heights of 14 m at most */
    check_triangles(&glb, true);
    release(&glb);
}

/* Holes in one cell leave out the four squares around it, at any step. */
static void a_hole_leaves_out_squares_with_its_cell(void **state)
{
    (void)state;
    float caves[WIDTH * HEIGHT] = {0};
    const struct tw_value values[] = {{TW_HEIGHTMAP, WIDTH, HEIGHT, heights},
                                      {TW_MASK, WIDTH, HEIGHT, caves}};
    const struct tw_value *const list[] = {&values[0], &values[1]};
    const struct tw_format *glb = tw_format_find(".glb", TW_HEIGHTMAP, false);
    const char *const steps[] = {"1", "2"};
    const int open[] = {(WIDTH - 1) * (HEIGHT - 1) - 4, 3 * 2 - 1};
    struct tw_bytes out = {0};
    struct tw_error err;
    caves[1 * WIDTH + 3] = 0.5f;
    caves[3 * WIDTH + 1] = 0.49f;
    for (int i = 0; i < 2; i++) {
        set_option(".glb", "step", steps[i]);
        const struct tw_encoding encoding = {
            .values = list, .count = 2, .part_at = {[3] = 1}, .options = options, .world = &world};
        assert_int_equal(tw_format_encode(glb, encoding, &out, &err), TW_OK);
        json_t *head = json_loadb((const char *)out.at + 20, tw_get_u32(out.at + 12), 0, NULL);
        json_t *corners = json_array_get(json_object_get(head, "accessors"), 3);
        assert_int_equal(json_integer_value(json_object_get(corners, "count")), 6 * open[i]);
        json_decref(head);
        free(out.at);
        out = (struct tw_bytes){0};
    }
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        caves[i] = 1;
    const struct tw_encoding nothing = {
        .values = list, .count = 2, .part_at = {[3] = 1}, .options = options, .world = &world};
    assert_int_equal(tw_format_encode(glb, nothing, &out, &err), TW_NODE);
    assert_non_null(strstr(err.message, "holes: leaves no triangle"));
    free(out.at);
}

static void an_obj_names_what_the_glb_holds(void **state)
{
    (void)state;
    set_option(".glb", "skirt", "0.1");
    struct glb glb = read_glb();
    struct tw_bytes obj = encode_heights(".obj");
    uint32_t vertices = 0, faces = 0, normals = 0;
    char *text = calloc(obj.length + 1, 1), *rest = text;
    memcpy(text, obj.at, obj.length);
    for (char *line; (line = strtok_r(rest, "\n", &rest));) {
        float v[3];
        unsigned a, b, c;
        if (sscanf(line, "v %f %f %f", &v[0], &v[1], &v[2]) == 3)
            assert_memory_equal(v, glb.vertices + 8 * (size_t)vertices++, sizeof v);
        normals += strncmp(line, "vn ", 3) == 0;
        if (sscanf(line, "f %u/%*u/%*u %u/%*u/%*u %u", &a, &b, &c) == 3) {
            assert_int_equal(a - 1, tw_get_u32(glb.indices + 12 * (size_t)faces));
            assert_int_equal(c - 1, tw_get_u32(glb.indices + 12 * (size_t)faces + 8));
            faces++;
        }
    }
    assert_int_equal(vertices, glb.vertex_count);
    assert_int_equal(normals, vertices);
    assert_int_equal(3 * faces, glb.index_count);
    free(text);
    free(obj.at);
    release(&glb);
}

static void a_mesh_needs_two_cells_a_side(void **state)
{
    const struct tw_value line = {TW_HEIGHTMAP, WIDTH, 1, heights};
    struct tw_bytes out;
    struct tw_error err;
    (void)state;
    set_option(".glb", NULL, "");
    assert_int_equal(encode(tw_format_find(".glb", TW_HEIGHTMAP, false), &line, 1, &out, &err),
                     TW_NODE);
    assert_string_equal(err.message, "the map has 7 x 1 cells; a mesh expects at least 2 x 2");
    free(out.at);
}

/* ---- splat maps ---- */

static void check_pixel(const unsigned char *pixel, int channels, int cell, int count)
{
    double sum = 0;
    int total = 0;
    for (int m = 0; m < count; m++)
        sum += (double)masks[m][cell];
    for (int c = 0; c < channels; c++) {
        double share = c >= count ? 0
                       : sum > 0  ? 255 * (double)masks[c][cell] / sum
                                  : 255 * (c == 0);
        assert_true(fabs(pixel[c] - share) < 1); /* largest remainder never moves by a level */
        total += pixel[c];
    }
    assert_int_equal(total, 255);
}

static void every_pixel_of_a_splat_map_sums_to_255(void **state)
{
    (void)state;
    for (int m = 0; m < 4; m++)
        masks[m][3] = 0; /* a cell that no material wants */
    for (int count = 1; count <= 3; count++) {
        struct tw_value values[4], read = {0};
        struct tw_bytes out;
        struct tw_error err;
        for (int m = 0; m < 4; m++)
            values[m] = (struct tw_value){TW_MASK, WIDTH, HEIGHT, masks[m]};
        const struct tw_format *format = tw_format_find(".png", TW_MASK, true);
        assert_non_null(format);
        assert_int_equal(encode(format, values, count, &out, &err), TW_OK);
        assert_int_equal(tw_png_decode(out.at, out.length, &read, &err), TW_OK);
        assert_int_equal(read.type, TW_IMAGE);
        for (int i = 0; i < WIDTH * HEIGHT; i++)
            check_pixel(tw_pixels(&read) + 3 * i, 3, i, count);
        tw_field_clear(&read);
        free(out.at);
    }
}

/* Nine masks in nine grey files; in cell 3 no material wants anything. */
static void weights_sum_to_255_over_several_files(void **state)
{
    enum { MASKS = 9, CELLS = WIDTH * HEIGHT };
    static float weights[MASKS][CELLS];
    struct tw_value values[MASKS];
    const struct tw_value *list[MASKS];
    int sums[CELLS] = {0};
    (void)state;
    for (int m = 0; m < MASKS; m++) {
        for (int i = 0; i < CELLS; i++)
            weights[m][i] = i == 3 ? 0 : (float)((i * 7 + m * 13) % 11) / 10;
        values[m] = (struct tw_value){TW_MASK, WIDTH, HEIGHT, weights[m]};
        list[m] = &values[m];
    }
    for (int m = 0; m < MASKS; m++) {
        struct tw_value read = {0};
        struct tw_bytes out = {0};
        const struct tw_encoding encoding = {.values = list,
                                             .count = MASKS,
                                             .several = true,
                                             .first = m,
                                             .taken = 1,
                                             .range = {.high = 1},
                                             .options = options,
                                             .world = &world};
        const struct tw_format *layer = tw_format_find_several(".png", TW_MASK, "unreal");
        assert_int_equal(tw_format_encode(layer, encoding, &out, NULL), TW_OK);
        assert_int_equal(tw_png_decode(out.at, out.length, &read, NULL), TW_OK);
        for (int i = 0; i < CELLS; i++)
            sums[i] += (int)(tw_floats(&read)[i] * 255 + 0.5f);
        tw_field_clear(&read);
        free(out.at);
    }
    for (int i = 0; i < CELLS; i++)
        assert_int_equal(sums[i], 255);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_are_little_endian_and_flip),
        cmocka_unit_test(floats_are_the_heights),
        cmocka_unit_test(heights_beyond_floats_are_refused),
        cmocka_unit_test(heights_outside_the_range_are_refused),
        cmocka_unit_test(a_mesh_has_metres_normals_and_outward_faces),
        cmocka_unit_test(a_thinned_mesh_keeps_the_borders),
        cmocka_unit_test(a_skirt_hangs_down_all_around),
        cmocka_unit_test(an_obj_names_what_the_glb_holds),
        cmocka_unit_test(a_hole_leaves_out_squares_with_its_cell),
        cmocka_unit_test(a_mesh_needs_two_cells_a_side),
        cmocka_unit_test(every_pixel_of_a_splat_map_sums_to_255),
        cmocka_unit_test(weights_sum_to_255_over_several_files),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
