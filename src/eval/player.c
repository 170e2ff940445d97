/* Players and crews: see player.h. Generators are those of seats, so that a seat meets the same
 * chance whoever sits in it. */
#include "ludus/player.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

static lu_status no_bot(const lu_game *game, const char *wanted, lu_error *error) {
    const char *names[64];
    size_t count = 0;
    for (int b = 0; b < lu_game_bots(game) && count < 64; b++) {
        names[count++] = lu_game_bot_at(game, b)->name;
    }
    const char *near = lu_nearest(wanted, names, count);
    if (near) {
        return lu_fail(error, LU_NOT_FOUND, "%s has no bot '%.100s'; did you mean '%s'?",
                       game->name, wanted, near);
    }
    lu_text list = LU_TEXT_INIT;
    for (size_t i = 0; i < count; i++) {
        lu_text_addf(&list, "%s%s", i ? ", " : "", names[i]);
    }
    lu_fail(error, LU_NOT_FOUND, "%s has no bot '%.100s'; it has %s", game->name, wanted,
            list.text);
    lu_text_free(&list);
    return LU_NOT_FOUND;
}

/* "bot:" in front of a name says which kind of player is meant, and does no harm where only bots
 * are. */
static const char *plain_name(const char *name) {
    return strncmp(name, "bot:", 4) == 0 ? name + 4 : name;
}

lu_status lu_player_bot(lu_player *player, const char *name, const lu_game *game, lu_error *error) {
    name = plain_name(name);
    const char *wanted = *name ? name : lu_game_strongest(game)->name;
    *player = (lu_player){.kind = LU_PLAYER_BOT, .name = wanted, .bot = lu_game_bot(game, wanted)};
    return player->bot ? LU_OK : no_bot(game, wanted, error);
}

lu_status lu_player_model(lu_player *player, const char *name, const lu_game *game,
                          lu_model_find *find, const void *context, lu_error *error) {
    lu_text path = LU_TEXT_INIT;
    *player = (lu_player){.kind = LU_PLAYER_AGENT, .name = name};
    lu_status status = plain_name(name) != name
                           ? lu_fail(error, LU_BAD_VALUE,
                                     "'%.100s' is a bot, but a trained model is needed here", name)
                           : find(context, name, game, &path, error);
    if (status == LU_OK) {
        player->file = lu_model_file_load(path.text, error);
        status = player->file ? LU_OK : error->status;
    }
    if (player->file && game && player->file->game != game) {
        status = lu_fail(error, LU_OTHER_SPEC, "model %s plays %s, not %s", path.text,
                         player->file->game->id, game->id);
    }
    player->path = lu_strdup(path.text);
    lu_text_free(&path);
    if (status != LU_OK) {
        lu_player_close(player);
    }
    return status;
}

lu_player_kind lu_player_kind_of(const char *name, const lu_game *game, const char **rest) {
    *rest = plain_name(name);
    if (strcmp(name, "person") == 0) {
        return LU_PLAYER_PERSON;
    }
    bool bot = *rest != name || !*name || strcmp(name, lu_bot_random.name) == 0 ||
               (game && lu_game_bot(game, name));
    return bot ? LU_PLAYER_BOT : LU_PLAYER_AGENT;
}

/* A plain word may be meant as a bot or as a model: both refusals are told. `latest` and `best` are
 * never bots. `game` may be NULL. */
static lu_status open_word(lu_player *player, const char *name, const lu_game *game,
                           lu_model_find *find, const void *context, lu_error *error) {
    lu_error as_model = {0}, as_bot = {0};
    lu_status status = lu_player_model(player, name, game, find, context, &as_model);
    bool word = status == LU_NOT_FOUND && !strpbrk(name, "/.:") && strcmp(name, "latest") != 0 &&
                strcmp(name, "best") != 0;
    if (word && !game) {
        return lu_fail(error, status, "%.400s; for a bot, name its game with --game",
                       as_model.text);
    }
    if (word) {
        no_bot(game, name, &as_bot);
        return lu_fail(error, status, "%.400s; as a model: %.400s", as_bot.text, as_model.text);
    }
    return status == LU_OK ? LU_OK : lu_fail(error, status, "%s", as_model.text);
}

