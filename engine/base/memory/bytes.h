/* SPDX-License-Identifier: MIT */
/* A growing byte buffer; release with free(at). With a target it stays small: it passes its bytes
 * on, piece by piece. */
#ifndef TW_ENGINE_BASE_MEMORY_BYTES_H
#define TW_ENGINE_BASE_MEMORY_BYTES_H

#include <thalweg/status.h>

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* Receives a buffer's bytes in order. */
struct tw_byte_target {
    enum tw_status (*write)(void *context, const void *at, size_t length, struct tw_error *err);
    /* Overwrites bytes that it has received. */
    enum tw_status (*patch)(void *context, uint64_t offset, const void *at, size_t length,
                            struct tw_error *err);
    void *context;
};

/* The most bytes that a buffer with a target holds between two calls. */
#define TW_BYTES_PIECE ((size_t)256 << 10)

struct tw_bytes {
    unsigned char *at;
    size_t length;
    size_t capacity;
    const atomic_bool *stop;             /* true: appending fails with TW_CANCELLED; may be NULL */
    const struct tw_byte_target *target; /* receives full pieces; NULL: all stays here */
    uint64_t handed_on; /* bytes passed to the target, which precede the buffer's */
};

/* Returns the number of bytes appended so far, including those passed to the target. */
uint64_t tw_bytes_end(const struct tw_bytes *bytes);
/* Passes the buffer's bytes to the target. */
enum tw_status tw_bytes_hand_on(struct tw_bytes *bytes, struct tw_error *err);

/* Appends bytes. On failure a buffer without a target is unchanged. */
enum tw_status tw_bytes_append(struct tw_bytes *bytes, const void *data, size_t length,
                               struct tw_error *err);
/* Overwrites bytes from `offset` on and appends the rest; a gap before `offset` is filled with
 * zeros. */
enum tw_status tw_bytes_write_at(struct tw_bytes *bytes, uint64_t offset, const void *data,
                                 size_t length, struct tw_error *err);
/* Appends as printf() does, followed by a zero that does not count. Decimal points depend on the
 * locale; base/text/number.h prints numbers without it. */
enum tw_status tw_bytes_print(struct tw_bytes *bytes, struct tw_error *err, const char *format, ...)
    TW_PRINTF(3, 4);

#endif
