#include "ludus/file.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "test.h"

enum { LIMIT = 1 << 20 };

static const char *scratch(const char *name) {
    static char paths[8][256];
    static int turn;
    char *path = paths[turn++ & 7];
    snprintf(path, sizeof paths[0], "%s/%s", lu_test_folder(), name);
    return path;
}

static void gzip(const char *path, const char *mode, const void *bytes, unsigned length) {
    gzFile file = gzopen(path, mode);
    gzwrite(file, bytes, length);
    gzclose(file);
}

static void check_read(const char *path, const char *want, size_t want_length) {
    lu_error error = {0};
    char *bytes;
    size_t length;
    lu_status status = lu_file_read(path, LIMIT, &bytes, &length, &error);
    CHECK_INT(status, LU_OK);
    if (status != LU_OK) {
        lu_test_fail(__FILE__, __LINE__, "%s", error.text);
        return;
    }
    CHECK_INT(length, want_length);
    CHECK(length == want_length && memcmp(bytes, want, length) == 0);
    CHECK_INT(bytes[length], 0);
    free(bytes);
}

static void check_refused(const char *path, size_t limit, lu_status want, const char *part) {
    lu_error error = {0};
    char *bytes = (char *)1;
    size_t length = 1;
    CHECK_INT(lu_file_read(path, limit, &bytes, &length, &error), want);
    CHECK_INT(error.status, want);
    CHECK_HAS(error.text, part);
    CHECK(bytes == NULL && length == 0);
}

TEST(files_come_back_as_written) {
    static char large[300000];
    for (size_t i = 0; i < sizeof large; i++) {
        large[i] = (char)(i * i >> 3);
    }
    const char *path = scratch("plain");
    CHECK_INT(lu_file_write(path, "abc", 3, NULL), LU_OK);
    check_read(path, "abc", 3);
    CHECK_INT(lu_file_write(path, large, sizeof large, NULL), LU_OK);
    check_read(path, large, sizeof large);
    CHECK_INT(lu_file_write(path, "", 0, NULL), LU_OK);
    check_read(path, "", 0);
    CHECK(lu_file_exists(path));
    CHECK(!lu_file_exists(scratch("nothing")));
}

TEST(gzip_is_inflated) {
    static char large[200000];
    memset(large, 'x', sizeof large);
    const char *path = scratch("packed.gz");
    gzip(path, "wb9", large, sizeof large);
    check_read(path, large, sizeof large);
    /* two members in a row are one text */
    const char *twice = scratch("twice.gz");
    gzip(twice, "wb", "ab", 2);
    gzip(twice, "ab", "cd", 2);
    check_read(twice, "abcd", 4);
}

TEST(damaged_gzip_is_refused) {
    static unsigned char noise[5000];
    for (size_t i = 0; i < sizeof noise; i++) {
        noise[i] = (unsigned char)(i * i * 31 >> 4);
    }
    const char *path = scratch("good.gz"), *bad = scratch("bad.gz");
    gzip(path, "wb", noise, sizeof noise);
    char *bytes;
    size_t length;
    /* the packed bytes themselves, hidden from the reader by a letter in front */
    FILE *file = fopen(path, "rb");
    NEED(file != NULL);
    bytes = malloc(2 * sizeof noise);
    length = fread(bytes, 1, 2 * sizeof noise, file);
    fclose(file);
    NEED(length > 100);
    for (size_t cut = 2; cut < length; cut += 97) {
        CHECK_INT(lu_file_write(bad, bytes, cut, NULL), LU_OK);
        check_refused(bad, LIMIT, LU_DAMAGED_FILE, "ends too early");
    }
    /* what follows a member must be a member */
    static const char *const tails[] = {"x", "\x1f", "\x1f\x8c..", "plain text"};
    for (size_t k = 0; k < sizeof tails / sizeof *tails; k++) {
        char offset[120];
        snprintf(offset, sizeof offset,
                 "%zu bytes after the end of its gzip data, from byte %zu on", strlen(tails[k]),
                 length);
        memcpy(bytes + length, tails[k], strlen(tails[k]));
        CHECK_INT(lu_file_write(bad, bytes, length + strlen(tails[k]), NULL), LU_OK);
        check_refused(bad, LIMIT, LU_DAMAGED_FILE, offset);
    }
    bytes[length] = '\0'; /* padding with zeros too */
    CHECK_INT(lu_file_write(bad, bytes, length + 1, NULL), LU_OK);
    check_refused(bad, LIMIT, LU_DAMAGED_FILE, "1 bytes after");
    bytes[length - 6] ^= 1; /* in the checksum */
    CHECK_INT(lu_file_write(bad, bytes, length, NULL), LU_OK);
    check_refused(bad, LIMIT, LU_DAMAGED_FILE, "damaged gzip");
    free(bytes);
}

