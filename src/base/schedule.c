/* Schedules: numbers that change with progress p in [0, 1] and update u, and formulas, which read
 * further values by their names. The text is compiled once
 * to a short postfix program, so that evaluation is a loop over at most 256 steps without any
 * allocation. The named forms (linear, cosine, ...) are steps too and may stand inside a larger
 * expression; their arguments are plain numbers, so that they can be checked when they are read. */
#include "number.h"
#include "settings_internal.h"

#include "ludus/math.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_STEPS = 256, MAX_NUMBERS = 512, MAX_NESTING = 32, MAX_STACK = 64, MAX_TEXT = 2048 };

typedef enum step_kind {
    STEP_NUMBER,
    STEP_PROGRESS,
    STEP_UPDATE,
    STEP_VALUE, /* `first`: which */
    STEP_ADD,
    STEP_SUBTRACT,
    STEP_MULTIPLY,
    STEP_DIVIDE,
    STEP_POWER,
    STEP_MIN,
    STEP_MAX,
    STEP_NEGATE,
    STEP_EXP,
    STEP_ABS,
    STEP_ROUND,
    STEP_LINEAR,
    STEP_LOG,
    STEP_COSINE,
    STEP_STEP,
    STEP_PIECEWISE,
} step_kind;

typedef struct step {
    step_kind kind;
    uint16_t first, count; /* its numbers; piecewise: count points of two numbers */
} step;

struct lu_schedule {
    double low, high; /* results are clamped to this */
    bool uses_update, uses_progress;
    int step_count, number_count;
    step *steps;
    double *numbers;
};

typedef struct parser {
    const char *at;
    char *why;
    size_t why_bytes;
    const char *const *names; /* of values */
    int values;
    int nesting, height, top; /* height: of the stack at this point; top: the largest so far */
    int step_count, number_count;
    bool uses_update, uses_progress;
    step steps[MAX_STEPS];
    double numbers[MAX_NUMBERS];
} parser;

/* ---- evaluation ---- */

static double piecewise(const double *point, int count, double p) {
    if (p <= point[0]) {
        return point[1];
    }
    for (int i = 1; i < count; i++) {
        const double *a = point + 2 * (i - 1), *b = point + 2 * i;
        if (p <= b[0]) {
            return a[1] + (b[1] - a[1]) * ((p - a[0]) / (b[0] - a[0]));
        }
    }
    return point[2 * count - 1];
}

/* Value of a step that takes nothing from the stack. */
static double leaf(const step *s, const double *n, double p, double u) {
    static const double pi = 3.14159265358979323846;
    switch (s->kind) {
    case STEP_PROGRESS:
        return p;
    case STEP_UPDATE:
        return u;
    case STEP_LINEAR:
        return n[0] + (n[1] - n[0]) * p;
    case STEP_LOG:
        return n[0] * lu_pow(n[1] / n[0], p);
    case STEP_COSINE:
        return n[1] + (n[0] - n[1]) * 0.5 * (1 + lu_cos(pi * p));
    case STEP_STEP:
        return p < n[2] ? n[0] : n[1];
    case STEP_PIECEWISE:
        return piecewise(n, s->count, p);
    default:
        return n[0];
    }
}

static double binary(step_kind kind, double a, double b) {
    switch (kind) {
    case STEP_ADD:
        return a + b;
    case STEP_SUBTRACT:
        return a - b;
    case STEP_MULTIPLY:
        return a * b;
    case STEP_DIVIDE:
        return a / b;
    case STEP_POWER:
        return lu_pow(a, b);
    case STEP_MIN:
        return a < b ? a : b;
    default:
        return a > b ? a : b;
    }
}

static double unary(step_kind kind, double a) {
    return kind == STEP_NEGATE ? -a
           : kind == STEP_EXP  ? lu_exp(a)
           : kind == STEP_ABS  ? fabs(a)
                               : nearbyint(a); /* halves to even, as in Python */
}

