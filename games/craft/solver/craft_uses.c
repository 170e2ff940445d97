/* Uses of currencies on sets: see craft_uses.h. */
#include "solver/craft_uses.h"

#include <stdio.h>
#include <string.h>

/* ---- reading ---- */

/* The line of what an id names, and its row; -1 = nothing has it. */
static int line_of(const craft_pack *pack, const char *item, int *row) {
    if ((*row = craft_currency_find(pack, item)) >= 0) {
        return pack->currencies[*row].line;
    }
    if ((*row = craft_essence_find(pack, item)) >= 0) {
        return pack->essences[*row].swap ? CRAFT_LINE_ESSENCE_SWAP : CRAFT_LINE_ESSENCE_UPGRADE;
    }
    if ((*row = craft_bone_find(pack, item)) >= 0) {
        return CRAFT_LINE_BONE;
    }
    if (strncmp(item, CRAFT_KEEPS, strlen(CRAFT_KEEPS)) == 0) {
        return CRAFT_LINE_KEEP;
    }
    bool reveals = strcmp(item, CRAFT_REVEALS) == 0 || strcmp(item, CRAFT_AGAIN) == 0;
    return reveals ? CRAFT_LINE_REVEAL : -1;
}

bool craft_is_free(const char *item) {
    return strcmp(item, CRAFT_REVEALS) == 0 || strcmp(item, CRAFT_AGAIN) == 0 ||
           strncmp(item, CRAFT_KEEPS, strlen(CRAFT_KEEPS)) == 0;
}

/* Lines whose uses the solver knows. */
static bool is_solved(int line) {
    return line <= CRAFT_LINE_ORB_OF_ANNULMENT || line == CRAFT_LINE_FRACTURING_ORB ||
           line == CRAFT_LINE_ESSENCE_UPGRADE || line == CRAFT_LINE_ESSENCE_SWAP ||
           line == CRAFT_LINE_BONE || line == CRAFT_LINE_REVEAL || line == CRAFT_LINE_KEEP;
}

/* Sides that omens ask for, each at most one: prefix, suffix; -1: none. */
static int omen_side(int effect) {
    switch (effect) {
    case CRAFT_OMEN_ADD_ONLY_PREFIX:
    case CRAFT_OMEN_MAX_PREFIX:
    case CRAFT_OMEN_REMOVE_ONLY_PREFIX:
    case CRAFT_OMEN_DESECRATE_ONLY_PREFIX:
        return CRAFT_PREFIX;
    case CRAFT_OMEN_ADD_ONLY_SUFFIX:
    case CRAFT_OMEN_MAX_SUFFIX:
    case CRAFT_OMEN_REMOVE_ONLY_SUFFIX:
    case CRAFT_OMEN_DESECRATE_ONLY_SUFFIX:
        return CRAFT_SUFFIX;
    default:
        return -1;
    }
}

static bool omen_take(craft_use *use, int effect) {
    if (omen_side(effect) >= 0) {
        use->side = omen_side(effect);
        return true;
    }
    switch (effect) {
    case CRAFT_OMEN_ADD_TWO:
    case CRAFT_OMEN_REMOVE_TWO:
        return use->two = true;
    case CRAFT_OMEN_REMOVE_LOWEST_LEVEL:
        return use->lowest = true;
    case CRAFT_OMEN_REMOVE_ONLY_DESECRATED:
        return use->desecrated = true;
    case CRAFT_OMEN_ADD_SHARED_TAG:
        return use->shared = true;
    case CRAFT_OMEN_REROLL_OPTIONS_ONCE:
        use->again = !use->shown;
        return true;
    case CRAFT_OMEN_PUTREFY:
        return use->rots = true;
    case CRAFT_OMEN_LORD_ULAMAN:
    case CRAFT_OMEN_LORD_AMANAMU:
    case CRAFT_OMEN_LORD_KURGAL:
        use->lord = CRAFT_LORD_ULAMAN + effect - CRAFT_OMEN_LORD_ULAMAN;
        return true;
    default:
        return false;
    }
}

