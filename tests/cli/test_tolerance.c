/* SPDX-License-Identifier: MIT */
/* Tolerances of outputs, in locks and projects; where the earlier values come from; locks that are
 * written anew for new versions of nodes; and what a renamed random node says. */
#include "support/gate.h"

#include <sys/stat.h>

static void write_hills(const char *talus)
{
    char text[500];
    snprintf(text, sizeof text,
             "thalweg: 1\nsize: 32\nseed: 5\nworld: {height_m: 1000}\nnodes:\n"
             "  noise:  {type: noise.perlin, frequency: 4}\n"
             "  eroded: {type: erosion.thermal, in: noise, talus: %s, iterations: 20}\n"
             "outputs: {height: eroded}\nexport: {h.npy: height, h.png: height}\n",
             talus);
    write_text("r.yaml", text);
}

/* Locks a state, puts a tolerance into the lock, then changes the recipe a little. */
static void begin_within(const char *tolerance)
{
    char text[200];
    write_hills("1");
    assert_int_equal(run("run r.yaml -q"), 0);
    assert_int_equal(run("lock r.yaml"), 0);
    snprintf(text, sizeof text,
             "    size: [32, 32]\n    tolerance: %s\n    type: heightmap\nworld:", tolerance);
    edit("r.yaml.lock", "    size: [32, 32]\n    type: heightmap\nworld:", text);
    write_hills("1.001");
}

static void what_is_within_is_as_locked(void **state)
{
    (void)state;
    begin_within("{mean: 1 m, most: 5 m}");
    assert_int_equal(run("verify r.yaml"), 0);
    contains(result.out, "r.yaml: as locked within its tolerances\n"
                         "  height: within most 5 m, mean 1 m: at most ");
    contains(result.out, "  h.npy: follows\n    sha256 ");
    contains(result.out, " -> ");
    contains(result.out, "1 recipe: 0 as locked, 1 within tolerances, 0 differ\n");
    assert_false(exists("verify/index.html"));
    assert_int_equal(run("verify r.yaml --json"), 0);
    contains(result.out, "\"verdict\": \"within\"");
    edit("r.yaml.lock", "most: 5 m", "most: 0.000001 m");
    assert_int_equal(run("verify r.yaml"), 1);
    contains(result.out, "r.yaml: differs from r.yaml.lock");
}

static void tolerances_survive(void **state)
{
    (void)state;
    begin_within("{most: 0.0000001}");
    assert_int_equal(run("verify r.yaml --update"), 0);
    char *lock = read_text("r.yaml.lock");
    contains(lock, "    tolerance: {most: 1e-07}\n");
    free(lock);
    write_hills("2");
    assert_int_equal(run("lock r.yaml"), 0);
    lock = read_text("r.yaml.lock");
    contains(lock, "    tolerance: {most: 1e-07}\n");
    free(lock);
    edit("r.yaml.lock", "{most: 1e-07}", "{moste: 1}");
    assert_int_equal(run("verify r.yaml"), 3);
    contains(result.err, "a tolerance has no key 'moste'");
    contains(result.err, "did you mean 'most'?");
}

static void a_project_has_tolerances(void **state)
{
    (void)state;
    write_text("thalweg-project.yaml", "thalweg-project: 1\nrecipes: [r.yaml]\nout: out\n"
                                       "tolerances: {height: {most: 5 m}}\n");
    write_hills("1");
    assert_int_equal(run("lock"), 0);
    write_hills("1.001");
    assert_int_equal(run("verify"), 0);
    contains(result.out, "within most 5 m: at most ");
    edit("thalweg-project.yaml", "5 m", "0");
    assert_int_equal(run("verify"), 1);
}

