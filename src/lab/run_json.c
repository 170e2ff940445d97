/* Entries of the catalogue as JSON: see catalogue.h. docs/openapi.json describes them as Run and
 * Replay. */
#include "ludus/catalogue.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void write_tags(const char *tags, lu_json *json) {
    lu_json_key_array(json, "tags");
    while (*(tags += strspn(tags, " "))) {
        size_t length = strcspn(tags, " ");
        lu_json_string_n(json, tags, length);
        tags += length;
    }
    lu_json_array_end(json);
}

static void write_best(const lu_run_entry *e, lu_json *json) {
    lu_json_key(json, "best_window");
    if (e->best_window < 0) {
        lu_json_null(json);
        lu_json_key(json, "best");
        lu_json_null(json);
        return;
    }
    lu_json_int(json, e->best_window);
    lu_json_key_object(json, "best");
    lu_json_key_real(json, "mean", e->best);
    lu_json_key_real(json, "low", e->best_low);
    lu_json_key_real(json, "high", e->best_high);
    lu_json_object_end(json);
}

void lu_run_entry_write(const lu_run_entry *e, lu_json *json) {
    const struct {
        const char *key, *text;
    } texts[] = {
        {"run_id", e->run_id}, {"game", e->game},       {"algorithm", e->algorithm},
        {"status", e->status}, {"started", e->started}, {"written", e->written},
        {"seed", e->seed},     {"commit", e->commit},   {"version", e->version},
        {"host", e->host},     {"notes", e->note},      {"experiment", e->experiment},
        {"metric", e->metric},
    };
    const struct {
        const char *key;
        int64_t value;
    } numbers[] = {
        {"update", e->update},   {"env_steps", e->env_steps},     {"resumes", e->resumes},
        {"windows", e->windows}, {"evaluations", e->evaluations}, {"replays", e->replays},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        lu_json_key_string(json, texts[i].key, texts[i].text);
    }
    write_tags(e->tags, json);
    lu_json_key_bool(json, "archived", e->archived);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        lu_json_key_int(json, numbers[i].key, numbers[i].value);
    }
    lu_json_key_real(json, "wall_seconds", e->wall_seconds);
    lu_json_key_real(json, "last_return", e->last_return);
    write_best(e, json);
}

void lu_run_facts_write(const lu_json_value *facts, lu_json *json) {
    const lu_json_value *settings = lu_json_get(facts, "settings");
    const lu_json_value *cpu = lu_json_get(facts, "cpu");
    bool told = lu_json_kind_of(cpu) == LU_JSON_STRING;
    lu_json_key_string(json, "cpu", told ? lu_json_text(cpu, NULL) : "");
    if (lu_json_kind_of(settings) == LU_JSON_OBJECT) {
        lu_json_key_value(json, "settings", settings);
    } else {
        lu_json_key_object(json, "settings");
        lu_json_object_end(json);
    }
}

/* The text is out of a database that anyone may have written. */
static void write_infos(const char *text, lu_json *json) {
    lu_json_document *infos = lu_json_read("infos", text, strlen(text), NULL);
    lu_json_key(json, "infos");
    if (infos && lu_json_kind_of(lu_json_root(infos)) == LU_JSON_OBJECT) {
        lu_json_value_write(json, lu_json_root(infos));
    } else {
        lu_json_object(json);
        lu_json_object_end(json);
    }
    lu_json_close(infos);
}

void lu_replay_entry_write(const lu_replay_entry *e, lu_json *json) {
    char seed[24];
    snprintf(seed, sizeof seed, "%" PRIu64, e->seed);
    lu_json_key_string(json, "run_id", e->run_id);
    lu_json_key_string(json, "replay_id", e->replay_id);
    lu_json_key_int(json, "window_id", e->window_id);
    lu_json_key_string(json, "seed", seed);
    write_tags(e->tags, json);
    lu_json_key_real(json, "return", e->episode_return);
    lu_json_key_real(json, "value", e->value);
    lu_json_key_int(json, "decisions", e->decisions);
    lu_json_key_int(json, "ticks", e->ticks);
    lu_json_key_bool(json, "terminated", e->terminated);
    lu_json_key_bool(json, "truncated", e->truncated);
    lu_json_key_string(json, "end", e->end);
    write_infos(e->infos, json);
    lu_json_key_int(json, "bytes", e->bytes);
    lu_json_key_string(json, "written", e->written);
}
