/* SPDX-License-Identifier: MIT */
/* A folder that is held open, and the files below it by relative path: short paths of fixed size
 * that do not depend on the working directory. What fails leaves its reason in errno. */
#ifndef TW_ENGINE_BASE_OS_DIR_H
#define TW_ENGINE_BASE_OS_DIR_H

#include <thalweg/status.h>

#include <stdbool.h>
#include <stdint.h>

/* Of a regular file. */
struct tw_file_info {
    uint64_t size;
    int64_t seconds; /* last modified, since 1970 */
    int32_t nanoseconds;
};

/* A descriptor, or -1. With `make` the folders on the way are created first. */
int tw_dir_open(const char *path, bool make);
/* Creates one folder; one that exists is fine. */
bool tw_dir_make(int dir, const char *name);
bool tw_dir_is_writable(int dir, const char *name);

/* A descriptor for tw_file_read_all(), or -1. Does not wait for the other end of a pipe. */
int tw_dir_read_file(int dir, const char *path);
/* A descriptor of a new file that only its owner can read when `secret`, or -1, also when the
 * name is taken. */
int tw_dir_create_file(int dir, const char *path, bool secret);
/* False for anything but a regular file; a symbolic link counts as what it leads to. */
bool tw_dir_stat(int dir, const char *path, struct tw_file_info *info);
/* An existing file `to` is replaced at once. */
bool tw_dir_rename(int dir, const char *from, const char *to);
/* Fails with EEXIST when `to` exists. */
bool tw_dir_rename_new(int dir, const char *from, const char *to);
bool tw_dir_remove(int dir, const char *path);

/* Calls `each` for every regular file right in a folder, in no order, until it fails. A folder that
 * does not exist is empty; "." is the folder itself. Files may come and go meanwhile. */
typedef enum tw_status tw_dir_each(void *context, const char *name, const struct tw_file_info *info,
                                   struct tw_error *err);
enum tw_status tw_dir_list(int dir, const char *folder, tw_dir_each *each, void *context,
                           struct tw_error *err);

#endif
