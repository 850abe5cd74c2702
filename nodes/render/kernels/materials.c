/* SPDX-License-Identifier: MIT */
/* Names are the mood's tints, and what no mood has. The colours are our own. */
#include "render/kernels/materials.h"

#include "render/kernels/tone.h"

enum { NAME, RED, GREEN, BLUE, GRAIN, BUMP, RAGGED, COLUMNS };
#define LEFT_OUT (-1)

/* The first TW_TINTS words are those of enum tw_tint. */
#define NAMES                                                                                      \
    "flat|meadow|dry|patch|forest|scree|rock|dark_rock|snow|beach|bed|water|road|field|ash|lava|"  \
    "sand"
static const uint8_t others[][3] = {
    {152, 140, 120}, {144, 134, 94}, {76, 71, 69}, {214, 72, 20}, {222, 192, 146}};
enum { NAMED = TW_TINTS + (int)(sizeof others / sizeof *others) };

const struct tw_column tw_material_columns[] = {
    {"name", LEFT_OUT, 0, NAMED - 1, false, NAMES, "a colour of the mood's or of all moods"},
    {"red", LEFT_OUT, 0, 255, false, "", "of a colour of its own, instead of a name"},
    {"green", LEFT_OUT, 0, 255, false, "", "of a colour of its own, instead of a name"},
    {"blue", LEFT_OUT, 0, 255, false, "", "of a colour of its own, instead of a name"},
    {"grain", 1, 0, 4, false, TW_UNIT_SHARE, "how much its colour varies"},
    {"bump", 1, 0, 4, false, TW_UNIT_SHARE, "its roughness, of the mood's"},
    {"ragged", 1, 0, 4, false, TW_UNIT_SHARE, "how much noise frays its border"},
    TW_COLUMN_END,
};

struct tw_rule tw_materials_check(const struct tw_table *rows)
{
    for (int32_t i = 0; i < rows->rows; i++) {
        const float *row = rows->at + (size_t)i * COLUMNS;
        const bool named = row[NAME] >= 0;
        for (int k = RED; k <= BLUE; k++)
            if (named == (row[k] >= 0))
                return TW_RULE_OF_ROW("materials", i + 1, tw_material_columns[k].name,
                                      named ? "either a name or red, green and blue"
                                            : "a name, or all of red, green and blue");
    }
    return TW_RULES_HOLD;
}

static struct tw_rgb colour_of(const float *row, const struct tw_palette *palette)
{
    const int32_t name = (int32_t)row[NAME];
    if (name < 0)
        return tw_rgb_from_srgb(row[RED], row[GREEN], row[BLUE]);
    return name < TW_TINTS ? palette->at[name] : tw_mood_colour(others[name - TW_TINTS]);
}

enum tw_status tw_layers_fill(struct tw_task *task, int first, const struct tw_table *rows,
                              enum tw_mood mood, struct tw_layers *layers)
{
    const struct tw_palette palette = tw_mood_palette(mood);
    layers->count = tw_task_input_count(task) - first;
    if (layers->count != rows->rows)
        return tw_task_fail(task,
                            "layers has %d mask%s and materials %d row%s; expected a row for each "
                            "mask",
                            (int)layers->count, layers->count == 1 ? "" : "s", (int)rows->rows,
                            rows->rows == 1 ? "" : "s");
    for (int32_t i = 0; i < layers->count; i++) {
        const float *row = rows->at + (size_t)i * COLUMNS;
        layers->masks[i] = tw_floats(tw_task_input(task, first + i));
        layers->materials[i] =
            (struct tw_material){colour_of(row, &palette), row[GRAIN], row[BUMP], row[RAGGED]};
    }
    return TW_OK;
}
