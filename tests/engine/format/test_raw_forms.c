/* SPDX-License-Identifier: MIT */
/* Files without a header, what is written of degenerate maps, and the sidecar of a place. */
#include "support/foreign.h"

#include "format/mesh/mesh.h"
#include "format/sidecar.h"

#include <math.h>
#include <stdlib.h>

static void put_floats(const float *cells, int count)
{
    for (int i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &cells[i], sizeof bits);
        put(bits, 4);
    }
}

static void expect_raw(const struct tw_raw_layout *layout, const char *expected)
{
    struct tw_value out = {0};
    struct tw_error err;
    char text[300];
    if (tw_raw_decode(file.at, file.length, layout, TW_NO_WISH, &out, &err) != TW_OK)
        snprintf(text, sizeof text, "%s", err.message);
    else
        snprintf(text, sizeof text, "%g %g %g %g %g %g", (double)tw_floats(&out)[0],
                 (double)tw_floats(&out)[1], (double)tw_floats(&out)[2], (double)tw_floats(&out)[3],
                 (double)tw_floats(&out)[4], (double)tw_floats(&out)[5]);
    tw_field_clear(&out);
    assert_string_equal(text, expected);
}

static void cells_without_a_head_are_read_or_refused(void **state)
{
    const float cells[6] = {1, -2, 3, 0.5f, 1e9f, 6}, last_is_none[6] = {1, 2, 3, 4, 5, NAN};
    struct tw_raw_layout layout = {.width = 3, .height = 2, .bits = 32};
    (void)state;
    file.length = 0;
    put_floats(cells, 6);
    expect_raw(&layout, "1 -2 3 0.5 1e+09 6");
    layout.flip = true;
    expect_raw(&layout, "0.5 1e+09 6 1 -2 3");
    layout.height = 3;
    expect_raw(&layout, "the file has 24 bytes; 3 x 3 cells of 32 bits have 36");
    layout.height = 1;
    expect_raw(&layout, "the file has 24 bytes; 3 x 1 cells of 32 bits have 12");
    layout.height = 2;
    file.length = 0;
    put_floats(last_is_none, 6);
    expect_raw(&layout, "the .r32 is not finite at x 2, y 0");
    layout.flip = false;
    expect_raw(&layout, "the .r32 is not finite at x 2, y 1");
    file.length = 0;
    for (int i = 0; i < 6; i++)
        put((uint64_t)(13107 * i), 2);
    layout.bits = 16;
    expect_raw(&layout, "0 0.2 0.4 0.6 0.8 1");
    file.length = 0;
    for (int i = 0; i < 6; i++)
        put((uint64_t)(256 * i), 2); /* 0, 1 and so on with the greater byte first */
    layout.big_endian = true;
    expect_raw(&layout, "0 1.5259e-05 3.0518e-05 4.57771e-05 6.10361e-05 7.62951e-05");
    file.length = 0;
    put(0x803f, 4); /* 1 and -2 */
    put(0xc0, 4);
    layout = (struct tw_raw_layout){.width = 2, .height = 3, .bits = 32, .big_endian = true};
    put(0, 8);
    put(0, 8);
    expect_raw(&layout, "1 -2 0 0 0 0");
}

/* ---- writing ---- */

static enum tw_status encode(const char *ending, const struct tw_value *value,
                             const struct tw_world *world, const void *options,
                             struct tw_bytes *out, struct tw_error *err)
{
    const struct tw_encoding encoding = {
        .values = &value, .count = 1, .range = {.high = 1}, .options = options, .world = world};
    return tw_format_encode(tw_format_find(ending, value->type, false), encoding, out, err);
}

static void a_mesh_needs_a_square(void **state)
{
    static const struct {
        int32_t width, height;
        const char *message;
    } rows[] = {{1, 6, "the map has 1 x 6 cells; a mesh expects at least 2 x 2"},
                {6, 1, "the map has 6 x 1 cells; a mesh expects at least 2 x 2"},
                {2, 3, NULL},
                {3, 2, NULL}};
    static const char *const endings[] = {".glb", ".obj"};
    float cells[6] = {0, 1, 2, 3, 4, 5};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (int e = 0; e < 2; e++) {
            const struct tw_value map = {TW_HEIGHTMAP, rows[i].width, rows[i].height, cells};
            struct tw_bytes out = {0};
            struct tw_error err = {0};
            const struct tw_mesh_options options = {.step = 1};
            enum tw_status status = encode(endings[e], &map, NULL, &options, &out, &err);
            assert_int_equal(status, rows[i].message ? TW_NODE : TW_OK);
            if (rows[i].message)
                assert_string_equal(err.message, rows[i].message);
            free(out.at);
        }
}

