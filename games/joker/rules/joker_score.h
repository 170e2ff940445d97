/* Joker, part: the score of a played hand, step by step (section 5). joker_score_run does steps 1
 * to 10 on the copies inside a joker_scoring; joker_score_after step 12; joker_score_commit writes
 * both back; joker_score does all three. Left to joker_round.h: moving cards, adding the score,
 * making the consumables of `made`, adding DNA's copies (without a card_added event: that has
 * happened), removing jokers that ended. Floating-point operations are in the order of the rules.
 * Ownership: nothing is owned. Threads: no state. */
#pragma once

#include "ludus/linkage.h"

#include "rules/joker_when.h"

LU_C_BEGIN

/* ---- what is given ---- */

/* Writes a step into the trace: what was given, and what there is now. */
LU_INLINE void joker_note(joker_scoring *c, int step, int card, int joker, double chips,
                          double mult, double x, double money) {
    joker_trace *t = c->trace;
    if (t->count >= JOKER_TRACE_MAX) {
        t->lost++;
        return;
    }
    joker_trace_step *n = &t->step[t->count++];
    n->step = (uint8_t)step;
    n->card = (int8_t)card;
    n->joker = (int8_t)joker;
    n->acting = (int8_t)(joker >= 0 ? c->acts[joker] : -1);
    n->chips = chips;
    n->mult = mult;
    n->x = x;
    n->money = money;
    n->chips_now = c->chips;
    n->mult_now = c->mult;
}

/* Adds chips, then mult, then money, then multiplies; an x of 1 or less is none. `joker` = its
 * place, -1 when a card or the game gives. */
LU_INLINE void joker_give(joker_scoring *c, int step, int card, int joker, double chips,
                          double mult, double money, double x) {
    c->chips += chips;
    c->mult += mult;
    c->mult_added += mult;
    c->money += money;
    c->dollars += money;
    if (x > 1.0) {
        c->mult *= x;
    }
    if (joker >= 0) {
        c->chips_jokers += chips;
        c->mult_jokers += mult;
        c->x_jokers *= x > 1.0 ? x : 1.0;
    }
    if (c->trace && (chips != 0.0 || mult != 0.0 || money != 0.0 || x > 1.0)) {
        joker_note(c, step, card, joker, chips, mult, x > 1.0 ? x : 0.0, money);
    }
}

/* The lowest place in a set, taken out of it. */
LU_INLINE int joker_next(uint32_t *set) {
    int place = lu_lowest_bit(*set);
    *set &= *set - 1u;
    return place;
}

/* ---- jokers before the cards ---- */

/* A consumable is made if a slot is free and the odds hold: the slot is looked at first. */
LU_INLINE void joker_make_one(const joker_rules *m, joker_state *s, joker_scoring *c,
                              const joker_row *row) {
    if (c->made_count >= c->bag_free || c->made_count >= JOKER_SCORING_MADE) {
        return;
    }
    double share = row->odds ? joker_roll(m, s, c, row->key, row->odds, false) : 1.0;
    c->made_mean += share;
    if (share >= 1.0) {
        joker_made *made = &c->made[c->made_count++];
        made->set = (uint8_t)(row->make - 1);
        made->suffix = row->suffix;
    }
}

/* DNA: the card of a single first hand joins the held cards; Hologram sees it at once. */
LU_INLINE void joker_dna(joker_scoring *c) {
    if (!c->first || c->played_count != 1 || c->held_count >= JOKER_SCORING_HELD) {
        return;
    }
    c->held_card[c->held_count++] = c->card[0];
    c->copies++;
    joker_row_added(c->joker, c->jokers, 1);
}

LU_INLINE void joker_vampire(joker_scoring *c, const joker_row *row, joker_joker *joker) {
    int stripped = 0;
    for (int i = 0; i < c->played_count; i++) {
        joker_card *card = &c->card[i];
        if (joker_scores(c, i) && card->enhancement && !joker_card_debuffed(card)) {
            card->enhancement = JOKER_PLAIN;
            stripped++;
        }
    }
    joker->x = joker->x + row->by_x * stripped;
}

