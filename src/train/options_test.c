/* Options of a training that are off unless asked for: each does what its sentence in the table
 * says, gives the same bits for any number of threads and after a resume, and allocates nothing
 * while it runs. */
#include "ppo_internal.h"
#include "probe_test.h"

#include "ludus/win_rate.h"

static const probe_kind kinds[] = {
    {"sight", "train.normalise_observation=true train.observation_clip=0.5"},
    {"pennies", "reward.reward=linear(1,-1)"},
    {"crowd", "train.novelty=linear(0.1,0) train.normalise_observation=true net.encoder=entity"},
    {"pennies", "train.observation_noise=all:0.1 train.normalise_observation=true"},
    {"tmaze", "train.frames=0,2,5 train.normalise_observation=true train.novelty=0.1"},
    {"turnabout", "train.frames=3 net.memory=mingru train.observation_noise=all:0.1"},
    {"cutoff", "train.frames=2 train.truncation=bootstrap net.precision=bf16"},
    {"secret", "train.frames=0,3 net.critic=separate"},
    {"trump", "train.win_rate=true train.normalise_observation=true"},
    {"turnabout", "train.eps_greedy=linear(0.5,0.1)"},
    {"pennies", "train.accumulate=3"},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

TEST(options_give_the_same_bits_for_any_number_of_threads) {
    for (int kind = 0; kind < KINDS; kind++) {
        probe_check_threads(&probe_ppo, &kinds[kind], 4);
    }
}

TEST(options_go_on_after_a_resume) {
    static const char *const metrics[] = {"policy_loss", NULL};
    for (int kind = 0; kind < KINDS; kind++) {
        probe_check_resume(&probe_ppo, &kinds[kind], 2, 2, 1, metrics);
    }
}

TEST(options_allocate_nothing_while_they_run) {
    for (int kind = 0; kind < KINDS; kind++) {
        probe_check_no_allocation(&probe_ppo, &kinds[kind], 2);
    }
}

/* An option that is on makes another training of it than `without`. */
static void check_matters(const char *game, const char *without, const char *with) {
    probe_kind off = {game, without}, on = {game, with};
    CHECK(probe_hash_after(&probe_ppo, &off, 1, 3) != probe_hash_after(&probe_ppo, &on, 1, 3));
}

/* ---- observation_clip ---- */

static float largest_seen(const probe *p) {
    const ppo_trainer *t = ppo_of(p->train);
    float row[64], most = 0.0f;
    for (int r = 0; r < t->base.rows; r++) {
        const float *kept =
            ppo_slot(t, 0) + (size_t)t->base.row_full[r] * (size_t)t->base.observation;
        lu_net_kept_row(t->base.net, kept, row);
        for (int i = 0; i < t->base.observation; i++) {
            most = fabsf(row[i]) > most ? fabsf(row[i]) : most;
        }
    }
    return most;
}

TEST(observations_are_cut_where_the_setting_says) {
    probe wide, narrow;
    NEED(probe_open(&wide, "ticks", "train.normalise_observation=true"));
    NEED(probe_open(&narrow, "ticks",
                    "train.normalise_observation=true train.observation_clip=0.25"));
    CHECK(probe_run(&wide, 2) == LU_OK);
    CHECK(probe_run(&narrow, 2) == LU_OK);
    CHECK(largest_seen(&wide) > 0.25f);
    CHECK(largest_seen(&narrow) == 0.25f);
    CHECK(lu_trainer_normaliser(wide.train)->clip == 10.0f);
    CHECK(lu_trainer_normaliser(narrow.train)->clip == 0.25f); /* what a model file keeps */
    probe_close(&wide);
    probe_close(&narrow);
}

TEST(the_critic_block_and_q_nets_are_cut_alike) {
    probe p;
    NEED(probe_open(&p, "secret", "train.normalise_observation=true train.observation_clip=2"));
    CHECK(lu_trainer_critic_normaliser(p.train)->clip == 2.0f);
    probe_close(&p);
    NEED(dqn_probe_open(&p, "choice", "dqn.normalise_observation=true dqn.observation_clip=3"));
    CHECK(lu_trainer_normaliser(p.train)->clip == 3.0f);
    probe_close(&p);
    check_matters("sight", "train.normalise_observation=true",
                  "train.normalise_observation=true train.observation_clip=0.5");
}

TEST(the_value_that_is_off_leaves_snapshots_as_they_were) {
    probe_check_refused(&probe_ppo, "", "train.observation_clip=5");
}

/* ---- accumulate ---- */

/* Several small minibatches in one step are one large minibatch. */
TEST(minibatches_together_step_as_one_of_their_size) {
    probe parts, whole, few;
    const char *rest = "train.normalise_advantage=batch train.epochs=1 train.minibatch=";
    char settings[3][160];
    snprintf(settings[0], sizeof settings[0], "%s128 train.accumulate=4", rest);
    snprintf(settings[1], sizeof settings[1], "%s512", rest);
    snprintf(settings[2], sizeof settings[2], "%s128", rest);
    NEED(probe_open(&parts, "choice", settings[0]));
    NEED(probe_open(&whole, "choice", settings[1]));
    NEED(probe_open(&few, "choice", settings[2]));
    CHECK(probe_run(&parts, 1) == LU_OK);
    CHECK(probe_run(&whole, 1) == LU_OK);
    CHECK(probe_run(&few, 1) == LU_OK);
    CHECK_INT(parts.stats.minibatches, whole.stats.minibatches);
    size_t count = lu_net_parameters(ppo_of(parts.train)->base.net);
    const float *a = lu_net_block(ppo_of(parts.train)->base.net);
    const float *b = lu_net_block(ppo_of(whole.train)->base.net);
    const float *c = lu_net_block(ppo_of(few.train)->base.net);
    float most = 0.0f, other = 0.0f;
    for (size_t i = 0; i < count; i++) {
        most = fabsf(a[i] - b[i]) > most ? fabsf(a[i] - b[i]) : most;
        other = fabsf(c[i] - b[i]) > other ? fabsf(c[i] - b[i]) : other;
    }
    CHECK(most == 0.0f);
    CHECK(other > 1e-4f); /* which is no matter of course */
    probe_close(&parts);
    probe_close(&whole);
    probe_close(&few);
}

/* ---- reward weights ---- */

/* Every update has the weight that the schedule says, in what is played and in what is told. */
static void check_weights(const probe_algorithm *a, const char *game, const char *steps) {
    probe p;
    NEED(a->open(&p, game, steps));
    const lu_rules *rules = lu_trainer_rules(p.train);
    int64_t total = lu_trainer_updates_total(p.train);
    CHECK(rules->weight[0] == -1.0); /* of the end: what everyone else plays by */
    for (int64_t u = 0; u < total; u++) {
        double weight = 3.0 - 4.0 * (double)u / (double)total;
        CHECK(probe_run(&p, 1) == LU_OK);
        CHECK_NEAR(rules->weight[0], weight, 1e-12);
        CHECK_NEAR(p.stats.reward, weight * p.stats.term[0], 1e-6);
        CHECK(p.stats.term[0] != 0.0);
    }
    probe_close(&p);
}

TEST(reward_weights_follow_their_schedules) {
    check_weights(&probe_ppo, "choice", "train.steps=4096 reward.reward=linear(3,-1)");
    check_weights(&probe_dqn, "choice", "dqn.steps=4096 reward.reward=linear(3,-1)");
}

TEST(a_weight_that_moves_belongs_to_a_snapshot) {
    probe_check_refused(&probe_ppo, "", "reward.reward=linear(0,1)");
}

TEST(a_constant_weight_is_the_number_it_was) {
    probe_kind number = {"choice", "reward.reward=2"},
               schedule = {"choice", "reward.reward=const(2)"};
    CHECK_HEX(probe_hash_after(&probe_ppo, &number, 1, 3),
              probe_hash_after(&probe_ppo, &schedule, 1, 3));
    check_matters("choice", "reward.reward=2", "reward.reward=linear(2,1)");
}

/* ---- eps_greedy ---- */

/* Rows of the batch whose first head has its most likely option, and those whose log-probability is
 * that of the policy. */
TEST(with_eps_greedy_the_best_option_is_taken) {
    probe never, half, always;
    NEED(probe_open(&never, "sight", "train.rate=0"));
    NEED(probe_open(&half, "sight", "train.rate=0 train.eps_greedy=0.5"));
    NEED(probe_open(&always, "sight", "train.rate=0 train.eps_greedy=1"));
    CHECK(probe_run(&never, 1) == LU_OK && probe_run(&half, 1) == LU_OK &&
          probe_run(&always, 1) == LU_OK);
    /* a net that starts is nearly even: the best option has log-probability above -log 2 */
    double share[3];
    const probe *p[] = {&never, &half, &always};
    for (int i = 0; i < 3; i++) {
        const ppo_trainer *t = ppo_of(p[i]->train);
        int rows = t->base.rows * t->base.horizon, best = 0;
        for (int r = 0; r < rows; r++) {
            best += t->batch.log_probability[r] > logf(0.5f);
        }
        share[i] = (double)best / rows;
        /* the learner sees a policy that has not moved */
        CHECK(t->learned.first.ratio / t->learned.first.weight == 1.0);
    }
    CHECK_NEAR(share[0], 0.5, 0.1);
    CHECK_NEAR(share[1], 0.75, 0.1);
    CHECK(share[2] > 0.99);
    probe_close(&never);
    probe_close(&half);
    probe_close(&always);
}

/* ---- novelty ---- */

TEST(novelty_is_the_sum_of_deviations_beyond_one) {
    static const double mean[] = {1, 2, 3, 4}, square[] = {40, 0, 40, 10};
    probe p;
    NEED(probe_open(&p, "tmaze", "train.novelty=0.5 train.normalise_observation=true"));
    ppo_trainer *t = ppo_of(p.train);
    lu_normaliser *n = &t->base.normaliser;
    NEED(n->length <= 4);
    n->count = 10;
    memcpy(n->mean, mean, (size_t)n->length * sizeof *mean);
    memcpy(n->square, square, (size_t)n->length * sizeof *square); /* deviations 2, 0, 2, 1 */
    lu_normaliser_freeze(n);
    ppo_novelty_begin(t);
    t->base.coefficient[TRAIN_NOVELTY] = 0.5;
    double want = 0.0;
    for (int i = 0; i < n->length; i++) {
        double z = square[i] > 0 ? (10 - mean[i]) / sqrt(square[i] / 10) : 0;
        want += 0.5 * (z > 1 ? z - 1 : 0);
    }
    float far[4] = {10, 10, 10, 10}, near[4] = {2, 20, 2, 4.5f};
    CHECK_NEAR(ppo_novelty(t, far), want, 1e-5);
    CHECK(want > 1);
    CHECK(ppo_novelty(t, near) == 0.0);
    probe_close(&p);
}

TEST(novelty_is_rewarded_and_told_beside_the_reward) {
    probe p;
    NEED(probe_open(&p, "tmaze", "train.novelty=0.5 train.normalise_observation=true"));
    CHECK(probe_run(&p, 1) == LU_OK);
    CHECK(figure_of(&p, "novelty") == 0.0); /* nothing is known yet */
    CHECK(probe_run(&p, 1) == LU_OK);
    const ppo_trainer *t = ppo_of(p.train);
    double sum = 0.0, rows = (double)(t->base.rows * t->base.horizon);
    for (int r = 0; r < t->base.rows * t->base.horizon; r++) {
        sum += (double)t->batch.reward[r];
    }
    CHECK(figure_of(&p, "novelty") > 0.0);
    CHECK_NEAR(sum / rows, p.stats.reward + figure_of(&p, "novelty"), 1e-6);
    probe_close(&p);
    lu_error error;
    lu_settings *s = lu_game_settings(lu_game_find("ticks", &error));
    lu_settings_add(s, lu_ppo_table);
    lu_settings_add(s, lu_net_table);
    lu_settings_set(s, "train.novelty", "0.1", LU_FROM_FLAG, "test", &error);
    lu_settings_set(s, "train.normalise_observation", "off", LU_FROM_FLAG, "test", &error);
    CHECK(!lu_ppo_new(lu_game_find("ticks", &error), s, NULL, &error));
    CHECK_HAS(error.text, "turn on train.normalise_observation");
    lu_settings_delete(s);
}

/* ---- observation_noise ---- */

TEST(noise_has_the_deviation_of_its_entry) {
    enum { DRAWS = 20000 };
    lu_error error = {0};
    const lu_game *game = lu_game_find("pennies", &error);
    ppo_noise *noise = ppo_noise_new(game, "all: linear(1,0); seat_1: 2", &error);
    NEED(noise != NULL);
    CHECK(ppo_noise_begin(noise, 0.5, 0));
    lu_rng rng = lu_rng_from(3);
    double sum[2] = {0}, square[2] = {0}, both = 0;
    for (int i = 0; i < DRAWS; i++) {
        float seen[2] = {1, 1};
        ppo_noise_add(noise, &rng, seen);
        for (int k = 0; k < 2; k++) {
            sum[k] += (double)seen[k] - 1;
            square[k] += ((double)seen[k] - 1) * ((double)seen[k] - 1);
        }
        both += ((double)seen[0] - 1) * ((double)seen[1] - 1);
    }
    CHECK_NEAR(sum[0] / DRAWS, 0, 0.02);
    CHECK_NEAR(sum[1] / DRAWS, 0, 0.08);
    CHECK_NEAR(sqrt(square[0] / DRAWS), 0.5, 0.02); /* a later entry counts */
    CHECK_NEAR(sqrt(square[1] / DRAWS), 2, 0.08);
    CHECK_NEAR(both / DRAWS, 0, 0.04);
    ppo_noise_delete(noise);
}

TEST(names_of_noise_are_fields_groups_and_places) {
    static const struct {
        const char *text, *wrong; /* NULL: is read */
    } cases[] = {
        {"seat_0:1", NULL},
        {"seen:1", NULL},
        {"seen.seat_0 , seat_1 : 1 ;", NULL},
        {"0-1: piecewise(0:1,1:0)", NULL},
        {"0:1;1:2", NULL},
        {"", NULL},
        {"2:1", "above the largest"},
        {"1-0:1", "below the smallest"},
        {"seat_9:1", "no field or group 'seat_9'"},
        {"seen.seat_9:1", "no field or group"},
        {"seat_0", "is missing"},
        {"seat_0:", "is missing"},
        {"seat_0:-1", "below the smallest"},
        {"seat_0:linear(", "deviation of 'seat_0'"},
        {",seat_0:1", "a name is missing"},
        {":1", "a name is missing"},
    };
    lu_error error;
    const lu_game *game = lu_game_find("pennies", &error);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ppo_noise *noise = ppo_noise_new(game, cases[i].text, &error);
        CHECK((noise != NULL) == (cases[i].wrong == NULL));
        if (!noise && cases[i].wrong) {
            CHECK_HAS(error.text, cases[i].wrong);
            CHECK_HAS(error.text, "train.observation_noise");
        }
        ppo_noise_delete(noise);
    }
}

