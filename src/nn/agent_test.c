/* Agents: what is asked beside an episode changes nothing in it, actions are legal, and thoughts
 * are the probabilities that the actions are drawn from. */
#include "ludus/agent.h"
#include "ludus/win_rate.h"

#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EPISODES = 5, DECISIONS = 60 };

typedef struct school {
    lu_model_file file;
    lu_settings *settings;
    lu_rules *rules;
    lu_env *env[EPISODES];
    lu_error error;
} school;

/* memory: or "series", for heads in series. */
static bool school_open_with(school *s, const char *game, const char *memory, const char *frames,
                             lu_net_kind kind) {
    bool series = strcmp(memory, "series") == 0;
    *s = (school){.file = {.game = lu_game_find(game, NULL), .return_scale = 0.5}};
    s->settings = lu_game_settings(s->file.game);
    lu_settings_add(s->settings, lu_net_table);
    lu_settings_set(s->settings, "net.hidden", "24", LU_FROM_FLAG, "--set", NULL);
    lu_settings_set(s->settings, "net.memory", series ? "none" : memory, LU_FROM_FLAG, "--set",
                    NULL);
    if (series) {
        lu_settings_set(s->settings, "net.heads", "autoregressive", LU_FROM_FLAG, "--set", NULL);
        lu_settings_set(s->settings, "net.head_hidden", "16,9", LU_FROM_FLAG, "--set", NULL);
    }
    lu_settings_set(s->settings, "net.frames", frames, LU_FROM_FLAG, "--set", NULL);
    s->file.net = lu_net_new(s->file.game, kind, s->settings, &s->error);
    s->rules = lu_rules_new(s->file.game, s->settings, &s->error);
    if (!s->file.net || !s->rules) {
        return false;
    }
    /* louder than first weights, so that choices differ */
    float *weight = lu_net_block(s->file.net);
    lu_rng rng = lu_rng_from(5);
    for (size_t i = 0; i < lu_net_parameters(s->file.net); i++) {
        weight[i] += 0.3f * ((float)lu_rng_unit(&rng) - 0.5f);
    }
    lu_net_pack(s->file.net);
    for (int e = 0; e < EPISODES; e++) {
        s->env[e] = lu_env_new(s->file.game, s->rules);
    }
    return true;
}

static bool school_open(school *s, const char *game, const char *memory, lu_net_kind kind) {
    return school_open_with(s, game, memory, "1", kind);
}

static void school_close(school *s) {
    for (int e = 0; e < EPISODES; e++) {
        lu_env_delete(s->env[e]);
    }
    lu_net_delete(s->file.net);
    lu_rules_delete(s->rules);
    lu_settings_delete(s->settings);
}

static lu_agent *agent_of(const school *s, bool thinks) {
    return lu_agent_new(&(lu_agent_settings){
        .file = &s->file, .rules = s->rules, .episodes = EPISODES, .thinks = thinks});
}

/* Hash of the states after some decisions; episodes are asked together or one by one. */
static void play(school *s, bool together, uint64_t *hash) {
    lu_agent *agent = agent_of(s, !together);
    for (int e = 0; e < EPISODES; e++) {
        lu_env_reset(s->env[e], (uint64_t)(10 + e), NULL);
        lu_agent_begin(agent, e, (uint64_t)(10 + e));
    }
    for (int d = 0; d < DECISIONS; d++) {
        int32_t actions[EPISODES][LU_MAX_HEADS];
        lu_agent_ask ask[EPISODES];
        int count = 0;
        for (int e = 0; e < EPISODES; e++) {
            if (!s->env[e]->over) {
                ask[count++] =
                    (lu_agent_ask){.env = s->env[e], .episode = e, .actions = actions[e]};
            }
        }
        for (int i = 0; i < count && !together; i++) {
            CHECK_INT(lu_agent_act(agent, &ask[i], 1, &s->error), LU_OK);
        }
        if (together) {
            CHECK_INT(lu_agent_act(agent, ask, count, &s->error), LU_OK);
        }
        for (int i = 0; i < count; i++) {
            lu_env_step(s->env[ask[i].episode], ask[i].actions);
        }
    }
    for (int e = 0; e < EPISODES; e++) {
        hash[e] = lu_env_hash(s->env[e]);
        CHECK_INT(s->env[e]->illegal, 0);
    }
    lu_agent_delete(agent);
}

