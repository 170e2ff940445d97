/* `ludus duel exchange`: mean damages of the styles in the stripped exchange, and the equilibrium
 * of styles and protections. */
#include "duel_mean.h"

#include "ludus/text.h"
#include "ludus/tool.h"

#define BUILDS "MAXED|MED|ZERKER|PURE|LMS_MED|LMS_ZERKER|LMS_PURE"

static const lu_setting rows[] = {
    {"attacker.build", LU_ENUM, "PURE", 0, 0, BUILDS, "Build of the attacker.", false},
    {"attacker", LU_ALIAS, "attacker.build", 0, 0, NULL, "Build of the attacker.", false},
    {"defender.build", LU_ENUM, "PURE", 0, 0, BUILDS, "Build of the defender.", false},
    {"defender", LU_ALIAS, "defender.build", 0, 0, NULL, "Build of the defender.", false},
    {"rules", LU_ENUM, "ref", 0, 0, "ref|game", "Formulas.", false},
};

static const char *const names[DUEL_STYLES] = {"melee", "ranged", "magic"};

static void write_row(const char *key, const double *row, lu_json *json) {
    lu_json_key_object(json, key);
    for (int k = 0; k < DUEL_STYLES; k++) {
        lu_json_key_real(json, names[k], row[k]);
    }
    lu_json_object_end(json);
}

static lu_status run(const lu_tool_io *io, lu_error *error) {
    double mean[DUEL_STYLES], shielded[DUEL_STYLES], attack[DUEL_STYLES], protect[DUEL_STYLES];
    uint32_t live = lu_settings_enum(io->settings, "rules") == 1 ? DUEL_LIVE_ALL : 0;
    const duel_build *by = &duel_builds[lu_settings_enum(io->settings, "attacker.build")];
    const duel_build *to = &duel_builds[lu_settings_enum(io->settings, "defender.build")];
    (void)error;
    duel_exchange_means(live, by, to, mean, shielded);
    double value = duel_equilibrium(mean, shielded, attack, protect);
    lu_json json = LU_JSON_INIT;
    lu_text line = LU_TEXT_INIT;
    lu_json_object(&json);
    write_row("mean_damage", mean, &json);
    write_row("mean_damage_protected", shielded, &json);
    write_row("styles", attack, &json);
    write_row("protections", protect, &json);
    lu_json_key_real(&json, "value", value);
    lu_json_key_array(&json, "words");
    lu_text_addf(&line, "%s against %s: %.3f damage per exchange in equilibrium", by->name,
                 to->name, value);
    lu_json_string(&json, line.text);
    for (int k = 0; k < DUEL_STYLES; k++) {
        lu_text_clear(&line);
        lu_text_addf(&line, "  %-6s %6.3f, under protection %6.3f: attack %5.1f%%, protect %5.1f%%",
                     names[k], mean[k], shielded[k], 100.0 * attack[k], 100.0 * protect[k]);
        lu_json_string(&json, line.text);
    }
    lu_json_array_end(&json);
    lu_json_object_end(&json);
    io->emit(io->user, json.text, json.length);
    lu_json_free(&json);
    lu_text_free(&line);
    return LU_OK;
}

extern const lu_tool lu_tool_duel_exchange;
const lu_tool lu_tool_duel_exchange = {
    .game = "duel",
    .name = "exchange",
    .sentence = "The equilibrium of styles and protections in the bare exchange.",
    .settings = {"duel exchange", rows, sizeof rows / sizeof *rows},
    .run = run,
    .no_files = true,
};
