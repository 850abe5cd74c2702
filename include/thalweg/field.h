/* SPDX-License-Identifier: MIT */
/* Values that travel along edges. A value is a header and one block of equal elements: cells of a
 * map in row-major order (row 0 is north, x grows to the east), or entries of a list. One piece of
 * code therefore allocates, digests, caches and copies every type. */
#ifndef THALWEG_FIELD_H
#define THALWEG_FIELD_H

#include <thalweg/status.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Grids have width x height cells. Lists have any number of entries. Entries of a packed list mean
 * something only together, so they are not rows of a table. */
enum tw_shape { TW_GRID, TW_LIST, TW_PACKED };

/* Every type of value, in one row each. Allocation, digests, the check for finite numbers, .npy,
 * the columns of .csv and .json and the documents follow from the row. A type's number is part of
 * content digests: new rows go to the end.
 *   name in recipes, shape, what it holds, C type of an element, and that type's members (16 at
 *   most) in order and without gaps */
#define TW_TYPE_LIST(X)                                                                            \
    X(HEIGHTMAP, "heightmap", TW_GRID, "heights", struct tw_height, height)                        \
    X(MASK, "mask", TW_GRID, "shares, nominally 0 to 1", struct tw_share, share)                   \
    X(LABELS, "labels", TW_GRID, "whole numbers, such as regions", struct tw_label, label)         \
    X(VECTORS, "vectors", TW_GRID, "two floats, to the east and to the south", struct tw_vector,   \
      x, y)                                                                                        \
    X(IMAGE, "image", TW_GRID, "colours, 8 bits a channel", struct tw_pixel, red, green, blue)     \
    X(POINTS, "points", TW_LIST, "generators of features", struct tw_point, x, y, cost, feature,   \
      profile)                                                                                     \
    X(CURVES, "curves", TW_LIST, "control points of feature curves", struct tw_control, x, y, z,   \
      plateau, slope_left, angle_left, slope_right, angle_right, envelope_left, envelope_right,    \
      elevation, curve, interpolation)                                                             \
    X(PROFILE, "profile", TW_LIST, "a cross section", struct tw_section, x, p)                     \
    X(POLYMAP, "polymap", TW_PACKED, "a graph of polygons", struct tw_word, word)                  \
    X(RECORD, "record", TW_LIST, "numbers with names", struct tw_entry, name, number)              \
    X(PLACEMENTS, "placements", TW_LIST, "things to put on a map, such as plants",                 \
      struct tw_placement, x, y, size, rotation, kind)                                             \
    X(SURFACE, "surface", TW_GRID, "light from the ground, and water", struct tw_surface_cell,     \
      red, green, blue, water)                                                                     \
    X(LINES, "lines", TW_LIST, "ways and rivers, point by point", struct tw_line_point, line, x,   \
      y, z, width, depth, flow)

enum tw_type {
#define TW_TYPE_ENUM(name, ...) TW_##name,
    TW_TYPE_LIST(TW_TYPE_ENUM)
#undef TW_TYPE_ENUM
        TW_TYPE_COUNT
};

/* Returns the type's name in recipes, such as "heightmap". */
TW_API const char *tw_type_name(enum tw_type type);

/* Elements that are one number. */
struct tw_height {
    float height;
};
struct tw_share {
    float share;
};
struct tw_label {
    int32_t label;
};
struct tw_word {
    uint32_t word;
};

/* Gradients, velocities, displacements: x points east and y south. */
struct tw_vector {
    float x, y;
};

struct tw_pixel {
    uint8_t red, green, blue;
};

/* Light that a place of the ground sends out, and its share of open water, 0 to 65535. Each channel
 * is 16 (c / 65535)^2; a white sheet under an average sky has 1. */
struct tw_surface_cell {
    uint16_t red, green, blue, water;
};

/* A generator or feature point. Position in fractions of the map's side. */
struct tw_point {
    float x, y;
    float cost;
    int32_t feature;
    int32_t profile;
};

/* A control point of a feature curve (Weiss 2015, chapter V). Lengths in fractions of the side. */
struct tw_control {
    float x, y, z;
    float plateau, slope_left, angle_left, slope_right, angle_right, envelope_left, envelope_right;
    float elevation;       /* 1: the plateau has the height z; 0: it is only smoothed */
    int32_t curve;         /* which curve the point belongs to */
    int32_t interpolation; /* the curve's enum tw_interpolation */
};
enum tw_interpolation { TW_CURVE_CUBIC, TW_CURVE_MONOTONE, TW_CURVE_STRAIGHT };

