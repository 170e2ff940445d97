/* The fight: order of a tick, timers, food, freeze, hits, movement, and that sides are alike. */
#include "duel_test.h"

#include "duel_mean.h"

static const char *const lms[] = {"build=LMS_MED", NULL};

/* ---- a tick ---- */

TEST(who_has_pid_lands_first_and_food_delays_the_attack) {
    kit k;
    lu_error error;
    NEED(kit_open(&k, 0, lms, &error));
    kit_face(&k, 1);
    kit_melee(&k, 0);
    kit_melee(&k, 1);
    k.act[DUEL_HEAD_PRAYER] = k.act[DUEL_HEADS + DUEL_HEAD_PRAYER] = DUEL_PRAY_MAGE;
    kit_tick(&k);
    CHECK_INT(k.env->step.illegal, 0);
    /* the first hit is taken in the tick of the attack, the other waits */
    CHECK_INT(k.b->hits + k.b->queued, 0);
    CHECK_INT(k.a->hits, 1);
    CHECK_INT(k.b->shown >= 0, 1);
    CHECK_INT(k.a->shown, -1);
    CHECK_INT(k.a->cool, 4);
    kit_tick(&k);
    CHECK_INT(k.a->hits, 0);
    CHECK(k.a->shown >= 0);
    /* t + 2: a shark with two ticks left makes it five */
    k.b->level[DUEL_HITPOINTS] = 50;
    duel_refresh(k.rules, k.s);
    k.act[DUEL_HEADS + DUEL_HEAD_FOOD] = 1;
    kit_tick(&k);
    CHECK_INT(k.b->cool, 5);
    CHECK(k.b->level[DUEL_HITPOINTS] >= 70);
    int first = 0, second = 0;
    for (int t = 3; t <= 7; t++) {
        kit_tick(&k);
        first = !first && k.a->turn.attacks ? t : first;
        second = !second && k.b->turn.attacks ? t : second;
    }
    CHECK_INT(first, 4);
    CHECK_INT(second, 7);
    kit_close(&k);
}

TEST(shark_brew_and_karambwan_in_one_tick) {
    kit k;
    lu_error error;
    NEED(kit_open(&k, 0, lms, &error));
    kit_face(&k, 5);
    k.a->level[DUEL_HITPOINTS] = 20;
    duel_refresh(k.rules, k.s);
    k.act[DUEL_HEAD_FOOD] = k.act[DUEL_HEAD_KARAMBWAN] = 1;
    k.act[DUEL_HEAD_POTION] = DUEL_POTION_BREW;
    int food = k.a->food, doses = k.a->dose[DUEL_POTION_BREW];
    kit_tick(&k);
    CHECK_INT(k.a->turn.meals, 3);
    /* the first tick's stat clock gives one more */
    CHECK_INT(k.a->level[DUEL_HITPOINTS], 20 + 20 + 16 + 18 + 1);
    CHECK_INT(k.a->timer[DUEL_TIMER_FOOD], 3);
    CHECK_INT(k.a->timer[DUEL_TIMER_POTION], 3);
    CHECK_INT(k.a->timer[DUEL_TIMER_KARAMBWAN], 3);
    CHECK_INT(k.a->food, food - 1);
    CHECK_INT(k.a->dose[DUEL_POTION_BREW], doses - 1);
    kit_close(&k);
}

TEST(a_protection_of_the_same_tick_counts) {
    kit k;
    lu_error error;
    NEED(kit_open(&k, 0, lms, &error));
    kit_face(&k, 1);
    kit_melee(&k, 0);
    kit_melee(&k, 1);
    k.act[DUEL_HEADS + DUEL_HEAD_PRAYER] = DUEL_PRAY_MELEE;
    k.act[DUEL_HEAD_PRAYER] = DUEL_PRAY_MAGE;
    kit_tick(&k);
    CHECK_INT(k.a->turn.blocked, 1);
    CHECK_INT(k.b->turn.blocked, 0);
    CHECK_INT(k.a->into[DUEL_MELEE], 1);
    CHECK_INT(k.b->into[DUEL_SPELL], 1);
    CHECK_NEAR(k.env->terms[DUEL_TERM_ATTACKED_WRONG], 0.8, 1e-12);
    CHECK_NEAR(k.env->terms[DUEL_TERMS + DUEL_TERM_PROTECTED_CORRECT], 0.8, 1e-12);
    kit_close(&k);
}