TEST(limits_hold_also_for_inflated_data) {
    static char large[100001];
    const char *path = scratch("limit"), *packed = scratch("bomb.gz");
    CHECK_INT(lu_file_write(path, large, sizeof large, NULL), LU_OK);
    check_refused(path, sizeof large - 1, LU_LIMIT, "larger than the limit of 100000 bytes");
    check_refused(path, 0, LU_LIMIT, "larger than");
    gzip(packed, "wb9", large, sizeof large);
    check_refused(packed, sizeof large - 1, LU_LIMIT, "once inflated");
    char *bytes;
    size_t length;
    CHECK_INT(lu_file_read(path, sizeof large, &bytes, &length, NULL), LU_OK);
    free(bytes);
    CHECK_INT(lu_file_read(packed, sizeof large, &bytes, &length, NULL), LU_OK);
    CHECK_INT(length, sizeof large);
    free(bytes);
}

TEST(what_is_no_file_is_refused) {
    check_refused(scratch("missing"), LIMIT, LU_NOT_FOUND, "no such file");
    check_refused(lu_test_folder(), LIMIT, LU_IO, "is a folder");
    check_refused("/dev/null", LIMIT, LU_IO, "is a device");
    CHECK_INT(lu_status_exit(LU_NOT_FOUND), 3);
    if (geteuid() != 0) {
        const char *path = scratch("secret");
        CHECK_INT(lu_file_write(path, "x", 1, NULL), LU_OK);
        chmod(path, 0);
        check_refused(path, LIMIT, LU_IO, "no permission");
    }
}

static int files_in(const char *folder) {
    int count = 0;
    DIR *list = opendir(folder);
    while (list && readdir(list)) {
        count++;
    }
    if (list) {
        closedir(list);
    }
    return count;
}

TEST(failed_writes_leave_nothing) {
    lu_error error = {0};
    int before = files_in(lu_test_folder());
    CHECK_INT(lu_file_write(scratch("no/such/folder"), "x", 1, &error), LU_NOT_FOUND);
    CHECK_HAS(error.text, "no/such");
    CHECK_INT(lu_file_write(lu_test_folder(), "x", 1, &error), LU_IO);
    CHECK_HAS(error.text, "not a plain file");
    CHECK_INT(files_in(lu_test_folder()), before);
}

TEST(writes_keep_mode_and_links) {
    const char *path = scratch("kept"), *link = scratch("link");
    CHECK_INT(lu_file_write(path, "1", 1, NULL), LU_OK);
    chmod(path, 0640);
    CHECK_INT(symlink(path, link), 0);
    CHECK_INT(lu_file_write(link, "22", 2, NULL), LU_OK);
    struct stat about;
    CHECK(lstat(link, &about) == 0 && S_ISLNK(about.st_mode));
    CHECK(stat(path, &about) == 0 && (about.st_mode & 0777) == 0640);
    check_read(path, "22", 2);
}

TEST(links_below_a_folder_are_not_followed) {
    char *bytes;
    size_t length;
    lu_error error = {0};
    char folder[300], inside[400], link[400];
    snprintf(folder, sizeof folder, "%s/beneath", lu_test_folder());
    snprintf(inside, sizeof inside, "%s/in", folder);
    NEED(lu_folder_make(inside, NULL) == LU_OK);
    snprintf(inside, sizeof inside, "%s/in/file", folder);
    NEED(lu_file_write(inside, "x", 1, NULL) == LU_OK);
    snprintf(link, sizeof link, "%s/in/link", folder);
    CHECK_INT(symlink("file", link), 0);
    snprintf(link, sizeof link, "%s/led", folder);
    CHECK_INT(symlink("in", link), 0);
    CHECK_INT(lu_file_read_beneath(folder, "in/file", 10, &bytes, &length, &error), LU_OK);
    free(bytes);
    CHECK_INT(lu_file_read_beneath(link, "file", 10, &bytes, &length, &error), LU_OK);
    free(bytes); /* the folder itself may be a link */
    CHECK(lu_file_is_beneath(folder, "in/file"));
    static const char *const none[] = {
        "in/link", "led/file", "in/../in/file", "./in/file", "in//file", "/in/file",
        "in",      "",         "in/other",      "in/file/x"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        CHECK(!lu_file_is_beneath(folder, none[i]));
        CHECK(lu_file_read_beneath(folder, none[i], 10, &bytes, &length, &error) != LU_OK);
        CHECK(!bytes);
    }
    CHECK_INT(lu_file_read_beneath(folder, "in/link", 10, &bytes, &length, &error), LU_IO);
    CHECK_HAS(error.text, "links are not followed here");
    CHECK_INT(lu_file_read_beneath(folder, "led/file", 10, &bytes, &length, &error), LU_IO);
}

