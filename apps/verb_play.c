/* ludus play: a person in one seat, or persons in all of them, who choose one after the other. In a
 * terminal it draws a screen that fits 80 x 24 and reads keys; otherwise it prints boards and reads
 * commands line by line, so that it can be scripted; with
 * --json a program plays in the same way. */
#include "call_episode.h"
#include "option_input.h"
#include "output.h"
#include "screen.h"
#include "terminal.h"

#include "ludus/clock.h"
#include "ludus/run.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static const verb_example examples[] = {
    {"ludus play prospector", "a new episode in the terminal"},
    {"ludus play prospector --seed 7 --record flight.ludus", "a known episode, kept as a replay"},
    {"printf 'right\\nq\\n' | ludus play corridor --seed 3", "commands from a pipe"},
    {"printf 'right\\nh\\n' | ludus play corridor --seed 3 --json",
     "the same for a program: a JSON line per question"},
    {NULL, NULL},
};

static const lu_setting options[] = {
    {"seed", LU_TEXT, "", 0, 40, NULL,
     "Seed of the episode, decimal or 0x hex; unset draws one and shows it.", false},
    {"bot", LU_TEXT, "", 0, 100, NULL, "Bot that gives hints; unset takes the strongest.", false},
    {"model", LU_TEXT, "", 0, 4096, NULL,
     "A trained agent gives hints in place of a bot: a model file, a run, or `latest`.", false},
    {"opponent", LU_TEXT, "", 0, 4096, NULL,
     "Player in the other seats of a game for several: a bot, a model, `random`, or `person` for "
     "people who choose here one after the other; given often, the seats behind yours one after "
     "the other. Unset takes the strongest bot.",
     true},
    {"seat", LU_INT, "0", 0, LU_MAX_SEATS - 1, NULL, "Your seat.", false},
    {"record", LU_TEXT, "", 0, 4096, NULL, "Writes a replay to this file.", false},
};

static const lu_table *const tables[] = {&lu_run_place_table, NULL};

static const char details[] =
    "Choose by number or by the beginnings of the words of a name (\"se r 3\" is\n"
    "\"select rock 3\"), then Enter. h asks the bot, and Enter alone then plays its\n"
    "advice; Tab (or a) lists all actions with names; ? helps; q quits.\n"
    "With --opponent person people share the keyboard: the seat that is asked stands in\n"
    "front of the question, and of those who choose at once nobody sees what the others took.\n"
    "With --json every question is one line of JSON: decision, seat, over, reward,\n"
    "return, message, head (asked now), chosen (of the heads before), legal (options\n"
    "with numbers and names), state (what the seat may see) and info; each line of\n"
    "input is answered by the next one. `ludus trace` gives observations instead.";

typedef struct play {
    const verb_call *call;
    lu_episode s;
    lu_player person; /* in our seat */
    call_seats seats;
    lu_crew *crew;
    lu_error failure; /* of an agent among them; LU_OK as a rule */
    lu_seated_bot
        hint[LU_MAX_SEATS]; /* follow the episode, so that memories are right when asked */
    bool has_hint;
    lu_model_file *file; /* of an agent that gives hints in place of a bot, or NULL */
    lu_agent *agent;
    lu_thought thought;
    lu_error unable;        /* why the agent has no advice for this decision */
    unsigned persons, left; /* a bit per seat: where persons sit, who of them has yet to choose */
    int32_t actions[LU_MAX_SEATS * LU_MAX_HEADS]; /* of those who have */
    int seat, head;                               /* asked now */
    int32_t chosen[LU_MAX_HEADS];
    int32_t advice[LU_MAX_HEADS];
    bool advised; /* the advice was shown */
    uint8_t legal[1024];
    lu_recorder *recorder;
    lu_text typed, message;
    bool list; /* the page of all actions is shown */
    bool json;
    bool done, interrupted, again;
} play;

/* ---- the course of a decision ---- */

static const uint8_t *mask_of(const play *p) {
    return p->s.env->mask + (size_t)p->seat * (size_t)lu_game_mask_length(p->s.game);
}

