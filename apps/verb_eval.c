/* ludus eval: how well a player plays, over fixed seeds: a trained agent with the normaliser, masks
 * and memory of its training, or a bot; and beside a bot on the same seeds. */
#include "judge.h"
#include "output.h"
#include "ranks/world.h"

#include "ludus/confine.h"
#include "ludus/evaluator.h"
#include "ludus/run.h"

#include <stdlib.h>
#include <string.h>

static const verb_example examples[] = {
    {"ludus eval latest", "the newest run over 400 seeds: means with intervals"},
    {"ludus eval latest --game prospector --against pilot",
     "next to a bot on the same seeds, with the differences"},
    {"ludus eval policy.safetensors --seeds 1..50 --greedy --json",
     "a model file, taking its best actions, as JSON"},
    {"ludus eval bot:pilot --game prospector --episodes 4", "a bot instead of a model"},
    {"ludus eval latest --episodes 4 --record replays", "with a replay of every episode"},
    {"ludus eval latest --episodes 4 --best-of 16", "counts the best of 16 rollouts of each seed"},
    {NULL, NULL},
};

/* In units of the net: rewards as DQN scales them, so that errors of about 1 are large. */
#define Q_TEMPERATURE "0.02"

static const lu_setting options[] = {
    {"model", LU_TEXT, "", 0, 4096, NULL, "MODEL, if it is not the first word.", false},
    {"model_path", LU_ALIAS, "model", 0, 0, NULL, "The same.", false},
    {"game", LU_TEXT, "", 0, 100, NULL,
     "The game that the model must be for; default: any. Required for a bot.", false},
    JUDGE_SEEDS,
    JUDGE_EPISODES,
    {"greedy", LU_BOOL, "false", 0, 0, NULL,
     "Takes the best action; Q-networks do so unless --best-of or --temperature is given.", false},
    JUDGE_SAMPLE,
    {"best_of", LU_INT, "1", 1, 100000, NULL,
     "Plays this many rollouts of each seed and counts the best one, by the game's headline metric "
     "or else the return. All meet the same chance events, so this is with hindsight.",
     false},
    {"temperature", LU_REAL, "0", 0, 1e6, NULL,
     "Samples from the softmax of logits, or Q values, divided by this: below 1 favours the best "
     "action. 0 means 1, or for Q-networks with --best-of " Q_TEMPERATURE ".",
     false},
    {"against", LU_TEXT, "", 0, 100, NULL,
     "Bot that plays the same seeds, for comparison; `all` for every bot of the game.", true},
    {"opponent", LU_TEXT, "", 0, 4096, NULL,
     "Player in the other seats of a multiplayer game: bot:NAME, a model, `random`; if repeated, "
     "the seats after the agent's in order. Default: the agent itself.",
     true},
    {"seat", LU_INT, "0", 0, LU_MAX_SEATS - 1, NULL, "The agent's seat.", false},
    JUDGE_WITH,
    JUDGE_OPTION,
    {"each", LU_BOOL, "false", 0, 0, NULL, "With --json, adds the metrics of every episode.",
     false},
    {"record", LU_TEXT, "", 0, 4096, NULL,
     "Folder for a replay of every episode, with the agent's thoughts.", false},
    {"follow", LU_BOOL, "false", 0, 0, NULL,
     "MODEL is a run: evaluates each of its windows as `ludus train` would, with replays, until "
     "the run ends.",
     false},
    JUDGE_THREADS,
    {"num_episodes", LU_ALIAS, "episodes", 0, 0, NULL, "Episodes.", false},
    {"deterministic", LU_ALIAS, "greedy", 0, 0, NULL, "Takes the best action.", false},
    {"target", LU_ALIAS, "opponent", 0, 0, NULL, "Player in the other seats.", false},
};

static const lu_table *const tables[] = {&lu_run_place_table, NULL};

static const char details[] =
    "MODEL is a .safetensors file, a .zip archive of one, a run (its folder or id), or "
    "`latest`\nfor the newest run. A run means its newest checkpoint; RUN:7 and RUN:best name "
    "another\nwindow, `best` the best of all. bot:NAME is a bot of --game. Without --seeds and "
    "--episodes,\na run plays the seeds of its evaluator and reproduces its metrics; anything else "
    "plays\nthe seeds " LU_PUBLIC_SEEDS
    ". The game uses the settings of the training; a model made for\nother rules is refused.";

