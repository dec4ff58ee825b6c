/* tests/unit/parser/test_source.c - sources of every kind, from files and pipes, whole and damaged, and reading the
 * text again at any offset. The test makes all inputs, so it knows the text before it is compressed. */
#include "parser/source/source.h"
#include "tests/unit/check.h"
#include "tests/unit/random.h"
#include "tests/unit/tempdir.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <zlib.h>
#ifdef TT_HAVE_ZSTD
#include <zstd.h>
#endif

typedef struct bytes {
    unsigned char *at;
    size_t n;
} bytes;

static void append(bytes *b, const void *from, size_t n)
{
    b->at = realloc(b->at, b->n + n + 1);
    memcpy(b->at + b->n, from, n);
    b->n += n;
}

/* Make a text of n bytes that compresses well, although no window of 64 KiB repeats as a whole. */
static bytes make_text(size_t n)
{
    bytes b = {malloc(n + 64), 0};

    for (unsigned i = 0; b.n < n; i++)
        b.n += (size_t)snprintf((char *)b.at + b.n, 64, "{\"name\":\"op%u\",\"ts\":%u,\"x\":%u},\n", i % 97, i,
                                i * 2654435761u);
    b.n = n;
    return b;
}

static bytes gzip_of(const void *text, size_t n, int level)
{
    bytes b = {malloc(n + n / 1000 + 100), n + n / 1000 + 100};
    z_stream z = {0};

    deflateInit2(&z, level, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY);
    z.next_in = (Bytef *)text;
    z.avail_in = (uInt)n;
    z.next_out = b.at;
    z.avail_out = (uInt)b.n;
    deflate(&z, Z_FINISH);
    b.n = z.total_out;
    deflateEnd(&z);
    return b;
}

/* Read to the end in pieces of `piece` bytes and compare with `text`; returns the length read. */
static size_t read_all(tt_source *s, bytes text, size_t piece)
{
    char *buf = malloc(piece);
    size_t total = 0, got;
    tt_err err = {0};

    for (;;) {
        if (tt_source_read(s, buf, piece, &got, &err) != TT_OK) {
            CHECK_STR(err.message, "");
            break;
        }
        if (!got) break;
        if (total + got > text.n || memcmp(buf, text.at + total, got) != 0) {
            CHECK(!"the text differs");
            break;
        }
        total += got;
    }
    free(buf);
    return total;
}

static tt_source *open_ok(const char *path)
{
    tt_source *s = NULL;
    tt_err err = {0};

    CHECK_INT(tt_source_open(path, &s, &err), TT_OK);
    CHECK_STR(err.message, "");
    return s;
}

/* Check a whole file: it reads twice, its position ends at the end, and there is no damage. */
static void check_whole(const char *path, bytes text, size_t piece)
{
    tt_source *s = open_ok(path);
    uint64_t done, total;
    int64_t at;

    if (!s) return;
    CHECK_INT(read_all(s, text, piece), text.n);
    CHECK_INT(tt_source_rewind(s, NULL), TT_OK);
    tt_source_position(s, &done, &total);
    CHECK_INT(done, 0);
    CHECK_INT(read_all(s, text, piece), text.n);
    CHECK_STR(tt_source_damage(s, &at), NULL);
    tt_source_position(s, &done, &total);
    CHECK_INT(done, total);
    CHECK(!tt_source_changed(s));
    tt_source_close(s);
}

/* Check a damaged file: at least `least` bytes of the text come, the rest is missing, and the reason contains `why`. */
static void check_damaged(const char *name, bytes file, bytes text, size_t least, const char *why, bool lost)
{
    tt_source *s = open_ok(temp_file(name, file.at, file.n));
    int64_t at = -1;
    const char *damage;
    size_t n;

    if (!s) return;
    n = read_all(s, text, 100000);
    damage = tt_source_damage(s, &at);
    CHECK(n >= least);
    CHECK(damage && strstr(damage, why));
    CHECK(at >= 0 && (size_t)at <= n);
    CHECK_INT(tt_source_damage_lost(s), lost);
    if (!damage || !strstr(damage, why) || n < least)
        fprintf(stderr, "    %s: %zu of %zu bytes, least %zu, damage: %s\n", name, n, text.n, least,
                damage ? damage : "-");
    tt_source_close(s);
}

