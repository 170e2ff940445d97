/* Numbers as text. printf and strtod do the hard cases, since both round correctly; the common ones
 * (whole numbers, up to 15 digits) take exact short cuts. The decimal point of the locale is undone
 * here, because a program that embeds the library may have set one. */
#include "number.h"
#include "ludus/settings.h"
#include "utf8.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- printing ---- */

static size_t print_digits(char *out, uint64_t value) {
    char digits[20];
    size_t count = 0;
    do {
        digits[count++] = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    for (size_t i = 0; i < count; i++) {
        out[i] = digits[count - 1 - i];
    }
    out[count] = '\0';
    return count;
}

size_t lu_print_uint(char out[LU_NUMBER], uint64_t value) {
    return print_digits(out, value);
}

size_t lu_print_int(char out[LU_NUMBER], int64_t value) {
    if (value >= 0) {
        return print_digits(out, (uint64_t)value);
    }
    out[0] = '-';
    return 1 + print_digits(out + 1, 0 - (uint64_t)value);
}

/* Turns whatever the locale uses as its decimal point into '.'; returns the new length. */
static size_t plain_point(char *text) {
    size_t put = 0;
    for (size_t i = 0; text[i]; i++) {
        if (strchr("0123456789+-e", text[i])) {
            text[put++] = text[i];
        } else if (put == 0 || text[put - 1] != '.') {
            text[put++] = '.';
        }
    }
    text[put] = '\0';
    return put;
}

size_t lu_print_real(char out[LU_NUMBER], double value) {
    if (value == 0 && signbit(value)) {
        memcpy(out, "-0", 3);
        return 2;
    }
    if (fabs(value) < 1e15 && value == (double)(int64_t)value) {
        return lu_print_int(out, (int64_t)value);
    }
    /* subnormal numbers have fewer digits that count */
    for (int digits = fabs(value) < DBL_MIN ? 1 : 15; digits <= 17; digits++) {
        snprintf(out, LU_NUMBER, "%.*g", digits, value);
        if (digits == 17 || strtod(out, NULL) == value) {
            break;
        }
    }
    return plain_point(out);
}

size_t lu_print_float(char out[LU_NUMBER], float value) {
    if (fabsf(value) < 1e7f && value == (float)(int32_t)value && !(value == 0 && signbit(value))) {
        return lu_print_int(out, (int32_t)value);
    }
    if (value == 0) {
        memcpy(out, "-0", 3);
        return 2;
    }
    for (int digits = fabsf(value) < FLT_MIN ? 1 : 6; digits <= 9; digits++) {
        snprintf(out, LU_NUMBER, "%.*g", digits, (double)value);
        if (digits == 9 || strtof(out, NULL) == value) {
            break;
        }
    }
    return plain_point(out);
}

size_t lu_print_short(char out[LU_NUMBER], double value) {
    if (isinf(value)) {
        return (size_t)snprintf(out, LU_NUMBER, "%s", value > 0 ? "infinity" : "-infinity");
    }
    size_t length = lu_print_real(out, value);
    /* a whole number with many trailing zeros: 12000000 reads better as 12e6 */
    size_t zeros = 0;
    while (zeros < length && out[length - 1 - zeros] == '0') {
        zeros++;
    }
    if (zeros >= 6 && zeros < length && !strpbrk(out, ".e")) {
        length -= zeros;
        length += (size_t)snprintf(out + length, LU_NUMBER - length, "e%zu", zeros);
    }
    return length;
}

/* ---- reading ---- */

static size_t digits_span(const char *text, size_t length) {
    size_t at = 0;
    while (at < length && text[at] >= '0' && text[at] <= '9') {
        at++;
    }
    return at;
}

size_t lu_number_span(const char *text, size_t length) {
    size_t at = length > 0 && (text[0] == '+' || text[0] == '-') ? 1 : 0;
    size_t whole = digits_span(text + at, length - at), part = 0;
    at += whole;
    if (at < length && text[at] == '.') {
        part = digits_span(text + at + 1, length - at - 1);
        at += whole || part ? 1 + part : 0;
    }
    if (whole == 0 && part == 0) {
        return 0;
    }
    if (at < length && (text[at] == 'e' || text[at] == 'E')) {
        size_t sign = at + 1 < length && (text[at + 1] == '+' || text[at + 1] == '-') ? 1 : 0;
        size_t power = digits_span(text + at + 1 + sign, length - at - 1 - sign);
        at += power ? 1 + sign + power : 0;
    }
    return at;
}

/* A decimal number in parts: (-1)^negative * digits * 10^power, when the digits fit. */
typedef struct decimal {
    bool negative, fits;
    uint64_t digits;
    int64_t power;
} decimal;

static decimal split_decimal(const char *text, size_t length) {
    enum { POWER_CAP = 1000000000 };
    decimal d = {.fits = true};
    size_t at = 0;
    if (text[0] == '+' || text[0] == '-') {
        d.negative = text[0] == '-';
        at = 1;
    }
    bool after_point = false;
    int64_t zeros = 0; /* zeros not yet multiplied in, so that 1.000...0 always fits */
    for (; at < length && text[at] != 'e' && text[at] != 'E'; at++) {
        if (text[at] == '.') {
            after_point = true;
            continue;
        }
        d.power -= after_point;
        zeros++;
        if (text[at] == '0') {
            continue;
        }
        for (; zeros > 0 && d.digits > 0; zeros--) {
            d.fits = d.fits && !__builtin_mul_overflow(d.digits, (uint64_t)10, &d.digits);
        }
        zeros = 0;
        d.fits = d.fits && !__builtin_add_overflow(d.digits, (uint64_t)(text[at] - '0'), &d.digits);
        if (!d.fits) {
            return d;
        }
    }
    d.power += zeros;
    if (at < length) {
        bool down = text[++at] == '-';
        at += text[at] == '+' || text[at] == '-';
        int64_t power = 0;
        for (; at < length && power < POWER_CAP; at++) {
            power = power * 10 + (text[at] - '0');
        }
        d.power += down ? -power : power;
    }
    if (d.digits == 0) {
        d.power = 0;
    }
    return d;
}

/* strtod on a terminated copy with the point of the locale. */
static double slow_value(const char *text, size_t length) {
    const char *point = localeconv()->decimal_point;
    size_t extra = strlen(point);
    char small[256];
    char *copy = length + extra < sizeof small ? small : lu_alloc(length + extra + 1);
    size_t put = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '.') {
            memcpy(copy + put, point, extra);
            put += extra;
        } else {
            copy[put++] = text[i];
        }
    }
    copy[put] = '\0';
    double value = strtod(copy, NULL);
    if (copy != small) {
        free(copy);
    }
    return value;
}

