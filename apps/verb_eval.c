/* ludus eval: how well a trained agent plays, over fixed seeds, with the normaliser, masks and
 * memory of its training, and beside a bot on the same seeds. */
#include "eval_follow.h"
#include "output.h"
#include "watch_many.h"

#include "ludus/run.h"

#include <stdlib.h>
#include <string.h>

static const verb_example examples[] = {
    {"ludus eval latest", "the newest run over 400 seeds: means with intervals"},
    {"ludus eval latest --game prospector --against pilot",
     "beside a bot on the same seeds, with the differences"},
    {"ludus eval policy.safetensors --seeds 1..50 --greedy --json",
     "a model file, its best actions, as JSON"},
    {"ludus eval latest --episodes 4 --record replays", "with a replay of every episode"},
    {"ludus eval latest --episodes 4 --best-of 16",
     "of 16 roll-outs of each seed the best one counts"},
    {NULL, NULL},
};

/* In units of the net: rewards as DQN scales them, so that errors of about 1 are large. */
#define Q_TEMPERATURE "0.02"

static const lu_setting options[] = {
    {"game", LU_TEXT, "", 0, 100, NULL, "The game that the model must be of; unset takes any.",
     false},
    {"seeds", LU_TEXT, "", 0, 80, NULL, "Range of seeds A..B; unset takes " MANY_SEEDS ".", false},
    {"episodes", LU_INT, "0", 0, 1000000, NULL,
     "Plays this many episodes, from the first seed upwards; 0 plays all seeds.", false},
    {"greedy", LU_BOOL, "false", 0, 0, NULL,
     "Takes the best action; nets of Q values do unless --best-of or --temperature is given.",
     false},
    {"sample", LU_BOOL, "false", 0, 0, NULL,
     "Draws actions from the policy, as in training: so it is unless --greedy is given.", false},
    {"best_of", LU_INT, "1", 1, 100000, NULL,
     "Plays so many roll-outs of each seed, of which the best one counts: by the game's headline "
     "figure, else by the return. Each meets the same chance, so this is with hindsight.",
     false},
    {"temperature", LU_REAL, "0", 0, 1e6, NULL,
     "Draws by softmax of logits, or of Q values, divided by this: below 1 nearer to the best "
     "action. 0 takes 1, and for nets of Q values under --best-of " Q_TEMPERATURE ".",
     false},
    {"against", LU_TEXT, "", 0, 100, NULL,
     "Bot that plays the same seeds, for comparison; `all` for every bot of the game.", true},
    {"opponent", LU_TEXT, "", 0, 100, NULL,
     "Bot in the other seats of a game for several; unset takes the agent.", false},
    {"with", LU_TEXT, "", 0, 4096, NULL,
     "KEY=VALUE: a setting of the game in place of the one it was trained with.", true},
    {"option", LU_TEXT, "", 0, 4096, NULL, "KEY=VALUE: a reset option of the game.", true},
    {"each", LU_BOOL, "false", 0, 0, NULL, "With --json also the figures of every episode.", false},
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
    "for the newest run; of a run the newest checkpoint plays, RUN:7 and RUN:best name another\n"
    "window, `best` the best of all. Of a run, without --seeds and --episodes, it plays what the\n"
    "run's evaluator played and gives its figures again; of a file 30000..30399. The game has\n"
    "the settings of the training; a model that was made for other rules is refused.";

enum { MOST_BOTS = 64 };

/* The folder of the checkpoint, where the model was named by its run; "" where it is a file. */
static void checkpoint_of(const char *name, const char *model, lu_text *folder) {
    const char *slash = strrchr(model, '/');
    if (slash && strcmp(name, model) != 0) {
        lu_text_add_n(folder, model, (size_t)(slash - model));
    }
}

/* Roll-outs must differ from each other, so that they are drawn, also of Q values. */
static lu_status read_rolls(const verb_call *call, many *m, lu_error *error) {
    m->rolls = (int)lu_settings_int(call->settings, "best_of");
    if (m->rolls == 1) {
        return LU_OK;
    }
    if (lu_settings_bool(call->settings, "greedy")) {
        return lu_fail(error, LU_USAGE,
                       "--greedy and --best-of exclude each other: all roll-outs would be equal");
    }
    if (m->greedy) {
        m->temperature = atof(Q_TEMPERATURE);
        m->greedy = false;
    }
    return LU_OK;
}

/* Seeds and manner: what the call says; what it leaves open is, of a run, as its evaluator has it,
 * so that its figures are reproduced. */
static lu_status read_plan(const verb_call *call, const char *folder, many *m, lu_error *error) {
    const lu_settings *s = call->settings;
    bool open = !*lu_settings_text_of(s, "seeds") && lu_settings_int(s, "episodes") == 0;
    bool free_manner = !lu_settings_bool(s, "greedy") && !lu_settings_bool(s, "sample") &&
                       lu_settings_real(s, "temperature") <= 0.0 &&
                       lu_settings_int(s, "best_of") == 1;
    lu_status status = many_take_seeds(m, call, error);
    if (status == LU_OK) {
        status = many_take_manner(m, call, error);
    }
    if (status == LU_OK) {
        status = read_rolls(call, m, error);
    }
    if (status == LU_OK && *folder && (open || free_manner)) {
        lu_settings *own = lu_settings_new();
        status = eval_settings(folder, own, error);
        if (status == LU_OK) {
            m->episodes = open ? (int)lu_settings_int(own, "eval.episodes") : m->episodes;
            m->greedy = m->greedy || (free_manner && open && lu_settings_bool(own, "eval.greedy"));
        }
        lu_settings_delete(own);
    }
    return status;
}

/* What was asked for beyond seeds and settings, where it was. */
static void write_asked(const verb_call *call, const many *m, lu_json *json) {
    if (m->rolls > 1) {
        lu_json_key_int(json, "best_of", m->rolls);
    }
    if (m->temperature > 0.0) {
        lu_json_key_real(json, "temperature", m->temperature);
    }
    if (lu_settings_count(call->settings, "option") > 0) {
        lu_json_key(json, "options");
        lu_json_raw(json, m->session->options_json, strlen(m->session->options_json));
    }
    if (lu_settings_bool(call->settings, "each")) {
        many_write_each(m, json);
    }
}

static void print(const verb_call *call, const many *m, const many *others, int count) {
    if (!call->json) {
        many_print(m);
        for (int i = 0; i < count; i++) {
            many_print_against(m, &others[i]);
        }
        return;
    }
    lu_json json;
    lu_json_init(&json);
    lu_json_object(&json);
    lu_json_key_string(&json, "model", m->name);
    many_write(m, &json);
    lu_json_key_bool(&json, "greedy", m->greedy);
    lu_json_key_int(&json, "env_steps", m->file->step);
    write_asked(call, m, &json);
    if (count > 0) {
        many_write_against(m, others, count, &json);
    }
    lu_json_object_end(&json);
    out_json(&json);
    lu_json_free(&json);
}

/* A bot on the same seeds, once however often it is named. */
static lu_status add_bot(const many *m, const char *name, many *others, int *count,
                         lu_error *error) {
    const lu_bot *bot;
    lu_status status = bot_find(m->session->game, name, &bot, error);
    for (int i = 0; i < *count; i++) {
        if (strcmp(others[i].name, name) == 0) {
            return status;
        }
    }
    if (status == LU_OK && *count < MOST_BOTS) {
        others[(*count)++] = (many){.session = m->session,
                                    .name = name,
                                    .bot = bot,
                                    .opponent = m->alone ? m->opponent : bot,
                                    .first_seed = m->first_seed,
                                    .episodes = m->episodes,
                                    .threads = m->threads};
    }
    return status;
}

static lu_status add_bots(const verb_call *call, const many *m, many *others, int *count,
                          lu_error *error) {
    const lu_game *game = m->session->game;
    lu_status status = LU_OK;
    for (size_t i = 0; i < lu_settings_count(call->settings, "against") && status == LU_OK; i++) {
        const char *name = lu_settings_nth(call->settings, "against", i);
        if (!*name) {
            continue;
        }
        if (strcmp(name, "all") != 0) {
            status = add_bot(m, name, others, count, error);
            continue;
        }
        for (int b = 0; b < game->bots && status == LU_OK; b++) {
            status = add_bot(m, game->bot[b].name, others, count, error);
        }
    }
    return status;
}

static lu_status play(const verb_call *call, many *m, lu_error *error) {
    many *others = lu_alloc_zero(MOST_BOTS, sizeof *others);
    int count = 0;
    lu_status status = add_bots(call, m, others, &count, error);
    if (status == LU_OK) {
        status = many_play(m, error);
    }
    for (int i = 0; i < count && status == LU_OK; i++) {
        status = many_play(&others[i], error);
    }
    if (status == LU_OK) {
        print(call, m, others, count);
    }
    for (int i = 0; i < count; i++) {
        many_free(&others[i]);
    }
    free(others);
    many_free(m);
    return status;
}

static lu_status run(verb_call *call, lu_error *error) {
    if (lu_settings_bool(call->settings, "follow")) {
        return eval_follow(call, error);
    }
    if (lu_settings_bool(call->settings, "each") && !call->json) {
        return lu_fail(error, LU_USAGE, "--each needs --json");
    }
    const char *name = lu_settings_text_of(call->settings, "game");
    const char *opponent = lu_settings_text_of(call->settings, "opponent");
    const lu_game *game = NULL;
    lu_episode s = {0};
    if (*name && !(game = lu_game_find(name, error))) {
        return LU_NOT_FOUND;
    }
    lu_text path, folder;
    lu_text_init(&path);
    lu_text_init(&folder);
    lu_model_file *file = model_open_at(call, call->argument[0], game, &path, error);
    checkpoint_of(call->argument[0], path.text, &folder);
    lu_text_free(&path);
    if (!file) {
        lu_text_free(&folder);
        return error->status;
    }
    many m = {.session = &s,
              .name = call->argument[0],
              .file = file,
              .alone = *opponent != 0,
              .record = lu_settings_text_of(call->settings, "record"),
              .threads = (int)lu_settings_int(call->settings, "threads")};
    lu_status status = read_plan(call, folder.text, &m, error);
    if (status == LU_OK && m.alone) {
        status = bot_find(file->game, opponent, &m.opponent, error);
    }
    if (status == LU_OK) {
        status = call_open_episode(call, file->game, file, &s, error);
    }
    if (status == LU_OK) {
        /* other settings or resets of the game than those of the training give other answers */
        bool same = lu_settings_count(call->settings, "with") == 0 &&
                    lu_settings_count(call->settings, "option") == 0;
        status = folder.length > 0 && same ? eval_check_probe(folder.text, file, &s, error) : LU_OK;
    }
    if (status == LU_OK) {
        status = play(call, &m, error);
    }
    lu_episode_close(&s);
    lu_model_file_delete(file);
    lu_text_free(&folder);
    return status;
}

const verb verb_eval = {
    .name = "eval",
    .usage = "eval MODEL [--seeds A..B | --episodes N] [--greedy | --best-of N] [--against BOT] "
             "[--json]",
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
