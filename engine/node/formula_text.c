/* SPDX-License-Identifier: MIT */
#include "node/formula_text.h"

#include "base/text/number.h"

#include <stdio.h>
#include <string.h>

static const struct {
    int operands;
    const char *word;
} ops[] = {
#define OP_ROW(name, operands, word) {operands, word},
    TW_FORMULA_OP_LIST(OP_ROW)
#undef OP_ROW
};

bool tw_formula_print(struct tw_bytes *text, const struct tw_formula *formula)
{
    bool ok = true;
    for (int32_t i = 0; i < formula->count && ok; i++) {
        const struct tw_formula_step *step = &formula->at[i];
        char number[40] = "";
        if (step->op == TW_FORMULA_NUMBER)
            tw_number_print(number, sizeof number, step->number);
        else if (step->op == TW_FORMULA_INPUT)
            snprintf(number, sizeof number, "%d", (int)step->input);
        ok = tw_bytes_print(text, NULL, " %s%s", ops[step->op].word, number) == TW_OK;
    }
    return ok;
}

static bool read_step(const char *word, int32_t inputs, struct tw_formula_step *step)
{
    double number = 0;
    bool named = word[0] == '#' || word[0] == '$';
    *step = (struct tw_formula_step){.op = 0};
    if (named && !tw_number_parse(word + 1, &number))
        return false;
    if (word[0] == '#') {
        step->op = TW_FORMULA_NUMBER;
        step->number = number;
        return true;
    }
    if (word[0] == '$') {
        step->op = TW_FORMULA_INPUT;
        step->input = number >= 0 && number < inputs ? (int32_t)number : -1;
        return step->input >= 0;
    }
    while (step->op < TW_FORMULA_OP_COUNT && strcmp(ops[step->op].word, word) != 0)
        step->op++;
    return step->op < TW_FORMULA_OP_COUNT;
}

bool tw_formula_read(char *text, int32_t inputs, struct tw_formula_step *at, int32_t *count)
{
    int waiting = 0;
    char *rest = text;
    *count = 0;
    for (char *word; (word = strtok_r(rest, " ", &rest)); (*count)++) {
        if (*count == TW_FORMULA_STEPS_MAX || !read_step(word, inputs, &at[*count]) ||
            waiting < ops[at[*count].op].operands)
            return false;
        waiting += 1 - ops[at[*count].op].operands;
        if (waiting > TW_FORMULA_WAITING_MAX)
            return false;
    }
    return waiting == 1;
}
