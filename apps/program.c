/* ludus: its verbs, and what its help says of it. */
#include "cli.h"

extern const verb verb_games, verb_spec, verb_play, verb_watch, verb_replay, verb_trace,
    verb_verify, verb_conform, verb_golden, verb_bench, verb_model, verb_new, verb_config,
    verb_train, verb_eval, verb_compare, verb_match, verb_league, verb_exploit, verb_runs,
    verb_export, verb_sweep, verb_ablate, verb_serve, verb_serve_policy, verb_serve_env, verb_tool,
    verb_settings, verb_doctor, verb_completion, verb_manual, verb_help;

const verb *const verbs[] = {
    &verb_games,        &verb_spec,      &verb_play,     &verb_watch,  &verb_train,
    &verb_eval,         &verb_compare,   &verb_match,    &verb_league, &verb_exploit,
    &verb_runs,         &verb_export,    &verb_sweep,    &verb_ablate, &verb_serve,
    &verb_serve_policy, &verb_serve_env, &verb_replay,   &verb_trace,  &verb_verify,
    &verb_conform,      &verb_golden,    &verb_bench,    &verb_model,  &verb_new,
    &verb_config,       &verb_tool,      &verb_settings, &verb_doctor, &verb_completion,
    &verb_manual,       &verb_help,      NULL,
};

const exit_code exit_codes[] = {
    {0, "everything went well (also when the reader of a pipe has gone away)"},
    {1, "system error: a file or standard output could not be read or written"},
    {2, "usage error: an unknown verb or option, or a value out of range"},
    {3, "not found: a file, a game, a bot or a preset"},
    {4, "bad or hostile data: a damaged, foreign or malformed file"},
    {5, "a check failed: a test vector, a conformance check, a replay's hash"},
    {6, "stopped by a limit"},
    {7, "busy: another `ludus` is writing to the same run or the project folder"},
    {8, "training hit NaN or infinity; the batch is saved in its run"},
    {130, "interrupted by Ctrl-C"},
    {0, NULL},
};

const variable variables[] = {
    {"LUDUS_HOME", "The project folder (games, config, runs); default: the checkout that contains "
                   "the current folder, else the program's."},
    {"LUDUS_RANKS", "Set by `python -m ludus.ray` for the processes of a job that it starts."},
    {"LUDUS_ISA", "Caps the level of vector instructions: base, v3, v4 or amx."},
    {"LUDUS_LOG", "Lowest level of messages shown: debug, info, warning, error or off."},
    {"NO_COLOR", "If set and not empty, output has no colour."},
    {NULL, NULL},
};

static const verb_example examples[] = {
    {"ludus games", "the games there are"},
    {"ludus play prospector", "play in the terminal"},
    {"ludus train cartpole", "train an agent, in seconds"},
    {"ludus watch cartpole --model latest", "watch it play"},
    {"ludus serve", "the site: watch, play, curves, advisors"},
    {"ludus joker", "a game's tools; also potion, craft and duel"},
    {"ludus help train", "everything about one verb"},
    {NULL, NULL},
};

const program this_program = {
    .title = "fast environments for strategy games, and agents that play them.",
    .details = "Lists, plays, watches, measures and checks games; trains, evaluates and serves "
               "agents. A separate program, ludus-fetch, fetches prices.",
    .examples = examples,
    .settings =
        "  Give an option of a verb or a setting of a game as --key value or --set key=value, as "
        "the variable LUDUS_KEY, or in a file with --config or --preset. A flag overrides a "
        "variable, a variable overrides a file, a file overrides the default.",
    .of_game = &verb_tool,
    .variables = true,
};
