/* SPDX-License-Identifier: MIT */
/* Structs of the public interface that grow at their end. Their first member, a size_t, says how
 * much of the struct the program knows. */
#ifndef TW_ENGINE_BASE_MEMORY_OPTIONS_H
#define TW_ENGINE_BASE_MEMORY_OPTIONS_H

#include <thalweg/status.h>

#include <stddef.h>

/* Copies options into `own`, a struct of `bytes`: what the program does not know is 0, and so is
 * everything if `given` is NULL. A size of 0 stands for `bytes`. TW_USAGE if the program sets a
 * member beyond `bytes`. `name` is that of the struct. */
enum tw_status tw_options_take(const void *given, void *own, size_t bytes, const char *name,
                               struct tw_error *err);
/* Copies a report of `bytes` to the program's struct, as much as that has room for; the rest of it
 * becomes 0. Its size stays. */
void tw_options_give(void *to, const void *own, size_t bytes);

#endif
