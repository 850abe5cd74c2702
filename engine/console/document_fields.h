/* SPDX-License-Identifier: MIT */
/* The fields of the JSON documents that commands print, a list for each document and for each part
 * of one. A row is F(T, name, kind, type, help), or O(...) for a field that may be missing; T is
 * the list's tag. An underscore behind the name, of a word that C keeps for itself, is not part of
 * it. documents.h makes a struct of every list, which writers fill, and rows, of which the JSON
 * Schema and the tables of docs/json.md are made. A new field is a row here.
 *
 * `kind` is the member's type in C: TEXT, INTEGER, NUMBER, BOOLEAN or, for anything else and for
 * numbers that may be missing, JSON. `type` is one of text, integer, number, boolean, size ([width,
 * height]), pair ([low, high]), object and array (of anything); words separated by '|', one of
 * which the value must be; or another part's name. "[x]" is a list of x, "{x}" an object whose
 * members, of any name, are x, "x?" an x or null. */
#ifndef TW_ENGINE_CONSOLE_DOCUMENT_FIELDS_H
#define TW_ENGINE_CONSOLE_DOCUMENT_FIELDS_H

/* clang-format off */
/* The fields that every document has. */
#define TW_FRAME_FIELDS(F, O, T) \
    F(T, format, TEXT, "text", \
      "`thalweg.<command>/N`; N rises when a field changes its meaning or goes") \
    F(T, version, TEXT, "text", "of the engine") \
    F(T, exit_code, INTEGER, "integer", "of the process") \
    F(T, status, TEXT, "done|difference|usage|invalid|failed|interrupted", "the same in a word") \
    F(T, interrupted, TEXT, "SIGINT|SIGTERM|SIGHUP?", "the signal") \
    F(T, errors, JSON, "[finding]", "in the order in which they were found") \
    F(T, warnings, JSON, "[finding]", "the same")

#define TW_FINDING_FIELDS(F, O, T) \
    F(T, status, TEXT, "text", "`invalid recipe`, `a limit was exceeded`...") \
    F(T, file, TEXT, "text?", "") \
    F(T, line, JSON, "integer?", "from 1") \
    F(T, column, JSON, "integer?", "from 1, in characters") \
    F(T, node, TEXT, "text?", "its path, as in `hills/noise`") \
    F(T, message, TEXT, "text", "") \
    F(T, hint, TEXT, "text?", "what to do")

#define TW_RUN_FIELDS(F, O, T) \
    F(T, seconds, NUMBER, "number", "") \
    F(T, peak_bytes, INTEGER, "integer", "forecast") \
    F(T, spilled, JSON, "spilled?", "null: all values fit into `--max-memory`") \
    F(T, remote, JSON, "remote?", "counts of `--cache-url`") \
    F(T, needed, INTEGER, "integer", "nodes; what recipes share counts once") \
    F(T, computed, INTEGER, "integer", "of these") \
    F(T, hits, INTEGER, "integer", "the others") \
    F(T, recipes, JSON, "[run-recipe]", "")

#define TW_SERVE_FIELDS(F, O, T) \
    F(T, code, INTEGER, "integer", "exit code of the last run, 0 before one has ended") \
    F(T, revision, INTEGER, "integer", "of the last run that has begun; a run that is asked for gets the next") \
    F(T, running, BOOLEAN, "boolean", "a run is under way") \
    F(T, draft, BOOLEAN, "boolean", "the last run was one of few cells") \
    F(T, recipe, TEXT, "text", "its file") \
    F(T, about, TEXT, "text", "") \
    F(T, text, TEXT, "text", "digest of the file's text") \
    F(T, read_only, BOOLEAN, "boolean", "`--read-only` or `--untrusted`: nothing can be set or written") \
    F(T, writable, BOOLEAN, "boolean", "the page may write its values to the recipe, or to one of two") \
    F(T, key_lasts, BOOLEAN, "boolean", "the address is the same after a restart; not with `--no-cache`") \
    F(T, world, JSON, "serve-world?", "null without `world:`") \
    F(T, size, JSON, "size", "of the map; 0 x 0 before a recipe was loaded") \
    F(T, seed, INTEGER, "integer", "") \
    F(T, variants, JSON, "[serve-variant]", "two with `--against`, `--variants` or two recipes; else none") \
    F(T, params, JSON, "[serve-row]", "of `params:`") \
    F(T, nodes, JSON, "[serve-node]", "in the order in which they are computed") \
    F(T, views, JSON, "[serve-view]", "values of nodes that have been computed") \
    F(T, records, JSON, "[serve-record]", "") \
    F(T, pending, JSON, "{text}", "values that are set, by path") \
    F(T, diagnostics, TEXT, "text", "what the terminal got, with the lines of the recipe") \
    F(T, seconds, NUMBER, "number", "of the last run") \
    F(T, computed, INTEGER, "integer", "nodes of the last run") \
    F(T, kept, INTEGER, "integer", "nodes whose results came from the cache")

