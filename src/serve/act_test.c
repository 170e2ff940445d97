/* Questions to models: equal answers whatever is asked beside them, memory by session, and a
 * question that cannot be answered spoils no other. */
#include "act.h"

#include "ludus/win_rate.h"

#include "test.h"

#include <stdlib.h>
#include <string.h>

enum { ASKS = 150 };

/* A model with loud first weights; memory: or "series", for heads in series. One that reads several
 * frames has a win-rate predictor too. */
static act_model *model_with(const char *game, const char *memory, const char *frames,
                             uint64_t serial) {
    bool series = strcmp(memory, "series") == 0;
    lu_error error = {0};
    lu_model_file *file = lu_alloc_zero(1, sizeof *file), *read = NULL;
    char *bytes = NULL;
    size_t length = 0;
    file->game = lu_game_find(game, NULL);
    file->settings = lu_game_settings(file->game);
    file->return_scale = 0.5;
    lu_settings_add(file->settings, lu_net_table);
    lu_settings_set(file->settings, "net.hidden", "24", LU_FROM_FLAG, "--set", NULL);
    lu_settings_set(file->settings, "net.memory", series ? "none" : memory, LU_FROM_FLAG, "--set",
                    NULL);
    lu_settings_set(file->settings, "net.heads", series ? "autoregressive" : "independent",
                    LU_FROM_FLAG, "--set", NULL);
    lu_settings_set(file->settings, "net.frames", frames, LU_FROM_FLAG, "--set", NULL);
    file->net = lu_net_new(file->game, LU_NET_POLICY, file->settings, &error);
    float *weight = lu_net_block(file->net);
    lu_rng rng = lu_rng_from(5);
    for (size_t i = 0; i < lu_net_parameters(file->net); i++) {
        weight[i] += 0.3f * ((float)lu_rng_unit(&rng) - 0.5f);
    }
    lu_net_pack(file->net);
    int numbers = lu_game_observation_length(file->game);
    if (strcmp(frames, "1") != 0) {
        file->win_rate = lu_alloc_zero(lu_win_rate_count(numbers), sizeof(float));
        lu_win_rate_init(file->win_rate, numbers, 1);
    }
    if (lu_model_file_write(file, &bytes, &length, &error) == LU_OK) {
        read = lu_model_file_read(game, bytes, length, &error);
    }
    free(bytes);
    lu_net_delete(file->net);
    lu_settings_delete(file->settings);
    free(file->win_rate);
    free(file);
    act_model *model = read ? act_model_open(game, read, &error) : NULL;
    if (model) {
        model->serial = serial;
    }
    return model;
}

static act_model *model_of(const char *game, const char *memory, uint64_t serial) {
    return model_with(game, memory, "1", serial);
}

/* Question `index`: an observation of its own, everything wanted now and then. */
static void make_ask(act_model *const *models, int count, int index, act_ask *ask) {
    lu_text text = LU_TEXT_INIT;
    line_wrong wrong = {0};
    act_model *m = models[index % count];
    lu_text_addf(&text, "{\"model\":\"%s\",\"seed\":%d,\"obs\":[[", m->name, index);
    for (int i = 0; i < m->observation; i++) {
        lu_text_addf(&text, "%s%d.%02d", i ? "," : "", 0, (index * 7 + i * 13) % 100);
    }
    lu_text_add(&text, "]]");
    lu_text_add(&text, index % 3 == 0 ? ",\"deterministic\":true" : "");
    lu_text_add(&text, index % 2 == 0 ? ",\"returnLogProb\":true,\"returnEntropy\":true,"
                                        "\"returnValue\":true,\"returnProbs\":true,"
                                        "\"extensions\":[\"names\"]"
                                      : "");
    lu_text_add(&text, "}");
    lu_json_document *document = lu_json_read("ask", text.text, text.length, NULL);
    CHECK(document && act_read(lu_json_root(document), models, count, true, ask, &wrong));
    lu_json_close(document);
    lu_text_free(&text);
}

/* All answers as text, asked in batches of so many. */
static void answers(act_model *const *models, int count, int batch, bool sessions, lu_text *out) {
    act_ask *asks[ASKS];
    act_session session[4] = {{0}};
    for (int first = 0; first < ASKS; first += batch) {
        int rows = ASKS - first < batch ? ASKS - first : batch;
        for (int i = 0; i < rows; i++) {
            asks[i] = lu_alloc_zero(1, sizeof **asks);
            make_ask(models, count, first + i, asks[i]);
            asks[i]->session = sessions ? &session[(first + i) % 4] : NULL;
        }
        act_run(asks, rows);
        for (int i = 0; i < rows; i++) {
            lu_json json = LU_JSON_INIT;
            act_write(asks[i], &json);
            lu_text_add_n(out, json.text, json.length);
            lu_json_free(&json);
            act_free(asks[i]);
            free(asks[i]);
        }
    }
    for (int i = 0; i < 4; i++) {
        free(session[i].memory);
    }
}

