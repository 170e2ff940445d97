/* What trainers share whatever they learn by: the trainer itself (game, net, environments, seats,
 * rows, shards, workers, coefficients), notes and sums of what is played, the metrics of an update,
 * one block of memory laid out in two passes, exact resume, the sum of gradient shards, and the
 * file of a batch that failed. An algorithm is a trainer_kind; its own struct begins with an
 * lu_trainer.
 *
 * Rows. The environments write rows of all seats ("full" rows: environment * seats + seat). A
 * trainer numbers only those that learn ("rows"): first those of environments in which every seat
 * learns, then those of environments with opponents. A strip is a run of rows whose full rows lie a
 * fixed distance apart.
 *
 * Parts. A training may be cut into parts (train.parts), each with environments, rows, batch and
 * order of minibatches of its own, made of a seed of its own: a part is a trainer. Those that one
 * process has are mates, and the first of them is their head: it has the net, the optimiser, the
 * normalisers, the threads with their work spaces, and the room for the gradients of all of them.
 * What parts give (moments, losses, gradients) is added up in the order of parts or in one tree
 * over them, whichever process has them: see trainer_parts.c.
 * Ownership and threads: as in algorithm.h; different shards may be noted at once. */
#pragma once

#include "ludus/algorithm.h"
#include "ludus/arena.h"
#include "ludus/comm.h"
#include "ludus/policy.h"
#include "ludus/tensors.h"
#include "ludus/threads.h"

#include <stdatomic.h>

enum {
    TRAIN_SHARDS = 1024, /* shards of environments that are wanted at most */
    TRAIN_DOZEN = 12,    /* rows that the kernels take at once */
};

/* Coefficients that may change with progress and that every trainer has, in the order of the names
 * in trainer.c; a kind's own come behind. */
enum {
    TRAIN_RATE,
    TRAIN_MAX_NORM,
    TRAIN_BETA1,
    TRAIN_BETA2,
    TRAIN_EPS,
    TRAIN_DECAY,
    TRAIN_GAMMA,
    TRAIN_REWARD_CLIP,
    TRAIN_COMMON,
    TRAIN_MOST = 24,
};

/* Number of the generator that the seeds of parts are made by; others stand where they are drawn.
 */
enum { TRAIN_STREAM_PART = 30 };

/* ---- memory ---- */

/* Two passes over the same list: the first adds up sizes, the second takes. */
typedef struct train_taker {
    lu_arena *arena; /* NULL: only the size */
    size_t bytes;
} train_taker;

void *train_take(train_taker *taker, size_t count, size_t bytes);

#define TRAIN_TAKE(taker, pointer, count)                                                          \
    ((pointer) = train_take((taker), (count), sizeof *(pointer)))

/* ---- the trainer ---- */

/* Sums of a shard over an update, added up in the order of shards; doubles only. */
typedef struct train_sums {
    double episodes, returns, lengths, endings, ticks, truncated, illegal, reward, reward_square;
    double term[LU_MAX_TERMS], info[LU_MAX_INFOS];
    double infer, choose, play; /* seconds */
} train_sums;

typedef struct train_strip {
    int row, rows;    /* first row and how many */
    int full, stride; /* full row of the first, and the distance of the next */
} train_strip;

/* Environments that one thread plays from the first step of a rollout to the last. */
typedef struct train_shard {
    int first, count; /* environments */
    int strips;
    train_strip strip[2 * LU_MAX_SEATS];
    train_sums sums;
    lu_status status;
    lu_error error;
} train_shard;

/* What a thread needs while it works on a shard or on a piece of a gradient; kinds have more. */
typedef struct train_worker {
    lu_net_work *net;
    float *logits;  /* work_rows x logits_stride */
    uint8_t *legal; /* work_rows x mask */
    float *seen;    /* one block x observation x frames that are kept */
} train_worker;

