/* What agents of `ludus serve-env` ask: the wishes of a reset and the options of a step, checked.
 */
#include "env_match.h"

#include <stdio.h>
#include <string.h>

/* A name that is not too long; NULL: it is none. */
const char *env_word_of(const lu_json_value *value) {
    const char *word = json_word(value);
    return word && *word && strlen(word) <= ENV_NAME_MOST ? word : NULL;
}

static bool take_option(lu_settings *options, const char *key, const lu_json_value *value,
                        line_wrong *wrong) {
    lu_error error = {0};
    lu_text pair = LU_TEXT_INIT;
    lu_json text = LU_JSON_INIT;
    lu_json_value_write(&text, value);
    lu_text_addf(&pair, "%s=%s", key,
                 lu_json_kind_of(value) == LU_JSON_STRING ? lu_json_text(value, NULL) : text.text);
    bool fits =
        lu_settings_set_pair(options, pair.text, LU_FROM_FILE, "resetParams", &error) == LU_OK;
    lu_text_free(&pair);
    lu_json_free(&text);
    return fits || line_wrong_set(wrong, "bad-value", "resetParams", "%.380s", error.text);
}

/* Reset options of the game; `agent`, `target` and `episodeId` are told back. */
static bool read_params(env_server *s, env_wish *w, const lu_json_value *params,
                        line_wrong *wrong) {
    if (params && lu_json_kind_of(params) != LU_JSON_OBJECT) {
        return line_wrong_set(wrong, "bad-value", "resetParams", "resetParams must be an object");
    }
    w->options = lu_game_options(s->place.game);
    for (size_t i = 0; i < lu_json_count(params); i++) {
        const char *key;
        const lu_json_value *value = lu_json_member(params, i, &key);
        if (!lu_settings_has(w->options, key) && lu_settings_has(s->place.settings, key)) {
            return line_wrong_set(wrong, "bad-value", "resetParams",
                                  "'%.60s' holds for all matches of this server: start it with "
                                  "--set %.60s=...",
                                  key, key);
        }
        if (strcmp(key, "episodeId") == 0 && env_word_of(value)) {
            snprintf(w->episode, sizeof w->episode, "%s", env_word_of(value));
        } else if (strcmp(key, "agent") != 0 && strcmp(key, "target") != 0 &&
                   strcmp(key, "episodeId") != 0 && !take_option(w->options, key, value, wrong)) {
            return false;
        }
    }
    return true;
}

static bool read_seed(env_wish *w, const lu_json_value *value, line_wrong *wrong) {
    const char *text =
        lu_json_kind_of(value) == LU_JSON_NUMBER ? lu_json_number_text(value) : env_word_of(value);
    w->seeded = value != NULL;
    return !value || (text && lu_parse_u64("seed", text, &w->seed, NULL) == LU_OK) ||
           line_wrong_set(wrong, "bad-value", "seed", "seed must be an integer below 2^64");
}

/* A flag of the protocol: an option of that name where the game has it (deathMatch: death_match). A
 * setting of that name is the same for all matches, and must be what is asked for. */
static bool read_flag(const env_server *s, env_wish *w, const lu_json_value *value, const char *key,
                      const char *option, line_wrong *wrong) {
    lu_json_kind kind = lu_json_kind_of(value);
    if (kind != LU_JSON_NULL && kind != LU_JSON_TRUE && kind != LU_JSON_FALSE) {
        return line_wrong_set(wrong, "bad-value", key, "%s must be true or false", key);
    }
    if (kind == LU_JSON_NULL || lu_settings_has(w->options, option)) {
        return kind == LU_JSON_NULL || take_option(w->options, option, value, wrong);
    }
    const char *wanted = kind == LU_JSON_TRUE ? "true" : "false";
    const lu_settings *all = s->place.settings;
    return !lu_settings_has(all, option) || strcmp(lu_settings_text_of(all, option), wanted) == 0 ||
           line_wrong_set(wrong, "bad-value", key,
                          "%s is %s in all matches of this server: start it with --set %s=%s", key,
                          lu_settings_text_of(all, option), option, wanted);
}

bool env_read_reset(env_server *s, env_wish *w, const lu_json_value *body, line_wrong *wrong) {
    const char *target = env_word_of(lu_json_get(body, "target"));
    if (!target && lu_json_get(body, "target")) {
        return line_wrong_set(wrong, "bad-value", "target",
                              "target must be the name of a bot or of another agent");
    }
    snprintf(w->target, sizeof w->target, "%s", target ? target : "");
    w->looks = lu_json_kind_of(lu_json_get(body, "maintainTargetEnvironment")) == LU_JSON_TRUE;
    return read_params(s, w, lu_json_get(body, "resetParams"), wrong) &&
           read_flag(s, w, lu_json_get(body, "deathMatch"), "deathMatch", "death_match", wrong) &&
           read_flag(s, w, lu_json_get(body, "training"), "training", "training", wrong) &&
           read_seed(w, lu_json_get(body, "seed"), wrong);
}

/* `baseline` is a bot of that name, or else the strongest one; NULL: the target is an agent. */
const lu_bot *env_bot_of(const lu_game *game, const char *target) {
    const lu_bot *bot = lu_game_bot(game, target);
    bool any = game->seats == 1 || !*target || strcmp(target, "baseline") == 0;
    return bot ? bot : any ? lu_game_strongest(game) : NULL;
}

bool env_read_actions(const lu_game *game, env_agent *a, const lu_json_value *body,
                      line_wrong *wrong) {
    const lu_json_value *list =
        lu_json_kind_of(body) == LU_JSON_ARRAY ? body : lu_json_get(body, "action");
    bool fits =
        lu_json_kind_of(list) == LU_JSON_ARRAY && lu_json_count(list) == (size_t)game->heads;
    for (int h = 0; h < game->heads && fits; h++) {
        double option = lu_json_real_or(lu_json_at(list, (size_t)h), -1.0);
        fits = option >= 0.0 && option < game->head[h].options && option == (double)(int32_t)option;
        a->actions[h] = fits ? (int32_t)option : 0;
    }
    return fits || line_wrong_set(wrong, "bad-value", "action",
                                  "action must be a list of %d options, each an integer below its "
                                  "head's number of options",
                                  game->heads);
}
