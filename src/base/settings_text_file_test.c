/* Files as values of settings, and other names of settings. */
#include "ludus/file.h"
#include "ludus/settings.h"
#include "test.h"

#include <stdlib.h>
#include <unistd.h>

static const lu_setting rows[] = {
    {"prices", LU_FILE, "", 0, 100, NULL, "Prices.", false},
    {"data.packs", LU_FILE, "", 0, 0, NULL, "Further packs.", true},
    {"dqn.buffer", LU_INT, "200", 1, 1e9, NULL, "Steps that are kept.", false},
    {"dqn.replay", LU_ALIAS, "dqn.buffer", 0, 0, NULL, "Another name of dqn.buffer.", false},
    {"fast", LU_BOOL, "false", 0, 0, NULL, "Skips drawing.", false},
    {"quick", LU_ALIAS, "fast", 0, 0, NULL, "Another name of fast.", false},
};
static const lu_table table = {"test", rows, sizeof rows / sizeof rows[0]};

static lu_settings *make(void) {
    lu_settings *s = lu_settings_new();
    lu_settings_add(s, table);
    return s;
}

static lu_status from_json(lu_settings *s, const char *text, lu_error *error) {
    return lu_settings_text(s, "json", "a.json", text, strlen(text), LU_FROM_FILE, error);
}

/* The text of a file setting; "(unset)" without one. */
static const char *text_in(const lu_settings *s, const char *key, size_t index) {
    const lu_file_text *file = lu_settings_file_of(s, key, index);
    return file ? file->text : "(unset)";
}

