/* SPDX-License-Identifier: MIT */
/* Documents that derive from descriptors are current, and every example, picture and link in
 * docs/ and the README works. THALWEG_UPDATE_DOCS=1 writes pages and pictures anew. */
#include "support/command.h"
#include "support/harness.h"
#include "support/palette.h"

#include "format/preset.h"
#include "graph/library.h"
#include "node/registry.h"

#include <dirent.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct command_result result;
static char text[1 << 18];

static const char *read_text(const char *path)
{
    FILE *file = fopen(path, "r");
    text[file ? fread(text, 1, sizeof text - 1, file) : 0] = 0;
    if (file)
        fclose(file);
    return text;
}

static int check_page(const char *arguments, const char *path)
{
    const char *update = getenv("THALWEG_UPDATE_DOCS");
    command_run(arguments, &result);
    assert_int_equal(result.code, 0);
    if (update && update[0])
        command_write(path, result.out, strlen(result.out));
    if (strcmp(read_text(path), result.out) == 0)
        return 0;
    print_error("%s is not what `thalweg %s` prints\n", path, arguments);
    return 1;
}

static void node_pages_are_current(void **state)
{
    char path[400], arguments[100];
    int wrong = check_page("nodes --markdown", TW_DOCS "/nodes/index.md");
    (void)state;
    for (const struct tw_node_type *const *type = tw_node_table; *type; type++) {
        snprintf(path, sizeof path, "%s/nodes/%s.md", TW_DOCS, (*type)->name);
        snprintf(arguments, sizeof arguments, "nodes --markdown %s", (*type)->name);
        wrong += check_page(arguments, path);
    }
    for (const struct tw_library_recipe *recipe = tw_library_table; recipe->name; recipe++) {
        snprintf(path, sizeof path, "%s/nodes/thalweg.%s.md", TW_DOCS,
                 strchr(recipe->name, '/') + 1);
        snprintf(arguments, sizeof arguments, "nodes --markdown %s", recipe->name);
        wrong += check_page(arguments, path);
    }
    assert_int_equal(wrong, 0);
}

/* Parts of pages that a command prints stand between "<!-- Written by `thalweg ...`" and an end. */
static int check_part(const char *path)
{
    static const char mark[] = "<!-- Written by `thalweg ", end_mark[] = "<!-- end -->";
    static char page[sizeof text], whole[sizeof text];
    const char *update = getenv("THALWEG_UPDATE_DOCS");
    char arguments[100];
    strcpy(page, read_text(path));
    char *from = strstr(page, mark), *end = from ? strstr(from, end_mark) : NULL;
    assert_non_null(end);
    from += strlen(mark);
    snprintf(arguments, sizeof arguments, "%.*s", (int)strcspn(from, "`"), from);
    from = strchr(from, '\n') + 1;
    command_run(arguments, &result);
    assert_int_equal(result.code, 0);
    if ((size_t)(end - from) == strlen(result.out) &&
        strncmp(from, result.out, strlen(result.out)) == 0)
        return 0;
    snprintf(whole, sizeof whole, "%.*s%s%s", (int)(from - page), page, result.out, end);
    if (update && update[0]) {
        command_write(path, whole, strlen(whole));
        return 0;
    }
    print_error("%s does not show what `thalweg %s` prints\n", path, arguments);
    return 1;
}

/* ---- tables of docs/recipes.md that follow from rows of the engine ---- */

static void append(const char *format, ...) TW_PRINTF(1, 2);

static char table[1 << 14];

static void append(const char *format, ...)
{
    size_t used = strlen(table);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(table + used, sizeof table - used, format, arguments);
    va_end(arguments);
}

static void print_types(void)
{
    table[0] = 0;
    append("| type | shape | what it holds | members |\n|---|---|---|---|\n");
    for (int type = 0; type < TW_TYPE_COUNT; type++) {
        const struct tw_type_row *row = tw_type((enum tw_type)type);
        append("| `%s` | %s | %s |", row->name, row->shape == TW_GRID ? "grid" : "list", row->help);
        for (const struct tw_element_member *m = row->members; row->shape != TW_PACKED && m->name;
             m++)
            append("%s `%s`", m == row->members ? "" : ",", m->name);
        append(" |\n");
    }
}

