/* Event files of TensorBoard: see tensorboard.h. The payload of a record is a protobuf message
 * `Event`; five of its fields are needed, so they are encoded here and no library is. */
#include "ludus/tensorboard.h"
#include "tensorboard_internal.h"

#include "ludus/file.h"

#include <errno.h>
#include <fcntl.h>
#include <float.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct lu_tensorboard {
    char *path;
    int file;
    off_t whole;     /* bytes of the file that are records */
    lu_text pending; /* records that wait for a flush */
};

/* ---- records ---- */

/* Bit by bit: a window is some kilobytes, and a table would be longer than this. */
uint32_t tensorboard_crc(const void *bytes, size_t length) {
    const unsigned char *at = bytes;
    uint32_t crc = ~UINT32_C(0);
    for (size_t i = 0; i < length; i++) {
        crc ^= at[i];
        for (int bit = 0; bit < 8; bit++) {
            crc = (crc >> 1) ^ (crc & 1 ? UINT32_C(0x82f63b78) : 0);
        }
    }
    return ~crc;
}

static void add_fixed(lu_text *out, uint64_t value, int bytes) {
    for (int i = 0; i < bytes; i++) {
        lu_text_add_char(out, (char)(value >> (8 * i) & 0xff));
    }
}

/* The format masks its sums, so that the sum of a text that holds sums stays strong. */
static void add_sum(lu_text *out, const void *bytes, size_t length) {
    uint32_t crc = tensorboard_crc(bytes, length);
    add_fixed(out, (uint32_t)(((crc >> 15) | (crc << 17)) + UINT32_C(0xa282ead8)), 4);
}

void tensorboard_record(lu_text *out, const lu_text *payload) {
    size_t start = out->length;
    add_fixed(out, payload->length, 8);
    add_sum(out, out->text + start, 8);
    lu_text_add_n(out, payload->text, payload->length);
    add_sum(out, payload->text, payload->length);
}

/* ---- protobuf ---- */

enum { VARINT = 0, FIXED64 = 1, BYTES = 2, FIXED32 = 5 };

static void add_varint(lu_text *out, uint64_t value) {
    for (; value > 0x7f; value >>= 7) {
        lu_text_add_char(out, (char)(value & 0x7f) | (char)0x80);
    }
    lu_text_add_char(out, (char)value);
}

static void add_key(lu_text *out, unsigned field, unsigned type) {
    add_varint(out, field << 3 | type);
}

static void add_number(lu_text *out, unsigned field, uint64_t value) {
    add_key(out, field, VARINT);
    add_varint(out, value);
}

static void add_bytes(lu_text *out, unsigned field, const char *bytes, size_t length) {
    add_key(out, field, BYTES);
    add_varint(out, length);
    lu_text_add_n(out, bytes, length);
}

/* Puts the message that `inner` holds around itself: it becomes field `field` of another. */
static void wrap(lu_text *inner, unsigned field) {
    lu_text outer = LU_TEXT_INIT;
    add_bytes(&outer, field, inner->text, inner->length);
    lu_text_free(inner);
    *inner = outer;
}

static void add_float(lu_text *out, unsigned field, double value) {
    float narrow = (float)(value > FLT_MAX ? FLT_MAX : value < -FLT_MAX ? -FLT_MAX : value);
    uint32_t bits;
    memcpy(&bits, &narrow, sizeof bits);
    add_key(out, field, FIXED32);
    add_fixed(out, bits, 4);
}

/* Adds the record of an event with one field of its own, whose bytes are ready. */
static void add_event(lu_text *out, double wall, int64_t step, const lu_text *field) {
    lu_text event = LU_TEXT_INIT;
    uint64_t bits;
    memcpy(&bits, &wall, sizeof bits);
    add_key(&event, 1, FIXED64); /* wall_time */
    add_fixed(&event, bits, 8);
    add_number(&event, 2, (uint64_t)step);
    lu_text_add_n(&event, field->text, field->length);
    tensorboard_record(out, &event);
    lu_text_free(&event);
}

