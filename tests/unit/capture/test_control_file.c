/* The control file holds orders and records of several processes. A torn record hides no other; nobody lengthens a file
 * that was cut; a descriptor that now belongs to the program is neither used nor closed. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/shared/control_file.h"
#include "tests/unit/check.h"

static tt_control_record process(uint64_t id, uint64_t events)
{
    return (tt_control_record){.kind = TT_CONTROL_PROCESS,
                               .id = id,
                               .process = {.pid = (uint32_t)id,
                                           .attached = 1,
                                           .events = events,
                                           .drops = {[TT_SPOOL_DROP_RANGES] = 2, [TT_SPOOL_DROP_BYTES] = 5}}};
}

static off_t size_of(const char *path)
{
    struct stat st;
    return stat(path, &st) ? -1 : st.st_size;
}

static void totals(const char *path)
{
    tt_capture_settings set = tt_capture_settings_default(), back;
    tt_control c, other;
    char why[300];
    tt_totals t = {0};
    CHECK(tt_control_create(&c, path, &set, why, sizeof why));
    CHECK(!tt_control_create(&other, path, &set, why, sizeof why)); /* the file exists already */
    CHECK(strstr(why, path) != NULL);
    CHECK_INT(tt_control_open(&other, path, &back), 0);
    CHECK_STR(back.marker, "ProfilerStep#*");
    off_t a = 0, b = 0, said = 0;
    tt_control_record one = process(1, 10), two = process(2, 100),
                      note = {.kind = TT_CONTROL_SAYS, .id = 1, .note = "a note"};
    CHECK(tt_control_write(&c, &one, &a) && tt_control_write(&other, &two, &b) && a != b);
    int fd = open(path, O_WRONLY | O_APPEND);
    CHECK_INT(write(fd, "torn by a limit", 15), 15);
    close(fd);
    CHECK(tt_control_write(&c, &note, &said));
    said = 0;
    CHECK(tt_control_write(&c, &note, &said)); /* written twice, shown once */
    one.process.events = 30;
    one.process.ended = 1;
    two.process.stopped = TT_STOPPED_CUT;
    CHECK(tt_control_write(&c, &one, &a) && tt_control_write(&other, &two, &b));
    tt_control_read(&c, &t);
    CHECK(!t.lost);
    CHECK_INT(t.attached, 2);
    CHECK_INT(t.ended, 1);
    CHECK_INT(t.events, 130);
    CHECK_INT(t.drops, 4); /* lost bytes do not count as events */
    CHECK_INT(t.n_notes, 2);
    CHECK_STR(t.notes[0], "process 2: the recording stopped, its file was cut by another program");
    CHECK_STR(t.notes[1], "a note");
    /* a process does not overwrite a record that belongs to another process by now; it adds a new one */
    off_t not_ours = a;
    tt_control_record three = process(3, 1);
    CHECK(tt_control_write(&c, &three, &not_ours) && not_ours != a);
    uint32_t n[TT_ORDER_COUNT_];
    CHECK(tt_control_give(&other, TT_ORDER_STEP) && tt_control_give(&c, TT_ORDER_STEP) && tt_control_orders(&c, n));
    CHECK_INT(n[TT_ORDER_STEP], 2);
    CHECK_INT(n[TT_ORDER_START], 0);
    CHECK_INT(truncate(path, 100), 0);
    CHECK(!tt_control_write(&c, &one, &a) && !tt_control_give(&other, TT_ORDER_STOP) && !tt_control_orders(&c, n));
    tt_control_read(&c, &t);
    CHECK(t.lost && t.events == 130); /* the numbers of the last reading stay */
    CHECK_INT(size_of(path), 100);
    tt_control_close(&c);
    tt_control_close(&other);
    CHECK_INT(tt_control_open(&c, path, NULL), -EPROTO);
}

static void descriptors(const char *path, const char *foreign)
{
    tt_own o;
    struct stat st;
    CHECK_INT(tt_own_open(&o, path, O_WRONLY | O_APPEND, 0), 0);
    CHECK(o.fd > 255 && tt_own_holds(&o, NULL));
    int number = o.fd, fd = open(foreign, O_RDWR | O_CREAT | O_TRUNC, 0644);
    CHECK(dup2(fd, number) == number && !tt_own_holds(&o, NULL));
    tt_own copy = o;
    tt_own_close(&copy);
    CHECK_INT(fcntl(number, F_GETFD), 0); /* the foreign file's descriptor is still open */
    CHECK(tt_own_keeps(&o, path, O_WRONLY | O_APPEND, &st) && o.fd != number && tt_own_holds(&o, NULL));
    close(o.fd);
    CHECK_INT(unlink(path), 0);
    CHECK(!tt_own_keeps(&o, path, O_WRONLY | O_APPEND, NULL) && o.fd < 0); /* a removed file is not created again */
    CHECK_INT(size_of(path), -1);
    CHECK_INT(symlink(foreign, path), 0);
    CHECK(tt_own_open(&o, path, O_WRONLY, 0) < 0); /* a link is not followed */
    close(number);
    close(fd);
}

/* The program sets a limit of the file size: it can still renew its own record, but a new record has no room. */
static void limited(const char *path)
{
    tt_capture_settings set = tt_capture_settings_default();
    tt_control c;
    char why[300];
    tt_totals t = {0};
    struct rlimit before, small;
    off_t a = 0, none = 0;
    tt_control_record one = process(1, 10), two = process(2, 20);
    CHECK(tt_control_create(&c, path, &set, why, sizeof why));
    CHECK(tt_control_write(&c, &one, &a));
    CHECK(signal(SIGXFSZ, SIG_IGN) != SIG_ERR && !getrlimit(RLIMIT_FSIZE, &before));
    small = (struct rlimit){TT_CONTROL_RECORDS_AT, before.rlim_max};
    CHECK_INT(setrlimit(RLIMIT_FSIZE, &small), 0);
    one.process.stopped = TT_STOPPED_ERROR;
    one.process.error = EFBIG;
    CHECK(tt_control_write(&c, &one, &a));
    CHECK(!tt_control_write(&c, &two, &none));
    CHECK_INT(setrlimit(RLIMIT_FSIZE, &before), 0);
    tt_control_read(&c, &t);
    CHECK_INT(t.events, 10);
    CHECK_STR(t.notes[0], "process 1: the recording stopped, its file cannot be written: File too large");
    tt_control_close(&c);
    unlink(path);
}

int main(void)
{
    char dir[] = "/tmp/tracetty-control-XXXXXX", path[60], foreign[60];
    CHECK(mkdtemp(dir) != NULL);
    snprintf(path, sizeof path, "%s/ctl", dir);
    snprintf(foreign, sizeof foreign, "%s/foreign", dir);
    totals(path);
    descriptors(path, foreign);
    unlink(path);
    limited(path);
    unlink(foreign);
    rmdir(dir);
    return check_done();
}