enum { MOST_BOTS = 64 };

/* Roll-outs must differ from each other, so that they are drawn, also of Q values. */
static lu_status read_rolls(const verb_call *call, lu_match *m, lu_player *p, lu_error *error) {
    m->rolls = (int)lu_settings_int(call->settings, "best_of");
    if (m->rolls == 1) {
        return LU_OK;
    }
    if (!p->file) {
        return lu_fail(error, LU_USAGE, "--best-of needs a trained model: a bot does not vary");
    }
    if (lu_settings_bool(call->settings, "greedy")) {
        return lu_fail(error, LU_USAGE,
                       "--greedy and --best-of cannot be combined: all rollouts would be equal");
    }
    if (p->greedy) {
        p->temperature = atof(Q_TEMPERATURE);
        p->greedy = false;
    }
    return LU_OK;
}

/* What the call leaves open is, of a run whose seeds are left open too, as its evaluator has it. */
static lu_status read_again(const verb_call *call, const char *checkpoint, lu_match *m,
                            lu_player *own, call_seats *seats, bool *seated, bool *other_game,
                            lu_error *error) {
    const lu_settings *s = call->settings;
    *seated = *other_game = false;
    if (!*checkpoint || *lu_settings_text_of(s, "seeds") || lu_settings_int(s, "episodes") > 0) {
        return LU_OK;
    }
    lu_text runs = LU_TEXT_INIT;
    lu_run_place(s, &runs);
    lu_eval_again again = {
        .checkpoint = checkpoint,
        .runs = runs.text,
        .greedy = !lu_settings_bool(s, "greedy") && !lu_settings_bool(s, "sample") &&
                  lu_settings_real(s, "temperature") <= 0.0 && lu_settings_int(s, "best_of") == 1,
        .opponents = !lu_settings_is_set(s, "opponent") && !lu_settings_is_set(s, "seat")};
    lu_status status = lu_eval_plan_again(&again, m, own, &seats->opponent[0], error);
    seats->opponents = *seated = again.seated;
    *other_game = again.other_game;
    lu_text_free(&runs);
    return status;
}

/* Seeds, who sits in the other seats, and how everybody chooses. */
static lu_status read_plan(const verb_call *call, const lu_game *game, const char *checkpoint,
                           lu_match *m, lu_player *own, call_seats *seats, bool *other_game,
                           lu_error *error) {
    bool again;
    lu_status status = judge_seeds(call, m, error);
    LU_THEN(status, judge_manner(call, own, error));
    LU_THEN(status, read_rolls(call, m, own, error));
    LU_THEN(status, read_again(call, checkpoint, m, own, seats, &again, other_game, error));
    if (status == LU_OK && !again) {
        status = call_open_seats(call, game, seats, error);
    }
    for (int i = 0; i < seats->opponents && status == LU_OK; i++) {
        lu_player *other = &seats->opponent[i];
        bool greedy = other->greedy; /* as the evaluator has it */
        status = judge_manner(call, other, error);
        other->greedy = other->greedy || greedy;
    }
    return status;
}

/* What was asked for beyond seeds and settings, where it was. */
static void write_asked(const verb_call *call, const lu_match *m, lu_json *json) {
    if (m->rolls > 1) {
        lu_json_key_int(json, "best_of", m->rolls);
    }
    if (m->player[0]->temperature > 0.0) {
        lu_json_key_real(json, "temperature", m->player[0]->temperature);
    }
    if (lu_settings_count(call->settings, "option") > 0) {
        lu_json_key_raw(json, "options", m->episode->options_json);
    }
    if (lu_settings_bool(call->settings, "each")) {
        lu_match_write_each(m, json);
    }
}

