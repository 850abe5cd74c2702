/* SPDX-License-Identifier: MIT */
/* Private to graph/: one recipe file while it is being loaded. A recipe used as a node is a scope
 * of its own below the one that uses it. */
#ifndef TW_ENGINE_GRAPH_LOAD_LOAD_PRIVATE_H
#define TW_ENGINE_GRAPH_LOAD_LOAD_PRIVATE_H

#include "base/text/expression.h"
#include "graph/graph.h"
#include "graph/load/recipe.h"
#include "graph/names.h"

#define TW_ID_MAX 100 /* bytes of an id */

/* A parameter of a recipe. */
struct tw_binding {
    const char *name;
    const char *text;      /* its value; NULL after a fault, which was reported */
    struct tw_place place; /* of the declaration */
    bool *used;            /* set by the first `${name}` */
    struct tw_binding *next;
};

/* An id of `nodes:`: a node of the graph, or a recipe with a scope of its own. */
struct tw_member {
    const char *id;
    struct tw_place place;
    const struct tw_yaml *yaml;
    int32_t node; /* -1 for a recipe and for what could not be loaded */
    struct tw_scope *scope;
    struct tw_member *next;
};

#define TW_NO_ID                                                                                   \
    "(no id)" /* in place of a key that is none: paths consist of ids, which are short */

static inline bool tw_member_has_id(const struct tw_member *member)
{
    return member->id[0] != TW_NO_ID[0];
}

struct tw_scope {
    struct tw_scope *parent;
    const struct tw_member *user; /* the parent's member that uses this recipe */
    const char *file, *folder;
    const char *shown;  /* the file in messages: a nested one as seen from the working folder */
    const char *prefix; /* "" or "hills/"; "hills/3/" in round 3 */
    uint64_t seed;      /* of the recipe, or the `seed:` of the node that uses it */
    const char *seed_prefix; /* what stands for the prefix in the nodes' random numbers */
    struct tw_scope
        *last_round; /* of a repeated recipe: what feeds this round; NULL in the first */
    const struct tw_yaml *root;
    struct tw_binding *params;
    struct tw_member *members, *last;
    int depth;
    bool is_used; /* by a node that a variant of an experiment replaces */
};

/* What a node that is a recipe gives one of its inputs. */
struct tw_feeding {
    const struct tw_yaml *reference; /* NULL for none */
    const char *id, *file;           /* the input and its recipe */
    const struct tw_yaml *type;      /* that it declares */
};

/* A connected input, and where the recipe says so. */
struct tw_edge {
    int32_t node, input;
    const struct tw_yaml *reference;
    struct tw_feeding feeding; /* the outermost on the way to the source */
    bool is_reported;          /* there */
    struct tw_edge *next;
};

/* Everything loading needs; the recipe under construction is in `recipe`. */
struct tw_loader {
    struct tw_recipe *recipe;
    struct tw_fault_log *log;
    struct tw_registry registry;
    const struct tw_load_options *options;
    const struct tw_load_changes *changes; /* an experiment's, of the root */
    int32_t capacity;
    int32_t used_recipes; /* as nodes, with their bytes */
    size_t used_bytes;
    int32_t used_yaml_nodes;
    size_t used_text;          /* bytes of their scalars, aliases expanded */
    const char *real_path;     /* of the root, without symbolic links; NULL when not from a file */
    int64_t decoded_cells;     /* of input files, to see whether they are damaged */
    int32_t hops;              /* of references through recipes */
    struct tw_feeding feeding; /* the last one that tw_resolve() met on its way */
    size_t expanded_bytes;     /* by `${name}` */
    int32_t unset_uses;        /* of parameters without a value, whose fault was reported */
    struct tw_edge *edges, *last_edge;
    int32_t *surfaces; /* nodes of render.surface that exports share */
    int32_t surface_count, surface_capacity;
    struct tw_names names; /* members by scope, bindings by its `params`, outputs by name */
};

#define TW_TEXT_MAX 4096                        /* bytes of a text with `${name}` replaced */
#define TW_EXPANDED_BYTES_MAX ((size_t)4 << 20) /* of all such texts of a recipe */

