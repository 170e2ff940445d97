/* Names in folders, sizes and removal; links lead nowhere. */
#include "ludus/file.h"

#include "test.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *place(const char *name) {
    static char path[4][600];
    static int next;
    next = (next + 1) % 4;
    snprintf(path[next], sizeof path[next], "%s/%s", lu_test_folder(), name);
    return path[next];
}

static void fill(const char *name) {
    CHECK_INT(lu_folder_make(place(name), NULL), LU_OK);
    char file[100];
    for (const char *const *n = (const char *const[]){"b", "a", ".c", "bb", NULL}; *n; n++) {
        snprintf(file, sizeof file, "%s/%s", name, *n);
        CHECK_INT(lu_file_write(place(file), "four", 4, NULL), LU_OK);
    }
}

TEST(names_stand_in_order) {
    lu_names names;
    lu_error error = {0};
    fill("names");
    CHECK_INT(lu_folder_names(place("names"), "", &names, &error), LU_OK);
    CHECK_INT(names.count, 4);
    static const char *const all[] = {".c", "a", "b", "bb"};
    for (size_t i = 0; i < names.count && i < 4; i++) {
        CHECK_TEXT(names.name[i], all[i]);
    }
    lu_names_free(&names);
    CHECK_INT(lu_folder_names(place("names"), "b", &names, &error), LU_OK);
    CHECK_INT(names.count, 2);
    lu_names_free(&names);
    CHECK_INT(lu_folder_names(place("none"), "", &names, &error), LU_NOT_FOUND);
    CHECK_INT(names.count, 0);
    CHECK_INT(lu_folder_names(place("names/a"), "", &names, &error), LU_IO);
    CHECK_HAS(error.text, "names/a");
}

TEST(a_folder_goes_with_all_below_it_and_nothing_beside) {
    lu_error error = {0};
    fill("beside");
    fill("tree");
    fill("tree/x/y");
    CHECK_INT(symlink(place("beside"), place("tree/link")), 0);
    lu_folder_size size = lu_folder_measure(place("tree"));
    CHECK_INT(size.files, 9);
    CHECK_INT(size.bytes, 32 + (int64_t)strlen(place("beside")));
    CHECK_INT(lu_folder_remove(place("tree"), &error), LU_OK);
    CHECK(!lu_file_exists(place("tree")) && lu_file_exists(place("beside/bb")));
    CHECK_INT(lu_folder_remove(place("tree"), &error), LU_IO);
    CHECK_INT(lu_folder_measure(place("tree")).files, 0);
    CHECK_INT(symlink(place("beside"), place("led_astray")), 0);
    CHECK_INT(lu_folder_remove(place("led_astray"), &error), LU_IO);
    CHECK(lu_file_exists(place("beside/a")));
}

TEST(what_begins_with_a_lead_is_cleaned_away) {
    fill("clean");
    fill("clean/b_folder");
    lu_folder_clean(place("clean"), "b");
    CHECK(!lu_file_exists(place("clean/b")) && !lu_file_exists(place("clean/bb")));
    CHECK(!lu_file_exists(place("clean/b_folder")) && lu_file_exists(place("clean/a")));
    lu_folder_clean(place("nowhere"), "b");
}
