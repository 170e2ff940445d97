/* Settings and reset options of potion: the tables, the rules block that follows from the settings,
 * and the readers of stocks and lists of ingredients. */
#include "potion.h"
#include "potion_inventory.h"

#include <stdlib.h>
#include <string.h>

/* Rows of both variants; they differ in the defaults of the first three. */
#define ROWS(ruleset, cap, full)                                                                     \
    {"rules",                                                                                        \
     LU_ENUM,                                                                                        \
     ruleset,                                                                                        \
     0,                                                                                              \
     0,                                                                                              \
     "game|rl_peer",                                                                                 \
     "Stability classes and stars as in the game, or as in the reference environment.",              \
     false},                                                                                         \
        {"step_cap",                                                                                 \
         LU_BOOL,                                                                                    \
         cap,                                                                                        \
         0,                                                                                          \
         0,                                                                                          \
         NULL,                                                                                       \
         "Ends an episode after 4 decisions per slot of the cauldron, as if finished.",              \
         false},                                                                                     \
        {"full_ends",                                                                                \
         LU_BOOL,                                                                                    \
         full,                                                                                       \
         0,                                                                                          \
         0,                                                                                          \
         NULL,                                                                                       \
         "Ends an episode when the cauldron is exactly full of magimins.",                           \
         false},                                                                                     \
        {"task",                                                                                     \
         LU_ENUM,                                                                                    \
         "default",                                                                                  \
         0,                                                                                          \
         0,                                                                                          \
         "default|roxanne|corsac|finn|anubia|robin",                                                 \
         "A contest fixes the cauldron, asks for one of its three recipes and stocks 10 of each "    \
         "ingredient.",                                                                              \
         false},                                                                                     \
        {"contest.round",                                                                            \
         LU_INT,                                                                                     \
         "0",                                                                                        \
         0,                                                                                          \
         POTION_ROUNDS,                                                                              \
         NULL,                                                                                       \
         "Round of the contest, 1 to 3; 0 draws one.",                                               \
         false},                                                                                     \
        {"contest.cauldron",                                                                         \
         LU_ENUM,                                                                                    \
         "peer",                                                                                     \
         0,                                                                                          \
         0,                                                                                          \
         "peer|fitting",                                                                             \
         "Cauldron of a contest: that of the reference's task, or one sold by then that "            \
         "suffices.",                                                                                \
         false},                                                                                     \
        {"contest.price",                                                                            \
         LU_ENUM,                                                                                    \
         "base",                                                                                     \
         0,                                                                                          \
         0,                                                                                          \
         "base|sale|none",                                                                           \
         "What must reach the target of a contest: the base price, the price with traits and "       \
         "shop bonus, or nothing but tier and stars.",                                               \
         false},                                                                                     \
        {"recipe.randomize",                                                                         \
         LU_BOOL,                                                                                    \
         "true",                                                                                     \
         0,                                                                                          \
         0,                                                                                          \
         NULL,                                                                                       \
         "Draws a recipe for each episode.",                                                         \
         false},                                                                                     \
        {"recipe_index", LU_INT, "0", 0, POTION_RECIPES - 1, NULL, "The recipe when none is drawn.", \
         false},                                                                                     \
        {"recipe.held_out",                                                                          \
         LU_LIST,                                                                                    \
         "",                                                                                         \
         0,                                                                                          \
         POTION_RECIPES - 1,                                                                         \
         NULL,                                                                                       \
         "Recipes that are never drawn, unless the reset option held_out asks for them.",            \
         false},                                                                                     \
        {"cauldron.randomize",                                                                       \
         LU_BOOL,                                                                                    \
         "true",                                                                                     \
         0,                                                                                          \
         0,                                                                                          \
         NULL,                                                                                       \
         "Draws a cauldron for each episode.",                                                       \
         false},                                                                                     \
        {"cauldron_index",                                                                           \
         LU_INT,                                                                                     \
         "0",                                                                                        \
         0,                                                                                          \
         POTION_CAULDRONS - 1,                                                                       \
         NULL,                                                                                       \
         "The cauldron when none is drawn.",                                                         \
         false},                                                                                     \
        {"chapter",                                                                                  \
         LU_INT,                                                                                     \
         "5",                                                                                        \
         1,                                                                                          \
         POTION_CHAPTERS,                                                                            \
         NULL,                                                                                       \
         "Draws only recipes, cauldrons and ingredients known by this chapter.",                     \
         false},                                                                                     \
        {"ingredients.randomize",                                                                    \
         LU_BOOL,                                                                                    \
         "true",                                                                                     \
         0,                                                                                          \
         0,                                                                                          \
         NULL,                                                                                       \
         "Draws the number of pieces of each ingredient; otherwise it is the maximum.",              \
         false},                                                                                     \
        {"ingredients.minimum_amount",      LU_INT, "0", 0, POTION_STOCK_MAX, NULL,                  \
         "Fewest pieces of an ingredient.", false},                                                  \
        {"ingredients.maximum_amount",    LU_INT, "10", 0, POTION_STOCK_MAX, NULL,                   \
         "Most pieces of an ingredient.", false},                                                    \
        {"ingredients.allowed_ingredients",                                                          \
         LU_TEXT,                                                                                    \
         "",                                                                                         \
         0,                                                                                          \
         0,                                                                                          \
         "commas",                                                                                   \
         "Ingredients in stock: actions separated by commas, chapter:C for those of chapters 1 "     \
         "to "                                                                                       \
         "C, or shop:C for a day's shop stock of these chapters; empty for all.",                    \
         false},                                                                                     \
        {"ingredients.inventory",                                                                    \
         LU_FILE,                                                                                    \
         "",                                                                                         \
         0,                                                                                          \
         1 << 15,                                                                                    \
         NULL,                                                                                       \
         "Inventory that every episode starts with, instead of what the other ingredients.* "        \
         "say; unset: none.",                                                                        \
         false},                                                                                     \
        {"trait_tie",                                                                                \
         LU_ENUM,                                                                                    \
         "distinct",                                                                                 \
         0,                                                                                          \
         0,                                                                                          \
         "distinct|copies",                                                                          \
         "In a tie of traits each ingredient, or each copy, has an equal chance.",                   \
         false},                                                                                     \
        {"star_luck",                                                                                \
         LU_REAL,                                                                                    \
         "0",                                                                                        \
         0,                                                                                          \
         1,                                                                                          \
         NULL,                                                                                       \
         "Chance of one more star for perfect and very stable brews.",                               \
         false},                                                                                     \
        {"shop_bonus", LU_REAL, "0", 0, 10, NULL, "Share that the shop adds to sale prices.",        \
         false},                                                                                     \
        {"reward.bonus",                                                                             \
         LU_ENUM,                                                                                    \
         "step",                                                                                     \
         0,                                                                                          \
         0,                                                                                          \
         "step|log",                                                                                 \
         "The term stability: a step per class, or 1.661 log10(class + 1e-8).",                      \
         false},                                                                                     \
        {"reward.stability_reward",                                                                  \
         LU_LIST,                                                                                    \
         "0, 0.25, 0.5, 0.75, 1",                                                                    \
         -1000,                                                                                      \
         1000,                                                                                       \
         NULL,                                                                                       \
         "Steps of the term stability: cannot brew, unstable, stable, very stable, perfect.",        \
         false},                                                                                     \
    {                                                                                                \
        "reward.profit_scale", LU_REAL, "1000", 1, 1e6, NULL,                                        \
            "Gold that counts as 1 in the term profit_sigmoid.", false                               \
    }