static void test_plain(void)
{
    bytes text = make_text(3000000);

    check_whole(temp_file("plain.json", text.at, text.n), text, 100001);
    check_whole(temp_file("one.json", "[", 1), (bytes){(unsigned char *)"[", 1}, 4096);
    free(text.at);
}

static void test_gzip(void)
{
    bytes text = make_text(3000000), whole = gzip_of(text.at, text.n, 6), many = {0},
          stored = gzip_of(text.at, text.n, 0);
    bytes zeros = {calloc(1, 300000), 300000}, broken = {0};

    check_whole(temp_file("a.gz", whole.at, whole.n), text, 1 << 20);
    check_whole(temp_file("named.json", whole.at, whole.n), text, 777);
    check_whole(temp_file("stored.gz", stored.at, stored.n), text, 65536);
    for (size_t at = 0, part; at < text.n; at += part) { /* gzip members of all sizes, with empty ones between them */
        bytes one, none = gzip_of("", 0, 6);

        part = 1 + at / 3;
        if (part > text.n - at) part = text.n - at;
        one = gzip_of(text.at + at, part, 1);
        append(&many, one.at, one.n);
        append(&many, none.at, none.n);
        free(one.at);
        free(none.at);
    }
    check_whole(temp_file("many.gz", many.at, many.n), text, 1 << 20);
    append(&many, zeros.at, zeros.n);
    check_whole(temp_file("padded.gz", many.at, many.n), text, 5000);

    append(&broken, whole.at, whole.n / 2);
    check_damaged("cut.gz", broken, text, text.n / 3, "cut off", true);
    broken.n = whole.n - 3;
    memcpy(broken.at = realloc(broken.at, whole.n + 4), whole.at, whole.n);
    check_damaged("cut-trailer.gz", broken, text, text.n, "cut off", true);
    broken.n = whole.n;
    broken.at[whole.n - 6] ^= 1;
    check_damaged("crc.gz", broken, text, text.n, "checksum", true);
    broken.at[whole.n - 6] ^= 1;
    broken.at[whole.n - 1] ^= 1;
    check_damaged("isize.gz", broken, text, text.n, "checksum", true);
    broken.at[whole.n - 1] ^= 1;
    memcpy(broken.at + whole.n, "oops", 4);
    broken.n += 4;
    check_damaged("garbage.gz", broken, text, text.n, "follows", false);
    broken.n = whole.n + 1;
    check_damaged("garbage1.gz", broken, text, text.n, "follows", false);

    free(text.at), free(whole.at), free(many.at), free(stored.at), free(zeros.at), free(broken.at);
}

#ifdef TT_HAVE_ZSTD
static bytes zstd_of(const void *text, size_t n, bool sum)
{
    bytes b = {malloc(ZSTD_compressBound(n)), ZSTD_compressBound(n)};
    ZSTD_CCtx *z = ZSTD_createCCtx();

    ZSTD_CCtx_setParameter(z, ZSTD_c_compressionLevel, 1);
    ZSTD_CCtx_setParameter(z, ZSTD_c_checksumFlag, sum);
    b.n = ZSTD_compress2(z, b.at, b.n, text, n);
    ZSTD_freeCCtx(z);
    return b;
}

