/* SPDX-License-Identifier: MIT */
#include "console/documents.h"

#include <stddef.h>

/* clang-format off */
const struct tw_document_field tw_document_frame[] = {
    {"format", "text", "`thalweg.<command>/N`; N rises when a field changes its meaning or goes"},
    {"version", "text", "of the engine"},
    {"exit_code", "integer", "of the process"},
    {"status", "done|difference|usage|invalid|failed|interrupted", "the same in a word"},
    {"interrupted", "SIGINT|SIGTERM|SIGHUP?", "the signal"},
    {"errors", "[finding]", "in the order in which they were found"},
    {"warnings", "[finding]", "the same"},
    {NULL, NULL, NULL},
};

#define ROWS(name) static const struct tw_document_field name[]
#define END {NULL, NULL, NULL}

ROWS(finding) = {
    {"status", "text", "`invalid recipe`, `a limit was exceeded`..."},
    {"file", "text?", ""},
    {"line", "integer?", "from 1"},
    {"column", "integer?", "from 1, in characters"},
    {"node", "text?", ""},
    {"message", "text", ""},
    {"hint", "text?", "what to do"},
    END};

/* ---- run ---- */

#define RUN_ROWS \
    {"seconds", "number", ""}, \
    {"peak_bytes", "integer", "forecast"}, \
    {"spilled", "spilled?", "null: all values fit into `--max-memory`"}, \
    {"remote", "remote?", "counts of `--cache-url`"}, \
    {"needed", "integer", "nodes; what recipes share counts once"}, \
    {"computed", "integer", "of these"}, \
    {"hits", "integer", "the others"}, \
    {"recipes", "[run-recipe]", ""}
ROWS(run) = {RUN_ROWS, END};
ROWS(serve) = {
    {"revision", "integer", "runs that have ended, as the page's events say"},
    {"recipe", "text", ""},
    {"diagnostics", "text", "what the terminal got, with the lines of the recipe"},
    {"views", "[serve-view]", "outputs, then what only exports have"},
    RUN_ROWS, /* `folder` has no meaning for serve, which writes no exports */
    END};
ROWS(serve_view) = {
    {"name", "text", "of the output or the export"},
    {"type", "text", "as `heightmap`"},
    {"stale", "boolean", "it is of an earlier run"},
    {"files", "[text]", "exports of it, which `serve` does not write"},
    {"size?", "size", "of a map"},
    {"least?", "number", "of a heightmap or mask"},
    {"greatest?", "number", "the same"},
    {"count?", "integer", "elements of a list"},
    {"entries?", "[serve-entry]", "of a record"},
    {"picture?", "text", "path of a PNG, which changes with the content"},
    {"full?", "text", "the same, a pixel a cell"},
    END};
ROWS(serve_entry) = {
    {"name", "text", ""},
    {"number", "number", ""},
    END};
ROWS(spilled) = {
    {"values", "integer", "that left memory for the cache folder and came back"},
    {"bytes", "integer", "of these, once each"},
    {"written_bytes", "integer", "the others were in the folder already"},
    {"read_bytes", "integer", "back, as often as that was"},
    {"forecast_values", "integer", "of a run that finds nothing in the cache, at most"},
    {"forecast_bytes", "integer", "the same"},
    {"forecast_read_bytes", "integer", "the same"},
    END};
ROWS(remote) = {
    {"requests", "integer", ""},
    {"hits", "integer", "objects that came"},
    {"misses", "integer", ""},
    {"damaged", "integer", "objects that were not used"},
    {"sent", "integer", "objects"},
    {"present", "integer", "objects that were there"},
    {"failures", "integer", ""},
    {"bytes_in", "integer", ""},
    {"bytes_out", "integer", ""},
    {"left", "boolean", "it was given up"},
    END};
ROWS(run_recipe) = {
    {"recipe", "text", ""},
    {"folder", "text", "of its exports"},
    {"seed", "text?", "64 bits; null for a recipe that could not be loaded"},
    {"size", "size?", "the same"},
    {"exports", "[run-export]", ""},
    {"nodes", "[run-node]", "those that were needed"},
    END};
