/* SPDX-License-Identifier: MIT */
/* PNG written in strips: read back by libpng, the same bytes whoever packs which strip, and the
 * first failure that counts; levels as the plain formula gives them at every width of vectors. */
#include "format/format.h"

#include "support/harness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Colours of a pattern whose rows differ; row `bad` cannot be had. */
struct pattern {
    int32_t width, bad;
};

static bool fill_row(void *context, int32_t y, unsigned char *row)
{
    const struct pattern *pattern = context;
    const uint32_t line = (uint32_t)y;
    for (uint32_t i = 0; i < 3 * (uint32_t)pattern->width; i++)
        row[i] = (unsigned char)((i * i / 7 + line * 31) ^ (i * line >> 6));
    return y != pattern->bad;
}

/* Workers of the worst kind: the last range first, one range a strip. */
static void run_backwards(void *context, int32_t count, int32_t grain, tw_rows_fn *fn,
                          void *fn_context)
{
    int *calls = context;
    (void)grain;
    for (int32_t i = count; i-- > 0; (*calls)++)
        fn(fn_context, i, i + 1);
}

static struct tw_png_rows rows_of(struct pattern *pattern, int32_t height, int level)
{
    return (struct tw_png_rows){.width = pattern->width,
                                .height = height,
                                .channels = 3,
                                .bits = 8,
                                .level = level,
                                .fill = fill_row,
                                .context = pattern};
}

static void expect_pattern(const struct tw_bytes *file, struct pattern *pattern, int32_t height)
{
    struct tw_value image = {0};
    unsigned char *row = malloc(3 * (size_t)pattern->width);
    assert_non_null(row);
    assert_int_equal(tw_png_decode(file->at, file->length, &image, NULL), TW_OK);
    assert_true(image.width == pattern->width && image.height == height);
    for (int32_t y = 0; y < height; y++) {
        fill_row(pattern, y, row);
        assert_memory_equal(row, tw_pixels(&image) + (size_t)y * 3 * (size_t)pattern->width,
                            3 * (size_t)pattern->width);
    }
    free(row);
    tw_field_clear(&image);
}

/* Several waves of strips of one row; one strip; the slow way. */
static void images_are_read_back(void **state)
{
    static const struct {
        int32_t width, height;
        int level;
    } images[] = {{44000, 34, 0}, {1, 1, 0}, {1, 900, 1}, {2000, 90, 1}, {301, 200, 9}};
    (void)state;
    for (size_t i = 0; i < sizeof images / sizeof images[0]; i++) {
        struct pattern pattern = {images[i].width, -1};
        struct tw_png_rows rows = rows_of(&pattern, images[i].height, images[i].level);
        struct tw_bytes file = {0};
        assert_int_equal(tw_png_encode_rows(&rows, &file, NULL), TW_OK);
        expect_pattern(&file, &pattern, images[i].height);
        free(file.at);
    }
}

static void workers_do_not_change_bytes(void **state)
{
    int calls = 0;
    const struct tw_workers workers = {run_backwards, &calls};
    struct pattern pattern = {4000, -1};
    struct tw_png_rows rows = rows_of(&pattern, 411, 0);
    struct tw_bytes alone = {0}, shared = {0};
    (void)state;
    assert_int_equal(tw_png_encode_rows(&rows, &alone, NULL), TW_OK);
    rows.workers = &workers;
    assert_int_equal(tw_png_encode_rows(&rows, &shared, NULL), TW_OK);
    assert_int_equal(calls, 42); /* strips of 10 rows, in two waves */
    assert_int_equal(alone.length, shared.length);
    assert_memory_equal(alone.at, shared.at, alone.length);
    free(alone.at);
    free(shared.at);
}

/* Which row is passed next. */
struct passing {
    struct pattern pattern;
    int32_t next, last;
};

static bool fill_passing(void *context, int32_t y, unsigned char *row)
{
    return fill_row(&((struct passing *)context)->pattern, y, row);
}

static bool pass(void *context, int32_t begin, int32_t end)
{
    struct passing *passing = context;
    assert_int_equal(begin, passing->next);
    passing->next = end;
    return end < passing->last;
}

static void rows_are_passed_in_order(void **state)
{
    int calls = 0;
    const struct tw_workers workers = {run_backwards, &calls};
    (void)state;
    for (int k = 0; k < 2; k++) {
        struct passing passing = {{4000, -1}, 0, 412};
        struct tw_png_rows rows = rows_of(&passing.pattern, 411, 0);
        struct tw_bytes plain = {0}, passed = {0};
        assert_int_equal(tw_png_encode_rows(&rows, &plain, NULL), TW_OK);
        rows.fill = fill_passing;
        rows.pass = pass;
        rows.context = &passing;
        rows.workers = k ? &workers : NULL;
        assert_int_equal(tw_png_encode_rows(&rows, &passed, NULL), TW_OK);
        assert_int_equal(passing.next, 411);
        assert_int_equal(passed.length, plain.length);
        assert_memory_equal(passed.at, plain.at, plain.length);
        passed.length = 0;
        passing = (struct passing){{4000, -1}, 0, 411}; /* not the last ones */
        assert_int_equal(tw_png_encode_rows(&rows, &passed, NULL), TW_NODE);
        free(plain.at);
        free(passed.at);
    }
}

