/* Event files: sums and framing against known answers, names, whole flushes, rows as curves. That
 * TensorBoard itself reads them is the business of tests/tensorboard_test.py. */
#include "ludus/tensorboard.h"
#include "tensorboard_internal.h"

#include "ludus/file.h"
#include "test.h"

#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

TEST(sums_are_crc_32c) {
    unsigned char bytes[32];
    CHECK_HEX(tensorboard_crc("", 0), 0);
    CHECK_HEX(tensorboard_crc("123456789", 9), 0xe3069283);
    /* the examples of RFC 3720, B.4 */
    memset(bytes, 0, sizeof bytes);
    CHECK_HEX(tensorboard_crc(bytes, sizeof bytes), 0x8a9136aa);
    memset(bytes, 0xff, sizeof bytes);
    CHECK_HEX(tensorboard_crc(bytes, sizeof bytes), 0x62a8ab43);
    for (int i = 0; i < 32; i++) {
        bytes[i] = (unsigned char)i;
    }
    CHECK_HEX(tensorboard_crc(bytes, sizeof bytes), 0x46dd794e);
}

TEST(a_record_is_framed_as_tensorboard_frames_it) {
    /* what RecordWriter of the package tensorboard writes for the payload "ludus" */
    static const unsigned char want[] = {5,    0,   0,   0,   0,   0,   0,    0,    0xea, 0xb2, 4,
                                         0x3e, 'l', 'u', 'd', 'u', 's', 0xb6, 0x79, 0x6d, 0xf4};
    lu_text out = LU_TEXT_INIT, payload = LU_TEXT_INIT;
    lu_text_add(&payload, "ludus");
    tensorboard_record(&out, &payload);
    CHECK_INT(out.length, sizeof want);
    CHECK(out.length == sizeof want && memcmp(out.text, want, sizeof want) == 0);
    lu_text_free(&out);
    lu_text_free(&payload);
}

/* ---- files ---- */

/* Names of a folder in order, one per line. */
static void list_files(const char *folder, lu_text *names) {
    struct dirent **entries;
    int count = scandir(folder, &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        if (entries[i]->d_name[0] != '.') {
            lu_text_line(names, "%s", entries[i]->d_name);
        }
        free(entries[i]);
    }
    if (count >= 0) {
        free(entries);
    }
}

static const char *folder_of(const char *name) {
    static char path[400];
    snprintf(path, sizeof path, "%s/board-%s", lu_test_folder(), name);
    return path;
}

/* Bytes of the last file of a folder; the caller frees them. */
static char *last_file(const char *folder, size_t *length) {
    lu_text names = LU_TEXT_INIT, path = LU_TEXT_INIT;
    char *bytes = NULL;
    list_files(folder, &names);
    if (names.length) {
        names.text[names.length - 1] = 0;
        const char *line = strrchr(names.text, '\n');
        lu_text_addf(&path, "%s/%s", folder, line ? line + 1 : names.text);
        lu_file_read(path.text, 1 << 20, &bytes, length, NULL);
    }
    lu_text_free(&names);
    lu_text_free(&path);
    return bytes;
}

static bool has(const char *bytes, size_t length, const char *part) {
    return bytes && memmem(bytes, length, part, strlen(part)) != NULL;
}

/* Records of a file whose sums are right, up to the first that is not whole. */
static int count_records(const char *bytes, size_t length, size_t *whole) {
    int count = 0;
    size_t at = 0;
    lu_text payload = LU_TEXT_INIT, again = LU_TEXT_INIT;
    while (length - at >= 16) {
        uint64_t size;
        memcpy(&size, bytes + at, 8);
        if (size > length - at - 16) {
            break;
        }
        lu_text_clear(&payload);
        lu_text_clear(&again);
        lu_text_add_n(&payload, bytes + at + 12, (size_t)size);
        tensorboard_record(&again, &payload);
        if (memcmp(bytes + at, again.text, again.length) != 0) {
            break;
        }
        at += again.length;
        count++;
    }
    lu_text_free(&payload);
    lu_text_free(&again);
    *whole = at;
    return count;
}

