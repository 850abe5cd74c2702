/* SPDX-License-Identifier: MIT */
/* An operation of two operands has a loop for maps and one for each place where a number may stand
 * instead. Elsewhere numbers are spread over chunks: also for powers, of which compilers make
 * vector code only with two maps. */
#include "combine/kernels/formula_chunks.h"

#include "combine/kernels/elementary.h"
#include "common/angle.h"

#include <thalweg/simd.h>

#include <string.h>

/* The equations, of operands a, b and c. Relations give 1 or 0; what is not 0 is true. */
#define EQUATION_LIST(X)                                                                           \
    X(NEGATE, 1, -a)                                                                               \
    X(ADD, 2, tw_finite(a + b))                                                                    \
    X(SUBTRACT, 2, tw_finite(a - b))                                                               \
    X(MULTIPLY, 2, tw_finite(a *b))                                                                \
    X(DIVIDE, 2, tw_quotient(a, b))                                                                \
    X(MIN, 2, tw_formula_min(a, b))                                                                \
    X(MAX, 2, tw_formula_max(a, b))                                                                \
    X(ROUND, 1, tw_formula_round(a))                                                               \
    X(POW, MAPS, tw_general_power(a, b))                                                           \
    X(SQUARE, 1, tw_finite(a *a))                                                                  \
    X(CUBE, 1, tw_finite(a *a *a))                                                                 \
    X(FOURTH, 1, tw_finite((a * a) * (a * a)))                                                     \
    X(NOT, 1, a == 0 ? 1.0 : 0.0)                                                                  \
    X(LESS, 2, a < b ? 1.0 : 0.0)                                                                  \
    X(LESS_EQUAL, 2, a <= b ? 1.0 : 0.0)                                                           \
    X(GREATER, 2, a > b ? 1.0 : 0.0)                                                               \
    X(GREATER_EQUAL, 2, a >= b ? 1.0 : 0.0)                                                        \
    X(EQUAL, 2, a == b ? 1.0 : 0.0)                                                                \
    X(NOT_EQUAL, 2, a != b ? 1.0 : 0.0)                                                            \
    X(AND, 2, (a != 0 ? 1.0 : 0.0) * (b != 0 ? 1.0 : 0.0))                                         \
    X(OR, 2, a != 0 ? 1.0 : (b != 0 ? 1.0 : 0.0))                                                  \
    X(SELECT, 3, a != 0 ? b : c)                                                                   \
    X(ABS, 1, a < 0 ? -a : a)                                                                      \
    X(SQRT, 1, tw_root(a))                                                                         \
    X(EXP, 1, tw_exponential(a))                                                                   \
    X(LN, 1, tw_logarithm(a))                                                                      \
    X(FLOOR, 1, tw_whole_below(a))                                                                 \
    X(SIN, 1, tw_vector_sin(a))                                                                    \
    X(COS, 1, tw_vector_cos(a))                                                                    \
    X(ATAN2, 2, tw_vector_atan2(a, b))                                                             \
    X(CLAMP, 3, tw_formula_min(tw_formula_max(a, b), c))                                           \
    X(MIX, 3, tw_finite(tw_finite((1.0 - c) * a) + tw_finite(c * b)))                              \
    X(STEP, 2, tw_step(a, b))                                                                      \
    X(SMOOTH, 3, tw_smooth(a, b, c))

enum { CHUNKS = TW_FORMULA_WAITING_MAX + TW_FORMULA_READ_MAX };

typedef double chunk[TW_FORMULA_CHUNK];

/* What an operation reads: chunks, and numbers where there is no chunk. */
struct operands {
    const double *at[3];
    double number[2];
};

/* One operation over a whole chunk. The result may take the chunk of the first operand. */
#define LOOP(left, right, third, equation)                                                         \
    {                                                                                              \
        TW_INDEPENDENT                                                                             \
        for (int i = 0; i < TW_FORMULA_CHUNK; i++) {                                               \
            const double a = (left), b = (right), c = (third);                                     \
            (void)a, (void)b, (void)c;                                                             \
            out[i] = (equation);                                                                   \
        }                                                                                          \
    }
#define LOOPS_1(equation) LOOP(x[i], 0, 0, equation)
#define LOOPS_2(equation)                                                                          \
    if (x && y)                                                                                    \
        LOOP(x[i], y[i], 0, equation)                                                              \
    else if (x)                                                                                    \
        LOOP(x[i], q, 0, equation)                                                                 \
    else                                                                                           \
        LOOP(p, y[i], 0, equation)
#define LOOPS_MAPS(equation) LOOP(x[i], y[i], 0, equation)
#define LOOPS_3(equation) LOOP(x[i], y[i], z[i], equation)

