/* The trained agent of joker-plan-v1 as an adviser: what it thinks of a state, and its choices in
 * words. Which joker is sold for another, and which cards a consumable is used on, is what the
 * variant's planner does (joker_plan.h). */
#include "advise.h"

#include "variants/joker_plan.h"

#include "ludus/episode.h"

#include <stdio.h>
#include <string.h>

enum { SHOWN_FROM = 200 }; /* choices below one in this many are left out of the lines */

/* ---- asking ---- */

/* Sets the enum of a row by its number. */
static lu_status set_numbered(lu_settings *settings, const lu_setting *row, int number,
                              lu_error *error) {
    char name[40];
    const char *at = row->choices;
    for (int k = 0; k < number; k++) {
        at += strcspn(at, "|") + 1;
    }
    snprintf(name, sizeof name, "%.*s", (int)strcspn(at, "|"), at);
    return lu_settings_set(settings, row->key, name, LU_FROM_FLAG, "the state", error);
}

/* The variant under the deck and stake of the state. */
static lu_status open_variant(lu_episode *e, const joker_state *s, lu_error *error) {
    const lu_game *variant = lu_game_find(JOKER_AGENT_VARIANT, error);
    if (!variant) {
        return LU_NOT_FOUND;
    }
    lu_settings *settings = lu_game_settings(variant);
    lu_status status = set_numbered(settings, &joker_setting_rows[0], s->deck, error);
    LU_THEN(status, set_numbered(settings, &joker_setting_rows[1], s->stake, error));
    LU_THEN(status, lu_settings_set(settings, "rng", "fast", LU_FROM_FLAG, "the state", error));
    if (status != LU_OK) {
        lu_settings_delete(settings);
        return status;
    }
    return lu_episode_open(e, variant, settings, NULL, error);
}

/* Legal choices, likeliest first, of equal ones the first. */
static void rank_choices(const joker_ask *ask, const float *probabilities, joker_opinion *o) {
    uint32_t legal = joker_plan_legal(&ask->rules, &ask->state);
    for (int choice = 0; choice < JOKER_CHOICES; choice++) {
        if (legal >> choice & 1u) {
            float p = probabilities[choice];
            int at = o->count++;
            for (; at > 0 && o->probability[at - 1] < p; at--) {
                o->probability[at] = o->probability[at - 1];
                o->choice[at] = o->choice[at - 1];
            }
            o->probability[at] = p;
            o->choice[at] = (uint8_t)choice;
        }
    }
}

lu_status joker_ask_agent(joker_ask *ask, lu_error *error) {
    const joker_state *s = &ask->state;
    float probabilities[JOKER_CHOICES];
    ask->opinion.count = 0;
    if (!ask->agent || joker_plan_legal(&ask->rules, s) == 0) {
        return LU_OK;
    }
    lu_episode e;
    LU_TRY(open_variant(&e, s, error));
    lu_status status = ask->agent->think(ask->agent->user, e.rules, s, 0, probabilities,
                                         &ask->opinion.value, error);
    if (status == LU_OK) {
        rank_choices(ask, probabilities, &ask->opinion);
    }
    lu_episode_close(&e);
    return status;
}

/* ---- words ---- */

static void say_item(const joker_item *item, lu_text *text) {
    if (item->kind == JOKER_KIND_CARD) {
        joker_put_card(&item->card, text);
    } else {
        lu_text_add(text, item->kind == JOKER_KIND_JOKER ? joker_joker_words[item->joker.id].title
                                                         : joker_consumable_words[item->id].title);
    }
}

/* The joker that makes room, if one must. */
static void say_sale(const joker_rules *m, const joker_state *s, const joker_item *item, int price,
                     lu_text *text) {
    joker_state scratch;
    joker_rest rest;
    if (item->kind == JOKER_KIND_JOKER && joker_crowded(s, &item->joker)) {
        joker_rest_of(m, s, &scratch, &rest);
        int spare = joker_spare(s, &rest, price);
        lu_text_addf(text, ", selling %s", joker_joker_words[s->joker[spare].id].title);
    }
}

static void say_targets(const joker_state *s, int id, lu_text *text) {
    uint16_t targets = joker_pick_targets(s, id);
    lu_text_add(text, targets ? " on" : "");
    for (int i = 0; i < s->held; i++) {
        if (joker_has(targets, i)) {
            lu_text_add_char(text, ' ');
            joker_put_card(&s->card[s->hand[i]], text);
        }
    }
}

static void say_buy(const joker_rules *m, const joker_state *s, int i, lu_text *text) {
    const joker_item *item = &s->shop[i];
    bool at_once = joker_plan_buying(m, s, i) == JOKER_ACT_BUY_AND_USE;
    lu_text_add(text, at_once ? "buy and use " : "buy ");
    say_item(item, text);
    lu_text_addf(text, " for $%d", item->price);
    say_sale(m, s, item, item->price, text);
}