static void print_types_of(unsigned types, const char *before)
{
    for (int type = 0; type < TW_TYPE_COUNT; type++)
        if (types & TW_TYPE_BIT(type)) {
            append("%s%s", before, tw_type_name((enum tw_type)type));
            before = ", ";
        }
}

static void print_formats(void)
{
    table[0] = 0;
    append("| ending | for | content | options |\n|---|---|---|---|\n");
    for (const struct tw_format *const *format = tw_formats; *format; format++) {
        const struct tw_format *f = *format;
        const char *between = " ";
        if (!f->encode)
            continue;
        append("| `%s` |", f->ending);
        print_types_of(f->types, " ");
        if (f->several == f->types)
            append("; one or several");
        else
            print_types_of(f->several, f->types ? "; several of " : " several of ");
        append(" | %s |", f->help);
        if (f->ranged)
            append(" `range`, `%s`", tw_range_options->name), between = ", ";
        for (const struct tw_param *row = f->options; row && row->name; row++, between = ", ")
            append("%s`%s`", between, row->name);
        for (const struct tw_format_part *part = f->parts; part && part->name;
             part++, between = ", ")
            append("%s`%s`", between, part->name);
        append(" |\n");
    }
}

static void print_presets(void)
{
    table[0] = 0;
    append("| `for` | files | what it sets and needs |\n|---|---|---|\n");
    for (const struct tw_preset *const *preset = tw_presets; *preset; preset++)
        append("| `%s` | %s | %s |\n", (*preset)->name, (*preset)->endings, (*preset)->help);
}

/* Between a mark of the page and the end that follows it. */
static void expect_table(const char *path, const char *mark)
{
    static char page[sizeof text], whole[sizeof text];
    const char *update = getenv("THALWEG_UPDATE_DOCS");
    strcpy(page, read_text(path));
    char *from = strstr(page, mark), *end = from ? strstr(from, "<!-- end -->") : NULL;
    assert_non_null(end);
    from = strchr(from, '\n') + 1;
    snprintf(whole, sizeof whole, "%.*s%s%s", (int)(from - page), page, table, end);
    if (update && update[0])
        command_write(path, whole, strlen(whole));
    else if (strcmp(page, whole) != 0)
        fail_msg("%s below '%s' is not:\n%s", path, mark, table);
}

static void tables_of_rows_are_current(void **state)
{
    (void)state;
    print_types();
    expect_table(TW_DOCS "/recipes.md", "<!-- Types, from include/thalweg/field.h -->");
    print_formats();
    expect_table(TW_DOCS "/recipes.md", "<!-- Formats, from engine/field -->");
    print_presets();
    expect_table(TW_DOCS "/recipes.md", "<!-- Engines, from engine/field -->");
}

/* ---- docs/coming-from.md: the names that other tools have for our nodes ---- */

static const char *const tools[] = {"Gaea",    "World Machine", "Houdini",      "Hesiod",
                                    "Blender", "GDAL",          "GRASS",        "QGIS",
                                    "SAGA",    "ArcGIS",        "WhiteboxTools"};
enum { TOOLS = sizeof tools / sizeof *tools, NAMES_MAX = 1000 };

struct known_as {
    char name[60];
    const char *tool; /* NULL when it is none of these */
    const struct tw_node_type *type;
};
static struct known_as names[NAMES_MAX];

static const char *tool_of(const char *word, size_t length)
{
    for (int i = 0; i < TOOLS; i++)
        if (strlen(tools[i]) == length && strncmp(tools[i], word, length) == 0)
            return tools[i];
    return NULL;
}

