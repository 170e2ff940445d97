/* Files of the site and modules of games. All of them are read at start and found by their exact
 * path in a sorted list: no text of a client ever reaches the file system. Texts are packed once,
 * at their first use, for browsers that take gzip. */
#include "app.h"

#include "ludus/hash.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { FILES_MOST = 2000, DEPTH_MOST = 8, PACK_LEAST = 1024 };
#define FILE_MOST ((size_t)16 << 20)
#define ALL_MOST  ((size_t)128 << 20)

typedef struct page {
    char *path; /* as asked for: "/assets/index-1a2b3c4d.js" */
    const char *type;
    blob *plain;
    blob *packed;     /* NULL: not yet, or not worth it */
    bool text, tried; /* may be worth packing; was packed */
    char tag[24];     /* without quotes */
    bool hashed;      /* its name changes with its bytes */
} page;

struct site {
    char *folder, *modules;
    size_t count, bytes;
    page *pages; /* sorted by path */
    double looked;
    char stamp[160]; /* of what tells that files are new */
};

static const struct {
    const char *ending, *type;
    bool text;
} types[] = {
    {".html", "text/html; charset=utf-8", true},
    {".js", "text/javascript; charset=utf-8", true},
    {".mjs", "text/javascript; charset=utf-8", true},
    {".css", "text/css; charset=utf-8", true},
    {".json", "application/json", true},
    {".map", "application/json", true},
    {".webmanifest", "application/manifest+json", true},
    {".svg", "image/svg+xml", true},
    {".txt", "text/plain; charset=utf-8", true},
    {".wasm", "application/wasm", true},
    {".png", "image/png", false},
    {".jpg", "image/jpeg", false},
    {".webp", "image/webp", false},
    {".ico", "image/x-icon", false},
    {".woff2", "font/woff2", false},
    {".ludus", "application/octet-stream", false},
    {".ogg", "audio/ogg", false},
    {".mp3", "audio/mpeg", false},
    {".wav", "audio/wav", false},
};

static int type_of(const char *path) {
    const char *dot = strrchr(path, '.');
    for (int i = 0; dot && i < (int)(sizeof types / sizeof *types); i++) {
        if (strcmp(types[i].ending, dot) == 0) {
            return i;
        }
    }
    return -1;
}

/* name-1A2b3c4D.js, as bundlers write them. */
static bool is_hashed(const char *path) {
    const char *dot = strrchr(path, '.'), *dash = NULL;
    for (const char *c = path; c < dot; c++) {
        dash = *c == '-' && dot - c == 9 ? c : dash;
    }
    return dash && strncmp(path, "/assets/", 8) == 0;
}

/* ---- reading ---- */

static blob *blob_of(char *bytes, size_t length) {
    blob *b = lu_alloc(sizeof *b);
    *b = (blob){bytes, length, 1};
    return b;
}

static blob *pack(const blob *plain) {
    z_stream z = {0};
    if (deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY) != Z_OK) {
        return NULL;
    }
    size_t room = deflateBound(&z, plain->length);
    char *bytes = lu_alloc(room);
    z.next_in = (Bytef *)plain->bytes;
    z.avail_in = (uInt)plain->length;
    z.next_out = (Bytef *)bytes;
    z.avail_out = (uInt)room;
    bool whole = deflate(&z, Z_FINISH) == Z_STREAM_END;
    size_t length = z.total_out;
    deflateEnd(&z);
    if (!whole || length > plain->length * 9 / 10) {
        free(bytes);
        return NULL;
    }
    return blob_of(bytes, length);
}

static void add_page(site *s, const char *path, int file, size_t size) {
    char *bytes = read_whole(file, size, FILE_MOST);
    int kind = type_of(path);
    if (!bytes || kind < 0 || s->count == FILES_MOST || s->bytes + size > ALL_MOST) {
        free(bytes);
        return;
    }
    if ((s->count & (s->count - 1)) == 0) {
        s->pages = lu_realloc(s->pages, (s->count ? 2 * s->count : 1) * sizeof *s->pages);
    }
    page *p = &s->pages[s->count++];
    *p = (page){.path = lu_strdup(path),
                .type = types[kind].type,
                .plain = blob_of(bytes, size),
                .text = types[kind].text && size >= PACK_LEAST,
                .hashed = is_hashed(path)};
    snprintf(p->tag, sizeof p->tag, "%016llx", (unsigned long long)lu_hash(bytes, size, 0));
    s->bytes += size;
}

