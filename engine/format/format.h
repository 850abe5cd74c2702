/* SPDX-License-Identifier: MIT */
/* Files by format. Everything about a format is in one row at the end of its codec,
 * engine/field/codec_<name>.c; format.c lists the rows. The loader, the messages that say what is
 * allowed, the JSON Schema, the keys of exports and docs/recipes.md follow from them. */
#ifndef TW_ENGINE_FORMAT_FORMAT_H
#define TW_ENGINE_FORMAT_FORMAT_H

#include "format/codec.h"
#include "format/georeference.h"

#include <thalweg/node.h>

/* Sets of types, a bit each. */
#define TW_TYPE_BIT(type) (1u << (type))
#define TW_GRID_BIT(name, text, shape, ...) | ((shape) == TW_GRID ? TW_TYPE_BIT(TW_##name) : 0u)
#define TW_LIST_BIT(name, text, shape, ...) | ((shape) == TW_LIST ? TW_TYPE_BIT(TW_##name) : 0u)
#define TW_GRIDS (0u TW_TYPE_LIST(TW_GRID_BIT))
#define TW_LISTS (0u TW_TYPE_LIST(TW_LIST_BIT))
#define TW_HEIGHTS (TW_TYPE_BIT(TW_HEIGHTMAP) | TW_TYPE_BIT(TW_MASK))

/* `range:` and `clip:` of an export: the heights that become the least and the greatest integer. */
struct tw_range {
    double low, high;
    bool fit; /* the values' own range instead */
    bool clip;
};

/* Where a file comes from, as far as it may stand in the file: no times, no folders. */
struct tw_provenance {
    const char *recipe; /* name of its file */
    uint64_t seed;
};

/* What a file is written from: one value, or several with names. */
struct tw_encoding {
    const struct tw_value *const *values;
    const char *const *names;
    int32_t count;
    bool several;                           /* a list of one value is not that value */
    struct tw_range range;                  /* `fit` is already settled */
    const void *options;                    /* the format's own */
    const struct tw_world *world;           /* what lengths and heights mean; NULL: map sides */
    const struct tw_provenance *provenance; /* to be noted in the file; NULL: nothing */
    const struct tw_workers *workers;       /* to share the work with; NULL: the caller alone */
    const atomic_bool *stop; /* true: encoders end with TW_CANCELLED within a row or an element */
};

struct tw_notes;
struct tw_row_writer;
struct tw_format {
    const char *ending;  /* with its dot */
    const char *also;    /* another ending under which such files are read; NULL: none */
    const char *help;    /* what a file holds, in Markdown */
    unsigned types;      /* that can be written; 0 for a format that is only read */
    unsigned several;    /* types of which a file can hold several; 0: one value a file */
    int32_t several_max; /* values in one file; 0 for any number */
    bool ranged;         /* takes `range:` and `clip:` */
    int bare_bits;       /* a cell's, in a file without a header, which needs a sidecar; else 0 */
    bool noted;          /* the file says where it comes from */
    bool physical;       /* the recipe's `world:` decides bytes */
    int cell_bytes;    /* a file takes at least so many a cell; 0: not known before it is written */
    const char *lacks; /* what this build is missing for it; NULL: nothing */
    const struct tw_param *options; /* its own, ends with TW_PARAM_END; NULL for none */
    size_t options_size;            /* of the struct that the rows describe */
    /* Whether a file with these options holds a map of that size; false with the reason. NULL: it
     * does. */
    bool (*holds)(int32_t width, int32_t height, const void *options, struct tw_error *err);
    enum tw_status (*encode)(const struct tw_encoding *encoding, struct tw_bytes *out,
                             struct tw_error *err);
    /* Bytes of memory that encode() takes with so many threads, besides the values and the buffer
     * that it writes to. NULL: a few rows. */
    uint64_t (*bytes)(const struct tw_encoding *encoding, int32_t threads);
    /* The bytes before the cells, in a format whose cells are those of the one value as they lie in
     * memory, so that whoever writes the file need not copy them; NULL: they are not. */
    enum tw_status (*head)(const struct tw_encoding *encoding, struct tw_bytes *out,
                           struct tw_error *err);
    /* Row y as a reader of the file gets it, floats of a heightmap or pixels of an image, so that a
     * digest of these can stand in the file itself. False when a height is outside the range. NULL:
     * only decoding tells. */
    bool (*reread)(const struct tw_encoding *encoding, int32_t y, void *row);
    bool rereads_colour;                    /* pixels, whatever the values are */
    const struct tw_row_writer *row_writer; /* row_file.h; NULL: only whole files are written */
    /* Reading: NULL for a format that is only written. A file is of the first format whose magic
     * bytes it begins with; one without magic bytes is known by its ending. Files without a header
     * have no decode(), since that does not know their layout. */
    const char *magic;
    size_t magic_length;
    int magic_count; /* that many of them, one after the other; 0 as 1 */
    enum tw_status (*decode)(const unsigned char *data, size_t length, struct tw_value *out,
                             struct tw_error *err);
    /* The same by rows, in little memory; NULL where that cannot be. */
    enum tw_status (*read_rows)(const struct tw_byte_source *source, const struct tw_row_sink *sink,
                                struct tw_error *err);
    /* Whether the file can be read by rows; NULL: always. Sets *held, 0 before, to the bytes that
     * stay in memory besides one row. */
    bool (*has_rows)(const struct tw_codec_head *head, uint64_t *held);
    /* What the file notes of where it comes from; NULL: nothing. */
    void (*read_notes)(const unsigned char *data, size_t length, struct tw_notes *notes);
    enum tw_status (*probe)(const struct tw_codec_head *head, struct tw_file_facts *facts,
                            struct tw_error *err);
    /* Where the map of a file that was probed lies; false when the file does not say. NULL: no
     * file of the format does. */
    bool (*read_place)(const struct tw_codec_head *head, struct tw_georeference *place);
};