/* "Slope (Gaea), r.slope.aspect (GRASS)" */
static int add_names(const struct tw_node_type *type, int count)
{
    for (const char *at = type->elsewhere; at && *at; at += strspn(at, ", ")) {
        size_t length = strcspn(at, ","), name = strcspn(at, "(");
        if (name + 2 > length || name < 2 || at[length - 1] != ')' || count == NAMES_MAX)
            fail_msg("%s: '%.*s' names no tool", type->name, (int)length, at);
        names[count].tool = tool_of(at + name + 1, length - name - 2);
        names[count].type = type;
        snprintf(names[count].name, sizeof names->name, "%.*s", (int)name - 1, at);
        if (!names[count++].tool)
            fail_msg("%s: '%.*s' is of an unknown tool", type->name, (int)length, at);
        at += length;
    }
    return count;
}

static int by_name(const void *a, const void *b)
{
    const struct known_as *left = a, *right = b;
    int order = strcmp(left->name, right->name);
    return order ? order : strcmp(left->type->name, right->type->name);
}

static void print_tool(const char *tool, int count)
{
    const char *last = "";
    table[0] = 0;
    append("| %s | here |\n|---|---|", tool);
    for (int i = 0; i < count; i++) {
        const char *name = names[i].name, *type = names[i].type->name;
        if (names[i].tool != tool)
            continue;
        if (strcmp(name, last) != 0)
            append("%s\n| %s | [%s](nodes/%s.md)", last[0] ? " |" : "", name, type, type);
        else
            append(", [%s](nodes/%s.md)", type, type);
        last = name;
    }
    append("%s\n", last[0] ? " |" : "");
}

static void names_elsewhere_are_current(void **state)
{
    static const char page[] = TW_DOCS "/coming-from.md";
    char mark[80];
    int count = 0;
    (void)state;
    for (const struct tw_node_type *const *type = tw_node_table; *type; type++)
        count = add_names(*type, count);
    qsort(names, (size_t)count, sizeof *names, by_name);
    for (int i = 0; i < TOOLS; i++) {
        print_tool(tools[i], count);
        snprintf(mark, sizeof mark, "<!-- Nodes of %s, from `.elsewhere` in nodes/ -->", tools[i]);
        expect_table(page, mark);
    }
}

static bool is_family(const char *word, size_t length)
{
    for (const struct tw_node_type *const *type = tw_node_table; *type; type++)
        if (strncmp((*type)->name, word, length) == 0 && (*type)->name[length] == '.')
            return true;
    return false;
}

/* Every word such as mask.height that begins with one of our families. */
static void every_node_that_the_page_names_exists(void **state)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz_";
    const struct tw_registry registry = {NULL};
    int named = 0;
    size_t length;
    (void)state;
    read_text(TW_DOCS "/coming-from.md");
    for (const char *at = text; *at; at += length + (at[length] != 0)) {
        char name[100];
        length = strspn(at, letters);
        if (at[length] != '.' || !is_family(at, length))
            continue;
        length += 1 + strspn(at + length + 1, letters);
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        if (!tw_registry_find(&registry, name))
            fail_msg("docs/coming-from.md names %s, and there is no such node", name);
        named++;
    }
    assert_true(named > 100);
}

static void option_tables_are_current(void **state)
{
    (void)state;
    assert_int_equal(check_part(TW_DOCS "/cli.md"), 0);
    assert_int_equal(check_part(TW_DOCS "/json.md"), 0);
}

/* No page for a node that is gone. */
static void no_page_is_left_over(void **state)
{
    const struct tw_registry registry = {NULL};
    DIR *folder = opendir(TW_DOCS "/nodes");
    (void)state;
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));) {
        char name[300];
        char *end = strstr(strcpy(name, entry->d_name), ".md");
        if (!end || strcmp(name, "index.md") == 0)
            continue;
        *end = 0;
        const bool in_library =
            strncmp(name, "thalweg.", 8) == 0 && tw_library_named(name + 8) != NULL;
        if (!in_library && !tw_registry_find(&registry, name))
            fail_msg("docs/nodes/%s.md: there is no such node", name);
    }
    closedir(folder);
}

