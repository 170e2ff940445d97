/* Nets as other programs describe them, layer by layer, as settings net.*: see ludus/preset.h. A
 * net here has hidden layers of one width and activation in policy and critic; what differs is
 * refused.
 */
#include "ludus/preset.h"

#include "ludus/net.h"
#include "ludus/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define DICT(name, sentence)                                                                       \
    { name, LU_JSON, "", 0, 0, NULL, sentence, false }
static const lu_setting rows[] = {
    DICT("actor", "Layers of the policy as {\"layers\": [{\"size\": 64, \"activation\": \"relu\", "
                  "\"repeat\": 2}]}: sets net.hidden, net.layers and net.activation."),
    DICT("critic", "Layers of the critic, which must equal those of the policy: sets net.critic to "
                   "separate."),
    DICT("feature_extractor", "Layers in front of those of policy and critic, counted with them."),
    DICT("action_heads", "Layers of each head: sets net.head_hidden, and net.heads to "
                         "autoregressive."),
    DICT("policy_kwargs", "{\"autoregressive_actions\": true} sets net.heads."),
};
const lu_table lu_train_nets_table = {"nets by layers", rows, (int)(sizeof rows / sizeof *rows)};

enum { MOST_LAYERS = 16 };

typedef struct layers {
    const char *key; /* of the setting */
    bool given;
    int count, width[MOST_LAYERS];
    const char *activation; /* NULL: none was named */
} layers;

/* ---- reading ---- */

static lu_status refuse(const char *key, const char *why, lu_error *error) {
    return lu_fail(error, LU_BAD_VALUE, "'%s': %s", key, why);
}

/* Every key of the object is one of these. */
static lu_status check_keys(const char *setting, const lu_json_value *object,
                            const char *const *names, lu_error *error) {
    for (size_t i = 0; i < lu_json_count(object); i++) {
        const char *key;
        bool known = false;
        (void)lu_json_member(object, i, &key);
        for (const char *const *name = names; *name && !known; name++) {
            known = lu_same_key(key, *name);
        }
        if (!known) {
            return lu_fail(error, LU_BAD_VALUE,
                           "'%s': '%.100s' has no counterpart in the nets here: leave it out",
                           setting, key);
        }
    }
    return LU_OK;
}

static lu_status add_layer(layers *l, const lu_json_value *value, lu_error *error) {
    static const char *const names[] = {"size", "activation", "repeat", NULL};
    bool plain = lu_json_kind_of(value) != LU_JSON_OBJECT;
    LU_TRY(plain ? LU_OK : check_keys(l->key, value, names, error));
    const lu_json_value *many = lu_json_get_same(value, "repeat"),
                        *act = lu_json_get_same(value, "activation");
    double size = lu_json_real_or(plain ? value : lu_json_get_same(value, "size"), 0.0);
    double repeat = many ? lu_json_real_or(many, 0.0) : 1.0;
    bool whole = size == floor(size) && repeat == floor(repeat);
    if (!(whole && size >= 1.0 && size <= 4096.0 && repeat >= 1.0 &&
          repeat <= MOST_LAYERS - l->count)) {
        return refuse(l->key, "a layer is {\"size\": 1 to 4096}, and there are at most 16 of them",
                      error);
    }
    const char *name = act ? lu_json_text(act, NULL) : l->activation;
    if (act && (!name || (strcmp(name, "relu") != 0 && strcmp(name, "tanh") != 0))) {
        return refuse(l->key, "its activation must be relu or tanh", error);
    }
    if (l->count > 0 && act && l->activation && strcmp(l->activation, name) != 0) {
        return refuse(l->key, "all layers of a net have one activation here", error);
    }
    l->activation = name ? strcmp(name, "relu") == 0 ? "relu" : "tanh" : NULL;
    for (int i = 0; i < (int)repeat; i++) {
        l->width[l->count++] = (int)size;
    }
    return LU_OK;
}

/* {"layers": [...]} or the list alone. */
static lu_status read_layers(const lu_settings *settings, const char *key, layers *l,
                             lu_error *error) {
    static const char *const names[] = {"layers", NULL};
    const char *text = lu_settings_text_of(settings, key);
    *l = (layers){.key = key};
    lu_json_document *document = *text ? lu_json_read(key, text, strlen(text), error) : NULL;
    const lu_json_value *root = document ? lu_json_root(document) : NULL, *list = root;
    lu_status status = *text && !document ? LU_BAD_VALUE : LU_OK;
    if (document && lu_json_kind_of(root) == LU_JSON_OBJECT) {
        status = check_keys(key, root, names, error);
        list = lu_json_get_same(root, "layers");
    }
    if (status == LU_OK && list && lu_json_kind_of(list) != LU_JSON_ARRAY) {
        status = refuse(key, "it must be {\"layers\": [{\"size\": 64}]}", error);
    }
    for (size_t i = 0; i < lu_json_count(list) && status == LU_OK; i++) {
        status = add_layer(l, lu_json_at(list, i), error);
    }
    l->given = l->count > 0;
    lu_json_close(document);
    return status;
}

/* ---- setting ---- */

/* Where the same is said with the same weight, which one counts is not known. */
static lu_status set(lu_settings *settings, const char *from, const char *key, const char *value,
                     lu_error *error) {
    lu_origin origin = lu_settings_origin(settings, from);
    bool same = strcmp(lu_settings_text_of(settings, key), value) == 0;
    if (lu_settings_origin(settings, key) == origin && !same) {
        return lu_fail(error, LU_USAGE, "'%s' asks for '%s' = %s, and it is set to %s: give one",
                       from, key, value, lu_settings_text_of(settings, key));
    }
    return same ? LU_OK
                : lu_settings_set(settings, key, value, origin, lu_settings_where(settings, from),
                                  error);
}