LU_INLINE void joker_midas(joker_scoring *c) {
    for (int i = 0; i < c->played_count; i++) {
        if (joker_scores(c, i) && joker_face(&c->card[i], c->rules)) {
            c->card[i].enhancement = JOKER_GOLD;
        }
    }
}

/* Step 4 for one place. */
LU_INLINE void joker_before(const joker_rules *m, joker_state *s, joker_scoring *c, int place) {
    int at = c->acts[place];
    const joker_row *row = joker_row_of(&c->joker[at]);
    joker_joker *joker = &c->joker[at];
    bool own = at == place; /* copies never do the growth */
    if (own && row->grows & JOKER_HOOK_BEFORE) {
        if (joker_holds(s, c, row, at)) {
            (void)joker_store_grow(row, joker, 1);
        } else if (row->flags & JOKER_ROW_ELSE_BACK) {
            joker_store_back(row, joker);
        }
    }
    if (row->effect == JOKER_E_FIXED && joker_holds(s, c, row, at)) {
        joker_give(c, JOKER_STEP_BEFORE, -1, place, row->chips, row->mult, row->money, row->x);
    }
    switch (row->call) {
    case JOKER_DO_SPACE:
        c->level += joker_roll(m, s, c, row->key, row->odds, true);
        break;
    case JOKER_DO_DNA:
        joker_dna(c);
        break;
    case JOKER_DO_VAMPIRE:
        if (own) {
            joker_vampire(c, row, joker);
        }
        break;
    case JOKER_DO_MIDAS_MASK:
        joker_midas(c);
        break;
    default:
        return;
    }
    if (c->trace) {
        joker_note(c, JOKER_STEP_BEFORE, -1, place, 0.0, 0.0, 0.0, 0.0);
    }
}

/* ---- scored cards ---- */

/* The card itself: chips, mult, money, Glass, then its edition. */
LU_INLINE void joker_score_card(const joker_rules *m, joker_state *s, joker_scoring *c, int i) {
    const joker_card *card = &c->card[i];
    if (!c->trace && !(card->enhancement | card->edition | card->seal)) {
        c->hit = 0.0; /* plain: chips are all it gives */
        c->chips += card->bonus + joker_chip_value(card->rank);
        return;
    }
    double chips = card->bonus, mult = 0.0, money = card->seal == JOKER_GOLD_SEAL ? 3.0 : 0.0;
    chips += card->enhancement == JOKER_STONE ? 50 : joker_chip_value(card->rank);
    c->hit = 0.0;
    if (card->enhancement == JOKER_BONUS) {
        chips += 30.0;
    } else if (card->enhancement == JOKER_MULT) {
        mult = 4.0;
    } else if (card->enhancement == JOKER_LUCKY) {
        double first = joker_roll(m, s, c, JOKER_K_LUCKY_MULT, 5, true);
        double second = joker_roll(m, s, c, JOKER_K_LUCKY_MONEY, 15, c->money_counts);
        mult = 20.0 * first;
        money += 20.0 * second;
        c->hit = 1.0 - (1.0 - first) * (1.0 - second);
    }
    joker_give(c, JOKER_STEP_CARD, i, -1, chips, mult, money,
               card->enhancement == JOKER_GLASS ? 2.0 : 0.0);
    if (card->edition) {
        joker_give(c, JOKER_STEP_EDITION, i, -1, card->edition == JOKER_FOIL ? 50.0 : 0.0,
                   card->edition == JOKER_HOLO ? 10.0 : 0.0, 0.0,
                   card->edition == JOKER_POLY ? 1.5 : 0.0);
    }
}

/* Gives what a row holds for one card, if its odds do; false when they do not. */
LU_INLINE bool joker_give_card(const joker_rules *m, joker_state *s, joker_scoring *c,
                               const joker_row *row, int step, int card, int place) {
    if (row->make) {
        joker_make_one(m, s, c, row);
        return false;
    }
    bool counts = c->money_counts || !row->money;
    double share = row->odds ? joker_roll(m, s, c, row->key, row->odds, counts) : 1.0;
    if (share <= 0.0) {
        return false;
    }
    double x = share < 1.0 && row->x > 0.0 ? 1.0 + share * (row->x - 1.0) : row->x;
    joker_give(c, step, card, place, share * row->chips, share * row->mult, share * row->money, x);
    return true;
}