static void a_row_that_fails_ends_it(void **state)
{
    int calls = 0;
    const struct tw_workers workers = {run_backwards, &calls};
    (void)state;
    static const int32_t bad[] = {0, 10, 11, 59}; /* strips of 11 rows */
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct pattern pattern = {1400, bad[i]};
        struct tw_png_rows rows = rows_of(&pattern, 60, 0);
        struct tw_bytes file = {0};
        rows.workers = &workers;
        assert_int_equal(tw_png_encode_rows(&rows, &file, NULL), TW_NODE);
        free(file.at);
    }
}

static void stopping_is_reported(void **state)
{
    atomic_bool stop = true;
    struct pattern pattern = {40, -1};
    struct tw_png_rows rows = rows_of(&pattern, 40, 0);
    struct tw_bytes file = {.stop = &stop};
    struct tw_error error = {0};
    (void)state;
    assert_int_equal(tw_png_encode_rows(&rows, &file, &error), TW_CANCELLED);
    assert_string_equal(error.message, "stopped");
    free(file.at);
}

/* ---- levels ---- */

/* The formula of codec.h, a cell at a time. */
static bool plain_level(float cell, const struct tw_export_range *range, unsigned *level)
{
    double share = ((double)cell - range->low) / (range->high - range->low);
    if (!(share >= 0 && share <= 1) && (!range->clip || share != share))
        return false;
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    *level = (unsigned)(share * (range->bits == 8 ? 255 : 65535) + 0.5);
    return true;
}

static void expect_plain_row(const struct tw_value *map, const struct tw_export_range *range)
{
    unsigned char row[2 * 700];
    float cells[700];
    bool inside = true;
    for (int32_t x = 0; x < map->width; x++) {
        unsigned level;
        inside &= plain_level(tw_floats(map)[x], range, &level);
    }
    assert_int_equal(tw_codec_quantise(map, 0, range, row), inside);
    assert_int_equal(tw_codec_requantise(map, 0, range, cells), inside);
    for (int32_t x = 0; inside && x < map->width; x++) {
        unsigned level = 0;
        plain_level(tw_floats(map)[x], range, &level);
        unsigned got = range->bits == 8 ? row[x] : (unsigned)(row[2 * x] << 8 | row[2 * x + 1]);
        assert_int_equal(got, level);
        assert_true(cells[x] == (float)level / (range->bits == 8 ? 255.0f : 65535.0f));
    }
}

static void levels_are_those_of_the_formula(void **state)
{
    static const char *const simd[] = {"base", "avx2", "avx512"};
    static const struct tw_export_range ranges[] = {
        {0, 1, false, 16},      {-0.3, 1.7, false, 8}, {0.25, 0.5, true, 16},
        {0.25, 0.5, false, 16}, {0.5, 0.5, true, 8},   {-1e30, 1e30, false, 16},
        {1, 0, true, 8},
    };
    static float cells[700];
    uint32_t seed = 9;
    (void)state;
    for (size_t i = 0; i < 700; i++) {
        seed = seed * 1664525u + 1013904223u;
        cells[i] = i % 5 == 0 ? (float)(i * 93 % 65536) / 65535.0f : (float)(seed >> 8) * 0x1p-24f;
    }
    for (size_t s = 0; s < 3; s++) {
        setenv("THALWEG_SIMD", simd[s], 1);
        for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
            for (int32_t width = 1; width <= 700; width += width < 40 ? 1 : 83) {
                struct tw_value map = {TW_HEIGHTMAP, width, 1, cells};
                expect_plain_row(&map, &ranges[i]);
            }
        cells[300] = NAN;
        struct tw_value map = {TW_HEIGHTMAP, 700, 1, cells};
        expect_plain_row(&map, &ranges[2]);
        cells[300] = 0.5f;
    }
    unsetenv("THALWEG_SIMD");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(images_are_read_back),
        cmocka_unit_test(workers_do_not_change_bytes),
        cmocka_unit_test(rows_are_passed_in_order),
        cmocka_unit_test(a_row_that_fails_ends_it),
        cmocka_unit_test(stopping_is_reported),
        cmocka_unit_test(levels_are_those_of_the_formula),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
