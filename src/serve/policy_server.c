/* `ludus serve-policy`: models that answer over lines of JSON. What has come while a batch was
 * computed is the next batch, so that a lone client waits for nobody and many share a pass through
 * the net. Answers leave in the order of their questions. */
#include "act.h"
#include "line_loop.h"

#include "ludus/file.h"
#include "ludus/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { LINE_MOST = 1 << 20, SESSIONS_MOST = 64 };

/* An answer that is owed: to a question, or a text that is ready. */
typedef struct entry {
    line_peer *peer; /* NULL: it is gone */
    act_ask *ask;    /* NULL: `text` is the answer */
    char *text;
} entry;

typedef struct model_list {
    act_model **model;
    int count;
    uint64_t loaded; /* so far, in all lists */
} model_list;

/* What is kept of a connection. */
typedef struct client {
    act_session *sessions;
    int count;
} client;

typedef struct policy_server {
    char **sources; /* as they were given; end with NULL */
    char *runs;
    model_list models;
    uint64_t seed, asked; /* questions so far */
    int most;             /* questions that wait at most */
    entry *queue;
    int entries, room, waiting;
    act_ask **batch; /* room for all that wait */
    lu_json json;
} policy_server;

/* ---- models ---- */

static void free_models(model_list *list) {
    for (int i = 0; i < list->count; i++) {
        act_model_delete(list->model[i]);
    }
    free(list->model);
    list->model = NULL;
    list->count = 0;
}

/* "models/GeneralizedNh.zip" is GeneralizedNh; names of runs stay as they are. */
static char *name_of(const char *source) {
    static const char *const endings[] = {".safetensors", ".zip"};
    const char *slash = strrchr(source, '/');
    char *name = lu_strdup(slash ? slash + 1 : source);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t length = strlen(name), tail = strlen(endings[i]);
        if (length > tail && strcmp(name + length - tail, endings[i]) == 0) {
            name[length - tail] = 0;
        }
    }
    return name;
}

static lu_status add_model(model_list *list, const char *name, const char *path, lu_error *error) {
    for (int i = 0; i < list->count; i++) {
        if (strcmp(list->model[i]->name, name) == 0) {
            return lu_fail(error, LU_BAD_VALUE,
                           "two models are called '%.200s': serve one of them, or rename a file",
                           name);
        }
    }
    lu_model_file *file = lu_model_file_load(path, error);
    act_model *model = file ? act_model_open(name, file, error) : NULL;
    if (!model) {
        return error->status;
    }
    model->serial = ++list->loaded;
    list->model = lu_realloc(list->model, (size_t)(list->count + 1) * sizeof *list->model);
    list->model[list->count++] = model;
    return LU_OK;
}

/* Whether a folder holds a model as safetensors, so that an archive of that name is the same. */
static bool stands_plain(const lu_names *names, const char *name) {
    lu_text plain = LU_TEXT_INIT;
    bool found = false;
    lu_text_addf(&plain, "%s.safetensors", name);
    for (size_t i = 0; i < names->count && !found; i++) {
        found = strcmp(names->name[i], plain.text) == 0;
    }
    lu_text_free(&plain);
    return found;
}

/* The model files of a folder. */
static lu_status add_folder(model_list *list, const char *folder, lu_error *error) {
    lu_names names;
    lu_text path = LU_TEXT_INIT;
    int before = list->count;
    lu_status status = lu_folder_names(folder, "", &names, error);
    for (size_t i = 0; i < names.count && status == LU_OK; i++) {
        char *name = name_of(names.name[i]);
        bool archive = strcmp(names.name[i] + strlen(name), ".zip") == 0;
        bool again = archive && stands_plain(&names, name);
        if (strcmp(name, names.name[i]) != 0 && name[0] != '.' && !again) {
            lu_text_clear(&path);
            lu_text_addf(&path, "%s/%s", folder, names.name[i]);
            status = add_model(list, name, path.text, error);
        }
        free(name);
    }
    if (status == LU_OK && list->count == before) {
        status =
            lu_fail(error, LU_NOT_FOUND, "%.400s holds no model (.safetensors or .zip)", folder);
    }
    lu_names_free(&names);
    lu_text_free(&path);
    return status;
}

static bool is_folder_of_models(const char *path) {
    struct stat about;
    lu_text run = LU_TEXT_INIT;
    lu_text_addf(&run, "%s/run.json", path);
    bool folder = stat(path, &about) == 0 && S_ISDIR(about.st_mode) && !lu_file_exists(run.text);
    lu_text_free(&run);
    return folder;
}

static lu_status add_source(model_list *list, const char *source, const char *runs,
                            lu_error *error) {
    if (is_folder_of_models(source)) {
        return add_folder(list, source, error);
    }
    lu_text path = LU_TEXT_INIT;
    char *name = name_of(source);
    lu_status status = lu_run_find_model(runs, source, NULL, &path, error);
    LU_THEN(status, add_model(list, name, path.text, error));
    free(name);
    lu_text_free(&path);
    return status;
}