double lu_number_value(const char *text, size_t length) {
    static const double tens[23] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    decimal d = split_decimal(text, length);
    /* both operands exact, so the one rounding of * or / is the right one */
    if (d.fits && d.digits <= (UINT64_C(1) << 53) && d.power >= -22 && d.power <= 22) {
        double value = (double)d.digits;
        value = d.power < 0 ? value / tens[-d.power] : value * tens[d.power];
        return d.negative ? -value : value;
    }
    return slow_value(text, length);
}

/* ---- numbers from outside: what they must be, and the sentence when they are not ---- */

static lu_status not_this(const char *what, const char *text, const char *expected,
                          lu_error *error) {
    char shown[LU_SHOW];
    return lu_fail(error, LU_BAD_VALUE, "'%s' = %s is not %s", what, lu_show(shown, text),
                   expected);
}

static lu_status outside(const char *what, const char *text, bool above, const char *limit,
                         lu_error *error) {
    char shown[LU_SHOW];
    return lu_fail(error, LU_BAD_VALUE, "'%s' = %s is %s allowed value %s", what,
                   lu_show(shown, text), above ? "above the largest" : "below the smallest", limit);
}

lu_status lu_parse_u64(const char *what, const char *text, uint64_t *value, lu_error *error) {
    static const char expected[] = "an integer from 0 to 18446744073709551615, decimal or 0x hex";
    bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    uint64_t base = hex ? 16 : 10, sum = 0;
    bool fits = true;
    const char *at = hex ? text + 2 : text;
    if (!*at) {
        return not_this(what, text, expected, error);
    }
    for (; *at; at++) {
        char c = *at;
        int digit = c >= '0' && c <= '9'          ? c - '0'
                    : hex && c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : hex && c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                  : -1;
        if (digit < 0) {
            return not_this(what, text, expected, error);
        }
        fits = fits && !__builtin_mul_overflow(sum, base, &sum) &&
               !__builtin_add_overflow(sum, (uint64_t)digit, &sum);
    }
    if (!fits) {
        return outside(what, text, true, "18446744073709551615", error);
    }
    *value = sum;
    return LU_OK;
}

