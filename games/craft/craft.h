/* Craft: turn a white base of Path of Exile 2 into a wanted item with currencies, essences, omens
 * and bones, for as little as possible. This header holds the state, the rules block with its
 * tasks, the actions and the numbers of groups, terms, info fields and events. What an action does
 * to an item is in craft_rules.h with craft_apply.h, the environment in craft.c, the facts as
 * tables in craft_spec.c with craft_settings.c, what people read in craft_view.c, JSON in
 * craft_json.c, the baselines in craft_bots.c.
 *
 * Variants share the state: `craft-v1` plays the game's rules, `craft-look-v1` the same and shows
 * what each action would lead to (craft_outlook.h), `craft-classic-v1` the simple rules (chaos
 * rerolls all, essence, abyss, bench).
 * Ownership: states and rules belong to the caller. Threads: nothing is shared. */
#pragma once

#include "craft_apply.h"
#include "craft_outlook.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- actions ---- */

/* X(name, what is used, first omen, second omen). Names in capitals are found when a task is made:
 * bones by the class of the base, essences by the target. 62 takes the omen of the side with fewer
 * hits. */
#define CRAFT_ACTION_ROWS(X)                                                                       \
    X("stop", NULL, NULL, NULL)                                                                    \
    X("new_base", "white_base", NULL, NULL)                                                        \
    X("transmute", "orb_of_transmutation", NULL, NULL)                                             \
    X("greater_transmute", "greater_orb_of_transmutation", NULL, NULL)                             \
    X("perfect_transmute", "perfect_orb_of_transmutation", NULL, NULL)                             \
    X("augment", "orb_of_augmentation", NULL, NULL)                                                \
    X("greater_augment", "greater_orb_of_augmentation", NULL, NULL)                                \
    X("perfect_augment", "perfect_orb_of_augmentation", NULL, NULL)                                \
    X("regal", "regal_orb", NULL, NULL)                                                            \
    X("greater_regal", "greater_regal_orb", NULL, NULL)                                            \
    X("perfect_regal", "perfect_regal_orb", NULL, NULL)                                            \
    X("regal_prefix", "regal_orb", "omen_of_sinistral_coronation", NULL)                           \
    X("regal_suffix", "regal_orb", "omen_of_dextral_coronation", NULL)                             \
    X("alchemy", "orb_of_alchemy", NULL, NULL)                                                     \
    X("alchemy_prefix", "orb_of_alchemy", "omen_of_sinistral_alchemy", NULL)                       \
    X("alchemy_suffix", "orb_of_alchemy", "omen_of_dextral_alchemy", NULL)                         \
    X("exalt", "exalted_orb", NULL, NULL)                                                          \
    X("greater_exalt", "greater_exalted_orb", NULL, NULL)                                          \
    X("perfect_exalt", "perfect_exalted_orb", NULL, NULL)                                          \
    X("exalt_prefix", "exalted_orb", "omen_of_sinistral_exaltation", NULL)                         \
    X("exalt_suffix", "exalted_orb", "omen_of_dextral_exaltation", NULL)                           \
    X("exalt_two", "exalted_orb", "omen_of_greater_exaltation", NULL)                              \
    X("exalt_two_prefix", "exalted_orb", "omen_of_greater_exaltation",                             \
      "omen_of_sinistral_exaltation")                                                              \
    X("exalt_two_suffix", "exalted_orb", "omen_of_greater_exaltation",                             \
      "omen_of_dextral_exaltation")                                                                \
    X("perfect_exalt_prefix", "perfect_exalted_orb", "omen_of_sinistral_exaltation", NULL)         \
    X("perfect_exalt_suffix", "perfect_exalted_orb", "omen_of_dextral_exaltation", NULL)           \
    X("chaos", "chaos_orb", NULL, NULL)                                                            \
    X("greater_chaos", "greater_chaos_orb", NULL, NULL)                                            \
    X("perfect_chaos", "perfect_chaos_orb", NULL, NULL)                                            \
    X("chaos_lowest", "chaos_orb", "omen_of_whittling", NULL)                                      \
    X("chaos_prefix", "chaos_orb", "omen_of_sinistral_erasure", NULL)                              \
    X("chaos_suffix", "chaos_orb", "omen_of_dextral_erasure", NULL)                                \
    X("perfect_chaos_lowest", "perfect_chaos_orb", "omen_of_whittling", NULL)                      \
    X("annul", "orb_of_annulment", NULL, NULL)                                                     \
    X("annul_prefix", "orb_of_annulment", "omen_of_sinistral_annulment", NULL)                     \
    X("annul_suffix", "orb_of_annulment", "omen_of_dextral_annulment", NULL)                       \
    X("annul_two", "orb_of_annulment", "omen_of_greater_annulment", NULL)                          \
    X("annul_desecrated", "orb_of_annulment", "omen_of_light", NULL)                               \
    X("fracture", "fracturing_orb", NULL, NULL)                                                    \
    X("divine", "divine_orb", NULL, NULL)                                                          \
    X("bone", "PRESERVED", NULL, NULL)                                                             \
    X("ancient_bone", "ANCIENT", NULL, NULL)                                                       \
    X("bone_prefix", "PRESERVED", "omen_of_sinistral_necromancy", NULL)                            \
    X("bone_suffix", "PRESERVED", "omen_of_dextral_necromancy", NULL)                              \
    X("bone_ulaman", "PRESERVED", "omen_of_the_sovereign", NULL)                                   \
    X("bone_amanamu", "PRESERVED", "omen_of_the_liege", NULL)                                      \
    X("bone_kurgal", "PRESERVED", "omen_of_the_blackblooded", NULL)                                \
    X("keep_1", "keep1", NULL, NULL)                                                               \
    X("keep_2", "keep2", NULL, NULL)                                                               \
    X("keep_3", "keep3", NULL, NULL)                                                               \
    X("reveal", "reveal", "omen_of_abyssal_echoes", NULL)                                          \
    X("essence_1", "UPGRADE", NULL, NULL)                                                          \
    X("essence_2", "UPGRADE", NULL, NULL)                                                          \
    X("essence_3", "UPGRADE", NULL, NULL)                                                          \
    X("essence_4", "UPGRADE", NULL, NULL)                                                          \
    X("essence_5", "UPGRADE", NULL, NULL)                                                          \
    X("essence_6", "UPGRADE", NULL, NULL)                                                          \
    X("essence_7", "UPGRADE", NULL, NULL)                                                          \
    X("essence_8", "UPGRADE", NULL, NULL)                                                          \
    X("swap_essence_1", "SWAP", NULL, NULL)                                                        \
    X("swap_essence_2", "SWAP", NULL, NULL)                                                        \
    X("swap_essence_3", "SWAP", NULL, NULL)                                                        \
    X("swap_essence_side", "SWAP", "omen_of_sinistral_crystallisation", NULL)                      \
    X("vaal", "vaal_orb", NULL, NULL)