/* What one step of the environments gives, in full rows; the mask is that of the next decision. */
typedef struct train_scratch {
    int32_t *actions, *ticks;
    uint8_t *mask, *terminated, *truncated, *illegal, *to_move;
    float *reward, *terms, *final_observation;
    double *final_info;
    float *finals; /* [horizon][rows]: return of the episode that ended, NAN for none */
} train_scratch;

typedef struct train_recent {
    double at[LU_RECENT_EPISODES];
    int64_t count; /* of all time */
} train_recent;

/* What episodes against a member gave a shard in this update; doubles only. */
typedef struct train_met {
    double episodes, returns;
    double wins, draws; /* of the learner; only against members that have an id */
} train_met;

/* How the player of a slot plays this episode, and what it has got; without padding. */
typedef struct train_manner {
    double returns; /* of the running episode */
    float delay;    /* chance that a decision comes late */
    uint8_t greedy;
    uint8_t late; /* the next decision is made by what was seen before */
    uint8_t none[2];
} train_manner;

/* Environments with opponents are the last ones. Each has `others` slots: seats that do not learn,
 * numbered environment by environment. Where the share of environments in which every seat learns
 * is a schedule, every environment has room for opponents (first = 0), and those from `from` on
 * have them in this update. */
typedef struct train_roster {
    double self_share;       /* of environments in which every seat learns */
    bool moves;              /* that share is a schedule: self_play.pure */
    int from;                /* the first environment with opponents */
    int first, environments; /* the first that may have them, and how many may */
    int others, slots;       /* slots: of all of these */
    int *row;                /* environments: the row that learns, where there are opponents */
    lu_rng *draw;            /* environments */
    int *full;               /* slots: full row */
    lu_rng *rng;             /* slots: of the player */
    int32_t *who;            /* slots: the member that sits there */
    int *was;                /* rows: where they were before they moved, -1: nowhere; then full
                              * rows: what was their row */
    int32_t *changed;        /* environments that were given to others, or taken back */
    unsigned char *spare;    /* rows x spare_bytes: what moves */
    size_t spare_bytes;

    /* of the members: allocated when they are seated */
    bool other_rules; /* some members play by rules of their own */
    int members;
    bool by_id;  /* they have ids: places are kept when they are seated anew, games are judged */
    bool delays; /* some react late */
    lu_opponent *member;
    double *upto;          /* members: running sums of shares, up to 1 */
    train_manner *manner;  /* slots; by_id */
    float *seen;           /* slots x observation: before a late decision; delays */
    size_t memory_bytes;   /* of a slot: the most that any member needs */
    unsigned char *memory; /* slots x memory_bytes */
    size_t block_floats;   /* the largest memory of a net */
    float *block;          /* workers x LU_BLOCK_ROWS x block_floats */
    uint8_t *masks;        /* workers x LU_BLOCK_ROWS x mask */
    lu_net_work **work;    /* workers x members, NULL where there is no net */
    train_met *met;        /* shards x members */
    train_met *all;        /* of a head: parts x members, of the last update */
} train_roster;

/* What the environments showed in the last steps: see trainer_frames.c. */
typedef struct train_frames {
    int depth;   /* steps that are kept; 1: the last one alone, elsewhere */
    size_t slot; /* floats from step to step, whole cache lines */
    float *ring; /* depth x full rows */
    int *age;    /* environments: decisions since the episode began, at most depth */
} train_frames;

typedef struct walk walk;
typedef struct train_shape train_shape; /* see trainer_shape.c */
typedef struct train_known train_known; /* see trainer_ranks.c */

