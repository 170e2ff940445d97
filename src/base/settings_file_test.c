/* Settings files: INI, YAML and JSON, their errors with file and line, and hostile ones. */
#include "ludus/settings.h"
#include "test.h"

#include <stdlib.h>
#include <sys/stat.h>

static const lu_setting rows[] = {
    {"seed", LU_INT, "0", 0, 0, NULL, "Seed.", false},
    {"rate", LU_REAL, "1", 0, 10, NULL, "Rate.", false},
    {"reward.mode", LU_ENUM, "profit", 0, 0, "profit|reference", "Mode.", false},
    {"reward.scale", LU_REAL, "1", 0, 0, NULL, "Scale.", false},
    {"reward.term", LU_TEXT, "", 0, 0, NULL, "Terms.", true},
    {"note", LU_TEXT, "", 0, 70000, NULL, "Note.", false},
    {"cards", LU_TEXT, "", 0, 0, "json", "Cards.", false},
    {"names", LU_TEXT, "", 0, 0, "commas", "Names.", false},
    {"list", LU_LIST, "", 0, 0, NULL, "List.", false},
    {"lists", LU_LIST, "", 0, 0, NULL, "Lists.", true},
    {"data", LU_JSON, "", 0, 0, NULL, "Data.", false},
    {"datas", LU_JSON, "", 0, 0, NULL, "Several data.", true},
    {"lr", LU_SCHEDULE, "0.1", 0, 1, NULL, "Schedule.", false},
    {"on", LU_BOOL, "false", 0, 0, NULL, "Switch.", false},
};
static const lu_table table = {"test", rows, sizeof rows / sizeof rows[0]};

static lu_settings *make(void) {
    lu_settings *s = lu_settings_new();
    lu_settings_add(s, table);
    return s;
}

static lu_status read_text(lu_settings *s, const char *kind, const char *text, lu_error *error) {
    char name[16];
    snprintf(name, sizeof name, "run.%s", kind);
    return lu_settings_text(s, kind, name, text, strlen(text), LU_FROM_FILE, error);
}

/* Reads the text and compares all values with this canonical JSON. */
static void gives(const char *kind, const char *text, const char *json) {
    lu_settings *s = make();
    lu_error error = {0};
    if (read_text(s, kind, text, &error) != LU_OK) {
        lu_test_fail(__FILE__, __LINE__, "%s: %s", text, error.text);
    }
    char *got = lu_settings_json(s);
    CHECK_TEXT(got, json);
    free(got);
    lu_settings_delete(s);
}

/* The text is refused with this in the sentence, and nothing has changed. */
static void refused(const char *kind, const char *text, lu_status status, const char *says) {
    lu_settings *s = make();
    lu_error error = {0};
    lu_status got = read_text(s, kind, text, &error);
    if (got != status) {
        lu_test_fail(__FILE__, __LINE__, "%s: %s, not %s", text, lu_status_name(got),
                     lu_status_name(status));
    }
    CHECK_INT(error.status, status);
    CHECK_HAS(error.text, says);
    CHECK_INT(read_text(s, kind, text, NULL), status);
    char *json = lu_settings_json(s);
    CHECK_TEXT(json, "{}");
    free(json);
    for (size_t i = 0; i < lu_settings_rows(s); i++) {
        CHECK_INT(lu_settings_origin(s, lu_settings_row(s, i, NULL)->key), LU_FROM_DEFAULT);
    }
    lu_settings_delete(s);
}

/* ---- INI ---- */

TEST(ini_reads) {
    gives("ini", "", "{}");
    gives("ini", "\n\n; only\n# comments\n   ; indented\n", "{}");
    gives("ini", "seed = 5 ; inline\nrate: 2.5", "{\"rate\":2.5,\"seed\":5}");
    gives("ini", "\xEF\xBB\xBFseed=1\r\nrate = 2\r\n", "{\"rate\":2,\"seed\":1}");
    gives("ini", "[reward]\n  mode = reference\n\tscale=3\n[]\nseed=4\n",
          "{\"reward.mode\":\"reference\",\"reward.scale\":3,\"seed\":4}");
    gives("ini", "[reward] ; about it\nmode=reference ;x\n", "{\"reward.mode\":\"reference\"}");
    gives("ini", "reward.mode = reference\n", "{\"reward.mode\":\"reference\"}");
    gives("ini", "[reward]\nterm = a;b # c\nterm = second ;third\n",
          "{\"reward.term\":[\"a;b # c\",\"second\"]}");
    gives("ini", "data = {\"a\": [1, 2]}\nlist = 1,2\nlists = 1,2\nlists = 3\n",
          "{\"data\":{\"a\":[1,2]},\"list\":[1,2],\"lists\":[[1,2],[3]]}");
    gives("ini", "note = a = b : c\nlr = linear(1, 0)\non = yes\n",
          "{\"lr\":\"linear(1,0)\",\"note\":\"a = b : c\",\"on\":true}");
    gives("ini", "note = ; nothing\ndata =\n", "{}");
}