/* Ids and marks of slots are left out of groups, and refused by name. */
TEST(ids_and_marks_have_no_noise) {
    static const lu_field fields[] = {
        {"present", 0, 1, "", 0}, {"kind", 0, 15, "", 16}, {"weight", 0, 1, "", 0}};
    static const lu_group group = {"things", LU_IDS, 2, 0, 3, fields};
    static const lu_game game = {.id = "odd-v1", .name = "odd", .groups = 1, .group = &group};
    static const char *const refused[] = {"present:1", "things.kind:1", "0:1", "2-4:1"};
    lu_error error;
    float seen[6] = {0};
    lu_rng rng = lu_rng_from(1);
    ppo_noise *noise = ppo_noise_new(&game, "things:1", &error);
    NEED(noise != NULL);
    ppo_noise_begin(noise, 0, 0);
    ppo_noise_add(noise, &rng, seen);
    for (int i = 0; i < 6; i++) {
        CHECK((seen[i] != 0.0f) == (i % 3 == 2));
    }
    ppo_noise_delete(noise);
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        CHECK(!ppo_noise_new(&game, refused[i], &error));
        CHECK_HAS(error.text, "leave it out");
    }
}

TEST(noise_is_in_what_is_learned_and_nowhere_else) {
    const char *quiet = "train.rate=0 train.horizon=4 train.normalise_observation=true";
    char line[300];
    snprintf(line, sizeof line, "%s train.observation_noise=all:1", quiet);
    probe a, b;
    NEED(probe_open(&a, "constant", quiet));
    NEED(probe_open(&b, "constant", line));
    CHECK(probe_run(&a, 2) == LU_OK && probe_run(&b, 2) == LU_OK);
    const ppo_trainer *t = ppo_of(b.train);
    size_t bytes = (size_t)t->base.full * (size_t)t->base.observation * sizeof(float);
    /* the first slot was read with noise; the one behind the last step is as the game shows it */
    CHECK(memcmp(ppo_slot(ppo_of(a.train), 0), ppo_slot(t, 0), bytes) != 0);
    CHECK(memcmp(ppo_slot(ppo_of(a.train), 4), ppo_slot(t, 4), bytes) == 0);
    CHECK(memcmp(a.train->normaliser.mean, b.train->normaliser.mean,
                 (size_t)t->base.observation * sizeof(double)) == 0);
    CHECK(t->learned.first.ratio / t->learned.first.weight == 1.0);
    probe_close(&a);
    probe_close(&b);
}

