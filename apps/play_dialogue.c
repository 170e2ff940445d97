/* The course of a decision in `ludus play`: who is asked, head by head, what is advised, and what a
 * typed word does. */
#include "output.h"
#include "play.h"
#include "screen.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the course of a decision ---- */

static const uint8_t *mask_of(const play *p) {
    return p->s.env->mask + (size_t)p->seat * (size_t)lu_game_mask_length(p->s.game);
}

static bool take_forced(play *p, const char **line, lu_text *why);

/* Goes on to the next head that leaves a choice; false when the action is complete, or, with a
 * reason, when the rest of `line` (NULL: nothing is typed) names an option that is not the only
 * one. */
static bool next_head(play *p, const char **line, lu_text *why) {
    const lu_game *game = p->s.game;
    for (; p->head < game->heads; p->head++) {
        int count = lu_head_legal(game, p->s.rules, p->s.env->state, p->seat, p->head, mask_of(p),
                                  p->chosen, p->legal);
        if (count > 1 || (count == 1 && game->heads == 1)) {
            return true;
        }
        p->chosen[p->head] = 0;
        for (int o = 0; count == 1 && o < game->head[p->head].options; o++) {
            if (p->legal[o]) {
                p->chosen[p->head] = o;
            }
        }
        if (count == 1 && line && !take_forced(p, line, why)) {
            return false;
        }
    }
    return false;
}

static void step(play *p) {
    lu_env *env = p->s.env;
    lu_thought thoughts[LU_MAX_SEATS];
    lu_crew_ask ask = {.env = env, .actions = p->actions, .thoughts = p->thinks ? thoughts : NULL};
    lu_error error = {0};
    if (lu_crew_act(p->crew, &ask, 1, &error) != LU_OK) {
        p->failure = p->failure.status == LU_OK ? error : p->failure;
        p->done = true;
    }
    lu_env_step(env, p->actions);
    memset(p->actions, 0, sizeof p->actions);
    if (p->recorder) {
        lu_recorder_step(p->recorder, env, ask.thoughts);
    }
}

/* What bot or agent would do now; asked at every decision, since both may remember. */
static void take_advice(play *p) {
    memset(p->advice, 0, sizeof p->advice);
    if (p->agent) {
        lu_agent_ask own = {
            .env = p->s.env, .seat = p->seat, .actions = p->advice, .thought = &p->thought};
        p->unable = (lu_error){0};
        lu_agent_act(p->agent, &own, 1, &p->unable);
    } else if (p->has_hint) {
        lu_seated_bot_act(&p->hint[p->seat], p->s.env, p->seat, p->advice);
    }
}

/* Persons who are to choose now. */
static unsigned asked_now(const play *p) {
    return p->persons & lu_env_choosers(p->s.env);
}

/* The first of these seats from our own on, which it is when there are none. */
static int first_seat(const play *p, unsigned set) {
    int seats = p->s.game->seats, seat = p->seats.own;
    for (int i = 0; i < seats && !((set >> seat) & 1); i++) {
        seat = (seat + 1) % seats;
    }
    return seat;
}

/* The action of the seat that is asked is complete. */
static void keep_chosen(play *p) {
    int heads = p->s.game->heads;
    memcpy(p->actions + p->seat * heads, p->chosen, (size_t)heads * sizeof *p->chosen);
    p->left &= ~(1u << p->seat);
}

static void begin_question(play *p) {
    p->seat = first_seat(p, p->left);
    p->head = 0;
    p->advised = false;
    p->list = false;
    p->page = 0;
    p->search[0] = 0;
    memset(p->chosen, 0, sizeof p->chosen);
}

/* Goes on to the next person with a choice; false when the actions of all persons are complete. */
static bool next_person(play *p) {
    for (; p->left; keep_chosen(p)) {
        begin_question(p);
        take_advice(p);
        if (next_head(p, NULL, NULL)) {
            return true;
        }
    }
    return false;
}

void play_ask(play *p) {
    while (!p->s.env->over && !p->done) {
        p->left = asked_now(p);
        if (next_person(p)) {
            return;
        }
        step(p); /* of others, or where nothing is left to choose */
        lu_text_add(&p->message, "; ");
        board_step(&p->message, p->s.env, p->seat);
    }
    p->left = 0;
    begin_question(p);
}

/* The action is complete: the next person chooses, or the step is made. */
static void play_chosen(play *p) {
    lu_text_clear(&p->message);
    keep_chosen(p);
    if (next_person(p)) {
        lu_text_addf(&p->message, "kept; now seat %d chooses", p->seat);
        return;
    }
    step(p);
    p->seat = first_seat(p, asked_now(p));
    board_step(&p->message, p->s.env, p->seat);
    play_ask(p);
}

/* ---- a line that chooses ---- */