static lu_status take_omens(craft_use *use, const craft_pack *pack, const char *const *omens,
                            int count, lu_error *error) {
    for (int k = 0; k < count; k++) {
        int row = craft_omen_find(pack, omens[k]);
        if (row < 0) {
            return lu_fail(error, LU_BAD_VALUE, "there is no omen '%.60s'", omens[k]);
        }
        const craft_omen *omen = &pack->omens[row];
        if (omen->line != use->line) {
            return lu_fail(error, LU_BAD_VALUE, "%s is not for %s", omen->id, use->item);
        }
        int side = omen_side(omen->effect);
        bool lord =
            omen->effect >= CRAFT_OMEN_LORD_ULAMAN && omen->effect <= CRAFT_OMEN_LORD_KURGAL;
        if ((side >= 0 && use->side >= 0) || (lord && use->lord != CRAFT_LORD_NONE)) {
            return lu_fail(error, LU_BAD_VALUE, "%s contradicts another omen of %s", omen->id,
                           use->item);
        }
        if (use->omens == CRAFT_USE_OMENS || !omen_take(use, omen->effect)) {
            return lu_fail(error, LU_BAD_VALUE, "the solver does not know %s", omen->id);
        }
        use->omen[use->omens++] = omen->id;
        size_t used = strlen(use->name);
        snprintf(use->name + used, sizeof use->name - used, " + %s", omen->id);
    }
    return LU_OK;
}

static int from_of(const craft_use *use) {
    if (use->side < 0 || use->line == CRAFT_LINE_CHAOS_ORB) {
        return CRAFT_ANY; /* an omen of a chaos orb is about what goes */
    }
    return (use->line == CRAFT_LINE_ORB_OF_ALCHEMY ? CRAFT_FILL_P : CRAFT_ONLY_P) + use->side;
}

static lu_status init_draws(craft_use *use, craft_sorts *s, int most, lu_error *error) {
    int weighting = craft_weighting_of(s, use->floor, -1, 1.0);
    for (int left = 1; left <= most; left++) {
        use->draw[left] = craft_draw_of(s, weighting, from_of(use), use->shared, left);
        if (use->draw[left] < 0) {
            return lu_fail(error, LU_LIMIT, "too many different draws: leave out some actions");
        }
    }
    return LU_OK;
}

static lu_status init_kind(craft_use *use, craft_sorts *s, int row, lu_error *error) {
    const craft_pool *pool = s->pool;
    uint16_t given[3];
    switch (use->line) {
    case CRAFT_LINE_ESSENCE_UPGRADE:
    case CRAFT_LINE_ESSENCE_SWAP:
        use->gives = craft_essence_gives(pool, s->pack, row, given);
        use->reaches = use->gives > 0;
        for (int k = 0; k < use->gives; k++) {
            int flags = pool->switches.version >= 5 ? CRAFT_SET_CRAFTED : 0;
            use->give[k] = (uint16_t)(craft_sort_of(s, given[k], 0) | flags);
        }
        return LU_OK;
    case CRAFT_LINE_BONE: {
        const craft_bone *bone = &s->pack->bones[row];
        use->floor = bone->floor;
        int lords = CRAFT_BONE_WEAPON | CRAFT_BONE_QUIVER | CRAFT_BONE_RING;
        int kinds = use->lord == CRAFT_LORD_NONE ? bone->kinds : bone->kinds & lords;
        use->reaches = pool->ilvl <= bone->max_level && kinds >> pool->kind & 1;
        for (int side = 0; side < CRAFT_SIDES; side++) {
            int sort = craft_sort_hidden(s, side, use->floor, use->lord);
            use->give[side] = (uint16_t)(sort | CRAFT_SET_DESECRATED);
        }
        return LU_OK;
    }
    case CRAFT_LINE_REVEAL:
        use->reaches = true;
        return LU_OK;
    case CRAFT_LINE_KEEP:
        use->keeps = use->item[strlen(CRAFT_KEEPS)] - '0';
        use->reaches = use->keeps >= 1 && use->keeps <= s->showns;
        return LU_OK;
    default:
        use->floor = s->pack->currencies[row].floor[pool->switches.version - 3];
        use->reaches = !pool->switches.floor_needs_ilvl || pool->ilvl >= use->floor;
        return s->pack->currencies[row].adds > 0
                   ? init_draws(use, s, use->line == CRAFT_LINE_ORB_OF_ALCHEMY ? 4 : 2, error)
                   : LU_OK;
    }
}

