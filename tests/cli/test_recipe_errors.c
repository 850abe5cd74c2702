/* SPDX-License-Identifier: MIT */
/* Hostile and mistaken recipes and files: what the command says, where, and its exit code. Each row
 * also checks that nothing was written and that the command did not crash. */
#include "support/command.h"
#include "support/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct row {
    const char *name;
    const char *text; /* of bad.yaml; NULL when prepare() writes that file */
    int code, line, column;
    const char *wording;
    const char *arguments; /* after "run"; NULL for "bad.yaml" */
};

#define HEAD "thalweg: 1\nsize: 8\n"
#define FLAT "nodes:\n  a: {type: source.constant, value: 0.5}\n"
#define TAIL "outputs: {height: a}\nexport: {height.png: height}\n"
#define ERODE(line) HEAD FLAT "  b: {in: a, type: erosion." line "}\n" TAIL_OF_B
#define TAIL_OF_B "outputs: {height: b}\nexport: {height.png: height}\n"
#define NODE(line) HEAD "nodes:\n  a: {" line "}\n" TAIL
#define RAMP(ramp)                                                                                 \
    HEAD "nodes:\n  n: {type: noise.midpoint}\n  a: {type: render.colour, in: n, ramp: " ramp      \
         "}\n"                                                                                     \
         "outputs: {height: a}\nexport: {h.png: height}\n"
#define FILE_NODE(file) NODE("type: source.heightmap, file: " file)

