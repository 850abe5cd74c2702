/* SPDX-License-Identifier: MIT */
/* Private to graph/: a recipe file while it is being loaded. A recipe used as a node is a scope
 * below the one that uses it. */
#ifndef TW_ENGINE_GRAPH_LOAD_LOAD_PRIVATE_H
#define TW_ENGINE_GRAPH_LOAD_LOAD_PRIVATE_H

#include "base/text/expression.h"
#include "graph/graph.h"
#include "graph/library.h"
#include "graph/load/recipe.h"
#include "graph/names.h"

#define TW_ID_MAX 100 /* bytes of an id */

/* A parameter of a recipe. */
struct tw_binding {
    const char *name;
    const char *text;      /* its value; NULL after a reported fault */
    struct tw_place place; /* place of the declaration */
    bool *used;            /* set by the first `${name}` */
    struct tw_binding *next;
};

/* An id of `nodes:`: a node of the graph, or a recipe with a scope of its own. */
struct tw_member {
    const char *id;
    struct tw_place place;
    const struct tw_yaml *yaml;
    int32_t node; /* -1 for a recipe, and for a node that failed to load */
    struct tw_scope *scope;
    struct tw_member *next;
};

#define TW_NO_ID "(no id)" /* replaces an invalid key: paths consist of ids, which are short */

static inline bool tw_member_has_id(const struct tw_member *member)
{
    return member->id[0] != TW_NO_ID[0];
}

struct tw_scope {
    struct tw_scope *parent;
    const struct tw_member *user; /* the parent's member that uses this recipe */
    const char *file, *folder;
    const char *shown;       /* the file in messages; a nested one relative to the working folder */
    const char *prefix;      /* "" or "hills/"; "hills/3/" in round 3 */
    uint64_t seed;           /* seed of the recipe, or the `seed:` of the node that uses it */
    const char *seed_prefix; /* replaces the prefix in the nodes' random numbers */
    const struct tw_library_recipe *library; /* the recipe of the library; NULL for a file */
    int32_t version;                         /* the recipe's own `version:` */
    int32_t round;                           /* of a repeated recipe; 1 for any other */
    struct tw_scope
        *last_round; /* scope that feeds this round of a repeated recipe; NULL in the first */
    const struct tw_yaml *root;
    struct tw_binding *params;
    struct tw_member *members, *last;
    int depth;
    bool is_used; /* used by a node that a variant of an experiment replaces */
};

/* What a node that is a recipe feeds to one of its inputs. */
struct tw_feeding {
    const struct tw_yaml *reference; /* NULL for none */
    const char *id, *file;           /* the input and its recipe */
    const struct tw_yaml *type;      /* type that the input declares */
};

/* A connected input, and its place in the recipe. */
struct tw_edge {
    int32_t node, input;
    const struct tw_yaml *reference;
    struct tw_feeding feeding; /* the outermost on the way to the source */
    bool is_reported;          /* its fault was reported there */
    struct tw_edge *next;
};

/* Everything loading needs; `recipe` is the recipe under construction. */
struct tw_loader {
    struct tw_recipe *recipe;
    struct tw_fault_log *log;
    struct tw_registry registry;
    const struct tw_load_options *options;
    const struct tw_load_changes *changes; /* of an experiment, for the root */
    const struct tw_yaml *world;           /* the root's `world:`; NULL for none */
    const struct tw_yaml *world_from;      /* `from:` in it, a scalar; NULL for none */
    bool has_size;                         /* the recipe or an option gives the size */
    int32_t own_width, own_height; /* the size that the file gives, whatever the options do */
    int32_t capacity;
    int32_t used_recipes; /* recipes used as nodes, with their bytes */
    size_t used_bytes;
    int32_t used_yaml_nodes;
    size_t used_text;      /* bytes of their scalars, aliases expanded */
    const char *real_path; /* path of the root without symbolic links; NULL if not from a file */
    int64_t decoded_cells; /* cells of input files decoded to find damage */
    int32_t hops;          /* hops of references through recipes */
    struct tw_feeding feeding; /* the last one that tw_resolve() passed on its way */
    size_t expanded_bytes;     /* bytes expanded from `${name}` */
    int32_t unset_uses;        /* uses of parameters without a value, whose fault was reported */
    struct tw_edge *edges, *last_edge;
    int32_t *surfaces; /* nodes of render.surface that exports share */
    int32_t surface_count, surface_capacity;
    struct tw_names names; /* members by scope, bindings by its `params`, outputs by name */
};

