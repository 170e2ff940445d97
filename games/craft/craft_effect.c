/* Rows of effects from names: a currency, essence, bone or catalyst of the pack, and what the omens
 * that are armed for it change. */
#include "craft_rules.h"

#include <stdio.h>

const char *const craft_refusal_texts[CRAFT_REFUSALS] = {
    [CRAFT_USABLE] = "it can be used",
    [CRAFT_NO_CHANGE_ALLOWED] = "the item is corrupted, sanctified or mirrored",
    [CRAFT_IS_CHOOSING] = "one of the revealed options must be kept first",
    [CRAFT_NOT_CHOOSING] = "no options are revealed",
    [CRAFT_WRONG_RARITY] = "it is not for items of this rarity",
    [CRAFT_NO_ROOM] = "there is no free slot for it",
    [CRAFT_NOTHING_FITS] = "no modifier fits",
    [CRAFT_NOTHING_TO_REMOVE] = "there is nothing that it can remove",
    [CRAFT_LEVEL_BELOW_FLOOR] = "the item level is below its modifier level",
    [CRAFT_FAMILY_TAKEN] = "the family of its modifier is on the item",
    [CRAFT_HAS_CRAFTED] = "the item has a crafted modifier",
    [CRAFT_WRONG_SIDE] = "its omen names the other side",
    [CRAFT_HAS_FRACTURED] = "the item has a fractured modifier",
    [CRAFT_TOO_FEW] = "the item has fewer than four modifiers",
    [CRAFT_WRONG_CLASS] = "it is not for items of this class",
    [CRAFT_LEVEL_ABOVE] = "the item level is too high for it",
    [CRAFT_HAS_DESECRATED] = "the item has a desecrated modifier",
    [CRAFT_NOTHING_HIDDEN] = "nothing is unrevealed",
    [CRAFT_ECHOED] = "the options were already drawn again",
    [CRAFT_NO_QUALITY] = "the item has no catalyst quality",
    [CRAFT_QUALITY_FULL] = "the quality is at its limit",
    [CRAFT_NO_VALUES] = "it has no values to change",
};

/* ---- the thing itself ---- */

/* What the rules do not play, with the reason. */
static const struct {
    uint8_t op;
    const char *why;
} left_out[] = {
    {CRAFT_OP_CHANCE, "its odds are not published"},
    {CRAFT_OP_FORESEE, "it shows a result and changes nothing"},
    {CRAFT_OP_COPY, "its copy cannot be changed"},
    {CRAFT_OP_RECOMBINE, "its odds are not published"},
    {CRAFT_OP_ADD_SOCKET, "it changes no modifier"},
    {CRAFT_OP_QUALITY, "it changes no modifier"},
};

static lu_status from_currency(craft_effect *e, const craft_pool *pool, const craft_pack *pack,
                               int row, lu_error *error) {
    const craft_currency *c = &pack->currencies[row];
    for (size_t k = 0; k < sizeof left_out / sizeof *left_out; k++) {
        if (left_out[k].op == c->op) {
            return lu_fail(error, LU_BAD_VALUE, "%s is not covered: %s", c->name, left_out[k].why);
        }
    }
    e->op = c->op;
    e->line = c->line;
    e->needs = c->needs & CRAFT_NEEDS_ANY;
    e->removes = c->removes;
    e->adds = c->adds;
    e->floor = (uint8_t)craft_floor_of(pool, c->floor[pool->switches.version - 3]);
    switch (c->line) {
    case CRAFT_LINE_ORB_OF_TRANSMUTATION:
    case CRAFT_LINE_ORB_OF_AUGMENTATION:
        e->gives = CRAFT_MAGIC;
        break;
    case CRAFT_LINE_REGAL_ORB:
    case CRAFT_LINE_EXALTED_ORB:
    case CRAFT_LINE_ORB_OF_ALCHEMY:
        e->gives = CRAFT_RARE;
        break;
    default:
        break;
    }
    if (c->op == CRAFT_OP_FILL4 && pool->switches.alchemy_on_magic != CRAFT_ALCHEMY_OFF) {
        e->needs |= CRAFT_NEEDS_MAGIC;
    }
    if (c->op == CRAFT_OP_REROLL_IMPLICIT) {
        e->op = CRAFT_OP_REROLL_VALUES;
        e->with = CRAFT_WITH_IMPLICIT;
    }
    return LU_OK;
}