TEST(a_barrage_holds_for_32_ticks_and_five_more_are_safe) {
    kit k;
    lu_error error;
    NEED(kit_open(&k, 0, lms, &error));
    bool frozen = false;
    for (uint64_t seed = 1; seed < 40 && !frozen; seed++) {
        lu_env_reset(k.env, seed, NULL);
        kit_face(&k, 5);
        kit_ice(&k, 0);
        kit_tick(&k);
        frozen = k.b->timer[DUEL_TIMER_FREEZE] > 0;
    }
    NEED(frozen);
    CHECK_INT(k.b->timer[DUEL_TIMER_FREEZE], 32);
    CHECK_INT(k.b->timer[DUEL_TIMER_IMMUNE], 37);
    int x = k.b->x, held = 0, safe = 0;
    for (int t = 1; t <= 40; t++) {
        k.b->cool = 3; /* so that moving is open */
        k.a->cool = 3;
        k.a->target = k.b->target = 0;
        duel_refresh(k.rules, k.s);
        k.act[DUEL_HEADS + DUEL_HEAD_MOVEMENT] = DUEL_NEXT_TO;
        kit_tick(&k);
        held += k.b->x == x;
        safe += k.b->timer[DUEL_TIMER_IMMUNE] > 0;
    }
    CHECK_INT(held, 31); /* with the tick of the cast: 32 */
    CHECK_INT(safe, 36);
    kit_close(&k);
}

TEST(four_claw_hits_take_two_ticks) {
    static const char *const pairs[] = {"build=PURE", NULL};
    kit k;
    lu_error error;
    NEED(kit_open(&k, 0, pairs, &error));
    kit_face(&k, 1);
    k.a->food--; /* room for a two-handed weapon */
    duel_refresh(k.rules, k.s);
    k.act[DUEL_HEAD_ATTACK] = DUEL_MELEE_ATTACK;
    k.act[DUEL_HEAD_MELEE] = DUEL_SPEC;
    kit_tick(&k);
    CHECK_INT(k.a->energy, 50);
    CHECK_INT(k.a->turn.special, 1);
    CHECK_INT(k.b->queued, 2);
    kit_tick(&k);
    CHECK_INT(k.b->queued, 0);
    kit_close(&k);
}

TEST(a_two_handed_weapon_needs_a_free_slot) {
    static const char *const pairs[] = {"build=MAXED", NULL};
    kit k;
    lu_error error;
    NEED(kit_open(&k, 0, pairs, &error));
    kit_face(&k, 1);
    CHECK_INT(duel_free_slots(k.a), 0);
    CHECK_INT(k.a->mask >> (DUEL_AT_MELEE + DUEL_BASIC) & 1, 0);
    k.a->food--;
    duel_refresh(k.rules, k.s);
    CHECK_INT(k.a->mask >> (DUEL_AT_MELEE + DUEL_BASIC) & 1, 1);
    kit_close(&k);
}

/* ---- walking ---- */

TEST(a_path_is_straight_first_then_diagonal) {
    duel_fighter f;
    memset(&f, 0, sizeof f);
    static const int want[][2] = {{1, 0}, {2, 0}, {3, 0}, {4, 1}, {5, 2}};
    duel_go(&f, 5, 2);
    for (int i = 0; i < 5; i++) {
        CHECK_INT(f.path, 1);
        duel_walk_step(&f, true);
        CHECK_INT(f.x, want[i][0]);
        CHECK_INT(f.y, want[i][1]);
    }
    CHECK_INT(f.path, 0);
}

TEST(a_farcast_tile_is_a_nearest_one_of_its_ring) {
    lu_rng rng = lu_rng_from(3);
    for (int round = 0; round < 4000; round++) {
        duel_fighter f, to;
        memset(&f, 0, sizeof f);
        memset(&to, 0, sizeof to);
        int ring = duel_between(&rng, 0, 7), best = INT32_MAX;
        f.x = (int16_t)duel_between(&rng, 0, 24);
        f.y = (int16_t)duel_between(&rng, 0, 24);
        to.x = to.y = 12;
        duel_stop(&f);
        for (int y = -8; y <= 8; y++) {
            for (int x = -8; x <= 8; x++) {
                int dx = duel_size(12 + x - f.x), dy = duel_size(12 + y - f.y);
                int far = dx > dy ? dx : dy;
                best = duel_on_ring(x, y, ring) && far < best ? far : best;
            }
        }
        duel_go_ring(&f, &to, ring, &rng);
        int dx = duel_size(f.goal_x - f.x), dy = duel_size(f.goal_y - f.y);
        CHECK_INT(dx > dy ? dx : dy, best);
        CHECK(duel_on_ring(f.goal_x - 12, f.goal_y - 12, ring));
    }
}

