/* SPDX-License-Identifier: MIT */
/* More recipes for tests that let memory, the disk or the process fail (support/sample.h): one a
 * kind of file or of work that the sample does not have. What NAME.yaml exports to out/NAME is in
 * expected/NAME. */
#ifndef TW_TESTS_SUPPORT_SAMPLE_FORMATS_H
#define TW_TESTS_SUPPORT_SAMPLE_FORMATS_H

/* Writes them beside the sample:
 *   assets   tiles with sidecars, what a program asks for, formats of more than one part
 *   raw      a file without a header, whose rows would be upside down without its sidecar
 *   rows     a PNG that is read by rows, to files that are written by rows
 *   strips   a PNG that is packed in strips
 *   bands    files that grow row by row, one after the other and side by side
 *   packs    actions that share a file of the cache
 * and runs each with `run`, which returns its exit code. */
void sample_formats_write(int (*run)(const char *arguments));
/* packs.yaml anew: with another salt its actions are others and its export is the same. */
enum { SAMPLE_SALTS = 900 };
void sample_formats_write_packs(int salt);

#endif
