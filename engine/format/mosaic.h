/* SPDX-License-Identifier: MIT */
/* A map in several files that lie beside each other, named by a pattern such as `tiles/x*.tif`:
 * which files they are, where each lies, and the rows of all of them as one. Files are untrusted:
 * their number and sizes are bounded before memory is taken for cells. */
#ifndef TW_ENGINE_FORMAT_MOSAIC_H
#define TW_ENGINE_FORMAT_MOSAIC_H

#include "base/memory/arena.h"
#include "format/format.h"
#include "format/raw_layout.h"

#define TW_MOSAIC_TILES_MAX 4096
#define TW_MOSAIC_BYTES_MAX ((uint64_t)1 << 36) /* of all files */

struct tw_mosaic_tile {
    const char *name; /* relative to the recipe's folder, as messages show it */
    const char *path;
    int32_t number; /* in the order of names */
    const struct tw_format *format;
    struct tw_file_facts facts;
    struct tw_raw_layout layout;
    struct tw_georeference at;
    bool has_place;      /* `at` is known */
    bool by_rows;        /* otherwise the file is decoded whole */
    uint64_t bytes;      /* of the file */
    uint64_t held;       /* bytes in memory while it is read */
    int32_t column, row; /* numbers in the name, where tiles have no places */
    int32_t x, y;        /* of its north-west cell, in the whole map */
};

struct tw_mosaic {
    struct tw_arena arena;
    struct tw_mosaic_tile *tiles; /* by name, after tw_mosaic_open() from north to south */
    int32_t count;
    const char *pattern;
    struct tw_file_wish wish;
    struct tw_file_facts facts; /* of the whole map */
    struct tw_georeference at;
    bool has_place;
    bool must_agree; /* cells that two files have are expected to be equal */
    int32_t window;  /* rows that are in memory at a time */
    uint64_t bytes;  /* of all files */
    uint64_t held;   /* bytes in memory while they are read */
};

/* Returns whether a file's name stands for several: there is a `*` behind its last slash. */
bool tw_mosaic_is(const char *name);
/* Returns whether a pattern names a file; the folders of both are compared byte by byte. */
bool tw_mosaic_fits(const char *pattern, const char *path);
/* Returns a number that changes with the names of the files that a pattern, from the working
 * folder, names; 0: there are none. */
uint64_t tw_mosaic_names(const char *pattern);

/* Lists the files of a pattern, by name; symbolic links are left out. Their count and sizes are
 * within the limits, each lies in the allowed folders. TW_INPUT or TW_LIMIT, tw_mosaic_release() in
 * any case. */
enum tw_status tw_mosaic_find(const struct tw_raw_place *place, struct tw_mosaic *mosaic,
                              struct tw_error *err);

/* Finds the files, reads the head of each and places them. TW_INPUT with the name of the file that
 * does not fit to the others. */
enum tw_status tw_mosaic_open(const struct tw_raw_place *place, const struct tw_raw_given *given,
                              struct tw_file_wish wish, struct tw_mosaic *mosaic,
                              struct tw_error *err);

/* Computes the digest of all names, layouts and bytes, of files that tw_mosaic_find() listed. */
enum tw_status tw_mosaic_sha256(const struct tw_raw_place *place, const struct tw_raw_given *given,
                                const struct tw_mosaic *mosaic, struct tw_sha256 *digest,
                                struct tw_error *err);

/* Gives the rows of the whole map from north to south; a cell that no file has a height for is NaN.
 * Of cells that several files have, that of the northernmost counts, then of the westernmost.
 * `digest` becomes that of tw_mosaic_sha256(). */
enum tw_status tw_mosaic_read_rows(const struct tw_mosaic *mosaic, const struct tw_row_sink *sink,
                                   struct tw_sha256 *digest, struct tw_error *err);

void tw_mosaic_release(struct tw_mosaic *mosaic);

/* mosaic_place.c: places opened tiles beside each other, by their corners or the numbers in their
 * names, and sets the facts of the whole. */
enum tw_status tw_mosaic_place(struct tw_mosaic *mosaic, const struct tw_file_layout *given,
                               struct tw_error *err);
/* mosaic_name.c: finds the numbers in "land_x3_y0.png", "land_y0_x3.png" or "land_3_0.png". */
bool tw_mosaic_numbers(const char *name, int32_t *column, int32_t *row);
/* mosaic_read.c: adds a file to the digest of all. */
void tw_mosaic_add_digest(struct tw_sha256_state *state, const struct tw_mosaic_tile *tile,
                          const struct tw_sha256 *bytes);
/* mosaic_find.c: puts the file's name before a message that lacks it. */
enum tw_status tw_mosaic_blame(const struct tw_mosaic_tile *tile, enum tw_status status,
                               struct tw_error *err);

#endif
