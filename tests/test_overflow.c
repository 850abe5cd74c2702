/* SPDX-License-Identifier: MIT */
/* Runs every node's example on maps of random heights so large that differences, squares and sums
 * overflow. The node must output finite values, equal in plain code and with vectors, or name the
 * output that is not finite. Sanitizers detect what a wrong comparison does to memory. Masks are
 * random cells of 0 and 1. */
#include "support/example.h"
#include "support/outcome.h"
#include "support/settings.h"

#include "node/registry.h"

static const struct {
    const char *range;
    int32_t width, height;
} grounds[] = {{"1e30", 40, 90}, {"1e30", 61, 52}, {"3e38", 40, 90}, {"3e38", 61, 52}};
enum { GROUNDS = sizeof grounds / sizeof *grounds };

static const char *const sources[TW_TYPE_COUNT][2] = {[TW_HEIGHTMAP] = {"vast", "other_vast"},
                                                      [TW_MASK] = {"dots", "other_dots"},
                                                      [TW_LABELS] = {"marks", "marks"}};

static void write_sources(const char *range, char text[SETTINGS_TEXT])
{
    snprintf(text, SETTINGS_TEXT,
             "seething: {type: noise.perlin, octaves: 12}\n"
             "wave: {type: combine.formula, a: seething, formula: \"sin(1e7 * a)\"}\n"
             "other_wave: {type: combine.formula, a: seething, formula: \"sin(2e7 * a + 1)\"}\n"
             "vast: {type: combine.formula, a: wave, formula: \"%s * a\"}\n"
             "other_vast: {type: combine.formula, a: other_wave, formula: \"%s * a\"}\n"
             "dots: {type: mask.height, in: wave, low: 0.2, high: 1, softness: 1.3}\n"
             "other_dots: {type: mask.height, in: other_wave, low: 0.2, high: 1, softness: 1.3}\n"
             "marks: {type: measure.landforms, in: wave}\n"
             "deluge: {type: combine.formula, a: wave, formula: \"%s * a * a\"}",
             range, range, range);
}

/* Names the node of write_sources() for a port; NULL if the port takes no map. Water and what it
 * carries are not below 0. */
static const char *source_of(const struct tw_port *port, int i)
{
    bool wet = strcmp(port->name, "water") == 0 || strcmp(port->name, "sediment") == 0;
    return wet && port->type == TW_HEIGHTMAP ? "deluge" : sources[port->type][i % 2];
}

/* Connects all maps that the type takes, or only the required ones; three to a port that takes
 * several. Returns their number. */
static int connect_maps(const struct tw_node_type *type, bool all, char text[SETTINGS_TEXT])
{
    char next[SETTINGS_TEXT], source[100];
    int count = 0;
    snprintf(text, SETTINGS_TEXT, "%s", type->example);
    for (int i = 0; type->inputs && type->inputs[i].name; i++) {
        const struct tw_port *port = &type->inputs[i];
        const char *name = source_of(port, i);
        if (!name || (!all && port->flags & TW_OPTIONAL))
            continue;
        snprintf(source, sizeof source, port->flags & TW_VARIADIC ? "[%s, %s, %s]" : "%s", name,
                 source_of(port, i + 1), name);
        if (settings_put(type, text, port, source, next))
            memcpy(text, next, sizeof next);
        count++;
    }
    return count;
}

static struct tw_recipe *load(const struct tw_node_type *type, int ground, bool all)
{
    char text[SETTINGS_TEXT], maps[SETTINGS_TEXT];
    struct tw_node_type changed = *type;
    connect_maps(type, all, text);
    write_sources(grounds[ground].range, maps);
    changed.example = text;
    return example_load_with(&changed, grounds[ground].width, grounds[ground].height, maps);
}

/* Allowed errors: first the engine's, then some nodes' own about such maps. */
static bool is_expected(const char *text)
{
    static const char *const refusals[] = {
        "not finite",
        "unstable: heights run from", /* erosion.gradient */
        "too large to be drawn",      /* render.perspective */
        "the camera is below the terrain",
        "to the power of 2.5 is beyond all heights", /* shape.power */
        "there is no place for a unit",              /* measure.reach */
        "no way leads from point",                   /* path.road */
        "is in a forbidden cell",                    /* path.road */
        "expected a row for each mask",              /* layers without materials */
        "expected a square",                         /* turns and diagonals of oblong maps */
    };
    bool found = !strchr(text, ':') || strstr(text, " warns: ");
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++)
        found |= strstr(text, refusals[i]) != NULL;
    return found;
}

/* Releases the recipe. */
static int run(struct tw_recipe *recipe, const struct tw_node_type *type, const char *setting)
{
    struct outcome outcome;
    outcome_find(recipe, type->name, &outcome);
    bool fault = !is_expected(outcome.text);
    if (fault || getenv("THALWEG_SHOW"))
        print_error("%s, %s: %s\n", type->name, setting, outcome.text);
    return fault;
}

/* Tries each word of each setting, since words often select another algorithm. */
static int run_words(const struct tw_node_type *type, const struct tw_param *row)
{
    int faults = 0;
    enum settings_fit change = SETTINGS_FIT;
    for (int i = 0; change != SETTINGS_OVER; i++) {
        struct tw_recipe *recipe = load(type, i % GROUNDS, true);
        change = settings_apply(recipe, type, row, i);
        if (change == SETTINGS_FIT)
            faults += run(recipe, type, row->name);
        else
            tw_recipe_release(recipe);
    }
    return faults;
}

static void vast_heights_give_values_or_words(void **state)
{
    int faults = 0;
    (void)state;
    EACH_NODE_TYPE(type)
    {
        char text[SETTINGS_TEXT];
        if (connect_maps(*type, true, text) == 0)
            continue;
        for (int i = 0; i < 2 * GROUNDS; i++)
            faults += run(load(*type, i / 2, i % 2), *type, grounds[i / 2].range);
        for (const struct tw_param *row = (*type)->params; row && row->name; row++)
            if (row->kind == TW_KIND_ENUM || row->kind == TW_KIND_BOOL)
                faults += run_words(*type, row);
    }
    assert_int_equal(faults, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(vast_heights_give_values_or_words)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