static void test_zstd(void)
{
    bytes text = make_text(3000000), whole = zstd_of(text.at, text.n, true), many = {0}, broken = {0};

    check_whole(temp_file("a.zst", whole.at, whole.n), text, 1 << 20);
    for (size_t at = 0, part; at < text.n; at += part) {
        bytes one;

        part = 1 + at / 3;
        if (part > text.n - at) part = text.n - at;
        one = zstd_of(text.at + at, part, false);
        append(&many, one.at, one.n);
        append(&many, "\x53\x2A\x4D\x18\x03\0\0\0abc", 11); /* a skippable frame */
        free(one.at);
    }
    check_whole(temp_file("many.zst", many.at, many.n), text, 12345);
    append(&broken, whole.at, whole.n / 2);
    check_damaged("cut.zst", broken, text, text.n / 3, "cut off", true);
    memcpy(broken.at = realloc(broken.at, whole.n + 4), whole.at, whole.n);
    broken.n = whole.n;
    broken.at[whole.n - 1] ^= 1;
    check_damaged("sum.zst", broken, text, text.n / 2, "checksum", true);
    broken.at[whole.n - 1] ^= 1;
    memcpy(broken.at + whole.n, "oops", 4);
    broken.n += 4;
    check_damaged("garbage.zst", broken, text, text.n, "follows", false);
    free(text.at), free(whole.at), free(many.at), free(broken.at);
}
#endif

/* Flip one bit anywhere: reading does not crash, reports the damage, and returns the right text before the damage. */
static void check_flipped(const char *name, bytes text, bytes whole)
{
    char *out = malloc(1 << 20);

    for (size_t i = 0; i < 60; i++) {
        size_t offset = 40 + i * (whole.n - 60) / 60, n = 0, got, same = 0;
        tt_source *s = NULL;
        int64_t at = -1;

        whole.at[offset] ^= 0x10;
        temp_file(name, whole.at, whole.n);
        whole.at[offset] ^= 0x10;
        if (tt_source_open(temp_path(name), &s, NULL) != TT_OK) {
            CHECK(text.n * offset / whole.n < 140000); /* damage in the first block leaves no text */
            continue;
        }
        while (n < (1 << 20) && tt_source_read(s, out + n, (1 << 20) - n, &got, NULL) == TT_OK && got) n += got;
        while (same < n && same < text.n && (unsigned char)out[same] == text.at[same]) same++;
        CHECK(tt_source_damage(s, &at) != NULL);
        CHECK(same + 140000 > text.n * offset / whole.n); /* at most one block before the damage is lost */
        tt_source_close(s);
    }
    free(out);
}

static void test_flipped(void)
{
    bytes text = make_text(400000), packed = gzip_of(text.at, text.n, 6);

    check_flipped("flip.gz", text, packed);
    free(packed.at);
#ifdef TT_HAVE_ZSTD
    packed = zstd_of(text.at, text.n, true);
    check_flipped("flip.zst", text, packed);
    free(packed.at);
#endif
    free(text.at);
}

static void check_refused(const char *path, const char *word, const char *remedy)
{
    tt_source *s = NULL;
    tt_err err = {0};

    CHECK_INT(tt_source_open(path, &s, &err), TT_ERR_INPUT);
    CHECK(s == NULL);
    CHECK(strstr(err.message, path) == err.message);
    if (!CHECK(strstr(err.message, word)) || !CHECK(strstr(err.message, remedy)))
        fprintf(stderr, "    message: %s\n    wanted: %s; %s\n", err.message, word, remedy);
}
#define REFUSED(name, content, word, remedy) check_refused(temp_file(name, content, sizeof(content) - 1), word, remedy)

