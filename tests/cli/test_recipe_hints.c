/* SPDX-License-Identifier: MIT */
/* Mistakes that people make. Each is reported once, at its own place with the line and a caret
 * below it, says what was found and what is allowed, and offers the nearest right thing. */
#include "support/command.h"
#include "support/harness.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct row {
    const char *name;
    const char *text; /* of bad.yaml */
    int line, column;
    const char *message;   /* all of it up to the end of the line */
    const char *hint;      /* part of the line after the caret's; NULL for none */
    const char *arguments; /* after "run"; NULL for "bad.yaml" */
    int code;              /* 0: 3, an invalid recipe */
};

#define HEAD "thalweg: 1\nsize: 8\n"
#define FLAT "nodes:\n  a: {type: source.constant, value: 0.5}\n"
#define TAIL "outputs: {height: a}\nexport: {height.png: height}\n"
#define NODE(line) HEAD "nodes:\n  a: {" line "}\n" TAIL
#define NEXT(line) HEAD "nodes:\n  n: {type: noise.perlin}\n  a: {" line "}\n" TAIL
#define TALUS "params: {talus: {default: 16, min: 0, max: 100}}\n"
#define OLSEN                                                                                      \
    "nodes:\n  n: {type: noise.perlin}\n  a: {type: erosion.olsen, in: n, talus: \"${talus}\"}\n"

#define COMPUTED(value)                                                                            \
    HEAD "params: {talus: 16}\nnodes:\n  n: {type: noise.perlin}\n"                                \
         "  a: {type: erosion.olsen, in: n, talus: \"" value "\"}\n" TAIL
#define ITERATIONS(value)                                                                          \
    HEAD "params: {talus: 16}\nnodes:\n  n: {type: noise.perlin}\n"                                \
         "  a: {type: erosion.olsen, in: n, iterations: \"" value "\"}\n" TAIL

