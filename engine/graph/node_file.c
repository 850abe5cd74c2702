/* SPDX-License-Identifier: MIT */
#include "graph/node_file.h"

const char *tw_node_file_name(const struct tw_node *node)
{
    const struct tw_param *row = tw_node_file_param(node->type);
    return row ? ((const struct tw_file *)((const unsigned char *)node->params + row->offset))->name
               : "";
}

bool tw_node_file_is_described(const struct tw_node *node)
{
    const char *name = tw_node_file_name(node);
    return name[0] && (node->type->file_layout || tw_format_bare(name));
}

static struct tw_raw_given given_of(const struct tw_node *node)
{
    struct tw_raw_given given = {.how = "source.heightmap's width: and height:"};
    if (node->type->file_layout) {
        given.layout = node->type->file_layout(node->params);
        given.how = "width: and height:";
    }
    return given;
}

static struct tw_raw_place place_of(const struct tw_recipe *recipe, const struct tw_node *node)
{
    return (struct tw_raw_place){node->folder, tw_node_file_name(node), recipe->allow};
}

enum tw_status tw_node_file_layout(const struct tw_recipe *recipe, const struct tw_node *node,
                                   uint64_t length, struct tw_raw_layout *layout, char *sidecar,
                                   struct tw_error *err)
{
    const struct tw_raw_place place = place_of(recipe, node);
    const struct tw_raw_given given = given_of(node);
    return tw_raw_layout_find(tw_format_bare(place.name), &place, &given, length, layout, sidecar,
                              err);
}

/* ---- tiles ---- */

bool tw_node_file_is_tiled(const struct tw_node *node)
{
    return node->type->file_gaps && tw_mosaic_is(tw_node_file_name(node));
}

enum tw_status tw_node_file_tiles(const struct tw_recipe *recipe, const struct tw_node *node,
                                  struct tw_mosaic *mosaic, struct tw_error *err)
{
    const struct tw_raw_place place = place_of(recipe, node);
    const struct tw_raw_given given = given_of(node);
    return tw_mosaic_open(&place, &given, tw_node_file_wish(node), mosaic, err);
}

enum tw_status tw_node_file_tiles_sha256(const struct tw_recipe *recipe, const struct tw_node *node,
                                         struct tw_sha256 *digest, struct tw_error *err)
{
    const struct tw_raw_place place = place_of(recipe, node);
    const struct tw_raw_given given = given_of(node);
    struct tw_mosaic mosaic;
    enum tw_status status = tw_mosaic_find(&place, &mosaic, err);
    if (status == TW_OK)
        status = tw_mosaic_sha256(&place, &given, &mosaic, digest, err);
    tw_mosaic_release(&mosaic);
    return status;
}

struct tw_file_wish tw_node_file_wish(const struct tw_node *node)
{
    const struct tw_node_type *type = node->type;
    const struct tw_file_layout layout =
        type->file_layout ? type->file_layout(node->params) : (struct tw_file_layout){.band = 0};
    return (struct tw_file_wish){type->file_gaps, type->file_colours, layout.counts, layout.band};
}

void tw_node_file_scale(const struct tw_node *node, const struct tw_raw_layout *layout,
                        struct tw_file_facts *facts)
{
    facts->may_have_gaps |= node->type->file_layout && node->type->file_layout(node->params).gaps;
    if (!tw_format_bare(tw_node_file_name(node)))
        tw_raw_layout_scale(layout, facts);
}
