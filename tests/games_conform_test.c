/* The battery on every registered game, one line per game and check as the other test programs
 * print them. `games_conform_test [FILTER...]` runs the checks whose "id:check" contains a filter.
 * The decisions per check are fewer than `ludus conform` takes, yet every check that finds
 * something there finds it here; LUDUS_TEST_LONG takes as many, LUDUS_TEST_STEPS says how many. */
#include "ludus/conform.h"
#include "ludus/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct tally {
    const lu_game *game;
    int passed, failed, skipped;
} tally;

static void report(void *user, const lu_conform_result *result) {
    tally *t = user;
    const char *word = result->passed ? "ok  " : result->skipped ? "skip" : "FAIL";
    t->passed += result->passed;
    t->skipped += result->skipped;
    t->failed += !result->passed && !result->skipped;
    printf("%s %8.3f s  %s:%s%s%s\n", word, result->seconds, t->game->id, result->check,
           result->passed ? "" : "  ", result->passed ? "" : result->detail);
}

static bool wanted(const char *id, const char *check, int count, char **filters) {
    char full[256];
    snprintf(full, sizeof full, "%s:%s", id, check);
    for (int i = 1; i < count; i++) {
        if (strstr(full, filters[i])) {
            return true;
        }
    }
    return count <= 1;
}

/* Limits that random play does not reach, lowered for the check of that name. */
static void lower_limit(const lu_game *game, const char *check, lu_settings *settings) {
    static const struct {
        const char *name, *key, *value;
    } rows[] = {{"cartpole", "limit", "10"},
                {"prospector", "time_max", "30"},
                {"joker", "step_limit", "8"},
                {"craft", "max_steps", "5"},
                {"duel", "ticks_max", "60"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows && strcmp(check, "limit") == 0; i++) {
        if (strcmp(game->name, rows[i].name) == 0) {
            lu_settings_set(settings, rows[i].key, rows[i].value, LU_FROM_FLAG, "test", NULL);
        }
    }
}

int main(int argc, char **argv) {
    tally t = {0};
    lu_conform_options options = lu_conform_default();
    const char *steps = getenv("LUDUS_TEST_STEPS");
    char golden[1024];
    setvbuf(stdout, NULL, _IOLBF, 0);
    options.user = &t;
    options.report = report;
    options.steps = getenv("LUDUS_TEST_LONG") ? options.steps : 8000;
    options.golden = golden;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(NDEBUG)
    options.steps = 2000; /* slow builds look for other things than rare situations */
#endif
#ifdef __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
    options.steps = 2000;
#endif
#endif
    if (steps) {
        options.steps = strtoll(steps, NULL, 10);
    }
    for (int i = 0; i < lu_game_count(); i++) {
        t.game = lu_game_at(i);
        bool variant = lu_game_find(t.game->name, NULL) != t.game;
        snprintf(golden, sizeof golden,
                 variant ? "%s/games/%s/golden-%s.txt" : "%s/games/%s/golden.txt", LU_SOURCE_DIR,
                 t.game->name, t.game->id);
        for (int k = 0; k < lu_conform_count(); k++) {
            options.only = lu_conform_check(k, NULL);
            if (wanted(t.game->id, options.only, argc, argv)) {
                lu_settings *settings = lu_game_settings(t.game);
                lower_limit(t.game, options.only, settings);
                lu_conform(t.game, settings, &options);
                lu_settings_delete(settings);
            }
        }
    }
    printf(t.skipped ? "%d passed, %d failed, %d skipped\n" : "%d passed, %d failed\n", t.passed,
           t.failed, t.skipped);
    return t.failed || t.passed == 0;
}
