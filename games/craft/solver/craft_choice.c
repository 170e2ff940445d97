/* Uses that a plan may choose from: see craft_choice.h. */
#include "solver/craft_choice.h"

#include "solver/craft_uses.h"

#include <string.h>

/* Currencies by breadth, and the omens that go with each. */
typedef struct choice_row {
    const char *item;
    const char *omen[2];
    uint8_t breadth; /* craft_breadth from which on it is in */
} choice_row;

#define SIDES(item, what, from)                                                                    \
    {item, {"omen_of_sinistral_" what, NULL}, from}, {                                             \
        item, {"omen_of_dextral_" what, NULL}, from                                                \
    }

static const choice_row rows[] = {
    {"orb_of_transmutation", {NULL}, CRAFT_PLAIN},
    {"greater_orb_of_transmutation", {NULL}, CRAFT_PLAIN},
    {"perfect_orb_of_transmutation", {NULL}, CRAFT_ALL},
    {"orb_of_augmentation", {NULL}, CRAFT_PLAIN},
    {"greater_orb_of_augmentation", {NULL}, CRAFT_PLAIN},
    {"perfect_orb_of_augmentation", {NULL}, CRAFT_ALL},
    {"regal_orb", {NULL}, CRAFT_PLAIN},
    {"greater_regal_orb", {NULL}, CRAFT_PLAIN},
    {"perfect_regal_orb", {NULL}, CRAFT_ALL},
    SIDES("regal_orb", "coronation", CRAFT_PLAIN),
    {"orb_of_alchemy", {NULL}, CRAFT_PLAIN},
    SIDES("orb_of_alchemy", "alchemy", CRAFT_PLAIN),
    {"exalted_orb", {NULL}, CRAFT_PLAIN},
    {"greater_exalted_orb", {NULL}, CRAFT_PLAIN},
    {"perfect_exalted_orb", {NULL}, CRAFT_ALL},
    SIDES("exalted_orb", "exaltation", CRAFT_PLAIN),
    SIDES("greater_exalted_orb", "exaltation", CRAFT_PLAIN),
    SIDES("perfect_exalted_orb", "exaltation", CRAFT_ALL),
    {"exalted_orb", {"omen_of_greater_exaltation", NULL}, CRAFT_ALL},
    {"exalted_orb", {"omen_of_greater_exaltation", "omen_of_sinistral_exaltation"}, CRAFT_ALL},
    {"exalted_orb", {"omen_of_greater_exaltation", "omen_of_dextral_exaltation"}, CRAFT_ALL},
    {"chaos_orb", {NULL}, CRAFT_PLAIN},
    {"greater_chaos_orb", {NULL}, CRAFT_PLAIN},
    {"perfect_chaos_orb", {NULL}, CRAFT_ALL},
    SIDES("chaos_orb", "erasure", CRAFT_PLAIN),
    {"orb_of_annulment", {NULL}, CRAFT_PLAIN},
    SIDES("orb_of_annulment", "annulment", CRAFT_PLAIN),
    {"orb_of_annulment", {"omen_of_greater_annulment", NULL}, CRAFT_ALL},
    {"orb_of_annulment", {"omen_of_light", NULL}, CRAFT_ALL},
    {"fracturing_orb", {NULL}, CRAFT_ALL},
    {"chaos_orb", {"omen_of_whittling", NULL}, CRAFT_ALL},
};

/* What can be had in the game and is not taken. */
static const char *const not_taken[] = {"divine_orb", "vaal_orb", "omen_of_putrefaction"};

typedef struct chooser {
    craft_choice *choice;
    const craft_pool *pool;
    const craft_pack *pack;
    const craft_goal *goal;
    const craft_target *target;
    const craft_prices *prices;
} chooser;

static void name_unpriced(craft_choice *choice, const char *item) {
    bool known = choice->unpriced == CRAFT_LEFT_OUT;
    for (int k = 0; k < choice->unpriced; k++) {
        known = known || strcmp(choice->without_price[k], item) == 0;
    }
    if (!known) {
        choice->without_price[choice->unpriced++] = item;
    }
}

static bool is_excluded(const chooser *c, const char *item) {
    bool out = false;
    for (int k = 0; k < c->target->excludes; k++) {
        out = out || strcmp(c->target->exclude[k], item) == 0;
    }
    return out;
}

