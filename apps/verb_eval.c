/* ludus eval: how well a trained agent plays, over fixed seeds, with the normaliser, masks and
 * memory of its training, and beside a bot on the same seeds. */
#include "eval_follow.h"
#include "output.h"
#include "watch_many.h"

#include "ludus/run.h"

#include <string.h>

static const verb_example examples[] = {
    {"ludus eval latest", "the newest run over 400 seeds: means with intervals"},
    {"ludus eval latest --game prospector --against pilot",
     "beside a bot on the same seeds, with the differences"},
    {"ludus eval policy.safetensors --seeds 1..50 --greedy --json",
     "a model file, its best actions, as JSON"},
    {"ludus eval latest --episodes 4 --record replays", "with a replay of every episode"},
    {NULL, NULL},
};

static const lu_setting options[] = {
    {"game", LU_TEXT, "", 0, 100, NULL, "The game that the model must be of; unset takes any.",
     false},
    {"seeds", LU_TEXT, "", 0, 80, NULL, "Range of seeds A..B; unset takes 30000..30399.", false},
    {"episodes", LU_INT, "0", 0, 1000000, NULL,
     "Plays this many episodes, from the first seed upwards; 0 plays all seeds.", false},
    {"greedy", LU_BOOL, "false", 0, 0, NULL, "Takes the best action; nets of Q values always do.",
     false},
    {"sample", LU_BOOL, "false", 0, 0, NULL,
     "Draws actions from the policy, as in training: so it is unless --greedy is given.", false},
    {"against", LU_TEXT, "", 0, 100, NULL, "Bot that plays the same seeds, for comparison.", false},
    {"opponent", LU_TEXT, "", 0, 100, NULL,
     "Bot in the other seats of a game for several; unset takes the agent.", false},
    {"with", LU_TEXT, "", 0, 4096, NULL,
     "KEY=VALUE: a setting of the game in place of the one it was trained with.", true},
    {"record", LU_TEXT, "", 0, 4096, NULL,
     "Folder for a replay of every episode, with what the agent thought.", false},
    {"follow", LU_BOOL, "false", 0, 0, NULL,
     "MODEL is a run: judges each of its windows as `ludus train` has it done, with replays, until "
     "the run ends.",
     false},
    {"threads", LU_INT, "0", 0, 1024, NULL,
     "Threads, 0 for one per processor; results do not depend on it.", false},
};

static const lu_table *const tables[] = {&lu_run_place_table, NULL};

static const char details[] =
    "MODEL is a .safetensors file, a .zip archive of one, a run (its folder or id), or `latest`\n"
    "for the newest run; of a run the newest checkpoint plays. The game has the settings of the\n"
    "training; a model that was made for other rules is refused.";

static const char public_seeds[] = "30000..30399";

static lu_status read_seeds(const verb_call *call, many *m, lu_error *error) {
    const char *range = lu_settings_text_of(call->settings, "seeds");
    int episodes = (int)lu_settings_int(call->settings, "episodes");
    lu_status status =
        seeds_parse(*range ? range : public_seeds, &m->first_seed, &m->episodes, error);
    if (status == LU_OK && episodes > 0) {
        if (*range && episodes > m->episodes) {
            return lu_fail(error, LU_BAD_VALUE,
                           "'seeds' = '%s' holds %d seeds, but 'episodes' = %d", range, m->episodes,
                           episodes);
        }
        m->episodes = episodes;
    }
    return status;
}

static lu_status read_manner(const verb_call *call, many *m, lu_error *error) {
    bool greedy = lu_settings_bool(call->settings, "greedy");
    bool sample = lu_settings_bool(call->settings, "sample");
    bool q = lu_net_kind_of(m->file->net) == LU_NET_Q;
    if (greedy && sample) {
        return lu_fail(error, LU_USAGE, "--greedy and --sample exclude each other");
    }
    if (q && sample) {
        return lu_fail(error, LU_USAGE,
                       "this model is a net of Q values, which has no probabilities to draw "
                       "from: leave out --sample");
    }
    m->greedy = greedy || q;
    return LU_OK;
}

static void print(const verb_call *call, const many *m, const many *other) {
    if (!call->json) {
        many_print(m);
        if (other) {
            many_print_against(m, other);
        }
        return;
    }
    lu_json json;
    lu_json_init(&json);
    lu_json_object(&json);
    many_write(m, &json);
    lu_json_key_bool(&json, "greedy", m->greedy);
    lu_json_key_int(&json, "env_steps", m->file->step);
    if (other) {
        many_write_against(m, other, &json);
    }
    lu_json_object_end(&json);
    out_json(&json);
    lu_json_free(&json);
}

static lu_status play(const verb_call *call, many *m, lu_error *error) {
    const char *against = lu_settings_text_of(call->settings, "against");
    many other = {.session = m->session,
                  .first_seed = m->first_seed,
                  .episodes = m->episodes,
                  .threads = m->threads};
    lu_status status = *against ? bot_find(m->session->game, against, &other.bot, error) : LU_OK;
    if (status == LU_OK) {
        status = many_play(m, error);
    }
    if (status == LU_OK && *against) {
        other.name = against;
        other.opponent = m->alone ? m->opponent : other.bot;
        status = many_play(&other, error);
    }
    if (status == LU_OK) {
        print(call, m, *against ? &other : NULL);
    }
    many_free(&other);
    many_free(m);
    return status;
}

static lu_status run(verb_call *call, lu_error *error) {
    if (lu_settings_bool(call->settings, "follow")) {
        return eval_follow(call, error);
    }
    const char *name = lu_settings_text_of(call->settings, "game");
    const char *opponent = lu_settings_text_of(call->settings, "opponent");
    const lu_game *game = NULL;
    session s = {0};
    if (*name && !(game = lu_game_find(name, error))) {
        return LU_NOT_FOUND;
    }
    lu_model_file *file = model_open(call, call->argument[0], game, error);
    if (!file) {
        return error->status;
    }
    verb_call own = *call;
    own.game = file->game;
    many m = {.session = &s,
              .name = call->argument[0],
              .file = file,
              .alone = *opponent != 0,
              .record = lu_settings_text_of(call->settings, "record"),
              .threads = (int)lu_settings_int(call->settings, "threads")};
    lu_status status = read_seeds(call, &m, error);
    if (status == LU_OK) {
        status = read_manner(call, &m, error);
    }
    if (status == LU_OK && m.alone) {
        status = bot_find(file->game, opponent, &m.opponent, error);
    }
    if (status == LU_OK) {
        status = session_open_model(&s, &own, file, error);
    }
    if (status == LU_OK) {
        status = play(call, &m, error);
        session_close(&s);
    }
    lu_model_file_delete(file);
    return status;
}

const verb verb_eval = {
    .name = "eval",
    .usage = "eval MODEL [--seeds A..B | --episodes N] [--greedy] [--against BOT] [--json]",
    .sentence = "Tells how well a trained agent plays: means with intervals over fixed seeds.",
    .details = details,
    .examples = examples,
    .options = VERB_OPTIONS("eval", options),
    .tables = tables,
    .least = 1,
    .most = 1,
    .argument = "MODEL",
    .json = true,
    .run = run,
};
