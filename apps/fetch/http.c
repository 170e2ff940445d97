/* HTTP by libcurl: see http.h. */
#include "http.h"

#include "output.h"

#include "ludus/text.h"

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { REDIRECTS = 3, CONNECT_SECONDS = 10, HOST = 256, WAIT_MOST = 86400 };

/* What one call keeps while it runs. */
typedef struct transfer {
    const http_ask *ask;
    lu_text bytes;
    char host[HOST];
    bool local; /* this machine */
    bool large; /* it was stopped at `most` */
} transfer;

/* ---- addresses ---- */

static bool is_local(const char *host) {
    return strcmp(host, "127.0.0.1") == 0 || strcmp(host, "[::1]") == 0 ||
           strcasecmp(host, "localhost") == 0;
}

/* One part of an address into `to`; false: it has none, or a longer one. */
static bool url_part(CURLU *url, CURLUPart part, char to[HOST]) {
    char *text = NULL;
    bool found = curl_url_get(url, part, &text, 0) == CURLUE_OK && strlen(text) < HOST;
    snprintf(to, HOST, "%s", found ? text : "");
    curl_free(text);
    return found;
}

static lu_status read_url(const char *text, char host[HOST], bool *local, lu_error *error) {
    char scheme[HOST], user[HOST];
    CURLU *url = curl_url();
    if (!url) {
        lu_out_of_memory(1);
    }
    bool whole = curl_url_set(url, CURLUPART_URL, text, 0) == CURLUE_OK &&
                 url_part(url, CURLUPART_SCHEME, scheme) && url_part(url, CURLUPART_HOST, host);
    bool secret = whole && (url_part(url, CURLUPART_USER, user) || *user);
    curl_url_cleanup(url);
    if (!whole) {
        return lu_fail(error, LU_USAGE, "'%.200s' isn't an address; write https://HOST/...", text);
    }
    if (secret) {
        return lu_fail(error, LU_USAGE,
                       "the address of %.100s contains a name or password; put secrets into a file",
                       host);
    }
    *local = is_local(host);
    if (strcmp(scheme, "https") != 0 && !(*local && strcmp(scheme, "http") == 0)) {
        return lu_fail(error, LU_USAGE,
                       "%.100s: '%.20s' is not supported; write https://, or http:// on this "
                       "machine (127.0.0.1)",
                       host, scheme);
    }
    return LU_OK;
}

lu_status http_check(const char *url, lu_error *error) {
    char host[HOST];
    bool local;
    return read_url(url, host, &local, error);
}

char *http_escape(const char *text) {
    char *made = curl_easy_escape(NULL, text, (int)strlen(text));
    char *kept = made ? lu_strdup(made) : NULL;
    curl_free(made);
    if (!kept) {
        lu_out_of_memory(3 * strlen(text));
    }
    return kept;
}

/* ---- while it runs ---- */

/* Bytes come inflated, so that the limit holds for what a small body grows to. */
static size_t on_bytes(char *bytes, size_t one, size_t count, void *user) {
    transfer *t = user;
    if (count > t->ask->most - t->bytes.length) {
        t->large = true;
        return 0;
    }
    lu_text_add_n(&t->bytes, bytes, one * count);
    return one * count;
}

static int on_progress(void *user, curl_off_t all, curl_off_t got, curl_off_t out_all,
                       curl_off_t out) {
    const transfer *t = user;
    (void)out_all, (void)out;
    progress(all > 0 ? (double)got / (double)all : -1.0, t->ask->what);
    return interrupted();
}

/* ---- the call ---- */

static struct curl_slist *headers_of(const http_ask *ask) {
    struct curl_slist *list = curl_slist_append(NULL, "Accept: application/json");
    return ask->body && list ? curl_slist_append(list, "Content-Type: application/json") : list;
}

static void set_bounds(CURL *curl, const transfer *t) {
    const http_ask *ask = t->ask;
    bool secret = ask->body || (ask->bearer && *ask->bearer);
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, t->local ? "http,https" : "https");
    curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS_STR, "https");
    curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, secret ? 0L : 1L);
    curl_easy_setopt(curl, CURLOPT_MAXREDIRS, (long)REDIRECTS);
    curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, (long)CONNECT_SECONDS);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, (long)(1000.0 * ask->seconds));
    curl_easy_setopt(curl, CURLOPT_MAXFILESIZE_LARGE, (curl_off_t)ask->most);
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    if (t->local) {
        curl_easy_setopt(curl, CURLOPT_NOPROXY, "*");
    }
}

