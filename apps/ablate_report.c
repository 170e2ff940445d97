/* Reports on reward ablations: see ablate_report.h. */
#include "ablate_report.h"

#include "judge.h"
#include "output.h"
#include "train_panel.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- judging ---- */

static bool turned(const ablate_report *r, int f) {
    return f == 0 && r->lower;
}

static lu_verdict verdict_of(const lu_effect *e, bool lower) {
    return e->low > 0    ? (lower ? LU_WORSE : LU_BETTER)
           : e->high < 0 ? (lower ? LU_BETTER : LU_WORSE)
                         : LU_UNDECIDED;
}

static const char *reading(lu_verdict verdict) {
    return verdict == LU_BETTER ? "helps" : verdict == LU_WORSE ? "harms" : "no effect shown";
}

static int by_effect(const void *a, const void *b) {
    const ablate_row *x = a, *y = b;
    double left = x->effect[0].mean, right = y->effect[0].mean;
    return left != right ? (left < right) - (left > right) : x->term - y->term;
}

void ablate_judge(ablate_report *r) {
    for (int i = 0; i < r->rows; i++) {
        for (int f = 0; f < r->figures; f++) {
            r->row[i].verdict[f] = verdict_of(&r->row[i].effect[f], turned(r, f));
        }
    }
    qsort(r->row, (size_t)r->rows, sizeof *r->row, by_effect);
    for (int i = 0; r->lower && i < r->rows / 2; i++) {
        ablate_row row = r->row[i];
        r->row[i] = r->row[r->rows - 1 - i];
        r->row[r->rows - 1 - i] = row;
    }
}

/* ---- for people ---- */

static void print_figure(const ablate_report *r, int f) {
    table t;
    out_format("\n%s%s:\n", r->figure[f], turned(r, f) ? ", of which less is better" : "");
    table_init(&t, "lrrrrll");
    table_row(&t, "term", "weight", "with", "without", "difference", "95 % interval", "reading");
    for (int i = 0; i < r->rows; i++) {
        const ablate_row *row = &r->row[i];
        const lu_effect *e = &row->effect[f];
        table_row(&t, r->game->term[row->term].name, cell("%g", row->weight), figure_number(e->a),
                  figure_number(e->b), figure_number(e->mean), figure_interval(e->low, e->high),
                  reading(row->verdict[f]));
    }
    table_print(&t);
    table_free(&t);
}

static void print_notes(const ablate_report *r) {
    if (r->trainings == 1) {
        out_text("\nOne training seed: the intervals cover the evaluation seeds alone and say "
                 "nothing about\nother trainings. --train-seeds 3 and more tells.\n");
    } else {
        out_format("\nThe intervals cover the %d training seeds and the %d evaluation seeds.\n",
                   r->trainings, r->episodes);
    }
    if (r->rows > 1) {
        out_text("By chance one in twenty of terms that do nothing shows an effect.\n");
    }
    out_text("Returns are not compared: each training has a reward of its own.\n");
}

void ablate_print(const ablate_report *r) {
    out_format(
        "\n%s by %s: %d trainings of %s steps, each judged on seeds %" PRIu64 "..%" PRIu64 "%s%s\n",
        r->game->id, r->algorithm, (r->rows + 1) * r->trainings, count_text((double)r->steps),
        r->first_seed, r->first_seed + (uint64_t)r->episodes - 1, r->opponent ? " against " : "",
        r->opponent ? r->opponent : "");
    for (int f = 0; f < r->figures; f++) {
        print_figure(r, f);
    }
    print_notes(r);
    out_format("Policies and result.json: %s\n", r->folder);
}

/* ---- JSON ---- */

static void write_seeds(lu_json *json, const char *key, uint64_t first, int count) {
    lu_json_key(json, key);
    lu_json_array(json);
    lu_json_uint(json, first);
    lu_json_uint(json, first + (uint64_t)count - 1);
    lu_json_array_end(json);
}

static void write_row(const ablate_report *r, const ablate_row *row, lu_json *json) {
    lu_json_object(json);
    lu_json_key_string(json, "term", r->game->term[row->term].name);
    lu_json_key_real(json, "weight", row->weight);
    lu_json_key_string(json, "reading", reading(row->verdict[0]));
    lu_json_key(json, "figures");
    lu_json_object(json);
    for (int f = 0; f < r->figures; f++) {
        lu_json_key(json, r->figure[f]);
        lu_json_object(json);
        lu_effect_write(&row->effect[f], json);
        lu_json_key_string(json, "reading", reading(row->verdict[f]));
        lu_json_object_end(json);
    }
    lu_json_object_end(json);
    lu_json_object_end(json);
}

void ablate_write(const ablate_report *r, lu_json *json) {
    lu_json_key_int(json, "schema", 1);
    lu_json_key_string(json, "game", r->game->id);
    lu_json_key_string(json, "algorithm", r->algorithm);
    lu_json_key_string(json, "folder", r->folder);
    lu_json_key_int(json, "steps", r->steps);
    write_seeds(json, "train_seeds", r->first_training, r->trainings);
    write_seeds(json, "seeds", r->first_seed, r->episodes);
    lu_json_key_string(json, "covers",
                       r->trainings > 1 ? "training and evaluation seeds" : "evaluation seeds");
    if (r->opponent) {
        lu_json_key_string(json, "opponent", r->opponent);
    }
    lu_json_key_bool(json, "greedy", r->greedy);
    lu_json_key_string(json, "metric", r->figure[0]);
    lu_json_key_bool(json, "lower", r->lower);
    lu_json_key(json, "settings");
    lu_json_raw(json, r->settings, strlen(r->settings));
    lu_json_key(json, "terms");
    lu_json_array(json);
    for (int i = 0; i < r->rows; i++) {
        write_row(r, &r->row[i], json);
    }
    lu_json_array_end(json);
}
