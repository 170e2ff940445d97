/* Names, prefixes and lists of options: see option_input.h. */
#include "option_input.h"

#include "output.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- matching ---- */

static bool is_gap(char c) {
    return c == ' ' || c == '_' || c == '-';
}

/* The next word of a name: letters, or digits with what follows them; NULL at the end. */
static const char *next_word(const char *at, size_t *length) {
    while (is_gap(*at)) {
        at++;
    }
    size_t n = 0;
    while (at[n] && !is_gap(at[n])) {
        if (n > 0 && isdigit((unsigned char)at[n]) && isalpha((unsigned char)at[n - 1])) {
            break; /* "t3" is two words */
        }
        n++;
    }
    *length = n;
    return n > 0 ? at : NULL;
}

void choose_name(const char *name, lu_text *text) {
    for (; *name; name++) {
        lu_text_add_char(text, *name == '_' ? ' ' : *name);
    }
}

/* Whether a word of a name begins with what was typed; a number is typed in whole. */
static bool begins(const char *word, size_t have, const char *part, size_t want) {
    for (size_t i = 0; i < want; i++) {
        if (i == have || tolower((unsigned char)word[i]) != tolower((unsigned char)part[i])) {
            return false;
        }
    }
    return !(isdigit((unsigned char)part[want - 1]) && isdigit((unsigned char)word[want]));
}

/* 0 = no match, 1 = beginnings match, 2 = the same words. */
static int match(const char *name, const char *typed) {
    const char *left = name, *right = typed;
    bool same = true;
    for (;;) {
        size_t have = 0, want = 0;
        const char *word = next_word(left, &have), *part = next_word(right, &want);
        if (!part) {
            return same && !word ? 2 : 1;
        }
        if (!word || !begins(word, have, part, want)) {
            return 0;
        }
        same = same && want == have;
        left = word + have;
        right = part + want;
    }
}

/* The same from any word of the name on, which is a beginning at best. */
static int match_within(const char *name, const char *typed) {
    size_t length = 0;
    const char *word = next_word(name, &length);
    for (; word; word = next_word(word + length, &length)) {
        if (match(word, typed) > 0) {
            return 1;
        }
    }
    return 0;
}

/* The same where words of the name are left out: "select 1" is "select rock 1". */
static int match_spread(const char *name, const char *typed) {
    size_t have = 0, want = 0;
    const char *part = next_word(typed, &want);
    for (const char *word = next_word(name, &have); word && part;
         word = next_word(word + have, &have)) {
        if (begins(word, have, part, want)) {
            part = next_word(part + want, &want);
        }
    }
    return part ? 0 : 1;
}

/* True when an option's name begins as typed (every option does for ""), or has the word behind a
 * slash. */
static bool choose_matches(const char *name, const char *typed) {
    return *typed == '/' ? !typed[1] || match_within(name, typed + 1) > 0 : match(name, typed) > 0;
}

static bool all_digits(const char *text) {
    for (const char *c = text; *c; c++) {
        if (!isdigit((unsigned char)*c)) {
            return false;
        }
    }
    return *text != 0;
}

static int refuse(const question *q, int option, lu_text *why) {
    const lu_game *game = q->env->game;
    const char *reason = game->why_not
                             ? game->why_not(q->env->rules, q->env->state, q->seat, q->head, option)
                             : NULL;
    lu_text_add_char(why, '\'');
    choose_name(game->head[q->head].option[option], why);
    lu_text_addf(why, "' isn't legal now%s%s", reason ? ": " : "", reason ? reason : "");
    return CHOSE_ILLEGAL;
}

static char key_of(const question *q, int option) {
    const char *keys = q->env->game->keys;
    return q->head == 0 && keys && (size_t)option < strlen(keys) && keys[option] != ' '
               ? keys[option]
               : 0;
}

int choose_key(const question *q, const char *typed) {
    int options = q->env->game->head[q->head].options;
    for (int o = 0; o < options && typed[0] && !typed[1]; o++) {
        if (key_of(q, o) == typed[0]) {
            return o;
        }
    }
    return -1;
}

int choose_flag(const lu_head *head) {
    const char *space = strrchr(head->name, ' ');
    return head->options == 2 && space && all_digits(space + 1) && strlen(space) < 4
               ? atoi(space + 1)
               : 0;
}

/* Whether an option may be chosen by its place: no name and no key holds a number, and the game
 * does not say of each option whether it has a key. */
