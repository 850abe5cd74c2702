/* SPDX-License-Identifier: MIT */
/* Provenance inside a file: PNG text and EXR attributes. The same bytes for the same recipe, seed
 * and engine, on any machine and at any time. */
#ifndef TW_ENGINE_FORMAT_NOTES_H
#define TW_ENGINE_FORMAT_NOTES_H

#include "format/format.h"

#define TW_NOTES_PREFIX "thalweg."
enum { TW_NOTES_MAX = 8 };

struct tw_note {
    const char *name; /* "thalweg.seed" */
    char text[200];   /* printable ASCII */
};
struct tw_notes {
    struct tw_note at[TW_NOTES_MAX];
    int count;
};

/* Version, recipe, seed and digest of what a reader gets; of heights also their range and metres.
 * None without encoding->provenance. */
enum tw_status tw_notes_make(const struct tw_format *format, const struct tw_encoding *encoding,
                             struct tw_notes *notes, struct tw_error *err);
/* The same with this digest: for callers that know it, or write the notes again when they do. */
void tw_notes_fill(const struct tw_format *format, const struct tw_encoding *encoding,
                   const struct tw_sha256 *digest, struct tw_notes *notes);
/* The notes in a file of ours; none in other files. Stops at damage, which is for the decoder to
 * report. */
void tw_notes_read(const struct tw_format *format, const unsigned char *data, size_t length,
                   struct tw_notes *notes);
/* The heights that the least and the greatest level of the file stand for, where it says. */
bool tw_notes_range(const struct tw_notes *notes, double *low, double *high);
/* Keeps a text of a file under its name when that is one of ours. */
void tw_notes_keep(struct tw_notes *notes, const char *name, size_t name_length, const char *text,
                   size_t length);
/* As texts of a PNG. */
void tw_notes_to_png(const struct tw_notes *notes, struct tw_png_rows *rows);

#endif
