/* ludus new: a new game folder from the smallest game, with its name put in everywhere. */
#include "output.h"
#include "verb.h"

#include "ludus/file.h"
#include "ludus/new_game.h"

static const verb_example examples[] = {
    {"ludus new lantern", "games/lantern, a copy of games/corridor that builds and can be played"},
    {"ludus new duel_two --from corridor --json", "the same for programs"},
    {NULL, NULL},
};

static const lu_setting options[] = {
    {"from", LU_TEXT, "corridor", 0, 64, NULL, "The game to copy.", false},
};

static const char details[] =
    "NAME is 2 to 31 lower-case letters, digits and '_', starting with a letter. The\ngolden "
    "playthrough is not copied: `ludus golden NAME --write` makes it.";

static void print_json(const char *name, const char *from) {
    lu_json json = LU_JSON_INIT;
    lu_json_object(&json);
    lu_json_key_int(&json, "schema", 1);
    lu_json_key_string(&json, "name", name);
    lu_json_key_string(&json, "from", from);
    lu_json_key_string(&json, "folder", cell("%.200s/games/%s", lu_home(), name));
    lu_json_key_array(&json, "next");
    lu_json_string(&json, "cmake --preset release && cmake --build --preset release");
    lu_json_string(&json, cell("build/release/ludus conform %s", name));
    lu_json_string(&json, cell("build/release/ludus golden %s --write", name));
    lu_json_string(&json, cell("build/release/ludus play %s", name));
    lu_json_array_end(&json);
    out_json_end(&json);
}

static lu_status run(verb_call *call, lu_error *error) {
    const char *name = call->argument[0];
    const char *asked = lu_settings_text_of(call->settings, "from");
    const lu_game *from = lu_home() ? lu_game_find(asked, error) : NULL;
    if (!from) {
        return lu_home() ? LU_NOT_FOUND : lu_new_game(name, asked, error);
    }
    lu_status status = lu_new_game(name, from->name, error);
    if (status == LU_OK && call->json) {
        print_json(name, from->name);
    } else if (status == LU_OK) {
        out_format("Made %s/games/%s from %s. Next:\n\n"
                   "  cmake --preset release && cmake --build --preset release\n"
                   "  build/release/ludus conform %s\n"
                   "  build/release/ludus golden %s --write\n"
                   "  build/release/ludus play %s\n",
                   lu_home(), name, from->name, name, name, name);
    }
    return status;
}

const verb verb_new = {
    .name = "new",
    .usage = "new NAME [--from GAME] [--json]",
    .sentence = "Starts a new game from the smallest one.",
    .details = details,
    .examples = examples,
    .options = VERB_OPTIONS("new", options),
    .least = 1,
    .most = 1,
    .argument = "NAME",
    .json = true,
    .run = run,
};
