/* ludus replay: finds a replay, opens it, which re-simulates it and checks its hashes, and shows
 * it: a player in a terminal, lines elsewhere, frames as JSON for programs, a page for browsers. */
#include "call_episode.h"
#include "output.h"
#include "replay_player.h"
#include "screen.h"
#include "terminal.h"
#include "upgrade.h"

#include "ludus/file.h"
#include "ludus/replay_page.h"
#include "ludus/run.h"

#include <string.h>
#include <sys/stat.h>

static const verb_example examples[] = {
    {"ludus watch prospector --seed 7 --fast --record flight.ludus", "makes a replay to open"},
    {"ludus replay flight.ludus", "the player: space, arrows, n and p for events, ? for all keys"},
    {"ludus replay flight.ludus --html flight.html", "a single page that plays it offline"},
    {"ludus replay flight.ludus --json | head -n 3", "the header, then one line of JSON per frame"},
    {"ludus replay flight.ludus --info", "what the file holds, after checking every hash"},
    {"ludus replay upgrade flight.ludus",
     "upgrades replays from an earlier version or specification"},
    {NULL, NULL},
};

static const lu_setting options[] = {
    {"game", LU_TEXT, "", 0, 100, NULL, "The game that the replay must be of; default: any.",
     false},
    {"info", LU_BOOL, "false", 0, 0, NULL, "Shows what the file holds, without frames.", false},
    {"from", LU_INT, "0", 0, 1e15, NULL, "Starts at this frame; 0 is the reset.", false},
    {"fps", LU_REAL, "8", 0.1, 1000, NULL, "Frames per second in the player.", false},
    {"html", LU_TEXT, "", 0, 4096, NULL,
     "Writes a self-contained page that plays the replay to this file.", false},
    {"view", LU_ENUM, "drawn", 0, 0, "drawn|text",
     "How the page shows the game: drawn as on the site, or as text as in the terminal.", false},
    {"hidden", LU_BOOL, "false", 0, 0, NULL,
     "JSON frames hold the whole state, including what no seat sees.", false},
    {"legal", LU_BOOL, "false", 0, 0, NULL,
     "JSON frames hold the legal options of the next decision.", false},
};

static const lu_table *const tables[] = {&lu_run_place_table, NULL};

static const char details[] =
    "FILE|ID is a file, a replay's id (replay-000007-1a2b3c4d), `latest`,\n`best`, a run, or "
    "RUN:best, RUN:latest, RUN:7 for the best replay of a window.\nA replay holds actions, not "
    "frames: opening it plays the episode again and\ncompares its states with the recorded hashes, "
    "so everything shown, including reward terms and\nevents, is what happened.";

static void print_header(const lu_replay *r, const char *path) {
    out_line("%s%s%s: %s, seed %llu, %lld decision%s%s\n", paint(BOLD), path, paint(PLAIN),
             r->episode.game->id, (unsigned long long)r->seed, (long long)r->decisions,
             r->decisions == 1 ? "" : "s", r->ended ? "" : ", not ended");
    const char *settings = r->episode.settings_json;
    bool own = strcmp(settings, "{}") != 0;
    out_line("%s%s%s; re-simulated, every hash agrees\n", own ? "settings " : "default settings",
             own ? settings : "", r->thoughts ? "; with the agent's thoughts" : "");
}

/* The header, as a line of JSON or for people. */
static void show_header(const verb_call *call, const lu_replay *r, const char *path) {
    lu_json json;
    if (!call->json) {
        print_header(r, path);
        return;
    }
    lu_json_init(&json);
    lu_replay_write_header(r, path, &json);
    out_json(&json);
    lu_json_free(&json);
}

