/* The coefficients and options of PPO inside a running trainer: each must arrive where it counts,
 * at the update its schedule says, and do what its sentence in the table says. */
#include "ppo_internal.h"
#include "probe_test.h"

/* ---- schedules ---- */

enum { TOTAL = 4, BATCH = 64 * 16 }; /* updates of a run; steps of the probes' batch */

/* `from` and `to` are far enough apart to change an update. */
static const struct {
    const char *key;
    double from, to;
} coefficients[TRAIN_COEFFICIENTS] = {
    [TRAIN_RATE] = {"train.rate", 0.001, 0.004},
    [TRAIN_ENTROPY] = {"train.entropy", 0.01, 0.3},
    [TRAIN_CLIP] = {"train.clip", 0.2, 0.01},
    [TRAIN_VALUE_CLIP] = {"train.value_clip", 0.2, 0.001},
    [TRAIN_VALUE_COST] = {"train.value_cost", 0.5, 1},
    [TRAIN_GAMMA] = {"train.gamma", 0.9, 0.5},
    [TRAIN_LAMBDA] = {"train.lambda", 0.9, 0.1},
    [TRAIN_MAX_NORM] = {"train.max_norm", 0.5, 0.01},
    [TRAIN_KL_STOP] = {"train.kl_stop", 1, 1e-9},
    [TRAIN_BETA1] = {"train.beta1", 0.9, 0.5},
    [TRAIN_BETA2] = {"train.beta2", 0.999, 0.9},
    [TRAIN_EPS] = {"train.eps", 1e-5, 0.1},
    [TRAIN_DECAY] = {"train.decay", 1e-3, 0.5},
    [TRAIN_RHO_CLIP] = {"train.rho_clip", 1, 0.2},
    [TRAIN_C_CLIP] = {"train.c_clip", 1, 0.2},
    [TRAIN_EPS_GREEDY] = {"train.eps_greedy", 0.01, 0.9},
    [TRAIN_NOVELTY] = {"train.novelty", 0.01, 0.5},
    [TRAIN_REWARD_CLIP] = {"train.reward_clip", 1, 0.1},
};

static bool open_with(probe *p, const char *key, const char *value) {
    char line[400];
    snprintf(line, sizeof line,
             "train.steps=%d train.epochs=3 train.recompute=true train.rate=0.003 "
             "train.normalise_observation=true %s=%s",
             TOTAL * BATCH, key, value);
    return probe_open(p, "twostep", line);
}

typedef double form_value(double a, double b, double p);

static double constant_at(double a, double b, double p) {
    (void)b;
    (void)p;
    return a;
}

static double linear_at(double a, double b, double p) {
    return a + (b - a) * p;
}

static double log_at(double a, double b, double p) {
    return a * pow(b / a, p);
}

static double cosine_at(double a, double b, double p) {
    return b + (a - b) * 0.5 * (1.0 + cos(p * acos(-1.0)));
}

static double step_at(double a, double b, double p) {
    return p < 0.5 ? a : b;
}

static double piecewise_at(double a, double b, double p) {
    return p <= 0.25 ? a : p >= 0.5 ? b : a + (b - a) * (p - 0.25) / 0.25;
}

/* Every kind of schedule for every coefficient: its value in update u is that of u finished
 * updates. */
TEST(schedules_follow_finished_updates_for_every_coefficient) {
    static const struct {
        const char *format;
        form_value *value;
    } forms[] = {
        {"%.9g", constant_at},
        {"const(%.9g)", constant_at},
        {"linear(%.9g,%.9g)", linear_at},
        {"log(%.9g,%.9g)", log_at},
        {"cosine(%.9g,%.9g)", cosine_at},
        {"step(%.9g,%.9g,0.5)", step_at},
        {"piecewise(0.25:%.9g,0.5:%.9g)", piecewise_at},
        {"%.9g+(%.9g-%.9g)*min(u/4,1)", linear_at},
    };
    for (int c = 0; c < TRAIN_COEFFICIENTS; c++) {
        double a = coefficients[c].from, b = coefficients[c].to;
        for (size_t f = 0; f < sizeof forms / sizeof forms[0]; f++) {
            char text[200];
            probe p;
            snprintf(text, sizeof text, forms[f].format, a, b, a);
            NEED(open_with(&p, coefficients[c].key, text));
            for (int u = 0; u < TOTAL; u++) {
                CHECK(probe_run(&p, 1) == LU_OK);
                double want = forms[f].value(a, b, (double)u / TOTAL);
                CHECK_NEAR(p.train->coefficient[c], want, 1e-12 + 1e-9 * fabs(want));
            }
            probe_close(&p);
        }
    }
}

