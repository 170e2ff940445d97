/* ludus watch: a bot or a trained agent plays; live in a terminal, as lines elsewhere, or many
 * episodes at once with a table of means. */
#include "judge.h"
#include "output.h"
#include "screen.h"
#include "terminal.h"

#include "ludus/clock.h"
#include "ludus/frame.h"
#include "ludus/run.h"
#include "ludus/threads.h"

#include <string.h>

static const verb_example examples[] = {
    {"ludus watch prospector", "the strongest bot, live in the terminal"},
    {"ludus watch prospector --within 20", "a whole episode in twenty seconds"},
    {"ludus watch prospector --bot greedy_miner --seed 7 --record dig.ludus --fast",
     "one episode of another bot, not shown but saved as a replay"},
    {"ludus watch prospector --seeds public --json",
     "400 episodes on all threads: means with intervals"},
    {"ludus watch cartpole --model latest", "what the newest run has learned"},
    {NULL, NULL},
};

static const lu_setting options[] = {
    {"bot", LU_TEXT, "", 0, 100, NULL, "Who plays; default: the strongest bot.", false},
    {"model", LU_TEXT, "", 0, 4096, NULL,
     "A trained agent plays instead of a bot: a model file, a run, or `latest`.", false},
    {"greedy", LU_BOOL, "false", 0, 0, NULL,
     "The agent takes its best action instead of sampling from its policy.", false},
    {"opponent", LU_TEXT, "", 0, 4096, NULL,
     "Who plays the other seats of a multiplayer game: a bot, a model, `random`; if repeated, the "
     "seats after the first player's in order. Default: the first player.",
     true},
    {"seed", LU_TEXT, "1", 0, 40, NULL, "Seed of the episode, decimal or 0x hex.", false},
    {"seat", LU_INT, "0", 0, LU_MAX_SEATS - 1, NULL,
     "Seat of the first player, whose view is shown.", false},
    {"seeds", LU_TEXT, "", 0, 80, NULL,
     "Range of seeds A..B: plays every one of them and reports means.", false},
    {"episodes", LU_INT, "1", 1, 1000000, NULL,
     "Plays this many episodes, counting up from the seed, and reports means if above 1.", false},
    {"threads", LU_INT, "0", 0, 1024, NULL, "Threads for many episodes; 0: all CPUs.", false},
    {"fps", LU_REAL, "8", 0.1, 1000, NULL, "Decisions shown per second in a terminal.", false},
    {"every", LU_INT, "1", 1, 1000000, NULL,
     "Shows about every N-th decision, preferring those with an event.", false},
    {"within", LU_REAL, "0", 0, 86400, NULL,
     "Shows the whole episode in about this many seconds, skipping decisions as needed, then "
     "exits; 0 = off.",
     false},
    {"fast", LU_BOOL, "false", 0, 0, NULL, "Shows only the end, not each decision.", false},
    {"record", LU_TEXT, "", 0, 4096, NULL, "Writes a replay of the episode to this file.", false},
};

static const lu_table *const tables[] = {&lu_run_place_table, NULL};

static const char details[] =
    "Keys in a terminal: space pauses, the right arrow steps, < and > change the speed,\ne jumps "
    "to the end, q quits. With --model the game has the settings of the\ntraining unless you set "
    "them, and a replay keeps the agent's thoughts.";

typedef struct watch {
    lu_episode s;
    lu_player own; /* in the seat that is looked at */
    call_seats seats;
    lu_crew *crew;
    bool thinks; /* an agent plays: */
    lu_thought thoughts[LU_MAX_SEATS];
    lu_error failure; /* of an agent; LU_OK as a rule */
    lu_recorder *recorder;
    double fps;
    int64_t every;
    bool ends; /* leaves by itself when the episode is over */
    bool paused, leave, to_end, interrupted;
} watch;

static void advance(watch *w) {
    int32_t actions[LU_MAX_SEATS * LU_MAX_HEADS];
    lu_crew_ask ask = {
        .env = w->s.env, .actions = actions, .thoughts = w->thinks ? w->thoughts : NULL};
    if (lu_crew_act(w->crew, &ask, 1, &w->failure) != LU_OK) {
        w->leave = true;
        return;
    }
    lu_env_step(w->s.env, actions);
    if (w->recorder) {
        lu_recorder_step(w->recorder, w->s.env, ask.thoughts);
    }
}

