/* ludus conform: the battery every game gets for free. */
#include "call_episode.h"
#include "output.h"
#include "ticker.h"

#include "ludus/conform.h"
#include "ludus/file.h"

#include <string.h>

static const verb_example examples[] = {
    {"ludus conform", "every check on every game"},
    {"ludus conform prospector --only mask-agrees --steps 200000", "one check, harder"},
    {"ludus conform prospector --hash --seed 7 --steps 4000",
     "only the hash of the standard playthrough, which is equal in every build"},
    {NULL, NULL},
};

static const lu_setting options[] = {
    {"seed", LU_TEXT, "1", 0, 40, NULL, "Seed of the random playthrough, decimal or 0x hex.",
     false},
    {"steps", LU_INT, "20000", 1, 1e12, NULL, "Decisions per check.", false},
    {"threads", LU_INT, "4", 1, 1024, NULL, "Threads that must agree with one thread.", false},
    {"only", LU_TEXT, "", 0, 100, NULL, "Runs only this check.", false},
    {"hash", LU_BOOL, "false", 0, 0, NULL, "Prints only the hash of the standard playthrough.",
     false},
    {"list", LU_BOOL, "false", 0, 0, NULL, "Lists the checks.", false},
};

typedef struct battery {
    const verb_call *call;
    const lu_game *game;
    int passed, failed, skipped;
} battery;

static void report(void *user, const lu_conform_result *result) {
    battery *b = user;
    ticker_hold();
    b->skipped += result->skipped;
    b->failed += !result->skipped && !result->passed;
    b->passed += !result->skipped && result->passed;
    const char *detail = result->detail ? result->detail : "";
    if (b->call->json) {
        lu_json json = LU_JSON_INIT;
        lu_json_object(&json);
        lu_json_key_string(&json, "game", b->game->id);
        lu_json_key_string(&json, "check", result->check);
        lu_json_key_string(&json, "sentence", result->sentence);
        lu_json_key_bool(&json, "passed", result->passed);
        lu_json_key_bool(&json, "skipped", result->skipped);
        lu_json_key_string(&json, "detail", detail);
        lu_json_key_real(&json, "seconds", result->seconds);
        out_json_end(&json);
    } else {
        style colour = result->skipped ? YELLOW : result->passed ? GREEN : RED;
        const char *word = result->skipped ? "skip" : result->passed ? "ok  " : "FAIL";
        out_line("%s%s%s %8.3f s  %s:%s%s%s\n", paint(colour), word, paint(PLAIN), result->seconds,
                 b->game->id, result->check, *detail ? "  " : "", detail);
    }
    out_flush();
    ticker_go(cell("%s, after the check %s", b->game->id, result->check));
}

static lu_status check_name(const char *only, lu_error *error) {
    const char *names[128];
    int count = lu_conform_count() < 128 ? lu_conform_count() : 128;
    for (int i = 0; i < count; i++) {
        names[i] = lu_conform_check(i, NULL);
        if (strcmp(names[i], only) == 0) {
            return LU_OK;
        }
    }
    const char *near = lu_nearest(only, names, (size_t)count);
    if (near) {
        return lu_fail(error, LU_NOT_FOUND, "there is no check '%s'; did you mean '%s'?", only,
                       near);
    }
    return lu_fail(error, LU_NOT_FOUND, "there is no check '%s'; `ludus conform --list` lists them",
                   only);
}

static void list_checks(bool json) {
    table t = table_of("lw");
    table_row(&t, "check", "what must hold");
    for (int i = 0; i < lu_conform_count(); i++) {
        const char *sentence = "", *name = lu_conform_check(i, &sentence);
        if (json) {
            lu_json line = LU_JSON_INIT;
            lu_json_object(&line);
            lu_json_key_string(&line, "check", name);
            lu_json_key_string(&line, "sentence", sentence);
            out_json_end(&line);
        } else {
            table_row(&t, name, sentence);
        }
    }
    if (!json) {
        table_print(&t);
    }
    table_free(&t);
}

