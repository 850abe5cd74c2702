/* SPDX-License-Identifier: MIT */
/* Places nodes in columns by the longest path from a source, and in rows close to their neighbours
 * (Sugiyama et al. 1981, barycentres). */
#include "report/charts/graph.h"

#include "report/charts/svg.h"

enum { BOX = 146, HIGH = 38, ACROSS = 40, DOWN = 14, EDGE = 6, SWEEPS = 8, LANE = 8 };

struct layout {
    const struct tw_graph_chart *chart;
    int32_t column[TW_GRAPH_NODES_MAX];
    int32_t row[TW_GRAPH_NODES_MAX];
    int32_t columns, rows; /* rows of the fullest column */
    int32_t filled[TW_GRAPH_NODES_MAX];
    int32_t lanes; /* above all rows, for edges that skip a column and would run behind a box */
};

/* Returns false if the graph has a cycle. */
static bool find_columns(struct layout *l)
{
    const struct tw_graph_chart *c = l->chart;
    bool moved = true;
    for (int32_t pass = 0; moved && pass <= c->node_count; pass++) {
        moved = false;
        for (int32_t i = 0; i < c->edge_count; i++) {
            int32_t next = l->column[c->edges[i].from] + 1;
            if (l->column[c->edges[i].to] >= next)
                continue;
            l->column[c->edges[i].to] = next;
            moved = true;
        }
    }
    for (int32_t i = 0; i < c->node_count; i++)
        l->columns = l->column[i] + 1 > l->columns ? l->column[i] + 1 : l->columns;
    return !moved;
}

/* Moves a source next to the first node that uses it. */
static void pull_sources(struct layout *l)
{
    const struct tw_graph_chart *c = l->chart;
    for (int32_t n = 0; n < c->node_count; n++) {
        int32_t least = l->columns;
        bool source = true;
        for (int32_t i = 0; i < c->edge_count; i++) {
            source &= c->edges[i].to != n;
            if (c->edges[i].from == n && l->column[c->edges[i].to] < least)
                least = l->column[c->edges[i].to];
        }
        if (source && least < l->columns)
            l->column[n] = least - 1;
    }
}

static void find_rows(struct layout *l)
{
    for (int32_t i = 0; i < l->chart->node_count; i++) {
        l->row[i] = l->filled[l->column[i]]++;
        l->rows = l->filled[l->column[i]] > l->rows ? l->filled[l->column[i]] : l->rows;
    }
}

/* Row position from 0 to 1 within the column, to compare columns of different lengths. */
static double height_of(const struct layout *l, int32_t node)
{
    return (l->row[node] + 0.5) / l->filled[l->column[node]];
}

static double barycentre(const struct layout *l, int32_t node, bool of_inputs)
{
    const struct tw_graph_chart *c = l->chart;
    double sum = 0;
    int32_t count = 0;
    for (int32_t i = 0; i < c->edge_count; i++) {
        int32_t own = of_inputs ? c->edges[i].to : c->edges[i].from;
        if (own != node)
            continue;
        sum += height_of(l, of_inputs ? c->edges[i].from : c->edges[i].to);
        count++;
    }
    return count > 0 ? sum / count : height_of(l, node);
}

/* Sorts a column's rows by barycentre; ties keep their order. */
static void sort_column(struct layout *l, int32_t column, bool of_inputs)
{
    int32_t at[TW_GRAPH_NODES_MAX], count = 0;
    double weight[TW_GRAPH_NODES_MAX];
    for (int32_t row = 0; row < l->filled[column]; row++)
        for (int32_t n = 0; n < l->chart->node_count; n++)
            if (l->column[n] == column && l->row[n] == row) {
                double own = barycentre(l, n, of_inputs);
                int32_t k = count++;
                for (; k > 0 && weight[k - 1] > own; k--) {
                    at[k] = at[k - 1];
                    weight[k] = weight[k - 1];
                }
                at[k] = n;
                weight[k] = own;
            }
    for (int32_t k = 0; k < count; k++)
        l->row[at[k]] = k;
}

