/* SPDX-License-Identifier: MIT */
/* Project files: which recipes a call takes, where their exports go, and what is refused. */
#include "support/project.h"

static void expect_last(const char *line)
{
    const char *found = last_line(result.out);
    if (strcmp(found, line) != 0)
        fail_msg("the last line is '%s', not '%s'; errors:\n%s", found, line, result.err);
}

static int run_in(const char *folder, const char *arguments)
{
    char top[4096];
    assert_true(tw_file_real_path(".", top));
    assert_int_equal(chdir(folder), 0);
    int code = run(arguments);
    assert_int_equal(chdir(top), 0);
    return code;
}

static void commands_without_a_recipe_take_the_project(void **state)
{
    (void)state;
    assert_int_equal(run("run"), 0);
    expect_last("40 recipes: 80 exports written, 0 unchanged");
    contains(result.err, "levels/07/terrain.yaml: ");
    assert_true(exists("out/levels/39/height.png") && exists("out/levels/00/rough.npy"));
    assert_false(exists("out/levels/scratch"));
    assert_int_equal(run("run -q"), 0);
    assert_string_equal(result.out, "40 recipes: 0 exports written, 80 unchanged\n");
    assert_string_equal(result.err, "");
    assert_int_equal(run("check"), 0);
    contains(result.out, "levels/39/terrain.yaml: ok");
    assert_int_equal(run("lock --yes"), 0);
    expect_last("40 recipes: 40 locks written, 0 unchanged");
    assert_true(exists("levels/39/terrain.yaml.lock"));
    assert_int_equal(run("verify -o differences"), 0);
    expect_last("40 recipes: 40 as locked, 0 differ");
}

static void the_nearest_file_is_found_from_below(void **state)
{
    (void)state;
    assert_int_equal(run_in("levels/07", "run -q"), 0);
    assert_true(exists("out/levels/39/height.png"));
    assert_int_equal(run_in("levels/07", "check --json"), 0);
    contains(result.out, "\"../../levels/39/terrain.yaml\"");
    write_text("levels/07/thalweg-project.yaml", "thalweg-project: 1\nrecipes: ['*.yaml']\n");
    assert_int_equal(run_in("levels/07", "run"), 0);
    assert_true(exists("levels/07/out/terrain/height.png"));
    expect_last("1 recipe: 2 exports written, 0 unchanged");
}

static void a_named_recipe_takes_settings_of_its_own_project(void **state)
{
    (void)state;
    write_level(".", 3);
    assert_int_equal(run("run levels/03/terrain.yaml terrain.yaml"), 0);
    assert_true(exists("out/levels/03/height.png") && exists("out/height.png"));
    assert_int_equal(run("run levels/scratch/x/terrain.yaml"), 0);
    contains(result.out, "out/height.png");
    assert_int_equal(run("run levels/04/terrain.yaml -o elsewhere"), 0);
    assert_true(exists("elsewhere/height.png"));
    assert_int_equal(run("run levels/04/terrain.yaml -o elsewhere/{folder}"), 0);
    assert_true(exists("elsewhere/levels/04/height.png"));
    assert_int_equal(run("run -o all"), 2); /* -o is the folder, and all are called alike */
    contains(result.err, "all/height.png would be written twice; the first is in levels/00/");
    contains(result.err, "{folder} gives each recipe of a project a folder of its own: "
                         "-o 'all/{folder}'\n");
    assert_int_equal(run("run -o all/{recipe}"), 2);
    contains(result.err, "-o 'all/{folder}'\n");
    assert_int_equal(run("run -q -o all/{folder}"), 0);
    assert_true(exists("all/levels/39/height.png"));
    assert_int_equal(run("run terrain.yaml -o elsewhere/{folder}"), 2);
    contains(result.err, "{folder}, which only recipes of a project have");
}

