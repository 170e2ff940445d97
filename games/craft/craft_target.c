/* Targets: read from JSON, held against a pool, and refused with the reason when no item can
 * fulfil them. */
#include "craft_target.h"

#include <stdio.h>
#include <string.h>

/* ---- reading ---- */

/* LU_BAD_DATA for a member that is none of `keys` (ends with NULL). */
static lu_status check_keys(const lu_json_value *object, const char *what, const char *const *keys,
                            lu_error *error) {
    for (size_t i = 0; i < lu_json_count(object); i++) {
        const char *key;
        bool known = false;
        lu_json_member(object, i, &key);
        for (int k = 0; keys[k]; k++) {
            known = known || strcmp(key, keys[k]) == 0;
        }
        if (!known) {
            return lu_fail(error, LU_BAD_DATA, "%s: '%s' is unknown there", what, key);
        }
    }
    return LU_OK;
}

/* Numbers and texts that may be missing stay as they are. */
static lu_status int_or_stay(const lu_json_value *object, const char *key, int64_t low,
                             int64_t high, int32_t *value, lu_error *error) {
    int64_t number = *value;
    if (lu_json_get(object, key) &&
        lu_json_get_int(object, key, low, high, &number, error) != LU_OK) {
        return LU_BAD_DATA;
    }
    *value = (int32_t)number;
    return LU_OK;
}

static lu_status text_or_stay(const lu_json_value *object, const char *key, char *to,
                              lu_error *error) {
    const char *text;
    if (!lu_json_get(object, key)) {
        return LU_OK;
    }
    if (lu_json_get_text(object, key, &text, error) != LU_OK) {
        return LU_BAD_DATA;
    }
    if (strlen(text) >= CRAFT_NAME) {
        return lu_fail(error, LU_BAD_DATA, "'%s' is longer than %d bytes", key, CRAFT_NAME - 1);
    }
    memcpy(to, text, strlen(text) + 1);
    return LU_OK;
}

typedef struct matcher_kind {
    const char *key;
    int (*find)(const craft_pack *pack, const char *name);
} matcher_kind;

static const matcher_kind kinds[] = {
    [CRAFT_MATCH_GROUP] = {"group", craft_group_find},
    [CRAFT_MATCH_FAMILY] = {"family", craft_family_find},
    [CRAFT_MATCH_LADDER] = {"ladder", craft_ladder_find},
    [CRAFT_MATCH_MOD] = {"mod", craft_mod_find},
};

static lu_status read_matcher(craft_matcher *m, const craft_pack *pack, const lu_json_value *value,
                              lu_error *error) {
    static const char *const keys[] = {"group",     "family",    "ladder",
                                       "mod",       "max_tier",  "min_tier_level",
                                       "min_value", "fractured", NULL};
    const char *name = NULL;
    int32_t tier = 0, level = 0;
    *m = (craft_matcher){.row = -1};
    lu_status status = check_keys(value, "any_of", keys, error);
    for (int k = 0; k < 4 && status == LU_OK; k++) {
        if (!lu_json_get(value, kinds[k].key)) {
            continue;
        }
        if (name) {
            return lu_fail(error, LU_BAD_DATA, "any_of: name one of group, family, ladder, mod");
        }
        status = lu_json_get_text(value, kinds[k].key, &name, error);
        if (status == LU_OK) {
            m->kind = (uint8_t)k;
            m->row = kinds[k].find(pack, name);
        }
        if (status == LU_OK && m->row < 0) {
            return lu_fail(error, LU_BAD_DATA, "any_of: %s knows no %s '%s'", pack->about.name,
                           kinds[k].key, name);
        }
    }
    if (status == LU_OK && !name) {
        return lu_fail(error, LU_BAD_DATA,
                       "any_of: each entry names a group, family, ladder or mod");
    }
    status = status == LU_OK ? int_or_stay(value, "max_tier", 0, 100, &tier, error) : status;
    status = status == LU_OK ? int_or_stay(value, "min_tier_level", 0, 100, &level, error) : status;
    if (status == LU_OK && lu_json_get(value, "min_value")) {
        status = lu_json_get_real(value, "min_value", 0, 1e6, &m->min_value, error);
    }
    bool fractured = false;
    if (status == LU_OK && lu_json_get(value, "fractured")) {
        status = lu_json_get_bool(value, "fractured", &fractured, error);
    }
    m->max_tier = (uint8_t)tier;
    m->min_level = (uint8_t)level;
    m->fractured = fractured;
    return status;
}

