/* SPDX-License-Identifier: MIT */
/* `world: {from: dem}`: metres, size and place of an elevation model, its gaps, its projection, and
 * what is refused; GDAL only where it is allowed. */
#include "support/command.h"
#include "support/harness.h"

#include "base/os/file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct command_result result;

static void run(const char *arguments, int code) { command_expect(arguments, code, &result); }

static void write_text(const char *name, const char *text)
{
    command_write(name, text, strlen(text));
}

/* dem.asc of 4 x 3 cells: rows of text, the south-west corner, the size of a cell. */
static void write_dem(const char *cells, double west, double south, double cell)
{
    char text[600];
    snprintf(text, sizeof text,
             "ncols 4\nnrows 3\nxllcorner %.12g\nyllcorner %.12g\ncellsize %.12g\n"
             "NODATA_value -9\n%s",
             west, south, cell, cells);
    write_text("dem.asc", text);
}

static const char level_map[] = "0 1 2 3\n4 5 6 7\n8 9 10 200\n";

/* r.yaml: a world with these entries, and the node dem with those. */
static void write_recipe(const char *head, const char *world, const char *entries)
{
    char text[600];
    snprintf(text, sizeof text,
             "thalweg: 1\n%sworld: {%s}\nnodes:\n  dem: {type: source.heightmap, %s}\n"
             "outputs: {h: dem}\nexport:\n  h.tif: {from: h, metres: true}\n",
             head, world, entries);
    write_text("r.yaml", text);
}

/* Runs it, and describes what it wrote. */
static void expect_facts(const char *const *words)
{
    run("run r.yaml -o . --no-cache -q", 0);
    run("inspect h.tif", 0);
    for (; *words; words++)
        command_expect_words(result.out, *words);
}

static void expect_refused(const char *words)
{
    run("check r.yaml", 3);
    command_expect_words(result.err, words);
}

/* ---- the world ---- */

static void metres_come_from_the_file(void **state)
{
    (void)state;
    write_dem(level_map, 1000, 5000, 30);
    write_recipe("", "from: dem", "file: dem.asc");
    expect_facts((const char *const[]){"4 x 3", "greatest          200", "side 120",
                                       "height 1 is 200", NULL});
    write_recipe("size: [8, 6]\n", "from: dem", "file: dem.asc, fit: bilinear");
    expect_facts((const char *const[]){"8 x 6", "side 120", "cell 15", NULL});
    write_recipe("size: 3\n", "from: dem", "file: dem.asc, fit: crop");
    expect_facts((const char *const[]){"3 x 3", "side 90", NULL});
    write_recipe("", "from: dem, side_m: 400, height_m: 1000", "file: dem.asc");
    expect_facts(
        (const char *const[]){"side 400", "height 1 is 1000", "greatest          200", NULL});
    write_recipe("", "from: dem", "file: dem.asc, unit: feet");
    expect_facts((const char *const[]){"height 1 is 60.96", NULL});
    write_dem("-8 -8 -8 -8\n-8 -8 -8 -8\n-8 -8 -8 -5\n", 1000, 5000, 30);
    write_recipe("", "from: dem", "file: dem.asc");
    expect_facts((const char *const[]){"height 1 is 8", NULL}); /* all of it lies below the sea */
}

