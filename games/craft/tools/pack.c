/* `ludus craft pack FILE...`: data of Craft of Exile, RePoE or plain lists as a pack of the user.
 * It says what it read and what is missing; its answer is the pack: `ludus craft pack FILE...
 * --json > my_pack.json`. What it writes was read back as a pack before. */
#include "pack.h"

#include "craft_pack_file.h"

#include "ludus/settings.h"
#include "ludus/tool.h"

#include <math.h>
#include <string.h>
#include <strings.h>

enum { FILES = 8 };

static const lu_setting rows[] = {
    {"name", LU_TEXT, "mine", 1, 60, NULL, "Name of the pack.", false},
    {"rules", LU_ENUM, "poe2-0.4", 0, 0, "poe2-0.4|poe2-0.3|poe2-0.5",
     "Pack whose currencies, omens, bones and prices it takes.", false},
    {"patch", LU_TEXT, "", 0, 60, NULL, "Version of the game that the data is from.", false},
    {"date", LU_TEXT, "", 0, 32, NULL, "When the data was fetched.", false},
    {"base", LU_TEXT, "Plain Base", 1, 60, NULL, "Name of the base of a plain mods.json.", false},
    {"class", LU_TEXT, "Boots", 1, 60, NULL, "Class of the base of a plain mods.json.", false},
};

static const char *const form_names[PACK_FORMS] = {
    "Craft of Exile (poecd)",
    "Craft of Exile (poecl)",
    "Craft of Exile (poecc)",
    "RePoE mods.json",
    "RePoE base_items.json",
    "plain mods.json",
    "a pack",
};

/* ---- shared with the writers ---- */

const char *pack_text(const lu_json_value *object, const char *key) {
    const lu_json_value *value = lu_json_get(object, key);
    if (lu_json_kind_of(value) == LU_JSON_NUMBER) {
        return lu_json_number_text(value);
    }
    return lu_json_kind_of(value) == LU_JSON_STRING ? lu_json_text(value, NULL) : "";
}

double pack_number(const lu_json_value *object, const char *key, double other) {
    double number;
    return lu_parse_real(key, pack_text(object, key), -1e12, 1e12, &number, NULL) == LU_OK ? number
                                                                                           : other;
}

int pack_class_of(const craft_pack *rules, const char *text) {
    const char *end = strstr(text, " (");
    size_t length = end ? (size_t)(end - text) : strlen(text);
    for (int k = 0; k < rules->class_count; k++) {
        const char *name = rules->classes[k].name;
        size_t own = strlen(name);
        bool plural = length == own + 1 && (text[own] == 's' || text[own] == 'S');
        if ((length == own || plural) && strncasecmp(name, text, own) == 0) {
            return k;
        }
    }
    return -1;
}

/* A range of more than 255 values, or of more decimals than two, is left out. */
void pack_ranges(pack_job *job, const double (*range)[2], int count) {
    bool fits = true;
    for (int k = 0; k < count; k++) {
        double wide = range[k][1] - range[k][0];
        double hundred = range[k][0] * 100.0, other = range[k][1] * 100.0;
        bool whole = fabs(range[k][0] - round(range[k][0])) < 1e-9 &&
                     fabs(range[k][1] - round(range[k][1])) < 1e-9;
        bool fine = fabs(hundred - round(hundred)) < 1e-6 && fabs(other - round(other)) < 1e-6;
        double steps = whole ? wide : wide * 100.0;
        fits = fits && fine && steps <= 254.0 && fabs(hundred) <= 32000.0 && fabs(other) <= 32000.0;
    }
    lu_json_key_array(job->json, "ranges");
    for (int k = 0; k < count && fits; k++) {
        lu_json_array(job->json);
        lu_json_real(job->json, range[k][0]);
        lu_json_real(job->json, range[k][1]);
        lu_json_array_end(job->json);
    }
    lu_json_array_end(job->json);
}

/* ---- files ---- */

/* Text behind `poecd=` and the like, without the semicolon at its end; *form: what the name says,
 * PACK_FORMS: nothing. */
