/* The bots steady and search: both think on copies in which all that is hidden is drawn anew
 * (joker_search_round.h), so that they know no more than the player. */
#include "joker_bots.h"
#include "search/joker_search.h"

#include <stdlib.h>

/* An action as the heads of joker-v1. */
static void put_action(const joker_action *action, int32_t *actions) {
    memset(actions, 0, JOKER_HEADS * sizeof *actions);
    actions[JOKER_HEAD_TYPE] = action->type;
    actions[JOKER_HEAD_INDEX] = joker_takes_index(action->type) ? action->index : 0;
    actions[JOKER_HEAD_TO] = joker_takes_to(action->type) ? action->to : 0;
    for (int i = 0; i < JOKER_HAND_MAX; i++) {
        actions[JOKER_HEAD_CARD + i] = action->chosen >> i & 1u;
    }
}

static void act(const lu_rules *rules, const joker_state *s, const joker_skill *skill, lu_rng *rng,
                int32_t *actions) {
    joker_player *player = malloc(sizeof *player);
    joker_action action =
        joker_action_of(s->pack_open ? JOKER_ACT_SKIP_PACK : JOKER_ACT_NEXT_ROUND, 0, 0);
    if (player) {
        action = joker_decide(player, joker_rules_of(rules), s, skill, rng);
        free(player);
    }
    put_action(&action, actions);
}

void joker_act_steady(const lu_seat_view *view, int32_t *actions) {
    act(view->rules, view->state, &joker_skill_steady, view->rng, actions);
}

void joker_act_search(const lu_seat_view *view, int32_t *actions) {
    act(view->rules, view->state, &joker_skill_search, view->rng, actions);
}