/* ---- sides are alike ---- */

static void swap_sides(duel_state *s) {
    duel_fighter kept = s->fighter[0];
    s->fighter[0] = s->fighter[1];
    s->fighter[1] = kept;
}

TEST(exchanged_sides_play_the_same_match) {
    static const char *const pairs[] = {"randomize_gear=true", "build=LMS_ZERKER", NULL};
    kit k, m;
    lu_error error;
    NEED(kit_open(&k, 0, pairs, &error));
    NEED(kit_open(&m, 0, pairs, &error));
    lu_rng rng = lu_rng_from(9);
    for (uint64_t seed = 0; seed < 30; seed++) {
        lu_env_reset(k.env, seed, NULL);
        lu_env_reset(m.env, seed, NULL);
        *m.s = *k.s;
        swap_sides(m.s);
        lu_env_refresh(m.env);
        while (!k.env->over) {
            for (int seat = 0; seat < DUEL_SEATS; seat++) {
                lu_action_random(lu_games_duel[0], k.rules, k.s, seat,
                                 k.env->mask + seat * DUEL_ACTIONS, &rng,
                                 k.act + seat * DUEL_HEADS);
            }
            memcpy(m.act, k.act + DUEL_HEADS, DUEL_HEADS * sizeof *m.act);
            memcpy(m.act + DUEL_HEADS, k.act, DUEL_HEADS * sizeof *m.act);
            kit_tick(&k);
            kit_tick(&m);
            duel_state turned = *m.s;
            swap_sides(&turned);
            NEED(memcmp(turned.fighter, k.s->fighter, sizeof turned.fighter) == 0);
            CHECK(memcmp(k.env->observation, m.env->observation + DUEL_OBSERVATION,
                         DUEL_OBSERVATION * sizeof(float)) == 0);
        }
    }
    kit_close(&k);
    kit_close(&m);
}

TEST(drawn_gear_is_worn_as_a_whole) {
    static const char *const pairs[] = {"randomize_gear=true", "build=LMS_ZERKER", NULL};
    kit k;
    lu_error error;
    int drawn = 0;
    NEED(kit_open(&k, 0, pairs, &error));
    for (uint64_t seed = 0; seed < 400; seed++) {
        lu_env_reset(k.env, seed, NULL);
        const duel_fighter *f = k.a;
        /* one kind of ammunition in all sets, and nothing that only LMS_MED may wear */
        for (int set = DUEL_SET_RANGED; set <= DUEL_SET_SPEC; set++) {
            NEED(f->item[set][DUEL_SLOT_AMMO] == f->item[DUEL_SET_RANGED][DUEL_SLOT_AMMO]);
            NEED(f->item[set][DUEL_SLOT_BODY] == f->item[DUEL_SET_RANGED][DUEL_SLOT_BODY]);
            NEED(f->item[set][DUEL_SLOT_BODY] != DUEL_ITEM_DHAROKS_PLATEBODY);
        }
        drawn += f->item[DUEL_SET_SPEC][DUEL_SLOT_BODY] == DUEL_ITEM_3RD_AGE_RANGE_TOP;
    }
    CHECK(drawn > 5 && drawn < 40);
    kit_close(&k);
}