/* Jokers on one trigger of a scored card. */
LU_INLINE void joker_scored(const joker_rules *m, joker_state *s, joker_scoring *c, int i) {
    uint32_t marks = c->marks[i] | (c->hit > 0.0 ? (uint32_t)JOKER_M_HIT : 0u);
    for (uint32_t left = c->on_scored; left;) {
        int place = joker_next(&left), at = c->acts[place];
        const joker_row *row = joker_row_of(&c->joker[at]);
        if (!(marks & row->filter)) {
            continue;
        }
        if (row->effect == JOKER_E_PER_SCORED) {
            (void)joker_give_card(m, s, c, row, JOKER_STEP_SCORED, i, place);
        } else if (row->call == JOKER_DO_HIKER) {
            int bonus = c->card[i].bonus + row->chips;
            c->card[i].bonus = (uint16_t)(bonus < UINT16_MAX ? bonus : UINT16_MAX);
        } else if (row->grows & JOKER_HOOK_SCORED && at == place) {
            double times = row->filter & JOKER_M_HIT ? c->hit : 1.0;
            c->joker[at].a += row->by;
            c->joker[at].x += row->by_x * times;
        }
    }
}

/* Marks of the scoring cards, with those of their places. */
LU_INLINE void joker_mark_scoring(const joker_state *s, joker_scoring *c) {
    uint32_t first = JOKER_M_FIRST, face = JOKER_M_FIRST_FACE;
    for (int i = 0; i < c->played_count; i++) {
        if (!joker_scores(c, i)) {
            continue;
        }
        uint32_t marks = joker_marks(s, &c->card[i], c->rules) | first;
        first = 0;
        if (marks & JOKER_M_FACE) {
            marks |= face;
            face = 0;
        }
        c->marks[i] = marks;
    }
}

/* How often a scored card that is not debuffed triggers. */
LU_INLINE int joker_triggers(const joker_state *s, const joker_scoring *c, int i) {
    int triggers = 1 + (c->card[i].seal == JOKER_RED_SEAL ? 1 : 0);
    for (uint32_t left = c->on_again; left;) {
        int at = c->acts[joker_next(&left)];
        const joker_row *row = joker_row_of(&c->joker[at]);
        if (c->marks[i] & row->filter && joker_holds(s, c, row, at)) {
            triggers += row->again;
        }
    }
    return triggers;
}

/* A scored card with all its triggers, each followed by the jokers on it. */
LU_INLINE void joker_trigger_card(const joker_rules *m, joker_state *s, joker_scoring *c, int i) {
    for (int t = joker_triggers(s, c, i); t > 0; t--) {
        joker_score_card(m, s, c, i);
        if (c->on_scored) {
            joker_scored(m, s, c, i);
        }
    }
}

/* Step 6: scored cards left to right, each with all its triggers. */
LU_INLINE void joker_score_cards(const joker_rules *m, joker_state *s, joker_scoring *c) {
    if (c->on_scored | c->on_again) {
        joker_mark_scoring(s, c);
    }
    for (int i = 0; i < c->played_count; i++) {
        if (!joker_scores(c, i)) {
            continue;
        }
        if (joker_card_debuffed(&c->card[i])) {
            c->acted = c->acted || c->boss != JOKER_NONE;
        } else {
            joker_trigger_card(m, s, c, i);
        }
    }
}

/* ---- held cards ---- */

