/* Screens of people: see screen.h. */
#include "screen.h"

#include "call_episode.h"
#include "option_input.h"
#include "output.h"

#include <limits.h>
#include <string.h>

/* One line: `left` and `right` at the edges, in reverse where colour is on. */
static void board_title(lu_text *text, const char *left, const char *right, int columns) {
    int gap = columns - 2 - (int)strlen(left) - (int)strlen(right);
    lu_text_addf(text, "%s%s %s", paint(BOLD), paint(REVERSE), left);
    lu_text_fill(text, ' ', gap > 1 ? gap : 1);
    lu_text_addf(text, "%s %s\n", right, paint(PLAIN));
}

void board_head(lu_text *text, const lu_env *env, const lu_settings *options, int seat,
                int columns) {
    bool named = options && lu_settings_has(options, "seed") && lu_settings_is_set(options, "seed");
    const char *seed =
        named ? lu_settings_text_of(options, "seed") : cell("%llu", (unsigned long long)env->seed);
    const char *right = cell("seed %s   decision %lld   return %+.3f", seed,
                             (long long)env->decisions, env->returns[seat]);
    size_t left = strlen(env->game->title) + 4; /* and the spaces around */
    if (strlen(right) + left > (size_t)columns) {
        right = cell("seed %s   decision %lld", seed, (long long)env->decisions);
    }
    right = strlen(right) + left > (size_t)columns ? cell("seed %s", seed) : right;
    board_title(text, env->game->title, right, columns);
}

/* Where a line of words that is too wide breaks: at the last gap between its groups, else at the
 * last space; 0: it has none, or it is a picture. */
static size_t break_of(const char *line, size_t length, int columns) {
    size_t first = strspn(line, " "), group = 0, space = 0;
    first += strcspn(line + first, " \n");
    for (size_t at = first; at < length && at <= (size_t)columns; at++) {
        if (line[at] == ' ' && line[at - 1] != ' ') {
            space = at;
            group = line[at + 1] == ' ' ? at : group;
        }
    }
    return group ? group : space;
}

/* Adds a line that goes on in the next ones, indented; returns the lines. */
static int add_wrapped(lu_text *text, const char *line, size_t length, int columns) {
    int lines = 1;
    for (int width = columns; length > (size_t)width; width = columns - 2, lines++) {
        size_t end = break_of(line, length, width);
        if (end == 0) {
            break;
        }
        lu_text_add_n(text, line, end);
        lu_text_add(text, "\n  ");
        end += strspn(line + end, " ");
        line += end;
        length -= end;
    }
    lu_text_add_n(text, line, length);
    lu_text_add_char(text, '\n');
    return lines;
}

int board_show(lu_text *text, const lu_env *env, int seat, int columns, int most) {
    enum { LINES = 64 };
    const char *line[LINES];
    size_t length[LINES];
    bool wraps[LINES];
    lu_text board = LU_TEXT_INIT, wrapped = LU_TEXT_INIT;
    int count = 0, lines = 0;
    env->game->show(env->rules, env->state, seat, &board);
    for (const char *at = board.text; *at && count < LINES; count++) {
        line[count] = at;
        length[count] = strcspn(at, "\n");
        at += length[count] + (at[length[count]] == '\n');
    }
    /* from below, where what one acts on stands; a line stays for what can be chosen */
    for (int i = count - 1, room = most - 1 - count; i >= 0; i--) {
        lu_text_clear(&wrapped);
        int more = add_wrapped(&wrapped, line[i], length[i], columns) - 1;
        wraps[i] = more > 0 && more <= room;
        room -= wraps[i] ? more : 0;
    }
    for (int i = 0; i < count && lines < most; i++) {
        lines += add_wrapped(text, line[i], length[i], wraps[i] ? columns : INT_MAX);
    }
    lu_text_free(&wrapped);
    lu_text_free(&board);
    return lines;
}

