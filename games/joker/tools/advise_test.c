/* Tests of the advise tool: what a person gives is enough, plays and discards are those of the
 * search, the agent's choices are told beside them, what is hidden changes nothing, and bad states
 * are refused in a sentence. */
#pragma GCC diagnostic ignored "-Wunused-function" /* the parts of the rules are included */

#include "joker_words.h"
#include "search/joker_search.h"
#include "variants/joker_plan_layout.h"

#include "ludus/json.h"
#include "ludus/math.h"
#include "ludus/tool.h"

#include "tool_said.h"

#include <stdlib.h>
#include <string.h>

extern const lu_tool lu_tool_joker_advise;

static const lu_tool_agent *agent; /* that the tool may ask; NULL: none */

static lu_status ask(const char *text, const char *const *pairs, lu_error *error) {
    return tool_ask(&lu_tool_joker_advise, (lu_tool_io){.agent = agent}, pairs, "state.json", text,
                    error);
}

static const char *const few[] = {"samples=20", NULL};

/* ---- agents ---- */

/* An untrained net of one layer: every number of the observation weighs in every choice, so that
 * none of them may depend on what is hidden. */
static lu_status think_of_all(void *user, const lu_rules *rules, const void *state, int seat,
                              float *probabilities, double *value, lu_error *error) {
    static float seen[JOKER_PLAN_OBSERVATION];
    uint8_t legal[JOKER_CHOICES];
    double sum = 0.0;
    lu_rng weights = lu_rng_from(77);
    const lu_core *core = lu_game_core(lu_game_find(lu_tool_joker_advise.agent, error));
    (void)user;
    core->observe(rules, state, seat, LU_ALL_CHANGED, seen);
    core->mask(rules, state, seat, legal);
    *value = 0.0;
    for (int choice = 0; choice < JOKER_CHOICES; choice++) {
        double logit = 0.0;
        for (int i = 0; i < JOKER_PLAN_OBSERVATION; i++) {
            logit += (double)seen[i] * (lu_rng_unit(&weights) - 0.5);
        }
        *value += logit;
        probabilities[choice] = legal[choice] ? (float)lu_exp(0.1 * logit) : 0.0f;
        sum += (double)probabilities[choice];
    }
    for (int choice = 0; choice < JOKER_CHOICES; choice++) {
        probabilities[choice] = (float)((double)probabilities[choice] / sum);
    }
    return LU_OK;
}

static const lu_tool_agent untrained = {.name = "untrained", .think = think_of_all};

/* Knows what it wants: user points at {choice, percent}; leaving the shop and rerolling share the
 * rest. */
static lu_status think_of_one(void *user, const lu_rules *rules, const void *state, int seat,
                              float *probabilities, double *value, lu_error *error) {
    const int *wish = user;
    (void)rules;
    (void)state;
    (void)seat;
    (void)error;
    memset(probabilities, 0, JOKER_CHOICES * sizeof *probabilities);
    probabilities[JOKER_CHOICE_LEAVE] = probabilities[JOKER_CHOICE_REROLL] =
        0.5f - (float)wish[1] / 200.0f;
    probabilities[wish[0]] = (float)wish[1] / 100.0f;
    *value = 2.5;
    return LU_OK;
}

/* Asks on behalf of an agent that wants one choice. */
static lu_status ask_wishing(const char *text, int choice, int percent) {
    int wish[2] = {choice, percent};
    lu_tool_agent own = {.name = "wish", .step = 3000000, .user = wish, .think = think_of_one};
    lu_error error = {LU_OK, ""};
    agent = &own;
    lu_status status = ask(text, few, &error);
    agent = NULL;
    return status;
}

/* ---- rounds ---- */

TEST(a_hand_is_advised_step_by_step) {
    static const char state[] =
        "{\"hand\":[\"KH:glass\",\"KD\",\"9S\",\"9C:polychrome\",\"7H\",\"5D\",\"4C\",\"2S\"],"
        "\"jokers\":[\"j_joker\",\"j_photograph\",\"j_duo\",{\"key\":\"j_blueprint\"},\"j_baron\"],"
        "\"hands\":3,\"discards\":2,\"money\":12,\"target\":2000,\"score\":300,\"ante\":3,"
        "\"levels\":{\"Pair\":2}}";
    lu_error error = {LU_OK, ""};
    NEED(ask(state, few, &error) == LU_OK);
    CHECK_HAS(said, "\"phase\":\"round\",\"play\":{\"label\":\"exact\"");
    CHECK_HAS(said, "\"cards\":[\"KH:glass\",\"KD\",\"9S\",\"9C:polychrome\"]");
    CHECK_HAS(said, "\"hand\":\"Two Pair\",\"worst\":3712,\"mean\":3712,\"best\":3712,\"wins\":1");
    CHECK_HAS(said, "[\"Joker\",\"Photograph\",\"Blueprint\",\"The Duo\",\"Baron\"]");
    CHECK_HAS(said, "Photograph on KH:glass: x2  = 30 x 8");
    CHECK_HAS(said, "Blueprint as The Duo: x2  = 58 x 32");
    CHECK_HAS(said, "\"advice\":\"play\"");
    CHECK_HAS(said, "draw_pile is not given");
    CHECK_HAS(said, "order of the draw pile (44 cards)");
}

