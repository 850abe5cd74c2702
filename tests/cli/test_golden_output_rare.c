/* SPDX-License-Identifier: MIT */
/* Whole answers on files that use what is rarer: tests/golden/golden_output_rare.txt, as
 * golden_output.txt of test_golden_output.c. */
#include "support/answers.h"

/* ---- files for engines, read back ---- */

#define LAND                                                                                       \
    "thalweg: 1\nabout: Something for everybody\nsize: [64, 32]\nseed: 18446744073709551615\n"     \
    "borders: closed\n"                                                                            \
    "world: {side_m: 1500, height_m: 250, sea_level: 0.25, epsg: 25832, west: 5e5, north: 54e5}\n" \
    "params: {talus: 9, hills: {default: 0.75, min: 0, max: 1, about: how many}}\n"                \
    "nodes:\n"                                                                                     \
    "  noise: {type: noise.ridged, frequency: 3}\n"                                                \
    "  eroded: {type: erosion.thermal, in: noise, talus: \"${talus}\", iterations: 3}\n"           \
    "  steep: {type: mask.slope, in: eroded}\n"                                                    \
    "  high: {type: mask.height, in: eroded, low: 0.5}\n"                                          \
    "  profile: {type: feature.profile, points: [[0, 1], [0.5, 0.25], [1, 0]]}\n"                  \
    "  score: {type: measure.score, in: eroded}\n"                                                 \
    "  sizes: {type: measure.statistics, in: eroded}\n"                                            \
    "outputs: {height: eroded, steep: steep, profile: profile, score: score, sizes: sizes}\n"

#define FILES                                                                                      \
    "export:\n"                                                                                    \
    "  h.png: {from: height, range: fit, sidecar: true}\n"                                         \
    "  h8.png: {from: height, bits: 8, range: [-1, 2]}\n"                                          \
    "  shade.png: {from: height, as: hillshade}\n"                                                 \
    "  ground.png: [steep, high]\n"                                                                \
    "  h.npy: height\n"                                                                            \
    "  h.r16: {from: height, range: [-1, 2], flip: true}\n"                                        \
    "  h.raw: {from: height, range: [-1, 2]}\n"                                                    \
    "  h.r32: {from: height, metres: true}\n"                                                      \
    "  h.bmp: {from: height, range: [-1, 2]}\n"                                                    \
    "  h.glb: {from: height, step: 2, skirt: 0.5}\n"                                               \
    "  h.obj: {from: height, step: 4}\n"                                                           \
    "  tile.r16: {from: height, range: [-1, 2], tiles: {cells: 16, origin: 1, flip_y: true}}\n"    \
    "  scores.json: {from: {land: score, numbers: sizes}}\n"                                       \
    "  profile.csv: profile\n"

static void what_is_written_and_read(void **state)
{
    static const struct row rows[] = {
        {0, "run land.yaml -o o --no-cache -j 1", false},
        {0, "inspect o/h.png o/h8.png o/shade.png o/ground.png", false},
        {0, "inspect o/h.npy o/h.r16", false},
        {0, "inspect o/h.raw o/h.r32 o/h.bmp o/tile_x2_y1.r16", false},
        {0, "inspect o/h.glb o/h.obj o/scores.json o/profile.csv", false},
        {0, "inspect o/h.png.json o/h.r32.json", false},
        {1, "diff o/h.npy o/h.raw", false},
        {0, "diff o/h.npy o/h.r16 --tolerance 0.001", false},
        {0, "diff o/h.npy o/h.r32 --tolerance 1e-5", false},
        {0, "check land.yaml -s talus=11 --size 32", false},
        {3, "check land.yaml -s hills=2", false},
        {3, "check land.yaml --size 40", false},
        {0, "graph land.yaml", true},
        {0, "run land.yaml -o p --no-cache --only steep --seed 3", false},
        {0, NULL, false}};
    (void)state;
    write_text("land.yaml", LAND FILES);
    files = "files";
    put_answers(rows);
}

/* ---- what changed ---- */

#define CURVED                                                                                     \
    "in: noise, points: [[0, 0], [0.125, 0.0625], [0.25, 0.1], [0.375, 0.2], [0.5, 0.4], "         \
    "[0.625, 0.55], [%s, 1]]"

