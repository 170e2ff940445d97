/* Made from data/CSV by data/make.py: change those, not this. Each macro calls X once per row; the
 * columns are those of the file, names in quotes, words as POTION_ constants. potion_tables.h gives
 * the rows their shape. */
#pragma once

// clang-format off

/* X(action, name, kind, chapter, place bits, rarity, magimins a..e, taste, touch, smell, sight, sound, price, drop weight) */
#define POTION_INGREDIENT_ROWS(X) \
    X(1, "Fairy Flower Bulb", POTION_KIND_FLOWER, 1, 0x1, POTION_RARITY_COMMON, 4, 0, 0, 0, 0, 0, 0, 1, 0, 0, 14, 1) \
    X(2, "Impstool Mushroom", POTION_KIND_FUNGUS, 1, 0x1, POTION_RARITY_COMMON, 0, 4, 0, 0, 0, 0, 1, 0, 0, 0, 17, 1) \
    X(3, "Rotfly Larva", POTION_KIND_BUG, 1, 0x1, POTION_RARITY_COMMON, 0, 0, 4, 0, 0, 1, 0, 0, 0, 0, 10, 1) \
    X(4, "Feyberry", POTION_KIND_FRUIT, 1, 0x1, POTION_RARITY_COMMON, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 1) \
    X(5, "Mandrake Root", POTION_KIND_PLANT, 1, 0x1, POTION_RARITY_COMMON, 0, 6, 0, 0, 0, 0, 0, 0, 0, 0, 6, 1) \
    X(6, "Sack of Slime", POTION_KIND_SLIME, 1, 0x1, POTION_RARITY_COMMON, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0, 7, 1) \
    X(7, "Kappa Pheromones", POTION_KIND_ESSENCE, 1, 0x1, POTION_RARITY_UNCOMMON, 4, 0, 4, 0, 0, 0, 0, 0, 0, 0, 13, 1) \
    X(8, "Pixiedust Diamond", POTION_KIND_GEM, 1, 0x1, POTION_RARITY_UNCOMMON, 0, 4, 4, 0, 0, 0, 0, 0, 0, 0, 14, 1) \
    X(9, "River Calamari", POTION_KIND_FISH, 1, 0x1, POTION_RARITY_COMMON, 8, 0, 0, 0, 0, 0, -1, 0, 0, 0, 5, 1) \
    X(10, "River-Pixie's Shell", POTION_KIND_MINERAL, 1, 0x1, POTION_RARITY_UNCOMMON, 4, 4, 0, 0, 0, 0, 0, 0, 0, 0, 11, 1) \
    X(11, "Serpent's Slippery Tongue", POTION_KIND_FLESH, 1, 0x1, POTION_RARITY_COMMON, 0, 8, 0, 0, 0, 0, 0, -1, 0, 0, 6, 2) \
    X(12, "Unicorn Horn", POTION_KIND_BONE, 1, 0x1, POTION_RARITY_COMMON, 0, 0, 8, 0, 0, -1, 0, 0, 0, 0, 6, 1) \
    X(13, "Cubic Ooze", POTION_KIND_SLIME, 1, 0x1, POTION_RARITY_RARE, 3, 3, 3, 0, 0, 0, 0, 0, 0, 0, 16, 1) \
    X(14, "Desert Metal", POTION_KIND_ORE, 1, 0x2, POTION_RARITY_COMMON, 0, 12, 0, 0, 0, 0, 1, 0, 0, 0, 25, 0) \
    X(15, "Fairy Flower Bud", POTION_KIND_FLOWER, 1, 0x2, POTION_RARITY_COMMON, 12, 0, 0, 0, 0, 0, 0, 1, 0, 0, 23, 3) \
    X(16, "Rotfly Cocoon", POTION_KIND_BUG, 1, 0x2, POTION_RARITY_UNCOMMON, 0, 0, 12, 0, 0, 1, 0, 0, 0, 0, 25, 2) \
    X(17, "Glass Ore", POTION_KIND_ORE, 1, 0x2, POTION_RARITY_COMMON, 0, 0, 0, 18, 0, 0, 0, 0, 0, 0, 24, 2) \
    X(18, "Horned Jelly", POTION_KIND_SLIME, 1, 0x2, POTION_RARITY_UNCOMMON, 18, 0, 0, 0, 0, 0, -1, 0, 1, 0, 20, 3) \
    X(19, "Manwyrm Root", POTION_KIND_PLANT, 1, 0x2, POTION_RARITY_COMMON, 0, 18, 0, 0, 0, 0, 0, 0, 0, 0, 14, 3) \
    X(20, "Sphinx Flea", POTION_KIND_BUG, 1, 0x2, POTION_RARITY_RARE, 12, 6, 0, 0, 0, 0, 1, 0, 0, 0, 35, 2) \
    X(21, "Figment Pomme", POTION_KIND_FRUIT, 1, 0x2, POTION_RARITY_UNCOMMON, 0, 18, 6, 0, 0, 0, 0, 0, 0, 0, 26, 2) \
    X(22, "Golem's-Eye Diamond", POTION_KIND_GEM, 1, 0x2, POTION_RARITY_UNCOMMON, 0, 12, 12, 0, 0, 0, 0, 0, 0, 0, 28, 2) \
    X(23, "Leech Snail's Shell", POTION_KIND_MINERAL, 1, 0x2, POTION_RARITY_UNCOMMON, 12, 12, 0, 0, 0, 0, 0, 0, 0, 0, 26, 3) \
    X(24, "Salamander's Fiery Tongue", POTION_KIND_FLESH, 1, 0x2, POTION_RARITY_COMMON, 0, 24, 0, 0, 0, 0, 0, -1, 0, 0, 22, 3) \
    X(25, "Frog Leg", POTION_KIND_FLESH, 1, 0x2, POTION_RARITY_EPIC, 0, 0, 24, 12, 0, 0, 0, 0, -1, 0, 33, 1) \
    X(26, "Golemite", POTION_KIND_MINERAL, 1, 0x2, POTION_RARITY_RARE, 18, 12, 0, 10, 0, 0, 0, 0, 0, 0, 38, 2) \
    X(27, "Murkwater Pearl", POTION_KIND_GEM, 1, 0x4, POTION_RARITY_UNCOMMON, 0, 0, 0, 12, 0, 0, 0, 0, 1, 0, 27, 2) \
    X(28, "Trollstool Mushroom", POTION_KIND_FUNGUS, 1, 0x4, POTION_RARITY_COMMON, 0, 12, 0, 0, 0, 0, 1, 0, 0, 0, 20, 2) \
    X(29, "Wraith Orchid", POTION_KIND_FLOWER, 1, 0x4, POTION_RARITY_COMMON, 0, 0, 0, 12, 0, 0, 0, 0, 0, 0, 19, 0) \
    X(30, "Crocodile Tooth", POTION_KIND_BONE, 1, 0x4, POTION_RARITY_COMMON, 6, 0, 12, 0, 0, 0, 0, 0, 0, 0, 20, 0) \
    X(31, "Mud Shrimp", POTION_KIND_FISH, 1, 0x4, POTION_RARITY_RARE, 6, 0, 12, 0, 0, 0, 0, 1, 0, 0, 26, 1) \
    X(32, "Puckberry", POTION_KIND_FRUIT, 1, 0x4, POTION_RARITY_COMMON, 18, 0, 0, 0, 0, 0, 0, 0, 0, 0, 16, 3) \
    X(33, "Sack of Hive Slime", POTION_KIND_SLIME, 1, 0x4, POTION_RARITY_COMMON, 0, 0, 18, 0, 0, 0, 0, 0, 0, 0, 21, 2) \
    X(34, "Swamp Fish", POTION_KIND_FISH, 1, 0x4, POTION_RARITY_COMMON, 12, 0, 0, 6, 0, 0, 0, 0, 0, 0, 22, 0) \
    X(35, "Ghostlight Bloom", POTION_KIND_FLOWER, 1, 0x4, POTION_RARITY_UNCOMMON, 18, 0, 0, 6, 0, 0, 0, 0, 0, 0, 28, 2) \
    X(36, "Miasma Spore", POTION_KIND_FUNGUS, 1, 0x4, POTION_RARITY_UNCOMMON, 0, 18, 0, 6, 0, 0, 0, 0, 0, 0, 30, 1) \
    X(37, "Qilin's Tri-Horn", POTION_KIND_BONE, 1, 0x4, POTION_RARITY_COMMON, 0, 0, 24, 0, 0, -1, 0, 0, 0, 0, 18, 2) \
    X(38, "Swamp Octopus", POTION_KIND_FISH, 1, 0x4, POTION_RARITY_COMMON, 24, 0, 0, 0, 0, 0, -1, 0, 0, 0, 18, 3) \
    X(39, "Warg Pheromones", POTION_KIND_ESSENCE, 1, 0x4, POTION_RARITY_UNCOMMON, 12, 0, 12, 0, 0, 0, 0, 0, 0, 0, 26, 2) \
    X(40, "Bog Beet", POTION_KIND_PLANT, 1, 0x4, POTION_RARITY_RARE, 0, 27, 0, 0, 0, -1, 0, 0, 0, 1, 27, 3) \
    X(41, "Hydra Vertebra", POTION_KIND_BONE, 1, 0x4, POTION_RARITY_COMMON, 9, 9, 9, 0, 0, 0, 0, 0, 0, 0, 35, 3) \
    X(42, "Moss Berries", POTION_KIND_FRUIT, 1, 0x4, POTION_RARITY_COMMON, 0, 10, 0, 20, 0, 0, 0, 0, 0, 0, 35, 0) \
    X(43, "Raven's Shadow", POTION_KIND_ESSENCE, 1, 0x4, POTION_RARITY_RARE, 0, 10, 12, 18, 0, 0, 0, 0, 0, 0, 52, 1) \
    X(44, "Bubble Ooze", POTION_KIND_SLIME, 1, 0x4, POTION_RARITY_EPIC, 9, 9, 12, 12, 0, 0, 0, 0, 0, 0, 60, 1) \
    X(45, "Fairy Flower Bloom", POTION_KIND_FLOWER, 2, 0x8, POTION_RARITY_COMMON, 20, 0, 0, 0, 0, 0, 0, 1, 0, 0, 35, 3) \
    X(46, "Shadowveil Pearl", POTION_KIND_GEM, 2, 0x8, POTION_RARITY_UNCOMMON, 0, 0, 0, 20, 0, 0, 0, 0, 1, 0, 38, 2) \
    X(47, "Cobweb Crayfish", POTION_KIND_FISH, 2, 0x8, POTION_RARITY_RARE, 10, 0, 20, 0, 0, 0, 0, 1, 0, 0, 48, 2) \
    X(48, "Hallucinatory Shroom", POTION_KIND_FUNGUS, 2, 0x8, POTION_RARITY_RARE, 0, 0, 30, 0, 0, 1, 0, 0, 0, -1, 36, 2) \
    X(49, "Sack of Composite Slime", POTION_KIND_SLIME, 2, 0x8, POTION_RARITY_COMMON, 0, 0, 30, 0, 0, 0, 0, 0, 0, 0, 36, 2) \
    X(50, "Banshee's Bloody Tongue", POTION_KIND_FLESH, 2, 0x8, POTION_RARITY_COMMON, 0, 40, 0, 0, 0, 0, 0, -1, 0, 0, 32, 3) \
    X(51, "Barghast Canine", POTION_KIND_BONE, 2, 0x8, POTION_RARITY_RARE, 0, 30, 0, 0, 10, 0, 0, 0, 0, 0, 55, 2) \
    X(52, "Photonic Spore", POTION_KIND_FUNGUS, 2, 0x8, POTION_RARITY_EPIC, 0, 10, 0, 30, 0, -1, 0, 1, 0, 0, 52, 2) \
    X(53, "Spider's-Bait Diamond", POTION_KIND_GEM, 2, 0x8, POTION_RARITY_UNCOMMON, 0, 20, 20, 0, 0, 0, 0, 0, 0, 0, 50, 2) \
    X(54, "Dropspider's Shadow", POTION_KIND_ESSENCE, 2, 0x8, POTION_RARITY_RARE, 0, 0, 30, 20, 10, 0, 0, 0, 0, 0, 90, 1) \
    X(55, "Mosquito Plant", POTION_KIND_PLANT, 2, 0x8, POTION_RARITY_EPIC, 10, 0, 20, 0, 30, 0, 0, 0, 0, 0, 105, 1) \
    X(56, "Mote of Mana", POTION_KIND_PURE_MANA, 2, 0x38, POTION_RARITY_EPIC, 15, 15, 15, 15, 15, 0, 0, 0, 0, 0, 130, 2) \
    X(57, "Rotfly Adult", POTION_KIND_BUG, 2, 0x10, POTION_RARITY_UNCOMMON, 0, 0, 20, 0, 0, 1, 0, 0, 0, 0, 38, 2) \
    X(58, "Jelly Blossom", POTION_KIND_FLOWER, 2, 0x10, POTION_RARITY_RARE, 0, 0, 0, 0, 30, 0, 0, 0, 0, 0, 55, 1) \
    X(59, "Mandragon Root", POTION_KIND_PLANT, 2, 0x10, POTION_RARITY_COMMON, 0, 30, 0, 0, 0, 0, 0, 0, 0, 0, 34, 3) \
    X(60, "Reef Radish", POTION_KIND_PLANT, 2, 0x10, POTION_RARITY_RARE, 0, 30, 0, 0, 0, -1, 0, 0, 0, 1, 32, 2) \
    X(61, "Selkie Lice", POTION_KIND_BUG, 2, 0x10, POTION_RARITY_RARE, 10, 20, 0, 0, 0, 0, 1, 0, 0, 0, 50, 3) \
    X(62, "Dwarf Kraken", POTION_KIND_FISH, 2, 0x10, POTION_RARITY_COMMON, 40, 0, 0, 0, 0, 0, -1, 0, 0, 0, 30, 3) \
    X(63, "Nessie Pheromones", POTION_KIND_ESSENCE, 2, 0x10, POTION_RARITY_COMMON, 20, 0, 20, 0, 0, 0, 0, 0, 0, 0, 50, 2) \
    X(64, "Phantom Pomme", POTION_KIND_FRUIT, 2, 0x10, POTION_RARITY_EPIC, 0, 10, 30, 0, 0, 1, 0, 0, 0, -1, 64, 2) \
    X(65, "Saltwatermelon", POTION_KIND_FRUIT, 2, 0x10, POTION_RARITY_UNCOMMON, 0, 0, 0, 40, 0, 0, 0, 0, -1, 0, 44, 2) \
    X(66, "Sea Salt", POTION_KIND_MINERAL, 2, 0x10, POTION_RARITY_UNCOMMON, 30, 0, 0, 0, 10, 0, 0, 0, 0, 0, 55, 2) \
    X(67, "Abyssalite", POTION_KIND_MINERAL, 2, 0x10, POTION_RARITY_UNCOMMON, 30, 20, 0, 0, 10, 0, 0, 0, 0, 0, 79, 2) \
    X(68, "Malachite Ore", POTION_KIND_ORE, 2, 0x10, POTION_RARITY_RARE, 30, 10, 0, 0, 20, 0, 0, 0, 0, 0, 93, 2) \
    X(69, "Squid Vine", POTION_KIND_PLANT, 2, 0x10, POTION_RARITY_RARE, 20, 20, 15, 0, 15, 0, 0, 0, 0, 0, 135, 2) \
    X(70, "Giantstool Mushroom", POTION_KIND_FUNGUS, 2, 0x20, POTION_RARITY_COMMON, 0, 20, 0, 0, 0, 0, 1, 0, 0, 0, 40, 3) \
    X(71, "Antlered Jelly", POTION_KIND_SLIME, 2, 0x20, POTION_RARITY_UNCOMMON, 30, 0, 0, 0, 0, 0, -1, 0, 1, 0, 28, 2) \
    X(72, "Bogeyberry", POTION_KIND_FRUIT, 2, 0x20, POTION_RARITY_COMMON, 30, 0, 0, 0, 0, 0, 0, 0, 0, 0, 30, 3) \
    X(73, "Electrocution Eel", POTION_KIND_FISH, 2, 0x20, POTION_RARITY_UNCOMMON, 10, 10, 10, 0, 0, 0, 0, 0, 1, 0, 45, 3) \
    X(74, "Fulgurite Ore", POTION_KIND_ORE, 2, 0x20, POTION_RARITY_UNCOMMON, 0, 0, 0, 30, 0, 0, 0, 0, 0, 0, 40, 2) \
    X(75, "Static Spiderling", POTION_KIND_BUG, 2, 0x20, POTION_RARITY_RARE, 0, 0, 0, 0, 30, 0, 0, 0, -1, 1, 50, 1) \
    X(76, "Raiju Droppings", POTION_KIND_ESSENCE, 2, 0x20, POTION_RARITY_UNCOMMON, 0, 0, 30, 10, 0, 0, 0, 0, 0, 0, 55, 2) \
    X(77, "Slapping Turtle's Shell", POTION_KIND_MINERAL, 2, 0x20, POTION_RARITY_COMMON, 20, 20, 0, 0, 0, 0, 0, 0, 0, 0, 46, 3) \
    X(78, "Spriggan Antler", POTION_KIND_BONE, 2, 0x20, POTION_RARITY_UNCOMMON, 0, 0, 40, 0, 0, -1, 0, 0, 0, 0, 38, 2) \
    X(79, "Thunderbird's Molted Feather", POTION_KIND_FLESH, 2, 0x20, POTION_RARITY_RARE, 0, 0, 30, 0, 10, 0, 0, 0, 0, 0, 60, 1) \
    X(80, "Copper Dollop", POTION_KIND_SLIME, 2, 0x20, POTION_RARITY_RARE, 15, 15, 15, 15, 0, 0, 0, 0, 0, 0, 95, 3) \
    X(81, "Fire Flower", POTION_KIND_FLOWER, 2, 0x20, POTION_RARITY_RARE, 40, 0, 0, 20, 0, 0, 0, -1, 0, 0, 55, 2) \
    X(82, "Thunder Quartz", POTION_KIND_GEM, 2, 0x20, POTION_RARITY_UNCOMMON, 30, 10, 20, 0, 0, 0, 0, 0, 0, 0, 72, 2) \
    X(83, "Bramble-Rose", POTION_KIND_FLOWER, 3, 0x40, POTION_RARITY_UNCOMMON, 16, 0, 0, 0, 0, 0, 1, 0, 0, 1, 45, 3) \
    X(84, "Daydream Pomme", POTION_KIND_FRUIT, 3, 0x40, POTION_RARITY_RARE, 0, 24, 8, 0, 0, 0, 0, 0, 1, 1, 75, 2) \
    X(85, "Rotfly Matriarch", POTION_KIND_BUG, 3, 0x40, POTION_RARITY_COMMON, 0, 0, 32, 0, 0, 1, 0, 0, 0, 0, 65, 2) \
    X(86, "Acid Rutabaga", POTION_KIND_PLANT, 3, 0x40, POTION_RARITY_COMMON, 0, 48, 0, 0, 0, -1, 0, 0, 0, 1, 54, 3) \
    X(87, "Creeping Mildew", POTION_KIND_FUNGUS, 3, 0x40, POTION_RARITY_UNCOMMON, 16, 0, 0, 0, 48, 0, 0, 0, 0, 0, 92, 1) \
    X(88, "Lamia's Shed Scales", POTION_KIND_FLESH, 3, 0x40, POTION_RARITY_UNCOMMON, 0, 0, 0, 48, 16, 0, 0, 0, 0, 0, 110, 2) \
    X(89, "Naga's Fang", POTION_KIND_BONE, 3, 0x40, POTION_RARITY_COMMON, 0, 48, 0, 0, 16, 0, -1, 0, 0, 1, 98, 2) \
    X(90, "Rottermelon", POTION_KIND_FRUIT, 3, 0x40, POTION_RARITY_COMMON, 0, 0, 0, 64, 0, 0, 0, 0, -1, 0, 68, 2) \
    X(91, "Scimitar Crab's Shell", POTION_KIND_MINERAL, 3, 0x40, POTION_RARITY_COMMON, 32, 32, 0, 0, 0, 0, 0, 0, 0, 0, 76, 3) \
    X(92, "Shelled Pudding", POTION_KIND_SLIME, 3, 0x40, POTION_RARITY_COMMON, 32, 0, 0, 32, 0, 0, 0, 0, 0, 0, 90, 2) \
    X(93, "Hangman Eel", POTION_KIND_FISH, 3, 0x40, POTION_RARITY_UNCOMMON, 24, 24, 24, 0, 0, 0, 0, 0, 0, 0, 95, 3) \
    X(94, "Acid Pitfall Plant", POTION_KIND_PLANT, 3, 0x40, POTION_RARITY_UNCOMMON, 16, 0, 40, 0, 40, 0, 0, 0, 0, 0, 145, 2) \
    X(95, "Bioplasm", POTION_KIND_ESSENCE, 3, 0x40, POTION_RARITY_RARE, 0, 48, 32, 16, 0, 0, 0, 0, -1, 1, 125, 2) \
    X(96, "Weeping Metal Ore", POTION_KIND_ORE, 3, 0x40, POTION_RARITY_COMMON, 0, 32, 64, 0, 0, 0, -1, 0, 0, 0, 66, 2) \
    X(97, "Ember of Mana", POTION_KIND_PURE_MANA, 3, 0x1c0, POTION_RARITY_EPIC, 24, 24, 24, 24, 24, 0, 0, 0, 0, 0, 165, 1) \
    X(98, "Charredonnay", POTION_KIND_FRUIT, 3, 0x40, POTION_RARITY_RARE, 48, 0, 48, 24, 24, -1, 0, 0, 0, 0, 260, 2) \
    X(99, "Poison Quartz", POTION_KIND_GEM, 3, 0x40, POTION_RARITY_RARE, 64, 48, 0, 32, 0, 0, 0, 0, 0, -1, 185, 3) \
    X(100, "Eye of Newt", POTION_KIND_FLESH, 3, 0x80, POTION_RARITY_UNCOMMON, 0, 16, 0, 0, 0, 1, 1, 0, 0, 0, 34, 3) \
    X(101, "Djinn Blossom", POTION_KIND_FLOWER, 3, 0x80, POTION_RARITY_UNCOMMON, 24, 0, 0, 8, 0, 1, 0, 1, 0, 0, 68, 2) \
    X(102, "Lustrous Pearl", POTION_KIND_GEM, 3, 0x80, POTION_RARITY_COMMON, 0, 0, 0, 32, 0, 0, 0, 0, 1, 0, 60, 2) \
    X(103, "Delirium Shroom", POTION_KIND_FUNGUS, 3, 0x80, POTION_RARITY_COMMON, 0, 0, 48, 0, 0, 1, 0, 0, 0, -1, 63, 2) \
    X(104, "Sequined Custard", POTION_KIND_SLIME, 3, 0x80, POTION_RARITY_UNCOMMON, 0, 0, 32, 0, 16, 0, 0, 0, 1, 0, 84, 2) \
    X(105, "Phoenix Tear", POTION_KIND_ESSENCE, 3, 0x80, POTION_RARITY_EPIC, 0, 24, 24, 8, 0, 0, 1, 0, 0, 0, 82, 2) \
    X(106, "Daredevil Pepper", POTION_KIND_PLANT, 3, 0x80, POTION_RARITY_COMMON, 0, 32, 0, 32, 0, 0, 0, 0, 0, 0, 90, 2) \
    X(107, "Geode Citrus", POTION_KIND_FRUIT, 3, 0x80, POTION_RARITY_UNCOMMON, 0, 16, 0, 0, 48, 0, 0, 0, 0, 0, 94, 1) \
    X(108, "Ogre's Shadow", POTION_KIND_ESSENCE, 3, 0x80, POTION_RARITY_COMMON, 32, 0, 32, 0, 0, 0, 0, 0, 0, 0, 74, 2) \
    X(109, "Owlbear Pheromones", POTION_KIND_ESSENCE, 3, 0x80, POTION_RARITY_UNCOMMON, 0, 0, 0, 0, 64, 0, 0, -1, 0, 0, 90, 1) \
    X(110, "Jeweled Scarab", POTION_KIND_BUG, 3, 0x80, POTION_RARITY_COMMON, 0, 24, 24, 24, 0, 0, 0, 0, 0, 0, 105, 2) \
    X(111, "Chimera Waste", POTION_KIND_ESSENCE, 3, 0x80, POTION_RARITY_COMMON, 0, 0, 64, 32, 0, 0, 0, -1, 0, 0, 118, 2) \
    X(112, "Silver Dollop", POTION_KIND_SLIME, 3, 0x80, POTION_RARITY_EPIC, 24, 24, 24, 24, 0, 0, 0, 0, 0, 0, 138, 2) \
    X(113, "Lazuli Ore", POTION_KIND_ORE, 3, 0x80, POTION_RARITY_RARE, 64, 48, 0, 0, 32, 0, 0, 0, 0, -1, 174, 2) \
    X(114, "Pegasus Mite", POTION_KIND_BUG, 3, 0x80, POTION_RARITY_UNCOMMON, 96, 48, 0, 0, 0, 0, -1, 0, 0, -1, 134, 3) \
    X(115, "Shallow Grave Enoki", POTION_KIND_FUNGUS, 3, 0x80, POTION_RARITY_RARE, 32, 64, 64, 32, 0, 0, -1, -1, 0, 0, 200, 2) \
    X(116, "Celestial Ore", POTION_KIND_ORE, 3, 0x100, POTION_RARITY_UNCOMMON, 0, 0, 16, 0, 0, 0, 0, 1, 1, 0, 45, 2) \
    X(117, "Crag Crab", POTION_KIND_FISH, 3, 0x100, POTION_RARITY_RARE, 0, 0, 0, 0, 32, 0, 0, 1, 0, 0, 75, 1) \
    X(118, "Rock Salt", POTION_KIND_MINERAL, 3, 0x100, POTION_RARITY_UNCOMMON, 24, 0, 0, 0, 8, 1, 0, 0, 1, 0, 68, 3) \
    X(119, "Feathered Gelatin", POTION_KIND_SLIME, 3, 0x100, POTION_RARITY_UNCOMMON, 0, 0, 0, 48, 0, 0, 1, -1, 0, 0, 62, 2) \
    X(120, "Harpy's Heart of Stone", POTION_KIND_FLESH, 3, 0x100, POTION_RARITY_UNCOMMON, 16, 0, 0, 32, 0, 0, 1, 0, 0, 0, 76, 2) \
    X(121, "Sepulcher Widow", POTION_KIND_BUG, 3, 0x100, POTION_RARITY_UNCOMMON, 0, 0, 0, 0, 48, 0, 0, 0, -1, 1, 82, 1) \
    X(122, "Courtier's Orchid", POTION_KIND_FLOWER, 3, 0x100, POTION_RARITY_EPIC, 8, 24, 24, 0, 0, 0, 0, 1, 0, 0, 72, 3) \
    X(123, "Griffin's-Whetstone Diamond", POTION_KIND_GEM, 3, 0x100, POTION_RARITY_COMMON, 0, 32, 32, 0, 0, 0, 0, 0, 0, 0, 86, 2) \
    X(124, "Medusa Spore", POTION_KIND_FUNGUS, 3, 0x100, POTION_RARITY_COMMON, 0, 48, 0, 16, 0, -1, 0, 1, 0, 0, 94, 2) \
    X(125, "Silver Stag Antler", POTION_KIND_BONE, 3, 0x100, POTION_RARITY_COMMON, 0, 0, 64, 0, 0, -1, 0, 0, 0, 0, 72, 2) \
    X(126, "Watchdog Daisy", POTION_KIND_FLOWER, 3, 0x100, POTION_RARITY_COMMON, 0, 16, 0, 48, 0, 0, 0, 0, 0, 0, 83, 2) \
    X(127, "Harpy's Snare", POTION_KIND_PLANT, 3, 0x100, POTION_RARITY_EPIC, 24, 24, 24, 0, 24, 0, 0, 0, 0, 0, 150, 2) \
    X(128, "Stalking Skeleton's Fibula", POTION_KIND_BONE, 3, 0x100, POTION_RARITY_UNCOMMON, 0, 0, 40, 40, 16, 0, 0, 0, 0, 0, 150, 2) \
    X(129, "Supernalite", POTION_KIND_MINERAL, 3, 0x100, POTION_RARITY_RARE, 48, 32, 0, 16, 0, -1, 0, 0, 1, 0, 134, 2) \
    X(130, "Avalanche Cricket", POTION_KIND_BUG, 3, 0x100, POTION_RARITY_COMMON, 24, 24, 32, 32, 0, 1, -1, 0, 0, 0, 140, 0) \
    X(131, "Buoyant Blowfish", POTION_KIND_FISH, 3, 0x100, POTION_RARITY_UNCOMMON, 96, 0, 48, 0, 0, 0, 0, 0, -1, -1, 138, 2) \
    X(132, "Basilisk's Cornea", POTION_KIND_FLESH, 4, 0x200, POTION_RARITY_UNCOMMON, 0, 22, 0, 0, 0, 1, 1, 0, 0, 0, 54, 3) \
    X(133, "Dragonbreath Blossom", POTION_KIND_FLOWER, 4, 0x200, POTION_RARITY_UNCOMMON, 33, 0, 0, 11, 0, 1, 0, 1, 0, 0, 76, 2) \
    X(134, "Dragonfire Pearl", POTION_KIND_GEM, 4, 0x200, POTION_RARITY_RARE, 0, 0, 0, 44, 0, 0, 0, 0, 1, 0, 76, 2) \
    X(135, "Bedazzled Custard", POTION_KIND_SLIME, 4, 0x200, POTION_RARITY_COMMON, 0, 0, 44, 0, 22, 0, 0, 0, 1, 0, 95, 2) \
    X(136, "Pandemonium Shroom", POTION_KIND_FUNGUS, 4, 0x200, POTION_RARITY_COMMON, 66, 0, 0, 0, 0, 1, 0, 0, 0, -1, 72, 2) \
    X(137, "Dragon Tear", POTION_KIND_ESSENCE, 4, 0x200, POTION_RARITY_UNCOMMON, 0, 33, 33, 11, 0, 0, 1, 0, 0, 0, 118, 2) \
    X(138, "Amphithere's Shadow", POTION_KIND_ESSENCE, 4, 0x200, POTION_RARITY_COMMON, 44, 0, 44, 0, 0, 0, 0, 0, 0, 0, 114, 2) \
    X(139, "Dragon Pheromones", POTION_KIND_ESSENCE, 4, 0x200, POTION_RARITY_UNCOMMON, 0, 0, 0, 0, 88, 0, 0, -1, 0, 0, 151, 1) \
    X(140, "Dragonegg Citrus", POTION_KIND_FRUIT, 4, 0x200, POTION_RARITY_UNCOMMON, 0, 22, 0, 0, 66, 0, 0, 0, 0, 0, 124, 2) \
    X(141, "Widowmaker Pepper", POTION_KIND_PLANT, 4, 0x200, POTION_RARITY_COMMON, 0, 44, 0, 44, 0, 0, 0, 0, 0, 0, 126, 2) \
    X(142, "Magma Beetle", POTION_KIND_BUG, 4, 0x200, POTION_RARITY_COMMON, 0, 33, 33, 33, 0, 0, 0, 0, 0, 0, 124, 2) \
    X(143, "Dragon Dung", POTION_KIND_ESSENCE, 4, 0x200, POTION_RARITY_UNCOMMON, 0, 0, 88, 44, 0, 0, 0, -1, 0, 0, 173, 2) \
    X(144, "Gold Dollop", POTION_KIND_SLIME, 4, 0x200, POTION_RARITY_RARE, 33, 33, 33, 33, 0, 0, 0, 0, 0, 0, 176, 2) \
    X(145, "Mana Blaze", POTION_KIND_PURE_MANA, 4, 0x200, POTION_RARITY_EPIC, 50, 40, 30, 20, 10, 0, 1, 1, 0, 0, 234, 2) \
    X(146, "Amethyst Ore", POTION_KIND_ORE, 4, 0x200, POTION_RARITY_UNCOMMON, 66, 66, 0, 0, 33, 0, 0, 0, 0, -1, 206, 2) \
    X(147, "Dragonblood Tick", POTION_KIND_BUG, 4, 0x200, POTION_RARITY_UNCOMMON, 132, 66, 0, 0, 0, 0, -1, 0, 0, -1, 174, 3) \
    X(148, "Funeral Pyre Enoki", POTION_KIND_FUNGUS, 4, 0x200, POTION_RARITY_EPIC, 88, 88, 44, 44, 0, 0, -1, -1, 0, 0, 280, 1) \
    X(149, "Inverted Bramble-Rose", POTION_KIND_FLOWER, 4, 0x400, POTION_RARITY_UNCOMMON, 22, 0, 0, 0, 0, 0, 1, 0, 0, 1, 46, 3) \
    X(150, "Nightmare Pomme", POTION_KIND_FRUIT, 4, 0x400, POTION_RARITY_RARE, 0, 33, 11, 0, 0, 0, 0, 0, 1, 1, 72, 2) \
    X(151, "Rotfly Mutant", POTION_KIND_BUG, 4, 0x400, POTION_RARITY_COMMON, 0, 0, 44, 0, 0, 1, 0, 0, 0, 0, 74, 2) \
    X(152, "Cosmic Cassava", POTION_KIND_PLANT, 4, 0x400, POTION_RARITY_COMMON, 0, 66, 0, 0, 0, -1, 0, 0, 0, 1, 82, 3) \
    X(153, "Slaughtermelon", POTION_KIND_FRUIT, 4, 0x400, POTION_RARITY_COMMON, 0, 0, 0, 76, 0, 0, 0, 0, -1, 0, 105, 2) \
    X(154, "Armored Pudding", POTION_KIND_SLIME, 4, 0x400, POTION_RARITY_COMMON, 44, 0, 0, 44, 0, 0, 0, 0, 0, 0, 115, 2) \
    X(155, "Body Snatcher's Sloughed Skin", POTION_KIND_FLESH, 4, 0x400, POTION_RARITY_RARE, 0, 0, 0, 66, 22, 0, 0, 0, 0, 0, 132, 1) \
    X(156, "Elder Being's Tusk", POTION_KIND_BONE, 4, 0x400, POTION_RARITY_UNCOMMON, 0, 66, 0, 0, 22, 0, -1, 0, 0, 1, 114, 2) \
    X(157, "Space Nautilus's Shell", POTION_KIND_MINERAL, 4, 0x400, POTION_RARITY_COMMON, 44, 44, 0, 0, 0, 0, 0, 0, 0, 0, 102, 3) \
    X(158, "Stalking Mold", POTION_KIND_FUNGUS, 4, 0x400, POTION_RARITY_COMMON, 22, 0, 0, 0, 66, 0, 0, 0, 0, 0, 123, 2) \
    X(159, "Guillotine Eel", POTION_KIND_FISH, 4, 0x400, POTION_RARITY_COMMON, 33, 33, 33, 0, 0, 0, 0, 0, 0, 0, 126, 2) \
    X(160, "Barracuda Plant", POTION_KIND_PLANT, 4, 0x400, POTION_RARITY_COMMON, 22, 0, 55, 0, 55, 0, 0, 0, 0, 0, 172, 2) \
    X(161, "Liquid Metal Ore", POTION_KIND_ORE, 4, 0x400, POTION_RARITY_COMMON, 0, 44, 88, 0, 0, 0, -1, 0, 0, 0, 162, 2) \
    X(162, "Xenoplasm", POTION_KIND_ESSENCE, 4, 0x400, POTION_RARITY_RARE, 0, 55, 55, 22, 0, 0, 0, 0, -1, 1, 166, 2) \
    X(163, "Cosmic Quartz", POTION_KIND_GEM, 4, 0x400, POTION_RARITY_UNCOMMON, 66, 33, 0, 66, 0, 0, 0, 0, 0, -1, 204, 2) \
    X(164, "Spark of Mana", POTION_KIND_PURE_MANA, 4, 0x400, POTION_RARITY_EPIC, 33, 33, 33, 33, 33, 0, 0, 0, 0, 0, 215, 1) \
    X(165, "Xeno Noir", POTION_KIND_FRUIT, 4, 0x400, POTION_RARITY_RARE, 66, 0, 66, 33, 33, -1, 0, 0, 0, 0, 236, 2) \
    X(166, "Nether Ore", POTION_KIND_ORE, 4, 0x800, POTION_RARITY_RARE, 0, 0, 22, 0, 0, 0, 0, 1, 1, 0, 51, 2) \
    X(167, "Blackfrost Lobster", POTION_KIND_FISH, 4, 0x800, POTION_RARITY_UNCOMMON, 0, 0, 0, 0, 44, 0, 0, 1, 0, 0, 104, 1) \
    X(168, "Diamond Salt", POTION_KIND_MINERAL, 4, 0x800, POTION_RARITY_UNCOMMON, 33, 0, 0, 0, 11, 1, 0, 0, 1, 0, 85, 2) \
    X(169, "Abominable Tarantula", POTION_KIND_BUG, 4, 0x800, POTION_RARITY_UNCOMMON, 0, 0, 0, 0, 66, 0, 0, 0, -1, 1, 105, 1) \
    X(170, "Jotunn's Frozen Heart", POTION_KIND_FLESH, 4, 0x800, POTION_RARITY_UNCOMMON, 22, 0, 0, 44, 0, 0, 1, 0, 0, 0, 98, 2) \
    X(171, "Winged Gelatin", POTION_KIND_SLIME, 4, 0x800, POTION_RARITY_UNCOMMON, 0, 0, 0, 66, 0, 0, 1, -1, 0, 0, 103, 2) \
    X(172, "Orchid of the Ice Princess", POTION_KIND_FLOWER, 4, 0x800, POTION_RARITY_RARE, 11, 33, 0, 33, 0, 0, 0, 1, 0, 0, 116, 2) \
    X(173, "Direwolf's-Breath Diamond", POTION_KIND_GEM, 4, 0x800, POTION_RARITY_COMMON, 0, 44, 44, 0, 0, 0, 0, 0, 0, 0, 118, 2) \
    X(174, "Hellhound Daisy", POTION_KIND_FLOWER, 4, 0x800, POTION_RARITY_UNCOMMON, 0, 22, 0, 66, 0, 0, 0, 0, 0, 0, 125, 2) \
    X(175, "Snowflake Spore", POTION_KIND_FUNGUS, 4, 0x800, POTION_RARITY_COMMON, 0, 66, 0, 22, 0, -1, 0, 1, 0, 0, 108, 2) \
    X(176, "Yeti Antler", POTION_KIND_BONE, 4, 0x800, POTION_RARITY_COMMON, 0, 0, 88, 0, 0, -1, 0, 0, 0, 0, 104, 2) \
    X(177, "Death's Embrace", POTION_KIND_PLANT, 4, 0x800, POTION_RARITY_EPIC, 33, 33, 33, 0, 33, 0, 0, 0, 0, 0, 196, 2) \
    X(178, "Draugr's Tibia", POTION_KIND_BONE, 4, 0x800, POTION_RARITY_UNCOMMON, 0, 0, 55, 55, 22, 0, 0, 0, 0, 0, 184, 2) \
    X(179, "Hoarite", POTION_KIND_MINERAL, 4, 0x800, POTION_RARITY_RARE, 55, 55, 0, 22, 0, -1, 0, 0, 1, 0, 167, 2) \
    X(180, "Frost Hopper", POTION_KIND_BUG, 4, 0x800, POTION_RARITY_COMMON, 33, 33, 44, 44, 0, 1, -1, 0, 0, 0, 196, 3) \
    X(181, "Icicle Pufferfish", POTION_KIND_FISH, 4, 0x800, POTION_RARITY_UNCOMMON, 132, 0, 66, 0, 0, 0, 0, 0, -1, -1, 210, 2) \
    X(182, "Mana Conflagration", POTION_KIND_PURE_MANA, 4, 0x800, POTION_RARITY_EPIC, 35, 45, 55, 65, 75, 0, 0, -1, -1, 0, 316, 1) \
    X(183, "Blightroach", POTION_KIND_BUG, 5, 0x1000, POTION_RARITY_COMMON, 0, 42, 42, 42, 0, 0, 0, 0, 0, 0, 185, 2) \
    X(184, "Cyclops Skull", POTION_KIND_BONE, 5, 0x1000, POTION_RARITY_COMMON, 0, 0, 42, 42, 42, 0, 0, 0, 0, 0, 200, 1) \
    X(185, "Lethal Injection Eel", POTION_KIND_FISH, 5, 0x1000, POTION_RARITY_COMMON, 42, 42, 42, 0, 0, 0, 0, 0, 0, 0, 164, 2) \
    X(186, "Arcane Truffle", POTION_KIND_FUNGUS, 5, 0x1000, POTION_RARITY_RARE, 0, 42, 42, 42, 42, 0, 0, 0, 0, 0, 236, 2) \
    X(187, "Ectoplasm", POTION_KIND_ESSENCE, 5, 0x1000, POTION_RARITY_RARE, 0, 70, 70, 28, 0, 0, 0, 0, -1, 1, 226, 2) \
    X(188, "Lich's Femur", POTION_KIND_BONE, 5, 0x1000, POTION_RARITY_UNCOMMON, 0, 0, 70, 70, 28, 0, 0, 0, 0, 0, 247, 2) \
    X(189, "Nuclear Shadow", POTION_KIND_ESSENCE, 5, 0x1000, POTION_RARITY_RARE, 0, 70, 70, 28, 0, 0, 1, 0, 0, 0, 228, 2) \
    X(190, "Orchid of the Witch Queen", POTION_KIND_FLOWER, 5, 0x1000, POTION_RARITY_RARE, 28, 70, 0, 70, 0, 0, 0, 1, 0, 0, 248, 2) \
    X(191, "Platinum Slime", POTION_KIND_SLIME, 5, 0x1000, POTION_RARITY_RARE, 42, 42, 42, 42, 0, 0, 0, 0, 0, 0, 178, 2) \
    X(192, "Sorcerite", POTION_KIND_MINERAL, 5, 0x1000, POTION_RARITY_RARE, 70, 70, 0, 28, 0, -1, 0, 0, 1, 0, 232, 2) \
    X(193, "Venous Witch-Trap", POTION_KIND_PLANT, 5, 0x1000, POTION_RARITY_UNCOMMON, 28, 0, 70, 0, 70, 0, 0, 0, 0, 0, 214, 2) \
    X(194, "Witchbramble Vine", POTION_KIND_PLANT, 5, 0x1000, POTION_RARITY_RARE, 42, 42, 42, 0, 42, 0, 0, 0, 0, 0, 210, 2) \
    X(195, "Arcane Quartz", POTION_KIND_GEM, 5, 0x1000, POTION_RARITY_UNCOMMON, 84, 0, 0, 84, 42, 0, 0, 0, 0, -1, 264, 2) \
    X(196, "Blackgold Ore", POTION_KIND_ORE, 5, 0x1000, POTION_RARITY_UNCOMMON, 84, 84, 0, 0, 42, 0, 0, 0, 0, -1, 256, 2) \
    X(197, "Dazzling Mana", POTION_KIND_PURE_MANA, 5, 0x1000, POTION_RARITY_EPIC, 42, 42, 42, 42, 42, 0, 1, 1, 0, 0, 345, 3) \
    X(198, "Mana Heart", POTION_KIND_PURE_MANA, 5, 0x1000, POTION_RARITY_EPIC, 28, 28, 28, 98, 28, 1, 0, 1, 0, 0, 450, 3) \
    X(199, "Mana Maelstrom", POTION_KIND_PURE_MANA, 5, 0x1000, POTION_RARITY_EPIC, 98, 28, 28, 28, 28, 0, 0, 0, 1, 1, 375, 3) \
    X(200, "Mana Prism", POTION_KIND_PURE_MANA, 5, 0x1000, POTION_RARITY_EPIC, 28, 28, 98, 28, 28, 0, 1, 0, 1, 0, 425, 3) \
    X(201, "Mana Singularity", POTION_KIND_PURE_MANA, 5, 0x1000, POTION_RARITY_EPIC, 28, 28, 28, 28, 98, 0, 0, 1, 0, 1, 475, 3) \
    X(202, "Mana Vortex", POTION_KIND_PURE_MANA, 5, 0x1000, POTION_RARITY_EPIC, 28, 98, 28, 28, 28, 1, 0, 0, 0, 1, 400, 3) \
    X(203, "Hocus Locust", POTION_KIND_BUG, 5, 0x1000, POTION_RARITY_EPIC, 28, 28, 140, 28, 0, 1, -1, 0, 0, 0, 287, 3) \
    X(204, "Underworld Pomegranate", POTION_KIND_FRUIT, 5, 0x1000, POTION_RARITY_EPIC, 28, 28, 28, 140, 0, 1, 0, 0, -1, 0, 332, 2) \
    X(205, "Sinfandel", POTION_KIND_FRUIT, 5, 0x1000, POTION_RARITY_RARE, 80, 0, 80, 80, 40, -1, 0, 0, 0, 0, 362, 2) \
    X(206, "Mass Grave Enoki", POTION_KIND_FUNGUS, 5, 0x1000, POTION_RARITY_RARE, 56, 112, 112, 56, 0, 0, -1, -1, 0, 0, 386, 2)