/* ---- frames ---- */

/* Every row of the batch has, as its older frames, the newest ones of the rows before it. */
TEST(rows_have_the_frames_of_the_steps_before) {
    static const int age[] = {0, 2, 3};
    probe p;
    NEED(probe_open(&p, "tmaze", "train.frames=0,2,3 train.rate=0"));
    CHECK(probe_run(&p, 2) == LU_OK);
    const ppo_trainer *t = ppo_of(p.train);
    size_t n = (size_t)t->base.observation;
    CHECK_INT(t->base.inputs, 3 * n);
    int first = 0, later = 0;
    for (int row = 0; row < t->base.rows; row++) {
        int since = -1; /* steps since the episode began, -1: not known */
        for (int step = 0; step < t->base.horizon; step++) {
            bool starts = t->batch.flags[step * t->base.rows + row] & FLAG_START;
            since = starts ? 0 : since >= 0 ? since + 1 : -1;
            const float *now = ppo_slot(t, step) + (size_t)row * 3 * n;
            for (int f = 0; f < 3; f++) {
                int back = since >= 0 && since < age[f] ? since : age[f];
                if (step < back || (since < 0 && step < age[f])) {
                    continue; /* played before this batch */
                }
                const float *then = ppo_slot(t, step - back) + (size_t)row * 3 * n;
                CHECK(memcmp(now + (size_t)f * n, then, n * sizeof *now) == 0);
                first += back < age[f];
                later += back > 0 && back == age[f];
            }
        }
    }
    CHECK(first > 100 && later > 100);
    probe_close(&p);
}