static const struct row rows[] = {
    /* YAML itself */
    {"empty file", "", 3, 1, 1, "empty", NULL},
    {"only a comment", "# nothing\n", 3, 1, 1, "empty", NULL},
    {"not YAML", "thalweg: 1\nnodes: {a: [}\n", 3, 2, 13, "found '}'; expected a value", NULL},
    {"tab for indentation", HEAD "nodes:\n\ta: 1\n", 3, 4, 1, "a tab in the indentation", NULL},
    {"second document", HEAD FLAT TAIL "---\nthalweg: 1\n", 3, 7, 1, "one document", NULL},
    {"duplicate key", HEAD "size: 9\n" FLAT TAIL, 3, 3, 1,
     "duplicate key 'size'; the first is in line 2", NULL},
    {"duplicate id", HEAD FLAT "  a: {type: source.constant}\n" TAIL, 3, 5, 3,
     "duplicate key 'a'; the first is in line 4", NULL},
    {"tag", NODE("type: source.constant, value: !!float 1"), 3, 4, 37, "tag", NULL},
    {"alias to itself", HEAD "nodes: &n {a: *n}\n" TAIL, 3, 3, 15, "no complete anchor", NULL},
    {"unknown alias", HEAD "nodes: {a: *n}\n" TAIL, 3, 3, 12, "alias '*n'", NULL},
    {"alias bomb", NULL, 3, 0, 0, "expan", "bomb.yaml"},
    {"deep nesting", NULL, 3, 0, 0, "deep", "deep.yaml"},
    {"file above 1 MiB", NULL, 3, 0, 0, "expected at most 1048576", "large.yaml"},
    {"80,000 keys", NULL, 3, 0, 0, "has no key 'k0'", "keys.yaml"},
    {"50,000 anchors", NULL, 3, 0, 0, "a recipe needs nodes", "anchors.yaml"},
    {"1,001 parameters", NULL, 3, 0, 0, "more than 1000 parameters", "params.yaml"},
    {"NUL byte", NULL, 3, 0, 0, "not valid YAML", "nul.yaml"},
    {"not UTF-8", "thalweg: 1\nabout: \xff\xfe\n", 3, 2, 0, "not valid YAML", NULL},
    {"a list as key", HEAD "nodes:\n  [a]: 1\n", 3, 4, 3, "key", NULL},
    {"a recipe that is a list", "- thalweg: 1\n", 3, 1, 1, "a recipe is a list; expected a mapping",
     NULL},

    /* the head */
    {"no version", "size: 8\n" FLAT TAIL, 3, 1, 1, "thalweg: 1", NULL},
    {"version 2", "thalweg: 2\n" FLAT TAIL, 3, 1, 10, "version", NULL},
    {"unknown top key", HEAD "sede: 3\n" FLAT TAIL, 3, 3, 1, "a recipe has no key 'sede'", NULL},
    {"unknown top key, suggestion", HEAD "sede: 3\n" FLAT TAIL, 3, 3, 1, "did you mean 'seed'?",
     NULL},
    {"size 0", "thalweg: 1\nsize: 0\n" FLAT TAIL, 3, 2, 7, "from 1 to 65536", NULL},
    {"size 1e9", "thalweg: 1\nsize: 1000000000\n" FLAT TAIL, 3, 2, 7, "from 1 to 65536", NULL},
    {"size of 2^32 cells",
     "thalweg: 1\nsize: [65536, 65536]\nnodes:\n  a: {type: noise.midpoint}\n" TAIL, 3, 4, 6,
     "noise.midpoint looks at the whole map: at 65536 x 65536 the run needs ", NULL},
    {"size with a fraction", "thalweg: 1\nsize: 8.5\n" FLAT TAIL, 3, 2, 7, "whole number", NULL},
    {"size of three", "thalweg: 1\nsize: [8, 8, 8]\n" FLAT TAIL, 3, 2, 7, "[width, height]", NULL},
    {"negative seed", HEAD "seed: -1\n" FLAT TAIL, 3, 3, 7, "0 to 2^64 - 1", NULL},
    {"seed 2^64", HEAD "seed: 18446744073709551616\n" FLAT TAIL, 3, 3, 7, "0 to 2^64 - 1", NULL},
    {"unknown world key", HEAD "world: {side: 4}\n" FLAT TAIL, 3, 3, 9, "did you mean 'side_m'?",
     NULL},
    {"world of no size", HEAD "world: {side_m: 0}\n" FLAT TAIL, 3, 3, 17,
     "expected a number from 0.001", NULL},

    {"unknown borders", HEAD "borders: warp\n" FLAT TAIL, 3, 3, 10,
     "borders is 'warp'; expected wrap or closed", NULL},
    {"unknown borders, suggestion", HEAD "borders: warp\n" FLAT TAIL, 3, 3, 10,
     "did you mean 'wrap'?", NULL},

    /* nodes */
    {"no nodes", HEAD TAIL, 3, 1, 1, "a recipe needs nodes:", NULL},
    {"nodes as a list", HEAD "nodes: [a]\n" TAIL, 3, 3, 8, "nodes is a list; expected a mapping",
     NULL},
    {"node without a type", NODE("value: 1"), 3, 4, 6, "node 'a' needs a type", NULL},
    {"unknown type", NODE("type: source.constnat"), 3, 4, 13,
     "there is no node type 'source.constnat'", NULL},
    {"unknown type, suggestion", NODE("type: source.constnat"), 3, 4, 13,
     "did you mean 'source.constant'?", NULL},
    {"unknown type with control characters", NODE("type: \"a\\e[31m\\n::error::b\""), 3, 4, 13,
     "there is no node type 'a?[31m?::error::b'", NULL},
    {"id with a capital", HEAD "nodes:\n  A: {type: source.constant}\n", 3, 4, 3,
     "'A' is not an id", NULL},
    {"unknown parameter", NODE("type: source.constant, vale: 1"), 3, 4, 30, "did you mean 'value'?",
     NULL},
    {"word for a number", NODE("type: source.constant, value: high"), 3, 4, 37,
     "value is 'high'; expected a number", NULL},
    {"NaN", NODE("type: source.constant, value: .nan"), 3, 4, 37, "expected a number", NULL},
    {"infinity", NODE("type: source.constant, value: 1e999"), 3, 4, 37, "expected a number", NULL},
    {"hexadecimal", NODE("type: source.constant, value: 0x10"), 3, 4, 37, "expected a number",
     NULL},
    {"separated digits", NODE("type: source.constant, value: 1_000"), 3, 4, 37, "expected a number",
     NULL},
    {"blank number", NODE("type: source.constant, value: "), 3, 4, 0, "expected a number", NULL},
    {"a list for a number", NODE("type: source.constant, value: [1]"), 3, 4, 37,
     "is a list; expected one value", NULL},
    {"out of range", NODE("type: noise.midpoint, persistence: -3"), 3, 4, 42,
     "persistence is -3; allowed", NULL},
    {"fraction for a whole number", NODE("type: noise.midpoint, frequency: 2.5"), 3, 4, 40,
     "expected a whole number", NULL},
    {"rule between parameters", NODE("type: noise.midpoint, frequency: 3"), 3, 4, 40,
     "power of two", NULL},
    {"unknown label", NODE("type: noise.midpoint, distribution: gausian"), 3, 4, 43,
     "did you mean 'gaussian'?", NULL},
    {"word for a truth", NODE("type: noise.midpoint, smoothed: yes"), 3, 4, 39,
     "expected true or false", NULL},
    {"list too long",
     NODE("type: voronoi.cells, coefficients: [1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]"), 3, 4, 0,
     "expected at most 16 numbers", NULL},
    {"unknown word in a list",
     HEAD
     "nodes:\n  n: {type: noise.midpoint}\n  a: {type: erosion.fir, in: n, order: [we, up]}\n" TAIL,
     3, 5, 45, "order is 'up'; expected one of we, ew, ns, sn", NULL},
    {"ramp file with a colour of 300", RAMP("bad.cpt"), 3, 0, 0,
     "bad.cpt:2:7: error: red is 300; allowed", NULL},
    {"ramp file that is missing", RAMP("none.cpt"), 3, 5, 41, "none.cpt", NULL},
    {"ramp that is a mapping", RAMP("{a: 1}"), 3, 5, 41, "a list of rows or a .cpt file", NULL},
    {"bad node seed", NODE("type: noise.midpoint, seed: -4"), 3, 4, 35, "2^64 - 1", NULL},
    {"seed for a node without chance", NODE("type: source.constant, seed: 4"), 3, 4, 30,
     "no input or parameter 'seed'", NULL},
    {"10,001 nodes", NULL, 3, 0, 0, "10000", "many.yaml"},

    /* erosion */
    {"drops below 0", ERODE("raindrops, drops: -1"), 3, 5, 0, "drops is -1; allowed 0 to", NULL},
    {"more drops than there are numbers", ERODE("raindrops, drops: 3000000000"), 3, 5, 0,
     "drops is 3000000000; allowed 0 to", NULL},
    {"more taken up than there is", ERODE("raindrops, pickup: 1.5"), 3, 5, 0,
     "pickup is 1.5; allowed 0 to 1", NULL},
    {"capacity below 0", ERODE("droplets, capacity: -1"), 3, 5, 0,
     "capacity is -1; allowed 0 to 1000", NULL},
    {"huge density", ERODE("droplets, density: 1e9"), 3, 5, 0, "density is 1e9; allowed 0 to 1000",
     NULL},
    {"density of too many droplets", ERODE("droplets, density: 1000"), 4, 5, 0,
     "expected at most 2147483647", "bad.yaml --size 1500"},
    {"huge capacity of pipes", ERODE("pipes, capacity: 1e6"), 3, 5, 0,
     "capacity is 1e6; allowed 0 to 1000", NULL},
    {"step of pipes", ERODE("pipes, dt: 1, substeps: one"), 4, 5, 0,
     "the largest stable one is 0.125 ", NULL},
    {"steps of pipes", ERODE("pipes, dt: 100, steps: 1000000"), 4, 5, 0,
     "at most 1000000 are allowed", NULL},
    {"capacity of gradient", ERODE("gradient, Kc: -1"), 3, 5, 0, "Kc is -1; allowed 0 to 1000",
     NULL},
    {"share above 1", ERODE("gradient, Ks: 1.5"), 3, 5, 0, "Ks is 1.5; allowed 0 to 1", NULL},
    {"no time between rains", ERODE("gradient, rain_period: 0"), 3, 5, 0,
     "rain_period is 0; allowed 1 to", NULL},
    {"capacity of hydraulic", ERODE("hydraulic, capacity: 2"), 3, 5, 0,
     "capacity is 2; allowed 0 to 1", NULL},
    {"capacity that the fast node lacks", ERODE("hydraulic_fast, capacity: 0.5"), 3, 5, 0,
     "expected the same as capacity", NULL},
    {"step of creep", ERODE("creep, dt: 100, substeps: one"), 4, 5, 0,
     "the largest stable one is 39.06 ", NULL},
    {"steps of creep", ERODE("creep, dt: 1000000, diffusivity: 1000000"), 4, 5, 0,
     "at most 1000000 are allowed", NULL},
    {"step of no time", ERODE("stream_power, dt: 0"), 3, 5, 0, "dt is 0; allowed 1e-09 to", NULL},
    {"strength above 1", ERODE("fir, strength: 1.01"), 3, 5, 0, "strength is 1.01; allowed 0 to 1",
     NULL},
    {"rate above 1", ERODE("thermal, rate: 1.1"), 3, 5, 0, "rate is 1.1; allowed 0 to 1", NULL},

    /* edges */
    {"missing input", NODE("type: erosion.olsen"), 3, 4, 6, "erosion.olsen needs the input 'in'",
     NULL},
    {"dangling reference", NODE("type: erosion.olsen, in: b"), 3, 4, 32, "there is no node 'b'",
     NULL},
    {"dangling port", HEAD FLAT "  b: {type: erosion.olsen, in: a.water}\n" TAIL, 3, 5, 32, "water",
     NULL},
    {"reference that is a list", NODE("type: erosion.olsen, in: [a]"), 3, 4, 32, "", NULL},
    {"wrong type of edge",
     HEAD "nodes:\n  c: {type: voronoi.cells}\n  a: {type: erosion.olsen, in: c.domain}\n" TAIL, 3,
     5, 32, "c.domain gives labels, but a.in expects heightmap", NULL},
    {"node that feeds itself", NODE("type: erosion.olsen, in: a"), 3, 4, 0, "cycle", NULL},
    {"cycle of two",
     HEAD "nodes:\n  a: {type: erosion.olsen, in: b}\n  b: {type: erosion.olsen, in: a}\n" TAIL, 3,
     0, 0, "cycle", NULL},

    /* parameters and nested recipes */
    {"unknown substitution", NODE("type: source.constant, value: \"${height_of}\""), 3, 4, 40,
     "'${height_of}' is not a parameter", NULL},
    {"open substitution", NODE("type: source.constant, value: \"${x\""), 3, 4, 38, "closing", NULL},
    {"parameter without default", HEAD "params: {x: {min: 0}}\n" FLAT TAIL, 3, 3, 0,
     "needs a default", NULL},
    {"parameter out of its range", HEAD "params: {x: {default: 5, max: 1}}\n" FLAT TAIL, 3, 3, 0,
     "not above 1", NULL},
    {"set of an unknown parameter", HEAD "params: {talus: 5}\n" FLAT TAIL, 3, 0, 0,
     "did you mean 'talus'?", "bad.yaml -s talsu=3"},
    {"recipe that is not there", NODE("type: ./none.yaml"), 3, 4, 0, "none.yaml", NULL},
    {"recipe that uses itself", NODE("type: ./bad.yaml"), 3, 4, 0, "uses itself", NULL},
    {"input of no type", HEAD "inputs: {in: heightmpa}\n" FLAT TAIL, 3, 3, 14,
     "did you mean 'heightmap'?", NULL},
    {"inputs as a list", HEAD "inputs: [in]\n" FLAT TAIL, 3, 3, 9,
     "inputs is a list; expected a mapping", NULL},
    {"a list for a recipe's parameter", NODE("type: ./flat.yaml, value: [1, 2]"), 3, 4, 33,
     "parameter value is a list; expected one number or word", NULL},
    {"substitution of 6,000 bytes", NULL, 3, 0, 0, "replaced has more than 4096 bytes", "six.yaml"},
    {"few recipes that use each other 20^5 times", NULL, 3, 0, 0,
     "more than 10000 recipes are used as nodes", "use0.yaml"},
    {"recipe outside the folder", NODE("type: ../../etc/hostname"), 3, 4, 0, "outside", NULL},

    {"recipe with inputs, run alone",
     HEAD "inputs: {in: heightmap}\nnodes:\n  a: {type: erosion.olsen, in: in}\n" TAIL, 3, 5, 32,
     "'in' is an input of this recipe", NULL},

    /* outputs and exports */
    {"no outputs", HEAD FLAT, 3, 1, 1, "outputs:", NULL},
    {"output of nothing", HEAD FLAT "outputs: {height: b}\n", 3, 5, 19, "there is no node 'b'",
     NULL},
    {"export of nothing", HEAD FLAT "outputs: {height: a}\nexport: {h.png: hight}\n", 3, 6, 17,
     "there is no output or node 'hight'", NULL},
    {"unknown format", HEAD FLAT "outputs: {height: a}\nexport: {h.jpg: height}\n", 3, 6, 10,
     "unknown export format '.jpg'", NULL},
    {"a map as JSON", HEAD FLAT "outputs: {height: a}\nexport: {h.json: height}\n", 3, 6, 10,
     "cannot be written as .json", NULL},
    {"export that leaves", HEAD FLAT "outputs: {height: a}\nexport: {../h.png: height}\n", 3, 6, 10,
     "an export is '../h.png'", NULL},
    {"absolute export", HEAD FLAT "outputs: {height: a}\nexport: {/tmp/h.png: height}\n", 3, 6, 10,
     "within the output folder", NULL},
    {"one file by two names",
     HEAD FLAT "outputs: {height: a}\nexport:\n  h.png: height\n  .//./h.png: height\n", 3, 8, 3,
     "'h.png' is written twice; the first is in line 7", NULL},
    {"bad bits", HEAD FLAT "outputs: {height: a}\nexport: {h.png: {from: height, bits: 12}}\n", 3,
     6, 38, "expected one of 8, 16", NULL},
    {"bad range",
     HEAD FLAT "outputs: {height: a}\nexport: {h.png: {from: height, range: [1, 0]}}\n", 3, 6, 39,
     "low below high", NULL},
    {"unknown renderer",
     HEAD FLAT "outputs: {height: a}\nexport: {h.png: {from: height, as: hilshade}}\n", 3, 6, 36,
     "hillshade", NULL},
    {"renderer of something else",
     HEAD FLAT "outputs: {height: a}\nexport: {h.png: {from: height, as: polymap}}\n", 3, 6, 36,
     "a renderer of height maps", NULL},
    {"renderer of labels",
     HEAD FLAT "outputs: {height: a}\nexport: {h.png: {from: height, as: biomes}}\n", 3, 6, 36,
     "a renderer of height maps", NULL},
    {"heights outside the export's range",
     HEAD "nodes:\n  a: {type: source.constant, value: 2}\n" TAIL, 4, 6, 10,
     "heights run from 2 to 2", NULL},

    /* files */
    {"no such image", FILE_NODE("none.png"), 3, 4, 37, "cannot read none.png", NULL},
    {"text as an image", FILE_NODE("text.png"), 3, 4, 37,
     "is of an unknown format; expected .png, .npy, .exr, .tif, .tiff, .r16, .raw, .r32, .bmp, "
     ".asc, .hgt, .bil, .flt or .dem",
     NULL},
    {"truncated PNG", FILE_NODE("cut.png"), 3, 4, 37, "damaged PNG", NULL},
    {"PNG of 10^6 squared", FILE_NODE("huge.png"), 3, 4, 37, "PNG", NULL},
    {"NPY of 2^62 cells", FILE_NODE("huge.npy"), 3, 4, 37, "", NULL},
    {"NPY with objects", FILE_NODE("object.npy"), 3, 4, 37, "", NULL},
    {"image of another size", FILE_NODE("small.npy"), 3, 4, 37, "set fit: bilinear or crop", NULL},
    {"a folder as an image", FILE_NODE("folder"), 3, 4, 37, "not a regular file", NULL},
    {"image outside the folder", FILE_NODE("/etc/hostname"), 3, 4, 37, "outside", NULL},
    {"image through a link", FILE_NODE("link.png"), 3, 4, 37, "outside", NULL},
    {"colour for heights", FILE_NODE("colour.png"), 3, 4, 37, "colour.png is a colour picture",
     NULL},
    {"damage behind the header", FILE_NODE("damaged.png"), 3, 4, 37, "damaged PNG", NULL},
    {"NPY that is cut", FILE_NODE("short.npy"), 3, 4, 37, "16 bytes of cells; its shape needs 256",
     NULL},
    {"no file given", NODE("type: source.heightmap"), 3, 4, 6, "source.heightmap needs 'file'",
     NULL},

    /* the command line and the disk */
    {"no such recipe", NULL, 3, 0, 0, "none.yaml", "none.yaml"},
    {"a link to itself as a recipe", NULL, 3, 0, 0, "cannot read loop.yaml", "loop.yaml"},
    {"a link to itself as a node", NODE("type: ./loop.yaml"), 3, 4, 0, "loop.yaml", "bad.yaml"},
    {"a folder as a recipe", NULL, 3, 0, 0, "not a regular file", "folder"},
    {"unknown output", HEAD FLAT TAIL, 2, 0, 0, "no output 'hight'", "bad.yaml --only hight"},
    {"unknown output, suggestion", HEAD FLAT TAIL, 2, 0, 0, "did you mean 'height'?",
     "bad.yaml --only hight"},
    {"bad -j", HEAD FLAT TAIL, 2, 0, 0, "1 to 64", "bad.yaml -j 0"},
    {"bad --size", HEAD FLAT TAIL, 2, 0, 0, "each 1 to 65536", "bad.yaml --size 8x"},
    {"--size of 2^32 cells", NODE("type: noise.midpoint"), 3, 4, 6, "looks at the whole map",
     "bad.yaml --size 65536"},
    {"2^28 cells and more, untrusted", HEAD FLAT TAIL, 3, 0, 0, "expected at most 67108864",
     "bad.yaml --size 16384 --untrusted"},
    {"bad --max-memory", HEAD FLAT TAIL, 2, 0, 0, "such as 800M", "bad.yaml --max-memory 1T"},
    {"too little memory", HEAD FLAT TAIL, 3, 0, 0,
     "computes source.constant: 64 MiB of values and 0 MiB of scratch, and 4 MiB to write files; "
     "expected at most 1 MiB",
     "bad.yaml --max-memory 1M --size 4096"},
    {"less than a MiB", HEAD FLAT TAIL, 3, 0, 0,
     "whole maps fit up to about 147 x 147 cells in 100 KiB; the run needs ",
     "bad.yaml --max-memory 100K --size 4096 --no-cache"},
    {"less than a KiB", HEAD FLAT TAIL, 3, 0, 0, "expected at most 1023 bytes",
     "bad.yaml --max-memory 1023 --size 4096 --no-cache"},
    {"empty -o", HEAD FLAT TAIL, 2, 0, 0, "--out is empty", "bad.yaml --out="},
    {"empty --cache-dir", HEAD FLAT TAIL, 2, 0, 0, "--cache-dir is empty", "bad.yaml --cache-dir="},
    {"-s without a value", HEAD FLAT TAIL, 2, 0, 0, "NAME=VALUE", "bad.yaml -s talus"},
    {"output folder that is a file", HEAD FLAT TAIL, 4, 0, 0, "text.png: Not a directory",
     "bad.yaml -o text.png"},
    {"output folder that cannot be", HEAD FLAT TAIL, 4, 0, 0, "cannot make folder",
     "bad.yaml -o /proc/none"},
};

