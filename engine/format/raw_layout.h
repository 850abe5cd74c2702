/* SPDX-License-Identifier: MIT */
/* What a file without a header does not say: its size, the order of its rows and of the bytes of
 * a number, and what its levels stand for. A recipe or a command line gives it, or the sidecar
 * does. Of a file with a header the sidecar says what its levels stand for. */
#ifndef TW_ENGINE_FORMAT_RAW_LAYOUT_H
#define TW_ENGINE_FORMAT_RAW_LAYOUT_H

#include "format/sidecar.h"

/* What is given besides the file; it goes before what the sidecar says. */
struct tw_raw_given {
    struct tw_file_layout layout;
    const char *how; /* to give them, for messages: "--size WxH"; NULL: not at all */
};

/* Settles the layout of a file of `length` bytes; `sidecar` is NULL where there is none. TW_INPUT
 * with what is missing or cannot be; messages begin with `name`. */
enum tw_status tw_raw_layout_settle(const struct tw_format *format, const char *name,
                                    const struct tw_raw_given *given,
                                    const struct tw_sidecar_facts *sidecar, uint64_t length,
                                    struct tw_raw_layout *layout, struct tw_error *err);

/* Where a recipe names a file; `allow` as of tw_file_resolve(). */
struct tw_raw_place {
    const char *folder, *name;
    const char *const *allow;
};
/* The same with the sidecar that lies beside the file and is confined as it is: its path, or "",
 * in `sidecar` (4096 bytes). A NULL format is any with a header: the layout is only ranged or not,
 * and nothing where levels of 0 and 1 mean these heights. */
enum tw_status tw_raw_layout_find(const struct tw_format *format, const struct tw_raw_place *place,
                                  const struct tw_raw_given *given, uint64_t length,
                                  struct tw_raw_layout *layout, char *sidecar,
                                  struct tw_error *err);

/* Everything that decides what the file's bytes are read as, for keys and locks: "1009 x 1009, rows
 * from north to south, levels from -10 to 400"; of a file with a header "levels from -10 to 400",
 * "1 is a height of 0.01" or "". */
enum { TW_RAW_LAYOUT_TEXT = 128 };
void tw_raw_layout_print(const struct tw_raw_layout *layout, char text[TW_RAW_LAYOUT_TEXT]);

#endif
