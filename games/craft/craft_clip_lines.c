/* Takes the text of a copied item apart: headers, lines of modifiers, and their shapes, which are
 * the lines with # for each number. */
#include "craft_clip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char *const clip_rarities[CRAFT_RARITIES] = {"normal", "magic", "rare"};

const clip_mark clip_marks[CLIP_MARKS] = {
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
static bool shape_of(const char *at, const char *end, clip_shape *s) {
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
        if (length + 2 > CLIP_SHAPE || (number && s->numbers == CLIP_NUMBERS)) {
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

int clip_parts_of(const char *text, clip_shape part[CLIP_PARTS]) {
    int count = 0;
    for (const char *at = text; *at && count < CLIP_PARTS; count++) {
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
        for (size_t k = 0; k < CLIP_MARKS; k++) {
            char marker[24];
            snprintf(marker, sizeof marker, " (%s)", clip_marks[k].word);
            if (drop_end(text, marker)) {
                flags |= clip_marks[k].flag;
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
    clip_line *l = &c->lines[c->line_count];
    if (c->line_count == CLIP_LINES || !shape_of(text, text + strlen(text), &l->shape)) {
        return refuse(c, c->number, "this isn't an item's modifier:", text);
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
    if (c->head_count + 1 >= CLIP_HEADS) {
        return refuse(c, c->number, "there are too many modifiers; the last is", text);
    }
    clip_head *h = &c->heads[++c->head_count];
    const char *open = strchr(text, '"'), *close = open ? strchr(open + 1, '"') : NULL;
    const char *tier = strstr(text, "(Tier: ");
    *h = (clip_head){.side = strstr(text, "Prefix Modifier")   ? CRAFT_PREFIX
                             : strstr(text, "Suffix Modifier") ? CRAFT_SUFFIX
                                                               : -1};
    bool option = strstr(text, "Option") && (!open || strstr(text, "Option") < open);
    h->skipped = h->side < 0;
    h->option = option ? ++c->options : 0;
    h->tier = tier ? (int)strtol(tier + 7, NULL, 10) : 0;
    if (close && close - open - 1 < (int)sizeof h->name) {
        memcpy(h->name, open + 1, (size_t)(close - open - 1));
    }
    for (size_t k = 0; k < CLIP_MARKS; k++) {
        const char *at = strcasestr(text, clip_marks[k].word);
        h->flags |= at && (!open || at < open) ? clip_marks[k].flag : 0;
    }
    h->flags |= option ? CRAFT_DESECRATED : 0;
    return LU_OK;
}

/* "+33% to Fire Resistance (option)": an option that a reveal shows, its parts behind slashes. */
static lu_status read_option(clip *c, char *text) {
    if (c->head_count + 2 >= CLIP_HEADS) {
        return refuse(c, c->number, "there are too many modifiers; the last is", text);
    }
    c->heads[++c->head_count] =
        (clip_head){.side = -1, .option = ++c->options, .flags = CRAFT_DESECRATED};
    for (char *at = text; at;) {
        char *end = strstr(at, " / ");
        if (end) {
            *end = '\0';
        }
        LU_TRY(add_line(c, at, 0));
        at = end ? end + 3 : NULL;
    }
    c->heads[++c->head_count] = (clip_head){.side = -1}; /* ends it */
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
        return refuse(c, c->number, "an item level must be 1 to 100, not", text);
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
        if (strcasecmp(text, clip_rarities[k]) == 0) {
            c->rarity = k;
            return LU_OK;
        }
    }
    return refuse(c, c->number, "only normal, magic and rare items can be crafted, not", text);
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

lu_status clip_read_lines(clip *c, const char *text, size_t length) {
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
            return refuse(c, c->number, "this line is too long or isn't text:", "");
        }
        memcpy(buffer, text, (size_t)(stop - text));
        buffer[stop - text] = '\0';
        if (starts(buffer, "---")) {
            section++;
            c->head_count +=
                c->head_count > 0 && c->head_count + 1 < CLIP_HEADS; /* ends the last */
            c->heads[c->head_count] = (clip_head){.side = -1};
        } else if (*buffer) {
            LU_TRY(read_line(c, buffer, section));
        }
        text = after;
    }
    return LU_OK;
}