/* One trigger of a held card; true when it did something. */
LU_INLINE bool joker_held_once(const joker_rules *m, joker_state *s, joker_scoring *c, int i,
                               uint32_t marks) {
    bool did = false;
    if (c->held_card[i].enhancement == JOKER_STEEL && marks) {
        joker_give(c, JOKER_STEP_HELD_CARD, JOKER_PLAY_MAX + i, -1, 0.0, 0.0, 0.0, 1.5);
        did = true;
    }
    for (uint32_t left = c->on_held; left;) {
        int place = joker_next(&left);
        const joker_row *row = joker_row_of(&c->joker[c->acts[place]]);
        if (!(marks & row->filter)) {
            continue;
        }
        if (row->call == JOKER_DO_RAISED_FIST) {
            double mult = row->mult * joker_chip_value(c->held_card[i].rank);
            joker_give(c, JOKER_STEP_HELD, JOKER_PLAY_MAX + i, place, 0.0, mult, 0.0, 0.0);
            did = true;
        } else if (joker_give_card(m, s, c, row, JOKER_STEP_HELD, JOKER_PLAY_MAX + i, place)) {
            did = true;
        }
    }
    return did;
}

/* The lowest held card by rank, the rightmost of equals, Stone cards apart; -1 = none. */
LU_INLINE int joker_lowest_held(const joker_scoring *c) {
    int lowest = -1, rank = 15;
    for (int i = 0; i < c->held_count; i++) {
        if (c->held_card[i].enhancement != JOKER_STONE && c->held_card[i].rank <= rank) {
            rank = c->held_card[i].rank;
            lowest = i;
        }
    }
    return lowest;
}

/* How often more a held card that did something triggers, but for its seal. */
LU_INLINE int joker_again_held(const joker_scoring *c) {
    int again = 0;
    for (uint32_t left = c->on_again_held; left;) {
        again += joker_row_of(&c->joker[c->acts[joker_next(&left)]])->again;
    }
    return again;
}

/* A held card with all its triggers: those that did something again for a Red seal and Mime. */
LU_INLINE void joker_trigger_held(const joker_rules *m, joker_state *s, joker_scoring *c, int i,
                                  uint32_t marks, int again) {
    if (joker_held_once(m, s, c, i, marks)) {
        again += c->held_card[i].seal == JOKER_RED_SEAL ? 1 : 0;
        for (int t = 0; t < again; t++) {
            (void)joker_held_once(m, s, c, i, marks);
        }
    }
}

/* Step 7: held cards left to right. */
LU_INLINE void joker_score_held(const joker_rules *m, joker_state *s, joker_scoring *c) {
    int again = joker_again_held(c), lowest = c->on_held ? joker_lowest_held(c) : -1;
    for (int i = 0; i < c->held_count; i++) {
        const joker_card *card = &c->held_card[i];
        if (joker_card_debuffed(card) || (!c->on_held && card->enhancement != JOKER_STEEL)) {
            continue;
        }
        uint32_t marks = c->on_held ? joker_marks(s, card, c->rules) : (uint32_t)JOKER_M_ANY;
        marks |= i == lowest ? (uint32_t)JOKER_M_LOWEST : 0u;
        joker_trigger_held(m, s, c, i, marks, again);
    }
}

/* ---- jokers ---- */

/* The main effect of what acts at a place. */
LU_INLINE void joker_main(const joker_rules *m, joker_state *s, joker_scoring *c, int place) {
    int at = c->acts[place];
    const joker_joker *joker = &c->joker[at];
    const joker_row *row = joker_row_of(joker);
    double chips = 0.0, mult = 0.0, money = 0.0, x = 0.0, count;
    switch (row->effect) {
    case JOKER_E_FIXED:
        if (!joker_holds(s, c, row, at)) {
            return;
        }
        chips = row->chips;
        mult = row->mult;
        money = row->money;
        x = row->x;
        break;
    case JOKER_E_FROM_RUN:
        count = joker_counted(c, row, at);
        chips = row->chips * count;
        mult = row->mult * count;
        x = row->x > 0.0 ? 1.0 + row->x * count : 0.0;
        break;
    case JOKER_E_STORED_CHIPS:
        chips = joker->a;
        break;
    case JOKER_E_STORED_MULT:
        mult = joker->a;
        break;
    case JOKER_E_STORED_X:
        x = joker->x;
        break;
    case JOKER_E_MAKE:
        if (joker_holds(s, c, row, at)) {
            joker_make_one(m, s, c, row);
        }
        return;
    default:
        if (row->call == JOKER_DO_MISPRINT) {
            mult = joker_roll_number(m, s, c, row->key, row->mult);
        }
        break;
    }
    joker_give(c, JOKER_STEP_MAIN, -1, place, chips, mult, money, x);
}

