/* How craft looks to people: the item and the target for a terminal, what a decision did in words
 * and as events, and why an action is illegal. */
#include "craft.h"

static const craft_rules *model_of(const lu_rules *rules) {
    return (const craft_rules *)(const void *)rules;
}

static const char *const end_words[CRAFT_ENDS] = {
    [CRAFT_RUNNING] = "",
    [CRAFT_END_SUCCESS] = "done: the item fulfils the target",
    [CRAFT_END_STOPPED] = "the wanted item was not made",
    [CRAFT_END_BUDGET] = "the budget is spent",
    [CRAFT_END_BASES] = "no base is left",
    [CRAFT_END_STEPS] = "the last decision was made",
};

/* Modifiers that hit a requirement. */
static int hits_of(const craft_rules *m, const craft_state *s) {
    const craft_task *task = craft_task_of(m, s);
    int hits = 0;
    for (int k = 0; k < craft_item_mods(&s->item); k++) {
        hits += craft_hits(&task->goal, &m->pool, &s->item.slot[k]) ? 1 : 0;
    }
    return hits;
}

/* ---- board ---- */

enum { WIDE = 62 }; /* columns of a modifier's words */

/* "* P T1/9 +103 to maximum Life [fractured]", a star before what hits a requirement. */
static void put_mod(const craft_rules *m, const craft_state *s, const craft_slot *slot,
                    lu_text *text) {
    const craft_pack *pack = craft_rules_pack(m);
    bool hit = craft_hits(&craft_task_of(m, s)->goal, &m->pool, slot) != 0;
    lu_text words = LU_TEXT_INIT;
    craft_slot_text(&m->pool, pack, slot, &words);
    lu_text_addf(text, "%s %s ", hit ? "*" : " ",
                 craft_slot_side(slot) == CRAFT_PREFIX ? "P" : "S");
    if (!(slot->flags & CRAFT_UNREVEALED)) {
        const craft_entry *e = &m->pool.entry[slot->entry];
        lu_text_addf(text, "T%d/%d ", e->tier, e->tiers);
    }
    lu_text_addf(
        text, "%.*s%s%s%s\n", WIDE, words.text, slot->flags & CRAFT_FRACTURED ? " [fractured]" : "",
        slot->flags & CRAFT_DESECRATED ? " [d]" : "", slot->flags & CRAFT_CRAFTED ? " [c]" : "");
    lu_text_free(&words);
}

enum { LADDERS_TOLD = 2 };

void craft_need_words(const craft_rules *m, const craft_goal *goal, int need, lu_text *text) {
    const craft_pack *pack = craft_rules_pack(m);
    const craft_entry *weakest[UINT8_MAX + 1] = {NULL}; /* by ladder, of those that hit */
    int ladders = 0;
    for (int i = 0; i < m->pool.entries; i++) {
        const craft_entry *e = &m->pool.entry[i];
        if (goal->hits[i] >> need & 1) {
            const craft_entry *known = weakest[e->ladder];
            ladders += known ? 0 : 1;
            weakest[e->ladder] = !known || e->tier > known->tier ? e : known;
        }
    }
    int told = 0;
    for (int k = 0; k <= UINT8_MAX && told < LADDERS_TOLD; k++) {
        if (weakest[k]) {
            lu_text_addf(text, "%s%s (T%d%s)", told++ ? " or " : "",
                         pack->mods[weakest[k]->mod].text, weakest[k]->tier,
                         weakest[k]->tier > 1 ? " or better" : "");
        }
    }
    if (ladders > told) {
        lu_text_addf(text, " or %d others", ladders - told);
    }
}

