/* Ways of training, as rows of a table: whoever drives a training (the program, a sweep, a
 * benchmark) names an algorithm, makes a trainer of it and needs to know nothing else: all trainers
 * take the calls lu_trainer_*. ppo.h and dqn.h have what is their own. Metrics come as
 * names and numbers. Ownership: a trainer owns rules, nets, optimiser, normalisers, environments
 * and its threads; the game must outlive it, settings are copied; names of metrics are constants.
 * Threads: one caller at a time per trainer; the table is constant. */
#pragma once

#include "ludus/comm.h"
#include "ludus/model.h"
#include "ludus/vec.h"
#include "ludus/watch.h"

LU_C_BEGIN

typedef struct lu_trainer lu_trainer;

enum {
    LU_MAX_FIGURES = 64,
    LU_MAX_PARTS = 8,
    LU_RECENT_EPISODES = 100, /* of lu_progress.recent_return */
};

/* How an episode ended at a step, as bits. */
enum { LU_END_TERMINATED = 1, LU_END_TRUNCATED = 2 };

typedef struct lu_figure {
    const char *name;
    double value;
} lu_figure;

/* Memory that a training will take, by what takes it, to the byte; nets of opponents are not in it.
 */
typedef struct lu_training_need {
    int parts;
    lu_figure part[LU_MAX_PARTS]; /* bytes */
    size_t total;
    const char *lower; /* settings to lower when it will not fit, as words of a sentence */
} lu_training_need;

/* What one update gave. Counts and means are of rows that learn: one per environment and learning
 * seat. */
typedef struct lu_progress {
    int64_t updates, steps;                /* finished, this one included; steps of environments */
    int64_t ticks;                         /* game time in this update */
    int64_t truncated, illegal;            /* in this update: decisions of environments */
    double reward, reward_square;          /* means per decision, of the square too */
    int64_t episodes;                      /* that ended in this update; one per seat that learns */
    double episode_return, episode_length; /* means over them; 0 when none ended */
    int64_t recent;                        /* episodes behind the next line */
    double recent_return;                  /* mean over the last LU_RECENT_EPISODES */
    int64_t endings;                       /* episodes of environments behind `info` */
    double info[LU_MAX_INFOS];         /* mean over ends of episodes; bits and names mean nothing */
    double term[LU_MAX_TERMS];         /* mean per decision of every reward term, before weights */
    double head_entropy[LU_MAX_HEADS]; /* mean over the decisions in which the head was asked */
    uint32_t silent;                   /* bit h: head h had no legal option at any decision */
    int minibatches;                   /* learned */
    double seconds, steps_per_second;  /* of the whole update */
    double rollout, fastest;           /* seconds of playing, and of the fastest minibatch */
    int figures, parts;
    lu_figure figure[LU_MAX_FIGURES]; /* losses and the like, in the algorithm's order */
    lu_figure part[LU_MAX_PARTS];     /* where the seconds went; of playing as shares of threads */
} lu_progress;

typedef struct lu_algorithm {
    const char *name, *sentence;
    const char *prefix;    /* of its settings: PREFIX.steps, PREFIX.seed, PREFIX.threads */
    const lu_table *table; /* beside lu_net_table and those of the game */
    const char *shown[4];  /* metrics that tell most, for a line of text; may end with NULL */
    /* Fills rows that nobody set; NULL when there is nothing to do. */
    lu_status (*profile)(lu_settings *settings, lu_error *error);
    /* What a trainer will take, before anything of it is allocated. */
    lu_status (*bytes_needed)(const lu_game *game, const lu_settings *settings,
                              lu_training_need *need, lu_error *error);
    /* `options`: the game's option block for every reset, or NULL. Who plays the seats that the
     * game does not drive itself: see opponents below. */
    lu_trainer *(*make)(const lu_game *game, const lu_settings *settings, const void *options,
                        lu_error *error);
    /* The same for one of several processes, which play and learn parts of the training: see ranks
     * below. NULL where the algorithm has no parts; `comm` of one rank, or NULL: alone. */
    lu_trainer *(*make_shared)(const lu_game *game, const lu_settings *settings,
                               const void *options, const lu_comm *comm, lu_error *error);
} lu_algorithm;