/* scope.c: a scope below `parent`, or the root; NULL without memory. `user` is the node that uses
 * the file. */
struct tw_scope *tw_scope_create(struct tw_loader *loader, struct tw_scope *parent,
                                 const struct tw_member *user, const char *file);
/* scope.c: the keys and members of scope->root. False after a fault or without memory. */
bool tw_scope_load(struct tw_loader *loader, struct tw_scope *scope);
/* scope.c: reports to tw_load_options.reads a file that a recipe in `folder` names, there or not.
 */
void tw_load_note(const struct tw_loader *loader, const char *folder, const char *name);
/* The same, and then tw_file_resolve(). */
enum tw_status tw_load_resolve(const struct tw_loader *loader, const char *folder, const char *name,
                               char *path, struct tw_error *error);
/* scope.c: adds to the recipe's readings; false without memory. */
bool tw_load_add_reading(struct tw_loader *loader, const char *path, const char *node);
/* The same of the name itself where it is a symbolic link: whoever writes there replaces it. */
bool tw_load_add_link(struct tw_loader *loader, const char *folder, const char *name);
/* Whether errors may say nothing of what a named file holds. */
bool tw_load_hides(const struct tw_loader *loader, const char *folder, const char *name);

/* substitute.c: `${name}` in a scalar replaced; the text itself when there is none; NULL after a
 * fault. */
const char *tw_substitute(struct tw_loader *loader, struct tw_scope *scope,
                          const struct tw_yaml *scalar);
/* The text of a parameter of the scope, or of `seed`, `width` or `height`; NULL text after a fault
 * that was reported. False when there is no such name. */
#define TW_BUILT_IN_BYTES 40
bool tw_scope_value(struct tw_loader *loader, struct tw_scope *scope, const char *name,
                    char number[TW_BUILT_IN_BYTES], const char **text);
/* The nearest of these names; NULL when none is near. */
const char *tw_scope_nearest(struct tw_loader *loader, const struct tw_scope *scope,
                             const char *name);
/* Owner of a scope's bindings in the table of names; members have the scope itself. */
static inline const void *tw_scope_bindings(const struct tw_scope *scope) { return &scope->params; }
/* params.c: declares params: of a scope from its file, the user's node or -s options. */
bool tw_scope_params(struct tw_loader *loader, struct tw_scope *scope);
/* inputs.c: the type of that name; false when there is none. */
bool tw_load_find_type(const char *name, enum tw_type *type);
/* Declares inputs: of a scope. */
void tw_scope_inputs(struct tw_loader *loader, const struct tw_yaml *inputs);
/* Once the root's members exist: nodes for its inputs, which the program feeds. */
bool tw_load_feeds(struct tw_loader *loader, struct tw_scope *root);

/* arithmetic.c: the number that `length` bytes of the scalar from `offset` on give, the inside of
 * "${...}"; false after a fault, which is reported at its place within the scalar. */
bool tw_arithmetic(struct tw_loader *loader, struct tw_scope *scope, const struct tw_yaml *scalar,
                   size_t offset, size_t length, char number[TW_BUILT_IN_BYTES]);
/* The number that a name of the scope stands for in arithmetic; else false with the fault. */
bool tw_arithmetic_name(struct tw_loader *loader, struct tw_scope *scope, const char *name,
                        double *number, struct tw_expression_fault *fault);

/* meant_input.c: the node's only missing input when an unknown key of the entry was probably meant
 * for it, and that key; else NULL. */
const char *tw_load_meant_input(const struct tw_loader *loader, const struct tw_scope *scope,
                                const struct tw_node_type *type, const struct tw_yaml *yaml,
                                const struct tw_yaml **key);

/* resolve.c: `node`, `node.port` or an input of the recipe to a source; false after a fault. */
bool tw_resolve(struct tw_loader *loader, struct tw_scope *scope, const struct tw_yaml *reference,
                struct tw_source *source);
/* Connects the inputs of one node that `yaml` names; false after a fault. */
bool tw_resolve_inputs(struct tw_loader *loader, struct tw_scope *scope, struct tw_node *node,
                       const struct tw_yaml *yaml);
