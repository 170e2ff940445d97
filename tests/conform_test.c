/* The battery is itself tested: the game `broken` is sound without a fault, and for each fault the
 * checks that fail are exactly those that its row in broken.h names. */
#include "ludus/conform.h"
#include "ludus/file.h"

#include "broken.h"
#include "test.h"

#include <stdlib.h>

typedef struct fault_row {
    const char *name, *check, *also;
} fault_row;

#define X(name, check, also) {#name, check, also},
static const fault_row faults[] = {BROKEN_FAULTS(X)};
#undef X

/* Names of the failed checks, each with a space in front, and the detail of the last one. */
typedef struct notes {
    char failed[1000], skipped[1000], detail[1300];
} notes;

static void report(void *user, const lu_conform_result *result) {
    notes *n = user;
    char *list = result->skipped ? n->skipped : n->failed;
    if (!result->passed) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof n->failed - used, " %s", result->check);
        if (!result->skipped) {
            snprintf(n->detail, sizeof n->detail, "%s", result->detail);
        }
    }
}

static int run(const lu_game *game, const char *fault, const char *only, const char *golden,
               notes *n) {
    lu_error error;
    lu_settings *settings = lu_game_settings(game);
    CHECK_INT(lu_settings_set(settings, "fault", fault, LU_FROM_FLAG, "test", &error), LU_OK);
    lu_conform_options options = lu_conform_default();
    options.steps = 3000;
    options.only = only;
    options.golden = golden;
    options.user = n;
    options.report = report;
    memset(n, 0, sizeof *n);
    int failed = lu_conform(game, settings, &options);
    lu_settings_delete(settings);
    return failed;
}

static const lu_game *broken(void) {
    return lu_game_find("broken-v1", NULL);
}

/* Whether a list of words holds the word. */
static bool holds(const char *list, const char *word, size_t length) {
    for (const char *at = list; (at = strstr(at, word)); at++) {
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == 0)) {
            return true;
        }
    }
    return false;
}

static void check_fault(const fault_row *row) {
    notes n;
    char want[1000];
    bool alone =
        strcmp(row->name, "observe_past") == 0; /* it would soil the rows of other checks */
    run(broken(), row->name, alone ? row->check : NULL, NULL, &n);
    if (holds(n.skipped, row->check, strlen(row->check))) {
        return; /* one build level only, or allocations are not counted */
    }
    snprintf(want, sizeof want, "%s%s%s", row->check, *row->also ? " " : "", row->also);
    if (!holds(n.failed, row->check, strlen(row->check))) {
        lu_test_fail(__FILE__, __LINE__, "fault '%s' is not found by '%s' (failed:%s)", row->name,
                     row->check, n.failed);
    }
    for (const char *word = n.failed + (n.failed[0] == ' '); *word;) {
        size_t length = strcspn(word, " ");
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)length, word);
        if (strcmp(row->also, "*") != 0 && !holds(want, name, length)) {
            lu_test_fail(__FILE__, __LINE__, "fault '%s' is for '%s', but '%s' fails: %s",
                         row->name, want, name, n.detail);
        }
        word += length + (word[length] == ' ');
    }
}

TEST(the_sound_game_passes_every_check) {
    notes n;
    CHECK_INT(run(broken(), "none", NULL, NULL, &n), 0);
    CHECK_TEXT(n.failed, "");
    if (n.failed[0]) {
        printf("    %s\n", n.detail);
    }
}

