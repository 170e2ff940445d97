/* Made from data/CSV by data/make.py: change those, not this. The ids of all things, numbered from
 * 0 in the order of the files, and per kind a macro that calls X once per row. joker_tables.h gives
 * the rows their shape. */
#pragma once

// clang-format off

/* Jokers. */
enum {
    JOKER_J_JOKER = 0,
    JOKER_J_GREEDY_JOKER = 1,
    JOKER_J_LUSTY_JOKER = 2,
    JOKER_J_WRATHFUL_JOKER = 3,
    JOKER_J_GLUTTENOUS_JOKER = 4,
    JOKER_J_JOLLY = 5,
    JOKER_J_ZANY = 6,
    JOKER_J_MAD = 7,
    JOKER_J_CRAZY = 8,
    JOKER_J_DROLL = 9,
    JOKER_J_SLY = 10,
    JOKER_J_WILY = 11,
    JOKER_J_CLEVER = 12,
    JOKER_J_DEVIOUS = 13,
    JOKER_J_CRAFTY = 14,
    JOKER_J_HALF = 15,
    JOKER_J_STENCIL = 16,
    JOKER_J_FOUR_FINGERS = 17,
    JOKER_J_MIME = 18,
    JOKER_J_CREDIT_CARD = 19,
    JOKER_J_CEREMONIAL = 20,
    JOKER_J_BANNER = 21,
    JOKER_J_MYSTIC_SUMMIT = 22,
    JOKER_J_MARBLE = 23,
    JOKER_J_LOYALTY_CARD = 24,
    JOKER_J_8_BALL = 25,
    JOKER_J_MISPRINT = 26,
    JOKER_J_DUSK = 27,
    JOKER_J_RAISED_FIST = 28,
    JOKER_J_CHAOS = 29,
    JOKER_J_FIBONACCI = 30,
    JOKER_J_STEEL_JOKER = 31,
    JOKER_J_SCARY_FACE = 32,
    JOKER_J_ABSTRACT = 33,
    JOKER_J_DELAYED_GRAT = 34,
    JOKER_J_HACK = 35,
    JOKER_J_PAREIDOLIA = 36,
    JOKER_J_GROS_MICHEL = 37,
    JOKER_J_EVEN_STEVEN = 38,
    JOKER_J_ODD_TODD = 39,
    JOKER_J_SCHOLAR = 40,
    JOKER_J_BUSINESS = 41,
    JOKER_J_SUPERNOVA = 42,
    JOKER_J_RIDE_THE_BUS = 43,
    JOKER_J_SPACE = 44,
    JOKER_J_EGG = 45,
    JOKER_J_BURGLAR = 46,
    JOKER_J_BLACKBOARD = 47,
    JOKER_J_RUNNER = 48,
    JOKER_J_ICE_CREAM = 49,
    JOKER_J_DNA = 50,
    JOKER_J_SPLASH = 51,
    JOKER_J_BLUE_JOKER = 52,
    JOKER_J_SIXTH_SENSE = 53,
    JOKER_J_CONSTELLATION = 54,
    JOKER_J_HIKER = 55,
    JOKER_J_FACELESS = 56,
    JOKER_J_GREEN_JOKER = 57,
    JOKER_J_SUPERPOSITION = 58,
    JOKER_J_TODO_LIST = 59,
    JOKER_J_CAVENDISH = 60,
    JOKER_J_CARD_SHARP = 61,
    JOKER_J_RED_CARD = 62,
    JOKER_J_MADNESS = 63,
    JOKER_J_SQUARE = 64,
    JOKER_J_SEANCE = 65,
    JOKER_J_RIFF_RAFF = 66,
    JOKER_J_VAMPIRE = 67,
    JOKER_J_SHORTCUT = 68,
    JOKER_J_HOLOGRAM = 69,
    JOKER_J_VAGABOND = 70,
    JOKER_J_BARON = 71,
    JOKER_J_CLOUD_9 = 72,
    JOKER_J_ROCKET = 73,
    JOKER_J_OBELISK = 74,
    JOKER_J_MIDAS_MASK = 75,
    JOKER_J_LUCHADOR = 76,
    JOKER_J_PHOTOGRAPH = 77,
    JOKER_J_GIFT = 78,
    JOKER_J_TURTLE_BEAN = 79,
    JOKER_J_EROSION = 80,
    JOKER_J_RESERVED_PARKING = 81,
    JOKER_J_MAIL = 82,
    JOKER_J_TO_THE_MOON = 83,
    JOKER_J_HALLUCINATION = 84,
    JOKER_J_FORTUNE_TELLER = 85,
    JOKER_J_JUGGLER = 86,
    JOKER_J_DRUNKARD = 87,
    JOKER_J_STONE = 88,
    JOKER_J_GOLDEN = 89,
    JOKER_J_LUCKY_CAT = 90,
    JOKER_J_BASEBALL = 91,
    JOKER_J_BULL = 92,
    JOKER_J_DIET_COLA = 93,
    JOKER_J_TRADING = 94,
    JOKER_J_FLASH = 95,
    JOKER_J_POPCORN = 96,
    JOKER_J_TROUSERS = 97,
    JOKER_J_ANCIENT = 98,
    JOKER_J_RAMEN = 99,
    JOKER_J_WALKIE_TALKIE = 100,
    JOKER_J_SELZER = 101,
    JOKER_J_CASTLE = 102,
    JOKER_J_SMILEY = 103,
    JOKER_J_CAMPFIRE = 104,
    JOKER_J_TICKET = 105,
    JOKER_J_MR_BONES = 106,
    JOKER_J_ACROBAT = 107,
    JOKER_J_SOCK_AND_BUSKIN = 108,
    JOKER_J_SWASHBUCKLER = 109,
    JOKER_J_TROUBADOUR = 110,
    JOKER_J_CERTIFICATE = 111,
    JOKER_J_SMEARED = 112,
    JOKER_J_THROWBACK = 113,
    JOKER_J_HANGING_CHAD = 114,
    JOKER_J_ROUGH_GEM = 115,
    JOKER_J_BLOODSTONE = 116,
    JOKER_J_ARROWHEAD = 117,
    JOKER_J_ONYX_AGATE = 118,
    JOKER_J_GLASS = 119,
    JOKER_J_RING_MASTER = 120,
    JOKER_J_FLOWER_POT = 121,
    JOKER_J_BLUEPRINT = 122,
    JOKER_J_WEE = 123,
    JOKER_J_MERRY_ANDY = 124,
    JOKER_J_OOPS = 125,
    JOKER_J_IDOL = 126,
    JOKER_J_SEEING_DOUBLE = 127,
    JOKER_J_MATADOR = 128,
    JOKER_J_HIT_THE_ROAD = 129,
    JOKER_J_DUO = 130,
    JOKER_J_TRIO = 131,
    JOKER_J_FAMILY = 132,
    JOKER_J_ORDER = 133,
    JOKER_J_TRIBE = 134,
    JOKER_J_STUNTMAN = 135,
    JOKER_J_INVISIBLE = 136,
    JOKER_J_BRAINSTORM = 137,
    JOKER_J_SATELLITE = 138,
    JOKER_J_SHOOT_THE_MOON = 139,
    JOKER_J_DRIVERS_LICENSE = 140,
    JOKER_J_CARTOMANCER = 141,
    JOKER_J_ASTRONOMER = 142,
    JOKER_J_BURNT = 143,
    JOKER_J_BOOTSTRAPS = 144,
    JOKER_J_CAINO = 145,
    JOKER_J_TRIBOULET = 146,
    JOKER_J_YORICK = 147,
    JOKER_J_CHICOT = 148,
    JOKER_J_PERKEO = 149,
    JOKER_JOKERS = 150
};

/* Consumables: Tarots, Planets, Spectrals. */
enum {
    JOKER_C_FOOL = 0,
    JOKER_C_MAGICIAN = 1,
    JOKER_C_HIGH_PRIESTESS = 2,
    JOKER_C_EMPRESS = 3,
    JOKER_C_EMPEROR = 4,
    JOKER_C_HEIROPHANT = 5,
    JOKER_C_LOVERS = 6,
    JOKER_C_CHARIOT = 7,
    JOKER_C_JUSTICE = 8,
    JOKER_C_HERMIT = 9,
    JOKER_C_WHEEL_OF_FORTUNE = 10,
    JOKER_C_STRENGTH = 11,
    JOKER_C_HANGED_MAN = 12,
    JOKER_C_DEATH = 13,
    JOKER_C_TEMPERANCE = 14,
    JOKER_C_DEVIL = 15,
    JOKER_C_TOWER = 16,
    JOKER_C_STAR = 17,
    JOKER_C_MOON = 18,
    JOKER_C_SUN = 19,
    JOKER_C_JUDGEMENT = 20,
    JOKER_C_WORLD = 21,
    JOKER_C_MERCURY = 22,
    JOKER_C_VENUS = 23,
    JOKER_C_EARTH = 24,
    JOKER_C_MARS = 25,
    JOKER_C_JUPITER = 26,
    JOKER_C_SATURN = 27,
    JOKER_C_URANUS = 28,
    JOKER_C_NEPTUNE = 29,
    JOKER_C_PLUTO = 30,
    JOKER_C_PLANET_X = 31,
    JOKER_C_CERES = 32,
    JOKER_C_ERIS = 33,
    JOKER_C_FAMILIAR = 34,
    JOKER_C_GRIM = 35,
    JOKER_C_INCANTATION = 36,
    JOKER_C_TALISMAN = 37,
    JOKER_C_AURA = 38,
    JOKER_C_WRAITH = 39,
    JOKER_C_SIGIL = 40,
    JOKER_C_OUIJA = 41,
    JOKER_C_ECTOPLASM = 42,
    JOKER_C_IMMOLATE = 43,
    JOKER_C_ANKH = 44,
    JOKER_C_DEJA_VU = 45,
    JOKER_C_HEX = 46,
    JOKER_C_TRANCE = 47,
    JOKER_C_MEDIUM = 48,
    JOKER_C_CRYPTID = 49,
    JOKER_C_SOUL = 50,
    JOKER_C_BLACK_HOLE = 51,
    JOKER_CONSUMABLES = 52
};

/* Vouchers. */
enum {
    JOKER_V_OVERSTOCK_NORM = 0,
    JOKER_V_OVERSTOCK_PLUS = 1,
    JOKER_V_CLEARANCE_SALE = 2,
    JOKER_V_LIQUIDATION = 3,
    JOKER_V_HONE = 4,
    JOKER_V_GLOW_UP = 5,
    JOKER_V_REROLL_SURPLUS = 6,
    JOKER_V_REROLL_GLUT = 7,
    JOKER_V_CRYSTAL_BALL = 8,
    JOKER_V_OMEN_GLOBE = 9,
    JOKER_V_TELESCOPE = 10,
    JOKER_V_OBSERVATORY = 11,
    JOKER_V_GRABBER = 12,
    JOKER_V_NACHO_TONG = 13,
    JOKER_V_WASTEFUL = 14,
    JOKER_V_RECYCLOMANCY = 15,
    JOKER_V_TAROT_MERCHANT = 16,
    JOKER_V_TAROT_TYCOON = 17,
    JOKER_V_PLANET_MERCHANT = 18,
    JOKER_V_PLANET_TYCOON = 19,
    JOKER_V_SEED_MONEY = 20,
    JOKER_V_MONEY_TREE = 21,
    JOKER_V_BLANK = 22,
    JOKER_V_ANTIMATTER = 23,
    JOKER_V_MAGIC_TRICK = 24,
    JOKER_V_ILLUSION = 25,
    JOKER_V_HIEROGLYPH = 26,
    JOKER_V_PETROGLYPH = 27,
    JOKER_V_DIRECTORS_CUT = 28,
    JOKER_V_RETCON = 29,
    JOKER_V_PAINT_BRUSH = 30,
    JOKER_V_PALETTE = 31,
    JOKER_VOUCHERS = 32
};

/* Tags. */
enum {
    JOKER_TAG_UNCOMMON = 0,
    JOKER_TAG_RARE = 1,
    JOKER_TAG_NEGATIVE = 2,
    JOKER_TAG_FOIL = 3,
    JOKER_TAG_HOLO = 4,
    JOKER_TAG_POLYCHROME = 5,
    JOKER_TAG_INVESTMENT = 6,
    JOKER_TAG_VOUCHER = 7,
    JOKER_TAG_BOSS = 8,
    JOKER_TAG_STANDARD = 9,
    JOKER_TAG_CHARM = 10,
    JOKER_TAG_METEOR = 11,
    JOKER_TAG_BUFFOON = 12,
    JOKER_TAG_HANDY = 13,
    JOKER_TAG_GARBAGE = 14,
    JOKER_TAG_ETHEREAL = 15,
    JOKER_TAG_COUPON = 16,
    JOKER_TAG_DOUBLE = 17,
    JOKER_TAG_JUGGLE = 18,
    JOKER_TAG_D_SIX = 19,
    JOKER_TAG_TOP_UP = 20,
    JOKER_TAG_SKIP = 21,
    JOKER_TAG_ORBITAL = 22,
    JOKER_TAG_ECONOMY = 23,
    JOKER_TAGS = 24
};

