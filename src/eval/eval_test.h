/* What tests of players and matches share: a probe game, and agents with nets of chance weights. */
#pragma once

#include "ludus/episode.h"
#include "ludus/player.h"

#include "test.h"

#include <stdlib.h>

enum { STAGE_AGENTS = 2 };

typedef struct stage {
    lu_episode episode;
    lu_settings *settings; /* of the agents */
    int agents;
    lu_model_file file[STAGE_AGENTS];
    lu_player agent[STAGE_AGENTS];
} stage;

static inline bool stage_open(stage *s, const char *game, int agents) {
    lu_error error = {0};
    *s = (stage){.agents = agents};
    if (lu_episode_open_text(&s->episode, game, NULL, NULL, &error) != LU_OK) {
        return false;
    }
    lu_settings *settings = s->settings = lu_game_settings(s->episode.game);
    lu_settings_add(settings, lu_net_table);
    lu_settings_set(settings, "net.hidden", "16", LU_FROM_FLAG, "--set", NULL);
    lu_settings_set(settings, "net.memory", "mingru", LU_FROM_FLAG, "--set", NULL);
    lu_rng rng = lu_rng_from(5);
    for (int i = 0; i < agents; i++) {
        lu_net *net = lu_net_new(s->episode.game, LU_NET_POLICY, settings, &error);
        if (!net) {
            return false;
        }
        /* louder than first weights, so that choices and agents differ */
        for (size_t n = 0; n < lu_net_parameters(net); n++) {
            lu_net_block(net)[n] += 0.5f * ((float)lu_rng_unit(&rng) - 0.5f);
        }
        lu_net_pack(net);
        s->file[i] = (lu_model_file){
            .game = s->episode.game, .net = net, .return_scale = 1.0, .settings = settings};
        s->agent[i] = (lu_player){
            .kind = LU_PLAYER_AGENT, .name = i ? "second" : "first", .file = &s->file[i]};
    }
    return true;
}

/* Writes the first agent's model; its path is valid until the next call. */
static inline const char *stage_save(const stage *s) {
    static char path[600];
    lu_error error = {0};
    snprintf(path, sizeof path, "%s/%s.safetensors", lu_test_folder(), s->episode.game->name);
    CHECK_INT(lu_model_file_save(path, &s->file[0], &error), LU_OK);
    return path;
}

static inline void stage_close(stage *s) {
    for (int i = 0; i < s->agents; i++) {
        lu_net_delete(s->file[i].net);
    }
    lu_settings_delete(s->settings);
    lu_episode_close(&s->episode);
}