/* One test per fault, so that each shows its own line. */
#define X(name, check, also)                                                                       \
    TEST(fault_##name) {                                                                           \
        if (BROKEN_##name != BROKEN_none) {                                                        \
            check_fault(&faults[BROKEN_##name]);                                                   \
        }                                                                                          \
    }
BROKEN_FAULTS(X)
#undef X

/* ---- faults of the tables: a copy of the game with one entry changed ---- */

static void facts_fail(const lu_game *game, const char *words) {
    notes n;
    CHECK_INT(run(game, "none", NULL, NULL, &n), 1);
    CHECK_TEXT(n.failed, " facts");
    CHECK_HAS(n.detail, words);
    CHECK_HAS(n.skipped, "replay"); /* nothing runs on tables that are wrong */
}

static lu_game *patched(void) {
    static lu_game game;
    game = *broken();
    return &game;
}

TEST(facts_finds_a_missing_headline) {
    lu_game *g = patched();
    g->headline = "profit";
    facts_fail(g, "headline");
}

static void milestones_fail(const lu_milestone *list, int count, const char *words) {
    lu_game *g = patched();
    g->milestone = list;
    g->milestones = count;
    facts_fail(g, words);
}

TEST(facts_finds_a_wrong_milestone) {
    static const lu_milestone foreign[] = {{"score", 1, "One."}, {"profit", 1, "One."}};
    static const lu_milestone falling[] = {{"return", 2, "Two."}, {"return", 2, "Two again."}};
    static const lu_milestone endless[] = {{"return", INFINITY, "All."}};
    static const lu_milestone mute[] = {{"over", 1, ""}};
    milestones_fail(foreign, 2, "milestone 1: 'profit'");
    milestones_fail(falling, 2, "must rise");
    milestones_fail(endless, 1, "finite value");
    milestones_fail(mute, 1, "sentence");
    milestones_fail(NULL, 1, "no table");
}

TEST(facts_finds_an_id_without_version) {
    lu_game *g = patched();
    g->id = "broken";
    facts_fail(g, "version");
}

TEST(facts_finds_equal_names) {
    lu_game *g = patched();
    static const char *const twice[] = {"door", "gate", "door", "hole"};
    static lu_head head;
    head = g->head[0];
    head.option = twice;
    g->head = &head;
    facts_fail(g, "both called 'door'");
}

TEST(facts_finds_a_need_on_a_later_head) {
    lu_game *g = patched();
    static const lu_need need = {-1, LU_NEED_ALL, 0, 0};
    static lu_head head;
    head = g->head[0];
    head.needs = 1;
    head.need = &need;
    g->head = &head;
    facts_fail(g, "not an earlier one");
}

TEST(facts_finds_a_pointer_to_no_slots) {
    lu_game *g = patched();
    static lu_head head;
    head = g->head[0];
    head.points_at = 0;
    g->head = &head;
    facts_fail(g, "points at");
}

TEST(facts_finds_a_wrong_presence) {
    lu_game *g = patched();
    static lu_group group[2];
    memcpy(group, g->group, sizeof group);
    group[1].presence = 2;
    g->group = group;
    facts_fail(g, "presence");
}

TEST(facts_finds_a_range_beyond_the_vocabulary) {
    lu_game *g = patched();
    static lu_group group[2];
    static lu_field field[2];
    memcpy(group, g->group, sizeof group);
    memcpy(field, group[1].field, sizeof field);
    field[1].high = 4.0f;
    group[1].field = field;
    g->group = group;
    facts_fail(g, "vocabulary");
}

TEST(facts_finds_an_infinite_range) {
    lu_game *g = patched();
    static lu_group group[2];
    static lu_field field[3];
    memcpy(group, g->group, sizeof group);
    memcpy(field, group[0].field, sizeof field);
    field[1].high = INFINITY;
    group[0].field = field;
    g->group = group;
    facts_fail(g, "finite range");
}

TEST(facts_finds_a_weight_that_is_no_number) {
    lu_game *g = patched();
    static lu_term term;
    term = g->term[0];
    term.weight[0] = NAN;
    g->term = &term;
    facts_fail(g, "finite weights");
}

TEST(facts_finds_a_setting_without_a_sentence) {
    lu_game *g = patched();
    static lu_setting row;
    row = g->options.table.rows[0];
    row.sentence = "no full stop";
    g->options.table.rows = &row;
    facts_fail(g, "full stop");
}

TEST(facts_finds_a_critic_without_groups) {
    lu_game *g = patched();
    g->critic_groups = 0;
    facts_fail(g, "critic");
}

static void limit_fails(lu_limit_kind kind, const char *words) {
    notes n;
    lu_game *g = patched();
    g->limit.kind = kind;
    CHECK_INT(run(g, "none", "limit", NULL, &n), 1);
    CHECK_TEXT(n.failed, " limit");
    CHECK_HAS(n.detail, words);
}

TEST(limit_finds_a_cut_that_shows_its_clock) {
    limit_fails(LU_LIMIT_CUT, "number 0 of group");
}

TEST(limit_finds_a_limit_that_is_denied) {
    limit_fails(LU_LIMIT_NONE, "has no limit");
}

TEST(facts_finds_more_hot_bytes_than_bytes) {
    lu_game *g = patched();
    g->state_bytes = lu_game_hot_bytes(g) - 1;
    facts_fail(g, "hot bytes");
}

TEST(facts_finds_too_many_modes) {
    lu_game *g = patched();
    static lu_term term;
    term = g->term[0];
    g->term = &term;
    g->modes = "a|b|c|d|e";
    facts_fail(g, "reward modes");
}

TEST(facts_finds_heads_that_are_all_unused) {
    lu_game *g = patched();
    static lu_head head;
    head = g->head[0];
    head.unused = true;
    g->head = &head;
    facts_fail(g, "unused");
}

TEST(facts_finds_names_that_are_missing_or_empty) {
    static const char *const none[] = {NULL}, *const twice[] = {"on", "on", NULL};
    static lu_info info[BROKEN_INFOS];
    lu_game *g = patched();
    memcpy(info, g->info, sizeof info);
    info[1].kind = LU_INFO_NAME;
    g->info = info;
    facts_fail(g, "names if it is a name");
    info[1].names = none;
    facts_fail(g, "there must be 1");
    info[1].names = twice;
    facts_fail(g, "both called 'on'");
}

TEST(info_finds_a_value_without_a_name) {
    static const char *const short_list[] = {"running", NULL}; /* the value 1 has no name */
    static lu_info info[BROKEN_INFOS];
    notes n;
    lu_game *g = patched();
    memcpy(info, g->info, sizeof info);
    info[1].kind = LU_INFO_NAME;
    info[1].names = short_list;
    g->info = info;
    CHECK_INT(run(g, "none", "info", NULL, &n), 1);
    CHECK_HAS(n.detail, "'over' of seat 0 is 1");
}

TEST(facts_finds_a_missing_function) {
    lu_game *g = patched();
    g->story = NULL;
    facts_fail(g, "function");
}

/* ---- golden ---- */

TEST(golden_finds_a_changed_line_and_a_missing_file) {
    notes n;
    lu_error error;
    lu_text text = LU_TEXT_INIT;
    char path[200];
    snprintf(path, sizeof path, "%s/golden.txt", lu_test_folder());
    CHECK_INT(run(broken(), "none", "golden", path, &n), 1);
    lu_golden_write(broken(), &text);
    CHECK_INT(lu_file_write(path, text.text, text.length, &error), LU_OK);
    CHECK_INT(run(broken(), "none", "golden", path, &n), 0);
    *strstr(text.text, "seat 1 finds") = 'S';
    CHECK_INT(lu_file_write(path, text.text, text.length, &error), LU_OK);
    CHECK_INT(run(broken(), "none", "golden", path, &n), 1);
    CHECK_HAS(n.detail, "Seat 1 finds");
    CHECK_INT(lu_file_write(path, text.text, text.length / 2, &error), LU_OK);
    CHECK_INT(run(broken(), "none", "golden", path, &n), 1);
    lu_text_free(&text);
}

/* ---- the battery itself ---- */

TEST(every_check_has_a_fault) {
    for (int i = 0; i < lu_conform_count(); i++) {
        const char *sentence, *name = lu_conform_check(i, &sentence);
        bool found = strcmp(name, "facts") == 0 || strcmp(name, "golden") == 0; /* tested above */
        for (int f = 0; f < BROKEN_FAULT_COUNT; f++) {
            found = found || strcmp(faults[f].check, name) == 0;
        }
        if (!found) {
            lu_test_fail(__FILE__, __LINE__, "no fault proves the check '%s'", name);
        }
        CHECK(sentence[strlen(sentence) - 1] == '.');
    }
}

TEST(one_check_can_be_run_alone) {
    notes n;
    CHECK_INT(run(broken(), "nan", "bounds", NULL, &n), 1);
    CHECK_TEXT(n.failed, " bounds");
    CHECK_TEXT(n.skipped, "");
    CHECK_HAS(n.detail, "shade");
    CHECK_INT(run(broken(), "nan", "ticks", NULL, &n), 0);
}
