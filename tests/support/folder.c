/* SPDX-License-Identifier: MIT */
#include "support/folder.h"

#include "base/os/file.h"

#include <stdio.h>

int folder_remove(const char *path)
{
    struct tw_file_id left;
    if (remove(path) == 0)
        return 0;
    tw_file_remove_folder(path);
    return tw_file_identify(path, false, &left, NULL) == TW_OK && !left.exists ? 0 : -1;
}
