/* A craft that is kept between calls: settings, the item, what was advised and what was done. The
 * text comes from outside: everything in it is checked, and what is written is made anew from what
 * was read. */
#include "advise.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCHEMA  "ludus.craft.session/"
#define VERSION "1"

const char *const craft_advise_how_words[ADVISE_HOWS] = {"advised", "told", "unknown"};
/* settings of one call */
static const char *const unkept[] = {"session", "did", "seed", "threads", "memory"};

static lu_status damaged(const craft_advise_session *s, lu_error *error, const char *what) {
    return lu_fail(error, LU_DAMAGED_FILE,
                   "%s is damaged: %s; restore a copy or start with a new file", s->name, what);
}

void craft_advise_session_close(craft_advise_session *s) {
    lu_json_close(s->document);
    free(s->step);
    free(s->pool);
    memset(s, 0, sizeof *s);
}

/* ---- settings ---- */

static bool is_kept(const char *key) {
    bool kept = true;
    for (size_t k = 0; k < sizeof unkept / sizeof *unkept; k++) {
        kept = kept && strcmp(unkept[k], key) != 0;
    }
    return kept;
}

static const lu_setting *row_of(const lu_table *table, const char *key) {
    for (int k = 0; k < table->count; k++) {
        if (strcmp(table->rows[k].key, key) == 0 && is_kept(key)) {
            return &table->rows[k];
        }
    }
    return NULL;
}

/* Whether the caller names another target than the session. */
static bool is_overruled(const lu_settings *settings, const char *key) {
    bool target = strcmp(key, "want") == 0 || strcmp(key, "target_spec") == 0;
    return target &&
           (lu_settings_is_set(settings, "want") || lu_settings_is_set(settings, "target_spec"));
}

lu_status craft_advise_session_settings(const craft_advise_session *s, const lu_table *table,
                                        lu_settings *settings, lu_error *error) {
    lu_json json = LU_JSON_INIT;
    lu_status status = LU_OK;
    lu_json_object(&json);
    for (size_t k = 0; k < lu_json_count(s->settings) && status == LU_OK; k++) {
        const char *key;
        const lu_json_value *value = lu_json_member(s->settings, k, &key);
        const lu_setting *row = row_of(table, key);
        /* the text itself: a session names no path that would be read here */
        bool ok = row && (row->type != LU_FILE || lu_json_get(value, "text"));
        status =
            ok ? LU_OK : damaged(s, error, "it has a setting that does not belong in a session");
        if (ok && !is_overruled(settings, key)) {
            lu_json_key_value(&json, key, value);
        }
    }
    lu_json_object_end(&json);
    LU_THEN(status, lu_settings_text(settings, "json", s->name, json.text, json.length,
                                     LU_FROM_PRESET, error));
    lu_json_free(&json);
    return status;
}

static void write_settings(const lu_table *table, const lu_settings *settings, lu_json *json) {
    lu_json_key_object(json, "settings");
    for (int k = 0; k < table->count; k++) {
        const lu_setting *row = &table->rows[k];
        if (row->type == LU_ALIAS || !is_kept(row->key) ||
            !lu_settings_is_set(settings, row->key)) {
            continue;
        }
        lu_json_key(json, row->key);
        if (row->type == LU_FILE) {
            const lu_file_text *file = lu_settings_file_of(settings, row->key, 0);
            lu_json_object(json);
            lu_json_key_string(json, "name", file->name);
            lu_json_key(json, "text");
            lu_json_string_n(json, file->text, file->length);
            lu_json_object_end(json);
        } else {
            lu_settings_write(settings, row->key, json);
        }
    }
    lu_json_object_end(json);
}

/* ---- items ---- */

/* The pool of a base, made where it is not the last one. */
static lu_status take_pool(craft_advise_session *s, const craft_pack *pack, int base, int ilvl,
                           lu_error *error) {
    craft_switches switches = craft_switches_of(pack->about.version);
    if (s->pool && s->pool->base == base && s->pool->ilvl == ilvl) {
        return LU_OK;
    }
    s->pool = s->pool ? s->pool : lu_alloc(sizeof *s->pool);
    return craft_pool_init(s->pool, pack, base, ilvl, &switches, error);
}

static lu_status read_thing(craft_advise_session *s, const craft_pack *pack,
                            const lu_json_value *value, craft_advise_thing *thing,
                            lu_error *error) {
    const char *base = "";
    int64_t ilvl = 0;
    lu_error why = {0};
    if (on_item_base(value, &base, &ilvl, &why) != LU_OK || ilvl == 0 ||
        (thing->base = craft_base_find(pack, base)) < 0 ||
        take_pool(s, pack, thing->base, (int)ilvl, &why) != LU_OK ||
        craft_item_read(s->pool, pack, value, &thing->item, &why) != LU_OK) {
        return damaged(s, error, *why.text ? why.text : "an item has no known base");
    }
    thing->ilvl = (int32_t)ilvl;
    return LU_OK;
}

static lu_status write_thing(craft_advise_session *s, const craft_pack *pack, const char *key,
                             const craft_advise_thing *thing, lu_json *json, lu_error *error) {
    LU_TRY(take_pool(s, pack, thing->base, thing->ilvl, error));
    lu_json_key_object(json, key);
    lu_json_key_string(json, "base", pack->bases[thing->base].name);
    lu_json_key_int(json, "ilvl", thing->ilvl);
    craft_item_write(s->pool, pack, &thing->item, json);
    lu_json_object_end(json);
    return LU_OK;
}

/* ---- steps ---- */