question play_question(const play *p) {
    return (question){p->s.env, p->seat, p->head, p->legal, p->chosen};
}

/* How far a question has been answered. */
typedef struct answered {
    int head;
    int32_t chosen[LU_MAX_HEADS];
} answered;

static answered answered_so_far(const play *p) {
    answered now = {.head = p->head};
    memcpy(now.chosen, p->chosen, sizeof now.chosen);
    return now;
}

static void go_back(play *p, const answered *to) {
    p->head = to->head;
    memcpy(p->chosen, to->chosen, sizeof p->chosen);
    next_head(p, NULL, NULL);
}

/* "4 5, 6" as bits; false when something else stands there. *twice: one that is there again, or 0.
 */
static bool read_numbers(const char *at, uint64_t *set, int *twice) {
    *twice = 0;
    for (*set = 0; *at; at += strspn(at, " ,")) {
        char *end = NULL;
        long number = isdigit((unsigned char)*at) ? strtol(at, &end, 10) : 0;
        if (number < 1 || number > 63 || !strchr(" ,", *end)) {
            return false;
        }
        *twice = *set >> number & 1 ? (int)number : *twice;
        *set |= (uint64_t)1 << number;
        at = end;
    }
    return *set != 0;
}

/* Answers heads of yes and no that are named by numbers ("card 4"): yes for those of the set. */
static bool take_numbers(play *p, uint64_t set, lu_text *why) {
    const lu_game *game = p->s.game;
    int number, first = p->head;
    do {
        number = choose_flag(&game->head[p->head]);
        int want = number > 0 && (set >> number & 1);
        if (number > 0 && !p->legal[want]) {
            lu_text_addf(why, "'%s' must be %s", game->head[p->head].name,
                         game->head[p->head].option[!want]);
            return false;
        }
        p->chosen[p->head] = number > 0 ? want : p->chosen[p->head];
        p->head += number > 0;
    } while (number > 0 && next_head(p, NULL, NULL));
    for (int h = 0; h < p->head; h++) {
        number = choose_flag(&game->head[h]);
        set &= number > 0 && p->chosen[h] == 1 ? ~((uint64_t)1 << number) : ~(uint64_t)0;
    }
    for (number = 1; set && !(set >> number & 1); number++) {
    }
    for (; set && first < game->heads && choose_flag(&game->head[first]) != number; first++) {
    }
    const char *reason = set && first < game->heads && game->why_not
                             ? game->why_not(p->s.rules, p->s.env->state, p->seat, first, 1)
                             : NULL;
    if (set) {
        lu_text_addf(why, "%d cannot be chosen%s%s", number, reason ? ": " : "",
                     reason ? reason : "");
    }
    return set == 0;
}

/* The option that the longest beginning of a line means; *used: how long that is. Where there is
 * none, the longest that names one says why that is not legal. */
static int take_words(const play *p, const char *line, size_t *used, lu_text *why) {
    question q = play_question(p);
    char part[256];
    size_t length = strnlen(line, sizeof part - 1);
    bool refused = false;
    for (;;) {
        lu_text shorter = LU_TEXT_INIT;
        snprintf(part, sizeof part, "%.*s", (int)length, line);
        int option = choose_option(&q, part, &shorter);
        if (!refused) {
            lu_text_clear(why);
            lu_text_add(why, shorter.text);
        }
        refused |= option == CHOSE_ILLEGAL;
        lu_text_free(&shorter);
        *used = length;
        while (length > 0 && line[length - 1] != ' ') {
            length--;
        }
        while (length > 0 && strchr(" ,", line[length - 1])) {
            length--;
        }
        if (option >= 0 || length == 0 || p->s.game->heads == 1) {
            return option;
        }
    }
}

/* A head with a single legal option may be named all the same: "buy 1" where one card is left. A
 * number that stands in its place and means another option is refused, lest it be taken for what is
 * asked next. */
static bool take_forced(play *p, const char **line, lu_text *why) {
    lu_text other = LU_TEXT_INIT;
    size_t used = 0;
    bool asked = **line && choose_flag(&p->s.game->head[p->head]) == 0;
    int option = asked ? take_words(p, *line, &used, &other) : CHOSE_NONE;
    *line += option >= 0 ? used + strspn(*line + used, " ,") : 0;
    bool another = asked && option < 0 && isdigit((unsigned char)**line);
    if (another) {
        lu_text_clear(why);
        lu_text_add(why, other.text);
    }
    lu_text_free(&other);
    return !another;
}

/* Answers one head after the other by a line: "play 4 5 6", "buy 2", "choose". False with the
 * reason when some of it means nothing, and nothing is answered then. */