/* Goes on to the next head that leaves a choice; false when the action is complete. */
static bool next_head(play *p) {
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
    }
    return false;
}

static void step(play *p) {
    lu_env *env = p->s.env;
    lu_crew_ask ask = {.env = env, .actions = p->actions};
    lu_error error = {0};
    if (lu_crew_act(p->crew, &ask, 1, &error) != LU_OK) {
        p->failure = p->failure.status == LU_OK ? error : p->failure;
        p->done = true;
    }
    lu_env_step(env, p->actions);
    memset(p->actions, 0, sizeof p->actions);
    if (p->recorder) {
        lu_recorder_step(p->recorder, env, NULL);
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
    memset(p->chosen, 0, sizeof p->chosen);
}

/* Goes on to the next person with a choice; false when the actions of all persons are complete. */
static bool next_person(play *p) {
    for (; p->left; keep_chosen(p)) {
        begin_question(p);
        take_advice(p);
        if (next_head(p)) {
            return true;
        }
    }
    return false;
}

/* Starts the question for the next decision, letting others move until a person is asked. */
static void ask(play *p) {
    while (!p->s.env->over && !p->done) {
        bool others = !(p->left = asked_now(p));
        if (next_person(p)) {
            return;
        }
        step(p);
        if (others) {
            lu_text_add(&p->message, "; ");
            board_step(&p->message, p->s.env, p->seat);
        }
    }
    p->left = 0;
    begin_question(p);
}

static void choose(play *p, int option) {
    p->chosen[p->head++] = option;
    if (next_head(p)) {
        return;
    }
    lu_text_clear(&p->message);
    keep_chosen(p);
    if (next_person(p)) {
        lu_text_addf(&p->message, "kept; now seat %d chooses", p->seat);
        return;
    }
    step(p);
    p->seat = first_seat(p, asked_now(p));
    board_step(&p->message, p->s.env, p->seat);
    ask(p);
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
            lu_text_addf(&p->message, "%s%s %.0f %%", told++ ? ", " : "",
                         game->head[p->head].option[option],
                         100.0 * (double)p->thought.top_probability[i]);
        }
    }
    lu_text_addf(&p->message, "; value %.4g; Enter plays it)", (double)p->thought.value);
}

static void show_hint(play *p) {
    lu_text_clear(&p->message);
    if (p->agent && p->unable.status != LU_OK) {
        lu_text_add(&p->message, p->unable.text);
        return;
    }
    if (p->agent) {
        p->advised = true;
        lu_text_addf(&p->message, "the agent advises: %s", paint(GREEN));
        lu_action_name(p->s.game, p->advice, &p->message);
        lu_text_add(&p->message, paint(PLAIN));
        add_thought(p);
        return;
    }
    if (!p->has_hint) {
        lu_text_addf(&p->message, "%s has no bot to ask", p->s.game->name);
        return;
    }
    p->advised = true;
    lu_text_addf(&p->message, "%s advises%s: %s", p->hint[p->seats.own].bot->name,
                 p->hint[p->seats.own].bot->sees_hidden ? " (it is given the state)" : "",
                 paint(GREEN));
    lu_action_name(p->s.game, p->advice, &p->message);
    lu_text_addf(&p->message, "%s (Enter plays it)", paint(PLAIN));
}

static void show_help(play *p) {
    lu_text_clear(&p->message);
    lu_text_add(&p->message,
                "a number or the beginning of a name, then Enter; h hint, Tab or a list, "
                "q quit");
}

static void command(play *p, const char *typed) {
    question q = {p->s.env, p->seat, p->head, p->legal};
    bool over = p->s.env->over;
    if (strcmp(typed, "q") == 0 || strcmp(typed, "quit") == 0 || (over && !*typed)) {
        p->done = true;
    } else if (over) {
        p->again = strcmp(typed, "n") == 0;
        p->done = p->again;
        lu_text_clear(&p->message);
        lu_text_add(&p->message, "the episode is over: n plays the next seed, q leaves");
    } else if (strcmp(typed, "h") == 0 || strcmp(typed, "hint") == 0) {
        show_hint(p);
    } else if (strcmp(typed, "?") == 0 || strcmp(typed, "help") == 0) {
        show_help(p);
    } else if (strcmp(typed, "a") == 0) {
        p->list = !p->list;
    } else if (!*typed && p->advised) {
        choose(p, p->advice[p->head]);
    } else if (*typed) {
        lu_text_clear(&p->message);
        int option = choose_option(&q, typed, &p->message);
        if (option >= 0) {
            choose(p, option);
        }
    }
}

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