static lu_status check_options(const verb_call *call, const lu_replay *r, const char *path,
                               lu_error *error) {
    const char *html = lu_settings_text_of(call->settings, "html");
    int64_t from = lu_settings_int(call->settings, "from");
    struct stat replay, page;
    if (call->game && call->game != r->episode.game) {
        return lu_fail(error, LU_OTHER_SPEC, "%s is a replay of %s, not of %s", path,
                       r->episode.game->id, call->game->id);
    }
    for (int i = 0; i < 2; i++) {
        const char *key = i ? "legal" : "hidden";
        if (lu_settings_bool(call->settings, key) && (!call->json || *html)) {
            return lu_fail(error, LU_USAGE, "--%s applies to JSON frames: add --json%s", key,
                           *html ? ", without --html" : "");
        }
    }
    if (from > r->decisions) {
        return lu_fail(error, LU_BAD_VALUE, "'from' = %lld, but the last frame of %s is %lld",
                       (long long)from, path, (long long)r->decisions);
    }
    if (*html && stat(path, &replay) == 0 && stat(html, &page) == 0 &&
        replay.st_ino == page.st_ino && replay.st_dev == page.st_dev) {
        return lu_fail(error, LU_USAGE, "--html %s is the replay itself: name another file", html);
    }
    return call_not_empty(call, "html", error);
}

/* The page with the view that is asked for. The one of the site is part of the site's build: where
 * it is missing *drawn becomes false, and the boards are shown as text. */
static lu_status make_page(const verb_call *call, lu_replay *r, lu_env *env, const char *path,
                           bool *drawn, lu_text *page, lu_error *error) {
    int64_t from = lu_settings_int(call->settings, "from");
    lu_replay_marks marks;
    if (*drawn) {
        lu_status status = lu_replay_page_drawn(r, path, from, page, error);
        if (status != LU_NOT_FOUND) {
            return status;
        }
        *drawn = false;
    }
    progress_start();
    lu_status status = lu_replay_marks_find(r, env, out_watch(), &marks, error);
    LU_THEN(status, lu_replay_page(r, env, &marks, path, from, out_watch(), page, error));
    progress_end();
    lu_replay_marks_free(&marks);
    return status;
}

static lu_status write_page(const verb_call *call, lu_replay *r, lu_env *env, const char *path,
                            lu_error *error) {
    const char *file = lu_settings_text_of(call->settings, "html");
    bool wanted = lu_settings_enum(call->settings, "view") == 0, drawn = wanted;
    lu_text page = LU_TEXT_INIT;
    lu_status status = make_page(call, r, env, path, &drawn, &page, error);
    LU_THEN(status, lu_file_write(file, page.text, page.length, error));
    size_t bytes = page.length;
    lu_text_free(&page);
    if (status == LU_OK && call->json) {
        lu_json json = LU_JSON_INIT;
        lu_json_object(&json);
        lu_json_key_int(&json, "schema", 1);
        lu_json_key_string(&json, "file", path);
        lu_json_key_string(&json, "html", file);
        lu_json_key_string(&json, "view", drawn ? "drawn" : "text");
        lu_json_key_int(&json, "frames", r->decisions + 1);
        lu_json_key_int(&json, "bytes", (int64_t)bytes);
        out_json_end(&json);
    } else if (status == LU_OK) {
        print_header(r, path);
        out_format("%s: %lld frames, %zu kB; open it in a browser\n", file,
                   (long long)r->decisions + 1, (bytes + 999) / 1000);
        if (wanted && !drawn) {
            out_format("The board is shown as text: the site, which draws it, isn't built for %s "
                       "here (./run and tools/build-site build it).\n",
                       r->episode.game->name);
        }
    }
    return status;
}

/* The player where there is a terminal; *played tells. */
static lu_status play(const verb_call *call, lu_replay *r, lu_env *env, bool *played,
                      lu_error *error) {
    lu_replay_marks marks;
    progress_start();
    lu_status status = lu_replay_marks_find(r, env, out_watch(), &marks, error);
    progress_end();
    *played = status == LU_OK && terminal_open();
    if (*played) {
        status = replay_play(r, env, &marks, lu_settings_int(call->settings, "from"),
                             lu_settings_real(call->settings, "fps"), error);
        terminal_close();
    }
    lu_replay_marks_free(&marks);
    return status;
}

/* Prints the frames from `from` on: JSON lines (`parts` as for lu_replay_write_frame), or lines of
 * text and a summary where that is NULL. */
