/* SPDX-License-Identifier: MIT */
/* A growing byte buffer; release with free(at). With a target it stays small: its bytes are handed
 * on, piece by piece. */
#ifndef TW_ENGINE_BASE_MEMORY_BYTES_H
#define TW_ENGINE_BASE_MEMORY_BYTES_H

#include <thalweg/status.h>

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* Takes bytes in order. */
struct tw_byte_target {
    enum tw_status (*write)(void *context, const void *at, size_t length, struct tw_error *err);
    /* Writes over bytes that it took. */
    enum tw_status (*patch)(void *context, uint64_t offset, const void *at, size_t length,
                            struct tw_error *err);
    void *context;
};

/* What a buffer with a target holds at most between two calls. */
#define TW_BYTES_PIECE ((size_t)256 << 10)

struct tw_bytes {
    unsigned char *at;
    size_t length;
    size_t capacity;
    const atomic_bool *stop; /* true: no more is taken, with TW_CANCELLED; may be NULL */
    const struct tw_byte_target *target; /* takes full pieces; NULL: all stays in the buffer */
    uint64_t handed_on;                  /* bytes that the target took, which come first */
};

/* How many bytes there are, those that were handed on included. */
uint64_t tw_bytes_end(const struct tw_bytes *bytes);
/* The target takes what is there. */
enum tw_status tw_bytes_hand_on(struct tw_bytes *bytes, struct tw_error *err);

/* A failure leaves a buffer without a target as it was. */
enum tw_status tw_bytes_append(struct tw_bytes *bytes, const void *data, size_t length,
                               struct tw_error *err);
/* Writes over bytes that are there, and appends the rest; a gap before `offset` becomes zeros. */
enum tw_status tw_bytes_write_at(struct tw_bytes *bytes, uint64_t offset, const void *data,
                                 size_t length, struct tw_error *err);
/* Appends as printf() does; a zero follows the text but does not count. Numbers with a decimal
 * point depend on the locale here: those go through base/text/number.h. */
enum tw_status tw_bytes_print(struct tw_bytes *bytes, struct tw_error *err, const char *format, ...)
    TW_PRINTF(3, 4);

#endif