/* A list of matchers; a single object counts as a list of one. */
static lu_status read_matchers(craft_matcher *to, int most, int32_t *count, const craft_pack *pack,
                               const lu_json_value *list, const char *what, lu_error *error) {
    size_t entries = lu_json_count(list);
    if (lu_json_kind_of(list) != LU_JSON_ARRAY || entries > (size_t)most) {
        return lu_fail(error, LU_BAD_DATA, "'%s' must be a list of at most %d entries", what, most);
    }
    for (size_t k = 0; k < entries; k++) {
        if (read_matcher(&to[k], pack, lu_json_at(list, k), error) != LU_OK) {
            return LU_BAD_DATA;
        }
    }
    *count = (int32_t)entries;
    return LU_OK;
}

static lu_status read_need(craft_need *need, const craft_pack *pack, const lu_json_value *value,
                           int number, lu_error *error) {
    static const char *const keys[] = {"id", "any_of", "count", NULL};
    need->count = 1;
    need->weight = 1.0;
    snprintf(need->id, sizeof need->id, "need%d", number + 1);
    if (check_keys(value, "need", keys, error) != LU_OK ||
        text_or_stay(value, "id", need->id, error) != LU_OK ||
        int_or_stay(value, "count", 1, CRAFT_MODS, &need->count, error) != LU_OK) {
        return LU_BAD_DATA;
    }
    lu_status status = read_matchers(need->any_of, CRAFT_MATCHERS, &need->matchers, pack,
                                     lu_json_get(value, "any_of"), "any_of", error);
    if (status == LU_OK && need->matchers == 0) {
        return lu_fail(error, LU_BAD_DATA, "need '%s': any_of is empty", need->id);
    }
    return status;
}

static lu_status read_needs(craft_target *target, const craft_pack *pack,
                            const lu_json_value *value, lu_error *error) {
    const lu_json_value *list = lu_json_get(value, "need");
    size_t count = lu_json_count(list);
    if (!list && (lu_json_get(value, "open_prefix") || lu_json_get(value, "open_suffix") ||
                  lu_json_get(value, "forbid"))) {
        return LU_OK; /* a target of free slots, or of what must not be there */
    }
    if (lu_json_kind_of(list) != LU_JSON_ARRAY || count > CRAFT_NEEDS_MAX) {
        return lu_fail(error, LU_BAD_DATA, "'need' must be a list of at most %d requirements",
                       CRAFT_NEEDS_MAX);
    }
    for (size_t k = 0; k < count; k++) {
        craft_need *need = &target->need[k];
        if (read_need(need, pack, lu_json_at(list, k), (int)k, error) != LU_OK) {
            return LU_BAD_DATA;
        }
    }
    target->needs = (int32_t)count;
    return LU_OK;
}

/* Weights by the ids of the requirements. */
static lu_status read_score(craft_target *target, const lu_json_value *score, lu_error *error) {
    for (size_t i = 0; i < lu_json_count(score); i++) {
        const char *key;
        bool known = false;
        lu_json_member(score, i, &key);
        for (int k = 0; k < target->needs; k++) {
            if (strcmp(target->need[k].id, key) == 0) {
                known = true;
                if (lu_json_get_real(score, key, 0, 1e6, &target->need[k].weight, error) != LU_OK) {
                    return LU_BAD_DATA;
                }
            }
        }
        if (!known) {
            return lu_fail(error, LU_BAD_DATA, "score: no requirement has the id '%s'", key);
        }
    }
    return LU_OK;
}

/* ---- targets in the words of the brief ---- */