/* Where there is no room for the keys and what is typed, the keys are left out. */
static const char *prompt_of(const play *p, int columns) {
    if (columns < 60) {
        return p->s.env->over ? "over: " : cell("%s%.20s: ", who(p), p->s.game->head[p->head].name);
    }
    if (p->s.env->over) {
        return "over (n next seed, q leave): ";
    }
    if (p->s.game->heads > 1) {
        return cell("%s%s (h hint, Tab list, ? help, q quit): ", who(p),
                    p->s.game->head[p->head].name);
    }
    return cell("%schoice (h hint, Tab list, ? help, q quit): ", who(p));
}

/* Title, board (or the page of all actions), legal actions, message, prompt. */
static void draw(play *p) {
    int columns, lines, used = 1;
    const lu_env *env = p->s.env;
    lu_text text = LU_TEXT_INIT, list = LU_TEXT_INIT, message = LU_TEXT_INIT;
    question q = {env, p->seat, p->head, p->legal};
    terminal_size(&columns, &lines);
    int last = board_message(&message, "> ", p->message.text, columns) + 1;
    board_head(&text, env, p->seat, columns);
    if (p->list) {
        choose_list_all(&q, columns, &list);
        used += add_lines(&text, list.text, lines - used - last);
    } else {
        used += board_show(&text, env, p->seat, lines - used - last - (env->over ? 0 : 1));
    }
    int room = lines - used - last;
    if (!p->list && !env->over && room > 0) {
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
        command(p, typed);
        free(typed);
        break;
    }
    case KEY_BACKSPACE:
        drop_letter(&p->typed);
        break;
    case KEY_ESCAPE:
        p->list = false;
        lu_text_clear(&p->typed);
        break;
    case KEY_CONTROL_U:
    case KEY_CONTROL_W:
        lu_text_clear(&p->typed);
        break;
    default:
        if (pressed >= ' ' && pressed < 127 && p->typed.length < 30) {
            lu_text_add_char(&p->typed, (char)pressed);
        }
        break;
    }
}

static void play_keys(play *p) {
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

static void play_lines(play *p) {
    while (!p->done) {
        lu_text text = LU_TEXT_INIT;
        question q = {p->s.env, p->seat, p->head, p->legal};
        if (p->message.length > 0) {
            lu_text_addf(&text, "> %s\n", p->message.text);
        }
        board_head(&text, p->s.env, p->seat, 80);
        board_show(&text, p->s.env, p->seat, 1000);
        if (!p->s.env->over) {
            lu_text_add_char(&text, '\n');
            choose_list_all(&q, 80, &text);
            lu_text_addf(&text, "%schoice (h hint, ? help, q quit): ", who(p));
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
        command(p, p->typed.text);
    }
}

/* ---- as JSON lines ---- */

/* The head that is asked, what was chosen before it and what is legal now; nulls when it is over.
 */
static void write_question(const play *p, lu_json *json) {
    const lu_head *head = &p->s.game->head[p->head];
    bool over = p->s.env->over;
    lu_json_key(json, "head");
    if (over) {
        lu_json_null(json);
    } else {
        lu_json_string(json, head->name);
    }
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
            lu_json_object_end(json);
        }
    }
    lu_json_array_end(json);
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

static void play_json(play *p) {
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
        command(p, p->typed.text);
    }
    lu_json_free(&json);
}

/* ---- the verb ---- */

/* A value as one word of a shell. */
static void add_word(lu_text *text, const char *value) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-+=.,:/@%";
    if (*value && !value[strspn(value, plain)]) {
        lu_text_add(text, value);
        return;
    }
    lu_text_add_char(text, '\'');
    for (; *value; value++) {
        if (*value == '\'') {
            lu_text_add(text, "'\\''");
        } else {
            lu_text_add_char(text, *value);
        }
    }
    lu_text_add_char(text, '\'');
}

