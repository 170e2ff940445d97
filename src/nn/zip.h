/* Small zip archives, as far as a model needs them: a handful of plain files, stored or deflated.
 * The reader takes one strict form (no folders, no comments, no encryption, no zip64, no streamed
 * entries; the entries tile the file in the order of the directory) and believes no size; the
 * writer stores and has no clock, so that equal input gives equal bytes with every zlib. Ownership:
 * an open archive points into the caller's bytes; unpacked and written bytes are the caller's, who
 * frees them. Threads: no shared state. Native builds only. */
#pragma once

#include "ludus/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LU_ZIP_ENTRIES = 16, LU_ZIP_NAME = 64 }; /* most entries, room of a name */

typedef struct lu_zip_entry {
    char name[LU_ZIP_NAME]; /* letters, digits, '.', '-' and '_' */
    const unsigned char *packed;
    size_t offset;               /* of `packed` in the file, for messages */
    size_t packed_bytes, length; /* as stored, and as told after unpacking */
    uint32_t check;              /* CRC-32 of the unpacked bytes */
    bool deflated;
} lu_zip_entry;

typedef struct lu_zip {
    const char *name; /* of the file, for messages */
    int entries;
    lu_zip_entry entry[LU_ZIP_ENTRIES];
} lu_zip;

/* One file of an archive to be written. */
typedef struct lu_zip_part {
    const char *name;
    const void *bytes;
    size_t length;
} lu_zip_part;

/* True when the bytes begin as a zip archive does. */
bool lu_zip_is(const void *bytes, size_t length);
/* True when an entry of the archive, however it is made, has a name that torch and pickle use
 * (.pkl, .pickle, .pt, .pth): a guess for messages. */
bool lu_zip_has_pickle(const void *bytes, size_t length);

/* Reads the directory. LU_FOREIGN_FILE (no archive), LU_DAMAGED_FILE (names the place), LU_BAD_DATA
 * (an archive with something that models do not have). */
lu_status lu_zip_open(lu_zip *zip, const char *name, const void *bytes, size_t length,
                      lu_error *error);
/* Index of an entry, -1 when there is none. */
int lu_zip_find(const lu_zip *zip, const char *entry);
/* The bytes of one entry, with a terminator that *length does not count. More than `limit` bytes is
 * LU_LIMIT, before anything is allocated; so is more than 1 MiB out of a 64th of it. */
lu_status lu_zip_unpack(const lu_zip *zip, int index, size_t limit, char **bytes, size_t *length,
                        lu_error *error);

/* An archive of these files. LU_LIMIT: it would reach 4 GiB. */
lu_status lu_zip_write(const lu_zip_part *part, int parts, char **bytes, size_t *length,
                       lu_error *error);
