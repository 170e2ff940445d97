/* What the completion scripts of several shells are made of: see completion.h. */
#include "completion.h"

#include <stdio.h>
#include <string.h>

/* Options that name a file, whatever verb has them. */
static bool names_a_file(const char *key) {
    static const char *const keys[] = {"config", "actions", "record", "file", "zip"};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        if (strcmp(key, keys[k]) == 0) {
            return true;
        }
    }
    return false;
}

/* "a|b|c" with spaces. */
static void set_choices(offer *made, const char *choices, char *room, size_t size) {
    snprintf(room, size, "%s", choices);
    for (char *c = room; *c; c++) {
        *c = *c == '|' ? ' ' : *c;
    }
    made->completes = COMPLETES_CHOICES;
    made->choices = room;
}

static void give_rows(const lu_table *t, bool dashes, lu_text *text, offer_function *give) {
    for (int i = 0; i < t->count; i++) {
        const lu_setting *row = &t->rows[i];
        bool flag = row->type == LU_BOOL, on = flag && strcmp(row->initial, "true") == 0;
        char choices[512];
        offer made = {.value = !flag, .choices = "", .sentence = row->sentence};
        snprintf(made.name, sizeof made.name, "%s%s", on ? "no-" : "", row->key);
        for (char *c = made.name; dashes && *c; c++) {
            *c = *c == '_' ? '-' : *c;
        }
        if (row->type == LU_ENUM) {
            set_choices(&made, row->choices, choices, sizeof choices);
        } else if (names_a_file(row->key)) {
            made.completes = COMPLETES_FILES;
        }
        give(text, &made);
    }
}

void offers_of_verb(const verb *asked, lu_text *text, offer_function *give) {
    const lu_table *own;
    for (const common_option *c = common_options; c->key; c++) {
        if (common_offered(c, asked)) {
            offer made = {.value = c->value != NULL, .choices = "", .sentence = c->sentence};
            snprintf(made.name, sizeof made.name, "%s", c->key);
            made.completes = names_a_file(c->key) ? COMPLETES_FILES : COMPLETES_NOTHING;
            give(text, &made);
        }
    }
    for (int t = 0; (own = verb_table(asked, t)) != NULL; t++) {
        give_rows(own, t == 0, text, give);
    }
}

void offers_of_game(const lu_game *game, lu_text *text, offer_function *give) {
    lu_table own = game_table_make(NULL, game);
    give_rows(&own, false, text, give);
    game_table_free(own);
}

void offers_of_bots(const lu_game *game, lu_text *text, offer_function *give) {
    static const char *const names[] = {"bot", "opponent"};
    lu_text bots = LU_TEXT_INIT;
    for (int b = 0; b < lu_game_bots(game); b++) {
        lu_text_addf(&bots, "%s%s", b ? " " : "", lu_game_bot_at(game, b)->name);
    }
    for (int n = 0; n < 2; n++) {
        offer made = {.value = true,
                      .completes = COMPLETES_CHOICES,
                      .choices = bots.text,
                      .sentence = "A bot of the game."};
        snprintf(made.name, sizeof made.name, "%s", names[n]);
        give(text, &made);
    }
    lu_text_free(&bots);
}

void completion_games(lu_text *text) {
    for (int g = 0; g < program_games(); g++) {
        lu_text_add_char(text, ' ');
        completion_names(lu_game_at(g), " ", text);
    }
}

void completion_verbs(lu_text *text) {
    for (int v = 0; verbs[v]; v++) {
        lu_text_addf(text, " %s", verbs[v]->name);
    }
}

void completion_names(const lu_game *game, const char *between, lu_text *text) {
    bool first = lu_game_find(game->name, NULL) == game;
    lu_text_addf(text, "%s%s%s", game->id, first ? between : "", first ? game->name : "");
}

void completion_quote(lu_text *text, const char *words, const char *escape, bool zsh) {
    lu_text_add_char(text, '\'');
    for (const char *c = words; *c; c++) {
        if (*c == '\'') {
            lu_text_add(text, zsh ? "'\\''" : "\\'");
            continue;
        }
        if (strchr(escape, *c)) {
            lu_text_add_char(text, '\\');
        }
        lu_text_add_char(text, *c);
    }
    lu_text_add_char(text, '\'');
}
