/* SPDX-License-Identifier: MIT */
/* The `.json` next to a file: what its numbers mean, where it comes from, and what to type into an
 * engine. */
#ifndef TW_ENGINE_FORMAT_SIDECAR_H
#define TW_ENGINE_FORMAT_SIDECAR_H

#include "format/preset.h"

#define TW_SIDECAR_SCHEMA "thalweg.sidecar/1"

/* The place of a tile in its map, counted from the north-west. */
struct tw_sidecar_tile {
    int32_t x, y, column, row, columns, rows; /* columns 0: the whole map */
    int32_t map_width, map_height;
};

/* Describes a file written from `encoding`, with a settled range, in `format`. */
struct tw_sidecar {
    const char *file; /* without folders */
    const struct tw_format *format;
    const struct tw_encoding *encoding;
    const struct tw_preset *preset; /* may be NULL */
    struct tw_sidecar_tile tile;
};

/* Appends the JSON text. TW_NODE if encoding the file itself would fail with it. */
enum tw_status tw_sidecar_print(const struct tw_sidecar *sidecar, struct tw_bytes *out,
                                struct tw_error *err);
/* Appends the JSON text with a known digest of what a reader of the file gets: the value needs no
 * cells, and what only they give, such as the triangles of a mesh, is left out. */
enum tw_status tw_sidecar_print_known(const struct tw_sidecar *sidecar,
                                      const struct tw_sha256 *content, struct tw_bytes *out,
                                      struct tw_error *err);

/* sidecar_schema.c: returns the JSON Schema of sidecars; NULL when out of memory. */
struct json_t *tw_sidecar_schema(void);

/* The members of a sidecar that are needed to read and check the file. */
struct tw_sidecar_facts {
    char path[4096]; /* path of the sidecar */
    char sha256[65], recipe[256], engine[64], preset[32];
    int32_t width, height;
    int bits;     /* bits per cell of a file without a header; else 0 */
    bool flipped; /* rows from south to north */
    bool mask;    /* shares, which are not in metres */
    bool ranged;  /* low and high are the heights of level 0 and the greatest level */
    double low, high;
    double cell_m, height_m, sea_m; /* 0 if missing */
    double metres_of_1;             /* for a file of floats; 0 if missing */
};

/* Finds the sidecar of a file: `file.json`, else the name with .json in place of its ending. *found
 * is false if there is none, or only a .json that is something else. Errors as for
 * tw_sidecar_is_of(). */
enum tw_status tw_sidecar_find(const char *file, char path[4096], bool *found,
                               struct tw_error *err);
/* TW_PATH if a link out of its folder leads to the file or to its possible sidecar. Sets *linked if
 * any link does. */
enum tw_status tw_sidecar_check_links(const char *file, bool *linked, struct tw_error *err);
/* Determines whether the file at `path` is the sidecar of `file`, rather than missing, another
 * .json, or a sidecar of another format. A damaged file counts as the sidecar, so that reading it
 * reports the damage, if it is `named` file.json, if it identifies itself as a sidecar, or if
 * `file` has no header and cannot be read without it. TW_MEMORY or TW_IO if it cannot be
 * determined: without its sidecar the file's numbers would mean something else. */
enum tw_status tw_sidecar_is_of(const char *path, const char *file, bool named, bool *is,
                                struct tw_error *err);
/* TW_INPUT if it is not a sidecar, or a member needed for reading is invalid; TW_MEMORY, TW_IO or
 * TW_LIMIT if it cannot be read. Messages quote nothing of it. */
enum tw_status tw_sidecar_read(const char *path, struct tw_sidecar_facts *facts,
                               struct tw_error *err);

/* Returns the height that a float of 1 means: 1, except in a file in metres. */
float tw_sidecar_height_of_1(const struct tw_sidecar_facts *facts);

/* The sidecar's format as an export; tw_format_recognise() never returns it. */
extern const struct tw_format tw_format_sidecar;

#endif