/* The sign at the start is seen at the end by a frame that is old enough, and by no younger one. */
TEST(a_frame_that_is_old_enough_sees_the_sign) {
    probe p;
    NEED(probe_solve(&p, probe_open, "tmaze", "train.frames=0,5 train.steps=60000"));
    CHECK(p.stats.recent_return > 0.95);
    probe_close(&p);
    NEED(probe_solve(&p, probe_open, "tmaze", "train.frames=5 train.steps=60000"));
    CHECK(p.stats.recent_return < 0.5);
    probe_close(&p);
}

static void check_frames_refused(const lu_algorithm *a, const char *frames, const char *encoder,
                                 const char *why) {
    lu_error error = {0};
    const lu_game *game = lu_game_find("tmaze", &error);
    lu_settings *s = lu_game_settings(game);
    lu_settings_add(s, *a->table);
    lu_settings_add(s, lu_net_table);
    CHECK(lu_settings_set(s, "net.frames", frames, LU_FROM_FLAG, "test", &error) == LU_OK);
    CHECK(lu_settings_set(s, "net.encoder", encoder, LU_FROM_FLAG, "test", &error) == LU_OK);
    CHECK(!a->make(game, s, NULL, &error));
    CHECK_HAS(error.text, why);
    lu_settings_delete(s);
}