/* The requirement of a group, added when there is none; NULL with the reason in *error. */
static craft_need *need_of(craft_target *target, const craft_pack *pack, const char *group,
                           lu_error *error) {
    int row = craft_group_find(pack, group);
    for (int k = 0; k < target->needs; k++) {
        if (strcmp(target->need[k].id, group) == 0) {
            return &target->need[k];
        }
    }
    if (row < 0 || target->needs == CRAFT_NEEDS_MAX) {
        lu_fail(error, LU_BAD_DATA,
                row < 0 ? "%s knows no group '%s'" : "%s: '%s' is one requirement too many",
                pack->about.name, group);
        return NULL;
    }
    craft_need *need = &target->need[target->needs++];
    snprintf(need->id, sizeof need->id, "%s", group);
    need->count = 1;
    need->weight = 1.0;
    need->matchers = 1;
    need->any_of[0] = (craft_matcher){.kind = CRAFT_MATCH_GROUP, .row = row};
    return need;
}

static lu_status read_groups(craft_target *target, const craft_pack *pack,
                             const lu_json_value *list, lu_error *error) {
    for (size_t k = 0; k < lu_json_count(list); k++) {
        const lu_json_value *entry = lu_json_at(list, k);
        bool text = lu_json_kind_of(entry) == LU_JSON_STRING;
        if (!need_of(target, pack, text ? lu_json_text(entry, NULL) : "", error)) {
            return LU_BAD_DATA;
        }
    }
    return LU_OK;
}

/* Tiers or weights by group. */
static lu_status read_by_group(craft_target *target, const craft_pack *pack,
                               const lu_json_value *object, bool tiers, lu_error *error) {
    for (size_t k = 0; k < lu_json_count(object); k++) {
        const char *group;
        int64_t tier = 0;
        lu_json_member(object, k, &group);
        craft_need *need = need_of(target, pack, group, error);
        if (!need) {
            return LU_BAD_DATA;
        }
        if (tiers) {
            LU_TRY(lu_json_get_int(object, group, 1, 100, &tier, error));
            need->any_of[0].max_tier = (uint8_t)tier;
        } else {
            LU_TRY(lu_json_get_real(object, group, 0, 1e6, &need->weight, error));
        }
    }
    return LU_OK;
}

/* must_have_groups, min_res_mods, min_tier_by_group, required_open_*, custom_score_weights. */
static lu_status read_brief(craft_target *target, const craft_pack *pack,
                            const lu_json_value *value, lu_error *error) {
    int32_t resistances = 0;
    LU_TRY(read_groups(target, pack, lu_json_get(value, "must_have_groups"), error));
    LU_TRY(int_or_stay(value, "min_res_mods", 0, CRAFT_MODS, &resistances, error));
    if (resistances > 0) {
        craft_need *need = need_of(target, pack, "resistance", error);
        if (!need) {
            return LU_BAD_DATA;
        }
        need->count = resistances;
    }
    LU_TRY(read_by_group(target, pack, lu_json_get(value, "min_tier_by_group"), true, error));
    LU_TRY(read_by_group(target, pack, lu_json_get(value, "custom_score_weights"), false, error));
    LU_TRY(int_or_stay(value, "required_open_prefixes", 0, CRAFT_MODS, &target->open[0], error));
    return int_or_stay(value, "required_open_suffixes", 0, CRAFT_MODS, &target->open[1], error);
}

/* Whether a name is of something that may be used. */
static bool is_usable(const craft_pack *pack, const char *name) {
    return craft_currency_find(pack, name) >= 0 || craft_omen_find(pack, name) >= 0 ||
           craft_essence_find(pack, name) >= 0 || craft_bone_find(pack, name) >= 0 ||
           craft_catalyst_find(pack, name) >= 0;
}

static lu_status read_excludes(craft_target *target, const craft_pack *pack,
                               const lu_json_value *list, lu_error *error) {
    for (size_t k = 0; k < lu_json_count(list); k++) {
        const lu_json_value *entry = lu_json_at(list, k);
        const char *name =
            lu_json_kind_of(entry) == LU_JSON_STRING ? lu_json_text(entry, NULL) : "";
        if (!is_usable(pack, name)) {
            return lu_fail(error, LU_BAD_DATA, "exclude: %s knows no '%s'", pack->about.name, name);
        }
        if (target->excludes == CRAFT_EXCLUDES) {
            return lu_fail(error, LU_BAD_DATA, "exclude: at most %d names", CRAFT_EXCLUDES);
        }
        snprintf(target->exclude[target->excludes++], CRAFT_NAME, "%s", name);
    }
    return LU_OK;
}

