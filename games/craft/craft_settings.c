/* Settings and reset options of craft: the tables, and the rules block with its pool and tasks that
 * follows from them. */
#include "craft.h"
#include "craft_pack_file.h"
#include "craft_switches.h"

#include "ludus/hash.h"

#include <stdlib.h>

/* Of the settings without a target. */
static const char plain_target[] =
    "{\"need\":[{\"id\":\"ms\",\"any_of\":[{\"group\":\"move_speed\",\"max_tier\":3}]},"
    "{\"id\":\"life\",\"any_of\":[{\"group\":\"life\",\"max_tier\":4}]}]}";

const lu_setting craft_rows[] = {
    {"data", LU_ENUM, "poe2-0.4", 0, 0, "poe2-0.4|poe2-0.3|poe2-0.5",
     "Pack of modifiers, weights and rules.", false},
    {"pack", LU_FILE, "", 0, 0, NULL, "Your own pack, instead of data.", false},
    {"base", LU_TEXT, "Blacksteel Sabatons", 0, 64, NULL, "Name of the base.", false},
    {"ilvl", LU_INT, "82", 1, 100, NULL, "Item level of the bases.", false},
    {"target", LU_JSON, "", 0, 0, NULL,
     "The target: requirements, open slots, what is forbidden or excluded; default: movement speed "
     "of tier 3 and life of tier 4 or better.",
     false},
    {"target_file", LU_FILE, "", 0, 0, NULL, "The target as a file, instead of target.", false},
    {"targets", LU_INT, "0", 0, CRAFT_TASKS_MAX, NULL,
     "Draws this many targets of one to three requirements from the pool, such that additions "
     "finish within half the budget and steps; each episode has one of them, or the target if one "
     "is given.",
     false},
    {"targets.seed", LU_INT, "1", 0, 1e9, NULL, "Seed of the drawn targets and their prices.",
     false},
    {"prices", LU_FILE, "", 0, 0, NULL,
     "Prices (unit, rates, prices by item); default: those of the pack, with their date.", false},
    {"prices.spread", LU_REAL, "1", 1, 100, NULL,
     "Multiplies each price of each drawn target by a factor between 1 / this and this.", false},
    {"base_price", LU_REAL, "-1", -1, 1e9, NULL,
     "Price of a white base in exalted orbs; -1: from the prices.", false},
    {"budget", LU_REAL, "500", 0.001, 1e9, NULL,
     "Budget of an episode in exalted orbs, unless the target sets one.", false},
    {"max_bases", LU_INT, "100", 1, 1e6, NULL,
     "White bases per episode, unless the target sets a number.", false},
    {"max_steps", LU_INT, "2000", 1, 1e6, NULL, "Decisions per episode.", false},
    {"auto_stop", LU_BOOL, "true", 0, 0, NULL,
     "Ends an episode as soon as the item fulfils the target; otherwise stop must be chosen.",
     false},
    {"scale", LU_REAL, "0", -1, 1e9, NULL,
     "Exalted orbs that count as 1 in the reward; 0: the budget; below 0: what additions alone "
     "would cost.",
     false},
    {"actions", LU_ENUM, "all", 0, 0, "all|plain",
     "All actions, or only basic and Greater currencies, omens of a side and upgrade essences.",
     false},
    {"reward.gamma", LU_REAL, "1", 0, 1, NULL, "Discount of the potential.", false},
    CRAFT_SWITCH_LIST,
};
LU_STATIC_ASSERT(LU_COUNT(craft_rows) == CRAFT_ROWS, "craft.h counts the rows");

const lu_setting craft_option_rows[] = {
    {"task", LU_INT, "-1", -1, CRAFT_TASKS_MAX - 1, NULL, "Which of the drawn targets; -1: any.",
     false},
};

/* ---- the rules block ---- */

enum { DRAWS = 400 }; /* of a target, before none is taken to be cheap enough */

/* Drawn targets come first; one that is given, or none but that of the defaults, is the last. */
static int tasks_of(const lu_settings *v) {
    int drawn = (int)lu_settings_int(v, "targets");
    bool given = *lu_settings_text_of(v, "target") || lu_settings_file_of(v, "target_file", 0);
    return drawn > 0 && !given ? drawn : drawn + 1;
}

/* Tasks lie behind the struct. */
size_t craft_rules_more(const lu_settings *v) {
    const lu_file_text *own = lu_settings_file_of(v, "pack", 0);
    return (size_t)tasks_of(v) * sizeof(craft_task) + (own ? own->length + 1 : 0);
}

/* The last pack of a user that was asked for: views and states name modifiers one after the other
 * from one pack, and a file takes long to read. */