/* A point of a cross section: height p at distance x. */
struct tw_section {
    float x, p;
};

/* A thing to put on a map. Position in fractions of the map's sides, from the north-west. */
struct tw_placement {
    float x, y;
    float size;       /* width in map sides */
    int32_t rotation; /* degrees, 0 to 359 */
    int32_t kind;     /* kind of thing, as numbered by the node */
};

/* A point of a line, such as a river or a road. The points of a line follow one another, a river's
 * downstream. Position in fractions of the map's sides, from the north-west. */
struct tw_line_point {
    int32_t line;
    float x, y;
    float z;            /* height of the water or of the road */
    float width, depth; /* in map sides; in heights */
    float flow;         /* share of the map's rain that flows through the point; a road's is 0 */
};

/* One field of a record; names are shorter than 24 bytes and zero-padded. */
struct tw_entry {
    char name[24];
    double number;
};

/* What the numbers 0..1 read from a file mean. */
enum tw_file_scale {
    TW_SCALE_PLAIN,   /* the numbers themselves */
    TW_SCALE_KNOWN,   /* heights from `low` to `high`, given by the sidecar of a raw file */
    TW_SCALE_UNKNOWN, /* heights whose range neither file nor sidecar gives */
};

/* Facts about a picture or map in a file, known before decoding: an image has colours. */
/* Where a file says its map lies: the outer corner of the north-west cell and the sizes of a cell,
 * in the units of its system. */
struct tw_file_place {
    bool known;
    double west, north, cell_x, cell_y;
    double metres; /* of a unit of the system; 0: it is a degree */
};

struct tw_file_facts {
    enum tw_type type;
    int32_t width, height;
    enum tw_file_scale scale;
    float low, high;
    bool deep; /* an image of more than 8 bits a channel: its rows hold three floats a pixel */
    bool may_be_grey; /* an image of a format in which heights are often stored as equal channels */
    bool may_have_gaps;         /* the file names a value for cells without a height */
    double metres;              /* of a height of 1 in the file; 0: not said */
    struct tw_file_place place; /* of a height map */
};

/* A grid has width x height elements; a list has `width` elements and height 1. */
struct tw_value {
    enum tw_type type;
    int32_t width;
    int32_t height;
    void *data;
};

/* Cells of a grid or elements of a list. */
static inline size_t tw_value_count(const struct tw_value *value)
{
    return (size_t)value->width * (size_t)value->height;
}

/* Typed views of the block; the caller knows the type from the port it declared. tw_floats() serves
 * every type whose elements consist of floats. */
static inline float *tw_floats(const struct tw_value *value) { return (float *)value->data; }
static inline int32_t *tw_labels(const struct tw_value *value) { return (int32_t *)value->data; }
static inline uint8_t *tw_pixels(const struct tw_value *value) { return (uint8_t *)value->data; }
static inline struct tw_surface_cell *tw_surface(const struct tw_value *value)
{
    return (struct tw_surface_cell *)value->data;
}
static inline struct tw_vector *tw_vectors(const struct tw_value *value)
{
    return (struct tw_vector *)value->data;
}
static inline struct tw_point *tw_points(const struct tw_value *value)
{
    return (struct tw_point *)value->data;
}
static inline struct tw_control *tw_controls(const struct tw_value *value)
{
    return (struct tw_control *)value->data;
}
static inline struct tw_placement *tw_placements(const struct tw_value *value)
{
    return (struct tw_placement *)value->data;
}
static inline struct tw_line_point *tw_line_points(const struct tw_value *value)
{
    return (struct tw_line_point *)value->data;
}
static inline struct tw_entry *tw_entries(const struct tw_value *value)
{
    return (struct tw_entry *)value->data;
}

/* Fills entry i of a record that tw_task_list() created, which must still be zeroed. */
static inline void tw_record_set(struct tw_value *record, int32_t i, const char *name,
                                 double number)
{
    struct tw_entry *entry = tw_entries(record) + i;
    size_t length = strlen(name);
    memcpy(entry->name, name, length < sizeof entry->name ? length : sizeof entry->name - 1);
    entry->number = number;
}

/* Returns the number of the field called `name`, borrowed from the value, or NULL. */
static inline const double *tw_record_find(const struct tw_value *record, const char *name)
{
    for (int32_t i = 0; i < record->width; i++)
        if (strncmp(tw_entries(record)[i].name, name, sizeof tw_entries(record)[i].name) == 0)
            return &tw_entries(record)[i].number;
    return NULL;
}

#ifdef __cplusplus
}
#endif
#endif