static const struct row rows[] = {
    /* YAML */
    {"unclosed double quote", HEAD "about: \"hills\n" FLAT TAIL, 3, 8,
     "a quoted text begins here and does not end; expected a closing \"", NULL, NULL, 0},
    {"unclosed single quote", HEAD "about: 'hills\n" FLAT TAIL, 3, 8,
     "a quoted text begins here and does not end; expected a closing '", NULL, NULL, 0},
    {"unclosed quote, closed by the next one",
     HEAD "about: \"hills\nparams: {t: \"1\"}\n" FLAT TAIL, 3, 8,
     "a quoted text begins here and ends in line 4 only; expected a closing quote before that",
     NULL, NULL, 0},
    {"unclosed brace", HEAD "nodes:\n  a: {type: source.constant\n" TAIL, 4, 6,
     "this '{' is not closed; expected ',' or '}' before line 5, column 8", NULL, NULL, 0},
    {"unclosed brace before another",
     HEAD "nodes:\n  a: {type: source.constant\n  b: {type: shape.invert, in: a}\n" TAIL, 4, 6,
     "this '{' is not closed; expected ',' or '}' before line 5, column 4", NULL, NULL, 0},
    {"unclosed bracket", NODE("type: voronoi.cells, coefficients: [-1, 1"), 4, 42,
     "this '[' is not closed; expected ',' or ']' before line 4, column 48", NULL, NULL, 0},
    {"missing comma", NODE("type: \"source.constant\" value: 1"), 4, 31,
     "no ',' before this; expected ',' or '}' after an entry of the '{' in line 4, column 6", NULL,
     NULL, 0},
    {"tab", HEAD "nodes:\n\ta: {type: source.constant}\n" TAIL, 4, 1,
     "a tab in the indentation; expected spaces; YAML allows no tabs here", NULL, NULL, 0},
    {"tab below a node", HEAD "nodes:\n  a:\n\t  type: source.constant\n" TAIL, 5, 1,
     "a tab in the indentation; expected spaces; YAML allows no tabs here", NULL, NULL, 0},
    {"indented too little",
     HEAD "nodes:\n  a: {type: source.constant}\n b: {type: shape.invert, in: a}\n" TAIL, 5, 2,
     "this line is indented by 1; expected 2 as in line 4, or 0 as in line 3", "the same column",
     NULL, 0},
    {"indented too much",
     HEAD "nodes:\n  a: {type: source.constant}\n   b: {type: shape.invert, in: a}\n" TAIL, 5, 4,
     "this line is indented by 3; expected 2 as in line 4, or 0 as in line 3", "the same column",
     NULL, 0},
    {"indented below a value", HEAD "  seed: 3\n" FLAT TAIL, 3, 3,
     "this line is indented by 2; expected 0 as in line 2", "the same column", NULL, 0},
    {"comma at a line's end", HEAD "nodes:\n  a: {type: source.constant},\n" TAIL, 4, 29,
     "found ',' after a complete value; expected the end of the line",
     "entries on lines of their own have no ',' between them", NULL, 0},
    {"comma behind a list", "thalweg: 1\nsize: [64, 64],\n" FLAT TAIL, 2, 15,
     "found ',' after a complete value; expected the end of the line",
     "entries on lines of their own have no ',' between them", NULL, 0},
    {"words behind a brace", HEAD "nodes:\n  a: {type: source.constant} flat land\n" TAIL, 4, 30,
     "found 'flat' after a complete value; expected the end of the line", NULL, NULL, 0},
    {"words behind a quote", HEAD "about: \"hills\" and dales\n" FLAT TAIL, 3, 16,
     "found 'and' after a complete value; expected the end of the line", NULL, NULL, 0},
    {"list entry among names", HEAD "nodes:\n  a: {type: source.constant}\n  - b\n" TAIL, 5, 3,
     "found '-' among names; expected 'name: value' as in line 4", NULL, NULL, 0},
    {"name in a list", HEAD "nodes:\n  - a\n  b: {type: source.constant}\n" TAIL, 5, 3,
     "no '-' before this; expected '- value' as in line 4", NULL, NULL, 0},
    {"block text indented too little", HEAD "nodes:\n  a:\n    type: |\n      x\n   y\n" TAIL, 7, 4,
     "this line is indented by 3; expected 6 as in line 6, or 4 as in line 5, or 2 as in line 4, "
     "or 0 as in line 3",
     "the same column", NULL, 0},
    {"not indented", HEAD "nodes:\na: {type: source.constant}\n" TAIL, 4, 1,
     "node 'a' is at the top level; expected it indented below nodes:",
     "indent the nodes by two spaces", NULL, 0},
    {"no colon in braces", NEXT("type erosion.olsen, in: n"), 5, 7,
     "'type erosion.olsen' has no ':'; expected 'name: value'",
     "did you mean 'type: erosion.olsen'?", NULL, 0},
    {"no colon", "thalweg: 1\nsize 64\n" FLAT TAIL, 2, 1,
     "'size' has no ':'; expected 'name: value'", "did you mean 'size: 64'?", NULL, 0},
    {"a title before the first entry", "Hills\n" HEAD FLAT TAIL, 1, 1,
     "'Hills' has no ':'; expected 'name: value'", NULL, NULL, 0},
    {"a name without a colon above another",
     HEAD "nodes:\n  a\n  b: {type: source.constant}\n" TAIL, 4, 3,
     "'a' has no ':'; expected 'name: value'", NULL, NULL, 0},
    {"a conflict in the first line", "<<<<<<< HEAD\n" HEAD FLAT TAIL, 1, 1,
     "'<<<<<<<' has no ':'; expected 'name: value'",
     "git has left a conflict here: keep one of its sides", NULL, 0},
    {"a conflict further below", HEAD FLAT "<<<<<<< HEAD\n" TAIL "=======\n", 5, 1,
     "'<<<<<<<' has no ':'; expected 'name: value'",
     "git has left a conflict here: keep one of its sides", NULL, 0},
    {"two colons", HEAD "about: hills: and dales\n" FLAT TAIL, 3, 13,
     "a second ':' in one entry; expected quotes around the text, or a line for each entry", NULL,
     NULL, 0},
    {"a list for a description", HEAD "about: [hills]\n" FLAT TAIL, 3, 8,
     "about is a list; expected one value", NULL, NULL, 0},
    {"a mapping for a parameter's description",
     HEAD "params: {t: {default: 1, about: {x: 1}}}\n" FLAT TAIL, 3, 33,
     "about is a mapping; expected one value", NULL, NULL, 0},
    {"text that YAML reserves", HEAD "about: @home\n" FLAT TAIL, 3, 8,
     "a text begins with '@'; expected quotes around it", NULL, NULL, 0},

    /* values */
    {"size as on the command line", "thalweg: 1\nsize: 64x64\n" FLAT TAIL, 2, 7,
     "size is '64x64'; expected a whole number of cells from 1 to 65536, or [width, height]",
     "did you mean '[64, 64]'?", NULL, 0},
    {"list without brackets", NEXT("type: shape.remap, in: n, from: 0 1"), 5, 39,
     "shape.remap.from is '0 1'; expected a list of numbers", "did you mean '[0, 1]'?", NULL, 0},
    {"list without brackets, with a comma", NODE("type: voronoi.cells, coefficients: \"-1,1\""), 4,
     42, "voronoi.cells.coefficients is '-1,1'; expected a list of numbers",
     "did you mean '[-1, 1]'?", NULL, 0},
    {"bounds in the wrong order", HEAD "params: {t: {default: 1, min: 2, max: 0}}\n" FLAT TAIL, 3,
     39, "max is 0; expected at least min, 2", NULL, NULL, 0},
    {"number for a list, out of range", NEXT("type: render.relief, in: n, time: 25"), 5, 41,
     "render.relief.time is 25; allowed 0 to 24", NULL, NULL, 0},
    {"word for a whole number", NODE("type: noise.perlin, octaves: many"), 4, 36,
     "noise.perlin.octaves is 'many'; expected a whole number from 1 to 16", NULL, NULL, 0},
    {"word for a number", NODE("type: noise.perlin, lacunarity: high"), 4, 39,
     "noise.perlin.lacunarity is 'high'; expected a number from 1 to 8", NULL, NULL, 0},
    {"metres that are too many",
     HEAD "world: {side_m: 1000, height_m: 500}\nnodes:\n  n: {type: noise.perlin}\n"
          "  a: {type: shape.resample, in: n, cell: 3000 m}\n" TAIL,
     6, 42, "shape.resample.cell is 3; allowed 1e-06 to 1", "'3000 m' is 3 map sides", NULL, 0},
    {"kilometres", NEXT("type: shape.resample, in: n, cell: 3 km"), 5, 42,
     "shape.resample.cell is '3 km'; expected a number from 1e-06 to 1",
     "with world: also in metres, as in 120 m", NULL, 0},
    {"a slope of 95 degrees", NEXT("type: erosion.olsen, in: n, talus: 95 deg"), 5, 42,
     "erosion.olsen.talus is '95 deg'; expected a number from 1e-06 to 1000000",
     "with world: also in degrees below 90, as in 35 deg", NULL, 0},
    {"fraction for a whole number", NODE("type: noise.perlin, octaves: 2.5"), 4, 36,
     "noise.perlin.octaves is 2.5; expected a whole number from 1 to 16", NULL, NULL, 0},
    {"borders", HEAD "borders: warp\n" FLAT TAIL, 3, 10,
     "borders is 'warp'; expected wrap or closed", "did you mean 'wrap'?", NULL, 0},

    /* parameters */
    {"-s of no number", HEAD TALUS OLSEN TAIL, 1, 10,
     "parameter talus is 'abc'; expected a number from 0 to 100", NULL, "bad.yaml -s talus=abc", 0},
    {"-s out of range", HEAD TALUS OLSEN TAIL, 1, 10,
     "parameter talus is '101'; expected a number from 0 to 100", NULL, "bad.yaml -s talus=101", 0},
    {"-s of no number without a range", HEAD "params: {talus: 16}\n" OLSEN TAIL, 1, 10,
     "parameter talus is 'abc'; expected a number", NULL, "bad.yaml -s talus=abc", 0},
    {"arithmetic with a misspelt name", COMPUTED("${tallus * 2}"), 6, 45,
     "'tallus' is not a parameter of this recipe", "did you mean 'talus'?", NULL, 0},
    {"arithmetic with a misspelt function", COMPUTED("${3 + mxa(talus, 2)}"), 6, 49,
     "there is no function 'mxa' here; expected one of min, max, round", "did you mean 'max'?",
     NULL, 0},
    {"arithmetic with a function of formulas", COMPUTED("${sqrt(talus)}"), 6, 45,
     "there is no function 'sqrt' here; expected one of min, max, round", NULL, NULL, 0},
    {"arithmetic with an operator of formulas", COMPUTED("${talus ^ 2}"), 6, 51,
     "found '^'; expected +, -, *, / or the end", NULL, NULL, 0},
    {"arithmetic that ends too soon", COMPUTED("${talus *}"), 6, 52,
     "the text ends here; expected a number, a name or '('", NULL, NULL, 0},
    {"arithmetic with an open parenthesis", COMPUTED("${2 * (talus + 1}"), 6, 49,
     "this '(' is not closed; expected a ')'", NULL, NULL, 0},
    {"arithmetic with too few arguments", COMPUTED("${min(talus)}"), 6, 45,
     "min has 1 argument; expected at least 2", NULL, NULL, 0},
    {"arithmetic on a word",
     HEAD "params: {mode: fast}\nnodes:\n  n: {type: noise.perlin}\n"
          "  a: {type: erosion.olsen, in: n, talus: \"${1 + mode}\"}\n" TAIL,
     6, 49, "parameter mode is 'fast'; expected a number for arithmetic", NULL, NULL, 0},
    {"division by zero", COMPUTED("${1 / (talus - 16)}"), 6, 47,
     "division by zero; expected a divisor other than 0", NULL, NULL, 0},
    {"a result beyond all numbers", COMPUTED("${1e300 * 1e300}"), 6, 51,
     "the result of this is beyond all numbers; expected a finite one", NULL, NULL, 0},
    {"a computed value out of range", COMPUTED("${talus * 1e5}"), 6, 42,
     "erosion.olsen.talus is 1600000; allowed 1e-06 to 1000000", NULL, NULL, 0},
    {"a computed fraction of iterations", ITERATIONS("${talus / 3}"), 6, 47,
     "erosion.olsen.iterations is 5.333333333333333; expected a whole number from 0 to 100000",
     "round(...) gives a whole number", NULL, 0},
    {"a computed number beyond 32 bits", ITERATIONS("${talus * 1e9}"), 6, 47,
     "erosion.olsen.iterations is 16000000000; allowed 0 to 100000", NULL, NULL, 0},
    {"arithmetic in the second line of a text",
     HEAD "params: {talus: 16}\nabout: x\nnodes:\n  a:\n    type: source.image\n"
          "    file: >\n      pictures/${talus}\n      ${talus +}.png\n" TAIL,
     10, 16, "the text ends here; expected a number, a name or '('", NULL, NULL, 0},

    /* types */
    {"kind without its family", NODE("type: perlin"), 4, 13, "there is no node type 'perlin'",
     "did you mean 'noise.perlin'?", NULL, 0},
    {"kind without its family, source", NODE("type: heightmap"), 4, 13,
     "there is no node type 'heightmap'", "did you mean 'source.heightmap'?", NULL, 0},
    {"kind as its family", NODE("type: score.game"), 4, 13, "there is no node type 'score.game'",
     "did you mean 'measure.score'?", NULL, 0},
    {"kind of two families", NEXT("type: slope, in: n"), 5, 13, "there is no node type 'slope'",
     "did you mean 'mask.slope' or 'measure.slope'?", NULL, 0},
    {"misspelt kind without its family", NODE("type: perlim"), 4, 13,
     "there is no node type 'perlim'", "did you mean 'noise.perlin'?", NULL, 0},
    {"kind of another family", NODE("type: noise.heightmap"), 4, 13,
     "there is no node type 'noise.heightmap'", "did you mean 'source.heightmap'?", NULL, 0},
    {"by meaning", NEXT("type: erosion.water, in: n"), 5, 13,
     "there is no node type 'erosion.water'",
     "'erosion.hydraulic', 'erosion.hydraulic_fast' or 'erosion.pipes'?", NULL, 0},
    {"by meaning, a parameter's value", NODE("type: noise.simplex"), 4, 13,
     "there is no node type 'noise.simplex'", "did you mean 'noise.perlin'?", NULL, 0},
    {"nothing near, a family", NODE("type: voronoi.zzzzzzzz"), 4, 13,
     "there is no node type 'voronoi.zzzzzzzz'", "voronoi has cells, domain", NULL, 0},
    {"nothing near, no family", NODE("type: qqqqqqqqqqqq"), 4, 13,
     "there is no node type 'qqqqqqqqqqqq'", "families are combine, erosion, feature, ", NULL, 0},

    {"words for a list", NEXT("type: shape.remap, in: n, from: fit"), 5, 39,
     "shape.remap.from is 'fit'; expected a list of numbers", NULL, NULL, 0},
    {"merge key", HEAD "nodes:\n  n: &n {type: noise.perlin}\n  a: {<<: *n, octaves: 3}\n" TAIL, 5,
     7,
     "'<<' merges nothing here; expected the entries themselves, or an alias as a whole value, as "
     "in a: *land",
     NULL, NULL, 0},
    {"an experiment", "thalweg-experiment: 1\nrecipe: a.yaml\nseeds: [1]\n", 1, 1,
     "this is an experiment; expected a recipe", "thalweg compare runs experiments", NULL, 0},
    {"a decimal comma", NODE("type: source.constant, value: 0,5"), 4, 39,
     "source.constant has no input or parameter '5'",
     "a ',' ends an entry; decimals have a point, as in 0.5", NULL, 0},
    {"a lock", "thalweg-lock: 1\nengine: \"0.1.0\"\nexports: {}\n", 1, 1,
     "this is a lock; expected a recipe", "thalweg verify takes the recipe and finds its lock",
     NULL, 0},

    /* outputs and exports */
    {"an output for an input",
     HEAD FLAT "outputs: {height: a}\nexport:\n"
               "  h.png: {from: a, as: perspective, lakes: height}\n",
     7, 44, "there is no node 'height'", "did you mean 'a'?", NULL, 0},
    {"misspelt from", HEAD FLAT "outputs: {height: a}\nexport: {h.png: {form: height}}\n", 6, 18,
     "an export needs 'from': the name of an output", "did you mean 'from'?", NULL, 0},
    {"a file that is a folder",
     HEAD FLAT "outputs: {height: a}\nexport: {h.npy: a, h.npy-2.npy: a, h.npy/t/a.png: a}\n", 6,
     36, "'h.npy/t/a.png' lies in a folder that has the name of the file in line 6", NULL, NULL, 0},
    {"misspelt output", HEAD FLAT "outputs: {height: a}\nexport: {h.png: hieght}\n", 6, 17,
     "there is no output or node 'hieght'", "did you mean 'height'?", NULL, 0},
    {"output that is none", HEAD FLAT "outputs: {height: a}\nexport: {h.png: ocean}\n", 6, 17,
     "there is no output or node 'ocean'", "known: height, a", NULL, 0},
    {"ending in capitals", HEAD FLAT "outputs: {height: a}\nexport: {h.PNG: height}\n", 6, 10,
     "unknown export format '.PNG'; expected .png, .npy, .exr, .tif, .r16, .raw, .r32, .bmp, .glb, "
     ".obj, .json or .csv",
     "did you mean '.png'?", NULL, 0},
    {"ending of others", HEAD FLAT "outputs: {height: a}\nexport: {h.tiff: height}\n", 6, 10,
     "unknown export format '.tiff'; expected .png, .npy, .exr, .tif, .r16, .raw, .r32, .bmp, .glb, "
     ".obj, .json or .csv",
     "did you mean '.tif'?", NULL, 0},
    {"ending that is only read", HEAD FLAT "outputs: {height: a}\nexport: {h.asc: height}\n", 6, 10,
     "unknown export format '.asc'; expected .png, .npy, .exr, .tif, .r16, .raw, .r32, .bmp, .glb, "
     ".obj, .json or .csv",
     "'.asc' is only read", NULL, 0},
    {"misspelt renderer",
     HEAD FLAT "outputs: {height: a}\nexport: {h.png: {from: height, as: perspectiv}}\n", 6, 36,
     "as is 'perspectiv'; expected a renderer of height maps or masks: colour, hillshade, "
     "normals, perspective, relief, splat",
     "did you mean 'perspective'?", NULL, 0},
    {"a recipe outside the folder", NODE("type: ../base.yaml"), 4, 13,
     "../base.yaml lies outside the recipe's folder",
     "--allow-path DIR lets recipes read files below DIR", NULL, 0},
    {"a map outside the folder", NODE("type: source.heightmap, file: ../a.png"), 4, 37,
     "../a.png lies outside the recipe's folder",
     "--allow-path DIR lets recipes read files below DIR", NULL, 0},
    {"height outside the range", HEAD "nodes:\n  a: {type: source.constant, value: 2}\n" TAIL, 6,
     10, "heights run from 2 to 2, the export's range is 0 to 1: set clip: or range:", NULL, NULL,
     4},
};