static double evaluate(const lu_schedule *s, double p, double u, const double *values) {
    double stack[MAX_STACK] = {0};
    int height = 0;
    for (int i = 0; i < s->step_count; i++) {
        const step *now = &s->steps[i];
        if (now->kind >= STEP_NEGATE && now->kind <= STEP_ROUND) {
            stack[height - 1] = unary(now->kind, stack[height - 1]);
        } else if (now->kind >= STEP_ADD && now->kind <= STEP_MAX) {
            height--;
            stack[height - 1] = binary(now->kind, stack[height - 1], stack[height]);
        } else if (now->kind == STEP_VALUE) {
            stack[height++] = values ? values[now->first] : 0.0; /* schedules name no values */
        } else {
            stack[height++] = leaf(now, s->numbers + now->first, p, u);
        }
    }
    return stack[0];
}

double lu_schedule_at(const lu_schedule *schedule, double progress, double update) {
    double p = progress > 0 ? progress < 1 ? progress : 1 : 0; /* NaN counts as 0 */
    double value = evaluate(schedule, p, update, NULL);
    if (!(value >= schedule->low)) { /* NaN too: an expression of u may get there late */
        return schedule->low > -INFINITY ? schedule->low : 0;
    }
    return value > schedule->high ? schedule->high : value;
}

double lu_formula_at(const lu_schedule *formula, double progress, double update,
                     const double *values) {
    double value = evaluate(formula, progress, update, values);
    return isfinite(value) ? value : 0.0;
}

bool lu_schedule_is_constant(const lu_schedule *schedule, double *value) {
    if (schedule->uses_progress || schedule->uses_update) {
        return false;
    }
    *value = lu_schedule_at(schedule, 0, 0);
    return true;
}

/* ---- parsing ---- */

__attribute__((format(printf, 2, 3))) static bool refuse(parser *in, const char *format, ...) {
    va_list list;
    va_start(list, format);
    vsnprintf(in->why, in->why_bytes, format, list);
    va_end(list);
    return false;
}

static void skip_space(parser *in) {
    in->at += strspn(in->at, " \t\r\n");
}

static bool take(parser *in, char c) {
    skip_space(in);
    if (*in->at != c) {
        return false;
    }
    in->at++;
    return true;
}

static bool need(parser *in, char c) {
    return take(in, c) || refuse(in, "has no '%c' before '%.20s'", c, in->at);
}

/* Adds a step; `grows` is what it does to the height of the stack. */
static bool emit(parser *in, step_kind kind, int first, int count, int grows) {
    in->height += grows;
    in->top = in->height > in->top ? in->height : in->top;
    if (in->step_count == MAX_STEPS || in->top > MAX_STACK) {
        return refuse(in, "is too long an expression");
    }
    in->steps[in->step_count++] = (step){kind, (uint16_t)first, (uint16_t)count};
    return true;
}

static bool number(parser *in, bool sign) {
    skip_space(in);
    size_t span = lu_number_span(in->at, strlen(in->at));
    if (span == 0 || (!sign && (*in->at == '+' || *in->at == '-'))) {
        return refuse(in, "needs a number at '%.20s'", in->at);
    }
    if (in->number_count == MAX_NUMBERS) {
        return refuse(in, "is too long an expression");
    }
    double value = lu_number_value(in->at, span);
    if (!isfinite(value)) {
        return refuse(in, "has a number too large at '%.20s'", in->at);
    }
    in->numbers[in->number_count++] = value;
    in->at += span;
    return true;
}

static bool sum(parser *in);

/* piecewise(p0:v0,p1:v1,...) after its '(' */
static bool points(parser *in) {
    int first = in->number_count, count = 0;
    do {
        if (!number(in, true) || !need(in, ':') || !number(in, true)) {
            return false;
        }
        count++;
        const double *now = in->numbers + in->number_count - 2;
        if (now[0] < 0 || now[0] > 1 || (count > 1 && now[0] <= now[-2])) {
            return refuse(in, "needs points of rising progress from 0 to 1");
        }
    } while (take(in, ','));
    in->uses_progress = true;
    return need(in, ')') && emit(in, STEP_PIECEWISE, first, count, 1);
}