/* Connects every input of every node, in this scope and those below. */
bool tw_resolve_edges(struct tw_loader *loader, struct tw_scope *scope);
/* Reports every edge since the last call whose ends have different types, once these are known. */
void tw_resolve_check_types(struct tw_loader *loader);
/* choose.c: what a source stands for when its node chooses one of its inputs. */
struct tw_source tw_load_chosen(const struct tw_recipe *recipe, struct tw_source source);
/* Connects the users of such nodes to what these choose, once all edges exist. */
void tw_load_choices(const struct tw_recipe *recipe);
/* False, and reported, when the node chooses an input that it does not have. */
bool tw_load_check_choice(struct tw_loader *loader, const struct tw_node *node,
                          const struct tw_yaml *yaml);

/* node.c: one entry of `nodes:`. */
bool tw_load_member(struct tw_loader *loader, struct tw_scope *scope, struct tw_member *member);
/* A `seed:` of a node, which messages call `owner`; false after a fault. */
bool tw_load_seed(struct tw_loader *loader, struct tw_scope *scope, const struct tw_yaml *value,
                  const char *owner, uint64_t *seed);
/* One parameter of a node, or option of an export, which messages call `owner`. */
void tw_load_param(struct tw_loader *loader, struct tw_scope *scope, const char *owner,
                   const struct tw_param *row, void *params, const struct tw_yaml *value);
/* rules.c: reports the first rule between the node's parameters that does not hold. */
void tw_load_check_rules(struct tw_loader *loader, const struct tw_node *node,
                         const struct tw_yaml *yaml);
/* world_unit.c: a text such as "35 deg" or "120 m" as a number in `unit`, that of the parameter or
 * column `name` of `owner`; any other text as it is; NULL after a fault. */
const char *tw_load_world_unit(struct tw_loader *loader, const char *owner, const char *name,
                               const char *unit, const char *text, const struct tw_yaml *value);
/* world_unit.c: gives exaggerations that are `auto` the true scale of the recipe's `world:`. */
void tw_load_true_scale(struct tw_loader *loader, struct tw_node *node);
/* input_file.c: reports at `place` when the node's file cannot be read or used. */
void tw_load_check_file(struct tw_loader *loader, struct tw_node *node, const char *name,
                        struct tw_place place);
/* input_place.c: warns where a file that says where it lies contradicts the recipe's `world:`. */
void tw_load_check_georeference(struct tw_loader *loader, const struct tw_node *node,
                                const struct tw_georeference *at, const struct tw_file_facts *facts,
                                struct tw_place place);
/* table.c: a table parameter, a list of rows. Faults are reported. */
void tw_load_table(struct tw_loader *loader, struct tw_scope *scope, const struct tw_param *row,
                   void *params, const struct tw_yaml *value);
/* The rows of a colour ramp from a .cpt file, relative to the recipe. Faults are reported at its
 * lines. */
void tw_load_cpt(struct tw_loader *loader, const struct tw_scope *scope, const struct tw_param *row,
                 const char *name, struct tw_place place, struct tw_table *table);
/* formula.c: a formula of a node, whose scalar it is. Faults are reported. */
void tw_load_formula(struct tw_loader *loader, struct tw_scope *scope,
                     const struct tw_node_type *type, const struct tw_yaml *yaml,
                     const struct tw_param *row, void *params, const struct tw_yaml *value);
/* A node that stands for something else in the recipe, so its id is for messages only. Its index,
 * or -1 without memory; inputs are not connected. */
int32_t tw_load_hidden_node(struct tw_loader *loader, struct tw_scope *scope,
                            const struct tw_node_type *type, const char *id,
                            const struct tw_yaml *yaml);
/* export_render.c: the nodes that an export's `as:` stands for; the export's source becomes their
 * output. False after a fault. */
bool tw_load_render(struct tw_loader *loader, struct tw_scope *scope, const struct tw_yaml *value,
                    struct tw_export *item);
