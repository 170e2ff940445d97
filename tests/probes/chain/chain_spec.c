/* The facts of chain: the heads and what each needs of the earlier ones. */
#include "chain_view.h"

static const char *const verbs[] = {"wait", "drop", "throw", "trade"};
static const char *const pockets[] = {"pocket 1", "pocket 2", "pocket 3", "pocket 4"};
static const char *const directions[] = {"left", "right", "up"};
static const char *const forces[] = {"soft", "hard"};
static const char *const reserved[] = {"reserved 1", "reserved 2"};

static const lu_need item_needs[] = {
    {-1, LU_NEED_ANY, CHAIN_VERB, CHAIN_DROP},
    {-1, LU_NEED_ANY, CHAIN_VERB, CHAIN_THROW},
    {-1, LU_NEED_ANY, CHAIN_VERB, CHAIN_TRADE},
};
static const lu_need direction_needs[] = {
    {-1, LU_NEED_ALL, CHAIN_VERB, CHAIN_THROW},
    {CHAIN_UP, LU_NEED_NONE, CHAIN_ITEM, 0}, /* the first pocket is under the coat */
};
static const lu_need force_needs[] = {{-1, LU_NEED_ALL, CHAIN_VERB, CHAIN_THROW}};

static const lu_head heads[CHAIN_HEADS] = {
    {.name = "verb", .options = CHAIN_VERBS, .option = verbs, .points_at = -1},
    {.name = "item",
     .options = CHAIN_POCKETS,
     .option = pockets,
     .needs = 3,
     .need = item_needs,
     .points_at = 1},
    {.name = "direction",
     .options = CHAIN_DIRECTIONS,
     .option = directions,
     .needs = 2,
     .need = direction_needs,
     .points_at = -1},
    {.name = "force",
     .options = CHAIN_FORCES,
     .option = forces,
     .needs = 1,
     .need = force_needs,
     .points_at = -1},
    {.name = "reserved",
     .options = CHAIN_RESERVED_OPTIONS,
     .option = reserved,
     .points_at = -1,
     .unused = true},
};

static const lu_field numbers[] = {{"time", 0.0f, 1.0f, "share of 24", 0}};
static const lu_field pocket[] = {
    {"used", 0.0f, 1.0f, "", 0},
    {"kind", 0.0f, 3.0f, "", CHAIN_KINDS},
};
static const lu_group groups[] = {
    {"numbers", LU_SCALARS, 1, -1, 1, numbers},
    {"pockets", LU_IDS, CHAIN_POCKETS, 0, 2, pocket},
};
static const lu_term terms[CHAIN_TERMS] = {
    [CHAIN_TERM_TRADE] = {"trade", "1 for a traded coin.", {1.0}},
    [CHAIN_TERM_JUGGLE] = {"juggle", "1 for a feather thrown up, 2 when thrown hard.", {0.25}},
};
static const lu_info infos[CHAIN_INFOS] = {
    [CHAIN_INFO_TRADED] = {"traded", LU_INFO_COUNT, "coins", "Coins traded.", NULL, true},
    [CHAIN_INFO_DROPPED] = {"dropped", LU_INFO_COUNT, "", "Things dropped.", NULL, true},
};
static const lu_event events[] = {{"trade", "A coin is traded."}};

LU_CORES_DECLARE(chain);

static const lu_game game = {
    .id = "chain-v1",
    LU_PARTS(chain, chain),
    .title = "Chain",
    .sentence = "A juggler with four pockets: a probe with heads that depend on each other.",
    .seats = 1,
    .heads = LU_ROWS(heads),
    .groups = LU_ROWS(groups),
    .terms = LU_ROWS(terms),
    .infos = LU_ROWS(infos),
    .headline = "traded",
    .events = LU_ROWS(events),
    .settings = {"chain", NULL, 0},
    .bots = LU_ROWS(chain_bots),
    .limit = {LU_LIMIT_RULE, CHAIN_LIMIT},
    .to_json = chain_to_json,
    .from_json = chain_from_json,
    .show = chain_show,
    .events_of = chain_events_of,
    .story = chain_story,
};

LU_GAMES(chain) = {&game, NULL};
