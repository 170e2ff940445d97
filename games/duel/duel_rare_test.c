/* What is rare in a fight: reactions to hits, who falls first, a step to where one stands. */
#include "duel_test.h"

/* A hit of one damage that lands on the second fighter. */
static void land(kit *k, int damage) {
    lu_rng rng = lu_rng_from(5);
    duel_hit hit = {.count = 1, .accurate = 1, .style = DUEL_SHOT, .damage = {(int16_t)damage}};
    duel_land(k->r, &hit, k->a, k->b, &rng);
}

TEST(vengeance_gives_three_quarters_back_once) {
    kit k;
    lu_error error;
    NEED(kit_open(&k, 0, NULL, &error));
    k.b->vengeance = 1;
    land(&k, 41);
    CHECK_INT(k.a->queued, 1);
    CHECK_INT(k.a->queue[0], 30);
    CHECK_INT(k.b->vengeance, 0);
    land(&k, 41);
    CHECK_INT(k.a->queued, 1);
    /* a quarter of 1 is left of it, and nothing given back; the flag clears */
    k.b->vengeance = 1;
    land(&k, 1);
    CHECK_INT(k.a->queued, 1);
    CHECK_INT(k.b->vengeance, 0);
    /* a hit of 0 does not count */
    k.b->vengeance = 1;
    land(&k, 0);
    CHECK_INT(k.b->vengeance, 1);
    kit_close(&k);
}

TEST(redemption_heals_before_the_damage) {
    static const struct {
        int hitpoints, damage, left, heals;
    } rows[] = {{30, 21, 9, 13}, {30, 20, 10, 0}, {30, 29, 1, 13}, {30, 30, 0, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        kit k;
        lu_error error;
        NEED(kit_open(&k, 0, NULL, &error));
        duel_overhead(k.b, DUEL_PRAYER_REDEMPTION);
        k.b->level[DUEL_HITPOINTS] = (int16_t)rows[i].hitpoints;
        land(&k, rows[i].damage);
        CHECK_INT(k.b->level[DUEL_HITPOINTS], rows[i].hitpoints + rows[i].heals);
        CHECK_INT(k.b->level[DUEL_PRAYER], rows[i].heals ? 0 : 52);
        CHECK_INT(k.b->prayers != 0, !rows[i].heals);
        CHECK_INT(k.b->queue[0], rows[i].damage);
        kit_close(&k);
    }
}

TEST(smite_and_recoil_take_their_shares) {
    kit k;
    lu_error error;
    NEED(kit_open(&k, 0, NULL, &error));
    duel_overhead(k.a, DUEL_PRAYER_SMITE);
    k.b->item[k.b->set][DUEL_SLOT_RING] = DUEL_ITEM_RING_OF_RECOIL;
    land(&k, 35);
    CHECK_INT(k.b->level[DUEL_PRAYER], 52 - 8);
    CHECK_INT(k.a->queue[0], 4);
    k.b->recoil = 2; /* it breaks */
    land(&k, 35);
    CHECK_INT(k.a->queue[1], 2);
    land(&k, 35);
    CHECK_INT(k.a->queued, 2);
    kit_close(&k);
}

TEST(who_falls_first_does_not_strike_back) {
    static const char *const pairs[] = {"build=LMS_MED", NULL};
    kit k;
    lu_error error;
    NEED(kit_open(&k, 0, pairs, &error));
    bool fell = false;
    for (uint64_t seed = 1; seed < 60 && !fell; seed++) {
        lu_env_reset(k.env, seed, NULL);
        kit_face(&k, 1);
        k.a->level[DUEL_HITPOINTS] = k.b->level[DUEL_HITPOINTS] = 1;
        duel_refresh(k.rules, k.s);
        kit_melee(&k, 0);
        kit_melee(&k, 1);
        kit_tick(&k);
        fell = k.b->level[DUEL_HITPOINTS] == 0;
        CHECK(!fell || (k.a->hits == 0 && k.a->level[DUEL_HITPOINTS] > 0));
        CHECK(!fell || k.s->end == DUEL_END_WON);
    }
    CHECK(fell);
    kit_close(&k);
}

/* ---- a step ---- */

TEST(a_step_to_where_one_stands_does_nothing) {
    for (int distance = 4; distance <= 5; distance++) {
        kit k;
        lu_error error;
        NEED(kit_open(&k, 0, NULL, &error));
        duel_wear(k.s, k.a, DUEL_SET_RANGED);
        kit_face(&k, distance);
        k.a->target = 1;
        k.a->cool = 4; /* so that moving is open */
        duel_refresh(k.rules, k.s);
        k.act[DUEL_HEAD_MOVEMENT] = DUEL_FARCAST;
        k.act[DUEL_HEAD_FARCAST] = 3; /* four tiles */
        kit_tick(&k);
        CHECK_INT(k.a->moved, distance == 5);
        CHECK_INT(k.a->target, distance == 4);
        kit_close(&k);
    }
}

/* ---- masks and supplies ---- */

TEST(damage_that_waits_opens_redemption) {
    kit k;
    lu_error error;
    NEED(kit_open(&k, 0, NULL, &error));
    kit_face(&k, 3);
    k.a->food = k.a->karambwan = k.a->dose[DUEL_POTION_BREW] = 0;
    k.b->cool = 4;
    duel_refresh(k.rules, k.s);
    CHECK_INT(k.a->mask >> (DUEL_AT_PRAYER + DUEL_PRAY_REDEMPTION) & 1, 0);
    duel_queue_damage(k.a, 5);
    duel_refresh(k.rules, k.s);
    CHECK_INT(k.a->mask >> (DUEL_AT_PRAYER + DUEL_PRAY_REDEMPTION) & 1, 1);
    kit_close(&k);
}

TEST(the_driven_baseline_keeps_its_kind_of_food) {
    static const char *const builds[] = {"build=LMS_MED", "build=MED"};
    for (int i = 0; i < 2; i++) {
        const char *const pairs[] = {builds[i], "scripted_opponent=true", NULL};
        kit k;
        lu_error error;
        NEED(kit_open(&k, 0, pairs, &error));
        CHECK_INT(k.b->food_kind, k.a->food_kind);
        CHECK_INT(k.b->food, k.a->food + (i == 0 ? 1 : 6));
        CHECK_INT(k.b->dose[DUEL_POTION_BREW], 0);
        CHECK_INT(k.b->dose[DUEL_POTION_RESTORE], 8);
        kit_close(&k);
    }
}