enum {
    CRAFT_ACTIONS = 64,
    CRAFT_STOP = 0,
    CRAFT_NEW_BASE = 1,
    CRAFT_ALCHEMY_ACTION = 13,
    CRAFT_KEEP_FIRST = 47,
    CRAFT_REVEAL_ACTION = 50, /* free while no options are shown, then with Abyssal Echoes */
    CRAFT_UPGRADE_FIRST = 51,
    CRAFT_UPGRADES = 8,
    CRAFT_SWAP_FIRST = 59,
    CRAFT_SWAPS = 3,
    CRAFT_SWAP_SIDE = 62,
    CRAFT_OTHER_SIDE = 64, /* no action: 62 with the other omen */
    CRAFT_ECHO = 65,       /* no action: 50 while options are shown */
    CRAFT_USES = 66,

    /* of the ruleset classic */
    CRAFT_CLASSIC_CHAOS = 2,
    CRAFT_CLASSIC_EXALT,
    CRAFT_CLASSIC_ABYSS,
    CRAFT_CLASSIC_ESSENCE, /* of requirement 1, and 7 more */
    CRAFT_CLASSIC_BENCH = CRAFT_CLASSIC_ESSENCE + CRAFT_NEEDS_MAX,
    CRAFT_CLASSIC_ACTIONS = CRAFT_CLASSIC_BENCH + CRAFT_NEEDS_MAX
};

extern const char *const craft_action_names[CRAFT_ACTIONS + 1];
extern const char *const craft_classic_names[CRAFT_CLASSIC_ACTIONS + 1];

/* ---- observation ---- */

enum {
    CRAFT_GROUP_ITEM,
    CRAFT_GROUP_NEEDS,
    CRAFT_GROUP_MODS,
    CRAFT_GROUP_SPENT,
    CRAFT_GROUP_OPTIONS,
    CRAFT_GROUP_PRICES,
    CRAFT_GROUP_FREE,
    CRAFT_GROUPS
};
enum {
    CRAFT_AT_ITEM = 0,
    CRAFT_AT_NEEDS = 17,
    CRAFT_AT_MODS = 97,
    CRAFT_AT_SPENT = 102,
    CRAFT_AT_OPTIONS = 105,
    CRAFT_AT_PRICES = 117,
    CRAFT_AT_FREE = 181, /* always zero */
    CRAFT_OBSERVATION = 192,
    CRAFT_NEED_FIELDS = 10,
    CRAFT_OPTION_FIELDS = 4
};

