/* Recorded episodes of the verify tool. An episode is played three times: under the peer's rules
 * with its two ends, where every step must agree; under the peer's rules with all three ends, where
 * the reward must agree; and under the game's rules, where the brew must be the one of
 * `game_rules`. */
#include "verify.h"

#include <math.h>
#include <string.h>

extern const lu_game *const lu_games_potion[];

/* The first variant under settings, at the start of a task. */
static lu_status open_task(lu_episode *e, const char *settings, const potion_options *task,
                           lu_error *error) {
    lu_status status = lu_episode_open_text(e, lu_games_potion[0]->id, settings, NULL, error);
    if (status == LU_OK) {
        lu_env_reset(e->env, 1, task);
    }
    return status;
}

static const potion_state *state_of(const lu_episode *p) {
    return p->env->state;
}

/* Action k; out of range is out of range, however far. */
static int32_t action_at(const lu_json_value *actions, size_t k) {
    double number = lu_json_real_or(lu_json_at(actions, k), -1.0);
    return number >= 0.0 && number < 1e6 ? (int32_t)number : -1;
}

/* Plays on until the episode is over. */
static void play_all(lu_episode *p, const lu_json_value *actions) {
    for (size_t k = 0; k < lu_json_count(actions) && !p->env->over; k++) {
        int32_t action = action_at(actions, k);
        lu_env_step(p->env, &action);
    }
}

/* ---- steps ---- */

static void check_reward(lu_check *c, const lu_json_value *object, double got) {
    potion_check_number(c, object, "reward", got, POTION_VERIFY_TOLERANCE);
}

static void check_amounts(lu_check *c, const lu_json_value *step, const potion_state *s) {
    static const char *const keys[POTION_MAGIMINS] = {"magimins A", "magimins B", "magimins C",
                                                      "magimins D", "magimins E"};
    const lu_json_value *amounts = lu_json_get(step, "magimins");
    for (size_t k = 0; amounts && k < POTION_MAGIMINS; k++) {
        double want = lu_json_real_or(lu_json_at(amounts, k), -1.0);
        if (fabs(want - (double)s->mix.amount[k]) > 0.0) {
            lu_check_say(c, keys[k]);
        }
    }
}

static lu_status check_step(lu_check *c, lu_episode *p, const lu_json_value *step, int32_t action) {
    bool legal = action >= 0 && action < POTION_ACTIONS && p->env->mask[action];
    int count = 0;
    if (lu_json_kind_of(step) != LU_JSON_OBJECT) {
        return lu_check_bad(c, "a step must be an object");
    }
    for (int k = 0; k <= POTION_INGREDIENTS; k++) {
        count += p->env->mask[k];
    }
    potion_check_number(c, step, "action", (double)action, 0.0);
    if (action >= 1 && action <= POTION_INGREDIENTS) {
        potion_check_text(c, step, "name", potion_ingredients[action].name);
    }
    potion_check_flag(c, step, "legal", legal);
    potion_check_number(c, step, "legal_actions", (double)count, 0.0);
    lu_env_step(p->env, &action);
    const potion_state *s = state_of(p);
    potion_check_flag(c, step, "taken", !p->env->step.illegal);
    potion_check_number(c, step, "items", (double)s->mix.items, 0.0);
    check_amounts(c, step, s);
    check_reward(c, step, p->env->reward[0]);
    potion_check_flag(c, step, "done", p->env->over);
    return LU_OK;
}

static lu_status check_steps(lu_check *c, lu_episode *p, const lu_json_value *trace,
                             const lu_json_value *actions) {
    const lu_json_value *steps = lu_json_get(trace, "steps");
    size_t count = lu_json_count(actions);
    if (lu_json_kind_of(steps) != LU_JSON_ARRAY || lu_json_count(steps) != count) {
        return lu_check_bad(c, "'steps' must be a list as long as 'actions'");
    }
    for (size_t k = 0; k < count; k++) {
        lu_check_part(c, "steps", (long long)k);
        if (p->env->over) {
            lu_check_say(c, "a step after the end of the episode");
            break;
        }
        LU_TRY(check_step(c, p, lu_json_at(steps, k), action_at(actions, k)));
    }
    return LU_OK;
}

/* ---- the end ---- */

/* Grade of the peer's lookup: the first threshold that is not below the total. */
static int peer_raw_grade(int32_t total) {
    int grade = 0;
    while (grade < POTION_GRADES - 1 && potion_grade_from[grade] < total) {
        grade++;
    }
    return grade;
}

/* The tiers the peer may give, each with its chance. */
static void check_outcomes(lu_check *c, const lu_json_value *final, const potion_state *s) {
    const lu_json_value *list = lu_json_get(final, "peer_tier_outcomes");
    if (lu_json_kind_of(list) != LU_JSON_ARRAY || s->code == POTION_CANNOT_BREW) {
        return;
    }
    const potion_limit *row =
        &potion_stability[POTION_RULES_RL_PEER * 4 + POTION_PERFECT - s->code];
    int raw = peer_raw_grade(s->mix.total);
    int grade[2] = {potion_grade_after(raw, row->shift), potion_grade_after(raw, row->lucky_shift)};
    size_t count = grade[0] == grade[1] ? 1 : 2;
    if (lu_json_count(list) != count) {
        lu_check_say(c, "number of peer_tier_outcomes");
    }
    for (size_t k = 0; k < count && k < lu_json_count(list); k++) {
        const lu_json_value *one = lu_json_at(list, k);
        lu_check_part(c, "peer_tier_outcomes", (long long)k);
        potion_check_text(c, one, "tier", potion_tier_names[grade[k] / POTION_STARS]);
        potion_check_number(c, one, "star", grade[k] % POTION_STARS, 0.0);
        potion_check_number(c, one, "price", potion_peer_price(s->recipe, grade[k]), 0.0);
        potion_check_number(c, one, "p", 1.0 / (double)count, POTION_VERIFY_TOLERANCE);
    }
}

