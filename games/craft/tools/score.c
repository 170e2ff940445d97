/* ludus craft score ITEM: whether an item fulfils a target, how near it is, and what is missing. */
#include "on_item.h"
#include "want.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const lu_setting rows[] = {
    CRAFT_ITEM_SETTINGS,
    {"want", LU_TEXT, "", 0, 1000, NULL,
     "The target in words: \"T1 life, 2 T2 res, open suffix, move speed 25%\".", false},
    {"target_spec", LU_FILE, "", 0, 0, NULL, "The target as a JSON file, instead of want.", false},
    {"target", LU_ALIAS, "target_spec", 0, 0, NULL, "The same.", false},
    {"target_file", LU_ALIAS, "target_spec", 0, 0, NULL, "The same.", false},
    CRAFT_SWITCH_LIST,
};

static lu_status read_json(const on_item *on, const lu_file_text *file, craft_target *target,
                           lu_error *error) {
    lu_json_document *document = lu_json_read(file->name, file->text, strlen(file->text), error);
    if (!document) {
        return LU_BAD_DATA;
    }
    lu_status status = craft_target_read(target, on->pack, lu_json_root(document), error);
    lu_json_close(document);
    return status;
}

/* The target, given in one of two ways. */
static lu_status read_goal(const on_item *on, const lu_settings *v, craft_want *want,
                           craft_goal *goal, lu_error *error) {
    const lu_file_text *file = lu_settings_file_of(v, "target_spec", 0);
    const char *words = lu_settings_text_of(v, "want");
    if (!*words == !file) {
        return lu_fail(error, LU_USAGE,
                       "this needs one target: 'want' in words (\"T1 life, 2 T2 res\") or "
                       "'target_spec' as a file or JSON");
    }
    lu_status status = LU_OK;
    if (*words) {
        craft_want_read(want, on->pack, words);
        status = craft_want_understood(want, on->pack, error);
    } else {
        status = read_json(on, file, &want->target, error);
    }
    LU_THEN(status, craft_goal_init(goal, &want->target, on->pack, &on->pool, error));
    return status;
}

/* What an item lacks: members of `missing`, and the same in words. */
typedef struct lacking {
    lu_json *json;
    lu_text words;
    int count;
} lacking;

static void lack(lacking *l, const char *id, int have, int want) {
    lu_json_object(l->json);
    lu_json_key_string(l->json, "id", id);
    lu_json_key_int(l->json, "have", have);
    lu_json_key_int(l->json, "want", want);
    lu_json_object_end(l->json);
    lu_text_addf(&l->words, want ? "%s%s %d of %d" : "%s%s %d, none allowed", l->count ? ", " : "",
                 id, have, want);
    l->count++;
}

/* Requirements that are not met, open slots that are taken, and what must not be there. */
static void put_missing(const on_item *on, const craft_target *target, const craft_goal *goal,
                        lacking *l) {
    int32_t matched[CRAFT_NEEDS_MAX];
    int forbidden = 0;
    craft_matched(goal, &on->pool, &on->item, matched);
    lu_json_key_array(l->json, "missing");
    for (int k = 0; k < goal->needs; k++) {
        if (matched[k] < goal->count[k]) {
            lack(l, target->need[k].id, matched[k], goal->count[k]);
        }
    }
    for (int side = 0; side < CRAFT_SIDES; side++) {
        int room = craft_room(&on->pool, &on->item, on->item.rarity, side);
        if (room < goal->open[side]) {
            lack(l, side ? "open_suffix" : "open_prefix", room > 0 ? room : 0, goal->open[side]);
        }
    }
    for (int k = 0; k < craft_item_mods(&on->item); k++) {
        const craft_slot *slot = &on->item.slot[k];
        forbidden += !(slot->flags & CRAFT_UNREVEALED) && goal->forbidden[slot->entry];
    }
    if (forbidden > 0) {
        lack(l, "forbid", forbidden, 0);
    }
    lu_json_array_end(l->json);
}

static void tell(const lu_tool_io *io, const on_item *on, const craft_target *target,
                 const craft_goal *goal) {
    bool success = craft_fulfils(goal, &on->pool, &on->item);
    double score = craft_score(goal, &on->pool, &on->item);
    lu_json json = LU_JSON_INIT;
    lu_text line = LU_TEXT_INIT;
    lacking l = {.json = &json, .words = LU_TEXT_INIT};
    lu_json_object(&json);
    lu_json_key_bool(&json, "success", success);
    lu_json_key_real(&json, "score", score);
    lu_json_key_real(&json, "most", goal->most);
    put_missing(on, target, goal, &l);
    lu_json_key_array(&json, "words");
    lu_text_addf(&line, "%s: score %.3f of %.3f%s%s",
                 success ? "It fulfils the target" : "It does not fulfil the target", score,
                 goal->most, l.count ? ", missing: " : "", l.count ? l.words.text : "");
    lu_json_string(&json, line.text);
    on_item_words(&on->pool, on->pack, &on->item, &json);
    lu_json_array_end(&json);
    lu_json_object_end(&json);
    io->emit(io->user, json.text, json.length);
    lu_text_free(&l.words);
    lu_text_free(&line);
    lu_json_free(&json);
}

static lu_status run(const lu_tool_io *io, lu_error *error) {
    on_item *on = lu_alloc(sizeof *on);
    craft_want *want = lu_alloc_zero(1, sizeof *want);
    craft_goal *goal = lu_alloc(sizeof *goal);
    lu_status status = on_item_open(on, io, error);
    status = status == LU_OK ? read_goal(on, io->settings, want, goal, error) : status;
    if (status == LU_OK) {
        tell(io, on, &want->target, goal);
    }
    on_item_close(on);
    free(on);
    free(want);
    free(goal);
    return status;
}

extern const lu_tool lu_tool_craft_score;
const lu_tool lu_tool_craft_score = {
    .game = "craft",
    .name = "score",
    .sentence = "Tells whether an item meets a target, its score and what is missing.",
    .settings = {"craft score", rows, sizeof rows / sizeof *rows},
    .run = run,
};