/* Step 8: every joker with its edition and what others make of it, then Planets. */
LU_INLINE void joker_score_jokers(const joker_rules *m, joker_state *s, joker_scoring *c) {
    for (int i = 0; i < c->jokers; i++) {
        int edition = joker_live(&c->joker[i]) ? c->joker[i].edition : (int)JOKER_BASE;
        if (edition == JOKER_FOIL || edition == JOKER_HOLO) {
            joker_give(c, JOKER_STEP_JOKER_EDITION, -1, i, edition == JOKER_FOIL ? 50.0 : 0.0,
                       edition == JOKER_HOLO ? 10.0 : 0.0, 0.0, 0.0);
        }
        if (c->on_main >> i & 1u) {
            joker_main(m, s, c, i);
        }
        for (uint32_t left = c->on_other; left;) {
            int place = joker_next(&left);
            const joker_row *row = joker_row_of(&c->joker[c->acts[place]]);
            if (joker_joker_facts[c->joker[i].id].rarity == row->of) {
                joker_give(c, JOKER_STEP_OTHER, -1, place, 0.0, 0.0, 0.0, row->x);
            }
        }
        if (edition == JOKER_POLY) {
            joker_give(c, JOKER_STEP_JOKER_EDITION, -1, i, 0.0, 0.0, 0.0, 1.5);
        }
    }
    for (int i = 0; i < c->planets[c->found.hand]; i++) {
        joker_give(c, JOKER_STEP_OBSERVATORY, -1, -1, 0.0, 0.0, 0.0, 1.5);
    }
}

/* ---- the boss, the level, what breaks ---- */

/* Step 3: whether the boss lets the hand score nothing; Arm and Ox act here. */
LU_INLINE bool joker_boss_check(const joker_state *s, joker_scoring *c) {
    int hand = c->found.hand;
    switch (c->boss) {
    case JOKER_BL_PSYCHIC:
        return c->played_count < 5;
    case JOKER_BL_EYE:
        return c->plays_round > 1;
    case JOKER_BL_MOUTH:
        return s->first_hand != JOKER_NONE && s->first_hand != hand;
    case JOKER_BL_ARM:
        if (c->level > 1.0) {
            c->level -= 1.0;
            c->acted = 1;
        }
        return false;
    case JOKER_BL_OX:
        if (hand == s->ox_hand) {
            c->dollars -= c->money;
            c->money = 0.0;
            c->acted = 1;
        }
        return false;
    default:
        return false;
    }
}

/* Step 5: chips and mult of the level; The Flint halves both. */
LU_INLINE void joker_base(joker_scoring *c) {
    const joker_hand_fact *fact = &joker_hand_facts[c->found.hand];
    double chips = fact->chips + fact->chips_step * (c->level - 1.0);
    double mult = fact->mult + fact->mult_step * (c->level - 1.0);
    c->chips = chips > 0.0 ? chips : 0.0;
    c->mult = mult > 1.0 ? mult : 1.0;
    if (c->trace) {
        joker_note(c, JOKER_STEP_BASE, -1, -1, c->chips, c->mult, 0.0, 0.0);
    }
    if (c->boss == JOKER_BL_FLINT) {
        mult = lu_floor(c->mult / 2.0 + 0.5);
        c->mult = mult > 1.0 ? mult : 1.0;
        c->chips = lu_floor(c->chips / 2.0 + 0.5);
        c->acted = 1;
    }
    c->mult_added = c->mult;
    if (c->trace && c->acted) {
        joker_note(c, JOKER_STEP_BOSS, -1, -1, 0.0, 0.0, 0.0, 0.0);
    }
}

/* Step 10: Sixth Sense, then Glass; all destroyed cards are reported once. Breaking changes no
 * score: without streams only certain odds break. */
