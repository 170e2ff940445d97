/* ludus tool: any tool of a game (solver, advisor, vector reader) by its name. `ludus GAME TOOL` is
 * short for it. What a tool answers is JSON; a person reads its `words`, or the same as an outline.
 */
#include "call_episode.h"
#include "cli.h"
#include "output.h"

#include "ludus/file.h"
#include "ludus/run.h"
#include "ludus/tool_loan.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

static const verb_example examples[] = {
    {"ludus joker", "a game's tools"},
    {"ludus tool potion solve games/potion/vectors/cases.json", "the best potions of these cases"},
    {"ludus potion solve --recipe \"Sight Enhancer\" --cauldron Crystal++ --stock shop:3",
     "the best potion of a recipe and a cauldron, from a day's shop"},
    {"ludus potion advise games/potion/data/inventory.txt --cauldron Mudpack",
     "what to brew from what you own, in words"},
    {"ludus craft advise games/craft/data/item_boots.txt --want \"T4 life, T3 move speed\"",
     "the next step for an item copied from the game"},
    {"ludus joker advise games/joker/data/state.json --agent none",
     "what to do in a run, without the trained agent"},
    {"ludus joker score --played \"KH KD 9S\" --held KS:steel --jokers Photograph",
     "what a hand scores, step by step"},
    {"ludus joker seed TESTSEED --antes 2", "what the first two antes of a seed hold"},
    {"ludus joker find \"blueprint or brainstorm ante 1-2\" --count 3",
     "seeds with either of them in the first two antes"},
    {"ludus craft optimize --base \"STR/DEX boots\" --ilvl 85 --want \"T1 life\"",
     "the cheapest strategy for an item, with its proof"},
    {"ludus craft pool --want \"STR/DEX boots ilvl 85, T1 life\"",
     "what a base can have, with odds"},
    {"ludus duel odds --attacker-build MED --attacker-set melee --defender-set mage",
     "the chances and damage of an attack"},
    {NULL, NULL},
};

static const lu_setting options[] = {
    {"agent", LU_TEXT, "", 0, 4096, NULL,
     "The trained agent that the tool asks, if any: a model file, a run, `latest`, or none; "
     "default: the published model, if there is one.",
     false},
    {"model_path", LU_ALIAS, "agent", 0, 0, NULL, "The same.", false},
};

static const lu_table *const tables[] = {&lu_run_place_table, NULL};

enum { INPUT_LIMIT = 1 << 30 }; /* largest file after inflating, bytes */

/* A plain value on the line of its key. */
static void add_plain(const lu_json_value *value, lu_text *text) {
    switch (lu_json_kind_of(value)) {
    case LU_JSON_STRING:
        lu_text_add(text, lu_json_text(value, NULL));
        break;
    case LU_JSON_NUMBER:
        lu_text_add(text, lu_json_number_text(value));
        break;
    case LU_JSON_TRUE:
    case LU_JSON_FALSE:
        lu_text_add(text, lu_json_kind_of(value) == LU_JSON_TRUE ? "yes" : "no");
        break;
    default:
        lu_text_add(text, "none");
        break;
    }
}

/* Members and entries, one per line, what is inside further right. */
static void add_outline(const lu_json_value *value, int depth, lu_text *text) {
    bool object = lu_json_kind_of(value) == LU_JSON_OBJECT;
    for (size_t i = 0; i < lu_json_count(value); i++) {
        const char *key = "-";
        const lu_json_value *inner = object ? lu_json_member(value, i, &key) : lu_json_at(value, i);
        lu_text_fill(text, ' ', 2 * depth);
        lu_text_add(text, key);
        if (lu_json_count(inner) > 0) {
            lu_text_add_char(text, '\n');
            add_outline(inner, depth + 1, text);
        } else {
            lu_text_add_char(text, ' ');
            add_plain(inner, text);
            lu_text_add_char(text, '\n');
        }
    }
}

/* The lines a tool has for people; false: it has none. */
static bool add_words(const lu_json_value *answer, lu_text *text) {
    const lu_json_value *words = lu_json_get(answer, "words");
    if (lu_json_kind_of(words) != LU_JSON_ARRAY) {
        return false;
    }
    for (size_t i = 0; i < lu_json_count(words); i++) {
        lu_text line = LU_TEXT_INIT;
        add_plain(lu_json_at(words, i), &line);
        text_fold(text, line.text, out_columns());
        lu_text_free(&line);
    }
    return true;
}

/* A running tool, and what it gives back of the file that it keeps. */
typedef struct running {
    const verb_call *call;
    const lu_file_text *keeps; /* NULL: it keeps none */
    lu_text kept;
} running;

static void emit(void *user, const char *json, size_t length) {
    running *r = user;
    lu_json_document *document =
        r->call->json && !r->keeps ? NULL : lu_json_read("answer", json, length, NULL);
    const lu_json_value *answer = document ? lu_json_root(document) : NULL;
    const lu_json_value *kept = r->keeps ? lu_json_get(answer, r->call->tool->keeps) : NULL;
    if (lu_json_kind_of(kept) == LU_JSON_STRING) {
        lu_text_clear(&r->kept);
        lu_text_addf(&r->kept, "%s\n", lu_json_text(kept, NULL));
    }
    if (r->call->json || !document) {
        out_write(json, length);
        out_text("\n");
    } else {
        lu_text text = LU_TEXT_INIT;
        if (!add_words(answer, &text)) {
            add_outline(answer, 0, &text);
        }
        out_text_end(&text);
    }
    lu_json_close(document);
}

/* ---- the file that a tool keeps ---- */