static void test_refused(void)
{
    static const char lfs[] = "version https://git-lfs.github.com/spec/v1\noid sha256:ab\nsize 870123456\n";
    char tar[512] = "a.json";
    bytes inner, outer;

    memcpy(tar + 257, "ustar", 5);
    check_refused(temp_path("missing.json"), "No such file", "");
    check_refused(temp_dir_, "directory", "name the trace file");
    REFUSED("empty.json", "", "empty (0 bytes)", "stopped");
    REFUSED("a.zip.json", "PK\3\4rest", "zip archive", "unzip ");
    check_refused(temp_file("a.tar", tar, sizeof tar), "tar archive", "tar -xf ");
    REFUSED("a.bz2", "BZh91AY&SY", "bzip2", "bunzip2 -k ");
    for (const char *const *n = (const char *const[]){"-rf.bz2", "+x.bz2", "host:x.bz2", NULL}; *n; n++) {
        char command[64];
        temp_file(*n, "BZh91AY&SY", 10);
        snprintf(command, sizeof command, "bunzip2 -k ./%s", *n);
        CHECK(chdir(temp_dir_) == 0);
        check_refused(*n, "bzip2", command); /* the name must work as an argument of bunzip2, too */
    }
    REFUSED("a.xz",
            "\xFD"
            "7zXZ\0\0\4",
            "xz data", "unxz -k ");
#ifndef TT_HAVE_SQLITE
    REFUSED("a.sqlite", "SQLite format 3\0....", "built without libsqlite3", "libsqlite3-dev");
#endif
    REFUSED("lfs.json", lfs, "Git LFS pointer", "870123456 bytes");
    REFUSED("lfs.nsys-rep", lfs, "Git LFS pointer", "git lfs pull --include ");
    REFUSED("r 1.nsys-rep", "\x01\x02zz", "Nsight Systems", "/r 1.sqlite' '");
    REFUSED("report.nsys-rep", "\x01\x02zz", "Nsight Systems", "nsys export --type sqlite --output ");
    REFUSED("old", "NVIDIA Tegra Profiler Report 1....", "Nsight Systems", "nsys export");
    REFUSED("utf16.json", "\xFF\xFE{\0", "UTF-16", "iconv");
    REFUSED("text.gz", "\x1F\xEF\xBF\xBD\x08", "text conversion", "binary");
    REFUSED("short.gz", "\x1F\x8B\x08", "cut off", "nothing could be read");
    inner = gzip_of(tar, sizeof tar, 6);
    check_refused(temp_file("a.tgz", inner.at, inner.n), "tar archive (inside the gzip data)", "tar -xf ");
    outer = gzip_of(inner.at, inner.n, 6);
    check_refused(temp_file("a.gz.gz", outer.at, outer.n), "gzip data again", "once");
    free(inner.at), free(outer.at);
    inner = gzip_of("", 0, 6);
    check_refused(temp_file("none.gz", inner.at, inner.n), "empty (0 bytes) (inside the gzip data)", "");
    free(inner.at);
    CHECK(access(temp_path("a.zip.json"), F_OK) == 0); /* no file was unpacked or removed */
}

/* Read pieces at n places all over the text and compare them; the source is a plain, gzip or zstd file or a pipe. */
static void check_places(tt_text_source *t, bytes text, unsigned n)
{
    static char out[3 << 20];
    uint64_t seed = RANDOM_SEED;
    unsigned wrong = 0;

    for (unsigned i = 0; i < n; i++) {
        size_t at, want, cap;

        random_next(&seed);
        at = i % 4 ? (size_t)(seed % text.n) : (i / 4) * 1000; /* also places 1000 bytes apart */
        cap = i % 50 ? 16384 : sizeof out;
        want = text.n - at < cap ? text.n - at : cap;
        if (t->read(t, at, out, cap) != (int64_t)want || memcmp(out, text.at + at, want) != 0) wrong++;
    }
    CHECK_INT(wrong, 0);
    CHECK_INT(t->read(t, text.n, out, 10), 0);
    CHECK_INT(t->read(t, text.n + (100u << 20), out, 10), 0);
    CHECK_INT(t->read(t, text.n - 3, out, 10), 3);
    CHECK_INT(t->read(t, 0, out, 10), 10);
}

static tt_text_source *text_of(const char *path, bytes text)
{
    tt_source *s = open_ok(path);

    CHECK_INT(read_all(s, text, 1 << 20), text.n);
    return tt_source_text(s);
}

typedef struct asking {
    tt_text_source *t;
    bytes text;
} asking;

