/* SPDX-License-Identifier: MIT */
/* What a file without a header does not contain: its size, the order of rows and of a number's
 * bytes, and the meaning of its levels. A recipe, a command line or the sidecar supplies it. For a
 * file with a header the sidecar gives the meaning of its levels. */
#ifndef TW_ENGINE_FORMAT_RAW_LAYOUT_H
#define TW_ENGINE_FORMAT_RAW_LAYOUT_H

#include "format/sidecar.h"

/* Values given explicitly, which override the sidecar. */
struct tw_raw_given {
    struct tw_file_layout layout;
    const char *how; /* how to give them, for messages: "--size WxH"; NULL: impossible */
};

/* Settles the layout of a file of `length` bytes; `sidecar` is NULL if there is none. TW_INPUT with
 * what is missing or impossible; messages begin with `name`. */
enum tw_status tw_raw_layout_settle(const struct tw_format *format, const char *name,
                                    const struct tw_raw_given *given,
                                    const struct tw_sidecar_facts *sidecar, uint64_t length,
                                    struct tw_raw_layout *layout, struct tw_error *err);

/* Settles the layout of a file by its format's describe(); `header` is the path of its header file,
 * or "". */
enum tw_status tw_raw_layout_describe(const struct tw_format *format, const char *name,
                                      const struct tw_raw_given *given, const char *header,
                                      uint64_t length, struct tw_raw_layout *layout,
                                      struct tw_error *err);

/* The folder and name of a file in a recipe; `allow` as in tw_file_resolve(). */
struct tw_raw_place {
    const char *folder, *name;
    const char *const *allow;
};
/* Settles the layout with the sidecar next to the file, which is confined to the same folders;
 * `sidecar` (4096 bytes) becomes its path, or "". A NULL format means any with a header: the layout
 * then only gives the range, and none if levels 0 and 1 are these heights. */
enum tw_status tw_raw_layout_find(const struct tw_format *format, const struct tw_raw_place *place,
                                  const struct tw_raw_given *given, uint64_t length,
                                  struct tw_raw_layout *layout, char *sidecar,
                                  struct tw_error *err);

/* Adds the heights that such a layout gives the levels of a file with a header. */
void tw_raw_layout_scale(const struct tw_raw_layout *layout, struct tw_file_facts *facts);

/* Prints everything that decides how the file's bytes are read, for keys and locks: "1009 x 1009,
 * rows from north to south, levels from -10 to 400"; for a file with a header "levels from -10 to
 * 400", "1 is a height of 0.01" or "". */
enum { TW_RAW_LAYOUT_TEXT = 400 };
void tw_raw_layout_print(const struct tw_raw_layout *layout, char text[TW_RAW_LAYOUT_TEXT]);

#endif
