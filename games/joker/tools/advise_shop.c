/* Advice between rounds: what each offer would do to the build, what the trained agent would choose
 * (agent estimate), what the search would do, and one of them as advice. Jokers and Planets are
 * measured by simulated rounds (search estimate); packs, vouchers, Tarots and Spectrals have values
 * by rule, for what is in a pack is not known. Prices, interest and what a Planet adds are exact.
 */
#include "advise.h"
#include "steps.h"

#include "variants/joker_plan.h"

#include <math.h>
#include <stdlib.h>

enum {
    SEED = 20261115,
    PREPARE_MOST = JOKER_ROW_MAX + 2 /* actions: all jokers moved, one sold */
};

typedef struct desk {
    joker_player player;
    joker_state after;
    joker_skill skill;
    joker_situation now;
} desk;

typedef struct offer {
    const char *kind, *title;
    int price;
    double value;  /* more of the logarithm of a round's score */
    double gain;   /* the same less what its dollars are worth */
    int instead;   /* joker that would leave; -1 */
    int hand;      /* that a Planet raises; -1 */
    bool measured; /* by simulation, else by rule */
    bool possible;
} offer;

/* ---- what is exact ---- */

/* Interest that a purse brings at the cash-out. */
static int interest_of(const joker_state *s, int money) {
    int fives = s->deck == JOKER_B_GREEN || money < 5 ? 0 : money / 5;
    return joker_interest_rate(s) * (fives < s->interest_cap ? fives : s->interest_cap);
}

/* What the rules say of an offer, whatever it is worth. */
static void write_exact(joker_ask *ask, const offer *o, lu_text *line, lu_json *json) {
    const joker_state *s = &ask->state;
    int refund = o->instead >= 0 ? joker_sell_value(&s->joker[o->instead]) : 0;
    int left = s->money + refund - o->price;
    int lost = interest_of(s, s->money) - interest_of(s, left);
    lu_json_key_object(json, "exact");
    lu_json_key_int(json, "money_after", left);
    lu_json_key_int(json, "interest_lost", lost);
    lu_text_addf(line, "; $%d left", left);
    if (lost > 0) {
        lu_text_addf(line, ", $%d less interest a round", lost);
    }
    if (o->hand >= 0) {
        int level = s->level[o->hand];
        int chips = joker_hand_chips(o->hand, level + 1) - joker_hand_chips(o->hand, level);
        int mult = joker_hand_mult(o->hand, level + 1) - joker_hand_mult(o->hand, level);
        lu_json_key_string(json, "hand", joker_hand_words[o->hand].title);
        lu_json_key_int(json, "chips", chips);
        lu_json_key_int(json, "mult", mult);
        lu_text_addf(line, ", %s +%d chips +%d mult", joker_hand_words[o->hand].title, chips, mult);
    }
    lu_json_object_end(json);
    lu_text_add(line, " (exact)");
}

static void write_offer(joker_ask *ask, const offer *o, lu_json *json) {
    const char *label = o->measured ? "search estimate" : "rule";
    const char *instead =
        o->instead >= 0 ? joker_joker_words[ask->state.joker[o->instead].id].title : NULL;
    lu_text line = LU_TEXT_INIT;
    lu_text_addf(&line, "  %s %s, $%d: ", o->kind, o->title, o->price);
    lu_json_object(json);
    lu_json_key_string(json, "kind", o->kind);
    lu_json_key_string(json, "title", o->title);
    lu_json_key_int(json, "price", o->price);
    lu_json_key_bool(json, "possible", o->possible);
    if (o->possible) {
        lu_json_key_real(json, "score_gain", exp(o->value) - 1.0);
        lu_json_key_real(json, "worth", o->gain);
        lu_json_key_string(json, "label", label);
        if (instead) {
            lu_json_key_string(json, "instead_of", instead);
        }
        lu_text_addf(&line, "%+.0f%% of a round's score%s%s%s (%s)", 100.0 * (exp(o->value) - 1.0),
                     instead ? " instead of " : "", instead ? instead : "",
                     o->gain > 0.0 ? ", worth its price" : "", label);
        write_exact(ask, o, &line, json);
    } else {
        lu_text_add(&line, "cannot be taken");
    }
    lu_json_object_end(json);
    joker_ask_line(&ask->words, "%s", line.text);
    lu_text_free(&line);
}

/* ---- offers ---- */

/* An offer whose value is known by rule. */
static offer plain_offer(const joker_state *s, const desk *d, const char *kind, const char *title,
                         int price, double value) {
    return (offer){.kind = kind,
                   .title = title,
                   .price = price,
                   .value = value,
                   .gain = value - d->now.dollar * joker_cost(s, price),
                   .instead = -1,
                   .hand = -1};
}

