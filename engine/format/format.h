/* SPDX-License-Identifier: MIT */
/* Files by format. One row at the end of a format's codec, codec_<name>.c, holds everything about
 * it; format.c lists the rows. The loader, the messages that list what is allowed, the JSON Schema,
 * the keys of exports and docs/recipes.md follow from them. */
#ifndef TW_ENGINE_FORMAT_FORMAT_H
#define TW_ENGINE_FORMAT_FORMAT_H

#include "format/codec.h"

#include <thalweg/node.h>

/* Sets of types, one bit each. */
#define TW_TYPE_BIT(type) (1u << (type))
#define TW_GRID_BIT(name, text, shape, ...) | ((shape) == TW_GRID ? TW_TYPE_BIT(TW_##name) : 0u)
#define TW_LIST_BIT(name, text, shape, ...) | ((shape) == TW_LIST ? TW_TYPE_BIT(TW_##name) : 0u)
#define TW_GRIDS (0u TW_TYPE_LIST(TW_GRID_BIT))
#define TW_LISTS (0u TW_TYPE_LIST(TW_LIST_BIT))
#define TW_HEIGHTS (TW_TYPE_BIT(TW_HEIGHTMAP) | TW_TYPE_BIT(TW_MASK))

/* `range:` and `clip:` of an export: the heights that become the least and the greatest integer. */
struct tw_range {
    double low, high;
    bool fit; /* use the range of the values instead */
    bool clip;
};

/* Origin of a file, as far as it may appear in the file: no times, no folders. */
struct tw_provenance {
    const char *recipe; /* file name of the recipe */
    uint64_t seed;
};

/* The place of a foreign map: the north-west corner of the north-west cell, in the units of the
 * system, such as metres. */
struct tw_georeference {
    double west, north;
    double cell_x, cell_y; /* sizes of a cell, positive */
    char system[40];       /* "EPSG:32632"; "" if unknown */
    int32_t epsg;          /* code of the system; 0 if unknown */
    const char *unit;      /* "US survey feet"; NULL: metres, or unknown */
    bool turned;           /* rotated against north, or mirrored: sizes and corner are 0 */
};

enum { TW_FORMAT_PARTS_MAX = 4 };

/* A further output that an entry of `export:` names, as in `holes: caves`. */
struct tw_format_part {
    const char *name; /* NULL ends a list */
    unsigned types;
    bool same_size; /* expects the size of the map */
    const char *help;
};

/* The contents of a file: one value, or several with names. */
struct tw_encoding {
    const struct tw_value *const *values;
    const char *const *names;
    int32_t count;
    int32_t first, taken; /* of several values, those this file holds; taken 0: all */
    int32_t part_at[TW_FORMAT_PARTS_MAX]; /* which value is part i of the format; 0: none is */
    const char *file;      /* the file's name without folders, for a format that is `named` */
    bool several;          /* even a list of one value is written as a list */
    struct tw_range range; /* `fit` is already resolved */
    const void *options;   /* options of the format */
    const struct tw_world *world; /* gives the units of lengths and heights; NULL: map sides */
    const struct tw_provenance *provenance; /* noted in the file; NULL: nothing */
    const struct tw_workers *workers;       /* share the work; NULL: the caller does it all */
    const atomic_bool *stop; /* true: encoders return TW_CANCELLED within a row or an element */
};

/* A file whose layout is not in it. */
struct tw_bare_file {
    const char *name;
    uint64_t length;
    const char *header; /* text of the header file; NULL: there is none */
    int32_t band;       /* wanted, from 1; 0: the first */
};

