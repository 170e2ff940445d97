/* What a trainer promises whatever it learns: the same bits for any number of threads and after a
 * resume, no allocation while it runs, a first minibatch that has not moved, a stop at NaN. */
#include "ppo_internal.h"
#include "probe_test.h"

#include "ludus/file.h"
#include "ludus/hash.h"
#include "ludus/tensors.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* counted by the linker's wrap: see src/env/alloc_count.c */
int64_t lu_alloc_live(void);

/* One line per kind of net, order, optimiser and normalisation. */
static const probe_kind kinds[] = {
    {"twostep", "train.epochs=2 train.normalise_observation=true train.normalise_return=true"},
    {"tmaze", "net.memory=mingru train.segment=8 train.normalise_observation=true"},
    {"tmaze", "net.memory=lstm train.prioritise=0.8 train.optimiser=muon"},
    {"pennies", "train.recompute=true train.kl_stop=0.01 train.normalise_advantage=batch"},
    {"secret", "net.critic=separate train.normalise_observation=true train.environments=67"},
    {"crowd", "net.encoder=entity net.precision=bf16 train.minibatch=1000"},
    {"turnabout", "net.memory=mingru net.encoder=flat train.environments=33"},
    {"ghost", "train.environments=150 train.normalise_observation=true"},
    {"ghost", "net.precision=bf16 train.environments=70 train.normalise_observation=true"},
    {"ticks", "train.normalise_return=true"},
    {"cutoff", "net.memory=mingru train.profile=classic"},
    {"echo", "net.heads=autoregressive net.head_hidden=17,12 train.normalise_observation=true"},
    {"lock", "net.heads=autoregressive net.memory=mingru net.precision=bf16 train.segment=8"},
    {"turnabout", "net.heads=autoregressive net.critic=separate train.environments=33"},
    {"sight", "net.hidden=128 net.layers=2 net.products=strassen train.minibatch=1000"},
};
enum { KINDS = sizeof kinds / sizeof kinds[0], STRASSEN = KINDS - 1 };

/* Cut into parts. */
static const probe_kind cut[] = {
    {"twostep", "train.parts=3 train.environments=36 train.normalise_observation=true "
                "train.normalise_return=true train.epochs=2"},
    {"tmaze", "train.parts=2 net.memory=mingru train.prioritise=0.8 train.optimiser=muon"},
    {"pennies", "train.parts=4 train.recompute=true train.normalise_advantage=batch"},
};
enum { CUT = sizeof cut / sizeof cut[0] };

TEST(the_same_bits_for_any_number_of_threads) {
    for (int kind = 0; kind < KINDS; kind++) {
        probe_check_threads(&probe_ppo, &kinds[kind], getenv("LUDUS_TEST_LONG") ? 50 : 4);
    }
    for (int kind = 0; kind < CUT; kind++) {
        probe_check_threads(&probe_ppo, &cut[kind], 4);
    }
}

/* One whose minibatches have more gradient shards than threads, and one with fewer. */
TEST(the_same_bits_for_many_threads) {
    const probe_kind large = {"sight", "train.environments=512 train.minibatch=8192 "
                                       "train.horizon=32"};
    probe_check_many_threads(&probe_ppo, &large, 2);
    probe_check_many_threads(&probe_ppo, &kinds[0], 4);
}

/* A difference of one bit grows: the kinds with memory, whose states it would also reach. */
TEST(the_same_bits_after_fifty_updates) {
    for (int kind = 1; kind < 3; kind++) {
        uint64_t one = probe_hash_after(&probe_ppo, &kinds[kind], 1, 50);
        CHECK_HEX(probe_hash_after(&probe_ppo, &kinds[kind], 3, 50), one);
    }
}

/* Processes that keep every processor busy, so that threads are put off in the middle of a job. */
enum { LOADS = 64 };

static int load_start(pid_t *load) {
    int count = lu_cpu_count() < LOADS ? lu_cpu_count() : LOADS;
    for (int i = 0; i < count; i++) {
        load[i] = fork();
        if (load[i] == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            for (volatile unsigned busy = 0;; busy++) {
            }
        }
    }
    return count;
}

static void load_stop(const pid_t *load, int count) {
    for (int i = 0; i < count; i++) {
        if (load[i] > 0) {
            kill(load[i], SIGKILL);
            waitpid(load[i], NULL, 0);
        }
    }
}

