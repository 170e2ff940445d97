/* ludus play: a person in one seat, or persons in all of them, who choose one after the other. In a
 * terminal it draws a screen that fits 80 x 24 and reads keys; otherwise it prints boards and reads
 * commands line by line, so that it can be scripted; with
 * --json a program plays in the same way. */
#include "output.h"
#include "play.h"
#include "screen.h"
#include "terminal.h"

#include "ludus/clock.h"
#include "ludus/run.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static const verb_example examples[] = {
    {"ludus play prospector", "a new episode in the terminal"},
    {"ludus play prospector --seed 7 --record flight.ludus", "a chosen episode, saved as a replay"},
    {"printf 'right\\nq\\n' | ludus play corridor --seed 3", "commands from a pipe"},
    {"printf 'right\\nh\\n' | ludus play corridor --seed 3 --json",
     "the same for a program: a JSON line per question"},
    {NULL, NULL},
};

static const lu_setting options[] = {
    {"seed", LU_TEXT, "", 0, 40, NULL,
     "Seed of the episode, decimal or 0x hex; by default one is drawn and shown.", false},
    {"bot", LU_TEXT, "", 0, 100, NULL, "Bot that gives hints; default: the strongest.", false},
    {"model", LU_TEXT, "", 0, 4096, NULL,
     "A trained agent that gives hints instead of a bot: a model file, a run, or `latest`.", false},
    {"opponent", LU_TEXT, "", 0, 4096, NULL,
     "Player in the other seats of a multiplayer game: a bot, a model, `random`, or `person` for "
     "people who take turns at this terminal; if repeated, the seats after yours in order. "
     "Default: the strongest bot.",
     true},
    {"seat", LU_INT, "0", 0, LU_MAX_SEATS - 1, NULL, "Your seat.", false},
    {"record", LU_TEXT, "", 0, 4096, NULL, "Writes a replay to this file.", false},
};

static const lu_table *const tables[] = {&lu_run_place_table, NULL};

static const char details[] =
    "Type a key or number from the list, or the beginnings of the words of a name\n(\"select 3\", "
    "\"rock 3\" and \"r3\" are \"select rock 3\"), then Enter. Answer several questions\nin one "
    "line (\"play 4 5 6\", \"buy 2\"); add ? for a preview.\ng (hint) asks the bot, and Enter "
    "alone then plays its advice; b (back) restarts the\nquestion; Tab (or a) lists all actions, "
    "PgDn and PgUp turn pages, /word searches;\n? shows help; q quits. If a letter is also a key "
    "of the game, the game gets it: type the whole word instead.\nWith --opponent person, people "
    "share the keyboard: the question shows whose turn it is,\nand nobody sees a simultaneous "
    "choice before all have chosen.\nWith --json every question is one line of JSON: decision, "
    "seat, over, reward,\nreturn, message, head (the current one), chosen (for earlier heads), "
    "legal (options\nwith number, name and the game's note), state (what the seat may see) "
    "and\ninfo; each line of input is answered by the next one. `ludus trace` prints observations "
    "instead.";

/* ---- the verb ---- */

/* A value as one word of a shell. */
static void add_word(lu_text *text, const char *value) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-+=.,:/@%";
    if (*value && !value[strspn(value, plain)]) {
        lu_text_add(text, value);
        return;
    }
    lu_text_add_char(text, '\'');
    for (; *value; value++) {
        if (*value == '\'') {
            lu_text_add(text, "'\\''");
        } else {
            lu_text_add_char(text, *value);
        }
    }
    lu_text_add_char(text, '\'');
}

static void add_flag(lu_text *text, const char *key, const char *value) {
    lu_text_addf(text, " --%s ", key);
    add_word(text, value);
}

