/* Tasks: a target against a pool, and what each of the fixed actions does and costs there. An
 * action without a price, with an excluded part, or that is not for the base, is never legal. */
#include "craft_look.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- prices ---- */

double craft_priced(const craft_prices *prices, const char *item) {
    double price = prices->file
                       ? lu_json_real_or(lu_json_get(prices->file, item), -1.0) * prices->rate
                       : craft_price_of(prices->pack, item);
    if (strcmp(item, "white_base") == 0 && prices->white_base >= 0.0) {
        price = prices->white_base;
    }
    if (price < 0.0 || prices->spread <= 1.0) {
        return price < 0.0 ? -1.0 : price;
    }
    uint64_t name = 0;
    for (const char *letter = item; *letter; letter++) {
        name = lu_mix64(name + (uint64_t)(unsigned char)*letter);
    }
    lu_rng rng = lu_rng_from(lu_mix(prices->seed, name, 0));
    double power = 2.0 * lu_rng_unit(&rng) - 1.0;
    return price * lu_exp(power * lu_log(prices->spread));
}

/* ---- actions ---- */

typedef struct action_row {
    const char *name, *use, *omen[2];
} action_row;

#define X(text, what, first, second) {text, what, {first, second}},
static const action_row rows[CRAFT_ACTIONS] = {CRAFT_ACTION_ROWS(X)};
#undef X
#define X(text, what, first, second) text,
const char *const craft_action_names[CRAFT_ACTIONS + 1] = {CRAFT_ACTION_ROWS(X) NULL};
#undef X
const char *const craft_classic_names[CRAFT_CLASSIC_ACTIONS + 1] = {
    "stop",      "new_base",  "chaos",     "exalted",   "abyss",     "essence_1",
    "essence_2", "essence_3", "essence_4", "essence_5", "essence_6", "essence_7",
    "essence_8", "bench_1",   "bench_2",   "bench_3",   "bench_4",   "bench_5",
    "bench_6",   "bench_7",   "bench_8",   NULL};

/* What is being made. */
typedef struct maker {
    craft_task *task;
    const craft_pool *pool;
    const craft_pack *pack;
    const craft_target *target;
    const craft_prices *prices;
} maker;

static bool is_excluded(const maker *m, const char *name) {
    bool found = false;
    for (int k = 0; k < m->target->excludes; k++) {
        found = found || strcmp(m->target->exclude[k], name) == 0;
    }
    return found;
}

/* Price of a use with its omens; -1 = some part has none or is excluded. */
static double use_price(const maker *m, const char *use, const char *const *omens, int count) {
    bool free = strncmp(use, "keep", 4) == 0 || strcmp(use, "reveal") == 0;
    double sum = free ? 0.0 : craft_priced(m->prices, use);
    bool missing = sum < 0.0 || is_excluded(m, use);
    for (int k = 0; k < count; k++) {
        double omen = craft_priced(m->prices, omens[k]);
        missing = missing || omen < 0.0 || is_excluded(m, omens[k]);
        sum += omen;
    }
    return missing ? -1.0 : sum;
}

static void set_use(const maker *m, int at, const char *use, const char *first,
                    const char *second) {
    const char *omens[] = {first, second};
    int count = (first != NULL) + (second != NULL);
    double price = use_price(m, use, omens, count);
    bool known =
        craft_effect_init(&m->task->effect[at], m->pool, m->pack, use, omens, count, NULL) == LU_OK;
    m->task->price[at] = price;
    m->task->legal[at] = known && price >= 0.0;
}

/* The bone of this kind for the base; NULL = there is none. */
static const char *bone_of(const craft_pool *pool, const craft_pack *pack, const char *kind) {
    size_t length = strlen(kind);
    for (int k = 0; k < pack->bone_count; k++) {
        const craft_bone *bone = &pack->bones[k];
        bool fits = bone->kinds >> pool->kind & 1;
        if (fits && strncmp(bone->id, kind, length) == 0) {
            return bone->id;
        }
    }
    return NULL;
}

/* What a row uses, bones by the class of the base. */
static const char *named(const craft_pool *pool, const craft_pack *pack, const char *use) {
    return strcmp(use, "PRESERVED") == 0 ? bone_of(pool, pack, "preserved")
           : strcmp(use, "ANCIENT") == 0 ? bone_of(pool, pack, "ancient")
                                         : use;
}