lu_status craft_use_init(craft_use *use, craft_sorts *s, const char *item, const char *const *omens,
                         int omen_count, lu_error *error) {
    int row, line = line_of(s->pack, item, &row);
    memset(use, 0, sizeof *use);
    if (line < 0) {
        return lu_fail(error, LU_BAD_VALUE, "there is no currency, essence or bone '%.60s'", item);
    }
    if (!is_solved(line)) {
        return lu_fail(error, LU_BAD_VALUE, "the solver does not know %s", item);
    }
    use->item = line == CRAFT_LINE_REVEAL            ? CRAFT_REVEALS
                : line == CRAFT_LINE_KEEP            ? item
                : line == CRAFT_LINE_BONE            ? s->pack->bones[row].id
                : line >= CRAFT_LINE_ESSENCE_UPGRADE ? s->pack->essences[row].id
                                                     : s->pack->currencies[row].id;
    use->line = line;
    use->shown = strcmp(item, CRAFT_AGAIN) == 0;
    use->side = use->lord = -1;
    use->lord = CRAFT_LORD_NONE;
    memset(use->draw, 0xff, sizeof use->draw);
    snprintf(use->name, sizeof use->name, "%s", use->item);
    lu_status status = take_omens(use, s->pack, omens, omen_count, error);
    return status == LU_OK ? init_kind(use, s, row, error) : status;
}

int craft_use_tells(const craft_pool *pool, const char *item, const char *const *omens,
                    int omen_count) {
    int tells = 0;
    for (int k = 0; k < omen_count; k++) {
        tells |= strcmp(omens[k], "omen_of_whittling") == 0 ? CRAFT_TELL_LEVELS : 0;
        tells |= strstr(omens[k], "homogenising") ? CRAFT_TELL_TAGS : 0;
    }
    if (tells & CRAFT_TELL_LEVELS && pool->switches.whittling_first) {
        tells |= CRAFT_TELL_ORDER;
    }
    if (!pool->switches.removed_can_return && strstr(item, "chaos_orb")) {
        tells |= CRAFT_TELL_MODS;
    }
    return tells;
}

/* ---- slots ---- */

static bool is_hidden(const craft_sorts *s, uint16_t mod) {
    return craft_sort_at(s, mod)->family == CRAFT_NO_FAMILY;
}

/* Bits of what can be removed: side first, then the lowest level. */
static uint8_t removable(const craft_sorts *s, const craft_use *use, const craft_set *set,
                         int side) {
    unsigned bits = 0;
    int lowest = 255;
    for (int k = 0; k < set->count; k++) {
        uint16_t mod = set->mod[k];
        bool out = mod & CRAFT_SET_FRACTURED ||
                   (side >= 0 && craft_sort_at(s, mod)->side != side) ||
                   (use->desecrated && !(mod & CRAFT_SET_DESECRATED));
        int level = craft_sort_at(s, mod)->level;
        bits |= out ? 0u : 1u << k;
        lowest = !out && level < lowest ? level : lowest;
    }
    for (int k = 0; k < set->count && use->lowest; k++) {
        bool goes = bits >> k & 1 && craft_sort_at(s, set->mod[k])->level == lowest;
        bits &= goes ? ~0u : ~(1u << k);
        if (goes && s->pool->switches.whittling_first) {
            return (uint8_t)(1 << k);
        }
    }
    return (uint8_t)bits;
}