static void *ask(void *arg)
{
    asking *a = arg;
    char out[1000];
    long wrong = 0;

    for (size_t i = 0; i < 25; i++) {
        size_t at = i * 7919 * 499 % (a->text.n - sizeof out);

        wrong += a->t->read(a->t, at, out, sizeof out) != sizeof out || memcmp(out, a->text.at + at, sizeof out) != 0;
    }
    return (void *)wrong;
}

static void test_places(void)
{
    bytes text = make_text((size_t)110 << 20), packed = gzip_of(text.at, text.n, 1), cut = packed;
    tt_text_source *t = text_of(temp_file("big.json", text.at, text.n), text);
    char out[100];

    check_places(t, text, 200);
    t->close(t);

    t = text_of(temp_file("big.gz", packed.at, packed.n), text);
    check_places(t, text, 200);
    asking a = {t, text};
    pthread_t th[3];
    for (int i = 0; i < 3; i++) pthread_create(&th[i], NULL, ask, &a);
    for (int i = 0; i < 3; i++) {
        void *wrong;

        pthread_join(th[i], &wrong);
        CHECK_INT((long)wrong, 0);
    }
    CHECK_INT(truncate(temp_path("big.gz"), 1000), 0); /* another program cuts the open file */
    CHECK_INT(t->read(t, 5, out, sizeof out), -1);
    CHECK_INT(t->read(t, text.n / 2, out, sizeof out), -1);
    temp_file("new.gz", packed.at, packed.n);
    rename(temp_path("new.gz"), temp_path("big.gz"));
    CHECK_INT(t->read(t, 5, out, sizeof out), -1);
    unlink(temp_path("big.gz"));
    CHECK_INT(t->read(t, 5, out, sizeof out), -1);
    t->close(t);

    cut.n /= 2; /* the text before the damage can be read again */
    tt_source *s = open_ok(temp_file("half.gz", cut.at, cut.n));
    bytes half = {text.at, read_all(s, text, 1 << 20)};
    CHECK(half.n > text.n / 3);
    t = tt_source_text(s);
    check_places(t, half, 60);
    t->close(t);
#ifdef TT_HAVE_ZSTD
    bytes frames = {0};
    for (size_t at = 0; at < text.n; at += 5u << 20) {
        bytes one = zstd_of(text.at + at, text.n - at < (5u << 20) ? text.n - at : 5u << 20, false);

        append(&frames, one.at, one.n);
        free(one.at);
    }
    t = text_of(temp_file("frames.zst", frames.at, frames.n), text);
    check_places(t, text, 100);
    t->close(t);
    bytes small = {text.at, 9u << 20}, one = zstd_of(text.at, small.n, false);
    t = text_of(temp_file("one.zst", one.at, one.n), small);
    check_places(t, small, 60);
    t->close(t);
    free(frames.at), free(one.at);
#endif
    free(text.at), free(packed.at);
}

static void write_all(int fd, bytes b)
{
    for (size_t at = 0; at < b.n;) {
        ssize_t n = write(fd, b.at + at, b.n - at);

        if (n < 0) _exit(1);
        at += (size_t)n;
    }
}

static void test_pipes(void)
{
    bytes text = make_text(5500000), packed = gzip_of(text.at, text.n, 1), noise = {malloc(2500000), 2500000};
    char path[512];

    for (size_t i = 0; i < noise.n; i++) noise.at[i] = (unsigned char)(rand() >> 7); /* noise does not compress */
    noise.at[0] = '{';
    snprintf(path, sizeof path, "%s", temp_path("fifo"));
    CHECK_INT(mkfifo(path, 0600), 0);
    bytes even = {text.at, 3 << 20}; /* the text ends at the end of a block of kept text */
    for (int round = 0; round < 4; round++) {
        bytes want = round == 3 ? even : round == 2 ? noise : text;
        pid_t child = fork();

        if (child == 0) {
            write_all(open(path, O_WRONLY), round == 1 ? packed : want);
            _exit(0);
        }
        tt_source *s = open_ok(path);
        uint64_t done, total;
        CHECK_INT(read_all(s, want, 300000), want.n);
        CHECK_INT(tt_source_rewind(s, NULL), TT_OK);
        CHECK_INT(read_all(s, want, 1 << 20), want.n);
        tt_source_position(s, &done, &total);
        CHECK_INT(total, 0);
        CHECK_INT(done, round == 1 ? packed.n : want.n);
        tt_text_source *t = tt_source_text(s);
        check_places(t, want, 200);
        t->close(t);
        waitpid(child, NULL, 0);
    }
    free(text.at), free(packed.at), free(noise.at);
}

