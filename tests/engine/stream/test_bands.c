/* SPDX-License-Identifier: MIT */
/* Runs in bands of rows: files, digests and sidecars are those of the whole run, on a torus and on
 * a map that ends, for bands of any height; what needs the whole map is refused, and says so. */
#include "support/command.h"
#include "support/dice.h"
#include "support/recipe.h"
#include "support/sanitized.h"

#include "base/os/file.h"
#include "format/format.h"
#include "runner/runner.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { LINES_MAX = 12, GRAPHS = RACES_ONLY ? 8 : 24 };

struct ran {
    enum tw_status status;
    struct tw_error error;
    struct tw_run_summary report;
};

static struct ran run_into(const char *text, const char *folder, int32_t bands, int32_t threads,
                           uint64_t memory)
{
    struct ran ran = {.status = TW_OK};
    struct tw_recipe *recipe = NULL;
    const struct tw_load_options load = {.limits = {.cells = UINT64_MAX}};
    const struct tw_run_options options = {.threads = threads, .max_memory = memory};
    const struct tw_run_request request = {.options = &options,
                                           .export_folder = folder,
                                           .bands = bands,
                                           .digest_files = true,
                                           .report = &ran.report};
    if (tw_recipe_parse(text, strlen(text), "test.yaml", &load, &recipe, &ran.error) != TW_OK)
        fail_msg("%d:%d: %s\n%s", ran.error.line, ran.error.column, ran.error.message, text);
    ran.status = tw_run_execute(recipe, &request, NULL, &ran.error);
    tw_recipe_release(recipe);
    return ran;
}

static void expect_file(const char *name, const char *text)
{
    unsigned char *data[2] = {NULL, NULL};
    size_t length[2] = {0, 0};
    const char *folders[] = {"whole", "bands"};
    for (int i = 0; i < 2; i++) {
        char path[100];
        snprintf(path, sizeof path, "%s/%s", folders[i], name);
        assert_int_equal(tw_file_read(path, 1 << 24, &data[i], &length[i], NULL), TW_OK);
    }
    if (length[0] != length[1] || memcmp(data[0], data[1], length[0]) != 0)
        fail_msg("%s differs:\n%s", name, text);
    free(data[0]);
    free(data[1]);
}

/* The files and the outputs' digests of both runs. */
static void expect_same(const char *text, const char *const *names, int32_t bands, int32_t threads)
{
    struct ran whole = run_into(text, "whole", 0, 2, 0);
    struct ran ran = run_into(text, "bands", bands, threads, 0);
    if (whole.status != TW_OK || ran.status != TW_OK)
        fail_msg("%s / %s:\n%s", whole.error.message, ran.error.message, text);
    for (; *names; names++)
        expect_file(*names, text);
    assert_in_range(ran.report.used_bytes, 1, ran.report.peak_bytes);
    for (int32_t i = 0; i < ran.report.node_count; i++) {
        const struct tw_node_summary *a = &whole.report.nodes[i], *b = &ran.report.nodes[i];
        assert_int_equal(b->outcome, a->outcome);
        assert_true(b->seconds >= 0 && b->seconds < 3600); /* no other unit */
        for (int port = 0; port < TW_PORTS_MAX; port++)
            if (b->stamped >> port & 1)
                assert_memory_equal(&a->outputs[port].digest, &b->outputs[port].digest,
                                    sizeof a->outputs[port].digest);
    }
    for (int32_t i = 0; i < ran.report.export_count; i++) {
        assert_true(ran.report.exports[i].there && ran.report.exports[i].written);
        assert_int_equal(ran.report.exports[i].bytes, whole.report.exports[i].bytes);
        const struct tw_export_identity *a = &whole.report.exports[i].identity;
        const struct tw_export_identity *b = &ran.report.exports[i].identity;
        assert_true(a->has_sha256 && b->has_sha256);
        assert_memory_equal(&b->sha256, &a->sha256, sizeof a->sha256);
    }
    tw_run_summary_release(&whole.report);
    tw_run_summary_release(&ran.report);
}

/* ---- random graphs ---- */

/* Nodes by what they look at; %s are earlier nodes, or earlier masks. Peaks above next to nothing
 * make the last bits of sums depend on their order. */