/* Blinds; the bosses begin at JOKER_BL_HOOK. */
enum {
    JOKER_BL_SMALL = 0,
    JOKER_BL_BIG = 1,
    JOKER_BL_HOOK = 2,
    JOKER_BL_OX = 3,
    JOKER_BL_HOUSE = 4,
    JOKER_BL_WALL = 5,
    JOKER_BL_WHEEL = 6,
    JOKER_BL_ARM = 7,
    JOKER_BL_CLUB = 8,
    JOKER_BL_FISH = 9,
    JOKER_BL_PSYCHIC = 10,
    JOKER_BL_GOAD = 11,
    JOKER_BL_WATER = 12,
    JOKER_BL_WINDOW = 13,
    JOKER_BL_MANACLE = 14,
    JOKER_BL_EYE = 15,
    JOKER_BL_MOUTH = 16,
    JOKER_BL_PLANT = 17,
    JOKER_BL_SERPENT = 18,
    JOKER_BL_PILLAR = 19,
    JOKER_BL_NEEDLE = 20,
    JOKER_BL_HEAD = 21,
    JOKER_BL_TOOTH = 22,
    JOKER_BL_FLINT = 23,
    JOKER_BL_MARK = 24,
    JOKER_BL_FINAL_ACORN = 25,
    JOKER_BL_FINAL_LEAF = 26,
    JOKER_BL_FINAL_VESSEL = 27,
    JOKER_BL_FINAL_HEART = 28,
    JOKER_BL_FINAL_BELL = 29,
    JOKER_BLINDS = 30
};

/* Decks. */
enum {
    JOKER_B_RED = 0,
    JOKER_B_BLUE = 1,
    JOKER_B_YELLOW = 2,
    JOKER_B_GREEN = 3,
    JOKER_B_BLACK = 4,
    JOKER_B_MAGIC = 5,
    JOKER_B_NEBULA = 6,
    JOKER_B_GHOST = 7,
    JOKER_B_ABANDONED = 8,
    JOKER_B_CHECKERED = 9,
    JOKER_B_ZODIAC = 10,
    JOKER_B_PAINTED = 11,
    JOKER_B_ANAGLYPH = 12,
    JOKER_B_PLASMA = 13,
    JOKER_B_ERRATIC = 14,
    JOKER_DECKS = 15
};

/* Booster packs. */
enum {
    JOKER_P_ARCANA_NORMAL_1 = 0,
    JOKER_P_ARCANA_NORMAL_2 = 1,
    JOKER_P_ARCANA_NORMAL_3 = 2,
    JOKER_P_ARCANA_NORMAL_4 = 3,
    JOKER_P_ARCANA_JUMBO_1 = 4,
    JOKER_P_ARCANA_JUMBO_2 = 5,
    JOKER_P_ARCANA_MEGA_1 = 6,
    JOKER_P_ARCANA_MEGA_2 = 7,
    JOKER_P_CELESTIAL_NORMAL_1 = 8,
    JOKER_P_CELESTIAL_NORMAL_2 = 9,
    JOKER_P_CELESTIAL_NORMAL_3 = 10,
    JOKER_P_CELESTIAL_NORMAL_4 = 11,
    JOKER_P_CELESTIAL_JUMBO_1 = 12,
    JOKER_P_CELESTIAL_JUMBO_2 = 13,
    JOKER_P_CELESTIAL_MEGA_1 = 14,
    JOKER_P_CELESTIAL_MEGA_2 = 15,
    JOKER_P_STANDARD_NORMAL_1 = 16,
    JOKER_P_STANDARD_NORMAL_2 = 17,
    JOKER_P_STANDARD_NORMAL_3 = 18,
    JOKER_P_STANDARD_NORMAL_4 = 19,
    JOKER_P_STANDARD_JUMBO_1 = 20,
    JOKER_P_STANDARD_JUMBO_2 = 21,
    JOKER_P_STANDARD_MEGA_1 = 22,
    JOKER_P_STANDARD_MEGA_2 = 23,
    JOKER_P_BUFFOON_NORMAL_1 = 24,
    JOKER_P_BUFFOON_NORMAL_2 = 25,
    JOKER_P_BUFFOON_JUMBO_1 = 26,
    JOKER_P_BUFFOON_MEGA_1 = 27,
    JOKER_P_SPECTRAL_NORMAL_1 = 28,
    JOKER_P_SPECTRAL_NORMAL_2 = 29,
    JOKER_P_SPECTRAL_JUMBO_1 = 30,
    JOKER_P_SPECTRAL_MEGA_1 = 31,
    JOKER_PACKS = 32
};

/* Poker hands, the strongest first. */
enum {
    JOKER_FLUSH_FIVE = 0,
    JOKER_FLUSH_HOUSE = 1,
    JOKER_FIVE = 2,
    JOKER_STRAIGHT_FLUSH = 3,
    JOKER_FOUR = 4,
    JOKER_FULL_HOUSE = 5,
    JOKER_FLUSH = 6,
    JOKER_STRAIGHT = 7,
    JOKER_THREE = 8,
    JOKER_TWO_PAIR = 9,
    JOKER_PAIR = 10,
    JOKER_HIGH_CARD = 11,
    JOKER_HANDS = 12
};

/* When a joker acts: bits. */
enum {
    JOKER_HOOK_PASSIVE = 1 << 0,
    JOKER_HOOK_RULE = 1 << 1,
    JOKER_HOOK_BLIND_SET = 1 << 2,
    JOKER_HOOK_FIRST_DRAW = 1 << 3,
    JOKER_HOOK_BEFORE = 1 << 4,
    JOKER_HOOK_SCORED = 1 << 5,
    JOKER_HOOK_HELD = 1 << 6,
    JOKER_HOOK_AGAIN_SCORED = 1 << 7,
    JOKER_HOOK_AGAIN_HELD = 1 << 8,
    JOKER_HOOK_MAIN = 1 << 9,
    JOKER_HOOK_AFTER_OTHER = 1 << 10,
    JOKER_HOOK_DESTROY = 1 << 11,
    JOKER_HOOK_AFTER = 1 << 12,
    JOKER_HOOK_PRE_DISCARD = 1 << 13,
    JOKER_HOOK_DISCARD = 1 << 14,
    JOKER_HOOK_CARDS_LOST = 1 << 15,
    JOKER_HOOK_CARD_ADDED = 1 << 16,
    JOKER_HOOK_PLANET_USED = 1 << 17,
    JOKER_HOOK_ROUND_END = 1 << 18,
    JOKER_HOOK_PAYOUT = 1 << 19,
    JOKER_HOOK_SELL_SELF = 1 << 20,
    JOKER_HOOK_SELL_ANY = 1 << 21,
    JOKER_HOOK_REROLL = 1 << 22,
    JOKER_HOOK_PACK_OPEN = 1 << 23,
    JOKER_HOOK_PACK_SKIP = 1 << 24,
    JOKER_HOOK_SHOP_EXIT = 1 << 25,
    JOKER_HOOK_LAST_CHANCE = 1 << 26,
    JOKER_HOOK_DEBUFFED_HAND = 1 << 27,
    JOKER_HOOK_COPY = 1 << 28,
    JOKER_HOOKS = 29
};

/* Rarities. */
enum {
    JOKER_COMMON = 0,
    JOKER_UNCOMMON = 1,
    JOKER_RARE = 2,
    JOKER_LEGENDARY = 3,
    JOKER_RARITIES = 4
};

/* When a joker is in its pool: always, while the deck holds such a card, before or after Gros Michel went extinct. */
enum {
    JOKER_POOL_ALWAYS = 0,
    JOKER_POOL_STEEL = 1,
    JOKER_POOL_STONE = 2,
    JOKER_POOL_GOLD = 3,
    JOKER_POOL_LUCKY = 4,
    JOKER_POOL_GLASS = 5,
    JOKER_POOL_GROS_MICHEL = 6,
    JOKER_POOL_CAVENDISH = 7,
};

