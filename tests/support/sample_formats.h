/* SPDX-License-Identifier: MIT */
/* More recipes for tests in which memory, the disk or the process fails (support/sample.h): one per
 * kind of file or work that the sample lacks. NAME.yaml exports to out/NAME; expected/NAME holds
 * the expected files. */
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
/* Writes packs.yaml again: another salt changes its actions, but not its export. */
enum { SAMPLE_SALTS = 900 };
void sample_formats_write_packs(int salt);

#endif
