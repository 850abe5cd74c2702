/* SPDX-License-Identifier: MIT */
/* Values that travel along edges. A value is a header and one block of equal elements: cells of a
 * map in row-major order (row 0 is north, x goes east), or entries of a list. So every type is
 * allocated, digested, cached and copied by the same code. */
#ifndef THALWEG_FIELD_H
#define THALWEG_FIELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* name in recipes, bytes an element, whether it is a grid of cells (else a list) */
#define TW_TYPE_LIST(X)                                                                            \
    X(HEIGHTMAP, "heightmap", sizeof(float), true)                                                 \
    X(MASK, "mask", sizeof(float), true)                                                           \
    X(LABELS, "labels", sizeof(int32_t), true)                                                     \
    X(VECTORS, "vectors", 2 * sizeof(float), true)                                                 \
    X(IMAGE, "image", 3 * sizeof(uint8_t), true)                                                   \
    X(POINTS, "points", sizeof(struct tw_point), false)                                            \
    X(CURVES, "curves", sizeof(struct tw_control), false)                                          \
    X(PROFILE, "profile", 2 * sizeof(float), false)                                                \
    X(POLYMAP, "polymap", sizeof(uint32_t), false)                                                 \
    X(RECORD, "record", sizeof(struct tw_entry), false)

enum tw_type {
#define TW_TYPE_ENUM(name, text, size, grid) TW_##name,
    TW_TYPE_LIST(TW_TYPE_ENUM)
#undef TW_TYPE_ENUM
        TW_TYPE_COUNT
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
    float elevation; /* 1: the plateau has the height z; 0: it is only smoothed */
    int32_t curve;   /* which curve the point belongs to */
};

/* One field of a record; names are shorter than 24 bytes and zero-padded. */
struct tw_entry {
    char name[24];
    double number;
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

/* Typed views of the block; the caller knows the type from the port it declared. */
static inline float *tw_floats(const struct tw_value *value) { return (float *)value->data; }
static inline int32_t *tw_labels(const struct tw_value *value) { return (int32_t *)value->data; }
static inline uint8_t *tw_pixels(const struct tw_value *value) { return (uint8_t *)value->data; }
static inline struct tw_entry *tw_entries(const struct tw_value *value)
{
    return (struct tw_entry *)value->data;
}
static inline struct tw_point *tw_points(const struct tw_value *value)
{
    return (struct tw_point *)value->data;
}

#ifdef __cplusplus
}
#endif
#endif
