/* SPDX-License-Identifier: MIT */
#include "common/strata.h"

enum { RED = 2, COLUMNS = 5 };
_Static_assert(sizeof(struct tw_stratum) == COLUMNS * sizeof(float), "a row of the table");

const struct tw_column tw_strata_columns[] = {
    {"thickness", 1, 1e-6, 1e6, false, "", "of all layers' thicknesses together"},
    {"hardness", 0.5, 0, 1, false, TW_UNIT_SHARE, "how well it stands up to erosion"},
    {"red", -1, 0, 255, false, "", "of its colour; without one, the mood's by hardness"},
    {"green", -1, 0, 255, false, "", "of its colour"},
    {"blue", -1, 0, 255, false, "", "of its colour"},
    TW_COLUMN_END,
};

struct tw_rule tw_strata_check(const char *name, const struct tw_table *table)
{
    if (table->rows > TW_STRATA_MAX)
        return TW_RULE(name, "at most 64 rows");
    for (int32_t i = 0; i < table->rows; i++) {
        const struct tw_stratum *row = tw_strata_rows(table) + i;
        const float colour[] = {row->red, row->green, row->blue};
        bool coloured = tw_max(tw_max(row->red, row->green), row->blue) >= 0;
        for (int k = 0; k < 3; k++)
            if (coloured && colour[k] < 0)
                return TW_RULE_OF_ROW(name, i + 1, tw_strata_columns[RED + k].name,
                                      "all of red, green and blue, or none");
    }
    return TW_RULES_HOLD;
}

void tw_strata_tops(const struct tw_table *table, float *tops)
{
    double sum = 0, below = 0;
    for (int32_t i = 0; i < table->rows; i++)
        sum += (double)tw_strata_rows(table)[i].thickness;
    for (int32_t i = 0; i < table->rows; i++) {
        below += (double)tw_strata_rows(table)[i].thickness;
        tops[i] = i + 1 < table->rows ? (float)(below / sum) : 1.0f;
    }
}