static bool take_line(play *p, const char *line, lu_text *why) {
    answered before = answered_so_far(p);
    bool open = true, taken = true;
    line += strspn(line, " ");
    while (open && taken && *line) {
        uint64_t set;
        int twice;
        if (choose_flag(&p->s.game->head[p->head]) > 0 && read_numbers(line, &set, &twice)) {
            if (twice) {
                lu_text_addf(why, "%d is named twice", twice);
            }
            taken = !twice && take_numbers(p, set, why);
            line += strlen(line);
            break;
        }
        size_t used = 0;
        int option = take_words(p, line, &used, why);
        taken = option >= 0;
        if (taken) {
            line += used + strspn(line + used, " ,");
            p->chosen[p->head++] = option;
            lu_text_clear(why);
            open = next_head(p, &line, why);
            taken = open || why->length == 0;
        }
    }
    if (taken && *line) {
        lu_text_clear(why);
        lu_text_addf(why, "'%.40s' is not needed: the action is complete without it", line);
        taken = false;
    }
    if (!taken) {
        go_back(p, &before);
    }
    return taken;
}

/* The whole action that a line means, without choosing it; false: it means none. */
static bool would_choose(play *p, const char *line, int32_t *action, lu_text *why) {
    answered before = answered_so_far(p);
    bool whole = take_line(p, line, why);
    if (whole && p->head < p->s.game->heads) {
        lu_text_addf(why, "%s is asked too", p->s.game->head[p->head].name);
        whole = false;
    }
    memcpy(action, p->chosen, (size_t)p->s.game->heads * sizeof *action);
    go_back(p, &before);
    return whole;
}

bool play_preview(play *p, const char *typed, lu_text *text) {
    const lu_game *game = p->s.game;
    int32_t action[LU_MAX_HEADS];
    size_t before = text->length;
    lu_text why = LU_TEXT_INIT;
    if (game->note && !p->s.env->over && *typed && would_choose(p, typed, action, &why)) {
        game->note(p->s.rules, p->s.env->state, p->seat, game->heads, action, text);
    }
    lu_text_free(&why);
    return text->length > before;
}

/* ---- commands ---- */

/* The likeliest options of the head that is asked, and what the agent expects. */
static void add_thought(play *p) {
    const lu_game *game = p->s.game;
    int first = lu_game_head_offset(game, p->head), told = 0;
    lu_text_add(&p->message, " (");
    for (int i = 0; i < p->thought.top_count && told < 3; i++) {
        int option = p->thought.top_action[i] - first;
        if (option >= 0 && option < game->head[p->head].options) {
            lu_text_add(&p->message, told++ ? ", " : "");
            choose_name(game->head[p->head].option[option], &p->message);
            lu_text_addf(&p->message, " %.0f%%", 100.0 * (double)p->thought.top_probability[i]);
        }
    }
    lu_text_addf(&p->message, "; value %.4g; press Enter to play it)", (double)p->thought.value);
}

static void show(play *p, const int32_t *action) {
    memcpy(p->shown, action, sizeof p->shown);
    p->advised = true;
}

static void show_hint(play *p) {
    lu_text_clear(&p->message);
    if (p->agent && p->unable.status != LU_OK) {
        lu_text_add(&p->message, p->unable.text);
        return;
    }
    if (p->agent) {
        show(p, p->advice);
        lu_text_addf(&p->message, "the agent advises: %s", paint(GREEN));
        choose_action(p->s.game, p->advice, p->s.game->heads, &p->message);
        lu_text_add(&p->message, paint(PLAIN));
        add_thought(p);
        return;
    }
    if (!p->has_hint) {
        lu_text_addf(&p->message, "%s has no bot to ask", p->s.game->name);
        return;
    }
    show(p, p->advice);
    lu_text_addf(&p->message, "%s advises%s: %s", p->hint[p->seats.own].bot->name,
                 p->hint[p->seats.own].bot->sees_hidden ? " (it is given the full state)" : "",
                 paint(GREEN));
    choose_action(p->s.game, p->advice, p->s.game->heads, &p->message);
    lu_text_addf(&p->message, "%s (press Enter to play it)", paint(PLAIN));
}

static void show_help(play *p) {
    lu_text_clear(&p->message);
    lu_text_add(&p->message,
                "type a key, a number or how a name begins; several at once: play 4 5 6; "
                "add ? for a preview; g hint, b back, Tab list, /word search, n p pages, quit");
}

/* What a line would do: it is shown, and Enter does it. */
static void show_preview(play *p, const char *typed) {
    lu_text line = LU_TEXT_INIT, why = LU_TEXT_INIT;
    int32_t action[LU_MAX_HEADS] = {0};
    lu_text_add_n(&line, typed, strlen(typed) - 1);
    lu_text_clear(&p->message);
    if (would_choose(p, line.text, action, &why)) {
        show(p, action);
        choose_action(p->s.game, action, p->s.game->heads, &p->message);
        lu_text_add(&p->message, ": ");
        bool noted = play_preview(p, line.text, &p->message);
        lu_text_add(&p->message, noted ? " (press Enter to play it)" : "press Enter to play it");
    } else {
        lu_text_add(&p->message, why.text);
    }
    lu_text_free(&line);
    lu_text_free(&why);
}

