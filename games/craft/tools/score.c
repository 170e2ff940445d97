/* ludus craft score ITEM: whether an item fulfils a target, how near it is, and what is missing. */
#include "on_item.h"

#include <stdio.h>
#include <stdlib.h>

static const lu_setting rows[] = {
    CRAFT_ITEM_SETTINGS,
    {"target", LU_JSON, "", 0, 0, NULL, "What is wanted.", false},
    {"target_file", LU_FILE, "", 0, 0, NULL, "The same as a file.", false},
    CRAFT_SWITCH_LIST,
};

static lu_status read_goal(const on_item *on, const lu_settings *v, craft_target *target,
                           craft_goal *goal, lu_error *error) {
    const lu_file_text *file = lu_settings_file_of(v, "target_file", 0);
    const char *text = file ? file->text : lu_settings_text_of(v, "target");
    if (!*text) {
        return lu_fail(error, LU_USAGE, "give --target or --target-file");
    }
    lu_json_document *document = lu_json_read("target", text, strlen(text), error);
    if (!document) {
        return LU_BAD_DATA;
    }
    lu_status status = craft_target_read(target, on->pack, lu_json_root(document), error);
    lu_json_close(document);
    return status == LU_OK ? craft_goal_init(goal, target, on->pack, &on->pool, error) : status;
}

/* Requirements that lack something, and open slots that are taken. */
static int put_missing(const on_item *on, const craft_target *target, const craft_goal *goal,
                       lu_json *json) {
    int32_t matched[CRAFT_NEEDS_MAX];
    int count = 0;
    craft_matched(goal, &on->pool, &on->item, matched);
    lu_json_key_array(json, "missing");
    for (int k = 0; k < goal->needs; k++) {
        if (matched[k] < goal->count[k]) {
            lu_json_object(json);
            lu_json_key_string(json, "id", target->need[k].id);
            lu_json_key_int(json, "have", matched[k]);
            lu_json_key_int(json, "want", goal->count[k]);
            lu_json_object_end(json);
            count++;
        }
    }
    for (int side = 0; side < CRAFT_SIDES; side++) {
        int room = craft_room(&on->pool, &on->item, on->item.rarity, side);
        if (room < goal->open[side]) {
            lu_json_object(json);
            lu_json_key_string(json, "id", side ? "open_suffix" : "open_prefix");
            lu_json_key_int(json, "have", room > 0 ? room : 0);
            lu_json_key_int(json, "want", goal->open[side]);
            lu_json_object_end(json);
            count++;
        }
    }
    lu_json_array_end(json);
    return count;
}

static void tell(const lu_tool_io *io, const on_item *on, const craft_target *target,
                 const craft_goal *goal) {
    bool success = craft_fulfils(goal, &on->pool, &on->item);
    double score = craft_score(goal, &on->pool, &on->item);
    char line[160];
    lu_json json = LU_JSON_INIT;
    lu_json_object(&json);
    lu_json_key_bool(&json, "success", success);
    lu_json_key_real(&json, "score", score);
    lu_json_key_real(&json, "most", goal->most);
    int missing = put_missing(on, target, goal, &json);
    lu_json_key_array(&json, "words");
    snprintf(line, sizeof line, "%s: score %.3f of %.3f, %d missing",
             success ? "It fulfils the target" : "It does not fulfil the target", score, goal->most,
             missing);
    lu_json_string(&json, line);
    on_item_words(&on->pool, on->pack, &on->item, &json);
    lu_json_array_end(&json);
    lu_json_object_end(&json);
    io->emit(io->user, json.text, json.length);
    lu_json_free(&json);
}

static lu_status run(const lu_tool_io *io, lu_error *error) {
    on_item *on = lu_alloc(sizeof *on);
    craft_target *target = lu_alloc(sizeof *target);
    craft_goal *goal = lu_alloc(sizeof *goal);
    lu_status status = on_item_open(on, io, error);
    status = status == LU_OK ? read_goal(on, io->settings, target, goal, error) : status;
    if (status == LU_OK) {
        tell(io, on, target, goal);
    }
    on_item_close(on);
    free(on);
    free(target);
    free(goal);
    return status;
}

extern const lu_tool lu_tool_craft_score;
const lu_tool lu_tool_craft_score = {
    .game = "craft",
    .name = "score",
    .sentence = "Tells whether an item fulfils a target, its score and what is missing.",
    .settings = {"craft score", rows, sizeof rows / sizeof *rows},
    .run = run,
};