const char *craft_action_item(const craft_task *task, const craft_pool *pool,
                              const craft_pack *pack, int action) {
    const char *use = rows[action].use ? named(pool, pack, rows[action].use) : NULL;
    int slot = action >= CRAFT_SWAP_SIDE ? CRAFT_UPGRADES : action - CRAFT_UPGRADE_FIRST;
    if (use && (strcmp(use, "UPGRADE") == 0 || strcmp(use, "SWAP") == 0)) {
        use = task->essence[slot] < 0 ? NULL : pack->essences[task->essence[slot]].id;
    }
    return use;
}

static void set_action(const maker *m, int at) {
    const action_row *row = &rows[at];
    if (!row->use) {
        m->task->legal[at] = 1; /* stop */
        return;
    }
    const char *use = craft_action_item(m->task, m->pool, m->pack, at);
    if (!use) {
        m->task->price[at] = -1.0;
        return;
    }
    if (at == CRAFT_REVEAL_ACTION) {
        set_use(m, at, use, NULL, NULL);
        set_use(m, CRAFT_ECHO, use, row->omen[0], NULL);
        return;
    }
    if (at == CRAFT_SWAP_SIDE) {
        set_use(m, CRAFT_OTHER_SIDE, use, "omen_of_dextral_crystallisation", NULL);
    }
    set_use(m, at, use, row->omen[0], row->omen[1]);
}

/* ---- essences of the slots ---- */

/* Bits of the requirements that an essence's modifier hits, and its side; -1 = it gives nothing. */
static int essence_hits(const maker *m, int row, int *side) {
    uint16_t given[3];
    int count = craft_essence_gives(m->pool, m->pack, row, given), bits = 0;
    for (int k = 0; k < count; k++) {
        bits |= m->task->goal.hits[given[k]];
        *side = m->pool->entry[given[k]].side;
    }
    return count == 0 ? -1 : bits;
}

/* What is asked of each essence many times. */
typedef struct essence_facts {
    int bits, side; /* bits: -1 = it gives nothing */
    double price;
    bool taken;
} essence_facts;

/* The cheapest essence of a kind that is not taken yet: one that hits, or one of a side. */
static int cheapest(const maker *m, int swap, bool hits, int side, const essence_facts *facts) {
    int best = -1;
    for (int k = 0; k < m->pack->essence_count; k++) {
        const essence_facts *f = &facts[k];
        bool fits = m->pack->essences[k].swap == swap && f->bits >= 0 && !f->taken &&
                    f->price >= 0.0 && (hits ? f->bits > 0 : f->side == side);
        best = fits && (best < 0 || f->price < facts[best].price) ? k : best;
    }
    return best;
}

/* Those that match a requirement, cheapest first, then the cheapest of each side. */
static void choose_essences(const maker *m, int swap, int slots, int16_t *to) {
    essence_facts facts[UINT8_MAX];
    int side = 0;
    for (int k = 0; k < m->pack->essence_count; k++) {
        facts[k] = (essence_facts){.price = use_price(m, m->pack->essences[k].id, NULL, 0)};
        facts[k].bits = essence_hits(m, k, &facts[k].side);
    }
    for (int k = 0; k < slots; k++) {
        int row = cheapest(m, swap, true, 0, facts);
        for (int tries = 0; row < 0 && tries < CRAFT_SIDES; tries++, side = 1 - side) {
            row = cheapest(m, swap, false, side, facts);
        }
        to[k] = (int16_t)row;
        if (row >= 0) {
            facts[row].taken = true;
        }
    }
}

/* ---- the ruleset classic ---- */

static void set_classic(const maker *m, int at, int op, const char *price, int entry) {
    craft_effect *e = &m->task->effect[at];
    const char *none = NULL;
    *e = (craft_effect){.op = (uint8_t)op,
                        .needs = op == CRAFT_OP_RENEW ? CRAFT_NEEDS_ANY : CRAFT_NEEDS_RARE,
                        .gives = CRAFT_RARE,
                        .adds = 1,
                        .add_side = CRAFT_ANY_SIDE,
                        .remove_side = CRAFT_ANY_SIDE};
    if (entry >= 0) {
        e->givens = 1;
        e->given[0] = (uint16_t)entry;
    }
    m->task->price[at] = use_price(m, price, &none, 0);
    m->task->legal[at] = m->task->price[at] >= 0.0;
}

/* Best tier of a requirement that the item level allows, or the middle one of its ladder; -1 =
 * none. */