static void sources_are_in_the_bibliography(void **state)
{
    char keys[300], entry[80];
    int missing = 0;
    (void)state;
    read_text(TW_DOCS "/references.bib");
    for (const struct tw_node_type *const *type = tw_node_table; *type; type++) {
        char *rest = keys;
        snprintf(keys, sizeof keys, "%s", (*type)->cite ? (*type)->cite : "");
        for (char *key; (key = strtok_r(rest, " ", &rest));) {
            snprintf(entry, sizeof entry, "{%s,", key);
            if (!strstr(text, entry)) {
                print_error("%s cites %s, which docs/references.bib does not have\n", (*type)->name,
                            key);
                missing++;
            }
        }
    }
    assert_int_equal(missing, 0);
}

/* ---- examples: every ```yaml block that is a recipe or an experiment runs, small, and one that is
 * a project is there for the commands of its page; every ```console block is a list of
 * "$ thalweg ..." commands, run after the blocks before it, that succeed or end as "# exit code N"
 * behind them says; "$ sed ...", "$ cp ..." and "$ mkdir ..." change files between them. What
 * follows the word "prints" is what the last one printed; lines of a ``` block or a quotation right
 * behind the block are among what it printed, where "..." is anything ---- */

static const char *next_block(const char *at, const char *kind, char *block, size_t size)
{
    char fence[32];
    snprintf(fence, sizeof fence, "```%s\n", kind);
    at = strstr(at, fence);
    if (!at)
        return NULL;
    at += strlen(fence);
    const char *end = strstr(at, "```");
    assert_non_null(end);
    assert_true((size_t)(end - at) < size);
    memcpy(block, at, (size_t)(end - at));
    block[end - at] = 0;
    return end + 3;
}

static void run_command(const char *page, char *line)
{
    char *comment = strstr(line, "  #"), *code = strstr(line, "# exit code ");
    int expected = code ? atoi(code + strlen("# exit code ")) : 0;
    if (comment)
        *comment = 0;
    command_run(line + strlen("$ thalweg "), &result);
    if (result.code != expected)
        fail_msg("%s: %s\nexit code %d\n%s", page, line, result.code, result.err);
}

static void run_commands(const char *page, char *block)
{
    char *rest = block;
    for (char *line; (line = strtok_r(rest, "\n", &rest));) {
        if (strncmp(line, "$ thalweg ", 10) == 0)
            run_command(page, line);
        else if (strncmp(line, "$ sed ", 6) == 0 || strncmp(line, "$ cp ", 5) == 0 ||
                 strncmp(line, "$ mkdir ", 8) == 0)
            assert_int_equal(system(line + 2), 0);
        else if (strncmp(line, "$ cat ", 6) == 0)
            snprintf(result.out, sizeof result.out, "%s", read_text(line + 6));
    }
}

/* A block and the word "prints" before an indented one: what the block's last command printed. */
static void check_printed(const char *page, const char *after)
{
    static const char word[] = "\n\nprints\n\n";
    static char shown[1 << 15];
    size_t used = 0;
    if (strncmp(after, word, strlen(word)) != 0)
        return;
    for (after += strlen(word); strncmp(after, "    ", 4) == 0; after = strchr(after, '\n') + 1)
        used += (size_t)snprintf(shown + used, sizeof shown - used, "%.*s\n",
                                 (int)strcspn(after, "\n") - 4, after + 4);
    if (strcmp(shown, result.out) != 0)
        fail_msg("%s: a command prints\n%s\nand the page has\n%s", page, result.out, shown);
}

/* Behind the line, or what it has before, between and after its "...", in the text; NULL when that
 * is not there. */
static const char *find_line(const char *in, char *line)
{
    for (char *rest = line, *cut; rest && in; rest = cut ? cut + 3 : NULL) {
        cut = strstr(rest, "...");
        if (cut)
            *cut = 0;
        in = strstr(in, rest);
        in = in ? in + strlen(rest) : NULL;
    }
    return in;
}