void board_step(lu_text *text, const lu_env *env, int seat) {
    if (env->decisions == 0) {
        lu_text_add(text, "a new episode");
        return;
    }
    const lu_game *game = env->game;
    if (game->seats == 1) { /* with several seats the story says who did what */
        lu_text_add(text, paint(BOLD));
        choose_action(game, env->actions, game->heads, text);
        lu_text_addf(text, "%s: ", paint(PLAIN));
    }
    lu_frame_story(env, text);
    if (env->reward[seat] < 0 || env->reward[seat] > 0) {
        lu_text_addf(text, "  %s%+.3f%s", paint(env->reward[seat] < 0 ? RED : GREEN),
                     env->reward[seat], paint(PLAIN));
    }
}

int board_thought(lu_text *text, const lu_game *game, const lu_thought *thought, int columns) {
    lu_text line = LU_TEXT_INIT;
    if (!thought->known) {
        return 0;
    }
    lu_text_addf(&line, "thinks: value %.3g, entropy %.3g", (double)thought->value,
                 (double)thought->entropy);
    if (thought->foresees) {
        lu_text_addf(&line, ", wins %.0f%%", 100.0 * (double)thought->win);
    }
    int told = -1; /* head */
    for (int i = 0; i < thought->top_count; i++) {
        int head = lu_game_option_head(game, thought->top_action[i]);
        if (game->heads > 1 && head == told) {
            continue;
        }
        told = head;
        const char *name = lu_option_name(game, thought->top_action[i]);
        const char *part = cell("%s %s %.0f%%", i ? "," : ";", name ? name : "?",
                                100.0 * (double)thought->top_probability[i]);
        if (line.length + strlen(part) > (size_t)columns) {
            break;
        }
        lu_text_add(&line, part);
    }
    lu_text_addf(text, "%s%s%s\n", paint(DIM), line.text, paint(PLAIN));
    lu_text_free(&line);
    return 1;
}

int board_message(lu_text *text, const char *mark, const char *message, int columns, int screen) {
    int most = screen / 6 > 2 ? screen / 6 : 2;
    lu_text lines = LU_TEXT_INIT;
    int count = 0;
    lu_text_addf(&lines, "%s%s%s", paint(YELLOW), mark, paint(PLAIN));
    text_wrap(&lines, message, (int)strlen(mark), 2, columns);
    for (const char *at = lines.text; *at && count < most; count++) {
        size_t length = strcspn(at, "\n") + 1;
        lu_text_add_n(text, at, length);
        at += length;
    }
    lu_text_free(&lines);
    return count;
}

void board_summary(lu_text *text, const lu_env *env, int seat) {
    const lu_game *game = env->game;
    const char *end = env->step.terminated  ? "The episode ended"
                      : env->step.truncated ? "The episode reached its limit"
                                            : "You left the episode";
    lu_text_addf(text, "%s%s%s after %s", paint(BOLD), end, paint(PLAIN),
                 counted(env->decisions, "decision"));
    if (env->ticks != env->decisions) {
        lu_text_addf(text, " (%lld ticks)", (long long)env->ticks);
    }
    lu_text_addf(text, ", return %.4g", env->returns[seat]);
    if (env->illegal > 0) {
        lu_text_addf(text, "; %lld illegal", (long long)env->illegal);
    }
    lu_text_add(text, ".\n");
    int at = 0;
    for (int i = 0; i < game->infos; i++) {
        const lu_info *info = &game->info[i];
        bool headline = game->headline && strcmp(info->name, game->headline) == 0;
        if (!info->mean && !headline && info->kind != LU_INFO_NAME) {
            continue;
        }
        double value = env->info[seat * game->infos + i];
        /* the first end is that of an episode which still runs: a limit has cut it off */
        bool cut = env->step.truncated && value <= 0.0 && info->kind == LU_INFO_NAME &&
                   strcmp(info->name, "end") == 0;
        const char *item = cell("%s %s", info->name, cut ? "time limit" : info_text(info, value));
        int length = (int)strlen(item);
        if (at > 0 && at + 3 + length > 78) {
            lu_text_add_char(text, '\n');
            at = 0;
        }
        lu_text_addf(text, at ? "   %s%s%s" : "  %s%s%s", headline ? paint(BOLD) : "", item,
                     headline ? paint(PLAIN) : "");
        at += length + (at ? 3 : 2);
    }
    lu_text_add(text, at ? "\n" : "");
}
