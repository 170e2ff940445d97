/* What every host asks of a game: lengths, offsets, names, the specification and its hash, rules,
 * and legal actions after dependencies. Everything here is derived from the tables of a game; it
 * leaves out stepping (env.c, vec.c) and the list of games (the registry made by the build). */
#include "ludus/game_ask.h"

#include "ludus/hash.h"
#include "ludus/vec.h"

#include <stdlib.h>
#include <string.h>

const lu_core *lu_game_core(const lu_game *game) {
    for (int isa = (int)lu_cpu_isa(); isa > 0; isa--) {
        if (game->core[isa]) {
            return game->core[isa];
        }
    }
    return game->core[LU_ISA_BASE];
}

uint32_t lu_game_hot_bytes(const lu_game *game) {
    uint32_t bytes = 0;
    game->core[0]->loop(&(lu_loop){.fetched = &bytes});
    return bytes;
}

int lu_group_length(const lu_group *group) {
    return group->slots * group->fields;
}

static int groups_length(const lu_group *group, int count) {
    int length = 0;
    for (int g = 0; g < count; g++) {
        length += lu_group_length(&group[g]);
    }
    return length;
}

int lu_game_observation_length(const lu_game *game) {
    return groups_length(game->group, game->groups);
}

int lu_game_critic_length(const lu_game *game) {
    return groups_length(game->critic_group, game->critic_groups);
}

int lu_game_group_offset(const lu_game *game, int group) {
    return groups_length(game->group, group);
}

int lu_game_head_offset(const lu_game *game, int head) {
    int offset = 0;
    for (int h = 0; h < head; h++) {
        offset += game->head[h].options;
    }
    return offset;
}

int lu_game_option_head(const lu_game *game, int option) {
    int head = 0;
    while (head + 1 < game->heads && option >= game->head[head].options) {
        option -= game->head[head++].options;
    }
    return head;
}

int lu_game_mask_length(const lu_game *game) {
    return lu_game_head_offset(game, game->heads);
}

int lu_game_modes(const lu_game *game) {
    int count = 1;
    for (const char *c = game->modes; c && *c; c++) {
        count += *c == '|';
    }
    return count;
}

