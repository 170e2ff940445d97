/* Switches from settings. */
#include "craft_switches.h"

const lu_setting craft_switch_rows[CRAFT_SWITCH_ROWS] = {CRAFT_SWITCH_LIST};

/* A list of chances of exactly so many entries, with a positive sum. */
static lu_status read_chances(const lu_settings *v, const char *key, int count, double *to,
                              lu_error *error) {
    const double *values;
    double sum = 0.0;
    size_t given = lu_settings_list(v, key, &values);
    for (size_t k = 0; k < given && k < (size_t)count; k++) {
        to[k] = values[k];
        sum += values[k];
    }
    if (given != (size_t)count || sum <= 0.0) {
        return lu_fail(error, LU_BAD_VALUE, "'%s' needs %d chances, not all 0", key, count);
    }
    return LU_OK;
}

lu_status craft_switches_read(craft_switches *s, int version, const lu_settings *v,
                              lu_error *error) {
    *s = craft_switches_of(version);
    s->side_choice = lu_settings_enum(v, "side_choice");
    s->floor_mode = lu_settings_enum(v, "floor_mode");
    s->floor_needs_ilvl = lu_settings_bool(v, "floor_needs_ilvl");
    s->magic_limit_shift = lu_settings_bool(v, "magic_limit_shift");
    int alchemy = lu_settings_enum(v, "alchemy_on_magic");
    s->alchemy_on_magic = alchemy > 0 ? alchemy - 1 : s->alchemy_on_magic;
    s->removed_can_return = lu_settings_bool(v, "removed_can_return");
    s->essence_blocked_by_family = lu_settings_bool(v, "essence_blocked_by_family");
    s->bone_side = lu_settings_enum(v, "bone_side") == 0 ? CRAFT_SIDE_FIRST : CRAFT_POOLED;
    s->lord_all = lu_settings_enum(v, "lord_omen");
    s->reveal_gate_65 = lu_settings_bool(v, "reveal_gate_65");
    s->catalysing_quality = lu_settings_enum(v, "catalysing_factor");
    s->fracture_unrevealed_counts = lu_settings_bool(v, "fracture_unrevealed_counts");
    s->divine_rerolls_fractured = lu_settings_enum(v, "divine_fractured");
    s->whittling_first = lu_settings_enum(v, "whittling_tie");
    s->flat_weights = lu_settings_enum(v, "weights");
    lu_status status = read_chances(v, "reveal_exclusive", 3, s->reveal_exclusive, error);
    return status == LU_OK ? read_chances(v, "vaal_outcomes", 4, s->vaal_outcomes, error) : status;
}