/* A value that changes at half of the run changes the third update, and no earlier one. */
TEST(every_coefficient_changes_what_is_learned) {
    for (int c = 0; c < TRAIN_COEFFICIENTS; c++) {
        char text[200];
        probe plain, changed;
        snprintf(text, sizeof text, "%.9g", coefficients[c].from);
        NEED(open_with(&plain, coefficients[c].key, text));
        snprintf(text, sizeof text, "step(%.9g,%.9g,0.5)", coefficients[c].from,
                 coefficients[c].to);
        NEED(open_with(&changed, coefficients[c].key, text));
        CHECK(probe_run(&plain, 2) == LU_OK && probe_run(&changed, 2) == LU_OK);
        CHECK_HEX(lu_trainer_hash(changed.train), lu_trainer_hash(plain.train));
        CHECK(probe_run(&plain, 1) == LU_OK && probe_run(&changed, 1) == LU_OK);
        if (lu_trainer_hash(changed.train) == lu_trainer_hash(plain.train)) {
            lu_test_fail(__FILE__, __LINE__, "%s changed nothing", coefficients[c].key);
        }
        probe_close(&plain);
        probe_close(&changed);
    }
}

/* ---- KL stop ---- */

TEST(a_large_kl_stops_between_epochs) {
    const char *base = "train.epochs=8 train.rate=0.01 train.clip=10 train.steps=4096";
    char line[200];
    probe free_run, stopped, short_run;
    NEED(probe_open(&free_run, "choice", base));
    CHECK(probe_run(&free_run, 1) == LU_OK);
    CHECK_INT(figure_of(&free_run, "epochs"), 8);

    /* half of what eight epochs reach is passed on the way */
    snprintf(line, sizeof line, "%s train.kl_stop=%.9g", base, 0.5 * figure_of(&free_run, "kl"));
    NEED(probe_open(&stopped, "choice", line));
    CHECK(probe_run(&stopped, 1) == LU_OK);
    CHECK(figure_of(&stopped, "epochs") > 1 && figure_of(&stopped, "epochs") < 8);
    CHECK(figure_of(&stopped, "kl") > 0.5 * figure_of(&free_run, "kl"));
    CHECK_INT(stopped.stats.minibatches, figure_of(&stopped, "epochs") * (BATCH / 256));

    /* what was learned is what so many epochs learn */
    snprintf(line, sizeof line, "%s train.epochs=%.0f", base, figure_of(&stopped, "epochs"));
    NEED(probe_open(&short_run, "choice", line));
    CHECK(probe_run(&short_run, 1) == LU_OK);
    CHECK_HEX(lu_trainer_hash(stopped.train), lu_trainer_hash(short_run.train));
    probe_close(&free_run);
    probe_close(&stopped);
    probe_close(&short_run);
}

/* ---- entropy by head ---- */

/* A cost far above the reward keeps the head it is for at its largest entropy; the other learns. */
TEST(entropy_is_rewarded_head_by_head) {
    probe p;
    NEED(probe_open(&p, "lock", "train.entropy=5 train.entropy_heads=0,1 train.steps=60000"));
    CHECK(probe_run(&p, 0) == LU_OK);
    CHECK(p.stats.head_entropy[1] > 0.9 * log(3.0));
    CHECK(p.stats.head_entropy[0] < 0.3);
    probe_close(&p);
    NEED(probe_open(&p, "lock", "train.entropy=5 train.entropy_heads=1,0 train.steps=60000"));
    CHECK(probe_run(&p, 0) == LU_OK);
    CHECK(p.stats.head_entropy[0] > 0.9 * log(2.0));
    CHECK(p.stats.head_entropy[1] < 0.3);
    probe_close(&p);
}

/* ---- prioritised segments ---- */

enum { SEGMENT = 8 };

static size_t unit_at(const ppo_trainer *t, int unit, int step) {
    int group = unit / t->base.rows, row = unit % t->base.rows;
    return (size_t)(group * SEGMENT + step) * (size_t)t->base.rows + (size_t)row;
}

/* Advantages of one sign and size for each segment; the last but one has none at all. */
static void set_advantages(const ppo_trainer *t, double *sums) {
    for (int u = 0; u < t->units; u++) {
        double size = u == t->units - 2 ? 0.0 : 0.1 + 0.05 * (u % 29);
        sums[u] = 0.0;
        for (int step = 0; step < SEGMENT; step++) {
            float a = (float)(step % 2 ? size : -size);
            t->batch.advantage[unit_at(t, u, step)] = a;
            sums[u] += fabs((double)a);
        }
    }
}

static void check_weights(ppo_trainer *t, const double *chance, double beta) {
    ppo_epoch_begin(t, 0);
    ppo_minibatch_begin(t, 0);
    for (int i = 0; i < t->mini.units; i++) {
        double want = pow(t->units * chance[t->mini.index[i]], -beta);
        CHECK_NEAR((double)t->mini.weight[i], want, 1e-5 * want);
    }
}

