/* What is special to the rules of corridor; the battery of `ludus conform` covers the rest. */
#include "corridor.h"
#include "test_episode.h"

TEST(walking_to_the_lamp_ends_the_episode) {
    lu_episode episode = test_episode("corridor", "");
    lu_env *env = episode.env;
    lu_env_reset(env, 1, NULL);
    corridor_state *s = env->state;
    s->position = 7;
    s->lamp = 8;
    int32_t right = CORRIDOR_RIGHT;
    lu_env_step(env, &right);
    CHECK(env->step.terminated && !env->step.truncated);
    CHECK_NEAR(env->reward[0], 0.99, 1e-12);
    lu_episode_close(&episode);
}

TEST(a_wall_is_illegal_and_stays) {
    lu_episode episode = test_episode("corridor", "");
    lu_env *env = episode.env;
    lu_env_reset(env, 1, NULL);
    corridor_state *s = env->state;
    s->position = 0;
    s->lamp = 8;
    int32_t left = CORRIDOR_LEFT;
    CHECK(strstr(env->game->why_not(env->rules, s, 0, 0, left), "ends here"));
    lu_env_step(env, &left);
    CHECK_INT(env->step.illegal, 1);
    CHECK_INT(s->position, 0);
    lu_episode_close(&episode);
}

TEST(the_limit_truncates) {
    lu_episode episode = test_episode("corridor", "");
    lu_env *env = episode.env;
    lu_env_reset(env, 5, NULL);
    int32_t stay = CORRIDOR_STAY;
    while (!env->over) {
        lu_env_step(env, &stay);
    }
    CHECK(env->step.truncated && !env->step.terminated);
    CHECK_INT(env->decisions, 50);
    lu_episode_close(&episode);
}

TEST(the_seeker_turns_back_after_a_step_of_another) {
    lu_episode episode = test_episode("corridor", "");
    lu_env *env = episode.env;
    const corridor_state *s = env->state;
    lu_seated_bot seeker;
    lu_seated_bot_init(&seeker, lu_game_bot(episode.game, "seeker"));
    for (uint64_t seed = 0; seed < 50; seed++) {
        int32_t asked, right = CORRIDOR_RIGHT;
        lu_env_reset(env, seed, NULL);
        lu_seated_bot_begin(&seeker, seed);
        if (s->lamp == 0 && env->mask[right]) {
            lu_seated_bot_act(&seeker, env, 0, &asked);
            lu_env_step(env, &right);
            lu_seated_bot_act(&seeker, env, 0, &asked);
            CHECK_INT(asked, CORRIDOR_LEFT);
        }
    }
    lu_seated_bot_free(&seeker);
    lu_episode_close(&episode);
}

TEST(the_seeker_always_finds_the_lamp) {
    lu_episode episode = test_episode("corridor", "");
    lu_env *env = episode.env;
    for (uint64_t seed = 0; seed < 200; seed++) {
        test_bot_plays(&episode, "seeker", seed);
        CHECK(env->step.terminated);
    }
    lu_episode_close(&episode);
}