static void what_is_no_recipe_is_skipped(void **state)
{
    (void)state;
    write_text("thalweg-project.yaml", "thalweg-project: 1\nrecipes: ['**/*']\n"
                                       "exclude: ['levels/[0-3]?']\n");
    write_text("levels/part.yaml", "thalweg: 1\ninputs: {land: heightmap, top: {type: heightmap, "
                                   "default: x}}\nnodes: {x: {type: shape.invert, in: land}}\n"
                                   "outputs: {y: x}\n");
    write_text("levels/e.yaml", "thalweg-experiment: 1\nrecipe: scratch/x/terrain.yaml\n");
    write_text("levels/notes.txt", "none");
    assert_int_equal(run("lock"), 0);
    assert_int_equal(run("run"), 0);
    expect_last("1 recipe: 2 exports written, 0 unchanged");
    contains(result.err, "note: levels/part.yaml is skipped: another recipe has to feed its input "
                         "'land'\n");
    lacks(result.err, "e.yaml");
    assert_int_equal(run("check levels/e.yaml levels/00/terrain.yaml thalweg-project.yaml"), 0);
    assert_int_equal(run("check levels/e.yaml"), 3);
    contains(result.err, "this is an experiment; expected a recipe");
}

static void outputs_get_folders_of_their_own(void **state)
{
    (void)state;
    write_text("thalweg-project.yaml",
               "thalweg-project: 1\nrecipes: [levels/0?/terrain.yaml]\n"
               "out: 'all/{output}/{folder}'\nsize: 16\n"
               "presets: {small: {size: 8, out: 'few/{recipe}-{output}'}}\n");
    assert_int_equal(run("run"), 0);
    expect_last("10 recipes: 20 exports written, 0 unchanged");
    assert_true(exists("all/height/levels/03/height.png"));
    assert_true(exists("all/rough/levels/03/rough.npy"));
    assert_int_equal(run("inspect all/rough/levels/03/rough.npy"), 0);
    contains(result.out, "16 x 16");
    assert_int_equal(run("run levels/03/terrain.yaml --preset small"), 0);
    assert_int_equal(run("inspect few/terrain-rough/rough.npy"), 0);
    contains(result.out, "8 x 8");
    assert_int_equal(run("run levels/03/terrain.yaml --preset smal"), 2);
    contains(result.err, "has no preset 'smal'; did you mean 'small'?");
    assert_int_equal(run("lock"), 0);
    char *lock = read_text("levels/03/terrain.yaml.lock");
    contains(lock, "given: {size: \"16x16\"}");
    free(lock);
}

