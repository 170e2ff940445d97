/* What hosts ask of a game (src/env/game.c): sizes and places, its bots, its specification,
 * settings and rules, legal actions, and the registry of all games. A game itself needs game.h
 * only. Ownership: settings and rules belong to the caller, who deletes them; all else is constant.
 * Threads: everything here may be called by any number at once. */
#pragma once

#include "ludus/game.h"

LU_C_BEGIN

/* ---- sizes, places, names ---- */

/* The core for this CPU (LUDUS_ISA lowers it). */
const lu_core *lu_game_core(const lu_game *game);
/* The first bytes of a state, which its loop fetches ahead (LU_LOOP_HOT). */
uint32_t lu_game_hot_bytes(const lu_game *game);
int lu_game_observation_length(const lu_game *game);
int lu_game_critic_length(const lu_game *game);
int lu_game_mask_length(const lu_game *game);
int lu_group_length(const lu_group *group);
/* First number of a group in the observation. */
int lu_game_group_offset(const lu_game *game, int group);
/* First byte of a head in the mask. */
int lu_game_head_offset(const lu_game *game, int head);
/* The head that a byte of the mask belongs to. */
int lu_game_option_head(const lu_game *game, int option);
int lu_game_modes(const lu_game *game);                        /* reward modes, at least 1 */
int lu_game_info_index(const lu_game *game, const char *name); /* -1: none */
/* The bots of a game: its own, and behind them lu_bot_random, which every game has. */
int lu_game_bots(const lu_game *game);
const lu_bot *lu_game_bot_at(const lu_game *game, int index);
const lu_bot *lu_game_bot(const lu_game *game, const char *name); /* NULL: none */
/* The last of its own, or lu_bot_random where it has none. */
const lu_bot *lu_game_strongest(const lu_game *game);
/* Number of names of an info field, 0 for other kinds than LU_INFO_NAME. */
int lu_info_names(const lu_info *info);
/* Whether its values are numbers: no names, no bits. */
bool lu_info_is_number(const lu_info *info);
/* The name that a value of such a field stands for; NULL when it stands for none. */
const char *lu_info_name(const lu_info *info, double value);

/* Name of an option by its flat index (head offset + option); NULL when there is none. */
const char *lu_option_name(const lu_game *game, int flat);

/* The specification as JSON, and its hash: what models and replays are bound to. */
void lu_spec_write(const lu_game *game, lu_json *json);
uint64_t lu_spec_hash(const lu_game *game);
/* Hashes of earlier specifications whose replays are still read, and whose models fit once they are
 * carried over (older_specs.h): one by one, 0 behind the last; and whether this is one. */
uint64_t lu_spec_earlier(const lu_game *game, int index);
bool lu_spec_older(const lu_game *game, uint64_t spec);
/* What the specification leaves out because no model depends on it, as members of an open object:
 * name, title, sentence, modes, headline, strongest, bots, events, milestones. (facts.c) */
void lu_game_facts_write(const lu_game *game, lu_json *json);

/* Settings of a game: its own table and the reward rows (reward.mode, reward.TERM). */
lu_settings *lu_game_settings(const lu_game *game);
/* Adds the same tables to settings that hold others too. */
void lu_game_add_settings(const lu_game *game, lu_settings *settings);
/* Reset options of a game: a table without rows where it has none. */
lu_settings *lu_game_options(const lu_game *game);
/* The schedule of a term's weight; NULL where nobody set one, which is the mode's weight. A trainer
 * follows it by update; rules have the weight of its end (p = 1, u = 1e6). */
const lu_schedule *lu_reward_schedule(const lu_game *game, const lu_settings *settings, int term);
/* Size of the rules block for these settings. */
size_t lu_rules_bytes(const lu_game *game, const lu_settings *settings);
/* Rules for settings that hold the game's tables. */
lu_rules *lu_rules_new(const lu_game *game, const lu_settings *settings, lu_error *error);
/* The hash that these rules had under another specification. */
uint64_t lu_rules_hash_under(const lu_rules *rules, uint64_t spec);
void lu_rules_delete(lu_rules *rules);

/* Whether the game plays a seat itself under these rules: what is chosen for it is ignored. */
bool lu_game_drives(const lu_game *game, const lu_rules *rules, int seat);

/* Whether a head is asked after these earlier choices, by its needs alone. */
bool lu_head_needed(const lu_game *game, int head, const int32_t *chosen);
/* Legal options of one head after the earlier heads were chosen: the mask narrowed by the needs and
 * by submask. Returns how many are legal; 0 means the head takes option 0. `mask` is the whole row,
 * `legal` has room for the options of the head. */
int lu_head_legal(const lu_game *game, const lu_rules *rules, const void *state, int seat, int head,
                  const uint8_t *mask, const int32_t *chosen, uint8_t *legal);
/* The platform's bot "random": lu_action_random. It has no function of its own. */
extern const lu_bot lu_bot_random;
/* Lets a bot choose for the seat of `view`, which holds the state; most bots do not get it. */
void lu_bot_act(const lu_game *game, const lu_bot *bot, const lu_seat_view *view, int32_t *actions);
/* A uniformly random legal action of one seat. */
void lu_action_random(const lu_game *game, const lu_rules *rules, const void *state, int seat,
                      const uint8_t *mask, lu_rng *rng, int32_t *actions);

/* ---- the registry, made by the build from the folders of games/ ---- */

int lu_game_count(void);
const lu_game *lu_game_at(int index);
/* By id ("prospector-v1") or folder name (its first variant). NULL, with the nearest name, if none.
 */
const lu_game *lu_game_find(const char *name, lu_error *error);

LU_C_END