TEST(ini_refuses) {
    refused("ini", "seed = 1\n\nrewrad.mode = profit\n", LU_UNKNOWN_KEY,
            "unknown setting 'rewrad.mode' in run.ini:3; did you mean 'reward.mode'?");
    refused("ini", "[rewrad]\nmode = profit\n", LU_UNKNOWN_KEY,
            "unknown setting 'rewrad.mode' in run.ini:2; did you mean 'reward.mode'?");
    refused("ini", "seed = 1\nrate = 11\n", LU_BAD_VALUE,
            "'rate' = 11 is above the largest allowed value 10 (from run.ini:2)");
    refused("ini", "seed = 1\nrate = 2\nseed = 3\n", LU_BAD_DATA,
            "run.ini:3: 'seed' is given twice, first in line 1; keep one");
    refused("ini", "seed = 1\n[reward\nmode = profit\n", LU_BAD_DATA,
            "run.ini:2: a section without its ']'");
    refused("ini", "seed = 1\n[reward] mode = profit\n", LU_BAD_DATA,
            "run.ini:2: text after the ']' of a section");
    refused("ini", "[a ;b]\nseed = 1\n", LU_BAD_DATA, "run.ini:1: not a line of an INI file");
    refused("ini", "seed = 1\njust words\n", LU_BAD_DATA, "run.ini:2: expected key = value");
    refused("ini", "seed = 1\nwords ; with = comment\n", LU_BAD_DATA, "run.ini:2: expected key");
    refused("ini", "seed = 1\n= 5\n", LU_BAD_DATA, "run.ini:2: a value without a key");
    refused("ini", "seed =\n", LU_BAD_VALUE, "'seed' = '' is not an integer");
}

TEST(ini_has_no_continuation_lines) {
    refused("ini", "note = first\n  second\n", LU_BAD_DATA,
            "run.ini:2: expected key = value; a value may not continue on a second line");
    /* an indented pair is a pair, not text of the key above */
    gives("ini", "note = first\n  seed = 2\n", "{\"note\":\"first\",\"seed\":2}");
    gives("ini", "[reward]\nterm = a\n    term = b\n", "{\"reward.term\":[\"a\",\"b\"]}");
}

static char *long_text(const char *before, size_t bytes, char fill, const char *after) {
    size_t head = strlen(before), tail = strlen(after);
    char *text = malloc(head + bytes + tail + 1);
    memcpy(text, before, head);
    memset(text + head, fill, bytes);
    memcpy(text + head + bytes, after, tail + 1);
    return text;
}

TEST(ini_lines_of_any_length) {
    for (size_t bytes = 150; bytes <= 66000; bytes += bytes < 250 ? 1 : 5923) {
        lu_settings *s = make();
        lu_error error = {0};
        char *text = long_text("seed = 3\n  note \t=  ", bytes, 'x', "  ; comment\nrate = 2\n");
        CHECK_INT(read_text(s, "ini", text, &error), LU_OK);
        CHECK_TEXT(error.text, "");
        CHECK_INT(strlen(lu_settings_text_of(s, "note")), bytes);
        CHECK_INT(lu_settings_int(s, "seed"), 3);
        CHECK(lu_settings_real(s, "rate") == 2);
        CHECK_TEXT(lu_settings_where(s, "rate"), "run.ini:3");
        free(text);
        lu_settings_delete(s);
    }
    /* long comments, long blanks, and what is beyond the limit of the row */
    char *text = long_text(";", 5000, 'c', "\nseed = 1\n");
    gives("ini", text, "{\"seed\":1}");
    free(text);
    text = long_text("seed = 1 ; ", 5000, 'c', "\n");
    gives("ini", text, "{\"seed\":1}");
    free(text);
    text = long_text("", 5000, ' ', "seed = 1\n");
    gives("ini", text, "{\"seed\":1}");
    free(text);
    text = long_text("[reward] ; ", 5000, 'c', "\nscale = 2\n");
    gives("ini", text, "{\"reward.scale\":2}");
    free(text);
    text = long_text("seed = 1\nnote = ", 70001, 'x', "\n");
    refused("ini", text, LU_BAD_VALUE,
            "'note' has 70001 bytes, more than the allowed 70000 (from run.ini:2)");
    free(text);
    text = long_text("list = ", 70000, '1', "\n");
    refused("ini", text, LU_BAD_VALUE, "'list' is longer than 64 KiB (from run.ini:1)");
    free(text);
    text = long_text("seed = 1\n", 300, 'k', " = 1\n");
    refused("ini", text, LU_BAD_DATA, "run.ini:2: a key longer than 49 bytes");
    free(text);
    text = long_text("[", 50, 's', "]\nseed = 1\n");
    refused("ini", text, LU_BAD_DATA, "run.ini:1: a section name longer than 49 bytes");
    free(text);
}