static bool eventful(const lu_env *env) {
    return lu_frame_events(env) != 0;
}

/* Goes on by `every` decisions, or from the middle of that window to the first one with an event:
 * where decisions are left out, the telling ones are shown. */
static void advance_window(watch *w) {
    for (int64_t i = 1; i <= w->every && !w->s.env->over && !w->leave; i++) {
        advance(w);
        if (2 * i > w->every && eventful(w->s.env)) {
            break;
        }
    }
}

/* ---- live ---- */

static void draw(watch *w, const char *bot) {
    int columns, lines;
    const lu_env *env = w->s.env;
    lu_text text = LU_TEXT_INIT, step = LU_TEXT_INIT, message = LU_TEXT_INIT;
    terminal_size(&columns, &lines);
    board_step(&step, env, w->seats.own);
    int last = board_message(&message, cell("%s > ", bot), step.text, columns, lines) + 1;
    for (int seat = 0; w->thinks && env->decisions > 0 && seat < env->game->seats; seat++) {
        last += board_thought(&message, env->game, &w->thoughts[seat], columns);
    }
    board_head(&text, env, w->s.option_settings, w->seats.own, columns);
    int used = 1 + board_show(&text, env, w->seats.own, columns, lines - 1 - last);
    lu_text_fill(&text, '\n', lines - used - last);
    lu_text_addf(&text, "%s%s%s%s   space pause, right step, < > speed (%.3g/s), e end, q quit%s",
                 message.text, paint(BOLD),
                 env->over   ? "over"
                 : w->paused ? "paused"
                             : "playing",
                 paint(PLAIN), w->fps, paint(PLAIN));
    terminal_draw(text.text, -1, 0);
    lu_text_free(&text);
    lu_text_free(&step);
    lu_text_free(&message);
}

static void key(watch *w, int pressed) {
    switch (pressed) {
    case 'q':
    case KEY_ESCAPE:
    case KEY_CONTROL_D:
        w->leave = true;
        break;
    case KEY_CONTROL_C:
    case KEY_CLOSED:
        w->leave = w->interrupted = true;
        break;
    case ' ':
        w->paused = !w->paused;
        break;
    case KEY_RIGHT:
        w->paused = true;
        if (!w->s.env->over) {
            advance(w);
        }
        break;
    case '>':
    case '+':
        w->fps = w->fps * 1.5 > 1000 ? 1000 : w->fps * 1.5;
        break;
    case '<':
    case '-':
        w->fps = w->fps / 1.5 < 0.1 ? 0.1 : w->fps / 1.5;
        break;
    case 'e':
        w->to_end = true;
        break;
    default:
        break;
    }
}

static void watch_live(watch *w, const char *bot) {
    double due = lu_clock_seconds();
    while (!w->leave) {
        draw(w, bot);
        if (w->ends && w->s.env->over) {
            break;
        }
        bool still = w->paused || w->s.env->over;
        double wait = due + 1.0 / w->fps - lu_clock_seconds();
        int pressed = terminal_key(still ? -1.0 : wait < 0 ? 0.0 : wait);
        if (pressed != KEY_NONE) {
            key(w, pressed);
        }
        while (w->to_end && !w->s.env->over && !w->leave && !interrupted()) {
            advance(w);
        }
        if (still || w->paused || lu_clock_seconds() < due + 1.0 / w->fps) {
            due = still ? lu_clock_seconds() : due;
            continue;
        }
        due = lu_clock_seconds();
        advance_window(w);
    }
}

/* ---- as lines ---- */

static void watch_lines(watch *w, bool show) {
    const lu_env *env = w->s.env;
    lu_text text = LU_TEXT_INIT;
    progress_start();
    while (!env->over && !w->leave && !interrupted()) {
        if (!show) {
            advance(w);
            progress(-1, cell("%lld decisions", (long long)env->decisions));
            continue;
        }
        advance_window(w);
        if (w->leave) {
            break;
        }
        lu_text_clear(&text);
        lu_text_addf(&text, "%6lld  ", (long long)env->decisions);
        board_step(&text, env, w->seats.own);
        lu_text_add_char(&text, '\n');
        out_write(text.text, text.length);
    }
    progress_end();
    lu_text_clear(&text);
    lu_text_add(&text, show ? "\n" : "");
    board_show(&text, env, w->seats.own, 80, 1000);
    lu_text_add_char(&text, '\n');
    out_text_end(&text);
    w->interrupted = interrupted();
}