static const char *const kinds[] = {
    "{type: shape.remap, in: %s, to: [-0.5, 1.5]}",
    "{type: combine.add, a: %s, b: %s}",
    "{type: combine.subtract, a: %s, b: %s}",
    "{type: combine.blend, a: %s, b: %s, mask: slope}",
    "{type: shape.terrace, in: %s, levels: 5}",
    "{type: shape.invert, in: %s, mask: crest}",
    "{type: mask.slope, in: %s, radius: 0.08}",
    "{type: mask.slope, in: %s, border: closed}",
    "{type: mask.slope, in: %s, border: wrap, radius: 0.4}",
    "{type: mask.curvature, in: %s, radius: 0.06}",
    "{type: mask.aspect, in: %s}",
    "{type: mask.openness, in: %s, radius: 0.1, directions: 5}",
    "{type: measure.slope, in: %s}",
    "{type: combine.subtract, a: %s, b: crest.value}", /* an output on demand */
    "{type: noise.perlin}",
    "{type: combine.formula, b: %s, formula: b * (x - 0.5) + y * y}",
    "{type: combine.formula, formula: sin(5 * x) * y}",
    "{type: shape.blur, in: peaks}",
    "{type: shape.blur, in: %s, radius: 0.3, mask: slope}",
    "{type: shape.blur, in: peaks, border: wrap, radius: 0.9}",
    "{type: shape.blur, in: %s, border: clamp, radius: 0.15}",
};

/* In this build. */
static bool has_tiff(void) { return !tw_format_find(".tif", TW_MASK, false)->lacks; }

static void write_graph(struct dice *dice, char *text, size_t size)
{
    const int count = (int)(sizeof kinds / sizeof *kinds);
    int used = snprintf(text, size,
                        "thalweg: 1\nsize: [%d, %d]\nborders: %s\nnodes:\n"
                        "  n0: {type: noise.perlin, frequency: 5}\n  n1: {type: noise.ridged}\n"
                        "  peaks: {type: shape.power, in: n1, exponent: 100}\n"
                        "  slope: {type: mask.slope, in: n0}\n"
                        "  crest: {type: mask.curvature, in: n1, radius: 0.05}\n",
                        1 + (int)dice_below(dice, 70), 1 + (int)dice_below(dice, 70),
                        dice_below(dice, 2) ? "wrap" : "closed");
    for (int i = 2; i < LINES_MAX; i++) {
        char a[8], b[8];
        const char *kind = kinds[dice_below(dice, count)];
        snprintf(a, sizeof a, "n%d", (int)dice_below(dice, i));
        snprintf(b, sizeof b, "n%d", (int)dice_below(dice, i));
        used += snprintf(text + used, size - (size_t)used, "  n%d: ", i);
        bool two = strstr(strchr(kind, '%') ? strchr(kind, '%') + 1 : kind, "%") != NULL;
        used += two ? snprintf(text + used, size - (size_t)used, kind, a, b)
                    : snprintf(text + used, size - (size_t)used, kind, a);
        used += snprintf(text + used, size - (size_t)used, "\n");
    }
    snprintf(text + used, size - (size_t)used,
             "  shade: {type: render.hillshade, in: n%d}\noutputs: {last: n%d, slope: slope}\n"
             "export:\n  last.npy: n%d\n  mid.r32: {from: n%d, sidecar: true}\n"
             "  slope.r16: slope\n  shade.png: shade\n"
             "  mid.png: {from: n%d, clip: true, sidecar: true}\n%s",
             LINES_MAX - 2, LINES_MAX - 1, LINES_MAX - 1, LINES_MAX / 2, LINES_MAX / 2,
             has_tiff() ? "  slope.tif: slope\n" : "");
}

static void random_graphs_give_the_bytes_of_the_whole_run(void **state)
{
    const char *const names[] = {"last.npy",  "mid.r32",        "mid.r32.json",
                                 "slope.r16", "slope.r16.json", "shade.png",
                                 "mid.png",   "mid.png.json",   has_tiff() ? "slope.tif" : NULL,
                                 NULL};
    static const int32_t bands[] = {1, 7, 64, -1};
    (void)state;
    for (uint32_t set = 0; set < GRAPHS; set++) {
        struct dice dice = {.key = 0x9E3779B97F4A7C15u, .set = set};
        char text[4000];
        write_graph(&dice, text, sizeof text);
        expect_same(text, names, bands[set % 4], 1 + (int32_t)(set % 3));
    }
}

