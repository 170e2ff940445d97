/* Deliberately wrong: rules that compile as C17 but not as C++20 (an implicit conversion from
 * void *). tools/check-cpp must refuse it. */
int broken_first(void *state);

int broken_first(void *state) {
    int *numbers = state;
    return numbers[0];
}
