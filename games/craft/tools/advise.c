/* `ludus craft advise`: what to do next with an item that was copied in the game, with the odds of
 * what may come of it and what to do then. A session keeps a craft between calls: what was done and
 * what it cost. */
#include "advise.h"

#include "solver/craft_reveal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const lu_setting rows[] = {
    OPTIMIZE_ASK_SETTINGS,
    {"session", LU_FILE, "", 0, ADVISE_BYTES, "new",
     "A craft kept between calls: target, prices, what was done and spent; the first call creates "
     "it, later ones only need the item.",
     false},
    {"did", LU_TEXT, "", 0, 200, NULL,
     "What was used since the last call, if it wasn't what was advised: an action of `craft "
     "apply`.",
     false},
    OPTIMIZE_HOW_SETTINGS,
    CRAFT_SWITCH_LIST,
};

#define ECHOES "omen_of_abyssal_echoes"

static const lu_table table = {"craft advise", rows, sizeof rows / sizeof *rows};

/* ---- what happened since the last call ---- */

static bool same_slot(const craft_slot *a, const craft_slot *b, int but) {
    return a->entry == b->entry && (a->flags & ~but) == (b->flags & ~but) &&
           memcmp(a->roll, b->roll, sizeof a->roll) == 0;
}

/* How many modifiers of one item another one lacks, whatever differs in the flags `but`. */
static int lacks(const craft_item *has, const craft_item *other, int but) {
    unsigned taken = 0;
    int count = 0;
    for (int k = 0; k < craft_item_mods(has); k++) {
        int j = 0, mods = craft_item_mods(other);
        while (j < mods && (taken >> j & 1 || !same_slot(&has->slot[k], &other->slot[j], but))) {
            j++;
        }
        taken |= j < mods ? 1u << j : 0;
        count += j < mods ? 0 : 1;
    }
    return count;
}

/* Options of a reveal: none, some, or others after them. */
static bool same_options(const craft_item *a, const craft_item *b) {
    return a->echoed == b->echoed && memcmp(a->option, b->option, sizeof a->option) == 0;
}

static bool same_item(const craft_advise_thing *a, const craft_advise_thing *b) {
    return a->base == b->base && a->ilvl == b->ilvl && a->item.rarity == b->item.rarity &&
           a->item.flags == b->item.flags && same_options(&a->item, &b->item) &&
           lacks(&a->item, &b->item, 0) == 0 && lacks(&b->item, &a->item, 0) == 0;
}

/* Modifiers that one use may take away. */
static int most_removed(const craft_use *use) {
    bool annul = use->line == CRAFT_LINE_ORB_OF_ANNULMENT;
    bool swaps = use->line == CRAFT_LINE_CHAOS_ORB || use->line == CRAFT_LINE_ESSENCE_SWAP ||
                 use->line == CRAFT_LINE_BONE;
    return annul ? (use->two ? 2 : 1) : swaps ? 1 : use->line == CRAFT_LINE_ORB_OF_ALCHEMY ? 2 : 0;
}

/* Chance that a reveal of one item offers what another has in place of its unrevealed modifier; 0:
 * it is no such item. */
static double chance_offered(const optimizer *o, const craft_advise_thing *before,
                             const craft_advise_thing *after) {
    const craft_item *item = &before->item, *now = &after->item;
    uint16_t entry[CRAFT_MODS], came = CRAFT_NO_ENTRY;
    craft_reveal reveal = {.lord = item->lord};
    int mods = 0, hidden = 0;
    reveal.floor = (int)o->ask.pool.floor[item->bone_floor].level;
    for (int k = 0; k < craft_item_mods(item); k++) {
        if (item->slot[k].flags & CRAFT_UNREVEALED) {
            reveal.side = craft_slot_side(&item->slot[k]);
            hidden++;
        } else {
            entry[mods++] = item->slot[k].entry;
        }
    }
    for (int k = 0; k < craft_item_mods(now); k++) {
        came = now->slot[k].flags & CRAFT_DESECRATED ? now->slot[k].entry : came;
    }
    bool follows = hidden == 1 && before->base == after->base && before->ilvl == after->ilvl &&
                   came != CRAFT_NO_ENTRY && lacks(item, now, 0) == 1 && lacks(now, item, 0) == 1;
    return follows ? craft_reveal_chance(&o->ask.pool, entry, mods, &reveal, &came, 1) : 0.0;
}

/* The option of one item that another one has in place of its unrevealed modifier, from 1 on; 0: it
 * has none. */
static int kept_option(const craft_advise_thing *before, const craft_advise_thing *after) {
    const craft_item *item = &before->item, *now = &after->item;
    int kept = 0;
    for (int k = 0; k < craft_item_mods(now) && !craft_is_choosing(now); k++) {
        for (int option = 0; option < CRAFT_SHOWN; option++) {
            bool it = now->slot[k].flags & CRAFT_DESECRATED && item->option[option] > 0 &&
                      now->slot[k].entry == item->option[option] - 1;
            kept = it ? option + 1 : kept;
        }
    }
    bool follows = before->base == after->base && before->ilvl == after->ilvl &&
                   lacks(item, now, 0) == 1 && lacks(now, item, 0) == 1;
    return follows ? kept : 0;
}

