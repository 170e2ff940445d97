/* ludus trace: steps a game by a list of actions and prints everything a step gives. */
#include "actions.h"
#include "call_episode.h"
#include "output.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static const verb_example examples[] = {
    {"printf '8\\n12\\n28\\n' | ludus trace prospector --seed 42 --actions - --json",
     "three decisions from a pipe, one JSON line each; line t = -1 is the reset"},
    {"seq 0 9 > moves.txt && ludus trace prospector --actions moves.txt --time_max 2500",
     "a file of actions with another setting, as readable lines"},
    {NULL, NULL},
};

static const lu_setting options[] = {
    {"seed", LU_TEXT, "0", 0, 40, NULL,
     "Seed of the episode: 0 to 18446744073709551615, decimal or 0x hex.", false},
    {"actions", LU_TEXT, "", 0, 4096, NULL,
     "File of actions, one decision per line; - reads standard input.", false},
};

static const char details[] =
    "A line of actions holds one integer per head (for every seat), separated by\nspaces; empty "
    "lines and lines that start with # are skipped. Numbers that aren't\noptions are passed on as "
    "illegal actions. The output ends with the\nlast action or with the episode. Keys of a line: "
    "t, action, reward, terms,\nterminated, truncated, mask (legal next), obs, info; arrays per "
    "seat if the game\nhas several.";

/* ---- one step as JSON ---- */

static void write_step(const lu_env *env, lu_json *json) {
    static const unsigned parts = LU_FRAME_STEP | LU_FRAME_REWARD | LU_FRAME_TERMS | LU_FRAME_ENDS |
                                  LU_FRAME_MASK | LU_FRAME_OBSERVATION | LU_FRAME_INFO;
    lu_json_object(json);
    lu_frame_write(env, parts, NULL, json);
    lu_json_object_end(json);
}

/* ---- one step as a line ---- */

static void print_step(const lu_env *env, int64_t t) {
    lu_text text = LU_TEXT_INIT;
    if (t < 0) {
        lu_text_addf(&text, "%6s  %-24s seed %llu", "reset", "", (unsigned long long)env->seed);
    } else {
        lu_text name = LU_TEXT_INIT;
        lu_frame_actions(env, &name);
        lu_text_addf(&text, "%6lld  %-24s %+10.4f  %s", (long long)t, name.text, env->reward[0],
                     env->step.illegal ? "(illegal) " : "");
        lu_text_free(&name);
        lu_frame_story(env, &text);
    }
    lu_text_addf(&text, "%s\n",
                 env->step.terminated  ? "; terminated"
                 : env->step.truncated ? "; truncated"
                                       : "");
    out_text_end(&text);
}

/* ---- the run ---- */

static lu_status trace(lu_episode *s, action_reader *reader, bool json, lu_error *error) {
    int32_t values[LU_MAX_SEATS * LU_MAX_HEADS];
    lu_json line;
    lu_status status = LU_OK;
    bool wait = reader->stream == stdin; /* someone may answer line by line */
    lu_json_init(&line);
    for (int64_t t = -1;; t++) {
        if (json) {
            write_step(s->env, &line);
            out_json(&line);
        } else {
            print_step(s->env, t);
        }
        if (wait) {
            out_flush();
        }
        if (interrupted()) {
            status = lu_fail(error, LU_INTERRUPTED, "interrupted after %lld decisions",
                             (long long)t + 1);
            break;
        }
        bool end;
        status = action_reader_next(reader, values, &end, error);
        if (status != LU_OK || end) {
            break;
        }
        if (s->env->over) {
            note("the episode ended at t = %lld; the actions from line %lld on are not used",
                 (long long)t, (long long)reader->line);
            break;
        }
        lu_env_step(s->env, values);
    }
    lu_json_free(&line);
    return status;
}

static lu_status run(verb_call *call, lu_error *error) {
    const char *path = lu_settings_text_of(call->settings, "actions");
    uint64_t seed;
    lu_episode s;
    if (!*path) {
        return lu_fail(error, LU_USAGE,
                       "`ludus trace` needs --actions FILE, or --actions - for "
                       "standard input");
    }
    LU_TRY(call_seed(call, &seed, error));
    FILE *stream = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    if (!stream) {
        return lu_fail(error, errno == ENOENT ? LU_NOT_FOUND : LU_IO, "cannot open %s: %s", path,
                       strerror(errno));
    }
    struct stat facts;
    if (fstat(fileno(stream), &facts) == 0 && S_ISDIR(facts.st_mode)) {
        fclose(stream);
        return lu_fail(error, LU_IO, "cannot read %s: it is a folder", path);
    }
    lu_status status = call_open_episode(call, call->game, NULL, &s, error);
    if (status == LU_OK) {
        action_reader reader;
        action_reader_init(&reader, stream, stream == stdin ? "standard input" : path,
                           call->game->seats * call->game->heads);
        lu_env_reset(s.env, seed, s.options);
        status = trace(&s, &reader, call->json, error);
        lu_episode_close(&s);
    }
    if (stream != stdin) {
        fclose(stream);
    }
    return status;
}

const verb verb_trace = {
    .name = "trace",
    .usage = "trace GAME --actions FILE|- [--seed N] [--json]",
    .sentence = "Steps a game through given actions and prints each result.",
    .details = details,
    .examples = examples,
    .options = VERB_OPTIONS("trace", options),
    .game = VERB_GAME,
    .game_settings = true,
    .json = true,
    .run = run,
};