/* A neighbourhood that is larger than the map turns round it more than once. */
static void small_maps_turn_round(void **state)
{
    static const char *const names[] = {"a.npy", NULL};
    static const char *const sizes[] = {"1", "[40, 2]", "[64, 5]", "[3, 90]"};
    (void)state;
    for (int i = 0; i < 4; i++) {
        char text[600];
        snprintf(text, sizeof text,
                 "thalweg: 1\nsize: %s\nborders: wrap\nnodes:\n  n: {type: noise.perlin}\n"
                 "  a: {type: mask.slope, in: n, radius: 0.5}\n"
                 "  b: {type: mask.curvature, in: a, radius: 0.2}\n"
                 "  c: {type: mask.openness, in: b, radius: 0.5, border: closed}\n"
                 "  d: {type: mask.slope, in: c, radius: 0.3}\n"
                 "  e: {type: shape.blur, in: d, radius: 1}\n"
                 "outputs: {a: e}\nexport: {a.npy: e}\n",
                 sizes[i]);
        expect_same(text, names, 1, 1);
        expect_same(text, names, 3, 2);
    }
}

/* Columns that are long beside the blur's windows, from any row on. */
static void tall_maps_are_blurred_alike(void **state)
{
    static const char *const names[] = {"a.npy", NULL};
    static const char *const borders[] = {"wrap", "closed"}, *const radii[] = {"0.06", "0.5", "1"};
    (void)state;
    for (int i = 0; i < 6; i++) {
        char text[600];
        snprintf(text, sizeof text,
                 "thalweg: 1\nsize: [35, 700]\nborders: %s\nnodes:\n  n: {type: noise.ridged}\n"
                 "  peaks: {type: shape.power, in: n, exponent: 100}\n"
                 "  a: {type: shape.blur, in: peaks, radius: %s}\n"
                 "outputs: {a: a}\nexport: {a.npy: a}\n",
                 borders[i % 2], radii[i / 2]);
        expect_same(text, names, 83, 1);
        expect_same(text, names, 300, 2);
    }
}

/* What a mask adds is counted wherever it stands in the recipe. */
static void masks_are_in_the_forecast(void **state)
{
    static const char text[] = "thalweg: 1\nsize: [64, 48]\nborders: closed\nnodes:\n"
                               "  m: {type: mask.shape}\n  n: {type: noise.perlin}\n"
                               "  a: {type: shape.blur, in: n, mask: m, radius: 0.05}\n"
                               "outputs: {a: a}\nexport: {a.npy: a}\n";
    static const char *const names[] = {"a.npy", NULL};
    (void)state;
    expect_same(text, names, 48, 1);
    expect_same(text, names, 9, 1);
}

static void expect_refusal(const char *text, int32_t bands, uint64_t memory, const char *message,
                           const char *hint, int line)
{
    struct ran ran = run_into(text, "refused", bands, 2, memory);
    assert_int_equal(ran.status, TW_LIMIT);
    command_expect_words(ran.error.message, message);
    command_expect_words(ran.error.hint, hint);
    assert_int_equal(ran.error.line, line);
    tw_run_summary_release(&ran.report);
    struct tw_file_id id;
    assert_int_equal(tw_file_identify("refused", true, &id, NULL), TW_OK);
    assert_false(id.exists);
}

/* ---- files that are read by rows ---- */

static void write_inputs(void)
{
    static const char text[] =
        "thalweg: 1\nsize: [50, 41]\nnodes:\n  n: {type: noise.perlin}\n"
        "export:\n  in.npy: n\n  in.png: {from: n, clip: true}\n"
        "  in.r16: {from: n, clip: true}\n  south.raw: {from: n, clip: true, flip: true}\n";
    static const char tiff[] = "thalweg: 1\nsize: [50, 41]\nnodes:\n  n: {type: noise.perlin}\n"
                               "export: {in.tif: n}\n";
    struct ran ran = run_into(text, ".", 0, 1, 0);
    assert_int_equal(ran.status, TW_OK);
    tw_run_summary_release(&ran.report);
    if (!has_tiff())
        return;
    ran = run_into(tiff, ".", 0, 1, 0);
    assert_int_equal(ran.status, TW_OK);
    tw_run_summary_release(&ran.report);
}

#define READ                                                                                       \
    "thalweg: 1\nsize: [%d, 41]\nborders: %s\nnodes:\n  f: {type: source.heightmap, file: %s%s}\n" \
    "  s: {type: mask.slope, in: f, radius: 0.1}\n  m: {type: combine.multiply, a: f, b: s}\n"     \
    "  r: {type: shape.remap, in: m, to: [0, 3]}\noutputs: {r: r}\n"                               \
    "export: {r.npy: r, f.npy: f}\n"