TEST(episodes_do_not_touch_each_other) {
    static const struct {
        const char *game, *memory;
        lu_net_kind kind;
    } kinds[] = {
        {"prospector", "none", LU_NET_POLICY},   {"prospector", "mingru", LU_NET_POLICY},
        {"cartpole", "lstm", LU_NET_POLICY},     {"prospector", "none", LU_NET_Q},
        {"prospector", "series", LU_NET_POLICY}, {"joker-brief-v1", "series", LU_NET_POLICY}};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        school s;
        uint64_t alone[EPISODES], together[EPISODES];
        NEED(school_open(&s, kinds[k].game, kinds[k].memory, kinds[k].kind));
        play(&s, false, alone);
        play(&s, true, together);
        for (int e = 0; e < EPISODES; e++) {
            CHECK_HEX(together[e], alone[e]);
        }
        school_close(&s);
    }
}

TEST(memory_makes_a_difference_and_is_forgotten) {
    school s;
    NEED(school_open(&s, "cartpole", "mingru", LU_NET_POLICY));
    lu_agent *agent = agent_of(&s, true);
    lu_thought first, second, again;
    int32_t actions[LU_MAX_HEADS];
    lu_env_reset(s.env[0], 3, NULL);
    lu_agent_ask ask = {.env = s.env[0], .actions = actions, .thought = &first};
    lu_agent_begin(agent, 0, 3);
    CHECK_INT(lu_agent_act(agent, &ask, 1, &s.error), LU_OK);
    ask.thought = &second;
    CHECK_INT(lu_agent_act(agent, &ask, 1, &s.error), LU_OK);
    CHECK(first.value != second.value);
    lu_agent_begin(agent, 0, 3);
    ask.thought = &again;
    CHECK_INT(lu_agent_act(agent, &ask, 1, &s.error), LU_OK);
    CHECK(memcmp(&first, &again, sizeof first) == 0);
    lu_agent_delete(agent);
    school_close(&s);
}

TEST(thoughts_are_what_actions_are_drawn_from) {
    enum { DRAWS = 4000 };
    school s;
    NEED(school_open(&s, "cartpole", "none", LU_NET_POLICY));
    lu_agent *agent = agent_of(&s, true);
    lu_thought thought = {0};
    int32_t actions[LU_MAX_HEADS];
    int taken[2] = {0};
    lu_env_reset(s.env[0], 4, NULL);
    lu_agent_ask ask = {.env = s.env[0], .actions = actions, .thought = &thought};
    lu_agent_begin(agent, 0, 4);
    for (int i = 0; i < DRAWS; i++) {
        CHECK_INT(lu_agent_act(agent, &ask, 1, &s.error), LU_OK);
        taken[actions[0]]++;
    }
    CHECK_INT(thought.top_count, 2);
    CHECK_NEAR((double)(thought.top_probability[0] + thought.top_probability[1]), 1.0, 1e-6);
    CHECK(thought.top_probability[0] >= thought.top_probability[1]);
    double share = (double)taken[thought.top_action[0]] / DRAWS, p = thought.top_probability[0];
    CHECK_NEAR(share, p, 4.0 * sqrt(p * (1.0 - p) / DRAWS));
    CHECK(thought.entropy > 0.0f && thought.entropy < 0.6932f);
    lu_agent_delete(agent);
    school_close(&s);
}

/* What is thought of the first observation at a temperature; returns how often the likelier option
 * was drawn. */
static double draw_at(school *s, double temperature, lu_thought *thought) {
    enum { DRAWS = 4000 };
    lu_agent *agent = lu_agent_new(&(lu_agent_settings){.file = &s->file,
                                                        .rules = s->rules,
                                                        .episodes = 1,
                                                        .thinks = true,
                                                        .temperature = temperature});
    int32_t actions[LU_MAX_HEADS];
    int taken[2] = {0};
    lu_env_reset(s->env[0], 4, NULL);
    lu_agent_ask ask = {.env = s->env[0], .actions = actions, .thought = thought};
    lu_agent_begin(agent, 0, 4);
    for (int i = 0; i < DRAWS; i++) {
        CHECK_INT(lu_agent_act(agent, &ask, 1, &s->error), LU_OK);
        taken[actions[0]]++;
    }
    lu_agent_delete(agent);
    return (double)taken[thought->top_action[0]] / DRAWS;
}