/* The unrevealed modifier of a side that is like another one but for its side. */
static uint16_t hidden_beside(const craft_sorts *s, uint16_t mod, int side) {
    craft_sort sort = *craft_sort_at(s, mod);
    int at = 0;
    sort.side = (uint8_t)side;
    while (at < s->count && (s->sort[at].family != CRAFT_NO_FAMILY || s->sort[at].side != side ||
                             s->sort[at].floor != sort.floor || s->sort[at].lord != sort.lord ||
                             s->sort[at].shown != sort.shown)) {
        at++;
    }
    LU_ASSERT(at < s->count); /* a bone makes both */
    return (uint16_t)(at | (mod & ~CRAFT_SET_SORT));
}

/* What is fractured, and unrevealed modifiers up to the limits. */
static craft_set rotten(const craft_sorts *s, const craft_set *set, uint16_t mod) {
    craft_set end = {.rarity = CRAFT_RARE, .final = 1};
    for (int k = 0; k < set->count; k++) {
        if (set->mod[k] & CRAFT_SET_FRACTURED) {
            end = craft_set_with(s, &end, set->mod[k]);
        }
    }
    for (int side = 0; side < CRAFT_SIDES; side++) {
        uint16_t hidden = hidden_beside(s, mod, side);
        for (int room = s->pool->limit[CRAFT_RARE][side] - craft_set_sided(s, &end, side); room > 0;
             room--) {
            end = craft_set_with(s, &end, hidden);
        }
    }
    return end;
}

craft_set craft_branch_end(const craft_sorts *s, const craft_branch *branch, const craft_set *set) {
    craft_set end = *set;
    end.rarity = branch->rarity;
    if (branch->then == CRAFT_THEN_GIVE) {
        int family = craft_sort_at(s, branch->what)->family;
        for (int k = end.count - 1; k >= 0 && family != CRAFT_NO_FAMILY; k--) {
            if (craft_sort_at(s, end.mod[k])->family == family) {
                end = craft_set_without(&end, k);
            }
        }
        end = craft_set_with(s, &end, branch->what);
    }
    if (branch->then == CRAFT_THEN_ROT) {
        end = rotten(s, &end, branch->what);
    }
    if (branch->then == CRAFT_THEN_LOCK) {
        uint16_t mod = end.mod[branch->what] | CRAFT_SET_FRACTURED;
        end = craft_set_without(&end, branch->what);
        end = craft_set_with(s, &end, mod);
    }
    return end;
}

uint8_t craft_bits_without(uint8_t bits, int slot) {
    uint8_t low = (uint8_t)((1u << slot) - 1u);
    return (uint8_t)((bits & low) | (bits >> 1 & ~low));
}

static int count_bits(unsigned bits) {
    int count = 0;
    for (; bits; bits &= bits - 1) {
        count++;
    }
    return count;
}

static bool has_flag(const craft_set *set, int flag) {
    int all = 0;
    for (int k = 0; k < set->count; k++) {
        all |= set->mod[k];
    }
    return (all & flag) != 0;
}

static bool has_family(const craft_sorts *s, const craft_set *set, int family) {
    bool has = false;
    for (int k = 0; k < set->count; k++) {
        has = has || craft_sort_at(s, set->mod[k])->family == family;
    }
    return has;
}

static int room_of(const craft_sorts *s, const craft_set *set, int rarity, int side) {
    return s->pool->limit[rarity][side] - craft_set_sided(s, set, side);
}

bool craft_draw_fits(const craft_sorts *s, const craft_drawing *draw, const craft_set *set) {
    int room[CRAFT_SIDES], all = 0;
    for (int side = 0; side < CRAFT_SIDES; side++) {
        room[side] = room_of(s, set, set->rarity, side);
        all += room[side] > 0 ? room[side] : 0;
    }
    bool one = draw->from == CRAFT_ONLY_P || draw->from == CRAFT_ONLY_S;
    return (one ? room[draw->from - CRAFT_ONLY_P] : all) >= draw->left;
}