/* Faults from now on are of that node, until what it returns is left. */
struct tw_load_subject {
    const char *prefix, *node;
};
static inline struct tw_load_subject tw_load_enter(struct tw_loader *loader, const char *prefix,
                                                   const char *node)
{
    const struct tw_load_subject outer = {loader->log->prefix, loader->log->node};
    loader->log->prefix = prefix;
    loader->log->node = node && node[0] != TW_NO_ID[0] ? node : NULL;
    return outer;
}
static inline void tw_load_leave(struct tw_loader *loader, struct tw_load_subject outer)
{
    (void)tw_load_enter(loader, outer.prefix, outer.node);
}

#define TW_TEXT_MAX 4096                        /* bytes of a text with `${name}` replaced */
#define TW_EXPANDED_BYTES_MAX ((size_t)4 << 20) /* bytes of all such texts of a recipe */

/* scope.c: creates a scope below `parent`, or the root; NULL when out of memory. `user` is the node
 * that uses the file. */
struct tw_scope *tw_scope_create(struct tw_loader *loader, struct tw_scope *parent,
                                 const struct tw_member *user, const char *file);
/* scope.c: loads the keys and members of scope->root. False after a fault or when out of memory. */
bool tw_scope_load(struct tw_loader *loader, struct tw_scope *scope);
/* scope.c: reports a file that a recipe in `folder` names, existing or not, to
 * tw_load_options.reads. */
void tw_load_note(const struct tw_loader *loader, const char *folder, const char *name);
/* scope.c: calls tw_load_note(), then tw_file_resolve(). */
enum tw_status tw_load_resolve(const struct tw_loader *loader, const char *folder, const char *name,
                               char *path, struct tw_error *error);
/* scope.c: adds a file to the recipe's readings; false when out of memory. */
bool tw_load_add_reading(struct tw_loader *loader, const char *path, const char *node);
/* scope.c: adds the name itself to the readings if it is a symbolic link, since writing there would
 * replace the link. */
bool tw_load_add_link(struct tw_loader *loader, const char *folder, const char *name);
/* Returns whether errors must quote nothing from a named file. */
bool tw_load_hides(const struct tw_loader *loader, const char *folder, const char *name);

/* substitute.c: replaces `${name}` in a scalar; returns the text itself if there is none; NULL
 * after a fault. */
const char *tw_substitute(struct tw_loader *loader, struct tw_scope *scope,
                          const struct tw_yaml *scalar);
/* Looks up a parameter of the scope, or `seed`, `width` or `height`; *text is NULL after a reported
 * fault. False if there is no such name. */
#define TW_BUILT_IN_BYTES 40
bool tw_scope_value(struct tw_loader *loader, struct tw_scope *scope, const char *name,
                    char number[TW_BUILT_IN_BYTES], const char **text);
/* Returns whether the name is a size in metres that a recipe without `world:` does not have. */
bool tw_scope_needs_world(const struct tw_scope *scope, const struct tw_recipe *recipe,
                          const char *name);
#define TW_NEEDS_WORLD "${%.60s} needs 'world: {side_m: ..., height_m: ...}' in the recipe"
/* Returns the nearest of the scope's names; NULL if none is near. */
const char *tw_scope_nearest(struct tw_loader *loader, const struct tw_scope *scope,
                             const char *name);
/* Returns the owner of a scope's bindings in the table of names; the scope itself owns its
 * members. */
static inline const void *tw_scope_bindings(const struct tw_scope *scope) { return &scope->params; }
/* params.c: declares params: of a scope from its file, the user's node or -s options. */
bool tw_scope_params(struct tw_loader *loader, struct tw_scope *scope);
/* inputs.c: finds the type of that name; false if there is none. */
bool tw_load_find_type(const char *name, enum tw_type *type);
/* Checks inputs: of a scope. */
void tw_scope_inputs(struct tw_loader *loader, const struct tw_yaml *inputs);
/* An entry of `inputs:` is the name of a type, or {type: ..., default: ..., about: ...}. Returns
 * the scalar that names the type, or the entry itself after a reported fault. */
const struct tw_yaml *tw_load_input_type(const struct tw_yaml *declared);
/* Returns the reference, within the recipe, that replaces an input without a value; NULL for
 * none. */