/* `nodes`: lines of them. */
static void write_locked(const char *world, const char *nodes, const char *outputs)
{
    char text[2000];
    snprintf(text, sizeof text,
             "thalweg: 1\n%snodes:\n  given: {type: source.heightmap, file: given.npy}\n"
             "  noise: {type: noise.perlin, frequency: 2}\n%soutputs: {%s}\n",
             world, nodes, outputs);
    write_text("locked.yaml", text);
}

static void what_changed_since(void **state)
{
    static const struct row lock[] = {{0, "run given.yaml -o . --no-cache -q", true},
                                      {0, "lock locked.yaml --no-cache", false},
                                      {0, NULL, false}};
    static const struct row verify[] = {{1, "verify locked.yaml --no-cache", false},
                                        {0, NULL, false}};
    static const struct row file[] = {{0, "run given.yaml --seed 2 -o . --no-cache -q", true},
                                      {1, "verify locked.yaml --no-cache", false},
                                      {0, "run given.yaml -o . --no-cache -q", true},
                                      {0, NULL, false}};
    static const struct row update[] = {{1, "verify locked.yaml --no-cache --update=curved", false},
                                        {0, "verify locked.yaml --no-cache --update", false},
                                        {0, "verify locked.yaml --no-cache", false},
                                        {0, NULL, false}};
    static const char curve[] = "  curved: {type: shape.curve, " CURVED "}\n";
    static const char sum[] = "  sum: {type: combine.add, a: curved, b: given}\n";
    char nodes[600], more[400];
    (void)state;
    write_text("given.yaml", "thalweg: 1\nsize: 16\nnodes:\n  n: {type: noise.midpoint}\n"
                             "outputs: {n: n}\nexport: {given.npy: n}\n");
    snprintf(more, sizeof more, curve, "0.75");
    snprintf(nodes, sizeof nodes, "%s%s", more, sum);
    write_locked("size: 16\nseed: 1\n", nodes, "sum: sum, noise: noise");
    files = "locked";
    put_answers(lock);
    files = "another file";
    put_answers(file);
    files = "another world";
    write_locked("size: 16\nseed: 2\nworld: {side_m: 100}\n", nodes, "sum: sum, noise: noise");
    put_answers(verify);
    files = "another output";
    write_locked("size: 16\nseed: 1\n", nodes, "noise: noise, total: sum");
    put_answers(verify);
    files = "a long setting";
    snprintf(more, sizeof more, curve, "0.875");
    snprintf(nodes, sizeof nodes, "%s%s", more, sum);
    write_locked("size: 16\nseed: 1\n", nodes, "sum: sum, noise: noise");
    put_answers(verify);
    files = "another type";
    snprintf(nodes, sizeof nodes, "%s  sum: {type: combine.subtract, a: given, b: curved}\n", more);
    write_locked("size: 16\nseed: 1\n", nodes, "sum: sum, noise: noise");
    put_answers(verify);
    put_answers(update);
}

/* ---- experiments ---- */

#define HILLS                                                                                      \
    "thalweg: 1\nsize: 16\nparams: {talus: 4, rough: 0.5, kind: 0}\nnodes:\n"                      \
    "  n: {type: noise.perlin, persistence: \"${rough}\"}\n"                                       \
    "  p: {type: shape.power, in: n, exponent: 0.5}\n"                                             \
    "  far: {type: shape.remap, in: n, to: [0, 1e9]}\n"                                            \
    "  farther: {type: combine.multiply, a: far, b: far}\n"                                        \
    "  farthest: {type: combine.multiply, a: farther, b: farther}\n"                               \
    "  which: {type: combine.switch, in: [n, p], index: \"${kind}\"}\n"                            \
    "  e: {type: erosion.thermal, in: which, talus: \"${talus}\", iterations: 4}\n"                \
    "  score: {type: measure.score, in: e}\noutputs: {score: score, height: e}\n"