/* X(id, rarity, price, flags, pool condition, hooks, key, title, effect, state, stream) */
#define JOKER_JOKER_ROWS(X) \
    X(JOKER_J_JOKER, JOKER_COMMON, 2, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_MAIN, "j_joker", "Joker", "+4 mult", "", "") \
    X(JOKER_J_GREEDY_JOKER, JOKER_COMMON, 5, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_SCORED, "j_greedy_joker", "Greedy Joker", "+3 mult for each scored card counted as Diamonds", "", "") \
    X(JOKER_J_LUSTY_JOKER, JOKER_COMMON, 5, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_SCORED, "j_lusty_joker", "Lusty Joker", "+3 mult for each scored card counted as Hearts", "", "") \
    X(JOKER_J_WRATHFUL_JOKER, JOKER_COMMON, 5, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_SCORED, "j_wrathful_joker", "Wrathful Joker", "+3 mult for each scored card counted as Spades", "", "") \
    X(JOKER_J_GLUTTENOUS_JOKER, JOKER_COMMON, 5, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_SCORED, "j_gluttenous_joker", "Gluttonous Joker", "+3 mult for each scored card counted as Clubs", "", "") \
    X(JOKER_J_JOLLY, JOKER_COMMON, 3, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_MAIN, "j_jolly", "Jolly Joker", "+8 mult when the played hand contains a Pair", "", "") \
    X(JOKER_J_ZANY, JOKER_COMMON, 4, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_MAIN, "j_zany", "Zany Joker", "+12 mult when the played hand contains Three of a Kind", "", "") \
    X(JOKER_J_MAD, JOKER_COMMON, 4, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_MAIN, "j_mad", "Mad Joker", "+10 mult when the played hand contains Two Pair", "", "") \
    X(JOKER_J_CRAZY, JOKER_COMMON, 4, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_MAIN, "j_crazy", "Crazy Joker", "+12 mult when the played hand contains a Straight", "", "") \
    X(JOKER_J_DROLL, JOKER_COMMON, 4, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_MAIN, "j_droll", "Droll Joker", "+10 mult when the played hand contains a Flush", "", "") \
    X(JOKER_J_SLY, JOKER_COMMON, 3, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_MAIN, "j_sly", "Sly Joker", "+50 chips when the played hand contains a Pair", "", "") \
    X(JOKER_J_WILY, JOKER_COMMON, 4, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_MAIN, "j_wily", "Wily Joker", "+100 chips when the played hand contains Three of a Kind", "", "") \
    X(JOKER_J_CLEVER, JOKER_COMMON, 4, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_MAIN, "j_clever", "Clever Joker", "+80 chips when the played hand contains Two Pair", "", "") \
    X(JOKER_J_DEVIOUS, JOKER_COMMON, 4, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_MAIN, "j_devious", "Devious Joker", "+100 chips when the played hand contains a Straight", "", "") \
    X(JOKER_J_CRAFTY, JOKER_COMMON, 4, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_MAIN, "j_crafty", "Crafty Joker", "+80 chips when the played hand contains a Flush", "", "") \
    X(JOKER_J_HALF, JOKER_COMMON, 5, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_MAIN, "j_half", "Half Joker", "+20 mult when at most 3 cards were played (scoring or not)", "", "") \
    X(JOKER_J_STENCIL, JOKER_UNCOMMON, 8, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_MAIN, "j_stencil", "Joker Stencil", "x1 mult per free joker slot, each Joker Stencil counted as one; no effect below x2", "recomputed", "") \
    X(JOKER_J_FOUR_FINGERS, JOKER_UNCOMMON, 7, JOKER_IS_OPEN | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_RULE, "j_four_fingers", "Four Fingers", "Flush and Straight need only 4 cards", "", "") \
    X(JOKER_J_MIME, JOKER_UNCOMMON, 5, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_AGAIN_HELD, "j_mime", "Mime", "1 extra trigger for every held card that did something", "", "") \
    X(JOKER_J_CREDIT_CARD, JOKER_COMMON, 1, JOKER_IS_OPEN | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_PASSIVE, "j_credit_card", "Credit Card", "Lets you spend down to -$20; further copies add $20 each", "", "") \
    X(JOKER_J_CEREMONIAL, JOKER_UNCOMMON, 6, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL, JOKER_POOL_ALWAYS, JOKER_HOOK_BLIND_SET | JOKER_HOOK_MAIN, "j_ceremonial", "Ceremonial Dagger", "When a blind starts it destroys its right neighbour (unless eternal) and grows by twice that joker's sell value in mult", "mult=0; +2*sell value of the victim", "") \
    X(JOKER_J_BANNER, JOKER_COMMON, 5, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_MAIN, "j_banner", "Banner", "+30 chips per discard left", "", "") \
    X(JOKER_J_MYSTIC_SUMMIT, JOKER_COMMON, 5, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_MAIN, "j_mystic_summit", "Mystic Summit", "+15 mult with exactly 0 discards left", "", "") \
    X(JOKER_J_MARBLE, JOKER_UNCOMMON, 6, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_BLIND_SET, "j_marble", "Marble Joker", "Puts a Stone card into the deck when a blind starts", "", "marb_fr") \
    X(JOKER_J_LOYALTY_CARD, JOKER_UNCOMMON, 5, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_MAIN, "j_loyalty_card", "Loyalty Card", "x4 mult on every 6th hand, counted from its purchase", "hands played at purchase; fires when (4-(run hands - stored)) mod 6 = 5", "") \
    X(JOKER_J_8_BALL, JOKER_COMMON, 5, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_SCORED, "j_8_ball", "8 Ball", "Each scored 8 has 1 in 4 odds to make a Tarot card (needs a free consumable slot, checked before rolling)", "", "8ball; card 8ba") \
    X(JOKER_J_MISPRINT, JOKER_COMMON, 4, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_MAIN, "j_misprint", "Misprint", "Adds a random 0 to 23 to mult, anew for each hand", "", "misprint") \
    X(JOKER_J_DUSK, JOKER_UNCOMMON, 5, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_AGAIN_SCORED, "j_dusk", "Dusk", "1 extra trigger for every scored card during the last hand of the round (hands left = 0)", "", "") \
    X(JOKER_J_RAISED_FIST, JOKER_COMMON, 5, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_HELD, "j_raised_fist", "Raised Fist", "Adds twice the chip value of the lowest-ranked held card to mult; on ties the rightmost one, Stone cards ignored, nothing if that card is debuffed", "", "") \
    X(JOKER_J_CHAOS, JOKER_COMMON, 4, JOKER_IS_OPEN | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_PASSIVE, "j_chaos", "Chaos the Clown", "1 free reroll in every shop", "", "") \
    X(JOKER_J_FIBONACCI, JOKER_UNCOMMON, 8, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_SCORED, "j_fibonacci", "Fibonacci", "+8 mult for each scored A, 2, 3, 5 or 8", "", "") \
    X(JOKER_J_STEEL_JOKER, JOKER_UNCOMMON, 7, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_STEEL, JOKER_HOOK_MAIN, "j_steel_joker", "Steel Joker", "x1 mult, and x0.2 more per Steel card in the full deck", "recomputed", "") \
    X(JOKER_J_SCARY_FACE, JOKER_COMMON, 4, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_SCORED, "j_scary_face", "Scary Face", "+30 chips for each scored face card", "", "") \
    X(JOKER_J_ABSTRACT, JOKER_COMMON, 4, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_MAIN, "j_abstract", "Abstract Joker", "+3 mult per joker owned, itself included", "", "") \
    X(JOKER_J_DELAYED_GRAT, JOKER_COMMON, 4, JOKER_IS_OPEN | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_PAYOUT, "j_delayed_grat", "Delayed Gratification", "$2 at round end per discard left, if none was used in the round", "", "") \
    X(JOKER_J_HACK, JOKER_UNCOMMON, 6, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_AGAIN_SCORED, "j_hack", "Hack", "1 extra trigger for scored 2, 3, 4 and 5", "", "") \
    X(JOKER_J_PAREIDOLIA, JOKER_UNCOMMON, 5, JOKER_IS_OPEN | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_RULE, "j_pareidolia", "Pareidolia", "Every card counts as a face card (Stone cards too, debuffed cards not)", "", "") \
    X(JOKER_J_GROS_MICHEL, JOKER_COMMON, 5, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_PERISH, JOKER_POOL_GROS_MICHEL, JOKER_HOOK_MAIN | JOKER_HOOK_ROUND_END, "j_gros_michel", "Gros Michel", "+15 mult; 1 in 6 odds to go extinct at round end (then Cavendish joins the pool and Gros Michel leaves it)", "", "gros_michel") \
    X(JOKER_J_EVEN_STEVEN, JOKER_COMMON, 4, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_SCORED, "j_even_steven", "Even Steven", "+4 mult for each scored 2, 4, 6, 8 or 10", "", "") \
    X(JOKER_J_ODD_TODD, JOKER_COMMON, 4, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_SCORED, "j_odd_todd", "Odd Todd", "+31 chips for each scored A, 3, 5, 7 or 9", "", "") \
    X(JOKER_J_SCHOLAR, JOKER_COMMON, 4, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_SCORED, "j_scholar", "Scholar", "+20 chips and +4 mult for each scored Ace", "", "") \
    X(JOKER_J_BUSINESS, JOKER_COMMON, 4, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_SCORED, "j_business", "Business Card", "Each scored face card has 1 in 2 odds to pay $2", "", "business") \
    X(JOKER_J_SUPERNOVA, JOKER_COMMON, 5, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_MAIN, "j_supernova", "Supernova", "Adds to mult the number of times this poker hand was played in the run, the current play included", "", "") \
    X(JOKER_J_RIDE_THE_BUS, JOKER_COMMON, 6, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL, JOKER_POOL_ALWAYS, JOKER_HOOK_BEFORE | JOKER_HOOK_MAIN, "j_ride_the_bus", "Ride the Bus", "Grows by +1 mult per hand in a row without a scoring face card; one of those resets it first", "mult=0", "") \
    X(JOKER_J_SPACE, JOKER_UNCOMMON, 5, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_BEFORE, "j_space", "Space Joker", "1 in 4 odds to raise the level of the played hand before it scores", "", "space") \
    X(JOKER_J_EGG, JOKER_COMMON, 4, JOKER_IS_OPEN | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_ROUND_END, "j_egg", "Egg", "Its own sell value grows by $3 at round end", "sell bonus", "") \
    X(JOKER_J_BURGLAR, JOKER_UNCOMMON, 6, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_BLIND_SET, "j_burglar", "Burglar", "When a blind starts: +3 hands, and all discards are gone", "", "") \
    X(JOKER_J_BLACKBOARD, JOKER_UNCOMMON, 6, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_MAIN, "j_blackboard", "Blackboard", "x3 mult when every held card is Spades or Clubs; an empty hand counts, Stone cards spoil it, debuffed cards keep their suit", "", "") \
    X(JOKER_J_RUNNER, JOKER_COMMON, 5, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL, JOKER_POOL_ALWAYS, JOKER_HOOK_BEFORE | JOKER_HOOK_MAIN, "j_runner", "Runner", "Grows by +15 chips with every hand that contains a Straight", "chips=0", "") \
    X(JOKER_J_ICE_CREAM, JOKER_COMMON, 5, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_MAIN | JOKER_HOOK_AFTER, "j_ice_cream", "Ice Cream", "+100 chips, 5 less after each hand; destroyed when it would reach 0", "chips=100", "") \
    X(JOKER_J_DNA, JOKER_RARE, 8, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_BEFORE, "j_dna", "DNA", "If the first hand of the round is a single card, a permanent copy of it joins the deck and the hand (the copy is already held while this hand scores)", "", "") \
    X(JOKER_J_SPLASH, JOKER_COMMON, 3, JOKER_IS_OPEN | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_RULE, "j_splash", "Splash", "Every played card scores", "", "") \
    X(JOKER_J_BLUE_JOKER, JOKER_COMMON, 5, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_MAIN, "j_blue_joker", "Blue Joker", "+2 chips per card left in the draw pile", "", "") \
    X(JOKER_J_SIXTH_SENSE, JOKER_UNCOMMON, 6, JOKER_IS_OPEN | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_DESTROY, "j_sixth_sense", "Sixth Sense", "If the first hand of the round is a single 6, that card is destroyed and a Spectral card is made (needs a slot)", "", "card sixth") \
    X(JOKER_J_CONSTELLATION, JOKER_UNCOMMON, 6, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL, JOKER_POOL_ALWAYS, JOKER_HOOK_PLANET_USED | JOKER_HOOK_MAIN, "j_constellation", "Constellation", "Gains x0.1 per Planet card used (Black Hole is a Spectral card and does not count)", "x=1", "") \
    X(JOKER_J_HIKER, JOKER_UNCOMMON, 5, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_SCORED, "j_hiker", "Hiker", "Every card it sees scoring keeps +5 chips for good, starting with its next trigger", "card bonus", "") \
    X(JOKER_J_FACELESS, JOKER_COMMON, 4, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_DISCARD, "j_faceless", "Faceless Joker", "$5 when one discard holds 3 or more face cards (paid on the last discarded card)", "", "") \
    X(JOKER_J_GREEN_JOKER, JOKER_COMMON, 4, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL, JOKER_POOL_ALWAYS, JOKER_HOOK_BEFORE | JOKER_HOOK_DISCARD | JOKER_HOOK_MAIN, "j_green_joker", "Green Joker", "Grows by +1 mult per hand, shrinks by 1 per discard (not below 0)", "mult=0", "") \
    X(JOKER_J_SUPERPOSITION, JOKER_COMMON, 4, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_MAIN, "j_superposition", "Superposition", "Makes a Tarot when a Straight is contained and an Ace scores (needs a slot)", "", "card sup") \
    X(JOKER_J_TODO_LIST, JOKER_COMMON, 4, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_BEFORE | JOKER_HOOK_ROUND_END, "j_todo_list", "To Do List", "$4 when the played hand equals the listed hand; a different visible hand is listed after each round", "listed hand, drawn on creation", "to_do") \
    X(JOKER_J_CAVENDISH, JOKER_COMMON, 4, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_PERISH, JOKER_POOL_CAVENDISH, JOKER_HOOK_MAIN | JOKER_HOOK_ROUND_END, "j_cavendish", "Cavendish", "x3 mult; 1 in 1000 odds to be destroyed at round end", "", "cavendish") \
    X(JOKER_J_CARD_SHARP, JOKER_UNCOMMON, 6, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_MAIN, "j_card_sharp", "Card Sharp", "x3 mult when this poker hand was already played earlier this round", "", "") \
    X(JOKER_J_RED_CARD, JOKER_COMMON, 5, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL, JOKER_POOL_ALWAYS, JOKER_HOOK_PACK_SKIP | JOKER_HOOK_MAIN, "j_red_card", "Red Card", "Grows by +3 mult per skipped booster pack", "mult=0", "") \
    X(JOKER_J_MADNESS, JOKER_UNCOMMON, 7, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL, JOKER_POOL_ALWAYS, JOKER_HOOK_BLIND_SET | JOKER_HOOK_MAIN, "j_madness", "Madness", "When a Small or Big Blind starts it grows by x0.5 and destroys one other random non-eternal joker", "x=1", "madness") \
    X(JOKER_J_SQUARE, JOKER_COMMON, 4, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL, JOKER_POOL_ALWAYS, JOKER_HOOK_BEFORE | JOKER_HOOK_MAIN, "j_square", "Square Joker", "Grows by +4 chips with every hand of exactly 4 cards", "chips=0", "") \
    X(JOKER_J_SEANCE, JOKER_UNCOMMON, 6, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_MAIN, "j_seance", "Seance", "Makes a Spectral card when a Straight Flush is contained (needs a slot)", "", "card sea") \
    X(JOKER_J_RIFF_RAFF, JOKER_COMMON, 6, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_BLIND_SET, "j_riff_raff", "Riff-Raff", "When a blind starts it makes up to 2 Common jokers, as many as fit", "", "card rif") \
    X(JOKER_J_VAMPIRE, JOKER_UNCOMMON, 7, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL, JOKER_POOL_ALWAYS, JOKER_HOOK_BEFORE | JOKER_HOOK_MAIN, "j_vampire", "Vampire", "Strips the enhancement from every scoring, non-debuffed enhanced card before it scores and grows by x0.1 for each", "x=1", "") \
    X(JOKER_J_SHORTCUT, JOKER_UNCOMMON, 7, JOKER_IS_OPEN | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_RULE, "j_shortcut", "Shortcut", "Straights may skip one rank between neighbours", "", "") \
    X(JOKER_J_HOLOGRAM, JOKER_UNCOMMON, 7, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL, JOKER_POOL_ALWAYS, JOKER_HOOK_CARD_ADDED | JOKER_HOOK_MAIN, "j_hologram", "Hologram", "Gains x0.25 per playing card added to the deck", "x=1", "") \
    X(JOKER_J_VAGABOND, JOKER_RARE, 8, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_MAIN, "j_vagabond", "Vagabond", "Makes a Tarot when the hand is played with $4 or less (needs a slot)", "", "card vag") \
    X(JOKER_J_BARON, JOKER_RARE, 8, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_HELD, "j_baron", "Baron", "x1.5 mult for each held King", "", "") \
    X(JOKER_J_CLOUD_9, JOKER_UNCOMMON, 7, JOKER_IS_OPEN | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_PAYOUT, "j_cloud_9", "Cloud 9", "$1 at round end per 9 in the full deck", "recomputed", "") \
    X(JOKER_J_ROCKET, JOKER_UNCOMMON, 6, JOKER_IS_OPEN | JOKER_IS_MAY_ETERNAL, JOKER_POOL_ALWAYS, JOKER_HOOK_ROUND_END | JOKER_HOOK_PAYOUT, "j_rocket", "Rocket", "$1 at round end; the amount grows by $2 with every boss that falls, before it pays", "dollars=1", "") \
    X(JOKER_J_OBELISK, JOKER_RARE, 8, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL, JOKER_POOL_ALWAYS, JOKER_HOOK_BEFORE | JOKER_HOOK_MAIN, "j_obelisk", "Obelisk", "Gains x0.2 per hand in a row that is not the single most played hand (ties with another visible hand keep it growing); a hand that is strictly most played resets it to x1", "x=1", "") \
    X(JOKER_J_MIDAS_MASK, JOKER_UNCOMMON, 7, JOKER_IS_OPEN | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_BEFORE, "j_midas_mask", "Midas Mask", "Scoring face cards become Gold cards before scoring", "", "") \
    X(JOKER_J_LUCHADOR, JOKER_UNCOMMON, 5, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_SELL_SELF, "j_luchador", "Luchador", "Selling it during a boss blind switches the boss effect off", "", "") \
    X(JOKER_J_PHOTOGRAPH, JOKER_COMMON, 5, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_SCORED, "j_photograph", "Photograph", "x2 mult on the first scoring face card (every trigger of that card)", "", "") \
    X(JOKER_J_GIFT, JOKER_UNCOMMON, 6, JOKER_IS_OPEN | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_ROUND_END, "j_gift", "Gift Card", "At round end the sell value of every joker and consumable grows by $1", "sell bonuses", "") \
    X(JOKER_J_TURTLE_BEAN, JOKER_UNCOMMON, 6, JOKER_IS_OPEN | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_PASSIVE | JOKER_HOOK_ROUND_END, "j_turtle_bean", "Turtle Bean", "+5 hand size, one less after each round; destroyed when it would reach 0", "size=5", "") \
    X(JOKER_J_EROSION, JOKER_UNCOMMON, 6, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_MAIN, "j_erosion", "Erosion", "+4 mult per card the full deck is below its starting size", "recomputed", "") \
    X(JOKER_J_RESERVED_PARKING, JOKER_COMMON, 6, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_HELD, "j_reserved_parking", "Reserved Parking", "Each held face card has 1 in 2 odds to pay $1", "", "parking") \
    X(JOKER_J_MAIL, JOKER_COMMON, 4, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_DISCARD, "j_mail", "Mail-In Rebate", "$5 per discarded, non-debuffed card of the listed rank; the rank changes each round", "listed rank", "mail<ante>") \
    X(JOKER_J_TO_THE_MOON, JOKER_UNCOMMON, 5, JOKER_IS_OPEN | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_PASSIVE, "j_to_the_moon", "To the Moon", "Interest pays $1 more per full $5", "", "") \
    X(JOKER_J_HALLUCINATION, JOKER_COMMON, 4, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_PACK_OPEN, "j_hallucination", "Hallucination", "1 in 2 odds to make a Tarot when a booster is opened (needs a slot)", "", "halu<ante>; card hal") \
    X(JOKER_J_FORTUNE_TELLER, JOKER_COMMON, 6, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_MAIN, "j_fortune_teller", "Fortune Teller", "+1 mult per Tarot used in the run", "recomputed", "") \
    X(JOKER_J_JUGGLER, JOKER_COMMON, 4, JOKER_IS_OPEN | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_PASSIVE, "j_juggler", "Juggler", "+1 hand size", "", "") \
    X(JOKER_J_DRUNKARD, JOKER_COMMON, 4, JOKER_IS_OPEN | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_PASSIVE, "j_drunkard", "Drunkard", "+1 discard per round", "", "") \
    X(JOKER_J_STONE, JOKER_UNCOMMON, 6, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_STONE, JOKER_HOOK_MAIN, "j_stone", "Stone Joker", "+25 chips per Stone card in the full deck", "recomputed", "") \
    X(JOKER_J_GOLDEN, JOKER_COMMON, 6, JOKER_IS_OPEN | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_PAYOUT, "j_golden", "Golden Joker", "$4 at round end", "", "") \
    X(JOKER_J_LUCKY_CAT, JOKER_UNCOMMON, 6, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL, JOKER_POOL_LUCKY, JOKER_HOOK_SCORED | JOKER_HOOK_MAIN, "j_lucky_cat", "Lucky Cat", "Gains x0.25 each time a Lucky card hits (once per trigger even if both rolls hit)", "x=1", "") \
    X(JOKER_J_BASEBALL, JOKER_RARE, 8, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_AFTER_OTHER, "j_baseball", "Baseball Card", "x1.5 mult right after each Uncommon joker is evaluated", "", "") \
    X(JOKER_J_BULL, JOKER_UNCOMMON, 6, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_MAIN, "j_bull", "Bull", "+2 chips per $1 owned, money won earlier in the same hand included", "", "") \
    X(JOKER_J_DIET_COLA, JOKER_UNCOMMON, 6, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_SELL_SELF, "j_diet_cola", "Diet Cola", "Selling it gives a Double Tag", "", "") \
    X(JOKER_J_TRADING, JOKER_UNCOMMON, 6, JOKER_IS_OPEN | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_DISCARD, "j_trading", "Trading Card", "If the first discard of the round is one card, that card is destroyed and pays $3", "", "") \
    X(JOKER_J_FLASH, JOKER_UNCOMMON, 5, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL, JOKER_POOL_ALWAYS, JOKER_HOOK_REROLL | JOKER_HOOK_MAIN, "j_flash", "Flash Card", "Grows by +2 mult per shop reroll", "mult=0", "") \
    X(JOKER_J_POPCORN, JOKER_COMMON, 5, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_MAIN | JOKER_HOOK_ROUND_END, "j_popcorn", "Popcorn", "+20 mult, 4 less after each round; destroyed when it would reach 0", "mult=20", "") \
    X(JOKER_J_TROUSERS, JOKER_UNCOMMON, 6, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL, JOKER_POOL_ALWAYS, JOKER_HOOK_BEFORE | JOKER_HOOK_MAIN, "j_trousers", "Spare Trousers", "Grows by +2 mult with every hand that contains Two Pair or a Full House", "mult=0", "") \
    X(JOKER_J_ANCIENT, JOKER_RARE, 8, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_SCORED, "j_ancient", "Ancient Joker", "x1.5 mult per scored card of the listed suit; the suit changes every round and never repeats at once", "listed suit", "anc<ante>") \
    X(JOKER_J_RAMEN, JOKER_UNCOMMON, 6, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_MAIN | JOKER_HOOK_DISCARD, "j_ramen", "Ramen", "x2 mult, 0.01 less per discarded card; destroyed when it would fall to x1", "x=2", "") \
    X(JOKER_J_WALKIE_TALKIE, JOKER_COMMON, 4, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_SCORED, "j_walkie_talkie", "Walkie Talkie", "+10 chips and +4 mult for each scored 10 or 4", "", "") \
    X(JOKER_J_SELZER, JOKER_UNCOMMON, 6, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_AGAIN_SCORED | JOKER_HOOK_AFTER, "j_selzer", "Seltzer", "1 extra trigger for every scored card, for 10 hands, then it is destroyed", "hands=10", "") \
    X(JOKER_J_CASTLE, JOKER_UNCOMMON, 6, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL, JOKER_POOL_ALWAYS, JOKER_HOOK_DISCARD | JOKER_HOOK_MAIN, "j_castle", "Castle", "Grows by +3 chips per discarded, non-debuffed card of the listed suit, which changes each round", "chips=0; listed suit", "cas<ante>") \
    X(JOKER_J_SMILEY, JOKER_COMMON, 4, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_SCORED, "j_smiley", "Smiley Face", "+5 mult for each scored face card", "", "") \
    X(JOKER_J_CAMPFIRE, JOKER_RARE, 9, JOKER_IS_OPEN | JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_SELL_ANY | JOKER_HOOK_ROUND_END | JOKER_HOOK_MAIN, "j_campfire", "Campfire", "Gains x0.25 per card sold; back to x1 after a boss is beaten", "x=1", "") \
    X(JOKER_J_TICKET, JOKER_COMMON, 5, JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_GOLD, JOKER_HOOK_SCORED, "j_ticket", "Golden Ticket", "$4 for each scored Gold card", "", "") \
    X(JOKER_J_MR_BONES, JOKER_UNCOMMON, 5, JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_LAST_CHANCE, "j_mr_bones", "Mr. Bones", "If the round is lost with at least 25% of the target scored, the round counts as survived without blind reward and this joker is destroyed", "", "") \
    X(JOKER_J_ACROBAT, JOKER_UNCOMMON, 6, JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_MAIN, "j_acrobat", "Acrobat", "x3 mult on the last hand of the round (hands left = 0)", "", "") \
    X(JOKER_J_SOCK_AND_BUSKIN, JOKER_UNCOMMON, 6, JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_AGAIN_SCORED, "j_sock_and_buskin", "Sock and Buskin", "1 extra trigger for every scored face card", "", "") \
    X(JOKER_J_SWASHBUCKLER, JOKER_COMMON, 4, JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_MAIN, "j_swashbuckler", "Swashbuckler", "Adds the sell values of all other jokers to mult", "recomputed", "") \
    X(JOKER_J_TROUBADOUR, JOKER_UNCOMMON, 6, JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_PASSIVE, "j_troubadour", "Troubadour", "+2 hand size, -1 hand per round", "", "") \
    X(JOKER_J_CERTIFICATE, JOKER_UNCOMMON, 6, JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_FIRST_DRAW, "j_certificate", "Certificate", "At the first draw of a round a random base card with a random seal joins the hand", "", "cert_fr; certsl") \
    X(JOKER_J_SMEARED, JOKER_UNCOMMON, 7, JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_RULE, "j_smeared", "Smeared Joker", "Hearts and Diamonds are one suit, Spades and Clubs are one suit", "", "") \
    X(JOKER_J_THROWBACK, JOKER_UNCOMMON, 6, JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_MAIN, "j_throwback", "Throwback", "x1 mult, and x0.25 more per blind skipped in the run", "recomputed", "") \
    X(JOKER_J_HANGING_CHAD, JOKER_COMMON, 4, JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_AGAIN_SCORED, "j_hanging_chad", "Hanging Chad", "2 extra triggers for the first scoring card", "", "") \
    X(JOKER_J_ROUGH_GEM, JOKER_UNCOMMON, 7, JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_SCORED, "j_rough_gem", "Rough Gem", "$1 for each scored card counted as Diamonds", "", "") \
    X(JOKER_J_BLOODSTONE, JOKER_UNCOMMON, 7, JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_SCORED, "j_bloodstone", "Bloodstone", "Each scored card counted as Hearts has 1 in 2 odds of x1.5 mult", "", "bloodstone") \
    X(JOKER_J_ARROWHEAD, JOKER_UNCOMMON, 7, JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_SCORED, "j_arrowhead", "Arrowhead", "+50 chips for each scored card counted as Spades", "", "") \
    X(JOKER_J_ONYX_AGATE, JOKER_UNCOMMON, 7, JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_SCORED, "j_onyx_agate", "Onyx Agate", "+7 mult for each scored card counted as Clubs", "", "") \
    X(JOKER_J_GLASS, JOKER_UNCOMMON, 6, JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL, JOKER_POOL_GLASS, JOKER_HOOK_CARDS_LOST | JOKER_HOOK_MAIN, "j_glass", "Glass Joker", "Gains x0.75 per Glass card destroyed by any means", "x=1", "") \
    X(JOKER_J_RING_MASTER, JOKER_UNCOMMON, 5, JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_RULE, "j_ring_master", "Showman", "Jokers, Tarots, Planets and Spectrals may appear again while owned or shown", "", "") \
    X(JOKER_J_FLOWER_POT, JOKER_UNCOMMON, 6, JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_MAIN, "j_flower_pot", "Flower Pot", "x3 mult when the scoring cards can supply all four suits, each card giving one suit, Wild cards filling gaps last", "", "") \
    X(JOKER_J_BLUEPRINT, JOKER_RARE, 10, JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_COPY, "j_blueprint", "Blueprint", "Acts as the joker on its right", "", "") \
    X(JOKER_J_WEE, JOKER_RARE, 8, JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL, JOKER_POOL_ALWAYS, JOKER_HOOK_SCORED | JOKER_HOOK_MAIN, "j_wee", "Wee Joker", "Grows by +8 chips each time a 2 scores", "chips=0", "") \
    X(JOKER_J_MERRY_ANDY, JOKER_UNCOMMON, 7, JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_PASSIVE, "j_merry_andy", "Merry Andy", "+3 discards per round, -1 hand size", "", "") \
    X(JOKER_J_OOPS, JOKER_UNCOMMON, 4, JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_PASSIVE, "j_oops", "Oops! All 6s", "Doubles the first number of all listed odds; copies multiply", "", "") \
    X(JOKER_J_IDOL, JOKER_UNCOMMON, 6, JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_SCORED, "j_idol", "The Idol", "x2 mult for each scored card with both the listed rank and suit; the target changes each round", "listed rank and suit", "idol<ante>") \
    X(JOKER_J_SEEING_DOUBLE, JOKER_UNCOMMON, 6, JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_MAIN, "j_seeing_double", "Seeing Double", "x2 mult when the scoring cards hold a Club and a card of another suit (Wild cards fill Clubs first)", "", "") \
    X(JOKER_J_MATADOR, JOKER_UNCOMMON, 7, JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_MAIN | JOKER_HOOK_DEBUFFED_HAND, "j_matador", "Matador", "$8 when the boss effect acted on this hand", "", "") \
    X(JOKER_J_HIT_THE_ROAD, JOKER_RARE, 8, JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_DISCARD | JOKER_HOOK_ROUND_END | JOKER_HOOK_MAIN, "j_hit_the_road", "Hit the Road", "Gains x0.5 per discarded, non-debuffed Jack; back to x1 at round end", "x=1", "") \
    X(JOKER_J_DUO, JOKER_RARE, 8, JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_MAIN, "j_duo", "The Duo", "x2 mult when the played hand contains a Pair", "", "") \
    X(JOKER_J_TRIO, JOKER_RARE, 8, JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_MAIN, "j_trio", "The Trio", "x3 mult when the played hand contains Three of a Kind", "", "") \
    X(JOKER_J_FAMILY, JOKER_RARE, 8, JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_MAIN, "j_family", "The Family", "x4 mult when the played hand contains Four of a Kind", "", "") \
    X(JOKER_J_ORDER, JOKER_RARE, 8, JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_MAIN, "j_order", "The Order", "x3 mult when the played hand contains a Straight", "", "") \
    X(JOKER_J_TRIBE, JOKER_RARE, 8, JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_MAIN, "j_tribe", "The Tribe", "x2 mult when the played hand contains a Flush", "", "") \
    X(JOKER_J_STUNTMAN, JOKER_RARE, 7, JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_MAIN | JOKER_HOOK_PASSIVE, "j_stuntman", "Stuntman", "+250 chips; -2 hand size while owned", "", "") \
    X(JOKER_J_INVISIBLE, JOKER_RARE, 8, JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_ROUND_END | JOKER_HOOK_SELL_SELF, "j_invisible", "Invisible Joker", "After 2 rounds, selling it duplicates a random other joker (Negative is not copied)", "rounds=0", "invisible") \
    X(JOKER_J_BRAINSTORM, JOKER_RARE, 10, JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_COPY, "j_brainstorm", "Brainstorm", "Acts as the leftmost joker", "", "") \
    X(JOKER_J_SATELLITE, JOKER_UNCOMMON, 6, JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_PAYOUT, "j_satellite", "Satellite", "$1 at round end per different Planet card used in the run", "recomputed", "") \
    X(JOKER_J_SHOOT_THE_MOON, JOKER_COMMON, 5, JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_HELD, "j_shoot_the_moon", "Shoot the Moon", "+13 mult for each held Queen", "", "") \
    X(JOKER_J_DRIVERS_LICENSE, JOKER_RARE, 7, JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_MAIN, "j_drivers_license", "Driver's License", "x3 mult with 16 or more enhanced cards in the full deck", "recomputed", "") \
    X(JOKER_J_CARTOMANCER, JOKER_UNCOMMON, 6, JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_BLIND_SET, "j_cartomancer", "Cartomancer", "Makes a Tarot when a blind starts (needs a slot)", "", "card car") \
    X(JOKER_J_ASTRONOMER, JOKER_UNCOMMON, 8, JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_PASSIVE, "j_astronomer", "Astronomer", "Planet cards and Celestial packs cost $0", "", "") \
    X(JOKER_J_BURNT, JOKER_RARE, 8, JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_PRE_DISCARD, "j_burnt", "Burnt Joker", "The hand type of the first discard of each round gains a level", "", "") \
    X(JOKER_J_BOOTSTRAPS, JOKER_UNCOMMON, 7, JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_MAIN, "j_bootstraps", "Bootstraps", "+2 mult per full $5 owned, money won earlier in the same hand included", "", "") \
    X(JOKER_J_CAINO, JOKER_LEGENDARY, 20, JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_CARDS_LOST | JOKER_HOOK_MAIN, "j_caino", "Canio", "Gains x1 per face card destroyed", "x=1", "") \
    X(JOKER_J_TRIBOULET, JOKER_LEGENDARY, 20, JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_SCORED, "j_triboulet", "Triboulet", "x2 mult for each scored King or Queen", "", "") \
    X(JOKER_J_YORICK, JOKER_LEGENDARY, 20, JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_DISCARD | JOKER_HOOK_MAIN, "j_yorick", "Yorick", "Gains x1 per 23 cards discarded", "x=1; countdown=23", "") \
    X(JOKER_J_CHICOT, JOKER_LEGENDARY, 20, JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_BLIND_SET, "j_chicot", "Chicot", "Switches every boss effect off", "", "") \
    X(JOKER_J_PERKEO, JOKER_LEGENDARY, 20, JOKER_IS_COPYABLE | JOKER_IS_MAY_ETERNAL | JOKER_IS_MAY_PERISH, JOKER_POOL_ALWAYS, JOKER_HOOK_SHOP_EXIT, "j_perkeo", "Perkeo", "Leaving the shop makes a Negative copy of one random held consumable", "", "perkeo")