typedef struct trainer_kind {
    const char *module;           /* of its settings, with the dot: "train." */
    const char *magic;            /* 8 bytes, of its snapshots */
    const char *batch;            /* name of the part of its memory that lay_batch lists */
    const char *lower;            /* settings to lower when memory does not suffice */
    const char *remedy;           /* what to do when numbers diverge, behind "; " */
    const char *const *schedules; /* names of its own coefficients, ends with NULL */
    size_t bytes;                 /* of its struct */
    lu_net_kind net;
    bool by_seat; /* rows are numbered seat by seat, and a strip is of one seat */
    /* Reads its own settings and refuses games that do not fit; common ones are read. */
    lu_status (*read)(lu_trainer *trainer, lu_error *error);
    /* Own sizes, shard_environments and work_rows; seats, rows and lengths are known. */
    lu_status (*plan)(lu_trainer *trainer, lu_error *error);
    void (*lay_batch)(lu_trainer *trainer, train_taker *taker);
    void (*lay)(lu_trainer *trainer, train_taker *taker); /* all but the batch */
    size_t (*outside)(const lu_trainer *trainer);         /* bytes of its own outside the arena */
    void (*start)(lu_trainer *trainer);                   /* own values and the first reset */
    void (*drop)(lu_trainer *trainer); /* what is its own outside the arena; may be NULL */
    /* Rows were numbered anew: moves what is its own (roster.was) and starts the next episode of
     * roster.changed, so many. NULL: rows never change. */
    void (*moved)(lu_trainer *trainer, int old_rows, int changed);
    /* Between updates: an environment that has not been stepped begins again. NULL: all play by the
     * same rules. */
    void (*restart)(lu_trainer *trainer, int32_t environment);
    /* The same after a load, which has put everything into its place. */
    void (*numbered)(lu_trainer *trainer);
    double (*return_scale)(const lu_trainer *trainer);
    /* Of what is learned, and of what a part has of its own (may be NULL) beside opponents and
     * environments. */
    uint64_t (*hash)(const lu_trainer *trainer);
    uint64_t (*hash_part)(const lu_trainer *trainer);
    /* Plays and learns; steps of the trainer are counted here. With parts it is the head's. A kind
     * that has halves plays in `collect`, and does the rest in `update`. */
    lu_status (*update)(lu_trainer *trainer, lu_progress *progress, lu_error *error);
    lu_status (*collect)(lu_trainer *trainer, lu_error *error);
    /* Takes over by value what the head knows; NULL: there are no parts. */
    void (*follow)(lu_trainer *trainer, const lu_trainer *head);
    /* Its metrics and parts of the seconds behind the common ones. */
    void (*tell)(lu_trainer *trainer, lu_progress *progress);
    /* The list of what goes on: what is learned, then what every part has of its own (may be
     * NULL), and what follows from it (may be NULL). */
    void (*walk)(walk *w, lu_trainer *trainer);
    void (*walk_part)(walk *w, lu_trainer *trainer);
    /* Of halves: what of the learned state playing needs, and the batch of a part. */
    void (*walk_weights)(walk *w, lu_trainer *trainer);
    void (*walk_batch)(walk *w, lu_trainer *trainer);
    void (*loaded)(lu_trainer *trainer);
    void (*taken)(lu_trainer *trainer); /* the net has other weights; may be NULL */
} trainer_kind;

struct lu_trainer {
    const trainer_kind *kind;
    const lu_game *game;
    lu_rules *rules;
    lu_settings *settings;
    lu_policy policy;
    lu_net *net;
    lu_optimiser optimiser;
    lu_vec *vec;
    lu_pool *pool;
    lu_arena arena;

    /* parts */
    int parts, part; /* of the training, and the number of this one */
    lu_trainer *head;
    int mates;           /* parts of this process; below only the head's */
    lu_trainer **mate;   /* the head is the first */
    const lu_comm *comm; /* NULL: this process is alone */
    size_t *piece_at, *piece_bytes, *other_at, *other_bytes; /* ranks: see lu_comm */
    float **node; /* parts: sums of gradients, NULL where they are in another's: see add_tree */
    float *sent, *got;         /* gradients on their way; NULL: alone */
    train_sums *part_sums;     /* parts: of the last update */
    train_recent *part_recent; /* the same */
    double *square;            /* sums of squares of pieces of the gradient */
    train_known *known;        /* models of opponents that all processes have */
    lu_error trouble;          /* of a follower alone: the next update fails by it, everywhere */
    void *names;               /* of the members that a follower was told */
    bool begun;                /* the parts are ready for the next update */
    bool collected;            /* its batch is played, or loaded */
    bool partial;              /* has some of the parts alone, and nobody to ask for the others */
    double collecting;         /* seconds of playing the batch */
    double *exchanging;        /* seconds of this update with other processes, waiting included */
    uint64_t root;             /* the seed of the training; that of a part is made of it */

