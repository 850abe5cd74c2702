/* SPDX-License-Identifier: MIT */
/* Functions on the rows of presets.c; and the options of `tiles:`. */
#include "format/preset.h"

#include <stdio.h>
#include <string.h>

const struct tw_param tw_tiling_options[] = {
    TW_PARAM_I32(struct tw_tiling, cells, 0, 0, TW_SIDE_MAX, TW_UNIT_CELLS,
                 "a tile's side; required"),
    TW_PARAM_BOOL(struct tw_tiling, share_edge, false,
                  "neighbours have a row or column of cells in common, as meshes need it"),
    TW_PARAM_I32(struct tw_tiling, origin, 0, 0, 1, "", "number of the first tile"),
    TW_PARAM_BOOL(struct tw_tiling, flip_y, false, "y counts from the south, not from the north"),
    TW_PARAM_END,
};

static const struct {
    const char *name, *pattern;
} patterns[] = {{"unreal", "_x%x%_y%y%"}, {"unity", "_%x%_%y%"}, {"gaea", "_y%y%_x%x%"}};
enum { PATTERNS = sizeof patterns / sizeof patterns[0] };

const char *tw_tiling_pattern(const char *name)
{
    for (int i = 0; i < PATTERNS; i++)
        if (strcmp(patterns[i].name, name) == 0)
            return patterns[i].pattern;
    return NULL;
}

void tw_tiling_list(char *text, size_t size)
{
    text[0] = 0;
    for (int i = 0; i < PATTERNS; i++) {
        size_t used = strlen(text);
        snprintf(text + used, size - used, "%s%s",
                 i == 0              ? ""
                 : i == PATTERNS - 1 ? " or "
                                     : ", ",
                 patterns[i].name);
    }
}

const struct tw_preset *tw_preset_find(const char *name)
{
    for (const struct tw_preset *const *preset = tw_presets; *preset; preset++)
        if (strcmp((*preset)->name, name) == 0)
            return *preset;
    return NULL;
}

const char *tw_preset_setting(const struct tw_preset *preset, const char *ending,
                              const char *option)
{
    for (const struct tw_preset_setting *s = preset ? preset->settings : NULL; s && s->ending; s++)
        if (strcmp(s->ending, ending) == 0 && strcmp(s->option, option) == 0)
            return s->value;
    return NULL;
}

bool tw_preset_takes(const char *endings, const char *ending)
{
    size_t length = strlen(ending);
    for (const char *at = endings; at && *at; at += strspn(at, " ")) {
        size_t word = strcspn(at, " ");
        if (word == length && strncmp(at, ending, length) == 0)
            return true;
        at += word;
    }
    return false;
}

bool tw_preset_fits(const struct tw_preset *preset, int32_t side, int32_t *below, int32_t *above)
{
    *below = *above = 0;
    if (preset->step > 0) {
        int32_t whole = (side - 1) / preset->step * preset->step + 1;
        *below = whole > 1 ? whole : 0;
        *above = whole + preset->step;
        return side == whole && side > 1;
    }
    for (const int32_t *size = preset->sizes; size && *size; size++) {
        if (*size == side)
            return true;
        if (*size < side)
            *below = *size;
        else if (*above == 0)
            *above = *size;
    }
    return !preset->sizes;
}

void tw_advice_print(const struct tw_advice *advice, char *text, size_t size)
{
    text[0] = 0;
    for (int i = 0; i < advice->count; i++) {
        size_t used = strlen(text);
        snprintf(text + used, size - used, "%s%s %s", i ? "; " : "", advice->at[i].name,
                 advice->at[i].text);
    }
}
