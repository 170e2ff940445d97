/* `ludus league show RUN`: the league of a training, with what training games gave and how the
 * evaluator rates its members. Ownership: nothing is kept. Threads: the main thread. */
#pragma once

#include "verb.h"

lu_status league_show(const verb_call *call, lu_error *error);