static void faults_have_their_place(void **state)
{
    static const struct {
        const char *line, *words;
    } rows[] = {
        {"excludes: [a]", ":3:1: error: a project has no key 'excludes'"},
        {"out: /tmp", ":3:6: error: out is '/tmp'; expected a folder below the project's"},
        {"out: ../x", ":3:6: error: out is '../x'; expected a folder below"},
        {"out: a/{foldr}", ":3:8: error: out has the placeholder '{foldr}'"},
        {"exclude: [../x]", ":3:11: error: exclude is '../x'; expected a path below"},
        {"size: 0", ":3:7: error: size is 0; expected cells from 1"},
        {"cache: {dir: /tmp}", ":3:14: error: cache.dir is '/tmp'; expected a folder below"},
        {"cache: {size: much}", ":3:15: error: cache.size is 'much'; expected bytes"},
        {"cache: {urk: x}", ":3:9: error: cache has no key 'urk'"},
        {"presets: {a: {sze: 3}}", ":3:15: error: a preset has no key 'sze'"},
        {"tolerances: {height: {most: 5 km}}", ":3:29: error: most is '5 km'; expected"},
        {"tolerances: {height: {}}", ":3:22: error: the tolerance of height has no limit"},
        {"locked: 3", ":3:9: error: locked is a single value; expected a list"},
        {"recipes: [b.yaml]", ":3:1: error: duplicate key 'recipes'"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[200];
        snprintf(text, sizeof text, "thalweg-project: 1\nrecipes: [levels/*/terrain.yaml]\n%s\n",
                 rows[i].line);
        write_text("thalweg-project.yaml", text);
        assert_int_equal(run("run"), 3);
        contains(result.err, "thalweg-project.yaml");
        contains(result.err, rows[i].words);
    }
    assert_false(exists("out"));
    write_text("thalweg-project.yaml", "thalweg-project: 1\nrecipes: [none.yaml, no/*.yaml]\n");
    assert_int_equal(run("run"), 3);
    contains(result.err, "thalweg-project.yaml:2:11: error: there is no file none.yaml");
    write_text("thalweg-project.yaml", "thalweg-project: 1\nrecipes: [no/*.yaml]\n");
    assert_int_equal(run("run"), 3);
    contains(result.err, "thalweg-project.yaml:2:11: warning: 'no/*.yaml' matches no file");
    contains(result.err, "error: the project has no recipe");
    assert_int_equal(unlink("thalweg-project.yaml"), 0);
    assert_int_equal(run("run"), 2);
    contains(result.err, "or a thalweg-project.yaml here or above");
}

/* A project may come from anyone. */
static void a_link_does_not_lead_exports_away(void **state)
{
    (void)state;
    mkdir("away", 0777);
    assert_int_equal(mkdir("inside", 0777), 0);
    assert_int_equal(rename("levels", "inside/levels"), 0);
    assert_int_equal(rename("thalweg-project.yaml", "inside/thalweg-project.yaml"), 0);
    assert_int_equal(symlink("../away", "inside/out"), 0);
    assert_int_equal(run_in("inside", "run"), 3);
    contains(result.err, "lies outside of the project's folder");
    assert_false(exists("away/levels"));
    assert_int_equal(run_in("inside", "run -q -o out/{folder}"), 0); /* as the user says */
    assert_true(exists("away/levels/00/height.png"));
}

/* A recipe behind a link would be listed and then take none of the project's settings. */
static void links_to_folders_are_not_followed(void **state)
{
    (void)state;
    assert_int_equal(symlink("levels", "linked"), 0);
    write_text("thalweg-project.yaml", "thalweg-project: 1\nout: out/{folder}\n"
                                       "recipes: [linked/**/terrain.yaml, levels/03/*.yaml]\n");
    assert_int_equal(run("run"), 0);
    expect_last("1 recipe: 2 exports written, 0 unchanged");
    contains(result.err, "'linked/**/terrain.yaml' matches no file");
}

static void the_last_line_names_what_failed(void **state)
{
    (void)state;
    edit("levels/03/terrain.yaml", "noise.perlin", "noise.perlim");
    assert_int_equal(run("run -q"), 3);
    expect_last("1 of 40 failed: levels/03/terrain.yaml:5:18 there is no node type "
                "'noise.perlim'; 0 exports written, 0 unchanged");
    edit("levels/03/terrain.yaml", "noise.perlim", "noise.perlin");
    assert_int_equal(run("lock -q"), 0);
    edit("levels/03/terrain.yaml", "talus: 4", "talus: 30");
    edit("levels/09/terrain.yaml", "talus: 10", "talus: 1");
    edit("levels/12/terrain.yaml", "range: [-1, 2]", "range: [0, 0.1]");
    assert_int_equal(unlink("levels/20/terrain.yaml.lock"), 0);
    assert_int_equal(run("verify --json"), 4);
    const char *line = last_line(result.err);
    contains(line, "2 of 40 failed: levels/12/terrain.yaml");
    contains(line, ", levels/20/terrain.yaml; 36 as locked, 2 differ: levels/03/terrain.yaml, "
                   "levels/09/terrain.yaml");
    assert_int_equal(run("run -q"), 4);
    contains(last_line(result.out), "1 of 40 failed: levels/12/terrain.yaml:8:10 heights run from");
    contains(last_line(result.out), "; 79 exports written, 0 unchanged");
}

/* The entry of a recipe in what --json printed last. */
static json_t *json_recipe(json_t *document, size_t i)
{
    return json_array_get(json_object_get(document, "recipes"), i);
}

static void each_recipe_has_its_time_and_nodes(void **state)
{
    (void)state;
    for (int turn = 0; turn < 2; turn++) { /* the second finds all in the cache */
        assert_int_equal(run("run levels/03/terrain.yaml levels/04/terrain.yaml --json"), 0);
        json_t *document = json_loads(result.out, 0, NULL);
        for (size_t i = 0; i < 2; i++) {
            json_t *recipe = json_recipe(document, i);
            assert_int_equal(json_integer_value(json_object_get(recipe, "needed")), 2);
            assert_int_equal(json_integer_value(json_object_get(recipe, "computed")), turn ? 0 : 2);
            double seconds = json_real_value(json_object_get(recipe, "seconds"));
            assert_true(turn ? seconds == 0 : seconds > 0);
        }
        json_decref(document);
    }
    assert_int_equal(run("run levels/05/terrain.yaml --format junit"), 0);
    contains(result.out, "skipped=\"0\" time=\"0.");
    contains(result.out, "name=\"recipe\" time=\"0.");
}

/* As CI shows them: both in one file. */
static void outputs_come_in_order(void **state)
{
    static const char *const lines[] = {"\n100 % ", "\nout/levels/03/height.png\n",
                                        "\nlevels/04/terrain.yaml: 2 of 2 nodes computed, ",
                                        "\n2 recipes: 4 exports written, 0 unchanged\n"};
    (void)state;
    assert_int_equal(system(TW_COMMAND " run levels/03/terrain.yaml levels/04/terrain.yaml "
                                       "--cache-dir cache > log 2>&1"),
                     0);
    char *log = read_text("log");
    const char *at = log;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        contains(at, lines[i]);
        at = strstr(at, lines[i]) + 1;
    }
    assert_string_equal(strchr(at, '\n'), "\n"); /* the last */
    free(log);
}

