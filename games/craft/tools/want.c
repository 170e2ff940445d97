/* Text to target: see want.h. */
#include "want.h"

#include "ludus/settings.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the text had for a base or an item level: what is behind it may still belong to the
 * requirement before it ("chaos res ring t1"). */
#define CUT '\1'

/* A reader of one piece of the text, in lower case, and the requirement that it is at. */
typedef struct piece {
    const craft_pack *pack;
    craft_want *want;
    char *at;
    char *start; /* of the requirement */
    int group;   /* -1: not told yet; the same below: 0 */
    int tier;
    int small;    /* a number that may be how many, or a least value */
    int count;    /* a number in words */
    double least; /* value */
    bool before;  /* something was told before the group */
} piece;

/* ---- words ---- */

static void skip(piece *p) {
    while (*p->at && strchr(" \t().:-!", *p->at)) {
        p->at++;
    }
}

/* Takes a word if it is next; words end where letters end. */
static bool take(piece *p, const char *word) {
    size_t length = strlen(word);
    skip(p);
    bool letters = isalpha((unsigned char)word[length - 1]) != 0;
    if (strncmp(p->at, word, length) != 0 || (letters && isalpha((unsigned char)p->at[length]))) {
        return false;
    }
    p->at += length;
    return true;
}

static bool take_any(piece *p, const char *const *words) {
    bool taken = false;
    for (int k = 0; words[k] && !taken; k++) {
        taken = take(p, words[k]);
    }
    return taken;
}

/* Words that say nothing by themselves. */
static bool take_filler(piece *p) {
    static const char *const words[] = {"a",    "an",   "the",       "on", "in",  "of",
                                        "to",   "for",  "my",        "i",  "any", "some",
                                        "want", "need", "increased", NULL};
    return take_any(p, words);
}

/* "t1", "tier 2", "t2+"; "or better" may follow. Of "t1-t2" and "t1 or t2" the worse. */
static bool take_tier(piece *p, int *tier) {
    static const char *const after[] = {"or better", "or higher", "+", NULL};
    static const char *const either[] = {"or", "/", NULL};
    char *start = p->at;
    skip(p);
    bool word = take(p, "tier");
    skip(p);
    if (!word && *p->at == 't' && isdigit((unsigned char)p->at[1])) {
        p->at++;
        word = true;
    }
    if (!word || *p->at < '1' || *p->at > '9') {
        p->at = start;
        return false;
    }
    long number = strtol(p->at, &p->at, 10);
    *tier = number > 99 ? 99 : (int)number;
    char *end = p->at;
    int worse = 0;
    if (!take_any(p, after)) {
        (void)take_any(p, either);
        if (take_tier(p, &worse)) {
            *tier = worse > *tier ? worse : *tier;
        } else {
            p->at = end;
        }
    }
    return true;
}

/* The group of the longest synonym that is next, -1 = none; "armour %" is "% armour". */
static int take_group(piece *p) {
    int found = -1;
    size_t longest = 0;
    char turned[48] = "";
    skip(p);
    size_t word = strspn(p->at, "abcdefghijklmnopqrstuvwxyz "), first = word;
    while (first > 0 && p->at[first - 1] == ' ') {
        first--;
    }
    if (first > 0 && p->at[word] == '%') {
        snprintf(turned, sizeof turned, "%% %.*s", (int)first, p->at);
    }
    for (int k = 0; k < p->pack->group_count; k++) {
        for (const char *name = p->pack->groups[k].synonyms; *name;) {
            size_t length = strcspn(name, "|");
            bool ends = !isalpha((unsigned char)p->at[strnlen(p->at, length)]);
            if (length > longest && strncmp(p->at, name, length) == 0 && ends) {
                found = k;
                longest = length;
            } else if (*turned && strlen(turned) == length && strncmp(turned, name, length) == 0 &&
                       word + 1 > longest) {
                found = k;
                longest = word + 1;
            }
            name += length + (name[length] == '|' ? 1 : 0);
        }
    }
    p->at += longest;
    return found;
}

/* ---- what is not understood ---- */