/* X(id, set, price, chosen cards at least, at most, hand of a Planet, in the normal pool, key, title, effect, -, stream) */
#define JOKER_CONSUMABLE_ROWS(X) \
    X(JOKER_C_FOOL, JOKER_TAROT, 3, 0, 0, 255, 1, "c_fool", "The Fool", "Makes a copy of the last Tarot or Planet used in the run (never another Fool); needs a slot", "", "") \
    X(JOKER_C_MAGICIAN, JOKER_TAROT, 3, 1, 2, 255, 1, "c_magician", "The Magician", "Chosen cards become Lucky", "", "") \
    X(JOKER_C_HIGH_PRIESTESS, JOKER_TAROT, 3, 0, 0, 255, 1, "c_high_priestess", "The High Priestess", "Makes up to 2 Planet cards, limited by free slots (its own slot is free by then)", "", "card pri") \
    X(JOKER_C_EMPRESS, JOKER_TAROT, 3, 1, 2, 255, 1, "c_empress", "The Empress", "Chosen cards become Mult cards", "", "") \
    X(JOKER_C_EMPEROR, JOKER_TAROT, 3, 0, 0, 255, 1, "c_emperor", "The Emperor", "Makes up to 2 Tarot cards, limited by free slots", "", "card emp") \
    X(JOKER_C_HEIROPHANT, JOKER_TAROT, 3, 1, 2, 255, 1, "c_heirophant", "The Hierophant", "Chosen cards become Bonus cards", "", "") \
    X(JOKER_C_LOVERS, JOKER_TAROT, 3, 1, 1, 255, 1, "c_lovers", "The Lovers", "Chosen card becomes Wild", "", "") \
    X(JOKER_C_CHARIOT, JOKER_TAROT, 3, 1, 1, 255, 1, "c_chariot", "The Chariot", "Chosen card becomes Steel", "", "") \
    X(JOKER_C_JUSTICE, JOKER_TAROT, 3, 1, 1, 255, 1, "c_justice", "Justice", "Chosen card becomes Glass", "", "") \
    X(JOKER_C_HERMIT, JOKER_TAROT, 3, 0, 0, 255, 1, "c_hermit", "The Hermit", "Doubles money, gaining at most $20 (nothing below $0)", "", "") \
    X(JOKER_C_WHEEL_OF_FORTUNE, JOKER_TAROT, 3, 0, 0, 255, 1, "c_wheel_of_fortune", "The Wheel of Fortune", "1 in 4 odds: a random joker without edition gets Foil 50%, Holographic 35% or Polychrome 15%", "", "wheel_of_fortune three times: odds, joker, edition") \
    X(JOKER_C_STRENGTH, JOKER_TAROT, 3, 1, 2, 255, 1, "c_strength", "Strength", "Chosen cards go up one rank; Ace becomes 2", "", "") \
    X(JOKER_C_HANGED_MAN, JOKER_TAROT, 3, 1, 2, 255, 1, "c_hanged_man", "The Hanged Man", "Destroys the chosen cards", "", "") \
    X(JOKER_C_DEATH, JOKER_TAROT, 3, 2, 2, 255, 1, "c_death", "Death", "The left chosen card becomes a copy of the right one (rank, suit, enhancement, edition, seal, bonus chips)", "", "") \
    X(JOKER_C_TEMPERANCE, JOKER_TAROT, 3, 0, 0, 255, 1, "c_temperance", "Temperance", "Gain the total sell value of all jokers, at most $50", "", "") \
    X(JOKER_C_DEVIL, JOKER_TAROT, 3, 1, 1, 255, 1, "c_devil", "The Devil", "Chosen card becomes Gold", "", "") \
    X(JOKER_C_TOWER, JOKER_TAROT, 3, 1, 1, 255, 1, "c_tower", "The Tower", "Chosen card becomes Stone", "", "") \
    X(JOKER_C_STAR, JOKER_TAROT, 3, 1, 3, 255, 1, "c_star", "The Star", "Chosen cards become Diamonds", "", "") \
    X(JOKER_C_MOON, JOKER_TAROT, 3, 1, 3, 255, 1, "c_moon", "The Moon", "Chosen cards become Clubs", "", "") \
    X(JOKER_C_SUN, JOKER_TAROT, 3, 1, 3, 255, 1, "c_sun", "The Sun", "Chosen cards become Hearts", "", "") \
    X(JOKER_C_JUDGEMENT, JOKER_TAROT, 3, 0, 0, 255, 1, "c_judgement", "Judgement", "Makes a random joker; needs a joker slot", "", "card jud") \
    X(JOKER_C_WORLD, JOKER_TAROT, 3, 1, 3, 255, 1, "c_world", "The World", "Chosen cards become Spades", "", "") \
    X(JOKER_C_MERCURY, JOKER_PLANET, 3, 0, 0, JOKER_PAIR, 1, "c_mercury", "Mercury", "Pair gains a level: +15 chips, +1 mult", "", "") \
    X(JOKER_C_VENUS, JOKER_PLANET, 3, 0, 0, JOKER_THREE, 1, "c_venus", "Venus", "Three of a Kind gains a level: +20 chips, +2 mult", "", "") \
    X(JOKER_C_EARTH, JOKER_PLANET, 3, 0, 0, JOKER_FULL_HOUSE, 1, "c_earth", "Earth", "Full House gains a level: +25 chips, +2 mult", "", "") \
    X(JOKER_C_MARS, JOKER_PLANET, 3, 0, 0, JOKER_FOUR, 1, "c_mars", "Mars", "Four of a Kind gains a level: +30 chips, +3 mult", "", "") \
    X(JOKER_C_JUPITER, JOKER_PLANET, 3, 0, 0, JOKER_FLUSH, 1, "c_jupiter", "Jupiter", "Flush gains a level: +15 chips, +2 mult", "", "") \
    X(JOKER_C_SATURN, JOKER_PLANET, 3, 0, 0, JOKER_STRAIGHT, 1, "c_saturn", "Saturn", "Straight gains a level: +30 chips, +3 mult", "", "") \
    X(JOKER_C_URANUS, JOKER_PLANET, 3, 0, 0, JOKER_TWO_PAIR, 1, "c_uranus", "Uranus", "Two Pair gains a level: +20 chips, +1 mult", "", "") \
    X(JOKER_C_NEPTUNE, JOKER_PLANET, 3, 0, 0, JOKER_STRAIGHT_FLUSH, 1, "c_neptune", "Neptune", "Straight Flush gains a level: +40 chips, +4 mult", "", "") \
    X(JOKER_C_PLUTO, JOKER_PLANET, 3, 0, 0, JOKER_HIGH_CARD, 1, "c_pluto", "Pluto", "High Card gains a level: +10 chips, +1 mult", "", "") \
    X(JOKER_C_PLANET_X, JOKER_PLANET, 3, 0, 0, JOKER_FIVE, 1, "c_planet_x", "Planet X", "Five of a Kind gains a level: +35 chips, +3 mult", "", "") \
    X(JOKER_C_CERES, JOKER_PLANET, 3, 0, 0, JOKER_FLUSH_HOUSE, 1, "c_ceres", "Ceres", "Flush House gains a level: +40 chips, +4 mult", "", "") \
    X(JOKER_C_ERIS, JOKER_PLANET, 3, 0, 0, JOKER_FLUSH_FIVE, 1, "c_eris", "Eris", "Flush Five gains a level: +50 chips, +3 mult", "", "") \
    X(JOKER_C_FAMILIAR, JOKER_SPECTRAL, 4, 0, 0, 255, 1, "c_familiar", "Familiar", "Destroys 1 random held card, adds 3 random enhanced face cards to the hand", "", "random_destroy; familiar_create rank then suit; spe_card") \
    X(JOKER_C_GRIM, JOKER_SPECTRAL, 4, 0, 0, 255, 1, "c_grim", "Grim", "Destroys 1 random held card, adds 2 random enhanced Aces to the hand", "", "random_destroy; grim_create suit; spe_card") \
    X(JOKER_C_INCANTATION, JOKER_SPECTRAL, 4, 0, 0, 255, 1, "c_incantation", "Incantation", "Destroys 1 random held card, adds 4 random enhanced number cards (2 to 10) to the hand", "", "random_destroy; incantation_create rank then suit; spe_card") \
    X(JOKER_C_TALISMAN, JOKER_SPECTRAL, 4, 1, 1, 255, 1, "c_talisman", "Talisman", "Chosen card gets a Gold seal", "", "") \
    X(JOKER_C_AURA, JOKER_SPECTRAL, 4, 1, 1, 255, 1, "c_aura", "Aura", "Chosen card without edition gets Foil 50%, Holographic 35% or Polychrome 15%", "", "aura") \
    X(JOKER_C_WRAITH, JOKER_SPECTRAL, 4, 0, 0, 255, 1, "c_wraith", "Wraith", "Makes a random Rare joker (needs a slot) and sets money to $0", "", "card wra") \
    X(JOKER_C_SIGIL, JOKER_SPECTRAL, 4, 0, 0, 255, 1, "c_sigil", "Sigil", "All held cards take one random suit", "", "sigil") \
    X(JOKER_C_OUIJA, JOKER_SPECTRAL, 4, 0, 0, 255, 1, "c_ouija", "Ouija", "All held cards take one random rank; hand size -1 for the run", "", "ouija") \
    X(JOKER_C_ECTOPLASM, JOKER_SPECTRAL, 4, 0, 0, 255, 1, "c_ectoplasm", "Ectoplasm", "A random joker without edition becomes Negative; hand size falls by 1 the first time, 2 the second time and so on", "", "ectoplasm") \
    X(JOKER_C_IMMOLATE, JOKER_SPECTRAL, 4, 0, 0, 255, 1, "c_immolate", "Immolate", "Destroys 5 random held cards (fewer if fewer are held), gain $20", "", "immolate") \
    X(JOKER_C_ANKH, JOKER_SPECTRAL, 4, 0, 0, 255, 1, "c_ankh", "Ankh", "Keeps one random joker, makes a copy of it (Negative is dropped from the copy), destroys all other non-eternal jokers", "", "ankh_choice") \
    X(JOKER_C_DEJA_VU, JOKER_SPECTRAL, 4, 1, 1, 255, 1, "c_deja_vu", "Deja Vu", "Chosen card gets a Red seal", "", "") \
    X(JOKER_C_HEX, JOKER_SPECTRAL, 4, 0, 0, 255, 1, "c_hex", "Hex", "A random joker without edition becomes Polychrome, all other non-eternal jokers are destroyed", "", "hex") \
    X(JOKER_C_TRANCE, JOKER_SPECTRAL, 4, 1, 1, 255, 1, "c_trance", "Trance", "Chosen card gets a Blue seal", "", "") \
    X(JOKER_C_MEDIUM, JOKER_SPECTRAL, 4, 1, 1, 255, 1, "c_medium", "Medium", "Chosen card gets a Purple seal", "", "") \
    X(JOKER_C_CRYPTID, JOKER_SPECTRAL, 4, 1, 1, 255, 1, "c_cryptid", "Cryptid", "Adds 2 exact copies of the chosen card to the hand", "", "") \
    X(JOKER_C_SOUL, JOKER_SPECTRAL, 4, 0, 0, 255, 0, "c_soul", "The Soul", "Makes a random Legendary joker; needs a joker slot", "", "Joker4 (no suffix, no ante)") \
    X(JOKER_C_BLACK_HOLE, JOKER_SPECTRAL, 4, 0, 0, 255, 0, "c_black_hole", "Black Hole", "Every poker hand gains one level", "", "")