#define TW_SERVE_WORLD_FIELDS(F, O, T) \
    F(T, side_m, NUMBER, "number", "metres") \
    F(T, height_m, NUMBER, "number", "metres of the height 1") \
    F(T, sea_level, NUMBER, "number", "a height")

#define TW_SERVE_VARIANT_FIELDS(F, O, T) \
    F(T, name, TEXT, "a|b", "with a point behind it, begins the paths, keys and nodes of the variant") \
    F(T, label, TEXT, "text", "")

#define TW_SERVE_ROW_FIELDS(F, O, T) \
    F(T, path, TEXT, "text", "as `params.talus`, `nodes.rivers.K` or, of a list, `nodes.levels.to.1`, from 0") \
    F(T, name, TEXT, "text", "") \
    F(T, kind, TEXT, "number|integer|word|switch|text", "") \
    O(T, value, JSON, "text", "as it is set, in the file, or the default") \
    F(T, file, TEXT, "text?", "what the file has; null: nothing") \
    F(T, default_, TEXT, "text", "") \
    O(T, min, JSON, "number", "the least value that is allowed") \
    O(T, max, JSON, "number", "the greatest") \
    O(T, low, JSON, "number", "where a slider begins; without one only a field is of use") \
    O(T, high, JSON, "number", "where it ends") \
    F(T, log, BOOLEAN, "boolean", "the slider is logarithmic") \
    F(T, unit, TEXT, "text", "") \
    O(T, suffix, JSON, "text", "follows the number, as in `800 m`") \
    F(T, about, TEXT, "text", "") \
    O(T, options, JSON, "[text]", "the words") \
    O(T, list, JSON, "text", "default of the list that this is an item of") \
    F(T, fixed, BOOLEAN, "boolean", "the file has an alias or `${...}` here, or no place for it: it cannot be set") \
    F(T, line, INTEGER, "integer", "of the file, also of the node that lacks it")

#define TW_SERVE_NODE_FIELDS(F, O, T) \
    F(T, name, TEXT, "text", "its path in the recipe") \
    O(T, variant, JSON, "a|b", "") \
    F(T, type, TEXT, "text", "") \
    F(T, line, INTEGER, "integer", "") \
    F(T, file, TEXT, "text?", "null: the recipe's own") \
    F(T, outcome, TEXT, "computed|kept|failed|waiting|left", "") \
    F(T, seconds, NUMBER, "number", "") \
    F(T, inputs, JSON, "[serve-input]", "") \
    F(T, outputs, JSON, "[serve-output]", "") \
    F(T, params, JSON, "[serve-row]", "")

#define TW_SERVE_INPUT_FIELDS(F, O, T) \
    F(T, port, TEXT, "text", "") \
    F(T, from, TEXT, "text", "node and port")

#define TW_SERVE_OUTPUT_FIELDS(F, O, T) \
    F(T, port, TEXT, "text", "") \
    F(T, type, TEXT, "text", "")

#define TW_SERVE_VIEW_FIELDS(F, O, T) \
    F(T, key, TEXT, "text", "node and port") \
    O(T, variant, JSON, "a|b", "") \
    F(T, node, TEXT, "text", "") \
    F(T, port, TEXT, "text", "") \
    F(T, kind, TEXT, "heightmap|mask|labels|image|record|other", "") \
    F(T, names, JSON, "[text]", "of the recipe's outputs") \
    F(T, files, JSON, "[text]", "exports of it, which `serve` does not write") \
    F(T, digest, TEXT, "text", "of the value: `/v/DIGEST` is a grid, `/p/DIGEST` a picture") \
    F(T, stale, BOOLEAN, "boolean", "it is of an earlier run") \
    F(T, draft, BOOLEAN, "boolean", "it has few cells")

