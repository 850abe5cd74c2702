/* SPDX-License-Identifier: MIT */
#include "common/biome.h"

const struct tw_biome_row tw_biomes[TW_BIOME_COUNT] = {
    {"snow", 0.5f, 0.7f, {246, 248, 251}},
    {"tundra", 0.5f, 0.5f, {190, 192, 172}},
    {"bare", 0.4f, 0.4f, {146, 142, 138}},
    {"scorched", 0.7f, 0.3f, {92, 86, 84}},
    {"taiga", 0.4f, 0.3f, {134, 158, 120}},
    {"shrubland", 0.5f, 0.2f, {152, 162, 116}},
    {"temperate desert", 0.1f, 0.1f, {204, 198, 148}},
    {"temperate rain forest", 0.3f, 0.2f, {62, 124, 84}},
    {"deciduous forest", 0.3f, 0.4f, {96, 144, 84}},
    {"grassland", 0.4f, 0.5f, {150, 178, 94}},
    {"tropical rain forest", 0.3f, 0.2f, {44, 112, 78}},
    {"tropical seasonal forest", 0.3f, 0.2f, {84, 150, 70}},
    {"subtropical desert", 0.3f, 0.6f, {216, 188, 138}},
    {"beach", 0.3f, 0.5f, {224, 212, 168}},
    {"lake", 0.2f, 0.2f, {70, 122, 164}},
    {"ocean", 0.2f, 0.1f, {52, 84, 128}},
};

enum tw_status tw_biome_check(struct tw_task *task, const struct tw_value *labels)
{
    const int32_t *label = tw_labels(labels);
    for (size_t i = 0; i < tw_value_count(labels); i++)
        if (label[i] < 0 || label[i] >= TW_BIOME_COUNT)
            return tw_task_fail(task, "label %d is not a biome; expected 0 to %d", (int)label[i],
                                TW_BIOME_COUNT - 1);
    return TW_OK;
}
