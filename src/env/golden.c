/* The golden playthrough: one episode of the strongest bot and one of random actions as a text that
 * a person can read in a diff. It is the same in every build, so that a change of the rules shows,
 * and what it changes. */
#include "random_play.h"

#include "ludus/conform.h"
#include "ludus/frame.h"

#include <stdio.h>
#include <string.h>

enum { BY_BOT = 40, BY_CHANCE = 20, BOARD_EVERY = 10 }; /* decisions */

/* Four digits are enough to see a change; a zero has no sign. */
static void add_number(lu_text *text, double value) {
    char digits[64];
    snprintf(digits, sizeof digits, "%.4f", value);
    lu_text_add(text, strcmp(digits, "-0.0000") == 0 ? "0.0000" : digits);
}

static void add_board(lu_text *text, const lu_env *env) {
    lu_text board = LU_TEXT_INIT;
    env->game->show(env->rules, env->state, 0, &board);
    const char *line = board.text;
    while (*line) {
        size_t length = strcspn(line, "\n"), shown = length;
        while (shown > 0 && line[shown - 1] == ' ') {
            shown--;
        }
        lu_text_add(text, shown ? "    | " : "    |");
        lu_text_add_n(text, line, shown);
        lu_text_add(text, "\n");
        line += length + (line[length] == '\n');
    }
    lu_text_free(&board);
}

/* What one seat chose, and what it got for it. */
static void add_seat(lu_text *text, const lu_env *env, int seat) {
    const lu_game *g = env->game;
    if (g->seats > 1) {
        lu_text_addf(text, "  seat %d: ", seat);
    }
    lu_action_name(g, env->actions + seat * g->heads, text);
    if (env->step.illegal >> seat & 1) {
        lu_text_add(text, " (illegal)");
    }
    lu_text_add(text, " -> reward ");
    add_number(text, env->reward[seat]);
    const char *before = " (";
    for (int t = 0; t < g->terms; t++) {
        double term = env->terms[seat * g->terms + t];
        if (term < 0.0 || term > 0.0) {
            lu_text_addf(text, "%s%s ", before, g->term[t].name);
            add_number(text, term);
            before = ", ";
        }
    }
    lu_text_add(text, before[0] == ',' ? ")\n" : "\n");
}

static void add_step(lu_text *text, const lu_env *env) {
    const lu_game *g = env->game;
    uint64_t bits = lu_frame_events(env);
    lu_text_addf(text, "%lld.", (long long)env->decisions);
    lu_text_add(text, g->seats > 1 ? "\n" : " ");
    for (int seat = 0; seat < g->seats; seat++) {
        add_seat(text, env, seat);
    }
    lu_text_add(text, "    ");
    lu_frame_story(env, text);
    for (int e = 0; e < g->events; e++) {
        if (bits >> e & 1) {
            lu_text_addf(text, " [%s]", g->event[e].name);
        }
    }
    if (env->step.ticks != 1) {
        lu_text_addf(text, " in %d ticks", env->step.ticks);
    }
    lu_text_addf(text, "%s%s, state %016llx\n", env->step.terminated ? ", terminated" : "",
                 env->step.truncated ? ", truncated" : "", (unsigned long long)lu_env_hash(env));
    if (env->over || env->decisions % BOARD_EVERY == 0) {
        add_board(text, env);
    }
}

/* One episode, or its first decisions; without a bot by random legal actions. */
static void add_episode(lu_text *text, lu_env *env, const lu_bot *bot, uint64_t seed,
                        int64_t most) {
    const lu_game *g = env->game;
    int32_t actions[LU_MAX_SEATS * LU_MAX_HEADS];
    lu_rng rng = lu_rng_from(lu_mix(seed, 0, 2));
    lu_seated_bot seated[LU_MAX_SEATS];
    lu_env_reset(env, seed, NULL);
    lu_text_addf(text, "\nSeed %llu, %s, state %016llx\n", (unsigned long long)seed,
                 bot ? bot->name : "random legal actions", (unsigned long long)lu_env_hash(env));
    add_board(text, env);
    for (int seat = 0; bot && seat < g->seats; seat++) {
        lu_seated_bot_init(&seated[seat], bot);
        lu_seated_bot_begin(&seated[seat], lu_mix(seed, (uint64_t)seat, 3));
    }
    while (!env->over && env->decisions < most) {
        lu_play_choose(g, env->rules, env->state, env->mask, LU_PLAY_LEGAL, &rng, actions);
        for (int seat = 0; bot && seat < g->seats; seat++) {
            if (env->to_move >> seat & 1) {
                lu_seated_bot_act(&seated[seat], env, seat, actions + seat * g->heads);
            }
        }
        lu_env_step(env, actions);
        add_step(text, env);
    }
    for (int seat = 0; bot && seat < g->seats; seat++) {
        lu_seated_bot_free(&seated[seat]);
    }
    lu_text_addf(text, "%s after %lld decisions, %lld ticks, return", env->over ? "Over" : "Left",
                 (long long)env->decisions, (long long)env->ticks);
    for (int seat = 0; seat < g->seats; seat++) {
        lu_text_add(text, " ");
        add_number(text, env->returns[seat]);
    }
    lu_text_addf(text, ", %s", g->headline);
    for (int seat = 0; seat < g->seats; seat++) {
        lu_text_add(text, " ");
        add_number(text, lu_env_info(env, seat, g->headline));
    }
    lu_text_add(text, "\n");
}

void lu_golden_write(const lu_game *game, lu_text *text) {
    lu_error error;
    lu_episode episode;
    if (lu_episode_open(&episode, game, NULL, NULL, &error) != LU_OK) {
        lu_text_line(text, "%s: %s", game->id, error.text);
        return;
    }
    const lu_rules *rules = episode.rules;
    lu_text_line(text, "Golden playthrough of %s: `ludus golden %s --write` makes it.", game->id,
                 game->id);
    lu_text_line(text, "specification %016llx, rules %016llx, state of %u bytes, default settings",
                 (unsigned long long)rules->spec, (unsigned long long)rules->hash,
                 rules->state_bytes);
    lu_text_line(text, "seats %d, heads %d, options %d, observed numbers %d, of the critic %d",
                 game->seats, game->heads, lu_game_mask_length(game),
                 lu_game_observation_length(game), lu_game_critic_length(game));
    add_episode(text, episode.env, lu_game_strongest(game), 1, BY_BOT);
    add_episode(text, episode.env, NULL, 2, BY_CHANCE);
    lu_episode_close(&episode);
}