static lu_status load_models(const policy_server *s, model_list *list, lu_error *error) {
    lu_status status = LU_OK;
    *list = (model_list){.loaded = s->models.loaded};
    for (int i = 0; s->sources[i] && status == LU_OK; i++) {
        status = add_source(list, s->sources[i], s->runs, error);
    }
    if (status != LU_OK) {
        free_models(list);
    }
    return status;
}

/* The folder that a path is, or the one it lies in: a new file takes the place of an old one by its
 * name. Takes the path. */
static char *folder_of(char *path) {
    struct stat about;
    char *slash = strrchr(path, '/');
    if (stat(path, &about) != 0 || S_ISDIR(about.st_mode)) {
        return path;
    }
    if (!slash) {
        free(path);
        return lu_strdup(".");
    }
    slash[slash == path ? 1 : 0] = 0;
    return path;
}

/* What a reload reads: the folder of runs, and where the models are, as they were named and as
 * links lead to them. */
static char **reads(const void *user) {
    const policy_server *s = user;
    size_t count = 0, sources = 0;
    while (s->sources[sources]) {
        sources++;
    }
    char **list = lu_alloc_zero(2 * sources + 2, sizeof *list);
    list[count++] = lu_strdup(s->runs);
    for (size_t i = 0; i < sources; i++) {
        struct stat about;
        char *source = lu_strdup(s->sources[i]), *window = strrchr(source, ':');
        if (stat(source, &about) != 0 && window) {
            *window = 0; /* RUN:7 by the path of the run */
        }
        char *real = stat(source, &about) == 0 ? realpath(source, NULL) : NULL;
        if (real) {
            list[count++] = folder_of(real);
            list[count++] = folder_of(source);
        } else {
            free(source); /* a name: it is in the folder of runs */
        }
    }
    return list;
}

/* The old models answer until the new ones are verified; nothing waits between two rounds. */
static bool reload(void *user, lu_error *error) {
    policy_server *s = user;
    model_list fresh;
    lu_error why = {0};
    if (load_models(s, &fresh, &why) != LU_OK) {
        lu_fail(error, why.status, "the models stay as they are: %.900s", why.text);
        return false;
    }
    free_models(&s->models);
    s->models = fresh;
    return true;
}

static void write_models(const policy_server *s, lu_json *json) {
    lu_json_object(json);
    lu_json_key_array(json, "models");
    for (int i = 0; i < s->models.count; i++) {
        act_model_write(s->models.model[i], json);
    }
    lu_json_array_end(json);
    lu_json_object_end(json);
}

/* ---- sessions ---- */

static act_session *session_of(line_peer *peer, const char *name, line_wrong *wrong) {
    client *own = line_own(peer);
    for (act_session *s = own->sessions; s; s = s->next) {
        if (strcmp(s->name, name) == 0) {
            return s;
        }
    }
    if (own->count >= SESSIONS_MOST) {
        line_wrong_set(wrong, "busy", "session", "a connection has at most %d sessions",
                       SESSIONS_MOST);
        return NULL;
    }
    act_session *s = lu_alloc_zero(1, sizeof *s);
    snprintf(s->name, sizeof s->name, "%s", name);
    s->next = own->sessions;
    own->sessions = s;
    own->count++;
    return s;
}

/* ---- questions ---- */

static entry *owe(policy_server *s, line_peer *peer) {
    if (s->entries == s->room) {
        s->room = s->room ? 2 * s->room : 64;
        s->queue = lu_realloc(s->queue, (size_t)s->room * sizeof *s->queue);
    }
    s->queue[s->entries] = (entry){.peer = peer};
    return &s->queue[s->entries++];
}

/* Owes the text that was written. */
static void owe_written(policy_server *s, line_peer *peer) {
    owe(s, peer)->text = lu_strdup(s->json.text);
    lu_json_clear(&s->json);
}

static void refuse(void *user, line_peer *peer, const line_wrong *wrong) {
    policy_server *s = user;
    act_write_wrong(wrong, &s->json);
    owe_written(s, peer);
}

/* {"ping": true} and {"list": true}, which ask no model. */
static bool is_plain(const lu_json_value *root, const char *key) {
    return lu_json_kind_of(root) == LU_JSON_OBJECT && lu_json_count(root) == 1 &&
           lu_json_kind_of(lu_json_get(root, key)) == LU_JSON_TRUE;
}

