/* Reads items of the clipboard. Lines of modifiers are covered by modifiers of the pool: one cover
 * is the item, two are a question. */
#include "craft_clipboard.h"

#include "craft_item.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    LINES = 32,    /* of modifiers */
    HEADS = 24,    /* headers in braces; 0 stands for none */
    SHAPE = 240,   /* bytes of a line with # for its numbers */
    NUMBERS = 6,   /* of a line */
    PARTS = 4,     /* lines of a modifier */
    WAYS = 20000,  /* partial covers that are looked at: no item of the game has as many */
    TEXT = 1 << 16 /* bytes of an item, at most */
};

/* A line with its numbers taken out. */
typedef struct shape {
    char text[SHAPE];
    double low[NUMBERS], high[NUMBERS]; /* both the same in a rolled line */
    int numbers;
} shape;

typedef struct head {
    char name[100]; /* "": not told */
    int side, tier; /* -1, 0: not told */
    int flags;
    int lines;
    bool skipped; /* of an implicit, enchantment or rune */
    int option;   /* that a reveal shows, from 1 on; 0: it is on the item */
} head;

typedef struct line {
    shape shape;
    int head, flags;
    unsigned number; /* in the text */
} line;

/* A modifier of a cover: the lines of its parts. */
typedef struct hit {
    int entry;
    int part[PARTS], parts;
} hit;

typedef struct clip {
    const craft_pack *pack;
    const char *name;
    lu_error *error;
    craft_pool *pool;
    int base, ilvl, rarity, sockets, quality, catalyst, flags;
    int hidden[CRAFT_SIDES];
    int options;   /* that a reveal shows */
    bool echoed;   /* they were drawn again */
    bool levelled; /* behind the item level: modifiers come now */
    head heads[HEADS];
    line lines[LINES];
    int head_count, line_count;
    unsigned number;
    /* the search */
    int level; /* how little is asked: 0 name, tier and origin, 1 name and origin, 2 text */
    shape (*part)[PARTS]; /* of each entry */
    int *parts;
    hit now[CRAFT_MODS], first[CRAFT_MODS];
    int depth, found, first_count, ways;
    lu_json shown; /* the options */
    int clash;     /* line that two covers read differently */
    int clash_entry;
} clip;

static const char *const rarity_words[CRAFT_RARITIES] = {"normal", "magic", "rare"};

static const struct {
    const char *word;
    int flag;
} marks[] = {
    {"fractured", CRAFT_FRACTURED},
    {"desecrated", CRAFT_DESECRATED},
    {"crafted", CRAFT_CRAFTED},
};