const lu_setting potion_rows[] = {ROWS("game", "true", "true")};
const lu_setting potion_peer_rows[] = {ROWS("rl_peer", "false", "true")};
LU_STATIC_ASSERT(LU_COUNT(potion_rows) == POTION_ROWS, "potion.h counts the rows");

const lu_setting potion_option_rows[] = {
    {"recipe", LU_INT, "-1", -1, POTION_RECIPES - 1, NULL, "The recipe; -1: from the settings.",
     false},
    {"cauldron", LU_INT, "-1", -1, POTION_CAULDRONS - 1, NULL,
     "The cauldron; -1: from the settings.", false},
    {"stock", LU_TEXT, "", 0, 0, "json",
     "The stock: all, a number of each, shop:C for a day's shop stock of chapters 1 to C, or a "
     "JSON object of pieces by action or name; default: from the settings.",
     false},
    {"held_out", LU_BOOL, "false", 0, 0, NULL, "Draws one of the held-out recipes.", false},
};
LU_STATIC_ASSERT(LU_COUNT(potion_option_rows) == POTION_OPTION_ROWS, "potion.h counts the rows");

/* ---- stocks ---- */

/* "NAME:C" with C a chapter: the chapter, or 0. */
static int chapter_of(const char *text, const char *name) {
    size_t length = strlen(name);
    bool fits = strncmp(text, name, length) == 0 && text[length] == ':' &&
                text[length + 1] >= '1' && text[length + 1] <= '0' + POTION_CHAPTERS &&
                text[length + 2] == 0;
    return fits ? text[length + 1] - '0' : 0;
}

