/* SPDX-License-Identifier: MIT */
/* Recipes to facts: limits on both sides, recipes within recipes, seeds. */
#include "support/command.h"
#include "support/recipe.h"

#include "graph/load/recipe.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEAD "thalweg: 1\nnodes:\n"
#define TAIL "outputs: {out: a}\n"

static void file(const char *name, const char *text) { command_write(name, text, strlen(text)); }

static void load_fault(const char *path, enum tw_status status, const char *words)
{
    struct tw_recipe *recipe = NULL;
    struct tw_error error;
    assert_int_equal(tw_recipe_load(path, NULL, &recipe, &error), status);
    assert_null(recipe);
    if (!strstr(error.message, words))
        fail_msg("'%s' does not say '%s'", error.message, words);
}

static void a_recipe_has_512_cells_a_side_unless_it_says_otherwise(void **state)
{
    static const char text[] = "thalweg: 1\nnodes: {n: {type: noise.midpoint}}\n"
                               "outputs: {n: n}\n";
    struct tw_recipe *recipe = NULL;
    struct tw_error error;
    (void)state;
    assert_int_equal(tw_recipe_parse(text, sizeof text - 1, "a.yaml", NULL, &recipe, &error),
                     TW_OK);
    assert_int_equal(recipe->width, 512);
    assert_int_equal(recipe->height, 512);
    tw_recipe_release(recipe);
}

/* ---- limits ---- */

/* A growing text. */
struct text {
    char *at;
    size_t used, capacity;
};

static void add(struct text *text, const char *format, int number)
{
    const size_t needed = text->used + strlen(format) + 32;
    if (needed > text->capacity) {
        text->capacity = 2 * needed;
        text->at = realloc(text->at, text->capacity);
        assert_non_null(text->at);
    }
    text->used += (size_t)sprintf(text->at + text->used, format, number);
}

static enum tw_status load_many(const char *head, const char *line, int count, const char *tail,
                                struct tw_error *error)
{
    struct text text = {NULL, 0, 0};
    struct tw_recipe *recipe = NULL;
    add(&text, head, 0);
    for (int i = 0; i < count; i++)
        add(&text, line, i);
    add(&text, tail, 0);
    enum tw_status status =
        tw_recipe_parse(text.at, strlen(text.at), "test.yaml", NULL, &recipe, error);
    tw_recipe_release(recipe);
    free(text.at);
    return status;
}

static void nodes_end_at_ten_thousand(void **state)
{
    static const char head[] = HEAD "  a: {type: noise.midpoint}\n";
    static const char line[] = "  n%d: {type: source.constant}\n";
    struct tw_error error;
    (void)state;
    assert_int_equal(load_many(head, line, 9999, TAIL, &error), TW_OK);
    assert_int_equal(load_many(head, line, 10000, TAIL, &error), TW_LIMIT);
    assert_non_null(strstr(error.message, "more than 10000 nodes"));
    assert_int_equal(error.line, 10003);
}

static void a_node_has_at_most_64_inputs(void **state)
{
    struct tw_error error;
    static const char head[] = HEAD "  p: {type: feature.points}\n"
                                    "  m:\n    type: feature.merge\n    generators:\n";
    (void)state;
    assert_int_equal(load_many(head, "      - p\n", 64, "outputs: {out: m}\n", &error), TW_OK);
    assert_int_equal(load_many(head, "      - p\n", 65, "outputs: {out: m}\n", &error), TW_LIMIT);
    assert_non_null(strstr(error.message, "65 inputs are more than the 64"));
}

static void sizes_end_at_their_limits(void **state)
{
    static const struct {
        const char *size;
        bool ok;
    } rows[] = {{"0", false},
                {"1", true},
                {"65536", false}, /* cells */
                {"16384", true},
                {"16385", false},
                {"[65536, 4096]", true},
                {"[65537, 1]", false},
                {"[65536, 4097]", false},
                {"[1, 65536]", true},
                {"[1, 0]", false},
                {"1.5", false},
                {"-1", false},
                {"[1]", false},
                {"[1, 2, 3]", false},
                {"1e2", true},
                {"99999999999", false},
                {"{}", false},
                {"[[1], 2]", false}};
    char text[200];
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        snprintf(text, sizeof text, "thalweg: 1\nsize: %s\nnodes: {a: {type: noise.midpoint}}\n%s",
                 rows[i].size, TAIL);
        if (rows[i].ok)
            tw_recipe_release(recipe_of(text));
        else
            recipe_fault(text, "");
    }
}

