/* ludus-fetch target: asks a language model that the user names to write a wish down as a target,
 * and keeps the answer only where `ludus craft` reads it and a base can have it. */
#include "ask_tool.h"
#include "http.h"
#include "output.h"
#include "secret.h"
#include "verb.h"

#include "ludus/file.h"

#include <stdlib.h>
#include <string.h>

enum { ANSWER_MOST = 4 << 20 }; /* bytes of a model's answer */

static const verb_example examples[] = {
    {"ludus-fetch target \"fast evasion boots with life\" --model llama3.1 "
     "--url http://127.0.0.1:11434/v1/chat/completions",
     "target.json from a model on this machine"},
    {"ludus-fetch target \"ring, life and two resists\" --model NAME --url https://HOST/v1/chat/"
     "completions --key-file key.txt",
     "from a service that needs a key"},
    {"ludus craft optimize --target-spec target.json", "what it is for"},
    {NULL, NULL},
};

static const lu_setting options[] = {
    {"model", LU_TEXT, "", 0, 200, NULL, "The server's name for the model.", false},
    {"url", LU_TEXT, "", 0, 1000, NULL,
     "Address of its chat completions: https, or http on this machine.", false},
    {"key_file", LU_TEXT, "", 0, 4096, NULL, "File with the server's API key, if it needs one.",
     false},
    {"out", LU_TEXT, "target.json", 0, 4096, NULL, "The target file to write.", false},
    {"timeout", LU_REAL, "120", 1, 3600, NULL, "Seconds to wait for the answer.", false},
};

/* ---- asking ---- */

/* The body: model, messages of `ludus craft prompt`, and no dice. */
static lu_status make_body(const char *model, const char *wish, lu_text *body, lu_error *error) {
    const tool_pair pairs[] = {{"want", wish}, {NULL, NULL}};
    lu_text prompt = LU_TEXT_INIT;
    lu_json json = LU_JSON_INIT;
    lu_json_document *document = NULL;
    lu_status status = ask_tool("prompt", pairs, NULL, 0, &prompt, error);
    if (status == LU_OK) {
        document = lu_json_read("prompt", prompt.text, prompt.length, error);
        status = document ? LU_OK : LU_BAD_DATA;
    }
    if (status == LU_OK) {
        lu_json_object(&json);
        lu_json_key_string(&json, "model", model);
        lu_json_key_int(&json, "temperature", 0);
        lu_json_key_bool(&json, "stream", false);
        lu_json_key_value(&json, "messages", lu_json_get(lu_json_root(document), "messages"));
        lu_json_object_end(&json);
        lu_text_add_n(body, json.text, json.length);
    }
    lu_json_close(document);
    lu_json_free(&json);
    lu_text_free(&prompt);
    return status;
}

/* What a server says of its refusal, where it says it as {"error":{"message"}}. */
static lu_status refused(const http_answer *answer, lu_error *error) {
    lu_json_document *document = lu_json_read("answer", answer->bytes, answer->length, NULL);
    const lu_json_value *inner = document ? lu_json_get(lu_json_root(document), "error") : NULL;
    const char *said = "";
    (void)lu_json_get_text(inner, "message", &said, NULL);
    lu_status status =
        lu_fail(error,
                answer->code == 404                          ? LU_NOT_FOUND
                : answer->code == 429 || answer->code == 503 ? LU_BUSY
                                                             : LU_IO,
                "the model's server answers %ld%s%.300s", answer->code, *said ? ": " : "", said);
    lu_json_close(document);
    return status;
}

static lu_status ask_model(const lu_settings *v, const char *wish, http_answer *answer,
                           lu_error *error) {
    lu_text body = LU_TEXT_INIT;
    char *key = NULL;
    lu_status status = secret_read(lu_settings_text_of(v, "key_file"), NULL, &key, error);
    LU_THEN(status, make_body(lu_settings_text_of(v, "model"), wish, &body, error));
    LU_THEN(status, http_call(&(http_ask){.url = lu_settings_text_of(v, "url"),
                                          .what = "asking the model",
                                          .bearer = key,
                                          .body = body.text,
                                          .most = ANSWER_MOST,
                                          .seconds = lu_settings_real(v, "timeout")},
                              answer, error));
    if (status == LU_OK && answer->code != 200) {
        status = refused(answer, error);
    }
    free(key);
    lu_text_free(&body);
    return status;
}

/* ---- reading ---- */

/* The text of {"choices":[{"message":{"content"}}]}; NULL: there is none. */
static const char *content_of(const lu_json_value *root) {
    const lu_json_value *first = lu_json_at(lu_json_get(root, "choices"), 0);
    const lu_json_value *content = lu_json_get(lu_json_get(first, "message"), "content");
    return lu_json_kind_of(content) == LU_JSON_STRING ? lu_json_text(content, NULL) : NULL;
}

/* The object in a text: models put words and fences around it. */
static lu_json_document *object_in(const char *content, lu_error *error) {
    const char *from = strchr(content, '{'), *to = strrchr(content, '}');
    if (!from || !to || to < from) {
        lu_fail(error, LU_BAD_DATA, "it isn't a JSON object");
        return NULL;
    }
    return lu_json_read("the object", from, (size_t)(to - from) + 1, error);
}