/* The whole action that was shown, whatever was answered before. */
static void play_shown(play *p) {
    const answered start = {0};
    for (go_back(p, &start); p->head < p->s.game->heads; next_head(p, NULL, NULL)) {
        int option = p->shown[p->head];
        if (option < 0 || option >= p->s.game->head[p->head].options || !p->legal[option]) {
            lu_text_clear(&p->message);
            lu_text_addf(&p->message, "the advice is no longer legal from '%s' on: choose yourself",
                         p->s.game->head[p->head].name);
            return;
        }
        p->chosen[p->head++] = option;
    }
    play_chosen(p);
}

static void start_again(play *p) {
    const answered start = {0};
    go_back(p, &start);
    p->list = false;
    p->search[0] = 0;
    lu_text_clear(&p->message);
    lu_text_add(&p->message, "back at the first question");
}

static void turn_page(play *p, int by) {
    p->page = p->page + by > 0 ? p->page + by : 0;
}

typedef enum command {
    CHOOSE,
    QUIT,
    HINT,
    HELP,
    LIST,
    BACK,
    NEXT_PAGE,
    PREVIOUS_PAGE,
} command;

/* What a word asks for. A letter that is a key of the game is the game's, as on the site; where its
 * option is not legal it is ours again, but for q, which would leave an episode by mistake. */
static command command_of(const play *p, const char *typed) {
    static const struct {
        const char *word;
        command is;
    } words[] = {
        {"quit", QUIT}, {"hint", HINT},   {"help", HELP},       {"list", LIST}, {"back", BACK},
        {"q", QUIT},    {"h", HINT},      {"?", HELP},          {"a", LIST},    {"b", BACK},
        {"g", HINT},    {"n", NEXT_PAGE}, {"p", PREVIOUS_PAGE},
    };
    question q = play_question(p);
    int key = p->s.env->over ? -1 : choose_key(&q, typed);
    for (int i = 0; i < LU_COUNT(words); i++) {
        bool paged = words[i].is == NEXT_PAGE || words[i].is == PREVIOUS_PAGE;
        if (strcmp(words[i].word, typed) == 0 && (!paged || p->list) &&
            (key < 0 || (!p->legal[key] && words[i].is != QUIT))) {
            return words[i].is;
        }
    }
    return CHOOSE;
}

/* What is no word of ours: options, "/word", a preview, or Enter alone. */
static void choose(play *p, const char *typed) {
    size_t length = strlen(typed);
    bool shown = p->advised;
    p->advised = false;
    if (*typed == '/') {
        snprintf(p->search, sizeof p->search, "%s", typed[1] ? typed : "");
        p->page = 0;
        p->list = true;
    } else if (length == 0 && shown) {
        play_shown(p);
    } else if (length > 1 && typed[length - 1] == '?') {
        show_preview(p, typed);
    } else if (length > 0) {
        lu_text why = LU_TEXT_INIT;
        bool taken = take_line(p, typed, &why);
        lu_text_clear(&p->message);
        lu_text_add(&p->message, taken ? "" : why.text);
        lu_text_free(&why);
        if (taken && p->head == p->s.game->heads) {
            play_chosen(p);
        } else if (taken && choose_flag(&p->s.game->head[p->head]) > 0) {
            lu_text_add(&p->message, "type the numbers, such as 4 5 6, or choose one by one");
        } else if (taken) {
            lu_text_add(&p->message, "so far: ");
            choose_action(p->s.game, p->chosen, p->head, &p->message);
        }
    }
}

void play_command(play *p, const char *typed) {
    bool over = p->s.env->over;
    command is = command_of(p, typed);
    if (is == QUIT || (over && !*typed)) {
        p->done = true;
        return;
    }
    if (over) {
        p->again = strcmp(typed, "n") == 0;
        p->done = p->again;
        lu_text_clear(&p->message);
        lu_text_add(&p->message, "the episode is over: n plays the next seed, q quits");
        return;
    }
    switch (is) {
    case HINT:
        show_hint(p);
        break;
    case HELP:
        show_help(p);
        break;
    case LIST:
        p->list = !p->list;
        break;
    case BACK:
        start_again(p);
        break;
    case NEXT_PAGE:
    case PREVIOUS_PAGE:
        turn_page(p, is == NEXT_PAGE ? 1 : -1);
        break;
    default:
        choose(p, typed);
    }
}
