/* The table of formats, and what is decided by it: see format.h. */
#include "parser/formats.h"

#include <string.h>

#include "parser/chrome/reader.h"
#include "parser/paddle_pb/reader.h"
#include "parser/recording/reader.h"

#define HEAD 4096

static const struct {
    bool (*sniff)(const char *head, size_t len); /* NULL: takes everything */
    bool (*span)(const char *head, size_t len, char *out, size_t cap);
    tt_read_fn *read;
} formats[] = {
    {tt_paddle_pb_sniff, tt_paddle_pb_span, tt_read_paddle_pb},
    {tt_spool_sniff, tt_spool_span, tt_read_spool},
    {NULL, tt_paddle_json_span, tt_read_chrome},
};

/* The beginning of the text; the source stands at its start again afterwards. */
static tt_status peek(tt_source *source, char *head, size_t *len, tt_err *err)
{
    *len = 0;
    for (size_t got = 1; got && *len < HEAD; *len += got) {
        TT_TRY(tt_source_read(source, head + *len, HEAD - *len, &got, err));
    }
    return tt_source_rewind(source, err);
}

static size_t format_of(const char *head, size_t len)
{
    size_t i = 0;
    while (formats[i].sniff && !formats[i].sniff(head, len)) i++;
    return i;
}

tt_status tt_read_store(tt_source *source, const tt_reader_names *names, unsigned threads, tt_reader_progress *progress,
                        const tt_reader_hooks *hooks, tt_trace **out, tt_err *err)
{
    char head[HEAD];
    size_t len;
    tt_status status = peek(source, head, &len, err);
    *out = NULL;
    if (status != TT_OK) return status;
    return formats[format_of(head, len)].read(source, names, threads, progress, hooks, out, err);
}

bool tt_format_span(const char *path, char *out, size_t cap)
{
    char head[HEAD];
    size_t len;
    tt_source *source;
    tt_err err;
    if (tt_source_open(path, &source, &err) != TT_OK) return false;
    bool found = peek(source, head, &len, &err) == TT_OK && formats[format_of(head, len)].span(head, len, out, cap);
    tt_source_close(source);
    return found;
}
