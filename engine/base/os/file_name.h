/* SPDX-License-Identifier: MIT */
/* File names that are valid, and mean one file, on every system. Refuses everywhere what Linux
 * allows but Windows or macOS refuse or interpret differently, so that recipes are portable. */
#ifndef TW_ENGINE_BASE_OS_FILE_NAME_H
#define TW_ENGINE_BASE_OS_FILE_NAME_H

#include <stdbool.h>
#include <stddef.h>

struct tw_file_name_fault {
    size_t at; /* offset of the fault in the path */
    char message[160];
};

/* Checks that every part of a path, separated by '/', can name a file or folder on all systems: no
 * control character, none of < > : " | ? * \, no space or dot at the end, and no Windows device
 * name before its first dot ("Naming Files, Paths, and Namespaces", Microsoft 2024). Leaves "." and
 * ".." to the caller. */
bool tw_file_name_check(const char *path, struct tw_file_name_fault *fault);

/* Checks a path by which a recipe names another file, unless it is absolute: such a path is for one
 * machine, whose names it may use. */
bool tw_file_name_check_relative(const char *path, struct tw_file_name_fault *fault);

/* Replaces characters that the check refuses, and '/', by '_'. */
void tw_file_name_clean(char *name);

/* Folds case in place, as systems do that treat A.png and a.png as one file: letters below U+10000
 * whose two cases have as many bytes in UTF-8. The length does not change. */
void tw_file_name_fold(char *path);

#endif