/* The synonym that has the text as whole words, else the nearest one. */
static void find_nearest(const craft_pack *pack, const char *text, char *near, size_t size) {
    enum { SYNONYMS = 512, LONGEST = 40 };
    char kept[SYNONYMS][LONGEST];
    const char *words[SYNONYMS], *found = NULL;
    size_t count = 0;
    for (int k = 0; k < pack->group_count; k++) {
        for (const char *word = pack->groups[k].synonyms; *word && count < SYNONYMS;) {
            size_t length = strcspn(word, "|");
            snprintf(kept[count], LONGEST, "%.*s", (int)length, word);
            const char *in = *text ? strstr(kept[count], text) : NULL;
            bool starts = in && (in == kept[count] || in[-1] == ' ');
            bool whole = starts && (in[strlen(text)] == '\0' || in[strlen(text)] == ' ');
            found = !found && whole ? kept[count] : found;
            words[count] = kept[count];
            count++;
            word += length + (word[length] == '|' ? 1 : 0);
        }
    }
    found = found ? found : lu_nearest(text, words, count);
    snprintf(near, size, "%s", found ? found : "");
}

/* Copies text without blanks around it. */
static void trim(char *to, const char *text, size_t length) {
    for (; length > 0 && *text == ' '; length--) {
        text++;
    }
    while (length > 0 && strchr(" .", text[length - 1])) {
        length--;
    }
    snprintf(to, CRAFT_NAME, "%.*s", (int)(length < CRAFT_NAME ? length : CRAFT_NAME - 1), text);
}

/* `from` is told; what is near to the words at `word`, a part of it, up to a tier or a number. */
static void tell_unparsed(piece *p, const char *from, const char *word) {
    craft_want *want = p->want;
    char words[CRAFT_NAME];
    if (want->unparsed_count == CRAFT_UNPARSED) {
        return;
    }
    trim(want->unparsed[want->unparsed_count].text, from, strlen(from));
    size_t length = strcspn(word, "0123456789");
    length -= length > 1 && word[length] && word[length - 1] == 't' ? 1 : 0;
    trim(words, word, length);
    find_nearest(p->pack, words, want->unparsed[want->unparsed_count++].nearest, CRAFT_NAME);
}

/* ---- requirements ---- */

static void begin(piece *p) {
    p->group = -1;
    p->tier = p->small = p->count = 0;
    p->least = 0.0;
    p->before = false;
    skip(p);
    p->start = p->at;
}

/* Whether a small number is how many: of a group of several families, of one it is a value. */
static int count_of(const piece *p, double *least) {
    const craft_group *group = &p->pack->groups[p->group];
    bool several = group->families + group->ladders > 1;
    *least = p->small > 1 && !several && *least <= 0.0 ? p->small : *least;
    return p->count > 0 ? p->count : p->small > 0 && several ? p->small : 1;
}

/* The requirement is over: it is added, or told as not understood where it names nothing. */
static void finish(piece *p) {
    craft_target *target = &p->want->target;
    bool told = p->tier > 0 || p->small > 0 || p->count > 0 || p->least > 0.0;
    if (p->group < 0 || target->needs == CRAFT_NEEDS_MAX) {
        if (told || p->group >= 0) {
            tell_unparsed(p, p->start, p->start);
        }
        begin(p);
        return;
    }
    craft_need *need = &target->need[target->needs++];
    double least = p->least;
    snprintf(need->id, sizeof need->id, "%s", p->pack->groups[p->group].id);
    need->count = count_of(p, &least);
    need->weight = 1.0;
    need->matchers = 1;
    need->any_of[0] = (craft_matcher){.kind = CRAFT_MATCH_GROUP,
                                      .max_tier = (uint8_t)p->tier,
                                      .row = p->group,
                                      .min_value = least};
    begin(p);
}

/* Whether the piece names a group further on. */
static bool more_groups(const piece *p) {
    piece ahead = *p;
    bool found = false;
    while (*ahead.at && !found) {
        bool starts = !isalpha((unsigned char)ahead.at[-1]);
        piece one = ahead;
        found = starts && take_group(&one) >= 0;
        ahead.at++;
    }
    return found;
}

/* Before a tier or a number is noted: it begins another requirement where this one has its own
 * already, or where such things stand before their groups. */
static void note(piece *p, bool has, char *from) {
    if (p->group >= 0 && (has || (p->before && more_groups(p)))) {
        finish(p);
        p->start = from;
    }
    p->before = p->before || p->group < 0;
}

static bool read_tier(piece *p) {
    int tier = 0;
    char *start = p->at;
    if (!take_tier(p, &tier)) {
        return false;
    }
    note(p, p->tier > 0, start);
    p->tier = tier;
    return true;
}

