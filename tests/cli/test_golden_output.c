/* SPDX-License-Identifier: MIT */
/* Whole answers, as text and with --json: tests/golden/golden_output.txt has every line that
 * commands print on a few small files, and every number of their documents but times (write it anew
 * with THALWEG_UPDATE_GOLDEN=1, and read the difference). */
#include "support/answers.h"

/* ---- the files ---- */

#define WORLD                                                                                      \
    "thalweg: 1\nsize: [40, 24]\nseed: 5\nnodes:\n"                                                \
    "  noise: {type: noise.perlin, frequency: %d}\n"                                               \
    "  side: {type: noise.ridged}\n"                                                               \
    "  eroded: {type: erosion.thermal, in: noise, talus: %d, iterations: 20}\n"                    \
    "  score: {type: measure.score, in: eroded}\n%s"

#define OUTPUTS                                                                                    \
    "outputs: {height: eroded, score: score, side: side}\n"                                        \
    "export: {height.npy: height, all.json: score}\n"

#define FLAT                                                                                       \
    "thalweg-experiment: 1\nrecipe: flat.yaml\nseeds: {from: 1, count: 2}\nmeasure: "              \
    "[stats.mean]\n"

static void write_world(const char *name, int frequency, int talus, const char *rest)
{
    char text[1000];
    snprintf(text, sizeof text, WORLD, frequency, talus, rest);
    write_text(name, text);
}

static void write_files(void)
{
    write_world("old.yaml", 4, 2, OUTPUTS);
    write_world("a.yaml", 4, 2, OUTPUTS);
    write_world("b.yaml", 4, 3, OUTPUTS);
    write_text("bad.yaml", "thalweg: 1\nsiez: 3\nnodes:\n  n: {type: noise.perlin, octaves: 0}\n"
                           "outputs: {n: m}\n");
    write_text("e.yaml", "thalweg-experiment: 1\nrecipe: old.yaml\nseeds: {from: 1, count: 3}\n"
                         "measure: [score.erosion, score.slope_mean]\n"
                         "variants:\n  plain: {}\n  gentle: {nodes: {eroded: {type: "
                         "erosion.thermal, in: noise, talus: 1}}}\n"
                         "assert: {score.erosion: {mean: {min: 0.2}}}\n");
    write_text("flat.yaml", "thalweg: 1\nsize: 8\nparams: {a: 0.5, b: 0.25, c: 1}\nnodes:\n"
                            "  h: {type: source.constant, value: \"${2 * a + b * b}\"}\n"
                            "  stats: {type: measure.statistics, in: h}\n"
                            "outputs: {stats: stats}\n");
    write_text("slope.yaml",
               "thalweg: 1\nsize: 16\nparams: {talus: 2}\nnodes:\n  n: {type: noise.perlin}\n"
               "  e: {type: erosion.thermal, in: n, talus: \"${talus}\", iterations: 5}\n"
               "  score: {type: measure.score, in: e}\noutputs: {score: score, map: e}\n");
    write_text("sweep.yaml", "thalweg-experiment: 1\nrecipe: slope.yaml\n"
                             "seeds: {from: 1, count: 9}\nbaseline: plain\n"
                             "measure: [score.erosion, score.slope_mean]\n"
                             "goal: {score.erosion: up}\n"
                             "variants: {plain: {}, talus: {sweep: {talus: [0.5, 1, 4]}}}\n");
    write_text("effects.yaml",
               FLAT "sensitivity: {params: {a: [0, 1], b: [0, 1], c: [0, 2]}, morris: 6}\n");
    write_text("tune.yaml", FLAT "tune: {params: {a: [0, 1], b: [0, 1]}, goal: {stats.mean: 1.7}, "
                                 "budget: 20}\n");
}

/* The first node of a, the third of b; outputs and exports that come and go. */
static void change_files(void)
{
    write_world("a.yaml", 5, 1,
                "  soft: {type: shape.blur, in: noise, radius: 0.1}\n"
                "outputs: {height: eroded, score: score, soft: soft}\n"
                "export: {height.npy: height, soft.npy: soft}\n");
    write_world("b.yaml", 4, 1, OUTPUTS);
}

static void whole_answers_change_on_purpose_only(void **state)
{
    static const struct row before[] = {
        {0, "run old.yaml b.yaml -o {recipe} -j 1 --no-cache", false},
        {0, "lock a.yaml b.yaml --no-cache", false},
        {0, "verify a.yaml b.yaml --no-cache", false},
        {0, "diff old.yaml a.yaml --no-cache", false},
        {0, "inspect old/height.npy old/all.json", false},
        {0, "diff old/height.npy old/height.npy", false},
        {1, "diff old/height.npy b/height.npy", false},
        {0, "check old.yaml b.yaml", false},
        {3, "check bad.yaml old.yaml", false},
        {0, "graph old.yaml", true},
        {0, "graph old.yaml --format mermaid", true},
        {1, "compare e.yaml --no-cache", false},
        {0, "compare sweep.yaml --no-cache", false},
        {0, "compare effects.yaml --no-cache", false},
        {0, "compare tune.yaml --no-cache", false},
        {0, "run old.yaml --cache-dir kept", false},
        {0, "run old.yaml --cache-dir kept --dry-run", false},
        {0, "nodes feature.curve", false},
        {0, NULL, false}};
    static const struct row after[] = {{1, "verify a.yaml b.yaml --no-cache", false},
                                       {1, "diff old.yaml a.yaml --no-cache", false},
                                       {1, "diff old.yaml b.yaml --no-cache", false},
                                       {0, "run a.yaml --cache-dir kept --dry-run", false},
                                       {0, "lock b.yaml --no-cache", false},
                                       {0, NULL, false}};
    (void)state;
    write_files();
    golden_begin(&golden, TW_GOLDEN "/golden_output.txt");
    files = "locked";
    put_answers(before);
    change_files();
    files = "changed";
    put_answers(after);
    golden_end(&golden);
}

int main(void)
{
    const struct CMUnitTest tests[] = {GATE_TEST(whole_answers_change_on_purpose_only)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