/* ---- YAML ---- */

TEST(yaml_reads) {
    gives("yml", "", "{}");
    gives("yml", "# nothing\n", "{}");
    gives("yml", "seed: {value: 4, type: constant}\n", "{\"seed\":4}");
    gives("yml", "names: [a, 'b c', 3]\n", "{\"names\":\"a,b c,3\"}");
    gives("yml", "---\n...\n", "{}");
    gives("yml", "\xEF\xBB\xBFseed: 1\n", "{\"seed\":1}");
    gives("yml", "\xEF\xBB\xBF", "{}");
    gives("yml", "seed: 5 # comment\nrate: 2.5\n", "{\"rate\":2.5,\"seed\":5}");
    gives("yml", "reward:\n  mode: reference\n  scale: 3\n",
          "{\"reward.mode\":\"reference\",\"reward.scale\":3}");
    gives("yml", "reward.mode: reference\nreward:\n", "{\"reward.mode\":\"reference\"}");
    gives("yml", "reward: {term: [a, 'b c', \"d\"]}\nlist: [1, 2.5]\nlists: [[1, 2], \"3,4\"]\n",
          "{\"list\":[1,2.5],\"lists\":[[1,2],[3,4]],\"reward.term\":[\"a\",\"b c\",\"d\"]}");
    gives("yml", "reward:\n  term: single\nlist: []\n", "{\"reward.term\":[\"single\"]}");
    gives("yml", "data:\n  a: [1, true, null, '1', text, 1e3, 0x10]\n  b: {c: }\n",
          "{\"data\":{\"a\":[1,true,null,\"1\",\"text\",1000,\"0x10\"],\"b\":{\"c\":null}}}");
    gives("yml", "datas: [1, {a: 2}]\n", "{\"datas\":[1,{\"a\":2}]}");
    gives("yml", "on: yes\nlr: linear(1, 0)\nnote: |\n  two\n  lines\n",
          "{\"lr\":\"linear(1,0)\",\"note\":\"two\\nlines\\n\",\"on\":true}");
    gives("yml", "note: ~\ndata: ~\n", "{}"); /* JSON null counts as unset */
    gives("yaml", "%YAML 1.1\n---\nseed: 1\n", "{\"seed\":1}");
}