/* Each file uses the next: f0 is `deep` recipes deep. */
static void write_chain(int deep)
{
    char name[32], text[200];
    for (int i = 0; i < deep; i++) {
        bool last = i == deep - 1;
        snprintf(name, sizeof name, "f%d.yaml", i);
        snprintf(text, sizeof text, HEAD "  a: {type: %s}\n" TAIL,
                 last ? "noise.midpoint" : "./f999.yaml");
        if (!last)
            sprintf(strstr(text, "./f999"), "./f%d.yaml}\n" TAIL, i + 1);
        file(name, text);
    }
}

static void recipes_nest_sixteen_deep(void **state)
{
    struct tw_recipe *recipe = NULL;
    (void)state;
    write_chain(16);
    assert_int_equal(tw_recipe_load("f0.yaml", NULL, &recipe, NULL), TW_OK);
    assert_int_equal(recipe->count, 1);
    assert_string_equal(recipe->nodes[0].path, "a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a");
    tw_recipe_release(recipe);
    write_chain(17);
    load_fault("f0.yaml", TW_LIMIT, "more than 16 recipes in each other");
}

/* Ten uses in each of eight files would be 10^8 scopes; hints for 10,000 unknown names among as
 * many, 10^8 comparisons. */
static void hostile_recipes_cost_little(void **state)
{
    char name[32], text[1000];
    struct tw_error error;
    (void)state;
    for (int i = 0; i < 8; i++) {
        strcpy(text, HEAD);
        for (int k = 0; k < 10; k++)
            sprintf(text + strlen(text), "  n%d: {type: ./bomb%d.yaml}\n", k, i + 1);
        strcat(text, "outputs: {h: n0}\n");
        snprintf(name, sizeof name, "bomb%d.yaml", i);
        file(name, text);
    }
    file("bomb8.yaml", "thalweg: 1\nnodes: {}\noutputs: {h: x}\n");
    load_fault("bomb0.yaml", TW_LIMIT, "more than 10000");
    assert_int_equal(load_many(HEAD "  a: {type: noise.midpoint}\n",
                               "  a_node_with_a_long_name_%d: {type: erosion.olsen, in: anode}\n",
                               9999, TAIL, &error),
                     TW_RECIPE);
}

/* ---- recipes within recipes ---- */

static void nested_recipes_pass_inputs_and_parameters(void **state)
{
    struct tw_recipe *recipe = NULL;
    (void)state;
    file("inner.yaml", "thalweg: 1\n"
                       "inputs: {below: heightmap}\n"
                       "params: {power: 2}\n"
                       "nodes:\n"
                       "  bent: {type: shape.power, in: below, exponent: \"${power}\"}\n"
                       "  cells: {type: voronoi.cells}\n"
                       "outputs: {bent: bent, domain: cells.domain}\n"
                       "export: {ignored.png: bent}\n");
    file("middle.yaml", "thalweg: 1\n"
                        "inputs: {ground: heightmap}\n"
                        "params: {p: 3}\n"
                        "nodes:\n"
                        "  one: {type: ./inner.yaml, below: ground, power: \"${p}\"}\n"
                        "  two: {type: ./inner.yaml, below: one}\n"
                        "outputs: {first: two, labels: one.domain}\n");
    file("outer.yaml", "thalweg: 1\n"
                       "nodes:\n"
                       "  mid: {type: ./middle.yaml, ground: noise, p: 0.5}\n"
                       "  noise: {type: noise.midpoint}\n"
                       "  keep: {type: voronoi.domain, domain: mid.labels}\n"
                       "outputs: {out: mid, keep: keep}\n");
    assert_int_equal(tw_recipe_load("outer.yaml", NULL, &recipe, NULL), TW_OK);
    assert_int_equal(recipe->count, 6);
    assert_null(recipe->exports);
    const struct tw_node *one = recipe_node(recipe, "mid/one/bent");
    const struct tw_node *two = recipe_node(recipe, "mid/two/bent");
    assert_ptr_equal(&recipe->nodes[one->inputs[0].node], recipe_node(recipe, "noise"));
    assert_ptr_equal(&recipe->nodes[two->inputs[0].node], one);
    assert_true(*(const float *)one->params == 0.5f);
    assert_true(*(const float *)two->params == 2);
    assert_ptr_equal(&recipe->nodes[recipe->outputs->source.node], two);
    assert_ptr_equal(&recipe->nodes[recipe_node(recipe, "keep")->inputs[0].node],
                     recipe_node(recipe, "mid/one/cells"));
    assert_true(recipe_node(recipe, "mid/one/cells")->seed_key !=
                recipe_node(recipe, "mid/two/cells")->seed_key);
    tw_recipe_release(recipe);
}

