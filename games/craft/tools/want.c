/* Text to target: see want.h. */
#include "want.h"

#include "ludus/settings.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- bases ---- */

/* Attributes that a text names, as bits of str, dex, int. */
static int attributes_of(const char *text, bool whole_words) {
    static const char *const names[] = {"str", "dex", "int"};
    int bits = 0;
    for (const char *at = text; *at; at++) {
        bool starts = at == text || !isalpha((unsigned char)at[-1]);
        for (int k = 0; k < 3 && starts; k++) {
            bool ends = !isalpha((unsigned char)at[3 < strlen(at) ? 3 : strlen(at)]);
            if (strncasecmp(at, names[k], 3) == 0 && (ends || !whole_words)) {
                bits |= 1 << k;
            }
        }
    }
    return bits;
}

/* Whether the text holds the words of a class, one or many ("ring", "Rings", "boots"). */
static bool has_class(const char *text, const char *name) {
    size_t length = strlen(name), stem = name[length - 1] == 's' ? length - 1 : length;
    for (const char *at = text; *at; at++) {
        bool starts = at == text || !isalpha((unsigned char)at[-1]);
        if (starts && strncasecmp(at, name, stem) == 0) {
            const char *end = at + stem;
            end += tolower((unsigned char)*end) == 's' ? 1 : 0;
            if (!isalpha((unsigned char)*end)) {
                return true;
            }
        }
    }
    return false;
}

int craft_want_base(const craft_pack *pack, const char *text, int ilvl) {
    int found = craft_base_find(pack, text), wanted = attributes_of(text, true);
    if (found >= 0 && pack->bases[found].obtainable) {
        return found;
    }
    found = -1;
    for (int k = 0; k < pack->base_count; k++) {
        const craft_base *base = &pack->bases[k];
        const char *pool = pack->pool_names[base->pool];
        const char *attributes = strchr(pool, '_');
        bool fits = base->obtainable && has_class(text, pack->classes[base->item_class].name) &&
                    attributes_of(attributes ? attributes + 1 : "", true) == wanted &&
                    base->rare_limit[0] == base->rare_limit[1] &&
                    (ilvl == 0 || base->req_level <= ilvl);
        if (fits && (found < 0 || base->req_level > pack->bases[found].req_level)) {
            found = k;
        }
    }
    return found;
}

/* ---- pieces ---- */

/* One piece of the text, in lower case, and where it is read. */
typedef struct piece {
    char text[160];
    char *at;
    int count, tier, open_side; /* 0, 0, -1: not told */
    double least;               /* 0: not told */
} piece;