TEST(yaml_refuses) {
    refused("yml", "seed: 1\nrewrad:\n  mode: profit\n", LU_UNKNOWN_KEY,
            "unknown setting 'rewrad.mode' in run.yml:3; did you mean 'reward.mode'?");
    refused("yml", "seed: 1\nrate: 11\n", LU_BAD_VALUE, "(from run.yml:2)");
    refused("yml", "seed: 1\nrate: *x\n", LU_BAD_DATA, "run.yml:2: an alias (*name)");
    refused("yml", "seed: 1\nrate: &x 2\n", LU_BAD_DATA, "run.yml:2: an anchor (&name)");
    refused("yml", "reward: &x {scale: 2}\n", LU_BAD_DATA, "run.yml:1: an anchor");
    refused("yml", "list: &x [1]\n", LU_BAD_DATA, "an anchor");
    refused("yml", "&x seed: 1\n", LU_BAD_DATA, "an anchor");
    refused("yml", "*x : 1\n", LU_BAD_DATA, "an alias");
    refused("yml", "seed: !!int 1\n", LU_BAD_DATA, "run.yml:1: a tag (!name)");
    refused("yml", "data: !x {a: 1}\n", LU_BAD_DATA, "a tag");
    refused("yml", "list: !x [1]\n", LU_BAD_DATA, "a tag");
    refused("yml", "%TAG ! x:\n---\nseed: 1\n", LU_BAD_DATA, "a %TAG directive");
    refused("yml", "seed: 1\n---\nrate: 2\n", LU_BAD_DATA, "a second document");
    refused("yml", "? [a, b]\n: 1\n", LU_BAD_DATA, "run.yml:1: a key that is not a plain word");
    refused("yml", "seed: 1\nseed: 2\n", LU_BAD_DATA,
            "run.yml:2: 'seed' is given twice, first in line 1; keep one");
    refused("yml", "reward.scale: 1\nreward:\n  scale: 2\n", LU_BAD_DATA, "given twice");
    refused("yml", "reward.term: a\nreward: {term: [b]}\n", LU_BAD_DATA, "given twice");
    refused("yml", "data: {a: 1, a: 2}\n", LU_BAD_VALUE, "the key a appears twice");
    refused("yml", "- seed\n", LU_BAD_DATA, "expected keys with values at the top");
    refused("yml", "seed\n", LU_BAD_DATA, "expected keys with values at the top");
    refused("yml", "seed: 1\n rate: 2\n", LU_BAD_DATA, "run.yml:2: not YAML: ");
    refused("yml", "seed: [1\n", LU_BAD_DATA, "not YAML: ");
    refused("yml", "\tseed: 1\n", LU_BAD_DATA, "run.yml:1: not YAML: ");
    refused("yml", "seed: [1, 2]\n", LU_BAD_DATA, "run.yml:1: 'seed' takes one value, not a list");
    refused("yml", "note: [a]\n", LU_BAD_DATA, "'note' takes one value, not a list");
    refused("yml", "names: {a: 1}\n", LU_BAD_DATA, "'names' takes one value, not a map");
    refused("yml", "names: [a, [b]]\n", LU_BAD_DATA, "takes single values in its list");
    refused("yml", "seed: {type: expression, expression: t}\n", LU_BAD_VALUE,
            "'seed' = u holds for the whole run: give one number (from run.yml:1)");
    refused("yml", "seed: {a: 1}\n", LU_BAD_DATA, "'seed' takes one value, not a map");
    refused("yml", "list: [1, [2]]\n", LU_BAD_DATA,
            "'list' takes single values in its list, not a list");
    refused("yml", "reward.term: [a, '']\n", LU_BAD_DATA,
            "'reward.term' takes values in its list, not an empty text");
    refused("yml", "lists: [1, ]\nreward.term: [~]\n", LU_BAD_DATA,
            "run.yml:2: 'reward.term' takes values in its list, not null");
    refused("yml", "foo: {}\n", LU_UNKNOWN_KEY, "unknown setting 'foo' in run.yml:1");
    refused("yml", "foo:\n", LU_UNKNOWN_KEY, "unknown setting 'foo' in run.yml:1");
    refused("yml", "seed:\n", LU_BAD_VALUE, "'seed' = '' is not an integer");
    refused("yml", "note: \"a\\0b\"\n", LU_BAD_DATA, "run.yml:1: a NUL character");
    refused("yml", "note: \"\x07\"\n", LU_BAD_DATA, "not YAML: control characters");
}

TEST(yaml_limits_depth) {
    char text[400] = "data: ";
    memset(text + 6, '[', 100);
    memset(text + 106, ']', 100);
    text[206] = '\0';
    refused("yml", text, LU_BAD_DATA, "nested deeper than 64 levels");
    memset(text + 6, '[', 40);
    memset(text + 46, ']', 40);
    text[86] = '\0';
    refused("yml", text, LU_BAD_DATA, "nested deeper than 32 levels");
    char *hostile = long_text("data: ", 1 << 20, '[', "");
    refused("yml", hostile, LU_BAD_DATA, "nested deeper");
    free(hostile);
}

TEST(yaml_long_values) {
    char *text = long_text("seed: 3\nnote: ", 65536, 'x', "\nrate: 2\n");
    lu_settings *s = make();
    CHECK_INT(read_text(s, "yml", text, NULL), LU_OK);
    CHECK_INT(strlen(lu_settings_text_of(s, "note")), 65536);
    lu_settings_delete(s);
    free(text);
}

/* ---- JSON ---- */

