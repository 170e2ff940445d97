/* Tests of the seed tool: its JSON is what the verify tool expects, its lines name the same things,
 * and what is no seed is refused. */
#include "seed.h"

#include "ludus/tool.h"

#include "tool_said.h"

#include <stdlib.h>
#include <string.h>

extern const lu_tool lu_tool_joker_seed;

static lu_status ask(const char *const *pairs, lu_error *error) {
    return tool_ask(&lu_tool_joker_seed, (lu_tool_io){0}, pairs, NULL, NULL, error);
}

TEST(a_seed_is_shown_in_both_ways) {
    static const char *const pairs[] = {"seed= testseed ", "antes=2",   "queues=1",
                                        "rounds=3",        "rerolls=1", NULL};
    lu_error error = {LU_OK, ""};
    NEED(ask(pairs, &error) == LU_OK);
    CHECK_HAS(said, "\"seed\":\"TESTSEED\",\"deck\":\"b_red\",\"stake\":1,"
                    "\"hashed_seed\":0.3192720782223546");
    CHECK_HAS(said, "{\"ante\":2,\"boss\":\"bl_wall\",\"voucher\":\"v_overstock_norm\","
                    "\"small_tag\":\"tag_buffoon\",\"big_tag\":\"tag_meteor\"}]");
    CHECK_HAS(said, "\"rerolls\":[[{\"key\":\"j_splash\",\"cost\":3},"
                    "{\"key\":\"j_smeared\",\"ed\":\"holo\",\"cost\":10}]]");
    CHECK_HAS(said, "\"words\":[\"Seed TESTSEED, Red Deck, white stake: $4, 4 hands, 4 discards");
    CHECK_HAS(said, "\"The first Soul of the run makes Triboulet\"");
    CHECK_HAS(said, "\"  Boss     The Head\",\"  Voucher  Crystal Ball\"");
    CHECK_HAS(said, "\"  Shop     Raised Fist, Pareidolia, Splash, Holographic Smeared Joker");
    CHECK_HAS(said, "Bonus 6S, Steel TH, JC, TS with a Purple seal");
    CHECK_HAS(said, "\"The Head of ante 1: reach 600 for $5; hand QC JS 7H 7D 5H 4S 4C 3D\"");
}

TEST(decks_are_found_by_key_title_and_colour) {
    CHECK_INT(joker_find_deck("b_ghost"), JOKER_B_GHOST);
    CHECK_INT(joker_find_deck("ghost deck"), JOKER_B_GHOST);
    CHECK_INT(joker_find_deck("Ghost"), JOKER_B_GHOST);
    CHECK_INT(joker_find_deck("pink"), -1);
}

TEST(stakes_are_found_by_colour_title_and_number) {
    static const char *const texts[] = {"gold", "Gold", "Gold Stake", "8"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        int stake = -1;
        CHECK_INT(joker_seed_read_stake(texts[i], &stake, NULL), LU_OK);
        CHECK_INT(stake, JOKER_STAKES - 1);
    }
}

/* Every deck and stake can be shown to the end of a long run. */
TEST(every_deck_and_stake_is_shown) {
    for (int deck = 0; deck < JOKER_DECKS; deck++) {
        for (int stake = 1; stake <= JOKER_STAKES; stake += 7) {
            char first[32], second[32];
            const char *pairs[] = {"seed=EVERY1", first,       second, "antes=20",
                                   "queues=4",    "rounds=30", NULL};
            lu_error error = {LU_OK, ""};
            snprintf(first, sizeof first, "deck=%s", joker_deck_words[deck].key);
            snprintf(second, sizeof second, "stake=%d", stake);
            CHECK_INT(ask(pairs, &error), LU_OK);
            CHECK_HAS(said, joker_deck_words[deck].title);
        }
    }
}

TEST(what_is_no_seed_is_refused) {
    static const struct {
        const char *pair, *sentence;
        lu_status status;
    } rows[] = {{"seed=", "name a seed", LU_USAGE},
                {"seed=A-B", "letters A to Z and digits", LU_BAD_VALUE},
                {"seed=123456789", "must be up to 8 letters A to Z and digits", LU_BAD_VALUE},
                {"deck=pink", "'deck' = pink is not one of red, blue", LU_BAD_VALUE},
                {"stake=9", "'stake' = 9 is not one of white, red", LU_BAD_VALUE},
                {"stake=golf", "did you mean 'gold'?", LU_BAD_VALUE}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *pairs[] = {rows[i].pair, NULL};
        lu_error error = {LU_OK, ""};
        CHECK_INT(ask(pairs, &error), rows[i].status);
        CHECK_HAS(error.text, rows[i].sentence);
    }
}
