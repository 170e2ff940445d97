/* Numbers of a tensor that was read, of whatever precision, as floats or doubles: every conversion
 * here is exact, and what is not finite is refused. */
#include "ludus/tensors.h"

#include "ludus/printable.h"

#include <math.h>
#include <string.h>

/* Half precision to single, exact for every bit pattern. */
static float float_of_half(uint16_t half) {
    uint32_t sign = (uint32_t)(half >> 15) << 31, exponent = (half >> 10) & 31, part = half & 1023;
    if (exponent == 0) {
        float small = (float)part * 0x1p-24f;
        return sign ? -small : small;
    }
    uint32_t bits = sign | (exponent == 31 ? 255u : exponent + 112) << 23 | part << 13;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Number i of a tensor of a type that fits a double; NaN for the other types. */
static double number_at(const lu_tensor_entry *entry, size_t i) {
    const unsigned char *at = (const unsigned char *)entry->data + i * lu_dtype_bytes(entry->type);
    uint16_t half;
    uint32_t bits;
    float single;
    double whole;
    switch (entry->type) {
    case LU_F64:
        memcpy(&whole, at, sizeof whole);
        return whole;
    case LU_F32:
        memcpy(&single, at, sizeof single);
        return (double)single;
    case LU_F16:
        memcpy(&half, at, sizeof half);
        return (double)float_of_half(half);
    case LU_BF16:
        memcpy(&half, at, sizeof half);
        bits = (uint32_t)half << 16;
        memcpy(&single, &bits, sizeof single);
        return (double)single;
    default:
        return NAN;
    }
}

static lu_status wrong_type(const char *file, const lu_tensor_entry *entry, const char *wanted,
                            lu_error *error) {
    char shown[LU_PRINTABLE];
    return lu_fail(error, LU_BAD_DATA, "'%s': tensor '%s' has numbers of type %s, where %s is read",
                   file, lu_printable(shown, entry->name), lu_dtype_name(entry->type), wanted);
}

static lu_status not_finite(const char *file, const lu_tensor_entry *entry, size_t index,
                            lu_error *error) {
    char shown[LU_PRINTABLE];
    return lu_fail(error, LU_BAD_DATA,
                   "'%s': tensor '%s' holds NaN or infinity at number %zu: use an earlier file of "
                   "the same run",
                   file, lu_printable(shown, entry->name), index);
}

lu_status lu_tensor_floats(const char *file, const lu_tensor_entry *entry, float *out,
                           lu_error *error) {
    if (entry->type != LU_F32 && entry->type != LU_F16 && entry->type != LU_BF16) {
        return wrong_type(file, entry, "F32, F16 or BF16", error);
    }
    for (size_t i = 0; i < entry->count; i++) {
        out[i] = (float)number_at(entry, i);
        if (!isfinite(out[i])) {
            return not_finite(file, entry, i, error);
        }
    }
    return LU_OK;
}

lu_status lu_tensor_doubles(const char *file, const lu_tensor_entry *entry, double *out,
                            lu_error *error) {
    if (entry->type != LU_F64 && entry->type != LU_F32 && entry->type != LU_F16 &&
        entry->type != LU_BF16) {
        return wrong_type(file, entry, "F64, F32, F16 or BF16", error);
    }
    for (size_t i = 0; i < entry->count; i++) {
        out[i] = number_at(entry, i);
        if (!isfinite(out[i])) {
            return not_finite(file, entry, i, error);
        }
    }
    return LU_OK;
}