/* ---- branches ---- */

static int one_branch(craft_branch *branch, craft_branch only) {
    *branch = only;
    return 1;
}

/* Draws of a use on a set that becomes this rarity. */
static int adds(const craft_sorts *s, const craft_use *use, const craft_set *set, int rarity,
                int count, craft_branch *branch) {
    craft_set after = *set;
    after.rarity = (uint8_t)rarity;
    if (count < 1 || !craft_draw_fits(s, &s->draw[use->draw[count]], &after)) {
        return 0;
    }
    return one_branch(branch, (craft_branch){1.0, (uint8_t)rarity, 0, 0, CRAFT_THEN_DRAW,
                                             (uint16_t)use->draw[count]});
}

static int alchemy(const craft_sorts *s, const craft_use *use, const craft_set *set,
                   craft_branch *branch) {
    int how = s->pool->switches.alchemy_on_magic;
    if (set->rarity == CRAFT_RARE || (set->rarity == CRAFT_MAGIC && how == CRAFT_ALCHEMY_OFF)) {
        return 0;
    }
    if (how != CRAFT_ALCHEMY_REPLACE || set->count == 0) {
        return adds(s, use, set, CRAFT_RARE, 4 - set->count, branch);
    }
    uint8_t all = removable(s, use, set, -1);
    craft_set empty = {.rarity = CRAFT_RARE};
    int count = adds(s, use, &empty, CRAFT_RARE, 4, branch);
    branch->remove = all;
    branch->removes = (uint8_t)count_bits(all);
    return count && branch->removes <= 2 ? 1 : 0;
}

static int removes(const craft_sorts *s, const craft_use *use, const craft_set *set, int then,
                   craft_branch *branch) {
    uint8_t bits = removable(s, use, set, use->side);
    bool two = use->two && use->line == CRAFT_LINE_ORB_OF_ANNULMENT;
    if (count_bits(bits) < (two ? 2 : 1)) {
        return 0;
    }
    return one_branch(branch, (craft_branch){1.0, set->rarity, bits, two ? 2 : 1, (uint8_t)then,
                                             then == CRAFT_THEN_DRAW ? (uint16_t)use->draw[1] : 0});
}

/* Makes branches that have equal chances. */
static int even(craft_branch *branch, int count) {
    for (int k = 0; k < count; k++) {
        branch[k].chance = 1.0 / count;
    }
    return count;
}

static int fracture(const craft_sorts *s, const craft_set *set, craft_branch *branch) {
    int count = 0, all = 0;
    if (set->rarity != CRAFT_RARE || has_flag(set, CRAFT_SET_FRACTURED)) {
        return 0;
    }
    for (int k = 0; k < set->count; k++) {
        bool hidden = is_hidden(s, set->mod[k]);
        all += hidden && !s->pool->switches.fracture_unrevealed_counts ? 0 : 1;
        if (!hidden) {
            branch[count++] = (craft_branch){0.0, CRAFT_RARE, 0, 0, CRAFT_THEN_LOCK, (uint16_t)k};
        }
    }
    return all >= 4 ? even(branch, count) : 0;
}

/* Which of its modifiers an essence can give: those whose family is not on the item. */
static int givable(const craft_sorts *s, const craft_use *use, const craft_set *set,
                   uint16_t *mods) {
    int count = 0;
    for (int k = 0; k < use->gives; k++) {
        bool blocked = has_family(s, set, craft_sort_at(s, use->give[k])->family);
        if (!blocked || !s->pool->switches.essence_blocked_by_family) {
            mods[count++] = use->give[k];
        }
    }
    return has_flag(set, CRAFT_SET_CRAFTED) ? 0 : count;
}

