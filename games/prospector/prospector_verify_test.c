/* Tests of the verify tool: the recorded episodes pass, every altered one fails with its first
 * difference named, within the tolerances of the format, and what is no trace is refused. */
#include "prospector.h"
#include "tool_said.h"

#include "ludus/file.h"

#include <stdlib.h>

extern const lu_tool lu_tool_prospector_verify;

static lu_status verify(const char *name, const char *text, size_t length, lu_error *error) {
    lu_tool_input input = {name, text, length};
    lu_tool_io io = {.inputs = &input, .input_count = 1, .emit = said_add};
    said[0] = '\0';
    return lu_tool_prospector_verify.run(&io, error);
}

static const char *const vector_names[] = {"01_greedy_miner", "02_cautious_scanner",
                                           "03_market_timer", "04_long_mixed"};

static char *read_vector(int index, size_t *length) {
    char path[128];
    char *text = NULL;
    lu_error error;
    snprintf(path, sizeof path, "games/prospector/vectors/%s.jsonl.gz", vector_names[index]);
    if (lu_file_read(lu_test_source(path), (size_t)1 << 26, &text, length, &error) != LU_OK) {
        lu_test_fail(__FILE__, __LINE__, "%s", error.text);
    }
    return text;
}

TEST(vectors_pass) {
    for (int k = 0; k < 4; k++) {
        size_t length;
        lu_error error = {LU_OK, ""};
        char *text = read_vector(k, &length);
        NEED(text);
        CHECK_INT(verify(vector_names[k], text, length, &error), LU_OK);
        CHECK_HAS(said, "\"max_obs_error\":0,");
        CHECK_HAS(said, "\"first_mismatch\":null");
        CHECK_HAS(said, "{\"passed\":1,\"failed\":0}");
        CHECK_TEXT(error.text, "");
        free(text);
    }
}

/* A copy of `text` in which the first `old` from line `line` on is `new`; NULL if it is not there.
 */
static char *altered(const char *text, int line, const char *old, const char *new) {
    const char *at = text;
    for (; line > 1 && at; line--) {
        at = strchr(at, '\n');
        at = at ? at + 1 : NULL;
    }
    at = at ? strstr(at, old) : NULL;
    if (!at) {
        return NULL;
    }
    size_t room = strlen(text) + strlen(new) + 1, before = (size_t)(at - text);
    char *copy = malloc(room);
    snprintf(copy, room, "%.*s%s%s", (int)before, text, new, at + strlen(old));
    return copy;
}

typedef struct alteration {
    int line;
    const char *old, *new;
    const char *want; /* in what the tool says; NULL: nothing differs */
} alteration;

static void check_alterations(int vector, const alteration *rows, size_t count) {
    size_t length;
    char *text = read_vector(vector, &length);
    NEED(text);
    for (size_t k = 0; k < count; k++) {
        lu_error error = {LU_OK, ""};
        char *copy = altered(text, rows[k].line, rows[k].old, rows[k].new);
        if (!copy) {
            lu_test_fail(__FILE__, __LINE__, "row %zu: no %s", k, rows[k].old);
            continue;
        }
        lu_status status = verify("x", copy, strlen(copy), &error);
        CHECK_INT(status, rows[k].want ? LU_CHECK_FAILED : LU_OK);
        CHECK_HAS(said, rows[k].want ? rows[k].want : "\"first_mismatch\":null");
        CHECK_HAS(said, rows[k].want ? "\"ok\":false" : "\"ok\":true");
        free(copy);
    }
    free(text);
}

#define CHECK_ALTERATIONS(vector, rows)                                                            \
    check_alterations(vector, rows, sizeof(rows) / sizeof *(rows))

TEST(verify_names_the_first_difference) {
    static const alteration rows[] = {
        {3, "\"dt\":1", "\"dt\":2", "\"at\":\"steps/1/dt\",\"want\":2,\"got\":1"},
        {3, "\"dt\":1", "\"dt\":2", "\"world\":{\"node_count\":16,\"asteroid_1_0\":{\"richness\":"},
        {3, "\"ra\":21", "\"ra\":22", "\"at\":\"steps/1/ra\",\"want\":22,\"got\":21"},
        {2, "\"mask\":\"1", "\"mask\":\"0", "\"at\":\"steps/0/mask\""},
        {104, "9ff\",\"rng", "9fe\",\"rng", "\"at\":\"steps/102/mask\""},
        {5, "\"te\":0", "\"te\":1", "\"at\":\"steps/3/te\""},
        {104, "\"te\":1", "\"te\":0", "\"at\":\"steps/102/te\""},
        {5, "\"tr\":0", "\"tr\":1", "\"at\":\"steps/3/tr\""},
        {5, "\"inv\":0", "\"inv\":1", "\"at\":\"steps/3/inv\""},
        {5, "4811\",\"m\"", "4812\",\"m\"", "\"at\":\"steps/3/rng\""},
        {3, "\"a\":21", "\"a\":20", "\"at\":\"steps/1/a\",\"want\":20,\"got\":21"},
        {1, "\"node_count\": 16", "\"node_count\": 17", "\"at\":\"world/node_count\""},
        {1, "\"edge_fuel\": [[80", "\"edge_fuel\": [[81", "world/edge_fuel/0/0"},
        {1, "\"reset_obs\": [1,1", "\"reset_obs\": [1,0", "\"at\":\"reset_obs/1\""},
        {1, "8c64310aca157f50", "8c64310aca157f51", "\"at\":\"rng_after_reset\""},
    };
    CHECK_ALTERATIONS(0, rows);
}

