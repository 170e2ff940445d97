/* Inside the pages of a replay: what both have in common. */
#pragma once

#include "ludus/replay_page.h"

/* Adds JSON to a page. A '<' stands in strings alone, and is written so that no text of a game or a
 * file can end the element. */
void replay_json_add(const lu_json *json, lu_text *html);
