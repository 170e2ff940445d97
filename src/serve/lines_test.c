/* Lines: however bytes are cut, the same lines are heard and one answer comes for each, in order;
 * what is too long, too slow or without its token is told. */
#include "lines.h"

#include "test.h"

#include <string.h>

/* A service that tells back what it hears: at once, or at the end of a round. */
typedef struct echo {
    bool later;
    line_peer *owed[16];
    char text[16][64];
    int count;
} echo;

static void hear(void *user, line_peer *peer, char *line, size_t length) {
    echo *e = user;
    char text[64];
    snprintf(text, sizeof text, "<%.40s>%zu", line, length);
    if (e->later) {
        e->owed[e->count] = peer;
        memcpy(e->text[e->count++], text, sizeof text);
    } else {
        line_answer(peer, text, strlen(text));
    }
}

static void refuse(void *user, line_peer *peer, const line_wrong *wrong) {
    (void)user;
    line_answer(peer, wrong->code, strlen(wrong->code));
}

static void answer_all(void *user) {
    echo *e = user;
    for (int i = 0; i < e->count; i++) {
        line_answer(e->owed[i], e->text[i], strlen(e->text[i]));
    }
    e->count = 0;
}

static const line_service service = {
    .line_most = 20, .owed_most = 4, .hear = hear, .refuse = refuse, .round = answer_all};

static line_host host_of(echo *e) {
    return (line_host){.service = &service, .user = e, .request_seconds = 10, .idle_seconds = 60};
}

/* All that comes out. */
static void take_out(line_peer *p, lu_text *out) {
    size_t length;
    const char *bytes = line_bytes(p, &length);
    lu_text_add_n(out, bytes, length);
    line_sent(p, length, 0.0);
}

static void say(line_peer *p, const char *text, size_t piece) {
    size_t length = strlen(text);
    for (size_t at = 0; at < length; at += piece) {
        line_hear(p, text + at, piece < length - at ? piece : length - at, 0.0);
        line_feed(p, 0.0);
    }
}

TEST(lines_are_the_same_however_bytes_are_cut) {
    static const char text[] = "one\n\ntwo\r\n{\"three\":3}\nhalf";
    static const char wanted[] = "<one>3\n<>0\n<two\r>4\n<{\"three\":3}>11\n<half>4\n";
    for (size_t piece = 1; piece <= sizeof text; piece++) {
        echo e = {0};
        line_host host = host_of(&e);
        lu_text out = LU_TEXT_INIT;
        line_peer *p = line_peer_new(&host, 0.0);
        say(p, text, piece);
        CHECK(!line_done(p));
        line_ended(p);
        line_feed(p, 0.0);
        CHECK(!line_done(p)); /* answers are still to be sent */
        take_out(p, &out);
        CHECK(line_done(p));
        CHECK_TEXT(out.text, wanted);
        lu_text_free(&out);
        line_peer_delete(p);
        CHECK(host.held == 0 && !host.touched);
    }
}

TEST(no_more_is_heard_than_may_be_owed) {
    echo e = {.later = true};
    line_host host = host_of(&e);
    lu_text out = LU_TEXT_INIT;
    line_peer *p = line_peer_new(&host, 0.0);
    say(p, "1\n2\n3\n4\n5\n6\n", 100);
    CHECK_INT(e.count, 4);
    CHECK(line_room(p) == 0 && !line_ready(p) && line_owed(p));
    answer_all(&e);
    CHECK(line_room(p) > 0 && line_ready(p));
    line_feed(p, 0.0);
    CHECK_INT(e.count, 2);
    answer_all(&e);
    take_out(p, &out);
    CHECK_TEXT(out.text, "<1>1\n<2>1\n<3>1\n<4>1\n<5>1\n<6>1\n");
    lu_text_free(&out);
    line_peer_delete(p);
}

TEST(a_line_that_is_too_long_ends_its_connection) {
    static const char *const texts[] = {"fine\n123456789012345678901\nmore\n",
                                        "fine\n123456789012345678901"};
    for (int i = 0; i < 2; i++) {
        for (size_t piece = 1; piece < 40; piece++) {
            echo e = {0};
            line_host host = host_of(&e);
            lu_text out = LU_TEXT_INIT;
            line_peer *p = line_peer_new(&host, 0.0);
            say(p, texts[i], piece);
            take_out(p, &out);
            CHECK_TEXT(out.text, "<fine>4\ntoo-long\n");
            CHECK(line_done(p) && line_room(p) == 0);
            lu_text_free(&out);
            line_peer_delete(p);
        }
    }
}

TEST(who_takes_too_long_is_told) {
    echo e = {0};
    line_host host = host_of(&e);
    lu_text out = LU_TEXT_INIT;
    line_peer *half = line_peer_new(&host, 0.0), *idle = line_peer_new(&host, 0.0);
    line_hear(half, "ha", 2, 5.0);
    line_feed(half, 5.0);
    line_check(half, 14.0);
    line_check(idle, 14.0);
    CHECK(!line_done(half) && !line_done(idle));
    line_check(half, 16.0);
    line_check(idle, 16.0);
    take_out(half, &out);
    CHECK_TEXT(out.text, "timeout\n");
    CHECK(line_done(half) && !line_done(idle));
    lu_text_clear(&out);
    line_check(idle, 61.0);
    take_out(idle, &out);
    CHECK_TEXT(out.text, "idle\n");
    CHECK(line_done(idle));
    lu_text_free(&out);
    line_peer_delete(half);
    line_peer_delete(idle);
}

TEST(who_is_owed_an_answer_does_not_wait_for_ever) {
    echo e = {.later = true};
    line_host host = host_of(&e);
    line_peer *p = line_peer_new(&host, 0.0);
    say(p, "1\n", 2);
    line_check(p, 59.0);
    CHECK(!line_done(p));
    line_check(p, 61.0);
    CHECK(line_done(p));
    line_peer_delete(p);
}

TEST(a_token_comes_first) {
    echo e = {0};
    line_service large = service;
    line_host host = host_of(&e);
    lu_text out = LU_TEXT_INIT;
    large.line_most = 100;
    host.service = &large;
    host.token = "0123456789abcdef";
    line_peer *p = line_peer_new(&host, 0.0);
    say(p, "a\n{\"token\":\"wrong\"}\n{\"token\":\"0123456789abcdef\"}\na\n", 7);
    take_out(p, &out);
    CHECK_TEXT(out.text, "token\ntoken\n{\"token\":true}\n<a>1\n");
    lu_text_free(&out);
    line_peer_delete(p);
}
