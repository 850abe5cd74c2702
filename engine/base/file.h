/* SPDX-License-Identifier: MIT */
/* The door to the disk: whole files in, whole files out, and where they may lie. */
#ifndef TW_ENGINE_BASE_FILE_H
#define TW_ENGINE_BASE_FILE_H

#include <thalweg/status.h>

#include <stdbool.h>
#include <stddef.h>

/* All bytes, whatever the calls in between return. False with errno, or when the file ends. */
bool tw_file_read_all(int descriptor, void *data, size_t length);
bool tw_file_write_all(int descriptor, const void *data, size_t length);
/* Reads a file of at most `limit` bytes into a new block (free() it), with a zero after the end. */
enum tw_status tw_file_read(const char *path, size_t limit, unsigned char **data, size_t *length,
                            struct tw_error *err);
/* Writes a file whole or not at all: temp file beside it, fsync, rename. Makes no folders. */
enum tw_status tw_file_write(const char *path, const void *data, size_t length,
                             struct tw_error *err);
/* mkdir -p. */
enum tw_status tw_file_make_folder(const char *path, struct tw_error *err);
/* Makes the folders of `file` below `folder` and joins both into `path` (4096 bytes). TW_PATH when
 * a symbolic link on the way leads out of the folder. */
enum tw_status tw_file_make_place(const char *folder, const char *file, char *path,
                                  struct tw_error *err);
/* Joins folder and name, resolves symbolic links, and checks that the result lies in the folder or
 * in one of `allow` (NULL-terminated, may be NULL). TW_PATH when it does not, TW_IO when there is
 * no such file. `resolved` holds 4096 bytes. */
enum tw_status tw_file_resolve(const char *folder, const char *name, const char *const *allow,
                               char *resolved, struct tw_error *err);

#endif
