/* ludus replay: opens a replay file, which re-simulates it and checks its hashes, and shows it: a
 * player in a terminal, lines elsewhere, frames as JSON for programs. */
#include "board.h"
#include "output.h"
#include "session.h"
#include "terminal.h"

#include "ludus/clock.h"

#include <string.h>

static const verb_example examples[] = {
    {"ludus watch prospector --seed 7 --fast --record flight.ludus", "makes a replay to open"},
    {"ludus replay flight.ludus", "the player: space, arrows, PgUp, PgDn, Home, End, < >, q"},
    {"ludus replay flight.ludus --json | head -n 3", "the header, then one JSON line per frame"},
    {"ludus replay flight.ludus --info", "what the file holds, after checking every hash"},
    {NULL, NULL},
};

static const lu_setting options[] = {
    {"info", LU_BOOL, "false", 0, 0, NULL, "Shows what the file holds, no frames.", false},
    {"from", LU_INT, "0", 0, 1e15, NULL, "Starts at this frame; 0 is the reset.", false},
    {"fps", LU_REAL, "8", 0.1, 1000, NULL, "Frames per second of the player.", false},
    {"hidden", LU_BOOL, "false", 0, 0, NULL,
     "JSON frames hold the whole state, also what no seat sees.", false},
};

/* ---- header ---- */

static void write_header(const lu_replay *r, const char *path, lu_json *json) {
    lu_json_object(json);
    lu_json_key_int(json, "schema", 1);
    lu_json_key_string(json, "file", path);
    lu_json_key_string(json, "game", r->game->id);
    lu_json_key(json, "seed");
    lu_json_uint(json, r->seed);
    lu_json_key(json, "settings");
    lu_json_raw(json, r->settings_json, strlen(r->settings_json));
    lu_json_key(json, "options");
    const char *options_text = *r->options_json ? r->options_json : "{}";
    lu_json_raw(json, options_text, strlen(options_text));
    lu_json_key_int(json, "decisions", r->decisions);
    lu_json_key_bool(json, "ended", r->ended);
    lu_json_key_bool(json, "thoughts", r->thoughts != NULL);
    lu_json_key(json, "spec");
    lu_json_hex(json, r->model->spec);
    lu_json_key(json, "model");
    lu_json_hex(json, r->model->hash);
    lu_json_object_end(json);
}

static void print_header(const lu_replay *r, const char *path) {
    out_format("%s%s%s: %s, seed %llu, %lld decisions%s\n", paint(BOLD), path, paint(PLAIN),
               r->game->id, (unsigned long long)r->seed, (long long)r->decisions,
               r->ended ? "" : ", not ended");
    out_format("settings %s%s; re-simulated, every hash agrees\n", r->settings_json,
               r->thoughts ? "; with the agent's thoughts" : "");
}

/* ---- frames ---- */

static void write_thought(const lu_game *game, const lu_thought *thought, lu_json *json) {
    lu_json_object(json);
    lu_json_key(json, "value");
    lu_json_float(json, thought->value);
    lu_json_key(json, "entropy");
    lu_json_float(json, thought->entropy);
    lu_json_key(json, "top");
    lu_json_array(json);
    for (int i = 0; i < thought->top_count; i++) {
        const char *name = board_option(game, thought->top_action[i]);
        lu_json_object(json);
        lu_json_key_int(json, "action", thought->top_action[i]);
        if (name) {
            lu_json_key_string(json, "name", name);
        }
        lu_json_key(json, "probability");
        lu_json_float(json, thought->top_probability[i]);
        lu_json_object_end(json);
    }
    lu_json_array_end(json);
    lu_json_object_end(json);
}

