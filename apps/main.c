/* The start of a program: it finds the verb that is asked for, and turns a status into an exit
 * code; everything else is in the verbs, which program.c lists. */
#include "cli.h"
#include "output.h"

#include <stdlib.h>
#include <string.h>

const verb *verb_find(const char *name, lu_error *error) {
    const char *names[64];
    size_t count = 0;
    for (int v = 0; verbs[v]; v++) {
        const char *also = verbs[v]->also;
        if (strcmp(verbs[v]->name, name) == 0 || (also && strcmp(also, name) == 0)) {
            return verbs[v];
        }
        names[count++] = verbs[v]->name;
    }
    for (int g = 0; g < program_games() && count < sizeof names / sizeof *names; g++) {
        names[count++] = lu_game_at(g)->name; /* `ludus GAME TOOL` begins with a game */
    }
    const char *near = lu_nearest(name, names, count);
    if (near) {
        lu_fail(error, LU_USAGE, "unknown verb '%.200s'; did you mean '%s'?", name, near);
    } else {
        lu_fail(error, LU_USAGE, "unknown verb '%.200s'; `" LUDUS_PROGRAM " help` lists the verbs",
                name);
    }
    return NULL;
}

const lu_table *verb_table(const verb *asked, int index) {
    if (index == 0) {
        return &asked->options;
    }
    for (int i = 0; asked->tables && asked->tables[i]; i++) {
        if (i == index - 1) {
            return asked->tables[i];
        }
    }
    return NULL;
}

/* True when no verb before `asked` has the table. */
static bool is_first(const verb *asked, const lu_table *wanted) {
    for (int v = 0; verbs[v] != asked; v++) {
        for (int t = 1; verb_table(verbs[v], t); t++) {
            if (verb_table(verbs[v], t) == wanted) {
                return false;
            }
        }
    }
    return true;
}

const lu_table *verb_shared_table(int index) {
    for (int v = 0; verbs[v]; v++) {
        for (int t = 1; verb_table(verbs[v], t); t++) {
            if (is_first(verbs[v], verb_table(verbs[v], t)) && index-- == 0) {
                return verb_table(verbs[v], t);
            }
        }
    }
    return NULL;
}

static int finish(lu_status status, lu_error *error) {
    if (status == LU_OK) {
        status = out_end(error);
    } else {
        out_flush();
    }
    if (status != LU_OK) {
        note_error(error);
    }
    return lu_status_exit(status);
}

static void print_version(void) {
    out_format(LUDUS_PROGRAM " %s\n", LUDUS_VERSION);
}

int main(int count, char **words) {
    lu_error error = {LU_OK, ""};
    out_start();
    int at = 1;
    while (at < count && strcmp(words[at], "--no-color") == 0) {
        out_plain();
        at++;
    }
    const char *first = at < count ? words[at] : "--help";
    if (strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0) {
        bool json = at + 1 < count && strcmp(words[at + 1], "--json") == 0;
        help_print(&(verb_call){.json = json});
        return finish(LU_OK, &error);
    }
    if (strcmp(first, "--version") == 0) {
        print_version();
        return finish(LU_OK, &error);
    }
    if (first[0] == '-') {
        lu_fail(&error, LU_USAGE, "'%.200s' comes before the verb: " LUDUS_PROGRAM " VERB %s%.200s",
                first, this_program.of_game ? "[GAME] " : "", first);
        return finish(error.status, &error);
    }
    const verb *asked = verb_find(first, &error);
    if (!asked && this_program.of_game && lu_game_find(first, NULL)) {
        asked = this_program.of_game; /* ludus GAME TOOL is short for ludus tool GAME TOOL */
        at--;
    }
    if (!asked) {
        return finish(error.status, &error);
    }
    verb_call call;
    lu_status status = call_parse(&call, asked, count - at - 1, words + at + 1, &error);
    if (status != LU_OK) {
        return finish(status, &error);
    }
    if (call.version) {
        print_version();
    } else if (call.help) {
        help_print(&call);
    } else {
        status = this_program.variables ? check_variables(&error) : LU_OK;
        LU_THEN(status, asked->run(&call, &error));
    }
    call_free(&call);
    return finish(status, &error);
}
