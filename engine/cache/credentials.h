/* SPDX-License-Identifier: MIT */
/* Reads the credentials of a remote cache from files that only their owner can read. No message
 * contains them. */
#ifndef TW_ENGINE_CACHE_CREDENTIALS_H
#define TW_ENGINE_CACHE_CREDENTIALS_H

#include "base/memory/digest.h"

#include <thalweg/status.h>

/* Reads 128 hexadecimal digits with an optional line end. TW_PATH, TW_INPUT, TW_IO. */
enum tw_status tw_credentials_read_secret(const char *path, struct tw_secret *secret,
                                          struct tw_error *err);
/* Reads one line: the value of an Authorization header, as in "Basic dXNlcjpwYXNz", or a single
 * word, which is a bearer token. The caller frees *header. TW_PATH, TW_INPUT, TW_IO, TW_MEMORY. */
enum tw_status tw_credentials_read_token(const char *path, char **header, struct tw_error *err);

#endif