static lu_status from_essence(craft_effect *e, const craft_pool *pool, const craft_pack *pack,
                              int row, lu_error *error) {
    const craft_essence *essence = &pack->essences[row];
    e->op = essence->swap ? CRAFT_OP_GIVE : CRAFT_OP_UPGRADE;
    e->line = essence->swap ? CRAFT_LINE_ESSENCE_SWAP : CRAFT_LINE_ESSENCE_UPGRADE;
    e->needs = essence->swap ? CRAFT_NEEDS_RARE : CRAFT_NEEDS_MAGIC;
    e->gives = CRAFT_RARE;
    e->removes = essence->swap;
    e->givens = (uint8_t)craft_essence_gives(pool, pack, row, e->given);
    e->given_flags = pool->switches.version >= 5 ? CRAFT_CRAFTED : 0;
    if (strcmp(essence->id, "essence_of_the_abyss") == 0) {
        e->given_flags |= CRAFT_MARK;
    }
    if (e->givens == 0) {
        return lu_fail(error, LU_BAD_VALUE, "%s does nothing on %s", essence->name,
                       pack->bases[pool->base].name);
    }
    return LU_OK;
}

static void from_bone(craft_effect *e, const craft_pool *pool, const craft_bone *bone) {
    e->op = CRAFT_OP_BONE;
    e->line = CRAFT_LINE_BONE;
    e->needs = CRAFT_NEEDS_RARE;
    e->floor = (uint8_t)craft_floor_of(pool, bone->floor);
    e->kinds = bone->kinds;
    e->level_most = bone->max_level;
}

static void from_catalyst(craft_effect *e, const craft_pack *pack, int row) {
    const craft_catalyst *c = &pack->catalysts[row];
    e->op = CRAFT_OP_CATALYST;
    e->line = CRAFT_LINE_CATALYST;
    e->needs = CRAFT_NEEDS_ANY;
    e->row = c->tag;
    e->most = c->most;
    memcpy(e->step, c->step, sizeof e->step);
}

static lu_status from_name(craft_effect *e, const craft_pool *pool, const craft_pack *pack,
                           const char *name, lu_error *error) {
    int row;
    *e = (craft_effect){
        .gives = CRAFT_RARITIES, .add_side = CRAFT_ANY_SIDE, .remove_side = CRAFT_ANY_SIDE};
    if ((row = craft_currency_find(pack, name)) >= 0) {
        return from_currency(e, pool, pack, row, error);
    }
    if ((row = craft_essence_find(pack, name)) >= 0) {
        return from_essence(e, pool, pack, row, error);
    }
    if ((row = craft_bone_find(pack, name)) >= 0) {
        from_bone(e, pool, &pack->bones[row]);
        return LU_OK;
    }
    if ((row = craft_catalyst_find(pack, name)) >= 0) {
        from_catalyst(e, pack, row);
        return LU_OK;
    }
    if (strcmp(name, "reveal") == 0) {
        e->op = CRAFT_OP_REVEAL;
        e->line = CRAFT_LINE_REVEAL;
        return LU_OK;
    }
    if (strncmp(name, "keep", 4) == 0 && name[4] >= '1' && name[4] <= '3' && name[5] == 0) {
        e->op = CRAFT_OP_KEEP;
        e->row = (uint8_t)(name[4] - '1');
        return LU_OK;
    }
    return craft_no_thing("", pack, "currency, essence, bone or catalyst", name, error);
}

/* ---- its omens ---- */

/* As players call what omens go with: a currency or a bone, or a word of ours. */
static const char *title_of(const craft_pack *pack, const char *name) {
    int row;
    return (row = craft_currency_find(pack, name)) >= 0  ? pack->currencies[row].name
           : (row = craft_essence_find(pack, name)) >= 0 ? pack->essences[row].name
           : (row = craft_bone_find(pack, name)) >= 0    ? pack->bones[row].name
                                                         : name;
}

/* Sets a side that no other omen may have set. */
static bool take_side(uint8_t *side, int to) {
    bool free = *side == CRAFT_ANY_SIDE;
    *side = (uint8_t)to;
    return free;
}

