/* SPDX-License-Identifier: MIT */
/* Memory of a run's slots. Outputs of all nodes share one array each, since most nodes have one of
 * the TW_PORTS_MAX that they may have. */
#include "run/state.h"

#include <stdlib.h>

static size_t count_outputs(const struct tw_run *run, int32_t i)
{
    return (size_t)tw_node_count_ports(run->recipe->nodes[i].type->outputs);
}

static bool allocate(struct tw_run *run)
{
    size_t outputs = 1;
    for (int32_t i = 0; i < run->recipe->count; i++)
        outputs += count_outputs(run, i);
    run->slots = calloc((size_t)run->recipe->count + 1, sizeof *run->slots);
    run->stamps = calloc(outputs, sizeof *run->stamps);
    run->values = calloc(outputs, sizeof *run->values);
    run->uses = calloc(outputs, sizeof *run->uses);
    return run->slots && run->stamps && run->values && run->uses;
}

bool tw_slots_create(struct tw_run *run)
{
    size_t outputs = 0;
    if (!allocate(run))
        return false;
    for (int32_t i = 0; i < run->recipe->count; i++) {
        struct tw_slot *slot = &run->slots[i];
        slot->outputs = (int32_t)count_outputs(run, i);
        slot->stamps = run->stamps + outputs;
        slot->values = run->values + outputs;
        slot->uses = run->uses + outputs;
        outputs += (size_t)slot->outputs;
    }
    return true;
}

void tw_slots_release(struct tw_run *run)
{
    for (int32_t i = 0; run->slots && i < run->recipe->count; i++) {
        for (int32_t port = 0; port < run->slots[i].outputs; port++)
            tw_field_clear(&run->slots[i].values[port]);
        free(run->slots[i].key_text);
    }
    free(run->slots);
    free(run->stamps);
    free(run->values);
    free(run->uses);
}
