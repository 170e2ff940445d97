/* Model files: what is saved comes back bit by bit, from a file and from an archive, and nothing
 * that does not fit is taken. */
#include "ludus/model.h"

#include "ludus/file.h"
#include "ludus/tensors.h"

#include "zip.h"

#include "test.h"

#include <stdlib.h>

static const lu_setting train_rows[] = {
    {"train.rate", LU_REAL, "0.001", 0, 1, NULL, "Learning rate.", false},
    {"train.tags", LU_TEXT, "", 0, 0, NULL, "Words.", true},
    {"train.plan", LU_JSON, "", 0, 0, NULL, "Anything.", false},
    {"train.decay", LU_SCHEDULE, "linear(1,0)", 0, 1, NULL, "Schedule.", false},
    {"train.sizes", LU_LIST, "1,2.5", 0, 9, NULL, "Numbers.", false},
};
static const lu_table train_table = {"train", train_rows, 5};

static lu_normaliser learned(int length) {
    lu_normaliser normaliser;
    lu_normaliser_init(&normaliser, length);
    lu_rng rng = lu_rng_from(5);
    for (int r = 0; r < 77; r++) {
        float row[16];
        for (int i = 0; i < length; i++) {
            row[i] = (float)(lu_rng_unit(&rng) * (i + 1));
        }
        lu_normaliser_add(&normaliser, 1, row, 16);
    }
    normaliser.clip = 7.5f;
    lu_normaliser_freeze(&normaliser);
    return normaliser;
}

/* A model as a trainer has it. */
static lu_model_file *sample(const char *memory, lu_net_kind kind) {
    lu_model_file *file = lu_alloc_zero(1, sizeof *file);
    lu_error error = {0};
    file->game = lu_game_find("corridor-v1", NULL);
    file->settings = lu_settings_new();
    lu_settings_add(file->settings, lu_net_table);
    lu_game_add_settings(file->game, file->settings);
    lu_settings_add(file->settings, train_table);
    lu_settings_set(file->settings, "net.hidden", "8", LU_FROM_FLAG, "test", NULL);
    lu_settings_set(file->settings, "net.memory", memory, LU_FROM_FLAG, "test", NULL);
    lu_settings_set(file->settings, "length", "11", LU_FROM_FLAG, "test", NULL);
    lu_settings_set(file->settings, "train.tags", "a,b", LU_FROM_FLAG, "test", NULL);
    lu_settings_set(file->settings, "train.tags", "c", LU_FROM_FLAG, "test", NULL);
    lu_settings_set(file->settings, "train.plan", "{\"x\": [1, null]}", LU_FROM_FLAG, "test", NULL);
    file->net = lu_net_new(file->game, kind, file->settings, &error);
    CHECK_TEXT(error.text, "");
    lu_net_init(file->net, 3);
    lu_net_pack(file->net);
    file->observation = learned(lu_game_observation_length(file->game));
    file->return_scale = 0.1;
    file->step = 123456789;
    file->seed = UINT64_MAX - 1;
    snprintf(file->build, sizeof file->build, "ludus 0.1 test");
    file->card = lu_strdup("{\"title\": \"Sample\", \"score\": 0.5}");
    return file;
}

static char *sample_bytes(size_t *length) {
    lu_model_file *file = sample("none", LU_NET_POLICY);
    char *bytes = NULL;
    CHECK(lu_model_file_write(file, &bytes, length, NULL) == LU_OK);
    lu_model_file_delete(file);
    return bytes;
}

/* Logits and values of some rows. */
static void think(const lu_model_file *file, float out[16]) {
    float observation[4][3] = {{0, 0.5f, 1}, {0.25f, 0, 0}, {1, 1, 1}, {0.1f, 0.2f, 0.3f}};
    size_t floats = lu_net_memory_floats(file->net);
    float *memory = lu_alloc_zero(4 * floats + 1, sizeof *memory);
    lu_net_work *work = lu_net_work_new(file->net, 4);
    lu_net_infer call = {.rows = 4,
                         .observation = observation[0],
                         .observation_stride = 3,
                         .normaliser = &file->observation,
                         .memory = memory,
                         .logits = out,
                         .logits_stride = 3,
                         .value = lu_net_kind_of(file->net) == LU_NET_POLICY ? out + 12 : NULL};
    lu_net_run(file->net, work, &call);
    lu_net_run(file->net, work, &call); /* the second step shows the memory too */
    lu_net_work_delete(work);
    free(memory);
}