static lu_status print_hash(const verb_call *call, const lu_game *game, uint64_t seed,
                            lu_error *error) {
    lu_episode e;
    lu_status status = call_open_episode(call, game, NULL, &e, error);
    if (status == LU_OK) {
        ticker_go(cell("%s, the standard playthrough", game->id));
        uint64_t hash =
            lu_conform_hash(game, e.rules, seed, lu_settings_int(call->settings, "steps"));
        ticker_hold();
        if (call->json) {
            out_format("{\"game\":\"%s\",\"hash\":\"%016llx\"}\n", game->id,
                       (unsigned long long)hash);
        } else if (call->game) {
            out_format("%016llx\n", (unsigned long long)hash);
        } else {
            out_format("%-24s %016llx\n", game->id, (unsigned long long)hash);
        }
        lu_episode_close(&e);
    }
    return status;
}

static void check_game(battery *b, const lu_game *game, uint64_t seed) {
    const verb_call *call = b->call;
    lu_settings *settings = call_game_settings(call, game);
    lu_conform_options o = lu_conform_default();
    const char *only = lu_settings_text_of(call->settings, "only");
    lu_text golden = LU_TEXT_INIT;
    bool variant = lu_game_find(game->name, NULL) != game;
    lu_text_addf(&golden, variant ? "%s/games/%s/golden-%s.txt" : "%s/games/%s/golden.txt",
                 lu_home() ? lu_home() : ".", game->name, game->id);
    b->game = game;
    o.seed = seed;
    o.steps = lu_settings_int(call->settings, "steps");
    o.threads = (int)lu_settings_int(call->settings, "threads");
    o.only = *only ? only : NULL;
    o.golden = golden.text;
    o.user = b;
    o.report = report;
    bool without = !lu_file_exists(golden.text);
    if (without) {
        o.golden = NULL;
    }
    ticker_go(game->id);
    lu_conform(game, settings, &o);
    ticker_hold();
    if (without && !call->json && (!*only || strcmp(only, "golden") == 0)) {
        note("%s has no golden playthrough yet: ludus golden %s --write", game->id, game->id);
    }
    lu_text_free(&golden);
    lu_settings_delete(settings);
}

static lu_status run(verb_call *call, lu_error *error) {
    battery b = {.call = call};
    uint64_t seed;
    const char *only = lu_settings_text_of(call->settings, "only");
    if (lu_settings_bool(call->settings, "list")) {
        list_checks(call->json);
        return LU_OK;
    }
    lu_status status = call_seed(call, &seed, error);
    if (status == LU_OK && *only) {
        status = check_name(only, error);
    }
    for (int i = 0; i < lu_game_count() && status == LU_OK; i++) {
        const lu_game *game = lu_game_at(i);
        if (call->game && call->game != game) {
            continue;
        }
        if (lu_settings_bool(call->settings, "hash")) {
            status = print_hash(call, game, seed, error);
        } else {
            check_game(&b, game, seed);
        }
        if (status == LU_OK && interrupted()) {
            status = lu_fail(error, LU_INTERRUPTED, "interrupted");
        }
    }
    if (status != LU_OK || lu_settings_bool(call->settings, "hash")) {
        return status;
    }
    if (call->json) {
        out_format("{\"schema\":1,\"passed\":%d,\"failed\":%d,\"skipped\":%d}\n", b.passed,
                   b.failed, b.skipped);
    } else {
        out_format("%d passed, %d failed%s\n", b.passed, b.failed,
                   b.skipped ? cell(", %d skipped", b.skipped) : "");
    }
    if (b.failed > 0) {
        return lu_fail(error, LU_CHECK_FAILED, "%d of %d checks failed", b.failed,
                       b.passed + b.failed);
    }
    return LU_OK;
}

const verb verb_conform = {
    .name = "conform",
    .usage = "conform [GAME] [--only CHECK] [--steps N] [--hash] [--json]",
    .sentence = "Runs the checks that every game must pass.",
    .examples = examples,
    .options = VERB_OPTIONS("conform", options),
    .game = VERB_GAME_MAYBE,
    .game_settings = true,
    .json = true,
    .run = run,
};
