/* How chain looks to people and tools, and its bots. */
#include "chain_view.h"

#include "ludus/fields.h"

#include <string.h>

static const char *const kinds[] = {"-", "stone", "feather", "coin"};

void chain_show(const lu_rules *rules, const void *bytes, int seat, lu_text *text) {
    const chain_state *s = bytes;
    (void)rules;
    (void)seat;
    lu_text_addf(text, "Step %d of %d:", s->steps, CHAIN_LIMIT);
    for (int i = 0; i < CHAIN_POCKETS; i++) {
        lu_text_addf(text, " [%s]", kinds[s->pocket[i]]);
    }
    lu_text_line(text, "\nTraded %d, dropped %d", s->traded, s->dropped);
}

uint64_t chain_events_of(const lu_rules *rules, const void *before, const void *after,
                         const int32_t *actions) {
    (void)rules;
    (void)actions;
    return ((const chain_state *)after)->traded > ((const chain_state *)before)->traded;
}

void chain_story(const lu_rules *rules, const void *before, const void *after,
                 const int32_t *actions, lu_text *text) {
    const chain_state *was = before, *is = after;
    (void)rules;
    (void)actions;
    if (is->traded > was->traded) {
        lu_text_add(text, "trades a coin");
    } else if (is->dropped > was->dropped) {
        lu_text_add(text, "drops something");
    } else {
        lu_text_add(text, "goes on");
    }
}

#define COUNT(member)                                                                              \
    { LU_FIELD(chain_state, member), .kind = LU_NUMBER_I32, .high = CHAIN_LIMIT }
static const lu_state_field fields[] = {
    COUNT(steps),
    COUNT(traded),
    COUNT(dropped),
    {LU_FIELD(chain_state, rng), .kind = LU_NUMBER_HEX, .hidden = true},
};

void chain_to_json(const lu_rules *rules, const void *bytes, int seat, lu_json *json) {
    const chain_state *s = bytes;
    (void)rules;
    lu_json_object(json);
    lu_json_key_array(json, "pockets");
    for (int i = 0; i < CHAIN_POCKETS; i++) {
        lu_json_string(json, kinds[s->pocket[i]]);
    }
    lu_json_array_end(json);
    lu_fields_to_json(fields, LU_COUNT(fields), s, seat, json);
    lu_json_object_end(json);
}

static lu_status read_pockets(const lu_json_value *pockets, chain_state *s, lu_error *error) {
    if (lu_json_kind_of(pockets) != LU_JSON_ARRAY || lu_json_count(pockets) != CHAIN_POCKETS) {
        return lu_fail(error, LU_BAD_DATA, "'pockets' must be a list of %d names", CHAIN_POCKETS);
    }
    for (size_t i = 0; i < CHAIN_POCKETS; i++) {
        const lu_json_value *entry = lu_json_at(pockets, i);
        int kind = CHAIN_KINDS - 1;
        while (kind >= 0 && (lu_json_kind_of(entry) != LU_JSON_STRING ||
                             strcmp(lu_json_text(entry, NULL), kinds[kind]) != 0)) {
            kind--;
        }
        if (kind < 0) {
            return lu_fail(error, LU_BAD_DATA, "pocket %zu must be one of -, stone, feather, coin",
                           i + 1);
        }
        s->pocket[i] = (uint8_t)kind;
    }
    return LU_OK;
}

lu_status chain_from_json(const lu_rules *rules, void *bytes, const lu_json_value *value,
                          lu_error *error) {
    chain_state *s = bytes, next = *s;
    const lu_json_value *pockets = lu_json_get(value, "pockets");
    if (pockets && read_pockets(pockets, &next, error) != LU_OK) {
        return LU_BAD_DATA;
    }
    LU_TRY(lu_fields_from_json(fields, LU_COUNT(fields), rules, &next, value, error));
    *s = next;
    return LU_OK;
}

/* ---- bots ---- */

/* Trades coins, throws feathers up as hard as it can, waits otherwise. */
static void juggler(const lu_seat_view *view, int32_t *actions) {
    memset(actions, 0, CHAIN_HEADS * sizeof *actions);
    for (int i = 0; i < CHAIN_POCKETS; i++) {
        int kind = (int)view->observation[2 + 2 * i];
        if (kind == CHAIN_COIN) {
            actions[CHAIN_VERB] = CHAIN_TRADE;
            actions[CHAIN_ITEM] = i;
            return;
        }
        if (kind == CHAIN_FEATHER && i > 0) {
            actions[CHAIN_VERB] = CHAIN_THROW;
            actions[CHAIN_ITEM] = i;
            actions[CHAIN_DIRECTION] = CHAIN_UP;
            actions[CHAIN_FORCE] = CHAIN_HARD;
            return;
        }
    }
}

/* Counts its decisions in its memory and drops the first thing it has at every third. */
static void dropper(const lu_seat_view *view, int32_t *actions) {
    uint32_t *count = view->memory;
    memset(actions, 0, CHAIN_HEADS * sizeof *actions);
    if (++*count % 3 == 0 && view->mask[CHAIN_DROP]) {
        actions[CHAIN_VERB] = CHAIN_DROP;
        while (!view->mask[CHAIN_VERBS + actions[CHAIN_ITEM]]) {
            actions[CHAIN_ITEM]++;
        }
    }
}

const lu_bot chain_bots[CHAIN_BOTS] = {
    {"dropper", "Drops something at every third decision.", false, sizeof(uint32_t), dropper,
     false},
    {"juggler", "Trades coins and throws feathers.", false, 0, juggler, false},
};
