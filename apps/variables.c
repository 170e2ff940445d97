/* The LUDUS_* variables of the environment: every one must name a setting of some verb, game or
 * tool, or one of the few variables that are no settings. A misspelt one would otherwise be a
 * setting that silently does nothing. */
#include "cli.h"

#include "ludus/cpu.h"
#include "ludus/log.h"
#include "ludus/tool.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Names of all variables that mean something, without "LUDUS_". */
typedef struct names {
    char **name;
    size_t count, room;
} names;

/* As it is compared: '.', '-' and '_' are equal, and so are letters of both cases. */
static char *folded(const char *name) {
    char *text = lu_strdup(name);
    for (char *c = text; *c; c++) {
        *c = *c == '.' || *c == '-' ? '_' : (char)toupper((unsigned char)*c);
    }
    return text;
}

static void names_add(names *all, const char *key) {
    if (all->count == all->room) {
        all->room = all->room ? 2 * all->room : 128;
        all->name = lu_realloc(all->name, all->room * sizeof *all->name);
    }
    all->name[all->count++] = folded(key);
}

static void names_add_table(names *all, const lu_table *table) {
    for (int i = 0; i < table->count; i++) {
        names_add(all, table->rows[i].key);
    }
}

static names names_all(void) {
    names all = {0};
    for (int v = 0; verbs[v]; v++) {
        const lu_table *own;
        for (int t = 0; (own = verb_table(verbs[v], t)) != NULL; t++) {
            names_add_table(&all, own);
        }
    }
    for (int t = 0; t < lu_tool_count(); t++) {
        names_add_table(&all, &lu_tool_at(t)->settings);
    }
    for (int g = 0; g < lu_game_count(); g++) {
        lu_table own = game_table_make(NULL, lu_game_at(g));
        names_add_table(&all, &own);
        game_table_free(own);
    }
    for (const variable *v = variables; v->name; v++) {
        if (strncmp(v->name, "LUDUS_", 6) == 0) {
            names_add(&all, v->name + 6);
        }
    }
    return all;
}

static void names_free(names *all) {
    for (size_t i = 0; i < all->count; i++) {
        free(all->name[i]);
    }
    free(all->name);
}

static lu_status check_name(const names *all, const char *name, lu_error *error) {
    char *own = folded(name);
    bool known = false;
    for (size_t i = 0; i < all->count && !known; i++) {
        known = strcmp(all->name[i], own) == 0;
    }
    const char *near = known ? NULL : lu_nearest(own, (const char *const *)all->name, all->count);
    free(own);
    if (known) {
        return LU_OK;
    }
    if (near) {
        return lu_fail(error, LU_UNKNOWN_KEY,
                       "the variable LUDUS_%.100s is not a setting; did you mean LUDUS_%s?", name,
                       near);
    }
    return lu_fail(error, LU_UNKNOWN_KEY,
                   "the variable LUDUS_%.100s is not a setting; `ludus settings` lists them", name);
}

/* The variables that are no settings have values of their own to check. */
static lu_status check_values(lu_error *error) {
    lu_isa isa;
    lu_log_level level;
    const char *value = getenv("LUDUS_ISA");
    if (value && *value && !lu_isa_parse(value, &isa)) {
        return lu_fail(error, LU_BAD_VALUE, "LUDUS_ISA = '%.100s' must be one of base, v3, v4, amx",
                       value);
    }
    value = getenv("LUDUS_LOG");
    if (value && *value && !lu_log_level_parse(value, &level)) {
        return lu_fail(error, LU_BAD_VALUE,
                       "LUDUS_LOG = '%.100s' must be one of debug, info, warning, error, off",
                       value);
    }
    return LU_OK;
}

lu_status check_variables(lu_error *error) {
    names all = names_all();
    lu_status status = LU_OK;
    for (char **entry = environ; *entry && status == LU_OK; entry++) {
        if (strncmp(*entry, "LUDUS_", 6) != 0 || strncmp(*entry, "LUDUS_TEST_", 11) == 0) {
            continue;
        }
        char *name = lu_strdup(*entry + 6);
        name[strcspn(name, "=")] = 0;
        status = check_name(&all, name, error);
        free(name);
    }
    names_free(&all);
    return status == LU_OK ? check_values(error) : status;
}