/* ---- shapes ---- */

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_word(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Reads a number of digits and a point; *at is behind it. */
static bool take_number(const char **at, const char *end, double *value) {
    char digits[24];
    size_t count = 0;
    const char *p = *at;
    if (p < end && *p == '-') {
        digits[count++] = *p++;
    }
    while (p < end && count + 1 < sizeof digits &&
           (is_digit(*p) || (*p == '.' && p + 1 < end && is_digit(p[1])))) {
        digits[count++] = *p++;
    }
    digits[count] = '\0';
    if (count == 0 || !is_digit(digits[count - 1])) {
        return false;
    }
    *value = strtod(digits, NULL);
    *at = p;
    return true;
}

/* A range in brackets, (5-8) or (-10--5). */
static bool take_range(const char **at, const char *end, double *low, double *high) {
    const char *p = *at + 1;
    if (*at >= end || **at != '(' || !take_number(&p, end, low) || p >= end || *p != '-') {
        return false;
    }
    p++;
    if (!take_number(&p, end, high) || p >= end || *p != ')') {
        return false;
    }
    *at = p + 1;
    return true;
}

/* The shape of a line; a rolled value may have its range behind it. False: it is too long. */
static bool shape_of(const char *at, const char *end, shape *s) {
    size_t length = 0;
    char before = ' ';
    s->numbers = 0;
    while (at < end) {
        double low, high;
        bool minus = *at == '-' && !is_word(before) && at + 1 < end && is_digit(at[1]);
        bool number = false;
        if (take_range(&at, end, &low, &high)) {
            number = true;
        } else if ((minus || is_digit(*at)) && take_number(&at, end, &low)) {
            double from, to;
            number = true;
            high = low;
            take_range(&at, end, &from, &to);
        }
        if (length + 2 > SHAPE || (number && s->numbers == NUMBERS)) {
            return false;
        }
        if (number) {
            s->low[s->numbers] = low < high ? low : high;
            s->high[s->numbers++] = low < high ? high : low;
            s->text[length++] = '#';
            before = '#';
        } else {
            before = *at;
            s->text[length++] = *at >= 'A' && *at <= 'Z' ? (char)(*at + 32) : *at;
            at++;
        }
    }
    s->text[length] = '\0';
    return true;
}

/* Parts of a modifier's text, which stand on lines of their own. */
static int parts_of(const char *text, shape part[PARTS]) {
    int count = 0;
    for (const char *at = text; *at && count < PARTS; count++) {
        const char *end = strstr(at, " / ");
        end = end ? end : at + strlen(at);
        if (!shape_of(at, end, &part[count])) {
            return 0;
        }
        at = *end ? end + 3 : end;
    }
    return count;
}

/* ---- lines ---- */

static lu_status refuse(const clip *c, unsigned number, const char *what, const char *text) {
    return lu_fail(c->error, LU_BAD_DATA, "%s:%u: %s '%.100s'", c->name, number, what, text);
}

static bool starts(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

/* Takes a marker off the end. */
static bool drop_end(char *text, const char *marker) {
    size_t length = strlen(text), own = strlen(marker);
    if (length < own || strcasecmp(text + length - own, marker) != 0) {
        return false;
    }
    text[length - own] = '\0';
    return true;
}

static int drop_marks(char *text, bool *skipped) {
    static const char *const others[] = {" (implicit)", " (enchant)", " (rune)"};
    int flags = 0;
    bool more = true;
    while (more) {
        more = drop_end(text, " (augmented)") || drop_end(text, " \xe2\x80\x94 Unscalable Value");
        for (size_t k = 0; k < sizeof marks / sizeof *marks; k++) {
            char marker[24];
            snprintf(marker, sizeof marker, " (%s)", marks[k].word);
            if (drop_end(text, marker)) {
                flags |= marks[k].flag;
                more = true;
            }
        }
        for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
            bool here = drop_end(text, others[k]);
            *skipped = *skipped || here;
            more = more || here;
        }
    }
    return flags;
}

static lu_status add_line(clip *c, const char *text, int flags) {
    line *l = &c->lines[c->line_count];
    if (c->line_count == LINES || !shape_of(text, text + strlen(text), &l->shape)) {
        return refuse(c, c->number, "this is no modifier of an item:", text);
    }
    l->head = c->head_count;
    l->flags = flags | c->heads[l->head].flags;
    l->number = c->number;
    c->heads[l->head].lines++;
    c->line_count++;
    return LU_OK;
}

/* { Fractured Prefix Modifier "Hale" (Tier: 3) — Life }; one that a reveal shows is an Option. */
static lu_status read_head(clip *c, const char *text) {
    if (c->head_count + 1 >= HEADS) {
        return refuse(c, c->number, "there are too many modifiers; the last is", text);
    }
    head *h = &c->heads[++c->head_count];
    const char *open = strchr(text, '"'), *close = open ? strchr(open + 1, '"') : NULL;
    const char *tier = strstr(text, "(Tier: ");
    *h = (head){.side = strstr(text, "Prefix Modifier")   ? CRAFT_PREFIX
                        : strstr(text, "Suffix Modifier") ? CRAFT_SUFFIX
                                                          : -1};
    bool option = strstr(text, "Option") && (!open || strstr(text, "Option") < open);
    h->skipped = h->side < 0;
    h->option = option ? ++c->options : 0;
    h->tier = tier ? (int)strtol(tier + 7, NULL, 10) : 0;
    if (close && close - open - 1 < (int)sizeof h->name) {
        memcpy(h->name, open + 1, (size_t)(close - open - 1));
    }
    for (size_t k = 0; k < sizeof marks / sizeof *marks; k++) {
        const char *at = strcasestr(text, marks[k].word);
        h->flags |= at && (!open || at < open) ? marks[k].flag : 0;
    }
    h->flags |= option ? CRAFT_DESECRATED : 0;
    return LU_OK;
}

/* "+33% to Fire Resistance (option)": an option that a reveal shows, its parts behind slashes. */
static lu_status read_option(clip *c, char *text) {
    if (c->head_count + 2 >= HEADS) {
        return refuse(c, c->number, "there are too many modifiers; the last is", text);
    }
    c->heads[++c->head_count] =
        (head){.side = -1, .option = ++c->options, .flags = CRAFT_DESECRATED};
    for (char *at = text; at;) {
        char *end = strstr(at, " / ");
        if (end) {
            *end = '\0';
        }
        LU_TRY(add_line(c, at, 0));
        at = end ? end + 3 : NULL;
    }
    c->heads[++c->head_count] = (head){.side = -1}; /* ends it */
    return LU_OK;
}

/* "Unrevealed Prefix", "Desecrated Suffix Modifier": the side of what is not revealed. */
static int hidden_side(const char *text) {
    const char *at = strncasecmp(text, "Unrevealed ", 11) == 0   ? text + 11
                     : strncasecmp(text, "Desecrated ", 11) == 0 ? text + 11
                                                                 : "";
    return strncasecmp(at, "Prefix", 6) == 0   ? CRAFT_PREFIX
           : strncasecmp(at, "Suffix", 6) == 0 ? CRAFT_SUFFIX
                                               : -1;
}

static lu_status read_mod_line(clip *c, char *text) {
    bool skipped = c->head_count > 0 && c->heads[c->head_count].skipped;
    int side = hidden_side(text);
    if (*text == '{') {
        return read_head(c, text);
    }
    if (side >= 0) {
        c->hidden[side]++;
        return LU_OK;
    }
    if (drop_end(text, " (option)")) {
        return read_option(c, text);
    }
    int flags = drop_marks(text, &skipped);
    if (skipped || *text == '(') { /* a reminder of the game stands in brackets */
        return LU_OK;
    }
    return add_line(c, text, flags);
}

/* "Quality (Fire Modifiers): +20% (augmented)", "Quality: +20% (Fire Modifiers)". */
static void read_quality(clip *c, const char *text) {
    const char *open = strchr(text, '('), *plus = strchr(text, '+');
    for (int tag = 0; tag < c->pack->tag_count && open && plus; tag++) {
        size_t length = strlen(c->pack->tag_names[tag]);
        if (strncasecmp(open + 1, c->pack->tag_names[tag], length) == 0 &&
            strncasecmp(open + 1 + length, " Modifiers", 10) == 0) {
            long percent = strtol(plus + 1, NULL, 10);
            c->catalyst = tag + 1;
            c->quality = percent > 0 && percent <= 40 ? (int)percent : 0;
        }
    }
}

static lu_status read_level(clip *c, const char *text) {
    long level = strtol(text, NULL, 10);
    if (level < 1 || level > 100) {
        return refuse(c, c->number, "an item level is 1 to 100, not", text);
    }
    c->ilvl = (int)level;
    c->levelled = true;
    return LU_OK;
}

/* Longest base whose name a line has as words: magic items have other words around it. */
static void find_base(clip *c, const char *text) {
    size_t best = c->base >= 0 ? strlen(c->pack->bases[c->base].name) : 0;
    for (int k = 0; k < c->pack->base_count; k++) {
        const char *name = c->pack->bases[k].name, *at = strcasestr(text, name);
        size_t length = strlen(name);
        bool whole = at && (at == text || !is_word(at[-1])) && !is_word(at[length]);
        if (whole && length > best) {
            best = length;
            c->base = k;
        }
    }
}

static lu_status read_rarity(clip *c, const char *text) {
    for (int k = 0; k < CRAFT_RARITIES; k++) {
        if (strcasecmp(text, rarity_words[k]) == 0) {
            c->rarity = k;
            return LU_OK;
        }
    }
    return refuse(c, c->number, "only normal, magic and rare items are crafted, not", text);
}

static lu_status read_line(clip *c, char *text, int section) {
    static const struct {
        const char *word;
        int flag;
    } states[] = {{"Corrupted", CRAFT_CORRUPTED},
                  {"Mirrored", CRAFT_MIRRORED},
                  {"Sanctified", CRAFT_SANCTIFIED}};
    for (size_t k = 0; k < sizeof states / sizeof *states; k++) {
        if (strcmp(text, states[k].word) == 0) {
            c->flags |= states[k].flag;
            return LU_OK;
        }
    }
    if (starts(text, "Note: ") || strcmp(text, "Fractured Item") == 0) {
        return LU_OK; /* a price of the seller; what its modifiers say anyway */
    }
    if (strcmp(text, "Options drawn again") == 0) {
        c->echoed = true;
        return LU_OK;
    }
    if (strcmp(text, "Unidentified") == 0) {
        return refuse(c, c->number, "identify the item first: it is", text);
    }
    if (starts(text, "Rarity: ")) {
        return read_rarity(c, text + 8);
    }
    if (starts(text, "Item Level: ")) {
        return read_level(c, text + 12);
    }
    if (section == 0 && !starts(text, "Item Class:")) {
        find_base(c, text);
    } else if (starts(text, "Quality")) {
        read_quality(c, text);
    } else if (starts(text, "Sockets:")) {
        for (const char *at = text + 8; *at; at++) {
            c->sockets += *at == 'S' && c->sockets < 6;
        }
    } else if (c->levelled) {
        return read_mod_line(c, text);
    }
    return LU_OK;
}

static lu_status read_lines(clip *c, const char *text, size_t length) {
    const char *end = text + length;
    int section = 0;
    while (text < end) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        const char *after = stop ? stop + 1 : end;
        char buffer[400];
        stop = stop ? stop : end;
        while (stop > text && (stop[-1] == '\r' || stop[-1] == ' ')) {
            stop--;
        }
        while (text < stop && (*text == ' ' || *text == '\t')) {
            text++;
        }
        c->number++;
        if (stop - text >= (int)sizeof buffer || memchr(text, '\0', (size_t)(stop - text))) {
            return refuse(c, c->number, "this line is too long or no text:", "");
        }
        memcpy(buffer, text, (size_t)(stop - text));
        buffer[stop - text] = '\0';
        if (starts(buffer, "---")) {
            section++;
            c->head_count += c->head_count > 0 && c->head_count + 1 < HEADS; /* ends the last */
            c->heads[c->head_count] = (head){.side = -1};
        } else if (*buffer) {
            LU_TRY(read_line(c, buffer, section));
        }
        text = after;
    }
    return LU_OK;
}

