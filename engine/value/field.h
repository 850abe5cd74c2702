/* SPDX-License-Identifier: MIT */
/* Values inside the engine: their types, allocation, content digests, and checks for finite
 * numbers. */
#ifndef TW_ENGINE_VALUE_FIELD_H
#define TW_ENGINE_VALUE_FIELD_H

#include "base/memory/digest.h"

#include <thalweg/field.h>
#include <thalweg/node.h>
#include <thalweg/status.h>

/* Largest map side and cell count, for recipes and files. */
#define TW_SIDE_MAX 65536
#define TW_CELLS_MAX ((size_t)1 << 28)

/* A member of a type's element. */
enum tw_member_kind {
    TW_MEMBER_F32,
    TW_MEMBER_F64,
    TW_MEMBER_I32,
    TW_MEMBER_U32,
    TW_MEMBER_U16,
    TW_MEMBER_U8,
    TW_MEMBER_TEXT
};
struct tw_element_member {
    const char *name; /* NULL after the last */
    enum tw_member_kind kind;
    size_t offset, size; /* in bytes */
};
#define TW_MEMBERS_MAX 16

/* types.c: a row of TW_TYPE_LIST, with everything known about a type. */
struct tw_type_row {
    const char *name;
    enum tw_shape shape;
    const char *help;
    size_t size; /* bytes of an element */
    struct tw_element_member members[TW_MEMBERS_MAX + 1];
};
const struct tw_type_row *tw_type(enum tw_type type);

size_t tw_type_size(enum tw_type type);
bool tw_type_is_grid(enum tw_type type);
/* Returns how many numbers an element has, if all its members are numbers of one kind; else 0. */
size_t tw_type_numbers(enum tw_type type);

/* Computes the size of a value's block; false if it overflows or exceeds a limit. */
bool tw_field_bytes(enum tw_type type, int32_t width, int32_t height, size_t *bytes);
/* Gives `value` a 64-byte aligned block with undefined contents; release with tw_field_clear(). */
enum tw_status tw_field_alloc(struct tw_value *value, enum tw_type type, int32_t width,
                              int32_t height, struct tw_error *err);
void tw_field_clear(struct tw_value *value);
enum tw_status tw_field_copy(struct tw_value *to, const struct tw_value *from,
                             struct tw_error *err);

/* Returns number i of a value of such a type, counting through the members of each element. */
double tw_field_number(const struct tw_value *value, size_t i);
/* Reads `count` numbers from number `first` on, several times as fast as one by one. */
void tw_field_numbers(const struct tw_value *value, size_t first, size_t count, double *to);

/* Receives bytes; returning false stops the sender. */
typedef bool tw_bytes_sink(void *context, const void *at, size_t length);
/* Passes the value's bytes to the sink, little-endian as in files and digests, in one piece or
 * several. False if the sink returned false. */
bool tw_field_give_bytes(const struct tw_value *value, tw_bytes_sink *sink, void *context);
/* Converts little-endian bytes read into the value's block to this machine's numbers, in place. */
void tw_field_take_bytes(struct tw_value *value);

/* Content digest: XXH3-128 over type, size and little-endian bytes; never over encoded files. */
struct tw_digest tw_field_digest(const struct tw_value *value);
/* Adds a value of some rows to a tw_field_digest() that tw_digest_begin() started. */
void tw_field_digest_add(struct tw_digest_state *state, const struct tw_value *rows);
struct tw_digest tw_field_digest_end(struct tw_digest_state *state, enum tw_type type,
                                     int32_t width, int32_t height);
/* Keyed content digest: without the secret, two values of equal digest cannot be constructed. False
 * when out of memory. */
bool tw_field_content(const struct tw_value *value, const struct tw_secret *secret,
                      struct tw_sha256 *content);

/* SHA-256 of type, size and little-endian elements, as locks, sidecars and files record it. */
struct tw_sha256 tw_field_sha256(const struct tw_value *value);
/* Start a tw_field_sha256() over pieces and add some rows to it; tw_sha256_end() ends it. */
void tw_field_sha256_begin(struct tw_sha256_state *state, enum tw_type type, int32_t width,
                           int32_t height);
void tw_field_sha256_add(struct tw_sha256_state *state, const struct tw_value *rows);

/* Identifies a value without its bytes: enough for the keys of its consumers. */
struct tw_stamp {
    struct tw_digest digest; /* for people, and to compare machines */
    enum tw_type type;
    int32_t width, height;
    struct tw_sha256 content; /* the cache's tw_field_content(); zero without a cache */
};

/* Returns the index of the first cell or element with a number that is not finite, or -1. */
int64_t tw_field_first_nonfinite(const struct tw_value *value);
/* tw_field_first_nonfinite() for callers that scan too few cells to look up the instruction set. */
int64_t tw_field_scan(const struct tw_value *value, enum tw_simd simd);
/* Returns true if all numbers are finite and all names terminated, as users of values assume. */
bool tw_field_is_valid(const struct tw_value *value);

#endif
