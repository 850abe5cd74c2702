/* SPDX-License-Identifier: MIT */
/* Files beside an .obj, as exports; tw_format_recognise() never returns them. */
#ifndef TW_ENGINE_FORMAT_MESH_COMPANIONS_H
#define TW_ENGINE_FORMAT_MESH_COMPANIONS_H

#include "format/format.h"

/* The material; it has the parts of its .obj. */
extern const struct tw_format tw_format_mtl;

#endif
