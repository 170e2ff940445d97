/* Rules of joker: reset, step, what the player sees, which actions are legal, figures for reports.
 * Compiled once per build level; the parts are headers (joker.h lists them). Left out: words and
 * tables (joker_spec.c, joker_view.c). Scores are doubles, and the order of their operations is
 * that of the rules. */
#include "rules/joker_reward.h"
#include "variants/joker_brief.h"
#include "variants/joker_full.h"
#include "variants/joker_info.h"
#include "variants/joker_plan.h"

/* ---- reset ---- */

static LU_HD void joker_reset(const lu_rules *head, void *bytes, uint64_t seed,
                              const void *options) {
    const joker_rules *m = joker_rules_of(head);
    const joker_options *wish = (const joker_options *)options;
    joker_state *s = (joker_state *)bytes;
    memset(s, 0, JOKER_HOT_BYTES);
    s->number = seed;
    s->rng = seed;
    if (wish && wish->seed[0]) {
        joker_seed_text(m, s, wish->seed);
    } else {
        joker_seed_number(m, s, seed);
    }
    joker_run_start(m, s);
}

/* ---- step ---- */

/* Nothing happened yet: what the record of an action starts from. */
static LU_HD void joker_record_clear(joker_state *s) {
    s->last_cost = s->last_money = s->last_cards = 0;
    s->last_type = s->last_tag = s->last_consumable = s->last_sold = -1;
    s->last_gain = 0.0;
    s->last_cleared = 0;
}

/* What an action leaves as it was: only few need all groups written anew. */
static LU_HD uint64_t joker_changed(int type, bool illegal) {
    const uint64_t shown = 1u << JOKER_GROUP_SHOWN, shop = 1u << JOKER_GROUP_SHOP;
    if (illegal) {
        return 1u << JOKER_GROUP_RUN;
    }
    switch (type) {
    case JOKER_ACT_MOVE_CARD:
        return 1u << JOKER_GROUP_RUN | 1u << JOKER_GROUP_HAND;
    case JOKER_ACT_MOVE_JOKER:
        return 1u << JOKER_GROUP_RUN | 1u << JOKER_GROUP_JOKERS;
    case JOKER_ACT_SELECT:
        return 1u << JOKER_GROUP_RUN;
    case JOKER_ACT_DISCARD:
    case JOKER_ACT_PLAY:
        return ~(shown | shop);
    default:
        return LU_ALL_CHANGED;
    }
}

static LU_HD void joker_finish_step(const joker_rules *m, joker_state *s, int type, bool illegal,
                                    const joker_prior *before, double *terms, lu_step *step) {
    s->steps++;
    s->illegal += illegal;
    s->last_action = type;
    s->last_money = s->money - before->money;
    s->top_ante = s->ante > s->top_ante ? s->ante : s->top_ante;
    joker_terms(m, s, before, terms);
    step->ticks = 1;
    step->illegal = illegal;
    step->unused = 0;
    step->terminated = s->phase == JOKER_END;
    step->truncated = !step->terminated && m->step_limit > 0 && s->steps >= m->step_limit;
    step->changed = joker_changed(type, illegal);
}

static LU_HD void joker_step(const lu_rules *head, void *bytes, const int32_t *actions,
                             double *terms, lu_step *step) {
    const joker_rules *m = joker_rules_of(head);
    joker_state *s = (joker_state *)bytes;
    joker_action action;
    joker_prior before;
    joker_prior_fill(m, s, &before);
    bool legal = joker_read_action(m, s, actions, &action);
    joker_record_clear(s);
    if (legal) {
        joker_perform(m, s, &action);
    }
    joker_finish_step(m, s, legal ? action.type : -1, !legal, &before, terms, step);
}

static LU_HD void joker_brief_step(const lu_rules *head, void *bytes, const int32_t *actions,
                                   double *terms, lu_step *step) {
    const joker_rules *m = joker_rules_of(head);
    joker_state *s = (joker_state *)bytes;
    joker_action action;
    joker_prior before;
    joker_prior_fill(m, s, &before);
    bool legal = joker_brief_read(m, s, actions, &action);
    joker_record_clear(s);
    if (legal) {
        joker_brief_do(m, s, &action);
    }
    joker_finish_step(m, s, legal ? action.type : -1, !legal, &before, terms, step);
    step->changed = LU_ALL_CHANGED;
}