/* X(recipe, name, family, parts a..e, licence, brewing time of six tiers) */
#define POTION_RECIPE_ROWS(X) \
    X(0, "Health Potion", POTION_FAMILY_POTION, 1, 1, 0, 0, 0, 1, 2, 4, 6, 8, 11, 14) \
    X(1, "Mana Potion", POTION_FAMILY_POTION, 0, 1, 1, 0, 0, 1, 3, 5, 7, 9, 12, 15) \
    X(2, "Stamina Potion", POTION_FAMILY_POTION, 1, 0, 0, 0, 1, 2, 4, 6, 8, 10, 13, 16) \
    X(3, "Speed Potion", POTION_FAMILY_POTION, 0, 0, 1, 1, 0, 2, 5, 7, 9, 12, 15, 18) \
    X(4, "Tolerance Potion", POTION_FAMILY_POTION, 0, 0, 0, 1, 1, 4, 7, 9, 11, 14, 17, 21) \
    X(5, "Fire Tonic", POTION_FAMILY_TONIC, 1, 0, 1, 0, 0, 1, 2, 4, 6, 8, 11, 14) \
    X(6, "Ice Tonic", POTION_FAMILY_TONIC, 1, 0, 0, 1, 0, 2, 3, 5, 7, 9, 12, 15) \
    X(7, "Thunder Tonic", POTION_FAMILY_TONIC, 0, 1, 0, 1, 0, 2, 4, 6, 8, 10, 13, 16) \
    X(8, "Shadow Tonic", POTION_FAMILY_TONIC, 0, 1, 0, 0, 1, 2, 5, 7, 9, 12, 15, 18) \
    X(9, "Radiation Tonic", POTION_FAMILY_TONIC, 0, 0, 1, 0, 1, 4, 6, 9, 11, 14, 17, 19) \
    X(10, "Sight Enhancer", POTION_FAMILY_ENHANCER, 3, 4, 3, 0, 0, 1, 3, 5, 7, 9, 12, 15) \
    X(11, "Alertness Enhancer", POTION_FAMILY_ENHANCER, 0, 3, 4, 3, 0, 2, 5, 7, 9, 12, 15, 18) \
    X(12, "Insight Enhancer", POTION_FAMILY_ENHANCER, 4, 3, 0, 0, 3, 3, 4, 6, 8, 10, 13, 16) \
    X(13, "Dowsing Enhancer", POTION_FAMILY_ENHANCER, 3, 0, 0, 3, 4, 3, 7, 9, 11, 14, 17, 21) \
    X(14, "Seeking Enhancer", POTION_FAMILY_ENHANCER, 0, 0, 3, 4, 3, 4, 9, 12, 15, 18, 21, 25) \
    X(15, "Poison Cure", POTION_FAMILY_CURE, 2, 0, 1, 1, 0, 1, 2, 4, 6, 8, 11, 14) \
    X(16, "Drowsiness Cure", POTION_FAMILY_CURE, 1, 1, 0, 2, 0, 2, 3, 5, 7, 9, 12, 15) \
    X(17, "Petrification Cure", POTION_FAMILY_CURE, 1, 0, 2, 0, 1, 3, 4, 6, 8, 10, 13, 16) \
    X(18, "Silence Cure", POTION_FAMILY_CURE, 0, 2, 1, 0, 1, 3, 3, 5, 7, 9, 12, 15) \
    X(19, "Curse Cure", POTION_FAMILY_CURE, 0, 1, 1, 0, 2, 4, 5, 7, 9, 12, 15, 18)