/* What the target says of itself to `ludus craft pool`, where it is one that can be had. */
static lu_status check(const lu_json_value *target, lu_text *understood, lu_error *error) {
    lu_json plain = LU_JSON_INIT, value = LU_JSON_INIT;
    lu_text said = LU_TEXT_INIT;
    lu_json_value_write(&plain, target);
    lu_json_object(&value);
    lu_json_key_string(&value, "name", "the object");
    lu_json_key_string(&value, "text", plain.text);
    lu_json_object_end(&value);
    const tool_pair pairs[] = {{"target_spec", value.text}, {NULL, NULL}};
    lu_status status = ask_tool("pool", pairs, NULL, 0, &said, error);
    lu_json_document *document =
        status == LU_OK ? lu_json_read("pool", said.text, said.length, error) : NULL;
    if (document) {
        const lu_json_value *root = lu_json_root(document), *words = lu_json_get(root, "words");
        const char *problem = NULL, *what = "";
        (void)lu_json_get_text(root, "problem", &problem, NULL);
        (void)lu_json_get_text(root, "understood", &what, NULL);
        if (problem || !*what) {
            status = lu_fail(error, LU_BAD_DATA, "%s", problem ? problem : "it asks for nothing");
        } else {
            lu_text_add(understood, lu_json_text(lu_json_at(words, 0), NULL));
        }
        lu_json_close(document);
    }
    lu_json_free(&plain);
    lu_json_free(&value);
    lu_text_free(&said);
    return status;
}

/* The wish as the parser without a model reads it; empty where it does not. */
static void parse(const char *wish, lu_text *understood) {
    const tool_pair pairs[] = {{"want", wish}, {NULL, NULL}};
    lu_text said = LU_TEXT_INIT;
    lu_json_document *document = NULL;
    if (ask_tool("pool", pairs, NULL, 0, &said, NULL) == LU_OK) {
        document = lu_json_read("pool", said.text, said.length, NULL);
    }
    if (document && !lu_json_get(lu_json_root(document), "problem") &&
        lu_json_count(lu_json_get(lu_json_root(document), "unparsed")) == 0) {
        const lu_json_value *words = lu_json_get(lu_json_root(document), "words");
        lu_text_add(understood, lu_json_text(lu_json_at(words, 0), NULL));
    }
    lu_json_close(document);
    lu_text_free(&said);
}

/* ---- the work ---- */

static void tell(const verb_call *call, const lu_json_value *target, const char *taken,
                 const char *parsed) {
    const char *out = lu_settings_text_of(call->settings, "out");
    const char *model = lu_settings_text_of(call->settings, "model");
    if (call->json) {
        lu_json json = LU_JSON_INIT;
        lu_json_object(&json);
        lu_json_key_int(&json, "schema", 1);
        lu_json_key_string(&json, "model", model);
        lu_json_key_string(&json, "out", out);
        lu_json_key_string(&json, "understood", taken);
        lu_json_key_string(&json, "without_model", *parsed ? parsed : NULL);
        lu_json_key_value(&json, "target", target);
        out_json_end(&json);
        return;
    }
    out_format("%s took it as: %s\n", model, taken);
    if (*parsed && strcmp(parsed, taken) != 0) {
        out_format("The built-in parser reads: %s\n", parsed);
    }
    out_format("Written to %s; next: ludus craft optimize --target-spec %s\n", out, out);
}

static lu_status keep(const verb_call *call, const char *wish, const lu_json_value *target,
                      lu_error *error) {
    lu_text taken = LU_TEXT_INIT, parsed = LU_TEXT_INIT;
    lu_json json = LU_JSON_INIT;
    lu_status status = check(target, &taken, error);
    if (status == LU_OK) {
        lu_json_value_write(&json, target);
        lu_json_newline(&json);
        status = lu_file_write(lu_settings_text_of(call->settings, "out"), json.text, json.length,
                               error);
    }
    if (status == LU_OK) {
        parse(wish, &parsed);
        tell(call, target, taken.text, parsed.text);
    }
    lu_json_free(&json);
    lu_text_free(&taken);
    lu_text_free(&parsed);
    return status;
}

/* The answer as an object, judged and kept. */
static lu_status take(const verb_call *call, const char *wish, const http_answer *answer,
                      lu_error *error) {
    lu_error why = {0};
    lu_json_document *document = lu_json_read("the answer", answer->bytes, answer->length, &why);
    const char *content = document ? content_of(lu_json_root(document)) : NULL;
    lu_json_document *object = content ? object_in(content, &why) : NULL;
    lu_status status = LU_BAD_DATA;
    if (object) {
        status = keep(call, wish, lu_json_root(object), &why);
    } else if (document && !content) {
        lu_fail(&why, LU_BAD_DATA, "it has no choices[0].message.content");
    }
    lu_json_close(object);
    lu_json_close(document);
    return status == LU_OK
               ? LU_OK
               : lu_fail(error, why.status == LU_IO ? LU_IO : LU_BAD_DATA,
                         "the answer from %.100s isn't a target, and nothing was written: %.700s",
                         lu_settings_text_of(call->settings, "model"), why.text);
}

static lu_status run(verb_call *call, lu_error *error) {
    const lu_settings *v = call->settings;
    const char *wish = call->argument[0];
    http_answer answer = {0};
    if (!*lu_settings_text_of(v, "model") || !*lu_settings_text_of(v, "url")) {
        return lu_fail(error, LU_USAGE,
                       "name the model and its server: --model NAME --url https://HOST/v1/chat/"
                       "completions; without a model: ludus craft pool --want \"...\"");
    }
    progress_start();
    lu_status status = ask_model(v, wish, &answer, error);
    LU_THEN(status, take(call, wish, &answer, error));
    http_free(&answer);
    return status;
}

const verb verb_target = {
    .name = "target",
    .usage = "target TEXT --model NAME --url ADDRESS [--key-file FILE] [--out FILE]",
    .sentence = "Asks a language model of your choice to turn a description into a target file.",
    .details = "The text, the form of a target and the list of groups go to that server and "
               "nowhere else. `ludus craft pool --want TEXT` needs no model.",
    .examples = examples,
    .options = VERB_OPTIONS("target", options),
    .least = 1,
    .most = 1,
    .argument = "TEXT",
    .json = true,
    .run = run,
};
