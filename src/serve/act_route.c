/* POST /api/v1/act: what a model does, asked over HTTP as over lines. The models that were asked
 * last stay open, as long as their files are what they were. */
#include "act.h"
#include "app.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { KEPT = 8 };

typedef struct kept {
    act_model *model; /* NULL: a free place */
    char tag[64];     /* of its file */
    uint64_t used;
} kept;

/* Of the worker of runs alone. */
struct act_cache {
    kept at[KEPT];
    uint64_t asked;
};

struct act_cache *act_cache_new(void) {
    return lu_alloc_zero(1, sizeof(struct act_cache));
}

void act_cache_delete(struct act_cache *c) {
    for (int i = 0; c && i < KEPT; i++) {
        act_model_delete(c->at[i].model);
    }
    free(c);
}

/* The place of a model that is kept, else that of the one nobody asked for longest. */
static kept *place_of(struct act_cache *c, const char *name) {
    kept *oldest = &c->at[0];
    for (int i = 0; i < KEPT; i++) {
        if (c->at[i].model && strcmp(c->at[i].model->name, name) == 0) {
            return &c->at[i];
        }
        oldest = c->at[i].used < oldest->used ? &c->at[i] : oldest;
    }
    return oldest;
}

/* What a file's reader says stays inside, for the file is none of the client's. */
static act_model *load(const app *a, const char *name, int file, size_t size, lu_status *status) {
    lu_error error = {0};
    size_t most = (size_t)lu_settings_int(a->options.limits, "serve.session_models") << 20;
    char *bytes = read_whole(file, size, most);
    lu_model_file *read = bytes ? lu_model_file_read(name, bytes, size, &error) : NULL;
    act_model *model = read ? act_model_open(name, read, &error) : NULL;
    *status = !bytes ? LU_LIMIT : error.status;
    free(bytes);
    return model;
}

/* The model of this name; NULL when the answer is filled. */
static act_model *find(worker *w, const http_request *r, http_answer *answer, const char *name) {
    size_t size = 0;
    char tag[64] = "";
    const param plain = {.name = "model", .kind = PARAM_KEY};
    struct act_cache *c = w->app->acts;
    int file = name && param_fits(&plain, name) ? worker_model(w, name, &size, tag) : -1;
    if (file == NO_DESCRIPTOR) {
        answer_failed(answer, r, open_status(file));
        return NULL;
    }
    if (file < 0) {
        answer_problem(answer, r, name ? 404 : 422, name ? "not-found" : "bad-value", "/model",
                       "model must be a name from the list of models");
        return NULL;
    }
    kept *own = place_of(c, name);
    own->used = ++c->asked;
    if (own->model && strcmp(own->model->name, name) == 0 && strcmp(own->tag, tag) == 0) {
        close(file);
        return own->model;
    }
    lu_status status;
    act_model_delete(own->model);
    own->model = load(w->app, name, file, size, &status);
    snprintf(own->tag, sizeof own->tag, "%s", tag);
    if (!own->model) {
        own->used = 0;
        answer_failed(answer, r, status);
    }
    return own->model;
}

static void answer_wrong(const http_request *r, http_answer *answer, const line_wrong *wrong) {
    char pointer[80];
    snprintf(pointer, sizeof pointer, "/%s", wrong->field);
    answer_problem(answer, r, 422, "bad-value", *wrong->field ? pointer : NULL, "%s", wrong->text);
}

void on_act_post(worker *w, const http_request *r, http_answer *answer) {
    line_wrong wrong;
    act_ask ask, *asks = &ask;
    lu_json json = LU_JSON_INIT;
    lu_json_document *document = body_json(r, answer);
    const lu_json_value *root = document ? lu_json_root(document) : NULL;
    act_model *model = root ? find(w, r, answer, json_word(lu_json_get(root, "model"))) : NULL;
    if (model && !act_read(root, &model, 1, false, &ask, &wrong)) {
        answer_wrong(r, answer, &wrong);
    } else if (model) {
        if (!ask.seeded) {
            char hex[17];
            random_hex(hex, 16);
            ask.seed = strtoull(hex, NULL, 16);
        }
        act_run(&asks, 1);
        if (ask.failed) {
            answer_wrong(r, answer, &ask.wrong);
        } else {
            act_write(&ask, &json);
            answer_json(answer, 200, &json);
        }
        act_free(&ask);
    }
    lu_json_free(&json);
    lu_json_close(document);
}