static void write_bomb(void)
{
    FILE *file = fopen("bomb.yaml", "w");
    assert_non_null(file);
    fputs("thalweg: 1\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n", file);
    for (int i = 1; i < 10; i++) {
        fprintf(file, "a%d: &a%d [", i, i);
        for (int k = 0; k < 10; k++)
            fprintf(file, "%s*a%d", k ? ", " : "", i - 1);
        fputs("]\n", file);
    }
    fclose(file);
}

static void write_repeated(const char *name, const char *head, const char *text, int count)
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs(head, file);
    for (int i = 0; i < count; i++)
        fprintf(file, text, i);
    fclose(file);
}

static void write_npy(const char *name, const char *dict, size_t data)
{
    unsigned char file[256] = "\x93NUMPY\x01\x00";
    size_t length = strlen(dict);
    memset(file + 10, ' ', 118);
    file[8] = 118;
    memcpy(file + 10, dict, length);
    file[127] = '\n';
    command_write(name, file, 128 + data);
}

/* A header of 10^6 by 10^6 cells with a right checksum, then nothing. */
static const unsigned char huge_png[] = {
    0x89, 'P',  'N',  'G',  '\r', '\n', 0x1a, '\n', 0, 0, 0, 13, 'I',  'H',  'D',  'R', 0x00,
    0x0f, 0x42, 0x40, 0x00, 0x0f, 0x42, 0x40, 8,    0, 0, 0, 0,  0xc7, 0x8a, 0x1d, 0x0f};

