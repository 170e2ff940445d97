/* The battery: the table of checks, their runner, and what the checks share. */
#include "conform_internal.h"

#include "ludus/clock.h"
#include "ludus/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct check_row {
    const char *name, *sentence;
    lu_check_function *run;
} check_row;

/* In the order they run: tables first, since a wrong table makes nonsense of what follows. */
static const check_row rows[] = {
    {"facts", "The tables of the game are complete and agree with each other.", lu_check_facts},
    {"rules", "Equal settings make equal rules.", lu_check_rules},
    {"options", "The reset options fill their whole block, and equal options give equal resets.",
     lu_check_options},
    {"deterministic", "Equal seed and actions give equal bytes.", lu_check_deterministic},
    {"index-differs", "Other seeds, indices and episodes give other bytes.",
     lu_check_index_differs},
    {"threads", "One thread and several give equal bytes.", lu_check_threads},
    {"levels", "Every build level of the rules gives equal bytes.", lu_check_levels},
    {"vector-single", "The vector loop does what single steps do, through ends and new episodes.",
     lu_check_vector_single},
    {"resets", "Waiting for a reset, and chosen resets, do what single environments do.",
     lu_check_resets},
    {"alone", "An episode of a vector replays alone from its seed.", lu_check_alone},
    {"partial-observation", "Writing only the changed groups gives the whole observation.",
     lu_check_partial_observation},
    {"snapshot", "A copy made midway continues like the original.", lu_check_snapshot},
    {"clean-state", "A reset leaves nothing of earlier episodes.", lu_check_clean_state},
    {"buffers", "Every number of a row is written, and nothing beyond it.", lu_check_buffers},
    {"no-allocation", "Rules allocate no memory.", lu_check_no_allocation},
    {"mask-agrees", "An action is reported illegal exactly when the mask forbids it.",
     lu_check_mask_agrees},
    {"some-legal", "A seat that chooses has a legal option.", lu_check_some_legal},
    {"idle-seats", "Actions of seats that do not choose have no effect.", lu_check_idle_seats},
    {"bounds", "Observations lie within their ranges.", lu_check_bounds},
    {"slots", "A slot is present or not, and all zero when it is not.", lu_check_slots},
    {"ids", "Ids are whole numbers of their vocabulary.", lu_check_ids},
    {"ends", "Episodes end in time.", lu_check_ends},
    {"limit",
     "A truncated episode shows its clock where the limit is a rule, nothing where it is a cut.",
     lu_check_limit},
    {"flags", "The flags of a step are 0 or 1 and never contradict each other.", lu_check_flags},
    {"ticks", "Every step takes at least one tick.", lu_check_ticks},
    {"terms", "Terms and rewards are finite.", lu_check_terms},
    {"info", "Info fields have the values of their kind.", lu_check_info},
    {"fuzz", "Out-of-range actions leave the game intact.", lu_check_fuzz},
    {"determinise",
     "Redrawing hidden state changes nothing that the seat sees, and some of the rest.",
     lu_check_determinise},
    {"json", "States survive JSON, and bad JSON leaves a state as it was.", lu_check_json},
    {"show", "The board fits a terminal.", lu_check_show},
    {"events", "Events are in the table and a story is one line.", lu_check_events},
    {"bots", "Bots act legally, repeatably, and within their memory.", lu_check_bots},
    {"golden", "The golden playthrough is unchanged.", lu_check_golden},
    {"replay", "A recorded episode has equal bytes twice and shows the same frames again.",
     lu_check_replay},
};
enum { ROWS = sizeof rows / sizeof *rows };

lu_conform_options lu_conform_default(void) {
    return (lu_conform_options){.seed = 1, .steps = 20000, .threads = 4};
}

int lu_conform_count(void) {
    return ROWS;
}

const char *lu_conform_check(int index, const char **sentence) {
    if (sentence) {
        *sentence = rows[index].sentence;
    }
    return rows[index].name;
}

static void run_check(lu_checker *checker, const check_row *row, lu_conform_result *result) {
    double start = lu_clock_seconds();
    checker->failed = checker->skipped = false;
    checker->detail[0] = 0;
    row->run(checker);
    *result = (lu_conform_result){.check = row->name,
                                  .sentence = row->sentence,
                                  .passed = !checker->failed && !checker->skipped,
                                  .skipped = !checker->failed && checker->skipped,
                                  .detail = checker->detail,
                                  .seconds = lu_clock_seconds() - start};
}

