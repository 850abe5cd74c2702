/* SPDX-License-Identifier: MIT */
/* What commands print of small files, whole: graphs, explanations, inspections, differences, locks.
 * Rows run one after the other in one folder. */
#include "support/gate.h"

#include <ctype.h>

#include <thalweg/thalweg.h>

#define TWO                                                                                        \
    "thalweg: 1\nsize: 8\nseed: 5\nparams: {k: 1}\nnodes:\n"                                       \
    "  a: {type: noise.midpoint}\n  b: {type: shape.invert, in: a, high: \"${k}\"}\n"              \
    "outputs: {height: b}\n"

/* `edit`: "FILE|FROM|TO" before the command. */
static const struct row {
    const char *edit, *arguments;
    int code;
    const char *out, *err;
} rows[] = {
    /* inspect */
    {NULL, "inspect list.json", 0,
     "list.json: json, 6 bytes\n"
     "  holds             a list\n"
     "  elements          2\n"
     "  sha256            3a316d6d3226f84c1e46e4447fa8d5fd800bff4a1bc6498152523cd4a602b69b\n",
     ""},
    {NULL, "inspect none.json", 3, "", "error: cannot read none.json: No such file or directory\n"},
    {NULL, "inspect text.json", 3, "",
     "text.json: error: text.json:1:6: '[' or '{' expected near '\"text\"'; expected JSON\n"},
    {NULL, "inspect open.json", 3, "",
     "open.json: error: open.json:1:1: string or '}' expected near end of file; expected JSON\n"},
    {NULL, "inspect run.json", 0,
     "run.json: json, 35 bytes\n"
     "  holds             an object\n"
     "  members           2\n"
     "  schema            thalweg.run/2\n"
     "  sha256            32f17f125e912d6fe54c2aa77c53df2557fc8610640b1e2acf4a3545deff963b\n",
     ""},
    {NULL, "inspect schema.json", 0,
     "schema.json: json, 15 bytes\n"
     "  holds             an object\n"
     "  members           1\n"
     "  schema            x\n"
     "  sha256            7e6a8e3eee946722fea503137abd78b9e112032062e34781220443622a320cf4\n",
     ""},
    {NULL, "inspect table.csv", 0,
     "table.csv: csv, 15 bytes\n"
     "  columns           3\n"
     "  rows              2\n"
     "  sha256            7fc5b3fd3e04fc820a01cec0e3ef5081f5200faac05176434340e1e76aeed0e3\n",
     ""},
    {NULL, "inspect empty.csv", 0,
     "empty.csv: csv, 0 bytes\n"
     "  columns           1\n"
     "  rows              0\n"
     "  sha256            e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\n",
     ""},
    {NULL, "inspect mesh.obj", 0,
     "mesh.obj: obj, 36 bytes\n"
     "  vertices          2\n"
     "  faces             1\n"
     "  sha256            e582cfbe6b76240e7f47a2fd26cf786b16039ca8860cc396006c3965cb71ba6b\n",
     ""},
    {NULL, "inspect letter.obj", 0,
     "letter.obj: obj, 1 bytes\n"
     "  vertices          0\n"
     "  faces             0\n"
     "  sha256            4c94485e0c21ae6c41ce1dfe7b6bfaceea5ab68e40a2476f50208e526f506080\n",
     ""},
    {NULL, "inspect short.glb", 3, "",
     "short.glb: error: damaged .glb: short.glb has 4 bytes, which its header does not say\n"},
    {NULL, "inspect empty.glb", 3, "",
     "empty.glb: error: damaged .glb: empty.glb: '[' or '{' expected near end of file\n"},
    {NULL, "inspect bare.glb", 0,
     "bare.glb: glb, 22 bytes\n"
     "  vertices          0\n"
     "  triangles         0\n"
     "  sha256            f613437589e79f84ca3fcb200730e92983e7ad4f198f1f6f0be0ef0100d9a6bb\n",
     ""},
    {NULL, "inspect other.glb", 3, "",
     "other.glb: error: damaged .glb: other.glb has 22 bytes, which its header does not say\n"},
    {NULL, "inspect longer.glb", 3, "",
     "longer.glb: error: damaged .glb: longer.glb has 22 bytes, which its header does not say\n"},
    {NULL, "inspect open.glb", 3, "",
     "open.glb: error: damaged .glb: open.glb: string or '}' expected near end of file\n"},
    {NULL, "inspect counted.glb", 0,
     "counted.glb: glb, 150 bytes\n"
     "  vertices          3000000000\n"
     "  triangles         411522630041\n"
     "  sha256            470c61cb329db83d1eea31e8abb0f419d378a6ad752040073f3ef80292d24eb2\n",
     ""},
    {NULL, "inspect half.lock", 3, "",
     "half.lock:1:1: error: the lock has no engine here\n"
     "    thalweg-lock: 1\n"
     "    ^\n"
     "    write the lock anew with 'thalweg lock'\n"},
    {NULL, "inspect note.txt", 3, "",
     "note.txt: error: note.txt is of an unknown format; expected a map, a picture, a mesh, a "
     "list, a sidecar or a lock\n"},
    {NULL, "inspect grid.asc", 0,
     "grid.asc: asc, 68 bytes\n"
     "  type              heightmap\n"
     "  size              2 x 3\n"
     "  least             1\n"
     "  greatest          6\n"
     "  mean              3.5\n"
     "  metres a cell     10 x 10\n"
     "  extent            20 x 30 m\n"
     "  sha256            98d8cdbbe63d9a94d87190c1febaaa010d8724bd742aff13cd1e509e376ccb32\n"
     "  system            not said\n"
     "  west              100\n"
     "  north             230\n"
     "  cell              10\n",
     ""},
    {NULL, "inspect table.csv --picture p.png", 3,
     "table.csv: csv, 15 bytes\n"
     "  columns           3\n"
     "  rows              2\n"
     "  sha256            7fc5b3fd3e04fc820a01cec0e3ef5081f5200faac05176434340e1e76aeed0e3\n",
     "error: table.csv is a csv; expected a map for --picture\n"},
    {NULL, "inspect note.txt table.csv", 3,
     "table.csv: csv, 15 bytes\n"
     "  columns           3\n"
     "  rows              2\n"
     "  sha256            7fc5b3fd3e04fc820a01cec0e3ef5081f5200faac05176434340e1e76aeed0e3\n",
     "note.txt: error: note.txt is of an unknown format; expected a map, a picture, a mesh, a "
     "list, a sidecar or a lock\n"},

    /* run and its explanations */
    {NULL, "run two.yaml -q -j 1", 0, "1 recipe: 1 export written, 0 unchanged\n", ""},
    {NULL, "run two.yaml -j 1 --explain", 0,
     "borders: wrap, since every source wraps\n"
     "a  hit\n"
     "b  hit\n"
     "out/two.npy (unchanged)\n"
     "1 recipe: 0 exports written, 1 unchanged\n",
     ""},
    {NULL, "run two.yaml -j 1 --explain --dry-run -s k=2", 0,
     "borders: wrap, since every source wraps\n"
     "a  hit\n"
     "b  would compute: high 1 -> 2\n"
     "1 recipe: 1 of 2 nodes are in the cache; nothing was run\n",
     ""},
    {NULL, "run two.yaml -j 1 --explain --dry-run --seed 6", 0,
     "borders: wrap, since every source wraps\n"
     "a  would compute: seed 7817520138849251832 -> 3676877290361256331\n"
     "b  not decided: it depends on nodes that are not computed\n"
     "1 recipe: 0 of 2 nodes are in the cache; nothing was run\n",
     ""},
    {NULL, "run one.yaml -q -j 1 --seed 6 -o six", 0, "1 recipe: 2 exports written, 0 unchanged\n",
     ""},
    {NULL, "run two.yaml -j 1 --explain --dry-run --seed 6", 0,
     "borders: wrap, since every source wraps\n"
     "a  hit\n"
     "b  would compute: input.in 7d1c8ebb -> 7aa2563f\n"
     "1 recipe: 1 of 2 nodes are in the cache; nothing was run\n",
     ""},
    {NULL, "run two.yaml -j 1 --explain --dry-run --size 9x4", 0,
     "borders: closed, since noise.midpoint 'a' does not wrap\n"
     "a  would compute: size 8 8 -> 9 4\n"
     "b  not decided: it depends on nodes that are not computed\n"
     "1 recipe: 0 of 2 nodes are in the cache; nothing was run\n",
     ""},
    {NULL, "run two.yaml -j 1 --dry-run --no-cache", 0,
     "borders: wrap, since every source wraps\n"
     "a  would compute: there is no cache\n"
     "b  not decided: it depends on nodes that are not computed\n"
     "1 recipe: 0 of 2 nodes are in the cache; nothing was run\n",
     ""},
    {NULL, "run two.yaml -j 1 --no-cache", 0,
     "out/two.npy\n1 recipe: 1 export written, 0 unchanged\n", ""},
    {NULL, "run two.yaml one.yaml -j 1 -o {recipe}", 0,
     "two/two.npy\n"
     "one/one.npy\n"
     "one/one.png\n"
     "2 recipes: 3 exports written, 0 unchanged\n",
     "2 recipes: 2 of 2 nodes computed, 3 of 3 exports written\n"},
    {NULL, "run two.yaml one.yaml -j 1 -o {recipe}", 0,
     "two/two.npy (unchanged)\n"
     "one/one.npy (unchanged)\n"
     "one/one.png (unchanged)\n"
     "2 recipes: 0 exports written, 3 unchanged\n",
     "2 recipes: 0 of 2 nodes computed, 0 of 3 exports written\n"},

    /* graphs */
    {NULL, "graph switch.yaml", 0,
     "digraph recipe {\n"
     "  rankdir=LR; node [shape=box];\n"
     "  n0 [label=\"a\\nnoise.midpoint\"];\n"
     "  n1 [label=\"c\\nsource.constant\"];\n"
     "  n3 [label=\"x\\ncombine.add\"];\n"
     "  n1 -> n3 [label=\"a\"];\n"
     "  n0 -> n3 [label=\"b\"];\n"
     "}\n",
     ""},
    {NULL, "graph switch.yaml --format mermaid", 0,
     "flowchart LR\n"
     "  n0[\"a<br>noise.midpoint\"]\n"
     "  n1[\"c<br>source.constant\"]\n"
     "  n3[\"x<br>combine.add\"]\n"
     "  n1 -->|a| n3\n"
     "  n0 -->|b| n3\n",
     ""},
    {NULL, "check two.yaml one.yaml", 0,
     "two.yaml: ok; borders: wrap, since every source wraps\n"
     "one.yaml: ok; borders: wrap, since every source wraps\n",
     ""},

    {NULL, "nodes shape.invert", 0,
     "shape.invert: turn a map upside down\n"
     "\n"
     "Turns a map upside down, or a mask into its opposite. Choose shape.remap for other ranges.\n"
     "    out = low + high - v.\n"
     "By default that is 1 - v. A mask stays within 0..1.\n"
     "\n"
     "Known elsewhere as: Inverter (World Machine), HeightField Mask Invert (Houdini), Inverse "
     "(Hesiod),\n"
     "  Invert (Blender)\n"
     "\n"
     "inputs\n"
     "  in           heightmap  the map\n"
     "  mask         mask       how much of the change takes place; 1 if not given (optional)\n"
     "\n"
     "outputs\n"
     "  out          heightmap  the map upside down; a mask if in is\n"
     "\n"
     "parameters\n"
     "  low                the height that becomes high\n"
     "                     -1e+09 to 1e+09 height; usually -1 to 1; default 0\n"
     "  high               the height that becomes low\n"
     "                     -1e+09 to 1e+09 height; usually 0 to 2; default 1\n"
     "\n"
     "example\n"
     "noise: {type: noise.midpoint}\n"
     "basins: {type: shape.invert, in: noise}\n"
     "\n"
     "version 1; a cell depends on no other cell\n",
     ""},
    {NULL, "nodes voronoi", 0,
     "voronoi.cells            Voronoi diagram as height: sums of distances to feature points\n"
     "voronoi.domain           one random value for each domain of a Voronoi diagram\n",
     ""},
    {NULL, "nodes shape.curve", 0,
     "shape.curve: reshape heights by a curve through points\n"
     "\n"
     "Reshapes heights by a curve through points: plains, shelves, steeper peaks. Choose shape.power for a\n"
     "plain bend, and shape.terrace for equal steps.\n"
     "The slope of the curve at an inner point is the weighted harmonic mean of the secants s_1 and s_2 to\n"
     "both sides, with the widths w_1 and w_2:\n"
     "    slope = (a + b) / (a / s_1 + b / s_2);\n"
     "    a = 2 w_2 + w_1;\n"
     "    b = w_2 + 2 w_1.\n"
     "It is 0 where the secants differ in sign. At the ends it is the secant.\n"
     "Heights before the first and beyond the last point become its y. A mask stays within 0..1.\n"
     "\n"
     "Known elsewhere as: Curve (Gaea), Curves (World Machine), HeightField Remap (Houdini), Recurve\n"
     "  (Hesiod), Float Curve (Blender), r.recode (GRASS)\n"
     "\n"
     "inputs\n"
     "  in           heightmap  the map\n"
     "  mask         mask       how much of the change takes place; 1 if not given (optional)\n"
     "\n"
     "outputs\n"
     "  out          heightmap  the reshaped map; a mask if in is\n"
     "\n"
     "parameters\n"
     "  points             the curve, x rising\n"
     "                     list of rows\n"
     "                       x: a height, -1e+09 to 1e+09 height, required\n"
     "                       y: what it becomes, -1e+09 to 1e+09 height, required\n"
     "  interpolation      smooth without overshoot, or straight between points\n"
     "                     cubic, linear; default cubic\n"
     "\n"
     "example\n"
     "noise: {type: noise.midpoint}\n"
     "shelf: {type: shape.curve, in: noise, points: [[0, 0], [0.4, 0.1], [0.6, 0.5], [1, 1]]}\n"
     "\n"
     "version 1; a cell depends on no other cell; sources: fritsch1984\n",
     ""},
    {NULL, "man man", 0,
     ".TH THALWEG-MAN 1 \"\" \"thalweg " TW_VERSION "\" \"User commands\"\n"
     ".SH NAME\n"
     "thalweg-man \\- print the manual page, of one command or all\n"
     ".SH SYNOPSIS\n"
     ".B thalweg\n"
     ".I COMMAND\n"
     "[options]\n"
     ".SH COMMANDS\n"
     ".SS thalweg man [COMMAND] [options]\n"
     "print the manual page, of one command or all.\n"
     ".TP\n"
     ".B \\-\\-markdown\n"
     "print the options as Markdown, the tables of docs/cli.md\n"
     ".TP\n"
     ".B \\-h, \\-\\-help\n"
     "print this text\n"
     ".PP\n"
     "Read it with: thalweg man | man \\-l \\-\n"
     ".SH EXIT STATUS\n"
     ".TP\n"
     ".B 0\n"
     "done\n"
     ".TP\n"
     ".B 1\n"
     "a difference, and nothing else\n"
     ".TP\n"
     ".B 2\n"
     "wrong usage\n"
     ".TP\n"
     ".B 3\n"
     "an invalid recipe or input file, or a limit that was exceeded\n"
     ".TP\n"
     ".B 4\n"
     "the run failed: a node, the disk, memory\n"
     ".TP\n"
     ".B 75\n"
     "try again, perhaps elsewhere: with \\-\\-shard, a disk or memory was short\n"
     ".TP\n"
     ".B 129, 130, 143\n"
     "stopped by SIGHUP, SIGINT or SIGTERM; nothing half written\n"
     ".TP\n"
     ".B 141\n"
     "stopped by SIGPIPE: standard output was a pipe and lost its reader\n",
     ""},
    {NULL, "man none", 2, "", "thalweg: there is no command 'none'; did you mean 'nodes'?\n"},

    /* maps */
    {NULL, "diff one.npy one.npy", 0,
     "mean     0\n"
     "max      0 at (0, 0)\n"
     "rms      0\n"
     "percent  0\n"
     "cells    0 of 16 differ\n",
     ""},
    {NULL, "diff one.npy other.npy", 1,
     "mean     0.25\n"
     "max      0.25 at (0, 0)\n"
     "rms      0.25\n"
     "percent  25\n"
     "cells    16 of 16 differ\n",
     ""},
    {NULL, "diff one.npy other.npy --tolerance 0.25", 0,
     "mean     0.25\n"
     "max      0.25 at (0, 0)\n"
     "rms      0.25\n"
     "percent  25\n"
     "cells    16 of 16 differ\n",
     ""},
    {NULL, "diff one.npy other.npy -q", 1, "", ""},
    {NULL, "diff one.npy small.npy", 3, "",
     "error: one.npy is a heightmap of 4 x 4 cells, small.npy a heightmap of 3 x 4\n"
     "    maps of one type and size can be compared\n"},
    {NULL, "diff one.npy grid.asc", 3, "",
     "error: one.npy is a heightmap of 4 x 4 cells, grid.asc a heightmap of 2 x 3\n"
     "    maps of one type and size can be compared\n"},
    {NULL, "diff one.npy note.txt", 3, "",
     "note.txt: error: note.txt is of an unknown format; expected .png, .npy, .exr, .tif, .tiff, "
     ".r16, .raw, .r32, .bmp, .asc, .hgt, .bil, .flt or .dem\n"},

    /* locks */
    {NULL, "verify two.yaml", 3,
     "two.yaml: not compared: two.yaml.lock is missing or damaged\n1 of 1 failed: two.yaml: cannot read two.yaml.lock: No such file or directory; 0 as locked, 0 differ\n",
     "error: cannot read two.yaml.lock: No such file or directory\n"
     "    'thalweg lock two.yaml' writes one\n"},
    {NULL, "lock two.yaml", 0, "two.yaml.lock: written (1 output, 1 export, 2 nodes)\n", ""},
    {NULL, "lock two.yaml", 0, "two.yaml.lock: unchanged (1 output, 1 export, 2 nodes)\n", ""},
    {NULL, "verify two.yaml", 0,
     "two.yaml: as locked (1 output, 1 export)\n1 recipe: 1 as locked, 0 differ\n", ""},
    {NULL, "verify two.yaml -q", 0, "1 recipe: 1 as locked, 0 differ\n", ""},
    {"two.yaml|k: 1|k: 2", "verify two.yaml", 1,
     "two.yaml: differs from two.yaml.lock\n"
     "  first: b (shape.invert)\n"
     "    high 1 -> 2\n"
     "    height: 100.0 % of 64 cells differ, by 1 on the mean, at most 1 at (3, 0)\n"
     "  outputs: height\n"
     "  exports: two.npy\n"
     "pictures and all numbers: verify/index.html\n"
     "1 recipe: 0 as locked, 1 differs: two.yaml\n",
     ""},
    {NULL, "verify two.yaml --update=a", 1,
     "two.yaml: differs from two.yaml.lock\n"
     "  first: b (shape.invert)\n"
     "    high 1 -> 2\n"
     "    height: 100.0 % of 64 cells differ, by 1 on the mean, at most 1 at (3, 0)\n"
     "  outputs: height\n"
     "  exports: two.npy\n"
     "pictures and all numbers: verify/index.html\n"
     "1 recipe: 0 as locked, 1 differs: two.yaml\n",
     "error: two.yaml.lock: a has not changed, but b has\n"},
    {NULL, "verify two.yaml --update=b", 0,
     "two.yaml: differs from two.yaml.lock, which was updated\n"
     "  first: b (shape.invert)\n"
     "    high 1 -> 2\n"
     "    height: 100.0 % of 64 cells differ, by 1 on the mean, at most 1 at (3, 0)\n"
     "  outputs: height\n"
     "  exports: two.npy\n"
     "pictures and all numbers: verify/index.html\n"
     "1 recipe: 0 as locked, 1 differs: two.yaml; 1 lock written\n",
     ""},
    {NULL, "verify two.yaml", 0,
     "two.yaml: as locked (1 output, 1 export)\n1 recipe: 1 as locked, 0 differ\n", ""},
    {"two.yaml|size: 8|size: 6", "verify two.yaml", 1,
     "two.yaml: differs from two.yaml.lock\n"
     "  borders wrap -> closed\n"
     "  height 8 -> 6\n"
     "  width 8 -> 6\n"
     "  first: a (noise.midpoint)\n"
     "    nothing of its own has changed: it follows from what stands above\n"
     "    the earlier maps cannot be computed: the sizes differ\n"
     "  outputs: height\n"
     "  exports: two.npy\n"
     "pictures and all numbers: verify/index.html\n"
     "1 recipe: 0 as locked, 1 differs: two.yaml\n",
     ""},
    {NULL, "verify two.yaml --update=b", 1,
     "two.yaml: differs from two.yaml.lock\n"
     "  borders wrap -> closed\n"
     "  height 8 -> 6\n"
     "  width 8 -> 6\n"
     "  first: a (noise.midpoint)\n"
     "    nothing of its own has changed: it follows from what stands above\n"
     "    the earlier maps cannot be computed: the sizes differ\n"
     "  outputs: height\n"
     "  exports: two.npy\n"
     "pictures and all numbers: verify/index.html\n"
     "1 recipe: 0 as locked, 1 differs: two.yaml\n",
     "error: two.yaml.lock: not only b has changed, but borders too\n"},
    {NULL, "verify two.yaml -o verify/index.html", 4,
     "two.yaml: differs from two.yaml.lock\n"
     "  borders wrap -> closed\n"
     "  height 8 -> 6\n"
     "  width 8 -> 6\n"
     "  first: a (noise.midpoint)\n"
     "    nothing of its own has changed: it follows from what stands above\n"
     "    the earlier maps cannot be computed: the sizes differ\n"
     "  outputs: height\n"
     "  exports: two.npy\n"
     "failed; 0 as locked, 1 differs: two.yaml\n",
     "warning: cannot write verify/index.html/index.html: verify/index.html: Not a directory\n"
     "    a difference would have no pictures\n"
     "error: cannot make folder verify/index.html: a file of that name exists\n"},
    {NULL, "verify two.yaml --update", 0,
     "two.yaml: differs from two.yaml.lock, which was updated\n"
     "  borders wrap -> closed\n"
     "  height 8 -> 6\n"
     "  width 8 -> 6\n"
     "  first: a (noise.midpoint)\n"
     "    nothing of its own has changed: it follows from what stands above\n"
     "    the earlier maps cannot be computed: the sizes differ\n"
     "  outputs: height\n"
     "  exports: two.npy\n"
     "pictures and all numbers: verify/index.html\n"
     "1 recipe: 0 as locked, 1 differs: two.yaml; 1 lock written\n",
     ""},
    {"two.yaml|seed: 5|seed: 5\nborders: closed", "verify two.yaml", 0,
     "two.yaml: as locked (1 output, 1 export)\n1 recipe: 1 as locked, 0 differ\n", ""},
    {"two.yaml|b: {type: shape.invert, in: a, high|b: {type: shape.power, in: a, exponent",
     "verify two.yaml", 1,
     "two.yaml: differs from two.yaml.lock\n"
     "  first: b (shape.power)\n"
     "    exponent none -> 2\n"
     "    type shape.invert -> shape.power\n"
     "    high 2 -> none\n"
     "    low 0 -> none\n"
     "    height: 97.2 % of 36 cells differ, by 1.16337 on the mean, at most 1.93699 at (0, 1)\n"
     "  outputs: height\n"
     "  exports: two.npy\n"
     "pictures and all numbers: verify/index.html\n"
     "1 recipe: 0 as locked, 1 differs: two.yaml\n",
     ""},
    {"two.yaml.lock|midpoint\"\n    version: \"|midpoint\"\n    version: \"9", "verify two.yaml", 1,
     "two.yaml: differs from two.yaml.lock\n"
     "  first: b (shape.power)\n"
     "    exponent none -> 2\n"
     "    type shape.invert -> shape.power\n"
     "    high 2 -> none\n"
     "    low 0 -> none\n"
     "    the earlier maps cannot be computed: a: this engine has another version of "
     "noise.midpoint\n"
     "  outputs: height\n"
     "  exports: two.npy\n"
     "pictures and all numbers: verify/index.html\n"
     "1 recipe: 0 as locked, 1 differs: two.yaml\n",
     ""},

    /* recipes beside each other */
    {NULL, "diff one.yaml one.yaml", 0, "the recipes are the same\n", ""},
    {NULL, "diff one.yaml two.yaml", 1,
     "  borders wrap -> closed\n"
     "  height 8 -> 6\n"
     "  width 8 -> 6\n"
     "  follows  a (noise.midpoint)\n"
     "  added    b (shape.power)\n"
     "  the maps cannot be compared: the sizes differ\n"
     "  outputs: height, raw (missing)\n"
     "  exports: two.npy (new), one.npy (missing), one.png (missing)\n",
     ""},
    {NULL, "diff two.yaml one.yaml", 1,
     "  borders closed -> wrap\n"
     "  height 6 -> 8\n"
     "  width 6 -> 8\n"
     "  follows  a (noise.midpoint)\n"
     "  removed  b (shape.power)\n"
     "  the maps cannot be compared: the sizes differ\n"
     "  outputs: height, raw (new)\n"
     "  exports: one.npy (new), one.png (new), two.npy (missing)\n",
     ""},
    {NULL, "diff two.yaml switch.yaml", 1,
     "  borders closed -> wrap\n"
     "  height 6 -> 8\n"
     "  seed 5 -> 0\n"
     "  width 6 -> 8\n"
     "  changed  a (noise.midpoint): seed 7817520138849251832 -> 198367012849983736\n"
     "  added    c (source.constant)\n"
     "  added    x (combine.add)\n"
     "  removed  b (shape.power)\n"
     "  the maps cannot be compared: the sizes differ\n"
     "  outputs: height\n"
     "  exports: two.npy (missing)\n",
     ""},
    {NULL, "diff labels.yaml other.yaml", 1,
     "  changed  a (noise.midpoint): seed 198367012849983736 -> 15474746157786732217\n"
     "  follows  b (measure.landforms)\n"
     "  changed  p (feature.points): count 3 -> 4\n"
     "    forms: 81.2 % of 64 cells differ, by 3.48438 on the mean, at most 8 at (2, 2)\n"
     "    points: cannot be compared cell by cell\n"
     "    a: 100.0 % of 64 cells differ, by 0.370857 on the mean, at most 0.956202 at (5, 4)\n"
     "  outputs: forms, points\n",
     ""},
};