static void files_are_read_by_rows(void **state)
{
    static const char *const files[] = {"in.npy", "in.png", "in.r16", "in.tif"};
    static const char *const names[] = {"r.npy", "f.npy", NULL};
    (void)state;
    write_inputs();
    for (int i = 0; i < (has_tiff() ? 4 : 3); i++)
        for (int32_t rows = 1; rows <= 64; rows *= 4) {
            char text[600];
            snprintf(text, sizeof text, READ, 50, "closed", files[i],
                     rows == 4 ? ", fit: bilinear" : "");
            expect_same(text, names, rows, 2);
        }
}

static void files_that_cannot_be_are_refused(void **state)
{
    static const struct {
        int width;
        const char *borders, *file, *fit, *message;
    } rows[] = {
        {40, "closed", "in.npy", ", fit: crop", "source.heightmap reads a file of another size"},
        {50, "wrap", "in.npy", "", "the neighbours of a torus need some twice"},
    };
    (void)state;
    for (int i = 0; i < 2; i++) {
        char text[600];
        snprintf(text, sizeof text, READ, rows[i].width, rows[i].borders, rows[i].file,
                 rows[i].fit);
        expect_refusal(text, 4, 0, rows[i].message, "", 5);
    }
    char text[600];
    snprintf(text, sizeof text, READ, 50, "closed", "south.raw", "");
    struct ran ran = run_into(text, "south", 4, 2, 0);
    assert_int_equal(ran.status, TW_INPUT);
    assert_int_equal(ran.error.line, 5);
    command_expect_words(ran.error.message, "rows from south to north");
    tw_run_summary_release(&ran.report);
    assert_int_equal(system("test -z \"$(ls -A south)\""), 0);
}

/* In row 30, after the recipe was checked: it shows when the row is read. */
static void a_file_that_is_damaged_is_a_fault(void **state)
{
    static const char text[] = "thalweg: 1\nsize: [50, 41]\nnodes:\n"
                               "  f: {type: source.heightmap, file: in.npy}\n"
                               "  c: {type: shape.invert, in: f}\nexport: {c.npy: c}\n";
    const struct tw_run_options options = {.threads = 2};
    const struct tw_run_request request = {.options = &options, .export_folder = "bad", .bands = 4};
    struct tw_recipe *recipe = recipe_of(text);
    struct tw_error error;
    unsigned char *data = NULL;
    size_t length = 0;
    (void)state;
    assert_int_equal(tw_file_read("in.npy", 1 << 20, &data, &length, NULL), TW_OK);
    memset(data + 128 + 4 * (30 * 50 + 7), 255, 4);
    command_write("in.npy", data, length);
    free(data);
    assert_int_equal(tw_run_execute(recipe, &request, NULL, &error), TW_INPUT);
    assert_string_equal(error.path, "f");
    command_expect_words(error.message, "the .npy is not finite at x 7, y 30");
    tw_recipe_release(recipe);
    assert_int_equal(system("test -z \"$(ls -A bad)\""), 0);
}

/* ---- when a run goes in bands ---- */

#define CELL_BY_CELL                                                                               \
    "nodes:\n  n: {type: noise.perlin}\n  r: {type: shape.remap, in: n, to: [0, 2]}\n"             \
    "outputs: {r: r}\nexport: {r.npy: r}\n"

/* 16 MiB of values whole. */
static void a_memory_limit_leads_to_bands(void **state)
{
    static const char text[] = "thalweg: 1\nsize: [2048, 1024]\n" CELL_BY_CELL;
    (void)state;
    struct ran whole = run_into(text, "whole", 0, 2, (uint64_t)64 << 20);
    struct ran ran = run_into(text, "bands", 0, 2, (uint64_t)2 << 20);
    assert_int_equal(whole.status, TW_OK);
    assert_int_equal(ran.status, TW_OK);
    assert_true(whole.report.used_bytes > (uint64_t)8 << 20);
    assert_in_range(ran.report.used_bytes, 1, (uint64_t)2 << 20);
    assert_true(ran.report.peak_bytes >= ran.report.used_bytes);
    expect_file("r.npy", text);
    tw_run_summary_release(&whole.report);
    tw_run_summary_release(&ran.report);
}