/* The answer without the numbers that tell how long it took: there are none. */
static char *answer_to(const char *text, const char *const *pairs) {
    lu_error error = {LU_OK, ""};
    char *copy = NULL;
    if (ask(text, pairs, &error) == LU_OK) {
        copy = strdup(said);
    }
    return copy;
}

#define HIDDEN(pile)                                                                               \
    "{\"hand\":[\"KH\",\"9S\",\"7H\",\"??\",\"2S\"],\"draw_pile\":[" pile "],\"jokers\":[],"       \
    "\"hand_size\":5,\"hands\":2,\"discards\":1,\"money\":4,\"ante\":1,\"level\":[1,1,1,1,1,1,1,"  \
    "1,"                                                                                           \
    "1,1,1,1],\"target\":300,\"boss_key\":\"bl_wheel\",\"consumables\":[{\"key\":\"c_hermit\"},"   \
    "{\"key\":\"c_magician\"}]}"

TEST(a_state_is_typed_in_words) {
    lu_error error = {LU_OK, ""};
    NEED(ask("{\"hand\":\"KH KD 9S\",\"jokers\":\"joker:foil, Ride the Bus:3, Popcorn\","
             "\"deck\":\"plasma\",\"boss\":\"The Hook\",\"stake\":\"gold\"}",
             few, &error) == LU_OK);
    CHECK_HAS(said, "Joker's edition: +50 chips");
    CHECK_HAS(said, "Plasma Deck evens out");
    CHECK_HAS(said, "which cards The Hook discards");
    CHECK_HAS(said,
              "Assumptions: draw pile: the 52 plain cards minus those seen; target: 1,200, by");
    CHECK_HAS(said, "what Popcorn has stored: 20");
    CHECK(!strstr(said, "what Ride the Bus has stored"));
    NEED(ask("{\"phase\":\"shop\",\"money\":20,\"shop\":[\"Blueprint:foil\",\"Mercury\",\"KH:"
             "glass\"]}",
             few, &error) == LU_OK);
    CHECK_HAS(said, "Joker Blueprint, $12: ");
    CHECK_HAS(said, "Planet Mercury, $3: ");
    CHECK_INT(ask("{\"shop\":[\"Blueprnt\"]}", few, &error), LU_BAD_DATA);
    CHECK_HAS(error.text, "shop: 'Blueprnt' is unknown; did you mean 'blueprint'?");
    CHECK_INT(ask("{\"phase\":\"shopp\"}", few, &error), LU_BAD_DATA);
    CHECK_HAS(error.text, "'phase' must be blind, round, cash out, shop or end, not 'shopp'");
    CHECK_INT(ask("{\"hand\":\"KH KD 9S\",\"boss\":\"hok\"}", few, &error), LU_BAD_DATA);
    CHECK_HAS(error.text, "'hok' is unknown; did you mean 'hook'?");
}

TEST(the_order_of_the_pile_tells_nothing) {
    static const char *const given[] = {"samples=20", "draw_order=given", NULL};
    const char *one = "{\"hand\":[\"KH\",\"9S\",\"2S\"],\"draw_pile\":[\"KD\",\"KC\",\"3S\"],"
                      "\"hand_size\":3,\"hands\":2,\"discards\":1,\"target\":300}";
    const char *two = "{\"hand\":[\"KH\",\"9S\",\"2S\"],\"draw_pile\":[\"3S\",\"KD\",\"KC\"],"
                      "\"hand_size\":3,\"hands\":2,\"discards\":1,\"target\":300}";
    char *a = answer_to(one, few), *b = answer_to(two, few);
    NEED(a && b);
    CHECK_TEXT(a, b);
    CHECK_HAS(a, "\"discard\":{\"label\":\"exact\",\"draws\":3");
    free(a);
    free(b);
    a = answer_to(one, given);
    b = answer_to(two, given);
    NEED(a && b);
    CHECK(strcmp(a, b) != 0);
    CHECK_HAS(a, "\"discard\":{\"label\":\"known order\",\"draws\":1");
    free(a);
    free(b);
}

