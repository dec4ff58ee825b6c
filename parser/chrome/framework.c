/* parser/chrome/framework.c - which framework wrote a text of JSON events, by its first bytes. */
#include <string.h>

#include "parser/chrome/ascend_dialect.h"
#include "parser/chrome/document_inline.h"
#include "parser/chrome/paddle_dialect.h"

enum { EVENTS_MOST = 64 }; /* number of categories inspected */

static bool starts(const char *p, const char *e, const char *text)
{
    return p && (size_t)(e - p) >= strlen(text) && !memcmp(p, text, strlen(text));
}

/* A recording's export has a member "recorder" with tracetty's name. */
static bool of_recorder(const char *p, const char *e)
{
    return starts(tt_json_seek(p, e, "\"recorder\""), e, "\"tracetty ");
}

/* Only Kineto writes devices, a numeric schema, and these categories. */
static bool of_kineto(const char *p, const char *e)
{
    const char *schema = tt_json_seek(p, e, "\"schemaVersion\"");
    if (schema && schema < e && tt_is_digit(*schema)) return true;
    if (tt_json_seek(p, e, "\"deviceProperties\"")) return true;
    for (int i = 0; i < EVENTS_MOST && (p = tt_json_seek(p, e, "\"cat\"")) != NULL; i++) {
        const char *end = p < e && *p == '"' ? memchr(p + 1, '"', (size_t)(e - p - 1)) : NULL;
        if (end && tt_category_kind(p + 1, (size_t)(end - p - 1), false) != TT_KIND_OTHER) return true;
    }
    return false;
}

const char *tt_chrome_framework(const char *head, size_t len)
{
    tt_dialect d = {0};
    const char *e = head + len;
    if (of_recorder(head, e)) return "tracetty";
    if (tt_paddle_sniff(head, len, &d)) return "paddle";
    if (tt_ascend_sniff(head, len, &d)) return d.numbered ? "mindinsight" : "ascend";
    if (of_kineto(head, e)) return "pytorch";
    if (tt_json_seek(head, e, "\"highres-ticks\"")) return "xplane";
    return tt_json_seek(head, e, "\"ph\"") ? "chrome" : NULL;
}