static void stock_fill(uint8_t *stock, int last, int pieces) {
    memset(stock, 0, POTION_ACTIONS);
    for (int i = 1; i <= last; i++) {
        stock[i] = pieces < 0 ? potion_ingredients[i].shop : (uint8_t)pieces;
    }
}

static lu_status stock_object(const char *what, const lu_json_value *object, uint8_t *stock,
                              lu_error *error) {
    uint8_t read[POTION_ACTIONS] = {0};
    for (size_t k = 0; k < lu_json_count(object); k++) {
        const char *key;
        int64_t pieces;
        lu_json_member(object, k, &key);
        int action = potion_ingredient_find(key);
        if (action == 0) {
            int64_t number;
            if (lu_parse_i64(what, key, 1, POTION_INGREDIENTS, &number, NULL) != LU_OK) {
                const char *near = potion_inventory_near(key);
                return lu_fail(error, LU_BAD_DATA,
                               near ? "%s: '%s' isn't an ingredient; did you mean '%s'?"
                                    : "%s: '%s' isn't an ingredient; write its name as the game "
                                      "shows it",
                               what, key, near);
            }
            action = (int)number;
        }
        LU_TRY(lu_json_get_int(object, key, 0, POTION_STOCK_MAX, &pieces, error));
        read[action] = (uint8_t)pieces;
    }
    memcpy(stock, read, sizeof read);
    return LU_OK;
}

/* "6 Dwarf Kraken, 4 Mandrake Root": the lines of an inventory between commas. */
static lu_status stock_list(const char *what, const char *text, uint8_t *stock, lu_error *error) {
    lu_text lines = LU_TEXT_INIT;
    for (; *text; text++) {
        lu_text_add_char(&lines, strchr(",;", *text) ? '\n' : *text);
    }
    lu_status status = potion_inventory_read(what, lines.text, lines.length, stock, error);
    lu_text_free(&lines);
    return status;
}

static lu_status stock_word(const char *what, const char *text, uint8_t *stock, lu_error *error) {
    int64_t pieces;
    int chapter = chapter_of(text, "shop");
    chapter = chapter ? chapter : chapter_of(text, "chapter");
    if (strcmp(text, "all") == 0) {
        stock_fill(stock, POTION_INGREDIENTS, POTION_ITEMS_MAX);
    } else if (chapter) {
        stock_fill(stock, potion_chapter_end[chapter], -1);
    } else if (lu_parse_i64(what, text, 0, POTION_STOCK_MAX, &pieces, NULL) == LU_OK) {
        stock_fill(stock, POTION_INGREDIENTS, (int)pieces);
    } else if (strchr(text, ' ')) {
        return stock_list(what, text, stock, error);
    } else {
        return lu_fail(error, LU_BAD_DATA,
                       "%s: '%s' isn't a stock: use all, a number up to %d, shop:1 to shop:%d, or "
                       "what you own, as in 6 Dwarf Kraken, 4 Mandrake Root",
                       what, text, POTION_STOCK_MAX, POTION_CHAPTERS);
    }
    return LU_OK;
}

lu_status potion_stock_from(const char *what, const lu_json_value *value, uint8_t *stock,
                            lu_error *error) {
    if (lu_json_kind_of(value) == LU_JSON_OBJECT) {
        return stock_object(what, value, stock, error);
    }
    if (lu_json_kind_of(value) == LU_JSON_STRING) {
        const char *text = lu_json_text(value, NULL);
        /* as the recorded episodes write it */
        return stock_word(what, strcmp(text, "10 of each") == 0 ? "10" : text, stock, error);
    }
    return lu_fail(error, LU_BAD_DATA, "%s must be a text or an object of pieces by ingredient",
                   what);
}

lu_status potion_stock_read(const char *what, const char *text, uint8_t *stock, lu_error *error) {
    if (text[0] != '{') {
        return stock_word(what, text, stock, error);
    }
    lu_json_document *document = lu_json_read(what, text, strlen(text), error);
    if (!document) {
        return LU_BAD_DATA;
    }
    lu_status status = stock_object(what, lu_json_root(document), stock, error);
    lu_json_close(document);
    return status;
}

/* ---- the rules block ---- */