static void write_all(void)
{
    static const struct {
        const char *name;
        size_t length; /* 0: up to the end of the text */
        const char *text;
    } files[] = {
        {"list.json", 0, "[1, 2]"},
        {"text.json", 0, "\"text\""},
        {"open.json", 0, "{"},
        {"run.json", 0, "{\"format\": \"thalweg.run/2\", \"a\": 1}"},
        {"schema.json", 0, "{\"schema\": \"x\"}"},
        {"table.csv", 0, "a,b,c\n1,2\n4,5,6"},
        {"empty.csv", 0, ""},
        {"mesh.obj", 0, "v 1 2 3\nvn 1 2\nv 2 3 4\nf 1 2 3\n f 1\n"},
        {"letter.obj", 0, "v"},
        {"short.glb", 0, "glTF"},
        {"empty.glb", 20, "glTF\2\0\0\0\24\0\0\0\0\0\0\0JSON"},
        {"bare.glb", 22, "glTF\2\0\0\0\26\0\0\0\2\0\0\0JSON{}"},
        {"other.glb", 22, "glTF\2\0\0\0\26\0\0\0\2\0\0\0BIN {}"},
        {"longer.glb", 22, "glTF\2\0\0\0\26\0\0\0\3\0\0\0JSON{}"},
        {"open.glb", 21, "glTF\2\0\0\0\25\0\0\0\1\0\0\0JSON{"},
        {"counted.glb", 150,
         "glTF\2\0\0\0\x96\0\0\0\x82\0\0\0JSON"
         "{\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":1},\"indices\":0}]}],"
         "\"accessors\":[{\"count\":1234567890123},{\"count\":3000000000}]}"},
        {"half.lock", 0, "thalweg-lock: 1\n"},
        {"note.txt", 0, "hello"},
        {"grid.asc", 0,
         "ncols 2\nnrows 3\nxllcorner 100\nyllcorner 200\ncellsize 10\n1 2 3 4 5 6\n"},
        {"two.yaml", 0, TWO "export: {two.npy: height}\n"},
        {"one.yaml", 0,
         "thalweg: 1\nsize: 8\nseed: 5\nnodes:\n  a: {type: noise.midpoint}\n"
         "outputs: {height: a, raw: a}\nexport: {one.npy: height, one.png: {from: height, clip: "
         "true}}\n"},
        {"switch.yaml", 0,
         "thalweg: 1\nsize: 8\nnodes:\n  a: {type: noise.midpoint}\n  c: {type: source.constant}\n"
         "  s: {type: combine.switch, in: [a, c], index: 1}\n"
         "  \"x\": {type: combine.add, a: s, b: a}\noutputs: {height: x}\n"},
        {"labels.yaml", 0,
         "thalweg: 1\nsize: 8\nnodes:\n  a: {type: noise.midpoint}\n"
         "  b: {type: measure.landforms, in: a}\n  p: {type: feature.points, count: 3}\n"
         "outputs: {forms: b.out, points: p}\n"},
        {"other.yaml", 0,
         "thalweg: 1\nsize: 8\nnodes:\n  a: {type: noise.midpoint, seed: 3}\n"
         "  b: {type: measure.landforms, in: a}\n  p: {type: feature.points, count: 4}\n"
         "outputs: {forms: b.out, points: p}\n"},
        {"maps.yaml", 0,
         "thalweg: 1\nsize: 4\nnodes:\n  a: {type: source.constant, value: 0.5}\n"
         "  b: {type: source.constant, value: 0.75}\noutputs: {height: a}\n"
         "export: {one.npy: a, other.npy: b}\n"},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        command_write(files[i].name, files[i].text,
                      files[i].length ? files[i].length : strlen(files[i].text));
    command_expect("run maps.yaml -q -o .", 0, &result);
    command_expect("run maps.yaml -q -o small --size 3x4", 0, &result);
    assert_int_equal(rename("small/one.npy", "small.npy"), 0);
}