/* As many as were asked for, and no more than the map has: what each of them takes. */
static void bands_have_the_rows_that_were_asked_for(void **state)
{
    enum { HEIGHT = 6 };
    static const char text[] = "thalweg: 1\nsize: [3000, 6]\n" CELL_BY_CELL;
    uint64_t peaks[HEIGHT + 3] = {0};
    (void)state;
    for (int32_t rows = 1; rows < HEIGHT + 3; rows++) {
        struct ran ran = run_into(text, "bands", rows, 1, 0);
        assert_int_equal(ran.status, TW_OK);
        peaks[rows] = ran.report.peak_bytes;
        tw_run_summary_release(&ran.report);
    }
    for (int rows = 2; rows < HEIGHT + 3; rows++)
        assert_int_equal(peaks[rows] - peaks[rows - 1], rows <= HEIGHT ? peaks[2] - peaks[1] : 0);
    assert_true(peaks[2] > peaks[1]);
}

static void a_limit_below_one_row_is_refused(void **state)
{
    (void)state;
    struct ran ran = run_into("thalweg: 1\nsize: [60000, 8]\n" CELL_BY_CELL, "bands", 0, 1, 200000);
    assert_int_equal(ran.status, TW_LIMIT);
    command_expect_words(ran.error.hint, "in bands of 1 row; expected at most 195 KiB");
    assert_int_not_equal(ran.error.hint[0], ';');
    tw_run_summary_release(&ran.report);
}

static void what_needs_the_whole_map_is_refused(void **state)
{
#define ERODED "nodes:\n  n: {type: noise.perlin}\n  e: {type: erosion.thermal, in: n}\n"
    (void)state;
    expect_refusal(
        "thalweg: 1\nsize: 32768\n" ERODED "export: {e.npy: e}\n", 0, 0,
        "erosion.thermal looks at the whole map: at 32768 x 32768 the run needs 24.0 GiB",
        "whole maps fit up to about 16384 x 16384 cells", 5);
    expect_refusal("thalweg: 1\nsize: 512\n" ERODED "export: {e.npy: e}\n", 0, 1 << 20,
                   "the run needs ",
                   "erosion.thermal looks at the whole map, so the run cannot go "
                   "in bands of rows",
                   5);
    expect_refusal("thalweg: 1\nsize: 64\n" ERODED "export: {e.npy: e}\n", -1, 0,
                   "erosion.thermal looks at the whole map, so the run cannot go in bands", "", 5);
    expect_refusal("thalweg: 1\nsize: 64\nnodes:\n  n: {type: noise.perlin}\n"
                   "  s: {type: measure.statistics, in: n}\nexport: {s.json: s}\n",
                   9, 0, "measure.statistics looks at the whole map", "", 5);
#undef ERODED
}

