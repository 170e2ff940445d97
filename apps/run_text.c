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