TEST(segments_are_drawn_by_their_advantages) {
    probe p;
    NEED(probe_open(&p, "tmaze",
                    "train.environments=32 train.segment=8 train.prioritise=0.6 "
                    "train.prioritise_beta=0.3 train.steps=4096"));
    CHECK(probe_run(&p, 1) == LU_OK);
    ppo_trainer *t = ppo_of(p.train);
    enum { UNITS = 64, ROUNDS = 4000 };
    NEED(t->units == UNITS && t->unit_steps == SEGMENT);
    double sums[UNITS], chance[UNITS], total = 0.0, seen[UNITS] = {0}, drawn = 0.0;
    set_advantages(t, sums);
    for (int u = 0; u < UNITS; u++) {
        chance[u] = pow(sums[u] + 1e-6, 0.6);
        total += chance[u];
    }
    for (int u = 0; u < UNITS; u++) {
        chance[u] /= total;
    }
    for (int round = 0; round < ROUNDS; round++) {
        ppo_epoch_begin(t, round);
        for (int m = 0; m < t->minibatches; m++) {
            ppo_minibatch_begin(t, m);
            for (int i = 0; i < t->mini.units; i++) {
                seen[t->mini.index[i]]++;
                drawn++;
            }
        }
    }
    double chi = 0.0;
    for (int u = 0; u < UNITS; u++) {
        double want = drawn * chance[u];
        chi += (seen[u] - want) * (seen[u] - want) / want;
    }
    CHECK(chi < 120.0); /* 63 degrees of freedom: beyond 1 in 10^5 */

    /* the bias is undone by (N p)^-beta, all of it at the end */
    t->base.updates = 0;
    check_weights(t, chance, 0.3);
    t->base.updates = t->base.updates_total / 2;
    check_weights(t, chance, 0.65);
    t->base.updates = t->base.updates_total;
    check_weights(t, chance, 1.0);
    probe_close(&p);
}

/* The weights reach the loss, and a run that draws segments still learns. */
TEST(drawn_segments_are_weighted_and_learn) {
    probe none, all, learned;
    const char *base = "net.memory=mingru train.prioritise=0.8 train.prioritise_beta=%s";
    char line[200];
    snprintf(line, sizeof line, base, "0");
    NEED(probe_open(&none, "tmaze", line));
    snprintf(line, sizeof line, base, "1");
    NEED(probe_open(&all, "tmaze", line));
    CHECK(probe_run(&none, 1) == LU_OK && probe_run(&all, 1) == LU_OK);
    CHECK(lu_trainer_hash(none.train) != lu_trainer_hash(all.train));
    NEED(
        probe_open(&learned, "tmaze", "net.memory=mingru train.prioritise=0.6 train.steps=160000"));
    CHECK(probe_run(&learned, 0) == LU_OK);
    CHECK(learned.stats.episode_return > 0.95);
    probe_close(&none);
    probe_close(&all);
    probe_close(&learned);
}

/* ---- the clips, as the trainer wires them ---- */

/* Advantages anew, from what the last epoch saw: its values, and its ratios held down by the clips
 * of V-trace. */
TEST(later_epochs_use_the_clips_of_v_trace) {
    probe p;
    NEED(probe_open(&p, "twostep",
                    "train.epochs=2 train.recompute=true train.rate=0.02 train.clip=10 "
                    "train.rho_clip=0.9 train.c_clip=0.7 train.gamma=0.8 train.lambda=0.6"));
    CHECK(probe_run(&p, 1) == LU_OK);
    ppo_trainer *t = ppo_of(p.train);
    const ppo_batch *b = &t->batch;
    ppo_advantages(t, true);
    int above = 0, below = 0;
    for (int row = 0; row < t->base.rows; row++) {
        double after = 0.0;
        for (int step = t->base.horizon - 1; step >= 0; step--) {
            size_t at = (size_t)step * (size_t)t->base.rows + (size_t)row;
            double value = (double)b->now_value[at],
                   next = (double)b->now_value[at + (size_t)t->base.rows];
            double ratio = exp((double)b->now_log_probability[at] - (double)b->log_probability[at]);
            above += ratio > 0.9;
            below += ratio < 0.7;
            if (b->flags[at] & (LU_END_TERMINATED | LU_END_TRUNCATED)) {
                next = after = 0.0; /* twostep is never cut off */
            }
            double delta = (double)b->reward[at] + 0.8 * next - value;
            after = fmin(ratio, 0.9) * delta + 0.8 * 0.6 * fmin(ratio, 0.7) * after;
            CHECK_NEAR((double)b->advantage[at], after, 1e-5);
            CHECK_NEAR((double)b->target[at], after + value, 1e-5);
        }
    }
    CHECK(above > 0 && below > 0);
    probe_close(&p);
}