static void use(const char *line, const char *words)
{
    char text[400];
    snprintf(text, sizeof text, HEAD "  noise: {type: noise.midpoint}\n  a: {%s}\n" TAIL, line);
    file("use.yaml", text);
    load_fault("use.yaml", TW_RECIPE, words);
}

static void wrong_uses_are_reported(void **state)
{
    (void)state;
    file("part.yaml", "thalweg: 1\n"
                      "inputs: {below: heightmap}\n"
                      "params: {p: {default: 1, min: 0, max: 2}}\n"
                      "nodes: {bent: {type: shape.power, in: below, exponent: \"${p}\"}}\n"
                      "outputs: {bent: bent}\n");
    use("type: ./part.yaml", "needs the input 'below'");
    use("type: ./part.yaml, below: noise, q: 3", "has no input or parameter 'q'");
    use("type: ./part.yaml, below: noise, p: 3",
        "parameter p is '3'; expected a number from 0 to 2");
    use("type: ./part.yaml, below: noise.heights", "has no output 'heights'");
    use("type: ./part.yaml, below: a", "in a cycle: a/bent <- a/bent");
    file("through.yaml", "thalweg: 1\ninputs: {i: heightmap}\nnodes: {}\noutputs: {o: i}\n");
    use("type: ./through.yaml, i: a", "leads back to itself");
    file("none.yaml", "thalweg: 1\nnodes: {}\n");
    use("type: ./none.yaml", "has no output '(first)'");
    file("hill.yaml", "thalweg: 1\nworld: {side_m: 100}\ninputs: {i: heightmap}\n"
                      "nodes: {o: {type: mask.slope, in: i, low: 30 deg}}\noutputs: {o: o}\n");
    use("type: ./hill.yaml, i: noise",
        "'world: {side_m: ..., height_m: ...}' in use.yaml, the recipe that is run, to convert it");
}

/* ---- all faults of a file ---- */

struct heard {
    char lines[2000];
};

static void hear(void *context, bool fault, const struct tw_error *error, const char *source_line)
{
    struct heard *heard = context;
    size_t used = strlen(heard->lines);
    (void)source_line;
    snprintf(heard->lines + used, sizeof heard->lines - used, "%s%s:%d:%d: %s\n",
             fault ? "" : "warning: ", error->file, error->line, error->column, error->message);
}

static void hears(const char *path, const struct tw_yaml *replacements, const char *expected)
{
    struct heard heard = {""};
    const struct tw_load_options options = {.diagnostic = hear, .context = &heard};
    const struct tw_load_changes changes = {.nodes = replacements};
    struct tw_recipe *recipe = NULL;
    struct tw_error error;
    if (tw_recipe_load_with(path, &options, &changes, &recipe, &error) == TW_OK)
        tw_recipe_release(recipe);
    assert_string_equal(heard.lines, expected);
}

static void cycles_are_reported_beside_other_faults(void **state)
{
    (void)state;
    file("both.yaml", HEAD "  a: {type: shape.invert, in: b}\n  b: {type: shape.invert, in: a}\n"
                           "  c: {type: noise.perln}\n" TAIL);
    hears("both.yaml", NULL,
          "both.yaml:5:13: there is no node type 'noise.perln'\n"
          "both.yaml:3:6: nodes feed each other in a cycle: a <- b <- a\n");
}

