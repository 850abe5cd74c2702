/* SPDX-License-Identifier: MIT */
/* A folder held open, and the files below it by relative path: paths stay short, of fixed size and
 * independent of the working directory. Functions that fail set errno. */
#ifndef TW_ENGINE_BASE_OS_DIR_H
#define TW_ENGINE_BASE_OS_DIR_H

#include <thalweg/status.h>

#include <stdbool.h>
#include <stdint.h>

/* Facts about a regular file. */
struct tw_file_info {
    uint64_t size;
    int64_t seconds; /* last modified, since 1970 */
    int32_t nanoseconds;
};

/* Opens a folder; -1 on failure. With `make` creates the folders on the way first. */
int tw_dir_open(const char *path, bool make);
/* Creates one folder; succeeds if it exists. */
bool tw_dir_make(int dir, const char *name);
bool tw_dir_is_writable(int dir, const char *name);

/* Opens a file for tw_file_read_all(); -1 on failure. Does not wait for the other end of a pipe. */
int tw_dir_read_file(int dir, const char *path);
/* Creates a new file, readable by its owner only if `secret`. Returns its descriptor, or -1, also
 * if the name is taken. */
int tw_dir_create_file(int dir, const char *path, bool secret);
/* Follows symbolic links; false for anything but a regular file. */
bool tw_dir_stat(int dir, const char *path, struct tw_file_info *info);
/* Replaces an existing file `to` atomically. */
bool tw_dir_rename(int dir, const char *from, const char *to);
/* Fails with EEXIST when `to` exists. */
bool tw_dir_rename_new(int dir, const char *from, const char *to);
bool tw_dir_remove(int dir, const char *path);

/* Calls `each` for every regular file directly in a folder, in no order, until a call fails. A
 * folder that does not exist counts as empty; "." is the folder itself. Files may come and go
 * meanwhile. */
typedef enum tw_status tw_dir_each(void *context, const char *name, const struct tw_file_info *info,
                                   struct tw_error *err);
enum tw_status tw_dir_list(int dir, const char *folder, tw_dir_each *each, void *context,
                           struct tw_error *err);

#endif