    /* settings that every trainer has; environments and minibatch are those of a part */
    int environments, horizon, minibatch;
    int64_t steps_wanted;
    uint64_t seed;
    lu_optimiser_kind optimiser_kind;
    bool normalise_observation, bootstrap;
    float observation_clip;
    bool turns, submask; /* of the game */
    const char *save_failed;
    train_shape *shape; /* NULL: the game is played as it is */
    const lu_schedule *schedule[TRAIN_MOST];
    const lu_schedule *weight[LU_MAX_TERMS]; /* of reward terms; NULL: the weight of the rules */

    int seats, heads, mask, observation;
    int inputs; /* numbers that the net reads: observation x frames */
    size_t logits_stride;
    int learners, learner[LU_MAX_SEATS]; /* seats */
    int rows, full; /* rows that learn (environments x learners, or fewer), environments x seats */
    int room;       /* rows at most */
    int batch;      /* steps of environments of a part in one update */
    int shard_environments, shards, workers, work_rows;
    train_shard *shard;
    train_worker *worker;
    uint8_t *learns;         /* environments: bits of the seats that learn there */
    int *row_env, *row_full; /* rows: environment, full row, seat */
    uint8_t *row_seat;
    train_roster roster;
    train_scratch scratch;
    train_frames frames;
    float *win_rate;           /* parameters of the win-rate predictor; NULL: none */
    lu_rng *rng;               /* rows */
    double *returns, *lengths; /* rows: of the running episode */
    float *gradient;           /* shards of gradients x gradient_stride; the head's: of all mates */
    int gradients;             /* shards of gradients of a part at most */
    size_t gradient_stride;

    lu_normaliser normaliser, critic_normaliser;
    train_recent recent;
    int64_t updates, updates_total, steps;
    double coefficient[TRAIN_MOST]; /* of this update */
    double shared_work;             /* least work that is shared: see train_run */
    atomic_bool stop;               /* a shard failed */
    const lu_watch *watch;          /* the head's; NULL: nobody */
    double told;                    /* when it was told last */
};

extern const lu_algorithm lu_algorithm_ppo, lu_algorithm_dqn;

/* Of a kind, as lu_algorithm.make and lu_algorithm.bytes_needed. */
lu_trainer *trainer_new(const trainer_kind *kind, const lu_game *game, const lu_settings *settings,
                        const void *options, const lu_comm *comm, lu_error *error);
lu_status trainer_bytes_needed(const trainer_kind *kind, const lu_game *game,
                               const lu_settings *settings, lu_training_need *need,
                               lu_error *error);

/* A setting of the trainer's module by its name. */
int64_t train_int(const lu_trainer *trainer, const char *name);
double train_real(const lu_trainer *trainer, const char *name);
int train_enum(const lu_trainer *trainer, const char *name);
bool train_bool(const lu_trainer *trainer, const char *name);

/* Tells whoever watches how far this part of an update is, `what` being what it is at;
 * LU_INTERRUPTED when that ends it. Inside of jobs too: only the thread of the caller tells. */
lu_status train_tell(lu_trainer *trainer, double share, const char *what, lu_error *error);
/* Share of the planned updates that are finished, at most 1. */
double train_progress(const lu_trainer *trainer);
/* A normaliser of so many numbers as the settings have it: of none where they want none. */
void train_normaliser(const lu_trainer *trainer, lu_normaliser *normaliser, int numbers);