/* The algorithms; the first is the default. Ends with NULL. */
extern const lu_algorithm *const lu_algorithms[];
/* The table of settings with the one row `algo`, the name of an algorithm. */
extern const lu_table lu_algorithm_table;
/* NULL, with the names in the error, when there is none. */
const lu_algorithm *lu_algorithm_find(const char *name, lu_error *error);
/* Value of a metric, or seconds of a part, by name; 0 when there is none. */
double lu_progress_figure(const lu_progress *progress, const char *name);
double lu_progress_part(const lu_progress *progress, const char *name);
/* Members of an open object: everything of a progress, with the names of the game. */
void lu_progress_write(const lu_progress *progress, const lu_game *game, lu_json *json);

/* ---- a trainer ---- */

void lu_trainer_delete(lu_trainer *trainer);
/* One batch played and learned; progress may be NULL. LU_DIVERGED when logits or Q values, loss or
 * gradient are NaN or infinite: parameters are those before the failing minibatch, and the batch is
 * saved where PREFIX.save_failed says. LU_BAD_DATA when a game leaves a seat without any legal
 * option. After an error only saving and lu_trainer_delete make sense. Nothing is allocated, except
 * when a batch that failed is saved; the same bits for any number of threads. */
lu_status lu_trainer_update(lu_trainer *trainer, lu_progress *progress, lu_error *error);
/* Who is told, by the thread that calls for updates, how far an update is: the share of playing or
 * of learning, ten times a second at most. Where it stops one, that update returns LU_INTERRUPTED
 * soon. It must outlive the trainer; NULL: nobody. */
void lu_trainer_set_watch(lu_trainer *trainer, const lu_watch *watch);
/* True when PREFIX.steps are done (at least one update; a batch that does not fit is not begun). */
bool lu_trainer_done(const lu_trainer *trainer);

int64_t lu_trainer_updates(const lu_trainer *trainer);       /* finished */
int64_t lu_trainer_updates_total(const lu_trainer *trainer); /* planned: the end of schedules */
int64_t lu_trainer_steps(const lu_trainer *trainer);
int lu_trainer_batch(const lu_trainer *trainer); /* steps of environments in one update */
int lu_trainer_rows(const lu_trainer *trainer);  /* environments x seats that learn */
int lu_trainer_threads(const lu_trainer *trainer);
const lu_rules *lu_trainer_rules(const lu_trainer *trainer);
lu_net *lu_trainer_net(lu_trainer *trainer);
lu_vec *lu_trainer_vec(lu_trainer *trainer);
/* NULL when observations, or the critic-only block, are not normalised. */
const lu_normaliser *lu_trainer_normaliser(const lu_trainer *trainer);
const lu_normaliser *lu_trainer_critic_normaliser(const lu_trainer *trainer);
/* Parameters of the win-rate predictor (win_rate.h); NULL when none is trained. */
float *lu_trainer_win_rate(lu_trainer *trainer);
/* What values are multiplied by now, against the rewards of the game. */
double lu_trainer_return_scale(const lu_trainer *trainer);
/* Hash of parameters, optimiser, normalisers, generators, environments, and of what else an update
 * depends on. */
uint64_t lu_trainer_hash(const lu_trainer *trainer);

/* ---- opponents ----
 * With PREFIX.opponents empty every seat that the game does not drive learns in every environment
 * (self-play where there are several), unless self_play.* divides them (self_play.h). Else it is a
 * list of players with shares, "self:2,
 * bot:NAME:1, RUN:7:1", and learner seats are those of an environment:
 * - The share of `self` is one of environments: in so many of them, the first, every seat learns.
 * - In each of the others one seat learns, the same for all its life; seats take turns from
 *   environment to environment, so that every side is learned alike and the number of rows never
 *   changes, unless self_play.pure is a schedule: then environments are given to others or taken
 *   back between updates, and begin an episode with that. The other seats are played by members of
 * a roster. Who sits there is drawn at the start of an episode, seat by seat, by the members'
 * shares, which stay as they are during an update. Opponents see what their seat sees, give no
 * training rows and no moments to normalisers; nets of opponents run on all their seats of a shard
 * at once. Draws, generators and memories belong to environments and seats: the same bits for any
 * number of threads, and a snapshot holds who sits where with all of these. src/train knows nets
 * and bots; whoever knows files resolves the names. */

enum { LU_MAX_OPPONENTS = 256, LU_OPPONENT_NAME = 256 };

/* One entry of such a list. */
typedef struct lu_opponent_share {
    char name[LU_OPPONENT_NAME];
    double share;
} lu_opponent_share;

