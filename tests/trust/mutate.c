/* SPDX-License-Identifier: MIT */
/* Changes one operator or number of a C file, for tests/trust/mutants.py:
 *
 *     mutate FILE               prints what can be changed, each a line "line:column: old -> new"
 *     mutate FILE NUMBER OUT    writes the file with one of these changes, counted from 0
 *
 * A number becomes one more, a comparison loses or gains equality, + and -, * and /, && and ||, <<
 * and >> change places. Not all that comes out compiles: whether * multiplies takes a parser. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const swaps[][2] = {
    {"<<=", ">>="}, {">>=", "<<="}, {"<<", ">>"}, {">>", "<<"}, {"<=", "<"},  {">=", ">"},
    {"==", "!="},   {"!=", "=="},   {"&&", "||"}, {"||", "&&"}, {"+=", "-="}, {"-=", "+="},
    {"++", "--"},   {"--", "++"},   {"<", "<="},  {">", ">="},  {"+", "-"},   {"-", "+"},
    {"*", "/"},     {"/", "*"},     {"%", "/"},
};
enum { SWAPS = sizeof swaps / sizeof swaps[0] };

struct site {
    size_t at, length;
    char text[64]; /* instead */
};

static char *text;
static size_t size;
static struct site *sites;
static size_t count;

static void add(size_t at, size_t length, const char *instead)
{
    sites[count].at = at;
    sites[count].length = length;
    snprintf(sites[count++].text, sizeof sites[0].text, "%s", instead);
}

/* Past a comment, a string, a character or a line of the preprocessor; else where it was. */
static size_t skip(size_t at)
{
    size_t begin = at;
    if (strncmp(text + at, "//", 2) == 0) {
        at += strcspn(text + at, "\n");
    } else if (strncmp(text + at, "/*", 2) == 0) {
        const char *end = strstr(text + at + 2, "*/");
        at = end ? (size_t)(end - text) + 2 : size;
    } else if (text[at] == '"' || text[at] == '\'') {
        for (at++; at < size && text[at] != text[begin]; at++)
            at += text[at] == '\\';
        at++;
    } else if (text[at] == '#' && (at == 0 || text[at - 1] == '\n')) {
        do
            at += strcspn(text + at, "\n") + 1;
        while (at < size && at > 1 && text[at - 2] == '\\');
        at--;
    }
    return at > size ? size : at;
}

static size_t find_number(size_t at)
{
    char instead[64];
    size_t length = strspn(text + at, "0123456789abcdefABCDEFxXpPuUlL.");
    while (strchr("+-", text[at + length]) && strchr("eEpP", text[at + length - 1]) &&
           (strchr("pP", text[at + length - 1]) || strncmp(text + at, "0x", 2) != 0))
        length += 1 + strspn(text + at + length + 1, "0123456789fFlL");
    snprintf(instead, sizeof instead, "(%.*s + 1)", (int)length, text + at);
    if (length < 40)
        add(at, length, instead);
    return at + length;
}

/* Operators between operands only: a sign, a pointer or -> is left alone. */
static size_t find_operator(size_t at, char before)
{
    if (strncmp(text + at, "->", 2) == 0)
        return at + 2;
    for (int i = 0; i < SWAPS; i++) {
        size_t length = strlen(swaps[i][0]);
        if (strncmp(text + at, swaps[i][0], length) != 0)
            continue;
        if (isalnum((unsigned char)before) || strchr("_)]", before))
            add(at, length, swaps[i][1]);
        return at + length;
    }
    return at + 1;
}

static void find_sites(void)
{
    char before = ';'; /* the last character that is no blank */
    for (size_t at = 0; at < size;) {
        size_t next = skip(at);
        if (next == at && isspace((unsigned char)text[at])) {
            at++;
            continue;
        }
        if (next == at && (isalpha((unsigned char)text[at]) || text[at] == '_'))
            while (isalnum((unsigned char)text[next]) || text[next] == '_')
                next++;
        else if (next == at && isdigit((unsigned char)text[at]))
            next = find_number(at);
        else if (next == at)
            next = find_operator(at, before);
        if (text[at] != '/' || next == at + 1) /* no comment */
            before = text[next - 1];
        at = next;
    }
}

static void print_sites(void)
{
    int line = 1, column = 1;
    size_t at = 0;
    for (const struct site *site = sites; site < sites + count; site++) {
        for (; at < site->at; at++, column++)
            if (text[at] == '\n') {
                line++;
                column = 0;
            }
        printf("%d:%d: %.*s -> %s\n", line, column, (int)site->length, text + site->at, site->text);
    }
}

static int write_out(const struct site *site, const char *path)
{
    FILE *out = fopen(path, "w");
    if (!out)
        return 1;
    fwrite(text, 1, site->at, out);
    fputs(site->text, out);
    fputs(text + site->at + site->length, out);
    return fclose(out) != 0;
}

int main(int argc, char **argv)
{
    FILE *in = argc == 2 || argc == 4 ? fopen(argv[1], "r") : NULL;
    if (!in || fseek(in, 0, SEEK_END) != 0)
        return 2;
    size = (size_t)ftell(in);
    rewind(in);
    text = calloc(size + 64, 1);
    sites = calloc(size + 1, sizeof *sites);
    if (!text || !sites || fread(text, 1, size, in) != size)
        return 2;
    fclose(in);
    find_sites();
    if (argc == 2)
        print_sites();
    size_t number = argc == 4 ? strtoull(argv[2], NULL, 10) : 0;
    if (argc == 4 && number >= count)
        return 2;
    return argc == 4 ? write_out(&sites[number], argv[3]) : 0;
}
