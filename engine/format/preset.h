/* SPDX-License-Identifier: MIT */
/* What engines accept: `for:` of an export. Everything about an engine is in one row of presets.c,
 * from which the loader, its messages, the JSON Schema, sidecars and docs/recipes.md are made. */
#ifndef TW_ENGINE_FORMAT_PRESET_H
#define TW_ENGINE_FORMAT_PRESET_H

#include "format/format.h"

/* How a map becomes several files; the rows of `tiles:` are tw_tiling_options. */
struct tw_tiling {
    int32_t cells;   /* a tile's side */
    bool share_edge; /* neighbours have a row or column of cells in common */
    int32_t origin;  /* number of the first tile, 0 or 1 */
    bool flip_y;     /* y counts from the south; else from the north */
    const char *pattern;
};
extern const struct tw_param tw_tiling_options[];
/* The pattern that a program's name stands for, or NULL. */
const char *tw_tiling_pattern(const char *name);
/* "unreal, unity or gaea" */
void tw_tiling_list(char *text, size_t size);

/* A value that an engine needs for an option of a format. */
struct tw_preset_setting {
    const char *ending, *option, *value;
};

/* What to type into the engine's dialogs. It follows from the first value's type and size, the
 * range, which is settled, and the world. */
struct tw_advice {
    struct {
        const char *name;
        char text[64];
    } at[8];
    int count;
};

struct tw_preset {
    const char *name;
    const char *help;         /* what it sets and needs, in Markdown */
    const char *endings;      /* that it loads as heights: ".png .r16" */
    const char *mask_endings; /* and as masks; NULL: none */
    const char *refuses;      /* an ending that looks right and is not, or NULL */
    const char *reason;       /* why it is refused */
    const int32_t *sizes;     /* sides in cells, rising, ended by 0; NULL: see step */
    int32_t step;             /* sides are multiples of it plus 1; 0: any side */
    bool square;
    const struct tw_preset_setting *settings; /* end with an entry without a name; NULL: none */
    struct tw_range (*range)(const struct tw_world *world); /* of heights; NULL: 0 to 1 */
    struct tw_tiling tiling; /* defaults of `tiles:`; cells 0: no default */
    bool stem_sidecar; /* of name.raw name.json, which its importer reads; else name.raw.json */
    void (*advise)(const struct tw_format *format, const struct tw_encoding *encoding,
                   struct tw_advice *advice);
};

extern const struct tw_preset *const tw_presets[]; /* ends with NULL */
const struct tw_preset *tw_preset_find(const char *name);
/* The setting of a format's option, or NULL. */
const char *tw_preset_setting(const struct tw_preset *preset, const char *ending,
                              const char *option);
/* Whether a blank-separated list of endings has this one. */
bool tw_preset_takes(const char *endings, const char *ending);
/* Whether it loads maps of this side; else the nearest sides below and above that it loads, 0 where
 * there is none. */
bool tw_preset_fits(const struct tw_preset *preset, int32_t side, int32_t *below, int32_t *above);
/* "Scale X 100, Scale Z 234.4": all on one line. */
void tw_advice_print(const struct tw_advice *advice, char *text, size_t size);

#endif
