/* SPDX-License-Identifier: MIT */
/* Writes the tables of docs/decisions/measurements.md, between "<!-- table: NAME -->" and "<!-- end
 * -->", from docs/results. With the argument "check" it only says whether the page is current. */
#include "docs/results.h"

#include <stdbool.h>
#include <string.h>

static const char *const page_path = TW_DOCS "/decisions/measurements.md";

static double number(const json_t *row, const char *name)
{
    return json_number_value(json_object_get(row, name));
}

static const char *text(const json_t *row, const char *name)
{
    return json_string_value(json_object_get(row, name));
}

static size_t rows_of(const json_t *result, const char *name, const json_t **rows)
{
    *rows = json_object_get(result, name);
    return json_array_size(*rows);
}

/* Three digits: 0.123, 1.23, 12.3, 123, 1234. */
static void print_figure(FILE *out, double v)
{
    fprintf(out, " %.*f |", v < 1 ? 3 : v < 10 ? 2 : v < 100 ? 1 : 0, v);
}

static void print_turns(FILE *out, const json_t *result)
{
    int threads = (int)number(result, "threads"), repeats = (int)number(result, "repeats");
    if (threads == 0)
        fputs("a thread a processor, ", out);
    else
        fprintf(out, "%d thread%s, ", threads, threads > 1 ? "s" : "");
    if (repeats == 1)
        fputs("one turn", out);
    else
        fprintf(out, "medians of %d turns", repeats);
}

/* ---- kernels: a line a node, a column a size ---- */

enum { SIZES = 2 };
static const int sizes[SIZES] = {512, 1024};

static const json_t *find_kernel(const json_t *rows, const char *name, int size)
{
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        if (strcmp(text(row, "name"), name) == 0 && (int)number(row, "width") == size)
            return row;
    }
    return NULL;
}

static void print_kernel(FILE *out, const json_t *rows, const json_t *first)
{
    const char *name = text(first, "name");
    fprintf(out, "| %s |", name);
    for (int i = 0; i < SIZES; i++) {
        const json_t *row = find_kernel(rows, name, sizes[i]);
        if (row && number(row, "low_ns") > 0)
            print_figure(out, number(row, "node_ns"));
        else
            fputs(row ? " - |" : " |", out); /* lost in what its inputs take */
    }
    if (json_object_get(first, "reference_ns")) {
        print_figure(out, number(first, "reference_ns"));
        print_figure(out, number(first, "ratio"));
    } else
        fputs(" | |", out);
    fputs("\n", out);
}

/* Copying the map, which is what a node that only waits for memory takes: the least of a size. */
static void print_copy(FILE *out, const json_t *rows)
{
    fputs("| memcpy of the map |", out);
    for (int i = 0; i < SIZES; i++) {
        double least = 1e9;
        for (size_t k = 0; k < json_array_size(rows); k++) {
            const json_t *row = json_array_get(rows, k);
            if ((int)number(row, "width") == sizes[i] && number(row, "memcpy_ns") < least)
                least = number(row, "memcpy_ns");
        }
        if (least < 1e9)
            print_figure(out, least);
        else
            fputs(" |", out);
    }
    fputs(" | |\n", out);
}

static void print_kernels(FILE *out)
{
    const json_t *rows;
    json_t *result = results_load("kernels");
    size_t count = rows_of(result, "rows", &rows);
    bool wall = strcmp(text(result, "clock"), "wall") == 0;
    fputs(wall ? "Wall time, " : "Processor time, ", out);
    print_turns(out, result);
    fputs(".\n\n| ns a cell and pass, or a thing | 512\xC2\xB2 | 1024\xC2\xB2 | plain loop, "
          "512\xC2\xB2 | times |\n|---|---|---|---|---|\n",
          out);
    print_copy(out, rows);
    for (size_t i = 0; i < count; i++)
        if ((int)number(json_array_get(rows, i), "width") == sizes[0])
            print_kernel(out, rows, json_array_get(rows, i));
    json_decref(result);
}

