/* ludus runs: what was trained, and what people say of it. Listing goes through the catalogue
 * (RUNS/catalogue.sqlite); everything else reads and changes the run's own folder. */
#include "output.h"
#include "runs.h"

#include "ludus/run.h"

#include <stdlib.h>
#include <string.h>

static const verb_example examples[] = {
    {"ludus runs", "all runs, newest first"},
    {"ludus runs list --game prospector --tag good", "matching runs, newest first"},
    {"ludus runs show latest", "a run's settings, windows, evaluations, replays and checkpoints"},
    {"ludus runs diff latest best", "what differs between two runs"},
    {"ludus runs tag latest +good -old", "adds one tag and removes another"},
    {"ludus runs note latest \"twice the rate\"", "sets a note, replacing any earlier one"},
    {"ludus runs rm latest", "shows what would be removed; --yes removes it"},
    {NULL, NULL},
};

static const lu_setting options[] = {
    {"game", LU_TEXT, "", 0, 100, NULL, "list: only runs of this game.", false},
    {"status", LU_ENUM, "any", 0, 0, "any|running|stopped|finished|failed|crashed|damaged",
     "list: only runs with this status.", false},
    {"tag", LU_TEXT, "", 0, 80, NULL, "list: only runs with this tag.", false},
    {"archived", LU_BOOL, "false", 0, 0, NULL,
     "list: only archived runs, which are otherwise hidden.", false},
    {"undo", LU_BOOL, "false", 0, 0, NULL, "archive: restores the run.", false},
    {"yes", LU_BOOL, "false", 0, 0, NULL,
     "rm: really removes; without it rm only shows what would be removed.", false},
};

static const lu_table *const tables[] = {&lu_run_place_table, NULL};

static const char details[] =
    "RUN is an id or the beginning of one, a folder, `latest` or `best`. `list`, or no word "
    "at\nall, lists the runs, newest first; `show` shows everything about one; `diff` the "
    "settings\nand metrics in which two differ. `tag RUN +A -B` adds tag A and drops tag B; `note` "
    "sets a\nnote, \"\" clears it; `archive` hides a run from the list. `rm` shows what would be "
    "removed, and\nremoves it with --yes; a run that is being trained or evaluated is refused "
    "(exit code 7).\n`reindex` rebuilds the catalogue and the replay indexes from the "
    "folders.\nSee docs/runs.md.";

/* ---- small words ---- */

/* Tells the catalogue of the call's folder of runs about one run. It is a cache: that it cannot be
 * written is no error. */
static void runs_tell(const verb_call *call, const char *path) {
    lu_text runs = LU_TEXT_INIT;
    lu_run_place(call->settings, &runs);
    lu_catalogue *c = lu_catalogue_open(runs.text, LU_CATALOGUE_WRITE, NULL);
    if (c) {
        (void)lu_catalogue_sync(c, path, NULL);
    }
    lu_catalogue_close(c);
    lu_text_free(&runs);
}

bool runs_is_short(const lu_run_view *run, const char *key) {
    const lu_algorithm *a = lu_algorithm_find(run->entry.algorithm, NULL);
    lu_run_setting same;
    bool is =
        a && !strchr(key, '.') && lu_run_setting_of(run, cell("%s.%s", a->prefix, key), &same);
    if (is) {
        lu_run_setting_free(&same);
    }
    return is;
}

/* What is said of a run. */
static void print_said(const lu_run_entry *e) {
    lu_text text = LU_TEXT_INIT;
    foreign_add(&text, e->run_id, 0);
    lu_text_addf(&text, "%s\ntags:", e->archived ? ": archived" : "");
    foreign_add(&text, *e->tags ? e->tags : " none", 0);
    text.length -= *e->tags ? 1 : 0; /* a blank stands before and behind each */
    lu_text_add(&text, *e->note ? "\nnote: " : "");
    foreign_add(&text, e->note, 0);
    lu_text_add_char(&text, '\n');
    out_text_end(&text);
}