static int classic_entry(const maker *m, int need, bool middle) {
    const craft_pool *pool = m->pool;
    int best = -1;
    for (int i = 0; i < pool->drawn[0] + pool->drawn[1]; i++) {
        const craft_entry *e = &pool->entry[i];
        bool may = m->task->goal.close[i] >> need & 1 && e->weight > 0 && e->level <= pool->ilvl;
        bool at = !middle || e->tier == (e->tiers + 1) / 2;
        if (may && at && (best < 0 || e->tier < pool->entry[best].tier)) {
            best = i;
        }
    }
    return best;
}

/* The cheapest essence of a modifier of this requirement: what the classic one costs. */
static const char *essence_for(const maker *m, int need) {
    const char *best = "";
    double least = 0.0;
    for (int k = 0; k < m->pack->essence_count; k++) {
        uint16_t given[3];
        bool fits = craft_essence_gives(m->pool, m->pack, k, given) == 1 &&
                    m->task->goal.close[given[0]] >> need & 1 && !m->pack->essences[k].swap;
        double price = craft_priced(m->prices, m->pack->essences[k].id);
        if (fits && price >= 0.0 && (!*best || price < least)) {
            best = m->pack->essences[k].id;
            least = price;
        }
    }
    return best;
}

/* Prices: an essence of the requirement, the bone of the class, and `bench` of the price file. */
static void set_classics(const maker *m) {
    craft_task *task = m->task;
    const char *bone = bone_of(m->pool, m->pack, "preserved");
    task->legal[CRAFT_STOP] = 1;
    set_use(m, CRAFT_NEW_BASE, "white_base", NULL, NULL);
    set_classic(m, CRAFT_CLASSIC_CHAOS, CRAFT_OP_RENEW, "chaos_orb", -1);
    set_classic(m, CRAFT_CLASSIC_EXALT, CRAFT_OP_ADD, "exalted_orb", -1);
    set_classic(m, CRAFT_CLASSIC_ABYSS, CRAFT_OP_ABYSS, bone ? bone : "", -1);
    for (int k = 0; k < CRAFT_NEEDS_MAX; k++) {
        int best = k < task->goal.needs ? classic_entry(m, k, false) : -1;
        int middle = k < task->goal.needs ? classic_entry(m, k, true) : -1;
        int essence = CRAFT_CLASSIC_ESSENCE + k, bench = CRAFT_CLASSIC_BENCH + k;
        task->price[essence] = task->price[bench] = -1.0;
        if (best >= 0) {
            set_classic(m, essence, CRAFT_OP_RENEW, essence_for(m, k), best);
        }
        if (middle >= 0) {
            set_classic(m, bench, CRAFT_OP_BENCH, "bench", middle);
        }
    }
}

/* ---- the whole ---- */

/* Weights of what hits each requirement, for the chance of an exalted orb. */
static void sum_hits(craft_task *task, const craft_pool *pool) {
    for (int k = 0; k < task->goal.needs; k++) {
        uint8_t seen[CRAFT_POOL_FAMILIES] = {0};
        for (int i = 0; i < pool->entries; i++) {
            const craft_entry *e = &pool->entry[i];
            int from = task->goal.from[k][i];
            if (from == CRAFT_NEVER || e->side >= CRAFT_SIDES) {
                continue;
            }
            double share = e->steps[0] > 0 ? 1.0 - (double)from / (double)e->steps[0] : 1.0;
            double weight = share * (double)pool->floor[0].weight[i];
            task->hit_families[k] += seen[e->family]++ ? 0 : 1;
            task->hit_total[k][e->side] += weight;
            task->hit_family[k][e->family] += (float)weight;
        }
        task->hit_families[k] = task->hit_families[k] > 0 ? task->hit_families[k] : 1;
    }
}

/* Actions of the plain uses: basic and Greater currencies, omens of a side, upgrade essences. */
static bool is_plain(int at) {
    static const uint8_t list[] = {2,  3,  5,  6,  8,  9,  11, 12, 13, 14, 15,
                                   16, 17, 19, 20, 26, 27, 30, 31, 33, 34, 35};
    bool found = at <= CRAFT_NEW_BASE ||
                 (at >= CRAFT_UPGRADE_FIRST && at < CRAFT_UPGRADE_FIRST + CRAFT_UPGRADES);
    for (size_t k = 0; k < sizeof list; k++) {
        found = found || list[k] == at;
    }
    return found;
}

