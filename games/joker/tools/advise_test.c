/* Tests of the advise tool: what a person gives is enough, plays and discards are those of the
 * search, what is hidden changes nothing, and bad states are refused in a sentence. */
#pragma GCC diagnostic ignored "-Wunused-function" /* the parts of the rules are included */

#include "../joker_search.h"
#include "../joker_words.h"

#include "ludus/json.h"
#include "ludus/tool.h"

#include "test.h"

#include <stdlib.h>
#include <string.h>

extern const lu_tool lu_tool_joker_advise;

static char *said;

static void keep(void *user, const char *json, size_t length) {
    (void)user;
    free(said);
    said = malloc(length + 1);
    memcpy(said, json, length);
    said[length] = 0;
}

static lu_status ask(const char *text, const char *const *pairs, lu_error *error) {
    lu_settings *settings = lu_settings_new();
    lu_tool_input input = {"state.json", text, strlen(text)};
    lu_status status = LU_OK;
    lu_settings_add(settings, lu_tool_joker_advise.settings);
    for (; pairs && *pairs && status == LU_OK; pairs++) {
        status = lu_settings_set_pair(settings, *pairs, LU_FROM_FLAG, "test", error);
    }
    lu_tool_io io = {.settings = settings, .inputs = &input, .input_count = 1, .emit = keep};
    if (status == LU_OK) {
        status = lu_tool_joker_advise.run(&io, error);
    }
    lu_settings_delete(settings);
    return status;
}

static void forget(void) {
    free(said);
    said = NULL;
}

static const char *const few[] = {"samples=20", NULL};

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
    forget();
}

/* The answer without the numbers that tell how long it took: there are none. */
static char *answer_to(const char *text, const char *const *pairs) {
    lu_error error = {LU_OK, ""};
    char *copy = NULL;
    if (ask(text, pairs, &error) == LU_OK) {
        copy = strdup(said);
    }
    forget();
    return copy;
}

#define HIDDEN(pile)                                                                               \
    "{\"hand\":[\"KH\",\"9S\",\"7H\",\"??\",\"2S\"],\"draw_pile\":[" pile "],\"jokers\":[],"       \
    "\"hand_size\":5,\"hands\":2,\"discards\":1,\"money\":4,\"ante\":1,\"level\":[1,1,1,1,1,1,1,"  \
    "1,"                                                                                           \
    "1,1,1,1],\"target\":300,\"boss_key\":\"bl_wheel\"}"

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
    char *a = answer_to(HIDDEN("\"KD\",\"KC\",\"3S\",\"5H\""), few);
    char *b = answer_to(HIDDEN("\"5H\",\"3S\",\"KC\",\"KD\""), few);
    NEED(a && b);
    CHECK_TEXT(a, b);
    CHECK_HAS(a, "1 held cards lie face down");
    CHECK_HAS(a, "\"cards\":[\"KH\"]");
    free(a);
    free(b);
}

/* What a player is shown of a state, as the tool's answer. */
static char *answer_to_state(const joker_model *m, const joker_state *s) {
    static const char *const least[] = {"samples=10", NULL};
    lu_json json;
    lu_json_init(&json);
    joker_to_json(&m->head, s, 0, &json);
    char *answer = answer_to(json.text, least);
    lu_json_free(&json);
    return answer;
}

/* Every state of a run as the game writes it is read, and what is hidden in it tells nothing. */
TEST(states_of_a_run_are_advised) {
    static joker_model m;
    static joker_state s, other;
    static joker_player player;
    lu_rng rng = lu_rng_from(9);
    memset(&m, 0, sizeof m);
    memset(&s, 0, sizeof s);
    m.fast = 1;
    m.win_ante = 8;
    joker_seed_number(&m, &s, 40200);
    joker_run_start(&m, &s);
    for (int k = 0; k < 100 && s.phase != JOKER_END; k++) {
        joker_deed deed = joker_decide(&player, &m, &s, &joker_skill_steady, &rng);
        if (k % 5 == 0) {
            lu_rng dice = lu_rng_from((uint64_t)k);
            memcpy(&other, &s, sizeof s);
            joker_draw_anew(&other, &dice);
            char *a = answer_to_state(&m, &s), *b = answer_to_state(&m, &other);
            NEED(a && b);
            CHECK_TEXT(a, b);
            CHECK_HAS(a, "\"advice\":");
            free(a);
            free(b);
        }
        joker_perform(&m, &s, &deed);
    }
}