TEST(a_temperature_divides_logits_and_q_values) {
    static const lu_net_kind kinds[] = {LU_NET_POLICY, LU_NET_Q};
    static const double temperatures[] = {1.0, 0.25, 4.0};
    for (int k = 0; k < 2; k++) {
        school s;
        lu_thought plain, thought;
        NEED(school_open(&s, "cartpole", "none", kinds[k]));
        double share = draw_at(&s, 0.0, &plain), odds = 0.0;
        CHECK(kinds[k] == LU_NET_POLICY ? share < 1.0 : share == 1.0 && plain.top_count == 1);
        for (int t = 0; t < 3; t++) {
            share = draw_at(&s, temperatures[t], &thought);
            double p = (double)thought.top_probability[0];
            double q = (double)thought.top_probability[1];
            CHECK_NEAR(share, p, 4.0 * sqrt(p * q / 4000.0));
            odds = t == 0 ? log(p / q) : odds;
            CHECK(odds > 0.01);
            CHECK_NEAR(log(p / q), odds / temperatures[t], 1e-4);
            CHECK_NEAR((double)thought.value, (double)plain.value, 1e-5);
            CHECK_INT(thought.top_action[0], plain.top_action[0]);
        }
        school_close(&s);
    }
}

TEST(illegal_options_are_not_thought_of) {
    school s;
    NEED(school_open(&s, "prospector", "none", LU_NET_POLICY));
    lu_agent *agent = agent_of(&s, true);
    lu_thought thought;
    int32_t actions[LU_MAX_HEADS];
    lu_env_reset(s.env[0], 1, NULL);
    lu_agent_begin(agent, 0, 1);
    for (int d = 0; d < DECISIONS && !s.env[0]->over; d++) {
        lu_agent_ask ask = {.env = s.env[0], .actions = actions, .thought = &thought};
        CHECK_INT(lu_agent_act(agent, &ask, 1, &s.error), LU_OK);
        for (int i = 0; i < thought.top_count; i++) {
            CHECK(s.env[0]->mask[thought.top_action[i]] == 1);
        }
        lu_env_step(s.env[0], actions);
    }
    lu_agent_delete(agent);
    school_close(&s);
}

/* All options of all heads, as the top of a thought has them; of a greedy Q net the best has 1. */
TEST(probabilities_are_those_of_the_thought) {
    static const lu_net_kind kinds[] = {LU_NET_POLICY, LU_NET_Q, LU_NET_POLICY};
    for (int k = 0; k < 3; k++) {
        school s;
        float probabilities[256];
        lu_thought thought;
        int32_t actions[LU_MAX_HEADS];
        NEED(school_open(&s, "prospector", k == 2 ? "series" : "none", kinds[k]));
        int options = lu_game_mask_length(s.file.game);
        NEED(options <= 256);
        lu_agent *agent = agent_of(&s, true);
        lu_agent_ask ask = {.env = s.env[0],
                            .actions = actions,
                            .thought = &thought,
                            .probabilities = probabilities};
        lu_env_reset(s.env[0], 1, NULL);
        lu_agent_begin(agent, 0, 1);
        for (int d = 0; d < DECISIONS && !s.env[0]->over; d++) {
            double sum = 0.0;
            CHECK_INT(lu_agent_act(agent, &ask, 1, &s.error), LU_OK);
            for (int o = 0; o < options; o++) {
                sum += (double)probabilities[o];
                CHECK(s.env[0]->mask[o] == 1 || !(probabilities[o] > 0.0f));
            }
            CHECK_NEAR(sum, floor(sum + 0.5), 1e-5); /* 1 for each head that is asked */
            CHECK(sum > 0.5);
            for (int i = 0; i < thought.top_count; i++) {
                CHECK_NEAR((double)probabilities[thought.top_action[i]],
                           (double)thought.top_probability[i], 1e-6);
            }
            lu_env_step(s.env[0], actions);
        }
        lu_agent_delete(agent);
        school_close(&s);
    }
}

