/* An agent: a trained model that plays, with the normaliser, masks and memory it was trained with.
 * One agent follows several episodes at once and answers for many seats in one pass through the
 * net; what it does in an episode depends on that episode's seed alone, not on what is asked beside
 * it.
 * Ownership: the model file, the game's rules and the environments belong to the caller and must
 * outlive the agent. Threads: one at a time per agent; several agents may share a model file. */
#pragma once

#include "ludus/model.h"
#include "ludus/replay.h"
#include "ludus/tool.h"

LU_C_BEGIN

typedef struct lu_agent lu_agent;

typedef struct lu_agent_settings {
    const lu_model_file *file;
    const lu_rules *rules; /* of the game, as it is played now */
    int episodes;          /* followed at once */
    bool greedy;           /* the best option, in place of a draw from the policy */
    bool thinks;           /* values and probabilities are wanted */
    /* Logits are divided by this before a draw; 0: by 1, and a net of Q values draws nothing but
     * takes the best option. */
    double temperature;
} lu_agent_settings;

/* A question: what would this seat of this episode do now? */
typedef struct lu_agent_ask {
    /* NULL: the rows below are given in its place, by someone who has no state to show; what the
     * game forbids by its submask is then not known. */
    const lu_env *env;
    const float *observation, *critic; /* critic: NULL where none is at hand */
    /* `observation` holds every frame that the net reads, newest first; else it is the newest, and
     * the agent remembers those before */
    bool all_frames;
    const uint8_t *mask;
    int episode, seat;
    uint32_t best;       /* bit h: head h takes its best option, whatever the settings say */
    int32_t *actions;    /* out: heads */
    lu_thought *thought; /* out, or NULL; needs `thinks` */
    /* out, or NULL: of all options, heads one behind the other, each head under the actions chosen
     * before it; where nothing is drawn from a Q net the best option has 1 */
    float *probabilities;
    /* out, or NULL: how likely the seat wins; NAN where the model has no predictor */
    float *win_rate;
    float *logits; /* out, or NULL: of all options, as these, divided by the temperature */
    float
        *log_probability; /* out, or NULL: of the actions; 0 where nothing is drawn from a Q net */
} lu_agent_ask;

lu_agent *lu_agent_new(const lu_agent_settings *settings);
void lu_agent_delete(lu_agent *agent);
/* Forgets an episode and readies for one with this seed. */
void lu_agent_begin(lu_agent *agent, int episode, uint64_t seed);
/* What the agent remembers of an episode, all seats: memory of the net and earlier frames; *bytes
 * is 0 where it needs neither. */
float *lu_agent_memory(lu_agent *agent, int episode, size_t *bytes);
/* Answers; each seat of each episode at most once per decision, since memory moves on. LU_BAD_DATA
 * or LU_DIVERGED as in lu_policy_choose. The value of a thought is in units of the reward; of a Q
 * net it is the best Q, and where it draws nothing the best option has probability 1. */
lu_status lu_agent_act(lu_agent *agent, const lu_agent_ask *asks, int count, lu_error *error);
/* A hash over every logit and value of some decisions on fixed seeds: what a net answers in the
 * memory of its trainer and what it answers after loading must give the same. 0 when it cannot play
 * at all. `options` as in lu_env_reset. */
uint64_t lu_agent_probe(const lu_model_file *file, const lu_rules *rules, const void *options);
/* The model as the agent that a tool asks: every question is answered with the best options, as the
 * first decision of an episode. The file must outlive what is handed out, and so must the name. */
lu_tool_agent lu_agent_for_tool(lu_model_file *file, const char *name);

LU_C_END
