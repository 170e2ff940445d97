/* Trainers on the learning probes, and the promises of all: see probe_test.h. */
#include "probe_test.h"

#include "trainer.h"

#include "ludus/file.h"
#include "ludus/self_play.h"
#include "ludus/tensors.h"

#include <stdlib.h>

/* counted by the linker's wrap: see src/env/alloc_count.c */
uint64_t lu_alloc_count(void);
int64_t lu_alloc_live(void);

static const char *const small_ppo = "train.environments=64 train.horizon=16 train.minibatch=256 "
                                     "train.epochs=2 train.steps=80000 train.rate=linear(0.005,0) "
                                     "train.threads=1 net.hidden=32 net.layers=1 "
                                     "train.normalise_return=false "
                                     "train.normalise_observation=false";

static const char *const small_dqn =
    "dqn.environments=32 dqn.horizon=4 dqn.rounds=4 dqn.gradient_steps=4 dqn.minibatch=128 "
    "dqn.buffer=8k dqn.warmup=1k dqn.steps=32k dqn.steps_ahead=1 dqn.target_every=25 "
    "dqn.rate=linear(0.01,0) dqn.epsilon=linear(1,0) dqn.normalise_observation=false "
    "dqn.threads=1 net.hidden=32 net.layers=1";

const probe_algorithm probe_ppo = {probe_open, "train", &lu_algorithm_ppo};
const probe_algorithm probe_dqn = {dqn_probe_open, "dqn", &lu_algorithm_dqn};

static bool set_line(probe *p, const char *line) {
    char text[1024], *rest = text;
    snprintf(text, sizeof text, "%s", line);
    for (char *pair; (pair = strtok_r(rest, " ", &rest));) {
        if (lu_settings_set_pair(p->settings, pair, LU_FROM_FLAG, "test", &p->error) != LU_OK) {
            lu_test_fail(__FILE__, __LINE__, "%s", p->error.text);
            return false;
        }
    }
    return true;
}

static bool open_by(probe *p, const lu_algorithm *a, const char *small, const char *name,
                    const char *settings) {
    memset(p, 0, sizeof *p);
    const lu_game *game = lu_game_find(name, &p->error);
    if (!game) {
        lu_test_fail(__FILE__, __LINE__, "%s", p->error.text);
        return false;
    }
    p->settings = lu_game_settings(game);
    lu_settings_add(p->settings, *a->table);
    lu_settings_add(p->settings, lu_net_table);
    if (strstr(settings, "self_play.")) {
        lu_settings_add(p->settings, lu_self_play_table);
    }
    const char *number = getenv("LUDUS_TEST_SEED");
    char seed[64];
    snprintf(seed, sizeof seed, "%s.seed=%s", a->prefix, number ? number : "1");
    bool good = set_line(p, small) && set_line(p, seed) && set_line(p, settings) &&
                (!a->profile || a->profile(p->settings, &p->error) == LU_OK);
    p->train = good ? a->make(game, p->settings, NULL, &p->error) : NULL;
    if (!p->train) {
        lu_test_fail(__FILE__, __LINE__, "%s: %s", name, p->error.text);
        probe_close(p);
        return false;
    }
    return true;
}

bool probe_open(probe *p, const char *game, const char *settings) {
    return open_by(p, &lu_algorithm_ppo, small_ppo, game, settings);
}

bool dqn_probe_open(probe *p, const char *game, const char *settings) {
    return open_by(p, &lu_algorithm_dqn, small_dqn, game, settings);
}

void probe_close(probe *p) {
    lu_trainer_delete(p->train);
    lu_settings_delete(p->settings);
    p->train = NULL;
    p->settings = NULL;
}

lu_status probe_run(probe *p, int most) {
    lu_status status = LU_OK;
    for (int i = 0; status == LU_OK && !lu_trainer_done(p->train) && (most == 0 || i < most); i++) {
        status = lu_trainer_update(p->train, &p->stats, &p->error);
    }
    return status;
}

bool probe_solve(probe *p, bool (*open)(probe *, const char *, const char *), const char *game,
                 const char *settings) {
    if (!open(p, game, settings)) {
        return false;
    }
    lu_status status = probe_run(p, 0);
    if (status != LU_OK) {
        lu_test_fail(__FILE__, __LINE__, "%s: %s", game, p->error.text);
        probe_close(p);
    }
    CHECK_INT(p->stats.illegal, 0);
    return status == LU_OK;
}

