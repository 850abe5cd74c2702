/* SPDX-License-Identifier: MIT */
/* Which files an entry of `export:` stands for: tiles, sidecars, and what engines refuse. */
#include "support/recipe.h"

#include <stdio.h>

#define HEAD(size)                                                                                 \
    "thalweg: 1\nsize: " size "\nnodes:\n  h: {type: noise.midpoint}\n"                            \
    "  m: {type: mask.height, in: h}\n  s: {type: measure.score, in: h}\nexport:\n"

/* The names of all files, in order. */
static void expect_files(const char *text, const char *files)
{
    static char found[4000];
    struct tw_recipe *recipe = recipe_of(text);
    found[0] = 0;
    for (const struct tw_export *e = recipe->exports; e; e = e->next) {
        size_t used = strlen(found);
        snprintf(found + used, sizeof found - used, "%s%s", used ? " " : "", e->file);
    }
    assert_string_equal(found, files);
    tw_recipe_release(recipe);
}

static void tiles_are_named_by_the_pattern(void **state)
{
    (void)state;
    expect_files(HEAD("64") "  a/h.png: {from: h, tiles: 32}\n",
                 "a/h_x0_y0.png a/h_x1_y0.png a/h_x0_y1.png a/h_x1_y1.png");
    expect_files(HEAD("[64, 32]") "  h.npy: {from: h, tiles: {cells: 32, pattern: '-%03y%.%x%', "
                                  "origin: 1}}\n",
                 "h-001.1.npy h-001.2.npy");
    expect_files(
        HEAD("[64, 32]") "  h.npy: {from: h, tiles: {cells: 32, pattern: '_%06x%_%01y%'}}\n",
        "h_000000_0.npy h_000001_0.npy");
    expect_files(HEAD("[32, 64]") "  h.npy: {from: h, tiles: {cells: 32, pattern: gaea, "
                                  "flip_y: true}}\n",
                 "h_y1_x0.npy h_y0_x0.npy");
    expect_files(HEAD("65") "  s.png: {from: [m, m], tiles: {cells: 33, share_edge: true}}\n",
                 "s_x0_y0.png s_x1_y0.png s_x0_y1.png s_x1_y1.png");
    expect_files(HEAD("253") "  u.png: {from: h, for: unreal, tiles: 127, sidecar: false}\n",
                 "u_x0_y0.png u_x1_y0.png u_x0_y1.png u_x1_y1.png");
    expect_files(HEAD("[65, 129]") "  u.raw: {from: h, for: unity, tiles: 65, sidecar: false}\n",
                 "u_0_1.raw u_0_0.raw");
}

static void tiles_share_edges_or_not(void **state)
{
    struct tw_recipe *recipe =
        recipe_of(HEAD("65") "  h.npy: {from: h, tiles: {cells: 33, share_edge: true}}\n");
    const struct tw_export *last = recipe->exports->next->next->next;
    (void)state;
    assert_int_equal(last->tile.x, 32);
    assert_int_equal(last->tile.y, 32);
    assert_int_equal(last->tile.width, 33);
    assert_string_equal(last->entry, "h.npy");
    assert_true(tw_export_is_entry(recipe->exports));
    assert_false(tw_export_is_entry(last));
    tw_recipe_release(recipe);
}

static void sidecars_lie_beside_what_needs_them(void **state)
{
    (void)state;
    expect_files(HEAD("127") "  h.png: h\n  h.r16: h\n  h.r32: {from: h, sidecar: false}\n",
                 "h.png h.r16 h.r16.json h.r32");
    expect_files(HEAD("127") "  h.png: {from: h, for: unreal}\n  h.r16: {from: h, for: unreal}\n",
                 "h.png h.png.json h.r16 h.json");
    expect_files(HEAD("32") "  s.json: {from: s, sidecar: true}\n", "s.json s.json.json");
    expect_files(HEAD("32") "  h.r32: {from: h, tiles: {cells: 16, pattern: unity}}\n",
                 "h_0_0.r32 h_1_0.r32 h_0_1.r32 h_1_1.r32 h_0_0.r32.json h_1_0.r32.json "
                 "h_0_1.r32.json h_1_1.r32.json");
}

static void expect_fault(const char *text, int line, int column, const char *words)
{
    struct tw_error error = recipe_fault(text, words);
    if (error.line != line || error.column != column)
        fail_msg("%s: at %d:%d", error.message, error.line, error.column);
}