static lu_status print_lines(lu_replay *r, lu_env *env, int64_t from, const unsigned *parts,
                             lu_error *error) {
    size_t row = (size_t)r->episode.game->seats * (size_t)r->episode.game->heads;
    lu_json line = LU_JSON_INIT;
    lu_text text = LU_TEXT_INIT;
    lu_replay_seek(r, env, from);
    for (;;) {
        if (parts) {
            lu_replay_write_frame(r, env, *parts, &line);
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
    if (!parts) {
        lu_text_clear(&text);
        lu_text_add_char(&text, '\n');
        board_show(&text, env, 0, 80, 1000);
        board_summary(&text, env, 0);
        out_write(text.text, text.length);
    }
    lu_json_free(&line);
    lu_text_free(&text);
    return interrupted() ? lu_fail(error, LU_INTERRUPTED, "interrupted") : LU_OK;
}

static lu_status show(const verb_call *call, lu_replay *r, lu_env *env, const char *path,
                      lu_error *error) {
    unsigned parts = lu_settings_bool(call->settings, "hidden") ? LU_FRAME_HIDDEN : LU_FRAME_STATE;
    parts |= lu_settings_bool(call->settings, "legal") ? LU_FRAME_LEGAL : 0;
    bool played = false;
    lu_status status = check_options(call, r, path, error);
    if (status != LU_OK) {
        return status;
    }
    if (lu_settings_is_set(call->settings, "html")) {
        return write_page(call, r, env, path, error);
    }
    if (lu_settings_bool(call->settings, "info")) {
        show_header(call, r, path);
        return LU_OK;
    }
    if (!call->json && out_terminal()) {
        status = play(call, r, env, &played, error);
    }
    show_header(call, r, path);
    return played || status != LU_OK ? status
                                     : print_lines(r, env, lu_settings_int(call->settings, "from"),
                                                   call->json ? &parts : NULL, error);
}

static lu_status upgrade(const verb_call *call, lu_error *error) {
    lu_status status =
        call->arguments > 1
            ? LU_OK
            : lu_fail(error, LU_USAGE, "`ludus replay upgrade` needs at least one FILE");
    for (int i = 1; i < call->arguments && status == LU_OK; i++) {
        status = upgrade_file(call, call->argument[i], LU_REPLAY_LIMIT, lu_replay_upgrade, error);
    }
    return status;
}

static lu_status run(verb_call *call, lu_error *error) {
    if (strcmp(call->argument[0], "upgrade") == 0) {
        return upgrade(call, error);
    }
    if (call->arguments > 1) {
        return lu_fail(error, LU_USAGE, "unexpected argument '%.200s': ludus %s", call->argument[1],
                       call->verb->usage);
    }
    const char *name = lu_settings_text_of(call->settings, "game");
    lu_text runs = LU_TEXT_INIT, path = LU_TEXT_INIT;
    if (*name && !(call->game = lu_game_find(name, error))) {
        return LU_NOT_FOUND;
    }
    lu_run_place(call->settings, &runs);
    lu_status status = lu_run_find_replay(runs.text, call->argument[0], call->game, &path, error);
    if (status == LU_OK) {
        lu_replay *r = lu_replay_open(path.text, error);
        if (r) {
            lu_env *env = lu_env_new(r->episode.game, r->episode.rules);
            status = show(call, r, env, path.text, error);
            lu_env_delete(env);
            lu_replay_close(r);
        } else {
            status = error->status;
        }
    }
    lu_text_free(&runs);
    lu_text_free(&path);
    return status;
}

const verb verb_replay = {
    .name = "replay",
    .usage = "replay FILE|ID [--info] [--from N] [--html FILE] [--json] | replay upgrade FILE...",
    .sentence = "Opens a replay: checks it, then plays it in the terminal, as a page, or as JSON.",
    .details = details,
    .examples = examples,
    .options = VERB_OPTIONS("replay", options),
    .tables = tables,
    .least = 1,
    .most = -1,
    .argument = "REPLAY",
    .json = true,
    .run = run,
};