struct json_t;
struct tw_notes;
struct tw_row_writer;
struct tw_format {
    const char *ending;   /* including its dot */
    const char *also;     /* alternative ending of such files when read; NULL: none */
    const char *help;     /* the file's contents, in Markdown */
    unsigned types;       /* types that can be written; 0 for a format that is only read */
    unsigned several;     /* types of which a file can hold several; 0: one value a file */
    int32_t several_max;  /* values of one export; 0 for any number */
    int32_t file_max;     /* values in one of its files; 0: all in one. More make several files */
    const char *channels; /* names of a file's channels, as in "R G B A"; NULL: one */
    bool by_name;         /* each of several files is named after its value, else by a number */
    const char *only_for; /* preset of `for:` that is required; NULL: none */
    bool ranged;          /* accepts `range:` and `clip:` */
    const char *samples;  /* what a cell's bits hold; NULL: what readers of the ending expect */
    int bare_bits; /* bits per cell of a file without a header, which needs a sidecar; else 0 */
    /* Determines the layout of a file without a header from its name, its length and the text of
     * its header file (NULL: none). NULL: a sidecar or the recipe gives it. */
    enum tw_status (*describe)(const struct tw_bare_file *file, struct tw_raw_layout *layout,
                               struct tw_error *err);
    const char *header_ending; /* of its header file, such as .hdr; NULL: there is none */
    bool noted;                /* the file records its provenance */
    bool physical;             /* its bytes depend on the recipe's `world:` */
    int cell_bytes;            /* least bytes of a file per cell; 0: unknown before it is written */
    const char *lacks;         /* what this build lacks for it; NULL: nothing */
    const struct tw_format_part *parts; /* further outputs; NULL: none */
    bool companions;                /* pictures among the parts lie beside the file, with a .mtl */
    bool named;                     /* its bytes depend on the file's name */
    const struct tw_param *options; /* the format's, ending with TW_PARAM_END; NULL: none */
    size_t options_size;            /* size of the struct that the rows describe */
    /* Returns whether a file with these options can hold a map of that size; false with the reason.
     * NULL: always. */
    bool (*holds)(int32_t width, int32_t height, const void *options, struct tw_error *err);
    enum tw_status (*encode)(const struct tw_encoding *encoding, struct tw_bytes *out,
                             struct tw_error *err);
    /* Returns the memory that encode() takes with so many threads, beyond the values and the output
     * buffer. NULL: a few rows. */
    uint64_t (*bytes)(const struct tw_encoding *encoding, int32_t threads);
    /* Writes the bytes before the cells, for a format whose cells are those of its one value as in
     * memory, so that writing the file need not copy them. NULL: encode() must be used. */
    enum tw_status (*head)(const struct tw_encoding *encoding, struct tw_bytes *out,
                           struct tw_error *err);
    /* Converts row y to what a reader of the file gets, floats of a heightmap or pixels of an
     * image, so that the file itself can contain a digest of these. False if a height is outside
     * the range. NULL: only decoding can find out. */
    bool (*reread)(const struct tw_encoding *encoding, int32_t y, void *row);
    enum tw_type rereads; /* type of reread()'s rows if it depends on no value's: not a heightmap */
    /* Whether neither decoding nor the file's bytes give a digest that is the same everywhere, so
     * that locks record that of sha256(). NULL: they do. */
    bool (*varies)(const struct tw_encoding *encoding);
    enum tw_status (*sha256)(const struct tw_encoding *encoding, struct tw_sha256 *digest,
                             struct tw_error *err);
    /* Adds to the members of a sidecar what the file's contents are beyond cells. NULL: nothing. */
    enum tw_status (*describe_contents)(const struct tw_encoding *encoding, struct json_t *members,
                                        struct tw_error *err);
    const struct tw_row_writer *row_writer; /* row_file.h; NULL: only whole files can be written */
    /* Reading; NULL for a format that is only written. The first format whose magic bytes match the
     * beginning of a file decodes it; a format without magic bytes is recognised by its ending.
     * Formats without a header have no decode(), which does not know their layout. */
    const char *magic;
    size_t magic_length;
    int magic_count; /* how many magic strings are concatenated; 0 means 1 */
    enum tw_status (*decode)(const unsigned char *data, size_t length, struct tw_value *out,
                             struct tw_error *err);
    /* Decodes row by row, in little memory; NULL if the format cannot. */
    enum tw_status (*read_rows)(const struct tw_byte_source *source, const struct tw_row_sink *sink,
                                struct tw_error *err);
    /* Returns whether the file can be read by rows; NULL: always. Sets *held, which starts as 0, to
     * the bytes that stay in memory in addition to one row. */
    bool (*has_rows)(const struct tw_codec_head *head, uint64_t *held);
    /* Reads the file's provenance; NULL: it has none. */
    void (*read_notes)(const unsigned char *data, size_t length, struct tw_notes *notes);
    enum tw_status (*probe)(const struct tw_codec_head *head, struct tw_file_facts *facts,
                            struct tw_error *err);
    /* Reads the place of the map in a probed file; false if the file has none. NULL: no file of the
     * format has one. */
    bool (*read_place)(const struct tw_codec_head *head, struct tw_georeference *place);
};

extern const struct tw_format *const tw_formats[]; /* ends with NULL */
extern const struct tw_param tw_range_options[];   /* `clip:`, of struct tw_range */

/* The option `metres` of formats of floats. */
#define TW_METRES_OPTION(S)                                                                        \
    TW_PARAM_BOOL(S, metres, false, "heights in metres: times `height_m` of `world:`")
