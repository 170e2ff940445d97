/* The table of sources: see sources.h. */
#include "sources.h"

#include "http.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const source sources[] = {
    {.name = "ninja",
     .title = "poe.ninja",
     .base = "https://poe.ninja",
     .path = "/poe2/api/economy/exchange/current/overview?league={league}&type={category}",
     .categories = "Currency,Essences,Ritual,Abyss,Breach",
     .most = 4 << 20},
    {.name = "scout",
     .title = "poe2scout",
     .base = "https://poe2scout.com",
     .leagues = "/api/poe2/Leagues",
     .path = "/api/poe2/Leagues/{league}/Currencies/ByCategory?Category={category}&PerPage=250",
     .categories = "currency,essences,ritual,abyss,breach",
     .any_league = true,
     .dated = true,
     .most = 4 << 20},
    /* without the hour it answers with the first hour of its history */
    {.name = "exchange",
     .title = "trade exchange",
     .base = "https://api.pathofexile.com",
     .path = "/currency-exchange/poe2/{hour}",
     .categories = "digest",
     .token = true,
     .dated = true,
     .most = 8 << 20},
};

void source_address(const char *base, const char *path, const char *league, const char *category,
                    double now, lu_text *address) {
    char hour[32];
    snprintf(hour, sizeof hour, "%.0f", 3600.0 * (double)((long long)(now / 3600.0) - 1));
    const struct {
        const char *mark, *text;
    } marks[] = {{"{league}", league}, {"{category}", category}, {"{hour}", hour}};
    size_t length = strlen(base);
    lu_text_add_n(address, base, length > 0 && base[length - 1] == '/' ? length - 1 : length);
    while (*path) {
        size_t plain = strcspn(path, "{");
        lu_text_add_n(address, path, plain);
        path += plain;
        size_t k = 0;
        while (*path && strncmp(path, marks[k].mark, strlen(marks[k].mark)) != 0) {
            k++;
            LU_ASSERT(k < sizeof marks / sizeof *marks);
        }
        if (*path) {
            char *escaped = http_escape(marks[k].text);
            lu_text_add(address, escaped);
            free(escaped);
            path += strlen(marks[k].mark);
        }
    }
}