TEST(json_reads) {
    gives("json", "{}", "{}");
    gives("json", "\xEF\xBB\xBF{\"seed\": 1}", "{\"seed\":1}");
    refused("json", "\xEF\xBB\xBF\xEF\xBB\xBF{}", LU_BAD_DATA, "run.json:1:1: ");
    refused("json", "\xEF\xBB\xBF", LU_BAD_DATA, "run.json:1:1: ");
    gives("json", "{\"seed\": 9007199254740993, \"rate\": \"2.5\", \"on\": true}",
          "{\"on\":true,\"rate\":2.5,\"seed\":9007199254740993}");
    gives("json", "{\"reward\": {\"mode\": \"reference\", \"term\": [\"a\", \"b\"]}}",
          "{\"reward.mode\":\"reference\",\"reward.term\":[\"a\",\"b\"]}");
    gives("json", "{\"data\": {\"b\": 1, \"a\": [\"x\", 1.50]}, \"list\": [1, 2]}",
          "{\"data\":{\"a\":[\"x\",1.5],\"b\":1},\"list\":[1,2]}");
    gives("json", "{\"note\": 18446744073709551615, \"lr\": 0.5, \"data\": \"text\"}",
          "{\"data\":\"text\",\"lr\":0.5,\"note\":\"18446744073709551615\"}");
    gives("json", "{\"reward\": {}, \"reward.term\": [], \"lists\": [[1,2],[3]]}",
          "{\"lists\":[[1,2],[3]]}");
    gives("json", "{\"cards\": {\"Pair\": [1, \"KH\"]}}",
          "{\"cards\":\"{\\\"Pair\\\":[1,\\\"KH\\\"]}\"}");
    gives("yml", "cards: [KH, [10S]]\n", "{\"cards\":\"[\\\"KH\\\",[\\\"10S\\\"]]\"}");
    gives("yml", "cards: [KH, 10S]\n", "{\"cards\":\"[\\\"KH\\\",\\\"10S\\\"]\"}");
}

TEST(json_refuses) {
    refused("json", "", LU_BAD_DATA, "run.json:1:1: ");
    refused("json", "{\"seed\": 1,}", LU_BAD_DATA, "run.json:1:12: expected a key");
    refused("json", "[1]", LU_BAD_DATA, "run.json:1: expected a JSON object");
    refused("json", "null", LU_BAD_DATA, "run.json:1: expected a JSON object");
    refused("json", "{\"rate\": 1,\n\"sed\": 2}", LU_UNKNOWN_KEY,
            "unknown setting 'sed' in run.json:2; did you mean 'seed'?");
    refused("json", "{\"seed\": 1, \"rate\":\n 11}", LU_BAD_VALUE, "(from run.json:2)");
    refused("json", "{\"seed\": 1, \"seed\": 2}", LU_BAD_DATA, "the key seed appears twice");
    refused("json", "{\"reward.scale\": 1, \"reward\": {\"scale\": 2}}", LU_BAD_DATA,
            "'reward.scale' is given twice");
    refused("json", "{\"seed\": [1]}", LU_BAD_DATA, "'seed' takes one value, not a list");
    refused("json", "{\"seed\": null}", LU_BAD_VALUE, "'seed' = ''");
    refused("json", "{\"note\": \"a\\u0000b\"}", LU_BAD_DATA, "run.json:1: \\u0000 in a text");
    refused("json", "{\"list\": [1, \"x\"]}", LU_BAD_VALUE, "'list[1]' = x is not a number");
    refused("json", "{\"list\": [1, null]}", LU_BAD_DATA,
            "takes single values in its list, not null");
}

/* ---- all kinds ---- */

TEST(what_no_kind_may_hold) {
    static const char *const kinds[] = {"ini", "yml", "json"};
    for (size_t i = 0; i < 3; i++) {
        lu_settings *s = make();
        lu_error error;
        CHECK_INT(
            lu_settings_text(s, kinds[i], "f", "seed: 1\nno\0te: 2", 16, LU_FROM_FILE, &error),
            LU_BAD_DATA);
        CHECK_TEXT(error.text, "f:2: a NUL byte; settings files are plain text");
        CHECK_INT(lu_settings_text(s, kinds[i], "f", "seed: 1\n\xFF", 9, LU_FROM_FILE, &error),
                  LU_BAD_DATA);
        CHECK_TEXT(error.text, "f:2: a byte that is not UTF-8; save the file as UTF-8");
        size_t bytes = (4 << 20) + 1;
        char *big = malloc(bytes);
        memset(big, ' ', bytes);
        CHECK_INT(lu_settings_text(s, kinds[i], "f", big, bytes, LU_FROM_FILE, &error), LU_LIMIT);
        CHECK_TEXT(error.text, "f: larger than 4 MiB, which no settings file needs");
        free(big);
        lu_settings_delete(s);
    }
    lu_settings *s = make();
    CHECK_INT(lu_settings_text(s, "toml", "f", "", 0, LU_FROM_FILE, NULL), LU_USAGE);
    lu_settings_delete(s);
}