#define TW_SERVE_FACTS_FIELDS(F, O, T) \
    O(T, size, JSON, "size", "of the body: at most 1024 a side for a grid") \
    O(T, map, JSON, "size", "of the value") \
    O(T, encoding, JSON, "array", "of a grid: `u8` or `u16`, least value, and step between numbers") \
    O(T, least, JSON, "number", "of a heightmap or mask") \
    O(T, greatest, JSON, "number", "the same") \
    O(T, thumb, JSON, "text", "`/t/` before it is a PNG of at most 112 pixels") \
    O(T, count, JSON, "integer", "elements of a list") \
    O(T, entries, JSON, "{number}", "of a record")

#define TW_SERVE_RECORD_FIELDS(F, O, T) \
    F(T, key, TEXT, "text", "node and port") \
    F(T, node, TEXT, "text", "") \
    F(T, entries, JSON, "{number}", "") \
    O(T, bands, JSON, "{[number]}", "of `measure.realism`: percentiles 5, 50 and 95 of real mountains")

#define TW_SPILLED_FIELDS(F, O, T) \
    F(T, values, INTEGER, "integer", "that left memory for the cache folder and came back") \
    F(T, bytes, INTEGER, "integer", "of these, once each") \
    F(T, written_bytes, INTEGER, "integer", "the others were in the folder already") \
    F(T, read_bytes, INTEGER, "integer", "back, as often as that was") \
    F(T, forecast_values, INTEGER, "integer", "of a run that finds nothing in the cache, at most") \
    F(T, forecast_bytes, INTEGER, "integer", "the same") \
    F(T, forecast_read_bytes, INTEGER, "integer", "the same")

#define TW_REMOTE_FIELDS(F, O, T) \
    F(T, requests, INTEGER, "integer", "") \
    F(T, hits, INTEGER, "integer", "objects that came") \
    F(T, misses, INTEGER, "integer", "") \
    F(T, damaged, INTEGER, "integer", "objects that were not used") \
    F(T, sent, INTEGER, "integer", "objects") \
    F(T, present, INTEGER, "integer", "objects that were there") \
    F(T, failures, INTEGER, "integer", "") \
    F(T, bytes_in, INTEGER, "integer", "") \
    F(T, bytes_out, INTEGER, "integer", "") \
    F(T, left, BOOLEAN, "boolean", "it was given up")

#define TW_RUN_RECIPE_FIELDS(F, O, T) \
    F(T, recipe, TEXT, "text", "") \
    F(T, folder, TEXT, "text", "of its exports") \
    F(T, seed, TEXT, "text?", "64 bits; null for a recipe that could not be loaded") \
    F(T, size, JSON, "size?", "the same") \
    F(T, seconds, NUMBER, "number", "of its nodes that were computed; what recipes share counts for each") \
    F(T, needed, INTEGER, "integer", "nodes") \
    F(T, computed, INTEGER, "integer", "of these") \
    F(T, exports, JSON, "[run-export]", "") \
    F(T, nodes, JSON, "[run-node]", "those that were needed")

#define TW_RUN_EXPORT_FIELDS(F, O, T) \
    F(T, file, TEXT, "text", "") \
    F(T, complete, BOOLEAN, "boolean", "it is on disk; of a dry run, where the cache can tell") \
    F(T, written, BOOLEAN, "boolean", "it was not before") \
    F(T, bytes, INTEGER, "integer", "") \
    F(T, sha256, TEXT, "text?", "of the file; null where the run neither wrote nor found it") \
    F(T, type_in, JSON, "[number-to-type]", "what the engine in `for:` asks for, in its order")

#define TW_NUMBER_TO_TYPE_FIELDS(F, O, T) \
    F(T, name, TEXT, "text", "as the engine has it") \
    F(T, value, TEXT, "text", "")