/* What an omen changes; false = it contradicts another one. */
static bool arm(craft_effect *e, int effect) {
    switch (effect) {
    case CRAFT_OMEN_ADD_ONLY_PREFIX:
    case CRAFT_OMEN_ADD_ONLY_SUFFIX:
        return take_side(&e->add_side, effect - CRAFT_OMEN_ADD_ONLY_PREFIX);
    case CRAFT_OMEN_MAX_PREFIX:
    case CRAFT_OMEN_MAX_SUFFIX:
        e->with |= CRAFT_WITH_SIDE_FULL;
        return take_side(&e->add_side, effect - CRAFT_OMEN_MAX_PREFIX);
    case CRAFT_OMEN_REMOVE_ONLY_PREFIX:
    case CRAFT_OMEN_REMOVE_ONLY_SUFFIX:
        return take_side(&e->remove_side, effect - CRAFT_OMEN_REMOVE_ONLY_PREFIX);
    case CRAFT_OMEN_DESECRATE_ONLY_PREFIX:
    case CRAFT_OMEN_DESECRATE_ONLY_SUFFIX:
        return take_side(&e->add_side, effect - CRAFT_OMEN_DESECRATE_ONLY_PREFIX);
    case CRAFT_OMEN_ADD_TWO:
        e->adds = 2;
        return true;
    case CRAFT_OMEN_REMOVE_TWO:
        e->removes = 2;
        return true;
    case CRAFT_OMEN_REMOVE_ONLY_DESECRATED:
        e->remove_flags = CRAFT_DESECRATED;
        return true;
    case CRAFT_OMEN_LORD_ULAMAN:
    case CRAFT_OMEN_LORD_AMANAMU:
    case CRAFT_OMEN_LORD_KURGAL: {
        bool free = e->lord == CRAFT_LORD_NONE;
        e->lord = (uint8_t)(CRAFT_LORD_ULAMAN + effect - CRAFT_OMEN_LORD_ULAMAN);
        e->kinds &= CRAFT_BONE_WEAPON | CRAFT_BONE_QUIVER | CRAFT_BONE_RING;
        return free;
    }
    case CRAFT_OMEN_PUTREFY:
        e->op = CRAFT_OP_PUTREFY;
        return true;
    case CRAFT_OMEN_SANCTIFY:
        e->with |= CRAFT_WITH_FACTORS;
        e->needs = CRAFT_NEEDS_RARE;
        return true;
    default:
        break;
    }
    static const uint8_t with[CRAFT_OMEN_EFFECTS] = {
        [CRAFT_OMEN_REMOVE_LOWEST_LEVEL] = CRAFT_WITH_LOWEST,
        [CRAFT_OMEN_ADD_SHARED_TAG] = CRAFT_WITH_SHARED_TAG,
        [CRAFT_OMEN_WEIGHT_BY_CATALYST] = CRAFT_WITH_CATALYST,
        [CRAFT_OMEN_IMPLICITS_ONLY] = CRAFT_WITH_IMPLICIT,
        [CRAFT_OMEN_NO_NOTHING_OUTCOME] = CRAFT_WITH_CHANGE,
        [CRAFT_OMEN_REROLL_OPTIONS_ONCE] = CRAFT_WITH_ECHO,
    };
    e->with |= with[effect];
    return true;
}

/* Homogenising omens no longer drop from 0.4 on, but those that are owned still work. */
static bool exists(const craft_omen *omen, int version) {
    bool ended = version > omen->until && omen->effect != CRAFT_OMEN_ADD_SHARED_TAG;
    return version >= omen->since && !ended;
}

lu_status craft_effect_init(craft_effect *effect, const craft_pool *pool, const craft_pack *pack,
                            const char *name, const char *const *omens, int omen_count,
                            lu_error *error) {
    if (from_name(effect, pool, pack, name, error) != LU_OK) {
        return LU_BAD_VALUE;
    }
    for (int k = 0; k < omen_count; k++) {
        int row = craft_omen_find(pack, omens[k]);
        if (row < 0) {
            return craft_no_thing("", pack, "omen", omens[k], error);
        }
        const craft_omen *omen = &pack->omens[row];
        if (!exists(omen, pool->switches.version)) {
            return lu_fail(error, LU_BAD_VALUE, "%s does not exist in version 0.%d", omen->name,
                           (int)pool->switches.version);
        }
        if (omen->line != effect->line) {
            return lu_fail(error, LU_BAD_VALUE, "%s is not for %s", omen->name,
                           title_of(pack, name));
        }
        if (!arm(effect, omen->effect)) {
            return lu_fail(error, LU_BAD_VALUE, "%s contradicts another omen of %s", omen->name,
                           title_of(pack, name));
        }
    }
    return LU_OK;
}