static void add_flag(lu_text *text, const char *key, const char *value) {
    lu_text_addf(text, " --%s ", key);
    add_word(text, value);
}

/* What of `values` is not the default, as options of this verb. */
static void add_flags(const play *p, const char *prefix, const lu_settings *values, lu_text *text) {
    for (size_t i = 0; i < lu_settings_rows(values); i++) {
        const lu_setting *row = lu_settings_row(values, i, NULL);
        const char *value = lu_settings_text_of(values, row->key);
        if (lu_settings_origin(values, row->key) == LU_FROM_DEFAULT) {
            continue;
        }
        const char *longer = cell("%s%s", prefix, row->key);
        const char *key = lu_settings_has(p->call->settings, longer) ? longer : row->key;
        if (row->repeat) {
            for (size_t n = 0; n < lu_settings_count(values, row->key); n++) {
                add_flag(text, key, lu_settings_nth(values, row->key, n));
            }
        } else if (strcmp(value, row->initial) != 0) {
            add_flag(text, key, value);
        }
    }
}

/* The command that begins the same episode. */
static void add_again(const play *p, uint64_t seed, lu_text *text) {
    const lu_settings *call = p->call->settings;
    lu_text_addf(text, "Again: ludus play %s --seed %llu", p->s.game->id, (unsigned long long)seed);
    if (lu_settings_origin(call, "seat") != LU_FROM_DEFAULT) {
        add_flag(text, "seat", lu_settings_text_of(call, "seat"));
    }
    for (size_t i = 0; i < lu_settings_count(call, "opponent"); i++) {
        add_flag(text, "opponent", lu_settings_nth(call, "opponent", i));
    }
    add_flags(p, "game.", p->s.settings, text);
    add_flags(p, "option.", p->s.option_settings, text);
    lu_text_add_char(text, '\n');
}

/* How it went, in words. */
static void print_summary(const play *p, uint64_t seed) {
    lu_text text = LU_TEXT_INIT;
    board_summary(&text, p->s.env, p->seats.own);
    add_again(p, seed, &text);
    out_text_end(&text);
}

static lu_status play_episode(play *p, uint64_t seed, const char *record, lu_error *error) {
    lu_status status = LU_OK;
    lu_env_reset(p->s.env, seed, p->s.options);
    lu_crew_begin(p->crew, 0, seed, seed, 0);
    for (int seat = 0; seat < p->s.game->seats && p->has_hint; seat++) {
        lu_seated_bot_begin(&p->hint[seat], seed);
    }
    if (p->agent) {
        lu_agent_begin(p->agent, 0, seed);
    }
    p->recorder = *record ? lu_recorder_new(p->s.env, p->s.settings_json, p->s.options_json) : NULL;
    p->done = p->again = false;
    lu_text_clear(&p->typed);
    lu_text_clear(&p->message);
    lu_text_addf(&p->message, "welcome to %s; ? shows how to choose", p->s.game->title);
    ask(p);
    if (p->json) {
        play_json(p);
    } else if (terminal_open()) {
        play_keys(p);
        terminal_close();
        print_summary(p, seed);
    } else {
        play_lines(p);
        print_summary(p, seed);
    }
    if (p->recorder) {
        status = lu_recorder_write(p->recorder, p->s.env, record, error);
        lu_recorder_delete(p->recorder);
        p->recorder = NULL;
        if (status == LU_OK && p->json) {
            note("recorded: ludus replay %s", record);
        } else if (status == LU_OK) {
            out_format("Recorded: ludus replay %s\n", record);
        }
    }
    if (status == LU_OK && p->failure.status != LU_OK) {
        *error = p->failure;
        status = error->status;
    }
    if (status == LU_OK && p->interrupted) {
        status = lu_fail(error, LU_INTERRUPTED, "interrupted");
    }
    return status;
}

