/* SPDX-License-Identifier: MIT */
/* `thalweg schema documents` describes what every command prints with --json, after success, errors
 * and mistakes, down to the last field. */
#include "support/gate.h"
#include "support/json_schema.h"

#include <sys/stat.h>

static json_t *schema_now(void)
{
    assert_int_equal(run("schema documents"), 0);
    json_t *schema = json_loads(result.out, 0, NULL);
    assert_non_null(schema);
    return schema;
}

/* The definition of a document's format; NULL when there is none. */
static const json_t *definition_of(const json_t *schema, const char *format)
{
    char name[64];
    snprintf(name, sizeof name, "%s", format);
    if (strchr(name, '/'))
        *strchr(name, '/') = '.';
    return json_object_get(json_object_get(schema, "definitions"), name);
}

static void check_output(const json_t *schema, const char *arguments, int code)
{
    char where[200];
    int found = command_run_into(arguments, "document.json");
    if (found != code)
        fail_msg("%s: exit code %d", arguments, found);
    json_t *document = json_load_file("document.json", 0, NULL);
    assert_non_null(document);
    const char *format = json_string_value(json_object_get(document, "format"));
    const json_t *definition = definition_of(schema, format);
    if (!definition)
        fail_msg("%s: the schema has no %s", arguments, format);
    if (!json_schema_holds(schema, definition, document, true, where))
        fail_msg("%s: %s", arguments, where);
    assert_true(json_schema_holds(schema, schema, document, false, where)); /* one of all */
    json_decref(document);
}

/* Answers to the only question of the page that judge wrote. */
static void write_answers(void)
{
    char text[300];
    assert_int_equal(run("judge experiment.yaml --html page.html --pairs 1 --draw 1 -q"), 0);
    unsigned char *page = NULL;
    size_t length = 0;
    assert_int_equal(tw_file_read("page.html", 1 << 24, &page, &length, NULL), TW_OK);
    const char *identity = strstr((const char *)page, "\"identity\": \"");
    assert_non_null(identity);
    snprintf(text, sizeof text,
             "{\"format\": \"thalweg.answers/1\", \"identity\": \"%.16s\", \"draw\": \"1\", "
             "\"asked\": 1, \"answers\": [\"left\"]}",
             identity + 13);
    write_text("answers.json", text);
    free(page);
}

static void every_document_is_as_its_schema_says(void **state)
{
    static const struct {
        const char *arguments;
        int code;
    } rows[] = {
        {"run hills.yaml engine.yaml -o {recipe} --json", 0},
        {"run hills.yaml -o hills --json", 0},
        {"run bad.yaml --json", 3},
        {"run --json", 2},
        {"frob --json", 2},
        {"check hills.yaml bad.yaml --json", 3},
        {"graph hills.yaml --json", 0},
        {"graph bad.yaml --json", 3},
        {"nodes --json", 0},
        {"nodes erosion.thermal --json", 0},
        {"nodes erosion --json", 0},
        {"nodes no.such --json", 2},
        {"lock hills.yaml engine.yaml --json", 0},
        {"lock bad.yaml --json", 3},
        {"verify hills.yaml --json", 0},
        {"verify changed.yaml --json", 1},
        {"verify bad.yaml --json", 3},
        {"diff hills.yaml changed.yaml --json", 1},
        {"diff hills/height.png hills/height.png --json", 0},
        {"diff hills/height.png missing.png --json", 3},
        {"compare experiment.yaml --json -q", 0},
        {"compare bad.yaml --json", 3},
        {"compare experiment.yaml --shard 1/2 -o shards --json -q", 0},
        {"compare experiment.yaml --shard 2/2 -o shards --json -q", 0},
        {"compare experiment.yaml --gather shards --json -q", 0},
        {"compare experiment.yaml --gather nowhere --json -q", 3},
        {"judge experiment.yaml --html page.html --json", 0},
        {"judge experiment.yaml --answers answers.json --json", 0},
        {"judge bad.yaml --json", 3},
        {"cache push hills.yaml --cache-url http://127.0.0.1:1 --cache-secret-file secret --json",
         0},
        {"cache pull hills.yaml --cache-url http://127.0.0.1:1 --cache-secret-file secret --json",
         0},
        {"cache push hills.yaml --json", 2},
        {"inspect engine/land.r16 hills/height.png hills/all.json world.asc --json", 0},
        {"inspect bad.yaml --json", 3},
        {"inspect engine/land.r16 --range 0:2 --json", 0},
        {"cache stats --json", 0},
        {"cache gc --json", 0},
        {"cache clear --json", 0},
        {"doctor --json", 0},
    };
    (void)state;
    json_t *schema = schema_now();
    write_text("bad.yaml", "thalweg: 1\nsede: 3\nnodes: {a: {type: noise.perlim}}\n");
    write_text("bad.yaml.lock", "thalweg-lock: 1\n");
    write_text("engine.yaml", "thalweg: 1\nsize: 32\nworld: {side_m: 320, height_m: 100}\n"
                              "nodes: {n: {type: noise.midpoint}}\noutputs: {h: n}\n"
                              "export: {land.r16: {from: h, for: godot, range: [-1, 2]}}\n");
    write_text("world.asc", "ncols 2\nnrows 1\nxllcorner 10\nyllcorner 20\ncellsize 5\n1 2\n");
    write_text("experiment.yaml",
               "thalweg-experiment: 1\nrecipe: hills.yaml\nseeds: {from: 1, "
               "count: 2}\nmeasure: [score.erosion]\nvariants: {a: {}, b: {}}\n");
    write_text("secret", "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
                         "fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210\n");
    assert_int_equal(chmod("secret", S_IRUSR | S_IWUSR), 0);
    write_answers();
    write_recipe("changed.yaml", 8, "");
    assert_int_equal(run("lock changed.yaml -q"), 0);
    write_recipe("changed.yaml", 6, "");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_output(schema, rows[i].arguments, rows[i].code);
    json_decref(schema);
}

