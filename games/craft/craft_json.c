/* States of craft as JSON, for tools and pages: plain numbers by the table, the item by
 * craft_item_json.c; score, target and prices are written for readers. */
#include "craft.h"

#include "ludus/fields.h"

static double last_task(const lu_rules *rules) {
    return ((const craft_rules *)(const void *)rules)->tasks - 1;
}

#define FIELD(member, number, most_)                                                               \
    { LU_FIELD(craft_state, member), .kind = LU_NUMBER_##number, .high = (most_) }
static const lu_state_field fields[] = {
    {LU_FIELD(craft_state, task), .kind = LU_NUMBER_I32, .most = last_task},
    FIELD(spent, REAL, 1e12),
    FIELD(steps, I32, INT32_MAX),
    FIELD(illegal, I32, INT32_MAX),
    FIELD(bases, I32, INT32_MAX),
    FIELD(end, U8, CRAFT_ENDS - 1),
    {LU_FIELD(craft_state, rng), .kind = LU_NUMBER_HEX, .hidden = true},
};
enum { FIELDS = sizeof fields / sizeof *fields };

/* What each requirement has and wants, for readers. */
static void put_needs(const craft_rules *m, const craft_state *s, lu_json *json) {
    const craft_goal *goal = &craft_task_of(m, s)->goal;
    int32_t matched[CRAFT_NEEDS_MAX];
    lu_text words = LU_TEXT_INIT;
    craft_matched(goal, &m->pool, &s->item, matched);
    lu_json_key_array(json, "requirements");
    for (int k = 0; k < goal->needs; k++) {
        lu_json_object(json);
        lu_json_key_int(json, "matched", matched[k]);
        lu_json_key_int(json, "count", goal->count[k]);
        lu_text_clear(&words);
        craft_need_words(m, goal, k, &words);
        lu_json_key_string(json, "words", words.text);
        lu_json_key_array(json, "hits");
        for (int i = 0; i < craft_item_mods(&s->item); i++) {
            if (craft_hits(goal, &m->pool, &s->item.slot[i]) >> k & 1) {
                lu_json_int(json, i);
            }
        }
        lu_json_array_end(json);
        lu_json_object_end(json);
    }
    lu_json_array_end(json);
    lu_text_free(&words);
}

void craft_to_json(const lu_rules *rules, const void *bytes, int seat, lu_json *json) {
    const craft_rules *m = (const craft_rules *)(const void *)rules;
    const craft_state *s = bytes;
    const craft_pack *pack = craft_rules_pack(m);
    const craft_task *task = craft_task_of(m, s);
    lu_json_object(json);
    lu_fields_to_json(fields, FIELDS, s, seat, json);
    lu_json_key_object(json, "item");
    craft_item_write(&m->pool, pack, &s->item, json);
    lu_json_object_end(json);
    /* for readers only */
    lu_json_key_string(json, "base", pack->bases[m->pool.base].name);
    lu_json_key_int(json, "ilvl", m->pool.ilvl);
    lu_json_key_real(json, "score", s->score);
    lu_json_key_real(json, "most", task->goal.most);
    lu_json_key_real(json, "budget", task->budget);
    lu_json_key_int(json, "open_prefix", task->goal.open[CRAFT_PREFIX]);
    lu_json_key_int(json, "open_suffix", task->goal.open[CRAFT_SUFFIX]);
    put_needs(m, s, json);
    lu_json_key_array(json, "prices");
    for (int k = 0; k < m->actions; k++) {
        if (task->legal[k]) {
            lu_json_real(json, task->price[k]);
        } else {
            lu_json_null(json);
        }
    }
    lu_json_array_end(json);
    /* which essence each of their actions stands for */
    lu_json_key_array(json, "essences");
    for (int k = 0; k < CRAFT_UPGRADES + CRAFT_SWAPS && m->actions == CRAFT_ACTIONS; k++) {
        if (task->essence[k] >= 0) {
            lu_json_string(json, pack->essences[task->essence[k]].name);
        } else {
            lu_json_null(json);
        }
    }
    lu_json_array_end(json);
    lu_json_object_end(json);
}

lu_status craft_from_json(const lu_rules *rules, void *bytes, const lu_json_value *value,
                          lu_error *error) {
    const craft_rules *m = (const craft_rules *)(const void *)rules;
    craft_state *s = bytes;
    craft_state read = *s;
    const lu_json_value *item = lu_json_get(value, "item");
    if (lu_fields_from_json(fields, FIELDS, rules, &read, value, error) != LU_OK) {
        return LU_BAD_DATA;
    }
    if (item && craft_item_read(&m->pool, craft_rules_pack(m), item, &read.item, error) != LU_OK) {
        return LU_BAD_DATA;
    }
    read.score = craft_score(&craft_task_of(m, &read)->goal, &m->pool, &read.item);
    *s = read;
    return LU_OK;
}
