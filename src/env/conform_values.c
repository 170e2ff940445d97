/* Checks of the battery on values: what observations, steps, terms and info fields may hold. Each
 * is a question about one moment, asked after every reset and step of random legal play; the check
 * `fuzz` asks all of them again under wild actions. */
#include "conform_internal.h"

#include <math.h>
#include <stdlib.h>

typedef bool moment(lu_checker *c, const lu_env *env);

/* Where a moment can be seen again: seed of the episode and number of the decision. */
#define WHERE         "(episode seed %llu, decision %lld)"
#define WHERE_OF(env) (unsigned long long)(env)->seed, (long long)(env)->decisions

static bool in_range(lu_checker *c, const lu_env *env, const lu_group *group, int groups,
                     const float *row, int seat) {
    for (int g = 0; g < groups; g++) {
        for (int i = 0; i < lu_group_length(&group[g]); i++, row++) {
            const lu_field *field = &group[g].field[i % group[g].fields];
            if (!(*row >= field->low && *row <= field->high)) {
                return lu_checker_fail(c,
                                       "'%s.%s' of slot %d, seen by seat %d, is %g, outside "
                                       "[%g, %g] " WHERE,
                                       group[g].name, field->name, i / group[g].fields, seat,
                                       (double)*row, (double)field->low, (double)field->high,
                                       WHERE_OF(env));
            }
        }
    }
    return true;
}

static bool bounds(lu_checker *c, const lu_env *env) {
    const lu_game *g = env->game;
    for (int seat = 0; seat < g->seats; seat++) {
        if (!in_range(c, env, g->group, g->groups,
                      env->observation + seat * lu_game_observation_length(g), seat) ||
            !in_range(c, env, g->critic_group, g->critic_groups,
                      env->critic + seat * lu_game_critic_length(g), seat)) {
            return false;
        }
    }
    return true;
}

static bool slots_of(lu_checker *c, const lu_env *env, const lu_group *group, int groups,
                     const float *row) {
    for (int g = 0; g < groups; row += lu_group_length(&group[g]), g++) {
        for (int s = 0; group[g].presence >= 0 && s < group[g].slots; s++) {
            const float *slot = row + s * group[g].fields;
            float present = slot[group[g].presence];
            if (!(present >= 0.0f && present <= 1.0f) || (present > 0.0f && present < 1.0f)) {
                return lu_checker_fail(c, "presence of slot %d of '%s' is %g " WHERE, s,
                                       group[g].name, (double)present, WHERE_OF(env));
            }
            for (int f = 0; present < 1.0f && f < group[g].fields; f++) {
                if (!(slot[f] >= 0.0f && slot[f] <= 0.0f)) {
                    return lu_checker_fail(
                        c, "slot %d of '%s' is absent, but its '%s' is %g " WHERE, s, group[g].name,
                        group[g].field[f].name, (double)slot[f], WHERE_OF(env));
                }
            }
        }
    }
    return true;
}

static bool slots(lu_checker *c, const lu_env *env) {
    const lu_game *g = env->game;
    for (int seat = 0; seat < g->seats; seat++) {
        if (!slots_of(c, env, g->group, g->groups,
                      env->observation + seat * lu_game_observation_length(g)) ||
            !slots_of(c, env, g->critic_group, g->critic_groups,
                      env->critic + seat * lu_game_critic_length(g))) {
            return false;
        }
    }
    return true;
}

static bool ids_of(lu_checker *c, const lu_env *env, const lu_group *group, int groups,
                   const float *row) {
    for (int g = 0; g < groups; g++) {
        for (int i = 0; i < lu_group_length(&group[g]); i++, row++) {
            const lu_field *field = &group[g].field[i % group[g].fields];
            bool whole = *row >= 0.0f && *row < (float)field->vocabulary &&
                         !(*row - (float)(int)*row > 0.0f);
            if (field->vocabulary > 0 && !whole) {
                return lu_checker_fail(c, "id '%s.%s' is %g, not a number in 0..%d " WHERE,
                                       group[g].name, field->name, (double)*row,
                                       field->vocabulary - 1, WHERE_OF(env));
            }
        }
    }
    return true;
}

