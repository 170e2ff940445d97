/* Steps eight environments of a game by random legal actions, and tells what came of it. */
#include <ludus/episode.h>
#include <ludus/vec.h>
#include <ludus/version.h>

#include <stdio.h>
#include <stdlib.h>

enum { ENVIRONMENTS = 8, STEPS = 200 };

int main(int count, char **words) {
    lu_error error;
    lu_episode place;
    const char *name = count > 1 ? words[1] : "cartpole-v1";
    if (lu_episode_open_text(&place, name, "", "", &error) != LU_OK) {
        fprintf(stderr, "walk: %s\n", error.text);
        return lu_status_exit(error.status);
    }
    const lu_game *game = place.game;
    lu_vec *vec = lu_vec_new(game, place.rules, ENVIRONMENTS, 7, 1, NULL, &error);
    size_t rows = (size_t)ENVIRONMENTS * (size_t)game->seats;
    size_t mask = (size_t)lu_game_mask_length(game), heads = (size_t)game->heads;
    int32_t *actions = calloc(rows * heads, sizeof *actions);
    lu_buffers buffers = {
        .mask = calloc(rows * mask, 1), .reward = calloc(rows, sizeof(float)), .actions = actions};
    lu_rng rng = lu_rng_from(1);
    double sum = 0.0;
    lu_vec_reset(vec, &buffers);
    for (int t = 0; t < STEPS; t++) {
        for (size_t r = 0; r < rows; r++) {
            int environment = (int)r / game->seats, seat = (int)r % game->seats;
            lu_action_random(game, place.rules, lu_vec_state(vec, environment), seat,
                             buffers.mask + r * mask, &rng, actions + r * heads);
        }
        lu_vec_step(vec, &buffers);
        for (size_t r = 0; r < rows; r++) {
            sum += (double)buffers.reward[r];
        }
    }
    printf("ludus %s, %s: %d steps, reward %.3f, hash %016llx\n", lu_version(), game->id,
           STEPS * ENVIRONMENTS, sum, (unsigned long long)lu_vec_hash(vec));
    lu_vec_delete(vec);
    lu_episode_close(&place);
    free(buffers.mask);
    free(buffers.reward);
    free(actions);
    return 0;
}
