/* ludus match: two players against each other, with sides swapped on equal seeds, and how much
 * stronger one of them is. */
#include "judge.h"
#include "output.h"
#include "ranks/world.h"

#include "ludus/contest.h"
#include "ludus/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const verb_example examples[] = {
    {"ludus match latest best", "the newest agent against the best one: 800 games"},
    {"ludus match new.safetensors old.safetensors --sprt 0,10",
     "is it 10 Elo stronger? Stops as soon as that is clear"},
    {"ludus match latest bot:random --games 40 --record duels",
     "40 games against a bot, each saved as a replay"},
    {NULL, NULL},
};

static const lu_setting options[] = {
    {"game", LU_TEXT, "", 0, 100, NULL,
     "The game; default: that of the models. Required for two bots.", false},
    JUDGE_GAMES,
    JUDGE_SEEDS,
    {"sprt", LU_TEXT, "", 0, 80, NULL,
     "LOW,HIGH: stops as soon as a sequential test shows whether A is LOW or HIGH Elo stronger "
     "than B, with 5% error each. Without --games and --seeds it continues past the public seeds, "
     "up to 100,000 games.",
     false},
    JUDGE_GREEDY,
    JUDGE_SAMPLE,
    JUDGE_WITH,
    JUDGE_OPTION,
    {"record", LU_TEXT, "", 0, 4096, NULL,
     "Folder for a replay of every game: SEED.ludus, and SEED-1.ludus with sides swapped.", false},
    JUDGE_THREADS,
};

static const lu_table *const tables[] = {&lu_run_place_table, NULL};

static const char details[] =
    "A and B are each a model file, a run (RUN:7 and RUN:best name a window), `latest`, "
    "`best`,\n`random` or bot:NAME. Every seed is played twice with sides swapped, with the "
    "settings of\nA's training (of B's if A is a bot). The winner is decided by the game's metric "
    "`won`, else by\nthe return: a win is one point, a draw half a point. In a game for more than "
    "two, A and B\nalternate seats. `ludus compare` lets each play alone on the same seeds.";

enum { SPRT_GAMES = 100000 };

static lu_status read_sprt(const verb_call *call, lu_contest *c, lu_error *error) {
    const char *text = lu_settings_text_of(call->settings, "sprt");
    char *end = NULL, *last = NULL;
    if (!*text) {
        return LU_OK;
    }
    c->sequential = true;
    c->null = strtod(text, &end);
    c->other = *end == ',' ? strtod(end + 1, &last) : 0;
    bool whole = last && last > end + 1 && !*last && end > text;
    if (!whole || !(fabs(c->null) <= 10000 && fabs(c->other) <= 10000 && c->null < c->other)) {
        return lu_fail(error, LU_BAD_VALUE,
                       "'sprt' = '%.60s' must be LOW,HIGH in rising Elo, such as 0,10", text);
    }
    /* nobody said how long: a small difference needs more than the public seeds */
    if (lu_settings_int(call->settings, "games") == 0 &&
        !*lu_settings_text_of(call->settings, "seeds")) {
        c->match.episodes = SPRT_GAMES;
    }
    return LU_OK;
}

static const char *elo_text(double elo) {
    return isfinite(elo) ? cell("%+.0f", elo) : isnan(elo) ? "-" : elo > 0 ? "+inf" : "-inf";
}

static void print(const lu_contest *c) {
    const lu_match *m = &c->match;
    lu_verdict verdict = c->verdict;
    out_line("%s: A = %s, B = %s, %d games, seeds %llu..%llu with sides swapped\n\n",
             m->episode->game->id, judge_name(c->a), judge_name(c->b), m->episodes,
             (unsigned long long)m->first_seed,
             (unsigned long long)lu_match_seed(m, m->episodes - 1));
    const char *decider = lu_match_decider(m->episode->game);
    out_line("A won %d, drew %d and lost %d%s: %s of the points\n", c->wins, c->draws, c->losses,
             strcmp(decider, "won") == 0 ? "" : cell(" by %s", decider),
             figure_share(c->score.mean, c->score.low, c->score.high));
    out_format("Elo of A - B: %s, 95%% interval %s .. %s\n", elo_text(c->elo), elo_text(c->elo_low),
               elo_text(c->elo_high));
    out_format("The first seat got %.3g%% of the points\n", 100 * c->first_seat);
    style colour = verdict == LU_BETTER ? GREEN : verdict == LU_WORSE ? RED : YELLOW;
    if (verdict == LU_UNDECIDED) {
        out_format("%sundecided%s: neither is significantly stronger\n", paint(colour),
                   paint(PLAIN));
    } else {
        out_format("A is %s%s%s than B\n", paint(colour), lu_verdict_name(verdict), paint(PLAIN));
    }
    if (c->sequential) {
        out_line("The sequential test of %g against %g Elo: %s after %d of %d games\n", c->other,
                 c->null, lu_contest_decision(c), m->episodes, c->most);
    }
}

static lu_status play(const verb_call *call, lu_contest *c, lu_error *error) {
    judge_ready(&c->match);
    progress_start();
    lu_status status = lu_contest_play(c, error);
    progress_end();
    if (status == LU_OK && call->json) {
        lu_json json = LU_JSON_INIT;
        lu_contest_write(c, &json);
        out_json(&json);
        lu_json_free(&json);
    } else if (status == LU_OK) {
        print(c);
    }
    lu_contest_free(c);
    return status;
}

static lu_status contest(const verb_call *call, const lu_comm *comm, lu_error *error) {
    lu_player who[2] = {0};
    lu_episode s = {0};
    lu_contest c = {.a = &who[0],
                    .b = &who[1],
                    .match = {.episode = &s,
                              .record = lu_settings_text_of(call->settings, "record"),
                              .comm = comm,
                              .threads = (int)lu_settings_int(call->settings, "threads")}};
    lu_status status = judge_games(call, &c.match, error);
    LU_THEN(status, read_sprt(call, &c, error));
    LU_THEN(status, judge_open(call, call->argument, 2, who, &s, error));
    LU_THEN(status, lu_match_check_sides(&s, error));
    status = lu_comm_agree(comm, status, error);
    if (status == LU_OK) {
        judge_note_settings(&s, &who[0]);
        judge_note_settings(&s, &who[1]);
        status = play(call, &c, error);
    }
    lu_episode_close(&s);
    lu_player_close(&who[0]);
    lu_player_close(&who[1]);
    return status;
}

static lu_status run(verb_call *call, lu_error *error) {
    world w;
    LU_TRY(world_open(&w, error));
    world_hush(&w);
    lu_status status = contest(call, world_comm(&w), error);
    return world_close(&w, status);
}

const verb verb_match = {
    .name = "match",
    .usage = "match A B [--games N] [--sprt LOW,HIGH] [--seeds A..B] [--record FOLDER] [--json]",
    .sentence = "Plays two players against each other and estimates the difference in Elo.",
    .details = details,
    .examples = examples,
    .options = VERB_OPTIONS("match", options),
    .tables = tables,
    .least = 2,
    .most = 2,
    .argument = "PLAYER",
    .json = true,
    .run = run,
};