static const char *write_file(const char *name, const char *text) {
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", lu_test_folder(), name);
    FILE *file = fopen(path, "wb");
    if (file) {
        fputs(text, file);
        fclose(file);
    }
    return path;
}

static const lu_setting names[] = {
    {"decay", LU_ALIAS, "rate", 0, 0, NULL, "Rate.", false},
    {"true_to_it", LU_ALIAS, "reward.mode", 0, 0, "reference|profit", "Mode by yes and no.", false},
};

TEST(files_may_name_settings_freely) {
    static const char *const sections[] = {"env", "ppo", "a_map", NULL};
    static const char text[] =
        "env: {seed: 3, reward-scale: 2}\naMap: {note: x}\nppo: {decay: 4, true-to-it: yes}\n"
        "on: true\nother: 5\nenv.deep: {unknown: 6}\n";
    lu_settings *s = make();
    lu_settings_add(s, (lu_table){"names", names, 2});
    lu_error error = {0};
    CHECK_INT(read_text(s, "yml", text, &error), LU_UNKNOWN_KEY);
    lu_settings_file_names(s, sections, false);
    CHECK_INT(read_text(s, "yml", text, &error), LU_UNKNOWN_KEY);
    CHECK_HAS(error.text, "'other'");
    lu_settings_file_names(s, sections, true);
    lu_settings *blank = lu_settings_blank(s);
    CHECK_INT(read_text(s, "yml", text, &error), LU_OK);
    char *got = lu_settings_json(s), *none = lu_settings_json(blank);
    CHECK_TEXT(
        got,
        "{\"note\":\"x\",\"on\":true,\"rate\":4,\"reward.mode\":\"reference\",\"reward.scale\":2,"
        "\"seed\":3}");
    CHECK_TEXT(none, "{}");
    CHECK_INT(read_text(blank, "yml", text, &error), LU_OK); /* it takes the same names */
    CHECK_INT(lu_settings_set(s, "true_to_it", "no", LU_FROM_FLAG, "--set", &error), LU_OK);
    CHECK_TEXT(lu_settings_text_of(s, "reward.mode"), "profit");
    CHECK_INT(lu_settings_set(s, "true_to_it", "never", LU_FROM_FLAG, "--set", &error),
              LU_BAD_VALUE);
    free(got);
    free(none);
    lu_settings_delete(s);
    lu_settings_delete(blank);
}

TEST(files_by_their_extension) {
    lu_settings *s = make();
    lu_error error = {0};
    CHECK_INT(lu_settings_file(s, write_file("a.ini", "seed = 1\n"), LU_FROM_FILE, &error), LU_OK);
    CHECK_INT(lu_settings_int(s, "seed"), 1);
    CHECK_HAS(lu_settings_where(s, "seed"), "a.ini:1");
    CHECK_INT(lu_settings_file(s, write_file("b.yaml", "seed: 2"), LU_FROM_FILE, &error), LU_OK);
    CHECK_INT(lu_settings_int(s, "seed"), 2);
    CHECK_INT(lu_settings_file(s, write_file("b.YML", "seed: 3"), LU_FROM_FILE, &error), LU_OK);
    CHECK_INT(lu_settings_file(s, write_file("c.json", "{\"seed\":4}"), LU_FROM_FILE, &error),
              LU_OK);
    CHECK_INT(lu_settings_int(s, "seed"), 4);
    CHECK_INT(lu_settings_file(s, write_file("d.toml", ""), LU_FROM_FILE, &error), LU_USAGE);
    CHECK_HAS(error.text, "use .ini, .yml, .yaml or .json");
    CHECK_INT(lu_settings_file(s, "x.ini/noext", LU_FROM_FILE, &error), LU_USAGE);
    CHECK_INT(lu_settings_file(s, "/nowhere/at/all.ini", LU_FROM_FILE, &error), LU_NOT_FOUND);
    CHECK_HAS(error.text, "no such file: /nowhere/at/all.ini");
    char folder[300];
    snprintf(folder, sizeof folder, "%s/folder.ini", lu_test_folder());
    CHECK_INT(mkdir(folder, 0777), 0);
    CHECK_INT(lu_settings_file(s, folder, LU_FROM_FILE, &error), LU_IO);
    CHECK_HAS(error.text, "is a folder, not a file");
    lu_settings_delete(s);
}