/* A question that may wait; false with what is wrong. */
static bool take(policy_server *s, line_peer *peer, const lu_json_value *root, line_wrong *wrong) {
    act_ask ask;
    if (s->waiting >= s->most) {
        return line_wrong_set(wrong, "busy", NULL,
                              "%d requests are already waiting: try again in a moment", s->most);
    }
    if (!act_read(root, s->models.model, s->models.count, true, &ask, wrong)) {
        return false;
    }
    if (ask.session_name && !(ask.session = session_of(peer, ask.session_name, wrong))) {
        act_free(&ask);
        return false;
    }
    ask.session_name = NULL;
    ask.seed = ask.seeded ? ask.seed : lu_mix(s->seed, s->asked, 0);
    s->asked++;
    s->waiting++;
    act_ask *kept = lu_alloc(sizeof *kept);
    *kept = ask;
    owe(s, peer)->ask = kept;
    return true;
}

static void hear(void *user, line_peer *peer, char *line, size_t length) {
    policy_server *s = user;
    lu_error error = {0};
    line_wrong wrong;
    lu_json_document *document = lu_json_read("line", line, length, &error);
    const lu_json_value *root = document ? lu_json_root(document) : NULL;
    if (!document) {
        line_wrong_set(&wrong, "bad-json", NULL, "%.380s", error.text);
        refuse(s, peer, &wrong);
    } else if (is_plain(root, "ping")) {
        lu_json_object(&s->json);
        lu_json_key_bool(&s->json, "pong", true);
        lu_json_object_end(&s->json);
        owe_written(s, peer);
    } else if (is_plain(root, "list")) {
        write_models(s, &s->json);
        owe_written(s, peer);
    } else if (!take(s, peer, root, &wrong)) {
        refuse(s, peer, &wrong);
    }
    lu_json_close(document);
}

/* ---- answers ---- */

static void free_entry(policy_server *s, entry *e) {
    if (e->ask) {
        act_free(e->ask);
        free(e->ask);
        s->waiting--;
    }
    free(e->text);
    *e = (entry){0};
}

static void send_answer(policy_server *s, const entry *e) {
    if (e->ask) {
        act_write(e->ask, &s->json);
        line_answer(e->peer, s->json.text, s->json.length);
        lu_json_clear(&s->json);
    } else {
        line_answer(e->peer, e->text, strlen(e->text));
    }
}

static void answer_all(void *user) {
    policy_server *s = user;
    int count = 0;
    for (int i = 0; i < s->entries; i++) {
        if (s->queue[i].ask) {
            s->batch[count++] = s->queue[i].ask;
        }
    }
    act_run(s->batch, count);
    for (int i = 0; i < s->entries; i++) {
        if (s->queue[i].peer) {
            send_answer(s, &s->queue[i]);
        }
        free_entry(s, &s->queue[i]);
    }
    s->entries = 0;
}

static void gone(void *user, line_peer *peer) {
    policy_server *s = user;
    client *own = line_own(peer);
    for (int i = 0; i < s->entries; i++) {
        if (s->queue[i].peer == peer) {
            free_entry(s, &s->queue[i]);
        }
    }
    while (own->sessions) {
        act_session *next = own->sessions->next;
        act_session_free(own->sessions);
        own->sessions = next;
    }
}

/* ---- opening ---- */

static void close_policy(void *user) {
    policy_server *s = user;
    for (int i = 0; s->sources[i]; i++) {
        free(s->sources[i]);
    }
    for (int i = 0; i < s->entries; i++) {
        free_entry(s, &s->queue[i]);
    }
    free_models(&s->models);
    lu_json_free(&s->json);
    free(s->sources);
    free(s->runs);
    free(s->queue);
    free(s->batch);
    free(s);
}

static const line_server_kind kind = {
    .service = {.line_most = LINE_MOST,
                .owed_most = ACT_ROWS,
                .peer_bytes = sizeof(client),
                .hear = hear,
                .refuse = refuse,
                .round = answer_all,
                .gone = gone},
    .reload = reload,
    .reads = reads,
    .free = close_policy,
};

static policy_server *make(const lu_policy_options *options, lu_error *error) {
    policy_server *s = lu_alloc_zero(1, sizeof *s);
    size_t count = 0;
    while (options->models[count]) {
        count++;
    }
    s->sources = lu_alloc_zero(count + 1, sizeof *s->sources);
    for (size_t i = 0; i < count; i++) {
        s->sources[i] = lu_strdup(options->models[i]);
    }
    s->runs = lu_strdup(options->runs);
    s->seed = options->seed;
    s->most = options->queue;
    s->batch = lu_alloc_zero((size_t)s->most + 1, sizeof *s->batch);
    lu_json_init(&s->json);
    if (load_models(s, &s->models, error) != LU_OK) {
        close_policy(s);
        return NULL;
    }
    return s;
}

lu_line_server *lu_policy_server_open(const lu_line_options *line, const lu_policy_options *options,
                                      lu_error *error) {
    lu_error none = {0};
    lu_error *why = error ? error : &none;
    policy_server *s = make(options, why);
    return s ? line_server_open(line, &kind, s, why) : NULL;
}

void lu_policy_server_models(const lu_line_server *server, lu_json *json) {
    const policy_server *s = line_server_user(server, &kind);
    LU_ASSERT(s);
    write_models(s, json);
}