TEST(a_shop_is_advised) {
    static const char state[] = "{\"phase\":3,\"jokers\":[\"j_joker\",\"j_photograph\"],\"money\":"
                                "22,\"ante\":2,\"blind\":1,"
                                "\"shop\":[{\"joker\":{\"key\":\"j_duo\"},\"price\":8},{\"key\":"
                                "\"c_mercury\",\"price\":3}],"
                                "\"packs\":[{\"key\":\"p_arcana_normal_1\",\"price\":4}],"
                                "\"shop_vouchers\":[{\"key\":\"v_grabber\",\"price\":100}]}";
    lu_error error = {LU_OK, ""};
    NEED(ask(state, few, &error) == LU_OK);
    CHECK_HAS(said, "\"phase\":\"shop\"");
    CHECK_HAS(said, "\"title\":\"The Duo\",\"price\":8,\"possible\":true,\"score_gain\":");
    CHECK_HAS(said, "\"label\":\"search estimate\"");
    CHECK_HAS(said, "\"kind\":\"Voucher\",\"title\":\"Grabber\",\"price\":100,\"possible\":false");
    CHECK_HAS(said, "Advice: buy The Duo (search estimate).");
    CHECK_HAS(said, "what packs hold");
    forget();
}

TEST(a_run_that_is_over_needs_no_advice) {
    lu_error error = {LU_OK, ""};
    NEED(ask("{\"phase\":4}", few, &error) == LU_OK);
    CHECK_HAS(said, "\"phase\":\"end\",\"advice\":\"none\"");
    forget();
}

TEST(bad_states_are_refused) {
    static const struct {
        const char *text, *sentence;
    } rows[] = {
        {"\x1f\x8b\x08", "save files are not read"},
        {"[]", "no JSON state"},
        {"{\"hand\":", "state.json"},
        {"{\"hand\":[\"KX\"]}", "'KX' is no card"},
        {"{\"hand\":[\"??\"]}", "'draw_pile' must list all cards"},
        {"{\"hand\":[]}", "'hand' must list the held cards"},
        {"{\"hand\":[\"KH\"],\"jokers\":[\"j_nobody\"]}", "j_nobody"},
        {"{\"hand\":[\"KH\"],\"levels\":{\"Pear\":2}}", "'Pear' is no hand"},
        {"{\"hand\":[\"KH\"],\"levels\":7}", "'levels' must be an object"},
        {"{\"hand\":[\"KH\"],\"boss_key\":\"bl_nobody\"}", "'boss_key' is unknown"},
        {"{\"hand\":[\"KH\"],\"hands\":-1}", "hands"},
        {"{\"hand\":[\"KH\",1]}", "'hand' must hold cards as texts"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        lu_error error = {LU_OK, ""};
        CHECK_INT(ask(rows[i].text, few, &error), LU_BAD_DATA);
        CHECK_HAS(error.text, rows[i].sentence);
    }
    forget();
}

TEST(advice_needs_a_state) {
    lu_settings *settings = lu_settings_new();
    lu_error error = {LU_OK, ""};
    lu_settings_add(settings, lu_tool_joker_advise.settings);
    lu_tool_io io = {.settings = settings, .emit = keep};
    CHECK_INT(lu_tool_joker_advise.run(&io, &error), LU_USAGE);
    CHECK_HAS(error.text, "needs a state");
    lu_settings_delete(settings);
}