/* The likeliest options of every head, head by head, however many heads there are. */
TEST(a_thought_keeps_the_best_of_each_head) {
    school s;
    float probabilities[1024];
    lu_thought thought;
    int32_t actions[LU_MAX_HEADS];
    NEED(school_open(&s, "joker", "none", LU_NET_POLICY));
    const lu_game *game = s.file.game;
    NEED(lu_game_mask_length(game) <= 1024 && game->heads > 1);
    lu_agent *agent = agent_of(&s, true);
    lu_agent_ask ask = {
        .env = s.env[0], .actions = actions, .thought = &thought, .probabilities = probabilities};
    lu_env_reset(s.env[0], 1, NULL);
    lu_agent_begin(agent, 0, 1);
    for (int d = 0; d < DECISIONS && !s.env[0]->over; d++) {
        int at = 0;
        CHECK_INT(lu_agent_act(agent, &ask, 1, &s.error), LU_OK);
        CHECK(thought.known);
        for (int h = 0; h < game->heads; h++) {
            int first = lu_game_head_offset(game, h), kept = 0;
            float best = 0.0f;
            for (int o = first; o < first + game->head[h].options; o++) {
                best = probabilities[o] > best ? probabilities[o] : best;
            }
            float last = best;
            for (; at < thought.top_count && lu_game_option_head(game, thought.top_action[at]) == h;
                 at++, kept++) {
                CHECK(thought.top_probability[at] <= last + 1e-6f);
                last = thought.top_probability[at];
            }
            CHECK((kept > 0) == (best > 0.0f));
            CHECK(kept <= lu_thought_top(game->heads));
        }
        CHECK_INT(at, thought.top_count);
        lu_env_step(s.env[0], actions);
    }
    lu_agent_delete(agent);
    school_close(&s);
}

/* ---- one state alone ---- */

TEST(a_tool_hears_what_a_greedy_agent_thinks_first) {
    static const lu_net_kind kinds[] = {LU_NET_POLICY, LU_NET_Q};
    for (int k = 0; k < 2; k++) {
        school s;
        float asked[256], told[256], logits[256];
        double value;
        lu_thought thought;
        int32_t actions[LU_MAX_HEADS];
        NEED(school_open(&s, "prospector", k ? "none" : "mingru", kinds[k]));
        lu_tool_agent door = lu_agent_for_tool(&s.file, "school");
        lu_agent *agent = lu_agent_new(&(lu_agent_settings){
            .file = &s.file, .rules = s.rules, .episodes = 1, .greedy = true, .thinks = true});
        lu_env_reset(s.env[0], 9, NULL);
        lu_agent_begin(agent, 0, 9);
        lu_agent_ask ask = {.env = s.env[0],
                            .actions = actions,
                            .thought = &thought,
                            .probabilities = asked,
                            .logits = logits};
        CHECK_INT(lu_agent_act(agent, &ask, 1, &s.error), LU_OK);
        CHECK_INT(door.think(door.user, s.rules, s.env[0]->state, 0, told, &value, &s.error),
                  LU_OK);
        size_t options = (size_t)lu_game_mask_length(s.file.game);
        CHECK(memcmp(asked, told, options * sizeof *asked) == 0);
        CHECK_NEAR(value, (double)thought.value, 0.0);
        for (size_t o = 0; o < options; o++) { /* the likeliest has the largest logit */
            CHECK(!s.env[0]->mask[o] || logits[o] <= logits[actions[0]]);
        }
        int32_t both[2 * LU_MAX_HEADS];
        size_t heads = (size_t)s.file.game->heads;
        lu_env *twice[] = {s.env[0], s.env[0]};
        void *talk = door.begin(door.user, twice[0]->rules, 2);
        CHECK_INT(door.choose(talk, twice, 2, both, &s.error), LU_OK);
        door.end(talk);
        CHECK(memcmp(both, actions, heads * sizeof *both) == 0);
        CHECK(memcmp(both + heads, actions, heads * sizeof *both) == 0);
        lu_agent_delete(agent);
        school_close(&s);
    }
}

