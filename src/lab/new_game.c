/* A copy of a game under a new name: see ludus/new_game.h. The folder is made beside games/ and
 * moved there whole, so that there is a complete game or none. */
#include "ludus/new_game.h"

#include "ludus/file.h"
#include "ludus/project_lock.h"
#include "ludus/text.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SCRATCH ".ludus-new-"

enum { FILE_LIMIT = 16 << 20, DEPTH = 4 };

typedef struct copy {
    const char *from, *name; /* game names */
    char title[40], from_title[40], upper[40], from_upper[40];
} copy;

/* "lantern_two" as "Lantern two" and "LANTERN_TWO". */
static void forms(const char *name, char *title, char *upper) {
    size_t i = 0;
    for (; name[i] && i < 39; i++) {
        title[i] = name[i] == '_' ? ' ' : name[i];
        upper[i] = (char)toupper((unsigned char)name[i]);
    }
    title[0] = (char)toupper((unsigned char)title[0]);
    title[i] = upper[i] = 0;
}

/* Text with every form of the old name put in the form of the new one. */
static void rename_text(const copy *c, const char *text, size_t length, lu_text *out) {
    const struct {
        const char *old, *new;
    } pairs[] = {
        {"The smallest game, and the one `ludus new NAME` copies.", "A new game."},
        {": the smallest game, and the one `ludus new` copies.", "."},
        {"; the smallest game.", "."},
        {c->from, c->name},
        {c->from_upper, c->upper},
        {c->from_title, c->title},
    };
    for (size_t i = 0; i < length;) {
        size_t k = 0;
        for (; k < sizeof pairs / sizeof *pairs; k++) {
            size_t size = strlen(pairs[k].old);
            if (size <= length - i && memcmp(text + i, pairs[k].old, size) == 0) {
                lu_text_add(out, pairs[k].new);
                i += size;
                break;
            }
        }
        if (k == sizeof pairs / sizeof *pairs) {
            lu_text_add_char(out, text[i++]);
        }
    }
}

static lu_status copy_file(const copy *c, const char *from, const char *to, lu_error *error) {
    char *bytes;
    size_t length;
    lu_text out = LU_TEXT_INIT;
    LU_TRY(lu_file_read(from, FILE_LIMIT, &bytes, &length, error));
    if (memchr(bytes, 0, length)) {
        lu_text_add_n(&out, bytes, length); /* no text: left as it is */
    } else {
        rename_text(c, bytes, length, &out);
    }
    lu_status status = lu_file_write(to, out.text, out.length, error);
    lu_text_free(&out);
    free(bytes);
    return status;
}

/* What belongs to the old game only. */
static bool left_out(const char *name) {
    return name[0] == '.' || strncmp(name, "golden", 6) == 0 || strcmp(name, "vectors") == 0 ||
           name[strlen(name) - 1] == '~';
}

static lu_status copy_folder(const copy *c, const char *from, const char *to, int depth,
                             lu_error *error) {
    lu_names names;
    lu_status status = lu_folder_names(from, "", &names, error);
    for (size_t i = 0; i < names.count && status == LU_OK; i++) {
        const char *name = names.name[i];
        struct stat facts;
        lu_text source = LU_TEXT_INIT, target = LU_TEXT_INIT;
        if (left_out(name)) {
            continue;
        }
        lu_text_addf(&source, "%s/%s", from, name);
        lu_text_addf(&target, "%s/", to);
        rename_text(c, name, strlen(name), &target);
        if (lstat(source.text, &facts) != 0) {
            status = lu_fail(error, LU_IO, "cannot read %s: %s", source.text, strerror(errno));
        } else if (S_ISREG(facts.st_mode)) {
            status = copy_file(c, source.text, target.text, error);
        } else if (S_ISDIR(facts.st_mode) && depth < DEPTH) {
            status = lu_folder_make(target.text, error);
            LU_THEN(status, copy_folder(c, source.text, target.text, depth + 1, error));
        }
        lu_text_free(&source);
        lu_text_free(&target);
    }
    lu_names_free(&names);
    return status;
}

