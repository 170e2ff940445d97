/* Bases in words: see want.h. */
#include "want.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* What people say for a class, beside its name. */
static const struct {
    const char *word, *name;
} class_words[] = {
    {"body armor", "Body Armour"},
    {"chest", "Body Armour"},
    {"helm", "Helmet"},
    {"1h mace", "One Hand Mace"},
    {"one handed mace", "One Hand Mace"},
    {"one-handed mace", "One Hand Mace"},
    {"2h mace", "Two Hand Mace"},
    {"two handed mace", "Two Hand Mace"},
    {"two-handed mace", "Two Hand Mace"},
};

/* Words for attributes of armour, as bits of str, dex, int: the attribute, or the defence that it
 * stands for. Longer ones first. */
static const struct {
    const char *word;
    int bit;
} attribute_words[] = {
    {"energy shield", 4}, {"intelligence", 4}, {"dexterity", 2}, {"strength", 1},
    {"evasion", 2},       {"armour", 1},       {"armor", 1},     {"str", 1},
    {"dex", 2},           {"int", 4},          {"es", 4},
};

enum { ATTRIBUTE_WORDS = sizeof attribute_words / sizeof *attribute_words };

static bool is_letter(char c) {
    return isalpha((unsigned char)c) != 0;
}

/* Bytes of a word that stands at a place of the text, with a plural s where `many`; 0: it does not.
 */
static size_t word_at(const char *text, size_t at, const char *word, bool many) {
    size_t length = strlen(word);
    if ((at > 0 && is_letter(text[at - 1]) && is_letter(*word)) ||
        strncasecmp(text + at, word, length) != 0) {
        return 0;
    }
    length += many && tolower((unsigned char)text[at + length]) == 's' ? 1 : 0;
    return is_letter(text[at + length]) ? 0 : length;
}

/* Bytes of a class at a place, one or many ("ring", "Rings", "boot"); 0: it is not there. */
static size_t class_at(const craft_pack *pack, int row, const char *text, size_t at) {
    const char *name = pack->classes[row].name;
    char stem[40];
    size_t length = strlen(name), found = 0;
    if (at >= 7 && strncasecmp(text + at - 7, "energy ", 7) == 0) {
        return 0; /* no class, but what armour gives */
    }
    bool many = name[length - 1] == 's' && strcmp(name, "Focus") != 0;
    if (length < sizeof stem) {
        memcpy(stem, name, length + 1);
        stem[many ? length - 1 : length] = '\0';
        found = word_at(text, at, stem, true);
    }
    for (size_t k = 0; k < sizeof class_words / sizeof *class_words; k++) {
        size_t other = strcmp(class_words[k].name, name) == 0
                           ? word_at(text, at, class_words[k].word, true)
                           : 0;
        found = other > found ? other : found;
    }
    return found;
}

/* Attributes of a pool ("boots_str_dex"). */
static int attributes_of(const char *pool) {
    return (strstr(pool, "_str") ? 1 : 0) | (strstr(pool, "_dex") ? 2 : 0) |
           (strstr(pool, "_int") ? 4 : 0);
}

/* Whether bases of a class differ by attributes. */
static bool has_attributes(const craft_pack *pack, int row) {
    bool any = false;
    for (int k = 0; k < pack->base_count && !any; k++) {
        any = pack->bases[k].item_class == row &&
              attributes_of(pack->pool_names[pack->bases[k].pool]) != 0;
    }
    return any;
}

/* Attributes before the class, which grow the place to the left. */
static int take_before(const char *text, craft_place *place) {
    int bits = 0;
    for (bool more = true; more;) {
        size_t end = place->start;
        while (end > 0 && strchr(" /-()&", text[end - 1])) {
            end--;
        }
        more = false;
        for (int k = 0; k < ATTRIBUTE_WORDS && !more; k++) {
            size_t length = strlen(attribute_words[k].word);
            more = end >= length &&
                   word_at(text, end - length, attribute_words[k].word, false) == length;
            if (more) {
                bits |= attribute_words[k].bit;
                place->start = end - length;
            }
        }
    }
    while (bits && place->start > 0 && text[place->start - 1] == '(') {
        place->start--;
    }
    return bits;
}

/* Attributes behind the class ("boots (str/dex)"); one with a number is a requirement. */
static int take_behind(const char *text, craft_place *place) {
    int bits = 0;
    for (bool more = true; more;) {
        size_t at = place->end + strspn(text + place->end, " /-()&");
        more = false;
        for (int k = 0; k < ATTRIBUTE_WORDS && !more; k++) {
            size_t length = word_at(text, at, attribute_words[k].word, false);
            const char *next = text + at + length + strspn(text + at + length, " ");
            more = length > 0 && !strchr("0123456789%>=+", *next ? *next : 'x');
            if (more) {
                bits |= attribute_words[k].bit;
                place->end = at + length;
            }
        }
    }
    while (bits && text[place->end] == ')') {
        place->end++;
    }
    return bits;
}

/* The longest name of a base in the text, with its class behind it; -1: none. A name that is a
 * class means the class. */
static int named_base(const craft_pack *pack, const char *text, craft_place *place) {
    int found = -1;
    size_t longest = 0;
    for (int k = 0; k < pack->base_count; k++) {
        const craft_base *base = &pack->bases[k];
        size_t name = strlen(base->name);
        bool counts = base->obtainable && name > longest &&
                      class_at(pack, base->item_class, base->name, 0) != name;
        for (size_t at = 0; counts && text[at]; at++) {
            if (word_at(text, at, base->name, false)) {
                found = k;
                longest = name;
                *place = (craft_place){at, at + name};
                break;
            }
        }
    }
    if (found >= 0) {
        size_t next = place->end + strspn(text + place->end, " ");
        size_t behind = class_at(pack, pack->bases[found].item_class, text, next);
        place->end = behind > 0 ? next + behind : place->end;
    }
    return found;
}

/* The longest class in the text, -1: none. */
static int named_class(const craft_pack *pack, const char *text, craft_place *place) {
    int found = -1;
    size_t longest = 0;
    for (size_t at = 0; text[at]; at++) {
        for (int k = 0; k < pack->class_count; k++) {
            size_t length = class_at(pack, k, text, at);
            if (length > longest) {
                found = k;
                longest = length;
                *place = (craft_place){at, at + length};
            }
        }
    }
    return found;
}

int craft_want_base(const craft_pack *pack, const char *text, int ilvl, craft_place *place) {
    craft_place none;
    place = place ? place : &none;
    *place = (craft_place){0, 0};
    int found = named_base(pack, text, place), row = -1, wanted = 0;
    if (found >= 0 || (row = named_class(pack, text, place)) < 0) {
        return found;
    }
    if (has_attributes(pack, row)) {
        wanted = take_before(text, place);
        wanted = wanted ? wanted : take_behind(text, place);
    }
    for (int k = 0; k < pack->base_count; k++) {
        const craft_base *base = &pack->bases[k];
        bool fits = base->obtainable && base->item_class == row &&
                    attributes_of(pack->pool_names[base->pool]) == wanted &&
                    base->rare_limit[0] == base->rare_limit[1] &&
                    (ilvl == 0 || base->req_level <= ilvl);
        if (fits && (found < 0 || base->req_level > pack->bases[found].req_level)) {
            found = k;
        }
    }
    return found;
}
