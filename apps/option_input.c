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
        if (!word || want > have) {
            return 0;
        }
        for (size_t i = 0; i < want; i++) {
            if (tolower((unsigned char)word[i]) != tolower((unsigned char)part[i])) {
                return 0;
            }
        }
        same = same && want == have;
        left = word + have;
        right = part + want;
    }
}

/* True when an option's name begins as typed (every option does for ""). */
static bool choose_matches(const char *name, const char *typed) {
    return match(name, typed) > 0;
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
    lu_text_addf(why, "'%s' is not possible now%s%s", game->head[q->head].option[option],
                 reason ? ": " : "", reason ? reason : "");
    return -1;
}

static int by_number(const question *q, const char *typed, lu_text *why) {
    int options = q->env->game->head[q->head].options;
    long number = strlen(typed) < 9 ? strtol(typed, NULL, 10) : -1;
    if (number < 0 || number >= options) {
        lu_text_addf(why, "there is no choice %.20s; the numbers go from 0 to %d", typed,
                     options - 1);
        return -1;
    }
    return q->legal[number] ? (int)number : refuse(q, (int)number, why);
}

int choose_option(const question *q, const char *typed, lu_text *why) {
    const lu_head *head = &q->env->game->head[q->head];
    int found = -1, several = 0, illegal = -1;
    if (all_digits(typed)) {
        return by_number(q, typed, why);
    }
    lu_text names = LU_TEXT_INIT;
    for (int o = 0; o < head->options; o++) {
        int kind = match(head->option[o], typed);
        if (kind == 2) {
            lu_text_free(&names);
            return q->legal[o] ? o : refuse(q, o, why);
        }
        if (kind == 0) {
            continue;
        }
        if (!q->legal[o]) {
            illegal = illegal < 0 ? o : illegal;
            continue;
        }
        found = o;
        if (several++ < 4) {
            lu_text_addf(&names, "%s'%s'", several > 1 ? ", " : "", head->option[o]);
        }
    }
    if (several > 1) {
        lu_text_addf(why, "'%.40s' could be %s%s", typed, names.text, several > 4 ? ", ..." : "");
        found = -1;
    } else if (several == 0 && illegal >= 0) {
        refuse(q, illegal, why);
    } else if (several == 0) {
        const char *near = lu_nearest(typed, head->option, (size_t)head->options);
        lu_text_addf(why, "there is no choice '%.40s'%s%s%s", typed, near ? "; did you mean '" : "",
                     near ? near : "; ? shows help", near ? "'?" : "");
    }
    lu_text_free(&names);
    return found;
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

/* "12-23 select rock 1..12", "43-45 sell iron 25%/50%/100%" or "6 hold". */
static void add_run(const lu_head *head, int first, int last, lu_text *text) {
    const char *name = head->option[first];
    if (first == last) {
        lu_text_addf(text, "%d %s", first, name);
        return;
    }
    size_t stem = stem_length(name);
    lu_text_addf(text, "%d-%d %s", first, last, name);
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
} flow;

static void flow_item(flow *f, const char *item, bool heading) {
    int length = (int)strlen(item);
    bool breaks = f->at > 0 && (heading || f->at + 3 + length > f->columns);
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
        lu_text_add(f->text, "   ");
        f->at += 3;
    }
    if (heading) {
        lu_text_addf(f->text, "%s%s%s", paint(CYAN), item, paint(PLAIN));
        lu_text_fill(f->text, ' ', f->indent - length);
        f->at = length > f->indent ? length : f->indent;
    } else {
        lu_text_add(f->text, item);
        f->at += length;
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

/* Every heading once, in order of its first listed option, with all its options. */
static int list_named(const question *q, const char *typed, int columns, lu_text *text) {
    const lu_head *head = &q->env->game->head[q->head];
    flow f = {.text = text, .columns = columns};
    lu_text item = LU_TEXT_INIT;
    for (int o = 0; head->sets && o < head->options; o++) {
        int length = listed(q, o, typed) ? (int)strlen(set_of(head, o)) + 2 : 0;
        f.indent = length > f.indent ? length : f.indent;
    }
    for (int o = 0; o < head->options; o++) {
        if (!first_of_set(q, o, typed)) {
            continue;
        }
        if (f.indent > 0) {
            flow_item(&f, set_of(head, o), true);
        }
        for (int k = o; k < head->options; k++) {
            if (listed(q, k, typed) && strcmp(set_of(head, k), set_of(head, o)) == 0) {
                int last = run_end(q, k, typed);
                lu_text_clear(&item);
                add_run(head, k, last, &item);
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
    if (used > lines) {
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

void choose_list_all(const question *q, int columns, lu_text *text) {
    list_named(q, "", columns, text);
}