static inline int at_least(int a, int b) {
    return a > b ? a : b;
}

static inline int at_most(int a, int b) {
    return a < b ? a : b;
}

static inline int ceil_div(int a, int b) {
    return (a + b - 1) / b;
}

/* Numbers the rows by roster.from: strips of shards, and of each row where it is. */
void train_number(lu_trainer *trainer);
/* Strips of environments [first, first + count), at most two per seat; how many. */
int train_strips(const lu_trainer *trainer, int first, int count, train_strip *strip);

/* Runs jobs on all threads, or here when `work`, in floating-point operations that would take as
 * long, is not worth sharing. */
void train_run(const lu_trainer *trainer, lu_pool_job *job, void *context, int jobs, double work);
/* Runs job(part, i) for every i below `each` and every part of this process; `work` of one part. */
void train_run_parts(const lu_trainer *head, lu_pool_job *job, int each, double work);
/* The same as a job of `mates * each` of a pool. */
typedef struct parts_job {
    const lu_trainer *head;
    lu_pool_job *job;
    int each;
} parts_job;
void train_run_part(void *parts, int index);

/* ---- playing (trainer_play.c) ---- */

/* The buffers of a step, without observations and what only one kind wants. */
lu_buffers train_buffers(const lu_trainer *trainer);
/* Threads claim places one after the other, and neighbouring shards share cache lines of what has a
 * number or a byte per row: so the shard of a place lies far from that of the place before. */
int train_shard_at(const lu_trainer *trainer, int place);
/* Plays all shards by so many jobs (context: the trainer; index: the place, where there is one job
 * for each), which fill the shards' status and stop where trainer->stop is set. On a failure the
 * first shard that failed is told and `save` is called when numbers diverged. */
lu_status train_play(lu_trainer *trainer, lu_pool_job *job, int jobs,
                     void (*save)(lu_trainer *trainer, int shard, lu_error *error),
                     lu_error *error);
/* LU_END_* bits of the step that an environment has just done. */
int train_ends(const lu_trainer *trainer, int environment);
/* Discount of that step. */
double train_discount(const lu_trainer *trainer, int environment);
/* Adds what a step gave to a row; `ends` as above. */
void train_note_row(lu_trainer *trainer, train_sums *sums, int row, size_t full, int step,
                    int ends);
/* Adds what a step gave to the environments of a shard. */
void train_note_environments(const lu_trainer *trainer, train_shard *shard);
/* Ends of episodes of the last horizon join the recent ones: by part, step, row. */
void train_note_recent(lu_trainer *head);

/* ---- frames (trainer_frames.c); without a ring only frames_stack may be called ---- */

void frames_lay(lu_trainer *trainer, train_taker *taker);
/* Full rows of a step, by its number among all steps. */
float *frames_at(const lu_trainer *trainer, uint64_t time);
/* The row of a net that reads these frames: `newest`, and full row `full` of the steps before
 * `rows`, which is where the newest lies or would lie. `age`: decisions since the episode began. */
void frames_stack(const lu_trainer *trainer, const lu_frames *frames, const float *rows, int full,
                  int age, const float *newest, float *to);
/* After a step: episodes of a shard are older by one, or begin. */
void frames_note(lu_trainer *trainer, const train_shard *shard);
void frames_walk(walk *w, lu_trainer *trainer);

/* ---- what is changed of the game (trainer_shape.c) ---- */

lu_status shape_read(lu_trainer *trainer, lu_error *error);
void shape_drop(lu_trainer *trainer);
/* After a step: adds PREFIX.reward to the rewards of a shard. */
void shape_reward(lu_trainer *trainer, const train_shard *shard);
/* Before a choice: closes the options of train.closed to a strip. */
void shape_mask(lu_trainer *trainer, const train_strip *strip);

