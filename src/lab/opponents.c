/* Players of a training's other seats, by their names: see opponents.h. */
#include "opponents.h"

#include "ludus/player.h"
#include "ludus/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct opponents {
    int count;
    lu_opponent_share entry[LU_MAX_OPPONENTS];
    lu_player player[LU_MAX_OPPONENTS];
    lu_opponent member[LU_MAX_OPPONENTS];
};

/* Entries without `self`, which is no player but a share of environments. */
static void leave_self(opponents *o) {
    int kept = 0;
    for (int i = 0; i < o->count; i++) {
        if (strcmp(o->entry[i].name, "self") != 0) {
            o->entry[kept++] = o->entry[i];
        }
    }
    o->count = kept;
}

static lu_opponent member_of(const lu_player *player, const lu_opponent_share *entry) {
    lu_opponent member = {.name = entry->name, .share = entry->share, .bot = player->bot};
    if (player->kind == LU_PLAYER_AGENT) {
        member.net = player->file->net;
        member.normaliser = player->file->observation.length ? &player->file->observation : NULL;
    }
    return member;
}

static lu_status open_players(opponents *o, const lu_game *game, const char *runs,
                              lu_error *error) {
    int wanted = o->count;
    for (o->count = 0; o->count < wanted; o->count++) {
        lu_player *player = &o->player[o->count];
        lu_opponent_share *entry = &o->entry[o->count];
        lu_status status =
            lu_player_open(player, entry->name, game, lu_run_find_player, runs ? runs : "", error);
        if (status != LU_OK) {
            return status;
        }
        o->member[o->count] = member_of(player, entry);
    }
    return LU_OK;
}

lu_status opponents_seat(lu_trainer *trainer, const lu_algorithm *algorithm, const lu_game *game,
                         const lu_settings *settings, const char *runs, opponents **seated,
                         lu_error *error) {
    char key[100];
    *seated = NULL;
    snprintf(key, sizeof key, "%s.opponents", algorithm->prefix);
    if (!lu_settings_has(settings, key) || !*lu_settings_text_of(settings, key)) {
        return LU_OK;
    }
    opponents *o = lu_alloc_zero(1, sizeof *o);
    lu_status status = lu_opponent_shares_read(key, lu_settings_text_of(settings, key), o->entry,
                                               &o->count, error);
    if (status != LU_OK) {
        o->count = 0;
    }
    leave_self(o);
    if (o->count > 0) {
        status = open_players(o, game, runs, error);
    }
    if (status == LU_OK && o->count > 0) {
        status = lu_trainer_roster(trainer, o->member, o->count, error);
    }
    if (status != LU_OK || o->count == 0) {
        opponents_close(o);
        return status;
    }
    *seated = o;
    return LU_OK;
}

void opponents_close(opponents *o) {
    for (int i = 0; o && i < o->count; i++) {
        lu_player_close(&o->player[i]);
    }
    free(o);
}