LU_INLINE void joker_break(const joker_rules *m, joker_state *s, joker_scoring *c) {
    uint32_t marks[JOKER_PLAY_MAX + 3] = {0};
    int lost = 0;
    for (int i = 0; i < c->played_count; i++) {
        const joker_card *card = &c->card[i];
        if (!joker_scores(c, i)) {
            continue;
        }
        bool destroyed = false;
        if (c->on_destroy && c->first && c->played_count == 1) {
            uint32_t left = c->on_destroy;
            const joker_row *row = joker_row_of(&c->joker[c->acts[joker_next(&left)]]);
            if (joker_rank_bit(card) & row->filter) {
                destroyed = true;
                joker_make_one(m, s, c, row);
            }
        }
        if (card->enhancement == JOKER_GLASS && !joker_card_debuffed(card)) {
            bool broke = c->luck.mode == JOKER_LUCK_STREAMS
                             ? joker_roll(m, s, c, JOKER_K_GLASS, 4, false) >= 1.0
                             : c->odds >= 4;
            destroyed = destroyed || broke;
        }
        if (destroyed) {
            c->broken |= 1u << i;
            marks[lost++] = joker_marks(s, card, c->rules);
            if (c->trace) {
                joker_note(c, JOKER_STEP_BREAK, i, -1, 0.0, 0.0, 0.0, 0.0);
            }
        }
    }
    if (lost) {
        joker_row_lost(c->joker, c->jokers, marks, lost);
    }
}

/* ---- the hand ---- */

/* Copies of the jokers. */
LU_INLINE void joker_scoring_jokers(const joker_state *s, joker_scoring *c) {
    for (int i = 0; i < c->jokers; i++) {
        c->joker[i] = s->joker[i];
    }
}

/* Results from nothing. */
LU_INLINE void joker_scoring_clear(const joker_state *s, joker_scoring *c) {
    c->chips = c->mult = c->score = c->dollars = 0.0;
    c->money = c->money_before;
    c->chips_added = c->mult_added = c->chips_jokers = c->mult_jokers = 0.0;
    c->made_mean = c->hit = 0.0;
    c->x_jokers = 1.0;
    c->acted = s->boss_acted && c->boss != JOKER_NONE;
    c->broken = c->ended = 0;
    c->copies = c->made_count = 0;
    c->luck.rolls = c->luck.lost = 0;
    c->luck.chance = 1.0;
    if (c->trace) {
        c->trace->count = c->trace->lost = 0;
    }
}

/* What the hand that was found brings along, and step 3: false when the boss lets it score nothing.
 */
LU_INLINE bool joker_score_open(const joker_rules *m, joker_state *s, joker_scoring *c) {
    c->level = s->level[c->found.hand];
    c->plays = s->plays[c->found.hand] + 1;
    c->plays_round = s->plays_round[c->found.hand] + 1;
    c->blocked = joker_boss_check(s, c);
    if (c->blocked) {
        c->acted = 1;
        if (c->trace) {
            joker_note(c, JOKER_STEP_BLOCKED, -1, -1, 0.0, 0.0, 0.0, 0.0);
        }
        for (uint32_t left = c->on_blocked; left;) {
            joker_main(m, s, c, joker_next(&left));
        }
    }
    return !c->blocked;
}

/* Steps 8 and 9: jokers, Plasma Deck, the score. */
LU_INLINE void joker_score_close(const joker_rules *m, joker_state *s, joker_scoring *c) {
    joker_score_jokers(m, s, c);
    c->chips_added = c->chips;
    if (c->plasma) {
        double half = lu_floor((c->chips + c->mult) / 2.0);
        c->chips = c->mult = half;
        if (c->trace) {
            joker_note(c, JOKER_STEP_PLASMA, -1, -1, 0.0, 0.0, 0.0, 0.0);
        }
    }
    c->score = lu_floor(c->chips * c->mult);
}

/* Steps 3 to 9 for the hand that was found, with cards and jokers in the call. */
LU_INLINE void joker_score_found(const joker_rules *m, joker_state *s, joker_scoring *c) {
    if (!joker_score_open(m, s, c)) {
        return;
    }
    for (uint32_t left = c->on_before; left;) {
        joker_before(m, s, c, joker_next(&left));
    }
    joker_base(c);
    joker_score_cards(m, s, c);
    joker_score_held(m, s, c);
    joker_score_close(m, s, c);
}