static void check_equal(const lu_model_file *a, const lu_model_file *b) {
    CHECK(a->game == b->game);
    CHECK_INT(lu_net_kind_of(a->net), lu_net_kind_of(b->net));
    NEED(lu_net_parameters(a->net) == lu_net_parameters(b->net));
    CHECK(memcmp(lu_net_block(a->net), lu_net_block(b->net),
                 lu_net_parameters(a->net) * sizeof(float)) == 0);
    NEED(a->observation.length == b->observation.length);
    size_t floats = (size_t)a->observation.length * sizeof(float);
    CHECK(memcmp(a->observation.shift, b->observation.shift, floats) == 0);
    CHECK(memcmp(a->observation.scale, b->observation.scale, floats) == 0);
    CHECK(memcmp(a->observation.mean, b->observation.mean, 2 * floats) == 0);
    CHECK(a->observation.clip == b->observation.clip);
    CHECK(a->observation.count == b->observation.count);
    CHECK_INT(b->critic.length, 0);
    CHECK(a->return_scale == b->return_scale);
    CHECK_INT(a->step, b->step);
    CHECK(a->seed == b->seed);
    CHECK_TEXT(b->build, a->build);
    float x[16] = {0}, y[16] = {0};
    think(a, x);
    think(b, y);
    CHECK(memcmp(x, y, sizeof x) == 0);
}

static const char *path_of(const char *name) {
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", lu_test_folder(), name);
    return path;
}

/* ---- what is saved ---- */

TEST(saved_loads_equal) {
    static const char *const memories[] = {"none", "mingru", "lstm"};
    for (int i = 0; i < 6; i++) {
        lu_error error = {0};
        lu_model_file *file = sample(memories[i / 2], i % 2 ? LU_NET_Q : LU_NET_POLICY);
        CHECK_INT(lu_model_file_save(path_of("a.safetensors"), file, &error), LU_OK);
        lu_model_file *loaded = lu_model_file_load(path_of("a.safetensors"), &error);
        CHECK_TEXT(error.text, "");
        NEED(loaded);
        check_equal(file, loaded);
        CHECK_HEX(loaded->spec, lu_spec_hash(file->game));
        CHECK_INT(lu_settings_int(loaded->settings, "length"), 11);
        CHECK_INT(lu_settings_int(loaded->settings, "net.hidden"), 8);
        CHECK_TEXT(loaded->card, "{\"score\":0.5,\"title\":\"Sample\"}");
        CHECK_HAS(loaded->settings_json, "\"train.plan\":{\"x\":[1,null]}");
        CHECK_HAS(loaded->settings_json, "\"train.rate\":0.001");
        CHECK_HAS(loaded->settings_json, "\"train.tags\":[\"a,b\",\"c\"]");
        CHECK_HAS(loaded->settings_json, "\"train.sizes\":[1,2.5]");
        CHECK_HAS(loaded->settings_json, "\"train.decay\":\"linear(1,0)\"");
        CHECK_HAS(loaded->settings_json, "\"limit\":50"); /* a default, kept all the same */
        lu_model_file_delete(loaded);
        lu_model_file_delete(file);
    }
}

TEST(saving_again_gives_equal_bytes) {
    size_t length, again_length;
    char *bytes = sample_bytes(&length), *again = NULL;
    lu_model_file *file = lu_model_file_read("sample", bytes, length, NULL);
    NEED(file);
    CHECK_INT(lu_model_file_write(file, &again, &again_length, NULL), LU_OK);
    CHECK(length == again_length && memcmp(bytes, again, length) == 0);
    lu_model_file_delete(file);
    free(again);
    free(bytes);
}

TEST(archive_loads_equal) {
    lu_error error = {0};
    lu_model_file *file = sample("none", LU_NET_POLICY);
    char *once, *twice;
    size_t once_length, twice_length;
    CHECK_INT(lu_model_file_export_zip(path_of("a.zip"), file, &error), LU_OK);
    lu_model_file *loaded = lu_model_file_load(path_of("a.zip"), &error);
    CHECK_TEXT(error.text, "");
    NEED(loaded);
    check_equal(file, loaded);
    CHECK_INT(lu_file_read(path_of("a.zip"), 1 << 20, &once, &once_length, &error), LU_OK);
    CHECK_INT(lu_model_file_export_zip(path_of("a.zip"), loaded, &error), LU_OK);
    CHECK_INT(lu_file_read(path_of("a.zip"), 1 << 20, &twice, &twice_length, &error), LU_OK);
    CHECK(once_length == twice_length && memcmp(once, twice, once_length) == 0);
    free(once);
    free(twice);
    lu_model_file_delete(loaded);
    lu_model_file_delete(file);
}

