/* SPDX-License-Identifier: MIT */
/* The file of an export, from the values that its sources gave: its bytes, whole or without the
 * cells that lie in memory as they are, and its sidecar. export.c writes it. */
#ifndef TW_ENGINE_RUN_EXPORT_H
#define TW_ENGINE_RUN_EXPORT_H

#include "graph/graph.h"

/* The bytes of the file that an export writes. `values` has one entry per source; they are what the
 * sources gave. `workers` share the work; NULL: the caller alone. TW_NODE, at the export's place in
 * the recipe, when a height is out of range. */
enum tw_status tw_export_encode(const struct tw_export *item, const struct tw_value *const *values,
                                const struct tw_workers *workers, struct tw_bytes *out,
                                struct tw_error *err);

/* The value whose cells, as they lie in memory, are the end of the export's file, and the bytes
 * before them, so that nobody need copy these cells. NULL: all of the file must be encoded. */
const struct tw_value *tw_export_rest(const struct tw_export *item,
                                      const struct tw_value *const *values);
enum tw_status tw_export_head(const struct tw_export *item, const struct tw_value *const *values,
                              struct tw_bytes *out, struct tw_error *err);

/* Memory that encoding takes with so many threads, besides the values and a piece of the file. */
uint64_t tw_export_bytes(const struct tw_recipe *recipe, const struct tw_export *item,
                         int32_t threads);

/* What the file of an export is written from. Without the names of several values. */
struct tw_encoding tw_export_encoding(const struct tw_export *item,
                                      const struct tw_value *const *values);
/* The file that a sidecar is about, as the sidecar names it: without its folder. */
const char *tw_export_described(const struct tw_export *item);
/* The bytes of a sidecar of a whole map, where the digest of what a reader of the file gets is
 * known: the value needs no cells. */
enum tw_status tw_export_describe(const struct tw_export *item, const struct tw_encoding *encoding,
                                  const struct tw_sha256 *content, struct tw_bytes *out,
                                  struct tw_error *err);
/* Says where in the recipe an error is: at the export. */
void tw_export_locate(const struct tw_export *item, struct tw_error *err);

/* What to type into the engine that the export is for. False without `for:`, and with `range: fit`,
 * which only its sidecar can say. */
bool tw_export_advise(const struct tw_recipe *recipe, const struct tw_export *item,
                      struct tw_advice *advice);

#endif