#define KERNEL(name, arity, equation)                                                              \
    static TW_INLINE void name##_chunk_body(const struct operands *from, double *out)              \
    {                                                                                              \
        const double *x = from->at[0], *y = from->at[1], *z = from->at[2];                         \
        const double p = from->number[0], q = from->number[1];                                     \
        (void)y, (void)z, (void)p, (void)q;                                                        \
        LOOPS_##arity(equation)                                                                    \
    }                                                                                              \
    TW_SIMD_KERNEL(name##_chunk, (const struct operands *from, double *out), (from, out))
EQUATION_LIST(KERNEL)
KERNEL(BROKEN_POW, MAPS, tw_broken_power(a, b))

typedef void chunk_fn(const struct operands *from, double *out);

static chunk_fn *kernel_of(const struct tw_formula_operation *operation, enum tw_simd simd)
{
    const struct tw_formula_operand *exponent = &operation->operands[1];
    if (operation->op == TW_FORMULA_POW && exponent->chunk < 0 && !tw_is_whole(exponent->number))
        return BROKEN_POW_chunk(simd); /* a tenth less */
    switch (operation->op) {
#define KERNEL_CASE(name, arity, equation)                                                         \
    case TW_FORMULA_##name:                                                                        \
        return name##_chunk(simd);
        EQUATION_LIST(KERNEL_CASE)
#undef KERNEL_CASE
    default: /* never reached: numbers and inputs are not operations */
        return NEGATE_chunk(simd);
    }
}

static TW_INLINE void widen_body(const float *from, double *restrict to, size_t count)
{
    for (size_t i = 0; i < count; i++)
        to[i] = (double)from[i];
}
TW_SIMD_KERNEL(widen, (const float *from, double *restrict to, size_t count), (from, to, count))

static TW_INLINE void narrow_body(const double *from, float *restrict to, size_t count, double low,
                                  double high)
{
    for (size_t i = 0; i < count; i++) {
        double v = from[i] < low ? low : from[i];
        to[i] = (float)(v > high ? high : v);
    }
}
TW_SIMD_KERNEL(narrow,
               (const double *from, float *restrict to, size_t count, double low, double high),
               (from, to, count, low, high))

static const int32_t op_operands[] = {
#define OP_OPERANDS(name, operands, text) operands,
    TW_FORMULA_OP_LIST(OP_OPERANDS)
#undef OP_OPERANDS
};

static void spread(double *to, double number)
{
    for (int i = 0; i < TW_FORMULA_CHUNK; i++)
        to[i] = number;
}

/* An operation with its addresses: a number that no loop takes as such is spread over a chunk. */
struct call {
    chunk_fn *kernel;
    struct operands from;
    double *out;
    double spread[3];
    bool spreads[3];
};

static struct call call_of(const struct tw_formula_operation *operation, enum tw_simd simd,
                           chunk *chunks, chunk *spare)
{
    struct call call = {.kernel = kernel_of(operation, simd), .out = chunks[operation->target]};
    int32_t count = op_operands[operation->op];
    bool takes_numbers = count == 2 && operation->op != TW_FORMULA_POW;
    for (int32_t i = 0; i < count; i++)
        if (operation->operands[i].chunk >= 0)
            call.from.at[i] = chunks[operation->operands[i].chunk];
    for (int32_t i = 0; i < count; i++) {
        if (call.from.at[i])
            continue;
        call.spread[i] = operation->operands[i].number;
        call.spreads[i] = !takes_numbers || !call.from.at[1 - i];
        if (call.spreads[i])
            call.from.at[i] = spare[i];
        else
            call.from.number[i] = call.spread[i];
    }
    return call;
}

static void make_call(const struct call *call, chunk *spare)
{
    for (int i = 0; i < 3; i++)
        if (call->spreads[i])
            spread(spare[i], call->spread[i]);
    call->kernel(&call->from, call->out);
}

/* Computes an operation on numbers alone, by the function for cells. */
static double fold(const struct tw_formula_operation *operation, enum tw_simd simd)
{
    chunk spare[3], out;
    struct call call = call_of(operation, simd, &out, spare);
    make_call(&call, spare);
    return out[0];
}

/* Results that later operations use, with their chunks; chunks are handed out like a stack. */
struct waiting {
    struct tw_formula_operand at[TW_FORMULA_WAITING_MAX + 3];
    int32_t count;
};

static struct tw_formula_operand apply(struct tw_formula_plan *plan, struct waiting *waiting,
                                       int32_t op, enum tw_simd simd)
{
    struct tw_formula_operation *operation = &plan->operations[plan->count];
    bool is_number = true;
    *operation = (struct tw_formula_operation){.op = op};
    waiting->count -= op_operands[op];
    for (int32_t i = 0; i < op_operands[op]; i++) {
        operation->operands[i] = waiting->at[waiting->count + i];
        is_number = is_number && operation->operands[i].chunk < 0;
    }
    if (is_number)
        return (struct tw_formula_operand){-1, fold(operation, simd)};
    operation->target = waiting->count;
    plan->count++;
    return (struct tw_formula_operand){operation->target, 0};
}

/* Returns which of the chunks that cells read a step takes; -1 for an operation. */
static int32_t chunk_read(const struct tw_formula_step *step)
{
    switch (step->op) {
    case TW_FORMULA_INPUT:
        return step->input;
    case TW_FORMULA_COLUMN:
        return TW_FORMULA_INPUTS_MAX;
    case TW_FORMULA_ROW:
        return TW_FORMULA_INPUTS_MAX + 1;
    default:
        return -1;
    }
}

bool tw_formula_reads_place(const struct tw_formula *formula)
{
    bool reads = false;
    for (int32_t i = 0; i < formula->count; i++)
        reads = reads || chunk_read(&formula->at[i]) >= TW_FORMULA_INPUTS_MAX;
    return reads;
}

void tw_formula_plan_build(const struct tw_formula *formula, enum tw_simd simd,
                           struct tw_formula_plan *plan)
{
    struct waiting waiting = {.count = 0};
    plan->count = 0;
    plan->inputs = 0;
    for (int32_t i = 0; i < formula->count; i++) {
        const struct tw_formula_step *step = &formula->at[i];
        struct tw_formula_operand result;
        int32_t read = chunk_read(step);
        if (step->op == TW_FORMULA_NUMBER) {
            result = (struct tw_formula_operand){-1, step->number};
        } else if (read >= 0) {
            plan->inputs |= 1u << read;
            result = (struct tw_formula_operand){TW_FORMULA_WAITING_MAX + read, 0};
        } else {
            result = apply(plan, &waiting, step->op, simd);
        }
        waiting.at[waiting.count++] = result;
    }
    plan->result = waiting.at[0];
}

static TW_INLINE void columns_body(double *restrict to, int32_t count, int32_t first, double width)
{
    for (int32_t i = 0; i < count; i++)
        to[i] = ((double)(first + i) + 0.5) / width;
}
TW_SIMD_KERNEL(columns, (double *restrict to, int32_t count, int32_t first, double width),
               (to, count, first, width))

/* Fills the chunks of column and row for `count` cells from the cell `at`, row by row. */
static void read_place(const struct tw_formula_rows *rows, enum tw_simd simd, chunk *place,
                       size_t at, size_t count)
{
    size_t width = (size_t)rows->width;
    for (size_t done = 0; done < count;) {
        size_t column = (at + done) % width, row = (size_t)rows->top + (at + done) / width;
        size_t left = count - done, run = width - column < left ? width - column : left;
        double y = ((double)(row % (size_t)rows->map_height) + 0.5) / rows->map_height;
        columns(simd)(place[0] + done, (int32_t)run, (int32_t)column, (double)rows->width);
        for (size_t i = 0; i < run; i++)
            place[1][done + i] = y;
        done += run;
    }
}

static void read_inputs(const struct tw_formula_plan *plan, enum tw_simd simd,
                        const float *const inputs[TW_FORMULA_INPUTS_MAX], chunk *chunks, size_t at,
                        size_t count)
{
    for (int i = 0; i < TW_FORMULA_INPUTS_MAX; i++)
        if (plan->inputs & (1u << i))
            widen(simd)(inputs[i] + at, chunks[TW_FORMULA_WAITING_MAX + i], count);
}

void tw_formula_plan_run(const struct tw_formula_plan *plan, enum tw_simd simd,
                         const struct tw_formula_rows *rows,
                         const float *const inputs[TW_FORMULA_INPUTS_MAX], float *out, size_t begin,
                         size_t end, double low, double high)
{
    _Alignas(64) chunk chunks[CHUNKS];
    _Alignas(64) chunk spare[3];
    struct call calls[TW_FORMULA_STEPS_MAX];
    const double *result = plan->result.chunk < 0 ? spare[0] : chunks[plan->result.chunk];
    /* Cells beyond the end of the map are computed, too, and dropped. */
    memset(chunks[TW_FORMULA_WAITING_MAX], 0, TW_FORMULA_READ_MAX * sizeof *chunks);
    for (int32_t i = 0; i < plan->count; i++)
        calls[i] = call_of(&plan->operations[i], simd, chunks, spare);
    for (size_t at = begin; at < end; at += TW_FORMULA_CHUNK) {
        size_t count = end - at < TW_FORMULA_CHUNK ? end - at : TW_FORMULA_CHUNK;
        read_inputs(plan, simd, inputs, chunks, at, count);
        if (plan->inputs >> TW_FORMULA_INPUTS_MAX)
            read_place(rows, simd, chunks + TW_FORMULA_WAITING_MAX + TW_FORMULA_INPUTS_MAX, at,
                       count);
        for (int32_t i = 0; i < plan->count; i++)
            make_call(&calls[i], spare);
        if (plan->result.chunk < 0)
            spread(spare[0], plan->result.number);
        narrow(simd)(result, out + at, count, low, high);
    }
}
