/* The public seeds of every game, on which agents and bots are judged. Trainings draw theirs from
 * elsewhere; what is quoted of a model was played on these.
 * Ownership: none. Threads: constants only. */
#pragma once

#define LU_PUBLIC_FIRST 30000
#define LU_PUBLIC_LAST  30399

/* The same as a range A..B, and one that ends earlier, for options and their help. */
#define LU_SEEDS_TEXT_(first, last) #first ".." #last
#define LU_SEEDS_TEXT(first, last)  LU_SEEDS_TEXT_(first, last)
#define LU_PUBLIC_SEEDS             LU_SEEDS_TEXT(LU_PUBLIC_FIRST, LU_PUBLIC_LAST)
