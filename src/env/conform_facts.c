/* Checks of the battery on tables: facts, rules, reset options. */
#include "conform_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool empty(const char *text) {
    return !text || !*text;
}

/* Names must be present and unique. `at` reads name i of a table. */
typedef const char *name_at(const void *table, int index);
static const char *head_at(const void *t, int i) {
    return ((const lu_head *)t)[i].name;
}
static const char *group_at(const void *t, int i) {
    return ((const lu_group *)t)[i].name;
}
static const char *field_at(const void *t, int i) {
    return ((const lu_field *)t)[i].name;
}
static const char *term_at(const void *t, int i) {
    return ((const lu_term *)t)[i].name;
}
static const char *info_at(const void *t, int i) {
    return ((const lu_info *)t)[i].name;
}
static const char *event_at(const void *t, int i) {
    return ((const lu_event *)t)[i].name;
}
static const char *bot_at(const void *t, int i) {
    return ((const lu_bot *)t)[i].name;
}
static const char *text_at(const void *t, int i) {
    return ((const char *const *)t)[i];
}
static const char *row_at(const void *t, int i) {
    return ((const lu_setting *)t)[i].key;
}

static bool names(lu_checker *c, const char *what, const void *table, int count, int least,
                  int most, name_at *at) {
    if (count < least || count > most) {
        return lu_checker_fail(c, "%d %s: there must be %d to %d", count, what, least, most);
    }
    if (count > 0 && !table) {
        return lu_checker_fail(c, "the table of %s is missing", what);
    }
    for (int i = 0; i < count; i++) {
        if (empty(at(table, i))) {
            return lu_checker_fail(c, "%s %d has no name", what, i);
        }
        for (int k = 0; k < i; k++) {
            if (strcmp(at(table, i), at(table, k)) == 0) {
                return lu_checker_fail(c, "%s %d and %d are both called '%s'", what, k, i,
                                       at(table, i));
            }
        }
    }
    return true;
}

static bool check_functions(lu_checker *c) {
    const lu_game *g = c->game;
    if (empty(g->id) || empty(g->name) || empty(g->title) || empty(g->sentence)) {
        return lu_checker_fail(c, "id, name, title and sentence must all be given");
    }
    if (strncmp(g->id, g->name, strlen(g->name)) != 0 || !strstr(g->id, "-v")) {
        return lu_checker_fail(c, "id '%s' must be the name '%s' with a version: NAME-v1", g->id,
                               g->name);
    }
    if (!g->to_json || !g->from_json || !g->show || !g->events_of || !g->story) {
        return lu_checker_fail(c, "a function of the table of facts is missing");
    }
    for (int isa = 0; isa < LU_ISA_COUNT; isa++) {
        const lu_core *core = g->core[isa];
        if (!core && isa > 0) {
            continue;
        }
        if (!core || !core->reset || !core->step || !core->observe || !core->mask || !core->info ||
            !core->determinise || !core->loop) {
            return lu_checker_fail(c, "core %s misses a function", lu_isa_name((lu_isa)isa));
        }
        if (!core->critic != (g->critic_groups == 0)) {
            return lu_checker_fail(c, "critic groups and the function critic go together");
        }
    }
    if (g->seats < 1 || g->seats > LU_MAX_SEATS) {
        return lu_checker_fail(c, "%d seats: there must be 1 to %d", g->seats, LU_MAX_SEATS);
    }
    uint32_t hot = lu_game_hot_bytes(g);
    if (g->state_bytes == 0 || hot > g->state_bytes) {
        return lu_checker_fail(c, "%u hot bytes (LU_LOOP_HOT) of a state of %u", hot,
                               g->state_bytes);
    }
    return true;
}

static bool check_needs(lu_checker *c, int h) {
    const lu_head *head = &c->game->head[h];
    for (int n = 0; n < head->needs; n++) {
        const lu_need *need = &head->need[n];
        if (need->on_head < 0 || need->on_head >= h) {
            return lu_checker_fail(c, "head '%s' needs head %d, which is not an earlier one",
                                   head->name, need->on_head);
        }
        if (need->option < -1 || need->option >= head->options || need->on_option < 0 ||
            need->on_option >= c->game->head[need->on_head].options) {
            return lu_checker_fail(c, "need %d of head '%s' names an option that does not exist", n,
                                   head->name);
        }
    }
    return true;
}

static bool check_heads(lu_checker *c) {
    const lu_game *g = c->game;
    bool used = false;
    if (!names(c, "heads", g->head, g->heads, 1, LU_MAX_HEADS, head_at)) {
        return false;
    }
    for (int h = 0; h < g->heads; h++) {
        const lu_head *head = &g->head[h];
        used = used || !head->unused;
        if (!names(c, "options", head->option, head->options, 1, 1024, text_at) ||
            !check_needs(c, h)) {
            return false;
        }
        if (head->points_at < -1 || head->points_at >= g->groups ||
            (head->points_at >= 0 && (g->group[head->points_at].kind == LU_SCALARS ||
                                      g->group[head->points_at].slots > head->options))) {
            return lu_checker_fail(c,
                                   "head '%s' points at %d, which isn't a group of slots that fit",
                                   head->name, head->points_at);
        }
    }
    return used || lu_checker_fail(c, "every head is declared unused");
}

