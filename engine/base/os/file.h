/* SPDX-License-Identifier: MIT */
/* The door to the disk: reads and writes whole files, and checks where they may lie. */
#ifndef TW_ENGINE_BASE_OS_FILE_H
#define TW_ENGINE_BASE_OS_FILE_H

#include "base/memory/digest.h"

#include <thalweg/status.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns whether a path begins at a root, so that no folder is put before it. */
bool tw_file_is_absolute(const char *path);
/* Gets the folder of the user's cache, whether it exists or not. Returns the variable of the
 * environment that named it; NULL if none does, or if it does not fit. */
const char *tw_file_cache_folder(char *path, size_t size);

/* Reads exactly `length` bytes, however the system splits them. False with errno, or when the file
 * ends early. */
bool tw_file_read_all(int descriptor, void *data, size_t length);
bool tw_file_write_all(int descriptor, const void *data, size_t length);
/* False, with errno, if the disk only now reports a failed write. */
bool tw_file_close(int descriptor);
/* Returns true once everything written is on the disk. */
bool tw_file_sync(int descriptor);
/* Starts writing to the disk, so that tw_file_sync() has less to wait for. Only a hint. */
void tw_file_start_sync(int descriptor);
/* Moves to the file's start. */
bool tw_file_rewind(int descriptor);
/* Gets the length of a regular file; false for anything else. */
bool tw_file_size(int descriptor, uint64_t *size);
/* Sets the modification time to now. */
void tw_file_touch(int descriptor);

/* Identifies the file that a path leads to; without `follow`, a symbolic link itself. */
struct tw_file_id {
    uint64_t device, inode;
    bool exists; /* false: the others are 0 */
};
/* TW_IO if it cannot determine whether the file exists. */
enum tw_status tw_file_identify(const char *path, bool follow, struct tw_file_id *id,
                                struct tw_error *err);
/* Resolves all symbolic links; `real` holds 4096 bytes. False with errno. */
bool tw_file_real_path(const char *path, char *real);
/* Returns the part of a resolved path below the working folder, to show to people, else the whole
 * path. The result points into `path`. */
const char *tw_file_shown(const char *path);
/* Resolves the folder of an existing file, with a trailing slash; `folder` holds 4096 bytes. */
bool tw_file_real_folder(const char *path, char *folder);

/* Returns the canonical path of a file that exists or would be created, without symbolic links in
 * its folder, so that equal files have equal paths; `place` holds 4096 bytes. Keeps folders that do
 * not exist yet as written. False when no such file can exist. */
bool tw_file_place(const char *path, char *place);

/* Opens a regular file of at most `limit` bytes for reading; sets *descriptor on success only. */
enum tw_status tw_file_open_regular(const char *path, uint64_t limit, int *descriptor,
                                    uint64_t *length, struct tw_error *err);
/* Computes SHA-256 and length of a regular file of at most `limit` bytes, in little memory. */
enum tw_status tw_file_sha256(const char *path, uint64_t limit, struct tw_sha256 *digest,
                              uint64_t *length, struct tw_error *err);
/* Reads a file of at most `limit` bytes into a new block (free() it), followed by a zero. */
enum tw_status tw_file_read(const char *path, size_t limit, unsigned char **data, size_t *length,
                            struct tw_error *err);
/* Turns TW_IO into TW_INPUT, in `err` as well, for a file that the user named. */
enum tw_status tw_file_as_input(enum tw_status status, struct tw_error *err);
/* Reads a file with a secret as tw_file_read() does; TW_PATH if group or others have any access. */
enum tw_status tw_file_read_private(const char *path, size_t limit, unsigned char **data,
                                    size_t *length, struct tw_error *err);
/* Reads bytes from the middle of a file; false if they do not exist. */
bool tw_file_read_part(const char *path, uint64_t offset, void *to, size_t length);
/* Reads up to `limit` first bytes of a file into a new block; *total is its whole length. */
enum tw_status tw_file_read_head(const char *path, size_t limit, unsigned char **data,
                                 size_t *length, uint64_t *total, struct tw_error *err);
/* Writes a file whole or not at all: temp file next to it, fsync, rename. Creates no folders. */
enum tw_status tw_file_write(const char *path, const void *data, size_t length,
                             struct tw_error *err);
/* file_replace.c: gives an existing file other bytes, whole or not at all: its mode stays, and a
 * link that leads to it. */
enum tw_status tw_file_replace(const char *path, const void *data, size_t length,
                               struct tw_error *err);
/* Whether tw_file_replace() would be welcome: its mode lets somebody write, and we may write it and
 * its folder. */
bool tw_file_is_writable(const char *path);
/* Writes a file that only its owner can read, whole or not at all. */
enum tw_status tw_file_write_private(const char *path, const void *data, size_t length,
                                     struct tw_error *err);
/* Writes a file whose bytes are scattered over several spans, whole or not at all. */
/* How many bytes of a name a message shows; it cuts longer ones. */
#define TW_FILE_NAME_SHOWN 400

struct tw_file_part {
    const void *at;
    size_t length;
};
enum tw_status tw_file_write_parts(const char *path, const struct tw_file_part *parts, size_t count,
                                   struct tw_error *err);
/* Creates a new folder that only its owner can read, below $TMPDIR or /tmp; `path` holds 4096
 * bytes. */
enum tw_status tw_file_make_temporary_folder(char *path, struct tw_error *err);
/* Removes a folder and its contents, without following symbolic links. */
void tw_file_remove_folder(const char *path);
/* mkdir -p. */
enum tw_status tw_file_make_folder(const char *path, struct tw_error *err);
/* Creates the folder in which a file will lie, and those above it. */
enum tw_status tw_file_make_folder_of(const char *path, struct tw_error *err);
/* Creates the folders of `file` below `folder` and joins both into `path` (4096 bytes). TW_PATH if
 * a symbolic link on the way leads out of the folder. */
enum tw_status tw_file_make_place(const char *folder, const char *file, char *path,
                                  struct tw_error *err);
/* Checks, without creating anything, whether tw_file_make_place() could create the folders of
 * `file` below `folder` and the file could be written there: the nearest existing ancestor must be
 * a writable folder, and the file itself no folder. TW_IO if not. */
enum tw_status tw_file_check_place(const char *folder, const char *file, struct tw_error *err);
/* Checks as tw_file_check_place() does that a file and its folders could be created, and that the
 * name is neither a folder's nor a device's. */
enum tw_status tw_file_check_new(const char *path, struct tw_error *err);
/* Gets how many bytes may still be written to the disk of a folder or, if it does not exist, of its
 * nearest existing ancestor. False if unknown. */
bool tw_file_free_space(const char *folder, uint64_t *bytes);
/* Joins folder and name, resolves symbolic links, and checks that the result lies in the folder or
 * in one of `allow` (NULL-terminated, may be NULL). TW_PATH if it does not, TW_IO if the file does
 * not exist. `resolved` holds 4096 bytes. */
enum tw_status tw_file_resolve(const char *folder, const char *name, const char *const *allow,
                               char *resolved, struct tw_error *err);

#endif
