/* Items of the clipboard: plain and advanced copies, markers, and what is asked instead of guessed.
 */
#include "craft_clipboard.h"

#include "test.h"

#include <stdlib.h>
#include <string.h>

#define BOOTS(rarity, mods)                                                                        \
    "Item Class: Boots\nRarity: " rarity                                                           \
    "\nDoom Trail\nBlacksteel Sabatons\n--------\nArmour: 90 (augmented)\nEvasion Rating: 70\n"    \
    "--------\nRequires: Level 65, 50 Str, 50 Dex\n--------\nSockets: S S \n--------\n"            \
    "Item Level: 82\n--------\n" mods

typedef struct answer {
    lu_status status;
    lu_json json;
    lu_error error;
} answer;

static answer *ask(const char *text) {
    answer *a = lu_alloc_zero(1, sizeof *a);
    lu_json_init(&a->json);
    a->status =
        craft_clipboard_read(craft_pack_at(0), "item.txt", text, strlen(text), &a->json, &a->error);
    return a;
}

static void done(answer *a) {
    lu_json_free(&a->json);
    free(a);
}

static void reads(const char *text, const char *const *parts) {
    answer *a = ask(text);
    CHECK_TEXT(a->error.text, "");
    for (; *parts; parts++) {
        CHECK_HAS(a->json.text, *parts);
    }
    done(a);
}

static void refuses(const char *text, const char *reason) {
    answer *a = ask(text);
    CHECK(a->status == LU_BAD_DATA && a->json.length == 0);
    CHECK_HAS(a->error.text, reason);
    CHECK_HAS(a->error.text, "item.txt:");
    done(a);
}

TEST(a_plain_copy_is_read_by_text_and_value) {
    reads(BOOTS("Rare", "+91 to maximum Life (fractured)\r\n25% increased Movement Speed\n"
                        "+37% to Fire Resistance\n--------\nCorrupted\n"),
          (const char *[]){"\"base\":\"Blacksteel Sabatons\",\"ilvl\":82,\"rarity\":\"rare\"",
                           "\"mod\":\"IncreasedLife7\"", "\"fractured\":true",
                           "\"mod\":\"MovementVelocity4\"", "\"mod\":\"FireResist7\",\"roll\":[1]",
                           "\"sockets\":2", "\"corrupted\":true", NULL});
}

TEST(an_advanced_copy_is_read_by_its_headers) {
    reads(BOOTS("Rare", "{ Implicit Modifier }\n+1 to Tea (implicit)\n--------\n"
                        "{ Fractured Prefix Modifier \"Hale\" (Tier: 9) \xe2\x80\x94 Life }\n"
                        "+12(10-19) to maximum Life\n"
                        "{ Suffix Modifier \"of the Drake\" (Tier: 6) \xe2\x80\x94 Fire }\n"
                        "+12(11-15)% to Fire Resistance\n(A reminder)\n"
                        "{ Desecrated Suffix Modifier }\nUnrevealed Suffix\n"),
          (const char *[]){"\"mod\":\"IncreasedLife1\",\"roll\":[2],\"fractured\":true",
                           "\"mod\":\"FireResist2\",\"roll\":[1]", "\"unrevealed\":[\"S\"]", NULL});
}

TEST(a_magic_item_has_its_base_between_names) {
    reads("Item Class: Boots\nRarity: Magic\nHale Blacksteel Sabatons of the Drake\n--------\n"
          "Item Level: 40\n--------\n+12 to maximum Life\n+12% to Fire Resistance",
          (const char *[]){"Blacksteel Sabatons", "\"rarity\":\"magic\"", "IncreasedLife1",
                           "FireResist2", NULL});
    reads("Item Class: Boots\nRarity: Normal\nBlacksteel Sabatons\n--------\nItem Level: 40\n",
          (const char *[]){"\"rarity\":\"normal\",\"mods\":[]", NULL});
}

TEST(a_modifier_of_two_lines_is_one) {
    reads(BOOTS("Rare", "{ Prefix Modifier \"Warlord's\" (Tier: 1) }\n"
                        "39(39-42)% increased Armour and Evasion\n+97(64-97) to Stun Threshold\n"),
          (const char *[]){"\"mods\":[{\"mod\":\"LocalArmourAndEvasionAndStunThreshold6\"", NULL});
    refuses(BOOTS("Rare", "39% increased Armour and Evasion\n+97 to Stun Threshold\n"),
            "may be LocalIncreasedArmourAndEvasion2 or LocalArmourAndEvasionAndStunThreshold6");
}

TEST(what_is_not_sure_is_named) {
    refuses(BOOTS("Rare", "+999 to maximum Life\n"), "item.txt:15: no modifier of Blacksteel");
    refuses(BOOTS("Rare", "+5 to Tea\n"), "+# to tea");
    refuses(BOOTS("Unique", ""), "'Unique'");
    refuses(BOOTS("Rare", "Unidentified\n"), "identify");
    refuses(BOOTS("Magic", "+91 to maximum Life\n25% increased Movement Speed\n"), "together");
    refuses("Rarity: Rare\nTea Cup\n--------\nItem Level: 3\n", "no known base");
    refuses("Rarity: Rare\nBlacksteel Sabatons\n", "Item Level");
    refuses("hello", "Rarity");
    refuses(BOOTS("Rare", "+91 to maximum Life\n+92 to maximum Life\n"), "together");
    CHECK(craft_is_clipboard("Item Class", 10) && !craft_is_clipboard("  {\"a\":1}", 9));
}