static bool ids(lu_checker *c, const lu_env *env) {
    const lu_game *g = env->game;
    for (int seat = 0; seat < g->seats; seat++) {
        if (!ids_of(c, env, g->group, g->groups,
                    env->observation + seat * lu_game_observation_length(g)) ||
            !ids_of(c, env, g->critic_group, g->critic_groups,
                    env->critic + seat * lu_game_critic_length(g))) {
            return false;
        }
    }
    return true;
}

static bool flags(lu_checker *c, const lu_env *env) {
    const lu_step *step = &env->step;
    unsigned seats = (1u << env->game->seats) - 1u;
    if (step->terminated > 1 || step->truncated > 1 || step->unused) {
        return lu_checker_fail(c, "a flag of the step is neither 0 nor 1 " WHERE, WHERE_OF(env));
    }
    if (step->terminated && step->truncated) {
        return lu_checker_fail(c, "terminated and truncated are both set " WHERE, WHERE_OF(env));
    }
    if (step->illegal & ~seats) {
        return lu_checker_fail(c, "an illegal action of a seat that does not exist " WHERE,
                               WHERE_OF(env));
    }
    if (env->to_move & ~seats) {
        return lu_checker_fail(c, "a seat that does not exist is to move " WHERE, WHERE_OF(env));
    }
    return true;
}

static bool ticks(lu_checker *c, const lu_env *env) {
    if (env->decisions > 0 && env->step.ticks < 1) {
        return lu_checker_fail(c, "a step took %d ticks " WHERE, env->step.ticks, WHERE_OF(env));
    }
    return true;
}

static bool terms(lu_checker *c, const lu_env *env) {
    const lu_game *g = env->game;
    for (int i = 0; i < g->seats * g->terms; i++) {
        if (!isfinite(env->terms[i])) {
            return lu_checker_fail(c, "term '%s' of seat %d is %g " WHERE,
                                   g->term[i % g->terms].name, i / g->terms, env->terms[i],
                                   WHERE_OF(env));
        }
    }
    for (int seat = 0; seat < g->seats; seat++) {
        if (!isfinite((float)env->reward[seat])) {
            return lu_checker_fail(c, "the reward of seat %d is %g " WHERE, seat, env->reward[seat],
                                   WHERE_OF(env));
        }
    }
    return true;
}

static bool info(lu_checker *c, const lu_env *env) {
    for (int i = 0; i < env->game->seats * env->game->infos; i++) {
        const lu_info *row = &env->game->info[i % env->game->infos];
        double value = env->info[i];
        bool whole = fabs(value) <= 0x1p53 && floor(value) >= value;
        bool good = row->kind == LU_INFO_BITS   ? true
                    : row->kind == LU_INFO_REAL ? isfinite(value)
                    : row->kind == LU_INFO_FLAG ? whole && value >= 0.0 && value <= 1.0
                    : row->kind == LU_INFO_NAME ? whole && lu_info_name(row, value)
                                                : whole;
        if (!good) {
            return lu_checker_fail(
                c, "info field '%s' of seat %d is %g, which its kind does not allow " WHERE,
                row->name, i / env->game->infos, value, WHERE_OF(env));
        }
    }
    return true;
}

/* Asks about every moment of `steps` decisions. */
static void walk(lu_checker *c, lu_play play, uint64_t purpose, moment *const *questions,
                 int count) {
    lu_env *env = lu_checker_env(c);
    lu_rng rng = lu_checker_rng(c, purpose);
    lu_env_reset(env, lu_rng_u64(&rng), NULL);
    for (int64_t i = 0; i < c->options->steps && !c->failed; i++) {
        for (int q = 0; q < count && !c->failed; q++) {
            questions[q](c, env);
        }
        lu_checker_step(env, play, &rng);
    }
    lu_env_delete(env);
}

#define CHECK_MOMENTS(name, purpose)                                                               \
    void lu_check_##name(lu_checker *c) {                                                          \
        moment *const question = name;                                                             \
        walk(c, LU_PLAY_LEGAL, purpose, &question, 1);                                             \
    }

CHECK_MOMENTS(bounds, 20)
CHECK_MOMENTS(slots, 21)
CHECK_MOMENTS(ids, 22)
CHECK_MOMENTS(flags, 23)
CHECK_MOMENTS(ticks, 24)
CHECK_MOMENTS(terms, 25)
CHECK_MOMENTS(info, 26)

