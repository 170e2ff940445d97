/* ludus bench policy: how fast a policy server answers one client, and many. */
#include "bench.h"
#include "output.h"

#include "ludus/cpu.h"
#include "ludus/policy_bench.h"
#include "ludus/run.h"

static const int clients[] = {1, 8, 64};
enum { LOADS = sizeof clients / sizeof *clients };

static void print_loads(const lu_policy_bench *r) {
    char name[128];
    table t = table_of("rrrrrr");
    table_row(&t, "clients", "answers/s", "per core", "p50", "p99", "longest");
    for (int i = 0; i < r->loads; i++) {
        const lu_policy_load *load = &r->load[i];
        table_row(&t, cell("%d", load->clients), cell("%.0f", load->rate),
                  cell("%.0f", (double)load->answers / load->processor),
                  cell("%.3f ms", load->middle * 1e3), cell("%.3f ms", load->high * 1e3),
                  cell("%.1f ms", load->longest * 1e3));
    }
    table_print(&t);
    table_free(&t);
    out_format(
        "\n%s: %lld parameters, questions of %zu bytes. Best of %d rounds of 0.1 s (longest: of "
        "all).\n"
        "One thread of the server and one of the clients, each of which waits for its answer;\n"
        "per core: answers per second that the server's thread had a processor. %s.\n",
        r->model, (long long)r->parameters, r->line_bytes, r->rounds,
        lu_cpu_name(name, sizeof name));
}

lu_status bench_policy(const verb_call *call, lu_error *error) {
    lu_policy_bench result;
    lu_json json = LU_JSON_INIT;
    lu_text path = LU_TEXT_INIT;
    const char *given = lu_settings_text_of(call->settings, "model");
    const char *model = *given ? given : "prospector-v1";
    if (!lu_published_model(model, &path)) {
        lu_text_clear(&path);
        lu_text_add(&path, model);
    }
    progress_start();
    lu_status status =
        lu_policy_bench_run(path.text, clients, LOADS, lu_settings_real(call->settings, "seconds"),
                            out_watch(), &result, error);
    progress_end();
    if (status == LU_OK) {
        lu_json_object(&json);
        bench_machine(&json);
        lu_policy_bench_write(&result, &json);
        lu_json_object_end(&json);
    }
    if (status == LU_OK && lu_settings_bool(call->settings, "write")) {
        lu_text name = LU_TEXT_INIT; /* a model of another game has figures of its own */
        lu_text_addf(&name, "policy%s%s", *given ? "-" : "", *given ? result.game : "");
        lu_json_newline(&json);
        status = bench_keep(name.text, &json, error);
        lu_text_free(&name);
    }
    if (status == LU_OK && call->json) {
        out_json(&json);
    } else if (status == LU_OK) {
        print_loads(&result);
    }
    lu_json_free(&json);
    lu_text_free(&path);
    return status;
}