/* Arguments that must be numbers, after the '('. */
static bool form(parser *in, const char *name, step_kind kind, int count) {
    int first = in->number_count;
    for (int i = 0; i < count; i++) {
        if ((i > 0 && !need(in, ',')) || !number(in, true)) {
            return false;
        }
    }
    const double *n = in->numbers + first;
    if (kind == STEP_LOG && !(n[0] > 0 && n[1] > 0)) {
        return refuse(in, "needs two numbers above 0 in log(a,b)");
    }
    if (kind == STEP_STEP && !(n[2] >= 0 && n[2] <= 1)) {
        return refuse(in, "needs a progress from 0 to 1 as the last number of step(a,b,p)");
    }
    if (!need(in, ')')) {
        return refuse(in, "takes %d number%s in %s(...)", count, count == 1 ? "" : "s", name);
    }
    in->uses_progress = in->uses_progress || kind != STEP_NUMBER;
    return emit(in, kind, first, count, 1);
}

static bool call(parser *in, const char *name, size_t length) {
    static const struct {
        const char *name;
        step_kind kind;
        int count;
        bool plain; /* arguments are numbers, not expressions */
    } rows[] = {
        {"const", STEP_NUMBER, 1, true}, {"linear", STEP_LINEAR, 2, true},
        {"log", STEP_LOG, 2, true},      {"cosine", STEP_COSINE, 2, true},
        {"step", STEP_STEP, 3, true},    {"piecewise", STEP_PIECEWISE, 0, true},
        {"min", STEP_MIN, 2, false},     {"max", STEP_MAX, 2, false},
        {"exp", STEP_EXP, 1, false},     {"abs", STEP_ABS, 1, false},
        {"round", STEP_ROUND, 1, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (strlen(rows[i].name) != length || memcmp(rows[i].name, name, length) != 0) {
            continue;
        }
        if (!need(in, '(')) {
            return false;
        }
        if (rows[i].plain) {
            return rows[i].count ? form(in, rows[i].name, rows[i].kind, rows[i].count) : points(in);
        }
        bool good = sum(in) && (rows[i].count == 1 || (need(in, ',') && sum(in)));
        return good && need(in, ')') && emit(in, rows[i].kind, 0, 0, 1 - rows[i].count);
    }
    return refuse(in,
                  "has the unknown word '%.*s'; known are p, u, const, linear, log, cosine, "
                  "step, piecewise, min, max, exp, abs and round",
                  (int)(length < 20 ? length : 20), name);
}

static bool primary(parser *in) {
    skip_space(in);
    if (take(in, '(')) {
        return sum(in) && need(in, ')');
    }
    size_t length = strspn(in->at, "abcdefghijklmnopqrstuvwxyz_");
    size_t longer = length ? strspn(in->at, "abcdefghijklmnopqrstuvwxyz_0123456789") : 0;
    for (int i = 0; i < in->values; i++) {
        if (longer > 0 && strlen(in->names[i]) == longer &&
            memcmp(in->names[i], in->at, longer) == 0) {
            in->at += longer;
            return emit(in, STEP_VALUE, i, 0, 1);
        }
    }
    if (length == 0) {
        int first = in->number_count;
        return number(in, false) && emit(in, STEP_NUMBER, first, 1, 1);
    }
    const char *name = in->at;
    in->at += length;
    if (length == 1 && *name == 'p') {
        in->uses_progress = true;
        return emit(in, STEP_PROGRESS, 0, 0, 1);
    }
    if (length == 1 && *name == 'u') {
        in->uses_update = true;
        return emit(in, STEP_UPDATE, 0, 0, 1);
    }
    return call(in, name, length);
}

/* Signs bind weaker than ^ on their right (-2^2 is -4) and may stand in an exponent (2^-1). */
static bool power(parser *in) {
    if (++in->nesting > MAX_NESTING) {
        return refuse(in, "is nested deeper than %d levels", MAX_NESTING);
    }
    bool good;
    if (take(in, '-')) {
        good = power(in) && emit(in, STEP_NEGATE, 0, 0, 0);
    } else if (take(in, '+')) {
        good = power(in);
    } else {
        good = primary(in);
        if (good && take(in, '^')) {
            good = power(in) && emit(in, STEP_POWER, 0, 0, -1);
        }
    }
    in->nesting--;
    return good;
}

static bool product(parser *in) {
    if (!power(in)) {
        return false;
    }
    for (;;) {
        step_kind kind = take(in, '*') ? STEP_MULTIPLY : take(in, '/') ? STEP_DIVIDE : STEP_NUMBER;
        if (kind == STEP_NUMBER) {
            return true;
        }
        if (!power(in) || !emit(in, kind, 0, 0, -1)) {
            return false;
        }
    }
}

static bool sum(parser *in) {
    if (!product(in)) {
        return false;
    }
    for (;;) {
        step_kind kind = take(in, '+') ? STEP_ADD : take(in, '-') ? STEP_SUBTRACT : STEP_NUMBER;
        if (kind == STEP_NUMBER) {
            return true;
        }
        if (!product(in) || !emit(in, kind, 0, 0, -1)) {
            return false;
        }
    }
}

/* Tries a grid of progress and some updates, since the range of an expression is not known. */
static bool in_range(parser *in, const lu_schedule *s) {
    static const double updates[] = {0, 1, 1000, 1e6};
    int tries = s->uses_update ? 4 : 1, grid = s->uses_progress ? 256 : 0;
    for (int t = 0; t < tries; t++) {
        for (int i = 0; i <= grid; i++) {
            double p = grid ? (double)i / grid : 0, value = evaluate(s, p, updates[t], NULL);
            char shown[LU_NUMBER], limit[LU_NUMBER];
            if (!isfinite(value)) {
                return refuse(in, "is not a finite number at p = %g, u = %g", p, updates[t]);
            }
            /* rounding may carry log or cosine a hair over its end: evaluation clamps that */
            double slack = 1e-12 * (fabs(s->low) < INFINITY ? fabs(s->low) : 1);
            if (value < s->low - slack || value > s->high + 1e-12 * fabs(s->high)) {
                bool above = value > s->high;
                lu_print_short(shown, value);
                lu_print_short(limit, above ? s->high : s->low);
                return refuse(in, "is %s at p = %g, %s allowed value %s", shown, p,
                              above ? "above the largest" : "below the smallest", limit);
            }
        }
    }
    return true;
}

/* The text as a program, without a range. */
static lu_schedule *compile(parser *in, const char *text) {
    in->at = text;
    if (strlen(text) > MAX_TEXT) {
        refuse(in, "is longer than %d characters", MAX_TEXT);
        return NULL;
    }
    bool good = sum(in);
    skip_space(in);
    if (good && *in->at) {
        good = refuse(in, "has unexpected text at '%.20s'", in->at);
    }
    if (!good) {
        return NULL;
    }
    LU_ASSERT(in->height == 1);
    lu_schedule *s = lu_alloc_zero(1, sizeof *s);
    s->uses_update = in->uses_update;
    s->uses_progress = in->uses_progress;
    s->step_count = in->step_count;
    s->number_count = in->number_count;
    s->steps = lu_alloc((size_t)in->step_count * sizeof *s->steps);
    memcpy(s->steps, in->steps, (size_t)in->step_count * sizeof *s->steps);
    s->numbers = lu_alloc((size_t)in->number_count * sizeof *s->numbers);
    memcpy(s->numbers, in->numbers, (size_t)in->number_count * sizeof *s->numbers);
    return s;
}

lu_schedule *lu_formula_new(const char *text, const char *const *names, int count, char *why,
                            size_t why_bytes) {
    parser in = {.why = why, .why_bytes = why_bytes, .names = names, .values = count};
    return compile(&in, text);
}

lu_schedule *lu_schedule_new(const char *text, double low, double high, char *why,
                             size_t why_bytes) {
    parser in = {.why = why, .why_bytes = why_bytes};
    lu_schedule *s = compile(&in, text);
    if (!s) {
        return NULL;
    }
    bool any = low == 0 && high == 0;
    s->low = any ? -INFINITY : low;
    s->high = any ? INFINITY : high;
    if (!in_range(&in, s)) {
        lu_schedule_delete(s);
        return NULL;
    }
    return s;
}

void lu_schedule_delete(lu_schedule *schedule) {
    if (schedule) {
        free(schedule->steps);
        free(schedule->numbers);
        free(schedule);
    }
}