/* Adds a use if all of it has a price and nothing of it is excluded. */
static void add(const chooser *c, const char *item, const char *const *omen, int omens) {
    craft_choice *choice = c->choice;
    double price = craft_is_free(item) ? 0.0 : craft_priced(c->prices, item);
    bool out = is_excluded(c, item) || choice->uses == CRAFT_USES_MAX;
    if (price < 0.0) {
        name_unpriced(choice, item);
        out = true;
    }
    for (int k = 0; k < omens; k++) {
        double more = craft_priced(c->prices, omen[k]);
        out = out || is_excluded(c, omen[k]);
        if (more < 0.0) {
            name_unpriced(choice, omen[k]);
            out = true;
        }
        price += more;
    }
    if (!out) {
        choice->use[choice->uses].item = item;
        choice->use[choice->uses].omen[0] = omens > 0 ? omen[0] : NULL;
        choice->use[choice->uses].omen[1] = omens > 1 ? omen[1] : NULL;
        choice->use[choice->uses].omens = omens;
        choice->use[choice->uses++].price = price;
    }
}

/* ---- essences ---- */

/* Whether one of its modifiers is for a requirement; *side: of the first. */
static bool essence_hits(const chooser *c, int essence, int *side) {
    uint16_t given[3];
    bool hits = false;
    int count = craft_essence_gives(c->pool, c->pack, essence, given);
    *side = count > 0 ? c->pool->entry[given[0]].side : -1;
    for (int k = 0; k < count; k++) {
        hits = hits || c->goal->hits[given[k]] != 0;
    }
    return hits;
}

/* Essences of a requirement, and of the others the cheapest upgrade of each side as a filler. */
static void add_essences(const chooser *c, craft_breadth breadth) {
    int cheapest[CRAFT_SIDES] = {-1, -1};
    double least[CRAFT_SIDES] = {0.0, 0.0};
    for (int k = 0; k < c->pack->essence_count; k++) {
        const craft_essence *essence = &c->pack->essences[k];
        double price = craft_priced(c->prices, essence->id);
        int side;
        bool hits = essence_hits(c, k, &side), wide = !essence->swap || breadth == CRAFT_ALL;
        if (hits && wide) {
            add(c, essence->id, NULL, 0);
        }
        for (int s = 0; hits && essence->swap && wide && s < CRAFT_SIDES; s++) {
            const char *omen = s == CRAFT_PREFIX ? "omen_of_sinistral_crystallisation"
                                                 : "omen_of_dextral_crystallisation";
            add(c, essence->id, &omen, 1);
        }
        if (!hits && !essence->swap && side >= 0 && price >= 0.0 &&
            (cheapest[side] < 0 || price < least[side])) {
            cheapest[side] = k;
            least[side] = price;
        }
    }
    for (int side = 0; side < CRAFT_SIDES; side++) {
        if (cheapest[side] >= 0) {
            add(c, c->pack->essences[cheapest[side]].id, NULL, 0);
        }
    }
}

/* ---- bones ---- */

static bool has_bone(const chooser *c) {
    bool has = false;
    for (int k = 0; k < c->choice->uses; k++) {
        has = has || craft_bone_find(c->pack, c->choice->use[k].item) >= 0;
    }
    return has;
}

/* What a bone hides is revealed for nothing. */
static void add_reveal(const chooser *c) {
    if (has_bone(c)) {
        craft_choose_reveal(c->choice);
    }
}

void craft_choose_reveal(craft_choice *choice) {
    bool has = choice->uses == CRAFT_USES_MAX;
    for (int k = 0; k < choice->uses; k++) {
        has = has || (strcmp(choice->use[k].item, CRAFT_REVEALS) == 0 && choice->use[k].omens == 0);
    }
    if (!has) {
        choice->use[choice->uses].item = CRAFT_REVEALS;
        choice->use[choice->uses].omens = 0;
        choice->use[choice->uses++].price = 0.0;
    }
}

void craft_choose_shown(craft_choice *choice, const craft_item *item) {
    static const char *const keeps[CRAFT_SHOWN] = {CRAFT_KEEPS "1", CRAFT_KEEPS "2",
                                                   CRAFT_KEEPS "3"};
    for (int k = choice->uses - 1; k >= 0 && !item->echoed; k--) {
        bool echoes = strcmp(choice->use[k].item, CRAFT_REVEALS) == 0 && choice->use[k].omens > 0;
        if (echoes && choice->uses < CRAFT_USES_MAX) {
            choice->use[choice->uses] = choice->use[k];
            choice->use[choice->uses++].item = CRAFT_AGAIN;
        }
    }
    for (int k = 0; k < CRAFT_SHOWN && choice->uses < CRAFT_USES_MAX; k++) {
        if (item->option[k]) {
            choice->use[choice->uses].item = keeps[k];
            choice->use[choice->uses].omens = 0;
            choice->use[choice->uses++].price = 0.0;
        }
    }
}