/* Which actions items of each rarity may have at all. */
static void list_actions(craft_task *task, int actions) {
    for (int rarity = 0; rarity < CRAFT_RARITIES; rarity++) {
        for (int at = CRAFT_NEW_BASE; at < actions; at++) {
            bool other = at == CRAFT_SWAP_SIDE && task->legal[CRAFT_OTHER_SIDE];
            bool echo = at == CRAFT_REVEAL_ACTION && task->legal[CRAFT_ECHO];
            bool any = at == CRAFT_NEW_BASE || task->effect[at].op == CRAFT_OP_REVEAL ||
                       task->effect[at].op == CRAFT_OP_KEEP;
            bool fits = any || task->effect[at].needs >> rarity & 1;
            if (fits && (task->legal[at] || other || echo)) {
                task->list[rarity][task->listed[rarity]++] = (uint8_t)at;
            }
        }
    }
}

/* (log10 of the price + 4) / 8; 1 when there is none. */
static float shown_price(const craft_task *task, int at) {
    double price = task->price[at];
    double power = price > 1e-4 ? lu_log(price) / 2.302585092994046 + 4.0 : 0.0;
    power = power > 8.0 ? 8.0 : power;
    return task->legal[at] ? (float)(power / 8.0) : 1.0f;
}

/* What craft-look-v1 shows of prices: as shares of the yardstick. */
static void set_look(craft_task *task) {
    for (int at = 0; at < CRAFT_ACTIONS; at++) {
        bool has = at > CRAFT_STOP && task->legal[at];
        double share = has ? task->price[at] / task->outlook.cost : 0.0;
        task->look_price[at] = at == CRAFT_STOP ? 0.0f : has ? craft_look_price(share) : 1.0f;
        bool gives = has && at >= CRAFT_UPGRADE_FIRST && at < CRAFT_SWAP_FIRST;
        for (int k = 0; k < task->goal.needs && gives; k++) {
            const craft_effect *e = &task->effect[at];
            bool hits = e->givens > 0 && task->goal.hits[e->given[0]] >> k & 1;
            float *gift = &task->look_gift[k];
            *gift = hits && (*gift <= 0.0f || task->look_price[at] < *gift) ? task->look_price[at]
                                                                            : *gift;
        }
    }
}

lu_status craft_task_init(craft_task *task, const craft_pool *pool, const craft_pack *pack,
                          const craft_target *target, const craft_prices *prices,
                          craft_ruleset ruleset, lu_error *error) {
    bool classic = ruleset == CRAFT_CLASSIC;
    maker m = {task, pool, pack, target, prices};
    memset(task, 0, sizeof *task);
    if (craft_goal_init(&task->goal, target, pack, pool, error) != LU_OK) {
        return LU_BAD_VALUE;
    }
    task->budget = target->budget;
    task->max_bases = target->max_bases;
    task->scale = target->budget;
    sum_hits(task, pool);
    choose_essences(&m, 0, CRAFT_UPGRADES, task->essence);
    choose_essences(&m, 1, CRAFT_SWAPS, task->essence + CRAFT_UPGRADES);
    for (int at = 0; at < CRAFT_ACTIONS && !classic; at++) {
        set_action(&m, at);
    }
    for (int at = 0; at < CRAFT_USES && ruleset == CRAFT_PLAIN_USES; at++) {
        task->legal[at] = task->legal[at] && is_plain(at);
    }
    if (classic) {
        set_classics(&m);
    }
    list_actions(task, classic ? CRAFT_CLASSIC_ACTIONS : CRAFT_ACTIONS);
    double chaos = craft_priced(prices, "chaos_orb");
    task->chaos = chaos < 0.0 ? 0.0 : chaos / task->scale;
    for (int at = 0; at < CRAFT_ACTIONS; at++) {
        bool counts = !classic || at < CRAFT_CLASSIC_ACTIONS;
        task->shown[at] = counts ? shown_price(task, at) : 1.0f;
    }
    if (!task->legal[CRAFT_NEW_BASE]) {
        return lu_fail(error, LU_BAD_VALUE, "'white_base' has no price: set base_price");
    }
    if (!classic) {
        craft_outlook_init(&task->outlook, &task->goal, pool, task->effect, task->price,
                           task->legal, CRAFT_ACTIONS, task->budget);
        set_look(task);
    }
    return LU_OK;
}

/* ---- uses by words ---- */

/* A word without the spaces around it, as the id of what it means where it means something. */
static lu_status put_word(char *to, const craft_pack *pack, const char *from, size_t length,
                          lu_error *error) {
    for (; length > 0 && *from == ' '; length--) {
        from++;
    }
    while (length > 0 && from[length - 1] == ' ') {
        length--;
    }
    if (length >= CRAFT_NAME) {
        return lu_fail(error, LU_BAD_VALUE, "'%.*s' is too long for a name", (int)length, from);
    }
    memcpy(to, from, length);
    to[length] = 0;
    const char *id = craft_thing(pack, to);
    if (id) {
        snprintf(to, CRAFT_NAME, "%s", id);
    }
    return LU_OK;
}

