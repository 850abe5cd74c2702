/* SPDX-License-Identifier: MIT */
/* Links to files that hold secrets, as whoever wrote a recipe may have left them: with --untrusted,
 * in revisions and for locks one that leads out of its folder is refused, and no error shows a word
 * of what any link leads to. */
#include "support/command.h"
#include "support/gate.h"

#include "base/os/process.h"

#include <limits.h>
#include <sys/stat.h>

#define SECRET "hunter2"

static const char good[] = "thalweg: 1\nsize: 16\nnodes:\n  a: {type: noise.midpoint}\n"
                           "outputs: {h: a}\nexport: {h.npy: h}\n";
static const char experiment[] = "thalweg-experiment: 1\nrecipe: good.yaml\nseeds: [1, 2]\n"
                                 "measure: [h.mean]\nvariants: {a: {}}\n";

/* What a file that is none of ours may be: errors of each would quote it. */
static const char *const secrets[] = {
    "PASSWORD=" SECRET "\n",
    SECRET ": hunter2\n",
    "thalweg: 1\nnodes: {" SECRET ": {type: " SECRET "}}\noutputs: {h: " SECRET "}\n",
    "thalweg: 1\nparams: {" SECRET ": 2}\n" SECRET
    "s: 1\nnodes: {a: {type: noise.perlin, seed: " SECRET "}}\noutputs: {h: a}\n",
    "thalweg: 1\ninputs: {" SECRET ": heightmap, " SECRET "2: mask}\nnodes: {" SECRET
    "3: {type: noise.perlin}}\noutputs: {" SECRET ": " SECRET "}\n",
    "thalweg-experiment: 1\nrecipe: " SECRET "\nseeds: " SECRET "\n",
    "thalweg-lock: 1\n" SECRET ": 1\n",
    "{\"schema\": \"thalweg.sidecar/1\", \"width\": " SECRET "}\n",
    "{\"" SECRET "\" " SECRET "}\n",
    "ncols " SECRET "\nnrows 2\n",
    "0 " SECRET " 1 red\n",
};

static void use_file(const char *name, const char *nodes)
{
    char text[400];
    snprintf(text, sizeof text, "thalweg: 1\nsize: 16\nnodes: {%s}\noutputs: {h: a}\n", nodes);
    write_text(name, text);
}

/* All that a command may have read through `target`, a file of this folder or of the one above. */
static void point_links_at(const char *target)
{
    static const char *const names[] = {"link.yaml", "linked.yaml.lock", "link.asc", "link.npy",
                                        "link.cpt",  "map.r16.json",     "link.json"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        (void)unlink(names[i]);
        assert_int_equal(symlink(target, names[i]), 0);
    }
    write_text("linked.yaml", good);
    write_text("map.r16", "0123456789abcdef0123456789abcdef");
    use_file("part.yaml", "a: {type: ./link.yaml}");
    use_file("parted.yaml", "a: {type: ./link.yaml, x: 1}");
    use_file("fed.yaml", "b: {type: noise.perlin}, a: {type: ./link.yaml, in: b.none}");
    use_file("repeated.yaml", "a: {type: ./link.yaml, repeat: 3}");
    use_file("asc.yaml", "a: {type: source.heightmap, file: link.asc}");
    use_file("npy.yaml", "a: {type: source.heightmap, file: link.npy}");
    use_file("raw.yaml", "a: {type: source.heightmap, file: map.r16}");
    use_file("cpt.yaml",
             "b: {type: noise.midpoint}, a: {type: render.colour, in: b, ramp: link.cpt}");
    write_text("part-experiment.yaml",
               "thalweg-experiment: 1\nrecipe: link.yaml\nseeds: [1, 2]\nmeasure: [h.mean]\n"
               "variants: {a: {}}\n");
    write_text("experiment.yaml", experiment);
}

static const char *const commands[] = {
    "check link.yaml --untrusted",
    "check link.yaml --untrusted --json",
    "check link.yaml --untrusted --format sarif",
    "check good.yaml link.yaml --untrusted --format github",
    "check folder/link.yaml --untrusted",
    "graph link.yaml --untrusted",
    "run link.yaml --untrusted",
    "run link.yaml --untrusted --events -",
    "run link.yaml --untrusted --json",
    "lock link.yaml --untrusted",
    "check part.yaml --untrusted",
    "check parted.yaml --untrusted",
    "check fed.yaml --untrusted",
    "check repeated.yaml --untrusted",
    "check link.yaml --untrusted --set x=1",
    "run asc.yaml --untrusted",
    "run npy.yaml --untrusted",
    "run raw.yaml --untrusted",
    "check cpt.yaml --untrusted",
    "compare link.yaml --untrusted",
    "compare part-experiment.yaml --untrusted",
    "judge link.yaml --untrusted",
    "judge experiment.yaml --answers link.json --untrusted",
    "verify linked.yaml",
    "verify linked.yaml --json",
    "verify linked.yaml --untrusted",
    "diff link.yaml good.yaml --untrusted",
    "diff map.r16 map.r16 --untrusted",
    "diff link.npy link.npy --untrusted",
    "diff link.asc link.asc --untrusted",
};