/* ---- covers ---- */

/* Whether a line may be a part: the same words, each number within its range. What a catalyst
 * strengthens is shown with its quality. */
static bool line_fits(const clip *c, const line *l, const shape *part, uint64_t tags) {
    bool strong = c->catalyst && tags >> (c->catalyst - 1) & 1u;
    double factor = strong ? 1.0 + c->quality / 100.0 : 1.0;
    if (l->shape.numbers != part->numbers || strcmp(l->shape.text, part->text) != 0) {
        return false;
    }
    for (int k = 0; k < part->numbers; k++) {
        double value = l->shape.low[k], slack = strong ? 1.0 : 1e-9;
        bool plain = value >= part->low[k] - 1e-9 && value <= part->high[k] + 1e-9;
        bool more =
            value >= part->low[k] * factor - slack && value <= part->high[k] * factor + slack;
        if (!plain && !(strong && more)) {
            return false;
        }
    }
    return true;
}

/* What the header of a line says, as far as it is asked. */
static bool head_fits(const clip *c, const line *l, const craft_entry *e) {
    const head *h = &c->heads[l->head];
    const craft_mod *mod = &c->pack->mods[e->mod];
    bool told = h->side >= 0;
    if (e->side >= CRAFT_SIDES || (told && h->side != e->side)) {
        return false;
    }
    if (c->level < 2) {
        bool desecrated = (l->flags & CRAFT_DESECRATED) != 0;
        bool origin = craft_is_drawn(e) || (desecrated && e->origin == CRAFT_ORIGIN_DESECRATED);
        bool named = !told || !*h->name || strcmp(h->name, mod->name) == 0;
        bool tiered = c->level == 1 || !told || h->tier == 0 || h->tier == e->tier;
        return origin && named && tiered;
    }
    return true;
}