/* Of craft-look-v1: slot i of the first group is action i. Neither budget nor clock is shown, so
 * that what an agent does follows from the item alone. */
enum {
    CRAFT_LOOK_GROUP_ACTIONS,
    CRAFT_LOOK_GROUP_ITEM,
    CRAFT_LOOK_GROUP_NEEDS,
    CRAFT_LOOK_GROUP_PRICES,
    CRAFT_LOOK_GROUPS
};
enum {
    CRAFT_LOOK_LEGAL,
    CRAFT_LOOK_PRICE,
    CRAFT_LOOK_HOPE,
    CRAFT_LOOK_CHANGE,
    CRAFT_LOOK_PAYS,
    CRAFT_LOOK_REACH,
    CRAFT_LOOK_REACH_CHANGE,
    CRAFT_LOOK_REACH_PAYS,
    CRAFT_LOOK_DONE,
    CRAFT_LOOK_DONE_LOG,
    CRAFT_LOOK_DONE_STAKE,
    CRAFT_LOOK_HOPE_STAKE,
    CRAFT_LOOK_REACH_STAKE,
    CRAFT_LOOK_BET_STAKE,
    CRAFT_LOOK_GAIN,
    CRAFT_LOOK_LOST,
    CRAFT_LOOK_HOPELESS,
    CRAFT_LOOK_ADDS,
    CRAFT_LOOK_REMOVES,
    CRAFT_LOOK_GIVES,
    CRAFT_LOOK_BASE,
    CRAFT_LOOK_STOP,
    CRAFT_LOOK_FIELDS
};
enum {
    CRAFT_LOOK_ITEM_FIELDS = 20,
    CRAFT_LOOK_AT_ITEM = CRAFT_ACTIONS * CRAFT_LOOK_FIELDS,
    CRAFT_LOOK_NEED_FIELDS = 8,
    CRAFT_LOOK_AT_NEEDS = CRAFT_LOOK_AT_ITEM + CRAFT_LOOK_ITEM_FIELDS,
    CRAFT_LOOK_AT_PRICES = CRAFT_LOOK_AT_NEEDS + CRAFT_NEEDS_MAX * CRAFT_LOOK_NEED_FIELDS,
    CRAFT_LOOK_OBSERVATION = CRAFT_LOOK_AT_PRICES + CRAFT_ACTIONS
};

/* ---- terms, figures, events ---- */

enum {
    CRAFT_TERM_COST,
    CRAFT_TERM_SUCCESS,
    CRAFT_TERM_UNFINISHED,
    CRAFT_TERM_POTENTIAL,
    CRAFT_TERM_SCORE,
    CRAFT_TERM_CHAOS,
    CRAFT_TERMS
};

enum {
    CRAFT_INFO_SUCCESS,
    CRAFT_INFO_SPENT,
    CRAFT_INFO_SCORE,
    CRAFT_INFO_SHARE,
    CRAFT_INFO_BASES,
    CRAFT_INFO_STEPS,
    CRAFT_INFO_USES,
    CRAFT_INFO_ILLEGAL,
    CRAFT_INFO_RARITY,
    CRAFT_INFO_PREFIXES,
    CRAFT_INFO_SUFFIXES,
    CRAFT_INFO_HITS,
    CRAFT_INFO_TASK,
    CRAFT_INFO_END,
    CRAFT_INFO_RNG,
    CRAFT_INFOS
};

enum {
    CRAFT_EVENT_USED,
    CRAFT_EVENT_IGNORED,
    CRAFT_EVENT_BASE,
    CRAFT_EVENT_HIT,
    CRAFT_EVENT_LOST,
    CRAFT_EVENT_DONE,
    CRAFT_EVENT_FAILED,
    CRAFT_EVENTS
};

typedef enum craft_end {
    CRAFT_RUNNING,
    CRAFT_END_SUCCESS,
    CRAFT_END_STOPPED,
    CRAFT_END_BUDGET,
    CRAFT_END_BASES,
    CRAFT_END_STEPS,
    CRAFT_ENDS
} craft_end;
extern const char *const craft_end_names[CRAFT_ENDS + 1];
extern const char *const craft_rarity_names[CRAFT_RARITIES + 1];

enum { CRAFT_BOTS = 6, CRAFT_CLASSIC_BOTS = 1, CRAFT_TASKS_MAX = 4096 };

/* ---- state ---- */

