#include "ludus/version.h"

#define TEXT_(number)             #number
#define TEXT(major, minor, patch) TEXT_(major) "." TEXT_(minor) "." TEXT_(patch)

const char *lu_version(void) {
    return TEXT(LU_VERSION_MAJOR, LU_VERSION_MINOR, LU_VERSION_PATCH);
}
