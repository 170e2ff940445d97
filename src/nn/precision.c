/* net.precision: what the words mean, and which is the fastest here. */
#include "net_internal.h"

/* In the order of the setting's choices. */
enum { AUTO = 3 };

static net_precision fastest(const lu_kernels *k) {
    if (k->tile_native) {
        return NET_TILE;
    }
#if defined(__x86_64__)
    /* there the instruction takes two turns, so that pairs of bf16 are slower than fp32 */
    __builtin_cpu_init();
    if (__builtin_cpu_is("intel")) {
        return NET_FP32;
    }
#endif
    return k->bf16_native ? NET_BF16 : NET_FP32;
}

net_precision net_precision_of(const lu_settings *settings) {
    int choice = lu_settings_enum(settings, "net.precision");
    return choice == AUTO ? fastest(lu_kernels_best()) : (net_precision)choice;
}

lu_status lu_net_settle(lu_settings *settings, lu_error *error) {
    static const char *const names[] = {"fp32", "bf16", "bf16tile"};
    if (!lu_settings_has(settings, "net.precision") ||
        lu_settings_enum(settings, "net.precision") != AUTO) {
        return LU_OK;
    }
    return lu_settings_set(settings, "net.precision", names[net_precision_of(settings)],
                           LU_FROM_FLAG, "net.precision=auto on this machine", error);
}