/* 8 x 8 black cells in colour. */
static const unsigned char colour_png[] = {
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48,
    0x44, 0x52, 0x00, 0x00, 0x00, 0x08, 0x00, 0x00, 0x00, 0x08, 0x08, 0x02, 0x00, 0x00,
    0x00, 0x4b, 0x6d, 0x29, 0xdc, 0x00, 0x00, 0x00, 0x0c, 0x49, 0x44, 0x41, 0x54, 0x78,
    0xda, 0x63, 0x60, 0x18, 0x1e, 0x00, 0x00, 0x00, 0xc8, 0x00, 0x01, 0x93, 0xbd, 0xa5,
    0x8e, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};

/* 8 x 8 grey cells; a byte of the compressed ones is wrong. */
static const unsigned char damaged_png[] = {
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48,
    0x44, 0x52, 0x00, 0x00, 0x00, 0x08, 0x00, 0x00, 0x00, 0x08, 0x08, 0x00, 0x00, 0x00,
    0x00, 0xe1, 0x64, 0xe1, 0x57, 0x00, 0x00, 0x00, 0x0c, 0x49, 0x44, 0x41, 0x54, 0x78,
    0xda, 0x63, 0x60, 0x5f, 0x0e, 0x00, 0x00, 0x00, 0x48, 0x00, 0x01, 0x10, 0x45, 0xef,
    0xd2, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};