/* What both forms have. */
static lu_status read_common(craft_target *target, const craft_pack *pack,
                             const lu_json_value *value, lu_error *error) {
    LU_TRY(text_or_stay(value, "base", target->base, error));
    LU_TRY(text_or_stay(value, "ruleset", target->ruleset, error));
    LU_TRY(int_or_stay(value, "ilvl", 1, 100, &target->ilvl, error));
    LU_TRY(int_or_stay(value, "open_prefix", 0, CRAFT_MODS, &target->open[0], error));
    LU_TRY(int_or_stay(value, "open_suffix", 0, CRAFT_MODS, &target->open[1], error));
    LU_TRY(int_or_stay(value, "max_bases", 0, 1000000, &target->max_bases, error));
    if (lu_json_get(value, "budget")) {
        LU_TRY(lu_json_get_real(value, "budget", 0, 1e9, &target->budget, error));
    }
    if (lu_json_get(value, "forbid")) {
        LU_TRY(read_matchers(target->forbid, CRAFT_FORBIDS, &target->forbids, pack,
                             lu_json_get(value, "forbid"), "forbid", error));
    }
    return read_excludes(target, pack, lu_json_get(value, "exclude"), error);
}

lu_status craft_target_read(craft_target *target, const craft_pack *pack,
                            const lu_json_value *value, lu_error *error) {
    static const char *const keys[] = {"schema",      "base",        "ilvl",   "ruleset", "need",
                                       "open_prefix", "open_suffix", "forbid", "score",   "budget",
                                       "max_bases",   "exclude",     NULL};
    static const char *const brief[] = {"base",
                                        "ilvl",
                                        "ruleset",
                                        "budget",
                                        "max_bases",
                                        "exclude",
                                        "forbid",
                                        "must_have_groups",
                                        "min_res_mods",
                                        "min_tier_by_group",
                                        "required_open_prefixes",
                                        "required_open_suffixes",
                                        "custom_score_weights",
                                        NULL};
    memset(target, 0, sizeof *target);
    if (lu_json_kind_of(value) != LU_JSON_OBJECT) {
        return lu_fail(error, LU_BAD_DATA, "a target is an object with 'need'");
    }
    bool plain = lu_json_get(value, "need") ||
                 !(lu_json_get(value, "must_have_groups") || lu_json_get(value, "min_res_mods") ||
                   lu_json_get(value, "min_tier_by_group"));
    LU_TRY(check_keys(value, "target", plain ? keys : brief, error));
    LU_TRY(read_common(target, pack, value, error));
    if (!plain) {
        return read_brief(target, pack, value, error);
    }
    LU_TRY(read_needs(target, pack, value, error));
    return read_score(target, lu_json_get(value, "score"), error);
}

/* ---- against a pool ---- */

static bool belongs(const craft_matcher *m, const craft_pack *pack, const craft_mod *mod, int row) {
    switch (m->kind) {
    case CRAFT_MATCH_GROUP:
        return craft_in_group(pack, m->row, mod);
    case CRAFT_MATCH_FAMILY:
        return mod->family == m->row;
    case CRAFT_MATCH_LADDER:
        return mod->ladder == m->row;
    default:
        return row == m->row;
    }
}

/* Least roll of the first number that matches; CRAFT_NEVER = none does. */
static int least_roll(const craft_matcher *m, const craft_pack *pack, const craft_entry *entry) {
    const craft_mod *mod = &pack->mods[entry->mod];
    double unit = mod->range[0].decimals == 2 ? 100.0 : mod->range[0].decimals == 1 ? 10.0 : 1.0;
    if ((m->max_tier && entry->tier > m->max_tier) || entry->level < m->min_level) {
        return CRAFT_NEVER;
    }
    for (int roll = 0; roll < entry->steps[0]; roll++) {
        if ((double)(entry->low + roll) >= m->min_value * unit - 1e-9) {
            return roll;
        }
    }
    return m->min_value > 0.0 ? CRAFT_NEVER : 0;
}

