/* SPDX-License-Identifier: MIT */
#include "erosion/kernels/land_border.h"

#include "erosion/kernels/mass_balance.h"

#include <string.h>

enum tw_status tw_land_store_ledger(struct tw_task *task, const float *raised, const float *z,
                                    double before)
{
    struct tw_mass_balance moved;
    struct tw_value *ledger = tw_task_output(task, TW_LAND_LEDGER);
    double rise = 0;
    if (tw_task_wants(task, TW_LAND_LEDGER)) /* before it is eroded */
        rise = tw_mass_balance_sum(task, raised) - before;
    enum tw_status status = tw_mass_balance_store(task, raised, z, (size_t)tw_task_width(task),
                                                  NULL, TW_LAND_ERODED, &moved);
    if (status != TW_OK || !tw_task_wants(task, TW_LAND_LEDGER))
        return status;
    status = tw_task_list(task, TW_LAND_LEDGER, 4);
    if (status != TW_OK)
        return status;
    tw_record_set(ledger, 0, "raised", rise);
    tw_record_set(ledger, 1, "eroded", moved.eroded);
    tw_record_set(ledger, 2, "deposited", moved.deposited);
    tw_record_set(ledger, 3, "exported", moved.eroded - moved.deposited);
    return TW_OK;
}
