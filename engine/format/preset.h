/* SPDX-License-Identifier: MIT */
/* Requirements of game engines: `for:` of an export. One row of presets.c holds everything about an
 * engine; the loader, its messages, the JSON Schema, sidecars and docs/recipes.md are made from
 * it. */
#ifndef TW_ENGINE_FORMAT_PRESET_H
#define TW_ENGINE_FORMAT_PRESET_H

#include "format/format.h"

/* How a map is split into several files; the rows of `tiles:` are tw_tiling_options. */
struct tw_tiling {
    int32_t cells;   /* side of a tile */
    bool share_edge; /* neighbouring tiles share a row or column of cells */
    int32_t origin;  /* number of the first tile, 0 or 1 */
    bool flip_y;     /* y counts from the south; false: from the north */
    const char *pattern;
};
extern const struct tw_param tw_tiling_options[];
/* Returns the name pattern of a program, or NULL. */
const char *tw_tiling_pattern(const char *name);
/* Prints the programs, as in "unreal, unity or gaea". */
void tw_tiling_list(char *text, size_t size);

/* A value that an engine requires for an option of a format. */
struct tw_preset_setting {
    const char *ending, *option, *value;
};

/* What to type into the engine's dialogs, derived from the first value's type and size, the settled
 * range, and the world. */
struct tw_advice {
    struct {
        const char *name;
        char text[64];
        double numbers[2]; /* the text's, where it consists of numbers */
        int number_count;  /* 0, 1 or 2 */
    } at[8];
    int count;
};

struct tw_preset {
    const char *name;
    const char *help;         /* what the preset sets and requires, in Markdown */
    const char *endings;      /* endings it loads as heights: ".png .r16" */
    const char *mask_endings; /* endings it loads as masks; NULL: none */
    const char *refuses;      /* an ending that seems right but is not, or NULL */
    const char *reason;       /* why it is refused */
    const int32_t *sizes;     /* allowed sides in cells, ascending, ended by 0; NULL: see step */
    int32_t step;             /* sides are multiples of step plus 1; 0: any side */
    bool square;
    const struct tw_preset_setting *settings; /* ends with an entry without a name; NULL: none */
    struct tw_range (*range)(const struct tw_world *world); /* range of heights; NULL: 0 to 1 */
    struct tw_tiling tiling; /* defaults of `tiles:`; cells 0: no default */
    bool stem_sidecar;       /* its importer reads name.json for name.raw; else name.raw.json */
    void (*advise)(const struct tw_format *format, const struct tw_encoding *encoding,
                   struct tw_advice *advice);
};

extern const struct tw_preset *const tw_presets[]; /* ends with NULL */
const struct tw_preset *tw_preset_find(const char *name);
/* Returns the required value of a format's option, or NULL. */
const char *tw_preset_setting(const struct tw_preset *preset, const char *ending,
                              const char *option);
/* Returns whether a blank-separated list of endings contains this one. */
bool tw_preset_takes(const char *endings, const char *ending);
/* Returns whether the engine loads maps of this side; if not, sets the nearest smaller and larger
 * sides that it loads, 0 if there is none. */
bool tw_preset_fits(const struct tw_preset *preset, int32_t side, int32_t *below, int32_t *above);
/* Prints all on one line, as in "Scale X 100, Scale Z 234.4". */
void tw_advice_print(const struct tw_advice *advice, char *text, size_t size);

#endif