/* Another version of a node cannot be computed; the values are those of an export. */
static void earlier_values_come_from_exports(void **state)
{
    (void)state;
    begin_within("{most: 5 m}");
    edit("r.yaml.lock", "type: \"erosion.thermal\"\n    version: \"",
         "type: \"erosion.thermal\"\n    version: \"77");
    assert_int_equal(run("verify r.yaml"), 0);
    contains(result.out, "height: within most 5 m: at most ");
    assert_int_equal(rename("out", "earlier"), 0);
    assert_int_equal(run("verify r.yaml"), 1);
    contains(result.out, "this engine has another version of erosion.thermal");
    contains(result.out, "tolerances need the earlier values: the cache of the engine that locked "
                         "them, a float export of the output where run writes it, or --before DIR");
    assert_int_equal(run("verify r.yaml --before earlier"), 0);
    assert_int_equal(run("run r.yaml -q -o earlier"), 0); /* has no longer the locked values */
    assert_int_equal(run("verify r.yaml --before earlier"), 1);
}

static void an_upgrade_locks_new_versions_only(void **state)
{
    (void)state;
    write_hills("1");
    assert_int_equal(run("lock r.yaml"), 0);
    edit("r.yaml.lock", "type: \"erosion.thermal\"\n    version: \"",
         "type: \"erosion.thermal\"\n    version: \"77");
    static char lock[8000];
    FILE *file = fopen("r.yaml.lock", "r");
    assert_non_null(file);
    lock[fread(lock, 1, sizeof lock - 1, file)] = 0;
    fclose(file);
    char *digest = strstr(strstr(lock, "\noutputs:"), "sha256: \"") + 9;
    digest[0] = digest[0] == 'a' ? 'b' : 'a';
    write_text("r.yaml.lock", lock);
    assert_int_equal(run("lock r.yaml --upgrade"), 0);
    contains(result.out, "r.yaml.lock: written\n  erosion.thermal: version 77");
    contains(result.out, "  height:\n    least ");
    contains(result.out, "    sha256 ");
    assert_int_equal(run("verify r.yaml"), 0);
    write_hills("2");
    assert_int_equal(run("lock r.yaml --upgrade"), 1);
    contains(result.err, "r.yaml.lock: not only versions of nodes have changed, but eroded too");
    write_hills("1");
    assert_int_equal(run("verify r.yaml"), 0);
}

static void a_renamed_node_says_why_it_differs(void **state)
{
    (void)state;
    write_hills("1");
    assert_int_equal(run("lock r.yaml"), 0);
    edit("r.yaml", "  noise: ", "  waves: ");
    edit("r.yaml", "in: noise", "in: waves");
    assert_int_equal(run("verify r.yaml"), 1);
    contains(result.out, "  first: waves (noise.perlin) is new\n"
                         "    it was noise: a random node's name is part of its seed; ");
}

/* The earlier file is taken from git. */
static void a_changed_input_has_its_earlier_map(void **state)
{
    (void)state;
    write_hills("1");
    assert_int_equal(run("run r.yaml -q"), 0);
    assert_int_equal(rename("out/h.npy", "in.npy"), 0);
    write_text("s.yaml",
               "thalweg: 1\nsize: 32\nnodes: {n: {type: source.heightmap, file: in.npy}}\n"
               "outputs: {height: n}\n");
    assert_int_equal(run("lock s.yaml"), 0);
    assert_int_equal(system("git init -q . && git add in.npy s.yaml s.yaml.lock && git -c "
                            "user.name=a -c user.email=a@b commit -q -m base"),
                     0);
    write_hills("3");
    assert_int_equal(run("run r.yaml -q"), 0);
    assert_int_equal(rename("out/h.npy", "in.npy"), 0);
    assert_int_equal(run("verify s.yaml"), 1);
    contains(result.out, "    height: ");
    contains(result.out, " of 1024 cells differ, by ");
    lacks(result.out, "cannot be computed");
    assert_true(exists("verify/s.yaml.height.before.png"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        GATE_TEST(what_is_within_is_as_locked),
        GATE_TEST(tolerances_survive),
        GATE_TEST(a_project_has_tolerances),
        GATE_TEST(earlier_values_come_from_exports),
        GATE_TEST(an_upgrade_locks_new_versions_only),
        GATE_TEST(a_renamed_node_says_why_it_differs),
        GATE_TEST(a_changed_input_has_its_earlier_map),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