void lu_check_fuzz(lu_checker *c) {
    moment *const questions[] = {bounds, slots, ids, flags, ticks, terms, info};
    walk(c, LU_PLAY_WILD, 27, questions, 7);
}

void lu_check_ends(lu_checker *c) {
    int64_t cap = lu_checker_cap(c);
    lu_env *env = lu_checker_env(c);
    lu_rng rng = lu_checker_rng(c, 28);
    for (int64_t played = 0; played < c->options->steps && !c->failed;) {
        lu_env_reset(env, lu_rng_u64(&rng), NULL);
        while (!env->over && env->decisions < cap) {
            lu_checker_step(env, LU_PLAY_LEGAL, &rng);
        }
        if (!env->over) {
            lu_checker_fail(c,
                            "an episode of random legal play has not ended after %lld decisions "
                            "(seed %llu)",
                            (long long)cap, (unsigned long long)env->seed);
        }
        played += env->decisions > 0 ? env->decisions : 1;
    }
    lu_env_delete(env);
}

/* ---- the limit ---- */

/* The range of one number of the observation while play goes on [0], and where it is cut [1]. */
typedef struct spread {
    float low[2], high[2];
} spread;

enum { ENOUGH_CUTS = 8 }; /* of so many, chance makes no clock */

static void note_observations(const lu_env *env, spread *seen) {
    int length = lu_game_observation_length(env->game), cut = env->step.truncated ? 1 : 0;
    for (int i = 0; !env->step.terminated && i < env->game->seats * length; i++) {
        spread *s = &seen[i % length];
        s->low[cut] = fminf(s->low[cut], env->observation[i]);
        s->high[cut] = fmaxf(s->high[cut], env->observation[i]);
    }
}

/* The number of the observation that tells the truncated from all that went on; -1: none. */
static int clock_of(const spread *seen, int length) {
    int i = 0;
    while (i < length && !(seen[i].low[1] > seen[i].high[0] || seen[i].high[1] < seen[i].low[0])) {
        i++;
    }
    return i < length ? i : -1;
}

static void judge_limit(lu_checker *c, const spread *seen, int cuts) {
    const lu_game *g = c->game;
    int clock = clock_of(seen, lu_game_observation_length(g)), group = g->groups - 1;
    if (g->limit.kind == LU_LIMIT_NONE && cuts > 0) {
        lu_checker_fail(c, "an episode was truncated, but the game says that it has no limit: say "
                           "whether it is a rule or a cut");
    } else if (g->limit.kind == LU_LIMIT_RULE && clock < 0) {
        lu_checker_fail(c, "the limit is a rule, but no number of the observation shows that it is "
                           "reached: show the clock, or call it a cut");
    } else if (g->limit.kind == LU_LIMIT_CUT && clock >= 0 && cuts >= ENOUGH_CUTS) {
        while (group > 0 && lu_game_group_offset(g, group) > clock) {
            group--;
        }
        lu_checker_fail(
            c,
            "the limit is a cut, but number %d of group '%s' has values there that it never has "
            "while play goes on, so that nothing learns what they are worth: call the limit a "
            "rule, or hide the clock",
            clock - lu_game_group_offset(g, group), g->group[group].name);
    }
}

/* A learner goes on from the value of the last observation of a cut, and has only learned values of
 * observations that were followed by others: the two must look alike. After a rule nothing comes,
 * and only who sees the clock can know the value of a moment before it. */
void lu_check_limit(lu_checker *c) {
    int length = lu_game_observation_length(c->game), cuts = 0;
    spread *seen = lu_alloc((size_t)length * sizeof *seen);
    lu_env *env = lu_checker_env(c);
    lu_rng rng = lu_checker_rng(c, 29);
    for (int i = 0; i < length; i++) {
        seen[i] = (spread){{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
    }
    lu_env_reset(env, lu_rng_u64(&rng), NULL);
    for (int64_t i = 0; i < c->options->steps; i++) {
        note_observations(env, seen);
        cuts += env->step.truncated;
        lu_checker_step(env, LU_PLAY_LEGAL, &rng);
    }
    if (cuts > 0) {
        judge_limit(c, seen, cuts);
    } else if (c->game->limit.kind != LU_LIMIT_NONE) {
        lu_checker_skip(c, "no episode reached its limit: lower it by a setting, if there is one");
    }
    lu_env_delete(env);
    free(seen);
}
