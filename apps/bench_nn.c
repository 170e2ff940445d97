/* ludus bench nn: the products of a network against the peak of fused multiply-adds, measured in
 * the same process. */
#include "bench.h"
#include "output.h"

#include "ludus/cpu.h"
#include "ludus/kernel_bench.h"

static void write_rows(lu_json *json, const lu_bench_row *rows, int count) {
    lu_json_key_array(json, "kernels");
    for (int i = 0; i < count; i++) {
        lu_json_object(json);
        lu_json_key_string(json, "name", rows[i].name);
        lu_json_key_real(json, "gflops", rows[i].gflops);
        lu_json_key_real(json, "share", rows[i].share);
        lu_json_object_end(json);
    }
    lu_json_array_end(json);
}

/* The second and third part of the rows are the same products in bf16 and by tiles. */
static void print_rows(const lu_bench_row *rows, int count, int batch) {
    char name[128];
    table t = table_of("lrrrrrr");
    table_row(&t, "product", "fp32 GFLOP/s", "of peak", "bf16 GFLOP/s", "of peak",
              "bf16tile GFLOP/s", "of peak");
    for (int i = 0; i < count / 3; i++) {
        const lu_bench_row *wide = &rows[i], *narrow = wide + count / 3, *tile = narrow + count / 3;
        table_row(&t, wide->name, cell("%.1f", wide->gflops), cell("%.0f%%", 100 * wide->share),
                  cell("%.1f", narrow->gflops), cell("%.0f%%", 100 * narrow->share),
                  cell("%.1f", tile->gflops), cell("%.0f%%", 100 * tile->share));
    }
    table_print(&t);
    table_free(&t);
    out_line("\nOne thread, %d rows, best of all trials; net 260-256-256-70. %s, kernels %s, %s.\n",
             batch, lu_cpu_name(name, sizeof name), lu_bench_kernel_level(), lu_cpu_tiles_text());
}

lu_status bench_nn(const verb_call *call, lu_error *error) {
    lu_bench_row rows[LU_BENCH_KERNEL_ROWS];
    lu_status status = LU_OK;
    int batch = (int)lu_settings_int(call->settings, "rows");
    lu_json json = LU_JSON_INIT;
    progress_start();
    int count = lu_bench_best_kernels(batch, lu_settings_real(call->settings, "seconds"),
                                      out_watch(), rows);
    progress_end();
    if (interrupted()) {
        return lu_fail(error, LU_INTERRUPTED, "interrupted");
    }
    lu_json_object(&json);
    bench_machine(&json);
    lu_json_key_string(&json, "kernel_level", lu_bench_kernel_level());
    lu_json_key_string(&json, "tiles", lu_cpu_tiles_text());
    lu_json_key_string(&json, "net", "260-256-256-70");
    lu_json_key_int(&json, "rows", batch);
    lu_json_key_int(&json, "threads", 1);
    write_rows(&json, rows, count);
    lu_json_object_end(&json);
    if (lu_settings_bool(call->settings, "write")) {
        lu_json_newline(&json);
        status = bench_keep("nn", &json, error);
    }
    if (status == LU_OK && call->json) {
        out_json(&json);
    } else if (status == LU_OK) {
        print_rows(rows, count, batch);
    }
    lu_json_free(&json);
    return status;
}