static void print(const verb_call *call, const lu_match *m, const lu_match *others, int count) {
    if (!call->json) {
        judge_print(m);
        for (int i = 0; i < count; i++) {
            judge_print_against(m, &others[i]);
        }
        return;
    }
    const lu_player *p = m->player[0];
    lu_json json = LU_JSON_INIT;
    lu_json_object(&json);
    lu_json_key_string(&json, "model", p->name);
    lu_match_write_seats(m, &json);
    lu_match_write(m, &json);
    lu_json_key_bool(&json, "greedy", p->greedy);
    if (p->file) {
        lu_json_key_int(&json, "env_steps", p->file->step);
    }
    write_asked(call, m, &json);
    if (count > 0) {
        lu_match_write_against(m, others, count, &json);
    }
    out_json_end(&json);
}

/* Adds a name to a list, once however often it is given. */
static int add_name(const char **names, int count, const char *name) {
    for (int i = 0; i < count; i++) {
        if (strcmp(names[i], name) == 0) {
            return count;
        }
    }
    names[count < MOST_BOTS ? count : MOST_BOTS - 1] = name;
    return count < MOST_BOTS ? count + 1 : count;
}

/* Names of the bots of --against; returns how many. */
static int against(const verb_call *call, const lu_game *game, const char **names) {
    int count = 0;
    for (size_t i = 0; i < lu_settings_count(call->settings, "against"); i++) {
        const char *name = lu_settings_nth(call->settings, "against", i);
        bool all = strcmp(name, "all") == 0;
        for (int b = 0; b < lu_game_bots(game) && all; b++) {
            count = add_name(names, count, lu_game_bot_at(game, b)->name);
        }
        count = all || !*name ? count : add_name(names, count, name);
    }
    return count;
}

/* The agent, then bots on the same seeds. */
static lu_status play(const verb_call *call, lu_match *m, lu_error *error) {
    const char *names[MOST_BOTS];
    lu_player bot[MOST_BOTS];
    lu_match other[MOST_BOTS];
    int count = against(call, m->episode->game, names);
    lu_status status = LU_OK;
    for (int i = 0; i < count; i++) {
        LU_THEN(status, lu_player_bot(&bot[i], names[i], m->episode->game, error));
        other[i] = *m;
        other[i].player[0] = &bot[i];
        other[i].record = NULL;
        other[i].rolls = 1;
    }
    LU_THEN(status, judge_play(m, error));
    for (int i = 0; i < count && status == LU_OK; i++) {
        status = judge_play(&other[i], error);
    }
    if (status == LU_OK) {
        print(call, m, other, count);
    }
    for (int i = 0; i < count; i++) {
        lu_match_free(&other[i]);
    }
    lu_match_free(m);
    return status;
}

/* Who plays, and the game as it is played. */
static lu_status open_all(const verb_call *call, const lu_game *game, lu_match *m, lu_player *own,
                          call_seats *seats, lu_episode *s, lu_error *error) {
    lu_text folder = LU_TEXT_INIT;
    lu_eval_checkpoint(own, &folder);
    bool other_game = false;
    lu_status status = read_plan(call, game, folder.text, m, own, seats, &other_game, error);
    LU_THEN(status, call_open_episode(call, game, own->file, s, error));
    LU_THEN(status, call_check_own(seats, s, error));
    if (status == LU_OK) {
        judge_sit_down(m, own, seats);
    }
    /* other settings or resets of the game than those of the training give other answers */
    bool same = !other_game && lu_settings_count(call->settings, "with") == 0 &&
                lu_settings_count(call->settings, "option") == 0;
    if (status == LU_OK && folder.length > 0 && same) {
        status = lu_eval_check(folder.text, own->file, s->rules, error);
    }
    lu_text_free(&folder);
    return status;
}

/* ---- following a run ---- */

static void tell(void *context, const lu_evaluation *e) {
    const verb_call *call = context;
    if (call->json) {
        out_format("%s\n", e->row);
    } else {
        out_format("window %lld: %s %.6g, 95%% interval %.6g to %.6g%s\n", (long long)e->window,
                   e->metric, e->value.mean, e->value.low, e->value.high,
                   e->best ? ", best so far" : "");
    }
    out_flush();
}

static void tell_note(void *context, const char *sentence) {
    (void)context;
    note("%s", sentence);
}