/* Adds the event of one value of a summary and frees it. */
static void add_value(lu_tensorboard *writer, int64_t step, double wall, lu_text *value) {
    wrap(value, 1); /* Summary.value */
    wrap(value, 5); /* Event.summary */
    add_event(&writer->pending, wall, step, value);
    lu_text_free(value);
}

void lu_tensorboard_scalar(lu_tensorboard *writer, const char *tag, int64_t step, double wall,
                           double value) {
    lu_text field = LU_TEXT_INIT;
    add_bytes(&field, 1, tag, strlen(tag)); /* tag */
    add_float(&field, 2, value);            /* simple_value */
    add_value(writer, step, wall, &field);
}

void lu_tensorboard_text(lu_tensorboard *writer, const char *tag, int64_t step, double wall,
                         const char *text) {
    static const char plugin[] = "text";
    lu_text field = LU_TEXT_INIT, part = LU_TEXT_INIT;
    add_bytes(&field, 1, tag, strlen(tag)); /* tag */
    add_bytes(&part, 1, plugin, sizeof plugin - 1);
    wrap(&part, 1);          /* SummaryMetadata.plugin_data */
    add_number(&part, 4, 2); /* SummaryMetadata.data_class: tensor */
    add_bytes(&field, 9, part.text, part.length);
    lu_text_clear(&part);
    add_number(&part, 1, 1); /* Dim.size */
    wrap(&part, 2);          /* TensorShapeProto.dim */
    wrap(&part, 2);          /* TensorProto.tensor_shape */
    add_number(&part, 1, 7); /* TensorProto.dtype: string */
    add_bytes(&part, 8, text, strlen(text));
    add_bytes(&field, 8, part.text, part.length); /* tensor */
    lu_text_free(&part);
    add_value(writer, step, wall, &field);
}

/* A cell of a Markdown table: what would end or shape it is escaped. */
static void add_cell(lu_text *out, const char *text) {
    for (; *text; text++) {
        if (strchr("\\`*_{}[]<>#|", *text)) {
            lu_text_add_char(out, '\\');
        }
        lu_text_add_char(out, *text == '\n' ? ' ' : *text);
    }
}

void lu_tensorboard_settings(lu_tensorboard *writer, const lu_settings *settings, int64_t step,
                             double wall) {
    lu_text table = LU_TEXT_INIT;
    lu_text_add(&table, "| setting | value |\n|---|---|\n");
    for (size_t i = 0; i < lu_settings_rows(settings); i++) {
        const char *key = lu_settings_row(settings, i, NULL)->key;
        lu_text_add(&table, "| ");
        add_cell(&table, key);
        lu_text_add(&table, " | ");
        add_cell(&table, lu_settings_text_of(settings, key));
        lu_text_add(&table, " |\n");
    }
    lu_tensorboard_text(writer, "settings", step, wall, table.text);
    lu_text_free(&table);
}

/* ---- files ---- */

static const char lead[] = "events.out.tfevents.";

/* SECONDS of a file name: ten digits, as names are compared letter by letter; 0 for other names. */
static int64_t seconds_of(const char *name) {
    int64_t seconds = 0;
    const char *digits = name + sizeof lead - 1;
    if (strncmp(name, lead, sizeof lead - 1) != 0 || strspn(digits, "0123456789") != 10 ||
        digits[10] != '.') {
        return 0;
    }
    for (int i = 0; i < 10; i++) {
        seconds = 10 * seconds + (digits[i] - '0');
    }
    return seconds;
}

/* Now, or a second above the newest file of the folder. */
static int64_t next_seconds(const char *folder) {
    const int64_t most = INT64_C(9999999999);
    int64_t next = (int64_t)time(NULL);
    lu_names names;
    lu_folder_names(folder, lead, &names, NULL);
    for (size_t i = 0; i < names.count; i++) {
        int64_t seconds = seconds_of(names.name[i]);
        next = seconds >= next && seconds < most ? seconds + 1 : next;
    }
    lu_names_free(&names);
    return next;
}