static void put_needs(const craft_rules *m, const craft_state *s, lu_text *text) {
    const craft_goal *goal = &craft_task_of(m, s)->goal;
    int32_t matched[CRAFT_NEEDS_MAX];
    lu_text words = LU_TEXT_INIT;
    craft_matched(goal, &m->pool, &s->item, matched);
    for (int k = 0; k < goal->needs; k++) {
        lu_text_clear(&words);
        craft_need_words(m, goal, k, &words);
        lu_text_line(text, "wanted: %d of %d  %.*s%s", matched[k], goal->count[k], WIDE, words.text,
                     words.length > WIDE ? "..." : "");
    }
    for (int side = 0; side < CRAFT_SIDES; side++) {
        if (goal->open[side] > 0) {
            lu_text_line(text, "wanted: %d open %s%s", goal->open[side], side ? "suffix" : "prefix",
                         goal->open[side] > 1 ? "es" : "");
        }
    }
    lu_text_line(text, "score %.2f of %.2f", s->score, goal->most);
    lu_text_free(&words);
}

static void put_options(const craft_rules *m, const craft_state *s, lu_text *text) {
    const craft_pack *pack = craft_rules_pack(m);
    for (int k = 0; k < 3 && s->item.option[k]; k++) {
        const craft_entry *e = &m->pool.entry[s->item.option[k] - 1];
        lu_text_line(text, "option %d: %.*s", k + 1, WIDE, pack->mods[e->mod].text);
    }
}

void craft_show(const lu_rules *rules, const void *bytes, int seat, lu_text *text) {
    const craft_rules *m = model_of(rules);
    const craft_state *s = bytes;
    const craft_task *task = craft_task_of(m, s);
    const craft_item *item = &s->item;
    (void)seat;
    lu_text_line(
        text, "%s, item level %d, %s%s%s, %d + %d modifiers",
        craft_rules_pack(m)->bases[m->pool.base].name, m->pool.ilvl,
        craft_rarity_names[item->rarity], item->flags & CRAFT_CORRUPTED ? ", corrupted" : "",
        item->flags & CRAFT_SANCTIFIED ? ", sanctified" : "", item->count[0], item->count[1]);
    for (int k = 0; k < craft_item_mods(item); k++) {
        put_mod(m, s, &item->slot[k], text);
    }
    put_options(m, s, text);
    put_needs(m, s, text);
    lu_text_line(text, "spent %.2f of %.2f exalted, %d base%s, decision %d", s->spent, task->budget,
                 s->bases, s->bases == 1 ? "" : "s", s->steps);
    if (s->end) {
        lu_text_line(text, "%s", end_words[s->end]);
    }
}

/* ---- events and story ---- */

uint64_t craft_events_of(const lu_rules *rules, const void *before, const void *after,
                         const int32_t *actions) {
    const craft_rules *m = model_of(rules);
    const craft_state *a = before, *b = after;
    uint64_t events = 0;
    int hits = hits_of(m, b) - hits_of(m, a);
    bool ignored = b->illegal > a->illegal, base = b->bases > a->bases;
    bool used = !ignored && !base && actions[0] != CRAFT_STOP;
    events |= (uint64_t)used << CRAFT_EVENT_USED;
    events |= (uint64_t)ignored << CRAFT_EVENT_IGNORED;
    events |= (uint64_t)base << CRAFT_EVENT_BASE;
    events |= (uint64_t)(hits > 0) << CRAFT_EVENT_HIT;
    events |= (uint64_t)(hits < 0) << CRAFT_EVENT_LOST;
    events |= (uint64_t)(b->end == CRAFT_END_SUCCESS) << CRAFT_EVENT_DONE;
    events |= (uint64_t)(b->end > CRAFT_END_SUCCESS) << CRAFT_EVENT_FAILED;
    return events;
}

/* Columns for the names of modifiers, so that a story with counts and its end has at most 120. */
enum { STORY = 88, STORY_AT_END = 54 };

/* Whether an item has this modifier, hidden or seen alike. */
static bool has_slot(const craft_item *item, const craft_slot *slot) {
    for (int k = 0; k < craft_item_mods(item); k++) {
        bool hidden = ((slot->flags ^ item->slot[k].flags) & CRAFT_UNREVEALED) != 0;
        if (item->slot[k].entry == slot->entry && !hidden) {
            return true;
        }
    }
    return false;
}