static void unwrap(const char **text, size_t *length, pack_form *form) {
    static const char *const names[] = {"poecd", "poecl", "poecc"};
    const char *at = *text, *end = *text + *length;
    *form = PACK_FORMS;
    while (at < end && (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t')) {
        at++;
    }
    at += end - at > 4 && strncmp(at, "var ", 4) == 0 ? 4 : 0;
    for (int k = 0; k < 3; k++) {
        if (end - at > 6 && strncmp(at, names[k], 5) == 0 && at[5] == '=') {
            *form = (pack_form)(PACK_COE_DATA + k);
            at += 6;
            break;
        }
    }
    while (*form < PACK_FORMS && end > at && (end[-1] == ';' || end[-1] == '\n')) {
        end--;
    }
    if (*form < PACK_FORMS) {
        *text = at;
        *length = (size_t)(end - at);
    }
}

/* What a value looks like. */
static pack_form form_of(const lu_json_value *root) {
    const char *key;
    const lu_json_value *first = lu_json_count(root) > 0 && lu_json_kind_of(root) == LU_JSON_OBJECT
                                     ? lu_json_member(root, 0, &key)
                                     : NULL;
    return lu_json_get(root, "schema")                                      ? PACK_READY
           : lu_json_get(root, "modifiers") && lu_json_get(root, "tiers")   ? PACK_COE_DATA
           : lu_json_get(root, "prefixes") || lu_json_get(root, "suffixes") ? PACK_PLAIN
           : lu_json_get(root, "benchcosts")                                ? PACK_COE_COMMON
           : lu_json_get(first, "generation_type")                          ? PACK_REPOE_MODS
           : lu_json_get(first, "item_class")                               ? PACK_REPOE_BASES
                                                                            : PACK_FORMS;
}

static lu_status open_file(pack_job *job, const lu_tool_input *input, lu_json_document **document,
                           lu_error *error) {
    const char *text = input->text;
    size_t length = input->length;
    pack_form form;
    unwrap(&text, &length, &form);
    *document = lu_json_read(input->name, text, length, error);
    if (!*document) {
        return LU_BAD_DATA;
    }
    const lu_json_value *root = lu_json_root(*document);
    form = form < PACK_FORMS ? form : form_of(root);
    if (form == PACK_FORMS || lu_json_kind_of(root) != LU_JSON_OBJECT) {
        return lu_fail(error, LU_BAD_DATA,
                       "%s: neither data of Craft of Exile (poecd=), RePoE's mods.json or "
                       "base_items.json, nor lists 'prefixes' and 'suffixes'",
                       input->name);
    }
    if (job->root[form]) {
        return lu_fail(error, LU_BAD_DATA, "%s: there is already %s; use one file of each",
                       input->name, form_names[form]);
    }
    job->root[form] = root;
    lu_text_line(&job->notes, "read: %s, %s", input->name, form_names[form]);
    return LU_OK;
}

/* ---- the pack ---- */

static lu_status write_tables(pack_job *job, lu_error *error) {
    bool coe = job->root[PACK_COE_DATA] != NULL, plain = job->root[PACK_PLAIN] != NULL;
    bool repoe = job->root[PACK_REPOE_MODS] && job->root[PACK_REPOE_BASES];
    if (coe + plain + repoe != 1) {
        return lu_fail(error, LU_USAGE,
                       coe + plain + repoe > 1
                           ? "the files are in different formats; use one format"
                           : "name poec_data.json, or RePoE's mods.json with its base_items.json, "
                             "or a plain mods.json");
    }
    if (coe) {
        pack_write_coe(job);
    } else if (repoe) {
        pack_write_repoe(job);
    } else if (pack_class_of(job->rules, job->item_class) < 0) {
        return lu_fail(error, LU_BAD_VALUE, "'class' = '%s' isn't a class of items",
                       job->item_class);
    } else {
        pack_write_plain(job);
    }
    lu_text_line(&job->notes, "read: %d bases, %d modifiers", job->bases, job->mods);
    return LU_OK;
}

static lu_status write_pack(pack_job *job, const lu_settings *v, lu_error *error) {
    const char *source = job->root[PACK_COE_DATA]    ? "Craft of Exile"
                         : job->root[PACK_PLAIN]     ? "plain lists"
                         : job->root[PACK_COE_WORDS] ? "Craft of Exile"
                                                     : "RePoE";
    lu_json *json = job->json;
    lu_json_object(json);
    lu_json_key_string(json, "schema", "ludus.craft.pack/1");
    lu_json_key_string(json, "name", lu_settings_text_of(v, "name"));
    lu_json_key_string(json, "rules", lu_settings_text_of(v, "rules"));
    lu_json_key_string(json, "patch", lu_settings_text_of(v, "patch"));
    lu_json_key_string(json, "date", lu_settings_text_of(v, "date"));
    lu_json_key_string(json, "source", source);
    lu_json_key_string(json, "confidence", "like the source; only it publishes these weights (C)");
    LU_TRY(write_tables(job, error));
    lu_text_line(&job->notes, "next: --json > FILE writes the pack, optimize --pack FILE uses it");
    lu_json_key_array(json, "words");
    for (const char *at = job->notes.text; *at;) {
        size_t length = strcspn(at, "\n");
        lu_json_string_n(json, at, length);
        at += length + (at[length] == '\n');
    }
    lu_json_array_end(json);
    lu_json_object_end(json);
    return LU_OK;
}

/* A pack that is given as such is only checked. */
static lu_status check_ready(const lu_tool_io *io, const lu_tool_input *input, lu_error *error) {
    craft_pack_file *file = craft_pack_file_read(input->name, input->text, input->length, error);
    lu_json json = LU_JSON_INIT;
    if (!file) {
        return LU_BAD_DATA;
    }
    const craft_pack *pack = craft_pack_file_pack(file);
    lu_json_object(&json);
    lu_json_key_string(&json, "name", pack->about.name);
    lu_json_key_int(&json, "bases", pack->base_count);
    lu_json_key_int(&json, "mods", pack->mod_count);
    lu_json_key_int(&json, "pools", pack->pool_count);
    lu_json_object_end(&json);
    io->emit(io->user, json.text, json.length);
    lu_json_free(&json);
    craft_pack_file_free(file);
    return LU_OK;
}

static lu_status answer(const lu_tool_io *io, pack_job *job, lu_error *error) {
    if (job->root[PACK_READY] && io->input_count == 1) {
        return check_ready(io, &io->inputs[0], error);
    }
    LU_TRY(write_pack(job, io->settings, error));
    craft_pack_file *file =
        craft_pack_file_read("the pack", job->json->text, job->json->length, error);
    if (!file) {
        return LU_BAD_DATA;
    }
    craft_pack_file_free(file);
    io->emit(io->user, job->json->text, job->json->length);
    return LU_OK;
}

static lu_status run(const lu_tool_io *io, lu_error *error) {
    lu_json json = LU_JSON_INIT;
    lu_json_document *document[FILES] = {NULL};
    pack_job job = {
        .rules = craft_pack_find(lu_settings_text_of(io->settings, "rules")),
        .base = lu_settings_text_of(io->settings, "base"),
        .item_class = lu_settings_text_of(io->settings, "class"),
        .json = &json,
        .notes = LU_TEXT_INIT,
    };
    lu_status status = LU_OK;
    if (io->input_count < 1 || io->input_count > FILES) {
        return lu_fail(error, LU_USAGE, "craft pack needs 1 to %d files", FILES);
    }
    for (int k = 0; k < io->input_count && status == LU_OK; k++) {
        status = open_file(&job, &io->inputs[k], &document[k], error);
    }
    LU_THEN(status, answer(io, &job, error));
    for (int k = 0; k < FILES; k++) {
        lu_json_close(document[k]);
    }
    lu_json_free(&json);
    lu_text_free(&job.notes);
    return status;
}

extern const lu_tool lu_tool_craft_pack;
const lu_tool lu_tool_craft_pack = {
    .game = "craft",
    .name = "pack",
    .sentence = "Makes a pack of data from Craft of Exile, RePoE or plain lists of modifiers.",
    .settings = {"craft pack", rows, sizeof rows / sizeof *rows},
    .run = run,
};