static void add_host(lu_text *path) {
    char host[65] = "";
    gethostname(host, sizeof host - 1);
    for (char *c = host; *c; c++) {
        bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
                     (*c >= '0' && *c <= '9') || *c == '-' || *c == '.';
        lu_text_add_char(path, plain ? *c : '_');
    }
}

/* A file of a name that was free; two processes may want the same second. */
static lu_status make_file(lu_tensorboard *writer, const char *folder, lu_error *error) {
    lu_text path = LU_TEXT_INIT;
    for (int attempt = 0; attempt < 100 && writer->file < 0; attempt++) {
        lu_text_clear(&path);
        lu_text_addf(&path, "%s/%s%010" PRId64 ".", folder, lead, next_seconds(folder));
        add_host(&path);
        lu_text_addf(&path, ".%ld.ludus", (long)getpid());
        writer->file = open(path.text, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
        if (writer->file < 0 && errno != EEXIST) {
            break;
        }
    }
    lu_status status = LU_OK;
    if (writer->file < 0) {
        status = lu_fail(error, LU_IO, "cannot write %s: %s", path.text, strerror(errno));
    }
    writer->path = lu_text_take(&path);
    lu_text_free(&path);
    return status;
}

/* What a file begins with: its version, and from which step on it replaces earlier files. Readers
 * take the first START of a folder for the beginning and only later ones for a resume; hence a new
 * run has one, too. */
static void begin(lu_tensorboard *writer, int64_t kept) {
    static const char version[] = "brain.Event:2";
    double wall = (double)time(NULL);
    lu_text field = LU_TEXT_INIT;
    add_bytes(&field, 3, version, sizeof version - 1);
    add_event(&writer->pending, wall, 0, &field);
    lu_text_clear(&field);
    add_number(&field, 1, 1); /* SessionLog.status: START */
    wrap(&field, 7);          /* Event.session_log */
    /* what is at the step of this record is dropped, too */
    add_event(&writer->pending, wall, kept + 1, &field);
    lu_text_free(&field);
}

static void drop(lu_tensorboard *writer) {
    if (writer->file >= 0) {
        close(writer->file);
    }
    lu_text_free(&writer->pending);
    free(writer->path);
    free(writer);
}

lu_tensorboard *lu_tensorboard_open(const char *folder, int64_t kept, lu_error *error) {
    lu_tensorboard *writer = lu_alloc_zero(1, sizeof *writer);
    writer->file = -1;
    lu_text_init(&writer->pending);
    lu_status status = lu_folder_make(folder, error);
    LU_THEN(status, make_file(writer, folder, error));
    if (status == LU_OK) {
        begin(writer, kept);
        status = lu_tensorboard_flush(writer, error);
    }
    if (status != LU_OK) {
        if (writer->file >= 0) {
            unlink(writer->path);
        }
        drop(writer);
        return NULL;
    }
    return writer;
}

lu_status lu_tensorboard_flush(lu_tensorboard *writer, lu_error *error) {
    size_t done = 0;
    while (done < writer->pending.length) {
        ssize_t more =
            write(writer->file, writer->pending.text + done, writer->pending.length - done);
        if (more < 0 && errno == EINTR) {
            continue;
        }
        if (more <= 0) {
            int why = more < 0 ? errno : ENOSPC;
            /* half a record would hide all that comes after it */
            bool cut = ftruncate(writer->file, writer->whole) == 0;
            return lu_fail(error, LU_IO, "cannot write %s: %s%s", writer->path, strerror(why),
                           cut ? "" : "; its end is torn");
        }
        done += (size_t)more;
    }
    writer->whole += (off_t)done;
    lu_text_clear(&writer->pending);
    return LU_OK;
}

lu_status lu_tensorboard_close(lu_tensorboard *writer, lu_error *error) {
    lu_status status = LU_OK;
    if (writer) {
        status = lu_tensorboard_flush(writer, error);
        drop(writer);
    }
    return status;
}

/* ---- rows of a run ---- */

/* Step and time of a row. */
static lu_status place_of(const lu_json_value *row, int64_t *step, double *wall, lu_error *error) {
    const char *written = "";
    struct tm parts = {0};
    lu_status status = lu_json_get_int(row, "env_steps", 0, INT64_MAX - 1, step, error);
    LU_THEN(status, lu_json_get_text(row, "written", &written, error));
    if (status == LU_OK) {
        const char *end = strptime(written, "%Y-%m-%dT%H:%M:%SZ", &parts);
        if (!end || *end) {
            return lu_fail(error, LU_BAD_DATA,
                           "'written' = '%.40s' isn't a time such as 2025-01-31T12:34:56Z",
                           written);
        }
        *wall = (double)timegm(&parts);
    }
    return status;
}

/* The tag of a number of a window: its name, except for what trackers call otherwise; NULL for what
 * is an axis or a name and no figure. */
static const char *tag_of(const char *name) {
    static const char *const none[] = {"window_id",       "update", "updates", "env_steps",
                                       "env_steps_start", "ticks",  "endings", "wall_seconds"};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        if (strcmp(name, none[i]) == 0) {
            return NULL;
        }
    }
    return strcmp(name, "episode_return") == 0 ? "episode_reward" : name;
}