static int upgrade(const craft_sorts *s, const craft_use *use, const craft_set *set,
                   craft_branch *branch) {
    uint16_t mods[3];
    int gives = set->rarity == CRAFT_MAGIC ? givable(s, use, set, mods) : 0, count = 0;
    for (int k = 0; k < gives; k++) {
        if (room_of(s, set, CRAFT_RARE, craft_sort_at(s, mods[k])->side) > 0) {
            branch[count++] = (craft_branch){0.0, CRAFT_RARE, 0, 0, CRAFT_THEN_GIVE, mods[k]};
        }
    }
    return even(branch, count);
}

static int swap(const craft_sorts *s, const craft_use *use, const craft_set *set,
                craft_branch *branch) {
    uint16_t mods[3];
    int gives = set->rarity == CRAFT_RARE ? givable(s, use, set, mods) : 0, count = 0;
    for (int k = 0; k < gives; k++) {
        int side = craft_sort_at(s, mods[k])->side;
        bool full = room_of(s, set, CRAFT_RARE, side) <= 0;
        uint8_t bits = removable(s, use, set, full ? side : use->side);
        if (bits != 0 && !(full && use->side >= 0 && use->side != side)) {
            branch[count++] = (craft_branch){0.0, CRAFT_RARE, bits, 1, CRAFT_THEN_GIVE, mods[k]};
        }
    }
    return even(branch, count);
}

/* Weight of what can be drawn on each side, which stands for the side of a bone. */
static void side_weights(const craft_sorts *s, const craft_set *set, int level, double *weight) {
    craft_sight sight = craft_sight_of(s, set);
    weight[CRAFT_PREFIX] = weight[CRAFT_SUFFIX] = 0.0;
    for (int k = 0; k < s->portions; k++) {
        const craft_portion *p = &s->portion[k];
        const craft_atom *atom = &s->atom[p->atom];
        if (!craft_sight_has(&sight, atom) && craft_stays(s->pool, p->entry, level)) {
            weight[atom->side] += s->pool->entry[p->entry].weight * p->share;
        }
    }
}

/* A full item loses a modifier to its bone, which takes that one's side. */
static int bone_on_full(const craft_sorts *s, const craft_use *use, const craft_set *set,
                        craft_branch *branch) {
    uint8_t bits = removable(s, use, set, use->side);
    int all = count_bits(bits), count = 0;
    for (int k = 0; k < set->count; k++) {
        if (bits >> k & 1) {
            int side = craft_sort_at(s, set->mod[k])->side;
            branch[count++] = (craft_branch){1.0 / all, CRAFT_RARE,      (uint8_t)(1 << k),
                                             1,         CRAFT_THEN_GIVE, use->give[side]};
        }
    }
    return count;
}

static int mark_of(const craft_sorts *s, const craft_set *set) {
    for (int k = 0; k < set->count; k++) {
        if (craft_sort_at(s, set->mod[k])->mark) {
            return k;
        }
    }
    return -1;
}

static int bone(const craft_sorts *s, const craft_use *use, const craft_set *set,
                craft_branch *branch) {
    int mark = mark_of(s, set), count = 0;
    double weight[CRAFT_SIDES] = {1.0, 1.0}, sum = 0.0;
    if (set->rarity != CRAFT_RARE || has_flag(set, CRAFT_SET_DESECRATED)) {
        return 0;
    }
    if (use->rots) {
        return one_branch(
            branch, (craft_branch){1.0, CRAFT_RARE, 0, 0, CRAFT_THEN_ROT, use->give[CRAFT_PREFIX]});
    }
    if (mark >= 0) {
        int side = craft_sort_at(s, set->mod[mark])->side;
        if (use->side >= 0 && use->side != side) {
            return 0;
        }
        return one_branch(branch, (craft_branch){1.0, CRAFT_RARE, (uint8_t)(1 << mark), 1,
                                                 CRAFT_THEN_GIVE, use->give[side]});
    }
    if (s->pool->switches.bone_side == CRAFT_POOLED) {
        side_weights(s, set, use->floor, weight);
    }
    for (int side = 0; side < CRAFT_SIDES; side++) {
        bool open = room_of(s, set, CRAFT_RARE, side) > 0 && (use->side < 0 || use->side == side);
        if (open && weight[side] > 0.0) {
            branch[count++] =
                (craft_branch){weight[side], CRAFT_RARE, 0, 0, CRAFT_THEN_GIVE, use->give[side]};
            sum += weight[side];
        }
    }
    for (int k = 0; k < count; k++) {
        branch[k].chance /= sum;
    }
    return count ? count : bone_on_full(s, use, set, branch);
}