/* ---- promises ---- */

uint64_t probe_hash_after(const probe_algorithm *a, const probe_kind *kind, int threads,
                          int updates) {
    char line[400];
    probe p;
    snprintf(line, sizeof line, "%s %s.steps=1M %s.threads=%d", kind->settings, a->prefix,
             a->prefix, threads);
    if (!a->open(&p, kind->game, line)) {
        return (uint64_t)threads;
    }
    p.train->shared_work = 0.0; /* the probes are too small to be shared otherwise */
    CHECK(probe_run(&p, updates) == LU_OK);
    uint64_t hash = lu_trainer_hash(p.train);
    probe_close(&p);
    return hash;
}

void probe_check_threads(const probe_algorithm *a, const probe_kind *kind, int updates) {
    uint64_t one = probe_hash_after(a, kind, 1, updates);
    CHECK_HEX(probe_hash_after(a, kind, 2, updates), one);
    CHECK_HEX(probe_hash_after(a, kind, 3, updates), one);
    CHECK_HEX(probe_hash_after(a, kind, 8, updates), one);
}

void probe_check_many_threads(const probe_algorithm *a, const probe_kind *kind, int updates) {
    uint64_t one = probe_hash_after(a, kind, 1, updates);
    CHECK_HEX(probe_hash_after(a, kind, 16, updates), one);
    CHECK_HEX(probe_hash_after(a, kind, 32, updates), one);
}

void probe_check_resume(const probe_algorithm *a, const probe_kind *kind, int first, int second,
                        int stray, const char *const *metrics) {
    probe whole, part, rest;
    NEED(a->open(&whole, kind->game, kind->settings));
    CHECK(probe_run(&whole, first + second) == LU_OK);
    NEED(a->open(&part, kind->game, kind->settings));
    CHECK(probe_run(&part, first) == LU_OK);
    size_t length = lu_trainer_snapshot_bytes(part.train);
    unsigned char *bytes = malloc(length);
    lu_trainer_save(part.train, bytes);
    probe_close(&part);

    char line[400];
    snprintf(line, sizeof line, "%s %s.threads=2", kind->settings, a->prefix);
    NEED(a->open(&rest, kind->game, line));
    rest.train->shared_work = 0.0;
    CHECK(probe_run(&rest, stray) == LU_OK); /* a load replaces whatever was there */
    NEED(lu_trainer_load(rest.train, bytes, length, &rest.error) == LU_OK);
    CHECK_INT(lu_trainer_updates(rest.train), first);
    CHECK(probe_run(&rest, second) == LU_OK);
    CHECK_HEX(lu_trainer_hash(rest.train), lu_trainer_hash(whole.train));
    for (; *metrics; metrics++) {
        CHECK(figure_of(&rest, *metrics) == figure_of(&whole, *metrics));
    }
    CHECK(rest.stats.recent_return == whole.stats.recent_return);
    CHECK_INT(rest.stats.steps, whole.stats.steps);
    CHECK(whole.stats.minibatches > 0);
    free(bytes);
    probe_close(&whole);
    probe_close(&rest);
}

void probe_check_refused(const probe_algorithm *algorithm, const char *mine, const char *other) {
    probe a, b;
    NEED(algorithm->open(&a, "choice", mine));
    NEED(algorithm->open(&b, "choice", other));
    size_t length = lu_trainer_snapshot_bytes(a.train);
    unsigned char *bytes = malloc(length);
    lu_trainer_save(a.train, bytes);
    uint64_t before = lu_trainer_hash(b.train);
    CHECK_INT(lu_trainer_load(b.train, bytes, length, &b.error), LU_OTHER_SPEC);
    CHECK_INT(lu_trainer_load(a.train, bytes, length - 1, &a.error), LU_DAMAGED_FILE);
    CHECK_INT(lu_trainer_load(a.train, bytes, 3, &a.error), LU_FOREIGN_FILE);
    bytes[7]--; /* of an older version */
    CHECK_INT(lu_trainer_load(a.train, bytes, length, &a.error), LU_OTHER_SPEC);
    CHECK(strstr(a.error.text, "older version") != NULL);
    bytes[0] ^= 1;
    CHECK_INT(lu_trainer_load(a.train, bytes, length, &a.error), LU_FOREIGN_FILE);
    CHECK_HEX(lu_trainer_hash(b.train), before);
    free(bytes);
    probe_close(&a);
    probe_close(&b);
}