/* Neither the list without its second number nor the formula is a fault of its own. */
static void a_parameter_out_of_range_is_one_fault(void **state)
{
    (void)state;
    file("range.yaml",
         "thalweg: 1\ninputs: {land: heightmap}\nparams: {k: {default: 0.5, min: 0, max: 1}}\n"
         "nodes:\n  o: {type: shape.remap, in: land, to: [0, \"${k}\"]}\n"
         "  p: {type: combine.formula, a: o, formula: a * k}\noutputs: {out: p}\n");
    file("far.yaml", HEAD "  noise: {type: noise.midpoint}\n"
                          "  a: {type: ./range.yaml, land: noise, k: 2}\n" TAIL);
    hears("far.yaml", NULL, "far.yaml:4:43: parameter k is '2'; expected a number from 0 to 1\n");
}

/* An input that a misspelt key was meant for is not reported as missing, and the recipe that
 * declares it is not at fault. */
static void a_misspelt_input_of_a_recipe_is_one_fault(void **state)
{
    (void)state;
    file("ground.yaml", "thalweg: 1\ninputs: {land: heightmap}\nnodes:\n"
                        "  p: {type: shape.invert, in: land}\noutputs: {out: p}\n");
    file("given.yaml", HEAD "  noise: {type: noise.midpoint}\n"
                            "  a: {type: ./ground.yaml, lnd: noise}\n" TAIL);
    hears("given.yaml", NULL, "given.yaml:4:28: ground.yaml has no input or parameter 'lnd'\n");
    file("given.yaml", HEAD "  noise: {type: noise.midpoint}\n  a: {type: ./ground.yaml}\n" TAIL);
    hears("given.yaml", NULL, "given.yaml:4:6: ground.yaml needs the input 'land'\n");
}

static void names_of_inputs_are_offered(void **state)
{
    struct tw_recipe *recipe = NULL;
    struct tw_error error;
    (void)state;
    file("ground.yaml", "thalweg: 1\ninputs: {land: heightmap}\nnodes:\n"
                        "  p: {type: shape.invert, in: lnd}\noutputs: {out: p}\n");
    assert_int_equal(tw_recipe_load("ground.yaml", NULL, &recipe, &error), TW_RECIPE);
    assert_string_equal(error.message, "there is no node 'lnd'");
    assert_string_equal(error.hint, "did you mean 'land'?");
}

/* What does not fit an input's declared type is the fault of whoever gives it, once; what fits it
 * and not the node that it leads to is that of the recipe. */
static void wrong_types_are_reported_where_they_are_given(void **state)
{
    (void)state;
    file("twice.yaml",
         "thalweg: 1\ninputs: {land: heightmap, places: points}\nnodes:\n"
         "  o: {type: shape.blur, in: land}\n  p: {type: combine.add, a: o, b: land}\n"
         "outputs: {out: p}\n");
    file("given.yaml", HEAD "  some: {type: feature.points, count: 3}\n"
                            "  a: {type: ./twice.yaml, land: some, places: some}\n" TAIL);
    hears("given.yaml", NULL,
          "given.yaml:4:33: some.out gives points, but the input 'land' of twice.yaml expects "
          "heightmap\n");
    file("inside.yaml", "thalweg: 1\ninputs: {places: points}\nnodes:\n"
                        "  o: {type: shape.blur, in: places}\noutputs: {out: o}\n");
    file("given.yaml", HEAD "  some: {type: feature.points, count: 3}\n"
                            "  a: {type: ./inside.yaml, places: some}\n" TAIL);
    hears("given.yaml", NULL,
          "inside.yaml:4:29: some.out gives points, but a/o.in expects heightmap\n");
}

/* But what no node of the recipe uses is reported with replacements, too. */
static void what_replaced_nodes_use_is_used(void **state)
{
    static const char other[] = "a: {type: noise.perlin}\n";
    struct tw_arena arena = {0};
    struct tw_fault_log log = {0};
    (void)state;
    const struct tw_yaml *nodes = tw_yaml_parse(&arena, &log, "o", other, strlen(other));
    file("spare.yaml", "thalweg: 1\nparams: {tal: 1, ta: 2}\nnodes:\n"
                       "  base: {type: noise.midpoint}\n  soft: {type: shape.blur, in: base}\n"
                       "  s: {type: source.constant}\n"
                       "  a: {type: shape.power, in: soft.out, exponent: \"${2 * tal}\"}\n" TAIL);
    hears("spare.yaml", nodes,
          "warning: spare.yaml:6:3: node 's' is not used: no output or export is made from it\n"
          "warning: spare.yaml:2:18: parameter 'ta' is not used: expected '${ta}' in a node\n");
    tw_arena_release(&arena);
}