static lu_status check_name(const char *name, const char *home, lu_error *error) {
    size_t length = strlen(name);
    bool good = length >= 2 && length <= 31 && islower((unsigned char)name[0]);
    for (const char *c = name; *c && good; c++) {
        good = islower((unsigned char)*c) || isdigit((unsigned char)*c) || *c == '_';
    }
    if (!good) {
        return lu_fail(
            error, LU_BAD_VALUE,
            "'%.60s' isn't a name for a game: 2 to 31 lower-case letters, digits and '_', a "
            "letter first",
            name);
    }
    /* games/NAME/NAME.h must not hide a header of the system, nor its names those of ludus */
    lu_text path;
    lu_text_init(&path);
    lu_text_addf(&path, "/usr/include/%s.h", name);
    bool taken = lu_file_exists(path.text) || strcmp(name, "lu") == 0 ||
                 strcmp(name, "test") == 0 || strcmp(name, "ludus") == 0 ||
                 strncmp(name, "std", 3) == 0;
    lu_text_free(&path);
    if (taken) {
        return lu_fail(error, LU_BAD_VALUE, "'%s' is the name of a header in C; choose another",
                       name);
    }
    lu_text_init(&path);
    lu_text_addf(&path, "%s/games/%s", home, name);
    bool exists = lu_file_exists(path.text);
    lu_text_free(&path);
    return exists ? lu_fail(error, LU_USAGE, "games/%s already exists; choose another name", name)
                  : LU_OK;
}

static lu_status make_folder(const copy *c, const char *home, lu_error *error) {
    lu_text source = LU_TEXT_INIT, scratch = LU_TEXT_INIT, target = LU_TEXT_INIT;
    lu_text_addf(&source, "%s/games/%s", home, c->from);
    lu_text_addf(&scratch, "%s/" SCRATCH "%s-XXXXXX", home, c->name);
    lu_text_addf(&target, "%s/games/%s", home, c->name);
    lu_status status = LU_OK;
    bool made = false;
    if (!lu_file_exists(source.text)) {
        status = lu_fail(error, LU_NOT_FOUND, "there is no folder %s to copy", source.text);
    } else if (!mkdtemp(scratch.text)) {
        status = lu_fail(error, LU_IO, "cannot make a folder in %s: %s", home, strerror(errno));
    } else {
        made = true;
        status = copy_folder(c, source.text, scratch.text, 0, error);
    }
    if (status == LU_OK &&
        (chmod(scratch.text, 0755) != 0 || rename(scratch.text, target.text) != 0)) {
        status = lu_fail(error, errno == ENOTEMPTY || errno == EEXIST ? LU_USAGE : LU_IO,
                         "cannot make %s: %s", target.text, strerror(errno));
    }
    if (status != LU_OK && made) {
        (void)lu_folder_remove(scratch.text, NULL);
    }
    lu_text_clear(&target);
    lu_text_addf(&target, "%s/games", home);
    LU_THEN(status, lu_folder_sync(target.text, error));
    lu_text_free(&source);
    lu_text_free(&scratch);
    lu_text_free(&target);
    return status;
}

lu_status lu_new_game(const char *name, const char *from, lu_error *error) {
    const char *home = lu_home();
    copy c = {.from = from, .name = name};
    int lock;
    if (!home) {
        return lu_fail(error, LU_NOT_FOUND,
                       "no project folder found; run this inside it or set LUDUS_HOME");
    }
    LU_TRY(check_name(name, home, error));
    forms(c.name, c.title, c.upper);
    forms(c.from, c.from_title, c.from_upper);
    lu_status status = lu_project_lock(&lock, error);
    if (status == LU_OK) {
        /* scratch folders of calls that were killed: under the lock nobody else has one */
        lu_folder_clean(home, SCRATCH);
        status = make_folder(&c, home, error);
    }
    lu_project_unlock(lock);
    return status;
}
