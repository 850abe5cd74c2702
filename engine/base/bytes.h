/* SPDX-License-Identifier: MIT */
/* A growing byte buffer; release with free(at). */
#ifndef TW_ENGINE_BASE_BYTES_H
#define TW_ENGINE_BASE_BYTES_H

#include <thalweg/status.h>

#include <stdatomic.h>
#include <stddef.h>

struct tw_bytes {
    unsigned char *at;
    size_t length;
    size_t capacity;
    const atomic_bool *stop; /* true: no more is taken, with TW_CANCELLED; may be NULL */
};

/* A failure leaves the buffer as it was. */
enum tw_status tw_bytes_append(struct tw_bytes *bytes, const void *data, size_t length,
                               struct tw_error *err);
/* Writes over bytes that are there, and appends the rest; a gap before `offset` becomes zeros. */
enum tw_status tw_bytes_write_at(struct tw_bytes *bytes, size_t offset, const void *data,
                                 size_t length, struct tw_error *err);
/* Appends as printf() does; a zero follows the text but does not count. Numbers with a decimal
 * point depend on the locale here: those go through base/number.h. */
enum tw_status tw_bytes_print(struct tw_bytes *bytes, struct tw_error *err, const char *format, ...)
    TW_PRINTF(3, 4);

#endif