static offer joker_offer_of(const joker_ask *ask, desk *d, const joker_joker *joker, int price) {
    joker_wish wish = joker_wish_for(&d->player.sim, &d->player.scratch, &ask->rules, &ask->state,
                                     &d->skill, &d->now, joker, price, SEED);
    return (offer){.kind = "Joker",
                   .title = joker_joker_words[joker->id].title,
                   .price = price,
                   .value = wish.value,
                   .gain = wish.gain,
                   .instead = wish.instead,
                   .hand = -1,
                   .measured = true};
}

static offer consumable_offer(const joker_ask *ask, desk *d, int id, int price) {
    const joker_state *s = &ask->state;
    bool planet = joker_consumable_facts[id].set == JOKER_PLANET;
    double value = planet ? joker_planet_value(&d->player.sim, &d->player.scratch, &ask->rules, s,
                                               &d->skill, &d->now, id, SEED)
                          : joker_consumable_value(s, id, d->now.dollar);
    offer o = plain_offer(s, d, joker_set_names[joker_consumable_facts[id].set],
                          joker_consumable_words[id].title, price, value);
    o.measured = planet;
    o.hand = planet ? joker_consumable_facts[id].hand : -1;
    return o;
}

/* A card of the shop or of an open pack, where it costs nothing. */
static void item_offer(joker_ask *ask, desk *d, int i, lu_json *json) {
    const joker_state *s = &ask->state;
    const joker_item *item = s->pack_open ? &s->shown[i] : &s->shop[i];
    int price = s->pack_open ? 0 : item->price;
    lu_text card = LU_TEXT_INIT;
    offer o;
    if (item->kind == JOKER_KIND_JOKER) {
        o = joker_offer_of(ask, d, &item->joker, price);
    } else if (item->kind == JOKER_KIND_CONSUMABLE) {
        o = consumable_offer(ask, d, item->id, price);
    } else {
        double value = joker_card_quality(s, &item->card, joker_deck_suit(s)) > 16.0 ? 0.02 : 0.0;
        joker_put_card(&item->card, &card);
        o = plain_offer(s, d, "Card", card.text, price, value);
    }
    o.possible = s->pack_open ? joker_plan_may_pick(&ask->rules, s, i)
                              : joker_plan_buying(&ask->rules, s, i) >= 0;
    write_offer(ask, &o, json);
    lu_text_free(&card);
}

static void write_offers(joker_ask *ask, desk *d, lu_json *json) {
    const joker_state *s = &ask->state;
    const joker_item *items = s->pack_open ? s->shown : s->shop;
    int count = s->pack_open ? (int)JOKER_PACK_MAX : (int)JOKER_SHOP_MAX;
    lu_json_key_array(json, "offers");
    for (int i = 0; i < count; i++) {
        if (items[i].kind != JOKER_KIND_NONE) {
            item_offer(ask, d, i, json);
        }
    }
    for (int i = 0; i < JOKER_SHOP_PACKS && !s->pack_open; i++) {
        if (s->pack[i].id != JOKER_NONE) {
            offer o = plain_offer(s, d, "Pack", joker_pack_words[s->pack[i].id].title,
                                  s->pack[i].price, joker_pack_value(s, s->pack[i].id));
            o.possible = joker_can_buy_pack(&ask->rules, s, i);
            write_offer(ask, &o, json);
        }
    }
    for (int i = 0; i < JOKER_SHOP_VOUCHERS && !s->pack_open; i++) {
        if (s->voucher[i].id != JOKER_NONE) {
            offer o = plain_offer(s, d, "Voucher", joker_voucher_words[s->voucher[i].id].title,
                                  s->voucher[i].price, joker_voucher_value(s, s->voucher[i].id));
            o.possible = joker_can_buy_voucher(&ask->rules, s, i);
            write_offer(ask, &o, json);
        }
    }
    lu_json_array_end(json);
}

/* ---- what to do ---- */

/* What only prepares a choice. */
static void say_preparing(const joker_state *s, const joker_action *action, lu_text *text) {
    const char *title = joker_joker_words[s->joker[action->index].id].title;
    if (action->type == JOKER_ACT_SELL_JOKER) {
        lu_text_addf(text, "sell %s to make room", title);
    } else {
        lu_text_addf(text, "move %s to place %d", title, action->to + 1);
    }
}

/* What the search would do, in words; returns the choice that it comes to, -1 for none. */
static int search_choice(const joker_ask *ask, desk *d, lu_text *text) {
    joker_state *t = &d->after;
    joker_copy_state(t, &ask->state);
    t->rng = SEED;
    for (int k = 0; k < PREPARE_MOST; k++) {
        lu_rng rng = lu_rng_from(SEED);
        joker_action action = joker_decide(&d->player, &ask->rules, t, &d->skill, &rng);
        int choice = joker_choice_of(action.type, action.index);
        lu_text_add(text, k > 0 ? ", then " : "");
        if (choice >= 0) {
            joker_say_choice(&ask->rules, t, choice, text);
            return choice;
        }
        say_preparing(t, &action, text);
        joker_perform(&ask->rules, t, &action);
    }
    return -1;
}