TEST(a_file_begins_with_its_version_and_ends_whole) {
    lu_error error;
    size_t length = 0, whole = 0;
    const char *folder = folder_of("version/deep");
    lu_tensorboard *writer = lu_tensorboard_open(folder, -1, &error);
    NEED(writer);
    lu_tensorboard_scalar(writer, "episode_reward", 10, 1.0e9, 2.5);
    lu_tensorboard_text(writer, "note", 0, 1.0e9, "**hello**");
    CHECK_INT(lu_tensorboard_close(writer, &error), LU_OK);
    char *bytes = last_file(folder, &length);
    NEED(bytes);
    CHECK_INT(count_records(bytes, length, &whole), 4);
    CHECK_INT(whole, length);
    CHECK(length > 42 && memcmp(bytes + 12 + 11,
                                "\x1a\x0d"
                                "brain.Event:2",
                                15) == 0);
    CHECK(has(bytes, length, "episode_reward"));
    CHECK(has(bytes, length, "**hello**"));
    free(bytes);
}

TEST(a_scalar_has_the_bytes_of_its_event) {
    /* wall_time 1.5, step 300, summary { value { tag "a" simple_value -2 } } */
    static const char want[] = "\x09\0\0\0\0\0\0\xf8\x3f\x10\xac\x02\x2a\x0a\x0a\x08\x0a\x01"
                               "a\x15\0\0\0\xc0";
    lu_error error;
    size_t length = 0;
    const char *folder = folder_of("scalar");
    lu_tensorboard *writer = lu_tensorboard_open(folder, -1, &error);
    NEED(writer);
    lu_tensorboard_scalar(writer, "a", 300, 1.5, -2.0);
    CHECK_INT(lu_tensorboard_close(writer, &error), LU_OK);
    char *bytes = last_file(folder, &length);
    NEED(bytes);
    CHECK(memmem(bytes, length, want, sizeof want - 1) != NULL);
    free(bytes);
}

TEST(later_files_have_later_names) {
    lu_error error;
    lu_text names;
    const char *folder = folder_of("names");
    for (int i = 0; i < 3; i++) {
        lu_tensorboard *writer = lu_tensorboard_open(folder, i ? 100 * i : -1, &error);
        NEED(writer);
        /* the tag tells the files apart */
        char tag[32];
        snprintf(tag, sizeof tag, "session%d", i);
        lu_tensorboard_scalar(writer, tag, 1, 0.0, 0.0);
        CHECK_INT(lu_tensorboard_close(writer, &error), LU_OK);
        size_t length = 0;
        char *bytes = last_file(folder, &length);
        CHECK(has(bytes, length, tag));
        free(bytes);
    }
    lu_text_init(&names);
    list_files(folder, &names);
    CHECK_HAS(names.text, "events.out.tfevents.");
    CHECK_HAS(names.text, ".ludus\n");
    lu_text_free(&names);
}

TEST(a_resumed_file_says_from_where_on_it_counts) {
    /* step 101, session_log { status START } */
    static const char want[] = "\x10\x65\x3a\x02\x08\x01";
    lu_error error;
    size_t length = 0, whole = 0;
    const char *folder = folder_of("start");
    CHECK_INT(lu_tensorboard_close(lu_tensorboard_open(folder, 100, &error), &error), LU_OK);
    char *bytes = last_file(folder, &length);
    NEED(bytes);
    CHECK_INT(count_records(bytes, length, &whole), 2);
    CHECK(has(bytes, length, want));
    free(bytes);
}

TEST(a_full_disk_is_told_and_leaves_whole_records) {
    lu_error error;
    struct rlimit before, tight;
    size_t length = 0, whole = 0;
    const char *folder = folder_of("full");
    lu_tensorboard *writer = lu_tensorboard_open(folder, -1, &error);
    NEED(writer);
    lu_tensorboard_scalar(writer, "first", 1, 0.0, 1.0);
    CHECK_INT(lu_tensorboard_flush(writer, &error), LU_OK);
    /* a limit of the size of files inside of the next record */
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    NEED(getrlimit(RLIMIT_FSIZE, &before) == 0);
    tight = before;
    tight.rlim_cur = 145;
    NEED(setrlimit(RLIMIT_FSIZE, &tight) == 0);
    lu_tensorboard_scalar(writer, "second", 2, 0.0, 2.0);
    lu_status status = lu_tensorboard_flush(writer, &error);
    CHECK(setrlimit(RLIMIT_FSIZE, &before) == 0);
    signal(SIGXFSZ, handler);
    CHECK_INT(status, LU_IO);
    CHECK_HAS(error.text, "events.out.tfevents.");
    char *bytes = last_file(folder, &length);
    NEED(bytes);
    CHECK_INT(count_records(bytes, length, &whole), 3);
    CHECK_INT(whole, length);
    free(bytes);
    /* with room again nothing is missing */
    CHECK_INT(lu_tensorboard_close(writer, &error), LU_OK);
    bytes = last_file(folder, &length);
    NEED(bytes);
    CHECK_INT(count_records(bytes, length, &whole), 4);
    CHECK(has(bytes, length, "second"));
    free(bytes);
}

