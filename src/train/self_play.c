/* The settings of self-play and of leagues: see self_play.h. */
#include "ludus/self_play.h"

#include "ludus/text.h"

#include <stdio.h>
#include <string.h>

const char *const lu_opposite_names[LU_OPPOSITES] = {"pure", "past", "target", "latest", "script"};

/* The rows of one kind of opponents; `who` begins a sentence. */
#define MANNER(kind, who)                                                                          \
    {"self_play." kind "_greedy",                                                                  \
     LU_SCHEDULE,                                                                                  \
     "0",                                                                                          \
     0,                                                                                            \
     1,                                                                                            \
     NULL,                                                                                         \
     who " take their best action in this share of the episodes instead of sampling.",             \
     false},                                                                                       \
        {"self_play." kind "_delay",                                                               \
         LU_SCHEDULE,                                                                              \
         "0",                                                                                      \
         0,                                                                                        \
         1,                                                                                        \
         NULL,                                                                                     \
         who                                                                                       \
         " react late with this probability per decision: they do nothing, and base their next "   \
         "decision on what they saw then.",                                                        \
         false},                                                                                   \
        {"self_play." kind "_delayed",                                                             \
         LU_SCHEDULE,                                                                              \
         "1",                                                                                      \
         0,                                                                                        \
         1,                                                                                        \
         NULL,                                                                                     \
         "Share of the episodes in which self_play." kind "_delay applies.",                       \
         false},                                                                                   \
    {                                                                                              \
        "self_play." kind "_game", LU_JSON, "", 0, 0, NULL,                                        \
            "Game settings for episodes of self_play." kind ", replacing those of the training, "  \
            "as a JSON object: {\"build\": \"MED\"}.",                                             \
            false                                                                                  \
    }

static const lu_setting rows[] = {
    {"self_play.strategy", LU_ENUM, "", 0, 0, "pure|past|target|latest|exploiter",
     "Fills in shares that you do not set: `pure` is all self-play; `past` is 0.8 pure, falling to "
     "0.2 over 200 updates, and the league for the rest; `target` and `latest` take what the "
     "others leave; `exploiter` is `latest`, starting from that checkpoint of "
     "self_play.latest_run.",
     false},
    {"self_play.pure", LU_SCHEDULE, "", 0, 1, NULL,
     "Share of the environments in which the learner plays, and learns from, all seats.", false},
    {"self_play.past", LU_SCHEDULE, "", 0, 1, NULL,
     "Share against league members: earlier checkpoints of this run, and league.members.", false},
    {"self_play.target", LU_SCHEDULE, "", 0, 1, NULL,
     "Share against the players of self_play.targets, drawn evenly.", false},
    {"self_play.latest", LU_SCHEDULE, "", 0, 1, NULL,
     "Share against the newest checkpoint of a run, the same one for a whole update.", false},
    {"self_play.script", LU_TEXT, "", 0, 255, NULL,
     "Bot that plays the remaining share; default: `baseline` if the game has it, else "
     "its strongest.",
     false},
    {"self_play.targets", LU_TEXT, "", 0, 255, NULL,
     "A player for self_play.target: bot:NAME, `random`, a model file or RUN:7.", true},
    {"self_play.latest_run", LU_TEXT, "", 0, 255, NULL,
     "Run whose newest checkpoint self_play.latest plays against; default: this one.", false},
    MANNER("past", "League members"),
    MANNER("target", "Targets"),
    MANNER("latest", "The newest checkpoints"),
    {"self_play.delay_draw", LU_ENUM, "fixed", 0, 0, "fixed|uniform",
     "Whether the probability of reacting late (self_play.past_delay and the like) is the set one "
     "in every episode, or drawn between 0 and that for each.",
     false},
    {"league.size", LU_INT, "20", 1, 1000, NULL,
     "Maximum size of the league; beyond it, the member drawn least often leaves.", false},
    {"league.every", LU_INT, "1", 1, 1e6, NULL, "Windows between checkpoints that join the league.",
     false},
    {"league.members", LU_TEXT, "", 0, 255, NULL,
     "A player that is in the league from the start: bot:NAME, `random`, a model file or RUN:7.",
     true},
    {"league.run", LU_TEXT, "", 0, 255, NULL,
     "Run whose league self_play.past plays against, as of its newest checkpoint when this run "
     "starts; default: this one.",
     false},
    {"league.main_exploiters", LU_INT, "0", 0, 16, NULL,
     "Exploiters that train against the newest checkpoint of this run and join its league.", false},
    {"league.league_exploiters", LU_INT, "0", 0, 16, NULL,
     "Exploiters that train against this run's league and join it.", false},
    {"league.main_exploiter_preset", LU_TEXT, "", 0, 4096, NULL,
     "Preset for main exploiters, on top of the run's settings; the net stays the run's.", false},
    {"league.league_exploiter_preset", LU_TEXT, "", 0, 4096, NULL,
     "Preset for league exploiters, on top of the run's settings; the net stays the run's.", false},
    {"league.grows", LU_BOOL, "true", 0, 0, NULL,
     "Checkpoints of this run join its league; if off, its members stay those of league.members.",
     false},
    {"league.exploiter_updates", LU_INT, "25", 1, 1e6, NULL,
     "Updates per turn, of this run and then of each of its exploiters.", false},
    {"league.exploiter_delay", LU_INT, "0", 0, 1e9, NULL,
     "Updates of this run before the exploiters' first turn.", false},
    {"league.main_exploiter_delay", LU_INT, "-1", -1, 1e9, NULL,
     "Updates of this run before the main exploiters' first turn; -1: league.exploiter_delay.",
     false},
    {"league.exploiter_reset", LU_REAL, "0.25", 0, 1, NULL,
     "Probability that an exploiter starts a turn from this run's newest checkpoint instead of its "
     "own last one.",
     false},
    {"league.weighting", LU_ENUM, "quality", 0, 0, "quality|pfsp",
     "Members are drawn by the softmax of their qualities, or in proportion to (1 - share of "
     "points against them)^league.power.",
     false},
    {"league.rate", LU_SCHEDULE, "0.01", 0, 100, NULL,
     "How much a game that the learner wins lowers a member's quality, divided by members x "
     "probability of being drawn.",
     false},
    {"league.power", LU_REAL, "2", 0, 100, NULL,
     "Exponent of the weighting `pfsp`; setting it chooses that weighting.", false},
    {"league.loaded", LU_INT, "32", 1, 128, NULL,
     "Maximum number of member nets in memory; from a larger league, this many are drawn for each "
     "update.",
     false},
    {"self_play.league_size", LU_ALIAS, "league.size", 0, 0, NULL, "Another name of league.size.",
     false},
};