/* What of `values` is not the default, as options of this verb. */
static void add_flags(const play *p, const char *prefix, const lu_settings *values, lu_text *text) {
    for (size_t i = 0; i < lu_settings_rows(values); i++) {
        const lu_setting *row = lu_settings_row(values, i, NULL);
        const char *value = lu_settings_text_of(values, row->key);
        if (lu_settings_origin(values, row->key) == LU_FROM_DEFAULT) {
            continue;
        }
        const char *longer = cell("%s%s", prefix, row->key);
        const char *key = lu_settings_has(p->call->settings, longer) ? longer : row->key;
        if (row->repeat) {
            for (size_t n = 0; n < lu_settings_count(values, row->key); n++) {
                add_flag(text, key, lu_settings_nth(values, row->key, n));
            }
        } else if (strcmp(value, row->initial) != 0) {
            add_flag(text, key, value);
        }
    }
}

/* The command that begins the same episode. */
static void add_again(const play *p, uint64_t seed, lu_text *text) {
    const lu_settings *call = p->call->settings;
    lu_text_addf(text, "Again: ludus play %s --seed %llu", p->s.game->id, (unsigned long long)seed);
    if (lu_settings_origin(call, "seat") != LU_FROM_DEFAULT) {
        add_flag(text, "seat", lu_settings_text_of(call, "seat"));
    }
    for (size_t i = 0; i < lu_settings_count(call, "opponent"); i++) {
        add_flag(text, "opponent", lu_settings_nth(call, "opponent", i));
    }
    add_flags(p, "game.", p->s.settings, text);
    add_flags(p, "option.", p->s.option_settings, text);
    lu_text_add_char(text, '\n');
}

/* How it went, in words. */
static void print_summary(const play *p, uint64_t seed) {
    lu_text text = LU_TEXT_INIT;
    board_summary(&text, p->s.env, p->seats.own);
    add_again(p, seed, &text);
    out_text_end(&text);
}

static lu_status play_episode(play *p, uint64_t seed, const char *record, lu_error *error) {
    lu_status status = LU_OK;
    lu_env_reset(p->s.env, seed, p->s.options);
    lu_crew_begin(p->crew, 0, seed, seed, 0);
    for (int seat = 0; seat < p->s.game->seats && p->has_hint; seat++) {
        lu_seated_bot_begin(&p->hint[seat], seed);
    }
    if (p->agent) {
        lu_agent_begin(p->agent, 0, seed);
    }
    p->recorder = *record ? lu_recorder_new(p->s.env, p->s.settings_json, p->s.options_json) : NULL;
    p->done = p->again = false;
    lu_text_clear(&p->typed);
    lu_text_clear(&p->message);
    lu_text_addf(&p->message, "welcome to %s; ? shows how to choose", p->s.game->title);
    play_ask(p);
    if (p->json) {
        play_json(p);
    } else if (terminal_open()) {
        play_keys(p);
        terminal_close();
        print_summary(p, seed);
    } else {
        play_lines(p);
        print_summary(p, seed);
    }
    if (p->recorder) {
        status = lu_recorder_write(p->recorder, p->s.env, record, error);
        lu_recorder_delete(p->recorder);
        p->recorder = NULL;
        if (status == LU_OK && p->json) {
            note("recorded: ludus replay %s", record);
        } else if (status == LU_OK) {
            out_format("Recorded: ludus replay %s\n", record);
        }
    }
    if (status == LU_OK && p->failure.status != LU_OK) {
        *error = p->failure;
        status = error->status;
    }
    if (status == LU_OK && p->interrupted) {
        status = lu_fail(error, LU_INTERRUPTED, "interrupted");
    }
    return status;
}

static void sit_down(play *p) {
    const lu_player *player[LU_MAX_SEATS];
    int seats = p->s.game->seats, own = p->seats.own;
    p->person = (lu_player){.kind = LU_PLAYER_PERSON, .name = "you"};
    for (int behind = 0; behind < seats; behind++) {
        int seat = (own + behind) % seats;
        const lu_player *other = behind > 0 ? call_opponent(&p->seats, behind) : &p->person;
        player[seat] = other;
        p->persons |= other->kind == LU_PLAYER_PERSON ? 1u << seat : 0u;
    }
    p->thinks = call_first_model(&p->person, &p->seats) != NULL;
    p->crew = lu_crew_new(p->s.game, p->s.rules, player, 1, p->thinks);
}