/* Which ingredients may be in stock: allowed[i] is 1, or with shop:C 2. */
static lu_status read_allowed(const char *text, uint8_t *allowed, lu_error *error) {
    static const char key[] = "ingredients.allowed_ingredients";
    int chapter = chapter_of(text, "chapter"), shop = chapter_of(text, "shop");
    memset(allowed, 0, POTION_ACTIONS);
    if (!*text || chapter || shop) {
        int last = *text ? potion_chapter_end[chapter ? chapter : shop] : POTION_INGREDIENTS;
        memset(allowed + 1, shop ? 2 : 1, (size_t)last);
        return LU_OK;
    }
    while (*text) {
        char word[8];
        int64_t action;
        size_t length = strcspn(text, ","), skip = strspn(text, " ");
        size_t end = length;
        while (end > skip && text[end - 1] == ' ') {
            end--;
        }
        size_t size = end > skip ? end - skip : 0;
        size = size < sizeof word - 1 ? size : sizeof word - 1;
        memcpy(word, text + skip, size);
        word[size] = 0;
        if (skip >= length ||
            lu_parse_i64(key, word, 1, POTION_INGREDIENTS, &action, NULL) != LU_OK) {
            return lu_fail(error, LU_BAD_VALUE,
                           "'%s': '%.*s' is neither an action 1 to %d nor chapter:1 to chapter:%d "
                           "nor shop:1 to shop:%d",
                           key, (int)length, text, POTION_INGREDIENTS, POTION_CHAPTERS,
                           POTION_CHAPTERS);
        }
        allowed[action] = 1;
        text += text[length] ? length + 1 : length;
    }
    return LU_OK;
}

/* The stock is what an inventory says, as far as a state holds as much. */
static lu_status init_inventory(potion_rules *m, const lu_file_text *file, lu_error *error) {
    uint8_t pieces[POTION_ACTIONS] = {0};
    if (m->goals > 0) {
        return lu_fail(error, LU_BAD_VALUE,
                       "'ingredients.inventory': a contest has its own stock; leave one out");
    }
    lu_status status = potion_inventory_read(file->name, file->text, file->length, pieces, error);
    for (int i = 0; i < POTION_ACTIONS; i++) {
        m->stock_low[i] = pieces[i] < POTION_STOCK_MAX ? pieces[i] : POTION_STOCK_MAX;
        m->stock_span[i] = 1;
    }
    return status;
}

static lu_status init_stock(potion_rules *m, const lu_settings *v, lu_error *error) {
    const lu_file_text *inventory = lu_settings_file_of(v, "ingredients.inventory", 0);
    if (inventory) {
        return init_inventory(m, inventory, error);
    }
    uint8_t allowed[POTION_ACTIONS];
    int low = (int)lu_settings_int(v, "ingredients.minimum_amount");
    int high = (int)lu_settings_int(v, "ingredients.maximum_amount");
    int last = potion_chapter_end[lu_settings_int(v, "chapter")];
    bool drawn = lu_settings_bool(v, "ingredients.randomize"), contest = m->goals > 0;
    if (low > high) {
        return lu_fail(error, LU_BAD_VALUE,
                       "'ingredients.minimum_amount' = %d is above ingredients.maximum_amount = %d",
                       low, high);
    }
    if (read_allowed(lu_settings_text_of(v, "ingredients.allowed_ingredients"), allowed, error) !=
        LU_OK) {
        return LU_BAD_VALUE;
    }
    if (contest) {
        low = high = 10;
        drawn = false;
    }
    for (int i = 0; i < POTION_ACTIONS; i++) {
        bool kept = i >= 1 && i <= last && allowed[i];
        bool shop = allowed[i] == 2;
        int least = !kept ? 0 : shop ? potion_ingredients[i].shop : drawn ? low : high;
        m->stock_low[i] = (uint8_t)least;
        m->stock_span[i] = kept && !shop && drawn ? (uint32_t)(high - low + 1) : 1u;
    }
    return LU_OK;
}

/* Recipes, cauldron and goals of a contest. */
static void init_contest(potion_rules *m, const lu_settings *v, int contest) {
    const potion_round *round = &potion_rounds[contest * POTION_ROUNDS];
    int only = (int)lu_settings_int(v, "contest.round");
    m->judged = lu_settings_enum(v, "contest.price");
    m->recipes = 0;
    for (int k = 0; k < POTION_ROUNDS; k++) {
        if (only == 0 || only == k + 1) {
            m->goal[m->goals++] = (potion_goal){
                .recipe = round[k].recipe,
                .grade = round[k].need_tier * POTION_STARS + round[k].need_star,
                .target = round[k].target,
            };
            m->recipe[m->recipes++] = round[k].recipe;
        }
    }
    m->cauldrons = 1;
    m->cauldron[0] =
        lu_settings_enum(v, "contest.cauldron") ? round->cauldron : round->peer_cauldron;
}