static void sit_down(play *p) {
    const lu_player *player[LU_MAX_SEATS];
    int seats = p->s.game->seats, own = p->seats.own;
    p->person = (lu_player){.kind = LU_PLAYER_PERSON, .name = "you"};
    for (int behind = 0; behind < seats; behind++) {
        int seat = (own + behind) % seats;
        const lu_player *other = behind > 0 ? call_opponent(&p->seats, behind) : &p->person;
        player[seat] = other;
        p->persons |= other->kind == LU_PLAYER_PERSON ? 1u << seat : 0u;
    }
    p->crew = lu_crew_new(p->s.game, p->s.rules, player, 1, false);
}

static lu_status start(play *p, const verb_call *call, lu_error *error) {
    const lu_game *game = call->game;
    lu_player hint;
    lu_status status =
        lu_player_bot(&hint, lu_settings_text_of(call->settings, "bot"), game, error);
    LU_THEN(status, call_open_seats(call, game, &p->seats, error));
    LU_THEN(status, record_check(lu_settings_text_of(call->settings, "record"), error));
    LU_THEN(status, call_not_empty(call, "model", error));
    if (status == LU_OK && *lu_settings_text_of(call->settings, "model")) {
        p->file = model_open(call, lu_settings_text_of(call->settings, "model"), game, error);
        status = p->file ? LU_OK : error->status;
    }
    if (status == LU_OK) {
        const lu_model_file *file = call_first_model(&(lu_player){.file = p->file}, &p->seats);
        status = call_open_episode(call, call->game, file, &p->s, error);
    }
    LU_THEN(status, call_check_own(&p->seats, &p->s, error));
    if (status == LU_OK) {
        sit_down(p);
        p->has_hint = hint.bot != NULL && !p->file;
        if (p->file) {
            p->agent = lu_agent_new(&(lu_agent_settings){.file = p->file,
                                                         .rules = p->s.rules,
                                                         .episodes = 1,
                                                         .greedy = true,
                                                         .thinks = true});
        }
        for (int seat = 0; seat < game->seats && p->has_hint; seat++) {
            lu_seated_bot_init(&p->hint[seat], hint.bot);
        }
        lu_text_init(&p->typed);
        lu_text_init(&p->message);
    }
    return status;
}

static lu_status run(verb_call *call, lu_error *error) {
    uint64_t seed;
    play *p = lu_alloc_zero(1, sizeof *p);
    p->call = call;
    p->seats = (call_seats){.persons = true, .filled = true};
    p->json = call->json;
    if (p->json) {
        out_plain(); /* messages are data */
    }
    lu_status status = LU_OK;
    if (*lu_settings_text_of(call->settings, "seed")) {
        status = call_seed(call, &seed, error);
    } else {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        seed = lu_mix((uint64_t)now.tv_sec, (uint64_t)now.tv_nsec, 0) % 1000000;
    }
    LU_THEN(status, start(p, call, error));
    if (status != LU_OK) {
        lu_episode_close(&p->s);
        lu_model_file_delete(p->file);
        call_close_seats(&p->seats);
        free(p);
        return status;
    }
    do {
        status = play_episode(p, seed++, lu_settings_text_of(call->settings, "record"), error);
    } while (status == LU_OK && p->again);
    lu_crew_delete(p->crew);
    for (int seat = 0; seat < call->game->seats && p->has_hint; seat++) {
        lu_seated_bot_free(&p->hint[seat]);
    }
    lu_text_free(&p->typed);
    lu_text_free(&p->message);
    lu_agent_delete(p->agent);
    lu_episode_close(&p->s);
    lu_model_file_delete(p->file);
    call_close_seats(&p->seats);
    free(p);
    return status;
}

const verb verb_play = {
    .name = "play",
    .usage = "play GAME [--seed N] [--bot NAME | --model MODEL] [--record FILE] [--json]",
    .sentence = "Lets you play a game in the terminal, with hints from a bot or an agent.",
    .details = details,
    .examples = examples,
    .options = VERB_OPTIONS("play", options),
    .tables = tables,
    .game = VERB_GAME,
    .game_settings = true,
    .json = true,
    .run = run,
};