void probe_check_no_allocation(const probe_algorithm *a, const probe_kind *kind, int updates) {
    probe p;
    NEED(a->open(&p, kind->game, kind->settings));
    uint64_t before = lu_alloc_count();
    CHECK(probe_run(&p, updates) == LU_OK);
    CHECK(p.stats.minibatches > 0);
    CHECK_INT(lu_alloc_count() - before, 0);
    probe_close(&p);
}

void probe_check_memory(const probe_algorithm *a, const probe_kind *kinds, int count,
                        int64_t bound) {
    int64_t least = INT64_MAX, most = 0;
    for (int kind = 0; kind < count; kind++) {
        char line[400];
        probe p;
        lu_training_need need;
        snprintf(line, sizeof line, "net.hidden=150 %s.threads=3 %s", a->prefix,
                 kinds[kind].settings);
        NEED(a->open(&p, kinds[kind].game, line));
        const lu_game *game = lu_net_game(lu_trainer_net(p.train));
        NEED(a->algorithm->bytes_needed(game, p.settings, &need, &p.error) == LU_OK);
        CHECK(need.part[0].value + need.part[1].value + need.part[2].value == (double)need.total);
        lu_trainer_delete(p.train);
        p.train = NULL;

        int64_t before = lu_alloc_live();
        p.train = a->algorithm->make(game, p.settings, NULL, &p.error);
        NEED(p.train != NULL);
        int64_t taken = lu_alloc_live() - before;
        /* states of environments are mapped, not allocated */
        const char *first = lu_vec_state(lu_trainer_vec(p.train), 0);
        const char *second = lu_vec_state(lu_trainer_vec(p.train), 1);
        taken += (second - first) * p.train->environments;
        int64_t more = taken - (int64_t)need.total;
        least = more < least ? more : least;
        most = more > most ? more : most;
        probe_close(&p);
    }
    CHECK(least > 0 && most < bound);
    CHECK(most - least < 4096); /* games differ in the texts of their tables */
    printf("    beside what is told: %lld to %lld bytes\n", (long long)least, (long long)most);
}

typedef struct listener {
    lu_trainer *train;
    const char *stage;
    double share;
    int stages, heard, most; /* calls until it stops the update; 0: never */
} listener;

static void listen(void *context, double share, const char *what) {
    listener *l = context;
    bool same = l->stage && strcmp(l->stage, what) == 0;
    CHECK(share >= 0.0 && share <= 1.0 && (!same || share >= l->share));
    l->stages += !same;
    l->stage = what;
    l->share = share;
    l->heard++;
    l->train->told = 0.0; /* every call is heard */
}

static bool heard_enough(void *context) {
    const listener *l = context;
    return l->most > 0 && l->heard >= l->most;
}

void probe_check_watched(const probe_algorithm *a, const probe_kind *kind, int stages) {
    for (int most = 0; most <= 20; most += 4) {
        probe p;
        NEED(a->open(&p, kind->game, kind->settings));
        listener l = {.train = p.train, .most = most};
        lu_watch watch = {&l, heard_enough, listen};
        lu_trainer_set_watch(p.train, &watch);
        CHECK_INT(probe_run(&p, 1), most ? LU_INTERRUPTED : LU_OK);
        CHECK(most || (l.stages == stages && l.share > 0.5));
        CHECK(!most || l.heard == most);
        CHECK(most || lu_trainer_hash(p.train) == probe_hash_after(a, kind, 1, 1));
        probe_close(&p);
    }
}

void probe_check_batch(const char *path, int rows, const char *other) {
    char *bytes;
    size_t length;
    lu_error error;
    NEED(lu_file_read(path, 1 << 24, &bytes, &length, &error) == LU_OK);
    lu_tensors *file = lu_tensors_read(path, bytes, length, &error);
    NEED(file != NULL);
    const lu_tensor_entry *seen = lu_tensors_find(file, "observation");
    NEED(seen != NULL);
    CHECK_INT(seen->shape[0], rows);
    CHECK_INT(seen->shape[1], 1);
    CHECK(lu_tensors_find(file, "gradient") && lu_tensors_find(file, other));
    lu_tensors_close(file);
    free(bytes);
}