static void skip(piece *p) {
    while (*p->at && strchr(" \t().:", *p->at)) {
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

/* "t1", "tier 2", "t2+"; "or better" may follow. */
static bool take_tier(piece *p) {
    static const char *const after[] = {"or better", "or higher", "+", NULL};
    char *start = p->at;
    skip(p);
    bool word = take(p, "tier");
    skip(p);
    if (!word && *p->at == 't' && isdigit((unsigned char)p->at[1])) {
        p->at++;
        word = true;
    }
    if (!word || !isdigit((unsigned char)*p->at)) {
        p->at = start;
        return false;
    }
    p->tier = (int)strtol(p->at, &p->at, 10);
    (void)take_any(p, after);
    return true;
}

/* A number: how many up to three, else, or with a percent sign, a least value. */
static bool take_number(piece *p) {
    static const char *const least[] = {">=", "\xe2\x89\xa5", "at least", "min", "minimum", NULL};
    static const char *const words[] = {"one", "two", "three", NULL};
    char *start = p->at;
    (void)take_any(p, least);
    skip(p);
    for (int k = 0; words[k]; k++) {
        if (take(p, words[k])) {
            p->count = k + 1;
            return true;
        }
    }
    if (!isdigit((unsigned char)*p->at)) {
        p->at = start;
        return false;
    }
    double number = strtod(p->at, &p->at);
    bool percent = take(p, "%"), plus = take(p, "+");
    if (percent || plus || number > 3.0) {
        p->least = number;
    } else {
        p->count = (int)number;
    }
    return true;
}

static bool take_open(piece *p) {
    static const char *const open[] = {"open", "free", "empty", NULL};
    static const char *const sides[][3] = {{"prefix", "prefixes", NULL},
                                           {"suffix", "suffixes", NULL}};
    char *start = p->at;
    if (!take_any(p, open)) {
        return false;
    }
    for (int side = 0; side < CRAFT_SIDES; side++) {
        if (take_any(p, sides[side])) {
            p->open_side = side;
            return true;
        }
    }
    p->at = start;
    return false;
}

/* The longest synonym that is next; -1 = none. */
static int take_group(piece *p, const craft_pack *pack) {
    int found = -1;
    size_t longest = 0;
    skip(p);
    for (int k = 0; k < pack->group_count; k++) {
        for (const char *word = pack->groups[k].synonyms; *word;) {
            size_t length = strcspn(word, "|");
            bool ends = !isalpha((unsigned char)p->at[strnlen(p->at, length)]);
            if (length > longest && strncmp(p->at, word, length) == 0 && ends) {
                found = k;
                longest = length;
            }
            word += length + (word[length] == '|' ? 1 : 0);
        }
    }
    p->at += longest;
    return found;
}

/* ---- the whole ---- */

static void tell_unparsed(craft_want *want, const craft_pack *pack, const char *text) {
    enum { SYNONYMS = 512 };
    const char *words[SYNONYMS];
    char kept[SYNONYMS][40];
    size_t count = 0;
    if (want->unparsed_count == CRAFT_UNPARSED) {
        return;
    }
    for (int k = 0; k < pack->group_count; k++) {
        for (const char *word = pack->groups[k].synonyms; *word && count < SYNONYMS;) {
            size_t length = strcspn(word, "|");
            snprintf(kept[count], sizeof kept[count], "%.*s", (int)length, word);
            words[count] = kept[count];
            count++;
            word += length + (word[length] == '|' ? 1 : 0);
        }
    }
    const char *near = lu_nearest(text, words, count), *own = NULL;
    for (int k = 0; near && k < pack->group_count && !own; k++) {
        own = strstr(pack->groups[k].synonyms, near) ? pack->groups[k].label : NULL;
    }
    snprintf(want->unparsed[want->unparsed_count].text, CRAFT_NAME, "%s", text);
    want->unparsed[want->unparsed_count++].nearest = own;
}

static void add_need(craft_want *want, const craft_pack *pack, const piece *p, int group) {
    craft_target *target = &want->target;
    if (target->needs == CRAFT_NEEDS_MAX) {
        tell_unparsed(want, pack, p->text);
        return;
    }
    craft_need *need = &target->need[target->needs++];
    snprintf(need->id, sizeof need->id, "%s", pack->groups[group].id);
    need->count = p->count > 0 ? p->count : 1;
    need->weight = 1.0;
    need->matchers = 1;
    need->any_of[0] = (craft_matcher){.kind = CRAFT_MATCH_GROUP,
                                      .max_tier = (uint8_t)p->tier,
                                      .row = group,
                                      .min_value = p->least};
}

/* "ilvl 85"; a base, a class with attributes. What is behind it is read on. */
static bool take_item(craft_want *want, const craft_pack *pack, piece *p) {
    char *found = strstr(p->text, "ilvl");
    if (found) {
        char *start = found + strcspn(found, "0123456789");
        want->target.ilvl = (int32_t)strtol(start, NULL, 10);
    }
    char before[160];
    snprintf(before, sizeof before, "%.*s", found ? (int)(found - p->text) : (int)strlen(p->text),
             p->text);
    for (size_t end = strlen(before); end > 0 && before[end - 1] == ' '; end--) {
        before[end - 1] = '\0';
    }
    int base = *before ? craft_want_base(pack, before, want->target.ilvl) : -1;
    if (base >= 0) {
        snprintf(want->target.base, sizeof want->target.base, "%s", pack->bases[base].name);
        for (int k = 0; k < pack->class_count; k++) { /* "ring life": the rest is a requirement */
            size_t length = strlen(pack->classes[k].name);
            if (strncasecmp(before, pack->classes[k].name, length) == 0 && before[length] == ' ') {
                p->at = p->text + length;
                return false;
            }
        }
    }
    return base >= 0 || (found && found == p->text);
}

static void read_piece(craft_want *want, const craft_pack *pack, piece *p) {
    bool more = true;
    int group = -1;
    p->at = p->text;
    p->count = p->tier = 0;
    p->least = 0.0;
    p->open_side = -1;
    skip(p);
    if (!*p->at || take_item(want, pack, p)) {
        return;
    }
    while (more) {
        skip(p);
        more = take_tier(p) || take_open(p) || take_number(p);
        if (!more && group < 0) {
            group = take_group(p, pack);
            more = group >= 0;
        }
    }
    skip(p);
    if (*p->at || (group < 0 && p->open_side < 0)) {
        tell_unparsed(want, pack, *p->at ? p->at : p->text);
    } else if (p->open_side >= 0) {
        want->target.open[p->open_side] = p->count > 0 ? p->count : 1;
    } else {
        add_need(want, pack, p, group);
    }
}

/* Length of a separator at this place: comma, semicolon, plus between blanks, "and", "with". */
static size_t separator(const char *at) {
    if (*at == ',' || *at == ';' || *at == '\n') {
        return 1;
    }
    return strncmp(at, " + ", 3) == 0      ? 3
           : strncmp(at, " and ", 5) == 0  ? 5
           : strncmp(at, " with ", 6) == 0 ? 6
                                           : 0;
}

void craft_want_read(craft_want *want, const craft_pack *pack, const char *text) {
    piece p;
    size_t length = 0;
    memset(want, 0, sizeof *want);
    for (const char *at = text;; at++) {
        size_t skips = separator(at);
        if (skips > 0 || !*at) {
            p.text[length] = '\0';
            read_piece(want, pack, &p);
            length = 0;
            at += skips > 0 ? skips - 1 : 0;
        } else if (length + 1 < sizeof p.text) {
            p.text[length++] = (char)tolower((unsigned char)*at);
        }
        if (!*at) {
            return;
        }
    }
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