/* What `cache`, `doctor` and `serve` say is about the cache that `run` uses. */
static void its_cache_is_that_of_every_command(void **state)
{
    (void)state;
    edit("thalweg-project.yaml", "out:", "cache: {dir: own/cache, size: 900M}\nout:");
    assert_int_equal(run("run levels/03/terrain.yaml"), 0);
    assert_int_equal(run("cache stats --json"), 0);
    contains(result.out, "own/cache\"");
    lacks(result.out, "\"entries\":0");
    assert_int_equal(run_in("levels/03", "doctor"), 0);
    contains(result.out, "own/cache");
    contains(result.out, "thalweg-project.yaml");
    assert_int_equal(run("cache clear"), 0);
    assert_int_equal(run("run levels/03/terrain.yaml --json"), 0);
    contains(result.out, "\"computed\"");
    assert_int_equal(run("cache stats --cache-dir elsewhere"), 0);
    contains(result.out, "elsewhere");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        PROJECT_TEST(commands_without_a_recipe_take_the_project),
        PROJECT_TEST(the_nearest_file_is_found_from_below),
        PROJECT_TEST(a_named_recipe_takes_settings_of_its_own_project),
        PROJECT_TEST(what_is_no_recipe_is_skipped),
        PROJECT_TEST(outputs_get_folders_of_their_own),
        PROJECT_TEST(faults_have_their_place),
        PROJECT_TEST(a_link_does_not_lead_exports_away),
        PROJECT_TEST(links_to_folders_are_not_followed),
        PROJECT_TEST(the_last_line_names_what_failed),
        PROJECT_TEST(each_recipe_has_its_time_and_nodes),
        PROJECT_TEST(outputs_come_in_order),
        PROJECT_TEST(its_cache_is_that_of_every_command),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