TEST(the_same_bits_on_a_loaded_machine) {
    int kinds_tried = getenv("LUDUS_TEST_LONG") ? KINDS : 1;
    for (int kind = 0; kind < kinds_tried; kind++) {
        pid_t load[LOADS] = {0};
        uint64_t quiet = probe_hash_after(&probe_ppo, &kinds[kind], 1, 25);
        int count = load_start(load);
        CHECK(load[0] > 0);
        for (int threads = 1; threads <= 8; threads = threads == 3 ? 8 : threads + 1) {
            CHECK_HEX(probe_hash_after(&probe_ppo, &kinds[kind], threads, 25), quiet);
        }
        load_stop(load, count);
    }
}

TEST(a_resumed_run_goes_on_as_if_it_had_not_stopped) {
    static const char *const metrics[] = {"policy_loss", NULL};
    for (int kind = 0; kind < KINDS; kind++) {
        probe_check_resume(&probe_ppo, &kinds[kind], 2, 3, 1, metrics);
    }
}

TEST(a_snapshot_of_something_else_is_refused) {
    probe_check_refused(&probe_ppo, "", "net.hidden=33");
}

TEST(the_first_minibatch_has_not_moved) {
    for (int kind = 0; kind < KINDS; kind++) {
        probe p;
        NEED(probe_open(&p, kinds[kind].game, kinds[kind].settings));
        for (int update = 0; update < 3; update++) {
            CHECK(probe_run(&p, 1) == LU_OK);
            /* products of quarters learn from other last bits than those that acted */
            double near = kind == STRASSEN ? 1e-6 : 0.0;
            const lu_ppo_sums *first = &ppo_of(p.train)->learned.first;
            CHECK_NEAR(first->ratio / first->weight, 1.0, near);
            CHECK_NEAR(first->kl / first->weight, 0.0, near);
            CHECK(first->clipped == 0.0);
        }
        CHECK(figure_of(&p, "kl") > 0.0);
        CHECK(isfinite(figure_of(&p, "policy_loss")) && isfinite(figure_of(&p, "value_loss")));
        probe_close(&p);
    }
}

TEST(an_update_allocates_nothing) {
    for (int kind = 0; kind < KINDS; kind++) {
        probe_check_no_allocation(&probe_ppo, &kinds[kind], 2);
    }
}

TEST(numbers_that_are_none_stop_and_save_the_batch) {
    char path[300], line[400];
    snprintf(path, sizeof path, "%s/failed.safetensors", lu_test_folder());
    snprintf(line, sizeof line, "train.save_failed=%s train.normalise_advantage=none", path);
    probe p;
    NEED(probe_open(&p, "sight", line));
    CHECK(probe_run(&p, 1) == LU_OK);
    /* a parameter of the value alone, so that the logits stay numbers */
    lu_net *net = lu_trainer_net(p.train);
    lu_net_block(net)[lu_net_parameters(net) - 1] = NAN;
    lu_net_pack(net);
    CHECK_INT(probe_run(&p, 1), LU_DIVERGED);
    CHECK_HAS(p.error.text, "NaN or infinite");
    CHECK_HAS(p.error.text, path);
    probe_check_batch(path, 256, "parameters");

    /* and logits that are none stop the rollout */
    for (size_t i = 0; i < lu_net_parameters(net); i++) {
        lu_net_block(net)[i] = NAN;
    }
    lu_net_pack(net);
    CHECK_INT(probe_run(&p, 1), LU_DIVERGED);
    CHECK_HAS(p.error.text, "logits");
    char *bytes;
    size_t length;
    NEED(lu_file_read(path, 1 << 24, &bytes, &length, &p.error) == LU_OK);
    lu_tensors *file = lu_tensors_read(path, bytes, length, &p.error);
    NEED(file != NULL);
    const lu_tensor_entry *seen = lu_tensors_find(file, "observation");
    NEED(seen != NULL);
    const float *sight = seen->data; /* of the game "sight": -1 or 1 */
    CHECK(seen->shape[0] > 0 && seen->shape[0] <= 96);
    for (int64_t i = 0; i < seen->shape[0]; i++) {
        CHECK(sight[i] == 1.0f || sight[i] == -1.0f);
    }
    lu_tensors_close(file);
    free(bytes);
    probe_close(&p);
}