TEST(memory_can_be_taken_along) {
    school s;
    NEED(school_open(&s, "cartpole", "mingru", LU_NET_POLICY));
    lu_agent *agent = agent_of(&s, true);
    lu_thought second, again;
    int32_t actions[LU_MAX_HEADS];
    size_t bytes;
    lu_env_reset(s.env[1], 3, NULL);
    lu_agent_ask ask = {.env = s.env[1], .episode = 1, .actions = actions, .thought = &second};
    lu_agent_begin(agent, 1, 3);
    CHECK_INT(lu_agent_act(agent, &ask, 1, &s.error), LU_OK);
    float *memory = lu_agent_memory(agent, 1, &bytes);
    CHECK_INT(bytes, lu_net_memory_floats(s.file.net) * sizeof *memory);
    float *kept = lu_alloc(bytes);
    memcpy(kept, memory, bytes);
    CHECK_INT(lu_agent_act(agent, &ask, 1, &s.error), LU_OK);
    memcpy(memory, kept, bytes);
    ask.thought = &again;
    CHECK_INT(lu_agent_act(agent, &ask, 1, &s.error), LU_OK);
    CHECK(memcmp(&second, &again, sizeof second) == 0);
    free(kept);
    lu_agent_delete(agent);
    school_close(&s);
}

/* ---- the probe ---- */

TEST(a_net_answers_after_loading_as_it_did_in_memory) {
    static const struct {
        const char *game, *memory;
        lu_net_kind kind;
    } nets[] = {{"cartpole", "none", LU_NET_POLICY},
                {"prospector", "none", LU_NET_POLICY},
                {"corridor", "mingru", LU_NET_POLICY},
                {"duel", "series", LU_NET_POLICY},
                {"cartpole", "none", LU_NET_Q}};
    for (size_t i = 0; i < sizeof nets / sizeof *nets; i++) {
        school s;
        char *bytes;
        size_t length;
        NEED(school_open(&s, nets[i].game, nets[i].memory, nets[i].kind));
        s.file.settings = s.settings;
        uint64_t hash = lu_agent_probe(&s.file, s.rules, NULL);
        CHECK(hash != 0);
        CHECK_HEX(lu_agent_probe(&s.file, s.rules, NULL), hash);
        NEED(lu_model_file_write(&s.file, &bytes, &length, &s.error) == LU_OK);
        lu_model_file *loaded = lu_model_file_read("probe", bytes, length, &s.error);
        NEED(loaded);
        CHECK_HEX(lu_agent_probe(loaded, s.rules, NULL), hash);
        /* one weight of the last layer */
        float *weight = lu_net_block(loaded->net) + lu_net_parameters(loaded->net) - 1;
        *weight += 0.5f;
        lu_net_pack(loaded->net);
        CHECK(lu_agent_probe(loaded, s.rules, NULL) != hash);
        lu_model_file_delete(loaded);
        free(bytes);
        school_close(&s);
    }
}

TEST(rows_stand_in_for_an_environment) {
    school s;
    NEED(school_open(&s, "prospector", "none", LU_NET_POLICY));
    lu_agent *agent = agent_of(&s, true);
    int32_t shown[LU_MAX_HEADS], given[LU_MAX_HEADS];
    float shown_p[512], given_p[512], likelihood = 0.0f;
    lu_thought first, second;
    NEED(lu_game_mask_length(s.file.game) <= 512);
    lu_env_reset(s.env[0], 3, NULL);
    lu_agent_ask ask = {
        .env = s.env[0], .actions = shown, .thought = &first, .probabilities = shown_p};
    lu_agent_begin(agent, 0, 3);
    CHECK_INT(lu_agent_act(agent, &ask, 1, &s.error), LU_OK);
    ask = (lu_agent_ask){.observation = s.env[0]->observation,
                         .mask = s.env[0]->mask,
                         .actions = given,
                         .thought = &second,
                         .probabilities = given_p,
                         .log_probability = &likelihood};
    lu_agent_begin(agent, 0, 3);
    CHECK_INT(lu_agent_act(agent, &ask, 1, &s.error), LU_OK);
    CHECK_INT(given[0], shown[0]);
    CHECK(memcmp(&first, &second, sizeof first) == 0);
    CHECK(memcmp(shown_p, given_p, (size_t)lu_game_mask_length(s.file.game) * 4) == 0);
    CHECK(fabs(log((double)given_p[given[0]]) - (double)likelihood) < 1e-5);
    lu_agent_delete(agent);
    school_close(&s);
}