#define TW_RUN_NODE_FIELDS(F, O, T) \
    F(T, path, TEXT, "text", "") \
    F(T, type, TEXT, "text", "") \
    F(T, outcome, TEXT, "hit|computed|undecided", "") \
    F(T, seconds, NUMBER, "number", "") \
    F(T, loaded, BOOLEAN, "boolean", "a value was read from a cache") \
    F(T, entry_from, TEXT, "home|remote?", "null: not from a cache") \
    F(T, value_from, TEXT, "home|remote?", "the same") \
    F(T, outputs, JSON, "{text}", "digests by name")

/* ---- check, graph, nodes ---- */

#define TW_CHECK_FIELDS(F, O, T) \
    F(T, recipes, JSON, "[check-recipe]", "")

#define TW_CHECK_RECIPE_FIELDS(F, O, T) \
    F(T, recipe, TEXT, "text", "") \
    F(T, ok, BOOLEAN, "boolean", "the others only where it is") \
    O(T, seed, TEXT, "text", "64 bits") \
    O(T, size, JSON, "size", "") \
    O(T, borders, TEXT, "wrap|closed", "") \
    O(T, nodes, JSON, "integer", "how many") \
    O(T, outputs, JSON, "integer", "how many") \
    O(T, exports, JSON, "integer", "how many")

#define TW_LIST_FIELDS(F, O, T) \
    F(T, recipes, JSON, "[list-recipe]", "")

#define TW_LIST_RECIPE_FIELDS(F, O, T) \
    F(T, recipe, TEXT, "text", "") \
    F(T, inputs, JSON, "[text]", "files that it reads, its own among them; with `--inputs`")

#define TW_GRAPH_FIELDS(F, O, T) \
    F(T, recipe, TEXT, "text", "") \
    F(T, size, JSON, "size", "") \
    F(T, nodes, JSON, "[graph-node]", "") \
    F(T, outputs, JSON, "[graph-source]", "") \
    F(T, exports, JSON, "[graph-export]", "")

#define TW_GRAPH_NODE_FIELDS(F, O, T) \
    F(T, path, TEXT, "text", "") \
    F(T, type, TEXT, "text", "") \
    F(T, file, TEXT, "text", "that it stands in") \
    F(T, line, INTEGER, "integer", "") \
    F(T, column, INTEGER, "integer", "") \
    F(T, inputs, JSON, "[graph-source]", "")

#define TW_GRAPH_SOURCE_FIELDS(F, O, T) \
    F(T, name, TEXT, "text", "of the input or output") \
    F(T, node, TEXT, "text", "where it comes from") \
    F(T, output, TEXT, "text", "of that node")

#define TW_GRAPH_EXPORT_FIELDS(F, O, T) \
    F(T, file, TEXT, "text", "") \
    F(T, from, JSON, "[graph-source]", "")

#define TW_NODES_FIELDS(F, O, T) \
    F(T, types, JSON, "[object]", \
      "everything about one type, or about all; of a search, best first")

/* ---- the gate ---- */

#define TW_GATE_FIELDS(F, O, T) \
    F(T, computed, INTEGER, "integer", "nodes that the cache did not answer") \
    F(T, page, TEXT, "text?", "of the differences") \
    F(T, recipes, JSON, "[gate-recipe]", "")

#define TW_GATE_RECIPE_FIELDS(F, O, T) \
    F(T, recipe, TEXT, "text", "") \
    F(T, lock, TEXT, "text", "") \
    F(T, written, BOOLEAN, "boolean", "the lock was") \
    F(T, outputs, INTEGER, "integer", "how many") \
    F(T, exports, INTEGER, "integer", "how many") \
    O(T, verdict, TEXT, "same|within|differs|no lock|failed", \
      "of two states; `no lock`: it is missing or damaged; the others where they were compared") \
    O(T, first, JSON, "gate-node?", "the first in the graph whose content differs") \
    O(T, world, JSON, "[cause]", "of all nodes: size, borders, engine") \
    O(T, nodes, JSON, "[gate-node]", "that changed") \
    O(T, results, JSON, "[gate-result]", "that differ") \
    O(T, maps, JSON, "[gate-map]", "by how much") \
    O(T, no_maps, JSON, "text?", "why there are none")

#define TW_GATE_NODE_FIELDS(F, O, T) \
    F(T, path, TEXT, "text", "") \
    F(T, type, TEXT, "text?", "") \
    F(T, state, TEXT, "added|removed|changed|follows", "") \
    F(T, differs, BOOLEAN, "boolean", "its content does") \
    F(T, causes, JSON, "[cause]", "")