/* Slot of the unrevealed modifier whose options are shown, -1 = none. */
static int shown_slot(const craft_sorts *s, const craft_set *set) {
    for (int k = 0; k < set->count && s->showns > 0; k++) {
        if (craft_sort_at(s, set->mod[k])->shown) {
            return k;
        }
    }
    return -1;
}

/* An option is kept: its first number, unless it is shown too, is any that it may be. */
static int keep(const craft_sorts *s, const craft_use *use, const craft_set *set, int slot,
                craft_branch *branch) {
    int entry = s->shown[use->keeps - 1].entry, known = s->shown[use->keeps - 1].roll, count = 0;
    const craft_entry *e = &s->pool->entry[entry];
    int steps = e->ranges > 0 && known < 0 ? e->steps[0] : 1;
    for (int roll = 0; roll < steps; roll++) {
        int sort = craft_sort_of(s, entry, known < 0 ? roll : known), k = 0;
        uint16_t mod = (uint16_t)(sort | (set->mod[slot] & ~CRAFT_SET_SORT));
        while (k < count && branch[k].what != mod) {
            k++;
        }
        if (k == count) {
            branch[count++] =
                (craft_branch){0.0, CRAFT_RARE, (uint8_t)(1 << slot), 1, CRAFT_THEN_GIVE, mod};
        }
        branch[k].chance += 1.0 / steps;
    }
    return count;
}

int craft_use_on(const craft_sorts *s, const craft_use *use, const craft_set *set,
                 craft_branch branch[CRAFT_BRANCHES]) {
    bool rare = set->rarity == CRAFT_RARE, magic = set->rarity == CRAFT_MAGIC;
    int shown = shown_slot(s, set);
    if (!use->reaches || (use->keeps > 0) != (shown >= 0)) {
        return 0;
    }
    if (use->keeps > 0) {
        return keep(s, use, set, shown, branch);
    }
    if (set->final) {
        return 0;
    }
    switch (use->line) {
    case CRAFT_LINE_ORB_OF_TRANSMUTATION:
        return rare || magic ? 0 : adds(s, use, set, CRAFT_MAGIC, 1, branch);
    case CRAFT_LINE_ORB_OF_AUGMENTATION:
        return magic ? adds(s, use, set, CRAFT_MAGIC, 1, branch) : 0;
    case CRAFT_LINE_REGAL_ORB:
        return magic ? adds(s, use, set, CRAFT_RARE, 1, branch) : 0;
    case CRAFT_LINE_EXALTED_ORB:
        return rare ? adds(s, use, set, CRAFT_RARE, use->two ? 2 : 1, branch) : 0;
    case CRAFT_LINE_ORB_OF_ALCHEMY:
        return alchemy(s, use, set, branch);
    case CRAFT_LINE_CHAOS_ORB:
        return rare ? removes(s, use, set, CRAFT_THEN_DRAW, branch) : 0;
    case CRAFT_LINE_ORB_OF_ANNULMENT:
        return rare || magic ? removes(s, use, set, CRAFT_THEN_NOTHING, branch) : 0;
    case CRAFT_LINE_FRACTURING_ORB:
        return fracture(s, set, branch);
    case CRAFT_LINE_ESSENCE_UPGRADE:
        return upgrade(s, use, set, branch);
    case CRAFT_LINE_ESSENCE_SWAP:
        return swap(s, use, set, branch);
    case CRAFT_LINE_REVEAL:
        return 0; /* its outcomes hang on what is kept: craft_offer.h */
    default:
        return bone(s, use, set, branch);
    }
}
