/* The reader of requests: what it takes, what it refuses, and that it is total. */
#include "http.h"

#include "ludus/rng.h"

#include "test.h"

#include <stdlib.h>

#define HOST "Host: localhost\r\n"

static http_reading read_text(const char *text, size_t length, http_request *r, int *status) {
    size_t used = 0;
    const char *reason = NULL;
    *status = 0;
    http_reading reading = request_read(r, text, length, &used, status, &reason);
    CHECK(reading != HTTP_READY || used <= length);
    CHECK(reading != HTTP_BAD || (*status >= 400 && *status < 600 && reason && *reason));
    return reading;
}

/* Status that a text is refused with; 0: it is taken, -1: more is wanted. */
static int verdict(const char *text) {
    http_request r;
    int status;
    http_reading reading = read_text(text, strlen(text), &r, &status);
    request_free(&r);
    return reading == HTTP_BAD ? status : reading == HTTP_MORE ? -1 : 0;
}

TEST(a_request_is_taken_apart) {
    http_request r;
    int status;
    const char *text = "POST /api/v1/a%20b//c?x=1&y=a%26b+c&z&&=q HTTP/1.1\r\n" HOST
                       "content-LENGTH:  12 \r\nConnection: keep-alive, Close\r\nX: y\r\n\r\nrest";
    NEED(read_text(text, strlen(text), &r, &status) == HTTP_READY);
    CHECK(r.method == HTTP_POST && r.length == 12 && !r.keep && !r.upgrade);
    CHECK(strcmp(r.path, "/api/v1/a b//c") == 0 && r.segments == 5);
    CHECK(strcmp(r.segment[2], "a b") == 0 && strcmp(r.segment[3], "") == 0);
    CHECK(r.parameters == 4);
    CHECK(strcmp(request_parameter(&r, "y"), "a&b c") == 0);
    CHECK(strcmp(request_parameter(&r, "z"), "") == 0 && !request_parameter(&r, "absent"));
    CHECK(strcmp(r.field[FIELD_HOST], "localhost") == 0 && !r.field[FIELD_ORIGIN]);
    request_free(&r);
}