/* Bones for the base, with omens of a side, of a lord, of both. */
static void add_bones(const chooser *c) {
    static const char *const sides[] = {NULL, "omen_of_sinistral_necromancy",
                                        "omen_of_dextral_necromancy"};
    static const char *const lords[] = {NULL, "omen_of_the_sovereign", "omen_of_the_liege",
                                        "omen_of_the_blackblooded"};
    int named = CRAFT_BONE_WEAPON | CRAFT_BONE_QUIVER | CRAFT_BONE_RING;
    for (int k = 0; k < c->pack->bone_count; k++) {
        const craft_bone *bone = &c->pack->bones[k];
        bool fits = bone->kinds >> c->pool->kind & 1 && c->pool->ilvl <= bone->max_level;
        int ways = named >> c->pool->kind & 1 ? 4 : 1;
        for (int way = 0; fits && way < 3 * ways; way++) {
            const char *omen[2];
            int omens = 0;
            omen[omens] = sides[way % 3];
            omens += omen[omens] ? 1 : 0;
            omen[omens] = lords[way / 3];
            omens += omen[omens] ? 1 : 0;
            add(c, bone->id, omen, omens);
        }
    }
    static const char *const echoes[] = {"omen_of_abyssal_echoes"};
    add_reveal(c);
    if (has_bone(c)) {
        add(c, CRAFT_REVEALS, echoes, 1);
    }
}

/* ---- a list of the user ---- */

/* Id of the pack that a part of the list names; NULL = none. */
static const char *id_of(const craft_pack *pack, const char *text, size_t length, bool omen) {
    char name[CRAFT_NAME];
    int row;
    while (length > 0 && *text == ' ') {
        text++;
        length--;
    }
    while (length > 0 && text[length - 1] == ' ') {
        length--;
    }
    if (length >= sizeof name) {
        return NULL;
    }
    memcpy(name, text, length);
    name[length] = '\0';
    if (omen) {
        return (row = craft_omen_find(pack, name)) >= 0 ? pack->omens[row].id : NULL;
    }
    if ((row = craft_currency_find(pack, name)) >= 0) {
        return pack->currencies[row].id;
    }
    if ((row = craft_bone_find(pack, name)) >= 0) {
        return pack->bones[row].id;
    }
    if (strcmp(name, CRAFT_REVEALS) == 0) {
        return CRAFT_REVEALS;
    }
    return (row = craft_essence_find(pack, name)) >= 0 ? pack->essences[row].id : NULL;
}

static lu_status add_listed(const chooser *c, const char *list, lu_error *error) {
    for (const char *at = list; *at;) {
        const char *omen[2] = {NULL, NULL}, *item = NULL;
        size_t length = strcspn(at, ",");
        const char *from = at;
        int parts = 0;
        do {
            size_t part = strcspn(from, "+,");
            const char *id = id_of(c->pack, from, part, parts > 0);
            if (!id) {
                char name[CRAFT_NAME];
                size_t gap = strspn(from, " ");
                size_t rest = part > gap ? part - gap : 0;
                rest = rest < sizeof name ? rest : sizeof name - 1;
                memcpy(name, from + gap, rest);
                name[rest] = 0;
                return craft_no_thing("'actions': ", c->pack,
                                      parts ? "omen" : "currency, essence or bone", name, error);
            }
            if (parts > 2) {
                return lu_fail(error, LU_BAD_VALUE, "'actions': '%.*s' has more than two omens",
                               (int)length, at);
            }
            if (parts == 0) {
                item = id;
            } else {
                omen[parts - 1] = id;
            }
            parts++;
            from += part + 1;
        } while (from <= at + length);
        add(c, item, omen, parts - 1);
        at += length;
        at += *at == ',' ? 1 : 0;
    }
    add_reveal(c);
    return LU_OK;
}

lu_status craft_choose(craft_choice *choice, const craft_pool *pool, const craft_pack *pack,
                       const craft_goal *goal, const craft_target *target,
                       const craft_prices *prices, craft_breadth breadth, const char *list,
                       lu_error *error) {
    chooser c = {choice, pool, pack, goal, target, prices};
    memset(choice, 0, sizeof *choice);
    for (size_t k = 0; k < sizeof not_taken / sizeof *not_taken; k++) {
        choice->left_out[choice->not_taken++] = not_taken[k];
    }
    if (breadth == CRAFT_LISTED) {
        return add_listed(&c, list, error);
    }
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const choice_row *row = &rows[k];
        int omens = row->omen[1] ? 2 : row->omen[0] ? 1 : 0;
        if (row->breadth <= breadth) {
            add(&c, row->item, row->omen, omens);
        }
    }
    add_essences(&c, breadth);
    if (breadth == CRAFT_ALL) {
        add_bones(&c);
    }
    return LU_OK;
}