TEST(cards_face_down_are_not_known) {
    agent = &untrained;
    char *a = answer_to(HIDDEN("\"KD\",\"KC\",\"3S\",\"5H\""), few);
    char *b = answer_to(HIDDEN("\"5H\",\"3S\",\"KC\",\"KD\""), few);
    NEED(a && b);
    CHECK_TEXT(a, b);
    agent = NULL;
    CHECK_HAS(a, "\"choice\":\"use 1\",\"words\":\"use The Hermit\"");
    CHECK_HAS(a, "\"first\":{\"type\":10,\"index\":0,\"to\":0,\"positions\":[]}");
    CHECK(!strstr(a, "use 2")); /* a Tarot for cards: which ones is not seen */
    CHECK_HAS(a, "1 held cards are face down");
    CHECK_HAS(a, "\"cards\":[\"KH\"]");
    free(a);
    free(b);
}

#define PILE_ONE "\"KD\",\"KC:glass\",\"3S\",\"5H:redseal\",\"AS\",\"9D\""
#define PILE_TWO "\"9D\",\"AS\",\"5H:redseal\",\"KD\",\"3S\",\"KC:glass\""
#define OPEN_PACK(pile)                                                                            \
    "{\"phase\":3,\"pack_open\":1,\"pack_picks\":1,\"pack_shown\":2,\"pack_hand\":1,"              \
    "\"pack_back\":3,\"hand\":[\"KH\",\"7S\",\"2D\"],\"draw_pile\":[" pile                         \
    "],\"jokers\":[\"j_baron\"],\"pack\":[{\"key\":\"c_magician\"},{\"key\":\"c_death\"}]}"
#define BLIND(pile)                                                                                \
    "{\"phase\":0,\"draw_pile\":[" pile "],\"jokers\":[\"j_baron\",\"j_steel_joker\"],"            \
    "\"consumables\":[{\"key\":\"c_pluto\"}]}"

/* The agent's part: what lies in the pile counts, its order does not. */
TEST(the_order_of_the_pile_tells_the_agent_nothing) {
    static const char *const rows[][2] = {{OPEN_PACK(PILE_ONE), OPEN_PACK(PILE_TWO)},
                                          {BLIND(PILE_ONE), BLIND(PILE_TWO)},
                                          {BLIND(PILE_ONE), BLIND("\"KD\",\"3S\",\"AS\"")}};
    agent = &untrained;
    for (int i = 0; i < 3; i++) {
        char *a = answer_to(rows[i][0], few), *b = answer_to(rows[i][1], few);
        NEED(a && b);
        const char *one = strstr(a, "\"agent\":{"), *two = strstr(b, "\"agent\":{");
        NEED(one && two);
        CHECK_INT(strcmp(one, two) != 0, i == 2); /* other cards are another answer */
        free(a);
        free(b);
    }
    agent = NULL;
}

/* What a player is shown of a state, as the tool's answer. */
static char *answer_to_state(const joker_rules *m, const joker_state *s) {
    static const char *const least[] = {"samples=10", NULL};
    lu_json json = LU_JSON_INIT;
    joker_to_json(&m->head, s, 0, &json);
    char *answer = answer_to(json.text, least);
    lu_json_free(&json);
    return answer;
}

/* Every state of a run as the game writes it is read, and what is hidden in it tells nothing, to
 * the agent neither. */
TEST(states_of_a_run_are_advised) {
    static joker_rules m;
    static joker_state s, other;
    static joker_player player;
    lu_rng rng = lu_rng_from(9);
    memset(&m, 0, sizeof m);
    memset(&s, 0, sizeof s);
    m.fast = 1;
    m.win_ante = 8;
    joker_seed_number(&m, &s, 40200);
    joker_run_start(&m, &s);
    int opinions = 0;
    agent = &untrained;
    for (int k = 0; k < 100 && s.phase != JOKER_END; k++) {
        joker_action action = joker_decide(&player, &m, &s, &joker_skill_steady, &rng);
        if (k % 8 == 0) {
            lu_rng dice = lu_rng_from((uint64_t)k);
            memcpy(&other, &s, sizeof s);
            joker_draw_anew(&other, &dice);
            char *a = answer_to_state(&m, &s), *b = answer_to_state(&m, &other);
            NEED(a && b);
            CHECK_TEXT(a, b);
            CHECK_HAS(a, "\"advice\":");
            opinions += strstr(a, "\"label\":\"agent estimate\",\"variant\"") != NULL;
            free(a);
            free(b);
        }
        joker_perform(&m, &s, &action);
    }
    agent = NULL;
    CHECK(opinions >= 5);
}