TEST(frames_that_mean_nothing_are_refused) {
    static const char *const wrong[] = {"", "0", "17", "1.5", "1,2", "0,2,2", "0,1.5", "0,3,1"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        check_frames_refused(&lu_algorithm_ppo, wrong[i], "flat", "net.frames is a number");
    }
    check_frames_refused(&lu_algorithm_ppo, "2", "entity", "set net.encoder=flat");
    check_frames_refused(&lu_algorithm_dqn, "2", "flat", "set net.frames to 1, or use ppo");
    probe_check_refused(&probe_ppo, "", "net.frames=2");
}

/* Opponents read frames of their own, as far back as the training keeps them. */
TEST(opponents_read_their_own_frames) {
    probe p, other;
    lu_error error = {0};
    NEED(probe_open(&other, "pennies", "train.frames=0,1,2"));
    NEED(probe_open(&p, "pennies", "train.frames=0,3 train.opponents=old:1"));
    lu_opponent members[] = {{.name = "old", .share = 1, .net = lu_trainer_net(other.train)}};
    CHECK(lu_trainer_roster(p.train, members, 1, &error) == LU_OK);
    CHECK(probe_run(&p, 3) == LU_OK);
    CHECK(lu_trainer_result(p.train, 0).episodes > 0);
    probe_close(&p);
    NEED(probe_open(&p, "pennies", "train.frames=2 train.opponents=old:1"));
    CHECK_INT(lu_trainer_roster(p.train, members, 1, &error), LU_BAD_VALUE);
    CHECK_HAS(error.text, "a frame 2 decisions old");
    probe_close(&p);
    probe_close(&other);
}