/* ---- the verb ---- */

static void begin(watch *w, uint64_t seed) {
    lu_env_reset(w->s.env, seed, w->s.options);
    lu_crew_begin(w->crew, 0, seed, seed, w->seats.own);
}

/* Chooses how many decisions to leave out so that the episode takes `seconds`: plays it once
 * unseen, which is short beside showing it. */
static void pace(watch *w, uint64_t seed, double seconds) {
    begin(w, seed);
    while (!w->s.env->over && !w->leave && !interrupted()) {
        advance(w);
    }
    /* windows end early at events, by a quarter on average */
    w->every = 1 + (int64_t)((double)w->s.env->decisions / (0.75 * seconds * w->fps));
    w->ends = true;
}

static lu_status watch_one(const verb_call *call, watch *w, const char *name, uint64_t seed,
                           lu_error *error) {
    const char *record = lu_settings_text_of(call->settings, "record");
    bool fast = lu_settings_bool(call->settings, "fast");
    double within = lu_settings_real(call->settings, "within");
    lu_status status = LU_OK;
    if (within > 0 && !fast) {
        pace(w, seed, within);
    }
    begin(w, seed);
    if (*record) {
        w->recorder = lu_recorder_new(w->s.env, w->s.settings_json, w->s.options_json);
    }
    if (!fast && terminal_open()) {
        watch_live(w, name);
        terminal_close();
    } else {
        watch_lines(w, !fast);
    }
    if (w->failure.status != LU_OK) { /* an episode that the agent did not play is not kept */
        lu_recorder_delete(w->recorder);
        *error = w->failure;
        return error->status;
    }
    lu_text text = LU_TEXT_INIT;
    board_summary(&text, w->s.env, w->seats.own);
    out_text_end(&text);
    if (w->recorder) {
        status = lu_recorder_write(w->recorder, w->s.env, record, error);
        lu_recorder_delete(w->recorder);
        if (status == LU_OK) {
            out_format("Recorded: ludus replay %s\n", record);
        }
    }
    if (status == LU_OK && w->interrupted) {
        status = lu_fail(error, LU_INTERRUPTED, "interrupted");
    }
    return status;
}

/* Seeds and number of episodes: --seeds A..B, or --seed and --episodes. */
static lu_status read_seeds(const verb_call *call, uint64_t *first, int *episodes,
                            lu_error *error) {
    const char *range = lu_settings_text_of(call->settings, "seeds");
    *episodes = (int)lu_settings_int(call->settings, "episodes");
    if (!*range) {
        return call_seed(call, first, error);
    }
    if (lu_settings_origin(call->settings, "seed") == LU_FROM_FLAG &&
        lu_settings_origin(call->settings, "seeds") == LU_FROM_FLAG) {
        return lu_fail(error, LU_USAGE, "--seed and --seeds cannot be combined");
    }
    int count;
    LU_TRY(seeds_parse(range, first, &count, error));
    if (lu_settings_is_set(call->settings, "episodes") && *episodes != count) {
        return lu_fail(error, LU_BAD_VALUE, "'seeds' = '%s' holds %d seeds, but 'episodes' = %d",
                       range, count, *episodes);
    }
    *episodes = count;
    return LU_OK;
}

