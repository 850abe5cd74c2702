/* SPDX-License-Identifier: MIT */
/* Runs a fuzz target over the files of a folder, so that every compiler tests the corpus. */
#include "fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned char bytes[1 << 20];

static void replay(const char *folder, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (!file) {
        fprintf(stderr, "cannot read %s\n", path);
        exit(1);
    }
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    fprintf(stderr, "%s\n", path);
    /* A block of the exact size: sanitizers see reads beyond it. */
    uint8_t *data = malloc(size ? size : 1);
    if (!data)
        exit(1);
    for (size_t i = 0; i < size; i++)
        data[i] = bytes[i];
    LLVMFuzzerTestOneInput(data, size);
    free(data);
}

int main(int argc, char **argv)
{
    DIR *folder = argc == 2 ? opendir(argv[1]) : NULL;
    int count = 0;
    if (!folder) {
        fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
        return 2;
    }
    for (const struct dirent *entry; (entry = readdir(folder));)
        if (entry->d_name[0] != '.') {
            replay(argv[1], entry->d_name);
            count++;
        }
    closedir(folder);
    return count ? 0 : 1;
}