/* The type whose node a view that looks at a lit surface gets; NULL for other views. */
const struct tw_node_type *tw_render_surface_of(const struct tw_loader *loader,
                                                const struct tw_node_type *view);
/* Whether an option of an export with `as:` is one of its nodes'. */
bool tw_render_has_option(const struct tw_loader *loader, const struct tw_node_type *type,
                          const char *key);

/* scope.c: reads a recipe file into a scope (params and nodes, not outputs and exports). `round`
 * counts where the recipe is repeated, else it is 1. */
struct tw_scope *tw_load_scope(struct tw_loader *loader, struct tw_scope *parent,
                               const struct tw_member *user, const char *file, int32_t round);
/* repeat.c: the same for as many rounds as the node says; the scope of the last one. */
struct tw_scope *tw_load_repeats(struct tw_loader *loader, struct tw_scope *parent,
                                 const struct tw_member *member, const char *file);
/* Gives the scope the names of its round; false without memory. */
bool tw_repeat_number(struct tw_loader *loader, struct tw_scope *scope, int32_t round);
/* The output of the round before that feeds the input; NULL when it keeps what the node gives. */
const char *tw_repeat_output(const struct tw_scope *scope, const char *input);
/* head.c: the root's size, seed, world and about. */
void tw_load_head(struct tw_loader *loader, const struct tw_yaml *root);
/* borders.c: whether the world is a torus or ends, once the graph is complete; faults are
 * reported; false without memory. */
bool tw_load_borders(struct tw_loader *loader, const struct tw_yaml *root);
/* unused.c: what only nodes use that a variant of an experiment replaces is used all the same.
 * Before the graph is sorted. */
void tw_load_use_replaced(struct tw_loader *loader, const struct tw_scope *root);
/* Warns of nodes of the root on which no output or export depends, and of parameters that
 * nothing reads, once the graph is complete. */
void tw_load_warn_unused(struct tw_loader *loader, const struct tw_scope *root);
/* export_format.c: false, and reported, when no format has the ending of an export's file. */
bool tw_export_check_ending(struct tw_loader *loader, const struct tw_export *item,
                            const struct tw_yaml *key);
/* The format that holds the export's sources, and its options from the entry. */
bool tw_export_load_format(struct tw_loader *loader, struct tw_scope *scope, struct tw_export *item,
                           const struct tw_yaml_item *entry);
/* export_preset.c: `for:` of an export whose format is known; false after a fault. */
bool tw_export_load_preset(struct tw_loader *loader, struct tw_scope *scope, struct tw_export *item,
                           const struct tw_yaml *value);
/* What the preset says, before the entry's own options are read; nothing without a preset. */
void tw_export_set_preset(struct tw_loader *loader, struct tw_export *item);
/* Reports an option that says something else than the preset. */
void tw_export_check_preset(struct tw_loader *loader, const struct tw_export *item,
                            const struct tw_param *row, const struct tw_yaml *key);
/* False, and reported, when the format holds no map of that size, or the engine loads none, then
 * with the nearest sides. */
bool tw_export_check_sides(struct tw_loader *loader, const struct tw_export *item, int32_t width,
                           int32_t height, struct tw_place place);
/* export_tiles.c: `tiles:` of an export, which becomes the first; the rest is added at `tail`. */
bool tw_export_load_tiles(struct tw_loader *loader, struct tw_scope *scope, struct tw_export *item,
                          const struct tw_yaml *value, struct tw_export ***tail);
/* A further file of the same sources, added at `tail`; NULL without memory. */
struct tw_export *tw_export_copy(struct tw_loader *loader, const struct tw_export *item,
                                 struct tw_export ***tail);
/* export_sidecar.c: adds the `.json` beside each file of an entry, from `item` on, where `sidecar:`
 * or the format asks for it; false after a fault. */
bool tw_export_load_sidecars(struct tw_loader *loader, struct tw_scope *scope,
                             struct tw_export *item, const struct tw_yaml *value,
                             struct tw_export ***tail);
/* outputs.c: the root's outputs and exports. */
bool tw_load_outputs(struct tw_loader *loader, struct tw_scope *scope);

#endif