TEST(folders_are_made_with_those_above) {
    lu_error error = {0};
    const char *path = scratch("a/b//c/");
    CHECK_INT(lu_folder_make(path, &error), LU_OK);
    CHECK_INT(lu_folder_make(path, &error), LU_OK);
    CHECK(lu_file_exists(scratch("a/b/c")));
    CHECK_INT(lu_file_write(scratch("a/file"), "x", 1, NULL), LU_OK);
    CHECK_INT(lu_folder_make(scratch("a/file/d"), &error), LU_IO);
    CHECK_HAS(error.text, "is a file");
    CHECK_INT(lu_folder_make("", &error), LU_IO);
    CHECK_INT(lu_folder_make("/", &error), LU_OK);
}

TEST(home_has_the_games) {
    const char *home = lu_home();
    if (!home) {
        lu_test_skip("not run inside the project");
        return;
    }
    char path[4200];
    snprintf(path, sizeof path, "%s/games", home);
    CHECK(lu_file_exists(path) || getenv("LUDUS_HOME"));
    CHECK(lu_home() == home);
    CHECK_TEXT(lu_share(), home); /* where there is a project, what it has is read */
}

TEST(packed_input_beyond_the_limit_is_too_large_not_damaged) {
    /* empty members of gzip: larger packed than unpacked */
    static const unsigned char empty[] = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3,
                                          3,    0,    0, 0, 0, 0, 0, 0, 0, 0};
    enum { MEMBERS = 200 };
    char path[300], *bytes, *all = lu_alloc(MEMBERS * sizeof empty);
    size_t length;
    lu_error error;
    for (size_t i = 0; i < MEMBERS; i++) {
        memcpy(all + i * sizeof empty, empty, sizeof empty);
    }
    snprintf(path, sizeof path, "%s/members.gz", lu_test_folder());
    CHECK_INT(lu_file_write(path, all, MEMBERS * sizeof empty, &error), LU_OK);
    CHECK_INT(lu_file_read(path, 100, &bytes, &length, &error), LU_LIMIT);
    CHECK(!bytes && length == 0);
    CHECK_INT(lu_file_read(path, 1 << 20, &bytes, &length, &error), LU_OK);
    CHECK_INT(length, 0);
    free(bytes);
    free(all);
}

TEST(leftovers_of_a_killed_writer_are_removed_by_the_next_one) {
    char folder[300], dead[400], alive[400], other[400], notes[400];
    snprintf(folder, sizeof folder, "%s/leftovers", lu_test_folder());
    snprintf(dead, sizeof dead, "%s/.ludus-1-2", folder);
    snprintf(alive, sizeof alive, "%s/.ludus-3-4", folder);
    snprintf(other, sizeof other, "%s/kept", folder);
    snprintf(notes, sizeof notes, "%s/.ludus-2-notes", folder);
    NEED(lu_folder_make(folder, NULL) == LU_OK);
    NEED(lu_file_write(alive, "x", 1, NULL) == LU_OK);
    int file = open(alive, O_RDONLY | O_CLOEXEC);
    NEED(file >= 0 && flock(file, LOCK_EX) == 0);
    NEED(lu_file_write(notes, "x", 1, NULL) == LU_OK && lu_file_write(dead, "x", 1, NULL) == LU_OK);
    CHECK_INT(lu_file_write(other, "y", 1, NULL), LU_OK);
    CHECK(!lu_file_exists(dead) && lu_file_exists(alive) && lu_file_exists(other));
    close(file);
    lu_file_clean(folder);
    CHECK(!lu_file_exists(alive) && lu_file_exists(other) && lu_file_exists(notes));
    lu_file_clean("/no/such/folder");
}