static _Thread_local struct {
    uint64_t hash;
    craft_pack_file *file;
} last_pack;

/* NULL with the reason when the text is no pack. */
static const craft_pack *own_pack(const char *name, const char *text, size_t length,
                                  lu_error *error) {
    uint64_t hash = lu_hash(text, length, 0);
    if (!last_pack.file || last_pack.hash != hash) {
        craft_pack_file *file = craft_pack_file_read(name, text, length, error);
        if (!file) {
            return NULL;
        }
        craft_pack_file_free(last_pack.file);
        last_pack.file = file;
        last_pack.hash = hash;
    }
    return craft_pack_file_pack(last_pack.file);
}

const craft_pack *craft_rules_pack(const craft_rules *m) {
    return m->own_pack ? own_pack("pack", LU_RULES_AT(m, char, m->own_pack), m->own_bytes, NULL)
                       : craft_pack_at(m->pack);
}

/* The pack of the settings; a file is kept in the block, so that rules need nothing else. */
static const craft_pack *read_pack(craft_rules *m, const lu_settings *v, lu_error *error) {
    const lu_file_text *own = lu_settings_file_of(v, "pack", 0);
    m->pack = lu_settings_enum(v, "data");
    if (!own) {
        return craft_pack_at(m->pack);
    }
    m->own_pack = m->first_task + (uint32_t)((size_t)tasks_of(v) * sizeof(craft_task));
    m->own_bytes = (uint32_t)own->length;
    memcpy((unsigned char *)m + m->own_pack, own->text, own->length);
    return own_pack(own->name, own->text, own->length, error);
}

/* The target of the settings, with what it leaves open. */
static lu_status read_target(craft_target *target, const craft_pack *pack, const lu_settings *v,
                             lu_error *error) {
    const lu_file_text *file = lu_settings_file_of(v, "target_file", 0);
    const char *text = file ? file->text : lu_settings_text_of(v, "target");
    const char *name = file ? file->name : "target";
    text = *text ? text : plain_target;
    lu_json_document *document = lu_json_read(name, text, strlen(text), error);
    if (!document) {
        return LU_BAD_VALUE;
    }
    lu_status status = craft_target_read(target, pack, lu_json_root(document), error);
    lu_json_close(document);
    return status == LU_OK ? LU_OK : LU_BAD_VALUE;
}

/* Exalted of one unit of a price file. */
static lu_status read_rate(craft_prices *prices, const lu_json_value *root, lu_error *error) {
    const char *unit = "exalted";
    prices->file = lu_json_get(root, "prices");
    prices->rate = 1.0;
    if (lu_json_kind_of(prices->file) != LU_JSON_OBJECT) {
        return lu_fail(error, LU_BAD_VALUE, "'prices': the file has no object 'prices'");
    }
    if (lu_json_get(root, "unit") && lu_json_get_text(root, "unit", &unit, error) != LU_OK) {
        return LU_BAD_VALUE;
    }
    if (strcmp(unit, "exalted") != 0 && lu_json_get_real(lu_json_get(root, "rates"), unit, 1e-9,
                                                         1e9, &prices->rate, error) != LU_OK) {
        return lu_fail(error, LU_BAD_VALUE,
                       "'prices': 'rates' does not say how many exalted orbs one '%s' is", unit);
    }
    return LU_OK;
}

/* A target whose cost by additions lies within half the budget and the steps. */
static lu_status draw_task(const craft_rules *m, craft_task *task, craft_target *wanted,
                           const craft_prices *prices, craft_ruleset ruleset, lu_error *error) {
    lu_rng rng = lu_rng_from(prices->seed);
    for (int tries = 0; tries < DRAWS; tries++) {
        const craft_outlook *o = &task->outlook;
        craft_target_random(wanted, &m->pool, prices->pack, &rng);
        LU_TRY(craft_task_init(task, &m->pool, prices->pack, wanted, prices, ruleset, error));
        if (ruleset == CRAFT_CLASSIC || (o->possible && o->cost <= 0.5 * task->budget &&
                                         o->uses <= 0.5 * (double)m->max_steps)) {
            return LU_OK;
        }
    }
    return lu_fail(
        error, LU_BAD_VALUE,
        "'targets': none of %d drawn is within half of 'budget' and 'max_steps': raise them",
        DRAWS);
}