/* A flat map gets a range of 1 above it; pictures say nothing of heights. */
static void a_range_fits_what_is_there(void **state)
{
    static const struct {
        float first, second, third, low, high;
    } rows[] = {{5, 5, 5, 5, 6},       {5, -2, 1, -2, 5},
                {-3, -3, -1, -3, -1},  {7, 8, 9, 7, 9},
                {0, -0.0f, -1, -1, 0}, {-0.0f, 0, 1, -0.0f, 1}}; /* of equals the first */
    uint8_t pixels[3] = {1, 2, 3};
    const struct tw_value picture = {TW_IMAGE, 1, 1, pixels};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        float cells[2] = {rows[i].first, rows[i].second}, more[1] = {rows[i].third};
        const struct tw_value map = {TW_HEIGHTMAP, 2, 1, cells}, mask = {TW_MASK, 1, 1, more};
        const struct tw_value *values[3] = {&picture, &map, &mask};
        struct tw_encoding encoding = {
            .values = values, .count = 3, .range = {.low = 40, .high = 50, .fit = true}};
        tw_format_settle_range(&encoding);
        assert_true(encoding.range.low == (double)rows[i].low);
        assert_true(encoding.range.high == (double)rows[i].high);
        assert_int_equal(!signbit(encoding.range.low), !signbit(rows[i].low));
        assert_int_equal(!signbit(encoding.range.high), !signbit(rows[i].high));
        assert_false(encoding.range.fit);
        tw_format_settle_range(&encoding); /* which settles only what is to fit */
        assert_true(encoding.range.high == (double)rows[i].high);
    }
}

static void a_sidecar_has_the_place(void **state)
{
    static const struct {
        double epsg;
        const char *metres, *place;
    } rows[] = {
        {0,
         "\"metres\": {\"cell\": 100.0,\"width\": 300.0,\"height\": 200.0,\"height_of_1\": "
         "50.0,\"sea\": 12.5}",
         NULL},
        {2056, "\"sea\": 12.5}",
         "\"place\": {\"epsg\": 2056,\"west\": 2600000.5,\"north\": 1200000.0}"},
    };
    float cells[6] = {0, 1, 2, 3, 4, 5};
    const struct tw_value map = {TW_HEIGHTMAP, 3, 2, cells}, *value = &map;
    const struct tw_provenance provenance = {.recipe = "a.yaml", .seed = 7};
    const struct {
        bool flip, metres;
    } options = {false, false};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct tw_world world = {.side_m = 300,
                                       .height_m = 50,
                                       .sea_level = 0.25,
                                       .epsg = rows[i].epsg,
                                       .west = 2600000.5,
                                       .north = 1200000};
        const struct tw_encoding encoding = {.values = &value,
                                             .count = 1,
                                             .range = {.high = 1},
                                             .options = &options,
                                             .world = &world,
                                             .provenance = &provenance};
        const struct tw_sidecar sidecar = {.file = "a.r32",
                                           .format = tw_format_find(".r32", TW_HEIGHTMAP, false),
                                           .encoding = &encoding};
        struct tw_bytes out = {0};
        char text[4000] = "";
        assert_int_equal(tw_sidecar_print(&sidecar, &out, NULL), TW_OK);
        size_t length = 0; /* without the line breaks and blanks of the layout */
        for (size_t k = 0; k < out.length && length + 1 < sizeof text; k++)
            if (out.at[k] != '\n' &&
                !(out.at[k] == ' ' && (k == 0 || strchr(" \n{", out.at[k - 1]))))
                text[length++] = (char)out.at[k];
        if (!strstr(text, rows[i].metres) || (rows[i].place && !strstr(text, rows[i].place)) ||
            (!rows[i].place && strstr(text, "place")))
            fail_msg("%s", text);
        free(out.at);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_without_a_head_are_read_or_refused),
        cmocka_unit_test(a_mesh_needs_a_square),
        cmocka_unit_test(a_range_fits_what_is_there),
        cmocka_unit_test(a_sidecar_has_the_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