/* A file in a folder of its own; the path is good until the next call. */
static const char *write_file(const char *name, const char *text, size_t length) {
    static char path[300], folder[200];
    if (!folder[0]) {
        snprintf(folder, sizeof folder, "%s/ludus-file-XXXXXX",
                 getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
        CHECK(mkdtemp(folder) != NULL);
    }
    snprintf(path, sizeof path, "%s/%s", folder, name);
    CHECK_INT(lu_file_write(path, text, length, NULL), LU_OK);
    return path;
}

TEST(file_is_a_text_where_no_path_is_read) {
    lu_settings *s = make();
    lu_error error = {0};
    CHECK(lu_settings_file_of(s, "prices", 0) == NULL);
    CHECK_INT(from_json(s, "{\"prices\":{\"name\":\"p.json\",\"text\":\"chaos 1\\n\"}}", &error),
              LU_OK);
    const lu_file_text *file = lu_settings_file_of(s, "prices", 0);
    CHECK_TEXT(text_in(s, "prices", 0), "chaos 1\n");
    if (file) {
        CHECK_TEXT(file->name, "p.json");
        CHECK_INT(file->length, 8);
        CHECK_TEXT(file->hash, "e817dd7328a05c82");
    }
    /* what is kept is name and hash; a text never */
    char *kept = lu_settings_json(s);
    CHECK_TEXT(kept, "{\"prices\":{\"hash\":\"e817dd7328a05c82\",\"name\":\"p.json\"}}");
    /* a copy has the text too, and needs no file for it */
    lu_settings *copy = lu_settings_copy(s);
    CHECK_TEXT(text_in(copy, "prices", 0), "chaos 1\n");
    lu_settings_delete(copy);
    lu_settings_delete(s);
    free(kept);
}

TEST(file_is_the_json_that_it_holds) {
    lu_settings *s = make();
    lu_error error = {0};
    CHECK_INT(from_json(s, "{\"prices\":{\"name\":\"mine\",\"chaos_orb\":[8, 1]}}", &error), LU_OK);
    CHECK_TEXT(text_in(s, "prices", 0), "{\"name\":\"mine\",\"chaos_orb\":[8,1]}");
    CHECK_TEXT(lu_settings_file_of(s, "prices", 0)->name, "prices");
    lu_settings_delete(s);
}

TEST(file_refusals_name_the_file) {
    static const struct {
        const char *json, *says;
    } cases[] = {
        {"{\"prices\":\"/etc/passwd\"}",
         "'prices' needs the text of the file '/etc/passwd', since no path is read here: pass it "
         "as {\"name\",\"text\"} (from a.json:1)"},
        {"{\"prices\":{\"name\":\"p.json\",\"hash\":\"0123456789abcdef\"}}",
         "'prices' needs the text of the file 'p.json', since no path is read here: pass it as "
         "{\"name\",\"text\"} (from a.json:1)"},
        {"{\"prices\":{\"name\":\"p\",\"text\":\"x\",\"hash\":\"0123456789abcdef\"}}",
         "has changed"},
        {"{\"prices\":{\"text\":\"p\"}}", "takes a file as {\"name\",\"text\"}"},
        {"{\"prices\":{\"name\":\"\",\"text\":\"x\"}}", "the name of a file has 1 to 1024 bytes"},
        {"{\"prices\":{\"name\":\"p\",\"text\":1}}", "takes a file as"},
        {"{\"prices\":{\"name\":\"p\",\"text\":\"x\",\"more\":1}}", "takes a file as"},
        {"{\"prices\":[1]}", "takes one value, not a list"},
        {"{\"prices\":7}", "needs the text of the file '7'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lu_settings *s = make();
        lu_error error = {0};
        CHECK(from_json(s, cases[i].json, &error) != LU_OK);
        CHECK(lu_settings_file_of(s, "prices", 0) == NULL);
        CHECK_HAS(error.text, cases[i].says);
        lu_settings_delete(s);
    }
    /* longer than the row allows */
    lu_settings *s = make();
    lu_error error = {0};
    char text[300];
    snprintf(text, sizeof text, "{\"prices\":{\"name\":\"p\",\"text\":\"%0101d\"}}", 0);
    CHECK_INT(from_json(s, text, &error), LU_BAD_VALUE);
    CHECK_TEXT(error.text, "'prices': the file 'p' has 101 bytes, more than 100 (from a.json:1)");
    lu_settings_delete(s);
}

TEST(file_that_may_be_new) {
    static const lu_setting kept[] = {{"kept", LU_FILE, "", 0, 100, "new", "Kept.", false}};
    lu_settings *s = lu_settings_new();
    lu_error error = {0};
    lu_settings_add(s, (lu_table){"test", kept, 1});
    lu_settings_read_files(s);
    const char *path = write_file("new.txt", "old", 3);
    CHECK_INT(lu_settings_set(s, "kept", path, LU_FROM_FILE, "a.ini", &error), LU_OK);
    CHECK_TEXT(text_in(s, "kept", 0), "old");
    remove(path);
    CHECK_INT(lu_settings_set(s, "kept", path, LU_FROM_FLAG, "--kept", &error), LU_OK);
    CHECK_TEXT(text_in(s, "kept", 0), "");
    CHECK_TEXT(lu_settings_file_of(s, "kept", 0)->name, path);
    lu_settings_delete(s);
}

TEST(file_by_its_path) {
    lu_settings *s = make();
    lu_error error = {0};
    lu_settings_read_files(s);
    const char *path = write_file("p.txt", "gold 5", 6);
    CHECK_INT(lu_settings_set(s, "prices", path, LU_FROM_FLAG, "--prices", &error), LU_OK);
    CHECK_TEXT(text_in(s, "prices", 0), "gold 5");
    char *kept = lu_settings_json(s);
    CHECK_HAS(kept, path);
    /* who opens what was kept finds the file again */
    lu_settings *other = make();
    lu_settings_read_files(other);
    CHECK_INT(from_json(other, kept, &error), LU_OK);
    CHECK_TEXT(text_in(other, "prices", 0), "gold 5");
    lu_settings_delete(other);
    /* unless it has changed */
    write_file("p.txt", "gold 6", 6);
    other = make();
    lu_settings_read_files(other);
    CHECK_INT(from_json(other, kept, &error), LU_BAD_VALUE);
    CHECK_HAS(error.text, "has changed");
    CHECK_HAS(error.text, path);
    /* or is gone */
    unlink(path);
    CHECK(from_json(other, kept, &error) != LU_OK);
    CHECK_HAS(error.text, "'prices' needs the file");
    CHECK_HAS(error.text, path);
    lu_settings_delete(other);
    /* no text, and too long */
    CHECK(lu_settings_set(s, "prices", write_file("b", "\xff\0a", 3), LU_FROM_FLAG, "--prices",
                          &error) != LU_OK);
    CHECK_HAS(error.text, "isn't UTF-8 text");
    char large[101];
    memset(large, 'a', sizeof large);
    CHECK_INT(lu_settings_set(s, "prices", write_file("l", large, sizeof large), LU_FROM_FLAG,
                              "--prices", &error),
              LU_LIMIT);
    CHECK_TEXT(text_in(s, "prices", 0), "gold 5"); /* as it was */
    free(kept);
    lu_settings_delete(s);
}

TEST(files_of_a_repeatable_row) {
    lu_settings *s = make();
    lu_error error = {0};
    const char *text = "{\"data\":{\"packs\":[{\"name\":\"a\",\"text\":\"1\"},"
                       "{\"name\":\"b\",\"text\":\"2\"}]}}";
    CHECK_INT(from_json(s, text, &error), LU_OK);
    CHECK_INT(lu_settings_count(s, "data.packs"), 2);
    CHECK_TEXT(text_in(s, "data.packs", 0), "1");
    CHECK_TEXT(text_in(s, "data.packs", 1), "2");
    CHECK(lu_settings_file_of(s, "data.packs", 2) == NULL);
    lu_settings_delete(s);
}

TEST(schema_of_files_and_aliases) {
    lu_settings *s = make();
    char *schema = lu_settings_schema(s, "test");
    CHECK_HAS(schema, "\"prices\":{\"type\":[\"object\",\"null\"],\"properties\":{\"name\":");
    CHECK_HAS(schema, "\"maxLength\":100}},\"required\":[\"name\",\"text\"]");
    CHECK_HAS(schema, "\"x-type\":\"integer\",\"x-aliases\":[\"dqn.replay\"]");
    CHECK(!strstr(schema, "\"dqn.replay\":"));
    free(schema);
    char *page = lu_settings_markdown(table);
    CHECK_HAS(page, "| `dqn.replay` | alias | `dqn.buffer` |");
    free(page);
    CHECK_INT(lu_settings_rows(s), 4);
    CHECK_INT(lu_settings_aliases(s), 2);
    CHECK_TEXT(lu_settings_alias(s, 1)->initial, "fast");
    lu_settings_delete(s);
}

TEST(alias_sets_its_setting) {
    lu_settings *s = make();
    lu_error error = {0};
    char *variables[] = {(char *)"LUDUS_DQN_REPLAY=7", NULL};
    CHECK_INT(from_json(s, "{\"dqn\":{\"replay\":5}}", &error), LU_OK);
    CHECK_INT(lu_settings_int(s, "dqn.buffer"), 5);
    CHECK_INT(lu_settings_variables(s, variables, true, &error), LU_OK);
    CHECK_INT(lu_settings_int(s, "dqn.buffer"), 7);
    lu_settings *copy = lu_settings_copy(s);
    CHECK_INT(lu_settings_int(copy, "dqn.replay"), 7);
    CHECK_INT(lu_settings_set(copy, "dqn.replay", "8", LU_FROM_FLAG, "--dqn.replay", &error),
              LU_OK);
    char *kept = lu_settings_json(copy);
    CHECK_TEXT(kept, "{\"dqn.buffer\":8}"); /* what is written has the key */
    free(kept);
    CHECK_INT(lu_settings_set(copy, "dqn.buffer", "9", LU_FROM_FLAG, "--dqn.buffer", &error),
              LU_USAGE);
    CHECK_TEXT(
        error.text,
        "'dqn.buffer' is given under two names, by --dqn.replay and by --dqn.buffer; keep one");
    CHECK_INT(lu_settings_int(copy, "dqn.buffer"), 8);
    lu_settings_delete(copy);
    lu_settings_delete(s);
}

TEST(alias_beside_its_key) {
    lu_settings *s = make();
    lu_error error = {0};
    char *variables[] = {(char *)"LUDUS_DQN_REPLAY=7", (char *)"LUDUS_DQN_BUFFER=8", NULL};
    CHECK_INT(from_json(s, "{\"dqn.replay\":5,\n\"dqn.buffer\":6}", &error), LU_BAD_DATA);
    CHECK_TEXT(error.text, "a.json:2: 'dqn.buffer' is given twice, first in line 1; keep one");
    CHECK_INT(lu_settings_variables(s, variables, true, &error), LU_BAD_DATA);
    CHECK_TEXT(error.text,
               "LUDUS_DQN_BUFFER sets 'dqn.buffer', which another variable already sets; keep one");
    CHECK_INT(lu_settings_int(s, "dqn.buffer"), 200);
    lu_settings_delete(s);
}

TEST(words_of_a_command_line) {
    lu_settings *s = make();
    CHECK_TEXT(lu_settings_key(s, "dqn.buffer"), "dqn.buffer");
    CHECK_TEXT(lu_settings_key(s, "dqn-buffer"), "dqn.buffer");
    CHECK_TEXT(lu_settings_key(s, "dqn_buffer"), "dqn.buffer");
    CHECK_TEXT(lu_settings_key(s, "dqn-replay"), "dqn.replay");
    CHECK_TEXT(lu_settings_key(s, "data_packs"), "data.packs");
    CHECK(lu_settings_key(s, "dqnbuffer") == NULL);
    CHECK_TEXT(lu_settings_nearest(s, "dqn.replai"), "dqn.replay");
    CHECK(lu_settings_key(s, "dqn.buffers") == NULL);
    CHECK(lu_settings_key(s, "") == NULL);
    CHECK(lu_same_key("a.b-c", "a_b.c") && !lu_same_key("a", "a_") && !lu_same_key("a_", "a"));
    lu_settings_delete(s);
}