/* It writes in the folder of the run and beside it, where the catalogue is, and nowhere else. */
static lu_status keep_to(const char *run, lu_error *error) {
    lu_text runs = LU_TEXT_INIT;
    lu_text_addf(&runs, "%s/..", run);
    const char *const everything[] = {"/", NULL}, *const make[] = {runs.text, NULL};
    lu_status status = lu_confine(&(lu_confinement){.read = everything, .make = make}, error);
    lu_text_free(&runs);
    return status;
}

static lu_status follow(verb_call *call, const char *name, lu_error *error) {
    lu_text runs = LU_TEXT_INIT, path = LU_TEXT_INIT;
    lu_match hooks = {0};
    if (lu_settings_count(call->settings, "with") + lu_settings_count(call->settings, "option") >
        0) {
        return lu_fail(error, LU_USAGE,
                       "--follow uses the settings of the run: leave out --with and --option");
    }
    judge_ready(&hooks);
    lu_run_place(call->settings, &runs);
    lu_status status = lu_run_find(runs.text, name, NULL, &path, error);
    LU_THEN(status, keep_to(path.text, error));
    if (status == LU_OK) {
        lu_evaluator e = {.run = path.text,
                          .context = call,
                          .stop = hooks.stop,
                          .progress = hooks.progress,
                          .judged = tell,
                          .note = tell_note};
        progress_start();
        status = lu_evaluator_follow(&e, error);
        progress_end();
    }
    lu_text_free(&runs);
    lu_text_free(&path);
    return status;
}

/* ---- the verb ---- */

/* What MODEL is: the first word, or an option; NULL: both or neither. */
static const char *model_of(const verb_call *call, lu_error *error) {
    const char *option = lu_settings_text_of(call->settings, "model");
    if (call->arguments > 0 && *option) {
        lu_fail(error, LU_USAGE, "the model is given twice: '%.200s' and --model %.200s",
                call->argument[0], option);
        return NULL;
    }
    if (call->arguments == 0 && !*option) {
        lu_fail(error, LU_USAGE, "`ludus eval` needs a MODEL: ludus %s", call->verb->usage);
        return NULL;
    }
    return *option ? option : call->argument[0];
}

static lu_status evaluate(verb_call *call, const char *model, const lu_comm *comm,
                          lu_error *error) {
    const char *name = lu_settings_text_of(call->settings, "game");
    const lu_game *game = NULL;
    lu_player own = {0};
    call_seats seats = {0};
    lu_episode s = {0};
    lu_match m = {.episode = &s,
                  .player = {&own},
                  .record = lu_settings_text_of(call->settings, "record"),
                  .comm = comm,
                  .threads = (int)lu_settings_int(call->settings, "threads")};
    lu_status status = *name && !(game = lu_game_find(name, error)) ? LU_NOT_FOUND : LU_OK;
    LU_THEN(status, call_players(call, &model, 1, &game, &own, error));
    LU_THEN(status, open_all(call, game, &m, &own, &seats, &s, error));
    status = lu_comm_agree(comm, status, error);
    LU_THEN(status, play(call, &m, error));
    lu_episode_close(&s);
    lu_player_close(&own);
    call_close_seats(&seats);
    return status;
}

static lu_status run(verb_call *call, lu_error *error) {
    const char *model = model_of(call, error);
    if (!model) {
        return error->status;
    }
    if (lu_settings_bool(call->settings, "follow")) {
        return follow(call, model, error);
    }
    if (lu_settings_bool(call->settings, "each") && !call->json) {
        return lu_fail(error, LU_USAGE, "--each needs --json");
    }
    world w;
    LU_TRY(world_open(&w, error));
    world_hush(&w);
    lu_status status = evaluate(call, model, world_comm(&w), error);
    return world_close(&w, status);
}

const verb verb_eval = {
    .name = "eval",
    .usage = "eval MODEL [--seeds A..B | --episodes N] [--greedy | --best-of N] [--against BOT] "
             "[--json]",
    .sentence = "Evaluates a player on fixed seeds: means with intervals.",
    .details = details,
    .examples = examples,
    .options = VERB_OPTIONS("eval", options),
    .tables = tables,
    .most = 1,
    .argument = "MODEL",
    .json = true,
    .run = run,
};
