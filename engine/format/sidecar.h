/* SPDX-License-Identifier: MIT */
/* The `.json` beside a file: what its numbers mean, where it comes from, what to type in. */
#ifndef TW_ENGINE_FORMAT_SIDECAR_H
#define TW_ENGINE_FORMAT_SIDECAR_H

#include "format/preset.h"

#define TW_SIDECAR_SCHEMA "thalweg.sidecar/1"

/* The place of a tile in its map, from the north-west. */
struct tw_sidecar_tile {
    int32_t x, y, column, row, columns, rows; /* columns 0: the whole map */
    int32_t map_width, map_height;
};

/* What is described: a file that `encoding`, settled, gives in `format`. */
struct tw_sidecar {
    const char *file; /* without folders */
    const struct tw_format *format;
    const struct tw_encoding *encoding;
    const struct tw_preset *preset; /* may be NULL */
    struct tw_sidecar_tile tile;
};

/* Appends the JSON text. TW_NODE where encoding the file itself would fail with it. */
enum tw_status tw_sidecar_print(const struct tw_sidecar *sidecar, struct tw_bytes *out,
                                struct tw_error *err);
/* The same where the digest of what a reader of the file gets is known: the value needs no cells.
 */
enum tw_status tw_sidecar_print_known(const struct tw_sidecar *sidecar,
                                      const struct tw_sha256 *content, struct tw_bytes *out,
                                      struct tw_error *err);

/* What a sidecar says, as far as reading the file and checking it need it. */
struct tw_sidecar_facts {
    char path[4096]; /* of the sidecar */
    char sha256[65], recipe[256], engine[64], preset[32];
    int32_t width, height;
    int bits;     /* a cell's, of a file without a header; else 0 */
    bool flipped; /* rows from south to north */
    bool mask;    /* shares, which no metres measure */
    bool ranged;  /* low and high are what level 0 and the greatest level mean */
    double low, high;
    double cell_m, height_m, sea_m; /* 0 where it does not say */
    double metres_of_1;             /* of a file of floats; 0 where it does not say */
};

/* The sidecar of a file: `file.json`, else the name with .json instead of its ending. *found is
 * false when there is none, or only a .json that is something else. Errors as of the next. */
enum tw_status tw_sidecar_find(const char *file, char path[4096], bool *found,
                               struct tw_error *err);
/* TW_PATH when a link out of its folder leads to a file or to what may be its sidecar. *linked: any
 * link does. */
enum tw_status tw_sidecar_check_links(const char *file, bool *linked, struct tw_error *err);
/* Whether what lies at `path` is the sidecar of `file`, rather than nothing or another .json; one
 * of a file of another format is not. What is damaged is the sidecar that it was meant to be, for
 * reading to report: if it is `named` file.json, if it says that it is a sidecar, and for a file
 * without a header, which cannot be read without. TW_MEMORY or TW_IO when that cannot be found out:
 * without it the file's numbers would mean something else. */
enum tw_status tw_sidecar_is_of(const char *path, const char *file, bool named, bool *is,
                                struct tw_error *err);
/* TW_INPUT when it is not a sidecar, or a member of it that reading needs cannot be; TW_MEMORY,
 * TW_IO or TW_LIMIT when it cannot be read. Nothing of it is in messages. */
enum tw_status tw_sidecar_read(const char *path, struct tw_sidecar_facts *facts,
                               struct tw_error *err);

/* The height that a float of 1 in its file stands for: 1 but in a file in metres. */
float tw_sidecar_height_of_1(const struct tw_sidecar_facts *facts);

/* Its format as an export; tw_format_recognise() never returns it. */
extern const struct tw_format tw_format_sidecar;

#endif