/* A number. In words it is how many; with a percent sign or above six a least value. */
static bool read_number(piece *p) {
    static const char *const least[] = {">=", ">", "at least", "min", "minimum", "over", "+", NULL};
    static const struct {
        const char *word;
        int count;
    } words[] = {{"one", 1},    {"two", 2},  {"three", 3},  {"four", 4},
                 {"double", 2}, {"dual", 2}, {"triple", 3}, {"tri", 3}};
    char *start = p->at;
    (void)take_any(p, least);
    skip(p);
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        if (take(p, words[k].word)) {
            note(p, p->count > 0, start);
            p->count = words[k].count;
            return true;
        }
    }
    double number = isdigit((unsigned char)*p->at) ? strtod(p->at, &p->at) : 0.0;
    if (number <= 0.0) {
        p->at = start;
        return false;
    }
    bool percent = take(p, "%");
    (void)take(p, "+");
    bool small = !percent && number <= 6.0 && number == (int)number;
    note(p, small ? p->small > 0 : p->least > 0.0, start);
    if (small) {
        p->small = (int)number;
    } else {
        p->least = number;
    }
    return true;
}

/* "2 open suffixes", "prefix free". */
static bool read_open(piece *p) {
    static const char *const open[] = {"open", "free", "empty", NULL};
    static const char *const sides[][3] = {{"prefix", "prefixes", NULL},
                                           {"suffix", "suffixes", NULL}};
    char *start = p->at;
    bool first = take_any(p, open);
    for (int side = 0; side < CRAFT_SIDES; side++) {
        if (take_any(p, sides[side]) && (first || take_any(p, open))) {
            int count = p->count > 0 ? p->count : p->small > 0 ? p->small : 1;
            if (p->group >= 0) {
                finish(p);
                count = 1;
            }
            p->want->target.open[side] = count;
            begin(p);
            return true;
        }
    }
    p->at = start;
    return false;
}

static bool read_group(piece *p) {
    char *start = p->at;
    int group = take_group(p);
    if (group >= 0 && p->group >= 0) {
        finish(p);
        p->start = start;
    }
    p->group = group >= 0 ? group : p->group;
    return group >= 0;
}

/* Numbers and tiers behind a base that belong to the requirement before it. */
static bool join(piece *p) {
    craft_target *target = &p->want->target;
    craft_matcher *last = target->needs ? &target->need[target->needs - 1].any_of[0] : NULL;
    bool alone = p->group < 0 && p->count == 0 && p->small == 0 && (p->tier > 0 || p->least > 0.0);
    if (!last || !alone || (p->tier > 0 && last->max_tier > 0) ||
        (p->least > 0.0 && last->min_value > 0.0)) {
        return false;
    }
    last->max_tier = p->tier > 0 ? (uint8_t)p->tier : last->max_tier;
    last->min_value = p->least > 0.0 ? p->least : last->min_value;
    return true;
}

static void read_piece(craft_want *want, const craft_pack *pack, char *text, bool joined) {
    piece p = {.pack = pack, .want = want, .at = text};
    begin(&p);
    while (*p.at) {
        if (!read_tier(&p) && !read_open(&p) && !read_number(&p) && !read_group(&p) &&
            !take_filler(&p)) {
            tell_unparsed(&p, p.group >= 0 ? p.start : p.at, p.at);
            return;
        }
        skip(&p);
    }
    if (!joined || !join(&p)) {
        finish(&p);
    }
}

/* ---- the whole ---- */

/* Cuts out "ilvl 85" or "item level 85". */
static void take_level(craft_want *want, const craft_pack *pack, char *text) {
    static const char *const words[] = {"item level", "ilevel", "ilvl"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        char *found = strstr(text, words[k]), *end = NULL;
        char *number = found ? found + strlen(words[k]) : NULL;
        number = number ? number + strspn(number, " :=>") : NULL;
        if (!number || !isdigit((unsigned char)*number)) {
            continue;
        }
        long level = strtol(number, &end, 10);
        if (level < 1 || level > 100) {
            piece p = {.pack = pack, .want = want};
            char told[CRAFT_NAME];
            snprintf(told, sizeof told, "%.*s", (int)(end - found), found);
            tell_unparsed(&p, told, told);
        } else {
            want->target.ilvl = (int32_t)level;
        }
        memset(found, CUT, (size_t)(end - found));
        return;
    }
}

/* Cuts out the base: a class that several have stays as it was told, for whoever asks for one. */
static void take_base(craft_want *want, const craft_pack *pack, char *text) {
    craft_place place;
    int base = craft_want_base(pack, text, want->target.ilvl, &place);
    size_t length = place.end - place.start;
    if (length > 0) {
        snprintf(want->target.base, CRAFT_NAME, "%.*s",
                 (int)(length < CRAFT_NAME ? length : CRAFT_NAME - 1),
                 base >= 0 ? pack->bases[base].name : text + place.start);
        if (base >= 0) {
            snprintf(want->target.base, CRAFT_NAME, "%s", pack->bases[base].name);
        }
        memset(text + place.start, CUT, length);
    }
}