/* The same for a hand of plain cards with none held, where no joker acts before the jokers do: the
 * cards only add their chips, which are whole. */
LU_INLINE void joker_score_plain(const joker_rules *m, joker_state *s, joker_scoring *c) {
    int chips = 0;
    if (!joker_score_open(m, s, c)) {
        return;
    }
    for (int i = 0; i < c->played_count; i++) {
        chips += joker_scores(c, i) ? joker_chip_value(c->card[i].rank) : 0;
    }
    joker_base(c);
    c->chips += chips;
    joker_score_close(m, s, c);
}

/* Copies of the cards and jokers of the call. */
LU_INLINE void joker_scoring_lay(const joker_state *s, joker_scoring *c) {
    for (int i = 0; i < c->played_count; i++) {
        c->card[i] = s->card[c->played[i]];
    }
    for (int i = 0; i < c->held_count; i++) {
        c->held_card[i] = s->card[c->held[i]];
    }
    joker_scoring_jokers(s, c);
}

/* Steps 2 to 10 for what was laid and found. */
LU_INLINE void joker_score_laid(const joker_rules *m, joker_state *s, joker_scoring *c) {
    int held = c->held_count;
    joker_scoring_clear(s, c);
    joker_score_found(m, s, c);
    if (!c->blocked) {
        joker_break(m, s, c);
        c->held_count = held; /* DNA's copies lie behind the held cards */
    }
}

/* Steps 1 to 10 for the cards of the call; afterwards its results hold. The state changes only by
 * rolls (JOKER_LUCK_STREAMS). */
LU_INLINE void joker_score_run(const joker_rules *m, joker_state *s, joker_scoring *c) {
    joker_scoring_lay(s, c);
    c->found = joker_detect(c->card, c->played_count, c->rules);
    joker_score_laid(m, s, c);
}

/* Step 12: jokers that are used up by hands (Ice Cream, Seltzer). */
LU_INLINE void joker_score_after(joker_scoring *c) {
    for (int i = 0; i < c->jokers; i++) {
        const joker_row *row = joker_row_of(&c->joker[i]);
        if (row->grows & JOKER_HOOK_AFTER && joker_live(&c->joker[i]) &&
            joker_store_grow(row, &c->joker[i], 1)) {
            c->ended |= 1u << i;
        }
    }
}

/* Writes a scored hand into the state: cards, jokers, level, plays, money, the last hand. */
LU_INLINE void joker_score_commit(joker_state *s, const joker_scoring *c) {
    int hand = c->found.hand;
    for (int i = 0; i < c->played_count; i++) {
        s->card[c->played[i]] = c->card[i];
    }
    for (int i = 0; i < c->jokers; i++) {
        s->joker[i] = c->joker[i];
    }
    s->level[hand] = (uint16_t)c->level;
    s->plays[hand] = (uint16_t)c->plays;
    s->plays_round[hand] = (uint8_t)c->plays_round;
    s->visible |= (uint16_t)(1u << hand);
    s->last_hand = (uint8_t)hand;
    s->first_hand = s->first_hand == JOKER_NONE ? (uint8_t)hand : s->first_hand;
    s->boss_acted = c->acted != 0;
    s->money = (int32_t)c->money;
    s->last_chips = c->chips;
    s->last_mult = c->mult;
    s->last_score = c->score;
    s->chips_jokers = c->chips_added > 0.0 ? c->chips_jokers / c->chips_added : 0.0;
    s->mult_jokers = c->mult_added > 0.0 ? c->mult_jokers / c->mult_added : 0.0;
    s->x_jokers = c->x_jokers;
}

/* Scores the hand of a call with facts and cards filled in, and writes it into the state. */
LU_INLINE void joker_score(const joker_rules *m, joker_state *s, joker_scoring *c) {
    joker_score_run(m, s, c);
    joker_score_after(c);
    joker_score_commit(s, c);
}

LU_C_END