static void check_single_heads(const char *name, const char *memory) {
    school s;
    NEED(school_open(&s, name, memory, LU_NET_POLICY));
    lu_agent *agent = agent_of(&s, false);
    const lu_game *game = s.file.game;
    int32_t best[LU_MAX_HEADS], drawn[LU_MAX_HEADS];
    bool differs = false;
    uint8_t all[512]; /* every option of every head, so that many heads are asked */
    NEED(lu_game_mask_length(game) <= 512);
    memset(all, 1, sizeof all);
    lu_env_reset(s.env[0], 3, NULL);
    const float *row = s.env[0]->observation;
    lu_agent_ask greedy = {.observation = row, .mask = all, .best = ~(uint32_t)0, .actions = best};
    lu_agent_begin(agent, 0, 0);
    CHECK_INT(lu_agent_act(agent, &greedy, 1, &s.error), LU_OK);
    for (uint64_t seed = 0; seed < 40; seed++) {
        lu_agent_ask ask = {.observation = row, .mask = all, .best = 1, .actions = drawn};
        lu_agent_begin(agent, 0, seed);
        CHECK_INT(lu_agent_act(agent, &ask, 1, &s.error), LU_OK);
        CHECK_INT(drawn[0], best[0]);
        for (int h = 1; h < game->heads; h++) {
            differs = differs || drawn[h] != best[h];
        }
    }
    CHECK(differs);
    lu_agent_delete(agent);
    school_close(&s);
}

TEST(single_heads_may_take_their_best_option) {
    check_single_heads("joker-brief-v1", "none");
    check_single_heads("duel", "series");
}

/* Logits and probabilities of a head are those under the choices before it: asked again until the
 * first head draws another option, the second answers with another row, and the likelihood is the
 * product of what stands behind the actions. */
TEST(heads_in_series_answer_the_choice_before_them) {
    school s;
    NEED(school_open(&s, "duel", "series", LU_NET_POLICY));
    const lu_game *game = s.file.game;
    lu_agent *agent = agent_of(&s, true);
    uint8_t all[512];
    float probabilities[2][512], likelihood;
    int32_t actions[2][LU_MAX_HEADS];
    size_t options = (size_t)lu_game_mask_length(game), other = 0, same = 0;
    NEED(options <= 512 && game->heads > 1);
    memset(all, 1, sizeof all);
    lu_env_reset(s.env[0], 3, NULL);
    size_t first = (size_t)game->head[0].options, second = (size_t)game->head[1].options;
    for (uint64_t seed = 0; seed < 60; seed++) {
        int at = seed > 0;
        lu_agent_ask ask = {.observation = s.env[0]->observation,
                            .mask = all,
                            .actions = actions[at],
                            .probabilities = probabilities[at],
                            .log_probability = &likelihood};
        lu_agent_begin(agent, 0, seed);
        CHECK_INT(lu_agent_act(agent, &ask, 1, &s.error), LU_OK);
        double sum = 0.0;
        for (int h = 0; h < game->heads; h++) {
            float p = probabilities[at][lu_game_head_offset(game, h) + actions[at][h]];
            sum += p > 0.0f ? log((double)p) : 0.0;
        }
        CHECK_NEAR(sum, (double)likelihood, 1e-4);
        CHECK(memcmp(probabilities[0], probabilities[at], first * sizeof(float)) == 0);
        bool equal = memcmp(probabilities[0] + first, probabilities[at] + first,
                            second * sizeof(float)) == 0;
        CHECK(equal == (actions[0][0] == actions[at][0]) ||
              !(probabilities[at][first] > 0.0f)); /* or the second head is not asked */
        *(equal ? &same : &other) += 1;
    }
    CHECK(same > 0 && other > 0);
    lu_agent_delete(agent);
    school_close(&s);
}

/* ---- frames ---- */

enum { SEEN = 12 };

/* An agent that remembers answers as one who is shown every frame: newest first, and before the
 * start the first. */
