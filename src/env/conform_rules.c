/* Checks of the battery on rules: masks and legality, idle seats, hidden things, and what the
 * functions of a core may touch. */
#include "conform_internal.h"

#include <stdlib.h>
#include <string.h>

#define WHERE         "(episode seed %llu, decision %lld)"
#define WHERE_OF(env) (unsigned long long)(env)->seed, (long long)(env)->decisions

/* One step of a copy of a state, through the core. */
typedef struct trial {
    void *state;
    double *terms;
    lu_step step;
} trial;

static void trial_init(trial *t, const lu_checker *c) {
    const lu_game *g = c->game;
    size_t bytes = ((size_t)c->rules->state_bytes + 63) / 64 * 64;
    t->state = aligned_alloc(64, bytes);
    t->terms = lu_alloc((size_t)(g->seats * g->terms) * sizeof(double));
    if (!t->state) {
        lu_out_of_memory(bytes);
    }
}

static void trial_free(trial *t) {
    free(t->state);
    free(t->terms);
}

static void trial_step(trial *t, const lu_checker *c, const lu_env *env, const int32_t *actions) {
    memcpy(t->state, env->state, c->rules->state_bytes);
    memset(t->terms, 0, (size_t)(c->game->seats * c->game->terms) * sizeof(double));
    memset(&t->step, 0, sizeof t->step);
    c->core->step(c->rules, t->state, actions, t->terms, &t->step);
}

/* ---- masks ---- */

static const uint8_t *mask_of(const lu_env *env, int seat) {
    return env->mask + (size_t)seat * (size_t)lu_game_mask_length(env->game);
}

/* Whether mask, needs and submask allow the action of a seat. A head left empty counts as legal and
 * is set to 0; what follows the first illegal head is set to 0 too. */
static bool allowed(const lu_env *env, int seat, int32_t *mine) {
    uint8_t legal[1024];
    const lu_game *g = env->game;
    for (int h = 0; h < g->heads; h++) {
        int count =
            lu_head_legal(g, env->rules, env->state, seat, h, mask_of(env, seat), mine, legal);
        if (count == 0) {
            mine[h] = 0;
        } else if (mine[h] < 0 || mine[h] >= g->head[h].options || !legal[mine[h]]) {
            memset(mine + h + 1, 0, (size_t)(g->heads - h - 1) * sizeof *mine);
            return false;
        }
    }
    return true;
}

static bool try_action(lu_checker *c, trial *t, const lu_env *env, int seat, int32_t *actions) {
    const lu_game *g = c->game;
    int32_t *mine = actions + seat * g->heads;
    bool legal = allowed(env, seat, mine);
    trial_step(t, c, env, actions);
    bool reported = (t->step.illegal >> seat) & 1;
    if (legal != reported) {
        return true;
    }
    lu_text name = LU_TEXT_INIT;
    lu_action_name(g, mine, &name);
    lu_checker_fail(c, "'%s' of seat %d: the mask %s it, but the step %s illegal " WHERE, name.text,
                    seat, legal ? "allows" : "forbids", reported ? "calls it" : "does not call it",
                    WHERE_OF(env));
    lu_text_free(&name);
    return false;
}

/* Every option of a game with one head, and what lies outside. */
static int64_t try_options(lu_checker *c, trial *t, const lu_env *env, int seat, int32_t *actions) {
    static const int32_t outside[] = {INT32_MIN, -1, INT32_MAX};
    int options = c->game->head[0].options;
    for (int o = 0; o < options + 4 && !c->failed; o++) {
        actions[seat] = o <= options ? o : outside[o - options - 1];
        try_action(c, t, env, seat, actions);
    }
    return options + 4;
}

/* Legal actions of a game with several heads, whole and with one head changed. */
static int64_t try_samples(lu_checker *c, trial *t, const lu_env *env, int seat, int32_t *actions,
                           lu_rng *rng) {
    enum { SAMPLES = 24 };
    const lu_game *g = c->game;
    int32_t *mine = actions + seat * g->heads;
    for (int i = 0; i < SAMPLES && !c->failed; i++) {
        lu_action_random(g, c->rules, env->state, seat, mask_of(env, seat), rng, mine);
        if (i > 0) {
            int h = (int)lu_rng_below(rng, (uint32_t)g->heads);
            static const int32_t outside[] = {INT32_MIN, -1, INT32_MAX};
            uint32_t pick = lu_rng_below(rng, (uint32_t)g->head[h].options + 4);
            int32_t options = g->head[h].options;
            mine[h] =
                (int32_t)pick <= options ? (int32_t)pick : outside[(int32_t)pick - options - 1];
        }
        try_action(c, t, env, seat, actions);
    }
    return SAMPLES;
}