int lu_conform(const lu_game *game, const lu_settings *settings,
               const lu_conform_options *options) {
    int failed = 0;
    bool sound = true; /* the tables can be relied on */
    lu_error error = {0};
    lu_settings *own = lu_game_settings(game); /* `settings` may hold other tables too */
    lu_settings_take(own, settings, LU_FROM_FLAG, "conform");
    lu_rules *rules = lu_rules_new(game, own, &error);
    char *values = lu_settings_json(own);
    lu_checker checker = {.game = game,
                          .settings = own,
                          .rules = rules,
                          .core = lu_game_core(game),
                          .options = options,
                          .plain = strcmp(values, "{}") == 0};
    free(values);
    for (int i = 0; i < ROWS; i++) {
        bool wanted = !options->only || strcmp(options->only, rows[i].name) == 0;
        lu_conform_result result = {.check = rows[i].name,
                                    .sentence = rows[i].sentence,
                                    .skipped = true,
                                    .detail = "the facts are wrong: see the first check"};
        if (i > 0 && !wanted) {
            continue;
        }
        if (i == 0 && !rules) {
            result.skipped = false;
            result.detail = error.text;
        } else if (i == 0 || sound) {
            run_check(&checker, &rows[i], &result);
        }
        bool bad = !result.passed && !result.skipped;
        sound = sound && !(i == 0 && bad);
        if (wanted || bad) {
            failed += bad;
            if (options->report) {
                options->report(options->user, &result);
            }
        }
    }
    lu_rules_delete(rules);
    lu_settings_delete(own);
    return failed;
}

/* ---- what the checks share ---- */

bool lu_checker_fail(lu_checker *checker, const char *format, ...) {
    if (!checker->failed) {
        va_list list;
        va_start(list, format);
        vsnprintf(checker->detail, sizeof checker->detail, format, list);
        va_end(list);
        checker->failed = true;
    }
    return false;
}

void lu_checker_skip(lu_checker *checker, const char *reason) {
    if (!checker->failed) {
        snprintf(checker->detail, sizeof checker->detail, "%s", reason);
        checker->skipped = true;
    }
}

lu_env *lu_checker_env(const lu_checker *checker) {
    return lu_env_new(checker->game, checker->rules);
}

lu_rng lu_checker_rng(const lu_checker *checker, uint64_t purpose) {
    return lu_rng_from(lu_mix(checker->options->seed, purpose, 0));
}

void lu_checker_act(const lu_env *env, lu_play play, lu_rng *rng, int32_t *actions) {
    lu_play_choose(env->game, env->rules, env->state, env->mask, play, rng, actions);
}

void lu_checker_step(lu_env *env, lu_play play, lu_rng *rng) {
    int32_t actions[LU_MAX_SEATS * LU_MAX_HEADS];
    if (env->over) {
        lu_env_reset(env, lu_rng_u64(rng), NULL);
        return;
    }
    lu_checker_act(env, play, rng, actions);
    lu_env_step(env, actions);
}

int64_t lu_checker_cap(const lu_checker *checker) {
    return checker->plain && checker->game->limit.longest > 0 ? checker->game->limit.longest
                                                              : 1000000;
}

int64_t lu_first_difference(const void *a, const void *b, size_t bytes) {
    const unsigned char *left = a, *right = b;
    if (memcmp(a, b, bytes) == 0) {
        return -1;
    }
    size_t at = 0;
    while (left[at] == right[at]) {
        at++;
    }
    return (int64_t)at;
}

/* ---- rows of a vector ---- */

enum { SPARE = 64 }; /* bytes behind each buffer */

static void *room(size_t count, size_t bytes) {
    return lu_alloc_zero(1, count * bytes + SPARE);
}

