/* Texts about runs: see run_text.h. */
#include "run_text.h"

#include "output.h"
#include "train_display.h"

#include <math.h>
#include <string.h>

/* ---- JSON ---- */

void run_entry_write(const lu_run_entry *e, lu_json *json) {
    lu_run_entry_write(e, json);
    if (*e->problem) {
        lu_json_key_string(json, "problem", e->problem);
    }
}

/* ---- texts ---- */

/* Bytes of the UTF-8 character at `c`, with its code; 0 when it is broken. */
static int next_character(const unsigned char *c, uint32_t *code) {
    int length = c[0] < 0x80 ? 1 : c[0] < 0xc2 ? 0 : c[0] < 0xe0 ? 2 : c[0] < 0xf0 ? 3 : 4;
    static const unsigned char masks[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    *code = c[0] & masks[length];
    for (int i = 1; i < length; i++) {
        if ((c[i] & 0xc0) != 0x80) {
            return 0;
        }
        *code = *code << 6 | (c[i] & 0x3f);
    }
    return c[0] > 0xf4 ? 0 : length;
}

/* What drives a terminal, turns the direction of writing or takes no place. */
static bool is_unsafe(uint32_t code) {
    return code < ' ' || (code >= 0x7f && code < 0xa0) || code == 0xad || code == 0x61c ||
           (code >= 0x200b && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
           (code >= 0x2060 && code <= 0x206f) || code == 0xfeff || code > 0x10ffff;
}

void foreign_add(lu_text *text, const char *from, int most) {
    int columns = 0;
    for (const unsigned char *c = (const unsigned char *)from; *c; columns++) {
        uint32_t code;
        int length = next_character(c, &code);
        if (most > 0 && columns == most) {
            lu_text_add(text, "...");
            return;
        }
        if (length == 0 || is_unsafe(code)) {
            lu_text_add_char(text, '?');
        } else {
            lu_text_add_n(text, (const char *)c, (size_t)length);
        }
        c += length ? length : 1;
    }
}

const char *foreign(const char *from, int most) {
    lu_text text = LU_TEXT_INIT;
    foreign_add(&text, from, most);
    const char *made = cell("%s", text.text);
    lu_text_free(&text);
    return made;
}

const char *real_text(double value) {
    double size = fabs(value);
    return isnan(value)                   ? "-"
           : size >= 999.5 && size < 1e15 ? cell("%.0f", value)
                                          : cell("%.3g", value);
}

const char *interval_text(double low, double high) {
    return isnan(low) || isnan(high) ? "-" : cell("%s .. %s", real_text(low), real_text(high));
}

const char *span_text(double seconds) {
    return seconds >= 0.0 && seconds < 1e12 ? time_text(seconds) : "-";
}

const char *bytes_text(int64_t bytes) {
    lu_text text = LU_TEXT_INIT;
    lu_text_add_bytes(&text, (double)bytes);
    const char *shown = cell("%s", text.text);
    lu_text_free(&text);
    return shown;
}

/* Mean of the numbers among values [from, to); NaN when there is none. */
static double mean_of(const double *values, size_t from, size_t to) {
    double sum = 0.0;
    size_t count = 0;
    for (size_t i = from; i < to; i++) {
        if (!isnan(values[i])) {
            sum += values[i];
            count++;
        }
    }
    return count ? sum / (double)count : (double)NAN;
}

void spark_add(lu_text *text, const double *values, size_t count, int width) {
    static const char levels[] = "_.-~=+*#";
    size_t places = count < (size_t)width ? count : (size_t)width;
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < places; i++) {
        double value = mean_of(values, i * count / places, (i + 1) * count / places);
        low = fmin(low, value); /* the number, when one of both is NaN */
        high = fmax(high, value);
    }
    for (size_t i = 0; i < places; i++) {
        double value = mean_of(values, i * count / places, (i + 1) * count / places);
        double share = high > low ? (value - low) / (high - low) : 0.0;
        share = share >= 0.0 && share <= 1.0 ? share : 0.0; /* NaN where the range overflows */
        lu_text_add_char(text, isnan(value) ? ' ' : levels[(int)(share * 7.0 + 0.5)]);
    }
}