/* A seat without any option is the business of the check some-legal. */
static bool any_open(const lu_env *env, int seat) {
    return memchr(mask_of(env, seat), 1, (size_t)lu_game_mask_length(env->game)) != NULL;
}

void lu_check_mask_agrees(lu_checker *c) {
    const lu_game *g = c->game;
    int32_t actions[LU_MAX_SEATS * LU_MAX_HEADS];
    lu_env *env = lu_checker_env(c);
    lu_rng rng = lu_checker_rng(c, 30);
    trial t;
    trial_init(&t, c);
    lu_env_reset(env, lu_rng_u64(&rng), NULL);
    for (int64_t left = c->options->steps; left > 0 && !c->failed; left--) {
        size_t bytes = (size_t)(g->seats * lu_game_mask_length(g));
        for (size_t i = 0; i < bytes; i++) {
            if (env->mask[i] > 1) {
                lu_checker_fail(c, "byte %zu of the masks is %d, not 0 or 1 " WHERE, i,
                                env->mask[i], WHERE_OF(env));
            }
        }
        for (int seat = 0; seat < g->seats && !env->over && !c->failed; seat++) {
            if ((lu_env_choosers(env) >> seat & 1) && any_open(env, seat)) {
                lu_checker_act(env, LU_PLAY_LEGAL, &rng, actions);
                left -= g->heads == 1 ? try_options(c, &t, env, seat, actions)
                                      : try_samples(c, &t, env, seat, actions, &rng);
            }
        }
        /* a few steps on: other situations teach more than the next one */
        for (uint32_t k = lu_rng_below(&rng, 8); k > 0 || env->over; k -= k > 0) {
            lu_checker_step(env, LU_PLAY_LEGAL, &rng);
        }
        lu_checker_step(env, LU_PLAY_LEGAL, &rng);
    }
    trial_free(&t);
    lu_env_delete(env);
}

void lu_check_some_legal(lu_checker *c) {
    const lu_game *g = c->game;
    lu_env *env = lu_checker_env(c);
    lu_rng rng = lu_checker_rng(c, 31);
    lu_env_reset(env, lu_rng_u64(&rng), NULL);
    for (int64_t i = 0; i < c->options->steps && !c->failed; i++) {
        unsigned choosers = lu_env_choosers(env);
        if (!env->over && !env->to_move) {
            lu_checker_fail(c, "no seat is to move, and the episode continues " WHERE,
                            WHERE_OF(env));
        }
        for (int seat = 0; seat < g->seats; seat++) {
            int32_t chosen[LU_MAX_HEADS] = {0};
            uint8_t legal[1024];
            bool some = false;
            lu_action_random(g, c->rules, env->state, seat, mask_of(env, seat), &rng, chosen);
            for (int h = 0; h < g->heads; h++) {
                some = some || lu_head_legal(g, c->rules, env->state, seat, h, mask_of(env, seat),
                                             chosen, legal) > 0;
            }
            if (!some && (choosers >> seat & 1)) {
                lu_checker_fail(c, "seat %d is to choose and has no legal option " WHERE, seat,
                                WHERE_OF(env));
            }
        }
        lu_checker_step(env, LU_PLAY_MIXED, &rng);
    }
    lu_env_delete(env);
}

void lu_check_idle_seats(lu_checker *c) {
    const lu_game *g = c->game;
    int32_t actions[LU_MAX_SEATS * LU_MAX_HEADS], other[LU_MAX_SEATS * LU_MAX_HEADS];
    lu_env *env = lu_checker_env(c);
    lu_rng rng = lu_checker_rng(c, 32);
    bool seen = false;
    trial a, b;
    trial_init(&a, c);
    trial_init(&b, c);
    lu_env_reset(env, lu_rng_u64(&rng), NULL);
    for (int64_t i = 0; i < c->options->steps / 3 + 1 && !c->failed; i++) {
        unsigned idle = ~lu_env_choosers(env) & ((1u << g->seats) - 1u);
        if (idle && !env->over && env->to_move) {
            seen = true;
            lu_checker_act(env, LU_PLAY_LEGAL, &rng, actions);
            lu_checker_act(env, LU_PLAY_WILD, &rng, other);
            for (int k = 0; k < g->seats * g->heads; k++) {
                other[k] = idle >> (k / g->heads) & 1 ? other[k] : actions[k];
            }
            trial_step(&a, c, env, actions);
            trial_step(&b, c, env, other);
            if (memcmp(a.state, b.state, c->rules->state_bytes) != 0 ||
                memcmp(a.terms, b.terms, (size_t)(g->seats * g->terms) * sizeof(double)) != 0 ||
                memcmp(&a.step, &b.step, sizeof a.step) != 0) {
                lu_checker_fail(c, "the action of a seat that does not choose has an effect " WHERE,
                                WHERE_OF(env));
            }
        }
        lu_checker_step(env, LU_PLAY_LEGAL, &rng);
    }
    if (!seen) {
        lu_checker_skip(c, "all seats choose at every step");
    }
    trial_free(&a);
    trial_free(&b);
    lu_env_delete(env);
}