const struct tw_yaml *tw_load_input_default(const struct tw_yaml *declared);
/* Creates nodes for the root's inputs, which the program feeds; call once the root's members
 * exist. */
bool tw_load_feeds(struct tw_loader *loader, struct tw_scope *root);

/* arithmetic.c: computes the inside of "${...}", `length` bytes of the scalar from `offset` on;
 * reports a fault at its place within the scalar and returns false. */
bool tw_arithmetic(struct tw_loader *loader, struct tw_scope *scope, const struct tw_yaml *scalar,
                   size_t offset, size_t length, char number[TW_BUILT_IN_BYTES]);
/* A quantity is a number with "m" or "deg" behind it. */
enum tw_quantity { TW_QUANTITY_NUMBER, TW_QUANTITY_METRES, TW_QUANTITY_DEGREES };
/* Gets the number behind a name of the scope in arithmetic; else false with the fault. Where `unit`
 * is NULL a quantity is a fault. */
bool tw_arithmetic_name(struct tw_loader *loader, struct tw_scope *scope, const char *name,
                        double *number, enum tw_quantity *unit, struct tw_expression_fault *fault);

/* meant_input.c: if an unknown key of the entry was probably meant for the node's only missing
 * input, returns that input, and the key; else NULL. */
const char *tw_load_meant_input(const struct tw_loader *loader, const struct tw_scope *scope,
                                const struct tw_node_type *type, const struct tw_yaml *yaml,
                                const struct tw_yaml **key);

/* outputs.c: an entry of `outputs:` is a reference, or {from: ..., about: ...}. Returns the
 * reference; NULL if a mapping has none. */
const struct tw_yaml *tw_load_output_reference(const struct tw_yaml *declared);
/* further_outputs.c: adds the outputs that the options name. False when out of memory. */
bool tw_load_further_outputs(struct tw_loader *loader, struct tw_scope *scope);
/* further_outputs.c: notes that a parameter of the recipe may be one of `words`, as in "a|b", if
 * `value`, which stands in this scope, is that parameter alone. */
void tw_load_note_words(struct tw_loader *loader, const struct tw_scope *scope,
                        const struct tw_yaml *value, const char *words);
/* resolve.c: resolves `node`, `node.port` or an input of the recipe to a source; false after a
 * fault. */
bool tw_resolve(struct tw_loader *loader, struct tw_scope *scope, const struct tw_yaml *reference,
                struct tw_source *source);
/* Connects the inputs of one node that `yaml` names; false after a fault. */
bool tw_resolve_inputs(struct tw_loader *loader, struct tw_scope *scope, struct tw_node *node,
                       const struct tw_yaml *yaml);
/* Connects every input of every node, in this scope and those below. */
bool tw_resolve_edges(struct tw_loader *loader, struct tw_scope *scope);
/* Reports every edge added since the last call whose ends have different types; call once types are
 * known. */
void tw_resolve_check_types(struct tw_loader *loader);
/* choose.c: follows a source whose node chooses an input to the source of that input. */
struct tw_source tw_load_chosen(const struct tw_recipe *recipe, struct tw_source source);
/* Connects the users of such nodes to the chosen sources, once all edges exist. */
void tw_load_choices(const struct tw_recipe *recipe);
/* Reports a node that chooses an input that it does not have, and returns false. */
bool tw_load_check_choice(struct tw_loader *loader, const struct tw_node *node,
                          const struct tw_yaml *yaml);

/* node.c: loads one entry of `nodes:`. */
bool tw_load_member(struct tw_loader *loader, struct tw_scope *scope, struct tw_member *member);
/* Reads the `seed:` of a node, which messages call `owner`; false after a fault. */
bool tw_load_seed(struct tw_loader *loader, struct tw_scope *scope, const struct tw_yaml *value,
                  const char *owner, uint64_t *seed);
/* Reads a parameter of a node or an option of an export, which messages call `owner`. */
void tw_load_param(struct tw_loader *loader, struct tw_scope *scope, const char *owner,
                   const struct tw_param *row, void *params, const struct tw_yaml *value);
/* rules.c: reports the first broken rule between the node's parameters. */
void tw_load_check_rules(struct tw_loader *loader, const struct tw_node *node,
                         const struct tw_yaml *yaml);
/* world_unit.c: converts a text such as "35 deg" or "120 m" to a number in `unit`, that of the
 * parameter or column `name` of `owner`; returns any other text unchanged; NULL after a fault. */