#define SHOP(more)                                                                                 \
    "{\"phase\":3,\"money\":22,\"ante\":2,\"blind\":1,\"shop\":[{\"joker\":{\"key\":\"j_duo\"},"   \
    "\"price\":8},{\"key\":\"c_mercury\",\"price\":3},{\"key\":\"c_magician\",\"price\":3}],"      \
    "\"packs\":[{\"key\":\"p_arcana_normal_1\",\"price\":4}],"                                     \
    "\"shop_vouchers\":[{\"key\":\"v_grabber\",\"price\":100},{\"key\":\"v_blank\",\"price\":10}]" \
    ","                                                                                            \
    "\"consumables\":[{\"key\":\"c_pluto\"}]," more "}"
static const char roomy[] = SHOP("\"jokers\":[\"j_joker\",\"j_photograph\"]");
static const char crowded[] =
    SHOP("\"jokers\":[\"j_joker\",\"j_joker\",\"j_egg\",\"j_banner\",\"j_half\"]");

TEST(a_shop_is_advised) {
    lu_error error = {LU_OK, ""};
    NEED(ask(roomy, few, &error) == LU_OK);
    CHECK_HAS(said, "\"phase\":\"shop\"");
    CHECK_HAS(said, "the boss of this ante needs 1,600");
    CHECK_HAS(said, "\"title\":\"The Duo\",\"price\":8,\"possible\":true,\"score_gain\":");
    CHECK_HAS(said, "\"label\":\"search estimate\"");
    CHECK_HAS(said, "\"kind\":\"Voucher\",\"title\":\"Grabber\",\"price\":100,\"possible\":false");
    CHECK_HAS(said, "\"agent\":null");
    CHECK_HAS(said,
              "\"advice\":\"use Pluto\",\"label\":\"search estimate\",\"reason\":\"no agent was "
              "asked\",\"agree\":null");
    CHECK_HAS(said, "Advice: use Pluto (search estimate; no agent was asked).");
    CHECK_HAS(said, "what packs hold");
    CHECK_HAS(said, "`ludus train joker-plan-v1 --preset joker-plan` makes one");
}

/* Prices, interest and levels are facts of the rules. */
TEST(facts_of_offers_are_exact) {
    static const char moon[] = SHOP("\"jokers\":[\"j_to_the_moon\"],\"levels\":{\"Pair\":3}");
    static const char green[] = SHOP("\"jokers\":[],\"deck_key\":\"b_green\"");
    lu_error error = {LU_OK, ""};
    NEED(ask(moon, few, &error) == LU_OK);
    CHECK_HAS(said,
              "\"exact\":{\"money_after\":19,\"interest_lost\":2,\"hand\":\"Pair\",\"chips\":15,"
              "\"mult\":1}");
    CHECK_HAS(said, "\"exact\":{\"money_after\":14,\"interest_lost\":4}");
    CHECK_HAS(said, "$19 left, $2 less interest a round, Pair +15 chips +1 mult (exact)");
    NEED(ask(green, few, &error) == LU_OK);
    CHECK_HAS(said, "\"exact\":{\"money_after\":14,\"interest_lost\":0}");
}

TEST(agent_and_search_agree_or_differ) {
    NEED(ask_wishing(roomy, JOKER_CHOICE_USE, 70) == LU_OK);
    CHECK_HAS(said,
              "\"agent\":{\"label\":\"agent estimate\",\"variant\":\"joker-plan-v1\",\"model\":"
              "\"wish\",\"step\":3000000,\"value\":2.5,\"choices\":[{\"choice\":\"use 1\","
              "\"words\":\"use Pluto\",\"probability\":0.7");
    CHECK_HAS(said,
              "\"advice\":\"use Pluto\",\"label\":\"agent estimate\",\"reason\":\"agent (70%) and "
              "search agree\",\"agree\":true");
    CHECK_HAS(said, "Agent estimate (wish, trained for 3.0 million steps)");
    CHECK(!strstr(said, "no trained agent"));
    NEED(ask_wishing(roomy, JOKER_CHOICE_BUY, 80) == LU_OK);
    CHECK_HAS(said, "\"search\":{\"label\":\"search estimate\",\"words\":\"use Pluto\"}");
    CHECK_HAS(said,
              "\"advice\":\"buy The Duo for $8\",\"label\":\"agent estimate\",\"reason\":\"they "
              "differ: the agent prefers it at 80%, the search would use Pluto\",\"agree\":false");
    NEED(ask_wishing(roomy, JOKER_CHOICE_BUY, 40) == LU_OK);
    CHECK_HAS(said,
              "\"advice\":\"use Pluto\",\"label\":\"search estimate\",\"reason\":\"they differ: "
              "the agent would buy The Duo for $8, but only at 40%\",\"agree\":false");
}

