/* Short trainings of every algorithm with every kind of net, each with the hash of the weights it
 * ends with: what moves code without changing a bit leaves them equal. One list per set of games,
 * tests/trainings/SET.txt, a line per training: HASH ALGORITHM GAME [KEY=VALUE...] on top of the
 * settings below. Each is trained by one thread and by three, with the same hash.
 *   training_SET_test [--write] [FILTER...]   --write puts the hashes of today into the list; a
 *                                             filter is a part of a line
 * Only weights are hashed: nothing of how files, states or settings are laid out. */
#include "ludus/algorithm.h"
#include "ludus/clock.h"
#include "ludus/file.h"
#include "ludus/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { UPDATES = 6, LIST_LIMIT = 1 << 20 };

static const char *const small[][2] = {
    {"ppo", "train.environments=12 train.horizon=16 train.minibatch=64 train.epochs=2 "
            "train.steps=10000 net.hidden=24"},
    {"dqn", "dqn.environments=12 dqn.horizon=4 dqn.minibatch=48 dqn.rounds=4 dqn.steps=10000 "
            "dqn.replay=2000 dqn.warmup=96 dqn.target_every=5 net.hidden=24"},
};

typedef struct training {
    const lu_algorithm *algorithm;
    const lu_game *game;
    lu_settings *settings;
    lu_trainer *trainer;
} training;

static lu_status set_words(lu_settings *settings, const char *words, lu_error *error) {
    char text[1024], *rest = text;
    lu_status status = LU_OK;
    snprintf(text, sizeof text, "%s", words);
    for (char *pair; status == LU_OK && (pair = strtok_r(rest, " ", &rest));) {
        status = lu_settings_set_pair(settings, pair, LU_FROM_FLAG, "the list", error);
    }
    return status;
}

static lu_status set_all(training *t, const char *words, int threads, lu_error *error) {
    char pair[64];
    lu_status status = LU_BAD_VALUE;
    for (size_t i = 0; i < sizeof small / sizeof small[0]; i++) {
        if (strcmp(small[i][0], t->algorithm->name) == 0) {
            status = set_words(t->settings, small[i][1], error);
        }
    }
    snprintf(pair, sizeof pair, "%s.threads=%d", t->algorithm->prefix, threads);
    LU_THEN(status, set_words(t->settings, pair, error));
    LU_THEN(status, set_words(t->settings, words, error));
    if (status == LU_OK && t->algorithm->profile) {
        status = t->algorithm->profile(t->settings, error);
    }
    return status;
}

/* Opens, trains, hashes and closes what a line says behind its hash. */
static lu_status train(const char *line, int threads, uint64_t *hash, lu_error *error) {
    char algorithm[32], game[64];
    int behind = 0;
    training t = {0};
    if (sscanf(line, "%31s %63s %n", algorithm, game, &behind) < 2) {
        return lu_fail(error, LU_BAD_DATA, "a line is HASH ALGORITHM GAME [KEY=VALUE...]");
    }
    t.algorithm = lu_algorithm_find(algorithm, error);
    t.game = t.algorithm ? lu_game_find(game, error) : NULL;
    if (!t.game) {
        return LU_BAD_DATA;
    }
    t.settings = lu_game_settings(t.game);
    lu_settings_add(t.settings, *t.algorithm->table);
    lu_settings_add(t.settings, lu_net_table);
    lu_status status = set_all(&t, line + behind, threads, error);
    t.trainer = status == LU_OK ? t.algorithm->make(t.game, t.settings, NULL, error) : NULL;
    status = t.trainer ? LU_OK : LU_FAILED;
    for (int i = 0; status == LU_OK && i < UPDATES; i++) {
        lu_progress progress;
        status = lu_trainer_update(t.trainer, &progress, error);
    }
    if (status == LU_OK) {
        lu_net *net = lu_trainer_net(t.trainer);
        *hash = lu_hash(lu_net_block(net), lu_net_parameters(net) * sizeof(float), 0);
    }
    if (t.trainer) {
        lu_trainer_delete(t.trainer);
    }
    lu_settings_delete(t.settings);
    return status;
}

/* One line of the report; *hash is that of one thread. */
static bool judge(const char *line, uint64_t expected, bool write, uint64_t *hash) {
    lu_error error = {0};
    uint64_t other = 0;
    double began = lu_clock_seconds();
    lu_status status = train(line, 1, hash, &error);
    LU_THEN(status, train(line, 3, &other, &error));
    bool good = status == LU_OK && *hash == other && (write || *hash == expected);
    printf("%s %8.3f s  training %s\n", good ? "ok  " : "FAIL", lu_clock_seconds() - began, line);
    if (status != LU_OK) {
        printf("    %s\n", error.text);
    } else if (!good) {
        printf("    weights %016llx by one thread, %016llx by three, %016llx in the list\n",
               (unsigned long long)*hash, (unsigned long long)other, (unsigned long long)expected);
    }
    return good;
}

static bool wanted(const char *line, int count, char **words) {
    int filters = 0;
    for (int i = 1; i < count; i++) {
        bool filter = strcmp(words[i], "--write") != 0;
        if (filter && strstr(line, words[i])) {
            return true;
        }
        filters += filter;
    }
    return filters == 0;
}

/* Walks the lines of the list and writes them, with the hashes that hold now, to `out`. */
static size_t walk(char *text, int count, char **words, bool write, char *out, int *passed,
                   int *failed) {
    size_t used = 0;
    for (char *rest = text, *line; (line = strsep(&rest, "\n"));) {
        unsigned long long expected = 0;
        uint64_t hash = 0;
        int behind = 0;
        bool is_training = line[0] != '#' && sscanf(line, "%16llx %n", &expected, &behind) == 1;
        if (is_training && wanted(line, count, words)) {
            bool good = judge(line + behind, expected, write, &hash);
            *(good ? passed : failed) += 1;
            expected = good ? hash : expected;
        }
        if (is_training) {
            used += (size_t)sprintf(out + used, "%016llx ", expected);
        }
        used += (size_t)sprintf(out + used, rest ? "%s\n" : "%s", line + behind);
    }
    return used;
}

int main(int count, char **words) {
    const char *path = LU_SOURCE_DIR "/tests/trainings/" LU_SET ".txt";
    char *text = NULL;
    size_t length = 0;
    int passed = 0, failed = 0;
    bool write = false;
    lu_error error;
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (int i = 1; i < count; i++) {
        write |= strcmp(words[i], "--write") == 0;
    }
    if (lu_file_read(path, LIST_LIMIT, &text, &length, &error) != LU_OK) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    char *out = lu_alloc_zero(18 * length + 1, 1); /* a line grows by a hash at most */
    size_t used = walk(text, count, words, write, out, &passed, &failed);
    if (write && lu_file_write(path, out, used, &error) != LU_OK) {
        fprintf(stderr, "%s\n", error.text);
        failed++;
    }
    free(out);
    free(text);
    printf("%d passed, %d failed\n", passed, failed);
    return failed || passed == 0;
}