/* X(id, price, tier, needs, open at start, key, title, effect, -, -) */
#define JOKER_VOUCHER_ROWS(X) \
    X(JOKER_V_OVERSTOCK_NORM, 10, 1, 255, 1, "v_overstock_norm", "Overstock", "Shop shows 3 cards instead of 2", "", "") \
    X(JOKER_V_OVERSTOCK_PLUS, 10, 2, JOKER_V_OVERSTOCK_NORM, 0, "v_overstock_plus", "Overstock Plus", "Shop shows 4 cards", "", "") \
    X(JOKER_V_CLEARANCE_SALE, 10, 1, 255, 1, "v_clearance_sale", "Clearance Sale", "Everything in the shop is 25% cheaper", "", "") \
    X(JOKER_V_LIQUIDATION, 10, 2, JOKER_V_CLEARANCE_SALE, 0, "v_liquidation", "Liquidation", "Everything in the shop is 50% cheaper", "", "") \
    X(JOKER_V_HONE, 10, 1, 255, 1, "v_hone", "Hone", "Foil, Holographic and Polychrome come twice as often; Negative does not", "", "") \
    X(JOKER_V_GLOW_UP, 10, 2, JOKER_V_HONE, 0, "v_glow_up", "Glow Up", "Foil, Holographic and Polychrome come four times as often; Negative does not", "", "") \
    X(JOKER_V_REROLL_SURPLUS, 10, 1, 255, 1, "v_reroll_surplus", "Reroll Surplus", "Rerolls cost $2 less", "", "") \
    X(JOKER_V_REROLL_GLUT, 10, 2, JOKER_V_REROLL_SURPLUS, 0, "v_reroll_glut", "Reroll Glut", "Rerolls cost another $2 less", "", "") \
    X(JOKER_V_CRYSTAL_BALL, 10, 1, 255, 1, "v_crystal_ball", "Crystal Ball", "+1 consumable slot", "", "") \
    X(JOKER_V_OMEN_GLOBE, 10, 2, JOKER_V_CRYSTAL_BALL, 0, "v_omen_globe", "Omen Globe", "Each Arcana pack card is a Spectral card with 20% odds", "", "") \
    X(JOKER_V_TELESCOPE, 10, 1, 255, 1, "v_telescope", "Telescope", "The first card of every Celestial pack is the Planet of the most played hand", "", "") \
    X(JOKER_V_OBSERVATORY, 10, 2, JOKER_V_TELESCOPE, 0, "v_observatory", "Observatory", "Each held Planet of the played hand gives x1.5 mult", "", "") \
    X(JOKER_V_GRABBER, 10, 1, 255, 1, "v_grabber", "Grabber", "+1 hand per round", "", "") \
    X(JOKER_V_NACHO_TONG, 10, 2, JOKER_V_GRABBER, 0, "v_nacho_tong", "Nacho Tong", "Another +1 hand per round", "", "") \
    X(JOKER_V_WASTEFUL, 10, 1, 255, 1, "v_wasteful", "Wasteful", "+1 discard per round", "", "") \
    X(JOKER_V_RECYCLOMANCY, 10, 2, JOKER_V_WASTEFUL, 0, "v_recyclomancy", "Recyclomancy", "Another +1 discard per round", "", "") \
    X(JOKER_V_TAROT_MERCHANT, 10, 1, 255, 1, "v_tarot_merchant", "Tarot Merchant", "Tarots come up twice as often in the shop", "", "") \
    X(JOKER_V_TAROT_TYCOON, 10, 2, JOKER_V_TAROT_MERCHANT, 0, "v_tarot_tycoon", "Tarot Tycoon", "Tarots come up four times as often in the shop as at first", "", "") \
    X(JOKER_V_PLANET_MERCHANT, 10, 1, 255, 1, "v_planet_merchant", "Planet Merchant", "Planets come up twice as often in the shop", "", "") \
    X(JOKER_V_PLANET_TYCOON, 10, 2, JOKER_V_PLANET_MERCHANT, 0, "v_planet_tycoon", "Planet Tycoon", "Planets come up four times as often in the shop as at first", "", "") \
    X(JOKER_V_SEED_MONEY, 10, 1, 255, 1, "v_seed_money", "Seed Money", "Interest pays up to $10 per round", "", "") \
    X(JOKER_V_MONEY_TREE, 10, 2, JOKER_V_SEED_MONEY, 0, "v_money_tree", "Money Tree", "Interest pays up to $20 per round", "", "") \
    X(JOKER_V_BLANK, 10, 1, 255, 1, "v_blank", "Blank", "Nothing", "", "") \
    X(JOKER_V_ANTIMATTER, 10, 2, JOKER_V_BLANK, 0, "v_antimatter", "Antimatter", "+1 joker slot", "", "") \
    X(JOKER_V_MAGIC_TRICK, 10, 1, 255, 1, "v_magic_trick", "Magic Trick", "Playing cards come into the shop", "", "") \
    X(JOKER_V_ILLUSION, 10, 2, JOKER_V_MAGIC_TRICK, 0, "v_illusion", "Illusion", "Shop playing cards may be enhanced and may carry an edition", "", "") \
    X(JOKER_V_HIEROGLYPH, 10, 1, 255, 1, "v_hieroglyph", "Hieroglyph", "Ante -1, hands per round -1", "", "") \
    X(JOKER_V_PETROGLYPH, 10, 2, JOKER_V_HIEROGLYPH, 0, "v_petroglyph", "Petroglyph", "Ante -1, discards per round -1", "", "") \
    X(JOKER_V_DIRECTORS_CUT, 10, 1, 255, 1, "v_directors_cut", "Director's Cut", "Boss may be rerolled once per ante for $10", "", "") \
    X(JOKER_V_RETCON, 10, 2, JOKER_V_DIRECTORS_CUT, 0, "v_retcon", "Retcon", "Boss may be rerolled without limit for $10 each", "", "") \
    X(JOKER_V_PAINT_BRUSH, 10, 1, 255, 1, "v_paint_brush", "Paint Brush", "+1 hand size", "", "") \
    X(JOKER_V_PALETTE, 10, 2, JOKER_V_PAINT_BRUSH, 0, "v_palette", "Palette", "Another +1 hand size", "", "")