/* ---- win_rate ---- */

/* A card of rank r beats r of four and draws with one. */
TEST(the_predictor_knows_what_a_card_is_worth) {
    static const char *const settings[] = {
        "train.steps=60000 train.win_rate=true train.normalise_observation=true",
        "train.steps=60000 train.win_rate=true train.frames=2",
        "train.steps=60000 train.win_rate=true net.encoder=entity"};
    for (int i = 0; i < 3; i++) {
        probe p;
        NEED(probe_solve(&p, probe_open, "trump", settings[i]));
        for (int card = 0; card < 4; card++) {
            float row[2] = {(float)card, 2.0f}, x[2];
            lu_win_rate_see(lu_trainer_normaliser(p.train), 2, row, x);
            double won = lu_win_rate_run(lu_trainer_win_rate(p.train), 2, x);
            CHECK_NEAR(won, (card + 0.5) / 4, 0.1);
        }
        CHECK(figure_of(&p, "win_right") > 0.65 && figure_of(&p, "win_loss") < 0.6);
        probe_close(&p);
    }
}

TEST(the_predictor_leaves_the_policy_as_it_is) {
    probe with, without;
    NEED(probe_open(&with, "trump", "train.win_rate=true"));
    NEED(probe_open(&without, "trump", ""));
    CHECK(probe_run(&with, 3) == LU_OK && probe_run(&without, 3) == LU_OK);
    lu_net *net = lu_trainer_net(with.train);
    CHECK(memcmp(lu_net_block(net), lu_net_block(lu_trainer_net(without.train)),
                 lu_net_parameters(net) * sizeof(float)) == 0);
    CHECK(!lu_trainer_win_rate(without.train));
    probe_close(&with);
    probe_close(&without);
}

TEST(a_game_without_winners_has_no_predictor) {
    lu_error error = {0};
    const lu_game *game = lu_game_find("tmaze", &error);
    lu_settings *s = lu_game_settings(game);
    lu_settings_add(s, lu_ppo_table);
    lu_settings_add(s, lu_net_table);
    lu_settings_set(s, "train.win_rate", "on", LU_FROM_FLAG, "test", &error);
    CHECK(!lu_ppo_new(game, s, NULL, &error));
    CHECK_HAS(error.text, "the flag 'won'");
    lu_settings_delete(s);
}

/* ---- beginning with a model ---- */

TEST(a_training_takes_nets_of_the_same_frames_and_their_predictor) {
    probe from, same, other;
    lu_error error = {0};
    NEED(probe_open(&from, "trump", "train.frames=0,2 train.win_rate=true"));
    NEED(probe_open(&same, "trump", "train.frames=0,2 train.win_rate=true train.seed=9"));
    NEED(probe_open(&other, "trump", "train.frames=0,1 train.win_rate=true"));
    CHECK(probe_run(&from, 2) == LU_OK);
    lu_learned learned = {.net = lu_trainer_net(from.train),
                          .win_rate = lu_trainer_win_rate(from.train)};
    CHECK_INT(lu_trainer_take(same.train, &learned, &error), LU_OK);
    CHECK(memcmp(lu_trainer_win_rate(same.train), learned.win_rate,
                 lu_win_rate_count(2) * sizeof(float)) == 0);
    CHECK_INT(lu_trainer_take(other.train, &learned, &error), LU_OTHER_SPEC);
    probe_close(&from);
    probe_close(&same);
    probe_close(&other);
}
