/* ludus bench: how fast the games step on this machine, with what a figure must carry: processor,
 * date, commit, compiler. The kernels of networks are measured in bench_nn.c, training in
 * bench_train.c, the policy server in bench_policy.c. */
#include "bench.h"
#include "output.h"

#include "ludus/clock.h"
#include "ludus/cpu.h"
#include "ludus/file.h"
#include "ludus/threads.h"

#include <stdlib.h>
#include <string.h>

static const verb_example examples[] = {
    {"ludus bench", "every game"},
    {"ludus bench prospector --seconds 5 --json", "one game, measured longer, as JSON"},
    {"ludus bench duel --actions all", "uniform actions, legal or not"},
    {"ludus bench prospector --bare", "plain simulation: no observation, no mask"},
    {"ludus bench prospector --write", "saves the figures in bench/results"},
    {"ludus bench nn --seconds 1", "network kernels against the processor's peak"},
    {"ludus bench train --seconds 5", "PPO on prospector against the processor's peak"},
    {"ludus bench policy --seconds 3", "answers per second of `ludus serve-policy`"},
    {NULL, NULL},
};

static const lu_setting options[] = {
    {"environments", LU_INT, "256", 1, 1048576, NULL,
     "Total environments; each thread owns and steps its share.", false},
    {"threads", LU_INT, "0", 0, 1024, NULL, "Threads to compare with one thread; 0: all CPUs.",
     false},
    {"seconds", LU_REAL, "2", 0.01, 3600, NULL, "Time measured per number of threads.", false},
    {"repeats", LU_INT, "40", 1, 1000, NULL,
     "Rounds that the time is divided into; the best one counts.", false},
    {"instructions", LU_BOOL, "true", 0, 0, NULL,
     "Counts instructions per decision with callgrind or perf.", false},
    {"count", LU_INT, "0", 0, 1e12, NULL,
     "Plays this many decisions on one thread and prints a hash of all states: the run whose "
     "instructions are counted.",
     false},
    {"bare", LU_BOOL, "false", 0, 0, NULL,
     "Steps only, with legal actions recorded beforehand: no observation, no mask.", false},
    {"actions", LU_ENUM, "auto", 0, 0, "auto|all|legal",
     "Uniform over all options, or over legal ones recorded beforehand; auto: legal ones in "
     "multiplayer games, whose episodes depend on what both players do.",
     false},
    {"write", LU_BOOL, "false", 0, 0, NULL, "Writes bench/results/GAME-PROCESSOR.json.", false},
    {"peer", LU_TEXT, "", 0, 0, NULL,
     "Python interpreters with torch that `bench train` compares with, as commands separated by "
     "commas.",
     false},
    {"rows", LU_INT, "96", 1, 65536, NULL, "Rows of the matrix products that `bench nn` measures.",
     false},
    {"model", LU_TEXT, "", 0, 4000, NULL,
     "Model that `bench policy` serves: a file, or a published one by name; default: "
     "prospector-v1.",
     false},
};

static const char *const first_words[] = {"nn", "train", "policy", NULL};

static const char details[] =
    "Actions are prepared before the clock starts: uniform over all options, or over legal ones "
    "(the\nfirst 1,024 steps of every environment, repeated). Observations, masks, rewards "
    "and\nflags are written and finished episodes restart, as in training. With --bare, actions "
    "are\nlegal, and no observation or mask is written.\nRounds with one thread and with all "
    "alternate over the same environments; threads own\ntheir share and synchronise every 64 "
    "steps. Rounds are short, so the best ones meet no other load.\nInstructions are the "
    "difference between two counted runs of 2N and N decisions.\n`bench nn` takes --seconds (in "
    "all), --rows, --write and --json: GFLOP/s of the products\nof a 260-256-256-70 net and their "
    "share of the peak, on one thread.\n`bench train` takes --seconds (in all, at least one "
    "round), --threads, --peer, --write and\n--json: PPO on prospector, on one thread and several, "
    "with fp32 (plain and Strassen's products),\nbf16 and, if the processor has tiles, bf16tile, "
    "alternating with peers (tools/peers installs some); the fastest update, minibatch "
    "and\nrollout of all rounds count.\n`bench policy` takes --seconds (in all), --model, --write "
    "and --json: a policy server with\none model under 1, 8 and 64 clients, each of which waits "
    "for its answer.";

/* How the figures came about, for `actions` and for people. */
static const char *actions_of(lu_bench_play play) {
    static const char *const how[LU_BENCH_PLAYS] = {
        "uniform over all options, drawn before the clock starts; resets, observations, masks and "
        "rewards included",
        "uniform over legal options, recorded before the clock starts; resets, observations, masks "
        "and rewards included",
        "uniform over legal options, recorded before the clock starts; resets and rewards "
        "included, no observations, no masks",
    };
    return how[play];
}

static lu_bench_play play_of(const verb_call *call, const lu_game *game) {
    const char *actions = lu_settings_text_of(call->settings, "actions");
    if (lu_settings_bool(call->settings, "bare")) {
        return LU_BENCH_BARE;
    }
    bool legal = strcmp(actions, "auto") == 0 ? game->seats > 1 : strcmp(actions, "legal") == 0;
    return legal ? LU_BENCH_LEGAL : LU_BENCH_ALL;
}

