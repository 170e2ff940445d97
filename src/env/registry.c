/* Looking things up in the registry that the build makes from the folders of games/. */
#include "ludus/game_ask.h"
#include "ludus/tool.h"

#include <string.h>

const lu_game *lu_game_find(const char *name, lu_error *error) {
    const char *words[256];
    size_t count = 0;
    for (int i = 0; i < lu_game_count(); i++) {
        const lu_game *game = lu_game_at(i);
        if (strcmp(game->id, name) == 0 || strcmp(game->name, name) == 0) {
            return game;
        }
        if (count + 2 <= sizeof words / sizeof *words) {
            words[count++] = game->id;
            words[count++] = game->name;
        }
    }
    const char *near = lu_nearest(name, words, count);
    if (near) {
        lu_fail(error, LU_NOT_FOUND, "there is no game '%s'; did you mean '%s'?", name, near);
    } else {
        lu_fail(error, LU_NOT_FOUND, "there is no game '%s'; `ludus games` lists them", name);
    }
    return NULL;
}

const lu_tool *lu_tool_find(const char *game, const char *name) {
    for (int i = 0; i < lu_tool_count(); i++) {
        const lu_tool *tool = lu_tool_at(i);
        if (strcmp(tool->game, game) == 0 && strcmp(tool->name, name) == 0) {
            return tool;
        }
    }
    return NULL;
}