static const char *const use_next[] = {
    "  n%d: {type: ./use1.yaml}\n", "  n%d: {type: ./use2.yaml}\n", "  n%d: {type: ./use3.yaml}\n",
    "  n%d: {type: ./use4.yaml}\n", "  n%d: {type: ./use5.yaml}\n"};

static int prepare(void **state)
{
    unsigned char nul[] = "thalweg: 1\nabout: a\0b\n";
    (void)state;
    command_enter();
    write_bomb();
    write_repeated("deep.yaml", "thalweg: 1\nnodes: ", "[", 40000);
    write_repeated("large.yaml", "thalweg: 1\n", "# %d a line that says nothing at all\n", 40000);
    write_repeated("keys.yaml", "thalweg: 1\n", "k%d: 1\n", 80000);
    write_repeated("anchors.yaml", "thalweg: 1\nabout:\n", "- &k%d 1\n- *k0\n", 50000);
    write_repeated("params.yaml", "thalweg: 1\nparams:\n", "  k%d: 1\n", 1001);
    write_repeated("many.yaml", HEAD "nodes:\n", "  n%d: {type: source.constant}\n", 10001);
    for (int i = 0; i < 5; i++) {
        char name[16];
        snprintf(name, sizeof name, "use%d.yaml", i);
        write_repeated(name, "thalweg: 1\nnodes:\n", use_next[i], 20);
    }
    write_repeated("use5.yaml", "thalweg: 1\nnodes: {}\n", "# %d\n", 1);
    write_repeated("flat.yaml", "thalweg: 1\nparams: {value: 1}\n" FLAT "outputs: {a: a}\n",
                   "# %d\n", 1);
    write_repeated("six.yaml", "thalweg: 1\nparams:\n  long: \"", "%06d", 500);
    FILE *six = fopen("six.yaml", "a");
    assert_non_null(six);
    fputs("\"\nnodes:\n  a: {type: source.constant, value: \"${long}${long}\"}\n" TAIL, six);
    fclose(six);
    command_write("nul.yaml", nul, sizeof nul - 1);
    command_write("bad.cpt", "# a ramp\n0 0 1 300\n", 19);
    command_write("text.png", "no image", 8);
    command_write("cut.png", "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0", 18);
    command_write("damaged.png", damaged_png, sizeof damaged_png);
    command_write("colour.png", colour_png, sizeof colour_png);
    write_npy("short.npy", "{'descr': '<f4', 'fortran_order': False, 'shape': (8, 8), }", 16);
    command_write("huge.png", huge_png, sizeof huge_png);
    write_npy("huge.npy",
              "{'descr': '<f4', 'fortran_order': False, 'shape': (2147483647, 2147483647), }", 16);
    write_npy("object.npy", "{'descr': '|O', 'fortran_order': False, 'shape': (2, 2), }", 16);
    write_npy("small.npy", "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }", 16);
    assert_int_equal(mkdir("folder", 0777), 0);
    assert_int_equal(symlink("/etc/hostname", "link.png"), 0);
    assert_int_equal(symlink("loop.yaml", "loop.yaml"), 0);
    return 0;
}

