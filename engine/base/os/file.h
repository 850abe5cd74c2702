/* SPDX-License-Identifier: MIT */
/* The door to the disk: whole files in, whole files out, and where they may lie. */
#ifndef TW_ENGINE_BASE_OS_FILE_H
#define TW_ENGINE_BASE_OS_FILE_H

#include "base/memory/digest.h"

#include <thalweg/status.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All bytes, whatever the calls in between return. False with errno, or when the file ends. */
bool tw_file_read_all(int descriptor, void *data, size_t length);
bool tw_file_write_all(int descriptor, const void *data, size_t length);
/* False, with errno, when the disk reports only now that writing failed. */
bool tw_file_close(int descriptor);
/* False unless all that was written is on the disk. */
bool tw_file_sync(int descriptor);
/* Begins to bring what was written to the disk, so that tw_file_sync() has less to wait for. Only a
 * hint. */
void tw_file_start_sync(int descriptor);
/* What follows is read from the first byte on. */
bool tw_file_rewind(int descriptor);
/* Bytes of a regular file; false for anything else. */
bool tw_file_size(int descriptor, uint64_t *size);
/* Sets the time of the last change to now. */
void tw_file_touch(int descriptor);

/* What a path leads to, whatever it is called; without `follow` a symbolic link is itself. */
struct tw_file_id {
    uint64_t device, inode;
    bool exists; /* else the others are 0 */
};
/* TW_IO when it cannot be found out whether there is something. */
enum tw_status tw_file_identify(const char *path, bool follow, struct tw_file_id *id,
                                struct tw_error *err);
/* The path without symbolic links; `real` holds 4096 bytes. False with errno. */
bool tw_file_real_path(const char *path, char *real);
/* Such a path as seen from the working folder where it lies in that, for people; else the path. The
 * result is part of it. */
const char *tw_file_shown(const char *path);
/* The folder of an existing file in the same way, with a slash at its end. */
bool tw_file_real_folder(const char *path, char *folder);

/* The path of a file that is there or would be made, without symbolic links in its folder and in
 * one way only, so that paths of one file are equal; `place` holds 4096 bytes. Folders that do not
 * exist yet are taken as they are written. False when there can be no such file. */
bool tw_file_place(const char *path, char *place);

/* Opens a regular file of at most `limit` bytes for reading; *descriptor is left alone otherwise.
 */
enum tw_status tw_file_open_regular(const char *path, uint64_t limit, int *descriptor,
                                    uint64_t *length, struct tw_error *err);
/* SHA-256 and length of a regular file of at most `limit` bytes, in little memory. */
enum tw_status tw_file_sha256(const char *path, uint64_t limit, struct tw_sha256 *digest,
                              uint64_t *length, struct tw_error *err);
/* Reads a file of at most `limit` bytes into a new block (free() it), with a zero after the end. */
enum tw_status tw_file_read(const char *path, size_t limit, unsigned char **data, size_t *length,
                            struct tw_error *err);
/* What its status is where somebody named the file: TW_INPUT for TW_IO, in `err` as well. */
enum tw_status tw_file_as_input(enum tw_status status, struct tw_error *err);
/* The same of a file with a secret: TW_PATH when group or others have any right to it. */
enum tw_status tw_file_read_private(const char *path, size_t limit, unsigned char **data,
                                    size_t *length, struct tw_error *err);
/* Reads bytes from the middle of a file; false when they are not there. */
bool tw_file_read_part(const char *path, uint64_t offset, void *to, size_t length);
/* Reads the first bytes of a file into a new block: at most `limit`; its whole length in `total`.
 */
enum tw_status tw_file_read_head(const char *path, size_t limit, unsigned char **data,
                                 size_t *length, uint64_t *total, struct tw_error *err);
/* Writes a file whole or not at all: temp file next to it, fsync, rename. Makes no folders. */
enum tw_status tw_file_write(const char *path, const void *data, size_t length,
                             struct tw_error *err);
/* The same of a file whose bytes lie in several places. */
/* Bytes of a name that a message shows: of a longer one its first. */
#define TW_FILE_NAME_SHOWN 400

struct tw_file_part {
    const void *at;
    size_t length;
};
enum tw_status tw_file_write_parts(const char *path, const struct tw_file_part *parts, size_t count,
                                   struct tw_error *err);
/* A new folder that only its owner can read, below $TMPDIR or /tmp; `path` holds 4096 bytes. */
enum tw_status tw_file_make_temporary_folder(char *path, struct tw_error *err);
/* Removes a folder and all that is in it, without following symbolic links. */
void tw_file_remove_folder(const char *path);
/* mkdir -p. */
enum tw_status tw_file_make_folder(const char *path, struct tw_error *err);
/* The same of the folder that a file will lie in. */
enum tw_status tw_file_make_folder_of(const char *path, struct tw_error *err);
/* Makes the folders of `file` below `folder` and joins both into `path` (4096 bytes). TW_PATH when
 * a symbolic link on the way leads out of the folder. */
enum tw_status tw_file_make_place(const char *folder, const char *file, char *path,
                                  struct tw_error *err);
/* Whether tw_file_make_place() could make the folders of `file` below `folder` and a file there be
 * written, as far as that is known before it is tried: the nearest folder that exists on the way
 * is one and may be written to, and the file itself is not one. TW_IO when not. Makes nothing.
 */
enum tw_status tw_file_check_place(const char *folder, const char *file, struct tw_error *err);
/* Whether a file of that path could be made, with its folders: tw_file_check_place(), and the name
 * is neither a folder's nor a device's. */
enum tw_status tw_file_check_new(const char *path, struct tw_error *err);
/* Bytes that may still be written to the disk of a folder that may not exist yet: of the nearest
 * that does. False when that cannot be found out. */
bool tw_file_free_space(const char *folder, uint64_t *bytes);
/* Joins folder and name, resolves symbolic links, and checks that the result lies in the folder or
 * in one of `allow` (NULL-terminated, may be NULL). TW_PATH when it does not, TW_IO when there is
 * no such file. `resolved` holds 4096 bytes. */
enum tw_status tw_file_resolve(const char *folder, const char *name, const char *const *allow,
                               char *resolved, struct tw_error *err);

#endif