/* What the header says of the whole episode. */
TEST(verify_holds_the_header_against_the_steps) {
    static const alteration rows[] = {
        {1, "\"obs_dim\": 260", "\"obs_dim\": 261", "\"at\":\"obs_dim\",\"want\":261,\"got\":260"},
        {1, "\"n_actions\": 69", "\"n_actions\": 68", "\"at\":\"n_actions\""},
        {1, "\"steps\": 103", "\"steps\": 102", "\"at\":\"steps\",\"want\":102,\"got\":103"},
        {1, "\"steps\": 103", "\"steps\": 104", "\"at\":\"steps\""},
        {1, "\"ticks\": 103", "\"ticks\": 104", "\"at\":\"ticks\",\"want\":104,\"got\":103"},
        {1, "-164.568052638008", "-164.567", "\"at\":\"return_total\""},
        {1, "-164.568052638008", "-164.56805", NULL}, /* 1e-6 of 164 */
        {1, "\"invalid\": 0", "\"invalid\": 1", "\"at\":\"invalid\""},
        {1, "\"out_of_range\": 0", "\"out_of_range\": 2", "\"at\":\"out_of_range\""},
        {1, "\"distinct_actions\": 18", "\"distinct_actions\": 17", "\"at\":\"distinct_actions\""},
        {1, "\"end\": \"destroyed+stranded\"", "\"end\": \"destroyed\"",
         "\"at\":\"end\",\"want\":\"destroyed\",\"got\":\"destroyed+stranded\""},
        {1, "\"end\": \"destroyed+stranded\"", "\"end\": \"cash_out\"", "\"at\":\"end\""},
    };
    static const alteration mixed[] = {
        {1, "\"invalid\": 23", "\"invalid\": 22", "\"at\":\"invalid\",\"want\":22,\"got\":23"},
        {1, "\"out_of_range\": 14", "\"out_of_range\": 13", "\"at\":\"out_of_range\""},
        {1, "\"distinct_actions\": 60", "\"distinct_actions\": 69", "\"at\":\"distinct_actions\""},
        {1, "\"end\": \"truncated\"", "\"end\": \"stranded\"", "\"at\":\"end\""},
    };
    CHECK_ALTERATIONS(0, rows);
    CHECK_ALTERATIONS(3, mixed);
}

/* Two seeds, a foreign format and totals that are no numbers: no trace at all. */
TEST(verify_refuses_headers_that_make_no_sense) {
    static const struct {
        const char *old, *new, *want;
    } rows[] = {
        {"\"seed\": 4146", "\"seed\": 4147", "\"seed\" and \"seed_hex\" are two different"},
        {"\"seed\": 4146", "\"seed\": \"x\"", "seed"},
        {"prospector-trace", "cartpole-trace", "\"format\" must be \"prospector-trace\""},
        {"\"format\": \"prospector-trace\"", "\"format\": 1", "format"},
        {"\"version\": 1", "\"version\": 2", "version"},
        {"\"obs_dim\": 260", "\"obs_dim\": \"260\"", "obs_dim"},
        {"\"n_actions\": 69", "\"n_actions\": 6.5", "n_actions"},
        {"\"ticks\": 103", "\"ticks\": -1", "ticks"},
        {"\"invalid\": 0", "\"invalid\": true", "invalid"},
        {"-164.568052638008", "\"much\"", "return_total"},
        {"\"end\": \"destroyed+stranded\"", "\"end\": 3", "end"},
    };
    size_t length;
    char *text = read_vector(0, &length);
    NEED(text);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        lu_error error = {LU_OK, ""};
        char *copy = altered(text, 1, rows[k].old, rows[k].new);
        NEED(copy);
        CHECK_INT(verify("f.jsonl", copy, strlen(copy), &error), LU_BAD_DATA);
        CHECK_HAS(error.text, "f.jsonl, line 1");
        CHECK_HAS(error.text, rows[k].want);
        free(copy);
    }
    free(text);
}

