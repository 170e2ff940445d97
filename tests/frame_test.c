/* Frames as JSON on the probes: members that every seat has, what there is after a reset, replays.
 */
#include "ludus/frame.h"

#include "test.h"

#include <stdlib.h>

/* The members of a frame as an object, which is read back. */
static lu_json_document *frame_of(const lu_env *env, unsigned parts) {
    lu_error error = {0};
    lu_json json = LU_JSON_INIT;
    lu_json_object(&json);
    lu_frame_write(env, parts, NULL, &json);
    lu_json_object_end(&json);
    lu_json_document *document = lu_json_read("frame", json.text, json.length, &error);
    CHECK(document);
    lu_json_free(&json);
    return document;
}

static const unsigned all = (LU_FRAME_TO_MOVE << 1) - 1;
/* parts that have the key of another */
static const unsigned twice = LU_FRAME_HEADS | LU_FRAME_HIDDEN | LU_FRAME_SIGHTS;

TEST(a_member_of_every_seat_is_a_list_where_there_are_several) {
    static const char *const keys[] = {"reward", "terms", "mask", "obs", "legal"};
    static const char *const games[] = {"chain", "duet"};
    const int32_t actions[LU_MAX_SEATS * LU_MAX_HEADS] = {0};
    lu_error error = {0};
    for (int g = 0; g < 2; g++) {
        lu_episode e;
        NEED(lu_episode_open_text(&e, games[g], NULL, NULL, &error) == LU_OK);
        lu_episode_reset(&e, 1);
        lu_episode_step(&e, actions);
        lu_json_document *document = frame_of(e.env, all & ~twice);
        const lu_json_value *root = lu_json_root(document);
        const lu_json_value *terms = lu_json_get(root, "terms");
        CHECK_INT(e.game->seats, g + 1);
        CHECK_INT(lu_json_count(lu_json_get(root, "rewards")), (size_t)e.game->seats);
        CHECK_INT(lu_json_kind_of(terms), g ? LU_JSON_ARRAY : LU_JSON_OBJECT);
        CHECK_INT(lu_json_kind_of(lu_json_get(root, "events")), LU_JSON_ARRAY);
        CHECK_INT(lu_json_kind_of(lu_json_get(root, "state")), LU_JSON_OBJECT);
        for (size_t k = 0; g && k < sizeof keys / sizeof *keys; k++) {
            CHECK_INT(lu_json_count(lu_json_get(root, keys[k])), 2);
        }
        CHECK_INT(lu_json_count(g ? lu_json_at(terms, 1) : terms), (size_t)e.game->terms);
        lu_json_close(document);
        document = frame_of(e.env, LU_FRAME_HEADS | LU_FRAME_SIGHTS);
        root = lu_json_root(document);
        CHECK_INT(lu_json_kind_of(lu_json_get(root, "state")), g ? LU_JSON_ARRAY : LU_JSON_OBJECT);
        const lu_json_value *mask = lu_json_get(root, "mask");
        CHECK_INT(lu_json_count(g ? lu_json_at(mask, 1) : mask), (size_t)e.game->heads);
        lu_json_close(document);
        lu_episode_close(&e);
    }
}

TEST(after_a_reset_there_is_no_step_to_tell) {
    lu_error error = {0};
    const int32_t actions[LU_MAX_SEATS * LU_MAX_HEADS] = {0};
    for (int i = 0; i < lu_game_count(); i++) {
        lu_episode e;
        NEED(lu_episode_open(&e, lu_game_at(i), NULL, NULL, &error) == LU_OK);
        for (int again = 0; again < 2; again++) { /* the second has a step before it */
            lu_episode_reset(&e, 3);
            lu_json_document *document = frame_of(e.env, all & ~twice);
            const lu_json_value *root = lu_json_root(document);
            int64_t t = 0;
            const char *story = NULL;
            CHECK_INT(lu_json_get_int(root, "t", -1, 10, &t, &error), LU_OK);
            CHECK_INT(t, -1);
            CHECK_INT(lu_json_kind_of(lu_json_get(root, "action")), LU_JSON_NULL);
            CHECK_INT(lu_json_get_text(root, "story", &story, &error), LU_OK);
            CHECK_TEXT(story, "");
            CHECK_INT(lu_json_count(lu_json_get(root, "events")), 0);
            lu_json_close(document);
            lu_episode_step(&e, actions);
        }
        lu_episode_close(&e);
    }
}

TEST(the_story_of_a_game_without_stories_names_all_seats) {
    lu_error error = {0};
    lu_episode e;
    lu_text text = LU_TEXT_INIT;
    NEED(lu_episode_open_text(&e, "duet", NULL, NULL, &error) == LU_OK);
    lu_game quiet = *e.game;
    quiet.story = NULL;
    e.env->game = &quiet;
    lu_episode_reset(&e, 1);
    lu_episode_step(&e, (const int32_t[]){0, 2});
    lu_frame_story(e.env, &text);
    CHECK(strstr(text.text, " | "));
    lu_text_free(&text);
    e.env->game = e.game;
    lu_episode_close(&e);
}

TEST(a_frame_of_a_replay_has_its_thought_and_a_header_its_weights) {
    const lu_thought thoughts[2] = {[1] = {.known = true,
                                           .value = 0.5f,
                                           .top_count = 1,
                                           .top_action = {2},
                                           .top_probability = {0.25f}}};
    lu_error error = {0};
    lu_episode e;
    char *bytes;
    size_t length;
    lu_json json = LU_JSON_INIT;
    NEED(lu_episode_open_text(&e, "duet", NULL, NULL, &error) == LU_OK);
    lu_episode_reset(&e, 1);
    lu_recorder *recorder = lu_recorder_new(e.env, e.settings_json, e.options_json);
    lu_episode_step(&e, (const int32_t[]){2, 1});
    lu_recorder_step(recorder, e.env, thoughts);
    NEED(lu_recorder_finish(recorder, e.env, &bytes, &length, &error) == LU_OK);
    lu_replay *replay = lu_replay_read("test", bytes, length, &error);
    NEED(replay);
    lu_replay_write_frame(replay, e.env, LU_FRAME_STATE, &json);
    CHECK(
        strstr(json.text,
               "\"thought\":[null,{\"value\":0.5,\"entropy\":0,\"top\":[{\"action\":2,\"name\":"));
    CHECK(!strstr(json.text, "\"legal\""));
    lu_json_clear(&json);
    lu_episode_reset(&e, 1);
    lu_replay_write_frame(replay, e.env, LU_FRAME_STATE | LU_FRAME_LEGAL, &json);
    CHECK(!strstr(json.text, "\"thought\"") && strstr(json.text, "\"legal\":[["));
    lu_json_clear(&json);
    lu_replay_write_header(replay, "x.ludus", &json);
    CHECK(strstr(json.text, "\"file\":\"x.ludus\",\"game\":\"duet-v1\",\"seed\":1,\"settings\":{},"
                            "\"options\":{},\"weights\":{\"won\":"));
    lu_json_free(&json);
    lu_replay_close(replay);
    lu_recorder_delete(recorder);
    free(bytes);
    lu_episode_close(&e);
}