/* Whether the file is as it was when the settings were read. */
static bool is_unchanged(const lu_file_text *was) {
    char *bytes = NULL;
    size_t length = 0;
    if (!lu_file_exists(was->name)) {
        return was->length == 0;
    }
    bool same = lu_file_read(was->name, INPUT_LIMIT, &bytes, &length, NULL) == LU_OK &&
                length == was->length && memcmp(bytes, was->text, length) == 0;
    free(bytes);
    return same;
}

/* Puts the new text in place of the old one, unless another call did so meanwhile: the folder is
 * locked from the comparison on. */
static lu_status write_kept(const running *r, lu_error *error) {
    const lu_file_text *was = r->keeps;
    lu_text folder = LU_TEXT_INIT;
    if (!was || r->kept.length == 0 || strcmp(was->name, "-") == 0) {
        return LU_OK; /* nothing to write, or nowhere */
    }
    const char *slash = strrchr(was->name, '/');
    lu_text_add_n(&folder, slash ? was->name : ".", slash ? (size_t)(slash - was->name) + 1 : 1);
    int lock = open(folder.text, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock >= 0) {
        (void)flock(lock, LOCK_EX);
    }
    lu_status status =
        is_unchanged(was)
            ? lu_file_write(was->name, r->kept.text, r->kept.length, error)
            : lu_fail(
                  error, LU_BUSY,
                  "another call has changed %s in the meantime, so it was left alone; ask again",
                  was->name);
    if (lock >= 0) {
        close(lock);
    }
    lu_text_free(&folder);
    return status;
}

static void on_progress(void *user, double share, const char *what) {
    (void)user;
    progress(share, what);
}

static bool cancelled(void *user) {
    (void)user;
    return interrupted();
}

/* The argument of a tool that takes a setting there in place of files, or nothing. */
static lu_status take_argument(const verb_call *call, lu_error *error) {
    if (call->tool->no_files) {
        return call->arguments < 2 ? LU_OK
                                   : lu_fail(error, LU_USAGE,
                                             "%s %s reads no file, but '%s' is given: `ludus help "
                                             "%s %s` lists its options",
                                             call->game->name, call->tool->name, call->argument[1],
                                             call->game->name, call->tool->name);
    }
    if (call->arguments > 2) {
        return lu_fail(error, LU_USAGE, "%s %s takes one argument, its setting '%s'",
                       call->game->name, call->tool->name, call->tool->argument);
    }
    if (call->arguments == 2 &&
        lu_settings_origin(call->settings, call->tool->argument) == LU_FROM_FLAG) {
        return lu_fail(error, LU_USAGE, "%s %s: '%s' is given as the argument and by %s; give one",
                       call->game->name, call->tool->name, call->tool->argument,
                       lu_settings_where(call->settings, call->tool->argument));
    }
    return call->arguments < 2
               ? LU_OK
               : lu_settings_set(call->settings, call->tool->argument, call->argument[1],
                                 LU_FROM_FLAG, "the argument", error);
}

/* Lends what --agent names, and threads. */
static lu_status lend(const verb_call *call, lu_tool_loan *loan, lu_error *error) {
    lu_text runs = LU_TEXT_INIT;
    LU_TRY(call_not_empty(call, "agent", error));
    lu_run_place(call->settings, &runs);
    lu_status status =
        lu_tool_lend(loan, call->tool, call->settings, lu_settings_text_of(call->settings, "agent"),
                     runs.text, 0, error);
    lu_text_free(&runs);
    return status;
}

static lu_status run(verb_call *call, lu_error *error) {
    if (!call->tool) {
        help_print(call);
        return LU_OK;
    }
    bool word = call->tool->argument || call->tool->no_files;
    int files = word ? 0 : call->arguments - 1; /* the first argument is the tool */
    lu_tool_input *inputs = lu_alloc_zero((size_t)files + 1, sizeof *inputs);
    char **bytes = lu_alloc_zero((size_t)files + 1, sizeof *bytes);
    lu_status status = word ? take_argument(call, error) : LU_OK;
    for (int i = 0; i < files && status == LU_OK; i++) {
        inputs[i].name = call->argument[i + 1];
        status = lu_file_read(inputs[i].name, INPUT_LIMIT, &bytes[i], &inputs[i].length, error);
        inputs[i].text = bytes[i];
    }
    lu_tool_loan loan = {0};
    LU_THEN(status, lend(call, &loan, error));
    running going = {.call = call, .kept = LU_TEXT_INIT};
    going.keeps =
        call->tool->keeps ? lu_settings_file_of(call->settings, call->tool->keeps, 0) : NULL;
    lu_tool_io io = {.settings = call->settings,
                     .inputs = inputs,
                     .input_count = files,
                     .user = &going,
                     .emit = emit,
                     .progress = on_progress,
                     .cancelled = cancelled};
    lu_tool_equip(&loan, &io);
    if (status == LU_OK) {
        progress_start();
        status = call->tool->run(&io, error);
        progress_end();
        LU_THEN(status, write_kept(&going, error));
    }
    lu_text_free(&going.kept);
    for (int i = 0; i < files; i++) {
        free(bytes[i]);
    }
    lu_tool_return(&loan);
    free(bytes);
    free(inputs);
    return status;
}

const verb verb_tool = {
    .name = "tool",
    .usage = "tool GAME [TOOL] [FILE...] [options]",
    .sentence = "Runs a game's tool, like `ludus GAME TOOL`.",
    .details = "Files may be gzipped; - reads standard input. `ludus GAME` lists a game's\ntools, "
               "`ludus help GAME TOOL` describes one.",
    .examples = examples,
    .options = VERB_OPTIONS("tool", options),
    .tables = tables,
    .game = VERB_GAME,
    .any_tool = true,
    .least = 0,
    .most = -1,
    .argument = "TOOL",
    .json = true,
    .run = run,
};