/* Whatever the moments were, the variance comes back bit by bit. */
TEST(variance_is_exact) {
    lu_rng rng = lu_rng_from(5);
    lu_model_file *file = sample("none", LU_NET_POLICY);
    for (int round = 0; round < 300; round++) {
        file->observation.count = 1 + floor(lu_rng_unit(&rng) * 1e6);
        for (int i = 0; i < file->observation.length; i++) {
            file->observation.square[i] =
                ldexp(lu_rng_unit(&rng), (int)lu_rng_below(&rng, 80) - 40);
        }
        lu_normaliser_freeze(&file->observation);
        char *bytes;
        size_t length;
        NEED(lu_model_file_write(file, &bytes, &length, NULL) == LU_OK);
        lu_model_file *loaded = lu_model_file_read("sample", bytes, length, NULL);
        NEED(loaded);
        for (int i = 0; i < file->observation.length; i++) {
            CHECK(loaded->observation.square[i] / loaded->observation.count ==
                  file->observation.square[i] / file->observation.count);
            CHECK(loaded->observation.scale[i] == file->observation.scale[i]);
        }
        lu_model_file_delete(loaded);
        free(bytes);
    }
    lu_model_file_delete(file);
}

TEST(without_normaliser_and_card) {
    lu_error error = {0};
    lu_model_file *file = sample("none", LU_NET_POLICY);
    lu_normaliser_free(&file->observation);
    free(file->card);
    file->card = NULL;
    CHECK_INT(lu_model_file_export_zip(path_of("bare.zip"), file, &error), LU_OK);
    lu_model_file *loaded = lu_model_file_load(path_of("bare.zip"), &error);
    CHECK_TEXT(error.text, "");
    NEED(loaded);
    CHECK_INT(loaded->observation.length, 0);
    CHECK(loaded->card == NULL);
    lu_model_file_delete(loaded);
    lu_model_file_delete(file);
}

TEST(broken_models_are_not_saved) {
    lu_error error = {0};
    lu_model_file *file = sample("none", LU_NET_POLICY);
    CHECK_INT(lu_model_file_save(path_of("keep.safetensors"), file, &error), LU_OK);
    float *block = lu_net_block(file->net), kept = block[5];
    block[5] = NAN;
    CHECK_INT(lu_model_file_save(path_of("keep.safetensors"), file, &error), LU_BAD_DATA);
    CHECK_HAS(error.text, "NaN or infinity");
    CHECK_INT(lu_model_file_export_zip(path_of("keep.safetensors"), file, &error), LU_BAD_DATA);
    block[5] = kept;
    file->return_scale = INFINITY;
    CHECK_INT(lu_model_file_save(path_of("keep.safetensors"), file, &error), LU_BAD_DATA);
    file->return_scale = 1;
    file->observation.mean[0] = NAN;
    CHECK_INT(lu_model_file_save(path_of("keep.safetensors"), file, &error), LU_BAD_DATA);
    file->observation.mean[0] = 0;
    free(file->card);
    file->card = lu_strdup("[1]");
    CHECK_INT(lu_model_file_save(path_of("keep.safetensors"), file, &error), LU_BAD_DATA);
    CHECK_INT(lu_model_file_save("/nowhere/at/all", file, &error), LU_BAD_DATA);
    lu_model_file *loaded = lu_model_file_load(path_of("keep.safetensors"), &error);
    CHECK(loaded != NULL); /* the old file is still there */
    lu_model_file_delete(loaded);
    lu_model_file_delete(file);
}

/* ---- what is refused ---- */

TEST(every_truncation_is_refused) {
    size_t length;
    char *bytes = sample_bytes(&length);
    for (size_t cut = 0; cut < length; cut++) {
        lu_error error = {0};
        char *part = lu_alloc(cut);
        memcpy(part, bytes, cut);
        lu_model_file *file = lu_model_file_open("cut", part, cut, &error);
        if (file || lu_status_exit(error.status) != 4 || !error.text[0]) {
            lu_test_fail(__FILE__, __LINE__, "cut at %zu: %s", cut, error.text);
        }
        lu_model_file_delete(file);
        free(part);
    }
    free(bytes);
}