static void set_request(CURL *curl, transfer *t, struct curl_slist *headers) {
    const http_ask *ask = t->ask;
    curl_easy_setopt(curl, CURLOPT_URL, ask->url);
    curl_easy_setopt(curl, CURLOPT_USERAGENT, LUDUS_PROGRAM "/" LUDUS_VERSION);
    curl_easy_setopt(curl, CURLOPT_ACCEPT_ENCODING, "gzip");
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    if (ask->bearer && *ask->bearer) {
        curl_easy_setopt(curl, CURLOPT_HTTPAUTH, CURLAUTH_BEARER);
        curl_easy_setopt(curl, CURLOPT_XOAUTH2_BEARER, ask->bearer);
    }
    if (ask->body) {
        curl_easy_setopt(curl, CURLOPT_POSTFIELDS, ask->body);
    }
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, on_bytes);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, t);
    curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, on_progress);
    curl_easy_setopt(curl, CURLOPT_XFERINFODATA, t);
}

static lu_status failure(const transfer *t, CURLcode code, lu_error *error) {
    if (t->large || code == CURLE_FILESIZE_EXCEEDED) {
        return lu_fail(error, LU_LIMIT, "%s: the answer is larger than %zu bytes", t->host,
                       t->ask->most);
    }
    switch (code) {
    case CURLE_ABORTED_BY_CALLBACK:
        return lu_fail(error, LU_INTERRUPTED, "interrupted");
    case CURLE_OPERATION_TIMEDOUT:
        return lu_fail(error, LU_IO, "%s: no complete answer within %g s", t->host,
                       t->ask->seconds);
    case CURLE_PARTIAL_FILE:
    case CURLE_GOT_NOTHING:
        return lu_fail(error, LU_BAD_DATA, "%s: the answer broke off after %zu bytes", t->host,
                       t->bytes.length);
    case CURLE_BAD_CONTENT_ENCODING:
    case CURLE_WEIRD_SERVER_REPLY:
        return lu_fail(error, LU_BAD_DATA, "%s: the answer is damaged", t->host);
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_TOO_MANY_REDIRECTS:
        return lu_fail(
            error, LU_BAD_DATA,
            "%s: it redirects to an address that is not allowed (only https, %d times at most)",
            t->host, REDIRECTS);
    default:
        return lu_fail(error, LU_IO, "%s: %s", t->host, curl_easy_strerror(code));
    }
}

static lu_status perform(CURL *curl, transfer *t, http_answer *answer, lu_error *error) {
    curl_off_t wait = 0;
    CURLcode code = curl_easy_perform(curl);
    if (code != CURLE_OK) {
        return failure(t, code, error);
    }
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &answer->code);
    curl_easy_getinfo(curl, CURLINFO_RETRY_AFTER, &wait);
    answer->wait = wait < 0 ? 0.0 : wait > WAIT_MOST ? WAIT_MOST : (double)wait;
    answer->length = t->bytes.length;
    answer->bytes = lu_text_take(&t->bytes);
    return LU_OK;
}

lu_status http_call(const http_ask *ask, http_answer *answer, lu_error *error) {
    transfer t = {.ask = ask, .bytes = LU_TEXT_INIT};
    *answer = (http_answer){0};
    LU_TRY(read_url(ask->url, t.host, &t.local, error));
    CURL *curl = curl_easy_init();
    struct curl_slist *headers = headers_of(ask);
    if (!curl || !headers) {
        lu_out_of_memory(1);
    }
    set_bounds(curl, &t);
    set_request(curl, &t, headers);
    lu_status status = perform(curl, &t, answer, error);
    progress_end();
    curl_slist_free_all(headers);
    curl_easy_cleanup(curl);
    lu_text_free(&t.bytes);
    return status;
}

void http_free(http_answer *answer) {
    free(answer->bytes);
    *answer = (http_answer){0};
}