static bool by_place(const question *q) {
    const lu_head *head = &q->env->game->head[q->head];
    const char *keys = q->head == 0 ? q->env->game->keys : NULL;
    bool plain = choose_flag(head) == 0 && !(keys && strlen(keys) >= (size_t)head->options);
    for (int o = 0; o < head->options && plain; o++) {
        plain = !strpbrk(head->option[o], "0123456789") && !isdigit((unsigned char)key_of(q, o));
    }
    return plain;
}

void choose_action(const lu_game *game, const int32_t *action, int heads, lu_text *text) {
    size_t start = text->length;
    for (int h = 0; h < heads; h++) {
        const lu_head *head = &game->head[h];
        int flag = choose_flag(head);
        bool known = action[h] >= 0 && action[h] < head->options;
        if (!lu_head_needed(game, h, action) || (flag > 0 && action[h] != 1)) {
            continue;
        }
        const char *name = flag > 0 ? cell("%d", flag) : known ? head->option[action[h]] : "?";
        lu_text_add(text, text->length == start ? "" : isdigit((unsigned char)*name) ? " " : ", ");
        choose_name(name, text);
    }
}

void choose_note(const question *q, int option, lu_text *text) {
    const lu_game *game = q->env->game;
    int32_t chosen[LU_MAX_HEADS] = {0};
    if (game->note) {
        memcpy(chosen, q->chosen, (size_t)q->head * sizeof *chosen);
        chosen[q->head] = option;
        game->note(q->env->rules, q->env->state, q->seat, q->head, chosen, text);
    }
}

static int by_number(const question *q, const char *typed, lu_text *why) {
    int options = q->env->game->head[q->head].options;
    long number = strlen(typed) < 9 ? strtol(typed, NULL, 10) : -1;
    if (number < 0 || number >= options) {
        lu_text_addf(why, "there is no option %.20s; the numbers go from 0 to %d", typed,
                     options - 1);
        return CHOSE_NONE;
    }
    return q->legal[number] ? (int)number : refuse(q, (int)number, why);
}

/* Options that match what is typed. */
typedef struct matches {
    int found, several; /* legal ones: the last, how many */
    int same, illegal;  /* the same words; the first that is not legal; -1: none */
    lu_text names;      /* of the first four legal ones */
} matches;

static void look_for(const question *q, const char *typed,
                     int (*fits)(const char *name, const char *typed), matches *m) {
    const lu_head *head = &q->env->game->head[q->head];
    for (int o = 0; o < head->options; o++) {
        int kind = fits(head->option[o], typed);
        m->same = kind == 2 && m->same < 0 ? o : m->same;
        if (kind > 0 && !q->legal[o]) {
            m->illegal = m->illegal < 0 ? o : m->illegal;
        } else if (kind > 0) {
            m->found = o;
            if (m->several++ < 4) {
                lu_text_add(&m->names, m->several > 1 ? ", '" : "'");
                choose_name(head->option[o], &m->names);
                lu_text_add_char(&m->names, '\'');
            }
        }
    }
}

static int by_words(const question *q, const char *typed, lu_text *why) {
    const lu_head *head = &q->env->game->head[q->head];
    matches m = {-1, 0, -1, -1, LU_TEXT_INIT};
    look_for(q, typed, match, &m);
    if (m.several == 0 && m.illegal < 0) {
        look_for(q, typed, match_within, &m);
    }
    if (m.several == 0 && m.illegal < 0) {
        look_for(q, typed, match_spread, &m);
    }
    bool same = m.same >= 0 && (q->legal[m.same] || m.several == 0);
    int option = same ? m.same : m.several == 1 ? m.found : CHOSE_NONE;
    if (option < 0 && m.several > 1) {
        lu_text_addf(why, "'%.40s' could be %s%s", typed, m.names.text,
                     m.several > 4 ? ", ..." : "");
    } else if (option < 0 && m.illegal >= 0) {
        option = refuse(q, m.illegal, why);
    } else if (option < 0) {
        const char *near = lu_nearest(typed, head->option, (size_t)head->options);
        lu_text_addf(why, "there is no option %s%.40s%s%s%s%s", all_digits(typed) ? "" : "'", typed,
                     all_digits(typed) ? "" : "'", near ? "; did you mean '" : "",
                     near ? near : "; ? shows help", near ? "'?" : "");
    }
    lu_text_free(&m.names);
    return option >= 0 && !q->legal[option] ? refuse(q, option, why) : option;
}

