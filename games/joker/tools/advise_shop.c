/* Advice between rounds: what each offer would do to the build. Jokers and Planets are measured by
 * simulated rounds (search estimate); packs, vouchers, Tarots and Spectrals have values by rule,
 * for what is in a pack is not known. */
#include "advise.h"

#include "../joker_search.h"

#include <math.h>
#include <stdlib.h>

enum { SEED = 20261115 };

typedef struct desk {
    joker_player player;
    joker_skill skill;
    joker_situation now;
} desk;

typedef struct offer {
    const char *kind, *title;
    int price;
    double value;  /* more of the logarithm of a round's score */
    double gain;   /* the same less what its dollars are worth */
    int instead;   /* joker that would leave; -1 */
    bool measured; /* by simulation, else by rule */
    bool possible;
} offer;

static void write_offer(joker_ask *ask, const offer *o, lu_json *json) {
    const joker_state *s = &ask->state;
    lu_json_object(json);
    lu_json_key_string(json, "kind", o->kind);
    lu_json_key_string(json, "title", o->title);
    lu_json_key_int(json, "price", o->price);
    lu_json_key_bool(json, "possible", o->possible);
    if (o->possible) {
        lu_json_key_real(json, "score_gain", exp(o->value) - 1.0);
        lu_json_key_real(json, "worth", o->gain);
        lu_json_key_string(json, "label", o->measured ? "search estimate" : "rule");
        if (o->instead >= 0) {
            lu_json_key_string(json, "instead_of",
                               joker_joker_words[s->joker[o->instead].id].title);
        }
    }
    lu_json_object_end(json);
    if (!o->possible) {
        joker_ask_line(&ask->words, "  %s %s, $%d: cannot be taken", o->kind, o->title, o->price);
        return;
    }
    joker_ask_line(&ask->words, "  %s %s, $%d: %+.0f %% of a round's score (%s)%s%s%s", o->kind,
                   o->title, o->price, 100.0 * (exp(o->value) - 1.0),
                   o->measured ? "search estimate" : "rule", o->instead >= 0 ? " instead of " : "",
                   o->instead >= 0 ? joker_joker_words[s->joker[o->instead].id].title : "",
                   o->gain > 0.0 ? ", worth its price" : "");
}

/* ---- offers ---- */

static offer joker_offer_of(const joker_ask *ask, desk *d, const joker_joker *joker, int price) {
    joker_wish wish = joker_wish_for(&d->player.sim, &d->player.scratch, &ask->model, &ask->state,
                                     &d->skill, &d->now, joker, price, SEED);
    offer o = {"Joker",   joker_joker_words[joker->id].title,
               price,     wish.value,
               wish.gain, wish.instead,
               true,      wish.gain > -1e8};
    return o;
}

static offer consumable_offer(const joker_ask *ask, desk *d, int id, int price) {
    const joker_state *s = &ask->state;
    bool planet = joker_consumable_facts[id].set == JOKER_PLANET;
    double value = planet ? joker_planet_value(&d->player.sim, &d->player.scratch, &ask->model, s,
                                               &d->skill, &d->now, id, SEED)
                          : joker_consumable_value(s, id, d->now.dollar);
    offer o = {joker_set_names[joker_consumable_facts[id].set],
               joker_consumable_words[id].title,
               price,
               value,
               value - d->now.dollar * joker_cost(s, price),
               -1,
               planet,
               joker_can_pay(s, price)};
    return o;
}

static void item_offer(joker_ask *ask, desk *d, const joker_item *item, lu_json *json) {
    lu_text card;
    offer o;
    lu_text_init(&card);
    if (item->kind == JOKER_KIND_JOKER) {
        o = joker_offer_of(ask, d, &item->joker, item->price);
    } else if (item->kind == JOKER_KIND_CONSUMABLE) {
        o = consumable_offer(ask, d, item->id, item->price);
    } else {
        const joker_state *s = &ask->state;
        double value = joker_card_quality(s, &item->card, joker_deck_suit(s)) > 16.0 ? 0.02 : 0.0;
        joker_put_card(&item->card, &card);
        o = (offer){"Card",
                    card.text,
                    item->price,
                    value,
                    value - d->now.dollar * joker_cost(s, item->price),
                    -1,
                    false,
                    joker_can_pay(s, item->price)};
    }
    write_offer(ask, &o, json);
    lu_text_free(&card);
}

static void table_offer(joker_ask *ask, desk *d, const char *kind, const char *title, int price,
                        double value, lu_json *json) {
    offer o = {kind,
               title,
               price,
               value,
               value - d->now.dollar * joker_cost(&ask->state, price),
               -1,
               false,
               joker_can_pay(&ask->state, price)};
    write_offer(ask, &o, json);
}