/* ---- opponents (trainer_roster.c) ---- */

/* Shares of PREFIX.opponents or of self_play.pure, then the environments they leave to opponents,
 * and the rows. */
lu_status roster_read(lu_trainer *trainer, lu_error *error);
lu_status roster_plan(lu_trainer *trainer, lu_error *error);
/* Updates are counted: LU_BAD_VALUE where shares of self_play.* are above 1 together. */
lu_status roster_check(const lu_trainer *trainer, lu_error *error);
void roster_lay(lu_trainer *trainer, train_taker *taker);
/* Rows are known. */
void roster_start(lu_trainer *trainer);
void roster_drop(lu_trainer *trainer);
/* Before an update: environments change sides where the share has moved. LU_BAD_VALUE where nobody
 * sits. */
lu_status roster_begin(lu_trainer *trainer, lu_error *error);
/* After an update: what every part gave against every member. */
void roster_results(lu_trainer *head);
/* Draws the players of the next episode of an environment, counted from roster.first. */
void roster_seat(lu_trainer *trainer, int environment);
/* Copies what rows keep, `bytes` each, from where it was to the places of today; zeros for rows
 * that were nowhere. For trainer_kind.moved. */
void roster_move_rows(lu_trainer *trainer, const void *from, void *to, size_t bytes, int old_rows);
/* Hash of what must be the same after a resume; 0: nothing. */
uint64_t roster_shape(const lu_trainer *trainer);
void roster_walk(walk *w, lu_trainer *trainer);
/* In front of everything else: where the sides are. Numbers the rows by it when loading. */
void roster_walk_sides(walk *w, lu_trainer *trainer);
/* LU_DAMAGED_FILE when what roster_walk_sides would load cannot be. */
lu_status roster_check_sides(const lu_trainer *trainer, const unsigned char *bytes,
                             lu_error *error);
uint64_t roster_hash(const lu_trainer *trainer, uint64_t hash);

static inline unsigned char *roster_memory(const train_roster *o, int slot) {
    return o->memory + (size_t)slot * o->memory_bytes;
}

/* The rules that the players of an environment, counted from roster.first, play by. */
static inline int roster_rules(const train_roster *o, int environment) {
    return o->member[o->who[environment * o->others]].rules;
}

/* The first slot of an environment, or of the next that has opponents. */
static inline int roster_slot(const train_roster *o, int environment) {
    return (at_least(environment, o->from) - o->first) * o->others;
}

/* ---- what opponents do (roster_play.c) ---- */

/* Actions of all opponents of a shard, at most LU_BLOCK_ROWS of them; observation: full rows. */
lu_status roster_act(lu_trainer *trainer, int worker, const train_shard *shard,
                     const float *observation, lu_error *error);
/* After a step whose rows are noted: ends of episodes, and who comes next. `buffers`: of the step,
 * for episodes that begin by other rules. */
void roster_note(lu_trainer *trainer, const train_shard *shard, int step,
                 const lu_buffers *buffers);

/* ---- metrics (trainer_play.c) ---- */

/* Adds structs of doubles number by number. */
void train_add(void *to, const void *from, size_t bytes);
void train_figure(lu_progress *progress, const char *name, double value);
void train_part(lu_progress *progress, const char *name, double seconds);
/* Fills all but what is the kind's own. */
void train_statistics(lu_trainer *head, lu_progress *progress);

/* ---- snapshots (trainer_snapshot.c) ---- */

/* One list of everything that goes on, walked to count, to save and to load. */
typedef enum walk_kind { WALK_COUNT, WALK_SAVE, WALK_LOAD } walk_kind;
struct walk {
    walk_kind kind;
    unsigned char *at; /* NULL while counting */
    size_t bytes;
};

void walk_piece(walk *w, void *data, size_t bytes);
void walk_normaliser(walk *w, lu_normaliser *normaliser);
/* Parameters and moments; pack the net after loading. */
void walk_learned(walk *w, lu_net *net, lu_optimiser *optimiser);