/* Lists that a reset draws from. */
static lu_status init_tasks(potion_rules *m, const lu_settings *v, lu_error *error) {
    const double *held;
    bool is_held[POTION_RECIPES] = {false};
    int chapter = (int)lu_settings_int(v, "chapter");
    size_t count = lu_settings_list(v, "recipe.held_out", &held);
    for (size_t k = 0; k < count; k++) {
        if (held[k] != (double)(int)held[k]) {
            return lu_fail(error, LU_BAD_VALUE, "'recipe.held_out': %g isn't a number of a recipe",
                           held[k]);
        }
        is_held[(int)held[k]] = true;
    }
    for (int r = 0; r < POTION_RECIPES; r++) {
        if (is_held[r]) {
            m->held[m->held_out++] = (uint8_t)r;
        } else if (potion_recipes[r].licence <= chapter) {
            m->recipe[m->recipes++] = (uint8_t)r;
        }
    }
    for (int c = 0; c < POTION_CAULDRONS; c++) {
        if (potion_cauldrons[c].chapter <= chapter) {
            m->cauldron[m->cauldrons++] = (uint8_t)c;
        }
    }
    if (!lu_settings_bool(v, "recipe.randomize")) {
        m->recipes = 1;
        m->recipe[0] = (uint8_t)lu_settings_int(v, "recipe_index");
    }
    if (!lu_settings_bool(v, "cauldron.randomize")) {
        m->cauldrons = 1;
        m->cauldron[0] = (uint8_t)lu_settings_int(v, "cauldron_index");
    }
    int task = lu_settings_enum(v, "task");
    if (task > 0) {
        init_contest(m, v, task - 1);
    }
    if (m->recipes == 0) {
        return lu_fail(error, LU_BAD_VALUE,
                       "'recipe.held_out' leaves no recipe to draw: hold fewer out");
    }
    return LU_OK;
}

static lu_status init_bonus(potion_rules *m, const lu_settings *v, lu_error *error) {
    const double *steps;
    size_t count = lu_settings_list(v, "reward.stability_reward", &steps);
    if (count != POTION_CODES) {
        return lu_fail(
            error, LU_BAD_VALUE,
            "'reward.stability_reward' has %zu numbers instead of %d, from cannot brew to perfect",
            count, POTION_CODES);
    }
    bool logarithm = lu_settings_enum(v, "reward.bonus") == 1;
    for (int k = 0; k < POTION_CODES; k++) {
        double ln10 = 2.302585092994046;
        m->bonus[k] = logarithm ? 1.661 * (lu_log((double)k + 1e-8) / ln10) : steps[k];
    }
    return LU_OK;
}

lu_status potion_rules_init(lu_rules *rules, const lu_settings *v, lu_error *error) {
    potion_rules *m = (potion_rules *)(void *)rules;
    m->shop_bonus = lu_settings_real(v, "shop_bonus");
    m->star_luck = lu_settings_real(v, "star_luck");
    m->profit_scale = lu_settings_real(v, "reward.profit_scale");
    m->ruleset = lu_settings_enum(v, "rules");
    m->copies = lu_settings_enum(v, "trait_tie");
    m->step_cap = lu_settings_bool(v, "step_cap");
    m->full_ends = lu_settings_bool(v, "full_ends");
    lu_status status = init_bonus(m, v, error);
    LU_THEN(status, init_tasks(m, v, error));
    return status == LU_OK ? init_stock(m, v, error) : status;
}

lu_status potion_options_init(const lu_rules *rules, const lu_settings *v, void *block,
                              lu_error *error) {
    const potion_rules *m = (const potion_rules *)(const void *)rules;
    potion_options *wish = block;
    const char *stock = lu_settings_text_of(v, "stock");
    memset(wish, 0, sizeof *wish);
    wish->recipe = (int32_t)lu_settings_int(v, "recipe");
    wish->cauldron = (int32_t)lu_settings_int(v, "cauldron");
    wish->held_out = lu_settings_bool(v, "held_out");
    wish->stocked = *stock ? 1 : 0;
    if (wish->held_out && m->held_out == 0) {
        return lu_fail(error, LU_BAD_VALUE,
                       "'held_out': no recipe is held out: name some in recipe.held_out");
    }
    return *stock ? potion_stock_read("stock", stock, wish->stock, error) : LU_OK;
}