static bool check_group(lu_checker *c, const lu_group *g) {
    bool id = false;
    if (!names(c, "fields", g->field, g->fields, 1, 100000, field_at)) {
        return false;
    }
    if (g->slots < 1 || (g->kind == LU_SCALARS && g->slots != 1)) {
        return lu_checker_fail(c, "group '%s' has %d slots", g->name, g->slots);
    }
    if (g->presence < -1 || g->presence >= g->fields ||
        (g->kind == LU_SCALARS && g->presence != -1)) {
        return lu_checker_fail(c, "group '%s': presence %d isn't a field of it", g->name,
                               g->presence);
    }
    for (int f = 0; f < g->fields; f++) {
        const lu_field *field = &g->field[f];
        if (!isfinite(field->low) || !isfinite(field->high) || !(field->low <= field->high) ||
            !field->unit) {
            return lu_checker_fail(c,
                                   "field '%s' of '%s' needs a finite range and a unit (or \"\")",
                                   field->name, g->name);
        }
        if (field->vocabulary < 0 ||
            (field->vocabulary > 0 && field->high > (float)(field->vocabulary - 1))) {
            return lu_checker_fail(c, "field '%s' of '%s' may exceed its vocabulary of %d",
                                   field->name, g->name, field->vocabulary);
        }
        id = id || field->vocabulary > 0;
    }
    if (id != (g->kind == LU_IDS)) {
        return lu_checker_fail(c, "group '%s': its kind and its vocabularies do not agree",
                               g->name);
    }
    return true;
}

static bool check_groups(lu_checker *c) {
    const lu_game *g = c->game;
    if (!names(c, "groups", g->group, g->groups, 1, LU_MAX_GROUPS, group_at) ||
        !names(c, "critic groups", g->critic_group, g->critic_groups, 0, LU_MAX_GROUPS, group_at)) {
        return false;
    }
    for (int i = 0; i < g->groups + g->critic_groups; i++) {
        if (!check_group(c, i < g->groups ? &g->group[i] : &g->critic_group[i - g->groups])) {
            return false;
        }
    }
    return true;
}

static bool check_settings(lu_checker *c, const char *what, lu_table table) {
    if (!names(c, what, table.rows, table.count, 0, 1000, row_at)) {
        return false;
    }
    for (int i = 0; i < table.count; i++) {
        const lu_setting *row = &table.rows[i];
        size_t length = row->sentence ? strlen(row->sentence) : 0;
        if (length < 2 || row->sentence[length - 1] != '.' || !row->initial) {
            return lu_checker_fail(c, "%s '%s' needs a default and a sentence with a full stop",
                                   what, row->key);
        }
    }
    return true;
}

static bool check_numbers(lu_checker *c) {
    const lu_game *g = c->game;
    if (!names(c, "terms", g->term, g->terms, 1, LU_MAX_TERMS, term_at) ||
        !names(c, "info fields", g->info, g->infos, 1, LU_MAX_INFOS, info_at) ||
        !names(c, "events", g->event, g->events, 0, LU_MAX_EVENTS, event_at) ||
        !names(c, "bots", g->bot, g->bots, 1, 100, bot_at)) {
        return false;
    }
    if (lu_game_modes(g) > LU_MAX_MODES) {
        return lu_checker_fail(c, "there may be %d reward modes, and NULL stands for one",
                               LU_MAX_MODES);
    }
    for (int t = 0; t < g->terms; t++) {
        for (int m = 0; m < LU_MAX_MODES; m++) {
            if (!isfinite(g->term[t].weight[m]) || empty(g->term[t].sentence)) {
                return lu_checker_fail(c, "term '%s' needs finite weights and a sentence",
                                       g->term[t].name);
            }
        }
    }
    for (int i = 0; i < g->infos; i++) {
        const lu_info *info = &g->info[i];
        int count = lu_info_names(info);
        if (empty(info->sentence) || (info->kind == LU_INFO_NAME) != !!info->names) {
            return lu_checker_fail(c, "info field '%s' needs a sentence, and names if it is a name",
                                   info->name);
        }
        if (info->names &&
            !names(c, "names of an info field", info->names, count, 1, LU_MAX_NAMES - 1, text_at)) {
            return false;
        }
    }
    for (int b = 0; b < g->bots; b++) {
        if (!g->bot[b].act || empty(g->bot[b].sentence) || g->bot[b].memory_bytes < 0) {
            return lu_checker_fail(c, "bot '%s' needs a function and a sentence", g->bot[b].name);
        }
        if (strcmp(g->bot[b].name, lu_bot_random.name) == 0) {
            return lu_checker_fail(c, "the platform has a bot 'random' for every game");
        }
    }
    if (empty(g->headline) || lu_game_info_index(g, g->headline) < 0) {
        return lu_checker_fail(c, "the headline '%s' isn't an info field",
                               g->headline ? g->headline : "");
    }
    return true;
}