static void degrees_become_metres(void **state)
{
    (void)state;
    write_dem(level_map, 9, 46, 0.001); /* at 46.0015: 77.46 x 111.15 m */
    write_recipe("", "from: dem", "file: dem.asc, fit: bilinear");
    expect_facts((const char *const[]){"4 x 4", "side 309.8", NULL});
    write_recipe("", "from: dem", "file: dem.asc");
    expect_refused("dem.asc is 4 x 3 cells of 77.");
    write_recipe("", "from: dem", "file: dem.asc, fit: lanczos, projection: utm");
    expect_facts(
        (const char *const[]){"EPSG:32632", "west              499999.938", "4 x 4", NULL});
    write_recipe("", "from: dem", "file: dem.asc, fit: bilinear, projection: utm, zone: 31");
    expect_facts((const char *const[]){"EPSG:32631", NULL});
    write_recipe("", "from: dem", "file: dem.asc, fit: bilinear, projection: utm, zone: 61");
    expect_refused("zone is 61; allowed auto or 1 to 60");
    write_recipe("", "from: dem", "file: dem.asc, fit: bilinear, projection: utm, zone: 1");
    expect_refused("dem.asc lies up to 174 degrees from the meridian of zone 1; expected at "
                   "most 30");
    write_recipe("", "from: dem", "file: dem.asc, projection: utm");
    expect_refused("set fit: bilinear or lanczos");
    write_dem(level_map, 9, 83.999, 0.001);
    write_recipe("", "from: dem", "file: dem.asc, fit: bilinear, projection: utm");
    expect_refused("dem.asc lies from 83.999 to 84.002 degrees north; expected -80 to 84");
    write_dem(level_map, 179.999, -46, 0.001); /* across the date line */
    write_recipe("", "from: dem", "file: dem.asc, fit: bilinear, projection: utm");
    expect_facts((const char *const[]){"EPSG:32701", NULL});
    write_dem(level_map, 1000, 5000, 30);
    write_recipe("", "from: dem", "file: dem.asc, fit: bilinear, projection: utm");
    expect_refused("dem.asc is in metres of its own projection");
}

static void a_world_that_cannot_be(void **state)
{
    (void)state;
    write_dem(level_map, 1000, 5000, 30);
    write_recipe("", "from: dam", "file: dem.asc");
    expect_refused("world.from is 'dam'; expected a node of type source.heightmap");
    command_expect_words(result.err, "did you mean 'dem'?");
    write_recipe("", "from: [dem]", "file: dem.asc");
    run("check r.yaml", 3);
    write_recipe("", "from: dem", "file: none.asc");
    expect_refused("cannot read none.asc");
    write_dem(level_map, 1000, 5000, 1e300);
    write_recipe("", "from: dem", "file: dem.asc");
    expect_refused("the file of 'dem' gives world.side_m");
    run("run r.yaml -o out --no-cache", 3);
    write_text("m.yaml", "thalweg: 1\nsize: 4\nnodes:\n  n: {type: noise.perlin}\n"
                         "export: {m.npy: n}\n");
    run("run m.yaml -o . -q", 0);
    write_recipe("", "from: dem", "file: m.npy");
    expect_refused("m.npy does not say how large its cells are; expected side_m: in world:");
    write_recipe("size: 4\n", "from: dem, side_m: 100", "file: m.npy");
    run("check r.yaml", 0);
    write_recipe("size: 4\n", "from: dem, side_m: 100", "file: m.npy, projection: sinusoidal");
    expect_refused("m.npy does not say where it lies");
}

/* ---- gaps ---- */

static const float *cells_of(const char *name, unsigned char **data)
{
    size_t length = 0;
    assert_int_equal(tw_file_read(name, 1 << 16, data, &length, NULL), TW_OK);
    return (const float *)(*data + length - 12 * sizeof(float)); /* .npy: cells at the end */
}

