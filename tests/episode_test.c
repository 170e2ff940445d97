/* Opening games on the probes: from objects and texts, with options, refused ones. */
#include "ludus/episode.h"

#include "probes/duet/duet.h"
#include "test.h"

TEST(an_episode_from_texts_is_that_from_objects) {
    lu_error error = {0};
    lu_episode text, object;
    const lu_game *game = lu_game_find("duet-v1", &error);
    lu_settings *settings = lu_game_settings(game), *options = lu_game_options(game);
    CHECK_INT(lu_settings_set(settings, "rounds", "7", LU_FROM_FLAG, "test", &error), LU_OK);
    CHECK_INT(lu_settings_set(options, "lead", "3", LU_FROM_FLAG, "test", &error), LU_OK);
    CHECK_INT(lu_episode_open(&object, game, settings, options, &error), LU_OK);
    CHECK_INT(lu_episode_open_text(&text, "duet", "{\"rounds\":7}", "{\"lead\":3}", &error), LU_OK);
    CHECK(text.game == game);
    CHECK_TEXT(text.settings_json, "{\"rounds\":7}");
    CHECK_TEXT(text.settings_json, object.settings_json);
    CHECK_TEXT(text.options_json, object.options_json);
    CHECK(text.rules->hash == object.rules->hash);
    lu_episode_reset(&text, 5);
    lu_episode_reset(&object, 5);
    CHECK(lu_env_hash(text.env) == lu_env_hash(object.env));
    const int32_t actions[LU_MAX_SEATS * LU_MAX_HEADS] = {0};
    lu_episode_step(&text, actions);
    CHECK_INT(text.env->decisions, 1);
    CHECK(lu_env_hash(text.env) != lu_env_hash(object.env));
    lu_episode_close(&text);
    lu_episode_close(&object);
}

TEST(without_options_a_reset_gets_none) {
    lu_error error = {0};
    lu_episode e;
    CHECK_INT(lu_episode_open_text(&e, "duet", NULL, NULL, &error), LU_OK);
    CHECK(!e.options && !e.option_settings);
    CHECK_TEXT(e.settings_json, "{}");
    CHECK_TEXT(e.options_json, "");
    lu_episode_close(&e);
    CHECK(!e.env && !e.rules);
}

TEST(options_change_for_later_resets) {
    lu_error error = {0};
    lu_episode e;
    CHECK_INT(lu_episode_open_text(&e, "duet", "", "{\"lead\":3}", &error), LU_OK);
    lu_settings *options = lu_game_options(e.game);
    CHECK_INT(lu_settings_set(options, "lead", "-4", LU_FROM_FLAG, "test", &error), LU_OK);
    CHECK_INT(lu_episode_set_options(&e, options, &error), LU_OK);
    CHECK_TEXT(e.options_json, "{\"lead\":-4}");
    CHECK_INT(((const duet_options *)e.options)->lead, -4);
    CHECK_INT(lu_episode_set_options(&e, NULL, &error), LU_OK);
    CHECK(!e.options);
    lu_episode_close(&e);
}

TEST(what_is_refused_leaves_nothing_open) {
    static const struct {
        const char *game, *settings, *options, *says;
    } bad[] = {
        {"due", NULL, NULL, "'due'"},
        {"duet", "{\"round\":7}", NULL, "round"},
        {"duet", "{\"rounds\":-1}", NULL, "rounds"},
        {"duet", "[]", NULL, "object"},
        {"duet", NULL, "{\"led\":1}", "led"},
        {"chain", NULL, "{\"lead\":1}", "lead"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        lu_error error = {0};
        lu_episode e;
        CHECK(lu_episode_open_text(&e, bad[i].game, bad[i].settings, bad[i].options, &error));
        CHECK(error.status != LU_OK && strstr(error.text, bad[i].says));
        CHECK(!e.env && !e.settings);
        CHECK(lu_episode_open_text(&e, bad[i].game, bad[i].settings, bad[i].options, NULL));
    }
}