/* ---- threads: a line a node, the busiest thread's time now and before ---- */

static void print_thread_row(FILE *out, const json_t *row, const json_t *past)
{
    fprintf(out, "| %s |", text(row, "name"));
    if (past) {
        print_figure(out, number(past, "one_thread_ns"));
        print_figure(out, number(past, "node_ns"));
        print_figure(out, number(past, "times"));
    } else
        fputs(" | | |", out);
    print_figure(out, number(row, "one_thread_ns"));
    print_figure(out, number(row, "node_ns"));
    print_figure(out, number(row, "times"));
    fputs("\n", out);
}

static void print_threads(FILE *out)
{
    const json_t *rows, *past_rows;
    json_t *result = results_load("threads"), *past = results_load("threads_before");
    size_t count = rows_of(result, "rows", &rows);
    rows_of(past, "rows", &past_rows);
    fputs("Processor time of the busiest thread, ", out);
    print_turns(out, result);
    fprintf(
        out,
        ".\n\n| ns a cell and pass, or a thing, at %d\xC2\xB2 | before, 1 thread | %d threads | "
        "times | now, 1 thread | %d threads | times |\n|---|---|---|---|---|---|---|\n",
        (int)number(json_array_get(rows, 0), "width"), (int)number(past, "threads"),
        (int)number(result, "threads"));
    for (size_t i = 0; i < count; i++) {
        const json_t *row = json_array_get(rows, i);
        print_thread_row(out, row,
                         find_kernel(past_rows, text(row, "name"), (int)number(row, "width")));
    }
    json_decref(result);
    json_decref(past);
}

/* ---- peers ---- */

static void print_versions(FILE *out, const json_t *result)
{
    const char *name;
    json_t *version;
    json_object_foreach(json_object_get(result, "peers"), name, version)
        fprintf(out, ", %s %s", name, json_string_value(version));
    fputs(".\n\n", out);
}

static void print_setting(FILE *out, const json_t *result)
{
    fprintf(out, "%s, ", text(result, "processor"));
    print_turns(out, result);
    print_versions(out, result);
}

/* A line a node, or a file, and peer. */
static void print_nodes_beside(FILE *out)
{
    const json_t *rows;
    json_t *result = results_load("peers");
    size_t count = rows_of(result, "rows", &rows);
    fprintf(out, "%s, %s, 1 thread, the least of %d turns", text(result, "date"),
            text(result, "processor"), (int)number(result, "repeats"));
    print_versions(out, result);
    fputs("| processor time, ns a cell | cells | Thalweg | peer | | times | bytes |\n"
          "|---|---|---|---|---|---|---|\n",
          out);
    for (size_t i = 0; i < count; i++) {
        const json_t *row = json_array_get(rows, i);
        fprintf(out, "| %s | %d\xC2\xB2 |", text(row, "work"), (int)number(row, "size"));
        print_figure(out, number(row, "thalweg_ns"));
        fprintf(out, " %s |", text(row, "peer"));
        print_figure(out, number(row, "peer_ns"));
        print_figure(out, number(row, "times"));
        if (json_object_get(row, "bytes"))
            print_figure(out, number(row, "bytes"));
        else
            fputs(" |", out);
        fputs("\n", out);
    }
    json_decref(result);
}

static const json_t *find_agreement(const json_t *result, const json_t *row)
{
    const json_t *list;
    size_t count = rows_of(result, "agreement", &list);
    for (size_t i = 0; i < count; i++) {
        const json_t *line = json_array_get(list, i);
        if (strcmp(text(line, "peer"), text(row, "name")) == 0 &&
            (int)number(line, "size") == (int)number(row, "size"))
            return line;
    }
    return NULL;
}