#define TW_CAUSE_FIELDS(F, O, T) \
    F(T, name, TEXT, "text", "as `params.talus`") \
    F(T, before, TEXT, "text?", "") \
    F(T, after, TEXT, "text?", "")

#define TW_GATE_RESULT_FIELDS(F, O, T) \
    F(T, name, TEXT, "text", "") \
    F(T, kind, TEXT, "output|export", "") \
    F(T, before, TEXT, "text?", "SHA-256") \
    F(T, after, TEXT, "text?", "SHA-256")

#define TW_GATE_MAP_FIELDS(F, O, T) \
    F(T, name, TEXT, "text", "") \
    F(T, comparable, BOOLEAN, "boolean", "the numbers only where it is") \
    O(T, cells, JSON, "integer", "") \
    O(T, differing, JSON, "integer", "cells") \
    O(T, mean, JSON, "number", "") \
    O(T, max, JSON, "number", "") \
    O(T, rms, JSON, "number", "") \
    O(T, percent, JSON, "number", "") \
    O(T, at, JSON, "pair", "the cell that differs most") \
    O(T, fields, JSON, "[record-field]", "of a record")

#define TW_RECORD_FIELD_FIELDS(F, O, T) \
    F(T, name, TEXT, "text", "") \
    F(T, before, NUMBER, "number", "") \
    F(T, after, NUMBER, "number", "")

#define TW_MAP_DIFF_FIELDS(F, O, T) \
    F(T, a, TEXT, "text", "") \
    F(T, b, TEXT, "text", "") \
    F(T, verdict, TEXT, "same|differs", "") \
    F(T, cells, INTEGER, "integer", "") \
    F(T, differing, INTEGER, "integer", "cells") \
    F(T, mean, NUMBER, "number", "") \
    F(T, max, NUMBER, "number", "") \
    F(T, rms, NUMBER, "number", "") \
    F(T, percent, NUMBER, "number", "") \
    F(T, at, JSON, "pair", "the cell that differs most")

/* ---- experiments ---- */

#define TW_COMPARE_FIELDS(F, O, T) \
    O(T, experiment, TEXT, "text", "this and the others unless `--shard` was given") \
    O(T, size, JSON, "size", "") \
    O(T, baseline, JSON, "text?", "") \
    O(T, total, JSON, "integer", "seeds that ran; means and intervals are of all of them") \
    O(T, seeds, JSON, "[text]", "64 bits each; those that tests of ranks are about") \
    O(T, variants, JSON, "[object]", "by measure: mean, deviation, min, max, mean_95") \
    O(T, pairs, JSON, "[object]", "each against the baseline: difference, tests, verdict") \
    O(T, stopped, JSON, "text?", "by which signal") \
    O(T, failed, JSON, "integer", "seeds that were left out") \
    O(T, narrow, JSON, "boolean", "the intervals are as narrow as `until` says") \
    O(T, sensitivity, JSON, "object", "") \
    O(T, tuning, JSON, "object", "") \
    O(T, fronts, JSON, "[object]", "of the measures of `front`: points that none is better than") \
    O(T, matching, JSON, "[object]", "what `match` set in variants, and what is left") \
    O(T, adjusted, JSON, "[object]", "differences at equal values of the measure of `adjust`") \
    O(T, against, JSON, "object", "with `--against`: which means changed since")

#define TW_COMPARE_SHARD_FIELDS(F, O, T) \
    O(T, shard, JSON, "integer", "this, the next three and `failed` with `--shard`") \
    O(T, of, JSON, "integer", "shards") \
    O(T, file, TEXT, "text", "that has the seeds' samples") \
    O(T, computed, JSON, "integer", "seeds; 0 when the shard was there")

#define TW_JUDGE_FIELDS(F, O, T) \
    F(T, experiment, TEXT, "text", "") \
    O(T, page, TEXT, "text", "this and the next without `--answers`: the file that was written") \
    O(T, pairs, JSON, "integer", "on the page") \
    O(T, answers, JSON, "integer", "this and the others with `--answers`") \
    O(T, files, JSON, "integer", "") \
    O(T, ties, JSON, "integer", "") \
    O(T, variants, JSON, "[object]", "by strength") \
    O(T, measures, JSON, "[object]", "how often each agrees")

