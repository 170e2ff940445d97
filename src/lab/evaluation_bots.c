/* What every window is set against: `random` and the strongest bot of the game, on the seeds of the
 * evaluator, in its seats and against its opponents. They do not learn, so that they play once. */
#include "evaluator_internal.h"

#include "ludus/contest.h"

#include <stdlib.h>

/* The metric of one match, added seed by seed with its share. */
static void add_values(const judging *j, const lu_match *m, double share, double *values) {
    int info = lu_game_info_index(j->s.game, j->result.metric);
    for (int e = 0; e < m->episodes; e++) {
        double got = j->f->opponents > 0 ? lu_match_points(m, e)
                     : info < 0          ? lu_match_return(m, e, 0)
                                         : lu_match_info(m, e, 0)[info];
        values[e / m->seatings] += got * share;
    }
}

static lu_status play(const judging *j, const lu_player *bot, double *values, lu_error *error) {
    const follower *f = j->f;
    int matches = f->opponents > 0 ? f->opponents : 1;
    lu_status status = LU_OK;
    for (int i = 0; i < matches && status == LU_OK; i++) {
        lu_match m = {.episode = &j->s,
                      .player = {bot, f->opponents > 0 ? &f->opponent[i] : NULL},
                      .seatings = j->m.seatings,
                      .first_seed = j->m.first_seed,
                      .episodes = j->m.episodes,
                      .threads = j->m.threads,
                      .context = f->asked->context,
                      .stop = f->asked->stop};
        status = lu_match_play(&m, error);
        if (status == LU_OK) {
            add_values(j, &m, 1.0 / matches / m.seatings, values);
        }
        lu_match_free(&m);
    }
    return status;
}

lu_status evaluation_bots(judging *j, lu_error *error) {
    follower *f = j->f;
    const lu_game *game = j->s.game;
    const char *const names[EVAL_BOTS] = {"random", lu_game_strongest(game)->name};
    int info = lu_game_info_index(game, j->result.metric);
    bool flag = f->opponents == 0 && info >= 0 && game->info[info].kind == LU_INFO_FLAG;
    int wanted = game->bots > 0 ? EVAL_BOTS : 1;
    lu_status status = LU_OK;
    while (f->bots < wanted && status == LU_OK) {
        lu_player bot = {0};
        double *values = lu_alloc_zero((size_t)f->seeds, sizeof *values);
        status = lu_player_bot(&bot, names[f->bots], game, error);
        LU_THEN(status, play(j, &bot, values, error));
        lu_player_close(&bot);
        if (status == LU_OK) {
            lu_summary value = lu_summarise(values, f->seeds, flag);
            f->bot[f->bots] = (eval_bot){names[f->bots], values, value};
            f->bots++;
        } else {
            free(values);
        }
    }
    return status;
}

void evaluation_write_bots(const judging *j, lu_json *json) {
    const follower *f = j->f;
    lu_json_key_array(json, "bots");
    for (int i = 0; i < f->bots; i++) {
        lu_pairing p = lu_compare_pairs(j->values, f->bot[i].values, f->seeds, 0.0);
        lu_json_object(json);
        lu_json_key_string(json, "name", f->bot[i].name);
        lu_json_key_string(json, "verdict", lu_verdict_name(p.verdict));
        lu_json_key_object(json, "value");
        lu_summary_write(&f->bot[i].value, json);
        lu_json_object_end(json);
        lu_json_object_end(json);
    }
    lu_json_array_end(json);
}
