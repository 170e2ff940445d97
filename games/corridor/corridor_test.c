/* What is special to the rules of corridor; the battery of `ludus conform` covers the rest. */
#include "ludus/env.h"

#include "corridor.h"
#include "test.h"

static lu_env *make(lu_settings **settings, lu_rules **rules) {
    lu_error error;
    const lu_game *game = lu_game_find("corridor", &error);
    *settings = lu_game_settings(game);
    *rules = lu_rules_new(game, *settings, &error);
    return lu_env_new(game, *rules);
}

static void drop(lu_env *env, lu_settings *settings, lu_rules *rules) {
    lu_env_delete(env);
    lu_rules_delete(rules);
    lu_settings_delete(settings);
}

TEST(walking_to_the_lamp_ends_the_episode) {
    lu_settings *settings;
    lu_rules *rules;
    lu_env *env = make(&settings, &rules);
    lu_env_reset(env, 1, NULL);
    corridor_state *s = env->state;
    s->position = 7;
    s->lamp = 8;
    int32_t right = CORRIDOR_RIGHT;
    lu_env_step(env, &right);
    CHECK(env->step.terminated && !env->step.truncated);
    CHECK_NEAR(env->reward[0], 0.99, 1e-12);
    drop(env, settings, rules);
}

TEST(a_wall_is_illegal_and_stays) {
    lu_settings *settings;
    lu_rules *rules;
    lu_env *env = make(&settings, &rules);
    lu_env_reset(env, 1, NULL);
    corridor_state *s = env->state;
    s->position = 0;
    s->lamp = 8;
    int32_t left = CORRIDOR_LEFT;
    lu_env_step(env, &left);
    CHECK_INT(env->step.illegal, 1);
    CHECK_INT(s->position, 0);
    drop(env, settings, rules);
}

TEST(the_limit_truncates) {
    lu_settings *settings;
    lu_rules *rules;
    lu_env *env = make(&settings, &rules);
    lu_env_reset(env, 5, NULL);
    int32_t stay = CORRIDOR_STAY;
    while (!env->over) {
        lu_env_step(env, &stay);
    }
    CHECK(env->step.truncated && !env->step.terminated);
    CHECK_INT(env->decisions, 50);
    drop(env, settings, rules);
}

TEST(the_seeker_always_finds_the_lamp) {
    lu_settings *settings;
    lu_rules *rules;
    lu_env *env = make(&settings, &rules);
    lu_driver driver;
    lu_driver_init(&driver, &corridor_bots[0]);
    for (uint64_t seed = 0; seed < 200; seed++) {
        lu_env_reset(env, seed, NULL);
        lu_driver_begin(&driver, seed);
        while (!env->over) {
            int32_t action;
            lu_driver_act(&driver, env, 0, &action);
            lu_env_step(env, &action);
        }
        CHECK(env->step.terminated);
    }
    lu_driver_free(&driver);
    drop(env, settings, rules);
}