/* X(cauldron, name, level, items, magimins, day, chapter, gold, extra ingredient or 0) */
#define POTION_CAULDRON_ROWS(X) \
    X(0, "Wooden", 0, 4, 75, 1, 1, 0, 0) \
    X(1, "Clay", 0, 6, 115, 3, 1, 0, 0) \
    X(2, "Mudpack", 0, 6, 160, 3, 1, 100, 0) \
    X(3, "Mudpack+", 1, 6, 180, 3, 1, 85, 35) \
    X(4, "Mudpack++", 2, 7, 225, 3, 1, 110, 40) \
    X(5, "Glass", 0, 7, 140, 3, 1, 100, 0) \
    X(6, "Glass+", 1, 7, 170, 3, 1, 85, 22) \
    X(7, "Glass++", 2, 8, 200, 3, 1, 110, 20) \
    X(8, "Storm", 0, 7, 240, 11, 2, 225, 0) \
    X(9, "Storm+", 1, 8, 295, 11, 2, 195, 74) \
    X(10, "Storm++", 2, 9, 375, 11, 2, 254, 75) \
    X(11, "Ocean", 0, 8, 240, 11, 2, 225, 0) \
    X(12, "Ocean+", 1, 8, 275, 11, 2, 195, 67) \
    X(13, "Ocean++", 2, 8, 320, 11, 2, 245, 60) \
    X(14, "Shadow", 0, 7, 255, 11, 2, 225, 0) \
    X(15, "Shadow+", 1, 7, 295, 11, 2, 195, 46) \
    X(16, "Shadow++", 2, 7, 345, 11, 2, 254, 54) \
    X(17, "Crystal", 0, 8, 405, 21, 3, 770, 0) \
    X(18, "Crystal+", 1, 9, 480, 21, 3, 440, 107) \
    X(19, "Crystal++", 2, 10, 575, 21, 3, 555, 113) \
    X(20, "Steel", 0, 8, 420, 21, 3, 770, 0) \
    X(21, "Steel+", 1, 8, 480, 21, 3, 440, 94) \
    X(22, "Steel++", 2, 8, 540, 21, 3, 555, 98) \
    X(23, "Celestial", 0, 9, 405, 21, 3, 770, 0) \
    X(24, "Celestial+", 1, 9, 465, 21, 3, 440, 119) \
    X(25, "Celestial++", 2, 9, 505, 21, 3, 555, 129) \
    X(26, "Arctic", 0, 10, 640, 31, 4, 1730, 0) \
    X(27, "Arctic+", 1, 11, 785, 31, 4, 985, 170) \
    X(28, "Arctic++", 2, 12, 975, 31, 4, 1310, 179) \
    X(29, "Crater", 0, 10, 675, 31, 4, 1730, 0) \
    X(30, "Crater+", 1, 10, 790, 31, 4, 985, 156) \
    X(31, "Crater++", 2, 10, 940, 31, 4, 1310, 162) \
    X(32, "Dragon", 0, 11, 640, 31, 4, 1730, 0) \
    X(33, "Dragon+", 1, 11, 750, 31, 4, 985, 133) \
    X(34, "Dragon++", 2, 11, 860, 31, 4, 1310, 144) \
    X(35, "Magical Wasteland", 0, 13, 900, 41, 5, 3900, 0) \
    X(36, "Magical Wasteland+", 1, 13, 1150, 41, 5, 2220, 195) \
    X(37, "Magical Wasteland++", 2, 14, 2000, 41, 5, 2810, 192)

