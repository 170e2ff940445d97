/* ludus-fetch: its verbs, and what its help says of it. */
#include "cli.h"

extern const verb verb_prices, verb_target, verb_completion, verb_manual, verb_help;

const verb *const verbs[] = {&verb_prices, &verb_target, &verb_completion,
                             &verb_manual, &verb_help,   NULL};

const exit_code exit_codes[] = {
    {0, "everything went well (also when the reader of a pipe has gone away)"},
    {1,
     "no connection, no answer in time, an answer that is a refusal, or a file that could not be "
     "written"},
    {2, "wrong use: an unknown verb or option, a value out of range, an address that is not asked"},
    {3, "not found: a file, or an address that its server does not know"},
    {4, "bad or hostile data: an answer that is damaged or is not what was asked for"},
    {5, "some categories failed; the others are written"},
    {6, "an answer was larger than allowed"},
    {7, "busy: the server asks to wait, or another `ludus-fetch` uses the cache"},
    {130, "interrupted by Ctrl-C"},
    {0, NULL},
};

const variable variables[] = {
    {"POE_TOKEN", "OAuth token of the trade exchange, for --source exchange."},
    {"XDG_CACHE_HOME", "Folder of caches; ~/.cache if unset."},
    {"NO_COLOR", "When set and not empty, nothing is coloured."},
    {NULL, NULL},
};

static const verb_example examples[] = {
    {"ludus-fetch prices --league Standard", "prices.json of poe.ninja"},
    {"ludus-fetch help prices", "all about one verb"},
    {NULL, NULL},
};

const program this_program = {
    .title = "fetches what ludus craft reads; ludus itself opens no connection.",
    .details = "Asks sources for prices and a language model for a target, when asked, and "
               "writes files that ludus craft checks like any other.",
    .examples = examples,
    .settings = "  An option is given as --key value or --set key=value, or in a file by --config; "
                "a flag wins over a file, a file over the default.",
};
