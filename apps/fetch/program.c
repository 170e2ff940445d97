/* ludus-fetch: its verbs, and what its help says of it. */
#include "cli.h"

extern const verb verb_prices, verb_target, verb_completion, verb_manual, verb_help;

const verb *const verbs[] = {&verb_prices, &verb_target, &verb_completion,
                             &verb_manual, &verb_help,   NULL};

const exit_code exit_codes[] = {
    {0, "everything went well (also when the reader of a pipe has gone away)"},
    {1, "no connection, no answer in time, a refusal, or a file that could not be written"},
    {2, "usage error: an unknown verb or option, a value out of range, an address that is not "
        "allowed"},
    {3, "not found: a file, or an address unknown to its server"},
    {4, "bad or hostile data: a damaged answer, or not the one asked for"},
    {5, "some categories failed; the others are written"},
    {6, "an answer was larger than allowed"},
    {7, "busy: the server asks to wait, or another `ludus-fetch` is using the cache"},
    {130, "interrupted by Ctrl-C"},
    {0, NULL},
};

const variable variables[] = {
    {"POE_TOKEN", "OAuth token for the trade exchange, with --source exchange."},
    {"XDG_CACHE_HOME", "Folder of caches; ~/.cache if unset."},
    {"NO_COLOR", "If set and not empty, output has no colour."},
    {NULL, NULL},
};

static const verb_example examples[] = {
    {"ludus-fetch prices --league Standard", "prices.json from poe.ninja"},
    {"ludus-fetch help prices", "everything about one verb"},
    {NULL, NULL},
};

const program this_program = {
    .title = "fetches prices and targets for ludus craft; ludus itself opens no connection.",
    .details = "On request, asks sources for prices and a language model for a target, and writes "
               "files that ludus craft checks like any other.",
    .examples = examples,
    .settings = "  Give an option as --key value or --set key=value, or in a file with --config. A "
                "flag overrides a file, a file overrides the default.",
};
