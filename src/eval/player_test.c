/* Players: names, and crews in which every mix of players acts as each would alone. */
#include "ludus/episode.h"
#include "ludus/player.h"

#include "eval_test.h"
#include "test.h"

#include <stdlib.h>

/* A host that knows no model. */
static lu_status find_none(const void *context, const char *name, const lu_game *game,
                           lu_text *path, lu_error *error) {
    (void)context;
    (void)game;
    (void)path;
    return lu_fail(error, LU_NOT_FOUND, "no model '%s'", name);
}

/* A host whose only model is the file `context`. */
static lu_status find_one(const void *context, const char *name, const lu_game *game, lu_text *path,
                          lu_error *error) {
    (void)game;
    if (strcmp(name, "latest") != 0) {
        return lu_fail(error, LU_NOT_FOUND, "no model '%s'", name);
    }
    lu_text_add(path, context);
    return LU_OK;
}

TEST(names_of_bots) {
    const lu_game *turns = lu_game_find("turns", NULL), *duet = lu_game_find("duet", NULL);
    lu_error error = {0};
    lu_player p;
    CHECK_INT(lu_player_open(&p, "bot:expert", turns, find_none, NULL, &error), LU_OK);
    CHECK_INT(p.kind, LU_PLAYER_BOT);
    CHECK_TEXT(p.name, "bot:expert");
    CHECK_TEXT(p.bot->name, "expert");
    CHECK_INT(lu_player_open(&p, "expert", turns, find_none, NULL, &error), LU_OK);
    CHECK_TEXT(p.bot->name, "expert");
    CHECK_INT(lu_player_open(&p, "", turns, find_none, NULL, &error), LU_OK);
    CHECK_TEXT(p.bot->name, "expert");
    CHECK_TEXT(p.name, "expert");
    /* the game's own, else uniform over what is legal */
    CHECK_INT(lu_player_open(&p, "random", turns, find_none, NULL, &error), LU_OK);
    CHECK_INT(p.kind, LU_PLAYER_BOT);
    CHECK_INT(lu_player_open(&p, "random", duet, find_none, NULL, &error), LU_OK);
    CHECK(p.bot == &lu_bot_random);
    CHECK_INT(lu_player_open(&p, "bot:exprt", turns, find_none, NULL, &error), LU_NOT_FOUND);
    CHECK_HAS(error.text, "did you mean 'expert'");
    CHECK_INT(lu_player_open(&p, "nobody", turns, find_none, NULL, &error), LU_NOT_FOUND);
    CHECK_HAS(error.text, "turns has no bot 'nobody'; it has expert, random; as a model: no model");
    CHECK_INT(lu_player_open(&p, "no.zip", turns, find_none, NULL, &error), LU_NOT_FOUND);
    CHECK_TEXT(error.text, "no model 'no.zip'");
    CHECK_INT(lu_player_open(&p, "person", turns, find_none, NULL, &error), LU_USAGE);
    CHECK_HAS(error.text, "a person can only play in `ludus play` and on the site");
    /* where only a bot, or only a model, may be meant */
    CHECK_INT(lu_player_bot(&p, "bot:expert", turns, &error), LU_OK);
    CHECK_TEXT(p.bot->name, "expert");
    CHECK_INT(lu_player_model(&p, "bot:expert", turns, find_none, NULL, &error), LU_BAD_VALUE);
    CHECK_HAS(error.text, "'bot:expert' is a bot");
}

TEST(names_of_models_tell_their_game) {
    static const char *const mixed[] = {"bot:answer", "latest"}, *const bots[] = {"bot:a",
                                                                                  "random"};
    const lu_game *game = NULL, *turns = lu_game_find("turns", NULL);
    lu_error error = {0};
    lu_player pair[2];
    stage s;
    NEED(stage_open(&s, "duet", 1));
    const char *path = stage_save(&s);
    CHECK_INT(lu_players_open(pair, mixed, 2, &game, find_one, path, &error), LU_OK);
    CHECK(game == s.episode.game);
    CHECK_INT(pair[0].kind, LU_PLAYER_BOT);
    CHECK_INT(pair[1].kind, LU_PLAYER_AGENT);
    CHECK_TEXT(pair[1].name, "latest");
    CHECK_TEXT(pair[1].path, path);
    lu_player_close(&pair[0]);
    lu_player_close(&pair[1]);
    CHECK_INT(lu_player_open(&pair[0], "latest", turns, find_one, path, &error), LU_OTHER_SPEC);
    CHECK_HAS(error.text, "plays duet-v1, not turns-v1");
    game = NULL;
    CHECK_INT(lu_players_open(pair, bots, 2, &game, find_one, path, &error), LU_USAGE);
    CHECK_HAS(error.text, "for a bot, name its game with --game");
    static const char *const words[] = {"expert", "expert"};
    CHECK_INT(lu_players_open(pair, words, 2, &game, find_one, path, &error), LU_NOT_FOUND);
    CHECK_HAS(error.text, "no model 'expert'; for a bot, name its game with --game");
    CHECK_INT(lu_players_open(pair, words, 2, &turns, find_one, path, &error), LU_OK);
    stage_close(&s);
}