/* Line `line` of the text, and a caret below `column`. */
static void print_excerpt(const struct row *row, char *excerpt, size_t size)
{
    const char *at = row->text;
    for (int i = 1; i < row->line; i++)
        at = strchr(at, '\n') + 1;
    int length = (int)strcspn(at, "\n"), used = 0;
    if (row->arguments) {
        at = strstr(row->arguments, "-s");
        length = (int)strlen(at);
    }
    used = snprintf(excerpt, size, "    %.*s\n    %*s^\n", length, at, row->column - 1, "");
    assert_true(used > 0 && (size_t)used < size);
    for (char *tab = excerpt; (tab = strchr(tab, '\t'));)
        *tab = ' ';
}

static int count(const char *text, const char *word)
{
    int found = 0;
    for (; (text = strstr(text, word)); text += strlen(word))
        found++;
    return found;
}

static bool is_as_expected(const struct row *row, const struct command_result *result)
{
    char message[700], excerpt[300];
    snprintf(message, sizeof message, "%s:%d:%d: error: %s\n",
             row->arguments ? "command line" : "bad.yaml", row->line, row->column, row->message);
    print_excerpt(row, excerpt, sizeof excerpt);
    const char *after = strstr(result->err, excerpt);
    after = after ? after + strlen(excerpt) : "";
    bool ok = result->code == (row->code ? row->code : 3) && strstr(result->err, message) &&
              count(result->err, ": error: ") == 1 && (!row->hint || strstr(after, row->hint)) &&
              (row->hint || !after[0]) && strstr(result->err, excerpt) && access("out", F_OK) != 0;
    if (!ok)
        print_error("%s: expected %s%s    %s\nfound %d and\n%s\n", row->name, message, excerpt,
                    row->hint ? row->hint : "", result->code, result->err);
    return ok;
}