ROWS(run_export) = {
    {"file", "text", ""},
    {"complete", "boolean", "it is on disk; of a dry run, where the cache can tell"},
    {"written", "boolean", "it was not before"},
    {"bytes", "integer", ""},
    {"sha256", "text?", "of the file; null where the run neither wrote nor found it"},
    {"type_in", "[number-to-type]", "what the engine in `for:` asks for, in its order"},
    END};
ROWS(number_to_type) = {
    {"name", "text", "as the engine has it"},
    {"value", "text", ""},
    END};
ROWS(run_node) = {
    {"path", "text", ""},
    {"type", "text", ""},
    {"outcome", "hit|computed|undecided", ""},
    {"seconds", "number", ""},
    {"loaded", "boolean", "a value was read from a cache"},
    {"entry_from", "home|remote?", "null: not from a cache"},
    {"value_from", "home|remote?", "the same"},
    {"outputs", "{text}", "digests by name"},
    END};

/* ---- check, graph, nodes ---- */

ROWS(check) = {
    {"recipes", "[check-recipe]", ""},
    END};
ROWS(check_recipe) = {
    {"recipe", "text", ""},
    {"ok", "boolean", "the others only where it is"},
    {"seed?", "text", "64 bits"},
    {"size?", "size", ""},
    {"borders?", "wrap|closed", ""},
    {"nodes?", "integer", "how many"},
    {"outputs?", "integer", "how many"},
    {"exports?", "integer", "how many"},
    END};
ROWS(graph) = {
    {"recipe", "text", ""},
    {"size", "size", ""},
    {"nodes", "[graph-node]", ""},
    {"outputs", "[graph-source]", ""},
    {"exports", "[graph-export]", ""},
    END};
ROWS(graph_node) = {
    {"path", "text", ""},
    {"type", "text", ""},
    {"file", "text", "that it stands in"},
    {"line", "integer", ""},
    {"column", "integer", ""},
    {"inputs", "[graph-source]", ""},
    END};
ROWS(graph_source) = {
    {"name", "text", "of the input or output"},
    {"node", "text", "where it comes from"},
    {"output", "text", "of that node"},
    END};
ROWS(graph_export) = {
    {"file", "text", ""},
    {"from", "[graph-source]", ""},
    END};
ROWS(nodes) = {
    {"types", "[object]", "everything about one type, or about all; of a search, best first"},
    END};

/* ---- the gate ---- */

ROWS(gate) = {
    {"computed", "integer", "nodes that the cache did not answer"},
    {"page", "text?", "of the differences"},
    {"recipes", "[gate-recipe]", ""},
    END};
ROWS(gate_recipe) = {
    {"recipe", "text", ""},
    {"lock", "text", ""},
    {"written", "boolean", "the lock was"},
    {"outputs", "integer", "how many"},
    {"exports", "integer", "how many"},
    {"verdict?", "same|differs|no lock|failed",
     "of two states; `no lock`: it is missing or damaged; the others where they were compared"},
    {"first?", "gate-node?", "the first in the graph whose content differs"},
    {"world?", "[cause]", "of all nodes: size, borders, engine"},
    {"nodes?", "[gate-node]", "that changed"},
    {"results?", "[gate-result]", "that differ"},
    {"maps?", "[gate-map]", "by how much"},
    {"no_maps?", "text?", "why there are none"},
    END};
ROWS(gate_node) = {
    {"path", "text", ""},
    {"type", "text?", ""},
    {"state", "added|removed|changed|follows", ""},
    {"differs", "boolean", "its content does"},
    {"causes", "[cause]", ""},
    END};
ROWS(cause) = {
    {"name", "text", "as `params.talus`"},
    {"before", "text?", ""},
    {"after", "text?", ""},
    END};
ROWS(gate_result) = {
    {"name", "text", ""},
    {"kind", "output|export", ""},
    {"before", "text?", "SHA-256"},
    {"after", "text?", "SHA-256"},
    END};