static lu_status read_action(const craft_advise_session *s, const lu_json_value *value,
                             const char *key, char action[CRAFT_USE_NAME], lu_error *error) {
    const char *text = "";
    if (lu_json_get_text(value, key, &text, NULL) != LU_OK || strlen(text) >= CRAFT_USE_NAME) {
        return damaged(s, error, "an action in it isn't a short text");
    }
    snprintf(action, CRAFT_USE_NAME, "%s", text);
    return LU_OK;
}

static lu_status read_step(craft_advise_session *s, const craft_pack *pack,
                           const lu_json_value *value, craft_advise_step *step, lu_error *error) {
    const char *how = "";
    memset(step, 0, sizeof *step);
    LU_TRY(read_action(s, value, "action", step->action, error));
    if (lu_json_get_real(value, "price", 0.0, 1e12, &step->price, NULL) != LU_OK ||
        lu_json_get_real(value, "chance", 0.0, 1.0, &step->chance, NULL) != LU_OK ||
        lu_json_get_text(value, "how", &how, NULL) != LU_OK) {
        return damaged(s, error, "a step of 'done' lacks its price, chance or 'how'");
    }
    while (step->how < ADVISE_UNKNOWN && strcmp(craft_advise_how_words[step->how], how) != 0) {
        step->how++;
    }
    LU_TRY(read_thing(s, pack, lu_json_get(value, "before"), &step->before, error));
    return read_thing(s, pack, lu_json_get(value, "after"), &step->after, error);
}

static lu_status write_step(craft_advise_session *s, const craft_pack *pack,
                            const craft_advise_step *step, lu_json *json, lu_error *error) {
    lu_json_object(json);
    lu_json_key_string(json, "action", step->action);
    lu_json_key_string(json, "how", craft_advise_how_words[step->how]);
    lu_json_key_real(json, "price", step->price);
    lu_json_key_real(json, "chance", step->chance);
    lu_status status = write_thing(s, pack, "before", &step->before, json, error);
    LU_THEN(status, write_thing(s, pack, "after", &step->after, json, error));
    lu_json_object_end(json);
    return status;
}

/* ---- the whole ---- */

lu_status craft_advise_session_open(craft_advise_session *s, const char *name, const char *text,
                                    size_t length, lu_error *error) {
    const char *schema = "";
    lu_error why = {0};
    *s = (craft_advise_session){.name = name};
    s->step = lu_alloc_zero(1, sizeof *s->step);
    if (length == 0) {
        return LU_OK;
    }
    s->document = lu_json_read(name, text, length, &why);
    if (!s->document) {
        return damaged(s, error, why.text);
    }
    const lu_json_value *root = lu_json_root(s->document);
    if (lu_json_get_text(root, "schema", &schema, NULL) != LU_OK ||
        strncmp(schema, SCHEMA, strlen(SCHEMA)) != 0) {
        return lu_fail(error, LU_FOREIGN_FILE, "%s isn't a session of `ludus craft advise`", name);
    }
    if (strcmp(schema + strlen(SCHEMA), VERSION) != 0) {
        return lu_fail(error, LU_OTHER_VERSION, "%s is of version %.20s; this program reads %s",
                       name, schema + strlen(SCHEMA), VERSION);
    }
    s->settings = lu_json_get(root, "settings");
    s->begun = lu_json_get(root, "item") != NULL;
    return lu_json_kind_of(s->settings) == LU_JSON_OBJECT
               ? LU_OK
               : damaged(s, error, "'settings' isn't an object");
}

lu_status craft_advise_session_read(craft_advise_session *s, const craft_pack *pack,
                                    lu_error *error) {
    const lu_json_value *root = s->document ? lu_json_root(s->document) : NULL;
    const lu_json_value *done = lu_json_get(root, "done");
    size_t count = lu_json_count(done);
    if (!s->begun) {
        return LU_OK;
    }
    if (lu_json_kind_of(done) != LU_JSON_ARRAY || count > ADVISE_STEPS) {
        return damaged(s, error, "'done' isn't a list of steps");
    }
    free(s->step);
    s->step = lu_alloc_zero(count + 1, sizeof *s->step);
    LU_TRY(read_thing(s, pack, lu_json_get(root, "item"), &s->item, error));
    LU_TRY(read_action(s, root, "next", s->next, error));
    for (size_t k = 0; k < count; k++) {
        LU_TRY(read_step(s, pack, lu_json_at(done, k), &s->step[k], error));
        s->spent += s->step[k].price;
        s->steps++;
    }
    return LU_OK;
}

lu_status craft_advise_session_write(craft_advise_session *s, const craft_pack *pack,
                                     const lu_table *table, const lu_settings *settings,
                                     lu_json *json, lu_error *error) {
    lu_json_object(json);
    lu_json_key_string(json, "schema", SCHEMA VERSION);
    write_settings(table, settings, json);
    lu_status status = write_thing(s, pack, "item", &s->item, json, error);
    lu_json_key_string(json, "next", s->next);
    lu_json_key_real(json, "spent", s->spent); /* for readers: the sum of the prices below */
    lu_json_key_array(json, "done");
    for (int k = 0; k < s->steps && status == LU_OK; k++) {
        status = write_step(s, pack, &s->step[k], json, error);
    }
    lu_json_array_end(json);
    lu_json_object_end(json);
    return status == LU_OK && (json->length > ADVISE_BYTES || s->steps > ADVISE_STEPS)
               ? lu_fail(error, LU_LIMIT, "%s is full after %d steps; start with a new file",
                         s->name, s->steps - 1)
               : status;
}