static void match_entry(craft_goal *goal, const craft_target *target, const craft_pack *pack,
                        const craft_pool *pool, int i) {
    const craft_entry *entry = &pool->entry[i];
    const craft_mod *mod = &pack->mods[entry->mod];
    goal->quality[i] = (float)(entry->tiers - entry->tier + 1) / (float)entry->tiers;
    for (int k = 0; k < target->needs; k++) {
        const craft_need *need = &target->need[k];
        int from = CRAFT_NEVER;
        bool close = false;
        for (int m = 0; m < need->matchers && entry->side < CRAFT_SIDES; m++) {
            if (belongs(&need->any_of[m], pack, mod, entry->mod)) {
                int roll = least_roll(&need->any_of[m], pack, entry);
                from = roll < from ? roll : from;
                close = true;
            }
        }
        goal->from[k][i] = (uint8_t)from;
        goal->hits[i] |= (uint8_t)((from < CRAFT_NEVER) << k);
        goal->close[i] |= (uint8_t)(close << k);
    }
    for (int m = 0; m < target->forbids; m++) {
        bool in = belongs(&target->forbid[m], pack, mod, entry->mod);
        goal->forbidden[i] |= in && least_roll(&target->forbid[m], pack, entry) < CRAFT_NEVER;
    }
}

/* Whether the entry can ever be on the item: drawn, revealed, or given by an essence. */
static bool can_be_had(const craft_pool *pool, const craft_entry *entry) {
    bool gated = entry->origin == CRAFT_ORIGIN_DESECRATED && !pool->switches.reveal_gate_65;
    bool level = entry->level <= pool->ilvl || gated;
    bool given = entry->origin == CRAFT_ORIGIN_ESSENCE;
    return given || (level && entry->weight > 0);
}

/* Families that count in the same way: of one side, with modifiers that hit the same requirements.
 */
typedef struct hit_class {
    uint8_t hit[1 << CRAFT_NEEDS_MAX]; /* [bits]: it has a modifier that hits just these */
    int side, families;
} hit_class;

/* What the modifiers of a family hit; false = nothing. */
static bool class_of(const craft_goal *goal, const craft_pool *pool, int family, hit_class *own) {
    bool any = false;
    memset(own, 0, sizeof *own);
    own->families = 1;
    for (int i = 0; i < pool->entries; i++) {
        const craft_entry *e = &pool->entry[i];
        bool counts = e->family == family && goal->hits[i] && can_be_had(pool, e);
        if (counts && !goal->forbidden[i]) {
            own->hit[goal->hits[i]] = 1;
            own->side = e->side;
            any = true;
        }
    }
    return any;
}

static int classes_of(const craft_goal *goal, const craft_pool *pool, hit_class *classes) {
    int count = 0;
    for (int family = 0; family < pool->families; family++) {
        hit_class own;
        int k = 0;
        if (!class_of(goal, pool, family, &own)) {
            continue;
        }
        while (k < count && (classes[k].side != own.side ||
                             memcmp(classes[k].hit, own.hit, sizeof own.hit) != 0)) {
            k++;
        }
        if (k == count) {
            classes[count++] = own;
        } else {
            classes[k].families++;
        }
    }
    return count;
}

/* Whether requirements `left` can be had with `room` more modifiers of each side. */
static bool can_fill(const int32_t *left, int needs, const int *room, hit_class *classes, int count,
                     int from) {
    bool done = true;
    for (int k = 0; k < needs; k++) {
        done = done && left[k] <= 0;
    }
    for (int c = from; c < count && !done; c++) {
        hit_class *of = &classes[c];
        if (of->families == 0 || room[of->side] == 0) {
            continue;
        }
        int rest[CRAFT_SIDES] = {room[0] - (of->side == 0), room[1] - (of->side == 1)};
        of->families--;
        for (int bits = 1; bits < 1 << needs && !done; bits++) {
            int32_t after[CRAFT_NEEDS_MAX];
            for (int k = 0; k < needs; k++) {
                after[k] = left[k] - (bits >> k & 1);
            }
            done = of->hit[bits] && can_fill(after, needs, rest, classes, count, c);
        }
        of->families++;
    }
    return done;
}