static void say_pick(const joker_rules *m, const joker_state *s, int i, lu_text *text) {
    const joker_item *item = &s->shown[i];
    lu_text_add(text, "take ");
    say_item(item, text);
    say_sale(m, s, item, 0, text);
    if (item->kind == JOKER_KIND_CONSUMABLE) {
        say_targets(s, item->id, text);
    }
}

void joker_say_choice(const joker_rules *m, const joker_state *s, int choice, lu_text *text) {
    int i, kind = joker_choice_kind(choice, &i);
    const char *blind = joker_blind_words[joker_blind_row(s, s->blind)].title;
    switch (kind) {
    case JOKER_CHOICE_GO_ON:
        lu_text_add(text, "play on");
        break;
    case JOKER_CHOICE_SELECT:
        lu_text_addf(text, "play %s", blind);
        break;
    case JOKER_CHOICE_SKIP:
        lu_text_addf(text, "skip %s for %s", blind,
                     joker_tag_words[s->blind == 0 ? s->tag_small : s->tag_big].title);
        break;
    case JOKER_CHOICE_CASH_OUT:
        lu_text_add(text, "cash out");
        break;
    case JOKER_CHOICE_LEAVE:
        lu_text_add(text, "leave the shop");
        break;
    case JOKER_CHOICE_REROLL:
        lu_text_addf(text, "reroll the shop for $%d", joker_reroll_price(m, s));
        break;
    case JOKER_CHOICE_REROLL_BOSS:
        lu_text_addf(text, "reroll the boss for $%d", JOKER_BOSS_REROLL_PRICE);
        break;
    case JOKER_CHOICE_SKIP_PACK:
        lu_text_add(text, "skip the rest of the pack");
        break;
    case JOKER_CHOICE_KIND_BUY:
        say_buy(m, s, i, text);
        break;
    case JOKER_CHOICE_KIND_VOUCHER:
        lu_text_addf(text, "buy %s for $%d", joker_voucher_words[s->voucher[i].id].title,
                     s->voucher[i].price);
        break;
    case JOKER_CHOICE_KIND_PACK:
        lu_text_addf(text, "buy %s for $%d", joker_pack_words[s->pack[i].id].title,
                     s->pack[i].price);
        break;
    case JOKER_CHOICE_KIND_PICK:
        say_pick(m, s, i, text);
        break;
    default:
        lu_text_addf(text, "use %s", joker_consumable_words[s->consumable[i].id].title);
        say_targets(s, s->consumable[i].id, text);
        break;
    }
}

/* ---- choices as actions of the full rules ---- */

static const struct {
    int type, choice;
    bool numbered;
} acts[] = {
    {JOKER_ACT_PLAY, JOKER_CHOICE_GO_ON, false},
    {JOKER_ACT_DISCARD, JOKER_CHOICE_GO_ON, false},
    {JOKER_ACT_SELECT_BLIND, JOKER_CHOICE_SELECT, false},
    {JOKER_ACT_SKIP_BLIND, JOKER_CHOICE_SKIP, false},
    {JOKER_ACT_CASH_OUT, JOKER_CHOICE_CASH_OUT, false},
    {JOKER_ACT_NEXT_ROUND, JOKER_CHOICE_LEAVE, false},
    {JOKER_ACT_REROLL, JOKER_CHOICE_REROLL, false},
    {JOKER_ACT_REROLL_BOSS, JOKER_CHOICE_REROLL_BOSS, false},
    {JOKER_ACT_SKIP_PACK, JOKER_CHOICE_SKIP_PACK, false},
    {JOKER_ACT_BUY, JOKER_CHOICE_BUY, true},
    {JOKER_ACT_BUY_AND_USE, JOKER_CHOICE_BUY, true},
    {JOKER_ACT_BUY_VOUCHER, JOKER_CHOICE_VOUCHER, true},
    {JOKER_ACT_BUY_PACK, JOKER_CHOICE_PACK, true},
    {JOKER_ACT_PICK_PACK, JOKER_CHOICE_PICK, true},
    {JOKER_ACT_USE, JOKER_CHOICE_USE, true},
};

int joker_choice_of(int type, int index) {
    for (size_t k = 0; k < LU_COUNT(acts); k++) {
        if (acts[k].type == type) {
            return acts[k].choice + (acts[k].numbered ? index : 0);
        }
    }
    return -1;
}