/* ---- files, cache, doctor ---- */

#define TW_INSPECT_FIELDS(F, O, T) \
    F(T, files, JSON, "[inspect-file]", "")

#define TW_INSPECT_FILE_FIELDS(F, O, T) \
    F(T, file, TEXT, "text", "") \
    O(T, error, JSON, "object", "why it could not be read, and then nothing else") \
    O(T, format, TEXT, "text", "png, r16, lock, sidecar...") \
    O(T, bytes, JSON, "integer", "") \
    O(T, type, TEXT, "text", "") \
    O(T, sha256, TEXT, "text", "of the values that a reader gets, as a lock has it") \
    O(T, facts, JSON, "{text}", "of what is not a map") \
    O(T, notes, JSON, "{text}", "of the file itself, about where it comes from")

#define TW_INSPECT_PLACE_FIELDS(F, O, T) \
    O(T, georeference, JSON, "georeference?", "where a TIFF or `.asc` lies") \
    O(T, heights, JSON, "heights?", "of levels whose range `--range` or the sidecar says")

#define TW_INSPECT_BESIDE_FIELDS(F, O, T) \
    O(T, sidecar, JSON, "inspect-sidecar?", "") \
    O(T, differs, JSON, "text?", "what the sidecar or the notes say otherwise")

#define TW_INSPECT_RANGE_FIELDS(F, O, T) \
    O(T, size, JSON, "size", "of a map") \
    O(T, least, JSON, "number", "this, `greatest` and `mean` of a map, as a reader gets it") \
    O(T, greatest, JSON, "number", "") \
    O(T, mean, JSON, "number", "")

#define TW_GEOREFERENCE_FIELDS(F, O, T) \
    F(T, west, NUMBER, "number", "of the map's corner, in units of `system`") \
    F(T, north, NUMBER, "number", "") \
    F(T, cell_x, NUMBER, "number", "width of a cell") \
    F(T, cell_y, NUMBER, "number", "height of a cell") \
    F(T, system, TEXT, "text?", "`EPSG:32632`, or what the file says")

#define TW_HEIGHTS_FIELDS(F, O, T) \
    F(T, range, JSON, "pair", "of the least and the greatest level") \
    F(T, least, NUMBER, "number", "") \
    F(T, greatest, NUMBER, "number", "") \
    F(T, mean, NUMBER, "number", "")

#define TW_INSPECT_SIDECAR_FIELDS(F, O, T) \
    F(T, file, TEXT, "text", "") \
    F(T, recipe, TEXT, "text", "") \
    F(T, cell_m, NUMBER, "number", "") \
    F(T, height_m, NUMBER, "number", "") \
    F(T, sea_m, NUMBER, "number", "")

#define TW_CACHE_FIELDS(F, O, T) \
    O(T, folder, TEXT, "text", "") \
    O(T, actions, JSON, "integer", "of `stats`, as the next three") \
    O(T, blobs, JSON, "integer", "") \
    O(T, bytes, JSON, "integer", "") \
    O(T, stale, JSON, "integer", "") \
    O(T, tiers, JSON, "[cache-tier]", "of `stats`") \
    O(T, freed, JSON, "integer", "bytes, of `gc`") \
    O(T, sent, JSON, "integer", "objects; this and the following of `push` and `pull`") \
    O(T, present, JSON, "integer", "objects that were there") \
    O(T, received, JSON, "integer", "objects") \
    O(T, bytes_in, JSON, "integer", "") \
    O(T, bytes_out, JSON, "integer", "") \
    O(T, nodes, JSON, "integer", "") \
    O(T, lacking, JSON, "integer", "nodes that could not be shared")

#define TW_CACHE_TIER_FIELDS(F, O, T) \
    F(T, tier, TEXT, "folder|server", "") \
    F(T, requests, INTEGER, "integer", "of all runs with this folder") \
    F(T, hits, INTEGER, "integer", "") \
    F(T, misses, INTEGER, "integer", "") \
    F(T, bytes_in, INTEGER, "integer", "of values that were read, of bodies that were received") \
    F(T, bytes_out, INTEGER, "integer", "")

