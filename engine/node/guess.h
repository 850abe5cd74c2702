/* SPDX-License-Identifier: MIT */
/* Guesses which node type an unknown name means. */
#ifndef TW_ENGINE_NODE_GUESS_H
#define TW_ENGINE_NODE_GUESS_H

#include "base/memory/arena.h"
#include "node/registry.h"

/* Returns a hint in the arena's memory: the types of that kind in any family ('perlin'), else the
 * nearest spelling, else the types whose description has the word ('erosion.water'), else the kinds
 * of the family, else the families. NULL when out of memory. */
const char *tw_guess_type(const struct tw_registry *registry, const char *name,
                          struct tw_arena *arena);

#endif