static void write_offers(joker_ask *ask, desk *d, lu_json *json) {
    const joker_state *s = &ask->state;
    const joker_item *items = s->pack_open ? s->shown : s->shop;
    int count = s->pack_open ? (int)JOKER_PACK_MAX : (int)JOKER_SHOP_MAX;
    lu_json_key(json, "offers");
    lu_json_array(json);
    for (int i = 0; i < count; i++) {
        if (items[i].kind != JOKER_KIND_NONE) {
            item_offer(ask, d, &items[i], json);
        }
    }
    for (int i = 0; i < JOKER_SHOP_PACKS && !s->pack_open; i++) {
        if (s->pack[i].id != JOKER_NONE) {
            table_offer(ask, d, "Pack", joker_pack_words[s->pack[i].id].title, s->pack[i].price,
                        joker_pack_value(s, s->pack[i].id), json);
        }
    }
    for (int i = 0; i < JOKER_SHOP_VOUCHERS && !s->pack_open; i++) {
        if (s->voucher[i].id != JOKER_NONE) {
            table_offer(ask, d, "Voucher", joker_voucher_words[s->voucher[i].id].title,
                        s->voucher[i].price, joker_voucher_value(s, s->voucher[i].id), json);
        }
    }
    lu_json_array_end(json);
}

/* ---- what to do ---- */

static const char *item_title(const joker_item *item) {
    return item->kind == JOKER_KIND_JOKER        ? joker_joker_words[item->joker.id].title
           : item->kind == JOKER_KIND_CONSUMABLE ? joker_consumable_words[item->id].title
                                                 : "the card";
}

static void say_deed(const joker_state *s, const joker_deed *deed, lu_text *text) {
    switch (deed->type) {
    case JOKER_ACT_BUY:
        lu_text_addf(text, "buy %s", item_title(&s->shop[deed->index]));
        break;
    case JOKER_ACT_BUY_AND_USE:
        lu_text_addf(text, "buy and use %s", item_title(&s->shop[deed->index]));
        break;
    case JOKER_ACT_SELL_JOKER:
        lu_text_addf(text, "sell %s to make room",
                     joker_joker_words[s->joker[deed->index].id].title);
        break;
    case JOKER_ACT_BUY_PACK:
        lu_text_addf(text, "buy %s", joker_pack_words[s->pack[deed->index].id].title);
        break;
    case JOKER_ACT_BUY_VOUCHER:
        lu_text_addf(text, "buy %s", joker_voucher_words[s->voucher[deed->index].id].title);
        break;
    case JOKER_ACT_PICK_PACK:
        lu_text_addf(text, "take %s", item_title(&s->shown[deed->index]));
        for (int i = 0; i < s->held; i++) {
            if (deed->chosen >> i & 1u) {
                lu_text_add_char(text, ' ');
                joker_put_card(&s->card[s->hand[i]], text);
            }
        }
        break;
    case JOKER_ACT_USE:
        lu_text_addf(text, "use %s", joker_consumable_words[s->consumable[deed->index].id].title);
        break;
    case JOKER_ACT_REROLL:
        lu_text_add(text, "reroll");
        break;
    case JOKER_ACT_SKIP_PACK:
        lu_text_add(text, "skip the rest of the pack");
        break;
    case JOKER_ACT_MOVE_JOKER:
        lu_text_addf(text, "move %s to place %d", joker_joker_words[s->joker[deed->index].id].title,
                     deed->to + 1);
        break;
    case JOKER_ACT_CASH_OUT:
        lu_text_add(text, "cash out");
        break;
    case JOKER_ACT_SELECT_BLIND:
        lu_text_add(text, "play the blind");
        break;
    default:
        lu_text_add(text, "leave the shop");
        break;
    }
}

static void write_situation(joker_ask *ask, const desk *d, lu_json *json) {
    const joker_state *s = &ask->state;
    double boss = joker_target(&ask->model, s, s->ante, s->boss);
    lu_json_key_real(json, "round_score", exp(d->now.round));
    lu_json_key_real(json, "boss_target", boss);
    lu_json_key_int(json, "interest_cap", s->interest_cap);
    joker_ask_line(&ask->words,
                   "This build scores about %.3g in a round of all its hands (search estimate, %d "
                   "rounds); the boss of this ante asks for %.3g.",
                   exp(d->now.round), d->skill.samples, boss);
}

void joker_advise_shop(joker_ask *ask, lu_json *json) {
    desk *d = lu_alloc_zero(1, sizeof *d);
    const joker_state *s = &ask->state;
    lu_rng rng = lu_rng_from(SEED);
    lu_text text;
    d->skill = joker_skill_search;
    d->skill.samples = ask->samples < 64 ? ask->samples : 64;
    joker_situation_of(&d->player.sim, &ask->model, s, &d->skill, SEED, &d->now);
    lu_json_key_string(json, "phase",
                       s->pack_open                     ? "pack"
                       : s->phase == JOKER_SHOP         ? "shop"
                       : s->phase == JOKER_BLIND_SELECT ? "blind"
                                                        : "cash out");
    write_situation(ask, d, json);
    write_offers(ask, d, json);
    joker_deed deed = joker_decide(&d->player, &ask->model, s, &d->skill, &rng);
    lu_text_init(&text);
    say_deed(s, &deed, &text);
    lu_json_key_string(json, "advice", text.text);
    lu_json_key_string(json, "label", "search estimate");
    joker_ask_line(&ask->words, "Advice: %s (search estimate).", text.text);
    joker_ask_line(&ask->unknown, "what packs hold and what later shops offer");
    joker_ask_line(&ask->unknown, "agent estimate: no trained policy is asked by this tool");
    lu_text_free(&text);
    free(d);
}