static void print_said_json(const lu_run_entry *e) {
    lu_json json = LU_JSON_INIT;
    lu_json_object(&json);
    lu_json_key_int(&json, "schema", 1);
    run_entry_write(e, &json);
    out_json_end(&json);
}

/* Changes a run and shows what is said of it now. */
static lu_status change(verb_call *call, const lu_run_change *wanted, lu_error *error) {
    lu_run_view v;
    lu_text runs = LU_TEXT_INIT, path = LU_TEXT_INIT;
    lu_run_place(call->settings, &runs);
    lu_status status = lu_run_find(runs.text, call->argument[0], NULL, &path, error);
    LU_THEN(status, lu_run_edit(path.text, wanted, error));
    if (status == LU_OK) {
        runs_tell(call, path.text);
        status = lu_run_view_open(&v, call->settings, path.text, error);
    }
    if (status == LU_OK) {
        if (call->json) {
            print_said_json(&v.entry);
        } else {
            print_said(&v.entry);
        }
        lu_run_view_close(&v);
    }
    lu_text_free(&runs);
    lu_text_free(&path);
    return status;
}

static lu_status tag(verb_call *call, lu_error *error) {
    const char **add = lu_alloc_zero((size_t)call->arguments + 1, sizeof *add);
    const char **drop = lu_alloc_zero((size_t)call->arguments + 1, sizeof *drop);
    size_t adds = 0, drops = 0;
    lu_status status = LU_OK;
    for (int i = 1; i < call->arguments && status == LU_OK; i++) {
        const char *word = call->argument[i];
        if (word[0] == '+') {
            add[adds++] = word + 1;
        } else if (word[0] == '-') {
            drop[drops++] = word + 1;
        } else {
            status = lu_fail(error, LU_USAGE,
                             "'%.100s': write +%.100s to add this tag, or -%.100s to drop it", word,
                             word, word);
        }
    }
    LU_THEN(
        status,
        change(call, &(lu_run_change){.add_tags = add, .drop_tags = drop, .archived = -1}, error));
    free(add);
    free(drop);
    return status;
}

static lu_status note_run(verb_call *call, lu_error *error) {
    return change(call, &(lu_run_change){.note = call->argument[1], .archived = -1}, error);
}

static lu_status archive(verb_call *call, lu_error *error) {
    return change(call, &(lu_run_change){.archived = !lu_settings_bool(call->settings, "undo")},
                  error);
}

/* ---- reindex ---- */

bool runs_watch(void *context, double share) {
    progress(share, context);
    return interrupted();
}

/* The index of replays of every run that has evaluations. */
static lu_status remake_indexes(const char *runs, const lu_run_list *list, lu_error *error) {
    lu_text path = LU_TEXT_INIT;
    lu_status status = LU_OK;
    for (size_t i = 0; i < list->count && status == LU_OK; i++) {
        if (list->entry[i].evaluations > 0) {
            lu_text_clear(&path);
            lu_text_addf(&path, "%s/%s", runs, list->entry[i].run_id);
            status = lu_replay_index_rebuild(path.text, error);
        }
        if (runs_watch("rebuilding the replay indexes", (double)i / (double)list->count)) {
            status = lu_fail(error, LU_INTERRUPTED, "interrupted");
        }
    }
    lu_text_free(&path);
    return status;
}

