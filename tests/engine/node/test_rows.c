/* SPDX-License-Identifier: MIT */
/* What recipes rely on besides bytes: names, types, defaults and exact ranges of all parameters,
 * columns and ports, and of the options of file formats. Pages and the schema print a range by a
 * few digits; tests/golden/rows.txt has all of them (write it anew with THALWEG_UPDATE_GOLDEN=1).
 */
#include "format/format.h"
#include "format/preset.h"
#include "node/registry.h"
#include "support/golden.h"
#include "support/harness.h"

#include <stdio.h>

static struct golden golden;

static const char *or_none(const char *text) { return text ? text : "-"; }

static void print_columns(const char *owner, const struct tw_param *row)
{
    char line[400];
    for (const struct tw_column *c = row->columns; c && c->name; c++) {
        snprintf(line, sizeof line, "%s.%s.%s %.17g %.17g %.17g %s %s\n", owner, row->name, c->name,
                 c->initial, c->min, c->max, c->required ? "required" : "optional",
                 or_none(c->unit));
        golden_line(&golden, line);
    }
}

static void print_rows(const char *owner, const struct tw_param *rows)
{
    char line[400];
    for (const struct tw_param *row = rows; row && row->name; row++) {
        int used = snprintf(line, sizeof line, "%s.%s %d %.17g %.17g %.17g %s [%s]", owner,
                            row->name, (int)row->kind, row->initial, row->min, row->max,
                            or_none(row->text), or_none(row->unit));
        if (row->word)
            used += snprintf(line + used, sizeof line - (size_t)used, " %s is %.17g", row->word,
                             row->stands_for);
        snprintf(line + used, sizeof line - (size_t)used, "\n");
        golden_line(&golden, line);
        print_columns(owner, row);
    }
}

static void print_ports(const char *owner, const char *side, const struct tw_port *ports)
{
    char line[400];
    for (const struct tw_port *port = ports; port && port->name; port++) {
        snprintf(line, sizeof line, "%s %s %s %d %d\n", owner, side, port->name, (int)port->type,
                 (int)port->flags);
        golden_line(&golden, line);
    }
}

static void print_format(const struct tw_format *f)
{
    char line[400];
    snprintf(line, sizeof line, "%s %u %u %d %d %d %d %d %d\n", f->ending, f->types, f->several,
             (int)f->several_max, f->ranged, f->bare_bits, f->noted, f->physical, f->cell_bytes);
    golden_line(&golden, line);
    print_rows(f->ending, f->options);
}

static void rows_are_what_recipes_rely_on(void **state)
{
    (void)state;
    golden_begin(&golden, TW_GOLDEN "/rows.txt");
    for (const struct tw_node_type *const *type = tw_node_table; *type; type++) {
        print_rows((*type)->name, (*type)->params);
        print_ports((*type)->name, "in", (*type)->inputs);
        print_ports((*type)->name, "out", (*type)->outputs);
    }
    for (const struct tw_format *const *format = tw_formats; *format; format++)
        print_format(*format);
    print_rows("range", tw_range_options);
    print_rows("tiles", tw_tiling_options);
    golden_end(&golden);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_are_what_recipes_rely_on)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