/* X(grade, lowest magimins) */
#define POTION_GRADE_ROWS(X) \
    X(0, 0) \
    X(1, 10) \
    X(2, 20) \
    X(3, 30) \
    X(4, 40) \
    X(5, 50) \
    X(6, 60) \
    X(7, 75) \
    X(8, 90) \
    X(9, 105) \
    X(10, 115) \
    X(11, 130) \
    X(12, 150) \
    X(13, 170) \
    X(14, 195) \
    X(15, 215) \
    X(16, 235) \
    X(17, 260) \
    X(18, 290) \
    X(19, 315) \
    X(20, 345) \
    X(21, 370) \
    X(22, 400) \
    X(23, 430) \
    X(24, 470) \
    X(25, 505) \
    X(26, 545) \
    X(27, 580) \
    X(28, 620) \
    X(29, 660) \
    X(30, 720) \
    X(31, 800) \
    X(32, 875) \
    X(33, 960) \
    X(34, 1040) \
    X(35, 1125)

/* X(recipe, price at grades 0..35) */
#define POTION_PRICE_ROWS(X) \
    X(0, 16, 18, 20, 23, 26, 29, 36, 41, 46, 51, 58, 65, 81, 91, 103, 116, 130, 146, 183, 206, 231, 260, 293, 330, 412, 463, 521, 587, 660, 742, 928, 1044, 1174, 1321, 1486, 1672) \
    X(1, 20, 23, 25, 28, 32, 36, 45, 51, 57, 64, 72, 81, 101, 114, 128, 144, 163, 183, 229, 257, 289, 325, 366, 412, 515, 579, 652, 733, 825, 928, 1160, 1305, 1468, 1651, 1858, 2090) \
    X(2, 22, 25, 28, 31, 35, 40, 50, 56, 63, 71, 79, 89, 112, 126, 141, 159, 179, 201, 251, 283, 318, 358, 403, 453, 566, 637, 717, 806, 907, 1021, 1276, 1435, 1615, 1817, 2044, 2299) \
    X(3, 24, 27, 30, 34, 38, 43, 54, 61, 68, 77, 87, 97, 122, 137, 154, 173, 195, 219, 274, 309, 347, 391, 439, 494, 618, 695, 782, 880, 990, 1113, 1392, 1566, 1761, 1982, 2229, 2508) \
    X(4, 28, 32, 35, 40, 45, 50, 63, 71, 80, 90, 101, 114, 142, 160, 180, 202, 228, 256, 320, 360, 405, 456, 513, 577, 721, 811, 912, 1026, 1155, 1299, 1624, 1827, 2055, 2312, 2601, 2926) \
    X(5, 18, 20, 23, 26, 29, 32, 41, 46, 51, 58, 65, 73, 91, 103, 116, 130, 146, 165, 206, 231, 260, 293, 330, 371, 463, 521, 587, 660, 742, 835, 1044, 1174, 1321, 1486, 1672, 1881) \
    X(6, 20, 23, 25, 28, 32, 36, 45, 51, 57, 64, 72, 81, 101, 114, 128, 144, 163, 183, 229, 257, 289, 325, 366, 412, 515, 579, 652, 733, 825, 928, 1160, 1305, 1468, 1651, 1858, 2090) \
    X(7, 22, 25, 28, 31, 35, 40, 50, 56, 63, 71, 79, 89, 112, 126, 141, 159, 179, 201, 251, 283, 318, 358, 403, 453, 566, 637, 717, 806, 907, 1021, 1276, 1435, 1615, 1817, 2044, 2299) \
    X(8, 24, 27, 30, 34, 38, 43, 54, 61, 68, 77, 87, 97, 122, 137, 154, 173, 195, 219, 274, 309, 347, 391, 439, 494, 618, 695, 782, 880, 990, 1113, 1392, 1566, 1761, 1982, 2229, 2508) \
    X(9, 26, 29, 33, 37, 42, 47, 59, 66, 74, 83, 94, 106, 132, 148, 167, 188, 211, 238, 297, 334, 376, 423, 476, 535, 669, 753, 847, 953, 1072, 1206, 1508, 1696, 1908, 2147, 2415, 2700) \
    X(10, 20, 23, 25, 28, 32, 36, 45, 51, 57, 64, 72, 81, 101, 114, 128, 144, 163, 183, 229, 257, 289, 325, 366, 412, 515, 579, 652, 733, 825, 928, 1160, 1305, 1468, 1651, 1858, 2090) \
    X(11, 26, 29, 33, 37, 42, 47, 59, 66, 74, 83, 94, 106, 132, 148, 167, 188, 211, 238, 297, 334, 376, 423, 476, 535, 669, 753, 847, 953, 1072, 1206, 1508, 1696, 1908, 2147, 2415, 2717) \
    X(12, 24, 27, 30, 34, 38, 43, 54, 61, 68, 77, 87, 97, 122, 137, 154, 173, 195, 219, 274, 309, 347, 391, 439, 494, 618, 695, 782, 880, 990, 1113, 1392, 1566, 1761, 1982, 2229, 2508) \
    X(13, 28, 32, 35, 40, 45, 50, 63, 71, 80, 90, 101, 114, 142, 160, 180, 202, 228, 256, 320, 360, 405, 456, 513, 577, 721, 811, 912, 1026, 1155, 1299, 1624, 1827, 2055, 2312, 2601, 2926) \
    X(14, 32, 36, 41, 46, 51, 58, 72, 81, 91, 103, 115, 130, 162, 183, 205, 231, 260, 293, 366, 411, 463, 521, 586, 659, 824, 927, 1043, 1173, 1320, 1485, 1856, 2088, 2349, 2642, 2973, 3344) \
    X(15, 19, 21, 24, 27, 30, 34, 43, 48, 54, 61, 69, 77, 96, 108, 122, 137, 154, 174, 217, 244, 275, 309, 348, 391, 489, 550, 619, 696, 784, 881, 1102, 1240, 1395, 1569, 1765, 1986) \
    X(16, 21, 24, 27, 30, 34, 38, 47, 53, 60, 67, 76, 85, 107, 120, 135, 152, 171, 192, 240, 270, 304, 342, 384, 433, 541, 608, 684, 770, 866, 974, 1218, 1370, 1541, 1734, 1951, 2195) \
    X(17, 22, 25, 28, 31, 35, 40, 50, 56, 63, 71, 79, 89, 112, 126, 141, 159, 179, 201, 251, 283, 318, 358, 403, 453, 566, 637, 717, 806, 907, 1021, 1276, 1435, 1615, 1817, 2044, 2299) \
    X(18, 20, 23, 25, 28, 32, 36, 45, 51, 57, 64, 72, 81, 101, 114, 128, 144, 163, 183, 229, 257, 289, 325, 366, 412, 515, 579, 652, 733, 825, 928, 1160, 1305, 1468, 1651, 1858, 2090) \
    X(19, 25, 28, 32, 36, 40, 45, 56, 63, 71, 80, 90, 101, 127, 143, 161, 181, 203, 229, 286, 321, 362, 407, 458, 515, 645, 725, 815, 915, 1030, 1160, 1450, 1630, 1835, 2065, 2320, 2650)

