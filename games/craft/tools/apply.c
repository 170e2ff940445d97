/* ludus craft apply ITEM --action NAME --seed N: one use on an item, with its price. */
#include "names.h"
#include "on_item.h"

#include <stdio.h>
#include <stdlib.h>

static const lu_setting rows[] = {
    CRAFT_ITEM_SETTINGS,
    {"action", LU_TEXT, "", 0, 200, NULL,
     "What to use: an action such as exalt_suffix, or a currency, essence, bone or catalyst with "
     "its omens, such as exalted_orb+omen_of_greater_exaltation.",
     false},
    {"seed", LU_INT, "1", 0, 1e15, NULL, "Seed of the draws.", false},
    CRAFT_SWITCH_LIST,
};

static void tell(const lu_tool_io *io, const on_item *on, const craft_use_words *words, int why) {
    craft_prices prices = {.pack = on->pack, .rate = 1.0, .white_base = -1.0, .spread = 1.0};
    double price = craft_use_price(words, &prices);
    lu_text line = LU_TEXT_INIT;
    lu_json json = LU_JSON_INIT;
    lu_json_object(&json);
    lu_json_key_string(&json, "use", words->use);
    lu_json_key_array(&json, "omens");
    for (int k = 0; k < words->omens; k++) {
        lu_json_string(&json, words->omen[k]);
    }
    lu_json_array_end(&json);
    lu_json_key_bool(&json, "used", why == CRAFT_USABLE);
    lu_json_key(&json, "price");
    if (price < 0.0) {
        lu_json_null(&json);
    } else {
        lu_json_real(&json, why == CRAFT_USABLE ? price : 0.0);
    }
    lu_json_key_string(&json, "price_date", on->pack->price_date);
    if (why != CRAFT_USABLE) {
        lu_json_key_string(&json, "why", craft_refusal_texts[why]);
    }
    lu_json_key_object(&json, "item");
    lu_json_key_string(&json, "base", on->pack->bases[on->pool.base].name);
    lu_json_key_int(&json, "ilvl", on->pool.ilvl);
    craft_item_write(&on->pool, on->pack, &on->item, &json);
    lu_json_object_end(&json);
    lu_json_key_array(&json, "words");
    craft_say_use(&line, on->pack, words->use);
    for (int k = 0; k < words->omens; k++) {
        lu_text_addf(&line, "%s%s", k == 0 ? " with " : " and ",
                     craft_title(on->pack, words->omen[k]));
    }
    if (why != CRAFT_USABLE) {
        lu_text_addf(&line, " cannot be used: %s", craft_refusal_texts[why]);
    } else if (price < 0.0) {
        lu_text_add(&line, ", which has no price");
    } else {
        lu_text_addf(&line, " for %s exalted (prices of %s)", craft_say_figure(price).text,
                     on->pack->price_date);
    }
    lu_json_string(&json, line.text);
    lu_text_free(&line);
    on_item_words(&on->pool, on->pack, &on->item, &json);
    lu_json_array_end(&json);
    lu_json_object_end(&json);
    io->emit(io->user, json.text, json.length);
    lu_json_free(&json);
}

static lu_status use_it(const lu_tool_io *io, on_item *on, lu_error *error) {
    const char *action = lu_settings_text_of(io->settings, "action");
    lu_rng rng = lu_rng_from((uint64_t)lu_settings_int(io->settings, "seed"));
    craft_use_words words;
    craft_effect effect;
    if (!*action) {
        return lu_fail(error, LU_USAGE, "choose an --action: exalt, or exalted_orb with its omens");
    }
    if (craft_use_read(&words, &on->pool, on->pack, action, error) != LU_OK) {
        return LU_BAD_VALUE;
    }
    const char *omens[] = {words.omen[0], words.omen[1], words.omen[2]};
    if (craft_effect_init(&effect, &on->pool, on->pack, words.use, omens, words.omens, error) !=
        LU_OK) {
        return LU_BAD_VALUE;
    }
    bool fresh = effect.op == CRAFT_OP_RESTART;
    int why = fresh ? CRAFT_USABLE : craft_why(&on->pool, &on->item, &effect);
    if (why == CRAFT_USABLE) {
        craft_apply(&on->pool, &on->item, &effect, &rng);
    }
    tell(io, on, &words, why);
    return LU_OK;
}

static lu_status run(const lu_tool_io *io, lu_error *error) {
    on_item *on = lu_alloc(sizeof *on);
    lu_status status = on_item_open(on, io, error);
    status = status == LU_OK ? use_it(io, on, error) : status;
    on_item_close(on);
    free(on);
    return status;
}

extern const lu_tool lu_tool_craft_apply;
const lu_tool lu_tool_craft_apply = {
    .game = "craft",
    .name = "apply",
    .sentence = "Uses one currency, essence or bone on an item, and shows its price and the item.",
    .settings = {"craft apply", rows, sizeof rows / sizeof *rows},
    .run = run,
};