TEST(hitpoints_doses_and_slots_stay_in_bounds) {
    static const char *const pairs[] = {"randomize_gear=true", "randomize_build=true",
                                        "random_build_options=MED,ZERKER,PURE,LMS_MED,LMS_ZERKER,"
                                        "LMS_PURE,MAXED",
                                        NULL};
    kit k;
    lu_error error;
    NEED(kit_open(&k, 0, pairs, &error));
    lu_rng rng = lu_rng_from(4);
    for (uint64_t seed = 0; seed < 150; seed++) {
        lu_env_reset(k.env, seed, NULL);
        while (!k.env->over) {
            int before[2] = {k.a->level[DUEL_HITPOINTS], k.b->level[DUEL_HITPOINTS]};
            for (int seat = 0; seat < DUEL_SEATS; seat++) {
                lu_action_random(lu_games_duel[0], k.rules, k.s, seat,
                                 k.env->mask + seat * DUEL_ACTIONS, &rng,
                                 k.act + seat * DUEL_HEADS);
            }
            kit_tick(&k);
            for (int seat = 0; seat < DUEL_SEATS; seat++) {
                const duel_fighter *f = &k.s->fighter[seat];
                int now = f->level[DUEL_HITPOINTS];
                /* what is lost was taken, or was above base and faded */
                NEED(before[seat] - now <= f->turn.splat + 1);
                NEED(now >= 0 && now <= f->base[DUEL_HITPOINTS] + 22);
                NEED(f->energy <= 100 && f->hits <= DUEL_HITS && f->queued < DUEL_QUEUE);
                NEED(duel_free_slots(f) >= -1);
            }
        }
    }
    kit_close(&k);
}

/* ---- rules and settings ---- */

TEST(the_pid_of_an_arena_fight_never_changes) {
    static const char *const pairs[] = {"fight_type=pvp_arena", NULL};
    kit k;
    lu_error error;
    NEED(kit_open(&k, 0, pairs, &error));
    uint32_t a = k.a->pid, b = k.b->pid;
    for (int t = 0; t < 300 && !k.env->over; t++) {
        kit_tick(&k);
    }
    CHECK_INT(k.a->pid, a);
    CHECK_INT(k.b->pid, b);
    kit_close(&k);
}

TEST(both_fall_and_both_win_in_the_reference_alone) {
    static const char *const rules[] = {"rules=ref", "rules=game"};
    for (int game = 0; game < 2; game++) {
        const char *const pairs[] = {rules[game], NULL};
        kit k;
        lu_error error;
        NEED(kit_open(&k, 0, pairs, &error));
        duel_queue_damage(k.a, 200);
        duel_queue_damage(k.b, 200);
        kit_tick(&k);
        CHECK(k.env->over);
        CHECK_INT(k.s->end, DUEL_END_BOTH);
        for (int seat = 0; seat < DUEL_SEATS; seat++) {
            CHECK_NEAR(k.env->info[seat * DUEL_INFOS + DUEL_INFO_WON], game ? 0.0 : 1.0, 0.0);
            CHECK_NEAR(k.env->reward[seat], game ? -0.2 : 1.0, 1e-6);
        }
        kit_close(&k);
    }
}

TEST(bad_states_are_refused_and_change_nothing) {
    static const char *const rows[][2] = {
        {"{\"fighters\":[{\"build\":99},{}]}", "'build'"},
        {"{\"fighters\":[{},{\"energy\":101}]}", "'energy'"},
        {"{\"fighters\":[{}]}", "a list of two"},
        {"{\"fighters\":[{},7]}", "must be an object"},
    };
    lu_error error = {LU_OK, ""};
    char other[64];
    snprintf(other, sizeof other, "{\"fighters\":[{},{\"build\":%d}]}", DUEL_BUILD_DHAROK);
    kit k;
    NEED(kit_open(&k, 0, NULL, &error));
    duel_state before = *k.s;
    for (size_t i = 0; i <= sizeof rows / sizeof *rows; i++) {
        const char *text = i > 0 ? rows[i - 1][0] : other;
        lu_json_document *document = lu_json_read("state", text, strlen(text), &error);
        NEED(document);
        CHECK_INT(lu_games_duel[0]->from_json(k.rules, k.s, lu_json_root(document), &error),
                  LU_BAD_DATA);
        CHECK_HAS(error.text, i > 0 ? rows[i - 1][1] : "belongs to the other variant");
        CHECK(memcmp(&before, k.s, sizeof before) == 0);
        lu_json_close(document);
    }
    kit_close(&k);
}