/* X(recipe, grade, price where the peer's table differs) */
#define POTION_PEER_PRICE_ROWS(X) \
    X(5, 15, 228) \
    X(9, 34, 2417)

/* X(rules, code, measure, times, limit, equal, star shift, lucky shift) */
#define POTION_STABILITY_ROWS(X) \
    X(POTION_RULES_GAME, 4, POTION_ERROR_ALL, 200, 1, 1, 2, 2) \
    X(POTION_RULES_GAME, 3, POTION_ERROR_ALL, 200, 21, 1, 1, 1) \
    X(POTION_RULES_GAME, 2, POTION_ERROR_ALL, 200, 61, 1, 0, 0) \
    X(POTION_RULES_GAME, 1, POTION_ERROR_ALL, 200, 101, 1, -1, -1) \
    X(POTION_RULES_RL_PEER, 4, POTION_ERROR_WANTED, 1, 0, 1, 2, 3) \
    X(POTION_RULES_RL_PEER, 3, POTION_ERROR_WANTED, 20, 1, 0, 1, 2) \
    X(POTION_RULES_RL_PEER, 2, POTION_ERROR_WANTED, 20, 3, 0, 1, 1) \
    X(POTION_RULES_RL_PEER, 1, POTION_ERROR_WANTED, 4, 1, 0, -1, 0)

