/* ludus bench train: what lu_bench_train found, as tables or JSON. */
#include "bench.h"
#include "output.h"

#include "ludus/cpu.h"
#include "ludus/kernel_bench.h"

#include <string.h>

static const char *kind_name(const lu_bench_case *c) {
    return strcmp(c->products, "plain") == 0 ? c->precision
                                             : cell("%s %s", c->precision, c->products);
}

static void print_updates(const lu_bench_training *r) {
    table t = table_of("lrrrrr");
    table_row(&t, "PPO update", "threads", "samples/s", "ours is", "minibatch", "ours is");
    for (int i = 0; i < r->count; i++) {
        const lu_bench_case *c = &r->cases[i];
        table_row(&t, cell("ludus %s", kind_name(c)), cell("%d", c->threads),
                  cell("%.1f k", c->update * 1e-3), "", cell("%.1f k", c->minibatch * 1e-3),
                  cell("%.1f%% of peak", 100 * c->over_peak));
        for (int p = 0; p < r->peers; p++) {
            const lu_bench_peer *peer = &c->peer[p];
            table_row(&t, cell("  %s", peer->name), cell("%d", c->threads),
                      cell("%.1f k", peer->update * 1e-3), cell("%.2f times it", peer->over),
                      cell("%.1f k", peer->minibatch * 1e-3),
                      cell("%.2f times it", peer->over_minibatch));
        }
    }
    table_print(&t);
    table_free(&t);
}

static void print_training(const lu_bench_training *r) {
    table t = table_of("lrrrrrrrr");
    table_row(&t, "training", "threads", "steps/s", "of bound", "rollout/s", "learn", "nets",
              "rest", "1 thread x");
    for (int i = 0; i < r->count; i++) {
        const lu_bench_case *c = &r->cases[i];
        table_row(&t, kind_name(c), cell("%d", c->threads), cell("%.1f k", c->steps / 1e3),
                  cell("%.1f%%", 100 * c->over_bound), cell("%.1f k", c->rollout / 1e3),
                  cell("%.1f%%", 100 * c->learn), cell("%.1f%%", 100 * c->infer),
                  cell("%.1f%%", 100 * c->rest),
                  c->many ? cell("%.2f, %.2f", c->update_over_one, c->rollout_over_one) : "");
    }
    table_print(&t);
    table_free(&t);
}

static void print_report(const lu_bench_training *r) {
    char name[128];
    print_updates(r);
    out_text("\n");
    print_training(r);
    out_format(
        "\nBest of %d rounds on %s, minibatch %.0f, net 260-256-256-70, one epoch: the fastest\n"
        "whole update, and the fastest minibatch. Shares of the peak count the operations of "
        "plain\n"
        "products; Strassen's are 11%% fewer. Last column below: update and rollout over one\n"
        "thread. Others had %.1f%% of the processors, the host %.1f%%. %s, kernels %s,\n%s.\n",
        r->rounds, r->game->id, r->minibatch_rows, 100 * r->foreign, 100 * r->steal,
        lu_cpu_name(name, sizeof name), lu_bench_kernel_level(), lu_cpu_tiles_text());
    for (int p = 0; p < r->peers; p++) {
        out_format("%s: %s.\n", r->cases[0].peer[p].name, r->cases[0].peer[p].about);
    }
}

static lu_status measure(const verb_call *call, lu_bench_training *result, lu_error *error) {
    const lu_game *game = lu_game_find("prospector", error);
    lu_episode episode = {0};
    lu_status status = game ? call_open_episode(call, game, NULL, &episode, error) : error->status;
    if (status == LU_OK) {
        progress_start();
        status =
            lu_bench_train(&episode, (int)lu_settings_int(call->settings, "threads"),
                           lu_settings_text_of(call->settings, "peer"),
                           lu_settings_real(call->settings, "seconds"), out_watch(), result, error);
        progress_end();
    }
    lu_episode_close(&episode);
    return status;
}

lu_status bench_train(const verb_call *call, lu_error *error) {
    lu_bench_training result;
    lu_status status = measure(call, &result, error);
    if (status != LU_OK) {
        return status;
    }
    lu_json json = LU_JSON_INIT;
    lu_json_object(&json);
    bench_machine(&json);
    lu_bench_train_write(&result, &json);
    lu_json_object_end(&json);
    if (lu_settings_bool(call->settings, "write")) {
        lu_json_newline(&json);
        status = bench_keep("train", &json, error);
    }
    if (status == LU_OK && call->json) {
        out_json(&json);
    } else if (status == LU_OK) {
        print_report(&result);
    }
    lu_json_free(&json);
    return status;
}