static void recursion_is_refused(void **state)
{
    (void)state;
    file("self.yaml", HEAD "  a: {type: ./self.yaml}\n" TAIL);
    load_fault("self.yaml", TW_RECIPE, "uses itself");
    file("ping.yaml", HEAD "  a: {type: ./pong.yaml}\n" TAIL);
    file("pong.yaml", HEAD "  a: {type: ./ping.yaml}\n" TAIL);
    load_fault("ping.yaml", TW_RECIPE, "uses itself");
}

static void expect_node(const char *nodes, const char *path)
{
    struct tw_recipe *recipe = NULL;
    struct tw_error error;
    char text[300];
    snprintf(text, sizeof text, HEAD "%s" TAIL, nodes);
    file("node.yaml", text);
    assert_int_not_equal(tw_recipe_load("node.yaml", NULL, &recipe, &error), TW_OK);
    if (strcmp(error.path, path) != 0)
        fail_msg("'%s' instead of '%s': %s", error.path, path, error.message);
}

static void a_fault_is_of_a_node(void **state)
{
    (void)state;
    file("part.yaml", HEAD "  a: {type: noise.perlin, octaves: 99}\n" TAIL);
    file("whole.yaml",
         HEAD "  part: {type: ./part.yaml}\n  a: {type: shape.invert, in: part}\n" TAIL);
    expect_node("  a: {type: noise.perlin, octaves: 99}\n", "a");
    expect_node("  a: {type: noise.pearl}\n", "a");
    expect_node("  b: {type: noise.perlin}\n  a: {type: shape.invert, in: c}\n", "a");
    expect_node("  b: {type: measure.statistics, in: a}\n  a: {type: shape.invert, in: b}\n", "a");
    expect_node("  a: {type: ./whole.yaml}\n", "a/part/a");
    expect_node("  a: {type: ./part.yaml, octaves: 1}\n", "a/a");
    expect_node("  a: {type: noise.perlin}\nsede: 1\n", "");
    expect_node("  A: {type: noise.perlin}\n", "");
}

/* What a recipe names is there on every system; data, which others made, may be called as it is. */
static void recipes_have_names_of_all_systems(void **state)
{
    static const char *const names[] = {"./con.yaml", "./parts/aux.1.yaml", "../a:b.yaml",
                                        "C:/x.yaml",  "./what?.yaml",       "./a./b.yaml"};
    char text[200];
    (void)state;
    file("con.yaml", HEAD "  a: {type: noise.midpoint}\n" TAIL);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(text, sizeof text, HEAD "  a: {type: '%s'}\n" TAIL, names[i]);
        file("names.yaml", text);
        load_fault("names.yaml", TW_PATH, "a recipe is '");
    }
    file("a:b.asc", "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n0 1\n1 0\n");
    file("colon.yaml", HEAD "  a: {type: source.heightmap, file: 'a:b.asc', fit: bilinear}\n" TAIL);
    hears("colon.yaml", NULL,
          "warning: colon.yaml:3:37: an input is 'a:b.asc', with ':'; expected no control "
          "character and none of < > : \" | ? * \\, which names of Windows do not have\n");
}

static void what_cannot_be_read_is_reported(void **state)
{
    (void)state;
    load_fault("nowhere.yaml", TW_INPUT, "nowhere.yaml");
    file("use.yaml", HEAD "  a: {type: ./nowhere.yaml}\n" TAIL);
    load_fault("use.yaml", TW_INPUT, "nowhere.yaml");
    file("use.yaml",
         HEAD "  a: {type: /etc/passwd.yaml}\n  b: {type: ../../etc/hosts.yaml}\n" TAIL);
    load_fault("use.yaml", TW_PATH, "passwd.yaml");
    file("bad.yaml", "thalweg: 1\nnodes: [\n");
    file("use.yaml", HEAD "  a: {type: ./bad.yaml}\n  b: {type: ./bad.yaml}\n" TAIL);
    load_fault("use.yaml", TW_RECIPE, "this '[' is not closed");
}