/* Adds the plain files below a folder; links and names that begin with a dot are left out. */
static void add_folder(site *s, int folder, const char *prefix, const char *ending, int depth) {
    DIR *list;
    do {
        list = fdopendir(folder);
    } while (!list && lu_memory_again(errno));
    for (struct dirent *entry; list && (entry = readdir(list)) != NULL;) {
        struct stat about;
        int file = entry->d_name[0] == '.' ? -1
                                           : openat(dirfd(list), entry->d_name,
                                                    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        if (file < 0) {
            continue;
        }
        lu_text path = LU_TEXT_INIT;
        lu_text_addf(&path, "%s%s", prefix, entry->d_name);
        const char *dot = strrchr(path.text, '.');
        bool wanted = !*ending || (dot && strcmp(dot, ending) == 0);
        bool known = fstat(file, &about) == 0;
        if (known && S_ISDIR(about.st_mode) && depth < DEPTH_MOST && !*ending) {
            lu_text_add_char(&path, '/');
            add_folder(s, file, path.text, ending, depth + 1); /* closes it */
        } else if (known && S_ISREG(about.st_mode) && wanted) {
            add_page(s, path.text, file, (size_t)about.st_size); /* closes it */
        } else {
            close(file);
        }
        lu_text_free(&path);
    }
    if (list) {
        closedir(list);
    } else {
        close(folder);
    }
}

static int by_path(const void *a, const void *b) {
    return strcmp(((const page *)a)->path, ((const page *)b)->path);
}

static void empty(site *s) {
    for (size_t i = 0; i < s->count; i++) {
        free(s->pages[i].path);
        blob_drop(s->pages[i].plain);
        blob_drop(s->pages[i].packed);
    }
    free(s->pages);
    s->pages = NULL;
    s->count = s->bytes = 0;
}

static void add_root(site *s, const char *root, const char *prefix, const char *ending) {
    int folder = *root ? open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (folder >= 0) {
        add_folder(s, folder, prefix, ending, 0);
    }
}

static void stamp_add(lu_text *text, const char *folder, const char *name) {
    struct stat about;
    lu_text path = LU_TEXT_INIT;
    lu_text_addf(&path, "%s/%s", folder, name);
    if (*folder && stat(path.text, &about) == 0) {
        lu_text_addf(text, "%lld.%09ld %llu;", (long long)about.st_mtim.tv_sec,
                     about.st_mtim.tv_nsec, (unsigned long long)about.st_ino);
    }
    lu_text_free(&path);
}

void site_refresh(site *s, double now) {
    lu_text stamp = LU_TEXT_INIT;
    if (now - s->looked < 1.0) {
        return;
    }
    s->looked = now;
    stamp_add(&stamp, s->folder, "index.html");
    stamp_add(&stamp, s->folder, "assets");
    stamp_add(&stamp, s->modules, ".");
    if (strncmp(s->stamp, stamp.text, sizeof s->stamp - 1) != 0) {
        snprintf(s->stamp, sizeof s->stamp, "%s", stamp.text);
        empty(s);
        add_root(s, s->folder, "/", "");
        add_root(s, s->modules, "/wasm/", ".wasm");
        if (s->count > 0) {
            qsort(s->pages, s->count, sizeof *s->pages, by_path);
        }
    }
    lu_text_free(&stamp);
}

site *site_new(const char *folder, const char *modules) {
    site *s = lu_alloc_zero(1, sizeof *s);
    s->folder = lu_strdup(folder);
    s->modules = lu_strdup(modules);
    s->looked = -1e9;
    site_refresh(s, 0.0);
    return s;
}

void site_delete(site *s) {
    if (s) {
        empty(s);
        free(s->folder);
        free(s->modules);
        free(s);
    }
}

/* ---- answering ---- */

static page *find(const site *s, const char *path) {
    const page wanted = {.path = (char *)path};
    return s->count ? bsearch(&wanted, s->pages, s->count, sizeof *s->pages, by_path) : NULL;
}

bool site_has(const site *s, const char *path) {
    return find(s, path) != NULL;
}

/* gzip is taken unless its quality is 0. */
static bool takes_gzip(const char *field) {
    const char *at = field ? strstr(field, "gzip") : NULL;
    at = at ? at + 4 + strspn(at + 4, " ") : NULL;
    return at && !(strncmp(at, ";q=0", 4) == 0 && strspn(at + 4, ".0") == strcspn(at + 4, ", "));
}

/* Addresses of views of the site have no dot in their last part, but where that is the id of a run
 * or the name of a league. */
static bool is_view(const http_request *r) {
    const char *first = r->segment[0];
    bool named = r->segments == 2 && (strcmp(first, "runs") == 0 || strcmp(first, "league") == 0);
    return *r->path && (named || !strchr(r->segment[r->segments - 1], '.')) &&
           strcmp(first, "api") != 0 && strcmp(first, "wasm") != 0;
}

void site_answer(const site *s, const http_request *r, http_answer *answer) {
    if (r->method != HTTP_GET && r->method != HTTP_HEAD) {
        answer_field(answer, "Allow", "GET, HEAD");
        answer_problem(answer, r, 405, "method", NULL, "this method is not allowed here");
        return;
    }
    page *p = *r->path ? find(s, r->path) : NULL;
    p = p || !is_view(r) ? p : find(s, "/index.html");
    if (!p) {
        answer_problem(answer, r, 404, "not-found", NULL, "there is nothing at this address");
        return;
    }
    char tag[40];
    bool packed = p->text && takes_gzip(r->field[FIELD_ACCEPT_ENCODING]);
    if (packed && !p->tried) {
        p->tried = true;
        p->packed = pack(p->plain);
    }
    packed = packed && p->packed;
    bool kept = p->hashed || (strncmp(p->path, "/wasm/", 6) == 0 && request_parameter(r, "v"));
    snprintf(tag, sizeof tag, "\"%s%s\"", p->tag, packed ? "-gz" : "");
    answer->type = p->type;
    answer->cached = true;
    answer_field(answer, "Cache-Control", "%s",
                 kept ? "public, max-age=31536000, immutable" : "no-cache");
    answer_field(answer, "ETag", "%s", tag);
    if (p->text) {
        answer_field(answer, "Vary", "Accept-Encoding");
    }
    if (tag_matches(r->field[FIELD_IF_NONE_MATCH], tag)) {
        answer->status = 304;
        return;
    }
    if (packed) {
        answer_field(answer, "Content-Encoding", "gzip");
    }
    answer->shared = packed ? p->packed : p->plain;
    answer->shared->users++;
}
