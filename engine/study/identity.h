/* SPDX-License-Identifier: MIT */
/* Digests what decides the samples of an experiment, and nothing else: versions of the engine and
 * of every node, parameters, size, files that nodes read, variants and measures. Goals, assertions
 * and the number of seeds are excluded, since they do not change samples. */
#ifndef TW_ENGINE_STUDY_IDENTITY_H
#define TW_ENGINE_STUDY_IDENTITY_H

#include "study/round.h"

#define TW_DIGEST_TEXT 65 /* bytes of a SHA-256 as text */

/* Identifies an experiment by its first seed's rounds. Two machines with equal identities may share
 * samples. Reads the files of nodes; TW_INPUT, TW_MEMORY. */
enum tw_status tw_compare_identify(const struct tw_compare_rounds *rounds,
                                   struct tw_sha256 *identity, struct tw_error *err);

/* Digests what a variant's recipe computes with one seed: its size, its nodes with their versions
 * and parameters, and the files that they read. As hexadecimal text. TW_INPUT, TW_MEMORY. */
enum tw_status tw_compare_digest(const struct tw_recipe *recipe, char hex[TW_DIGEST_TEXT],
                                 struct tw_error *err);

#endif