/* Observations and rewards: 1e-6, relative above 1. Figures: 1e-6 of their value. */
TEST(verify_keeps_the_tolerances) {
    static const alteration rows[] = {
        {2, "[0.91951066,", "[0.9195115,", NULL},
        {2, "[0.91951066,", "[0.919512,", "\"at\":\"steps/0/o/0\""},
        {2, "0.0010113051,", "0.0010121,", NULL}, /* small ones too: 1e-6 absolute */
        {2, "0.0010113051,", "0.0010125,", "/o/2\""},
        {2, "-0.10335334034452763", "-0.1033525", NULL},
        {2, "-0.10335334034452763", "-0.1033521", "/r\""},
        {104, "-150.41183820870467", "-150.4117", NULL}, /* 1e-6 of 150 */
        {104, "-150.41183820870467", "-150.4116", "/r\""},
        {2, "80.48931121826172", "80.48938", NULL},
        {2, "80.48931121826172", "80.48940", "/fuel_used\""},
        {4, "0.0029385801156361895", "0.0029385829", NULL},
        {4, "0.0029385801156361895", "0.0029385841", "/cargo_utilization_avg\""},
        {4, "\"m\":[0,0,0,1,0,", "\"m\":[0,0,0,1,1,", "/overheat_ticks\""},
        {4, "\"m\":[0,0,", "\"m\":[0,1e-8,", "/net_profit\""},
        {4, "\"m\":[0,0,", "\"m\":[0,1e-12,", NULL}, /* a sum that cancels */
        {2, "[0.91951066,", "[1e300,", "/o/0\",\"want\":null"},
    };
    CHECK_ALTERATIONS(0, rows);
}

TEST(verify_needs_no_more_than_the_format) {
    static const alteration rows[] = {
        {1, "\"seed_hex\": \"0000000000001032\",", "", NULL},
        {1, "\"note\": \"ends destroyed and stranded in the same step\",", "", NULL},
        {1, "\"world\": {", "\"other\": {", NULL},
        {1, "\"policy\": \"greedy_miner\",", "", NULL},
        /* another's policy may bear the name of a bot of ours: its choices are not compared */
        {1, "\"policy\": \"greedy_miner\"", "\"policy\": \"random\"", NULL},
        {1, "\"policy\": \"greedy_miner\"", "\"policy\": \"pilot\"", NULL},
        {1, "\"policy\": \"greedy_miner\"", "\"policy\": \"cash_out\"", NULL},
        {1, "\"policy\": \"greedy_miner\"", "\"policy\": \"ace\"", NULL},
        {1, "\"policy\": \"greedy_miner\"", "\"policy\": \"cautious_scanner\"", "/a\""},
        {1, "\"policy\": \"greedy_miner\"", "\"policy\": null", NULL},
        {1, "\"end\": \"destroyed+stranded\"", "\"end\": null", NULL},
        {1, "\"invalid\": 0", "\"invalid\": null", NULL},
        {1, "\"world\": {", "\"world\": null, \"other\": {", NULL},
        {1, "\n", "\n \t\r\n", NULL},
        /* flags as JSON has them */
        {5, "\"te\":0,\"tr\":0,\"inv\":0", "\"te\":false,\"tr\":false,\"inv\":false", NULL},
        {104, "\"te\":1", "\"te\":true", NULL},
        {104, "\"te\":1", "\"te\":false", "\"at\":\"steps/102/te\""},
        {5, "\"inv\":0", "\"inv\":true", "\"at\":\"steps/3/inv\""},
    };
    static const alteration far_actions[] = {
        {1, "\"a\":1000,", "\"a\":2147483648,", NULL},
        {1, "\"a\":1000,", "\"a\":4294967302,", NULL}, /* a hold if it were cut to 32 bits */
        {1, "\"a\":1000,", "\"a\":-9223372036854775808,", NULL},
    };
    CHECK_ALTERATIONS(0, rows);
    CHECK_ALTERATIONS(3, far_actions);
}

/* The first `steps` steps of a vector as a recording that stops there; the totals are left out. */
static char *stopped(int vector, int steps, const char *end) {
    size_t length, room;
    char *text = read_vector(vector, &length), *at = text;
    for (int line = 0; line <= steps && at; line++) {
        at = strchr(at, '\n');
        at = at ? at + 1 : NULL;
    }
    char *cut = text ? strstr(text, "\"steps\": ") : NULL;
    char *rest = cut ? strstr(cut, "\"reset_obs\"") : NULL;
    if (!at || !rest) {
        free(text);
        return NULL;
    }
    *at = *cut = '\0';
    room = length + 200;
    char *copy = malloc(room);
    snprintf(copy, room, "%s\"steps\": %d, \"end\": \"%s\", %s", text, steps, end, rest);
    free(text);
    return copy;
}