/* A recipe behind a link has the folder of the file itself, by itself and as a node. */
static void a_linked_recipe_has_the_folder_of_its_file(void **state)
{
    struct tw_recipe *recipe = NULL;
    (void)state;
    assert_true(mkdir("real", 0777) == 0 && mkdir("links", 0777) == 0);
    file("real/leaf.yaml", HEAD "  a: {type: noise.midpoint}\n" TAIL);
    file("real/uses.yaml", HEAD "  a: {type: ./leaf.yaml}\n" TAIL);
    assert_int_equal(symlink("../real/uses.yaml", "links/uses.yaml"), 0);
    file("root.yaml", HEAD "  a: {type: ./links/uses.yaml}\n" TAIL);
    assert_int_equal(tw_recipe_load("root.yaml", NULL, &recipe, NULL), TW_OK);
    tw_recipe_release(recipe);
    assert_int_equal(tw_recipe_load("links/uses.yaml", NULL, &recipe, NULL), TW_OK);
    tw_recipe_release(recipe);
}

/* ---- seeds ---- */

static uint64_t key_of(const char *text, const char *path)
{
    struct tw_recipe *recipe = recipe_of(text);
    uint64_t key = recipe_node(recipe, path)->seed_key;
    tw_recipe_release(recipe);
    return key;
}

static void seeds_follow_the_rules(void **state)
{
    (void)state;
    uint64_t a = key_of(HEAD "  a: {type: noise.midpoint}\n" TAIL, "a");
    /* nodes elsewhere, parameters and order change nothing */
    assert_true(a == key_of(HEAD "  b: {type: noise.midpoint}\n"
                                 "  a: {type: noise.midpoint, smoothed: true}\n" TAIL,
                            "a"));
    /* two nodes differ, a new name is a new seed */
    assert_true(a != key_of(HEAD "  b: {type: noise.midpoint}\noutputs: {out: b}\n", "b"));
    /* a seed of its own makes the name free */
    uint64_t own = key_of(HEAD "  a: {type: noise.midpoint, seed: 5}\n" TAIL, "a");
    assert_true(own != a);
    assert_true(own ==
                key_of(HEAD "  b: {type: noise.midpoint, seed: 5}\noutputs: {out: b}\n", "b"));
    assert_true(own != key_of(HEAD "  a: {type: noise.midpoint, seed: 6}\n" TAIL, "a"));
    assert_true(a != key_of(HEAD "  a: {type: noise.midpoint, seed: 0}\n" TAIL, "a"));
    /* the recipe's seed reaches both */
    assert_true(a ==
                key_of("thalweg: 1\nseed: 0\nnodes:\n  a: {type: noise.midpoint}\n" TAIL, "a"));
    assert_true(a !=
                key_of("thalweg: 1\nseed: 1\nnodes:\n  a: {type: noise.midpoint}\n" TAIL, "a"));
    assert_true(own != key_of("thalweg: 1\nseed: 1\nnodes:\n"
                              "  a: {type: noise.midpoint, seed: 5}\n" TAIL,
                              "a"));
    /* what draws nothing has none */
    assert_true(key_of(HEAD "  a: {type: source.constant}\n" TAIL, "a") == 0);
    recipe_fault(HEAD "  a: {type: source.constant, seed: 1}\n" TAIL, "'seed'");
    recipe_fault(HEAD "  a: {type: noise.midpoint, seed: -1}\n" TAIL, "seed is -1; expected");
    recipe_fault(HEAD "  a: {type: noise.midpoint, seed: [1]}\n" TAIL,
                 "seed is [1]; expected a whole number");
}