const char *tw_load_world_unit(struct tw_loader *loader, const char *owner, const char *name,
                               const char *unit, const char *text, const struct tw_place *place);
/* world_unit.c: returns the recipe's world; for a recipe of the library without one, the size that
 * the library takes. */
struct tw_world tw_load_world_of(const struct tw_recipe *recipe, bool in_library);
/* world_unit.c: reads a number or a quantity; false for any other text. */
bool tw_load_quantity(const char *text, double *number, enum tw_quantity *unit);
/* Returns "", " m" or " deg". */
const char *tw_load_quantity_suffix(enum tw_quantity unit);
/* world_unit.c: sets exaggerations that are `auto` to the true scale of the recipe's `world:`. */
void tw_load_true_scale(struct tw_loader *loader, struct tw_node *node);
/* input_file.c: reports at `place` if the node's file cannot be read or used. */
void tw_load_check_file(struct tw_loader *loader, struct tw_node *node, const char *name,
                        struct tw_place place);
/* input_file.c: warns of a file's name that not every system can have. */
void tw_load_warn_name(struct tw_loader *loader, const char *name, struct tw_place place);
/* input_place.c: warns if the place that a file gives contradicts the recipe's `world:`. */
void tw_load_check_georeference(struct tw_loader *loader, const struct tw_node *node,
                                const struct tw_georeference *at, const struct tw_file_facts *facts,
                                struct tw_place place);
/* table.c: reads a table parameter, a list of rows, and reports faults. */
void tw_load_table(struct tw_loader *loader, struct tw_scope *scope, const struct tw_param *row,
                   void *params, const struct tw_yaml *value);
/* Returns whether the value of `key` is rows of a table parameter, as opposed to a reference for
 * the input of that name. */
bool tw_load_gives_rows(const struct tw_node_type *type, const char *key,
                        const struct tw_yaml *value);
/* Reads the rows of a colour ramp from a .cpt file, relative to the recipe, and reports faults at
 * its lines. */
void tw_load_cpt(struct tw_loader *loader, const struct tw_scope *scope, const struct tw_param *row,
                 const char *name, struct tw_place place, struct tw_table *table);
/* formula.c: parses the formula of a node from its scalar and reports faults. */
void tw_load_formula(struct tw_loader *loader, struct tw_scope *scope,
                     const struct tw_node_type *type, const struct tw_yaml *yaml,
                     const struct tw_param *row, void *params, const struct tw_yaml *value);
/* Adds a node that another part of the recipe implies; its id appears only in messages. Returns its
 * index, with unconnected inputs, or -1 when out of memory. */
int32_t tw_load_hidden_node(struct tw_loader *loader, struct tw_scope *scope,
                            const struct tw_node_type *type, const char *id,
                            const struct tw_yaml *yaml);
/* export_render.c: creates the nodes for an export's `as:` and makes their output the export's
 * source. False after a fault. */
bool tw_load_render(struct tw_loader *loader, struct tw_scope *scope, const struct tw_yaml *value,
                    struct tw_export *item);
/* Returns the type of the surface that a view of a lit surface shows; NULL for other views. */
const struct tw_node_type *tw_render_surface_of(const struct tw_loader *loader,
                                                const struct tw_node_type *view);
/* Returns whether an option of an export with `as:` belongs to one of its nodes. */
bool tw_render_has_option(const struct tw_loader *loader, const struct tw_node_type *type,
                          const char *key);

/* scope.c: reads a recipe file into a scope (params and nodes, not outputs and exports). `round`
 * counts the rounds of a repeated recipe, else it is 1. */
struct tw_scope *tw_load_scope(struct tw_loader *loader, struct tw_scope *parent,
                               const struct tw_member *user, const char *file, int32_t round);
/* repeat.c: reads a recipe file once for every round of the node's `repeat`; returns the last
 * scope. */
struct tw_scope *tw_load_repeats(struct tw_loader *loader, struct tw_scope *parent,
                                 const struct tw_member *member, const char *file);
/* Gives the scope the names of its round; false when out of memory. */
bool tw_repeat_number(struct tw_loader *loader, struct tw_scope *scope, int32_t round);
/* Returns the output of the previous round that feeds the input; NULL if the node's own value
 * stays. */
const char *tw_repeat_output(const struct tw_scope *scope, const char *input);
/* assertions.c: adds the nodes of the root's `assert:`; false when out of memory. Call once outputs
 * exist. */