/* Where a part stands: its environments, and all that its next batch begins with. */
size_t train_part_bytes(const lu_trainer *trainer);
void train_part_save(const lu_trainer *mate, unsigned char *bytes);
lu_status train_part_load(lu_trainer *mate, const unsigned char *bytes, lu_error *error);

/* ---- parts and gradients (trainer_parts.c) ---- */

enum {
    TRAIN_GRADIENTS = 64, /* gradient shards of a part at most */
    TRAIN_PIECE = 4096,   /* parameters that one job of the sum takes */
};

/* Gradient shards of a minibatch, by its rows alone. Each costs passes over all parameters, as much
 * as some 15 rows: one per 64 rows up to 8, then one per 512. */
int train_gradients(int rows);
/* Mates take over by value what the head knows. */
void train_follow(lu_trainer *head);
/* The first part of a rank, and of the one behind it. */
int train_first_part(const lu_trainer *head, int rank);
/* What lies outside the arena of a head. */
void train_parts_make(lu_trainer *head);
void train_parts_drop(lu_trainer *head);
/* Every process has filled the `bytes` of each of its parts in a block of all parts: all have all.
 */
void train_share(const lu_trainer *head, void *block, size_t bytes);
/* The loss that the jobs of a minibatch left, asked once they are done. */
typedef double train_loss(lu_trainer *head);

/* How the gradient of a minibatch is made: `jobs` jobs of every part leave so many shards; `work`
 * as for train_run, of one part. */
typedef struct train_gradient {
    lu_pool_job *job;
    int jobs, gradients;
    double work;
    train_loss *loss;
} train_gradient;

/* Makes a gradient, sums its shards and does one step of the optimiser, unless the loss is NaN or
 * infinite. Returns the norm of the gradient; when that or the loss is NaN or infinite the
 * parameters stay. Wakes the threads once, with Muon or other processes more often. */
double train_minibatch(lu_trainer *head, const train_gradient *gradient);
/* Readies all parts for the next update, once; then its two halves. */
lu_status train_begin(lu_trainer *head, lu_error *error);
lu_status train_collect(lu_trainer *head, lu_error *error);
lu_status train_learn(lu_trainer *head, lu_progress *progress, lu_error *error);

/* ---- processes (trainer_ranks.c) ---- */

typedef enum train_order {
    CALL_NONE,
    CALL_UPDATE,
    CALL_SAVE,
    CALL_LOAD,
    CALL_TAKE,
    CALL_ROSTER,
    CALL_HASH,
    CALL_END
} train_order;

/* Rank 0 tells the others to do as it does; nothing elsewhere, or where it is alone. */
void train_call(const lu_trainer *head, train_order order);
void train_call_load(const lu_trainer *head, void *bytes, size_t length);
void train_call_take(lu_trainer *head);
lu_status train_call_roster(lu_trainer *head, const lu_opponent *member, int count,
                            lu_error *error);
void train_ranks_drop(lu_trainer *head);

/* The error of an update whose numbers diverged; `what`: "loss", "gradient", ... */
lu_status train_diverged(const lu_trainer *trainer, const char *what, lu_error *error);

/* ---- a batch that failed (failure.c) ---- */

enum { FAILED_TENSORS = 16 };

typedef struct failed_file {
    lu_tensor_entry entry[FAILED_TENSORS];
    void *owned[FAILED_TENSORS];
    size_t count;
} failed_file;

/* Room for rows x columns numbers of the file, freed with it. Allocates: a run has ended. */
void *failed_add(failed_file *f, const char *name, lu_dtype type, size_t rows, size_t columns);
void failed_add_copy(failed_file *f, const char *name, const float *from, size_t count);
/* Writes the file, adds to the sentence of the error where it is, and frees what was added. */
void failed_write(failed_file *f, const lu_trainer *trainer, lu_error *error);