extern const struct tw_format *const tw_formats[]; /* ends with NULL */
extern const struct tw_param tw_range_options[];   /* `clip:`, of struct tw_range */

/* An option of formats of floats. */
#define TW_METRES_OPTION(S)                                                                        \
    TW_PARAM_BOOL(S, metres, false, "heights in metres: times `height_m` of `world:`")
/* TW_CANCELLED when the encoding is to stop. */
enum tw_status tw_codec_poll(const struct tw_encoding *encoding, struct tw_error *err);
/* TW_NODE when a height times `unit` and `more` above or below it does not fit into a float. */
enum tw_status tw_codec_check_scaled(const struct tw_encoding *encoding, double unit, double more,
                                     struct tw_error *err);
/* What a height is multiplied by in a file. */
float tw_codec_unit(const struct tw_encoding *encoding, bool metres);

/* TW_LIMIT with what this build is missing; TW_OK for a format that is complete. */
enum tw_status tw_format_check(const struct tw_format *format, struct tw_error *err);

/* From the last dot of a name, folders apart; "" without one. */
const char *tw_format_ending(const char *file);
/* The first format with that ending that can hold such a value, or `several` of them; of type
 * TW_TYPE_COUNT, any value. NULL: none. */
const struct tw_format *tw_format_find(const char *ending, enum tw_type type, bool several);
/* Memory that tw_format_encode() takes with so many threads, besides the values and the buffer. */
uint64_t tw_format_bytes(const struct tw_format *format, const struct tw_encoding *encoding,
                         int32_t threads);
/* That of tw_format_sha256(). */
uint64_t tw_format_sha256_bytes(const struct tw_format *format, const struct tw_encoding *encoding,
                                int32_t threads);

/* "png, .npy and .bmp": the endings of formats that can hold the type, or, for TW_TYPE_COUNT, of
 * those that can be written at all. */
void tw_format_list(enum tw_type type, bool several, char *text, size_t size);
/* The endings of formats that can be read. */
void tw_format_list_read(char *text, size_t size);
/* The endings of formats that can be written by rows (row_file.h). */
void tw_format_list_by_rows(char *text, size_t size);

/* `range: fit` to numbers: the least and the greatest of the values. */
void tw_format_settle_range(struct tw_encoding *encoding);

enum tw_status tw_format_encode(const struct tw_format *format, struct tw_encoding encoding,
                                struct tw_bytes *out, struct tw_error *err);

/* The format of files without a header that a name's ending stands for, or NULL. */
const struct tw_format *tw_format_bare(const char *name);
/* The format of a file in `formats`, or NULL: by its ending for formats without a header, else by
 * what it begins with. */
const struct tw_format *tw_format_recognise(const struct tw_format *const *formats,
                                            const unsigned char *data, size_t length,
                                            const char *name);
/* Decodes a file in memory into a new value of the file's own size, colour into an image of 8 bits
 * a channel, the rest into a heightmap: integers of b bits become v / (2^b - 1), floats stay as
 * they are; non-finite cells are an error that names the first. */
enum tw_status tw_format_decode(const unsigned char *data, size_t length, const char *name,
                                struct tw_value *out, struct tw_error *err);

/* SHA-256 of what a reader of the file gets, as locks have it: of type, size and cells, or of a
 * text's bytes. `encoding` is settled. */
enum tw_status tw_format_sha256(const struct tw_format *format, const struct tw_encoding *encoding,
                                struct tw_sha256 *digest, struct tw_error *err);

/* What a file holds, by its header alone: damage after it is not noticed. */
enum tw_status tw_format_probe(const struct tw_codec_head *head, const char *name,
                               const struct tw_format **format, struct tw_file_facts *facts,
                               struct tw_error *err);
/* Whether the file can be read by rows; *held is what stays in memory meanwhile besides one row, in
 * bytes. */
bool tw_format_has_rows(const struct tw_format *format, const struct tw_codec_head *head,
                        uint64_t *held);

#endif