/* Reads "NAME:SHARE, NAME:SHARE": names may hold colons, but neither spaces nor commas; shares are
 * above 0. `key` is named in errors. */
lu_status lu_opponent_shares_read(const char *key, const char *text,
                                  lu_opponent_share list[LU_MAX_OPPONENTS], int *count,
                                  lu_error *error);

/* A member of the roster: a bot of the game, a net (with its normaliser, or NULL), the net that
 * learns (as it is, without rows), or by default whoever takes legal options at random. */
typedef struct lu_opponent {
    const char *name;
    double share;
    const lu_bot *bot;
    lu_net *net; /* only read; a net of Q values takes the best option, a policy draws */
    const lu_normaliser *normaliser;
    const lu_model_file *file; /* whose net that is; only read where several processes train */
    bool self;
    /* Where all members have one, other than 0: a member keeps its seats when the roster is seated
     * anew with the same id in it, shares may be 0, and games are judged. What follows is only for
     * these. */
    uint64_t id;
    double greedy;         /* share of its episodes in which it takes its best action */
    double delay, delayed; /* chance to react late, and the share of episodes in which it holds */
    bool uniform;          /* the chance of an episode is drawn between 0 and `delay` */
    bool delays;           /* `delay` may be above 0 now or later */
    int rules; /* its episodes play by these of lu_trainer_take_rules; 0: by the training's */
} lu_opponent;

/* Rules that episodes against members may play by, in place of those of the training, before the
 * first roster: of the same game, with the same seats to play. They must outlive the trainer; their
 * weights may be changed between updates. An episode goes on by the rules it began with.
 * LU_BAD_VALUE where states, seats or the algorithm do not allow them. */
lu_status lu_trainer_take_rules(lu_trainer *trainer, const lu_rules *const *list, int count,
                                lu_error *error);

/* Seats the members, between updates: before the first one, and whenever nets or shares change;
 * episodes that run go on with players drawn anew, but for members with ids that stay. Names, nets
 * and normalisers must outlive the trainer or the next call. Before lu_trainer_load the roster must
 * be that of the snapshot, shares of members with ids aside. Refused where the settings leave no
 * seat to them. */
lu_status lu_trainer_roster(lu_trainer *trainer, const lu_opponent *members, int count,
                            lu_error *error);

/* Whether the settings leave seats to opponents, now or later. */
bool lu_trainer_has_opponents(const lu_trainer *trainer);

/* What the last update gave against a member: episodes that ended, counted once per seat it held,
 * and the mean return of the learner in them (0 when none). */
typedef struct lu_opponent_result {
    int64_t episodes;
    double mean;
    int64_t wins, draws; /* of the learner, as matches count them; against members with ids */
} lu_opponent_result;

lu_opponent_result lu_trainer_result(const lu_trainer *trainer, int member);

/* ---- ranks ----
 * Every process of a comm makes a trainer with the same settings (make_shared); PREFIX.parts are
 * divided between them. Rank 0 is then used as any trainer, and what it is asked for, it tells the
 * others, who call lu_trainer_follow and nothing else. The bits are those of one process with as
 * many parts. */

/* Does what rank 0 says until the trainer there is deleted. What fails here fails the next update,
 * of which rank 0 tells. */
void lu_trainer_follow(lu_trainer *trainer);

/* ---- beginning with what was learned before ---- */

/* A net with its normalisers and its win-rate predictor (NULL: none), all only read. */
typedef struct lu_learned {
    lu_net *net;
    const lu_normaliser *normaliser, *critic_normaliser;
    const float *win_rate;
} lu_learned;

/* Takes weights, normalisers and a predictor where both have one, between updates; the optimiser
 * begins anew. LU_OTHER_SPEC where
 * the net has another shape, or one of the two normalises and the other does not. */
lu_status lu_trainer_take(lu_trainer *trainer, const lu_learned *learned, lu_error *error);

/* ---- exact resume ---- */

/* Everything that the next update depends on. A trainer of the same game, rules and
 * settings (PREFIX.threads and PREFIX.steps aside) that loads it goes on bit for bit as the saved
 * one would. On an error of loading the trainer is as it was. */
size_t lu_trainer_snapshot_bytes(const lu_trainer *trainer);
void lu_trainer_save(const lu_trainer *trainer, void *bytes);
lu_status lu_trainer_load(lu_trainer *trainer, const void *bytes, size_t length, lu_error *error);

LU_C_END