static lu_status watch_many(const verb_call *call, const watch *w, uint64_t first, int episodes,
                            lu_error *error) {
    lu_match m = {.episode = &w->s,
                  .first_seed = first,
                  .episodes = episodes,
                  .threads = (int)lu_settings_int(call->settings, "threads")};
    if (*lu_settings_text_of(call->settings, "record")) {
        return lu_fail(error, LU_USAGE,
                       "--record keeps one episode; leave out --seeds, --episodes "
                       "and --json");
    }
    judge_sit_down(&m, &w->own, &w->seats);
    lu_status status = judge_play(&m, error);
    if (status == LU_OK && call->json) {
        lu_json json = LU_JSON_INIT;
        lu_json_object(&json);
        lu_json_key_string(&json, w->own.file ? "model" : "bot", w->own.name);
        lu_match_write_seats(&m, &json);
        lu_match_write(&m, &json);
        out_json_end(&json);
    } else if (status == LU_OK) {
        judge_print(&m);
    }
    lu_match_free(&m);
    return status;
}

static lu_status find_players(const verb_call *call, watch *w, lu_error *error) {
    const char *model = lu_settings_text_of(call->settings, "model");
    const char *bot = lu_settings_text_of(call->settings, "bot");
    if (*model && *bot) {
        return lu_fail(error, LU_USAGE, "--model and --bot cannot be combined: who plays?");
    }
    lu_status status = call_not_empty(call, "model", error);
    LU_THEN(status, *model ? call_model(call, model, call->game, &w->own, error)
                           : lu_player_bot(&w->own, bot, call->game, error));
    LU_THEN(status, call_open_seats(call, call->game, &w->seats, error));
    w->thinks = call_first_model(&w->own, &w->seats) != NULL;
    w->own.greedy = lu_settings_bool(call->settings, "greedy");
    for (int i = 0; i < w->seats.opponents; i++) {
        w->seats.opponent[i].greedy = w->own.greedy;
    }
    if (status == LU_OK && !w->thinks && w->own.greedy) {
        status = lu_fail(error, LU_USAGE, "--greedy is for agents: add --model");
    }
    return status;
}

static void add_name(const lu_player *player, lu_text *text) {
    lu_text_addf(text, "%s%.30s", text->length ? ", " : "", player->file ? "agent" : player->name);
}

/* Sits them down; their names are for the screen. */
static void sit_down(watch *w, lu_text *names) {
    const lu_player *player[LU_MAX_SEATS] = {&w->own};
    for (int i = 1; i < w->s.game->seats; i++) {
        player[i] = w->seats.opponents ? call_opponent(&w->seats, i) : &w->own;
    }
    w->crew = lu_crew_new(w->s.game, w->s.rules, player, 1, w->thinks);
    add_name(&w->own, names);
    for (int i = 0; i < w->seats.opponents; i++) {
        judge_note_settings(&w->s, &w->seats.opponent[i]);
        add_name(&w->seats.opponent[i], names);
    }
}

static lu_status run(verb_call *call, lu_error *error) {
    uint64_t first = 0;
    int episodes = 1;
    watch w = {.fps = lu_settings_real(call->settings, "fps"),
               .every = lu_settings_int(call->settings, "every")};
    lu_status status = find_players(call, &w, error);
    LU_THEN(status, read_seeds(call, &first, &episodes, error));
    LU_THEN(status, record_check(lu_settings_text_of(call->settings, "record"), error));
    const lu_model_file *file = call_first_model(&w.own, &w.seats);
    LU_THEN(status, call_open_episode(call, call->game, file, &w.s, error));
    LU_THEN(status, call_check_own(&w.seats, &w.s, error));
    if (status == LU_OK &&
        (call->json || episodes > 1 || *lu_settings_text_of(call->settings, "seeds"))) {
        status = watch_many(call, &w, first, episodes, error);
    } else if (status == LU_OK) {
        lu_text names = LU_TEXT_INIT;
        sit_down(&w, &names);
        status = watch_one(call, &w, names.text, first, error);
        lu_crew_delete(w.crew);
        lu_text_free(&names);
    }
    lu_episode_close(&w.s);
    lu_player_close(&w.own);
    call_close_seats(&w.seats);
    return status;
}

const verb verb_watch = {
    .name = "watch",
    .usage = "watch GAME [--bot NAME | --model MODEL] [--seed N | --seeds A..B] [--json]",
    .sentence = "Watches a bot or a trained agent play, or reports on many episodes.",
    .details = details,
    .examples = examples,
    .options = VERB_OPTIONS("watch", options),
    .tables = tables,
    .game = VERB_GAME,
    .game_settings = true,
    .json = true,
    .run = run,
};