TEST(wrong_settings_get_a_sentence) {
    static const struct {
        const char *pair, *part;
    } rows[] = {
        {"random_build_options=PURE,NOBODY", "'NOBODY' is none of"},
        {"pid.low=200", "'pid.low' = 200 is above 'pid.high' = 60"},
        {"build.file={\"name\":\"x.json\",\"text\":\"{}\"}", "x.json: "},
    };
    /* a preset that draws builds, and one that is named over it */
    static const char *const named[] = {"build=MED", "target_build=MED"};
    for (int i = 0; i < 2; i++) {
        const lu_game *game = lu_games_duel[0];
        lu_settings *settings = lu_game_settings(game);
        lu_error error = {0};
        NEED(lu_settings_set_pair(settings, "randomize_build=true", LU_FROM_FILE, "preset",
                                  &error) == LU_OK);
        NEED(lu_settings_set_pair(settings, named[i], LU_FROM_FLAG, "flag", &error) == LU_OK);
        CHECK(lu_rules_new(game, settings, &error) == NULL);
        CHECK_HAS(error.text, "'randomize_build' draws others");
        lu_settings_delete(settings);
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *const pairs[] = {"randomize_build=true", rows[i].pair, NULL};
        kit k;
        lu_error error = {0};
        CHECK(!kit_open(&k, 0, pairs, &error));
        CHECK_HAS(error.text, rows[i].part);
        kit_close(&k);
    }
}

/* ---- damage by sampling ---- */

/* The mean of what the rules roll, against the exact mean. */
static void sample(const duel_rules *r, const duel_fighter *by, const duel_fighter *to,
                   const duel_blow *blow, bool shielded) {
    enum { DRAWS = 40000 };
    duel_party attacker = duel_party_of(by, by->set), defender = duel_party_of(to, to->set);
    duel_odds odds = duel_odds_of(r->live, blow, &attacker, &defender);
    bool bow = duel_items[blow->weapon].kind == DUEL_CLASS_DARK_BOW;
    int hits = bow || blow->special == DUEL_SPECIAL_DOUBLE ? 2 : 1;
    lu_rng rng = lu_rng_from(77);
    double sum = 0.0, squares = 0.0;
    for (int i = 0; i < DRAWS; i++) {
        double damage = 0.0;
        for (int h = 0; h < hits; h++) {
            duel_hit hit;
            memset(&hit, 0, sizeof hit);
            duel_roll_hit(r, blow, by, to, &odds, shielded, &rng, &hit);
            for (int k = 0; k < hit.count; k++) {
                damage += hit.damage[k];
            }
        }
        sum += damage;
        squares += damage * damage;
    }
    double mean = sum / DRAWS, spread = sqrt((squares / DRAWS - mean * mean) / DRAWS);
    CHECK_NEAR(mean, duel_mean(r->live, blow, &attacker, &defender, shielded), 4.0 * spread + 1e-9);
}

/* Plain and special, open and protected. */
static void sample_weapon(kit *k, int item, int ammo) {
    const duel_item *weapon = &duel_items[item];
    k->a->item[DUEL_SET_SPEC][DUEL_SLOT_WEAPON] = (uint8_t)item;
    k->a->item[DUEL_SET_SPEC][DUEL_SLOT_AMMO] = (uint8_t)ammo;
    duel_refresh(k->rules, k->s);
    k->a->set = DUEL_SET_SPEC;
    for (int mode = 0; mode < 4; mode++) {
        duel_blow blow = {
            .weapon = (uint8_t)item, .ammo = (uint8_t)ammo, .type = weapon->type, .queued = 1};
        blow.style =
            weapon->kind == DUEL_CLASS_STAFF ? DUEL_SPELL : (uint8_t)duel_style_of(weapon->kind);
        blow.special = mode & 1 ? weapon->special : 0;
        blow.spell = blow.style == DUEL_SPELL && !blow.special ? DUEL_SPELL_ICE_BARRAGE : 0;
        sample(k->r, k->a, k->b, &blow, mode > 1);
    }
}