TEST(a_folder_that_cannot_be_written_is_told) {
    lu_error error;
    lu_text path = LU_TEXT_INIT;
    lu_text_addf(&path, "%s/plain", lu_test_folder());
    NEED(lu_file_write(path.text, "x", 1, &error) == LU_OK);
    CHECK(!lu_tensorboard_open(path.text, -1, &error));
    CHECK_INT(error.status, LU_IO);
    CHECK_HAS(error.text, path.text);
    lu_text_free(&path);
    CHECK_INT(lu_tensorboard_close(NULL, &error), LU_OK);
}

/* ---- rows ---- */

static lu_status add_row(lu_tensorboard *writer, bool eval, const char *text, lu_error *error) {
    lu_json_document *row = lu_json_read("row", text, strlen(text), error);
    if (!row) {
        return error->status;
    }
    lu_status status = eval ? lu_tensorboard_eval(writer, lu_json_root(row), error)
                            : lu_tensorboard_window(writer, lu_json_root(row), error);
    lu_json_close(row);
    return status;
}

TEST(rows_become_curves) {
    lu_error error;
    size_t length = 0, whole = 0;
    const char *folder = folder_of("rows");
    lu_tensorboard *writer = lu_tensorboard_open(folder, -1, &error);
    NEED(writer);
    CHECK_INT(add_row(writer, false,
                      "{\"run_id\":\"r\",\"window_id\":0,\"complete\":true,\"env_steps\":64,"
                      "\"written\":\"2025-01-31T12:34:56Z\",\"episode_return\":1.5,\"kl\":null,"
                      "\"terms\":{\"gain\":0.5},\"infos\":{\"profit\":7},\"seconds\":{\"all\":1}}",
                      &error),
              LU_OK);
    CHECK_INT(add_row(writer, true,
                      "{\"env_steps\":64,\"written\":\"2025-01-31T12:34:56Z\",\"metric\":"
                      "\"profit\",\"value\":{\"mean\":7,\"low\":6,\"high\":8},"
                      "\"report\":{\"return\":{\"mean\":1.5}}}",
                      &error),
              LU_OK);
    CHECK_INT(lu_tensorboard_close(writer, &error), LU_OK);
    static const char *const tags[] = {"episode_reward", "terms/gain",  "infos/profit",
                                       "seconds/all",    "eval/profit", "eval/low",
                                       "eval/high",      "eval/return"};
    char *bytes = last_file(folder, &length);
    NEED(bytes);
    for (size_t i = 0; i < sizeof tags / sizeof tags[0]; i++) {
        if (!has(bytes, length, tags[i])) {
            lu_test_fail(__FILE__, __LINE__, "no tag %s", tags[i]);
        }
    }
    /* the beginning and these: neither axes nor what is null or no number */
    CHECK_INT(count_records(bytes, length, &whole), 2 + (int)(sizeof tags / sizeof tags[0]));
    free(bytes);
}

TEST(rows_without_step_or_time_are_refused) {
    lu_error error;
    lu_tensorboard *writer = lu_tensorboard_open(folder_of("refused"), -1, &error);
    NEED(writer);
    CHECK_INT(add_row(writer, false, "{\"written\":\"2025-01-31T12:34:56Z\"}", &error),
              LU_BAD_DATA);
    CHECK_HAS(error.text, "env_steps");
    CHECK_INT(add_row(writer, false, "{\"env_steps\":1,\"written\":\"yesterday\"}", &error),
              LU_BAD_DATA);
    CHECK_HAS(error.text, "yesterday");
    CHECK_INT(
        add_row(writer, true, "{\"env_steps\":1,\"written\":\"2025-01-31T12:34:56Z\"}", &error),
        LU_BAD_DATA);
    CHECK_HAS(error.text, "metric");
    CHECK_INT(lu_tensorboard_close(writer, &error), LU_OK);
}