/* An excerpt: each line is among what the block's last command printed, in that order. */
static void check_excerpt(const char *page, const char *after)
{
    static const char fence[] = "\n\n```\n", quote[] = "\n\n> ";
    bool fenced = strncmp(after, fence, strlen(fence)) == 0;
    const char *end = fenced ? "```" : "\n\n", *from = result.out;
    if (!fenced && strncmp(after, quote, strlen(quote)) != 0)
        return;
    after += strlen(fenced ? fence : quote);
    for (const char *last = strstr(after, end); after < last; after = strchr(after, '\n') + 1) {
        char line[1000];
        snprintf(line, sizeof line, "%.*s", (int)strcspn(after, "\n"), after);
        from = find_line(from, line);
        if (!from)
            fail_msg("%s: a command prints\n%s\nwithout, or in another order,\n%.*s", page,
                     result.out, (int)strcspn(after, "\n"), after);
    }
}

/* `size` is an option, or "": engines take no other sizes than those of their examples. */
static void run_page(const char *path, const char *name, const char *size)
{
    char arguments[100];
    snprintf(arguments, sizeof arguments, "run recipe.yaml -o example -q%s", size);
    static char page[sizeof text], block[1 << 15];
    strcpy(page, read_text(path));
    for (const char *at = page; (at = next_block(at, "yaml", block, sizeof block));) {
        if (strncmp(block, "thalweg-project: 1", 18) == 0)
            command_write("thalweg-project.yaml", block, strlen(block));
        bool experiment = strncmp(block, "thalweg-experiment: 1", 21) == 0;
        if (strncmp(block, "thalweg: 1", 10) != 0 && !experiment)
            continue;
        command_write("recipe.yaml", block, strlen(block));
        command_run(experiment
                        ? "compare recipe.yaml -q --size 32 --seeds 2 --allow-path " TW_GRAPHS
                        : arguments,
                    &result);
        if (result.code != 0)
            fail_msg("%s: an example fails:\n%s\n%s", name, block, result.err);
    }
    for (const char *at = page; (at = next_block(at, "console", block, sizeof block));) {
        run_commands(name, block);
        check_printed(name, at);
        check_excerpt(name, at);
    }
    (void)unlink("thalweg-project.yaml"); /* it would hold for the next page, too */
}

static void run_folder(const char *name, const char *size)
{
    DIR *folder = opendir(name);
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));) {
        char path[500];
        if (!strstr(entry->d_name, ".md"))
            continue;
        snprintf(path, sizeof path, "%s/%s", name, entry->d_name);
        run_page(path, entry->d_name, size);
    }
    closedir(folder);
}

static void examples_in_pages_work(void **state)
{
    (void)state;
    unsetenv("CI"); /* pages speak to somebody at a terminal, who may replace locks */
    assert_int_equal(symlink(TW_GRAPHS, "graphs"), 0);
    assert_int_equal(symlink(TW_GRAPHS "/olsen/terrain.yaml", "terrain.yaml"), 0);
    assert_int_equal(symlink(TW_GRAPHS "/olsen/streams.yaml", "streams.yaml"), 0);
    run_page(TW_ROOT "/README.md", "README.md", " --size 64");
    run_folder(TW_DOCS, " --size 64");
    run_folder(TW_DOCS "/engines", "");
}

/* ---- pictures: commands of pages, which examples_in_pages_work() has run, write them ---- */

static const char *const drawn[] = {"docs/pictures/gallery",   "docs/pictures/erosion",
                                    "docs/pictures/mountains", "docs/pictures/tutorial",
                                    "docs/pictures/realism",   "docs/pictures/real-land"};

static int written, shown, changed;

static void check_picture(const char *path, const char *ours)
{
    const char *update = getenv("THALWEG_UPDATE_DOCS");
    struct tw_value new;
    assert_true(picture_read(path, &new) && new.type == TW_IMAGE);
    if (!palette_is_current(ours, &new, update && update[0])) {
        print_error("%s is not what the command of its page makes\n", ours);
        changed++;
    }
    tw_field_clear(&new);
}