/* The keys of a recipe's random nodes as a node with `entries`, and by itself. */
static void expect_seeds_of_use(const char *entries, const char *seed, bool same)
{
    char text[300];
    const struct tw_load_options options = {.has_seed = true, .seed = 7};
    struct tw_recipe *used = NULL, *alone = NULL;
    snprintf(text, sizeof text,
             "thalweg: 1\nseed: 1\nnodes: {n: {type: ./alone.yaml%s}}\n"
             "outputs: {out: n}\n",
             entries);
    file("uses.yaml", text);
    snprintf(text, sizeof text,
             "thalweg: 1\nseed: %s\nnodes:\n  a: {type: noise.midpoint}\n"
             "  b: {type: shape.perturb, in: a}\n  c: {type: combine.add, a: b, b: d}\n"
             "  d: {type: noise.spectral, seed: 3}\noutputs: {out: c}\n",
             seed);
    file("alone.yaml", text);
    assert_int_equal(tw_recipe_load("uses.yaml", NULL, &used, NULL), TW_OK);
    assert_int_equal(tw_recipe_load("alone.yaml", &options, &alone, NULL), TW_OK);
    assert_int_equal(used->count, alone->count);
    for (int32_t i = 0; i < used->count; i++)
        if (used->nodes[i].type->random)
            assert_int_equal(used->nodes[i].seed_key == alone->nodes[i].seed_key, same);
    tw_recipe_release(used);
    tw_recipe_release(alone);
}

static void a_seed_makes_a_used_recipe_draw_as_by_itself(void **state)
{
    (void)state;
    expect_seeds_of_use(", seed: 7", "1", true);
    expect_seeds_of_use(", seed: \"7\"", "2", true);
    expect_seeds_of_use(", seed: 8", "7", false);
    expect_seeds_of_use("", "7", false);
    file("bad.yaml", HEAD "  a: {type: ./alone.yaml, seed: -1}\n" TAIL);
    load_fault("bad.yaml", TW_RECIPE, "a.seed is -1; expected a whole number");
    /* a parameter of that name comes first */
    file("own.yaml", "thalweg: 1\nparams: {seed: 3}\nnodes:\n"
                     "  a: {type: source.constant, value: \"${seed}\"}\n" TAIL);
    file("bad.yaml", HEAD "  a: {type: ./own.yaml, seed: 0.5}\n" TAIL);
    struct tw_recipe *recipe = NULL;
    assert_int_equal(tw_recipe_load("bad.yaml", NULL, &recipe, NULL), TW_OK);
    assert_true(*(const float *)recipe->nodes[0].params == 0.5f);
    tw_recipe_release(recipe);
}

/* ---- options, replacements ---- */

static void options_come_before_the_file(void **state)
{
    static const char *const set[] = {"p=1", "p=3", NULL}, *const unknown[] = {"q=1", NULL};
    static const char *const without_value[] = {"p", NULL};
    static const char text[] = "thalweg: 1\nsize: 32\nseed: 9\nparams: {p: 2}\nnodes:\n"
                               "  a: {type: source.constant, value: \"${p}\"}\n" TAIL;
    struct tw_load_options options = {.set = set, .width = 7, .has_seed = true, .seed = 4};
    struct tw_recipe *recipe = NULL;
    struct tw_error error;
    (void)state;
    assert_int_equal(tw_recipe_parse(text, strlen(text), "t.yaml", &options, &recipe, &error),
                     TW_OK);
    assert_int_equal(recipe->width, 7);
    assert_int_equal(recipe->height, 7);
    assert_int_equal(recipe->seed, 4);
    assert_true(*(const float *)recipe->nodes[0].params == 3);
    tw_recipe_release(recipe);
    options.height = 5;
    options.set = unknown;
    assert_int_equal(tw_recipe_parse(text, strlen(text), "t.yaml", &options, &recipe, &error),
                     TW_RECIPE);
    assert_string_equal(error.message, "'q' is not a parameter of t.yaml");
    assert_string_equal(error.file, "command line");
    options.set = without_value;
    assert_int_equal(tw_recipe_parse(text, strlen(text), "t.yaml", &options, &recipe, &error),
                     TW_RECIPE);
    assert_string_equal(error.message, "'p' sets nothing; expected name=value");
    options.set = NULL;
    for (int i = 0; i < 3; i++) {
        static const char *const expected[] = {
            "size is 0 x 5 cells; expected both to be at least 1",
            "size is -1 x 5 cells; expected both to be at least 1",
            "size is 5 x -1 cells; expected both to be at least 1"};
        options.width = i == 2 ? 5 : -i;
        options.height = i == 2 ? -1 : 5;
        assert_int_equal(tw_recipe_parse(text, strlen(text), "t.yaml", &options, &recipe, &error),
                         TW_RECIPE);
        assert_string_equal(error.message, expected[i]);
    }
    options.width = 65536;
    options.height = 65536;
    assert_int_equal(tw_recipe_parse(text, strlen(text), "t.yaml", &options, &recipe, &error),
                     TW_LIMIT);
}

