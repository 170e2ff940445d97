/* The reader of action files: see actions.h. It never holds more than one line. */
#include "actions.h"

#include <errno.h>
#include <string.h>

void action_reader_init(action_reader *reader, FILE *stream, const char *name, int count) {
    reader->stream = stream;
    reader->name = name;
    reader->count = count;
    reader->line = 0;
}

/* One line without its end; *length -1 at the end of the stream. */
static lu_status read_line(action_reader *reader, int *length, lu_error *error) {
    int count = 0, c;
    errno = 0;
    reader->line++;
    while ((c = getc_unlocked(reader->stream)) != EOF && c != '\n') {
        if (count == ACTION_LINE) {
            return lu_fail(error, LU_BAD_DATA, "%s:%lld: the line is longer than %d bytes",
                           reader->name, (long long)reader->line, ACTION_LINE);
        }
        if (c == 0 || (c < 32 && c != '\t' && c != '\r') || c > 126) {
            return lu_fail(error, LU_BAD_DATA,
                           "%s:%lld: byte 0x%02x in column %d is not text; a line holds integers",
                           reader->name, (long long)reader->line, (unsigned)c, count + 1);
        }
        reader->text[count++] = (char)c;
    }
    if (c == EOF && ferror(reader->stream)) {
        return lu_fail(error, LU_IO, "cannot read %s: %s", reader->name,
                       strerror(errno ? errno : EIO));
    }
    reader->text[count] = 0;
    *length = c == EOF && count == 0 ? -1 : count;
    return LU_OK;
}

/* One whole number of 32 bits that fills the word. */
static bool parse_word(const char *word, int length, int32_t *value) {
    bool negative = word[0] == '-';
    int64_t sum = 0;
    if (length - negative < 1) {
        return false;
    }
    for (int i = negative; i < length; i++) {
        if (word[i] < '0' || word[i] > '9') {
            return false;
        }
        sum = sum * 10 + (word[i] - '0');
        if (sum > (int64_t)INT32_MAX + 1) {
            return false;
        }
    }
    sum = negative ? -sum : sum;
    *value = (int32_t)sum;
    return sum >= INT32_MIN && sum <= INT32_MAX;
}

lu_status action_reader_next(action_reader *reader, int32_t *values, bool *end, lu_error *error) {
    static const char blanks[] = " \t\r";
    for (;;) {
        int length = -1, found = 0;
        LU_TRY(read_line(reader, &length, error));
        *end = length < 0;
        if (*end) {
            return LU_OK;
        }
        const char *at = reader->text + strspn(reader->text, blanks);
        if (*at == 0 || *at == '#') {
            continue;
        }
        while (*at) {
            int word = (int)strcspn(at, blanks);
            int32_t value;
            if (!parse_word(at, word, &value)) {
                return lu_fail(
                    error, LU_BAD_DATA,
                    "%s:%lld: '%.*s' isn't an integer between -2147483648 and 2147483647",
                    reader->name, (long long)reader->line, word > 60 ? 60 : word, at);
            }
            if (found < reader->count) {
                values[found] = value;
            }
            found++;
            at += word;
            at += strspn(at, blanks);
        }
        if (found != reader->count) {
            return lu_fail(error, LU_BAD_DATA, "%s:%lld: the line holds %d numbers, not %d",
                           reader->name, (long long)reader->line, found, reader->count);
        }
        return LU_OK;
    }
}