const lu_table lu_self_play_table = {"self-play", rows, (int)(sizeof rows / sizeof rows[0])};

/* ---- shares ---- */

enum { SET_SHARES = LU_SCRIPT }; /* kinds whose shares are settings come before the script */
enum { EXPLOITER = 4 };          /* of self_play.strategy */

typedef struct share_key {
    char text[64];
} share_key;

static share_key key_of(int who, const char *behind) {
    share_key key;
    snprintf(key.text, sizeof key.text, "self_play.%s%s", lu_opposite_names[who], behind);
    return key;
}

static const char *share_text(const lu_settings *settings, int who) {
    return lu_settings_text_of(settings, key_of(who, "").text);
}

bool lu_self_play_on(const lu_settings *settings) {
    bool on = false;
    for (int who = 0; who < SET_SHARES && lu_settings_has(settings, "self_play.pure"); who++) {
        on = on || *share_text(settings, who);
    }
    return on;
}

/* A text of numbers and operators alone stays what it is. */
bool lu_self_play_moves(const lu_settings *settings) {
    const char *text = lu_self_play_on(settings) ? share_text(settings, LU_PURE) : "";
    return text[strspn(text, "0123456789.e+-*/^() ")] != '\0';
}

static double at(const lu_settings *settings, share_key key, double progress, double update) {
    const lu_schedule *schedule = lu_settings_schedule(settings, key.text);
    return schedule ? lu_schedule_at(schedule, progress, update) : 0.0;
}

double lu_self_play_shares(const lu_settings *settings, double progress, double update,
                           double share[LU_OPPOSITES]) {
    double sum = 0.0;
    for (int who = 0; who < SET_SHARES; who++) {
        share[who] = at(settings, key_of(who, ""), progress, update);
        sum += share[who];
    }
    share[LU_SCRIPT] = sum < 1.0 - 1e-9 ? 1.0 - sum : 0.0;
    return sum;
}

lu_opposite_manner lu_self_play_manner(const lu_settings *settings, lu_opposite who,
                                       double progress, double update) {
    lu_opposite_manner manner = {0};
    if (who == LU_PAST || who == LU_TARGET || who == LU_LATEST) {
        manner.greedy = at(settings, key_of((int)who, "_greedy"), progress, update);
        manner.delay = at(settings, key_of((int)who, "_delay"), progress, update);
        manner.delayed = at(settings, key_of((int)who, "_delayed"), progress, update);
        manner.uniform = lu_settings_enum(settings, "self_play.delay_draw") == 1;
    }
    return manner;
}

/* ---- the strategy ---- */

static const char falling[] = "max(0.2,0.8-0.003*u)"; /* of `pure` beside a league */

static lu_status fill(lu_settings *settings, int who, const char *text, lu_error *error) {
    return lu_settings_set(settings, key_of(who, "").text, text, LU_FROM_DEFAULT,
                           "self_play.strategy", error);
}

