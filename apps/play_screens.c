/* How `ludus play` shows an episode and hears answers: a screen of 80 x 24 with keys, boards and
 * commands line by line, or a line of JSON for each question. */
#include "output.h"
#include "play.h"
#include "screen.h"
#include "terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- in a terminal ---- */

/* Adds the first `most` lines of a list; returns how many. */
static int add_lines(lu_text *text, const char *list, int most) {
    int count = 0;
    for (; *list && count < most; count++) {
        size_t length = strcspn(list, "\n") + 1;
        lu_text_add_n(text, list, length);
        list += length;
    }
    return count;
}

/* Who is asked, where it may be one of several. */
static const char *who(const play *p) {
    bool several = (p->persons & (p->persons - 1)) != 0;
    return several ? cell("seat %d, ", p->seat) : "";
}

/* How one leaves, where q is a key of the game. */
static const char *quit_word(const play *p) {
    question q = play_question(p);
    return choose_key(&q, "q") < 0 ? "q quit" : "quit";
}

/* Where there is no room for the keys and what is typed, the keys are left out. */
static const char *prompt_of(const play *p, int columns) {
    if (columns < 60) {
        return p->s.env->over ? "over: " : cell("%s%.20s: ", who(p), p->s.game->head[p->head].name);
    }
    if (p->s.env->over) {
        return "episode over (n next seed, q quit): ";
    }
    bool several = p->s.game->heads > 1;
    return cell("%s%s (g hint, Tab list, ? help, %s): ", who(p),
                several ? p->s.game->head[p->head].name : "choice", quit_word(p));
}

/* A page of all options that match, from the line below the title on; returns its lines. */
static int add_page(play *p, const question *q, const char *search, int columns, int room,
                    lu_text *text) {
    lu_text list = LU_TEXT_INIT;
    int count = 0, used = 0;
    choose_list_all(q, search, columns, &list);
    for (const char *at = list.text; (at = strchr(at, '\n')) != NULL; at++) {
        count++;
    }
    int each = count > room ? room - 1 : room, pages = each > 0 ? (count + each - 1) / each : 1;
    p->page = p->page < pages ? p->page : pages > 0 ? pages - 1 : 0;
    const char *at = list.text;
    for (int i = 0; i < p->page * each; i++) {
        at = strchr(at, '\n') + 1;
    }
    used = add_lines(text, at, each);
    if (count == 0) {
        lu_text_line(text, "nothing legal is called '%s'", search + 1);
        used++;
    } else if (pages > 1) {
        lu_text_line(text, "%spage %d of %d: PgDn and PgUp turn pages, /word searches%s",
                     paint(DIM), p->page + 1, pages, paint(PLAIN));
        used++;
    }
    lu_text_free(&list);
    return used;
}

/* Title, board (or the page of all actions), legal actions, message, prompt. */
static void draw(play *p) {
    int columns, lines, used = 1;
    const lu_env *env = p->s.env;
    lu_text text = LU_TEXT_INIT, list = LU_TEXT_INIT, message = LU_TEXT_INIT;
    question q = play_question(p);
    bool search = p->typed.length > 0 && p->typed.text[0] == '/', page = p->list || search;
    terminal_size(&columns, &lines);
    if (!play_preview(p, p->typed.text, &list)) {
        lu_text_add(&list, p->message.text);
    }
    int last = board_message(&message, "> ", list.text, columns, lines) + 1;
    lu_text_clear(&list);
    board_head(&text, env, p->s.option_settings, p->seat, columns);
    if (page && !env->over) {
        used += add_page(p, &q, search ? p->typed.text : p->search, columns, lines - used - last,
                         &text);
    } else {
        used += board_show(&text, env, p->seat, columns, lines - used - last - (env->over ? 0 : 1));
    }
    int room = lines - used - last;
    if (!page && !env->over && room > 0) {
        int count = choose_list(&q, p->typed.text, columns, room, &list);
        /* a line of air where there is room */
        lu_text_add(&text, count < room ? "\n" : "");
        used += count + (count < room);
        lu_text_add(&text, list.text);
    }
    lu_text_fill(&text, '\n', lines - used - last);
    lu_text_add(&text, message.text);
    const char *prompt = prompt_of(p, columns);
    lu_text_addf(&text, "%s%s%s%s", paint(BOLD), prompt, paint(PLAIN), p->typed.text);
    terminal_draw(text.text, (int)(strlen(prompt) + p->typed.length), lines - 1);
    lu_text_free(&text);
    lu_text_free(&list);
    lu_text_free(&message);
}

static void drop_letter(lu_text *typed) {
    if (typed->length > 0) {
        typed->text[--typed->length] = 0;
    }
}