lu_status lu_player_open(lu_player *player, const char *name, const lu_game *game,
                         lu_model_find *find, const void *context, lu_error *error) {
    const char *rest;
    lu_player_kind kind = lu_player_kind_of(name, game, &rest);
    *player = (lu_player){0};
    if (kind == LU_PLAYER_PERSON) {
        return lu_fail(error, LU_USAGE, "a person can only play in `ludus play` and on the site");
    }
    lu_status status = kind == LU_PLAYER_BOT ? lu_player_bot(player, rest, game, error)
                                             : open_word(player, name, game, find, context, error);
    if (status == LU_OK && *name) {
        player->name = name;
    }
    return status;
}

lu_status lu_players_open(lu_player *players, const char *const *names, int count,
                          const lu_game **game, lu_model_find *find, const void *context,
                          lu_error *error) {
    const char *rest;
    lu_status status = LU_OK;
    memset(players, 0, (size_t)count * sizeof *players);
    for (int i = 0; i < count && status == LU_OK; i++) { /* models first: they know their game */
        if (lu_player_kind_of(names[i], *game, &rest) == LU_PLAYER_AGENT) {
            status = open_word(&players[i], names[i], *game, find, context, error);
            *game = players[i].file ? players[i].file->game : *game;
        }
    }
    if (status == LU_OK && !*game) { /* then none was opened */
        return lu_fail(error, LU_USAGE, "for a bot, name its game with --game");
    }
    for (int i = 0; i < count && status == LU_OK; i++) {
        if (!players[i].file) {
            status = lu_player_open(&players[i], names[i], *game, find, context, error);
        }
    }
    for (int i = 0; i < count && status != LU_OK; i++) {
        lu_player_close(&players[i]);
    }
    return status;
}

bool lu_player_is_file(const lu_player *player) {
    return player->path && strcmp(player->path, player->name) == 0;
}

void lu_player_close(lu_player *player) {
    lu_model_file_delete(player->file);
    free(player->path);
    *player = (lu_player){0};
}

void lu_player_write(const lu_player *player, lu_json *json) {
    lu_json_object(json);
    lu_json_key_string(json, "name", player->name);
    if (player->kind == LU_PLAYER_AGENT) {
        lu_json_key_bool(json, "greedy", player->greedy);
        if (player->best_share > 0.0) {
            lu_json_key_real(json, "best_share", player->best_share);
        }
        lu_json_key_int(json, "env_steps", player->file->step);
    }
    lu_json_object_end(json);
}

/* ---- crews ---- */

struct lu_crew {
    const lu_game *game;
    int seats, episodes;
    const lu_player *player[LU_MAX_SEATS];
    lu_agent *agent[LU_MAX_SEATS]; /* of each player; equal players have the same */
    int *turn;                     /* episodes */
    uint64_t *seed;                /* episodes */
    lu_seated_bot *seated;         /* episodes x players */
    lu_agent_ask *asks;            /* room for episodes x seats */
};

/* The first seat of the same player. */
static int first_of(const lu_crew *c, int p) {
    int first = 0;
    while (c->player[first] != c->player[p]) {
        first++;
    }
    return first;
}

static void hire(lu_crew *c, const lu_rules *rules, bool thinks) {
    for (int p = 0; p < c->seats; p++) {
        const lu_player *player = c->player[p];
        int first = first_of(c, p);
        if (player->kind == LU_PLAYER_AGENT && first == p) {
            c->agent[p] = lu_agent_new(&(lu_agent_settings){.file = player->file,
                                                            .rules = rules,
                                                            .episodes = c->episodes,
                                                            .greedy = player->greedy,
                                                            .thinks = thinks,
                                                            .temperature = player->temperature});
        }
        c->agent[p] = c->agent[first];
        for (int e = 0; e < c->episodes && player->kind == LU_PLAYER_BOT; e++) {
            lu_seated_bot_init(&c->seated[e * c->seats + p], player->bot);
        }
    }
}

lu_crew *lu_crew_new(const lu_game *game, const lu_rules *rules, const lu_player *const *players,
                     int episodes, bool thinks) {
    lu_crew *c = lu_alloc_zero(1, sizeof *c);
    size_t rows = (size_t)episodes * (size_t)game->seats;
    c->game = game;
    c->seats = game->seats;
    c->episodes = episodes;
    memcpy(c->player, players, (size_t)game->seats * sizeof *players);
    c->turn = lu_alloc_zero((size_t)episodes, sizeof *c->turn);
    c->seed = lu_alloc_zero((size_t)episodes, sizeof *c->seed);
    c->seated = lu_alloc_zero(rows, sizeof *c->seated);
    c->asks = lu_alloc_zero(rows, sizeof *c->asks);
    hire(c, rules, thinks);
    return c;
}

