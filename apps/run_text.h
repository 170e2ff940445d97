/* What verbs about runs share: their JSON, and texts out of files made fit for a terminal.
 * Ownership: plain values. Threads: the main thread. */
#pragma once

#include "foreign.h"

#include "verb.h"

#include "ludus/run_view.h"

/* The entry of a run with what is damaged in it: members of an open object. */
void run_entry_write(const lu_run_entry *entry, lu_json *json);

/* The same for a cell of a table, of at most 60 columns, or 250 of ASCII. */
const char *foreign(const char *text, int most);
/* Numbers for people: "-" for NaN; an interval "1 .. 2"; seconds as 1:02:03; bytes as 1.5 MB. */
const char *real_text(double value);
const char *interval_text(double low, double high);
const char *span_text(double seconds);
const char *bytes_text(int64_t bytes);
/* Adds a curve of at most `width` letters, in which equal stretches of the values are averaged; NaN
 * leaves a gap. */
void spark_add(lu_text *text, const double *values, size_t count, int width);