int choose_option(const question *q, const char *typed, lu_text *why) {
    int key = choose_key(q, typed);
    if (key >= 0) {
        return q->legal[key] ? key : refuse(q, key, why);
    }
    return all_digits(typed) && by_place(q) ? by_number(q, typed, why) : by_words(q, typed, why);
}

/* ---- lists ---- */

/* Length of a name without its last word. */
static size_t stem_length(const char *name) {
    const char *space = strrchr(name, ' ');
    return space ? (size_t)(space - name) : 0;
}

static bool same_stem(const char *a, const char *b) {
    size_t length = stem_length(a);
    return length > 0 && length == stem_length(b) && strncmp(a, b, length) == 0;
}

static const char *set_of(const lu_head *head, int option) {
    return head->sets && head->sets[option] ? head->sets[option] : "";
}

static bool listed(const question *q, int option, const char *typed) {
    const lu_head *head = &q->env->game->head[q->head];
    return q->legal[option] && choose_matches(head->option[option], typed);
}

/* Last option of the run that starts at `first`: neighbours of one heading and one stem. */
static int run_end(const question *q, int first, const char *typed) {
    const lu_head *head = &q->env->game->head[q->head];
    int last = first;
    while (last + 1 < head->options && listed(q, last + 1, typed) &&
           strcmp(set_of(head, first), set_of(head, last + 1)) == 0 &&
           same_stem(head->option[first], head->option[last + 1])) {
        last++;
    }
    return last;
}

/* What is typed for a run of options, where that is not their names: keys or places. */
static void add_typed(const question *q, int first, int last, lu_text *text) {
    bool keys = true;
    for (int o = first; o <= last; o++) {
        keys = keys && key_of(q, o);
    }
    if (keys && last - first >= 3) {
        lu_text_addf(text, "%c-%c ", key_of(q, first), key_of(q, last));
    } else if (keys) {
        for (int o = first; o <= last; o++) {
            lu_text_addf(text, o < last ? "%c/" : "%c ", key_of(q, o));
        }
    } else if (by_place(q)) {
        lu_text_addf(text, last > first ? "%d-%d " : "%d ", first, last);
    }
}

/* "1-6 travel 1..6", "select rock 1..12", "Z/A/Q sell iron 25%/50%/100%", "h hold" or
 * "66 Dwarf Kraken A40 x6 35g". */
static void add_run(const question *q, int first, int last, lu_text *text) {
    const lu_head *head = &q->env->game->head[q->head];
    const char *name = head->option[first];
    add_typed(q, first, last, text);
    choose_name(name, text);
    if (first == last) {
        lu_text note = LU_TEXT_INIT;
        choose_note(q, first, &note);
        if (note.length > 0) {
            lu_text_addf(text, " %s", note.text);
        }
        lu_text_free(&note);
        return;
    }
    size_t stem = stem_length(name);
    if (last - first >= 3) {
        lu_text_addf(text, "..%s", head->option[last] + stem + 1);
        return;
    }
    for (int o = first + 1; o <= last; o++) {
        lu_text_addf(text, "/%s", head->option[o] + stem + 1);
    }
}

/* A flow of items into lines: a heading starts a line. */
typedef struct flow {
    lu_text *text;
    int columns, at, lines, indent;
    int wide; /* columns of an item in a grid, 0: each as wide as it is */
    int owed; /* spaces that fill the last item up to it, where another follows */
} flow;

static void flow_item(flow *f, const char *item, bool heading) {
    int length = (int)strlen(item);
    int wide = f->wide > length ? f->wide : length;
    bool breaks = f->at > 0 && (heading || f->at + 3 + wide > f->columns);
    if (breaks) {
        lu_text_add_char(f->text, '\n');
        f->at = 0;
    }
    if (f->at == 0) {
        f->lines++;
        if (!heading) {
            lu_text_fill(f->text, ' ', f->indent);
            f->at = f->indent;
        }
    } else if (f->at > f->indent) {
        lu_text_fill(f->text, ' ', f->owed + 3);
        f->at += 3;
    }
    if (heading) {
        lu_text_addf(f->text, "%s%s%s", paint(CYAN), item, paint(PLAIN));
        lu_text_fill(f->text, ' ', f->indent - length);
        f->at = length > f->indent ? length : f->indent;
    } else {
        lu_text_add(f->text, item);
        f->owed = wide - length;
        f->at += wide;
    }
}