static void faults_are_found_before_anything_runs(void **state)
{
    (void)state;
    expect_fault(HEAD("512") "  u.png: {from: h, for: unreal}\n", 8, 25,
                 "u.png has 512 x 512 cells; for: unreal expects sides of 505 or 1009");
    expect_fault(HEAD("512") "  u.png: {from: h, for: unrael}\n", 8, 25, "for is 'unrael'");
    expect_fault(HEAD("512") "  u.png: {from: h, for: godot}\n", 8, 25, ".png is not a file for");
    expect_fault(HEAD("[33, 65]") "  u.raw: {from: h, for: unity}\n", 8, 25, "expects a square");
    expect_fault(HEAD("33") "  u.raw: {from: h, for: unity, flip: false}\n", 8, 32,
                 "flip is false; for: unity expects true");
    expect_fault(HEAD("33") "  u.raw: {from: m, for: simcity4}\n", 8, 25, "expected .bmp");
    expect_fault(HEAD("512") "  u.raw: {from: h, for: unity, tiles: 128}\n", 8, 39, "65 or 129");
    expect_fault(HEAD("[1, 64]") "  h.glb: h\n", 8, 3,
                 "h.glb: the map has 1 x 64 cells; a mesh expects at least 2 x 2");
    expect_fault(HEAD("[64, 1]") "  m.obj: {from: m, step: 2}\n", 8, 3,
                 "m.obj: the map has 64 x 1 cells; a mesh expects at least 2 x 2");
    expect_fault(
        HEAD("10000") "  h.glb: h\n", 8, 3,
        "h.glb: the map has 10000 x 10000 cells; a .glb, of 4 GiB at most, expects a step of "
        "at least 2");
    expect_fault(HEAD("16384") "  h.glb: {from: h, tiles: {cells: 16384}}\n", 8, 3,
                 "of at least 2");
    expect_fault(HEAD("512") "  h.png: {from: h, tiles: {cells: 100}}\n", 8, 27,
                 "does not divide into tiles of 100; expected 500 or 600");
    expect_fault(HEAD("512") "  h.png: {from: h, tiles: {cells: 129, share_edge: true}}\n", 8, 27,
                 "that share edges; expected 385 or 513");
    expect_fault(HEAD("512") "  h.png: {from: h, tiles: {cells: 1}}\n", 8, 27, "cells is 1");
    expect_fault(HEAD("512") "  h.png: {from: h, tiles: {share_edge: true}}\n", 8, 27,
                 "cells is 0");
    expect_fault(HEAD("512") "  h.png: {from: h, tiles: 2}\n", 8, 27, "256 x 256 tiles");
    expect_fault(HEAD("512") "  s.json: {from: s, tiles: 2}\n", 8, 28, "tiles: expects a map");
    expect_fault(HEAD("512") "  h.png: {from: h, tiles: {cell: 2}}\n", 8, 28, "no key 'cell'");
    expect_fault(HEAD("127") "  h.r16: {from: h, for: unreal}\n  h.json: s\n", 9, 3,
                 "'h.json' is written twice");
    expect_fault(HEAD("32") " {h.png: h, ./h.png: h}\n", 8, 13, "the first is in line 8");
    expect_fault(HEAD("32") " {h.png: h,\n./h.png: h}\n", 9, 1, "the first is in line 8");
}

static void patterns_lead_nowhere(void **state)
{
    static const char *const bad[] = {
        "../%x%_%y%", "a/%x%%y%",
        "%x%",        "%y%_",
        "%x%%y%\\",   "%X%_%Y%",
        "%x%_%y% ",   "%9x%%y%",
        "%0x%%y%",    "",
        "%x%%y%%",    "\\n%x%%y%",
        "%07x%%y%",   "%x%_%y%_123456789_123456789_123456789_123456789_123456789_12"};
    char text[500];
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        snprintf(text, sizeof text,
                 HEAD("64") "  h.png: {from: h, tiles: {cells: 32, pattern: '%s'}}\n", bad[i]);
        recipe_fault(text, "pattern is '");
    }
    recipe_fault(HEAD("704") "  h.png: {from: h, tiles: {cells: 64, pattern: '%x%%y%', "
                             "origin: 1}}\n",
                 "written twice");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tiles_are_named_by_the_pattern),
                                       cmocka_unit_test(tiles_share_edges_or_not),
                                       cmocka_unit_test(sidecars_lie_beside_what_needs_them),
                                       cmocka_unit_test(faults_are_found_before_anything_runs),
                                       cmocka_unit_test(patterns_lead_nowhere)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