static void compare(act_model *const *models, int count, bool sessions) {
    lu_text alone = LU_TEXT_INIT, together = LU_TEXT_INIT, some = LU_TEXT_INIT;
    answers(models, count, 1, sessions, &alone);
    answers(models, count, ASKS, sessions, &together);
    answers(models, count, 17, sessions, &some);
    CHECK(alone.length > 1000);
    CHECK_TEXT(together.text, alone.text);
    CHECK_TEXT(some.text, alone.text);
    lu_text_free(&alone);
    lu_text_free(&together);
    lu_text_free(&some);
}

TEST(answers_do_not_depend_on_what_is_asked_beside_them) {
    act_model *models[] = {model_of("prospector", "none", 1), model_of("joker-brief-v1", "none", 2),
                           model_of("cartpole", "none", 3), model_of("duel", "series", 4)};
    NEED(models[0] && models[1] && models[2] && models[3]);
    compare(models, 4, false);
    for (int i = 0; i < 4; i++) {
        act_model_delete(models[i]);
    }
}

TEST(sessions_remember_in_the_order_of_their_questions) {
    act_model *models[] = {model_of("cartpole", "mingru", 1), model_of("prospector", "lstm", 2)};
    lu_text with = LU_TEXT_INIT, without = LU_TEXT_INIT;
    NEED(models[0] && models[1]);
    compare(models, 1, true);
    compare(models, 2, true);
    answers(models, 1, 1, true, &with);
    answers(models, 1, 1, false, &without);
    CHECK(strcmp(with.text, without.text) != 0);
    lu_text_free(&with);
    lu_text_free(&without);
    act_model_delete(models[0]);
    act_model_delete(models[1]);
}

TEST(a_question_without_an_answer_spoils_no_other) {
    act_model *model = model_of("joker-brief-v1", "series", 1);
    act_ask ask[3], *asks[3] = {&ask[0], &ask[1], &ask[2]};
    int32_t right[2];
    NEED(model);
    for (int i = 0; i < 3; i++) {
        make_ask(&model, 1, i, &ask[i]);
    }
    act_run(asks, 3);
    right[0] = ask[0].actions[0];
    right[1] = ask[2].actions[0];
    ask[1].x[0] =
        INFINITY; /* what act_read lets nobody send: the sums of large numbers are alike */
    ask[1].x[1] = -INFINITY;
    act_run(asks, 3);
    CHECK(!ask[0].failed && ask[1].failed && !ask[2].failed);
    CHECK_TEXT(ask[1].wrong.code, "failed");
    CHECK(ask[0].actions[0] == right[0] && ask[2].actions[0] == right[1]);
    for (int i = 0; i < 3; i++) {
        act_free(&ask[i]);
    }
    act_model_delete(model);
}

TEST(what_is_wrong_with_a_question_is_told) {
    static const struct {
        const char *text, *code, *field;
    } cases[] = {
        {"[]", "bad-json", ""},
        {"{}", "missing-field", "obs"},
        {"{\"obs\":null}", "missing-field", "obs"},
        {"{\"obs\":[1,2,3]}", "bad-value", "obs"},
        {"{\"obs\":[[1,2,3,4],[1,2,3,4]]}", "bad-value", "obs"},
        {"{\"obs\":[[1,2,3,1e39]]}", "bad-value", "obs"},
        {"{\"obs\":[[1,2,3,\"4\"]]}", "bad-value", "obs"},
        {"{\"obs\":{}}", "bad-value", "obs"},
        {"{\"obs\":[1,2,3,4],\"actionMasks\":[true,true]}", "bad-value", "actionMasks"},
        {"{\"obs\":[1,2,3,4],\"actionMasks\":[[true]]}", "bad-value", "actionMasks"},
        {"{\"obs\":[1,2,3,4],\"actionMasks\":[[false,false]]}", "bad-value", "actionMasks"},
        {"{\"obs\":[1,2,3,4],\"deterministic\":[true,true]}", "bad-value", "deterministic"},
        {"{\"obs\":[1,2,3,4],\"returnProbs\":\"yes\"}", "bad-value", "returnProbs"},
        {"{\"obs\":[1,2,3,4],\"extensions\":[\"winrate2\"]}", "unknown-extension", "extensions"},
        {"{\"obs\":[1,2,3,4],\"seed\":-1}", "bad-value", "seed"},
        {"{\"obs\":[1,2,3,4],\"session\":\"\"}", "bad-value", "session"},
        {"{\"obs\":[1,2,3,4],\"model\":7}", "bad-value", "model"},
        {"{\"obs\":[1,2,3,4],\"model\":\"other\"}", "unknown-model", "model"},
        {"{\"obs\":[1,2,3,4],\"model\":\"random\",\"returnValue\":true}", "bad-value", "model"},
        {"{\"obs\":[1,2,3,4],\"observations\":1}", "unknown-field", "observations"},
    };
    act_model *model = model_of("cartpole", "none", 1);
    NEED(model);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        act_ask ask;
        line_wrong wrong = {0};
        lu_json_document *document =
            lu_json_read("ask", cases[i].text, strlen(cases[i].text), NULL);
        NEED(document);
        CHECK(!act_read(lu_json_root(document), &model, 1, true, &ask, &wrong));
        CHECK_TEXT(wrong.code ? wrong.code : "", cases[i].code);
        CHECK_TEXT(wrong.field, cases[i].field);
        lu_json_close(document);
    }
    act_model_delete(model);
}