/* What is no document of ours is refused: the schema says something. */
static void other_documents_are_refused(void **state)
{
    char where[200];
    (void)state;
    json_t *schema = schema_now();
    assert_int_equal(run("run hills.yaml --json -q"), 0);
    json_t *document = json_loads(result.out, 0, NULL);
    const json_t *definition = definition_of(schema, "thalweg.run/2");
    assert_true(json_schema_holds(schema, definition, document, true, where));
    assert_int_equal(json_object_set_new(document, "hits", json_string("3")), 0);
    assert_false(json_schema_holds(schema, definition, document, true, where));
    contains(where, ".hits: has another type");
    assert_int_equal(json_object_del(document, "hits"), 0);
    assert_false(json_schema_holds(schema, definition, document, true, where));
    assert_int_equal(json_object_set_new(document, "hits", json_integer(3)), 0);
    assert_int_equal(json_object_set_new(document, "more", json_integer(3)), 0);
    assert_false(json_schema_holds(schema, definition, document, true, where));
    contains(where, ".more: has no row");
    assert_true(json_schema_holds(schema, definition, document, false, where));
    json_decref(document);
    json_decref(schema);
}

static void numbers_to_type_in_are_in_the_document(void **state)
{
    (void)state;
    write_text("engine.yaml", "thalweg: 1\nsize: 32\nworld: {side_m: 320, height_m: 100}\n"
                              "nodes: {n: {type: noise.midpoint}}\noutputs: {h: n}\n"
                              "export: {land.r16: {from: h, for: godot, range: [-1, 2]}}\n");
    assert_int_equal(run("run engine.yaml --json -q"), 0);
    contains(result.out, "\"name\": \"R16 Range\"");
    contains(result.out, "\"value\": \"-100, 200\"");
}

/* Every kind of file has a sidecar that is as its schema says, with no member that it lacks. */
static void check_sidecar(const json_t *schema, const char *file)
{
    char where[200];
    json_t *sidecar = json_load_file(file, 0, NULL);
    if (!sidecar)
        fail_msg("%s is missing", file);
    if (!json_schema_holds(schema, schema, sidecar, true, where))
        fail_msg("%s: %s", file, where);
    json_decref(sidecar);
}

static void sidecars_are_as_their_schema_says(void **state)
{
    static const char *const files[] = {
        "a.png.json",   "a.json",           "b.raw.json",       "c.r16.json",
        "d.r32.json",   "e_x1_y1.png.json", "f_x0_y0.r16.json", "f.bmp.json",
        "g.npy.json",   "p.csv.json",       "l_rock.png.json",  "s_0.png.json",
        "s_1.png.json", "i.png.json",       "m.glb.json",       "m.obj.json"};
    (void)state;
    write_text("sidecars.yaml",
               "thalweg: 1\nsize: 505\n"
               "world: {side_m: 320, height_m: 100, epsg: 2056, west: 2600000, north: 1200000}\n"
               "nodes:\n  n: {type: noise.midpoint}\n  rock: {type: mask.slope, in: n}\n"
               "  grass: {type: shape.invert, in: rock}\n"
               "  p: {type: feature.points, count: 5}\n  i: {type: render.relief, in: n}\n"
               "export:\n"
               "  a.png: {from: n, for: unreal}\n  a.r16: {from: n, for: unreal}\n"
               "  b.raw: {from: n, sidecar: true, flip: true}\n"
               "  c.r16: {from: n, for: godot, range: [-1, 2]}\n"
               "  d.r32: {from: n, for: godot}\n"
               "  e.png: {from: n, for: unreal, tiles: 253}\n"
               "  f.r16: {from: n, tiles: 101}\n  f.bmp: {from: n, range: fit, sidecar: true}\n"
               "  g.npy: {from: rock, sidecar: true}\n  p.csv: {from: p, sidecar: true}\n"
               "  l.png: {from: {grass: grass, rock: rock}, for: unreal}\n"
               "  s.png: {from: [rock, rock, rock, rock, rock], sidecar: true}\n"
               "  i.png: {from: i, sidecar: true}\n"
               "  m.glb: {from: n, sidecar: true, step: 8}\n"
               "  m.obj: {from: n, sidecar: true, step: 16}\n");
    assert_int_equal(run("schema --sidecar"), 0);
    json_t *schema = json_loads(result.out, 0, NULL);
    assert_non_null(schema);
    assert_int_equal(run("run sidecars.yaml -o . --no-cache -q"), 0);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        check_sidecar(schema, files[i]);
    json_t *sidecar = json_load_file("a.png.json", 0, NULL);
    const json_t *scale = json_object_get(json_object_get(sidecar, "type_in"), "Scale Z");
    assert_true(json_is_number(scale));
    json_decref(sidecar);
    json_decref(schema);
}

static void one_word_chooses_the_schema(void **state)
{
    (void)state;
    assert_int_equal(run("schema recipes"), 0);
    contains(result.out, "\"title\": \"Thalweg recipe\"");
    assert_int_equal(run("schema document"), 2);
    contains(result.err, "did you mean 'documents'?");
    assert_int_equal(run("schema --markdown"), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        GATE_TEST(every_document_is_as_its_schema_says),
        GATE_TEST(other_documents_are_refused),
        GATE_TEST(numbers_to_type_in_are_in_the_document),
        GATE_TEST(sidecars_are_as_their_schema_says),
        GATE_TEST(one_word_chooses_the_schema),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