/* The action of a joker that comes: the one that makes room is sold first. */
static joker_action with_room(const joker_rules *m, const joker_state *s, const joker_item *item,
                              int price, joker_action action) {
    joker_state scratch;
    joker_rest rest;
    if (item->kind == JOKER_KIND_JOKER && joker_crowded(s, &item->joker)) {
        joker_rest_of(m, s, &scratch, &rest);
        return joker_action_of(JOKER_ACT_SELL_JOKER, joker_spare(s, &rest, price), 0);
    }
    return action;
}

/* The first action of the full rules on the way to a legal choice, as the variant's planner goes
 * it: jokers are put in order before a blind, and one is sold where another has no room. */
static joker_action first_of(const joker_rules *m, const joker_state *s, int choice) {
    int i, kind = joker_choice_kind(choice, &i);
    joker_action action = joker_action_of(JOKER_ACT_CASH_OUT, i, 0);
    joker_player player;
    for (size_t k = 0; k < LU_COUNT(acts); k++) {
        if (acts[k].choice + (acts[k].numbered ? i : 0) == choice) {
            action.type = acts[k].type;
        }
    }
    switch (kind) {
    case JOKER_CHOICE_SELECT:
        joker_decide_order(&player, m, s, &action);
        return action;
    case JOKER_CHOICE_KIND_BUY:
        action.type = joker_plan_buying(m, s, i);
        return with_room(m, s, &s->shop[i], s->shop[i].price, action);
    case JOKER_CHOICE_KIND_PICK:
        if (s->shown[i].kind == JOKER_KIND_CONSUMABLE) {
            action.chosen = joker_pick_targets(s, s->shown[i].id);
        }
        return with_room(m, s, &s->shown[i], 0, action);
    case JOKER_CHOICE_KIND_USE:
        action.chosen = joker_pick_targets(s, s->consumable[i].id);
        return action;
    default:
        return action;
    }
}

/* ---- the answer ---- */

static void write_first(const joker_ask *ask, int choice, lu_json *json) {
    if (choice == JOKER_CHOICE_GO_ON) {
        return; /* the cards are those of the advice, which counts on nothing that is hidden */
    }
    const joker_action first = first_of(&ask->rules, &ask->state, choice);
    lu_json_key_object(json, "first");
    lu_json_key_int(json, "type", first.type);
    lu_json_key_int(json, "index", first.index);
    lu_json_key_int(json, "to", first.to);
    lu_json_key_array(json, "positions");
    for (int i = 0; i < ask->state.held; i++) {
        if (joker_has(first.chosen, i)) {
            lu_json_int(json, i);
        }
    }
    lu_json_array_end(json);
    lu_json_object_end(json);
}

static void write_choice(joker_ask *ask, int rank, lu_json *json) {
    const joker_opinion *o = &ask->opinion;
    lu_text text = LU_TEXT_INIT;
    joker_say_choice(&ask->rules, &ask->state, o->choice[rank], &text);
    lu_json_object(json);
    lu_json_key_string(json, "choice", joker_plan_heads[0].option[o->choice[rank]]);
    lu_json_key_string(json, "words", text.text);
    lu_json_key(json, "probability");
    lu_json_float(json, o->probability[rank]);
    write_first(ask, o->choice[rank], json);
    lu_json_object_end(json);
    if (rank == 0 || o->probability[rank] * SHOWN_FROM >= 1.0f) {
        joker_ask_line(&ask->words, "  %5.1f%%  %s", 100.0 * (double)o->probability[rank],
                       text.text);
    }
    lu_text_free(&text);
}

void joker_write_opinion(joker_ask *ask, lu_json *json) {
    const joker_opinion *o = &ask->opinion;
    lu_json_key(json, "agent");
    if (o->count == 0) {
        lu_json_null(json);
        joker_ask_line(&ask->unknown, "agent estimate: no trained agent of " JOKER_AGENT_VARIANT
                                      " was asked; `ludus train " JOKER_AGENT_VARIANT
                                      " --preset joker-plan` makes one, --agent names it");
        return;
    }
    joker_ask_line(
        &ask->words,
        "Agent estimate (%s, trained for %.1f million steps): it expects a further return "
        "of %.3g, and would",
        ask->agent->name, (double)ask->agent->step / 1e6, o->value);
    lu_json_object(json);
    lu_json_key_string(json, "label", "agent estimate");
    lu_json_key_string(json, "variant", JOKER_AGENT_VARIANT);
    lu_json_key_string(json, "model", ask->agent->name);
    lu_json_key_int(json, "step", ask->agent->step);
    lu_json_key_real(json, "value", o->value);
    lu_json_key_array(json, "choices");
    for (int rank = 0; rank < o->count; rank++) {
        write_choice(ask, rank, json);
    }
    lu_json_array_end(json);
    lu_json_object_end(json);
}