LU_STATE_BEGIN
typedef struct craft_state {
    uint64_t rng;    /* hidden */
    double spent;    /* exalted, the first base included */
    double score;    /* of the item */
    craft_item item; /* on the table */
    int32_t steps;   /* decisions */
    int32_t illegal; /* of them without effect */
    int32_t bases;   /* white bases so far */
    int32_t task;    /* of the rules */
    uint8_t end;     /* craft_end */
    uint8_t unused[7];
} craft_state;
LU_STATE_END

LU_STATIC_ASSERT(sizeof(craft_state) == 152, "the same on every machine");

/* ---- rules ---- */

/* One task: a target, and what each action does and costs. */
typedef struct craft_task {
    craft_goal goal;
    double budget;              /* exalted */
    double scale;               /* exalted that the reward counts as 1 */
    double chaos;               /* price of a chaos orb in units of the scale */
    double price[CRAFT_USES];   /* exalted; negative = it has none and is never legal */
    float shown[CRAFT_ACTIONS]; /* the price as it is observed */
    int32_t max_bases;
    int32_t hit_families[CRAFT_NEEDS_MAX]; /* families with a hit */
    int32_t unused;
    double hit_total[CRAFT_NEEDS_MAX][CRAFT_SIDES];         /* weight of hits by side */
    float hit_family[CRAFT_NEEDS_MAX][CRAFT_POOL_FAMILIES]; /* and by family */
    craft_effect effect[CRAFT_USES];
    int16_t essence[CRAFT_UPGRADES + CRAFT_SWAPS]; /* rows of the pack; -1 = none */
    uint8_t legal[CRAFT_USES + 4];                 /* 1: it has a price and an effect */
    uint8_t list[CRAFT_RARITIES][CRAFT_ACTIONS];   /* legal actions that a rarity may have */
    int32_t listed[CRAFT_RARITIES];
    int32_t unused2;
    craft_outlook outlook;            /* not of the ruleset classic, as what follows */
    float look_price[CRAFT_ACTIONS];  /* as craft-look-v1 shows it */
    float look_gift[CRAFT_NEEDS_MAX]; /* of the cheapest essence that hits each requirement */
} craft_task;

typedef struct craft_rules {
    lu_rules head;
    craft_pool pool;
    double gamma; /* of the potential */
    int32_t pack; /* craft_pack_at; see craft_rules_pack */
    int32_t actions;
    int32_t max_steps;
    int32_t auto_stop;
    int32_t tasks;
    uint32_t first_task; /* offset of the tasks in the block */
    uint32_t own_pack;   /* offset of the text of the user's pack behind them; 0: none */
    uint32_t own_bytes;  /* of that text */
} craft_rules;

LU_INLINE const craft_task *craft_task_at(const craft_rules *m, int index) {
    return LU_RULES_AT(m, craft_task, m->first_task) + index;
}

LU_INLINE const craft_task *craft_task_of(const craft_rules *m, const craft_state *s) {
    return craft_task_at(m, s->task);
}

typedef struct craft_options {
    int32_t task; /* -1: drawn */
    int32_t unused;
} craft_options;

/* ---- what follows from a state ---- */

/* Side with fewer hits that can be lost: what action 62 lets go. */
LU_INLINE int craft_loose_side(const craft_task *task, const craft_pool *pool,
                               const craft_item *item) {
    int hits[CRAFT_SIDES] = {0, 0};
    for (int k = 0; k < craft_item_mods(item); k++) {
        const craft_slot *slot = &item->slot[k];
        bool loose = !(slot->flags & CRAFT_FRACTURED);
        hits[craft_slot_side(slot)] += loose && craft_hits(&task->goal, pool, slot) ? 1 : 0;
    }
    return hits[CRAFT_SUFFIX] < hits[CRAFT_PREFIX] ? CRAFT_SUFFIX : CRAFT_PREFIX;
}

/* Which row of the task an action uses now. */
LU_INLINE int craft_use_of(const craft_rules *m, const craft_state *s, int action) {
    if (m->actions == CRAFT_ACTIONS) {
        if (action == CRAFT_SWAP_SIDE &&
            craft_loose_side(craft_task_of(m, s), &m->pool, &s->item) == CRAFT_SUFFIX) {
            return CRAFT_OTHER_SIDE;
        }
        if (action == CRAFT_REVEAL_ACTION && craft_is_choosing(&s->item)) {
            return CRAFT_ECHO;
        }
    }
    return action;
}