/* Frame 0 is the reset (t = -1, as in a trace), frame k follows decision k - 1. */
static void write_frame(const lu_replay *r, const lu_env *env, bool hidden, lu_json *json) {
    const lu_game *game = r->game;
    int count = game->seats * game->heads;
    lu_text words;
    lu_text_init(&words);
    lu_json_object(json);
    lu_json_key_int(json, "t", env->decisions - 1);
    lu_json_key(json, "action");
    if (env->decisions == 0) {
        lu_json_null(json);
    } else if (count == 1) {
        lu_json_int(json, env->actions[0]);
    } else {
        lu_json_array(json);
        for (int i = 0; i < count; i++) {
            lu_json_int(json, env->actions[i]);
        }
        lu_json_array_end(json);
    }
    lu_json_key(json, "rewards");
    lu_json_array(json);
    for (int seat = 0; seat < game->seats; seat++) {
        lu_json_real(json, env->reward[seat]);
    }
    lu_json_array_end(json);
    lu_json_key_bool(json, "terminated", env->step.terminated);
    lu_json_key_bool(json, "truncated", env->step.truncated);
    if (env->decisions > 0) {
        story_of(env, &words);
    }
    lu_json_key_string(json, "story", words.text);
    lu_text_clear(&words);
    events_of(env, &words);
    lu_json_key_string(json, "events", words.text);
    lu_json_key(json, "info");
    lu_info_write(game, env->info, json);
    lu_json_key(json, "state");
    game->to_json(r->model, env->state, hidden || game->seats > 1 ? -1 : 0, json);
    lu_json_key(json, "hash");
    lu_json_hex(json, lu_env_hash(env));
    if (r->thoughts && env->decisions > 0) {
        lu_json_key(json, "thought");
        write_thought(game, &r->thoughts[env->decisions - 1], json);
    }
    lu_json_object_end(json);
    lu_text_free(&words);
}

static lu_status print_frames(lu_replay *r, lu_env *env, int64_t from, bool json, bool hidden,
                              lu_error *error) {
    size_t row = (size_t)r->game->seats * (size_t)r->game->heads;
    lu_json line;
    lu_text text;
    lu_json_init(&line);
    lu_text_init(&text);
    lu_replay_seek(r, env, from);
    for (;;) {
        if (json) {
            write_frame(r, env, hidden, &line);
            out_json(&line);
        } else {
            lu_text_clear(&text);
            lu_text_addf(&text, "%6lld  ", (long long)env->decisions);
            board_step(&text, env, 0);
            lu_text_add_char(&text, '\n');
            out_write(text.text, text.length);
        }
        if (env->decisions >= r->decisions || interrupted()) {
            break;
        }
        lu_env_step(env, r->actions + (size_t)env->decisions * row);
    }
    if (!json) {
        lu_text_clear(&text);
        lu_text_add_char(&text, '\n');
        board_show(&text, env, 0, 1000);
        board_summary(&text, env, 0);
        out_write(text.text, text.length);
    }
    lu_json_free(&line);
    lu_text_free(&text);
    return interrupted() ? lu_fail(error, LU_INTERRUPTED, "interrupted") : LU_OK;
}

/* ---- the player ---- */

typedef struct player {
    lu_replay *r;
    lu_env *env;
    int64_t frame;
    double fps;
    bool paused, leave, interrupted;
} player;

/* A bar of `width` columns with the place of the frame. */
static void add_bar(lu_text *text, const player *p, int width) {
    int at = p->r->decisions > 0 ? (int)(p->frame * (width - 1) / p->r->decisions) : 0;
    lu_text_add_char(text, '[');
    lu_text_fill(text, '=', at);
    lu_text_add_char(text, '|');
    lu_text_fill(text, '-', width - 1 - at);
    lu_text_add_char(text, ']');
}

static void draw(player *p) {
    int columns, lines;
    lu_text text, step, message;
    terminal_size(&columns, &lines);
    lu_text_init(&text);
    lu_text_init(&step);
    lu_text_init(&message);
    board_step(&step, p->env, 0);
    const lu_thought *thought =
        p->r->thoughts && p->frame > 0 ? &p->r->thoughts[p->frame - 1] : NULL;
    int last = board_message(&message, "> ", step.text, columns) + 2;
    last += board_thought(&message, p->r->game, thought, columns);
    board_head(&text, p->env, 0, columns);
    int used = 1 + board_show(&text, p->env, 0, lines - 1 - last);
    lu_text_fill(&text, '\n', lines - used - last);
    lu_text_add(&text, message.text);
    const char *place = cell(" %lld/%lld %s %.3g/s", (long long)p->frame,
                             (long long)p->r->decisions, p->paused ? "paused" : "playing", p->fps);
    add_bar(&text, p, columns - 3 - (int)strlen(place));
    lu_text_addf(&text,
                 "%s\n%sspace pause, arrows step, PgUp PgDn 10, Home End, < > speed, q leave%s",
                 place, paint(DIM), paint(PLAIN));
    terminal_draw(text.text, -1, 0);
    lu_text_free(&text);
    lu_text_free(&step);
    lu_text_free(&message);
}