/* Whether an option is the first of its heading that is listed. */
static bool first_of_set(const question *q, int option, const char *typed) {
    const lu_head *head = &q->env->game->head[q->head];
    bool first = listed(q, option, typed);
    for (int o = 0; o < option && first; o++) {
        first = !(listed(q, o, typed) && strcmp(set_of(head, o), set_of(head, option)) == 0);
    }
    return first;
}

/* The widest item of a list with notes, which is a grid; 0 without notes. */
static int grid_of(const question *q, const char *typed) {
    int wide = 0;
    lu_text item = LU_TEXT_INIT;
    for (int o = 0; q->env->game->note && o < q->env->game->head[q->head].options; o++) {
        lu_text_clear(&item);
        choose_note(q, o, &item);
        if (item.length > 0 && listed(q, o, typed)) {
            lu_text_clear(&item);
            add_run(q, o, o, &item);
            wide = (int)item.length > wide ? (int)item.length : wide;
        }
    }
    lu_text_free(&item);
    return wide;
}

/* Every heading once, in order of its first listed option, with all its options. */
static int list_named(const question *q, const char *typed, int columns, lu_text *text) {
    const lu_head *head = &q->env->game->head[q->head];
    flow f = {.text = text, .columns = columns};
    lu_text item = LU_TEXT_INIT;
    for (int o = 0; head->sets && o < head->options; o++) {
        int length = listed(q, o, typed) ? (int)strlen(set_of(head, o)) + 2 : 0;
        f.indent = length > f.indent ? length : f.indent;
    }
    int half = (columns - f.indent - 3) / 2, widest = grid_of(q, typed);
    f.wide = widest < half ? widest : half;
    for (int o = 0; o < head->options; o++) {
        if (!first_of_set(q, o, typed)) {
            continue;
        }
        if (f.indent > 0) {
            flow_item(&f, set_of(head, o), true);
        }
        for (int k = o; k < head->options; k++) {
            if (listed(q, k, typed) && strcmp(set_of(head, k), set_of(head, o)) == 0) {
                int last = f.wide > 0 ? k : run_end(q, k, typed);
                lu_text_clear(&item);
                add_run(q, k, last, &item);
                flow_item(&f, item.text, false);
                k = last;
            }
        }
    }
    lu_text_add(text, f.lines ? "\n" : "");
    lu_text_free(&item);
    return f.lines;
}

/* Numbers only, as ranges behind each heading. */
static int list_numbers(const question *q, const char *typed, int columns, lu_text *text) {
    const lu_head *head = &q->env->game->head[q->head];
    flow f = {.text = text, .columns = columns};
    lu_text item = LU_TEXT_INIT;
    for (int o = 0; o < head->options; o++) {
        if (!first_of_set(q, o, typed)) {
            continue;
        }
        lu_text_clear(&item);
        lu_text_add(&item, set_of(head, o));
        const char *comma = " ";
        for (int k = o; k < head->options; k++) {
            int last = k;
            if (!listed(q, k, typed) || strcmp(set_of(head, k), set_of(head, o)) != 0) {
                continue;
            }
            while (last + 1 < head->options && listed(q, last + 1, typed) &&
                   strcmp(set_of(head, last + 1), set_of(head, o)) == 0) {
                last++;
            }
            lu_text_addf(&item, last > k ? "%s%d-%d" : "%s%d", comma, k, last);
            comma = ",";
            k = last;
        }
        flow_item(&f, item.text, false);
    }
    lu_text_add(text, f.lines ? "\n" : "");
    lu_text_free(&item);
    return f.lines;
}

int choose_list(const question *q, const char *typed, int columns, int lines, lu_text *text) {
    lu_text list = LU_TEXT_INIT;
    if (all_digits(typed)) {
        typed = "";
    }
    int used = list_named(q, typed, columns, &list);
    if (used > lines && by_place(q) && !q->env->game->note) {
        lu_text_clear(&list);
        used = list_numbers(q, typed, columns, &list);
    }
    if (used > lines) {
        const char *end = list.text;
        for (int i = 0; i < lines; i++) {
            end = strchr(end, '\n') + 1;
        }
        if (lines > 0) {
            lu_text_add_n(text, list.text, (size_t)(end - list.text) - 1);
            lu_text_add(text, " ...\n");
        }
        used = lines;
    } else {
        lu_text_add(text, list.text);
    }
    lu_text_free(&list);
    return used;
}

void choose_list_all(const question *q, const char *typed, int columns, lu_text *text) {
    list_named(q, typed, columns, text);
}
