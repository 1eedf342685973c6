/* Template of the two comparisons of one element type, without include guard: compare.c includes it
 * once a type. Parameters, undefined again at the end:
 *
 *   COMPARE_TYPE                      the element type
 *   COMPARE_COLUMNS, COMPARE_CONSTANT the kernels' names
 *   COMPARE_EQUAL, COMPARE_LESS       inline functions of two elements -> 0 or 1
 */

void ORIEL_FN(COMPARE_COLUMNS)(enum oriel_compare op, const COMPARE_TYPE *restrict left,
                               const COMPARE_TYPE *restrict right, size_t count,
                               uint8_t *restrict out) {
    switch (op) {
    case ORIEL_COMPARE_EQ:
        for (size_t i = 0; i < count; i++)
            out[i] = COMPARE_EQUAL(left[i], right[i]);
        break;
    case ORIEL_COMPARE_NE:
        for (size_t i = 0; i < count; i++)
            out[i] = COMPARE_EQUAL(left[i], right[i]) ^ 1;
        break;
    case ORIEL_COMPARE_LT:
        for (size_t i = 0; i < count; i++)
            out[i] = COMPARE_LESS(left[i], right[i]);
        break;
    case ORIEL_COMPARE_LE:
        for (size_t i = 0; i < count; i++)
            out[i] = COMPARE_LESS(right[i], left[i]) ^ 1;
        break;
    case ORIEL_COMPARE_GT:
        for (size_t i = 0; i < count; i++)
            out[i] = COMPARE_LESS(right[i], left[i]);
        break;
    case ORIEL_COMPARE_GE:
        for (size_t i = 0; i < count; i++)
            out[i] = COMPARE_LESS(left[i], right[i]) ^ 1;
        break;
    }
}

void ORIEL_FN(COMPARE_CONSTANT)(enum oriel_compare op, const COMPARE_TYPE *restrict values,
                                COMPARE_TYPE bound, size_t count, uint8_t *restrict out) {
    switch (op) {
    case ORIEL_COMPARE_EQ:
        for (size_t i = 0; i < count; i++)
            out[i] = COMPARE_EQUAL(values[i], bound);
        break;
    case ORIEL_COMPARE_NE:
        for (size_t i = 0; i < count; i++)
            out[i] = COMPARE_EQUAL(values[i], bound) ^ 1;
        break;
    case ORIEL_COMPARE_LT:
        for (size_t i = 0; i < count; i++)
            out[i] = COMPARE_LESS(values[i], bound);
        break;
    case ORIEL_COMPARE_LE:
        for (size_t i = 0; i < count; i++)
            out[i] = COMPARE_LESS(bound, values[i]) ^ 1;
        break;
    case ORIEL_COMPARE_GT:
        for (size_t i = 0; i < count; i++)
            out[i] = COMPARE_LESS(bound, values[i]);
        break;
    case ORIEL_COMPARE_GE:
        for (size_t i = 0; i < count; i++)
            out[i] = COMPARE_LESS(values[i], bound) ^ 1;
        break;
    }
}

#undef COMPARE_TYPE
#undef COMPARE_COLUMNS
#undef COMPARE_CONSTANT
#undef COMPARE_EQUAL
#undef COMPARE_LESS