static bool passes_by(const struct layout *l, int32_t edge)
{
    return l->column[l->chart->edges[edge].to] - l->column[l->chart->edges[edge].from] > 1;
}

/* ---- drawing ---- */

static double x_of(const struct layout *l, int32_t node)
{
    return EDGE + l->column[node] * (BOX + ACROSS);
}

/* The middle of the box; short columns are centred. */
static double y_of(const struct layout *l, int32_t node)
{
    double rise = (l->rows - l->filled[l->column[node]]) / 2.0;
    return EDGE + LANE * l->lanes + (rise + l->row[node] + 0.5) * (HIGH + DOWN);
}

static const char *const styles[] = {"", " c2", " c3", " c4 gone"};

/* Rises and falls in the gaps next to its two boxes. */
static void put_edge(FILE *out, const struct layout *l, int32_t i, int32_t lane)
{
    int32_t from = l->chart->edges[i].from, to = l->chart->edges[i].to;
    const char *style = styles[l->chart->edges[i].mark];
    double x1 = x_of(l, from) + BOX, x2 = x_of(l, to) - 2, half = ACROSS / 2.0;
    double y1 = y_of(l, from), y2 = y_of(l, to), y = EDGE + LANE * (lane + 0.5);
    fprintf(out, "<path class=\"edge%s\" d=\"M%.1f %.1f", style, x1, y1);
    if (passes_by(l, i))
        fprintf(out, "C%.1f %.1f %.1f %.1f %.1f %.1fH%.1f", x1 + half, y1, x1 + half, y,
                x1 + ACROSS, y, x2 - ACROSS);
    fprintf(out, "C%.1f %.1f %.1f %.1f %.1f %.1f\"/>", x2 - half, passes_by(l, i) ? y : y1,
            x2 - half, y2, x2, y2);
    fprintf(out, "<path class=\"head%s\" d=\"M%.1f %.1fl-7 -4v8z\"/>\n", style, x2 + 2, y2);
}

static void put_node(FILE *out, const struct layout *l, int32_t i)
{
    static const char *const marks[] = {"", "\xE2\x89\xA0 ", "+ ", "\xE2\x88\x92 "};
    double x = x_of(l, i), y = y_of(l, i);
    enum tw_graph_mark mark = l->chart->nodes[i].mark;
    char name[200];
    fprintf(out,
            "<rect class=\"node%s\" x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%d\" rx=\"5\"/>",
            styles[mark], x, y - HIGH / 2.0, BOX, HIGH);
    snprintf(name, sizeof name, "%s%s", marks[mark], l->chart->nodes[i].name);
    tw_svg_name(out, x + 9, y - 3, TW_START, 20, name);
    fputs("<g class=\"type\">", out);
    tw_svg_name(out, x + 9, y + 12, TW_START, 22, l->chart->nodes[i].type);
    fputs("</g>\n", out);
}

bool tw_chart_graph(FILE *out, const char *title, const struct tw_graph_chart *chart)
{
    struct layout l = {.chart = chart};
    if (chart->node_count == 0 || !find_columns(&l))
        return false;
    pull_sources(&l);
    find_rows(&l);
    for (int32_t sweep = 0; sweep < SWEEPS; sweep++)
        for (int32_t i = 0; i < l.columns; i++)
            sort_column(&l, sweep % 2 ? l.columns - 1 - i : i, sweep % 2 == 0);
    for (int32_t i = 0; i < chart->edge_count; i++)
        l.lanes += passes_by(&l, i);
    tw_svg_begin(out, 2 * EDGE + l.columns * (BOX + ACROSS) - ACROSS,
                 2 * EDGE + l.rows * (HIGH + DOWN) + l.lanes * LANE, "%s", title);
    for (int32_t i = 0, lane = 0; i < chart->edge_count; lane += passes_by(&l, i), i++)
        put_edge(out, &l, i, lane);
    for (int32_t i = 0; i < chart->node_count; i++)
        put_node(out, &l, i);
    tw_svg_end(out);
    return true;
}