static lu_status write_file(const lu_bench_result *r, lu_error *error) {
    lu_json json = LU_JSON_INIT;
    lu_json_object(&json);
    bench_machine(&json);
    lu_json_key_string(&json, "actions", actions_of(r->play));
    lu_json_key(&json, "result");
    lu_bench_write(r, &json);
    lu_json_object_end(&json);
    lu_json_newline(&json);
    lu_text name = LU_TEXT_INIT;
    lu_text_addf(&name, "%s%s", r->game->id, r->play == LU_BENCH_BARE ? "-bare" : "");
    lu_status status = bench_keep(name.text, &json, error);
    lu_text_free(&name);
    lu_json_free(&json);
    return status;
}

static const char *big(double value) {
    return value >= 1e6 ? cell("%.2f M", value / 1e6) : cell("%.1f k", value / 1e3);
}

static void add_row(table *t, const lu_bench_result *r) {
    double spread = 100.0 * (r->one.best - r->one.worst) / r->one.best;
    table_row(t, r->game->id, lu_bench_play_name(r->play), cell("%s/s", big(r->one.best)),
              cell("%.0f%%", spread), cell("%s/s (%d)", big(r->all.best), r->all.threads),
              cell("%.0f ns", r->reset_seconds * 1e9), cell("%u", r->state_bytes),
              r->instructions > 0 ? cell("%.1f", r->instructions) : "-");
}

static lu_status one_game(const verb_call *call, const lu_game *game, lu_bench_result *result,
                          lu_error *error) {
    lu_episode s;
    lu_status status = call_open_episode(call, game, NULL, &s, error);
    if (status != LU_OK) {
        return status;
    }
    int environments = (int)lu_settings_int(call->settings, "environments");
    lu_bench_play play = play_of(call, game);
    int64_t count = lu_settings_int(call->settings, "count");
    if (count > 0) {
        uint64_t hash = 0;
        int64_t played = (count + environments - 1) / environments * environments;
        status = lu_bench_count(&s, environments, play, count, &hash, error);
        if (status == LU_OK) {
            out_format("{\"game\":\"%s\",\"decisions\":%lld,\"hash\":\"%016llx\"}\n", game->id,
                       (long long)played, (unsigned long long)hash);
        }
    } else {
        progress_start();
        status = lu_bench_speed(&s, environments, (int)lu_settings_int(call->settings, "threads"),
                                play, lu_settings_real(call->settings, "seconds"),
                                (int)lu_settings_int(call->settings, "repeats"), out_watch(),
                                result, error);
        if (status == LU_OK && lu_settings_bool(call->settings, "instructions")) {
            status = lu_bench_instructions(&s, play, out_watch(), result, error);
        } else if (status == LU_OK) {
            snprintf(result->counter, sizeof result->counter, "not measured");
        }
        progress_end();
    }
    lu_episode_close(&s);
    return status;
}

/* The table, and under it how its numbers were made. */
static void print_results(const verb_call *call, const table *t, const char *counter) {
    char name[128];
    lu_text words_in = LU_TEXT_INIT, lines = LU_TEXT_INIT;
    table_print(t);
    lu_text_addf(
        &words_in,
        "Decisions per second, best of %lld rounds. Actions: uniform over all options or over "
        "legal ones, drawn before the clock starts; resets and rewards included, also observations "
        "and masks unless --bare; %lld environments. %s, level %s. Instructions: %s.",
        (long long)lu_settings_int(call->settings, "repeats"),
        (long long)lu_settings_int(call->settings, "environments"), lu_cpu_name(name, sizeof name),
        lu_isa_name(lu_cpu_isa()), counter);
    text_wrap(&lines, words_in.text, 0, 0, 80);
    out_format("\n%s", lines.text);
    lu_text_free(&words_in);
    lu_text_free(&lines);
}

static lu_status run(verb_call *call, lu_error *error) {
    if (call->word) {
        return strcmp(call->word, "nn") == 0      ? bench_nn(call, error)
               : strcmp(call->word, "train") == 0 ? bench_train(call, error)
                                                  : bench_policy(call, error);
    }
    lu_status status = LU_OK;
    bool counted = lu_settings_int(call->settings, "count") > 0;
    lu_json json = LU_JSON_INIT;
    const char *counter = "";
    lu_bench_result *results = lu_alloc_zero((size_t)lu_game_count() + 1, sizeof *results);
    lu_json_object(&json);
    bench_machine(&json);
    lu_json_key_array(&json, "games");
    table t = table_of("llrrrrrr");
    table_row(&t, "game", "actions", "1 thread", "spread", "all threads", "reset", "state bytes",
              "instructions");
    for (int i = 0; i < lu_game_count() && status == LU_OK; i++) {
        if (call->game && call->game != lu_game_at(i)) {
            continue;
        }
        status = one_game(call, lu_game_at(i), &results[i], error);
        if (status == LU_OK && !counted) {
            lu_bench_write(&results[i], &json);
            add_row(&t, &results[i]);
            counter = results[i].counter;
            if (lu_settings_bool(call->settings, "write")) {
                status = write_file(&results[i], error);
            }
        }
    }
    lu_json_array_end(&json);
    lu_json_object_end(&json);
    if (status == LU_OK && call->json && !counted) {
        out_json(&json);
    } else if (status == LU_OK && !counted) {
        print_results(call, &t, counter);
    }
    table_free(&t);
    lu_json_free(&json);
    free(results);
    return status;
}

const verb verb_bench = {
    .name = "bench",
    .usage = "bench [GAME|nn|train|policy] [--seconds X] [--environments N] [--write] [--json]",
    .sentence = "Measures decisions per second, reset cost and instructions per decision.",
    .details = details,
    .examples = examples,
    .options = VERB_OPTIONS("bench", options),
    .words = first_words,
    .game = VERB_GAME_MAYBE,
    .game_settings = true,
    .json = true,
    .run = run,
};