/* Length of a separator at this place: comma, semicolon, colon, ampersand, plus between blanks,
 * "and", "with". */
static size_t separator(const char *at) {
    if (strchr(",;\n&:", *at) || *at == CUT) {
        return *at ? 1 : 0;
    }
    return strncmp(at, " + ", 3) == 0      ? 3
           : strncmp(at, " and ", 5) == 0  ? 5
           : strncmp(at, " with ", 6) == 0 ? 6
                                           : 0;
}

/* In lower case, with ">=" for its sign. */
static char *lowered(const char *text) {
    char *lower = lu_alloc(strlen(text) + 1);
    size_t length = 0;
    while (*text) {
        bool sign = strncmp(text, "\xe2\x89\xa5", 3) == 0;
        if (sign) {
            lower[length++] = '>';
        }
        lower[length++] = sign ? '=' : *text == CUT ? ' ' : (char)tolower((unsigned char)*text);
        text += sign ? 3 : 1;
    }
    lower[length] = '\0';
    return lower;
}

void craft_want_read(craft_want *want, const craft_pack *pack, const char *text) {
    char *all = lowered(text), *start = all;
    bool joined = false;
    memset(want, 0, sizeof *want);
    take_level(want, pack, all);
    take_base(want, pack, all);
    for (char *at = all, last = 'x'; last; at++) {
        size_t skips = separator(at);
        last = *at;
        if (skips > 0 || !last) {
            *at = '\0';
            read_piece(want, pack, start, joined);
            joined = last == CUT || (joined && at == start);
            at += skips > 0 ? skips - 1 : 0;
            start = at + 1;
        }
    }
    free(all);
}

/* ---- back to words ---- */

static void matcher_words(const craft_matcher *m, const craft_pack *pack, lu_text *words) {
    lu_text_add(words, m->kind == CRAFT_MATCH_GROUP    ? pack->groups[m->row].label
                       : m->kind == CRAFT_MATCH_FAMILY ? pack->family_names[m->row]
                       : m->kind == CRAFT_MATCH_LADDER ? pack->ladder_names[m->row]
                                                       : pack->mods[m->row].id);
    if (m->max_tier > 0) {
        lu_text_addf(words, " tier %d%s", m->max_tier, m->max_tier > 1 ? " or better" : "");
    }
    if (m->min_value > 0.0) {
        lu_text_addf(words, " of at least %g", m->min_value);
    }
}

void craft_want_words(const craft_target *target, const craft_pack *pack, lu_text *words) {
    static const char *const sides[] = {"prefix", "suffix"};
    bool any = false;
    for (int k = 0; k < target->needs; k++) {
        const craft_need *need = &target->need[k];
        lu_text_add(words, any ? ", " : "");
        if (need->count > 1) {
            lu_text_addf(words, "%d x ", (int)need->count);
        }
        for (int m = 0; m < need->matchers; m++) {
            lu_text_add(words, m > 0 ? " or " : "");
            matcher_words(&need->any_of[m], pack, words);
        }
        any = true;
    }
    for (int side = 0; side < CRAFT_SIDES; side++) {
        if (target->open[side] > 0) {
            lu_text_addf(words, "%s%d open %s", any ? ", " : "", (int)target->open[side],
                         sides[side]);
            any = true;
        }
    }
}

lu_status craft_want_understood(const craft_want *want, const craft_pack *pack, lu_error *error) {
    if (want->unparsed_count == 0) {
        return LU_OK;
    }
    lu_text line = LU_TEXT_INIT;
    lu_text_add(&line, "'want': not understood: ");
    for (int k = 0; k < want->unparsed_count; k++) {
        const char *near = want->unparsed[k].nearest;
        lu_text_addf(&line, *near ? "%s'%s' (nearest: %s)" : "%s'%s'", k ? ", " : "",
                     want->unparsed[k].text, near);
    }
    lu_text_add(&line, "; understood: ");
    if (want->target.needs + want->target.open[0] + want->target.open[1] > 0) {
        craft_want_words(&want->target, pack, &line);
    } else {
        lu_text_add(&line, "nothing");
    }
    lu_text_add(&line, "; rephrase it or leave it out");
    lu_status status = lu_fail(error, LU_BAD_VALUE, "%s", line.text);
    lu_text_free(&line);
    return status;
}