int lu_game_info_index(const lu_game *game, const char *name) {
    for (int i = 0; i < game->infos; i++) {
        if (strcmp(game->info[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

int lu_game_bots(const lu_game *game) {
    return game->bots + 1;
}

const lu_bot *lu_game_bot_at(const lu_game *game, int index) {
    return index < game->bots ? &game->bot[index] : &lu_bot_random;
}

const lu_bot *lu_game_bot(const lu_game *game, const char *name) {
    for (int i = 0; i < lu_game_bots(game); i++) {
        const lu_bot *bot = lu_game_bot_at(game, i);
        if (strcmp(bot->name, name) == 0) {
            return bot;
        }
    }
    return NULL;
}

const lu_bot *lu_game_strongest(const lu_game *game) {
    return game->bots > 0 ? &game->bot[game->bots - 1] : &lu_bot_random;
}

int lu_info_names(const lu_info *info) {
    int count = 0;
    while (info->kind == LU_INFO_NAME && info->names && count < LU_MAX_NAMES &&
           info->names[count]) {
        count++;
    }
    return count;
}

bool lu_info_is_number(const lu_info *info) {
    return info->kind != LU_INFO_BITS && info->kind != LU_INFO_NAME;
}

const char *lu_info_name(const lu_info *info, double value) {
    /* a NaN fails both comparisons */
    return value >= 0.0 && value < (double)lu_info_names(info) ? info->names[(int)value] : NULL;
}

const char *lu_option_name(const lu_game *game, int flat) {
    int head = lu_game_option_head(game, flat);
    int option = flat - lu_game_head_offset(game, head);
    return option >= 0 && option < game->head[head].options ? game->head[head].option[option]
                                                            : NULL;
}

/* ---- the specification ---- */

static void write_groups(const lu_group *group, int count, lu_json *json) {
    static const char *const kinds[] = {"scalars", "slots", "ids"};
    int offset = 0;
    lu_json_array(json);
    for (int g = 0; g < count; g++) {
        lu_json_object(json);
        lu_json_key_string(json, "name", group[g].name);
        lu_json_key_string(json, "kind", kinds[group[g].kind]);
        lu_json_key_int(json, "offset", offset);
        lu_json_key_int(json, "slots", group[g].slots);
        lu_json_key_int(json, "presence", group[g].presence);
        lu_json_key_array(json, "fields");
        for (int f = 0; f < group[g].fields; f++) {
            const lu_field *field = &group[g].field[f];
            lu_json_object(json);
            lu_json_key_string(json, "name", field->name);
            lu_json_key(json, "low");
            lu_json_float(json, field->low);
            lu_json_key(json, "high");
            lu_json_float(json, field->high);
            lu_json_key_string(json, "unit", field->unit ? field->unit : "");
            if (field->vocabulary > 0) {
                lu_json_key_int(json, "vocabulary", field->vocabulary);
            }
            lu_json_object_end(json);
        }
        lu_json_array_end(json);
        lu_json_object_end(json);
        offset += lu_group_length(&group[g]);
    }
    lu_json_array_end(json);
}

static void write_head(const lu_game *game, int index, lu_json *json) {
    static const char *const kinds[] = {"all", "any", "none"};
    const lu_head *head = &game->head[index];
    lu_json_object(json);
    lu_json_key_string(json, "name", head->name);
    lu_json_key_int(json, "offset", lu_game_head_offset(game, index));
    lu_json_key_array(json, "options");
    for (int o = 0; o < head->options; o++) {
        lu_json_string(json, head->option[o]);
    }
    lu_json_array_end(json);
    lu_json_key_array(json, "needs");
    for (int n = 0; n < head->needs; n++) {
        lu_json_object(json);
        lu_json_key_int(json, "option", head->need[n].option);
        lu_json_key_string(json, "kind", kinds[head->need[n].kind]);
        lu_json_key_int(json, "on_head", head->need[n].on_head);
        lu_json_key_int(json, "on_option", head->need[n].on_option);
        lu_json_object_end(json);
    }
    lu_json_array_end(json);
    lu_json_key_int(json, "points_at", head->points_at);
    lu_json_key_bool(json, "unused", head->unused);
    lu_json_object_end(json);
}

void lu_spec_write(const lu_game *game, lu_json *json) {
    static const char *const kinds[] = {"real", "count", "flag", "bits", "name"};
    static const char *const limits[] = {"none", "rule", "cut"};
    lu_json_object(json);
    lu_json_key_string(json, "id", game->id);
    lu_json_key_int(json, "seats", game->seats);
    lu_json_key_bool(json, "turns", game->core[LU_ISA_BASE]->to_move != NULL);
    lu_json_key_bool(json, "tick_discount", game->tick_discount);
    lu_json_key_string(json, "limit", limits[game->limit.kind]);
    lu_json_key_int(json, "longest", game->limit.longest);
    lu_json_key_int(json, "observation_length", lu_game_observation_length(game));
    lu_json_key_int(json, "critic_length", lu_game_critic_length(game));
    lu_json_key_int(json, "mask_length", lu_game_mask_length(game));
    lu_json_key_array(json, "heads");
    for (int h = 0; h < game->heads; h++) {
        write_head(game, h, json);
    }
    lu_json_array_end(json);
    lu_json_key(json, "observation");
    write_groups(game->group, game->groups, json);
    lu_json_key(json, "critic");
    write_groups(game->critic_group, game->critic_groups, json);
    lu_json_key_array(json, "terms");
    for (int t = 0; t < game->terms; t++) {
        lu_json_string(json, game->term[t].name);
    }
    lu_json_array_end(json);
    lu_json_key_array(json, "info");
    for (int i = 0; i < game->infos; i++) {
        lu_json_object(json);
        lu_json_key_string(json, "name", game->info[i].name);
        lu_json_key_string(json, "kind", kinds[game->info[i].kind]);
        lu_json_object_end(json);
    }
    lu_json_array_end(json);
    lu_json_object_end(json);
}

uint64_t lu_spec_hash(const lu_game *game) {
    lu_json json = LU_JSON_INIT;
    lu_spec_write(game, &json);
    uint64_t hash = lu_hash(json.text, json.length, 0);
    lu_json_free(&json);
    return hash;
}

uint64_t lu_spec_earlier(const lu_game *game, int index) {
    static const struct {
        const char *id;
        uint64_t spec;
    } rows[] = {
#define LU_OLDER_SPEC(id, spec) {id, spec},
#include "older_specs.h"
#undef LU_OLDER_SPEC
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(rows[i].id, game->id) == 0 && index-- == 0) {
            return rows[i].spec;
        }
    }
    return 0;
}

bool lu_spec_older(const lu_game *game, uint64_t spec) {
    int i = 0;
    while (lu_spec_earlier(game, i) != 0 && lu_spec_earlier(game, i) != spec) {
        i++;
    }
    return lu_spec_earlier(game, i) != 0;
}

/* ---- settings and rules ---- */

/* Adds the rows that the terms of a game make: reward.mode where there are modes, reward.TERM. */
static void add_reward_rows(const lu_game *game, lu_settings *settings) {
    lu_text text[3]; /* initial, key, sentence */
    for (int i = 0; i < 3; i++) {
        lu_text_init(&text[i]);
    }
    if (game->modes && *game->modes) {
        lu_text_add_n(&text[0], game->modes, strcspn(game->modes, "|"));
        const lu_setting row = {.key = "reward.mode",
                                .type = LU_ENUM,
                                .initial = text[0].text,
                                .choices = game->modes,
                                .sentence = "Which set of default weights defines the reward."};
        lu_settings_add_copy(settings, (lu_table){game->name, &row, 1});
    }
    for (int t = 0; t < game->terms; t++) {
        lu_text_clear(&text[1]);
        lu_text_clear(&text[2]);
        lu_text_addf(&text[1], "reward.%s", game->term[t].name);
        lu_text_addf(&text[2], "Weight of the term: %s Default: the mode's weight (",
                     game->term[t].sentence);
        for (int m = 0; m < lu_game_modes(game) && m < LU_MAX_MODES; m++) {
            lu_text_addf(&text[2], "%s%g", m ? ", " : "", game->term[t].weight[m]);
        }
        lu_text_add(&text[2], ").");
        const lu_setting row = {.key = text[1].text,
                                .type = LU_SCHEDULE,
                                .initial = "",
                                .low = -1e6,
                                .high = 1e6,
                                .sentence = text[2].text};
        lu_settings_add_copy(settings, (lu_table){game->name, &row, 1});
    }
    for (int i = 0; i < 3; i++) {
        lu_text_free(&text[i]);
    }
}

void lu_game_add_settings(const lu_game *game, lu_settings *settings) {
    lu_settings_add(settings, game->settings);
    add_reward_rows(game, settings);
}

lu_settings *lu_game_settings(const lu_game *game) {
    lu_settings *settings = lu_settings_new();
    lu_game_add_settings(game, settings);
    return settings;
}

lu_settings *lu_game_options(const lu_game *game) {
    lu_settings *options = lu_settings_new();
    if (game->options.table.count > 0) {
        lu_settings_add(options, game->options.table);
    }
    return options;
}

const lu_schedule *lu_reward_schedule(const lu_game *game, const lu_settings *settings, int term) {
    lu_text key = LU_TEXT_INIT;
    lu_text_addf(&key, "reward.%s", game->term[term].name);
    const lu_schedule *schedule =
        lu_settings_is_set(settings, key.text) ? lu_settings_schedule(settings, key.text) : NULL;
    lu_text_free(&key);
    return schedule;
}

/* The largest update at which the reader of schedules has looked at every value. */
enum { LATE_UPDATE = 1000000 };

static double weight_at_end(const lu_game *game, const lu_settings *settings, int mode, int term) {
    const lu_schedule *schedule = lu_reward_schedule(game, settings, term);
    return schedule ? lu_schedule_at(schedule, 1.0, LATE_UPDATE) : game->term[term].weight[mode];
}

size_t lu_rules_bytes(const lu_game *game, const lu_settings *settings) {
    return game->rules_bytes + (game->rules_more ? game->rules_more(settings) : 0);
}

lu_rules *lu_rules_new(const lu_game *game, const lu_settings *settings, lu_error *error) {
    size_t bytes = lu_rules_bytes(game, settings);
    LU_ASSERT(bytes >= sizeof(lu_rules) && bytes <= UINT32_MAX - 63);
    bytes = (bytes + 63) / 64 * 64;
    lu_rules *rules = lu_alloc_lines(bytes);
    rules->bytes = (uint32_t)bytes;
    rules->state_bytes = game->state_bytes;
    rules->spec = lu_spec_hash(game);
    rules->terms = (uint64_t)game->terms;
    int mode =
        lu_settings_has(settings, "reward.mode") ? lu_settings_enum(settings, "reward.mode") : 0;
    mode = mode >= 0 && mode < LU_MAX_MODES ? mode : 0; /* more is a fault that `facts` names */
    for (int t = 0; t < game->terms; t++) {
        rules->weight[t] = weight_at_end(game, settings, mode, t);
    }
    if (game->rules_init && game->rules_init(rules, settings, error) != LU_OK) {
        free(rules);
        return NULL;
    }
    rules->hash = lu_rules_hash_under(rules, rules->spec);
    return rules;
}

uint64_t lu_rules_hash_under(const lu_rules *rules, uint64_t spec) {
    size_t behind = offsetof(lu_rules, spec), length = rules->bytes - behind;
    unsigned char *copy = lu_alloc(length);
    memcpy(copy, (const unsigned char *)rules + behind, length);
    memcpy(copy, &spec, sizeof spec);
    uint64_t hash = lu_hash(copy, length, 0);
    free(copy);
    return hash;
}

bool lu_game_drives(const lu_game *game, const lu_rules *rules, int seat) {
    return game->drives && game->drives(rules, seat);
}

void lu_rules_delete(lu_rules *rules) {
    free(rules);
}

/* ---- legal actions ---- */

static bool need_holds(const lu_need *need, const int32_t *chosen) {
    return chosen[need->on_head] == need->on_option;
}

/* Whether the needs of `option` (-1: those of the whole head) are met. */
static bool needs_met(const lu_head *head, int option, const int32_t *chosen) {
    bool any_wanted = false, any_met = false;
    for (int n = 0; n < head->needs; n++) {
        const lu_need *need = &head->need[n];
        if (need->option != option) {
            continue;
        }
        bool holds = need_holds(need, chosen);
        if ((need->kind == LU_NEED_ALL && !holds) || (need->kind == LU_NEED_NONE && holds)) {
            return false;
        }
        if (need->kind == LU_NEED_ANY) {
            any_wanted = true;
            any_met = any_met || holds;
        }
    }
    return !any_wanted || any_met;
}

bool lu_head_needed(const lu_game *game, int head, const int32_t *chosen) {
    return !game->head[head].unused && needs_met(&game->head[head], -1, chosen);
}

int lu_head_legal(const lu_game *game, const lu_rules *rules, const void *state, int seat, int head,
                  const uint8_t *mask, const int32_t *chosen, uint8_t *legal) {
    const lu_head *h = &game->head[head];
    memcpy(legal, mask + lu_game_head_offset(game, head), (size_t)h->options);
    if (!lu_head_needed(game, head, chosen)) {
        memset(legal, 0, (size_t)h->options);
        return 0;
    }
    if (h->needs > 0) {
        for (int o = 0; o < h->options; o++) {
            legal[o] = legal[o] && needs_met(h, o, chosen);
        }
    }
    /* the core for this CPU is asked for only where it is needed: that reads the environment */
    if (game->core[LU_ISA_BASE]->submask) {
        lu_game_core(game)->submask(rules, state, seat, head, chosen, legal);
    }
    int count = 0;
    for (int o = 0; o < h->options; o++) {
        count += legal[o] != 0;
    }
    return count;
}

const lu_bot lu_bot_random = {.name = "random", .sentence = "Takes any legal action."};

void lu_bot_act(const lu_game *game, const lu_bot *bot, const lu_seat_view *view,
                int32_t *actions) {
    lu_seat_view given = *view;
    if (bot == &lu_bot_random) {
        lu_action_random(game, view->rules, view->state, view->seat, view->mask, view->rng,
                         actions);
        return;
    }
    given.state = bot->sees_hidden ? view->state : NULL;
    bot->act(&given, actions);
}

void lu_action_random(const lu_game *game, const lu_rules *rules, const void *state, int seat,
                      const uint8_t *mask, lu_rng *rng, int32_t *actions) {
    uint8_t legal[1024];
    for (int h = 0; h < game->heads; h++) {
        LU_ASSERT_LOOP(game->head[h].options <= (int)sizeof legal);
        int count = lu_head_legal(game, rules, state, seat, h, mask, actions, legal);
        actions[h] = 0;
        if (count == 0) {
            continue;
        }
        int pick = (int)lu_rng_below(rng, (uint32_t)count);
        for (int o = 0; o < game->head[h].options; o++) {
            if (legal[o] && pick-- == 0) {
                actions[h] = o;
                break;
            }
        }
    }
}
