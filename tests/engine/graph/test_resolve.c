/* SPDX-License-Identifier: MIT */
/* References to edges, outputs and exports. Recipes within recipes: test_load.c. */
#include "node/param.h"
#include "support/recipe.h"

#include <stdio.h>

#define HEAD                                                                                       \
    "thalweg: 1\nnodes:\n"                                                                         \
    "  noise: {type: noise.midpoint}\n"                                                            \
    "  cells: {type: voronoi.cells}\n"                                                             \
    "  mask: {type: mask.threshold, in: noise}\n"                                                  \
    "  one: {type: feature.points, count: 3}\n"                                                    \
    "  facts: {type: measure.statistics, in: noise}\n"

static void edges_lead_to_ports(void **state)
{
    (void)state;
    struct tw_recipe *recipe =
        recipe_of(HEAD "  keep: {type: voronoi.domain, domain: cells.domain}\n"
                       "  late: {type: combine.add, a: early, b: mask}\n" /* order is free */
                       "  early: {type: shape.invert, in: cells}\n"
                       "  all: {type: feature.merge, generators: [one, one.out]}\n"
                       "  single: {type: feature.merge, generators: one}\n"
                       "outputs: {out: late, all: all, none: keep}\n");
    const struct tw_node *keep = recipe_node(recipe, "keep"), *late = recipe_node(recipe, "late");
    const struct tw_node *all = recipe_node(recipe, "all");
    assert_ptr_equal(&recipe->nodes[keep->inputs[0].node], recipe_node(recipe, "cells"));
    assert_int_equal(tw_source_type(recipe, keep->inputs[0]), TW_LABELS);
    assert_ptr_equal(&recipe->nodes[late->inputs[0].node], recipe_node(recipe, "early"));
    assert_int_equal(tw_source_type(recipe, late->inputs[1]), TW_MASK); /* a mask is a map */
    assert_int_equal(all->input_count, 2);
    assert_string_equal(tw_input_port(all, 1)->name, "generators");
    assert_int_equal(recipe_node(recipe, "single")->input_count, 1);
    for (int32_t i = 0; i < recipe->count; i++) /* sources come first */
        for (int32_t k = 0; k < recipe->nodes[i].input_count; k++)
            assert_true(recipe->nodes[i].inputs[k].node < i);
    tw_recipe_release(recipe);
}

static void fault(const char *line, const char *words, const char *hint)
{
    char text[2000] = HEAD;
    strcat(text, line);
    strcat(text, strstr(line, "outputs:") ? "" : "outputs: {out: noise}\n");
    struct tw_error error = recipe_fault(text, words);
    if (!strstr(error.hint, hint))
        fail_msg("'%s' does not hint at '%s'", error.hint, hint);
    assert_int_equal(error.line, 8);
}

static void wrong_references_are_reported(void **state)
{
    (void)state;
    fault("  a: {type: shape.invert, in: noize}\n", "there is no node 'noize'", "'noise'");
    fault("  a: {type: shape.invert, in: zzz}\n", "there is no node 'zzz'", "");
    fault("  a: {type: voronoi.domain, domain: cells.domains}\n",
          "voronoi.cells has no output 'domains'", "'domain'");
    fault("  a: {type: shape.invert, in: noise.}\n", "has no output ''; it has out", "");
    fault("  a: {type: shape.invert, in: .noise}\n", "there is no node ''", "");
    fault("  a: {type: shape.invert, in: [noise]}\n", "expected a reference", "");
    fault("  a: {type: shape.invert, in: {n: 1}}\n", "expected a reference", "");
    fault("  a: {type: shape.invert}\n", "shape.invert needs the input 'in'", "");
    fault("  a: {type: feature.merge, generators: [one, zzz]}\n", "there is no node 'zzz'", "");
    fault("  a: {type: feature.merge, generators: [one, noise]}\n", "expects points", "");
    fault("  a: {type: shape.invert, in: facts}\n",
          "facts.record gives record, but a.in expects heightmap", "");
    fault("  a: {type: voronoi.domain, domain: noise}\n",
          "noise.out gives heightmap, but a.domain expects labels", "");
    fault("  a: {type: island.elevation, in: noise}\n", "expects polymap", "");
    fault("  a: {type: shape.invert, in: one}\n", "gives points", "nodes that convert");
    fault("  a: {type: shape.invert, in: a}\n", "in a cycle: a <- a", "");
    fault("  a: {type: shape.invert, in: b}\n  b: {type: shape.invert, in: a}\n",
          "in a cycle: a <- b <- a", "");
    fault("outputs: {out: nois}\n", "there is no node 'nois'", "'noise'");
    fault("outputs: {out: [noise]}\n", "expected a reference", "");
    fault("outputs: [noise]\n", "outputs is a list; expected a mapping", "");
}