static void every_mistake_gets_an_answer(void **state)
{
    static struct command_result result;
    char arguments[200];
    int wrong = 0;
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        command_write("bad.yaml", rows[i].text, strlen(rows[i].text));
        snprintf(arguments, sizeof arguments, "run -q -j 2 %s",
                 rows[i].arguments ? rows[i].arguments : "bad.yaml");
        command_run(arguments, &result);
        wrong += !is_as_expected(&rows[i], &result);
    }
    assert_true(sizeof rows / sizeof rows[0] >= 40);
    assert_int_equal(wrong, 0);
}

static void check_reads_the_files_of_nodes(void **state)
{
    static const char text[] = NODE("type: source.heightmap, fit: crop, file: none.png");
    static struct command_result result;
    (void)state;
    command_write("bad.yaml", text, strlen(text));
    command_run("check bad.yaml", &result);
    assert_int_equal(result.code, 3);
    assert_non_null(strstr(result.err, "bad.yaml:4:48: error: cannot read none.png: "));
    command_write("none.png", "not a picture", 13);
    command_run("check bad.yaml", &result);
    assert_int_equal(result.code, 3);
    assert_non_null(strstr(result.err, "bad.yaml:4:48: error: none.png is of an unknown format; "));
}

static void a_recipe_beside_is_offered_by_its_file(void **state)
{
    static const char text[] = NODE("type: hills"), hills[] = HEAD FLAT TAIL;
    static struct command_result result;
    (void)state;
    command_write("bad.yaml", text, strlen(text));
    command_run("check bad.yaml", &result);
    assert_int_equal(result.code, 3);
    assert_null(strstr(result.err, "hills.yaml"));
    command_write("hills.yaml", hills, strlen(hills));
    command_run("check bad.yaml", &result);
    assert_int_equal(result.code, 3);
    assert_non_null(strstr(result.err, "bad.yaml:4:13: error: there is no node type 'hills'\n"));
    assert_non_null(strstr(result.err, "did you mean './hills.yaml'?\n"));
}