static void files_that_need_the_whole_map_are_refused(void **state)
{
    static const char *const rows[][2] = {
        {"n.raw: {from: n, flip: true}", "n.raw takes the whole map for flip: true"},
        {"n.r16: {from: n, range: fit}", "n.r16 takes the whole map for range: fit"},
        {"n.obj: n", "n.obj takes the whole map for .obj"},
        {"n.r16: {from: n, clip: true, tiles: {cells: 16}}", "takes the whole map for tiles:"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[300];
        snprintf(text, sizeof text,
                 "thalweg: 1\nsize: 64\nnodes:\n  n: {type: noise.perlin}\nexport:\n  %s\n",
                 rows[i][0]);
        expect_refusal(text, 8, 0, rows[i][1], "", 6);
    }
}

/* Not for values that a program takes. */
static void large_maps_have_no_values(void **state)
{
    static const char text[] = "thalweg: 1\nsize: 20000\n" CELL_BY_CELL;
    const struct tw_load_options load = {.limits = {.cells = UINT64_MAX}};
    struct tw_recipe *recipe = NULL;
    struct tw_result *result = NULL;
    struct tw_error error;
    (void)state;
    assert_int_equal(tw_recipe_parse(text, strlen(text), "test.yaml", NULL, &recipe, &error),
                     TW_LIMIT);
    assert_int_equal(tw_recipe_parse(text, strlen(text), "test.yaml", &load, &recipe, &error),
                     TW_OK);
    assert_int_equal(tw_recipe_run(recipe, NULL, &result, &error), TW_LIMIT);
    command_expect_words(error.message, "20000 x 20000 cells are more than the 268435456 allowed");
    tw_recipe_release(recipe);
}

/* ---- faults ---- */

/* The node, the cell and the export as the whole run names them; no file is left. */
static void faults_leave_nothing(void **state)
{
    static const char infinite[] =
        "thalweg: 1\nsize: [50, 40]\nborders: closed\nnodes:\n  n: {type: noise.perlin}\n"
        "  a: {type: shape.remap, in: n, to: [1e9, 1e9]}\n"
        "  b: {type: combine.multiply, a: a, b: a}\n  c: {type: combine.multiply, a: b, b: b}\n"
        "  d: {type: combine.multiply, a: c, b: c}\n  s: {type: mask.slope, in: d}\n"
        "export: {a.npy: n, s.npy: s}\n";
    static const char around[] =
        "thalweg: 1\nsize: [50, 40]\nnodes:\n  n: {type: noise.perlin}\n"
        "  a: {type: shape.remap, in: n, to: [1e9, 1e9]}\n"
        "  b: {type: combine.multiply, a: a, b: a}\n  c: {type: combine.multiply, a: b, b: b}\n"
        "  d: {type: combine.multiply, a: c, b: c}\n  s: {type: mask.slope, in: d}\n"
        "export: {s.npy: s}\n";
    static const char outside[] = "thalweg: 1\nsize: 64\nnodes:\n  n: {type: noise.perlin}\n"
                                  "export:\n  a.npy: n\n  n.r16: {from: n, range: [0.9, 1]}\n";
    (void)state;
    struct ran ran = run_into(infinite, "faults", 8, 2, 0);
    assert_int_equal(ran.status, TW_NODE);
    assert_string_equal(ran.error.message, "output 'out' is not finite at x 0, y 0");
    assert_string_equal(ran.error.path, "d");
    tw_run_summary_release(&ran.report);
    ran = run_into(around, "faults", 8, 2, 0); /* the row above the first is the last */
    assert_string_equal(ran.error.message, "output 'out' is not finite at x 0, y 39");
    tw_run_summary_release(&ran.report);
    ran = run_into(outside, "faults", 8, 2, 0);
    assert_int_equal(ran.status, TW_NODE);
    assert_int_equal(ran.error.line, 7);
    command_expect_words(ran.error.hint, "the heights of rows 0 to 7 only");
    tw_run_summary_release(&ran.report);
    assert_int_equal(system("test -z \"$(ls -A faults)\""), 0);
}

struct stopping {
    volatile int cancel;
    int reports;
};

static void stop_halfway(void *context, const char *node, double done)
{
    struct stopping *stopping = context;
    (void)node;
    stopping->cancel = done > 0;
    stopping->reports++;
}

static void a_stopped_run_leaves_nothing(void **state)
{
    static const char text[] = "thalweg: 1\nsize: [64, 65536]\n" CELL_BY_CELL;
    struct stopping stopping = {.cancel = 0};
    const struct tw_run_options options = {
        .threads = 1, .progress = stop_halfway, .cancel = &stopping.cancel, .context = &stopping};
    const struct tw_run_request request = {
        .options = &options, .export_folder = "stopped", .bands = 1};
    struct tw_recipe *recipe = recipe_of(text);
    struct tw_error error;
    (void)state;
    enum tw_status status = tw_run_execute(recipe, &request, NULL, &error);
    assert_true(stopping.reports > 0);
    if (status != TW_OK) { /* a fast machine may be done */
        assert_int_equal(status, TW_CANCELLED);
        assert_int_equal(system("test -z \"$(ls -A stopped)\""), 0);
    }
    tw_recipe_release(recipe);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_graphs_give_the_bytes_of_the_whole_run),
        cmocka_unit_test(small_maps_turn_round),
        cmocka_unit_test(tall_maps_are_blurred_alike),
        cmocka_unit_test(masks_are_in_the_forecast),
        cmocka_unit_test(files_are_read_by_rows),
        cmocka_unit_test(files_that_cannot_be_are_refused),
        cmocka_unit_test(a_file_that_is_damaged_is_a_fault),
        cmocka_unit_test(a_memory_limit_leads_to_bands),
        cmocka_unit_test(bands_have_the_rows_that_were_asked_for),
        cmocka_unit_test(a_limit_below_one_row_is_refused),
        cmocka_unit_test(what_needs_the_whole_map_is_refused),
        cmocka_unit_test(files_that_need_the_whole_map_are_refused),
        cmocka_unit_test(large_maps_have_no_values),
        cmocka_unit_test(faults_leave_nothing),
        cmocka_unit_test(a_stopped_run_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, command_set_up, command_tear_down);
}
