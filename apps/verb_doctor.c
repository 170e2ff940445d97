/* ludus doctor: what this machine has, what it lacks, and what that means. */
#include "output.h"
#include "terminal.h"
#include "verb.h"

#include "ludus/confine.h"
#include "ludus/cpu.h"
#include "ludus/file.h"
#include "ludus/kernel_bench.h"
#include "ludus/process.h"
#include "ludus/threads.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const verb_example examples[] = {
    {"ludus doctor", "what is there and what is missing"},
    {"ludus doctor --json", "the same for a bug report"},
    {NULL, NULL},
};

typedef enum verdict { FINE, MISSING, BROKEN } verdict; /* broken: ludus itself cannot work well */

typedef struct doctor {
    bool json;
    int broken, missing;
    lu_json out;
    table rows;
} doctor;

static void finding(doctor *d, const char *name, verdict v, const char *found, const char *need) {
    static const char *const words[] = {"ok", "missing", "BROKEN"};
    d->broken += v == BROKEN;
    d->missing += v == MISSING;
    if (d->json) {
        lu_json_object(&d->out);
        lu_json_key_string(&d->out, "name", name);
        lu_json_key_string(&d->out, "verdict",
                           v == FINE      ? "ok"
                           : v == MISSING ? "missing"
                                          : "broken");
        lu_json_key_string(&d->out, "found", found);
        lu_json_key_string(&d->out, "needed_for", need);
        lu_json_object_end(&d->out);
    } else {
        table_row(&d->rows, words[v], name, found, v == FINE ? "" : need);
    }
}

static void check_program(doctor *d, const char *name, const char *const *words, const char *need) {
    lu_text text = LU_TEXT_INIT;
    int code = lu_process_run(words, 20.0, out_watch(), NULL, &text);
    text.text[strcspn(text.text, "\n")] = 0;
    finding(d, name, code == 0 ? FINE : MISSING, code == 0 ? cell("%.60s", text.text) : "not found",
            need);
    lu_text_free(&text);
}

static void check_programs(doctor *d) {
    static const struct {
        const char *name, *words[5], *need;
    } programs[] = {
        {"C compiler", {"cc", "--version"}, "building; apt install gcc"},
        {"clang",
         {"clang-14", "--version"},
         "the second compiler and fuzzing; apt install clang-14"},
        {"cmake", {"cmake", "--version"}, "building; apt install cmake"},
        {"ninja", {"ninja", "--version"}, "building; apt install ninja-build"},
        {"git", {"git", "--version"}, "commits in benchmark files"},
        {"valgrind",
         {"valgrind", "--version"},
         "instruction counts of ludus bench; apt install valgrind"},
        {"python3", {"python3", "--version"}, "checks and the reference; apt install python3"},
        {"numpy",
         {"python3", "-c", "import numpy; print('numpy', numpy.__version__)"},
         "parity checks; apt install python3-numpy"},
        {"node", {"node", "--version"}, "the WASM build's checks; apt install nodejs"},
    };
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        check_program(d, programs[i].name, programs[i].words, programs[i].need);
    }
}

static void check_machine(doctor *d) {
    char name[128];
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGE_SIZE);
    double memory = (double)pages * (double)size / (1 << 30);
    finding(d, "processor", FINE, lu_cpu_name(name, sizeof name), "");
    finding(d, "level", FINE, cell("%s of base, v3, v4, amx", lu_isa_name(lu_cpu_isa())), "");
    finding(d, "network kernels", FINE,
            cell("%s; %s", lu_bench_kernel_level(), lu_cpu_tiles_text()), "");
    finding(d, "CPUs", FINE, cell("%d", lu_cpu_count()), "");
    finding(d, "memory", memory > 0.5 ? FINE : BROKEN, cell("%.1f GiB", memory),
            "at least 0.5 GiB");
}

/* What servers, the workers of tools and the evaluator give up. */
static void check_confinement(doctor *d) {
    int landlock = lu_confine_landlock();
    bool filters = lu_confine_seccomp();
    finding(d, "Landlock", landlock ? FINE : MISSING,
            landlock ? cell("version %d%s", landlock, landlock < 4 ? ", files alone" : "")
                     : "not in this kernel",
            "a server that cannot open other files; Linux 5.13 or later");
    finding(d, "seccomp", filters ? FINE : MISSING, filters ? "yes" : "not in this kernel",
            "a server that cannot start programs");
}

static void check_terminal(doctor *d) {
    int columns, lines;
    const char *term = getenv("TERM"), *locale = getenv("LC_ALL");
    locale = locale && *locale ? locale : getenv("LC_CTYPE");
    locale = locale && *locale ? locale : getenv("LANG");
    if (out_terminal()) {
        terminal_size(&columns, &lines);
        finding(d, "terminal", columns >= 80 && lines >= 24 ? FINE : MISSING,
                cell("%s, %d x %d", term, columns, lines), "boards need 80 x 24");
    } else {
        finding(d, "terminal", FINE, "none here (a pipe): play and watch print lines", "");
    }
    finding(d, "locale", FINE, locale && *locale ? locale : "C", "");
    finding(d, "colour", FINE, out_colour() ? "on" : "off", "");
}

static void check_home(doctor *d) {
    const char *home = lu_home();
    bool games = home && lu_file_exists(cell("%.200s/games", home));
    bool installed = !home && lu_share();
    finding(d, "project folder", games || installed ? FINE : BROKEN,
            games       ? home
            : home      ? cell("%.200s, which has no folder games", home)
            : installed ? cell("none; the installed files are in %.200s", lu_share())
                        : "not found",
            "golden files, presets and ludus new; set LUDUS_HOME");
    if (home) {
        bool may = access(home, W_OK) == 0;
        finding(d, "writable", may ? FINE : MISSING, may ? "yes" : "no",
                "ludus new, golden --write, bench --write");
    }
    finding(d, "games", lu_game_count() > 0 ? FINE : BROKEN, cell("%d built in", lu_game_count()),
            "folders in games/");
    finding(d, "version", FINE,
            cell("ludus %s, %s build, %s", LUDUS_VERSION, *LUDUS_BUILD ? LUDUS_BUILD : "plain",
                 lu_process_compiler()),
            "");
}

static lu_status run(verb_call *call, lu_error *error) {
    doctor d = {.json = call->json};
    d.rows = table_of("lllw");
    table_row(&d.rows, "", "what", "found", "needed for");
    lu_json_init(&d.out);
    lu_json_object(&d.out);
    lu_json_key_int(&d.out, "schema", 1);
    lu_json_key_array(&d.out, "findings");
    check_home(&d);
    check_machine(&d);
    check_confinement(&d);
    check_terminal(&d);
    check_programs(&d);
    lu_json_array_end(&d.out);
    lu_json_key_int(&d.out, "broken", d.broken);
    lu_json_key_int(&d.out, "missing", d.missing);
    lu_json_object_end(&d.out);
    if (call->json) {
        out_json(&d.out);
    } else {
        table_print(&d.rows);
        out_format("\n%s\n", d.broken    ? "Something essential is broken."
                             : d.missing ? "The essentials are fine; some extras are missing."
                                         : "All good.");
    }
    lu_json_free(&d.out);
    table_free(&d.rows);
    if (d.broken > 0) {
        return lu_fail(error, LU_CHECK_FAILED, "%d essential things are broken", d.broken);
    }
    return LU_OK;
}

const verb verb_doctor = {
    .name = "doctor",
    .usage = "doctor [--json]",
    .sentence = "Checks what this machine has and lacks.",
    .examples = examples,
    .options = {"doctor", NULL, 0},
    .json = true,
    .run = run,
};