/* What the search prepares by selling a joker is the same choice as the agent's. */
TEST(a_sale_is_part_of_a_choice) {
    static const char full[] =
        "{\"phase\":3,\"money\":22,\"ante\":2,\"blind\":1,\"shop\":[{\"joker\":{"
        "\"key\":\"j_duo\"},\"price\":8}],\"jokers\":[\"j_joker\",\"j_joker\","
        "\"j_egg\",\"j_banner\",\"j_half\"]}";
    NEED(ask_wishing(full, JOKER_CHOICE_BUY, 60) == LU_OK);
    CHECK_HAS(said, " to make room, then buy The Duo for $8\"");
    CHECK_HAS(said, "agent (60%) and search agree, but the agent would sell Egg");
    CHECK_HAS(said, "\"words\":\"buy The Duo for $8, selling Egg\",\"probability\":0.6");
    CHECK_HAS(said, "\"first\":{\"type\":8,"); /* which begins with the sale */
}

TEST(choices_have_words) {
    static const char blind[] =
        "{\"phase\":0,\"blind\":1,\"money\":30,\"jokers\":[],\"vouchers\":268435456,\"tag_big\":0}";
    static const char pack[] =
        "{\"phase\":3,\"pack_open\":1,\"pack_picks\":1,\"pack_shown\":3,\"pack_hand\":1,\"pack_"
        "back\":3,"
        "\"hand\":[\"KH\",\"7S\",\"2D\"],\"jokers\":[\"j_joker\"],"
        "\"pack\":[{\"key\":\"c_magician\",\"price\":3},{\"card\":\"AS:glass\",\"price\":1},"
        "{\"joker\":{\"key\":\"j_duo\"},\"price\":8}]}";
    static const struct {
        const char *state;
        int choice;
        const char *words;
    } rows[] = {
        {roomy, JOKER_CHOICE_BUY, "buy The Duo for $8"},
        {crowded, JOKER_CHOICE_BUY, "buy The Duo for $8, selling Egg"},
        {roomy, JOKER_CHOICE_BUY + 1, "buy and use Mercury for $3"},
        {roomy, JOKER_CHOICE_BUY + 2, "buy The Magician for $3"},
        {roomy, JOKER_CHOICE_VOUCHER + 1, "buy Blank for $10"},
        {roomy, JOKER_CHOICE_PACK, "buy Arcana Pack for $4"},
        {roomy, JOKER_CHOICE_REROLL, "reroll the shop for $5"},
        {roomy, JOKER_CHOICE_LEAVE, "leave the shop"},
        {roomy, JOKER_CHOICE_USE, "use Pluto"},
        {blind, JOKER_CHOICE_SELECT, "play Big Blind"},
        {blind, JOKER_CHOICE_SKIP, "skip Big Blind for Uncommon Tag"},
        {blind, JOKER_CHOICE_REROLL_BOSS, "reroll the boss for $10"},
        {pack, JOKER_CHOICE_PICK, "take The Magician on KH 7S"},
        {pack, JOKER_CHOICE_PICK + 1, "take AS:glass"},
        {pack, JOKER_CHOICE_PICK + 2, "take The Duo"},
        {pack, JOKER_CHOICE_SKIP_PACK, "skip the rest of the pack"},
        {"{\"phase\":2}", JOKER_CHOICE_CASH_OUT, "cash out"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char words[100];
        NEED(ask_wishing(rows[i].state, rows[i].choice, 80) == LU_OK);
        snprintf(words, sizeof words, "\"words\":\"%s\",\"probability\":0.8", rows[i].words);
        CHECK_HAS(said, words);
    }
}

/* Whether a consumable is used first is asked in a round too. */
TEST(a_round_asks_the_agent_about_consumables) {
    static const char round[] =
        "{\"hand\":[\"KH\",\"KD\",\"7H\",\"2S\"],\"hand_size\":4,\"target\":300,"
        "\"consumables\":[{\"key\":\"c_magician\"}]}";
    NEED(ask_wishing(round, JOKER_CHOICE_USE, 90) == LU_OK);
    CHECK_HAS(said, "\"phase\":\"round\"");
    CHECK_HAS(said, "\"words\":\"use The Magician on KH KD\",\"probability\":0.9");
    CHECK_HAS(said, "\"words\":\"play on\"");
}

static lu_status think_of_nothing(void *user, const lu_rules *rules, const void *state, int seat,
                                  float *probabilities, double *value, lu_error *error) {
    (void)user;
    (void)rules;
    (void)state;
    (void)seat;
    (void)probabilities;
    (void)value;
    return lu_fail(error, LU_BAD_DATA, "the net gives logits that are not numbers");
}

TEST(an_agent_that_fails_is_told) {
    static const lu_tool_agent broken = {.name = "broken", .think = think_of_nothing};
    lu_error error = {LU_OK, ""};
    agent = &broken;
    CHECK_INT(ask(roomy, few, &error), LU_BAD_DATA);
    CHECK_HAS(error.text, "logits that are not numbers");
    NEED(ask("{\"phase\":4}", few, &error) == LU_OK); /* a run that is over asks nobody */
    agent = NULL;
}

TEST(a_run_that_is_over_needs_no_advice) {
    lu_error error = {LU_OK, ""};
    NEED(ask("{\"phase\":4}", few, &error) == LU_OK);
    CHECK_HAS(said, "\"phase\":\"end\",\"advice\":\"none\"");
}

TEST(bad_states_are_refused) {
    static const struct {
        const char *text, *sentence;
    } rows[] = {
        {"\x1f\x8b\x08", ": this isn't a JSON state; the game's own save files cannot be read"},
        {"[]", ": this isn't a JSON state; the game's own save files cannot be read"},
        {"{\"hand\":", "state.json"},
        {"{\"hand\":[\"KX\"]}", "'KX' isn't a card"},
        {"{\"hand\":[\"??\"]}",
         "'draw_pile' must list all unseen cards, including those face down in"},
        {"{\"hand\":[]}", "'hand' must list the held cards"},
        {"{\"hand\":[\"KH\"],\"jokers\":[\"j_nobody\"]}", "j_nobody"},
        {"{\"hand\":[\"KH\"],\"jokers\":[{\"key\":\"joker\",\"editon\":\"foil\"}]}",
         "did you mean 'edition'?"},
        {"{\"hand\":[\"KH\"],\"levels\":{\"Pear\":2}}", "'Pear' isn't a hand"},
        {"{\"hand\":[\"KH\"],\"levels\":7}", "'levels' must be an object"},
        {"{\"hand\":[\"KH\"],\"boss_key\":\"bl_nobody\"}", "boss_key: 'bl_nobody' is unknown"},
        {"{\"hand\":[\"KH\"],\"hands\":-1}", "hands"},
        {"{\"hand\":[\"KH\",1]}", "'hand' must hold cards as texts"},
        {"{\"hand\":[\"KH\"],\"jokers\":7}", "'jokers' must be a list"},
        {"{\"hand\":[\"KH:glass,gold\"]}",
         "'gold' of card 'KH:glass,gold' is unknown or one too many"},
        {"{\"hand\":[\"KH:foil,holo\"]}", "'holo' of card"},
        {"{\"hand\":[\"KH\"],\"hands\":0}", "'hands' must be at least 1"},
        {"{\"hand\":[\"KH\"],\"vouchers\":[\"v_nobody\"]}", "'v_nobody' is unknown"},
        {"{\"hand\":[\"KH\"],\"jokers\":[\"j_jokr\"]}", "did you mean 'joker'?"},
        {"{\"hand\":[\"KH\"],\"jokers\":[{\"key\":\"joker\",\"ed\":\"foil\",\"edition\":\"holo\"}]"
         "}",
         "a joker has both 'edition' and 'ed': keep one"},
        {"{\"hand\":[\"KH\"],\"jokers\":[{\"key\":\"ride the "
         "bus\",\"a\":7,\"state\":{\"mult\":3}}]}",
         "a joker has both 'state' and 'a': keep one"},
        {"{\"hand\":[\"KH\"],\"consumables\":[{\"key\":\"mercury\",\"negatve\":true}]}",
         "a consumable has no 'negatve'; did you mean 'negative'?"},
        {"{\"hand\":[\"KH\"],\"consumables\":[\"mercry\"]}", "did you mean 'mercury'?"},
        {"{\"hand\":[\"KH\"],\"tags\":[{\"key\":\"double\",\"hnd\":3}]}", "a tag has no 'hnd'"},
        {"{\"shop\":[{\"joker\":\"baron\",\"pric\":5}]}",
         "an offer has no 'pric'; did you mean 'price'?"},
        {"{\"packs\":[{\"key\":\"buffoon pack\",\"cost\":4}]}", "an offer has no 'cost'"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        lu_error error = {LU_OK, ""};
        CHECK_INT(ask(rows[i].text, few, &error), LU_BAD_DATA);
        CHECK_HAS(error.text, rows[i].sentence);
    }
}

/* ---- what is given counts, what is not is named ---- */

TEST(a_debuff_that_is_given_counts) {
    lu_error error = {LU_OK, ""};
    NEED(ask("{\"hand\":[\"KH:debuffed\",\"2S\"],\"hands\":1,\"discards\":0,\"target\":30}", few,
             &error) == LU_OK);
    CHECK_HAS(said, "\"cards\":[\"2S\"],\"positions\":[1],\"hand\":\"High Card\",\"worst\":7,");
}

/* TESTSEED deals this hand, then 10C, 8C, 7H, AS, QC, AD. */
TEST(a_seed_tells_the_order_of_the_first_blind) {
    lu_error error = {LU_OK, ""};
    NEED(ask("{\"hand\":[\"AH\",\"KH\",\"QD\",\"9S\",\"9C\",\"5C\",\"5D\",\"4C\"],"
             "\"seed\":\"testseed\",\"ante\":1,\"hands\":1,\"target\":300}",
             few, &error) == LU_OK);
    CHECK_HAS(said, "\"label\":\"known order\"");
    CHECK(!strstr(said, "order of the draw pile"));
    CHECK(!strstr(said, "draw_pile is not given"));
    /* after 4C was discarded for 10C */
    NEED(ask("{\"hand\":[\"AH\",\"KH\",\"QD\",\"TC\",\"9S\",\"9C\",\"5C\",\"5D\"],"
             "\"seed\":\"TESTSEED\",\"ante\":1,\"hands\":1,\"target\":300}",
             few, &error) == LU_OK);
    CHECK_HAS(said, "\"label\":\"known order\"");
    /* another deck, a later ante, another seed: not known */
    NEED(ask("{\"hand\":[\"AH\",\"KH\"],\"seed\":\"TESTSEED\",\"ante\":2,\"target\":300}", few,
             &error) == LU_OK);
    CHECK_HAS(said, "what the seed would draw: it only determines the first blind and its");
    CHECK_HAS(said, "order of the draw pile");
    NEED(ask("{\"hand\":[\"AH:glass\",\"KH\"],\"seed\":\"what?\",\"target\":300}", few, &error) ==
         LU_OK);
    CHECK_HAS(said, "what the seed would draw: it only determines the first blind and its");
}

TEST(an_order_that_is_not_given_is_not_made_up) {
    static const char *const given[] = {"samples=20", "draw_order=given", NULL};
    lu_error error = {LU_OK, ""};
    CHECK_INT(ask("{\"hand\":[\"KH\"],\"target\":30}", given, &error), LU_BAD_DATA);
    CHECK_HAS(error.text, "--draw_order given needs 'draw_pile'");
    NEED(ask(roomy, given, &error) == LU_OK); /* a shop draws nothing */
    NEED(ask("{\"hand\":[\"KH\"],\"target\":30,\"seed\":\"ABC\"}", few, &error) == LU_OK);
    CHECK_HAS(said, "what the seed would draw: it only determines the first blind and its");
}

#define LUCKY(target)                                                                              \
    "{\"hand\":[\"KH:lucky,redseal\",\"KD:lucky,redseal\",\"KS:lucky,redseal\",\"KC:lucky,"        \
    "redseal\"],"                                                                                  \
    "\"jokers\":[\"j_misprint\",\"j_bloodstone\"],\"hands\":1,\"discards\":0,\"target\":" target   \
    "}"

/* Where outcomes are too many to weigh, the mean is no proof of a win. */
TEST(a_chance_that_is_not_known_is_null) {
    lu_error error = {LU_OK, ""};
    NEED(ask(LUCKY("3000"), few, &error) == LU_OK);
    CHECK_HAS(said, "\"worst\":980,");
    CHECK_HAS(said, "\"best\":53725,\"wins\":null,");
    CHECK_HAS(said, "its chance is not known");
    NEED(ask(LUCKY("980"), few, &error) == LU_OK);
    CHECK_HAS(said, "\"best\":53725,\"wins\":1,");
    CHECK_HAS(said, "the blind is won");
    NEED(ask(LUCKY("53726"), few, &error) == LU_OK);
    CHECK_HAS(said, "\"best\":53725,\"wins\":0,");
}

TEST(prices_that_are_not_given_follow_the_rules) {
    static const char shop[] =
        "{\"shop\":[{\"joker\":{\"key\":\"j_duo\"}},{\"key\":\"c_mercury\"}],"
        "\"packs\":[{\"key\":\"p_arcana_normal_1\"}],"
        "\"shop_vouchers\":[{\"key\":\"v_grabber\"}],\"money\":20}";
    lu_error error = {LU_OK, ""};
    NEED(ask(shop, few, &error) == LU_OK);
    CHECK_HAS(said, "price of The Duo is not given: taken as $8");
    CHECK_HAS(said, "\"title\":\"The Duo\",\"price\":8");
    CHECK_HAS(said, "\"title\":\"Mercury\",\"price\":3");
    CHECK_HAS(said, "\"title\":\"Arcana Pack\",\"price\":4");
    CHECK_HAS(said, "price of Grabber is not given: taken as $10");
    NEED(ask(roomy, few, &error) == LU_OK);
    CHECK(!strstr(said, "price of"));
}

TEST(a_pack_alone_is_open) {
    lu_error error = {LU_OK, ""};
    NEED(ask("{\"pack\":[{\"key\":\"c_magician\"},{\"key\":\"c_death\"}],"
             "\"hand\":[\"KH\",\"7S\",\"2D\"]}",
             few, &error) == LU_OK);
    CHECK_HAS(said, "\"phase\":\"pack\"");
    CHECK_HAS(said, "\"title\":\"Death\",\"price\":0,\"possible\":true");
    CHECK_HAS(said, "pack_picks is not given: taken as 1");
}

TEST(what_jokers_and_bosses_look_at_is_named) {
    static const struct {
        const char *more, *line;
    } rows[] = {
        {"\"jokers\":[\"j_ancient\"]", "ancient_suit of Ancient Joker is not given"},
        {"\"jokers\":[\"j_idol\"]", "idol_rank of The Idol is not given"},
        {"\"jokers\":[\"j_throwback\"]", "skips of Throwback is not given: taken as 0"},
        {"\"jokers\":[\"j_ride_the_bus\"]", "what Ride the Bus has stored is not given"},
        {"\"jokers\":[{\"key\":\"j_vampire\"}]", "what Vampire has stored is not given"},
        {"\"boss_key\":\"bl_eye\"", "plays_round of The Eye is not given"},
        {"\"boss_key\":\"bl_pillar\"", "for The Pillar: taken as none"},
        {"\"boss_key\":\"bl_needle\"", "hands is not given: taken as 1"},
        {"\"boss_key\":\"bl_water\"", "discards is not given: taken as 0"},
        {"\"boss_key\":\"bl_manacle\"", "hand_size is not given: taken as 7"},
        {"\"boss_key\":\"bl_final_leaf\",\"jokers\":[\"j_joker\"]",
         "Verdant Leaf: selling a joker removes the debuff from all cards; the"},
    };
    static const char given[] =
        "{\"hand\":[\"KH:played\"],\"target\":30,\"jokers\":[\"j_ancient\",\"j_throwback\",{"
        "\"key\":"
        "\"j_ride_the_bus\",\"a\":3}],\"ancient_suit\":1,\"skips\":2,\"boss_key\":\"bl_pillar\","
        "\"vouchers\":[\"v_grabber\"]}";
    lu_error error = {LU_OK, ""};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[200];
        snprintf(text, sizeof text, "{\"hand\":[\"KH\"],\"target\":30,%s}", rows[i].more);
        NEED(ask(text, few, &error) == LU_OK);
        CHECK_HAS(said, rows[i].line);
    }
    NEED(ask(given, few, &error) == LU_OK);
    CHECK(!strstr(said, "of Ancient Joker is") && !strstr(said, "has stored"));
    CHECK(!strstr(said, "The Pillar: taken"));
    CHECK_INT(ask("{\"hand\":[\"KH\"],\"hnads\":3}", few, &error), LU_BAD_DATA);
    CHECK_HAS(error.text, "a state has no 'hnads'; did you mean 'hands'?");
}

TEST(advice_needs_a_state) {
    lu_error error = {LU_OK, ""};
    CHECK_INT(ask(NULL, NULL, &error), LU_USAGE);
    CHECK_HAS(error.text, "needs a state");
}