/* Finds the lines of an entry, the first of them `from`; false: some part has none. */
static bool place(const clip *c, int entry, int from, const bool *used, hit *h) {
    const craft_entry *e = &c->pool->entry[entry];
    bool mine[LINES] = {false};
    h->entry = entry;
    h->parts = c->parts[entry];
    for (int p = 0; p < h->parts; p++) {
        h->part[p] = -1;
        for (int k = from; k < c->line_count && h->part[p] < 0; k++) {
            if (!used[k] && !mine[k] && c->lines[k].head == c->lines[from].head &&
                line_fits(c, &c->lines[k], &c->part[entry][p], e->tags)) {
                h->part[p] = k;
                mine[k] = true;
            }
        }
        if (h->part[p] < 0) {
            return false;
        }
    }
    const head *own = &c->heads[c->lines[from].head];
    return h->parts > 0 && mine[from] && (own->side < 0 || own->lines == h->parts);
}

/* A cover is complete: the first is kept, what differs from it is remembered. */
static void take_cover(clip *c) {
    if (c->found++ == 0) {
        memcpy(c->first, c->now, sizeof c->first);
        c->first_count = c->depth;
        return;
    }
    for (int k = 0; k < c->depth && c->clash < 0; k++) {
        bool same = false;
        for (int n = 0; n < c->first_count; n++) {
            same = same || c->first[n].entry == c->now[k].entry;
        }
        if (!same) {
            c->clash = c->now[k].part[0];
            c->clash_entry = c->now[k].entry;
        }
    }
}

