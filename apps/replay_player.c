/* The player: one screen with board, step, what the agent thought, reward terms, and a bar whose
 * marks are events. Keys move through the frames; see `keys` below, which is also the help. */
#include "replay_player.h"

#include "call_episode.h"
#include "output.h"
#include "screen.h"
#include "terminal.h"

#include "ludus/clock.h"

#include <stdlib.h>
#include <string.h>

enum { ALL_KINDS = -1, DIGITS_MOST = 12 };

typedef struct player {
    lu_replay *r;
    lu_env *env;
    const lu_replay_marks *marks;
    uint64_t kinds; /* events that occur, as bits */
    int kind;       /* event that marks and jumps go by, or ALL_KINDS */
    int64_t frame;
    double fps;
    bool paused, help, leave, interrupted;
    bool asking; /* the number of a frame is being typed */
    char typed[DIGITS_MOST + 1];
} player;

static const char *const keys[][2] = {
    {"space", "play or pause"},
    {"left, right", "one frame back or forward"},
    {"PgUp, PgDn", "ten frames back or forward"},
    {"Home, End", "the first frame, the last frame"},
    {"p n or [ ]", "the previous or next event"},
    {"e", "which events are marked: all, or one kind at a time"},
    {"g", "go to a frame by number"},
    {"< >", "slower, faster"},
    {"?", "show or hide this help"},
    {"q", "leave"},
};

/* ---- events ---- */

static bool wanted(const player *p, const lu_replay_mark *mark) {
    return p->kind == ALL_KINDS || ((mark->bits >> p->kind) & 1);
}

/* The nearest event behind the frame, or before it; the frame itself when there is none. */
static int64_t event_from(const player *p, int64_t frame, bool behind) {
    int64_t before = frame;
    for (size_t i = 0; i < p->marks->count; i++) {
        const lu_replay_mark *mark = &p->marks->list[i];
        if (wanted(p, mark) && mark->frame > frame) {
            return behind ? mark->frame : before;
        }
        if (wanted(p, mark) && mark->frame < frame) {
            before = mark->frame;
        }
    }
    return behind ? frame : before;
}

/* The next kind that occurs at all, and all of them behind the last. */
static int next_kind(const player *p) {
    for (int k = p->kind + 1; k < p->r->episode.game->events; k++) {
        if ((p->kinds >> k) & 1) {
            return k;
        }
    }
    return ALL_KINDS;
}

/* ---- drawing ---- */

/* Column of a frame in a bar of `width` columns. */
static int column_of(const player *p, int64_t frame, int width) {
    return p->r->decisions > 0 ? (int)(frame * (width - 1) / p->r->decisions) : 0;
}

/* A bar with the place of the frame and a star where there are events. */
static void add_bar(lu_text *text, const player *p, int width) {
    width = width < 1 ? 1 : width;
    char *bar = lu_alloc((size_t)width);
    int at = column_of(p, p->frame, width);
    memset(bar, '=', (size_t)at);
    memset(bar + at, '-', (size_t)(width - at));
    for (size_t i = 0; i < p->marks->count; i++) {
        if (wanted(p, &p->marks->list[i])) {
            bar[column_of(p, p->marks->list[i].frame, width)] = '*';
        }
    }
    bar[at] = '|';
    lu_text_add_char(text, '[');
    lu_text_add_n(text, bar, (size_t)width);
    lu_text_add_char(text, ']');
    free(bar);
}

/* The terms of the step that are not 0: those that count in the reward, or those that do not. */
static const char *add_terms(lu_text *text, const player *p, bool count, const char *between) {
    const lu_game *game = p->r->episode.game;
    for (int t = 0; t < game->terms; t++) {
        double value = p->env->terms[t], weight = p->r->episode.rules->weight[t];
        if ((value < 0 || value > 0) && (weight < 0 || weight > 0) == count) {
            lu_text_addf(text, "%s%s %+.4g", between, game->term[t].name, value);
            lu_text_add(text, weight < 1 || weight > 1 ? cell(" x %.4g", weight) : "");
            between = ", ";
        }
    }
    return between;
}

/* Events and reward terms of the step; a weight other than 1 stands behind its term. */
static void add_details(lu_text *text, const player *p) {
    const lu_game *game = p->env->game;
    uint64_t bits = lu_frame_events(p->env);
    const char *before = cell("%s* ", paint(CYAN));
    for (int e = 0; e < game->events; e++) {
        if ((bits >> e) & 1) {
            lu_text_addf(text, "%s%s", before, game->event[e].name);
            before = ", ";
        }
    }
    if (bits) {
        lu_text_addf(text, "%s  ", paint(PLAIN));
    }
    lu_text_add(text, paint(DIM));
    add_terms(text, p, false, add_terms(text, p, true, "terms: "));
    lu_text_addf(text, "%s\n", paint(PLAIN));
}

static int add_help(lu_text *text, int most) {
    int lines = 0;
    for (size_t i = 0; i < sizeof keys / sizeof *keys && lines < most; i++, lines++) {
        lu_text_addf(text, "  %s%-12s%s %s\n", paint(BOLD), keys[i][0], paint(PLAIN), keys[i][1]);
    }
    return lines;
}

/* The last line: the bar, or the number that is being typed. */
static void add_foot(lu_text *text, const player *p, int columns) {
    if (p->asking) {
        lu_text_addf(text, "go to frame (0 to %lld): %s", (long long)p->r->decisions, p->typed);
        return;
    }
    const char *kind =
        p->kind == ALL_KINDS ? "" : cell(" %s", p->r->episode.game->event[p->kind].name);
    const char *place =
        cell(" %lld/%lld %s %.3g/s%s  ? help", (long long)p->frame, (long long)p->r->decisions,
             p->paused ? "paused" : "playing", p->fps, kind);
    add_bar(text, p, columns - 2 - (int)strlen(place));
    lu_text_add(text, place);
}