/* Whether an action is legal: it has a price, and its effect may be used. */
LU_INLINE bool craft_is_legal(const craft_rules *m, const craft_state *s, int action) {
    const craft_task *task = craft_task_of(m, s);
    if (action == CRAFT_STOP || action < 0 || action >= m->actions) {
        return action == CRAFT_STOP;
    }
    int use = craft_use_of(m, s, action);
    return task->legal[use] && (action == CRAFT_NEW_BASE ||
                                craft_why(&m->pool, &s->item, &task->effect[use]) == CRAFT_USABLE);
}

/* ---- parts in other files ---- */

/* craft_settings.c */
enum { CRAFT_ROWS = 18 + 17, CRAFT_OPTION_ROWS = 1 };
extern const lu_setting craft_rows[], craft_option_rows[];
size_t craft_rules_more(const lu_settings *settings);
/* The pack of a rules block. One of the user is read again from the block where the last one asked
 * for on this thread was another; what it points at stays until then. */
const craft_pack *craft_rules_pack(const craft_rules *m);
lu_status craft_rules_init(lu_rules *rules, const lu_settings *settings, lu_error *error);
lu_status craft_classic_init(lu_rules *rules, const lu_settings *settings, lu_error *error);
lu_status craft_options_init(const lu_rules *rules, const lu_settings *options, void *block,
                             lu_error *error);

/* craft_task.c: prices by name, and tasks from targets. */
typedef struct craft_prices {
    const craft_pack *pack;
    const lu_json_value *file; /* object of prices in exalted; NULL = those of the pack */
    double rate;               /* exalted of one unit of the file */
    double white_base;         /* exalted; negative = as the list says */
    double spread;             /* each price times a factor between 1 / spread and spread */
    uint64_t seed;             /* of these factors */
} craft_prices;
/* Exalted; -1 = there is none. */
double craft_priced(const craft_prices *prices, const char *item);
/* Which actions a task has. */
typedef enum craft_ruleset { CRAFT_FULL, CRAFT_PLAIN_USES, CRAFT_CLASSIC } craft_ruleset;
lu_status craft_task_init(craft_task *task, const craft_pool *pool, const craft_pack *pack,
                          const craft_target *target, const craft_prices *prices,
                          craft_ruleset ruleset, lu_error *error);
/* A target of one to three requirements drawn over the pool. */
void craft_target_random(craft_target *target, const craft_pool *pool, const craft_pack *pack,
                         lu_rng *rng);

/* A use by words: the name of an action that no target is needed for, or what is used with its
 * omens, "exalted_orb+omen_of_whittling". LU_BAD_VALUE names what is unknown. */
typedef struct craft_use_words {
    char use[CRAFT_NAME];
    char omen[3][CRAFT_NAME];
    int omens;
} craft_use_words;
lu_status craft_use_read(craft_use_words *words, const craft_pool *pool, const craft_pack *pack,
                         const char *text, lu_error *error);
/* Its price; -1 = some part has none. */
double craft_use_price(const craft_use_words *words, const craft_prices *prices);

/* The key of what an action uses, a currency, essence or bone; NULL where that is nothing. */
const char *craft_action_item(const craft_task *task, const craft_pool *pool,
                              const craft_pack *pack, int action);

/* craft_view.c */
/* What a requirement takes: "+(85-99) to maximum Life (T2 or better)". */
void craft_need_words(const craft_rules *rules, const craft_goal *goal, int need, lu_text *text);
void craft_show(const lu_rules *rules, const void *state, int seat, lu_text *text);
void craft_story(const lu_rules *rules, const void *before, const void *after,
                 const int32_t *actions, lu_text *text);
uint64_t craft_events_of(const lu_rules *rules, const void *before, const void *after,
                         const int32_t *actions);
const char *craft_why_not(const lu_rules *rules, const void *state, int seat, int head, int option);
void craft_note(const lu_rules *rules, const void *state, int seat, int head, const int32_t *chosen,
                lu_text *text);

/* craft_item_json.c: items as people write them. */
/* A modifier in words, its values in place of its ranges. */
void craft_slot_text(const craft_pool *pool, const craft_pack *pack, const craft_slot *slot,
                     lu_text *text);
/* Members of an open object. */
void craft_item_write(const craft_pool *pool, const craft_pack *pack, const craft_item *item,
                      lu_json *json);
lu_status craft_item_read(const craft_pool *pool, const craft_pack *pack,
                          const lu_json_value *value, craft_item *item, lu_error *error);

/* craft_json.c */
void craft_to_json(const lu_rules *rules, const void *state, int seat, lu_json *json);
lu_status craft_from_json(const lu_rules *rules, void *state, const lu_json_value *value,
                          lu_error *error);

/* craft_bots.c */
extern const lu_bot craft_bots[CRAFT_BOTS], craft_classic_bots[CRAFT_CLASSIC_BOTS];

#ifdef __cplusplus
}
#endif