/* X(id, from ante, key of what must have been seen, key, title, effect, fires, -) */
#define JOKER_TAG_ROWS(X) \
    X(JOKER_TAG_UNCOMMON, 1, "", "tag_uncommon", "Uncommon Tag", "A free Uncommon joker comes into the next shop", "next shop, first free joker slot", "") \
    X(JOKER_TAG_RARE, 1, "j_blueprint", "tag_rare", "Rare Tag", "A free Rare joker comes into the next shop unless every Rare joker is already owned", "next shop, first free joker slot", "") \
    X(JOKER_TAG_NEGATIVE, 2, "e_negative", "tag_negative", "Negative Tag", "The next shop joker without an edition becomes Negative and free", "next shop joker without edition", "") \
    X(JOKER_TAG_FOIL, 1, "e_foil", "tag_foil", "Foil Tag", "The next shop joker without an edition becomes Foil and free", "next shop joker without edition", "") \
    X(JOKER_TAG_HOLO, 1, "e_holo", "tag_holo", "Holographic Tag", "The next shop joker without an edition becomes Holographic and free", "next shop joker without edition", "") \
    X(JOKER_TAG_POLYCHROME, 1, "e_polychrome", "tag_polychrome", "Polychrome Tag", "The next shop joker without an edition becomes Polychrome and free", "next shop joker without edition", "") \
    X(JOKER_TAG_INVESTMENT, 1, "", "tag_investment", "Investment Tag", "Pays $25 when the next boss falls", "cash-out of the next beaten boss", "") \
    X(JOKER_TAG_VOUCHER, 1, "", "tag_voucher", "Voucher Tag", "The next shop has one more voucher", "next shop", "") \
    X(JOKER_TAG_BOSS, 1, "", "tag_boss", "Boss Tag", "Rerolls the boss of this ante", "next blind choice", "") \
    X(JOKER_TAG_STANDARD, 2, "", "tag_standard", "Standard Tag", "Opens a free Mega Standard pack", "next blind choice", "") \
    X(JOKER_TAG_CHARM, 1, "", "tag_charm", "Charm Tag", "Opens a free Mega Arcana pack", "next blind choice", "") \
    X(JOKER_TAG_METEOR, 2, "", "tag_meteor", "Meteor Tag", "Opens a free Mega Celestial pack", "next blind choice", "") \
    X(JOKER_TAG_BUFFOON, 2, "", "tag_buffoon", "Buffoon Tag", "Opens a free Mega Buffoon pack", "next blind choice", "") \
    X(JOKER_TAG_HANDY, 2, "", "tag_handy", "Handy Tag", "$1 per hand played in the run", "at once", "") \
    X(JOKER_TAG_GARBAGE, 2, "", "tag_garbage", "Garbage Tag", "$1 per discard left unused in the run", "at once", "") \
    X(JOKER_TAG_ETHEREAL, 2, "", "tag_ethereal", "Ethereal Tag", "Opens a free normal Spectral pack", "next blind choice", "") \
    X(JOKER_TAG_COUPON, 1, "", "tag_coupon", "Coupon Tag", "The first cards and packs of the next shop are free (not the voucher, not rerolled cards)", "next shop", "") \
    X(JOKER_TAG_DOUBLE, 1, "", "tag_double", "Double Tag", "Duplicates the next gained tag (not another Double Tag)", "when another tag is gained", "") \
    X(JOKER_TAG_JUGGLE, 1, "", "tag_juggle", "Juggle Tag", "+3 hand size in the next round", "next round start", "") \
    X(JOKER_TAG_D_SIX, 1, "", "tag_d_six", "D6 Tag", "Rerolls in the next shop start at $0 and rise by $1 each", "next shop", "") \
    X(JOKER_TAG_TOP_UP, 2, "", "tag_top_up", "Top-up Tag", "Makes up to 2 Common jokers as far as they fit", "at once", "") \
    X(JOKER_TAG_SKIP, 1, "", "tag_skip", "Speed Tag", "$5 per blind skipped in the run, this one included", "at once", "") \
    X(JOKER_TAG_ORBITAL, 2, "", "tag_orbital", "Orbital Tag", "The hand shown on the tag gains 3 levels", "at once", "") \
    X(JOKER_TAG_ECONOMY, 1, "", "tag_economy", "Economy Tag", "Doubles money, gaining at most $40 (nothing below $0)", "at once", "")

/* X(id, kind, from ante, target factor, reward, key, title, effect, acts, stream) */
#define JOKER_BLIND_ROWS(X) \
    X(JOKER_BL_SMALL, JOKER_BLIND_SMALL, 1, 1, 3, "bl_small", "Small Blind", "No effect; may be skipped for a tag", "", "") \
    X(JOKER_BL_BIG, JOKER_BLIND_BIG, 1, 1.5, 4, "bl_big", "Big Blind", "No effect; may be skipped for a tag", "", "") \
    X(JOKER_BL_HOOK, JOKER_BLIND_BOSS, 1, 2, 5, "bl_hook", "The Hook", "2 random held cards are discarded (fewer if fewer are held); discard effects of seals and jokers fire, no discard is spent", "on play, before scoring", "hook") \
    X(JOKER_BL_OX, JOKER_BLIND_BOSS, 6, 2, 5, "bl_ox", "The Ox", "Playing the hand that was most played when the previous boss fell sets money to $0 (High Card before the first boss; ties go to the stronger hand)", "on play", "") \
    X(JOKER_BL_HOUSE, JOKER_BLIND_BOSS, 2, 2, 5, "bl_house", "The House", "Cards drawn before the first play or discard are face down", "on draw", "") \
    X(JOKER_BL_WALL, JOKER_BLIND_BOSS, 2, 4, 5, "bl_wall", "The Wall", "Target is 4 times the ante base", "target", "") \
    X(JOKER_BL_WHEEL, JOKER_BLIND_BOSS, 2, 2, 5, "bl_wheel", "The Wheel", "Each drawn card is face down with odds 1 in 7", "on draw", "wheel") \
    X(JOKER_BL_ARM, JOKER_BLIND_BOSS, 2, 2, 5, "bl_arm", "The Arm", "The level of the played hand falls by 1 (not below 1)", "on play, before scoring", "") \
    X(JOKER_BL_CLUB, JOKER_BLIND_BOSS, 1, 2, 5, "bl_club", "The Club", "Cards counted as Clubs are debuffed", "debuff", "") \
    X(JOKER_BL_FISH, JOKER_BLIND_BOSS, 2, 2, 5, "bl_fish", "The Fish", "Cards drawn after a played hand are face down", "on draw", "") \
    X(JOKER_BL_PSYCHIC, JOKER_BLIND_BOSS, 1, 2, 5, "bl_psychic", "The Psychic", "Hands with fewer than 5 played cards score nothing", "on play", "") \
    X(JOKER_BL_GOAD, JOKER_BLIND_BOSS, 1, 2, 5, "bl_goad", "The Goad", "Cards counted as Spades are debuffed", "debuff", "") \
    X(JOKER_BL_WATER, JOKER_BLIND_BOSS, 2, 2, 5, "bl_water", "The Water", "Starts with 0 discards", "blind start", "") \
    X(JOKER_BL_WINDOW, JOKER_BLIND_BOSS, 1, 2, 5, "bl_window", "The Window", "Cards counted as Diamonds are debuffed", "debuff", "") \
    X(JOKER_BL_MANACLE, JOKER_BLIND_BOSS, 1, 2, 5, "bl_manacle", "The Manacle", "-1 hand size for the round", "blind start", "") \
    X(JOKER_BL_EYE, JOKER_BLIND_BOSS, 3, 2, 5, "bl_eye", "The Eye", "A hand type already played this round scores nothing", "on play", "") \
    X(JOKER_BL_MOUTH, JOKER_BLIND_BOSS, 2, 2, 5, "bl_mouth", "The Mouth", "Only the first hand type played this round scores", "on play", "") \
    X(JOKER_BL_PLANT, JOKER_BLIND_BOSS, 4, 2, 5, "bl_plant", "The Plant", "Face cards are debuffed (all cards with Pareidolia)", "debuff", "") \
    X(JOKER_BL_SERPENT, JOKER_BLIND_BOSS, 5, 2, 5, "bl_serpent", "The Serpent", "After the first play or discard exactly 3 cards are drawn each time, whatever the hand size", "on draw", "") \
    X(JOKER_BL_PILLAR, JOKER_BLIND_BOSS, 1, 2, 5, "bl_pillar", "The Pillar", "Cards already played in this ante are debuffed", "debuff", "") \
    X(JOKER_BL_NEEDLE, JOKER_BLIND_BOSS, 2, 1, 5, "bl_needle", "The Needle", "Only 1 hand; target is 1 times the ante base", "blind start", "") \
    X(JOKER_BL_HEAD, JOKER_BLIND_BOSS, 1, 2, 5, "bl_head", "The Head", "Cards counted as Hearts are debuffed", "debuff", "") \
    X(JOKER_BL_TOOTH, JOKER_BLIND_BOSS, 3, 2, 5, "bl_tooth", "The Tooth", "Lose $1 per played card", "on play", "") \
    X(JOKER_BL_FLINT, JOKER_BLIND_BOSS, 2, 2, 5, "bl_flint", "The Flint", "Base chips and base mult are halved and rounded (mult at least 1)", "base score", "") \
    X(JOKER_BL_MARK, JOKER_BLIND_BOSS, 2, 2, 5, "bl_mark", "The Mark", "Face cards are drawn face down", "on draw", "") \
    X(JOKER_BL_FINAL_ACORN, JOKER_BLIND_SHOWDOWN, 8, 2, 8, "bl_final_acorn", "Amber Acorn", "Jokers are turned face down and shuffled", "blind start", "aajk") \
    X(JOKER_BL_FINAL_LEAF, JOKER_BLIND_SHOWDOWN, 8, 2, 8, "bl_final_leaf", "Verdant Leaf", "All cards are debuffed until a joker is sold", "debuff", "") \
    X(JOKER_BL_FINAL_VESSEL, JOKER_BLIND_SHOWDOWN, 8, 6, 8, "bl_final_vessel", "Violet Vessel", "Target is 6 times the ante base", "target", "") \
    X(JOKER_BL_FINAL_HEART, JOKER_BLIND_SHOWDOWN, 8, 2, 8, "bl_final_heart", "Crimson Heart", "One random joker is debuffed, another one each hand (the current one is exempt from the next draw when 2 or more jokers are owned)", "on draw after each play", "crimson_heart") \
    X(JOKER_BL_FINAL_BELL, JOKER_BLIND_SHOWDOWN, 8, 2, 8, "bl_final_bell", "Cerulean Bell", "One random held card is always selected", "on draw", "cerulean_bell")