static int visit_written(const char *path, const struct stat *info, int kind, struct FTW *at)
{
    char ours[500];
    (void)info;
    (void)at;
    snprintf(ours, sizeof ours, TW_ROOT "/%s", path);
    if (kind == FTW_D)
        (void)mkdir(ours, 0777); /* for THALWEG_UPDATE_DOCS=1; most are there */
    if (kind == FTW_F)
        check_picture(path, ours);
    written += kind == FTW_F;
    return 0;
}

static int visit_shown(const char *path, const struct stat *info, int kind, struct FTW *at)
{
    (void)path;
    (void)info;
    (void)at;
    shown += kind == FTW_F;
    return 0;
}

static void pages_show_what_examples_draw(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof drawn / sizeof *drawn; i++) {
        char ours[500];
        snprintf(ours, sizeof ours, TW_ROOT "/%s", drawn[i]);
        assert_int_equal(nftw(drawn[i], visit_written, 16, FTW_PHYS), 0);
        assert_int_equal(nftw(ours, visit_shown, 16, FTW_PHYS), 0);
    }
    assert_int_equal(changed, 0);
    assert_true(written > 0 && written == shown);
}

/* ---- links: every [text](path) outside code names a file or folder that exists ---- */

static int broken, links;

/* Ends the text where a fenced block begins, and returns where it goes on after it; NULL at the
 * end. */
static char *cut_code(char *page)
{
    char *from = strstr(page, "```");
    char *to = from ? strstr(from + 3, "```") : NULL;
    if (from)
        *from = 0;
    return to ? to + 3 : NULL;
}

static void check_link(const char *page, const char *target, size_t length)
{
    const char *update = getenv("THALWEG_UPDATE_DOCS");
    char path[1000];
    if (length == 0 || target[0] == '#' || memchr(target, ':', length))
        return;
    snprintf(path, sizeof path, "%.*s/%.*s", (int)(strrchr(page, '/') - page), page, (int)length,
             target);
    links++;
    if (access(path, R_OK) == 0 || (update && update[0] && strstr(path, "/pictures/nodes/")))
        return; /* test.docs.pictures writes those after the pages */
    print_error("%s links %.*s, which is not there\n", page, (int)length, target);
    broken++;
}

static int check_links(const char *path, const struct stat *info, int kind, struct FTW *at)
{
    static char page[sizeof text];
    (void)info;
    (void)at;
    if (kind != FTW_F || strlen(path) < 3 || strcmp(path + strlen(path) - 3, ".md") != 0)
        return 0;
    strcpy(page, read_text(path));
    for (char *part = page, *next; part; part = next) {
        next = cut_code(part);
        for (const char *link = part; (link = strstr(link, "](")); link += 2)
            check_link(path, link + 2, strcspn(link + 2, "#)"));
    }
    return 0;
}

static void links_in_pages_lead_somewhere(void **state)
{
    (void)state;
    assert_int_equal(nftw(TW_DOCS, check_links, 16, FTW_PHYS), 0);
    assert_int_equal(nftw(TW_ROOT "/README.md", check_links, 16, FTW_PHYS), 0);
    assert_int_equal(broken, 0);
    assert_true(links > 100);
}

/* ---- the tutorial ---- */

/* Who pastes what `page` shows, to its end, has each line of the recipe in `text`; `about:` is
 * theirs. */
static void expect_lines_shown(const char *page, const char *path)
{
    for (const char *at = text; *at; at += strcspn(at, "\n") + 1) {
        char line[400];
        snprintf(line, sizeof line, "\n%.*s\n", (int)strcspn(at, "\n"), at);
        if (strncmp(at, "about: ", 7) != 0 && !strstr(page, line))
            fail_msg("docs/tutorial.md does not show this line of %s:%s", path, line);
    }
}

/* What a step shows is in the recipe that it links, with the end of that: the last two sections. */
static int check_step(const char *step, const char *path)
{
    static char block[1 << 15];
    int blocks = 0;
    bool ends = false;
    for (const char *at = step; (at = next_block(at, "yaml", block, sizeof block)); blocks++) {
        const char *there = strstr(text, block);
        if (!there)
            fail_msg("docs/tutorial.md shows what %s does not have:\n%s", path, block);
        ends |= strstr(block, "outputs: ") && there[strlen(block)] == 0;
    }
    if (!ends)
        fail_msg("docs/tutorial.md does not show outputs: and export: of %s", path);
    return blocks;
}