static lu_status reindex(verb_call *call, lu_error *error) {
    lu_text runs = LU_TEXT_INIT;
    lu_run_list list = {0};
    lu_run_place(call->settings, &runs);
    progress_start();
    lu_catalogue *c = lu_catalogue_open(runs.text, LU_CATALOGUE_WRITE, error);
    lu_status status =
        c ? lu_catalogue_rebuild(c, runs_watch, "reading runs", error) : error->status;
    LU_THEN(status, lu_catalogue_runs(c, &(lu_run_filter){.archived = -1}, &list, error));
    LU_THEN(status, remake_indexes(runs.text, &list, error));
    progress_end();
    int64_t windows = 0, evaluations = 0, replays = 0;
    for (size_t i = 0; i < list.count; i++) {
        windows += list.entry[i].windows;
        evaluations += list.entry[i].evaluations;
        replays += list.entry[i].replays;
    }
    if (status == LU_OK && call->json) {
        lu_json json = LU_JSON_INIT;
        lu_json_object(&json);
        lu_json_key_int(&json, "schema", 1);
        lu_json_key_string(&json, "folder", runs.text);
        lu_json_key_int(&json, "runs", (int64_t)list.count);
        lu_json_key_int(&json, "windows", windows);
        lu_json_key_int(&json, "evaluations", evaluations);
        lu_json_key_int(&json, "replays", replays);
        out_json_end(&json);
    } else if (status == LU_OK) {
        out_format("%s: %s, %s, %s, %s\n", runs.text, counted((int64_t)list.count, "run"),
                   counted(windows, "window"), counted(evaluations, "evaluation"),
                   counted(replays, "replay"));
    }
    lu_run_list_free(&list);
    lu_catalogue_close(c);
    lu_text_free(&runs);
    return status;
}

/* ---- the verb ---- */

static const struct action {
    const char *word;
    const char *form; /* of its arguments */
    int least, most;  /* arguments; most -1: any number */
    const char *options[5];
    lu_status (*run)(verb_call *call, lu_error *error);
} actions[] = {
    {"list", "", 0, 0, {"game", "status", "tag", "archived"}, runs_list},
    {"show", " RUN", 1, 1, {NULL}, runs_show},
    {"diff", " A B", 2, 2, {NULL}, runs_diff},
    {"tag", " RUN +TAG -TAG", 2, -1, {NULL}, tag},
    {"note", " RUN TEXT", 2, 2, {NULL}, note_run},
    {"archive", " RUN [--undo]", 1, 1, {"undo"}, archive},
    {"rm", " RUN... [--yes]", 1, -1, {"yes"}, runs_rm},
    {"reindex", "", 0, 0, {NULL}, reindex},
};

enum { ACTIONS = sizeof actions / sizeof *actions };

static const char *const words[] = {"list",    "show", "diff",    "tag", "note",
                                    "archive", "rm",   "reindex", NULL};

/* An option of another word would do nothing: it is refused. */
static lu_status check_options(const verb_call *call, const struct action *a, lu_error *error) {
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        bool taken = false;
        for (int o = 0; a->options[o]; o++) {
            taken = taken || strcmp(a->options[o], options[i].key) == 0;
        }
        if (!taken && lu_settings_origin(call->settings, options[i].key) == LU_FROM_FLAG) {
            return lu_fail(error, LU_USAGE, "`ludus runs %s` does not take --%s", a->word,
                           options[i].key);
        }
    }
    return LU_OK;
}

static lu_status run(verb_call *call, lu_error *error) {
    const struct action *a = actions;
    while (strcmp(a->word, call->word) != 0) {
        a++;
    }
    if (call->arguments < a->least || (a->most >= 0 && call->arguments > a->most)) {
        return lu_fail(error, LU_USAGE, "`ludus runs %s` %s: ludus runs %s%s", a->word,
                       a->most == 0                 ? "takes no argument"
                       : call->arguments < a->least ? "needs more arguments"
                                                    : "takes fewer arguments",
                       a->word, a->form);
    }
    lu_status status = check_options(call, a, error);
    return status == LU_OK ? a->run(call, error) : status;
}

const verb verb_runs = {
    .name = "runs",
    .usage = "runs [list|show|diff|tag|note|archive|rm|reindex] [RUN...]",
    .sentence = "Lists, shows, compares, tags and removes runs.",
    .details = details,
    .examples = examples,
    .options = VERB_OPTIONS("runs", options),
    .tables = tables,
    .words = words,
    .first_word = true,
    .least = 0,
    .most = -1,
    .argument = "RUN",
    .dashes = true,
    .json = true,
    .run = run,
};