static void wrong_exports_are_reported(void **state)
{
    static const char *const rows[][2] = {
        {"a.png: nois", "there is no output or node 'nois'"},
        {"a.jpg: noise",
         "unknown export format '.jpg'; expected .png, .npy, .exr, .tif, .r16, .raw, .r32, "
         ".bmp, .glb, .obj, .json or .csv"},
        {"a: noise", "'a' has no ending that picks a format; expected .png, .npy, "},
        {"a.png: ", "an export needs at least one output"},
        {"v1.2/a: noise", "'v1.2/a' has no ending that picks a format"},
        {"a.json: noise", "cannot be written as .json"},
        {"a.png: facts", "cannot be written as .png"},
        {"a.npy: one", "cannot be written as .npy"},
        {"a.bmp: cells.domain", "cannot be written as .bmp"},
        {"/a.png: noise", "expected a path within the output folder"},
        {"../a.png: noise", "expected a path within the output folder"},
        {"b/../../a.png: noise", "expected a path within the output folder"},
        {"b/..: noise", "expected a path within the output folder"},
        {"a.json: {from: [facts, noise]}", "'noise' is heightmap, which cannot share a .json"},
        {"a.json: [noise, facts]", "'noise' is heightmap, which cannot share a .json"},
        {"a.png: {from: [noise]}", "which cannot share a .png with others"},
        {"a.npy: {from: [noise]}", "a .npy holds one value"},
        {"a.json: {from: []}", "at least one output"},
        {"a.png: {range: fit}", "needs 'from'"},
        {"a.png: {from: noise, range: [1, 1]}", "low below high"},
        {"a.png: {from: noise, range: [1]}", "low below high"},
        {"a.png: {from: noise, range: full}", "low below high"},
        {"a.png: {from: noise, clip: 1}", "expected true or false"},
        {"a.png: {from: noise, bits: 12}", "export.bits is '12'; expected one of 8, 16"},
        {"a.png: {from: noise, bit: 8}", "an export as .png has no option 'bit'"},
        {"a.npy: {from: noise, range: fit}", "an export as .npy has no option 'range'"},
        {"a.bmp: {from: noise, bits: 16}", "export.bits is '16'; expected one of 8"},
        {"a.png: {from: noise, as: sunset}", "expected a renderer of height maps"},
        {"a.png: {from: facts, as: hillshade}", "'facts' is record; as: hillshade expects"},
        {"a.png: {from: noise, as: [hillshade]}", "as is 'a list'; expected a renderer"},
    };
    char line[200];
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        snprintf(line, sizeof line, "export: {%s}\noutputs: {out: noise}\n", rows[i][0]);
        fault(line, rows[i][1], "");
    }
    fault("export: {a.png: facts}\noutputs: {out: noise}\n", "facts.record is record",
          "record can be written as .json or .csv");
    fault(
        "export: {a.csv: noise}\noutputs: {out: noise}\n", "noise.out is heightmap",
        "heightmap can be written as .png, .npy, .exr, .tif, .r16, .raw, .r32, .bmp, .glb or .obj");
    fault("export: {a.png: {from: noise, bit: 8}}\noutputs: {out: noise}\n", "option 'bit'",
          "'bits'");
}

static bool option_is(const struct tw_export *item, const char *name, const char *expected)
{
    char text[100];
    tw_param_print(tw_param_find(item->format->options, name), item->options, text, sizeof text);
    return strcmp(text, expected) == 0;
}

static void exports_come_in_many_shapes(void **state)
{
    (void)state;
    struct tw_recipe *recipe = recipe_of(
        HEAD "outputs: {height: noise, mask: noise}\n"
             "export:\n"
             "  a.png: height\n"
             "  b/a..b.png: {from: mask, range: [-1, 2], clip: true, bits: 8}\n" /* the output */
             "  c.json: {from: {x: facts, y: facts}}\n"
             "  d.json: [facts]\n"
             "  e.png: {from: noise, as: hillshade}\n"
             "  f.npy: cells.domain\n");
    const struct tw_export *a = recipe->exports, *b = a->next, *c = b->next, *d = c->next;
    const struct tw_export *e = d->next, *f = e->next;
    assert_null(f->next);
    assert_true(a->range.low == 0 && a->range.high == 1 && !a->range.clip && !a->range.fit);
    assert_true(!a->several && option_is(a, "bits", "16") && option_is(b, "bits", "8"));
    assert_true(b->range.low == -1 && b->range.high == 2 && b->range.clip);
    assert_int_equal(tw_source_type(recipe, b->sources->source), TW_HEIGHTMAP);
    assert_true(c->several && strcmp(c->sources->next->name, "y") == 0);
    assert_true(d->several && strcmp(d->sources->name, "facts") == 0);
    assert_string_equal(recipe->nodes[e->sources->source.node].type->name, "render.hillshade");
    assert_int_equal(tw_source_type(recipe, f->sources->source), TW_LABELS);
    tw_recipe_release(recipe);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges_lead_to_ports),
        cmocka_unit_test(wrong_references_are_reported),
        cmocka_unit_test(wrong_exports_are_reported),
        cmocka_unit_test(exports_come_in_many_shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