/* ---- frames ---- */

/* The answer to a question about a model of two frames, as text. */
static void ask_frames(act_model *m, const char *obs, act_session *session, lu_text *out) {
    lu_text text = LU_TEXT_INIT;
    line_wrong wrong = {0};
    act_ask ask, *one = &ask;
    lu_json json = LU_JSON_INIT;
    lu_text_addf(&text, "{\"obs\":%s,\"deterministic\":true,\"returnProbs\":true,\"seed\":1}", obs);
    lu_json_document *document = lu_json_read("ask", text.text, text.length, NULL);
    lu_text_clear(out);
    if (act_read(lu_json_root(document), &m, 1, true, &ask, &wrong)) {
        ask.session = session;
        act_run(&one, 1);
        act_write(&ask, &json);
        lu_text_add_n(out, json.text, json.length);
        lu_json_free(&json);
    } else {
        lu_text_add(out, wrong.text);
    }
    act_free(&ask);
    lu_json_close(document);
    lu_text_free(&text);
}

TEST(frames_come_as_a_list_or_are_remembered_by_session) {
    act_model *m = model_with("cartpole", "none", "0,2", 1);
    NEED(m != NULL);
    lu_text a = LU_TEXT_INIT, b = LU_TEXT_INIT;
    act_session session = {0};
    /* three frames one by one are the newest and the one two before */
    ask_frames(m, "[[1,0,0,0]]", &session, &a);
    ask_frames(m, "[[1,0,0,0],[1,0,0,0]]", NULL, &b);
    CHECK_TEXT(a.text, b.text);
    ask_frames(m, "[0,1,0,0]", &session, &a);
    ask_frames(m, "[[0,1,0,0],[1,0,0,0]]", NULL, &b);
    CHECK_TEXT(a.text, b.text);
    ask_frames(m, "[[0,0,1,0]]", &session, &a);
    CHECK(strcmp(a.text, b.text) != 0);
    ask_frames(m, "[[0,0,1,0],[1,0,0,0]]", NULL, &b);
    CHECK_TEXT(a.text, b.text);
    ask_frames(m, "[[0,0,0,1]]", &session, &a);
    ask_frames(m, "[[0,0,0,1],[0,1,0,0]]", NULL, &b);
    CHECK_TEXT(a.text, b.text);
    /* without a session one frame is the first of an episode */
    ask_frames(m, "[[0,0,0,1]]", NULL, &a);
    ask_frames(m, "[[0,0,0,1],[0,0,0,1]]", NULL, &b);
    CHECK_TEXT(a.text, b.text);
    ask_frames(m, "[[0,0,0,1],[0,0,0,1],[0,0,0,1]]", NULL, &a);
    CHECK_TEXT(a.text,
               "obs must be one frame of 4 numbers, or a list of 2 such frames, newest first");
    ask_frames(m, "[[0,0,0,1],[0,0,0]]", NULL, &b);
    CHECK_TEXT(a.text, b.text);
    lu_text_free(&a);
    lu_text_free(&b);
    free(session.memory);
    act_model_delete(m);
}

TEST(the_win_rate_is_an_extension_of_models_that_have_it) {
    static const char question[] =
        "{\"obs\":[1,2,3,4],\"extensions\":[\"winrate\"],\"deterministic\":true}";
    act_model *with = model_with("cartpole", "none", "2", 1),
              *without = model_of("cartpole", "none", 2);
    NEED(with && without);
    lu_json_document *document = lu_json_read("ask", question, strlen(question), NULL);
    line_wrong wrong = {0};
    act_ask ask, *one = &ask;
    CHECK(!act_read(lu_json_root(document), &without, 1, true, &ask, &wrong));
    CHECK_TEXT(wrong.code, "unknown-extension");
    NEED(act_read(lu_json_root(document), &with, 1, true, &ask, &wrong));
    act_run(&one, 1);
    lu_json json = LU_JSON_INIT;
    act_write(&ask, &json);
    CHECK_HAS(json.text, "\"extensionResults\":[{\"WIN\":[0.");
    CHECK_HAS(json.text, "],\"LOSE\":[0.");
    float row[4] = {1, 2, 3, 4};
    CHECK(ask.win == (float)lu_win_rate_run(with->file->win_rate, 4, row));
    lu_json_free(&json);
    act_free(&ask);
    lu_json_close(document);
    act_model_delete(with);
    act_model_delete(without);
}
