/* Players of a training's other seats, by their names: see opponents.h. */
#include "opponents.h"

#include "ludus/player.h"
#include "ludus/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct opponents {
    int count; /* of players that are open */
    lu_opponent_share entry[LU_MAX_OPPONENTS];
    lu_player player[LU_MAX_OPPONENTS];
    lu_opponent member[LU_MAX_OPPONENTS];
};

/* Entries without `self`, which is no player but a share of environments. */
static int leave_self(opponents *o, int count) {
    int kept = 0;
    for (int i = 0; i < count; i++) {
        if (strcmp(o->entry[i].name, "self") != 0) {
            o->entry[kept++] = o->entry[i];
        }
    }
    return kept;
}

static lu_opponent member_of(const lu_player *player, const lu_opponent_share *entry) {
    lu_opponent member = {.name = entry->name, .share = entry->share, .bot = player->bot};
    if (player->kind == LU_PLAYER_AGENT) {
        member.net = player->file->net;
        member.normaliser = player->file->observation.length ? &player->file->observation : NULL;
    }
    return member;
}

static lu_status open_players(opponents *o, int count, const lu_game *game, const char *runs,
                              lu_error *error) {
    lu_status status = LU_OK;
    for (int i = 0; i < count && status == LU_OK; i++) {
        status = lu_player_open(&o->player[i], o->entry[i].name, game, lu_run_find_player,
                                runs ? runs : "", error);
        if (status == LU_OK) {
            o->member[o->count++] = member_of(&o->player[i], &o->entry[i]);
        }
    }
    return status;
}

lu_status opponents_open(const lu_algorithm *algorithm, const lu_game *game,
                         const lu_settings *settings, const char *runs, opponents **found,
                         lu_error *error) {
    char key[100];
    snprintf(key, sizeof key, "%s.opponents", algorithm->prefix);
    const char *text = lu_settings_has(settings, key) ? lu_settings_text_of(settings, key) : "";
    opponents *o = lu_alloc_zero(1, sizeof *o);
    int count = 0;
    lu_status status = lu_opponent_shares_read(key, text, o->entry, &count, error);
    if (status == LU_OK) {
        count = leave_self(o, count);
        status = open_players(o, count, game, runs, error);
    }
    if (o->count == 0 || status != LU_OK) {
        opponents_close(o);
        o = NULL;
    }
    *found = o;
    return status;
}

lu_status opponents_seat(const opponents *o, lu_trainer *trainer, lu_error *error) {
    return o ? lu_trainer_roster(trainer, o->member, o->count, error) : LU_OK;
}

void opponents_close(opponents *o) {
    for (int i = 0; o && i < o->count; i++) {
        lu_player_close(&o->player[i]);
    }
    free(o);
}