static lu_status start(play *p, const verb_call *call, lu_error *error) {
    const lu_game *game = call->game;
    lu_player hint;
    if (*lu_settings_text_of(call->settings, "bot") &&
        *lu_settings_text_of(call->settings, "model")) {
        return lu_fail(error, LU_USAGE,
                       "--model and --bot cannot be combined: who gives the hints?");
    }
    lu_status status =
        lu_player_bot(&hint, lu_settings_text_of(call->settings, "bot"), game, error);
    LU_THEN(status, call_open_seats(call, game, &p->seats, error));
    LU_THEN(status, record_check(lu_settings_text_of(call->settings, "record"), error));
    LU_THEN(status, call_not_empty(call, "model", error));
    if (status == LU_OK && *lu_settings_text_of(call->settings, "model")) {
        p->file = model_open(call, lu_settings_text_of(call->settings, "model"), game, error);
        status = p->file ? LU_OK : error->status;
    }
    if (status == LU_OK) {
        const lu_model_file *file = call_first_model(&(lu_player){.file = p->file}, &p->seats);
        status = call_open_episode(call, call->game, file, &p->s, error);
    }
    LU_THEN(status, call_check_own(&p->seats, &p->s, error));
    if (status == LU_OK) {
        sit_down(p);
        p->has_hint = hint.bot != NULL && !p->file;
        if (p->file) {
            p->agent = lu_agent_new(&(lu_agent_settings){.file = p->file,
                                                         .rules = p->s.rules,
                                                         .episodes = 1,
                                                         .greedy = true,
                                                         .thinks = true});
        }
        for (int seat = 0; seat < game->seats && p->has_hint; seat++) {
            lu_seated_bot_init(&p->hint[seat], hint.bot);
        }
        lu_text_init(&p->typed);
        lu_text_init(&p->message);
    }
    return status;
}

static lu_status run(verb_call *call, lu_error *error) {
    uint64_t seed;
    play *p = lu_alloc_zero(1, sizeof *p);
    p->call = call;
    p->seats = (call_seats){.persons = true, .filled = true};
    p->json = call->json;
    if (p->json) {
        out_plain(); /* messages are data */
    }
    lu_status status = LU_OK;
    if (*lu_settings_text_of(call->settings, "seed")) {
        status = call_seed(call, &seed, error);
    } else {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        seed = lu_mix((uint64_t)now.tv_sec, (uint64_t)now.tv_nsec, 0) % 1000000;
    }
    LU_THEN(status, start(p, call, error));
    if (status != LU_OK) {
        lu_episode_close(&p->s);
        lu_model_file_delete(p->file);
        call_close_seats(&p->seats);
        free(p);
        return status;
    }
    do {
        status = play_episode(p, seed++, lu_settings_text_of(call->settings, "record"), error);
    } while (status == LU_OK && p->again);
    lu_crew_delete(p->crew);
    for (int seat = 0; seat < call->game->seats && p->has_hint; seat++) {
        lu_seated_bot_free(&p->hint[seat]);
    }
    lu_text_free(&p->typed);
    lu_text_free(&p->message);
    lu_agent_delete(p->agent);
    lu_episode_close(&p->s);
    lu_model_file_delete(p->file);
    call_close_seats(&p->seats);
    free(p);
    return status;
}

const verb verb_play = {
    .name = "play",
    .usage = "play GAME [--seed N] [--bot NAME | --model MODEL] [--record FILE] [--json]",
    .sentence = "Lets you play a game in the terminal, with hints from a bot or an agent.",
    .details = details,
    .examples = examples,
    .options = VERB_OPTIONS("play", options),
    .tables = tables,
    .game = VERB_GAME,
    .game_settings = true,
    .json = true,
    .run = run,
};