/* All tasks, with prices from the pack or from a file that is read. */
static lu_status init_tasks(craft_rules *m, const lu_settings *v, const craft_target *target,
                            craft_prices *prices, craft_ruleset ruleset, lu_error *error) {
    craft_task *tasks = (craft_task *)(void *)((unsigned char *)m + m->first_task);
    lu_status status = LU_OK;
    double given = lu_settings_real(v, "scale");
    for (int k = 0; k < m->tasks && status == LU_OK; k++) {
        craft_target *wanted = lu_alloc(sizeof *wanted);
        *wanted = *target;
        wanted->budget = target->budget > 0.0 ? target->budget : lu_settings_real(v, "budget");
        wanted->max_bases =
            target->max_bases > 0 ? target->max_bases : (int32_t)lu_settings_int(v, "max_bases");
        if (k < (int)lu_settings_int(v, "targets")) {
            prices->seed = lu_mix((uint64_t)lu_settings_int(v, "targets.seed"), (uint64_t)k, 1);
            prices->spread = lu_settings_real(v, "prices.spread");
            status = draw_task(m, &tasks[k], wanted, prices, ruleset, error);
        } else {
            prices->spread = 1.0;
            status =
                craft_task_init(&tasks[k], &m->pool, prices->pack, wanted, prices, ruleset, error);
        }
        double scale = given < 0.0 ? tasks[k].outlook.cost : given;
        if (status == LU_OK && scale > 0.0) {
            tasks[k].chaos *= tasks[k].scale / scale;
            tasks[k].scale = scale;
        }
        free(wanted);
    }
    return status;
}

static lu_status init_priced(craft_rules *m, const lu_settings *v, const craft_target *target,
                             const craft_pack *pack, craft_ruleset ruleset, lu_error *error) {
    craft_prices prices = {
        .pack = pack, .rate = 1.0, .white_base = lu_settings_real(v, "base_price"), .spread = 1.0};
    const lu_file_text *file = lu_settings_file_of(v, "prices", 0);
    if (!file) {
        return init_tasks(m, v, target, &prices, ruleset, error);
    }
    lu_json_document *document = lu_json_read(file->name, file->text, file->length, error);
    if (!document) {
        return LU_BAD_VALUE;
    }
    lu_status status = read_rate(&prices, lu_json_root(document), error);
    if (status == LU_OK) {
        status = init_tasks(m, v, target, &prices, ruleset, error);
    }
    lu_json_close(document);
    return status;
}

static lu_status init(lu_rules *rules, const lu_settings *v, bool classic, lu_error *error) {
    craft_rules *m = (craft_rules *)(void *)rules;
    m->tasks = tasks_of(v);
    m->first_task = sizeof(craft_rules);
    const craft_pack *pack = read_pack(m, v, error);
    if (!pack) {
        return LU_BAD_VALUE;
    }
    craft_switches switches;
    craft_target *target = lu_alloc(sizeof *target);
    lu_status status = read_target(target, pack, v, error);
    const char *name =
        status == LU_OK && *target->base ? target->base : lu_settings_text_of(v, "base");
    int base = craft_base_find(pack, name);
    if (status == LU_OK && base < 0) {
        status =
            lu_fail(error, LU_BAD_VALUE, "'base': %s knows no base '%s'", pack->about.name, name);
    }
    if (status == LU_OK) {
        status = craft_switches_read(&switches, pack->about.version, v, error);
    }
    if (status == LU_OK) {
        int ilvl = target->ilvl > 0 ? target->ilvl : (int)lu_settings_int(v, "ilvl");
        status = craft_pool_init(&m->pool, pack, base, ilvl, &switches, error);
    }
    m->gamma = lu_settings_real(v, "reward.gamma");
    m->actions = classic ? CRAFT_CLASSIC_ACTIONS : CRAFT_ACTIONS;
    m->max_steps = (int32_t)lu_settings_int(v, "max_steps");
    m->auto_stop = lu_settings_bool(v, "auto_stop");
    craft_ruleset ruleset = classic                              ? CRAFT_CLASSIC
                            : lu_settings_enum(v, "actions") > 0 ? CRAFT_PLAIN_USES
                                                                 : CRAFT_FULL;
    status = status == LU_OK ? init_priced(m, v, target, pack, ruleset, error) : status;
    free(target);
    return status;
}

lu_status craft_rules_init(lu_rules *rules, const lu_settings *v, lu_error *error) {
    return init(rules, v, false, error);
}

lu_status craft_classic_init(lu_rules *rules, const lu_settings *v, lu_error *error) {
    return init(rules, v, true, error);
}

lu_status craft_options_init(const lu_rules *rules, const lu_settings *v, void *block,
                             lu_error *error) {
    const craft_rules *m = (const craft_rules *)(const void *)rules;
    craft_options *wish = block;
    memset(wish, 0, sizeof *wish);
    wish->task = (int32_t)lu_settings_int(v, "task");
    if (wish->task >= m->tasks) {
        return lu_fail(error, LU_BAD_VALUE, "'task' = %d: there are %d", wish->task, m->tasks);
    }
    return LU_OK;
}