static void check_final(lu_check *c, const lu_episode *p, const lu_json_value *final) {
    const potion_state *s = state_of(p);
    const double *terms = p->env->terms;
    bool brewed = s->code != POTION_CANNOT_BREW;
    lu_check_part(c, "final", -1);
    potion_check_number(c, final, "items", (double)s->mix.items, 0.0);
    potion_check_number(c, final, "total", (double)s->mix.total, 0.0);
    potion_check_number(c, final, "cost", (double)s->mix.cost, 0.0);
    potion_check_text(c, final, "stability", potion_code_names[s->code]);
    potion_check_number(c, final, "fullness", (double)s->mix.total / (double)s->max_magimins,
                        POTION_VERIFY_TOLERANCE);
    if (s->mix.total > 0) {
        potion_check_number(c, final, "masked_delta",
                            potion_error_of((const potion_rules *)(const void *)p->rules, s),
                            POTION_VERIFY_TOLERANCE);
    }
    check_reward(c, final, p->env->reward[0]);
    potion_check_number(c, final, "reward_as_written_in_brief",
                        brewed ? terms[POTION_TERM_PRINTED] + terms[POTION_TERM_STABILITY] : 0.0,
                        POTION_VERIFY_TOLERANCE);
    check_outcomes(c, final, s);
}

/* The brew under the game's rules, as expected before any draw of traits. */
static void check_game(lu_check *c, const lu_episode *p, const lu_json_value *trace) {
    const potion_state *s = state_of(p);
    const potion_rules *m = (const potion_rules *)(const void *)p->rules;
    const lu_json_value *ruleset = lu_json_get(trace, "game_rules");
    const lu_json_value *traits = lu_json_get(trace, "game_traits");
    lu_check_part(c, "game_rules", -1);
    potion_check_text(c, ruleset, "stability", potion_code_names[s->code]);
    if (s->mix.total > 0) {
        potion_check_number(c, ruleset, "error", potion_error_of(m, s), POTION_VERIFY_TOLERANCE);
    }
    if (s->code != POTION_CANNOT_BREW) {
        potion_check_number(c, ruleset, "grade", s->grade, 0.0);
        potion_check_text(c, ruleset, "tier", potion_tier_names[s->grade / POTION_STARS]);
        potion_check_number(c, ruleset, "star", s->grade % POTION_STARS, 0.0);
        potion_check_number(c, ruleset, "brewed", potion_brewed(s->mix.items), 0.0);
        potion_check_number(c, ruleset, "price", (double)s->price, 0.0);
    }
    lu_check_part(c, "game_traits", -1);
    for (size_t k = 0; k < lu_json_count(traits); k++) {
        double want = lu_json_real_or(lu_json_at(traits, k), (double)NAN);
        double got = k < POTION_SENSES ? potion_trait_mean(s->added, s->mix.items, (int)k, 0) : 0.0;
        if (!(fabs(want - got) <= POTION_VERIFY_TOLERANCE)) {
            lu_check_say(c, k < POTION_SENSES ? potion_sense_names[k] : "a sixth trait");
        }
    }
}

lu_status potion_check_trace(lu_check *c, const lu_json_value *trace) {
    static const char as_recorded[] =
        "{\"rules\":\"rl_peer\",\"full_ends\":false,\"step_cap\":false}";
    static const char with_all_ends[] = "{\"rules\":\"rl_peer\",\"step_cap\":false}";
    static const char in_the_game[] = "{\"rules\":\"game\",\"step_cap\":false}";
    const lu_json_value *actions = lu_json_get(trace, "actions");
    const lu_json_value *final = lu_json_get(trace, "final");
    potion_options task;
    lu_episode exact = {0}, ends = {0}, game = {0};
    if (lu_json_kind_of(actions) != LU_JSON_ARRAY || lu_json_kind_of(final) != LU_JSON_OBJECT) {
        return lu_check_bad(c, "a trace needs a list 'actions' and an object 'final'");
    }
    lu_status status = potion_check_task(c, trace, &task);
    LU_THEN(status, open_task(&exact, as_recorded, &task, c->error));
    LU_THEN(status, open_task(&ends, with_all_ends, &task, c->error));
    LU_THEN(status, open_task(&game, in_the_game, &task, c->error));
    LU_THEN(status, check_steps(c, &exact, trace, actions));
    if (status == LU_OK) {
        check_final(c, &exact, final);
        play_all(&ends, actions);
        lu_check_part(c, "three ends", -1);
        check_reward(c, final, ends.env->reward[0]);
        play_all(&game, actions);
        check_game(c, &game, trace);
    }
    lu_episode_close(&exact);
    lu_episode_close(&ends);
    lu_episode_close(&game);
    return status;
}
