/* The course of a decision in `ludus play`: who is asked, head by head, what is advised, and what a
 * typed word does. */
#include "option_input.h"
#include "output.h"
#include "play.h"
#include "screen.h"

#include <string.h>

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

void play_ask(play *p) {
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
    play_ask(p);
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

void play_command(play *p, const char *typed) {
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