static void key(play *p, int pressed) {
    switch (pressed) {
    case KEY_CLOSED:
    case KEY_CONTROL_C:
        p->interrupted = p->done = true;
        break;
    case KEY_CONTROL_D:
        p->done = p->typed.length == 0;
        break;
    case KEY_TAB:
        p->list = !p->list && !p->s.env->over;
        break;
    case KEY_ENTER: {
        char *typed = lu_text_take(&p->typed);
        play_command(p, typed);
        free(typed);
        break;
    }
    case KEY_BACKSPACE:
        drop_letter(&p->typed);
        break;
    case KEY_PAGE_DOWN:
    case KEY_PAGE_UP:
        p->page += pressed == KEY_PAGE_DOWN && p->list ? 1 : p->page > 0 && p->list ? -1 : 0;
        p->list = !p->s.env->over;
        break;
    case KEY_ESCAPE:
        p->list = false;
        p->search[0] = 0;
        lu_text_clear(&p->typed);
        break;
    case KEY_CONTROL_U:
    case KEY_CONTROL_W:
        lu_text_clear(&p->typed);
        break;
    default:
        if (pressed >= ' ' && pressed < 127 && p->typed.length < 60) {
            lu_text_add_char(&p->typed, (char)pressed);
        }
        break;
    }
}

void play_keys(play *p) {
    while (!p->done) {
        draw(p);
        key(p, terminal_key(-1.0));
    }
}

/* ---- line by line ---- */

/* One line of at most 200 letters; false at the end of the input. */
static bool read_command(lu_text *line) {
    int c;
    lu_text_clear(line);
    while ((c = getc(stdin)) != EOF && c != '\n') {
        if (line->length < 200 && c >= ' ' && c < 127) {
            lu_text_add_char(line, (char)c);
        }
    }
    return c != EOF || line->length > 0;
}

void play_lines(play *p) {
    while (!p->done) {
        lu_text text = LU_TEXT_INIT;
        question q = play_question(p);
        if (p->message.length > 0) {
            lu_text_addf(&text, "> %s\n", p->message.text);
        }
        board_head(&text, p->s.env, p->s.option_settings, p->seat, 80);
        board_show(&text, p->s.env, p->seat, 80, 1000);
        if (!p->s.env->over) {
            lu_text_add_char(&text, '\n');
            choose_list_all(&q, p->search, 80, &text);
            lu_text_addf(&text, "%s%s (g hint, ? help, %s): ", who(p),
                         p->s.game->heads > 1 ? p->s.game->head[p->head].name : "choice",
                         quit_word(p));
        }
        out_write(text.text, text.length);
        out_flush();
        lu_text_free(&text);
        lu_text_clear(&p->message);
        if (p->s.env->over) {
            break;
        }
        bool more = read_command(&p->typed);
        bool secret = (p->left & ~(1u << p->seat)) != 0; /* others choose after it */
        out_format("%s\n", secret ? "..." : p->typed.text);
        p->interrupted = interrupted();
        if (!more || p->interrupted) {
            break;
        }
        play_command(p, p->typed.text);
    }
}

/* ---- as JSON lines ---- */

/* The head that is asked, what was chosen before it and what is legal now; nulls when it is over.
 */
static void write_question(const play *p, lu_json *json) {
    const lu_head *head = &p->s.game->head[p->head];
    question q = play_question(p);
    lu_text note = LU_TEXT_INIT;
    bool over = p->s.env->over;
    lu_json_key_string(json, "head", over ? NULL : head->name);
    lu_json_key_array(json, "chosen");
    for (int h = 0; !over && h < p->head; h++) {
        lu_json_int(json, p->chosen[h]);
    }
    lu_json_array_end(json);
    lu_json_key_array(json, "legal");
    for (int o = 0; !over && o < head->options; o++) {
        if (p->legal[o]) {
            lu_json_object(json);
            lu_json_key_int(json, "option", o);
            lu_json_key_string(json, "name", head->option[o]);
            lu_text_clear(&note);
            choose_note(&q, o, &note);
            if (note.length > 0) {
                lu_json_key_string(json, "note", note.text);
            }
            lu_json_object_end(json);
        }
    }
    lu_json_array_end(json);
    lu_text_free(&note);
}

static void write_line(const play *p, lu_json *json) {
    const lu_env *env = p->s.env;
    lu_json_object(json);
    lu_json_key(json, "seed");
    lu_json_uint(json, env->seed);
    lu_json_key_int(json, "decision", env->decisions);
    lu_json_key_int(json, "seat", p->seat);
    lu_json_key_bool(json, "over", env->over);
    lu_json_key_bool(json, "terminated", env->step.terminated);
    lu_json_key_bool(json, "truncated", env->step.truncated);
    lu_json_key_real(json, "reward", env->decisions > 0 ? env->reward[p->seat] : 0.0);
    lu_json_key_real(json, "return", env->returns[p->seat]);
    lu_json_key_string(json, "message", p->message.length > 0 ? p->message.text : "");
    write_question(p, json);
    lu_json_key(json, "state");
    p->s.game->to_json(p->s.rules, env->state, p->seat, json);
    lu_json_key(json, "info");
    lu_env_info_write(env, json);
    lu_json_object_end(json);
}

void play_json(play *p) {
    lu_json json = LU_JSON_INIT;
    while (!p->done) {
        write_line(p, &json);
        out_json(&json);
        out_flush();
        lu_text_clear(&p->message);
        bool more = !p->s.env->over && read_command(&p->typed);
        p->interrupted = interrupted();
        if (!more || p->interrupted) {
            break;
        }
        play_command(p, p->typed.text);
    }
    lu_json_free(&json);
}