static void print_beside(FILE *out, const json_t *result)
{
    const json_t *rows;
    size_t count = rows_of(result, "rows", &rows);
    fputs("| | cells | wall ms | processor ms | times, wall | times, processor | differs by |\n"
          "|---|---|---|---|---|---|---|\n",
          out);
    for (size_t i = 0; i < count; i++) {
        const json_t *row = json_array_get(rows, i), *line = find_agreement(result, row);
        fprintf(out, "| %s | %d\xC2\xB2 |", text(row, "name"), (int)number(row, "size"));
        print_figure(out, number(row, "wall_ms"));
        print_figure(out, number(row, "processor_ms"));
        print_figure(out, number(row, "times"));
        print_figure(out, number(row, "processor_times"));
        if (line)
            fprintf(out, " %.1g %s |\n", number(line, "difference"), text(line, "relative_to"));
        else
            fputs(" |\n", out);
    }
}

static void print_growth(FILE *out, const json_t *result, const char *name, const char *what)
{
    const json_t *rows;
    size_t count = rows_of(result, name, &rows);
    if (count == 0)
        return;
    fprintf(out,
            "\n| | %s | wall ms | ns a cell | processor ms | ns a cell |\n"
            "|---|---|---|---|---|---|\n",
            what);
    for (size_t i = 0; i < count; i++) {
        const json_t *row = json_array_get(rows, i);
        fprintf(out, "| %s | %s |", text(row, "name"), text(row, "size"));
        print_figure(out, number(row, "wall_ms"));
        print_figure(out, number(row, "wall_ns"));
        print_figure(out, number(row, "processor_ms"));
        print_figure(out, number(row, "processor_ns"));
        fputs("\n", out);
    }
}

static void print_peers(FILE *out, const char *name)
{
    json_t *result = results_load(name);
    print_setting(out, result);
    print_beside(out, result);
    print_growth(out, result, "growth", "side");
    print_growth(out, result, "features", "features");
    json_decref(result);
}

/* ---- the page ---- */

static void print_table(FILE *out, const char *name, size_t length)
{
    static const char *const peers[] = {"distance", "diffusion"};
    if (length == 7 && strncmp(name, "kernels", length) == 0)
        print_kernels(out);
    if (length == 7 && strncmp(name, "threads", length) == 0)
        print_threads(out);
    if (length == 5 && strncmp(name, "peers", length) == 0)
        print_nodes_beside(out);
    for (int i = 0; i < 2; i++)
        if (length == strlen(peers[i]) && strncmp(name, peers[i], length) == 0)
            print_peers(out, peers[i]);
}

/* The page with its tables rewritten. */
static char *make_page(const char *page, size_t *length)
{
    static const char mark[] = "<!-- table: ", end[] = "<!-- end -->";
    char *current = NULL;
    FILE *out = open_memstream(&current, length);
    if (!out)
        exit(1);
    for (const char *at; (at = strstr(page, mark)); page = strstr(page, end)) {
        const char *name = at + strlen(mark), *rest = strchr(name, '\n');
        if (!rest || !strstr(rest, end))
            break;
        fwrite(page, 1, (size_t)(rest + 1 - page), out);
        fputs("\n", out);
        print_table(out, name, strcspn(name, " "));
        fputs("\n", out);
        page = rest;
    }
    fputs(page, out);
    fclose(out);
    return current;
}

int main(int argc, char **argv)
{
    static char page[1 << 17];
    size_t length = 0;
    FILE *file = fopen(page_path, "r");
    page[file ? fread(page, 1, sizeof page - 1, file) : 0] = 0;
    if (file)
        fclose(file);
    char *current = make_page(page, &length);
    bool check = argc > 1 && strcmp(argv[1], "check") == 0, ok = strcmp(page, current) == 0;
    if (!ok && !check) {
        file = fopen(page_path, "w");
        ok = file && fwrite(current, 1, length, file) == length;
        ok = file && fclose(file) == 0 && ok;
    }
    if (!ok)
        fputs("docs/decisions/measurements.md is not current: run this program\n", stderr);
    free(current);
    return ok && page[0] ? 0 : 1;
}