/* What the shares that are set leave, as a text. */
static lu_status fill_rest(lu_settings *settings, int who, lu_error *error) {
    lu_text text = LU_TEXT_INIT;
    lu_text_add(&text, "1");
    for (int other = 0; other < SET_SHARES; other++) {
        if (other != who && *share_text(settings, other)) {
            lu_text_addf(&text, "-(%s)", share_text(settings, other));
        }
    }
    lu_status status = fill(settings, who, text.text, error);
    lu_text_free(&text);
    return status;
}

static lu_status fill_shares(lu_settings *settings, lu_error *error) {
    static const lu_opposite named[] = {LU_PURE, LU_PAST, LU_TARGET, LU_LATEST, LU_LATEST};
    int strategy = lu_settings_enum(settings, "self_play.strategy");
    if (strategy < 0 || *share_text(settings, (int)named[strategy])) {
        return LU_OK;
    }
    if (named[strategy] == LU_PAST && !*share_text(settings, LU_PURE)) {
        LU_TRY(fill(settings, LU_PURE, falling, error));
    }
    return fill_rest(settings, (int)named[strategy], error);
}

bool lu_self_play_exploits(const lu_settings *settings) {
    return lu_self_play_on(settings) &&
           lu_settings_enum(settings, "self_play.strategy") == EXPLOITER;
}

/* Exploiters need somebody to exploit, and a league to join. */
static lu_status check_exploiters(const lu_settings *settings, lu_error *error) {
    bool some = lu_settings_int(settings, "league.main_exploiters") > 0 ||
                lu_settings_int(settings, "league.league_exploiters") > 0;
    if (lu_settings_enum(settings, "self_play.strategy") == EXPLOITER &&
        !*lu_settings_text_of(settings, "self_play.latest_run")) {
        return lu_fail(error, LU_BAD_VALUE,
                       "'self_play.strategy' = exploiter needs the run to exploit: set "
                       "'self_play.latest_run'");
    }
    if (some && !*share_text(settings, LU_PAST)) {
        return lu_fail(error, LU_BAD_VALUE,
                       "exploiters join the league, but no share is played against it: set "
                       "'self_play.past', or 'self_play.strategy' = past");
    }
    if (!lu_settings_bool(settings, "league.grows")) {
        return some ? lu_fail(error, LU_BAD_VALUE,
                              "exploiters join the league, but 'league.grows' = false keeps its "
                              "members: unset one of them")
               : *share_text(settings, LU_PAST) && !lu_settings_count(settings, "league.members") &&
                       !*lu_settings_text_of(settings, "league.run")
                   ? lu_fail(error, LU_BAD_VALUE,
                             "'league.grows' = false leaves the league empty: name "
                             "'league.members' or 'league.run'")
                   : LU_OK;
    }
    if (some && *lu_settings_text_of(settings, "league.run")) {
        return lu_fail(error, LU_BAD_VALUE,
                       "exploiters join this run's league, but 'league.run' names another run's: "
                       "unset one of them");
    }
    return LU_OK;
}

/* Who gives an exponent means the weighting that has one. */
static lu_status fill_weighting(lu_settings *settings, lu_error *error) {
    lu_origin origin = lu_settings_origin(settings, "league.power");
    return origin > lu_settings_origin(settings, "league.weighting")
               ? lu_settings_set(settings, "league.weighting", "pfsp", origin,
                                 lu_settings_where(settings, "league.power"), error)
               : LU_OK;
}

lu_status lu_self_play_settle(lu_settings *settings, const lu_game *game, const char *prefix,
                              lu_error *error) {
    char opponents[64];
    snprintf(opponents, sizeof opponents, "%s.opponents", prefix);
    LU_TRY(fill_shares(settings, error));
    LU_TRY(fill_weighting(settings, error));
    LU_TRY(check_exploiters(settings, error));
    bool targets = lu_settings_count(settings, "self_play.targets") > 0;
    if (!lu_self_play_on(settings)) {
        return targets ? lu_fail(error, LU_BAD_VALUE,
                                 "'self_play.targets' names players, but they have no share: set "
                                 "'self_play.target', or 'self_play.strategy' = target")
                       : LU_OK;
    }
    if (game->seats < 2) {
        return lu_fail(error, LU_BAD_VALUE,
                       "%s has one seat, but self_play.* divides environments between opponents: "
                       "leave it unset",
                       game->name);
    }
    if (*lu_settings_text_of(settings, opponents)) {
        return lu_fail(error, LU_BAD_VALUE,
                       "'%s' and self_play.* both choose opponents: use one of them (players of a "
                       "list go into 'self_play.targets')",
                       opponents);
    }
    if (*share_text(settings, LU_TARGET) && !targets) {
        return lu_fail(error, LU_BAD_VALUE,
                       "'self_play.target' is a share for players, but none are named: set "
                       "'self_play.targets'");
    }
    return LU_OK;
}