static void replacements_stand_in_for_nodes(void **state)
{
    static const char other[] = "a: {type: noise.perlin}\nz: {type: noise.midpoint}\n";
    static const struct tw_load_options none = {0};
    struct tw_arena arena = {0};
    struct tw_fault_log log = {0};
    struct tw_recipe *recipe = NULL;
    (void)state;
    const struct tw_yaml *nodes = tw_yaml_parse(&arena, &log, "o", other, strlen(other));
    file("base.yaml", HEAD "  a: {type: noise.midpoint}\n  b: {type: shape.invert, in: z}\n"
                           "outputs: {out: b, a: a}\n");
    load_fault("base.yaml", TW_RECIPE, "there is no node 'z'");
    assert_int_equal(tw_recipe_load_with("base.yaml", &none,
                                         &(struct tw_load_changes){.nodes = nodes}, &recipe, NULL),
                     TW_OK);
    assert_int_equal(recipe->count, 3);
    assert_string_equal(recipe_node(recipe, "a")->type->name, "noise.perlin");
    tw_recipe_release(recipe);
    tw_arena_release(&arena);
}

/* A replacement that has the name of no node is most often one that is misspelt. */
static void replacements_of_nothing_are_noticed(void **state)
{
    static const char other[] = "bb: {type: shape.blur, in: a}\nzzzzzz: {type: noise.midpoint}\n";
    struct tw_arena arena = {0};
    struct tw_fault_log log = {0};
    (void)state;
    const struct tw_yaml *nodes = tw_yaml_parse(&arena, &log, "o", other, strlen(other));
    file("base.yaml", HEAD "  a: {type: noise.midpoint}\n  bbb: {type: shape.invert, in: a}\n"
                           "outputs: {out: bbb}\n");
    hears(
        "base.yaml", nodes,
        "warning: o:1:1: node 'bb' is not used: no output or export is made from it; did you mean "
        "to replace 'bbb'?\n"
        "warning: o:2:1: node 'zzzzzz' is not used: no output or export is made from it\n");
    tw_arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_recipe_has_512_cells_a_side_unless_it_says_otherwise),
        cmocka_unit_test(nodes_end_at_ten_thousand),
        cmocka_unit_test(a_node_has_at_most_64_inputs),
        cmocka_unit_test(sizes_end_at_their_limits),
        cmocka_unit_test(recipes_nest_sixteen_deep),
        cmocka_unit_test(hostile_recipes_cost_little),
        cmocka_unit_test(nested_recipes_pass_inputs_and_parameters),
        cmocka_unit_test(wrong_uses_are_reported),
        cmocka_unit_test(cycles_are_reported_beside_other_faults),
        cmocka_unit_test(a_parameter_out_of_range_is_one_fault),
        cmocka_unit_test(a_misspelt_input_of_a_recipe_is_one_fault),
        cmocka_unit_test(names_of_inputs_are_offered),
        cmocka_unit_test(wrong_types_are_reported_where_they_are_given),
        cmocka_unit_test(what_replaced_nodes_use_is_used),
        cmocka_unit_test(recursion_is_refused),
        cmocka_unit_test(a_fault_is_of_a_node),
        cmocka_unit_test(recipes_have_names_of_all_systems),
        cmocka_unit_test(what_cannot_be_read_is_reported),
        cmocka_unit_test(seeds_follow_the_rules),
        cmocka_unit_test(a_linked_recipe_has_the_folder_of_its_file),
        cmocka_unit_test(a_seed_makes_a_used_recipe_draw_as_by_itself),
        cmocka_unit_test(options_come_before_the_file),
        cmocka_unit_test(replacements_stand_in_for_nodes),
        cmocka_unit_test(replacements_of_nothing_are_noticed),
    };
    return cmocka_run_group_tests(tests, command_set_up, command_tear_down);
}