static void gaps_are_marked_and_filled(void **state)
{
    static const float heights[] = {5, 1, 2, 3, 4, 1, 6, 7, 8, 9, 10, 1};
    unsigned char *data = NULL, *marks = NULL;
    (void)state;
    write_dem("5 1 2 3\n4 -9 6 7\n8 9 10 -9\n", 1000, 5000, 30);
    write_text("g.yaml", "thalweg: 1\nsize: [4, 3]\nnodes:\n"
                         "  dem: {type: source.heightmap, file: dem.asc}\n"
                         "export: {h.npy: dem, g.npy: dem.gaps}\n");
    run("run g.yaml -o . --no-cache", 0);
    assert_null(strstr(result.err, "warning"));
    const float *h = cells_of("h.npy", &data), *g = cells_of("g.npy", &marks);
    for (int i = 0; i < 12; i++) {
        assert_true(g[i] == (i == 5 || i == 11 ? 1 : 0));
        assert_true(h[i] == heights[i]);
    }
    free(data);
    free(marks);
    write_recipe("", "from: dem", "file: dem.asc");
    run("run r.yaml -o . --no-cache", 0);
    command_expect_words(result.err, "dem.asc has no height for 2 cells of the map, which get the "
                                     "least, 0.1; nothing reads the output gaps");
    write_recipe("", "from: dem", "file: dem.asc, no_data: 5");
    run("run r.yaml -o . --no-cache", 0);
    command_expect_words(result.err, "no height for 3 cells");
    write_dem("-9 -9 -9 -9\n-9 -9 -9 -9\n-9 -9 -9 -9\n", 1000, 5000, 30);
    run("run r.yaml -o . --no-cache", 3);
    command_expect_words(result.err, "dem.asc has no height anywhere on this map");
    write_text("image.yaml", "thalweg: 1\nsize: [4, 3]\nnodes:\n"
                             "  a: {type: source.image, file: dem.asc}\noutputs: {a: a}\n");
    run("check image.yaml", 3);
    command_expect_words(result.err, "no data at x 0, y 0");
}

/* A gap of less than half the weight is made up for by the cells around it. */
static void gaps_shrink_and_grow_with_the_map(void **state)
{
    static const char *const fits[] = {"bilinear", "lanczos", "bilinear, projection: sinusoidal",
                                       "lanczos, projection: utm"};
    (void)state;
    for (int i = 0; i < 4; i++) {
        char text[500];
        unsigned char *data = NULL;
        write_dem("3 3 3 3\n3 -9 3 3\n3 3 3 3\n", 9, i < 2 ? 5000 : 46, i < 2 ? 30 : 0.001);
        snprintf(text, sizeof text,
                 "thalweg: 1\nsize: [4, 3]\nnodes:\n"
                 "  dem: {type: source.heightmap, file: dem.asc, fit: %s}\n"
                 "export: {h.npy: dem, g.npy: dem.gaps}\n",
                 fits[i]);
        write_text("g.yaml", text);
        run("run g.yaml -o . --no-cache", 0);
        const float *h = cells_of("h.npy", &data);
        for (int k = 0; k < 12; k++)
            if (fabs((double)h[k] - 3) > 1e-6)
                fail_msg("%s: cell %d is %.9g", fits[i], k, (double)h[k]);
        free(data);
        const float *g = cells_of("g.npy", &data);
        int gaps = 0;
        for (int k = 0; k < 12; k++)
            gaps += g[k] == 1;
        assert_in_range(gaps, 1, 3);
        free(data);
    }
}

/* ---- others ---- */

static void gdal_is_used_only_where_allowed(void **state)
{
    (void)state;
    write_text("dem.img", "EHFA_HEADER_TAG and no more");
    write_recipe("size: 4\n", "side_m: 100", "file: dem.img");
    const char *before = getenv("THALWEG_GDAL"); /* the sanitizers' presets switch it off */
    bool was_off = before && strcmp(before, "off") == 0;
    assert_int_equal(setenv("THALWEG_GDAL", "off", 1), 0);
    expect_refused("dem.img is of an unknown format; expected .png");
    run("doctor", 0);
    assert_null(strstr(result.out, "through GDAL"));
    if (!was_off)
        unsetenv("THALWEG_GDAL");
    run("check r.yaml --untrusted", 3);
    command_expect_words(result.err, "dem.img is of an unknown format; expected .png");
    expect_refused("unknown format"); /* to GDAL as well, where there is one */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(metres_come_from_the_file),
                                       cmocka_unit_test(degrees_become_metres),
                                       cmocka_unit_test(a_world_that_cannot_be),
                                       cmocka_unit_test(gaps_are_marked_and_filled),
                                       cmocka_unit_test(gaps_shrink_and_grow_with_the_map),
                                       cmocka_unit_test(gdal_is_used_only_where_allowed)};
    return cmocka_run_group_tests(tests, command_set_up, command_tear_down);
}