static void move(player *p, int64_t frame) {
    frame = frame < 0 ? 0 : frame > p->r->decisions ? p->r->decisions : frame;
    p->frame = frame;
    lu_replay_seek(p->r, p->env, frame);
}

static void key(player *p, int pressed) {
    static const struct {
        int key;
        int64_t by;
    } moves[] = {{KEY_LEFT, -1}, {KEY_RIGHT, 1}, {KEY_PAGE_UP, -10}, {KEY_PAGE_DOWN, 10}};
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
        if (moves[i].key == pressed) {
            p->paused = true;
            move(p, p->frame + moves[i].by);
            return;
        }
    }
    switch (pressed) {
    case 'q':
    case KEY_ESCAPE:
    case KEY_CONTROL_D:
        p->leave = true;
        break;
    case KEY_CONTROL_C:
    case KEY_CLOSED:
        p->leave = p->interrupted = true;
        break;
    case ' ':
        if (p->paused && p->frame == p->r->decisions) {
            move(p, 0);
        }
        p->paused = !p->paused;
        break;
    case KEY_HOME:
        move(p, 0);
        break;
    case KEY_END:
        p->paused = true;
        move(p, p->r->decisions);
        break;
    case '>':
        p->fps = p->fps * 1.5 > 1000 ? 1000 : p->fps * 1.5;
        break;
    case '<':
        p->fps = p->fps / 1.5 < 0.1 ? 0.1 : p->fps / 1.5;
        break;
    default:
        break;
    }
}

static void play(player *p) {
    double due = lu_clock_seconds();
    while (!p->leave) {
        p->paused = p->paused || p->frame == p->r->decisions;
        draw(p);
        double wait = due + 1.0 / p->fps - lu_clock_seconds();
        int pressed = terminal_key(p->paused ? -1.0 : wait < 0 ? 0.0 : wait);
        if (pressed != KEY_NONE) {
            key(p, pressed);
            due = p->paused ? lu_clock_seconds() : due;
        }
        if (!p->paused && lu_clock_seconds() >= due + 1.0 / p->fps) {
            due = lu_clock_seconds();
            move(p, p->frame + 1);
        }
    }
}

/* ---- the verb ---- */

static lu_status show(const verb_call *call, lu_replay *r, lu_env *env, lu_error *error) {
    const char *path = call->argument[0];
    int64_t from = lu_settings_int(call->settings, "from");
    bool info = lu_settings_bool(call->settings, "info");
    if (lu_settings_bool(call->settings, "hidden") && !call->json) {
        return lu_fail(error, LU_USAGE, "--hidden is about JSON frames: add --json");
    }
    if (from > r->decisions) {
        return lu_fail(error, LU_BAD_VALUE, "'from' = %lld, but the last frame of %s is %lld",
                       (long long)from, path, (long long)r->decisions);
    }
    if (call->json) {
        lu_json json;
        lu_json_init(&json);
        write_header(r, path, &json);
        out_json(&json);
        lu_json_free(&json);
    } else if (info || !out_terminal()) {
        print_header(r, path);
    }
    if (info) {
        return LU_OK;
    }
    if (!call->json && terminal_open()) {
        player p = {.r = r, .env = env, .fps = lu_settings_real(call->settings, "fps")};
        move(&p, from);
        play(&p);
        terminal_close();
        print_header(r, path);
        return p.interrupted ? lu_fail(error, LU_INTERRUPTED, "interrupted") : LU_OK;
    }
    return print_frames(r, env, from, call->json, lu_settings_bool(call->settings, "hidden"),
                        error);
}

static lu_status run(verb_call *call, lu_error *error) {
    lu_replay *r = lu_replay_open(call->argument[0], error);
    if (!r) {
        return error->status;
    }
    lu_env *env = lu_env_new(r->game, r->model);
    lu_status status = show(call, r, env, error);
    lu_env_delete(env);
    lu_replay_close(r);
    return status;
}

const verb verb_replay = {
    .name = "replay",
    .usage = "replay FILE [--info] [--from N] [--json]",
    .sentence = "Opens a replay: checks it, then plays it in the terminal or prints its frames.",
    .examples = examples,
    .options = VERB_OPTIONS("replay", options),
    .least = 1,
    .most = 1,
    .argument = "FILE",
    .json = true,
    .run = run,
};
