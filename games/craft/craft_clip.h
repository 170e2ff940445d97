/* What the readers of a copied item share: craft_clip_lines.c takes the text apart,
 * craft_clip_cover.c finds modifiers for its lines, craft_clipboard.c writes the item. Ownership: a
 * clip belongs to craft_clipboard_read. Threads: each call has its own. */
#pragma once

#include "craft_clipboard.h"
#include "craft_item.h"

enum {
    CLIP_LINES = 32,  /* of modifiers */
    CLIP_HEADS = 24,  /* headers in braces; 0 stands for none */
    CLIP_SHAPE = 240, /* bytes of a line with # for its numbers */
    CLIP_NUMBERS = 6, /* of a line */
    CLIP_PARTS = 4,   /* lines of a modifier */
    CLIP_MARKS = 3    /* flags of a modifier that a text has words for */
};

/* A line with its numbers taken out. */
typedef struct clip_shape {
    char text[CLIP_SHAPE];
    double low[CLIP_NUMBERS], high[CLIP_NUMBERS]; /* both the same in a rolled line */
    int numbers;
} clip_shape;

typedef struct clip_head {
    char name[100]; /* "": not told */
    int side, tier; /* -1, 0: not told */
    int flags;
    int lines;
    bool skipped; /* of an implicit, enchantment or rune */
    int option;   /* that a reveal shows, from 1 on; 0: it is on the item */
} clip_head;

typedef struct clip_line {
    clip_shape shape;
    int head, flags;
    unsigned number; /* in the text */
} clip_line;

/* A modifier of a cover: the lines of its parts. */
typedef struct clip_hit {
    int entry;
    int part[CLIP_PARTS], parts;
} clip_hit;

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
    clip_head heads[CLIP_HEADS];
    clip_line lines[CLIP_LINES];
    int head_count, line_count;
    unsigned number;
    /* the search */
    int level; /* how little is asked: 0 name, tier and origin, 1 name and origin, 2 text */
    clip_shape (*part)[CLIP_PARTS]; /* of each entry */
    int *parts;
    clip_hit now[CRAFT_MODS], first[CRAFT_MODS];
    int depth, found, first_count, ways;
    lu_json shown; /* the options */
    int clash;     /* line that two covers read differently */
    int clash_entry;
} clip;

typedef struct clip_mark {
    const char *word;
    int flag;
} clip_mark;

extern const char *const clip_rarities[CRAFT_RARITIES];
extern const clip_mark clip_marks[CLIP_MARKS];

/* Parts of a modifier's text, which stand on lines of their own; 0: it is too long. */
int clip_parts_of(const char *text, clip_shape part[CLIP_PARTS]);
/* Reads all lines of an item: what is told beside modifiers, and the lines of those. */
lu_status clip_read_lines(clip *c, const char *text, size_t length);
/* Covers the lines by modifiers, at most so many of each side: `first` is the one cover there is.
 */
lu_status clip_cover(clip *c, const int *room);
