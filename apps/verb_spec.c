/* ludus spec: the facts of a game: heads, observation, terms, info fields, bots, settings. */
#include "output.h"
#include "verb.h"

#include <stdlib.h>
#include <string.h>

static const verb_example examples[] = {
    {"ludus spec prospector", "what an agent sees, does and is rewarded for"},
    {"ludus spec prospector --json", "every field with name, range and unit, and the hash"},
    {NULL, NULL},
};

/* The specification as it is hashed, with what people want to know beside it in the same object. */
static void print_json(const lu_game *game) {
    lu_json head = LU_JSON_INIT, spec = LU_JSON_INIT;
    lu_json_object(&head);
    lu_json_key_int(&head, "schema", 1);
    lu_json_key_hex(&head, "hash", lu_spec_hash(game));
    lu_json_key_int(&head, "state_bytes", game->state_bytes);
    lu_game_facts_write(game, &head);
    lu_json_key(&head, "settings");
    lu_settings *settings = lu_game_settings(game);
    char *schema = lu_settings_schema(settings, game->id);
    lu_json_raw(&head, schema, strlen(schema));
    lu_json_object_end(&head);
    lu_spec_write(game, &spec);
    /* two objects become one: the second's fields follow the first's */
    out_write(head.text, head.length - 1);
    out_text(",");
    out_write(spec.text + 1, spec.length - 1);
    out_text("\n");
    free(schema);
    lu_settings_delete(settings);
    lu_json_free(&head);
    lu_json_free(&spec);
}

/* A line of options, wrapped; leaves the text empty. */
static void print_options(lu_text *text) {
    lu_text line = LU_TEXT_INIT;
    out_text("  ");
    text_wrap(&line, text->text, 2, 4, 80);
    out_text_end(&line);
    lu_text_clear(text);
}

/* One line per run of options of the same set. */
static void print_heads(const lu_game *game) {
    for (int h = 0; h < game->heads; h++) {
        const lu_head *head = &game->head[h];
        const char *set = NULL;
        lu_text text = LU_TEXT_INIT;
        out_format("\n%sActions: head '%s', %d options%s%s\n", paint(BOLD), head->name,
                   head->options, head->unused ? " (never asked)" : "", paint(PLAIN));
        for (int o = 0; o < head->options; o++) {
            const char *own = head->sets ? head->sets[o] : NULL;
            bool other = own && (!set || strcmp(own, set) != 0);
            if (other && set) {
                print_options(&text);
            }
            if (other) {
                lu_text_addf(&text, "%s: ", own);
            } else if (o > 0) {
                lu_text_add(&text, ",  ");
            }
            set = own;
            lu_text_addf(&text, "%d=%s", o, head->option[o]);
        }
        print_options(&text);
        lu_text_free(&text);
    }
}

static void print_observation(const lu_game *game) {
    out_format("\n%sObservation: %d numbers%s\n", paint(BOLD), lu_game_observation_length(game),
               paint(PLAIN));
    table t = table_of("rllw");
    table_row(&t, "from", "group", "field", "range and unit");
    for (int g = 0; g < game->groups; g++) {
        const lu_group *group = &game->group[g];
        for (int f = 0; f < group->fields; f++) {
            const lu_field *field = &group->field[f];
            table_row(&t, cell("%d", lu_game_group_offset(game, g) + f),
                      group->slots > 1 ? cell("%s[%d]", group->name, group->slots) : group->name,
                      field->name,
                      cell("%g to %g%s%s", (double)field->low, (double)field->high,
                           field->unit && *field->unit ? ", " : "",
                           field->unit ? field->unit : ""));
        }
    }
    table_print(&t);
    table_free(&t);
}

static void print_lists(const lu_game *game) {
    out_format("\n%sReward terms%s\n", paint(BOLD), paint(PLAIN));
    table t = table_of("lrw");
    table_row(&t, "term", "weight", "");
    for (int i = 0; i < game->terms; i++) {
        table_row(&t, game->term[i].name, cell("%g", game->term[i].weight[0]),
                  game->term[i].sentence);
    }
    table_print(&t);
    table_free(&t);
    out_format("\n%sInfo fields%s\n", paint(BOLD), paint(PLAIN));
    t = table_of("llw");
    table_row(&t, "field", "unit", "");
    for (int i = 0; i < game->infos; i++) {
        table_row(&t, game->info[i].name, game->info[i].unit ? game->info[i].unit : "",
                  game->info[i].sentence ? game->info[i].sentence : "");
    }
    table_print(&t);
    table_free(&t);
    out_format("\n%sBots%s\n", paint(BOLD), paint(PLAIN));
    t = table_of("lw");
    table_row(&t, "bot", "");
    bool given = false;
    for (int b = 0; b < lu_game_bots(game); b++) {
        const lu_bot *bot = lu_game_bot_at(game, b);
        table_row(
            &t, bot->name,
            cell("%s%s", bot->sentence, bot->sees_hidden ? " (is given the full state)" : ""));
        given = given || bot->sees_hidden;
    }
    table_print(&t);
    table_free(&t);
    if (given) {
        out_text("A bot that is given the full state could read hidden things in it; the game's\n"
                 "README says what it looks at. The others act on the observation.\n");
    }
}

/* Spaces in the words of gymnasium, and what the limit of an episode is. */
static void print_spaces(const lu_game *game) {
    static const char *const kinds[] = {
        [LU_LIMIT_NONE] = "none; an episode ends by its rules",
        [LU_LIMIT_RULE] = "a rule: the observation shows the clock, and nothing comes after it",
        [LU_LIMIT_CUT] = "a cut: play would continue, and learners bootstrap from the last value"};
    lu_text line = LU_TEXT_INIT;
    lu_text_addf(&line, "gymnasium: Box(%d,), ", lu_game_observation_length(game));
    for (int h = 0; h < game->heads; h++) {
        lu_text_addf(&line, "%s%d",
                     h                 ? ", "
                     : game->heads > 1 ? "MultiDiscrete(["
                                       : "Discrete(",
                     game->head[h].options);
    }
    lu_text_addf(&line, "%s\nlimit: %s\n", game->heads > 1 ? "])" : ")", kinds[game->limit.kind]);
    out_line("%s", line.text);
    lu_text_free(&line);
}

static lu_status run(verb_call *call, lu_error *error) {
    const lu_game *game = call->game;
    (void)error;
    if (call->json) {
        print_json(game);
        return LU_OK;
    }
    out_line("%s%s%s (%s)\n%s\n\n", paint(BOLD), game->title, paint(PLAIN), game->id,
             game->sentence);
    out_line("seats %d, state %u bytes, longest episode %lld decisions, hash %016llx\n",
             game->seats, game->state_bytes, (long long)game->limit.longest,
             (unsigned long long)lu_spec_hash(game));
    print_spaces(game);
    print_heads(game);
    print_observation(game);
    print_lists(game);
    out_format("\nSettings: ludus config %s\n", game->name);
    return LU_OK;
}

const verb verb_spec = {
    .name = "spec",
    .usage = "spec GAME [--json]",
    .sentence =
        "Shows the facts about a game: actions, observation, reward terms, info fields, bots.",
    .examples = examples,
    .options = {"spec", NULL, 0},
    .game = VERB_GAME,
    .json = true,
    .run = run,
};