/* " 50 % a": a slow machine says more of it. */
/* Also drops the line with each recipe's time. */
static void forget_progress(char *text)
{
    for (char *line = text; *line;) {
        char *next = line + strcspn(line, "\n") + 1;
        const char *time = strstr(line, " nodes computed, ");
        bool is_time = time && time < next && isdigit((unsigned char)time[17]) &&
                       strstr(time, " s\n") && strstr(time, " s\n") < next;
        if (is_time || (strspn(line, " 0123456789") == 4 && line[4] == '%'))
            memmove(line, next, strlen(next) + 1);
        else
            line = next - (next[-1] == 0);
    }
}

static void apply(const char *how)
{
    char text[300], *rest = text;
    snprintf(text, sizeof text, "%s", how);
    char *file = strtok_r(rest, "|", &rest), *from = strtok_r(rest, "|", &rest);
    edit(file, from, rest);
}

static void every_command_prints_its_words(void **state)
{
    int wrong = 0;
    (void)state;
    write_all();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].edit)
            apply(rows[i].edit);
        run(rows[i].arguments);
        forget_progress(result.err);
        if (result.code == rows[i].code && strcmp(result.out, rows[i].out) == 0 &&
            strcmp(result.err, rows[i].err) == 0)
            continue;
        print_error("thalweg %s\nexpected %d\n%s%s\nfound %d\n%s%s\n", rows[i].arguments,
                    rows[i].code, rows[i].out, rows[i].err, result.code, result.out, result.err);
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

/* Comments, a MiB of them and a byte more. */
static void standard_input_has_an_end(void **state)
{
    enum { MOST = 1 << 20 };
    char *text = malloc(MOST + 1);
    (void)state;
    assert_non_null(text);
    memset(text, '#', MOST + 1);
    for (size_t more = 0; more < 2; more++) {
        command_write("long.yaml", text, MOST + more);
        assert_non_null(freopen("long.yaml", "r", stdin));
        assert_int_equal(run("check -"), 3);
        contains(result.err, more ? "error: standard input is longer than 1048576 bytes\n"
                                  : "<stdin>:1:1: error: the file is empty\n");
    }
    assert_non_null(freopen(".", "r", stdin));
    assert_int_equal(run("check -"), 3);
    assert_string_equal(result.err, "<stdin>: error: cannot read standard input\n");
    assert_non_null(freopen("/dev/null", "r", stdin));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {GATE_TEST(every_command_prints_its_words),
                                       GATE_TEST(standard_input_has_an_end)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