/* Returns TW_CANCELLED if the encoding must stop. */
enum tw_status tw_codec_poll(const struct tw_encoding *encoding, struct tw_error *err);
/* TW_NODE if a height times `unit`, plus or minus `more`, does not fit into a float. */
enum tw_status tw_codec_check_scaled(const struct tw_encoding *encoding, double unit, double more,
                                     struct tw_error *err);
/* Returns whether a format's option, true or false, is set; false without the option. */
bool tw_format_option(const struct tw_format *format, const void *options, const char *name);
/* Returns the factor that heights are multiplied by in a file. */
float tw_codec_unit(const struct tw_encoding *encoding, bool metres);

/* Returns TW_LIMIT with what this build lacks, or TW_OK for a complete format. */
enum tw_status tw_format_check(const struct tw_format *format, struct tw_error *err);

/* Returns a name's ending, from its last dot outside of folders; "" without one. */
const char *tw_format_ending(const char *file);
/* Returns the first format with that ending that can hold such a value, or `several` of them, or
 * NULL. TW_TYPE_COUNT means any value. */
const struct tw_format *tw_format_find(const char *ending, enum tw_type type, bool several);
/* Returns the format of an export of several values of that type, for the engine of a preset (NULL:
 * none): one made for the engine, else one for all, else one for another engine, else NULL. */
const struct tw_format *tw_format_find_several(const char *ending, enum tw_type type,
                                               const char *preset);
/* Returns the value of part i of the format, or NULL. */
const struct tw_value *tw_encoding_part(const struct tw_encoding *encoding, int i);
/* Returns how many values `from:` gives: those before the parts. */
int32_t tw_encoding_listed(const struct tw_encoding *encoding);
/* Returns the memory that tw_format_encode() takes with so many threads, beyond the values and the
 * output buffer. */
uint64_t tw_format_bytes(const struct tw_format *format, const struct tw_encoding *encoding,
                         int32_t threads);
/* Returns the memory that tw_format_sha256() takes. */
uint64_t tw_format_sha256_bytes(const struct tw_format *format, const struct tw_encoding *encoding,
                                int32_t threads);

/* Lists the endings of formats that can hold the type or, for TW_TYPE_COUNT, that can be written at
 * all, as in "png, .npy and .bmp". */
void tw_format_list(enum tw_type type, bool several, char *text, size_t size);
/* Lists the endings of formats that can be read. */
void tw_format_list_read(char *text, size_t size);
/* Lists the endings of formats that can be written by rows (row_file.h). */
void tw_format_list_by_rows(char *text, size_t size);

/* Replaces `range: fit` by the least and the greatest of the values. */
void tw_format_settle_range(struct tw_encoding *encoding);

enum tw_status tw_format_encode(const struct tw_format *format, struct tw_encoding encoding,
                                struct tw_bytes *out, struct tw_error *err);

/* Returns the version of GDAL, which reads what no other format recognises; NULL if it is not
 * installed, forbidden, or THALWEG_GDAL is off. */
const char *tw_format_gdal_version(void);
void tw_format_forbid_gdal(void);

/* Returns the headerless format with the name's ending, or NULL. */
const struct tw_format *tw_format_bare(const char *name);
/* Recognises the format of a file among `formats`, or returns NULL: by ending for headerless
 * formats, else by its first bytes. */
const struct tw_format *tw_format_recognise(const struct tw_format *const *formats,
                                            const unsigned char *data, size_t length,
                                            const char *name);
/* Decodes a file in memory into a new value of the file's own size: colour into an image of 8 bits
 * a channel, the rest into a heightmap. Integers of b bits become v / (2^b - 1), floats stay as
 * they are; non-finite cells give an error that names the first. */
enum tw_status tw_format_decode(const unsigned char *data, size_t length, const char *name,
                                struct tw_value *out, struct tw_error *err);

/* Computes the SHA-256 of what a reader of the file gets, as locks record it: of type, size and
 * cells, or of a text's bytes. The range of `encoding` must be settled. */
enum tw_status tw_format_sha256(const struct tw_format *format, const struct tw_encoding *encoding,
                                struct tw_sha256 *digest, struct tw_error *err);

/* Determines a file's contents from its header alone; later damage goes unnoticed. */
enum tw_status tw_format_probe(const struct tw_codec_head *head, const char *name,
                               const struct tw_format **format, struct tw_file_facts *facts,
                               struct tw_error *err);
/* Returns whether the file can be read by rows; *held is how many bytes stay in memory meanwhile in
 * addition to one row. */
bool tw_format_has_rows(const struct tw_format *format, const struct tw_codec_head *head,
                        uint64_t *held);

#endif