ROWS(gate_map) = {
    {"name", "text", ""},
    {"comparable", "boolean", "the numbers only where it is"},
    {"cells?", "integer", ""},
    {"differing?", "integer", "cells"},
    {"mean?", "number", ""},
    {"max?", "number", ""},
    {"rms?", "number", ""},
    {"percent?", "number", ""},
    {"at?", "pair", "the cell that differs most"},
    {"fields?", "[record-field]", "of a record"},
    END};
ROWS(record_field) = {
    {"name", "text", ""},
    {"before", "number", ""},
    {"after", "number", ""},
    END};
ROWS(map_diff) = {
    {"a", "text", ""},
    {"b", "text", ""},
    {"verdict", "same|differs", ""},
    {"cells", "integer", ""},
    {"differing", "integer", "cells"},
    {"mean", "number", ""},
    {"max", "number", ""},
    {"rms", "number", ""},
    {"percent", "number", ""},
    {"at", "pair", "the cell that differs most"},
    END};

/* ---- experiments ---- */

ROWS(compare) = {
    {"experiment?", "text", "this and the others unless `--shard` was given"},
    {"size?", "size", ""},
    {"baseline?", "text?", ""},
    {"total?", "integer", "seeds that ran; means and intervals are of all of them"},
    {"seeds?", "[text]", "64 bits each; those that tests of ranks are about"},
    {"variants?", "[object]", "by measure: mean, deviation, min, max, mean_95"},
    {"pairs?", "[object]", "each against the baseline: difference, tests, verdict"},
    {"stopped?", "text?", "by which signal"},
    {"failed?", "integer", "seeds that were left out"},
    {"narrow?", "boolean", "the intervals are as narrow as `until` says"},
    {"sensitivity?", "object", ""},
    {"tuning?", "object", ""},
    {"shard?", "integer", "this, the next three and `failed` with `--shard`"},
    {"of?", "integer", "shards"},
    {"file?", "text", "that has the seeds' samples"},
    {"computed?", "integer", "seeds; 0 when the shard was there"},
    END};
ROWS(judge) = {
    {"experiment", "text", ""},
    {"page?", "text", "this and the next without `--answers`: the file that was written"},
    {"pairs?", "integer", "on the page"},
    {"answers?", "integer", "this and the others with `--answers`"},
    {"files?", "integer", ""},
    {"ties?", "integer", ""},
    {"variants?", "[object]", "by strength"},
    {"measures?", "[object]", "how often each agrees"},
    END};

/* ---- files, cache, doctor ---- */

ROWS(inspect) = {
    {"files", "[inspect-file]", ""},
    END};
ROWS(inspect_file) = {
    {"file", "text", ""},
    {"error?", "object", "why it could not be read, and then nothing else"},
    {"format?", "text", "png, r16, lock, sidecar..."},
    {"bytes?", "integer", ""},
    {"type?", "text", ""},
    {"sha256?", "text", "of the values that a reader gets, as a lock has it"},
    {"facts?", "{text}", "of what is not a map"},
    {"notes?", "{text}", "of the file itself, about where it comes from"},
    {"georeference?", "georeference?", "where a TIFF or `.asc` lies"},
    {"heights?", "heights?", "of levels whose range `--range` or the sidecar says"},
    {"sidecar?", "inspect-sidecar?", ""},
    {"differs?", "text?", "what the sidecar or the notes say otherwise"},
    {"size?", "size", "of a map"},
    {"least?", "number", "this, `greatest` and `mean` of a map, as a reader gets it"},
    {"greatest?", "number", ""},
    {"mean?", "number", ""},
    END};
ROWS(georeference) = {
    {"west", "number", "of the map's corner, in units of `system`"},
    {"north", "number", ""},
    {"cell_x", "number", "width of a cell"},
    {"cell_y", "number", "height of a cell"},
    {"system", "text?", "`EPSG:32632`, or what the file says"},
    END};
