/* SPDX-License-Identifier: MIT */
#include "console/experiment_file.h"

#include "project/project.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Finds the folder up to which an experiment may name recipes; false for only its own. */
static bool find_root(const char *path, char root[PATH_MAX])
{
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path + 1) : 0;
    if (length >= sizeof folder)
        return false;
    memcpy(folder, path, length);
    folder[length] = 0;
    return tw_project_find_root(folder, root);
}

enum tw_status tw_console_experiment_load(const struct tw_settings *settings, const char *path,
                                          const struct tw_load_options *load,
                                          struct tw_experiment **experiment, struct tw_error *err)
{
    struct tw_load_options own = *load;
    char root[PATH_MAX];
    size_t count = 0;
    if (settings->untrusted || !find_root(path, root))
        return tw_experiment_load(path, load, experiment, err);
    while (load->allow && load->allow[count])
        count++;
    const char **allow = calloc(count + 2, sizeof *allow);
    if (!allow)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    for (size_t i = 0; i < count; i++)
        allow[i] = load->allow[i];
    allow[count] = root;
    own.allow = allow;
    enum tw_status status = tw_experiment_load(path, &own, experiment, err);
    free(allow);
    return status;
}