/* Whether one item is the other with options shown, or with others in place of those. */
static bool shows_options(const craft_advise_thing *before, const craft_advise_thing *after) {
    return craft_is_choosing(&after->item) && before->base == after->base &&
           before->ilvl == after->ilvl && lacks(&before->item, &after->item, 0) == 0 &&
           lacks(&after->item, &before->item, 0) == 0;
}

/* A reveal, or what was kept of it, is seen by the item itself. */
static bool take_reveal(const optimizer *o, const char *next, craft_advise_step *step) {
    int kept = kept_option(&step->before, &step->after);
    bool again = craft_is_choosing(&step->before.item);
    if (kept > 0) {
        snprintf(step->action, sizeof step->action, CRAFT_KEEPS "%d", kept);
    } else if (shows_options(&step->before, &step->after)) {
        snprintf(step->action, sizeof step->action,
                 again ? CRAFT_REVEALS " + " ECHOES : CRAFT_REVEALS);
        step->price = again ? craft_priced(&o->ask.prices, ECHOES) : 0.0;
        step->price = step->price > 0.0 ? step->price : 0.0;
    } else {
        return false;
    }
    bool advised = strncmp(next, step->action, strlen(step->action)) == 0;
    step->how = advised ? ADVISE_ADVISED : ADVISE_TOLD;
    return true;
}

/* Chance that a use makes one item of another; 0: it cannot. */
static double chance_of(optimizer *o, const craft_use *use, const craft_advise_thing *before,
                        const craft_advise_thing *after) {
    int but = use->line == CRAFT_LINE_FRACTURING_ORB ? CRAFT_FRACTURED : 0;
    double chance = 0.0;
    craft_spread spread;
    if (before->base != after->base || before->ilvl != after->ilvl ||
        lacks(&before->item, &after->item, but) > most_removed(use)) {
        return 0.0;
    }
    craft_set from = craft_set_of(&o->sorts, &before->item);
    craft_set to = craft_set_of(&o->sorts, &after->item);
    craft_spread_init(&spread);
    if (craft_spread_use(&spread, &o->sorts, use, &from, 1.0)) {
        uint32_t outcomes = spread.table.count, at = craft_table_add(&spread.table, &to);
        chance = at < outcomes ? spread.chance[at] : 0.0;
    }
    craft_spread_free(&spread);
    return chance;
}

/* What the player says was used. */
static lu_status take_told(const optimizer *o, const char *did, craft_advise_step *step,
                           lu_error *error) {
    craft_use_words words;
    LU_TRY(craft_use_read(&words, &o->ask.pool, o->ask.pack, did, error));
    step->price = craft_use_price(&words, &o->ask.prices);
    if (step->price < 0.0) {
        return lu_fail(error, LU_BAD_VALUE, "'did': there is no price of '%s'", did);
    }
    step->how = ADVISE_TOLD;
    snprintf(step->action, sizeof step->action, "%s", words.use);
    for (int k = 0; k < words.omens; k++) {
        size_t used = strlen(step->action);
        snprintf(step->action + used, sizeof step->action - used, " + %s", words.omen[k]);
    }
    return LU_OK;
}

/* The outcome of what was advised; else the item is taken as it is. */
static void take_advised(optimizer *o, const char *next, craft_advise_step *step) {
    int use = craft_advise_use_named(o, next);
    bool white = step->after.item.rarity == CRAFT_NORMAL && step->before.base == step->after.base;
    if (take_reveal(o, next, step)) {
        return;
    }
    step->how = ADVISE_UNKNOWN;
    if (use == ADVISE_NEW_BASE && white) {
        step->how = ADVISE_ADVISED;
        step->chance = 1.0;
        step->price = o->problem.base;
    } else if (strncmp(next, CRAFT_REVEALS, strlen(CRAFT_REVEALS)) == 0) {
        step->chance = chance_offered(o, &step->before, &step->after);
        step->how = step->chance > 0.0 ? ADVISE_ADVISED : ADVISE_UNKNOWN;
        next = CRAFT_REVEALS; /* whether the options were drawn again is not known */
    } else if (use >= 0) {
        step->chance = chance_of(o, &o->use[use], &step->before, &step->after);
        step->how = step->chance > 0.0 ? ADVISE_ADVISED : ADVISE_UNKNOWN;
        step->price = step->chance > 0.0 ? o->problem.price[use] : 0.0;
    }
    if (step->how == ADVISE_ADVISED) {
        snprintf(step->action, sizeof step->action, "%s", next);
    }
}