#define TW_DOCTOR_FIELDS(F, O, T) \
    F(T, checks, JSON, "[doctor-check]", "")

#define TW_DOCTOR_CHECK_FIELDS(F, O, T) \
    F(T, name, TEXT, "text", "") \
    F(T, state, TEXT, "ok|note|failed", "") \
    F(T, value, TEXT, "text?", "") \
    F(T, source, TEXT, "text?", "what decides it, as `--cache-dir`, `XDG_CACHE_HOME`, `default`") \
    F(T, hint, TEXT, "text?", "")
/* All lists, as P(tag, LIST). */
#define TW_DOCUMENT_LISTS(P) \
    P(frame, TW_FRAME_FIELDS) \
    P(finding, TW_FINDING_FIELDS) \
    P(run, TW_RUN_FIELDS) \
    P(serve, TW_SERVE_FIELDS) \
    P(serve_world, TW_SERVE_WORLD_FIELDS) \
    P(serve_variant, TW_SERVE_VARIANT_FIELDS) \
    P(serve_row, TW_SERVE_ROW_FIELDS) \
    P(serve_node, TW_SERVE_NODE_FIELDS) \
    P(serve_input, TW_SERVE_INPUT_FIELDS) \
    P(serve_output, TW_SERVE_OUTPUT_FIELDS) \
    P(serve_view, TW_SERVE_VIEW_FIELDS) \
    P(serve_facts, TW_SERVE_FACTS_FIELDS) \
    P(serve_record, TW_SERVE_RECORD_FIELDS) \
    P(spilled, TW_SPILLED_FIELDS) \
    P(remote, TW_REMOTE_FIELDS) \
    P(run_recipe, TW_RUN_RECIPE_FIELDS) \
    P(run_export, TW_RUN_EXPORT_FIELDS) \
    P(number_to_type, TW_NUMBER_TO_TYPE_FIELDS) \
    P(run_node, TW_RUN_NODE_FIELDS) \
    P(check, TW_CHECK_FIELDS) \
    P(check_recipe, TW_CHECK_RECIPE_FIELDS) \
    P(list, TW_LIST_FIELDS) \
    P(list_recipe, TW_LIST_RECIPE_FIELDS) \
    P(graph, TW_GRAPH_FIELDS) \
    P(graph_node, TW_GRAPH_NODE_FIELDS) \
    P(graph_source, TW_GRAPH_SOURCE_FIELDS) \
    P(graph_export, TW_GRAPH_EXPORT_FIELDS) \
    P(nodes, TW_NODES_FIELDS) \
    P(gate, TW_GATE_FIELDS) \
    P(gate_recipe, TW_GATE_RECIPE_FIELDS) \
    P(gate_node, TW_GATE_NODE_FIELDS) \
    P(cause, TW_CAUSE_FIELDS) \
    P(gate_result, TW_GATE_RESULT_FIELDS) \
    P(gate_map, TW_GATE_MAP_FIELDS) \
    P(record_field, TW_RECORD_FIELD_FIELDS) \
    P(map_diff, TW_MAP_DIFF_FIELDS) \
    P(compare, TW_COMPARE_FIELDS) \
    P(compare_shard, TW_COMPARE_SHARD_FIELDS) \
    P(judge, TW_JUDGE_FIELDS) \
    P(inspect, TW_INSPECT_FIELDS) \
    P(inspect_file, TW_INSPECT_FILE_FIELDS) \
    P(inspect_place, TW_INSPECT_PLACE_FIELDS) \
    P(inspect_beside, TW_INSPECT_BESIDE_FIELDS) \
    P(inspect_range, TW_INSPECT_RANGE_FIELDS) \
    P(georeference, TW_GEOREFERENCE_FIELDS) \
    P(heights, TW_HEIGHTS_FIELDS) \
    P(inspect_sidecar, TW_INSPECT_SIDECAR_FIELDS) \
    P(cache, TW_CACHE_FIELDS) \
    P(cache_tier, TW_CACHE_TIER_FIELDS) \
    P(doctor, TW_DOCTOR_FIELDS) \
    P(doctor_check, TW_DOCTOR_CHECK_FIELDS)
/* clang-format on */

#endif