TEST(rolled_damage_has_the_exact_mean) {
    static const uint8_t weapons[] = {
        DUEL_ITEM_ABYSSAL_WHIP,      DUEL_ITEM_DRAGON_DAGGER,    DUEL_ITEM_ARMADYL_GODSWORD,
        DUEL_ITEM_DRAGON_CLAWS,      DUEL_ITEM_VESTAS_LONGSWORD, DUEL_ITEM_STATIUS_WARHAMMER,
        DUEL_ITEM_ARMADYL_CROSSBOW,  DUEL_ITEM_ZARYTE_CROSSBOW,  DUEL_ITEM_HEAVY_BALLISTA,
        DUEL_ITEM_DARK_BOW,          DUEL_ITEM_DRAGON_KNIFE,     DUEL_ITEM_VOLATILE_NIGHTMARE_STAFF,
        DUEL_ITEM_MORRIGANS_JAVELIN, DUEL_ITEM_DHAROKS_GREATAXE,
    };
    static const uint8_t bolts[] = {DUEL_ITEM_OPAL_DRAGON_BOLTS_E, DUEL_ITEM_DIAMOND_BOLTS_E,
                                    DUEL_ITEM_DRAGONSTONE_DRAGON_BOLTS_E};
    static const char *const pairs[][3] = {{"build=MED", NULL}, {"build=MED", "rules=game", NULL}};
    for (int rules = 0; rules < 2; rules++) {
        kit k;
        lu_error error;
        NEED(kit_open(&k, 0, pairs[rules], &error));
        for (size_t i = 0; i < sizeof weapons; i++) {
            bool crossbow = duel_items[weapons[i]].kind == DUEL_CLASS_CROSSBOW;
            for (size_t n = 0; n < (crossbow ? sizeof bolts : 1); n++) {
                sample_weapon(&k, weapons[i], bolts[n]);
            }
        }
        kit_close(&k);
    }
}

/* A shot that would always miss hits by its bolts alone, and then they do their damage. */
TEST(bolts_that_pass_the_defence_have_their_effect) {
    static const char *const pairs[] = {"build=LMS_MED", "rules=game", NULL};
    kit k;
    lu_error error;
    NEED(kit_open(&k, 0, pairs, &error));
    k.a->set = DUEL_SET_RANGED;
    k.a->bonus[DUEL_SET_RANGED][DUEL_BONUS_ATTACK + DUEL_TYPE_RANGED] = -64;
    duel_blow blow = {.style = DUEL_SHOT,
                      .weapon = DUEL_ITEM_RUNE_CROSSBOW,
                      .ammo = DUEL_ITEM_DIAMOND_BOLTS_E,
                      .queued = 1};
    sample(k.r, k.a, k.b, &blow, false);
    kit_close(&k);
}

/* ---- the exchange ---- */

TEST(the_exchange_has_the_same_odds_in_every_round) {
    static const char *const pairs[] = {"exchange.rounds=200", "build=LMS_MED", NULL};
    kit k;
    lu_error error;
    NEED(kit_open(&k, 0, pairs, &error));
    lu_rng rng = lu_rng_from(5);
    duel_fighter before = *k.a;
    while (!k.env->over) {
        for (int seat = 0; seat < DUEL_SEATS; seat++) {
            lu_action_random(lu_games_duel[0], k.rules, k.s, seat,
                             k.env->mask + seat * DUEL_ACTIONS, &rng, k.act + seat * DUEL_HEADS);
        }
        kit_tick(&k);
        CHECK_INT(k.env->step.illegal, 0);
        CHECK(memcmp(k.a->level, before.level, sizeof before.level) == 0);
        CHECK_INT(k.a->set, DUEL_SET_TANK);
        CHECK_INT(k.a->x, before.x);
    }
    CHECK_INT(k.s->tick, 200);
    CHECK_INT(k.a->attacks, 200);
    CHECK(k.a->taken > 0 && k.b->taken > 0);
    kit_close(&k);
}