TEST(an_agent_remembers_the_frames_of_an_episode) {
    static const int age[] = {0, 2, 5};
    static const char *const memories[] = {"none", "mingru"};
    for (int m = 0; m < 2; m++) {
        school s;
        NEED(school_open_with(&s, "cartpole", memories[m], "0,2,5", LU_NET_POLICY));
        lu_agent *keeps = agent_of(&s, true), *shown = agent_of(&s, true);
        int n = lu_game_observation_length(s.file.game);
        float seen[SEEN][64], rows[3 * 64], one[64], all[64];
        uint8_t mask[64];
        int32_t actions[LU_MAX_HEADS];
        memset(mask, 1, sizeof mask);
        lu_rng rng = lu_rng_from(9);
        for (int episode = 0; episode < 2; episode++) {
            lu_agent_begin(keeps, 3, 1);
            lu_agent_begin(shown, 3, 1);
            for (int t = 0; t < SEEN; t++) {
                for (int i = 0; i < n; i++) {
                    seen[t][i] = (float)lu_rng_unit(&rng);
                }
                for (int f = 0; f < 3; f++) {
                    memcpy(rows + f * n, seen[t > age[f] ? t - age[f] : 0],
                           (size_t)n * sizeof *rows);
                }
                lu_agent_ask ask = {.observation = seen[t],
                                    .mask = mask,
                                    .episode = 3,
                                    .actions = actions,
                                    .logits = one};
                CHECK_INT(lu_agent_act(keeps, &ask, 1, &s.error), LU_OK);
                ask.observation = rows;
                ask.all_frames = true;
                ask.logits = all;
                CHECK_INT(lu_agent_act(shown, &ask, 1, &s.error), LU_OK);
                CHECK(memcmp(one, all, (size_t)lu_game_mask_length(s.file.game) * sizeof *one) ==
                      0);
            }
        }
        lu_agent_delete(keeps);
        lu_agent_delete(shown);
        school_close(&s);
    }
}

/* What an agent says is what the predictor says of the normalised newest frame. */
static void check_win_rate(const lu_model_file *file, const school *s) {
    lu_agent *agent = lu_agent_new(
        &(lu_agent_settings){.file = file, .rules = s->rules, .episodes = 1, .thinks = true});
    float seen[4] = {0.5f, 3, 2, 9}, x[4], won = 0;
    uint8_t mask[2] = {1, 1};
    int32_t actions[LU_MAX_HEADS];
    lu_error error;
    lu_agent_begin(agent, 0, 1);
    lu_agent_ask ask = {.observation = seen, .mask = mask, .actions = actions, .win_rate = &won};
    CHECK_INT(lu_agent_act(agent, &ask, 1, &error), LU_OK);
    lu_win_rate_see(&file->observation, 4, seen, x);
    CHECK(won == (float)lu_win_rate_run(file->win_rate, 4, x));
    CHECK(x[3] == 5.0f && won > 0.0f && won < 1.0f);
    lu_agent_delete(agent);
}

TEST(a_model_file_keeps_frames_normaliser_and_predictor) {
    school s;
    NEED(school_open_with(&s, "cartpole", "none", "0,2", LU_NET_POLICY));
    int inputs = lu_net_inputs(s.file.net);
    CHECK_INT(inputs, 2 * lu_game_observation_length(s.file.game));
    lu_normaliser_init(&s.file.observation, inputs);
    float x[64] = {1, 2, 3, 4, 5, 6, 7, 8};
    lu_normaliser_add(&s.file.observation, 1, x, 64);
    lu_normaliser_freeze(&s.file.observation);
    s.file.observation.clip = 5.0f;
    s.file.win_rate = calloc(lu_win_rate_count(inputs / 2), sizeof(float));
    lu_win_rate_init(s.file.win_rate, inputs / 2, 7);
    s.file.settings = s.settings;
    char *bytes;
    size_t length;
    NEED(lu_model_file_write(&s.file, &bytes, &length, &s.error) == LU_OK);
    lu_model_file *read = lu_model_file_read("model", bytes, length, &s.error);
    NEED(read != NULL);
    CHECK_INT(lu_net_frames(read->net)->count, 2);
    CHECK_INT(lu_net_frames(read->net)->age[1], 2);
    CHECK_INT(read->observation.length, inputs);
    CHECK(read->observation.clip == 5.0f);
    NEED(read->win_rate != NULL);
    CHECK(memcmp(read->win_rate, s.file.win_rate, lu_win_rate_count(inputs / 2) * sizeof(float)) ==
          0);
    check_win_rate(read, &s);
    CHECK_HEX(lu_agent_probe(read, s.rules, NULL), lu_agent_probe(&s.file, s.rules, NULL));
    lu_model_file_delete(read);
    free(bytes);
    free(s.file.win_rate);
    lu_normaliser_free(&s.file.observation);
    school_close(&s);
}
