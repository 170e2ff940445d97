/* The settings of runs: where they are, how they are kept, what a preset promises. */
#include "ludus/run.h"

#include "ludus/file.h"

static const lu_setting place_rows[] = {
    {"run.folder", LU_TEXT, "", 0, 4096, NULL,
     "Runs folder; default: `runs` in the project folder.", false},
    {"runs", LU_ALIAS, "run.folder", 0, 0, NULL, "Another name of run.folder.", false},
};

const lu_table lu_run_place_table = {"runs", place_rows, 2};

static const lu_setting rows[] = {
    {"run.window_env_steps", LU_INT, "1M", 1, 1e15, NULL,
     "Decisions per window; each window gives one row of metrics, one checkpoint and one "
     "evaluation.",
     false},
    {"run.checkpoint_updates", LU_INT, "0", 0, 1e9, NULL,
     "Updates between extra checkpoints within a window; 0 writes only one per window.", false},
    {"run.checkpoint_minutes", LU_REAL, "2", 0, 1e6, NULL,
     "Minutes after a checkpoint until the end of an update writes the next one; 0 = off.", false},
    {"run.keep", LU_INT, "3", 0, 1e6, NULL,
     "How many of the newest checkpoints stay resumable; older ones keep only their model. 0 keeps "
     "all complete.",
     false},
    {"run.experiment", LU_TEXT, "", 0, 100, NULL,
     "Name of the experiment that the run belongs to, for trackers and lists.", false},
    {"run.description", LU_TEXT, "", 0, 4096, NULL,
     "The first note of a new run, as written by `ludus runs note`.", false},
    {"run.stop_update", LU_INT, "0", 0, 1e15, NULL,
     "Stops with a checkpoint after this update, to be resumed; schedules still end with the "
     "steps. 0 = off.",
     false},
    {"run.stop_minutes", LU_REAL, "0", 0, 1e6, NULL,
     "Stops with a checkpoint after this many minutes, to be resumed; a new run without a number "
     "of "
     "steps measures how many fit, and its schedules end with them. 0 = off.",
     false},
    {"run.stop_when", LU_TEXT, "", 0, 1000, NULL,
     "Stops with a checkpoint after an update whose metrics satisfy this: 'infos.won >= 0.9 and "
     "update > 50 or entropy < 0.1'; names as in the rows of metrics. Empty = off.",
     false},
    {"run.line_seconds", LU_REAL, "5", 0, 86400, NULL,
     "Seconds between progress lines without a terminal; 0 prints every update.", false},
};

const lu_table lu_run_table = {"run", rows, (int)(sizeof rows / sizeof rows[0])};

static const lu_setting eval_rows[] = {
    {"eval.on", LU_BOOL, "true", 0, 0, NULL,
     "Starts the evaluator next to a training; if off, `ludus eval --follow` can evaluate the "
     "windows later.",
     false},
    {"eval.episodes", LU_INT, "16", 2, 100000, NULL,
     "Episodes per evaluation, on the first public seeds.", false},
    {"eval.greedy", LU_BOOL, "false", 0, 0, NULL,
     "Takes the best action in evaluations instead of sampling from the policy.", false},
    {"eval.best_share", LU_SCHEDULE, "0", 0, 1, NULL,
     "Share of the seeds on which evaluations take the best action anyway.", false},
    {"eval.game", LU_JSON, "", 0, 0, NULL,
     "Settings of the game for evaluations, replacing those of the training, as a JSON object: "
     "{\"build\": \"MED\"}.",
     false},
    {"eval.metric", LU_TEXT, "", 0, 64, NULL,
     "Metric for `best_so_far`, larger is better: `return` or an info field; default: the game's "
     "headline.",
     false},
    {"eval.opponents", LU_TEXT, "", 0, 4096, NULL,
     "Opponent in the evaluations of a multiplayer game, played from every seat of each seed: "
     "bot:NAME, `random`, a model file or RUN:7. `best_so_far` then goes by the share of points "
     "against all of them. By default the agent plays all seats itself.",
     true},
    {"eval.against", LU_TEXT, "", 0, 100, NULL,
     "Bot that plays the evaluator's seeds at the end of training, reported next to the agent; "
     "`all` for every bot of the game.",
     true},
    {"eval.with", LU_TEXT, "", 0, 4096, NULL,
     "KEY=VALUE: overrides a game setting of the training for that comparison.", true},
    {"eval.margin", LU_REAL, "0", 0, 1e300, NULL,
     "How much better than the best window so far a new one must be, at the lower end of the "
     "paired interval.",
     false},
    {"eval.replays", LU_INT, "3", 1, 100000, NULL,
     "Replays kept per evaluation: the best, the worst and the median first.", false},
    {"eval.league_seeds", LU_INT, "10", 0, 200, NULL,
     "Seeds that each pair of league members plays, twice with sides swapped, for payoff matrix "
     "and ratings; 0 turns these off.",
     false},
    {"eval.anchors", LU_TEXT, "", 0, 4096, NULL,
     "PLAYER=ELO: plays against the league members with a fixed rating, so that ratings of "
     "different windows and runs are comparable: bot:NAME, a model file or RUN:7.",
     true},
    {"eval.threads", LU_INT, "1", 0, 1024, NULL,
     "Threads of the evaluator, 0 for one per processor.", false},
    {"eval.timeout", LU_REAL, "600", 0, 1e6, NULL,
     "Seconds that a finished training waits for the remaining evaluations.", false},
};

const lu_table lu_eval_table = {"evaluation", eval_rows,
                                (int)(sizeof eval_rows / sizeof eval_rows[0])};

static const lu_setting band_rows[] = {
    {"band.metric", LU_TEXT, "", 0, 64, NULL,
     "Metric of the trained agent: `return` or an info field; by default there is no band.", false},
    {"band.low", LU_REAL, "-1e300", -1e300, 1e300, NULL, "Lowest mean that the preset must reach.",
     false},
    {"band.high", LU_REAL, "1e300", -1e300, 1e300, NULL,
     "Highest plausible mean; above it something is wrong, or the band is out of date.", false},
    {"band.against", LU_TEXT, "", 0, 100, NULL,
     "Bot that the agent must beat on the same seeds, by an interval above 0; default: none.",
     false},
    {"band.seeds", LU_TEXT, "", 0, 80, NULL,
     "Seeds A..B of the evaluation; default: the public ones of `ludus eval`.", false},
    {"band.greedy", LU_BOOL, "false", 0, 0, NULL,
     "Evaluates with the best action of every decision instead of sampling.", false},
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