TEST(statistics_count_what_happened) {
    probe p;
    NEED(probe_open(&p, "delay", "train.threads=2 train.environments=200"));
    CHECK(probe_run(&p, 3) == LU_OK);
    CHECK_INT(p.stats.updates, 3);
    CHECK_INT(p.stats.steps, 3 * 200 * 16);
    CHECK_INT(p.stats.episodes, 200 * 4);
    CHECK_INT(p.stats.endings, 200 * 4);
    CHECK_NEAR(p.stats.episode_return, 1.0, 0.0);
    CHECK_NEAR(p.stats.info[0], 4.0, 0.0);
    CHECK_NEAR(p.stats.term[0], 0.25, 1e-12);
    CHECK_INT(p.stats.recent, 100);
    CHECK_NEAR(p.stats.recent_return, 1.0, 0.0);
    CHECK_INT(p.stats.minibatches, 2 * (200 * 16 / 256));
    CHECK(p.stats.seconds >= p.stats.rollout && lu_progress_part(&p.stats, "infer") > 0.0 &&
          lu_progress_part(&p.stats, "play") > 0.0);
    CHECK_INT(lu_trainer_rows(p.train), 200);
    probe_close(&p);
}

TEST(running_moments_are_those_of_all_rows) {
    probe p;
    NEED(probe_open(&p, "sight",
                    "train.normalise_observation=true train.normalise_return=true "
                    "train.environments=100"));
    CHECK(probe_run(&p, 4) == LU_OK);
    const lu_normaliser *n = lu_trainer_normaliser(p.train);
    NEED(n != NULL);
    CHECK_NEAR(n->count, 4 * 100 * 16, 0.0);
    /* every number is +1 or -1, and so is every return */
    CHECK_NEAR(n->square[0] / n->count + n->mean[0] * n->mean[0], 1.0, 1e-9);
    CHECK_NEAR(1.0 / lu_trainer_return_scale(p.train), sqrt(n->square[0] / n->count), 0.02);
    probe_close(&p);
}

TEST(settings_that_do_not_fit_are_refused) {
    static const struct {
        const char *key, *value, *says;
    } bad[] = {
        {"train.segment", "7", "train.segment"},
        {"train.entropy_heads", "1,2,3", "heads"},
        {"train.horizon", "65536", "train.environments"},
    };
    lu_error error;
    const lu_game *game = lu_game_find("choice", &error);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        lu_settings *settings = lu_game_settings(game);
        lu_settings_add(settings, lu_ppo_table);
        lu_settings_add(settings, lu_net_table);
        NEED(lu_settings_set(settings, "train.environments", "100k", LU_FROM_FLAG, "test",
                             &error) == LU_OK);
        NEED(lu_settings_set(settings, bad[i].key, bad[i].value, LU_FROM_FLAG, "test", &error) ==
             LU_OK);
        lu_training_need need;
        CHECK(lu_ppo_bytes_needed(game, settings, &need, &error) != LU_OK);
        CHECK_HAS(error.text, bad[i].says);
        lu_settings_delete(settings);
    }
}

TEST(the_need_of_memory_is_what_is_taken) {
    probe_check_memory(&probe_ppo, kinds, KINDS, 230000);
}

/* A question costs nothing: a net that no machine could hold is told, not tried. */
TEST(the_need_of_a_giant_is_told) {
    lu_error error;
    const lu_game *game = lu_game_find("crowd", &error);
    lu_settings *settings = lu_game_settings(game);
    lu_settings_add(settings, lu_ppo_table);
    lu_settings_add(settings, lu_net_table);
    NEED(lu_settings_set_pair(settings, "net.hidden=4096", LU_FROM_FLAG, "t", &error) == LU_OK);
    NEED(lu_settings_set_pair(settings, "net.layers=8", LU_FROM_FLAG, "t", &error) == LU_OK);
    lu_training_need need;
    int64_t before = lu_alloc_live();
    NEED(lu_ppo_bytes_needed(game, settings, &need, &error) == LU_OK);
    CHECK_INT(lu_alloc_live(), before);
    CHECK(need.part[2].value > 11.0 * 7 * 4096 * 4096 * sizeof(float));
    lu_settings_delete(settings);
}

TEST(the_classic_profile_keeps_what_was_set) {
    lu_error error;
    lu_settings *settings = lu_settings_new();
    lu_settings_add(settings, lu_ppo_table);
    lu_settings_add(settings, lu_net_table);
    NEED(lu_settings_set_pair(settings, "train.profile=classic", LU_FROM_FLAG, "t", &error) ==
         LU_OK);
    NEED(lu_settings_set_pair(settings, "train.epochs=7", LU_FROM_FLAG, "t", &error) == LU_OK);
    NEED(lu_ppo_profile(settings, &error) == LU_OK);
    CHECK_INT(lu_settings_int(settings, "train.environments"), 4);
    CHECK_INT(lu_settings_int(settings, "train.epochs"), 7);
    CHECK_INT(lu_settings_int(settings, "net.hidden"), 64);
    lu_settings_delete(settings);
}
