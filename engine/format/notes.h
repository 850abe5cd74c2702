/* SPDX-License-Identifier: MIT */
/* Provenance inside a file: PNG text and EXR attributes. One recipe, seed and engine give identical
 * bytes on any machine and at any time. */
#ifndef TW_ENGINE_FORMAT_NOTES_H
#define TW_ENGINE_FORMAT_NOTES_H

#include "format/format.h"

#define TW_NOTES_PREFIX "thalweg."
enum { TW_NOTES_MAX = 12 };

struct tw_note {
    const char *name; /* "thalweg.seed" */
    char text[200];   /* printable ASCII */
};
struct tw_notes {
    struct tw_note at[TW_NOTES_MAX];
    int count;
};

/* Makes notes of version, recipe, seed and the digest of what a reader gets; for heights also their
 * range and metres; for floats what they measure; for several masks their names. Makes none without
 * encoding->provenance. */
enum tw_status tw_notes_make(const struct tw_format *format, const struct tw_encoding *encoding,
                             struct tw_notes *notes, struct tw_error *err);
/* Makes the notes with a given digest, for callers that know it, or that rewrite the notes once
 * they do. */
void tw_notes_fill(const struct tw_format *format, const struct tw_encoding *encoding,
                   const struct tw_sha256 *digest, struct tw_notes *notes);
/* Reads the notes in a file of ours; other files have none. Stops at damage, which the decoder
 * reports. */
void tw_notes_read(const struct tw_format *format, const unsigned char *data, size_t length,
                   struct tw_notes *notes);
/* Gets the heights of the file's least and greatest level; false if it has none. */
bool tw_notes_range(const struct tw_notes *notes, double *low, double *high);
/* Keeps a text of a file if its name is one of ours. */
void tw_notes_keep(struct tw_notes *notes, const char *name, size_t name_length, const char *text,
                   size_t length);
/* Adds the notes to a PNG as texts. */
void tw_notes_to_png(const struct tw_notes *notes, struct tw_png_rows *rows);

#endif