static void test_stdin(void)
{
    bytes text = make_text(2000000);
    int keep = dup(0), ends[2], fd;

    temp_file("in.json", text.at, text.n);
    fd = open(temp_path("in.json"), O_RDONLY); /* standard input from a file: a regular file without a name */
    dup2(fd, 0);
    tt_text_source *t = text_of("-", text);
    check_places(t, text, 40);
    t->close(t);
    CHECK(fcntl(0, F_GETFD) >= 0); /* the source must not close standard input */
    close(fd);

    CHECK_INT(pipe(ends), 0);
    if (fork() == 0) {
        write_all(ends[1], text);
        _exit(0);
    }
    dup2(ends[0], 0);
    close(ends[0]), close(ends[1]);
    t = text_of("-", text);
    check_places(t, text, 40);
    t->close(t);
    wait(NULL);
    dup2(keep, 0);
    close(keep);
    free(text.at);
}

static void *stop_soon(void *stop)
{
    usleep(50000);
    atomic_store((_Atomic bool *)stop, true);
    return NULL;
}

/* Opening and reading a silent pipe can be stopped. */
static void test_stop(void)
{
    _Atomic bool stop = false;
    tt_source *s = NULL;
    pthread_t th;
    tt_err err = {0};
    char path[512];

    snprintf(path, sizeof path, "%s", temp_path("silent"));
    CHECK_INT(mkfifo(path, 0600), 0);
    pthread_create(&th, NULL, stop_soon, &stop);
    CHECK_INT(tt_source_open_stop(path, &stop, &s, &err), TT_ERR_CANCELLED);
    pthread_join(th, NULL);
    CHECK(s == NULL);

    char *out = malloc(20000);
    size_t got = 0;
    int keep = open(path, O_RDWR); /* open both ends: the pipe stays open and silent */
    bytes text = make_text(10000);
    write_all(keep, text);
    atomic_store(&stop, false);
    CHECK_INT(tt_source_open_stop(path, &stop, &s, &err), TT_OK);
    pthread_create(&th, NULL, stop_soon, &stop);
    CHECK_INT(tt_source_read(s, out, 20000, &got, &err), TT_ERR_CANCELLED);
    pthread_join(th, NULL);
    tt_text_source *t = tt_source_text(s); /* the text that came can be read again without waiting for more */
    CHECK_INT(t->read(t, 0, out, 20000), 10000);
    CHECK(memcmp(out, text.at, 10000) == 0);
    CHECK_INT(t->read(t, 10000, out, 10), 0);
    t->close(t);
    close(keep);
    free(out), free(text.at);
}

static void test_changed(void)
{
    bytes text = make_text(100000);
    tt_source *s = open_ok(temp_file("grows.json", text.at, text.n));
    FILE *f = fopen(temp_path("grows.json"), "a");

    CHECK(!tt_source_changed(s));
    fputs("more", f);
    fclose(f);
    CHECK(tt_source_changed(s));
    tt_source_close(s);
    free(text.at);
}

int main(void)
{
    temp_begin();
    test_plain();
    test_gzip();
    test_flipped();
#ifdef TT_HAVE_ZSTD
    test_zstd();
#endif
    test_refused();
    test_places();
    test_pipes();
    test_stdin();
    test_stop();
    test_changed();
    temp_end();
    return check_done();
}
