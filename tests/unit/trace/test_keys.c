/* tests/unit/trace/test_keys.c - what is known of a key before it is read. */
#include "model/keys/keys.h"
#include "tests/unit/check.h"

int main(void)
{
    const char *paths[] = {"capture_traces/a.json.gz", "capture_traces/b.json.gz"};
    tt_session *s = tt_session_new(NULL, 0, "");
    tt_keys *k = tt_keys_new(paths, 2, NULL);
    tt_session_set_keys(s, k);
    tt_keys_say(k, 1, 32);
    CHECK_INT(tt_keys_count(k), 2);
    CHECK_STR(tt_keys_path(k, 1), paths[1]);
    CHECK_INT(tt_keys_batch(k, 0), -1);
    CHECK_INT(tt_keys_batch(k, 1), 32);
    tt_keys_say(k, 1, 8); /* the last word counts */
    CHECK_INT(tt_keys_batch(k, 1), 8);
    tt_session_free(s);
    return check_done();
}
