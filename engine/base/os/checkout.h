/* SPDX-License-Identifier: MIT */
/* Read-only files, as version control leaves those that nobody has checked out: they are replaced
 * only after a command that the user gave has made them writable. */
#ifndef TW_ENGINE_BASE_OS_CHECKOUT_H
#define TW_ENGINE_BASE_OS_CHECKOUT_H

#include <thalweg/status.h>

#include <stdbool.h>

#define TW_CHECKOUT_FILE "{file}"

struct tw_checkout {
    /* Words separated by blanks, such as "p4 edit {file}", which no shell reads; NULL: none. */
    const char *command;
};

/* Returns whether a regular file is there, perhaps by way of links, that nobody may write. The
 * permissions of its folder, which decide whether it could be replaced, do not matter. */
bool tw_checkout_is_read_only(const char *path);
/* Makes a read-only file that is about to change writable, by the command; any other file passes,
 * and so does every file without `checkout`. TW_DIFFERENCE without a command; TW_IO if the command
 * fails, with its exit status and what it printed, or changes nothing. Any thread; one command runs
 * at a time. */
enum tw_status tw_checkout_take(const struct tw_checkout *checkout, const char *path,
                                struct tw_error *err);

#endif
