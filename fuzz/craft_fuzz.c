/* Fuzzes the readers of craft's targets and items: any bytes. What is refused gives a sentence and
 * leaves an item as it was; an item that was read writes and reads back the same, whatever is used
 * on it keeps to the limits, and a target that was read gives a finite score or a reason. */
#include "craft/craft.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const uses[] = {
    "orb_of_alchemy", "chaos_orb",  "exalted_orb", "orb_of_annulment",
    "preserved_rib",  "reveal",     "keep2",       "fracturing_orb",
    "regal_orb",      "divine_orb", "vaal_orb"};

static void check_back(const craft_pool *pool, const craft_pack *pack, const craft_item *item) {
    lu_json json = LU_JSON_INIT;
    craft_item again;
    lu_error error;
    lu_json_object(&json);
    craft_item_write(pool, pack, item, &json);
    lu_json_object_end(&json);
    lu_json_document *document = lu_json_read("again", json.text, json.length, &error);
    if (!document || craft_item_read(pool, pack, lu_json_root(document), &again, &error) != LU_OK ||
        memcmp(&again, item, sizeof again) != 0) {
        abort();
    }
    lu_json_close(document);
    lu_json_free(&json);
}

static void use_all(const craft_pool *pool, const craft_pack *pack, craft_item item) {
    lu_rng rng = lu_rng_from(1);
    for (size_t k = 0; k < 4 * sizeof uses / sizeof *uses; k++) {
        craft_effect effect;
        const char *name = uses[k % (sizeof uses / sizeof *uses)];
        if (craft_effect_init(&effect, pool, pack, name, NULL, 0, NULL) == LU_OK &&
            craft_why(pool, &item, &effect) == CRAFT_USABLE) {
            craft_apply(pool, &item, &effect, &rng);
        }
        for (int side = 0; side < CRAFT_SIDES; side++) {
            if (item.count[side] > pool->limit[item.rarity][side]) {
                abort();
            }
        }
    }
    check_back(pool, pack, &item);
}

static void read_item(const craft_pool *pool, const craft_pack *pack, const lu_json_value *value) {
    craft_item item, before;
    lu_error error = {0};
    memset(&item, 1, sizeof item);
    before = item;
    if (craft_item_read(pool, pack, value, &item, &error) == LU_OK) {
        check_back(pool, pack, &item);
        use_all(pool, pack, item);
    } else if (!*error.text || memcmp(&before, &item, sizeof item) != 0) {
        abort();
    }
}

static void read_target(const craft_pool *pool, const craft_pack *pack,
                        const lu_json_value *value) {
    static craft_target target;
    static craft_goal goal;
    lu_error error = {0};
    craft_item item;
    lu_rng rng = lu_rng_from(1);
    craft_new_base(pool, &item, &rng);
    lu_status status = craft_target_read(&target, pack, value, &error);
    if (status == LU_OK) {
        status = craft_goal_init(&goal, &target, pack, pool, &error);
    }
    if (status == LU_OK) {
        double score = craft_score(&goal, pool, &item);
        if (!(score >= -1e9 && score <= 1e9)) {
            abort();
        }
    } else if (!*error.text) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static craft_pool pool;
    const craft_pack *pack = craft_pack_find("poe2-0.4");
    lu_error error;
    if (pool.entries == 0) {
        craft_switches switches = craft_switches_of(4);
        if (craft_pool_init(&pool, pack, craft_base_find(pack, "Blacksteel Sabatons"), 82,
                            &switches, &error) != LU_OK) {
            abort();
        }
    }
    lu_json_document *document = lu_json_read("fuzz", (const char *)data, size, &error);
    if (document) {
        const lu_json_value *root = lu_json_root(document);
        if (lu_json_get(root, "need")) {
            read_target(&pool, pack, root);
        } else {
            read_item(&pool, pack, root);
        }
        lu_json_close(document);
    }
    return 0;
}