static void cover(clip *c, const bool *used, const int *room) {
    int from = 0;
    c->ways++;
    while (from < c->line_count && used[from]) {
        from++;
    }
    if (from == c->line_count) {
        take_cover(c);
        return;
    }
    for (int entry = 0;
         entry < c->pool->entries && c->found < 2 && c->ways < WAYS && c->depth < CRAFT_MODS;
         entry++) {
        const craft_entry *e = &c->pool->entry[entry];
        hit *h = &c->now[c->depth];
        bool taken = false, next[LINES];
        for (int k = 0; k < c->depth; k++) {
            taken = taken || c->pool->entry[c->now[k].entry].family == e->family;
        }
        if (taken || !head_fits(c, &c->lines[from], e) || room[e->side] == 0 ||
            !place(c, entry, from, used, h)) {
            continue;
        }
        int left[CRAFT_SIDES] = {room[0] - (e->side == 0), room[1] - (e->side == 1)};
        memcpy(next, used, sizeof next);
        for (int p = 0; p < h->parts; p++) {
            next[h->part[p]] = true;
        }
        c->depth++;
        cover(c, next, left);
        c->depth--;
    }
}

/* The first line that no modifier of the base has. */
static lu_status refuse_lines(clip *c) {
    for (int k = 0; k < c->line_count; k++) {
        bool fits = false;
        for (int entry = 0; entry < c->pool->entries; entry++) {
            const craft_entry *e = &c->pool->entry[entry];
            for (int p = 0; p < c->parts[entry] && e->side < CRAFT_SIDES; p++) {
                fits = fits || line_fits(c, &c->lines[k], &c->part[entry][p], e->tags);
            }
        }
        if (!fits) {
            return lu_fail(
                c->error, LU_BAD_DATA,
                "%s:%u: no modifier of %s reads '%.100s' with these values; a plain copy "
                "adds up modifiers of one kind: copy with their descriptions",
                c->name, c->lines[k].number, c->pack->bases[c->base].name, c->lines[k].shape.text);
        }
    }
    return lu_fail(c->error, LU_BAD_DATA,
                   "%s: no set of modifiers of %s reads as these lines together", c->name,
                   c->pack->bases[c->base].name);
}

/* Covers the lines by modifiers, at most so many of each side. */
static lu_status solve(clip *c, const int *room) {
    for (c->level = 0; c->level < 3 && c->found == 0; c->level++) {
        bool used[LINES] = {false};
        c->depth = 0;
        c->clash = -1;
        cover(c, used, room);
    }
    if (c->ways >= WAYS) {
        return lu_fail(c->error, LU_BAD_DATA,
                       "%s: its lines can be read in too many ways; copy with descriptions",
                       c->name);
    }
    if (c->found == 0) {
        return refuse_lines(c);
    }
    if (c->found > 1) {
        int at = c->clash < 0 ? 0 : c->clash, one = c->first[0].entry;
        for (int k = 0; k < c->first_count; k++) {
            for (int p = 0; p < c->first[k].parts; p++) {
                one = c->first[k].part[p] == at ? c->first[k].entry : one;
            }
        }
        return lu_fail(c->error, LU_BAD_DATA,
                       "%s:%u: '%.100s' may be %s or %s; copy with descriptions of modifiers, or "
                       "write the item with their ids",
                       c->name, c->lines[at].number, c->lines[at].shape.text,
                       c->pack->mods[c->pool->entry[one].mod].id,
                       c->pack->mods[c->pool->entry[c->clash_entry].mod].id);
    }
    return LU_OK;
}

