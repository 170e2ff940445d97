/* ludus craft measure: what a strategy costs and how often it succeeds, from a report of
 * `ludus eval MODEL --json --each`, by letting a baseline play, or all of them beside the exact
 * optimum on targets drawn at random. */
#include "measure.h"

#include <stdio.h>

static const lu_setting rows[] = {
    {"bot", LU_TEXT, "", 0, 64, NULL, "A baseline to play, instead of reading reports.", false},
    {"targets", LU_INT, "0", 0, CRAFT_TASKS_MAX, NULL,
     "Draws this many targets that no preset trains on, and compares the exact optimum, the agent "
     "and all baselines on each.",
     false},
    {"target_spec", LU_FILE, "", 0, 0, NULL,
     "Compares the exact optimum, the agent and all baselines on this target.", false},
    {"target", LU_ALIAS, "target_spec", 0, 0, NULL, "The same.", false},
    {"target_file", LU_ALIAS, "target_spec", 0, 0, NULL, "The same.", false},
    {"episodes", LU_INT, "1000", 1, 1e7, NULL,
     "Episodes that a baseline plays (per target, if its cost is not computed).", false},
    {"seed", LU_INT, "1", 0, 1e15, NULL, "Seed of the first episode.", false},
    {"variant", LU_ENUM, "craft-v1", 0, 0, "craft-v1|craft-look-v1|craft-classic-v1",
     "The variant that the baseline plays.", false},
    {"settings", LU_JSON, "", 0, 0, NULL, "Settings of the game, as a JSON object.", false},
    {"pack", LU_FILE, "", 0, 0, NULL,
     "Your own pack to play with; 'settings' names one of its bases.", false},
    {"threads", LU_INT, "0", 0, 1024, NULL, "Threads of the solver; 0: one per processor.", false},
    {"memory", LU_INT, "1024", 16, 1048576, NULL, "Memory limit of the solver, in MiB.", false},
};

/* One episode of a report. */
static lu_status read_one(const lu_json_value *entry, craft_played *played, lu_error *error) {
    const lu_json_value *info = lu_json_get(entry, "info");
    int64_t bases = 0, uses = 0;
    const char *end = "";
    *played = (craft_played){0};
    LU_TRY(lu_json_get_uint(entry, "seed", &played->seed, error));
    LU_TRY(lu_json_get_real(info, "spent", 0.0, 1e15, &played->spent, error));
    LU_TRY(lu_json_get_bool(info, "success", &played->success, error));
    LU_TRY(lu_json_get_int(info, "bases", 0, INT32_MAX, &bases, error));
    LU_TRY(lu_json_get_int(info, "uses", 0, INT32_MAX, &uses, error));
    LU_TRY(lu_json_get_text(info, "end", &end, error));
    for (int k = 0; k < CRAFT_ENDS; k++) {
        played->end = strcmp(craft_end_names[k], end) == 0 ? k : played->end;
    }
    played->bases = (int)bases;
    played->uses = (int)uses;
    return LU_OK;
}

static void answer(const lu_tool_io *io, const lu_json_value *report, const craft_tally *tally,
                   const char *name) {
    static const char *const kept[] = {"model", "game", "seeds", "greedy", "temperature"};
    lu_json json = LU_JSON_INIT;
    lu_json_object(&json);
    for (size_t k = 0; k < sizeof kept / sizeof *kept; k++) {
        const lu_json_value *value = lu_json_get(report, kept[k]);
        if (value) {
            lu_json_key_value(&json, kept[k], value);
        }
    }
    craft_tally_write(tally, &json);
    lu_json_key_array(&json, "words");
    craft_tally_words(tally, name, &json);
    lu_json_array_end(&json);
    lu_json_object_end(&json);
    io->emit(io->user, json.text, json.length);
    lu_json_free(&json);
}

static lu_status measure(const lu_tool_io *io, const lu_tool_input *input, lu_error *error) {
    craft_tally tally = {0};
    lu_json_document *document = lu_json_read(input->name, input->text, input->length, error);
    if (!document) {
        return LU_BAD_DATA;
    }
    const lu_json_value *report = lu_json_root(document), *each = lu_json_get(report, "each");
    lu_status status = LU_OK;
    if (lu_json_kind_of(each) != LU_JSON_ARRAY || lu_json_count(each) == 0) {
        status = lu_fail(error, LU_BAD_DATA,
                         "%s: 'each' must be a list of episodes: create the report with `ludus "
                         "eval MODEL --json --each`",
                         input->name);
    }
    for (size_t k = 0; k < lu_json_count(each) && status == LU_OK; k++) {
        craft_played played;
        status = read_one(lu_json_at(each, k), &played, error);
        craft_tally_add(&tally, &played);
    }
    if (status == LU_OK) {
        answer(io, report, &tally, input->name);
    }
    craft_tally_free(&tally);
    lu_json_close(document);
    return status;
}

static lu_status run(const lu_tool_io *io, lu_error *error) {
    const char *bot = lu_settings_text_of(io->settings, "bot");
    int targets = (int)lu_settings_int(io->settings, "targets");
    if (targets > 0 || lu_settings_file_of(io->settings, "target_spec", 0)) {
        return craft_measure_targets(io, targets, error);
    }
    if (*bot) {
        return craft_measure_bot(io, bot, error);
    }
    if (io->input_count == 0) {
        return lu_fail(error, LU_USAGE,
                       "name a report of `ludus eval MODEL --json --each`, --bot NAME, --targets N "
                       "or --target-spec FILE");
    }
    for (int k = 0; k < io->input_count; k++) {
        LU_TRY(measure(io, &io->inputs[k], error));
    }
    return LU_OK;
}

extern const lu_tool lu_tool_craft_measure;
const lu_tool lu_tool_craft_measure = {
    .game = "craft",
    .name = "measure",
    .sentence = "Measures success, cost of a finished item, quantiles and paths of a strategy.",
    .agent = "craft-look-v1",
    .settings = {"craft measure", rows, sizeof rows / sizeof *rows},
    .run = run,
};