TEST(paths_are_decoded_once_and_slashes_stay_apart) {
    static const struct {
        const char *target, *path;
    } cases[] = {
        {"/", "/"},
        {"/..", "/.."},
        {"/%2e%2e/x", "/../x"},
        {"/%252e", "/%2e"},
        {"/a%2fb", ""},
        {"/a%5cb", ""},
        {"/a\\b", ""},
        {"/1/2/3/4/5/6/7/8/9/a/b/c/d", ""},
        {"/%c3%a4", "/\xc3\xa4"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[300];
        int status;
        http_request r;
        snprintf(text, sizeof text, "GET %s HTTP/1.1\r\n" HOST "\r\n", cases[i].target);
        NEED(read_text(text, strlen(text), &r, &status) == HTTP_READY);
        CHECK(strcmp(r.path, cases[i].path) == 0);
        request_free(&r);
    }
}

TEST(what_is_no_request_is_refused) {
    static const struct {
        const char *text;
        int status;
    } cases[] = {
        {"GET / HTTP/1.1\r\n" HOST "\r\n", 0},
        {"GET / HTTP/1.0\r\n" HOST "\r\n", 0},
        {"GET / HTTP/1.1\r\n" HOST, -1},
        {"", -1},
        {"GET / HTTP/1.1\r", -1},
        {"GET / HTTP/1.1\n", 400},
        {"\nGET", 400},
        {"GET / HTTP/1.1\r\rX", 400},
        {"GET / HTTP/1.1\r\n\r\n", 400},
        {"GET /%g0 HTTP/1.1\r\n" HOST "\r\n", 400},
        {"GET /%0a HTTP/1.1\r\n" HOST "\r\n", 400},
        {"GET /?%7f HTTP/1.1\r\n" HOST "\r\n", 400},
        {"GET x HTTP/1.1\r\n" HOST "\r\n", 400},
        {" / HTTP/1.1\r\n" HOST "\r\n", 400},
        {"GET / HTTP/1.2\r\n" HOST "\r\n", 505},
        {"GET / HTTP/1.1\r\n" HOST HOST "\r\n", 400},
        {"GET / HTTP/1.1\r\n" HOST "A : b\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\n" HOST " a: b\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\n" HOST ": b\r\n\r\n", 400},
        {"PUT / HTTP/1.1\r\n" HOST "Content-Length: 67108865\r\n\r\n", 413},
        {"PUT / HTTP/1.1\r\n" HOST "Content-Length: 65536\r\n\r\n", 0},
        {"PUT / HTTP/1.1\r\n" HOST "Content-Length: 18446744073709551617\r\n\r\n", 413},
        {"PUT / HTTP/1.1\r\n" HOST "Content-Length: +1\r\n\r\n", 400},
        {"PUT / HTTP/1.1\r\n" HOST "Content-Length:\r\n\r\n", 400},
        {"PUT / HTTP/1.1\r\n" HOST "Transfer-Encoding: gzip\r\n\r\n", 411},
        {"PUT / HTTP/1.1\r\n" HOST "Transfer-Encoding: x\r\nContent-Length: 1\r\n\r\n", 400},
        {"PUT / HTTP/1.1\r\n" HOST "Expect: 200-ok\r\n\r\n", 417},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int got = verdict(cases[i].text);
        if (got != cases[i].status) {
            lu_test_fail(__FILE__, __LINE__, "%d in place of %d: %s", got, cases[i].status,
                         cases[i].text);
        }
    }
}

TEST(a_head_has_an_end) {
    static char text[HTTP_HEAD_MOST + 10];
    memset(text, 'a', sizeof text);
    http_request r;
    int status;
    CHECK(read_text(text, HTTP_HEAD_MOST - 1, &r, &status) == HTTP_MORE);
    CHECK(read_text(text, HTTP_HEAD_MOST, &r, &status) == HTTP_BAD && status == 431);
    request_free(&r);
}

TEST(the_reader_is_total) {
    static const char *const words[] = {"GET ", "/",  " HTTP/1.1", "\r\n", "\r\n\r\n", "Host: a",
                                        "%",    "%4", "?",         "&=",   ":",        "\t",
                                        "\x80", "a",  HOST,        "#",    "Range: x", "\r"};
    lu_rng rng = lu_rng_from(7);
    for (int round = 0; round < 20000; round++) {
        char text[400] = "";
        size_t length = 0;
        for (uint32_t n = lu_rng_below(&rng, 14); n > 0; n--) {
            const char *word = words[lu_rng_below(&rng, sizeof words / sizeof *words)];
            memcpy(text + length, word, strlen(word));
            length += strlen(word);
        }
        http_request r;
        int status;
        (void)read_text(text, length, &r, &status);
        request_free(&r);
    }
}

TEST(depth_of_json_is_bounded) {
    CHECK(json_is_flat("[[[]]]", 6));
    CHECK(json_is_flat("\"[[[[[[[[[[[[[[[[[[[[[[[[[[\"", 28));
    CHECK(json_is_flat("\"\\\"[[[[[[[[[[[[[[[[[[[[[[[[[", 27));
    CHECK(!json_is_flat("[[[[[[[[[[[[[[[[[", 17));
    CHECK(!json_is_flat("\"\\\\\"[[[[[[[[[[[[[[[[[", 21));
    CHECK(json_is_flat("[[[[[[[[[[[[[[[[]]]]", 20));
}

TEST(tags_match_by_list) {
    CHECK(tag_matches("\"a\"", "\"a\"") && tag_matches(" \"x\" , \"a\" ", "\"a\""));
    CHECK(tag_matches("W/\"a\"", "\"a\"") && tag_matches("*", "\"a\""));
    CHECK(!tag_matches("\"ab\"", "\"a\"") && !tag_matches("", "\"a\"") &&
          !tag_matches(NULL, "\"a\""));
}
