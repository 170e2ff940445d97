/* What the files of sweeps share. */
#pragma once

#include "ludus/sweep.h"

typedef enum space_scale { SCALE_LINEAR, SCALE_LOG, SCALE_INT } space_scale;

/* One setting that varies: a range, or options. */
typedef struct dimension {
    char *key;
    double low, high;
    space_scale scale;
    bool whole; /* whole numbers only */
    char *form; /* "" or a text with {} */
    int options;
    char **option;
} dimension;

struct lu_space {
    int count;
    dimension dimension[LU_MAX_DIMENSIONS];
};

/* The option that stands at a place. */
int space_option(const dimension *d, double place);

struct lu_sweep {
    const lu_space *space;
    lu_sweep_plan plan; /* its texts are copies */
    char *texts[3];
    int lock; /* the folder, held by flock */
    int file; /* trials.jsonl, for appending */
    char *path;
    lu_trial *trials;
    int count, room;
};