static void add_if_number(lu_tensorboard *writer, const char *tag, int64_t step, double wall,
                          const lu_json_value *value) {
    if (lu_json_kind_of(value) == LU_JSON_NUMBER) {
        lu_tensorboard_scalar(writer, tag, step, wall, lu_json_real_or(value, 0.0));
    }
}

/* GROUP/NAME for every number of an object. */
static void add_group(lu_tensorboard *writer, const char *group, int64_t step, double wall,
                      const lu_json_value *object) {
    lu_text tag = LU_TEXT_INIT;
    for (size_t i = 0; i < lu_json_count(object); i++) {
        const char *name;
        const lu_json_value *value = lu_json_member(object, i, &name);
        lu_text_clear(&tag);
        lu_text_addf(&tag, "%s/%s", group, name);
        add_if_number(writer, tag.text, step, wall, value);
    }
    lu_text_free(&tag);
}

lu_status lu_tensorboard_window(lu_tensorboard *writer, const lu_json_value *row, lu_error *error) {
    static const char *const groups[] = {"terms", "infos", "seconds"};
    int64_t step = 0;
    double wall = 0.0;
    LU_TRY(place_of(row, &step, &wall, error));
    for (size_t i = 0; i < lu_json_count(row); i++) {
        const char *name;
        const lu_json_value *value = lu_json_member(row, i, &name);
        if (tag_of(name)) {
            add_if_number(writer, tag_of(name), step, wall, value);
        }
    }
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++) {
        const lu_json_value *object = lu_json_get(row, groups[i]);
        if (lu_json_kind_of(object) == LU_JSON_OBJECT) {
            add_group(writer, groups[i], step, wall, object);
        }
    }
    return lu_tensorboard_flush(writer, error);
}

lu_status lu_tensorboard_eval(lu_tensorboard *writer, const lu_json_value *row, lu_error *error) {
    int64_t step = 0;
    double wall = 0.0;
    const char *metric = "";
    lu_text tag = LU_TEXT_INIT;
    lu_status status = place_of(row, &step, &wall, error);
    LU_THEN(status, lu_json_get_text(row, "metric", &metric, error));
    if (status != LU_OK) {
        return status;
    }
    const lu_json_value *value = lu_json_get(row, "value");
    const lu_json_value *whole = lu_json_get(lu_json_get(row, "report"), "return");
    lu_text_addf(&tag, "eval/%s", metric);
    add_if_number(writer, tag.text, step, wall, lu_json_get(value, "mean"));
    lu_text_free(&tag);
    add_if_number(writer, "eval/low", step, wall, lu_json_get(value, "low"));
    add_if_number(writer, "eval/high", step, wall, lu_json_get(value, "high"));
    if (strcmp(metric, "return") != 0) { /* it is there already */
        add_if_number(writer, "eval/return", step, wall, lu_json_get(whole, "mean"));
    }
    return lu_tensorboard_flush(writer, error);
}