static void draw(const player *p) {
    int columns, lines;
    lu_text text, step, low, foot;
    lu_text *all[] = {&text, &step, &low, &foot};
    terminal_size(&columns, &lines);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        lu_text_init(all[i]);
    }
    board_step(&step, p->env, 0);
    int last = board_message(&low, "> ", step.text, columns, lines) + 2;
    for (int seat = 0; seat < p->env->game->seats; seat++) {
        lu_thought thought;
        lu_replay_thought(p->r, p->frame - 1, seat, &thought);
        last += board_thought(&low, p->env->game, &thought, columns);
    }
    add_details(&low, p);
    add_foot(&foot, p, columns);
    board_head(&text, p->env, p->r->episode.option_settings, 0, columns);
    int most = lines - 1 - last;
    int used = 1 + (p->help ? add_help(&text, most) : board_show(&text, p->env, 0, columns, most));
    lu_text_fill(&text, '\n', lines - used - last);
    lu_text_add(&text, low.text);
    lu_text_add(&text, foot.text);
    terminal_draw(text.text, p->asking ? (int)foot.length : -1, lines - 1);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        lu_text_free(all[i]);
    }
}

/* ---- keys ---- */

static void move(player *p, int64_t frame) {
    frame = frame < 0 ? 0 : frame > p->r->decisions ? p->r->decisions : frame;
    p->frame = frame;
    lu_replay_seek(p->r, p->env, frame);
}

static void stop_at(player *p, int64_t frame) {
    p->paused = true;
    move(p, frame);
}

/* Typing the number of a frame. */
static void type_key(player *p, int pressed) {
    size_t length = strlen(p->typed);
    if (pressed >= '0' && pressed <= '9' && length < DIGITS_MOST) {
        p->typed[length] = (char)pressed;
        p->typed[length + 1] = 0;
    } else if (pressed == KEY_BACKSPACE && length > 0) {
        p->typed[length - 1] = 0;
    } else if (pressed == KEY_ENTER || pressed == KEY_ESCAPE) {
        p->asking = false;
        if (pressed == KEY_ENTER && length > 0) {
            stop_at(p, strtoll(p->typed, NULL, 10));
        }
    }
}

static bool move_key(player *p, int pressed) {
    switch (pressed) {
    case KEY_LEFT:
        stop_at(p, p->frame - 1);
        return true;
    case KEY_RIGHT:
        stop_at(p, p->frame + 1);
        return true;
    case KEY_PAGE_UP:
        stop_at(p, p->frame - 10);
        return true;
    case KEY_PAGE_DOWN:
        stop_at(p, p->frame + 10);
        return true;
    case KEY_HOME:
        move(p, 0);
        return true;
    case KEY_END:
        stop_at(p, p->r->decisions);
        return true;
    case 'n':
    case ']':
        stop_at(p, event_from(p, p->frame, true));
        return true;
    case 'p':
    case '[':
        stop_at(p, event_from(p, p->frame, false));
        return true;
    default:
        return false;
    }
}

static void plain_key(player *p, int pressed) {
    switch (pressed) {
    case 'q':
    case KEY_ESCAPE:
    case KEY_CONTROL_D:
        p->leave = true;
        break;
    case ' ':
        if (p->paused && p->frame == p->r->decisions) {
            move(p, 0);
        }
        p->paused = !p->paused;
        break;
    case 'e':
        p->kind = next_kind(p);
        break;
    case 'g':
        p->asking = p->paused = true;
        p->typed[0] = 0;
        break;
    case '>':
        p->fps = p->fps * 1.5 > 1000 ? 1000 : p->fps * 1.5;
        break;
    case '<':
        p->fps = p->fps / 1.5 < 0.1 ? 0.1 : p->fps / 1.5;
        break;
    case '?':
        p->help = !p->help;
        break;
    default:
        break;
    }
}

static void key(player *p, int pressed) {
    if (pressed == KEY_CONTROL_C || pressed == KEY_CLOSED) {
        p->leave = p->interrupted = true;
    } else if (p->asking) {
        type_key(p, pressed);
    } else if (!move_key(p, pressed)) {
        plain_key(p, pressed);
    }
}

static void loop(player *p) {
    double due = lu_clock_seconds();
    while (!p->leave) {
        p->paused = p->paused || p->frame == p->r->decisions;
        draw(p);
        double wait = due + 1.0 / p->fps - lu_clock_seconds();
        int pressed = terminal_key(p->paused ? -1.0 : wait < 0 ? 0.0 : wait);
        if (pressed != KEY_NONE) {
            key(p, pressed);
            due = p->paused ? lu_clock_seconds() : due;
        }
        if (!p->paused && lu_clock_seconds() >= due + 1.0 / p->fps) {
            due = lu_clock_seconds();
            move(p, p->frame + 1);
        }
    }
}

lu_status replay_play(lu_replay *replay, lu_env *env, const lu_replay_marks *marks, int64_t from,
                      double fps, lu_error *error) {
    player p = {.r = replay, .env = env, .marks = marks, .fps = fps, .kind = ALL_KINDS};
    for (size_t i = 0; i < marks->count; i++) {
        p.kinds |= marks->list[i].bits;
    }
    move(&p, from);
    loop(&p);
    return p.interrupted ? lu_fail(error, LU_INTERRUPTED, "interrupted") : LU_OK;
}
