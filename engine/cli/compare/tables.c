/* SPDX-License-Identifier: MIT */
#include "cli/compare/tables.h"

#include "console/output_file.h"

enum { FORMS = 3 };

static const char *const options[FORMS] = {
    [TW_CSV_WIDE] = "--csv", [TW_CSV_LONG] = "--csv-long", [TW_JSON_LINES] = "--json-lines"};

/* The file of a form; NULL: not asked for. */
static const char *file_of(const struct tw_settings *settings, int form)
{
    const char *const files[FORMS] = {[TW_CSV_WIDE] = settings->csv,
                                      [TW_CSV_LONG] = settings->csv_long,
                                      [TW_JSON_LINES] = settings->json_lines};
    return files[form];
}

const char *tw_compare_tables_option(const struct tw_settings *settings)
{
    for (int i = 0; i < FORMS; i++)
        if (file_of(settings, i))
            return options[i];
    return NULL;
}

bool tw_compare_tables_on_stdout(const struct tw_settings *settings)
{
    for (int i = 0; i < FORMS; i++)
        if (tw_console_is_stdout(file_of(settings, i)))
            return true;
    return false;
}

enum tw_status tw_compare_tables_open(struct tw_compare_tables *tables,
                                      const struct tw_settings *settings,
                                      const struct tw_experiment *experiment,
                                      const struct tw_compare_rounds *rounds, struct tw_error *err)
{
    enum tw_status status = TW_OK;
    for (int i = 0; status == TW_OK && i < FORMS; i++) {
        tables->is_open[i] = file_of(settings, i) != NULL;
        if (tables->is_open[i])
            status = tw_compare_csv_open(experiment, rounds, (enum tw_compare_form)i,
                                         file_of(settings, i), &tables->at[i], err);
    }
    return status;
}

enum tw_status tw_compare_tables_add(struct tw_compare_tables *tables, uint64_t seed,
                                     const double *samples, struct tw_error *err)
{
    enum tw_status status = TW_OK;
    for (int i = 0; status == TW_OK && i < FORMS; i++)
        if (tables->is_open[i])
            status = tw_compare_csv_add(&tables->at[i], seed, samples, err);
    return status;
}

enum tw_status tw_compare_tables_finish(struct tw_compare_tables *tables, struct tw_error *err)
{
    enum tw_status status = TW_OK;
    for (int i = 0; status == TW_OK && i < FORMS; i++)
        if (tables->is_open[i])
            status = tw_compare_csv_finish(&tables->at[i], err);
    return status;
}

void tw_compare_tables_release(struct tw_compare_tables *tables)
{
    for (int i = 0; i < FORMS; i++)
        tw_compare_csv_release(&tables->at[i]);
}
