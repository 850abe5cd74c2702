/* SPDX-License-Identifier: MIT */
/* Values as the engine handles them: their types, allocation, content digests, finite numbers. */
#ifndef TW_ENGINE_VALUE_FIELD_H
#define TW_ENGINE_VALUE_FIELD_H

#include "base/memory/digest.h"

#include <thalweg/field.h>
#include <thalweg/node.h>
#include <thalweg/status.h>

/* Largest map side and cell count, for recipes and files alike. */
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

/* types.c: a row of TW_TYPE_LIST, in which there is everything that is known of a type. */
struct tw_type_row {
    const char *name;
    enum tw_shape shape;
    const char *help;
    size_t size; /* of an element in bytes */
    struct tw_element_member members[TW_MEMBERS_MAX + 1];
};
const struct tw_type_row *tw_type(enum tw_type type);

size_t tw_type_size(enum tw_type type);
bool tw_type_is_grid(enum tw_type type);
/* Numbers of an element, where all its members are numbers of one kind; else 0. */
size_t tw_type_numbers(enum tw_type type);

/* Bytes of a value's block; false when that overflows or breaks a limit. */
bool tw_field_bytes(enum tw_type type, int32_t width, int32_t height, size_t *bytes);
/* Gives `value` a 64-byte aligned block (contents undefined), released by tw_field_clear(). */
enum tw_status tw_field_alloc(struct tw_value *value, enum tw_type type, int32_t width,
                              int32_t height, struct tw_error *err);
void tw_field_clear(struct tw_value *value);
enum tw_status tw_field_copy(struct tw_value *to, const struct tw_value *from,
                             struct tw_error *err);

/* Number i of a value of such a type: the members of an element follow each other. */
double tw_field_number(const struct tw_value *value, size_t i);

/* Takes bytes; false stops whoever gives them. */
typedef bool tw_bytes_sink(void *context, const void *at, size_t length);
/* The value's bytes as files and digests have them, little-endian, in one piece or several. False
 * when the sink returned it. */
bool tw_field_give_bytes(const struct tw_value *value, tw_bytes_sink *sink, void *context);
/* Turns such bytes, read into the value's block, into this machine's numbers, in place. */
void tw_field_take_bytes(struct tw_value *value);

/* Content digest, XXH3-128 over type, size and little-endian bytes; never of encoded files. */
struct tw_digest tw_field_digest(const struct tw_value *value);
/* The same in pieces, after tw_digest_begin(): values of some rows each. */
void tw_field_digest_add(struct tw_digest_state *state, const struct tw_value *rows);
struct tw_digest tw_field_digest_end(struct tw_digest_state *state, enum tw_type type,
                                     int32_t width, int32_t height);
/* The same, keyed, so that nobody can construct two values with one digest. False without memory.
 */
bool tw_field_content(const struct tw_value *value, const struct tw_secret *secret,
                      struct tw_sha256 *content);

/* SHA-256 of type, size and elements, little-endian: what locks, sidecars and files say of a value.
 */
struct tw_sha256 tw_field_sha256(const struct tw_value *value);
/* The same in pieces: values of some rows each. */
void tw_field_sha256_begin(struct tw_sha256_state *state, enum tw_type type, int32_t width,
                           int32_t height);
void tw_field_sha256_add(struct tw_sha256_state *state, const struct tw_value *rows);

/* What a value is, without its bytes: enough to key its consumers. */
struct tw_stamp {
    struct tw_digest digest; /* for people, and to compare machines */
    enum tw_type type;
    int32_t width, height;
    struct tw_sha256 content; /* tw_field_content() of the cache; zero without one */
};

/* Index of the first cell or element with a number that is not finite, or -1. */
int64_t tw_field_first_nonfinite(const struct tw_value *value);
/* The same for callers that know the instruction set and scan too few cells to look it up. */
int64_t tw_field_scan(const struct tw_value *value, enum tw_simd simd);
/* True when all numbers are finite and all names end: what users of a value rely on. */
bool tw_field_is_valid(const struct tw_value *value);

#endif