/* Adds a step to the session if the item is another one. */
static lu_status take_step(optimizer *o, craft_advise_session *s, craft_advise_answer *answer,
                           lu_error *error) {
    const char *did = lu_settings_text_of(o->io->settings, "did");
    craft_advise_thing now = {o->ask.pool.base, o->ask.pool.ilvl, o->ask.item};
    answer->same = s->begun && same_item(&s->item, &now) && !*did;
    if (*did && !s->begun) {
        return lu_fail(error, LU_USAGE, "'did' needs a started session: add --session");
    }
    if (s->begun && !answer->same) {
        craft_advise_step *step = &s->step[s->steps];
        *step = (craft_advise_step){.before = s->item, .after = now};
        if (*did) {
            LU_TRY(take_told(o, did, step, error));
        } else {
            take_advised(o, s->next, step);
        }
        s->steps++;
        s->spent += step->price;
        answer->now = step;
    }
    s->item = now;
    s->begun = true;
    return LU_OK;
}

/* ---- the answer ---- */

static lu_status tell(optimizer *o, const lu_settings *settings, craft_advise_session *s,
                      lu_error *error) {
    bool keeps = lu_settings_file_of(settings, "session", 0) != NULL;
    craft_advise_odds *odds = lu_alloc(sizeof *odds);
    craft_tally *tally = lu_alloc(sizeof *tally);
    lu_json json = LU_JSON_INIT, kept = LU_JSON_INIT;
    craft_advise_answer answer = {.o = o, .session = keeps ? s : NULL};
    lu_status status = take_step(o, s, &answer, error);
    if (status == LU_OK && o->strategies > 0) {
        craft_advise_look(odds, o);
        answer.odds = odds;
        snprintf(s->next, sizeof s->next, "%s", craft_advise_use_name(o, odds->next));
    }
    answer.left = o->ask.budget - s->spent;
    if (status == LU_OK && o->ask.budget > 0.0 && answer.odds && odds->next != ADVISE_DONE) {
        craft_plan *plan = &o->strategy[0].plan;
        double lower = plan->lower, upper = plan->upper;
        status = craft_tally_plan(tally, &o->problem, &o->values, plan,
                                  answer.left > 0.0 ? answer.left : 1e-300,
                                  (uint64_t)lu_settings_int(settings, "seed"), error);
        plan->lower = lower;
        plan->upper = upper;
        answer.tally = tally;
    }
    if (status == LU_OK && keeps) {
        status = craft_advise_session_write(s, o->ask.pack, &table, settings, &kept, error);
        answer.kept = kept.text;
    }
    if (status == LU_OK) {
        craft_advise_write(&json, &answer);
        o->io->emit(o->io->user, json.text, json.length);
    }
    lu_json_free(&kept);
    lu_json_free(&json);
    free(odds);
    free(tally);
    return status;
}

/* The item that is asked about: the one input, else that of the session. */
static lu_status read_item(const lu_tool_io *io, const craft_advise_session *s, lu_json *again,
                           lu_tool_input *item, lu_error *error) {
    if (io->input_count > 1 || (io->input_count == 0 && !s->begun)) {
        return lu_fail(error, LU_USAGE,
                       "name one file with an item: text copied from the game (- reads standard "
                       "input), or {\"base\",\"ilvl\",\"rarity\",\"mods\"}");
    }
    if (io->input_count == 1) {
        *item = io->inputs[0];
        return LU_OK;
    }
    lu_json_value_write(again, lu_json_get(lu_json_root(s->document), "item"));
    *item = (lu_tool_input){s->name, again->text, again->length};
    return LU_OK;
}

static lu_status run(const lu_tool_io *io, lu_error *error) {
    optimizer *o = lu_alloc_zero(1, sizeof *o);
    const lu_file_text *file = lu_settings_file_of(io->settings, "session", 0);
    lu_settings *settings = lu_settings_copy(io->settings);
    craft_advise_session session = {0};
    lu_tool_input item = {0};
    lu_json again = LU_JSON_INIT;
    o->io = io;
    lu_status status =
        craft_advise_session_open(&session, file ? file->name : "session", file ? file->text : "",
                                  file ? file->length : 0, error);
    LU_THEN(status, craft_advise_session_settings(&session, &table, settings, error));
    LU_THEN(status, read_item(io, &session, &again, &item, error));
    LU_THEN(status, optimize_read(&o->ask, settings, &item, error));
    LU_THEN(status, craft_advise_session_read(&session, o->ask.pack, error));
    LU_THEN(status, optimize_solve(o, error));
    LU_THEN(status, tell(o, settings, &session, error));
    craft_advise_session_close(&session);
    optimizer_free(o);
    lu_settings_delete(settings);
    lu_json_free(&again);
    return status;
}

extern const lu_tool lu_tool_craft_advise;
const lu_tool lu_tool_craft_advise = {
    .game = "craft",
    .name = "advise",
    .sentence =
        "Tells you the next step for an item, with the odds and what to do on each outcome.",
    .settings = {"craft advise", rows, sizeof rows / sizeof *rows},
    .run = run,
    .keeps = "session",
};
