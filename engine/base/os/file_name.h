/* SPDX-License-Identifier: MIT */
/* Names that mean one file on every system. What Linux allows and Windows or macOS do not, or take
 * for something else, is refused everywhere: a recipe that runs here runs there. */
#ifndef TW_ENGINE_BASE_OS_FILE_NAME_H
#define TW_ENGINE_BASE_OS_FILE_NAME_H

#include <stdbool.h>
#include <stddef.h>

struct tw_file_name_fault {
    size_t at; /* the byte of the path that it is about */
    char message[160];
};

/* Whether every part of a path, separated by '/', may be the name of a file or folder everywhere:
 * no control character, none of < > : " | ? * \, no space or dot at the end, and no name of a
 * device of Windows before its first dot ("Naming Files, Paths, and Namespaces", Microsoft 2024).
 * "." and ".." are left to the caller. */
bool tw_file_name_check(const char *path, struct tw_file_name_fault *fault);

/* Replaces what the check refuses, and '/', by '_'. */
void tw_file_name_clean(char *name);

/* Folds case, in place, as systems do that see one file in A.png and a.png: of the letters of
 * today's Latin, Greek, Cyrillic and Armenian alphabets in UTF-8. The length stays. */
void tw_file_name_fold(char *path);

#endif