TEST(every_flip_is_refused) {
    size_t length;
    char *bytes = sample_bytes(&length);
    for (size_t bit = 0; bit < 8 * length; bit++) {
        lu_error error = {0};
        bytes[bit / 8] = (char)(bytes[bit / 8] ^ (1 << bit % 8));
        lu_model_file *file = lu_model_file_open("flip", bytes, length, &error);
        if (file || lu_status_exit(error.status) != 4 || !error.text[0]) {
            lu_test_fail(__FILE__, __LINE__, "bit %zu: %s", bit, error.text);
        }
        lu_model_file_delete(file);
        bytes[bit / 8] = (char)(bytes[bit / 8] ^ (1 << bit % 8));
    }
    free(bytes);
}

/* One change of the sample, written again with a right hash. */
typedef struct change {
    const char *key, *value; /* a text; value NULL: left out */
    const char *tensor;      /* a tensor; with no other change: left out */
    const char *rename;
    int64_t rows;     /* another first axis: at most the real one */
    lu_dtype type;    /* read as another type of the same size, unless 0 */
    float number;     /* its first number, unless 0 */
    lu_status status; /* what comes of it */
    const char *why;
} change;

static char *changed(const change *c, size_t *length) {
    size_t old_length;
    char *old = sample_bytes(&old_length), *bytes = NULL;
    lu_tensors *tensors = lu_tensors_read("sample", old, old_length, NULL);
    lu_tensor_entry *entry = lu_alloc_zero(tensors->entries, sizeof *entry);
    lu_tensor_note *note = lu_alloc_zero(tensors->notes + 1, sizeof *note);
    size_t entries = 0, notes = 0;
    float numbers[4096];
    bool found = c->tensor == NULL;
    for (size_t i = 0; i < tensors->entries; i++) {
        lu_tensor_entry e = tensors->entry[i];
        if (c->tensor && strcmp(e.name, c->tensor) == 0) {
            found = true;
            if (!c->rename && !c->rows && !c->type && c->number == 0) {
                continue;
            }
            e.name = c->rename ? c->rename : e.name;
            e.shape[0] = c->rows ? c->rows : e.shape[0];
            e.type = c->type ? c->type : e.type;
            if (c->number != 0) {
                memcpy(numbers, e.data, e.bytes);
                numbers[0] = c->number;
                e.data = numbers;
            }
        }
        entry[entries++] = e;
    }
    CHECK(found);
    for (size_t i = 0; i < tensors->notes; i++) {
        bool same = c->key && strcmp(tensors->note[i].key, c->key) == 0;
        if (!same && strcmp(tensors->note[i].key, "ludus.hash") != 0) {
            note[notes++] = tensors->note[i];
        }
    }
    if (c->key && c->value) {
        note[notes++] = (lu_tensor_note){c->key, c->value};
    }
    CHECK(lu_tensors_write(entry, entries, note, notes, &bytes, length, NULL) == LU_OK);
    free(entry);
    free(note);
    lu_tensors_close(tensors);
    free(old);
    return bytes;
}

#define NET(rest) "{\"net\":{\"net.hidden\":8" rest "}}"
#define SETTINGS  "ludus.settings"
#define FIRST     "encoder.weight"

