/* ludus model: what a trained model says of itself, and its archive. */
#include "call_episode.h"
#include "foreign.h"
#include "output.h"
#include "upgrade.h"

#include "ludus/json.h"
#include "ludus/run.h"
#include "ludus/tensors.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

static const verb_example examples[] = {
    {"ludus model show policy.safetensors", "game, net, training and tensors of a model"},
    {"ludus model show policy.safetensors --json", "the same with every setting, as JSON"},
    {"ludus model export policy.safetensors --zip policy.zip",
     "one archive with policy.safetensors, obs_rms.json and metadata.json"},
    {"ludus model upgrade policy.safetensors",
     "upgrades models from an earlier specification of their game"},
    {NULL, NULL},
};

static const lu_setting options[] = {
    {"zip", LU_TEXT, "", 0, 0, NULL, "export: the archive to write.", false},
};

static const lu_table *const tables[] = {&lu_run_place_table, NULL};

static const char *const words[] = {"show", "export", "upgrade", NULL};

static const char details[] =
    "FILE is a ludus model, as a safetensors file or an archive of one, or a run (its id, "
    "its\nfolder, `latest`) for its newest checkpoint; it is checked like any untrusted file. A "
    "pickle (.pt, .pth) is never read: python/ludus_convert.py converts it.";

static void shape_text(const lu_tensor *tensor, lu_text *text) {
    for (int i = 0; i < tensor->rank; i++) {
        lu_text_addf(text, "%s%" PRId64, i ? " x " : "", tensor->shape[i]);
    }
}

static void write_tensors(const lu_net *net, lu_json *json) {
    lu_json_key_array(json, "tensors");
    for (int t = 0; t < lu_net_tensors(net); t++) {
        const lu_tensor *tensor = lu_net_tensor(net, t);
        lu_json_object(json);
        lu_json_key_string(json, "name", tensor->name);
        lu_json_key_array(json, "shape");
        for (int i = 0; i < tensor->rank; i++) {
            lu_json_int(json, tensor->shape[i]);
        }
        lu_json_array_end(json);
        lu_json_object_end(json);
    }
    lu_json_array_end(json);
}

static void write_normaliser(const char *key, const lu_normaliser *normaliser, lu_json *json) {
    lu_json_key(json, key);
    if (normaliser->length == 0) {
        lu_json_null(json);
        return;
    }
    lu_json_object(json);
    lu_json_key_int(json, "length", normaliser->length);
    lu_json_key_real(json, "count", normaliser->count);
    lu_json_key_real(json, "clip", (double)normaliser->clip);
    lu_json_object_end(json);
}

static void show_json(const char *path, const lu_model_file *file) {
    lu_json json = LU_JSON_INIT;
    lu_json_object(&json);
    lu_json_key_int(&json, "schema", 1);
    lu_json_key_string(&json, "file", path);
    lu_json_key_string(&json, "game", file->game->id);
    lu_json_key_hex(&json, "spec", file->spec);
    lu_json_key_string(&json, "kind", lu_net_kind_of(file->net) == LU_NET_Q ? "q" : "policy");
    lu_json_key_int(&json, "parameters", (int64_t)lu_net_parameters(file->net));
    lu_json_key_int(&json, "step", file->step);
    lu_json_key_string(&json, "seed", cell("%" PRIu64, file->seed));
    lu_json_key_string(&json, "build", file->build);
    lu_json_key_real(&json, "return_scale", file->return_scale);
    write_normaliser("normaliser", &file->observation, &json);
    write_normaliser("critic_normaliser", &file->critic, &json);
    lu_json_key_raw(&json, "settings", file->settings_json);
    lu_json_key(&json, "card");
    if (file->card) {
        lu_json_raw(&json, file->card, strlen(file->card));
    } else {
        lu_json_null(&json);
    }
    write_tensors(file->net, &json);
    out_json_end(&json);
}

/* Lines with text out of a file. */
static void print_foreign(const char *text) {
    lu_text shown = LU_TEXT_INIT;
    foreign_add(&shown, text, 0);
    out_line("%s\n", shown.text);
    lu_text_free(&shown);
}

/* What people are told of the model, a member a line. */
static void print_card(const char *card) {
    lu_json_document *document = lu_json_read("the card", card, strlen(card), NULL);
    const char *key;
    for (size_t i = 0; document && i < lu_json_count(lu_json_root(document)); i++) {
        const lu_json_value *value = lu_json_member(lu_json_root(document), i, &key);
        lu_json json = LU_JSON_INIT;
        bool quoted = lu_json_kind_of(value) == LU_JSON_STRING;
        lu_json_value_write(&json, value);
        print_foreign(cell("  %-20s %s", key, quoted ? lu_json_text(value, NULL) : json.text));
        lu_json_free(&json);
    }
    lu_json_close(document);
}

