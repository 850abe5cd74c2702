/* SPDX-License-Identifier: MIT */
/* Credentials of a remote cache, from files that only their owner may read. They appear in no
 * message. */
#ifndef TW_ENGINE_CACHE_CREDENTIALS_H
#define TW_ENGINE_CACHE_CREDENTIALS_H

#include "base/memory/digest.h"

#include <thalweg/status.h>

/* 128 hexadecimal digits and perhaps a line end. TW_PATH, TW_INPUT, TW_IO. */
enum tw_status tw_credentials_read_secret(const char *path, struct tw_secret *secret,
                                          struct tw_error *err);
/* One line: the value of an Authorization header, as in "Basic dXNlcjpwYXNz", or a word alone,
 * which is a bearer token. The caller frees *header. TW_PATH, TW_INPUT, TW_IO, TW_MEMORY. */
enum tw_status tw_credentials_read_token(const char *path, char **header, struct tw_error *err);

#endif