TEST(what_does_not_fit_is_refused) {
    static const change rows[] = {
        {.key = "ludus.version", .value = "2", .status = LU_OTHER_VERSION, .why = "version 2"},
        {.key = "ludus.version", .value = "[1]", .status = LU_BAD_DATA, .why = "not a number"},
        {.key = "ludus.version", .status = LU_BAD_DATA, .why = "lacks its 'version'"},
        {.key = "ludus.future", .value = "1", .status = LU_OTHER_VERSION, .why = "ludus.future"},
        {.key = "ludus.game", .value = "chess-v1", .status = LU_NOT_FOUND, .why = "chess-v1"},
        {.key = "ludus.game", .value = "corridor", .status = LU_NOT_FOUND, .why = "corridor"},
        {.key = "ludus.game", .value = "", .status = LU_NOT_FOUND, .why = "model of ''"},
        {.key = "ludus.spec",
         .value = "0123456789abcdef",
         .status = LU_OTHER_SPEC,
         .why = "trained on another specification of corridor-v1"},
        {.key = "ludus.spec", .value = "0x23456789abcdef", .status = LU_BAD_DATA, .why = "'spec'"},
        {.key = "ludus.spec", .status = LU_BAD_DATA, .why = "'spec'"},
        {.key = "ludus.kind", .value = "value", .status = LU_BAD_DATA, .why = "'kind' is 'value'"},
        {.key = "ludus.step", .value = "-1", .status = LU_BAD_DATA, .why = "step"},
        {.key = "ludus.step", .value = "1e30", .status = LU_BAD_DATA, .why = "step"},
        {.key = "ludus.seed",
         .value = "18446744073709551616",
         .status = LU_BAD_DATA,
         .why = "seed"},
        {.key = "ludus.return_scale", .value = "0", .status = LU_BAD_DATA, .why = "return_scale"},
        {.key = "ludus.return_scale",
         .value = "1e400",
         .status = LU_BAD_DATA,
         .why = "return_scale"},
        {.key = "ludus.build",
         .value = "a name of a build that is far too long for the field it would be read into",
         .status = LU_BAD_DATA,
         .why = "too long"},
        {.key = "ludus.card", .value = "1", .status = LU_BAD_DATA, .why = "card"},
        /* settings */
        {.key = SETTINGS, .status = LU_BAD_DATA, .why = "'settings'"},
        {.key = SETTINGS, .value = "{", .status = LU_BAD_DATA, .why = "settings"},
        {.key = SETTINGS, .value = "{}", .status = LU_BAD_DATA, .why = "no 'net'"},
        {.key = SETTINGS, .value = "{\"net\":7}", .status = LU_BAD_DATA, .why = "objects"},
        {.key = SETTINGS, .value = "{\"net\":{},\"x\":{}}", .status = LU_BAD_DATA, .why = "'x'"},
        {.key = SETTINGS,
         .value = NET(",\"net.sparkle\":1"),
         .status = LU_OTHER_SPEC,
         .why = "net.sparkle"},
        {.key = SETTINGS,
         .value = NET(",\"net.layers\":99"),
         .status = LU_OTHER_SPEC,
         .why = "net.layers"},
        {.key = SETTINGS,
         .value = NET(",\"net.layers\":[1]"),
         .status = LU_BAD_DATA,
         .why = "net.layers"},
        {.key = SETTINGS,
         .value = "{\"net\":{\"net.hidden\":8},\"game\":{\"length\":1}}",
         .status = LU_OTHER_SPEC,
         .why = "length"},
        {.key = SETTINGS,
         .value = "{\"net\":{\"net.hidden\":9}}",
         .status = LU_BAD_DATA,
         .why = "but its net needs [9"},
        {.key = SETTINGS,
         .value = "{\"net\":{\"net.hidden\":4096,\"net.memory\":\"lstm\",\"net.layers\":16,"
                  "\"net.memory_layers\":16}}",
         .status = LU_BAD_DATA,
         .why = "that its settings need"},
        {.key = SETTINGS,
         .value = NET(",\"net.layers\":1"),
         .status = LU_BAD_DATA,
         .why = "which its net lacks"},
        {.key = SETTINGS,
         .value = NET(",\"net.critic\":\"separate\""),
         .status = LU_BAD_DATA,
         .why = "its net needs [3,8]"},
        {.key = SETTINGS,
         .value = NET(",\"net.heads\":\"autoregressive\",\"net.head_hidden\":[4096,4096,4096]"),
         .status = LU_BAD_DATA,
         .why = "that its settings need"},
        {.key = SETTINGS,
         .value = NET(",\"net.heads\":\"autoregressive\",\"net.head_hidden\":[1,1,1,1,1]"),
         .status = LU_BAD_DATA,
         .why = "up to 4 integers"},
        {.key = SETTINGS,
         .value = NET(",\"net.head_hidden\":[3]"),
         .status = LU_BAD_DATA,
         .why = "net.head_hidden needs net.heads=autoregressive; set that or leave it"},
        /* tensors */
        {.tensor = FIRST, .status = LU_BAD_DATA, .why = "lacks the tensor '" FIRST "'"},
        {.tensor = FIRST, .rename = "encoder.wait", .status = LU_BAD_DATA, .why = "'encoder.wait'"},
        {.tensor = FIRST,
         .rows = 7,
         .status = LU_BAD_DATA,
         .why = "[7,3], but its net needs [8,3]"},
        {.tensor = FIRST, .type = LU_I32, .status = LU_BAD_DATA, .why = "type I32"},
        {.tensor = FIRST, .number = NAN, .status = LU_BAD_DATA, .why = "NaN or infinity"},
        {.tensor = FIRST, .number = INFINITY, .status = LU_BAD_DATA, .why = "NaN or infinity"},
        {.tensor = "normaliser.mean", .status = LU_BAD_DATA, .why = "needs .mean and .var"},
        {.tensor = "normaliser.count", .status = LU_BAD_DATA, .why = "needs .mean and .var"},
        {.tensor = "normaliser.mean", .rows = 2, .status = LU_BAD_DATA, .why = "equal length"},
        {.tensor = "normaliser.mean", .type = LU_I64, .status = LU_BAD_DATA, .why = "type I64"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t length;
        lu_error error = {0};
        char *bytes = changed(&rows[i], &length);
        lu_model_file *file = lu_model_file_read("changed", bytes, length, &error);
        if (file || error.status != rows[i].status || !strstr(error.text, rows[i].why)) {
            lu_test_fail(__FILE__, __LINE__, "row %zu: %s \"%s\" without \"%s\"", i,
                         lu_status_name(error.status), error.text, rows[i].why);
        }
        lu_model_file_delete(file);
        free(bytes);
    }
    /* no change at all is read */
    size_t length;
    char *bytes = changed(&(change){0}, &length);
    lu_model_file *file = lu_model_file_read("same", bytes, length, NULL);
    CHECK(file != NULL);
    lu_model_file_delete(file);
    free(bytes);
}

TEST(a_model_of_an_earlier_specification_is_refused_and_carried_over) {
    size_t length, first, second;
    char *now = changed(&(change){0}, &length), *once, *twice;
    size_t old_length;
    char *old = changed(&(change){.key = "ludus.spec", .value = "ca61551c1a4ac4c5"}, &old_length);
    lu_error error;
    CHECK(!lu_model_file_read("old", old, old_length, &error));
    CHECK_INT(error.status, LU_OTHER_SPEC);
    CHECK_HAS(error.text, "`ludus model upgrade FILE`");
    NEED(lu_model_file_upgrade("old", old, old_length, &once, &first, &error) == LU_OK);
    CHECK_INT(first, length);
    lu_model_file *file = lu_model_file_read("once", once, first, &error);
    NEED(file);
    CHECK_HEX(file->spec, lu_spec_hash(file->game));
    lu_model_file_delete(file);
    NEED(lu_model_file_upgrade("once", once, first, &twice, &second, &error) == LU_OK);
    CHECK(first == second && memcmp(once, twice, first) == 0);
    CHECK(memcmp(once, now, first) == 0);
    free(once);
    free(twice);
    /* an archive stays one */
    lu_zip_part part = {"policy.safetensors", old, old_length};
    char *zip;
    size_t zip_length;
    NEED(lu_zip_write(&part, 1, &zip, &zip_length, &error) == LU_OK);
    CHECK(!lu_model_file_open("old.zip", zip, zip_length, &error));
    CHECK_HAS(error.text, "`ludus model upgrade FILE`");
    NEED(lu_model_file_upgrade("old.zip", zip, zip_length, &once, &first, &error) == LU_OK);
    CHECK(lu_zip_is(once, first));
    NEED(file = lu_model_file_open("once", once, first, &error));
    CHECK_HEX(file->spec, lu_spec_hash(file->game));
    lu_model_file_delete(file);
    free(zip);
    free(once);
    /* another specification, and a net that does not fit */
    static const change rows[] = {{.key = "ludus.spec", .value = "0123456789abcdef"},
                                  {.tensor = FIRST}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *bad = changed(&rows[i], &first);
        CHECK_INT(lu_model_file_upgrade("bad", bad, first, &once, &second, &error),
                  i ? LU_BAD_DATA : LU_OTHER_SPEC);
        CHECK(!once);
        free(bad);
    }
    free(old);
    free(now);
}

TEST(bad_normalisers_are_refused) {
    static const double rows[][3] = {
        {0, -1, 1}, {0, NAN, 1}, {1e300, 1, 1}, {0, 1, -1}, {0, 1e308, 1e308}, {INFINITY, 1, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t old_length, length;
        char *old = sample_bytes(&old_length), *bytes;
        lu_tensors *tensors = lu_tensors_read("sample", old, old_length, NULL);
        NEED(tensors);
        double mean[3] = {0, rows[i][0], 0}, var[3] = {1, rows[i][1], 1}, count = rows[i][2];
        lu_tensor_entry entry[64];
        lu_tensor_note note[32];
        for (size_t e = 0; e < tensors->entries; e++) {
            entry[e] = tensors->entry[e];
            entry[e].data = strcmp(entry[e].name, "normaliser.mean") == 0    ? mean
                            : strcmp(entry[e].name, "normaliser.var") == 0   ? var
                            : strcmp(entry[e].name, "normaliser.count") == 0 ? &count
                                                                             : entry[e].data;
        }
        memcpy(note, tensors->note + 1, (tensors->notes - 1) * sizeof *note); /* [0]: the hash */
        NEED(lu_tensors_write(entry, tensors->entries, note, tensors->notes - 1, &bytes, &length,
                              NULL) == LU_OK);
        lu_error error = {0};
        CHECK(!lu_model_file_read("changed", bytes, length, &error));
        CHECK_INT(error.status, LU_BAD_DATA);
        CHECK_HAS(error.text, "normaliser");
        lu_tensors_close(tensors);
        free(bytes);
        free(old);
    }
}

/* ---- archives ---- */

/* The sample's tensors without any text or normaliser: weights from elsewhere. */
static char *bare_weights(size_t *length) {
    size_t old_length, entries = 0;
    char *old = sample_bytes(&old_length), *bytes = NULL;
    lu_tensors *tensors = lu_tensors_read("sample", old, old_length, NULL);
    lu_tensor_entry entry[64];
    for (size_t i = 0; i < tensors->entries; i++) {
        if (strncmp(tensors->entry[i].name, "normaliser.", 11) != 0) {
            entry[entries++] = tensors->entry[i];
        }
    }
    CHECK(lu_tensors_write(entry, entries, NULL, 0, &bytes, length, NULL) == LU_OK);
    lu_tensors_close(tensors);
    free(old);
    return bytes;
}

static lu_model_file *open_parts(const lu_zip_part *part, int parts, lu_error *error) {
    char *bytes = NULL;
    size_t length;
    *error = (lu_error){0};
    CHECK(lu_zip_write(part, parts, &bytes, &length, NULL) == LU_OK);
    lu_model_file *file = lu_model_file_open("parts.zip", bytes, length, error);
    free(bytes);
    return file;
}

TEST(archive_of_parts) {
    char metadata[512];
    const char *stats = "{\"mean\": [0.1, 0.2, 0.3], \"var\": [1, 2, 3.5], \"count\": 100}";
    snprintf(metadata, sizeof metadata,
             "{\"version\": 1, \"game\": \"corridor-v1\", \"spec\": \"%016llx\", \"kind\": "
             "\"policy\",\n \"settings\": {\"net\": {\"net.hidden\": 8}}, \"step\": 5}",
             (unsigned long long)lu_spec_hash(lu_game_find("corridor-v1", NULL)));
    size_t length, whole_length;
    char *weights = bare_weights(&length), *whole = sample_bytes(&whole_length);
    lu_error error = {0};
    lu_zip_part part[4] = {{"metadata.json", metadata, strlen(metadata)},
                           {"policy.safetensors", weights, length},
                           {"obs_rms.json", stats, strlen(stats)},
                           {"data.pkl", "", 0}};
    CHECK(!lu_model_file_read("weights", weights, length, &error));
    CHECK_INT(error.status, LU_FOREIGN_FILE);
    CHECK_HAS(error.text, "python/ludus_convert.py");
    lu_model_file *file = open_parts(part, 3, &error);
    CHECK_TEXT(error.text, "");
    NEED(file);
    CHECK_INT(file->step, 5);
    CHECK_INT(file->observation.length, 3);
    CHECK(file->observation.mean[1] == 0.2);
    CHECK(file->observation.count == 100);
    CHECK(file->return_scale == 1);
    lu_model_file_delete(file);
    /* what is said twice must be equal */
    part[1] = (lu_zip_part){"policy.safetensors", whole, whole_length};
    CHECK(!open_parts(part, 2, &error));
    CHECK_INT(error.status, LU_BAD_DATA);
    CHECK_HAS(error.text, "disagree about 's"); /* settings or step */
    CHECK(!open_parts(part + 1, 2, &error));
    CHECK_HAS(error.text, "': obs_rms.json and policy.safetensors have different numbers: change");
    file = open_parts(part + 1, 1, &error);
    CHECK(file != NULL);
    lu_model_file_delete(file);
    /* parts that are missing or left over */
    CHECK(!open_parts(part, 1, &error));
    CHECK_HAS(error.text, "without policy.safetensors");
    CHECK(!open_parts(part, 0, &error));
    part[2].name = "readme.txt";
    CHECK(!open_parts(part, 3, &error));
    CHECK_HAS(error.text, "holds 'readme.txt'");
    part[2].name = "obs_rms.json";
    CHECK(!open_parts(part, 4, &error));
    CHECK_INT(error.status, LU_BAD_DATA);
    CHECK_HAS(error.text, "is a pickle");
    free(weights);
    free(whole);
}

TEST(bad_json_in_archives_is_refused) {
    static const struct {
        int file;
        const char *text, *why;
    } rows[] = {
        {0, "", "metadata.json:1:1"},
        {0, "[]", "expected a JSON object"},
        {0, "{\"version\": \"1\"}", "'version' is of another kind"},
        {0, "{\"colour\": 1}", "unknown member 'colour'"},
        {0, "{\"version\": 1, \"version\": 1}", "metadata.json:1"},
        {0, "{\"build\": \"a\\u0000b\"}", "NUL"},
        {1, "", "obs_rms.json:1:1"},
        {1, "[]", "needs 'mean'"},
        {1, "{}", "needs 'mean'"},
        {1, "{\"mean\":[],\"var\":[],\"count\":1}", "needs 'mean'"},
        {1, "{\"mean\":[1,2,3],\"var\":[1,2],\"count\":1}", "needs 'mean'"},
        {1, "{\"mean\":[1,2,3],\"var\":[1,2,3]}", "needs 'mean'"},
        {1, "{\"mean\":[1,2,3],\"var\":[1,2,3],\"count\":1,\"x\":1}", "needs 'mean'"},
        {1, "{\"mean\":[1,2,3],\"var\":[1,2,null],\"count\":1}", "something else than numbers"},
        {1, "{\"mean\":[1,2,3],\"var\":[1,2,-3],\"count\":1}", "negative variance"},
        {1, "{\"critic\":7}", "needs 'mean'"},
    };
    size_t length;
    char *weights = bare_weights(&length);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        lu_error error;
        lu_zip_part part[2] = {
            {"policy.safetensors", weights, length},
            {rows[i].file ? "obs_rms.json" : "metadata.json", rows[i].text, strlen(rows[i].text)}};
        CHECK(!open_parts(part, 2, &error));
        if (lu_status_exit(error.status) != 4 || !strstr(error.text, rows[i].why)) {
            lu_test_fail(__FILE__, __LINE__, "row %zu: \"%s\" without \"%s\"", i, error.text,
                         rows[i].why);
        }
    }
    free(weights);
}

TEST(pickles_get_the_converter) {
    static const struct {
        const char *name, *bytes;
        size_t length;
    } rows[] = {
        {"a.safetensors", "\x80\x02\x8a\x0al\xfc\x9c\x46\xf9 j\xa8P\x19.", 15},
        {"a.pt", "\x80\x04\x95\x10\0\0\0\0\0\0\0}\x94.", 14},
        {"a.pkl", "(dp0\nS'a'\np1\nI1\ns.", 19},
        {"a.pth", "anything at all", 15},
        {"a.zip", "PK\3\4\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x10\0\0\0archive/data.pkl",
         46},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        lu_error error = {0};
        const char *path = path_of(rows[i].name);
        NEED(lu_file_write(path, rows[i].bytes, rows[i].length, NULL) == LU_OK);
        CHECK(!lu_model_file_load(path, &error));
        CHECK_INT(error.status, LU_BAD_DATA);
        CHECK_HAS(error.text, "is a pickle, which can run code and is never read");
        CHECK_HAS(error.text, "python/ludus_convert.py");
    }
}

TEST(missing_files_are_told) {
    lu_error error = {0};
    CHECK(!lu_model_file_load(path_of("none.safetensors"), &error));
    CHECK_INT(error.status, LU_NOT_FOUND);
    CHECK(!lu_model_file_load(lu_test_folder(), &error));
    CHECK_INT(error.status, LU_IO);
}