static void expect_refusal(const char *command)
{
    int code = run(command);
    if (code == 0 || code > 4)
        fail_msg("%s: ended with %d", command, code);
    if (strstr(result.out, SECRET) || strstr(result.err, SECRET))
        fail_msg("%s: shows the secret:\n%s%s", command, result.out, result.err);
}

static void no_command_shows_what_a_link_leads_to(void **state)
{
    (void)state;
    for (size_t s = 0; s < sizeof secrets / sizeof *secrets; s++) {
        write_text("../secret", secrets[s]);
        write_text("secret", secrets[s]);
        for (int outside = 0; outside < 2; outside++) {
            point_links_at(outside ? "../secret" : "secret");
            for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
                expect_refusal(commands[i]);
        }
    }
}

static void what_leads_out_is_refused_by_name(void **state)
{
    (void)state;
    write_text("../secret", good);
    point_links_at("../secret");
    assert_int_equal(run("run link.yaml --untrusted"), 3);
    contains(result.err, "link.yaml: a link leads out of its folder");
    assert_int_equal(run("verify linked.yaml"), 3);
    contains(result.err, "linked.yaml.lock: a link leads out of its folder");
    assert_int_equal(run("check part.yaml --untrusted"), 3);
    contains(result.err, "link.yaml lies outside the recipe's folder");
    point_links_at("../none"); /* not even that there is none */
    assert_int_equal(run("run link.yaml --untrusted"), 3);
    contains(result.err, "link.yaml: a link leads out of its folder");
    lacks(result.err, "No such file");
}

/* They are of use, and without --untrusted errors quote as ever. */
static void links_within_the_folder_work(void **state)
{
    (void)state;
    point_links_at("good.yaml");
    assert_int_equal(run("run link.yaml --untrusted -o out"), 0);
    assert_int_equal(run("check part.yaml --untrusted"), 0);
    write_text("secret", secrets[0]);
    point_links_at("secret");
    assert_int_equal(run("check link.yaml --untrusted"), 3);
    contains(result.err,
             "link.yaml: error: what is wrong here is not shown, as a link leads to the "
             "file\n");
    assert_int_equal(run("check link.yaml"), 3);
    contains(result.err, SECRET);
    assert_int_equal(run("check secret --untrusted"), 3);
    contains(result.err, SECRET);
}

static bool git(const char *first, const char *second, const char *third)
{
    struct tw_bytes output = {0};
    const char *const arguments[] = {"git", "-c",   "user.name=a", "-c", "user.email=a@example.org",
                                     first, second, third,         NULL};
    bool ok = tw_process_run(arguments, "GIT_CONFIG_GLOBAL=/dev/null", &output);
    free(output.at);
    return ok;
}

static void revisions_show_nothing_either(void **state)
{
    char absolute[PATH_MAX];
    (void)state;
    if (!git("init", "-q", NULL)) {
        print_message("git cannot run here\n");
        return;
    }
    for (size_t s = 0; s < sizeof secrets / sizeof *secrets; s++) {
        write_text("../secret", secrets[s]);
        write_text("secret", secrets[s]);
        for (int outside = 0; outside < 2; outside++) {
            assert_non_null(realpath("../secret", absolute));
            point_links_at(outside ? absolute : "secret");
            assert_true(git("add", "-A", ".") && git("commit", "-qm", "a"));
            expect_refusal("diff HEAD:link.yaml good.yaml");
            expect_refusal("diff --untrusted HEAD:link.yaml good.yaml");
            expect_refusal("diff HEAD:part.yaml good.yaml --json");
            expect_refusal("diff good.yaml HEAD:raw.yaml");
        }
    }
    expect_refusal("diff good.yaml HEAD:link.yaml");
    contains(result.err, "HEAD:link.yaml: a link leads out of its folder");
}

static int enter(void **state)
{
    command_set_up(state);
    assert_int_equal(mkdir("box", 0777), 0);
    assert_int_equal(chdir("box"), 0);
    write_text("good.yaml", good);
    return symlink(".", "folder");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_command_shows_what_a_link_leads_to),
        cmocka_unit_test(what_leads_out_is_refused_by_name),
        cmocka_unit_test(links_within_the_folder_work),
        cmocka_unit_test(revisions_show_nothing_either),
    };
    return cmocka_run_group_tests(tests, enter, command_tear_down);
}