/* Modifiers of one item that the other lacks, as far as there is room, and how many more. */
static void put_difference(const craft_rules *m, const craft_item *from, const craft_item *to,
                           const char *verb, size_t room, lu_text *text) {
    lu_text words = LU_TEXT_INIT;
    int told = 0, more = 0;
    for (int k = 0; k < craft_item_mods(from); k++) {
        const craft_slot *slot = &from->slot[k];
        if (has_slot(to, slot)) {
            continue;
        }
        lu_text_clear(&words);
        craft_slot_text(&m->pool, craft_rules_pack(m), slot, &words);
        if (more > 0 || text->length + strlen(verb) + words.length > room) {
            more++;
            continue;
        }
        lu_text_addf(text, "%s%s", told++ > 0 ? ", " : verb, words.text);
    }
    if (more > 0 && told > 0) {
        lu_text_addf(text, " and %d more", more);
    } else if (more > 0) {
        lu_text_addf(text, "%s%d modifier%s", verb, more, more > 1 ? "s" : "");
    }
    lu_text_free(&words);
}

void craft_story(const lu_rules *rules, const void *before, const void *after,
                 const int32_t *actions, lu_text *text) {
    const craft_rules *m = model_of(rules);
    const craft_state *a = before, *b = after;
    size_t start = text->length;
    if (b->illegal > a->illegal) {
        lu_text_add(text, "nothing happens");
    } else if (actions[0] == CRAFT_STOP) {
        lu_text_add(text, "stops");
    } else if (b->bases > a->bases) {
        lu_text_addf(text, "takes white base %d", b->bases);
    } else {
        lu_text_addf(text, "pays %.2f:", b->spent - a->spent);
        size_t room = start + (b->end ? STORY_AT_END : STORY), paid = text->length;
        put_difference(m, &b->item, &a->item, " gains ", room, text);
        bool gained = text->length > paid;
        put_difference(m, &a->item, &b->item, gained ? "; loses " : " loses ", room, text);
    }
    if (b->end) {
        lu_text_addf(text, "; %s", end_words[b->end]);
    }
}

const char *craft_why_not(const lu_rules *rules, const void *bytes, int seat, int head,
                          int option) {
    const craft_rules *m = model_of(rules);
    const craft_state *s = bytes;
    const craft_task *task = craft_task_of(m, s);
    (void)seat;
    (void)head;
    int use = craft_use_of(m, s, option);
    if (!task->legal[use]) {
        return task->price[use] < 0.0
                   ? "it has no price, or does not exist for this base and target"
                   : "it is not for this base";
    }
    return craft_refusal_texts[craft_why(&m->pool, &s->item, &task->effect[use])];
}

/* Essences and bones by name, since the name of the action tells neither; and the price. */
void craft_note(const lu_rules *rules, const void *bytes, int seat, int head, const int32_t *chosen,
                lu_text *text) {
    const craft_rules *m = model_of(rules);
    const craft_state *s = bytes;
    const craft_pack *pack = craft_rules_pack(m);
    const craft_task *task = craft_task_of(m, s);
    double price = task->price[craft_use_of(m, s, chosen[0])];
    (void)seat;
    (void)head;
    if (m->actions == CRAFT_ACTIONS) {
        const char *item = craft_action_item(task, &m->pool, pack, chosen[0]);
        int essence = item ? craft_essence_find(pack, item) : -1;
        int bone = item ? craft_bone_find(pack, item) : -1;
        const char *name = essence >= 0 ? pack->essences[essence].name
                           : bone >= 0  ? pack->bones[bone].name
                                        : "";
        lu_text_addf(text, *name && price > 0.0 ? "%s, " : "%s", name);
    }
    if (price > 0.0) {
        lu_text_addf(text, price < 1000.0 ? "%.3g ex" : "%.0f ex", price);
    }
}