/* Every setting of the net. */
static void print_net(const lu_model_file *file) {
    for (int i = 0; i < lu_net_table.count; i++) {
        const lu_setting *row = &lu_net_table.rows[i];
        if (row->type == LU_ALIAS) {
            continue;
        }
        out_format("  %-20s %s\n", row->key, lu_settings_text_of(file->settings, row->key));
    }
}

static void show_text(const char *path, const lu_model_file *file) {
    table t;
    lu_text shape;
    out_line("%s: a %s of %s, %zu parameters\n", path,
             lu_net_kind_of(file->net) == LU_NET_Q ? "Q net" : "policy", file->game->id,
             lu_net_parameters(file->net));
    print_foreign(
        cell("trained for %" PRId64 " steps from seed %" PRIu64 " by %s; specification %016" PRIx64,
             file->step, file->seed, *file->build ? file->build : "an unknown build", file->spec));
    if (file->observation.length > 0) {
        out_line("observations are normalised (%d numbers, %.0f rows seen)\n",
                 file->observation.length, file->observation.count);
    }
    if (file->card) {
        out_text("\ncard\n");
        print_card(file->card);
    }
    out_text("\nnet\n");
    print_net(file);
    out_text("\n");
    t = table_of("lrr");
    table_row(&t, "tensor", "shape", "numbers");
    for (int i = 0; i < lu_net_tensors(file->net); i++) {
        const lu_tensor *tensor = lu_net_tensor(file->net, i);
        lu_text_init(&shape);
        shape_text(tensor, &shape);
        table_row(&t, tensor->name, shape.text, cell("%zu", tensor->count));
        lu_text_free(&shape);
    }
    table_print(&t);
    table_free(&t);
}

/* Files, or the newest checkpoints of runs. */
static lu_status upgrade(const verb_call *call, lu_error *error) {
    lu_status status = LU_OK;
    lu_text runs = LU_TEXT_INIT, path = LU_TEXT_INIT;
    lu_run_place(call->settings, &runs);
    for (int i = 0; i < call->arguments && status == LU_OK; i++) {
        lu_text_clear(&path);
        status = lu_run_find_player(runs.text, call->argument[i], NULL, &path, error);
        LU_THEN(status,
                upgrade_file(call, path.text, LU_TENSORS_LIMIT, lu_model_file_upgrade, error));
    }
    lu_text_free(&runs);
    lu_text_free(&path);
    return status;
}

static lu_status run(verb_call *call, lu_error *error) {
    const char *path = call->argument[0];
    const char *zip = lu_settings_text_of(call->settings, "zip");
    bool export = strcmp(call->word, "export") == 0;
    if (export != (*zip != 0)) {
        return lu_fail(error, LU_USAGE, "`ludus model %s` %s --zip OUT", call->word,
                       export ? "needs" : "takes no");
    }
    if (strcmp(call->word, "upgrade") == 0) {
        return upgrade(call, error);
    }
    if (call->arguments > 1) {
        return lu_fail(error, LU_USAGE, "unexpected argument '%.200s': ludus %s", call->argument[1],
                       call->verb->usage);
    }
    struct stat from, to;
    if (export && stat(path, &from) == 0 && stat(zip, &to) == 0 && from.st_ino == to.st_ino &&
        from.st_dev == to.st_dev) {
        return lu_fail(error, LU_USAGE, "--zip %s is the model itself: name another file", zip);
    }
    lu_model_file *file = model_open(call, path, NULL, error);
    if (!file) {
        return error->status;
    }
    lu_status status = LU_OK;
    if (export) {
        status = lu_model_file_export_zip(zip, file, error);
        if (status == LU_OK) {
            note("wrote %s", zip);
        }
    } else if (call->json) {
        show_json(path, file);
    } else {
        show_text(path, file);
    }
    lu_model_file_delete(file);
    return status;
}

const verb verb_model = {
    .name = "model",
    .usage = "model show FILE [--json] | model export FILE --zip OUT | model upgrade FILE...",
    .sentence = "Shows what a trained model holds, writes it as one archive, or upgrades it.",
    .details = details,
    .examples = examples,
    .options = VERB_OPTIONS("model", options),
    .tables = tables,
    .words = words,
    .least = 1,
    .most = -1,
    .argument = "FILE",
    .json = true,
    .run = run,
};