/* Multiplier of the suffix text (k M G by thousands, Ki Mi Gi by 1024), 0 when it is none. */
static uint64_t suffix_factor(const char *suffix) {
    static const struct {
        const char *name;
        uint64_t factor;
    } rows[] = {{"", 1},          {"k", 1000},      {"M", 1000000},  {"G", 1000000000},
                {"Ki", 1u << 10}, {"Mi", 1u << 20}, {"Gi", 1u << 30}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (strcmp(suffix, rows[i].name) == 0) {
            return rows[i].factor;
        }
    }
    return 0;
}

typedef enum whole_result { WHOLE_OK, WHOLE_NONE, WHOLE_HUGE } whole_result;

/* The exact size of digits * 10^power * factor, when that is a whole number. */
static whole_result whole_size(decimal d, uint64_t factor, uint64_t *size) {
    if (!d.fits) {
        return d.power < 0 ? WHOLE_NONE : WHOLE_HUGE; /* over 19 digits, perhaps a fraction */
    }
    bool huge = __builtin_mul_overflow(d.digits, factor, &d.digits);
    for (; !huge && d.digits > 0 && d.power > 0; d.power--) {
        huge = __builtin_mul_overflow(d.digits, (uint64_t)10, &d.digits);
    }
    for (; !huge && d.digits > 0 && d.power < 0; d.power++) {
        if (d.digits % 10 != 0) {
            return WHOLE_NONE;
        }
        d.digits /= 10;
    }
    *size = d.digits;
    return huge ? WHOLE_HUGE : WHOLE_OK;
}

lu_status lu_parse_i64(const char *what, const char *text, int64_t low, int64_t high,
                       int64_t *value, lu_error *error) {
    static const char expected[] = "an integer such as 64, 64k or 1e6";
    char limit[LU_NUMBER];
    size_t length = strlen(text), span = lu_number_span(text, length);
    uint64_t factor = span ? suffix_factor(text + span) : 0, size = 0;
    if (factor == 0) {
        return not_this(what, text, expected, error);
    }
    decimal d = split_decimal(text, span);
    whole_result result = whole_size(d, factor, &size);
    if (result == WHOLE_NONE) {
        return not_this(what, text, expected, error);
    }
    uint64_t most = (uint64_t)INT64_MAX + (d.negative ? 1 : 0);
    bool huge = result == WHOLE_HUGE || size > most;
    int64_t whole = huge ? 0 : d.negative ? (int64_t)(0 - size) : (int64_t)size;
    if (huge ? d.negative : whole < low) {
        lu_print_int(limit, low);
        return outside(what, text, false, limit, error);
    }
    if (huge || whole > high) {
        lu_print_int(limit, high);
        return outside(what, text, true, limit, error);
    }
    *value = whole;
    return LU_OK;
}

lu_status lu_parse_real(const char *what, const char *text, double low, double high, double *value,
                        lu_error *error) {
    char limit[LU_NUMBER];
    size_t length = strlen(text), span = lu_number_span(text, length);
    if (span == 0 || span != length) {
        return not_this(what, text, "a number such as 0.5 or 3e-4", error);
    }
    double number = lu_number_value(text, length);
    double least = fmax(low, -DBL_MAX), most = fmin(high, DBL_MAX);
    if (number < least || number > most) {
        lu_print_short(limit, number < least ? least : most);
        return outside(what, text, number > most, limit, error);
    }
    *value = number;
    return LU_OK;
}