/* ---- the item ---- */

/* Rolls of a modifier from the numbers of its lines, those that are fixed in its text apart. */
static void put_rolls(const clip *c, const hit *h, lu_json *json) {
    const craft_entry *e = &c->pool->entry[h->entry];
    const craft_mod *mod = &c->pack->mods[e->mod];
    bool strong = c->catalyst && e->tags >> (c->catalyst - 1) & 1u;
    double value[PARTS * NUMBERS];
    int count = 0, next = 0;
    for (int p = 0; p < h->parts; p++) {
        const shape *part = &c->part[h->entry][p];
        for (int k = 0; k < part->numbers; k++) {
            double rolled = c->lines[h->part[p]].shape.low[k];
            if (part->low[k] < part->high[k]) {
                value[count++] =
                    strong && rolled > part->high[k] ? rolled / (1.0 + c->quality / 100.0) : rolled;
            }
        }
    }
    lu_json_key_array(json, "roll");
    for (int k = 0; k < mod->ranges; k++) {
        const craft_range *range = &mod->range[k];
        int roll = 0, most = e->steps[k] > 0 ? e->steps[k] - 1 : 0;
        if (range->low < range->high && next < count) {
            double unit = range->decimals == 2 ? 100.0 : range->decimals == 1 ? 10.0 : 1.0;
            roll = (int)lround(value[next++] * unit) - range->low;
        }
        lu_json_int(json, roll < 0 ? 0 : roll > most ? most : roll);
    }
    lu_json_array_end(json);
}

static void put_mod(const clip *c, const hit *h, lu_json *json) {
    lu_json_object(json);
    lu_json_key_string(json, "mod", c->pack->mods[c->pool->entry[h->entry].mod].id);
    put_rolls(c, h, json);
}

/* An option that a reveal shows, appended: a modifier of the side of what is unrevealed. */
static lu_status put_option(const clip *c, int option, lu_json *json) {
    clip *one = lu_alloc(sizeof *one);
    int room[CRAFT_SIDES] = {c->hidden[0] > 0, c->hidden[0] == 0};
    *one = *c;
    one->line_count = 0;
    for (int k = 0; k < c->line_count; k++) {
        if (c->heads[c->lines[k].head].option == option) {
            one->lines[one->line_count++] = c->lines[k];
        }
    }
    lu_status status = solve(one, room);
    if (status == LU_OK && one->first_count == 1) {
        put_mod(one, &one->first[0], json);
        lu_json_object_end(json);
    }
    free(one);
    return status;
}

/* The options, which belong to one unrevealed modifier, and the lines of the item itself. */
static lu_status find_options(clip *c) {
    lu_status status = LU_OK;
    if (c->options > 3 || (c->options > 0 && c->hidden[0] + c->hidden[1] == 0)) {
        return lu_fail(c->error, LU_BAD_DATA,
                       "%s: it shows %d options: up to three are of an unrevealed modifier, which "
                       "stands beside them as 'Unrevealed Prefix' or 'Unrevealed Suffix'",
                       c->name, c->options);
    }
    for (int k = 1; k <= c->options && status == LU_OK; k++) {
        status = put_option(c, k, &c->shown);
    }
    int lines = 0;
    for (int k = 0; k < c->line_count; k++) {
        if (!c->heads[c->lines[k].head].option) {
            c->lines[lines++] = c->lines[k];
        }
    }
    c->line_count = lines;
    return status;
}

