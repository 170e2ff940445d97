#include "ludus/text.h"

#include <stdlib.h>

#include "test.h"

TEST(base64_is_that_of_rfc_4648) {
    static const char *const letters[] = {"",         "Zg==",     "Zm8=",    "Zm9v",
                                          "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"};
    for (size_t length = 0; length <= 6; length++) {
        char got[9] = {0};
        lu_base64("foobar", length, got);
        CHECK_TEXT(got, letters[length]);
    }
    char all[5] = {0};
    lu_base64("\xfb\xef\xff", 3, all);
    CHECK_TEXT(all, "++//");
}

TEST(text_grows_and_stays_terminated) {
    lu_text text = LU_TEXT_INIT;
    CHECK_TEXT(text.text, "");
    lu_text_add(&text, "");
    lu_text_add_n(&text, "", 0);
    CHECK_INT(text.room, 0);
    for (int i = 0; i < 1000; i++) {
        lu_text_addf(&text, "%d,", i);
        CHECK(text.text[text.length] == '\0' && text.length < text.room);
    }
    CHECK_INT(text.length, 3890);
    CHECK_HAS(text.text, ",998,999,");
    lu_text_clear(&text);
    CHECK_TEXT(text.text, "");
    CHECK_INT(text.length, 0);
    lu_text_line(&text, "%s=%d", "a", 1);
    lu_text_fill(&text, '-', 3);
    lu_text_fill(&text, '-', -3);
    lu_text_add_char(&text, '|');
    CHECK_TEXT(text.text, "a=1\n---|");
    lu_text_free(&text);
    CHECK_TEXT(text.text, "");
}

TEST(long_formats_fit_at_every_fill) {
    for (int fill = 0; fill < 200; fill++) {
        lu_text text = LU_TEXT_INIT;
        lu_text_fill(&text, 'x', fill);
        lu_text_addf(&text, "%*d", 130, 7);
        CHECK_INT(text.length, fill + 130);
        CHECK_INT(strlen(text.text), fill + 130);
        CHECK_INT(text.text[text.length - 1], '7');
        lu_text_free(&text);
    }
}

TEST(bytes_may_hold_zeros) {
    lu_text text = LU_TEXT_INIT;
    lu_text_add_n(&text, "a\0b", 3);
    CHECK_INT(text.length, 3);
    CHECK_INT(text.text[2], 'b');
    char *taken = lu_text_take(&text);
    CHECK_TEXT(taken, "a");
    CHECK_INT(text.length, 0);
    CHECK_TEXT(text.text, "");
    free(taken);
    taken = lu_text_take(&text);
    CHECK_TEXT(taken, "");
    free(taken);
}

TEST(bytes_are_told_in_units_of_a_thousand) {
    static const struct {
        double bytes;
        const char *text;
    } cases[] = {{0, "0 B"},      {999, "999 B"},     {1500, "1.5 kB"},  {999400, "999 kB"},
                 {1e6, "1.0 MB"}, {1.44e9, "1.4 GB"}, {1e13, "10.0 TB"}, {1e16, "10000 TB"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        lu_text text = LU_TEXT_INIT;
        lu_text_add_bytes(&text, cases[i].bytes);
        CHECK_TEXT(text.text, cases[i].text);
        lu_text_free(&text);
    }
}