static void steps_of_the_tutorial_make_its_recipes(void **state)
{
    static const char mark[] = "](../graphs/tutorial/";
    static char page[sizeof text];
    int steps = 0;
    (void)state;
    strcpy(page, read_text(TW_DOCS "/tutorial.md"));
    for (char *step = strstr(page, mark), *next; step; step = next, steps++) {
        char path[400], cut = 0;
        next = strstr(step + 1, mark);
        if (next) {
            cut = *next;
            *next = 0;
        }
        step += strlen(mark);
        snprintf(path, sizeof path, "%s/tutorial/%.*s", TW_GRAPHS, (int)strcspn(step, ")"), step);
        read_text(path);
        assert_true(check_step(step, path) > 0);
        expect_lines_shown(page, path);
        if (next)
            *next = cut;
    }
    assert_int_equal(steps, 10);
}

/* Each line of an experiment is in the file that the page links to before it, in that order. */
static void experiments_in_pages_are_those_that_they_name(void **state)
{
    static const char mark[] = "](../graphs/";
    static char page[sizeof text], block[1 << 15];
    const char *from;
    int blocks = 0;
    (void)state;
    strcpy(page, read_text(TW_DOCS "/decision.md"));
    for (char *link = page; (link = strstr(link, mark)); blocks++) {
        char path[400];
        const char *end = strstr(link + 1, mark),
                   *at = next_block(link, "yaml", block, sizeof block);
        link += strlen(mark);
        snprintf(path, sizeof path, "%s/%.*s", TW_GRAPHS, (int)strcspn(link, ")"), link);
        from = read_text(path);
        for (char *line = at && (!end || at < end) ? strtok(block, "\n") : NULL; line;
             line = strtok(NULL, "\n"))
            if (!(from = find_line(from, line)))
                fail_msg("docs/decision.md shows what %s does not have:\n%s", path, line);
    }
    assert_true(blocks >= 2);
}

/* The C programs that pages show are the files that are compiled and run as tests. */
static void programs_in_pages_are_the_compiled_ones(void **state)
{
    static const char *const pairs[][2] = {{"/embedding.md", "/examples/hills.c"},
                                           {"/embedding.md", "/examples/feed.c"},
                                           {"/new-node.md", "/examples/own_node.c"}};
    static char page[sizeof text];
    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char path[400];
        snprintf(path, sizeof path, "%s%s", TW_DOCS, pairs[i][0]);
        strcpy(page, read_text(path));
        snprintf(path, sizeof path, "%s%s", TW_DOCS, pairs[i][1]);
        if (!strstr(page, read_text(path)))
            fail_msg("docs%s does not show docs%s as it is", pairs[i][0], pairs[i][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(node_pages_are_current),
        cmocka_unit_test(option_tables_are_current),
        cmocka_unit_test(tables_of_rows_are_current),
        cmocka_unit_test(names_elsewhere_are_current),
        cmocka_unit_test(every_node_that_the_page_names_exists),
        cmocka_unit_test(no_page_is_left_over),
        cmocka_unit_test(sources_are_in_the_bibliography),
        cmocka_unit_test(examples_in_pages_work),
        cmocka_unit_test(pages_show_what_examples_draw),
        cmocka_unit_test(links_in_pages_lead_somewhere),
        cmocka_unit_test(steps_of_the_tutorial_make_its_recipes),
        cmocka_unit_test(experiments_in_pages_are_those_that_they_name),
        cmocka_unit_test(programs_in_pages_are_the_compiled_ones),
    };
    cmocka_set_test_filter(getenv("THALWEG_TEST")); /* a pattern; all without it */
    return cmocka_run_group_tests(tests, command_set_up, command_tear_down);
}
