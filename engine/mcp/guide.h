/* SPDX-License-Identifier: MIT */
/* docs/agents.md, which CMake embeds: what a language model reads first. */
#ifndef TW_ENGINE_MCP_GUIDE_H
#define TW_ENGINE_MCP_GUIDE_H

#include <stddef.h>

extern const unsigned char tw_page_guide[];
extern const size_t tw_page_guide_length;

#endif