static void put_item(const clip *c, lu_json *json) {
    lu_json_object(json);
    lu_json_key_string(json, "base", c->pack->bases[c->base].name);
    lu_json_key_int(json, "ilvl", c->ilvl);
    lu_json_key_string(json, "rarity", rarity_words[c->rarity]);
    lu_json_key_array(json, "mods");
    for (int k = 0; k < c->first_count; k++) {
        const hit *h = &c->first[k];
        put_mod(c, h, json);
        for (size_t m = 0; m < sizeof marks / sizeof *marks; m++) {
            if (c->lines[h->part[0]].flags & marks[m].flag) {
                lu_json_key_bool(json, marks[m].word, true);
            }
        }
        lu_json_object_end(json);
    }
    lu_json_array_end(json);
    lu_json_key_array(json, "unrevealed");
    for (int side = 0; side < CRAFT_SIDES; side++) {
        for (int k = 0; k < c->hidden[side]; k++) {
            lu_json_string(json, side ? "S" : "P");
        }
    }
    lu_json_array_end(json);
    if (c->options > 0) {
        lu_json_key_raw(json, "options", c->shown.text);
        lu_json_key_bool(json, "echoed", c->echoed);
    }
    if (c->catalyst) {
        lu_json_key_int(json, "quality", c->quality);
        lu_json_key_string(json, "catalyst", c->pack->tag_names[c->catalyst - 1]);
    }
    lu_json_key_int(json, "sockets", c->sockets);
    lu_json_key_bool(json, "corrupted", (c->flags & CRAFT_CORRUPTED) != 0);
    lu_json_key_bool(json, "sanctified", (c->flags & CRAFT_SANCTIFIED) != 0);
    lu_json_key_bool(json, "mirrored", (c->flags & CRAFT_MIRRORED) != 0);
    lu_json_object_end(json);
}

static lu_status find_mods(clip *c) {
    craft_switches switches = craft_switches_of(c->pack->about.version);
    LU_TRY(craft_pool_init(c->pool, c->pack, c->base, c->ilvl, &switches, c->error));
    for (int k = 0; k < c->pool->entries; k++) {
        c->parts[k] = parts_of(c->pack->mods[c->pool->entry[k].mod].text, c->part[k]);
    }
    lu_json_array(&c->shown);
    LU_TRY(find_options(c));
    lu_json_array_end(&c->shown);
    int room[CRAFT_SIDES];
    for (int side = 0; side < CRAFT_SIDES; side++) {
        room[side] = c->pool->limit[c->rarity][side] - c->hidden[side];
        if (room[side] < 0) {
            return lu_fail(c->error, LU_BAD_DATA, "%s: more unrevealed modifiers than fit",
                           c->name);
        }
    }
    return solve(c, room);
}

static lu_status read_all(clip *c, const char *text, size_t length, lu_json *json) {
    if (length > TEXT) {
        return lu_fail(c->error, LU_BAD_DATA, "%s: it is too long for one item", c->name);
    }
    LU_TRY(read_lines(c, text, length));
    if (c->rarity < 0 || c->base < 0 || !c->levelled) {
        return lu_fail(c->error, LU_BAD_DATA, "%s: it has no %s; copy the item in the game",
                       c->name,
                       c->rarity < 0 ? "line 'Rarity: ...'"
                       : c->base < 0 ? "base that is known"
                                     : "line 'Item Level: ...'");
    }
    LU_TRY(find_mods(c));
    put_item(c, json);
    return LU_OK;
}

bool craft_is_clipboard(const char *text, size_t length) {
    size_t at = length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    while (at < length && (text[at] == ' ' || text[at] == '\n' || text[at] == '\r')) {
        at++;
    }
    return at < length && text[at] != '{' && text[at] != '[';
}

lu_status craft_clipboard_read(const craft_pack *pack, const char *name, const char *text,
                               size_t length, lu_json *json, lu_error *error) {
    clip *c = lu_alloc_zero(1, sizeof *c);
    *c = (clip){.pack = pack, .name = name, .error = error, .base = -1, .rarity = -1};
    c->heads[0].side = -1;
    c->pool = lu_alloc(sizeof *c->pool);
    c->part = lu_alloc_zero(CRAFT_ENTRIES, sizeof *c->part);
    c->parts = lu_alloc_zero(CRAFT_ENTRIES, sizeof *c->parts);
    lu_status status = read_all(c, text, length, json);
    free(c->pool);
    free(c->part);
    free(c->parts);
    lu_json_free(&c->shown);
    free(c);
    return status == LU_OK ? LU_OK : LU_BAD_DATA;
}