static void what_is_not_used_is_a_warning(void **state)
{
    static const char text[] = HEAD
        "params: {talus: 16, used: 1}\nnodes:\n  a: {type: source.constant, value: \"${used}\"}\n"
        "  b: {type: shape.invert, in: a}\n  c: {type: shape.invert, in: b}\n"
        "  d: {type: combine.formula, a: a, b: a, formula: 2 * a}\n"
        "outputs: {height: a, d: d}\nexport: {height.png: height}\n";
    static struct command_result result;
    (void)state;
    command_write("bad.yaml", text, strlen(text));
    command_run("check bad.yaml", &result);
    assert_int_equal(result.code, 0);
    assert_int_equal(count(result.err, ": warning: "), 4);
    assert_non_null(strstr(result.err, "bad.yaml:6:3: warning: node 'b' is not used: no output or "
                                       "export is made from it\n"
                                       "      b: {type: shape.invert, in: a}\n      ^\n"));
    assert_non_null(strstr(result.err, "bad.yaml:7:3: warning: node 'c' is not used"));
    assert_non_null(strstr(result.err, "bad.yaml:8:36: warning: input 'b' is not used: expected it "
                                       "in the formula\n"));
    assert_non_null(strstr(result.err, "bad.yaml:3:10: warning: parameter 'talus' is not used"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_mistake_gets_an_answer),
        cmocka_unit_test(check_reads_the_files_of_nodes),
        cmocka_unit_test(a_recipe_beside_is_offered_by_its_file),
        cmocka_unit_test(what_is_not_used_is_a_warning),
    };
    return cmocka_run_group_tests(tests, command_set_up, command_tear_down);
}
