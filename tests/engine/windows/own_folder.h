/* SPDX-License-Identifier: MIT */
/* A temporary folder that is the working folder of tests, as set-up and teardown of cmocka. */
#ifndef TW_TESTS_ENGINE_WINDOWS_OWN_FOLDER_H
#define TW_TESTS_ENGINE_WINDOWS_OWN_FOLDER_H

#include "base/os/file.h"
#include "base/os/posix.h"

#include <windows.h>

static char own_folder[PATH_MAX], outer_folder[PATH_MAX];

static inline int enter_folder(void **state)
{
    struct tw_error err;
    (void)state;
    return getcwd(outer_folder, sizeof outer_folder) &&
                   tw_file_make_temporary_folder(own_folder, &err) == TW_OK &&
                   SetCurrentDirectoryA(own_folder)
               ? 0
               : -1;
}

static inline int leave_folder(void **state)
{
    (void)state;
    (void)SetCurrentDirectoryA(outer_folder);
    tw_file_remove_folder(own_folder);
    return 0;
}

#endif