TEST(a_file_larger_than_a_block_is_read_whole) {
    char *text = long_text("seed = 9\n", 200000, '\n', "rate = 3\n");
    lu_settings *s = make();
    CHECK_INT(lu_settings_file(s, write_file("big.ini", text), LU_FROM_FILE, NULL), LU_OK);
    CHECK(lu_settings_real(s, "rate") == 3);
    free(text);
    text = long_text("seed = 9\n", 5 << 20, '\n', "");
    lu_error error;
    CHECK_INT(lu_settings_file(s, write_file("big.ini", text), LU_FROM_FILE, &error), LU_LIMIT);
    CHECK_HAS(error.text, "larger than the limit of 4194304 bytes");
    free(text);
    lu_settings_delete(s);
}

/* Preset, file, variable and flag, in every order of the calls. */
TEST(precedence_does_not_depend_on_the_order_of_calls) {
    for (int order = 0; order < 24; order++) {
        int left[4] = {0, 1, 2, 3}, code = order;
        lu_settings *s = make();
        for (int n = 4; n > 0; n--) {
            int pick = code % n, kind = left[pick];
            code /= n;
            left[pick] = left[n - 1];
            char *variables[] = {"LUDUS_RATE=3", "LUDUS_REWARD_SCALE=3", "LUDUS_SEED=3", NULL};
            const char *preset = "{\"rate\":1,\"reward.scale\":1,\"seed\":1,\"list\":[1]}";
            const char *file = "rate=2\nreward.scale=2\nseed=2\nnote=2\n";
            lu_status status =
                kind == 0
                    ? lu_settings_text(s, "json", "p", preset, strlen(preset), LU_FROM_PRESET, NULL)
                : kind == 1
                    ? lu_settings_text(s, "ini", "f", file, strlen(file), LU_FROM_FILE, NULL)
                : kind == 2 ? lu_settings_variables(s, variables, true, NULL)
                            : lu_settings_set(s, "rate", "4", LU_FROM_FLAG, "--rate", NULL);
            CHECK_INT(status, LU_OK);
        }
        char *json = lu_settings_json(s);
        CHECK_TEXT(json, "{\"list\":[1],\"note\":\"2\",\"rate\":4,\"reward.scale\":3,\"seed\":3}");
        CHECK_INT(lu_settings_origin(s, "list"), LU_FROM_PRESET);
        CHECK_INT(lu_settings_origin(s, "note"), LU_FROM_FILE);
        CHECK_INT(lu_settings_origin(s, "seed"), LU_FROM_VARIABLE);
        CHECK_INT(lu_settings_origin(s, "rate"), LU_FROM_FLAG);
        free(json);
        lu_settings_delete(s);
    }
}

TEST(a_file_with_an_error_at_its_end_changes_nothing) {
    lu_settings *s = make();
    CHECK_INT(read_text(s, "ini", "seed = 7\nreward.term = a\n", NULL), LU_OK);
    CHECK_INT(read_text(s, "ini", "seed = 8\nreward.term = b\nrate = 99\n", NULL), LU_BAD_VALUE);
    CHECK_INT(read_text(s, "yml", "seed: 8\nreward.term: b\nrate: 99\n", NULL), LU_BAD_VALUE);
    CHECK_INT(read_text(s, "json", "{\"seed\":8,\"reward.term\":\"b\",\"x\":1}", NULL),
              LU_UNKNOWN_KEY);
    CHECK_INT(lu_settings_int(s, "seed"), 7);
    CHECK_INT(lu_settings_count(s, "reward.term"), 1);
    /* a second good file adds to the repeatable row and replaces the other */
    CHECK_INT(read_text(s, "ini", "seed = 8\nreward.term = b\n", NULL), LU_OK);
    CHECK_INT(lu_settings_int(s, "seed"), 8);
    CHECK_INT(lu_settings_count(s, "reward.term"), 2);
    lu_settings_delete(s);
}