/* One complaint a row is enough to find it; all rows are looked at before the test fails. */
static bool is_as_expected(const struct row *row, const struct command_result *result)
{
    char place[64] = "";
    if (row->line > 0 && row->column > 0)
        snprintf(place, sizeof place, "bad.yaml:%d:%d: ", row->line, row->column);
    else if (row->line > 0)
        snprintf(place, sizeof place, "bad.yaml:%d:", row->line);
    bool ok = result->code == row->code && strstr(result->err, place) &&
              strstr(result->err, row->wording) && access("out", F_OK) != 0;
    if (!ok)
        print_error("%s: expected %d, \"%s\" and \"%s\"; found %d and\n%s\n", row->name, row->code,
                    place, row->wording, result->code, result->err);
    return ok;
}

static void every_mistake_is_reported(void **state)
{
    static struct command_result result;
    char arguments[200];
    int wrong = 0;
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].text)
            command_write("bad.yaml", rows[i].text, strlen(rows[i].text));
        snprintf(arguments, sizeof arguments, "run -j 2 %s",
                 rows[i].arguments ? rows[i].arguments : "bad.yaml");
        command_run(arguments, &result);
        wrong += !is_as_expected(&rows[i], &result);
    }
    assert_true(sizeof rows / sizeof rows[0] >= 60);
    assert_int_equal(wrong, 0);
}

static void all_faults_are_reported_at_once(void **state)
{
    static const char text[] = HEAD "sede: 1\nnodes:\n  a: {type: source.constant, vale: 1}\n"
                                    "  b: {type: erosion.olsen, in: c}\n" TAIL;
    static struct command_result result;
    (void)state;
    command_write("bad.yaml", text, strlen(text));
    command_run("check bad.yaml", &result);
    assert_int_equal(result.code, 3);
    assert_non_null(strstr(result.err, "bad.yaml:3:1: error:"));
    assert_non_null(strstr(result.err, "bad.yaml:5:30: error:"));
    assert_non_null(strstr(result.err, "bad.yaml:6:32: error:"));
    assert_non_null(strstr(result.err, "      b: {type: erosion.olsen, in: c}\n"
                                       "                                   ^\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_mistake_is_reported),
        cmocka_unit_test(all_faults_are_reported_at_once),
    };
    return cmocka_run_group_tests(tests, prepare, command_tear_down);
}