/* One action and why: where agent and search differ, the agent's counts if it is likelier than not.
 */
static void write_advice(joker_ask *ask, int found, const char *search, lu_json *json) {
    const joker_opinion *o = &ask->opinion;
    bool asked = o->count > 0, agree = asked && o->choice[0] == found;
    bool agents = asked && (agree || o->probability[0] >= 0.5f);
    double share = asked ? 100.0 * (double)o->probability[0] : 0.0;
    lu_text own = LU_TEXT_INIT, reason = LU_TEXT_INIT;
    if (asked) {
        joker_say_choice(&ask->rules, &ask->state, o->choice[0], &own);
    }
    if (agree) {
        const char *sale = asked ? strstr(own.text, ", selling ") : NULL;
        const char *sold = sale ? sale + strlen(", selling ") : NULL;
        bool other = sold && !strstr(search, sold);
        lu_text_addf(&reason, "agent (%.0f%%) and search agree%s%s", share,
                     other ? ", but the agent would sell " : "", other ? sold : "");
    } else if (agents) {
        lu_text_addf(&reason, "they differ: the agent prefers it at %.0f%%, the search would %s",
                     share, search);
    } else if (asked) {
        lu_text_addf(&reason, "they differ: the agent would %s, but only at %.0f%%", own.text,
                     share);
    } else {
        lu_text_add(&reason, "no agent was asked");
    }
    const char *advice = agents && !agree ? own.text : search;
    const char *label = agents ? "agent estimate" : "search estimate";
    lu_json_key_string(json, "advice", advice);
    lu_json_key_string(json, "label", label);
    lu_json_key_string(json, "reason", reason.text);
    lu_json_key(json, "agree");
    if (asked) {
        lu_json_bool(json, agree);
    } else {
        lu_json_null(json);
    }
    joker_ask_line(&ask->words, "Advice: %s (%s; %s).", advice, label, reason.text);
    lu_text_free(&own);
    lu_text_free(&reason);
}

static void write_search(joker_ask *ask, const char *text, lu_json *json) {
    lu_json_key_object(json, "search");
    lu_json_key_string(json, "label", "search estimate");
    lu_json_key_string(json, "words", text);
    lu_json_object_end(json);
    joker_ask_line(&ask->words, "Search estimate: %s", text);
}

/* Whole below a million, else three digits. */
static void say_number(double number, lu_text *text) {
    if (number < 1e6) {
        joker_step_number(text, round(number));
    } else {
        lu_text_addf(text, "%.3g", number);
    }
}

static void write_situation(joker_ask *ask, const desk *d, lu_json *json) {
    const joker_state *s = &ask->state;
    double boss = joker_target(&ask->rules, s, s->ante, s->boss);
    lu_json_key_real(json, "round_score", exp(d->now.round));
    lu_json_key_real(json, "boss_target", boss);
    lu_json_key_int(json, "interest_cap", s->interest_cap);
    lu_text line = LU_TEXT_INIT;
    lu_text_add(&line, "This build scores about ");
    say_number(exp(d->now.round), &line);
    lu_text_addf(
        &line,
        " with all hands of a round (search estimate, %d rounds); the boss of this ante needs ",
        d->skill.samples);
    say_number(boss, &line);
    joker_ask_line(&ask->words, "%s.", line.text);
    lu_text_free(&line);
}

void joker_advise_shop(joker_ask *ask, lu_json *json) {
    desk *d = lu_alloc_zero(1, sizeof *d);
    const joker_state *s = &ask->state;
    lu_text text = LU_TEXT_INIT;
    d->skill = joker_skill_search;
    d->skill.samples = ask->samples < 64 ? ask->samples : 64;
    joker_situation_of(&d->player.sim, &ask->rules, s, &d->skill, SEED, &d->now);
    lu_json_key_string(json, "phase",
                       s->pack_open                     ? "pack"
                       : s->phase == JOKER_SHOP         ? "shop"
                       : s->phase == JOKER_BLIND_SELECT ? "blind"
                                                        : "cash out");
    write_situation(ask, d, json);
    write_offers(ask, d, json);
    joker_write_opinion(ask, json);
    int found = search_choice(ask, d, &text);
    write_search(ask, text.text, json);
    write_advice(ask, found, text.text, json);
    joker_ask_line(&ask->unknown, "what packs hold and what later shops offer");
    lu_text_free(&text);
    free(d);
}