enum { SEEDS = 6 };

/* Plays seeds 1.. one by one or all at once; hashes of their last states. */
static void play(const stage *s, const lu_player *const *seats, bool together, int turn,
                 uint64_t *hash) {
    const lu_game *game = s->episode.game;
    lu_env *env[SEEDS];
    int32_t actions[SEEDS][LU_MAX_SEATS * LU_MAX_HEADS];
    lu_crew *crew = lu_crew_new(game, s->episode.rules, seats, SEEDS, false);
    lu_crew_ask ask[SEEDS];
    lu_error error = {0};
    int open = SEEDS;
    for (int e = 0; e < SEEDS; e++) {
        env[e] = lu_env_new(game, s->episode.rules);
        lu_env_reset(env[e], (uint64_t)e + 1, NULL);
        lu_crew_begin(crew, e, (uint64_t)e + 1, (uint64_t)e + 1, turn);
    }
    while (open > 0) {
        int count = 0;
        open = 0;
        for (int e = 0; e < SEEDS; e++) {
            if (env[e]->over || (!together && count > 0)) {
                open += !env[e]->over;
                continue;
            }
            ask[count++] = (lu_crew_ask){env[e], e, actions[e], NULL, NULL};
            open++;
        }
        CHECK_INT(lu_crew_act(crew, ask, count, &error), LU_OK);
        for (int i = 0; i < count; i++) {
            lu_env_step(env[ask[i].episode], actions[ask[i].episode]);
            CHECK_INT(env[ask[i].episode]->illegal, 0);
        }
    }
    for (int e = 0; e < SEEDS; e++) {
        hash[e] = lu_env_hash(env[e]);
        lu_env_delete(env[e]);
    }
    lu_crew_delete(crew);
}

TEST(what_is_played_beside_an_episode_changes_nothing) {
    static const char *const games[] = {"duet", "turns"};
    for (int g = 0; g < 2; g++) {
        stage s;
        NEED(stage_open(&s, games[g], 2));
        lu_player any = {.kind = LU_PLAYER_BOT, .name = "any", .bot = &lu_bot_random}, bot;
        CHECK_INT(lu_player_bot(&bot, "", s.episode.game, NULL), LU_OK);
        const lu_player *const mix[] = {&s.agent[0], &s.agent[1], &bot, &any};
        for (int a = 0; a < 4; a++) {
            for (int b = 0; b < 4; b++) {
                const lu_player *seats[2] = {mix[a], mix[b]}, *turned[2] = {mix[b], mix[a]};
                uint64_t one[SEEDS], all[SEEDS], on[SEEDS];
                play(&s, seats, false, 0, one);
                play(&s, seats, true, 0, all);
                play(&s, turned, true, 1, on); /* everybody one seat on: the same seating */
                for (int e = 0; e < SEEDS; e++) {
                    CHECK_HEX(all[e], one[e]);
                    CHECK_HEX(on[e], one[e]);
                }
            }
        }
        stage_close(&s);
    }
}

TEST(a_crew_leaves_the_actions_of_people_and_zeros_those_who_wait) {
    stage s;
    NEED(stage_open(&s, "turns", 1));
    lu_player person = {.kind = LU_PLAYER_PERSON, .name = "you"};
    const lu_player *seats[2] = {&person, &s.agent[0]};
    lu_crew *crew = lu_crew_new(s.episode.game, s.episode.rules, seats, 1, true);
    int32_t actions[2] = {4, 77};
    lu_thought thoughts[2];
    lu_error error = {0};
    lu_crew_ask ask = {s.episode.env, 0, actions, thoughts, NULL};
    memset(thoughts, 1, sizeof thoughts);
    lu_episode_reset(&s.episode, 3);
    lu_crew_begin(crew, 0, 3, 3, 0);
    /* seat 0 moves: the agent waits and thinks nothing */
    NEED(s.episode.env->to_move == 1);
    CHECK_INT(lu_crew_act(crew, &ask, 1, &error), LU_OK);
    CHECK_INT(actions[0], 4);
    CHECK_INT(actions[1], 0);
    CHECK(!thoughts[0].known && !thoughts[1].known);
    lu_episode_step(&s.episode, actions);
    CHECK_INT(lu_crew_act(crew, &ask, 1, &error), LU_OK);
    CHECK_INT(actions[0], 4);
    CHECK(!thoughts[0].known && thoughts[1].known && thoughts[1].top_count > 0);
    lu_crew_delete(crew);
    stage_close(&s);
}
