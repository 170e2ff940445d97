/* The rules of chain. */
#include "chain.h"

LU_HD static void chain_find(chain_state *s) {
    lu_rng rng = lu_rng_from(s->rng);
    if (lu_rng_below(&rng, 3) > 0) {
        for (int i = 0; i < CHAIN_POCKETS; i++) {
            if (s->pocket[i] == CHAIN_EMPTY) {
                s->pocket[i] = (uint8_t)(1 + lu_rng_below(&rng, CHAIN_KINDS - 1));
                break;
            }
        }
    }
    s->rng = rng.state;
}

LU_HD static void chain_reset(const lu_rules *rules, void *bytes, uint64_t seed,
                              const void *options) {
    chain_state *s = (chain_state *)bytes;
    (void)rules;
    (void)options;
    s->rng = seed;
    s->steps = 0;
    s->traded = 0;
    s->dropped = 0;
    for (int i = 0; i < CHAIN_POCKETS; i++) {
        s->pocket[i] = CHAIN_EMPTY;
    }
    chain_find(s);
}

/* The same rules as mask, table of needs and submask tell. Heads that are not asked are ignored. */
LU_HD static bool chain_legal(const chain_state *s, const int32_t *a) {
    if (a[CHAIN_VERB] < 0 || a[CHAIN_VERB] >= CHAIN_VERBS) {
        return false;
    }
    if (a[CHAIN_VERB] == CHAIN_WAIT) {
        return true;
    }
    if (a[CHAIN_ITEM] < 0 || a[CHAIN_ITEM] >= CHAIN_POCKETS ||
        s->pocket[a[CHAIN_ITEM]] == CHAIN_EMPTY) {
        return false;
    }
    if (a[CHAIN_VERB] == CHAIN_TRADE) {
        return s->pocket[a[CHAIN_ITEM]] == CHAIN_COIN;
    }
    if (a[CHAIN_VERB] == CHAIN_DROP) {
        return true;
    }
    if (a[CHAIN_DIRECTION] < 0 || a[CHAIN_DIRECTION] >= CHAIN_DIRECTIONS ||
        (a[CHAIN_DIRECTION] == CHAIN_UP && a[CHAIN_ITEM] == 0)) {
        return false;
    }
    return a[CHAIN_FORCE] == CHAIN_SOFT ||
           (a[CHAIN_FORCE] == CHAIN_HARD && s->pocket[a[CHAIN_ITEM]] != CHAIN_STONE);
}

LU_HD static void chain_step(const lu_rules *rules, void *bytes, const int32_t *actions,
                             double *terms, lu_step *step) {
    chain_state *s = (chain_state *)bytes;
    bool legal = chain_legal(s, actions);
    (void)rules;
    /* an illegal action waits */
    if (legal && actions[CHAIN_VERB] != CHAIN_WAIT) {
        uint8_t *pocket = &s->pocket[actions[CHAIN_ITEM]];
        if (actions[CHAIN_VERB] == CHAIN_TRADE) {
            s->traded++;
            terms[CHAIN_TERM_TRADE] = 1.0;
        } else if (actions[CHAIN_VERB] == CHAIN_DROP) {
            s->dropped++;
        } else if (actions[CHAIN_DIRECTION] == CHAIN_UP && *pocket == CHAIN_FEATHER) {
            terms[CHAIN_TERM_JUGGLE] = actions[CHAIN_FORCE] == CHAIN_HARD ? 2.0 : 1.0;
        }
        *pocket = CHAIN_EMPTY;
    }
    chain_find(s);
    s->steps++;
    step->ticks = 1;
    step->terminated = 0;
    step->truncated = s->steps >= CHAIN_LIMIT;
    step->illegal = !legal;
    step->unused = 0;
    step->changed = LU_ALL_CHANGED;
}

LU_HD static void chain_observe(const lu_rules *rules, const void *bytes, int seat,
                                uint64_t changed, float *observation) {
    const chain_state *s = (const chain_state *)bytes;
    (void)rules;
    (void)seat;
    if (changed & 1u) {
        observation[0] = (float)s->steps / (float)CHAIN_LIMIT;
    }
    if (changed & 2u) {
        for (int i = 0; i < CHAIN_POCKETS; i++) {
            observation[1 + 2 * i] = s->pocket[i] ? 1.0f : 0.0f;
            observation[2 + 2 * i] = (float)s->pocket[i];
        }
    }
}

LU_HD static void chain_mask(const lu_rules *rules, const void *bytes, int seat, uint8_t *mask) {
    const chain_state *s = (const chain_state *)bytes;
    bool any = false, coin = false;
    (void)rules;
    (void)seat;
    uint8_t *item = mask + CHAIN_VERBS, *rest = item + CHAIN_POCKETS;
    for (int i = 0; i < CHAIN_POCKETS; i++) {
        item[i] = s->pocket[i] != CHAIN_EMPTY;
        any = any || item[i];
        coin = coin || s->pocket[i] == CHAIN_COIN;
    }
    mask[CHAIN_WAIT] = 1;
    mask[CHAIN_DROP] = any;
    mask[CHAIN_THROW] = any;
    mask[CHAIN_TRADE] = coin;
    for (int i = 0; i < CHAIN_ALWAYS; i++) {
        rest[i] = 1;
    }
    for (int i = 0; i < CHAIN_RESERVED_OPTIONS; i++) {
        rest[CHAIN_ALWAYS + i] = 0;
    }
}

/* What the table of needs cannot say, since it depends on what is in the pocket. */
LU_HD static void chain_submask(const lu_rules *rules, const void *bytes, int seat, int head,
                                const int32_t *chosen, uint8_t *mask) {
    const chain_state *s = (const chain_state *)bytes;
    (void)rules;
    (void)seat;
    if (head == CHAIN_ITEM && chosen[CHAIN_VERB] == CHAIN_TRADE) {
        for (int i = 0; i < CHAIN_POCKETS; i++) {
            mask[i] = mask[i] && s->pocket[i] == CHAIN_COIN;
        }
    } else if (head == CHAIN_FORCE && s->pocket[chosen[CHAIN_ITEM]] == CHAIN_STONE) {
        mask[CHAIN_HARD] = 0;
    }
}

LU_HD static void chain_info(const lu_rules *rules, const void *bytes, int seat, double *info) {
    (void)rules;
    (void)seat;
    info[CHAIN_INFO_TRADED] = (double)((const chain_state *)bytes)->traded;
    info[CHAIN_INFO_DROPPED] = (double)((const chain_state *)bytes)->dropped;
}

LU_HD static void chain_determinise(const lu_rules *rules, void *bytes, int seat, lu_rng *rng) {
    (void)rules;
    (void)seat;
    ((chain_state *)bytes)->rng = lu_rng_u64(rng);
}

#define LU_LOOP_GAME    chain
#define LU_LOOP_NAMES   CHAIN
#define LU_LOOP_HEADS   CHAIN_HEADS
#define LU_LOOP_MASK    CHAIN_MASK
#define LU_LOOP_SUBMASK 1
#include "ludus/loop.h"