/* From the row of an action. */
static lu_status from_row(craft_use_words *words, const craft_pool *pool, const craft_pack *pack,
                          const action_row *row, lu_error *error) {
    const char *use = row->use ? named(pool, pack, row->use) : NULL;
    if (!use || (use[0] >= 'A' && use[0] <= 'Z')) {
        return lu_fail(error, LU_BAD_VALUE,
                       "'%s' has nothing to use here: name the currency or essence", row->name);
    }
    snprintf(words->use, sizeof words->use, "%s", use);
    for (int k = 0; k < 2 && row->omen[k]; k++) {
        snprintf(words->omen[words->omens++], CRAFT_NAME, "%s", row->omen[k]);
    }
    return LU_OK;
}

lu_status craft_use_read(craft_use_words *words, const craft_pool *pool, const craft_pack *pack,
                         const char *text, lu_error *error) {
    memset(words, 0, sizeof *words);
    if (strcmp(text, "reveal") == 0) {
        snprintf(words->use, sizeof words->use, "%s", text); /* the action's omen is for later */
        return LU_OK;
    }
    for (int at = 0; at < CRAFT_ACTIONS; at++) {
        if (craft_same_thing(rows[at].name, text)) {
            return from_row(words, pool, pack, &rows[at], error);
        }
    }
    size_t length = strcspn(text, "+");
    lu_status status = put_word(words->use, pack, text, length, error);
    for (text += length; *text == '+' && status == LU_OK; text += length + 1) {
        length = strcspn(text + 1, "+");
        status = words->omens == 3
                     ? lu_fail(error, LU_BAD_VALUE, "at most three omens are armed")
                     : put_word(words->omen[words->omens++], pack, text + 1, length, error);
    }
    return status;
}

double craft_use_price(const craft_use_words *words, const craft_prices *prices) {
    const char *omens[3] = {words->omen[0], words->omen[1], words->omen[2]};
    craft_target *none = lu_alloc_zero(1, sizeof *none);
    maker m = {.target = none, .prices = prices};
    double price = use_price(&m, words->use, omens, words->omens < 3 ? words->omens : 3);
    free(none);
    return price;
}

/* ---- random targets ---- */

/* Best tier of an entry's ladder that the item level reaches. */
static int best_tier(const craft_pool *pool, const craft_entry *e) {
    int best = e->tiers;
    for (int i = 0; i < pool->drawn[0] + pool->drawn[1]; i++) {
        const craft_entry *o = &pool->entry[i];
        bool reached = o->ladder == e->ladder && o->weight > 0 && o->level <= pool->ilvl;
        best = reached && o->tier < best ? o->tier : best;
    }
    return best;
}

/* One requirement: a ladder of the pool, up to a tier of the better half that the item level
 * reaches. */
static void draw_need(craft_need *need, const craft_pool *pool, const craft_pack *pack,
                      lu_rng *rng) {
    const craft_entry *e;
    int best;
    do {
        e = &pool->entry[lu_rng_below(rng, (uint32_t)(pool->drawn[0] + pool->drawn[1]))];
        best = best_tier(pool, e);
    } while (e->weight == 0 || e->level > pool->ilvl || e->tier > (best + e->tiers + 1) / 2);
    memset(need, 0, sizeof *need);
    snprintf(need->id, sizeof need->id, "%s", pack->ladder_names[pack->mods[e->mod].ladder]);
    need->count = 1;
    need->weight = 1.0;
    need->matchers = 1;
    need->any_of[0].kind = CRAFT_MATCH_LADDER;
    need->any_of[0].row = pack->mods[e->mod].ladder;
    need->any_of[0].max_tier = e->tier;
}

void craft_target_random(craft_target *target, const craft_pool *pool, const craft_pack *pack,
                         lu_rng *rng) {
    craft_goal *goal = lu_alloc(sizeof *goal);
    do {
        target->needs = 1 + (int32_t)lu_rng_below(rng, 3);
        for (int k = 0; k < target->needs; k++) {
            draw_need(&target->need[k], pool, pack, rng);
        }
    } while (craft_goal_init(goal, target, pack, pool, NULL) != LU_OK);
    free(goal);
}