/* ---- what is hidden ---- */

/* Everything one seat sees, as bytes. */
static void see(const lu_env *env, int seat, lu_text *text) {
    const lu_game *g = env->game;
    size_t length = (size_t)lu_game_observation_length(g);
    lu_json json = LU_JSON_INIT;
    lu_text_clear(text);
    lu_text_add_n(text, (const char *)(env->observation + (size_t)seat * length),
                  length * sizeof(float));
    lu_text_add_n(text, (const char *)mask_of(env, seat), (size_t)lu_game_mask_length(g));
    lu_text_add_n(text, (const char *)&env->to_move, 1);
    g->to_json(env->rules, env->state, seat, &json);
    lu_text_add_n(text, json.text, json.length);
    lu_json_free(&json);
    lu_text_add(text, "\n");
    g->show(env->rules, env->state, seat, text);
}

/* Everything of a state as JSON (seat -1), or what a seat is shown of it. */
static void tell(const lu_env *env, int seat, lu_text *text) {
    lu_json json = LU_JSON_INIT;
    env->game->to_json(env->rules, env->state, seat, &json);
    lu_text_clear(text);
    lu_text_add_n(text, json.text, json.length);
    lu_json_free(&json);
}

/* Notes whether the seat is shown less than everything, and whether a draw changed anything. */
static void note_hidden(const lu_env *env, const lu_env *guess, int seat, lu_text *all,
                        lu_text *part, bool *hides, bool *drawn) {
    tell(env, -1, all);
    tell(env, seat, part);
    *hides = *hides || strcmp(all->text, part->text) != 0;
    tell(guess, -1, part);
    *drawn = *drawn || strcmp(all->text, part->text) != 0;
}

static const char *part_of(const lu_game *g, int64_t at) {
    int64_t observation = (int64_t)lu_game_observation_length(g) * (int64_t)sizeof(float);
    return at < observation                                ? "the observation"
           : at < observation + lu_game_mask_length(g) + 1 ? "the mask"
                                                           : "the JSON or the board";
}

void lu_check_determinise(lu_checker *c) {
    const lu_game *g = c->game;
    lu_env *env = lu_checker_env(c), *guess = lu_checker_env(c), *again = lu_checker_env(c);
    lu_rng rng = lu_checker_rng(c, 33);
    lu_text before = LU_TEXT_INIT, after = LU_TEXT_INIT;
    bool hides = false, drawn = false;
    lu_env_reset(env, lu_rng_u64(&rng), NULL);
    for (int64_t i = 0; i < c->options->steps / 40 + 1 && !c->failed; i++) {
        for (int seat = 0; seat < g->seats && !env->over && !c->failed; seat++) {
            uint64_t seed = lu_rng_u64(&rng);
            lu_rng one = lu_rng_from(seed), two = lu_rng_from(seed);
            memcpy(guess->state, env->state, c->rules->state_bytes);
            memcpy(again->state, env->state, c->rules->state_bytes);
            c->core->determinise(c->rules, guess->state, seat, &one);
            c->core->determinise(c->rules, again->state, seat, &two);
            if (memcmp(guess->state, again->state, c->rules->state_bytes) != 0) {
                lu_checker_fail(c, "equal generators draw different hidden things " WHERE,
                                WHERE_OF(env));
                break;
            }
            lu_env_refresh(guess);
            see(env, seat, &before);
            see(guess, seat, &after);
            int64_t at = before.length != after.length
                             ? (int64_t)before.length
                             : lu_first_difference(before.text, after.text, before.length);
            if (at >= 0) {
                lu_checker_fail(c, "redrawn for seat %d, %s of the seat changes " WHERE, seat,
                                part_of(g, at), WHERE_OF(env));
                break;
            }
            note_hidden(env, guess, seat, &before, &after, &hides, &drawn);
            /* what was drawn must be playable */
            guess->over = false;
            for (int k = 0; k < 8 && !guess->over; k++) {
                lu_checker_step(guess, LU_PLAY_LEGAL, &rng);
            }
        }
        for (int k = 0; k < 12; k++) {
            lu_checker_step(env, LU_PLAY_LEGAL, &rng);
        }
    }
    if (hides && !drawn) {
        lu_checker_fail(c, "the JSON of a seat leaves things out, but redrawing changes none");
    }
    lu_text_free(&before);
    lu_text_free(&after);
    lu_env_delete(env);
    lu_env_delete(guess);
    lu_env_delete(again);
}