/* X(id, dollars, hands, discards, hand size, joker slots, consumable slots, voucher bits, two consumables, key, title, effect, -, -) */
#define JOKER_DECK_ROWS(X) \
    X(JOKER_B_RED, 4, 4, 4, 8, 5, 2, 0u, 255, 255, "b_red", "Red Deck", "+1 discard", "", "") \
    X(JOKER_B_BLUE, 4, 5, 3, 8, 5, 2, 0u, 255, 255, "b_blue", "Blue Deck", "+1 hand", "", "") \
    X(JOKER_B_YELLOW, 14, 4, 3, 8, 5, 2, 0u, 255, 255, "b_yellow", "Yellow Deck", "+$10 at start", "", "") \
    X(JOKER_B_GREEN, 4, 4, 3, 8, 5, 2, 0u, 255, 255, "b_green", "Green Deck", "At cash-out $2 per hand left and $1 per discard left; no interest", "", "") \
    X(JOKER_B_BLACK, 4, 3, 3, 8, 6, 2, 0u, 255, 255, "b_black", "Black Deck", "+1 joker slot, -1 hand", "", "") \
    X(JOKER_B_MAGIC, 4, 4, 3, 8, 5, 3, 1u << JOKER_V_CRYSTAL_BALL, JOKER_C_FOOL, JOKER_C_FOOL, "b_magic", "Magic Deck", "Starts with Crystal Ball and 2 copies of The Fool", "", "") \
    X(JOKER_B_NEBULA, 4, 4, 3, 8, 5, 1, 1u << JOKER_V_TELESCOPE, 255, 255, "b_nebula", "Nebula Deck", "Starts with Telescope, -1 consumable slot", "", "") \
    X(JOKER_B_GHOST, 4, 4, 3, 8, 5, 2, 0u, JOKER_C_HEX, 255, "b_ghost", "Ghost Deck", "Spectral cards come into the shop, half as often as Tarots; starts with Hex", "", "") \
    X(JOKER_B_ABANDONED, 4, 4, 3, 8, 5, 2, 0u, 255, 255, "b_abandoned", "Abandoned Deck", "40 cards: no Jack, Queen, King", "", "") \
    X(JOKER_B_CHECKERED, 4, 4, 3, 8, 5, 2, 0u, 255, 255, "b_checkered", "Checkered Deck", "Clubs are Spades and Diamonds are Hearts: 26 Spades and 26 Hearts", "", "") \
    X(JOKER_B_ZODIAC, 4, 4, 3, 8, 5, 2, 1u << JOKER_V_TAROT_MERCHANT | 1u << JOKER_V_PLANET_MERCHANT | 1u << JOKER_V_OVERSTOCK_NORM, 255, 255, "b_zodiac", "Zodiac Deck", "Starts with three vouchers", "", "") \
    X(JOKER_B_PAINTED, 4, 4, 3, 10, 4, 2, 0u, 255, 255, "b_painted", "Painted Deck", "+2 hand size, -1 joker slot", "", "") \
    X(JOKER_B_ANAGLYPH, 4, 4, 3, 8, 5, 2, 0u, 255, 255, "b_anaglyph", "Anaglyph Deck", "A Double Tag after every beaten boss", "", "") \
    X(JOKER_B_PLASMA, 4, 4, 3, 8, 5, 2, 0u, 255, 255, "b_plasma", "Plasma Deck", "Chips and mult are evened out (both become their average, rounded down) before they are multiplied; all targets doubled", "", "") \
    X(JOKER_B_ERRATIC, 4, 4, 3, 8, 5, 2, 0u, 255, 255, "b_erratic", "Erratic Deck", "52 cards of any rank and suit", "", "")

/* X(target table, eternal, perishable, rental stickers, key, title, adds, -, -) */
#define JOKER_STAKE_ROWS(X) \
    X(1, 0, 0, 0, "white", "white", "Base rules", "", "") \
    X(1, 0, 0, 0, "red", "red", "Small Blind pays no reward", "", "") \
    X(2, 0, 0, 0, "green", "green", "Targets rise faster with the ante", "", "") \
    X(2, 1, 0, 0, "black", "black", "Jokers in shops and packs may be eternal (30% odds)", "", "") \
    X(2, 1, 0, 0, "blue", "blue", "-1 discard per round", "", "") \
    X(3, 1, 0, 0, "purple", "purple", "Targets rise faster still", "", "") \
    X(3, 1, 1, 0, "orange", "orange", "Jokers may be perishable (30% odds)", "", "") \
    X(3, 1, 1, 1, "gold", "gold", "Jokers may be rental (30% odds)", "", "")

/* X(id, kind, size, price, shown, picks, weight, key, title) */
#define JOKER_PACK_ROWS(X) \
    X(JOKER_P_ARCANA_NORMAL_1, JOKER_PACK_ARCANA, JOKER_PACK_NORMAL, 4, 3, 1, 1, "p_arcana_normal_1", "Arcana Pack") \
    X(JOKER_P_ARCANA_NORMAL_2, JOKER_PACK_ARCANA, JOKER_PACK_NORMAL, 4, 3, 1, 1, "p_arcana_normal_2", "Arcana Pack") \
    X(JOKER_P_ARCANA_NORMAL_3, JOKER_PACK_ARCANA, JOKER_PACK_NORMAL, 4, 3, 1, 1, "p_arcana_normal_3", "Arcana Pack") \
    X(JOKER_P_ARCANA_NORMAL_4, JOKER_PACK_ARCANA, JOKER_PACK_NORMAL, 4, 3, 1, 1, "p_arcana_normal_4", "Arcana Pack") \
    X(JOKER_P_ARCANA_JUMBO_1, JOKER_PACK_ARCANA, JOKER_PACK_JUMBO, 6, 5, 1, 1, "p_arcana_jumbo_1", "Jumbo Arcana Pack") \
    X(JOKER_P_ARCANA_JUMBO_2, JOKER_PACK_ARCANA, JOKER_PACK_JUMBO, 6, 5, 1, 1, "p_arcana_jumbo_2", "Jumbo Arcana Pack") \
    X(JOKER_P_ARCANA_MEGA_1, JOKER_PACK_ARCANA, JOKER_PACK_MEGA, 8, 5, 2, 0.25, "p_arcana_mega_1", "Mega Arcana Pack") \
    X(JOKER_P_ARCANA_MEGA_2, JOKER_PACK_ARCANA, JOKER_PACK_MEGA, 8, 5, 2, 0.25, "p_arcana_mega_2", "Mega Arcana Pack") \
    X(JOKER_P_CELESTIAL_NORMAL_1, JOKER_PACK_CELESTIAL, JOKER_PACK_NORMAL, 4, 3, 1, 1, "p_celestial_normal_1", "Celestial Pack") \
    X(JOKER_P_CELESTIAL_NORMAL_2, JOKER_PACK_CELESTIAL, JOKER_PACK_NORMAL, 4, 3, 1, 1, "p_celestial_normal_2", "Celestial Pack") \
    X(JOKER_P_CELESTIAL_NORMAL_3, JOKER_PACK_CELESTIAL, JOKER_PACK_NORMAL, 4, 3, 1, 1, "p_celestial_normal_3", "Celestial Pack") \
    X(JOKER_P_CELESTIAL_NORMAL_4, JOKER_PACK_CELESTIAL, JOKER_PACK_NORMAL, 4, 3, 1, 1, "p_celestial_normal_4", "Celestial Pack") \
    X(JOKER_P_CELESTIAL_JUMBO_1, JOKER_PACK_CELESTIAL, JOKER_PACK_JUMBO, 6, 5, 1, 1, "p_celestial_jumbo_1", "Jumbo Celestial Pack") \
    X(JOKER_P_CELESTIAL_JUMBO_2, JOKER_PACK_CELESTIAL, JOKER_PACK_JUMBO, 6, 5, 1, 1, "p_celestial_jumbo_2", "Jumbo Celestial Pack") \
    X(JOKER_P_CELESTIAL_MEGA_1, JOKER_PACK_CELESTIAL, JOKER_PACK_MEGA, 8, 5, 2, 0.25, "p_celestial_mega_1", "Mega Celestial Pack") \
    X(JOKER_P_CELESTIAL_MEGA_2, JOKER_PACK_CELESTIAL, JOKER_PACK_MEGA, 8, 5, 2, 0.25, "p_celestial_mega_2", "Mega Celestial Pack") \
    X(JOKER_P_STANDARD_NORMAL_1, JOKER_PACK_STANDARD, JOKER_PACK_NORMAL, 4, 3, 1, 1, "p_standard_normal_1", "Standard Pack") \
    X(JOKER_P_STANDARD_NORMAL_2, JOKER_PACK_STANDARD, JOKER_PACK_NORMAL, 4, 3, 1, 1, "p_standard_normal_2", "Standard Pack") \
    X(JOKER_P_STANDARD_NORMAL_3, JOKER_PACK_STANDARD, JOKER_PACK_NORMAL, 4, 3, 1, 1, "p_standard_normal_3", "Standard Pack") \
    X(JOKER_P_STANDARD_NORMAL_4, JOKER_PACK_STANDARD, JOKER_PACK_NORMAL, 4, 3, 1, 1, "p_standard_normal_4", "Standard Pack") \
    X(JOKER_P_STANDARD_JUMBO_1, JOKER_PACK_STANDARD, JOKER_PACK_JUMBO, 6, 5, 1, 1, "p_standard_jumbo_1", "Jumbo Standard Pack") \
    X(JOKER_P_STANDARD_JUMBO_2, JOKER_PACK_STANDARD, JOKER_PACK_JUMBO, 6, 5, 1, 1, "p_standard_jumbo_2", "Jumbo Standard Pack") \
    X(JOKER_P_STANDARD_MEGA_1, JOKER_PACK_STANDARD, JOKER_PACK_MEGA, 8, 5, 2, 0.25, "p_standard_mega_1", "Mega Standard Pack") \
    X(JOKER_P_STANDARD_MEGA_2, JOKER_PACK_STANDARD, JOKER_PACK_MEGA, 8, 5, 2, 0.25, "p_standard_mega_2", "Mega Standard Pack") \
    X(JOKER_P_BUFFOON_NORMAL_1, JOKER_PACK_BUFFOON, JOKER_PACK_NORMAL, 4, 2, 1, 0.6, "p_buffoon_normal_1", "Buffoon Pack") \
    X(JOKER_P_BUFFOON_NORMAL_2, JOKER_PACK_BUFFOON, JOKER_PACK_NORMAL, 4, 2, 1, 0.6, "p_buffoon_normal_2", "Buffoon Pack") \
    X(JOKER_P_BUFFOON_JUMBO_1, JOKER_PACK_BUFFOON, JOKER_PACK_JUMBO, 6, 4, 1, 0.6, "p_buffoon_jumbo_1", "Jumbo Buffoon Pack") \
    X(JOKER_P_BUFFOON_MEGA_1, JOKER_PACK_BUFFOON, JOKER_PACK_MEGA, 8, 4, 2, 0.15, "p_buffoon_mega_1", "Mega Buffoon Pack") \
    X(JOKER_P_SPECTRAL_NORMAL_1, JOKER_PACK_SPECTRAL, JOKER_PACK_NORMAL, 4, 2, 1, 0.3, "p_spectral_normal_1", "Spectral Pack") \
    X(JOKER_P_SPECTRAL_NORMAL_2, JOKER_PACK_SPECTRAL, JOKER_PACK_NORMAL, 4, 2, 1, 0.3, "p_spectral_normal_2", "Spectral Pack") \
    X(JOKER_P_SPECTRAL_JUMBO_1, JOKER_PACK_SPECTRAL, JOKER_PACK_JUMBO, 6, 4, 1, 0.3, "p_spectral_jumbo_1", "Jumbo Spectral Pack") \
    X(JOKER_P_SPECTRAL_MEGA_1, JOKER_PACK_SPECTRAL, JOKER_PACK_MEGA, 8, 4, 2, 0.07, "p_spectral_mega_1", "Mega Spectral Pack")