static bool check_milestones(lu_checker *c) {
    const lu_game *g = c->game;
    if (g->milestones < 0 || (g->milestones > 0 && !g->milestone)) {
        return lu_checker_fail(c, "%d milestones, but no table of them", g->milestones);
    }
    for (int i = 0; i < g->milestones; i++) {
        const lu_milestone *m = &g->milestone[i];
        int info = empty(m->name) ? -1 : lu_game_info_index(g, m->name);
        bool number = info >= 0 && lu_info_is_number(&g->info[info]);
        if (!number && (empty(m->name) || strcmp(m->name, "return") != 0)) {
            return lu_checker_fail(c,
                                   "milestone %d: '%s' is neither `return` nor an info field "
                                   "that is a number",
                                   i, m->name ? m->name : "");
        }
        if (!isfinite(m->value) || empty(m->sentence)) {
            return lu_checker_fail(c, "milestone %d of '%s' needs a finite value and a sentence", i,
                                   m->name);
        }
        for (int k = 0; k < i; k++) {
            const lu_milestone *other = &g->milestone[k];
            if (strcmp(m->name, other->name) == 0 && !(m->value > other->value)) {
                return lu_checker_fail(c, "milestones of '%s' must rise: %g comes before %g",
                                       m->name, other->value, m->value);
            }
        }
    }
    return true;
}

void lu_check_facts(lu_checker *c) {
    const lu_game *g = c->game;
    if (!check_functions(c) || !check_groups(c) || !check_heads(c) || !check_numbers(c) ||
        !check_milestones(c) || !check_settings(c, "setting", g->settings) ||
        !check_settings(c, "option", g->options.table)) {
        return;
    }
    if ((g->options.table.count > 0) != (g->options.bytes > 0) ||
        (g->options.bytes > 0) != (g->options.init != NULL)) {
        lu_checker_fail(c, "table, bytes and init of the options go together");
    }
}

void lu_check_rules(lu_checker *c) {
    lu_error error;
    lu_rules *again = lu_rules_new(c->game, c->settings, &error);
    if (!again) {
        lu_checker_fail(c, "%s", error.text);
        return;
    }
    if (again->bytes != c->rules->bytes) {
        lu_checker_fail(c, "the rules have %llu bytes, and %llu the second time",
                        (unsigned long long)c->rules->bytes, (unsigned long long)again->bytes);
    } else {
        int64_t at = lu_first_difference(again, c->rules, (size_t)again->bytes);
        if (at >= 0) {
            lu_checker_fail(c, "the rules of equal settings differ from byte %lld on",
                            (long long)at);
        }
    }
    const lu_game *g = c->game;
    uint32_t bytes = c->rules->state_bytes, hot = lu_game_hot_bytes(g);
    if (bytes < hot || bytes > g->state_bytes) {
        lu_checker_fail(c,
                        "a state of %u bytes under these settings: there must be %u (LU_LOOP_HOT) "
                        "to %u (state_bytes)",
                        bytes, hot, g->state_bytes);
    }
    lu_rules_delete(again);
}

void lu_check_options(lu_checker *c) {
    const lu_game *g = c->game;
    lu_error error;
    if (g->options.bytes == 0) {
        lu_checker_skip(c, "the game has no reset options");
        return;
    }
    lu_settings *values = lu_settings_new();
    lu_settings_add(values, g->options.table);
    unsigned char *block[2] = {lu_alloc(g->options.bytes), lu_alloc(g->options.bytes)};
    lu_env *env[2] = {lu_checker_env(c), lu_checker_env(c)};
    for (int i = 0; i < 2 && !c->failed; i++) {
        memset(block[i], i ? 0xAA : 0x55, g->options.bytes);
        if (g->options.init(c->rules, values, block[i], &error) != LU_OK) {
            lu_checker_fail(c, "the default options are refused: %s", error.text);
        } else {
            lu_env_reset(env[i], c->options->seed, block[i]);
        }
    }
    if (!c->failed) {
        int64_t at = lu_first_difference(block[0], block[1], g->options.bytes);
        if (at >= 0) {
            lu_checker_fail(c, "options.init does not write byte %lld of its block", (long long)at);
        } else if (lu_play_digest(env[0], 0) != lu_play_digest(env[1], 0)) {
            lu_checker_fail(c, "two resets with equal options differ (seed %llu)",
                            (unsigned long long)c->options->seed);
        }
    }
    for (int i = 0; i < 2; i++) {
        free(block[i]);
        lu_env_delete(env[i]);
    }
    lu_settings_delete(values);
}
