/* Comparisons: see comparison.h. */
#include "ludus/comparison.h"

#include <string.h>

enum { STEP = 48 }; /* episodes between two looks of the test; a fixed number of blocks */

static const double ALPHA = 0.025, BETA = 0.05; /* alpha for each side */

lu_status lu_comparison_metric(lu_comparison *c, const char *name, lu_error *error) {
    int count = lu_match_figures(&c->a, 0, c->of_a);
    if (!*name) {
        c->metric = lu_match_headline(c->a.episode->game, c->of_a, count);
        return LU_OK;
    }
    return lu_match_figure_find(c->of_a, count, name, &c->metric, error);
}

/* ---- playing ---- */

/* Shows the test the results since its last look. */
static void look(lu_comparison *c) {
    const lu_match_figure *a = &c->of_a[c->metric], *b = &c->of_b[c->metric];
    for (; c->seen < c->b.played; c->seen++) {
        double gain = lu_match_figure_value(a, c->seen) - lu_match_figure_value(b, c->seen);
        gain = c->lower ? -gain : gain;
        lu_sprt_add(&c->better, gain - c->margin);
        lu_sprt_add(&c->worse, -gain - c->margin);
    }
    lu_sprt_end better = lu_sprt_decision(&c->better), worse = lu_sprt_decision(&c->worse);
    c->decided = better == LU_SPRT_OTHER || worse == LU_SPRT_OTHER ||
                 (better == LU_SPRT_NULL && worse == LU_SPRT_NULL);
}

lu_status lu_comparison_play(lu_comparison *c, lu_error *error) {
    lu_status status = LU_OK;
    int end = 0;
    c->most = c->a.episodes;
    if (c->sequential) {
        c->better = c->worse = lu_sprt_new(LU_SPRT_EFFECT, 0, c->effect, ALPHA, BETA);
    }
    while (end < c->most && !c->decided && status == LU_OK) {
        end = c->sequential && c->most - end >= STEP ? end + STEP : c->most;
        status = lu_match_play_to(&c->a, end, error);
        LU_THEN(status, lu_match_play_to(&c->b, end, error));
        lu_match_figures(&c->a, 0, c->of_a);
        lu_match_figures(&c->b, 0, c->of_b);
        if (status == LU_OK && c->sequential) {
            look(c);
        }
    }
    c->a.episodes = c->b.episodes = end;
    return status;
}

void lu_comparison_free(lu_comparison *c) {
    lu_match_free(&c->a);
    lu_match_free(&c->b);
}

/* ---- the result ---- */

static lu_verdict turned(lu_verdict verdict) {
    return verdict == LU_BETTER ? LU_WORSE : verdict == LU_WORSE ? LU_BETTER : LU_UNDECIDED;
}

lu_pairing lu_comparison_pairing(const lu_comparison *c, int i) {
    bool metric = i == c->metric;
    lu_pairing p =
        lu_match_compare(&c->of_a[i], &c->of_b[i], c->a.episodes, metric ? c->margin : 0);
    if (metric && c->lower) {
        double low = p.improvement_low;
        p.improvement = 1 - p.improvement;
        p.improvement_low = 1 - p.improvement_high;
        p.improvement_high = 1 - low;
        p.verdict = turned(p.verdict);
    }
    if (metric && c->sequential) {
        p.verdict = lu_sprt_decision(&c->better) == LU_SPRT_OTHER  ? LU_BETTER
                    : lu_sprt_decision(&c->worse) == LU_SPRT_OTHER ? LU_WORSE
                                                                   : LU_UNDECIDED;
    }
    return p;
}

static void write_side(const char *key, const lu_match_figure *figure, int episodes,
                       lu_json *json) {
    lu_summary s = lu_match_summary(figure, episodes);
    lu_json_key_object(json, key);
    lu_summary_write(&s, json);
    lu_json_object_end(json);
}

static void write_figure(const lu_comparison *c, int i, lu_json *json) {
    lu_pairing p = lu_comparison_pairing(c, i);
    lu_json_key_object(json, c->of_a[i].name);
    write_side("a", &c->of_a[i], c->a.episodes, json);
    write_side("b", &c->of_b[i], c->a.episodes, json);
    lu_json_key_object(json, "difference");
    lu_pairing_write(&p, json);
    lu_json_object_end(json);
    lu_json_object_end(json);
}

static void write_test(const lu_comparison *c, lu_json *json) {
    lu_json_key_object(json, "sequential");
    lu_json_key_bool(json, "decided", c->decided);
    lu_json_key_int(json, "most", c->most);
    lu_json_key_real(json, "effect", c->effect);
    lu_json_key_real(json, "alpha", ALPHA);
    lu_json_key_real(json, "beta", BETA);
    lu_json_key_real(json, "lower", lu_sprt_lower(&c->better));
    lu_json_key_real(json, "upper", lu_sprt_upper(&c->better));
    lu_json_key_real(json, "better", lu_sprt_ratio(&c->better));
    lu_json_key_real(json, "worse", lu_sprt_ratio(&c->worse));
    lu_json_object_end(json);
}

void lu_comparison_write(const lu_comparison *c, lu_json *json) {
    const lu_match *m = &c->a;
    lu_json_object(json);
    lu_json_key_int(json, "schema", 1);
    lu_json_key_string(json, "game", m->episode->game->id);
    lu_json_key(json, "a");
    lu_player_write(m->player[0], json);
    lu_json_key(json, "b");
    lu_player_write(c->b.player[0], json);
    lu_match_write_seats(m, json);
    lu_json_key_int(json, "episodes", m->episodes);
    lu_json_key_array(json, "seeds");
    lu_json_uint(json, m->first_seed);
    lu_json_uint(json, lu_match_seed(m, m->episodes - 1));
    lu_json_array_end(json);
    lu_json_key_raw(json, "settings", m->episode->settings_json);
    lu_json_key_string(json, "metric", c->of_a[c->metric].name);
    lu_json_key_bool(json, "lower", c->lower);
    lu_json_key_string(json, "verdict",
                       lu_verdict_name(lu_comparison_pairing(c, c->metric).verdict));
    lu_json_key_object(json, "figures");
    write_figure(c, c->metric, json);
    if (c->metric != 0) {
        write_figure(c, 0, json);
    }
    lu_json_object_end(json);
    if (c->sequential) {
        write_test(c, json);
    }
    lu_json_object_end(json);
}