void lu_crew_delete(lu_crew *c) {
    if (!c) {
        return;
    }
    for (int p = 0; p < c->seats; p++) {
        if (first_of(c, p) == p) {
            lu_agent_delete(c->agent[p]);
        }
    }
    for (int i = 0; i < c->episodes * c->seats; i++) {
        if (c->seated[i].bot) {
            lu_seated_bot_free(&c->seated[i]);
        }
    }
    free(c->turn);
    free(c->seed);
    free(c->seated);
    free(c->asks);
    free(c);
}

/* Who sits there. */
static int player_at(const lu_crew *c, int episode, int seat) {
    return (seat + c->seats - c->turn[episode]) % c->seats;
}

void lu_crew_begin(lu_crew *c, int episode, uint64_t seed, uint64_t draws, int turn) {
    c->turn[episode] = turn % c->seats;
    c->seed[episode] = seed;
    for (int seat = 0; seat < c->seats; seat++) {
        uint64_t own = seat == 0 ? seed : lu_mix(seed, (uint64_t)seat, 2);
        int p = player_at(c, episode, seat);
        lu_seated_bot *seated = &c->seated[episode * c->seats + p];
        if (seated->bot) {
            lu_seated_bot_begin(seated, own);
        }
        if (c->agent[p] && first_of(c, p) == p) {
            lu_agent_begin(c->agent[p], episode, draws);
        }
    }
}

static bool moves(const lu_env *env, int seat) {
    return (lu_env_choosers(env) >> seat) & 1;
}

/* All seats but those of agents. */
static void act_others(lu_crew *c, const lu_crew_ask *ask) {
    const lu_env *env = ask->env;
    const lu_game *game = c->game;
    for (int seat = 0; seat < c->seats; seat++) {
        int32_t *own = ask->actions + seat * game->heads;
        int p = player_at(c, ask->episode, seat);
        lu_player_kind kind = c->player[p]->kind;
        if (kind == LU_PLAYER_PERSON) {
            continue;
        }
        memset(own, 0, (size_t)game->heads * sizeof *own);
        if (kind == LU_PLAYER_BOT && moves(env, seat)) {
            lu_seated_bot_act(&c->seated[ask->episode * c->seats + p], env, seat, own);
        }
    }
}

/* Of n seeds behind each other so many take the best action: n x share, rounded up or down. */
static bool takes_best(const lu_crew *c, int episode, int p) {
    double share = c->player[p]->best_share, seed = (double)(c->seed[episode] % (1u << 30));
    return floor((seed + 1.0) * share) > floor(seed * share);
}

/* Adds the questions of one episode to an agent. */
static int ask_agent(lu_crew *c, const lu_crew_ask *ask, const lu_agent *agent, int count) {
    for (int seat = 0; seat < c->seats; seat++) {
        int p = player_at(c, ask->episode, seat);
        const lu_agent *there = c->agent[p];
        if (there == agent && moves(ask->env, seat)) {
            c->asks[count++] =
                (lu_agent_ask){.env = ask->env,
                               .episode = ask->episode,
                               .seat = seat,
                               .best = takes_best(c, ask->episode, p) ? ~(uint32_t)0 : 0,
                               .actions = ask->actions + seat * c->game->heads,
                               .thought = ask->thoughts ? &ask->thoughts[seat] : NULL,
                               .win_rate = ask->win_rates ? &ask->win_rates[seat] : NULL};
        }
    }
    return count;
}

lu_status lu_crew_act(lu_crew *c, const lu_crew_ask *asks, int count, lu_error *error) {
    lu_status status = LU_OK;
    for (int i = 0; i < count; i++) {
        act_others(c, &asks[i]);
        if (asks[i].thoughts) {
            memset(asks[i].thoughts, 0, (size_t)c->seats * sizeof *asks[i].thoughts);
        }
        for (int seat = 0; seat < c->seats && asks[i].win_rates; seat++) {
            asks[i].win_rates[seat] = NAN;
        }
    }
    for (int p = 0; p < c->seats && status == LU_OK; p++) {
        int asked = 0;
        for (int i = 0; i < count && c->agent[p] && first_of(c, p) == p; i++) {
            asked = ask_agent(c, &asks[i], c->agent[p], asked);
        }
        status = asked ? lu_agent_act(c->agent[p], c->asks, asked, error) : LU_OK;
    }
    return status;
}
