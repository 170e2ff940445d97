/* What every file of bench/results carries, and where it goes: see bench.h. */
#include "bench.h"
#include "output.h"

#include "ludus/clock.h"
#include "ludus/cpu.h"
#include "ludus/file.h"
#include "ludus/process.h"
#include "ludus/project_lock.h"
#include "ludus/threads.h"

#include <ctype.h>

void bench_machine(lu_json *json) {
    char name[128], date[LU_CLOCK_TEXT], commit[64];
    lu_process_commit(true, commit, sizeof commit);
    lu_json_key_int(json, "schema", 1);
    lu_json_key_string(json, "date", lu_clock_utc(date, sizeof date));
    lu_json_key_string(json, "commit", commit);
    lu_json_key_string(json, "version", LUDUS_VERSION);
    lu_json_key_string(json, "compiler", lu_process_compiler());
    lu_json_key_string(json, "build", LUDUS_BUILD);
    lu_json_key_string(json, "processor", lu_cpu_name(name, sizeof name));
    lu_json_key_string(json, "level", lu_isa_name(lu_cpu_isa()));
    lu_json_key_int(json, "cpus", lu_cpu_count());
}

lu_status bench_keep(const char *name, const lu_json *json, lu_error *error) {
    char processor[128], slug[128];
    int length = 0;
    lu_text path = LU_TEXT_INIT;
    if (!lu_home()) {
        return lu_fail(error, LU_NOT_FOUND, "no project folder for bench/results; set LUDUS_HOME");
    }
    lu_cpu_name(processor, sizeof processor);
    for (const char *c = processor; *c; c++) {
        if (isalnum((unsigned char)*c)) {
            slug[length++] = (char)tolower((unsigned char)*c);
        } else if (length > 0 && slug[length - 1] != '-') {
            slug[length++] = '-';
        }
    }
    while (length > 0 && slug[length - 1] == '-') {
        length--;
    }
    lu_text_addf(&path, "%s/bench/results", lu_home());
    lu_status status = lu_folder_make(path.text, error);
    lu_text_addf(&path, "/%s-%.*s.json", name, length, slug);
    int lock = -1;
    LU_THEN(status, lu_project_lock(&lock, error));
    LU_THEN(status, lu_file_write(path.text, json->text, json->length, error));
    lu_project_unlock(lock);
    if (status == LU_OK) {
        note("wrote %s", path.text);
    }
    lu_text_free(&path);
    return status;
}