bool tw_load_assertions(struct tw_loader *loader, struct tw_scope *root);
/* head.c: reads the root's size, seed, world and about. */
void tw_load_head(struct tw_loader *loader, const struct tw_yaml *root);
/* head.c: reports at `place` a size beyond the limits. */
void tw_load_check_cells(struct tw_loader *loader, struct tw_place place);
/* borders.c: decides whether the world is a torus or ends, once the graph is complete, and reports
 * faults; false when out of memory. */
bool tw_load_borders(struct tw_loader *loader, const struct tw_yaml *root);
/* unused.c: marks as used what only nodes use that a variant of an experiment replaces. Call before
 * the graph is sorted. */
void tw_load_use_replaced(struct tw_loader *loader, const struct tw_scope *root);
/* Warns of nodes of the root that no output or export depends on, and of parameters that nothing
 * reads, once the graph is complete. */
void tw_load_warn_unused(struct tw_loader *loader, const struct tw_scope *root);
/* export_format.c: reports an export's file whose ending no format has, and returns false. */
bool tw_export_check_ending(struct tw_loader *loader, const struct tw_export *item,
                            const struct tw_yaml *key);
/* Chooses the format for the export's sources, and reads its options from the entry. */
bool tw_export_load_format(struct tw_loader *loader, struct tw_scope *scope, struct tw_export *item,
                           const struct tw_yaml_item *entry);
/* export_preset.c: reads `for:` of an export whose format is known; false after a fault. */
bool tw_export_load_preset(struct tw_loader *loader, struct tw_scope *scope, struct tw_export *item,
                           const struct tw_yaml *value);
/* Applies the preset before the entry's own options are read; does nothing without a preset. */
void tw_export_set_preset(struct tw_loader *loader, struct tw_export *item);
/* Reports an option that contradicts the preset. */
void tw_export_check_preset(struct tw_loader *loader, const struct tw_export *item,
                            const struct tw_param *row, const struct tw_yaml *key);
/* Reports a map size that the format cannot hold or the engine cannot load, with the nearest sides
 * for the latter, and returns false. */
bool tw_export_check_sides(struct tw_loader *loader, const struct tw_export *item, int32_t width,
                           int32_t height, struct tw_place place);
/* export_tiles.c: reads `tiles:` of an export, turns it into the first tile and adds the others at
 * `tail`. */
bool tw_export_load_tiles(struct tw_loader *loader, struct tw_scope *scope, struct tw_export *item,
                          const struct tw_yaml *value, struct tw_export ***tail);
/* Adds a further file of the same sources at `tail`; NULL when out of memory. */
struct tw_export *tw_export_copy(struct tw_loader *loader, const struct tw_export *item,
                                 struct tw_export ***tail);
/* export_layers.c: splits an export of several sources into `*files` files, the item and those
 * after it at `tail`, if a file of its format holds fewer. False after a fault. */
bool tw_export_load_layers(struct tw_loader *loader, struct tw_export *item, int32_t *files,
                           struct tw_export ***tail);
/* export_parts.c: reads a further output of an export, if its format has one of the key's name;
 * false if it has none. */
bool tw_export_load_part(struct tw_loader *loader, struct tw_scope *scope, struct tw_export *item,
                         const struct tw_yaml_item *entry);
/* Reports parts whose size does not suit the map or its tiles, and returns false. */
bool tw_export_check_parts(struct tw_loader *loader, const struct tw_export *item,
                           const struct tw_yaml *value);
/* Adds the files beside each file of an entry, from `item` on, that its format needs for its
 * pictures; false when out of memory. */
bool tw_export_load_companions(struct tw_loader *loader, struct tw_export *item,
                               struct tw_export ***tail);
/* export_sidecar.c: adds the `.json` for each file of an entry, from `item` on, if `sidecar:` or
 * the format requires it; false after a fault. */
bool tw_export_load_sidecars(struct tw_loader *loader, struct tw_scope *scope,
                             struct tw_export *item, const struct tw_yaml *value,
                             struct tw_export ***tail);
/* outputs.c: finds the source of an export: an output of the recipe or, failing that, a node. */
bool tw_export_find_source(struct tw_loader *loader, struct tw_scope *scope,
                           const struct tw_yaml *from, struct tw_source *source);
/* Reads the root's outputs and exports. */
bool tw_load_outputs(struct tw_loader *loader, struct tw_scope *scope);

#endif
