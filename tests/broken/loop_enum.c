/* Deliberately wrong: the length of the critic block as an enum constant, which the preprocessor
 * reads as 0. tools/check-headers must see that this does not compile. */
#include "ludus/game.h"

enum { LOOP_ENUM_CRITIC = 3 };

#define LU_LOOP_GAME   loop_enum
#define LU_LOOP_STATE  lu_rules
#define LU_LOOP_CRITIC LOOP_ENUM_CRITIC
#define LU_LOOP_TURNS  0
#include "ludus/loop.h"