static void what_experiments_say(void **state)
{
    static const struct row rows[] = {
        {1, "compare matrix.yaml --no-cache", false},
        {1, "compare matrix.yaml --no-cache --markdown", true},
        {1, "compare matrix.yaml --no-cache --csv -", true},
        {0, "compare few.yaml --no-cache --seeds 3", false},
        {4, "compare fails.yaml --no-cache", false},
        {0, "compare until.yaml --no-cache", false},
        {0, "compare until.yaml --no-cache --shard 1/2", false},
        {0, "compare until.yaml --no-cache --gather shards", false},
        {0, "compare until.yaml --no-cache --shard 2/3 -o other", false},
        {3, "compare until.yaml --no-cache --gather other", false},
        {0, "compare screen.yaml --no-cache", false},
        {0, "compare screen.yaml --no-cache --markdown", true},
        {0, "judge few.yaml --no-cache --pairs 5", false},
        {0, NULL, false}};
    (void)state;
    write_text("hills.yaml", HILLS);
    write_text("matrix.yaml",
               "thalweg-experiment: 1\nrecipe: hills.yaml\nseeds: [3, 1, 4, 15, 9, 2, 6, 5]\n"
               "matrix:\n  talus: {from: 4, to: 12, steps: 3}\n  rough: [0.5, 0.75]\n"
               "  exclude: [{talus: 4, rough: 0.75}]\n  include: [{talus: 30, rough: 0.25}]\n"
               "measure:\n  - score.erosion\n  - height.mean\n  - height.quantile(0.9)\n"
               "  - height.slope.share(0, 4)\n  - height.difference.rms\n"
               "  - by mean: score.erosion / height.mean\n"
               "baseline: talus=8,rough=0.5\ngoal: {score.erosion: up, height.mean: down}\n"
               "assert: {height.mean: {mean: {min: 0.3, max: 0.45}, max: {max: 0.5}, "
               "deviation: {max: 0.02}}}\n");
    write_text("few.yaml", "thalweg-experiment: 1\nrecipe: hills.yaml\nsize: 8\n"
                           "seeds: {from: 7, count: 2}\nmeasure: [score.erosion]\n"
                           "variants: {as it is: {}, steeper: {params: {talus: 20}}}\n"
                           "baseline: as it is\n");
    write_text("fails.yaml",
               "thalweg-experiment: 1\nrecipe: hills.yaml\nseeds: [1, 2, 3]\n"
               "measure: [height.mean]\nvariants: {plain: {}, steep: {params: "
               "{talus: 5}}, broken: {nodes: {e: {type: combine.multiply, a: farthest, "
               "b: farthest}}, params: {kind: 1}}}\nbaseline: plain\n");
    write_text("until.yaml",
               "thalweg-experiment: 1\nrecipe: hills.yaml\nsize: 8\n"
               "seeds: {from: 1, count: 30, until: {height.mean: 0.01}}\nmeasure: [height.mean]\n"
               "variants: {plain: {}, rough: {params: {rough: 0.75}}}\nbaseline: plain\n");
    write_text(
        "screen.yaml",
        "thalweg-experiment: 1\nrecipe: named.yaml\nsize: 8\nseeds: {from: 1, count: 2}\n"
        "sensitivity:\n  params: {steepest_talus: {from: 1, to: 20, whole: true}, rough: [0, 1]}\n"
        "  morris: 3\n  levels: 6\n  curves: 4\nmeasure: [score.erosion, height.deviation]\n");
    write_text("named.yaml",
               "thalweg: 1\nsize: 16\nparams: {steepest_talus: 4, rough: 0.5}\nnodes:\n"
               "  hills: {type: ./hills.yaml, talus: \"${steepest_talus}\", rough: \"${rough}\"}\n"
               "outputs: {score: hills.score, height: hills.height}\n");
    files = "experiments";
    put_answers(rows);
}

static int begin_lines(void **state)
{
    (void)state;
    golden_begin(&golden, TW_GOLDEN "/golden_output_rare.txt");
    return 0;
}

/* A test, and the last: what fails in a group's teardown leaves the exit code 0. */
static void lines_change_on_purpose_only(void **state)
{
    (void)state;
    golden_end(&golden);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        GATE_TEST(what_is_written_and_read), GATE_TEST(what_changed_since),
        GATE_TEST(what_experiments_say), cmocka_unit_test(lines_change_on_purpose_only)};
    return cmocka_run_group_tests(tests, begin_lines, NULL);
}