static lu_status set_int(lu_settings *settings, const char *from, const char *key, int value,
                         lu_error *error) {
    char text[16];
    snprintf(text, sizeof text, "%d", value);
    return set(settings, from, key, text, error);
}

static lu_status set_actor(lu_settings *settings, const layers *front, const layers *actor,
                           lu_error *error) {
    const layers *named = actor->given ? actor : front;
    const char *act = actor->activation ? actor->activation : front->activation;
    int count = front->count + actor->count;
    if (count == 0) {
        return LU_OK;
    }
    for (int i = 0; i < count; i++) {
        int width = i < front->count ? front->width[i] : actor->width[i - front->count];
        if (width != named->width[0]) {
            return refuse(named->key, "all hidden layers of a net have one width here", error);
        }
    }
    if (front->given && actor->activation && front->activation &&
        strcmp(front->activation, actor->activation) != 0) {
        return refuse(front->key, "all layers of a net have one activation here", error);
    }
    LU_TRY(set_int(settings, named->key, "net.hidden", named->width[0], error));
    LU_TRY(set_int(settings, named->key, "net.layers", count, error));
    return act ? set(settings, named->key, "net.activation", act, error) : LU_OK;
}

/* A net of its own, as large as the policy's. */
static lu_status set_critic(lu_settings *settings, const layers *front, const layers *critic,
                            lu_error *error) {
    int64_t width = lu_settings_int(settings, "net.hidden");
    bool same = critic->count + front->count == lu_settings_int(settings, "net.layers");
    for (int i = 0; i < critic->count; i++) {
        same = same && critic->width[i] == width;
    }
    if (critic->given && critic->activation) {
        same = same &&
               strcmp(critic->activation, lu_settings_text_of(settings, "net.activation")) == 0;
    }
    if (critic->given && !same) {
        return lu_fail(error, LU_BAD_VALUE,
                       "'critic': it must have the policy's layers, %s of %s (%s)",
                       lu_settings_text_of(settings, "net.layers"),
                       lu_settings_text_of(settings, "net.hidden"),
                       lu_settings_text_of(settings, "net.activation"));
    }
    return critic->given ? set(settings, "critic", "net.critic", "separate", error) : LU_OK;
}

static lu_status set_heads(lu_settings *settings, const layers *heads, lu_error *error) {
    lu_text list = LU_TEXT_INIT;
    if (!*lu_settings_text_of(settings, heads->key)) {
        return LU_OK;
    }
    if (heads->activation &&
        strcmp(heads->activation, lu_settings_text_of(settings, "net.activation")) != 0) {
        return refuse(heads->key, "heads have the activation of the policy here", error);
    }
    for (int i = 0; i < heads->count; i++) {
        lu_text_addf(&list, "%s%d", i ? "," : "", heads->width[i]);
    }
    lu_status status = set(settings, heads->key, "net.head_hidden", list.text, error);
    if (heads->given) { /* {} is heads without layers of their own, of either kind */
        LU_THEN(status, set(settings, heads->key, "net.heads", "autoregressive", error));
    }
    lu_text_free(&list);
    return status;
}

/* What is not here may be said to be off. */
static lu_status set_kwargs(lu_settings *settings, lu_error *error) {
    static const char *const names[] = {"autoregressive_actions", "append_future_action_masks",
                                        "normalize_autoregressive_actions", NULL};
    const char *key = "policy_kwargs", *text = lu_settings_text_of(settings, key);
    lu_json_document *document = *text ? lu_json_read(key, text, strlen(text), error) : NULL;
    const lu_json_value *root = document ? lu_json_root(document) : NULL;
    lu_status status = *text && !document ? LU_BAD_VALUE : LU_OK;
    if (document && lu_json_kind_of(root) != LU_JSON_OBJECT) {
        status = refuse(key, "it must be a JSON object, {\"autoregressive_actions\": true}", error);
    }
    LU_THEN(status, check_keys(key, root, names, error));
    for (int i = 0; names[i] && status == LU_OK; i++) {
        const lu_json_value *value = lu_json_get_same(root, names[i]);
        bool yes = value && lu_json_kind_of(value) == LU_JSON_TRUE;
        if (value && !yes && lu_json_kind_of(value) != LU_JSON_FALSE) {
            status = lu_fail(error, LU_BAD_VALUE, "'%s': '%s' is true or false", key, names[i]);
        } else if (i == 0 && value) {
            status = set(settings, key, "net.heads", yes ? "autoregressive" : "independent", error);
        } else if (yes) {
            status = lu_fail(error, LU_BAD_VALUE,
                             "'%s': '%s' has no counterpart in the nets here: set it to false", key,
                             names[i]);
        }
    }
    lu_json_close(document);
    return status;
}

lu_status lu_train_nets_settle(lu_settings *settings, lu_error *error) {
    layers front, actor, critic, heads;
    LU_TRY(read_layers(settings, "feature_extractor", &front, error));
    LU_TRY(read_layers(settings, "actor", &actor, error));
    LU_TRY(read_layers(settings, "critic", &critic, error));
    LU_TRY(read_layers(settings, "action_heads", &heads, error));
    LU_TRY(set_actor(settings, &front, &actor, error));
    LU_TRY(set_critic(settings, &front, &critic, error));
    LU_TRY(set_heads(settings, &heads, error));
    return set_kwargs(settings, error);
}
