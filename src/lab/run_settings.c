/* The settings of runs: where they are, how they are kept, what a preset promises. */
#include "ludus/run.h"

#include "ludus/file.h"

static const lu_setting place_rows[] = {
    {"run.folder", LU_TEXT, "", 0, 4096, NULL,
     "Folder of the runs; unset takes `runs` in the project's folder.", false},
};

const lu_table lu_run_place_table = {"runs", place_rows, 1};

static const lu_setting rows[] = {
    {"run.window_env_steps", LU_INT, "1M", 1, 1e15, NULL,
     "Decisions of a window: of one row of metrics, one checkpoint and one evaluation.", false},
    {"run.checkpoint_updates", LU_INT, "0", 0, 1e9, NULL,
     "Updates between further checkpoints inside of a window; 0 writes one per window only.",
     false},
    {"run.checkpoint_minutes", LU_REAL, "2", 0, 1e6, NULL,
     "Minutes after a checkpoint from which on the end of an update writes the next one; 0 = off.",
     false},
    {"run.keep", LU_INT, "3", 0, 1e6, NULL,
     "Checkpoints that can be resumed from, the newest ones; of older ones the model stays. 0 "
     "keeps "
     "all whole.",
     false},
    {"run.experiment", LU_TEXT, "", 0, 100, NULL,
     "Name of the experiment that the run belongs to, for trackers and lists.", false},
    {"run.description", LU_TEXT, "", 0, 4096, NULL,
     "The first note of a new run, as `ludus runs note` writes it.", false},
    {"run.stop_update", LU_INT, "0", 0, 1e15, NULL,
     "Stops after this update with a checkpoint, to be resumed; schedules still end with the "
     "steps. 0 = off.",
     false},
    {"run.stop_minutes", LU_REAL, "0", 0, 1e6, NULL,
     "Stops after this many minutes with a checkpoint, to be resumed; 0 = off.", false},
    {"run.stop_when", LU_TEXT, "", 0, 1000, NULL,
     "Stops with a checkpoint after an update whose figures meet this: 'infos.won >= 0.9 and "
     "update "
     "> 50 or entropy < 0.1'; names as in rows of metrics. Empty = off.",
     false},
    {"run.line_seconds", LU_REAL, "5", 0, 86400, NULL,
     "Seconds between two lines of text where there is no terminal; 0 prints every update.", false},
};

const lu_table lu_run_table = {"run", rows, (int)(sizeof rows / sizeof rows[0])};

static const lu_setting eval_rows[] = {
    {"eval.on", LU_BOOL, "true", 0, 0, NULL,
     "Starts the evaluator beside a training; off leaves its windows for `ludus eval --follow`.",
     false},
    {"eval.episodes", LU_INT, "16", 2, 100000, NULL,
     "Episodes of an evaluation, on the first of the public seeds.", false},
    {"eval.greedy", LU_BOOL, "false", 0, 0, NULL,
     "Takes the best action in evaluations, in place of a draw from the policy.", false},
    {"eval.best_share", LU_SCHEDULE, "0", 0, 1, NULL,
     "Share of the seeds on which evaluations take it all the same.", false},
    {"eval.game", LU_JSON, "", 0, 0, NULL,
     "Settings of the game that the evaluator plays by, in place of those of the training, as a "
     "JSON object: {\"build\": \"MED\"}.",
     false},
    {"eval.metric", LU_TEXT, "", 0, 64, NULL,
     "What `best_so_far` goes by, larger is better: `return` or an info field; unset takes the "
     "game's "
     "headline.",
     false},
    {"eval.opponents", LU_TEXT, "", 0, 4096, NULL,
     "Player that an evaluation plays against in a multiplayer game, from every seat of each seed: "
     "bot:NAME, `random`, a model file or RUN:7. Then `best_so_far` goes by the share of points "
     "over all of them. Unset plays all seats itself.",
     true},
    {"eval.against", LU_TEXT, "", 0, 100, NULL,
     "Bot that plays the evaluator's seeds when the training is done, reported beside the agent; "
     "`all` "
     "for every bot of the game.",
     true},
    {"eval.with", LU_TEXT, "", 0, 4096, NULL,
     "KEY=VALUE: a setting of the game for that comparison, in place of the one of the training.",
     true},
    {"eval.margin", LU_REAL, "0", 0, 1e300, NULL,
     "How much better than the best window so far a window must be, at the lower end of the paired "
     "interval.",
     false},
    {"eval.replays", LU_INT, "3", 1, 100000, NULL,
     "Replays kept of an evaluation: the best, the worst and the median one first.", false},
    {"eval.league_seeds", LU_INT, "10", 0, 200, NULL,
     "Seeds that each pair of members of the run's league plays, twice with sides swapped, for "
     "payoff matrix and ratings; 0 leaves these out.",
     false},
    {"eval.anchors", LU_TEXT, "", 0, 4096, NULL,
     "PLAYER=ELO: plays beside the members of the run's league, and its rating is held, so that "
     "ratings of different windows and runs compare: bot:NAME, a model file or RUN:7.",
     true},
    {"eval.threads", LU_INT, "1", 0, 1024, NULL,
     "Threads of the evaluator, 0 for one per processor.", false},
    {"eval.timeout", LU_REAL, "600", 0, 1e6, NULL,
     "Seconds that a finished training waits for the evaluations that are left.", false},
};

const lu_table lu_eval_table = {"evaluation", eval_rows,
                                (int)(sizeof eval_rows / sizeof eval_rows[0])};

static const lu_setting band_rows[] = {
    {"band.metric", LU_TEXT, "", 0, 64, NULL,
     "What the trained agent is evaluated by: `return` or an info field; unset promises nothing.",
     false},
    {"band.low", LU_REAL, "-1e300", -1e300, 1e300, NULL, "Least mean that the preset must reach.",
     false},
    {"band.high", LU_REAL, "1e300", -1e300, 1e300, NULL,
     "Largest mean that is believed; above it something is wrong, or the band is old.", false},
    {"band.against", LU_TEXT, "", 0, 100, NULL,
     "Bot that the agent must beat on the same seeds, by an interval above 0; unset for none.",
     false},
    {"band.seeds", LU_TEXT, "", 0, 80, NULL,
     "Seeds A..B of the judging; unset takes the public ones of `ludus eval`.", false},
    {"band.greedy", LU_BOOL, "false", 0, 0, NULL,
     "Evaluates the best action of every decision, in place of a draw.", false},
};

const lu_table lu_band_table = {"band", band_rows, (int)(sizeof band_rows / sizeof band_rows[0])};

void lu_run_place(const lu_settings *settings, lu_text *path) {
    const char *given = lu_settings_text_of(settings, "run.folder");
    if (*given) {
        lu_text_add(path, given);
    } else if (lu_home()) {
        lu_text_addf(path, "%s/runs", lu_home());
    } else {
        lu_text_add(path, "runs");
    }
}