/* Every style into every protection, against the exact means. */
TEST(the_exchange_has_the_means_that_are_computed) {
    static const char *const pairs[] = {"exchange.rounds=10000", "build=LMS_MED",
                                        "target_build=MED", NULL};
    static const int attacks[DUEL_STYLES] = {DUEL_MELEE_ATTACK, DUEL_RANGED_ATTACK,
                                             DUEL_MAGE_ATTACK};
    static const int heads[DUEL_STYLES] = {DUEL_HEAD_MELEE, DUEL_HEAD_RANGED, DUEL_HEAD_MAGE};
    static const int prayers[DUEL_STYLES] = {DUEL_PRAY_MELEE, DUEL_PRAY_RANGED, DUEL_PRAY_MAGE};
    double mean[DUEL_STYLES], shielded[DUEL_STYLES];
    kit k;
    lu_error error;
    NEED(kit_open(&k, 0, pairs, &error));
    duel_exchange_means(0, &duel_builds[DUEL_BUILD_LMS_MED], &duel_builds[DUEL_BUILD_MED], mean,
                        shielded);
    for (int cell = 0; cell < DUEL_STYLES * DUEL_STYLES; cell++) {
        int style = cell / DUEL_STYLES, shield = cell % DUEL_STYLES;
        double sum = 0.0, squares = 0.0, draws = 10000.0;
        lu_env_reset(k.env, (uint64_t)cell, NULL);
        while (!k.env->over) {
            for (int seat = 0; seat < DUEL_SEATS; seat++) {
                int32_t *act = k.act + seat * DUEL_HEADS;
                act[DUEL_HEAD_ATTACK] = attacks[style];
                act[heads[style]] = 1;
                act[DUEL_HEAD_PRAYER] = prayers[shield];
            }
            kit_tick(&k);
            CHECK_INT(k.env->step.illegal, 0);
            sum += k.a->turn.decided;
            squares += (double)k.a->turn.decided * k.a->turn.decided;
        }
        double got = sum / draws, spread = sqrt((squares / draws - got * got) / draws);
        CHECK_NEAR(got, style == shield ? shielded[style] : mean[style], 4.0 * spread);
    }
    kit_close(&k);
}

/* What frames tell of the attacks of a tick: sums of damage less its mean, and of the squares. */
static void add_luck(const kit *k, const int32_t *act, double *sum, double *squares) {
    lu_json json = LU_JSON_INIT;
    duel_to_json(k->rules, k->s, -1, &json);
    lu_json_document *document = lu_json_read("state", json.text, json.length, NULL);
    const lu_json_value *fighters = lu_json_get(lu_json_root(document), "fighters");
    for (int seat = 0; seat < DUEL_SEATS; seat++) {
        const duel_turn *turn = &k->s->fighter[seat].turn;
        const lu_json_value *list =
            lu_json_get(lu_json_at(fighters, (size_t)seat), "turn_expected");
        bool blood = act[seat * DUEL_HEADS + DUEL_HEAD_MAGE] == DUEL_BLOOD;
        size_t cast = turn->style == 1 + DUEL_SPELL && !turn->special ? 2 : 1;
        CHECK_INT(lu_json_count(list), turn->style ? cast : 0);
        if (turn->style) {
            double mean = lu_json_real_or(lu_json_at(list, blood && cast == 2 ? 1 : 0), NAN);
            *sum += turn->decided - mean;
            *squares += (turn->decided - mean) * (turn->decided - mean);
        }
    }
    lu_json_close(document);
    lu_json_free(&json);
}

TEST(frames_tell_the_mean_damage_of_attacks) {
    static const char *const all[][4] = {{"build=MAXED", NULL},
                                         {"build=LMS_MED", "rules=game", NULL},
                                         {"build=PURE", "death_match=true", NULL},
                                         {"exchange.rounds=2000", "build=MED", NULL}};
    lu_error error;
    for (size_t i = 0; i < LU_COUNT(all); i++) {
        kit k;
        double sum = 0.0, squares = 0.0;
        NEED(kit_open(&k, 0, all[i], &error));
        lu_rng rng = lu_rng_from(i);
        for (int tick = 0; tick < 4000; tick++) {
            int32_t act[DUEL_SEATS * DUEL_HEADS];
            if (k.env->over) {
                lu_env_reset(k.env, (uint64_t)tick, NULL);
            }
            for (int seat = 0; seat < DUEL_SEATS; seat++) {
                lu_action_random(lu_games_duel[0], k.rules, k.s, seat,
                                 k.env->mask + seat * DUEL_ACTIONS, &rng, act + seat * DUEL_HEADS);
            }
            lu_env_step(k.env, act);
            add_luck(&k, act, &sum, &squares);
        }
        CHECK(squares > 1000.0);
        CHECK_NEAR(sum, 0.0, 4.0 * sqrt(squares));
        lu_json json = LU_JSON_INIT;
        duel_to_json(k.rules, k.s, 0, &json);
        CHECK(strstr(json.text, "turn_expected") == NULL); /* it would tell his levels */
        lu_json_free(&json);
        kit_close(&k);
    }
}