ROWS(heights) = {
    {"range", "pair", "of the least and the greatest level"},
    {"least", "number", ""},
    {"greatest", "number", ""},
    {"mean", "number", ""},
    END};
ROWS(inspect_sidecar) = {
    {"file", "text", ""},
    {"recipe", "text", ""},
    {"cell_m", "number", ""},
    {"height_m", "number", ""},
    {"sea_m", "number", ""},
    END};
ROWS(cache) = {
    {"folder?", "text", ""},
    {"actions?", "integer", "of `stats`, as the next three"},
    {"blobs?", "integer", ""},
    {"bytes?", "integer", ""},
    {"stale?", "integer", ""},
    {"tiers?", "[cache-tier]", "of `stats`"},
    {"freed?", "integer", "bytes, of `gc`"},
    {"sent?", "integer", "objects; this and the following of `push` and `pull`"},
    {"present?", "integer", "objects that were there"},
    {"received?", "integer", "objects"},
    {"bytes_in?", "integer", ""},
    {"bytes_out?", "integer", ""},
    {"nodes?", "integer", ""},
    {"lacking?", "integer", "nodes that could not be shared"},
    END};
ROWS(cache_tier) = {
    {"tier", "folder|server", ""},
    {"requests", "integer", "of all runs with this folder"},
    {"hits", "integer", ""},
    {"misses", "integer", ""},
    {"bytes_in", "integer", "of values that were read, of bodies that were received"},
    {"bytes_out", "integer", ""},
    END};
ROWS(doctor) = {
    {"checks", "[doctor-check]", ""},
    END};
ROWS(doctor_check) = {
    {"name", "text", ""},
    {"state", "ok|note|failed", ""},
    {"value", "text?", ""},
    {"source", "text?", "what decides it, as `--cache-dir`, `XDG_CACHE_HOME`, `default`"},
    {"hint", "text?", ""},
    END};
ROWS(usage) = {END};

const struct tw_document_part tw_document_parts[] = {
    {"thalweg.run/2", "", run},
    {"thalweg.serve/1",
     "`/state.json` of `thalweg serve`, whatever became of the last run; not found before one has "
     "ended",
     serve},
    {"thalweg.check/1", "", check},
    {"thalweg.graph/1", "", graph},
    {"thalweg.nodes/1", "", nodes},
    {"thalweg.lock/1", "[the gate](gate.md)", gate},
    {"thalweg.verify/1", "as `lock`", gate},
    {"thalweg.diff/1", "of two recipes, as `lock`", gate},
    {"thalweg.map-diff/1", "`diff` of two maps", map_diff},
    {"thalweg.compare/1", "[experiments](experiments.md)", compare},
    {"thalweg.judge/1", "", judge},
    {"thalweg.inspect/1", "", inspect},
    {"thalweg.cache/1", "", cache},
    {"thalweg.doctor/1", "", doctor},
    {"thalweg.usage/1", "a mistake in the command's name", usage},
    {"finding", "an error or a warning", finding},
    {"run-recipe", "", run_recipe},
    {"run-export", "", run_export},
    {"number-to-type", "", number_to_type},
    {"run-node", "", run_node},
    {"serve-view", "", serve_view},
    {"serve-entry", "", serve_entry},
    {"spilled", "", spilled},
    {"remote", "", remote},
    {"check-recipe", "", check_recipe},
    {"graph-node", "", graph_node},
    {"graph-source", "", graph_source},
    {"graph-export", "", graph_export},
    {"gate-recipe", "", gate_recipe},
    {"gate-node", "", gate_node},
    {"cause", "what decides a node, before and after", cause},
    {"gate-result", "", gate_result},
    {"gate-map", "", gate_map},
    {"record-field", "", record_field},
    {"inspect-file", "", inspect_file},
    {"inspect-sidecar", "", inspect_sidecar},
    {"georeference", "", georeference},
    {"heights", "", heights},
    {"cache-tier", "", cache_tier},
    {"doctor-check", "", doctor_check},
    {NULL, NULL, NULL},
};
/* clang-format on */
