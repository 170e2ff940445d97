/* ludus-grpc: its verbs, and what its help says of it. */
#include "cli.h"

extern const verb verb_serve, verb_bench, verb_completion, verb_manual, verb_help;

const verb *const verbs[] = {&verb_serve,  &verb_bench, &verb_completion,
                             &verb_manual, &verb_help,  NULL};

const exit_code exit_codes[] = {
    {0, "everything went well (also when a signal ended the server)"},
    {1, "any other failure"},
    {2, "usage error: an unknown verb or option, a value out of range"},
    {3, "not found: a file"},
    {7, "busy: the port is taken"},
    {130, "interrupted by Ctrl-C"},
    {0, NULL},
};

const variable variables[] = {
    {"LUDUS_ISA", "Highest instruction level of the games: base, v3 or v4."},
    {"NO_COLOR", "If set and not empty, output has no colour."},
    {NULL, NULL},
};

static const verb_example examples[] = {
    {"ludus-grpc serve", "every game on 127.0.0.1 port 50051"},
    {"ludus-grpc help serve", "everything about one verb"},
    {NULL, NULL},
};

const program this_program = {
    .title = "serves the games of ludus to remote learners over gRPC.",
    .details = "The services are ludus.v1.Env for every game, joker_guide.v1.JokerEnv and "
               "grpc.health.v1.Health; the files of proto/ describe them.",
    .examples = examples,
    .settings = "  Give an option as --key value or --set key=value, or in a file with --config. A "
                "flag overrides a file, a file overrides the default.",
};