bool lu_bench_rows_init(lu_bench_rows *r, lu_checker *c, int environments, uint64_t seed,
                        int threads) {
    const lu_game *g = c->game;
    lu_error error;
    size_t n = (size_t)environments, count = n * (size_t)g->seats;
    size_t seen = (size_t)lu_game_observation_length(g), critic = (size_t)lu_game_critic_length(g);
    memset(r, 0, sizeof *r);
    r->vec = lu_vec_new(g, c->rules, environments, seed, threads, NULL, &error);
    if (!r->vec) {
        return lu_checker_fail(c, "%s", error.text);
    }
    r->actions = room(count * (size_t)g->heads, sizeof(int32_t));
    r->buffers = (lu_buffers){
        .actions = r->actions,
        .observation = room(count * seen, sizeof(float)),
        .critic = room(count * critic, sizeof(float)),
        .mask = room(count * (size_t)lu_game_mask_length(g), 1),
        .reward = room(count, sizeof(float)),
        .terms = room(count * (size_t)g->terms, sizeof(float)),
        .terminated = room(n, 1),
        .truncated = room(n, 1),
        .illegal = room(n, 1),
        .to_move = room(n, 1),
        .ticks = room(n, sizeof(int32_t)),
        .info = room(count * (size_t)g->infos, sizeof(double)),
        .final_observation = room(count * seen, sizeof(float)),
        .final_critic = room(count * critic, sizeof(float)),
        .final_mask = room(count * (size_t)lu_game_mask_length(g), 1),
        .final_info = room(count * (size_t)g->infos, sizeof(double)),
        .final_seed = room(n, sizeof(uint64_t)),
    };
    lu_vec_reset(r->vec, &r->buffers);
    return true;
}

void lu_bench_rows_free(lu_bench_rows *r) {
    lu_vec_delete(r->vec);
    free(r->actions);
    free(r->buffers.observation);
    free(r->buffers.critic);
    free(r->buffers.mask);
    free(r->buffers.reward);
    free(r->buffers.terms);
    free(r->buffers.terminated);
    free(r->buffers.truncated);
    free(r->buffers.illegal);
    free(r->buffers.to_move);
    free(r->buffers.ticks);
    free(r->buffers.info);
    free(r->buffers.final_observation);
    free(r->buffers.final_critic);
    free(r->buffers.final_mask);
    free(r->buffers.final_info);
    free(r->buffers.final_seed);
}

void lu_bench_rows_choose(lu_bench_rows *r, const lu_checker *c, lu_play play, lu_rng *rng) {
    const lu_game *g = c->game;
    size_t masks = (size_t)(g->seats * lu_game_mask_length(g));
    for (int i = 0; i < lu_vec_environments(r->vec); i++) {
        lu_play_choose(g, c->rules, lu_vec_state(r->vec, i), r->buffers.mask + (size_t)i * masks,
                       play, rng, r->actions + i * g->seats * g->heads);
    }
}

void lu_bench_rows_step(lu_bench_rows *r, const lu_checker *c) {
    const lu_game *g = c->game;
    const lu_buffers *b = &r->buffers;
    size_t n = (size_t)lu_vec_environments(r->vec), count = n * (size_t)g->seats;
    size_t seen = (size_t)lu_game_observation_length(g), critic = (size_t)lu_game_critic_length(g);
    lu_vec_step(r->vec, b);
    uint64_t hash = lu_hash(b->observation, count * seen * sizeof(float), r->hash);
    hash = lu_hash(b->critic, count * critic * sizeof(float), hash);
    hash = lu_hash(b->mask, count * (size_t)lu_game_mask_length(g), hash);
    hash = lu_hash(b->reward, count * sizeof(float), hash);
    hash = lu_hash(b->terms, count * (size_t)g->terms * sizeof(float), hash);
    hash = lu_hash(b->terminated, n, hash);
    hash = lu_hash(b->truncated, n, hash);
    hash = lu_hash(b->illegal, n, hash);
    hash = lu_hash(b->to_move, n, hash);
    hash = lu_hash(b->ticks, n * sizeof(int32_t), hash);
    hash = lu_hash(b->info, count * (size_t)g->infos * sizeof(double), hash);
    hash = lu_hash(b->final_observation, count * seen * sizeof(float), hash);
    hash = lu_hash(b->final_critic, count * critic * sizeof(float), hash);
    hash = lu_hash(b->final_mask, count * (size_t)lu_game_mask_length(g), hash);
    hash = lu_hash(b->final_info, count * (size_t)g->infos * sizeof(double), hash);
    r->hash = lu_hash(b->final_seed, n * sizeof(uint64_t), hash);
}