/* A recording may stop before the end of the episode, under any word but the end it did not have.
 */
TEST(verify_takes_recordings_that_stop) {
    static const struct {
        const char *end;
        lu_status want;
    } rows[] = {{"truncated", LU_OK},
                {"running", LU_OK},
                {"step limit", LU_OK},
                {"destroyed", LU_CHECK_FAILED},
                {"stranded", LU_CHECK_FAILED}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        lu_error error = {LU_OK, ""};
        char *text = stopped(3, 40, rows[k].end);
        NEED(text);
        CHECK_INT(verify("x", text, strlen(text), &error), rows[k].want);
        CHECK_HAS(said, "\"steps\":40,");
        CHECK_HAS(said, rows[k].want == LU_OK ? "\"first_mismatch\":null" : "\"at\":\"end\"");
        free(text);
    }
}

/* Different actions: with or without the hold that stands in for an action out of range. The 474th
 * step of the long vector is the first of those, and no hold was sent before. */
TEST(verify_counts_actions_either_way) {
    for (int count = 50; count <= 53; count++) {
        char key[64];
        lu_error error = {LU_OK, ""};
        char *text = stopped(3, 474, "running");
        NEED(text);
        snprintf(key, sizeof key, "\"distinct_actions\": %d, \"steps\": ", count);
        char *copy = altered(text, 1, "\"steps\": ", key);
        NEED(copy);
        verify("x", copy, strlen(copy), &error);
        CHECK_HAS(said, count == 51 || count == 52 ? "\"ok\":true" : "\"at\":\"distinct_actions\"");
        free(copy);
        free(text);
    }
}

/* Seeds up to 2^64 - 1 as plain numbers. */
TEST(verify_takes_every_seed) {
    static const char *const seeds[] = {"0", "9223372036854775808", "18446744073709551615"};
    for (int k = 0; k < 3; k++) {
        char text[200];
        lu_error error = {LU_OK, ""};
        snprintf(text, sizeof text,
                 "{\"time_max\":7.5,\"seed\":%s,\"metrics\":[],\"steps\":0,"
                 "\"rng_after_reset\":\"0123456789abcdef\",\"reset_obs\":[]}",
                 seeds[k]);
        /* the seed was taken: only the observation is missing */
        CHECK_INT(verify("f.jsonl", text, strlen(text), &error), LU_BAD_DATA);
        CHECK_HAS(error.text, "\"reset_obs\" must be an array of 260");
    }
}

TEST(verify_refuses_what_is_no_trace) {
    static const struct {
        const char *text, *want;
    } rows[] = {
        {"", "f.jsonl, line 1: "},
        {"\n\n", "f.jsonl, line 1: "},
        {"{", "f.jsonl, line 1: "},
        {"[1]", "the header must be an object"},
        {"{\"time_max\":0}", "time_max"},
        {"{\"time_max\":1e9}", "time_max"},
        {"{\"time_max\":\"x\"}", "time_max"},
        {"{\"time_max\":5}", "seed"},
        {"{\"time_max\":5,\"seed\":18446744073709551616}", "seed"},
        {"{\"time_max\":5,\"seed\":-1}", "seed"},
        {"{\"time_max\":5,\"seed_hex\":\"12\"}", "\"seed_hex\" must be 16 hex digits"},
        {"{\"time_max\":5,\"seed\":1,\"metrics\":[\"nonsense\"]}", "metrics"},
        {"{\"time_max\":5,\"seed\":1,\"metrics\":[]}", "rng_after_reset"},
        {"{\"time_max\":5,\"seed\":1,\"metrics\":[],\"rng_after_reset\":\"0123456789abcdef\","
         "\"steps\":0,\"world\":{\"node_count\":10}}",
         "node_type"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        lu_error error = {LU_OK, ""};
        CHECK_INT(verify("f.jsonl", rows[k].text, strlen(rows[k].text), &error), LU_BAD_DATA);
        CHECK_HAS(error.text, rows[k].want);
        CHECK_HAS(error.text, "f.jsonl, line 1");
    }
    /* cut off anywhere: a sentence, never a crash and never a pass */
    size_t length;
    char *text = read_vector(1, &length);
    NEED(text);
    for (size_t cut = 0; cut < length - 2; cut += 1 + length / 97) {
        lu_error error = {LU_OK, ""};
        CHECK_INT(verify("f.jsonl", text, cut, &error), LU_BAD_DATA);
        CHECK_HAS(error.text, "f.jsonl, line ");
    }
    free(text);
    lu_error error;
    lu_tool_io io = {.input_count = 0, .emit = said_add};
    CHECK_INT(lu_tool_prospector_verify.run(&io, &error), LU_USAGE);
}
