/* SPDX-License-Identifier: MIT */
#ifndef TW_TESTS_SUPPORT_FOLDER_H
#define TW_TESTS_SUPPORT_FOLDER_H

/* Removes a file, or a folder with its content; returns 0 once nothing is left. */
int folder_remove(const char *path);

#endif