/* X(hand, chips, mult, chips per level, mult per level, Planet, visible at start, title, needs) */
#define JOKER_HAND_ROWS(X) \
    X(JOKER_FLUSH_FIVE, 160, 16, 50, 3, JOKER_C_ERIS, 0, "Flush Five", "5 of one rank and a Flush") \
    X(JOKER_FLUSH_HOUSE, 140, 14, 40, 4, JOKER_C_CERES, 0, "Flush House", "3 of one rank, 2 of another and a Flush") \
    X(JOKER_FIVE, 120, 12, 35, 3, JOKER_C_PLANET_X, 0, "Five of a Kind", "5 of one rank") \
    X(JOKER_STRAIGHT_FLUSH, 100, 8, 40, 4, JOKER_C_NEPTUNE, 1, "Straight Flush", "a Straight and a Flush") \
    X(JOKER_FOUR, 60, 7, 30, 3, JOKER_C_MARS, 1, "Four of a Kind", "4 of one rank") \
    X(JOKER_FULL_HOUSE, 40, 4, 25, 2, JOKER_C_EARTH, 1, "Full House", "3 of one rank and 2 of another") \
    X(JOKER_FLUSH, 35, 4, 15, 2, JOKER_C_JUPITER, 1, "Flush", "5 (4) cards of one suit") \
    X(JOKER_STRAIGHT, 30, 4, 30, 3, JOKER_C_SATURN, 1, "Straight", "5 (4) ranks in a row, Ace high or low") \
    X(JOKER_THREE, 30, 3, 20, 2, JOKER_C_VENUS, 1, "Three of a Kind", "3 of one rank") \
    X(JOKER_TWO_PAIR, 20, 2, 20, 1, JOKER_C_URANUS, 1, "Two Pair", "2 ranks held exactly twice, or a triple and a pair") \
    X(JOKER_PAIR, 10, 2, 15, 1, JOKER_C_MERCURY, 1, "Pair", "2 of one rank") \
    X(JOKER_HIGH_CARD, 5, 1, 10, 1, JOKER_C_PLUTO, 1, "High Card", "any card")

/* X(ante, base of the targets in tables 1, 2, 3) */
#define JOKER_ANTE_ROWS(X) \
    X(0, 100.0, 100.0, 100.0) \
    X(1, 300.0, 300.0, 300.0) \
    X(2, 800.0, 900.0, 1000.0) \
    X(3, 2000.0, 2600.0, 3200.0) \
    X(4, 5000.0, 8000.0, 9000.0) \
    X(5, 11000.0, 20000.0, 25000.0) \
    X(6, 20000.0, 36000.0, 60000.0) \
    X(7, 35000.0, 60000.0, 110000.0) \
    X(8, 50000.0, 100000.0, 200000.0) \
    X(9, 110000.0, 230000.0, 460000.0) \
    X(10, 560000.0, 1100000.0, 2200000.0) \
    X(11, 7200000.0, 14000000.0, 29000000.0) \
    X(12, 300000000.0, 600000000.0, 1200000000.0) \
    X(13, 47000000000.0, 94000000000.0, 180000000000.0) \
    X(14, 29000000000000.0, 58000000000000.0, 110000000000000.0) \
    X(15, 77000000000000000.0, 150000000000000000.0, 300000000000000000.0) \
    X(16, 860000000000000000000.0, 1700000000000000000000.0, 3400000000000000000000.0)

/* X(price it adds, key, title, effect, -, stream) */
#define JOKER_ENHANCEMENT_ROWS(X) \
    X(0, "m_bonus", "Bonus", "+30 chips when scored", "", "") \
    X(0, "m_mult", "Mult", "+4 mult when scored", "", "") \
    X(0, "m_wild", "Wild", "counts as every suit while not debuffed; suit debuffs hit it for any suit", "", "") \
    X(0, "m_glass", "Glass", "x2 mult when scored; after scoring 1 in 4 odds to break", "", "glass") \
    X(0, "m_steel", "Steel", "x1.5 mult while held", "", "") \
    X(0, "m_stone", "Stone", "50 chips, no rank, no suit, always scores", "", "") \
    X(0, "m_gold", "Gold", "$3 if held at round end", "", "") \
    X(0, "m_lucky", "Lucky", "1 in 5 odds +20 mult and 1 in 15 odds $20 when scored", "", "lucky_mult; lucky_money")

/* X(price it adds, key, title, effect, -, stream) */
#define JOKER_EDITION_ROWS(X) \
    X(2, "foil", "Foil", "+50 chips", "", "") \
    X(3, "holo", "Holographic", "+10 mult", "", "") \
    X(5, "polychrome", "Polychrome", "x1.5 mult", "", "") \
    X(5, "negative", "Negative", "+1 joker slot (joker) or +1 consumable slot (consumable)", "", "")

/* X(price it adds, key, title, effect, -, stream) */
#define JOKER_SEAL_ROWS(X) \
    X(0, "Gold", "Gold seal", "$3 each time the card scores", "", "") \
    X(0, "Red", "Red seal", "one extra trigger, scored or held", "", "") \
    X(0, "Blue", "Blue seal", "held at round end: makes the Planet of the last played hand (needs a slot)", "", "card blusl") \
    X(0, "Purple", "Purple seal", "discarded: makes a Tarot (needs a slot)", "", "card 8ba")

/* X(price it adds, key, title, effect, -, stream) */
#define JOKER_STICKER_ROWS(X) \
    X(0, "eternal", "Eternal", "cannot be sold or destroyed", "", "etperpoll<ante> shop, packetper<ante> pack") \
    X(0, "perishable", "Perishable", "debuffed for good after 5 rounds", "", "same poll as eternal") \
    X(0, "rental", "Rental", "costs $1, takes $3 at every round end", "", "ssjr<ante> shop, packssjr<ante> pack")

/* The common jokers. */
#define JOKER_COMMON_LIST \
    JOKER_J_JOKER, \
    JOKER_J_GREEDY_JOKER, \
    JOKER_J_LUSTY_JOKER, \
    JOKER_J_WRATHFUL_JOKER, \
    JOKER_J_GLUTTENOUS_JOKER, \
    JOKER_J_JOLLY, \
    JOKER_J_ZANY, \
    JOKER_J_MAD, \
    JOKER_J_CRAZY, \
    JOKER_J_DROLL, \
    JOKER_J_SLY, \
    JOKER_J_WILY, \
    JOKER_J_CLEVER, \
    JOKER_J_DEVIOUS, \
    JOKER_J_CRAFTY, \
    JOKER_J_HALF, \
    JOKER_J_CREDIT_CARD, \
    JOKER_J_BANNER, \
    JOKER_J_MYSTIC_SUMMIT, \
    JOKER_J_8_BALL, \
    JOKER_J_MISPRINT, \
    JOKER_J_RAISED_FIST, \
    JOKER_J_CHAOS, \
    JOKER_J_SCARY_FACE, \
    JOKER_J_ABSTRACT, \
    JOKER_J_DELAYED_GRAT, \
    JOKER_J_GROS_MICHEL, \
    JOKER_J_EVEN_STEVEN, \
    JOKER_J_ODD_TODD, \
    JOKER_J_SCHOLAR, \
    JOKER_J_BUSINESS, \
    JOKER_J_SUPERNOVA, \
    JOKER_J_RIDE_THE_BUS, \
    JOKER_J_EGG, \
    JOKER_J_RUNNER, \
    JOKER_J_ICE_CREAM, \
    JOKER_J_SPLASH, \
    JOKER_J_BLUE_JOKER, \
    JOKER_J_FACELESS, \
    JOKER_J_GREEN_JOKER, \
    JOKER_J_SUPERPOSITION, \
    JOKER_J_TODO_LIST, \
    JOKER_J_CAVENDISH, \
    JOKER_J_RED_CARD, \
    JOKER_J_SQUARE, \
    JOKER_J_RIFF_RAFF, \
    JOKER_J_PHOTOGRAPH, \
    JOKER_J_RESERVED_PARKING, \
    JOKER_J_MAIL, \
    JOKER_J_HALLUCINATION, \
    JOKER_J_FORTUNE_TELLER, \
    JOKER_J_JUGGLER, \
    JOKER_J_DRUNKARD, \
    JOKER_J_GOLDEN, \
    JOKER_J_POPCORN, \
    JOKER_J_WALKIE_TALKIE, \
    JOKER_J_SMILEY, \
    JOKER_J_TICKET, \
    JOKER_J_SWASHBUCKLER, \
    JOKER_J_HANGING_CHAD, \
    JOKER_J_SHOOT_THE_MOON

/* The uncommon jokers. */
#define JOKER_UNCOMMON_LIST \
    JOKER_J_STENCIL, \
    JOKER_J_FOUR_FINGERS, \
    JOKER_J_MIME, \
    JOKER_J_CEREMONIAL, \
    JOKER_J_MARBLE, \
    JOKER_J_LOYALTY_CARD, \
    JOKER_J_DUSK, \
    JOKER_J_FIBONACCI, \
    JOKER_J_STEEL_JOKER, \
    JOKER_J_HACK, \
    JOKER_J_PAREIDOLIA, \
    JOKER_J_SPACE, \
    JOKER_J_BURGLAR, \
    JOKER_J_BLACKBOARD, \
    JOKER_J_SIXTH_SENSE, \
    JOKER_J_CONSTELLATION, \
    JOKER_J_HIKER, \
    JOKER_J_CARD_SHARP, \
    JOKER_J_MADNESS, \
    JOKER_J_SEANCE, \
    JOKER_J_VAMPIRE, \
    JOKER_J_SHORTCUT, \
    JOKER_J_HOLOGRAM, \
    JOKER_J_CLOUD_9, \
    JOKER_J_ROCKET, \
    JOKER_J_MIDAS_MASK, \
    JOKER_J_LUCHADOR, \
    JOKER_J_GIFT, \
    JOKER_J_TURTLE_BEAN, \
    JOKER_J_EROSION, \
    JOKER_J_TO_THE_MOON, \
    JOKER_J_STONE, \
    JOKER_J_LUCKY_CAT, \
    JOKER_J_BULL, \
    JOKER_J_DIET_COLA, \
    JOKER_J_TRADING, \
    JOKER_J_FLASH, \
    JOKER_J_TROUSERS, \
    JOKER_J_RAMEN, \
    JOKER_J_SELZER, \
    JOKER_J_CASTLE, \
    JOKER_J_MR_BONES, \
    JOKER_J_ACROBAT, \
    JOKER_J_SOCK_AND_BUSKIN, \
    JOKER_J_TROUBADOUR, \
    JOKER_J_CERTIFICATE, \
    JOKER_J_SMEARED, \
    JOKER_J_THROWBACK, \
    JOKER_J_ROUGH_GEM, \
    JOKER_J_BLOODSTONE, \
    JOKER_J_ARROWHEAD, \
    JOKER_J_ONYX_AGATE, \
    JOKER_J_GLASS, \
    JOKER_J_RING_MASTER, \
    JOKER_J_FLOWER_POT, \
    JOKER_J_MERRY_ANDY, \
    JOKER_J_OOPS, \
    JOKER_J_IDOL, \
    JOKER_J_SEEING_DOUBLE, \
    JOKER_J_MATADOR, \
    JOKER_J_SATELLITE, \
    JOKER_J_CARTOMANCER, \
    JOKER_J_ASTRONOMER, \
    JOKER_J_BOOTSTRAPS

/* The rare jokers. */
#define JOKER_RARE_LIST \
    JOKER_J_DNA, \
    JOKER_J_VAGABOND, \
    JOKER_J_BARON, \
    JOKER_J_OBELISK, \
    JOKER_J_BASEBALL, \
    JOKER_J_ANCIENT, \
    JOKER_J_CAMPFIRE, \
    JOKER_J_BLUEPRINT, \
    JOKER_J_WEE, \
    JOKER_J_HIT_THE_ROAD, \
    JOKER_J_DUO, \
    JOKER_J_TRIO, \
    JOKER_J_FAMILY, \
    JOKER_J_ORDER, \
    JOKER_J_TRIBE, \
    JOKER_J_STUNTMAN, \
    JOKER_J_INVISIBLE, \
    JOKER_J_BRAINSTORM, \
    JOKER_J_DRIVERS_LICENSE, \
    JOKER_J_BURNT

/* The legendary jokers. */
#define JOKER_LEGENDARY_LIST \
    JOKER_J_CAINO, \
    JOKER_J_TRIBOULET, \
    JOKER_J_YORICK, \
    JOKER_J_CHICOT, \
    JOKER_J_PERKEO

/* The bosses by their keys. */
#define JOKER_BOSS_LIST \
    JOKER_BL_ARM, \
    JOKER_BL_CLUB, \
    JOKER_BL_EYE, \
    JOKER_BL_FINAL_ACORN, \
    JOKER_BL_FINAL_BELL, \
    JOKER_BL_FINAL_HEART, \
    JOKER_BL_FINAL_LEAF, \
    JOKER_BL_FINAL_VESSEL, \
    JOKER_BL_FISH, \
    JOKER_BL_FLINT, \
    JOKER_BL_GOAD, \
    JOKER_BL_HEAD, \
    JOKER_BL_HOOK, \
    JOKER_BL_HOUSE, \
    JOKER_BL_MANACLE, \
    JOKER_BL_MARK, \
    JOKER_BL_MOUTH, \
    JOKER_BL_NEEDLE, \
    JOKER_BL_OX, \
    JOKER_BL_PILLAR, \
    JOKER_BL_PLANT, \
    JOKER_BL_PSYCHIC, \
    JOKER_BL_SERPENT, \
    JOKER_BL_TOOTH, \
    JOKER_BL_WALL, \
    JOKER_BL_WATER, \
    JOKER_BL_WHEEL, \
    JOKER_BL_WINDOW
