/* libludus as other programs see it: public headers and the shared library alone. */
#include "test.h"

#include "ludus/episode.h"
#include "ludus/tool.h"
#include "ludus/training.h"
#include "ludus/version.h"

TEST(version_of_headers_and_library) {
    CHECK_TEXT(lu_version(), LU_VERSION);
}

TEST(games_tools_and_algorithms_are_in_it) {
    lu_error error;
    lu_episode episode;
    CHECK(lu_game_count() > 5 && lu_tool_count() > 5);
    CHECK(lu_algorithm_find("ppo", &error) != NULL);
    CHECK_INT(lu_episode_open_text(&episode, "cartpole-v1", "", "", &error), LU_OK);
    lu_episode_reset(&episode, 7);
    int32_t action = 1;
    lu_episode_step(&episode, &action);
    CHECK_INT(episode.env->decisions, 1);
    lu_episode_close(&episode);
}