static LU_HD void joker_plan_step(const lu_rules *head, void *bytes, const int32_t *actions,
                                  double *terms, lu_step *step) {
    const joker_rules *m = joker_rules_of(head);
    joker_state *s = (joker_state *)bytes;
    joker_prior before;
    joker_prior_fill(m, s, &before);
    uint32_t choice = (uint32_t)actions[0];
    bool legal = choice < JOKER_CHOICES && joker_plan_legal(m, s) >> choice & 1u;
    joker_record_clear(s);
    int type = legal ? joker_plan_do(m, s, (int)choice) : -1;
    joker_finish_step(m, s, type, !legal, &before, terms, step);
    step->changed = legal ? LU_ALL_CHANGED : 0; /* steps and illegal ones are not seen */
}

/* ---- hidden things ---- */

/* Swaps what two cards are, but for where they lie: flags of the place stay. */
LU_INLINE void joker_swap_places(joker_state *s, uint8_t *a, uint8_t *b) {
    uint8_t down_a = s->card[*a].flags & (JOKER_CARD_DOWN | JOKER_CARD_FORCED);
    uint8_t down_b = s->card[*b].flags & (JOKER_CARD_DOWN | JOKER_CARD_FORCED);
    uint8_t other = *a;
    const uint8_t both = JOKER_CARD_DOWN | JOKER_CARD_FORCED;
    *a = *b;
    *b = other;
    s->card[*a].flags = (uint8_t)((s->card[*a].flags & ~both) | down_a);
    s->card[*b].flags = (uint8_t)((s->card[*b].flags & ~both) | down_b);
}

/* Order of the draw pile, face-down cards and jokers, the seed and all draws to come. */
static LU_HD void joker_determinise(const lu_rules *head, void *bytes, int seat, lu_rng *rng) {
    const joker_rules *m = joker_rules_of(head);
    joker_state *s = (joker_state *)bytes;
    uint8_t *place[JOKER_DECK_MAX + JOKER_HAND_MAX];
    int places = 0;
    (void)seat;
    for (int i = 0; i < s->draws; i++) {
        place[places++] = &s->draw[i];
    }
    for (int i = 0; i < s->held; i++) {
        if (s->card[s->hand[i]].flags & JOKER_CARD_DOWN) {
            place[places++] = &s->hand[i];
        }
    }
    for (int i = places - 1; i > 0; i--) {
        joker_swap_places(s, place[i], place[lu_rng_below(rng, (uint32_t)i + 1u)]);
    }
    int down[JOKER_ROW_MAX], jokers = 0;
    for (int i = 0; i < s->jokers; i++) {
        if (s->joker[i].flags & JOKER_DOWN) {
            down[jokers++] = i;
        }
    }
    for (int i = jokers - 1; i > 0; i--) {
        int a = down[i], b = down[lu_rng_below(rng, (uint32_t)i + 1u)];
        joker_joker other = s->joker[a];
        s->joker[a] = s->joker[b];
        s->joker[b] = other;
    }
    uint64_t seed = lu_rng_u64(rng);
    s->number = seed;
    joker_seed_number(m, s, seed);
}

/* ---- cores of the variants ---- */

#define LU_LOOP_GAME        joker
#define LU_LOOP_NAMES       JOKER
#define LU_LOOP_STATE       joker_state
#define LU_LOOP_HEADS       JOKER_HEADS
#define LU_LOOP_OBSERVATION JOKER_OBSERVATION
#define LU_LOOP_MASK        JOKER_MASK
#define LU_LOOP_SUBMASK     1
#include "ludus/loop.h"

#undef LU_LOOP_GAME
#undef LU_LOOP_HEADS
#undef LU_LOOP_OBSERVATION
#undef LU_LOOP_MASK
#define LU_LOOP_GAME            joker_brief
#define LU_LOOP_HEADS           JOKER_BRIEF_HEADS
#define LU_LOOP_OBSERVATION     JOKER_BRIEF_OBSERVATION
#define LU_LOOP_MASK            JOKER_BRIEF_MASK
#define joker_brief_reset       joker_reset
#define joker_brief_info        joker_info
#define joker_brief_determinise joker_determinise
#include "ludus/loop.h"

#undef LU_LOOP_GAME
#undef LU_LOOP_HEADS
#undef LU_LOOP_OBSERVATION
#undef LU_LOOP_MASK
#undef LU_LOOP_SUBMASK
#define LU_LOOP_GAME           joker_plan
#define LU_LOOP_HEADS          1
#define LU_LOOP_OBSERVATION    JOKER_PLAN_OBSERVATION
#define LU_LOOP_MASK           JOKER_CHOICES
#define joker_plan_reset       joker_reset
#define joker_plan_info        joker_info
#define joker_plan_determinise joker_determinise
#include "ludus/loop.h"