static lu_status check_possible(const craft_goal *goal, const craft_target *target,
                                const craft_pack *pack, const craft_pool *pool, lu_error *error) {
    hit_class classes[CRAFT_POOL_FAMILIES];
    const char *base = pack->bases[pool->base].name;
    int room[CRAFT_SIDES];
    for (int k = 0; k < goal->needs; k++) {
        bool known = false, had = false;
        int tiers = 0, asked = 0;
        for (int m = 0; m < target->need[k].matchers; m++) {
            int tier = target->need[k].any_of[m].max_tier;
            asked = tier > asked ? tier : asked;
        }
        for (int i = 0; i < pool->entries; i++) {
            bool of_need = (goal->close[i] | goal->hits[i]) >> k & 1;
            tiers = of_need && pool->entry[i].tiers > tiers ? pool->entry[i].tiers : tiers;
            known = known || goal->close[i] >> k & 1;
            had = had || (goal->hits[i] >> k & 1 && can_be_had(pool, &pool->entry[i]));
        }
        if (!had) {
            return lu_fail(
                error, LU_BAD_VALUE, "target: '%s' %s %s at item level %d", target->need[k].id,
                known ? "asks for a tier or value that is impossible on" : "names no modifier of",
                base, pool->ilvl);
        }
        if (asked > tiers) {
            return lu_fail(error, LU_BAD_VALUE,
                           "target: '%s' asks for tier %d, but on %s its tiers go from 1 to %d",
                           target->need[k].id, asked, base, tiers);
        }
    }
    for (int side = 0; side < CRAFT_SIDES; side++) {
        room[side] = pool->limit[CRAFT_RARE][side] - goal->open[side];
        if (room[side] < 0) {
            return lu_fail(error, LU_BAD_VALUE, "target: %s has only %d %s", base,
                           pool->limit[CRAFT_RARE][side], side ? "suffixes" : "prefixes");
        }
    }
    int count = classes_of(goal, pool, classes);
    if (!can_fill(goal->count, goal->needs, room, classes, count, 0)) {
        return lu_fail(error, LU_BAD_VALUE,
                       "target: its requirements do not fit together on %s: a family counts once, "
                       "and besides the open slots there is room for %d prefixes and %d suffixes",
                       base, room[0], room[1]);
    }
    return LU_OK;
}

lu_status craft_goal_init(craft_goal *goal, const craft_target *target, const craft_pack *pack,
                          const craft_pool *pool, lu_error *error) {
    memset(goal, 0, sizeof *goal);
    goal->needs = target->needs;
    goal->heaviest = 1e-9;
    for (int k = 0; k < target->needs; k++) {
        const craft_need *need = &target->need[k];
        goal->count[k] = need->count;
        goal->weight[k] = need->weight;
        goal->heaviest = need->weight > goal->heaviest ? need->weight : goal->heaviest;
        goal->most += need->weight * (double)need->count;
        goal->mean += need->weight / (double)target->needs;
        for (int m = 0; m < need->matchers; m++) {
            goal->fractured |= need->any_of[m].fractured ? 1 << k : 0;
        }
    }
    goal->open[0] = target->open[0];
    goal->open[1] = target->open[1];
    for (int i = 0; i < pool->entries; i++) {
        match_entry(goal, target, pack, pool, i);
    }
    for (int i = 0; i < pool->entries; i++) {
        for (int j = 0; j < pool->entries; j++) {
            bool same = pool->entry[i].family == pool->entry[j].family;
            if (same && can_be_had(pool, &pool->entry[j])) {
                goal->blocks[i] |= goal->hits[j];
            }
        }
    }
    for (int i = 0; i < pool->entries; i++) {
        goal->counts[i] = goal->hits[i] | goal->close[i] | goal->blocks[i];
    }
    return check_possible(goal, target, pack, pool, error);
}
