/* SPDX-License-Identifier: MIT */
#include "support/sample_formats.h"

#include "support/command.h"
#include "support/harness.h"

#include <stdio.h>
#include <string.h>

enum { QUICK_NODES = 42 }; /* ten more than get separate files */

static const struct {
    const char *name, *text;
} recipes[] = {
    {"assets", "thalweg: 1\nsize: 17\nworld: {side_m: 100, height_m: 20}\n"
               "nodes:\n  h: {type: noise.perlin}\n"
               "  m: {type: mask.height, in: h, low: 0.5}\n"
               "export:\n"
               "  part.r16: {from: h, tiles: {cells: 9, share_edge: true}, sidecar: true}\n"
               "  g.exr: {from: h, for: godot}\n"
               "  h.tif: h\n  h.obj: h\n  h.glb: h\n  s.png: [m, m]\n"},
    {"raw", "thalweg: 1\nsize: [4, 2]\nnodes:\n"
            "  dem: {type: source.heightmap, file: levels.r32, width: 4, height: 2}\n"
            "export: {dem.npy: dem}\n"},
    {"rows", "thalweg: 1\nsize: [24, 16]\nnodes:\n"
             "  g: {type: source.heightmap, file: ground.png}\n"
             "  i: {type: shape.invert, in: g}\n"
             "export: {i.npy: i, g.r16: g}\n"},
    {"strips", "thalweg: 1\nsize: [500, 400]\nnodes:\n"
               "  n: {type: noise.perlin, frequency: 90}\nexport: {n.png: n}\n"},
    {"bands", "thalweg: 1\nsize: [24, 16]\nnodes:\n  h: {type: noise.perlin}\n"
              "  i: {type: shape.invert, in: h}\n"
              "  m: {type: mask.slope, in: i}\n"
              "export: {h.npy: i, m.r16: m, n.r32: h}\n"},
};

static void write_text(const char *name, const char *text)
{
    command_write(name, text, strlen(text));
}

static void expect_export(const char *name, int (*run)(const char *arguments))
{
    char command[100];
    snprintf(command, sizeof command, "run %s.yaml -q -o expected/%s --no-cache", name, name);
    if (run(command) != 0)
        fail_msg("%s failed", command);
}

void sample_formats_write_packs(int salt)
{
    char text[4096];
    int length = snprintf(text, sizeof text,
                          "thalweg: 1\nsize: 8\nnodes:\n"
                          "  n0: {type: noise.perlin}\n");
    for (int i = 1; i < QUICK_NODES; i++)
        length += snprintf(text + length, sizeof text - (size_t)length,
                           "  n%d: {type: shape.perturb, in: n%d, magnitude: 0.0%03d%d}\n", i,
                           i - 1, salt + 1, i % 7);
    snprintf(text + length, sizeof text - (size_t)length,
             "  last: {type: combine.mix, a: n0, b: n%d, weight: 0}\nexport: {n.npy: last}\n",
             QUICK_NODES - 1);
    write_text("packs.yaml", text);
}

void sample_formats_write(int (*run)(const char *arguments))
{
    write_text("levels.r32", "00112233445566771122334455667788");
    write_text("levels.json", "{\"schema\": \"thalweg.sidecar/1\", \"rows\": \"south to north\"}");
    for (size_t i = 0; i < sizeof recipes / sizeof *recipes; i++) {
        char file[40];
        snprintf(file, sizeof file, "%s.yaml", recipes[i].name);
        write_text(file, recipes[i].text);
        expect_export(recipes[i].name, run);
    }
    sample_formats_write_packs(0);
    expect_export("packs", run);
}
