/* What the parts of joker that are no rules share: settings, JSON, words, bots. Ownership: rules
 * and states belong to the caller. Threads: no state. */
#pragma once

#include "ludus/linkage.h"

#include "joker.h"

LU_C_BEGIN

enum {
    JOKER_SETTINGS = 7,
    JOKER_PLAN_SETTINGS,
    JOKER_OPTIONS = 1,
    JOKER_BOTS = 3,
    JOKER_BRIEF_BOTS = 1,
    JOKER_PLAN_BOTS = 1
};

/* Titles that info fields and settings use; each ends with NULL. */
extern const char *const joker_deck_titles[JOKER_DECKS + 1];
extern const char *const joker_stake_titles[JOKER_STAKES + 1];

/* joker_settings.c */
extern const lu_setting joker_setting_rows[JOKER_PLAN_SETTINGS];
extern const lu_setting joker_option_rows[JOKER_OPTIONS];
lu_status joker_rules_init(lu_rules *rules, const lu_settings *settings, lu_error *error);
lu_status joker_brief_rules_init(lu_rules *rules, const lu_settings *settings, lu_error *error);
lu_status joker_plan_rules_init(lu_rules *rules, const lu_settings *settings, lu_error *error);
/* A seed as a person types it: up to 8 letters and digits, small letters as capitals, and 0 as O,
 * as the real game takes them; zero behind it. */
lu_status joker_read_seed(const char *text, char seed[9], lu_error *error);
lu_status joker_options_init(const lu_rules *rules, const lu_settings *options, void *block,
                             lu_error *error);

/* joker_spec.c: fields that joker-plan-v1 shows too. */
extern const lu_field joker_see_run_fields[], joker_see_blind_fields[], joker_see_owned_fields[],
    joker_see_joker_fields[];

/* joker_state_json.c */
void joker_to_json(const lu_rules *rules, const void *state, int seat, lu_json *json);
lu_status joker_from_json(const lu_rules *rules, void *state, const lu_json_value *value,
                          lu_error *error);

/* joker_view.c */
void joker_show(const lu_rules *rules, const void *state, int seat, lu_text *text);
uint64_t joker_events_of(const lu_rules *rules, const void *before, const void *after,
                         const int32_t *actions);
void joker_story(const lu_rules *rules, const void *before, const void *after,
                 const int32_t *actions, lu_text *text);
void joker_preview(const lu_rules *rules, const void *state, int seat, int head,
                   const int32_t *chosen, lu_text *text);
const char *joker_why_not(const lu_rules *rules, const void *state, int seat, int head, int option);
const char *joker_brief_why_not(const lu_rules *rules, const void *state, int seat, int head,
                                int option);
const char *joker_plan_why_not(const lu_rules *rules, const void *state, int seat, int head,
                               int option);
/* A card as "KH" with its extras behind it ("KH:glass,redseal"), as vectors and tools write it. */
void joker_put_card(const joker_card *card, lu_text *text);

/* joker_bots.c */
extern const lu_bot joker_bots[JOKER_BOTS];
extern const lu_bot joker_brief_bots[JOKER_BRIEF_BOTS];

/* joker_plan.c */
extern const lu_bot joker_plan_bots[JOKER_PLAN_BOTS];

LU_C_END