/* X(contest, chapter, day, round, recipe, tier, star, target price, the peer's cauldron, fitting cauldron) */
#define POTION_CONTEST_ROWS(X) \
    X(POTION_CONTEST_ROXANNE, 1, 10, 1, 0, 1, 0, 72, 2, 4) \
    X(POTION_CONTEST_ROXANNE, 1, 10, 2, 5, 1, 0, 72, 2, 4) \
    X(POTION_CONTEST_ROXANNE, 1, 10, 3, 1, 1, 0, 72, 2, 4) \
    X(POTION_CONTEST_CORSAC, 2, 20, 1, 6, 2, 0, 215, 10, 10) \
    X(POTION_CONTEST_CORSAC, 2, 20, 2, 10, 2, 0, 215, 10, 10) \
    X(POTION_CONTEST_CORSAC, 2, 20, 3, 3, 2, 0, 215, 10, 10) \
    X(POTION_CONTEST_FINN, 3, 30, 1, 15, 3, 0, 450, 19, 19) \
    X(POTION_CONTEST_FINN, 3, 30, 2, 7, 3, 0, 510, 19, 19) \
    X(POTION_CONTEST_FINN, 3, 30, 3, 2, 3, 0, 495, 19, 19) \
    X(POTION_CONTEST_ANUBIA, 4, 40, 1, 18, 4, 0, 1200, 37, 28) \
    X(POTION_CONTEST_ANUBIA, 4, 40, 2, 4, 4, 0, 1440, 37, 28) \
    X(POTION_CONTEST_ANUBIA, 4, 40, 3, 12, 4, 0, 1530, 37, 28) \
    X(POTION_CONTEST_ROBIN, 5, 50, 1, 9, 5, 0, 3800, 37, 37) \
    X(POTION_CONTEST_ROBIN, 5, 50, 2, 19, 5, 0, 3600, 37, 37) \
    X(POTION_CONTEST_ROBIN, 5, 50, 3, 14, 5, 0, 3750, 37, 37)
